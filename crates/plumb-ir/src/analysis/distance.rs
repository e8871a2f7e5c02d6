//! How far each location is from a check, counted in edges, through calls and returns.
//!
//! Whoever called a function, its exit leads to the location behind every call of it: the distance is a lower bound of the
//! number of edges of any run from there to a check. A switch of stacks leads to wherever some stack was switched away from;
//! a stack begins where it is made.

use crate::analysis::callgraph::CallGraph;
use crate::check::CheckKind;
use crate::expr::ExprId;
use crate::index::TiVec;
use crate::program::{Callee, FuncId, Function, Intrinsic, Loc, Op, Program};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Farther than any location.
pub const FAR: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Distances {
    by_location: TiVec<FuncId, TiVec<Loc, u32>>,
}

impl Distances {
    /// To the nearest check that is false whatever the run, such as a call of an error function; to any check if there is
    /// none of that kind.
    pub fn to_checks(program: &Program, graph: &CallGraph) -> Distances {
        let always_fails = |f: &Function, cond: ExprId| f.exprs.as_const(cond).is_some_and(|c| c.is_zero());
        let certain = search(program, graph, always_fails);
        let by_location = match certain.iter().flatten().any(|d| *d != FAR) {
            true => certain,
            false => search(program, graph, |_, _| true),
        };
        Distances { by_location }
    }

    /// From a location; [`FAR`] if no check can be reached.
    pub fn from(&self, func: FuncId, loc: Loc) -> u32 {
        self.by_location[func].get(loc).copied().unwrap_or(FAR)
    }
}

/// Breadth first, against the edges, from the checks that are goals.
fn search(
    program: &Program,
    graph: &CallGraph,
    is_goal: impl Fn(&Function, ExprId) -> bool,
) -> TiVec<FuncId, TiVec<Loc, u32>> {
    let mut distance: TiVec<FuncId, TiVec<Loc, u32>> =
        program.functions.iter().map(|f| vec![FAR; f.loc_count as usize].into()).collect();
    // Against the edges: from a location to those that lead to it.
    let mut before: FxHashMap<(FuncId, Loc), Vec<(FuncId, Loc)>> = FxHashMap::default();
    let mut queue = VecDeque::new();
    // Where stacks are switched, and where they go on.
    let (mut switches, mut resumed) = (Vec::new(), Vec::new());
    for func in graph.reachable(program.start) {
        let function = program.function(func);
        for id in function.edge_ids() {
            let edge = function.edge(id);
            let from = (func, edge.from);
            match &edge.op {
                Op::Check { cond, check } => {
                    if program.check(*check).kind != CheckKind::Unsupported && is_goal(function, *cond) {
                        queue.push_back((from, 0));
                    }
                    before.entry((func, edge.to)).or_default().push(from);
                }
                Op::Call {
                    callee: Callee::Direct(_) | Callee::Indirect(_) | Callee::Intrinsic(Intrinsic::NewStack),
                    ..
                } => {
                    for callee in graph.targets(func, id) {
                        let callee_function = program.function(callee);
                        before.entry((callee, callee_function.entry)).or_default().push(from);
                        before.entry((func, edge.to)).or_default().push((callee, callee_function.exit));
                    }
                    before.entry((func, edge.to)).or_default().push(from);
                }
                op if op.switches_stacks() => {
                    before.entry((func, edge.to)).or_default().push(from);
                    switches.push(from);
                    resumed.extend((op.stack_intrinsic() == Some(Intrinsic::SwitchStack)).then_some((func, edge.to)));
                }
                Op::Call { callee: Callee::Intrinsic(_), .. }
                | Op::Assign { .. }
                | Op::Assume { .. }
                | Op::Havoc { .. }
                | Op::Return(_) => before.entry((func, edge.to)).or_default().push(from),
            }
        }
    }
    for place in resumed {
        before.entry(place).or_default().extend(&switches);
    }
    while let Some(((func, loc), d)) = queue.pop_front() {
        let known = &mut distance[func][loc];
        if *known <= d {
            continue;
        }
        *known = d;
        for &place in before.get(&(func, loc)).into_iter().flatten() {
            queue.push_back((place, d + 1));
        }
    }
    distance
}
