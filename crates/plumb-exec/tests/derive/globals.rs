//! States as far as they are the same in a program and in what is derived from it.

use plumb_exec::Machine;
use plumb_ir::program::{GlobalObj, GlobalVar, Program};
use plumb_ir::ty::Bits;

/// The global registers and the static objects of a state.
#[derive(PartialEq, Eq)]
pub struct Globals {
    pub registers: Vec<Bits>,
    pub objects: Vec<Vec<u8>>,
}

impl Globals {
    pub fn of(program: &Program, machine: &mut Machine) -> Globals {
        let registers = (0..program.vars.len() as u32).map(|i| machine.global(GlobalVar(i))).collect();
        let mut objects = Vec::new();
        for i in 0..program.objects.len() as u32 {
            let place = machine.image().addresses().object(GlobalObj(i));
            let mut bytes = vec![0; place.size as usize];
            machine.read_memory(place.base, &mut bytes).expect("static objects can be read");
            objects.push(bytes);
        }
        Globals { registers, objects }
    }

    /// The registers and objects that have other values in another state.
    pub fn differing(&self, other: &Globals) -> (Vec<GlobalVar>, Vec<GlobalObj>) {
        let registers = (0..).map(GlobalVar).zip(self.registers.iter().zip(&other.registers));
        let objects = (0..).map(GlobalObj).zip(self.objects.iter().zip(&other.objects));
        let registers = registers.filter(|(_, (a, b))| a != b).map(|(var, _)| var);
        let objects = objects.filter(|(_, (a, b))| a != b).map(|(object, _)| object);
        (registers.collect(), objects.collect())
    }

    /// Puts a machine's globals into this state.
    pub fn put(&self, program: &Program, machine: &mut Machine) {
        for (i, value) in self.registers.iter().enumerate() {
            machine.set_global(GlobalVar(i as u32), *value);
        }
        for (i, bytes) in self.objects.iter().enumerate() {
            let object = GlobalObj(i as u32);
            if !program.object(object).read_only {
                let place = machine.image().addresses().object(object);
                machine.write_memory(place.base, bytes).expect("static objects can be written");
            }
        }
    }
}
