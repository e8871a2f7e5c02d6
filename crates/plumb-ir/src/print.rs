//! Programs as text, one line per edge: `L3 -> L4: x := y + 1   // motor.c:12`.
//!
//! Expressions are written infix and C-like, with what C leaves to types written out where it matters: an operator on
//! unsigned values ends in `u` (`/u`, `<u`, `>>u`), conversions name the result and how it is filled (`(s64)` by sign,
//! `(u64)` by zeros, `(i8)` by cutting), memory accesses name their type (`*(i32*)p`).

use crate::expr::{BinOp, CastOp, ExprId, ExprKind, LeakRoots, Sign, UnOp};
use crate::fold;
use crate::index::TiVec;
use crate::input::InputOrigin;
use crate::program::LocalObj;
use crate::program::{
    Branch, BranchKind, Callee, DatumValue, Edge, Extent, Function, GlobalObjInfo, HavocPlace, Intrinsic, LocalVar,
    ObjRef, Op, Place, Program, ScalarInit, VarRef,
};
use crate::ty::{Bits, FloatFormat, Ty};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The whole program.
pub fn program(program: &Program) -> String {
    let mut out = String::new();
    for var in program.vars.iter() {
        let init = match var.init {
            ScalarInit::Const(bits) => constant(bits, var.ty, Sign::Signed, program),
            ScalarInit::Object(object, offset) => object_address(&program.object(object).name, offset),
            ScalarInit::Function(id) => format!("&{}", program.function(id).name),
        };
        let _ = writeln!(out, "global {} {} = {init}", var.ty, var.name);
    }
    for object in program.objects.iter() {
        let _ = writeln!(out, "{}", global_object(program, object));
    }
    for id in program.function_ids() {
        out.push('\n');
        out.push_str(&function(program, program.function(id)));
    }
    for assumption in program.assumptions.iter() {
        let _ = writeln!(out, "\nassumes {:?} {}", assumption.kind, assumption.name);
    }
    out
}

fn global_object(program: &Program, object: &GlobalObjInfo) -> String {
    let mut out = format!("object {}: {} bytes", object.name, object.size);
    if object.read_only {
        out.push_str(", read-only");
    }
    if object.is_volatile {
        out.push_str(", volatile");
    }
    for datum in object.init.iter().take(16) {
        let value = match &datum.value {
            DatumValue::Bytes(bytes) => data_bytes(bytes),
            DatumValue::Object(id, offset) => object_address(&program.object(*id).name, *offset),
            DatumValue::Function(id) => format!("&{}", program.function(*id).name),
        };
        let _ = write!(out, ", [{}] = {value}", datum.offset);
    }
    if object.init.len() > 16 {
        let _ = write!(out, ", and {} more", object.init.len() - 16);
    }
    out
}

fn data_bytes(bytes: &[u8]) -> String {
    let text = |b: &u8| (0x20..0x7f).contains(b) || matches!(b, b'\n' | b'\t' | 0);
    if bytes.len() > 1 && bytes.iter().all(text) && bytes.iter().any(|&b| b != 0) {
        let shown: String = bytes.iter().take(60).flat_map(|b| b.escape_ascii()).map(char::from).collect();
        return format!("\"{shown}{}\"", if bytes.len() > 60 { "..." } else { "" });
    }
    let shown: String = bytes.iter().take(32).map(|b| format!("{b:02x}")).collect();
    format!("{shown}{}", if bytes.len() > 32 { "..." } else { "" })
}

fn object_address(name: &str, offset: i64) -> String {
    if offset == 0 { format!("&{name}") } else { format!("&{name} + {offset}") }
}

/// One function, its registers and objects first.
pub fn function(program: &Program, function: &Function) -> String {
    let names = LocalNames::new(function);
    let printer = Printer { program, function, names: &names };
    let mut out = String::new();
    let (params, others): (Vec<LocalVar>, Vec<LocalVar>) =
        function.vars.keys().partition(|v| v.0 < function.param_count);
    let params: Vec<String> = params.iter().map(|&v| format!("{} {}", function.var(v).ty, names.var(v))).collect();
    let ret = function.ret.map_or("void".to_string(), |ty| ty.to_string());
    let _ = writeln!(out, "{ret} {}({}) {{{}", function.name, params.join(", "), function_notes(function));
    for var in others {
        let _ = writeln!(out, "  {} {}", function.var(var).ty, names.var(var));
    }
    for (id, object) in function.objects.iter_enumerated() {
        let _ = writeln!(out, "  object {}: {} bytes", names.objects[id], object.size);
    }
    let _ = writeln!(out, "  entry L{}, exit L{}", function.entry.0, function.exit.0);
    for (label, loc) in &function.labels {
        let _ = writeln!(out, "  label {label} at L{}", loc.0);
    }
    for edge in &function.edges {
        let _ = writeln!(out, "  {}", printer.edge(edge));
    }
    out.push_str("}\n");
    out
}

