//! Copying and filling ranges of memory.
//!
//! Ranges of constant size at constant offsets move cells and fills, and so do whole objects, whatever their size. Others are
//! done byte by byte where there are not many. Where nothing says how many there are, the first ones are, and only
//! runs with more of them are beyond us: a gap.

use super::cells::{Cell, Cells, Fill};
use super::region::RegionId;
use super::{Content, Object};
use crate::fault::FaultConditions;
use crate::state::State;
use crate::sym::Sym;
use crate::value::{ObjId, Place, Value};
use plumb_ir::ty::{Bits, Ty};
use plumb_term::TermId;
use std::sync::Arc;

/// Bytes that are copied or filled one by one.
const MOST_BYTES: u64 = 512;

/// Bytes of a range of unknown size that are copied or filled one by one.
const FIRST_BYTES: u64 = 64;

/// The one range that an operation is about.
struct Range {
    object: ObjId,
    from: u64,
    to: u64,
}

impl Sym<'_> {
    /// The range of an operation, where it is one, constant, and inside of a living object with cells.
    fn whole_range(&mut self, state: &State, pointer: &Value, size: &Value, write: bool) -> Option<Range> {
        let (Value::Addr(object, from), Value::Const(size)) = (pointer, size) else { return None };
        let info = &self.objects[*object];
        let to = from.checked_add(size.u64())?;
        let found: &Object = state.memory.get(object.0)?;
        let inside = info.const_size().is_some_and(|whole| to <= whole) && !(write && info.read_only);
        let cells = matches!(&*found.content, Content::Cells(_));
        (inside && cells && found.alive == TermId::bool(true)).then_some(Range { object: *object, from: *from, to })
    }

    /// The living object that a range is all of, though its size may be unknown or its content an array.
    fn whole_object(&self, state: &State, pointer: &Value, size: &Value, write: bool) -> Option<ObjId> {
        let Value::Addr(object, 0) = pointer else { return None };
        let info = &self.objects[*object];
        let found = state.memory.get(object.0)?;
        let is_it = info.size == *size && found.alive == TermId::bool(true) && !(write && info.read_only);
        is_it.then_some(*object)
    }

    /// The object gets another content.
    fn set_content(&mut self, state: &mut State, object: ObjId, content: Arc<Content>) {
        let alive = self.alive(state, object);
        state.memory.set(object.0, Object { content, alive });
    }

    /// The number of bytes that may have to be moved one by one, each if it belongs to the range. Runs with more are a gap.
    fn counted_bytes(&mut self, state: &mut State, to: &Value, from: Option<&Value>, size: &Value) -> Option<u64> {
        let pointers = from.into_iter().chain([to]);
        let few: Vec<Option<u64>> = pointers.map(|pointer| self.few_bytes(state, pointer, size)).collect();
        // More than any of the objects has would be a fault.
        if let Some(most) = few.into_iter().flatten().min() {
            return Some(most);
        }
        if size.as_const().is_some() {
            self.give_up(state, TermId::bool(true));
            return None;
        }
        let (size, most) = (self.address(size), self.offset_term(FIRST_BYTES));
        let more = self.terms.bv_ult(most, size);
        self.give_up(state, more);
        Some(FIRST_BYTES)
    }

    /// Replaces the bytes of a range by a fill, given where it begins. Whether it is one that is filled as a whole.
    fn fill(&mut self, state: &mut State, to: &Value, size: &Value, fill: impl Fn(u64) -> Fill) -> bool {
        if let Some(Range { object, from, to }) = self.whole_range(state, to, size, true) {
            self.with_cells(state, object, |sym, cells| {
                sym.clear(cells, from, to);
                cells.set_fill(from, to, fill(from));
            });
            return true;
        }
        let object = self.whole_object(state, to, size, true);
        if let Some(object) = object {
            self.set_content(state, object, Arc::new(Content::Cells(Cells::filled(fill(0)))));
        }
        object.is_some()
    }

    fn with_cells(&mut self, state: &mut State, object: ObjId, change: impl FnOnce(&mut Self, &mut Cells)) {
        let Some(mut found) = state.memory.get(object.0).cloned() else { return };
        state.memory.remove(object.0);
        match Arc::make_mut(&mut found.content) {
            Content::Cells(cells) => change(self, cells),
            Content::Array(_) => {}
        }
        state.memory.set(object.0, found);
    }

    /// The most bytes that a size can be, if they are few.
    fn few_bytes(&mut self, state: &State, pointer: &Value, size: &Value) -> Option<u64> {
        if let Value::Const(size) = size {
            return (size.u64() <= MOST_BYTES).then_some(size.u64());
        }
        // More than the largest object there is would fault.
        let places = self.places(pointer);
        let sizes = places.iter().filter_map(|p| {
            state.memory.get(p.object?.0)?;
            self.objects[p.object?].const_size()
        });
        let objects = places.iter().filter(|p| p.object.is_some()).count();
        let sizes: Vec<u64> = sizes.collect();
        let most = sizes.iter().copied().max()?;
        (sizes.len() == objects && most <= MOST_BYTES).then_some(most)
    }

    /// A range must lie inside of an object even where nothing is moved byte by byte.
    fn range_fault(&mut self, state: &mut State, pointer: &Value, size: &Value, write: bool) {
        let zero = match size {
            Value::Const(size) if size.is_zero() => return,
            Value::Const(_) => TermId::bool(false),
            _ => {
                let size = self.address(size);
                let zero = self.offset_term(0);
                self.terms.eq(size, zero)
            }
        };
        let some = self.terms.not(zero);
        let places = self.places(pointer);
        let lost = self.lost_access(&places);
        let lost = self.terms.and(some, lost);
        self.give_up(state, lost);
        let size = self.address(size);
        let mut faults = FaultConditions::default();
        for place in places.iter() {
            if let Some(access) = self.foreign_access(place, size) {
                let guard = self.terms.and(some, place.guard);
                let here = self.foreign_faults(state, Place { guard, ..*place }, access.astray);
                faults.add_all(here, TermId::bool(true), self);
                continue;
            }
            let here = self.place_faults(state, *place, size, write);
            let guard = self.terms.and(some, place.guard);
            faults.add_all(here, guard, self);
        }
        self.note_faults(state, faults);
    }

    pub(crate) fn mem_set(&mut self, state: &mut State, to: &Value, byte: &Value, size: &Value) {
        if let Value::Const(byte) = byte
            && self.fill(state, to, size, |_| Fill::Byte(byte.u64() as u8))
        {
            return;
        }
        self.range_fault(state, to, size, true);
        let Some(most) = self.counted_bytes(state, to, None, size) else { return };
        for k in 0..most {
            let at = self.byte_at(to, k);
            self.store_within(state, &at, byte.clone(), k, size);
        }
    }

    pub(crate) fn mem_copy(&mut self, state: &mut State, to: &Value, from: &Value, size: &Value) {
        if matches!(size, Value::Const(bits) if bits.is_zero()) {
            return;
        }
        let source = self.whole_range(state, from, size, false);
        let target = self.whole_range(state, to, size, true);
        if let (Some(source), Some(target)) = (source, target) {
            return self.copy_range(state, &source, &target);
        }
        let source = self.whole_object(state, from, size, false);
        let target = self.whole_object(state, to, size, true);
        if let (Some(source), Some(target)) = (source, target)
            && let Some(content) = state.memory.get(source.0).map(|found| found.content.clone())
        {
            return self.set_content(state, target, content);
        }
        self.range_fault(state, from, size, false);
        self.range_fault(state, to, size, true);
        let Some(most) = self.counted_bytes(state, to, Some(from), size) else { return };
        let mut values = Vec::with_capacity(most as usize);
        for k in 0..most {
            let at = self.byte_at(from, k);
            values.push(self.load_within(state, &at, k, size));
        }
        for (k, value) in values.into_iter().enumerate() {
            let at = self.byte_at(to, k as u64);
            self.store_within(state, &at, value, k as u64, size);
        }
    }

    /// The address of byte `k` behind a pointer.
    fn byte_at(&mut self, pointer: &Value, k: u64) -> Value {
        self.pointer_add(pointer, &Value::Const(Bits::new(k as u128, 64)))
    }

    /// Whether byte `k` belongs to a range of that size.
    fn belongs(&mut self, k: u64, size: &Value) -> TermId {
        match size {
            Value::Const(size) => TermId::bool(k < size.u64()),
            Value::Term(_) | Value::Addr(..) | Value::Pointer(_) => {
                let size = self.address(size);
                let k = self.offset_term(k);
                self.terms.bv_ult(k, size)
            }
        }
    }

    /// The byte at a place, if it belongs to the range: else the access does not count.
    fn load_within(&mut self, state: &mut State, at: &Value, k: u64, size: &Value) -> Value {
        let belongs = self.belongs(k, size);
        if belongs == TermId::bool(false) {
            return Value::FALSE;
        }
        self.within_range(state, belongs, |sym, state| sym.load(state, at, Ty::Int(8)))
    }

    fn store_within(&mut self, state: &mut State, at: &Value, value: Value, k: u64, size: &Value) {
        let belongs = self.belongs(k, size);
        if belongs == TermId::bool(false) {
            return;
        }
        self.within_range(state, belongs, |sym, state| {
            let mut value = value;
            if belongs != TermId::bool(true) {
                let before = sym.load(state, at, Ty::Int(8));
                value = sym.choose(belongs, &value, &before, Ty::Int(8));
            }
            sym.store(state, at, value, Ty::Int(8));
        });
    }

    /// An access to a byte of a range. The range as a whole has been looked at, so it does not fault; it may be a gap if the
    /// byte belongs to the range.
    fn within_range<T>(
        &mut self,
        state: &mut State,
        belongs: TermId,
        access: impl FnOnce(&mut Self, &mut State) -> T,
    ) -> T {
        let (faults, gaps, fault) = (self.scratch.log.faults.len(), self.scratch.log.gaps.len(), state.fault);
        let result = access(self, state);
        self.scratch.log.faults.truncate(faults);
        state.fault = fault;
        for gap in self.scratch.log.gaps.split_off(gaps) {
            let gap = self.terms.and(gap, belongs);
            self.give_up(state, gap);
        }
        result
    }

    fn copy_range(&mut self, state: &mut State, source: &Range, target: &Range) {
        let Some(found) = state.memory.get(source.object.0).cloned() else { return };
        let Content::Cells(cells) = &*found.content else { return };
        // Cells that lie across the ends are cut there.
        let mut cells = cells.clone();
        let across = |cells: &Cells, at: u64| cells.touching(at, at + 1).any(|(from, _)| from != at);
        for end in [source.from, source.to] {
            if end > 0 && across(&cells, end) {
                self.cut_cells(&mut cells, end..end + 1, |_| true);
            }
        }
        let moved: Vec<(u64, Cell)> =
            cells.touching(source.from, source.to).map(|(at, cell)| (at - source.from, cell.clone())).collect();
        let mut fills = Vec::new();
        let mut at = source.from;
        while at < source.to {
            let (fill, end) = cells.fill_at(at);
            let end = end.min(source.to);
            fills.push((at - source.from, end - source.from, fill));
            at = end;
        }
        let shift = |fill: Fill| {
            let by = target.from.wrapping_sub(source.from);
            match fill {
                Fill::Byte(byte) => Fill::Byte(byte),
                Fill::Initial(object, shift) => Fill::Initial(object, shift.wrapping_add(by)),
                Fill::Region(region, shift) => Fill::Region(region, shift.wrapping_add(by)),
            }
        };
        self.with_cells(state, target.object, |sym, cells| {
            sym.clear(cells, target.from, target.to);
            for (from, to, fill) in fills {
                cells.set_fill(target.from + from, target.from + to, shift(fill));
            }
            for (at, cell) in moved {
                cells.insert(target.from + at, cell);
            }
        });
    }

    /// Fills a range with input. Gives the region and its size.
    pub(crate) fn havoc_range(&mut self, state: &mut State, at: &Value, size: &Value) -> Option<(RegionId, TermId)> {
        let region = self.new_region();
        let is_empty = matches!(size, Value::Const(bits) if bits.is_zero());
        if !is_empty && !self.fill(state, at, size, |from| Fill::Region(region, from)) {
            self.range_fault(state, at, size, true);
            for k in 0..self.counted_bytes(state, at, None, size)? {
                let place = self.byte_at(at, k);
                let byte = self.region_bytes(region, k, 1);
                self.store_within(state, &place, Value::Term(byte), k, size);
            }
        }
        Some((region, self.address(size)))
    }
}
