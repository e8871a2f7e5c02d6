//! OiL-CEGAR: abstraction refinement with the operating system in the loop.
//!
//! **Idea.** Tasks under a kernel have few interleavings: priorities, resources and events decide who runs. So the kernel model is
//! kept exact, and the tasks are abstracted: cut into blocks before statements that others can see, with shared variables
//! forgotten at the cuts. The composition is finite and is explored state by state. A counterexample is followed on the tasks as they
//! are, in the order of blocks that it says (the mini-OS); if no run takes it, the trace up to the first block that is not
//! executable is composed away, and where traces repeat a variable is tracked.
//!
//! **Paper.** Kim and Choi, *Model checking embedded control software using OS-in-the-Loop CEGAR* (ASE 2019). Its names are kept for
//! the parts:
//!
//! ```text
//!   blocks           visible variables and statements, statement blocks     Definitions 1 to 3, section V.B
//!   precision        data abstraction                                       section V.C
//!   composition      M_os || M_app, explored                                Definitions 4 and 5, section VI.A
//!   mini_os          executability of a counterexample                      Definitions 7 and 8, section VI.B
//!   refinement_base  refinement bases, trace composition                    Definitions 6 and 9, section VI.C
//!   refine           which of the two ways to refine
//!   partition        classes of values that a variable is distinguished by
//!   fairness         whether a fair environment leaves a state
//!   response         requests that are never answered: lassos               property P1
//!   termination      loops that end
//!   tuning           knobs
//! ```
//!
//! **What is ours.** The kernel is C like the tasks, and one semantics serves both: no second model, no annotated program. States are
//! symbolic, so that a block is exact inside, and are compared up to names. A refinement base is the shortest infeasible end of a
//! trace, not the trace from the initial state on. Variables are tracked by their values, and where these are no constants by
//! the constants that the infeasible block compares them with. Response properties are decided on the graph of the composition, for
//! environments that are fair.
//!
//! **Soundness.** A finished exploration covers every run: blocks are followed by the symbolic semantics, cuts only forget, and only
//! traces that no run takes are composed away. "Holds" is said if it met no feasible violation, fault or gap. A violation is a
//! model of the unabstracted trace, and is replayed.
//!
//! **Knobs** are in [`tuning`]. The engine needs no kernel: any program with several stacks will do. A sequential one is a single task: alone the
//! engine takes it as others, beside other engines it looks for violations in a short slice.

mod blocks;
mod composition;
mod fairness;
mod mini_os;
mod partition;
mod precision;
mod refine;
mod refinement_base;
mod response;
mod termination;
mod tuning;

use crate::answer::{Answer, Explored as Seen, Proof, Unknown, Violation, WhyUnknown};
use crate::budget::{Budget, Progress};
use crate::engine::{About, Answers, Context, Engine, Schedule, Task};
use crate::query::QuerySolver;
use crate::replay::realise::Realiser;
use blocks::Blocks;
use composition::{Alarm, Composition, Explored, Failure, Job, Workspace};
use mini_os::{Executable, Trace};
use plumb_ir::check::CheckKind;
use plumb_solve::{Solver, ValueSets};
use plumb_sym::Sym;
use precision::Precision;
use refine::Refinements;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use termination::TerminatingLoops;
use tuning::TUNING;

pub struct OsCegar;

impl Engine for OsCegar {
    fn about(&self) -> About {
        About {
            name: "oscegar",
            help: "tasks under their kernel: explicit exploration of abstract tasks with the exact kernel, refined by traces",
            answers: Answers::Both,
            parameter: None,
            schedule: Schedule { ends_first: Some(1), ..Schedule::default() },
        }
    }

    fn decides_responses(&self) -> bool {
        true
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        if task.analyses.program().has_stacks() || context.is_alone {
            return Cegar::new(task, context).run();
        }
        // A program without tasks is one task. Violations of state machines are often found at once; of proofs others have
        // evidence that can be checked without visiting all states again.
        let now = Instant::now();
        let left = context.budget.deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(now));
        let slice = TUNING.sequential_slice.min(left / TUNING.sequential_share);
        let budget = Budget { deadline: Some(now + slice), ..context.budget.clone() };
        match Cegar::new(task, &Context { budget: &budget, ..*context }).run() {
            violated @ Answer::Violated(_) => violated,
            Answer::Holds(..) | Answer::Unknown(_) => {
                let why = WhyUnknown::NotApplicable(
                    "next to other engines only programs with tasks are proved (use --engine oscegar)".to_string(),
                );
                Answer::Unknown(Unknown { why, explored: Seen::default() })
            }
        }
    }
}

struct Cegar<'c> {
    task: &'c Task,
    context: &'c Context<'c>,
    started: Instant,
    work: Workspace<'c>,
    refinements: Refinements,
    explored: Seen,
}

/// What an alarm comes to.
enum Verdict {
    Spurious,
    Answer(Answer),
}

