//! The kernel's priorities. Only the order of priorities matters, so that they are numbered from 1 without gaps: tasks,
//! then handlers of category 2, hardware counters, and handlers of category 1 on top.
//!
//! Where a description leaves the order open, the one that allows more interleavings is taken: the interrupt of a counter
//! can interrupt every handler of category 2. Handlers without a priority of their own share one level, and do not
//! interrupt each other; that is reported.

use super::error;
use super::objects::Objects;
use super::resources::root_of;
use crate::config::{Isr, Level, ResourceId, ResourceKind, System};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::Span;

/// The kernel has a byte for a priority; the largest one stands for no interrupt at all.
const MAX_LEVEL: usize = 254;

pub fn assign(system: &mut System, objects: &Objects, diags: &mut Diagnostics) {
    check_handlers(system, objects, diags);
    let mut priorities: Vec<u32> = system.tasks.iter().map(|task| task.priority).collect();
    priorities.sort_unstable();
    priorities.dedup();
    let handlers = |category: u8| {
        let mut list: Vec<u32> =
            system.isrs.iter().filter(|isr| isr.category == category).map(|isr| isr.priority.unwrap_or(0)).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let (second, first) = (handlers(2), handlers(1));
    let above_tasks = priorities.len();
    let counters = above_tasks + second.len() + 1;
    if counters + first.len() > MAX_LEVEL {
        let message = format!("the system has more than {MAX_LEVEL} priorities");
        let span = objects.of("TASK").next().map_or(Span::NONE, |task| task.span);
        return error(diags, span, message, "give tasks of neighbouring priorities the same one");
    }
    // Every number is in its list, and the sums were just compared with a byte.
    let level =
        |base: usize, list: &[u32], priority: u32| Level((base + 1 + list.partition_point(|p| *p < priority)) as u8);
    for task in &mut system.tasks {
        task.level = level(0, &priorities, task.priority);
    }
    for isr in &mut system.isrs {
        let (base, list) = if isr.category == 2 { (above_tasks, &second) } else { (counters, &first) };
        isr.level = level(base, list, isr.priority.unwrap_or(0));
    }
    for counter in &mut system.counters {
        counter.level = counter.level.map(|_| Level(counters as u8));
    }
    ceilings(system);
}

/// The highest level of the users of each resource, and of those linked with it (OSEK OS 8.5).
fn ceilings(system: &mut System) {
    let highest_task = system.tasks.iter().map(|task| task.level).max().unwrap_or(Level(0));
    let root = |system: &System, id: ResourceId| root_of(&system.resources, id).unwrap_or(id);
    let mut highest = vec![Level(0); system.resources.len()];
    let task_uses = system.tasks.iter().flat_map(|task| task.resources.iter().map(|id| (*id, task.level)));
    let isr_uses = system.isrs.iter().flat_map(|isr| isr.resources.iter().map(|id| (*id, isr.level)));
    for (id, level) in task_uses.chain(isr_uses) {
        let root = root(system, id).0;
        highest[root] = highest[root].max(level);
    }
    for index in 0..system.resources.len() {
        let root = root(system, ResourceId(index));
        let scheduler = system.resources[root.0].kind == ResourceKind::Scheduler;
        system.resources[index].ceiling = highest[root.0].max(if scheduler { highest_task } else { Level(0) });
    }
    for internal in &mut system.internal_resources {
        let users = system.tasks.iter().filter(|task| task.internal_resource.as_ref() == Some(&internal.name));
        internal.ceiling = users.map(|task| task.level).max().unwrap_or(Level(0));
    }
    for task in &mut system.tasks {
        let internal = system.internal_resources.iter().find(|r| task.internal_resource.as_ref() == Some(&r.name));
        task.running_level = internal.map_or(task.level, |resource| resource.ceiling);
    }
}

/// Handlers have priorities all or none; those of category 1 should not be below those of category 2 (OSEK OS 6).
fn check_handlers(system: &System, objects: &Objects, diags: &mut Diagnostics) {
    let span = |isr: &Isr| objects.of("ISR").find(|object| object.name == isr.name).map_or(Span::NONE, |o| o.span);
    let with = system.isrs.iter().filter(|isr| isr.priority.is_some()).count();
    if with == 0 && system.isrs.len() > 1 {
        let message = "no ISR has a `PRIORITY`: handlers of one category are taken not to interrupt each other";
        let help = "give each ISR a PRIORITY, a larger one for what is more urgent";
        diags.push(Diagnostic::warning(span(&system.isrs[0]), message).help(help));
    }
    if let Some(isr) = system.isrs.iter().find(|isr| with > 0 && isr.priority.is_none()) {
        let message = format!("ISR `{}` has no `PRIORITY`, but other handlers have", isr.name);
        error(diags, span(isr), message, "give each ISR a PRIORITY, or none");
    }
    let lowest = system.isrs.iter().filter(|isr| isr.category == 1).min_by_key(|isr| isr.priority);
    let highest = system.isrs.iter().filter(|isr| isr.category == 2).max_by_key(|isr| isr.priority);
    if let (Some(low), Some(high)) = (lowest, highest)
        && low.priority < high.priority
        && low.priority.is_some()
    {
        let message =
            format!("ISR `{}` of category 1 has a lower priority than `{}` of category 2", low.name, high.name);
        let help = "OSEK OS 6 does not allow that; handlers of category 1 are taken to be above all others";
        diags.push(Diagnostic::warning(span(low), message).help(help));
    }
}
