//! Evidence: from inputs that an engine claims to break a check to what a person can read, run and hand on.
//!
//! ```text
//!   replay     a run from scratch that must break the same check: nothing is reported before that
//!   minimise/  fewer iterations, fewer inputs, simpler values, the same check
//!   story/     the counterexample: what happens in each iteration of the loop
//!   harness/   C that feeds the inputs to the compiled program
//!   witness/   SV-COMP's witnesses, formats 2.0 and 2.1
//!   contract/  contracts of functions as C
//!   certificate/  the complete proof as data
//!   validate/  witnesses and certificates checked from scratch
//!   report/    all that an answer tells, as one value
//!   condition  the statement around a decision
//!   open_calls the calls in progress, for observers of a run
//!   shell      words quoted for a shell
//! ```
//!
//! The crate prints nothing and writes no file: it returns texts and values.
//!
//! **Soundness.** Nothing but [`replay()`] makes a [`Replay`]: a run of the violation on a fresh image of the program that broke
//! the check as claimed. Everything but [`inputs_file`] asks for one. Every run looks at the budget.

pub mod certificate;
mod condition;
pub mod contract;
pub mod harness;
pub mod minimise;
mod open_calls;
mod replay;
pub mod report;
mod shell;
pub mod story;
pub mod validate;
pub mod witness;

pub use certificate::certificate;
pub use harness::{Harness, HarnessOptions, harness};
pub use minimise::{Minimised, minimise};
pub use replay::{NotReplayed, Replay, replay, reported_site};
pub use report::Report;
pub use shell::shell_word;
pub use story::{Counterexample, Style};
pub use validate::{Claims, Edits, Rules, Subject, Validation, validate, validate_certificate};
pub use witness::{NoWitness, Task, TaskFile, correctness_witness, facts_without_words, in_c, witness};

use plumb_answer::Violation;
use plumb_ir::program::Program;

/// The inputs as `plumb run --inputs` reads them.
pub fn inputs_file(program: &Program, violation: &Violation) -> String {
    plumb_exec::input_file::write(&violation.inputs, program)
}
