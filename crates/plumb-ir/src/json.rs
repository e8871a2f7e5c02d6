//! Programs as JSON, for tools. Expressions are an arena of nodes, as in memory; every edge also has its text.

use crate::check::{CheckId, CheckKind};
use crate::expr::{CastOp, Expr, ExprId, ExprKind, LeakRoots, Sign};
use crate::input::InputId;
use crate::print::{self, LocalNames, Printer};
use crate::program::{
    AssumptionKind, Callee, DatumValue, Edge, FuncId, Function, GlobalObj, GlobalVarInfo, HavocPlace, Loc, ObjRef, Op,
    Program, ScalarInit, VarRef,
};
use crate::ty::{Bits, Ty};
use plumb_c::source::Place;
use serde::{Serialize, Serializer};

/// The program with these functions.
pub fn program(program: &Program, functions: impl IntoIterator<Item = FuncId>) -> ProgramDoc<'_> {
    ProgramDoc {
        target: program.target.name,
        start: program.start,
        globals: program.vars.iter().map(global).collect(),
        objects: program.objects.iter().map(object).collect(),
        inputs: program
            .inputs
            .iter()
            .map(|i| InputDoc {
                origin: print::origin(&i.origin),
                ty: i.ty.map(TyText),
                signed: i.is_signed,
                place: program.sources.place(i.span),
            })
            .collect(),
        checks: program
            .checks
            .iter()
            .map(|c| CheckDoc { kind: c.kind, message: &c.message, place: program.sources.place(c.span) })
            .collect(),
        functions: functions.into_iter().map(|id| function(program, program.function(id))).collect(),
        assumptions: program.assumptions.iter().map(|a| AssumptionDoc { kind: a.kind, name: &a.name }).collect(),
    }
}

#[derive(Serialize)]
pub struct ProgramDoc<'a> {
    target: &'a str,
    start: FuncId,
    globals: Vec<GlobalDoc<'a>>,
    objects: Vec<ObjectDoc<'a>>,
    inputs: Vec<InputDoc>,
    checks: Vec<CheckDoc<'a>>,
    functions: Vec<FunctionDoc<'a>>,
    assumptions: Vec<AssumptionDoc<'a>>,
}

/// A type, as programs are printed.
struct TyText(Ty);

impl Serialize for TyText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A bit pattern in hexadecimal digits: it may be wider than a number of JSON.
struct BitsText(Bits);

impl Serialize for BitsText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#x}", self.0.u128()))
    }
}

#[derive(Serialize)]
struct GlobalDoc<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: TyText,
    init: InitDoc,
}

#[derive(Serialize)]
#[serde(untagged)]
enum InitDoc {
    Bits(BitsText),
    Object { object: GlobalObj, offset: i64 },
    Function { function: FuncId },
}

fn global(var: &GlobalVarInfo) -> GlobalDoc<'_> {
    let init = match var.init {
        ScalarInit::Const(value) => InitDoc::Bits(BitsText(value)),
        ScalarInit::Object(object, offset) => InitDoc::Object { object, offset },
        ScalarInit::Function(function) => InitDoc::Function { function },
    };
    GlobalDoc { name: &var.name, ty: TyText(var.ty), init }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectDoc<'a> {
    name: &'a str,
    size: u64,
    align: u64,
    init: Vec<DatumDoc>,
    read_only: bool,
    volatile: bool,
}

#[derive(Serialize)]
struct DatumDoc {
    offset: u64,
    #[serde(flatten)]
    value: DatumValueDoc,
}

#[derive(Serialize)]
#[serde(untagged)]
enum DatumValueDoc {
    /// In hexadecimal digits.
    Bytes {
        bytes: String,
    },
    Object {
        object: GlobalObj,
        delta: i64,
    },
    Function {
        function: FuncId,
    },
}

fn object(object: &crate::program::GlobalObjInfo) -> ObjectDoc<'_> {
    let value = |value: &DatumValue| match value {
        DatumValue::Bytes(bytes) => DatumValueDoc::Bytes { bytes: bytes.iter().map(|b| format!("{b:02x}")).collect() },
        DatumValue::Object(object, delta) => DatumValueDoc::Object { object: *object, delta: *delta },
        DatumValue::Function(function) => DatumValueDoc::Function { function: *function },
    };
    ObjectDoc {
        name: &object.name,
        size: object.size,
        align: object.align,
        init: object.init.iter().map(|d| DatumDoc { offset: d.offset, value: value(&d.value) }).collect(),
        read_only: object.read_only,
        volatile: object.is_volatile,
    }
}

