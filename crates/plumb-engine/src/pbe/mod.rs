//! Falsification with function summaries by example.
//!
//! **Idea.** Auxiliary functions, which change nothing but their result, are replaced by summaries that a synthesiser makes
//! of input/output examples; bounded model checking of the smaller program gives alarms. An alarm's path is solved again with
//! the original functions; if it is infeasible, the summaries are corrected and no longer take any path that was found
//! infeasible (Kim, Choi: "PBE-Based Selective Abstraction and Refinement for Efficient Property Falsification of Embedded
//! Software", FSE 2024).
//!
//! **Soundness.** Summaries are guesses. A violation is a run of the original program, replayed on the machine. Nothing is proved
//! while a summary is in use; once none is left, a proof is that of bounded model checking.
//!
//! **Progress.** Every false alarm corrects at least one pair of a summary, or replaces a nondeterministic one by one that is
//! synthesised, or returns the calls of a function to the original; a function whose synthesis fails or stalls is
//! returned too. Without summaries the engine is bounded model checking.
//!
//! ```text
//!   beside        the original program, searched at the same time where no other engine does that
//!   subjects      the functions with their examples and summaries
//!   abstraction   the program with summaries
//!   alarm         a run of it, step by step
//!   refinement    summaries that do not take infeasible paths (Algorithm 1 of the paper)
//!   tuning        knobs
//! ```

mod abstraction;
mod alarm;
mod beside;
mod refinement;
mod subjects;
#[cfg(test)]
mod tests;
mod tuning;

use crate::answer::{Answer, Explored, Unknown, Violation, WhyUnknown};
use crate::bmc::{BmcOptions, bmc};
use crate::board::Board;
use crate::budget::{Budget, Progress, Watcher};
use crate::engine::{About, Answers, Context, Engine, Options, Schedule, Task};
use crate::filter::{Filtered, filter, replay_on_original};
use crate::replay::realise::Realiser;
use crate::summary::synthesis::SynthesisOptions;
use abstraction::{Abstract, abstract_program};
use alarm::retrace;
use beside::search_both;
use plumb_ir::analysis::Analyses;
use refinement::Refinement;
use subjects::{Subjects, has_long_call};
use tuning::TUNING;

pub struct Pbe;

impl Engine for Pbe {
    fn about(&self) -> About {
        About {
            name: "pbe",
            help: "bounded model checking with summaries of auxiliary functions, synthesised from examples",
            answers: Answers::Both,
            parameter: None,
            schedule: Schedule {
                waits_for: Some(4),
                has_first_slice: false,
                memory_quarters: 3,
                ends_first: Some(2),
                ..Schedule::default()
            },
        }
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("--unwind", "increasing bounds"),
            ("--unwind-loop", "none"),
            ("--alarm-filter", "symbolic"),
            ("--no-output-coverage", "not given"),
            ("--no-cache", "not given"),
            ("--summaries", "none"),
        ]
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let Options { summaries, seed, .. } = &task.options;
        let Context { budget, watcher, is_alone, .. } = *context;
        // A summary stands for what one stack does between a call and its return.
        if task.analyses.program().has_stacks() {
            return Answer::Unknown(Unknown { why: WhyUnknown::Stacks, explored: Explored::default() });
        }
        // Other engines follow short functions themselves.
        if !is_alone && !has_long_call(&task.analyses, budget) {
            return Answer::Unknown(Unknown {
                why: WhyUnknown::NotApplicable(
                    "next to other engines only functions with loops or recursion are summarised, and no call of one qualifies (use --engine pbe)"
                        .to_string(),
                ),
                explored: Explored::default(),
            });
        }
        // Beside others it has waited by now, so that the making of summaries gets a part of the time that is left.
        if budget.is_over() {
            return Answer::Unknown(Unknown { why: budget.why_stopped(), explored: Explored::default() });
        }
        let original =
            |budget: &Budget| bmc(&task.analyses, &bmc_options(&task.options), budget, &Board::closed(), &());
        let synthesis = SynthesisOptions {
            uses_coverage: !summaries.ignore_output_coverage,
            seed: *seed,
            ..SynthesisOptions::default()
        };
        let with_summaries = |budget: &Budget, is_beside: bool| {
            let subjects = Subjects::synthesised(&task.analyses, summaries, synthesis, budget, watcher);
            Falsifier::new(&task.analyses, &task.options, budget, watcher, subjects).run(is_beside)
        };
        // Beside other engines the original is searched by these.
        let answer = match is_alone {
            true => search_both(original, with_summaries, budget),
            false => with_summaries(budget, true),
        };
        answer.unwrap_or_else(|| Answer::Unknown(Unknown { why: budget.why_stopped(), explored: Explored::default() }))
    }
}

