//! A summary that is given as its choices what the body did leaves the rest of the run as it was.

use crate::globals::Globals;
use crate::run::{self, Listed, is_cut_off, run_observed};
use plumb_exec::{InputValue, Machine, Outcome, RegionFill, SeedInputs, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::Runs;
use plumb_ir::derive::replace_body::{Body, arbitrary_body, replace_body};
use plumb_ir::expr::ExprKind;
use plumb_ir::input::InputId;
use plumb_ir::program::{Callee, EdgeId, FuncId, HavocPlace, ObjRef, Op, Program, VarRef};
use plumb_ir::ty::Bits;
use plumb_ir::verify::verify;
use std::ops::Range;

#[derive(Default, Debug)]
pub struct Counts {
    pub replaced: u64,
    pub calls: u64,
    pub checks_broken: u64,
}

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let analyses = Analyses::new(program);
    let graph = analyses.resolved_calls();
    for func in graph.reachable(program.start) {
        let is_direct = |&(caller, edge): &(FuncId, EdgeId)| {
            matches!(program.function(caller).edge(edge).op, Op::Call { callee: Callee::Direct(_), .. })
        };
        if func == program.start || !graph.callers(func).iter().all(is_direct) {
            continue;
        }
        if let Some(body) = arbitrary_body(&analyses, func) {
            replaced(program, func, body, seed, counts);
        }
    }
}

/// The choices of a summary: what its registers and objects hold behind the call, and the result.
fn choices(program: &Program, body: &Body, machine: &mut Machine, to: Option<VarRef>) -> Vec<(InputId, InputValue)> {
    let havocs = body.function.edges.iter().filter_map(|edge| match edge.op {
        Op::Havoc { to, input } => Some((edge.from, to, input)),
        _ => None,
    });
    // The edges are a chain, but not in the order of their locations.
    let mut havocs: Vec<_> = havocs.collect();
    havocs.sort_by_key(|(_, _, input)| *input);
    let values = havocs.into_iter().map(|(_, place, input)| {
        let value = match place {
            HavocPlace::Var(VarRef::Global(var)) => InputValue::Scalar(machine.global(var)),
            HavocPlace::Var(VarRef::Local(_)) => InputValue::Scalar(match to {
                Some(VarRef::Global(var)) => machine.global(var),
                Some(VarRef::Local(var)) => machine.local(var).expect("the caller runs"),
                None => Bits::ZERO,
            }),
            HavocPlace::Region { addr, .. } => {
                let ExprKind::Addr(ObjRef::Global(object)) = body.function.exprs.kind(addr) else {
                    panic!("a summary changes globals")
                };
                let place = machine.image().addresses().object(object);
                let mut bytes = vec![0; program.object(object).size as usize];
                machine.read_memory(place.base, &mut bytes).expect("static objects can be read");
                InputValue::Region(RegionFill::Bytes(bytes))
            }
            HavocPlace::Objects { .. } => panic!("a summary names objects"),
        };
        (input, value)
    });
    values.collect()
}

/// A call of the function from outside: the steps inside, and what the summary chooses instead.
struct Replaced {
    steps: Range<usize>,
    choices: Vec<(InputId, InputValue)>,
}

fn replaced(program: &Program, func: FuncId, body: Body, seed: u64, counts: &mut Counts) {
    let derived = replace_body(program, func, body.clone(), Runs::More).expect("the body fits");
    assert_eq!(verify(&derived.program), Vec::<String>::new());
    let mut calls: Vec<Replaced> = Vec::new();
    let mut depth = 0;
    let mut begun = 0;
    let mut machine = Machine::new(run::image(program));
    let original = run_observed(&mut machine, &mut SeedInputs::new(seed), run::STEPS, &mut |event, step| {
        let Op::Call { to, callee: Callee::Direct(callee), .. } = &program.function(event.func).edge(event.edge).op
        else {
            return;
        };
        if *callee != func {
            return;
        }
        match event.phase {
            TracePhase::Call => {
                begun = if depth == 0 { step + 1 } else { begun };
                depth += 1;
            }
            TracePhase::Done => {
                depth -= 1;
                if depth == 0 {
                    let choices = choices(program, &body, event.machine, *to);
                    calls.push(Replaced { steps: begun..step, choices });
                }
            }
        }
    });
    if calls.is_empty() || depth > 0 || is_cut_off(&original.outcome) {
        return;
    }
    let is_inside = |step: usize| calls.iter().any(|call| call.steps.contains(&step));
    let outside = original.path.iter().enumerate().filter(|(step, _)| !is_inside(*step));
    let expected: Vec<_> = outside.map(|(_, edge)| *edge).collect();
    let mut inputs: Vec<(usize, (InputId, InputValue))> = Vec::new();
    for given in original.inputs.iter().filter(|given| !is_inside(given.step)) {
        inputs.push((given.step, (given.id, given.value.clone())));
    }
    for call in &calls {
        inputs.extend(call.choices.iter().map(|choice| (call.steps.start, choice.clone())));
    }
    inputs.sort_by_key(|(step, _)| *step);
    let mut listed = Listed::new(inputs.into_iter().map(|(_, input)| input).collect());
    let mut derived_machine = Machine::new(run::image(&derived.program));
    let run = run_observed(&mut derived_machine, &mut listed, run::STEPS, &mut |_, _| {});
    let home = run.path.iter().filter_map(|&(f, e)| derived.provenance.edge(f, e).original());
    let home: Vec<_> = home.collect();
    let name = &program.function(func).name;
    let context = || format!("seed {seed}, {name}: {:?}, {:?}, {:?}", run.outcome, original.outcome, listed.astray);
    assert_eq!(home, expected, "{}", context());
    let is_same = Globals::of(program, &mut machine) == Globals::of(program, &mut derived_machine);
    assert!(is_same, "other globals: {}", context());
    if let Outcome::CheckFailed { check, .. } = original.outcome {
        let Outcome::CheckFailed { check: broken, .. } = run.outcome else { panic!("{}", context()) };
        assert_eq!(derived.provenance.check(broken).original(), Some(check));
        counts.checks_broken += 1;
    }
    counts.replaced += 1;
    counts.calls += calls.len() as u64;
}
