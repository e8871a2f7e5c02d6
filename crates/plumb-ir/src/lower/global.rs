//! Static data: initialisers as ordered bytes and addresses, without overlap.

use super::{Context, GlobalSlot};
use crate::program::{Datum, DatumValue, GlobalObjInfo, GlobalVarInfo, ScalarInit};
use crate::ty::{Bits, Ty};
use plumb_c::hir::{self, AddressBase, GlobalInit, StaticPart, StaticValue};
use plumb_c::types::{BitRange, Type};
use std::collections::BTreeMap;

/// Gaps of zeros up to this size are written out rather than split into two data.
const SMALL_GAP: u64 = 32;

impl Context<'_> {
    /// The type of the register that a global can live in.
    pub(super) fn register_type(&self, id: hir::GlobalId) -> Option<Ty> {
        let global = self.hir.global(id);
        let is_taken = global.address_taken || self.address_in_data[id];
        if is_taken || global.ty.quals.is_volatile {
            return None;
        }
        let ty = self.register_class(global.ty.ty)?;
        match &global.init {
            GlobalInit::Extern | GlobalInit::Zero => Some(ty),
            // An address in an integer has no constant bits.
            GlobalInit::Data(parts) => {
                let has_address = parts.iter().any(|p| match p.value {
                    StaticValue::Address { base, offset } => match base {
                        AddressBase::Global(_) => true,
                        AddressBase::Function(_) => ty != Ty::Ptr || offset != 0,
                        AddressBase::Label(..) => false,
                    },
                    StaticValue::Int { .. } | StaticValue::Bits { .. } | StaticValue::Bytes(_) => false,
                });
                (!has_address || ty == Ty::Ptr).then_some(ty)
            }
        }
    }

    pub(super) fn register_info(&self, global: &hir::Global, ty: Ty) -> GlobalVarInfo {
        GlobalVarInfo {
            name: self.hir.names.shared(global.name),
            ty,
            cty: Some(global.ty.ty),
            init: ScalarInit::Const(Bits::ZERO),
            span: global.span,
        }
    }

    /// The object without its data, which may refer to objects that have no number yet.
    pub(super) fn object_info(&self, id: hir::GlobalId) -> GlobalObjInfo {
        let global = self.hir.global(id);
        GlobalObjInfo {
            name: self.hir.names.shared(global.name),
            size: self.object_size(global),
            align: global.align,
            cty: Some(global.ty.ty),
            init: Vec::new(),
            // An object that no unit defines gets its value at the start of the run, const or not.
            read_only: self.is_string(id) || (self.is_const(global) && !matches!(global.init, hir::GlobalInit::Extern)),
            is_volatile: global.ty.quals.is_volatile,
            is_foreign: false,
            span: global.span,
        }
    }

    /// A flexible array member that the initialiser fills makes the object larger than its type.
    fn object_size(&self, global: &hir::Global) -> u64 {
        let declared = self.hir.types.size_of(global.ty.ty).unwrap_or_else(|| self.one_element(global));
        match &global.init {
            GlobalInit::Extern | GlobalInit::Zero => declared,
            GlobalInit::Data(parts) => parts.iter().map(|p| self.part_end(p)).max().unwrap_or(0).max(declared),
        }
    }

    /// A tentative `int a[];` is completed with one element (C11 6.9.2p5); nothing is known of an external one.
    fn one_element(&self, global: &hir::Global) -> u64 {
        match (&global.init, self.hir.types.get(global.ty.ty)) {
            (GlobalInit::Zero, Type::Array(elem, _)) => self.size_of(elem.ty),
            _ => 0,
        }
    }

    fn part_end(&self, part: &StaticPart) -> u64 {
        part.offset
            + match &part.value {
                StaticValue::Int { bytes, .. } => *bytes,
                StaticValue::Bits { range, .. } => (range.start as u64 + range.width as u64).div_ceil(8),
                StaticValue::Bytes(bytes) => bytes.len() as u64,
                StaticValue::Address { .. } => self.target.pointer_bytes,
            }
    }

    pub(super) fn is_string(&self, id: hir::GlobalId) -> bool {
        self.hir.names.text(self.hir.global(id).name) == "string literal"
    }

    fn is_const(&self, global: &hir::Global) -> bool {
        let mut ty = global.ty;
        while let Type::Array(elem, _) = self.hir.types.get(ty.ty) {
            ty = plumb_c::types::QualTy {
                ty: elem.ty,
                quals: plumb_c::types::Quals { is_const: ty.quals.is_const || elem.quals.is_const, ..elem.quals },
            };
        }
        ty.quals.is_const
    }

    /// The value of a `const` register, which nothing can change.
    pub(super) fn constant_global(&self, id: hir::GlobalId, ty: Ty) -> Option<Bits> {
        let global = self.hir.global(id);
        if !global.ty.quals.is_const {
            return None;
        }
        match &global.init {
            GlobalInit::Extern => None,
            GlobalInit::Zero => Some(Bits::ZERO),
            GlobalInit::Data(parts) => match parts[..] {
                [StaticPart { offset: 0, value: StaticValue::Int { value, .. } }] => {
                    Some(Bits::new(value, ty.bits(&self.target)))
                }
                _ => None,
            },
        }
    }

    /// Fills in the initial value of a global that has its slot.
    pub(super) fn lower_global(&mut self, id: hir::GlobalId) {
        let GlobalInit::Data(parts) = &self.hir.global(id).init else {
            return;
        };
        let data = self.data(parts);
        match self.global(id) {
            GlobalSlot::Object(object) => self.objects[object].init = data,
            GlobalSlot::Register(var, ty) => {
                let init = match data.into_iter().next().map(|d| d.value) {
                    Some(DatumValue::Bytes(bytes)) => {
                        let low = bytes.iter().take(16).rev().fold(0u128, |sum, b| sum << 8 | *b as u128);
                        ScalarInit::Const(Bits::new(low, ty.bits(&self.target)))
                    }
                    Some(DatumValue::Object(object, offset)) => ScalarInit::Object(object, offset),
                    Some(DatumValue::Function(function)) => ScalarInit::Function(function),
                    None => ScalarInit::Const(Bits::ZERO),
                };
                self.vars[var].init = init;
            }
        }
    }

    /// Parts of an initialiser, of which later ones override earlier ones, as ordered data.
    pub(super) fn data(&mut self, parts: &[StaticPart]) -> Vec<Datum> {
        let mut image = Image { pieces: BTreeMap::new(), pointer_bytes: self.target.pointer_bytes };
        for part in parts {
            match &part.value {
                StaticValue::Int { value, bytes } => {
                    image.write(part.offset, &value.to_le_bytes()[..(*bytes).min(16) as usize]);
                }
                StaticValue::Bits { value, range } => image.write_bits(part.offset, *value, *range),
                StaticValue::Bytes(bytes) => image.write(part.offset, bytes),
                StaticValue::Address { base, offset } => self.write_address(&mut image, part.offset, *base, *offset),
            }
        }
        image.pieces.into_iter().map(|(offset, value)| Datum { offset, value: value.into() }).collect()
    }

    fn write_address(&mut self, image: &mut Image, at: u64, base: AddressBase, offset: i64) {
        let value = match base {
            AddressBase::Global(global) => match self.global(global) {
                GlobalSlot::Object(object) => DatumValue::Object(object, offset),
                GlobalSlot::Register(..) => {
                    let span = self.hir.global(global).span;
                    return self.broken_promise(span, "the address of a register is in static data");
                }
            },
            AddressBase::Function(function) if offset == 0 => DatumValue::Function(self.function(function)),
            AddressBase::Function(function) => {
                let span = self.hir.function(function).span;
                return self.diags.push(
                    plumb_c::diag::Diagnostic::error(span, "an address inside this function is in static data")
                        .help("use the function's own address"),
                );
            }
            AddressBase::Label(_, label) => {
                let number = label.number() as i64 + offset;
                return image.write(at, &number.to_le_bytes()[..self.target.pointer_bytes as usize]);
            }
        };
        image.write_pointer(at, value);
    }
}

