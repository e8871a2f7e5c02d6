//! Checks: the properties that a program must satisfy, as edges.

use plumb_c::source::Span;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct CheckId(pub u32);

plumb_c::index_types!(CheckId);

/// What a check protects from. In JSON it has its [name](CheckKind::name).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckKind {
    /// `assert` and its relatives.
    Assertion,
    /// A call of an error function such as `reach_error`.
    ErrorCall,
    /// A labelled error location.
    ErrorLabel,
    /// An array index outside its array.
    Bounds,
    /// A null, dangling or out-of-object dereference.
    Pointer,
    /// `free` of what is not the start of a live heap object.
    #[serde(rename = "double-free")]
    Free,
    /// Heap memory that nothing points to any more, or (memcleanup) any that is left at the end.
    Leak,
    #[serde(rename = "overflow")]
    SignedOverflow,
    UnsignedOverflow,
    #[serde(rename = "div-by-zero")]
    DivisionByZero,
    Shift,
    Conversion,
    FloatNan,
    /// A request that must be answered, in every run of a fair environment. The condition holds: what counts is that a
    /// [`CheckKind::Response`] follows.
    Request,
    /// The answer to a [`CheckKind::Request`]. The condition holds.
    Response,
    /// A claim about the program that somebody makes in a witness; its number is the subject.
    Invariant,
    /// Not a property of the program: something Plumb cannot model would happen here, so a run that gets here proves
    /// nothing either way.
    Unsupported,
}

impl CheckKind {
    /// The name used on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            CheckKind::Assertion => "assertion",
            CheckKind::ErrorCall => "error-call",
            CheckKind::ErrorLabel => "error-label",
            CheckKind::Bounds => "bounds",
            CheckKind::Pointer => "pointer",
            CheckKind::Free => "double-free",
            CheckKind::Leak => "leak",
            CheckKind::SignedOverflow => "overflow",
            CheckKind::UnsignedOverflow => "unsigned-overflow",
            CheckKind::DivisionByZero => "div-by-zero",
            CheckKind::Shift => "shift",
            CheckKind::Conversion => "conversion",
            CheckKind::FloatNan => "float-nan",
            CheckKind::Request => "request",
            CheckKind::Response => "response",
            CheckKind::Invariant => "invariant",
            CheckKind::Unsupported => "unsupported",
        }
    }
}

#[derive(Clone, Debug)]
pub struct CheckInfo {
    pub kind: CheckKind,
    /// One sentence: what is wrong if the check fails.
    pub message: Arc<str>,
    /// The function that must not be called, or the label that must not be reached.
    pub subject: Option<Arc<str>>,
    /// The condition compares a value. A value that comes from outside as it is satisfies it, which is listed as assumed;
    /// a run with another one ends as not supported. What the program has computed is checked.
    pub of_inputs: bool,
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::CheckKind;

    #[test]
    fn json_has_the_names_of_the_command_line() {
        use CheckKind::*;
        let properties =
            [Assertion, ErrorCall, ErrorLabel, Bounds, Pointer, Free, Leak, Request, Response, Invariant, Unsupported];
        let arithmetic = [SignedOverflow, UnsignedOverflow, DivisionByZero, Shift, Conversion, FloatNan];
        for kind in properties.into_iter().chain(arithmetic) {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
    }
}
