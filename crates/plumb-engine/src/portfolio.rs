//! Several engines at once: the first that has evidence ends the others.
//!
//! Evidence is a proof, or a claim of a violation that a run on the machine bears out. A claim that none does ends its engine
//! and no other; so does a panic.
//!
//!
//! Guided simulation looks for violations on all threads but one; bounded model checking and induction share the one
//! that is left. Symbolic execution with abstraction joins them late: most programs need no more than those, and it is the one
//! that can make use of a long time. They know nothing of each other yet. An engine that gives up leaves its part of the
//! machine to the rest.
//! A supervisor looks after what the machine has to give: when memory gets short the engine that grows fastest is ended, and
//! before the system ends the process for its use of the processor, all are.
//!
//! Engines look at the clock, but may be long about it. When the time is over, one that does not end is left behind: the
//! answer does not wait for it, and it ends with the process.
//!
//! **Soundness.** That of the engine that answers. Two answers that contradict each other are a defect, and none is given.

use crate::answer::{Answer, Explored, Unknown, Violation, WhyUnknown};
use crate::bmc::{BmcOptions, bmc};
use crate::budget::{Budget, Cancel, Watcher};
use crate::host::{address_space, processor_limit, processor_time, resident_bytes};
use crate::kind::kind;
use crate::realise::{NotReal, Realiser};
use crate::simulate::{SimulateOptions, simulate};
use crate::symex::{Order, SymexOptions, symex};
use plumb_ir::analysis::Analyses;
use plumb_ir::program::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct PortfolioOptions {
    pub members: Vec<Member>,
    pub seed: u64,
    pub unwinding: BmcOptions,
    /// In which symbolic execution follows paths, if somebody cares.
    pub order: Option<Order>,
    /// Proofs show that there is no undefined behaviour; the others suppose it where they must.
    pub strict: bool,
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
/// Symbolic engines build deep terms, and walk some of them by recursion of a bounded depth. Where address space is limited
/// their stacks take no more than such a part of it.
const STACK: u64 = 256 << 20;
const STACK_PART: u64 = 32;
/// How long an engine that was told to stop is waited for. One that does not look up in time is left behind.
const PARTING: Duration = Duration::from_millis(400);
/// How long an answer that contradicts the first is waited for, and how long the run of a claim may take when the time is over.
const SECOND_THOUGHTS: Duration = Duration::from_millis(100);
const REPLAY: Duration = Duration::from_millis(800);

/// A member that is at work.
struct Running {
    member: Member,
    cancel: Cancel,
    /// Why the supervisor has ended it.
    ended: Option<WhyUnknown>,
}

type Watched = Arc<dyn Watcher + Send + Sync>;

pub fn portfolio(program: &Program, options: &PortfolioOptions, budget: &Budget, watcher: Watched) -> Answer {
    let race = Race::new(program, options, budget, watcher);
    race.run()
}

/// What the members' threads share. They own it: nobody waits for a thread that does not end in time.
#[derive(Clone)]
struct Track {
    analyses: Arc<Analyses>,
    options: Arc<PortfolioOptions>,
    watcher: Watched,
    sender: Sender<(Member, Answer)>,
}

struct Race<'b> {
    budget: &'b Budget,
    track: Track,
    receiver: Receiver<(Member, Answer)>,
    running: Vec<Running>,
    waiting: Vec<(Duration, Member)>,
    /// Members that have no answer, and why.
    open: Vec<(Member, Unknown)>,
}

