//! Guided simulation: runs the program on inputs that it learns to choose, and branches from states that showed something
//! new.
//!
//! ```text
//!   opening     the run of a program that asks for nothing
//!   determined  whether that is its only run
//!   plan        before the run: loop heads to stop at, distances to checks, constants
//!   sites       how each input site is fed
//!   features    abstract states: what is new about a state
//!   objectives  what has not been done yet, and who came nearest
//!   learn       from comparisons back to inputs
//!   corpus      states to branch from
//!   worker      the search of one thread
//!   mend        failed assumptions
//!   pursue      toward one objective
//! ```
//!
//! Threads search for themselves and tell each other what they found when a round is over. A round is a number of steps,
//! not of seconds, so that a search with the same seed and number of threads is the same search.
//!
//! No paper stands behind it: it joins coverage-guided fuzzing, search-based testing (branch distances) and explicit-state
//! search on cheap snapshots. What it learns only steers, so that no mistake in it can make a wrong answer. A violation is a
//! list of inputs that the caller replays on the program as it is. "Holds" is said only of a program that asks for
//! nothing, after its one run, and only if neither addresses nor the choice of a library could change that run.

mod corpus;
mod coverage;
mod determined;
mod features;
mod learn;
mod mend;
mod objectives;
mod opening;
mod plan;
mod pursue;
mod sites;
mod worker;

use crate::answer::{Answer, Explored, Proof, Unknown, Violation, WhyUnknown};
use crate::budget::{Budget, Progress, Watcher};
use crate::engine::{Answers, Context, Engine, Schedule, Task};
use crate::loose;
use corpus::trace_bytes;
use coverage::Coverage;
use determined::is_determined;
use features::Layout;
use opening::{Ending, Opening};
use plan::Plan;
use plumb_exec::{CompileOptions, FaultKind, Image, Outcome, page_bytes};
use plumb_ir::analysis::Analyses;
use plumb_ir::check::CheckId;
use plumb_ir::program::Program;
use rustc_hash::FxHashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier, Mutex, OnceLock};
use std::time::{Duration, Instant};
use worker::{Shared, Worker};

#[derive(Clone, Debug)]
pub struct SimulateOptions {
    pub seed: u64,
    /// Others wait for the processor: they get most of it while no new branch is found.
    pub gives_way: bool,
}

/// Steps of the first round and of the longest.
const FIRST_ROUND: u64 = 50_000;
const LONGEST_ROUND: u64 = 40_000_000;
/// How long a search that gives way to others has all the time that it wants.
const OWN_TIME: Duration = Duration::from_secs(12);
/// A search that has found no new branch for half of its time rests so many times as long as it works.
const REST: u32 = 2;
/// How often it looks up while it rests.
const LOOK: Duration = Duration::from_millis(20);
/// Of a thread.
const STACK: usize = 64 << 20;
/// There are as many states to choose from as there would be room for if each took this much.
const ENTRY_BYTES: u64 = 640 << 10;

pub struct Simulate;

impl Engine for Simulate {
    fn name(&self) -> &'static str {
        "simulate"
    }

    fn help(&self) -> &'static str {
        "guided concrete search for violations"
    }

    fn answers(&self) -> Answers {
        // It proves programs that have a single run.
        Answers::Violations
    }

    fn schedule(&self) -> Schedule {
        Schedule { is_parallel: true, memory_quarters: 1, ends_first: None, ..Schedule::default() }
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let options = SimulateOptions { seed: task.options.seed, gives_way: context.has_few_processors };
        simulate(&task.analyses, &options, context.budget, context.watcher)
    }
}

