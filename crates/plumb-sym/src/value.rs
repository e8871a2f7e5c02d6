//! Symbolic values of registers and memory cells.
//!
//! What is constant stays a bit pattern and is computed with by [`plumb_ir::fold`], so that the concrete parts of a run
//! cost little more than a run. Truth values are terms of sort `Bool`, floats of sort `Float`, other integers of sort `Bv`.
//! Pointers are objects and offsets ([`crate::pointer`]); only where a program looks at an address as a number does it
//! become a term.

use plumb_c::target::Target;
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use plumb_term::{Format, Sort, TermId, Terms};
use std::sync::Arc;

/// An object of the run: a static one, one of an activation, or one from the heap. Functions are objects too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ObjId(pub u32);

plumb_ir::index::index_types!(ObjId);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Const(Bits),
    Term(TermId),
    /// A byte of an object, by its offset (a number of pointer width).
    Addr(ObjId, u64),
    /// One of several places.
    Pointer(Arc<[Place]>),
}

/// Where a pointer may point. The guards of a pointer's places exclude each other, and one of them holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub guard: TermId,
    /// `None`: `offset` is the address as a number.
    pub object: Option<ObjId>,
    /// Of pointer width.
    pub offset: TermId,
}

impl Value {
    pub const TRUE: Value = Value::Const(Bits::ONE);
    pub const FALSE: Value = Value::Const(Bits::ZERO);

    pub fn bool(value: bool) -> Value {
        Value::Const(Bits::bool(value))
    }

    pub fn as_const(&self) -> Option<Bits> {
        match self {
            Value::Const(bits) => Some(*bits),
            Value::Term(_) | Value::Addr(..) | Value::Pointer(_) => None,
        }
    }

    /// A term's value: a constant if it is one.
    pub fn of_term(term: TermId, terms: &Terms) -> Value {
        if let Some(value) = terms.as_bool(term) {
            return Value::bool(value);
        }
        match terms.const_bits(term).and_then(|bits| Some((bits.to_u128()?, bits.width()))) {
            Some((value, width)) if width <= 128 => Value::Const(Bits::new(value, width)),
            Some(_) | None => Value::Term(term),
        }
    }
}

pub fn format_of(format: FloatFormat) -> Format {
    match format {
        FloatFormat::F32 => Format::F32,
        FloatFormat::F64 => Format::F64,
        FloatFormat::X87 => Format::X87,
    }
}

/// The sort of the terms that stand for values of a type.
pub fn sort_of(ty: Ty, target: &Target) -> Sort {
    match ty {
        Ty::Int(1) => Sort::Bool,
        Ty::Int(bits) => Sort::Bv(bits as u32),
        Ty::Float(format) => Sort::Float(format_of(format)),
        Ty::Ptr => Sort::Bv(target.pointer_bits()),
    }
}

/// A constant as a term.
pub fn const_term(bits: Bits, ty: Ty, target: &Target, terms: &mut Terms) -> TermId {
    match ty {
        Ty::Int(1) => TermId::bool(!bits.is_zero()),
        Ty::Int(width) => terms.bv(width as u32, bits.u128()),
        Ty::Float(format) => terms.float_const(format_of(format), bits.u128()),
        Ty::Ptr => terms.bv(target.pointer_bits(), bits.u128()),
    }
}

/// The scalar of a type that a bit-vector from memory, of as many bytes as the type has, stands for.
pub fn from_bits(bits: TermId, ty: Ty, target: &Target, terms: &mut Terms) -> TermId {
    let width = ty.bits(target);
    match ty {
        Ty::Int(1) => {
            let low = terms.extract(bits, 0, 0);
            terms.bv_to_bool(low)
        }
        Ty::Float(format) => {
            let low = cut(bits, width, terms);
            terms.float_from_bits(low, format_of(format))
        }
        Ty::Int(_) | Ty::Ptr => cut(bits, width, terms),
    }
}

fn cut(bits: TermId, width: u32, terms: &mut Terms) -> TermId {
    if terms.width(bits) > width { terms.extract(bits, width - 1, 0) } else { bits }
}
