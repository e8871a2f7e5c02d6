//! The two views of floats, and operators that SMT-LIB leaves partly open.

use super::operator::{binary_name, literal};
use super::{Key, View};
use crate::bitvec::BitVec;
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::softfloat::{self, Number};
use crate::sort::Format;
use crate::terms::{TermId, Terms};
use std::fmt::Write;

/// Operators that give no float and look at the number of their operand.
pub fn takes_number(op: UnaryOp) -> bool {
    matches!(
        op,
        UnaryOp::FloatIsNan
            | UnaryOp::FloatIsInf
            | UnaryOp::FloatIsNormal
            | UnaryOp::FloatIsZero
            | UnaryOp::FloatToSigned
    )
}

pub fn compares_numbers(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::FloatEq | BinaryOp::FloatLt | BinaryOp::FloatLe)
}

/// Is the term a float that arithmetic gives, whose bits have to be made from its number?
pub fn is_number_first(terms: &Terms, term: TermId) -> bool {
    if terms.format(term).is_none() {
        return false;
    }
    match terms.kind(term) {
        Kind::Unary(op, _) => !matches!(op, UnaryOp::FloatNeg | UnaryOp::FloatAbs | UnaryOp::FloatFromBits),
        Kind::Binary(..) | Kind::Fma(..) => true,
        Kind::Const | Kind::Symbol(_) | Kind::Ite(..) | Kind::Store(..) | Kind::Extract { .. } => false,
    }
}

/// Bits of the format as IEEE would store it, without x87's integer bit.
fn ieee_width(format: Format) -> u32 {
    format.exponent_bits() + format.significand_bits()
}

/// A constant number.
fn number_literal(format: Format, pattern: u128) -> String {
    let (eb, sb) = (format.exponent_bits(), format.significand_bits());
    match softfloat::unpack(format, pattern) {
        Number::Nan => format!("(_ NaN {eb} {sb})"),
        number => {
            let ieee = Format::ieee(eb, sb).map_or(0, |ieee| softfloat::pack(ieee, number));
            let bits = BitVec::new(eb + sb, ieee);
            let field = |hi, lo| literal(&bits.extract(hi, lo));
            format!("(fp {} {} {})", field(eb + sb - 1, eb + sb - 1), field(eb + sb - 2, sb - 1), field(sb - 2, 0))
        }
    }
}

/// The number that bits stand for.
fn number_of_bits(format: Format, bits: &str) -> String {
    let (eb, sb) = (format.exponent_bits(), format.significand_bits());
    if !format.has_integer_bit() {
        return format!("((_ to_fp {eb} {sb}) {bits})");
    }
    // As the processor reads them: see `softfloat::unpack`.
    format!(
        "(let ((b {bits})) (let ((e ((_ extract 78 64) b)) (i ((_ extract 63 63) b))) \
         (ite (and (= i #b0) (distinct e #b{zero:0>15})) (_ NaN 15 64) \
         ((_ to_fp 15 64) (concat ((_ extract 79 79) b) \
         (ite (and (= i #b1) (= e #b{zero:0>15})) #b{one:0>15} e) ((_ extract 62 0) b))))))",
        zero = "",
        one = "1"
    )
}

/// Declares the bits of a number and says what they are.
pub fn declare_bits(format: Format, id: usize, number: &str, out: &mut String) -> String {
    let (eb, sb, width) = (format.exponent_bits(), format.significand_bits(), ieee_width(format));
    let name = format!("%b{id}");
    let nan = Format::ieee(eb, sb).map_or(0, |ieee| ieee.canonical_nan());
    let _ = writeln!(out, "(declare-const {name} (_ BitVec {width}))");
    let _ = writeln!(out, "(assert (= ((_ to_fp {eb} {sb}) {name}) {number}))");
    let _ = writeln!(out, "(assert (=> (fp.isNaN {number}) (= {name} {})))", literal(&BitVec::new(width, nan)));
    if !format.has_integer_bit() {
        return name;
    }
    let whole = format!("%x{id}");
    let _ = writeln!(
        out,
        "(define-fun {whole} () (_ BitVec {}) (concat ((_ extract 78 63) {name}) \
         (ite (= ((_ extract 77 63) {name}) #b{:0>15}) #b0 #b1) ((_ extract 62 0) {name})))",
        format.width(),
        ""
    );
    whole
}

