//! From gates to clauses: each gate that a query needs gets a variable and its definition once, for the life of the solver.
//!
//! Definitions go both ways (Tseitin), because later queries may need the other direction and because CaDiCaL finds gates
//! only in full definitions. Conjunctions swallow conjunctions that nobody else uses, and an exclusive-or one other
//! exclusive-or: fewer variables, and the clauses of a full adder's sum, which make factoring 1.7 times faster.

use crate::aig::{Aig, Gate, GateId, Lit};
use crate::sat::{Sat, SatLit};

/// A conjunction does not grow beyond this.
const WIDEST_CONJUNCTION: usize = 32;

#[derive(Default)]
pub struct Cnf {
    /// By gate.
    variables: Vec<Option<SatLit>>,
    truth: Option<SatLit>,
    /// Work list and buffers, kept for their memory.
    stack: Vec<GateId>,
    clause: Vec<SatLit>,
    operands: Vec<Lit>,
}

impl Cnf {
    pub fn new() -> Cnf {
        Cnf::default()
    }

    /// The SAT literal of a gate literal that has one.
    pub fn existing(&self, lit: Lit) -> Option<SatLit> {
        let variable = self.variables.get(lit.gate().index()).copied().flatten()?;
        Some(variable.negate_if(lit.is_complement()))
    }

    /// The SAT literal of a gate literal, defined together with everything below it. Gives up when `stop` says so.
    pub fn literal(&mut self, aig: &Aig, sat: &mut Sat, lit: Lit, stop: &mut dyn FnMut() -> bool) -> Option<SatLit> {
        if self.variables.len() < aig.len() {
            self.variables.resize(aig.len(), None);
        }
        if let Some(value) = lit.as_constant() {
            let truth = *self.truth.get_or_insert_with(|| {
                let truth = sat.new_variable();
                sat.add(&[truth]);
                truth
            });
            return Some(truth.negate_if(!value));
        }
        let mut rounds = 0u32;
        let mut operands = std::mem::take(&mut self.operands);
        self.stack.push(lit.gate());
        while let Some(&gate) = self.stack.last() {
            if self.variables[gate.index()].is_some() {
                self.stack.pop();
                continue;
            }
            rounds += 1;
            if rounds.is_multiple_of(1 << 12) && stop() {
                self.stack.clear();
                self.operands = operands;
                return None;
            }
            let is_conjunction = self.gather(aig, gate, &mut operands);
            let waiting = self.stack.len();
            for operand in &operands {
                if self.variables[operand.gate().index()].is_none() {
                    self.stack.push(operand.gate());
                }
            }
            if self.stack.len() == waiting {
                self.stack.pop();
                self.define(aig, sat, gate, &operands, is_conjunction);
            }
        }
        self.operands = operands;
        self.existing(lit)
    }

    /// The operands that the definition of a gate mentions; tells whether they are those of a conjunction.
    fn gather(&self, aig: &Aig, gate: GateId, operands: &mut Vec<Lit>) -> bool {
        operands.clear();
        let hidden = |lit: Lit| self.variables[lit.gate().index()].is_none() && aig.is_used_once(lit.gate());
        match aig.gate(gate) {
            Gate::False | Gate::Input => false,
            Gate::And(a, b) => {
                operands.extend([a, b]);
                let mut at = 0;
                while at < operands.len() {
                    match aig.gate(operands[at].gate()) {
                        Gate::And(p, q)
                            if !operands[at].is_complement()
                                && operands.len() < WIDEST_CONJUNCTION
                                && hidden(operands[at]) =>
                        {
                            operands[at] = p;
                            operands.push(q);
                        }
                        _ => at += 1,
                    }
                }
                true
            }
            Gate::Xor(a, b) => {
                let parts = |lit: Lit| match aig.gate(lit.gate()) {
                    Gate::Xor(p, q) if hidden(lit) => Some([p, q]),
                    _ => None,
                };
                if let Some([p, q]) = parts(a) {
                    operands.extend([p, q, b]);
                } else if let Some([p, q]) = parts(b) {
                    operands.extend([a, p, q]);
                } else {
                    operands.extend([a, b]);
                }
                false
            }
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => {
                operands.extend([a, b, c]);
                false
            }
        }
    }

