//! Calls and intrinsics.

use super::{FunctionCompiler, OUT, signature};
use crate::image::{IndirectCall, TracePhase};
use crate::inst::{Inst, Slot, Target, stack_op};
use plumb_ir::expr::ExprId;
use plumb_ir::program::{Callee, EdgeId, FuncId, Intrinsic, VarRef};
use plumb_ir::ty::Ty;

impl FunctionCompiler<'_> {
    /// Returns whether the code goes on after the call.
    pub(super) fn call(&mut self, edge: EdgeId, to: Option<VarRef>, callee: Callee, args: &[ExprId]) -> bool {
        let mut roots = args.to_vec();
        if let Callee::Indirect(target) = callee {
            roots.push(target);
        }
        self.share(&roots);
        match callee {
            Callee::Direct(func) => self.direct(edge, to, func, args),
            Callee::Indirect(target) => self.indirect(edge, to, target, args),
            Callee::Intrinsic(intrinsic) => return self.intrinsic(edge, to, intrinsic, args),
        }
        true
    }

    fn var_ty(&self, var: VarRef) -> Ty {
        match var {
            VarRef::Local(var) => self.f.var(var).ty,
            VarRef::Global(var) => self.program.var(var).ty,
        }
    }

    /// Evaluates arguments into the callee's window.
    fn arguments(&mut self, edge: EdgeId, args: &[ExprId]) {
        let mut at = 0;
        for arg in args {
            let ty = self.ty(*arg);
            let width = if self.is_wide(ty) { 2 } else { 1 };
            self.out_max = self.out_max.max(at + width);
            self.value(*arg, Some(Slot(OUT | at)));
            at += width;
        }
        if self.options.trace {
            self.trace(edge, TracePhase::Call, None);
        }
    }

    fn direct(&mut self, edge: EdgeId, to: Option<VarRef>, func: FuncId, args: &[ExprId]) {
        let callee = self.program.function(func);
        let params = callee.params();
        let fits = args.len() >= params.len() && params.iter().zip(args).all(|(p, a)| p.ty == self.ty(*a));
        let returns = to.is_none_or(|to| callee.ret == Some(self.var_ty(to)));
        if !fits || !returns {
            let stub = self.stub(Inst::BadCall {}, edge);
            self.emit(Inst::Jump { n: 0, to: Target(stub) });
            return;
        }
        self.arguments(edge, args);
        let d = self.result(to, callee.ret);
        self.emit(Inst::Call { f: func.0, d, w: 0 });
        self.after_call(to, d);
    }

    fn indirect(&mut self, edge: EdgeId, to: Option<VarRef>, target: ExprId, args: &[ExprId]) {
        let callee = self.value(target, None);
        self.arguments(edge, args);
        let types: Vec<Ty> = args.iter().map(|a| self.ty(*a)).collect();
        let signature = signature(self.image, self.signatures, types.clone());
        let ret = to.map(|to| self.var_ty(to));
        // What is returned and not used may be of any width.
        let d = self.result(to, Some(Ty::Int(128)));
        let i = self.image.calls.len() as u32;
        self.image.calls.push(IndirectCall { callee, d, window: 0, args: types, signature, ret });
        self.emit(Inst::CallPtr { i });
        self.after_call(to, d);
    }

    /// The register that a call's result goes to.
    fn result(&mut self, to: Option<VarRef>, ret: Option<Ty>) -> Slot {
        match to {
            Some(VarRef::Local(var)) => self.vars[var],
            Some(VarRef::Global(var)) => self.cache_slot(var),
            None => self.temp(ret.unwrap_or(Ty::Int(64))),
        }
    }

    /// The callee may have changed every program register.
    fn after_call(&mut self, to: Option<VarRef>, d: Slot) {
        self.cached.clear();
        if let Some(VarRef::Global(var)) = to {
            self.global_set(var, d);
        }
    }

    fn intrinsic(&mut self, edge: EdgeId, to: Option<VarRef>, intrinsic: Intrinsic, args: &[ExprId]) -> bool {
        let expected = match intrinsic {
            Intrinsic::StackAlloc | Intrinsic::Free | Intrinsic::StackFree | Intrinsic::Exit => 1,
            Intrinsic::SwitchStack | Intrinsic::EndStack => 1,
            Intrinsic::HeapAlloc | Intrinsic::Print | Intrinsic::NewStack => 2,
            Intrinsic::MemCopy | Intrinsic::MemSet => 3,
            Intrinsic::Abort | Intrinsic::CurrentStack => 0,
        };
        if args.len() < expected || args.iter().any(|a| self.is_wide(self.ty(*a))) {
            let stub = self.stub(Inst::BadCall {}, edge);
            self.emit(Inst::Jump { n: 0, to: Target(stub) });
            return false;
        }
        let slots: Vec<Slot> = args.iter().map(|a| self.value(*a, None)).collect();
        if self.options.trace {
            self.trace(edge, TracePhase::Call, None);
        }
        let d = self.result(to, None);
        let at = |i: usize| slots[i];
        self.emit(match intrinsic {
            Intrinsic::HeapAlloc => Inst::HeapAlloc { d, a: at(0), b: at(1) },
            Intrinsic::StackAlloc => Inst::StackAlloc { d, a: at(0) },
            Intrinsic::Free => Inst::Free { stack: 0, a: at(0) },
            Intrinsic::StackFree => Inst::Free { stack: 1, a: at(0) },
            Intrinsic::MemCopy => Inst::MemCopy { a: at(0), b: at(1), c: at(2) },
            Intrinsic::MemSet => Inst::MemSet { a: at(0), b: at(1), c: at(2) },
            Intrinsic::Print => Inst::Print { d, a: at(0), b: at(1) },
            Intrinsic::Exit => Inst::Exit { a: at(0) },
            Intrinsic::Abort => Inst::Abort {},
            Intrinsic::NewStack => Inst::Stack { op: stack_op::NEW, d, a: at(0), b: at(1) },
            Intrinsic::SwitchStack => Inst::Stack { op: stack_op::SWITCH, d: at(0), a: at(0), b: at(0) },
            Intrinsic::EndStack => Inst::Stack { op: stack_op::END, d: at(0), a: at(0), b: at(0) },
            Intrinsic::CurrentStack => Inst::Stack { op: stack_op::CURRENT, d, a: d, b: d },
        });
        if intrinsic == Intrinsic::SwitchStack {
            // Other stacks may have changed every program register.
            self.cached.clear();
        }
        if let Some(VarRef::Global(var)) = to {
            self.global_set(var, d);
        }
        !matches!(intrinsic, Intrinsic::Exit | Intrinsic::Abort | Intrinsic::EndStack)
    }
}