#[derive(Serialize)]
struct InputDoc {
    origin: String,
    #[serde(rename = "type")]
    ty: Option<TyText>,
    signed: bool,
    place: Option<Place>,
}

#[derive(Serialize)]
struct CheckDoc<'a> {
    kind: CheckKind,
    message: &'a str,
    place: Option<Place>,
}

#[derive(Serialize)]
struct AssumptionDoc<'a> {
    kind: AssumptionKind,
    name: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FunctionDoc<'a> {
    name: &'a str,
    parameters: u32,
    returns: Option<TyText>,
    has_body: bool,
    library: bool,
    registers: Vec<RegisterDoc<'a>>,
    objects: Vec<LocalObjectDoc<'a>>,
    locations: u32,
    entry: Loc,
    exit: Loc,
    labels: Vec<LabelDoc<'a>>,
    exprs: Vec<ExprDoc>,
    edges: Vec<EdgeDoc<'a>>,
}

#[derive(Serialize)]
struct RegisterDoc<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: TyText,
}

#[derive(Serialize)]
struct LocalObjectDoc<'a> {
    name: &'a str,
    size: u64,
    align: u64,
}

#[derive(Serialize)]
struct LabelDoc<'a> {
    name: &'a str,
    location: Loc,
}

fn function<'a>(program: &'a Program, function: &'a Function) -> FunctionDoc<'a> {
    let names = LocalNames::new(function);
    let printer = Printer { program, function, names: &names };
    let object = |o: &'a crate::program::LocalObjInfo| LocalObjectDoc { name: &o.name, size: o.size, align: o.align };
    FunctionDoc {
        name: &function.name,
        parameters: function.param_count,
        returns: function.ret.map(TyText),
        has_body: function.has_body,
        library: function.is_library,
        registers: function.vars.iter().map(|v| RegisterDoc { name: &v.name, ty: TyText(v.ty) }).collect(),
        objects: function.objects.iter().map(object).collect(),
        locations: function.loc_count,
        entry: function.entry,
        exit: function.exit,
        labels: function.labels.iter().map(|(name, at)| LabelDoc { name, location: *at }).collect(),
        exprs: function.exprs.ids().map(|id| expr(function.exprs.get(id))).collect(),
        edges: function.edges.iter().map(|e| edge(program, &printer, e)).collect(),
    }
}

#[derive(Serialize)]
struct EdgeDoc<'a> {
    from: Loc,
    to: Loc,
    #[serde(rename = "do")]
    op: OpDoc<'a>,
    text: String,
    place: Option<Place>,
}

#[derive(Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum OpDoc<'a> {
    Assign { to: VarRef, value: ExprId },
    Store { address: ExprId, value: ExprId },
    Assume { condition: ExprId, branch: Option<BranchDoc> },
    Havoc(HavocDoc),
    Call { to: Option<VarRef>, callee: CalleeDoc, arguments: &'a [ExprId] },
    Return { value: Option<ExprId> },
    Check { condition: ExprId, check: CheckId },
}

