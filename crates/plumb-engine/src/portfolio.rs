//! Several engines at once: the first that has evidence ends the others.
//!
//! Guided simulation looks for violations on all threads but one; bounded model checking and induction share the one
//! that is left. Symbolic execution with abstraction joins them late: most programs need no more than those, and it is the one
//! that can make use of a long time. They know nothing of each other yet. An engine that gives up leaves its part of the
//! machine to the rest.
//! A supervisor looks after what the machine has to give: when memory gets short the engine that grows fastest is ended, and
//! before the system ends the process for its use of the processor, all are.
//!
//! **Soundness.** That of the engine that answers. Two answers that contradict each other are a defect, and none is given.

use crate::answer::{Answer, Explored, Unknown, WhyUnknown};
use crate::bmc::{BmcOptions, bmc};
use crate::budget::{Budget, Cancel, Watcher};
use crate::host::{processor_limit, processor_time, resident_bytes};
use crate::kind::kind;
use crate::simulate::{SimulateOptions, simulate};
use crate::symex::{Order, SymexOptions, symex};
use plumb_ir::program::Program;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct PortfolioOptions {
    pub members: Vec<Member>,
    pub seed: u64,
    pub unwinding: BmcOptions,
    /// In which symbolic execution follows paths, if somebody cares.
    pub order: Option<Order>,
}

/// An engine. When memory is short the last of those that are left is ended first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Member {
    Simulate,
    Kind,
    /// Symbolic execution, with abstraction after so many visits.
    Symex(Option<u32>),
    Bmc,
}

impl Member {
    pub const ALL: [Member; 4] = [Member::Simulate, Member::Kind, Member::Bmc, Member::Symex(Some(0))];

    /// When it starts, unless another engine gives up before.
    fn start(self, budget: &Budget) -> Duration {
        let has = budget.deadline.map_or(LATE, |end| end.saturating_duration_since(Instant::now()));
        match self {
            Member::Simulate | Member::Kind | Member::Bmc => Duration::ZERO,
            Member::Symex(_) => (has / HEAD_START).min(LATE),
        }
    }
}

/// The part of the time that the others have before symbolic execution starts, and what is enough for them.
const HEAD_START: u32 = 8;
const LATE: Duration = Duration::from_secs(10);

/// How often the user's own wish to stop is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// How often the machine is.
const LOOK_AT_MACHINE: Duration = Duration::from_millis(200);
/// Processor time that is kept for telling the answer.
const LAST_SECONDS: Duration = Duration::from_secs(2);
/// Symbolic engines build deep terms, and walk some of them by recursion of a bounded depth.
const STACK: usize = 256 << 20;

/// A member that is at work.
struct Running {
    member: Member,
    cancel: Cancel,
    /// Why the supervisor has ended it.
    ended: Option<WhyUnknown>,
}

