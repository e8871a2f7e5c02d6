//! Integer circuits against direct evaluation: every operand up to eight bits, random ones above.

use super::*;
use crate::aig::simulate::Simulation;
use crate::random::Random;

type Circuit = fn(&mut Aig, &[Lit], &[Lit]) -> Word;
type Meaning = fn(u128, u128, u32) -> u128;

fn signed(value: u128, width: u32) -> i128 {
    ((value << (128 - width)) as i128) >> (128 - width)
}

const OPERATORS: &[(&str, Circuit, Meaning)] = &[
    ("add", add::add, |a, b, _| a.wrapping_add(b)),
    ("subtract", add::subtract, |a, b, _| a.wrapping_sub(b)),
    ("negate", |aig, a, _| add::negate(aig, a), |a, _, _| a.wrapping_neg()),
    ("multiply", |aig, a, b| multiply::multiply(aig, a, b, a.len()), |a, b, _| a.wrapping_mul(b)),
    (
        "multiply by rows",
        |aig, a, b| multiply::by_scheme(aig, a, b, a.len(), multiply::Scheme::Rows),
        |a, b, _| a.wrapping_mul(b),
    ),
    (
        "multiply by columns",
        |aig, a, b| multiply::by_scheme(aig, a, b, a.len(), multiply::Scheme::Columns),
        |a, b, _| a.wrapping_mul(b),
    ),
    ("quotient", |aig, a, b| divide::unsigned(aig, a, b).0, |a, b, _| a.checked_div(b).unwrap_or(u128::MAX)),
    ("remainder", |aig, a, b| divide::unsigned(aig, a, b).1, |a, b, _| a.checked_rem(b).unwrap_or(a)),
    (
        "signed quotient",
        |aig, a, b| divide::signed(aig, a, b).0,
        |a, b, w| match (signed(a, w), signed(b, w)) {
            (x, 0) => (if x < 0 { 1 } else { -1i128 }) as u128,
            (x, y) => x.wrapping_div(y) as u128,
        },
    ),
    (
        "signed remainder",
        |aig, a, b| divide::signed(aig, a, b).1,
        |a, b, w| match (signed(a, w), signed(b, w)) {
            (x, 0) => x as u128,
            (x, y) => x.wrapping_rem(y) as u128,
        },
    ),
    ("left", shift::left, |a, b, w| if b < w as u128 { a << b } else { 0 }),
    ("right", shift::right, |a, b, w| if b < w as u128 { a >> b } else { 0 }),
    ("right signed", shift::right_signed, |a, b, w| (signed(a, w) >> b.min(w as u128 - 1)) as u128),
    ("right sticky", shift::right_sticky, |a, b, w| {
        let (kept, lost) = if b < w as u128 { (a >> b, a & ((1 << b) - 1)) } else { (0, a) };
        kept | (lost != 0) as u128
    }),
    (
        "normalise",
        |aig, a, _| shift::normalise(aig, a).0,
        |a, _, w| if a == 0 { 0 } else { a << (a.leading_zeros() - (128 - w)) },
    ),
    ("equal", |aig, a, b| vec![compare::equal(aig, a, b)], |a, b, _| (a == b) as u128),
    ("less", |aig, a, b| vec![compare::less(aig, a, b)], |a, b, _| (a < b) as u128),
    ("less or equal", |aig, a, b| vec![compare::less_or_equal(aig, a, b)], |a, b, _| (a <= b) as u128),
    ("signed less", |aig, a, b| vec![compare::signed_less(aig, a, b)], |a, b, w| (signed(a, w) < signed(b, w)) as u128),
    (
        "signed less or equal",
        |aig, a, b| vec![compare::signed_less_or_equal(aig, a, b)],
        |a, b, w| (signed(a, w) <= signed(b, w)) as u128,
    ),
];

/// Sixty-four numbers as one word of patterns per bit.
pub(super) fn transpose(values: &[u128], width: usize) -> Vec<u64> {
    (0..width)
        .map(|i| values.iter().enumerate().fold(0, |word, (row, value)| word | ((value >> i & 1) as u64) << row))
        .collect()
}

pub(super) fn read(simulation: &Simulation, word: &[Lit], row: usize) -> u128 {
    word.iter().enumerate().fold(0, |value, (i, &bit)| value | ((simulation.value(bit) >> row & 1) as u128) << i)
}

