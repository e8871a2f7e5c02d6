//! A run whose calls of a function keep a contract is one of the program that has the contract for the function's body; at a call that
//! breaks it the run of that program ends.

use crate::formula;
use crate::globals::Globals;
use crate::observed::{Observed, begin, end};
use crate::run::{self, Listed, Run, is_cut_off, run_observed};
use crate::unit::speaks_of_pointees;
use plumb_contract::{Contract, summarised};
use plumb_exec::{InputValue, Machine, Outcome, RegionFill, Rng, SeedInputs, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::replace_body::written_places;
use plumb_ir::expr::ExprKind;
use plumb_ir::input::InputId;
use plumb_ir::program::{Callee, EdgeId, FuncId, Function, HavocPlace, ObjRef, Op, Program, VarRef};
use plumb_ir::ty::Bits;
use plumb_ir::verify::verify;
use std::ops::Range;

#[derive(Default, Debug)]
pub struct Counts {
    /// Runs that are the same, and the calls in them.
    pub same: u64,
    pub calls: u64,
    /// Runs that end at a call that breaks the contract.
    pub excluded: u64,
    /// Runs with contracts about what pointers to objects of callers point to.
    pub behind: u64,
}

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let analyses = Analyses::new(program);
    let graph = analyses.resolved_calls();
    let mut rng = Rng(seed);
    for func in graph.reachable(program.start) {
        let is_direct = |&(caller, edge): &(FuncId, EdgeId)| {
            matches!(program.function(caller).edge(edge).op, Op::Call { callee: Callee::Direct(_), .. })
        };
        let is_own = func == program.start || Some(func) == program.entry;
        if is_own || !graph.callers(func).iter().all(is_direct) {
            continue;
        }
        for _ in 0..2 {
            if let Some(contract) = formula::contract(&analyses, func, &mut rng) {
                replaced(&analyses, &contract, seed, counts);
            }
        }
    }
}

/// A call from outside: the steps inside, what was seen, and what the contract's body chooses to do the same.
struct Call {
    steps: Range<usize>,
    observed: Observed,
    choices: Vec<(InputId, InputValue)>,
}

/// The choices of a body: what registers and objects hold behind the call, and the result.
fn choices(body: &Function, observed: &Observed) -> Vec<(InputId, InputValue)> {
    let havocs = body.edges.iter().filter_map(|edge| match edge.op {
        Op::Havoc { to, input } => Some((input, to)),
        _ => None,
    });
    let mut havocs: Vec<_> = havocs.collect();
    havocs.sort_by_key(|(input, _)| *input);
    let value = |to: HavocPlace| match to {
        HavocPlace::Var(VarRef::Global(var)) => InputValue::Scalar(observed.after.registers[var]),
        HavocPlace::Var(VarRef::Local(_)) => InputValue::Scalar(observed.result.unwrap_or(Bits::ZERO)),
        HavocPlace::Region { addr, .. } => {
            let ExprKind::Addr(ObjRef::Global(object)) = body.exprs.kind(addr) else {
                panic!("a contract names objects")
            };
            InputValue::Region(RegionFill::Bytes(observed.after.objects[object].clone()))
        }
        HavocPlace::Objects { addr, .. } => {
            let ExprKind::Var(VarRef::Local(parameter)) = body.exprs.kind(addr) else {
                panic!("a contract names objects by parameters")
            };
            let behind = observed.behind[parameter.0 as usize].as_ref();
            InputValue::Region(RegionFill::Bytes(behind.map(|behind| behind.after.clone()).unwrap_or_default()))
        }
    };
    havocs.into_iter().map(|(input, to)| (input, value(to))).collect()
}

/// A run of the original with the calls of a function that come from outside, if none is cut off.
fn calls_of(program: &Program, func: FuncId, body: &Function, seed: u64) -> Option<(Run, Globals, Vec<Call>)> {
    let mut calls: Vec<Call> = Vec::new();
    let (mut depth, mut begun) = (0, None);
    let mut machine = Machine::new(run::image(program));
    let run = run_observed(&mut machine, &mut SeedInputs::new(seed), run::STEPS, &mut |event, step| {
        let Some((at, to)) = run::direct_call(program, &event, func) else { return };
        match event.phase {
            TracePhase::Call => {
                if depth == 0 {
                    begun = Some((step + 1, begin(program, event.machine, at)));
                }
                depth += 1;
            }
            TracePhase::Done => {
                depth -= 1;
                if let Some((first, begun)) = begun.take_if(|_| depth == 0) {
                    let observed = end(program, event.machine, begun, to);
                    let choices = choices(body, &observed);
                    calls.push(Call { steps: first..step, observed, choices });
                }
            }
        }
    });
    let globals = Globals::of(program, &mut machine);
    (!calls.is_empty() && depth == 0 && !is_cut_off(&run.outcome)).then_some((run, globals, calls))
}

fn replaced(analyses: &Analyses, contract: &Contract, seed: u64, counts: &mut Counts) {
    let program = analyses.program();
    let func = contract.func;
    let Ok(made) = summarised(analyses, std::slice::from_ref(contract)) else { return };
    let derived = made.derived;
    assert_eq!(verify(&derived.program), Vec::<String>::new());
    let Some((original, globals, calls)) = calls_of(program, func, derived.program.function(func), seed) else {
        return;
    };
    let broken: Result<Vec<Option<usize>>, ()> = calls.iter().map(|call| call.observed.broken_case(contract)).collect();
    // What is called with the value of an expression was not seen.
    let Ok(broken) = broken else { return };
    // Nor was an object that such an argument points to.
    let writes = written_places(analyses, func).expect("it has a contract").pointees;
    if calls.iter().any(|call| writes.iter().any(|p| call.observed.behind[p.0 as usize].is_none())) {
        return;
    }
    counts.behind += u64::from(speaks_of_pointees(contract));
    let is_inside = |step: usize| calls.iter().any(|call| call.steps.contains(&step));
    let mut inputs: Vec<(usize, (InputId, InputValue))> = Vec::new();
    for given in original.inputs.iter().filter(|given| !is_inside(given.step)) {
        inputs.push((given.step, (given.id, given.value.clone())));
    }
    for call in &calls {
        inputs.extend(call.choices.iter().map(|choice| (call.steps.start, choice.clone())));
    }
    inputs.sort_by_key(|(step, _)| *step);
    let mut listed = Listed::new(inputs.into_iter().map(|(_, input)| input).collect());
    let mut machine = Machine::new(run::image(&derived.program));
    let run = run_observed(&mut machine, &mut listed, run::STEPS, &mut |_, _| {});
    let home = run.path.iter().filter_map(|&(f, e)| derived.provenance.edge(f, e).original());
    let home: Vec<_> = home.collect();
    let first_broken = broken.iter().position(|case| case.is_some());
    let end = first_broken.map_or(usize::MAX, |call| calls[call].steps.start);
    let outside = original.path.iter().enumerate().filter(|(step, _)| !is_inside(*step) && *step < end);
    let expected: Vec<_> = outside.map(|(_, edge)| *edge).collect();
    let name = &program.function(func).name;
    let context = || format!("seed {seed}, {name}: {:?}, {:?}, {:?}", run.outcome, original.outcome, listed.astray);
    assert_eq!(home, expected, "{}", context());
    match first_broken {
        Some(_) => {
            assert!(matches!(run.outcome, Outcome::AssumptionFailed { .. }), "{}", context());
            counts.excluded += 1;
        }
        None => {
            assert!(globals == Globals::of(program, &mut machine), "other globals: {}", context());
            counts.same += 1;
            counts.calls += calls.len() as u64;
        }
    }
}
