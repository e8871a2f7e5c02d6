//! Running a violation once more and writing down what happens in each iteration.

use super::value;
use super::watch::{Watch, is_users};
use super::{Call, Change, Decision, Ending, Input, Iteration, Overview};
use crate::condition::statement_at;
use crate::minimise::iterations::main_loop;
use crate::open_calls::OpenCalls;
use crate::replay::{Clock, MAX_OBSERVED_STEPS, NotReplayed, Replay, Tape, compile, is_kernel};
use crate::report::NamedValue;
use plumb_answer::Budget;
use plumb_c::source::{Place, Span};
use plumb_exec::{CompileOptions, InputValue, Machine, Outcome, RegionFill, Site, StopSet, TracePhase};
use plumb_ir::analysis::loops::place_of;
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::input::{InputOrigin, InputSite};
use plumb_ir::program::{BranchKind, EdgeId, FuncId, Function, Loc, Op, Program, VarRef};
use plumb_ir::ty::Bits;
use rustc_hash::FxHashMap;

/// Distinct decisions of an iteration beyond these are left out.
const MAX_DECISIONS: usize = 200;

pub(super) struct Recorded {
    pub iterations: Vec<Iteration>,
    /// Where the main loop is.
    pub main: Option<Place>,
    pub ending: Ending,
}

pub(super) fn record(program: &Program, replayed: &Replay, budget: &Budget) -> Result<Recorded, NotReplayed> {
    let traced = if replayed.steps <= MAX_OBSERVED_STEPS { by_iterations(program, replayed, budget)? } else { None };
    Ok(traced.unwrap_or_else(|| as_a_whole(program, replayed)))
}

/// The run observed iteration by iteration; `None` when the time is over.
fn by_iterations(program: &Program, replayed: &Replay, budget: &Budget) -> Result<Option<Recorded>, NotReplayed> {
    let main = main_loop(program, &replayed.inputs, budget)?;
    let probes = main.into_iter().collect();
    let image = compile(program, &CompileOptions { probes, trace: true, ..CompileOptions::default() })?;
    let stops = StopSet::all(&image);
    let mut machine = Machine::new(image);
    let watch = Watch::new(program, main.map(|(f, _)| f));
    let mut tape = Tape::new(&replayed.inputs);
    let mut observed = Observed::default();
    let mut iterations = Vec::new();
    let mut before = watch.values(&mut machine);
    let mut begin = 0;
    let mut clock = Clock::new(budget);
    loop {
        let outcome = clock.run(&mut machine, &mut tape, &stops, &mut |event| {
            observed.edge(program, event.machine, event.func, event.edge, event.phase);
        });
        let Some(outcome) = outcome else { return Ok(None) };
        let after = watch.values(&mut machine);
        iterations.push(Iteration {
            inputs: inputs(program, replayed, begin..tape.used()),
            decisions: observed.take_decisions(program),
            changes: changes(&watch, &before, &after, program, &machine),
        });
        begin = tape.used();
        // Locals are unknown while another function runs: what they were stays.
        before = before.iter().zip(after).map(|(b, a)| a.or(*b)).collect();
        if !matches!(outcome, Outcome::Probe(_)) {
            break;
        }
    }
    let mut ending = ending(program, replayed, observed.calls.take(machine.current_stack()));
    ending.decision = observed.last.and_then(|(f, e)| decision(program, f, e));
    let decided = observed.last.filter(|(f, _)| *f == replayed.site.func && ending.values.is_empty());
    if let Some((func, e)) = decided
        && let Op::Assume { cond, .. } = &program.function(func).edge(e).op
    {
        ending.values = mentioned(program, program.function(func), *cond, &machine);
    }
    let head = |(func, loc): (FuncId, Loc)| place_of(program, program.function(func), loc);
    Ok(Some(Recorded { iterations, main: main.and_then(head), ending }))
}

/// The run as one iteration: what was asked for, and what the end tells.
fn as_a_whole(program: &Program, replayed: &Replay) -> Recorded {
    let users = replayed.calls.iter().rev().filter(|call| !program.function(call.func).is_library);
    let calls = users.map(|call| OpenCall { func: call.func, edge: call.edge, values: Vec::new() });
    let iteration = Iteration {
        inputs: inputs(program, replayed, 0..replayed.inputs.len()),
        decisions: Vec::new(),
        changes: replayed.overview.changes.clone(),
    };
    Recorded { iterations: vec![iteration], main: None, ending: ending(program, replayed, calls.collect()) }
}

fn inputs(program: &Program, replayed: &Replay, range: std::ops::Range<usize>) -> Vec<Input> {
    let inputs = replayed.inputs[range].iter().map(|(id, v)| {
        let site = program.input(*id);
        let part = site.part.as_ref().map_or("", |p| &p.path);
        Input {
            name: format!("{}{part}", plumb_exec::input_file::origin_text(&site.origin)),
            value: value::input(v, site, program),
            place: program.sources.place(site.span),
            is_idle: is_idle(site, v),
        }
    });
    inputs.collect()
}

