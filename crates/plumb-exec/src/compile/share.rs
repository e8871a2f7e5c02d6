//! Expressions that an edge uses more than once: found, and computed once.
//!
//! An expression that cannot fault is computed before the rest of the edge, so that it is there on every path through
//! lazily evaluated operands: the code of an edge stays linear in its expressions. One that can fault is computed where
//! it is first needed and known only on the paths that pass there.

use super::FunctionCompiler;
use crate::inst::Slot;
use plumb_c::target::Target;
use plumb_ir::expr::{BinOp, ExprId, ExprKind};
use plumb_ir::index::TiVec;
use plumb_ir::program::Function;
use rustc_hash::FxHashMap;

/// By expression: whether its evaluation may fault, or asks about memory. Such an operand is evaluated only when needed.
pub(super) fn lazy(f: &Function, target: &Target) -> TiVec<ExprId, bool> {
    let mut lazy: TiVec<ExprId, bool> = TiVec::with_capacity(f.exprs.len());
    for i in 0..f.exprs.len() as u32 {
        let kind = f.exprs.kind(ExprId(i));
        let own = match kind {
            ExprKind::Load(_)
            | ExprKind::InBounds { .. }
            | ExprKind::Callable { .. }
            | ExprKind::Freeable(_)
            | ExprKind::IsLive(_)
            | ExprKind::SameObject(..)
            | ExprKind::BytesLeft(_)
            | ExprKind::ObjectOffset(_)
            | ExprKind::NoLeak(_)
            | ExprKind::HeapEmpty => true,
            ExprKind::Unary(op, sign, a) => f.exprs.unary_may_fault(op, sign, a),
            ExprKind::Binary(op, sign, a, b) => f.exprs.may_fault(op, sign, a, b, f.exprs.ty(a).bits(target)),
            ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Addr(_)
            | ExprKind::FuncAddr(_)
            | ExprKind::Cast(..)
            | ExprKind::Ite(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::PtrAdd(..)
            | ExprKind::PtrDiff(..)
            | ExprKind::Extract { .. }
            | ExprKind::Insert { .. }
            | ExprKind::Fma(..) => false,
        };
        let inherited = kind.operands().any(|o| lazy.get(o).copied().unwrap_or(true));
        lazy.push(own || inherited);
    }
    lazy
}

impl FunctionCompiler<'_> {
    pub(super) fn is_leaf(&self, id: ExprId) -> bool {
        matches!(
            self.f.exprs.kind(id),
            ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Addr(_) | ExprKind::FuncAddr(_)
        )
    }

    /// At most so many nodes, counting repetitions.
    pub(super) fn is_small(&self, id: ExprId, limit: usize) -> bool {
        fn count(this: &FunctionCompiler, id: ExprId, left: &mut usize) {
            if *left == 0 {
                return;
            }
            *left -= 1;
            this.f.exprs.kind(id).operands().for_each(|o| count(this, o, left));
        }
        let mut left = limit + 1;
        count(self, id, &mut left);
        left > 0
    }

    /// Prepares the evaluation of an edge's expressions.
    pub(super) fn share(&mut self, roots: &[ExprId]) {
        if roots.iter().all(|r| self.is_leaf(*r) || self.f.exprs.kind(*r).operands().all(|o| self.is_leaf(o))) {
            return;
        }
        let mut uses: FxHashMap<ExprId, u32> = FxHashMap::default();
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            if self.is_leaf(id) {
                continue;
            }
            let count = uses.entry(id).or_insert(0);
            *count += 1;
            if *count == 1 {
                stack.extend(self.f.exprs.kind(id).operands());
            }
        }
        let mut shared: Vec<ExprId> = uses.iter().filter(|(_, n)| **n > 1).map(|(id, _)| *id).collect();
        shared.retain(|id| !self.is_small(*id, 1) && !self.is_address_mode(*id));
        // Operands first.
        shared.sort_unstable();
        for id in &shared {
            let slot = self.temp(self.f.exprs.ty(*id));
            self.shared.push((*id, slot));
            self.ready.push(false);
        }
        for id in shared {
            if !self.lazy[id] {
                self.value(id, None);
            }
        }
    }

    /// Addresses that loads and stores compute by themselves, and sums and widenings that others do.
    fn is_address_mode(&self, id: ExprId) -> bool {
        match self.f.exprs.kind(id) {
            ExprKind::PtrAdd(a, b) => {
                self.is_leaf(a)
                    && (self.is_leaf(b)
                        || match self.f.exprs.kind(b) {
                            ExprKind::Binary(BinOp::Mul, _, x, y) => {
                                self.is_leaf(y) && (self.is_leaf(x) || self.is_leaf_cast(x))
                            }
                            ExprKind::Cast(_, x) => self.is_leaf(x),
                            _ => false,
                        })
            }
            ExprKind::Binary(BinOp::Mul, _, x, y) => self.is_leaf(y) && (self.is_leaf(x) || self.is_leaf_cast(x)),
            ExprKind::Cast(_, x) => self.is_leaf(x),
            _ => false,
        }
    }

    fn is_leaf_cast(&self, id: ExprId) -> bool {
        matches!(self.f.exprs.kind(id), ExprKind::Cast(_, x) if self.is_leaf(x))
    }

    fn shared_index(&self, id: ExprId) -> Option<usize> {
        self.shared.binary_search_by_key(&id, |(e, _)| *e).ok()
    }

    /// The register that has the value already.
    pub(super) fn known(&self, id: ExprId) -> Option<Slot> {
        let at = self.shared_index(id)?;
        self.ready[at].then(|| self.shared[at].1)
    }

    /// The register set aside for the value.
    pub(super) fn reserved(&self, id: ExprId) -> Option<Slot> {
        self.shared_index(id).map(|at| self.shared[at].1)
    }

    pub(super) fn remember(&mut self, id: ExprId) {
        if let Some(at) = self.shared_index(id) {
            self.ready[at] = true;
            self.memo.push(at);
        }
    }

    /// Compiles code that may be jumped over: what it computes is not known after it.
    pub(super) fn skippable<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let (memo, cached) = (self.memo.len(), self.cached.len());
        let result = f(self);
        self.memo.drain(memo..).for_each(|at| self.ready[at] = false);
        self.cached.truncate(cached);
        result
    }
}
