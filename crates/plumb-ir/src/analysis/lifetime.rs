//! How many activations and objects of one name a run can have: ever, and at a time.
//!
//! An abstract object of the points-to analysis stands for every object of an activation or an allocation edge. Whoever names
//! single objects asks here whether there is at most one: a function without recursion has at most one activation at a
//! time, and an edge outside of loops, in a function that is called at most once, is taken at most once in a run. The
//! call graph over-approximates, so that both are certain. With several stacks neither is: any function may be active on
//! each of them, and outlive what it has a pointer to.

use crate::analysis::Analyses;
use crate::analysis::bits::BitSet;
use crate::analysis::callgraph::CallGraph;
use crate::analysis::pointsto::{Object, PointsTo, Targets};
use crate::index::TiVec;
use crate::program::{Callee, EdgeId, FuncId, Intrinsic, LocalObj, Op, Program};
use rustc_hash::FxHashSet;

pub struct Lifetimes {
    /// Whether no run enters the function twice.
    entered_once: TiVec<FuncId, bool>,
    /// The function's locations that lie in loops.
    in_loops: TiVec<FuncId, BitSet>,
    recursive: TiVec<FuncId, bool>,
    /// The functions that may run when this one does.
    reaches: TiVec<FuncId, BitSet>,
    /// Locals to which pointers may be left when their activation has returned.
    outlived: FxHashSet<Object>,
    /// The most bytes that the function's frame and those below it can take, where that is bounded.
    frames_below: TiVec<FuncId, Option<u64>>,
    has_stacks: bool,
}

/// The stack that Linux gives a program. Small machines have less, but how much is the linker's business: there the address space
/// is the limit. The machine and symbolic states have it alike, or a run of the one would be none of the other.
pub const LARGEST_STACK: u64 = 8 << 20;

/// What a call takes of the stack by itself: return address and frame pointer.
pub const CALL_BYTES: u64 = 16;

impl Lifetimes {
    pub fn of(analyses: &Analyses) -> Lifetimes {
        let (program, calls, points_to) = (analyses.program(), analyses.resolved_calls(), analyses.points_to());
        let has_stacks = program.has_stacks();
        let in_loops = program.function_ids().map(|id| {
            let function = program.function(id);
            let loops = &analyses.shape(id).loops;
            let mut inside = BitSet::new(function.loc_count as usize);
            for loc in function.locs().filter(|loc| loops.innermost(*loc).is_some()) {
                inside.insert(loc.0 as usize);
            }
            inside
        });
        let reaches = program.function_ids().map(|id| {
            let mut reached = BitSet::new(program.functions.len());
            let all = if has_stacks { program.function_ids().collect() } else { calls.reachable(id) };
            for callee in all {
                reached.insert(callee.0 as usize);
            }
            reached
        });
        let mut lifetimes = Lifetimes {
            entered_once: vec![false; program.functions.len()].into(),
            in_loops: in_loops.collect(),
            recursive: program.function_ids().map(|id| has_stacks || calls.is_recursive(id)).collect(),
            reaches: reaches.collect(),
            outlived: FxHashSet::default(),
            frames_below: vec![None; program.functions.len()].into(),
            has_stacks,
        };
        // Callers first.
        for &id in calls.bottom_up().iter().rev() {
            let is_once = match calls.callers(id) {
                [] => true,
                [(caller, edge)] => id != program.start && lifetimes.is_taken_once(program, *caller, *edge),
                _ => false,
            };
            lifetimes.entered_once[id] = is_once && !lifetimes.is_recursive(id);
            lifetimes.frames_below[id] = lifetimes.frame_bound(program, calls, id);
        }
        lifetimes.note_outlived(program, points_to);
        lifetimes
    }

    /// Whether no run takes the edge twice.
    pub fn is_taken_once(&self, program: &Program, func: FuncId, edge: EdgeId) -> bool {
        let from = program.function(func).edge(edge).from;
        self.entered_once[func] && !self.in_loops[func].contains(from.0 as usize)
    }

    /// Whether no run enters the function twice.
    pub fn is_entered_once(&self, func: FuncId) -> bool {
        self.entered_once[func]
    }

    /// Whether several activations of the function may be there at a time.
    pub fn is_recursive(&self, func: FuncId) -> bool {
        self.recursive[func]
    }

    /// Whether an activation of the first function may be there while the second runs.
    pub fn may_be_active(&self, func: FuncId, running: FuncId) -> bool {
        self.reaches[func].contains(running.0 as usize)
    }

    /// Whether a pointer to the local may be left when its activation has returned.
    pub fn may_dangle(&self, func: FuncId, object: LocalObj) -> bool {
        self.outlived.contains(&Object::Local(func, object))
    }

    /// The most bytes of stack that an activation of the function and those below it take; `None` where there is no bound.
    pub fn stack_bound(&self, func: FuncId) -> Option<u64> {
        self.frames_below[func]
    }

