//! Programs that have nothing to check.
//!
//! A search would find nothing in them and say UNKNOWN after its whole time. What to say instead depends on who asked:
//!
//! * A property file is about many programs. If it asks only for calls and labels that must not be reached, and no function of
//!   the program has any, then it holds. This is a look at the text, which needs no search.
//! * Checks that were named (`--checks overflow`) look at operations that this program may not have. That nothing was placed
//!   is no proof: the ones that docs/semantics.md says are not seen may be there.
//! * Only signed overflow is looked for, and `-fwrapv` or its like makes it defined: then there is none.
//! * Nobody said anything, and every assertion folds to a constant that holds (`assert(sizeof(long) == 4)`), or follows a
//!   jump that is always taken: then they hold.
//! * Nobody said anything, and there is no assertion either: a mistake, most likely.
//!
//! Lowering cuts off what follows a construct that is not modelled, assertions included: a program with such a construct is
//! left to the engine.

use crate::args::Args;
use crate::load::{Wanted, failure};
use crate::report::Failure;
use plumb_ir::check::CheckKind;
use plumb_ir::program::Program;
use plumb_ir::property::{CheckSelection, can_meet_a_check, mentions_assertions};

pub enum Vacuous {
    /// No function of the program has what must not be reached.
    Holds,
    /// Only functions that nobody calls have what must not be reached.
    Uncalled,
    /// Every assertion is constant and holds, or follows a jump that is always taken.
    Constant,
    /// Overflow is all that is checked, and defined to wrap wherever it could happen.
    Wraps,
    /// Nothing that can be reached is looked at by the checks.
    Unseen,
}

/// How a program without anything to check is answered; `None` for every other program.
pub fn vacuous(args: &Args, wanted: &Wanted, program: &Program) -> Result<Option<Vacuous>, Failure> {
    if can_meet_a_check(program) {
        return Ok(None);
    }
    let is_named = args.checks.iter().any(|name| !name.is_empty() && name != "none" && name != "assertion");
    let only_reachability = wanted.properties.checks.is_empty() && !wanted.properties.cleanup;
    match &wanted.specification {
        Some(_) if only_reachability && program.checks.iter().all(|c| c.kind == CheckKind::Unsupported) => {
            Ok(Some(Vacuous::Holds))
        }
        Some(_) if only_reachability => Ok(Some(Vacuous::Uncalled)),
        Some(_) | None if only_wraps(wanted, program) => Ok(Some(Vacuous::Wraps)),
        Some(_) => Ok(Some(Vacuous::Unseen)),
        None if is_named => Ok(Some(Vacuous::Unseen)),
        None if program.checks.iter().all(|c| c.kind == CheckKind::Unsupported)
            && mentions_assertions(program, &wanted.properties) =>
        {
            Ok(Some(Vacuous::Constant))
        }
        None => Err(nothing_to_check(wanted, program)),
    }
}

/// Whether signed overflow is checked and nothing else but assertions, in a program where functions that wrap have all the
/// arithmetic: in any other function each operation that can overflow would have got its check.
fn only_wraps(wanted: &Wanted, program: &Program) -> bool {
    let checks = wanted.properties.checks;
    let others = checks.without(CheckKind::Assertion).without(CheckKind::SignedOverflow);
    checks.contains(CheckKind::SignedOverflow)
        && others.is_empty()
        && !wanted.properties.cleanup
        && program.functions.iter().any(|f| f.wrapv)
}

fn nothing_to_check(wanted: &Wanted, program: &Program) -> Failure {
    let entry = &wanted.entry;
    if program.checks.iter().any(|c| c.kind != CheckKind::Unsupported) {
        let message = format!("there is nothing to check: no assertion can be reached from `{entry}`");
        return failure(message, "call the functions that have assertions, or start with another one by --entry");
    }
    let functions = wanted.properties.error_functions.iter().map(|f| format!("no call of `{f}`"));
    let labels = wanted.properties.error_labels.iter().map(|l| format!("no label `{l}`"));
    let missing: Vec<String> = functions.chain(labels).collect();
    let message = format!("there is nothing to check: the program has no assertion, {}", missing.join(", "));
    let all: Vec<&str> =
        CheckSelection::parse("all").map_or(Vec::new(), |all| all.kinds().map(CheckKind::name).collect());
    let help = format!(
        "say what must hold by `assert(...)` in the program, or choose built-in checks: --checks {}",
        all[1..].join(",")
    );
    failure(message, &help)
}
