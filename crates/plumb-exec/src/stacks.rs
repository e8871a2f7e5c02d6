//! Several stacks: making, switching and ending them, and where their objects lie. See [`plumb_ir::stacks`].
//!
//! Every stack has its own registers, activations and range of addresses, so switching copies nothing: the interpreter goes on with
//! another [`Stack`]. A stack that has ended stays in its place without activations, since its number and its
//! addresses are used again; which of them have been used (`unused`) it keeps.

use crate::machine::{Machine, RECENT_STACK};
use crate::memory::layout::{AddressMap, Segment, SegmentKind};
use crate::memory::page::PAGE_SIZE;
use crate::outcome::FaultKind;
use crate::state::{Activation, SLACK, STARTED, Stack};
use plumb_ir::program::FuncId;
use plumb_ir::stacks::MOST_STACKS;

/// Rooms of stacks begin at multiples of this where a page is too much.
const ROOM_ALIGN: u64 = 16;

impl AddressMap {
    /// The addresses that a stack has for its objects: all there are in programs with one stack. In others the first one
    /// has half of them, or a quarter where address spaces are small.
    pub fn stack_room(&self, number: u32) -> Segment {
        let all = self.segment(SegmentKind::Stack);
        if !self.has_stacks {
            return all;
        }
        let pages = all.size / PAGE_SIZE;
        let is_large = pages >= 4 * MOST_STACKS as u64;
        let align = if is_large { PAGE_SIZE } else { ROOM_ALIGN };
        let first = if is_large { all.size / 2 } else { all.size / 4 } / align * align;
        let each = (all.size - first) / (MOST_STACKS as u64 - 1) / align * align;
        match number.checked_sub(1) {
            None => Segment { base: all.base, size: first },
            Some(before) => Segment { base: all.base + first + before as u64 * each, size: each },
        }
    }
}

impl Stack {
    /// Whether it is there: it has calls in progress.
    pub fn is_live(&self) -> bool {
        !self.activations.is_empty()
    }

    /// Begins again with another function after it has ended.
    fn restart(&mut self, pc: u32, window: usize, first: Activation) {
        self.pc = pc;
        self.fp = 0;
        self.sp = self.room.base;
        self.activations.push(first);
        let needed = window + SLACK;
        if self.registers.len() < needed {
            self.resize(needed);
        }
        // What the last function left here is no part of the state.
        self.registers[..needed].fill(0);
    }
}

impl Machine {
    /// The number of the running stack.
    pub fn current_stack(&self) -> u32 {
        self.state.current as u32
    }

    /// Makes a stack that begins with the call of a function: its number, and the steps up to the first transfer.
    #[inline(never)]
    pub(crate) fn new_stack(&mut self, start: u64, argument: u64) -> Option<(u64, i64)> {
        let result = self.make_stack(start, argument);
        self.kept(result)
    }

    fn make_stack(&mut self, start: u64, argument: u64) -> Result<(u64, i64), FaultKind> {
        let can_start = |func: &FuncId| self.image.program.function(*func).can_start_stack();
        let func = self.image.map.function_at(start).filter(can_start).ok_or(FaultKind::BadCall { addr: start })?;
        let stacks = &mut self.state.stacks;
        let number = stacks.iter().position(|stack| !stack.is_live()).unwrap_or(stacks.len());
        if number as u32 >= MOST_STACKS {
            return Err(FaultKind::TooManyStacks);
        }
        let code = &self.image.functions[func];
        let first = Activation { ret: self.image.code.as_ptr(), sp: STARTED, window: 0, d: 0, func: func.0 };
        match stacks.get_mut(number) {
            Some(stack) => stack.restart(code.start, code.window as usize, first),
            None => {
                let room = self.image.map.stack_room(number as u32);
                stacks.push(Stack::new(code.start, code.window as usize, first, room));
            }
        }
        let stack = &mut stacks[number];
        if self.image.program.function(func).param_count > 0 {
            stack.registers[code.slots.raw[0].0 as usize] = argument;
        }
        if !stack.has_room(code.layout.bytes) {
            return Err(FaultKind::StackOverflow);
        }
        Ok((number as u64, code.steps as i64))
    }

    /// Lets another stack run; the running one goes on behind the instruction. False if there is no such stack.
    #[inline(never)]
    pub(crate) fn switch_stack(&mut self, number: u64) -> bool {
        let result = self.find_stack(number);
        let Some(next) = self.kept(result) else { return false };
        self.state.stack_mut().pc += 1;
        self.state.current = next;
        true
    }

    /// Ends the running stack and lets another one run. False if that cannot be.
    #[inline(never)]
    pub(crate) fn end_stack(&mut self, next: u64) -> bool {
        self.forget_recent(RECENT_STACK);
        let result = self.unwind_stack(next);
        self.kept(result).is_some()
    }

    fn unwind_stack(&mut self, next: u64) -> Result<(), FaultKind> {
        if self.state.current == 0 {
            return Err(FaultKind::MainStackEnded);
        }
        let found = self.find_stack(next)?;
        if found == self.state.current {
            return Err(FaultKind::NoStack { number: next });
        }
        while self.state.stack().is_live() {
            self.leave_frame()?;
            self.state.stack_mut().activations.pop();
        }
        self.state.current = found;
        Ok(())
    }

    fn find_stack(&self, number: u64) -> Result<usize, FaultKind> {
        let stack = usize::try_from(number).ok().and_then(|at| self.state.stacks.get(at));
        stack.filter(|stack| stack.is_live()).map(|_| number as usize).ok_or(FaultKind::NoStack { number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::address_map;
    use plumb_c::target::Target;

    /// Rooms lie one behind the other in the segment, and none is empty.
    #[test]
    fn rooms_are_disjoint() {
        for target in Target::ALL {
            let mut map = address_map(*target);
            map.has_stacks = true;
            let mut end = map.segment(SegmentKind::Stack).base;
            for number in 0..MOST_STACKS {
                let room = map.stack_room(number);
                assert!(room.base >= end && room.size >= 256, "{}: {number} has {} bytes", target.name, room.size);
                end = room.end();
            }
            assert!(end <= map.segment(SegmentKind::Stack).end());
        }
    }
}
