//! Float circuits against plumb-term's definition of the operators, and of the basic ones against `rustc_apfloat`.
//!
//! Tiny formats are tested on every pattern. For the real ones patterns are drawn so that special cases, near misses of
//! rounding and nearly equal operands are common; `PLUMB_FLOAT_ROUNDS` asks for more than the usual number.

use super::compare::{picks_first, relate_patterns, relate_unpacked};
use super::round::{Mode, to_integral};
use super::*;
use crate::aig::simulate::Simulation;
use crate::circuits::tests::{read, transpose};
use crate::random::Random;
use plumb_term::{BinaryOp, BitVec, Sort, UnaryOp, Value, eval};

type Circuit = dyn Fn(&mut Aig, Format, &[Word]) -> Word;
type Meaning = dyn Fn(Format, &[u128]) -> u128;
type Flag = fn(Class) -> Lit;

/// A circuit on patterns, and what it has to compute.
struct Case {
    name: String,
    arity: usize,
    circuit: Box<Circuit>,
    meaning: Box<Meaning>,
}

fn bits_of(value: Value) -> u128 {
    match value {
        Value::Bool(value) => value as u128,
        value => value.as_bits().and_then(BitVec::to_u128).unwrap(),
    }
}

fn float(format: Format, pattern: u128) -> Value {
    Value::Float(format, BitVec::new(format.width(), pattern))
}

fn unary(
    op: UnaryOp,
    sort: impl Fn(Format) -> Sort + 'static,
    circuit: impl Fn(&mut Aig, Format, &Unpacked) -> Word + 'static,
) -> Case {
    Case {
        name: format!("{op:?} to {}", sort(Format::F32)),
        arity: 1,
        circuit: Box::new(move |aig, format, words| {
            let x = unpack(aig, format, &words[0]);
            circuit(aig, format, &x)
        }),
        meaning: Box::new(move |format, x| bits_of(eval::unary(op, &float(format, x[0]), sort(format)))),
    }
}

fn binary(op: BinaryOp, circuit: impl Fn(&mut Aig, Format, &Unpacked, &Unpacked) -> Word + 'static) -> Case {
    Case {
        name: format!("{op:?}"),
        arity: 2,
        circuit: Box::new(move |aig, format, words| {
            let (x, y) = (unpack(aig, format, &words[0]), unpack(aig, format, &words[1]));
            circuit(aig, format, &x, &y)
        }),
        meaning: Box::new(move |format, x| bits_of(eval::binary(op, &float(format, x[0]), &float(format, x[1])))),
    }
}

type Binary = fn(&mut Aig, Format, &Unpacked, &Unpacked) -> Unpacked;

fn arithmetic() -> Vec<Case> {
    let ops: [(BinaryOp, Binary); 5] = [
        (BinaryOp::FloatAdd, add::add),
        (BinaryOp::FloatMul, multiply::multiply),
        (BinaryOp::FloatDiv, multiply::divide),
        (BinaryOp::FloatRem, remainder::truncated),
        (BinaryOp::FloatIeeeRem, remainder::nearest),
    ];
    let mut cases: Vec<Case> = ops
        .into_iter()
        .map(|(op, circuit)| {
            binary(op, move |aig, format, x, y| {
                let result = circuit(aig, format, x, y);
                pack(aig, format, &result)
            })
        })
        .collect();
    cases.push(Case {
        name: "fma".to_owned(),
        arity: 3,
        circuit: Box::new(|aig, format, words| {
            let [x, y, z] = [0, 1, 2].map(|i| unpack(aig, format, &words[i]));
            let result = add::fused(aig, format, &x, &y, &z);
            pack(aig, format, &result)
        }),
        meaning: Box::new(|format, x| {
            let [x, y, z] = [0, 1, 2].map(|i| float(format, x[i]));
            bits_of(eval::fma(&x, &y, &z))
        }),
    });
    cases
}

fn picks() -> Vec<Case> {
    [(BinaryOp::FloatMin, true), (BinaryOp::FloatMax, false)]
        .into_iter()
        .map(|(op, less)| {
            binary(op, move |aig, format, x, y| {
                let relation = relate_unpacked(aig, x, y);
                let first = picks_first(aig, x.nan, y.nan, relation, less);
                let result = Unpacked::mux(aig, first, x, y);
                pack(aig, format, &result)
            })
        })
        .collect()
}