enum Piece {
    Bytes(Vec<u8>),
    Pointer(DatumValue),
}

impl From<Piece> for DatumValue {
    fn from(piece: Piece) -> DatumValue {
        match piece {
            Piece::Bytes(bytes) => DatumValue::Bytes(bytes.into()),
            Piece::Pointer(value) => value,
        }
    }
}

/// The content of an object while its initialiser is laid over it, by offset.
struct Image {
    pieces: BTreeMap<u64, Piece>,
    pointer_bytes: u64,
}

impl Image {
    fn len(&self, piece: &Piece) -> u64 {
        match piece {
            Piece::Bytes(bytes) => bytes.len() as u64,
            Piece::Pointer(_) => self.pointer_bytes,
        }
    }

    fn end(&self) -> u64 {
        self.pieces.last_key_value().map_or(0, |(offset, piece)| offset + self.len(piece))
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let end = self.end();
        if offset < end {
            self.clear(offset, bytes.len() as u64);
        } else if let Some(mut last) = self.pieces.last_entry()
            && offset - end <= SMALL_GAP
            && let Piece::Bytes(run) = last.get_mut()
        {
            run.resize(run.len() + (offset - end) as usize, 0);
            run.extend_from_slice(bytes);
            return;
        }
        self.pieces.insert(offset, Piece::Bytes(bytes.to_vec()));
    }

