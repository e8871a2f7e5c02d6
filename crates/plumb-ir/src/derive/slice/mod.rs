//! Program slicing, backwards from checks: what cannot influence whether one of them breaks does nothing in the slice.
//!
//! [`relevance`] finds the edges to keep. Here the program is rewritten: an edge that is not kept leads on without
//! doing anything, a branch that is not kept leads to where its ways meet again, and what a function returns or is
//! handed without need becomes zero. Locations keep their numbers.
//!
//! **Runs.** Let a run of the original break a check that the slice was made for. Given the inputs that its kept
//! edges read, the slice takes the same kept edges in the same order, with the same values in everything that is
//! needed, and breaks the check: each kept edge reads only what kept edges wrote, is reached by the same decisions of
//! kept branches, and all edges that end runs are kept. So the slice has a counterpart for every such run. The other
//! way round three things can keep the original from getting as far as the slice: a loop or recursion that was
//! removed and does not end; an operation that was removed and faults (a division by zero, an access of no object); a
//! check that the slice was not made for and that breaks first. Where nothing of the kind was removed the relation is
//! [`Runs::Same`], otherwise [`Runs::More`]: the slice then over-approximates which checks can be reached.
//!
//! What the points-to analysis takes for granted is taken for granted here: an access stays inside the object that
//! its address was computed from. Where an object lies is the machine's business; a program that asks for it, by
//! comparing or converting pointers, keeps all allocations. A check that asks whether any memory is lost depends on
//! everything, and programs with stacks are not sliced: then the program stays as it is.

mod relevance;

use super::{Derived, FunctionProvenance, Made, Origin, Provenance, Runs, assemble};
use crate::analysis::Analyses;
use crate::analysis::graph::Graph;
use crate::check::CheckId;
use crate::expr::{ExprId, ExprKind};
use crate::index::TiVec;
use crate::make::Make;
use crate::program::{
    Callee, Edge, EdgeId, FuncId, Function, HavocPlace, Intrinsic, Loc, LocalVar, Op, Place, Program,
};
use crate::ty::Bits;
use relevance::Relevance;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The slice of a program for the checks that are wanted. Checks that say that nothing is known stay in any case.
pub fn slice(analyses: &Analyses, wanted: &dyn Fn(CheckId) -> bool) -> Derived {
    let program = analyses.program();
    let mut derived = program.clone();
    let mut provenance = Provenance::identity(program);
    let Some(relevance) = Relevance::of(analyses, wanted) else { return Derived { program: derived, provenance } };
    for &func in &relevance.functions {
        if loses_runs(analyses, &relevance, func) {
            provenance.runs = Runs::More;
        }
        let (function, edges) = Rewriter { analyses, relevance: &relevance, func }.function();
        derived.functions[func] = Arc::new(function);
        let of_function = &mut provenance.functions[func];
        *of_function = FunctionProvenance { edges, ..of_function.clone() };
    }
    debug_assert_eq!(crate::verify::verify(&derived), Vec::<String>::new());
    Derived { program: derived, provenance }
}

/// Whether something that is not kept may keep a run of the original from going on.
fn loses_runs(analyses: &Analyses, relevance: &Relevance, func: FuncId) -> bool {
    let program = analyses.program();
    let function = program.function(func);
    let removed = |id: EdgeId| !relevance.is_kept(func, id) && !matches!(function.edge(id).op, Op::Return(None));
    let branches = |id: EdgeId| function.out_edges(function.edge(id).from).count() > 1;
    let removes_branch = function.edge_ids().any(|id| removed(id) && branches(id));
    let is_gone = function.edge_ids().all(|id| !relevance.is_kept(func, id));
    removes_branch && has_loop(function)
        || is_gone && (analyses.resolved_calls().is_recursive(func) || has_loop(function))
        || function.edge_ids().any(|id| {
            let op = &function.edge(id).op;
            match removed(id) {
                true => may_end(program, function, op),
                false => {
                    let unneeded = unneeded(relevance, op);
                    let mut values = op.exprs().enumerate().filter(|(i, _)| unneeded.contains(i));
                    values.any(|(_, value)| may_fault(program, function, value))
                }
            }
        })
}

/// The positions of a kept edge's expressions whose values nobody needs: arguments of calls.
fn unneeded(relevance: &Relevance, op: &Op) -> Vec<usize> {
    match op {
        Op::Call { callee: Callee::Direct(callee), args, .. } => {
            let is_needed = |i: &usize| relevance.is_param_needed(*callee, LocalVar(*i as u32));
            (0..args.len()).filter(|i| !is_needed(i)).collect()
        }
        Op::Call { callee: Callee::Intrinsic(Intrinsic::Exit), args, .. } => (0..args.len()).collect(),
        Op::Call { callee: Callee::Indirect(_) | Callee::Intrinsic(_), .. }
        | Op::Assign { .. }
        | Op::Assume { .. }
        | Op::Havoc { .. }
        | Op::Return(_)
        | Op::Check { .. } => Vec::new(),
    }
}

fn has_loop(function: &Function) -> bool {
    let graph = Graph::of_locations(function);
    let all: Vec<u32> = (0..function.loc_count).collect();
    let is_loop = |part: &Vec<u32>| part.len() > 1 || part.iter().any(|&loc| graph.succ(loc).contains(&loc));
    graph.components(&all, |_| true).iter().any(is_loop)
}

