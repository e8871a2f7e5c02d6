//! Reading constant objects at compile time: gcc lets static initialisers use the values of `const` variables and of
//! string literals.

use super::Sema;
use super::constant::{Reads, StaticConst};
use super::convert::{Class, wrap_bits};
use crate::hir::{AddressBase, Callee, Expr, ExprKind, Global, GlobalId, GlobalInit, StaticPart, StaticValue};

impl Sema<'_> {
    /// The value in an lvalue that no one can change.
    pub(crate) fn fold_load(&self, place: &Expr, reads: Reads) -> Option<StaticConst> {
        let StaticConst::Address { base: AddressBase::Global(id), offset } = self.fold_place(place, reads)? else {
            return None;
        };
        let global = &self.globals[id];
        let quals = place.ty.quals;
        let is_literal = self.is_string(id) || (self.is_named(id, "compound literal") && is_whole(place));
        let fixed = is_literal || (quals.is_const && global_is_const(self, global));
        if reads == Reads::None && !self.is_string(id) || !fixed || quals.is_volatile {
            return None;
        }
        if self.bit_range(place).is_some() {
            return None;
        }
        let size = self.types.size_of(place.ty.ty)?;
        let offset = u64::try_from(offset).ok()?;
        if offset.checked_add(size)? > self.types.size_of(global.ty.ty)? {
            return None;
        }
        let GlobalInit::Data(parts) = &global.init else { return None };
        match self.class(place.ty.ty) {
            Class::Int(kind) => {
                let value = read_bytes(parts, offset, size)?;
                match value {
                    StaticConst::Int(v) => Some(StaticConst::Int(self.wrap_int(v, kind))),
                    StaticConst::Float(_) | StaticConst::Address { .. } => Some(value),
                }
            }
            Class::Pointer(_) => match read_bytes(parts, offset, size)? {
                StaticConst::Int(v) => Some(StaticConst::Int(wrap_bits(v, self.types.target.pointer_bits(), false))),
                other => Some(other),
            },
            Class::Float(kind) => {
                let bits = match self.float_format(kind) {
                    crate::target::FloatFormat::F32 => 32,
                    crate::target::FloatFormat::F64 => 64,
                    crate::target::FloatFormat::X87 => 80,
                };
                match read_bytes(parts, offset, size)? {
                    StaticConst::Int(v) => Some(StaticConst::Float(wrap_bits(v, bits, false) as u128)),
                    StaticConst::Float(_) | StaticConst::Address { .. } => None,
                }
            }
            Class::Void | Class::Array | Class::Function | Class::Record(_) | Class::Error => None,
        }
    }

    /// Whether a global is a string literal.
    pub(crate) fn is_string(&self, id: GlobalId) -> bool {
        self.is_named(id, "string literal")
    }

    /// Globals that the analyser makes have names that no program can give.
    fn is_named(&self, id: GlobalId, name: &str) -> bool {
        self.names.text(self.globals[id].name) == name
    }

    /// `strlen("...")` is a constant to gcc.
    pub(crate) fn fold_call(&self, callee: &Callee, args: &[Expr], reads: Reads) -> Option<StaticConst> {
        let (Callee::Direct(function), [arg]) = (callee, args) else { return None };
        let function = &self.functions[*function];
        if self.names.text(function.name) != "strlen" || function.body.is_some() {
            return None;
        }
        let StaticConst::Address { base: AddressBase::Global(id), offset } = self.fold(arg, reads)? else {
            return None;
        };
        if !self.is_string(id) {
            return None;
        }
        let global = &self.globals[id];
        let GlobalInit::Data(parts) = &global.init else { return None };
        let size = self.types.size_of(global.ty.ty)?;
        let start = u64::try_from(offset).ok()?;
        let length = (start..size).position(|at| read_bytes(parts, at, 1) == Some(StaticConst::Int(0)))?;
        Some(StaticConst::Int(length as i128))
    }
}

/// gcc reads a scalar compound literal as a whole, and no part of one.
fn is_whole(place: &Expr) -> bool {
    matches!(place.kind, ExprKind::Global(_))
}

/// Whether the object itself was declared const: a const lvalue may also lead to a variable.
fn global_is_const(sema: &Sema<'_>, global: &Global) -> bool {
    let mut ty = global.ty;
    while let Some(elem) = sema.types.element(ty.ty) {
        ty = crate::types::QualTy { ty: elem.ty, quals: super::expr::merge_quals(elem.quals, ty.quals) };
    }
    ty.quals.is_const && !ty.quals.is_volatile
}

/// The bytes of a static initialiser as a little-endian number, or the address that fills them.
fn read_bytes(parts: &[StaticPart], offset: u64, size: u64) -> Option<StaticConst> {
    let mut bytes = [0u8; 16];
    let end = offset + size;
    if size > 16 {
        return None;
    }
    let mut address = None;
    for part in parts {
        let mut put = |data: &[u8]| {
            for (i, &byte) in data.iter().enumerate() {
                let at = part.offset + i as u64;
                if (offset..end).contains(&at) {
                    bytes[(at - offset) as usize] = byte;
                }
            }
        };
        match &part.value {
            StaticValue::Int { value, bytes: count } => put(&value.to_le_bytes()[..(*count).min(16) as usize]),
            StaticValue::Bytes(data) => {
                let from = offset.saturating_sub(part.offset).min(data.len() as u64) as usize;
                let to = end.saturating_sub(part.offset).min(data.len() as u64) as usize;
                for (i, &byte) in data[from..to.max(from)].iter().enumerate() {
                    bytes[(part.offset + (from + i) as u64 - offset) as usize] = byte;
                }
            }
            StaticValue::Bits { .. } => {
                if part.offset < end && part.offset + 16 > offset {
                    return None;
                }
            }
            StaticValue::Address { base, offset: inner } => {
                if part.offset == offset {
                    address = Some(StaticConst::Address { base: *base, offset: *inner });
                } else if part.offset < end && part.offset + 8 > offset {
                    return None;
                }
            }
        }
    }
    Some(address.unwrap_or(StaticConst::Int(i128::from_le_bytes(bytes))))
}
