//! What the race makes of answers: engines are played by the test.

use super::*;
use crate::answer::Proof;
use plumb_c::driver::{FrontOptions, load_program};
use plumb_exec::InputValue;
use plumb_ir::check::CheckId;
use plumb_ir::input::InputId;
use plumb_ir::property::PropertySet;
use plumb_ir::ty::Bits;
use plumb_ir::{PrepareOptions, prepare};

/// Breaks its only check with the input 7.
const PROGRAM: &str = "
    extern int __VERIFIER_nondet_int(void);
    extern void reach_error(void);
    int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }";

fn program(name: &str) -> Program {
    let file = std::env::temp_dir().join(format!("plumb-portfolio-{}-{name}.c", std::process::id()));
    std::fs::write(&file, PROGRAM).unwrap();
    let front = FrontOptions { library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    let loaded = load_program(std::slice::from_ref(&file), &front);
    std::fs::remove_file(&file).unwrap();
    let Ok(mut loaded) = loaded else { panic!("the program is refused") };
    let options = PrepareOptions { promotion: false, ..PrepareOptions::default() };
    prepare(&loaded.hir, &PropertySet::default(), &options, &mut loaded.diags).unwrap()
}

fn budget(time: Duration) -> Budget {
    Budget { deadline: Some(Instant::now() + time), memory: 1 << 30, threads: 1, cancel: Cancel::new() }
}

/// A race in which members are at work that answer when the test says so.
fn race<'b>(program: &Program, budget: &'b Budget, members: &[Member]) -> Race<'b> {
    let options = PortfolioOptions {
        members: members.to_vec(),
        seed: 0,
        unwinding: BmcOptions::default(),
        order: None,
        strict: false,
    };
    let mut race = Race::new(program, &options, budget, Arc::new(()));
    race.waiting.clear();
    let running = |member: &Member| Running { member: *member, cancel: Cancel::new(), ended: None };
    race.running = members.iter().map(running).collect();
    race
}

fn claim(program: &Program, value: u128) -> Answer {
    let check = program.checks.iter().position(|c| c.kind == plumb_ir::check::CheckKind::ErrorCall).unwrap();
    let input =
        program.inputs.iter().position(|i| matches!(i.origin, plumb_ir::input::InputOrigin::Nondet(_))).unwrap();
    let inputs = vec![(InputId(input as u32), InputValue::Scalar(Bits::new(value, 32)))];
    Answer::Violated(Violation { check: CheckId(check as u32), inputs })
}

fn holds() -> Answer {
    Answer::Holds(Proof::Bounded { bound: 1, steps: 1 }, Default::default())
}

#[test]
fn a_claim_that_does_not_replay_ends_its_engine_only() {
    let (program, budget) = (program("claim"), budget(Duration::from_secs(60)));
    let mut race = race(&program, &budget, &[Member::Simulate, Member::Bmc]);
    assert!(race.take(Member::Bmc, claim(&program, 8)).is_none());
    assert!(matches!(race.open[..], [(Member::Bmc, Unknown { why: WhyUnknown::NotReplayed(_, None), .. })]));
    assert!(race.running.iter().map(|r| r.member).eq([Member::Simulate]));
    assert!(!race.running[0].cancel.is_cancelled());
    assert!(matches!(race.take(Member::Simulate, claim(&program, 7)), Some(Answer::Violated(_))));
}

#[test]
fn an_engine_that_panics_is_an_engine_without_an_answer() {
    let (sender, receiver) = channel();
    let work = || panic!("an engine in a test of the portfolio panics: this is as it should be");
    spawn(Member::Kind, sender, work).unwrap();
    let (member, answer) = receiver.recv().unwrap();
    assert_eq!(member, Member::Kind);
    assert!(matches!(answer, Answer::Unknown(Unknown { why: WhyUnknown::CannotRun(_), .. })));
}

#[test]
fn an_engine_that_does_not_end_is_left_behind() {
    let (program, budget) = (program("endless"), budget(Duration::ZERO));
    let race = race(&program, &budget, &[Member::Kind]);
    let cancel = race.running[0].cancel.clone();
    assert!(matches!(race.run(), Answer::Unknown(Unknown { why: WhyUnknown::Timeout, .. })));
    assert!(cancel.is_cancelled());
}

#[test]
fn answers_that_contradict_each_other_are_none() {
    let (program, budget) = (program("contradiction"), budget(Duration::from_secs(60)));
    for (first, second) in [(holds(), claim(&program, 7)), (claim(&program, 7), holds())] {
        let mut race = race(&program, &budget, &[Member::Simulate, Member::Kind]);
        race.track.sender.send((Member::Kind, second)).unwrap();
        assert!(matches!(race.take(Member::Simulate, first), Some(Answer::Unknown(_))));
    }
    // A claim that does not replay contradicts nothing.
    let mut race = race(&program, &budget, &[Member::Simulate, Member::Kind]);
    race.track.sender.send((Member::Simulate, claim(&program, 8))).unwrap();
    assert!(matches!(race.take(Member::Kind, holds()), Some(Answer::Holds(..))));
}
