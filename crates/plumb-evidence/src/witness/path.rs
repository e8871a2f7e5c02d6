//! The waypoints of a run: what its input functions return, what locals hold that nobody has initialised, which way its
//! branches go, and where it ends.
//!
//! An assumption must be told at the beginning of a statement where its variable is in scope and still has the value. That
//! is certain at an `if` or `while` whose condition names the variable, if no other in the function has its name.

use super::locate::{Found, Location, Locator};
use crate::open_calls::OpenCalls;
use crate::replay::{Clock, MAX_OBSERVED_STEPS, NotReplayed, Replay, Tape, compile};
use plumb_answer::Budget;
use plumb_c::source::Span;
use plumb_exec::{CompileOptions, InputValue, Machine, StopSet, TracePhase};
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::program::{BranchKind, EdgeId, FuncId, HavocPlace, Op, Place, Program, VarRef};
use plumb_ir::ty::{FloatFormat, Ty};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A witness with more waypoints than this leaves the branches to whoever reads it: the returned values decide them.
const MAX_WAYPOINTS: usize = 4000;
/// Returned values beyond these are left to the reader as well.
const MAX_RETURNED: usize = 20_000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Branching(bool),
    /// A condition on `\result`.
    FunctionReturn(String),
    /// A condition on variables.
    Assumption(String),
    Target,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Waypoint {
    pub kind: Kind,
    pub location: Location,
}

/// The waypoints, of which the last is the target; `None` if the run ends at no place of the task's files.
pub(crate) fn waypoints(
    program: &Program,
    replayed: &Replay,
    locator: &Locator<'_>,
    budget: &Budget,
) -> Result<Option<Vec<Waypoint>>, NotReplayed> {
    let traced = if replayed.steps <= MAX_OBSERVED_STEPS { traced(program, replayed, locator, budget)? } else { None };
    let (mut found, last) = traced.unwrap_or_else(|| (untraced(program, replayed, locator), None));
    if found.len() > MAX_WAYPOINTS {
        found.retain(|w| !matches!(w.kind, Kind::Branching(_) | Kind::Assumption(_)));
        found.truncate(MAX_RETURNED);
    }
    let span = program.function(replayed.reported_at.func).edge(replayed.reported_at.edge).span;
    let location = target(program, span, locator).or_else(|| target(program, last?, locator));
    Ok(location.map(|location| {
        found.push(Waypoint { kind: Kind::Target, location });
        found
    }))
}

/// The place of the full expression around a span, or else of the macro that it comes from.
fn target(program: &Program, span: Span, locator: &Locator<'_>) -> Option<Location> {
    let mut around = program.full_expressions_at(span);
    if around.is_empty() {
        // A declaration holds its initialiser.
        let inside = program.full_expressions.iter().filter(|s| span.start <= s.start && s.end <= span.end);
        around = inside.copied().collect();
        around.sort_by_key(|s| s.start);
        around.truncate(1);
    }
    let exact = around.iter().find_map(|span| locator.exact(span.start));
    exact.or_else(|| match locator.locate(around.last()?.start)? {
        Found::Exact(location) | Found::Macro(location) | Found::Line(location) => Some(location),
    })
}

/// Values that functions return, where their calls are known without running.
fn untraced(program: &Program, replayed: &Replay, locator: &Locator<'_>) -> Vec<Waypoint> {
    let returned = replayed.inputs.iter().filter_map(|(id, value)| match program.input(*id).origin {
        InputOrigin::Nondet(_) => returned(program, *id, value, program.input(*id).span.end, locator),
        _ => None,
    });
    returned.collect()
}

/// Waypoints, and the last place in the entry function.
type Traced = (Vec<Waypoint>, Option<Span>);

