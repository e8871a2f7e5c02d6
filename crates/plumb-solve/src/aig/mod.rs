//! The gate graph: and-inverter graph with exclusive-or, multiplexer and majority as gates of their own.
//!
//! A literal is a gate or its complement. Gates are hash-consed: the same function of the same operands exists once, and
//! operands come before the gates that use them. Construction simplifies by constants and by looking one gate below the
//! operands (Brummayer & Biere, "Local Two-Level And-Inverter Graph Minimization without Blowup", 2006); what is ours is
//! that the rules also know the three other gates, which arithmetic is made of and which have better clauses than their
//! and-inverter forms ([`crate::cnf`]).

mod rules;
pub mod simulate;
mod table;

use std::fmt;
use std::ops::Not;
use table::Table;

/// A gate or its complement. `FALSE` and `TRUE` are the constant gate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    pub const FALSE: Lit = Lit(0);
    pub const TRUE: Lit = Lit(1);

    pub fn constant(value: bool) -> Lit {
        Lit(value as u32)
    }

    pub fn gate(self) -> GateId {
        GateId(self.0 >> 1)
    }

    pub fn is_complement(self) -> bool {
        self.0 & 1 != 0
    }

    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The value, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        self.is_constant().then_some(self == Lit::TRUE)
    }

    pub fn negate_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ negate as u32)
    }

    /// The same gate, not complemented.
    fn positive(self) -> Lit {
        Lit(self.0 & !1)
    }

    /// The literal as a number below twice the number of gates.
    pub fn code(self) -> u32 {
        self.0
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_constant() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "{}{}", if self.is_complement() { "!" } else { "" }, self.gate().0),
        }
    }
}

/// A gate by its number. Operands have smaller numbers than the gates that use them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GateId(u32);

impl GateId {
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub fn lit(self) -> Lit {
        Lit(self.0 << 1)
    }
}

/// What a gate computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    False,
    Input,
    And(Lit, Lit),
    /// Neither operand is a complement.
    Xor(Lit, Lit),
    /// `Mux(c, t, e)`: `t` where `c` holds, else `e`. Neither `c` nor `t` is a complement.
    Mux(Lit, Lit, Lit),
    /// At least two of three. At most one operand is a complement.
    Majority(Lit, Lit, Lit),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    Leaf,
    And,
    Xor,
    Mux,
    Majority,
}

/// Sixteen bytes; operands that a kind does not have are `FALSE`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    kind: Kind,
    /// How many gates use it, up to 255.
    uses: u8,
    operands: [Lit; 3],
}

pub struct Aig {
    nodes: Vec<Node>,
    table: Table,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig::new()
    }
}

impl Aig {
    pub fn new() -> Aig {
        let constant = Node { kind: Kind::Leaf, uses: 0, operands: [Lit::FALSE; 3] };
        Aig { nodes: vec![constant], table: Table::new() }
    }

