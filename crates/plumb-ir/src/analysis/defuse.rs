//! Definitions and uses of registers: which writes a read may see.
//!
//! Reaching definitions, forward. A register is defined by the edges that write it, by being there at the entry (a
//! parameter, or a global's value, or nothing yet), and, for globals, by every call of a function, which may or
//! may not write it. Soundness: a definition is missing from a read's list only if no path carries it there.

use crate::analysis::bits::BitSet;
use crate::analysis::dataflow::{self, Direction, Problem};
use crate::analysis::liveness::{Registers, runs_functions};
use crate::index::{TiSlice, TiVec};
use crate::program::{EdgeId, Function, Loc, VarRef};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct DefId(pub u32);

plumb_c::index_types!(DefId);

/// Where a register got its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Site {
    /// Before the function ran.
    Entry,
    /// The edge writes it.
    Edge(EdgeId),
    /// A function that the edge calls may have written it.
    Callee(EdgeId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Definition {
    pub var: VarRef,
    pub site: Site,
}

#[derive(Clone, Debug)]
pub struct DefUse {
    pub definitions: TiVec<DefId, Definition>,
    registers: Registers,
    /// By register: its definitions.
    of_register: Vec<Vec<u32>>,
    reaching: TiVec<Loc, BitSet>,
    /// By definition: the edges that may read it.
    uses: TiVec<DefId, Vec<EdgeId>>,
}

struct Equations<'a> {
    function: &'a Function,
    registers: &'a Registers,
    of_register: &'a [Vec<u32>],
    /// By edge: the definitions it makes.
    made: &'a TiSlice<EdgeId, Vec<u32>>,
    entry: &'a [u32],
    count: usize,
}

impl Problem for Equations<'_> {
    type Fact = BitSet;

    fn bottom(&self) -> BitSet {
        BitSet::new(self.count)
    }

    fn boundary(&self, _loc: Loc) -> BitSet {
        let mut fact = self.bottom();
        for &def in self.entry {
            fact.insert(def as usize);
        }
        fact
    }

    fn transfer(&self, edge: EdgeId, before: &BitSet) -> BitSet {
        let mut fact = before.clone();
        if let Some(number) = self.function.edge(edge).op.written().and_then(|var| self.registers.get(var)) {
            for &def in &self.of_register[number] {
                fact.remove(def as usize);
            }
        }
        for &def in &self.made[edge] {
            fact.insert(def as usize);
        }
        fact
    }

    fn join(&self, into: &mut BitSet, fact: &BitSet) -> bool {
        into.union(fact)
    }
}

impl DefUse {
    pub fn of(function: &Function) -> DefUse {
        let registers = Registers::of(function);
        let mut definitions: TiVec<DefId, Definition> =
            registers.list.iter().map(|&var| Definition { var, site: Site::Entry }).collect();
        let entry: Vec<u32> = (0..definitions.len() as u32).collect();
        let mut of_register: Vec<Vec<u32>> = entry.iter().map(|&d| vec![d]).collect();
        let mut made: TiVec<EdgeId, Vec<u32>> = vec![Vec::new(); function.edges.len()].into();
        for id in function.edge_ids() {
            let op = &function.edge(id).op;
            let written = op.written().and_then(|var| registers.get(var));
            let mut define = |number: usize, site| {
                let def = definitions.len() as u32;
                definitions.push(Definition { var: registers.list[number], site });
                of_register[number].push(def);
                made[id].push(def);
            };
            if let Some(number) = written {
                define(number, Site::Edge(id));
            }
            if runs_functions(op) {
                registers.globals().filter(|&g| Some(g) != written).for_each(|g| define(g, Site::Callee(id)));
            }
        }
        let equations = Equations {
            function,
            registers: &registers,
            of_register: &of_register,
            made: &made,
            entry: &entry,
            count: definitions.len(),
        };
        let reaching = dataflow::solve(function, &equations, Direction::Forward);
        let mut uses: TiVec<DefId, Vec<EdgeId>> = vec![Vec::new(); definitions.len()].into();
        for id in function.edge_ids() {
            let at = &reaching[function.edge(id).from];
            for &number in registers.reads(id) {
                for &def in of_register[number as usize].iter().filter(|&&d| at.contains(d as usize)) {
                    uses[DefId(def)].push(id);
                }
            }
        }
        DefUse { definitions, registers, of_register, reaching, uses }
    }

    pub fn get(&self, id: DefId) -> Definition {
        self.definitions[id]
    }

    /// The edges that may read what the definition wrote.
    pub fn uses(&self, id: DefId) -> &[EdgeId] {
        &self.uses[id]
    }

    /// The definitions of the register that may reach the location.
    pub fn reaching(&self, loc: Loc, var: VarRef) -> impl Iterator<Item = DefId> + '_ {
        let defs = self.registers.get(var).map_or(&[][..], |number| &self.of_register[number]);
        let at = &self.reaching[loc];
        defs.iter().filter(|&&d| at.contains(d as usize)).map(|&d| DefId(d))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::BinOp;
    use crate::program::{LocalVar, Op, Place};
    use crate::sample::{Body, I32};

    #[test]
    fn a_write_hides_earlier_ones_on_its_path_only() {
        let mut b = Body::new("f", &[("x", I32)], Some(I32));
        let x = VarRef::Local(LocalVar(0));
        let (yes, join) = (b.loc(), b.loc());
        let (vx, zero, one) = (b.get(x), b.int(0), b.int(1));
        let cond = b.binary(BinOp::Eq, vx, zero);
        b.branch(Loc(0), cond, yes, join);
        b.edge(yes, join, Op::Assign { to: Place::Var(x), value: one });
        b.ret(join, Some(vx));
        let f = b.finish();
        let chains = DefUse::of(&f);
        let at_join: Vec<Site> = chains.reaching(join, x).map(|d| chains.get(d).site).collect();
        assert_eq!(at_join.len(), 2);
        assert!(at_join.contains(&Site::Entry));
        let write = at_join.iter().position(|s| matches!(s, Site::Edge(_))).unwrap();
        let def = chains.reaching(join, x).nth(write).unwrap();
        assert_eq!(chains.uses(def).len(), 1);
    }
}
