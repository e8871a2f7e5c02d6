//! States worth starting from, and how they were reached.

use super::sites::{Given, values};
use plumb_exec::{InputValue, RegionFill, Rng, Snapshot};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of all traces there are.
static TRACES: AtomicU64 = AtomicU64::new(0);

pub fn trace_bytes() -> u64 {
    TRACES.load(Ordering::Relaxed)
}

/// The inputs that lead to a state: those of an earlier state, and more.
#[derive(Debug)]
pub struct Trace {
    before: Option<Arc<Trace>>,
    given: Box<[Given]>,
    /// Inputs in all.
    pub len: usize,
}

impl Trace {
    pub fn start() -> Arc<Trace> {
        Arc::new(Trace { before: None, given: Box::new([]), len: 0 })
    }

    pub fn then(self: &Arc<Trace>, given: &[Given]) -> Arc<Trace> {
        match given.is_empty() {
            true => self.clone(),
            false => {
                let trace = Trace { before: Some(self.clone()), given: given.into(), len: self.len + given.len() };
                TRACES.fetch_add(trace.bytes(), Ordering::Relaxed);
                Arc::new(trace)
            }
        }
    }

    /// What the trace takes without those before it.
    pub fn bytes(&self) -> u64 {
        let of_region = |g: &Given| match &g.value {
            InputValue::Region(RegionFill::Bytes(bytes)) => bytes.len() as u64,
            InputValue::Region(RegionFill::Sparse(bytes)) => 16 * bytes.len() as u64,
            InputValue::Region(RegionFill::Zero | RegionFill::Pattern(_)) | InputValue::Scalar(_) => 0,
        };
        self.given.iter().map(|g| size_of::<Given>() as u64 + of_region(g)).sum()
    }

    /// All inputs from the start of the program on.
    pub fn inputs(&self) -> Vec<Given> {
        self.last_inputs(usize::MAX)
    }

    /// The inputs of the last parts, each of which was given between two loop heads.
    pub fn last_inputs(&self, parts: usize) -> Vec<Given> {
        let before = std::iter::successors(Some(self), |trace| trace.before.as_deref());
        let parts: Vec<&[Given]> = before.take(parts).map(|trace| &*trace.given).collect();
        parts.into_iter().rev().flatten().cloned().collect()
    }
}

impl Drop for Trace {
    /// Chains get long: not by recursion.
    fn drop(&mut self) {
        TRACES.fetch_sub(self.bytes(), Ordering::Relaxed);
        let mut next = self.before.take();
        while let Some(trace) = next {
            next = Arc::into_inner(trace).and_then(|mut trace| trace.before.take());
        }
    }
}

/// A state at a loop head, or at the start.
#[derive(Clone)]
pub struct Place {
    pub snapshot: Snapshot,
    pub trace: Arc<Trace>,
    /// Iterations of outer loops.
    pub depth: u64,
    /// Loop heads at which the run stopped before.
    pub heads: u32,
    /// Steps from the start on.
    pub work: u64,
}

#[derive(Clone)]
pub struct Entry {
    pub place: Place,
    /// The head, and the values of the features there.
    pub head: usize,
    pub state: Arc<[u64]>,
    /// How much was new.
    pub weight: f64,
    pub picks: u32,
}

/// A state and inputs after it that did something new.
#[derive(Clone)]
pub struct Seed {
    pub place: Place,
    pub script: Arc<[Given]>,
    /// Loop heads between the state and what was new.
    pub passed: u32,
    pub picks: u32,
}

impl Seed {
    /// The same from the start of the program on, so that earlier inputs can be changed too.
    pub fn rebased(&self, start: &Place) -> Seed {
        let mut script = self.place.trace.inputs();
        script.extend_from_slice(&self.script);
        let passed = self.passed.saturating_add(self.place.heads);
        Seed { place: start.clone(), script: script.into(), passed, picks: self.picks }
    }

    pub fn values(&self) -> Vec<InputValue> {
        values(&self.script)
    }
}

/// A bounded set of entries to choose from.
pub struct Corpus {
    entries: Vec<Entry>,
    most: usize,
    /// Entries ever added.
    pub added: u64,
}

impl Corpus {
    pub fn new(most: usize) -> Corpus {
        Corpus { entries: Vec::new(), most: most.max(16), added: 0 }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn add(&mut self, entry: Entry) {
        self.added += 1;
        if self.entries.len() >= self.most {
            self.evict();
        }
        self.entries.push(entry);
    }

    /// Drops the half that is chosen least.
    pub fn evict(&mut self) {
        if self.entries.len() < 2 {
            return;
        }
        let mut scores: Vec<f64> = self.entries.iter().map(Entry::score).collect();
        scores.sort_unstable_by(f64::total_cmp);
        let middle = scores[scores.len() / 2];
        let keep = self.entries.len() / 2;
        self.entries.retain(|e| e.score() >= middle);
        // Equal scores: the younger ones stay.
        let surplus = self.entries.len().saturating_sub(keep.max(1));
        self.entries.drain(..surplus);
    }

    /// The best of a few chosen at random.
    pub fn pick(&mut self, rng: &mut Rng) -> Option<&mut Entry> {
        if self.entries.is_empty() {
            return None;
        }
        let mut best = rng.below(self.entries.len() as u64) as usize;
        for _ in 0..7 {
            let other = rng.below(self.entries.len() as u64) as usize;
            if self.entries[other].score() > self.entries[best].score() {
                best = other;
            }
        }
        let entry = &mut self.entries[best];
        entry.picks += 1;
        Some(entry)
    }

    /// The entries added last.
    pub fn youngest(&self, count: usize) -> &[Entry] {
        &self.entries[self.entries.len() - count.min(self.entries.len())..]
    }
}

impl Entry {
    fn score(&self) -> f64 {
        self.weight / (1.0 + self.picks as f64)
    }
}
