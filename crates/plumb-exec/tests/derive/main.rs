//! Laws of derived programs and of the mod/ref analysis, against the concrete machine.
//!
//! Random programs and the examples are run with random inputs. What a call changes is in its mod set; a run of a
//! derived program maps home to a run of the original, and back where the pass claims it: see `plumb_ir::derive`.
//!
//! Longer runs: `PLUMB_DERIVE_COUNT` (programs, default 60), `PLUMB_DERIVE_SEED` (the first seed), `PLUMB_DERIVE_ROUNDS` (of the small programs).

mod entry_state;
#[path = "../../../plumb-sym/tests/concrete/generate/mod.rs"]
mod generate;
mod globals;
mod modref;
mod path_program;
mod probe;
mod programs;
mod replace_body;
mod replace_calls;
mod run;
mod signature;
mod slice;
mod unit;

use programs::for_each_program;

#[test]
fn what_a_call_changes_is_in_its_mod_set() {
    let mut counts = modref::Counts::default();
    for_each_program("modref", |program, seed| modref::check(program, seed, &mut counts));
    eprintln!("mod/ref: {counts:?}");
    assert!(counts.calls > 1000 && counts.changes > 1000);
}

#[test]
fn a_path_program_runs_along_its_path() {
    let mut counts = path_program::Counts::default();
    for_each_program("path", |program, seed| path_program::check(program, seed, &mut counts));
    eprintln!("path programs: {counts:?}");
    assert!(counts.along > 100 && counts.home > 20 && counts.stepped_over > 20);
}

#[test]
fn a_summary_that_does_what_the_body_did_changes_nothing_else() {
    let mut counts = replace_body::Counts::default();
    for_each_program("replace", |program, seed| replace_body::check(program, seed, &mut counts));
    eprintln!("replaced bodies: {counts:?}");
    assert!(counts.replaced > 20 && counts.calls > 50);
}

#[test]
fn calls_that_run_a_copy_of_the_body_change_nothing() {
    let mut counts = replace_calls::Counts::default();
    for_each_program("replace-calls", |program, seed| replace_calls::check(program, seed, &mut counts));
    eprintln!("calls handed over: {counts:?}");
    assert!(counts.handed_over > 50 && counts.kept > 20 && counts.steps_inside > 500);
}

#[test]
fn equal_inputs_of_a_signature_give_equal_results() {
    let mut counts = signature::Counts::default();
    for_each_program("signature", |program, seed| signature::check(program, seed, &mut counts));
    eprintln!("signatures: {counts:?}");
    assert!(counts.signatures > 100 && counts.compared > 1000);
    assert!(counts.inputs.iter().all(|&count| count > 0));
}

#[test]
fn a_probe_returns_what_calls_return() {
    let mut counts = probe::Counts::default();
    for_each_program("probe", |program, seed| probe::check(program, seed, &mut counts));
    eprintln!("probes: {counts:?}");
    assert!(counts.probes > 50 && counts.calls > 500);
}

#[test]
fn a_unit_does_what_calls_do() {
    let mut counts = unit::Counts::default();
    for_each_program("unit", |program, seed| unit::check(program, seed, &mut counts));
    eprintln!("units: {counts:?}");
    assert!(counts.home > 100 && counts.calls > 20);
}

#[test]
fn an_arbitrary_state_may_be_the_initial_one() {
    let mut counts = entry_state::Counts::default();
    for_each_program("entry-state", |program, seed| entry_state::check(program, seed, &mut counts));
    eprintln!("entry states: {counts:?}");
    assert!(counts.same > 50 && counts.chosen > 100);
}

#[test]
fn a_slice_breaks_the_checks_that_the_program_breaks() {
    let mut counts = slice::Counts::default();
    for_each_program("slice", |program, seed| slice::check(program, seed, &mut counts));
    eprintln!("slices: {counts:?}");
    assert!(counts.broken > 20 && counts.home > 20 && counts.edges_kept < counts.edges);
    assert!(counts.derived_twice > 100);
}
