//! Objects far apart, and stack addresses that are not used twice, so that a stray pointer points to nothing.
//!
//! A pointer is a plain address: one that was moved out of its object is noticed only if it does not happen to lie in
//! another, and one to a dead object only if nothing else lives there by then. Addresses are cheap, since memory is
//! sparse; so where pointers are checked, objects keep a distance of at least their size and many pages, and the stack
//! is used like this:
//!
//! ```text
//!            column 0      column 1      column 2
//!   row 0    | a           | b           |            a() has two objects, and has called c() ...
//!   row 16   | (a live)    | (b live)    | c          ... for the second time
//!   row 32   |             |             |
//! ```
//!
//! The stack is cut into columns of equal width. Each object takes a column (large ones several), so live objects lie
//! apart. All objects of a frame start in the same row. A frame that is left uses up its rows, in its own columns and all
//! those above: the next frame starts in a later row. So successive calls still share pages, which keeps them cheap.
//! When the rows are used up, or an object is too high for those left, all columns up to the highest one touched are
//! given up and columns above them taken; when there are none of these left, use begins again just above the live
//! frames.

use super::layout::Segment;
use super::page::PAGE_SIZE;
use plumb_ir::program::Program;

/// The grid of a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Columns {
    /// An odd number of pages: columns then differ in their places in the TLB.
    width: u64,
    /// How far down a column objects may start. The rest of it is distance.
    rows: u64,
    /// The least distance of objects.
    pub gap: u64,
}

/// Frames larger than this on a machine of 32 bits make columns narrower, so that recursion still finds room.
const LARGE_FRAME: u64 = 256 << 10;

/// No object keeps more distance than this: a single large one must not use up the stack.
const FARTHEST: u64 = 16 << 20;

impl Columns {
    /// The grid for a program's frames; `None` where the address space is too small for one.
    pub fn of(program: &Program) -> Option<Columns> {
        let pages =
            |width: u64, rows: u64| Columns { width: width * PAGE_SIZE, rows: rows * PAGE_SIZE, gap: rows * PAGE_SIZE };
        match program.target.pointer_bits() {
            0..=16 => None,
            17..=32 => {
                let most = program.functions.iter().map(|f| f.objects.len()).max().unwrap_or(0) as u64;
                let grids = [pages(9, 4), pages(5, 2), pages(3, 1)];
                grids.iter().find(|g| most * g.width <= LARGE_FRAME).or(grids.last()).copied()
            }
            _ => Some(pages(193, 64)),
        }
    }

    /// The columns that an object of a size takes, in bytes: it fits at any row, with its distance.
    pub fn span(self, size: u64) -> Option<u64> {
        let needed = size.checked_add(size.clamp(self.gap, FARTHEST))?.checked_add(self.rows)?;
        needed.checked_next_multiple_of(self.width)
    }

    /// The row that an address lies in.
    fn row(self, addr: u64, stack: Segment) -> u64 {
        (addr - stack.base) % self.width
    }
}

/// Which part of the grid has not been used yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unused {
    /// Columns below this one are given up, or belong to live frames.
    start: u64,
    /// The first unused row of the columns from `start` on that no live frame has.
    row: u64,
    /// The first column that has not been touched.
    top: u64,
}

/// Where something goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    pub base: u64,
    /// The first column above.
    pub end: u64,
    /// Columns that were given up, as a range of addresses. No live object lies there.
    pub given_up: Option<(u64, u64)>,
}

impl Unused {
    pub fn new(stack: u64) -> Unused {
        Unused { start: stack, row: 0, top: stack }
    }

    /// A place above `sp`, the end of the columns of live frames. `span` is the width of all its columns, `height` the
    /// number of bytes from the first row to the end of its largest object.
    pub fn place(
        &mut self,
        sp: u64,
        span: u64,
        height: u64,
        align: u64,
        columns: Columns,
        stack: Segment,
    ) -> Option<Placed> {
        let fits = |column: u64| column.checked_add(span).is_some_and(|end| end <= stack.end());
        let mut column = sp.max(self.start);
        let mut base = (column + self.row).next_multiple_of(align);
        let mut given_up = None;
        let used_up = self.row > 0 && base - column + height > columns.rows;
        if used_up || !fits(column) {
            given_up = Some((column, self.top)).filter(|(from, to)| from < to);
            self.start = self.top;
            column = sp.max(self.start);
            if !fits(column) {
                *self = Unused { start: stack.base, row: 0, top: sp };
                column = sp;
            }
            self.row = 0;
            base = column.next_multiple_of(align);
        }
        let end = Some(column).filter(|c| fits(*c))? + span;
        self.top = self.top.max(end);
        Some(Placed { base, end, given_up })
    }