/// The globals before a run.
pub(crate) struct Before {
    watch: Watch,
    values: Vec<Option<Bits>>,
}

impl Before {
    pub fn of(program: &Program, machine: &mut Machine) -> Before {
        let watch = Watch::new(program, None);
        let values = watch.values(machine);
        Before { watch, values }
    }

    /// What the state tells in which a check has failed.
    pub fn overview(&self, program: &Program, site: Site, machine: &mut Machine) -> Overview {
        let after = self.watch.values(machine);
        let function = program.function(site.func);
        let values = match &function.edge(site.edge).op {
            Op::Check { cond, .. } => mentioned(program, function, *cond, machine),
            Op::Assign { .. } | Op::Assume { .. } | Op::Havoc { .. } | Op::Call { .. } | Op::Return(_) => Vec::new(),
        };
        Overview { values, changes: changes(&self.watch, &self.values, &after, program, machine) }
    }
}

/// Whether an input is garbage that happens to be zero.
fn is_idle(site: &InputSite, value: &InputValue) -> bool {
    let is_zero = match value {
        InputValue::Scalar(bits) => bits.is_zero(),
        InputValue::Region(fill) => *fill == RegionFill::Zero,
    };
    let is_garbage = match site.origin {
        InputOrigin::Uninitialised(_) | InputOrigin::Padding(_)
        | InputOrigin::FreshMemory
        | InputOrigin::MissingArgument(_)
        | InputOrigin::MissingReturn(_)
        | InputOrigin::ExternalObject(_)
        | InputOrigin::ForeignMemory
        // Nobody takes the processor away.
        | InputOrigin::Schedule(_) => true,
        InputOrigin::Nondet(_)
        | InputOrigin::External(_)
        | InputOrigin::ExternalMemory(_)
        | InputOrigin::Library(_)
        | InputOrigin::Volatile(_)
        | InputOrigin::Register(_)
        | InputOrigin::MainArgument
        | InputOrigin::EntryArgument(..)
        | InputOrigin::Assembly
        | InputOrigin::Summary(_)
        | InputOrigin::UnitState(_) => false,
    };
    is_zero && is_garbage
}

fn changes(
    watch: &Watch,
    before: &[Option<Bits>],
    after: &[Option<Bits>],
    program: &Program,
    machine: &Machine,
) -> Vec<Change> {
    let changed = before.iter().zip(after).enumerate().filter_map(|(i, (b, a))| match (b, a) {
        (Some(b), Some(a)) if b != a => Some(Change {
            name: watch.variables[i].name.clone(),
            before: watch.show(i, *b, program, machine),
            after: watch.show(i, *a, program, machine),
        }),
        _ => None,
    });
    changed.collect()
}

/// A call in progress: its edge, and the variables that its arguments mention.
struct OpenCall {
    func: FuncId,
    edge: EdgeId,
    values: Vec<NamedValue>,
}

/// What the observer of an iteration has seen.
#[derive(Default)]
struct Observed {
    /// Edges of decisions in the order in which they were first taken, with how often.
    order: Vec<(FuncId, EdgeId)>,
    times: FxHashMap<(FuncId, EdgeId), u64>,
    last: Option<(FuncId, EdgeId)>,
    calls: OpenCalls<OpenCall>,
    /// Decisions that have been met before: their texts are looked for in the source once.
    decisions: FxHashMap<(FuncId, EdgeId), Option<Decision>>,
}

impl Observed {
    fn edge(&mut self, program: &Program, machine: &Machine, func: FuncId, edge: EdgeId, phase: TracePhase) {
        let function = program.function(func);
        if function.is_library {
            return;
        }
        match &function.edge(edge).op {
            Op::Assume { branch: Some(branch), .. } => {
                let is_listed = match branch.kind {
                    BranchKind::Switch => branch.taken,
                    BranchKind::Logical | BranchKind::Goto => false,
                    BranchKind::If
                    | BranchKind::While
                    | BranchKind::DoWhile
                    | BranchKind::For
                    | BranchKind::Conditional => true,
                };
                if is_listed && !is_kernel(program, function.span) {
                    self.last = Some((func, edge));
                    let times = self.times.entry((func, edge)).or_insert(0);
                    *times += 1;
                    if *times == 1 {
                        self.order.push((func, edge));
                    }
                }
            }
            op @ Op::Call { args, .. } => match phase {
                TracePhase::Call => {
                    let values = args.iter().flat_map(|a| mentioned(program, function, *a, machine)).collect();
                    self.calls.begin(machine.current_stack(), op, OpenCall { func, edge, values });
                }
                TracePhase::Done => {
                    self.calls.end(machine.current_stack());
                }
            },
            Op::Assign { .. } | Op::Assume { .. } | Op::Havoc { .. } | Op::Return(_) | Op::Check { .. } => {}
        }
    }