/// Truncated; NaN and what does not fit give the most negative number. `fp.to_sbv` leaves those open.
pub fn to_signed(format: Format, width: u32, number: &str) -> String {
    // The bound is a power of two; where it exceeds the format it rounds to infinity, which is as good.
    let limit = BitVec::one(width + 1).shl_by(width - 1);
    let bound = number_literal(format, softfloat::from_integer(format, false, &limit));
    format!(
        "(let ((r (fp.roundToIntegral RTZ {number}))) (ite (and (fp.lt r {bound}) (fp.lt (fp.neg {bound}) r)) \
         ((_ fp.to_sbv {width}) RTZ r) {}))",
        literal(&BitVec::min_signed(width))
    )
}

/// The expression of a float's number.
pub fn number<'a>(terms: &Terms, term: TermId, get: &dyn Fn(Key) -> &'a str) -> Option<String> {
    let format = terms.format(term)?;
    let of = |operand: TermId| get((operand, View::Number));
    Some(match terms.kind(term) {
        Kind::Const => number_literal(format, terms.const_bits(term)?.to_u128()?),
        Kind::Symbol(_) | Kind::Unary(UnaryOp::FloatFromBits, _) => number_of_bits(format, get((term, View::Plain))),
        Kind::Unary(op, a) => unary(format, op, a, get)?,
        Kind::Binary(BinaryOp::FloatMin, a, b) => pick("fp.lt", of(a), of(b)),
        Kind::Binary(BinaryOp::FloatMax, a, b) => pick("fp.gt", of(a), of(b)),
        Kind::Binary(BinaryOp::FloatRem, a, b) => c_remainder(of(a), of(b)),
        Kind::Binary(op, a, b) => format!("({} {} {})", binary_name(op), of(a), of(b)),
        Kind::Fma(a, b, c) => format!("(fp.fma RNE {} {} {})", of(a), of(b), of(c)),
        Kind::Ite(c, a, b) => format!("(ite {} {} {})", get((c, View::Plain)), of(a), of(b)),
        Kind::Store(..) | Kind::Extract { .. } => return None,
    })
}

fn unary<'a>(format: Format, op: UnaryOp, a: TermId, get: &dyn Fn(Key) -> &'a str) -> Option<String> {
    let of = get((a, View::Number));
    let (eb, sb) = (format.exponent_bits(), format.significand_bits());
    let integral = |mode: &str| format!("(fp.roundToIntegral {mode} {of})");
    Some(match op {
        UnaryOp::FloatNeg => format!("(fp.neg {of})"),
        UnaryOp::FloatAbs => format!("(fp.abs {of})"),
        UnaryOp::FloatSqrt => format!("(fp.sqrt RNE {of})"),
        UnaryOp::FloatFloor => integral("RTN"),
        UnaryOp::FloatCeil => integral("RTP"),
        UnaryOp::FloatTrunc => integral("RTZ"),
        UnaryOp::FloatRound => integral("RNA"),
        UnaryOp::FloatRint => integral("RNE"),
        UnaryOp::FloatToFloat => format!("((_ to_fp {eb} {sb}) RNE {of})"),
        UnaryOp::SignedToFloat => format!("((_ to_fp {eb} {sb}) RNE {})", get((a, View::Plain))),
        UnaryOp::UnsignedToFloat => format!("((_ to_fp_unsigned {eb} {sb}) RNE {})", get((a, View::Plain))),
        UnaryOp::Not
        | UnaryOp::BvNot
        | UnaryOp::BvNeg
        | UnaryOp::ZeroExtend
        | UnaryOp::SignExtend
        | UnaryOp::FloatToBits
        | UnaryOp::FloatFromBits
        | UnaryOp::FloatIsNan
        | UnaryOp::FloatIsInf
        | UnaryOp::FloatIsNormal
        | UnaryOp::FloatIsZero
        | UnaryOp::FloatIsNegative
        | UnaryOp::FloatToSigned
        | UnaryOp::ConstArray => return None,
    })
}

/// `fp.min` leaves open which zero it gives; here the second operand is taken unless the first is less.
fn pick(order: &str, a: &str, b: &str) -> String {
    format!("(let ((x {a}) (y {b})) (ite (or (fp.isNaN y) ({order} x y)) x y))")
}

/// `fmod` from IEEE's remainder of the magnitudes: the rest that is not negative, with the sign of the dividend.
fn c_remainder(a: &str, b: &str) -> String {
    format!(
        "(let ((x {a}) (y (fp.abs {b}))) (let ((r (fp.rem (fp.abs x) y))) \
         (let ((m (ite (and (fp.isNegative r) (not (fp.isZero r))) (fp.add RNE r y) r))) \
         (ite (fp.isNegative x) (fp.neg m) m))))"
    )
}
