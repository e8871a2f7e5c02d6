//! Giving out the inputs of a candidate.
//!
//! Within a turn, a site gets the values that were recorded for it, in order. Where it asks for more than there are it
//! gets its last value again, or zero; after the last turn there is nothing to get. What was given is recorded: that record, not the candidate, is the new course.

use super::course::{Turn, normal};
use plumb_exec::{InputSource, InputValue, RegionFill};
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::Program;
use plumb_ir::ty::Bits;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How far ahead of the first value not given out a site's next one is looked for.
const LOOK_AHEAD: usize = 4096;

pub(super) type Held = FxHashMap<InputId, InputValue>;

/// What locals hold before they are written to. Compilers can fill them with zeros or with a pattern, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Garbage {
    Zero,
    Pattern,
    Recorded,
}

/// The byte that `gcc -ftrivial-auto-var-init=pattern` fills locals with.
pub(crate) const PATTERN: u8 = 0xfe;

pub(super) struct Feed<'a> {
    program: &'a Program,
    garbage: Garbage,
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
    pub fn new(program: &'a Program, garbage: Garbage, turns: &'a [Turn], held: Held) -> Feed<'a> {
        let given = vec![false; turns.first().map_or(0, |t| t.len())];
        Feed { program, garbage, turns, turn: 0, given, next: 0, held, record: Vec::new(), current: Vec::new() }
    }

    /// The main loop begins anew. False if nothing has been read since it last did: that belongs to the same turn, since
    /// how often a program looks at its clock between two inputs is its own affair.
    pub fn next_turn(&mut self) -> bool {
        if self.current.is_empty() {
            return false;
        }
        self.close_turn();
        self.turn += 1;
        self.next = 0;
        self.given.clear();
        self.given.resize(self.turns.get(self.turn).map_or(0, |t| t.len()), false);
        true
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
        if !self.current.is_empty() || self.record.is_empty() {
            self.close_turn();
        }
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

    fn give(
        &mut self,
        id: InputId,
        site: &InputSite,
        zero: InputValue,
        pattern: impl Fn() -> InputValue,
    ) -> InputValue {
        let planned = self.planned(id);
        let is_garbage = matches!(site.origin, InputOrigin::Uninitialised(_));
        let value = match self.garbage {
            Garbage::Zero if is_garbage => zero,
            Garbage::Pattern if is_garbage => pattern(),
            Garbage::Zero | Garbage::Pattern | Garbage::Recorded => {
                planned.or_else(|| self.held.get(&id).cloned()).unwrap_or(zero)
            }
        };
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
        if self.turn >= self.turns.len() {
            return None;
        }
        match self.give(id, site, InputValue::Scalar(Bits::ZERO), || InputValue::Scalar(pattern_bits())) {
            InputValue::Scalar(bits) => Some(bits),
            InputValue::Region(_) => None,
        }
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        if self.turn >= self.turns.len() {
            return None;
        }
        let pattern = || InputValue::Region(RegionFill::Bytes(vec![PATTERN; size as usize]));
        match self.give(id, site, InputValue::Region(RegionFill::Zero), pattern) {
            InputValue::Region(fill) => Some(fill),
            InputValue::Scalar(_) => None,
        }
    }
}

/// The pattern as a scalar of any type.
pub(crate) fn pattern_bits() -> Bits {
    Bits::new(u128::from_le_bytes([PATTERN; 16]), 128)
}
