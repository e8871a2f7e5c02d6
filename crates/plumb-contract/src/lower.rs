//! Formulas as expressions of automata.
//!
//! A term becomes one expression, which shares what the term shares and on which no run can fault ([`plumb_ir::total`]).
//! It computes what the term means, bit by bit, but for the patterns of NaNs that operations give: there the term has one NaN
//! and the expression any. Arrays and numbers of more than 128 bits have no counterpart.

use plumb_ir::expr::{BinOp, CastOp, ExprId, ExprKind, Sign, UnOp};
use plumb_ir::make::Make;
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use plumb_term::{BinaryOp, Format, Kind, Sort, TermId, Terms, UnaryOp, cone};
use rustc_hash::FxHashMap;

/// Expressions are walked recursively, so that deeper terms are refused; and so are larger ones, which no contract needs.
const DEEPEST: u32 = 1_000;
const MOST_TERMS: usize = 100_000;

/// The expressions that terms of one arena have in one function.
#[derive(Default)]
pub struct Lowering {
    known: FxHashMap<TermId, ExprId>,
    /// Of terms that are no leaves.
    depth: FxHashMap<TermId, u32>,
}

impl Lowering {
    /// The term has this expression: a symbol's value.
    pub fn set(&mut self, term: TermId, expr: ExprId) {
        self.known.insert(term, expr);
    }

    /// The expression of a term, or what has none.
    pub fn lower(&mut self, terms: &Terms, root: TermId, make: &mut Make<'_>) -> Result<ExprId, String> {
        let mut needed = cone(terms, &[root]);
        needed.sort();
        for term in needed {
            if !self.known.contains_key(&term) {
                let operands = terms.kind(term).operands();
                let below = operands.map(|operand| self.depth.get(&operand).copied().unwrap_or(0)).max();
                let depth = below.map_or(0, |below| below + 1);
                if depth > DEEPEST || self.depth.len() > MOST_TERMS {
                    return Err("a formula of a contract is too large".to_string());
                }
                self.depth.insert(term, depth);
                let expr = self.one(terms, term, make)?;
                self.known.insert(term, expr);
            }
        }
        Ok(self.known[&root])
    }

    /// The expression of a term whose operands have theirs.
    fn one(&self, terms: &Terms, term: TermId, make: &mut Make<'_>) -> Result<ExprId, String> {
        let ty = type_of(terms.sort(term))?;
        let of = |term: TermId| self.known[&term];
        Ok(match terms.kind(term) {
            Kind::Const => {
                let bits =
                    terms.const_bits(term).and_then(|bits| bits.to_u128()).ok_or("a constant of a strange sort")?;
                make.constant(Bits::new(bits, ty.bits(make.target)), ty)
            }
            Kind::Symbol(symbol) => return Err(format!("nothing is `{}`", terms.symbol_name(symbol))),
            Kind::Unary(op, a) => unary(op, of(a), ty, make)?,
            Kind::Binary(op, a, b) => binary(op, of(a), of(b), make)?,
            Kind::Ite(cond, a, b) => make.ite(of(cond), of(a), of(b)),
            Kind::Fma(a, b, c) => make.exprs.push(ExprKind::Fma(of(a), of(b), of(c)), ty),
            Kind::Extract { value, hi, lo } => make.extract(of(value), lo, hi - lo + 1),
            Kind::Store(..) => return Err("arrays have no counterpart among expressions".to_string()),
        })
    }
}

/// The type of expressions for terms of a sort, if there is one.
pub fn type_of(sort: Sort) -> Result<Ty, String> {
    match sort {
        Sort::Bool => Ok(Ty::BOOL),
        Sort::Bv(width @ 1..=128) => Ok(Ty::Int(width as u8)),
        Sort::Float(Format::F32) => Ok(Ty::Float(FloatFormat::F32)),
        Sort::Float(Format::F64) => Ok(Ty::Float(FloatFormat::F64)),
        Sort::Float(Format::X87) => Ok(Ty::Float(FloatFormat::X87)),
        Sort::Bv(_) | Sort::Float(_) | Sort::Array { .. } => {
            Err(format!("terms of sort {sort} have no counterpart among expressions"))
        }
    }
}

fn unary(op: UnaryOp, a: ExprId, ty: Ty, make: &mut Make<'_>) -> Result<ExprId, String> {
    let width = ty.bits(make.target);
    Ok(match op {
        UnaryOp::Not => make.not(a),
        UnaryOp::BvNot => make.bits_not(a),
        UnaryOp::BvNeg | UnaryOp::FloatNeg => make.unary(UnOp::Neg, a),
        UnaryOp::ZeroExtend => make.resize(a, Sign::Unsigned, width),
        UnaryOp::SignExtend => make.resize(a, Sign::Signed, width),
        UnaryOp::FloatToBits | UnaryOp::FloatFromBits => cast(CastOp::Reinterpret, a, ty, make),
        UnaryOp::FloatAbs => make.unary(UnOp::Abs, a),
        UnaryOp::FloatSqrt => make.unary(UnOp::Sqrt, a),
        UnaryOp::FloatFloor => make.unary(UnOp::Floor, a),
        UnaryOp::FloatCeil => make.unary(UnOp::Ceil, a),
        UnaryOp::FloatTrunc => make.unary(UnOp::Trunc, a),
        UnaryOp::FloatRound => make.unary(UnOp::Round, a),
        UnaryOp::FloatRint => make.unary(UnOp::Rint, a),
        UnaryOp::FloatIsNan => make.unary(UnOp::IsNan, a),
        UnaryOp::FloatIsInf => make.unary(UnOp::IsInf, a),
        UnaryOp::FloatIsNormal => make.unary(UnOp::IsNormal, a),
        UnaryOp::FloatIsNegative => make.unary(UnOp::IsNegative, a),
        UnaryOp::FloatIsZero => {
            let zero = make.constant(Bits::ZERO, make.exprs.ty(a));
            make.eq(a, zero)
        }
        UnaryOp::FloatToFloat => cast(CastOp::FloatToFloat, a, ty, make),
        UnaryOp::SignedToFloat => cast(CastOp::IntToFloat(Sign::Signed), a, ty, make),
        UnaryOp::UnsignedToFloat => cast(CastOp::IntToFloat(Sign::Unsigned), a, ty, make),
        // Narrower conversions go through these in C.
        UnaryOp::FloatToSigned if width == 32 || width == 64 => cast(CastOp::FloatToInt(Sign::Signed), a, ty, make),
        UnaryOp::FloatToSigned | UnaryOp::ConstArray => {
            return Err(format!("the operator {op:?} has no counterpart among expressions"));
        }
    })
}

