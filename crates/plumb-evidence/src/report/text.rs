//! The report for a terminal. Its last line is the verdict.

use super::parts::{Assumption, EvidenceFile, FileResult, at_place};
use super::{Finding, Holds, Report, UndefinedBehaviour, Violated};
use crate::contract::ContractText;
use crate::story::Style;
use plumb_answer::Explored;
use plumb_ir::program::AssumptionKind;
use std::fmt;
use std::time::Duration;

/// Names in one line of assumptions; JSON has them all.
const MOST_NAMES: usize = 12;
/// Lines about undefined behaviour that is supposed not to happen; JSON has them all.
const MOST_PLACES: usize = 12;

/// What of a report is to be seen, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    pub style: Style,
    pub statistics: bool,
}

impl Report {
    /// The lines of the report.
    pub fn text(&self, view: View) -> String {
        let mut lines: Vec<String> = Vec::new();
        if let Some(statistics) = self.statistics.as_ref().filter(|_| view.statistics) {
            lines.extend(statistics.lines());
        }
        match &self.finding {
            Finding::Holds(holds) => holds.text(&mut lines),
            Finding::Unknown(unknown) => {
                lines.push(unknown.reason.clone());
                lines.extend(self.explored.as_ref().map(explored));
            }
            Finding::Violated(violated) => {
                violated.text(self.seconds.map(|times| times.search), view.style, &mut lines)
            }
        }
        assumptions(&self.assumptions, &mut lines);
        lines.push(self.finding.verdict());
        lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

impl Holds {
    fn text(&self, lines: &mut Vec<String>) {
        lines.push(self.reason.clone());
        for one in &self.predicates {
            let place = one.place.as_ref().map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line));
            lines.push(format!("    predicate of the loop{place}: {}", one.predicate));
        }
        self.contracts.iter().for_each(|contract| contract_lines(contract, lines));
        lines.extend(self.validated.as_ref().map(|how| format!("validated: {how}")));
        lines.extend(self.files.iter().map(file));
        undefined_behaviour(&self.undefined_behaviour, lines);
    }
}

impl Violated {
    fn text(&self, search: Option<Duration>, style: Style, lines: &mut Vec<String>) {
        let Some(counterexample) = &self.counterexample else {
            lines.push(self.reason.clone());
            lines.push(format!(
                "it was replayed with {} inputs; no time was left to print the counterexample or to write files",
                self.inputs.len()
            ));
            return;
        };
        // The story begins with the reason.
        lines.push(counterexample.text(style).trim_end().to_string());
        lines.push(String::new());
        let search = search.map_or(String::new(), |search| format!(" in {}", seconds(search)));
        lines.push(format!("found{search}{}", self.size()));
        lines.extend(self.files.iter().map(file));
    }

    /// What minimising came to.
    fn size(&self) -> String {
        let read = match self.inputs.len() {
            0 if self.inputs_found > 0 => format!(" with {} inputs, none of which is needed", self.inputs_found),
            1 if self.inputs_found > 1 => format!(" with {} inputs, of which one is enough", self.inputs_found),
            now if now < self.inputs_found => format!(" with {} inputs, of which {now} are enough", self.inputs_found),
            0 => ", without any input".to_string(),
            1 => " with one input".to_string(),
            now => format!(" with {now} inputs"),
        };
        // What stays zero or as it was in the iteration before is no burden to a reader.
        match self.input_changes.map(|changes| changes.now) {
            Some(0) if !self.inputs.is_empty() => format!("{read}, zero throughout"),
            Some(changes) if changes < self.inputs.len() => {
                let them = if changes == 1 { "one of them changes" } else { &format!("{changes} of them change") };
                format!("{read}; {them}, the others stay as they were or zero")
            }
            Some(_) | None => read,
        }
    }
}

