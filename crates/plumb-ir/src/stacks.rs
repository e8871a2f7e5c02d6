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
