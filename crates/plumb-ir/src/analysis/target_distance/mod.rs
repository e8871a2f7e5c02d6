//! How far a run is from an error location, given the calls that are active.
//!
//! **Idea.** N. Lee, *A Novel Target Directed Model Checking for Fast Abstract Reachability Analysis* (KAIST, 2022): an explorer that
//! always takes the state with the shortest distance to an error finds errors, and spurious counterexamples that refine its
//! abstraction, soonest. How far a location is depends on who called: behind the exit of a function comes whatever
//! follows the call. So each location is annotated once with its distance to the exit of its function (`exit-dist`) and to an
//! error that is reached without leaving it (`abs-dist`), and the distance of a state is the smaller of `abs-dist` and `rel-dist`,
//! the way over the exit. The thesis's names are kept:
//!
//! ```text
//!   flow_graph      locations, edges, calls, loop heads and error locations of a program, or of a test
//!   of_program      the flow graph of a program
//!   metric          st, bb, lh, lf: what an edge counts
//!   exit_distance   exit-dist, and exit-dist* for recursion
//!   error_distance  abs-dist
//!   call_context    dist of a location under active calls
//!   entry_map       the same where cached blocks are used under many calls (section 7.1)
//!   learned         distances that grow along edges which keep appearing in infeasible paths (ours)
//! ```
//!
//! **Where this differs.** `rel-dist` of a location is `exit-dist` plus the distance of the *return location* in its own context. The thesis
//! has `exit-dist'` (that is `exit-dist` minus the distance through the function) plus the distance of the *call*. Both are the same
//! where the shortest path from the call goes through the callee; where it ends at an error inside of the callee, the thesis's
//! sum is too small and may be negative. The searches settle a location when it is the nearest, not when it is first seen
//! ([`exit_distance`]). Calls through pointers have several callees.
//!
//! **Soundness.** None is at stake: distances order a waitlist and exclude nothing. They are exact lengths of shortest paths
//! of the flow graph with matching calls and returns, infinite where there is none: no run from there gets to an error.
//! Programs with several stacks are an exception to the exactness ([`error_distance`]).

pub mod call_context;
pub mod distance;
pub mod entry_map;
pub mod error_distance;
pub mod exit_distance;
pub mod flow_graph;
pub mod learned;
pub mod metric;
pub mod of_program;

pub use call_context::{CallContext, TargetDistances};
pub use distance::Distance;
pub use metric::Metric;
pub use of_program::ProgramGraph;

#[cfg(test)]
mod tests;
