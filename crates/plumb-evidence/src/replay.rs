//! Replay: the claim of a violation, tried from scratch.
//!
//! The image is compiled anew without coverage or tracing, so that nothing of the engine that made the claim can take
//! part. Two runs break the same check if they end at a check edge with the same [`CheckId`]: every place in the
//! source that a property speaks of has one of its own.
//!
//! A check may fail where the user has written nothing: inside a library model, at the end of the program, at the entry of a
//! function that is called through a pointer. [`Replay::reported_at`] is the place of the user's that led there.

use crate::story::{Before, Overview};
use plumb_answer::{Budget, Violation};
use plumb_c::source::Span;
use plumb_exec::{
    CompileOptions, Image, InputSource, InputValue, Limits, Machine, NoLasso, Outcome, ProbeId, RegionFill, Site,
    StopSet, TraceEvent, lasso,
};
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::index::TiVec;
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::{EdgeId, FuncId, Op, Program};
use plumb_ir::ty::Bits;
use std::fmt;
use std::sync::Arc;

/// Runs with more steps than this are not observed edge by edge, which would take too long: their stories have no iterations, decisions
/// and timelines of tasks, and their witnesses no branches.
pub(crate) const MAX_OBSERVED_STEPS: u64 = 30_000_000;

/// A run that broke the check that it was claimed to break.
#[derive(Clone, Debug)]
pub struct Replay {
    pub check: CheckId,
    /// The edge that failed.
    pub site: Site,
    /// The edge of the user's that it is reported at.
    pub reported_at: Site,
    /// The calls in progress, innermost first.
    pub calls: Vec<Site>,
    pub overview: Overview,
    /// IR edges run.
    pub steps: u64,
    /// The inputs that the run asked for, and no others.
    pub inputs: Vec<(InputId, InputValue)>,
}

impl Replay {
    /// The violation without inputs that no run asks for.
    pub fn violation(&self) -> Violation {
        Violation { check: self.check, inputs: self.inputs.clone() }
    }

    /// The library function in which the check failed, as the user called it.
    pub fn inside(&self, program: &Program) -> Option<FuncId> {
        let at = self.calls.iter().position(|call| *call == self.reported_at)?;
        let called = at.checked_sub(1).map_or(self.site.func, |inner| self.calls[inner].func);
        program.function(called).is_library.then_some(called)
    }
}

/// Why a violation is none.
#[derive(Clone, Debug)]
pub enum NotReplayed {
    /// The program cannot be run: the reason.
    CannotRun(String),
    /// The run ended otherwise.
    Ended(Outcome),
    /// The run broke another check.
    OtherCheck(CheckId),
    /// The run asked for another input than the violation gives, after so many that agreed.
    OtherInput(usize),
    /// The time was over before the run was.
    OutOfTime,
}

impl fmt::Display for NotReplayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotReplayed::CannotRun(why) => write!(f, "the program cannot be run: {why}"),
            NotReplayed::Ended(outcome) => write!(f, "the run does not violate the check but ends as {outcome:?}"),
            NotReplayed::OtherCheck(check) => write!(f, "the run violates another check, number {}", check.0),
            NotReplayed::OtherInput(at) => write!(f, "the run reads another input than number {}", at + 1),
            NotReplayed::OutOfTime => write!(f, "no time is left to replay it"),
        }
    }
}

impl std::error::Error for NotReplayed {}

