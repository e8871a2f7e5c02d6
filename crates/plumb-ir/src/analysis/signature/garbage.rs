//! Whether a local object that is filled from outside, mostly because C leaves it uninitialised, is written before it is
//! read.
//!
//! Forward: the bytes that may still be from outside. A store at a constant offset takes its bytes away; a load at a constant
//! offset must find none of its own, and what may read the object at other offsets must find none at all. Where a loop is
//! left that writes element after element, those are written.

use super::collect::Scope;
use super::filled::filled_bytes;
use crate::analysis::address_taken::direct;
use crate::analysis::bits::BitSet;
use crate::analysis::dataflow::{self, Direction, Problem};
use crate::analysis::pointsto::{Object, Targets};
use crate::expr::{ExprId, ExprKind};
use crate::program::{Callee, Edge, EdgeId, FuncId, Function, HavocPlace, Intrinsic, Loc, LocalObj, ObjRef, Op, Place};
use std::ops::Range;

/// Larger objects are supposed to be read.
const MAX_BYTES: u64 = 4096;

struct Tracked<'a> {
    scope: Scope<'a>,
    func: FuncId,
    function: &'a Function,
    object: LocalObj,
    size: usize,
}

/// Whether what comes from outside into the object is never read.
pub fn is_never_read(scope: Scope, func: FuncId, object: LocalObj) -> bool {
    let function = scope.program.function(func);
    let size = function.object(object).size;
    if size > MAX_BYTES {
        return false;
    }
    let tracked = Tracked { scope, func, function, object, size: size as usize };
    let facts = dataflow::solve(function, &tracked, Direction::Forward);
    function.edge_ids().filter(|&edge| scope.matters(func, edge)).all(|edge| {
        let fact = &facts[function.edge(edge).from];
        fact.iter().next().is_none() || !tracked.reads(edge, fact)
    })
}

impl Tracked<'_> {
    /// The bytes of the object that an access at an address touches, where both are constant.
    fn range(&self, addr: ExprId, bytes: u64) -> Option<Range<usize>> {
        match direct(&self.function.exprs, addr, &self.scope.program.target)? {
            (ObjRef::Local(object), offset) if object == self.object => {
                let start = usize::try_from(offset).ok()?.min(self.size);
                Some(start..start.saturating_add(bytes as usize).min(self.size))
            }
            _ => None,
        }
    }

    fn constant_range(&self, addr: ExprId, bytes: ExprId) -> Option<Range<usize>> {
        self.range(addr, self.function.exprs.as_const(bytes)?.u64())
    }

    /// Whether an access at an address may touch a byte of the set.
    fn touches(&self, addr: ExprId, range: Option<Range<usize>>, set: &BitSet) -> bool {
        if let Some(mut range) = range {
            return range.any(|byte| set.contains(byte));
        }
        match self.scope.analyses.points_to().targets(self.func, addr) {
            Targets::Unknown => true,
            Targets::Known(list) => list.iter().any(|t| t.object == Object::Local(self.func, self.object)),
        }
    }

    fn reads(&self, id: EdgeId, set: &BitSet) -> bool {
        let Edge { op, .. } = self.function.edge(id);
        let exprs = &self.function.exprs;
        let mut stack: Vec<ExprId> = op.exprs().collect();
        while let Some(expr) = stack.pop() {
            let kind = exprs.kind(expr);
            if let ExprKind::Load(addr) = kind {
                let bytes = exprs.ty(expr).bytes(&self.scope.program.target);
                if self.touches(addr, self.range(addr, bytes), set) {
                    return true;
                }
            }
            stack.extend(kind.operands());
        }
        match op {
            Op::Call { callee: Callee::Intrinsic(Intrinsic::MemCopy), args, .. } => match args[..] {
                [_, from, bytes] => self.touches(from, self.constant_range(from, bytes), set),
                _ => true,
            },
            Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. } => {
                let reads = &self.scope.analyses.edge_effects(self.func, id).reads;
                reads.objects.contains(Object::Local(self.func, self.object))
            }
            Op::Call { callee: Callee::Intrinsic(_), .. }
            | Op::Assign { .. }
            | Op::Assume { .. }
            | Op::Havoc { .. }
            | Op::Return(_)
            | Op::Check { .. } => false,
        }
    }
}

impl Problem for Tracked<'_> {
    type Fact = BitSet;

    fn bottom(&self) -> BitSet {
        BitSet::new(self.size)
    }

    fn boundary(&self, _: Loc) -> BitSet {
        self.bottom()
    }

    fn transfer(&self, edge: EdgeId, before: &BitSet) -> BitSet {
        let mut set = before.clone();
        match &self.function.edge(edge).op {
            Op::Havoc { to: HavocPlace::Region { addr, size }, .. } => {
                let range = match self.constant_range(*addr, *size) {
                    None if self.touches(*addr, None, &set) => 0..self.size,
                    range => range.unwrap_or(0..0),
                };
                range.for_each(|byte| {
                    set.insert(byte);
                });
            }
            Op::Assign { to: Place::Mem(addr), value } => {
                let bytes = self.function.exprs.ty(*value).bytes(&self.scope.program.target);
                self.range(*addr, bytes).into_iter().flatten().for_each(|byte| set.remove(byte));
            }
            Op::Call { callee: Callee::Intrinsic(Intrinsic::MemCopy | Intrinsic::MemSet), args, .. } => {
                if let [to, _, bytes] = args[..] {
                    self.constant_range(to, bytes).into_iter().flatten().for_each(|byte| set.remove(byte));
                }
            }
            Op::Assume { .. } => {
                let filled = filled_bytes(self.scope, self.func, self.object, edge).unwrap_or(0);
                (0..self.size.min(filled as usize)).for_each(|byte| set.remove(byte));
            }
            Op::Havoc { to: HavocPlace::Var(_) | HavocPlace::Objects { .. }, .. }
            | Op::Assign { to: Place::Var(_), .. }
            | Op::Call { .. }
            | Op::Return(_)
            | Op::Check { .. } => {}
        }
        set
    }

    fn join(&self, into: &mut BitSet, fact: &BitSet) -> bool {
        into.union(fact)
    }
}
