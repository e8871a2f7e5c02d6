//! Loop acceleration: many iterations of a simple loop at once, exactly.
//!
//! An iteration that does nothing but add constants to registers and compare them ([`Iteration`]) is the same function of the state as long as its
//! comparisons come out the same. How often that is follows from the distance of each compared register to the value at which its comparison turns,
//! or at which the register wraps around. So many iterations, less one, are made by one addition a register; the last one runs as usual, so that
//! what is computed in between and what observers are told at the end are just what they would have been. Steps are counted and covered edges are
//! counted as if every iteration had run; only measured comparisons ([`crate::meter`]) miss the iterations in between.
//!
//! **Soundness.** A number of iterations is made at once only if in each of them all comparisons of the path come out as on the path, and none of the compared
//! values wraps around: then the sum is what the additions would have left. `tests/acceleration.rs` compares random loops with every iteration by itself.
//!
//! The idea is that of Bozga, Iosif and Konečný ("Fast acceleration of ultimately periodic relations", CAV 2010) for the case that firmware has:
//! counters and delays. Compiled code that has such a loop ends it with [`Inst::Loop`](crate::inst::Inst::Loop); `compile/accelerate.rs` finds them.

use crate::meter::Meter;
use plumb_ir::program::{EdgeId, FuncId};

/// Something with a value: a register of the window or a program register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Cell {
    Register(u32),
    Global(u32),
}

/// The value that a cell had at the beginning of the iteration plus a constant, or the constant alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sum {
    pub base: Option<Cell>,
    pub offset: u64,
    /// Bits that the sum is cut to; none where nothing was added to the cell.
    pub bits: Option<u8>,
}

/// What an iteration adds to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stride {
    pub by: u64,
    pub bits: u8,
}

/// How numbers are compared. Those of fewer than 64 bits have zeroes above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Unsigned,
    Signed32,
    Signed64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Equal,
    Unequal,
    Below,
    AtMost,
    Above,
    AtLeast,
}

impl Relation {
    pub fn negated(self) -> Relation {
        match self {
            Relation::Equal => Relation::Unequal,
            Relation::Unequal => Relation::Equal,
            Relation::Below => Relation::AtLeast,
            Relation::AtMost => Relation::Above,
            Relation::Above => Relation::AtMost,
            Relation::AtLeast => Relation::Below,
        }
    }

    /// With its sides exchanged.
    pub fn swapped(self) -> Relation {
        match self {
            Relation::Equal | Relation::Unequal => self,
            Relation::Below => Relation::Above,
            Relation::AtMost => Relation::AtLeast,
            Relation::Above => Relation::Below,
            Relation::AtLeast => Relation::AtMost,
        }
    }

    pub fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Relation::Equal => a == b,
            Relation::Unequal => a != b,
            Relation::Below => a < b,
            Relation::AtMost => a <= b,
            Relation::Above => a > b,
            Relation::AtLeast => a >= b,
        }
    }
}

/// A comparison that has to come out true: of a value that may move from iteration to iteration with one that does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Condition {
    pub moving: Sum,
    pub stride: Option<Stride>,
    pub relation: Relation,
    pub limit: Sum,
    pub order: Order,
}

/// A path through the body of a loop, from its head back to it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Iteration {
    pub steps: u64,
    pub conditions: Vec<Condition>,
    pub strides: Vec<(Cell, Stride)>,
    /// Cells that get other values than their own and a constant.
    pub set: Vec<(Cell, Sum, Option<Stride>)>,
    /// Instructions [`Inst::Cover`](crate::inst::Inst::Cover) on the path: the number of the edge, the edge, and how often.
    pub covered: Vec<(u32, FuncId, EdgeId, u64)>,
}

/// An instruction that closes a loop.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Closing {
    /// When it jumps to the head; always, if there is none.
    pub condition: Option<Condition>,
    /// In bytes, from the instruction.
    pub to: i32,
    pub steps_if_taken: u16,
    pub steps_if_not: u16,
    /// The loop, in the image's list of them.
    pub loop_index: u32,
}

/// The cells of a run.
pub(crate) struct Cells {
    pub registers: *mut u64,
    pub globals: *mut u64,
}

impl Cells {
    /// # Safety
    /// The cell is one of the running function.
    unsafe fn get(&self, cell: Cell) -> u64 {
        // SAFETY: the caller's promise.
        unsafe {
            match cell {
                Cell::Register(at) => *self.registers.add(at as usize),
                Cell::Global(at) => *self.globals.add(at as usize),
            }
        }
    }

    /// # Safety
    /// As of [`Cells::get`].
    unsafe fn set(&self, cell: Cell, value: u64) {
        // SAFETY: the caller's promise.
        unsafe {
            match cell {
                Cell::Register(at) => *self.registers.add(at as usize) = value,
                Cell::Global(at) => *self.globals.add(at as usize) = value,
            }
        }
    }

