//! Guided simulation: runs the program on inputs that it learns to choose, and branches from states that showed something
//! new.
//!
//! ```text
//!   first_run   the run of a program that reads no input
//!   determined  whether that is its only run
//!   plan        before the run: loop heads to stop at, distances to checks, constants
//!   sites       how each input site is fed
//!   features    abstract states: what is new about a state
//!   objectives  what has not been done yet, and who came nearest
//!   learn       from comparisons back to inputs
//!   corpus      states to branch from
//!   worker      the search of one thread
//!   repair      failed assumptions
//!   pursue      toward one objective
//!   observe     the board: states for other engines, dead locations from them
//!   tuning      knobs
//! ```
//!
//! Threads search for themselves and exchange what they found when a round is over. A round is a number of steps, not of
//! seconds, so that a search with the same seed and number of threads is the same search, unless another engine posts dead
//! locations.
//!
//! No paper stands behind it: it joins coverage-guided fuzzing, search-based testing (branch distances) and explicit-state
//! search on cheap snapshots. What it learns only steers, so that no mistake in it can make a wrong answer. A violation is a
//! list of inputs that the caller replays on the program as it is. "Holds" is answered only for a program that reads no input,
//! after its one run, and only if neither addresses nor the choice of a library could change that run.

mod corpus;
mod coverage;
mod determined;
mod features;
mod first_run;
mod learn;
mod objectives;
mod observe;
mod plan;
mod pursue;
mod repair;
mod sites;
mod tuning;
mod worker;

use crate::answer::{Answer, Explored, Proof, Unknown, Violation, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Progress, Watcher};
use crate::engine::{Answers, Context, Engine, Schedule, Task};
use crate::loose;
use corpus::trace_bytes;
use coverage::Coverage;
use determined::is_determined;
use features::Layout;
use first_run::{Ending, FirstRun};
use plan::Plan;
use plumb_exec::{CompileOptions, FaultKind, Image, Outcome, page_bytes};
use plumb_ir::analysis::Analyses;
use plumb_ir::check::CheckId;
use plumb_ir::program::Program;
use rustc_hash::FxHashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier, Mutex, OnceLock};
use std::time::{Duration, Instant};
use tuning::TUNING;
use worker::{Shared, Worker};

#[derive(Clone, Debug)]
pub struct SimulateOptions {
    pub seed: u64,
    /// Other engines wait for the processor: they get most of it while no new branch is found.
    pub gives_way: bool,
}

pub struct Simulate;

const NAME: &str = "simulate";

impl Engine for Simulate {
    fn name(&self) -> &'static str {
        NAME
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
        simulate(&task.analyses, &options, context.budget, context.board, context.watcher)
    }
}

pub fn simulate(
    analyses: &Analyses,
    options: &SimulateOptions,
    budget: &Budget,
    board: &Board,
    watcher: &dyn Watcher,
) -> Answer {
    let program = analyses.program();
    let unknown = |why, explored| Answer::Unknown(Unknown { why, explored });
    let compile = |options| match Image::compile(program, &options) {
        Ok(image) => Ok(Arc::new(image)),
        Err(error) => Err(unknown(WhyUnknown::CannotRun(error.to_string()), Explored::default())),
    };
    let image = match compile(CompileOptions::default()) {
        Ok(image) => image,
        Err(answer) => return answer,
    };
    match first_run::run_first(program, image.clone(), budget) {
        FirstRun::Broken(violation) => match loose::rests_on(&image, &violation, budget) {
            None => return Answer::Violated(violation),
            Some(input) if violation.inputs.is_empty() => {
                return unknown(WhyUnknown::LooseModel(input), Explored { runs: 1, ..Explored::default() });
            }
            Some(_) => {}
        },
        FirstRun::Ended(ending) => return only_run(program, ending, budget),
        FirstRun::OutOfTime { steps } => {
            let why = if budget.cancel.is_cancelled() { WhyUnknown::Cancelled } else { WhyUnknown::Timeout };
            return unknown(why, Explored { runs: 1, steps, ..Explored::default() });
        }
        FirstRun::Asks => {}
    }
    let plan = Arc::new(Plan::new(analyses));
    let probes = plan.heads.iter().map(|h| (h.func, h.head)).collect();
    let image = match compile(CompileOptions { probes, measure: true, ..CompileOptions::default() }) {
        Ok(image) => image,
        Err(answer) => return answer,
    };
    let layouts = Arc::new(Layout::all(program, &image, &plan));
    let threads = budget.threads.max(1);
    let entries = (budget.memory / threads as u64 / TUNING.entry_bytes).clamp(64, 6000) as usize;
    let workers = (0..threads as u64).map(|i| {
        let seed = options.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(i);
        Worker::new(image.clone(), plan.clone(), layouts.clone(), seed, entries, budget.clone())
            .observing(board.observed(analyses).clone())
    });
    let all_locations = plan.reachable.iter().map(|f| program.function(*f).loc_count as u64).sum();
    let gives_way = options.gives_way;
    let search = Search { program, budget, board, watcher, started: Instant::now(), all_locations, gives_way };
    search.run(workers.collect())
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
    board: &'a Board,
    watcher: &'a dyn Watcher,
    started: Instant,
    all_locations: u64,
    gives_way: bool,
}

