//! Facts against states that should not be.
//!
//! Where a step of the induction fails, the solver shows a state at a head that all facts allow and from which a check breaks.
//! If no run can be in it, some facts are missing. Conditions that hold of the state and of no row that was seen, one, two
//! or three of them together, are believed not to hold together (learning from examples and counterexamples as in
//! Garg, Löding, Madhusudan and Neider 2014, by enumeration); those that are shown exclude the state. Where a step breaks
//! such a fact, it goes on with the state before that step, as Bradley's IC3 (2011) does.

use super::houdini::{Houdini, Round};
use crate::answer::WhyUnknown;
use crate::facts::samples::{Samples, Seen};
use crate::facts::suggest::{Feature, Rows, features};
use crate::facts::{Fact, Quantity};
use plumb_ir::analysis::loops::LoopKey;
use plumb_solve::Outcome;
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Instant;

/// Conditions of one state that are combined.
const MOST_CONDITIONS: usize = 90;
/// Facts that are believed against one state, by the number of conditions.
const MOST_CLAUSES: [usize; 3] = [90, 500, 700];
/// Times that facts are added against states from which other such facts break.
const MOST_TEACHINGS: u32 = 200;
const CONFLICTS: u64 = 200_000;

/// A state that a model has at a head: values by quantity.
pub struct Suspect {
    pub key: LoopKey,
    pub values: FxHashMap<Quantity, u128>,
}

/// Conditions at a head with the rows for which they hold.
struct Pool {
    conditions: Vec<(Fact, Rows)>,
    rows: usize,
}

pub struct Strengthener<'s> {
    samples: &'s Samples,
    pools: FxHashMap<LoopKey, Pool>,
    tried: FxHashSet<(LoopKey, Fact)>,
    /// Nothing helps, whatever the time.
    is_done: bool,
}

impl<'s> Strengthener<'s> {
    pub fn new(samples: &'s Samples) -> Strengthener<'s> {
        Strengthener { samples, pools: FxHashMap::default(), tried: FxHashSet::default(), is_done: false }
    }

    /// Adds facts until no check can break, or nothing helps, or it is time.
    pub fn strengthen(&mut self, base: &mut Houdini, until: Option<Instant>) -> Result<bool, WhyUnknown> {
        let _span = tracing::info_span!("strengthening").entered();
        while !self.is_done {
            match base.is_safe(Some(CONFLICTS)) {
                Outcome::Unsat => return Ok(true),
                Outcome::Sat => {}
                Outcome::Unknown(_) => return Ok(false),
            }
            let suspects = base.suspects(self.samples);
            if !self.exclude(base, &suspects, until)? {
                self.is_done = until.is_none_or(|until| Instant::now() < until);
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Whether a fact against one of the states was shown.
    fn exclude(
        &mut self,
        base: &mut Houdini,
        suspects: &[Suspect],
        until: Option<Instant>,
    ) -> Result<bool, WhyUnknown> {
        let mut teachings = 0;
        for size in 1..=MOST_CLAUSES.len() {
            if self.teach(base, suspects, size) == 0 {
                continue;
            }
            loop {
                match base.try_round(until)? {
                    Round::Holds => break,
                    Round::Broken(list) => {
                        // Where the step from a state breaks a fact, that state may be none either.
                        let before = base.suspects(self.samples);
                        teachings += 1;
                        let is_taught = teachings <= MOST_TEACHINGS
                            && (1..=MOST_CLAUSES.len()).any(|size| self.teach(base, &before, size) > 0);
                        if !is_taught {
                            base.drop_all(&list);
                        }
                    }
                    Round::Hard(list) => base.drop_all(&list),
                    Round::Late => {
                        base.drop_believed();
                        return Ok(false);
                    }
                }
            }
            if base.show_believed() > 0 && suspects.iter().any(|s| base.excludes(s.key, &s.values)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Believes facts against states. Gives how many are new.
    fn teach(&mut self, base: &mut Houdini, suspects: &[Suspect], size: usize) -> usize {
        let mut count = 0;
        for suspect in suspects {
            for clause in self.clauses(suspect, size) {
                if self.tried.insert((suspect.key, clause.clone())) {
                    base.believe(suspect.key, clause);
                    count += 1;
                }
            }
        }
        count
    }

    /// Facts that exclude a state and no row that was seen: of so many of its conditions one does not hold.
    fn clauses(&mut self, suspect: &Suspect, size: usize) -> Vec<Fact> {
        let samples = self.samples;
        let Some(seen) = samples.heads.get(&suspect.key) else { return Vec::new() };
        let pool = self.pools.entry(suspect.key).or_insert_with(|| Pool::of(seen, samples, suspect.key));
        let mut own: Vec<(Fact, Rows)> = Vec::new();
        let get = |q: Quantity| suspect.values.get(&q).copied();
        for (condition, rows) in &pool.conditions {
            match condition.holds(&get) {
                Some(true) => own.push((condition.clone(), rows.clone())),
                Some(false) => own.push((condition.clone().negated(), rows.complement(pool.rows))),
                None => {}
            }
        }
        // What was seldom seen comes first.
        own.sort_by_key(|(_, rows)| rows.len());
        own.truncate(MOST_CONDITIONS);
        let most = MOST_CLAUSES[size - 1];
        let mut clauses = Vec::new();
        combine(&own, size, 0, &mut Vec::new(), &Rows::all(pool.rows), &mut |chosen| {
            clauses.push(match chosen {
                [one] => own[*one].0.clone().negated(),
                _ => Fact::Any(chosen.iter().map(|i| own[*i].0.clone().negated()).collect()),
            });
            clauses.len() < most
        });
        clauses
    }
}

/// Calls back for each choice of so many conditions that no row has together, until told to stop.
fn combine(
    own: &[(Fact, Rows)],
    size: usize,
    from: usize,
    chosen: &mut Vec<usize>,
    rows: &Rows,
    found: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    for at in from..own.len() {
        let both = rows.and(&own[at].1);
        chosen.push(at);
        let go_on = match size {
            1 if both.len() == 0 => found(chosen),
            1 => true,
            _ => combine(own, size - 1, at + 1, chosen, &both, found),
        };
        chosen.pop();
        if !go_on {
            return false;
        }
    }
    true
}

impl Pool {
    fn of(seen: &Seen, samples: &Samples, key: LoopKey) -> Pool {
        let count = seen.rows.len();
        let index: FxHashMap<Quantity, usize> = seen.quantities.iter().enumerate().map(|(i, q)| (*q, i)).collect();
        let mut conditions: Vec<(Fact, Rows)> = Vec::new();
        let mut known = FxHashSet::default();
        for Feature(each) in features(seen) {
            for (condition, rows) in each {
                if known.insert(condition.clone()) && !known.contains(&condition.clone().negated()) {
                    conditions.push((condition, rows));
                }
            }
        }
        for condition in samples.conditions(key) {
            if !known.insert(condition.clone()) {
                continue;
            }
            let mut rows = Rows::none(count);
            for (at, row) in seen.rows.iter().enumerate() {
                let get = |q: Quantity| index.get(&q).map(|i| row[*i] as u128);
                if condition.holds(&get) == Some(true) {
                    rows.add(at);
                }
            }
            conditions.push((condition, rows));
        }
        Pool { conditions, rows: count }
    }
}