fn binary(op: BinaryOp, a: ExprId, b: ExprId, make: &mut Make<'_>) -> Result<ExprId, String> {
    let plain = |make: &mut Make<'_>, op: BinOp| make.binary(op, Sign::Plain, a, b);
    Ok(match op {
        BinaryOp::And => make.and(a, b),
        BinaryOp::Or => make.or(a, b),
        BinaryOp::Eq => {
            let (a, b) = (pattern(a, make), pattern(b, make));
            make.eq(a, b)
        }
        BinaryOp::BvAnd => plain(make, BinOp::And),
        BinaryOp::BvOr => plain(make, BinOp::Or),
        BinaryOp::BvXor => plain(make, BinOp::Xor),
        BinaryOp::BvAdd | BinaryOp::FloatAdd => plain(make, BinOp::Add),
        BinaryOp::BvSub => plain(make, BinOp::Sub),
        BinaryOp::BvMul | BinaryOp::FloatMul => plain(make, BinOp::Mul),
        BinaryOp::BvUdiv => make.unsigned_quotient(a, b),
        BinaryOp::BvUrem => make.unsigned_remainder(a, b),
        BinaryOp::BvSdiv => make.signed_quotient(a, b),
        BinaryOp::BvSrem => make.signed_remainder(a, b),
        BinaryOp::BvShl => plain(make, BinOp::Shl),
        BinaryOp::BvLshr => plain(make, BinOp::Shr),
        BinaryOp::BvAshr => make.arithmetic_shift(a, b),
        BinaryOp::BvUlt => make.binary(BinOp::Lt, Sign::Unsigned, a, b),
        BinaryOp::BvSlt => make.binary(BinOp::Lt, Sign::Signed, a, b),
        BinaryOp::Concat => make.concat(a, b),
        BinaryOp::FloatDiv => plain(make, BinOp::Div),
        BinaryOp::FloatRem => plain(make, BinOp::Rem),
        BinaryOp::FloatIeeeRem => plain(make, BinOp::IeeeRem),
        BinaryOp::FloatMin => plain(make, BinOp::Min),
        BinaryOp::FloatMax => plain(make, BinOp::Max),
        BinaryOp::FloatEq => make.eq(a, b),
        BinaryOp::FloatLt => plain(make, BinOp::Lt),
        BinaryOp::FloatLe => plain(make, BinOp::Le),
        BinaryOp::Select => return Err("arrays have no counterpart among expressions".to_string()),
    })
}

/// The bits of a float; others are their own.
fn pattern(a: ExprId, make: &mut Make<'_>) -> ExprId {
    let ty = make.exprs.ty(a);
    match ty.is_float() {
        true => cast(CastOp::Reinterpret, a, Ty::Int(ty.bits(make.target) as u8), make),
        false => a,
    }
}

fn cast(op: CastOp, a: ExprId, to: Ty, make: &mut Make<'_>) -> ExprId {
    make.exprs.push(ExprKind::Cast(op, a), to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_ir::expr::Exprs;

    fn lowered(terms: &Terms, root: TermId) -> Result<usize, String> {
        let mut exprs = Exprs::default();
        let target = plumb_c::target::Target::LP64;
        let mut lowering = Lowering::default();
        for symbol in plumb_term::free_symbols(terms, &[root]) {
            let value = exprs.push(ExprKind::Const(Bits::ONE), Ty::Int(32));
            lowering.set(terms.symbol_term(symbol), value);
        }
        lowering.lower(terms, root, &mut Make { exprs: &mut exprs, target: &target })?;
        Ok(exprs.len())
    }

    #[test]
    fn what_terms_share_expressions_share() {
        let mut terms = Terms::new();
        let mut sum = terms.symbol("x", Sort::Bv(32));
        for _ in 0..100 {
            let twice = terms.bv_mul(sum, sum);
            sum = terms.bv_xor(twice, sum);
        }
        assert!(lowered(&terms, sum).unwrap() < 300);
    }

    #[test]
    fn what_has_no_counterpart_is_refused() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bv(32));
        let mut deep = x;
        for _ in 0..2_000 {
            let twice = terms.bv_mul(deep, deep);
            deep = terms.bv_xor(twice, x);
        }
        assert!(lowered(&terms, deep).unwrap_err().contains("too large"));
        let wide = terms.zero_extend(x, 200);
        let zero = terms.bv(200, 7);
        let sum = terms.bv_add(wide, zero);
        assert!(lowered(&terms, sum).unwrap_err().contains("bv200"));
        let array = terms.symbol("a", Sort::Array { index: 32, element: 8 });
        let element = terms.select(array, x);
        assert!(lowered(&terms, element).is_err());
    }
}