fn comparisons() -> Vec<Case> {
    let mut cases = Vec::new();
    for (op, which) in [(BinaryOp::FloatEq, 0), (BinaryOp::FloatLt, 1), (BinaryOp::FloatLe, 2)] {
        let choose = move |aig: &mut Aig, relation: compare::Relation| match which {
            0 => vec![relation.equal],
            1 => vec![relation.less],
            _ => vec![relation.less_or_equal(aig)],
        };
        cases.push(binary(op, move |aig, _, x, y| {
            let relation = relate_unpacked(aig, x, y);
            choose(aig, relation)
        }));
        let mut on_patterns = binary(op, |_, _, _, _| Word::new());
        on_patterns.name += " of patterns";
        on_patterns.circuit = Box::new(move |aig, format, words| {
            let relation = if format.has_integer_bit() {
                let (x, y) = (unpack(aig, format, &words[0]), unpack(aig, format, &words[1]));
                relate_unpacked(aig, &x, &y)
            } else {
                relate_patterns(aig, format, &words[0], &words[1])
            };
            choose(aig, relation)
        });
        cases.push(on_patterns);
    }
    cases
}

fn classes() -> Vec<Case> {
    let flags: [(UnaryOp, Flag); 4] = [
        (UnaryOp::FloatIsNan, |class| class.nan),
        (UnaryOp::FloatIsInf, |class| class.infinite),
        (UnaryOp::FloatIsZero, |class| class.zero),
        (UnaryOp::FloatIsNormal, |class| class.normal),
    ];
    let mut cases = Vec::new();
    for (op, flag) in flags {
        cases.push(unary(
            op,
            |_| Sort::Bool,
            move |aig, format, x| {
                let normal = x.normal(aig, format);
                vec![flag(Class { nan: x.nan, infinite: x.infinite, zero: x.zero, normal })]
            },
        ));
        let mut on_patterns = unary(op, |_| Sort::Bool, |_, _, _| Word::new());
        on_patterns.name += " of patterns";
        on_patterns.circuit = Box::new(move |aig, format, words| vec![flag(classify(aig, format, &words[0]))]);
        cases.push(on_patterns);
    }
    cases
}

fn unaries() -> Vec<Case> {
    let mut cases = classes();
    let modes = [
        (UnaryOp::FloatFloor, Mode::Floor),
        (UnaryOp::FloatCeil, Mode::Ceil),
        (UnaryOp::FloatTrunc, Mode::Truncate),
        (UnaryOp::FloatRound, Mode::NearestAway),
        (UnaryOp::FloatRint, Mode::NearestEven),
    ];
    for (op, mode) in modes {
        cases.push(unary(op, Sort::Float, move |aig, format, x| {
            let result = to_integral(aig, format, x, mode);
            pack(aig, format, &result)
        }));
    }
    cases.push(unary(UnaryOp::FloatSqrt, Sort::Float, |aig, format, x| {
        let result = multiply::square_root(aig, format, x);
        pack(aig, format, &result)
    }));
    for width in [1, 2, 3, 8, 16, 32, 64, 128] {
        let sort = move |_| Sort::Bv(width);
        let circuit = move |aig: &mut Aig, _, x: &Unpacked| convert::to_signed(aig, x, width as usize);
        cases.push(unary(UnaryOp::FloatToSigned, sort, circuit));
    }
    let tiny = |exponent, significand| Format::ieee(exponent, significand).unwrap();
    let formats = [Format::F16, Format::F32, Format::F64, Format::X87, tiny(2, 3), tiny(3, 2), tiny(2, 6), tiny(5, 3)];
    for to in formats {
        let circuit = move |aig: &mut Aig, format: Format, x: &Unpacked| {
            let result = convert::to_format(aig, format, to, x);
            pack(aig, to, &result)
        };
        cases.push(unary(UnaryOp::FloatToFloat, move |_| Sort::Float(to), circuit));
    }
    cases
}

fn check(case: &Case, format: Format, rows: &mut dyn FnMut() -> Option<Vec<[u128; 3]>>) {
    let mut aig = Aig::new();
    let width = format.width() as usize;
    let words: Vec<Word> = (0..case.arity).map(|_| aig.inputs(width)).collect();
    let result = (case.circuit)(&mut aig, format, &words);
    while let Some(rows) = rows() {
        let patterns: Vec<u64> = (0..case.arity)
            .flat_map(|i| transpose(&rows.iter().map(|row| row[i]).collect::<Vec<_>>(), width))
            .collect();
        let mut next = patterns.iter();
        let simulation = Simulation::run(&aig, |_| *next.next().unwrap());
        for (at, row) in rows.iter().enumerate() {
            let expected = (case.meaning)(format, &row[..case.arity]);
            let found = read(&simulation, &result, at);
            let operands = &row[..case.arity];
            assert_eq!(
                found, expected,
                "{} on {format}: {operands:#x?} gives {found:#x}, not {expected:#x}",
                case.name
            );
        }
    }
}

