//! `plumb validate`: a witness or a certificate, checked from scratch.

use crate::args::{Args, ValidateArgs};
use crate::check::vacuous::{Vacuous, vacuous};
use crate::check::{DEFAULT_TIMEOUT, files, interrupt, verdict};
use crate::load::{self, Needs, Wanted};
use crate::report::{Exit, Failure, Output};
use crate::watchdog::{LastWord, Watchdog};
use plumb_engine::{Budget, Cancel};
use plumb_evidence::{Claims, Rules, Subject, Task, Validation};
use plumb_ir::check::CheckId;
use plumb_ir::program::Program;
use plumb_solve::{QueryFolder, SolverChoice};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

pub fn validate(args: &Args, validate: &ValidateArgs, out: &mut Output) -> Exit {
    let deadline = Instant::now().checked_add(args.timeout.unwrap_or(DEFAULT_TIMEOUT));
    let cancel = Cancel::new();
    let timed_out = Validation::Unknown("the timeout was reached before it was checked".to_string());
    let timed_out = LastWord::of(args.json, |out| print_result(args, None, &timed_out, out));
    let watchdog = Watchdog::start(deadline, cancel.clone(), timed_out);
    let examined = examine(args, validate, deadline, cancel, out);
    watchdog.dismiss();
    match examined {
        Ok((claims, validation)) => print_result(args, claims, &validation, out),
        Err(failure) => out.failure(&failure),
    }
}

fn examine(
    args: &Args,
    validate: &ValidateArgs,
    deadline: Option<Instant>,
    cancel: Cancel,
    out: &Output,
) -> Result<(Option<&'static str>, Validation), Failure> {
    let (path, flag) = match (&validate.witness, &validate.certificate) {
        (Some(path), _) => (path, "--witness"),
        (None, Some(path)) => (path, "--certificate"),
        (None, None) => {
            let help = "name a witness (--witness) or a certificate (--certificate) that `plumb check` wrote";
            return Err(load::failure("there is nothing to validate".to_string(), help));
        }
    };
    let Some(text) = read(path, flag)? else {
        return Ok((None, Validation::Rejected("it is not a text file".to_string())));
    };
    let solvers = solvers(validate)?;
    let wanted = Wanted::new(args)?;
    let program = load::instrumented(args, &wanted, Needs { promotion: true, entry: true }, out)?;
    interrupt::cancel_on_signal(&cancel);
    let budget = Budget { deadline, memory: args.memory, threads: 1, cancel };
    let examined = examined(args, &wanted, &program, &solvers, |subject| match &validate.witness {
        None => (Some("proof"), plumb_evidence::validate_certificate(subject, &text, &budget)),
        Some(_) => {
            let (claims, validation) = plumb_evidence::validate(subject, &text, &budget);
            let claims = claims.map(|claims| match claims {
                Claims::Violation => "violation",
                Claims::Invariants => "invariants",
            });
            (claims, validation)
        }
    });
    if let Some(why) = solvers.unwritten() {
        return Err(load::failure(why.to_string(), "make room, or leave --queries out"));
    }
    let examined = examined.map(|(claims, validation)| match validation {
        // As `plumb check` answers: that no check was placed is no proof.
        Validation::Confirmed(_) if matches!(vacuous(args, &wanted, &program), Ok(Some(Vacuous::Unseen))) => {
            (claims, Validation::Unknown("no reachable operation is covered by these checks".to_string()))
        }
        other => (claims, other),
    });
    examined.map_err(|why| load::failure(why, "keep the files as they were when they were checked"))
}

/// The solver that was asked for.
fn solvers(validate: &ValidateArgs) -> Result<SolverChoice, Failure> {
    let choice = match plumb_solve::Program::of_name(&validate.solver) {
        None => SolverChoice::default(),
        Some(program) => SolverChoice::external(program).ok_or_else(|| {
            let message = format!("there is no program `{}` on the search path", program.name());
            load::failure(message, "install it, or leave --solver out")
        })?,
    };
    let Some(folder) = &validate.queries else { return Ok(choice) };
    let folder = QueryFolder::create(folder.clone()).map_err(|error| {
        let message = format!("cannot write queries into the folder `{}`: {error}", folder.display());
        load::failure(message, "name a new or empty folder that can be written")
    })?;
    Ok(choice.with_queries(folder))
}

/// What a file says, if it is text.
fn read(path: &Path, flag: &str) -> Result<Option<String>, Failure> {
    let shown = path.display();
    let content = std::fs::read(path).map_err(|error| {
        let help = format!("name a file that `plumb check {flag}` wrote");
        load::failure(format!("cannot read `{shown}`: {error}"), &help)
    })?;
    Ok(String::from_utf8(content).ok())
}

/// What comes of checking evidence against a program.
pub fn examined<T>(
    args: &Args,
    wanted: &Wanted,
    program: &Program,
    solvers: &SolverChoice,
    check: impl FnOnce(&Subject) -> T,
) -> Result<T, String> {
    let whole = verdict::whole_specification(program, wanted);
    let (task, _): (Task, _) = files::task(program, whole.clone())?;
    let specification = |check: Option<CheckId>| {
        let specification = match check {
            Some(check) => verdict::specification(program.check(check), wanted),
            None => whole.clone(),
        };
        specification.unwrap_or_else(|own| own)
    };
    let reload = |edits: &plumb_evidence::Edits| load::annotated(args, wanted, edits);
    let strict = load::is_strict(args, program);
    let rules = Rules { strict, solvers };
    let subject = Subject { program, task: &task, specification: &specification, reload: &reload, rules };
    Ok(check(&subject))
}

/// What checking evidence came to, as JSON has it.
#[derive(Serialize)]
struct ValidationDoc<'a> {
    outcome: &'static str,
    reason: &'a str,
    claims: Option<&'a str>,
}

fn print_result(args: &Args, claims: Option<&str>, validation: &Validation, out: &mut Output) -> Exit {
    let (name, why, exit) = match validation {
        Validation::Confirmed(how) => ("confirmed", how, Exit::Done),
        Validation::Rejected(why) => ("rejected", why, Exit::Violated),
        Validation::Unknown(why) => ("unknown", why, Exit::Open),
    };
    if args.json {
        out.json(&ValidationDoc { outcome: name, reason: why, claims });
    } else {
        // What the witness says may have lines of its own.
        out.line(&format!("{name}: {}", why.replace('\n', " ")));
    }
    exit
}
