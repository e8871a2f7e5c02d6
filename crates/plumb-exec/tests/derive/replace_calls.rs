//! Calls that are handed over to a copy of the function's own body leave every run as it was.

use crate::globals::Globals;
use crate::run::{self, Listed, is_cut_off, run_observed};
use plumb_exec::{Machine, Outcome, SeedInputs};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::replace_body::Body;
use plumb_ir::derive::replace_calls::replace_calls;
use plumb_ir::derive::{Made, Origin, Runs};
use plumb_ir::program::{Callee, EdgeId, FuncId, Op, Program};

#[derive(Default, Debug)]
pub struct Counts {
    pub handed_over: u64,
    pub kept: u64,
    pub steps_inside: u64,
}

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let analyses = Analyses::new(program);
    let graph = analyses.resolved_calls();
    for func in graph.reachable(program.start).into_iter().filter(|func| *func != program.start) {
        let is_direct = |&(caller, edge): &(FuncId, EdgeId)| {
            matches!(program.function(caller).edge(edge).op, Op::Call { callee: Callee::Direct(_), .. })
        };
        let direct = graph.callers(func).iter().copied().filter(is_direct);
        // Some calls, others by the seed.
        let chosen = |i: usize| seed >> (i % 8) & 1 == 0;
        let (calls, kept): (Vec<_>, Vec<_>) = direct.enumerate().partition(|(i, _)| chosen(*i));
        if !calls.is_empty() {
            counts.kept += kept.len() as u64;
            let calls: Vec<(FuncId, EdgeId)> = calls.into_iter().map(|(_, call)| call).collect();
            handed_over(program, func, &calls, seed, counts);
        }
    }
}

fn handed_over(program: &Program, func: FuncId, calls: &[(FuncId, EdgeId)], seed: u64, counts: &mut Counts) {
    let body = Body { function: program.function(func).clone(), inputs: Vec::new(), checks: Vec::new() };
    let (derived, new) = replace_calls(program, func, calls, body, Runs::Same).expect("the body fits");
    let mut machine = Machine::new(run::image(program));
    let original = run_observed(&mut machine, &mut SeedInputs::new(seed), run::STEPS, &mut |_, _| {});
    if is_cut_off(&original.outcome) {
        return;
    }
    let mut listed = Listed::new(original.values());
    let mut derived_machine = Machine::new(run::image(&derived.program));
    let run = run_observed(&mut derived_machine, &mut listed, run::STEPS, &mut |_, _| {});
    let context = || format!("seed {seed}, {}: {:?}", program.function(func).name, run.outcome);
    // The copy has the edges of the function, so that the path is the same but for its name.
    let home: Vec<_> = run.path.iter().map(|&(f, e)| if f == new { (func, e) } else { (f, e) }).collect();
    assert_eq!(home, original.path, "{}", context());
    for &(f, e) in &run.path {
        let expected = if f == new { Origin::Made(Made::Summary(func)) } else { Origin::Original((f, e)) };
        assert_eq!(derived.provenance.edge(f, e), expected);
        counts.steps_inside += u64::from(f == new);
    }
    if let Outcome::CheckFailed { check, .. } = original.outcome {
        assert!(matches!(run.outcome, Outcome::CheckFailed { check: same, .. } if same == check), "{}", context());
    }
    assert!(Globals::of(program, &mut machine) == Globals::of(program, &mut derived_machine), "{}", context());
    counts.handed_over += calls.len() as u64;
}