/// The waypoints of the run branch by branch; `None` when the time is over.
fn traced(
    program: &Program,
    replayed: &Replay,
    locator: &Locator<'_>,
    budget: &Budget,
) -> Result<Option<Traced>, NotReplayed> {
    let image = compile(program, &CompileOptions { trace: true, ..CompileOptions::default() })?;
    let mut machine = Machine::new(image);
    let mut tape = Tape::new(&replayed.inputs);
    let mut follow = Follow {
        program,
        locator,
        entry: program.entry,
        inputs: &replayed.inputs,
        next: 0,
        calls: OpenCalls::default(),
        keywords: FxHashMap::default(),
        found: Vec::new(),
        uninitialised: Vec::new(),
        last: None,
    };
    let ended = Clock::new(budget).run(&mut machine, &mut tape, &StopSet::default(), &mut |event| {
        follow.edge(event.func, event.edge, event.phase, event.machine.current_stack());
    });
    Ok(ended.map(|_| (follow.found, follow.last)))
}

struct Follow<'a> {
    program: &'a Program,
    locator: &'a Locator<'a>,
    entry: Option<FuncId>,
    inputs: &'a [(InputId, InputValue)],
    next: usize,
    /// Ends of the call expressions in progress.
    calls: OpenCalls<u32>,
    /// Where the keywords of branches are.
    keywords: FxHashMap<(FuncId, EdgeId), Option<Location>>,
    found: Vec<Waypoint>,
    /// Locals that hold what they were found with, and are not told yet.
    uninitialised: Vec<(FuncId, VarRef, Arc<str>, String)>,
    /// The last expression in the entry function.
    last: Option<Span>,
}

impl Follow<'_> {
    fn edge(&mut self, func: FuncId, id: EdgeId, phase: TracePhase, stack: u32) {
        let function = self.program.function(func);
        let edge = function.edge(id);
        let is_expression = !matches!(edge.op, Op::Return(_) | Op::Check { .. }) && !edge.span.is_none();
        if Some(func) == self.entry && is_expression {
            self.last = Some(edge.span);
        }
        match &edge.op {
            Op::Call { .. } => match phase {
                TracePhase::Call => self.calls.begin(stack, &edge.op, edge.span.end),
                TracePhase::Done => {
                    self.calls.end(stack);
                }
            },
            Op::Havoc { to: HavocPlace::Var(_) | HavocPlace::Region { .. } | HavocPlace::Objects { .. }, input } => {
                let Some((_, value)) = self.inputs.get(self.next) else { return };
                self.next += 1;
                let end = match self.program.input(*input).origin {
                    InputOrigin::Nondet(_) => Some(edge.span.end),
                    InputOrigin::External(_) => self.calls.innermost(stack).copied(),
                    _ => None,
                };
                self.note_uninitialised(func, id, *input, value.clone());
                let waypoint = end.and_then(|end| returned(self.program, *input, value, end, self.locator));
                self.found.extend(waypoint);
            }
            Op::Assume { branch: Some(branch), .. } if !function.is_library => {
                let is_waypoint = match branch.kind {
                    BranchKind::If | BranchKind::While | BranchKind::For => true,
                    BranchKind::DoWhile
                    | BranchKind::Switch
                    | BranchKind::Conditional
                    | BranchKind::Logical
                    | BranchKind::Goto => false,
                };
                if !is_waypoint || self.found.len() > 4 * MAX_WAYPOINTS {
                    return;
                }
                let locator = self.locator;
                let keyword = self
                    .keywords
                    .entry((func, id))
                    .or_insert_with(|| locator.keyword(edge.span.start).and_then(|at| locator.exact(at)));
                if let Some(location) = keyword.clone() {
                    self.tell_uninitialised(func, edge.span, &location);
                    self.found.push(Waypoint { kind: Kind::Branching(branch.taken), location });
                }
            }
            Op::Assign { to: Place::Var(var), .. } => {
                self.uninitialised.retain(|(f, v, ..)| (*f, *v) != (func, *var));
            }
            Op::Assign { to: Place::Mem(_), .. } | Op::Assume { .. } | Op::Return(_) | Op::Check { .. } => {}
        }
    }
}

