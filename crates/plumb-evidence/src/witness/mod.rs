//! Witnesses of SV-COMP, format 2.0 (2.1 where they have contracts of functions): a YAML file that leads a validator along the run, or tells it the invariants of loops.
//!
//! ```text
//!   path        the waypoints of the run
//!   invariants  what a proof has shown of loops         names   what parts of states are called
//!   contracts   what it has shown of functions
//!   locate      lines and columns of the files on disk
//!   align       columns behind and inside macros
//!   sha256      the files' fingerprints
//! ```
//!
//! Each waypoint is a segment of its own with the action `follow`; the last is the target, which points to a full expression.
//! Other waypoints that the file does not have at a column of their own (they come from macros) are left out: a witness with
//! fewer waypoints is weaker, one with a wrong place is wrong. There are no assumptions on variables: returned values and
//! branches lead the way.

pub(crate) mod align;
mod contracts;
mod invariants;
pub(crate) mod locate;
pub(crate) mod names;
pub(crate) mod path;
pub(crate) mod sha256;
#[cfg(test)]
mod tests;

use crate::replay::{NotReplayed, Replay};
use invariants::WitnessInvariant;
pub use invariants::in_c;
use locate::Locator;
use names::{derived_extents, extents};
use path::{Kind, Waypoint};
use plumb_answer::{Budget, Proof};
use plumb_c::source::Span;
use plumb_contract::{summarised, unit_of};
use plumb_ir::analysis::Analyses;
use plumb_ir::index::TiSlice;
use plumb_ir::program::{FuncId, Program};
use std::fmt;
use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// A file of the task, with its bytes as they are on disk.
#[derive(Clone, Debug)]
pub struct TaskFile {
    /// As the user named it, and as places in the program name it.
    pub name: String,
    pub content: Vec<u8>,
}

/// What the witness is about.
#[derive(Clone, Debug)]
pub struct Task {
    pub files: Vec<TaskFile>,
    /// Such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    pub specification: String,
    pub created: SystemTime,
    pub version: String,
    /// How the tool was called.
    pub command_line: Option<String>,
    /// How the answer was found, as far as whoever checks it can use that.
    pub configuration: Option<String>,
}

/// Why there is no witness.
#[derive(Clone, Debug)]
pub enum NoWitness {
    NotReplayed(NotReplayed),
    /// The format has no name for the sizes of this machine's types.
    DataModel(&'static str),
    /// The run ends at no place of the task's files.
    NoTarget,
}

impl fmt::Display for NoWitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoWitness::NotReplayed(why) => why.fmt(f),
            NoWitness::DataModel(machine) => {
                write!(f, "the format of witnesses has no data model for the machine `{machine}`, only ILP32 and LP64")
            }
            NoWitness::NoTarget => write!(f, "the violation is at no place of the task's files"),
        }
    }
}

impl std::error::Error for NoWitness {}

/// Writes the witness of a violation that has been replayed.
pub fn witness(program: &Program, replayed: &Replay, task: &Task, budget: &Budget) -> Result<String, NoWitness> {
    let model = data_model(program).ok_or(NoWitness::DataModel(program.target.name))?;
    let locator = Locator::new(program, task);
    let waypoints = path::waypoints(program, replayed, &locator, budget).map_err(NoWitness::NotReplayed)?;
    let mut content = String::new();
    for waypoint in &waypoints.ok_or(NoWitness::NoTarget)? {
        write_waypoint(&mut content, waypoint);
    }
    let mut out = String::from("- entry_type: \"violation_sequence\"\n");
    metadata(&mut out, model, "2.0", task, &content);
    out += "  content:\n";
    out += &content;
    Ok(out)
}

/// Writes what a proof rests on. Without one there is nothing to break.
pub fn correctness_witness(program: &Program, proof: Option<&Proof>, task: &Task) -> Result<String, NoWitness> {
    let model = data_model(program).ok_or(NoWitness::DataModel(program.target.name))?;
    let locator = Locator::new(program, task);
    let mut content = String::new();
    let mut version = "2.0";
    if let Some(Proof::Modular { contracts, .. }) = proof {
        contracts::write(&mut content, program, contracts, &locator);
        version = "2.1";
    }
    for invariant in proof.map(|proof| invariants(program, &extents(program), proof, &locator)).unwrap_or_default() {
        invariants::write(&mut content, &invariant);
    }
    let configuration = match proof {
        Some(Proof::Induction { k, .. }) => format!("k-induction {k}"),
        Some(Proof::Abstraction { tree, .. }) => {
            format!("abstraction, {} states, {} refinements", tree.states, tree.refinements)
        }
        Some(Proof::OnlyRun { .. }) => "only run".to_string(),
        Some(Proof::Exploration { states, refinements, .. }) => {
            format!("exploration, {states} states, {refinements} refinements")
        }
        Some(Proof::AllStates { states, .. }) => format!("explicit-state search, {states} states"),
        Some(Proof::Bounded { bound, .. }) => format!("unwinding {bound}"),
        Some(Proof::Modular { contracts, .. }) => format!("modular, {} contracts", contracts.len()),
        None => "nothing to break".to_string(),
    };
    let mut out = String::from("- entry_type: \"invariant_set\"\n");
    metadata(&mut out, model, version, &Task { configuration: Some(configuration), ..task.clone() }, &content);
    out += if content.is_empty() { "  content: []\n" } else { "  content:\n" };
    out += &content;
    Ok(out)
}

