//! The waypoints of a run: what its input functions return, which way its branches go, and where it ends.

use super::locate::{Location, Locator};
use crate::replay::{NotReplayed, Replay, Tape, compile};
use plumb_exec::{CompileOptions, InputValue, Limits, Machine, StopSet, TracePhase};
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::program::{BranchKind, EdgeId, FuncId, HavocPlace, Op, Program};
use plumb_ir::ty::{FloatFormat, Ty};

/// Runs with more steps than this are not followed branch by branch.
const MAX_TRACED: u64 = 30_000_000;
/// A witness with more waypoints than this leaves the branches to whoever reads it: the returned values decide them.
const MAX_WAYPOINTS: usize = 4000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A condition on the program's variables before a statement.
    Assumption(String),
    Branching(bool),
    /// A condition on `\result`.
    FunctionReturn(String),
    Target,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Waypoint {
    pub kind: Kind,
    pub location: Location,
}

pub(super) fn waypoints(
    program: &Program,
    replayed: &Replay,
    locator: &Locator<'_>,
    assumption: Option<String>,
) -> Result<Vec<Waypoint>, NotReplayed> {
    let mut found = if replayed.steps <= MAX_TRACED {
        traced(program, replayed, locator)?
    } else {
        untraced(program, replayed, locator)
    };
    if found.len() > MAX_WAYPOINTS {
        found.retain(|w| !matches!(w.kind, Kind::Branching(_)));
    }
    let span = program.function(replayed.site.func).edge(replayed.site.edge).span;
    let target = locator.locate(span.start).or_else(|| locator.locate(program.check(replayed.check).span.start));
    if let Some(location) = target {
        let before = assumption.map(|text| Waypoint { kind: Kind::Assumption(text), location: location.clone() });
        found.extend(before);
        found.push(Waypoint { kind: Kind::Target, location });
    }
    Ok(found)
}

/// Values that functions return, where their calls are known without running.
fn untraced(program: &Program, replayed: &Replay, locator: &Locator<'_>) -> Vec<Waypoint> {
    let returned = replayed.inputs.iter().filter_map(|(id, value)| match program.input(*id).origin {
        InputOrigin::Nondet(_) => returned(program, *id, value, program.input(*id).span.end, locator),
        _ => None,
    });
    returned.collect()
}

fn traced(program: &Program, replayed: &Replay, locator: &Locator<'_>) -> Result<Vec<Waypoint>, NotReplayed> {
    let image = compile(program, &CompileOptions { trace: true, ..CompileOptions::default() })?;
    let mut machine = Machine::new(image);
    let mut tape = Tape::new(&replayed.inputs);
    let mut follow =
        Follow { program, locator, inputs: &replayed.inputs, next: 0, calls: Vec::new(), found: Vec::new() };
    machine.run_traced(&mut tape, Limits::default(), &StopSet::default(), &mut |event| {
        follow.edge(event.func, event.edge, event.phase);
    });
    Ok(follow.found)
}

struct Follow<'a> {
    program: &'a Program,
    locator: &'a Locator<'a>,
    inputs: &'a [(InputId, InputValue)],
    next: usize,
    /// Ends of the call expressions in progress.
    calls: Vec<u32>,
    found: Vec<Waypoint>,
}

impl Follow<'_> {
    fn edge(&mut self, func: FuncId, id: EdgeId, phase: TracePhase) {
        let function = self.program.function(func);
        let edge = function.edge(id);
        match &edge.op {
            Op::Call { .. } => match phase {
                TracePhase::Call => self.calls.push(edge.span.end),
                TracePhase::Done => {
                    self.calls.pop();
                }
            },
            Op::Havoc { to: HavocPlace::Var(_) | HavocPlace::Region { .. }, input } => {
                let Some((_, value)) = self.inputs.get(self.next) else { return };
                self.next += 1;
                let end = match self.program.input(*input).origin {
                    InputOrigin::Nondet(_) => Some(edge.span.end),
                    InputOrigin::External(_) => self.calls.last().copied(),
                    _ => None,
                };
                let waypoint = end.and_then(|end| returned(self.program, *input, value, end, self.locator));
                self.found.extend(waypoint);
            }
            Op::Assume { branch: Some(branch), .. } if !function.is_library => {
                let is_told = match branch.kind {
                    BranchKind::If | BranchKind::While | BranchKind::For => true,
                    BranchKind::DoWhile
                    | BranchKind::Switch
                    | BranchKind::Conditional
                    | BranchKind::Logical
                    | BranchKind::Goto => false,
                };
                if !is_told || self.found.len() > 4 * MAX_WAYPOINTS {
                    return;
                }
                let keyword = self.locator.keyword(edge.span.start).and_then(|at| self.locator.locate(at));
                self.found.extend(keyword.map(|location| Waypoint { kind: Kind::Branching(branch.taken), location }));
            }
            Op::Assign { .. } | Op::Assume { .. } | Op::Return(_) | Op::Check { .. } => {}
        }
    }
}

/// The waypoint of a returned value, if its type has constants and the call ends in a parenthesis.
fn returned(program: &Program, id: InputId, value: &InputValue, end: u32, locator: &Locator<'_>) -> Option<Waypoint> {
    let site = program.input(id);
    if site.part.is_some() {
        return None;
    }
    let InputValue::Scalar(bits) = value else { return None };
    let constant = match site.ty? {
        ty @ Ty::Int(_) if site.is_signed => bits.signed(ty.bits(&program.target)).to_string(),
        Ty::Int(_) => bits.u128().to_string(),
        Ty::Float(FloatFormat::F64) => finite(f64::from_bits(bits.u64()))?,
        Ty::Float(FloatFormat::F32) => finite(f32::from_bits(bits.u64() as u32) as f64)?,
        Ty::Float(FloatFormat::X87) => return None,
        Ty::Ptr => bits.is_zero().then(|| "0".to_string())?,
    };
    let last = end.checked_sub(1)?;
    let (text, at) = locator.text(last)?;
    if text.as_bytes()[at] != b')' {
        return None;
    }
    let location = locator.locate(last)?;
    Some(Waypoint { kind: Kind::FunctionReturn(format!("\\result == {constant}")), location })
}

fn finite(value: f64) -> Option<String> {
    value.is_finite().then(|| format!("{value:?}"))
}
