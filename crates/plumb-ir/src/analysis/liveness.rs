//! Which registers' values may still be read, at every location of a function.
//!
//! Backward, over the registers that the function mentions. Soundness: a register is reported dead only if every path
//! overwrites it before reading it. Callees may read any global register, and callers may read them after the return, so
//! globals are live at the exit and before every call of a function or switch of stacks; globals that the function does not mention are
//! always live.

use crate::analysis::bits::BitSet;
use crate::analysis::dataflow::{self, Direction, Problem};
use crate::expr::ExprId;
use crate::expr::ExprKind;
use crate::index::TiVec;
use crate::program::{Callee, EdgeId, Function, Intrinsic, Lifetime, Loc, LocalVar, Op, VarRef};
use rustc_hash::FxHashMap;

/// The registers that a function mentions, numbered densely.
#[derive(Clone, Debug)]
pub struct Registers {
    pub list: Vec<VarRef>,
    index: FxHashMap<VarRef, u32>,
    /// For each edge, the numbers of the registers it reads.
    reads: TiVec<EdgeId, Vec<u32>>,
}

impl Registers {
    pub fn of(function: &Function) -> Registers {
        let mut registers = Registers { list: Vec::new(), index: FxHashMap::default(), reads: TiVec::new() };
        for i in 0..function.param_count {
            registers.number(VarRef::Local(crate::program::LocalVar(i)));
        }
        let mut seen: TiVec<ExprId, u32> = vec![u32::MAX; function.exprs.len()].into();
        for (i, edge) in function.edges.iter().enumerate() {
            let mut reads = Vec::new();
            let mut stack: Vec<_> = edge.op.exprs().collect();
            while let Some(id) = stack.pop() {
                if std::mem::replace(&mut seen[id], i as u32) == i as u32 {
                    continue;
                }
                let kind = function.exprs.kind(id);
                if let ExprKind::Var(var) = kind {
                    let number = registers.number(var);
                    if !reads.contains(&number) {
                        reads.push(number);
                    }
                }
                stack.extend(kind.operands());
            }
            if let Some(var) = edge.op.written() {
                registers.number(var);
            }
            registers.reads.push(reads);
        }
        registers
    }

    fn number(&mut self, var: VarRef) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.index.entry(var).or_insert(next);
        if number == next {
            self.list.push(var);
        }
        number
    }

    pub fn get(&self, var: VarRef) -> Option<usize> {
        self.index.get(&var).map(|&i| i as usize)
    }

    /// The registers that an edge reads.
    pub fn reads(&self, edge: EdgeId) -> &[u32] {
        &self.reads[edge]
    }

    pub fn globals(&self) -> impl Iterator<Item = usize> + '_ {
        self.list.iter().enumerate().filter(|(_, v)| matches!(v, VarRef::Global(_))).map(|(i, _)| i)
    }
}

/// Whether the edge runs other functions of the program, be it on another stack.
pub fn runs_functions(op: &Op) -> bool {
    matches!(op, Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. }) || op.switches_stacks()
}

#[derive(Clone, Debug)]
pub struct Liveness {
    registers: Registers,
    live: TiVec<Loc, BitSet>,
}

struct Equations<'a> {
    function: &'a Function,
    registers: &'a Registers,
}

impl Problem for Equations<'_> {
    type Fact = BitSet;

    fn bottom(&self) -> BitSet {
        BitSet::new(self.registers.list.len())
    }

    fn boundary(&self, loc: Loc) -> BitSet {
        let mut live = self.bottom();
        if loc == self.function.exit {
            self.registers.globals().for_each(|g| {
                live.insert(g);
            });
        }
        live
    }

    fn transfer(&self, edge: EdgeId, after: &BitSet) -> BitSet {
        let op = &self.function.edge(edge).op;
        let ends = match op {
            Op::Call { callee: Callee::Intrinsic(which), .. } => {
                matches!(which, Intrinsic::Exit | Intrinsic::Abort | Intrinsic::EndStack)
            }
            _ => false,
        };
        let mut live = if ends { self.bottom() } else { after.clone() };
        if let Some(number) = op.written().and_then(|var| self.registers.get(var)) {
            live.remove(number);
        }
        if runs_functions(op) {
            self.registers.globals().for_each(|g| {
                live.insert(g);
            });
        }
        for &number in self.registers.reads(edge) {
            live.insert(number as usize);
        }
        live
    }

    fn join(&self, into: &mut BitSet, fact: &BitSet) -> bool {
        into.union(fact)
    }
}

impl Liveness {
    pub fn of(function: &Function) -> Liveness {
        let registers = Registers::of(function);
        let live = dataflow::solve(function, &Equations { function, registers: &registers }, Direction::Backward);
        Liveness { registers, live }
    }

    /// Whether the register's value at the location may be read later.
    pub fn is_live(&self, loc: Loc, var: VarRef) -> bool {
        match self.registers.get(var) {
            Some(number) => self.live[loc].contains(number),
            None => matches!(var, VarRef::Global(_)),
        }
    }

    /// Whether a register of the function holds nothing that the program could still get at: one that no variable of the
    /// source stands for and that nothing reads where the activation goes on, or one of an activation that does not go on.
    pub fn is_stale(&self, function: &Function, var: LocalVar, resume: Option<Loc>) -> bool {
        function.var(var).lifetime == Lifetime::Expression
            && resume.is_none_or(|loc| !self.is_live(loc, VarRef::Local(var)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::BinOp;
    use crate::sample::{self, Body, I32};

    #[test]
    fn a_loop_keeps_its_counter_alive() {
        let mut b = Body::new("f", &[("n", I32)], Some(I32));
        let n = VarRef::Local(crate::program::LocalVar(0));
        let (i, dead) = (b.var("i", I32), b.var("dead", I32));
        let zero = b.int(0);
        let head = b.assign(Loc(0), i, zero);
        let (inside, after) = (b.loc(), b.loc());
        let (vi, vn) = (b.get(i), b.get(n));
        let cond = b.binary(BinOp::Lt, vi, vn);
        b.branch(head, cond, inside, after);
        let one = b.int(1);
        let next = b.binary(BinOp::Add, vi, one);
        let mid = b.assign(inside, dead, vi);
        b.edge(mid, head, Op::Assign { to: crate::program::Place::Var(i), value: next });
        b.ret(after, Some(vi));
        let live = Liveness::of(&b.finish());
        assert!(live.is_live(Loc(0), n) && !live.is_live(Loc(0), i));
        assert!(live.is_live(head, i) && live.is_live(head, n));
        assert!(!live.is_live(mid, dead));
        assert!(live.is_live(after, i) && !live.is_live(after, n));
    }

    #[test]
    fn globals_live_at_the_exit_and_at_calls() {
        let mut program = sample::program(Vec::new());
        let g = sample::add_global(&mut program, "g", I32);
        let mut b = Body::new("f", &[], None);
        let one = b.int(1);
        let called = b.call(Loc(0), None, crate::program::FuncId(0), vec![]);
        let assigned = b.assign(called, g, one);
        b.ret(assigned, None);
        let live = Liveness::of(&b.finish());
        assert!(live.is_live(Loc(0), g) && !live.is_live(called, g) && live.is_live(assigned, g));
    }
}