    fn define(&mut self, aig: &Aig, sat: &mut Sat, gate: GateId, operands: &[Lit], is_conjunction: bool) {
        let n = sat.new_variable();
        self.variables[gate.index()] = Some(n);
        let variables = &self.variables;
        let lit = |at: usize| {
            let operand: Lit = operands[at];
            // The operands were defined before.
            variables[operand.gate().index()].unwrap_or(n).negate_if(operand.is_complement())
        };
        if is_conjunction {
            self.clause.clear();
            self.clause.push(n);
            for at in 0..operands.len() {
                sat.add(&[!n, lit(at)]);
                self.clause.push(!lit(at));
            }
            sat.add(&self.clause);
            return;
        }
        match aig.gate(gate) {
            Gate::False | Gate::Input | Gate::And(..) => {}
            Gate::Xor(..) if operands.len() == 2 => {
                let (a, b) = (lit(0), lit(1));
                sat.add(&[!n, a, b]);
                sat.add(&[!n, !a, !b]);
                sat.add(&[n, !a, b]);
                sat.add(&[n, a, !b]);
            }
            Gate::Xor(..) => {
                let (a, b, c) = (lit(0), lit(1), lit(2));
                for signs in 0..8u32 {
                    let [x, y, z] = [signs & 1 != 0, signs & 2 != 0, signs & 4 != 0];
                    let odd = x ^ y ^ z;
                    // Excludes a = x, b = y, c = z, n != x ^ y ^ z.
                    sat.add(&[n.negate_if(!odd), a.negate_if(x), b.negate_if(y), c.negate_if(z)]);
                }
            }
            Gate::Mux(..) => {
                let (c, t, e) = (lit(0), lit(1), lit(2));
                sat.add(&[!c, !t, n]);
                sat.add(&[!c, t, !n]);
                sat.add(&[c, !e, n]);
                sat.add(&[c, e, !n]);
                // Implied, but not found by propagation.
                sat.add(&[!t, !e, n]);
                sat.add(&[t, e, !n]);
            }
            Gate::Majority(..) => {
                let (a, b, c) = (lit(0), lit(1), lit(2));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    sat.add(&[!x, !y, n]);
                    sat.add(&[x, y, !n]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aig::simulate::Simulation;
    use crate::limits::Limits;
    use crate::random::Random;
    use crate::sat::Found;

    /// A gate may be true exactly if its truth table says so, whatever was encoded before.
    #[test]
    fn clauses_mean_what_the_gates_mean() {
        let mut random = Random::new(7);
        for _ in 0..60 {
            let (mut aig, mut cnf, mut sat) = (Aig::new(), Cnf::new(), Sat::new());
            let mut lits = aig.inputs(6);
            for _ in 0..60 {
                let mut pick = || lits[random.below(lits.len() as u64) as usize].negate_if(random.below(2) == 0);
                let [a, b, c] = [pick(), pick(), pick()];
                let lit = match random.below(4) {
                    0 => aig.and(a, b),
                    1 => aig.xor(a, b),
                    2 => aig.mux(a, b, c),
                    _ => aig.majority(a, b, c),
                };
                lits.push(lit);
            }
            let simulation = Simulation::run(&aig, |id| {
                let input = id.index() - 1;
                (0..64).filter(|row| row >> input & 1 == 1).fold(0u64, |word, row| word | 1 << row)
            });
            for _ in 0..30 {
                let lit = lits[random.below(lits.len() as u64) as usize].negate_if(random.below(2) == 0);
                let wanted = cnf.literal(&aig, &mut sat, lit, &mut || false).unwrap();
                let found = sat.solve(&[wanted], &Limits::default());
                let possible = simulation.value(lit) != 0;
                assert_eq!(found, if possible { Found::Model } else { Found::Refutation });
            }
        }
    }
}
