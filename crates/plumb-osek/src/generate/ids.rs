//! `osek_ids.h`: what the preprocessor must know, and the names that an application uses.
//!
//! Names are enumerators, not macros: a local variable or a member that has the name of an object stays what it is.

use super::HEAD;
use crate::config::{Action, ResourceKind, System};
use std::fmt::Write;

pub fn ids(system: &System) -> String {
    let mut text = format!("{HEAD}#ifndef OSEK_IDS_H\n#define OSEK_IDS_H\n\n");
    numbers(&mut text, system);
    let names = |list: &mut dyn Iterator<Item = &String>| list.cloned().enumerate().collect::<Vec<_>>();
    enumerators(
        &mut text,
        "application modes",
        &names(&mut system.modes.iter().map(|m| &m.name).filter(|n| *n != DEFAULT_MODE)),
    );
    text.push_str("#define OSDEFAULTAPPMODE 0\n");
    enumerators(&mut text, "tasks", &names(&mut system.tasks.iter().map(|t| &t.name)));
    resources(&mut text, system);
    enumerators(&mut text, "counters", &names(&mut system.counters.iter().map(|c| &c.name)));
    counters(&mut text, system);
    enumerators(&mut text, "alarms", &names(&mut system.alarms.iter().map(|a| &a.name)));
    events(&mut text, system);
    enumerators(&mut text, "messages", &names(&mut system.messages.iter().map(|m| &m.name)));
    flags(&mut text, system);
    enumerators(&mut text, "modes of communication", &names(&mut system.com.modes.iter()));
    let isrs: Vec<String> = system.isrs.iter().map(|isr| format!("osek_isr_id_{}", isr.name)).collect();
    enumerators(&mut text, "interrupt handlers", &names(&mut isrs.iter()));
    text.push_str("\n#endif\n");
    text
}

/// The name of the mode of a system that describes none: it is a macro.
const DEFAULT_MODE: &str = "OSDEFAULTAPPMODE";

fn define(text: &mut String, name: &str, value: impl std::fmt::Display) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "#define {name} {value}");
}

fn numbers(text: &mut String, system: &System) {
    let activations: usize = system.tasks.iter().map(|task| usize::from(task.activations)).sum();
    let counts = [
        ("OSEK_TASK_COUNT", system.tasks.len()),
        ("OSEK_RESOURCE_COUNT", system.resources.len()),
        ("OSEK_COUNTER_COUNT", system.counters.len()),
        ("OSEK_ALARM_COUNT", system.alarms.len()),
        ("OSEK_ISR_COUNT", system.isrs.len()),
        ("OSEK_MESSAGE_COUNT", system.messages.len()),
        ("OSEK_MODE_COUNT", system.modes.len()),
        ("OSEK_ACTIVATION_TOTAL", activations),
    ];
    for (name, count) in counts {
        define(text, name, count);
    }
    let hooks = &system.os.hooks;
    let switches = [
        ("OSEK_EXTENDED_STATUS", system.os.extended_status),
        ("OSEK_ERROR_HOOK", hooks.error),
        ("OSEK_PRETASK_HOOK", hooks.pretask),
        ("OSEK_POSTTASK_HOOK", hooks.posttask),
        ("OSEK_STARTUP_HOOK", hooks.startup),
        ("OSEK_SHUTDOWN_HOOK", hooks.shutdown),
        ("OSEK_COM_EXTENDED_STATUS", system.com.extended_status),
        ("OSEK_COM_ERROR_HOOK", system.com.error_hook),
    ];
    for (name, on) in switches {
        define(text, name, u8::from(on));
    }
}

fn enumerators(text: &mut String, what: &str, names: &[(usize, String)]) {
    if names.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n/* {what} */\nenum {{");
    for (number, name) in names {
        let _ = writeln!(text, "    {name} = {number},");
    }
    text.push_str("};\n");
}

/// Internal resources come behind those that can be taken: a service that gets one says that it cannot.
fn resources(text: &mut String, system: &System) {
    let usable = system.resources.iter().map(|resource| &resource.name);
    let internal = system.internal_resources.iter().map(|resource| &resource.name);
    let names: Vec<(usize, String)> = usable.chain(internal).cloned().enumerate().collect();
    debug_assert!(system.resources.iter().filter(|r| r.kind == ResourceKind::Scheduler).count() <= 1);
    enumerators(text, "resources", &names);
}

/// The constants of OSEK OS 13.6.3; those without a suffix are of the system counter.
fn counters(text: &mut String, system: &System) {
    for counter in &system.counters {
        let values = [
            ("OSMAXALLOWEDVALUE", counter.max_allowed_value),
            ("OSTICKSPERBASE", counter.ticks_per_base),
            ("OSMINCYCLE", counter.min_cycle),
        ];
        for (name, value) in values {
            define(text, &format!("{name}_{}", counter.name), format!("{value}u"));
            if counter.name == "SystemCounter" {
                define(text, name, format!("{value}u"));
            }
        }
    }
}

/// Each in an enumeration of its own: the highest bit makes the type unsigned, for itself only.
fn events(text: &mut String, system: &System) {
    if !system.events.is_empty() {
        text.push_str("\n/* events */\n");
    }
    for event in &system.events {
        let _ = writeln!(text, "enum {{ {} = {:#x}u }};", event.name, event.mask);
    }
}

/// How an application reads and resets the flags that messages raise (OSEK COM 2.8).
fn flags(text: &mut String, system: &System) {
    for (number, message) in system.messages.iter().enumerate() {
        if let Action::Flag(flag) = &message.notification {
            define(text, &format!("ReadFlag_{flag}()"), format!("osek_read_flag({number})"));
            define(text, &format!("ResetFlag_{flag}()"), format!("osek_reset_flag({number})"));
        }
    }
}
