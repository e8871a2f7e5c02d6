//! The counterexample as a timeline: which task or handler runs when, and what it asks of the kernel.
//!
//! A *context* is a function by which the kernel model enters the application: a task, a handler, a callback. A row is a call of the kernel in
//! a context, or the moment when another context goes on. Programs without a kernel model have no timeline.

use crate::replay::{Clock, MAX_OBSERVED_STEPS, NotReplayed, Replay, Tape, compile, is_kernel};
use plumb_answer::Budget;
use plumb_c::source::Place;
use plumb_exec::{CompileOptions, Machine, StopSet, TraceEvent, TracePhase};
use plumb_ir::program::{Callee, FuncId, Op, Program};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Names of the functions that tasks, handlers and callbacks become.
const CONTEXTS: [&str; 4] = ["osek_task_", "osek_isr_", "osek_callback_", "osek_comcallback_"];
/// Rows beyond these are left out in the middle.
const MOST_ROWS: usize = 400;
/// Rows that are printed before and behind those that are left out.
const FEW_ROWS: usize = 24;
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Timeline {
    /// Tasks, handlers and callbacks, in the order in which they run first.
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    pub column: usize,
    pub what: String,
    pub place: Option<Place>,
}

impl Timeline {
    /// The timeline of a run; none for programs without a kernel model, and when the time is over.
    pub(super) fn of(program: &Program, replayed: &Replay, budget: &Budget) -> Result<Option<Timeline>, NotReplayed> {
        let has_tasks = program.functions.iter().any(|f| context_name(&f.name).is_some());
        if !has_tasks || replayed.steps > MAX_OBSERVED_STEPS {
            return Ok(None);
        }
        let image = compile(program, &CompileOptions { trace: true, ..CompileOptions::default() })?;
        let mut machine = Machine::new(image);
        let mut tape = Tape::new(&replayed.inputs);
        let mut observer =
            Observer { program, timeline: Timeline { columns: Vec::new(), rows: Vec::new() }, last: None };
        let outcome = Clock::with_steps(budget, MAX_OBSERVED_STEPS).run(
            &mut machine,
            &mut tape,
            &StopSet::default(),
            &mut |event| observer.edge(event),
        );
        let mut timeline = observer.timeline;
        timeline.shorten();
        Ok((outcome.is_some() && !timeline.rows.is_empty()).then_some(timeline))
    }

    fn shorten(&mut self) {
        if self.rows.len() > MOST_ROWS {
            self.rows.drain(MOST_ROWS / 2..self.rows.len() - MOST_ROWS / 2);
        }
    }

    /// As columns side by side.
    pub(super) fn text(&self, is_full: bool) -> String {
        let width = |column: usize| {
            let rows = self.rows.iter().filter(|row| row.column == column).map(|row| row.what.chars().count());
            rows.chain([self.columns[column].chars().count()]).max().unwrap_or(0).min(40) + 2
        };
        let starts: Vec<usize> = (0..self.columns.len()).map(|c| (0..c).map(width).sum()).collect();
        let mut out = String::new();
        let mut line = String::from("  ");
        for (name, start) in self.columns.iter().zip(&starts) {
            line += &" ".repeat((2 + start).saturating_sub(line.chars().count()));
            line += name;
        }
        let _ = writeln!(out, "{line}");
        let hidden = match is_full || self.rows.len() <= 2 * FEW_ROWS {
            true => 0..0,
            false => FEW_ROWS..self.rows.len() - FEW_ROWS,
        };
        for (number, row) in self.rows.iter().enumerate() {
            if number == hidden.start && !hidden.is_empty() {
                let _ = writeln!(out, "  ... {} more", hidden.len());
            }
            if !hidden.contains(&number) {
                let place = row.place.as_ref().map_or(String::new(), |place| format!("   (line {})", place.line));
                let _ = writeln!(out, "  {}{}{place}", " ".repeat(starts[row.column]), row.what);
            }
        }
        out
    }
}

/// The name of a context in the OIL description.
fn context_name(function: &str) -> Option<&str> {
    CONTEXTS.iter().find_map(|prefix| function.strip_prefix(prefix))
}

struct Observer<'p> {
    program: &'p Program,
    timeline: Timeline,
    /// The stack and function of the application that were seen last, and their context.
    last: Option<(u32, FuncId, usize)>,
}

impl Observer<'_> {
    fn edge(&mut self, event: TraceEvent) {
        let function = self.program.function(event.func);
        if function.is_library || is_kernel(self.program, function.span) {
            // What comes next is a call or a return into the application, or another stack.
            return;
        }
        let stack = event.machine.current_stack();
        let column = match self.last {
            Some((s, f, column)) if (s, f) == (stack, event.func) => column,
            _ => {
                let Some(column) = self.column(event.machine) else { return };
                if self.last.is_none_or(|(_, _, before)| before != column) {
                    let has_run = self.timeline.rows.iter().any(|row| row.column == column);
                    let what = if has_run { "goes on" } else { "runs" };
                    self.timeline.rows.push(Row { column, what: what.to_string(), place: None });
                }
                self.last = Some((stack, event.func, column));
                column
            }
        };
        let edge = function.edge(event.edge);
        if let (TracePhase::Call, Op::Call { callee: Callee::Direct(callee), .. }) = (event.phase, &edge.op) {
            let service = self.program.function(*callee);
            if is_kernel(self.program, service.span) && !service.name.starts_with("osek_") {
                let text = self.program.sources.text(edge.span).split_whitespace().collect::<Vec<_>>().join(" ");
                let what = if text.is_empty() { format!("{}()", service.name) } else { text };
                let place = self.program.sources.place(edge.span);
                self.timeline.rows.push(Row { column, what, place });
            }
        }
    }

    /// The column of the innermost context on the running stack.
    fn column(&mut self, machine: &Machine) -> Option<usize> {
        let calls: Vec<FuncId> = machine.call_stack().collect();
        let name = calls.iter().rev().find_map(|func| context_name(&self.program.function(*func).name))?;
        let known = self.timeline.columns.iter().position(|column| column == name);
        Some(known.unwrap_or_else(|| {
            self.timeline.columns.push(name.to_string());
            self.timeline.columns.len() - 1
        }))
    }
}
