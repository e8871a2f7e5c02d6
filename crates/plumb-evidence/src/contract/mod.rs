//! Contracts as C: what witnesses, reports and headers tell of them.
//!
//! ```text
//!   text        formulas of contracts as C expressions
//!   definition  a function's definition in the program's text
//!   header      contracts above prototypes
//! ```
//!
//! A formula is told if each of its places has a name where the function is declared. A conjunct of an `ensures` that has
//! none is left out, which makes the contract weaker; a case whose `requires` has none is left out as a whole. Both are counted.

pub(crate) mod definition;
mod header;
mod text;

pub use header::header;
pub use text::{CaseText, ContractText, Old, contract_texts};
