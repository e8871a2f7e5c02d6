//! The example of the paper, Fig. 2, step by step.

use super::abstraction::{Kind, abstract_path, abstract_program};
use super::alarm::{Use, retrace};
use super::refinement::Refinement;
use super::subjects::Subjects;
use crate::answer::Answer;
use crate::bmc::{BmcOptions, bmc};
use crate::board::Board;
use crate::filter::{Filtered, filter, replay_on_original};
use crate::realise::Realiser;
use crate::test_program::{budget, program};
use plumb_ir::analysis::Analyses;
use plumb_ir::program::Program;
use plumb_synth::{Expr, Op, Oracle, Sort, Value};

const FIG_2: &str = "
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

fn gcd(a: u32, b: u32) -> u64 {
    let (mut a, mut b) = ((a as i32).unsigned_abs(), (b as i32).unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as u64
}
