//! Scalars cut into bytes and put together, and loads and stores at constant offsets of cells.

use super::cells::{Cell, Cells, Fill};
use crate::eval::pattern::has_pattern;
use crate::sym::Sym;
use crate::value::{ObjId, Value, const_term, from_bits};
use plumb_ir::program::{DatumValue, GlobalObj};
use plumb_ir::ty::{Bits, Ty};
use plumb_term::TermId;
use std::ops::Range;

impl Sym<'_> {
    /// A value as a term of the sort of its type.
    pub(crate) fn term_of(&mut self, value: &Value, ty: Ty) -> TermId {
        match value {
            Value::Const(bits) => const_term(*bits, ty, &self.program.target, &mut self.terms),
            Value::Term(term) => *term,
            Value::Addr(..) | Value::Pointer(_) => self.address(value),
        }
    }

    /// A value as the bit-vector that memory holds, of as many bytes as the type has.
    pub(crate) fn bits_of(&mut self, value: &Value, ty: Ty) -> TermId {
        let bytes = ty.bytes(&self.program.target) as u32;
        if let Value::Const(bits) = value
            && has_pattern(*bits, ty)
        {
            return self.terms.bv(bytes * 8, bits.u128());
        }
        let term = self.term_of(value, ty);
        let bits = self.pattern(term);
        self.terms.resize_unsigned(bits, bytes * 8)
    }

    /// What a value that was stored as one type is when it is read as another of the same size.
    fn reread(&mut self, value: &Value, from: Ty, to: Ty) -> Value {
        match value {
            _ if from == to => value.clone(),
            Value::Const(bits) if has_pattern(*bits, from) => {
                Value::Const(Bits::new(bits.u128(), to.bits(&self.program.target)))
            }
            Value::Const(_) | Value::Term(_) | Value::Addr(..) | Value::Pointer(_) => {
                let bits = self.bits_of(value, from);
                let term = from_bits(bits, to, &self.program.target, &mut self.terms);
                Value::of_term(term, &self.terms)
            }
        }
    }

    /// The scalar at a constant offset.
    pub(crate) fn cells_load(&mut self, cells: &Cells, at: u64, ty: Ty) -> Value {
        let size = ty.bytes(&self.program.target);
        if let Some(cell) = cells.get(at)
            && cell.size == size
        {
            return self.reread(&cell.value, cell.ty, ty);
        }
        let (fill, end) = cells.fill_at(at);
        if cells.touching(at, at + size).next().is_none() && end >= at + size {
            return self.fill_value(fill, at, ty);
        }
        let bits = self.cells_bits(cells, at, size);
        let term = from_bits(bits, ty, &self.program.target, &mut self.terms);
        Value::of_term(term, &self.terms)
    }

    /// Bytes of cells as one bit-vector, the first byte lowest.
    fn cells_bits(&mut self, cells: &Cells, at: u64, size: u64) -> TermId {
        self.put_together(at..at + size, |sym, next| match cells.touching(next, next + 1).next() {
            Some((from, cell)) => {
                let end = (from + cell.size).min(at + size);
                let bits = sym.bits_of(&cell.value, cell.ty);
                (sym.terms.extract(bits, (end - from) as u32 * 8 - 1, (next - from) as u32 * 8), end)
            }
            None => {
                let (fill, _) = cells.fill_at(next);
                let byte = sym.fill_value(fill, next, Ty::Int(8));
                (sym.bits_of(&byte, Ty::Int(8)), next + 1)
            }
        })
    }

    /// One bit-vector from parts of a range that is not empty, the first lowest. A part is given with where it ends.
    pub(crate) fn put_together(
        &mut self,
        range: Range<u64>,
        mut part: impl FnMut(&mut Self, u64) -> (TermId, u64),
    ) -> TermId {
        let (mut whole, mut next) = part(self, range.start);
        while next < range.end {
            let (high, end) = part(self, next);
            whole = self.terms.concat(high, whole);
            next = end;
        }
        whole
    }

    /// The scalar that a fill has at an offset.
    pub(crate) fn fill_value(&mut self, fill: Fill, at: u64, ty: Ty) -> Value {
        let size = ty.bytes(&self.program.target);
        match fill {
            Fill::Byte(byte) => Value::Const(Bits::new(u128::from_le_bytes([byte; 16]), ty.bits(&self.program.target))),
            Fill::Initial(object, shift) => self.initial(object, at.wrapping_sub(shift), size, ty),
            Fill::Region(region, shift) => {
                let bits = self.region_bytes(region, at.wrapping_sub(shift), size);
                if ty == Ty::Ptr && self.region(region).is_outside && self.terms.as_symbol(bits).is_some() {
                    self.note_outside(bits);
                }
                let term = from_bits(bits, ty, &self.program.target, &mut self.terms);
                Value::of_term(term, &self.terms)
            }
        }
    }

    fn initial(&mut self, object: GlobalObj, at: u64, size: u64, ty: Ty) -> Value {
        let program = self.program;
        let pointer_bytes = self.pointer_width() as u64 / 8;
        let length = |value: &DatumValue| match value {
            DatumValue::Bytes(bytes) => bytes.len() as u64,
            DatumValue::Object(..) | DatumValue::Function(_) => pointer_bytes,
        };
        let data = &program.object(object).init;
        let first = data.partition_point(|d| d.offset + length(&d.value) <= at);
        let mut bytes = [0u8; 16];
        let mut pointers = Vec::new();
        for datum in data[first..].iter().take_while(|d| d.offset < at + size) {
            match &datum.value {
                DatumValue::Bytes(list) => {
                    for (k, byte) in list.iter().enumerate() {
                        let place = datum.offset + k as u64;
                        if (at..at + size).contains(&place) {
                            bytes[(place - at) as usize] = *byte;
                        }
                    }
                }
                DatumValue::Object(target, offset) => {
                    let offset = Bits::new(*offset as u128, self.pointer_width()).u64();
                    pointers.push((datum.offset, Value::Addr(ObjId(target.0), offset)));
                }
                DatumValue::Function(function) => {
                    pointers.push((datum.offset, Value::Addr(self.function_object(*function), 0)));
                }
            }
        }
        match &pointers[..] {
            [] => Value::Const(Bits::new(u128::from_le_bytes(bytes), ty.bits(&program.target))),
            [(from, pointer)] if *from == at && size == pointer_bytes => self.reread(pointer, Ty::Ptr, ty),
            _ => {
                let mut whole = self.terms.bv(size as u32 * 8, u128::from_le_bytes(bytes));
                for (from, pointer) in &pointers {
                    let number = self.address(pointer);
                    for k in 0..pointer_bytes {
                        let place = from + k;
                        if !(at..at + size).contains(&place) {
                            continue;
                        }
                        let byte = self.terms.extract(number, k as u32 * 8 + 7, k as u32 * 8);
                        let wide = self.terms.zero_extend(byte, size as u32 * 8);
                        let count = self.terms.bv(size as u32 * 8, ((place - at) * 8) as u128);
                        let moved = self.terms.bv_shl(wide, count);
                        whole = self.terms.bv_or(whole, moved);
                    }
                }
                let term = from_bits(whole, ty, &program.target, &mut self.terms);
                Value::of_term(term, &self.terms)
            }
        }
    }

    /// Writes a scalar at a constant offset.
    pub(crate) fn cells_store(&mut self, cells: &mut Cells, at: u64, value: Value, ty: Ty) {
        let size = ty.bytes(&self.program.target);
        match cells.get(at) {
            Some(cell) if cell.size == size => {}
            Some(_) | None => self.clear(cells, at, at + size),
        }
        let value = self.with_pattern(value, ty);
        cells.insert(at, Cell { value, ty, size });
    }

    /// Takes the cells of a range away. What they have outside of it stays, as bytes.
    pub(crate) fn clear(&mut self, cells: &mut Cells, from: u64, to: u64) {
        self.cut_cells(cells, from..to, |at| !(from..to).contains(&at));
    }

    /// Cuts the cells of a range into bytes, of which those stay that are to be kept.
    pub(crate) fn cut_cells(&mut self, cells: &mut Cells, range: Range<u64>, keep: impl Fn(u64) -> bool) {
        let touching = cells.touching(range.start, range.end).map(|(at, cell)| (at, cell.clone()));
        for (at, cell) in touching.collect::<Vec<(u64, Cell)>>() {
            cells.remove(at);
            for k in (0..cell.size).filter(|k| keep(at + k)) {
                let bits = self.bits_of(&cell.value, cell.ty);
                let byte = self.terms.extract(bits, k as u32 * 8 + 7, k as u32 * 8);
                let value = Value::of_term(byte, &self.terms);
                cells.insert(at + k, Cell { value, ty: Ty::Int(8), size: 1 });
            }
        }
    }
}
