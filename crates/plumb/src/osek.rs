//! From an OIL description to what the front end reads besides the application: the kernel model with the system's tables.

use crate::args::Args;
use crate::load::failure;
use crate::report::{Failure, Output};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::driver::FrontOptions;
use plumb_c::hir;
use plumb_c::source::{SourceMap, Span};
use plumb_ir::analysis::callgraph::CallGraph;
use plumb_ir::program::Program;
use plumb_osek::config::System;
use plumb_osek::generate::{EntryFunction, required_functions};
use plumb_osek::kernel::{ALARM_SERVICES, KernelOptions};
use plumb_osek::{OilOptions, kernel, read_oil};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The options of the front end, and the files that they name.
pub struct Front {
    pub options: FrontOptions,
    entries: Vec<EntryFunction>,
    _files: Option<Folder>,
}

impl Front {
    /// A task or handler without a body would do anything: the application must define them all.
    pub fn require_entries(&self, program: &hir::Program) -> Result<(), Failure> {
        let defined =
            |name: &str| program.functions.iter().any(|f| f.body.is_some() && program.names.text(f.name) == name);
        match self.entries.iter().find(|entry| !defined(&entry.function)) {
            None => Ok(()),
            Some(entry) => {
                let message = format!("the program does not define `{}`, which the OIL description has", entry.written);
                Err(failure(message, "name the C file that defines it, or remove the object from the description"))
            }
        }
    }
}

/// A folder that goes when it is no longer needed.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays is a pity, no error.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Folder(std::env::temp_dir().join(format!("plumb-osek-{}-{number}", std::process::id())))
    }
}

/// The options for the front end. Warnings about the description are reported meanwhile.
pub fn front(args: &Args, out: &Output) -> Result<Front, Failure> {
    with_kernel(args, false, |diags, sources| {
        if !args.json {
            out.diagnostics(diags, sources);
        }
    })
}

/// The same for a program that was read before, so that the warnings are known.
pub fn front_quietly(args: &Args) -> Result<Front, Failure> {
    with_kernel(args, false, |_, _| {})
}

/// The same with a kernel without ticks.
pub fn front_tickless(args: &Args) -> Result<Front, Failure> {
    with_kernel(args, true, |_, _| {})
}

/// Whether a kernel without ticks is wanted: where all states of the system are looked at, ticks that expire no alarm would
/// multiply them.
pub fn wants_tickless(args: &Args) -> bool {
    !args.oil.files.is_empty() && (!args.os_checks.is_empty() || args.reach.is_some())
}

/// Whether the program has services by which it would notice that there are no ticks.
pub fn notices_ticks(program: &Program) -> bool {
    let reachable = CallGraph::of(program, None).reachable(program.start);
    reachable.into_iter().any(|func| ALARM_SERVICES.contains(&&*program.function(func).name))
}

fn with_kernel(args: &Args, tickless: bool, print: impl FnOnce(&Diagnostics, &SourceMap)) -> Result<Front, Failure> {
    let mut options = args.front.clone();
    if args.oil.files.is_empty() {
        return Ok(Front { options, entries: Vec::new(), _files: None });
    }
    let (system, mut diags, sources) = read(&args.oil)?;
    report_passed_over(&system, &mut diags);
    print(&diags, &sources);
    let folder = Folder::new();
    let kernel = KernelOptions { checks: args.os_checks.iter().copied().collect(), tickless };
    let files = kernel::write(&system, &kernel, &folder.0).map_err(|error| {
        let message = format!("cannot write the kernel model to `{}`: {error}", folder.0.display());
        failure(message, "name another folder for temporary files with the environment variable TMPDIR")
    })?;
    options.preprocess.include_dirs.insert(0, files.include_dir);
    options.generated = files.units;
    Ok(Front { options, entries: required_functions(&system), _files: Some(folder) })
}

/// The system of a description, with warnings about it.
pub fn read(options: &OilOptions) -> Result<(System, Diagnostics, Arc<SourceMap>), Failure> {
    let oil = read_oil(options);
    let sources = Arc::new(oil.sources);
    match oil.system {
        Some(system) => Ok((system, oil.diags, sources)),
        None => Err(Failure { sources, diags: oil.diags }),
    }
}

fn report_passed_over(system: &System, diags: &mut Diagnostics) {
    if system.passed_over.is_empty() {
        return;
    }
    let list: Vec<&str> = system.passed_over.iter().map(|passed| passed.what.as_str()).collect();
    let message = format!("ignored in the OIL description: {}", list.join(", "));
    diags.push(Diagnostic::warning(Span::NONE, message).help("they play no role in the kernel model"));
}
