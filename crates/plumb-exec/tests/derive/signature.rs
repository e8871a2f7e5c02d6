//! Two calls that return, with equal inputs by the function's signature, return equal results.

use crate::run::{self, run_observed};
use plumb_exec::{InputValue, Machine, SeedInputs, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::{Signature, Source, signature};
use plumb_ir::program::{Callee, FuncId, LocalVar, Op, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use std::collections::HashMap;

#[derive(Default, Debug)]
pub struct Counts {
    pub signatures: u64,
    pub calls: u64,
    /// Calls whose inputs were those of a call before.
    pub compared: u64,
    /// Inputs by kind: parameters, globals, objects, pointees, from outside.
    pub inputs: [u64; 5],
}

/// A value of an input: `None` where it is not there, or was not asked for.
pub type Values = Vec<Option<Bits>>;

/// A call in progress, or one that has returned.
struct Call {
    callee: FuncId,
    /// The values of inputs, without those from outside, if they could be seen.
    values: Option<Values>,
    /// Events of the run before the call, and before its end.
    begin: usize,
    end: usize,
    result: Option<Bits>,
    is_inside: bool,
}

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let signatures = signatures(&Analyses::new(program));
    for found in signatures.values() {
        counts.signatures += 1;
        for input in &found.inputs {
            let kind = match input.source {
                Source::Parameter(_) => 0,
                Source::Global(_) => 1,
                Source::Object(..) => 2,
                Source::Pointee(..) => 3,
                Source::External(_) | Source::Stream(_) => 4,
            };
            counts.inputs[kind] += 1;
        }
    }
    let mut results: HashMap<(FuncId, Values), Bits> = HashMap::new();
    for round in 0..6 {
        for (callee, values, result) in calls(program, &signatures, seed * 100 + round) {
            counts.calls += 1;
            let name = program.function(callee).name.clone();
            if let Some(before) = results.insert((callee, values.clone()), result) {
                counts.compared += 1;
                assert_eq!(before, result, "seed {seed}: {name} with {values:?}, {:?}", signatures[&callee].inputs);
            }
        }
    }
}

/// Of all functions that have one, without those that take streams.
pub fn signatures(analyses: &Analyses) -> HashMap<FuncId, Signature> {
    let functions = analyses.program().function_ids();
    functions.filter_map(|func| Some((func, signature(analyses, func).ok().filter(Signature::is_finite)?))).collect()
}

/// The calls of a run that return, with inputs and result.
pub fn calls(program: &Program, signatures: &HashMap<FuncId, Signature>, seed: u64) -> Vec<(FuncId, Values, Bits)> {
    let mut open: Vec<Call> = Vec::new();
    let mut closed: Vec<Call> = Vec::new();
    let mut machine = Machine::new(run::image(program));
    let run = run_observed(&mut machine, &mut SeedInputs::new(seed), run::STEPS, &mut |event, step| {
        let function = program.function(event.func);
        let op = &function.edge(event.edge).op;
        // The first edge of a callee has run, or the call that it makes begins: nothing that is visible has changed.
        if let Some(call) = open.last_mut().filter(|call| !call.is_inside && call.callee == event.func) {
            call.is_inside = true;
            let is_param = |var: VarRef| matches!(var, VarRef::Local(LocalVar(i)) if i < function.param_count);
            let keeps_params = !op.written().is_some_and(is_param);
            call.values = keeps_params.then(|| values(program, event.machine, &signatures[&call.callee]));
        }
        let Op::Call { callee, to, .. } = op else { return };
        let callee = match callee {
            Callee::Direct(callee) => *callee,
            Callee::Indirect(_) | Callee::Intrinsic(_) => return,
        };
        if !signatures.contains_key(&callee) {
            return;
        }
        match event.phase {
            TracePhase::Call => {
                open.push(Call { callee, values: None, begin: step, end: 0, result: None, is_inside: false })
            }
            TracePhase::Done => {
                let Some(mut call) = open.pop() else { panic!("a call ends that did not begin") };
                assert_eq!(call.callee, callee);
                call.end = step;
                call.result = to.and_then(|to| match to {
                    VarRef::Local(var) => event.machine.local(var),
                    VarRef::Global(var) => Some(event.machine.global(var)),
                });
                closed.push(call);
            }
        }
    });
    let mut list = Vec::new();
    for call in closed {
        let (Some(mut values), Some(result)) = (call.values, call.result) else { continue };
        for (input, value) in signatures[&call.callee].inputs.iter().zip(&mut values) {
            let Source::External(id) = input.source else { continue };
            let given = run.inputs.iter().filter(|g| g.id == id && (call.begin..=call.end).contains(&g.step));
            let given: Vec<&InputValue> = given.map(|given| &given.value).collect();
            assert!(given.len() <= 1, "seed {seed}: {} asks twice", program.function(call.callee).name);
            if let Some(InputValue::Scalar(bits)) = given.first() {
                *value = Some(*bits);
            }
        }
        list.push((call.callee, values, result));
    }
    list
}

/// The values of the inputs that are there before anything is asked for.
fn values(program: &Program, machine: &mut Machine, signature: &Signature) -> Values {
    let value = |input: &plumb_ir::analysis::signature::Scalar| match input.source {
        Source::Parameter(var) => machine.local(var),
        Source::Global(var) => Some(machine.global(var)),
        Source::Object(object, offset) => {
            let base = machine.image().addresses().object(object).base;
            load(program, machine, base + offset, input.ty.ty)
        }
        Source::Pointee(var, offset) => {
            let base = machine.local(var)?.u64();
            load(program, machine, base.wrapping_add(offset), input.ty.ty)
        }
        Source::External(_) | Source::Stream(_) => None,
    };
    signature.inputs.iter().map(value).collect()
}

fn load(program: &Program, machine: &mut Machine, addr: u64, ty: Ty) -> Option<Bits> {
    let mut bytes = [0; 16];
    let size = ty.bytes(&program.target) as usize;
    machine.read_memory(addr, &mut bytes[..size]).ok()?;
    Some(Bits::new(u128::from_le_bytes(bytes), size as u32 * 8))
}
