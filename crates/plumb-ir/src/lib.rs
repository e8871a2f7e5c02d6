//! The intermediate representation: programs as control-flow automata over bit-precise expressions.

pub mod analysis;
pub mod build;
pub mod check;
pub mod derive;
pub mod dot;
pub mod expr;
pub mod fold;
pub mod fold_float;
pub mod form;
pub mod index;
pub mod input;
pub mod input_value;
pub mod json;
pub mod library;
pub mod lower;
pub mod make;
pub mod preempt;
pub mod prepare;
pub mod print;
pub mod program;
pub mod promote;
pub mod property;
pub mod rewrite;
pub mod stacks;
pub mod total;
pub mod ty;
pub mod verify;
pub mod verify_expr;

pub use prepare::{EntryState, PrepareOptions, prepare};

#[cfg(test)]
mod sample;
