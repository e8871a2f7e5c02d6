//! Where a run is in its nest of calls and loops.
//!
//! Whoever joins states, bounds unwindings or abstracts loops has to know, for each frame of the call stack, which loops are
//! around its location and how often each of them has iterated. A [`Position`] goes with a state and is brought up to date
//! after every step ([`Position::advance`]); what happened to loops on the way is returned. Explorers attach what they need to
//! know of a loop (how it is followed, the abstract entry) as a tag.
//!
//! **Counting.** Bounds limit the iterations that *count*. One is free if at every exit of the loop that was passed constants
//! alone decided to stay, and at least one exit was passed: a loop with a known trip count is followed to its end,
//! whatever the bound. Free iterations count in portions ([`Counting`]), so that every path is finite under every bound, and a
//! long loop does not keep everything else from being looked at. Calls of a function that is active already count in
//! the same way.
//!
//! **Stacks.** Every stack of a program has its own nest. That of a stack which does not run stays as it is, at the location of the
//! switch, and is brought up to date when the stack goes on. A program can run for ever without iterating or recurring where
//! stacks make others and end: so a stack that was made by one which was itself made counts like a call of an active function.
//!
//! **Joining.** Of joined states an iteration is free only if it is in both: a way on which nothing was decided, or on which
//! something else than constants decided, makes it count. Counting too much ends an unwinding early and is sound.

use crate::state::{Frame, State};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopId;
use plumb_ir::analysis::shape::FunctionShape;
use plumb_ir::program::Loc;
use std::collections::BTreeMap;

/// As the rank of a loop's position, beside the number of an abstract entry: abstract entries come after iterations.
pub const ABSTRACT_ENTRY: u32 = 1 << 31;

/// How iterations and calls are counted that constants alone decide.
#[derive(Clone, Copy, Debug)]
pub struct Counting {
    /// One of so many counts.
    pub free_iterations: u32,
    /// The same where an iteration makes terms: it costs more than running it does.
    pub free_symbolic_iterations: u32,
    /// All count once the path has decided more than so much since the loop was entered: it has many siblings.
    pub free_conditions: u32,
    /// Of recursive calls one of so many counts.
    pub free_calls: u32,
}

/// A loop around the location of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopPosition<T> {
    pub id: LoopId,
    /// How often the head was met since the loop was entered.
    pub iterations: u32,
    /// Of these, the ones that count.
    pub counted: u32,
    pub tag: T,
    /// In this iteration constants have decided to stay.
    by_constants: bool,
    /// In this iteration something else has.
    otherwise: bool,
    /// Terms that there were when the iteration began.
    terms: usize,
    /// Conditions of the path when the loop was entered.
    conditions: u32,
}

/// Where a frame is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FramePosition<T> {
    loc: Loc,
    /// The outermost first.
    loops: Vec<LoopPosition<T>>,
    /// Conditions of the path when the function was entered.
    conditions: u32,
    /// Calls of the same function below, as far as they count.
    recursion: u32,
}

/// Where a state is, by frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position<T> {
    /// Of the running stack.
    frames: Vec<FramePosition<T>>,
    /// Of states that have had other stacks than the first.
    others: Option<Box<OtherStacks<T>>>,
}

/// Where the stacks are that do not run.
#[derive(Clone, PartialEq, Eq, Debug)]
struct OtherStacks<T> {
    /// The number of the running one.
    current: u32,
    /// By number, those that have run.
    suspended: BTreeMap<u32, Vec<FramePosition<T>>>,
    /// By number, those that were made.
    made: BTreeMap<u32, StackCreation>,
}

/// The making of a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct StackCreation {
    /// Stack 0 has made the one that has made the one ... that has made it.
    generation: u32,
    /// Of these, the ones that count.
    counted: u32,
    /// Conditions of the path then.
    conditions: u32,
}

/// What a step has done to the nest of calls and loops.
#[derive(Clone, Debug, Default)]
pub struct Movement<T> {
    /// A function was called.
    pub has_called: bool,
    /// Loops that were left, with the number of their frame.
    pub left: Vec<(usize, LoopPosition<T>)>,
    /// Loops of the running frame that were entered, and whether at the head.
    pub entered: Vec<(LoopId, bool)>,
    /// The loop whose head was met again.
    pub iterated: Option<LoopId>,
}

