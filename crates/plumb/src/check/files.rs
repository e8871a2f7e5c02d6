//! Evidence that is written: inputs, harness, witness.

use super::verdict;
use crate::args::{Args, CheckArgs};
use crate::load::Wanted;
use plumb_c::preprocess::{OWN_HEADERS, write_own_headers};
use plumb_c::source::{SourceUnit, Span};
use plumb_engine::{Budget, Proof};
use plumb_evidence::contract::header;
use plumb_evidence::report::{EvidenceFile, EvidenceKind, FileResult};
use plumb_evidence::{
    HarnessOptions, Replay, Task, TaskFile, certificate, correctness_witness, facts_without_words, harness,
    inputs_file, shell_word, witness,
};
use plumb_ir::EntryState;
use plumb_ir::preempt::is_model_file;
use plumb_ir::program::Program;
use std::path::Path;
use std::time::SystemTime;

/// Writes a file, if its content could be made.
fn write_file(kind: EvidenceKind, path: &Path, made: Result<(String, Vec<String>), String>) -> EvidenceFile {
    let written = made.and_then(|(text, notes)| {
        std::fs::write(path, text).map_err(|error| error.to_string())?;
        Ok(notes)
    });
    let result = written.map_or_else(FileResult::Error, FileResult::Notes);
    EvidenceFile { kind, path: path.display().to_string(), result }
}

/// Writes what the flags ask for.
pub fn write(
    args: &Args,
    check: &CheckArgs,
    wanted: &Wanted,
    program: &Program,
    replayed: &Replay,
    budget: &Budget,
) -> Vec<EvidenceFile> {
    let mut written = Vec::new();
    if let Some(path) = &check.inputs {
        let replay =
            format!("plumb run {} --inputs {}", command_line(args, program), shell_word(&path.display().to_string()));
        written.push(write_file(
            EvidenceKind::Inputs,
            path,
            Ok((inputs_file(program, &replayed.violation()), vec![replay])),
        ));
    }
    if let Some(path) = &check.harness {
        let made = own_headers(program, path).and_then(|own| {
            let flags = flags(args).into_iter().chain(own).collect();
            let options = HarnessOptions { files: files(program), flags, name: path.display().to_string() };
            harness(program, replayed, &options, budget).map_err(|error| error.to_string())
        });
        let made = made.map(|made| (made.c, std::iter::once(made.compile).chain(made.notes).collect()));
        written.push(write_file(EvidenceKind::Harness, path, made));
    }
    if let Some(path) = &check.witness {
        let made =
            task(program, verdict::specification(program.check(replayed.check), wanted)).and_then(|(task, notes)| {
                let text = witness(program, replayed, &task, budget).map_err(|error| error.to_string())?;
                Ok((text, notes))
            });
        written.push(write_file(EvidenceKind::Witness, path, made));
    }
    for (kind, path) in [(EvidenceKind::Certificate, &check.certificate), (EvidenceKind::Contracts, &check.contracts)] {
        if let Some(path) = path {
            written.push(write_file(
                kind,
                path,
                Err("it is written for proofs only, and the answer is FALSE".to_string()),
            ));
        }
    }
    written
}

/// Writes what tells of a proof, or of there being nothing to break.
pub fn write_proof(check: &CheckArgs, wanted: &Wanted, program: &Program, proof: Option<&Proof>) -> Vec<EvidenceFile> {
    let task = || task(program, verdict::whole_specification(program, wanted));
    let mut written = Vec::new();
    if let Some(path) = &check.witness {
        let made = task().and_then(|(task, mut notes)| {
            if let Some(unsaid @ 1..) = proof.map(|proof| facts_without_words(program, proof)) {
                let what = match unsaid {
                    1 => "a fact that the proof rests on cannot be expressed in C and is left out".to_string(),
                    _ => format!("{unsaid} facts that the proof rests on cannot be expressed in C and are left out"),
                };
                notes.push(format!("{what}; a certificate (--certificate) has them"));
            }
            let text = correctness_witness(program, proof, &task).map_err(|error| error.to_string())?;
            Ok((text, notes))
        });
        written.push(write_file(EvidenceKind::Witness, path, made));
    }
    if let Some(path) = &check.certificate {
        let made = task().map(|(task, _)| (certificate(program, proof, &task), Vec::new()));
        written.push(write_file(EvidenceKind::Certificate, path, made));
    }
    if let Some(path) = &check.contracts {
        let made = match proof {
            Some(Proof::Modular { contracts, .. }) => Ok((header(program, contracts), Vec::new())),
            Some(_) | None => Err("the proof uses no contracts".to_string()),
        };
        written.push(write_file(EvidenceKind::Contracts, path, made));
    }
    written
}

