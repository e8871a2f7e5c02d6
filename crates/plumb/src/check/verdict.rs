//! What broken properties are called: in verdicts, and in the specifications of witnesses.
//!
//! | check | property |
//! | --- | --- |
//! | assertions and error functions | unreach-call |
//! | error labels | unreach-label |
//! | bounds, pointer | valid-deref |
//! | double-free | valid-free |
//! | leak | valid-memtrack, or valid-memcleanup where only that was asked for |
//! | overflow | no-overflow |
//! | all others | the name of the check: the competition has none |

use crate::load::Wanted;
use plumb_ir::check::{CheckInfo, CheckKind};
use plumb_ir::program::Program;

/// The name of the property that a broken check of this kind breaks.
pub fn property(kind: CheckKind, wanted: &Wanted) -> &'static str {
    match kind {
        CheckKind::Assertion | CheckKind::ErrorCall => "unreach-call",
        CheckKind::ErrorLabel => "unreach-label",
        CheckKind::Bounds | CheckKind::Pointer => "valid-deref",
        CheckKind::Free => "valid-free",
        CheckKind::Leak if wanted.properties.checks.contains(CheckKind::Leak) => "valid-memtrack",
        CheckKind::Leak => "valid-memcleanup",
        CheckKind::SignedOverflow => "no-overflow",
        CheckKind::UnsignedOverflow
        | CheckKind::DivisionByZero
        | CheckKind::Shift
        | CheckKind::Conversion
        | CheckKind::FloatNan
        | CheckKind::Request
        | CheckKind::Response
        | CheckKind::Invariant
        | CheckKind::Unsupported => kind.name(),
    }
}

/// The property that a check belongs to, as property files write it: the file's own text where the property is from there.
/// `Err` has the same for properties that the competition does not know.
pub fn specification(check: &CheckInfo, wanted: &Wanted) -> Result<String, String> {
    let (formula, is_known) = formula(check, wanted);
    let line = format!("CHECK( init({}()), LTL({formula}) )", wanted.entry);
    let of_file = wanted.specification.as_deref().map_or(Vec::new(), properties_of);
    let compact = |line: &str| line.split_whitespace().collect::<String>();
    match of_file.iter().any(|other| compact(other) == compact(&line)) {
        true => Ok(of_file.join("\n")),
        false if is_known => Ok(line),
        false => Err(line),
    }
}

/// Everything that is checked, as property files write it: the file's own text where there is one. `Err` has the same if the
/// competition does not know some of it.
pub fn whole_specification(program: &Program, wanted: &Wanted) -> Result<String, String> {
    if let Some(text) = &wanted.specification {
        return Ok(properties_of(text).join("\n"));
    }
    let mut lines: Vec<String> = Vec::new();
    let mut all_known = true;
    for check in program.checks.iter() {
        let counts = !matches!(check.kind, CheckKind::Unsupported | CheckKind::Invariant | CheckKind::Response);
        let (formula, is_known) = formula(check, wanted);
        let line = format!("CHECK( init({}()), LTL({formula}) )", wanted.entry);
        if counts && !lines.contains(&line) {
            all_known &= is_known;
            lines.push(line);
        }
    }
    lines.sort();
    let text = lines.join("\n");
    if all_known { Ok(text) } else { Err(text) }
}

/// The lines of a property file that say something.
fn properties_of(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| line.starts_with("CHECK")).collect()
}

/// What always holds, and whether the competition has such a property.
fn formula(check: &CheckInfo, wanted: &Wanted) -> (String, bool) {
    let subject = |usual: &str| check.subject.as_deref().unwrap_or(usual).to_string();
    match check.kind {
        CheckKind::ErrorCall => (format!("G ! call({}())", subject("reach_error")), true),
        CheckKind::ErrorLabel => (format!("G ! label({})", subject("ERROR")), true),
        CheckKind::SignedOverflow => ("G ! overflow".to_string(), true),
        CheckKind::Bounds | CheckKind::Pointer | CheckKind::Free | CheckKind::Leak => {
            (format!("G {}", property(check.kind, wanted)), true)
        }
        CheckKind::Assertion => ("G assert".to_string(), false),
        CheckKind::Request => ("G (request -> F response)".to_string(), false),
        CheckKind::UnsignedOverflow
        | CheckKind::DivisionByZero
        | CheckKind::Shift
        | CheckKind::Conversion
        | CheckKind::FloatNan
        | CheckKind::Invariant
        | CheckKind::Unsupported
        | CheckKind::Response => (format!("G ! {}", check.kind.name()), false),
    }
}
