//! What a call changes is in its mod set: global registers, bytes of static objects, bytes of the caller's objects.

use crate::run::{self, run_observed};
use plumb_exec::{Machine, SeedInputs, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::modref::Effects;
use plumb_ir::analysis::pointsto::Object;
use plumb_ir::program::{Callee, EdgeId, FuncId, GlobalObj, GlobalVar, LocalObj, Op, Program};
use plumb_ir::ty::Bits;
use std::collections::HashMap;

#[derive(Default, Debug)]
pub struct Counts {
    pub calls: u64,
    pub changes: u64,
    /// Calls whose mod set is all of memory.
    pub any: u64,
}

#[derive(PartialEq)]
struct Snapshot {
    registers: Vec<Bits>,
    statics: Vec<Vec<u8>>,
    locals: Vec<Option<Vec<u8>>>,
}

fn snapshot(program: &Program, machine: &mut Machine, func: FuncId) -> Snapshot {
    let bytes = |machine: &mut Machine, base: u64, size: u64| {
        let mut bytes = vec![0; size as usize];
        // Bytes that were never written cannot be read.
        for (i, byte) in bytes.iter_mut().enumerate() {
            let mut one = [0];
            if machine.read_memory(base + i as u64, &mut one).is_ok() {
                *byte = one[0];
            }
        }
        bytes
    };
    let registers = (0..program.vars.len()).map(|i| machine.global(GlobalVar(i as u32))).collect();
    let mut statics = Vec::new();
    for i in 0..program.objects.len() as u32 {
        let place = machine.image().addresses().object(GlobalObj(i));
        statics.push(bytes(machine, place.base, place.size));
    }
    let mut locals = Vec::new();
    for i in 0..program.function(func).objects.len() as u32 {
        let place = machine.local_object(LocalObj(i));
        locals.push(place.map(|o| bytes(machine, o.base, o.size)));
    }
    Snapshot { registers, statics, locals }
}

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let analyses = Analyses::new(program);
    let mut effects: HashMap<(FuncId, EdgeId), Effects> = HashMap::new();
    let mut open: Vec<((FuncId, EdgeId), Snapshot)> = Vec::new();
    let mut machine = Machine::new(run::image(program));
    let mut seen = 0;
    run_observed(&mut machine, &mut SeedInputs::new(seed), run::STEPS, &mut |event, _| {
        let at = (event.func, event.edge);
        let Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. } = &program.function(at.0).edge(at.1).op
        else {
            return;
        };
        if event.phase == TracePhase::Call {
            open.push((at, snapshot(program, event.machine, at.0)));
            return;
        }
        let Some((call, before)) = open.pop() else { panic!("a call ends that did not begin") };
        assert_eq!(call, at);
        seen += 1;
        if seen > 400 {
            return;
        }
        let after = snapshot(program, event.machine, at.0);
        let writes = &effects.entry(at).or_insert_with(|| analyses.edge_effects(at.0, at.1)).writes;
        counts.calls += 1;
        counts.any += (writes.objects == plumb_ir::analysis::modref::Objects::Any) as u64;
        let name = &program.function(at.0).name;
        for (i, (old, new)) in before.registers.iter().zip(&after.registers).enumerate() {
            if old != new {
                counts.changes += 1;
                let var = GlobalVar(i as u32);
                assert!(writes.registers.contains(&var), "seed {seed}: {} in {name} {at:?}", program.var(var).name);
            }
        }
        for (i, (old, new)) in before.statics.iter().zip(&after.statics).enumerate() {
            if old != new {
                counts.changes += 1;
                let object = GlobalObj(i as u32);
                let is_known = writes.objects.contains(Object::Global(object));
                assert!(is_known, "seed {seed}: {} in {name} {at:?}", program.object(object).name);
            }
        }
        for (i, (old, new)) in before.locals.iter().zip(&after.locals).enumerate() {
            if old != new {
                counts.changes += 1;
                let object = Object::Local(at.0, LocalObj(i as u32));
                assert!(writes.objects.contains(object), "seed {seed}: local {i} of {name} {at:?}");
            }
        }
    });
}
