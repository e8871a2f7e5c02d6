//! Input sites: where values from outside enter a program, and what they are to the user.

use crate::ty::Ty;
use plumb_c::source::Span;
use plumb_c::types::TyId;
use serde::Serialize;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct InputId(pub u32);

plumb_c::index_types!(InputId);

/// Why a value is arbitrary.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InputOrigin {
    /// `__VERIFIER_nondet_int()` and the like: the function's name.
    Nondet(Arc<str>),
    /// A call of a function without a body or model.
    External(Arc<str>),
    /// What such a function leaves in the memory that it is handed.
    ExternalMemory(Arc<str>),
    /// What memory holds that is no object of the program (`lower/foreign.rs`).
    ForeignMemory,
    /// A library model's choice: the library function's name.
    Library(Arc<str>),
    /// A local that is read before it is written.
    Uninitialised(Arc<str>),
    /// What lies between the members of a local whose initialiser names them all.
    Padding(Arc<str>),
    /// Fresh heap or stack memory.
    FreshMemory,
    /// An object that is declared but defined nowhere.
    ExternalObject(Arc<str>),
    /// A read of a volatile object.
    Volatile(Arc<str>),
    /// A read from a constant address: a memory-mapped register.
    Register(u64),
    /// `argc`, `argv` contents.
    MainArgument,
    /// An argument of another function that a run starts with: the function's name, and the parameter's.
    EntryArgument(Arc<str>, Arc<str>),
    /// An output of inline assembly.
    Assembly,
    /// An argument that the call left out.
    MissingArgument(Arc<str>),
    /// A function that ends without a value although its caller may use one.
    MissingReturn(Arc<str>),
    /// What a summary chose for the function of this name: only derived programs have such inputs.
    Summary(Arc<str>),
    /// What a global held when the function of a unit was called: only derived programs have such inputs.
    UnitState(Arc<str>),
    /// Who runs next where control can be taken away: the name of the dispatch function that asks. See [`crate::preempt`].
    Schedule(Arc<str>),
}

/// Where a scalar input lies in the region that it was a part of. The parts of one region are asked for in order of offset,
/// one after the other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InputPart {
    pub offset: u64,
    /// What comes behind the name of the whole: `.field[2]`.
    pub path: Arc<str>,
    /// The C type of the whole, where it has one.
    pub whole: Option<TyId>,
    pub is_first: bool,
}

impl InputOrigin {
    /// A value that the model of a library function leaves open but every library has fixed: the rounding of `sin`, the
    /// number behind the sign of `memcmp`, what `rand_r` makes of a seed, the words of `strerror`. What a program does with values that no library
    /// returns says little about it.
    pub fn is_open(&self, ty: Option<Ty>) -> bool {
        match self {
            InputOrigin::Library(name) => match ty {
                Some(Ty::Float(_)) => true,
                Some(Ty::Int(_)) => name.starts_with("__plumb_open_"),
                None => matches!(&**name, "strerror" | "asctime" | "ctime"),
                Some(Ty::Ptr) => false,
            },
            InputOrigin::Nondet(_)
            | InputOrigin::External(_)
            | InputOrigin::ExternalMemory(_)
            | InputOrigin::ForeignMemory
            | InputOrigin::Uninitialised(_)
            | InputOrigin::Padding(_)
            | InputOrigin::FreshMemory
            | InputOrigin::ExternalObject(_)
            | InputOrigin::Volatile(_)
            | InputOrigin::Register(_)
            | InputOrigin::MainArgument
            | InputOrigin::EntryArgument(..)
            | InputOrigin::Assembly
            | InputOrigin::MissingArgument(_)
            | InputOrigin::MissingReturn(_)
            | InputOrigin::Summary(_)
            | InputOrigin::UnitState(_)
            | InputOrigin::Schedule(_) => false,
        }
    }

    /// A value that the program never gave: what memory, a missing argument or a missing result happens to be.
    pub fn is_garbage(&self) -> bool {
        match self {
            InputOrigin::Uninitialised(_)
            | InputOrigin::Padding(_)
            | InputOrigin::FreshMemory
            | InputOrigin::MissingArgument(_)
            | InputOrigin::MissingReturn(_) => true,
            InputOrigin::Nondet(_)
            | InputOrigin::External(_)
            | InputOrigin::ExternalMemory(_)
            | InputOrigin::ForeignMemory
            | InputOrigin::Library(_)
            | InputOrigin::ExternalObject(_)
            | InputOrigin::Volatile(_)
            | InputOrigin::Register(_)
            | InputOrigin::MainArgument
            | InputOrigin::EntryArgument(..)
            | InputOrigin::Assembly
            | InputOrigin::Summary(_)
            | InputOrigin::UnitState(_)
            | InputOrigin::Schedule(_) => false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct InputSite {
    pub origin: InputOrigin,
    /// `None` for a region of bytes.
    pub ty: Option<Ty>,
    /// The C type as declared: an input of type `_Bool` is 0 or 1, whatever its IR type. For a region, the type of the
    /// whole object where it has one.
    pub cty: Option<TyId>,
    /// For a scalar that promotion has cut out of a region.
    pub part: Option<InputPart>,
    pub is_signed: bool,
    pub is_bool: bool,
    pub span: Span,
}