fn function_notes(function: &Function) -> &'static str {
    match (function.has_body, function.is_library) {
        (false, _) => "   // declared only",
        (true, true) => "   // library model",
        (true, false) => "",
    }
}

/// Names of a function's registers and objects, made different where the user's repeat.
pub struct LocalNames {
    vars: TiVec<LocalVar, String>,
    objects: TiVec<LocalObj, String>,
}

impl LocalNames {
    pub fn new(function: &Function) -> LocalNames {
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        let mut unique = |name| {
            let count = counts.entry(name).or_insert(0);
            *count += 1;
            if *count == 1 { name.to_string() } else { format!("{name}#{count}") }
        };
        let vars = function.vars.iter().map(|v| unique(&v.name)).collect();
        let objects = function.objects.iter().map(|o| unique(&o.name)).collect();
        LocalNames { vars, objects }
    }

    pub fn var(&self, var: LocalVar) -> &str {
        &self.vars[var]
    }
}

/// Writes edges and expressions of one function.
pub struct Printer<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub names: &'a LocalNames,
}

impl Printer<'_> {
    /// `L3 -> L4: x := y + 1   // motor.c:12`
    pub fn edge(&self, edge: &Edge) -> String {
        let line = format!("L{} -> L{}: {}", edge.from.0, edge.to.0, self.op(&edge.op));
        match self.program.sources.place(edge.span) {
            Some(place) => format!("{line}   // {}:{}", place.file, place.line),
            None => line,
        }
    }

    pub fn op(&self, op: &Op) -> String {
        match op {
            Op::Assign { to: Place::Var(var), value } => format!("{} := {}", self.var(*var), self.expr(*value)),
            Op::Assign { to: Place::Mem(addr), value } => {
                let place = self.access(*addr, self.function.exprs.ty(*value));
                format!("{place} := {}", self.expr(*value))
            }
            Op::Assume { cond, branch } => match branch {
                Some(branch) => format!("{} {}", branch_name(*branch), self.expr(*cond)),
                None => format!("assume {}", self.expr(*cond)),
            },
            Op::Havoc { to, input } => {
                let origin = origin(&self.program.input(*input).origin);
                match to {
                    HavocPlace::Var(var) => format!("{} := input {} ({origin})", self.var(*var), input.0),
                    HavocPlace::Region { addr, size } => format!(
                        "{} bytes at {} := input {} ({origin})",
                        self.operand(*size),
                        self.operand(*addr),
                        input.0
                    ),
                    HavocPlace::Objects { addr, extent } => {
                        format!("{} {} := input {} ({origin})", extent_name(*extent), self.operand(*addr), input.0)
                    }
                }
            }
            Op::Call { to, callee, args } => {
                let result = to.map_or(String::new(), |var| format!("{} := ", self.var(var)));
                let callee = match callee {
                    Callee::Direct(id) => self.program.function(*id).name.to_string(),
                    Callee::Indirect(addr) => format!("(*{})", self.operand(*addr)),
                    Callee::Intrinsic(intrinsic) => intrinsic_name(*intrinsic).to_string(),
                };
                let args: Vec<String> = args.iter().map(|&a| self.expr(a)).collect();
                format!("{result}{callee}({})", args.join(", "))
            }
            Op::Return(None) => "return".to_string(),
            Op::Return(Some(value)) => format!("return {}", self.expr(*value)),
            Op::Check { cond, check } => {
                let info = self.program.check(*check);
                format!("check {} ({}: {})", self.expr(*cond), info.kind.name(), info.message)
            }
        }
    }

    fn var(&self, var: VarRef) -> &str {
        match var {
            VarRef::Global(v) => &self.program.var(v).name,
            VarRef::Local(v) => self.names.var(v),
        }
    }

    pub fn expr(&self, id: ExprId) -> String {
        self.expr_as(id, Sign::Signed)
    }

    /// The expression as an operand: in parentheses unless it is a single word or call.
    fn operand(&self, id: ExprId) -> String {
        self.operand_as(id, Sign::Signed)
    }

    fn operand_as(&self, id: ExprId, sign: Sign) -> String {
        let text = self.expr_as(id, sign);
        let compound = matches!(
            self.function.exprs.kind(id),
            ExprKind::Binary(..)
                | ExprKind::Ite(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::PtrAdd(..)
                | ExprKind::PtrDiff(..)
        );
        let is_call =
            matches!(self.function.exprs.kind(id), ExprKind::Binary(op, ..) if infix(op, Sign::Plain).is_none());
        if compound && !is_call { format!("({text})") } else { text }
    }

    fn access(&self, addr: ExprId, ty: Ty) -> String {
        format!("*({ty}*){}", self.operand(addr))
    }

    fn expr_as(&self, id: ExprId, sign: Sign) -> String {
        let exprs = &self.function.exprs;
        let ty = exprs.ty(id);
        match exprs.kind(id) {
            ExprKind::Const(bits) => constant(bits, ty, sign, self.program),
            ExprKind::Var(var) => self.var(var).to_string(),
            ExprKind::Addr(ObjRef::Global(object)) => format!("&{}", self.program.object(object).name),
            ExprKind::Addr(ObjRef::Local(object)) => format!("&{}", self.names.objects[object]),
            ExprKind::FuncAddr(id) => format!("&{}", self.program.function(id).name),
            ExprKind::Load(addr) => self.access(addr, ty),
            ExprKind::Unary(op, _, a) => match op {
                UnOp::Neg => format!("-{}", self.operand(a)),
                UnOp::Not if ty == Ty::BOOL => format!("!{}", self.operand(a)),
                UnOp::Not => format!("~{}", self.operand(a)),
                _ => format!("{}({})", unary_name(op), self.expr(a)),
            },
            ExprKind::Binary(op, sign, a, b) => {
                let (left, right) = (self.operand_as(a, sign), self.operand_as(b, sign));
                match infix(op, sign) {
                    Some(symbol) => format!("{left} {symbol} {right}"),
                    None => format!("{}({}, {})", binary_name(op), self.expr(a), self.expr(b)),
                }
            }
            ExprKind::Cast(op, a) => {
                let from_bits = exprs.ty(a).bits(&self.program.target);
                let to_bits = ty.bits(&self.program.target);
                let prefix = match op {
                    CastOp::Int { .. } if to_bits <= from_bits => format!("({ty})"),
                    CastOp::Int { from: Sign::Signed, .. } => format!("(s{to_bits})"),
                    CastOp::Int { from: Sign::Unsigned | Sign::Plain, .. } => format!("(u{to_bits})"),
                    CastOp::IntToFloat(Sign::Signed) => format!("({ty})"),
                    CastOp::IntToFloat(Sign::Unsigned | Sign::Plain) => format!("({ty})(unsigned)"),
                    CastOp::FloatToInt(Sign::Signed) => format!("(s{to_bits})"),
                    CastOp::FloatToInt(Sign::Unsigned | Sign::Plain) => format!("(u{to_bits})"),
                    CastOp::FloatToFloat | CastOp::PtrToInt | CastOp::IntToPtr => format!("({ty})"),
                    CastOp::Reinterpret => format!("(bits {ty})"),
                };
                format!("{prefix}{}", self.operand(a))
            }
            ExprKind::Ite(c, a, b) => format!("{} ? {} : {}", self.operand(c), self.operand(a), self.operand(b)),
            ExprKind::And(a, b) => format!("{} && {}", self.operand(a), self.operand(b)),
            ExprKind::Or(a, b) => format!("{} || {}", self.operand(a), self.operand(b)),
            ExprKind::PtrAdd(a, b) => format!("{} + {}", self.operand(a), self.operand(b)),
            ExprKind::PtrDiff(a, b) => format!("{} - {}", self.operand(a), self.operand(b)),
            ExprKind::Extract { value, lo } => {
                format!("{}[{lo}..{}]", self.operand(value), lo as u32 + ty.bits(&self.program.target))
            }
            ExprKind::Insert { base, value, lo } => {
                let end = lo as u32 + exprs.ty(value).bits(&self.program.target);
                format!("{}[{lo}..{end} = {}]", self.operand(base), self.expr(value))
            }
            ExprKind::Fma(a, b, c) => format!("fma({}, {}, {})", self.expr(a), self.expr(b), self.expr(c)),
            ExprKind::InBounds { base, addr, size, write } => {
                let name = if write { "writable" } else { "in_bounds" };
                format!("{name}({}, {}, {})", self.expr(base), self.expr(addr), self.expr(size))
            }
            ExprKind::Callable { pointer, like } => {
                format!("callable({}, {})", self.expr(pointer), self.program.function(like).name)
            }
            ExprKind::Freeable(a) => format!("freeable({})", self.expr(a)),
            ExprKind::IsLive(a) => format!("is_live({})", self.expr(a)),
            ExprKind::SameObject(a, b) => format!("same_object({}, {})", self.expr(a), self.expr(b)),
            ExprKind::ObjectOffset(a) => format!("object_offset({})", self.expr(a)),
            ExprKind::BytesLeft(a) => format!("bytes_left({})", self.expr(a)),
            ExprKind::NoLeak(LeakRoots::Possible) => "no_leak()".to_string(),
            ExprKind::NoLeak(LeakRoots::Certain) => "all_tracked()".to_string(),
            ExprKind::HeapEmpty => "heap_empty()".to_string(),
        }
    }
}

