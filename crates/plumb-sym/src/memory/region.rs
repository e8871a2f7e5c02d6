//! Input that fills memory.
//!
//! Its bytes become symbols when they are looked at: those that are read together become one symbol of that width. An
//! access at an offset that is no constant gives the region an array, which has the same bytes as the symbols there are.

use crate::sym::Sym;
use plumb_term::{Sort, TermId};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RegionId(pub u32);

plumb_ir::index::index_types!(RegionId);

#[derive(Clone, Debug, Default)]
pub struct Region {
    /// Symbols by offset, as bit-vectors of whole bytes.
    pub symbols: BTreeMap<u64, TermId>,
    /// With elements of so many bytes.
    pub array: Option<(u64, TermId)>,
    /// Its bytes are no input but whatever was there: pointers to objects, perhaps.
    pub may_hold_pointers: bool,
    /// Its bytes are an input, or what a run finds in memory that it is given.
    pub is_outside: bool,
}

impl Sym<'_> {
    pub(crate) fn new_region(&mut self) -> RegionId {
        self.regions.push_and_get_key(Region { is_outside: true, ..Region::default() })
    }

    /// A region for content that nobody knows, which may be pointers.
    pub(crate) fn new_arbitrary_region(&mut self, may_hold_pointers: bool) -> RegionId {
        self.regions.push_and_get_key(Region { may_hold_pointers, ..Region::default() })
    }

    /// A symbol for bytes of a region.
    fn region_symbol(&mut self, id: RegionId, sort: Sort) -> TermId {
        self.arbitrary_symbol("mem", sort, self.regions[id].may_hold_pointers)
    }

    /// Bytes of a region as one bit-vector, the first byte lowest.
    pub(crate) fn region_bytes(&mut self, id: RegionId, at: u64, size: u64) -> TermId {
        if let Some((unit, array)) = self.regions[id].array {
            return self.array_bytes(array, unit, at, size);
        }
        let region = &self.regions[id];
        if let Some(&symbol) = region.symbols.get(&at)
            && self.terms.width(symbol) as u64 == size * 8
        {
            return symbol;
        }
        let reach = at.saturating_sub(16);
        let touching: Vec<(u64, TermId)> = region.symbols.range(reach..at + size).map(|(a, s)| (*a, *s)).collect();
        let mut covering = Vec::new();
        for (from, symbol) in touching {
            let end = from + self.terms.width(symbol) as u64 / 8;
            if end > at {
                covering.push((from, end, symbol));
            }
        }
        if covering.is_empty() {
            let symbol = self.region_symbol(id, Sort::Bv(size as u32 * 8));
            self.regions[id].symbols.insert(at, symbol);
            return symbol;
        }
        self.put_together(at..at + size, |sym, next| {
            match covering.iter().find(|(from, end, _)| (*from..*end).contains(&next)) {
                Some(&(from, end, symbol)) => {
                    let end = end.min(at + size);
                    (sym.terms.extract(symbol, (end - from) as u32 * 8 - 1, (next - from) as u32 * 8), end)
                }
                None => {
                    let symbol = sym.region_symbol(id, Sort::Bv(8));
                    sym.regions[id].symbols.insert(next, symbol);
                    (symbol, next + 1)
                }
            }
        })
    }

    /// The region as an array with elements of so many bytes; `None` if it has one of another kind already.
    pub(crate) fn region_array(&mut self, id: RegionId, unit: u64, index: u32) -> Option<TermId> {
        if let Some((made, array)) = self.regions[id].array {
            let is_like = self.terms.sort(array) == Sort::Array { index, element: unit as u32 * 8 };
            return (made == unit && is_like).then_some(array);
        }
        let sort = Sort::Array { index, element: unit as u32 * 8 };
        let array = self.region_symbol(id, sort);
        let symbols: Vec<(u64, TermId)> = self.regions[id].symbols.iter().map(|(a, s)| (*a, *s)).collect();
        self.regions[id].array = Some((unit, array));
        for (at, symbol) in symbols {
            let size = self.terms.width(symbol) as u64 / 8;
            let bytes = self.array_bytes(array, unit, at, size);
            let same = self.terms.eq(bytes, symbol);
            self.axioms.push(same);
        }
        Some(array)
    }
}
