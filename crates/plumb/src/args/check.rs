//! The flags of `plumb check`.

use super::program::seconds;
use clap::Args as ClapArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use plumb_engine::engine::{Engine, Order};
use plumb_engine::registry::{ORDER, Registry};
use std::path::PathBuf;
use std::time::Duration;

/// The filter of alarms that is used unless another one is asked for.
const SYMBOLIC: &str = "symbolic";

/// Of engines that replace functions by summaries.
#[derive(ClapArgs, Debug)]
pub struct SummaryArgs {
    /// Summaries: judge an alarm by all inputs that take its path, or by its own inputs alone
    #[arg(long, value_name = "HOW", default_value = SYMBOLIC, value_parser = [SYMBOLIC, "concrete"])]
    pub alarm_filter: String,
    /// Summaries: make and select them by accuracy, ignoring output coverage
    #[arg(long)]
    pub no_output_coverage: bool,
    /// Summaries: neither read nor write the cache that keeps them from run to run
    #[arg(long)]
    pub no_cache: bool,
    /// Summaries: write them into this folder, as FUNCTION.summary.c and FUNCTION.nondet.c, refined ones in their last version
    #[arg(long, value_name = "DIR")]
    pub summaries: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub struct CheckArgs {
    /// C files, preprocessed (.i) or not
    pub files: Vec<PathBuf>,
    /// How to search: an engine, or auto for several at once
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = engine, long_help = engine_help())]
    pub engine: EngineChoice,
    /// Print time and counters by engine and phase
    #[arg(long)]
    pub stats: bool,
    /// Write the same as JSON
    #[arg(long, value_name = "FILE")]
    pub stats_json: Option<PathBuf>,
    /// Engines do not exchange facts
    #[arg(long)]
    pub no_exchange: bool,
    /// Engines that follow paths or abstract states: which one to follow next; `dfs` and `bfs` are `depth` and `breadth` [default: the engine's]
    ///
    /// With tour:METRIC, the path that is nearest to an error under its active calls, counted in statements (st), basic blocks
    /// (bb), loop heads (lh), or loop heads, function entries and exits (lf).
    #[arg(long, alias = "search", value_name = "ORDER", value_parser = PossibleValuesParser::new(Order::ALL.map(|(name, _)| name)).map(order))]
    pub order: Option<Order>,
    #[command(flatten)]
    pub summaries: SummaryArgs,
    /// Print more: the predicates that a proof by abstraction rests on
    #[arg(long, short)]
    pub verbose: bool,
    /// Engines that unwind: unwind loops up to this many iterations [default: increasing bounds]
    #[arg(long, value_name = "ITERATIONS")]
    pub unwind: Option<u32>,
    /// Engines that unwind: unwind the loop on this line up to this many iterations, whatever the general bound
    #[arg(long, value_name = "[FILE:]LINE=ITERATIONS", value_parser = loop_bound)]
    pub unwind_loop: Vec<LoopBound>,
    /// Seed of the random choices: the same seed and number of threads give the same search
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Number of threads to search on [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<std::num::NonZeroUsize>,
    /// Write the inputs of a counterexample to a file, for `plumb run --inputs`
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// Write C that feeds the inputs to the compiled program
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,
    /// Write a witness of the answer, in the format 2.0 of the Competition on Software Verification (2.1 with contracts)
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Write the complete proof as data, for `plumb validate --certificate`
    ///
    /// A witness can only say what has a name in C; a certificate speaks of the automaton that Plumb makes of the program.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Write the contracts of functions that a proof rests on, as ACSL comments above prototypes
    #[arg(long, value_name = "FILE.h")]
    pub contracts: Option<PathBuf>,
    /// Have a proof checked by the validator before it is an answer
    ///
    /// The search gets two thirds of the time. A proof that the validator does not confirm gives UNKNOWN.
    #[arg(long)]
    pub validated: bool,
    /// Spend up to this many seconds on minimising a counterexample; 0 leaves it as it was found
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub minimise: Duration,
    /// Print every iteration of the loop in a counterexample, not only the decisive ones
    #[arg(long)]
    pub full_trace: bool,
}

