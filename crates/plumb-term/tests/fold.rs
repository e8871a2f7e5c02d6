//! The operators compute what `plumb_ir::fold` computes: on random operands, thousands of pairs per operator. NaN
//! results are compared as NaN, because their pattern is unspecified there.

use plumb_c::target::Target;
use plumb_ir::expr::{BinOp, CastOp, Sign, UnOp};
use plumb_ir::fold;
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use plumb_term::{Assignment, BitVec, Evaluator, Format, Sort, SymbolId, TermId, Terms, Value, softfloat};

const TARGET: &Target = &Target::LP64;
const CASES: usize = 4000;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ self.0 >> 31
    }

    /// Small numbers, numbers near the ends of the range, and any.
    fn integer(&mut self, width: u32) -> u128 {
        let any = (self.next() as u128) << 64 | self.next() as u128;
        let value = match self.next() % 6 {
            0 => any % 8,
            1 => (any % 8).wrapping_neg(),
            2 => (1u128 << (width - 1)).wrapping_add(any % 8).wrapping_sub(4),
            3 => any % (width as u128 + 3),
            4 => any >> (any % 128),
            _ => any,
        };
        value & (u128::MAX >> (128 - width))
    }

    /// Zeros, infinities, NaNs, subnormals, numbers of near exponents and with few digits, and any pattern.
    fn float(&mut self, format: Format) -> u128 {
        let any = (self.next() as u128) << 64 | self.next() as u128;
        let mask = u128::MAX >> (128 - format.width());
        let stored = format.stored_significand_bits();
        let integer = if format.has_integer_bit() { 1 << (stored - 1) } else { 0 };
        let exponent = |value: i32| ((value + format.bias()) as u128) << stored | integer;
        let sign = any & format.sign_mask();
        let fraction = any & ((1u128 << (stored - 1)) - 1);
        match self.next() % 10 {
            0 => sign,
            1 => format.infinity(sign != 0),
            2 => format.infinity(sign != 0) | ((any % 3) << (stored - 2)),
            3 => sign | (any % 16),
            4 => sign | exponent((any >> 70) as i32 % 4) | fraction,
            5 => sign | exponent((any >> 70) as i32 % 66) | (fraction >> (stored - 4)) << (stored - 4),
            6 => sign | exponent((any >> 70) as i32 % 130 % (format.bias() - 1)) | fraction,
            7 => sign | exponent(format.min_exponent() + 2 - (any >> 70) as i32 % 3) | fraction,
            _ => any & mask,
        }
    }
}

const FORMATS: [(FloatFormat, Format); 3] =
    [(FloatFormat::F32, Format::F32), (FloatFormat::F64, Format::F64), (FloatFormat::X87, Format::X87)];

fn int_value(width: u32, bits: u128) -> Value {
    Value::Bv(BitVec::new(width, bits))
}

fn float_value(format: Format, bits: u128) -> Value {
    Value::Float(format, BitVec::new(format.width(), bits))
}

/// The bits of a value as fold has them.
fn bits(value: &Value) -> u128 {
    match value {
        Value::Bool(value) => *value as u128,
        Value::Bv(bits) | Value::Float(_, bits) => bits.to_u128().unwrap(),
        Value::Array(_) => panic!("no scalar"),
    }
}

/// A term over symbols, evaluated on many operands.
struct Formula {
    terms: Terms,
    symbols: Vec<SymbolId>,
    term: TermId,
}

impl Formula {
    fn new(sorts: &[Sort], build: impl Fn(&mut Terms, &[TermId]) -> TermId) -> Formula {
        let mut terms = Terms::new();
        let operands: Vec<TermId> =
            sorts.iter().enumerate().map(|(i, sort)| terms.symbol(&format!("x{i}"), *sort)).collect();
        let term = build(&mut terms, &operands);
        let symbols = operands.iter().map(|operand| terms.as_symbol(*operand).unwrap()).collect();
        Formula { terms, symbols, term }
    }

    fn value(&self, operands: &[Value]) -> Value {
        let mut assignment = Assignment::new();
        for (symbol, value) in self.symbols.iter().zip(operands) {
            assignment.set(*symbol, value.clone());
        }
        Evaluator::new(&assignment).value(&self.terms, self.term)
    }
}

