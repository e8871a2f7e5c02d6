//! Function summaries: what engines share that put something simpler in the place of functions.
//!
//! ```text
//!   choose       which functions and which of their calls are worth a summary, and why
//!   examples     pairs of inputs and outputs from runs of one function
//!   synthesis    a summary out of examples, made better step by step
//!   selection    which of the summaries are used together
//! ```
//!
//! A summary made from examples is neither sound nor complete: what is found with it is a candidate, and nothing is ever
//! proved with it.

pub mod choose;
pub mod selection;
