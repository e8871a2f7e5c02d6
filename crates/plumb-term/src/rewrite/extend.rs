//! Extensions.

use crate::op::UnaryOp;
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

/// The constant of a smaller width that extends to `constant`, if there is one.
pub fn narrowed_const(terms: &mut Terms, op: UnaryOp, constant: TermId, width: u32) -> Option<TermId> {
    let bits = terms.as_bv(constant)?;
    if width > bits.width() {
        return None;
    }
    let narrow = bits.extract(width - 1, 0);
    let again = match op {
        UnaryOp::ZeroExtend => narrow.zero_extend(bits.width()),
        _ => narrow.sign_extend(bits.width()),
    };
    (again == bits).then(|| terms.bv_const(&narrow))
}

/// `zext zext x = zext x`
pub fn zero_extend(terms: &mut Terms, a: TermId, sort: Sort) -> Option<TermId> {
    let Sort::Bv(width) = sort else { return None };
    let x = terms.as_unary(UnaryOp::ZeroExtend, a)?;
    Some(terms.zero_extend(x, width))
}

/// `sext sext x = sext x`, `sext zext x = zext x`
pub fn sign_extend(terms: &mut Terms, a: TermId, sort: Sort) -> Option<TermId> {
    let Sort::Bv(width) = sort else { return None };
    if let Some(x) = terms.as_unary(UnaryOp::SignExtend, a) {
        return Some(terms.sign_extend(x, width));
    }
    let x = terms.as_unary(UnaryOp::ZeroExtend, a)?;
    Some(terms.zero_extend(x, width))
}