/// Every combination of patterns, in groups of sixty-four.
fn exhaustively(case: &Case, format: Format) {
    let width = format.width();
    let all = 1u64 << (width * case.arity as u32);
    let mut next = 0;
    check(case, format, &mut || {
        let group: Vec<[u128; 3]> = (next..all.min(next + 64))
            .map(|number| [0, 1, 2].map(|i| (number >> (i * width) & ((1 << width) - 1)) as u128))
            .collect();
        next += 64;
        (!group.is_empty()).then_some(group)
    });
}

fn tiny_formats() -> Vec<Format> {
    [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 3), (2, 5)]
        .into_iter()
        .filter_map(|(exponent, significand)| Format::ieee(exponent, significand))
        .collect()
}

#[test]
fn tiny_formats_on_every_pattern() {
    for format in tiny_formats() {
        for case in unaries().iter().chain(&arithmetic()).chain(&picks()).chain(&comparisons()) {
            // Differing formats only: there are no conversions between equal ones.
            let same = case.name == format!("FloatToFloat to {format}");
            if !same && (case.arity < 3 || format.width() <= 5) {
                exhaustively(case, format);
            }
        }
    }
}

fn draw(random: &mut Random, format: Format, other: u128) -> u128 {
    let mask = u128::MAX >> (128 - format.width());
    let fraction = (1u128 << format.stored_significand_bits()) - 1;
    let sign = if random.below(2) == 0 { format.sign_mask() } else { 0 };
    let pattern = match random.below(12) {
        0 => 0,
        1 => format.infinity(false),
        2 => format.canonical_nan() ^ random.below(2) as u128,
        // Around one, so that integers and fractions are common.
        3 | 4 => {
            let near = format.bias() as u128 - 4 + random.below(80) as u128;
            near.min((1 << format.exponent_bits()) - 1) << format.stored_significand_bits() | random.wide() & fraction
        }
        // Subnormal.
        5 => random.wide() & fraction >> random.below(format.significand_bits() as u64),
        // Near the other operand.
        6 | 7 => other.wrapping_add(random.below(9) as u128).wrapping_sub(4),
        8 => other ^ 1 << random.below(format.width() as u64),
        // Few bits.
        9 => {
            let bits = fraction >> random.below(format.significand_bits() as u64);
            random.wide() & !bits
        }
        10 => random.wide() & !fraction | random.below(4) as u128,
        _ => random.wide(),
    };
    // x87 patterns mostly with the integer bit that belongs there.
    let usual = format.has_integer_bit() && random.below(8) != 0;
    let integer = 1u128 << (format.significand_bits() - 1);
    let has_exponent = pattern >> format.stored_significand_bits() & ((1 << format.exponent_bits()) - 1) != 0;
    let pattern = match (usual, has_exponent) {
        (false, _) => pattern,
        (true, true) => pattern | integer,
        (true, false) => pattern & !integer,
    };
    (pattern ^ sign) & mask
}

fn randomly(case: &Case, format: Format, groups: u64, seed: u64) {
    let mut random = Random::new(seed);
    let mut left = groups;
    check(case, format, &mut || {
        left = left.checked_sub(1)?;
        Some(
            (0..64)
                .map(|_| {
                    let x = draw(&mut random, format, 0);
                    let y = draw(&mut random, format, x);
                    let z = draw(&mut random, format, y);
                    [x, y, z]
                })
                .collect(),
        )
    });
}

