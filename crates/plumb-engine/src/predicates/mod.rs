//! What engines that abstract states by predicates have in common.
//!
//! ```text
//!   assigned       what the edges of a loop assign
//!   vocabulary     the symbols that predicates are made of
//!   precision      which predicates a loop head has
//!   feasibility/   queries about path conditions, most of them without the solver
//!   valuations     the values that predicates can have together
//!   loop_states    abstract states of loops as invariants
//!   refinement/    new predicates against a spurious counterexample
//!   exchange       what is read from and posted to the board
//!   targets        what a proof has to exclude
//!   verdict        obstacles, assumptions and violations
//! ```
//!
//! Path-wise search with abstraction at loop heads (`symex`) and abstract reachability over blocks (`reach`) differ in what
//! they follow and how they cover it. Both ask which valuations of predicates a formula allows, and both cut a spurious
//! counterexample at loop heads and look for predicates that exclude it.

pub mod assigned;
pub mod exchange;
pub mod feasibility;
pub mod loop_states;
pub mod precision;
pub mod refinement;
pub mod targets;
pub mod tuning;
pub mod valuations;
pub mod verdict;
pub mod vocabulary;

use plumb_sym::Sym;
use plumb_term::TermId;

/// By predicate, whether it holds.
pub type Valuation = Box<[bool]>;

/// Terms with the truth values of a valuation.
pub fn literals(sym: &mut Sym, terms: &[TermId], valuation: &[bool]) -> Vec<TermId> {
    let literal = |(term, holds): (&TermId, &bool)| if *holds { *term } else { sym.terms.not(*term) };
    terms.iter().zip(valuation).map(literal).collect()
}
