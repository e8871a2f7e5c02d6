//! The example of the paper, Fig. 2, step by step.

use super::abstraction::{Kind, abstract_path, abstract_program};
use super::alarm::{Use, retrace};
use super::refinement::Refinement;
use super::subjects::Subjects;
use super::{BoundsOf, Falsifier};
use crate::answer::{Answer, Explored, Violation};
use crate::bmc::{BmcOptions, bmc};
use crate::board::Board;
use crate::budget::{Progress, Watcher};
use crate::engine::Options;
use crate::filter::{Filtered, filter, replay_on_original};
use crate::replay::realise::Realiser;
use crate::summary::synthesis::SynthesisOptions;
use crate::test_program::{budget, program};
use plumb_ir::analysis::Analyses;
use plumb_ir::check::{CheckInfo, CheckKind};
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::input_value::InputValue;
use plumb_ir::program::Program;
use plumb_ir::ty::Bits;
use plumb_synth::{Expr, Op, Oracle, Sort, Value};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub const FIG_2: &str = "
    int speed = 0;
    int process(int x) { if (x < 30) return 0; else if (x < 50) return 1; else return 2; }
    int check(int a, int b) {
        if (a < 0) a = -a;
        if (b < 0) b = -b;
        while (b != 0) { int t = b; b = a % b; a = t; }
        return a;
    }
    void update(int data) {
        if (data == 0) speed = speed - 30;
        else if (data == 1) speed = speed - 20;
        else speed = speed + 50;
    }
    int main(void) {
        int in, data, timer;
        timer = check(0, 0);
        while (1) {
            in = input();
            data = process(in);
            if (check(speed, data)) update(data);
            if (speed >= 50) timer = timer + 1; else timer = 0;
            if (!(timer < 10)) reach_error();
        }
    }";

fn answer(program: &Program) -> Answer {
    bmc(&Analyses::new(program), &BmcOptions::default(), &budget(), &Board::closed(), &())
}

/// `a == 0 ? b : 0`: wrong for a call with 50 and 0, which must give 50.
fn nothing_once_moving() -> Expr {
    let zero = || Expr::Const(Value::bv(32, 0));
    let stands = Expr::Apply(Op::Eq, vec![Expr::Input(0), zero()]);
    Expr::Apply(Op::Ite, vec![stands, Expr::Input(1), zero()])
}

/// Example 1: the alarm of a wrong summary is false, its pair is corrected, and the path stays infeasible.
#[test]
fn a_false_alarm_corrects_its_pairs() {
    let program = program(FIG_2);
    let analyses = Analyses::new(&program);
    let mut refinement = Refinement::new(Subjects::by_hand(&analyses, &[("check", nothing_once_moving())]));
    let replacements = refinement.replacements();
    let kinds: Vec<bool> = replacements.iter().map(|r| matches!(r.kind, Kind::Synthesised(_))).collect();
    // `process` returns anything in its range; one call of `check` runs the summary, and the other one stays.
    assert_eq!((kinds, replacements[1].calls.len()), (vec![false, true], 1));
    let Kind::Nondeterministic(_, range) = &replacements[0].kind else { panic!("process is independent") };
    assert_eq!(*range, Some((0, 2)));
    let abstracted = abstract_program(&program, &replacements).unwrap();
    let Answer::Violated(violation) = answer(&abstracted.program) else { panic!("the summary allows it") };
    let mut realiser = Realiser::new(&program);
    assert!(replay_on_original(&mut realiser, &abstracted.provenance, &violation, &budget()).is_none());
    let alarm = retrace(&abstracted, &violation, &budget()).unwrap();
    let is_wrong = |one: &&Use| one.replacement == 1 && one.output != gcd(one.inputs[0] as u32, one.inputs[1] as u32);
    let wrong: Vec<&Use> = alarm.uses.iter().filter(is_wrong).collect();
    assert!(!wrong.is_empty());
    let Filtered::False(path) = filter(&program, &alarm.path, &mut realiser, &budget()) else {
        panic!("the path is infeasible")
    };
    let before = abstract_path(&path, &replacements).unwrap();
    assert!(matches!(answer(&before.program), Answer::Violated(_)), "the wrong summary takes the path");
    refinement.refine(&alarm, Some((*path).clone()), &budget());
    let after = abstract_path(&path, &refinement.replacements()).unwrap();
    assert!(matches!(answer(&after.program), Answer::Holds(..)), "the new one does not");
    let summary = refinement.subjects().summary("check").unwrap();
    let oracle = Oracle::new(&summary.expr, &[Sort::Bv(32); 2], 32).unwrap();
    for one in wrong {
        let inputs: Vec<Value> = one.inputs.iter().map(|value| Value::bv(32, *value)).collect();
        let expected = gcd(one.inputs[0] as u32, one.inputs[1] as u32);
        assert_eq!(oracle.value(&inputs).map(Value::lane), Some(expected), "{inputs:?}");
    }
}

