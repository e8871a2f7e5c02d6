//! Programs from source text.

use plumb_c::driver::{FrontOptions, load_program};
use plumb_c::target::Target;
use plumb_ir::program::Program;
use plumb_ir::property::{CheckSelection, PropertySet};
use plumb_ir::{PrepareOptions, prepare};
use std::path::PathBuf;

/// How a program is made.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub target: Target,
    /// All checks, or assertions alone.
    pub checks: bool,
    /// Scalars in registers wherever they can be.
    pub promotion: bool,
}

/// The program of a file, or what is wrong with it.
pub fn program(file: PathBuf, way: &Way, include: Option<PathBuf>) -> Result<Program, String> {
    let mut options =
        FrontOptions { target: Some(way.target), library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    options.preprocess.include_dirs.extend(include);
    let loaded = load_program(&[file], &options).map_err(|failed| format!("{:?}", failed.diags))?;
    let mut properties = PropertySet::default();
    if way.checks {
        properties.checks.add_all(CheckSelection::parse("all").map_err(|e| e.to_string())?);
    }
    let options = PrepareOptions { promotion: way.promotion, ..PrepareOptions::default() };
    let mut diags = loaded.diags;
    prepare(&loaded.hir, &properties, &options, &mut diags).ok_or_else(|| format!("{diags:?}"))
}
