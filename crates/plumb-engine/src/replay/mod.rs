//! Claims on the machine: whether a violation is one of a real run, and which run that is.
//!
//! ```text
//!   realise   a model's inputs as those of a real run
//!   loose     violations that rest on what C leaves open
//!   outside   violations that rest on pointers from outside
//!   retrace   the run of a derived program with the inputs of a violation, step by step
//!   tuning    how often a replay polls its budget, and how far it looks
//! ```

pub mod loose;
mod outside;
pub mod realise;
pub mod retrace;
mod tuning;
