//! Stacks: what tasks, interrupt handlers and threads are built on.
//!
//! A program may have several stacks of calls, of which one runs. Four intrinsics know of them
//! ([`Intrinsic::NewStack`], [`Intrinsic::SwitchStack`], [`Intrinsic::EndStack`], [`Intrinsic::CurrentStack`]); in C they are the functions of `plumb/stack.h`.
//! Everything else, kernels and threads, is C on top of them.
//!
//! * Stack 0 is the one that the program starts on. It does not end; when it returns from `main` the program ends, whatever
//!   the others do.
//! * A new stack has the smallest number that no stack has, and one activation, of its start function, which has not begun.
//!   There are at most [`MOST_STACKS`] at a time.
//! * Switching suspends the running stack behind the switch. Its activations and their objects stay alive, and pointers
//!   to them stay valid. Switching to the running stack does nothing.
//! * Ending a stack ends its activations and the lives of their objects.
//! * Faults: to switch to what is no stack, to end a stack in favour of itself, to end stack 0, to return from a start
//!   function, to have too many stacks.
//!
//! **For analyses.** Between a switch and the location behind it any code of any other stack may run. It may read and write every global
//! register and every object but those of which nobody has the address; registers of the running activation are its own.
//! An analysis that looks at edges in the order of one function's control flow takes a switch for a call of anything. What
//! relates a loop's arbitrary iteration to its next one, or a function's call to its return, speaks of one stack: such
//! engines decline programs for which [`Program::has_stacks`] holds.

use crate::expr::ExprId;
use crate::program::{Callee, Function, Intrinsic, Op, Program};
use crate::ty::Ty;

/// As many stacks there can be at a time, stack 0 included. Address spaces have room for no more that are of use.
pub const MOST_STACKS: u32 = 32;

impl Program {
    /// Whether the program can have other stacks than the one that it starts on.
    pub fn has_stacks(&self) -> bool {
        let is_switch = |op: &Op| op.stack_intrinsic().is_some_and(|which| which != Intrinsic::CurrentStack);
        self.functions.iter().any(|function| function.edges.iter().any(|edge| is_switch(&edge.op)))
    }
}

impl Op {
    /// The intrinsic of stacks that the edge is.
    pub fn stack_intrinsic(&self) -> Option<Intrinsic> {
        match self {
            Op::Call { callee: Callee::Intrinsic(which), .. } if which.is_about_stacks() => Some(*which),
            Op::Call { .. }
            | Op::Assign { .. }
            | Op::Assume { .. }
            | Op::Havoc { .. }
            | Op::Return(_)
            | Op::Check { .. } => None,
        }
    }

    /// The arguments that the function which the edge calls, or a stack starts with, is called with.
    pub fn passed_args(&self) -> &[ExprId] {
        match self {
            Op::Call { callee: Callee::Intrinsic(Intrinsic::NewStack), args, .. } => args.get(1..).unwrap_or(&[]),
            Op::Call { args, .. } => args,
            Op::Assign { .. } | Op::Assume { .. } | Op::Havoc { .. } | Op::Return(_) | Op::Check { .. } => &[],
        }
    }

    /// Whether other stacks run before the location behind the edge is reached, if it is.
    pub fn switches_stacks(&self) -> bool {
        matches!(self.stack_intrinsic(), Some(Intrinsic::SwitchStack | Intrinsic::EndStack))
    }
}

impl Intrinsic {
    pub fn is_about_stacks(self) -> bool {
        match self {
            Intrinsic::NewStack | Intrinsic::SwitchStack | Intrinsic::EndStack | Intrinsic::CurrentStack => true,
            Intrinsic::HeapAlloc
            | Intrinsic::StackAlloc
            | Intrinsic::Free
            | Intrinsic::StackFree
            | Intrinsic::MemCopy
            | Intrinsic::MemSet
            | Intrinsic::Print
            | Intrinsic::Exit
            | Intrinsic::Abort => false,
        }
    }
}

