//! Loops that end, whatever the rest of the program does.
//!
//! A loop that counts a local register up to a constant ends: the register is compared with the constant at the head, an iteration adds
//! a constant exactly where the register is assigned at all, every path around passes there, and the sum does not wrap. Nobody else can write
//! a register of an activation. So no run stays in the loop for ever, though an abstraction that has forgotten the register does not know
//! it.

use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::{LoopId, Loops};
use plumb_ir::expr::{BinOp, ExprId, ExprKind};
use plumb_ir::program::{EdgeId, FuncId, Function, Loc, LocalVar, Op, Place, Program, VarRef};
use rustc_hash::{FxHashMap, FxHashSet};

/// By head, the locations of loops that end.
#[derive(Default)]
pub(super) struct TerminatingLoops {
    bodies: FxHashMap<(FuncId, Loc), FxHashSet<Loc>>,
    /// The registers that they count, with the greatest constant that each is counted to.
    counters: FxHashMap<(FuncId, LocalVar), i128>,
}

impl TerminatingLoops {
    pub fn of(analyses: &Analyses) -> TerminatingLoops {
        let program = analyses.program();
        let mut found = TerminatingLoops::default();
        for func in program.function_ids() {
            let function = program.function(func);
            let loops = &analyses.shape(func).loops;
            for (id, one) in loops.loops.iter_enumerated() {
                if !one.irreducible
                    && let Some((counter, end)) = counts_to_a_constant(program, function, loops, id)
                {
                    found.bodies.insert((func, one.head), one.body.iter().copied().collect());
                    let greatest = found.counters.entry((func, counter)).or_default();
                    *greatest = end.max(*greatest);
                }
            }
        }
        found
    }

    /// The heads of the loops of a function that end.
    pub fn loops_of(&self, func: FuncId) -> Vec<Loc> {
        let mut heads: Vec<Loc> = self.bodies.keys().filter(|(of, _)| *of == func).map(|(_, head)| *head).collect();
        heads.sort();
        heads
    }

    pub fn is_head(&self, func: FuncId, loc: Loc) -> bool {
        self.bodies.contains_key(&(func, loc))
    }

    /// The registers that some loop counts beyond a number.
    pub fn counters_beyond(&self, number: i128) -> impl Iterator<Item = (FuncId, LocalVar)> {
        self.counters.iter().filter(move |(_, end)| **end > number).map(|(counter, _)| *counter)
    }

    /// Whether a location is in the loop with a head.
    pub fn is_in(&self, func: FuncId, head: Loc, loc: Loc) -> bool {
        self.bodies.get(&(func, head)).is_some_and(|body| body.contains(&loc))
    }
}

/// A register with the casts to other types around it taken off: the value is the register's in all of its bits.
fn counter(program: &Program, function: &Function, mut expr: ExprId) -> Option<LocalVar> {
    let mut narrowest = u32::MAX;
    loop {
        match function.exprs.kind(expr) {
            ExprKind::Var(VarRef::Local(var)) => {
                return (function.var(var).ty.bits(&program.target) <= narrowest).then_some(var);
            }
            ExprKind::Cast(_, inner) => {
                narrowest = narrowest.min(function.exprs.ty(expr).bits(&program.target));
                expr = inner;
            }
            _ => return None,
        }
    }
}

/// A constant that is small enough for nothing to wrap, given the width of the counter.
fn small(function: &Function, expr: ExprId, bits: u32) -> Option<i128> {
    let width = function.exprs.ty(expr);
    let ExprKind::Const(value) = function.exprs.kind(expr) else { return None };
    let limit = 1u128 << (bits.min(64) - 2);
    let plumb_ir::ty::Ty::Int(_) = width else { return None };
    (value.u128() < limit).then_some(value.u128() as i128)
}

/// The register that a loop counts, and the constant that it counts it to.
fn counts_to_a_constant(program: &Program, function: &Function, loops: &Loops, id: LoopId) -> Option<(LocalVar, i128)> {
    let head = loops.get(id).head;
    let stays = |edge: &EdgeId| loops.contains(id, function.edge(*edge).to);
    let inside: Vec<EdgeId> = function.out_edges(head).filter(stays).collect();
    let [only] = inside[..] else { return None };
    let Op::Assume { cond, .. } = function.edge(only).op else { return None };
    let ExprKind::Binary(BinOp::Lt | BinOp::Le, _, left, right) = function.exprs.kind(cond) else { return None };
    let var = counter(program, function, left)?;
    let bits = function.var(var).ty.bits(&program.target);
    let end = small(function, right, bits).filter(|_| bits >= 8)?;
    let edges = function.edge_ids().filter(|edge| loops.contains(id, function.edge(*edge).from));
    let writes: Vec<EdgeId> = edges.filter(|edge| writes(function, *edge, var)).collect();
    let [step] = writes[..] else { return None };
    let ends = adds_a_constant(program, function, step, var, bits) && !has_cycle_without(function, loops, id, step);
    ends.then_some((var, end))
}

