//! The intermediate representation: programs as control-flow automata over bit-precise expressions.

pub mod check;
pub mod expr;
pub mod input;
pub mod program;
pub mod ty;
