//! Counters and alarms.

use super::error;
use super::objects::{Object, Objects};
use super::os::{Modes, require_identifier};
use crate::config::{Action, Alarm, AlarmStart, Counter, CounterId, EventId, Level, Task, TaskId};
use crate::settings::{Setting, Settings};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::Span;

/// The counter that every system has (OSEK OS 13.6.1), whether or not its description says what it counts.
const SYSTEM_COUNTER: &str = "SystemCounter";

pub fn counters(objects: &Objects, diags: &mut Diagnostics) -> Vec<Counter> {
    let mut counters: Vec<Counter> = objects.of("COUNTER").map(|object| counter(object, diags)).collect();
    let uses = objects.of("ALARM").filter_map(|alarm| alarm.settings.one("COUNTER"));
    let first = uses.into_iter().find(|setting| setting.kind.to_string() == SYSTEM_COUNTER);
    if let Some(setting) = first.filter(|_| objects.index("COUNTER", SYSTEM_COUNTER).is_none()) {
        let message =
            "SystemCounter is not described; it is taken to count to 4294967295, with TICKSPERBASE and MINCYCLE 1";
        let help =
            "describe it (`COUNTER SystemCounter { ... };`), or name the vendor's file that does with another `--oil`";
        diags.push(Diagnostic::warning(setting.span, message).help(help));
        counters.push(Counter {
            name: SYSTEM_COUNTER.to_string(),
            max_allowed_value: u32::MAX,
            ticks_per_base: 1,
            min_cycle: 1,
            level: Some(Level(0)),
        });
    }
    counters
}

fn counter(object: &Object, diags: &mut Diagnostics) -> Counter {
    let settings = &object.settings;
    // Something harmless stands for what is missing, so that nothing more is reported of it.
    let mut number =
        |name: &str, missing: u32| object.number(settings, name, diags).unwrap_or((missing.into(), object.span));
    let (max, max_span) = number("MAXALLOWEDVALUE", u32::MAX);
    let (ticks, ticks_span) = number("TICKSPERBASE", 1);
    let (min, min_span) = number("MINCYCLE", 1);
    let mut positive = |value: i128, span: Span, name: &str| {
        if value == 0 {
            error(diags, span, format!("{} has `{name} = 0`", object.shown()), "it must be at least 1");
        }
    };
    positive(max, max_span, "MAXALLOWEDVALUE");
    positive(ticks, ticks_span, "TICKSPERBASE");
    positive(min, min_span, "MINCYCLE");
    if min > max {
        let message = format!("{}: `MINCYCLE = {min}` is more than `MAXALLOWEDVALUE = {max}`", object.shown());
        error(diags, min_span, message, "no cyclic alarm could use the counter: correct one of them");
    }
    let hardware = settings.word("TYPE").is_none_or(|(kind, _)| kind == "HARDWARE");
    Counter {
        name: object.name.clone(),
        max_allowed_value: max as u32,
        ticks_per_base: ticks as u32,
        min_cycle: min as u32,
        // The level itself comes later.
        level: hardware.then_some(Level(0)),
    }
}

pub fn alarms(
    objects: &Objects,
    counters: &[Counter],
    tasks: &[Task],
    modes: &Modes,
    diags: &mut Diagnostics,
) -> Vec<Alarm> {
    let all = objects.of("ALARM");
    all.map(|object| {
        let settings = &object.settings;
        let counter = object.required(settings, "COUNTER", diags).and_then(|setting| {
            let name = setting.kind.to_string();
            let known = counters.iter().position(|counter| counter.name == name);
            known.or_else(|| objects.refer("COUNTER", setting, object, diags))
        });
        let action = match object.required(settings, "ACTION", diags) {
            Some(setting) => action(objects, object, setting, tasks, diags),
            None => Action::None,
        };
        let autostart = match object.required(settings, "AUTOSTART", diags) {
            Some(start) if settings.boolean("AUTOSTART") == Some(true) => {
                let counter = counter.and_then(|index| counters.get(index));
                Some(alarm_start(objects, object, &start.inner, counter, modes, diags))
            }
            _ => None,
        };
        Alarm { name: object.name.clone(), counter: CounterId(counter.unwrap_or(0)), action, autostart }
    })
    .collect()
}

