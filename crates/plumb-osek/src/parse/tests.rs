use super::*;
use crate::ast::{AttributeType, Default as DefaultValue, IntegerRange};
use crate::read::Reader;

fn parsed(text: &str) -> (Description, Vec<String>) {
    let mut reader = Reader::new(&[]);
    reader.text("a.oil", text);
    let (tokens, sources, mut diags) = reader.finish();
    let description = parse(&tokens, &mut diags);
    let shown = |d: &Diagnostic| format!("{}: {}", sources.place(d.span).map_or(0, |p| p.line), d.message);
    (description, diags.iter().map(shown).collect())
}

#[test]
fn definitions_have_types_ranges_and_defaults() {
    let (description, errors) = parsed(
        r#"IMPLEMENTATION i {
             TASK [] {
               UINT32 [1..16] PRIORITY = NO_DEFAULT : "how urgent";
               UINT32 [1, 2] LEVEL;
               UINT64 WITH_AUTO MASK = AUTO;
               FLOAT [0.5 .. 2] SPEED = 1.0;
               ENUM WITH_AUTO [A, B { STRING NAME = "x"; } : "the second", ] KIND = A;
               BOOLEAN [TRUE { APPMODE_TYPE APPMODE[]; }, FALSE] AUTOSTART = FALSE;
               STRUCT { INT32 [-5..5] X; IDENTIFIER Y; } POINT[];
               SYMBOLNAME CALLBACK;
             } : "tasks";
           } : "all";"#,
    );
    assert_eq!(errors, Vec::<String>::new());
    let attributes = &description.definitions[0].attributes;
    assert_eq!(attributes.len(), 8);
    let range = Some(IntegerRange::Between(1, 16));
    assert_eq!(attributes[0].ty, AttributeType::Integer { bits: 32, signed: false, range });
    assert_eq!(attributes[0].default, DefaultValue::None);
    let range = Some(IntegerRange::OneOf(vec![1, 2]));
    assert_eq!(attributes[1].ty, AttributeType::Integer { bits: 32, signed: false, range });
    assert!(attributes[2].with_auto && !attributes[2].multiple);
    assert_eq!(attributes[3].ty, AttributeType::Float { range: Some((0.5, 2.0)) });
    let AttributeType::Enumeration(values) = &attributes[4].ty else { panic!() };
    assert_eq!(values.len(), 2);
    assert_eq!(values[1].attributes.len(), 1);
    let AttributeType::Group(group) = &attributes[6].ty else { panic!() };
    assert!(group.len() == 2 && attributes[6].multiple);
    assert_eq!(attributes[7].ty, AttributeType::Identifier);
}

#[test]
fn objects_have_values_with_attributes_of_their_own() {
    let (description, errors) = parsed(
        r#"OIL_VERSION = "2.5" : "version";
           CPU c {
             APPMODE m;
             TASK t { PRIORITY = 0x10; AUTOSTART = TRUE { APPMODE = m; } : "why"; } : "a task";
             API a { CALL f { TYPE = x; } : "a group"; };
           };"#,
    );
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(description.version.unwrap().text, "2.5");
    let [mode, task, api] = &description.objects[..] else { panic!() };
    assert!(mode.attributes.is_empty());
    assert_eq!(task.attributes[0].value.kind, ValueKind::Integer(16));
    assert_eq!(task.attributes[1].value.kind, ValueKind::Boolean(true));
    assert_eq!(task.attributes[1].value.attributes[0].value.kind, ValueKind::Name("m".to_string()));
    assert_eq!(api.attributes[0].value.kind, ValueKind::Group("f".to_string()));
}

#[test]
fn errors_name_the_place_and_the_rest_is_read() {
    let table = [
        ("TASK a { PRIORITY = ; };", "3: expected a value behind `=`, found `;`"),
        ("TASK a { PRIORITY 1; };", "3: expected `=` behind `PRIORITY`, found `1`"),
        ("TASK a { PRIORITY = 1 };", "3: expected `;` behind the attribute `PRIORITY`, found `}`"),
        ("TASK { PRIORITY = 1; };", "3: expected the name of the TASK, found `{`"),
        ("TASK a { PRIORITY = 1; }", "4: expected `;` behind the TASK `a`, found `TASK`"),
        ("TASK a { = 1; };", "3: expected the name of an attribute, found `=`"),
        ("TASK a { PRIORITY = 1 : 2; };", "3: expected a string as the description behind `:`, found `2`"),
        ("5 a { };", "3: expected an object, such as `TASK`, found `5`"),
    ];
    for (wrong, expected) in table {
        let text = format!("CPU c {{\n TASK first {{ }};\n {wrong}\n TASK last {{ }};\n}};");
        let (description, errors) = parsed(&text);
        assert_eq!(errors, [expected], "{wrong}");
        assert_eq!(description.objects[0].name.text, "first", "{wrong}");
        let is_lost = wrong.ends_with('}');
        assert!(is_lost || description.objects.iter().any(|o| o.name.text == "last"), "{wrong}");
    }
}

#[test]
fn sections_that_are_wrong_are_told() {
    let table = [
        ("FOO x { };", "1: expected `OIL_VERSION`, `IMPLEMENTATION` or `CPU`, found `FOO`"),
        ("OIL_VERSION = 2.5;", "1: expected the version as a string, such as \"2.5\", found `2.5`"),
        ("CPU c { TASK t { };", "1: a brace is not closed"),
        ("IMPLEMENTATION i { TASK { UINT31 X; }; };", "1: OIL has no attribute type `UINT31`"),
        ("IMPLEMENTATION i { TASK { UINT32 [1..] X; }; };", "1: expected a whole number, found `]`"),
        (
            "IMPLEMENTATION i { TASK { FLOAT [1, 2] X; }; };",
            "1: expected `..` between the ends of the range, found `,`",
        ),
        ("IMPLEMENTATION i { TASK { BOOLEAN [YES, NO] X; }; };", "1: `YES` is no value of a BOOLEAN"),
        ("IMPLEMENTATION i { TASK { ENUM X; }; };", "1: expected `[` behind the type, found `X`"),
        ("IMPLEMENTATION i { TASK [3] { }; };", "1: expected `]` behind `[`, found `3`"),
    ];
    for (text, expected) in table {
        let (_, errors) = parsed(text);
        assert_eq!(errors.first().map(String::as_str), Some(expected), "{text}");
    }
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    let text = format!("CPU c {{ TASK t {{ {} }}; }};", "A = B { ".repeat(100_000));
    let (_, errors) = parsed(&text);
    assert!(errors.iter().any(|e| e.contains("nested deeper")), "{errors:?}");
}
