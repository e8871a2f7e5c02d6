//! What a call changes is in its mod set: global registers, bytes of static objects, bytes of the caller's objects.

use crate::run::{self, run_observed};
use plumb_exec::{Machine, SeedInputs, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::modref::Effects;
use plumb_ir::analysis::pointsto::Object;
use plumb_ir::index::TiVec;
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
    registers: TiVec<GlobalVar, Bits>,
    statics: TiVec<GlobalObj, Vec<u8>>,
    locals: TiVec<LocalObj, Option<Vec<u8>>>,
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
    let registers = program.vars.keys().map(|var| machine.global(var)).collect();
    let mut statics = TiVec::new();
    for object in program.objects.keys() {
        let place = machine.image().addresses().object(object);
        statics.push(bytes(machine, place.base, place.size));
    }
    let mut locals = TiVec::new();
    for object in program.function(func).objects.keys() {
        let place = machine.local_object(object);
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
        for ((var, old), new) in before.registers.iter_enumerated().zip(&after.registers) {
            if old != new {
                counts.changes += 1;
                assert!(writes.registers.contains(&var), "seed {seed}: {} in {name} {at:?}", program.var(var).name);
            }
        }
        for ((object, old), new) in before.statics.iter_enumerated().zip(&after.statics) {
            if old != new {
                counts.changes += 1;
                let is_known = writes.objects.contains(Object::Global(object));
                assert!(is_known, "seed {seed}: {} in {name} {at:?}", program.object(object).name);
            }
        }
        for ((local, old), new) in before.locals.iter_enumerated().zip(&after.locals) {
            if old != new {
                counts.changes += 1;
                let object = Object::Local(at.0, local);
                assert!(writes.objects.contains(object), "seed {seed}: local {} of {name} {at:?}", local.0);
            }
        }
    });
}
