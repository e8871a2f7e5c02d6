//! Facts about the calls of one function, proved or not: for whoever has inferred some and wants to know.

use super::decide::DecideOptions;
pub use super::language::Place;
use super::language::{Clause, Language, Pair};
use super::prove::Prover;
use crate::budget::Budget;
use plumb_infer::{Fact, Point};
use plumb_ir::analysis::Analyses;
use plumb_ir::program::FuncId;
use plumb_term::TermId;

/// Which of some facts hold of every call of the function that returns, from any state, proved together. The facts are about a
/// point with values before a call, after it, and the result; a variable whose values have no place in contracts has none.
pub fn proved(
    analyses: &Analyses,
    func: FuncId,
    (point, places): (&Point, &[Vec<Place>]),
    facts: &[Fact],
    budget: &Budget,
) -> Vec<bool> {
    let mut language = Language::new(analyses.program(), func, point.clone(), places);
    let clauses: Vec<Option<Clause>> = facts.iter().map(|fact| language.clause(fact)).collect();
    let mut ensures: Vec<Clause> = clauses.iter().flatten().copied().collect();
    ensures.dedup();
    let pairs = vec![Pair { requires: TermId::bool(true), ensures }];
    let prover = Prover::new(analyses, DecideOptions::default(), budget);
    let kept = match prover.prove(&mut language, pairs, &[], &[], &mut |_| Vec::new()) {
        Some((pairs, _)) => pairs.into_iter().flat_map(|pair| pair.ensures).collect(),
        None => Vec::new(),
    };
    clauses.iter().map(|clause| clause.is_some_and(|clause| kept.contains(&clause))).collect()
}
