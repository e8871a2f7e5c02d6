//! Many paths become one where they meet.
//!
//! **Idea.** A turn of a loop with twenty decisions has a million paths. Following each of them tells constants apart, which
//! is what makes most questions easy; so few paths are left as they are. But where many of them come from one abstraction
//! point to one place, they are joined: what differs becomes a choice by the conditions that tell them apart, and the solver
//! finds the abstract states that come of all of them.
//!
//! A counterexample is looked at as one way. Which of the paths it takes is what a model says, between each two of its
//! points on its own: the predicates' values at the points are all that the pieces have in common.
//!
//! **Soundness.** Joining loses nothing where at most one of the paths is taken (see [`plumb_sym`]'s `join`): paths that come
//! from one abstraction point have parted by decisions since, and those from different ones are told apart by what is given
//! at the points. States that cannot be joined stay apart.

use super::branch::Branch;
use super::explore::Explorer;
use super::trail::{Alternative, Line, PointId};
use plumb_ir::analysis::liveness::Liveness;
use plumb_solve::Outcome;
use plumb_sym::State;
use plumb_term::{Assignment, Evaluator, TermId};
use rustc_hash::FxHashMap;

/// Paths at one place that are left as they are.
pub const FEW: usize = 16;

impl Explorer<'_> {
    /// Whether paths may become one.
    pub(super) fn joins(&self) -> bool {
        self.precision.is_some() && self.waiting.is_nested()
    }

    /// Two states in one; `None` where that would lose something.
    pub(super) fn join(&mut self, a: State, b: State, live: &Liveness) -> Option<State> {
        let (joined, log) = self.sym.join(a, b, live);
        log.is_empty().then_some(joined)
    }

    /// What becomes of paths that have come to the same place.
    pub(super) fn met(&mut self, group: Vec<Branch>) -> Vec<Branch> {
        if group.len() <= self.most_apart || group.iter().any(|branch| !branch.is_at_meeting) {
            return group;
        }
        // Those with most in common first: there is one condition that tells them apart.
        let mut list: Vec<(Vec<TermId>, Branch)> =
            group.into_iter().map(|branch| (branch.state.path.since(0), branch)).collect();
        list.sort_by(|a, b| a.0.cmp(&b.0));
        let common = |a: &[TermId], b: &[TermId]| a.iter().zip(b).take_while(|(x, y)| x == y).count();
        // Of each with the next.
        let mut shared: Vec<usize> = list.windows(2).map(|pair| common(&pair[0].0, &pair[1].0)).collect();
        let mut stuck: Vec<Branch> = Vec::new();
        while let Some(at) = (0..shared.len()).max_by_key(|at| shared[*at])
            && !self.budget.is_over()
        {
            let (_, second) = list.remove(at + 1);
            shared.remove(at);
            match self.become_one(&mut list[at].1, &second) {
                true => list[at].0 = list[at].1.state.path.since(0),
                false => stuck.push(second),
            }
            for first in at.saturating_sub(1)..(at + 1).min(shared.len()) {
                shared[first] = common(&list[first].0, &list[first + 1].0);
            }
        }
        stuck.extend(list.into_iter().map(|(_, branch)| branch));
        stuck
    }

    /// Joins a path to another one. Whether that can be done.
    fn become_one(&mut self, first: &mut Branch, second: &Branch) -> bool {
        let shape = self.shape(first.state.func());
        let alternatives = [&*first, second].map(|branch| Alternative {
            trail: branch.trail,
            steps: branch.steps,
            when: branch.state.path.term(),
        });
        let Some(joined) = self.join(first.state.clone(), second.state.clone(), &shape.live) else { return false };
        first.state = joined;
        first.count_in(second);
        first.trail = self.trails.meet(alternatives.to_vec());
        first.steps = 0;
        true
    }

    /// One way among those that have become a path which goes on under conditions.
    pub(super) fn line(&mut self, branch: &Branch, conditions: &[TermId]) -> Option<Line> {
        let trails = std::mem::take(&mut self.trails);
        let mut models: FxHashMap<Option<PointId>, Assignment> = FxHashMap::default();
        let line = trails.line(branch.trail, branch.steps, |next, alternatives| {
            let model = match models.entry(next) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(new) => new.insert(match next {
                    None => self.model_of(conditions)?,
                    Some(point) => self.model_to(point)?,
                }),
            };
            let mut evaluator = Evaluator::new(model);
            alternatives.iter().copied().find(|one| evaluator.holds(&self.sym.terms, one.when))
        });
        self.trails = trails;
        line
    }

    fn model_of(&mut self, conditions: &[TermId]) -> Option<Assignment> {
        match self.questions.ask(&mut self.sym, conditions, None) {
            Outcome::Sat => self.questions.model().cloned(),
            Outcome::Unsat | Outcome::Unknown(_) => None,
        }
    }

    /// Values under which the path that came to a point comes with its abstract state.
    fn model_to(&mut self, point: PointId) -> Option<Assignment> {
        let point = self.points.point(point);
        let (entry, arrival, valuation) = (point.entry, point.arrival.clone(), point.valuation.clone());
        let mut conditions = arrival.conditions();
        let said = self.said(entry, &arrival.state);
        for (term, holds) in said.into_iter().zip(valuation) {
            conditions.push(if holds { term } else { self.sym.terms.not(term) });
        }
        self.model_of(&conditions)
    }
}