fn constant(bits: Bits, ty: Ty, sign: Sign, program: &Program) -> String {
    let target = &program.target;
    match ty {
        Ty::Int(1) => if bits.is_zero() { "false" } else { "true" }.to_string(),
        Ty::Int(width) if sign == Sign::Signed => bits.signed(width as u32).to_string(),
        Ty::Int(_) => bits.u128().to_string(),
        Ty::Ptr if bits.is_zero() => "null".to_string(),
        Ty::Ptr => format!("(ptr){:#x}", bits.u128()),
        Ty::Float(format) => {
            let double = fold::cast(CastOp::FloatToFloat, ty, Ty::Float(FloatFormat::F64), bits, target);
            let back = fold::cast(CastOp::FloatToFloat, Ty::Float(FloatFormat::F64), ty, double, target);
            let suffix = match format {
                FloatFormat::F32 => "f",
                FloatFormat::F64 => "",
                FloatFormat::X87 => "L",
            };
            if back == bits {
                format!("{:?}{suffix}", f64::from_bits(double.u64()))
            } else {
                format!("(bits {ty}){:#x}", bits.u128())
            }
        }
    }
}

fn infix(op: BinOp, sign: Sign) -> Option<&'static str> {
    let signed = sign == Sign::Signed;
    Some(match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => {
            if signed {
                "/"
            } else {
                "/u"
            }
        }
        BinOp::Rem => {
            if signed {
                "%"
            } else {
                "%u"
            }
        }
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => {
            if signed {
                ">>"
            } else {
                ">>u"
            }
        }
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => {
            if signed {
                "<"
            } else {
                "<u"
            }
        }
        BinOp::Le => {
            if signed {
                "<="
            } else {
                "<=u"
            }
        }
        BinOp::IeeeRem | BinOp::Min | BinOp::Max | BinOp::Copysign => return None,
    })
}

