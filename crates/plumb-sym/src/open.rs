//! What formulas rest on that C leaves open: the numbers that addresses are, the patterns of NaNs, registers that nobody has
//! assigned.
//!
//! These are symbols that no input answers for. The concrete machine settles each of them in one way of its own, so that the
//! inputs of a model may lead it elsewhere than the model says.

use crate::memory::ObjectKind;
use crate::sym::Sym;
use plumb_term::{Kind, TermId, cone};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OpenChoice {
    /// Where objects lie in memory.
    Addresses,
    /// The sign and the payload of a NaN that an operation gives.
    NanPattern,
    /// The value of a register that nobody has assigned.
    Unassigned,
}

impl Sym<'_> {
    /// What the values of formulas depend on that C leaves open, the likeliest first.
    pub fn open_choices(&self, formulas: &[TermId]) -> Vec<OpenChoice> {
        let symbols = cone(&self.terms, formulas);
        let symbols = symbols.into_iter().filter(|term| matches!(self.terms.kind(*term), Kind::Symbol(_)));
        let choice = |term: TermId| match self.addresses.bases.contains_key(&term) {
            true => Some(OpenChoice::Addresses),
            false => self.open.get(&term).copied(),
        };
        let mut found: Vec<OpenChoice> = symbols.filter_map(choice).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The objects whose addresses have been looked at as numbers, with the symbols for these.
    pub fn addresses_as_numbers(&self) -> Vec<(TermId, ObjectKind)> {
        let kind = |(base, object): (&TermId, &crate::value::ObjId)| (*base, self.objects[*object].kind);
        let mut found: Vec<(TermId, ObjectKind)> = self.addresses.bases.iter().map(kind).collect();
        found.sort_unstable_by_key(|(base, _)| *base);
        found
    }
}
