//! The answer for the user: text with the verdict as its last line, or one JSON document.

use super::files::Written;
use super::verdict::Verdict;
use crate::report::{self, Exit, Output, amount};
use plumb_c::source::Span;
use plumb_engine::Assumed;
use plumb_engine::Explored;
use plumb_evidence::{Counterexample, Replay, Style};
use plumb_ir::check::CheckKind;
use plumb_ir::program::{Assumption, AssumptionKind, Program};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// Names in one line of assumptions; JSON has them all.
const MOST_NAMES: usize = 12;
/// Lines about undefined behaviour that is supposed not to happen; JSON has them all.
const MOST_PLACES: usize = 12;

/// A check that is over.
pub struct Report {
    pub program: Program,
    pub finding: Finding,
    pub explored: Option<Explored>,
    pub times: Times,
    pub style: Style,
}

pub enum Finding {
    Holds {
        why: String,
        /// For runs that do nothing of this.
        assumed: BTreeSet<Assumed>,
        /// The files that tell it.
        written: Vec<Written>,
    },
    /// The property that is broken, and how.
    Violated(&'static str, Box<Evidence>),
    /// Why there is no answer.
    Open(String),
}

/// A violation that has been replayed.
pub struct Evidence {
    pub replay: Replay,
    pub size: Size,
    pub counterexample: Counterexample,
    pub written: Vec<Written>,
}

/// What minimising came to.
pub struct Size {
    /// Inputs before.
    pub found: usize,
    /// Inputs that are not what was read at the same place of the turn before, before and after.
    pub changes: Option<(usize, usize)>,
}

#[derive(Clone, Copy, Default)]
pub struct Times {
    pub load: Duration,
    pub search: Duration,
    pub evidence: Duration,
}

/// What is told of a search that has no answer and cannot tell more.
pub fn open(json: bool, why: &str, out: &mut Output) -> Exit {
    let reason = format!("no answer: {why}");
    match json {
        true => out.json(&json!({ "verdict": Verdict::Unknown.name(), "reason": reason })),
        false => {
            out.line(&reason);
            out.line(&Verdict::Unknown.line());
        }
    }
    Verdict::Unknown.exit()
}

/// What is told of a violation that has been replayed when there is no time for its run.
pub fn replayed(json: bool, program: &Program, property: &'static str, replay: &Replay, out: &mut Output) -> Exit {
    let verdict = Verdict::False(property);
    let reason = report::violated(program, replay.check, replay.told);
    if json {
        let inputs = replay.inputs.len();
        out.json(&json!({ "verdict": verdict.name(), "reason": reason, "property": property, "inputsFound": inputs }));
    } else {
        out.line(&reason);
        out.line(&format!(
            "it was replayed with {} inputs; there was no time to tell the run or to write files",
            replay.inputs.len()
        ));
        out.line(&verdict.line());
    }
    verdict.exit()
}

impl Report {
    pub fn tell(&self, json: bool, out: &mut Output) -> Exit {
        let verdict = self.verdict();
        if json {
            out.json(&self.json());
        } else {
            self.text(out);
            out.line(&verdict.line());
        }
        verdict.exit()
    }

    fn verdict(&self) -> Verdict {
        match &self.finding {
            Finding::Holds { .. } => Verdict::True,
            Finding::Violated(property, _) => Verdict::False(property),
            Finding::Open(_) => Verdict::Unknown,
        }
    }

    /// One sentence: what was found, or why nothing was.
    fn reason(&self) -> String {
        match &self.finding {
            Finding::Holds { why, .. } => format!("holds: {why}"),
            Finding::Violated(_, evidence) => {
                report::violated(&self.program, evidence.replay.check, evidence.replay.told)
            }
            Finding::Open(why) => format!("no answer: {why}"),
        }
    }

