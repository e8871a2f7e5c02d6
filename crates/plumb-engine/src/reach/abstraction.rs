//! What abstract states are computed with, and what refinement has found for them: the parts that lazy abstraction and
//! block-abstraction memoisation share.

use super::domain::{Domain, Product, Queries};
use super::domains::interval::IntervalDomain;
use super::domains::predicate::PredicateDomain;
use super::domains::value::ValueDomain;
use super::graph::Entry;
use super::tracking::Tracking;
use super::tuning::Tuning;
use crate::board::Board;
use crate::budget::Budget;
use crate::predicates::exchange::Exchange;
use crate::predicates::feasibility::Feasibility;
use crate::predicates::precision::PrecisionFunction;
use crate::predicates::refinement::Refiner;
use crate::predicates::valuations::Valuations;
use crate::predicates::vocabulary::Vocabulary;
use plumb_ir::analysis::Analyses;
use plumb_solve::Outcome;
use plumb_sym::Sym;
use plumb_term::TermId;
use rustc_hash::FxHashSet;

/// Bounds of registers, values of some variables, and predicates.
pub type Combined<'a> = Product<IntervalDomain<'a>, Product<ValueDomain, PredicateDomain>>;

/// An abstract state of all domains.
pub type Element = <Combined<'static> as Domain>::Element;

pub struct Abstraction<'a> {
    pub sym: Sym<'a>,
    pub domain: Combined<'a>,
    pub feasibility: Feasibility,
    pub valuations: Valuations,
    pub vocabulary: Vocabulary,
    /// Questions whether something is possible, without those of the domains.
    pub queries: u64,
}

impl<'a> Abstraction<'a> {
    pub fn new(analyses: &'a Analyses, tuning: &Tuning, budget: &Budget) -> Abstraction<'a> {
        let values = ValueDomain::new(&tuning.values);
        let predicates = PredicateDomain::new(tuning.predicates.is_cartesian);
        let intervals = IntervalDomain::new(analyses, tuning.abstraction.max_shared_invariants);
        Abstraction {
            sym: Sym::new(analyses.program()),
            domain: Product(intervals, Product(values, predicates)),
            feasibility: Feasibility::new(budget, &tuning.feasibility),
            valuations: Valuations::new(&tuning.abstraction),
            vocabulary: Vocabulary::new(tuning.abstraction.max_scalars),
            queries: 0,
        }
    }

    pub fn parts(&mut self) -> (&mut Combined<'a>, Queries<'_, 'a>) {
        let Abstraction { sym, domain, feasibility, valuations, vocabulary, .. } = self;
        (domain, Queries { sym, feasibility, valuations, vocabulary })
    }

    /// The states of an entry that are in one of several abstract states, as conditions: what all of them have in common, and
    /// that one of them holds.
    pub fn region(&mut self, entry: &Entry, elements: &[Element]) -> Vec<TermId> {
        let (domain, mut queries) = self.parts();
        let mut cubes: Vec<Vec<TermId>> =
            elements.iter().map(|element| domain.condition(&mut queries, entry, element)).collect();
        let first: Vec<TermId> = cubes.first().cloned().unwrap_or_default();
        let mut common: Vec<TermId> = Vec::new();
        for literal in first {
            if cubes.iter().all(|cube| cube.contains(&literal)) && !common.contains(&literal) {
                common.push(literal);
            }
        }
        for cube in &mut cubes {
            cube.retain(|literal| !common.contains(literal));
        }
        let cubes: Vec<TermId> = cubes.into_iter().map(|cube| queries.sym.terms.and_all(cube)).collect();
        common.push(queries.sym.terms.or_all(cubes));
        common.retain(|literal| *literal != TermId::bool(true));
        common
    }

    pub fn check(&mut self, conditions: &[TermId]) -> Outcome {
        self.queries += 1;
        self.feasibility.solver.check(&mut self.sym, conditions, None)
    }
}

/// What refinement has found so far.
pub struct Precisions<'a> {
    pub precision: PrecisionFunction,
    pub exchange: Exchange<'a>,
    pub refiner: Refiner<'a>,
    pub tracking: Tracking,
}

impl<'a> Precisions<'a> {
    /// Those of an engine.
    pub fn new(
        engine: &'static str,
        analyses: &'a Analyses,
        tuning: &Tuning,
        budget: &'a Budget,
        board: &'a Board,
    ) -> Precisions<'a> {
        Precisions {
            precision: PrecisionFunction::new(0),
            exchange: Exchange::new(engine, board, tuning.abstraction.max_shared_invariants),
            refiner: Refiner::new(analyses, (&tuning.refinement, &tuning.feasibility), budget, board),
            tracking: Tracking::default(),
        }
    }
}

/// The merge operator, applied to the abstract states that one transfer gives.
pub fn merged<D: Domain>(domain: &D, found: Vec<D::Element>) -> Vec<D::Element> {
    let mut all: Vec<D::Element> = Vec::with_capacity(found.len());
    let mut exact: FxHashSet<D::Element> = FxHashSet::default();
    for element in found {
        if !exact.insert(element.clone()) {
            continue;
        }
        match all.iter_mut().find_map(|one| Some((domain.merge(one, &element)?, one))) {
            Some((both, one)) => *one = both,
            None => all.push(element),
        }
    }
    all
}
