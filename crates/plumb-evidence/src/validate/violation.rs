//! A run along the waypoints of a violation.
//!
//! The machine runs the program; what it asks for is what the next waypoint says that a function returns, if that waypoint is
//! at the place of the call. A waypoint is passed when the run is at its place and does what it says; the next one counts
//! from there on. What no waypoint says is zero at first, then what a search finds ([`super::search`]), then anything. At the end the run must have broken the property at the target with
//! every waypoint passed, and once more from scratch.

use super::annotate::{is_at, show};
use super::content::{Metadata, Waypoint, WaypointKind};
use super::search::{Inputs, Search, search};
use super::tuning::TUNING;
use super::{Subject, Validation, same_specification};
use crate::open_calls::OpenCalls;
use crate::replay::{Clock, compile, replay};
use crate::witness::locate::{Location, Locator};
use crate::witness::path;
use plumb_answer::{Budget, Violation};
use plumb_exec::{
    CompileOptions, FaultKind, InputSource, InputValue, Machine, Outcome, RegionFill, SeedInputs, StopSet, TraceEvent,
    TracePhase, float_bits,
};
use plumb_ir::check::CheckId;
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::{BranchKind, Callee, EdgeId, FuncId, Function, LocalVar, Op, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::time::Instant;

pub(super) fn check(
    subject: &Subject,
    metadata: &Metadata,
    segments: &[Vec<Waypoint>],
    locator: &Locator<'_>,
    budget: &Budget,
) -> Validation {
    let waypoints: Vec<&Waypoint> = segments.iter().flatten().collect();
    if waypoints.iter().any(|w| !w.follow) {
        return Validation::Unknown("it has waypoints to avoid, which are not supported".to_string());
    }
    let Some((target, before)) = waypoints.split_last().filter(|(last, _)| last.kind == WaypointKind::Target) else {
        return Validation::Rejected("its last waypoint is not a target".to_string());
    };
    if before.iter().any(|w| w.kind == WaypointKind::Target) {
        return Validation::Rejected("it has more than one target".to_string());
    }
    let program = subject.program;
    let places = Places::of(program, locator);
    if let Some(lost) = before.iter().find(|w| !places.has(w)) {
        return Validation::Rejected(format!("nothing at {} can be its waypoint", show(&lost.place)));
    }
    // Without branches to pass there is nothing to watch but what is asked for.
    let is_watched = before.iter().any(|w| !matches!(w.kind, WaypointKind::FunctionReturn(_)))
        || program.inputs.iter().any(|site| matches!(site.origin, InputOrigin::External(_)));
    let image = match compile(program, &CompileOptions { trace: is_watched, ..CompileOptions::default() }) {
        Ok(image) => image,
        Err(why) => return Validation::Unknown(why.to_string()),
    };
    let mut machine = Machine::new(image);
    let start = machine.snapshot();
    let mut attempt = |guide: Guide| {
        machine.restore(&start);
        follow(subject, metadata, target, guide, &mut machine, budget)
    };
    let guide = || Guide::new(program, locator, before);
    let first = attempt(guide());
    if !is_about_open(&first) {
        return first;
    }
    // What the witness leaves open may be anything. Where nearly anything does, a few guesses are cheaper than a search.
    for seed in 1..=TUNING.first_guesses {
        if let confirmed @ Validation::Confirmed(_) = attempt(Guide { chance: Some(SeedInputs::new(seed)), ..guide() })
        {
            return confirmed;
        }
    }
    let mut accept = |_: CheckId, inputs: Inputs| match attempt(Guide { fixed: Some((inputs, 0)), ..guide() }) {
        confirmed @ Validation::Confirmed(_) => Some(confirmed),
        Validation::Rejected(_) | Validation::Unknown(_) => None,
    };
    let why_open = match search(program, locator, before, budget, &mut accept) {
        Search::Found(confirmed) => return confirmed,
        Search::Nothing => {
            let why = "no run passes its waypoints and violates the property at the target, whatever the inputs";
            return Validation::Rejected(why.to_string());
        }
        Search::Open(why) => why,
    };
    let until = Instant::now() + TUNING.guessing_time;
    for seed in TUNING.first_guesses + 1..=TUNING.guesses {
        if Instant::now() >= until {
            break;
        }
        if let confirmed @ Validation::Confirmed(_) = attempt(Guide { chance: Some(SeedInputs::new(seed)), ..guide() })
        {
            return confirmed;
        }
    }
    match first {
        Validation::Unknown(why) => Validation::Unknown(format!("{why}; {why_open}")),
        decided @ (Validation::Confirmed(_) | Validation::Rejected(_)) => decided,
    }
}

fn is_about_open(validation: &Validation) -> bool {
    matches!(validation, Validation::Unknown(why) if why.starts_with(OPEN))
}

const OPEN: &str = "the witness leaves an input open";

/// Runs along the waypoints, and judges where that leads.
fn follow(
    subject: &Subject,
    metadata: &Metadata,
    target: &Waypoint,
    guide: Guide,
    machine: &mut Machine,
    budget: &Budget,
) -> Validation {
    let (program, locator, before) = (guide.program, guide.locator, guide.waypoints);
    let guide = RefCell::new(guide);
    let mut run = |mut clock: Clock| {
        clock.run(machine, &mut Asked(&guide), &StopSet::default(), &mut |event| guide.borrow_mut().event(event))
    };
    let mut ended = run(Clock::with_steps(budget, TUNING.max_made_up_steps));
    if ended.is_none() && guide.borrow().open.is_none() {
        ended = run(Clock::new(budget));
    }
    let mut guide = guide.into_inner();
    let Some(outcome) = ended else {
        return match guide.open {
            Some(_) if !budget.is_over() => guide.not_confirmed(&ending(&Outcome::StepLimit)),
            _ => Validation::Unknown("there was not enough time".to_string()),
        };
    };
    if let Some(trouble) = guide.trouble.take() {
        return trouble;
    }
    let Outcome::CheckFailed { check, .. } = outcome else { return guide.not_confirmed(&ending(&outcome)) };
    if let Some(missed) = before.get(guide.next) {
        let why = format!("the waypoint at {} is not passed", show(&missed.place));
        return guide.not_confirmed(&why);
    }
    if !same_specification(&metadata.specification, &(subject.specification)(Some(check))) {
        return guide.not_confirmed("the run violates another property");
    }
    let violation = Violation { check, inputs: guide.given.clone() };
    let replayed = match replay(program, &violation, budget) {
        Ok(replayed) => replayed,
        Err(why) => return Validation::Unknown(why.to_string()),
    };
    let reached = match path::waypoints(program, &replayed, locator, budget) {
        Ok(waypoints) => waypoints.and_then(|mut found| found.pop()).map(|w| w.location),
        Err(why) => return Validation::Unknown(why.to_string()),
    };
    match reached {
        Some(location) if is_at(&target.place, &location) => {
            let message = &program.check(check).message;
            Validation::Confirmed(format!("the run of {} steps violates the property: {message}", replayed.steps))
        }
        Some(location) => guide.not_confirmed(&format!("the run ends at line {}, not at the target", location.line)),
        None => guide.not_confirmed("the run ends at no place of the files"),
    }
}

/// How a run has ended that breaks nothing.
fn ending(outcome: &Outcome) -> String {
    let how = match outcome {
        Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Stopped { .. } => "ends without violating a check",
        Outcome::Aborted => "aborts",
        Outcome::AssumptionFailed(_) => "does not satisfy an assumption of the program",
        Outcome::CheckFailed { .. } => "violates another check",
        Outcome::Unsupported { .. } => "reaches an operation that Plumb does not model",
        Outcome::Fault { kind: FaultKind::StackOverflow, .. } => "overflows the stack",
        Outcome::Fault { .. } => "has undefined behaviour that no selected check covers",
        Outcome::StepLimit | Outcome::NoInput { .. } | Outcome::Probe(_) => "does not end",
    };
    format!("the run {how}")
}

/// Where waypoints can be.
struct Places {
    calls: Vec<Location>,
    branches: Vec<Location>,
}

impl Places {
    fn of(program: &Program, locator: &Locator<'_>) -> Places {
        let mut places = Places { calls: Vec::new(), branches: Vec::new() };
        for function in program.functions.iter().filter(|f| !f.is_library) {
            for edge in &function.edges {
                match &edge.op {
                    Op::Call { .. } | Op::Havoc { .. } => {
                        places.calls.extend(edge.span.end.checked_sub(1).and_then(|last| locator.exact(last)));
                    }
                    Op::Assume { branch: Some(_), .. } => {
                        places.branches.extend(locator.keyword(edge.span.start).and_then(|at| locator.exact(at)));
                    }
                    Op::Assign { .. } | Op::Assume { branch: None, .. } | Op::Return(_) | Op::Check { .. } => {}
                }
            }
        }
        places
    }

    fn has(&self, waypoint: &Waypoint) -> bool {
        let among = |places: &[Location]| places.iter().any(|location| is_at(&waypoint.place, location));
        match waypoint.kind {
            WaypointKind::FunctionEnter | WaypointKind::FunctionReturn(_) => among(&self.calls),
            WaypointKind::Branching(_) => among(&self.branches),
            // They may be anywhere.
            WaypointKind::Assumption(_) | WaypointKind::Target => true,
        }
    }
}

struct Guide<'a> {
    program: &'a Program,
    locator: &'a Locator<'a>,
    waypoints: &'a [&'a Waypoint],
    next: usize,
    /// Ends of the call expressions in progress.
    calls: OpenCalls<u32>,
    /// The stack that was running last.
    stack: u32,
    keywords: FxHashMap<(FuncId, EdgeId), Option<Location>>,
    given: Vec<(InputId, InputValue)>,
    /// An input that no waypoint determines.
    open: Option<InputId>,
    left_open: u32,
    /// Where values come from that nothing determines; without it they are zero.
    chance: Option<SeedInputs>,
    /// All values, and how many of them have been asked for.
    fixed: Option<(Inputs, usize)>,
    /// What ends it all.
    trouble: Option<Validation>,
}

