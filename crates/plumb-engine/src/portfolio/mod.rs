//! Several engines at once: the first that has evidence ends the others.
//!
//! Evidence is a proof, or a claim of a violation that a run on the machine bears out. A claim that none does ends its engine
//! and no other; so does a panic.
//!
//! Every engine starts at once. One whose schedule says so ([`Schedule::waits_for`]) has a first short slice, in which it
//! decides what is easy for it, or none, and then waits: most programs need no more than the others, and it is the one that can make
//! use of a long time. It goes on when its time has come, or when another engine has given up. So do engines that rarely come to an end
//! where tasks run under a kernel ([`Schedule::yields_to_tasks`]), in such programs. Engines exchange facts on the [`Board`].
//!
//! When memory gets short the engine is ended whose schedule says that it ends first ([`Schedule::ends_first`]), and before the
//! system ends the process for its use of the processor, all are ([`supervise`]).
//!
//! Engines look at the clock, but may be long about it. When the time is over, one that does not end is left behind: the
//! answer does not wait for it, and it ends with the process.
//!
//! **Soundness.** That of the engine that answers. Two answers that contradict each other are a defect, and none is given: after
//! an answer the others have a short time to say otherwise.

mod reason;
mod supervise;

use crate::answer::{Answer, Explored, Unknown, Violation, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Cancel, Progress, Watcher};
use crate::engine::{Context, Engine, Options, Schedule, Task};
use crate::host::address_space;
use crate::replay::realise::Realiser;
use plumb_ir::analysis::Analyses;
use plumb_ir::check::CheckKind;
use plumb_ir::preempt::Preemptor;
use plumb_ir::program::Program;
use reason::best_reason;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use supervise::Supervisor;
use tuning::TUNING;

/// A number in the list of engines of a race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Member(usize);

/// A member that is at work.
struct Running {
    member: Member,
    ends_first: Option<u32>,
    cancel: Cancel,
    /// Why the supervisor has ended it.
    ended: Option<WhyUnknown>,
    /// When it pauses, and when it goes on.
    pause: Option<(Instant, Instant)>,
}

/// How a race ended.
#[derive(Debug)]
pub struct Outcome {
    pub answer: Answer,
    /// The engine whose evidence it is; none where there is no evidence.
    pub engine: Option<&'static str>,
}

type Watched = Arc<dyn Watcher + Send + Sync>;

