//! Programs from source text.

use plumb_c::driver::{FrontOptions, load_program};
use plumb_c::target::Target;
use plumb_ir::check::CheckKind;
use plumb_ir::lower::{LowerOptions, lower};
use plumb_ir::program::Program;
use plumb_ir::property::{CheckSelection, PropertySet, instrument};
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
    let lowering = LowerOptions {
        subscript_checks: properties.checks.contains(CheckKind::Bounds),
        pointer_checks: properties.checks.contains(CheckKind::Pointer),
        ..LowerOptions::default()
    };
    let mut diags = loaded.diags;
    let lowered = lower(&loaded.hir, &lowering, &mut diags).ok_or_else(|| format!("{diags:?}"))?;
    let program = instrument(&lowered, &properties);
    Ok(if way.promotion { plumb_ir::promote::promote(&program) } else { program })
}