fn compare_on(aig: &Aig, name: &str, result: &[Lit], pairs: &[(u128, u128)], width: u32, meaning: Meaning) {
    for chunk in pairs.chunks(64) {
        let (xs, ys): (Vec<u128>, Vec<u128>) = chunk.iter().copied().unzip();
        let words = [transpose(&xs, width as usize), transpose(&ys, width as usize)].concat();
        let mut next = words.iter();
        let simulation = Simulation::run(aig, |_| *next.next().unwrap());
        for (row, &(x, y)) in chunk.iter().enumerate() {
            let expected = meaning(x, y, width) & (u128::MAX >> (128 - result.len()));
            assert_eq!(read(&simulation, result, row), expected, "{name} {width} bits: {x:#x} {y:#x}");
        }
    }
}

#[test]
fn every_pair_of_small_numbers() {
    for width in 1..=8u32 {
        let pairs: Vec<(u128, u128)> = (0..1u128 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))).collect();
        for &(name, circuit, meaning) in OPERATORS {
            let mut aig = Aig::new();
            let (a, b) = (aig.inputs(width as usize), aig.inputs(width as usize));
            let result = circuit(&mut aig, &a, &b);
            compare_on(&aig, name, &result, &pairs, width, meaning);
        }
    }
}

fn interesting(random: &mut Random, width: u32) -> u128 {
    let mask = u128::MAX >> (128 - width);
    let value = match random.below(8) {
        0 => 0,
        1 => 1,
        2 => u128::MAX,
        3 => 1 << (width - 1),
        4 => 1 << random.below(width as u64),
        5 => random.below(2 * width as u64) as u128,
        6 => random.wide() >> random.below(128),
        _ => random.wide(),
    };
    value & mask
}

#[test]
fn random_pairs_of_larger_numbers() {
    let mut random = Random::new(3);
    for width in [9, 13, 16, 24, 31, 32, 33, 48, 64, 65, 80, 127, 128] {
        let pairs: Vec<_> =
            (0..512).map(|_| (interesting(&mut random, width), interesting(&mut random, width))).collect();
        for &(name, circuit, meaning) in OPERATORS {
            let mut aig = Aig::new();
            let (a, b) = (aig.inputs(width as usize), aig.inputs(width as usize));
            let result = circuit(&mut aig, &a, &b);
            compare_on(&aig, name, &result, &pairs, width, meaning);
        }
    }
}

/// A constant operand takes other rules and circuits than an input does.
#[test]
fn constant_operands() {
    let mut random = Random::new(4);
    for width in (1..=8).chain([16, 32, 64, 128]) {
        let constants: Vec<u128> = if width <= 5 {
            (0..1 << width).collect()
        } else {
            (0..24).map(|_| interesting(&mut random, width)).collect()
        };
        for value in constants {
            let others: Vec<u128> = (0..64).map(|_| interesting(&mut random, width)).collect();
            for &(name, circuit, meaning) in OPERATORS {
                let fixed = constant(value, width as usize);
                let mut aig = Aig::new();
                let free = aig.inputs(width as usize);
                let result = circuit(&mut aig, &free, &fixed);
                let pairs: Vec<_> = others.iter().map(|&other| (other, 0)).collect();
                check_one(&aig, name, &result, &pairs, width, |x| meaning(x, value, width));
                let mut aig = Aig::new();
                let free = aig.inputs(width as usize);
                let result = circuit(&mut aig, &fixed, &free);
                check_one(&aig, name, &result, &pairs, width, |x| meaning(value, x, width));
            }
        }
    }
}

fn check_one(aig: &Aig, name: &str, result: &[Lit], rows: &[(u128, u128)], width: u32, meaning: impl Fn(u128) -> u128) {
    let xs: Vec<u128> = rows.iter().map(|&(x, _)| x).collect();
    let words = transpose(&xs, width as usize);
    let mut next = words.iter();
    let simulation = Simulation::run(aig, |_| *next.next().unwrap());
    for (row, &x) in xs.iter().enumerate() {
        let expected = meaning(x) & (u128::MAX >> (128 - result.len()));
        assert_eq!(read(&simulation, result, row), expected, "{name} {width} bits, one constant: {x:#x}");
    }
}

#[test]
fn counts_may_be_narrower_than_words() {
    let mut aig = Aig::new();
    let (a, n) = (aig.inputs(9), aig.inputs(2));
    let result = shift::left(&mut aig, &a, &n);
    let words = [transpose(&[0x1ff; 64], 9), transpose(&[3; 64], 2)].concat();
    let mut next = words.iter();
    let simulation = Simulation::run(&aig, |_| *next.next().unwrap());
    assert_eq!(read(&simulation, &result, 0), 0x1f8);
}
