//! Several stacks: what a state has of those that do not run, and the intrinsics. See [`plumb_ir::stacks`].
//!
//! A state has the frames of the running stack in their place, so that everything that knows nothing of stacks works on
//! these. The others are beside it, each with the location where it goes on. Which stacks there are, and at which places they
//! are, is the same for all runs of a state: the number of a new stack is a constant, a switch to a number that is none
//! splits the state, and states are joined only where all their stacks are at the same places
//! ([`State::is_at_same_places`]).

use crate::fault::FaultKind;
use crate::state::{Frame, State};
use crate::step::Next;
use crate::sym::Sym;
use crate::value::Value;
use plumb_ir::analysis::lifetime::LARGEST_STACK;
use plumb_ir::program::{Edge, FuncId, Function, Intrinsic, Loc, VarRef};
use plumb_ir::stacks::MOST_STACKS;
use plumb_ir::ty::{Bits, Ty};
use plumb_term::TermId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A stack that does not run.
#[derive(Clone, Debug)]
pub struct SuspendedStack {
    pub(crate) frames: Vec<Arc<Frame>>,
    /// Where the last frame goes on.
    pub loc: Loc,
}

impl SuspendedStack {
    /// The activations, the last one called last.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &Frame> + ExactSizeIterator {
        self.frames.iter().map(|f| &**f)
    }
}

/// The stacks of a state that has more than stack 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stacks {
    /// The number of the running one, which is not among the others.
    pub current: u32,
    pub suspended: BTreeMap<u32, SuspendedStack>,
}

impl State {
    /// The number of the running stack.
    pub fn current_stack(&self) -> u32 {
        self.stacks.as_ref().map_or(0, |stacks| stacks.current)
    }

    /// The stacks that do not run, by number.
    pub fn suspended(&self) -> impl Iterator<Item = (u32, &SuspendedStack)> {
        self.stacks.iter().flat_map(|stacks| stacks.suspended.iter().map(|(number, stack)| (*number, stack)))
    }

    pub fn has_stack(&self, number: u32) -> bool {
        number == self.current_stack() || self.suspended().any(|(other, _)| other == number)
    }

    /// Where the run is and where each of its calls goes on, on all stacks.
    pub fn pending_locations(&self) -> Vec<(FuncId, Loc)> {
        let mut locations = Vec::new();
        let mut add = |frames: &[Arc<Frame>], loc: Loc| {
            locations.extend(frames.windows(2).map(|pair| (pair[0].func, pair[1].resume)));
            locations.extend(frames.last().map(|frame| (frame.func, loc)));
        };
        self.suspended().for_each(|(_, stack)| add(&stack.frames, stack.loc));
        add(&self.frames, self.loc);
        locations
    }

    /// Whether two states have the same stacks with the same activations at the same locations, so that they can be joined.
    pub fn is_at_same_places(&self, other: &State) -> bool {
        let same = |a: &[Arc<Frame>], b: &[Arc<Frame>]| {
            let is_one = |(a, b): (&Arc<Frame>, &Arc<Frame>)| {
                Arc::ptr_eq(a, b) || (a.activation, a.func, a.resume) == (b.activation, b.func, b.resume)
            };
            a.len() == b.len() && a.iter().zip(b).all(is_one)
        };
        let same_suspended = match (&self.stacks, &other.stacks) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                let is_one = |((m, a), (n, b)): ((&u32, &SuspendedStack), (&u32, &SuspendedStack))| {
                    m == n && a.loc == b.loc && same(&a.frames, &b.frames)
                };
                let is_same =
                    || a.suspended.len() == b.suspended.len() && a.suspended.iter().zip(&b.suspended).all(is_one);
                Arc::ptr_eq(a, b) || a.current == b.current && is_same()
            }
            (Some(_), None) | (None, Some(_)) => false,
        };
        same_suspended && self.loc == other.loc && same(&self.frames, &other.frames)
    }

    /// Takes a stack out of those that do not run and lets it go on. The frames of the one that ran are returned.
    fn resume(&mut self, number: u32) -> Option<SuspendedStack> {
        let stacks = Arc::make_mut(self.stacks.as_mut()?);
        let next = stacks.suspended.remove(&number)?;
        stacks.current = number;
        if number == 0 && stacks.suspended.is_empty() {
            self.stacks = None;
        }
        let loc = std::mem::replace(&mut self.loc, next.loc);
        let frames = std::mem::replace(&mut self.frames, next.frames);
        Some(SuspendedStack { frames, loc })
    }

    fn suspend(&mut self, number: u32, stack: SuspendedStack) {
        let stacks = self.stacks.get_or_insert_default();
        Arc::make_mut(stacks).suspended.insert(number, stack);
    }
}

