//! Running a violation once more and writing down what happens in each turn.

use super::value;
use super::watch::{Watch, is_users};
use super::{Call, Change, Decision, Ending, Input, Place, Turn};
use crate::condition::statement_at;
use crate::minimise::turns::main_loop;
use crate::replay::{NotReplayed, Replay, Tape, compile};
use plumb_c::source::Span;
use plumb_exec::{CompileOptions, InputValue, Limits, Machine, Outcome, RegionFill, Site, StopSet, TracePhase};
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::input::{InputOrigin, InputSite};
use plumb_ir::program::{BranchKind, EdgeId, FuncId, Function, Loc, Op, Program, VarRef};
use plumb_ir::ty::Bits;
use rustc_hash::FxHashMap;

/// Runs with more steps than this are told as a whole, without turns and decisions: observing them would take too long.
const MAX_TRACED: u64 = 30_000_000;

/// Distinct decisions of a turn beyond these are left out.
const MAX_DECISIONS: usize = 200;

pub(super) struct Recorded {
    pub turns: Vec<Turn>,
    /// Where the main loop is.
    pub main: Option<Place>,
    pub ending: Ending,
}

pub(super) fn record(program: &Program, replayed: &Replay) -> Result<Recorded, NotReplayed> {
    let trace = replayed.steps <= MAX_TRACED;
    let main = if trace { main_loop(program, &replayed.inputs)? } else { None };
    let probes = main.into_iter().collect();
    let image = compile(program, &CompileOptions { probes, trace, ..CompileOptions::default() })?;
    let stops = StopSet::all(&image);
    let mut machine = Machine::new(image);
    let watch = Watch::new(program, main.map(|(f, _)| f));
    let mut tape = Tape::new(&replayed.inputs);
    let mut observed = Observed::default();
    let mut turns = Vec::new();
    let mut before = watch.look(&mut machine);
    let mut begin = 0;
    loop {
        let outcome = machine.run_traced(&mut tape, Limits::default(), &stops, &mut |event| {
            observed.edge(program, event.machine, event.func, event.edge, event.phase);
        });
        let after = watch.look(&mut machine);
        let inputs = replayed.inputs[begin..tape.used()].iter().map(|(id, v)| {
            let site = program.input(*id);
            let part = site.part.as_ref().map_or("", |p| &p.path);
            Input {
                name: format!("{}{part}", plumb_exec::input_file::origin_text(&site.origin)),
                value: value::input(v, site, program),
                place: place(program, site.span),
                is_idle: is_idle(site, v),
            }
        });
        turns.push(Turn {
            inputs: inputs.collect(),
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
    let ending = ending(program, replayed.site, &observed, &machine);
    let head = |(func, loc): (FuncId, Loc)| loop_place(program, program.function(func), loc);
    Ok(Recorded { turns, main: main.and_then(head), ending })
}

/// Whether an input is garbage that happens to be zero.
fn is_idle(site: &InputSite, value: &InputValue) -> bool {
    let is_zero = match value {
        InputValue::Scalar(bits) => bits.is_zero(),
        InputValue::Region(fill) => *fill == RegionFill::Zero,
    };
    let is_garbage = match site.origin {
        InputOrigin::Uninitialised(_)
        | InputOrigin::FreshMemory
        | InputOrigin::MissingArgument(_)
        | InputOrigin::MissingReturn(_)
        | InputOrigin::ExternalObject(_) => true,
        InputOrigin::Nondet(_)
        | InputOrigin::External(_)
        | InputOrigin::Library(_)
        | InputOrigin::Volatile(_)
        | InputOrigin::Register(_)
        | InputOrigin::MainArgument
        | InputOrigin::Assembly => false,
    };
    is_zero && is_garbage
}

fn loop_place(program: &Program, function: &Function, head: Loc) -> Option<Place> {
    let spans = function.out_edges(head).map(|e| function.edge(e).span);
    let entering = function.edges.iter().filter(|e| e.to == head).map(|e| e.span);
    spans.chain(entering).find_map(|span| place(program, span))
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
    values: Vec<(String, String)>,
}

/// What the observer of a turn has seen.
#[derive(Default)]
struct Observed {
    /// Edges of decisions in the order in which they were first taken, with how often.
    order: Vec<(FuncId, EdgeId)>,
    times: FxHashMap<(FuncId, EdgeId), u64>,
    last: Option<(FuncId, EdgeId)>,
    calls: Vec<OpenCall>,
}

impl Observed {
    fn edge(&mut self, program: &Program, machine: &Machine, func: FuncId, edge: EdgeId, phase: TracePhase) {
        let function = program.function(func);
        if function.is_library {
            return;
        }
        match &function.edge(edge).op {
            Op::Assume { branch: Some(branch), .. } => {
                let shown = match branch.kind {
                    BranchKind::Switch => branch.taken,
                    BranchKind::Logical | BranchKind::Goto => false,
                    BranchKind::If
                    | BranchKind::While
                    | BranchKind::DoWhile
                    | BranchKind::For
                    | BranchKind::Conditional => true,
                };
                if shown {
                    self.last = Some((func, edge));
                    let times = self.times.entry((func, edge)).or_insert(0);
                    *times += 1;
                    if *times == 1 {
                        self.order.push((func, edge));
                    }
                }
            }
            Op::Call { args, .. } => match phase {
                TracePhase::Call => {
                    let values = args.iter().flat_map(|a| mentioned(program, function, *a, machine)).collect();
                    self.calls.push(OpenCall { func, edge, values });
                }
                TracePhase::Done => {
                    self.calls.pop();
                }
            },
            Op::Assign { .. } | Op::Assume { .. } | Op::Havoc { .. } | Op::Return(_) | Op::Check { .. } => {}
        }
    }

    fn take_decisions(&mut self, program: &Program) -> Vec<Decision> {
        let times = std::mem::take(&mut self.times);
        let order = std::mem::take(&mut self.order);
        let decisions = order.into_iter().take(MAX_DECISIONS).filter_map(|(func, edge)| {
            let mut decision = decision(program, func, edge)?;
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
    Some(Decision { text, taken: branch.taken, times: 1, place: place(program, edge.span)? })
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

fn ending(program: &Program, site: Site, observed: &Observed, machine: &Machine) -> Ending {
    let function = program.function(site.func);
    let edge = function.edge(site.edge);
    let mut values = Vec::new();
    if let Op::Check { cond, .. } = &edge.op {
        values = mentioned(program, function, *cond, machine);
    }
    let decided = observed.last.filter(|(f, _)| *f == site.func && values.is_empty());
    if let Some((func, e)) = decided
        && let Op::Assume { cond, .. } = &program.function(func).edge(e).op
    {
        values = mentioned(program, function, *cond, machine);
    }
    let calls = observed.calls.iter().rev().filter_map(|call| {
        let span = program.function(call.func).edge(call.edge).span;
        Some(Call {
            text: one_line(program.sources.text(span)),
            place: place(program, span)?,
            values: call.values.clone(),
        })
    });
    Ending {
        line: one_line(program.sources.line_text(edge.span)),
        place: place(program, edge.span),
        function: function.name.to_string(),
        values,
        decision: observed.last.and_then(|(f, e)| decision(program, f, e)),
        calls: calls.collect(),
    }
}

/// The user's variables in an expression of the function that is running, with their values.
fn mentioned(program: &Program, function: &Function, expr: ExprId, machine: &Machine) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
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
            let is_new = !found.iter().any(|(n, _)| **n == **name);
            if let (Some(bits), true) = (bits, is_new && is_users(program, name, span)) {
                let text = value::show(bits, ty, cty, program, Some(machine.image().addresses()));
                found.push((name.to_string(), text));
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

fn place(program: &Program, span: Span) -> Option<Place> {
    let place = program.sources.place(span)?;
    Some(Place { file: place.file.to_string(), line: place.line, column: place.column })
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
