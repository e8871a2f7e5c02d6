//! Refinement: summaries that no longer take the paths of false alarms.
//!
//! Algorithm 1 of the paper, for several summaries at once. The pairs that an alarm shows to be wrong are corrected by
//! running the functions, and the summaries are synthesised anew with them. Then every path that was ever found infeasible is
//! solved with the new summaries: where inputs lead to its end, some pair is wrong again, and is corrected too. In the end no
//! stored path is feasible: where the solver cannot tell in its time, and where no more paths can be stored, the functions return to
//! the original, along which every stored path is infeasible.
//!
//! **Progress.** A false alarm has a wrong pair, or it is a nondeterministic summary that is wrong: its calls run a synthesised
//! one from then on, with which the stored paths are solved as well. Those of a function that cannot be synthesised any more
//! return to the original.

use super::abstraction::{Abstract, Kind, Replacement, abstract_path};
use super::alarm::{Alarm, Use, retrace};
use super::subjects::{Correction, Subjects};
use super::tuning::TUNING;
use crate::answer::Answer;
use crate::bmc::{BmcOptions, bmc};
use crate::board::Board;
use crate::budget::Budget;
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::Derived;
use plumb_ir::program::FuncId;
use std::collections::{BTreeMap, BTreeSet};

/// Corrected pairs by function.
type Corrections = BTreeMap<FuncId, Vec<Correction>>;

/// What is to blame for paths that no run of the original takes.
#[derive(Default)]
struct Blame {
    /// Wrong pairs of synthesised summaries.
    corrections: Corrections,
    /// Where all such pairs are right: functions with nondeterministic summaries, which have none.
    nondeterministic: BTreeSet<FuncId>,
    /// Functions with summaries on paths of which the solver could not tell in its time.
    undecided: BTreeSet<FuncId>,
}

impl Blame {
    fn is_empty(&self) -> bool {
        self.corrections.is_empty() && self.nondeterministic.is_empty() && self.undecided.is_empty()
    }

    fn merge(&mut self, other: Blame) {
        for (func, list) in other.corrections {
            self.corrections.entry(func).or_default().extend(list);
        }
        self.nondeterministic.extend(other.nondeterministic);
        self.undecided.extend(other.undecided);
    }
}

pub struct Refinement<'a> {
    subjects: Subjects<'a>,
    /// Paths that no run of the original takes.
    infeasible: Vec<Derived>,
    pub count: u32,
}

impl<'a> Refinement<'a> {
    pub fn new(subjects: Subjects<'a>) -> Refinement<'a> {
        Refinement { subjects, infeasible: Vec::new(), count: 0 }
    }

    pub fn replacements(&self) -> Vec<Replacement> {
        self.subjects.replacements()
    }

    #[cfg(test)]
    pub fn subjects(&self) -> &Subjects<'a> {
        &self.subjects
    }

    /// Takes no summaries any more.
    pub fn return_all(&mut self) {
        self.subjects.return_all();
    }

    /// Takes one summary less: the one that is least like its function.
    pub fn return_least_similar(&mut self) {
        self.subjects.return_least_similar();
    }

    /// Changes the summaries so that a false alarm does not come again.
    pub fn refine(&mut self, alarm: &Alarm, infeasible: Option<Derived>, budget: &Budget) {
        self.count += 1;
        let blame = self.blame(&self.replacements(), &alarm.uses);
        let slice = |budget: &Budget| TUNING.recheck_slice(budget);
        match infeasible {
            _ if blame.is_empty() => self.subjects.return_all(),
            Some(_) if self.infeasible.len() >= TUNING.max_paths => {
                let funcs = blame.corrections.into_keys().chain(blame.nondeterministic);
                funcs.for_each(|func| self.subjects.return_calls(func));
            }
            path => {
                self.infeasible.extend(path);
                self.exclude_paths(blame, budget, slice);
            }
        }
    }

    /// Changes summaries until no stored path is feasible with them. `slice` is what solving all paths once may cost.
    fn exclude_paths(&mut self, first: Blame, budget: &Budget, slice: impl Fn(&Budget) -> Budget) {
        let mut blame = first;
        while !(budget.is_over() || blame.is_empty()) {
            for func in &blame.undecided {
                self.subjects.return_calls(*func);
            }
            for func in &blame.nondeterministic {
                self.subjects.return_independent(*func, budget);
            }
            for (func, pairs) in blame.corrections {
                self.subjects.correct(func, pairs, budget);
            }
            blame = self.recheck(&slice(budget));
        }
    }

    /// What is to blame for a run that no run of the original is like.
    fn blame(&mut self, replacements: &[Replacement], uses: &[Use]) -> Blame {
        let corrections = self.corrections(replacements, uses);
        let is_nondeterministic = |one: &&Use| matches!(replacements[one.replacement].kind, Kind::Nondeterministic(..));
        let nondeterministic = match corrections.is_empty() {
            true => uses.iter().filter(is_nondeterministic).map(|one| replacements[one.replacement].func).collect(),
            false => BTreeSet::new(),
        };
        Blame { corrections, nondeterministic, undecided: BTreeSet::new() }
    }

