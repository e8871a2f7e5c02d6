//! `osek_tables.c`: the tables of `kernel/config.h`, and `main` where the application has none.

use super::{HEAD, entry_functions};
use crate::config::{Action, Filter, Level, Message, MessageKind, ModeId, System, TaskId};
use std::fmt::Write;

pub fn tables(system: &System) -> String {
    let mut text = format!("{HEAD}#include \"config.h\"\n\n");
    prototypes(&mut text, system);
    table(&mut text, "osek_task", "osek_tasks", "TASK", &tasks(system));
    table(&mut text, "osek_resource", "osek_resources", "RESOURCE", &resources(system));
    table(&mut text, "osek_counter", "osek_counters", "COUNTER", &counters(system));
    table(&mut text, "osek_alarm", "osek_alarms", "ALARM", &alarms(system));
    table(&mut text, "osek_isr", "osek_isrs", "ISR", &isrs(system));
    buffers(&mut text, system);
    table(&mut text, "osek_message", "osek_messages", "MESSAGE", &messages(system));
    text.push_str(MAIN);
    text
}

/// An application whose platform has `main` starts in the default mode; its own definition wins.
const MAIN: &str = "
__attribute__((weak)) int main(void)
{
    StartOS(OSDEFAULTAPPMODE);
    return 0;
}
";

/// The designated initialisers of one element, by name of the object.
type Row = (String, Vec<(&'static str, String)>);

fn table(text: &mut String, ty: &str, name: &str, kind: &str, rows: &[Row]) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "const {ty} {name}[OSEK_ROOM(OSEK_{kind}_COUNT)] = {{");
    if rows.is_empty() {
        text.push_str("    { 0 },\n");
    }
    for (object, fields) in rows {
        let fields: Vec<String> = fields.iter().map(|(field, value)| format!(".{field} = {value}")).collect();
        let _ = writeln!(text, "    /* {object} */\n    {{ {} }},", fields.join(", "));
    }
    text.push_str("};\n\n");
}

/// The functions that the application defines.
fn prototypes(text: &mut String, system: &System) {
    for entry in entry_functions(system) {
        let _ = writeln!(text, "void {}(void);", entry.function);
    }
    text.push('\n');
}

fn level(level: Level) -> String {
    level.0.to_string()
}

fn modes(modes: &[ModeId]) -> String {
    format!("{:#x}u", modes.iter().fold(0u32, |set, mode| set | 1 << mode.0))
}

fn tasks(system: &System) -> Vec<Row> {
    let row = |(number, task): (usize, &crate::config::Task)| {
        let fields = vec![
            ("entry", format!("osek_task_{}", task.name)),
            ("priority", level(task.level)),
            ("running_priority", level(task.running_level)),
            ("preemptable", u8::from(task.preemptable).to_string()),
            ("activations", task.activations.to_string()),
            ("extended", u8::from(task.is_extended()).to_string()),
            ("services_only", u8::from(!is_activated(system, TaskId(number))).to_string()),
            ("autostart", modes(&task.autostart)),
        ];
        (task.name.clone(), fields)
    };
    system.tasks.iter().enumerate().map(row).collect()
}

/// Whether an alarm or a message activates a task.
fn is_activated(system: &System, task: TaskId) -> bool {
    let alarms = system.alarms.iter().map(|alarm| &alarm.action);
    let messages = system.messages.iter().map(|message| &message.notification);
    alarms.chain(messages).any(|action| matches!(action, Action::ActivateTask(one) if *one == task))
}

fn resources(system: &System) -> Vec<Row> {
    system.resources.iter().map(|r| (r.name.clone(), vec![("ceiling", level(r.ceiling))])).collect()
}

fn counters(system: &System) -> Vec<Row> {
    let row = |counter: &crate::config::Counter| {
        let fields = vec![
            ("max_allowed_value", format!("{}u", counter.max_allowed_value)),
            ("ticks_per_base", format!("{}u", counter.ticks_per_base)),
            ("min_cycle", format!("{}u", counter.min_cycle)),
            ("priority", level(counter.level.unwrap_or(Level(0)))),
        ];
        (counter.name.clone(), fields)
    };
    system.counters.iter().map(row).collect()
}

fn alarms(system: &System) -> Vec<Row> {
    let row = |alarm: &crate::config::Alarm| {
        let mut fields =
            vec![("counter", alarm.counter.0.to_string()), ("action", action(system, &alarm.action, "osek_callback"))];
        if let Some(start) = &alarm.autostart {
            fields.push(("autostart", modes(&start.modes)));
            fields.push(("alarm_time", format!("{}u", start.alarm_time)));
            fields.push(("cycle_time", format!("{}u", start.cycle_time)));
        }
        (alarm.name.clone(), fields)
    };
    system.alarms.iter().map(row).collect()
}

fn action(system: &System, action: &Action, prefix: &str) -> String {
    match action {
        Action::None => "{ .kind = OSEK_ACTION_NONE }".to_string(),
        Action::ActivateTask(task) => format!("{{ .kind = OSEK_ACTION_TASK, .task = {} }}", task.0),
        Action::SetEvent(task, event) => {
            let mask = system.events[event.0].mask;
            format!("{{ .kind = OSEK_ACTION_EVENT, .task = {}, .event = {mask:#x}u }}", task.0)
        }
        Action::Callback(name) => format!("{{ .kind = OSEK_ACTION_CALLBACK, .callback = {prefix}_{name} }}"),
        Action::Flag(_) => "{ .kind = OSEK_ACTION_FLAG }".to_string(),
    }
}