    fn write_pointer(&mut self, offset: u64, value: DatumValue) {
        self.clear(offset, self.pointer_bytes);
        self.pieces.insert(offset, Piece::Pointer(value));
    }

    fn write_bits(&mut self, offset: u64, value: u128, range: BitRange) {
        for i in 0..range.width.min(128) as u64 {
            let bit = range.start as u64 + i;
            let mut byte = self.byte(offset + bit / 8);
            byte = byte & !(1 << (bit % 8)) | ((value >> i & 1) as u8) << (bit % 8);
            self.set_byte(offset + bit / 8, byte);
        }
    }

    fn set_byte(&mut self, offset: u64, byte: u8) {
        match self.pieces.range_mut(..=offset).next_back() {
            Some((start, Piece::Bytes(bytes))) if offset - start < bytes.len() as u64 => {
                bytes[(offset - start) as usize] = byte;
            }
            _ => self.write(offset, &[byte]),
        }
    }

    fn byte(&self, offset: u64) -> u8 {
        match self.pieces.range(..=offset).next_back() {
            Some((start, Piece::Bytes(bytes))) => bytes.get((offset - start) as usize).copied().unwrap_or(0),
            Some((_, Piece::Pointer(_))) | None => 0,
        }
    }

    /// Removes what the bytes from an offset on hold. A pointer that is hit goes as a whole.
    fn clear(&mut self, offset: u64, len: u64) {
        let end = offset + len;
        let first = self.pieces.range(..offset).next_back().map(|(start, _)| *start);
        let hit: Vec<u64> = first.into_iter().chain(self.pieces.range(offset..end).map(|(start, _)| *start)).collect();
        for start in hit {
            let piece_end = start + self.pieces.get(&start).map_or(0, |p| self.len(p));
            if piece_end <= offset {
                continue;
            }
            if let Some(Piece::Bytes(mut bytes)) = self.pieces.remove(&start) {
                if piece_end > end {
                    let tail = bytes.split_off((end - start) as usize);
                    self.pieces.insert(end, Piece::Bytes(tail));
                }
                if start < offset {
                    bytes.truncate((offset - start) as usize);
                    self.pieces.insert(start, Piece::Bytes(bytes));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image() -> Image {
        Image { pieces: BTreeMap::new(), pointer_bytes: 8 }
    }

    #[test]
    fn later_parts_override_earlier_ones() {
        let mut image = image();
        image.write(0, &[1, 2, 3, 4]);
        image.write(1, &[9, 9]);
        image.write_bits(3, 0b10, BitRange { start: 4, width: 2 });
        assert_eq!((0..5).map(|i| image.byte(i)).collect::<Vec<_>>(), [1, 9, 9, 0x24, 0]);
    }

    #[test]
    fn far_parts_stay_apart() {
        let mut image = image();
        image.write(0, &[1]);
        image.write(4, &[2]);
        image.write(1 << 40, &[3]);
        assert_eq!(image.pieces.len(), 2);
    }
}
