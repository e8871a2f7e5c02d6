//! Families of queries with their times, and the speed of bit-blasting.
//!
//! `cargo bench -p plumb-solve --bench queries -- [family] [cadical-option=value ..]`. Fails when an answer is wrong, or when
//! gates are made too slowly.

use plumb_solve::random::Random;
use plumb_solve::{BitSolver, Outcome, Solver};
use plumb_term::{Format, Sort, TermId, Terms};

/// Gates that must be made in a second.
const GATES_PER_SECOND: f64 = 2e6;

/// Seconds of processor time of this thread, which other work on the machine does not stretch.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

struct Bench {
    family: Option<String>,
    options: Vec<(String, i32)>,
}

impl Bench {
    fn from_arguments() -> Bench {
        let mut bench = Bench { family: None, options: Vec::new() };
        for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
            match argument.split_once('=') {
                Some((name, value)) => bench.options.push((name.to_owned(), value.parse().unwrap_or(0))),
                None => bench.family = Some(argument),
            }
        }
        bench
    }

    fn solver(&self) -> BitSolver {
        let mut solver = BitSolver::new();
        for (name, value) in &self.options {
            assert!(solver.set_sat_option(name, *value), "no option {name}");
        }
        solver
    }

    fn wants(&self, family: &str) -> bool {
        self.family.as_ref().is_none_or(|wanted| family.starts_with(wanted.as_str()))
    }

    /// One query in one check.
    fn once(&self, name: &str, expected: Outcome, build: impl Fn(&mut Terms) -> Vec<TermId>) {
        if !self.wants(name) {
            return;
        }
        let mut terms = Terms::new();
        let query = build(&mut terms);
        let mut solver = self.solver();
        let start = seconds();
        for term in query {
            solver.assert(&mut terms, term);
        }
        let outcome = solver.check(&mut terms, &[]);
        self.report(name, start, &solver);
        assert_eq!(outcome, expected, "{name}");
    }

    fn report(&self, name: &str, start: f64, solver: &BitSolver) {
        let stats = solver.stats();
        println!(
            "{name:<34} {:>8.3} s  {:>9} gates {:>9} clauses {:>9} conflicts {:>6} lemmas",
            seconds() - start,
            stats.gates,
            stats.clauses,
            stats.conflicts,
            stats.lemmas,
        );
    }
}

fn symbols(terms: &mut Terms, count: usize, sort: Sort) -> Vec<TermId> {
    (0..count).map(|i| terms.symbol(&format!("x{i}"), sort)).collect()
}

/// `(a + b) * c != a * c + b * c`.
fn distributivity(terms: &mut Terms, width: u32) -> Vec<TermId> {
    let x = symbols(terms, 3, Sort::Bv(width));
    let sum = terms.bv_add(x[0], x[1]);
    let left = terms.bv_mul(sum, x[2]);
    let (p, q) = (terms.bv_mul(x[0], x[2]), terms.bv_mul(x[1], x[2]));
    let right = terms.bv_add(p, q);
    vec![terms.ne(left, right)]
}

/// Two factors, both greater than one, of a product of two primes.
fn factors(terms: &mut Terms, width: u32, product: u128) -> Vec<TermId> {
    let x = symbols(terms, 2, Sort::Bv(width));
    let wide: Vec<TermId> = x.iter().map(|&x| terms.zero_extend(x, 2 * width)).collect();
    let (multiplied, number) = (terms.bv_mul(wide[0], wide[1]), terms.bv(2 * width, product));
    let one = terms.bv(width, 1);
    let mut query = vec![terms.eq(multiplied, number)];
    for x in x {
        query.push(terms.bv_ult(one, x));
    }
    query
}

/// Sums of the same numbers, one in the usual way and one by bitwise means, in opposite order.
fn adder_chain(terms: &mut Terms, count: usize, width: u32) -> Vec<TermId> {
    let x = symbols(terms, count, Sort::Bv(width));
    let left = x[1..].iter().fold(x[0], |sum, &x| terms.bv_add(sum, x));
    let right = x[..count - 1].iter().rev().fold(x[count - 1], |sum, &x| {
        let (or, and) = (terms.bv_or(sum, x), terms.bv_and(sum, x));
        terms.bv_add(or, and)
    });
    vec![terms.ne(left, right)]
}

/// `q * y + r != x` for quotient and rest of `x` by `y`.
fn division(terms: &mut Terms, width: u32) -> Vec<TermId> {
    let x = symbols(terms, 2, Sort::Bv(width));
    let (quotient, rest) = (terms.bv_udiv(x[0], x[1]), terms.bv_urem(x[0], x[1]));
    let product = terms.bv_mul(quotient, x[1]);
    let sum = terms.bv_add(product, rest);
    vec![terms.ne(sum, x[0])]
}

