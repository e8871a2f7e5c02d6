//! Interrupt service routines.

use super::error;
use super::objects::{Object, Objects};
use super::resources::{Resources, SCHEDULER};
use crate::config::{Isr, Level, MessageId};
use plumb_c::diag::Diagnostics;

pub fn resolve(objects: &Objects, resources: &Resources, diags: &mut Diagnostics) -> Vec<Isr> {
    objects.of("ISR").map(|object| isr(object, objects, resources, diags)).collect()
}

fn isr(object: &Object, objects: &Objects, resources: &Resources, diags: &mut Diagnostics) -> Isr {
    let settings = &object.settings;
    let category = object.number(settings, "CATEGORY", diags).map_or(2, |(number, _)| number as u8);
    let used = resources.used_by(objects, object, diags);
    let messages = objects.refer_all("MESSAGE", settings, object, diags);
    if let Some((name, span)) = used.internal.first() {
        let message = format!("{} cannot use the internal resource `{name}`", object.shown());
        error(diags, *span, message, "only tasks have internal resources (OSEK OS 8.8)");
    }
    if used.usable.iter().any(|id| resources.usable[id.0].name == SCHEDULER) {
        let span = settings.one("RESOURCE").map_or(object.span, |setting| setting.span);
        let message = format!("{} cannot use RES_SCHEDULER", object.shown());
        error(diags, span, message, "only tasks can keep others from running with it (OSEK OS 8.3)");
    }
    if category == 1
        && let Some(setting) = settings.one("RESOURCE").or(settings.one("MESSAGE"))
    {
        let message = format!("{} is of category 1 and cannot use `{}`", object.shown(), setting.kind);
        error(diags, setting.span, message, "handlers of category 1 use no service (OSEK OS 6): make it category 2");
    }
    Isr {
        name: object.name.clone(),
        category,
        priority: settings.integer("PRIORITY").map(|(number, _)| number as u32),
        level: Level(0),
        resources: used.usable,
        messages: messages.into_iter().map(MessageId).collect(),
    }
}
