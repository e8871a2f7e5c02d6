//! Signatures: what a function takes and gives as scalars, so that it can be called, replaced and judged by examples.
//!
//! The inputs are the parameters, the global registers and the memory that the function, or what it calls, reads and
//! somebody writes, and the values from outside that it asks for. Arrays and records are flattened: every element is an
//! input of its own. The output is the result. A function that changes anything else, or reads memory that has no
//! name here, has no signature, and the refusal says why.
//!
//! What cannot influence the result is no input: a parameter that is not read, a global that nobody writes, what is read
//! by a call whose result is dropped and that writes nothing (output is not a write). Ending the run is allowed: only
//! calls that return have a result. Floats are scalars like others; whether they are integral enough for a summary is for examples
//! to say.
//!
//! **Soundness.** Two calls that return, with equal inputs, return equal results; an input that is a stream of values from
//! outside is equal if all its values are. The argument: no pointer enters a call
//! other than those parameters through which the function itself only loads, so every object that the call accesses is
//! static, or behind such a parameter, or was made in the call; what of the first two somebody writes is an input, and
//! what is in the third follows from the inputs. Addresses of locals differ from call to call and must not become
//! numbers. What the points-to analysis takes for granted is taken for granted here: an access stays inside the object that its
//! address was computed from.
//!
//! ```text
//!   collect    the walk over what can influence the result      refusal   why there is no signature
//!   cells      scalars in memory, with their names and types    asked     how often a call asks for an input
//!   address    bases and offsets of addresses
//!   garbage    whether memory is written before it is read      filled    loops that write all elements of an array
//! ```

mod address;
mod asked;
mod cells;
mod collect;
mod filled;
mod garbage;
mod refusal;
#[cfg(test)]
mod tests;

pub use address::{aliases, split};
pub use cells::scalar_type;
pub use refusal::NoSignature;

use crate::analysis::Analyses;
use crate::input::InputId;
use crate::lower::RESULT_ADDRESS;
use crate::program::{FuncId, GlobalObj, GlobalVar, LocalVar};
use crate::ty::{FloatFormat, Ty};
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
    /// Values from outside that one call may ask for again and again.
    Stream(InputId),
}

impl Signature {
    /// Whether the inputs are so many values, and not a stream: only then can examples be made.
    pub fn is_finite(&self) -> bool {
        !self.inputs.iter().any(|input| matches!(input.source, Source::Stream(_)))
    }
}

/// Functions with more inputs have no signature: examples would cover too little of them.
pub const MAX_INPUTS: usize = 64;

/// What the function takes and gives, or why that cannot be said with scalars.
pub fn signature(analyses: &Analyses, func: FuncId) -> Result<Signature, NoSignature> {
    let output = result_type(analyses, func)?;
    let inputs = collect::inputs(analyses, func)?;
    match inputs.len() {
        0 => Err(NoSignature::NoInputs),
        1..=MAX_INPUTS => Ok(Signature { func, inputs, output }),
        _ => Err(NoSignature::TooManyInputs),
    }
}

/// The type of the result, of a function that changes nothing else.
fn result_type(analyses: &Analyses, func: FuncId) -> Result<ScalarType, NoSignature> {
    let program = analyses.program();
    let function = program.function(func);
    if !function.has_body {
        return Err(NoSignature::NoBody);
    }
    collect::refuse_writes(analyses, func)?;
    match function.ret {
        None if function.params().first().is_some_and(|first| &*first.name == RESULT_ADDRESS) => {
            Err(NoSignature::RecordResult)
        }
        None => Err(NoSignature::NoResult),
        Some(Ty::Float(FloatFormat::X87)) => Err(NoSignature::FloatResult),
        Some(Ty::Ptr) => Err(NoSignature::PointerResult),
        Some(Ty::Int(bits)) if bits > 64 => Err(NoSignature::WideResult),
        Some(ty) => Ok(cells::scalar_type(program, ty, function.ret_cty)),
    }
}
