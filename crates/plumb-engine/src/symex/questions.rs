//! Whether paths are possible: questions to the solver, and how most of them are answered without it.
//!
//! A path that is possible gets one more condition. The values that show it to be possible are tried first; then, of the
//! conditions so far, those that have to do with the new one are found (*independence*: they share a symbol with it, or
//! with one that does). Where they are all about one number, the ranges of its values tell; their conjunction may have been
//! asked before; intervals of terms may decide it; it may hold if one number is another, or under the values that answered a recent
//! question (the cache of counterexamples of Cadar, Dunbar and Engler's KLEE, 2008). Only then is the solver asked, and
//! only about them.
//!
//! **Soundness.** "No" is the solver's, about conditions of the path; leaving some out makes it no less true. "Yes" may be wrong
//! where axioms tie symbols together that conditions do not: then a path is followed that is none. Who claims something of a
//! path's end asks about all of it.

use super::ranges::Ranges;
use super::spans::Spans;
use crate::budget::Budget;
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_sym::Sym;
use plumb_term::{Assignment, BitVec, Evaluator, Sort, SymbolId, TermId, Terms, Value, free_symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;

/// Values of answers that are kept to be tried.
const RECENT: usize = 8;
/// Conflicts after which a path is taken to be possible.
const CONFLICTS: u64 = 20_000;
/// Terms below a condition, beyond which it is taken to be about everything.
const LARGE: usize = 4_000;
/// Gates that a solver keeps of paths that are gone.
const MOST_GATES: usize = 20_000;
/// Answers that are kept.
const MOST_CACHED: usize = 100_000;

pub enum Possible {
    No,
    /// With values, where they are known.
    Yes(Option<Arc<Assignment>>),
}

/// Terms that have to do with each other.
pub struct Group {
    pub members: Vec<usize>,
    pub conditions: Vec<TermId>,
    /// Axioms say something of it, or it is too large to look.
    is_tied: bool,
}

pub struct Questions {
    budget: Budget,
    solver: BitSolver,
    /// Of the axioms, how many the solver has.
    axioms: usize,
    /// Gates that the first question to it took.
    needed: usize,
    cache: FxHashMap<Box<[TermId]>, Option<Arc<Assignment>>>,
    recent: VecDeque<Arc<Assignment>>,
    ranges: Ranges,
    /// Symbols below a condition; `None` where there are too many terms to look.
    symbols: FxHashMap<TermId, Option<Arc<[SymbolId]>>>,
    /// Symbols of axioms, which may have to do with each other, and how many axioms were looked at.
    tied: FxHashSet<SymbolId>,
    looked: usize,
}

impl Questions {
    pub fn new(budget: &Budget) -> Questions {
        Questions {
            budget: budget.clone(),
            solver: new_solver(),
            axioms: 0,
            needed: 0,
            cache: FxHashMap::default(),
            recent: VecDeque::new(),
            ranges: Ranges::default(),
            symbols: FxHashMap::default(),
            tied: FxHashSet::default(),
            looked: 0,
        }
    }

    /// Whether a path that is possible under given values still is with new conditions.
    pub fn is_possible(
        &mut self,
        sym: &mut Sym,
        path: &[TermId],
        new: &[TermId],
        values: Option<&Arc<Assignment>>,
    ) -> Possible {
        if new.contains(&TermId::bool(false)) {
            return Possible::No;
        }
        if let Some(values) = values
            && holds(sym, values, new)
        {
            return Possible::Yes(Some(values.clone()));
        }
        let relevant = self.relevant(sym, path, new);
        if let Some(decided) = self.ranges.decide(&sym.terms, &relevant) {
            let Some((symbol, value)) = decided else { return Possible::No };
            return Possible::Yes(values.map(|values| changed(sym, values, symbol, value)));
        }
        let mut key = relevant.clone();
        key.sort_unstable();
        key.dedup();
        if let Some(known) = self.cache.get(&key[..]).cloned() {
            return match known {
                None => Possible::No,
                Some(found) => Possible::Yes(self.merged(sym, values, &found, &relevant)),
            };
        }
        let mut spans = Spans::under(&sym.terms, &relevant[new.len()..]);
        let truths: Vec<Option<bool>> = new.iter().map(|condition| spans.truth(&sym.terms, *condition)).collect();
        if spans.are_contradictory || truths.contains(&Some(false)) {
            self.remember(key, None);
            return Possible::No;
        }
        if truths.iter().all(|truth| *truth == Some(true)) {
            return Possible::Yes(None);
        }
        if let (Some(values), [new]) = (values, new)
            && let Some((symbol, candidates)) = self.ranges.candidates(&sym.terms, *new, &relevant)
        {
            let mut tried = candidates.into_iter().map(|value| changed(sym, values, symbol, value));
            if let Some(found) = tried.find(|values| holds(sym, values, &relevant)) {
                return Possible::Yes(Some(found));
            }
        }
        let recent = self.recent.iter().rev().find(|values| holds(sym, values, &key)).cloned();
        if let Some(found) = recent {
            let values = self.merged(sym, values, &found, &relevant);
            self.remember(key, Some(found));
            return Possible::Yes(values);
        }
        match self.ask(sym, &key, Some(CONFLICTS)) {
            Outcome::Unsat => {
                self.remember(key, None);
                Possible::No
            }
            Outcome::Sat => {
                let Some(found) = self.solver.model().cloned().map(Arc::new) else { return Possible::Yes(None) };
                self.recent.push_back(found.clone());
                if self.recent.len() > RECENT {
                    self.recent.pop_front();
                }
                let values = self.merged(sym, values, &found, &relevant);
                self.remember(key, Some(found));
                Possible::Yes(values)
            }
            Outcome::Unknown(_) => Possible::Yes(None),
        }
    }

    /// Asks the solver whether conditions can all hold.
    pub fn ask(&mut self, sym: &mut Sym, conditions: &[TermId], conflicts: Option<u64>) -> Outcome {
        if self.solver.stats().gates > MOST_GATES + 4 * self.needed {
            self.solver = new_solver();
            self.axioms = 0;
            self.needed = 0;
        }
        let is_new = self.solver.stats().gates == 0;
        sym.feed_axioms(&mut self.axioms, |terms, axiom| self.solver.assert(terms, axiom));
        let (deadline, cancel) = (self.budget.deadline, Some(self.budget.cancel.flag()));
        self.solver.set_limits(Limits { conflicts, deadline, cancel });
        let outcome = self.solver.check(&mut sym.terms, conditions);
        if is_new {
            self.needed = self.solver.stats().gates;
        }
        outcome
    }

    /// The values of the last question that the solver has answered with yes.
    pub fn model(&self) -> Option<&Assignment> {
        self.solver.model()
    }

    /// After a no of [`Questions::ask`]: conditions that cannot all hold.
    pub fn core(&self) -> &[TermId] {
        self.solver.core()
    }

    fn remember(&mut self, key: Vec<TermId>, answer: Option<Arc<Assignment>>) {
        if self.cache.len() >= MOST_CACHED {
            self.cache.clear();
        }
        self.cache.insert(key.into(), answer);
    }

    /// The values of a path, but of the symbols of some conditions those that were found for them.
    fn merged(
        &mut self,
        sym: &Sym,
        values: Option<&Arc<Assignment>>,
        found: &Arc<Assignment>,
        relevant: &[TermId],
    ) -> Option<Arc<Assignment>> {
        let mut merged = (**values?).clone();
        for condition in relevant {
            let symbols = self.symbols_of(sym, *condition)?;
            for symbol in symbols.iter() {
                match found.get(*symbol) {
                    Some(value) => merged.set(*symbol, value.clone()),
                    None => merged.set(*symbol, Value::zero(sym.terms.symbol_sort(*symbol))),
                }
            }
        }
        Some(Arc::new(merged))
    }

    fn symbols_of(&mut self, sym: &Sym, condition: TermId) -> Option<Arc<[SymbolId]>> {
        self.symbols.entry(condition).or_insert_with(|| symbols_below(sym, condition).map(Into::into)).clone()
    }

    /// Groups of terms that conditions tie to each other, by their places in the list, each with those conditions.
    pub fn groups(&mut self, sym: &Sym, conditions: &[TermId], terms: &[TermId]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut left: Vec<usize> = (0..terms.len()).collect();
        while let Some(first) = left.pop() {
            let mut members = vec![first];
            loop {
                let own: Vec<TermId> = members.iter().map(|at| terms[*at]).collect();
                let relevant = self.relevant(sym, conditions, &own);
                let lists: Vec<Option<Arc<[SymbolId]>>> = relevant.iter().map(|c| self.symbols_of(sym, *c)).collect();
                let is_known = lists.iter().all(Option::is_some);
                let symbols: FxHashSet<SymbolId> =
                    lists.iter().flatten().flat_map(|list| list.iter().copied()).collect();
                let is_tied = !is_known || symbols.iter().any(|symbol| self.tied.contains(symbol));
                let mut belongs = |at: &mut usize| {
                    let Some(of) = self.symbols_of(sym, terms[*at]) else { return true };
                    !is_known || of.iter().any(|s| symbols.contains(s) || is_tied && self.tied.contains(s))
                };
                let more: Vec<usize> = left.extract_if(.., |at| belongs(at)).collect();
                if more.is_empty() {
                    members.sort_unstable();
                    groups.push(Group { members, conditions: relevant[own.len()..].to_vec(), is_tied });
                    break;
                }
                members.extend(more);
            }
        }
        groups
    }

    /// The truth values that terms of a group can have together, where all is about one number.
    pub fn split(&mut self, terms: &Terms, group: &Group, members: &[TermId]) -> Option<Vec<Box<[bool]>>> {
        if group.is_tied { None } else { self.ranges.split(terms, &group.conditions, members) }
    }

    /// The new conditions with those of the path that have to do with them.
    fn relevant(&mut self, sym: &Sym, path: &[TermId], new: &[TermId]) -> Vec<TermId> {
        for at in self.looked..sym.axioms.len() {
            self.tied.extend(free_symbols(&sym.terms, &[sym.axioms[at]]));
        }
        self.looked = sym.axioms.len();
        let all = || new.iter().chain(path).copied().collect::<Vec<TermId>>();
        let mut known: FxHashSet<SymbolId> = FxHashSet::default();
        let mut is_tied = false;
        for condition in new {
            let Some(symbols) = self.symbols_of(sym, *condition) else { return all() };
            known.extend(symbols.iter().copied());
            is_tied |= symbols.iter().any(|s| self.tied.contains(s));
        }
        let mut result = new.to_vec();
        let mut rest: Vec<(TermId, Arc<[SymbolId]>)> = Vec::with_capacity(path.len());
        for condition in path {
            match self.symbols_of(sym, *condition) {
                Some(symbols) => rest.push((*condition, symbols)),
                None => return all(),
            }
        }
        loop {
            let before = rest.len();
            rest.retain(|(condition, symbols)| {
                let touches = symbols.iter().any(|s| known.contains(s))
                    || is_tied && symbols.iter().any(|s| self.tied.contains(s));
                if touches {
                    known.extend(symbols.iter().copied());
                    is_tied |= symbols.iter().any(|s| self.tied.contains(s));
                    result.push(*condition);
                }
                !touches
            });
            if rest.len() == before {
                return result;
            }
        }
    }
}

fn new_solver() -> BitSolver {
    let mut solver = BitSolver::new();
    // Guesses of whole assignments take longer than most of the questions.
    solver.set_sat_option("lucky", 0);
    solver
}

/// The same values but for one symbol.
fn changed(sym: &Sym, values: &Assignment, symbol: SymbolId, value: u64) -> Arc<Assignment> {
    let value = match sym.terms.symbol_sort(symbol) {
        Sort::Bv(width) => Value::Bv(BitVec::new(width, value as u128)),
        _ => Value::Bool(value == 1),
    };
    let mut changed = values.clone();
    changed.set(symbol, value);
    Arc::new(changed)
}

fn holds(sym: &Sym, values: &Assignment, conditions: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new(values);
    conditions.iter().all(|condition| evaluator.holds(&sym.terms, *condition))
}

/// The symbols below a condition, unless there are too many terms.
fn symbols_below(sym: &Sym, condition: TermId) -> Option<Vec<SymbolId>> {
    let mut seen = FxHashSet::default();
    let mut stack = vec![condition];
    let mut symbols = Vec::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > LARGE {
            return None;
        }
        match sym.terms.as_symbol(term) {
            Some(symbol) => symbols.push(symbol),
            None => stack.extend(sym.terms.kind(term).operands()),
        }
    }
    symbols.sort_unstable();
    Some(symbols)
}

#[cfg(test)]
mod tests;
