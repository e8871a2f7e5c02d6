//! Flags as the user gives them, and what they mean: everything behind this file deals with checked values only.

mod check;
mod commands;
mod program;

pub use check::{CheckArgs, EngineChoice, LoopBound, SummaryArgs};
pub use commands::{InferArgs, RunArgs, ShowArgs, Stage, SynthArgs, TuneArgs, ValidateArgs};

use crate::report::Exit;
use clap::{Parser, Subcommand};
use plumb_c::driver::FrontOptions;
use plumb_c::preprocess::{MacroFlag, PreprocessOptions};
use plumb_ir::EntryState;
use plumb_ir::lower::{InterruptOptions, Missing};
use plumb_osek::OilOptions;
use plumb_osek::kernel::OsCheck;
use program::{Global, MissingEffect, StartState, Volatile, default_memory};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A software model checker for embedded C.
#[derive(Parser, Debug)]
#[command(name = "plumb", bin_name = "plumb", version, max_term_width = 100)]
struct Raw {
    #[command(subcommand)]
    command: RawCommand,
    #[command(flatten)]
    global: Global,
}

#[derive(Subcommand, Debug)]
enum RawCommand {
    /// Find out whether the program can violate its properties.
    ///
    /// Standard output has the counterexample or what was explored, and as its last line the verdict: TRUE, FALSE with the
    /// property that is violated in parentheses (as the Competition on Software Verification names it, or else as --checks
    /// does), or UNKNOWN. Exit code: 0 for TRUE, 1 for FALSE, 2 for UNKNOWN, 3 for bad input or usage. Ctrl-C ends the
    /// search and prints what is known by then.
    Check(Box<CheckArgs>),
    /// Execute the program on one sequence of inputs.
    ///
    /// The program's own output comes first; the last line of standard output is the outcome. Exit code: 0 if the program
    /// ended by itself (it returned, exited with any status, or aborted), 1 if it violated a property, 2 if the run ended
    /// without an answer (step limit, assumption, fault, something that is not modelled), 3 for bad input or usage.
    Run(RunArgs),
    /// Check a witness or a certificate from scratch, with none of the engines.
    ///
    /// A violation witness is confirmed by a run along its waypoints that violates the property, a correctness witness and the
    /// certificate of a proof by showing that what they say of loops holds and suffices. The last line of standard output is `confirmed`, `rejected` or `unknown`, each
    /// with the reason. Exit code: 0 if it is confirmed, 1 if it is rejected, 2 if neither could be shown, 3 for
    /// bad input or usage.
    Validate(ValidateArgs),
    /// Print the program at one stage of the pipeline.
    Show(ShowArgs),
    /// Infer likely invariants from runs: what held at entry and exit of functions and at loop heads.
    ///
    /// The program is run on random inputs, and variables are sampled. Standard output has the facts that held of every sample of a
    /// place, hardly by chance, in the notation of ACSL. None of them is proved. Exit code: 0, or 3 for bad input or usage.
    Infer(InferArgs),
    /// Synthesise functions from examples.
    ///
    /// The file is in SyGuS-IF 2.1: a grammar, and input/output examples or, over bit-vectors, a reference implementation as
    /// constraints. Standard output has the definitions, each of which has been evaluated on all examples; or `infeasible` if
    /// examples contradict each other; or `fail` and, as a comment, the term that satisfies most examples. Exit code: 0 with
    /// an answer, 1 if there is none, 2 if none was found, 3 for bad input or usage.
    Synth(SynthArgs),
    /// Learn which metric a target-directed search should count distances in, from runs on many programs.
    ///
    /// A history has one record a line, as JSON: the program's name, the engine, its features (`plumb show features --json`), and for
    /// each metric whether the program was solved and in how many seconds. Standard output has the decision tree, and what it
    /// achieves on programs that it was not learned from (leave-one-out evaluation). Exit code: 0, or 3 for bad input or usage.
    Tune(TuneArgs),
}

/// Whether a file may be written there, as far as its name tells.
fn writable(path: &Path) -> Result<(), String> {
    let shown = path.display();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() {
        return Err(format!("cannot write `{shown}`: it is a directory\n  help: name a file in it"));
    }
    match folder {
        Some(folder) if !folder.is_dir() => {
            let folder = folder.display();
            Err(format!("cannot write `{shown}`: there is no directory `{folder}`\n  help: make it first"))
        }
        _ => Ok(()),
    }
}

/// Checked arguments.
#[derive(Debug)]
pub struct Args {
    pub command: Command,
    pub front: FrontOptions,
    /// Without a file: the program runs on no operating system.
    pub oil: OilOptions,
    pub os_checks: Vec<OsCheck>,
    /// A state that must not be reached.
    pub reach: Option<String>,
    pub entry: Option<String>,
    pub entry_state: EntryState,
    pub property: Option<PathBuf>,
    pub checks: Vec<String>,
    pub error_functions: Vec<String>,
    pub error_labels: Vec<String>,
    pub volatile_inputs: bool,
    /// Proofs suppose nothing of undefined behaviour.
    pub strict: bool,
    pub missing: Missing,
    pub interrupts: InterruptOptions,
    pub json: bool,
    /// Colour in diagnostics, on standard error.
    pub color: bool,
    /// Colour in results, on standard output.
    pub color_results: bool,
    pub timeout: Option<Duration>,
    /// Bytes.
    pub memory: u64,
}

#[derive(Debug)]
pub enum Command {
    Check(Box<CheckArgs>),
    Run(RunArgs),
    Validate(ValidateArgs),
    Show(ShowArgs),
    Infer(InferArgs),
    Synth(SynthArgs),
    Tune(TuneArgs),
}