impl<T: Copy + Default> Position<T> {
    /// Of a state whose way is not known.
    pub fn start(state: &State) -> Position<T> {
        let frames = state.frames().map(|_| FramePosition::at(state.loc, 0, 0)).collect();
        Position { frames, others: None }
    }

    /// Of a state at the entry of its function, which `advance` enters: with the loops whose heads are there.
    pub fn before_entry(state: &State) -> Position<T> {
        let mut position = Position::start(state);
        position.frames.pop();
        position
    }

    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The loops around the location of the running frame, the outermost first.
    pub fn loops(&self) -> &[LoopPosition<T>] {
        self.frames.last().map_or(&[], |frame| &frame.loops)
    }

    /// The loops of all frames of the running stack, outer ones first.
    pub fn all_loops(&self) -> impl Iterator<Item = &LoopPosition<T>> {
        self.frames.iter().flat_map(|frame| &frame.loops)
    }

    /// A loop around the location of the running frame.
    pub fn get(&self, id: LoopId) -> Option<&LoopPosition<T>> {
        self.loops().iter().find(|one| one.id == id)
    }

    /// Whether a loop around the location of the running frame iterates within another, of this frame or of a caller's.
    pub fn is_nested(&self, id: LoopId) -> bool {
        let callers = self.frames.len().saturating_sub(1);
        let is_outermost = self.loops().first().is_none_or(|outermost| outermost.id == id);
        !is_outermost || self.frames[..callers].iter().any(|frame| !frame.loops.is_empty())
    }

    pub fn set_tag(&mut self, id: LoopId, tag: T) {
        let loops = self.frames.last_mut().map(|frame| &mut frame.loops);
        if let Some(one) = loops.and_then(|loops| loops.iter_mut().find(|one| one.id == id)) {
            one.tag = tag;
        }
    }

    /// A loop begins again with its first iteration.
    pub fn restart(&mut self, id: LoopId, tag: T) {
        let loops = self.frames.last_mut().map(|frame| &mut frame.loops);
        if let Some(one) = loops.and_then(|loops| loops.iter_mut().find(|one| one.id == id)) {
            (one.iterations, one.counted, one.tag) = (0, 0, tag);
        }
    }