#[test]
fn integer_operators_agree() {
    type Build = fn(&mut Terms, TermId, TermId) -> TermId;
    let operators: [(BinOp, Sign, Build); 18] = [
        (BinOp::Add, Sign::Plain, Terms::bv_add),
        (BinOp::Sub, Sign::Plain, Terms::bv_sub),
        (BinOp::Mul, Sign::Plain, Terms::bv_mul),
        (BinOp::Div, Sign::Unsigned, Terms::bv_udiv),
        (BinOp::Div, Sign::Signed, Terms::bv_sdiv),
        (BinOp::Rem, Sign::Unsigned, Terms::bv_urem),
        (BinOp::Rem, Sign::Signed, Terms::bv_srem),
        (BinOp::And, Sign::Plain, Terms::bv_and),
        (BinOp::Or, Sign::Plain, Terms::bv_or),
        (BinOp::Xor, Sign::Plain, Terms::bv_xor),
        (BinOp::Shl, Sign::Plain, Terms::bv_shl),
        (BinOp::Shr, Sign::Unsigned, Terms::bv_lshr),
        (BinOp::Shr, Sign::Signed, Terms::bv_ashr),
        (BinOp::Eq, Sign::Plain, Terms::eq),
        (BinOp::Ne, Sign::Plain, Terms::ne),
        (BinOp::Lt, Sign::Unsigned, Terms::bv_ult),
        (BinOp::Lt, Sign::Signed, Terms::bv_slt),
        (BinOp::Le, Sign::Signed, Terms::bv_sle),
    ];
    let mut random = Random(1);
    for (op, sign, build) in operators {
        for width in [1, 7, 8, 16, 32, 33, 64, 96, 128] {
            let formula = Formula::new(&[Sort::Bv(width); 2], |terms, x| build(terms, x[0], x[1]));
            for _ in 0..CASES / 4 {
                let (a, b) = (random.integer(width), random.integer(width));
                let ty = Ty::Int(width as u8);
                let expected = fold::binary(op, sign, ty, Bits::new(a, width), Bits::new(b, width), TARGET);
                let found = formula.value(&[int_value(width, a), int_value(width, b)]);
                assert_eq!(bits(&found), expected.u128(), "{op:?} {sign:?} of {a:#x} and {b:#x} in {width} bits");
            }
        }
    }
}

#[test]
fn counts_and_swaps_agree() {
    type Build = fn(&mut Terms, TermId) -> TermId;
    let operators: [(UnOp, Build); 6] = [
        (UnOp::Neg, Terms::bv_neg),
        (UnOp::Not, Terms::bv_not),
        (UnOp::Clz, Terms::bv_clz),
        (UnOp::Ctz, Terms::bv_ctz),
        (UnOp::Popcount, Terms::bv_popcount),
        (UnOp::Bswap, Terms::bv_bswap),
    ];
    let mut random = Random(2);
    for (op, build) in operators {
        let widths: &[u32] = if op == UnOp::Bswap { &[8, 16, 32, 64] } else { &[1, 2, 3, 5, 8, 13, 32, 64, 128] };
        for &width in widths {
            let formula = Formula::new(&[Sort::Bv(width)], |terms, x| build(terms, x[0]));
            for _ in 0..CASES / 4 {
                let a = random.integer(width);
                let expected = fold::unary(op, Ty::Int(width as u8), Bits::new(a, width), TARGET);
                let found = formula.value(&[int_value(width, a)]);
                assert_eq!(bits(&found), expected.u128(), "{op:?} of {a:#x} in {width} bits");
            }
        }
    }
}

fn same_float(format: Format, found: u128, expected: u128, what: &dyn Fn() -> String) {
    if softfloat::is_nan(format, expected) {
        assert_eq!(found, format.canonical_nan(), "{}", what());
    } else {
        assert_eq!(found, expected, "{}", what());
    }
}

#[test]
fn float_operators_agree() {
    type Build = fn(&mut Terms, TermId, TermId) -> TermId;
    let operators: [(BinOp, Build); 11] = [
        (BinOp::Add, Terms::float_add),
        (BinOp::Sub, Terms::float_sub),
        (BinOp::Mul, Terms::float_mul),
        (BinOp::Div, Terms::float_div),
        (BinOp::Rem, Terms::float_rem),
        (BinOp::IeeeRem, Terms::float_ieee_rem),
        (BinOp::Min, Terms::float_min),
        (BinOp::Max, Terms::float_max),
        (BinOp::Eq, Terms::float_eq),
        (BinOp::Lt, Terms::float_lt),
        (BinOp::Le, Terms::float_le),
    ];
    let mut random = Random(3);
    for (op, build) in operators {
        for (ir_format, format) in FORMATS {
            let formula = Formula::new(&[Sort::Float(format); 2], |terms, x| build(terms, x[0], x[1]));
            for _ in 0..CASES {
                let (a, b) = (random.float(format), random.float(format));
                let wrap = |v| Bits::new(v, format.width());
                let expected = fold::binary(op, Sign::Signed, Ty::Float(ir_format), wrap(a), wrap(b), TARGET).u128();
                let found = formula.value(&[float_value(format, a), float_value(format, b)]);
                let what = || format!("{op:?} of {a:#x} and {b:#x} in {format}");
                if op.is_comparison() {
                    assert_eq!(bits(&found), expected, "{}", what());
                } else {
                    same_float(format, bits(&found), expected, &what);
                }
            }
        }
    }
}