impl<'c> Cegar<'c> {
    fn new(task: &'c Task, context: &'c Context<'c>) -> Cegar<'c> {
        let work = Workspace {
            sym: Sym::new(task.analyses.program()),
            queries: QuerySolver::default(),
            precision: Precision::default(),
            cells: FxHashMap::default(),
            steps: 0,
            values: ValueSets::new(TUNING.most_ranges, 0),
            cuts_statements: true,
            asked: 0,
        };
        Cegar {
            task,
            context,
            started: Instant::now(),
            work,
            refinements: Refinements::default(),
            explored: Seen::default(),
        }
    }

    fn run(mut self) -> Answer {
        let analyses = self.task.analyses.clone();
        let terminating = TerminatingLoops::of(&analyses);
        let blocks = Blocks::of(&analyses, &terminating);
        let job = Job { analyses: &analyses, blocks: &blocks, terminating: &terminating, budget: self.context.budget };
        let mut composition = self.restarted(&job);
        loop {
            let most = composition.nodes.len().max(TUNING.first_look / 2) * 2;
            let outcome = composition.explore(&job, &mut self.work, &self.refinements.bases, most);
            self.report(&composition);
            let verdict = match outcome {
                Explored::GaveUp(why) => return self.unknown(why),
                Explored::Paused if self.work.precision.has_widened() => Verdict::Spurious,
                Explored::Paused => match self.response_so_far(&job, &composition) {
                    None => continue,
                    Some(verdict) => verdict,
                },
                Explored::Done => match self.response(&job, &composition) {
                    None => return self.holds(&composition),
                    Some(verdict) => verdict,
                },
                Explored::Alarm(alarm) => self.alarm(&job, &composition, &alarm),
            };
            if let Verdict::Answer(answer) = verdict {
                return answer;
            }
            if self.refinements.count > TUNING.most_refinements {
                return self.unknown(WhyUnknown::NotRefined(self.refinements.count));
            }
            composition = self.restarted(&job);
        }
    }

    fn restarted(&mut self, job: &Job) -> Composition {
        self.work.precision.begin_exploration();
        Composition::start(job, &mut self.work, &self.refinements.bases)
    }

    fn report(&mut self, composition: &Composition) {
        self.explored.states = composition.nodes.len() as u64;
        self.explored.steps = self.work.steps;
        tracing::info!(
            max_states = composition.nodes.len(),
            max_transitions = composition.transitions.len(),
            max_refinements = self.refinements.count,
            max_bases = self.refinements.bases.len(),
            "explored the composition"
        );
        let elapsed = self.started.elapsed();
        let kept = composition.nodes.len() as u64;
        self.context.watcher.progress(&Progress { explored: self.explored, elapsed, kept, memory: 0 });
    }

    fn unknown(&self, why: WhyUnknown) -> Answer {
        Answer::Unknown(Unknown { why, explored: self.explored })
    }

    fn holds(&self, composition: &Composition) -> Answer {
        let proof = Proof::Exploration {
            states: composition.nodes.len() as u64,
            transitions: composition.transitions.len() as u64,
            refinements: self.refinements.count,
            tracked: self.work.precision.tracked().len() as u32,
        };
        Answer::Holds(proof, BTreeSet::new())
    }

    /// Whether a run raises an alarm.
    fn alarm(&mut self, job: &Job, composition: &Composition, alarm: &Alarm) -> Verdict {
        let trace = Trace::to_alarm(composition, alarm.from, alarm.trail.clone());
        match self.work.execute(job, composition, &trace, Some(alarm.failure)) {
            Executable::Unknown(why) => Verdict::Answer(self.unknown(why)),
            Executable::No { block } => {
                let has_learned =
                    self.refinements.exclude(job, &mut self.work, composition, &trace, block, Some(alarm));
                match has_learned {
                    true => Verdict::Spurious,
                    false => Verdict::Answer(self.unknown(WhyUnknown::NotRefined(self.refinements.count))),
                }
            }
            Executable::Yes { inputs, when, .. } => Verdict::Answer(match alarm.failure {
                Failure::Gap => self.unknown(WhyUnknown::Gap(None)),
                Failure::Fault(assumed) => self.unknown(WhyUnknown::fault(assumed)),
                Failure::Check(check) if job.analyses.program().check(check).kind == CheckKind::Unsupported => {
                    self.unknown(WhyUnknown::Unsupported(check))
                }
                Failure::Check(check) => match self.replay(job, (check, &inputs), when) {
                    Ok(violation) => Answer::Violated(violation),
                    Err(why) => self.unknown(why),
                },
            }),
        }
    }

    fn replay(
        &mut self,
        job: &Job,
        claim: (plumb_ir::check::CheckId, &[plumb_sym::Input]),
        when: plumb_term::TermId,
    ) -> Result<Violation, WhyUnknown> {
        let mut realiser = Realiser::new(job.analyses.program());
        let model = self.work.queries.solver.model();
        realiser.replay(&self.work.sym, model, claim, &[when], job.budget)
    }
}
