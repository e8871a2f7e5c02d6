//! Analyses of programs and functions. Each is a function of its input alone. [`Analyses`] keeps those of a program that does
//! not change any more; a pass that changes the program computes anew what it needs.

pub mod address_numbers;
pub mod address_taken;
pub mod bits;
mod cache;
pub mod callgraph;
pub mod constants;
pub mod control;
pub mod dataflow;
pub mod defuse;
pub mod dominators;
pub mod features;
pub mod forward;
pub mod graph;
pub mod handed_down;
pub mod inputs;
pub mod intervals;
pub mod lifetime;
pub mod liveness;
pub mod loops;
pub mod modref;
pub mod nullness;
pub mod order;
pub mod pointsto;
pub mod shape;
pub mod signature;
pub mod target_distance;

pub use cache::Analyses;