fn writes(function: &Function, edge: EdgeId, var: LocalVar) -> bool {
    match &function.edge(edge).op {
        Op::Assign { to: Place::Var(VarRef::Local(to)), .. } => *to == var,
        Op::Havoc { to: plumb_ir::program::HavocPlace::Var(VarRef::Local(to)), .. } => *to == var,
        Op::Call { to: Some(VarRef::Local(to)), .. } => *to == var,
        Op::Assign { .. }
        | Op::Havoc { .. }
        | Op::Call { .. }
        | Op::Assume { .. }
        | Op::Return(_)
        | Op::Check { .. } => false,
    }
}

/// `v := v + constant`, where the constant is positive. Casts back to the register's width take nothing off, narrower ones do.
fn adds_a_constant(program: &Program, function: &Function, edge: EdgeId, var: LocalVar, bits: u32) -> bool {
    let Op::Assign { value, .. } = &function.edge(edge).op else { return false };
    let mut value = *value;
    while let ExprKind::Cast(_, inner) = function.exprs.kind(value) {
        if function.exprs.ty(value).bits(&program.target) < bits {
            return false;
        }
        value = inner;
    }
    let ExprKind::Binary(BinOp::Add, _, a, b) = function.exprs.kind(value) else { return false };
    counter(program, function, a) == Some(var) && small(function, b, bits).is_some_and(|step| step > 0)
}

/// Whether some path from the head back to it does not pass an edge.
fn has_cycle_without(function: &Function, loops: &Loops, id: LoopId, without: EdgeId) -> bool {
    let head = loops.get(id).head;
    let (mut open, mut seen) = (vec![head], FxHashSet::default());
    while let Some(loc) = open.pop() {
        for edge in function.out_edges(loc).filter(|edge| *edge != without) {
            let to = function.edge(edge).to;
            if to == head {
                return true;
            }
            if loops.contains(id, to) && seen.insert(to) {
                open.push(to);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::program;

    /// Whether the loop of `main` is known to end.
    fn ends(body: &str) -> bool {
        let program = program(&format!("int g; unsigned char c; int main(void) {{ {body} return 0; }}"));
        let main = program.find_function("main").expect("it is defined");
        !TerminatingLoops::of(&Analyses::new(&program)).loops_of(main).is_empty()
    }

    #[test]
    fn loops_that_count_to_a_constant_end() {
        assert!(ends("int i; for (i = 0; i < 5000000; i++) g++;"));
        assert!(ends("int i = g; while (i <= 7) { i += 2; g--; }"));
        assert!(ends("unsigned i; for (i = 0; i < 100; i = i + 3) { if (g) continue; g = 1; }"));
        assert!(ends("unsigned char i; for (i = 0; i < 50; i++) g++;"));
    }

    #[test]
    fn others_are_not_known_to() {
        // The step may be left out, the counter written twice, the bound vary, the sum wrap, another count it.
        assert!(!ends("int i = 0; while (i < 10) { if (g) i++; }"));
        assert!(!ends("int i; for (i = 0; i < 10; i++) { if (g) i = 0; }"));
        assert!(!ends("int i; for (i = 0; i < g; i++) ;"));
        assert!(!ends("unsigned char i; for (i = 0; i < 255; i++) ;"));
        assert!(!ends("for (g = 0; g < 10; g++) ;"));
        assert!(!ends("int i; for (i = 0; i < 10; i--) ;"));
        assert!(!ends("for (;;) g++;"));
        // A part of the register is compared, or kept.
        assert!(!ends("unsigned i = 0; while ((unsigned char)i < 10) i += 20;"));
        assert!(!ends("unsigned i = 0; while (i < 300) i = (unsigned char)(i + 1);"));
        assert!(!ends("unsigned i = 0; while (i < 300) i = (unsigned char)i + 1;"));
        assert!(!ends("unsigned short i; for (i = 0; (unsigned char)i < 60; i += 32) ;"));
    }
}
