//! What the tests share: C files as programs.

use plumb_c::driver::{FrontOptions, load_program};
use plumb_ir::lower::{LowerOptions, lower};
use plumb_ir::program::Program;
use plumb_ir::property::{PropertySet, instrument};
use std::path::PathBuf;

/// The program of a file with its own assertions as checks; `None` where it is none.
pub fn program(file: PathBuf) -> Option<Program> {
    let options = FrontOptions { library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    let loaded = load_program(&[file], &options).ok()?;
    let lowering = LowerOptions::default();
    let mut diags = loaded.diags;
    let lowered = lower(&loaded.hir, &lowering, &mut diags)?;
    Some(plumb_ir::promote::promote(&instrument(&lowered, &PropertySet::default())))
}
