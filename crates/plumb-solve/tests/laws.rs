//! Laws of the default back end on random queries: models satisfy, refutations hold by brute force, cores suffice, and
//! scopes and assumptions mean the same as assertions.

mod generate;

use generate::{Generator, Profile};
use plumb_solve::random::Random;
use plumb_solve::{BitSolver, Outcome, Solver};
use plumb_term::{Assignment, BitVec, Evaluator, Format, Sort, TermId, Terms, Value, free_symbols};

fn rounds(usual: u64) -> u64 {
    std::env::var("PLUMB_SOLVE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn tiny() -> Profile {
    Profile {
        widths: vec![1, 2, 3],
        formats: vec![Format::ieee(2, 2).unwrap(), Format::ieee(2, 3).unwrap()],
        arrays: vec![(1, 2), (2, 1)],
        symbols: 1,
        depth: 4,
        heavy: true,
    }
}

fn small() -> Profile {
    Profile {
        widths: vec![1, 2, 3, 5, 8],
        formats: vec![Format::ieee(3, 4).unwrap(), Format::ieee(4, 3).unwrap()],
        arrays: vec![(2, 3), (5, 2), (8, 8), (5, 5)],
        symbols: 3,
        depth: 4,
        heavy: true,
    }
}

fn bits_of(sort: Sort) -> u32 {
    match sort {
        Sort::Bool => 1,
        Sort::Bv(width) => width,
        Sort::Float(format) => format.width(),
        Sort::Array { index, element } => element << index,
    }
}

fn decode(sort: Sort, bits: u64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(bits & 1 == 1),
        Sort::Bv(width) => Value::Bv(BitVec::new(width, bits as u128)),
        Sort::Float(format) => Value::Float(format, BitVec::new(format.width(), bits as u128)),
        Sort::Array { index, element } => {
            let array = plumb_term::ArrayValue::new(index, BitVec::zero(element));
            let cell = |at: u32| BitVec::new(element, (bits >> (at * element)) as u128);
            Value::Array(
                (0..1 << index).fold(array, |array, at| array.store(&BitVec::new(index, at as u128), &cell(at))),
            )
        }
    }
}

fn holds(terms: &Terms, model: &Assignment, assertions: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new(model);
    assertions.iter().all(|&term| evaluator.holds(terms, term))
}

/// Whether any assignment satisfies all assertions; none if there are too many to try.
fn brute_force(terms: &Terms, assertions: &[TermId]) -> Option<bool> {
    let symbols = free_symbols(terms, assertions);
    let total: u32 = symbols.iter().map(|&symbol| bits_of(terms.symbol_sort(symbol))).sum();
    if total > 12 {
        return None;
    }
    Some((0..1u64 << total).any(|number| {
        let mut model = Assignment::new();
        let mut rest = number;
        for &symbol in &symbols {
            let sort = terms.symbol_sort(symbol);
            model.set(symbol, decode(sort, rest & ((1 << bits_of(sort)) - 1)));
            rest >>= bits_of(sort);
        }
        holds(terms, &model, assertions)
    }))
}

#[test]
fn answers_agree_with_brute_force() {
    let mut random = Random::new(100);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..rounds(1500) {
        let mut terms = Terms::new();
        let profile = tiny();
        let count = 1 + random.below(4);
        let query = Generator { terms: &mut terms, random: &mut random, profile: &profile }.query(count);
        let Some(expected) = brute_force(&terms, &query) else { continue };
        let mut solver = BitSolver::new();
        for &term in &query {
            solver.assert(&mut terms, term);
        }
        let outcome = solver.check(&mut terms, &[]);
        assert_eq!(outcome, if expected { Outcome::Sat } else { Outcome::Unsat }, "round {round}");
        if expected {
            assert!(holds(&terms, solver.model().unwrap(), &query), "round {round}: the model is none");
            sat += 1;
        } else {
            unsat += 1;
        }
    }
    assert!(sat > 100 && unsat > 100, "{sat} {unsat}");
}

/// One solver, many checks: every answer must be that of a solver of its own, whatever was asked before.
#[test]
fn incremental_answers_agree_with_fresh_ones() {
    let mut random = Random::new(200);
    for round in 0..rounds(60) {
        let mut terms = Terms::new();
        let profile = small();
        let mut solver = BitSolver::new();
        let mut asserted: Vec<Vec<TermId>> = vec![Vec::new()];
        for step in 0..25 {
            let place = format!("round {round}, step {step}");
            match random.below(6) {
                0 => {
                    solver.push();
                    asserted.push(Vec::new());
                }
                1 if asserted.len() > 1 => {
                    solver.pop();
                    asserted.pop();
                }
                2 => {
                    let query = Generator { terms: &mut terms, random: &mut random, profile: &profile }.query(1);
                    solver.assert(&mut terms, query[0]);
                    asserted.last_mut().unwrap().push(query[0]);
                }
                _ => {
                    let count = random.below(4);
                    let assumed = Generator { terms: &mut terms, random: &mut random, profile: &profile }.query(count);
                    let all: Vec<TermId> = asserted.concat().into_iter().chain(assumed.iter().copied()).collect();
                    let outcome = solver.check(&mut terms, &assumed);
                    let mut fresh = BitSolver::new();
                    for &term in &all {
                        fresh.assert(&mut terms, term);
                    }
                    assert_eq!(outcome, fresh.check(&mut terms, &[]), "{place}");
                    match outcome {
                        Outcome::Sat => {
                            assert!(holds(&terms, solver.model().unwrap(), &all), "{place}: the model is none");
                            assert!(holds(&terms, fresh.model().unwrap(), &all), "{place}: the fresh model is none");
                        }
                        Outcome::Unsat => {
                            let core = solver.core().to_vec();
                            assert!(core.iter().all(|term| assumed.contains(term)), "{place}");
                            let mut alone = BitSolver::new();
                            for term in asserted.concat().into_iter().chain(core) {
                                alone.assert(&mut terms, term);
                            }
                            assert_eq!(
                                alone.check(&mut terms, &[]),
                                Outcome::Unsat,
                                "{place}: the core does not suffice"
                            );
                        }
                        Outcome::Unknown(why) => panic!("{place}: {why}"),
                    }
                }
            }
        }
    }
}
