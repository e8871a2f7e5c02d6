//! Distances where blocks of abstract states are cached and used again under other calls (section 7.1).
//!
//! Block-abstraction memoisation explores the body of a function once and uses the states again wherever the function is called
//! in the same abstract state. If every state knew its call, all states of a block would have to be changed whenever it is
//! used again. So a state knows the *entry* of the block that it is in, and only entries know their call: the mapping functions
//! `entry` and `call` of Figure 7.3. One update is enough to use a block under another call ([`EntryMap::reuse`]).
//!
//! Distances are computed when they are asked for, and those of calls are cached (`CD` of Figure 7.4) until a block is used anew.
//! (Figure 7.4 computes what it caches from the location of the state that is asked for; meant is that of the call.)
//!
//! A block of a recursive function may be its own caller. A shortest path does not need to return through the same call
//! twice, so such a call counts as one that does not return.

use super::call_context::{CallContext, TargetDistances};
use super::distance::Distance;
use super::flow_graph::FlowLoc;
use crate::index::TiVec;
use rustc_hash::FxHashMap;

/// An abstract state of an explorer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct StateId(pub u32);

plumb_c::index_types!(StateId);

#[derive(Clone, Copy, Debug)]
struct StateInfo {
    loc: FlowLoc,
    entry: StateId,
}

/// The call of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockCall {
    /// The state at the call location.
    pub caller: StateId,
    pub return_loc: FlowLoc,
}

#[derive(Clone, Debug, Default)]
pub struct EntryMap {
    states: TiVec<StateId, StateInfo>,
    /// By entry; without one, nothing is called.
    calls: FxHashMap<StateId, BlockCall>,
    /// By entry: the context of its block.
    cached: FxHashMap<StateId, CallContext>,
}

impl EntryMap {
    /// The first state, or one that a cached block begins with.
    pub fn initial(&mut self, loc: FlowLoc) -> StateId {
        let entry = self.states.next_key();
        self.states.push_and_get_key(StateInfo { loc, entry })
    }

    /// The state at a callee's entry that a function call operation leads to.
    pub fn called(&mut self, call: BlockCall, entry_loc: FlowLoc) -> StateId {
        let entry = self.initial(entry_loc);
        self.calls.insert(entry, call);
        entry
    }

    /// The state behind a function return operation; `None` if nothing has called the block of the state at the exit.
    pub fn returned(&mut self, exit: StateId) -> Option<StateId> {
        let call = self.call(self.entry(exit))?;
        let entry = self.entry(call.caller);
        Some(self.states.push_and_get_key(StateInfo { loc: call.return_loc, entry }))
    }

    /// The state behind any other operation.
    pub fn moved(&mut self, from: StateId, loc: FlowLoc) -> StateId {
        let entry = self.entry(from);
        self.states.push_and_get_key(StateInfo { loc, entry })
    }

    /// The block of an entry is used under another call from now on.
    pub fn reuse(&mut self, entry: StateId, call: BlockCall) {
        debug_assert_eq!(self.entry(entry), entry, "only entries know their call");
        if self.calls.insert(entry, call) != Some(call) {
            // Blocks that were called from here have other contexts now.
            self.cached.clear();
        }
    }

    pub fn entry(&self, state: StateId) -> StateId {
        self.states[state].entry
    }

    pub fn call(&self, entry: StateId) -> Option<BlockCall> {
        self.calls.get(&entry).copied()
    }

    pub fn loc(&self, state: StateId) -> FlowLoc {
        self.states[state].loc
    }

    /// The distance of a state under the calls of its block.
    pub fn distance(&mut self, distances: &TargetDistances, state: StateId) -> Distance {
        let context = self.context(distances, self.entry(state));
        distances.distance(self.loc(state), context)
    }

    /// The context of the block with this entry.
    fn context(&mut self, distances: &TargetDistances, entry: StateId) -> CallContext {
        // Outwards until a context is known.
        let mut pending: Vec<(StateId, FlowLoc)> = Vec::new();
        let mut at = entry;
        let (mut context, is_complete) = loop {
            if let Some(known) = self.cached.get(&at) {
                break (*known, true);
            }
            let Some(call) = self.call(at) else { break (CallContext::OUTERMOST, true) };
            if pending.iter().any(|(seen, _)| *seen == at) {
                break (CallContext::OUTERMOST, false);
            }
            pending.push((at, call.return_loc));
            at = self.entry(call.caller);
        };
        while let Some((block, return_loc)) = pending.pop() {
            context = distances.call(return_loc, context);
            // Where recursion was cut off, the contexts between are too far.
            if is_complete || pending.is_empty() {
                self.cached.insert(block, context);
            }
        }
        context
    }
}
