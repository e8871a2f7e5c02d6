//! The functions that the engine works on: their calls, their examples, their summaries, and whether these are used.

use super::abstraction::{Kind, Replacement};
use super::tuning::TUNING;
use crate::budget::{Budget, Watcher};
use crate::engine::SummaryOptions;
use crate::summary::Summary;
use crate::summary::all::{Plan, Synthesised, synthesise_all};
use crate::summary::cache::Cache;
use crate::summary::choose::{Choice, FunctionKind, Node, Role, choose};
use crate::summary::examples::{Example, Examples, Origin, Prober, collect};
use crate::summary::export::Exported;
use crate::summary::selection::{Candidate, Weights, select, unrolled};
use crate::summary::synthesis::{Constraints, SynthesisOptions, output_range, synthesise_summary};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::{Signature, signature};
use plumb_ir::program::FuncId;
use std::collections::BTreeMap;

/// A function with a summary.
struct Subject {
    signature: Signature,
    /// Calls whose arguments depend on inputs and on which other things depend: they run the synthesised summary.
    dependent: Vec<Node>,
    /// Calls on whose arguments nothing else depends: they return anything in range.
    independent: Vec<Node>,
    /// Collected when they are needed: a summary out of the cache has none at first.
    examples: Examples,
    /// Made when a pair is to be corrected.
    prober: Option<Prober>,
    summary: Option<Summary>,
    /// Corrected pairs, which every later summary has to satisfy.
    required: Vec<Example>,
    refinements: u32,
}

impl Subject {
    fn new(signature: Signature, dependent: Vec<Node>, independent: Vec<Node>) -> Subject {
        Subject {
            signature,
            dependent,
            independent,
            examples: Examples::default(),
            prober: None,
            summary: None,
            required: Vec::new(),
            refinements: 0,
        }
    }

    /// Collects examples where there are none.
    fn need_examples(&mut self, analyses: &Analyses, budget: &Budget, seed: u64) {
        if self.prober.is_none() {
            self.prober = Prober::new(analyses.program(), &self.signature);
        }
        if let (true, Some(prober)) = (self.examples.list.is_empty(), &mut self.prober) {
            let slice = TUNING.examples_slice(budget);
            self.examples = collect(analyses, &self.signature, prober, &slice, seed);
        }
    }
}

pub struct Subjects<'a> {
    analyses: &'a Analyses,
    options: SynthesisOptions,
    /// Where summaries are kept from run to run.
    cache: Option<Cache>,
    /// Where they are put as C.
    export: Exported,
    watcher: &'a dyn Watcher,
    by_function: BTreeMap<FuncId, Subject>,
}

