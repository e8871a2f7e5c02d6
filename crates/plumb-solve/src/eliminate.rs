//! Word-level preprocessing: symbols that an assertion defines are replaced by their definitions.
//!
//! `x = t` with `x` not in `t`, and `b` or `!b` for a truth value, need no gates once every other occurrence of the symbol is
//! replaced; constants go further through the rewriting of the terms that are rebuilt. The model gets the symbol's value
//! by evaluating the definition.
//!
//! This works with a solver that only ever adds because a symbol is replaced only before any term that contains it has been
//! encoded or rebuilt: what was done before needs no revision. Definitions are permanent, so only assertions outside of all
//! scopes give them.

use plumb_term::{BinaryOp, Kind, TermId, Terms, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

/// Rounds of finding definitions in what rebuilding left.
const ROUNDS: usize = 8;

#[derive(Default)]
pub struct Elimination {
    /// Symbols and what replaces them, which contains none of them.
    definitions: Vec<(TermId, TermId)>,
    /// Results of rebuilding, definitions included.
    rebuilt: FxHashMap<TermId, TermId>,
}

impl Elimination {
    pub fn definitions(&self) -> &[(TermId, TermId)] {
        &self.definitions
    }

    /// Takes definitions out of a batch of assertions and returns what else has to hold. `encoded` tells terms that have
    /// gates, with all that is below them.
    pub fn run(&mut self, terms: &mut Terms, batch: &[TermId], encoded: &dyn Fn(TermId) -> bool) -> Vec<TermId> {
        let mut assertions = batch.to_vec();
        for _ in 0..ROUNDS {
            assertions = conjuncts(terms, &assertions);
            let (mut candidates, mut others) = self.candidates(terms, &assertions, encoded);
            if candidates.is_empty() {
                return others.into_iter().map(|term| self.apply(terms, term, encoded)).collect();
            }
            let order = self.order(terms, &mut candidates, &mut others, encoded);
            for symbol in order {
                let definition = self.rebuild(terms, candidates[&symbol].0, encoded);
                self.rebuilt.insert(symbol, definition);
                self.definitions.push((symbol, definition));
            }
            assertions = others.into_iter().map(|term| self.apply(terms, term, encoded)).collect();
        }
        assertions
    }

    /// The term with definitions for symbols.
    pub fn apply(&mut self, terms: &mut Terms, root: TermId, encoded: &dyn Fn(TermId) -> bool) -> TermId {
        if self.definitions.is_empty() { root } else { self.rebuild(terms, root, encoded) }
    }

    fn rebuild(&mut self, terms: &mut Terms, root: TermId, encoded: &dyn Fn(TermId) -> bool) -> TermId {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.rebuilt.contains_key(&term) {
                stack.pop();
                continue;
            }
            let operands = terms.kind(term).operands();
            if operands.as_slice().is_empty() || encoded(term) {
                self.rebuilt.insert(term, term);
                continue;
            }
            let waiting = stack.len();
            stack.extend(operands.filter(|operand| !self.rebuilt.contains_key(operand)));
            if stack.len() > waiting {
                continue;
            }
            let mut replaced = [TermId::FALSE; 3];
            let count = operands.as_slice().len();
            for (place, operand) in replaced.iter_mut().zip(operands) {
                *place = self.rebuilt[&operand];
            }
            let same = operands.as_slice() == &replaced[..count];
            let result = if same { term } else { terms.rebuild(term, &replaced[..count]) };
            self.rebuilt.insert(term, result);
        }
        self.rebuilt[&root]
    }

    /// Splits assertions into definitions of symbols, with the assertion each came from, and the rest.
    fn candidates(
        &self,
        terms: &Terms,
        assertions: &[TermId],
        encoded: &dyn Fn(TermId) -> bool,
    ) -> (FxHashMap<TermId, (TermId, TermId)>, Vec<TermId>) {
        let mut found: FxHashMap<TermId, (TermId, TermId)> = FxHashMap::default();
        let mut others = Vec::new();
        for &assertion in assertions {
            let free = |term: TermId| {
                terms.as_symbol(term).is_some()
                    && !encoded(term)
                    && !self.rebuilt.contains_key(&term)
                    && !found.contains_key(&term)
            };
            let definition = match terms.kind(assertion) {
                Kind::Symbol(_) if free(assertion) => Some((assertion, TermId::TRUE)),
                Kind::Unary(UnaryOp::Not, a) if free(a) => Some((a, TermId::FALSE)),
                Kind::Binary(BinaryOp::Eq, a, b) if free(a) && a != b => Some((a, b)),
                Kind::Binary(BinaryOp::Eq, a, b) if free(b) && a != b => Some((b, a)),
                Kind::Const
                | Kind::Symbol(_)
                | Kind::Unary(..)
                | Kind::Binary(..)
                | Kind::Ite(..)
                | Kind::Fma(..)
                | Kind::Store(..)
                | Kind::Extract { .. } => None,
            };
            match definition {
                Some((symbol, value)) => {
                    found.insert(symbol, (value, assertion));
                }
                None => others.push(assertion),
            }
        }
        (found, others)
    }

    /// Candidates such that each comes after those it depends on. Candidates that depend on themselves go back to the
    /// assertions.
    fn order(
        &self,
        terms: &Terms,
        candidates: &mut FxHashMap<TermId, (TermId, TermId)>,
        others: &mut Vec<TermId>,
        encoded: &dyn Fn(TermId) -> bool,
    ) -> Vec<TermId> {
        let mut order = Vec::new();
        // Terms whose visit has begun, and those for which it has ended.
        let mut begun: FxHashSet<TermId> = FxHashSet::default();
        let mut ended: FxHashSet<TermId> = FxHashSet::default();
        let mut symbols: Vec<TermId> = candidates.keys().copied().collect();
        symbols.sort_unstable();
        for symbol in symbols {
            let mut stack = vec![symbol];
            while let Some(&term) = stack.last() {
                if ended.contains(&term) {
                    stack.pop();
                    continue;
                }
                let definition = candidates.get(&term).map(|candidate| candidate.0);
                if !begun.insert(term) {
                    // Everything below is done.
                    ended.insert(term);
                    stack.pop();
                    if definition.is_some() {
                        order.push(term);
                    }
                    continue;
                }
                if encoded(term) {
                    continue;
                }
                let operands = terms.kind(term).operands();
                for next in definition.into_iter().chain(operands) {
                    if ended.contains(&next) {
                        continue;
                    }
                    if !begun.contains(&next) {
                        stack.push(next);
                        continue;
                    }
                    // A circle. Operands are older than users, so it goes through a definition: that of the symbol where it
                    // closes, or else the last one on the way.
                    let open = |symbol: &TermId| begun.contains(symbol) && candidates.contains_key(symbol);
                    let culprit = if open(&next) { Some(next) } else { stack.iter().rev().copied().find(open) };
                    if let Some((_, assertion)) = culprit.and_then(|symbol| candidates.remove(&symbol)) {
                        others.push(assertion);
                    }
                }
            }
        }
        order
    }
}

/// The conjuncts of assertions, each once.
fn conjuncts(terms: &Terms, assertions: &[TermId]) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut list = Vec::new();
    let mut stack: Vec<TermId> = assertions.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        match terms.kind(term) {
            _ if term == TermId::TRUE || !seen.insert(term) => {}
            Kind::Binary(BinaryOp::And, a, b) => stack.extend([b, a]),
            _ => list.push(term),
        }
    }
    list
}
