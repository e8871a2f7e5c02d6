//! The block graph: abstract entries of loops, and the blocks between them.
//!
//! **Idea.** When states come to a loop, everything that its iterations modify is havocked: that is the *entry* of the loop, the
//! first state of a block of its own. What the loop does not touch stays as it is, and so does the path condition, so that
//! few predicates are needed. An entry does not depend on abstract states: the formula of a block is made once, and the
//! abstraction asks about it under as many abstract states and precisions as it likes.
//!
//! States from several blocks that come to a loop at once are joined and enter it together. What iterations modify is
//! learned: a state that comes back to its entry with more changed than was havocked has the entry built again, with
//! everything that was built on it.
//!
//! **Soundness.** By induction over a run: its state at a head is a model of the entry's state, since between two visits nothing
//! has changed but what is havocked there. So the run goes on inside of the entry's block.

use super::block::{
    Arrival, Block, BlockCall, BlockCalls, BlockEnds, BlockExplorer, BlockStop, EntryId, KnownEnds, Place, Run,
    order_key,
};
use super::tuning::BlockTuning;
use crate::answer::WhyUnknown;
use crate::budget::Budget;
use crate::predicates::assigned::assigned_registers;
use crate::predicates::feasibility::PathSolver;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::{FuncId, Loc};
use plumb_solve::Outcome;
use plumb_sym::{ChangeQuestion, Changes, EventLog, Position, ReducedExit, State, Sym};
use plumb_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The number of a block's end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeId(pub u32);

/// A block, seen from one of its ends.
pub struct Edge {
    pub from: EntryId,
    pub to: EntryId,
    pub place: Place,
    /// The state that comes, in the symbols of the entry that it comes from.
    pub state: State,
    /// Its path condition.
    pub conditions: Vec<TermId>,
    is_removed: bool,
}

/// A state that has come to a loop and not entered it yet.
struct Pending {
    from: EntryId,
    arrival: Arc<Arrival>,
}

pub struct Entry {
    pub id: EntryId,
    /// `None`: the start of the program.
    pub key: Option<LoopKey>,
    pub call_stack: Vec<(FuncId, Loc)>,
    /// What iterations modify, and the state does not know.
    pub havocked: Changes,
    pub state: State,
    pub position: Position<Option<EntryId>>,
    pub log: EventLog,
    pub ends: Vec<TermId>,
    /// Calls of functions that are blocks of their own.
    pub calls: Vec<BlockCall>,
    /// Where the function returns that the graph is of.
    pub exits: Vec<ReducedExit>,
    /// The ends of its block.
    pub edges: Vec<EdgeId>,
    /// So many loops were known to end blocks when its block was made.
    known_ends: usize,
    arrivals: Vec<Pending>,
    is_removed: bool,
}

impl Entry {
    /// One without a block.
    pub fn new(id: EntryId, key: Option<LoopKey>, state: State) -> Entry {
        Entry {
            id,
            key,
            call_stack: state.call_stack(),
            havocked: Changes::default(),
            position: Position::start(&state),
            state,
            log: EventLog::default(),
            ends: Vec::new(),
            calls: Vec::new(),
            exits: Vec::new(),
            edges: Vec::new(),
            known_ends: 0,
            arrivals: Vec::new(),
            is_removed: false,
        }
    }

    /// The entries whose blocks lead to it from outside of its loop.
    pub fn arrives_from(&self) -> impl Iterator<Item = EntryId> + '_ {
        self.arrivals.iter().map(|one| one.from)
    }
}

/// What a graph is of.
pub enum Subject<'a> {
    Program,
    /// A part of the program: the body of a function, or what is left beside those that are blocks of their own. Its entries and ends have numbers
    /// from these on.
    Part {
        start: Option<State>,
        first: u32,
        calls: Rc<RefCell<dyn BlockCalls + 'a>>,
    },
}

pub struct BlockGraph<'a> {
    analyses: &'a Analyses,
    subject: Subject<'a>,
    budget: &'a Budget,
    tuning: BlockTuning,
    pub ends: BlockEnds,
    entries: Vec<Entry>,
    edges: Vec<Edge>,
    /// What iterations modify, as far as it was observed.
    modified: FxHashMap<LoopKey, Changes>,
    pending: BTreeMap<Vec<u32>, Vec<Pending>>,
    solver: PathSolver,
    /// A loop has to be treated otherwise than it was.
    must_restart: bool,
    /// Loops that constants decided.
    pub unwound: FxHashSet<LoopKey>,
    pub steps: u64,
}

