//! The text of one operator on the texts of its operands.

use super::{Key, View, float};
use crate::bitvec::BitVec;
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

/// A bit-vector literal.
pub fn literal(bits: &BitVec) -> String {
    if bits.width().is_multiple_of(4) {
        let digits = (bits.width() / 4) as usize;
        let text = bits.to_string();
        let hex = text.trim_start_matches("0x").trim_start_matches('0');
        return format!("#x{hex:0>digits$}");
    }
    let digit = |at: u32| if bits.bit(at) { '1' } else { '0' };
    let digits: String = (0..bits.width()).rev().map(digit).collect();
    format!("#b{digits}")
}

/// The expression, or none for what must be declared: symbols, and bits of numbers.
pub fn text<'a>(terms: &Terms, (term, view): Key, get: &dyn Fn(Key) -> &'a str) -> Option<String> {
    if view == View::Number {
        return float::number(terms, term, get);
    }
    if float::is_number_first(terms, term) {
        return None;
    }
    let plain = |operand: TermId| get((operand, View::Plain));
    Some(match terms.kind(term) {
        Kind::Symbol(_) => return None,
        Kind::Const => match terms.as_bool(term) {
            Some(value) => value.to_string(),
            None => literal(&terms.const_bits(term)?),
        },
        Kind::Unary(op, a) => unary(terms, term, op, a, get),
        Kind::Binary(op, a, b) if float::compares_numbers(op) => {
            format!("({} {} {})", binary_name(op), get((a, View::Number)), get((b, View::Number)))
        }
        Kind::Binary(op, a, b) => format!("({} {} {})", binary_name(op), plain(a), plain(b)),
        Kind::Ite(c, a, b) => format!("(ite {} {} {})", plain(c), plain(a), plain(b)),
        Kind::Store(a, i, v) => format!("(store {} {} {})", plain(a), plain(i), plain(v)),
        Kind::Extract { value, hi, lo } => format!("((_ extract {hi} {lo}) {})", plain(value)),
        // Its bits are declared.
        Kind::Fma(..) => return None,
    })
}

fn unary<'a>(terms: &Terms, term: TermId, op: UnaryOp, a: TermId, get: &dyn Fn(Key) -> &'a str) -> String {
    let plain = || get((a, View::Plain));
    let number = || get((a, View::Number));
    let grown = || terms.width(term) - terms.width(a);
    match op {
        UnaryOp::Not => format!("(not {})", plain()),
        UnaryOp::BvNot => format!("(bvnot {})", plain()),
        UnaryOp::BvNeg => format!("(bvneg {})", plain()),
        UnaryOp::ZeroExtend => format!("((_ zero_extend {}) {})", grown(), plain()),
        UnaryOp::SignExtend => format!("((_ sign_extend {}) {})", grown(), plain()),
        UnaryOp::FloatToBits | UnaryOp::FloatFromBits => plain().to_string(),
        UnaryOp::FloatNeg => format!("(bvxor {} {})", plain(), literal(&BitVec::min_signed(terms.width(a)))),
        UnaryOp::FloatAbs => format!("(bvand {} {})", plain(), literal(&BitVec::max_signed(terms.width(a)))),
        UnaryOp::FloatIsNegative => {
            let sign = terms.width(a) - 1;
            format!("(= ((_ extract {sign} {sign}) {}) #b1)", plain())
        }
        UnaryOp::FloatIsNan => format!("(fp.isNaN {})", number()),
        UnaryOp::FloatIsInf => format!("(fp.isInfinite {})", number()),
        UnaryOp::FloatIsNormal => format!("(fp.isNormal {})", number()),
        UnaryOp::FloatIsZero => format!("(fp.isZero {})", number()),
        UnaryOp::FloatToSigned => match terms.format(a) {
            Some(format) => float::to_signed(format, terms.width(term), number()),
            None => plain().to_string(),
        },
        UnaryOp::ConstArray => match terms.sort(term) {
            sort @ Sort::Array { .. } => format!("((as const {}) {})", super::sort_name(sort), plain()),
            Sort::Bool | Sort::Bv(_) | Sort::Float(_) => plain().to_string(),
        },
        // Results of arithmetic are numbers first.
        UnaryOp::FloatSqrt
        | UnaryOp::FloatFloor
        | UnaryOp::FloatCeil
        | UnaryOp::FloatTrunc
        | UnaryOp::FloatRound
        | UnaryOp::FloatRint
        | UnaryOp::FloatToFloat
        | UnaryOp::SignedToFloat
        | UnaryOp::UnsignedToFloat => number().to_string(),
    }
}

pub fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Eq => "=",
        BinaryOp::BvAnd => "bvand",
        BinaryOp::BvOr => "bvor",
        BinaryOp::BvXor => "bvxor",
        BinaryOp::BvAdd => "bvadd",
        BinaryOp::BvSub => "bvsub",
        BinaryOp::BvMul => "bvmul",
        BinaryOp::BvUdiv => "bvudiv",
        BinaryOp::BvUrem => "bvurem",
        BinaryOp::BvSdiv => "bvsdiv",
        BinaryOp::BvSrem => "bvsrem",
        BinaryOp::BvShl => "bvshl",
        BinaryOp::BvLshr => "bvlshr",
        BinaryOp::BvAshr => "bvashr",
        BinaryOp::BvUlt => "bvult",
        BinaryOp::BvSlt => "bvslt",
        BinaryOp::Concat => "concat",
        BinaryOp::FloatAdd => "fp.add RNE",
        BinaryOp::FloatMul => "fp.mul RNE",
        BinaryOp::FloatDiv => "fp.div RNE",
        BinaryOp::FloatRem | BinaryOp::FloatIeeeRem => "fp.rem",
        BinaryOp::FloatMin => "fp.min",
        BinaryOp::FloatMax => "fp.max",
        BinaryOp::FloatEq => "fp.eq",
        BinaryOp::FloatLt => "fp.lt",
        BinaryOp::FloatLe => "fp.leq",
        BinaryOp::Select => "select",
    }
}