#[derive(Serialize)]
struct BranchDoc {
    kind: &'static str,
    taken: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum HavocDoc {
    Var { to: VarRef, input: InputId },
    Region { address: ExprId, size: ExprId, input: InputId },
    Objects { address: ExprId, extent: &'static str, input: InputId },
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum CalleeDoc {
    Function(FuncId),
    Address(ExprId),
    Intrinsic(&'static str),
}

fn edge<'a>(program: &Program, printer: &Printer<'_>, edge: &'a Edge) -> EdgeDoc<'a> {
    use crate::program::Place::{Mem, Var};
    let op = match &edge.op {
        Op::Assign { to: Var(var), value } => OpDoc::Assign { to: *var, value: *value },
        Op::Assign { to: Mem(address), value } => OpDoc::Store { address: *address, value: *value },
        Op::Assume { cond, branch } => {
            let branch = branch.map(|b| BranchDoc { kind: print::branch_kind_name(b.kind), taken: b.taken });
            OpDoc::Assume { condition: *cond, branch }
        }
        Op::Havoc { to, input } => OpDoc::Havoc(match (*to, *input) {
            (HavocPlace::Var(to), input) => HavocDoc::Var { to, input },
            (HavocPlace::Region { addr: address, size }, input) => HavocDoc::Region { address, size, input },
            (HavocPlace::Objects { addr: address, extent }, input) => {
                HavocDoc::Objects { address, extent: print::extent_name(extent), input }
            }
        }),
        Op::Call { to, callee, args } => {
            let callee = match callee {
                Callee::Direct(id) => CalleeDoc::Function(*id),
                Callee::Indirect(address) => CalleeDoc::Address(*address),
                Callee::Intrinsic(intrinsic) => CalleeDoc::Intrinsic(print::intrinsic_name(*intrinsic)),
            };
            OpDoc::Call { to: *to, callee, arguments: args }
        }
        Op::Return(value) => OpDoc::Return { value: *value },
        Op::Check { cond, check } => OpDoc::Check { condition: *cond, check: *check },
    };
    EdgeDoc { from: edge.from, to: edge.to, op, text: printer.op(&edge.op), place: program.sources.place(edge.span) }
}

#[derive(Serialize)]
struct ExprDoc {
    op: &'static str,
    #[serde(flatten)]
    with: Option<WithDoc>,
    #[serde(rename = "type")]
    ty: TyText,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operands: Vec<ExprId>,
}

/// What an operator has besides operands.
#[derive(Serialize)]
#[serde(untagged)]
enum WithDoc {
    Const { value: BitsText },
    Var { var: VarRef },
    Object(ObjRef),
    Function { function: FuncId },
    Sign { sign: Sign },
    CastInt { from: Sign, to: Sign, implicit: bool },
    Extract { lo: u8 },
    Access { write: bool },
    Callable { like: FuncId },
}

fn expr(expr: Expr) -> ExprDoc {
    let (op, with) = match expr.kind {
        ExprKind::Const(value) => ("const", Some(WithDoc::Const { value: BitsText(value) })),
        ExprKind::Var(var) => ("var", Some(WithDoc::Var { var })),
        ExprKind::Addr(object) => ("addr", Some(WithDoc::Object(object))),
        ExprKind::FuncAddr(function) => ("addr", Some(WithDoc::Function { function })),
        ExprKind::Load(_) => ("load", None),
        ExprKind::Unary(op, sign, _) => (print::unary_name(op), Some(WithDoc::Sign { sign })),
        ExprKind::Binary(op, sign, ..) => (print::binary_name(op), Some(WithDoc::Sign { sign })),
        ExprKind::Cast(op, _) => match op {
            CastOp::Int { from, to, implicit } => ("cast-int", Some(WithDoc::CastInt { from, to, implicit })),
            CastOp::IntToFloat(sign) => ("int-to-float", Some(WithDoc::Sign { sign })),
            CastOp::FloatToInt(sign) => ("float-to-int", Some(WithDoc::Sign { sign })),
            CastOp::FloatToFloat => ("float-to-float", None),
            CastOp::PtrToInt => ("ptr-to-int", None),
            CastOp::IntToPtr => ("int-to-ptr", None),
            CastOp::Reinterpret => ("reinterpret", None),
        },
        ExprKind::Ite(..) => ("ite", None),
        ExprKind::And(..) => ("logical-and", None),
        ExprKind::Or(..) => ("logical-or", None),
        ExprKind::PtrAdd(..) => ("ptr-add", None),
        ExprKind::PtrDiff(..) => ("ptr-diff", None),
        ExprKind::Extract { lo, .. } => ("extract", Some(WithDoc::Extract { lo })),
        ExprKind::Insert { lo, .. } => ("insert", Some(WithDoc::Extract { lo })),
        ExprKind::Fma(..) => ("fma", None),
        ExprKind::InBounds { write, .. } => ("in-bounds", Some(WithDoc::Access { write })),
        ExprKind::Callable { like, .. } => ("callable", Some(WithDoc::Callable { like })),
        ExprKind::Freeable(_) => ("freeable", None),
        ExprKind::IsLive(_) => ("is-live", None),
        ExprKind::SameObject(..) => ("same-object", None),
        ExprKind::ObjectOffset(_) => ("object-offset", None),
        ExprKind::BytesLeft(_) => ("bytes-left", None),
        ExprKind::NoLeak(LeakRoots::Possible) => ("no-leak", None),
        ExprKind::NoLeak(LeakRoots::Certain) => ("all-tracked", None),
        ExprKind::HeapEmpty => ("heap-empty", None),
    };
    ExprDoc { op, with, ty: TyText(expr.ty), operands: expr.kind.operands().collect() }
}
