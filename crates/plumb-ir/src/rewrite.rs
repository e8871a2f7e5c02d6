//! Changing functions: steps put before locations or in place of edges.
//!
//! Passes describe what they want per location and per edge of the original function; one sweep builds the new one. New
//! locations get numbers after the old ones, so that old locations keep their meaning: what was at a location is now
//! behind the steps that were put before it.

use crate::make::Make;
use crate::program::{Edge, EdgeId, Function, FunctionParts, Loc, Op};
use plumb_c::source::Span;
use plumb_c::target::Target;
use rustc_hash::FxHashMap;

/// Something to do, with the source it belongs to.
pub type Step = (Op, Span);

/// A function under change.
pub struct Draft<'a> {
    pub parts: FunctionParts,
    target: &'a Target,
    before: FxHashMap<Loc, Vec<Step>>,
    instead: FxHashMap<EdgeId, Vec<Step>>,
}

impl<'a> Draft<'a> {
    pub fn of(function: &Function, target: &'a Target) -> Draft<'a> {
        Draft::new(function.clone().into_parts(), target)
    }

    /// Edges are named by their position in the parts.
    pub fn new(parts: FunctionParts, target: &'a Target) -> Draft<'a> {
        Draft { parts, target, before: FxHashMap::default(), instead: FxHashMap::default() }
    }

    /// Makes expressions of this function.
    pub fn make(&mut self) -> Make<'_> {
        Make { exprs: &mut self.parts.exprs, target: self.target }
    }

    /// Puts a step between the location and all edges that leave it, after steps put there earlier.
    pub fn put_before(&mut self, loc: Loc, step: Step) {
        self.before.entry(loc).or_default().push(step);
    }

    /// Puts steps in place of an edge of the original function. With none at all, its ends become one location.
    pub fn put_instead(&mut self, edge: EdgeId, steps: Vec<Step>) {
        self.instead.insert(edge, steps);
    }

    pub fn is_changed(&self) -> bool {
        !self.before.is_empty() || !self.instead.is_empty()
    }

    fn fresh(&mut self) -> Loc {
        self.parts.loc_count += 1;
        Loc(self.parts.loc_count - 1)
    }

    /// The new function.
    pub fn finish(mut self) -> Function {
        let old = std::mem::take(&mut self.parts.edges);
        let mut before: Vec<(Loc, Vec<Step>)> = std::mem::take(&mut self.before).into_iter().collect();
        before.sort_by_key(|(loc, _)| *loc);
        let mut moved = FxHashMap::default();
        for (loc, steps) in before {
            let end = self.fresh();
            self.chain(loc, end, steps);
            moved.insert(loc, end);
        }
        let mut skipped = FxHashMap::default();
        for (id, mut edge) in old.into_iter_enumerated() {
            edge.from = moved.get(&edge.from).copied().unwrap_or(edge.from);
            match self.instead.remove(&id) {
                None => self.parts.edges.push(edge),
                Some(steps) if steps.is_empty() => {
                    if end_of(&skipped, edge.to) == edge.from {
                        // A loop that does nothing is still a loop.
                        let yes = self.make().bool(true);
                        edge.op = Op::Assume { cond: yes, branch: None };
                        self.parts.edges.push(edge);
                    } else {
                        skipped.insert(edge.from, edge.to);
                    }
                }
                Some(steps) => self.chain(edge.from, edge.to, steps),
            }
        }
        if !skipped.is_empty() {
            self.parts.edges.iter_mut().for_each(|edge| edge.to = end_of(&skipped, edge.to));
            self.parts.labels.iter_mut().for_each(|(_, loc)| *loc = end_of(&skipped, *loc));
            self.parts.loops.iter_mut().for_each(|l| l.head = end_of(&skipped, l.head));
            self.parts.entry = end_of(&skipped, self.parts.entry);
        }
        Function::new(self.parts)
    }

    /// Edges for the steps, one after the other. There is at least one.
    fn chain(&mut self, from: Loc, to: Loc, steps: Vec<Step>) {
        let mut at = from;
        let last = steps.len().saturating_sub(1);
        for (i, (op, span)) in steps.into_iter().enumerate() {
            let next = if i == last { to } else { self.fresh() };
            self.parts.edges.push(Edge { from: at, to: next, op, span });
            at = next;
        }
    }
}

/// Where a location leads when nothing is done at it. An edge with nothing to do is the only one of its source.
fn end_of(skipped: &FxHashMap<Loc, Loc>, mut loc: Loc) -> Loc {
    while let Some(&next) = skipped.get(&loc) {
        loc = next;
    }
    loc
}