#[test]
fn unary_float_operators_agree() {
    type Build = fn(&mut Terms, TermId) -> TermId;
    let operators: [(UnOp, Build); 12] = [
        (UnOp::Neg, Terms::float_neg),
        (UnOp::Abs, Terms::float_abs),
        (UnOp::Sqrt, Terms::float_sqrt),
        (UnOp::Floor, Terms::float_floor),
        (UnOp::Ceil, Terms::float_ceil),
        (UnOp::Trunc, Terms::float_trunc),
        (UnOp::Round, Terms::float_round),
        (UnOp::Rint, Terms::float_rint),
        (UnOp::IsNan, Terms::float_is_nan),
        (UnOp::IsInf, Terms::float_is_inf),
        (UnOp::IsNormal, Terms::float_is_normal),
        (UnOp::IsNegative, Terms::float_is_negative),
    ];
    let mut random = Random(4);
    for (op, build) in operators {
        for (ir_format, format) in FORMATS {
            let formula = Formula::new(&[Sort::Float(format)], |terms, x| build(terms, x[0]));
            for _ in 0..CASES {
                let a = random.float(format);
                let expected = fold::unary(op, Ty::Float(ir_format), Bits::new(a, format.width()), TARGET).u128();
                let found = formula.value(&[float_value(format, a)]);
                let what = || format!("{op:?} of {a:#x} in {format}");
                match (&found, op) {
                    (Value::Bool(_), _) | (_, UnOp::Neg | UnOp::Abs) => {
                        assert_eq!(bits(&found), expected, "{}", what())
                    }
                    _ => same_float(format, bits(&found), expected, &what),
                }
            }
        }
    }
}

#[test]
fn copysign_and_fma_agree() {
    let mut random = Random(5);
    for (ir_format, format) in FORMATS {
        let copysign = Formula::new(&[Sort::Float(format); 2], |terms, x| terms.float_copysign(x[0], x[1]));
        let fma = Formula::new(&[Sort::Float(format); 3], |terms, x| terms.float_fma(x[0], x[1], x[2]));
        for _ in 0..CASES {
            let operands = [(); 3].map(|_| random.float(format));
            let values = operands.map(|bits| float_value(format, bits));
            let [a, b, c] = operands.map(|bits| Bits::new(bits, format.width()));
            let expected = fold::binary(BinOp::Copysign, Sign::Plain, Ty::Float(ir_format), a, b, TARGET);
            assert_eq!(bits(&copysign.value(&values)), expected.u128());
            let what = || format!("fma of {operands:x?} in {format}");
            same_float(format, bits(&fma.value(&values)), fold::fma(ir_format, a, b, c).u128(), &what);
        }
    }
}

#[test]
fn conversions_agree() {
    let mut random = Random(6);
    for (ir_format, format) in FORMATS {
        let float_ty = Ty::Float(ir_format);
        for width in [1, 8, 16, 31, 32, 33, 63, 64, 65, 100, 128] {
            let int_ty = Ty::Int(width as u8);
            for sign in [Sign::Signed, Sign::Unsigned] {
                let is_signed = sign == Sign::Signed;
                let to_int = Formula::new(&[Sort::Float(format)], |t, x| t.float_to_int(x[0], is_signed, width));
                let to_float = Formula::new(&[Sort::Bv(width)], |t, x| {
                    if is_signed { t.signed_to_float(x[0], format) } else { t.unsigned_to_float(x[0], format) }
                });
                for _ in 0..CASES / 4 {
                    let (a, i) = (random.float(format), random.integer(width));
                    let expected =
                        fold::cast(CastOp::FloatToInt(sign), float_ty, int_ty, Bits::new(a, format.width()), TARGET);
                    let found = to_int.value(&[float_value(format, a)]);
                    assert_eq!(bits(&found), expected.u128(), "{a:#x} in {format} to {width} bits, {sign:?}");
                    let expected = fold::cast(CastOp::IntToFloat(sign), int_ty, float_ty, Bits::new(i, width), TARGET);
                    let found = to_float.value(&[int_value(width, i)]);
                    assert_eq!(bits(&found), expected.u128(), "{i:#x} of {width} bits to {format}, {sign:?}");
                }
            }
        }
        for (ir_to, to) in FORMATS {
            let formula = Formula::new(&[Sort::Float(format)], |terms, x| terms.float_to_float(x[0], to));
            for _ in 0..CASES {
                let a = random.float(format);
                let wrapped = Bits::new(a, format.width());
                let expected = fold::cast(CastOp::FloatToFloat, float_ty, Ty::Float(ir_to), wrapped, TARGET).u128();
                let found = bits(&formula.value(&[float_value(format, a)]));
                let what = || format!("{a:#x} in {format} to {to}");
                if format == to {
                    assert_eq!(found, expected, "{}", what());
                } else {
                    same_float(to, found, expected, &what);
                }
            }
        }
    }
}
