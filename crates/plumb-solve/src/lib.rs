//! Decides formulas over plumb-term's terms.

pub mod aig;
mod arrays;
#[doc(hidden)]
pub mod bench;
mod bit_solver;
mod blast;
pub mod circuits;
pub mod cnf;
mod dump;
mod eliminate;
pub mod limits;
mod process;
#[doc(hidden)]
pub mod random;
pub mod sat;
mod solver;

pub use bit_solver::{BitSolver, Stats};
pub use dump::Dump;
pub use limits::{Limits, Why};
pub use process::{ProcessSolver, Program};
pub use solver::{Outcome, Solver};
