//! `plumb validate`: a witness, checked from scratch.

use crate::args::{Args, ValidateArgs};
use crate::check::{DEFAULT_TIMEOUT, files, interrupt, verdict};
use crate::load::{self, Needs, Wanted};
use crate::report::{Exit, Failure, Output};
use crate::watchdog::{LastWord, Watchdog};
use plumb_engine::{Budget, Cancel};
use plumb_evidence::{Claims, Subject, Validation};
use plumb_ir::check::CheckId;
use serde_json::json;
use std::time::Instant;

pub fn validate(args: &Args, validate: &ValidateArgs, out: &mut Output) -> Exit {
    let deadline = Instant::now().checked_add(args.timeout.unwrap_or(DEFAULT_TIMEOUT));
    let cancel = Cancel::new();
    let late = Validation::Unknown("the time was over before it was checked".to_string());
    let late = LastWord::of(args.json, |out| tell(args, None, &late, out));
    let watchdog = Watchdog::start(deadline, cancel.clone(), late);
    let examined = examine(args, validate, deadline, cancel, out);
    watchdog.dismiss();
    match examined {
        Ok((claims, validation)) => tell(args, claims, &validation, out),
        Err(failure) => out.failure(&failure),
    }
}

fn examine(
    args: &Args,
    validate: &ValidateArgs,
    deadline: Option<Instant>,
    cancel: Cancel,
    out: &Output,
) -> Result<(Option<Claims>, Validation), Failure> {
    let shown = validate.witness.display();
    let witness = std::fs::read(&validate.witness).map_err(|error| {
        load::trouble(format!("cannot read `{shown}`: {error}"), "name a file that `plumb check --witness` wrote")
    })?;
    let Ok(witness) = String::from_utf8(witness) else {
        return Ok((None, Validation::Rejected("it is no text".to_string())));
    };
    let wanted = Wanted::new(args)?;
    let program = load::instrumented(args, &wanted, Needs { promotion: true, entry: true }, out)?;
    let whole = verdict::whole_specification(&program, &wanted);
    let (task, _) = files::task(&program, whole.clone())
        .map_err(|why| load::trouble(why, "the files must be there as they were checked"))?;
    interrupt::cancel_on_signal(&cancel);
    let budget = Budget { deadline, memory: args.memory, threads: 1, cancel };
    let specification = |check: Option<CheckId>| {
        let specification = match check {
            Some(check) => verdict::specification(program.check(check), &wanted),
            None => whole.clone(),
        };
        specification.unwrap_or_else(|own| own)
    };
    let reload = |edits: &plumb_evidence::Edits| load::annotated(args, &wanted, edits);
    let subject =
        Subject { program: &program, task: &task, specification: &specification, reload: &reload, strict: args.strict };
    Ok(plumb_evidence::validate(&subject, &witness, &budget))
}

fn tell(args: &Args, claims: Option<Claims>, validation: &Validation, out: &mut Output) -> Exit {
    let (name, why, exit) = match validation {
        Validation::Confirmed(how) => ("confirmed", how, Exit::Done),
        Validation::Rejected(why) => ("rejected", why, Exit::Violated),
        Validation::Unknown(why) => ("unknown", why, Exit::Open),
    };
    let claims = claims.map(|claims| match claims {
        Claims::Violation => "violation",
        Claims::Invariants => "invariants",
    });
    if args.json {
        out.json(&json!({ "outcome": name, "reason": why, "claims": claims }));
    } else {
        // What the witness says may have lines of its own.
        out.line(&format!("{name}: {}", why.replace('\n', " ")));
    }
    exit
}
