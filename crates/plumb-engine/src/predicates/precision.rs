//! Precision functions: where, when and by which predicates paths are abstracted.

use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::Sym;
use plumb_term::{BinaryOp, Kind, TermId, Terms};
use rustc_hash::FxHashMap;

/// What the precision function assigns to one location.
#[derive(Clone, Debug, Default)]
pub struct Precision {
    /// Visits before the abstraction begins.
    pub threshold: u32,
    pub predicates: Vec<TermId>,
}

/// The precision function: a location that has none gets the initial threshold and no predicate.
#[derive(Clone, Debug)]
pub struct PrecisionFunction {
    initial: u32,
    by_loop: FxHashMap<LoopKey, Precision>,
}

impl PrecisionFunction {
    pub fn new(initial: u32) -> PrecisionFunction {
        PrecisionFunction { initial, by_loop: FxHashMap::default() }
    }

    pub fn threshold(&self, key: LoopKey) -> u32 {
        self.by_loop.get(&key).map_or(self.initial, |p| p.threshold)
    }

    pub fn predicates(&self, key: LoopKey) -> &[TermId] {
        self.by_loop.get(&key).map_or(&[], |p| &p.predicates)
    }

    fn of(&mut self, key: LoopKey) -> &mut Precision {
        let initial = self.initial;
        self.by_loop.entry(key).or_insert_with(|| Precision { threshold: initial, predicates: Vec::new() })
    }

    /// Lets the abstraction of a loop begin after so many visits, if it began earlier.
    pub fn raise_threshold(&mut self, key: LoopKey, visits: u32) {
        let precision = self.of(key);
        precision.threshold = precision.threshold.max(visits);
    }

    /// Adds a predicate. Whether neither it nor its negation was there.
    pub fn add(&mut self, key: LoopKey, predicate: TermId, sym: &mut Sym) -> bool {
        let negation = sym.terms.not(predicate);
        let known = &mut self.of(key).predicates;
        let is_new = !known.contains(&predicate) && !known.contains(&negation);
        if is_new {
            known.push(predicate);
        }
        is_new
    }

    /// Locations with what was found for them.
    pub fn iter(&self) -> impl Iterator<Item = (LoopKey, &Precision)> {
        self.by_loop.iter().map(|(key, precision)| (*key, precision))
    }
}

/// A predicate that says that a symbol equals a constant: both of them.
pub fn as_equation(terms: &Terms, predicate: TermId) -> Option<(TermId, TermId)> {
    let Kind::Binary(BinaryOp::Eq, a, b) = terms.kind(predicate) else { return None };
    let (symbol, value) = if terms.is_const(a) { (b, a) } else { (a, b) };
    (terms.is_const(value) && terms.as_symbol(symbol).is_some()).then_some((symbol, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::program;
    use plumb_ir::analysis::loops::LoopId;
    use plumb_ir::program::FuncId;
    use plumb_term::Sort;

    #[test]
    fn a_loop_has_a_predicate_or_its_negation_once() {
        let program = program("int main(void) { return 0; }");
        let mut sym = Sym::new(&program);
        let (key, other) = ((FuncId(0), LoopId(0)), (FuncId(0), LoopId(1)));
        let predicate = sym.terms.symbol("p", Sort::Bool);
        let negation = sym.terms.not(predicate);
        let mut precision = PrecisionFunction::new(2);
        assert!(precision.add(key, predicate, &mut sym));
        assert!(!precision.add(key, predicate, &mut sym) && !precision.add(key, negation, &mut sym));
        assert!(precision.add(other, negation, &mut sym));
        assert_eq!((precision.predicates(key), precision.predicates(other)), (&[predicate][..], &[negation][..]));
    }

    #[test]
    fn thresholds_only_rise() {
        let mut precision = PrecisionFunction::new(2);
        let (key, other) = ((FuncId(0), LoopId(0)), (FuncId(0), LoopId(1)));
        precision.raise_threshold(key, 5);
        precision.raise_threshold(key, 3);
        assert_eq!((precision.threshold(key), precision.threshold(other)), (5, 2));
    }

    #[test]
    fn equations_have_a_symbol_and_a_constant() {
        let mut terms = Terms::new();
        let (x, y, five) = (terms.symbol("x", Sort::Bv(8)), terms.symbol("y", Sort::Bv(8)), terms.bv(8, 5));
        let (equation, relation, bound) = (terms.eq(five, x), terms.eq(x, y), terms.bv_ult(x, five));
        assert_eq!(as_equation(&terms, equation), Some((x, five)));
        assert_eq!(as_equation(&terms, relation).or(as_equation(&terms, bound)), None);
    }
}
