//! States as far as they are the same in a program and in what is derived from it.

use plumb_exec::Machine;
use plumb_ir::index::TiVec;
use plumb_ir::program::{GlobalObj, GlobalVar, Program};
use plumb_ir::ty::Bits;

/// The global registers and the static objects of a state.
#[derive(PartialEq, Eq)]
pub struct Globals {
    pub registers: TiVec<GlobalVar, Bits>,
    pub objects: TiVec<GlobalObj, Vec<u8>>,
}

impl Globals {
    pub fn of(program: &Program, machine: &mut Machine) -> Globals {
        let registers = program.vars.keys().map(|var| machine.global(var)).collect();
        let mut objects = TiVec::new();
        for object in program.objects.keys() {
            let place = machine.image().addresses().object(object);
            let mut bytes = vec![0; place.size as usize];
            machine.read_memory(place.base, &mut bytes).expect("static objects can be read");
            objects.push(bytes);
        }
        Globals { registers, objects }
    }

    /// The registers and objects that have other values in another state.
    pub fn differing(&self, other: &Globals) -> (Vec<GlobalVar>, Vec<GlobalObj>) {
        let registers = self.registers.iter_enumerated().zip(&other.registers);
        let objects = self.objects.iter_enumerated().zip(&other.objects);
        let registers = registers.filter(|((_, a), b)| a != b).map(|((var, _), _)| var);
        let objects = objects.filter(|((_, a), b)| a != b).map(|((object, _), _)| object);
        (registers.collect(), objects.collect())
    }

    /// Puts a machine's globals into this state.
    pub fn put(&self, program: &Program, machine: &mut Machine) {
        for (var, value) in self.registers.iter_enumerated() {
            machine.set_global(var, *value);
        }
        for (object, bytes) in self.objects.iter_enumerated() {
            if !program.object(object).read_only {
                let place = machine.image().addresses().object(object);
                machine.write_memory(place.base, bytes).expect("static objects can be written");
            }
        }
    }
}
