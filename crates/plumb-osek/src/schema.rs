//! The attributes that objects of each kind have: what Plumb understands, refined and extended by the IMPLEMENTATION
//! sections of the description.
//!
//! A later definition of an attribute refines an earlier one: its range and its list of values count, the attributes of a
//! value are joined, and its default replaces the earlier one if it says any. It cannot change the type of an attribute
//! that Plumb understands.

use crate::ast::{AttributeDefinition, AttributeType, Default, Enumerator, ObjectDefinition};
use crate::parse::parse;
use crate::read::Reader;
use plumb_c::diag::{Diagnostic, Diagnostics};

/// What Plumb understands, in the language itself.
const STANDARD: &str = include_str!("standard.oil");

/// Attribute definitions by kind of object.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    kinds: Vec<Kind>,
}

#[derive(Clone, Debug)]
struct Kind {
    name: String,
    attributes: Vec<AttributeDefinition>,
}

impl Schema {
    /// What Plumb understands.
    pub fn standard() -> Schema {
        let mut reader = Reader::new(&[]);
        reader.text("<standard>", STANDARD);
        let (tokens, _, mut diags) = reader.finish();
        let description = parse(&tokens, &mut diags);
        let mut schema = Schema::default();
        schema.refine(&description.definitions, &mut diags);
        debug_assert!(!diags.has_errors(), "{:?}", diags.iter().next());
        schema
    }

    /// Adds the definitions of IMPLEMENTATION sections in their order.
    pub fn refine(&mut self, definitions: &[ObjectDefinition], diags: &mut Diagnostics) {
        for definition in definitions {
            let kind = match self.kinds.iter().position(|kind| kind.name == definition.kind.text) {
                Some(index) => &mut self.kinds[index],
                None => {
                    self.kinds.push(Kind { name: definition.kind.text.clone(), attributes: Vec::new() });
                    self.kinds.last_mut().expect("one was pushed")
                }
            };
            refine_all(&mut kind.attributes, &definition.attributes, diags);
        }
    }

    /// The attributes of a kind; none of one that nobody defines.
    pub fn attributes(&self, kind: &str) -> &[AttributeDefinition] {
        self.kinds.iter().find(|known| known.name == kind).map_or(&[], |known| &known.attributes)
    }

    pub fn has_kind(&self, kind: &str) -> bool {
        self.kinds.iter().any(|known| known.name == kind)
    }
}

fn refine_all(known: &mut Vec<AttributeDefinition>, later: &[AttributeDefinition], diags: &mut Diagnostics) {
    for definition in later {
        match known.iter_mut().find(|k| k.name.text == definition.name.text) {
            Some(earlier) => refine_one(earlier, definition, diags),
            None => known.push(definition.clone()),
        }
    }
}

fn refine_one(earlier: &mut AttributeDefinition, later: &AttributeDefinition, diags: &mut Diagnostics) {
    use AttributeType::{Boolean, Enumeration, Float, Group, Identifier, Integer, Reference, Text};
    let ty = match (&earlier.ty, &later.ty) {
        (Integer { .. }, Integer { .. }) | (Float { .. }, Float { .. }) | (Text | Identifier, Text | Identifier) => {
            later.ty.clone()
        }
        (Reference(before), Reference(kind)) if before == kind => later.ty.clone(),
        (Boolean { when_true, when_false }, Boolean { when_true: true_later, when_false: false_later }) => Boolean {
            when_true: joined(when_true, true_later, diags),
            when_false: joined(when_false, false_later, diags),
        },
        (Enumeration(before), Enumeration(list)) => Enumeration(
            list.iter()
                .map(|value| {
                    let known = before.iter().find(|k| k.name.text == value.name.text);
                    let attributes = joined(known.map_or(&[], |k| &k.attributes), &value.attributes, diags);
                    Enumerator { name: value.name.clone(), attributes }
                })
                .collect(),
        ),
        (Group(before), Group(list)) => Group(joined(before, list, diags)),
        _ => {
            let message = format!("`{}` is defined with another type than before", later.name.text);
            let help = "a later IMPLEMENTATION section may restrict values, not change the type that OIL 2.5 or an \
                        earlier section gives";
            diags.push(Diagnostic::error(later.name.span, message).help(help));
            return;
        }
    };
    let default = match &later.default {
        Default::Unsaid => earlier.default.clone(),
        said => said.clone(),
    };
    *earlier = AttributeDefinition { ty, default, ..later.clone() };
}

fn joined(
    before: &[AttributeDefinition],
    later: &[AttributeDefinition],
    diags: &mut Diagnostics,
) -> Vec<AttributeDefinition> {
    let mut all = before.to_vec();
    refine_all(&mut all, later, diags);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{IntegerRange, ValueKind};

    fn refined(text: &str) -> (Schema, Vec<String>) {
        let mut reader = Reader::new(&[]);
        reader.text("a.oil", text);
        let (tokens, _, mut diags) = reader.finish();
        let description = parse(&tokens, &mut diags);
        let mut schema = Schema::standard();
        schema.refine(&description.definitions, &mut diags);
        (schema, diags.iter().map(|d| d.message.clone()).collect())
    }

    fn attribute<'a>(schema: &'a Schema, kind: &str, name: &str) -> &'a AttributeDefinition {
        schema.attributes(kind).iter().find(|a| a.name.text == name).unwrap()
    }

    #[test]
    fn the_standard_has_every_object_of_the_operating_system() {
        let schema = Schema::standard();
        for kind in ["OS", "APPMODE", "TASK", "ISR", "COUNTER", "ALARM", "EVENT", "RESOURCE", "MESSAGE", "COM"] {
            assert!(schema.has_kind(kind), "{kind}");
        }
    }

    #[test]
    fn ranges_values_and_defaults_are_refined() {
        let (schema, errors) = refined(
            "IMPLEMENTATION i {
               TASK { UINT32 [1..10] PRIORITY = 1; UINT32 STACKSIZE = 512; BOOLEAN [TRUE { UINT32 DELAY = 3; }] AUTOSTART; };
               OS { ENUM [EXTENDED] STATUS; };
             };
             IMPLEMENTATION j { TASK { UINT32 [2..9] PRIORITY; }; };",
        );
        assert_eq!(errors, Vec::<String>::new());
        let priority = attribute(&schema, "TASK", "PRIORITY");
        let range = Some(IntegerRange::Between(2, 9));
        assert_eq!(priority.ty, AttributeType::Integer { bits: 32, signed: false, range });
        assert!(matches!(&priority.default, Default::Value(v) if v.kind == ValueKind::Integer(1)));
        let AttributeType::Boolean { when_true, .. } = &attribute(&schema, "TASK", "AUTOSTART").ty else { panic!() };
        let names: Vec<&str> = when_true.iter().map(|a| a.name.text.as_str()).collect();
        assert_eq!(names, ["APPMODE", "DELAY"]);
        let AttributeType::Enumeration(values) = &attribute(&schema, "OS", "STATUS").ty else { panic!() };
        assert_eq!(values.len(), 1);
    }

    #[test]
    fn a_type_that_is_understood_cannot_be_changed() {
        for text in ["STRING PRIORITY;", "TASK_TYPE EVENT[];", "ENUM [A] AUTOSTART;"] {
            let (_, errors) = refined(&format!("IMPLEMENTATION i {{ TASK {{ {text} }}; }};"));
            assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        }
    }
}
