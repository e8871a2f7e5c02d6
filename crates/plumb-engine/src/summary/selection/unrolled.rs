//! The calls and branches of a program whose loops are unrolled `k` times, seen from the candidates: what lies outside of them is
//! added up.
//!
//! A branch or call inside of `d` loops is there `k` to the power of `d` times. Recursion is followed `k` calls deep; the
//! calls among functions that are mutually recursive are part of the body of each. An indirect call counts for its targets
//! in equal shares.

use plumb_ir::analysis::Analyses;
use plumb_ir::program::{EdgeId, FuncId, Op};
use rustc_hash::FxHashMap;

/// Candidates are numbered from 0. No candidate calls itself, be it through others.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Unrolled {
    /// By candidate: its calls outside of all candidates.
    pub from_outside: Vec<f64>,
    /// By candidate: what one call of it calls, with how often.
    pub inside: Vec<Vec<(usize, f64)>>,
    /// By candidate: branches of one call, without those of the candidates that it calls.
    pub branches: Vec<f64>,
    /// Branches outside of all candidates.
    pub rest: f64,
}

impl Unrolled {
    /// The complexity of the program, given that of a call of each candidate.
    pub(super) fn total(&self, per_call: &[f64]) -> f64 {
        self.rest + self.from_outside.iter().zip(per_call).map(|(times, cost)| times * cost).sum::<f64>()
    }

    /// The candidates, each before those that it calls.
    pub(super) fn callers_first(&self) -> Vec<usize> {
        let count = self.inside.len();
        let mut callers = vec![0; count];
        self.inside.iter().flatten().for_each(|&(callee, _)| callers[callee] += 1);
        // From the back, so that candidates without callers keep their order.
        let mut ready: Vec<usize> = (0..count).rev().filter(|&i| callers[i] == 0).collect();
        let mut order = Vec::with_capacity(count);
        while let Some(i) = ready.pop() {
            order.push(i);
            for &(callee, _) in &self.inside[i] {
                callers[callee] -= 1;
                if callers[callee] == 0 {
                    ready.push(callee);
                }
            }
        }
        debug_assert_eq!(order.len(), count, "candidates call each other");
        order
    }
}

/// Larger numbers are this one: products of two of them are still numbers. No knob: what a double can hold.
const LARGEST: f64 = 1e100;

/// What one call of a function does, up to calls of candidates.
#[derive(Clone, Default)]
struct Work {
    branches: f64,
    calls: FxHashMap<usize, f64>,
}

impl Work {
    fn add(&mut self, times: f64, other: &Work) {
        self.branches = (self.branches + times * other.branches).min(LARGEST);
        for (&candidate, calls) in &other.calls {
            self.call(candidate, times * calls);
        }
    }

    fn call(&mut self, candidate: usize, times: f64) {
        let calls = self.calls.entry(candidate).or_default();
        *calls = (*calls + times).min(LARGEST);
    }

    fn sorted_calls(&self) -> Vec<(usize, f64)> {
        let mut calls: Vec<(usize, f64)> = self.calls.iter().map(|(&i, &times)| (i, times)).collect();
        calls.sort_by_key(|call| call.0);
        calls
    }
}

/// The program as the candidates see it. Calls of a candidate that its summary is not put in the place of, by their edge, are part
/// of the caller.
pub fn unrolled(
    analyses: &Analyses,
    candidates: &[FuncId],
    k: u32,
    is_replaced: impl Fn((FuncId, EdgeId), FuncId) -> bool,
) -> Unrolled {
    let (program, graph) = (analyses.program(), analyses.resolved_calls());
    let number: FxHashMap<FuncId, usize> = candidates.iter().copied().zip(0..).collect();
    let mut done: FxHashMap<FuncId, Work> = FxHashMap::default();
    let order = graph.bottom_up();
    let reached = graph.reachable(program.start);
    for component in order.chunk_by(|&a, &b| graph.mutually_recursive(a, b)) {
        if !component.iter().any(|id| reached.contains(id)) {
            continue;
        }
        let levels = if graph.is_recursive(component[0]) { k } else { 1 };
        let mut work: Vec<Work> = vec![Work::default(); component.len()];
        for _ in 0..levels {
            let inner = |callee: FuncId| component.iter().position(|&id| id == callee);
            let level = component.iter().map(|&id| {
                one_level(analyses, id, k, |sum, times, edge, callee| match inner(callee) {
                    Some(i) => sum.add(times, &work[i]),
                    None => match number.get(&callee).filter(|_| is_replaced((id, edge), callee)) {
                        Some(&candidate) => sum.call(candidate, times),
                        None => {
                            if let Some(known) = done.get(&callee) {
                                sum.add(times, known);
                            }
                        }
                    },
                })
            });
            work = level.collect();
        }
        done.extend(component.iter().copied().zip(work));
    }
    let of = |id: &FuncId| done.get(id).cloned().unwrap_or_default();
    let start = of(&program.start);
    Unrolled {
        from_outside: (0..candidates.len()).map(|i| start.calls.get(&i).copied().unwrap_or(0.0)).collect(),
        inside: candidates.iter().map(|id| of(id).sorted_calls()).collect(),
        branches: candidates.iter().map(|id| of(id).branches).collect(),
        rest: start.branches,
    }
}

/// A function's own branches, and what `call` adds for each of its calls.
fn one_level(analyses: &Analyses, id: FuncId, k: u32, call: impl Fn(&mut Work, f64, EdgeId, FuncId)) -> Work {
    let function = analyses.program().function(id);
    let loops = &analyses.shape(id).loops;
    let times = |loc| (k as f64).powi(loops.depth(loc) as i32).min(LARGEST);
    let mut sum = Work::default();
    for loc in function.locs() {
        let successors = function.out_edges(loc).count();
        sum.branches += successors.saturating_sub(1) as f64 * times(loc);
    }
    for edge in function.edge_ids().filter(|&edge| matches!(function.edge(edge).op, Op::Call { .. })) {
        let targets: Vec<FuncId> = analyses.resolved_calls().targets(id, edge).collect();
        let share = times(function.edge(edge).from) / targets.len() as f64;
        targets.into_iter().for_each(|callee| call(&mut sum, share, edge, callee));
    }
    sum
}
