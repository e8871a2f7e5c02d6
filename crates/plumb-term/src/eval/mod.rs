//! What operators compute, and the values of terms under an assignment of their symbols.

mod evaluator;
mod operators;

pub use evaluator::{Assignment, Evaluator};
pub use operators::{binary, fma, unary};