/// Runs engines until one has evidence.
pub fn portfolio(
    program: &Program,
    engines: &[&'static dyn Engine],
    options: &Options,
    budget: &Budget,
    watcher: Watched,
) -> Outcome {
    Race::new(program, engines, options, budget, watcher).run()
}

/// What the members' threads share. They own it: nobody waits for a thread that does not end in time.
#[derive(Clone)]
struct Track {
    task: Arc<Task>,
    board: Arc<Board>,
    engines: Arc<[&'static dyn Engine]>,
    watcher: Watched,
    sender: Sender<(Member, Answer)>,
}

struct Race<'b> {
    budget: &'b Budget,
    started: Instant,
    track: Track,
    receiver: Receiver<(Member, Answer)>,
    running: Vec<Running>,
    /// Members that have no answer, and why.
    open: Vec<(Member, Unknown)>,
}

impl<'b> Race<'b> {
    fn new(
        program: &Program,
        engines: &[&'static dyn Engine],
        options: &Options,
        budget: &'b Budget,
        watcher: Watched,
    ) -> Race<'b> {
        let (sender, receiver) = channel::<(Member, Answer)>();
        let board = Arc::new(if options.no_exchange { Board::closed() } else { Board::default() });
        let task = Arc::new(Task { analyses: Arc::new(Analyses::new(program)), options: options.clone() });
        let track = Track { task, board, engines: engines.into(), watcher, sender };
        Race { budget, started: Instant::now(), track, receiver, running: Vec::new(), open: Vec::new() }
    }

    fn run(mut self) -> Outcome {
        let outcome = self.race();
        self.track.board.report();
        outcome
    }

    fn race(&mut self) -> Outcome {
        self.start();
        let mut supervisor = Supervisor::new(self.budget);
        let mut over: Option<Instant> = None;
        while !self.running.is_empty() {
            if self.budget.is_over() {
                let since = *over.get_or_insert_with(Instant::now);
                if since.elapsed() > TUNING.stop_wait {
                    self.abandon();
                    break;
                }
            }
            self.pause_and_go_on();
            match self.receiver.recv_timeout(TUNING.poll) {
                Ok((member, answer)) => {
                    if let Some(answer) = self.take(member, answer) {
                        let has_evidence = !matches!(answer, Answer::Unknown(_));
                        return Outcome {
                            answer,
                            engine: has_evidence.then(|| self.track.engines[member.0].about().name),
                        };
                    }
                }
                Err(RecvTimeoutError::Timeout) => supervisor.poll(&mut self.running),
                // Cannot be: one sender stays here.
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let why = best_reason(std::mem::take(&mut self.open), self.budget);
        Outcome { answer: Answer::Unknown(why), engine: None }
    }

    /// Starts all members.
    fn start(&mut self) {
        let is_alone = self.track.engines.len() == 1;
        let has = self.budget.deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        let preemptors = Preemptor::all_of(self.track.task.analyses.program());
        let has_tasks = preemptors.iter().any(|(preemptor, _)| *preemptor == Preemptor::Kernel);
        for (i, engine) in self.track.engines.iter().enumerate() {
            let (member, schedule) = (Member(i), engine.about().schedule);
            let own = share(&schedule, self.budget, is_alone);
            let cancel = own.cancel.clone();
            let waits = schedule.waits_for.filter(|_| !is_alone);
            let wait = match waits {
                _ if has_tasks && schedule.yields_to_tasks && !is_alone => {
                    Some((has / 2).min(TUNING.longest_wait_with_tasks))
                }
                waits => waits.map(|part| (has / part).min(TUNING.longest_wait)),
            };
            let first_slice = if schedule.has_first_slice { TUNING.first_slice } else { Duration::ZERO };
            let pause = wait.map(|wait| (self.started + first_slice, self.started + wait.max(first_slice)));
            cancel.pause(pause.is_some() && first_slice.is_zero());
            match self.track.start(member, own) {
                Ok(()) => {
                    self.running.push(Running { member, ends_first: schedule.ends_first, cancel, ended: None, pause });
                }
                Err(error) => {
                    let why = WhyUnknown::NoThread(error.to_string());
                    self.open.push((member, Unknown { why, explored: Explored::default() }));
                }
            }
        }
    }

    /// Lets members wait for the others as long as none of those has given up. One that had nothing to do has not.
    fn pause_and_go_on(&mut self) {
        let gave_up = |(_, unknown): &(Member, Unknown)| {
            !matches!(unknown.why, WhyUnknown::NotApplicable(_) | WhyUnknown::Stacks | WhyUnknown::OneSchedule)
        };
        let (now, has_room) = (Instant::now(), self.open.iter().any(gave_up));
        for one in &mut self.running {
            if let Some((from, to)) = one.pause {
                one.cancel.pause(now >= from && now < to && !has_room);
                if now >= to || has_room {
                    one.pause = None;
                }
            }
        }
    }

    /// An answer has come: what the whole race has to say, unless it goes on.
    fn take(&mut self, member: Member, answer: Answer) -> Option<Answer> {
        let at = self.running.iter().position(|r| r.member == member);
        let ended = at.and_then(|at| self.running.remove(at).ended);
        let unknown = match self.about_responses(member, answer) {
            Answer::Unknown(unknown) => Unknown { why: ended.unwrap_or(unknown.why), ..unknown },
            answer @ Answer::Holds(..) => return Some(self.confirmed(answer)),
            Answer::Violated(claim) => match self.replayed(&claim) {
                Ok(violation) => return Some(self.confirmed(Answer::Violated(violation))),
                // The others go on: a violation that does not replay says nothing about the program.
                Err(why) => Unknown { why, explored: Explored::default() },
            },
        };
        self.open.push((member, unknown));
        None
    }

    /// An answer, unless it is the proof of an engine that does not know of responses the program has.
    fn about_responses(&self, member: Member, answer: Answer) -> Answer {
        let program = self.track.task.analyses.program();
        let has_some = || program.checks.iter().any(|check| check.kind == CheckKind::Request);
        match answer {
            Answer::Holds(..) if !self.track.engines[member.0].decides_responses() && has_some() => {
                let why = WhyUnknown::GaveUp("the engine cannot prove that requests are answered".to_string());
                Answer::Unknown(Unknown { why, explored: Explored::default() })
            }
            answer => answer,
        }
    }

    /// The run of a claim.
    fn replayed(&self, claim: &Violation) -> Result<Violation, WhyUnknown> {
        let _span = tracing::info_span!("replay").entered();
        let deadline = self.budget.deadline.map(|end| end.max(Instant::now() + TUNING.replay_time));
        let budget = Budget { deadline, cancel: Cancel::new(), ..self.budget.clone() };
        Realiser::new(self.track.task.analyses.program()).realise(claim, &budget)
    }

    /// The first answer with evidence, unless another that was on its way says the opposite.
    fn confirmed(&mut self, first: Answer) -> Answer {
        let grace = (self.started.elapsed() / TUNING.grace_share).min(TUNING.longest_grace);
        let mut until = Instant::now() + grace;
        let mut is_cancelled = false;
        while !self.running.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            let Ok((member, other)) = self.receiver.recv_timeout(left) else {
                if is_cancelled {
                    break;
                }
                self.running.iter().for_each(|r| r.cancel.cancel());
                is_cancelled = true;
                until = Instant::now() + TUNING.cancel_wait;
                continue;
            };
            self.running.retain(|r| r.member != member);
            let other = self.about_responses(member, other);
            let contradicts = match (&first, &other) {
                (Answer::Holds(..), Answer::Violated(claim)) => self.replayed(claim).is_ok(),
                (Answer::Violated(_), Answer::Holds(..)) => true,
                _ => false,
            };
            if contradicts {
                self.running.iter().for_each(|r| r.cancel.cancel());
                let why = WhyUnknown::Defect("two engines contradict each other".to_string());
                return Answer::Unknown(Unknown { why, explored: Explored::default() });
            }
        }
        first
    }

    /// Engines that have not ended although they were cancelled are left behind.
    fn abandon(&mut self) {
        let why = self.budget.why_stopped();
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
        spawn(member, self.engines[member.0].about().name, self.sender.clone(), move || track.work(member, &own))
    }

    fn work(&self, member: Member, own: &Budget) -> Answer {
        let engine = self.engines[member.0];
        let about = engine.about();
        let is_alone = self.engines.len() == 1;
        let few = std::thread::available_parallelism().is_ok_and(|n| n.get() < self.engines.len());
        // One line of progress is enough: that of the engine that uses most threads has most to report.
        let watcher: &dyn Watcher = if is_alone || about.schedule.is_parallel { &*self.watcher } else { &() };
        let watcher = &Metered(watcher);
        let context =
            Context { budget: own, board: &self.board, watcher, is_alone, has_few_processors: few && !is_alone };
        let _span = tracing::info_span!("engine", name = about.name).entered();
        engine.run(&self.task, &context)
    }
}

/// Counts the memory that an engine says it has, beside handing on what it reports.
struct Metered<'w>(&'w dyn Watcher);

impl Watcher for Metered<'_> {
    fn progress(&self, progress: &Progress) {
        tracing::info!(max_bytes = progress.memory);
        self.0.progress(progress);
    }

    fn progress_as(&self, progress: &Progress, line: &str) {
        tracing::info!(max_bytes = progress.memory);
        self.0.progress_as(progress, line);
    }

    fn phase(&self, what: &str) {
        self.0.phase(what);
    }
}

