//! Facts about the states at loop heads: one language for candidates, invariants and predicates, and where candidates come
//! from.
//!
//! ```text
//!   fact         the language: evaluated on values, and as terms
//!   linear       linear combinations of quantities
//!   from_term    facts from terms
//!   observed     what of a state at a loop head facts are about
//!   samples      states that runs have at loop heads
//!   conditions   what the program itself compares
//!   suggest      candidate invariants that hold of all samples
//! ```
//!
//! A fact by itself is a candidate: nobody may assume it before a solver has proved it, or without naming who has.

pub(crate) mod conditions;
mod fact;
mod from_term;
mod linear;
mod observed;
pub(crate) mod samples;
pub(crate) mod suggest;
mod tuning;

pub use fact::{Fact, Quantity, Sum, View};
pub use observed::{Observed, part_value};
pub use samples::Samples;
