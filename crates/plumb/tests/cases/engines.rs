//! The cases of `property/`, decided by engines too.
//!
//! What a case says of the one run of its program is so of all of them: these programs take no input. So an engine that looks
//! at all runs must come to the verdict which the exit code stands for, whichever engine it is. It may give up only where
//! the case says so and why (`unknown: ENGINE REASON`). A violation is the same one, with the verdict that the case names
//! (`verdict: FALSE(PROPERTY)`).

use crate::directives::Case;
use crate::{Ran, Scratch, plumb};
use std::path::Path;

/// An engine that joins paths and one that follows each of them.
pub const ENGINES: [&str; 2] = ["bmc", "symex"];

/// What engines say otherwise than the case.
pub fn disagreements(path: &Path, case: &Case, own: &Ran, arch: &str, scratch: &Scratch) -> Vec<String> {
    if path.parent().and_then(Path::file_name).is_none_or(|area| area != "property") {
        let is_stray = !case.unknown.is_empty() || case.verdict.is_some();
        let what = "`unknown:` and `verdict:` are for cases of `property/`";
        return is_stray.then(|| what.to_string()).into_iter().collect();
    }
    if case.verdict.is_some() != (case.exit == 1) {
        return vec!["a case of `property/` has a `verdict:` if it exits with 1, and no other has".to_string()];
    }
    ENGINES
        .iter()
        .filter_map(|engine| {
            let ran = plumb(path, case, &arguments(case, engine), arch, scratch);
            let tolerated = case.unknown.iter().find(|(name, _)| name == engine).map(|(_, reason)| reason.as_str());
            disagreement(case, own, &ran, tolerated).map(|what| format!("--engine {engine}: {what}\n{}", ran.stderr))
        })
        .collect()
}

/// The case's command as a `check` by an engine.
fn arguments(case: &Case, engine: &str) -> Vec<String> {
    let mut args = vec!["check".to_string(), "--engine".to_string(), engine.to_string()];
    let mut rest = case.args.iter().skip(1);
    while let Some(arg) = rest.next() {
        if arg == "--engine" {
            rest.next();
        } else {
            args.push(arg.clone());
        }
    }
    args
}

/// `plumb run` names the place on the same line.
fn is_same_violation(ran: &Ran, own: &Ran) -> bool {
    match (ran.violated(), own.violated()) {
        (Some(found), Some(own)) => {
            own.strip_prefix(found).is_some_and(|rest| rest.is_empty() || rest.starts_with(" at "))
        }
        _ => false,
    }
}

fn disagreement(case: &Case, own: &Ran, ran: &Ran, tolerated: Option<&str>) -> Option<String> {
    let last = ran.last();
    let is_expected = match case.exit {
        0 => ran.code == Some(0) && last == "TRUE",
        1 => ran.code == Some(1) && Some(last) == case.verdict.as_deref() && is_same_violation(ran, own),
        // Nobody may know better, or find another reason.
        2 => ran.code == Some(2) && ran.reason().is_some_and(|reason| case.reasons().any(|r| reason.contains(r))),
        other => ran.code == Some(other),
    };
    if is_expected {
        return None;
    }
    match (ran.reason(), tolerated) {
        (Some(reason), Some(named)) if ran.code == Some(2) && reason.contains(named) => None,
        (Some(reason), _) => Some(format!("no answer: {reason}, where the case exits with {}", case.exit)),
        (None, _) if case.exit == 1 => Some(format!(
            "`{last}` of `{:?}`, where the case says `{:?}` of `{:?}`",
            ran.violated(),
            case.verdict,
            own.violated()
        )),
        (None, _) => Some(format!("`{last}`, exit {:?}, where the case exits with {}", ran.code, case.exit)),
    }
}
