//! The attributes of one object after checking: parts of the object joined, types and ranges checked against the
//! definitions, defaults filled in.

use crate::ast::{Attribute, AttributeDefinition, AttributeType, Default, IntegerRange, Value, ValueKind};
use crate::schema::Schema;
use crate::vendor::{self, Treatment};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::Span;
use serde::Serialize;

/// Something of a vendor's that plays no role, as reports name it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct PassedOver {
    /// `TASK.STACKSIZE`, or the kind of an object.
    pub what: String,
    /// How often it is given.
    pub count: usize,
}

/// The values of the attributes of an object, or of those that belong to a value.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// By attribute, in the order of the definitions.
    values: Vec<(String, Vec<Setting>)>,
    /// Attributes that were given with a value of the wrong type, which has been reported.
    wrong: Vec<String>,
}

/// One value of an attribute.
#[derive(Clone, Debug)]
pub struct Setting {
    pub kind: ValueKind,
    /// Where it is given; the object's name if it is a default.
    pub span: Span,
    /// The attributes that belong to the value.
    pub inner: Settings,
}

impl Settings {
    pub fn all(&self, name: &str) -> &[Setting] {
        self.values.iter().find(|(known, _)| known == name).map_or(&[], |(_, list)| list)
    }

    pub fn one(&self, name: &str) -> Option<&Setting> {
        self.all(name).first()
    }

    /// Whether nothing was given, not even something wrong.
    pub fn lacks(&self, name: &str) -> bool {
        self.all(name).is_empty() && !self.wrong.iter().any(|wrong| wrong == name)
    }

    pub fn boolean(&self, name: &str) -> Option<bool> {
        match self.one(name)?.kind {
            ValueKind::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// A number with its place; the type is checked, so that it is one unless it is `AUTO`.
    pub fn integer(&self, name: &str) -> Option<(i128, Span)> {
        let setting = self.one(name)?;
        match setting.kind {
            ValueKind::Integer(number) => Some((number, setting.span)),
            _ => None,
        }
    }

    /// A string, an identifier or an enumerator.
    pub fn word(&self, name: &str) -> Option<(&str, Span)> {
        let setting = self.one(name)?;
        match &setting.kind {
            ValueKind::Name(text) | ValueKind::Text(text) => Some((text, setting.span)),
            _ => None,
        }
    }
}

/// Checks objects against definitions.
pub struct Checker<'a> {
    /// What Plumb understands, and that with the IMPLEMENTATION sections.
    pub understood: &'a Schema,
    pub schema: &'a Schema,
    /// `TASK.DEADLINE`, `TASK.*`: attributes that the user says play no role.
    pub ignored: &'a [String],
    pub diags: &'a mut Diagnostics,
    pub passed_over: Vec<PassedOver>,
}

/// Whose attributes are checked.
#[derive(Clone, Copy)]
struct Owner<'a> {
    /// `TASK`, or `TASK.AUTOSTART` for the attributes of a value.
    within: &'a str,
    /// The object as messages name it.
    name: &'a str,
    span: Span,
}

