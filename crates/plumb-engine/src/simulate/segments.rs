//! How far a run goes at a time: from loop head to loop head, in a number of steps that grows where many segments are cut off. Some
//! runs stop at no head, which gets them past loops of many iterations. They are long, so they must prove their worth.

use super::plan::Plan;
use super::tuning::TUNING;
use plumb_exec::{Image, ProbeId, Rng, StopSet};
use std::sync::LazyLock;

static NO_STOPS: LazyLock<StopSet> = LazyLock::new(StopSet::default);

pub struct Segments {
    stops: StopSet,
    /// Steps from one head to the next.
    pub steps: u64,
    /// Segments cut off in a row.
    cut_off: u32,
    /// This run stops at no head, and each of its segments may be longer for that: by a power of two.
    unstopped: Option<u32>,
    /// One run from the start in so many does.
    unstopped_every: u64,
}

impl Segments {
    pub fn new(plan: &Plan) -> Segments {
        let outer = plan.heads.iter().enumerate().filter(|(_, head)| head.is_outer);
        Segments {
            // Inner loops are looked at only where an iteration of the outer ones is too long.
            stops: outer.map(|(i, _)| ProbeId(i as u32)).collect(),
            steps: TUNING.segment_steps,
            cut_off: 0,
            unstopped: None,
            unstopped_every: TUNING.unstopped_every,
        }
    }

    pub fn stops(&self) -> &StopSet {
        if self.is_unstopped() { &NO_STOPS } else { &self.stops }
    }

    pub fn longest(&self) -> u64 {
        self.steps << self.unstopped.unwrap_or(0)
    }

    pub fn is_unstopped(&self) -> bool {
        self.unstopped.is_some()
    }

    /// Chooses whether a run from the start stops at heads.
    pub fn begin_run(&mut self, rng: &mut Rng) {
        let is_unstopped = rng.below(self.unstopped_every) == 0;
        let factor = rng.below(8) as u32;
        self.unstopped = is_unstopped.then_some(factor);
    }

    /// The run is over; it may have taken a new branch.
    pub fn end_run(&mut self, is_new: bool) {
        if self.unstopped.take().is_some() {
            let rarer = (self.unstopped_every * 2).min(TUNING.unstopped_at_least);
            self.unstopped_every = if is_new { TUNING.unstopped_every } else { rarer };
        }
    }

    /// A segment was cut off, or not.
    pub fn note_end(&mut self, is_cut_off: bool, image: &Image) {
        self.cut_off = if is_cut_off { self.cut_off + 1 } else { 0 };
        if self.cut_off >= 4 {
            self.cut_off = 0;
            self.stops = StopSet::all(image);
            self.steps = (self.steps * 4).min(TUNING.longest_segment);
        }
    }
}
