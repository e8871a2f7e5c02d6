//! Random systems: what is read is what was written, and ceilings, levels and masks are what the specification says.

mod support;

use plumb_osek::config::{Action, System};
use plumb_osek::read_oil_text;
use support::{AlarmModel, Model, Random, ResourceModel};

fn index<T>(list: &[T], name: impl Fn(&T) -> &str, wanted: &str) -> usize {
    list.iter().position(|item| name(item) == wanted).unwrap_or_else(|| panic!("{wanted} is missing"))
}

/// The numbers behind the names that the model gives, in ascending order.
fn numbers<'a>(names: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut list: Vec<usize> = names.map(|name| name[1..].parse().unwrap()).collect();
    list.sort_unstable();
    list
}

fn sorted(list: &[usize]) -> Vec<usize> {
    let mut list = list.to_vec();
    list.sort_unstable();
    list
}

fn check_tasks(model: &Model, system: &System) {
    assert_eq!(system.tasks.len(), model.tasks.len());
    for (i, wanted) in model.tasks.iter().enumerate() {
        let task = &system.tasks[index(&system.tasks, |t| &t.name, &format!("t{i}"))];
        assert_eq!(
            (task.priority, task.preemptable, task.activations),
            (wanted.priority, wanted.full, wanted.activation)
        );
        let modes = task.autostart.iter().map(|id| system.modes[id.0].name.as_str());
        assert_eq!(numbers(modes), wanted.autostart);
        assert_eq!(numbers(task.events.iter().map(|id| system.events[id.0].name.as_str())), wanted.events);
        assert_eq!(task.is_extended(), !wanted.events.is_empty());
        let usable = task.resources.iter().map(|id| system.resources[id.0].name.as_str());
        assert_eq!(numbers(usable.chain(task.internal_resource.as_deref())), sorted(&wanted.resources));
        for (j, other) in model.tasks.iter().enumerate() {
            let other_level = system.tasks[index(&system.tasks, |t| &t.name, &format!("t{j}"))].level;
            assert_eq!(task.level.cmp(&other_level), wanted.priority.cmp(&other.priority));
        }
    }
}

/// The highest level of the users of a resource and of all that are linked with it, by a search over the model.
fn check_ceilings(model: &Model, system: &System) {
    let group = |start: usize| {
        let mut members = vec![start];
        loop {
            let more: Vec<usize> = (0..model.resources.len())
                .filter(|i| !members.contains(i))
                .filter(|&i| {
                    let to = |a: usize, b: usize| model.resources[a] == ResourceModel::Linked(b);
                    members.iter().any(|&m| to(i, m) || to(m, i))
                })
                .collect();
            if more.is_empty() {
                return members;
            }
            members.extend(more);
        }
    };
    let task_level = |i: usize| system.tasks[index(&system.tasks, |t| &t.name, &format!("t{i}"))].level;
    let isr_level = |i: usize| system.isrs[index(&system.isrs, |t| &t.name, &format!("i{i}"))].level;
    for (i, resource) in model.resources.iter().enumerate() {
        let members = group(i);
        let uses = |list: &[usize]| list.iter().any(|used| members.contains(used));
        let tasks = model.tasks.iter().enumerate().filter(|(_, t)| uses(&t.resources)).map(|(j, _)| task_level(j).0);
        let isrs = model.isrs.iter().enumerate().filter(|(_, isr)| uses(&isr.2)).map(|(j, _)| isr_level(j).0);
        let wanted = tasks.chain(isrs).max().unwrap_or(0);
        let name = format!("r{i}");
        let ceiling = if *resource == ResourceModel::Internal {
            system.internal_resources[index(&system.internal_resources, |r| &r.name, &name)].ceiling
        } else {
            system.resources[index(&system.resources, |r| &r.name, &name)].ceiling
        };
        assert_eq!(ceiling.0, wanted, "{name}");
    }
    for task in &system.tasks {
        let internal = task.internal_resource.as_ref();
        let wanted = internal.map_or(task.level, |name| {
            system.internal_resources[index(&system.internal_resources, |r| &r.name, name)].ceiling
        });
        assert_eq!(task.running_level, wanted);
        assert!(task.running_level >= task.level);
    }
}

fn check_rest(model: &Model, system: &System) {
    for task in &system.tasks {
        let masks: Vec<u32> = task.events.iter().map(|id| system.events[id.0].mask).collect();
        assert!(masks.iter().all(|mask| mask.count_ones() == 1));
        assert_eq!(masks.iter().fold(0, |a, b| a | b).count_ones() as usize, masks.len(), "masks of one task overlap");
    }
    for (i, AlarmModel { task, event, start }) in model.alarms.iter().enumerate() {
        let alarm = &system.alarms[index(&system.alarms, |a| &a.name, &format!("a{i}"))];
        let (found_task, found_event) = match alarm.action {
            Action::ActivateTask(task) => (task, None),
            Action::SetEvent(task, event) => (task, Some(event)),
            _ => panic!("{:?}", alarm.action),
        };
        assert_eq!(system.tasks[found_task.0].name, format!("t{task}"));
        assert_eq!(found_event.map(|id| system.events[id.0].name.clone()), event.map(|e| format!("e{e}")));
        let found = alarm.autostart.as_ref().map(|start| {
            let modes = start.modes.iter().map(|id| system.modes[id.0].name.as_str());
            (start.alarm_time, start.cycle_time, numbers(modes))
        });
        assert_eq!(found, *start);
    }
    let highest_task = system.tasks.iter().map(|task| task.level).max().unwrap();
    for isr in &system.isrs {
        assert!(isr.level > highest_task);
        let counter = system.counters[0].level.unwrap();
        assert_eq!(isr.level > counter, isr.category == 1);
    }
}

#[test]
fn what_is_read_is_what_was_written() {
    for seed in 0..500 {
        let mut random = Random(seed);
        let model = Model::random(&mut random);
        let text = model.text(&mut random);
        let oil = read_oil_text("random.oil", &text);
        let told: Vec<_> = oil.diags.iter().map(|d| d.message.clone()).collect();
        let system = oil.system.unwrap_or_else(|| panic!("seed {seed}: {told:?}\n{text}"));
        check_tasks(&model, &system);
        check_ceilings(&model, &system);
        check_rest(&model, &system);
    }
}