    fn take_decisions(&mut self, program: &Program) -> Vec<Decision> {
        let times = std::mem::take(&mut self.times);
        let order = std::mem::take(&mut self.order);
        let decisions = order.into_iter().take(MAX_DECISIONS).filter_map(|(func, edge)| {
            let known = self.decisions.entry((func, edge)).or_insert_with(|| decision(program, func, edge));
            let mut decision = known.clone()?;
            decision.times = times[&(func, edge)];
            Some(decision)
        });
        decisions.collect()
    }
}

fn decision(program: &Program, func: FuncId, edge: EdgeId) -> Option<Decision> {
    let edge = program.function(func).edge(edge);
    let Op::Assume { branch: Some(branch), .. } = &edge.op else { return None };
    let text = one_line(condition(program, edge.span, branch.kind));
    Some(Decision { text, taken: branch.taken, times: 1, place: program.sources.place(edge.span)? })
}

/// The whole condition that an operand belongs to.
fn condition(program: &Program, span: Span, kind: BranchKind) -> &str {
    let whole = match kind {
        BranchKind::If | BranchKind::While | BranchKind::DoWhile | BranchKind::For => true,
        BranchKind::Switch | BranchKind::Conditional | BranchKind::Logical | BranchKind::Goto => false,
    };
    let unit = program.sources.unit_of(span.start).filter(|_| whole);
    let statement = unit.and_then(|u| Some((u, statement_at(&u.text, (span.start - u.base()) as usize)?)));
    match statement {
        Some((unit, statement)) => &unit.text[statement.condition],
        None => program.sources.text(span),
    }
}

/// How the run ends, the calls in progress being given outermost first.
fn ending(program: &Program, replayed: &Replay, mut calls: Vec<OpenCall>) -> Ending {
    let reported = replayed.reported_at;
    let function = program.function(reported.func);
    let span = function.edge(reported.edge).span;
    let mut values = replayed.overview.values.clone();
    // What is told at a call is told at no other place.
    let is_reported = |call: &mut OpenCall| (call.func, call.edge) == (reported.func, reported.edge);
    if let Some(call) = calls.pop_if(is_reported)
        && values.is_empty()
    {
        values = call.values;
    }
    let calls = calls.into_iter().rev().filter_map(|call| {
        let span = program.function(call.func).edge(call.edge).span;
        Some(Call {
            text: one_line(program.sources.text(span)),
            place: program.sources.place(span)?,
            values: call.values,
        })
    });
    Ending {
        line: line(program, replayed.check, span),
        function: function.name.to_string(),
        inside: replayed.inside(program).map(|inside| program.function(inside).name.to_string()),
        values,
        decision: None,
        calls: calls.collect(),
    }
}

/// The source line of a place. That of a failed `assert` is the macro's, of which nothing is the user's but the condition.
fn line(program: &Program, check: CheckId, span: Span) -> String {
    let info = program.check(check);
    let is_macro =
        info.kind == CheckKind::Assertion && program.sources.text(span).trim_start_matches('_').starts_with("assert_");
    let condition = info.message.split_once('`').and_then(|(_, rest)| rest.rsplit_once('`')).filter(|_| is_macro);
    match condition {
        Some((condition, _)) => format!("assert({condition})"),
        None => one_line(program.sources.line_text(span)),
    }
}

/// The user's variables in an expression of the function that is running, with their values.
fn mentioned(program: &Program, function: &Function, expr: ExprId, machine: &Machine) -> Vec<NamedValue> {
    let mut found: Vec<NamedValue> = Vec::new();
    let mut work = vec![expr];
    while let Some(id) = work.pop() {
        let kind = function.exprs.kind(id);
        if let ExprKind::Var(var) = kind {
            let (name, ty, cty, span, bits) = match var {
                VarRef::Global(v) => {
                    let info = program.var(v);
                    (&info.name, info.ty, info.cty, info.span, Some(machine.global(v)))
                }
                VarRef::Local(v) => {
                    let info = function.var(v);
                    (&info.name, info.ty, info.cty, info.span, machine.local(v))
                }
            };
            let is_new = !found.iter().any(|known| *known.name == **name);
            if let (Some(bits), true) = (bits, is_new && is_users(program, name, span)) {
                let value = value::show(bits, ty, cty, program, Some(machine.image().addresses()));
                found.push(NamedValue { name: name.to_string(), value });
            }
        }
        // Operands in order of writing.
        let mut operands = Vec::new();
        kind.map_operands(|operand| {
            operands.push(operand);
            operand
        });
        work.extend(operands.into_iter().rev());
    }
    found
}

/// Source text on one line, without the line markers that the preprocessor leaves around macros.
fn one_line(text: &str) -> String {
    const WIDTH: usize = 100;
    let text = text.lines().filter(|line| !line.starts_with("# ")).collect::<Vec<_>>().join(" ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}