fn bmc_options(options: &Options) -> BmcOptions {
    BmcOptions { bound: options.unwind, loops: options.unwind_loops.clone(), strict: options.strict }
}

struct Falsifier<'a> {
    analyses: &'a Analyses,
    options: &'a Options,
    budget: &'a Budget,
    watcher: &'a dyn Watcher,
    realiser: Realiser<'a>,
    refinement: Refinement<'a>,
    alarms: u32,
}

/// Reports bounds together with what was made of alarms.
struct BoundsOf<'a> {
    watcher: &'a dyn Watcher,
    alarms: u32,
    refinements: u32,
}

impl Watcher for BoundsOf<'_> {
    fn progress(&self, progress: &Progress) {
        let (seconds, bound, memory) = (progress.elapsed.as_secs(), progress.explored.deepest, progress.memory >> 20);
        let BoundsOf { alarms, refinements, .. } = self;
        let line = format!("{seconds} s: bound {bound}, {alarms} alarms, {refinements} refinements, {memory} MiB");
        self.watcher.progress_as(progress, &line);
    }
}

/// What an alarm leads to.
enum Judged {
    Violated(Violation),
    /// The abstraction is another one now.
    Refined,
}

impl<'a> Falsifier<'a> {
    fn new(
        analyses: &'a Analyses,
        options: &'a Options,
        budget: &'a Budget,
        watcher: &'a dyn Watcher,
        subjects: Subjects<'a>,
    ) -> Falsifier<'a> {
        let realiser = Realiser::new(analyses.program());
        Falsifier { analyses, options, budget, watcher, realiser, refinement: Refinement::new(subjects), alarms: 0 }
    }

    /// `None` once no summary is left, if the original is searched beside it.
    fn run(&mut self, is_beside: bool) -> Option<Answer> {
        loop {
            if self.budget.is_over() {
                return Some(self.unknown(self.budget.why_stopped()));
            }
            let program = match abstract_program(self.analyses.program(), &self.refinement.replacements()) {
                Ok(program) => program,
                // A summary that does not fit: defects must not end in a wrong program.
                Err(why) => return Some(self.unknown(WhyUnknown::CannotRun(why))),
            };
            if program.summaries.is_empty() && is_beside {
                return None;
            }
            let answer = self.search(&program);
            if program.summaries.is_empty() {
                return Some(answer);
            }
            match answer {
                Answer::Violated(violation) => match self.judge(&program, &violation) {
                    Judged::Violated(violation) => return Some(Answer::Violated(violation)),
                    Judged::Refined => {}
                },
                // Other summaries do not change that.
                Answer::Unknown(Unknown {
                    why: WhyUnknown::Timeout | WhyUnknown::Cancelled | WhyUnknown::OutOfMemory,
                    ..
                }) => return Some(answer),
                // The summaries may hide a violation, or be what is not modelled.
                Answer::Unknown(_) | Answer::Holds(..) => self.refinement.return_least_similar(),
            }
        }
    }

    fn search(&mut self, program: &Abstract) -> Answer {
        let options = bmc_options(self.options);
        let analyses = Analyses::new(&program.program);
        let _span = tracing::info_span!("search").entered();
        let watcher = BoundsOf { watcher: self.watcher, alarms: self.alarms, refinements: self.refinement.count };
        bmc(&analyses, &options, self.budget, &Board::closed(), &watcher)
    }

    /// Finds out what an alarm is, and refines if it is a false one.
    fn judge(&mut self, program: &Abstract, violation: &Violation) -> Judged {
        self.alarms += 1;
        tracing::info!(alarms = 1u64);
        // The original may go on for ever with these inputs.
        let slice = TUNING.filter_slice(self.budget, self.alarms);
        if let Some(real) = replay_on_original(&mut self.realiser, &program.provenance, violation, &slice) {
            return Judged::Violated(real);
        }
        let Some(alarm) = retrace(program, violation, self.budget) else {
            self.refinement.return_all();
            return Judged::Refined;
        };
        let infeasible = match self.options.summaries.concrete_filter {
            true => None,
            false => {
                let _span = tracing::info_span!("filter").entered();
                let slice = TUNING.filter_slice(self.budget, self.alarms);
                match filter(self.analyses.program(), &alarm.path, &mut self.realiser, &slice) {
                    Filtered::True(violation) => return Judged::Violated(violation),
                    Filtered::False(path) => Some(*path),
                    Filtered::Undecided => None,
                }
            }
        };
        let _span = tracing::info_span!("refine").entered();
        self.refinement.refine(&alarm, infeasible, self.budget);
        tracing::info!(refinements = 1u64);
        Judged::Refined
    }

    fn unknown(&self, why: WhyUnknown) -> Answer {
        Answer::Unknown(Unknown { why, explored: Explored::default() })
    }
}
