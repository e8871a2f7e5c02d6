//! Locations and edges in an order that lets most code fall through.
//!
//! From a location the code follows its edges until it meets one that has been placed. A loop head of two short
//! branches is repeated at the end of the loop instead of being jumped to: one instruction less per iteration.

use super::{CACHE, FunctionCompiler, LIMIT, UNPLACED};
use crate::image::{HavocSite, HavocTarget, TracePhase, TracePoint};
use crate::inst::{Inst, Pair, Slot, Target};
use crate::settle::Settled;
use plumb_ir::expr::{BinOp, ExprId, ExprKind};
use plumb_ir::input::InputId;
use plumb_ir::program::{EdgeId, GlobalVar, HavocPlace, Loc, Op, Place, VarRef};
use plumb_ir::ty::Ty;

/// Code that remains to be made, with the program registers whose copies are right there.
pub(super) struct Work {
    kind: WorkKind,
    cached: Vec<(GlobalVar, Slot)>,
}

enum WorkKind {
    Location(Loc),
    /// An edge that is taken at a label: its instrumentation, then its target.
    Arm(u32, EdgeId),
}

/// The code would exceed what can be addressed.
pub(super) struct CodeTooLarge;

/// The most expression nodes in a condition that is repeated.
const REPEATED: usize = 12;

