//! Answers without the solver are those that enumerating all values gives.

use super::*;
use crate::test_program::{budget, program};
use plumb_ir::program::Program;
use plumb_solve::random::Random;

pub const WIDTH: u32 = 3;

pub fn empty() -> Program {
    program("int main(void) { return 0; }")
}

pub fn new_feasibility() -> Feasibility {
    Feasibility::new(&budget(), &FeasibilityTuning::DEFAULT)
}

/// Some symbols of three bits.
pub fn symbols(sym: &mut Sym, count: usize) -> Vec<TermId> {
    (0..count).map(|i| sym.terms.symbol(&format!("x{i}"), Sort::Bv(WIDTH))).collect()
}

fn equals(sym: &mut Sym, term: TermId, value: u128) -> TermId {
    let value = sym.terms.bv(WIDTH, value);
    sym.terms.eq(term, value)
}

/// A condition about one or two of the symbols.
pub fn condition(sym: &mut Sym, symbols: &[TermId], random: &mut Random) -> TermId {
    let mut operand = |sym: &mut Sym| {
        let symbol = symbols[random.below(symbols.len() as u64) as usize];
        let constant = sym.terms.bv(WIDTH, random.below(8) as u128);
        match random.below(5) {
            0 => constant,
            1 => sym.terms.bv_add(symbol, constant),
            2 => sym.terms.bv_mul(symbol, constant),
            _ => symbol,
        }
    };
    let (a, b) = (operand(sym), operand(sym));
    let compared = match random.below(4) {
        0 => sym.terms.eq(a, b),
        1 => sym.terms.bv_ult(a, b),
        2 => sym.terms.bv_sle(a, b),
        _ => sym.terms.ne(a, b),
    };
    if random.below(3) == 0 { sym.terms.not(compared) } else { compared }
}

/// Whether values of the symbols satisfy all conditions.
fn is_satisfiable(sym: &Sym, symbols: &[TermId], conditions: &[TermId]) -> bool {
    (0..8u128.pow(symbols.len() as u32)).any(|number| {
        let mut values = Assignment::new();
        for (i, symbol) in symbols.iter().enumerate() {
            let Some(symbol) = sym.terms.as_symbol(*symbol) else { continue };
            values.set(symbol, Value::Bv(BitVec::new(WIDTH, number >> (3 * i) & 7)));
        }
        holds(sym, &values, conditions)
    })
}

#[test]
fn answers_are_those_of_enumeration() {
    let program = empty();
    let (mut yes, mut no) = (0, 0);
    for seed in 0..60 {
        let (mut sym, mut random) = (Sym::new(&program), Random::new(seed));
        let symbols = symbols(&mut sym, 3);
        let mut feasibility = new_feasibility();
        // Paths share a prefix with others, as those of an exploration do: answers are found again.
        for _ in 0..6 {
            let mut path: Vec<TermId> = Vec::new();
            // Without a model, or with one.
            let mut model = (random.below(4) != 0).then(|| Arc::new(Assignment::new()));
            for _ in 0..6 {
                let new = condition(&mut sym, &symbols, &mut random);
                let all: Vec<TermId> = path.iter().copied().chain([new]).collect();
                let is_feasible = is_satisfiable(&sym, &symbols, &all);
                match feasibility.extend(&mut sym, &path, &[new], model.as_ref()) {
                    Infeasible => {
                        assert!(!is_feasible, "seed {seed}: a path is lost");
                        no += 1;
                    }
                    Feasible(found) => {
                        assert!(is_feasible, "seed {seed}: an infeasible path");
                        assert!(found.as_ref().is_none_or(|found| holds(&sym, found, &all)), "seed {seed}: the model");
                        (path, model) = (all, found);
                        yes += 1;
                    }
                }
            }
        }
    }
    assert!(yes > 500 && no > 200, "{yes} feasible, {no} infeasible");
}

#[test]
fn a_model_that_still_holds_is_kept() {
    let program = empty();
    let mut sym = Sym::new(&program);
    let x = symbols(&mut sym, 1)[0];
    let zero = equals(&mut sym, x, 0);
    let values = Arc::new(Assignment::new());
    let mut feasibility = new_feasibility();
    let Feasible(Some(found)) = feasibility.extend(&mut sym, &[], &[zero], Some(&values)) else { panic!() };
    assert!(Arc::ptr_eq(&found, &values));
    assert!(feasibility.solver.model().is_none(), "the solver was not asked");
}

/// Symbols that only an axiom relates are in one query.
#[test]
fn axioms_make_symbols_dependent() {
    let program = empty();
    let mut sym = Sym::new(&program);
    let list = symbols(&mut sym, 3);
    let [x, y, z] = list[..] else { panic!() };
    let axiom = sym.terms.eq(x, y);
    sym.axioms.push(axiom);
    let (three, five) = (equals(&mut sym, x, 3), equals(&mut sym, y, 5));
    let free = equals(&mut sym, z, 5);
    let mut feasibility = new_feasibility();
    assert_eq!(feasibility.dependent(&sym, &[three, free], &[five]), [five, three]);
    assert_eq!(feasibility.solver.check(&mut sym, &[three, five], None), Outcome::Unsat);
    assert_eq!(feasibility.solver.check(&mut sym, &[three, free], None), Outcome::Sat);
}

#[test]
fn groups_are_what_conditions_relate() {
    let program = empty();
    let mut sym = Sym::new(&program);
    let list = symbols(&mut sym, 4);
    let terms: Vec<TermId> = list.iter().map(|symbol| equals(&mut sym, *symbol, 1)).collect();
    let relation = sym.terms.bv_ult(list[0], list[2]);
    let mut feasibility = new_feasibility();
    let mut groups = feasibility.groups(&sym, &[relation], &terms);
    groups.sort_by_key(|group| group.members.clone());
    let members: Vec<&[usize]> = groups.iter().map(|group| &group.members[..]).collect();
    assert_eq!(members, [&[0, 2][..], &[1], &[3]]);
    assert_eq!(groups[0].conditions, [relation]);
    assert!(groups[1].conditions.is_empty() && groups[2].conditions.is_empty());
}
