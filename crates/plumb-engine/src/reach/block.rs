//! Blocks: from a loop head, or the start, along all paths to the next loop heads (adjustable-block encoding).
//!
//! **Idea.** Beyer, Keremoglu and Wendler (*Predicate abstraction with adjustable-block encoding*, 2010) compute abstractions
//! only where a block ends and describe what lies in between by one formula. Here a block ends at the heads of loops that
//! not constants alone decide. Inside, states step over edges and are joined where paths meet, so that each head that
//! is reached gets one state: the formula of the block. Calls are followed on the stack of the state, loops with known
//! trip counts are unwound.
//!
//! **Soundness.** That of `step` and `join`: every run from the block's first state ends, faults, meets a gap, breaks a
//! check, or comes to one of the arrivals, unless the block is given up with a reason.

use super::tuning::BlockTuning;
use crate::answer::WhyUnknown;
use crate::budget::Budget;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::{LoopId, LoopKey, place_of};
use plumb_ir::program::{FuncId, Loc};
use plumb_sym::{ABSTRACT_ENTRY, EventLog, Instance, LoopPosition, Next, Position, ReducedExit, State, Step, Sym};
use plumb_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// An abstract entry of a loop; the first one is the start of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EntryId(pub u32);

/// A state with its position in the nest of calls and loops.
#[derive(Clone)]
pub struct Run {
    pub state: State,
    pub position: Position<Option<EntryId>>,
}

/// Where a block has ended: the same for the abstract block and for one that is followed from an exact state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    call_stack: Vec<(FuncId, Loc)>,
    at: (FuncId, Loc),
    /// The loops around, in all frames, with their iterations and entries.
    loops: Vec<(LoopId, u32, Option<EntryId>)>,
}

/// A loop around a place: its iterations if it is unwound, or whether it has come back to its abstract entry.
pub type LoopAround = (LoopId, u32, bool);

/// Of a place, the calls that are active, where it is, and the loops around.
pub type PlaceParts<'p> = (&'p [(FuncId, Loc)], (FuncId, Loc), Vec<LoopAround>);

/// The loops around a run, in all frames.
pub fn loops_around(position: &Position<Option<EntryId>>) -> Vec<LoopAround> {
    let around = |one: &LoopPosition<Option<EntryId>>| match one.tag {
        Some(_) => (one.id, one.iterations.min(1), true),
        None => (one.id, one.iterations, false),
    };
    position.all_loops().map(around).collect()
}

impl Place {
    /// What is the same in all graphs.
    pub fn parts(&self) -> PlaceParts<'_> {
        let loops = self.loops.iter().map(|(id, iterations, tag)| (*id, *iterations, tag.is_some()));
        (&self.call_stack, self.at, loops.collect())
    }

    fn of(run: &Run) -> Place {
        let around = |one: &LoopPosition<Option<EntryId>>| match one.tag {
            Some(entry) => (one.id, one.iterations.min(1), Some(entry)),
            None => (one.id, one.iterations, None),
        };
        Place {
            call_stack: run.state.call_stack(),
            at: (run.state.func(), run.state.loc),
            loops: run.position.all_loops().map(around).collect(),
        }
    }
}

/// A state that has come to the head of a loop, joined from all paths of the block that do.
pub struct Arrival {
    pub run: Run,
    pub key: LoopKey,
    pub place: Place,
    /// The entry to whose head it has come back; `None` where it enters the loop.
    pub back_to: Option<EntryId>,
}

/// A call of a function that is a block of its own.
pub struct BlockCall {
    /// No other call of any block has it.
    pub number: u32,
    pub func: FuncId,
    /// When it is made.
    pub path: TermId,
    pub instance: RefCell<Instance>,
    /// Where it is made: the calls that are active in the callee, and the loops around.
    pub call_stack: Vec<(FuncId, Loc)>,
    pub loops: Vec<LoopAround>,
    /// By abstract entry of the callee from which an exit can be reached, that it is left from there. The callee is left from the
    /// first of those that hold, or from its start.
    pub guards: Vec<(EntryId, TermId)>,
}

/// What stands in for the bodies of functions that are blocks of their own.
pub trait BlockCalls {
    /// Takes a state over the call of such a function. `None` if the state is not at one.
    fn expand(&mut self, sym: &mut Sym, run: &mut Run, calls: &mut Vec<BlockCall>) -> Option<Step>;
}

/// What came of a block.
#[derive(Default)]
pub struct Block {
    pub arrivals: Vec<Arrival>,
    /// Calls of functions that are blocks of their own, in an order in which runs make them.
    pub calls: Vec<BlockCall>,
    /// Where the function returns whose block it is.
    pub exits: Vec<ReducedExit>,
    /// Loops that constants decided.
    pub unwound: FxHashSet<LoopKey>,
    /// All that has happened on its paths.
    pub log: EventLog,
    /// When runs end in it without a fault.
    pub ends: Vec<TermId>,
    pub steps: u64,
}

pub enum BlockStop {
    /// Something else than constants decides a loop that was not known to end blocks.
    InputDependent(LoopKey),
    Unknown(WhyUnknown),
}

