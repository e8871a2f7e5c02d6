//! Refinement: summaries that no longer take the paths of false alarms.
//!
//! Algorithm 1 of the paper, for several summaries at once. The pairs that an alarm shows to be wrong are corrected by
//! running the functions, and the summaries are synthesised anew with them. Then every path that was ever found infeasible is
//! solved with the new summaries: where inputs lead to its end, some pair is wrong again, and is corrected too. In the end no
//! stored path is feasible.
//!
//! **Progress.** A false alarm has a wrong pair, or it is a nondeterministic summary that is wrong: its calls run a synthesised
//! one from then on. Those of a function that cannot be synthesised any more return to the original.

use super::abstraction::{Kind, Replacement, abstract_path};
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
use std::collections::BTreeMap;

/// Corrected pairs by function.
type Corrections = BTreeMap<FuncId, Vec<Correction>>;

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
        self.infeasible.extend(infeasible.filter(|_| self.infeasible.len() < TUNING.max_paths));
        let replacements = self.replacements();
        let mut corrections = self.corrections(&replacements, &alarm.uses);
        if corrections.is_empty() {
            self.return_nondeterministic(&replacements, &alarm.uses, budget);
            return;
        }
        while !corrections.is_empty() && !budget.is_over() {
            for (func, wrong) in corrections {
                self.subjects.correct(func, wrong, budget);
            }
            corrections = self.still_feasible(&TUNING.recheck_slice(budget));
        }
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

    /// Corrections for infeasible paths that the present summaries make feasible.
    fn still_feasible(&mut self, budget: &Budget) -> Corrections {
        let replacements = self.replacements();
        let mut corrections = Corrections::new();
        for at in 0..self.infeasible.len() {
            let Ok(path) = abstract_path(&self.infeasible[at], &replacements) else { continue };
            let analyses = Analyses::new(&path.program);
            let answer = bmc(&analyses, &BmcOptions::default(), budget, &Board::closed(), &());
            let Answer::Violated(violation) = answer else { continue };
            let Some(alarm) = retrace(&path, &violation, budget) else { continue };
            for (func, list) in self.corrections(&replacements, &alarm.uses) {
                corrections.entry(func).or_default().extend(list);
            }
        }
        corrections
    }

    /// No synthesised summary is to blame: nondeterministic ones are, which have no pairs to correct.
    fn return_nondeterministic(&mut self, replacements: &[Replacement], uses: &[Use], budget: &Budget) {
        let is_nondeterministic = |one: &&Use| matches!(replacements[one.replacement].kind, Kind::Nondeterministic(..));
        let wrong: Vec<&Use> = uses.iter().filter(is_nondeterministic).collect();
        if wrong.is_empty() {
            self.subjects.return_all();
        }
        for one in wrong {
            self.subjects.return_independent(replacements[one.replacement].func, budget);
        }
    }
}
