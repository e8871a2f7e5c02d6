//! The typing rules of expressions.

use crate::expr::{BinOp, CastOp, Expr, ExprId, ExprKind, UnOp};
use crate::program::{Function, Program, VarRef};
use crate::ty::Ty;

/// Reports every expression of the function whose type or operand types break the rules of [`crate::expr`].
///
/// All ids must be in range.
pub fn expressions(program: &Program, function: &Function, errors: &mut Vec<String>) {
    for i in 0..function.exprs.len() as u32 {
        let expr = function.exprs.get(ExprId(i));
        if let Some(problem) = problem(program, function, expr) {
            errors.push(format!("expression {i}, {:?} of type {}: {problem}", expr.kind, expr.ty));
        }
    }
}

/// What is wrong with the types of an expression, if its operands are right.
fn problem(program: &Program, function: &Function, expr: Expr) -> Option<&'static str> {
    let target = &program.target;
    let ty = |id: ExprId| function.exprs.ty(id);
    let size = Ty::Int(target.pointer_bits() as u8);
    let is_int = |t: Ty| matches!(t, Ty::Int(_));
    if matches!(expr.ty, Ty::Int(0) | Ty::Int(129..)) {
        return Some("no such width");
    }
    let require = |fine: bool, what: &'static str| (!fine).then_some(what);
    let is_bool = expr.ty == Ty::BOOL;
    match expr.kind {
        ExprKind::Const(bits) => require(bits.u128() & !expr.ty.mask(target) == 0, "has bits above its type"),
        ExprKind::Var(var) => {
            let declared = match var {
                VarRef::Global(v) => program.var(v).ty,
                VarRef::Local(v) => function.var(v).ty,
            };
            require(declared == expr.ty, "is not the register's type")
        }
        ExprKind::Addr(_) | ExprKind::FuncAddr(_) => require(expr.ty == Ty::Ptr, "an address is a pointer"),
        ExprKind::Load(addr) => require(ty(addr) == Ty::Ptr, "loads from what is not an address"),
        ExprKind::Unary(op, _, a) => unary(op, ty(a), expr.ty),
        ExprKind::Binary(op, _, a, b) => binary(op, ty(a), ty(b), expr.ty),
        ExprKind::Cast(op, a) => {
            let same_bits = ty(a).bits(target) == expr.ty.bits(target);
            cast(op, ty(a), expr.ty, same_bits)
        }
        ExprKind::Ite(c, a, b) => {
            require(ty(c) == Ty::BOOL && ty(a) == expr.ty && ty(b) == expr.ty, "arms or condition differ in type")
        }
        ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            require(is_bool && ty(a) == Ty::BOOL && ty(b) == Ty::BOOL, "connects what are not truth values")
        }
        ExprKind::PtrAdd(a, b) => {
            require(expr.ty == Ty::Ptr && ty(a) == Ty::Ptr && ty(b) == size, "adds other than an offset to a pointer")
        }
        ExprKind::PtrDiff(a, b) => {
            require(expr.ty == size && ty(a) == Ty::Ptr && ty(b) == Ty::Ptr, "subtracts other than pointers")
        }
        ExprKind::Extract { value, lo } => require(
            is_int(ty(value)) && is_int(expr.ty) && lo as u32 + expr.ty.bits(target) <= ty(value).bits(target),
            "extracts bits that are not there",
        ),
        ExprKind::Insert { base, value, lo } => require(
            ty(base) == expr.ty
                && is_int(expr.ty)
                && is_int(ty(value))
                && lo as u32 + ty(value).bits(target) <= expr.ty.bits(target),
            "inserts bits where none are",
        ),
        ExprKind::Fma(a, b, c) => {
            require(expr.ty.is_float() && [a, b, c].iter().all(|&x| ty(x) == expr.ty), "is not on floats of one format")
        }
        ExprKind::InBounds { base, addr, size: n, .. } => require(
            is_bool && ty(base) == Ty::Ptr && ty(addr) == Ty::Ptr && ty(n) == size,
            "asks about other than pointers",
        ),
        ExprKind::Freeable(a) | ExprKind::IsLive(a) | ExprKind::Callable { pointer: a, .. } => {
            require(is_bool && ty(a) == Ty::Ptr, "asks about other than a pointer")
        }
        ExprKind::SameObject(a, b) => {
            require(is_bool && ty(a) == Ty::Ptr && ty(b) == Ty::Ptr, "asks about other than pointers")
        }
        ExprKind::BytesLeft(a) | ExprKind::ObjectOffset(a) => {
            require(expr.ty == size && ty(a) == Ty::Ptr, "asks about other than a pointer")
        }
        ExprKind::NoLeak(_) | ExprKind::HeapEmpty => require(is_bool, "is a truth value"),
    }
}

fn unary(op: UnOp, a: Ty, result: Ty) -> Option<&'static str> {
    let is_int = matches!(a, Ty::Int(_));
    let fine = match op {
        UnOp::Neg => a != Ty::Ptr && result == a,
        UnOp::Not | UnOp::Clz | UnOp::Ctz | UnOp::Popcount => is_int && result == a,
        UnOp::Bswap => matches!(a, Ty::Int(bits) if bits % 8 == 0) && result == a,
        UnOp::Abs | UnOp::Sqrt | UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round | UnOp::Rint => {
            a.is_float() && result == a
        }
        UnOp::IsNan | UnOp::IsInf | UnOp::IsNormal | UnOp::IsNegative => a.is_float() && result == Ty::BOOL,
    };
    (!fine).then_some("the operator does not take or give these types")
}

fn binary(op: BinOp, a: Ty, b: Ty, result: Ty) -> Option<&'static str> {
    if a != b {
        return Some("the operands differ in type");
    }
    let is_int = matches!(a, Ty::Int(_));
    let fine = match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => a != Ty::Ptr && result == a,
        BinOp::IeeeRem | BinOp::Min | BinOp::Max | BinOp::Copysign => a.is_float() && result == a,
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => is_int && result == a,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le => result == Ty::BOOL,
    };
    (!fine).then_some("the operator does not take or give these types")
}

fn cast(op: CastOp, from: Ty, to: Ty, same_bits: bool) -> Option<&'static str> {
    let is_int = |t: Ty| matches!(t, Ty::Int(_));
    let fine = match op {
        CastOp::Int { .. } => is_int(from) && is_int(to),
        CastOp::IntToFloat(_) => is_int(from) && to.is_float(),
        CastOp::FloatToInt(_) => from.is_float() && is_int(to),
        CastOp::FloatToFloat => from.is_float() && to.is_float(),
        CastOp::PtrToInt => from == Ty::Ptr && is_int(to),
        CastOp::IntToPtr => is_int(from) && to == Ty::Ptr,
        CastOp::Reinterpret => same_bits,
    };
    (!fine).then_some("the conversion does not take or give these types")
}