impl Args {
    pub fn files(&self) -> &[PathBuf] {
        match &self.command {
            Command::Check(check) => &check.files,
            Command::Run(run) => &run.files,
            Command::Validate(validate) => &validate.files,
            Command::Show(show) => &show.files,
            Command::Infer(infer) => &infer.files,
            Command::Synth(synth) => std::slice::from_ref(&synth.file),
            Command::Tune(tune) => &tune.files,
        }
    }
}

/// Reads the process's arguments. Help and version are printed here; wrong usage gives exit code 3.
pub fn parse() -> Result<Args, Exit> {
    let raw = Raw::try_parse_from(compiler_style(std::env::args_os())).map_err(|error| {
        let _ = error.print();
        if error.use_stderr() { Exit::Trouble } else { Exit::Done }
    })?;
    check(raw).map_err(|message| {
        eprintln!("error: {message}");
        Exit::Trouble
    })
}

/// Compilers spell some long flags with one dash; so may the user.
fn compiler_style(args: impl Iterator<Item = std::ffi::OsString>) -> impl Iterator<Item = std::ffi::OsString> {
    args.map(|arg| match arg.to_str() {
        Some("-isystem") => "--isystem".into(),
        Some("-include") => "--include".into(),
        Some("-m32") => "--arch=32".into(),
        Some("-m64") => "--arch=64".into(),
        Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
        Some(text) if text.len() > 2 && ["-f", "-m", "-O"].iter().any(|kind| text.starts_with(kind)) => {
            format!("--compiler-flag={text}").into()
        }
        _ => arg,
    })
}

fn check(raw: Raw) -> Result<Args, String> {
    let Raw { command, global } = raw;
    let command = match command {
        RawCommand::Check(check) => {
            // A search may take long: what cannot be written is better known before it.
            let files = [&check.inputs, &check.harness, &check.witness, &check.certificate, &check.contracts];
            files.into_iter().flatten().try_for_each(|p| writable(p))?;
            check.options_are_obeyed()?;
            Command::Check(check)
        }
        RawCommand::Run(run) => Command::Run(run),
        RawCommand::Validate(validate) => Command::Validate(validate),
        RawCommand::Show(show) => {
            if show.dot && !matches!(show.what, Stage::Cfa | Stage::Callgraph) {
                return Err("--dot works with the stages cfa and callgraph only".to_string());
            }
            if show.asserts && show.what != Stage::Layout {
                return Err("--asserts belongs to the stage layout".to_string());
            }
            if show.write.is_some() && show.what != Stage::Oil {
                return Err("--write works with the stage oil only".to_string());
            }
            Command::Show(show)
        }
        RawCommand::Infer(infer) => Command::Infer(infer),
        RawCommand::Synth(synth) => Command::Synth(synth),
        RawCommand::Tune(tune) => {
            tune.output.iter().try_for_each(|path| writable(path))?;
            Command::Tune(tune)
        }
    };
    let macros = global.define.into_iter().map(MacroFlag::Define);
    let macros = macros.chain(global.undefine.into_iter().map(MacroFlag::Undefine)).collect();
    let mut preprocess = PreprocessOptions {
        include_dirs: global.include_dir,
        system_dirs: global.isystem,
        includes: global.include,
        macros,
        std: global.std,
        ..PreprocessOptions::default()
    };
    for flag in &global.compiler_flag {
        preprocess.apply(flag).map_err(|refused| {
            format!("the flag `{}` is not supported: {}\n  help: see docs/compatibility.md", refused.flag, refused.why)
        })?;
    }
    let front = FrontOptions {
        target: global.arch,
        preprocess,
        compile_commands: global.compile_commands,
        library: Some(plumb_ir::library::source),
        ..FrontOptions::default()
    };
    let oil = OilOptions {
        files: global.oil,
        include_dirs: front.preprocess.include_dirs.clone(),
        ignored: global.oil_ignore,
    };
    if !global.os_checks.is_empty() && oil.files.is_empty() {
        return Err(
            "--os-checks is about OSEK/VDX applications\n  help: name the OIL description with --oil".to_string()
        );
    }
    let args = Args {
        command,
        front,
        oil,
        os_checks: global.os_checks,
        reach: global.reach,
        entry: global.entry,
        entry_state: match global.entry_state {
            StartState::Initial => EntryState::Initial,
            StartState::Arbitrary => EntryState::Arbitrary,
        },
        missing: MissingEffect::chosen(global.missing, global.property.is_some()),
        interrupts: InterruptOptions {
            ignore_attributes: global.no_interrupts,
            handlers: global.isr,
            masks: global.irq_mask,
            unmasks: global.irq_unmask,
        },
        property: global.property,
        checks: global.checks,
        error_functions: global.error_function,
        error_labels: global.error_label,
        volatile_inputs: global.volatile == Volatile::Input,
        strict: global.strict,
        json: global.json,
        color: global.color.suits(std::io::stderr().is_terminal()),
        color_results: global.color.suits(std::io::stdout().is_terminal()),
        timeout: global.timeout,
        memory: global.memory.map_or_else(default_memory, |mebibytes| mebibytes.saturating_mul(1 << 20)),
    };
    if args.files().is_empty() && args.front.compile_commands.is_none() {
        return Err(
            "no C file is named\n  help: name at least one .c or .i file, or give --compile-commands".to_string()
        );
    }
    Ok(args)
}

#[cfg(test)]
mod tests;
