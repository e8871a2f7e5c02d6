//! Chains of comparisons of one value with constants, as lowering makes of `switch`: one jump through a table.

use super::FunctionCompiler;
use crate::image::{Arm, SwitchTable};
use crate::inst::{Inst, Target};
use plumb_ir::expr::{BinOp, ExprId, ExprKind, Sign};
use plumb_ir::program::{EdgeId, Loc};
use plumb_ir::ty::Ty;

/// Shorter chains are compared one by one.
const MIN_CASES: usize = 4;
/// A dense table may have so many entries per case.
const SPREAD: u64 = 4;

/// Values `low..=high` lead to a location.
struct Case {
    low: u64,
    high: u64,
    to: Loc,
}

impl FunctionCompiler<'_> {
    /// Compiles the chain that starts at a location, if there is one.
    pub(super) fn switch(&mut self, loc: Loc) -> bool {
        let Some((subject, first, case, mut next)) = self.link(loc, None) else { return false };
        let mut cases = vec![case];
        loop {
            let single = self.preds[next] == 1 && !self.is_placed(next) && !self.is_probed(next);
            match self.link(next, Some(subject)).filter(|_| single) {
                Some((_, _, case, after)) if !overlaps(&cases, &case) => {
                    cases.push(case);
                    next = after;
                }
                Some(_) | None => break,
            }
        }
        if cases.len() < MIN_CASES {
            return false;
        }
        self.begin(first);
        self.share(&[subject]);
        let a = self.value(subject, None);
        // The first step is counted with the block; each comparison that fails is one more.
        let arm = |to: Loc, steps: usize| Arm { to: Target(to.0), steps: steps as u32 };
        let default = arm(next, cases.len() - 1);
        let low = cases.iter().map(|c| c.low).min().unwrap_or(0);
        let high = cases.iter().map(|c| c.high).max().unwrap_or(0);
        let i = self.image.tables.len() as u32;
        let mut table = SwitchTable { low, dense: Vec::new(), sparse: Vec::new(), default };
        if high - low < cases.len() as u64 * SPREAD + 16 {
            table.dense = vec![default; (high - low + 1) as usize];
            for (steps, case) in cases.iter().enumerate() {
                let range = (case.low - low) as usize..=(case.high - low) as usize;
                table.dense[range].fill(arm(case.to, steps));
            }
            self.emit(Inst::SwitchDense { a, i });
        } else {
            let ranges = cases.iter().enumerate().map(|(steps, c)| (c.low, c.high, arm(c.to, steps)));
            table.sparse = ranges.collect();
            table.sparse.sort_by_key(|(low, ..)| *low);
            self.emit(Inst::SwitchSparse { a, i });
        }
        self.image.tables.push(table);
        self.later(next);
        cases.iter().rev().for_each(|case| self.later(case.to));
        true
    }

    /// One link: subject, first edge, its case, and where the chain goes on.
    fn link(&self, loc: Loc, subject: Option<ExprId>) -> Option<(ExprId, EdgeId, Case, Loc)> {
        let mut out = self.f.out_edges(loc);
        let (Some(first), Some(second), None) = (out.next(), out.next(), out.next()) else { return None };
        let (found, low, high) = self.case(self.condition(first)?)?;
        let same = |a: ExprId, b: ExprId| a == b || self.f.exprs.get(a) == self.f.exprs.get(b);
        if subject.is_some_and(|s| !same(s, found)) {
            return None;
        }
        let case = Case { low, high, to: self.f.edge(first).to };
        Some((found, first, case, self.f.edge(second).to))
    }

    /// A condition that compares a value with constants.
    fn case(&self, cond: ExprId) -> Option<(ExprId, u64, u64)> {
        match self.f.exprs.kind(cond) {
            ExprKind::Binary(BinOp::Eq, _, a, b) => {
                let (subject, value) = match (self.f.exprs.as_const(a), self.f.exprs.as_const(b)) {
                    (None, Some(value)) => (a, value),
                    (Some(value), None) => (b, value),
                    (Some(_), Some(_)) | (None, None) => return None,
                };
                self.is_subject(subject).then(|| (subject, value.u64(), value.u64()))
            }
            ExprKind::And(a, b) => {
                let ExprKind::Binary(BinOp::Le, sign, low, x) = self.f.exprs.kind(a) else { return None };
                let ExprKind::Binary(BinOp::Le, other, y, high) = self.f.exprs.kind(b) else { return None };
                let (low, high) = (self.f.exprs.as_const(low)?, self.f.exprs.as_const(high)?);
                let same = sign == other && self.f.exprs.get(x) == self.f.exprs.get(y);
                // As unsigned numbers a signed range must not go over zero.
                let bits = self.bits(self.ty(x));
                let ordered = match sign {
                    Sign::Signed => {
                        low.signed(bits) <= high.signed(bits) && (low.signed(bits) < 0) == (high.signed(bits) < 0)
                    }
                    Sign::Unsigned | Sign::Plain => low.u64() <= high.u64(),
                };
                (same && ordered && self.is_subject(x)).then(|| (x, low.u64(), high.u64()))
            }
            _ => None,
        }
    }

    fn is_subject(&self, id: ExprId) -> bool {
        !self.lazy[id] && matches!(self.ty(id), Ty::Int(1..=64) | Ty::Ptr)
    }
}

fn overlaps(cases: &[Case], new: &Case) -> bool {
    cases.iter().any(|c| new.low <= c.high && c.low <= new.high)
}
