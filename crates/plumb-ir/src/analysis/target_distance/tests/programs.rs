//! Flow graphs and distances of programs.

use super::super::{CallContext, Distance, Metric};
use crate::analysis::Analyses;
use crate::analysis::target_distance::flow_graph::FlowKind;
use crate::check::{CheckId, CheckInfo, CheckKind};
use crate::expr::ExprKind;
use crate::program::{EdgeId, FuncId, Intrinsic, Loc, Op, Program};
use crate::sample::{self, Body, I32};
use crate::ty::Ty;
use plumb_c::source::Span;
use std::sync::Arc;

const MAIN: FuncId = FuncId(0);
const STEP: FuncId = FuncId(1);

fn add_check(program: &mut Program) {
    let message = "the assertion fails".into();
    let info = CheckInfo { kind: CheckKind::Assertion, message, subject: None, of_inputs: false, span: Span::NONE };
    Arc::make_mut(&mut program.checks).push(info);
}

/// `main` calls `step` twice; a check that may fail comes behind the first call, one that fails for sure behind the second.
fn two_calls() -> Program {
    let mut main = Body::new("main", &[], None);
    let x = main.var("x", I32);
    let read = main.get(x);
    let one = main.int(1);
    let may_fail = main.binary(crate::expr::BinOp::Eq, read, one);
    let fails = main.make().bool(false);
    let at = main.call(Loc(0), None, STEP, Vec::new());
    let at = main.step(at, Op::Check { cond: may_fail, check: CheckId(0) });
    let at = main.call(at, None, STEP, Vec::new());
    let at = main.step(at, Op::Check { cond: fails, check: CheckId(0) });
    main.ret(at, None);
    let mut step = Body::new("step", &[], None);
    let y = step.var("y", I32);
    let zero = step.int(0);
    let at = step.assign(Loc(0), y, zero);
    step.ret(at, None);
    let mut program = sample::program(vec![main.finish(), step.finish()]);
    add_check(&mut program);
    program
}

#[test]
fn checks_that_fail_for_sure_are_the_targets() {
    let program = two_calls();
    let analyses = Analyses::new(&program);
    let (graph, distances) = (analyses.flow_graph(), analyses.target_distances(Metric::St));
    let main = program.function(MAIN);
    let of_main = |loc| distances.distance(graph.loc(MAIN, loc), CallContext::OUTERMOST);
    // Two calls of two edges each, and the check between.
    assert_eq!(of_main(main.entry), Distance::new(5));
    let returns: Vec<Loc> =
        main.edges.iter().filter(|edge| matches!(edge.op, Op::Call { .. })).map(|edge| edge.to).collect();
    let step_entry = graph.loc(STEP, program.function(STEP).entry);
    let in_step = |returns_to: Loc| distances.distance(step_entry, distances.context([graph.loc(MAIN, returns_to)]));
    assert_eq!(returns.iter().map(|loc| in_step(*loc)).collect::<Vec<_>>(), [5, 2].map(Distance::new));
    assert_eq!(distances.anywhere(step_entry), Distance::new(2));
    assert_eq!(distances.abs_dist(step_entry), Distance::INFINITE);
    // Behind the check that always fails nothing is left to find.
    assert_eq!(of_main(main.exit), Distance::INFINITE);
}

#[test]
fn a_run_ends_where_the_program_exits() {
    let mut main = Body::new("main", &[], None);
    let code = main.int(0);
    let fails = main.make().bool(false);
    let at = main.intrinsic(Loc(0), None, Intrinsic::Exit, vec![code]);
    let at = main.step(at, Op::Check { cond: fails, check: CheckId(0) });
    main.ret(at, None);
    let mut program = sample::program(vec![main.finish()]);
    add_check(&mut program);
    let analyses = Analyses::new(&program);
    let distances = analyses.target_distances(Metric::St);
    let entry = analyses.flow_graph().loc(MAIN, Loc(0));
    assert_eq!(distances.anywhere(entry), Distance::INFINITE);
    assert_eq!(analyses.flow_graph().graph.edges[analyses.flow_graph().edge(MAIN, EdgeId(0))].kind, FlowKind::Blocked);
}

/// `main` makes a stack and switches to it; the task fails a check. Another switch of the task goes on behind `main`'s.
#[test]
fn other_stacks_go_on_where_they_were_switched_away_from() {
    let mut main = Body::new("main", &[], None);
    let number = main.var("n", I32);
    let start = main.push(ExprKind::FuncAddr(STEP), Ty::Ptr);
    let at = main.intrinsic(Loc(0), Some(number), Intrinsic::NewStack, vec![start, start]);
    let stack = main.get(number);
    let behind = main.intrinsic(at, None, Intrinsic::SwitchStack, vec![stack]);
    let fails = main.make().bool(false);
    let at = main.step(behind, Op::Check { cond: fails, check: CheckId(0) });
    main.ret(at, None);
    let mut task = Body::new("task", &[("argument", Ty::Ptr)], None);
    let zero = task.int(0);
    let at = task.intrinsic(Loc(0), None, Intrinsic::SwitchStack, vec![zero]);
    task.ret(at, None);
    let mut program = sample::program(vec![main.finish(), task.finish()]);
    add_check(&mut program);
    let analyses = Analyses::new(&program);
    let (graph, distances) = (analyses.flow_graph(), analyses.target_distances(Metric::St));
    // From the task's switch to the location behind main's, where the check is.
    let task_entry = graph.loc(STEP, program.function(STEP).entry);
    assert_eq!(distances.distance(task_entry, CallContext::OUTERMOST), Distance::new(1));
    assert_eq!(distances.distance(graph.loc(MAIN, Loc(0)), CallContext::OUTERMOST), Distance::new(2));
}
