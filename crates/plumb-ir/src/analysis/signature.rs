//! Signatures: what a function takes and gives as scalars, so that it can be called, replaced and judged by examples.
//!
//! The inputs are the parameters, the global registers and the memory that the function, or what it calls, reads and
//! somebody writes, and the values from outside that it asks for. Arrays and records are flattened: every element is an
//! input of its own. The output is the result. A function that changes anything else, or reads memory that has no
//! name here, has no signature, and the refusal says why.
//!
//! **Soundness.** Two calls that return, with equal inputs, return equal results.

use crate::input::InputId;
use crate::program::{FuncId, GlobalObj, GlobalVar, LocalVar};
use crate::ty::Ty;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub func: FuncId,
    pub inputs: Vec<Scalar>,
    pub output: ScalarType,
}

/// An input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// For people: `x`, `table[3]`, `r->width`, `read_sensor()`.
    pub name: Arc<str>,
    pub source: Source,
    pub ty: ScalarType,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScalarType {
    pub ty: Ty,
    pub is_signed: bool,
    pub is_bool: bool,
}

/// Where an input is when the function is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Source {
    Parameter(LocalVar),
    Global(GlobalVar),
    /// In a static object, so many bytes from its start.
    Object(GlobalObj, u64),
    /// In what a pointer parameter points to, so many bytes from there.
    Pointee(LocalVar, u64),
    /// A value from outside that every call asks for at most once.
    External(InputId),
}
