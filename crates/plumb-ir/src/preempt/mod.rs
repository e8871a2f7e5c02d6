//! Preemption points: where control can be taken away from the code that runs.
//!
//! **Idea.** Tasks, interrupt handlers and threads share memory. Between any two accesses another one of them may run. The pass puts calls of a
//! *dispatch function* into the program, which asks for an input ([`crate::input::InputOrigin::Schedule`]) and lets another thread go
//! on, or runs a handler as a nested call. Who may run, and how, is written in C: `library/pthread.c` for threads, `library/interrupt.c` for
//! interrupts on bare metal, the kernel model for OSEK. Everything behind this pass sees an ordinary program.
//!
//! ```text
//!   contexts   what runs beside what: roots, what they touch, what is shared
//!   handlers   interrupt handlers that nothing interrupts
//!   regions    where interruption is certainly masked
//!   accesses   one access of shared memory per edge
//!   tasks      points of tasks at which a kernel need not ask
//! ```
//!
//! **Where.** A *context* is `main`, a thread's start function, a task, a handler or a hook: a function that library or kernel models call. An access is
//! *visible* if it touches memory or a global register that a context which may run beside this one writes, or writes what such a one
//! touches. The pass gives every visible access an edge of its own (C promises nothing about what happens between the reads of one expression) and
//! puts a point **behind** every visible edge. Calls of models are one access each, what they do with memory included; a call behind which objects are dead that
//! others can get at is one as well. (Leaks are about all objects at once: they are not looked for, [`crate::prepare()`].)
//! At the entry of every context but threads there is a point as well: a handler may run before the first access.
//!
//! **Soundness** (a persistent-set reduction with blocks, Lipton 1975, Godefroid 1996). Take a run of the program in which control may be taken away anywhere, and
//! in which a check breaks; it breaks in the last step. Steps that are not visible commute with all steps of other contexts. Move each of them
//! to the right, up to the next visible step of its own context, or to the end of the run if there is none; drop those at the end that do not
//! belong to the context that breaks the check. The run that results breaks the same check with the same values, and control changes hands
//! in it only behind visible steps, at the entry of a context, or where a context ends. No step had to be added: it does not matter whether the code between two visible
//! steps ends, fails an assumption or blocks. (Points *before* visible statements would need that: a thread that spins on its own variables behind its last visible
//! statement would never let a handler run.) Who writes what the state depends on that is looked for ([`crate::property::reach`]) looks at that
//! state, and so reads all that it depends on. Refinements:
//!
//! * Taking a lock is a right mover: what others do behind it they can do before it as well, unless they only look whether the lock is free. So there is no point
//!   behind it in programs without `trylock` and its like.
//! * In a section that is certainly atomic or masked there are no points; the section is one visible step, and there is a point behind its end.
//! * The dispatch function does not ask where nothing can happen: one thread, interrupts masked, nothing of higher priority. Handlers in which that is so
//!   throughout have no points ([`handlers`]).
//! * An argument that is a register as it stands, and that the callee does not read, may have any value, so that it does not matter when it is
//!   evaluated. If something is computed in it, a check of that may tell when its operands were read.
//! * A service of an OSEK kernel is always visible: what the kernel does in interrupts, as to let alarms expire, is in no context.
//! * Under an OSEK kernel, whether an access conflicts with a task that can run depends on priorities ([`tasks`]).
//!
//! What is not visible by points-to analysis may be visible nevertheless only if that analysis is wrong; where it knows nothing, everything is visible.
//! Copies of whole objects and library functions are one step, which the user is informed of ([`crate::program::AssumptionKind::Atomicity`]).

mod accesses;
mod contexts;
mod handlers;
mod regions;
mod tasks;

use crate::analysis::Analyses;
use crate::program::{Assumption, AssumptionKind, Callee, FuncId, Op, Program};
use crate::rewrite::Draft;
use contexts::Contexts;
use plumb_c::source::Span;
use std::sync::Arc;
use tasks::Tasks;

