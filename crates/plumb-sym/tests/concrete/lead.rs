//! Whether a model leads along its path: random ways through a program are taken symbolically, a solver finds inputs for them, and
//! the concrete machine is given these. It must pass the same places in the same order.

use plumb_exec::{CompileOptions, FnInputs, Image, InputSource, Limits, Machine, Outcome, Settling, StopSet};
use plumb_ir::program::{FuncId, Loc, Program};
use plumb_solve::{BitSolver, Limits as SolverLimits, Outcome as Found, Solver};
use plumb_sym::{EventLog, Next, Sym, inputs_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Debug, PartialEq, Eq)]
pub enum Led {
    /// So many decisions were the path's.
    Along(usize),
    /// No inputs take this path, or none were found in time.
    Nowhere,
    /// The path asks where objects lie, or is beyond the symbolic side.
    Beyond,
    Astray(String),
}

/// Places that are told apart: where decisions are made and where they lead to.
fn places(program: &Program) -> BTreeMap<(FuncId, Loc), u32> {
    let mut found = BTreeSet::new();
    for func in program.function_ids() {
        let function = program.function(func);
        for loc in function.locs() {
            let targets: Vec<Loc> = function.out_edges(loc).map(|e| function.edge(e).to).collect();
            if targets.len() > 1 {
                found.insert((func, loc));
                found.extend(targets.into_iter().map(|to| (func, to)));
            }
        }
    }
    found.into_iter().zip(0..).collect()
}

/// Takes a random way of at most so many steps, and lets a model of it lead the machine.
pub fn lead(program: &Program, mut random: impl FnMut(usize) -> usize, steps: usize) -> Led {
    let places = places(program);
    let mut sym = Sym::new(program);
    let mut state = sym.start();
    let mut log = EventLog::default();
    let mut passed = Vec::new();
    let mut note = |func: FuncId, loc: Loc| passed.extend(places.get(&(func, loc)));
    note(state.func(), state.loc);
    for _ in 0..steps {
        let step = sym.step(&mut state);
        log.append(step.log);
        match step.next {
            Next::Ended => break,
            Next::Moved => {}
            Next::Split(mut ways) => {
                if ways.is_empty() {
                    break;
                }
                state = ways.swap_remove(random(ways.len()));
            }
        }
        note(state.func(), state.loc);
    }
    // The last places may be those of a run that faults, or fails an assumption, on its way there.
    let mut solver = BitSolver::new();
    solver.set_limits(SolverLimits { conflicts: Some(5_000), ..SolverLimits::default() });
    let sound = sym.terms.not(state.fault);
    let gaps = log.gaps;
    let gap = sym.terms.or_all(gaps);
    let known = sym.terms.not(gap);
    sym.feed_axioms(&mut 0, |terms, axiom| solver.assert(terms, axiom));
    let path = state.path.term();
    match solver.check(&mut sym.terms, &[path, sound, known]) {
        Found::Sat => {}
        Found::Unsat | Found::Unknown(_) => return Led::Nowhere,
    }
    if sym.objects.iter().any(|object| object.base.is_some()) {
        return Led::Beyond;
    }
    let Some(model) = solver.model() else { return Led::Nowhere };
    let mut list = inputs_of(&sym, &log.inputs, model).into_iter();
    let inputs = FnInputs(move |id| list.next().filter(|(next, _)| *next == id).map(|(_, value)| value));
    follow(program, &places, inputs, &passed, steps as u64)
}

fn follow(
    program: &Program,
    places: &BTreeMap<(FuncId, Loc), u32>,
    mut inputs: impl InputSource,
    passed: &[u32],
    steps: u64,
) -> Led {
    let probes = places.keys().copied().collect();
    let image = match Image::compile(program, &CompileOptions { probes, ..CompileOptions::default() }) {
        Ok(image) => Arc::new(image),
        Err(error) => return Led::Astray(error.to_string()),
    };
    let stops = StopSet::all(&image);
    let mut machine = Machine::new(image);
    machine.set_settling(Settling::AsInputs);
    for (i, expected) in passed.iter().enumerate() {
        match machine.run_until(&mut inputs, Limits::steps(100 * steps), &stops) {
            Outcome::Probe(id) if id.0 == *expected => {}
            outcome => {
                let name = |at: u32| {
                    places.iter().find(|(_, id)| **id == at).map(|((func, loc), _)| {
                        let function = program.function(*func);
                        let span = function.out_edges(*loc).next().map(|e| function.edge(e).span);
                        let place = span.and_then(|span| program.sources.place(span));
                        format!("{} {loc:?} {}", function.name, place.map(|p| p.to_string()).unwrap_or_default())
                    })
                };
                let got = match outcome {
                    Outcome::Probe(id) => name(id.0).unwrap_or_default(),
                    other => other.describe(program),
                };
                let wanted = name(*expected).unwrap_or_default();
                return Led::Astray(format!("decision {i} of {}: wanted {wanted}, got {got}", passed.len()));
            }
        }
    }
    Led::Along(passed.len())
}
