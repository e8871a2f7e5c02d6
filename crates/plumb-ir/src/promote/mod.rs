//! Splitting memory objects into registers.
//!
//! **Idea.** An object whose address is never taken is accessed at constant offsets only, so each part of it that is
//! accessed as one scalar (a *leaf*) can live in a register of its own. Copies, fills and inputs of whole objects
//! become one step per leaf. [`plan`] decides which objects are split and into which leaves, [`leaves`] knows the C types
//! and names of parts, [`split`] rewrites the functions.
//!
//! **Soundness.** The program does the same before and after, bit for bit: leaves do not overlap, every access of a split
//! object is to whole leaves, and every byte that can flow from it to memory belongs to a leaf, padding included. Bytes
//! that belong to no leaf are never read, but by a search for leaks: where leaks are looked for, only scalars leave memory. Objects that do not fit these rules stay in memory.
//!
//! Inputs that fill an object become one input for each of its leaves. Those that only stand for garbage in registers that
//! are written before they are read go away ([`garbage`], [`filled`]).

mod filled;
mod garbage;
mod leaves;
mod plan;
mod split;
#[cfg(test)]
mod tests;

use crate::program::Program;
pub use leaves::{Part, parts};

/// More leaves than this are not worth the registers.
pub const MAX_LEAVES: usize = 64;

/// The program with every object in registers that can be.
pub fn promote(program: &Program) -> Program {
    let plan = plan::Plan::of(program);
    let result = if plan.is_empty() { program.clone() } else { split::split(program, &plan) };
    let result = garbage::without_garbage(&result);
    debug_assert_eq!(crate::verify::verify(&result), Vec::<String>::new());
    result
}