impl FunctionCompiler<'_> {
    pub(super) fn flow(&mut self) -> Result<(), CodeTooLarge> {
        self.work.push(Work { kind: WorkKind::Location(self.f.entry), cached: Vec::new() });
        while let Some(work) = self.work.pop() {
            self.cached = work.cached;
            match work.kind {
                WorkKind::Location(loc) if self.is_placed(loc) => {}
                WorkKind::Location(loc) => self.chain(loc)?,
                WorkKind::Arm(label, edge) => {
                    self.place(label);
                    self.visit(edge);
                    self.instrument(edge, None);
                    self.chain(self.f.edge(edge).to)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn is_placed(&self, loc: Loc) -> bool {
        self.labels[loc.0 as usize] != UNPLACED
    }

    pub(super) fn is_probed(&self, loc: Loc) -> bool {
        self.probes.contains_key(&(self.id, loc))
    }

    pub(super) fn is_instrumented(&self) -> bool {
        self.options.coverage || self.options.trace || self.options.measure
    }

    /// Remembers to compile a location that something jumps to.
    pub(super) fn later(&mut self, loc: Loc) {
        if !self.is_placed(loc) {
            let cached = if self.preds[loc] == 1 { self.cached.clone() } else { Vec::new() };
            self.work.push(Work { kind: WorkKind::Location(loc), cached });
        }
    }

    /// Compiles a location and what follows it.
    fn chain(&mut self, mut loc: Loc) -> Result<(), CodeTooLarge> {
        // Two repetitions in a row could go round for ever.
        let mut repeated = false;
        loop {
            if self.code.len() > LIMIT {
                return Err(CodeTooLarge);
            }
            if self.is_placed(loc) {
                if repeated || !self.is_repeatable(loc) {
                    self.emit(Inst::Jump { n: 0, to: Target(loc.0) });
                    return Ok(());
                }
                repeated = true;
                // What follows the head is reached from both copies of it: it may rely only on what each of them loads.
                self.cached.clear();
            } else {
                if self.preds[loc] > 1 {
                    self.cached.clear();
                }
                repeated = false;
                self.place(loc.0);
                if let Some(&i) = self.probes.get(&(self.id, loc)) {
                    self.emit(Inst::Probe { i });
                }
            }
            let mut out = self.f.out_edges(loc);
            let next = match (out.next(), out.next()) {
                (None, _) => {
                    self.emit(Inst::NoEdge { i: loc.0 });
                    None
                }
                (Some(edge), None) => self.edge(edge),
                (Some(first), Some(_)) => self.decision(loc, first),
            };
            match next {
                Some(next) => loc = next,
                None => return Ok(()),
            }
        }
    }

    /// Whether the location is two branches on a short condition.
    fn is_repeatable(&self, loc: Loc) -> bool {
        let mut out = self.f.out_edges(loc);
        let (Some(first), Some(_), None) = (out.next(), out.next(), out.next()) else { return false };
        match self.f.edge(first).op {
            Op::Assume { cond, .. } => !self.is_probed(loc) && !self.is_instrumented() && self.is_small(cond, REPEATED),
            Op::Assign { .. } | Op::Havoc { .. } | Op::Call { .. } | Op::Return(_) | Op::Check { .. } => false,
        }
    }

    /// Several branches: the first whose condition holds, the last without asking.
    fn decision(&mut self, loc: Loc, first: EdgeId) -> Option<Loc> {
        if !self.is_instrumented() && self.switch(loc) {
            return None;
        }
        let edges: Vec<EdgeId> = self.f.out_edges(loc).collect();
        let conditions: Vec<ExprId> = edges.iter().filter_map(|e| self.condition(*e)).collect();
        self.begin(first);
        if conditions.len() != edges.len() {
            // Not an automaton that the verifier lets pass.
            self.emit(Inst::NoEdge { i: loc.0 });
            return None;
        }
        self.share(&conditions[..conditions.len() - 1]);
        if self.is_instrumented() {
            return self.instrumented_decision(&edges, &conditions);
        }
        if let ([first, second], [cond, _]) = (&edges[..], &conditions[..]) {
            let (yes, no) = (self.f.edge(*first).to, self.f.edge(*second).to);
            let (sense, target, next) =
                if self.is_placed(yes) && !self.is_placed(no) { (true, yes, no) } else { (false, no, yes) };
            self.branch(*cond, sense, target.0);
            self.later(target);
            return Some(next);
        }
        for (edge, cond) in edges.iter().zip(&conditions).take(edges.len() - 1) {
            let to = self.f.edge(*edge).to;
            self.branch(*cond, true, to.0);
            self.later(to);
        }
        edges.last().map(|e| self.f.edge(*e).to)
    }

    fn instrumented_decision(&mut self, edges: &[EdgeId], conditions: &[ExprId]) -> Option<Loc> {
        let (last, others) = edges.split_last()?;
        for (edge, cond) in others.iter().zip(conditions) {
            let label = self.new_label();
            self.branch(*cond, true, label);
            self.work.push(Work { kind: WorkKind::Arm(label, *edge), cached: Vec::new() });
        }
        self.visit(*last);
        self.instrument(*last, None);
        Some(self.f.edge(*last).to)
    }

    pub(super) fn condition(&self, edge: EdgeId) -> Option<ExprId> {
        match self.f.edge(edge).op {
            Op::Assume { cond, .. } => Some(cond),
            Op::Assign { .. } | Op::Havoc { .. } | Op::Call { .. } | Op::Return(_) | Op::Check { .. } => None,
        }
    }

    /// A label at which the run ends.
    pub(super) fn stub(&mut self, inst: Inst, edge: EdgeId) -> u32 {
        let label = self.new_label();
        self.stubs.push((label, inst, edge));
        label
    }

    /// The only edge of a location. Returns where the code goes on.
    fn edge(&mut self, id: EdgeId) -> Option<Loc> {
        let f = self.f;
        let edge = f.edge(id);
        self.begin(id);
        let mut stored = None;
        match &edge.op {
            Op::Assign { to, value } => stored = self.assign(*to, *value),
            Op::Assume { cond, .. } => {
                self.share(&[*cond]);
                let stub = self.stub(Inst::AssumeFail {}, id);
                self.branch(*cond, false, stub);
            }
            Op::Check { cond, check } => {
                self.share(&[*cond]);
                let stub = self.stub(Inst::CheckFail { i: check.0 }, id);
                self.branch(*cond, false, stub);
            }
            Op::Havoc { to, input } => {
                let target = match *to {
                    HavocPlace::Var(VarRef::Local(var)) => HavocTarget::Slot(self.vars[var], f.var(var).ty),
                    HavocPlace::Var(VarRef::Global(var)) => {
                        self.cached.retain(|(g, _)| *g != var);
                        HavocTarget::Global(self.image.global_slot(var), self.program.var(var).ty)
                    }
                    HavocPlace::Region { addr, size } => {
                        self.share(&[addr, size]);
                        let addr = self.value(addr, None);
                        HavocTarget::Region { addr, size: self.value(size, None) }
                    }
                    HavocPlace::Objects { addr, extent } => {
                        self.share(&[addr]);
                        HavocTarget::Objects { addr: self.value(addr, None), extent }
                    }
                };
                let i = self.image.havocs.len() as u32;
                let settled = self.settled(*input);
                self.image.havocs.push(HavocSite { input: *input, target, settled });
                self.emit(Inst::Havoc { i });
            }
            Op::Return(value) => {
                self.instrument(id, None);
                self.return_value(*value);
                return None;
            }
            Op::Call { to, callee, args } => {
                if !self.call(id, *to, *callee, args) {
                    return None;
                }
            }
        }
        self.instrument(id, stored);
        Some(edge.to)
    }

    /// What settles an input, with the registers of the arguments: those of the model at hand.
    fn settled(&self, input: InputId) -> Option<(Settled, Slot, Slot)> {
        let settled = Settled::of(self.program.input(input)).filter(|_| self.f.is_library)?;
        let params: Vec<Ty> = self.f.params().iter().map(|p| p.ty).collect();
        let slot = |i: usize| self.vars.raw.get(i.min(params.len().saturating_sub(1))).copied();
        settled.takes(&params).then(|| Some((settled, slot(0)?, slot(1)?))).flatten()
    }

    fn return_value(&mut self, value: Option<ExprId>) {
        let inst = match value {
            None => Inst::Return {},
            Some(value) => {
                self.share(&[value]);
                let ty = self.f.exprs.ty(value);
                let a = self.value(value, None);
                if self.is_wide(ty) { Inst::ReturnPair { a: Pair(a.0) } } else { Inst::ReturnValue { a } }
            }
        };
        self.emit(inst);
    }

    /// Reports what it stored to memory: the registers of address and value, if a trace needs them.
    fn assign(&mut self, to: Place, value: ExprId) -> Option<(Slot, Slot, Ty)> {
        match to {
            Place::Var(var) => {
                self.share(&[value]);
                self.assign_var(var, value);
                None
            }
            Place::Mem(addr) if self.options.trace => {
                let ty = self.f.exprs.ty(value);
                let address = self.value(addr, None);
                let kept = self.temp(Ty::Ptr);
                self.emit(Inst::Move { d: kept, a: address });
                let value = self.value(value, None);
                let copy = self.temp(ty);
                self.move_value(ty, copy, value);
                self.store_at(ty, kept, copy);
                Some((kept, copy, ty))
            }
            Place::Mem(addr) => {
                self.share(&[addr, value]);
                self.store(addr, value);
                None
            }
        }
    }

    pub(super) fn assign_var(&mut self, var: VarRef, value: ExprId) {
        match var {
            VarRef::Local(var) => {
                let d = self.vars[var];
                self.value(value, Some(d));
            }
            VarRef::Global(var) => {
                let wide = self.is_wide(self.program.var(var).ty);
                let g = self.image.global_slot(var);
                if let (Some(bits), false) = (self.f.exprs.as_const(value), wide) {
                    self.cached.retain(|(other, _)| *other != var);
                    self.emit(Inst::GlobalSetI { g, lo: bits.u64() as u32, hi: (bits.u64() >> 32) as u32 });
                    return;
                }
                let d = self.cache_slot(var);
                if let Some(i) = self.increment(var, value) {
                    self.emit(Inst::GlobalAdd32I { d, g, i });
                    self.set_cached(var, d);
                    return;
                }
                self.value(value, Some(d));
                self.global_set(var, d);
            }
        }
    }

    /// The constant that a value adds to a program register of 32 bits.
    fn increment(&self, var: GlobalVar, value: ExprId) -> Option<i32> {
        let ExprKind::Binary(op, _, a, b) = self.f.exprs.kind(value) else { return None };
        let amount = self.f.exprs.as_const(b).filter(|_| self.ty(a) == Ty::Int(32))?.u64() as i32;
        let is_own = self.f.exprs.kind(a) == ExprKind::Var(VarRef::Global(var));
        match op {
            BinOp::Add if is_own => Some(amount),
            BinOp::Sub if is_own => Some(amount.wrapping_neg()),
            _ => None,
        }
    }

    /// Writes a program register from the register that caches it.
    pub(super) fn global_set(&mut self, var: GlobalVar, from: Slot) {
        let g = self.image.global_slot(var);
        if self.is_wide(self.program.var(var).ty) {
            self.emit(Inst::GlobalSet2 { g, a: Pair(from.0) });
        } else {
            self.emit(Inst::GlobalSet { g, a: from });
        }
        self.set_cached(var, from);
    }

    /// Notes that the copy of a program register is right from here on.
    pub(super) fn set_cached(&mut self, var: GlobalVar, slot: Slot) {
        if !self.is_cached(var) {
            self.cached.push((var, slot));
        }
    }

    pub(super) fn is_cached(&self, var: GlobalVar) -> bool {
        self.cached.iter().any(|(other, _)| *other == var)
    }

    /// The register that keeps copies of a program register.
    pub(super) fn cache_slot(&mut self, var: GlobalVar) -> Slot {
        if let Some(slot) = self.cache_slots.get(&var) {
            return *slot;
        }
        let slot = Slot(CACHE | self.cache_len);
        self.cache_len += if self.is_wide(self.program.var(var).ty) { 2 } else { 1 };
        self.cache_slots.insert(var, slot);
        slot
    }

    /// Notes that an edge of a decision is taken.
    fn visit(&mut self, edge: EdgeId) {
        if self.options.measure && !self.options.coverage {
            self.cover(edge);
        }
    }

    /// Instructions that tell of an edge's end, as far as they were asked for.
    pub(super) fn instrument(&mut self, edge: EdgeId, stored: Option<(Slot, Slot, Ty)>) {
        if self.options.coverage {
            self.cover(edge);
        }
        if self.options.trace {
            self.trace(edge, TracePhase::Done, stored);
        }
    }

    fn cover(&mut self, edge: EdgeId) {
        self.emit(Inst::Cover { i: self.image.edge_count + edge.0, f: self.id.0, e: edge.0 });
    }

    pub(super) fn trace(&mut self, edge: EdgeId, phase: TracePhase, stored: Option<(Slot, Slot, Ty)>) {
        let i = self.image.traces.len() as u32;
        self.image.traces.push(TracePoint { func: self.id, edge, phase, stored });
        self.emit(Inst::Trace { i });
    }
}