/// A line for each condition of a contract.
fn contract_lines(contract: &ContractText, lines: &mut Vec<String>) {
    let place = contract.place.as_ref().map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line));
    let of = format!("    contract of {}{place}:", contract.function);
    for case in &contract.cases {
        for ensures in &case.ensures {
            lines.push(match case.requires.as_str() {
                "1" => format!("{of} {ensures}"),
                requires => format!("{of} {requires} ==> {ensures}"),
            });
        }
    }
    match contract.inexpressible_conditions {
        0 if contract.cases.is_empty() => lines.push(format!("{of} it may change what it writes in any way")),
        0 => {}
        1 => lines.push(format!("{of} and one condition that has no name in C")),
        n => lines.push(format!("{of} and {n} conditions that have no names in C")),
    }
}

fn file(EvidenceFile { kind, path, result }: &EvidenceFile) -> String {
    match result {
        FileResult::Notes(notes) => {
            let notes: String = notes.iter().map(|note| format!("\n    {note}")).collect();
            format!("wrote the {kind} to {path}{notes}")
        }
        FileResult::Error(why) => format!("could not write the {kind} to {path}: {why}"),
    }
}

/// What no run does, one line for each place and kind.
fn undefined_behaviour(assumed: &[UndefinedBehaviour], lines: &mut Vec<String>) {
    let mut distinct: Vec<String> = Vec::new();
    for one in assumed {
        let flag = one.check.map_or(String::new(), |check| format!(" (--checks {} checks it)", check.name()));
        let line = format!("assumed: {}{}{flag}", one.assumed, at_place(one.place.as_ref()));
        if !distinct.contains(&line) {
            distinct.push(line);
        }
    }
    let more = distinct.len().saturating_sub(MOST_PLACES);
    lines.extend(distinct.into_iter().take(MOST_PLACES));
    if more > 0 {
        lines.push(format!("assumed: the same for {more} more places (--json lists them)"));
    }
}