    fn text(&self, out: &mut Output) {
        match &self.finding {
            Finding::Holds { assumed, written, .. } => {
                out.line(&self.reason());
                written.iter().for_each(|file| out.line(&file.text()));
                self.undefined_behaviour(assumed, out);
            }
            Finding::Open(_) => {
                out.line(&self.reason());
                self.explored.iter().for_each(|explored| out.line(&explored_text(explored)));
            }
            Finding::Violated(_, evidence) => {
                // The story begins with the reason.
                out.line(evidence.counterexample.text(self.style).trim_end());
                out.line("");
                out.line(&format!("found in {}{}", seconds(self.times.search), evidence.size()));
                evidence.written.iter().for_each(|file| out.line(&file.text()));
            }
        }
        self.assumptions(out);
    }

    /// What no run does, one line for each place and kind; JSON has them all.
    fn undefined_behaviour(&self, assumed: &BTreeSet<Assumed>, out: &mut Output) {
        let mut lines: Vec<String> = Vec::new();
        for one in assumed {
            let flag =
                one.kind.check().map_or(String::new(), |check| format!(" (--checks {} checks it)", check.name()));
            let span = one.site.map_or(Span::NONE, |site| self.program.function(site.func).edge(site.edge).span);
            let line = format!("assumed: no run {}{}{flag}", one.kind.deed(), report::at(&self.program.sources, span));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        let more = lines.len().saturating_sub(MOST_PLACES);
        lines.iter().take(MOST_PLACES).for_each(|line| out.line(line));
        if more > 0 {
            out.line(&format!("assumed: the same of {more} more places (--json lists them)"));
        }
    }

    /// What was taken for granted, one line for each kind.
    fn assumptions(&self, out: &mut Output) {
        let kinds = [
            (AssumptionKind::ExternalFunction, "functions without a body return anything and change nothing"),
            (
                AssumptionKind::ExternalEffects,
                "functions without a body return anything, may change what their arguments reach, and do nothing else \
                 (--missing havoc)",
            ),
            (AssumptionKind::ExternalObject, "objects without a definition start with anything"),
            (AssumptionKind::Assembly, "inline assembly gives anything"),
            (AssumptionKind::FileAssembly, "assembly outside of functions changes nothing that the program uses"),
            (AssumptionKind::Barrier, "barriers, hints and interrupt masks in assembly change nothing"),
            (AssumptionKind::Bool, "a _Bool that is read through a pointer is 0 or 1"),
            (
                AssumptionKind::Volatile,
                "volatile objects change only where the program writes them (--volatile memory)",
            ),
            (AssumptionKind::Interrupt, "interrupt handlers are not called by hardware"),
            (
                AssumptionKind::ProgramMemory,
                "objects in program memory are read with pgm_read_byte and its like, never directly",
            ),
            (
                AssumptionKind::Device,
                "addresses of devices read as anything, writing there changes no memory, and no object lies there",
            ),
        ];
        for (kind, what) in kinds {
            let mut assumed: Vec<&Assumption> = self.program.assumptions.iter().filter(|a| a.kind == kind).collect();
            assumed.sort_by_key(|a| a.span.start);
            let mut names: Vec<String> = assumed.iter().map(|a| self.assumed(a)).collect();
            names.dedup();
            if !names.is_empty() {
                let more = names.len().saturating_sub(MOST_NAMES);
                names.truncate(MOST_NAMES);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                out.line(&format!("assumed: {what}: {}{more}", names.join(", ")));
            }
        }
    }

    /// A name; for assembly, whose name is its text, the place.
    fn assumed(&self, assumption: &Assumption) -> String {
        match (assumption.kind, self.program.sources.place(assumption.span)) {
            (AssumptionKind::Assembly | AssumptionKind::FileAssembly, Some(place)) => {
                format!("{}:{}", place.file, place.line)
            }
            (
                AssumptionKind::Assembly
                | AssumptionKind::FileAssembly
                | AssumptionKind::ExternalFunction
                | AssumptionKind::ExternalEffects
                | AssumptionKind::ExternalObject
                | AssumptionKind::Barrier
                | AssumptionKind::Bool
                | AssumptionKind::Device
                | AssumptionKind::Volatile
                | AssumptionKind::Interrupt
                | AssumptionKind::ProgramMemory,
                _,
            ) => assumption.name.to_string(),
        }
    }

    /// Undefined behaviour that is supposed not to happen.
    fn assumed_json(&self, assumed: &Assumed) -> Value {
        let span = assumed.site.map_or(Span::NONE, |site| self.program.function(site.func).edge(site.edge).span);
        json!({
            "assumed": format!("no run {}", assumed.kind.deed()),
            "check": assumed.kind.check().map(CheckKind::name),
            "place": report::place(&self.program.sources, span),
        })
    }

    fn json(&self) -> Value {
        let verdict = self.verdict();
        let mut value = json!({
            "verdict": verdict.name(),
            "reason": self.reason(),
            "explored": self.explored.as_ref().map(explored_json),
            "seconds": {
                "load": self.times.load.as_secs_f64(), "search": self.times.search.as_secs_f64(),
                "evidence": self.times.evidence.as_secs_f64(),
            },
            "assumptions": report::assumptions(&self.program),
        });
        if let Finding::Holds { assumed, written, .. } = &self.finding {
            value["files"] = written.iter().map(Written::json).collect();
            value["undefinedBehaviour"] = assumed.iter().map(|one| self.assumed_json(one)).collect();
        }
        if let Finding::Violated(property, evidence) = &self.finding {
            let span = report::span_of(&self.program, evidence.replay.told);
            value["property"] = json!(property);
            value["check"] = report::check(&self.program, evidence.replay.check);
            value["place"] = report::place(&self.program.sources, span);
            value["check"]["place"] = value["place"].clone();
            value["inputs"] = report::inputs(&self.program, &evidence.replay.inputs);
            value["inputsFound"] = json!(evidence.size.found);
            let changes = |(found, now): (usize, usize)| json!({ "found": found, "now": now });
            value["inputChanges"] = evidence.size.changes.map_or(Value::Null, changes);
            value["counterexample"] = evidence.counterexample.json();
            value["files"] = evidence.written.iter().map(Written::json).collect();
        }
        value
    }
}

impl Evidence {
    fn size(&self) -> String {
        let read = match self.replay.inputs.len() {
            0 if self.size.found > 0 => format!(" with {} inputs, none of which is needed", self.size.found),
            1 if self.size.found > 1 => format!(" with {} inputs, of which one is enough", self.size.found),
            now if now < self.size.found => format!(" with {} inputs, of which {now} are enough", self.size.found),
            0 => ", without any input".to_string(),
            1 => " with one input".to_string(),
            now => format!(" with {now} inputs"),
        };
        // What stays zero or as it was in the turn before is no burden to a reader.
        match self.size.changes {
            Some((_, 0)) if !self.replay.inputs.is_empty() => format!("{read}, zero throughout"),
            Some((_, changes)) if changes < self.replay.inputs.len() => {
                let them = if changes == 1 { "one of them changes" } else { &format!("{changes} of them change") };
                format!("{read}; {them}, the others stay as they were or zero")
            }
            Some(_) | None => read,
        }
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

fn explored_text(explored: &Explored) -> String {
    let Explored { runs, steps, deepest, states, branches, all_branches, locations, all_locations } = *explored;
    let mut parts = vec![format!("{} runs", amount(runs)), format!("{} steps", amount(steps))];
    if deepest > 0 {
        parts.push(format!("up to {} turns of the outermost loop", amount(deepest)));
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

fn explored_json(explored: &Explored) -> Value {
    let Explored { runs, steps, deepest, states, branches, all_branches, locations, all_locations } = *explored;
    json!({
        "runs": runs, "steps": steps, "deepest": deepest, "states": states, "branches": branches,
        "allBranches": all_branches, "locations": locations, "allLocations": all_locations,
    })
}