    /// The number of gates, inputs and the constant included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    pub fn gate(&self, id: GateId) -> Gate {
        let node = &self.nodes[id.index()];
        let [a, b, c] = node.operands;
        match node.kind {
            Kind::Leaf if id.0 == 0 => Gate::False,
            Kind::Leaf => Gate::Input,
            Kind::And => Gate::And(a, b),
            Kind::Xor => Gate::Xor(a, b),
            Kind::Mux => Gate::Mux(a, b, c),
            Kind::Majority => Gate::Majority(a, b, c),
        }
    }

    /// Whether at most one gate uses this one.
    pub fn is_used_once(&self, id: GateId) -> bool {
        self.nodes[id.index()].uses <= 1
    }

    pub fn input(&mut self) -> Lit {
        let id = GateId(self.nodes.len() as u32);
        self.nodes.push(Node { kind: Kind::Leaf, uses: 0, operands: [Lit::FALSE; 3] });
        id.lit()
    }

    pub fn inputs(&mut self, count: usize) -> Vec<Lit> {
        (0..count).map(|_| self.input()).collect()
    }

    /// The gate with these operands, which are in the kind's normal form.
    fn make(&mut self, kind: Kind, operands: [Lit; 3]) -> Lit {
        let nodes = &self.nodes;
        let new = nodes.len() as u32;
        let same = |id: u32| {
            let node = &nodes[id as usize];
            node.kind == kind && node.operands == operands
        };
        let id = self.table.find_or_insert(table::hash(kind as u32, operands.map(Lit::code)), new, same);
        if id == new {
            for operand in operands {
                let uses = &mut self.nodes[operand.gate().index()].uses;
                *uses = uses.saturating_add(1);
            }
            self.nodes.push(Node { kind, uses: 0, operands });
        }
        GateId(id).lit()
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// Sum and carry of three bits.
    pub fn full_adder(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        (self.xor(half, c), self.majority(a, b, c))
    }

    /// The conjunction as a balanced tree.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::TRUE,
            [lit] => *lit,
            _ => {
                let (low, high) = lits.split_at(lits.len() / 2);
                let (low, high) = (self.all(low), self.all(high));
                self.and(low, high)
            }
        }
    }

    /// The disjunction as a balanced tree.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::FALSE,
            [lit] => *lit,
            _ => {
                let (low, high) = lits.split_at(lits.len() / 2);
                let (low, high) = (self.any(low), self.any(high));
                self.or(low, high)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::simulate::Simulation;
    use super::*;

    /// Builds the gate by name and by what it means.
    fn meaning(op: usize, [a, b, c]: [u64; 3]) -> u64 {
        match op {
            0 => a & b,
            1 => a ^ b,
            2 => a & b | !a & c,
            3 => a & b | a & c | b & c,
            _ => a | b,
        }
    }

    fn build(aig: &mut Aig, op: usize, [a, b, c]: [Lit; 3]) -> Lit {
        match op {
            0 => aig.and(a, b),
            1 => aig.xor(a, b),
            2 => aig.mux(a, b, c),
            3 => aig.majority(a, b, c),
            _ => aig.or(a, b),
        }
    }

    /// Random graphs over few inputs hit every rule; each literal must keep the truth table of what was asked for.
    #[test]
    fn simplification_keeps_truth_tables() {
        let mut random = crate::random::Random::new(1);
        for _ in 0..400 {
            let mut aig = Aig::new();
            let mut known = vec![(Lit::FALSE, 0u64), (Lit::TRUE, u64::MAX)];
            let mut patterns = Vec::new();
            for i in 0..5 {
                let pattern = (0..64).filter(|row| row >> i & 1 == 1).fold(0u64, |word, row| word | 1 << row);
                known.push((aig.input(), pattern));
                patterns.push(pattern);
            }
            for _ in 0..150 {
                let op = random.below(5) as usize;
                let mut pick = || {
                    // Mostly recent ones, so that graphs get deep.
                    let reach = if random.below(3) == 0 { known.len() } else { known.len().min(12) };
                    let (lit, table) = known[known.len() - 1 - random.below(reach as u64) as usize];
                    if random.below(2) == 0 { (lit, table) } else { (!lit, !table) }
                };
                let operands = [pick(), pick(), pick()];
                let lit = build(&mut aig, op, operands.map(|(lit, _)| lit));
                let expected = meaning(op, operands.map(|(_, table)| table));
                known.push((lit, expected));
            }
            let mut inputs = patterns.iter();
            let simulation = Simulation::run(&aig, |_| *inputs.next().unwrap());
            for (lit, table) in known {
                assert_eq!(simulation.value(lit), table, "{lit:?}");
            }
        }
    }

    #[test]
    fn the_same_gate_exists_once() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.input());
        assert_eq!(aig.and(a, b), aig.and(b, a));
        assert_eq!(aig.xor(!a, b), !aig.xor(b, a));
        assert_eq!(aig.majority(!a, !b, c), !aig.majority(b, a, !c));
        assert_eq!(aig.mux(!a, b, c), aig.mux(a, c, b));
        let (both, neither) = (aig.and(a, b), aig.and(!a, !b));
        assert_eq!(aig.or(both, neither), aig.iff(a, b));
        let (then, other) = (aig.and(a, b), aig.and(!a, c));
        assert_eq!(aig.or(then, other), aig.mux(a, b, c));
    }
}