impl CheckArgs {
    /// Refuses options that no engine of the search obeys.
    pub fn options_are_obeyed(&self) -> Result<(), String> {
        let registry = Registry::standard();
        let (searching, name) = match &self.engine {
            EngineChoice::Auto => (registry.default_run(), "any engine of the default run".to_string()),
            EngineChoice::One(engine, _) => (vec![*engine], format!("the engine `{}`", engine.about().name)),
        };
        let obeys = |engine: &&&dyn Engine, option: &str| engine.options().iter().any(|(name, _)| *name == option);
        for option in self.given() {
            if !searching.iter().any(|engine| obeys(&engine, option)) {
                let who = registry.all().iter().filter(|engine| obeys(engine, option));
                let who: Vec<&str> = who.map(|engine| engine.about().name).collect();
                let who = who.join(", ");
                return Err(format!("`{option}` means nothing to {name}\n  help: engines that obey it: {who}"));
            }
        }
        let takes = |order| searching.iter().any(|engine| obeys(&engine, ORDER) && engine.takes_order(order));
        if self.order.is_none_or(takes) {
            return Ok(());
        }
        let known: Vec<&str> = Order::ALL.iter().filter(|(_, order)| takes(*order)).map(|(name, _)| *name).collect();
        Err(format!("this order means nothing to {name}\n  help: orders that are known there: {}", known.join(", ")))
    }

    /// The options on the command line that only some engines obey.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        let SummaryArgs { alarm_filter, no_output_coverage, no_cache, summaries } = &self.summaries;
        let options = [
            (ORDER, self.order.is_some()),
            ("--unwind", self.unwind.is_some()),
            ("--unwind-loop", !self.unwind_loop.is_empty()),
            ("--alarm-filter", alarm_filter != SYMBOLIC),
            ("--no-output-coverage", *no_output_coverage),
            ("--no-cache", *no_cache),
            ("--summaries", summaries.is_some()),
        ];
        options.into_iter().filter(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

/// A bound for one loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopBound {
    pub file: Option<String>,
    pub line: u32,
    pub iterations: u32,
}

fn loop_bound(text: &str) -> Result<LoopBound, String> {
    let parts = || {
        let (place, iterations) = text.rsplit_once('=')?;
        let (file, line) = match place.rsplit_once(':') {
            Some((file, line)) => (Some(file.to_string()), line),
            None => (None, place),
        };
        Some(LoopBound { file, line: line.parse().ok()?, iterations: iterations.parse().ok()? })
    };
    parts().ok_or_else(|| "expected a line and a number of iterations, such as `control.c:120=8`".to_string())
}

/// The engine that was asked for, with the number behind its name.
#[derive(Clone)]
pub enum EngineChoice {
    Auto,
    One(&'static dyn Engine, Option<u32>),
}

impl std::fmt::Debug for EngineChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            EngineChoice::Auto => f.write_str("auto"),
            EngineChoice::One(engine, None) => f.write_str(engine.about().name),
            EngineChoice::One(engine, Some(number)) => write!(f, "{}:{number}", engine.about().name),
        }
    }
}

fn engine_help() -> String {
    format!("How to search: an engine, or auto for several at once\n\n{}", Registry::standard().describe())
}

fn engine(text: &str) -> Result<EngineChoice, String> {
    let registry = Registry::standard();
    let (name, number) = match text.split_once(':') {
        Some((name, number)) => (name, Some(number)),
        None => (text, None),
    };
    if text == "auto" {
        return Ok(EngineChoice::Auto);
    }
    let Some(engine) = registry.find(name) else {
        return Err(format!("there is no engine `{text}`; engines are auto, {}", registry.names()));
    };
    let number = match (number, engine.about().parameter) {
        (Some(number), Some(what)) => {
            Some(number.parse().map_err(|_| format!("`{number}` is not a number; NUMBER: {what}"))?)
        }
        (Some(_), None) => return Err(format!("the engine `{name}` takes no number")),
        (None, _) => None,
    };
    Ok(EngineChoice::One(engine, number))
}

fn order(name: String) -> Order {
    let found = Order::ALL.into_iter().find(|(known, _)| *known == name);
    found.expect("the parser takes these names only").1
}
