//! Which edges can influence whether a check breaks: a fixpoint over data and control dependence (Weiser 1981;
//! Horwitz, Reps, Binkley 1990, without their calling contexts).
//!
//! Local registers are followed by their definitions and uses. Global registers, memory and lifetimes are followed
//! without regard to order: once something reads one, every edge that may write it is kept. Kept is closed under:
//! * what a kept edge reads, its writers are kept;
//! * the branches that a kept edge's location depends on are kept;
//! * the calls of a function with a kept edge are kept, and so is whatever ends runs: see [`Relevance::is_root`].

use crate::analysis::Analyses;
use crate::analysis::defuse::Site;
use crate::analysis::modref::{Objects, edge_effects};
use crate::analysis::pointsto::{Object, Targets};
use crate::check::{CheckId, CheckKind};
use crate::expr::{BinOp, CastOp, ExprId, ExprKind};
use crate::program::{
    Callee, EdgeId, Extent, FuncId, GlobalVar, HavocPlace, Intrinsic, Loc, LocalVar, Op, Place, Program, VarRef,
};
use crate::ty::Ty;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

pub struct Relevance<'a> {
    analyses: &'a Analyses,
    program: &'a Program,
    /// Those that may run.
    pub functions: Vec<FuncId>,
    may_run: FxHashSet<FuncId>,
    kept: FxHashSet<(FuncId, EdgeId)>,
    worklist: Vec<(FuncId, EdgeId)>,
    entered: FxHashSet<FuncId>,
    params: FxHashSet<(FuncId, LocalVar)>,
    results: FxHashSet<FuncId>,
    registers: BTreeSet<GlobalVar>,
    objects: Objects,
    lifetimes: bool,
    /// A question about everything there is: nothing can be left out.
    everything: bool,
    writers: Writers,
}

/// The edges that write what is followed without regard to order.
#[derive(Default)]
struct Writers {
    registers: Vec<(GlobalVar, FuncId, EdgeId)>,
    objects: Vec<(Objects, FuncId, EdgeId)>,
    lifetimes: Vec<(FuncId, EdgeId)>,
}

impl<'a> Relevance<'a> {
    /// The relevant edges of the functions that may run. `None` if a check asks about everything there is.
    pub fn of(analyses: &'a Analyses, wanted: &dyn Fn(CheckId) -> bool) -> Option<Relevance<'a>> {
        let program = analyses.program();
        let functions = analyses.resolved_calls().reachable(program.start);
        let mut this = Relevance {
            analyses,
            program,
            kept: FxHashSet::default(),
            worklist: Vec::new(),
            entered: FxHashSet::default(),
            params: FxHashSet::default(),
            results: FxHashSet::default(),
            registers: BTreeSet::new(),
            objects: Objects::none(),
            lifetimes: false,
            // What is read on another stack may have been written on any.
            everything: program.has_stacks(),
            writers: Writers::default(),
            may_run: functions.iter().copied().collect(),
            functions,
        };
        for func in this.functions.clone() {
            for edge in program.function(func).edge_ids() {
                this.note_writes(func, edge);
                if this.is_root(func, edge, wanted) {
                    this.keep(func, edge);
                }
            }
        }
        while this.step() {}
        (!this.everything).then_some(this)
    }

    pub fn is_kept(&self, func: FuncId, edge: EdgeId) -> bool {
        self.kept.contains(&(func, edge))
    }

    pub fn is_param_needed(&self, func: FuncId, param: LocalVar) -> bool {
        self.params.contains(&(func, param))
    }

    /// What is kept whatever it computes: the checks that are asked for and those that say that nothing is known, and
    /// every edge by which a run may end: assumptions, `exit`, `abort`, stops. A branch whose ways need not meet
    /// again is kept too.
    fn is_root(&self, func: FuncId, id: EdgeId, wanted: &dyn Fn(CheckId) -> bool) -> bool {
        let function = self.program.function(func);
        let edge = function.edge(id);
        let stops = edge.to != function.exit && function.out_edges(edge.to).next().is_none();
        stops
            || match &edge.op {
                Op::Check { check, .. } => wanted(*check) || self.program.check(*check).kind == CheckKind::Unsupported,
                Op::Assume { cond, .. } => match function.out_edges(edge.from).count() {
                    1 => function.exprs.as_const(*cond).is_none_or(|value| value.is_zero()),
                    _ => self.analyses.control_dependence(func).meeting(edge.from).is_none(),
                },
                Op::Call { callee: Callee::Intrinsic(Intrinsic::Exit | Intrinsic::Abort), .. } => true,
                Op::Call { .. } | Op::Assign { .. } | Op::Havoc { .. } | Op::Return(_) => false,
            }
    }

    fn note_writes(&mut self, func: FuncId, edge: EdgeId) {
        let writes = edge_effects(self.program, self.analyses.points_to(), func, edge).writes;
        self.writers.registers.extend(writes.registers.iter().map(|&var| (var, func, edge)));
        if !writes.objects.is_empty() {
            self.writers.objects.push((writes.objects, func, edge));
        }
        if writes.lifetimes {
            self.writers.lifetimes.push((func, edge));
        }
    }

    fn keep(&mut self, func: FuncId, edge: EdgeId) {
        if self.kept.insert((func, edge)) {
            self.worklist.push((func, edge));
        }
    }

    /// Keeps an edge for what it leaves in a register.
    fn keep_definition(&mut self, func: FuncId, edge: EdgeId) {
        self.keep(func, edge);
        let analyses = self.analyses;
        for callee in analyses.resolved_calls().targets(func, edge) {
            self.need_result(callee);
        }
    }

    /// One edge of the worklist, or the writers of memory when it is empty; false when nothing changes any more.
    fn step(&mut self) -> bool {
        match self.worklist.pop() {
            Some((func, edge)) => self.close(func, edge),
            None => self.keep_writers(),
        }
        !self.worklist.is_empty() && !self.everything || self.pending_writers()
    }

    fn pending_writers(&self) -> bool {
        !self.everything && self.wanted_writers().next().is_some()
    }

    /// The edges that write what is needed and are not kept yet.
    fn wanted_writers(&self) -> impl Iterator<Item = (FuncId, EdgeId)> + '_ {
        let Writers { objects, lifetimes, .. } = &self.writers;
        let memory = objects.iter().filter(|(written, ..)| self.objects.meets(written)).map(|(_, f, e)| (*f, *e));
        let lives = lifetimes.iter().filter(|_| self.lifetimes).copied();
        memory.chain(lives).filter(|edge| !self.kept.contains(edge))
    }

