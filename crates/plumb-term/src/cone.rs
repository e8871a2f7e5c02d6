//! What terms depend on.

use crate::op::Kind;
use crate::terms::{SymbolId, TermId, Terms};
use rustc_hash::FxHashSet;

/// All terms below some roots and the roots themselves, once each, operands before their users.
pub fn cone(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    visit(terms, roots, &mut seen);
    let mut list: Vec<TermId> = seen.into_iter().collect();
    list.sort_unstable();
    list
}

/// Adds everything below the roots that has not been seen; returns the new terms in no particular order.
pub fn visit(terms: &Terms, roots: &[TermId], seen: &mut FxHashSet<TermId>) -> Vec<TermId> {
    let mut found: Vec<TermId> = roots.iter().copied().filter(|root| seen.insert(*root)).collect();
    let mut next = 0;
    while next < found.len() {
        let operands = terms.kind(found[next]).operands();
        found.extend(operands.filter(|operand| seen.insert(*operand)));
        next += 1;
    }
    found
}

/// The symbols that terms depend on, in order of creation.
pub fn free_symbols(terms: &Terms, roots: &[TermId]) -> Vec<SymbolId> {
    let symbol = |id: TermId| match terms.kind(id) {
        Kind::Symbol(symbol) => Some(symbol),
        Kind::Const
        | Kind::Unary(..)
        | Kind::Binary(..)
        | Kind::Ite(..)
        | Kind::Fma(..)
        | Kind::Store(..)
        | Kind::Extract { .. } => None,
    };
    let mut symbols: Vec<SymbolId> =
        visit(terms, roots, &mut FxHashSet::default()).into_iter().filter_map(symbol).collect();
    symbols.sort_unstable();
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    #[test]
    fn operands_come_first() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Bv(8)), terms.symbol("y", Sort::Bv(8)));
        let _other = terms.symbol("z", Sort::Bv(8));
        let product = terms.bv_mul(x, y);
        let less = terms.bv_ult(product, x);
        assert_eq!(cone(&terms, &[less]), [x, y, product, less]);
        let names: Vec<&str> = free_symbols(&terms, &[less]).iter().map(|s| terms.symbol_name(*s)).collect();
        assert_eq!(names, ["x", "y"]);
    }
}