fn between(terms: &mut Terms, low: TermId, x: TermId, high: TermId) -> TermId {
    let (above, below) = (terms.float_le(low, x), terms.float_le(x, high));
    terms.and(above, below)
}

fn float_constant(terms: &mut Terms, format: Format, value: u64) -> TermId {
    let integer = terms.bv(64, value as u128);
    terms.unsigned_to_float(integer, format)
}

/// Numbers within bounds whose sum, or product, leaves the sum or product of the bounds.
fn float_bounds(terms: &mut Terms, format: Format, product: bool) -> Vec<TermId> {
    let x = symbols(terms, 2, Sort::Float(format));
    let (zero, hundred) = (float_constant(terms, format, 0), float_constant(terms, format, 100));
    let mut query: Vec<TermId> = x.iter().map(|&x| between(terms, zero, x, hundred)).collect();
    let (result, bound) = if product {
        (terms.float_mul(x[0], x[1]), float_constant(terms, format, 10_000))
    } else {
        (terms.float_add(x[0], x[1]), float_constant(terms, format, 200))
    };
    let inside = between(terms, zero, result, bound);
    query.push(terms.not(inside));
    query
}

/// A first-order filter whose output leaves the range of its inputs after some steps.
fn float_filter(terms: &mut Terms, format: Format, steps: usize) -> Vec<TermId> {
    let inputs = symbols(terms, steps, Sort::Float(format));
    let (zero, ten) = (float_constant(terms, format, 0), float_constant(terms, format, 10));
    let half = {
        let two = float_constant(terms, format, 2);
        let one = float_constant(terms, format, 1);
        terms.float_div(one, two)
    };
    let mut query: Vec<TermId> = inputs.iter().map(|&x| between(terms, zero, x, ten)).collect();
    let mut state = zero;
    for &input in &inputs {
        let sum = terms.float_add(state, input);
        state = terms.float_mul(sum, half);
    }
    let inside = between(terms, zero, state, ten);
    query.push(terms.not(inside));
    query
}

/// Swaps at symbolic places, undone in opposite order, seen at one more place.
fn array_swaps(terms: &mut Terms, count: usize) -> Vec<TermId> {
    let places = symbols(terms, 2 * count, Sort::Bv(32));
    let start = terms.symbol("array", Sort::Array { index: 32, element: 8 });
    let swap = |terms: &mut Terms, array: TermId, i: TermId, j: TermId| {
        let (x, y) = (terms.select(array, i), terms.select(array, j));
        let array = terms.store(array, i, y);
        terms.store(array, j, x)
    };
    let there = places.chunks(2).fold(start, |array, pair| swap(terms, array, pair[0], pair[1]));
    let back = places.chunks(2).rev().fold(there, |array, pair| swap(terms, array, pair[1], pair[0]));
    let at = terms.symbol("at", Sort::Bv(32));
    let (x, y) = (terms.select(start, at), terms.select(back, at));
    vec![terms.ne(x, y)]
}

/// Sorts an array of symbols by exchanges and asks for two elements out of order.
fn array_sort(terms: &mut Terms, count: u128) -> Vec<TermId> {
    let mut array = terms.symbol("array", Sort::Array { index: 32, element: 16 });
    let places: Vec<TermId> = (0..count).map(|i| terms.bv(32, i)).collect();
    for end in (1..count as usize).rev() {
        for i in 0..end {
            let (x, y) = (terms.select(array, places[i]), terms.select(array, places[i + 1]));
            let ordered = terms.bv_ule(x, y);
            let swapped = terms.store(array, places[i], y);
            let swapped = terms.store(swapped, places[i + 1], x);
            array = terms.ite(ordered, array, swapped);
        }
    }
    let (i, j) = (terms.symbol("i", Sort::Bv(32)), terms.symbol("j", Sort::Bv(32)));
    let limit = terms.bv(32, count);
    let (before, inside) = (terms.bv_ult(i, j), terms.bv_ult(j, limit));
    let (x, y) = (terms.select(array, i), terms.select(array, j));
    let wrong = terms.bv_ult(y, x);
    vec![before, inside, wrong]
}

