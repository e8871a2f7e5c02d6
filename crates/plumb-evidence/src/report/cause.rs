//! Why there is no answer.

use super::parts::{BrokenCheck, at_place, span_of};
use super::seconds;
use plumb_answer::{OpenChoice, WhyUnknown};
use plumb_c::source::Place;
use plumb_exec::input_file;
use plumb_ir::check::CheckKind;
use plumb_ir::program::Program;
use plumb_sym::{FaultKind, FaultSite};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What the search was allowed to use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub timeout: Duration,
    /// Bytes.
    pub memory: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause {
    /// The time was over before the program was read.
    NotRead {
        #[serde(with = "seconds")]
        timeout: Duration,
    },
    Timeout {
        #[serde(with = "seconds")]
        timeout: Duration,
    },
    OutOfMemory {
        mebibytes: u64,
    },
    Cancelled,
    /// The chosen checks look at nothing that the program has.
    NothingToCheck,
    /// Some runs reach an operation that is not modelled.
    Unsupported {
        check: BrokenCheck,
    },
    /// A violation needs a value that a library model allows and real libraries need not return.
    LooseModel {
        origin: String,
    },
    /// The inputs of a violation do not violate the check on the concrete machine; the choice that C leaves open and that the
    /// violation depends on. Without such a choice, this is a defect.
    NotReplayed {
        check: BrokenCheck,
        rests_on: Option<RestsOn>,
    },
    /// A violation was found, but there was no time to replay it.
    NoTimeToReplay {
        place: Option<Place>,
        because: String,
    },
    /// An answer that turned out to be wrong: a defect.
    WrongClaim {
        check: BrokenCheck,
        because: String,
    },
    /// The validator did not confirm the proof.
    NotValidated {
        proof: String,
        because: String,
    },
    /// The only run breaks no check, but depends on addresses or on the library.
    Addresses,
    Bound {
        bound: u32,
    },
    /// Some runs may end by undefined behaviour that no check looks for.
    Faults {
        /// What such a run does, if it is known: `divides by zero`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// The check that looks for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<CheckKind>,
        place: Option<Place>,
    },
    /// Some runs may do something that is not modelled.
    Gap {
        /// What such a run does, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        place: Option<Place>,
    },
    /// A violation needs a pointer from outside.
    OutsidePointer {
        check: BrokenCheck,
    },
    Recursion {
        function: String,
    },
    NotInductive {
        depth: u32,
    },
    /// A counterexample is left that is neither a run nor excluded.
    NotRefined {
        refinements: u32,
    },
    /// An engine met one of its own limits.
    GaveUp {
        because: String,
    },
    /// Leaks are looked for where runs end.
    Endless,
    Solver {
        because: String,
    },
    /// The only run has undefined behaviour that no selected check covers.
    Fault {
        fault: String,
        place: Option<Place>,
    },
    /// The engine cannot work on this program.
    NotApplicable {
        because: String,
    },
    /// The engine reasons about one stack, and the program has several.
    Stacks,
    /// The engine is about schedules, and the program has one.
    OneSchedule,
    /// All schedules were followed, but not with all values of an input.
    Values {
        origin: String,
    },
    CannotRun {
        because: String,
    },
    /// The system gives no thread.
    NoThread {
        because: String,
    },
    /// Plumb has a defect.
    Defect {
        because: String,
    },
}

/// A choice that C leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestsOn {
    Addresses,
    NanPattern,
    Unassigned,
}