pub fn simulate(analyses: &Analyses, options: &SimulateOptions, budget: &Budget, watcher: &dyn Watcher) -> Answer {
    let program = analyses.program();
    let unknown = |why, explored| Answer::Unknown(Unknown { why, explored });
    let image = match Image::compile(program, &CompileOptions::default()) {
        Ok(image) => Arc::new(image),
        Err(error) => return unknown(WhyUnknown::CannotRun(error.to_string()), Explored::default()),
    };
    match opening::open(program, image.clone(), budget) {
        Opening::Broken(violation) => match loose::rests_on(&image, &violation, budget) {
            None => return Answer::Violated(violation),
            Some(input) if violation.inputs.is_empty() => {
                return unknown(WhyUnknown::LooseModel(input), Explored { runs: 1, ..Explored::default() });
            }
            Some(_) => {}
        },
        Opening::Ended(ending) => return only_run(program, ending, budget),
        Opening::OutOfTime { steps } => {
            let why = if budget.cancel.is_cancelled() { WhyUnknown::Cancelled } else { WhyUnknown::Timeout };
            return unknown(why, Explored { runs: 1, steps, ..Explored::default() });
        }
        Opening::Asks => {}
    }
    let plan = Arc::new(Plan::new(analyses));
    let compile = CompileOptions {
        probes: plan.heads.iter().map(|h| (h.func, h.loc)).collect(),
        measure: true,
        ..CompileOptions::default()
    };
    let image = match Image::compile(program, &compile) {
        Ok(image) => Arc::new(image),
        Err(error) => return unknown(WhyUnknown::CannotRun(error.to_string()), Explored::default()),
    };
    let layouts = Arc::new(Layout::all(program, &image, &plan));
    let threads = budget.threads.max(1);
    let entries = (budget.memory / threads as u64 / ENTRY_BYTES).clamp(64, 6000) as usize;
    let workers = (0..threads as u64).map(|i| {
        let seed = options.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(i);
        Worker::new(image.clone(), plan.clone(), layouts.clone(), seed, entries, budget.clone())
    });
    let all_locations = plan.reachable.iter().map(|f| program.function(*f).loc_count as u64).sum();
    let gives_way = options.gives_way;
    Search { program, budget, watcher, started: Instant::now(), all_locations, gives_way }.run(workers.collect())
}

/// What the run of a program tells that asked for nothing in it.
fn only_run(program: &Program, ending: Ending, budget: &Budget) -> Answer {
    let steps = ending.steps;
    let unknown = |why| Answer::Unknown(Unknown { why, explored: Explored { runs: 1, steps, ..Explored::default() } });
    match ending.outcome {
        Outcome::Fault { kind: FaultKind::OutOfMemory, .. } => unknown(WhyUnknown::OutOfMemory),
        Outcome::Fault { kind, site } => unknown(WhyUnknown::Fault(kind, site)),
        Outcome::Unsupported { check, .. } => unknown(WhyUnknown::Unsupported(check)),
        _ if is_determined(program, &ending, budget) => Answer::Holds(Proof::OnlyRun { steps }, Default::default()),
        _ if budget.cancel.is_cancelled() => unknown(WhyUnknown::Cancelled),
        _ if budget.is_over() => unknown(WhyUnknown::Timeout),
        _ => unknown(WhyUnknown::Addresses),
    }
}

struct Search<'a> {
    program: &'a Program,
    budget: &'a Budget,
    watcher: &'a dyn Watcher,
    started: Instant,
    all_locations: u64,
    gives_way: bool,
}

/// What the threads leave for each other between two rounds.
#[derive(Default)]
struct Board {
    shared: Vec<Option<Shared>>,
    /// The first thread's with a violation counts.
    violations: Vec<Option<Violation>>,
    explored: Vec<(Explored, usize)>,
    /// Bytes that each thread has for itself.
    own_bytes: Vec<u64>,
    /// Whether each thread can still do with less.
    can_shrink: Vec<bool>,
    /// Memory is short: everyone keeps the better half.
    is_short: bool,
    /// It is short although everyone has given away what there was.
    is_out_of_memory: bool,
    /// A thread has panicked.
    is_broken: bool,
    is_over: bool,
    /// Branches taken so far, and when the last of them was new.
    branches: u64,
    last_news: Duration,
}

