//! Giving out the inputs of a candidate.
//!
//! Within a turn, a site gets the values that were recorded for it, in order. Where it asks for more than there are it
//! gets its last value again, or zero. What was given is recorded: that record, not the candidate, is the new course.

use super::course::{Turn, normal};
use plumb_exec::{InputSource, InputValue, RegionFill};
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::Program;
use plumb_ir::ty::Bits;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How far ahead of the first value not given out a site's next one is looked for.
const LOOK_AHEAD: usize = 4096;

pub(super) type Held = FxHashMap<InputId, InputValue>;

pub(super) struct Feed<'a> {
    program: &'a Program,
    turns: &'a [Turn],
    /// The turn that is running.
    turn: usize,
    given: Vec<bool>,
    /// Everything before has been given out.
    next: usize,
    pub held: Held,
    record: Vec<Turn>,
    current: Vec<(InputId, InputValue)>,
}

impl<'a> Feed<'a> {
    /// Begins with the first of the turns.
    pub fn new(program: &'a Program, turns: &'a [Turn], held: Held) -> Feed<'a> {
        let given = vec![false; turns.first().map_or(0, |t| t.len())];
        Feed { program, turns, turn: 0, given, next: 0, held, record: Vec::new(), current: Vec::new() }
    }

    /// Goes on to the next turn; false if there is none.
    pub fn next_turn(&mut self) -> bool {
        self.close_turn();
        self.turn += 1;
        self.next = 0;
        self.given.clear();
        self.given.resize(self.turns.get(self.turn).map_or(0, |t| t.len()), false);
        self.turn < self.turns.len()
    }

    fn close_turn(&mut self) {
        let current = std::mem::take(&mut self.current);
        let turn = match self.turns.get(self.turn) {
            Some(planned) if **planned == current => planned.clone(),
            Some(_) | None => Arc::new(current),
        };
        self.record.push(turn);
    }

    /// What has been given out, by turn.
    pub fn finish(mut self) -> Vec<Turn> {
        self.close_turn();
        self.record
    }

    fn planned(&mut self, id: InputId) -> Option<InputValue> {
        let turn = self.turns.get(self.turn)?;
        let end = turn.len().min(self.next + LOOK_AHEAD);
        let at = (self.next..end).find(|&i| !self.given[i] && turn[i].0 == id)?;
        self.given[at] = true;
        while self.given.get(self.next).is_some_and(|g| *g) {
            self.next += 1;
        }
        Some(turn[at].1.clone())
    }

    fn give(&mut self, id: InputId, site: &InputSite, zero: InputValue) -> InputValue {
        let value = self.planned(id).or_else(|| self.held.get(&id).cloned()).unwrap_or(zero);
        let value = normal(&value, site, self.program);
        match self.held.get_mut(&id) {
            Some(held) if *held == value => {}
            Some(held) => *held = value.clone(),
            None => {
                self.held.insert(id, value.clone());
            }
        }
        self.current.push((id, value.clone()));
        value
    }
}

impl InputSource for Feed<'_> {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        match self.give(id, site, InputValue::Scalar(Bits::ZERO)) {
            InputValue::Scalar(bits) => Some(bits),
            InputValue::Region(_) => None,
        }
    }

    fn region(&mut self, id: InputId, site: &InputSite, _: u64) -> Option<RegionFill> {
        match self.give(id, site, InputValue::Region(RegionFill::Zero)) {
            InputValue::Region(fill) => Some(fill),
            InputValue::Scalar(_) => None,
        }
    }
}
