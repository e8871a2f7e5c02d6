//! Questions about the formulas of a summary, asked of the solver.

use super::language::{Clause, Language, Pair, pattern};
use super::tuning::TUNING;
use crate::budget::Budget;
use plumb_exec::Rng;
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_term::{TermId, Terms, Value};

/// The pairs without clauses that the others of their pair imply. Long clauses go first.
pub fn without_implied(language: &mut Language, pairs: &[Pair], budget: &Budget) -> Vec<Pair> {
    let mut list = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let mut ensures = pair.ensures.clone();
        let size = |language: &mut Language, clause: &Clause| {
            plumb_term::cone(language.terms(), &[clause.when, clause.then]).len()
        };
        let mut order: Vec<(usize, Clause)> = ensures.iter().map(|c| (size(language, c), *c)).collect();
        order.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
        for (_, clause) in order {
            if budget.is_over() {
                break;
            }
            let terms = language.terms();
            let mut conditions = vec![pair.requires, clause.when];
            conditions.extend(ensures.iter().filter(|other| **other != clause).map(|c| terms.implies(c.when, c.then)));
            conditions.push(terms.not(clause.then));
            if is_unsatisfiable(terms, &conditions, budget) {
                ensures.retain(|other| *other != clause);
            }
        }
        list.push(Pair { ensures, ..pair.clone() });
    }
    list
}

/// Whether every entry state of a pair belongs to one of two others, and none to both.
pub fn is_division(terms: &mut Terms, parent: TermId, first: TermId, second: TermId, budget: &Budget) -> bool {
    let (not_first, not_second) = (terms.not(first), terms.not(second));
    let (outside, not_parent) = (terms.and(not_first, not_second), terms.not(parent));
    let union = terms.or(first, second);
    is_unsatisfiable(terms, &[first, second], budget)
        && is_unsatisfiable(terms, &[parent, outside], budget)
        && is_unsatisfiable(terms, &[union, not_parent], budget)
}

/// Whether no entry state belongs to two pairs and every one to some.
#[cfg(test)]
pub fn is_partition(language: &mut Language, pairs: &[Pair], budget: &Budget) -> bool {
    let requires: Vec<TermId> = pairs.iter().map(|pair| pair.requires).collect();
    let terms = language.terms();
    let mut outside = Vec::new();
    for (at, first) in requires.iter().enumerate() {
        if requires[..at].iter().any(|second| !is_unsatisfiable(terms, &[*first, *second], budget)) {
            return false;
        }
        outside.push(terms.not(*first));
    }
    is_unsatisfiable(terms, &outside, budget)
}

/// Entry states that satisfy a condition, at most so many: each is a model in which some bits of some values, chosen by chance,
/// are what chance says, as far as the condition allows.
pub fn entry_states(
    language: &mut Language,
    count: usize,
    condition: TermId,
    rng: &mut Rng,
    budget: &Budget,
) -> Vec<Vec<u64>> {
    let symbols: Vec<TermId> = language.symbols()[..count].iter().map(|symbol| symbol.term).collect();
    let terms = language.terms();
    let patterns: Vec<TermId> = symbols.iter().map(|symbol| pattern(terms, *symbol)).collect();
    let mut solver = BitSolver::new();
    solver.set_limits(limits(budget));
    solver.assert(terms, condition);
    let mut found = Vec::new();
    while found.len() < TUNING.diverse_inputs {
        let mut wishes: Vec<TermId> = Vec::new();
        for pattern in &patterns {
            for _ in 0..TUNING.wished_bits {
                let bit = rng.below(terms.width(*pattern) as u64) as u32;
                let (is_set, bit) = (terms.bv(1, rng.below(2) as u128), terms.extract(*pattern, bit, bit));
                wishes.push(terms.eq(bit, is_set));
            }
        }
        // Wishes that cannot be met together are fewer the next time.
        while solver.check(terms, &wishes) != Outcome::Sat {
            if wishes.is_empty() || budget.is_over() {
                return found;
            }
            wishes.truncate(wishes.len() / 2);
        }
        let value = |pattern: &TermId| match solver.value(terms, *pattern)? {
            Value::Bv(bits) => bits.to_u64(),
            _ => None,
        };
        let values: Option<Vec<u64>> = patterns.iter().map(value).collect();
        let Some(values) = values else { return found };
        let differs = patterns.iter().zip(&values).map(|(pattern, value)| {
            let value = terms.bv(terms.width(*pattern), *value as u128);
            terms.ne(*pattern, value)
        });
        let differs: Vec<TermId> = differs.collect();
        let differs = terms.or_all(differs);
        solver.assert(terms, differs);
        found.push(values);
    }
    found
}

/// Whether conditions cannot hold together. What the solver does not decide may.
fn is_unsatisfiable(terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> bool {
    let mut solver = BitSolver::new();
    solver.set_limits(limits(budget));
    solver.check(terms, conditions) == Outcome::Unsat
}

fn limits(budget: &Budget) -> Limits {
    Limits { conflicts: Some(TUNING.conflicts), deadline: budget.deadline, cancel: Some(budget.cancel.flag()) }
}