/// What takes control away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preemptor {
    /// Threads of POSIX.
    Threads,
    /// Interrupts without an operating system.
    Interrupts,
    /// An OSEK kernel: interrupts and, through them, tasks.
    Kernel,
}

impl Preemptor {
    const ALL: [Preemptor; 3] = [Preemptor::Threads, Preemptor::Interrupts, Preemptor::Kernel];

    /// The function that is called at preemption points.
    pub fn dispatch(self) -> &'static str {
        match self {
            Preemptor::Threads => "__plumb_thread_point",
            Preemptor::Interrupts => "__plumb_interrupt_point",
            Preemptor::Kernel => "osek_preemption_point",
        }
    }

    /// Whether an edge is a preemption point.
    pub fn is_point(self, program: &Program, op: &Op) -> bool {
        let Op::Call { callee: Callee::Direct(callee), .. } = op else { return false };
        let name = &*program.function(*callee).name;
        name == self.dispatch() || self == Preemptor::Kernel && name == tasks::POINT_BEHIND
    }

    /// What takes control away in a program: whose dispatch functions it has.
    pub fn all_of(program: &Program) -> Vec<(Preemptor, FuncId)> {
        let found = |one: Preemptor| Some((one, program.find_function(one.dispatch())?));
        Preemptor::ALL.into_iter().filter_map(found).collect()
    }
}

/// Whether a place is in a model of Plumb's rather than in the user's text.
pub fn is_model_file(file: &str) -> bool {
    file.starts_with("<osek>/") || file.starts_with("<library>/")
}

/// The program with a point before its entry is called. What runs there is then part of what the analyses look at, whether the program calls the
/// dispatch function or not. Of threads there is one until the first other is made.
fn beginning_with_point(mut program: Program, preemptor: Preemptor, dispatch: FuncId) -> Program {
    if let (Some(entry), false) = (program.entry_call(), preemptor == Preemptor::Threads) {
        let start = program.function(program.start);
        let call = start.edge(entry).clone();
        let mut draft = Draft::of(start, &program.target);
        let point = Op::Call { to: None, callee: Callee::Direct(dispatch), args: Vec::new() };
        draft.put_instead(entry, vec![(point, call.span), (call.op, call.span)]);
        let start = Arc::new(draft.finish());
        let id = program.start;
        program.functions[id] = start;
    }
    program
}

/// The program with preemption points. One without a dispatch function is left as it is; one with several has more than one
/// kind of concurrency, which is an error.
pub fn with_preemption_points(program: Program) -> Result<Program, String> {
    let (preemptor, dispatch) = match Preemptor::all_of(&program)[..] {
        [] => return Ok(program),
        [one] => one,
        [..] => {
            return Err("the program has threads, interrupt handlers or an OSEK kernel at the same time".to_string());
        }
    };
    let program = beginning_with_point(program, preemptor, dispatch);
    let analyses = Analyses::new(&program);
    let contexts = Contexts::of(&analyses, preemptor, dispatch);
    let tasks = Tasks::of(&analyses, &contexts).filter(|_| preemptor == Preemptor::Kernel);
    let mut preempted = program.clone();
    for id in program.function_ids().filter(|id| contexts.is_preempted(*id)) {
        if let Some(function) = accesses::with_points(&analyses, &contexts, tasks.as_ref(), id) {
            preempted.functions[id] = Arc::new(function);
        }
    }
    let name = match preemptor {
        Preemptor::Threads => "threads, which are numbered from 1 on",
        Preemptor::Interrupts => "interrupt handlers",
        Preemptor::Kernel => "tasks and interrupt handlers",
    };
    let assumption = Assumption { kind: AssumptionKind::Atomicity, name: name.into(), span: Span::NONE };
    Arc::make_mut(&mut preempted.assumptions).push(assumption);
    Ok(preempted)
}

#[cfg(test)]
mod tests;
