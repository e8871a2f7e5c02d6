//! Refinement: what a trace that no run takes teaches.
//!
//! The first time that a block is the first non-executable transition of a trace, the trace is composed away as a refinement base
//! (section VI.C of the paper), as short an end of it as is infeasible by itself. The second time traces repeat, and the variables on
//! which the block's conditions depend, and which a cut had forgotten, are tracked.

use super::composition::{Alarm, Composition, Job, Trail, Workspace};
use super::mini_os::{Executable, Trace};
use super::refinement_base::RefinementBase;
use super::tuning::TUNING;
use plumb_ir::program::{FuncId, Loc};
use plumb_sym::{Next, StateCell};
use plumb_term::{Kind, TermId, cone};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What has been learned.
#[derive(Default)]
pub(super) struct Refinements {
    pub bases: Vec<RefinementBase>,
    pub count: u32,
    /// Blocks that were the first non-executable transition of a trace, by where all stacks are and the way through them.
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
    pub fn track_exits(
        &mut self,
        job: &Job,
        work: &mut Workspace,
        composition: &Composition,
        exits: &[usize],
    ) -> bool {
        let mut is_better = false;
        for at in exits {
            let trace = Trace::along(composition, &[*at]);
            is_better |= work.track(job, composition, &trace, 0, None);
        }
        self.bases.clear();
        is_better
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
        let parts = cone(&self.sym.terms, &conditions);
        let cells: BTreeSet<StateCell> = parts.iter().filter_map(|term| self.cells.get(term).copied()).collect();
        let constants: BTreeSet<u128> = parts
            .iter()
            .filter(|term| matches!(self.sym.terms.kind(**term), Kind::Const))
            .filter_map(|term| self.sym.terms.const_bits(*term)?.to_u128())
            .collect();
        let mut is_better = false;
        for cell in cells {
            is_better |= self.precision.refine(job.blocks, cell, &constants);
        }
        if !is_better && !self.precision.keeps_paths {
            self.precision.keeps_paths = true;
            is_better = true;
        }
        is_better
    }

    /// The conditions of the way through a block.
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
