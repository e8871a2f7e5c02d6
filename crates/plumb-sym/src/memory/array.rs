//! An object as one array term, its elements being units of 1, 2, 4 or 8 bytes.

use super::cells::{Cells, Fill};
use super::region::RegionId;
use crate::state::State;
use crate::sym::Sym;
use crate::value::{ObjId, Place, Value, from_bits};
use plumb_ir::program::{DatumValue, GlobalObj, foreign_addresses};
use plumb_ir::ty::Ty;
use plumb_term::{BinaryOp, Kind, Sort, TermId};
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct ArrayContent {
    pub array: TermId,
    /// Bytes of an element.
    pub unit: u64,
    /// Objects whose addresses have been stored.
    pub pointees: Arc<BTreeSet<ObjId>>,
    /// An address of the program's, or a part of one, may have been stored.
    pub holds_addresses: bool,
}

/// The elements that an access may touch, in the order of their addresses.
struct Window {
    indices: Vec<TermId>,
    /// All of them as one bit-vector.
    content: TermId,
    /// How many bits of it lie before the access: a number of its width.
    before: TermId,
}

/// Initial data of more elements than this are not turned into an array.
const MOST_ELEMENTS: u64 = 1 << 14;

impl Sym<'_> {
    /// The width of indices for an object of a size. Memory from outside is not as large as all addresses: an access beyond its end
    /// counts no more than elsewhere.
    fn array_index_width(&self, unit: u64, size: Option<u64>) -> u32 {
        let addresses = foreign_addresses(&self.program.target);
        let foreign = addresses.end - addresses.start;
        let is_foreign = self.foreign().is_some() && size == Some(foreign);
        let bits = if is_foreign { foreign.trailing_zeros() } else { self.pointer_width() };
        bits - unit.trailing_zeros()
    }

    /// The number of the element of an array that an offset is in.
    fn element(&mut self, array: TermId, offset: TermId, unit: u64) -> TermId {
        let low = unit.trailing_zeros();
        let width = self.index_width_of(array).min(self.pointer_width() - low);
        self.terms.extract(offset, low + width - 1, low)
    }

    fn index_width_of(&self, array: TermId) -> u32 {
        match self.terms.sort(array) {
            Sort::Array { index, .. } => index,
            Sort::Bool | Sort::Bv(_) | Sort::Float(_) => self.pointer_width(),
        }
    }

    /// Bytes at a constant offset as one bit-vector.
    pub(crate) fn array_bytes(&mut self, array: TermId, unit: u64, at: u64, size: u64) -> TermId {
        let first = at / unit;
        let last = (at + size - 1) / unit;
        let whole = self.put_together(first..last + 1, |sym, number| {
            let index = sym.terms.bv(sym.index_width_of(array), number as u128);
            (sym.terms.select(array, index), number + 1)
        });
        let lo = ((at - first * unit) * 8) as u32;
        self.terms.extract(whole, lo + size as u32 * 8 - 1, lo)
    }

    /// The scalar at an offset.
    pub(crate) fn array_load(&mut self, content: &ArrayContent, offset: TermId, ty: Ty) -> Value {
        let size = ty.bytes(&self.program.target);
        let (array, unit) = (content.array, content.unit);
        let rest = self.strides.of(offset, &self.terms).rest_of(unit);
        let bits = match (self.terms.as_u64(offset), rest) {
            (Some(at), _) => self.array_bytes(array, unit, at, size),
            (None, Some(rest)) if rest + size <= unit => {
                let index = self.element(array, offset, unit);
                let element = self.terms.select(array, index);
                self.terms.extract(element, ((rest + size) * 8 - 1) as u32, (rest * 8) as u32)
            }
            (None, Some(0)) if size.is_multiple_of(unit) => self.put_together(0..size, |sym, k| {
                let at = sym.moved(offset, k);
                let index = sym.element(array, at, unit);
                (sym.terms.select(array, index), k + unit)
            }),
            (None, Some(_) | None) => {
                let window = self.window(array, unit, offset, size);
                let moved = self.terms.bv_lshr(window.content, window.before);
                self.terms.extract(moved, size as u32 * 8 - 1, 0)
            }
        };
        let term = from_bits(bits, ty, &self.program.target, &mut self.terms);
        Value::of_term(term, &self.terms)
    }

    /// An offset so many bytes further on.
    pub(super) fn moved(&mut self, offset: TermId, by: u64) -> TermId {
        // Where the lowest bits are constant they stay apart.
        if let Kind::Binary(BinaryOp::Concat, high, low) = self.terms.kind(offset)
            && let Some(sum) = self.terms.as_u64(low).and_then(|low| low.checked_add(by))
            && self.terms.width(low) < 64
            && sum >> self.terms.width(low) == 0
        {
            let low = self.terms.bv(self.terms.width(low), sum.into());
            return self.terms.concat(high, low);
        }
        let by = self.offset_term(by);
        self.terms.bv_add(offset, by)
    }

    /// What an access of so many bytes may touch that may lie anywhere in its elements.
    fn window(&mut self, array: TermId, unit: u64, offset: TermId, size: u64) -> Window {
        let stride = self.strides.of(offset, &self.terms);
        // The most that is known of where in its first element the access begins.
        let known = (0..=unit.trailing_zeros()).rev().map(|low| 1 << low);
        let latest = known.filter_map(|by| stride.rest_of(by).map(|rest| unit - by + rest)).min().unwrap_or(unit - 1);
        let count = (latest + size - 1) / unit + 1;
        let indices: Vec<TermId> = (0..count)
            .map(|k| {
                let at = self.moved(offset, k * unit);
                self.element(array, at, unit)
            })
            .collect();
        let content = self.put_together(0..count, |sym, k| (sym.terms.select(array, indices[k as usize]), k + 1));
        let width = self.terms.width(content);
        let before = match unit {
            1 => self.terms.bv(width, 0),
            _ => {
                let bytes = self.terms.extract(offset, unit.trailing_zeros() - 1, 0);
                let eight = self.terms.bv(3, 0);
                let bits = self.terms.concat(bytes, eight);
                self.terms.resize_unsigned(bits, width)
            }
        };
        Window { indices, content, before }
    }

    /// The scalar at an offset; a pointer is one to an object whose address was stored in the array.
    pub(crate) fn array_value(
        &mut self,
        state: &mut State,
        object: ObjId,
        content: &ArrayContent,
        offset: TermId,
        ty: Ty,
    ) -> Value {
        let value = self.array_load(content, offset, ty);
        match value {
            Value::Term(number) if ty == Ty::Ptr => {
                let is_foreign = self.foreign() == Some(object);
                if is_foreign && !content.holds_addresses && content.pointees.is_empty() {
                    self.note_outside(number);
                }
                self.pointer_among(state, number, &content.pointees)
            }
            _ => value,
        }
    }

    /// A number read from memory as a pointer to one of the objects whose addresses were stored there. An object that is
    /// alive is meant rather than the end of another; where it may be one that is gone, nobody knows.
    fn pointer_among(&mut self, state: &mut State, number: TermId, pointees: &BTreeSet<ObjId>) -> Value {
        if pointees.is_empty() {
            return Value::of_term(number, &self.terms);
        }
        let list: Vec<ObjId> = pointees.iter().copied().filter(|object| *object != self.unknown).collect();
        for (i, &object) in list.iter().enumerate() {
            list[..i].iter().for_each(|other| self.know_disjoint(state, object, *other));
        }
        let mut places = Vec::new();
        let mut none = TermId::bool(true);
        let mut inner = TermId::bool(false);
        let mut unclear = TermId::bool(false);
        for is_end in [false, true] {
            for &object in &list {
                let (base, size) = (self.base(object), self.size_term(object));
                let offset = self.terms.bv_sub(number, base);
                let here = if is_end { self.terms.eq(offset, size) } else { self.terms.bv_ult(offset, size) };
                if !is_end {
                    let alive = self.alive(state, object);
                    let gone = self.terms.not(alive);
                    let gone = self.terms.and(here, gone);
                    let twice = self.terms.and(here, inner);
                    unclear = self.terms.or_all([unclear, gone, twice]);
                    inner = self.terms.or(inner, here);
                }
                let guard = self.terms.and(none, here);
                places.push(Place { guard, object: Some(object), offset });
                let elsewhere = self.terms.not(here);
                none = self.terms.and(none, elsewhere);
            }
        }
        self.give_up(state, unclear);
        places.push(match pointees.contains(&self.unknown) {
            true => {
                let base = self.base(self.unknown);
                Place { guard: none, object: Some(self.unknown), offset: self.terms.bv_sub(number, base) }
            }
            false => Place { guard: none, object: None, offset: number },
        });
        self.of_places(places)
    }

    /// The array with a bit-vector of whole bytes written at an offset.
    pub(crate) fn array_store(&mut self, array: TermId, unit: u64, offset: TermId, bits: TermId) -> TermId {
        let size = self.terms.width(bits) as u64 / 8;
        let rest = match self.terms.as_u64(offset) {
            Some(at) => Some(at % unit),
            None => self.strides.of(offset, &self.terms).rest_of(unit),
        };
        let Some(rest) = rest else { return self.array_store_anywhere(array, unit, offset, bits) };
        let mut array = array;
        let mut done = 0;
        while done < size {
            let inner = (rest + done) % unit;
            let part = (unit - inner).min(size - done);
            let at = self.moved(offset, done);
            let index = self.element(array, at, unit);
            let mut value = self.terms.extract(bits, ((done + part) * 8 - 1) as u32, (done * 8) as u32);
            if part < unit {
                let old = self.terms.select(array, index);
                if inner > 0 {
                    let low = self.terms.extract(old, (inner * 8 - 1) as u32, 0);
                    value = self.terms.concat(value, low);
                }
                if inner + part < unit {
                    let high = self.terms.extract(old, (unit * 8 - 1) as u32, ((inner + part) * 8) as u32);
                    value = self.terms.concat(high, value);
                }
            }
            array = self.terms.store(array, index, value);
            done += part;
        }
        array
    }

    /// The same where the bytes may lie anywhere in their elements: all of these are written, each with what it had beside the bytes.
    fn array_store_anywhere(&mut self, array: TermId, unit: u64, offset: TermId, bits: TermId) -> TermId {
        let window = self.window(array, unit, offset, self.terms.width(bits) as u64 / 8);
        let width = self.terms.width(window.content);
        let mask = self.terms.bv(self.terms.width(bits), 0);
        let mask = self.terms.bv_not(mask);
        let [mask, written] = [mask, bits].map(|bits| {
            let whole = self.terms.resize_unsigned(bits, width);
            self.terms.bv_shl(whole, window.before)
        });
        let others = self.terms.bv_not(mask);
        let others = self.terms.bv_and(window.content, others);
        let content = self.terms.bv_or(others, written);
        let mut result = array;
        let step = unit as u32 * 8;
        for (k, index) in (0..).zip(window.indices) {
            let element = self.terms.extract(content, (k + 1) * step - 1, k * step);
            result = self.terms.store(result, index, element);
        }
        result
    }

    /// The array that has the content of cells; `None` where that is not possible.
    pub(crate) fn array_of_cells(&mut self, cells: &Cells, unit: u64, size: Option<u64>) -> Option<ArrayContent> {
        let mut pointees = BTreeSet::new();
        let element = unit as u32 * 8;
        let width = self.array_index_width(unit, size);
        let mut array = match cells.pieces()[0].1 {
            Fill::Byte(byte) => {
                let byte = self.terms.bv(element, u128::from_le_bytes([byte; 16]));
                self.terms.const_array(width, byte)
            }
            Fill::Initial(..) => {
                let zero = self.terms.bv(element, 0);
                self.terms.const_array(width, zero)
            }
            Fill::Region(region, 0) => {
                self.note_region(region, &mut pointees);
                self.region_array(region, unit, width)?
            }
            Fill::Region(..) => return None,
        };
        // Cells of memory from outside are few: what they hold is not looked at.
        let holds_addresses = cells.all().next().is_some();
        let pieces: Vec<(u64, Fill)> = cells.pieces().to_vec();
        for (i, (from, fill)) in pieces.iter().enumerate() {
            let is_first = i == 0 && !matches!(fill, Fill::Initial(..));
            if is_first || size.is_some_and(|size| *from >= size) {
                continue;
            }
            let end = pieces.get(i + 1).map_or(size, |(from, _)| Some(size.map_or(*from, |s| s.min(*from))))?;
            if (end - from) / unit > MOST_ELEMENTS || from % unit != 0 || end % unit != 0 {
                return None;
            }
            match fill {
                Fill::Initial(object, _) => self.note_initial(*object, &mut pointees),
                Fill::Region(region, _) => self.note_region(*region, &mut pointees),
                Fill::Byte(_) => {}
            }
            for at in (*from..end).step_by(unit as usize) {
                let value = self.fill_value(*fill, at, Ty::Int(element as u8));
                let bits = self.bits_of(&value, Ty::Int(element as u8));
                let zero = matches!(fill, Fill::Initial(..)) && self.terms.as_u64(bits) == Some(0) && i == 0;
                if !zero {
                    let offset = self.offset_term(at);
                    array = self.array_store(array, unit, offset, bits);
                }
            }
        }
        for (at, cell) in cells.all() {
            self.note_pointees(&cell.value, &mut pointees);
            let bits = self.bits_of(&cell.value, cell.ty);
            let offset = self.offset_term(at);
            array = self.array_store(array, unit, offset, bits);
        }
        Some(ArrayContent { array, unit, pointees: Arc::new(pointees), holds_addresses })
    }

    fn note_region(&self, region: RegionId, pointees: &mut BTreeSet<ObjId>) {
        if self.region(region).may_hold_pointers {
            pointees.insert(self.unknown);
        }
    }

    /// What the initial data of an object point to.
    fn note_initial(&self, object: GlobalObj, pointees: &mut BTreeSet<ObjId>) {
        for datum in &self.program.object(object).init {
            match datum.value {
                DatumValue::Bytes(_) => {}
                DatumValue::Object(target, _) => {
                    pointees.insert(ObjId(target.0));
                }
                DatumValue::Function(function) => {
                    pointees.insert(self.function_object(function));
                }
            }
        }
    }

    pub(crate) fn note_pointees(&self, value: &Value, pointees: &mut BTreeSet<ObjId>) {
        match value {
            Value::Addr(object, _) => {
                pointees.insert(*object);
            }
            Value::Pointer(places) => pointees.extend(places.iter().filter_map(|p| p.object)),
            Value::Term(term) if self.addresses.possible.contains(term) => {
                pointees.insert(self.unknown);
            }
            Value::Const(_) | Value::Term(_) => {}
        }
    }
}
