//! What the rules are for: shapes that programs make, and what becomes of them.

use plumb_term::{Format, Kind, Sort, TermId, Terms};

fn bits<const N: usize>(terms: &mut Terms, names: [&str; N], width: u32) -> [TermId; N] {
    names.map(|name| terms.symbol(name, Sort::Bv(width)))
}

fn bools<const N: usize>(terms: &mut Terms, names: [&str; N]) -> [TermId; N] {
    names.map(|name| terms.symbol(name, Sort::Bool))
}

#[test]
fn states_of_a_machine_give_back_their_conditions() {
    let mut terms = Terms::new();
    let [c, d] = bools(&mut terms, ["c", "d"]);
    let [x] = bits(&mut terms, ["x"], 32);
    let [three, five, seven] = [3, 5, 7].map(|value| terms.bv(32, value));
    let state = terms.ite(c, three, five);
    assert_eq!(terms.eq(state, three), c);
    let not_c = terms.not(c);
    assert_eq!(terms.eq(state, five), not_c);
    assert_eq!(terms.eq(state, seven), TermId::FALSE);
    // A longer chain, and one that ends in something unknown.
    let state = terms.ite(d, seven, state);
    let expected = terms.not(d);
    let expected = terms.and(expected, c);
    assert_eq!(terms.eq(state, three), expected);
    let open = terms.ite(c, three, x);
    let (is_three, is_five) = (terms.eq(x, three), terms.eq(x, five));
    assert_eq!(terms.eq(open, three), terms.or(c, is_three));
    assert_eq!(terms.eq(open, five), terms.and(not_c, is_five));
    // Through arithmetic and casts.
    let next = terms.bv_add(state, five);
    let narrow = terms.extract(next, 7, 0);
    let twelve = terms.bv(8, 12);
    assert_eq!(terms.eq(narrow, twelve), d);
    assert_eq!(terms.bv_ult(state, three), TermId::FALSE);
}

#[test]
fn comparisons_of_long_chains_stay_short() {
    let mut terms = Terms::new();
    let [mut state] = bits(&mut terms, ["state"], 32);
    let zero = terms.bv(32, 0);
    let mut grown = Vec::new();
    for iteration in 0..2000 {
        let before = terms.len();
        let input = terms.symbol(&format!("input{iteration}"), Sort::Bool);
        let value = terms.bv(32, iteration % 5);
        state = terms.ite(input, value, state);
        terms.eq(state, zero);
        grown.push(terms.len() - before);
    }
    assert!(grown[10..].iter().all(|count| *count <= 6), "{:?}", grown.iter().max());
}

/// Two variables that are assigned under the same conditions: comparing them is no tree of all paths.
#[test]
fn comparisons_of_diamonds_stay_short() {
    let mut terms = Terms::new();
    let [mut x, mut y] = bits(&mut terms, ["x", "y"], 32);
    let [one, two] = [1, 2].map(|value| terms.bv(32, value));
    for iteration in 0..60 {
        let input = terms.symbol(&format!("input{iteration}"), Sort::Bool);
        for variable in [&mut x, &mut y] {
            let (yes, no) = (terms.bv_add(*variable, one), terms.bv_add(*variable, two));
            *variable = terms.ite(input, yes, no);
        }
    }
    let before = terms.len();
    terms.eq(x, y);
    assert!(terms.len() - before < 200, "{} terms", terms.len() - before);
}

#[test]
fn truth_values_of_c_are_truth_values() {
    let mut terms = Terms::new();
    let [c, d] = bools(&mut terms, ["c", "d"]);
    let (one, other) = (terms.bool_to_bv(c, 32), terms.bool_to_bv(d, 32));
    let joined = terms.bv_and(one, other);
    let both = terms.and(c, d);
    assert_eq!(terms.bv_to_bool(joined), both);
    let joined = terms.bv_or(one, other);
    let any = terms.or(c, d);
    assert_eq!(terms.bv_to_bool(joined), any);
    let joined = terms.bv_xor(one, other);
    let differ = terms.xor(c, d);
    assert_eq!(terms.bv_to_bool(joined), differ);
    assert_eq!(terms.eq(one, other), terms.iff(c, d));
}

