//! Several engines at once: the first that has evidence ends the others.
//!
//! Guided simulation looks for violations on all threads but one; bounded model checking and induction share the one
//! that is left. They know nothing of each other yet. An engine that gives up leaves its part of the machine to the rest.
//!
//! **Soundness.** That of the engine that answers. Two answers that contradict each other are a defect, and none is given.

use crate::answer::{Answer, Explored, Unknown, WhyUnknown};
use crate::bmc::{BmcOptions, bmc};
use crate::budget::{Budget, Cancel, Watcher};
use crate::kind::kind;
use crate::simulate::{SimulateOptions, simulate};
use plumb_ir::program::Program;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub struct PortfolioOptions {
    pub seed: u64,
    pub bound: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Member {
    Simulate,
    Bmc,
    Kind,
}

/// How often the user's own wish to stop is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// Symbolic engines build deep terms, and walk some of them by recursion of a bounded depth.
const STACK: usize = 256 << 20;

pub fn portfolio(program: &Program, options: &PortfolioOptions, budget: &Budget, watcher: &dyn Watcher) -> Answer {
    let stop = Cancel::new();
    let share = |threads: usize, memory: u64| Budget { threads, memory, cancel: stop.clone(), ..budget.clone() };
    let simulating = share(budget.threads.saturating_sub(1).max(1), budget.memory / 2);
    let symbolic = share(1, budget.memory / 4);
    let (sender, receiver) = channel::<(Member, Answer)>();
    std::thread::scope(|scope| {
        let start = |member: Member| {
            let (sender, simulating, symbolic) = (sender.clone(), &simulating, &symbolic);
            let run = move || {
                let answer = match member {
                    Member::Simulate => simulate(program, &SimulateOptions { seed: options.seed }, simulating, watcher),
                    Member::Bmc => bmc(program, &BmcOptions { bound: options.bound }, symbolic, &()),
                    Member::Kind => kind(program, symbolic, &()),
                };
                // Nobody listens any more once there is an answer.
                let _ = sender.send((member, answer));
            };
            let builder = std::thread::Builder::new().name(format!("{member:?}")).stack_size(STACK);
            builder.spawn_scoped(scope, run).is_ok()
        };
        let members = [Member::Simulate, Member::Bmc, Member::Kind];
        let mut running = members.into_iter().filter(|member| start(*member)).count();
        drop(sender);
        let mut open: Vec<(Member, Unknown)> = Vec::new();
        while running > 0 {
            match receiver.recv_timeout(LOOK) {
                Ok((member, answer)) => {
                    running -= 1;
                    match answer {
                        Answer::Unknown(unknown) => open.push((member, unknown)),
                        Answer::Holds(_) | Answer::Violated(_) => {
                            stop.cancel();
                            return confirmed(answer, &receiver);
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    if budget.cancel.is_cancelled() {
                        stop.cancel();
                    }
                }
                // A thread has died without an answer: a defect, which leaves the others' answers as they are.
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Answer::Unknown(best_reason(open, budget))
    })
}

/// The first answer, unless another that was on its way says the opposite.
fn confirmed(first: Answer, receiver: &Receiver<(Member, Answer)>) -> Answer {
    while let Ok((_, other)) = receiver.try_recv() {
        let contradicts = matches!(
            (&first, &other),
            (Answer::Holds(_), Answer::Violated(_)) | (Answer::Violated(_), Answer::Holds(_))
        );
        if contradicts {
            let why = "two engines contradict each other; this is a defect of Plumb, please report it with the source";
            let why = WhyUnknown::CannotRun(why.to_string());
            return Answer::Unknown(Unknown { why, explored: Explored::default() });
        }
    }
    first
}

/// Why none of the engines has an answer: a reason that lies in the program rather than in the budget, if there is one.
fn best_reason(open: Vec<(Member, Unknown)>, budget: &Budget) -> Unknown {
    let explored = open.iter().find(|(m, _)| *m == Member::Simulate).map(|(_, u)| u.explored).unwrap_or_default();
    let rank = |why: &WhyUnknown| match why {
        WhyUnknown::CannotRun(_) => 0,
        WhyUnknown::Unsupported(_) => 1,
        WhyUnknown::Fault(..) => 2,
        WhyUnknown::LooseModel(_) => 3,
        WhyUnknown::Addresses => 4,
        WhyUnknown::Faults => 5,
        WhyUnknown::Bound(_) => 6,
        WhyUnknown::OutOfMemory => 7,
        WhyUnknown::Timeout | WhyUnknown::Cancelled => 8,
        WhyUnknown::Solver(_) | WhyUnknown::NotInductive(_) => 9,
    };
    let why = open.into_iter().map(|(_, unknown)| unknown.why).min_by_key(rank);
    let why = match why {
        _ if budget.cancel.is_cancelled() => WhyUnknown::Cancelled,
        Some(why) => why,
        None => WhyUnknown::CannotRun("no engine could be started".to_string()),
    };
    Unknown { why, explored }
}
