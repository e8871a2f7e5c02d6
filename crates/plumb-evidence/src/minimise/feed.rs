//! Giving out the inputs of a candidate.
//!
//! Within an iteration, a site gets the values that were recorded for it, in order. Where it asks for more than there are it
//! gets its last value again, or zero; after the last iteration there is nothing to get. What was given is recorded: that record, not the candidate, is the new sequence.

use super::sequence::{Iteration, normal};
use plumb_exec::{InputSource, InputValue, RegionFill};
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::Program;
use plumb_ir::ty::Bits;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How far ahead of the first value not given out a site's next one is looked for.
const LOOK_AHEAD: usize = 4096;

pub(super) type LastValues = FxHashMap<InputId, InputValue>;

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
    iterations: &'a [Iteration],
    /// The iteration that is running.
    iteration: usize,
    given: Vec<bool>,
    /// Everything before has been given out.
    next: usize,
    pub last_values: LastValues,
    record: Vec<Iteration>,
    current: Vec<(InputId, InputValue)>,
}

impl<'a> Feed<'a> {
    /// Begins with the first of the iterations.
    pub fn new(
        program: &'a Program,
        garbage: Garbage,
        iterations: &'a [Iteration],
        last_values: LastValues,
    ) -> Feed<'a> {
        let given = vec![false; iterations.first().map_or(0, |t| t.len())];
        Feed {
            program,
            garbage,
            iterations,
            iteration: 0,
            given,
            next: 0,
            last_values,
            record: Vec::new(),
            current: Vec::new(),
        }
    }

    /// The main loop begins anew. False if nothing has been read since it last did: that belongs to the same iteration, since
    /// how often a program looks at its clock between two inputs is its own affair.
    pub fn next_iteration(&mut self) -> bool {
        if self.current.is_empty() {
            return false;
        }
        self.close_iteration();
        self.iteration += 1;
        self.next = 0;
        self.given.clear();
        self.given.resize(self.iterations.get(self.iteration).map_or(0, |t| t.len()), false);
        true
    }

    fn close_iteration(&mut self) {
        let current = std::mem::take(&mut self.current);
        let iteration = match self.iterations.get(self.iteration) {
            Some(planned) if **planned == current => planned.clone(),
            Some(_) | None => Arc::new(current),
        };
        self.record.push(iteration);
    }

    /// What has been given out, by iteration.
    pub fn finish(mut self) -> Vec<Iteration> {
        if !self.current.is_empty() || self.record.is_empty() {
            self.close_iteration();
        }
        self.record
    }

    fn planned(&mut self, id: InputId) -> Option<InputValue> {
        let iteration = self.iterations.get(self.iteration)?;
        let end = iteration.len().min(self.next + LOOK_AHEAD);
        let at = (self.next..end).find(|&i| !self.given[i] && iteration[i].0 == id)?;
        self.given[at] = true;
        while self.given.get(self.next).is_some_and(|g| *g) {
            self.next += 1;
        }
        Some(iteration[at].1.clone())
    }

    fn give(
        &mut self,
        id: InputId,
        site: &InputSite,
        zero: InputValue,
        pattern: impl Fn() -> InputValue,
    ) -> InputValue {
        let planned = self.planned(id);
        let is_garbage = matches!(site.origin, InputOrigin::Uninitialised(_) | InputOrigin::Padding(_));
        let value = match self.garbage {
            Garbage::Zero if is_garbage => zero,
            Garbage::Pattern if is_garbage => pattern(),
            Garbage::Zero | Garbage::Pattern | Garbage::Recorded => {
                planned.or_else(|| self.last_values.get(&id).cloned()).unwrap_or(zero)
            }
        };
        let value = normal(&value, site, self.program);
        match self.last_values.get_mut(&id) {
            Some(last_values) if *last_values == value => {}
            Some(last_values) => *last_values = value.clone(),
            None => {
                self.last_values.insert(id, value.clone());
            }
        }
        self.current.push((id, value.clone()));
        value
    }
}

impl InputSource for Feed<'_> {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        if self.iteration >= self.iterations.len() {
            return None;
        }
        match self.give(id, site, InputValue::Scalar(Bits::ZERO), || InputValue::Scalar(pattern_bits())) {
            InputValue::Scalar(bits) => Some(bits),
            InputValue::Region(_) => None,
        }
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        if self.iteration >= self.iterations.len() {
            return None;
        }
        // Memory from outside is too large to be written down.
        let pattern = || match site.origin {
            InputOrigin::ForeignMemory => InputValue::Region(RegionFill::Zero),
            _ => InputValue::Region(RegionFill::Bytes(vec![PATTERN; size as usize])),
        };
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