#[test]
fn bytes_put_together_are_the_value() {
    let mut terms = Terms::new();
    let [x] = bits(&mut terms, ["x"], 32);
    let bytes = [0, 8, 16, 24].map(|lo| terms.extract(x, lo + 7, lo));
    let mut joined = bytes[0];
    for byte in &bytes[1..] {
        joined = terms.concat(*byte, joined);
    }
    assert_eq!(joined, x);
    // As C writes it: shifts and ors of promoted bytes.
    let mut joined = terms.bv(32, 0);
    for (i, byte) in bytes.iter().enumerate() {
        let (wide, count) = (terms.zero_extend(*byte, 32), terms.bv(32, i as u128 * 8));
        let shifted = terms.bv_shl(wide, count);
        joined = terms.bv_or(joined, shifted);
    }
    assert_eq!(joined, x);
    let swapped = terms.bv_bswap(x);
    assert_eq!(terms.bv_bswap(swapped), x);
}

#[test]
fn promotions_are_undone() {
    let mut terms = Terms::new();
    let [a, b] = bits(&mut terms, ["a", "b"], 8);
    let (wide_a, wide_b) = (terms.zero_extend(a, 32), terms.zero_extend(b, 32));
    let (signed_a, signed_b) = (terms.sign_extend(a, 32), terms.sign_extend(b, 32));
    let expected = terms.bv_ult(a, b);
    assert_eq!(terms.bv_slt(wide_a, wide_b), expected);
    let expected = terms.bv_slt(a, b);
    assert_eq!(terms.bv_slt(signed_a, signed_b), expected);
    let (big, minus) = (terms.bv(32, 300), terms.bv_signed(32, -1));
    assert_eq!(terms.bv_slt(wide_a, big), TermId::TRUE);
    assert_eq!(terms.eq(wide_a, big), TermId::FALSE);
    assert_eq!(terms.bv_slt(wide_a, minus), TermId::FALSE);
    // `(uint8_t)(a + b * 3 + 1)`
    let (three, one) = (terms.bv(32, 3), terms.bv(32, 1));
    let product = terms.bv_mul(wide_b, three);
    let sum = terms.bv_add(wide_a, product);
    let sum = terms.bv_add(sum, one);
    let result = terms.extract(sum, 7, 0);
    let (three, one) = (terms.bv(8, 3), terms.bv(8, 1));
    let product = terms.bv_mul(b, three);
    let expected = terms.bv_add(a, product);
    assert_eq!(result, terms.bv_add(expected, one));
    // `a / 3` for an unsigned char
    let wide_three = terms.bv(32, 3);
    let quotient = terms.bv_sdiv(wide_a, wide_three);
    let narrow = terms.bv_udiv(a, three);
    assert_eq!(quotient, terms.zero_extend(narrow, 32));
}

#[test]
fn sums_keep_one_constant() {
    let mut terms = Terms::new();
    let [x, y] = bits(&mut terms, ["x", "y"], 32);
    let one = terms.bv(32, 1);
    let mut count = x;
    for _ in 0..100 {
        count = terms.bv_add(count, one);
    }
    let hundred = terms.bv(32, 100);
    assert_eq!(count, terms.bv_add(x, hundred));
    let back = terms.bv_sub(count, hundred);
    assert_eq!(back, x);
    let (sum, other) = (terms.bv_add(x, y), terms.bv_add(count, y));
    assert_eq!(terms.bv_sub(other, sum), hundred);
    // Elements of an array: addresses of `a[i]` and `a[i + 1]` differ by the size.
    let (four, next) = (terms.bv(32, 4), terms.bv_add(x, one));
    let (first, second) = (terms.bv_mul(x, four), terms.bv_mul(next, four));
    assert_eq!(terms.bv_sub(second, first), four);
    assert_eq!(terms.eq(second, first), TermId::FALSE);
}

#[test]
fn bounds_join() {
    let mut terms = Terms::new();
    let [x] = bits(&mut terms, ["x"], 32);
    let [three, five] = [3, 5].map(|value| terms.bv(32, value));
    let (is_three, is_five) = (terms.eq(x, three), terms.eq(x, five));
    assert_eq!(terms.and(is_three, is_five), TermId::FALSE);
    let not_five = terms.not(is_five);
    assert_eq!(terms.and(is_three, not_five), is_three);
    assert_eq!(terms.or(not_five, is_three), not_five);
    let (below, less) = (terms.bv_slt(x, three), terms.bv_slt(x, five));
    assert_eq!(terms.and(below, less), below);
    assert_eq!(terms.or(below, less), less);
    let least = terms.bv_sge(x, five);
    assert_eq!(terms.and(least, below), TermId::FALSE);
    let any = terms.or(least, less);
    assert_eq!(any, TermId::TRUE);
}