/// Runs an engine on a thread that sends its answer.
fn spawn(
    member: Member,
    name: &'static str,
    sender: Sender<(Member, Answer)>,
    work: impl FnOnce() -> Answer + Send + 'static,
) -> std::io::Result<()> {
    let run = move || {
        // A panic has been reported by the hook.
        let answer = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| failed(name));
        // Nobody listens any more once there is an answer.
        let _ = sender.send((member, answer));
    };
    let builder = std::thread::Builder::new().name(name.to_string()).stack_size(stack_size());
    builder.spawn(run).map(|_| ())
}

/// The stack of a thread that an engine runs on.
pub(crate) fn stack_size() -> usize {
    address_space().map_or(TUNING.stack, |space| TUNING.stack.min(space / TUNING.stack_share)) as usize
}

/// What a defect of an engine leaves.
fn failed(name: &str) -> Answer {
    let why = WhyUnknown::Defect(format!("the engine {name} has panicked"));
    Answer::Unknown(Unknown { why, explored: Explored::default() })
}

/// What of the budget a member gets.
fn share(schedule: &Schedule, budget: &Budget, is_alone: bool) -> Budget {
    let cancel = Cancel::new();
    if is_alone {
        return Budget { cancel, ..budget.clone() };
    }
    let threads = if schedule.is_parallel { budget.threads.saturating_sub(1).max(1) } else { 1 };
    Budget { threads, memory: budget.memory / 4 * schedule.memory_quarters, cancel, ..budget.clone() }
}

#[cfg(test)]
mod tests;
mod tuning;