/// A wrong summary hides the violation, so that the abstract program holds: that proves nothing, and the function comes back.
#[test]
fn a_summary_that_hides_a_violation_proves_nothing() {
    let text = FIG_2.replace("while (1)", "for (int turn = 0; turn < 2; turn++)").replace("timer < 10", "timer < 1");
    let program = program(&text);
    let analyses = Analyses::new(&program);
    let zero = || Expr::Const(Value::bv(32, 0));
    let subjects = Subjects::by_hand(&analyses, &[("check", zero())]);
    let abstracted = abstract_program(&program, &subjects.replacements()).unwrap();
    assert!(matches!(answer(&abstracted.program), Answer::Holds(..)), "the summary hides it");
    let (options, budget) = (Options::default(), budget());
    let found = Falsifier::new(&analyses, &options, &budget, &(), subjects).run(false);
    assert!(matches!(found, Some(Answer::Violated(_))), "{found:?}");
}

/// The summary that Example 1 starts with: right about the constraints of the paper's Fig. 4, which have a zero.
pub fn absolute_of_b() -> Expr {
    let (b, zero) = (|| Expr::Input(1), Expr::Const(Value::bv(32, 0)));
    let is_negative = Expr::Apply(Op::BvSlt, vec![b(), zero]);
    Expr::Apply(Op::Ite, vec![is_negative, Expr::Apply(Op::BvNeg, vec![b()]), b()])
}

/// The counterexample of Fig. 7 (a): one iteration to the speed of 50, and nine in which `fs_check(50, 0)` gives 0.
pub fn trace_of_fig_7(program: &Program) -> Violation {
    let inputs: Vec<InputId> = program.inputs.iter_enumerated().map(|(id, _)| id).collect();
    let is_summary = |id: &InputId| matches!(program.input(*id).origin, InputOrigin::Summary(_));
    let process = *inputs.iter().find(|id| is_summary(id)).expect("process returns anything in range");
    let sensor = *inputs.iter().find(|id| matches!(program.input(**id).origin, InputOrigin::Nondet(_))).unwrap();
    let int = |value: u128| InputValue::Scalar(Bits::new(value, 32));
    let iteration = |data: u128| [(sensor, int(50)), (process, int(data))];
    let values = iteration(2).into_iter().chain((0..9).flat_map(|_| iteration(0)));
    let is_property = |info: &CheckInfo| info.kind != CheckKind::Unsupported;
    let check = program.checks.iter_enumerated().find(|(_, info)| is_property(info)).map(|(id, _)| id).unwrap();
    Violation { check, inputs: values.collect() }
}

