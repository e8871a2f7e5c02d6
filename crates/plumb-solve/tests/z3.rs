//! Random queries to the default back end and to z3, where that is installed: answers must be the same, models must satisfy
//! and cores must suffice on both sides. `PLUMB_SOLVE_ROUNDS` asks for more than the usual few hundred.

mod generate;

use generate::{Generator, Profile};
use plumb_solve::random::Random;
use plumb_solve::{BitSolver, Limits, Outcome, ProcessSolver, Program, Solver};
use plumb_term::{Evaluator, Format, TermId, Terms};
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

#[test]
fn answers_agree_with_z3() {
    if Program::Z3.find().is_none() {
        eprintln!("z3 is not installed: nothing compared");
        return;
    }
    let seed = std::env::var("PLUMB_SOLVE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let only = std::env::var("PLUMB_SOLVE_PROFILE").ok();
    let mut random = Random::new(seed);
    let profiles: Vec<_> =
        profiles().into_iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)).collect();
    let mut counts = vec![[0usize; 3]; profiles.len()];
    for round in 0..rounds(300) {
        let at = round as usize % profiles.len();
        let (name, profile) = &profiles[at];
        let place = format!("{name}, round {round}, seed {seed}");
        let mut terms = Terms::new();
        let (asserted, assumed) = (random.below(3), random.below(4));
        let mut generator = Generator { terms: &mut terms, random: &mut random, profile };
        let (assertions, assumptions) = (generator.query(asserted), generator.query(assumed));
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
        match our_answer {
            Outcome::Sat => assert!(holds(&terms, &ours, &query), "{place}: our model is none"),
            Outcome::Unsat => {
                let core = ours.core().to_vec();
                assert!(core.iter().all(|term| assumptions.contains(term)), "{place}");
                assert!(refutes(&mut terms, &assertions, &core), "{place}: our core does not suffice");
            }
            Outcome::Unknown(why) => assert!(their_answer != Outcome::Unsat, "{place}: {why}"),
        }
        match their_answer {
            Outcome::Sat => assert!(holds(&terms, &theirs, &query), "{place}: z3's model is none"),
            Outcome::Unsat => {
                let core = theirs.core().to_vec();
                assert!(refutes(&mut terms, &assertions, &core), "{place}: z3's core does not suffice");
            }
            Outcome::Unknown(_) => {}
        }
        match (our_answer, their_answer) {
            (Outcome::Unknown(_), _) | (_, Outcome::Unknown(_)) => counts[at][2] += 1,
            _ => {
                assert_eq!(our_answer, their_answer, "{place}");
                counts[at][(our_answer == Outcome::Unsat) as usize] += 1;
            }
        }
    }
    for ((name, _), [sat, unsat, unknown]) in profiles.iter().zip(&counts) {
        eprintln!("{name}: {sat} sat, {unsat} unsat, {unknown} not compared");
    }
}