/// The operator's name where it is not written infix.
pub fn binary_name(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "add",
        BinOp::Sub => "sub",
        BinOp::Mul => "mul",
        BinOp::Div => "div",
        BinOp::Rem => "rem",
        BinOp::IeeeRem => "remainder",
        BinOp::And => "and",
        BinOp::Or => "or",
        BinOp::Xor => "xor",
        BinOp::Shl => "shl",
        BinOp::Shr => "shr",
        BinOp::Eq => "eq",
        BinOp::Ne => "ne",
        BinOp::Lt => "lt",
        BinOp::Le => "le",
        BinOp::Min => "min",
        BinOp::Max => "max",
        BinOp::Copysign => "copysign",
    }
}

pub fn extent_name(extent: Extent) -> &'static str {
    match extent {
        Extent::Object => "object at",
        Extent::Reached => "objects reached from",
        Extent::Behind => "objects behind",
    }
}

pub fn unary_name(op: UnOp) -> &'static str {
    match op {
        UnOp::Neg => "neg",
        UnOp::Not => "not",
        UnOp::Clz => "clz",
        UnOp::Ctz => "ctz",
        UnOp::Popcount => "popcount",
        UnOp::Bswap => "bswap",
        UnOp::Abs => "abs",
        UnOp::Sqrt => "sqrt",
        UnOp::Floor => "floor",
        UnOp::Ceil => "ceil",
        UnOp::Trunc => "trunc",
        UnOp::Round => "round",
        UnOp::Rint => "rint",
        UnOp::IsNan => "is_nan",
        UnOp::IsInf => "is_inf",
        UnOp::IsNormal => "is_normal",
        UnOp::IsNegative => "is_negative",
    }
}

