//! OSEK/VDX: the system that an OIL description configures, and the C that the kernel model needs of it.
//!
//! ```text
//!   read, lex    files and their includes to tokens
//!   parse, ast   the grammar of OIL 2.5
//!   schema       attribute definitions: standard.oil, and IMPLEMENTATION sections
//!   vendor       what of a vendor's may be passed over
//!   settings     the attributes of an object, checked
//!   resolve      references, masks, ceilings, priorities
//!   config       the system, resolved
//!   generate     osek_ids.h and osek_tables.c
//!   kernel       the kernel model and its headers as files
//!   print        the system for people
//! ```
//!
//! What is not understood is an error if it could change the schedule, and reported if it could not. The crate knows C only
//! as text that it writes.

pub mod ast;
pub mod config;
pub mod generate;
pub mod kernel;
mod lex;
mod parse;
pub mod print;
mod read;
mod resolve;
mod schema;
mod settings;
mod vendor;

use config::System;
use plumb_c::diag::Diagnostics;
use plumb_c::source::SourceMap;
use read::Reader;
pub use settings::PassedOver;
use std::path::PathBuf;

/// How to read a description.
#[derive(Clone, Debug, Default)]
pub struct OilOptions {
    /// Read one after the other, as if they were one.
    pub files: Vec<PathBuf>,
    /// Directories for included files.
    pub include_dirs: Vec<PathBuf>,
    /// Attributes (`TASK.DEADLINE`, `TASK.*`) and kinds of objects that play no role.
    pub ignored: Vec<String>,
}

/// What came of reading a description: the system, unless there is an error among the diagnostics.
#[derive(Debug)]
pub struct Oil {
    pub system: Option<System>,
    pub sources: SourceMap,
    pub diags: Diagnostics,
}

/// Reads OIL files.
pub fn read_oil(options: &OilOptions) -> Oil {
    let mut reader = Reader::new(&options.include_dirs);
    options.files.iter().for_each(|file| reader.file(file));
    finish(reader, &options.ignored)
}

/// Reads a description that has no file.
pub fn read_oil_text(name: &str, text: &str) -> Oil {
    let mut reader = Reader::new(&[]);
    reader.text(name, text);
    finish(reader, &[])
}

fn finish(reader: Reader, ignored: &[String]) -> Oil {
    let (tokens, sources, mut diags) = reader.finish();
    let description = parse::parse(&tokens, &mut diags);
    // What is missing in a description that was read in part is no news.
    let system = if diags.has_errors() { None } else { resolve::resolve(&description, ignored, &mut diags) };
    Oil { system, sources, diags }
}
