//! Scalars as words of one width: what the synthesiser computes with.
//!
//! A *pattern* is a scalar's bits as the program has them; a *word* is the bit-vector that stands for it in a summary's term.
//! Inputs are extended by the sign of their type, results are cut to theirs. A float is the integer that it truncates to, so
//! that a term can be right about floats only where they are integral. The conversions are the IR's own casts, and the
//! body of a summary makes the same ones (`body.rs`).

use plumb_c::target::{FloatFormat, Target};
use plumb_ir::analysis::intervals::Value;
use plumb_ir::analysis::signature::{ScalarType, Signature};
use plumb_ir::expr::{CastOp, Sign};
use plumb_ir::fold;
use plumb_ir::ty::{Bits, Ty};
use plumb_synth::{MAX_WIDTH, Sort};

/// The sign by which a scalar is extended.
pub(super) fn sign_of(ty: ScalarType) -> Sign {
    if ty.is_signed && !ty.is_bool { Sign::Signed } else { Sign::Unsigned }
}

/// How scalars of a signature become words.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    target: &'a Target,
    /// Of `int`, or of the widest scalar where that is wider.
    pub width: u32,
}

impl<'a> Words<'a> {
    /// `None` if a scalar is a pointer or has more than 64 bits.
    pub fn of(target: &'a Target, signature: &Signature) -> Option<Words<'a>> {
        let scalars = signature.inputs.iter().map(|input| input.ty).chain([signature.output]);
        let mut width = target.int_bytes as u32 * 8;
        for scalar in scalars {
            match scalar.ty {
                Ty::Int(bits) => width = width.max(bits as u32),
                Ty::Float(FloatFormat::F32 | FloatFormat::F64) => {}
                Ty::Float(FloatFormat::X87) | Ty::Ptr => return None,
            }
        }
        (width <= MAX_WIDTH).then_some(Words { target, width })
    }

    pub fn sort(&self) -> Sort {
        Sort::Bv(self.width)
    }

    /// The word of an input.
    pub fn input(&self, ty: ScalarType, pattern: u64) -> u64 {
        let op = match ty.ty {
            Ty::Float(_) => CastOp::FloatToInt(Sign::Signed),
            Ty::Int(_) | Ty::Ptr => CastOp::Int { from: sign_of(ty), to: Sign::Plain, implicit: false },
        };
        self.cast(op, ty.ty, Ty::Int(self.width as u8), pattern)
    }

    /// The pattern that a word is as a result.
    pub fn output(&self, ty: ScalarType, word: u64) -> u64 {
        let from = Ty::Int(self.width as u8);
        match ty.ty {
            _ if ty.is_bool => (word != 0) as u64,
            Ty::Float(_) => self.cast(CastOp::IntToFloat(Sign::Signed), from, ty.ty, word),
            Ty::Int(bits) => word & (u64::MAX >> (64 - bits as u32)),
            Ty::Ptr => word,
        }
    }

    /// A word that is this pattern as a result, if there is one.
    pub fn wanted(&self, ty: ScalarType, pattern: u64) -> Option<u64> {
        let word = self.input(ty, pattern);
        (self.output(ty, word) == pattern).then_some(word)
    }

    fn cast(&self, op: CastOp, from: Ty, to: Ty, pattern: u64) -> u64 {
        let bits = Bits::new(pattern as u128, from.bits(self.target));
        fold::cast(op, from, to, bits, self.target).u64()
    }
}

/// Whether a scalar is an integer, and not a number between two.
pub(super) fn is_integral(ty: ScalarType, pattern: u64) -> bool {
    match ty.ty {
        Ty::Int(_) | Ty::Ptr => true,
        Ty::Float(FloatFormat::F32) => {
            let value = f32::from_bits(pattern as u32);
            value.is_finite() && value.fract() == 0.0
        }
        Ty::Float(_) => {
            let value = f64::from_bits(pattern);
            value.is_finite() && value.fract() == 0.0
        }
    }
}

/// Larger floats count as this, so that sums and products of a few numbers are numbers. No knob: what an `i128` can hold.
const FAR: i128 = 1 << 100;

/// The number that a pattern is; a float is truncated.
pub(super) fn number(ty: ScalarType, pattern: u64) -> i128 {
    match ty.ty {
        Ty::Int(bits) if sign_of(ty) == Sign::Signed => Bits::new(pattern as u128, bits as u32).signed(bits as u32),
        Ty::Int(_) | Ty::Ptr => pattern as i128,
        Ty::Float(FloatFormat::F32) => (f32::from_bits(pattern as u32) as i128).clamp(-FAR, FAR),
        Ty::Float(_) => (f64::from_bits(pattern) as i128).clamp(-FAR, FAR),
    }
}

/// The pattern of a number, cut to the type.
pub(super) fn pattern(ty: ScalarType, number: i128) -> u64 {
    match ty.ty {
        _ if ty.is_bool => (number != 0) as u64,
        Ty::Int(bits) => number as u64 & (u64::MAX >> (64 - bits.min(64) as u32)),
        Ty::Float(FloatFormat::F32) => (number as f32).to_bits() as u64,
        Ty::Float(_) => (number as f64).to_bits(),
        Ty::Ptr => number as u64,
    }
}

/// The least and the greatest number of an integer type; a modest range for floats.
pub(super) fn limits(ty: ScalarType) -> (i128, i128) {
    match ty.ty {
        _ if ty.is_bool => (0, 1),
        Ty::Int(bits) if sign_of(ty) == Sign::Signed => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        Ty::Int(bits) => (0, (1i128 << bits) - 1),
        Ty::Float(_) => (-(1 << 24), 1 << 24),
        Ty::Ptr => (0, 0),
    }
}

/// The numbers of a set of patterns, where these are fewer than the type has.
pub(super) fn narrower_range(ty: ScalarType, value: &Value) -> Option<(i128, i128)> {
    let (least, most) = limits(ty);
    let (low, high) = if sign_of(ty) == Sign::Signed { value.signed } else { value.unsigned };
    let range = (low.max(least), high.min(most));
    (range != (least, most) && range.0 <= range.1).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_ir::program::FuncId;

    fn scalar(ty: Ty, is_signed: bool, is_bool: bool) -> ScalarType {
        ScalarType { ty, is_signed, is_bool }
    }

    #[test]
    fn patterns_and_words_correspond() {
        let int = scalar(Ty::Int(32), true, false);
        let target = Target::LP64;
        let signature = Signature { func: FuncId(0), inputs: Vec::new(), output: int };
        let words = Words::of(&target, &signature).unwrap();
        let (byte, small) = (scalar(Ty::Int(8), false, false), scalar(Ty::Int(8), true, false));
        let (truth, real) = (scalar(Ty::Int(8), false, true), scalar(Ty::Float(FloatFormat::F64), true, false));
        assert_eq!((words.input(byte, 0xff), words.input(small, 0xff)), (0xff, 0xffff_ffff));
        assert_eq!((words.output(small, 0xffff_ff80), words.output(truth, 2)), (0x80, 1));
        assert_eq!(words.wanted(small, 0x80), Some(0xffff_ff80));
        let minus = |value: f64| value.to_bits();
        assert_eq!((words.input(real, minus(-3.0)), words.input(real, minus(2.7))), (0xffff_fffd, 2));
        assert_eq!((words.wanted(real, minus(-3.0)), words.wanted(real, minus(0.5))), (Some(0xffff_fffd), None));
        let integral =
            [-3.0, 0.0, -0.0, 2.7, f64::NAN, f64::INFINITY].map(|value: f64| is_integral(real, value.to_bits()));
        assert_eq!(integral, [true, true, true, false, false, false]);
        assert_eq!((number(small, 0x80), pattern(small, -128)), (-128, 0x80));
        assert_eq!((limits(truth), limits(small), limits(byte)), ((0, 1), (-128, 127), (0, 255)));
        let wide = Signature { output: scalar(Ty::Int(128), true, false), ..signature.clone() };
        assert!(Words::of(&target, &wide).is_none());
    }
}