fn rounds(usual: u64) -> u64 {
    std::env::var("PLUMB_FLOAT_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn real_formats_on_random_patterns() {
    for format in [Format::F16, Format::F32, Format::F64, Format::X87] {
        for case in unaries().iter().chain(&arithmetic()).chain(&picks()).chain(&comparisons()) {
            let remainder = case.name.contains("Rem");
            let same = case.name == format!("FloatToFloat to {format}");
            if same || remainder && remainder::rows(format) > 300 {
                continue;
            }
            randomly(case, format, rounds(40) / if remainder { 4 } else { 1 }, 11);
        }
    }
}

#[test]
fn remainders_of_double_precision() {
    for case in arithmetic().iter().filter(|case| case.name.contains("Rem")) {
        randomly(case, Format::F64, rounds(40) / 40, 12);
    }
}

#[test]
fn integers_to_floats() {
    let mut random = Random::new(5);
    let tiny: Vec<Format> = tiny_formats();
    for format in tiny.into_iter().chain([Format::F16, Format::F32, Format::F64, Format::X87]) {
        for width in [1u32, 2, 5, 8, 24, 25, 32, 53, 64, 65, 128] {
            for (op, signed) in [(UnaryOp::SignedToFloat, true), (UnaryOp::UnsignedToFloat, false)] {
                let mut aig = Aig::new();
                let word = aig.inputs(width as usize);
                let number = convert::from_integer(&mut aig, format, &word, signed);
                let result = pack(&mut aig, format, &number);
                for _ in 0..rounds(8).div_ceil(4) {
                    let mask = u128::MAX >> (128 - width);
                    let values: Vec<u128> = (0..64)
                        .map(|_| match random.below(4) {
                            0 => random.wide() & mask,
                            1 => random.wide() >> random.below(128) & mask,
                            2 => (random.wide() >> random.below(128)).wrapping_neg() & mask,
                            // Long runs of ones round up into the next power of two.
                            _ => (1u128 << random.below(128)).wrapping_sub(random.below(4) as u128) & mask,
                        })
                        .collect();
                    let patterns = transpose(&values, width as usize);
                    let mut next = patterns.iter();
                    let simulation = Simulation::run(&aig, |_| *next.next().unwrap());
                    for (at, &value) in values.iter().enumerate() {
                        let operand = Value::Bv(BitVec::new(width, value));
                        let expected = bits_of(eval::unary(op, &operand, Sort::Float(format)));
                        assert_eq!(
                            read(&simulation, &result, at),
                            expected,
                            "{op:?} {value:#x} of {width} to {format}"
                        );
                    }
                }
            }
        }
    }
}

/// A third opinion for the basic operations: LLVM's soft floats, in formats of our own.
mod apfloat {
    use super::*;
    use rustc_apfloat::Float;
    use rustc_apfloat::ieee::{IeeeFloat, Semantics};

    macro_rules! semantics {
        ($name:ident, $exponent:literal, $significand:literal) => {
            struct $name;
            impl Semantics for $name {
                const BITS: usize = $exponent + $significand;
                const EXP_BITS: usize = $exponent;
            }
        };
    }
    semantics!(S23, 2, 3);
    semantics!(S34, 3, 4);
    semantics!(S43, 4, 3);

    fn agree<S: Semantics>(format: Format) {
        let bits = |value: IeeeFloat<S>| if value.is_nan() { format.canonical_nan() } else { value.to_bits() };
        let of = |pattern: u128| IeeeFloat::<S>::from_bits(pattern);
        for case in arithmetic().iter().filter(|case| !case.name.contains("Rem")) {
            let mut aig = Aig::new();
            let width = format.width() as usize;
            let words: Vec<Word> = (0..case.arity).map(|_| aig.inputs(width)).collect();
            let result = (case.circuit)(&mut aig, format, &words);
            let mut random = Random::new(9);
            for _ in 0..200 {
                let rows: Vec<[u128; 3]> =
                    (0..64).map(|_| [(); 3].map(|()| random.below(1 << width) as u128)).collect();
                let patterns: Vec<u64> = (0..case.arity)
                    .flat_map(|i| transpose(&rows.iter().map(|row| row[i]).collect::<Vec<_>>(), width))
                    .collect();
                let mut next = patterns.iter();
                let simulation = Simulation::run(&aig, |_| *next.next().unwrap());
                for (at, &[x, y, z]) in rows.iter().enumerate() {
                    let expected = match case.name.as_str() {
                        "FloatAdd" => (of(x) + of(y)).value,
                        "FloatMul" => (of(x) * of(y)).value,
                        "FloatDiv" => (of(x) / of(y)).value,
                        _ => of(x).mul_add(of(y), of(z)).value,
                    };
                    assert_eq!(read(&simulation, &result, at), bits(expected), "{} {x:#x} {y:#x} {z:#x}", case.name);
                }
            }
        }
    }

    #[test]
    fn basic_operations_agree() {
        agree::<S23>(Format::ieee(2, 3).unwrap());
        agree::<S34>(Format::ieee(3, 4).unwrap());
        agree::<S43>(Format::ieee(4, 3).unwrap());
    }
}
