//! The abstract states of loops as facts: what they have in common, and that one of them holds.

use super::vocabulary::Vocabulary;
use super::{Valuation, literals};
use crate::answer::{Invariants, LoopInvariant, StatePart};
use plumb_ir::program::{FuncId, Loc};
use plumb_sym::Sym;
use plumb_term::{Import, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The abstract states of one loop, by the predicates that they are over.
#[derive(Default)]
pub struct LoopStates(BTreeMap<Vec<TermId>, BTreeSet<Valuation>>);

impl LoopStates {
    pub fn add(&mut self, predicates: Vec<TermId>, valuations: impl IntoIterator<Item = Valuation>) {
        self.0.entry(predicates).or_default().extend(valuations);
    }

    pub fn len(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }

    /// The literals that all abstract states have in common, and that one of the states holds.
    pub fn facts(&self, sym: &mut Sym) -> Vec<TermId> {
        let mut facts = Vec::new();
        let mut any = TermId::bool(false);
        for (predicates, valuations) in &self.0 {
            for valuation in valuations {
                let mut all = TermId::bool(true);
                for (at, literal) in literals(sym, predicates, valuation).into_iter().enumerate() {
                    let is_common = self.0.len() == 1 && valuations.iter().all(|other| other[at] == valuation[at]);
                    if !is_common {
                        all = sym.terms.and(all, literal);
                    } else if !facts.contains(&literal) {
                        facts.push(literal);
                    }
                }
                any = sym.terms.or(any, all);
            }
        }
        if any != TermId::bool(true) {
            facts.push(any);
        }
        facts
    }
}

/// Copies facts over the symbols of predicates into an arena of their own.
#[derive(Default)]
pub struct InvariantWriter {
    import: Import,
    pub invariants: Invariants,
}

impl InvariantWriter {
    /// Adds facts about the states at the head of a loop. `None` if one is about something that has no name there.
    pub fn write(
        &mut self,
        sym: &mut Sym,
        vocabulary: &mut Vocabulary,
        (func, head): (FuncId, Loc),
        facts: &[TermId],
    ) -> Option<()> {
        let mut symbols: Vec<(TermId, StatePart)> = Vec::new();
        let mut copies = Vec::with_capacity(facts.len());
        for fact in facts {
            for (symbol, part) in vocabulary.parts(sym, func, *fact)?.iter() {
                let symbol = self.import.apply(&sym.terms, &mut self.invariants.terms, *symbol);
                if !symbols.contains(&(symbol, *part)) {
                    symbols.push((symbol, *part));
                }
            }
            copies.push(self.import.apply(&sym.terms, &mut self.invariants.terms, *fact));
        }
        self.invariants.loops.push(LoopInvariant { func, head, facts: copies, symbols });
        Some(())
    }
}