    /// Calls of the running function that are in progress below, as far as they count.
    pub fn recursion(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.recursion)
    }

    /// Follows a state that was stepped. `shape` is its function's; `by_constants` says that the step needed no condition;
    /// `terms` is the number of terms that there are.
    pub fn advance(
        &mut self,
        state: &State,
        shape: &FunctionShape,
        by_constants: bool,
        terms: usize,
        counting: &Counting,
    ) -> Movement<T> {
        let mut movement = Movement::default();
        let started = self.follow_stacks(state, &mut movement, counting);
        while self.frames.len() > state.depth() {
            let depth = self.frames.len() - 1;
            let ended = self.frames.pop().map(|frame| frame.loops).unwrap_or_default();
            movement.left.extend(ended.into_iter().map(|one| (depth, one)));
        }
        let conditions = state.path.len();
        let mut from = None;
        if state.depth() > self.frames.len() {
            movement.has_called = true;
            let recursion = started.unwrap_or_else(|| self.recursion_of(state, conditions, counting));
            self.frames.push(FramePosition::at(state.loc, conditions, recursion));
        } else {
            from = self.frames.last().map(|frame| frame.loc);
        }
        let depth = self.frames.len() - 1;
        let Some(frame) = self.frames.last_mut() else { return movement };
        let to = state.loc;
        frame.loc = to;
        let around = shape.around(to);
        if frame.loops.is_empty() && around.is_empty() {
            return movement;
        }
        for id in from.map_or(&[][..], |from| shape.exits(from)) {
            if let Some(one) = frame.loops.iter_mut().find(|one| one.id == *id) {
                one.by_constants |= by_constants;
                one.otherwise |= !by_constants;
            }
        }
        // What is around a location is a chain: loops that are left are the innermost ones.
        let stay = frame.loops.iter().take_while(|one| around.contains(&one.id)).count();
        movement.left.extend(frame.loops.drain(stay..).map(|one| (depth, one)));
        if from.is_some()
            && let Some(one) = frame.loops.last_mut().filter(|one| shape.head(one.id) == to)
        {
            one.iterate(conditions, terms, counting);
            movement.iterated = Some(one.id);
        }
        for &id in &around[frame.loops.len()..] {
            frame.loops.push(LoopPosition {
                id,
                iterations: 0,
                counted: 0,
                tag: T::default(),
                by_constants: false,
                otherwise: false,
                terms,
                conditions,
            });
            movement.entered.push((id, to == shape.head(id)));
        }
        movement
    }

    /// Notes stacks that were made, and takes over the nest of the stack that runs now. For one that has just started, which of
    /// its makings count.
    fn follow_stacks(&mut self, state: &State, movement: &mut Movement<T>, counting: &Counting) -> Option<u32> {
        if state.stacks.is_none() && self.others.is_none() {
            return None;
        }
        let others = self.others.get_or_insert_with(|| {
            Box::new(OtherStacks { current: 0, suspended: BTreeMap::new(), made: BTreeMap::new() })
        });
        let maker = others.made.get(&others.current).copied().unwrap_or_default();
        for (number, _) in state.suspended().filter(|(number, _)| *number != 0) {
            others.made.entry(number).or_insert_with(|| maker.makes(state.path.len(), counting));
        }
        let (stopped, running) = (others.current, state.current_stack());
        if stopped == running {
            return None;
        }
        others.current = running;
        let frames = std::mem::take(&mut self.frames);
        if state.has_stack(stopped) {
            others.suspended.insert(stopped, frames);
        } else {
            others.made.remove(&stopped);
            let loops =
                |(depth, frame): (usize, FramePosition<T>)| frame.loops.into_iter().map(move |one| (depth, one));
            movement.left.extend(frames.into_iter().enumerate().rev().flat_map(loops));
        }
        match others.suspended.remove(&running) {
            Some(frames) => {
                self.frames = frames;
                None
            }
            None => Some(others.made.get(&running).map_or(0, |making| making.counted)),
        }
    }

    /// Of a function that was called, before it has a frame here.
    fn recursion_of(&self, state: &State, conditions: u32, counting: &Counting) -> u32 {
        let func = state.func();
        let below = state.frames().zip(&self.frames).rfind(|(frame, _)| frame.func == func);
        below.map_or(0, |(_, frame)| {
            let in_portion = (state.depth() as u32).is_multiple_of(counting.free_calls);
            frame.recursion + u32::from(conditions > frame.conditions || in_portion)
        })
    }

    /// Takes over what has happened on the way of a state that this one is joined with.
    pub fn join(&mut self, other: &Position<T>) {
        debug_assert_eq!(self.frames.len(), other.frames.len());
        join_frames(&mut self.frames, &other.frames);
        match (&mut self.others, &other.others) {
            (Some(mine), Some(others)) => {
                for (number, frames) in &mut mine.suspended {
                    join_frames(frames, others.suspended.get(number).map_or(&[], |frames| frames));
                }
                for (number, making) in &mut mine.made {
                    let Some(other) = others.made.get(number) else { continue };
                    making.generation = making.generation.max(other.generation);
                    making.counted = making.counted.max(other.counted);
                    making.conditions = making.conditions.min(other.conditions);
                }
            }
            // All stacks but the first have ended.
            (None, Some(others)) => self.others = Some(others.clone()),
            (Some(_), None) | (None, None) => {}
        }
    }

    /// The place in an order in which all iterations of a loop come before what follows it, and a called function before what
    /// follows the call. States with the same key can be joined. `rank` distinguishes iterations of a loop.
    pub fn order_key(&self, state: &State, analyses: &Analyses, rank: impl Fn(&LoopPosition<T>) -> u32) -> Vec<u32> {
        let mut key = Vec::with_capacity(self.frames.len() * 3);
        let add = |key: &mut Vec<u32>, active: &Frame, loc: Loc, loops: &[LoopPosition<T>]| {
            let shape = analyses.shape(active.func);
            key.push(active.activation);
            for one in loops {
                key.push(shape.order.rank(shape.head(one.id)));
                key.push(rank(one));
            }
            key.push(shape.order.rank(loc));
        };
        let Some(stacks) = &state.stacks else {
            state.frames().zip(&self.frames).for_each(|(active, frame)| add(&mut key, active, frame.loc, &frame.loops));
            return key;
        };
        // A step moves one stack on and leaves the others where they are: what comes first in each of them comes first.
        let last = stacks.suspended.keys().next_back().copied().unwrap_or(0).max(stacks.current);
        for number in 0..=last {
            let known = self.others.as_ref().and_then(|others| others.suspended.get(&number));
            match (stacks.suspended.get(&number), known) {
                (None, _) if number == stacks.current => {
                    let frames = state.frames().zip(&self.frames);
                    frames.for_each(|(active, frame)| add(&mut key, active, frame.loc, &frame.loops));
                }
                (None, _) => {}
                (Some(stack), Some(frames)) => {
                    let frames = stack.frames().zip(frames);
                    frames.for_each(|(active, frame)| add(&mut key, active, frame.loc, &frame.loops));
                }
                // It has not begun.
                (Some(stack), None) => stack.frames().for_each(|active| add(&mut key, active, stack.loc, &[])),
            }
            // No activation has this number.
            key.push(0);
        }
        key.push(stacks.current);
        key
    }
}