pub fn intrinsic_name(intrinsic: Intrinsic) -> &'static str {
    match intrinsic {
        Intrinsic::HeapAlloc => "heap_alloc",
        Intrinsic::StackAlloc => "stack_alloc",
        Intrinsic::Free => "free_object",
        Intrinsic::StackFree => "stack_free",
        Intrinsic::MemCopy => "mem_copy",
        Intrinsic::MemSet => "mem_set",
        Intrinsic::Print => "print",
        Intrinsic::Exit => "exit_program",
        Intrinsic::Abort => "abort_program",
        Intrinsic::NewStack => "new_stack",
        Intrinsic::SwitchStack => "switch_stack",
        Intrinsic::EndStack => "end_stack",
        Intrinsic::CurrentStack => "current_stack",
    }
}

fn branch_name(branch: Branch) -> String {
    let kind = branch_kind_name(branch.kind);
    if branch.taken { kind.to_string() } else { format!("not-{kind}") }
}

pub fn branch_kind_name(kind: BranchKind) -> &'static str {
    match kind {
        BranchKind::If => "if",
        BranchKind::While => "while",
        BranchKind::DoWhile => "do-while",
        BranchKind::For => "for",
        BranchKind::Switch => "case",
        BranchKind::Conditional => "conditional",
        BranchKind::Logical => "logical",
        BranchKind::Goto => "goto",
    }
}

/// Where an input comes from, in a few words.
pub fn origin(origin: &InputOrigin) -> String {
    match origin {
        InputOrigin::Nondet(name) => name.to_string(),
        InputOrigin::External(name) => format!("external {name}"),
        InputOrigin::Library(name) => format!("library {name}"),
        InputOrigin::Uninitialised(name) => format!("uninitialised {name}"),
        InputOrigin::Padding(name) => format!("padding of {name}"),
        InputOrigin::FreshMemory => "fresh memory".to_string(),
        InputOrigin::ForeignMemory => "memory from outside".to_string(),
        InputOrigin::ExternalObject(name) => format!("external object {name}"),
        InputOrigin::Volatile(name) => format!("volatile {name}"),
        InputOrigin::Register(address) => format!("register {address:#x}"),
        InputOrigin::MainArgument => "program argument".to_string(),
        InputOrigin::EntryArgument(function, name) => format!("argument {name} of {function}"),
        InputOrigin::Assembly => "assembly".to_string(),
        InputOrigin::MissingArgument(name) => format!("missing argument of {name}"),
        InputOrigin::ExternalMemory(name) => format!("memory handed to {name}"),
        InputOrigin::MissingReturn(name) => format!("missing result of {name}"),
        InputOrigin::Summary(name) => format!("summary of {name}"),
        InputOrigin::UnitState(name) => format!("state of {name}"),
        InputOrigin::Schedule(name) => format!("schedule {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Loc;
    use crate::sample::{self, Body, I32};

    #[test]
    fn edges_read_like_c() {
        let mut b = Body::new("f", &[("x", I32), ("p", Ty::Ptr)], Some(I32));
        let (x, p) = (b.get(VarRef::Local(LocalVar(0))), b.get(VarRef::Local(LocalVar(1))));
        let minus_one = b.int(-1);
        let sum = b.binary(BinOp::Add, x, minus_one);
        let field = b.make().field(p, 8);
        let at = b.store(Loc(0), field, sum);
        let shifted = b.push(ExprKind::Binary(BinOp::Shr, Sign::Unsigned, sum, x), I32);
        b.ret(at, Some(shifted));
        let program = sample::program(vec![b.finish()]);
        let text = super::program(&program);
        assert!(text.contains("i32 f(i32 x, ptr p) {"), "{text}");
        assert!(text.contains("L0 -> L2: *(i32*)(p + 8) := x + -1\n"), "{text}");
        assert!(text.contains("L2 -> L1: return (x + -1) >>u x\n"), "{text}");
        assert!(crate::dot::function(&program, program.function(crate::program::FuncId(0))).contains("digraph \"f\""));
        let json = serde_json::to_value(crate::json::program(&program, program.function_ids())).unwrap();
        assert_eq!(json["functions"][0]["edges"][1]["text"], "return (x + -1) >>u x");
    }
}
