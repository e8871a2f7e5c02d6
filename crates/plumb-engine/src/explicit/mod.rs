//! Explicit-state search of programs in which control can be taken away: threads, interrupt handlers, tasks.
//!
//! **Idea.** The machine runs to where the program asks who runs next ([`InputOrigin::Schedule`]), and from there with each answer; a state that was met before
//! is not followed again (Holzmann's SPIN is the anchor). Few preemptions first: most errors need no more than two or three (iterative context
//! bounding, Musuvathi and Qadeer 2007), and when the last schedule is done all have been. Where the points are is not this engine's business:
//! [`plumb_ir::preempt`] has reduced them.
//!
//! ```text
//!   search    states to be explored, states visited
//!   choices   which values an input has
//!   tuning    knobs
//! ```
//!
//! **Soundness.** A violation is a list of inputs, which is replayed. The property holds if every run has been followed to its end or to a state met before, with every
//! value of every input, and none broke a check, faulted or met what is not modelled. That says something about the machine's own memory layout. So the
//! search is made again on a program with checks wherever runs may depend on addresses or leave their objects ([`plumb_ir::property::layout`]), unless
//! it has none. States are compared by fingerprints of 128 bits,
//! without registers that are dead ([`plumb_exec::LiveRegisters`]).
//!
//! **Knobs.** In [`tuning`].

mod choices;
mod search;
mod tuning;

use crate::answer::{Answer, Explored, Proof, Unknown, WhyUnknown};
use crate::budget::{Budget, Watcher};
use crate::engine::{About, Answers, Context, Engine, Schedule, Task};
use crate::simulate::analysis_operations;
use plumb_exec::{CompileOptions, Image};
use plumb_ir::input::InputOrigin;
use plumb_ir::program::Program;
use plumb_ir::property::layout::{LayoutChecks, layout_checks};
use search::{Found, Search};
use std::sync::Arc;

pub struct Explicit;

impl Engine for Explicit {
    fn about(&self) -> About {
        About {
            name: "explicit",
            help: "explicit-state search of all schedules of threads, tasks and interrupt handlers",
            answers: Answers::Both,
            parameter: None,
            schedule: Schedule { memory_quarters: 1, ends_first: None, ..Schedule::default() },
        }
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        explicit(task.analyses.program(), context.budget, context.watcher)
    }
}

pub fn explicit(program: &Program, budget: &Budget, watcher: &dyn Watcher) -> Answer {
    let unknown = |why, explored| Answer::Unknown(Unknown { why, explored });
    if !program.inputs.iter().any(|site| matches!(site.origin, InputOrigin::Schedule(_))) {
        return unknown(WhyUnknown::OneSchedule, Explored::default());
    }
    let search = |program: &Program| -> Result<(Found, Explored), Answer> {
        let image = Image::compile(program, &CompileOptions::default())
            .map_err(|error| unknown(WhyUnknown::CannotRun(error.to_string()), Explored::default()))?;
        let mut search = Search::new(Arc::new(image), budget, watcher);
        let _span = tracing::info_span!("search").entered();
        let found = search.run();
        let explored = search.explored();
        tracing::info!(states = explored.states, steps = explored.steps);
        Ok((found, explored))
    };
    let (found, explored) = match search(program) {
        Ok(result) => result,
        Err(answer) => return answer,
    };
    match found {
        Found::Violation(violation) => return Answer::Violated(violation),
        Found::Open(why) => return unknown(why, explored),
        Found::Everything => {}
    }
    let holds = |explored: Explored| {
        let proof = Proof::AllStates { states: explored.states, steps: explored.steps };
        Answer::Holds(proof, Default::default())
    };
    match layout_checks(program, analysis_operations(budget)) {
        LayoutChecks::Needless => holds(explored),
        LayoutChecks::Impossible => unknown(WhyUnknown::Addresses, explored),
        LayoutChecks::Program(watched) => match search(&watched) {
            Ok((Found::Everything, explored)) => holds(explored),
            Ok((Found::Violation(_), _)) => unknown(WhyUnknown::Addresses, explored),
            Ok((Found::Open(why), _)) => unknown(why, explored),
            Err(answer) => answer,
        },
    }
}
