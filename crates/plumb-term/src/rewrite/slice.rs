//! Slices and concatenations: bytes that are taken apart and put together again become the value they came from.

use super::BinaryRule;
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::terms::{TermId, Terms};

type ExtractRule = fn(&mut Terms, TermId, u32, u32) -> Option<TermId>;

pub const EXTRACT: &[ExtractRule] = &[
    extract_extract,
    extract_concat,
    extract_zero_extend,
    extract_sign_extend,
    extract_not,
    extract_masked,
    extract_choice,
    extract_low_arithmetic,
];

pub const CONCAT: &[BinaryRule] = &[concat_zero, concat_zero_extended, concat_merged, concat_nested];

/// The parts above and below a seam, where they are there already.
pub fn split(terms: &mut Terms, a: TermId, seam: u32) -> Option<(TermId, TermId)> {
    let width = terms.width(a);
    if terms.is_const(a) {
        return Some((terms.extract(a, width - 1, seam), terms.extract(a, seam - 1, 0)));
    }
    if let Some((high, low)) = terms.as_binary(BinaryOp::Concat, a) {
        return (terms.width(low) == seam).then_some((high, low));
    }
    let x = terms.as_unary(UnaryOp::ZeroExtend, a)?;
    if terms.width(x) > seam {
        return None;
    }
    Some((terms.bv(width - seam, 0), terms.zero_extend(x, seam)))
}

/// A slice of a slice is a slice
fn extract_extract(terms: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let Kind::Extract { value, lo: below, .. } = terms.kind(a) else { return None };
    Some(terms.extract(value, hi + below, lo + below))
}

/// A slice of a concatenation: of one part, or of both
fn extract_concat(terms: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let (high, low) = terms.as_binary(BinaryOp::Concat, a)?;
    let seam = terms.width(low);
    if lo >= seam {
        return Some(terms.extract(high, hi - seam, lo - seam));
    }
    if hi < seam {
        return Some(terms.extract(low, hi, lo));
    }
    let (high, low) = (terms.extract(high, hi - seam, 0), terms.extract(low, seam - 1, lo));
    Some(terms.concat(high, low))
}

/// A slice of an extension: of the operand, zeros, or an extension of a slice
fn extract_zero_extend(terms: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::ZeroExtend, a)?;
    let inner = terms.width(x);
    if lo >= inner {
        return Some(terms.bv(hi - lo + 1, 0));
    }
    let slice = terms.extract(x, hi.min(inner - 1), lo);
    Some(terms.zero_extend(slice, hi - lo + 1))
}

fn extract_sign_extend(terms: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::SignExtend, a)?;
    let inner = terms.width(x);
    let slice = terms.extract(x, hi.min(inner - 1), lo.min(inner - 1));
    Some(terms.sign_extend(slice, hi - lo + 1))
}

/// A slice of `~x` is `~` of the slice
fn extract_not(terms: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::BvNot, a)?;
    let slice = terms.extract(x, hi, lo);
    Some(terms.bv_not(slice))
}

/// A slice of `x & c`, `x | c`, `x ^ c`: the operator on slices
fn extract_masked(terms: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    for op in [BinaryOp::BvAnd, BinaryOp::BvOr, BinaryOp::BvXor] {
        let Some((x, c)) = terms.as_binary_const(op, a) else { continue };
        let (slice, constant) = (terms.extract(x, hi, lo), terms.bv_const(&c.extract(hi, lo)));
        let sort = terms.sort(slice);
        return Some(terms.binary(op, slice, constant, sort));
    }
    None
}

/// Does a slice of the term cost nothing, because it is made of parts?
fn is_made_of_parts(terms: &Terms, a: TermId) -> bool {
    match terms.kind(a) {
        Kind::Const | Kind::Extract { .. } => true,
        Kind::Unary(op, _) => matches!(op, UnaryOp::ZeroExtend | UnaryOp::SignExtend),
        Kind::Binary(op, ..) => op == BinaryOp::Concat,
        Kind::Symbol(_) | Kind::Ite(..) | Kind::Fma(..) | Kind::Store(..) => false,
    }
}