impl Cause {
    pub fn of(why: &WhyUnknown, program: &Program, limits: &Limits) -> Cause {
        let place = |site| program.sources.place(span_of(program, site));
        match why {
            WhyUnknown::Timeout => Cause::Timeout { timeout: limits.timeout },
            WhyUnknown::OutOfMemory => Cause::OutOfMemory { mebibytes: limits.memory >> 20 },
            WhyUnknown::Cancelled => Cause::Cancelled,
            WhyUnknown::Unsupported(check) => Cause::Unsupported { check: BrokenCheck::as_called(program, *check) },
            WhyUnknown::LooseModel(input) => {
                Cause::LooseModel { origin: input_file::origin_text(&program.input(*input).origin) }
            }
            WhyUnknown::NotReplayed(check, choice) => Cause::NotReplayed {
                check: BrokenCheck::as_called(program, *check),
                rests_on: choice.map(|choice| match choice {
                    OpenChoice::Addresses => RestsOn::Addresses,
                    OpenChoice::NanPattern => RestsOn::NanPattern,
                    OpenChoice::Unassigned => RestsOn::Unassigned,
                }),
            },
            WhyUnknown::Addresses => Cause::Addresses,
            WhyUnknown::Bound(bound) => Cause::Bound { bound: *bound },
            WhyUnknown::Faults(None) => Cause::Faults { description: None, check: None, place: None },
            WhyUnknown::Faults(Some(fault)) => {
                let span = |site: FaultSite| program.function(site.func).edge(site.edge).span;
                let place = fault.site.and_then(|site| program.sources.place(span(site)));
                let description = Some(fault.kind.description().to_string());
                match fault.kind {
                    FaultKind::NotAnObject | FaultKind::ModelBounds => Cause::Gap { description, place },
                    kind => Cause::Faults { description, check: kind.check(), place },
                }
            }
            WhyUnknown::Gap(site) => Cause::Gap { description: None, place: site.and_then(place) },
            WhyUnknown::OutsidePointer(check) => {
                Cause::OutsidePointer { check: BrokenCheck::as_called(program, *check) }
            }
            WhyUnknown::Recursion(func) => Cause::Recursion { function: program.function(*func).name.to_string() },
            WhyUnknown::NotInductive(k) => Cause::NotInductive { depth: *k },
            WhyUnknown::NotRefined(refinements) => Cause::NotRefined { refinements: *refinements },
            WhyUnknown::GaveUp(why) => Cause::GaveUp { because: why.clone() },
            WhyUnknown::Endless => Cause::Endless,
            WhyUnknown::Solver(why) => Cause::Solver { because: why.clone() },
            WhyUnknown::Fault(kind, site) => Cause::Fault { fault: kind.to_string(), place: place(*site) },
            WhyUnknown::NotApplicable(why) => Cause::NotApplicable { because: why.clone() },
            WhyUnknown::Stacks => Cause::Stacks,
            WhyUnknown::OneSchedule => Cause::OneSchedule,
            WhyUnknown::Values(input) => {
                Cause::Values { origin: input_file::origin_text(&program.input(*input).origin) }
            }
            WhyUnknown::CannotRun(why) => Cause::CannotRun { because: why.clone() },
            WhyUnknown::NoThread(why) => Cause::NoThread { because: why.clone() },
            WhyUnknown::Defect(why) => Cause::Defect { because: why.clone() },
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::NotRead { timeout } => {
                write!(f, "the program was not read within the timeout of {} s", timeout.as_secs_f64())
            }
            Cause::Timeout { timeout } => {
                write!(f, "no violation was found within the timeout of {} s", timeout.as_secs_f64())
            }
            Cause::OutOfMemory { mebibytes } => {
                write!(f, "the search needs more than {mebibytes} MiB (raise --memory)")
            }
            Cause::Cancelled => f.write_str("the search was interrupted"),
            Cause::NothingToCheck => f.write_str("the program contains nothing that the chosen checks apply to (see --checks)"),
            Cause::Unsupported { check } => {
                write!(f, "no violation was found, but some runs reach an operation that Plumb does not model: {check}")
            }
            Cause::LooseModel { origin } => {
                write!(f, "a violation was found only with a value of {origin} that real libraries need not return")
            }
            Cause::NotReplayed { check, rests_on: None } => write!(
                f,
                "internal error: an engine's model violates a check ({check}) but does not replay on the concrete machine; \
                 this is a defect of Plumb, please report it with the source"
            ),
            Cause::NotReplayed { check, rests_on: Some(choice) } => {
                write!(
                    f,
                    "a violation ({check}) depends on {choice}, which C leaves open; its inputs do not violate the check on \
                     the concrete machine"
                )
            }
            Cause::NoTimeToReplay { place, because } => {
                write!(f, "a violation was found{}, but {because}", at_place(place.as_ref()))
            }
            Cause::WrongClaim { check, because } => write!(
                f,
                "internal error: the engine claims that a check is violated ({check}), but {because}; this is a defect of \
                 Plumb, please report it with the source"
            ),
            Cause::NotValidated { proof, because } => {
                write!(f, "a proof was found ({proof}), but the validator {because}")
            }
            Cause::Addresses => f.write_str(
                "no run that was followed violates a check, but other runs are possible where objects have other addresses or \
                 the C library behaves differently (for example, in the order of equal elements)",
            ),
            Cause::Bound { bound } => {
                write!(
                    f,
                    "no run violates a check within the unwinding bound of {bound}, but some runs exceed it (raise --unwind)"
                )
            }
            Cause::Faults { description: None, place, .. } => write!(
                f,
                "no check is violated, but some runs may end by undefined behaviour{}, such as an access outside of objects \
                 or a division by zero",
                at_place(place.as_ref())
            ),
            Cause::Faults { description: Some(description), check, place } => {
                let at = at_place(place.as_ref());
                write!(f, "no check is violated, but some runs may end by undefined behaviour{at}: one {description}")?;
                match check {
                    Some(check) => write!(f, " (add --checks {} to check this)", check.name()),
                    None => Ok(()),
                }
            }
            Cause::Gap { description, place } => {
                let unknown =
                    "uses memory in a way that is not modelled, for example through a pointer that comes from outside";
                let (at, description) = (at_place(place.as_ref()), description.as_deref().unwrap_or(unknown));
                write!(f, "no check is violated, but a run may do something that is not modelled{at}: it {description}")
            }
            Cause::OutsidePointer { check } => write!(
                f,
                "a violation ({check}) was found only through a pointer that a function without a body returned or left in \
                 memory; it may point to something that is not in the program (--missing nothing, or give the function a \
                 body)"
            ),
            Cause::Recursion { function } => {
                write!(f, "no bound was found for the recursion of `{function}`, and recursion is not abstracted")
            }
            Cause::NotInductive { depth } => write!(
                f,
                "k-induction up to k = {depth} proves nothing: no sufficient inductive invariants were found"
            ),
            Cause::Endless => f.write_str(
                "leaks are checked where runs end, so induction over endless runs proves nothing about them",
            ),
            Cause::NotRefined { refinements } => write!(
                f,
                "a counterexample of the abstraction is neither a run of the program nor excluded, after refinement {refinements}"
            ),
            Cause::Solver { because } | Cause::GaveUp { because } => f.write_str(because),
            Cause::Fault { fault, place } => write!(
                f,
                "the program reads no input, and its only run ends in a fault that no selected check covers: {fault}{}",
                at_place(place.as_ref())
            ),
            Cause::NotApplicable { because } => write!(f, "the engine does not apply to this program: {because}"),
            Cause::Values { origin } => {
                write!(f, "no schedule violates a check, but only some values of an input were tried ({origin})")
            }
            Cause::OneSchedule => f.write_str(
                "the engine explores schedules, and the program has neither threads nor interrupt handlers (use --engine auto)",
            ),
            Cause::Stacks => f.write_str(
                "the engine supports one call stack only, and the program has several (use --engine auto)",
            ),
            Cause::CannotRun { because } => write!(f, "the program cannot be run: {because}"),
            Cause::NoThread { because } => {
                write!(f, "no engine could be started: the operating system refused to create a thread ({because})")
            }
            Cause::Defect { because } => {
                write!(f, "internal error: {because}; this is a defect of Plumb, please report it with the source")
            }
        }
    }
}

impl fmt::Display for RestsOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RestsOn::Addresses => "the addresses of objects",
            RestsOn::NanPattern => "the sign or payload of a NaN",
            RestsOn::Unassigned => "the value of an uninitialised variable",
        })
    }
}
