//! Facts about the states at some locations, proved or not: for whoever has inferred some and wants to know.
//!
//! The facts become checks, all at once, and the program is decided as a unit is. What a counterexample refutes is dropped; facts
//! that cannot be decided together are halved until they can, with those that are proved already among the checks, which induction
//! may then use.

use super::decide::{DecideOptions, decide, part};
use super::formula::{Formulas, Shape};
use super::language::{pattern, value_of};
use super::tuning::TUNING;
use crate::answer::{Answer, Violation};
use crate::budget::Budget;
use crate::facts::{Quantity, part_value};
use plumb_contract::{Asserted, Conditions, asserted};
use plumb_exec::{CompileOptions, Image, Limits, ListInputs, Machine, Outcome};
use plumb_infer::{Fact, Point, Sort};
use plumb_ir::analysis::Analyses;
use plumb_ir::program::{FuncId, Loc};
use plumb_ir::ty::Ty;
use plumb_sym::{StatePart, sort_of};
use plumb_term::{Assignment, Evaluator, TermId, Terms};
use std::sync::Arc;
use std::time::Instant;

/// Facts about the states at a location, over the variables of a point. A variable that is kept in no part of the state has no parts.
pub struct Located {
    pub func: FuncId,
    pub at: Loc,
    pub point: Point,
    /// By variable, and by element of an array.
    pub parts: Vec<Vec<(StatePart, Ty)>>,
    pub facts: Vec<Fact>,
}

/// Which facts hold whenever a run of the program is at their location, by place and fact.
pub fn proved(analyses: &Analyses, places: &[Located], budget: &Budget) -> Vec<Vec<bool>> {
    let budget = if budget.deadline.is_some() { budget.clone() } else { part(budget, TUNING.invariants_slice) };
    let mut settler = Settler { analyses, budget, places: Vec::new(), conditions: Vec::new(), kept: Vec::new() };
    let mut new = Vec::new();
    for (place, located) in places.iter().enumerate() {
        let (conditions, terms) = formulas(analyses, located);
        settler.places.push(conditions);
        let is_open = |(_, term): &(usize, &Option<TermId>)| term.is_some();
        new.extend(terms.iter().enumerate().filter(is_open).map(|(fact, _)| (place, fact)));
        settler.conditions.push(terms);
    }
    settler.settle(new);
    let is_kept = |place: usize, fact: usize| settler.kept.contains(&(place, fact));
    let of_place = |(place, one): (usize, &Located)| (0..one.facts.len()).map(|fact| is_kept(place, fact)).collect();
    places.iter().enumerate().map(of_place).collect()
}

/// The facts as formulas over the parts of states; `None` for those that have none.
fn formulas(analyses: &Analyses, located: &Located) -> (Conditions, Vec<Option<TermId>>) {
    let target = &analyses.program().target;
    let (mut terms, mut symbols, mut shapes) = (Terms::new(), Vec::new(), Vec::new());
    for (variable, parts) in located.point.variables.iter().zip(&located.parts) {
        let mut patterns = Vec::new();
        for (part, ty) in parts {
            let symbol = terms.fresh_symbol(&variable.name, sort_of(*ty, target));
            symbols.push((symbol, *part, *ty));
            patterns.push(pattern(&mut terms, symbol));
        }
        shapes.push(match (variable.sort, &patterns[..]) {
            (Sort::Scalar(_), [pattern]) => Shape::Scalar(*pattern),
            _ => Shape::Array(patterns),
        });
    }
    let has_parts = |fact: &Fact| fact.variables().iter().all(|var| !located.parts[var.0 as usize].is_empty());
    let formulas = Formulas { point: &located.point, shapes: &shapes };
    let list = located.facts.iter().map(|fact| has_parts(fact).then(|| formulas.fact(&mut terms, fact)).flatten());
    let list = list.collect();
    (Conditions { func: located.func, at: located.at, terms, symbols, list: Vec::new() }, list)
}

/// The number of a place, and of a fact there.
type Claim = (usize, usize);

