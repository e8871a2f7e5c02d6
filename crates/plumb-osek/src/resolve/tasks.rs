//! Tasks. Their levels come later, when all priorities are known.

use super::error;
use super::objects::{Object, Objects};
use super::os::Modes;
use super::resources::Resources;
use crate::config::{EventId, Level, MessageId, Task};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::Span;

pub fn resolve(objects: &Objects, resources: &Resources, modes: &Modes, diags: &mut Diagnostics) -> Vec<Task> {
    let tasks: Vec<Task> = objects.of("TASK").map(|object| task(object, objects, resources, modes, diags)).collect();
    if tasks.is_empty() {
        let help = "describe at least one: `TASK name { PRIORITY = 1; ... };` in a CPU section";
        diags.push(Diagnostic::error(Span::NONE, "the description has no TASK object").help(help));
    }
    tasks
}

fn task(object: &Object, objects: &Objects, resources: &Resources, modes: &Modes, diags: &mut Diagnostics) -> Task {
    let settings = &object.settings;
    let priority = object.number(settings, "PRIORITY", diags).map_or(0, |(number, _)| number as u32);
    let events = objects.refer_all("EVENT", settings, object, diags).into_iter().map(EventId).collect::<Vec<_>>();
    let activations = activations(object, !events.is_empty(), diags);
    object.required(settings, "SCHEDULE", diags);
    let preemptable = settings.word("SCHEDULE").is_some_and(|(schedule, _)| schedule == "FULL");
    let autostart = match object.required(settings, "AUTOSTART", diags) {
        Some(start) if settings.boolean("AUTOSTART") == Some(true) => modes.of(objects, object, &start.inner, diags),
        _ => Vec::new(),
    };
    let used = resources.used_by(objects, object, diags);
    let messages = objects.refer_all("MESSAGE", settings, object, diags).into_iter().map(MessageId).collect();
    if let [_, (second, span), ..] = &used.internal[..] {
        let message = format!("{} has a second internal resource, `{second}`", object.shown());
        error(diags, *span, message, "a task has at most one (OSEK OS 8.8): remove the others");
    }
    Task {
        name: object.name.clone(),
        priority,
        level: Level(0),
        running_level: Level(0),
        preemptable,
        activations,
        autostart,
        events,
        resources: used.usable,
        internal_resource: used.internal.into_iter().next().map(|(name, _)| name),
        messages,
    }
}

fn activations(object: &Object, extended: bool, diags: &mut Diagnostics) -> u8 {
    let Some((number, span)) = object.number(&object.settings, "ACTIVATION", diags) else { return 1 };
    match u8::try_from(number) {
        Ok(0) => {
            let message = format!("{} can never be activated: `ACTIVATION = 0`", object.shown());
            error(diags, span, message, "give the number of activations that may be pending, at least 1");
            1
        }
        Ok(2..) if extended => {
            let message = format!("{} has events and `ACTIVATION = {number}`", object.shown());
            error(diags, span, message, "an extended task is activated once at a time (OSEK OS 4.3): set it to 1");
            1
        }
        Ok(number) => number,
        Err(_) => {
            error(
                diags,
                span,
                format!("{}: the kernel model has room for 255 activations", object.shown()),
                "use fewer",
            );
            1
        }
    }
}