impl Checker<'_> {
    /// The settings of an object of a kind that is understood; the attributes are those of all its parts.
    pub fn object(&mut self, kind: &str, name: &str, span: Span, attributes: &[Attribute]) -> Settings {
        let (schema, understood) = (self.schema, self.understood);
        let shown = format!("{kind} `{name}`");
        let owner = Owner { within: kind, name: &shown, span };
        self.settle(owner, schema.attributes(kind), understood.attributes(kind), attributes)
    }

    /// Attributes that are not understood are the vendor's: what they say is not looked at, but for whether it may be passed
    /// over.
    fn settle(
        &mut self,
        owner: Owner,
        definitions: &[AttributeDefinition],
        understood: &[AttributeDefinition],
        given: &[Attribute],
    ) -> Settings {
        let mut settings = Settings::default();
        for definition in definitions {
            let name = &definition.name.text;
            let values: Vec<&Value> = given.iter().filter(|a| a.name.text == *name).map(|a| &a.value).collect();
            let default = match &definition.default {
                Default::Value(default) if values.is_empty() => Some(Value { span: owner.span, ..default.clone() }),
                Default::Value(_) | Default::None | Default::Unsaid => None,
            };
            let Some(known) = understood.iter().find(|known| known.name.text == *name) else {
                default.iter().for_each(|value| self.vendor_attribute(owner, name, value));
                continue;
            };
            let mut values = if known.multiple { own(&values) } else { self.single(owner, name, &values) };
            values.extend(default);
            let list: Vec<Setting> =
                values.iter().filter_map(|value| self.value(owner, definition, known, value)).collect();
            if list.len() < values.len() {
                settings.wrong.push(name.clone());
            }
            settings.values.push((name.clone(), list));
        }
        for attribute in given {
            if !understood.iter().any(|known| known.name.text == attribute.name.text) {
                let value = Value { span: attribute.name.span, ..attribute.value.clone() };
                self.vendor_attribute(owner, &attribute.name.text, &value);
            }
        }
        settings
    }

    /// The one value of an attribute. Parts of an object may repeat it, and each may add attributes of the value.
    fn single(&mut self, owner: Owner, name: &str, values: &[&Value]) -> Vec<Value> {
        let Some((first, others)) = values.split_first() else { return Vec::new() };
        let mut joined = Value::clone(first);
        for other in others {
            if other.kind != first.kind {
                let message = format!("{} has `{name} = {}` and `{name} = {}`", owner.name, first.kind, other.kind);
                self.error(other.span, message, "give the attribute once");
            } else {
                if other.attributes.is_empty() && first.attributes.is_empty() {
                    let message = format!("{} gives `{name}` twice", owner.name);
                    self.diags.push(Diagnostic::warning(other.span, message).help("the values agree; remove one"));
                }
                joined.attributes.extend(other.attributes.iter().cloned());
            }
        }
        vec![joined]
    }

    fn error(&mut self, span: Span, message: String, help: &str) {
        self.diags.push(Diagnostic::error(span, message).help(help));
    }

    fn vendor_attribute(&mut self, owner: Owner, name: &str, value: &Value) {
        let what = format!("{}.{name}", owner.within);
        let ignored = self.ignored.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(prefix) => what.starts_with(prefix),
            None => *pattern == what,
        });
        let treatment = if ignored { Treatment::PassOver } else { vendor::attribute(owner.within, name, value) };
        match treatment {
            Treatment::PassOver => self.pass_over(what),
            Treatment::Refuse(reason) => {
                let message = format!("{}: `{name} = {}` is not supported: {reason}", owner.name, value.kind);
                let help = format!("if it plays no role for what is checked, say `--oil-ignore {what}`");
                self.error(value.span, message, &help);
            }
            Treatment::Unknown => {
                let message =
                    format!("{}: the attribute `{name}` is not understood, and could change the schedule", owner.name);
                let help = format!("correct its name, or say `--oil-ignore {what}` if it plays no role");
                self.error(value.span, message, &help);
            }
        }
    }

    pub fn pass_over(&mut self, what: String) {
        match self.passed_over.iter_mut().find(|known| known.what == what) {
            Some(known) => known.count += 1,
            None => self.passed_over.push(PassedOver { what, count: 1 }),
        }
    }

    /// A value of the type of its attribute; `known` is the attribute as Plumb understands it.
    fn value(
        &mut self,
        owner: Owner,
        definition: &AttributeDefinition,
        known: &AttributeDefinition,
        value: &Value,
    ) -> Option<Setting> {
        match self.inner_settings(owner, definition, known, value) {
            Ok(inner) => Some(Setting { kind: value.kind.clone(), span: value.span, inner }),
            Err(reason) => {
                let message = format!("{}: `{}` cannot be `{}`", owner.name, definition.name.text, value.kind);
                self.error(value.span, message, &reason);
                None
            }
        }
    }

    /// The attributes that belong to a value; what is wrong with the value, as a help text, if it is not of the type.
    fn inner_settings(
        &mut self,
        owner: Owner,
        definition: &AttributeDefinition,
        known: &AttributeDefinition,
        value: &Value,
    ) -> Result<Settings, String> {
        let nothing = Ok(Settings::default());
        match (&definition.ty, &value.kind) {
            (ty, _) if !value.attributes.is_empty() && !takes_attributes(ty, &value.kind) => {
                Err("it has no attributes of its own: remove the braces".to_string())
            }
            // A vendor may leave to its generator what Plumb cannot choose.
            (_, ValueKind::Auto) if definition.with_auto && known.with_auto => nothing,
            (_, ValueKind::Auto) => Err("it cannot be left open with AUTO".to_string()),
            (AttributeType::Integer { .. }, ValueKind::Integer(number)) => {
                // A vendor may restrict the range, not widen it.
                let ranges = [&known.ty, &definition.ty].into_iter().flat_map(ranges_of);
                match ranges.into_iter().find(|range| !range.contains(*number)) {
                    Some(range) => Err(format!("it must be {range}")),
                    None => nothing,
                }
            }
            (AttributeType::Integer { .. }, _) => Err("it must be a whole number".to_string()),
            (AttributeType::Boolean { .. }, ValueKind::Boolean(truth)) => {
                let inner = attributes_of_boolean(&definition.ty, *truth);
                let known = attributes_of_boolean(&known.ty, *truth);
                Ok(self.inner(owner, definition, inner, known, value))
            }
            (AttributeType::Boolean { .. }, _) => Err("it must be TRUE or FALSE".to_string()),
            (AttributeType::Enumeration(list), kind) => {
                let word = kind.to_string();
                let Some(inner) = attributes_of_enumerator(&definition.ty, &word) else {
                    let names: Vec<&str> = list.iter().map(|e| e.name.text.as_str()).collect();
                    return Err(format!("it must be one of {}", names.join(", ")));
                };
                let Some(known) = attributes_of_enumerator(&known.ty, &word) else {
                    return Err("the IMPLEMENTATION section has this value, but Plumb does not model it".to_string());
                };
                Ok(self.inner(owner, definition, inner, known, value))
            }
            (AttributeType::Text | AttributeType::Identifier, ValueKind::Text(_) | ValueKind::Name(_)) => nothing,
            (AttributeType::Text | AttributeType::Identifier, _) => Err("it must be a string".to_string()),
            (AttributeType::Reference(_), ValueKind::Name(_)) => nothing,
            (AttributeType::Reference(kind), _) => Err(format!("it must be the name of an object of kind {kind}")),
            // No attribute that is understood has such a type.
            (AttributeType::Float { .. } | AttributeType::Group(_), _) => Err("Plumb does not model it".to_string()),
        }
    }

    fn inner(
        &mut self,
        owner: Owner,
        definition: &AttributeDefinition,
        definitions: &[AttributeDefinition],
        understood: &[AttributeDefinition],
        value: &Value,
    ) -> Settings {
        let within = format!("{}.{}", owner.within, definition.name.text);
        self.settle(Owner { within: &within, ..owner }, definitions, understood, &value.attributes)
    }
}

