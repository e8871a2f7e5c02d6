//! The flags of the smaller subcommands.

use super::program::seconds;
use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(ClapArgs, Debug)]
pub struct TuneArgs {
    /// Histories, read as one
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The engine whose runs to learn from; optional if all records are of one engine
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Learn from programs for which the metrics differ by at least this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "40", value_parser = seconds)]
    pub threshold: Duration,
    /// Write the model to a file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub struct InferArgs {
    /// C files, preprocessed (.i) or not
    pub files: Vec<PathBuf>,
    /// Only this function
    #[arg(short = 'F', long, value_name = "NAME")]
    pub function: Option<String>,
    /// Number of runs
    #[arg(long, value_name = "N", default_value = "300")]
    pub runs: std::num::NonZeroU64,
    /// End each run after this many steps
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub steps: u64,
    /// Seed of the random inputs: the same seed gives the same runs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Print facts that hold by chance with a probability of at most one minus this; 0 for all
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.99, value_parser = probability)]
    pub confidence: f64,
    /// Prove facts at exits for every call that returns, from any state, and facts at entries and loops for every run
    #[arg(long)]
    pub prove: bool,
}

fn probability(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number from 0 to 1".to_string())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("expected a number from 0 to 1".to_string()) }
}

#[derive(ClapArgs, Debug)]
pub struct SynthArgs {
    /// A file in SyGuS-IF (.sl)
    pub file: PathBuf,
    /// Print C instead of SyGuS-IF; of a function that was not found, what satisfies most examples
    #[arg(long)]
    pub c: bool,
    /// Examine at most this many terms [default: as many as time and memory allow]
    #[arg(long, value_name = "N")]
    pub candidates: Option<u64>,
    /// Seed of the random choices: the same seed gives the same answer, on any number of threads, unless time runs out
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Number of threads to search on [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<std::num::NonZeroUsize>,
}

#[derive(ClapArgs, Debug)]
pub struct RunArgs {
    /// C files, preprocessed (.i) or not
    pub files: Vec<PathBuf>,
    /// Take input values from a file: numbers separated by white space or commas
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub inputs: Option<PathBuf>,
    /// Draw input values at random, the same ones for the same seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// End the run after this many steps
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub steps: u64,
    /// Print every location that the run passes, with the values that change, to standard error
    #[arg(long)]
    pub trace: bool,
}

#[derive(ClapArgs, Debug)]
pub struct ValidateArgs {
    /// C files, preprocessed (.i) or not
    pub files: Vec<PathBuf>,
    /// The witness, in the format 2.0 or 2.1 of the Competition on Software Verification
    #[arg(long, value_name = "FILE", required_unless_present = "certificate", conflicts_with = "certificate")]
    pub witness: Option<PathBuf>,
    /// The certificate of a proof
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Which solver answers the queries: Plumb's own, or another program on the search path
    #[arg(long, value_name = "NAME", default_value = OWN_SOLVER, value_parser = solver_names())]
    pub solver: String,
    /// Write each query into this folder, for any solver that reads SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    pub queries: Option<PathBuf>,
}

/// The name of Plumb's own solver.
const OWN_SOLVER: &str = "own";

fn solver_names() -> PossibleValuesParser {
    let others = plumb_solve::Program::ALL.map(plumb_solve::Program::name);
    PossibleValuesParser::new([OWN_SOLVER].into_iter().chain(others))
}

#[derive(ClapArgs, Debug)]
pub struct ShowArgs {
    /// What to print
    pub what: Stage,
    /// C files, preprocessed (.i) or not; OIL files for the stage oil
    pub files: Vec<PathBuf>,
    /// Print a graph for Graphviz (cfa, callgraph)
    #[arg(long)]
    pub dot: bool,
    /// Only this function
    #[arg(short = 'F', long, value_name = "NAME")]
    pub function: Option<String>,
    /// Library models too, not only the program's own functions
    #[arg(long)]
    pub library: bool,
    /// Print C assertions about sizes and offsets, to be checked by a compiler (layout)
    #[arg(long)]
    pub asserts: bool,
    /// The program as lowering leaves it, with no variable promoted to a register (ir, cfa)
    #[arg(long)]
    pub raw: bool,
    /// Only what can influence whether a check is violated; other edges do nothing (ir, cfa)
    #[arg(long, conflicts_with = "raw")]
    pub slice: bool,
    /// Write the kernel model with the system's tables into this folder, as C (oil)
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
}

/// The stages of the pipeline that can be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Stage {
    /// The typed syntax tree, with every conversion
    Ast,
    /// Functions as lists of edges
    Ir,
    /// Functions as control-flow automata
    Cfa,
    /// Who calls whom
    Callgraph,
    /// Sizes, alignments and offsets of every struct, union and enum
    Layout,
    /// Which functions could be replaced by summaries, which of their calls are worth it, and why not the others
    Summaries,
    /// The system of an OIL description: tasks, ceilings, masks, alarms, and what was ignored
    Oil,
    /// Static features of the program, and the metrics of target-directed search that they choose
    Features,
}