pub fn portfolio(program: &Program, options: &PortfolioOptions, budget: &Budget, watcher: &dyn Watcher) -> Answer {
    let (sender, receiver) = channel::<(Member, Answer)>();
    let is_alone = options.members.len() == 1;
    std::thread::scope(|scope| {
        let mut running: Vec<Running> = Vec::new();
        let start = |member: Member| -> Option<Running> {
            let own = share(member, budget, is_alone);
            let cancel = own.cancel.clone();
            let sender = sender.clone();
            let run = move || {
                // One line of progress is enough: simulation's has most to tell.
                let nobody = &();
                let symbolic: &dyn Watcher = if is_alone { watcher } else { nobody };
                let work = || match member {
                    Member::Simulate => simulate(program, &SimulateOptions { seed: options.seed }, &own, watcher),
                    Member::Bmc => bmc(program, &options.unwinding, &own, symbolic),
                    Member::Kind => kind(program, &own, symbolic),
                    Member::Symex(threshold) => {
                        // Bounded model checking has looked at finite trees.
                        let (order, seed, tries_plainly) = (options.order, options.seed, is_alone);
                        let options = SymexOptions { threshold, order, seed, tries_plainly, ..Default::default() };
                        symex(program, &options, &own, symbolic)
                    }
                };
                let answer = catch_unwind(AssertUnwindSafe(work));
                // Nobody listens any more once there is an answer.
                let _ = match answer {
                    Ok(answer) => sender.send((member, answer)),
                    Err(panic) => {
                        let _ = sender.send((member, failed(member)));
                        resume_unwind(panic)
                    }
                };
            };
            let builder = std::thread::Builder::new().name(format!("{member:?}")).stack_size(STACK);
            builder.spawn_scoped(scope, run).is_ok().then_some(Running { member, cancel, ended: None })
        };
        let started = Instant::now();
        let waits = |member: &Member| if is_alone { Duration::ZERO } else { member.start(budget) };
        let mut waiting: Vec<(Duration, Member)> = options.members.iter().map(|m| (waits(m), *m)).collect();
        let mut open: Vec<(Member, Unknown)> = Vec::new();
        let mut supervisor = Supervisor::new(budget);
        loop {
            // Who gives up because the time is over leaves none to others.
            if budget.is_over() && (!running.is_empty() || !open.is_empty()) {
                waiting.clear();
            }
            let is_time = |wait: &Duration| !open.is_empty() || running.is_empty() || started.elapsed() >= *wait;
            let due: Vec<(Duration, Member)> = waiting.extract_if(.., |(wait, _)| is_time(wait)).collect();
            running.extend(due.into_iter().filter_map(|(_, member)| start(member)));
            if running.is_empty() {
                break;
            }
            match receiver.recv_timeout(LOOK) {
                Ok((member, Answer::Unknown(mut unknown))) => {
                    let at = running.iter().position(|r| r.member == member);
                    if let Some(why) = at.and_then(|at| running.remove(at).ended) {
                        unknown.why = why;
                    }
                    open.push((member, unknown));
                }
                Ok((_, answer @ (Answer::Holds(_) | Answer::Violated(_)))) => {
                    running.iter().for_each(|r| r.cancel.cancel());
                    return confirmed(answer, &receiver);
                }
                Err(RecvTimeoutError::Timeout) => supervisor.look(&mut running),
                // Cannot be: one sender stays here.
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Answer::Unknown(best_reason(open, budget))
    })
}

/// What a defect of an engine leaves.
fn failed(member: Member) -> Answer {
    let why = format!("the engine {member:?} has failed; this is a defect of Plumb, please report it with the source");
    Answer::Unknown(Unknown { why: WhyUnknown::CannotRun(why), explored: Explored::default() })
}

/// What of the budget a member gets. Symbolic engines look at the memory of the whole process.
fn share(member: Member, budget: &Budget, is_alone: bool) -> Budget {
    let cancel = Cancel::new();
    match member {
        _ if is_alone => Budget { cancel, ..budget.clone() },
        Member::Simulate => {
            Budget { threads: budget.threads.saturating_sub(1).max(1), memory: budget.memory / 3, cancel, ..*budget }
        }
        Member::Kind | Member::Symex(_) => Budget { threads: 1, cancel, ..*budget },
        // Deeper bounds give way to a proof.
        Member::Bmc => Budget { threads: 1, memory: budget.memory / 4 * 3, cancel, ..*budget },
    }
}

struct Supervisor<'b> {
    budget: &'b Budget,
    processor_limit: Option<Duration>,
    last_look: Instant,
}

impl<'b> Supervisor<'b> {
    fn new(budget: &'b Budget) -> Supervisor<'b> {
        Supervisor { budget, processor_limit: processor_limit(), last_look: Instant::now() }
    }

    fn look(&mut self, running: &mut [Running]) {
        if self.budget.cancel.is_cancelled() {
            running.iter().for_each(|r| r.cancel.cancel());
        }
        if self.last_look.elapsed() < LOOK_AT_MACHINE {
            return;
        }
        self.last_look = Instant::now();
        if let (Some(limit), Some(used)) = (self.processor_limit, processor_time())
            && used + LAST_SECONDS > limit
        {
            for one in running.iter_mut().filter(|r| r.ended.is_none()) {
                one.ended = Some(WhyUnknown::Timeout);
                one.cancel.cancel();
            }
        }
        // One after the other: what an engine has is free only when it has ended.
        let is_full = resident_bytes().is_some_and(|bytes| bytes > self.budget.memory);
        if is_full && running.iter().all(|r| r.ended.is_none()) {
            let last = running.iter_mut().filter(|r| r.member != Member::Simulate).max_by_key(|r| r.member);
            if let Some(one) = last {
                one.ended = Some(WhyUnknown::OutOfMemory);
                one.cancel.cancel();
            }
        }
    }
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
    let explored = open.iter().min_by_key(|(member, _)| *member).map(|(_, u)| u.explored).unwrap_or_default();
    let rank = |why: &WhyUnknown| match why {
        WhyUnknown::CannotRun(_) => 0,
        WhyUnknown::Unsupported(_) => 1,
        WhyUnknown::Fault(..) => 2,
        WhyUnknown::LooseModel(_) => 3,
        WhyUnknown::Addresses => 4,
        // One that says where is better.
        WhyUnknown::Faults(site) => 5 + u32::from(site.is_none()),
        WhyUnknown::Bound(_) => 7,
        WhyUnknown::OutOfMemory => 8,
        WhyUnknown::Timeout | WhyUnknown::Cancelled => 9,
        WhyUnknown::Recursion(_) => 10,
        WhyUnknown::Solver(_) | WhyUnknown::NotInductive(_) | WhyUnknown::Endless => 11,
    };
    let why = open.into_iter().map(|(_, unknown)| unknown.why).min_by_key(rank);
    let why = match why {
        _ if budget.cancel.is_cancelled() => WhyUnknown::Cancelled,
        Some(why) => why,
        None => WhyUnknown::CannotRun("no engine could be started".to_string()),
    };
    Unknown { why, explored }
}
