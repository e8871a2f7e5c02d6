//! Programs as JSON, for tools. Expressions are an arena of nodes, as in memory; every edge also has its text.

use crate::expr::{CastOp, Expr, ExprId, ExprKind, Sign};
use crate::print::{self, LocalNames, Printer};
use crate::program::{Callee, DatumValue, Edge, Function, HavocPlace, ObjRef, Op, Place, Program, ScalarInit, VarRef};
use crate::ty::Bits;
use plumb_c::source::Span;
use serde_json::{Value, json};

/// The whole program.
pub fn to_json(program: &Program) -> Value {
    let vars: Vec<Value> = program
        .vars
        .iter()
        .map(|var| {
            let init = match var.init {
                ScalarInit::Const(value) => bits(value),
                ScalarInit::Object(object, offset) => json!({"object": object.0, "offset": offset}),
                ScalarInit::Function(id) => json!({"function": id.0}),
            };
            json!({"name": &*var.name, "type": var.ty.to_string(), "init": init})
        })
        .collect();
    let objects: Vec<Value> = program
        .objects
        .iter()
        .map(|object| {
            let init: Vec<Value> = object.init.iter().map(|d| datum(d.offset, &d.value)).collect();
            json!({
                "name": &*object.name, "size": object.size, "align": object.align, "init": init,
                "readOnly": object.read_only, "volatile": object.is_volatile,
            })
        })
        .collect();
    let inputs: Vec<Value> = program
        .inputs
        .iter()
        .map(|i| {
            let ty = i.ty.map(|t| t.to_string());
            json!({"origin": print::origin(&i.origin), "type": ty, "signed": i.is_signed, "place": place(program, i.span)})
        })
        .collect();
    let checks: Vec<Value> = program
        .checks
        .iter()
        .map(|c| json!({"kind": c.kind.name(), "message": &*c.message, "place": place(program, c.span)}))
        .collect();
    let functions: Vec<Value> = program.function_ids().map(|id| function(program, program.function(id))).collect();
    json!({
        "target": program.target.name, "start": program.start.0, "globals": vars, "objects": objects,
        "inputs": inputs, "checks": checks, "functions": functions,
        "assumptions": program.assumptions.iter()
            .map(|a| json!({"kind": format!("{:?}", a.kind), "name": &*a.name})).collect::<Vec<_>>(),
    })
}

fn bits(value: Bits) -> Value {
    json!(format!("{:#x}", value.u128()))
}

fn datum(offset: u64, value: &DatumValue) -> Value {
    match value {
        DatumValue::Bytes(bytes) => {
            let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
            json!({"offset": offset, "bytes": hex})
        }
        DatumValue::Object(id, delta) => json!({"offset": offset, "object": id.0, "delta": delta}),
        DatumValue::Function(id) => json!({"offset": offset, "function": id.0}),
    }
}

fn place(program: &Program, span: Span) -> Value {
    match program.sources.place(span) {
        Some(place) => json!({"file": &*place.file, "line": place.line, "column": place.column}),
        None => Value::Null,
    }
}

/// One function of the program.
pub fn function(program: &Program, function: &Function) -> Value {
    let names = LocalNames::new(function);
    let printer = Printer { program, function, names: &names };
    let vars: Vec<Value> = function.vars.iter().map(|v| json!({"name": &*v.name, "type": v.ty.to_string()})).collect();
    let objects: Vec<Value> =
        function.objects.iter().map(|o| json!({"name": &*o.name, "size": o.size, "align": o.align})).collect();
    let exprs: Vec<Value> = (0..function.exprs.len() as u32).map(|i| expr(function.exprs.get(ExprId(i)))).collect();
    let edges: Vec<Value> = function.edges.iter().map(|e| edge(program, &printer, e)).collect();
    json!({
        "name": &*function.name, "parameters": function.param_count, "returns": function.ret.map(|t| t.to_string()),
        "hasBody": function.has_body, "library": function.is_library,
        "registers": vars, "objects": objects, "locations": function.loc_count,
        "entry": function.entry.0, "exit": function.exit.0,
        "labels": function.labels.iter().map(|(n, l)| json!({"name": &**n, "location": l.0})).collect::<Vec<_>>(),
        "exprs": exprs, "edges": edges,
    })
}

