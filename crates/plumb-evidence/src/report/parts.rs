//! Parts of reports, as a reader without the program needs them: names, texts and places instead of numbers.

use crate::replay::Replay;
use plumb_c::source::{Place, SourceMap, Span};
use plumb_exec::{InputValue, Site, input_file};
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::input::InputId;
use plumb_ir::program::{AssumptionKind, Callee, FuncId, Op, Program};
use plumb_sym::Assumed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The source of an edge.
pub fn span_of(program: &Program, site: Site) -> Span {
    program.function(site.func).edge(site.edge).span
}

/// ` at file:line:column`, where there is a place.
pub fn at(sources: &SourceMap, span: Span) -> String {
    at_place(sources.place(span).as_ref())
}

pub(super) fn at_place(place: Option<&Place>) -> String {
    place.map_or(String::new(), |place| format!(" at {place}"))
}

/// What a broken check is told as.
pub fn violated(program: &Program, check: CheckId, site: Site) -> String {
    let info = program.check(check);
    format!("violated: {}: {}{}", info.kind.name(), info.message, at(&program.sources, span_of(program, site)))
}

/// A check that a run broke, or may break.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BrokenCheck {
    pub kind: CheckKind,
    /// What is wrong.
    pub message: String,
    pub place: Option<Place>,
}

impl BrokenCheck {
    /// Told where the user has written something.
    pub fn of(program: &Program, replayed: &Replay) -> BrokenCheck {
        BrokenCheck::at(program, replayed.check, span_of(program, replayed.reported_at))
    }

    /// Told where the check is; one in a library model where the program calls the library.
    pub fn as_called(program: &Program, check: CheckId) -> BrokenCheck {
        BrokenCheck::at(program, check, users_call(program, check).unwrap_or(program.check(check).span))
    }

    fn at(program: &Program, check: CheckId, span: Span) -> BrokenCheck {
        let info = program.check(check);
        BrokenCheck { kind: info.kind, message: info.message.to_string(), place: program.sources.place(span) }
    }
}

impl fmt::Display for BrokenCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.message, at_place(self.place.as_ref()))
    }
}

/// The program's first call that leads to a check in a library model; `None` for checks of the program's own.
fn users_call(program: &Program, check: CheckId) -> Option<Span> {
    let lies_in = |func: &FuncId| {
        let is_it = |op: &Op| matches!(op, Op::Check { check: other, .. } if *other == check);
        program.function(*func).edges.iter().any(|edge| is_it(&edge.op))
    };
    let all = || program.function_ids();
    let mut reach: BTreeSet<FuncId> = all().filter(lies_in).collect();
    if reach.iter().any(|func| !program.function(*func).is_library) {
        return None;
    }
    let mut worklist: Vec<FuncId> = reach.iter().copied().collect();
    let mut calls = Vec::new();
    while let Some(callee) = worklist.pop() {
        for caller in all() {
            let function = program.function(caller);
            let is_call = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(id), .. } if *id == callee);
            let mut sites = function.edges.iter().filter(|edge| is_call(&edge.op)).peekable();
            if sites.peek().is_none() {
                continue;
            }
            if !function.is_library {
                calls.extend(sites.map(|edge| edge.span));
            } else if reach.insert(caller) {
                worklist.push(caller);
            }
        }
    }
    calls.into_iter().min_by_key(|span| span.start)
}

/// A variable and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedValue {
    pub name: String,
    pub value: String,
}

/// A value that a run read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReadInput {
    pub value: String,
    /// The function that returned it, or what else it is.
    pub origin: String,
    pub place: Option<Place>,
}

pub fn inputs(program: &Program, inputs: &[(InputId, InputValue)]) -> Vec<ReadInput> {
    let read = |(id, value): &(InputId, InputValue)| {
        let site = program.input(*id);
        ReadInput {
            value: input_file::value_text(*id, value, program),
            origin: input_file::origin_text(&site.origin),
            place: program.sources.place(site.span),
        }
    };
    inputs.iter().map(read).collect()
}

/// Inputs that are not what was read at the same place of the iteration before: before minimising and after.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputChanges {
    pub found: usize,
    pub now: usize,
}

/// What was taken for granted about the world.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Assumption {
    pub kind: AssumptionKind,
    pub name: String,
    pub place: Option<Place>,
}

/// The assumptions of a program, in the order of the source.
pub fn assumptions(program: &Program) -> Vec<Assumption> {
    let mut list: Vec<_> = program.assumptions.iter().collect();
    list.sort_by_key(|a| a.span.start);
    let listed = list.into_iter().map(|a| Assumption {
        kind: a.kind,
        name: a.name.to_string(),
        place: program.sources.place(a.span),
    });
    listed.collect()
}

/// Undefined behaviour that a proof supposes not to happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UndefinedBehaviour {
    /// `no run divides by zero`
    pub assumed: String,
    /// The check that would look for it.
    pub check: Option<CheckKind>,
    pub place: Option<Place>,
}

pub fn undefined_behaviour(program: &Program, assumed: &BTreeSet<Assumed>) -> Vec<UndefinedBehaviour> {
    let described = |one: &Assumed| UndefinedBehaviour {
        assumed: format!("no run {}", one.kind.description()),
        check: one.kind.check(),
        place: one.site.and_then(|site| program.sources.place(program.function(site.func).edge(site.edge).span)),
    };
    assumed.iter().map(described).collect()
}

/// A predicate of a loop that a proof rests on, as C.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopPredicate {
    pub place: Option<Place>,
    pub predicate: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    Inputs,
    Harness,
    Witness,
    Certificate,
    Contracts,
}

impl fmt::Display for EvidenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EvidenceKind::Inputs => "inputs",
            EvidenceKind::Harness => "harness",
            EvidenceKind::Witness => "witness",
            EvidenceKind::Certificate => "certificate",
            EvidenceKind::Contracts => "contracts",
        })
    }
}

/// A file that was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EvidenceFile {
    pub kind: EvidenceKind,
    pub path: String,
    #[serde(flatten)]
    pub result: FileResult,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileResult {
    /// It is there: how to use it.
    Notes(Vec<String>),
    /// Why it is not there.
    Error(String),
}