    /// What was placed at an address is dead. Returns the columns it had if they will not be used again: they may hold
    /// pages that others left behind.
    pub fn leave(&mut self, base: u64, span: u64, height: u64, columns: Columns, stack: Segment) -> Option<(u64, u64)> {
        let row = columns.row(base, stack);
        let column = base - row;
        if column < self.start {
            return Some((column, column + span));
        }
        self.row = self.row.max(row + height);
        None
    }
}

/// The rows that an object of a size uses up.
pub fn height(size: u64) -> u64 {
    (size / 16 + 1).saturating_mul(16)
}

/// The distance between static objects, by their number: what fits.
pub fn static_gap(program: &Program, tight: u64) -> u64 {
    let (widest, room) = match program.target.pointer_bits() {
        0..=16 => return tight,
        17..=32 => (4 << 10, 256 << 20),
        _ => (65 << 10, 1 << 30),
    };
    match program.objects.len() as u64 {
        count @ 0..=0x1_0000 => (room / count.max(1)).clamp(tight, widest),
        // Each would have a page of its own: too much memory.
        _ => tight,
    }
}

/// The distance of a new heap object, by the number of those alive: many small ones must be able to share pages.
pub fn heap_gap(live: u64, wide: u64, tight: u64) -> u64 {
    match live {
        0..=0x7fff => wide,
        0x8000..=0x1_ffff => wide.min(256),
        _ => tight,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::Rng;

    const COLUMNS: Columns = Columns { width: 9 * PAGE_SIZE, rows: 4 * PAGE_SIZE, gap: 4 * PAGE_SIZE };

    /// Random calls and returns: live objects keep their distance, and no address is used twice before all columns are.
    #[test]
    fn addresses_are_used_once() {
        let stack = Segment { base: 64 * PAGE_SIZE, size: COLUMNS.width * 4000 };
        let mut rng = Rng(5);
        let mut unused = Unused::new(stack.base);
        let mut live: Vec<(u64, u64, u64)> = Vec::new();
        let mut used: Vec<(u64, u64)> = Vec::new();
        for _ in 0..3000 {
            if live.len() < 12 && rng.below(2) == 0 {
                let sp = live.last().map_or(stack.base, |l| l.2);
                let size = if rng.below(20) == 0 { rng.below(20_000) } else { rng.below(60) };
                let span = COLUMNS.span(size).unwrap();
                let placed = unused.place(sp, span, height(size), 16, COLUMNS, stack).unwrap();
                let (base, end) = (placed.base, placed.base + size);
                assert!(base >= sp && end <= placed.end && base.is_multiple_of(16));
                assert!(live.last().is_none_or(|l| base - (l.0 + l.1) >= COLUMNS.gap.max(l.1)));
                assert!(placed.given_up.is_none_or(|(from, to)| live.iter().all(|l| l.0 + l.1 <= from || l.0 >= to)));
                assert!(used.iter().all(|u| end <= u.0 || base >= u.1), "{base:#x} was used before");
                used.push((base, end.max(base + 1)));
                live.push((base, size, placed.end));
            } else if let Some((base, size, _)) = live.pop() {
                unused.leave(base, COLUMNS.span(size).unwrap(), height(size), COLUMNS, stack);
            }
        }
    }

    #[test]
    fn use_begins_again_above_the_live_frames() {
        let stack = Segment { base: 0, size: COLUMNS.width * 10 };
        let mut unused = Unused::new(0);
        let outer = unused.place(0, COLUMNS.width, 16, 16, COLUMNS, stack).unwrap();
        for _ in 0..5000 {
            let placed = unused.place(outer.end, COLUMNS.width, 1600, 16, COLUMNS, stack).unwrap();
            assert!(placed.base >= outer.end && placed.end <= stack.end());
            unused.leave(placed.base, COLUMNS.width, 1600, COLUMNS, stack);
        }
        assert!(unused.place(outer.end, stack.size, 16, 16, COLUMNS, stack).is_none());
    }
}