/// Whether a run may end in the edge itself, by a check or a fault. Fault is what only the concrete machine knows: an
/// access of what is no live object, arithmetic without a result.
fn may_end(program: &Program, function: &Function, op: &Op) -> bool {
    let own = match op {
        Op::Check { .. } => true,
        Op::Assign { to: Place::Mem(_), .. } => true,
        Op::Havoc { to: HavocPlace::Region { .. } | HavocPlace::Objects { .. }, .. } => true,
        Op::Call { callee: Callee::Indirect(_) | Callee::Intrinsic(_), .. } => true,
        Op::Assign { to: Place::Var(_), .. }
        | Op::Havoc { to: HavocPlace::Var(_), .. }
        | Op::Call { callee: Callee::Direct(_), .. }
        | Op::Assume { .. }
        | Op::Return(_) => false,
    };
    own || op.exprs().any(|expr| may_fault(program, function, expr))
}

fn may_fault(program: &Program, function: &Function, root: ExprId) -> bool {
    let exprs = &function.exprs;
    let mut seen = FxHashSet::default();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        let kind = exprs.kind(id);
        let faults = match kind {
            ExprKind::Load(_) => true,
            ExprKind::Binary(op, sign, a, b) => exprs.may_fault(op, sign, a, b, exprs.ty(a).bits(&program.target)),
            ExprKind::Unary(op, sign, a) => exprs.unary_may_fault(op, sign, a),
            _ => false,
        };
        if faults {
            return true;
        }
        stack.extend(kind.operands());
    }
    false
}

struct Rewriter<'a> {
    analyses: &'a Analyses,
    relevance: &'a Relevance<'a>,
    func: FuncId,
}

impl Rewriter<'_> {
    fn function(&self) -> (Function, TiVec<EdgeId, Origin<(FuncId, EdgeId)>>) {
        let program = self.analyses.program();
        let function = program.function(self.func);
        let mut parts = function.clone().into_parts();
        let mut make = Make { exprs: &mut parts.exprs, target: &program.target };
        let mut edges = Vec::new();
        let mut skipped: FxHashMap<Loc, (Loc, Edge)> = FxHashMap::default();
        for loc in function.locs() {
            let out: Vec<EdgeId> = function.out_edges(loc).collect();
            if out.iter().any(|&id| self.relevance.is_kept(self.func, id)) {
                for id in out {
                    let edge = function.edge(id);
                    let op = self.kept(&edge.op, function, &mut make);
                    edges.push((Edge { op, ..edge.clone() }, Origin::Original((self.func, id))));
                }
                continue;
            }
            let Some(first) = out.first().map(|&id| function.edge(id)) else { continue };
            let to = match out.len() {
                1 => first.to,
                // A branch whose ways need not meet again is kept.
                _ => self.analyses.control_dependence(self.func).meeting(loc).unwrap_or(first.to),
            };
            if to == function.exit {
                let value = function.ret.map(|ty| make.constant(Bits::ZERO, ty));
                let origin = match out[..] {
                    [only] => Origin::Original((self.func, only)),
                    _ => Origin::Made(Made::Skip),
                };
                let edge = Edge { from: loc, to, op: Op::Return(value), span: first.span };
                edges.push((edge, origin));
            } else {
                let cond = make.bool(true);
                let op = Op::Assume { cond, branch: None };
                skipped.insert(loc, (to, Edge { from: loc, to, op, span: first.span }));
            }
        }
        // A loop that does nothing is still a loop: one of its edges stays.
        let mut locs: Vec<Loc> = skipped.keys().copied().collect();
        locs.sort();
        for loc in locs {
            if leads_back(&skipped, loc)
                && let Some((_, edge)) = skipped.remove(&loc)
            {
                edges.push((edge, Origin::Made(Made::Skip)));
            }
        }
        let end = |loc: Loc| end_of(&skipped, loc);
        edges.iter_mut().for_each(|(edge, _)| edge.to = end(edge.to));
        parts.entry = end(parts.entry);
        parts.labels.iter_mut().for_each(|(_, loc)| *loc = end(*loc));
        parts.loops.iter_mut().for_each(|l| l.head = end(l.head));
        assemble(parts, edges)
    }

    /// A kept operation, without the values that nobody needs.
    fn kept(&self, op: &Op, function: &Function, make: &mut Make<'_>) -> Op {
        let unneeded = unneeded(self.relevance, op);
        let mut positions = 0..;
        op.map_exprs(|expr| match positions.next() {
            Some(position) if unneeded.contains(&position) => make.constant(Bits::ZERO, function.exprs.ty(expr)),
            _ => expr,
        })
    }
}

/// Whether a location leads back to itself by doing nothing.
fn leads_back(skipped: &FxHashMap<Loc, (Loc, Edge)>, start: Loc) -> bool {
    let mut at = start;
    for _ in 0..=skipped.len() {
        match skipped.get(&at) {
            Some((next, _)) if *next == start => return true,
            Some((next, _)) => at = *next,
            None => return false,
        }
    }
    false
}

fn end_of(skipped: &FxHashMap<Loc, (Loc, Edge)>, mut loc: Loc) -> Loc {
    while let Some((next, _)) = skipped.get(&loc) {
        loc = *next;
    }
    loc
}