fn edge(program: &Program, printer: &Printer<'_>, edge: &Edge) -> Value {
    let op = match &edge.op {
        Op::Assign { to: Place::Var(var), value } => json!({"op": "assign", "to": var_ref(*var), "value": value.0}),
        Op::Assign { to: Place::Mem(addr), value } => json!({"op": "store", "address": addr.0, "value": value.0}),
        Op::Assume { cond, branch } => json!({
            "op": "assume", "condition": cond.0,
            "branch": branch.map(|b| json!({"kind": print::branch_kind_name(b.kind), "taken": b.taken})),
        }),
        Op::Havoc { to: HavocPlace::Var(var), input } => json!({"op": "havoc", "to": var_ref(*var), "input": input.0}),
        Op::Havoc { to: HavocPlace::Region { addr, size }, input } => {
            json!({"op": "havoc", "address": addr.0, "size": size.0, "input": input.0})
        }
        Op::Havoc { to: HavocPlace::Objects { addr, extent }, input } => {
            json!({"op": "havoc", "address": addr.0, "extent": print::extent_name(*extent), "input": input.0})
        }
        Op::Call { to, callee, args } => {
            let callee = match callee {
                Callee::Direct(id) => json!({"function": id.0}),
                Callee::Indirect(addr) => json!({"address": addr.0}),
                Callee::Intrinsic(intrinsic) => json!({"intrinsic": print::intrinsic_name(*intrinsic)}),
            };
            let args: Vec<u32> = args.iter().map(|a| a.0).collect();
            json!({"op": "call", "to": to.map(var_ref), "callee": callee, "arguments": args})
        }
        Op::Return(value) => json!({"op": "return", "value": value.map(|v| v.0)}),
        Op::Check { cond, check } => json!({"op": "check", "condition": cond.0, "check": check.0}),
    };
    json!({
        "from": edge.from.0, "to": edge.to.0, "do": op, "text": printer.op(&edge.op),
        "place": place(program, edge.span),
    })
}

fn var_ref(var: VarRef) -> Value {
    match var {
        VarRef::Global(v) => json!({"global": v.0}),
        VarRef::Local(v) => json!({"local": v.0}),
    }
}

fn sign(sign: Sign) -> &'static str {
    match sign {
        Sign::Signed => "signed",
        Sign::Unsigned => "unsigned",
        Sign::Plain => "plain",
    }
}

fn expr(expr: Expr) -> Value {
    let mut node = match expr.kind {
        ExprKind::Const(value) => json!({"op": "const", "value": bits(value)}),
        ExprKind::Var(var) => json!({"op": "var", "var": var_ref(var)}),
        ExprKind::Addr(ObjRef::Global(object)) => json!({"op": "addr", "global": object.0}),
        ExprKind::Addr(ObjRef::Local(object)) => json!({"op": "addr", "local": object.0}),
        ExprKind::FuncAddr(id) => json!({"op": "addr", "function": id.0}),
        ExprKind::Load(_) => json!({"op": "load"}),
        ExprKind::Unary(op, s, _) => json!({"op": print::unary_name(op), "sign": sign(s)}),
        ExprKind::Binary(op, s, ..) => json!({"op": print::binary_name(op), "sign": sign(s)}),
        ExprKind::Cast(op, _) => match op {
            CastOp::Int { from, to, implicit } => {
                json!({"op": "cast-int", "from": sign(from), "to": sign(to), "implicit": implicit})
            }
            CastOp::IntToFloat(s) => json!({"op": "int-to-float", "sign": sign(s)}),
            CastOp::FloatToInt(s) => json!({"op": "float-to-int", "sign": sign(s)}),
            CastOp::FloatToFloat => json!({"op": "float-to-float"}),
            CastOp::PtrToInt => json!({"op": "ptr-to-int"}),
            CastOp::IntToPtr => json!({"op": "int-to-ptr"}),
            CastOp::Reinterpret => json!({"op": "reinterpret"}),
        },
        ExprKind::Ite(..) => json!({"op": "ite"}),
        ExprKind::And(..) => json!({"op": "logical-and"}),
        ExprKind::Or(..) => json!({"op": "logical-or"}),
        ExprKind::PtrAdd(..) => json!({"op": "ptr-add"}),
        ExprKind::PtrDiff(..) => json!({"op": "ptr-diff"}),
        ExprKind::Extract { lo, .. } => json!({"op": "extract", "lo": lo}),
        ExprKind::Insert { lo, .. } => json!({"op": "insert", "lo": lo}),
        ExprKind::Fma(..) => json!({"op": "fma"}),
        ExprKind::InBounds { write, .. } => json!({"op": "in-bounds", "write": write}),
        ExprKind::Callable { like, .. } => json!({"op": "callable", "like": like.0}),
        ExprKind::Freeable(_) => json!({"op": "freeable"}),
        ExprKind::IsLive(_) => json!({"op": "is-live"}),
        ExprKind::SameObject(..) => json!({"op": "same-object"}),
        ExprKind::ObjectOffset(_) => json!({"op": "object-offset"}),
        ExprKind::BytesLeft(_) => json!({"op": "bytes-left"}),
        ExprKind::NoLeak => json!({"op": "no-leak"}),
        ExprKind::HeapEmpty => json!({"op": "heap-empty"}),
    };
    if let Some(fields) = node.as_object_mut() {
        fields.insert("type".to_string(), json!(expr.ty.to_string()));
        let operands: Vec<u32> = expr.kind.operands().map(|o| o.0).collect();
        if !operands.is_empty() {
            fields.insert("operands".to_string(), json!(operands));
        }
    }
    node
}
