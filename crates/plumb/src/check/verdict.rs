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
use plumb_ir::check::CheckKind;

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

/// The property as property files write it: the file's own text where there is one.
pub fn specification(kind: CheckKind, wanted: &Wanted) -> String {
    if let Some(text) = &wanted.specification {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("CHECK")).collect();
        return lines.join("\n");
    }
    let formula = match kind {
        CheckKind::Assertion => "G assert".to_string(),
        CheckKind::ErrorCall => {
            // The names of the defaults come first, those of flags last.
            let name = wanted.properties.error_functions.last().map_or("reach_error", |name| name);
            format!("G ! call({name}())")
        }
        CheckKind::ErrorLabel => {
            format!("G ! label({})", wanted.properties.error_labels.first().map_or("ERROR", |name| name))
        }
        CheckKind::SignedOverflow => "G ! overflow".to_string(),
        CheckKind::Bounds | CheckKind::Pointer | CheckKind::Free | CheckKind::Leak => {
            format!("G {}", property(kind, wanted))
        }
        CheckKind::UnsignedOverflow
        | CheckKind::DivisionByZero
        | CheckKind::Shift
        | CheckKind::Conversion
        | CheckKind::FloatNan
        | CheckKind::Unsupported => format!("G ! {}", kind.name()),
    };
    format!("CHECK( init({}()), LTL({formula}) )", wanted.entry)
}
