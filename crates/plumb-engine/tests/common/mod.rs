//! What the tests share: C files as programs.

use plumb_c::driver::{FrontOptions, load_program};
use plumb_ir::program::Program;
use plumb_ir::property::PropertySet;
use plumb_ir::{PrepareOptions, prepare};
use std::path::PathBuf;

/// The program of a file with its own assertions as checks; `None` where it is none.
pub fn program(file: PathBuf) -> Option<Program> {
    let options = FrontOptions { library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    let loaded = load_program(&[file], &options).ok()?;
    let mut diags = loaded.diags;
    prepare(&loaded.hir, &PropertySet::default(), &PrepareOptions::default(), &mut diags)
}