/// Runs the program from scratch with the violation's inputs.
pub fn replay(program: &Program, violation: &Violation, budget: &Budget) -> Result<Replay, NotReplayed> {
    if program.check(violation.check).kind == CheckKind::Request {
        return replay_lasso(program, violation, budget);
    }
    // Where the program's end is the matter, the user is told where it ended.
    let ends: TiVec<ProbeId, Site> = match program.check(violation.check).kind {
        CheckKind::Leak => program.entry.map_or(TiVec::new(), |entry| returns(program, entry)),
        _ => TiVec::new(),
    };
    let probes = ends.iter().map(|end| (end.func, end.loc)).collect();
    let image = compile(program, &CompileOptions { probes, ..CompileOptions::default() })?;
    let stops = StopSet::all(&image);
    let mut machine = Machine::new(image);
    let mut inputs = Tape::new(&violation.inputs);
    let before = Before::of(program, &mut machine);
    let mut end = None;
    let mut clock = Clock::new(budget);
    let outcome = loop {
        match clock.run(&mut machine, &mut inputs, &stops, &mut |_| {}) {
            Some(Outcome::Probe(id)) => end = ends.get(id).copied(),
            Some(outcome) => break outcome,
            None => return Err(NotReplayed::OutOfTime),
        }
    };
    if let Some(at) = inputs.strayed {
        return Err(NotReplayed::OtherInput(at));
    }
    match outcome {
        Outcome::CheckFailed { check, site } if check == violation.check => {
            let overview = before.overview(program, site, &mut machine);
            let mut calls: Vec<Site> = machine.calls().collect();
            calls.reverse();
            Ok(Replay {
                check,
                site,
                reported_at: reported_site(program, Some(check), site, &calls).or(end).unwrap_or(site),
                calls,
                overview,
                steps: machine.steps(),
                inputs: violation.inputs[..inputs.used()].to_vec(),
            })
        }
        Outcome::CheckFailed { check, .. } => Err(NotReplayed::OtherCheck(check)),
        outcome => Err(NotReplayed::Ended(outcome)),
    }
}

/// A response that never comes is shown by a run that can go on for ever without it.
fn replay_lasso(program: &Program, violation: &Violation, budget: &Budget) -> Result<Replay, NotReplayed> {
    let before = Before::of(program, &mut Machine::new(compile(program, &CompileOptions::default())?));
    let found = lasso(program, &violation.inputs, &|| budget.is_over()).map_err(|why| match why {
        NoLasso::CannotRun(why) => NotReplayed::CannotRun(why),
        NoLasso::OtherInput(at) => NotReplayed::OtherInput(at),
        NoLasso::Ended(outcome) => NotReplayed::Ended(outcome),
        NoLasso::Open | NoLasso::NoRequest => NotReplayed::Ended(Outcome::StepLimit),
        NoLasso::OutOfTime => NotReplayed::OutOfTime,
    })?;
    let mut machine = found.machine;
    let (func, loc) = machine.position();
    let edge = program.function(func).out_edges(loc).next().unwrap_or(EdgeId(0));
    let site = Site { func, edge, loc };
    let overview = before.overview(program, site, &mut machine);
    let mut calls: Vec<Site> = machine.calls().collect();
    calls.reverse();
    Ok(Replay {
        check: found.check,
        site,
        reported_at: reported_site(program, Some(found.check), site, &calls).unwrap_or(site),
        calls,
        overview,
        steps: machine.steps(),
        inputs: violation.inputs.clone(),
    })
}

/// The edge of the user's that led to an edge: itself, or the innermost call of the user's, the calls in progress being
/// given innermost first.
pub fn reported_site(program: &Program, check: Option<CheckId>, site: Site, calls: &[Site]) -> Option<Site> {
    let is_users = |func: FuncId| {
        let function = program.function(func);
        function.has_body && !function.is_library && !is_kernel(program, function.span)
    };
    // An error function that is called through a pointer fails at its entry.
    let subject = check.and_then(|check| program.check(check).subject.clone());
    let is_entry = subject.is_some_and(|name| name == program.function(site.func).name)
        && check.is_some_and(|check| program.check(check).kind == CheckKind::ErrorCall);
    if is_users(site.func) && !is_entry {
        return Some(site);
    }
    calls.iter().copied().find(|call| is_users(call.func))
}

