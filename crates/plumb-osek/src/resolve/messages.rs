//! Messages of internal communication (OSEK COM 3.0.3).

use super::error;
use super::objects::{Object, Objects};
use super::timing;
use crate::config::{Action, FILTERS, Filter, Message, MessageId, MessageKind, Task};
use crate::settings::{Setting, Settings};
use plumb_c::diag::Diagnostics;

pub fn resolve(objects: &Objects, tasks: &[Task], diags: &mut Diagnostics) -> Vec<Message> {
    let messages: Vec<Message> = objects
        .of("MESSAGE")
        .map(|object| {
            let kind = kind(object, objects, diags);
            let notification = match object.settings.one("NOTIFICATION") {
                Some(setting) => notification(objects, object, setting, &kind, tasks, diags),
                None => Action::None,
            };
            Message { name: object.name.clone(), kind, notification }
        })
        .collect();
    for (object, message) in objects.of("MESSAGE").zip(&messages) {
        check_sender(object, message, &messages, diags);
    }
    messages
}

/// The data type of a receiver is its sender's, so that there must be one.
fn check_sender(object: &Object, message: &Message, messages: &[Message], diags: &mut Diagnostics) {
    let (sender, zero) = match &message.kind {
        MessageKind::Send { .. } => return,
        MessageKind::ReceiveZero { sender } => (sender, true),
        MessageKind::ReceiveUnqueued { sender, .. } | MessageKind::ReceiveQueued { sender, .. } => (sender, false),
    };
    let Some(sending) = messages.get(sender.0) else { return };
    let problem = match &sending.kind {
        MessageKind::Send { data_type } if data_type.is_none() == zero => return,
        MessageKind::Send { .. } if zero => "has data",
        MessageKind::Send { .. } => "has no data",
        _ => "is no sending message",
    };
    let message = format!("{} receives from `{}`, which {problem}", object.shown(), sending.name);
    error(diags, object.span, message, "correct SENDINGMESSAGE, or one of the two properties");
}

fn kind(object: &Object, objects: &Objects, diags: &mut Diagnostics) -> MessageKind {
    let nothing = MessageKind::Send { data_type: None };
    let Some(setting) = object.required(&object.settings, "MESSAGEPROPERTY", diags) else { return nothing };
    let inner = &setting.inner;
    let property = setting.kind.to_string();
    if property.starts_with("SEND_") {
        let has_data = property == "SEND_STATIC_INTERNAL";
        return MessageKind::Send { data_type: if has_data { data_type(object, inner, diags) } else { None } };
    }
    let sender = objects.required_reference("MESSAGE", "SENDINGMESSAGE", object, inner, diags);
    let sender = MessageId(sender.unwrap_or(usize::MAX));
    match property.as_str() {
        "RECEIVE_UNQUEUED_INTERNAL" => {
            let initial_value = inner.integer("INITIALVALUE").map_or(0, |(number, _)| number as u64);
            MessageKind::ReceiveUnqueued { sender, filter: filter(object, inner, diags), initial_value }
        }
        "RECEIVE_QUEUED_INTERNAL" => {
            let size = object.number(inner, "QUEUESIZE", diags);
            let queue_size = size.and_then(|(number, _)| u8::try_from(number).ok()).filter(|size| *size > 0);
            if let (Some((number, span)), None) = (size, queue_size) {
                let message = format!("{}: `QUEUESIZE = {number}` is not from 1 to 255", object.shown());
                error(diags, span, message, "correct it");
            }
            MessageKind::ReceiveQueued {
                sender,
                filter: filter(object, inner, diags),
                queue_size: queue_size.unwrap_or(1),
            }
        }
        _ => MessageKind::ReceiveZero { sender },
    }
}

fn data_type(object: &Object, inner: &Settings, diags: &mut Diagnostics) -> Option<String> {
    object.required(inner, "CDATATYPE", diags)?;
    let (text, span) = inner.word("CDATATYPE")?;
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '*');
    if text.trim().is_empty() || !text.chars().all(fits) {
        let message = format!("{}: the data type `{text}` is no type of C that can be named", object.shown());
        error(diags, span, message, "name it with a typedef");
    }
    Some(text.trim().to_string())
}

fn filter(object: &Object, inner: &Settings, diags: &mut Diagnostics) -> Filter {
    let always = Filter { algorithm: &FILTERS[0], parameters: Vec::new() };
    let Some(setting) = inner.one("FILTER") else { return always };
    let name = setting.kind.to_string();
    let Some(algorithm) = FILTERS.iter().find(|known| known.name == name) else {
        error(diags, setting.span, format!("{}: there is no filter `{name}`", object.shown()), "see OSEK COM 2.2.2");
        return always;
    };
    let mut parameters = Vec::new();
    for parameter in algorithm.parameters {
        let number = object.number(&setting.inner, parameter, diags);
        match number.map(|(number, span)| (u32::try_from(number), span)) {
            Some((Ok(0), span)) if *parameter == "PERIOD" => {
                error(diags, span, format!("{}: the filter has `PERIOD = 0`", object.shown()), "give at least 1");
            }
            Some((Ok(number), _)) => parameters.push(number),
            Some((Err(_), span)) => {
                let message = format!("{}: the filter's `{parameter}` has more than 32 bits", object.shown());
                error(diags, span, message, "the kernel model filters values of at most 32 bits");
            }
            None => {}
        }
    }
    Filter { algorithm, parameters }
}

fn notification(
    objects: &Objects,
    object: &Object,
    setting: &Setting,
    kind: &MessageKind,
    tasks: &[Task],
    diags: &mut Diagnostics,
) -> Action {
    let action = timing::action(objects, object, setting, tasks, diags);
    if action != Action::None && matches!(kind, MessageKind::Send { .. }) {
        let message = format!("{} is sent, and has a notification", object.shown());
        error(
            diags,
            setting.span,
            message,
            "internal messages notify their receivers: move it to the receiving message",
        );
    }
    action
}
