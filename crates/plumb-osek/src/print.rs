//! A system as text for people: one paragraph for each kind of object, an object a line.

use crate::config::{Action, AlarmStart, Message, MessageKind, ModeId, ResourceKind, System, Task};
use std::fmt::Write;

pub fn text(system: &System) -> String {
    let mut out = String::new();
    os(&mut out, system);
    paragraph(&mut out, "application modes", system.modes.iter().map(|mode| mode.name.clone()));
    paragraph(&mut out, "tasks", system.tasks.iter().map(|task| task_line(system, task)));
    let events = system
        .events
        .iter()
        .map(|event| format!("{}  mask {:#x}{}", event.name, event.mask, if event.auto { " (AUTO)" } else { "" }));
    paragraph(&mut out, "events", events);
    paragraph(&mut out, "resources", resource_lines(system).into_iter());
    let counters = system.counters.iter().map(|counter| {
        let ticks = match counter.level {
            Some(level) => format!("hardware, level {}", level.0),
            None => "software".to_string(),
        };
        let (max, base, min) = (counter.max_allowed_value, counter.ticks_per_base, counter.min_cycle);
        format!("{}  counts to {max}, {base} ticks per unit, cycles from {min}, {ticks}", counter.name)
    });
    paragraph(&mut out, "counters", counters);
    let alarms = system.alarms.iter().map(|alarm| {
        let counter = &system.counters[alarm.counter.0].name;
        let start = alarm.autostart.as_ref().map_or_else(String::new, |start| start_text(system, start));
        format!("{}  on {counter}: {}{start}", alarm.name, action_text(system, &alarm.action))
    });
    paragraph(&mut out, "alarms", alarms);
    let isrs = system.isrs.iter().map(|isr| {
        let priority = isr.priority.map_or_else(String::new, |priority| format!(", priority {priority}"));
        let resources = isr.resources.iter().map(|id| system.resources[id.0].name.as_str()).collect::<Vec<_>>();
        format!(
            "{}  category {}{priority}, level {}{}",
            isr.name,
            isr.category,
            isr.level.0,
            list("resources", &resources)
        )
    });
    paragraph(&mut out, "interrupt handlers", isrs);
    paragraph(&mut out, "messages", system.messages.iter().map(|message| message_line(system, message)));
    let passed = system.passed_over.iter().map(|passed| match passed.count {
        1 => format!("{}  once", passed.what),
        count => format!("{}  {count} times", passed.what),
    });
    paragraph(&mut out, "ignored", passed);
    out
}

fn os(out: &mut String, system: &System) {
    let os = &system.os;
    let hooks = [
        ("startup", os.hooks.startup),
        ("shutdown", os.hooks.shutdown),
        ("error", os.hooks.error),
        ("pretask", os.hooks.pretask),
        ("posttask", os.hooks.posttask),
    ];
    let hooks: Vec<&str> = hooks.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect();
    let status = if os.extended_status { "extended" } else { "standard" };
    // Writing to a string does not fail.
    let _ = writeln!(out, "operating system {}\n  status {status}{}", os.name, list("hooks", &hooks));
}

fn paragraph(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if !lines.is_empty() {
        let _ = writeln!(out, "\n{title}");
        lines.iter().for_each(|line| {
            let _ = writeln!(out, "  {line}");
        });
    }
}

fn list(what: &str, names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!(", {what} {}", names.join(" ")) }
}

fn mode_names<'a>(system: &'a System, modes: &[ModeId]) -> Vec<&'a str> {
    modes.iter().map(|mode| system.modes[mode.0].name.as_str()).collect()
}

fn task_line(system: &System, task: &Task) -> String {
    let kind = if task.is_extended() { "extended" } else { "basic" };
    let schedule = if task.preemptable { "preemptable" } else { "non-preemptable" };
    let mut line = format!("{}  {kind}, priority {}, level {}, {schedule}", task.name, task.priority, task.level.0);
    if task.activations > 1 {
        let _ = write!(line, ", {} activations", task.activations);
    }
    let events: Vec<&str> = task.events.iter().map(|id| system.events[id.0].name.as_str()).collect();
    let resources: Vec<&str> = task.resources.iter().map(|id| system.resources[id.0].name.as_str()).collect();
    let messages: Vec<&str> = task.messages.iter().map(|id| system.messages[id.0].name.as_str()).collect();
    line.push_str(&list("starts in", &mode_names(system, &task.autostart)));
    line.push_str(&list("events", &events));
    line.push_str(&list("resources", &resources));
    if let Some(internal) = &task.internal_resource {
        let _ = write!(line, ", internal resource {internal}: runs at level {}", task.running_level.0);
    }
    line.push_str(&list("messages", &messages));
    line
}

fn resource_lines(system: &System) -> Vec<String> {
    let usable = system.resources.iter().map(|resource| {
        let kind = match resource.kind {
            ResourceKind::Standard => "standard".to_string(),
            ResourceKind::Linked(other) => format!("linked with {}", system.resources[other.0].name),
            ResourceKind::Scheduler => "the scheduler".to_string(),
        };
        format!("{}  {kind}, ceiling {}", resource.name, resource.ceiling.0)
    });
    let internal = system.internal_resources.iter();
    usable.chain(internal.map(|r| format!("{}  internal, ceiling {}", r.name, r.ceiling.0))).collect()
}

fn action_text(system: &System, action: &Action) -> String {
    match action {
        Action::None => "nothing".to_string(),
        Action::ActivateTask(task) => format!("activates {}", system.tasks[task.0].name),
        Action::SetEvent(task, event) => {
            format!("sets {} of {}", system.events[event.0].name, system.tasks[task.0].name)
        }
        Action::Callback(name) => format!("calls {name}"),
        Action::Flag(name) => format!("raises the flag {name}"),
    }
}

fn start_text(system: &System, start: &AlarmStart) -> String {
    let cycle = if start.cycle_time == 0 { "once".to_string() } else { format!("every {}", start.cycle_time) };
    format!(", starts in {} at {}, {cycle}", mode_names(system, &start.modes).join(" "), start.alarm_time)
}

fn message_line(system: &System, message: &Message) -> String {
    let sender = |id: &crate::config::MessageId| system.messages[id.0].name.clone();
    let filtered = |filter: &crate::config::Filter| {
        let values = filter.algorithm.parameters.iter().zip(&filter.parameters);
        let values: Vec<String> = values.map(|(name, value)| format!(" {name} {value:#x}")).collect();
        format!(", filter {}{}", filter.algorithm.name, values.concat())
    };
    let kind = match &message.kind {
        MessageKind::Send { data_type: Some(ty) } => format!("sent, data {ty}"),
        MessageKind::Send { data_type: None } => "sent, no data".to_string(),
        MessageKind::ReceiveZero { sender: id } => format!("received from {}", sender(id)),
        MessageKind::ReceiveUnqueued { sender: id, filter, initial_value } => {
            format!("received from {}, first {initial_value:#x}{}", sender(id), filtered(filter))
        }
        MessageKind::ReceiveQueued { sender: id, filter, queue_size } => {
            format!("received from {}, queue of {queue_size}{}", sender(id), filtered(filter))
        }
    };
    match &message.notification {
        Action::None => format!("{}  {kind}", message.name),
        action => format!("{}  {kind}, then {}", message.name, action_text(system, action)),
    }
}