fn takes_attributes(ty: &AttributeType, value: &ValueKind) -> bool {
    let has_cases = matches!(ty, AttributeType::Boolean { .. } | AttributeType::Enumeration(_));
    has_cases && *value != ValueKind::Auto
}

/// What the type of a number allows, and what its definition does.
fn ranges_of(ty: &AttributeType) -> Vec<IntegerRange> {
    match ty {
        AttributeType::Integer { bits, signed, range } => {
            let high = if *signed { (1i128 << (bits - 1)) - 1 } else { (1i128 << bits) - 1 };
            let whole = IntegerRange::Between(if *signed { -high - 1 } else { 0 }, high);
            [Some(whole), range.clone()].into_iter().flatten().collect()
        }
        _ => Vec::new(),
    }
}

fn attributes_of_boolean(ty: &AttributeType, truth: bool) -> &[AttributeDefinition] {
    match ty {
        AttributeType::Boolean { when_true, .. } if truth => when_true,
        AttributeType::Boolean { when_false, .. } => when_false,
        _ => &[],
    }
}

fn attributes_of_enumerator<'a>(ty: &'a AttributeType, word: &str) -> Option<&'a [AttributeDefinition]> {
    match ty {
        AttributeType::Enumeration(list) => list.iter().find(|e| e.name.text == word).map(|e| e.attributes.as_slice()),
        _ => None,
    }
}

fn own(values: &[&Value]) -> Vec<Value> {
    values.iter().copied().cloned().collect()
}
