//! Constraint independence: which conditions of a path have to do with each other.
//!
//! Two conditions depend on each other if they share a symbol, or if both depend on a third. Symbols of axioms may all have
//! to do with each other. A condition with very many terms is taken to depend on everything.

use plumb_term::{SymbolId, TermId, Terms, free_symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Terms that depend on each other.
pub struct Group {
    /// Their positions in the list.
    pub members: Vec<usize>,
    /// The conditions that they depend on.
    pub conditions: Vec<TermId>,
    /// Axioms are about some of its symbols, or it is too large to know.
    pub depends_on_axioms: bool,
}

pub struct Independence {
    max_terms: usize,
    /// Symbols below a condition; `None` where it has too many terms.
    symbols: FxHashMap<TermId, Option<Arc<[SymbolId]>>>,
    axiom_symbols: FxHashSet<SymbolId>,
    /// Of the axioms, those whose symbols are known.
    axioms: usize,
}

impl Independence {
    pub fn new(max_terms: usize) -> Independence {
        Independence { max_terms, symbols: FxHashMap::default(), axiom_symbols: FxHashSet::default(), axioms: 0 }
    }

    /// The symbols below a condition, unless it has too many terms.
    pub fn symbols_of(&mut self, terms: &Terms, condition: TermId) -> Option<Arc<[SymbolId]>> {
        let max_terms = self.max_terms;
        self.symbols
            .entry(condition)
            .or_insert_with(|| symbols_below(terms, condition, max_terms).map(Into::into))
            .clone()
    }

    /// Takes note of the axioms of a list that are new.
    pub fn note_axioms(&mut self, terms: &Terms, axioms: &[TermId]) {
        self.axiom_symbols.extend(free_symbols(terms, &axioms[self.axioms..]));
        self.axioms = axioms.len();
    }

    /// New conditions with those of a path that they depend on.
    pub fn dependent(&mut self, terms: &Terms, path: &[TermId], new: &[TermId]) -> Vec<TermId> {
        let all = || new.iter().chain(path).copied().collect::<Vec<TermId>>();
        let mut known: FxHashSet<SymbolId> = FxHashSet::default();
        let mut has_axioms = false;
        for condition in new {
            let Some(symbols) = self.symbols_of(terms, *condition) else { return all() };
            known.extend(symbols.iter().copied());
            has_axioms |= symbols.iter().any(|s| self.axiom_symbols.contains(s));
        }
        let mut result = new.to_vec();
        let mut rest: Vec<(TermId, Arc<[SymbolId]>)> = Vec::with_capacity(path.len());
        for condition in path {
            match self.symbols_of(terms, *condition) {
                Some(symbols) => rest.push((*condition, symbols)),
                None => return all(),
            }
        }
        loop {
            let before = rest.len();
            rest.retain(|(condition, symbols)| {
                let touches = symbols.iter().any(|s| known.contains(s))
                    || has_axioms && symbols.iter().any(|s| self.axiom_symbols.contains(s));
                if touches {
                    known.extend(symbols.iter().copied());
                    has_axioms |= symbols.iter().any(|s| self.axiom_symbols.contains(s));
                    result.push(*condition);
                }
                !touches
            });
            if rest.len() == before {
                return result;
            }
        }
    }

    /// Groups of terms that depend on each other under conditions.
    pub fn groups(&mut self, terms: &Terms, conditions: &[TermId], list: &[TermId]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut left: Vec<usize> = (0..list.len()).collect();
        while let Some(first) = left.pop() {
            let mut members = vec![first];
            loop {
                let own: Vec<TermId> = members.iter().map(|at| list[*at]).collect();
                let dependent = self.dependent(terms, conditions, &own);
                let lists: Vec<Option<Arc<[SymbolId]>>> =
                    dependent.iter().map(|c| self.symbols_of(terms, *c)).collect();
                let is_known = lists.iter().all(Option::is_some);
                let symbols: FxHashSet<SymbolId> =
                    lists.iter().flatten().flat_map(|list| list.iter().copied()).collect();
                let has_axioms = !is_known || symbols.iter().any(|symbol| self.axiom_symbols.contains(symbol));
                let mut belongs = |at: &mut usize| {
                    let Some(of) = self.symbols_of(terms, list[*at]) else { return true };
                    !is_known || of.iter().any(|s| symbols.contains(s) || has_axioms && self.axiom_symbols.contains(s))
                };
                let more: Vec<usize> = left.extract_if(.., |at| belongs(at)).collect();
                if more.is_empty() {
                    members.sort_unstable();
                    let conditions = dependent[own.len()..].to_vec();
                    groups.push(Group { members, conditions, depends_on_axioms: has_axioms });
                    break;
                }
                members.extend(more);
            }
        }
        groups
    }
}

fn symbols_below(terms: &Terms, condition: TermId, max_terms: usize) -> Option<Vec<SymbolId>> {
    let mut seen = FxHashSet::default();
    let mut stack = vec![condition];
    let mut symbols = Vec::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > max_terms {
            return None;
        }
        match terms.as_symbol(term) {
            Some(symbol) => symbols.push(symbol),
            None => stack.extend(terms.kind(term).operands()),
        }
    }
    symbols.sort_unstable();
    Some(symbols)
}
