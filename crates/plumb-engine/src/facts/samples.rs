//! States that runs have at the heads of loops.
//!
//! Runs with inputs of several styles stop at every head; the values that are observed there become rows. A state whose row
//! is new is kept as one to go on from, so that state machines are walked through further than one run goes. Rows of other
//! engines' runs join them.

use super::conditions::Conditions;
use super::fact::{Fact, Quantity, Sum, View};
use super::observed::Observed;
use super::tuning::TUNING;
use crate::board::LoopState;
use crate::budget::Budget;
use plumb_exec::{
    CompileOptions, Image, InputSource, Limits, Machine, Outcome, ProbeId, RegionFill, Rng, SeedInputs, Snapshot,
    StopSet,
};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::bits::BitSet;
use plumb_ir::analysis::constants::named_constants;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::index::{TiSlice, TiVec};
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::ty::{Bits, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// What was seen at one head: different rows of values, in the order of the quantities.
#[derive(Clone)]
pub struct Seen {
    pub quantities: Vec<Quantity>,
    index: FxHashMap<Quantity, usize>,
    pub rows: Vec<Arc<[u64]>>,
    known: FxHashSet<Arc<[u64]>>,
}

impl Seen {
    /// Whether a row is new, and there is room for it.
    fn add(&mut self, row: Arc<[u64]>, most: usize) -> bool {
        let is_new = self.rows.len() < most && self.known.insert(row.clone());
        if is_new {
            self.rows.push(row);
        }
        is_new
    }

    /// Whether a fact holds of a row; `None` where it is about something else.
    pub fn holds(&self, fact: &Fact, row: usize) -> Option<bool> {
        fact.holds(&|q| self.index.get(&q).map(|i| self.rows[row][*i] as u128))
    }

    /// The rows of which a fact holds.
    pub fn rows_with(&self, fact: &Fact) -> BitSet {
        let mut rows = BitSet::new(self.rows.len());
        for row in (0..self.rows.len()).filter(|row| self.holds(fact, *row) == Some(true)) {
            rows.insert(row);
        }
        rows
    }

    /// Whether no row breaks a fact.
    pub fn satisfy(&self, fact: &Fact) -> bool {
        (0..self.rows.len()).all(|row| self.holds(fact, row) != Some(false))
    }
}

#[derive(Clone)]
pub struct Samples {
    pub heads: FxHashMap<LoopKey, Seen>,
    /// What the program itself asks.
    asked: Conditions,
    /// Numbers that the program compares with or assigns.
    pub constants: BTreeSet<i128>,
}

pub fn sample(analyses: &Analyses, observed: &Observed, budget: &Budget) -> Samples {
    let program = analyses.program();
    let constants = named_constants(program, TUNING.max_constants);
    let heads = observed.heads();
    let unseen = |quantities: &[Quantity]| Seen {
        quantities: quantities.to_vec(),
        index: quantities.iter().enumerate().map(|(i, q)| (*q, i)).collect(),
        rows: Vec::new(),
        known: FxHashSet::default(),
    };
    let mut seen: TiVec<ProbeId, Seen> = heads.iter().map(|head| unseen(&head.quantities)).collect();
    let probes = heads.iter().map(|head| (head.key.0, head.loc)).collect();
    if let Ok(image) = Image::compile(program, &CompileOptions { probes, ..CompileOptions::default() }) {
        run(Arc::new(image), observed, &mut seen, &constants, budget);
    }
    let heads = heads.iter().map(|head| head.key).zip(seen).collect();
    Samples { heads, asked: Conditions::of(program), constants }
}

impl Samples {
    /// Takes in states of other engines' runs. Gives the heads at which some are new.
    pub fn absorb(&mut self, states: impl IntoIterator<Item = LoopState>) -> BTreeSet<LoopKey> {
        let mut changed = BTreeSet::new();
        for LoopState { key, values } in states {
            let Some(seen) = self.heads.get_mut(&key) else { continue };
            if seen.add(values, TUNING.max_rows + TUNING.max_rows_of_others) {
                changed.insert(key);
            }
        }
        changed
    }

    /// Conditions that the program asks at or about a head: comparisons and remainders of quantities there.
    pub fn conditions(&self, key: LoopKey) -> Vec<Fact> {
        let Some(seen) = self.heads.get(&key) else { return Vec::new() };
        let has = |known: &&Fact| known.quantities().iter().all(|q| seen.quantities.contains(q));
        let mut list: Vec<Fact> = self.asked.seen_by(key.0).filter(has).cloned().collect();
        for quantity in seen.quantities.iter().filter(|q| q.width > 1) {
            list.push(Fact::AtLeast(Sum::of(*quantity), 0, View::Signed));
            list.push(Fact::Congruent(Sum::of(*quantity), 2, 0));
        }
        list.sort();
        list.dedup();
        list
    }
}

fn run(
    image: Arc<Image>,
    observed: &Observed,
    heads: &mut TiSlice<ProbeId, Seen>,
    constants: &BTreeSet<i128>,
    budget: &Budget,
) {
    let until = Instant::now() + TUNING.sampling_time;
    let every = StopSet::all(&image);
    let mut machine = Machine::new(image);
    let start = machine.snapshot();
    let mut kept: Vec<Snapshot> = Vec::new();
    let mut rng = Rng(1);
    let constants: Vec<i128> = constants.iter().copied().collect();
    let mut stale_runs = 0;
    let mut steps = 0;
    for seed in 0..TUNING.max_runs {
        if Instant::now() >= until || budget.is_over() || stale_runs > TUNING.stale_runs || steps > TUNING.all_steps {
            break;
        }
        stale_runs += 1;
        let from = match kept.len() {
            0 => &start,
            _ if seed % 3 == 0 => &start,
            // Late ones more often than early ones.
            n => &kept[(rng.below(n as u64).max(rng.below(n as u64))) as usize],
        };
        machine.restore(from);
        let before = machine.steps();
        let mut inputs =
            Styled { plain: SeedInputs::new(seed), rng: Rng(seed ^ 0x5eed), style: seed % 4, constants: &constants };
        let mut stops = every.clone();
        let mut visits: FxHashMap<u32, u32> = FxHashMap::default();
        while let Outcome::Probe(id) = machine.run_until(&mut inputs, Limits::steps(TUNING.run_steps), &stops) {
            let Some(seen) = heads.get_mut(id) else { break };
            let row = observed.heads()[id].values(&mut machine);
            if seen.add(row, TUNING.max_rows) {
                stale_runs = 0;
                let state = machine.snapshot();
                if kept.len() < TUNING.max_snapshots {
                    kept.push(state);
                } else if rng.below(8) == 0 {
                    let at = rng.below(TUNING.max_snapshots as u64) as usize;
                    kept[at] = state;
                }
            }
            let count = visits.entry(id.0).or_default();
            *count += 1;
            if *count >= TUNING.max_visits {
                stops.remove(id);
            }
            if Instant::now() >= until {
                break;
            }
        }
        // Stopping costs something too.
        let stopped: u32 = visits.values().sum();
        steps += machine.steps().saturating_sub(before) + TUNING.stop_steps * stopped as u64;
    }
}

/// States that one run has at loop heads, each once, as far as it goes.
pub fn states_of_run(analyses: &Analyses, observed: &Observed, inputs: &mut dyn InputSource) -> Vec<LoopState> {
    let heads = observed.heads();
    let probes = heads.iter().map(|head| (head.key.0, head.loc)).collect();
    let options = CompileOptions { probes, ..CompileOptions::default() };
    let Ok(image) = Image::compile(analyses.program(), &options) else { return Vec::new() };
    let image = Arc::new(image);
    let stops = StopSet::all(&image);
    let mut machine = Machine::new(image);
    let mut found: FxHashSet<LoopState> = FxHashSet::default();
    while let Outcome::Probe(id) = machine.run_until(inputs, Limits::steps(TUNING.run_steps), &stops) {
        let Some(head) = heads.get(id) else { break };
        found.insert(LoopState { key: head.key, values: head.values(&mut machine) });
        // A run without end may come back to the same states for ever.
        if found.len() >= TUNING.max_rows_of_others || machine.work() >= TUNING.run_steps {
            break;
        }
    }
    found.into_iter().collect()
}

/// Inputs that are sometimes random, sometimes truth values, sometimes numbers of the program.
struct Styled<'a> {
    plain: SeedInputs,
    rng: Rng,
    style: u64,
    constants: &'a [i128],
}

impl InputSource for Styled<'_> {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        let (Some(Ty::Int(width)), false) = (site.ty, site.is_bool || site.origin == InputOrigin::MainArgument) else {
            return self.plain.scalar(id, site);
        };
        let number = match self.style {
            0 => return self.plain.scalar(id, site),
            1 => self.rng.below(2) as i128,
            2 => self.rng.below(8) as i128 - 1,
            _ if self.constants.is_empty() || self.rng.below(3) == 0 => return self.plain.scalar(id, site),
            _ => {
                let constant = self.constants[self.rng.below(self.constants.len() as u64) as usize];
                constant + self.rng.below(3) as i128 - 1
            }
        };
        Some(Bits::new(number as u128, width as u32))
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        self.plain.region(id, site, size)
    }
}
