//! SyGuS-IF 2.1: problems in, answers out.
//!
//! Read are `set-logic` (BV, LIA, NIA, their quantifier-free names in SMT-LIB, and ALL), `define-sort`, `define-fun`, `declare-var`, `synth-fun` with or without a grammar,
//! `constraint` and `check-synth`; version 1 writes grammars in one list instead of two and negative numbers as
//! `-1`, which is read as well; so are DUET's `%` (C's remainder) and `!=`. A constraint is an input/output example, an output
//! that inputs must not have, or makes a term over variables the reference that the function must equal. An example may be written
//! around the application (`isolate.rs`) or behind a guard that gives variables their values. `set-info` and `set-option` are read
//! over; anything else is refused by name, never skipped.

mod command;
mod isolate;
mod print;
mod script;
mod sexpr;
mod term;

pub use print::{define_fun, symbol};
pub use script::{Script, Task, parse, parse_definition};
pub use sexpr::{Diagnostic, Span};