    /// The right pairs for those of synthesised summaries that are wrong.
    fn corrections(&mut self, replacements: &[Replacement], uses: &[Use]) -> Corrections {
        let mut corrections = Corrections::new();
        for one in uses {
            let replacement = &replacements[one.replacement];
            if matches!(replacement.kind, Kind::Nondeterministic(..)) {
                continue;
            }
            if let Some(correction) = self.subjects.correction(replacement.func, &one.inputs, one.output) {
                let list = corrections.entry(replacement.func).or_default();
                if !list.contains(&correction) {
                    list.push(correction);
                }
            }
        }
        corrections
    }

    /// Solves the stored paths with the present summaries.
    fn recheck(&mut self, budget: &Budget) -> Blame {
        let replacements = self.replacements();
        let mut result = Blame::default();
        for at in 0..self.infeasible.len() {
            let path = match abstract_path(&self.infeasible[at], &replacements) {
                Ok(path) => path,
                Err(_) => {
                    result.undecided.extend(replacements.iter().map(|replacement| replacement.func));
                    continue;
                }
            };
            // Without summaries it is the path of the original.
            if path.summaries.is_empty() {
                continue;
            }
            let on_path = path.summaries.values().map(|installed| replacements[installed.replacement].func);
            match self.blame_along(&path, &replacements, budget) {
                Some(blame) => result.merge(blame),
                None => result.undecided.extend(on_path),
            }
        }
        result
    }

    /// What leads to the end of a stored path: nothing if no inputs do, `None` if nobody can tell.
    fn blame_along(&mut self, path: &Abstract, replacements: &[Replacement], budget: &Budget) -> Option<Blame> {
        let analyses = Analyses::new(&path.program);
        match bmc(&analyses, &BmcOptions::default(), budget, &Board::closed(), &()) {
            Answer::Holds(..) => Some(Blame::default()),
            Answer::Unknown(_) => None,
            Answer::Violated(violation) => {
                let alarm = retrace(path, &violation, budget)?;
                let blame = self.blame(replacements, &alarm.uses);
                // No run of the original gets there: with right pairs alone none gets there either.
                (!blame.is_empty()).then_some(blame)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{Filtered, filter};
    use crate::pbe::abstraction::abstract_program;
    use crate::pbe::tests::{FIG_2, absolute_of_b, trace_of_fig_7};
    use crate::replay::realise::Realiser;
    use crate::test_program::{budget, program};
    use std::time::Instant;

    /// The paper's example with a wrong summary, its alarm, and the infeasible path of that.
    fn false_alarm(analyses: &Analyses) -> (Refinement<'_>, Alarm, Derived) {
        let refinement = Refinement::new(Subjects::by_hand(analyses, &[("check", absolute_of_b())]));
        let program = analyses.program();
        let abstracted = abstract_program(program, &refinement.replacements()).unwrap();
        let alarm = retrace(&abstracted, &trace_of_fig_7(&abstracted.program), &budget()).unwrap();
        let filtered = filter(program, &alarm.path, &mut Realiser::new(program), &budget());
        let Filtered::False(path) = filtered else { panic!("the path is infeasible") };
        (refinement, alarm, *path)
    }

    fn has_summary(refinement: &Refinement) -> bool {
        refinement.replacements().iter().any(|one| matches!(one.kind, Kind::Synthesised(_)))
    }

    /// In no time nothing can be said about the stored path: the calls return to the original, along which it is infeasible.
    #[test]
    fn a_stored_path_that_nobody_can_decide_returns_its_functions() {
        let analyses = Analyses::new(&program(FIG_2));
        let (mut refinement, alarm, path) = false_alarm(&analyses);
        refinement.infeasible.push(path);
        let blame = refinement.blame(&refinement.replacements(), &alarm.uses);
        assert!(!blame.corrections.is_empty() && has_summary(&refinement));
        let never = |budget: &Budget| Budget { deadline: Some(Instant::now()), ..budget.clone() };
        refinement.exclude_paths(blame, &budget(), never);
        assert!(!has_summary(&refinement));
    }

    /// A summary that takes the place of a nondeterministic one, and those that were there, take none of the stored paths.
    #[test]
    fn stored_paths_are_solved_again_when_a_nondeterministic_summary_goes() {
        let analyses = Analyses::new(&program(FIG_2));
        let (mut refinement, _, path) = false_alarm(&analyses);
        refinement.infeasible.push(path.clone());
        let process = analyses.program().find_function("process").unwrap();
        let is_nondeterministic = |one: &Replacement| matches!(one.kind, Kind::Nondeterministic(..));
        assert!(refinement.replacements().iter().any(is_nondeterministic));
        let blame = Blame { nondeterministic: BTreeSet::from([process]), ..Blame::default() };
        refinement.exclude_paths(blame, &budget(), Budget::clone);
        assert!(!refinement.replacements().iter().any(is_nondeterministic));
        let after = abstract_path(&path, &refinement.replacements()).unwrap();
        let answer = bmc(&Analyses::new(&after.program), &BmcOptions::default(), &budget(), &Board::closed(), &());
        assert!(matches!(answer, Answer::Holds(..)), "the path is infeasible");
    }

    #[test]
    fn a_path_that_cannot_be_stored_returns_its_functions() {
        let analyses = Analyses::new(&program(FIG_2));
        let (mut refinement, alarm, path) = false_alarm(&analyses);
        refinement.infeasible = vec![path.clone(); TUNING.max_paths];
        refinement.refine(&alarm, Some(path), &budget());
        assert!(!has_summary(&refinement));
        assert_eq!(refinement.infeasible.len(), TUNING.max_paths);
    }
}
