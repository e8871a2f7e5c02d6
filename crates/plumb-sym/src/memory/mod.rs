//! Memory: objects with contents.
//!
//! ```text
//!   cells    an object as scalars at constant offsets, the rest filled with zeros, initial data or input
//!   array    an object as one array term, once it is accessed at too many offsets that are not constant
//!   region   input that fills memory: bytes become symbols when they are looked at
//!   bytes    scalars cut into bytes and put together
//!   access   loads and stores through pointers
//!   block    copying and filling ranges
//!   reach    whole objects, and what they point to, become input
//!   foreign  numbers that lead to memory from outside
//! ```
//!
//! A dereference goes to every place that the pointer may have; for a place at a constant offset it is a look-up.

pub(crate) mod access;
mod array;
mod block;
mod bytes;
pub(crate) mod cells;
pub(crate) mod foreign;
mod reach;
pub mod region;

use crate::value::Value;
use plumb_ir::program::{EdgeId, FuncId, GlobalObj, LocalObj};
use plumb_term::TermId;
use std::sync::Arc;

pub(crate) use array::ArrayContent;
pub(crate) use cells::Cells;

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Static(GlobalObj),
    Function(FuncId),
    /// Of an activation.
    Local,
    Heap,
}

/// What does not change about an object.
#[derive(Clone, Debug)]
pub struct ObjectInfo {
    pub kind: ObjectKind,
    pub name: Arc<str>,
    /// In bytes, a number of pointer width.
    pub size: Value,
    pub align: u64,
    pub read_only: bool,
    /// Made by a library model: how large it is says nothing about real ones.
    pub of_model: bool,
    /// The local that it is, of an activation of the function.
    pub local: Option<(FuncId, LocalObj)>,
    /// The edge that allocated it; if a library model did, the call of that in the user's code.
    pub site: Option<(FuncId, EdgeId)>,
    /// The symbol for its address.
    pub base: Option<TermId>,
}

impl ObjectInfo {
    /// Of a kind, which is written, not a model's, and has no local or allocation site behind it.
    pub(crate) fn new(kind: ObjectKind, name: impl Into<Arc<str>>, size: Value, align: u64) -> ObjectInfo {
        let name = name.into();
        ObjectInfo { kind, name, size, align, read_only: false, of_model: false, local: None, site: None, base: None }
    }

    /// Whether a compiler may keep it and another one of its kind as one: literals and constants.
    pub fn may_be_shared(&self) -> bool {
        self.read_only && matches!(self.kind, ObjectKind::Static(_))
    }

    pub fn const_size(&self) -> Option<u64> {
        self.size.as_const().map(|bits| bits.u64())
    }
}

/// An object in a state.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub content: Arc<Content>,
    /// Whether it is alive, as a term.
    pub alive: TermId,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Cells(Cells),
    Array(ArrayContent),
}
