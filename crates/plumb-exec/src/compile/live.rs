//! Registers that may be read before they are written.
//!
//! The IR leaves their value open. The machine gives them zero, so that runs are reproducible and registers canonical
//! whatever an earlier call left in the window. Where leaks are looked for, all variables that count while their activation lasts are
//! cleared, so that none of them seems to hold what an earlier call held.

use super::FunctionCompiler;
use plumb_ir::check::CheckKind;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::index::TiVec;
use plumb_ir::program::{EdgeId, Lifetime, Loc, LocalVar, Op, VarRef};
use plumb_ir::ty::Bits;

/// Beyond this many bits of state, every register is cleared.
const LIMIT: usize = 1 << 28;

/// A set of local registers per location.
struct Sets {
    words: Vec<u64>,
    per_loc: usize,
}

impl Sets {
    fn of(&self, loc: u32) -> &[u64] {
        &self.words[loc as usize * self.per_loc..][..self.per_loc]
    }
}

impl FunctionCompiler<'_> {
    /// Emits the clearing of registers that are live at the entry.
    pub(super) fn clear_unwritten(&mut self) {
        let (f, count) = (self.f, self.f.vars.len());
        let params = f.param_count as usize;
        if count == params {
            return;
        }
        let live = self.live_at_entry();
        let finds_leaks = self.program.checks.iter().any(|check| check.kind == CheckKind::Leak);
        for (i, var) in f.vars.iter().enumerate().skip(params) {
            let is_live = live.as_ref().is_none_or(|set| set[i / 64] >> (i % 64) & 1 != 0);
            if is_live || finds_leaks && var.lifetime == Lifetime::Activation {
                let slot = self.vars[LocalVar::from(i)];
                self.constant(var.ty, Bits::ZERO, Some(slot));
            }
        }
    }

    /// The usual backward analysis; `None` if the function is too large for it.
    fn live_at_entry(&self) -> Option<Vec<u64>> {
        let f = self.f;
        let per_loc = f.vars.len().div_ceil(64);
        if per_loc * 64 * f.loc_count as usize > LIMIT {
            return None;
        }
        let mut sets = Sets { words: vec![0; per_loc * f.loc_count as usize], per_loc };
        let mut incoming: TiVec<Loc, Vec<EdgeId>> = vec![Vec::new(); f.loc_count as usize].into();
        f.edges.iter_enumerated().for_each(|(id, e)| incoming[e.to].push(id));
        let effects: TiVec<EdgeId, (Vec<u32>, Option<u32>)> = f.edges.iter().map(|e| self.effect(&e.op)).collect();
        // Every edge once; then those that lead to a changed location.
        let mut work: Vec<EdgeId> = f.edge_ids().collect();
        let mut queued: TiVec<EdgeId, bool> = vec![true; f.edges.len()].into();
        while let Some(index) = work.pop() {
            queued[index] = false;
            let edge = &f.edges[index];
            let mut set = sets.of(edge.to.0).to_vec();
            let (reads, write) = &effects[index];
            if let Some(var) = write {
                set[*var as usize / 64] &= !(1 << (var % 64));
            }
            reads.iter().for_each(|var| set[*var as usize / 64] |= 1 << (var % 64));
            let start = edge.from.0 as usize * per_loc;
            let mut changed = false;
            for (old, new) in sets.words[start..start + per_loc].iter_mut().zip(&set) {
                changed |= *new & !*old != 0;
                *old |= new;
            }
            if changed {
                for &next in &incoming[edge.from] {
                    if !std::mem::replace(&mut queued[next], true) {
                        work.push(next);
                    }
                }
            }
        }
        Some(sets.of(f.entry.0).to_vec())
    }

    /// The local registers that an edge reads, and the one it writes.
    fn effect(&self, op: &Op) -> (Vec<u32>, Option<u32>) {
        let local = |var: VarRef| match var {
            VarRef::Local(LocalVar(var)) => Some(var),
            VarRef::Global(_) => None,
        };
        let write = op.written().and_then(local);
        let mut reads = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<ExprId> = op.exprs().collect();
        while let Some(id) = stack.pop() {
            if let ExprKind::Var(VarRef::Local(LocalVar(var))) = self.f.exprs.kind(id) {
                reads.push(var);
            } else if seen.insert(id) {
                stack.extend(self.f.exprs.kind(id).operands());
            }
        }
        reads.sort_unstable();
        reads.dedup();
        (reads, write)
    }
}
