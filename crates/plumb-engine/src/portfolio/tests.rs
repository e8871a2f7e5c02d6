//! What the race makes of answers: engines are played by the test.

use super::*;
use crate::answer::Proof;
use crate::engine::{About, Answers};
use crate::registry::Registry;
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

const SIMULATE: Member = Member(0);
const KIND: Member = Member(1);

/// A race in which two members are at work that answer when the test says so.
fn race<'b>(program: &Program, budget: &'b Budget) -> Race<'b> {
    let engines: [&'static dyn Engine; 2] = [&crate::simulate::Simulate, &crate::kind::KInduction];
    let mut race = Race::new(program, &engines, &Options::default(), budget, Arc::new(()));
    let running = |member| Running { member, ends_first: None, cancel: Cancel::new(), ended: None, pause: None };
    race.running = [SIMULATE, KIND].map(running).into();
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
    let mut race = race(&program, &budget);
    assert!(race.take(KIND, claim(&program, 8)).is_none());
    assert!(matches!(race.open[..], [(KIND, Unknown { why: WhyUnknown::NotReplayed(_, None), .. })]));
    assert!(race.running.iter().map(|r| r.member).eq([SIMULATE]));
    assert!(!race.running[0].cancel.is_cancelled());
    assert!(matches!(race.take(SIMULATE, claim(&program, 7)), Some(Answer::Violated(_))));
}

#[test]
fn an_engine_that_panics_is_an_engine_without_an_answer() {
    let (sender, receiver) = channel();
    let work = || panic!("an engine in a test of the portfolio panics: this is as it should be");
    spawn(KIND, "kind", sender, work).unwrap();
    let (member, answer) = receiver.recv().unwrap();
    assert_eq!(member, KIND);
    assert!(matches!(answer, Answer::Unknown(Unknown { why: WhyUnknown::Defect(_), .. })));
}

/// Takes no notice of its budget.
struct Deaf;

impl Engine for Deaf {
    fn about(&self) -> About {
        let (answers, schedule) = (Answers::Both, Schedule::default());
        About { name: "deaf", help: "sleeps", answers, parameter: None, schedule }
    }

    fn run(&self, _: &Task, _: &Context) -> Answer {
        std::thread::sleep(Duration::from_secs(20));
        holds()
    }
}

#[test]
fn an_engine_that_does_not_end_is_left_behind() {
    let (program, budget) = (program("endless"), budget(Duration::ZERO));
    let started = Instant::now();
    let outcome = portfolio(&program, &[&Deaf], &Options::default(), &budget, Arc::new(()));
    assert!(matches!(outcome.answer, Answer::Unknown(Unknown { why: WhyUnknown::Timeout, .. })));
    assert_eq!(outcome.engine, None);
    assert!(started.elapsed() < Duration::from_secs(15), "nobody waits for it");
}

/// Waits until it is cancelled.
struct Idle;

impl Engine for Idle {
    fn about(&self) -> About {
        let (answers, schedule) = (Answers::Violations, Schedule::default());
        About { name: "idle", help: "waits for the others", answers, parameter: None, schedule }
    }

    fn run(&self, _: &Task, context: &Context) -> Answer {
        while !context.budget.is_over() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Answer::Unknown(Unknown { why: WhyUnknown::Cancelled, explored: Explored::default() })
    }
}

/// Reports its progress in words of its own.
struct Talkative;

impl Engine for Talkative {
    fn about(&self) -> About {
        let (answers, schedule) = (Answers::Both, Schedule::default());
        About { name: "talkative", help: "reports", answers, parameter: None, schedule }
    }

    fn run(&self, _: &Task, context: &Context) -> Answer {
        let explored = Explored::default();
        let progress = Progress { explored, elapsed: Duration::ZERO, kept: 0, memory: 0 };
        context.watcher.progress_as(&progress, "bound 7, 2 alarms");
        Answer::Unknown(Unknown { why: WhyUnknown::Cancelled, explored })
    }
}

#[derive(Default)]
struct Lines(std::sync::Mutex<Vec<String>>);

impl Watcher for Lines {
    fn progress(&self, _: &Progress) {
        self.0.lock().unwrap().push("the usual line".to_string());
    }

    fn progress_as(&self, _: &Progress, line: &str) {
        self.0.lock().unwrap().push(line.to_string());
    }
}

#[test]
fn an_engines_own_words_reach_the_watcher() {
    let (program, budget) = (program("progress"), budget(Duration::from_secs(60)));
    let lines = Arc::new(Lines::default());
    portfolio(&program, &[&Talkative], &Options::default(), &budget, lines.clone());
    assert_eq!(*lines.0.lock().unwrap(), ["bound 7, 2 alarms"]);
}

#[test]
fn an_engine_of_the_registry_is_described_and_races() {
    let registry = Registry::standard().with(&Idle);
    assert!(registry.describe().contains("idle: waits for the others (finds violations)."));
    assert!(registry.find("idle").is_some());
    let engines = registry.default_run();
    assert!(engines.iter().any(|engine| engine.about().name == "idle"));
    let (program, budget) = (program("registry"), budget(Duration::from_secs(60)));
    let outcome = portfolio(&program, &engines, &Options::default(), &budget, Arc::new(()));
    assert!(matches!(outcome.answer, Answer::Violated(_)), "a real engine wins");
    assert!(outcome.engine.is_some_and(|name| name != "idle" && registry.find(name).is_some()));
}

#[test]
fn an_engine_that_waits_goes_on_when_another_gives_up() {
    let (program, budget) = (program("waiting"), budget(Duration::from_secs(60)));
    let mut race = race(&program, &budget);
    let now = Instant::now();
    race.running[1].pause = Some((now - Duration::from_secs(1), now + Duration::from_secs(50)));
    let own = Budget { cancel: race.running[1].cancel.clone(), ..budget.clone() };
    race.pause_and_go_on();
    let waiting = std::thread::spawn(move || own.is_over());
    std::thread::sleep(Duration::from_millis(30));
    assert!(!waiting.is_finished(), "it waits");
    assert!(race.take(SIMULATE, claim(&program, 8)).is_none());
    race.pause_and_go_on();
    assert!(!waiting.join().unwrap());
}

#[test]
fn answers_that_contradict_each_other_are_none() {
    let (program, budget) = (program("contradiction"), budget(Duration::from_secs(60)));
    for (first, second) in [(holds(), claim(&program, 7)), (claim(&program, 7), holds())] {
        let mut race = race(&program, &budget);
        race.track.sender.send((KIND, second)).unwrap();
        assert!(matches!(race.take(SIMULATE, first), Some(Answer::Unknown(_))));
    }
    // A claim that does not replay contradicts nothing.
    let mut race = race(&program, &budget);
    race.track.sender.send((SIMULATE, claim(&program, 8))).unwrap();
    assert!(matches!(race.take(KIND, holds()), Some(Answer::Holds(..))));
}
