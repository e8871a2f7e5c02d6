//! The C that the kernel model needs of a system: the names of its objects, and the tables of `kernel/config.h`.

mod ids;
mod tables;

pub use ids::ids;
pub use tables::tables;

use crate::config::{Action, System};

/// A function of the application that the kernel calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryFunction {
    /// In C.
    pub function: String,
    /// As the application writes it: `TASK(name)`.
    pub written: String,
}

/// The functions that the application must define: without a body they could do anything.
pub fn required_functions(system: &System) -> Vec<EntryFunction> {
    let hooks = &system.os.hooks;
    let hooks = [
        ("StartupHook", hooks.startup),
        ("ShutdownHook", hooks.shutdown),
        ("ErrorHook", hooks.error),
        ("PreTaskHook", hooks.pretask),
        ("PostTaskHook", hooks.posttask),
        ("COMErrorHook", system.com.error_hook),
    ];
    let hooks = hooks.into_iter().filter(|(_, on)| *on);
    let hooks = hooks.map(|(name, _)| EntryFunction { function: name.to_string(), written: name.to_string() });
    entry_functions(system).into_iter().chain(hooks).collect()
}

/// The functions that the tables name.
fn entry_functions(system: &System) -> Vec<EntryFunction> {
    let entry = |prefix: &str, keyword: &str, name: &str| EntryFunction {
        function: format!("osek_{prefix}_{name}"),
        written: format!("{keyword}({name})"),
    };
    let callback = |action: &Action, prefix: &str, keyword: &str| match action {
        Action::Callback(name) => Some(entry(prefix, keyword, name)),
        Action::None | Action::ActivateTask(_) | Action::SetEvent(..) | Action::Flag(_) => None,
    };
    let tasks = system.tasks.iter().map(|task| entry("task", "TASK", &task.name));
    let isrs = system.isrs.iter().map(|isr| entry("isr", "ISR", &isr.name));
    let alarms = system.alarms.iter().filter_map(|alarm| callback(&alarm.action, "callback", "ALARMCALLBACK"));
    let messages =
        system.messages.iter().filter_map(|message| callback(&message.notification, "comcallback", "COMCallback"));
    tasks.chain(isrs).chain(alarms).chain(messages).collect()
}

/// The first lines of a generated file.
const HEAD: &str = "/* Generated from the OIL description. */\n";