/// How many facts about loops in a proof cannot be said in C where the loop is, so that its witness lacks them. Parts of
/// modular proofs are not counted.
pub fn facts_without_words(program: &Program, proof: &Proof) -> usize {
    match proof {
        Proof::Induction { invariants, .. } | Proof::Abstraction { invariants: Some(invariants), .. } => {
            let extents = extents(program);
            invariants.loops.iter().map(|one| invariants::unsaid(program, &extents, &invariants.terms, one)).sum()
        }
        Proof::Abstraction { invariants: None, .. }
        | Proof::OnlyRun { .. }
        | Proof::AllStates { .. }
        | Proof::Bounded { .. }
        | Proof::Exploration { .. }
        | Proof::Modular { .. } => 0,
    }
}

/// What a proof has shown of loops. The parts of a modular one are about programs of their own, in which functions that were
/// not replaced are as they are; what is told of a loop that several parts have is what all of them say.
fn invariants(
    program: &Program,
    extents: &TiSlice<FuncId, Span>,
    proof: &Proof,
    locator: &Locator<'_>,
) -> Vec<WitnessInvariant> {
    match proof {
        Proof::Induction { invariants, .. } | Proof::Abstraction { invariants: Some(invariants), .. } => {
            invariants::witness_invariants(program, extents, invariants, locator)
        }
        Proof::Abstraction { invariants: None, .. }
        | Proof::OnlyRun { .. }
        | Proof::AllStates { .. }
        | Proof::Bounded { .. }
        | Proof::Exploration { .. } => Vec::new(),
        Proof::Modular { contracts, units, top } => {
            let analyses = Analyses::new(program);
            let mut parts = Vec::new();
            let mut add = |part: &Program, proof: &Proof| {
                parts.push(invariants(part, &derived_extents(part, extents), proof, locator));
            };
            for (func, proof) in units {
                let contract = contracts.iter().find(|contract| contract.func == *func);
                if let Some(Ok(unit)) = contract.map(|contract| unit_of(&analyses, contract, contracts)) {
                    add(&unit.derived.program, proof);
                }
            }
            if let Ok(whole) = summarised(&analyses, contracts) {
                add(&whole.derived.program, top);
            }
            invariants::common(parts)
        }
    }
}

/// The name of the machine's data model.
pub(crate) fn data_model(program: &Program) -> Option<&'static str> {
    let target = &program.target;
    match (target.int_bytes, target.long_bytes, target.pointer_bytes) {
        (4, 8, 8) => Some("LP64"),
        (4, 4, 4) => Some("ILP32"),
        _ => None,
    }
}

fn metadata(out: &mut String, model: &str, version: &str, task: &Task, content: &str) {
    let hashes: Vec<String> = task.files.iter().map(|f| sha256::hex(&sha256::sha256(&f.content))).collect();
    let created = time(task.created);
    let identity = format!("{created}\n{}\n{}\n{content}", task.specification, hashes.join("\n"));
    let _ = writeln!(out, "  metadata:\n    format_version: \"{version}\"");
    let _ = writeln!(out, "    uuid: {}", quoted(&uuid(&sha256::sha256(identity.as_bytes()))));
    let _ = writeln!(out, "    creation_time: {}", quoted(&created));
    let _ = writeln!(out, "    producer:\n      name: \"Plumb\"\n      version: {}", quoted(&task.version));
    if let Some(configuration) = &task.configuration {
        let _ = writeln!(out, "      configuration: {}", quoted(configuration));
    }
    if let Some(command) = &task.command_line {
        let _ = writeln!(out, "      command_line: {}", quoted(command));
    }
    *out += "    task:\n      input_files:\n";
    for file in &task.files {
        let _ = writeln!(out, "      - {}", quoted(&file.name));
    }
    *out += "      input_file_hashes:\n";
    for (file, hash) in task.files.iter().zip(&hashes) {
        let _ = writeln!(out, "        {}: {}", quoted(&file.name), quoted(hash));
    }
    let _ = writeln!(out, "      specification: {}", quoted(&task.specification));
    let _ = writeln!(out, "      data_model: \"{model}\"\n      language: \"C\"");
}

fn write_waypoint(out: &mut String, waypoint: &Waypoint) {
    let (kind, constraint) = match &waypoint.kind {
        Kind::Branching(taken) => ("branching", Some((taken.to_string(), None))),
        Kind::Assumption(text) => ("assumption", Some((text.clone(), Some("c_expression")))),
        Kind::FunctionReturn(text) => ("function_return", Some((text.clone(), Some("acsl_expression")))),
        Kind::Target => ("target", None),
    };
    let _ = writeln!(out, "  - segment:\n    - waypoint:\n        type: \"{kind}\"\n        action: \"follow\"");
    if let Some((value, format)) = constraint {
        let _ = writeln!(out, "        constraint:\n          value: {}", quoted(&value));
        if let Some(format) = format {
            let _ = writeln!(out, "          format: \"{format}\"");
        }
    }
    let location = &waypoint.location;
    let _ = writeln!(out, "        location:\n          file_name: {}", quoted(&location.file));
    let _ = writeln!(out, "          line: {}", location.line);
    if let Some(column) = location.column {
        let _ = writeln!(out, "          column: {column}");
    }
}

/// A YAML string in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            c if (c as u32) < 0x20 || c as u32 == 0x7f => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A random-looking identifier that is the same for the same witness.
fn uuid(digest: &[u8; 32]) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = sha256::hex(&bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// A moment in ISO 8601, in universal time.
fn time(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let (mut year, mut day) = (1970, days);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if day < length {
            break;
        }
        day -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1)
}