impl Sym<'_> {
    /// An intrinsic that makes, switches or ends stacks. Numbers are as wide as `unsigned`.
    pub(crate) fn stack_intrinsic(
        &mut self,
        state: &mut State,
        intrinsic: Intrinsic,
        args: &[Value],
        to: Option<VarRef>,
        edge: &Edge,
    ) -> Next {
        if state.has_unknown_stacks {
            self.give_up(state, TermId::bool(true));
            return Next::Ended;
        }
        match (intrinsic, args) {
            (Intrinsic::NewStack, [start, argument]) => self.new_stack(state, start, argument, to, edge),
            (Intrinsic::SwitchStack, [number]) => self.switch_stack(state, number, edge),
            (Intrinsic::EndStack, [next]) => self.end_stack(state, next),
            (Intrinsic::CurrentStack, _) => {
                self.set_stack_number(state, to, state.current_stack());
                state.loc = edge.to;
                Next::Moved
            }
            // The verifier of the representation has counted the arguments.
            _ => {
                self.give_up(state, TermId::bool(true));
                Next::Ended
            }
        }
    }

    fn set_stack_number(&self, state: &mut State, to: Option<VarRef>, number: u32) {
        let width = plumb_ir::verify::signature(Intrinsic::CurrentStack, self.program).1;
        if let (Some(to), Some(ty)) = (to, width) {
            let bits = Bits::new(number as u128, ty.bits(&self.program.target));
            state.set_register(to, Value::Const(bits));
        }
    }

    /// One state for each function that the stack may start with.
    fn new_stack(
        &mut self,
        state: &mut State,
        start: &Value,
        argument: &Value,
        to: Option<VarRef>,
        edge: &Edge,
    ) -> Next {
        let number = (0..MOST_STACKS).find(|number| !state.has_stack(*number));
        let Some(number) = number else {
            self.note_fault(state, FaultKind::TooManyStacks, TermId::bool(true));
            return Next::Ended;
        };
        let targets = self.function_targets(state, start, Function::can_start_stack);
        let mut split = Vec::new();
        for (func, guard) in targets {
            let mut one = state.clone();
            one.path.push(guard, &mut self.terms);
            if one.path.is_impossible() {
                continue;
            }
            let entry = self.program.function(func).entry;
            let mut frame = self.make_frame(&mut one, func, 0, None, entry);
            if self.program.function(func).param_count > 0 {
                frame.registers.set(0, argument.clone());
            }
            if frame.stack > LARGEST_STACK {
                self.note_fault(&mut one, FaultKind::StackOverflow, TermId::bool(true));
                continue;
            }
            one.suspend(number, SuspendedStack { frames: vec![Arc::new(frame)], loc: entry });
            self.set_stack_number(&mut one, to, number);
            one.loc = edge.to;
            split.push(one);
        }
        moved_to_one_of(state, split)
    }

    /// One state for each stack that may go on; this one goes on behind the edge when somebody switches back.
    fn switch_stack(&mut self, state: &mut State, number: &Value, edge: &Edge) -> Next {
        let mut split = Vec::new();
        for (next, mut one) in self.by_stack(state, number, true) {
            one.loc = edge.to;
            let current = one.current_stack();
            if next != current
                && let Some(stopped) = one.resume(next)
            {
                one.suspend(current, stopped);
                // The running one is not 0, or there is another: there are stacks.
                if let Some(stacks) = &mut one.stacks {
                    Arc::make_mut(stacks).current = next;
                }
            }
            split.push(one);
        }
        moved_to_one_of(state, split)
    }

    /// The objects of the running stack die, and another one goes on.
    fn end_stack(&mut self, state: &mut State, next: &Value) -> Next {
        if state.current_stack() == 0 {
            self.note_fault(state, FaultKind::MainStackEnded, TermId::bool(true));
            return Next::Ended;
        }
        let mut split = Vec::new();
        for (next, mut one) in self.by_stack(state, next, false) {
            let Some(ended) = one.resume(next) else { continue };
            for object in ended.frames.iter().flat_map(|frame| frame.objects.iter().chain(&frame.dynamic)) {
                one.memory.remove(object.0);
            }
            split.push(one);
        }
        moved_to_one_of(state, split)
    }

    /// A state for each stack that a number may be that of, the running one included or not. Any other number is a fault.
    fn by_stack(&mut self, state: &mut State, number: &Value, or_current: bool) -> Vec<(u32, State)> {
        let ty = plumb_ir::verify::signature(Intrinsic::CurrentStack, self.program).1.unwrap_or(Ty::Int(32));
        let (term, width) = (self.term_of(number, ty), ty.bits(&self.program.target));
        let mut stacks: Vec<u32> = state.suspended().map(|(number, _)| number).collect();
        stacks.extend(or_current.then_some(state.current_stack()));
        stacks.sort_unstable();
        let mut is_none = TermId::bool(true);
        let mut guards = Vec::new();
        for stack in stacks {
            let constant = self.terms.bv(width, stack as u128);
            let guard = self.terms.eq(term, constant);
            let not = self.terms.not(guard);
            is_none = self.terms.and(is_none, not);
            guards.push((stack, guard));
        }
        self.note_fault(state, FaultKind::NoStack, is_none);
        let mut states = Vec::new();
        for (stack, guard) in guards {
            let mut one = state.clone();
            one.path.push(guard, &mut self.terms);
            if !one.path.is_impossible() {
                states.push((stack, one));
            }
        }
        states
    }
}

/// A step that leads to one of some states, or nowhere.
fn moved_to_one_of(state: &mut State, mut split: Vec<State>) -> Next {
    match split.len() {
        0 => Next::Ended,
        1 => {
            *state = split.remove(0);
            Next::Moved
        }
        _ => Next::Split(split),
    }
}