/// What the threads leave for each other between two rounds.
#[derive(Default)]
struct Exchange {
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
        let exchange = Mutex::new(Exchange {
            shared: (0..count).map(|_| None).collect(),
            violations: vec![None; count],
            explored: vec![(Explored::default(), 0); count],
            own_bytes: vec![0; count],
            can_shrink: vec![true; count],
            ..Exchange::default()
        });
        // Those who wait for each other must be known before the first does: the system may not give every thread.
        let barrier: OnceLock<Barrier> = OnceLock::new();
        let (first, others) = workers.split_at_mut(1);
        std::thread::scope(|scope| {
            let mut started = first.len();
            for (i, worker) in (1..).zip(others) {
                let (exchange, barrier) = (&exchange, &barrier);
                let builder = std::thread::Builder::new().name(format!("simulate {i}")).stack_size(TUNING.stack);
                let spawned = builder.spawn_scoped(scope, move || self.rounds(i, worker, exchange, barrier.wait()));
                if spawned.is_err() {
                    break;
                }
                started += 1;
            }
            let barrier = barrier.get_or_init(|| Barrier::new(started));
            first.iter_mut().for_each(|worker| self.rounds(0, worker, &exchange, barrier));
        });
        let exchange = exchange.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut coverage = Coverage::default();
        workers.iter().for_each(|w| coverage.merge(w.coverage()));
        let explored = Explored {
            branches: coverage.branches(),
            locations: coverage.locations(self.program),
            all_locations: self.all_locations,
            ..total(&exchange.explored).0
        };
        if let Some(violation) = exchange.violations.into_iter().flatten().next() {
            return Answer::Violated(violation);
        }
        if exchange.is_broken {
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
        } else if exchange.is_out_of_memory || out_of_memory > explored.runs / 2 {
            WhyUnknown::OutOfMemory
        } else if self.budget.cancel.is_cancelled() {
            WhyUnknown::Cancelled
        } else {
            WhyUnknown::Timeout
        };
        Answer::Unknown(Unknown { why, explored })
    }

    fn rounds(&self, i: usize, worker: &mut Worker, exchange: &Mutex<Exchange>, barrier: &Barrier) {
        let lock = || exchange.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut steps = TUNING.first_round;
        loop {
            let began = Instant::now();
            // A defect in one thread must not leave the others waiting for it.
            let searched = catch_unwind(AssertUnwindSafe(|| worker.search(steps)));
            let is_broken = searched.is_err();
            let violation = searched.unwrap_or_default();
            steps = (steps * 2).min(TUNING.longest_round);
            let shared = worker.share();
            self.board.states.post(NAME, worker.take_observations());
            worker.drop_dead(self.board);
            {
                let mut exchange = lock();
                exchange.violations[i] = violation;
                exchange.is_broken |= is_broken;
                exchange.shared[i] = Some(shared);
                exchange.explored[i] = (worker.summary(), worker.kept());
                exchange.own_bytes[i] = worker.own_bytes();
            }
            if barrier.wait().is_leader() {
                let mut exchange = lock();
                let (explored, kept) = total(&exchange.explored);
                let found = exchange.violations.iter().any(Option::is_some);
                let memory = page_bytes() + trace_bytes() + exchange.own_bytes.iter().sum::<u64>();
                exchange.is_short = memory > self.budget.memory / 4 * 3;
                exchange.is_out_of_memory = memory > self.budget.memory && !exchange.can_shrink.contains(&true);
                exchange.is_over = found || exchange.is_broken || exchange.is_out_of_memory || self.budget.is_over();
                self.watcher.progress(&Progress {
                    explored,
                    elapsed: self.started.elapsed(),
                    kept: kept as u64,
                    memory,
                });
                let elapsed = self.started.elapsed();
                if explored.branches > exchange.branches {
                    (exchange.branches, exchange.last_news) = (explored.branches, elapsed);
                }
                let is_idle = elapsed > TUNING.full_speed_time && exchange.last_news < elapsed / 2;
                if self.gives_way && is_idle && !exchange.is_over {
                    self.rest(began.elapsed() * TUNING.rest_factor);
                }
            }
            barrier.wait();
            {
                let mut exchange = lock();
                if exchange.is_over {
                    return;
                }
                let others = exchange.shared.iter().enumerate().filter(|(j, _)| *j != i);
                others.flat_map(|(_, other)| other).for_each(|shared| worker.receive(shared));
                if exchange.is_short {
                    exchange.can_shrink[i] = worker.shrink();
                }
            }
            barrier.wait();
        }
    }

    /// Leaves the processor to others for a while.
    fn rest(&self, length: Duration) {
        let end = Instant::now() + length;
        while Instant::now() < end && !self.budget.is_over() {
            std::thread::sleep(TUNING.poll.min(length));
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