impl<'a> Guide<'a> {
    fn new(program: &'a Program, locator: &'a Locator<'a>, waypoints: &'a [&'a Waypoint]) -> Guide<'a> {
        Guide {
            program,
            locator,
            waypoints,
            next: 0,
            calls: OpenCalls::default(),
            stack: 0,
            keywords: FxHashMap::default(),
            given: Vec::new(),
            open: None,
            left_open: 0,
            chance: None,
            fixed: None,
            trouble: None,
        }
    }

    fn not_confirmed(&self, why: &str) -> Validation {
        match self.open {
            Some(input) => {
                let site = self.program.input(input);
                let place = self.program.sources.place(site.span).map_or(String::new(), |p| format!(" at {p}"));
                Validation::Unknown(format!("{OPEN}{place}, and with zero {why}"))
            }
            None => Validation::Rejected(why.to_string()),
        }
    }

    fn next(&self) -> Option<&Waypoint> {
        self.waypoints.get(self.next).copied()
    }

    /// Whether the next waypoint is at the end of a call.
    fn is_at_call(&self, end: u32) -> bool {
        let location = end.checked_sub(1).and_then(|last| self.locator.exact(last));
        self.next().zip(location).is_some_and(|(next, location)| is_at(&next.place, &location))
    }

    fn event(&mut self, event: TraceEvent) {
        let function = self.program.function(event.func);
        let edge = function.edge(event.edge);
        self.stack = event.machine.current_stack();
        match &edge.op {
            Op::Call { to, callee, .. } => match event.phase {
                TracePhase::Call => {
                    self.calls.begin(self.stack, &edge.op, edge.span.end);
                    let enters = self.next().is_some_and(|w| w.kind == WaypointKind::FunctionEnter);
                    if enters && self.is_at_call(edge.span.end) {
                        self.next += 1;
                    }
                }
                TracePhase::Done => {
                    self.calls.end(self.stack);
                    // What functions without a body return has been given as the waypoint says, and passed it.
                    let is_own = matches!(callee, Callee::Direct(f) if self.program.function(*f).has_body);
                    if let Some(to) = to.filter(|_| is_own) {
                        self.returned(event.machine, event.func, to, edge.span.end);
                    }
                }
            },
            Op::Assume { branch: Some(branch), .. } if !function.is_library => {
                if !matches!(branch.kind, BranchKind::If | BranchKind::While | BranchKind::For) {
                    return;
                }
                let locator = self.locator;
                let start = edge.span.start;
                let keyword = self.keywords.entry((event.func, event.edge));
                let keyword =
                    keyword.or_insert_with(|| locator.keyword(start).and_then(|at| locator.exact(at))).clone();
                if let Some(location) = keyword {
                    self.branched(event.machine, event.func, &location, branch.taken);
                }
            }
            Op::Assign { .. } | Op::Assume { .. } | Op::Havoc { .. } | Op::Return(_) | Op::Check { .. } => {}
        }
    }

    /// A function of the program has returned a value.
    fn returned(&mut self, machine: &Machine, func: FuncId, to: VarRef, end: u32) {
        let Some(WaypointKind::FunctionReturn(constraint)) = self.next().map(|w| w.kind.clone()) else { return };
        if !self.is_at_call(end) {
            return;
        }
        let (ty, value) = match to {
            VarRef::Local(var) => (self.program.function(func).var(var).ty, machine.local(var)),
            VarRef::Global(var) => (self.program.var(var).ty, Some(machine.global(var))),
        };
        match (number(&constraint, "\\result"), ty, value) {
            (Some(Number::Integer(wanted)), Ty::Int(width), Some(value)) => {
                let is = [value.signed(width as u32), value.u128() as i128];
                self.next += usize::from(is.contains(&wanted));
            }
            _ => self.give_up(&constraint),
        }
    }

    fn branched(&mut self, machine: &Machine, func: FuncId, location: &Location, taken: bool) {
        while let Some(Waypoint { kind: WaypointKind::Assumption(text), place, .. }) = self.next() {
            if !is_at(place, location) {
                return;
            }
            let text = text.clone();
            match self.holds(machine, func, &text) {
                Some(true) => self.next += 1,
                Some(false) => return,
                None => return self.give_up(&text),
            }
        }
        let passes = self.next().is_some_and(|w| is_at(&w.place, location) && w.kind == WaypointKind::Branching(taken));
        self.next += usize::from(passes);
    }

    fn give_up(&mut self, constraint: &str) {
        let why = format!("the constraint `{constraint}` is not supported here");
        self.trouble.get_or_insert(Validation::Unknown(why));
    }

    /// Whether locals have the values that an assumption says.
    fn holds(&self, machine: &Machine, func: FuncId, text: &str) -> Option<bool> {
        let mut all = true;
        for (local, ty, wanted) in demanded(self.program.function(func), text)? {
            let value = machine.local(local)?;
            all &= match (wanted, ty) {
                (Number::Integer(wanted), Ty::Int(width)) => {
                    wanted == value.signed(width as u32) || wanted == value.u128() as i128
                }
                (wanted, Ty::Float(format)) => float_bits(wanted.float(), format) == value,
                (Number::Integer(wanted), Ty::Ptr) => wanted == value.u128() as i128,
                (Number::Float(_), Ty::Int(_) | Ty::Ptr) => return None,
            };
        }
        Some(all)
    }

    /// What the program asks for.
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        let end = match &site.origin {
            InputOrigin::Nondet(_) => Some(site.span.end),
            InputOrigin::External(_) => self.calls.innermost(self.stack).copied(),
            _ => None,
        };
        let claimed = match self.next().map(|w| &w.kind) {
            Some(WaypointKind::FunctionReturn(claimed)) if end.is_some_and(|end| self.is_at_call(end)) => {
                Some(claimed.clone())
            }
            _ => None,
        };
        if self.fixed.is_some() {
            let InputValue::Scalar(bits) = self.fixed_value(id)? else { return None };
            let wanted = claimed.as_deref().and_then(|claimed| number(claimed, "\\result"));
            let passes = wanted.and_then(|wanted| as_input(self.program, site, wanted)) == Some(bits);
            self.next += usize::from(passes);
            self.given.push((id, InputValue::Scalar(bits)));
            return Some(bits);
        }
        let bits = match (claimed, &site.origin) {
            (Some(constraint), _) => match number(&constraint, "\\result") {
                None => {
                    self.give_up(&constraint);
                    return None;
                }
                Some(wanted) => match as_input(self.program, site, wanted) {
                    Some(bits) => {
                        self.next += 1;
                        bits
                    }
                    None => {
                        let why = format!("no value of the function is as `{constraint}` says");
                        self.trouble.get_or_insert(Validation::Rejected(why));
                        return None;
                    }
                },
            },
            (None, InputOrigin::Uninitialised(name)) => match self.assumed(site, name) {
                Some(bits) => bits,
                None => self.leave_open(id, site)?,
            },
            (None, _) => self.leave_open(id, site)?,
        };
        self.given.push((id, InputValue::Scalar(bits)));
        Some(bits)
    }

    /// The value that was found for an input. What libraries leave open the machine settles itself, and does not ask for.
    fn fixed_value(&mut self, id: InputId) -> Option<InputValue> {
        let (values, at) = self.fixed.as_mut()?;
        loop {
            let (of, value) = values.get(*at)?;
            *at += 1;
            if *of == id {
                return Some(value.clone());
            }
            let site = self.program.input(*of);
            if !site.origin.is_open(site.ty) {
                return None;
            }
        }
    }

    fn leave_open(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        self.open.get_or_insert(id);
        // A program that asks for ever gets nowhere.
        self.left_open += 1;
        if self.left_open > TUNING.max_made_up {
            return None;
        }
        match &mut self.chance {
            Some(chance) => chance.scalar(id, site),
            None => Some(Bits::ZERO),
        }
    }

    fn leave_region_open(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        if self.fixed.is_some() {
            let value = self.fixed_value(id)?;
            self.given.push((id, value.clone()));
            return match value {
                InputValue::Region(fill) => Some(fill),
                InputValue::Scalar(_) => None,
            };
        }
        self.open.get_or_insert(id);
        let fill = match &mut self.chance {
            Some(chance) => chance.region(id, site, size)?,
            None => RegionFill::Zero,
        };
        self.given.push((id, InputValue::Region(fill.clone())));
        Some(fill)
    }

    /// The value that a later assumption says a local has.
    fn assumed(&self, site: &InputSite, name: &str) -> Option<Bits> {
        let assumptions = self.waypoints[self.next..].iter().filter_map(|w| match &w.kind {
            WaypointKind::Assumption(text) => Some(text),
            _ => None,
        });
        let mut parts = assumptions.flat_map(|text| text.split("&&"));
        parts.find_map(|part| number(part, name)).and_then(|wanted| as_input(self.program, site, wanted))
    }
}

/// The guide as what the machine asks.
struct Asked<'g, 'a>(&'g RefCell<Guide<'a>>);

impl InputSource for Asked<'_, '_> {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        self.0.borrow_mut().scalar(id, site)
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        self.0.borrow_mut().leave_region_open(id, site, size)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    Integer(i128),
    Float(f64),
}

impl Number {
    pub fn float(self) -> f64 {
        match self {
            Number::Integer(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

/// What an assumption says of locals: conjuncts `variable == constant`, of variables whose names are unique in the function.
pub(super) fn demanded(function: &Function, text: &str) -> Option<Vec<(LocalVar, Ty, Number)>> {
    let one = |part: &str| {
        let name = part.split("==").next()?.trim();
        let mut named = function.vars.iter_enumerated().filter(|(_, v)| *v.name == *name);
        let (local, info) = named.next()?;
        if named.next().is_some() {
            return None;
        }
        Some((local, info.ty, number(part, name)?))
    };
    text.split("&&").map(one).collect()
}

/// The constant that something equals, from `name == constant`.
pub(super) fn number(constraint: &str, name: &str) -> Option<Number> {
    let (left, right) = constraint.trim().trim_end_matches(';').split_once("==")?;
    if left.trim() != name {
        return None;
    }
    let right = right.trim();
    let text = right.strip_prefix("(void *)").unwrap_or(right);
    // The least number has no constant of its own: `(-9223372036854775807 - 1)`.
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(text).trim();
    if let Some((a, b)) = inner.split_once(" - ") {
        return Some(Number::Integer(integer(a.trim())?.checked_sub(integer(b.trim())?)?));
    }
    match integer(inner) {
        Some(value) => Some(Number::Integer(value)),
        None if inner.contains(['.', 'e', 'E']) => {
            inner.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok().filter(|f: &f64| f.is_finite()).map(Number::Float)
        }
        None => None,
    }
}

fn integer(text: &str) -> Option<i128> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// A number as a value that an input may have.
pub(super) fn as_input(program: &Program, site: &InputSite, wanted: Number) -> Option<Bits> {
    match (site.ty?, wanted) {
        (Ty::Int(width), Number::Integer(value)) => {
            let width = width as u32;
            let bits = Bits::new(value as u128, width);
            let back = if site.is_signed { bits.signed(width) } else { bits.u128() as i128 };
            let fits = back == value && (!site.is_bool || value == 0 || value == 1);
            fits.then_some(bits)
        }
        (Ty::Ptr, Number::Integer(value)) => {
            let value = u128::try_from(value).ok().filter(|value| *value < path::NO_OBJECTS)?;
            Some(Bits::new(value, program.target.pointer_bits()))
        }
        (Ty::Float(format), wanted) => Some(float_bits(wanted.float(), format)),
        (Ty::Int(_) | Ty::Ptr, Number::Float(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_constraints_are_read() {
        let of = |text: &str| number(text, "\\result");
        assert_eq!(of("\\result == -5"), Some(Number::Integer(-5)));
        assert_eq!(of("\\result==18446744073709551615u"), Some(Number::Integer(u64::MAX as i128)));
        assert_eq!(of("\\result == (-9223372036854775807 - 1)"), Some(Number::Integer(i64::MIN as i128)));
        assert_eq!(of("\\result == (void *)1"), Some(Number::Integer(1)));
        assert_eq!(of("\\result == 1.5"), Some(Number::Float(1.5)));
        assert_eq!(of("\\result >= 5"), None);
        assert_eq!(of("x == 5"), None);
    }
}
