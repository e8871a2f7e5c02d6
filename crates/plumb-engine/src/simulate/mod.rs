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
//!   corpus      states to branch from, and the inputs that lead to them
//!   states      which states have been seen, and which are kept
//!   segments    how far a run goes at a time
//!   worker      the search of one thread
//!   repair      failed assumptions
//!   pursue      toward one objective
//!   observe     the board: states and taken branches for other engines; dead locations and inputs from them
//!   tuning      knobs
//! ```
//!
//! Threads search for themselves and exchange what they found when a round is over. A round is a number of steps, not of
//! seconds, so that a search with the same seed and number of threads is the same search, unless another engine posts dead
//! locations or inputs.
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
mod segments;
mod sites;
mod states;
mod tuning;
mod worker;

use crate::answer::{Answer, Explored, Proof, Unknown, Violation, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Progress, Watcher};
use crate::engine::{About, Answers, Context, Engine, Schedule, Task};
use crate::replay::loose;
use corpus::trace_bytes;
use coverage::Coverage;
pub(crate) use determined::analysis_operations;
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
    pub yields_processor: bool,
}

pub struct Simulate;

const NAME: &str = "simulate";

impl Engine for Simulate {
    fn about(&self) -> About {
        About {
            name: NAME,
            help: "guided concrete search for violations",
            // It proves programs that have a single run.
            answers: Answers::Violations,
            parameter: None,
            schedule: Schedule { is_parallel: true, memory_quarters: 1, ends_first: None, ..Schedule::default() },
        }
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let options = SimulateOptions { seed: task.options.seed, yields_processor: context.has_few_processors };
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
            Some(why) if violation.inputs.is_empty() => {
                return unknown(why, Explored { runs: 1, ..Explored::default() });
            }
            Some(_) => {}
        },
        FirstRun::Ended(ending) => return only_run(program, ending, budget),
        FirstRun::OutOfTime { steps } => {
            return unknown(budget.why_stopped(), Explored { runs: 1, steps, ..Explored::default() });
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
    let entries =
        (budget.memory / threads as u64 / TUNING.entry_bytes).clamp(TUNING.min_entries, TUNING.max_entries) as usize;
    let workers = (0..threads as u64).map(|i| {
        let seed = options.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(i);
        Worker::new(image.clone(), plan.clone(), layouts.clone(), seed, entries, budget.clone())
            .observing(board.observed(analyses).clone())
    });
    let all_locations = plan.reachable.iter().map(|f| program.function(*f).loc_count as u64).sum();
    let yields_processor = options.yields_processor;
    let search = Search { program, budget, board, watcher, started: Instant::now(), all_locations, yields_processor };
    search.run(workers.collect())
}

/// What follows from the run of a program that read no input in it.
fn only_run(program: &Program, ending: Ending, budget: &Budget) -> Answer {
    let steps = ending.steps;
    let unknown = |why| Answer::Unknown(Unknown { why, explored: Explored { runs: 1, steps, ..Explored::default() } });
    match ending.outcome {
        Outcome::Fault { kind: FaultKind::OutOfMemory, .. } => unknown(WhyUnknown::OutOfMemory),
        Outcome::Fault { kind, site } => unknown(WhyUnknown::Fault(kind, site)),
        Outcome::Unsupported { check, .. } => unknown(WhyUnknown::Unsupported(check)),
        _ if is_determined(program, &ending, budget) => Answer::Holds(Proof::OnlyRun { steps }, Default::default()),
        _ if budget.is_over() => unknown(budget.why_stopped()),
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
    yields_processor: bool,
}

/// What the threads leave for each other between two rounds.
#[derive(Default)]
struct Exchange {
    reports: Vec<Report>,
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

/// What one thread reports of a round.
#[derive(Default)]
struct Report {
    shared: Option<Shared>,
    /// The first thread's with a violation counts.
    violation: Option<Violation>,
    explored: Explored,
    kept: usize,
    /// Bytes that it has for itself.
    own_bytes: u64,
    /// It has nothing left to give away.
    is_small: bool,
}

impl Search<'_> {
    fn run(&self, mut workers: Vec<Worker>) -> Answer {
        let reports = workers.iter().map(|_| Report::default()).collect();
        let exchange = Mutex::new(Exchange { reports, ..Exchange::default() });
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
            ..total(&exchange.reports)
        };
        if let Some(violation) = exchange.reports.into_iter().find_map(|report| report.violation) {
            return Answer::Violated(violation);
        }
        if exchange.is_broken {
            let why = WhyUnknown::Defect("a thread of simulate has panicked".to_string());
            return Answer::Unknown(Unknown { why, explored });
        }
        tracing::info!(runs = explored.runs, concrete_steps = explored.steps, branches = explored.branches);
        let loose = workers.iter().find_map(|w| w.obstacles.loose.clone());
        // What ends most runs is most in the way.
        let mut unsupported: FxHashMap<CheckId, u64> = FxHashMap::default();
        for (check, runs) in workers.iter().flat_map(|w| &w.obstacles.unsupported) {
            *unsupported.entry(*check).or_default() += runs;
        }
        let commonest = unsupported.into_iter().max_by_key(|(check, runs)| (*runs, std::cmp::Reverse(*check)));
        let out_of_memory: u64 = workers.iter().map(|w| w.obstacles.out_of_memory).sum();
        let why = if let Some(why) = loose {
            why
        } else if let Some((check, _)) = commonest {
            WhyUnknown::Unsupported(check)
        } else if exchange.is_out_of_memory || out_of_memory > explored.runs / 2 {
            WhyUnknown::OutOfMemory
        } else {
            self.budget.why_stopped()
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
            worker.exchange(self.board);
            {
                let mut exchange = lock();
                exchange.is_broken |= is_broken;
                let (explored, kept, own_bytes) = (worker.summary(), worker.kept(), worker.own_bytes());
                let is_small = exchange.reports[i].is_small;
                exchange.reports[i] = Report { shared: Some(shared), violation, explored, kept, own_bytes, is_small };
            }
            if barrier.wait().is_leader() {
                let mut exchange = lock();
                let (explored, reports) = (total(&exchange.reports), &exchange.reports);
                let kept = reports.iter().map(|report| report.kept as u64).sum();
                let found = reports.iter().any(|report| report.violation.is_some());
                let memory = page_bytes() + trace_bytes() + reports.iter().map(|report| report.own_bytes).sum::<u64>();
                let are_small = reports.iter().all(|report| report.is_small);
                exchange.is_short = memory > self.budget.memory / 4 * 3;
                exchange.is_out_of_memory = memory > self.budget.memory && are_small;
                exchange.is_over = found || exchange.is_broken || exchange.is_out_of_memory || self.budget.is_over();
                let elapsed = self.started.elapsed();
                self.watcher.progress(&Progress { explored, elapsed, kept, memory });
                if explored.branches > exchange.branches {
                    (exchange.branches, exchange.last_news) = (explored.branches, elapsed);
                }
                let is_idle = elapsed > TUNING.full_speed_time && exchange.last_news < elapsed / 2;
                if self.yields_processor && is_idle && !exchange.is_over {
                    self.rest(began.elapsed() * TUNING.rest_factor);
                }
            }
            barrier.wait();
            {
                let mut exchange = lock();
                if exchange.is_over {
                    return;
                }
                let others = exchange.reports.iter().enumerate().filter(|(j, _)| *j != i);
                others.flat_map(|(_, other)| &other.shared).for_each(|shared| worker.receive(shared));
                if exchange.is_short {
                    exchange.reports[i].is_small = !worker.shrink();
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

fn total(reports: &[Report]) -> Explored {
    reports.iter().map(|report| report.explored).fold(Explored::default(), |sum, one| Explored {
        runs: sum.runs + one.runs,
        steps: sum.steps + one.steps,
        deepest: sum.deepest.max(one.deepest),
        states: sum.states.max(one.states),
        branches: sum.branches.max(one.branches),
        all_branches: one.all_branches,
        locations: sum.locations.max(one.locations),
        all_locations: one.all_locations,
    })
}