impl<'a> Subjects<'a> {
    /// Chooses functions and makes summaries of them.
    pub fn synthesised(
        analyses: &'a Analyses,
        wanted: &SummaryOptions,
        options: SynthesisOptions,
        budget: &Budget,
        watcher: &'a dyn Watcher,
    ) -> Subjects<'a> {
        let by_function = choose(analyses, budget).map(|choice| chosen(&choice)).unwrap_or_default();
        let export = wanted.export.clone().unwrap_or_default();
        let mut subjects = Subjects { analyses, options, cache: wanted.cache.clone(), export, watcher, by_function };
        subjects.export_nondeterministic();
        subjects.synthesise(&TUNING.synthesis_slice(budget));
        subjects.select();
        subjects
    }

    /// With summaries by hand, for functions by name.
    #[cfg(test)]
    pub fn by_hand(analyses: &'a Analyses, summaries: &[(&str, plumb_synth::Expr)]) -> Subjects<'a> {
        use crate::summary::similarity::Similarity;
        let options = SynthesisOptions { iterations: 4, ..SynthesisOptions::default() };
        let choice = choose(analyses, &crate::test_program::budget()).expect("there is time");
        let (by_function, export) = (chosen(&choice), Exported::default());
        let mut subjects = Subjects { analyses, options, cache: None, export, watcher: &(), by_function };
        for (name, expr) in summaries {
            let subject = analyses.program().find_function(name).and_then(|func| subjects.by_function.get_mut(&func));
            let subject = subject.expect("the function has calls worth a summary");
            let mut prober = Prober::new(analyses.program(), &subject.signature).expect("it can be called");
            subject.examples = collect(analyses, &subject.signature, &mut prober, &crate::test_program::budget(), 0);
            subject.summary = Some(Summary {
                signature: subject.signature.clone(),
                expr: expr.clone(),
                complexity: 0,
                similarity: Similarity::default(),
                range: None,
                constraints: Vec::new(),
            });
        }
        subjects
    }

    /// The summary of a function.
    #[cfg(test)]
    pub fn summary(&self, name: &str) -> Option<&Summary> {
        let func = self.analyses.program().find_function(name)?;
        self.by_function.get(&func)?.summary.as_ref()
    }

    /// Makes a summary of every function that has dependent calls.
    fn synthesise(&mut self, budget: &Budget) {
        let has_calls = |subject: &&Subject| !subject.dependent.is_empty();
        let signatures: Vec<Signature> =
            self.by_function.values().filter(has_calls).map(|subject| subject.signature.clone()).collect();
        self.make(&signatures, budget);
    }

    /// Makes summaries of functions, tells of each, and puts it where summaries are wanted as C.
    fn make(&mut self, signatures: &[Signature], budget: &Budget) {
        let program = self.analyses.program();
        let report = |done: &Synthesised| {
            self.watcher.phase(&described(&program.function(done.signature.func).name, done));
            if let Some(summary) = &done.summary {
                self.export.put(program, summary, 0);
            }
        };
        let cache = self.cache.as_ref();
        let plan = Plan { options: self.options.clone(), per_function: None, cache, watcher: &report };
        let made = synthesise_all(self.analyses, signatures, &plan, budget);
        for done in made {
            if let Some(subject) = self.by_function.get_mut(&done.signature.func) {
                subject.examples = done.examples;
                subject.summary = done.summary;
            }
        }
    }

    /// Keeps the summaries that score best together.
    fn select(&mut self) {
        let with_summary: Vec<FuncId> =
            self.by_function.iter().filter(|(_, subject)| subject.summary.is_some()).map(|(func, _)| *func).collect();
        let summaries = self.by_function.values().filter_map(|subject| subject.summary.as_ref());
        let candidates: Vec<Candidate> = summaries
            .map(|summary| Candidate {
                complexity: summary.complexity as f64,
                accuracy: summary.accuracy(),
                coverage: summary.coverage(),
            })
            .collect();
        let weights = match self.options.uses_coverage {
            true => Weights::default(),
            false => Weights { coverage: 0.0, ..Weights::default() },
        };
        let is_replaced = |call: Node, func: FuncId| self.by_function[&func].dependent.contains(&call);
        let selection = select(&candidates, weights, |k| unrolled(self.analyses, &with_summary, k, is_replaced));
        let chosen = selection.map(|selection| selection.chosen).unwrap_or_default();
        for (at, func) in with_summary.iter().enumerate() {
            if let Some(subject) = self.by_function.get_mut(func).filter(|_| chosen.get(at) != Some(&true)) {
                subject.summary = None;
            }
        }
    }

    fn export_nondeterministic(&self) {
        for subject in self.by_function.values().filter(|subject| !subject.independent.is_empty()) {
            let range = output_range(self.analyses, &subject.signature);
            self.export.put_nondeterministic(self.analyses.program(), &subject.signature, range);
        }
    }

    /// The calls that run summaries now.
    pub fn replacements(&self) -> Vec<Replacement> {
        let mut list = Vec::new();
        for subject in self.by_function.values() {
            let func = subject.signature.func;
            if let Some(summary) = subject.summary.clone().filter(|_| !subject.dependent.is_empty()) {
                list.push(Replacement { func, calls: subject.dependent.clone(), kind: Kind::Synthesised(summary) });
            }
            if !subject.independent.is_empty() {
                let range = output_range(self.analyses, &subject.signature);
                let kind = Kind::Nondeterministic(subject.signature.clone(), range);
                list.push(Replacement { func, calls: subject.independent.clone(), kind });
            }
        }
        list
    }

    /// What a function returns instead of a wrong output; `None` if the output is right.
    pub fn correction(&mut self, func: FuncId, inputs: &[u64], output: u64) -> Option<Correction> {
        let subject = self.by_function.get_mut(&func)?;
        if subject.prober.is_none() {
            subject.prober = Prober::new(self.analyses.program(), &subject.signature);
        }
        let right = subject.prober.as_mut().and_then(|prober| prober.call(inputs).returned());
        match right {
            Some(right) if right == output => None,
            Some(right) => {
                Some(Correction::Pair(Example { inputs: inputs.into(), output: right, origin: Origin::Correction }))
            }
            None => Some(Correction::NoResult),
        }
    }

    /// Synthesises a summary anew that satisfies corrected pairs. Without one, the calls return to the original.
    pub fn correct(&mut self, func: FuncId, corrections: Vec<Correction>, budget: &Budget) {
        let Some(subject) = self.by_function.get_mut(&func) else { return };
        subject.refinements += 1;
        let before = subject.required.len();
        let mut has_results = true;
        for correction in corrections {
            match correction {
                Correction::Pair(pair) if subject.required.iter().all(|known| known.inputs != pair.inputs) => {
                    subject.required.push(pair);
                }
                Correction::Pair(_) => {}
                Correction::NoResult => has_results = false,
            }
        }
        let makes_progress = subject.required.len() > before && has_results;
        let old = subject.summary.take();
        if !makes_progress || subject.refinements > TUNING.max_refinements {
            return;
        }
        let chosen = old.map(|summary| summary.constraints).unwrap_or_default();
        let constraints = Constraints { required: subject.required.clone(), chosen };
        let slice = TUNING.resynthesis_slice(budget);
        subject.need_examples(self.analyses, &slice, self.options.seed);
        let Subject { signature, examples, .. } = &*subject;
        subject.summary = synthesise_summary(self.analyses, signature, examples, &constraints, &self.options, &slice);
        if let Some(summary) = &subject.summary {
            self.export.put(self.analyses.program(), summary, subject.refinements);
        }
    }

    /// The calls of a function return to the original.
    pub fn return_calls(&mut self, func: FuncId) {
        self.by_function.remove(&func);
    }

    pub fn return_all(&mut self) {
        self.by_function.clear();
    }

    /// Calls that returned anything run a synthesised summary from now on, as dependent ones do, or the function itself where
    /// there is none.
    pub fn return_independent(&mut self, func: FuncId, budget: &Budget) {
        let Some(subject) = self.by_function.get_mut(&func) else { return };
        let calls = std::mem::take(&mut subject.independent);
        if calls.is_empty() || !subject.signature.is_finite() {
            return;
        }
        let is_first = subject.dependent.is_empty();
        subject.dependent.extend(calls);
        if is_first {
            let signatures = [subject.signature.clone()];
            self.make(&signatures, &TUNING.resynthesis_slice(budget));
        }
    }

    /// Takes one summary less: the one that is least like its function, or else all nondeterministic ones.
    pub fn return_least_similar(&mut self) {
        let used = self.by_function.iter().filter(|(_, subject)| !subject.dependent.is_empty());
        let similarity =
            |subject: &Subject| subject.summary.as_ref().map(|summary| (summary.coverage(), summary.accuracy()));
        let least = used
            .filter_map(|(func, subject)| Some((*func, similarity(subject)?)))
            .min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        match least.and_then(|(func, _)| self.by_function.get_mut(&func)) {
            Some(subject) => subject.summary = None,
            None => self.return_all(),
        }
    }
}

