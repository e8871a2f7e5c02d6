//! Candidates against counterexamples to induction.
//!
//! Where the inductive step fails, the solver has a state at a head that all invariants allow and from which a check is
//! violated. If no run reaches it, invariants are missing. Conditions that hold of the state and of no sampled state, one, two or
//! three of them together, are candidates for not holding together (learning from examples and counterexamples as in Garg,
//! Löding, Madhusudan and Neider 2014, by enumeration); those that are proved exclude the state. Where a step violates such a
//! candidate, it goes on with the state before that step, as Bradley's IC3 (2011) does.

use super::houdini::{Houdini, Round, Status};
use super::tuning::TUNING;
use crate::answer::WhyUnknown;
use crate::board::LoopState;
use crate::facts::samples::{Samples, Seen};
use crate::facts::suggest::{Feature, features};
use crate::facts::{Fact, Quantity};
use plumb_ir::analysis::bits::BitSet;
use plumb_ir::analysis::loops::LoopKey;
use plumb_solve::Outcome;
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Instant;

/// A counterexample to induction: a state that a model has at a head.
pub struct Counterexample {
    pub key: LoopKey,
    pub values: FxHashMap<Quantity, u128>,
}

/// Conditions at a head with the samples for which they hold.
struct Pool {
    conditions: Vec<(Fact, BitSet)>,
    rows: usize,
}

pub struct Strengthener {
    samples: Samples,
    pools: FxHashMap<LoopKey, Pool>,
    tried: FxHashSet<(LoopKey, Fact)>,
    /// No candidate is left, whatever the time.
    is_done: bool,
}

impl Strengthener {
    pub fn new(samples: Samples) -> Strengthener {
        Strengthener { samples, pools: FxHashMap::default(), tried: FxHashSet::default(), is_done: false }
    }

    /// Takes in states of runs: no candidate excludes one of them.
    pub fn absorb(&mut self, states: Vec<LoopState>) {
        for key in self.samples.absorb(states) {
            self.pools.remove(&key);
            self.is_done = false;
        }
    }

    /// Whether a fact holds of all states that runs have had.
    pub fn allows(&self, key: LoopKey, fact: &Fact) -> bool {
        self.samples.heads.get(&key).is_none_or(|seen| seen.satisfy(fact))
    }

    /// Adds candidates until no check can be violated, or none is left, or it is time.
    pub fn strengthen(&mut self, base: &mut Houdini, until: Option<Instant>) -> Result<bool, WhyUnknown> {
        let _span = tracing::info_span!("strengthening").entered();
        while !self.is_done {
            match base.is_safe(Some(TUNING.step_conflicts)) {
                Outcome::Unsat => return Ok(true),
                Outcome::Sat => {}
                Outcome::Unknown(_) => return Ok(false),
            }
            let counterexamples = base.counterexamples(&self.samples);
            if !self.exclude(base, &counterexamples, until)? {
                self.is_done = until.is_none_or(|until| Instant::now() < until);
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Whether an invariant was proved that excludes one of the states.
    fn exclude(
        &mut self,
        base: &mut Houdini,
        counterexamples: &[Counterexample],
        until: Option<Instant>,
    ) -> Result<bool, WhyUnknown> {
        let mut blocked = 0;
        for size in 1..=TUNING.max_clauses.len() {
            if self.block(base, counterexamples, size) == 0 {
                continue;
            }
            loop {
                match base.try_round(until)? {
                    Round::Holds => break,
                    Round::Broken(list) => {
                        // The state from which a step violates a candidate may be unreachable as well.
                        let before = base.counterexamples(&self.samples);
                        blocked += 1;
                        let is_blocked = blocked <= TUNING.max_blocked
                            && (1..=TUNING.max_clauses.len()).any(|size| self.block(base, &before, size) > 0);
                        if !is_blocked {
                            base.drop_all(&list);
                        }
                    }
                    Round::Hard(list) => base.drop_all(&list),
                    Round::OutOfTime => {
                        base.fix_candidates(Status::Dropped);
                        return Ok(false);
                    }
                }
            }
            if base.fix_candidates(Status::Proved) > 0
                && counterexamples.iter().any(|s| base.excludes(s.key, &s.values))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds candidates against states. Gives how many are new.
    fn block(&mut self, base: &mut Houdini, counterexamples: &[Counterexample], size: usize) -> usize {
        let mut count = 0;
        for counterexample in counterexamples {
            for clause in self.clauses(counterexample, size) {
                if self.tried.insert((counterexample.key, clause.clone())) {
                    base.add_candidate(counterexample.key, clause);
                    count += 1;
                }
            }
        }
        count
    }

    /// Facts that exclude a state and no sample: of so many of its conditions one does not hold.
    fn clauses(&mut self, counterexample: &Counterexample, size: usize) -> Vec<Fact> {
        let samples = &self.samples;
        let Some(seen) = samples.heads.get(&counterexample.key) else { return Vec::new() };
        let pool = self.pools.entry(counterexample.key).or_insert_with(|| Pool::of(seen, samples, counterexample.key));
        let mut own: Vec<(Fact, BitSet)> = Vec::new();
        let get = |q: Quantity| counterexample.values.get(&q).copied();
        for (condition, rows) in &pool.conditions {
            match condition.holds(&get) {
                Some(true) => own.push((condition.clone(), rows.clone())),
                Some(false) => own.push((condition.clone().negated(), rows.complement(pool.rows))),
                None => {}
            }
        }
        // What was seldom seen comes first.
        own.sort_by_key(|(_, rows)| rows.len());
        own.truncate(TUNING.max_conditions);
        let most = TUNING.max_clauses[size - 1];
        let mut clauses = Vec::new();
        combine(&own, size, 0, &mut Vec::new(), &BitSet::new(pool.rows).complement(pool.rows), &mut |chosen| {
            clauses.push(match chosen {
                [one] => own[*one].0.clone().negated(),
                _ => Fact::Any(chosen.iter().map(|i| own[*i].0.clone().negated()).collect()),
            });
            clauses.len() < most
        });
        clauses
    }
}

/// Calls back for each choice of so many conditions that no sample has together, until it returns false.
fn combine(
    own: &[(Fact, BitSet)],
    size: usize,
    from: usize,
    chosen: &mut Vec<usize>,
    rows: &BitSet,
    found: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    for at in from..own.len() {
        let both = rows.intersection(&own[at].1);
        chosen.push(at);
        let go_on = match size {
            1 if both.is_empty() => found(chosen),
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
        let mut conditions: Vec<(Fact, BitSet)> = Vec::new();
        let mut known = FxHashSet::default();
        for Feature(each) in features(seen) {
            for (condition, rows) in each {
                if known.insert(condition.clone()) && !known.contains(&condition.clone().negated()) {
                    conditions.push((condition, rows));
                }
            }
        }
        for condition in samples.conditions(key) {
            if known.insert(condition.clone()) {
                let rows = seen.rows_with(&condition);
                conditions.push((condition, rows));
            }
        }
        Pool { conditions, rows: seen.rows.len() }
    }
}