/// A controller with a table, two counters and a mode, unrolled step by step with a check after each.
fn unrolling(bench: &Bench, name: &str, steps: usize) {
    if !bench.wants(name) {
        return;
    }
    let mut terms = Terms::new();
    let mut solver = bench.solver();
    let start = seconds();
    let word = Sort::Bv(32);
    let zero = terms.bv(32, 0);
    let (mut level, mut fault, mut mode) = (zero, zero, terms.bv(8, 0));
    let mut table = terms.const_array(8, zero);
    let (mut sat, mut unsat) = (0, 0);
    for step in 0..steps {
        let input = terms.symbol(&format!("input{step}"), word);
        let (limit, one, hundred) = (terms.bv(32, 1000), terms.bv(32, 1), terms.bv(32, 100));
        let bounded = terms.bv_ult(input, hundred);
        solver.assert(&mut terms, bounded);
        let index = terms.extract(input, 7, 0);
        let gain = terms.select(table, index);
        let raised = terms.bv_add(level, input);
        let raised = terms.bv_add(raised, gain);
        let high = terms.bv_ult(limit, raised);
        level = terms.ite(high, limit, raised);
        let is_idle = {
            let idle = terms.bv(8, 0);
            terms.eq(mode, idle)
        };
        let counted = terms.bv_add(fault, one);
        let bump = terms.and(high, is_idle);
        fault = terms.ite(bump, counted, fault);
        let next = terms.bv(8, (step % 3 == 0) as u128);
        mode = terms.ite(high, next, mode);
        let product = terms.bv_mul(input, one);
        table = terms.store(table, index, product);
        let many = terms.bv(32, steps as u128 / 4);
        let bad = terms.bv_ult(many, fault);
        match solver.check(&mut terms, &[bad]) {
            Outcome::Sat => sat += 1,
            Outcome::Unsat => unsat += 1,
            Outcome::Unknown(why) => panic!("{why}"),
        }
    }
    bench.report(name, start, &solver);
    assert!(unsat > 0, "{sat} {unsat}");
}

/// Gates per second over a large mix of integer operations.
fn blasting(bench: &Bench) {
    if !bench.wants("blasting") {
        return;
    }
    let mut terms = Terms::new();
    let mut random = Random::new(1);
    let mut words = symbols(&mut terms, 16, Sort::Bv(64));
    for _ in 0..3000 {
        let mut pick = || words[words.len() - 1 - random.below(16) as usize];
        let (a, b) = (pick(), pick());
        let word = match random.below(8) {
            0 => terms.bv_mul(a, b),
            1 | 2 => terms.bv_add(a, b),
            3 => terms.bv_xor(a, b),
            4 => terms.bv_shl(a, b),
            5 => terms.bv_udiv(a, b),
            6 => {
                let less = terms.bv_ult(a, b);
                terms.ite(less, a, b)
            }
            _ => terms.bv_sub(a, b),
        };
        words.push(word);
    }
    let zero = terms.bv(64, 0);
    let last = words[words.len() - 1];
    let goal = terms.eq(last, zero);
    let mut solver = bench.solver();
    solver.set_limits(plumb_solve::Limits { conflicts: Some(0), ..Default::default() });
    let start = seconds();
    solver.assert(&mut terms, goal);
    let _ = solver.check(&mut terms, &[]);
    bench.report("blasting", start, &solver);
    let start = seconds();
    let gates = plumb_solve::bench::gates(&terms, goal);
    let speed = gates as f64 / (seconds() - start);
    println!("blasting alone: {gates} gates, {:.1} million a second", speed / 1e6);
    assert!(cfg!(debug_assertions) || speed > GATES_PER_SECOND, "too slow");
}

fn main() {
    let bench = Bench::from_arguments();
    use Outcome::{Sat, Unsat};
    blasting(&bench);
    bench.once("multiply: distributivity, 6 bits", Unsat, |terms| distributivity(terms, 6));
    bench.once("multiply: factors, 20 bits", Sat, |terms| factors(terms, 20, 821_641 * 935_173));
    bench.once("adders: 6 of 32 bits", Unsat, |terms| adder_chain(terms, 6, 32));
    bench.once("adders: 8 of 16 bits", Unsat, |terms| adder_chain(terms, 8, 16));
    bench.once("division: 8 bits", Unsat, |terms| division(terms, 8));
    bench.once("division: 10 bits", Unsat, |terms| division(terms, 10));
    bench.once("float: sum in bounds, f32", Unsat, |terms| float_bounds(terms, Format::F32, false));
    bench.once("float: sum in bounds, f64", Unsat, |terms| float_bounds(terms, Format::F64, false));
    bench.once("float: product in bounds, f32", Unsat, |terms| float_bounds(terms, Format::F32, true));
    bench.once("float: filter of 3 steps, f32", Unsat, |terms| float_filter(terms, Format::F32, 3));
    bench.once("float: filter of 3 steps, f64", Unsat, |terms| float_filter(terms, Format::F64, 3));
    bench.once("arrays: 4 swaps and back", Unsat, |terms| array_swaps(terms, 4));
    bench.once("arrays: 6 swaps and back", Unsat, |terms| array_swaps(terms, 6));
    bench.once("arrays: 5 sorted", Unsat, |terms| array_sort(terms, 5));
    bench.once("arrays: 6 sorted", Unsat, |terms| array_sort(terms, 6));
    unrolling(&bench, "unrolling: 60 steps", 60);
    unrolling(&bench, "unrolling: 120 steps", 120);
}
