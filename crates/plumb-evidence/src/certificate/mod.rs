//! Certificates: a proof, complete and as data.
//!
//! A witness of the Competition on Software Verification can only say what has a name in C. A certificate speaks of the automaton:
//! its facts are formulas over registers and bytes of objects at locations, so that everything a proof rests on can be
//! said: bit-fields, static variables of callees, temporaries, which abstract state of an inner loop belongs to which of
//! the loop around it. It is one JSON document:
//!
//! ```text
//!   files, machine, specification   what it is about, with the hashes of the files
//!   automata                        a digest of the automata: locations have the same numbers only in the same ones
//!   proof                           the method, and what it rests on
//!     unwinding    no loop iterates more often than the bound
//!     induction    facts of loop heads, and the depth k of the induction
//!     abstraction  the abstract states that are reached at loop heads
//!     modular      contracts of functions, a proof for each of them and one of the program that uses them
//! ```
//!
//! The parts of a modular proof are about derived programs ([`plumb_contract`]), which whoever reads it makes again from the
//! program and the contracts: the digest is that of the program itself.
//!
//! **Soundness.** None is needed here: whoever reads a certificate believes nothing of it (`validate/certificate.rs`).

mod contracts;
mod write;

pub(crate) use contracts::read_contracts;
pub use write::certificate;

use plumb_ir::program::Program;
use serde::{Deserialize, Serialize};

pub(crate) const FORMAT: &str = "plumb certificate";
pub(crate) const VERSION: u32 = 1;

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Certificate {
    pub format: String,
    pub version: u32,
    pub producer: String,
    pub files: Vec<File>,
    /// The name of the machine, as `--arch` takes it.
    pub machine: String,
    pub specification: String,
    pub automata: String,
    pub proof: ProofData,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub name: String,
    pub sha256: String,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(tag = "method", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ProofData {
    Unwinding {
        bound: u32,
    },
    /// There are finitely many states, and whoever confirms it visits them again.
    AllStates,
    Induction {
        k: u32,
        formulas: Formulas,
        loops: Vec<LoopFacts>,
    },
    Abstraction {
        bound: u32,
        formulas: Formulas,
        entries: Vec<Entry>,
        thresholds: Vec<Threshold>,
    },
    Modular {
        contracts: Vec<ContractData>,
        units: Vec<UnitProof>,
        top: Box<ProofData>,
    },
}

/// The terms of facts, as [`plumb_term::exchange`] writes them.
#[derive(Serialize, Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Formulas {
    pub lines: Vec<String>,
    pub symbols: Vec<Symbol>,
}

/// What the symbol of a line stands for.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Symbol {
    pub line: u32,
    pub part: Part,
    /// For readers, and to notice automata that are others.
    pub name: String,
}

/// A part of the state. Numbers are those of the automata; what is local belongs to the function of the loop.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Part {
    GlobalRegister(u32),
    LocalRegister(u32),
    GlobalBytes {
        object: u32,
        offset: u64,
    },
    LocalBytes {
        object: u32,
        offset: u64,
    },
    /// Bytes behind where a pointer points, or where the pointer points that lies `through` bytes behind that place.
    BehindGlobal {
        register: u32,
        through: Option<u64>,
        offset: u64,
    },
    BehindLocal {
        register: u32,
        through: Option<u64>,
        offset: u64,
    },
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoopFacts {
    pub head: Head,
    /// Lines of formulas. Every state at the head satisfies all of them.
    pub facts: Vec<u32>,
}

/// A location of a function: the head of a loop, or where a caller goes on.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    pub function: u32,
    pub location: u32,
    /// For readers: the function's name and the place in the text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

/// A loop that is entered abstractly.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub head: Head,
    pub call_stack: Vec<Head>,
    /// Lines of formulas.
    pub predicates: Vec<u32>,
    /// The abstract states: a `1` for each predicate that holds and a `0` for each that does not.
    pub states: Vec<String>,
    /// Entries before this one with the abstract state from which it is reached, where nothing is the program's start. Without a
    /// list it is reached from anywhere.
    pub arrivals: Option<Vec<Option<(usize, usize)>>>,
    /// By arrival, how loops were left on the way from there; without a list that is not said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exits: Vec<Vec<Exit>>,
}

/// How a loop was left that was not cut, the last time that it was.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exit {
    pub head: Head,
    /// How often its head was met again.
    pub iterations: u32,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Threshold {
    pub head: Head,
    /// Iterations that count before the loop is abstracted.
    pub counted: u32,
    /// No path has more, whether they count or not.
    pub iterations: u32,
}

/// A contract. Its formulas have symbols of their own.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContractData {
    pub function: u32,
    /// For readers.
    pub name: String,
    pub lines: Vec<String>,
    pub symbols: Vec<ContractSymbol>,
    pub cases: Vec<CaseData>,
}

/// What the symbol of a line stands for.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContractSymbol {
    pub line: u32,
    pub place: AtomData,
    pub signed: bool,
    /// For readers.
    pub name: String,
}

/// A value of a call: when the function is called, when it returns, or what it returns.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum AtomData {
    Entry(CellData),
    Exit(CellData),
    Result,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum CellData {
    Parameter(u32),
    GlobalRegister(u32),
    GlobalBytes { object: u32, offset: u64 },
    Pointee { parameter: u32, offset: u64 },
}

/// Lines of the contract's formulas.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseData {
    pub requires: u32,
    pub ensures: u32,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnitProof {
    pub function: u32,
    pub proof: ProofData,
}

/// A digest of the automata, by which a certificate for others is noticed before its numbers confuse anybody.
pub fn digest(program: &Program) -> String {
    use crate::witness::sha256::{hex, sha256};
    hex(&sha256(plumb_ir::print::program(program).as_bytes()))
}
