//! The calls in progress of a traced run, stack by stack.
//!
//! An observer is told of a call before the callee runs and again when it has returned. Where stacks are switched in between,
//! the calls of other stacks come and go: each has a list of its own. A switch is itself a call that is done when its stack
//! goes on.

use plumb_ir::program::{Intrinsic, Op};

/// What an observer keeps of each call, outermost first.
#[derive(Clone, Debug)]
pub(crate) struct OpenCalls<T> {
    by_stack: Vec<Vec<T>>,
}

impl<T> Default for OpenCalls<T> {
    fn default() -> OpenCalls<T> {
        OpenCalls { by_stack: Vec::new() }
    }
}

impl<T> OpenCalls<T> {
    fn of(&mut self, stack: u32) -> &mut Vec<T> {
        let at = stack as usize;
        if self.by_stack.len() <= at {
            self.by_stack.resize_with(at + 1, Vec::new);
        }
        &mut self.by_stack[at]
    }

    /// A call begins. One that ends its stack ends all calls of it.
    pub fn begin(&mut self, stack: u32, op: &Op, call: T) {
        let calls = self.of(stack);
        match op.stack_intrinsic() {
            Some(Intrinsic::EndStack) => calls.clear(),
            Some(_) | None => calls.push(call),
        }
    }

    /// The innermost call of a stack is over.
    pub fn end(&mut self, stack: u32) -> Option<T> {
        self.of(stack).pop()
    }

    pub fn innermost(&self, stack: u32) -> Option<&T> {
        self.by_stack.get(stack as usize)?.last()
    }

    /// Those of a stack.
    pub fn take(&mut self, stack: u32) -> Vec<T> {
        std::mem::take(self.of(stack))
    }
}
