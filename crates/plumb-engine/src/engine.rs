//! What an engine is.
//!
//! An engine takes a task and returns an answer with its evidence, within a budget. It says of itself what the command line, the
//! documentation and the portfolio need to know, so that adding one touches its own folder and a line of the registry.
//!
//! **Obligations.** A proof shows that no run breaks a check, but for what it names as assumed. A violation is a claim that the
//! portfolio replays before it believes it. What an engine reads on the board as *proved* it may assume; a *candidate* it may
//! try and not trust. An engine looks at its budget at least every few milliseconds of its own work: there it is paused or
//! ended.

use crate::answer::Answer;
use crate::board::Board;
use crate::budget::{Budget, Watcher};
use crate::summary::cache::Cache;
use crate::summary::export::Exported;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::analysis::target_distance::Metric;
use std::sync::Arc;

pub trait Engine: Send + Sync {
    fn about(&self) -> About;

    /// Options of the command line that it obeys beside those that all engines do, and what they are if they are not given.
    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Which values of `--order` it obeys, if it names that among its options.
    fn takes_order(&self, _order: Order) -> bool {
        true
    }

    fn run(&self, task: &Task, context: &Context) -> Answer;

    /// Whether its proofs are about response properties too ([`plumb_ir::check::CheckKind::Request`]). Those of others are none in
    /// programs that have some.
    fn decides_responses(&self) -> bool {
        false
    }
}

/// What the command line, the documentation and the portfolio need to know of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// What the user calls it.
    pub name: &'static str,
    /// What it does, in a line or two.
    pub help: &'static str,
    pub answers: Answers,
    /// What a number behind the name (`name:NUMBER`) means, for engines that take one.
    pub parameter: Option<&'static str>,
    pub schedule: Schedule,
}

/// What an engine can find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answers {
    Violations,
    Proofs,
    Both,
}

/// What of the machine an engine gets in the default run, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub in_default_run: bool,
    /// After a first short slice it waits until the others have had one in so many parts of the time.
    pub waits_for: Option<u32>,
    /// Whether it has that slice; otherwise it waits where it first looks at its budget.
    pub has_first_slice: bool,
    /// The same in programs with tasks under a kernel, until half of the time is over: engines that compare states are the ones that
    /// come to an end there.
    pub yields_to_tasks: bool,
    /// It can use all threads, of which it gets all but one. Others get one.
    pub is_parallel: bool,
    /// So many quarters of the memory.
    pub memory_quarters: u64,
    /// When memory is short the engine with the highest number is ended first; one without a number stays.
    pub ends_first: Option<u32>,
}

impl Default for Schedule {
    /// Of a symbolic engine that starts at once.
    fn default() -> Schedule {
        Schedule {
            in_default_run: true,
            waits_for: None,
            has_first_slice: true,
            yields_to_tasks: false,
            is_parallel: false,
            memory_quarters: 4,
            ends_first: Some(0),
        }
    }
}

/// A program with its properties, and what the user wants of the search.
pub struct Task {
    pub analyses: Arc<Analyses>,
    pub options: Options,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where chance begins.
    pub seed: u64,
    /// A proof shows that there is no undefined behaviour; others may suppose it where they must.
    pub strict: bool,
    /// Unwind loops so often and no further.
    pub unwind: Option<u32>,
    /// Loops that are unwound so often and no further, whatever the bound.
    pub unwind_loops: Vec<(LoopKey, u32)>,
    /// Of engines that follow paths.
    pub order: Option<Order>,
    /// The number behind the engine's name.
    pub parameter: Option<u32>,
    /// Engines know nothing of each other.
    pub no_exchange: bool,
    pub summaries: SummaryOptions,
}

/// Which path of its waitlist an engine that follows paths takes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The newest path first.
    #[default]
    Depth,
    /// The shortest path first.
    Breadth,
    /// The path at the location that was followed least often first.
    Coverage,
    /// A walk from the root that chooses among children evenly: short paths are likelier than long ones.
    Random,
    /// As the program is nested: the iterations of a loop one after the other and before what follows it. Paths that can be
    /// merged at a loop's head wait for each other there.
    Nested,
    /// The path that is nearest to an error location under the calls that are active, the newest of several.
    Tour(Metric),
}

impl Order {
    /// What the user calls them.
    pub const ALL: [(&'static str, Order); 11] = [
        ("depth", Order::Depth),
        ("breadth", Order::Breadth),
        ("dfs", Order::Depth),
        ("bfs", Order::Breadth),
        ("coverage", Order::Coverage),
        ("random", Order::Random),
        ("nested", Order::Nested),
        ("tour:st", Order::Tour(Metric::St)),
        ("tour:bb", Order::Tour(Metric::Bb)),
        ("tour:lh", Order::Tour(Metric::Lh)),
        ("tour:lf", Order::Tour(Metric::Lf)),
    ];
}

/// How engines make and use function summaries.
#[derive(Clone, Debug, Default)]
pub struct SummaryOptions {
    /// An alarm is judged by its own inputs, and not by all that take its path.
    pub concrete_filter: bool,
    /// Summaries are made and selected by accuracy, without a look at output coverage.
    pub ignore_output_coverage: bool,
    /// Where summaries are kept from run to run.
    pub cache: Option<Cache>,
    /// Where summaries are put as C.
    pub export: Option<Exported>,
}

/// Where an engine runs.
pub struct Context<'a> {
    pub budget: &'a Budget,
    pub board: &'a Board,
    pub watcher: &'a dyn Watcher,
    /// No other engine runs beside it.
    pub is_alone: bool,
    /// There are fewer processors than engines at work.
    pub has_few_processors: bool,
}