#[test]
fn memory_is_looked_through() {
    let mut terms = Terms::new();
    let [c] = bools(&mut terms, ["c"]);
    let [i, v] = bits(&mut terms, ["i", "v"], 32);
    let memory = terms.symbol("memory", Sort::Array { index: 32, element: 32 });
    let mut stored = memory;
    for at in 0..100 {
        let (index, value) = (terms.bv(32, at), terms.bv(32, at * at));
        stored = terms.store(stored, index, value);
    }
    let [seven, square, far] = [7, 49, 700].map(|value| terms.bv(32, value));
    assert_eq!(terms.select(stored, seven), square);
    let direct = terms.select(memory, far);
    assert_eq!(terms.select(stored, far), direct);
    // Offsets from one unknown index.
    let next = terms.bv_add(i, seven);
    let written = terms.store(memory, i, v);
    assert_eq!(terms.select(written, i), v);
    let direct = terms.select(memory, next);
    assert_eq!(terms.select(written, next), direct);
    // A join of two memories.
    let joined = terms.ite(c, written, memory);
    assert_eq!(terms.select(joined, next), direct);
    let direct = terms.select(memory, i);
    assert_eq!(terms.select(joined, i), terms.ite(c, v, direct));
    let again = terms.store(written, next, seven);
    let again = terms.store(again, i, square);
    let expected = terms.store(memory, next, seven);
    assert_eq!(again, terms.store(expected, i, square));
}

/// Reading one cell in every iteration of a loop that writes others gives one term, however long the loop runs.
#[test]
fn reads_from_long_histories_stay_the_same() {
    let mut terms = Terms::new();
    let mut memory = terms.symbol("memory", Sort::Array { index: 32, element: 32 });
    let cell = terms.bv(32, 1_000_000);
    let first = terms.select(memory, cell);
    for iteration in 0..3000 {
        let (index, value) = (terms.bv(32, iteration), terms.symbol(&format!("v{iteration}"), Sort::Bv(32)));
        memory = terms.store(memory, index, value);
        assert_eq!(terms.select(memory, cell), first);
    }
}

#[test]
fn floats_lose_detours() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Float(Format::F32)));
    let [i] = bits(&mut terms, ["i"], 32);
    let pattern = terms.float_to_bits(x);
    assert_eq!(terms.float_from_bits(pattern, Format::F32), x);
    let (wide_x, wide_y) = (terms.float_to_float(x, Format::F64), terms.float_to_float(y, Format::F64));
    let sum = terms.float_add(wide_x, wide_y);
    let narrow = terms.float_to_float(sum, Format::F32);
    assert_eq!(narrow, terms.float_add(x, y));
    let less = terms.float_lt(x, y);
    assert_eq!(terms.float_lt(wide_x, wide_y), less);
    let half = terms.f64_const(0.5);
    let compared = terms.float_lt(wide_x, half);
    let half = terms.f32_const(0.5);
    assert_eq!(compared, terms.float_lt(x, half));
    // `(int)(double)i`
    let number = terms.signed_to_float(i, Format::F64);
    assert_eq!(terms.float_to_int(number, true, 32), i);
    let two = terms.f32_const(2.0);
    let quotient = terms.float_div(x, two);
    assert_eq!(quotient, terms.float_mul(x, half));
    let negated = terms.float_neg(x);
    assert_eq!(terms.float_neg(negated), x);
    let (z, w) = (terms.symbol("z", Sort::Bv(32)), terms.symbol("w", Sort::Bv(32)));
    let [c] = bools(&mut terms, ["c"]);
    let (a, b) = (terms.float_from_bits(z, Format::F32), terms.float_from_bits(w, Format::F32));
    let choice = terms.ite(c, a, b);
    assert!(matches!(terms.kind(choice), Kind::Unary(..)));
    let expected = terms.ite(c, z, w);
    assert_eq!(terms.float_to_bits(choice), expected);
}
