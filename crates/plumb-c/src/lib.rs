//! The C front end: preprocessed C11/C17 with GNU extensions in, one typed and linked program out.
//!
//! ```text
//!   preprocess   cc -E as a child process, or text that is preprocessed already
//!   lex          tokens with spans
//!   parse        ast: what was written
//!   sema         hir: types, layout, constants, conversions, linkage
//!   driver       the phases in order, for all files of a program
//!   target       machines: sizes, layout, characters    types   C's types, hash-consed
//!   source, diag, names   texts with places, messages about them, interned words
//!   code_flags, macro_flags   compilers' flags: which change the code, which define macros
//! ```
//!
//! The crate knows nothing of properties or verification. Its phases never panic on any input: they return what they
//! could make of it and a list of diagnostics.

pub mod ast;
pub mod code_flags;
pub mod diag;
pub mod driver;
pub mod hir;
pub mod hir_print;
pub mod index;
mod lex;
pub mod macro_flags;
pub mod names;
pub mod parse;
pub mod preprocess;
pub mod sema;
pub mod source;
pub mod target;
pub mod types;
mod types_print;

#[cfg(test)]
mod compatibility;
