//! Why a function has no signature.

use crate::check::CheckKind;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoSignature {
    NoBody,
    NoResult,
    RecordResult,
    /// A floating-point number of more than 64 bits.
    FloatResult,
    PointerResult,
    WideResult,
    WritesGlobal(Arc<str>),
    /// Through a pointer to what is neither static nor the call's own.
    WritesMemory,
    Allocates,
    /// A check in a function, which is the function itself or one that it calls.
    HasCheck(CheckKind, Arc<str>),
    /// A floating-point number of more than 64 bits.
    FloatInput(Arc<str>),
    PointerInput(Arc<str>),
    WideInput(Arc<str>),
    /// A pointer parameter that is compared, passed on, moved or stored.
    PointerUse(Arc<str>),
    /// A pointer parameter behind which an index varies, and how much lies there differs between calls or is not known.
    UnknownExtent(Arc<str>),
    UnnamedMemory,
    OverlappingReads(Arc<str>),
    AddressAsNumber,
    AsksAboutMemory,
    IndirectCall,
    /// Memory that is not initialised, or filled from outside, and may be read.
    FilledFromOutside(Arc<str>),
    UsesPrintedLength,
    UsesStacks,
    TooManyInputs,
    NoInputs,
}

impl fmt::Display for NoSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use NoSignature::*;
        match self {
            NoBody => f.write_str("has no body"),
            NoResult => f.write_str("has no result"),
            RecordResult => f.write_str("its result is a structure or union"),
            FloatResult => f.write_str("its result is a floating-point number of more than 64 bits"),
            PointerResult => f.write_str("its result is a pointer"),
            WideResult => f.write_str("its result has more than 64 bits"),
            WritesGlobal(name) => write!(f, "writes the global `{name}`"),
            WritesMemory => f.write_str("writes memory through a pointer"),
            Allocates => f.write_str("allocates or frees memory"),
            HasCheck(kind, function) => {
                write!(f, "a check ({}) lies in `{function}`, and would go with the body", kind.name())
            }
            FloatInput(name) => write!(f, "its input `{name}` is a floating-point number of more than 64 bits"),
            PointerInput(name) => write!(f, "its input `{name}` is a pointer"),
            WideInput(name) => write!(f, "its input `{name}` has more than 64 bits"),
            PointerUse(name) => {
                write!(f, "uses its pointer `{name}` for more than reading what it points to")
            }
            UnknownExtent(name) => write!(f, "how much lies behind its pointer `{name}` is not the same in all calls"),
            UnnamedMemory => f.write_str("reads memory through a pointer that may point anywhere"),
            OverlappingReads(name) => write!(f, "reads parts of `{name}` that overlap"),
            AddressAsNumber => f.write_str("uses an address as a number"),
            AsksAboutMemory => f.write_str("depends on which objects are alive"),
            IndirectCall => f.write_str("calls through a pointer whose targets are not known"),
            FilledFromOutside(name) => {
                write!(f, "may read `{name}` before it writes it, or what was put there from outside")
            }
            UsesStacks => f.write_str("makes or switches stacks"),
            UsesPrintedLength => f.write_str("uses the length of what it prints"),
            TooManyInputs => write!(f, "has more than {} inputs", super::MAX_INPUTS),
            NoInputs => f.write_str("has no inputs"),
        }
    }
}