/// What was taken for granted, one line for each kind.
fn assumptions(assumptions: &[Assumption], lines: &mut Vec<String>) {
    let kinds = [
        (AssumptionKind::ExternalFunction, "functions without a body return arbitrary values and change nothing"),
        (
            AssumptionKind::ExternalEffects,
            "functions without a body return arbitrary values, may change what their arguments reach but free nothing, and do nothing else \
             (--missing havoc)",
        ),
        (AssumptionKind::Callback, "functions without a body do not call the functions that are passed to them"),
        (AssumptionKind::Allocation, "there is enough memory for what is allocated"),
        (
            AssumptionKind::Contraction,
            "sums and differences of products of floats are rounded twice, as with -ffp-contract=off",
        ),
        (
            AssumptionKind::OwnLibrary,
            "functions of the program with names of the C library are called as they are, as with -fno-builtin",
        ),
        (AssumptionKind::ExternalObject, "objects without a definition have arbitrary initial values"),
        (AssumptionKind::Assembly, "inline assembly may set its outputs to any values and changes nothing else"),
        (AssumptionKind::FileAssembly, "assembly outside of functions changes nothing that the program uses"),
        (AssumptionKind::Barrier, "barriers, hints and interrupt masks in assembly change nothing"),
        (AssumptionKind::Bool, "a _Bool that is read from memory is 0 or 1"),
        (AssumptionKind::Volatile, "volatile objects change only where the program writes them (--volatile memory)"),
        (AssumptionKind::Interrupt, "interrupt handlers are not called by hardware"),
        (
            AssumptionKind::InterruptSource,
            "interrupts may occur whenever they are not masked and nothing of their priority runs, whatever the program writes \
             to the devices",
        ),
        (
            AssumptionKind::Atomicity,
            "memory is sequentially consistent, and every access, copy of an object and call of a library function is one step",
        ),
        (
            AssumptionKind::EntryPointer,
            "pointers given to the entry function are null or point to one object of their type, which nothing else points \
             to",
        ),
        (AssumptionKind::EntryNull, "pointers deeper in what is given to the entry function are null"),
        (AssumptionKind::EntryLibrary, "the entry function is called with the C library in its initial state"),
        (
            AssumptionKind::ProgramMemory,
            "objects in program memory are read with pgm_read_byte and its like, never directly",
        ),
        (
            AssumptionKind::ForeignMemory,
            "pointers from outside that are dereferenced lead to memory of arbitrary content that is no object or function of the program",
        ),
        (
            AssumptionKind::Device,
            "reads from device addresses return arbitrary values, writes there change no memory, and no object lies there",
        ),
    ];
    for (kind, what) in kinds {
        let mut names: Vec<String> = assumptions.iter().filter(|a| a.kind == kind).map(assumed).collect();
        names.dedup();
        if !names.is_empty() {
            let more = names.len().saturating_sub(MOST_NAMES);
            names.truncate(MOST_NAMES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            lines.push(format!("assumed: {what}: {}{more}", names.join(", ")));
        }
    }
}

/// A name; for assembly, whose name is its text, the place.
fn assumed(assumption: &Assumption) -> String {
    match (assumption.kind, &assumption.place) {
        (AssumptionKind::Assembly | AssumptionKind::FileAssembly, Some(place)) => {
            format!("{}:{}", place.file, place.line)
        }
        (
            AssumptionKind::Assembly
            | AssumptionKind::FileAssembly
            | AssumptionKind::ExternalFunction
            | AssumptionKind::ExternalEffects
            | AssumptionKind::Callback
            | AssumptionKind::Allocation
            | AssumptionKind::Contraction
            | AssumptionKind::ExternalObject
            | AssumptionKind::Barrier
            | AssumptionKind::Bool
            | AssumptionKind::Device
            | AssumptionKind::ForeignMemory
            | AssumptionKind::Volatile
            | AssumptionKind::EntryPointer
            | AssumptionKind::EntryNull
            | AssumptionKind::EntryLibrary
            | AssumptionKind::Interrupt
            | AssumptionKind::InterruptSource
            | AssumptionKind::Atomicity
            | AssumptionKind::OwnLibrary
            | AssumptionKind::ProgramMemory,
            _,
        ) => assumption.name.clone(),
    }
}

/// A measured time.
fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        t if t < 1.0 => format!("{:.0} ms", t * 1e3),
        t if t < 10.0 => format!("{t:.1} s"),
        t => format!("{t:.0} s"),
    }
}

fn explored(explored: &Explored) -> String {
    let Explored { runs, steps, deepest, states, branches, all_branches, locations, all_locations } = *explored;
    let mut parts = vec![format!("{} runs", amount(runs)), format!("{} steps", amount(steps))];
    if deepest > 0 {
        parts.push(format!("up to {} iterations of the outermost loop", amount(deepest)));
    }
    if all_locations > 0 {
        parts.push(format!("{locations} of {all_locations} locations"));
    }
    if all_branches > 0 {
        parts.push(format!("{branches} of {all_branches} branches"));
    }
    if states > 0 {
        parts.push(format!("{} abstract states", amount(states)));
    }
    format!("explored: {}", parts.join(", "))
}

/// A count of things, with an `s` unless it is one.
pub(crate) fn plural<N: Copy + fmt::Display + PartialEq + From<u8>>(n: N, what: &str) -> String {
    if n == N::from(1) { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A number that may be huge, in three digits where they are enough: `9999`, `12.3 k`, `1.23 M`.
pub fn amount(number: u64) -> String {
    if number < 10_000 {
        return number.to_string();
    }
    let (mut scaled, mut unit) = (number as f64, "");
    for next in ["k", "M", "G", "T", "P", "E"] {
        // 999.5 is the first that would be written with four digits.
        if scaled < 999.5 {
            break;
        }
        (scaled, unit) = (scaled / 1000.0, next);
    }
    let decimals = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
    format!("{scaled:.decimals$} {unit}")
}
