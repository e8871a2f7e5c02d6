//! From a description to a system: objects joined and checked, references resolved, what is left open computed.
//!
//! ```text
//!   objects    objects by kind, names, references
//!   os         OS, COM, APPMODE
//!   tasks      TASK
//!   events     EVENT: masks
//!   resources  RESOURCE: links and ceilings
//!   timing     COUNTER, ALARM
//!   isrs       ISR
//!   messages   MESSAGE
//!   levels     the kernel's priorities
//! ```
//!
//! Every object is resolved even if another one is wrong, so that all errors are reported at once; with an error there is no
//! system.

mod events;
mod isrs;
mod levels;
mod messages;
mod objects;
mod os;
mod resources;
mod tasks;
mod timing;

use crate::ast::Description;
use crate::config::System;
use crate::schema::Schema;
use crate::settings::Checker;
use objects::Objects;
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::Span;

/// The system that a description configures; none if something is wrong with it.
pub fn resolve(description: &Description, ignored: &[String], diags: &mut Diagnostics) -> Option<System> {
    let understood = Schema::standard();
    let mut schema = understood.clone();
    schema.refine(&description.definitions);
    schema.check_types(&understood, diags);
    let checker =
        Checker { understood: &understood, schema: &schema, ignored, diags: &mut *diags, passed_over: Vec::new() };
    let (objects, passed_over) = Objects::gather(description, checker);
    os::check_version(description, diags);

    let (os, com) = os::resolve(&objects, diags);
    let modes = os::modes(&objects, diags);
    let counters = timing::counters(&objects, diags);
    let resources = resources::Resources::resolve(&objects, &os, diags);
    let tasks = tasks::resolve(&objects, &resources, &modes, diags);
    let isrs = isrs::resolve(&objects, &resources, diags);
    let events = events::resolve(&objects, &tasks, diags);
    let alarms = timing::alarms(&objects, &counters, &tasks, &modes, diags);
    let messages = messages::resolve(&objects, &tasks, diags);
    if diags.has_errors() {
        return None;
    }
    let mut system = System {
        os,
        com,
        modes: modes.list,
        tasks,
        events,
        resources: resources.usable,
        internal_resources: resources.internal,
        counters,
        alarms,
        isrs,
        messages,
        passed_over,
    };
    levels::assign(&mut system, &objects, diags);
    (!diags.has_errors()).then_some(system)
}

fn error(diags: &mut Diagnostics, span: Span, message: impl Into<String>, help: impl Into<String>) {
    diags.push(Diagnostic::error(span, message).help(help));
}

#[cfg(test)]
mod tests;