/// What came of a function, for the progress line.
fn described(name: &str, done: &Synthesised) -> String {
    let examples = match done.is_cached {
        true => "out of the cache".to_string(),
        false => format!("{} examples", done.examples.list.len()),
    };
    match &done.summary {
        Some(summary) => {
            let (accuracy, coverage) = (summary.accuracy() * 100.0, summary.coverage() * 100.0);
            format!("{name}: {examples}, accuracy {accuracy:.0} %, output coverage {coverage:.0} %")
        }
        None => format!("{name}: {examples}, no summary"),
    }
}

/// Whether a function that runs long has a call that a summary could take.
pub fn has_long_call(analyses: &Analyses, budget: &Budget) -> bool {
    // Most programs have no function that comes into question, and need no look at their data dependence.
    let is_candidate = |func: &FuncId| analyses.runs_long(*func) && signature(analyses, *func).is_ok();
    let program = analyses.program();
    if !program.function_ids().any(|func| program.entry != Some(func) && is_candidate(&func)) {
        return false;
    }
    let subjects = choose(analyses, budget).map(|choice| chosen(&choice)).unwrap_or_default();
    subjects.iter().any(|(func, subject)| !subject.dependent.is_empty() && analyses.runs_long(*func))
}

/// The functions that have calls worth a summary.
fn chosen(choice: &Choice) -> BTreeMap<FuncId, Subject> {
    let mut subjects = BTreeMap::new();
    for function in &choice.functions {
        let FunctionKind::Auxiliary(signature) = &function.kind else { continue };
        let calls = |wanted: Role| {
            choice.calls_of(function.func).filter(move |(_, role)| *role == wanted).map(|(call, _)| call).collect()
        };
        let (mut dependent, independent): (Vec<_>, Vec<_>) = (calls(Role::Dependent), calls(Role::Independent));
        if !signature.is_finite() {
            dependent.clear();
        }
        if !dependent.is_empty() || !independent.is_empty() {
            subjects.insert(function.func, Subject::new(signature.clone(), dependent, independent));
        }
    }
    subjects
}

/// What a function really does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Correction {
    Pair(Example),
    /// The call does not return: no summary can say that.
    NoResult,
}
