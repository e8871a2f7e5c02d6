//! Conditions on one number: the sets of values for which they hold, as ranges.
//!
//! Most queries ask whether a state variable can have a value after it was compared with others. Where all conditions are
//! comparisons of one symbol with constants, the sets of values that they allow decide exactly.

use plumb_term::{BinaryOp, Kind, Sort, SymbolId, TermId, Terms, UnaryOp};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Disjoint ranges of unsigned numbers, both ends included, in order and not adjacent.
pub type Set = Arc<[(u64, u64)]>;

pub struct ValueSets {
    /// Larger sets, and more candidate values, are not looked at.
    max_ranges: usize,
    max_candidates: usize,
    /// By condition; `None` where it is not about one number.
    sets: FxHashMap<TermId, Option<(SymbolId, Set)>>,
}

impl ValueSets {
    pub fn new(max_ranges: usize, max_candidates: usize) -> ValueSets {
        ValueSets { max_ranges, max_candidates, sets: FxHashMap::default() }
    }

    /// The symbol that a condition is about and the values for which it holds; `None` where it is about something else.
    pub fn of(&mut self, terms: &Terms, condition: TermId) -> Option<(SymbolId, Set)> {
        if let Some(known) = self.sets.get(&condition) {
            return known.clone();
        }
        let max_ranges = self.max_ranges;
        let found = self.find(terms, condition).filter(|(_, set)| set.len() <= max_ranges);
        self.sets.insert(condition, found.clone());
        found
    }

    fn find(&mut self, terms: &Terms, condition: TermId) -> Option<(SymbolId, Set)> {
        match terms.kind(condition) {
            Kind::Symbol(symbol) => Some((symbol, Set::from([(1, 1)]))),
            Kind::Unary(UnaryOp::Not, a) => {
                let (symbol, set) = self.of(terms, a)?;
                Some((symbol, complement(&set, most(terms, symbol)?)))
            }
            Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let ((x, left), (y, right)) = (self.of(terms, a)?, self.of(terms, b)?);
                if x != y {
                    return None;
                }
                let most = most(terms, x)?;
                Some((x, if op == BinaryOp::And { both(&left, &right) } else { either(&left, &right, most) }))
            }
            Kind::Binary(op, a, b) => compared(terms, op, a, b),
            _ => None,
        }
    }

    /// Whether conditions that are all about one number can hold together: a value for which they do, or `None` for the inner
    /// option if there is none. `None` where they are about something else.
    pub fn decide(&mut self, terms: &Terms, conditions: &[TermId]) -> Option<Option<(SymbolId, u64)>> {
        let (&first, rest) = conditions.split_first()?;
        let (symbol, mut set) = self.of(terms, first)?;
        for &condition in rest {
            let (other, more) = self.of(terms, condition)?;
            if other != symbol {
                return None;
            }
            set = both(&set, &more);
        }
        Some(set.first().map(|(value, _)| (symbol, *value)))
    }

    /// Values of the number that a condition is about, which it and others allow that are about the same: the ends of ranges.
    pub fn candidates(&mut self, terms: &Terms, condition: TermId, others: &[TermId]) -> Option<(SymbolId, Vec<u64>)> {
        let (symbol, mut set) = self.of(terms, condition)?;
        for other in others {
            if let Some((_, more)) = self.of(terms, *other).filter(|(about, _)| *about == symbol) {
                set = both(&set, &more);
            }
        }
        let ends = set.iter().flat_map(|(low, high)| [*low, *high]);
        let mut values: Vec<u64> = ends.take(self.max_candidates).collect();
        values.dedup();
        Some((symbol, values))
    }

    /// The truth values that terms can have together while conditions hold, where all of them are about one number.
    pub fn split(&mut self, terms: &Terms, conditions: &[TermId], predicates: &[TermId]) -> Option<Vec<Box<[bool]>>> {
        let (symbol, _) = self.of(terms, *predicates.first()?)?;
        let most = most(terms, symbol)?;
        let mut of = |condition: &TermId| self.of(terms, *condition).filter(|(other, _)| *other == symbol);
        let mut all = Set::from([(0, most)]);
        for condition in conditions {
            all = both(&all, &of(condition)?.1);
        }
        let mut parts: Vec<(Set, Vec<bool>)> = vec![(all, Vec::new())];
        for one in predicates {
            let (_, holds) = of(one)?;
            let fails = complement(&holds, most);
            let mut finer = Vec::with_capacity(2 * parts.len());
            for (set, known) in parts {
                for (side, truth) in [(&holds, true), (&fails, false)] {
                    let part = both(&set, side);
                    if !part.is_empty() {
                        finer.push((part, known.iter().copied().chain([truth]).collect()));
                    }
                }
            }
            parts = finer;
        }
        // Conditions without any value leave no truth values.
        Some(parts.into_iter().filter(|(set, _)| !set.is_empty()).map(|(_, known)| known.into()).collect())
    }
}

/// The largest number of a symbol's width.
fn most(terms: &Terms, symbol: SymbolId) -> Option<u64> {
    match terms.symbol_sort(symbol) {
        Sort::Bool => Some(1),
        Sort::Bv(width @ 1..=64) => Some(u64::MAX >> (64 - width)),
        _ => None,
    }
}

/// A symbol plus a constant.
fn shifted(terms: &Terms, term: TermId) -> Option<(SymbolId, u64)> {
    match terms.kind(term) {
        Kind::Symbol(symbol) => Some((symbol, 0)),
        Kind::Binary(BinaryOp::BvAdd, a, b) => match (terms.as_symbol(a), terms.as_symbol(b)) {
            (Some(symbol), None) => Some((symbol, terms.as_u64(b)?)),
            (None, Some(symbol)) => Some((symbol, terms.as_u64(a)?)),
            _ => None,
        },
        _ => None,
    }
}