/// The loops at whose heads blocks end. They are learned one by one: a loop that constants decide in one block and inputs in
/// a later one is unwound in the first and ends the second.
#[derive(Default)]
pub struct BlockEnds {
    /// How many were known before each.
    loops: FxHashMap<LoopKey, usize>,
    /// Those that cannot be abstracted: their iterations make objects, or modify what cannot be havocked.
    pub never: FxHashSet<LoopKey>,
}

impl BlockEnds {
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    pub fn insert(&mut self, key: LoopKey) {
        let known = self.loops.len();
        self.loops.entry(key).or_insert(known);
    }

    /// Whether blocks end at the head of a loop, once everything is known.
    pub fn contains(&self, key: LoopKey) -> bool {
        self.loops.contains_key(&key) && !self.never.contains(&key)
    }
}

/// The ends that were known when a block was made.
#[derive(Clone, Copy)]
pub struct KnownEnds<'x> {
    pub ends: &'x BlockEnds,
    pub known: usize,
}

impl KnownEnds<'_> {
    fn is_known(&self, key: LoopKey) -> bool {
        self.ends.loops.get(&key).is_some_and(|before| *before < self.known)
    }

    fn contains(&self, key: LoopKey) -> bool {
        self.is_known(key) && !self.ends.never.contains(&key)
    }

    /// Whether a loop can end blocks and is not known to.
    fn is_open(&self, analyses: &Analyses, key: LoopKey) -> bool {
        !self.is_known(key) && !self.ends.never.contains(&key) && !analyses.shape(key.0).loops.get(key.1).irreducible
    }
}

/// The place in an order in which all paths to a location come before it.
pub fn order_key(run: &Run, analyses: &Analyses) -> Vec<u32> {
    let rank = |one: &LoopPosition<Option<EntryId>>| match one.tag {
        // Back at the head is after the whole iteration.
        Some(entry) => ABSTRACT_ENTRY | entry.0 << 1 | u32::from(one.iterations > 0),
        None => one.iterations,
    };
    run.position.order_key(&run.state, analyses, rank)
}

/// A run inside of a block, and whether it has come to the end of it.
struct Waiting {
    run: Run,
    end: Option<LoopId>,
}

/// Follows blocks.
pub struct BlockExplorer<'x, 'a, 'p> {
    pub sym: &'x mut Sym<'p>,
    pub analyses: &'a Analyses,
    pub ends: KnownEnds<'x>,
    /// Functions that are blocks of their own; without them all calls are followed.
    pub calls: Option<&'x RefCell<dyn BlockCalls + 'a>>,
    /// The block is a function's: it ends where the function returns.
    pub is_function: bool,
    pub budget: &'x Budget,
    pub tuning: &'x BlockTuning,
}

