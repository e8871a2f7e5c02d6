//! Random queries to the default back end and to z3, where that is installed: answers must be the same, models must satisfy
//! and cores must suffice on both sides. `PLUMB_SOLVE_ROUNDS` asks for more than the usual few hundred.
//!
//! z3's encoding of floats has defects that its evaluation does not have (version 4.8.12 narrows subnormal numbers to
//! infinity), and constant arrays of different elements may be equal for it. So a difference counts against us only if z3
//! does not contradict itself: asked again with every symbol fixed, it evaluates, of equal arrays also the elements.

mod generate;

use generate::{Generator, Profile};
use plumb_solve::random::Random;
use plumb_solve::{BitSolver, Limits, Outcome, ProcessSolver, Program, Solver};
use plumb_term::{Assignment, BinaryOp, Evaluator, Format, Kind, Sort, TermId, Terms, cone};
use std::io::Write;
use std::time::{Duration, Instant};

fn rounds(usual: u64) -> u64 {
    std::env::var("PLUMB_SOLVE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn profiles() -> Vec<(&'static str, Profile)> {
    let ieee = |eb, sb| Format::ieee(eb, sb).unwrap();
    let integers = Profile {
        widths: vec![1, 4, 8, 13, 16, 32],
        formats: vec![],
        arrays: vec![],
        symbols: 3,
        depth: 4,
        heavy: false,
    };
    let arrays = Profile {
        widths: vec![1, 3, 8],
        arrays: vec![(3, 8), (8, 8), (8, 1), (32, 8), (7, 3)],
        depth: 5,
        ..integers.clone()
    };
    let floats = Profile {
        widths: vec![3, 8, 16],
        formats: vec![ieee(3, 5), ieee(5, 4), ieee(4, 4), Format::F16],
        symbols: 2,
        heavy: true,
        ..integers.clone()
    };
    let real = Profile {
        widths: vec![8, 32],
        formats: vec![Format::F32, Format::F64],
        symbols: 2,
        depth: 3,
        ..integers.clone()
    };
    let extended = Profile { formats: vec![Format::X87, Format::F32], depth: 2, ..real.clone() };
    let everything = Profile {
        widths: vec![1, 2, 8, 16],
        formats: vec![ieee(3, 5), ieee(5, 11)],
        arrays: vec![(2, 4), (8, 16), (16, 8)],
        symbols: 2,
        depth: 5,
        heavy: false,
    };
    vec![
        ("integers", integers),
        ("arrays", arrays),
        ("floats", floats),
        ("real", real),
        ("extended", extended),
        ("everything", everything),
    ]
}

fn holds(terms: &Terms, solver: &dyn Solver, query: &[TermId]) -> bool {
    let Some(model) = solver.model() else { return false };
    let mut evaluator = Evaluator::new(model);
    query.iter().all(|&term| evaluator.holds(terms, term))
}

/// A refutation again, of assertions and core alone.
fn refutes(terms: &mut Terms, assertions: &[TermId], core: &[TermId]) -> bool {
    let mut solver = BitSolver::new();
    for &term in assertions.iter().chain(core) {
        solver.assert(terms, term);
    }
    solver.check(terms, &[]) == Outcome::Unsat
}

/// What z3 says of a query whose symbols have these values.
fn z3_evaluates(terms: &mut Terms, model: &Assignment, query: &[TermId]) -> Outcome {
    let Some(mut solver) = ProcessSolver::find(Program::Z3) else { return Outcome::Unsat };
    let mut values: Vec<_> = model.iter().map(|(symbol, value)| (symbol, value.clone())).collect();
    values.sort_by_key(|(symbol, _)| *symbol);
    for (symbol, value) in values {
        let (symbol, value) = (terms.symbol_term(symbol), terms.value(&value));
        let equal = terms.eq(symbol, value);
        solver.assert(terms, equal);
    }
    for &term in query {
        solver.assert(terms, term);
    }
    for term in cone(terms, query) {
        let Kind::Binary(BinaryOp::Eq, a, b) = terms.kind(term) else { continue };
        let Sort::Array { index, .. } = terms.sort(a) else { continue };
        for at in 0..1u128 << index.min(8) {
            let at = terms.bv(index, at);
            let (x, y) = (terms.select(a, at), terms.select(b, at));
            let same = terms.eq(x, y);
            let consequence = terms.implies(term, same);
            solver.assert(terms, consequence);
        }
    }
    solver.check(terms, &[])
}

#[test]
fn answers_agree_with_z3() {
    if Program::Z3.find().is_none() {
        // Past the harness, which keeps what a test that passes prints to itself.
        let _ = writeln!(std::io::stderr(), "skipped: z3 is not installed");
        return;
    }
    let seed = std::env::var("PLUMB_SOLVE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    // To come back to a round that failed.
    let first = std::env::var("PLUMB_SOLVE_FIRST").ok().and_then(|text| text.parse::<u64>().ok());
    let only = std::env::var("PLUMB_SOLVE_PROFILE").ok();
    let mut random = Random::new(seed);
    let profiles: Vec<_> =
        profiles().into_iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)).collect();
    let mut counts = vec![[0usize; 4]; profiles.len()];
    for round in 0..rounds(300) {
        let at = round as usize % profiles.len();
        let (name, profile) = &profiles[at];
        let place = format!("{name}, round {round}, seed {seed}");
        let mut terms = Terms::new();
        let (asserted, assumed) = (random.below(3), random.below(4));
        let mut generator = Generator { terms: &mut terms, random: &mut random, profile };
        let (assertions, assumptions) = (generator.query(asserted), generator.query(assumed));
        if first.is_some_and(|first| round < first) {
            continue;
        }
        let Some(mut theirs) = ProcessSolver::find(Program::Z3) else { return };
        let mut ours = BitSolver::new();
        for &term in &assertions {
            theirs.assert(&mut terms, term);
            ours.assert(&mut terms, term);
        }
        theirs.set_limits(Limits { deadline: Some(Instant::now() + Duration::from_secs(1)), ..Limits::default() });
        let their_answer = theirs.check(&mut terms, &assumptions);
        ours.set_limits(Limits { deadline: Some(Instant::now() + Duration::from_secs(20)), ..Limits::default() });
        let our_answer = ours.check(&mut terms, &assumptions);
        let query: Vec<TermId> = assertions.iter().chain(&assumptions).copied().collect();
        if first == Some(round) {
            eprintln!("{}", plumb_term::smtlib::script(&terms, &query));
            eprintln!("ours: {our_answer:?}, z3's: {their_answer:?}");
            for (symbol, value) in theirs.model().into_iter().flat_map(Assignment::iter) {
                eprintln!("{} = {value:?}", terms.symbol_name(symbol));
            }
        }
        match our_answer {
            Outcome::Sat => assert!(holds(&terms, &ours, &query), "{place}: our model is none"),
            Outcome::Unsat => {
                let core = ours.core().to_vec();
                assert!(core.iter().all(|term| assumptions.contains(term)), "{place}");
                assert!(refutes(&mut terms, &assertions, &core), "{place}: our core does not suffice");
            }
            Outcome::Unknown(why) => assert!(their_answer != Outcome::Unsat, "{place}: {why}"),
        }
        if their_answer == Outcome::Sat && !holds(&terms, &theirs, &query) {
            let model = theirs.model().cloned().unwrap_or_default();
            assert_eq!(z3_evaluates(&mut terms, &model, &query), Outcome::Unsat, "{place}: z3's model is none");
            counts[at][3] += 1;
            continue;
        }
        match (our_answer, their_answer) {
            (Outcome::Unknown(_), _) | (_, Outcome::Unknown(_)) => counts[at][2] += 1,
            (Outcome::Sat, Outcome::Unsat) => {
                let model = ours.model().cloned().unwrap_or_default();
                assert_eq!(z3_evaluates(&mut terms, &model, &query), Outcome::Sat, "{place}: z3 refutes our model");
                counts[at][3] += 1;
            }
            (Outcome::Unsat, Outcome::Unsat) => {
                let core = theirs.core().to_vec();
                assert!(refutes(&mut terms, &assertions, &core), "{place}: z3's core does not suffice");
                counts[at][1] += 1;
            }
            _ => {
                assert_eq!(our_answer, their_answer, "{place}");
                counts[at][0] += 1;
            }
        }
    }
    for ((name, _), [sat, unsat, unknown, contradictions]) in profiles.iter().zip(&counts) {
        eprintln!("{name}: {sat} sat, {unsat} unsat, {unknown} not compared, {contradictions} times z3 against itself");
    }
}