impl<'a> BlockGraph<'a> {
    pub fn new(analyses: &'a Analyses, budget: &'a Budget, tuning: &BlockTuning, solver: PathSolver) -> BlockGraph<'a> {
        BlockGraph {
            analyses,
            subject: Subject::Program,
            budget,
            tuning: *tuning,
            ends: BlockEnds::default(),
            entries: Vec::new(),
            edges: Vec::new(),
            modified: FxHashMap::default(),
            pending: BTreeMap::new(),
            solver,
            must_restart: false,
            unwound: FxHashSet::default(),
            steps: 0,
        }
    }

    /// The graph of a part of the program.
    pub fn of(self, subject: Subject<'a>) -> BlockGraph<'a> {
        BlockGraph { subject, ..self }
    }

    pub const START: EntryId = EntryId(0);

    fn first(&self) -> u32 {
        match self.subject {
            Subject::Program => 0,
            Subject::Part { first, .. } => first,
        }
    }

    /// The entry that the graph begins with.
    pub fn start(&self) -> EntryId {
        EntryId(self.first())
    }

    fn at(&self, id: EntryId) -> usize {
        (id.0 - self.first()) as usize
    }

    pub fn entry(&self, id: EntryId) -> &Entry {
        &self.entries[self.at(id)]
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[(id.0 - self.first()) as usize]
    }

    /// The entries that are part of the graph, in the order in which they were built.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.is_removed)
    }

    /// Makes all blocks.
    pub fn build(&mut self, sym: &mut Sym) -> Result<(), WhyUnknown> {
        let _span = tracing::info_span!("blocks").entered();
        // Each time one more loop is known.
        loop {
            self.must_restart = false;
            self.build_from_start(sym)?;
            if !self.must_restart {
                break;
            }
        }
        tracing::info!(entries = self.entries().count() as u64, block_steps = self.steps);
        Ok(())
    }

    /// Makes all blocks, unless a loop is found that has to be treated otherwise.
    fn build_from_start(&mut self, sym: &mut Sym) -> Result<(), WhyUnknown> {
        self.entries.clear();
        self.edges.clear();
        self.modified.clear();
        self.pending.clear();
        self.unwound.clear();
        let first = match &self.subject {
            Subject::Part { start: Some(state), .. } => {
                let entry = Entry::new(self.start(), None, state.clone());
                Entry { position: Position::before_entry(state), ..entry }
            }
            Subject::Program | Subject::Part { start: None, .. } => Entry::new(self.start(), None, sym.start()),
        };
        self.entries.push(first);
        self.explore(sym, self.start())?;
        while !self.must_restart
            && let Some((_, pending)) = self.pending.pop_first()
        {
            self.enter(sym, pending)?;
            if self.entries.len() > self.tuning.max_entries {
                return Err(WhyUnknown::GaveUp("loops are entered in too many contexts".to_string()));
            }
        }
        Ok(())
    }

    /// Follows the block of an entry from any state at its beginning, to where the entry's own block ends.
    pub fn follow(&mut self, sym: &mut Sym, id: EntryId, state: State) -> Result<Block, BlockStop> {
        let entry = self.entry(id);
        let from = Run { state, position: entry.position.clone() };
        let ends = KnownEnds { ends: &self.ends, known: entry.known_ends };
        let (calls, is_function) = match &self.subject {
            Subject::Program => (None, false),
            Subject::Part { start, calls, .. } => (Some(&**calls), start.is_some()),
        };
        let (analyses, budget, tuning) = (self.analyses, self.budget, &self.tuning);
        let mut explorer = BlockExplorer { sym, analyses, ends, calls, is_function, budget, tuning };
        let block = explorer.explore(from)?;
        self.steps += block.steps;
        Ok(block)
    }

    /// Makes the block of an entry.
    fn explore(&mut self, sym: &mut Sym, id: EntryId) -> Result<(), WhyUnknown> {
        let block = loop {
            let known = self.ends.len();
            let at = self.at(id);
            let entry = &mut self.entries[at];
            entry.known_ends = known;
            let state = entry.state.clone();
            match self.follow(sym, id, state) {
                Ok(block) => break block,
                Err(BlockStop::InputDependent(key)) => {
                    self.ends.insert(key);
                    // A loop around the entry should have been abstracted before.
                    let mut around = self.entry(id).position.all_loops().filter(|one| one.tag.is_none());
                    let is_around = around.any(|one| one.id == key.1);
                    drop(around);
                    if is_around {
                        self.must_restart = true;
                        return Ok(());
                    }
                }
                Err(BlockStop::Unknown(why)) => return Err(why),
            }
        };
        self.unwound.extend(&block.unwound);
        let at = self.at(id);
        let entry = &mut self.entries[at];
        (entry.log, entry.ends, entry.calls, entry.exits) = (block.log, block.ends, block.calls, block.exits);
        for arrival in block.arrivals {
            match arrival.back_to {
                Some(to) if self.entry(to).is_removed => {}
                Some(to) => {
                    if !self.modifies_only_havocked(sym, to, &arrival.run.state) {
                        self.rebuild(to);
                        return Ok(());
                    }
                    self.add_edge(id, to, &arrival);
                }
                None => {
                    let key = order_key(&arrival.run, self.analyses);
                    let pending = Pending { from: id, arrival: Arc::new(arrival) };
                    self.pending.entry(key).or_default().push(pending);
                }
            }
        }
        Ok(())
    }

    fn add_edge(&mut self, from: EntryId, to: EntryId, arrival: &Arrival) {
        let state = arrival.run.state.clone();
        let conditions = state.path.since(0);
        let (at, edge) = (self.at(from), EdgeId(self.first() + self.edges.len() as u32));
        self.entries[at].edges.push(edge);
        self.edges.push(Edge { from, to, place: arrival.place.clone(), state, conditions, is_removed: false });
    }

    /// States that have come to a loop enter it: together, unless joining them would lose something.
    fn enter(&mut self, sym: &mut Sym, pending: Vec<Pending>) -> Result<(), WhyUnknown> {
        let Some(first) = pending.first() else { return Ok(()) };
        let key = first.arrival.key;
        let live = &self.analyses.shape(key.0).live;
        let mut state = first.arrival.run.state.clone();
        let mut position = first.arrival.run.position.clone();
        for other in &pending[1..] {
            let (joined, log) = sym.join(state, other.arrival.run.state.clone(), live);
            if !log.is_empty() {
                return pending.into_iter().try_for_each(|one| self.enter(sym, vec![one]));
            }
            state = joined;
            position.join(&other.arrival.run.position);
        }
        let modified = self.modified.entry(key).or_insert_with(|| assigned_registers(self.analyses, key));
        sym.forget(&mut state, modified);
        let havocked = modified.clone();
        let id = EntryId(self.first() + self.entries.len() as u32);
        position.set_tag(key.1, Some(id));
        for one in &pending {
            self.add_edge(one.from, id, &one.arrival);
        }
        self.entries.push(Entry { havocked, position, arrivals: pending, ..Entry::new(id, Some(key), state) });
        self.explore(sym, id)
    }

    /// Whether a state that comes back to an entry has modified only what the entry has havocked. If not, what it has modified
    /// is noted.
    fn modifies_only_havocked(&mut self, sym: &mut Sym, id: EntryId, state: &State) -> bool {
        let entry = &self.entries[self.at(id)];
        let Some(key) = entry.key else { return true };
        let live = &self.analyses.shape(key.0).live;
        let mut changes = entry.havocked.clone();
        let (solver, conflicts) = (&mut self.solver, self.tuning.max_change_conflicts);
        let conditions = state.path.since(0);
        let mut is_feasible = |sym: &mut Sym, differs: TermId| {
            let mut all = conditions.clone();
            all.push(differs);
            solver.check(sym, &all, Some(conflicts)) != Outcome::Unsat
        };
        let question = &mut ChangeQuestion { about_scalars: false, is_feasible: &mut is_feasible };
        match sym.note_feasible_changes(&entry.state, state, live, &mut changes, question) {
            Ok(false) => true,
            Ok(true) => {
                self.modified.entry(key).or_default().merge(&changes);
                false
            }
            Err(_) => {
                // It is part of the blocks that lead to it.
                self.ends.never.insert(key);
                self.must_restart = true;
                false
            }
        }
    }

    /// Removes an entry and all that was built on it, and lets its states come to the loop again.
    fn rebuild(&mut self, id: EntryId) {
        let mut again: Vec<Pending> = Vec::new();
        let root = self.at(id);
        self.entries[root].is_removed = true;
        // An entry is younger than those that it is built on.
        for at in root..self.entries.len() {
            let depends = |one: &Pending| self.entry(one.from).is_removed;
            if !self.entries[at].is_removed && self.entries[at].arrivals.iter().any(depends) {
                self.entries[at].is_removed = true;
            }
            if self.entries[at].is_removed {
                again.append(&mut self.entries[at].arrivals);
                self.entries[at].edges.clear();
            }
        }
        let (entries, first) = (&self.entries, self.first());
        let at = |id: EntryId| (id.0 - first) as usize;
        let is_there = |one: &Pending| !entries[at(one.from)].is_removed;
        for pending in self.pending.values_mut() {
            pending.retain(is_there);
        }
        self.pending.retain(|_, pending| !pending.is_empty());
        again.retain(is_there);
        for edge in &mut self.edges {
            edge.is_removed |= entries[at(edge.from)].is_removed || entries[at(edge.to)].is_removed;
        }
        let edges = &self.edges;
        for entry in &mut self.entries {
            entry.edges.retain(|edge| !edges[(edge.0 - first) as usize].is_removed);
        }
        for one in again {
            let key = order_key(&one.arrival.run, self.analyses);
            self.pending.entry(key).or_default().push(one);
        }
    }
}