fn isrs(system: &System) -> Vec<Row> {
    let row = |isr: &crate::config::Isr| {
        let fields = vec![
            ("entry", format!("osek_isr_{}", isr.name)),
            ("category", isr.category.to_string()),
            ("priority", level(isr.level)),
        ];
        (isr.name.clone(), fields)
    };
    system.isrs.iter().map(row).collect()
}

/// The C type of the data of a message; none if it has no data.
fn data_type(system: &System, message: &Message) -> Option<String> {
    match &message.kind {
        MessageKind::Send { data_type } => data_type.as_deref().map(in_c),
        MessageKind::ReceiveZero { .. } => None,
        MessageKind::ReceiveUnqueued { sender, .. } | MessageKind::ReceiveQueued { sender, .. } => {
            data_type(system, system.messages.get(sender.0)?)
        }
    }
}

/// The names that AUTOSAR's `Platform_Types.h` gives to integers mean the same everywhere; other types are the application's.
fn in_c(data_type: &str) -> String {
    let standard = match data_type {
        "boolean" | "uint8" => "uint8_t",
        "uint16" => "uint16_t",
        "uint32" => "uint32_t",
        "uint64" => "uint64_t",
        "sint8" => "int8_t",
        "sint16" => "int16_t",
        "sint32" => "int32_t",
        "sint64" => "int64_t",
        "float32" => "float",
        "float64" => "double",
        other => other,
    };
    standard.to_string()
}

/// Where receivers keep what was sent.
fn buffers(text: &mut String, system: &System) {
    for message in &system.messages {
        let Some(ty) = data_type(system, message) else { continue };
        let name = &message.name;
        if filter(message).is_some_and(|filter| filter.algorithm.compares) {
            let _ = writeln!(
                text,
                "_Static_assert(sizeof({ty}) == 1 || sizeof({ty}) == 2 || sizeof({ty}) == 4,\n               \
                 \"the filter of the message {name} compares integers of 8, 16 or 32 bits\");"
            );
        }
        let _ = match &message.kind {
            MessageKind::ReceiveQueued { queue_size, .. } => {
                writeln!(text, "static {ty} osek_buffer_{name}[{queue_size}];")
            }
            MessageKind::ReceiveUnqueued { initial_value: 0, .. } => {
                writeln!(text, "static {ty} osek_buffer_{name}[1];")
            }
            MessageKind::ReceiveUnqueued { initial_value, .. } => {
                writeln!(text, "static {ty} osek_buffer_{name}[1] = {{ {initial_value:#x}u }};")
            }
            MessageKind::Send { .. } | MessageKind::ReceiveZero { .. } => Ok(()),
        };
    }
}

fn filter(message: &Message) -> Option<&Filter> {
    match &message.kind {
        MessageKind::ReceiveUnqueued { filter, .. } | MessageKind::ReceiveQueued { filter, .. } => Some(filter),
        MessageKind::Send { .. } | MessageKind::ReceiveZero { .. } => None,
    }
}

fn messages(system: &System) -> Vec<Row> {
    system.messages.iter().map(|message| (message.name.clone(), message_fields(system, message))).collect()
}

fn message_fields(system: &System, message: &Message) -> Vec<(&'static str, String)> {
    let size = data_type(system, message).map_or("0".to_string(), |ty| format!("sizeof({ty})"));
    let notification = action(system, &message.notification, "osek_comcallback");
    let buffer = format!("osek_buffer_{}", message.name);
    match &message.kind {
        MessageKind::Send { .. } => vec![("kind", "OSEK_MESSAGE_SEND".to_string()), ("size", size)],
        MessageKind::ReceiveZero { sender } => vec![
            ("kind", "OSEK_MESSAGE_UNQUEUED".to_string()),
            ("sender", sender.0.to_string()),
            ("notification", notification),
        ],
        MessageKind::ReceiveUnqueued { sender, filter, .. } => {
            let mut fields = vec![
                ("kind", "OSEK_MESSAGE_UNQUEUED".to_string()),
                ("sender", sender.0.to_string()),
                ("size", size),
                ("buffer", buffer),
            ];
            fields.extend(filter_fields(filter));
            fields.push(("notification", notification));
            fields
        }
        MessageKind::ReceiveQueued { sender, filter, queue_size } => {
            let mut fields = vec![
                ("kind", "OSEK_MESSAGE_QUEUED".to_string()),
                ("sender", sender.0.to_string()),
                ("queue_length", queue_size.to_string()),
                ("size", size),
                ("buffer", buffer),
            ];
            fields.extend(filter_fields(filter));
            fields.push(("notification", notification));
            fields
        }
    }
}

fn filter_fields(filter: &Filter) -> Vec<(&'static str, String)> {
    let mut fields = vec![("filter", filter.algorithm.constant.to_string())];
    let values = filter.parameters.iter().map(|value| format!("{value:#x}u"));
    fields.extend(["a", "b"].into_iter().zip(values));
    fields
}
