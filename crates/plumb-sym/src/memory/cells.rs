//! An object as scalars at constant offsets.
//!
//! Cells do not overlap. They are kept in pages that states share; what no cell covers has the value of a *fill*: pieces of
//! the object that are zero, initial data, or input. Fills are never changed, only covered or replaced.

use super::region::RegionId;
use crate::value::Value;
use plumb_ir::program::GlobalObj;
use plumb_ir::ty::Ty;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of a page.
const PAGE: u64 = 128;
/// The largest scalar.
const LARGEST: u64 = 16;

/// A scalar in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub value: Value,
    pub ty: Ty,
    pub size: u64,
}

/// What bytes that were never written singly hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fill {
    Byte(u8),
    /// The initial data of a static object. The byte at `at` is the datum's byte at `at - shift`.
    Initial(GlobalObj, u64),
    /// As with `Initial`.
    Region(RegionId, u64),
}

#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// By offset of their beginning; the first begins at 0.
    pieces: Arc<Vec<(u64, Fill)>>,
    pages: BTreeMap<u64, Arc<Vec<(u64, Cell)>>>,
}

impl Cells {
    pub fn filled(fill: Fill) -> Cells {
        Cells { pieces: Arc::new(vec![(0, fill)]), pages: BTreeMap::new() }
    }

    /// Without cells, filled in pieces of which the first begins at 0.
    pub fn with_pieces(pieces: Vec<(u64, Fill)>) -> Cells {
        debug_assert!(pieces.first().is_some_and(|(from, _)| *from == 0));
        Cells { pieces: Arc::new(pieces), pages: BTreeMap::new() }
    }

    /// The cells that begin in a range, in order.
    fn beginning_in(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, &Cell)> {
        let pages = self.pages.range(from / PAGE..to.div_ceil(PAGE).max(from / PAGE));
        let cells = pages.flat_map(|(_, page)| page.iter().map(|(at, cell)| (*at, cell)));
        cells.filter(move |(at, _)| (from..to).contains(at))
    }

    /// The cells that have bytes in a range, in order.
    pub fn touching(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, &Cell)> {
        let reach = from.saturating_sub(LARGEST);
        self.beginning_in(reach, to).filter(move |(at, cell)| at.wrapping_add(cell.size) > from)
    }

    pub fn all(&self) -> impl Iterator<Item = (u64, &Cell)> {
        self.pages.values().flat_map(|page| page.iter().map(|(at, cell)| (*at, cell)))
    }

    pub fn get(&self, at: u64) -> Option<&Cell> {
        let page = self.pages.get(&(at / PAGE))?;
        page.binary_search_by_key(&at, |(at, _)| *at).ok().map(|i| &page[i].1)
    }

    /// Puts a cell where no other is.
    pub fn insert(&mut self, at: u64, cell: Cell) {
        let page = Arc::make_mut(self.pages.entry(at / PAGE).or_default());
        match page.binary_search_by_key(&at, |(at, _)| *at) {
            Ok(i) => page[i].1 = cell,
            Err(i) => page.insert(i, (at, cell)),
        }
    }

    pub fn remove(&mut self, at: u64) {
        if let Some(page) = self.pages.get_mut(&(at / PAGE)) {
            Arc::make_mut(page).retain(|(a, _)| *a != at);
            if page.is_empty() {
                self.pages.remove(&(at / PAGE));
            }
        }
    }

    /// The fill at a byte, and how far it goes.
    pub fn fill_at(&self, at: u64) -> (Fill, u64) {
        let next = self.pieces.partition_point(|(from, _)| *from <= at);
        let end = self.pieces.get(next).map_or(u64::MAX, |(from, _)| *from);
        (self.pieces[next.max(1) - 1].1, end)
    }

    pub fn pieces(&self) -> &[(u64, Fill)] {
        &self.pieces
    }

    /// Replaces the fill of a range. Cells in it must be gone.
    pub fn set_fill(&mut self, from: u64, to: u64, fill: Fill) {
        if from >= to {
            return;
        }
        let (after, _) = self.fill_at(to);
        let pieces = Arc::make_mut(&mut self.pieces);
        let first = pieces.partition_point(|(at, _)| *at < from);
        let last = pieces.partition_point(|(at, _)| *at <= to);
        pieces.splice(first..last, [(from, fill), (to, after)]);
    }

    /// Places where a cell of one is not also in the other: pages that both share are passed over.
    pub fn unshared(&self, other: &Cells) -> Vec<u64> {
        let mut places = Vec::new();
        let all: std::collections::BTreeSet<u64> = self.pages.keys().chain(other.pages.keys()).copied().collect();
        for number in all {
            let (a, b) = (self.pages.get(&number), other.pages.get(&number));
            if let (Some(a), Some(b)) = (a, b)
                && Arc::ptr_eq(a, b)
            {
                continue;
            }
            let page = |p: Option<&Arc<Vec<(u64, Cell)>>>| p.map(|p| p.to_vec()).unwrap_or_default();
            let (a, b) = (page(a), page(b));
            let differing = a.iter().filter(|c| !b.contains(c)).chain(b.iter().filter(|c| !a.contains(c)));
            places.extend(differing.map(|(at, _)| *at));
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_are_replaced_in_pieces() {
        let mut cells = Cells::filled(Fill::Byte(0));
        cells.set_fill(10, 20, Fill::Byte(1));
        cells.set_fill(15, 30, Fill::Byte(2));
        let at = |at: u64| cells.fill_at(at);
        assert_eq!(at(9), (Fill::Byte(0), 10));
        assert_eq!(at(10), (Fill::Byte(1), 15));
        assert_eq!(at(15), (Fill::Byte(2), 30));
        assert_eq!(at(30), (Fill::Byte(0), u64::MAX));
    }

    #[test]
    fn cells_are_found_from_inside() {
        let mut cells = Cells::filled(Fill::Byte(0));
        let cell = Cell { value: Value::TRUE, ty: Ty::Int(64), size: 8 };
        cells.insert(124, cell.clone());
        assert_eq!(cells.touching(130, 132).count(), 1);
        assert_eq!(cells.touching(132, 140).count(), 0);
        assert_eq!(cells.get(124), Some(&cell));
        cells.remove(124);
        assert_eq!(cells.all().count(), 0);
    }
}
