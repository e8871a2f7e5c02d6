//! Laws of the programs that contracts make, against the concrete machine.
//!
//! Random programs and the examples, with random contracts of their functions. What a contract says of a call is found in two
//! ways: by evaluating its terms on what the machine is seen to hold before and after the call, and by running the derived
//! programs, in which the formulas are expressions.
//!
//! Longer runs: `PLUMB_DERIVE_COUNT` (programs, default 60), `PLUMB_DERIVE_SEED` (the first seed), `PLUMB_DERIVE_ROUNDS` (of the small programs).

mod formula;
#[path = "../../../plumb-sym/tests/concrete/generate/mod.rs"]
mod generate;
#[allow(dead_code, reason = "the laws of derived programs use more of it")]
#[path = "../../../plumb-exec/tests/derive/globals.rs"]
mod globals;
mod observed;
#[path = "../../../plumb-exec/tests/derive/programs.rs"]
mod programs;
#[allow(dead_code, reason = "the laws of derived programs use more of it")]
#[path = "../../../plumb-exec/tests/derive/run.rs"]
mod run;
mod summarised;
mod unit;

use programs::for_each_program;

#[test]
fn a_unit_breaks_its_checks_where_the_contract_is_broken() {
    let mut counts = unit::Counts::default();
    for_each_program("contract-unit", |program, seed| unit::check(program, seed, &mut counts));
    eprintln!("units: {counts:?}");
    assert!(counts.kept > 100 && counts.broken > 100 && counts.behind > 10);
}

#[test]
fn runs_that_keep_contracts_are_runs_with_contracts_for_bodies() {
    let mut counts = summarised::Counts::default();
    for_each_program("contract-summarised", |program, seed| summarised::check(program, seed, &mut counts));
    eprintln!("summarised: {counts:?}");
    assert!(counts.same > 50 && counts.calls > 100 && counts.excluded > 20 && counts.behind > 5);
}