fn alarm_start(
    objects: &Objects,
    object: &Object,
    settings: &Settings,
    counter: Option<&Counter>,
    modes: &Modes,
    diags: &mut Diagnostics,
) -> AlarmStart {
    let (time, time_span) = object.number(settings, "ALARMTIME", diags).unwrap_or((1, object.span));
    let (cycle, cycle_span) = object.number(settings, "CYCLETIME", diags).unwrap_or((0, object.span));
    if let Some(counter) = counter {
        let (min, max) = (i128::from(counter.min_cycle), i128::from(counter.max_allowed_value));
        if time > max {
            let message = format!(
                "{}: `ALARMTIME = {time}` is more than the counter `{}` counts to, {max}",
                object.shown(),
                counter.name
            );
            error(diags, time_span, message, "the alarm would never expire: correct it, or MAXALLOWEDVALUE");
        }
        if cycle != 0 && !(min..=max).contains(&cycle) {
            let message = format!(
                "{}: `CYCLETIME = {cycle}` is not from {min} to {max}, as the counter `{}` demands",
                object.shown(),
                counter.name
            );
            error(diags, cycle_span, message, "correct it, or MINCYCLE and MAXALLOWEDVALUE of the counter");
        }
    }
    if time == 0 {
        let message = format!("{}: `ALARMTIME = 0` is left to the implementation", object.shown());
        let help = "OSEK OS 13.6.3.3 does not say what it means: give at least 1";
        error(diags, time_span, message, help);
    }
    let modes = modes.of(objects, object, settings, diags);
    AlarmStart { alarm_time: time as u32, cycle_time: cycle as u32, modes }
}

/// What an ACTION or NOTIFICATION attribute asks for.
pub fn action(objects: &Objects, user: &Object, setting: &Setting, tasks: &[Task], diags: &mut Diagnostics) -> Action {
    let inner = &setting.inner;
    let task = |diags: &mut Diagnostics| objects.required_reference("TASK", "TASK", user, inner, diags);
    match setting.kind.to_string().as_str() {
        "ACTIVATETASK" => task(diags).map_or(Action::None, |task| Action::ActivateTask(TaskId(task))),
        "SETEVENT" => {
            let task = task(diags);
            let event = objects.required_reference("EVENT", "EVENT", user, inner, diags);
            let (Some(task), Some(event)) = (task, event) else { return Action::None };
            if let Some(owner) = tasks.get(task)
                && !owner.events.contains(&EventId(event))
            {
                let (owner, event) = (&owner.name, inner.one("EVENT").map_or_else(String::new, |e| e.kind.to_string()));
                let message = format!("{} sets the event `{event}`, which TASK `{owner}` does not have", user.shown());
                error(diags, setting.span, message, format!("add `EVENT = {event};` to the task"));
            }
            Action::SetEvent(TaskId(task), EventId(event))
        }
        "ALARMCALLBACK" => callback(user, inner, "ALARMCALLBACKNAME", "the callback routine", diags)
            .map_or(Action::None, Action::Callback),
        "COMCALLBACK" => {
            objects.refer_all("MESSAGE", inner, user, diags);
            callback(user, inner, "CALLBACKROUTINENAME", "the callback routine", diags)
                .map_or(Action::None, Action::Callback)
        }
        "FLAG" => callback(user, inner, "FLAGNAME", "the flag", diags).map_or(Action::None, Action::Flag),
        _ => Action::None,
    }
}

fn callback(user: &Object, inner: &Settings, name: &str, what: &str, diags: &mut Diagnostics) -> Option<String> {
    let setting = user.required(inner, name, diags)?;
    require_identifier(&setting.kind, setting.span, what, diags)
}
