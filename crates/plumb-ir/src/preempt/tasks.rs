//! Points of tasks at which the kernel need not ask, because nobody who can run there sees what has just been done.
//!
//! A task is preempted by tasks of higher priority than it has at the moment; resources raise it. So who conflicts with an access is looked
//! at twice: the pass says which tasks do, as a set of their numbers, and the kernel (`osek_preemption_point_behind`) asks only if one of them can preempt.
//! A point behind an access that conflicts with anything but tasks (a handler, a hook, a kernel service) is an ordinary one.
//!
//! **Soundness.** The argument of [`super`] with "visible" decided per step of a run instead of per edge. Take a step by which a task accesses memory, with the
//! priority p. Whatever runs between it and the next step of the task are handlers, and, if the task is preemptable, tasks whose priority in the
//! OIL file is above p: a task becomes ready with that priority, and one that was preempted with a raised priority would have run before. If
//! none of those conflicts with the step, the step commutes with all of them, and moves to the right as an invisible one does. Interrupts
//! occur before it instead, where the same ones are enabled, since accessing memory changes neither masks nor priorities.
//!
//! * A task that is suspended and that nobody activates any more does not run. Who activates tasks: alarms and messages (the kernel knows), and calls of
//!   `ActivateTask` and `ChainTask`, whose arguments the pass looks at.
//! * `main` goes on behind `StartOS` only if somebody calls `ShutdownOS`. If nobody does, it conflicts with nothing.
//! * `ReleaseResource` asks behind itself in any case if there are task hooks: they tell whether the releasing task was dispatched between two others.
//! * In a handler, a hook or a callback no task runs, so that tasks conflict with none of its steps.
//!
//! Response properties are about fair runs, in which an interrupt occurs in the end that can occur again and again. A task that loops over skipped points would never
//! let it; so the kernel asks everywhere if responses are checked.

use super::contexts::Contexts;
use crate::analysis::Analyses;
use crate::expr::ExprKind;
use crate::program::{Callee, DatumValue, FuncId, Op};
use crate::rewrite::Draft;
use std::collections::BTreeSet;

/// The kernel's function that asks if one of a set of tasks can run, given which tasks services activate.
pub const POINT_BEHIND: &str = "osek_preemption_point_behind";
/// The kernel's table of tasks: the only addresses in it are those of their functions, in order.
const TASKS: &str = "osek_tasks";
/// Services that activate the task which their first argument names.
const ACTIVATING: [&str; 2] = ["ActivateTask", "ChainTask"];
const SHUTDOWN: &str = "ShutdownOS";

/// As many tasks as a set has bits.
const MOST_TASKS: usize = 32;

pub struct Tasks {
    point_behind: FuncId,
    /// By number.
    entries: Vec<FuncId>,
    /// The tasks that services may activate.
    activated: u32,
    /// The function that starts the system, if nothing of it runs beside tasks.
    idle_main: Option<FuncId>,
}

impl Tasks {
    /// The tasks of a program with an OSEK kernel, if they are few enough.
    pub fn of(analyses: &Analyses, contexts: &Contexts) -> Option<Tasks> {
        let program = analyses.program();
        let point_behind = program.find_function(POINT_BEHIND)?;
        let table = program.objects.iter().find(|object| object.read_only && &*object.name == TASKS)?;
        let functions = table.init.iter().filter_map(|datum| match datum.value {
            DatumValue::Function(id) => Some(id),
            DatumValue::Bytes(_) | DatumValue::Object(..) => None,
        });
        let entries: Vec<FuncId> = functions.collect();
        let shutdown = program.find_function(SHUTDOWN);
        let callers = shutdown.map_or(&[][..], |id| analyses.resolved_calls().callers(id));
        let is_shut_down = callers.iter().any(|(caller, _)| !contexts.is_model(*caller));
        (entries.len() <= MOST_TASKS).then(|| Tasks {
            point_behind,
            entries,
            activated: activated(analyses, contexts),
            idle_main: program.entry.filter(|_| !is_shut_down),
        })
    }

    /// The point behind an access that conflicts with the contexts of these roots; `None` if it must ask in any case.
    pub fn point_behind(&self, conflicting: &BTreeSet<FuncId>, draft: &mut Draft) -> Option<Op> {
        let mut set: u32 = 0;
        for root in conflicting.iter().filter(|root| self.idle_main != Some(**root)) {
            set |= 1 << self.entries.iter().position(|entry| entry == root)?;
        }
        let mut make = draft.make();
        let args = vec![make.int(set.into(), 32), make.int(self.activated.into(), 32)];
        Some(Op::Call { to: None, callee: Callee::Direct(self.point_behind), args })
    }
}

/// The tasks that services may activate: all of them if one is named by more than a constant.
fn activated(analyses: &Analyses, contexts: &Contexts) -> u32 {
    let program = analyses.program();
    let mut set = 0;
    for name in ACTIVATING {
        let Some(service) = program.find_function(name) else { continue };
        for (caller, edge) in analyses.resolved_calls().callers(service) {
            if contexts.is_model(*caller) {
                continue;
            }
            let function = program.function(*caller);
            let task = match &function.edge(*edge).op {
                Op::Call { args, .. } => args.first().map(|task| function.exprs.kind(*task)),
                _ => None,
            };
            match task {
                Some(ExprKind::Const(number)) if number.u128() < MOST_TASKS as u128 => set |= 1 << number.u128(),
                _ => return u32::MAX,
            }
        }
    }
    set
}
