//! Decides formulas over plumb-term's terms.

pub mod aig;
pub mod circuits;
pub mod cnf;
pub mod limits;
#[doc(hidden)]
pub mod random;
pub mod sat;

pub use limits::{Limits, Why};