impl Function {
    /// Whether a stack can start with it: it can be called with a pointer.
    pub fn can_start_stack(&self) -> bool {
        self.accepts(&[Ty::Ptr], None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analyses;
    use crate::analysis::defuse::Site;
    use crate::analysis::modref::Objects;
    use crate::expr::ExprKind;
    use crate::program::{FuncId, GlobalVar, Loc, LocalObj, VarRef};
    use crate::sample::{self, Body, I32};

    const MAIN: FuncId = FuncId(0);
    const TASK: FuncId = FuncId(1);
    const SHARED: VarRef = VarRef::Global(GlobalVar(0));

    /// `main` sets a global, makes a stack with the address of a local, switches to it and reads the global; the task gets an
    /// argument and ends.
    fn program() -> Program {
        let mut main = Body::new("main", &[], Some(I32));
        let local = main.object("local", 4);
        let number = main.var("n", I32);
        let (one, start, argument) = (main.int(1), main.push(ExprKind::FuncAddr(TASK), Ty::Ptr), main.addr(local, 0));
        let at = main.assign(Loc(0), SHARED, one);
        let at = main.intrinsic(at, Some(number), Intrinsic::NewStack, vec![start, argument]);
        let stack = main.get(number);
        let at = main.intrinsic(at, None, Intrinsic::SwitchStack, vec![stack]);
        let read = main.get(SHARED);
        main.ret(at, Some(read));
        let mut task = Body::new("task", &[("argument", Ty::Ptr)], None);
        let zero = task.int(0);
        task.intrinsic(Loc(0), None, Intrinsic::EndStack, vec![zero]);
        let mut program = sample::program(vec![main.finish(), task.finish()]);
        sample::add_global(&mut program, "shared", I32);
        program
    }

    #[test]
    fn analyses_know_that_other_stacks_run() {
        let program = program();
        assert_eq!(crate::verify::verify(&program), Vec::<String>::new());
        assert!(program.has_stacks());
        let analyses = Analyses::new(&program);
        let main = program.function(MAIN);
        let edge = |which| main.edge_ids().find(|id| main.edge(*id).op.stack_intrinsic() == Some(which)).unwrap();
        let (made, switched) = (edge(Intrinsic::NewStack), edge(Intrinsic::SwitchStack));
        for calls in [analyses.call_graph(), analyses.resolved_calls()] {
            assert_eq!(calls.targets(MAIN, made).collect::<Vec<_>>(), [TASK]);
        }
        let local = analyses.points_to().local(TASK, crate::program::LocalVar(0));
        let expected = crate::analysis::pointsto::Object::Local(MAIN, LocalObj(0));
        let crate::analysis::pointsto::Targets::Known(list) = local else { panic!("the argument is known") };
        assert!(list.iter().any(|target| target.object == expected), "{list:?}");
        let effects = analyses.edge_effects(MAIN, switched);
        for accesses in [effects.reads, effects.writes] {
            assert!(accesses.registers.contains(&GlobalVar(0)) && accesses.objects == Objects::Any);
        }
        // The task may read what was assigned, and assign what is read.
        let live = &analyses.shape(MAIN).live;
        assert!(live.is_live(main.edge(switched).from, SHARED));
        let chains = analyses.def_use(MAIN);
        let mut definitions = chains.reaching(main.edge(switched).to, SHARED).map(|id| chains.get(id).site);
        assert!(
            definitions.any(|site| site == Site::Callee(switched)),
            "what the other stack has left reaches the read"
        );
        assert!(analyses.intervals().is_none());
        assert!(analyses.lifetimes().is_recursive(TASK) && analyses.lifetimes().stack_bound(MAIN).is_none());
        let sliced = crate::derive::slice::slice(&analyses, &|_| false);
        assert_eq!(sliced.program.function(MAIN).edges.len(), main.edges.len());
    }

    #[test]
    fn to_ask_for_the_number_makes_no_stacks() {
        let mut main = Body::new("main", &[], None);
        let number = main.var("n", I32);
        let at = main.intrinsic(Loc(0), Some(number), Intrinsic::CurrentStack, Vec::new());
        main.ret(at, None);
        assert!(!sample::program(vec![main.finish()]).has_stacks());
    }
}