impl<'b> Race<'b> {
    fn new(program: &Program, options: &PortfolioOptions, budget: &'b Budget, watcher: Watched) -> Race<'b> {
        let (sender, receiver) = channel::<(Member, Answer)>();
        let is_alone = options.members.len() == 1;
        let waits = |member: &Member| if is_alone { Duration::ZERO } else { member.start(budget) };
        let waiting = options.members.iter().map(|m| (waits(m), *m)).collect();
        let (analyses, options) = (Arc::new(Analyses::new(program)), Arc::new(options.clone()));
        let track = Track { analyses, options, watcher, sender };
        Race { budget, track, receiver, running: Vec::new(), waiting, open: Vec::new() }
    }

    fn run(mut self) -> Answer {
        let started = Instant::now();
        let mut supervisor = Supervisor::new(self.budget);
        let mut over: Option<Instant> = None;
        loop {
            if self.budget.is_over() {
                let since = *over.get_or_insert_with(Instant::now);
                // Who gives up because the time is over leaves none to others.
                if !self.running.is_empty() || !self.open.is_empty() {
                    self.waiting.clear();
                }
                if since.elapsed() > PARTING {
                    self.leave_behind();
                }
            }
            self.start_due(started);
            if self.running.is_empty() {
                break;
            }
            match self.receiver.recv_timeout(LOOK) {
                Ok((member, answer)) => {
                    if let Some(answer) = self.take(member, answer) {
                        return answer;
                    }
                }
                Err(RecvTimeoutError::Timeout) => supervisor.look(&mut self.running),
                // Cannot be: one sender stays here.
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Answer::Unknown(best_reason(self.open, self.budget))
    }

    /// Starts the members whose time has come.
    fn start_due(&mut self, started: Instant) {
        let (is_open, is_idle) = (!self.open.is_empty(), self.running.is_empty());
        let is_time = |wait: &Duration| is_open || is_idle || started.elapsed() >= *wait;
        let due: Vec<(Duration, Member)> = self.waiting.extract_if(.., |(wait, _)| is_time(wait)).collect();
        for (_, member) in due {
            let own = share(member, self.budget, self.track.options.members.len() == 1);
            let cancel = own.cancel.clone();
            match self.track.start(member, own) {
                Ok(()) => self.running.push(Running { member, cancel, ended: None }),
                Err(error) => {
                    let why = WhyUnknown::CannotRun(format!("the system gives no thread for an engine: {error}"));
                    self.open.push((member, Unknown { why, explored: Explored::default() }));
                }
            }
        }
    }

    /// An answer has come: what the whole race has to say, unless it goes on.
    fn take(&mut self, member: Member, answer: Answer) -> Option<Answer> {
        let at = self.running.iter().position(|r| r.member == member);
        let ended = at.and_then(|at| self.running.remove(at).ended);
        let unknown = match answer {
            Answer::Unknown(unknown) => Unknown { why: ended.unwrap_or(unknown.why), ..unknown },
            answer @ Answer::Holds(..) => return Some(self.confirmed(answer)),
            Answer::Violated(claim) => match self.replayed(&claim) {
                Ok(violation) => return Some(self.confirmed(Answer::Violated(violation))),
                // The others go on: a claim that is none says nothing about the program.
                Err(why) => Unknown { why, explored: Explored::default() },
            },
        };
        self.open.push((member, unknown));
        None
    }

    /// The run of a claim.
    fn replayed(&self, claim: &Violation) -> Result<Violation, WhyUnknown> {
        let deadline = self.budget.deadline.map(|end| end.max(Instant::now() + REPLAY));
        let budget = Budget { deadline, cancel: Cancel::new(), ..self.budget.clone() };
        Realiser::new(self.track.analyses.program()).realise(claim, &budget).map_err(|not_real| match not_real {
            NotReal::Because(why) => why,
            NotReal::Otherwise => WhyUnknown::NotReplayed(claim.check, None),
        })
    }

    /// The first answer with evidence, unless another that was on its way says the opposite.
    fn confirmed(&mut self, first: Answer) -> Answer {
        self.running.iter().for_each(|r| r.cancel.cancel());
        let until = Instant::now() + SECOND_THOUGHTS;
        while !self.running.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            let Ok((member, other)) = self.receiver.recv_timeout(left) else { break };
            self.running.retain(|r| r.member != member);
            let contradicts = match (&first, &other) {
                (Answer::Holds(..), Answer::Violated(claim)) => self.replayed(claim).is_ok(),
                (Answer::Violated(_), Answer::Holds(..)) => true,
                _ => false,
            };
            if contradicts {
                let why =
                    "two engines contradict each other; this is a defect of Plumb, please report it with the source";
                let why = WhyUnknown::CannotRun(why.to_string());
                return Answer::Unknown(Unknown { why, explored: Explored::default() });
            }
        }
        first
    }

    /// Engines that have not ended although they were told to are left behind.
    fn leave_behind(&mut self) {
        let why = if self.budget.cancel.is_cancelled() { WhyUnknown::Cancelled } else { WhyUnknown::Timeout };
        for one in self.running.drain(..) {
            one.cancel.cancel();
            let why = one.ended.unwrap_or_else(|| why.clone());
            self.open.push((one.member, Unknown { why, explored: Explored::default() }));
        }
    }
}

impl Track {
    /// Starts a member on a thread of its own.
    fn start(&self, member: Member, own: Budget) -> std::io::Result<()> {
        let track = self.clone();
        spawn(member, self.sender.clone(), move || track.work(member, &own))
    }

    fn work(&self, member: Member, own: &Budget) -> Answer {
        let Track { analyses, options, watcher, .. } = self;
        let (is_alone, strict) = (options.members.len() == 1, options.strict);
        // One line of progress is enough: simulation's has most to tell.
        let symbolic: &dyn Watcher = if is_alone { &**watcher } else { &() };
        match member {
            Member::Simulate => {
                let has_few = std::thread::available_parallelism().is_ok_and(|n| n.get() < options.members.len());
                let options = SimulateOptions { seed: options.seed, gives_way: !is_alone && has_few };
                simulate(analyses, &options, own, &**watcher)
            }
            Member::Bmc => bmc(analyses, &BmcOptions { strict, ..options.unwinding.clone() }, own, symbolic),
            Member::Kind => kind(analyses, strict, own, symbolic),
            Member::Symex(threshold) => {
                // Bounded model checking has looked at finite trees.
                let (order, seed, tries_plainly) = (options.order, options.seed, is_alone);
                let options = SymexOptions { threshold, order, seed, tries_plainly, strict, ..Default::default() };
                symex(analyses, &options, own, symbolic)
            }
        }
    }
}

/// Runs an engine on a thread that sends its answer.
fn spawn(
    member: Member,
    sender: Sender<(Member, Answer)>,
    work: impl FnOnce() -> Answer + Send + 'static,
) -> std::io::Result<()> {
    let run = move || {
        // A panic has been told by the hook.
        let answer = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| failed(member));
        // Nobody listens any more once there is an answer.
        let _ = sender.send((member, answer));
    };
    let stack = address_space().map_or(STACK, |space| STACK.min(space / STACK_PART));
    let builder = std::thread::Builder::new().name(format!("{member:?}")).stack_size(stack as usize);
    builder.spawn(run).map(|_| ())
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

/// Why none of the engines has an answer: a reason that lies in the program rather than in the budget, if there is one.
fn best_reason(open: Vec<(Member, Unknown)>, budget: &Budget) -> Unknown {
    let explored = open.iter().min_by_key(|(member, _)| *member).map(|(_, u)| u.explored).unwrap_or_default();
    let rank = |why: &WhyUnknown| match why {
        WhyUnknown::CannotRun(_) | WhyUnknown::NotReplayed(_, None) => 0,
        WhyUnknown::Unsupported(_) => 1,
        WhyUnknown::Fault(..) => 2,
        WhyUnknown::LooseModel(_) | WhyUnknown::NotReplayed(_, Some(_)) => 3,
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

#[cfg(test)]
mod tests;
