//! Replacing terms by terms, and copying terms from one arena into another.
//!
//! Both rebuild through the constructors, so what becomes constant folds away. They use an explicit stack and keep what
//! they have rebuilt: applying one substitution to many terms costs what their union costs.

use crate::op::Kind;
use crate::terms::{TermId, Terms};
use crate::value::Value;
use rustc_hash::FxHashSet;

/// By term of one arena, a term that goes with it. Pages that are never touched cost nothing.
#[derive(Clone, Debug, Default)]
struct Table {
    /// The place of the other term and one more; zero where there is none.
    places: Vec<u32>,
    terms: Vec<TermId>,
}

impl Table {
    /// Makes room for a term and all that are below it.
    fn reach(&mut self, term: TermId) {
        let len = term.index() + 1;
        if self.places.is_empty() {
            self.places = vec![0; len];
        } else if self.places.len() < len {
            self.places.resize(len, 0);
        }
    }

    fn get(&self, term: TermId) -> Option<TermId> {
        match self.places.get(term.index()) {
            None | Some(0) => None,
            Some(place) => Some(self.terms[*place as usize - 1]),
        }
    }

    fn set(&mut self, term: TermId, other: TermId) {
        self.reach(term);
        self.terms.push(other);
        self.places[term.index()] = self.terms.len() as u32;
    }
}

/// A simultaneous replacement of terms, usually symbols, by terms of the same sort.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    /// What was asked for, and what followed from it.
    done: Table,
}

impl Substitution {
    pub fn new(pairs: impl IntoIterator<Item = (TermId, TermId)>) -> Substitution {
        let mut done = Table::default();
        for (term, other) in pairs {
            done.set(term, other);
        }
        Substitution { done }
    }

    /// Replaces one more term, which no term has had in it that was rebuilt so far.
    pub fn insert(&mut self, term: TermId, other: TermId) {
        debug_assert!(self.done.get(term).is_none(), "a term that was met already");
        self.done.set(term, other);
    }

    /// The term with every occurrence replaced. What replaces is not looked into again.
    pub fn apply(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        self.done.reach(root);
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.done.get(term).is_some() {
                stack.pop();
                continue;
            }
            let operands = terms.kind(term).operands();
            let mut replaced = [TermId::FALSE; 3];
            let before = stack.len();
            for (place, operand) in replaced.iter_mut().zip(operands) {
                match self.done.get(operand) {
                    Some(other) => *place = other,
                    None => stack.push(operand),
                }
            }
            if stack.len() > before {
                continue;
            }
            let replaced = &replaced[..operands.as_slice().len()];
            let result = if operands.as_slice() == replaced { term } else { terms.rebuild(term, replaced) };
            self.done.set(term, result);
            stack.pop();
        }
        self.done.get(root).unwrap_or(root)
    }
}

/// A copy of terms of one arena in another. Symbols are matched by name and sort.
#[derive(Clone, Debug, Default)]
pub struct Import {
    done: Table,
}

impl Import {
    pub fn new() -> Import {
        Import::default()
    }

    /// The same term in `to`. One `Import` serves one pair of arenas.
    pub fn apply(&mut self, from: &Terms, to: &mut Terms, root: TermId) -> TermId {
        for term in self.missing(from, root) {
            let [a, b, c] = self.operands(from, term);
            let sort = from.sort(term);
            let copy = match from.kind(term) {
                Kind::Const => to.value(&from.constant(term).unwrap_or_else(|| Value::zero(sort))),
                Kind::Symbol(symbol) => to.symbol(from.symbol_name(symbol), sort),
                Kind::Unary(op, _) => to.unary(op, a, sort),
                Kind::Binary(op, ..) => to.binary(op, a, b, sort),
                Kind::Ite(..) => to.ite(a, b, c),
                Kind::Fma(..) => to.float_fma(a, b, c),
                Kind::Store(..) => to.store(a, b, c),
                Kind::Extract { hi, lo, .. } => to.extract(a, hi, lo),
            };
            self.done.set(term, copy);
        }
        self.done.get(root).unwrap_or(TermId::FALSE)
    }

    /// What has to be copied for the root, operands first.
    fn missing(&self, from: &Terms, root: TermId) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut found: Vec<TermId> = self.done.get(root).is_none().then_some(root).into_iter().collect();
        let mut next = 0;
        while next < found.len() {
            let operands = from.kind(found[next]).operands();
            found.extend(operands.filter(|operand| self.done.get(*operand).is_none() && seen.insert(*operand)));
            next += 1;
        }
        found.sort_unstable();
        found
    }

    /// Copies of the operands; places without one hold any term.
    fn operands(&self, from: &Terms, term: TermId) -> [TermId; 3] {
        let mut copies = [TermId::FALSE; 3];
        for (place, operand) in copies.iter_mut().zip(from.kind(term).operands()) {
            *place = self.done.get(operand).unwrap_or(TermId::FALSE);
        }
        copies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    #[test]
    fn substitution_is_simultaneous() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bv(8)));
        let quotient = terms.bv_udiv(x, y);
        let swapped = terms.bv_udiv(y, x);
        let mut swap = Substitution::new([(x, y), (y, x)]);
        assert_eq!(swap.apply(&mut terms, quotient), swapped);
        let (six, two, three) = (terms.bv(8, 6), terms.bv(8, 2), terms.bv(8, 3));
        let mut values = Substitution::new([(x, six), (y, two)]);
        assert_eq!(values.apply(&mut terms, quotient), three);
    }

    #[test]
    fn long_chains_are_no_recursion() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bv(8)));
        let mut chain = x;
        for _ in 0..300_000 {
            let product = terms.bv_mul(chain, chain);
            chain = terms.bv_xor(product, y);
        }
        let zero = terms.bv(8, 0);
        let mut values = Substitution::new([(x, zero), (y, zero)]);
        assert_eq!(values.apply(&mut terms, chain), zero);
        let mut other = Terms::new();
        let copy = Import::new().apply(&terms, &mut other, chain);
        assert_eq!(other.kind(copy).operands().count(), 2);
        assert_eq!(Import::new().apply(&other, &mut terms, copy), chain);
    }
}