fn join_frames<T>(frames: &mut [FramePosition<T>], others: &[FramePosition<T>]) {
    for (frame, others) in frames.iter_mut().zip(others) {
        for (one, other) in frame.loops.iter_mut().zip(&others.loops) {
            one.counted = one.counted.max(other.counted);
            one.by_constants &= other.by_constants;
            one.otherwise |= other.otherwise;
            one.terms = one.terms.min(other.terms);
            one.conditions = one.conditions.min(other.conditions);
        }
        frame.recursion = frame.recursion.max(others.recursion);
    }
}

impl StackCreation {
    /// The making of another stack by this one.
    fn makes(self, conditions: u32, counting: &Counting) -> StackCreation {
        let generation = self.generation + 1;
        let counts = conditions > self.conditions || generation.is_multiple_of(counting.free_calls);
        let counted = if self.generation == 0 { 0 } else { self.counted + u32::from(counts) };
        StackCreation { generation, counted, conditions }
    }
}

impl<T> FramePosition<T> {
    fn at(loc: Loc, conditions: u32, recursion: u32) -> FramePosition<T> {
        FramePosition { loc, loops: Vec::new(), conditions, recursion }
    }
}

impl<T> LoopPosition<T> {
    /// The next iteration begins.
    fn iterate(&mut self, conditions: u32, terms: usize, counting: &Counting) {
        let few = conditions.saturating_sub(self.conditions) <= counting.free_conditions;
        let is_free = self.by_constants && !self.otherwise && few;
        let is_symbolic = terms > self.terms;
        let portion = if is_symbolic { counting.free_symbolic_iterations } else { counting.free_iterations };
        self.counted += u32::from(!is_free || self.iterations % portion == portion - 1);
        self.iterations += 1;
        (self.by_constants, self.otherwise, self.terms) = (false, false, terms);
    }
}

impl<T> Movement<T> {
    /// Whether no loop and no call was entered, left or begun again.
    pub fn is_plain(&self) -> bool {
        !self.has_called && self.left.is_empty() && self.entered.is_empty() && self.iterated.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn in_loop(counted: u32, by_constants: bool, otherwise: bool, terms: usize, conditions: u32) -> FramePosition<()> {
        let one =
            LoopPosition { id: LoopId(0), iterations: 3, counted, tag: (), by_constants, otherwise, terms, conditions };
        FramePosition { loc: Loc(1), loops: vec![one], conditions: 0, recursion: counted }
    }

    /// Of two ways the joined one counts as much as either, and constants have decided only where they have on both.
    #[test]
    fn a_join_counts_for_both() {
        let (a, b) = (in_loop(1, true, false, 7, 2), in_loop(2, false, true, 5, 4));
        let joined = in_loop(2, false, true, 5, 2);
        for (mut mine, others) in [(a.clone(), b.clone()), (b, a)] {
            join_frames(std::slice::from_mut(&mut mine), std::slice::from_ref(&others));
            assert_eq!(mine, joined);
        }
    }
}
