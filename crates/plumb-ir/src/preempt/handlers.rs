//! Interrupt handlers that nothing interrupts: they need no points.
//!
//! The dispatch function of `library/interrupt.c` lets a handler run only if its priority is higher than that of what runs, or, on machines
//! that mask interrupts when a handler begins, if they are not masked. So it does nothing
//!
//! * in a handler of the highest priority, or
//! * in a handler of such a machine from which nothing is called that unmasks.
//!
//! A point at which it does nothing can be left out. Without it the handlers of most programs do not call the dispatch function, which calls
//! them: there is no recursion left, and engines that abstract loops can abstract "any number of interrupts" like any other loop.

use crate::analysis::Analyses;
use crate::lower::interrupt_names::{HANDLERS, MASKS_ON_ENTRY, PRIORITIES, RUN, SET_PRIMASK, SET_STATUS, UNMASK};
use crate::program::{DatumValue, FuncId, GlobalObjInfo, Program, ScalarInit};
use std::collections::BTreeSet;

/// The handlers that only hardware calls and that nothing interrupts.
pub fn uninterrupted(analyses: &Analyses, dispatch: FuncId) -> BTreeSet<FuncId> {
    let program = analyses.program();
    let (Some(handlers), Some(masks_on_entry)) = (table(program), masks_on_entry(program)) else {
        return BTreeSet::new();
    };
    let highest = handlers.iter().map(|(_, priority)| *priority).max();
    let is_uninterrupted = |(handler, priority): &(FuncId, u8)| {
        let keeps_others_out =
            if masks_on_entry { !unmasks(analyses, *handler, dispatch) } else { Some(*priority) == highest };
        keeps_others_out && is_called_by_hardware_only(analyses, *handler)
    };
    handlers.iter().filter(|one| is_uninterrupted(one)).map(|(handler, _)| *handler).collect()
}

/// The handlers and their priorities.
fn table(program: &Program) -> Option<Vec<(FuncId, u8)>> {
    let find = |name: &str| program.objects.iter().find(|object: &&GlobalObjInfo| &*object.name == name);
    let (handlers, priorities) = (find(HANDLERS)?, find(PRIORITIES)?);
    let [priorities] = &priorities.init[..] else { return None };
    let DatumValue::Bytes(priorities) = &priorities.value else { return None };
    let functions = handlers.init.iter().map(|datum| match datum.value {
        DatumValue::Function(id) => Some(id),
        DatumValue::Bytes(_) | DatumValue::Object(..) => None,
    });
    let functions: Vec<FuncId> = functions.collect::<Option<_>>()?;
    (functions.len() == priorities.len()).then(|| functions.into_iter().zip(priorities.iter().copied()).collect())
}

fn masks_on_entry(program: &Program) -> Option<bool> {
    let var = program.vars.iter().find(|var| &*var.name == MASKS_ON_ENTRY)?;
    match &var.init {
        ScalarInit::Const(bits) => Some(!bits.is_zero()),
        ScalarInit::Object(..) | ScalarInit::Function(_) => None,
    }
}

/// Whether something is called in a handler that may unmask interrupts.
fn unmasks(analyses: &Analyses, handler: FuncId, dispatch: FuncId) -> bool {
    let program = analyses.program();
    let mut seen = BTreeSet::from([dispatch]);
    let mut work = vec![handler];
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        if [UNMASK, SET_STATUS, SET_PRIMASK].contains(&&*program.function(id).name) {
            return true;
        }
        work.extend(analyses.resolved_calls().callees(id).iter().map(|call| call.callee));
    }
    false
}

/// Whether no model but the one of interrupts calls the function. What the program calls itself is reached from a root of its own.
fn is_called_by_hardware_only(analyses: &Analyses, handler: FuncId) -> bool {
    let program = analyses.program();
    analyses.resolved_calls().callers(handler).iter().all(|(caller, _)| {
        let caller = program.function(*caller);
        !caller.is_library || &*caller.name == RUN
    })
}
