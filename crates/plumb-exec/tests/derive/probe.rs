//! A probe that is given the inputs of a call returns what the call returned.

use crate::signature::{calls, signatures};
use plumb_exec::{CompileOptions, FnInputs, Image, InputValue, Limits, Machine, Outcome, RegionFill, Settling};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::probe::probe;
use plumb_ir::input::InputId;
use plumb_ir::program::{FuncId, Program};
use plumb_ir::ty::Bits;
use plumb_ir::verify::verify;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Default, Debug)]
pub struct Counts {
    pub probes: u64,
    pub calls: u64,
}

/// Calls of a function in one run that are tried.
const CALLS: usize = 20;

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let signatures = signatures(&Analyses::new(program));
    let mut tried: HashMap<FuncId, usize> = HashMap::new();
    for (callee, values, result) in calls(program, &signatures, seed) {
        let tries = tried.entry(callee).or_default();
        *tries += 1;
        if *tries > CALLS {
            continue;
        }
        let probe = probe(program, &signatures[&callee]).expect("the signature is the function's");
        counts.probes += u64::from(*tries == 1);
        assert_eq!(verify(&probe.derived.program), Vec::<String>::new());
        let image = Image::compile(&probe.derived.program, &CompileOptions::default()).expect("it can be compiled");
        let mut machine = Machine::new(Arc::new(image));
        machine.set_settling(Settling::AsInputs);
        // What was not there, or not asked for, does not matter.
        let given: HashMap<InputId, Bits> =
            probe.inputs.iter().copied().zip(values.iter().map(|value| value.unwrap_or(Bits::ZERO))).collect();
        let of_program = probe.derived.program.inputs.clone();
        let mut inputs = FnInputs(|id| {
            let scalar = InputValue::Scalar(given.get(&id).copied().unwrap_or(Bits::ZERO));
            Some(if of_program[id].ty.is_some() { scalar } else { InputValue::Region(RegionFill::Zero) })
        });
        let outcome = machine.run(&mut inputs, Limits::steps(1_000_000));
        let (func, loc) = probe.returned;
        let name = &program.function(callee).name;
        assert_eq!(outcome, Outcome::Stopped { func, loc }, "seed {seed}: {name} with {values:?}");
        assert_eq!(
            probe.result.and_then(|result| machine.local(result)),
            Some(result),
            "seed {seed}: {name} with {values:?}"
        );
        counts.calls += 1;
    }
}
