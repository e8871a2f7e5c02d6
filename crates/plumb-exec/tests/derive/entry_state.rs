//! A program whose entry is called in an arbitrary state can start in the initial one, and does the same then.

use crate::globals::Globals;
use crate::run::{self, is_cut_off, run_observed};
use plumb_exec::{FnInputs, InputValue, Machine, RegionFill, SeedInputs};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::Derived;
use plumb_ir::derive::unit::entry_state;
use plumb_ir::input::InputId;
use plumb_ir::program::{GlobalVar, HavocPlace, Op, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use plumb_ir::verify::verify;
use std::collections::HashMap;

#[derive(Default, Debug)]
pub struct Counts {
    pub same: u64,
    /// Globals that were given their initial values.
    pub chosen: u64,
}

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let derived = entry_state(&Analyses::new(program));
    assert_eq!(verify(&derived.program), Vec::<String>::new());
    let Some(choices) = initial_choices(program, &derived) else { return };
    for round in 0..3 {
        compare(program, &derived, &choices, seed * 4 + round, counts);
    }
}

/// A run of the original is one of the derived program's.
fn compare(
    program: &Program,
    derived: &Derived,
    choices: &HashMap<InputId, InputValue>,
    seed: u64,
    counts: &mut Counts,
) {
    let original = run::run(program, &mut SeedInputs::new(seed));
    if is_cut_off(&original.outcome) {
        return;
    }
    counts.chosen += choices.len() as u64;
    // The made-up inputs from a table, and the others in order.
    let mut rest = original.values().into_iter();
    let mut source = FnInputs(|id| {
        choices.get(&id).cloned().or_else(|| {
            let (next, value) = rest.next()?;
            assert_eq!(next, id, "another input is asked for");
            Some(value)
        })
    });
    let mut machine = Machine::new(run::image(&derived.program));
    let run = run_observed(&mut machine, &mut source, run::STEPS * 2, &mut |_, _| {});
    let home = run.path.iter().filter_map(|&(func, edge)| derived.provenance.edge(func, edge).original());
    assert_eq!(home.collect::<Vec<_>>(), original.path, "seed {seed}: {:?}, {:?}", run.outcome, original.outcome);
    assert!(rest.next().is_none());
    counts.same += 1;
}

/// What the made-up inputs are to be for the initial state; `None` where a pointer that is not null would be one of them.
fn initial_choices(program: &Program, derived: &Derived) -> Option<HashMap<InputId, InputValue>> {
    let initial = Globals::of(program, &mut Machine::new(run::image(program)));
    let start = derived.program.function(derived.program.start);
    let mut choices = HashMap::new();
    for id in start.edge_ids() {
        let Op::Havoc { to, input } = start.edge(id).op else { continue };
        if derived.provenance.input(input).original().is_some() {
            continue;
        }
        let value = match to {
            HavocPlace::Var(VarRef::Global(var)) => InputValue::Scalar(initial.registers[var]),
            // No pointer that cannot be built, and null where there is a choice of one.
            HavocPlace::Var(VarRef::Local(_)) => InputValue::Scalar(Bits::ZERO),
            HavocPlace::Region { addr, .. } => {
                let object = start.exprs.kind(addr);
                let plumb_ir::expr::ExprKind::Addr(plumb_ir::program::ObjRef::Global(global)) = object else {
                    panic!("not a global: {object:?}")
                };
                InputValue::Region(RegionFill::Bytes(initial.objects[global].clone()))
            }
            HavocPlace::Objects { .. } => panic!("no such input is made"),
        };
        choices.insert(input, value);
    }
    let is_assigned = |var: GlobalVar| {
        let is_it = |op: &Op| op.written() == Some(VarRef::Global(var));
        let made = |edge: &_| derived.provenance.edge(derived.program.start, *edge).original().is_none();
        start.edge_ids().filter(made).any(|id| is_it(&start.edge(id).op))
    };
    let lost = program.vars.iter_enumerated().filter(|(var, info)| info.ty == Ty::Ptr && is_assigned(*var));
    lost.map(|(var, _)| initial.registers[var]).all(|value| value.is_zero()).then_some(choices)
}
