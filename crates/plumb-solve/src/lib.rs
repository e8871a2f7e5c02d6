//! Decides formulas over plumb-term's terms.
//!
//! ```
//! use plumb_solve::{BitSolver, Outcome, Solver};
//! use plumb_term::{Sort, Terms};
//! let (mut terms, mut solver) = (Terms::new(), BitSolver::new());
//! let (x, y) = (terms.symbol("x", Sort::Bv(16)), terms.symbol("y", Sort::Bv(16)));
//! let (product, goal) = (terms.bv_mul(x, y), terms.bv(16, 143));
//! let equal = terms.eq(product, goal);
//! solver.assert(&mut terms, equal);
//! let one = terms.bv(16, 1);
//! let proper = [terms.bv_ult(one, x), terms.bv_ult(x, goal)];
//! assert_eq!(solver.check(&mut terms, &proper), Outcome::Sat);
//! let value = solver.value(&terms, product);
//! assert_eq!(value, terms.constant(goal));
//! ```
//!
//! * [`Solver`] is what engines know: assertions in scopes, checks under assumptions, models, cores, [`Limits`].
//! * [`BitSolver`] is the default, from top to bottom: `eliminate` (definitions replaced), `parts` (assertions
//!   that a query has nothing to do with left out), `blast` (terms to gates, through
//!   [`circuits`]), [`aig`] (gates), [`cnf`] (clauses), [`sat`] (CaDiCaL); `arrays` adds lemmas when a model breaks arrays.
//! * [`Independence`] and [`ValueSets`] answer questions about lists of conditions without a solver: which of them have to do
//!   with each other, and which values they allow of one number.
//! * [`ProcessSolver`] asks z3, cvc5 or bitwuzla. [`SolverChoice`] is for who lets the user choose, and writes queries to files.
//!
//! Refused as unsupported, never guessed: remainders of x87 floats, whose circuit would have thirty thousand rows.

pub mod aig;
mod arrays;
#[doc(hidden)]
pub mod bench;
mod bit_solver;
mod blast;
mod choice;
pub mod circuits;
pub mod cnf;
mod dump;
mod eliminate;
mod independence;
pub mod limits;
mod parts;
mod process;
#[doc(hidden)]
pub mod random;
pub mod sat;
mod solver;
mod value_sets;

pub use bit_solver::{BitSolver, Stats};
pub use choice::SolverChoice;
pub use dump::QueryFolder;
pub use independence::{Group, Independence};
pub use limits::{Limits, Why};
pub use process::{ProcessSolver, Program};
pub use solver::{Outcome, Solver};
pub use value_sets::ValueSets;