impl Search<'_> {
    fn run(&self, mut workers: Vec<Worker>) -> Answer {
        let count = workers.len();
        let none = || (0..count).map(|_| None).collect();
        let board = Mutex::new(Board {
            shared: (0..count).map(|_| None).collect(),
            violations: none(),
            explored: vec![(Explored::default(), 0); count],
            own_bytes: vec![0; count],
            can_shrink: vec![true; count],
            is_short: false,
            is_out_of_memory: false,
            is_broken: false,
            is_over: false,
            branches: 0,
            last_news: Duration::ZERO,
        });
        // Those who wait for each other must be known before the first does: the system may not give every thread.
        let barrier: OnceLock<Barrier> = OnceLock::new();
        let (first, others) = workers.split_at_mut(1);
        std::thread::scope(|scope| {
            let mut started = first.len();
            for (i, worker) in (1..).zip(others) {
                let (board, barrier) = (&board, &barrier);
                let builder = std::thread::Builder::new().name(format!("simulate {i}")).stack_size(STACK);
                let spawned = builder.spawn_scoped(scope, move || self.rounds(i, worker, board, barrier.wait()));
                if spawned.is_err() {
                    break;
                }
                started += 1;
            }
            let barrier = barrier.get_or_init(|| Barrier::new(started));
            first.iter_mut().for_each(|worker| self.rounds(0, worker, &board, barrier));
        });
        let board = board.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut coverage = Coverage::default();
        workers.iter().for_each(|w| coverage.merge(w.coverage()));
        let explored = Explored {
            branches: coverage.branches(),
            locations: coverage.locations(self.program),
            all_locations: self.all_locations,
            ..total(&board.explored).0
        };
        if let Some(violation) = board.violations.into_iter().flatten().next() {
            return Answer::Violated(violation);
        }
        if board.is_broken {
            let why = WhyUnknown::CannotRun("the search has a defect and gave up".to_string());
            return Answer::Unknown(Unknown { why, explored });
        }
        tracing::info!(runs = explored.runs, concrete_steps = explored.steps, branches = explored.branches);
        let loose = workers.iter().find_map(|w| w.loose);
        // What ends most runs is most in the way.
        let mut unsupported: FxHashMap<CheckId, u64> = FxHashMap::default();
        for (check, runs) in workers.iter().flat_map(|w| &w.unsupported) {
            *unsupported.entry(*check).or_default() += runs;
        }
        let commonest = unsupported.into_iter().max_by_key(|(check, runs)| (*runs, std::cmp::Reverse(*check)));
        let out_of_memory: u64 = workers.iter().map(|w| w.out_of_memory).sum();
        let why = if let Some(input) = loose {
            WhyUnknown::LooseModel(input)
        } else if let Some((check, _)) = commonest {
            WhyUnknown::Unsupported(check)
        } else if board.is_out_of_memory || out_of_memory > explored.runs / 2 {
            WhyUnknown::OutOfMemory
        } else if self.budget.cancel.is_cancelled() {
            WhyUnknown::Cancelled
        } else {
            WhyUnknown::Timeout
        };
        Answer::Unknown(Unknown { why, explored })
    }

    fn rounds(&self, i: usize, worker: &mut Worker, board: &Mutex<Board>, barrier: &Barrier) {
        let lock = || board.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut steps = FIRST_ROUND;
        loop {
            let began = Instant::now();
            // A defect in one thread must not leave the others waiting for it.
            let searched = catch_unwind(AssertUnwindSafe(|| worker.search(steps)));
            let is_broken = searched.is_err();
            let violation = searched.unwrap_or_default();
            steps = (steps * 2).min(LONGEST_ROUND);
            let shared = worker.share();
            {
                let mut board = lock();
                board.violations[i] = violation;
                board.is_broken |= is_broken;
                board.shared[i] = Some(shared);
                board.explored[i] = (worker.summary(), worker.kept());
                board.own_bytes[i] = worker.own_bytes();
            }
            if barrier.wait().is_leader() {
                let mut board = lock();
                let (explored, kept) = total(&board.explored);
                let found = board.violations.iter().any(Option::is_some);
                let memory = page_bytes() + trace_bytes() + board.own_bytes.iter().sum::<u64>();
                board.is_short = memory > self.budget.memory / 4 * 3;
                board.is_out_of_memory = memory > self.budget.memory && !board.can_shrink.contains(&true);
                board.is_over = found || board.is_broken || board.is_out_of_memory || self.budget.is_over();
                self.watcher.progress(&Progress {
                    explored,
                    elapsed: self.started.elapsed(),
                    kept: kept as u64,
                    memory,
                });
                let elapsed = self.started.elapsed();
                if explored.branches > board.branches {
                    (board.branches, board.last_news) = (explored.branches, elapsed);
                }
                let is_idle = elapsed > OWN_TIME && board.last_news < elapsed / 2;
                if self.gives_way && is_idle && !board.is_over {
                    self.rest(began.elapsed() * REST);
                }
            }
            barrier.wait();
            {
                let mut board = lock();
                if board.is_over {
                    return;
                }
                for (_, other) in board.shared.iter().enumerate().filter(|(j, _)| *j != i) {
                    other.iter().for_each(|shared| worker.receive(shared));
                }
                if board.is_short {
                    board.can_shrink[i] = worker.shrink();
                }
            }
            barrier.wait();
        }
    }
}

impl Search<'_> {
    /// Leaves the processor to others for a while.
    fn rest(&self, length: Duration) {
        let end = Instant::now() + length;
        while Instant::now() < end && !self.budget.is_over() {
            std::thread::sleep(LOOK.min(length));
        }
    }
}

fn total(explored: &[(Explored, usize)]) -> (Explored, usize) {
    explored.iter().fold((Explored::default(), 0), |(sum, kept), (one, more)| {
        let sum = Explored {
            runs: sum.runs + one.runs,
            steps: sum.steps + one.steps,
            deepest: sum.deepest.max(one.deepest),
            states: sum.states.max(one.states),
            branches: sum.branches.max(one.branches),
            all_branches: one.all_branches,
            locations: sum.locations.max(one.locations),
            all_locations: one.all_locations,
        };
        (sum, kept + more)
    })
}