/// A slice of `c ? a : b` is a choice of slices, where those cost nothing
fn extract_choice(terms: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let (c, yes, no) = terms.as_ite(a)?;
    if !is_made_of_parts(terms, yes) || !is_made_of_parts(terms, no) {
        return None;
    }
    let (yes, no) = (terms.extract(yes, hi, lo), terms.extract(no, hi, lo));
    Some(terms.ite(c, yes, no))
}

/// Can the lower bits of the term be computed from lower bits of parts?
fn is_narrowable(terms: &Terms, a: TermId, depth: u32) -> bool {
    if is_made_of_parts(terms, a) {
        return true;
    }
    let is_arithmetic = match terms.kind(a) {
        Kind::Unary(op, _) => matches!(op, UnaryOp::BvNeg | UnaryOp::BvNot),
        Kind::Binary(op, ..) => matches!(
            op,
            BinaryOp::BvAdd | BinaryOp::BvSub | BinaryOp::BvMul | BinaryOp::BvAnd | BinaryOp::BvOr | BinaryOp::BvXor
        ),
        Kind::Const | Kind::Symbol(_) | Kind::Ite(..) | Kind::Fma(..) | Kind::Store(..) | Kind::Extract { .. } => false,
    };
    is_arithmetic && depth > 0 && terms.kind(a).operands().all(|operand| is_narrowable(terms, operand, depth - 1))
}

/// The lower bits of a sum of extended values are the sum of their lower bits: `(uint8_t)((int)x + 1)`
fn extract_low_arithmetic(terms: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    if lo != 0 || !is_narrowable(terms, a, 3) {
        return None;
    }
    match terms.kind(a) {
        Kind::Unary(op, x) => {
            let x = terms.extract(x, hi, 0);
            let sort = terms.sort(x);
            Some(terms.unary(op, x, sort))
        }
        Kind::Binary(op, x, y) if op != BinaryOp::Concat => {
            let (x, y) = (terms.extract(x, hi, 0), terms.extract(y, hi, 0));
            let sort = terms.sort(x);
            Some(terms.binary(op, x, y, sort))
        }
        _ => None,
    }
}

/// `0:x = zext x`
fn concat_zero(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    let width = terms.width(high) + terms.width(low);
    terms.is_zero(high).then(|| terms.zero_extend(low, width))
}

/// `(zext x):y = zext (x:y)`
fn concat_zero_extended(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::ZeroExtend, high)?;
    let width = terms.width(high) + terms.width(low);
    let inside = terms.concat(x, low);
    Some(terms.zero_extend(inside, width))
}

/// Two parts that are one: constants, or neighbouring slices of one term.
fn merged(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    if let (Some(x), Some(y)) = (terms.as_bv(high), terms.as_bv(low)) {
        return Some(terms.bv_const(&x.concat(&y)));
    }
    let Kind::Extract { value, hi, lo: seam } = terms.kind(high) else { return None };
    let Kind::Extract { value: other, hi: below, lo } = terms.kind(low) else { return None };
    (value == other && seam == below + 1).then(|| terms.extract(value, hi, lo))
}

/// `x[7:4]:x[3:0] = x[7:0]`
fn concat_merged(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    merged(terms, high, low)
}

/// The same one level further inside: `x[7:4]:(x[3:0]:y) = x[7:0]:y`
fn concat_nested(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    if let Some((p, q)) = terms.as_binary(BinaryOp::Concat, low)
        && let Some(part) = merged(terms, high, p)
    {
        return Some(terms.concat(part, q));
    }
    let (p, q) = terms.as_binary(BinaryOp::Concat, high)?;
    let part = merged(terms, q, low)?;
    Some(terms.concat(p, part))
}
