//! What constructors return has the value that the operators compute, and stays small where it should.

mod random;

use plumb_term::{
    Assignment, BinaryOp, BitVec, Evaluator, Format, Sort, TermId, Terms, UnaryOp, Value, eval, exchange,
};
use random::{Garden, Palette};

const TINY: Format = match Format::ieee(3, 3) {
    Some(format) => format,
    None => Format::F16,
};
const SMALL: Format = match Format::ieee(5, 8) {
    Some(format) => format,
    None => Format::F16,
};

fn grow(palette: &Palette, seeds: u64, size: usize) {
    for seed in 0..seeds {
        let mut garden = Garden::new(seed, palette, 6);
        for _ in 0..size {
            garden.grow();
        }
        garden.check();
    }
}

#[test]
fn random_bit_vectors_keep_their_values() {
    grow(&Palette { widths: &[1, 2, 3, 4, 8], formats: &[], arrays: &[] }, 3000, 120);
    grow(&Palette { widths: &[8, 16, 32, 64, 96, 128, 160], formats: &[], arrays: &[] }, 500, 150);
}

#[test]
fn random_floats_keep_their_values() {
    let palette = Palette { widths: &[3, 6, 13, 16], formats: &[TINY, SMALL], arrays: &[] };
    grow(&palette, 2000, 120);
    let palette = Palette { widths: &[8, 32, 64, 80], formats: &[Format::F32, Format::F64, Format::X87], arrays: &[] };
    grow(&palette, 1000, 150);
}

#[test]
fn random_arrays_keep_their_values() {
    grow(&Palette { widths: &[2, 3, 4], formats: &[], arrays: &[(2, 3), (3, 4)] }, 3000, 120);
    grow(&Palette { widths: &[1, 8, 32], formats: &[], arrays: &[(32, 8), (1, 8)] }, 500, 200);
}

/// What is written as lines and read again has the same values.
#[test]
fn random_terms_survive_as_text() {
    let palette =
        Palette { widths: &[1, 3, 8, 32, 160], formats: &[TINY, Format::F32, Format::X87], arrays: &[(3, 8), (32, 8)] };
    for seed in 0..300 {
        let mut garden = Garden::new(seed, &palette, 4);
        for _ in 0..150 {
            garden.grow();
        }
        let mut writer = exchange::Writer::new();
        let numbers: Vec<u32> = garden.entries.iter().map(|entry| writer.line(&garden.terms, entry.term)).collect();
        let found = exchange::read(&mut garden.terms, &writer.into_lines()).unwrap();
        for (entry, number) in garden.entries.iter_mut().zip(numbers) {
            entry.term = found[number as usize];
        }
        garden.check();
    }
}

/// Operands of every shape that rules look at, over two symbols of the width and one condition.
fn shapes(terms: &mut Terms, width: u32) -> Vec<TermId> {
    let (x, y) = (terms.symbol("x", Sort::Bv(width)), terms.symbol("y", Sort::Bv(width)));
    let c = terms.symbol("c", Sort::Bool);
    let constants: Vec<TermId> = (0..1 << width).map(|value| terms.bv(width, value)).collect();
    let mut shapes = vec![x, y];
    shapes.extend(&constants);
    shapes.extend([terms.bv_not(x), terms.bv_neg(x), terms.bv_neg(y), terms.bv_sub(x, y), terms.bv_add(x, y)]);
    shapes.extend([terms.bv_and(x, y), terms.bv_or(x, y), terms.bv_xor(x, y), terms.bv_mul(x, y)]);
    for &constant in &constants {
        shapes.extend([terms.bv_add(x, constant), terms.bv_sub(constant, x), terms.bv_mul(x, constant)]);
        shapes.extend([terms.bv_and(x, constant), terms.bv_or(x, constant), terms.bv_xor(x, constant)]);
        shapes.extend([terms.ite(c, constant, constants[1]), terms.ite(c, x, constant)]);
    }
    shapes.push(terms.ite(c, x, y));
    for narrow in 1..width {
        for symbol in [x, y] {
            let low = terms.extract(symbol, narrow - 1, 0);
            let high = terms.extract(symbol, width - 1, width - narrow);
            shapes.extend([terms.zero_extend(low, width), terms.sign_extend(high, width)]);
            let zeros = terms.bv(width - narrow, 0);
            shapes.push(terms.concat(low, zeros));
        }
    }
    shapes.sort_unstable();
    shapes.dedup();
    shapes
}

/// Every assignment to the symbols of `shapes`.
fn assignments(terms: &mut Terms, width: u32) -> Vec<Assignment> {
    let symbols = ["x", "y"].map(|name| terms.symbol(name, Sort::Bv(width))).map(|term| terms.as_symbol(term).unwrap());
    let condition = terms.symbol("c", Sort::Bool);
    let condition = terms.as_symbol(condition).unwrap();
    let mut list = Vec::new();
    for x in 0..1u128 << width {
        for y in 0..1u128 << width {
            for c in [false, true] {
                let mut assignment = Assignment::new();
                assignment.set(symbols[0], Value::Bv(BitVec::new(width, x)));
                assignment.set(symbols[1], Value::Bv(BitVec::new(width, y)));
                assignment.set(condition, Value::Bool(c));
                list.push(assignment);
            }
        }
    }
    list
}