impl BlockExplorer<'_, '_, '_> {
    /// Follows all paths from a state to where the block ends.
    pub fn explore(&mut self, from: Run) -> Result<Block, BlockStop> {
        let mut block = Block::default();
        let mut waitlist: BTreeMap<Vec<u32>, Waiting> = BTreeMap::new();
        let mut first = Waiting { run: from, end: None };
        if first.run.position.depth() < first.run.state.depth() {
            first.end = self.advance(&mut first.run, true, &mut block)?;
        }
        waitlist.insert(order_key(&first.run, self.analyses), first);
        let mut until_check = self.tuning.steps_per_check;
        while let Some((_, Waiting { run, end })) = waitlist.pop_first() {
            match end {
                Some(id) => self.arrive(run, id, &mut block),
                None => self.follow(run, &mut waitlist, &mut block, &mut until_check)?,
            }
        }
        Ok(block)
    }

    /// The end of the block.
    fn arrive(&mut self, mut run: Run, id: LoopId, block: &mut Block) {
        self.sym.exclude_faulted_runs(&mut run.state);
        if run.state.path.is_impossible() {
            return;
        }
        let key = (run.state.func(), id);
        let back_to = run.position.get(id).and_then(|one| one.tag);
        block.arrivals.push(Arrival { place: Place::of(&run), run, key, back_to });
    }

    /// Follows a run until it ends, splits, or waits for others.
    fn follow(
        &mut self,
        mut run: Run,
        waitlist: &mut BTreeMap<Vec<u32>, Waiting>,
        block: &mut Block,
        until_check: &mut u32,
    ) -> Result<(), BlockStop> {
        loop {
            *until_check -= 1;
            if *until_check == 0 {
                *until_check = self.tuning.steps_per_check;
                if self.budget.is_over() || self.budget.is_full(self.sym.terms.heap_bytes() as u64) {
                    return Err(BlockStop::Unknown(self.budget.why_stopped()));
                }
            }
            block.steps += 1;
            let (conditions, depth) = (run.state.path.len(), run.state.depth());
            if self.is_function && depth == 1 && self.leave(&mut run, block) {
                return Ok(());
            }
            let constant_exits = self.constant_exits(&run);
            let step = self.step(&mut run, block);
            if !step.log.is_empty() {
                block.log.append(step.log);
            }
            let by_constants = matches!(step.next, Next::Moved) && run.state.path.len() == conditions;
            if !by_constants && let Some(key) = constant_exits {
                return Err(BlockStop::InputDependent(key));
            }
            match step.next {
                Next::Ended => {
                    let sound = self.sym.terms.not(run.state.fault);
                    block.ends.push(self.sym.terms.and(run.state.path.term(), sound));
                    return Ok(());
                }
                Next::Moved => {
                    let has_returned = run.state.depth() < depth;
                    let end = self.advance(&mut run, by_constants, block)?;
                    let is_meeting = self.analyses.shape(run.state.func()).is_meeting(run.state.loc);
                    if end.is_some() || (has_returned || is_meeting) && !waitlist.is_empty() {
                        self.wait(Waiting { run, end }, waitlist, block);
                        return Ok(());
                    }
                }
                Next::Split(states) => {
                    for state in states {
                        let mut one = Run { state, position: run.position.clone() };
                        let end = self.advance(&mut one, false, block)?;
                        self.wait(Waiting { run: one, end }, waitlist, block);
                    }
                    return Ok(());
                }
            }
        }
    }

    /// One edge, or the call of a function that is a block of its own.
    fn step(&mut self, run: &mut Run, block: &mut Block) -> Step {
        let expanded = self.calls.and_then(|calls| calls.borrow_mut().expand(self.sym, run, &mut block.calls));
        expanded.unwrap_or_else(|| self.sym.step(&mut run.state))
    }

    /// Ends the block of a function where it returns. Whether it does there.
    fn leave(&mut self, run: &mut Run, block: &mut Block) -> bool {
        let Some((value, log)) = self.sym.returned(&mut run.state) else { return false };
        block.log.append(log);
        self.sym.exclude_faulted_runs(&mut run.state);
        if !run.state.path.is_impossible() {
            block.exits.push(ReducedExit { state: run.state.clone(), value });
        }
        true
    }

    /// Lets a run wait for others that come to its place, joined with the one that is there.
    fn wait(&mut self, mut waiting: Waiting, waitlist: &mut BTreeMap<Vec<u32>, Waiting>, block: &mut Block) {
        let key = order_key(&waiting.run, self.analyses);
        if let Some(there) = waitlist.remove(&key) {
            let shape = self.analyses.shape(waiting.run.state.func());
            let (state, log) = self.sym.join(there.run.state, waiting.run.state, &shape.live);
            block.log.append(log);
            let mut position = there.run.position;
            position.join(&waiting.run.position);
            waiting.run = Run { state, position };
        }
        waitlist.insert(key, waiting);
    }

    /// Why a loop has to be unwound, and goes on for too long.
    fn not_abstracted(&self, key: LoopKey) -> WhyUnknown {
        let program = self.analyses.program();
        let function = program.function(key.0);
        let shape = self.analyses.shape(key.0);
        let why = match shape.loops.get(key.1).irreducible {
            true => "has several entries",
            false => "creates objects or ends their lifetimes in its iterations",
        };
        let place = place_of(program, function, shape.head(key.1));
        let place = place.map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
        let function = &function.name;
        WhyUnknown::GaveUp(format!("the loop of `{function}`{place} {why}, so that it cannot be abstracted"))
    }

    /// A loop that may be left where a run is, that was not abstracted and that constants alone have decided so far.
    fn constant_exits(&self, run: &Run) -> Option<LoopKey> {
        let func = run.state.func();
        let exits = self.analyses.shape(func).exits(run.state.loc);
        let inner = run.position.loops().iter().rev().filter(|one| one.tag.is_none() && exits.contains(&one.id));
        inner.map(|one| (func, one.id)).find(|key| self.ends.is_open(self.analyses, *key))
    }

    /// Brings the position of a run up to date that has moved. Whether it is at the end of the block: the loop.
    fn advance(&mut self, run: &mut Run, by_constants: bool, block: &mut Block) -> Result<Option<LoopId>, BlockStop> {
        let func = run.state.func();
        let shape = self.analyses.shape(func);
        let terms = self.sym.terms.len();
        let movement = run.position.advance(&run.state, shape, by_constants, terms, &self.tuning.counting);
        if movement.is_plain() {
            return Ok(None);
        }
        if movement.has_called && run.position.recursion() > self.tuning.max_recursion {
            return Err(BlockStop::Unknown(WhyUnknown::Recursion(func)));
        }
        for (id, is_at_head) in movement.entered {
            if self.ends.contains((func, id)) {
                if !is_at_head {
                    let why = "a loop is entered elsewhere than at its head".to_string();
                    return Err(BlockStop::Unknown(WhyUnknown::GaveUp(why)));
                }
                return Ok(Some(id));
            }
        }
        let Some(one) = movement.iterated.and_then(|id| run.position.get(id)) else { return Ok(None) };
        if one.tag.is_some() {
            return Ok(Some(one.id));
        }
        let key = (func, one.id);
        block.unwound.insert(key);
        match one.counted {
            1.. if self.ends.is_open(self.analyses, key) => Err(BlockStop::InputDependent(key)),
            counted if counted > self.tuning.max_iterations => Err(BlockStop::Unknown(self.not_abstracted(key))),
            _ => Ok(None),
        }
    }
}
