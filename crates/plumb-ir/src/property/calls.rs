//! Calls that are properties: error functions and the relatives of `assert`.
//!
//! An error function breaks the property by being called, whether the program defines it or not. An assertion function
//! of the user's own is ordinary code; without a definition its call is a check of its argument, or fails outright where the
//! name is that of the function that a failed `assert` calls. If assertions are not asked for, the library's models
//! of these functions end the program.

use super::selection::PropertySet;
use super::site::Site;
use crate::analysis::address_taken;
use crate::check::CheckKind;
use crate::expr::ExprId;
use crate::program::{Callee, DatumValue, Function, ObjRef, Op};
use std::sync::Arc;

/// The check that a call becomes.
pub(super) struct Verdict {
    pub kind: CheckKind,
    pub cond: ExprId,
    pub message: String,
    /// The error function.
    pub subject: Option<Arc<str>>,
}

/// Functions that check their first argument.
const CHECKING: [&str; 6] = [
    "assert",
    "__VERIFIER_assert",
    "__CPROVER_assert",
    "__CPROVER_precondition",
    "__CPROVER_postcondition",
    "__builtin_assert",
];

/// Functions that are called when an assertion has failed, with the number of the argument that is its text.
const FAILING: [(&str, Option<usize>); 7] = [
    ("__assert_fail", Some(0)),
    ("__assert_perror_fail", None),
    ("__assert", Some(0)),
    ("_assert", Some(0)),
    ("__assert_func", Some(3)),
    ("__assert_rtn", Some(3)),
    ("__assert_c99", Some(0)),
];

pub(super) fn is_error_function(function: &Function, set: &PropertySet) -> bool {
    set.error_functions.contains(&function.name)
}

/// Whether calls of a function are assertions: the library's, not the user's own of that name.
pub(super) fn is_assertion_function(function: &Function) -> bool {
    let is_users = function.has_body && !function.is_library;
    !is_users && is_assertion_name(&function.name)
}

pub(crate) fn is_assertion_name(name: &str) -> bool {
    CHECKING.contains(&name) || FAILING.iter().any(|(failing, _)| *failing == name)
}

pub(super) fn verdict(site: &mut Site<'_>, caller: &Function, op: &Op, set: &PropertySet) -> Option<Verdict> {
    let Op::Call { callee: Callee::Direct(id), args, .. } = op else { return None };
    let callee = site.program.function(*id);
    // What a model of the library calls of its own kind is no call of the program.
    let is_internal = caller.is_library && callee.is_library;
    if is_error_function(callee, set) && !is_internal {
        let cond = site.make.bool(false);
        let (message, subject) = (format!("{} is called", callee.name), Some(callee.name.clone()));
        return Some(Verdict { kind: CheckKind::ErrorCall, cond, message, subject });
    }
    let users_own = callee.has_body && !callee.is_library;
    if users_own || caller.is_library || !set.checks.contains(CheckKind::Assertion) {
        return None;
    }
    if CHECKING.contains(&&*callee.name) {
        let cond = site.make.is_not_zero(*args.first()?);
        let text = site.program.sources.text(site.span);
        let message = if text.is_empty() { "the assertion does not hold".to_string() } else { fails(text) };
        return Some(Verdict { kind: CheckKind::Assertion, cond, message, subject: None });
    }
    let (_, text) = FAILING.iter().find(|(name, _)| *name == &*callee.name)?;
    // avr-libc's `__assert` has the function in front and the text behind.
    let is_avr_libc = &*callee.name == "__assert" && args.len() == 4;
    let text = if is_avr_libc { Some(3) } else { *text };
    let text = text.and_then(|i| literal(site, *args.get(i)?));
    let cond = site.make.bool(false);
    let message = text.map_or("the assertion does not hold".to_string(), |text| fails(&text));
    Some(Verdict { kind: CheckKind::Assertion, cond, message, subject: None })
}

fn fails(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("the assertion `{}` does not hold", words.join(" "))
}

/// The text that a string literal holds.
fn literal(site: &Site<'_>, arg: ExprId) -> Option<String> {
    let (object, offset) = address_taken::direct(site.make.exprs, arg, site.make.target)?;
    let ObjRef::Global(id) = object else { return None };
    let first = site.program.object(id).init.first()?;
    let DatumValue::Bytes(bytes) = &first.value else { return None };
    let bytes = bytes.get(offset as usize..).filter(|_| first.offset == 0)?;
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}
