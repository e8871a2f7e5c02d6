//! What answers are called: the last line of output, exit codes, and specifications.
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
use crate::report::Exit;
use plumb_ir::check::{CheckInfo, CheckKind};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    True,
    /// The property that is broken.
    False(&'static str),
    Unknown,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::True => "TRUE",
            Verdict::False(_) => "FALSE",
            Verdict::Unknown => "UNKNOWN",
        }
    }

    pub fn line(self) -> String {
        match self {
            Verdict::False(property) => format!("FALSE({property})"),
            Verdict::True | Verdict::Unknown => self.name().to_string(),
        }
    }

    pub fn exit(self) -> Exit {
        match self {
            Verdict::True => Exit::Done,
            Verdict::False(_) => Exit::Violated,
            Verdict::Unknown => Exit::Open,
        }
    }
}

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
        | CheckKind::Unsupported => kind.name(),
    }
}

/// The property that a check belongs to, as property files write it: the file's own text where the property is from there.
/// `Err` has the same for properties that the competition does not know.
pub fn specification(check: &CheckInfo, wanted: &Wanted) -> Result<String, String> {
    let (formula, is_known) = formula(check, wanted);
    let line = format!("CHECK( init({}()), LTL({formula}) )", wanted.entry);
    let of_file = wanted.specification.as_deref().map_or(Vec::new(), |text| {
        text.lines().map(str::trim).filter(|line| line.starts_with("CHECK")).collect::<Vec<_>>()
    });
    let compact = |line: &str| line.split_whitespace().collect::<String>();
    match of_file.iter().any(|other| compact(other) == compact(&line)) {
        true => Ok(of_file.join("\n")),
        false if is_known => Ok(line),
        false => Err(line),
    }
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
        CheckKind::UnsignedOverflow
        | CheckKind::DivisionByZero
        | CheckKind::Shift
        | CheckKind::Conversion
        | CheckKind::FloatNan
        | CheckKind::Unsupported => (format!("G ! {}", check.kind.name()), false),
    }
}