    fn keep_writers(&mut self) {
        let wanted: Vec<_> = self.wanted_writers().collect();
        for (func, edge) in wanted {
            // An allocation or a call of the library is kept for its effect; its register is followed by its uses.
            self.keep(func, edge);
        }
    }

    /// Keeps what the edge depends on.
    fn close(&mut self, func: FuncId, id: EdgeId) {
        let program = self.program;
        let function = program.function(func);
        let edge = function.edge(id);
        if self.entered.insert(func) {
            let callers: Vec<_> = self.analyses.resolved_calls().callers(func).to_vec();
            for (caller, call) in callers {
                if self.may_run.contains(&caller) {
                    self.keep(caller, call);
                }
            }
        }
        for &branch in self.analyses.control_dependence(func).branches(edge.from) {
            function.out_edges(branch).for_each(|e| self.keep(func, e));
        }
        match &edge.op {
            Op::Call { callee: Callee::Direct(callee), args, .. } => {
                for (i, &arg) in args.iter().enumerate() {
                    if self.params.contains(&(*callee, LocalVar(i as u32))) {
                        self.need(func, edge.from, arg);
                    }
                }
            }
            // How a run ends is none of the checks' business.
            Op::Call { callee: Callee::Intrinsic(Intrinsic::Exit), .. } => {}
            Op::Call { callee: Callee::Intrinsic(Intrinsic::Print), args, .. } => {
                args.iter().for_each(|&arg| self.need(func, edge.from, arg));
                self.objects = Objects::Any;
            }
            Op::Call { callee: Callee::Intrinsic(Intrinsic::MemCopy), args, .. } => {
                args.iter().for_each(|&arg| self.need(func, edge.from, arg));
                match args.get(1) {
                    Some(&from) => self.need_memory(func, from),
                    None => self.objects = Objects::Any,
                }
            }
            Op::Havoc { to: HavocPlace::Objects { addr, extent }, .. } => {
                self.need(func, edge.from, *addr);
                self.lifetimes = true;
                match extent {
                    Extent::Object => {}
                    Extent::Reached | Extent::Behind => self.objects = Objects::Any,
                }
            }
            Op::Assign { to: Place::Var(_) | Place::Mem(_), .. }
            | Op::Assume { .. }
            | Op::Havoc { to: HavocPlace::Var(_) | HavocPlace::Region { .. }, .. }
            | Op::Return(_)
            | Op::Check { .. }
            | Op::Call {
                callee:
                    Callee::Indirect(_)
                    | Callee::Intrinsic(
                        Intrinsic::HeapAlloc
                        | Intrinsic::StackAlloc
                        | Intrinsic::Free
                        | Intrinsic::StackFree
                        | Intrinsic::MemSet
                        | Intrinsic::Abort
                        | Intrinsic::NewStack
                        | Intrinsic::SwitchStack
                        | Intrinsic::EndStack
                        | Intrinsic::CurrentStack,
                    ),
                ..
            } => edge.op.exprs().for_each(|expr| self.need(func, edge.from, expr)),
        }
    }