fn compared(terms: &Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<(SymbolId, Set)> {
    let (side, constant, is_left) = if terms.is_const(b) { (a, b, true) } else { (b, a, false) };
    let (symbol, shift) = shifted(terms, side)?;
    let (k, most) = (terms.as_u64(constant)?, most(terms, symbol)?);
    if terms.sort(side) == Sort::Bool {
        return None;
    }
    let sign = most / 2 + 1;
    // Signed comparisons are unsigned ones with the upper half first.
    let (k, flip) = match op {
        BinaryOp::BvSlt => (k ^ sign, sign),
        BinaryOp::Eq | BinaryOp::BvUlt => (k, 0),
        _ => return None,
    };
    let range = match (op, is_left) {
        (BinaryOp::Eq, _) => Some((k, k)),
        (_, true) => k.checked_sub(1).map(|last| (0, last)),
        (_, false) => (k < most).then(|| (k + 1, most)),
    };
    let Some((low, high)) = range else { return Some((symbol, Set::from([]))) };
    // Back to the symbol's own values.
    let back = |value: u64| (value ^ flip).wrapping_sub(shift) & most;
    if high - low == most {
        return Some((symbol, Set::from([(0, most)])));
    }
    // Adding `sign` modulo the width is what the exclusive or does, so that a range stays one, perhaps around the end.
    let (low, high) = (back(low), back(high));
    let set = if low <= high { vec![(low, high)] } else { vec![(0, high), (low, most)] };
    Some((symbol, set.into()))
}

fn complement(set: &[(u64, u64)], most: u64) -> Set {
    let mut result = Vec::with_capacity(set.len() + 1);
    let mut next = Some(0);
    for (low, high) in set {
        if let Some(from) = next
            && from < *low
        {
            result.push((from, low - 1));
        }
        next = if *high < most { Some(high + 1) } else { None };
    }
    result.extend(next.map(|from| (from, most)));
    result.into()
}

fn both(a: &[(u64, u64)], b: &[(u64, u64)]) -> Set {
    let (mut i, mut j) = (0, 0);
    let mut result = Vec::new();
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let (low, high) = (x.0.max(y.0), x.1.min(y.1));
        if low <= high {
            result.push((low, high));
        }
        if x.1 < y.1 { i += 1 } else { j += 1 }
    }
    result.into()
}

fn either(a: &[(u64, u64)], b: &[(u64, u64)], most: u64) -> Set {
    complement(&both(&complement(a, most), &complement(b, most)), most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use plumb_term::{Assignment, BitVec, Evaluator, Value};

    fn value_sets() -> ValueSets {
        ValueSets::new(256, 6)
    }

    fn condition(terms: &mut Terms, x: TermId, random: &mut Random, depth: u32) -> TermId {
        if depth == 0 {
            let k = terms.bv(4, random.below(16) as u128);
            let c = terms.bv(4, random.below(16) as u128);
            let side = if random.below(2) == 0 { x } else { terms.bv_add(x, c) };
            return match random.below(5) {
                0 => terms.eq(side, k),
                1 => terms.bv_ult(side, k),
                2 => terms.bv_ult(k, side),
                3 => terms.bv_slt(side, k),
                _ => terms.bv_slt(k, side),
            };
        }
        let a = condition(terms, x, random, depth - 1);
        let b = condition(terms, x, random, depth - 1);
        match random.below(3) {
            0 => terms.and(a, b),
            1 => terms.or(a, b),
            _ => terms.not(a),
        }
    }

    #[test]
    fn terms_have_the_truth_values_that_some_value_gives() {
        let mut random = Random::new(5);
        let mut seen = 0;
        for round in 0..2000 {
            let mut terms = Terms::new();
            let x = terms.symbol("x", Sort::Bv(4));
            let mut some = |count: u32| -> Vec<TermId> {
                (0..count).map(|_| condition(&mut terms, x, &mut random, round % 3)).collect()
            };
            let (conditions, predicates) = (some(round % 3), some(1 + round % 4));
            let Some(mut found) = value_sets().split(&terms, &conditions, &predicates) else { continue };
            seen += 1;
            let mut expected: Vec<Box<[bool]>> = Vec::new();
            for value in 0..16u128 {
                let mut assignment = Assignment::new();
                assignment.set(terms.as_symbol(x).unwrap(), Value::Bv(BitVec::new(4, value)));
                let mut evaluator = Evaluator::new(&assignment);
                if conditions.iter().all(|one| evaluator.holds(&terms, *one)) {
                    expected.push(predicates.iter().map(|one| evaluator.holds(&terms, *one)).collect());
                }
            }
            expected.sort();
            expected.dedup();
            found.sort();
            assert_eq!(found, expected);
        }
        assert!(seen > 1000, "{seen} lists were of the kind");
    }

    #[test]
    fn sets_have_the_values_for_which_conditions_hold() {
        let mut random = Random::new(7);
        let mut seen = 0;
        for round in 0..3000 {
            let mut terms = Terms::new();
            let x = terms.symbol("x", Sort::Bv(4));
            let condition = condition(&mut terms, x, &mut random, round % 4);
            let Some((symbol, set)) = value_sets().of(&terms, condition) else { continue };
            seen += 1;
            for value in 0..16u64 {
                let mut assignment = Assignment::new();
                assignment.set(symbol, Value::Bv(BitVec::new(4, value as u128)));
                let holds = Evaluator::new(&assignment).holds(&terms, condition);
                let has = set.iter().any(|(low, high)| (*low..=*high).contains(&value));
                assert_eq!(holds, has, "{value} in {set:?}");
            }
            assert!(set.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0), "{set:?} is in order");
        }
        assert!(seen > 2000, "{seen} conditions were of the kind");
    }
}