/// Example 1 of the paper: the pair <50, 0> -> 0 is corrected to 50, the path of the alarm is excluded, and the search that
/// follows finds the violation.
#[test]
fn example_1_corrects_50_and_0() {
    let program = program(FIG_2);
    let analyses = Analyses::new(&program);
    let subjects = Subjects::by_hand(&analyses, &[("check", absolute_of_b())]);
    let (options, budget) = (Options::default(), budget());
    let mut falsifier = Falsifier::new(&analyses, &options, &budget, &(), subjects);
    let before = abstract_program(&program, &falsifier.refinement.replacements()).unwrap();
    let violation = trace_of_fig_7(&before.program);
    let alarm = retrace(&before, &violation, &budget).expect("the summary takes this path");
    let wrong = |one: &&Use| one.replacement == 1 && one.inputs == [50, 0];
    assert_eq!(alarm.uses.iter().filter(wrong).map(|one| one.output).collect::<Vec<_>>(), [0; 9]);
    let mut realiser = Realiser::new(&program);
    let Filtered::False(path) = filter(&program, &alarm.path, &mut realiser, &budget) else {
        panic!("speed is 50, and no data makes check(50, data) zero")
    };
    falsifier.refinement.refine(&alarm, Some((*path).clone()), &budget);
    assert_eq!(falsifier.refinement.count, 1);
    let summary = falsifier.refinement.subjects().summary("check").expect("a refined summary");
    let oracle = Oracle::new(&summary.expr, &[Sort::Bv(32); 2], 32).unwrap();
    assert_eq!(oracle.value(&[Value::bv(32, 50), Value::bv(32, 0)]).map(Value::lane), Some(50));
    assert!(summary.constraints.iter().any(|pair| *pair.inputs == [50, 0] && pair.output == 50));
    let after = abstract_path(&path, &falsifier.refinement.replacements()).unwrap();
    assert!(matches!(answer(&after.program), Answer::Holds(..)), "the path is infeasible with the new one");
    assert!(matches!(falsifier.run(false), Some(Answer::Violated(_))), "the search goes on and finds it");
}

/// Section 2: with the synthesised summaries alone, without a search of the original beside them.
#[test]
fn fig_2_is_violated_within_one_refinement() {
    let program = program(FIG_2);
    let analyses = Analyses::new(&program);
    let (options, budget) = (Options::default(), budget());
    let synthesis = SynthesisOptions { iterations: 10, candidates: 100_000, ..SynthesisOptions::default() };
    let subjects = Subjects::synthesised(&analyses, &options.summaries, synthesis, &budget, &());
    let mut falsifier = Falsifier::new(&analyses, &options, &budget, &(), subjects);
    let used = falsifier.refinement.replacements();
    assert!(used.iter().any(|one| matches!(one.kind, Kind::Synthesised(_))), "check has a summary");
    assert!(used.iter().any(|one| matches!(one.kind, Kind::Nondeterministic(..))), "process returns anything in range");
    assert!(matches!(falsifier.run(false), Some(Answer::Violated(_))));
    assert!(falsifier.refinement.count <= 1, "{} refinements", falsifier.refinement.count);
}

/// What the line of progress has while the engine works: functions with examples and accuracy, also of summaries that are made in a
/// refinement, and bounds in one report each.
#[derive(Default)]
struct Recorder {
    phases: Mutex<Vec<String>>,
    plain: AtomicUsize,
}

impl Watcher for Recorder {
    fn progress(&self, _: &Progress) {
        self.plain.fetch_add(1, Ordering::Relaxed);
    }

    fn progress_as(&self, _: &Progress, line: &str) {
        assert!(line.contains("bound") && line.contains("refinements"), "{line}");
    }

    fn phase(&self, what: &str) {
        self.phases.lock().unwrap().push(what.to_string());
    }
}

#[test]
fn summaries_that_a_refinement_makes_are_told_too() {
    let program = program(FIG_2);
    let analyses = Analyses::new(&program);
    let recorder = Recorder::default();
    let (options, budget) = (Options::default(), budget());
    let synthesis = SynthesisOptions { iterations: 4, candidates: 50_000, ..SynthesisOptions::default() };
    let mut subjects = Subjects::synthesised(&analyses, &options.summaries, synthesis, &budget, &recorder);
    subjects.return_independent(program.find_function("process").unwrap(), &budget);
    let phases = recorder.phases.lock().unwrap().clone();
    let tells = |name: &str| phases.iter().any(|p| p.starts_with(name) && p.contains("examples, accuracy"));
    assert!(tells("check: ") && tells("process: "), "{phases:?}");
    BoundsOf { watcher: &recorder, alarms: 1, refinements: 2 }.progress(&Progress {
        explored: Explored::default(),
        elapsed: Duration::ZERO,
        kept: 0,
        memory: 0,
    });
    assert_eq!(recorder.plain.load(Ordering::Relaxed), 0, "the usual line is not shown");
}

fn gcd(a: u32, b: u32) -> u64 {
    let (mut a, mut b) = ((a as i32).unsigned_abs(), (b as i32).unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as u64
}
