//! Analyses of programs and functions. Each is a function of its input alone and keeps no state: a pass that changes the
//! program computes anew what it needs.

pub mod address_taken;
pub mod bits;
pub mod callgraph;
pub mod dataflow;
pub mod defuse;
pub mod dominators;
pub mod graph;
pub mod intervals;
pub mod liveness;
pub mod loops;
pub mod order;
pub mod pointsto;