struct Settler<'a> {
    analyses: &'a Analyses,
    budget: Budget,
    /// Without conditions.
    places: Vec<Conditions>,
    conditions: Vec<Vec<Option<TermId>>>,
    /// What is proved, together.
    kept: Vec<Claim>,
}

enum Attempt {
    Proved,
    /// These do not hold.
    Refuted(Vec<Claim>),
    Undecided,
}

impl Settler<'_> {
    fn settle(&mut self, mut new: Vec<Claim>) {
        while !new.is_empty() && !self.budget.is_over() {
            match self.attempt(&new) {
                Attempt::Proved => {
                    self.kept.append(&mut new);
                }
                Attempt::Refuted(list) => new.retain(|claim| !list.contains(claim)),
                Attempt::Undecided if new.len() == 1 => return,
                Attempt::Undecided => {
                    let rest = new.split_off(new.len() / 2);
                    self.settle(new);
                    return self.settle(rest);
                }
            }
        }
    }

    fn attempt(&self, new: &[Claim]) -> Attempt {
        let _span = tracing::info_span!("invariant proof").entered();
        // Places without conditions are not looked at.
        let mut numbers = Vec::new();
        let mut places = Vec::new();
        for (place, conditions) in self.places.iter().enumerate() {
            let here: Vec<Claim> = self.kept.iter().chain(new).copied().filter(|claim| claim.0 == place).collect();
            if !here.is_empty() {
                let list = here.iter().filter_map(|claim| self.conditions[claim.0][claim.1]).collect();
                places.push(Conditions { list, ..conditions.clone() });
                numbers.push(here);
            }
        }
        let Ok(asserted) = asserted(self.analyses.program(), &places) else { return Attempt::Undecided };
        let left = self.budget.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let slice = left.map_or(TUNING.proof_slice, |left| TUNING.proof_slice.min(left / TUNING.proof_share));
        let in_derived = Analyses::new(&asserted.program);
        match decide(&in_derived, DecideOptions::default(), &part(&self.budget, slice)) {
            Answer::Holds(..) => Attempt::Proved,
            Answer::Violated(violation) => match refuted(&asserted, &places, &numbers, &violation) {
                list if list.iter().any(|claim| new.contains(claim)) => Attempt::Refuted(list),
                _ => Attempt::Undecided,
            },
            Answer::Unknown(_) => Attempt::Undecided,
        }
    }
}

/// The facts of a place that do not hold in the state in which a run breaks one of them.
fn refuted(asserted: &Asserted, places: &[Conditions], numbers: &[Vec<Claim>], violation: &Violation) -> Vec<Claim> {
    let Some(place) = asserted.checks.iter().position(|list| list.contains(&violation.check)) else {
        return Vec::new();
    };
    let Ok(image) = Image::compile(&asserted.program, &CompileOptions::default()) else { return Vec::new() };
    let mut machine = Machine::new(Arc::new(image));
    let mut inputs = ListInputs::new(violation.inputs.iter().map(|(_, value)| value.clone()));
    match machine.run(&mut inputs, Limits::steps(TUNING.run_steps)) {
        Outcome::CheckFailed { check, .. } if check == violation.check => {}
        _ => return Vec::new(),
    }
    let Conditions { terms, symbols, list, .. } = &places[place];
    let mut assignment = Assignment::new();
    for (symbol, part, ty) in symbols {
        let width = ty.bits(&asserted.program.target);
        let bits = part_value(&mut machine, Quantity { part: *part, width });
        if let Some(id) = terms.as_symbol(*symbol) {
            assignment.set(id, value_of(terms.sort(*symbol), bits));
        }
    }
    let mut evaluator = Evaluator::new(&assignment);
    let is_broken = |(at, condition): (usize, &TermId)| {
        let is_it = asserted.checks[place][at] == violation.check;
        (is_it || !evaluator.holds(terms, *condition)).then(|| numbers[place][at])
    };
    list.iter().enumerate().filter_map(is_broken).collect()
}