impl Follow<'_> {
    fn note_uninitialised(&mut self, func: FuncId, id: EdgeId, input: InputId, value: InputValue) {
        let function = self.program.function(func);
        let Op::Havoc { to: HavocPlace::Var(var @ VarRef::Local(local)), .. } = function.edge(id).op else { return };
        let site = self.program.input(input);
        let (InputOrigin::Uninitialised(name), None) = (&site.origin, &site.part) else { return };
        let others = function.vars.iter().map(|v| &v.name).chain(function.objects.iter().map(|o| &o.name));
        if function.is_library || function.var(local).name != *name || others.filter(|n| *n == name).count() != 1 {
            return;
        }
        if let Some(constant) = constant(self.program, input, &value) {
            self.uninitialised.retain(|(f, v, ..)| (*f, *v) != (func, var));
            self.uninitialised.push((func, var, name.clone(), constant));
        }
    }

    /// Tells what the variables hold that a condition names.
    fn tell_uninitialised(&mut self, func: FuncId, condition: Span, location: &Location) {
        let text = self.program.sources.text(condition);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let mut values = Vec::new();
        self.uninitialised.retain(|(f, _, name, constant)| {
            let is_named = *f == func && text.split(|c| !is_word(c)).any(|word| word == &**name);
            if is_named {
                values.push(format!("{name} == {constant}"));
            }
            !is_named
        });
        if !values.is_empty() {
            let kind = Kind::Assumption(values.join(" && "));
            self.found.push(Waypoint { kind, location: location.clone() });
        }
    }
}

/// The waypoint of a returned value, if its type has constants and the call ends in a parenthesis.
fn returned(program: &Program, id: InputId, value: &InputValue, end: u32, locator: &Locator<'_>) -> Option<Waypoint> {
    let site = program.input(id);
    if site.part.is_some() {
        return None;
    }
    let constant = constant(program, id, value)?;
    let last = end.checked_sub(1)?;
    let (text, at) = locator.text(last)?;
    if text.as_bytes()[at] != b')' {
        return None;
    }
    let location = locator.exact(last)?;
    Some(Waypoint { kind: Kind::FunctionReturn(format!("\\result == {constant}")), location })
}

/// A scalar as a constant of C, if its type has such.
fn constant(program: &Program, id: InputId, value: &InputValue) -> Option<String> {
    let site = program.input(id);
    let InputValue::Scalar(bits) = value else { return None };
    match site.ty? {
        ty @ Ty::Int(_) => integer(bits.signed(ty.bits(&program.target)), bits.u128(), site.is_signed),
        Ty::Float(FloatFormat::F64) => finite(f64::from_bits(bits.u64())),
        Ty::Float(FloatFormat::F32) => finite(f32::from_bits(bits.u64() as u32) as f64),
        Ty::Float(FloatFormat::X87) => None,
        Ty::Ptr if bits.is_zero() => Some("0".to_string()),
        Ty::Ptr => (bits.u128() < NO_OBJECTS).then(|| format!("(void *){}", bits.u128())),
    }
}

/// Below this address lies no object, wherever a compiler puts them: such pointers mean the same to everybody.
pub(crate) const NO_OBJECTS: u128 = 4096;

/// A constant as C has it: decimal ones without a suffix are signed, and the least has none at all.
pub(crate) fn integer(signed: i128, unsigned: u128, is_signed: bool) -> Option<String> {
    const LARGEST: u128 = i64::MAX as u128;
    match (is_signed, signed, unsigned) {
        (true, value, _) if value == i64::MIN as i128 => Some(format!("(-{LARGEST} - 1)")),
        (true, value, _) => i64::try_from(value).ok().map(|value| value.to_string()),
        (false, _, value @ ..=LARGEST) => Some(value.to_string()),
        (false, _, value) => u64::try_from(value).ok().map(|value| format!("{value}u")),
    }
}

fn finite(value: f64) -> Option<String> {
    value.is_finite().then(|| format!("{value:?}"))
}
