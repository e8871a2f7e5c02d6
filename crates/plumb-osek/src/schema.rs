//! The attributes that objects of each kind have: what Plumb understands, refined and extended by the IMPLEMENTATION
//! sections of the description.
//!
//! A later definition of an attribute refines an earlier one: its range and its list of values count, the attributes of a
//! value are joined, and its default replaces the earlier one if it says any. It cannot change the type of an attribute
//! that Plumb understands; what vendors do with their own is their business.

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
        // A test shows that the text has no errors.
        Schema::read_standard().0
    }

    fn read_standard() -> (Schema, Diagnostics) {
        let mut reader = Reader::new(&[]);
        reader.text("<standard>", STANDARD);
        let (tokens, _, mut diags) = reader.finish();
        let description = parse(&tokens, &mut diags);
        let mut schema = Schema::default();
        schema.refine(&description.definitions);
        (schema, diags)
    }

    /// Adds the definitions of IMPLEMENTATION sections in their order.
    pub fn refine(&mut self, definitions: &[ObjectDefinition]) {
        for definition in definitions {
            let kind = match self.kinds.iter().position(|kind| kind.name == definition.kind.text) {
                Some(index) => &mut self.kinds[index],
                None => {
                    self.kinds.push(Kind { name: definition.kind.text.clone(), attributes: Vec::new() });
                    self.kinds.last_mut().expect("one was pushed")
                }
            };
            refine_all(&mut kind.attributes, &definition.attributes);
        }
    }

    /// Tells where the definitions give another type than `understood` has.
    pub fn check_types(&self, understood: &Schema, diags: &mut Diagnostics) {
        for kind in &understood.kinds {
            check_all(&kind.attributes, self.attributes(&kind.name), diags);
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

fn refine_all(known: &mut Vec<AttributeDefinition>, later: &[AttributeDefinition]) {
    for definition in later {
        match known.iter_mut().find(|k| k.name.text == definition.name.text) {
            Some(earlier) => refine_one(earlier, definition),
            None => known.push(definition.clone()),
        }
    }
}

fn refine_one(earlier: &mut AttributeDefinition, later: &AttributeDefinition) {
    use AttributeType::{Boolean, Enumeration, Group};
    let ty = match (&earlier.ty, &later.ty) {
        (Boolean { when_true, when_false }, Boolean { when_true: true_later, when_false: false_later }) => {
            Boolean { when_true: joined(when_true, true_later), when_false: joined(when_false, false_later) }
        }
        (Enumeration(before), Enumeration(list)) => {
            let refined = |value: &Enumerator| {
                let known = before.iter().find(|k| k.name.text == value.name.text);
                let attributes = joined(known.map_or(&[], |k| &k.attributes), &value.attributes);
                Enumerator { name: value.name.clone(), attributes }
            };
            Enumeration(list.iter().map(refined).collect())
        }
        (Group(before), Group(list)) => Group(joined(before, list)),
        (_, ty) => ty.clone(),
    };
    let default = match &later.default {
        Default::Unsaid => earlier.default.clone(),
        Default::None | Default::Value(_) => later.default.clone(),
    };
    *earlier = AttributeDefinition { ty, default, ..later.clone() };
}

fn joined(before: &[AttributeDefinition], later: &[AttributeDefinition]) -> Vec<AttributeDefinition> {
    let mut all = before.to_vec();
    refine_all(&mut all, later);
    all
}

fn check_all(understood: &[AttributeDefinition], refined: &[AttributeDefinition], diags: &mut Diagnostics) {
    use AttributeType::{Boolean, Enumeration, Float, Identifier, Integer, Reference, Text};
    for known in understood {
        let Some(found) = refined.iter().find(|found| found.name.text == known.name.text) else { continue };
        match (&known.ty, &found.ty) {
            (Integer { .. }, Integer { .. })
            | (Float { .. }, Float { .. })
            | (Text | Identifier, Text | Identifier) => {}
            (Reference(kind), Reference(other)) if kind == other => {}
            (Boolean { when_true, when_false }, Boolean { when_true: found_true, when_false: found_false }) => {
                check_all(when_true, found_true, diags);
                check_all(when_false, found_false, diags);
            }
            (Enumeration(list), Enumeration(found)) => {
                for value in list {
                    let found = found.iter().find(|found| found.name.text == value.name.text);
                    check_all(&value.attributes, found.map_or(&[], |found| &found.attributes), diags);
                }
            }
            _ => {
                let message = format!("`{}` has another type in OIL 2.5", found.name.text);
                let help = "an IMPLEMENTATION section may restrict the values of an attribute, not change its type";
                diags.push(Diagnostic::error(found.name.span, message).help(help));
            }
        }
    }
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
        schema.refine(&description.definitions);
        schema.check_types(&Schema::standard(), &mut diags);
        (schema, diags.iter().map(|d| d.message.clone()).collect())
    }

    fn attribute<'a>(schema: &'a Schema, kind: &str, name: &str) -> &'a AttributeDefinition {
        schema.attributes(kind).iter().find(|a| a.name.text == name).unwrap()
    }

    #[test]
    fn the_standard_has_every_object_of_the_operating_system() {
        let (schema, diags) = Schema::read_standard();
        assert_eq!(diags.iter().map(|d| d.message.as_str()).collect::<Vec<_>>(), Vec::<&str>::new());
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
        for text in [
            "STRING PRIORITY;",
            "TASK_TYPE EVENT[];",
            "ENUM [A] AUTOSTART;",
            "BOOLEAN [TRUE { STRING APPMODE; }] AUTOSTART;",
        ] {
            let (_, errors) = refined(&format!("IMPLEMENTATION i {{ TASK {{ {text} }}; }};"));
            assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        }
    }
}
