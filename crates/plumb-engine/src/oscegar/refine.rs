//! Refinement: what a trace that no run takes teaches.
//!
//! The first time that a block is the first non-executable transition of a trace, the trace is composed away as a refinement base
//! (section VI.C of the paper), as short an end of it as is infeasible by itself. The second time traces repeat, and the variables on
//! which the block's conditions depend, and which a cut had forgotten, are tracked.

use super::composition::{Alarm, Composition, Job, Trail, Workspace};
use super::mini_os::{Executable, Trace};
use super::partition::Partition;
use super::refinement_base::RefinementBase;
use super::tuning::TUNING;
use plumb_ir::program::{FuncId, Loc};
use plumb_sym::{Next, StateCell};
use plumb_term::{BinaryOp, Kind, Sort, TermId, UnaryOp, cone};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What has been learned.
#[derive(Default)]
pub(super) struct Refinements {
    pub bases: Vec<RefinementBase>,
    pub count: u32,
    /// Blocks that were the first non-executable transition of a trace, by where all stacks are and the path through them.
    refined: FxHashSet<(Vec<(FuncId, Loc)>, Trail)>,
}

impl Refinements {
    /// Excludes a trace whose block is not executable after those before it. Whether something was learned.
    pub fn exclude(
        &mut self,
        job: &Job,
        work: &mut Workspace,
        composition: &Composition,
        trace: &Trace,
        block: usize,
        alarm: Option<&Alarm>,
    ) -> bool {
        self.count += 1;
        let (node, trail) = &trace.blocks[block];
        let key = (composition.node(*node).state.pending_locations(), trail.clone());
        let is_new = self.refined.insert(key);
        // The alarm's own block ends in no state.
        let is_alarms = alarm.is_some() && block + 1 == trace.blocks.len();
        let can_compose = is_new
            && !is_alarms
            && block + 1 < trace.blocks.len()
            && self.bases.len() < TUNING.most_bases
            && block < TUNING.longest_trace;
        if can_compose && self.compose(job, work, composition, trace, block) {
            return true;
        }
        let when = alarm.filter(|_| is_alarms).map(|alarm| alarm.when);
        let is_better = work.track(job, composition, trace, block, when);
        if is_better {
            // The states have other forms now.
            self.bases.clear();
        }
        is_better
    }

    /// Tracks what transitions depend on that leave a set of states.
    pub fn track_exits(&mut self, job: &Job, work: &mut Workspace, composition: &Composition, exits: &[usize]) -> bool {
        let mut conditions = Vec::new();
        for at in exits {
            let transition = &composition.transitions[*at];
            conditions.extend(work.conditions_of(composition.node(transition.from).state.clone(), &transition.trail));
        }
        self.bases.clear();
        work.track_compared(job, &conditions)
    }

    /// A base for the shortest end of the trace up to the block that is infeasible by itself.
    fn compose(
        &mut self,
        job: &Job,
        work: &mut Workspace,
        composition: &Composition,
        trace: &Trace,
        block: usize,
    ) -> bool {
        let upper = trace.up_to(block + 1);
        let infeasible = |work: &mut Workspace, first: usize| {
            let end = upper.since(first);
            let start = composition.node(end.from).state.clone();
            matches!(work.execute_from(job, composition, &end, start, None), Executable::No { .. })
        };
        let first = (0..block).rev().find(|first| infeasible(work, *first)).unwrap_or(0);
        let form = |at: usize| composition.node(trace.blocks[at].0).form.clone();
        let blocks = (first..=block).map(|at| (trace.blocks[at].1.clone(), form(at + 1))).collect();
        self.bases.push(RefinementBase { first: form(first), blocks });
        true
    }
}

impl Workspace<'_> {
    /// Tracks the variables that a block's conditions depend on.
    fn track(
        &mut self,
        job: &Job,
        composition: &Composition,
        trace: &Trace,
        block: usize,
        when: Option<TermId>,
    ) -> bool {
        let (node, trail) = &trace.blocks[block];
        let mut conditions = self.conditions_of(composition.node(*node).state.clone(), trail);
        conditions.extend(when);
        self.track_compared(job, &conditions)
    }

    /// Tracks the forgotten variables that conditions are about.
    fn track_compared(&mut self, job: &Job, conditions: &[TermId]) -> bool {
        let compared = self.compared(conditions);
        let (times, others): (Vec<_>, Vec<_>) = compared.iter().partition(|(cell, _)| job.blocks.is_time(**cell));
        let mut is_better = false;
        // What is forgotten of time is the last resort: it multiplies the states most.
        for cells in [others, times] {
            if is_better {
                break;
            }
            for (cell, classes) in cells {
                is_better |= self.precision.refine(job.blocks, *cell, classes);
            }
        }
        if !is_better && !self.precision.keeps_paths {
            self.precision.keeps_paths = true;
            is_better = true;
        }
        is_better
    }

    /// The forgotten variables that conditions are about, each with the constants in conditions that mention it as classes of values.
    fn compared(&self, conditions: &[TermId]) -> BTreeMap<StateCell, Partition> {
        let terms = &self.sym.terms;
        let mut found: BTreeMap<StateCell, Partition> = BTreeMap::new();
        let mut atoms = conditions.to_vec();
        while let Some(atom) = atoms.pop() {
            match terms.kind(atom) {
                Kind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => atoms.extend([a, b]),
                Kind::Unary(UnaryOp::Not, a) => atoms.push(a),
                _ => {
                    let parts = cone(terms, &[atom]);
                    let is_constant = |term: &&TermId| matches!(terms.kind(**term), Kind::Const);
                    let constants: BTreeSet<u128> = parts
                        .iter()
                        .filter(is_constant)
                        .filter_map(|term| terms.const_bits(*term)?.to_u128())
                        .collect();
                    let is_order = |term: &TermId| {
                        matches!(terms.kind(*term), Kind::Binary(BinaryOp::BvSlt | BinaryOp::BvUlt, ..))
                    };
                    let is_ordered = parts.iter().any(is_order);
                    for (term, cell) in parts.iter().filter_map(|term| Some((*term, self.cells.get(term)?))) {
                        let classes = match terms.sort(term) {
                            Sort::Bool => Partition::new(constants.iter().copied().chain([0, 1]).collect(), false),
                            _ => Partition::new(constants.clone(), is_ordered),
                        };
                        let known = found.entry(*cell).or_default();
                        *known = known.union(&classes, usize::MAX);
                    }
                }
            }
        }
        found
    }

    /// The conditions of the path through a block.
    fn conditions_of(&mut self, mut state: plumb_sym::State, trail: &Trail) -> Vec<TermId> {
        let mut choices = trail.choices.iter();
        let before = state.path.len();
        for _ in 0..trail.steps {
            match self.sym.step(&mut state).next {
                Next::Moved => {}
                Next::Ended => break,
                Next::Split(states) => {
                    let chosen = choices.next().and_then(|choice| states.into_iter().nth(*choice as usize));
                    let Some(chosen) = chosen else { break };
                    state = chosen;
                }
            }
        }
        state.path.since(before)
    }
}