/// Whether something was written in a kernel model.
pub(crate) fn is_kernel(program: &Program, span: Span) -> bool {
    program.sources.place(span).is_some_and(|place| place.file.starts_with("<osek>/"))
}

/// The edges by which a function returns.
fn returns(program: &Program, func: FuncId) -> TiVec<ProbeId, Site> {
    let edges = program.function(func).edges.iter_enumerated();
    let returns = edges.filter(|(_, edge)| matches!(edge.op, Op::Return(_)));
    returns.map(|(id, edge)| Site { func, edge: id, loc: edge.from }).collect()
}

pub(crate) fn compile(program: &Program, options: &CompileOptions) -> Result<Arc<Image>, NotReplayed> {
    Image::compile(program, options).map(Arc::new).map_err(|error| NotReplayed::CannotRun(error.to_string()))
}

/// Steps between two looks at the budget, and what stopping at a probe counts as: whoever asked for it may look at the
/// whole state there.
const SLICE: u64 = 500_000;
const PROBE: u64 = 5_000;

/// Runs a machine and looks at the budget now and then, however often the machine stops.
pub(crate) struct Clock<'a> {
    budget: &'a Budget,
    /// Steps until the next look, and in all.
    slice: u64,
    left: u64,
}

impl<'a> Clock<'a> {
    pub fn new(budget: &'a Budget) -> Clock<'a> {
        Clock::with_steps(budget, u64::MAX)
    }

    /// For no more than so many steps.
    pub fn with_steps(budget: &'a Budget, steps: u64) -> Clock<'a> {
        Clock { budget, slice: SLICE, left: steps }
    }

    /// Runs until something but the clock stops the machine; `None` when the time is over, or the steps are spent.
    pub fn run(
        &mut self,
        machine: &mut Machine,
        inputs: &mut dyn InputSource,
        stops: &StopSet,
        observer: &mut dyn FnMut(TraceEvent),
    ) -> Option<Outcome> {
        while self.left > 0 {
            let before = machine.work();
            let outcome = machine.run_traced(inputs, Limits::steps(self.slice.min(self.left)), stops, observer);
            let done = machine.work().saturating_sub(before);
            self.left = self.left.saturating_sub(done.max(1));
            self.slice = self.slice.saturating_sub(done + PROBE);
            if self.slice == 0 {
                self.slice = SLICE;
                if self.budget.is_over() && outcome.is_resumable() {
                    return None;
                }
            }
            if outcome != Outcome::StepLimit {
                return Some(outcome);
            }
        }
        None
    }
}

/// Recorded inputs, which must be asked for in their order by the sites that they were recorded for.
pub(crate) struct Tape<'a> {
    inputs: &'a [(InputId, InputValue)],
    next: usize,
    /// Where a run first asked for another input than the next.
    pub strayed: Option<usize>,
}

impl<'a> Tape<'a> {
    pub fn new(inputs: &'a [(InputId, InputValue)]) -> Tape<'a> {
        Tape { inputs, next: 0, strayed: None }
    }

    pub fn used(&self) -> usize {
        self.next
    }

    fn take(&mut self, id: InputId) -> Option<&'a InputValue> {
        let (expected, value) = self.inputs.get(self.next)?;
        if *expected != id {
            self.strayed = Some(self.next);
            return None;
        }
        self.next += 1;
        Some(value)
    }
}

impl InputSource for Tape<'_> {
    fn scalar(&mut self, id: InputId, _: &InputSite) -> Option<Bits> {
        match self.take(id)? {
            InputValue::Scalar(bits) => Some(*bits),
            InputValue::Region(_) => {
                self.strayed = Some(self.next - 1);
                None
            }
        }
    }

    fn region(&mut self, id: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        match self.take(id)? {
            InputValue::Region(fill) => Some(fill.clone()),
            InputValue::Scalar(_) => {
                self.strayed = Some(self.next - 1);
                None
            }
        }
    }
}