    /// Keeps what the value of an expression at a location depends on.
    fn need(&mut self, func: FuncId, at: Loc, root: ExprId) {
        let function = self.program.function(func);
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let kind = function.exprs.kind(id);
            stack.extend(kind.operands());
            match kind {
                ExprKind::Var(VarRef::Local(var)) => self.need_local(func, at, var),
                ExprKind::Var(VarRef::Global(var)) => self.need_register(var),
                ExprKind::Load(addr) => {
                    self.need_memory(func, addr);
                    // Bytes of a pointer to an allocated object, read as a number: where the object lies.
                    if function.exprs.ty(id) != Ty::Ptr && self.may_hold_allocated(func, id) {
                        self.lifetimes = true;
                    }
                }
                ExprKind::InBounds { .. }
                | ExprKind::Freeable(_)
                | ExprKind::IsLive(_)
                | ExprKind::SameObject(..)
                | ExprKind::BytesLeft(_)
                | ExprKind::ObjectOffset(_)
                | ExprKind::PtrDiff(..)
                | ExprKind::HeapEmpty
                | ExprKind::Cast(CastOp::PtrToInt | CastOp::IntToPtr, _) => self.lifetimes = true,
                ExprKind::Cast(CastOp::Reinterpret, a) => {
                    self.lifetimes |= function.exprs.ty(a) == Ty::Ptr || function.exprs.ty(id) == Ty::Ptr;
                }
                ExprKind::Binary(BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le, _, a, b) => {
                    let is_null = |e: ExprId| function.exprs.as_const(e).is_some_and(|bits| bits.is_zero());
                    self.lifetimes |= function.exprs.ty(a) == Ty::Ptr && !is_null(a) && !is_null(b);
                }
                ExprKind::NoLeak(_) => self.everything = true,
                ExprKind::Const(_)
                | ExprKind::Addr(_)
                | ExprKind::FuncAddr(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cast(..)
                | ExprKind::Ite(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::PtrAdd(..)
                | ExprKind::Extract { .. }
                | ExprKind::Insert { .. }
                | ExprKind::Fma(..)
                | ExprKind::Callable { .. } => {}
            }
        }
    }

    fn may_hold_allocated(&self, func: FuncId, expr: ExprId) -> bool {
        match self.analyses.points_to().targets(func, expr) {
            Targets::Unknown => true,
            Targets::Known(list) => list.iter().any(|t| matches!(t.object, Object::Heap(..) | Object::Stack(..))),
        }
    }

    fn need_local(&mut self, func: FuncId, at: Loc, var: LocalVar) {
        let analyses = self.analyses;
        let chains = analyses.def_use(func);
        for def in chains.reaching(at, VarRef::Local(var)) {
            match chains.get(def).site {
                Site::Edge(edge) => self.keep_definition(func, edge),
                Site::Entry if var.0 < self.program.function(func).param_count => self.need_param(func, var),
                // It has no value yet, or a callee's edge does what it does to a global.
                Site::Entry | Site::Callee(_) => {}
            }
        }
    }

    fn need_param(&mut self, func: FuncId, param: LocalVar) {
        if !self.params.insert((func, param)) {
            return;
        }
        let callers: Vec<_> = self.analyses.resolved_calls().callers(func).to_vec();
        for (caller, call) in callers {
            if !self.may_run.contains(&caller) {
                continue;
            }
            self.keep(caller, call);
            let edge = self.program.function(caller).edge(call);
            let Op::Call { args, .. } = &edge.op else { continue };
            if let Some(&arg) = args.get(param.0 as usize) {
                self.need(caller, edge.from, arg);
            }
        }
    }

    fn need_result(&mut self, func: FuncId) {
        if !self.results.insert(func) {
            return;
        }
        let function = self.program.function(func);
        for id in function.edge_ids().filter(|&id| matches!(function.edge(id).op, Op::Return(_))) {
            self.keep(func, id);
        }
    }

    fn need_register(&mut self, var: GlobalVar) {
        if !self.registers.insert(var) {
            return;
        }
        let writers: Vec<_> = self.writers.registers.iter().filter(|(v, ..)| *v == var).map(|w| (w.1, w.2)).collect();
        for (func, edge) in writers {
            self.keep_definition(func, edge);
        }
    }

    fn need_memory(&mut self, func: FuncId, addr: ExprId) {
        let objects = match self.analyses.points_to().targets(func, addr) {
            Targets::Unknown => Objects::Any,
            Targets::Known(list) => Objects::Known(list.into_iter().map(|t| t.object).collect()),
        };
        self.objects.add_all(&objects);
    }
}