/// What the witness is about, and what its readers should know.
pub fn task(program: &Program, specification: Result<String, String>) -> Result<(Task, Vec<String>), String> {
    let read = |name: String| match std::fs::read(&name) {
        Ok(content) => Ok(TaskFile { name, content }),
        Err(error) => Err(format!("cannot read `{name}`: {error}")),
    };
    let mut notes = Vec::new();
    let specification = specification.unwrap_or_else(|own| {
        notes.push(format!("no validator knows the property `{own}`: the competition has none for this check"));
        own
    });
    let task = Task {
        files: files(program).into_iter().map(read).collect::<Result<_, _>>()?,
        specification,
        created: SystemTime::now(),
        configuration: None,
        version: env!("CARGO_PKG_VERSION").to_string(),
        command_line: Some(std::env::args_os().map(|a| shell_word(&a.to_string_lossy())).collect::<Vec<_>>().join(" ")),
    };
    Ok((task, notes))
}

/// The user's files, as they were read. The library and the kernel model are Plumb's.
fn files(program: &Program) -> Vec<String> {
    let is_model = |unit: &SourceUnit| {
        let end = unit.base() + unit.text.len() as u32;
        let place = program.sources.place(Span::new(end.saturating_sub(1), end));
        place.is_some_and(|place| is_model_file(&place.file))
    };
    let units = program.sources.units().iter().filter(|unit| &*unit.name != "<library>" && !is_model(unit));
    units.map(|unit| unit.name.to_string()).collect()
}

/// The flags that a compiler needs. Those of a compile-commands file are the build's own business.
fn flags(args: &Args) -> Vec<String> {
    args.front.preprocess.flags().iter().map(|flag| flag.to_string_lossy().into_owned()).collect()
}

/// Puts Plumb's own headers beside a harness if the program includes one of them: the flags by which a compiler finds them.
fn own_headers(program: &Program, harness: &Path) -> Result<Vec<String>, String> {
    let includes = |name: &str| program.sources.units().iter().any(|unit| unit.text.contains(&format!("{name}\"")));
    if !OWN_HEADERS.iter().any(|header| includes(header.name)) {
        return Ok(Vec::new());
    }
    let mut directory = harness.as_os_str().to_os_string();
    directory.push(".include");
    let directory = Path::new(&directory);
    write_own_headers(directory).map_err(|error| error.to_string())?;
    Ok(vec!["-idirafter".to_string(), directory.display().to_string()])
}

/// The arguments that make `plumb run` see the same program with the same properties.
fn command_line(args: &Args, program: &Program) -> String {
    let mut words: Vec<String> = args.files().iter().map(|file| file.display().to_string()).collect();
    let mut option = |name: &str, value: &str| words.extend([name.to_string(), value.to_string()]);
    if let Some(path) = &args.front.compile_commands {
        option("--compile-commands", &path.display().to_string());
    }
    if program.target.name != "64" {
        option("--arch", program.target.name);
    }
    if let Some(path) = &args.property {
        option("--property", &path.display().to_string());
    }
    if !args.checks.is_empty() {
        option("--checks", &args.checks.join(","));
    }
    args.error_functions.iter().for_each(|name| option("--error-function", name));
    args.error_labels.iter().for_each(|name| option("--error-label", name));
    if let Some(entry) = &args.entry {
        option("--entry", entry);
    }
    if args.entry_state == EntryState::Arbitrary {
        option("--entry-state", "arbitrary");
    }
    if args.volatile_inputs {
        option("--volatile", "input");
    }
    words.extend(flags(args));
    words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
}
