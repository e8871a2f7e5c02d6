//! Targets: what a proof has to exclude on every path. A check that fails, a fault, a gap of the memory model, or a doubt.

use super::verdict::Verdict;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::target_distance::{Distance, Metric};
use plumb_ir::check::CheckId;
use plumb_sym::{Assumed, EventLog, State, Sym};
use plumb_term::{BinaryOp, Kind, TermId, Terms};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    Check(CheckId),
    Fault(Assumed),
    Gap,
    Doubt,
}

impl Target {
    /// When a step meets it.
    pub fn condition(self, log: &EventLog, sym: &mut Sym) -> TermId {
        let list: Vec<TermId> = match self {
            Target::Check(check) => log.obligations.iter().filter(|o| o.check == check).map(|o| o.broken).collect(),
            Target::Fault(assumed) => {
                log.faults.iter().filter(|fault| Assumed::of(fault) == assumed).map(|fault| fault.when).collect()
            }
            Target::Gap => log.gaps.clone(),
            Target::Doubt => log.doubts.clone(),
        };
        sym.terms.or_all(list)
    }
}

/// The targets that a step may have met and that matter for the verdict, each with its condition.
pub fn targets_of_step(log: &EventLog, verdict: &Verdict) -> Vec<(Target, TermId)> {
    let mut targets: Vec<(Target, TermId)> =
        log.obligations.iter().map(|o| (Target::Check(o.check), o.broken)).collect();
    // Once there can be no proof, only violations are of interest.
    if verdict.can_prove() {
        // What is assumed already need not be excluded.
        let faults = log.faults.iter().filter(|fault| !verdict.assumes(&Assumed::of(fault)));
        targets.extend(faults.map(|fault| (Target::Fault(Assumed::of(fault)), fault.when)));
        targets.extend(log.gaps.iter().map(|gap| (Target::Gap, *gap)));
        targets.extend(log.doubts.iter().map(|doubt| (Target::Doubt, *doubt)));
    }
    targets
}

/// What a condition says beyond the path condition that it begins with.
pub fn without_path(terms: &Terms, condition: TermId, path: TermId) -> TermId {
    match terms.kind(condition) {
        Kind::Binary(BinaryOp::And, a, b) if a == path => b,
        Kind::Binary(BinaryOp::And, a, b) if b == path => a,
        _ => condition,
    }
}

/// How far a state is from an error location, given its call stack.
pub fn distance_to_error(analyses: &Analyses, metric: Metric, state: &State) -> Distance {
    let (graph, distances) = (analyses.flow_graph(), analyses.target_distances(metric));
    let calls = state.call_stack().into_iter().map(|(caller, return_loc)| graph.loc(caller, return_loc));
    distances.distance(graph.loc(state.func(), state.loc), distances.context(calls))
}