/// All binary operators on all pairs of shapes; on every assignment up to width 3, on every 7th for width 4.
#[test]
fn binary_operators_on_all_shapes_and_values() {
    type Build = fn(&mut Terms, TermId, TermId) -> TermId;
    let operators: [(BinaryOp, Build); 17] = [
        (BinaryOp::BvAnd, Terms::bv_and),
        (BinaryOp::BvOr, Terms::bv_or),
        (BinaryOp::BvXor, Terms::bv_xor),
        (BinaryOp::BvAdd, Terms::bv_add),
        (BinaryOp::BvSub, Terms::bv_sub),
        (BinaryOp::BvMul, Terms::bv_mul),
        (BinaryOp::BvUdiv, Terms::bv_udiv),
        (BinaryOp::BvUrem, Terms::bv_urem),
        (BinaryOp::BvSdiv, Terms::bv_sdiv),
        (BinaryOp::BvSrem, Terms::bv_srem),
        (BinaryOp::BvShl, Terms::bv_shl),
        (BinaryOp::BvLshr, Terms::bv_lshr),
        (BinaryOp::BvAshr, Terms::bv_ashr),
        (BinaryOp::BvUlt, Terms::bv_ult),
        (BinaryOp::BvSlt, Terms::bv_slt),
        (BinaryOp::Eq, Terms::eq),
        (BinaryOp::Concat, Terms::concat),
    ];
    for width in 1..=4 {
        let mut terms = Terms::new();
        let shapes = shapes(&mut terms, width);
        let assignments = assignments(&mut terms, width);
        let mut built = Vec::new();
        for (op, build) in operators {
            for &a in &shapes {
                for &b in &shapes {
                    built.push((op, a, b, build(&mut terms, a, b)));
                }
            }
        }
        let step = if width < 4 { 1 } else { 37 };
        for assignment in assignments.iter().step_by(step) {
            let mut evaluator = Evaluator::new(assignment);
            for &(op, a, b, term) in &built {
                let expected = eval::binary(op, &evaluator.value(&terms, a), &evaluator.value(&terms, b));
                let found = evaluator.value(&terms, term);
                let kinds = (terms.kind(a), terms.kind(b));
                assert_eq!(found, expected, "{op:?} of {kinds:?} in {width} bits became {:?}", terms.kind(term));
            }
        }
    }
}

/// Unary operators, extensions and slices on all shapes up to 8 bits.
#[test]
fn unary_operators_on_all_shapes_and_values() {
    for width in 1..=8 {
        let mut terms = Terms::new();
        let shapes = shapes(&mut terms, width);
        let assignments = assignments(&mut terms, width);
        let step = (assignments.len() / 500).max(1);
        let mut built = Vec::new();
        for &a in &shapes {
            built.push((a, terms.bv_not(a), UnaryOp::BvNot, Sort::Bv(width)));
            built.push((a, terms.bv_neg(a), UnaryOp::BvNeg, Sort::Bv(width)));
            for wide in width + 1..=width + 2 {
                built.push((a, terms.zero_extend(a, wide), UnaryOp::ZeroExtend, Sort::Bv(wide)));
                built.push((a, terms.sign_extend(a, wide), UnaryOp::SignExtend, Sort::Bv(wide)));
            }
        }
        let mut slices = Vec::new();
        for &a in &shapes {
            for hi in 0..width {
                for lo in [0, hi / 2, hi] {
                    slices.push((a, terms.extract(a, hi, lo), hi, lo));
                }
            }
        }
        for assignment in assignments.iter().step_by(step) {
            let mut evaluator = Evaluator::new(assignment);
            for &(a, term, op, sort) in &built {
                let expected = eval::unary(op, &evaluator.value(&terms, a), sort);
                assert_eq!(evaluator.value(&terms, term), expected, "{op:?} of {:?}", terms.kind(a));
            }
            for &(a, term, hi, lo) in &slices {
                let expected = Value::Bv(evaluator.value(&terms, a).as_bits().unwrap().extract(hi, lo));
                assert_eq!(evaluator.value(&terms, term), expected, "bits {hi} to {lo} of {:?}", terms.kind(a));
            }
        }
    }
}

/// `(float)((double)x op (double)y)` is done in the narrow format, and rightly so: every pair of a tiny format.
#[test]
fn narrowed_operations_round_once() {
    type Build = fn(&mut Terms, TermId, TermId) -> TermId;
    let operators: [(BinaryOp, Build); 3] = [
        (BinaryOp::FloatAdd, Terms::float_add),
        (BinaryOp::FloatMul, Terms::float_mul),
        (BinaryOp::FloatDiv, Terms::float_div),
    ];
    for (narrow, wide) in [(TINY, SMALL), (Format::ieee(4, 4).unwrap(), Format::ieee(6, 10).unwrap())] {
        let float = |bits: u128| Value::Float(narrow, BitVec::new(narrow.width(), bits));
        let widened = |value: &Value| eval::unary(UnaryOp::FloatToFloat, value, Sort::Float(wide));
        let narrowed = |value: &Value| eval::unary(UnaryOp::FloatToFloat, value, Sort::Float(narrow));
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Float(narrow)), terms.symbol("y", Sort::Float(narrow)));
        for (op, build) in operators {
            let (a, b) = (terms.float_to_float(x, wide), terms.float_to_float(y, wide));
            let result = build(&mut terms, a, b);
            let result = terms.float_to_float(result, narrow);
            assert_eq!(result, build(&mut terms, x, y), "the rule applies");
            for a in 0..1 << narrow.width() {
                for b in 0..1 << narrow.width() {
                    let expected = narrowed(&eval::binary(op, &widened(&float(a)), &widened(&float(b))));
                    assert_eq!(eval::binary(op, &float(a), &float(b)), expected, "{op:?} of {a:#x} and {b:#x}");
                }
            }
        }
        for a in 0..1 << narrow.width() {
            let root = |value: &Value| eval::unary(UnaryOp::FloatSqrt, value, value.sort());
            assert_eq!(root(&float(a)), narrowed(&root(&widened(&float(a)))));
        }
    }
}
