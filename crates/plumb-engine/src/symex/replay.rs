//! Symbolic execution along one control-flow path.
//!
//! Without abstraction it decides whether the path is feasible (the paper's `isFeasible`). With the memory of the entries at the
//! abstraction points it gives the formulas of the segments in between, from which predicates are found.

use super::history::{ControlFlowPath, HistoryItem};
use super::reached_set::PointId;
use crate::predicates::targets::Target;
use plumb_ir::program::{Callee, Op, Program};
use plumb_sym::{Input, Next, Path, State, Step, Sym};
use plumb_term::TermId;

/// Whether the step from a state is noted in histories.
pub fn is_decision(program: &Program, state: &State) -> bool {
    let function = program.function(state.func());
    let mut edges = function.out_edges(state.loc);
    match (edges.next(), edges.next()) {
        (Some(only), None) => {
            matches!(function.edge(only).op, Op::Call { callee: Callee::Indirect(_), .. })
        }
        (Some(_), Some(_)) => true,
        (None, _) => false,
    }
}

pub struct Replay {
    /// Conditions of the path, each with the number of its step.
    pub conditions: Vec<(u64, TermId)>,
    /// In the order in which they were read.
    pub inputs: Vec<Input>,
    /// The path condition before the last step.
    pub before_target: Path,
    /// When the last step meets the target; `None` where constants alone leave the control-flow path before.
    pub meets_target: Option<TermId>,
}

/// Executes a control-flow path and one more step that meets the target. At abstraction points the state may be changed.
pub fn replay(
    sym: &mut Sym,
    path: &ControlFlowPath,
    target: Target,
    at_point: &mut dyn FnMut(&mut Sym, &mut State, PointId, u64),
) -> Replay {
    let program = sym.program;
    let mut state = sym.start();
    let mut items = path.items.iter().copied().peekable();
    let mut replay =
        Replay { conditions: Vec::new(), inputs: Vec::new(), before_target: state.path.clone(), meets_target: None };
    for step in 0..=path.steps {
        while let Some(HistoryItem::Point(point, _)) =
            items.next_if(|item| matches!(item, HistoryItem::Point(_, at) if *at == step))
        {
            at_point(sym, &mut state, point, step);
        }
        let decides = is_decision(program, &state);
        replay.before_target = state.path.clone();
        let conditions = state.path.len();
        let Step { next, mut log } = sym.step(&mut state);
        replay.inputs.append(&mut log.inputs);
        if step == path.steps {
            replay.meets_target = Some(target.condition(&log, sym));
            break;
        }
        let decision = if decides { items.next() } else { None };
        let follows =
            |state: &State| decision.is_none_or(|item| item == HistoryItem::Decision(state.func(), state.loc));
        let next = match next {
            Next::Ended => None,
            Next::Moved => follows(&state).then_some(state),
            Next::Split(states) => states.into_iter().find(|one| follows(one)),
        };
        let Some(next) = next else { break };
        state = next;
        sym.exclude_faulted_runs(&mut state);
        replay.conditions.extend(state.path.since(conditions).into_iter().map(|condition| (step, condition)));
        if state.path.is_impossible() {
            break;
        }
    }
    replay
}
