//! Values of all gates on sixty-four input patterns at a time.

use super::{Aig, Gate, GateId, Lit};

pub struct Simulation {
    values: Vec<u64>,
}

impl Simulation {
    /// Asks for a word of patterns per input, in the order of their creation.
    pub fn run(aig: &Aig, mut input: impl FnMut(GateId) -> u64) -> Simulation {
        let mut simulation = Simulation { values: Vec::with_capacity(aig.len()) };
        for index in 0..aig.len() {
            let id = GateId(index as u32);
            let word = match aig.gate(id) {
                Gate::False => 0,
                Gate::Input => input(id),
                Gate::And(a, b) => simulation.value(a) & simulation.value(b),
                Gate::Xor(a, b) => simulation.value(a) ^ simulation.value(b),
                Gate::Mux(c, t, e) => {
                    let (c, t, e) = (simulation.value(c), simulation.value(t), simulation.value(e));
                    c & t | !c & e
                }
                Gate::Majority(a, b, c) => {
                    let (a, b, c) = (simulation.value(a), simulation.value(b), simulation.value(c));
                    a & b | c & (a | b)
                }
            };
            simulation.values.push(word);
        }
        simulation
    }

    pub fn value(&self, lit: Lit) -> u64 {
        let word = self.values[lit.gate().index()];
        if lit.is_complement() { !word } else { word }
    }
}
