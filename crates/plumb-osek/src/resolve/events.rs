//! Masks of events. One that is left open gets the lowest bit that no other event of its tasks has.

use super::error;
use super::objects::Objects;
use crate::ast::ValueKind;
use crate::config::{Event, Task};
use plumb_c::diag::Diagnostics;
use plumb_c::source::Span;

pub fn resolve(objects: &Objects, tasks: &[Task], diags: &mut Diagnostics) -> Vec<Event> {
    let all: Vec<_> = objects.of("EVENT").collect();
    let mut masks: Vec<Option<u32>> = Vec::with_capacity(all.len());
    let mut spans: Vec<Span> = Vec::with_capacity(all.len());
    for object in &all {
        let setting = object.settings.one("MASK");
        spans.push(setting.map_or(object.span, |setting| setting.span));
        masks.push(match setting.map(|setting| &setting.kind) {
            Some(ValueKind::Integer(number)) => Some(one_bit(*number, &object.shown(), spans[spans.len() - 1], diags)),
            _ => None,
        });
    }
    check_overlap(&masks, tasks, &all, &spans, diags);
    let is_auto: Vec<bool> = masks.iter().map(Option::is_none).collect();
    for index in 0..all.len() {
        if masks[index].is_none() {
            let taken = taken_bits(index, &masks, tasks);
            if taken == u32::MAX {
                let message = format!("there is no bit left for {}", all[index].shown());
                error(diags, spans[index], message, "a task can have 32 events");
            }
            masks[index] = Some(1u32.checked_shl(taken.trailing_ones()).unwrap_or(1));
        }
    }
    let events = all.iter().zip(masks).zip(is_auto);
    events.map(|((object, mask), auto)| Event { name: object.name.clone(), mask: mask.unwrap_or(1), auto }).collect()
}

fn one_bit(number: i128, shown: &str, span: Span, diags: &mut Diagnostics) -> u32 {
    match u32::try_from(number) {
        Ok(mask) if mask.is_power_of_two() => mask,
        _ => {
            let message = format!("{shown} has the mask {number:#x}, which is not one bit of 32");
            error(diags, span, message, "give a power of two, or AUTO");
            1
        }
    }
}

/// The bits of the other events that some task of this event has.
fn taken_bits(index: usize, masks: &[Option<u32>], tasks: &[Task]) -> u32 {
    let owners = tasks.iter().filter(|task| task.events.iter().any(|event| event.0 == index));
    owners.flat_map(|task| &task.events).filter_map(|event| masks.get(event.0).copied().flatten()).fold(0, |a, b| a | b)
}

fn check_overlap(
    masks: &[Option<u32>],
    tasks: &[Task],
    all: &[&super::objects::Object],
    spans: &[Span],
    diags: &mut Diagnostics,
) {
    for task in tasks {
        for (i, a) in task.events.iter().enumerate() {
            for b in &task.events[..i] {
                if let (Some(x), Some(y)) = (masks[a.0], masks[b.0])
                    && x & y != 0
                {
                    let (a, b) = (a.0.max(b.0), a.0.min(b.0));
                    let message = format!(
                        "the events `{}` and `{}` of TASK `{}` have the same mask {x:#x}",
                        all[b].name, all[a].name, task.name
                    );
                    error(diags, spans[a], message, "give each event of a task a bit of its own, or AUTO");
                }
            }
        }
    }
}