    /// Whether the frames of the function grow while it runs.
    pub fn has_growing_frame(&self, program: &Program, func: FuncId) -> bool {
        let grows = |op: &Op| matches!(op, Op::Call { callee: Callee::Intrinsic(Intrinsic::StackAlloc), .. });
        program.function(func).edges.iter().any(|edge| grows(&edge.op))
    }

    fn frame_bound(&self, program: &Program, calls: &CallGraph, id: FuncId) -> Option<u64> {
        let function = program.function(id);
        if self.is_recursive(id) || self.has_growing_frame(program, id) {
            return None;
        }
        let objects = function.objects.iter().fold(0u64, |sum, object| sum.saturating_add(object.size));
        let own = objects.max(function.frame_bytes).saturating_add(CALL_BYTES);
        let callers = calls.callers(id).iter().map(|(caller, _)| self.frames_below[*caller]);
        let below = callers.reduce(|a, b| Some(a?.max(b?))).unwrap_or(Some(0))?;
        Some(below.saturating_add(own))
    }

    /// A pointer to a local is left behind where something holds it that lives longer: a static object, an allocated one,
    /// or an activation that may be below.
    fn note_outlived(&mut self, program: &Program, points_to: &PointsTo) {
        for var in program.vars.keys() {
            self.note_holder(points_to.global(var), None);
        }
        let mut objects: Vec<(Object, Option<FuncId>)> =
            program.objects.keys().map(|object| (Object::Global(object), None)).collect();
        for func in program.function_ids() {
            let function = program.function(func);
            for var in function.vars.keys() {
                self.note_holder(points_to.local(func, var), Some(func));
            }
            objects.extend(function.objects.keys().map(|object| (Object::Local(func, object), Some(func))));
            for edge in function.edge_ids() {
                match function.edge(edge).op {
                    Op::Call { callee: Callee::Intrinsic(Intrinsic::HeapAlloc), .. } => {
                        objects.push((Object::Heap(func, edge), None));
                    }
                    Op::Call { callee: Callee::Intrinsic(Intrinsic::StackAlloc), .. } => {
                        objects.push((Object::Stack(func, edge), None));
                    }
                    _ => {}
                }
            }
        }
        for (object, owner) in objects {
            let contents = points_to.contents(object);
            self.note_holder(contents.anywhere, owner);
            contents.words.into_values().for_each(|targets| self.note_holder(targets, owner));
        }
    }

    fn note_holder(&mut self, targets: Targets, holder: Option<FuncId>) {
        let Targets::Known(list) = targets else { return };
        for target in list {
            let Object::Local(func, _) = target.object else { continue };
            let dies_first = holder.is_some_and(|holder| holder == func || !self.may_be_active(holder, func));
            if !dies_first || self.has_stacks {
                self.outlived.insert(target.object);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analyses;
    use crate::program::{GlobalVar, Loc, VarRef};
    use crate::sample::{self, Body};
    use crate::ty::Ty;

    const MAIN: FuncId = FuncId(0);
    const F: FuncId = FuncId(1);
    const G: FuncId = FuncId(2);

    /// `main` calls `f` once and `g` in a loop; `g` leaves the address of its local in a global register.
    fn program() -> Program {
        let mut main = Body::new("main", &[], None);
        let head = main.call(Loc(0), None, F, Vec::new());
        let (body, end) = (main.loc(), main.loc());
        let input = main.var("go", Ty::BOOL);
        let cond = main.get(input);
        main.branch(head, cond, body, end);
        let back = main.call(body, None, G, Vec::new());
        let set = Op::Assign { to: crate::program::Place::Var(input), value: cond };
        main.edge(back, head, set);
        main.ret(end, None);
        let mut f = Body::new("f", &[], None);
        let x = f.object("x", 4);
        let p = f.var("p", Ty::Ptr);
        let px = f.addr(x, 0);
        let at = f.assign(Loc(0), p, px);
        f.ret(at, None);
        let mut g = Body::new("g", &[], None);
        let y = g.object("y", 4);
        let py = g.addr(y, 0);
        let at = g.assign(Loc(0), VarRef::Global(GlobalVar(0)), py);
        g.ret(at, None);
        let mut program = sample::program(vec![main.finish(), f.finish(), g.finish()]);
        sample::add_global(&mut program, "kept", Ty::Ptr);
        program
    }

    #[test]
    fn a_function_that_a_loop_calls_is_entered_again() {
        let analyses = Analyses::new(&program());
        let lifetimes = analyses.lifetimes();
        assert_eq!([MAIN, F, G].map(|func| lifetimes.is_entered_once(func)), [true, true, false]);
        assert!(lifetimes.may_be_active(MAIN, G) && !lifetimes.may_be_active(F, G));
        assert_eq!(lifetimes.stack_bound(G), Some(2 * CALL_BYTES + 4));
    }

    #[test]
    fn a_pointer_that_a_global_keeps_may_dangle() {
        let analyses = Analyses::new(&program());
        let lifetimes = analyses.lifetimes();
        assert!(lifetimes.may_dangle(G, LocalObj(0)));
        assert!(!lifetimes.may_dangle(F, LocalObj(0)));
    }
}