    /// The value of a sum after so many iterations.
    ///
    /// # Safety
    /// As of [`Cells::get`].
    unsafe fn sum(&self, sum: Sum, stride: Option<Stride>, iterations: u64) -> u64 {
        let Some(base) = sum.base else { return sum.offset };
        // SAFETY: the caller's promise.
        let mut value = unsafe { self.get(base) };
        if let Some(stride) = stride.filter(|_| iterations > 0) {
            value = value.wrapping_add(stride.by.wrapping_mul(iterations)) & mask(stride.bits);
        }
        sum.bits.map_or(value, |bits| value.wrapping_add(sum.offset) & mask(bits))
    }
}

pub(crate) fn mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

impl Order {
    pub fn read(self, value: u64) -> i128 {
        match self {
            Order::Unsigned => i128::from(value),
            Order::Signed32 => i128::from(value as i32),
            Order::Signed64 => i128::from(value as i64),
        }
    }

    /// The numbers that so many bits can be.
    pub fn range(self, bits: u8) -> Option<(i128, i128)> {
        let signed = match self {
            Order::Unsigned => None,
            Order::Signed32 => Some(32),
            Order::Signed64 => Some(64),
        };
        match signed {
            Some(width) if bits > width => None,
            Some(width) if bits == width => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            Some(_) | None => Some((0, i128::from(mask(bits)))),
        }
    }
}

impl Condition {
    /// For how many iterations in a row it holds, from this one on.
    ///
    /// # Safety
    /// Its cells are some of the running function.
    unsafe fn lasts(&self, cells: &Cells) -> u64 {
        // SAFETY: the caller's promise.
        let (now, limit) = unsafe { (cells.sum(self.moving, None, 0), cells.sum(self.limit, None, 0)) };
        let (now, limit) = (self.order.read(now), self.order.read(limit));
        if !self.relation.holds(now, limit) {
            return 0;
        }
        let Some(stride) = self.stride else { return u64::MAX };
        let Some((least, most)) = self.order.range(stride.bits).filter(|(least, most)| (least..=most).contains(&&now))
        else {
            return 1;
        };
        let (from, to) = match self.relation {
            Relation::Equal => return 1,
            Relation::Unequal if now < limit => (least, limit - 1),
            Relation::Unequal => (limit + 1, most),
            Relation::Below => (least, limit - 1),
            Relation::AtMost => (least, limit),
            Relation::Above => (limit + 1, most),
            Relation::AtLeast => (limit, most),
        };
        let by = signed(stride);
        let room = if by > 0 { to.min(most) - now } else { now - from.max(least) };
        u64::try_from(room / by.abs() + 1).unwrap_or(u64::MAX)
    }

    /// # Safety
    /// As of [`Condition::lasts`].
    pub unsafe fn holds(&self, cells: &Cells) -> bool {
        // SAFETY: the caller's promise.
        let (now, limit) = unsafe { (cells.sum(self.moving, None, 0), cells.sum(self.limit, None, 0)) };
        self.relation.holds(self.order.read(now), self.order.read(limit))
    }
}

/// A stride as a number with a sign; it is not zero.
fn signed(stride: Stride) -> i128 {
    let shift = 64 - u32::from(stride.bits.min(64));
    i128::from((stride.by << shift) as i64 >> shift)
}

/// Makes iterations at once that begin now and take no more than so many steps. Returns their steps.
///
/// # Safety
/// The iterations are of a loop of the running function, at whose head it is.
#[cold]
#[inline(never)]
pub(crate) unsafe fn accelerate(
    iterations: &[Iteration],
    cells: &Cells,
    steps: u64,
    coverage: &mut [u64],
    meter: &mut Meter,
) -> u64 {
    for iteration in iterations {
        let lasting = |condition: &Condition| {
            // SAFETY: the caller's promise.
            unsafe { condition.lasts(cells) }
        };
        let mut times = u64::MAX;
        for condition in &iteration.conditions {
            times = times.min(lasting(condition));
            if times <= 1 {
                break;
            }
        }
        if times <= 1 {
            continue;
        }
        let times = (times - 1).min(steps / iteration.steps);
        if times == 0 {
            return 0;
        }
        // SAFETY: the caller's promise.
        unsafe { iteration.make(cells, times) };
        for &(number, func, edge, often) in &iteration.covered {
            let Some(count) = coverage.get_mut(number as usize) else { continue };
            if *count == 0 {
                meter.first(func, edge);
            }
            *count += often * times;
        }
        return times * iteration.steps;
    }
    0
}

impl Iteration {
    /// # Safety
    /// As of [`accelerate`].
    unsafe fn make(&self, cells: &Cells, times: u64) {
        // SAFETY: the caller's promise.
        unsafe {
            // The last of them sets these, from what the one before has left.
            for &(cell, sum, stride) in &self.set {
                cells.set(cell, cells.sum(sum, stride, times - 1));
            }
            for &(cell, stride) in &self.strides {
                let value = cells.get(cell).wrapping_add(stride.by.wrapping_mul(times));
                cells.set(cell, value & mask(stride.bits));
            }
        }
    }
}
