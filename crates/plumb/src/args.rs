//! Flags as the user gives them, and what they mean: everything behind this file deals with checked values only.

use crate::report::Exit;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use plumb_c::code_flags::CodeFlags;
use plumb_c::driver::FrontOptions;
use plumb_c::preprocess::{MacroFlag, PreprocessOptions};
use plumb_c::target::Target;
use plumb_engine::engine::Engine;
use plumb_engine::engine::Order;
use plumb_engine::registry::Registry;
use plumb_ir::EntryState;
use plumb_ir::lower::{InterruptOptions, Missing};
use plumb_osek::OilOptions;
use plumb_osek::kernel::OsCheck;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A software model checker for embedded C.
#[derive(Parser, Debug)]
#[command(name = "plumb", bin_name = "plumb", version, max_term_width = 100)]
struct Raw {
    #[command(subcommand)]
    command: RawCommand,
    #[command(flatten)]
    global: Global,
}

#[derive(Subcommand, Debug)]
enum RawCommand {
    /// Find out whether the program can break its properties.
    ///
    /// Standard output has the counterexample or what was explored, and as its last line the verdict: TRUE, FALSE with the
    /// property that is broken in parentheses (as the Competition on Software Verification names it, or else as --checks
    /// does), or UNKNOWN. Exit code: 0 for TRUE, 1 for FALSE, 2 for UNKNOWN, 3 for bad input or usage. Ctrl-C ends the
    /// search and gives what there is.
    Check(Box<CheckArgs>),
    /// Execute the program on one sequence of inputs.
    ///
    /// The program's own output comes first; the last line of standard output is the outcome. Exit code: 0 if the program
    /// ended by itself (it returned, exited with any status, or aborted), 1 if it broke a property, 2 if the run ended
    /// without an answer (step limit, assumption, fault, something that is not modelled), 3 for bad input or usage.
    Run(RunArgs),
    /// Check a witness or a certificate from scratch, with none of the engines.
    ///
    /// A violation witness is confirmed by a run along its waypoints that breaks the property, a correctness witness and the
    /// certificate of a proof by showing that what they say of loops holds and suffices. The last line of standard output is `confirmed`, `rejected` or `unknown`, each
    /// with the reason. Exit code: 0 if it is confirmed, 1 if it is rejected, 2 if neither could be shown, 3 for
    /// bad input or usage.
    Validate(ValidateArgs),
    /// Print the program at one stage of its way through Plumb.
    Show(ShowArgs),
    /// Infer likely invariants from runs: what held at entry and exit of functions and at loop heads.
    ///
    /// The program is run on random inputs, and variables are sampled. Standard output has the facts that held of every sample of a
    /// place, hardly by chance, in the notation of ACSL. None of them is proved. Exit code: 0, or 3 for bad input or usage.
    Infer(InferArgs),
    /// Synthesise functions from examples.
    ///
    /// The file is in SyGuS-IF 2.1: a grammar, and input/output examples or, over bit-vectors, a reference implementation as
    /// constraints. Standard output has the definitions, each of which has been evaluated on all examples; or `infeasible` if
    /// examples contradict each other; or `fail` and, as a comment, the term that satisfies most examples. Exit code: 0 with
    /// an answer, 1 if there is none, 2 if none was found, 3 for bad input or usage.
    Synth(SynthArgs),
    /// Learn which metric a target-directed search should count distances in, from runs on many programs.
    ///
    /// A history has one record a line, as JSON: the program's name, the engine, its features (`plumb show features --json`), and for
    /// each metric whether the program was solved and in how many seconds. Standard output has the decision tree, and what it
    /// achieves on programs that it was not learned from (leave-one-out evaluation). Exit code: 0, or 3 for bad input or usage.
    Tune(TuneArgs),
}

#[derive(ClapArgs, Debug)]
pub struct TuneArgs {
    /// Histories, read as one
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Whose runs to learn from; may be left out if all records are of one engine
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Learn from programs for which the metrics differ by at least so many seconds
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
    /// Run the program so often
    #[arg(long, value_name = "N", default_value = "300")]
    pub runs: std::num::NonZeroU64,
    /// End each run after so many steps
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub steps: u64,
    /// Where chance begins: the same number gives the same runs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Tell facts that hold by chance with a probability of at most one minus this; 0 for all
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.99, value_parser = probability)]
    pub confidence: f64,
    /// Prove facts at exits for every call that returns, from any state, and facts at loops for every run
    #[arg(long)]
    pub prove: bool,
}

fn probability(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "a number from 0 to 1".to_string())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("a number from 0 to 1".to_string()) }
}

#[derive(ClapArgs, Debug)]
pub struct SynthArgs {
    /// A file in SyGuS-IF (.sl)
    pub file: PathBuf,
    /// Print C instead of SyGuS-IF; of a function that was not found, what satisfies most examples
    #[arg(long)]
    pub c: bool,
    /// Examine so many terms at most [default: as many as time and memory allow]
    #[arg(long, value_name = "N")]
    pub candidates: Option<u64>,
    /// Where chance begins: the same number gives the same answer, on any number of threads, unless time runs out
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Search on so many threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<std::num::NonZeroUsize>,
}

/// Of engines that replace functions by summaries.
#[derive(ClapArgs, Debug)]
pub struct SummaryArgs {
    /// Summaries: judge an alarm by all inputs that take its path, or by its own inputs alone
    #[arg(long, value_name = "HOW", default_value = "symbolic", value_parser = ["symbolic", "concrete"])]
    pub alarm_filter: String,
    /// Summaries: make and select them by accuracy, without a look at output coverage
    #[arg(long)]
    pub no_output_coverage: bool,
    /// Summaries: neither use nor fill the folder that keeps them from run to run
    #[arg(long)]
    pub no_cache: bool,
    /// Summaries: write those that are made into this folder, as FUNCTION.summary.c and FUNCTION.nondet.c, refined ones as they
    /// are in the end
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
    /// Tell by engine and phase where the time went
    #[arg(long)]
    pub stats: bool,
    /// Write the same as JSON
    #[arg(long, value_name = "FILE")]
    pub stats_json: Option<PathBuf>,
    /// Engines tell each other nothing
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
    /// Tell more: the predicates that a proof by abstraction rests on
    #[arg(long, short)]
    pub verbose: bool,
    /// Engines that unwind: unwind loops so often and no further [default: ever further]
    #[arg(long, value_name = "ITERATIONS")]
    pub unwind: Option<u32>,
    /// Engines that unwind: unwind the loop on this line so often and no further, whatever the bound
    #[arg(long, value_name = "[FILE:]LINE=ITERATIONS", value_parser = loop_bound)]
    pub unwind_loop: Vec<LoopBound>,
    /// Where chance begins: the same number and threads give the same search
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Search on so many threads [default: all cores]
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
    /// Spend up to so many seconds on making a counterexample smaller; 0 leaves it as it was found
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub minimise: Duration,
    /// Tell every iteration of the loop in a counterexample, not only the decisive ones
    #[arg(long)]
    pub full_trace: bool,
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
    parts().ok_or_else(|| "a line and a number of iterations are wanted, such as `control.c:120=8`".to_string())
}

/// Half of what the machine allows; a gibibyte where it does not tell.
fn default_memory() -> u64 {
    plumb_engine::host::memory_limit().map_or(1 << 30, |bytes| bytes / 2)
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
            Some(number.parse().map_err(|_| format!("`{number}` is no number; it says when {what}"))?)
        }
        (Some(_), None) => return Err(format!("the engine `{name}` takes no number")),
        (None, _) => None,
    };
    Ok(EngineChoice::One(engine, number))
}

fn os_check(text: &str) -> Result<OsCheck, String> {
    let found = OsCheck::ALL.into_iter().find(|check| check.name() == text);
    let names = || OsCheck::ALL.map(OsCheck::name).join(", ");
    found.ok_or_else(|| format!("there is no such check; there are {}", names()))
}

/// What stays inside of the parentheses that it is put into.
fn reach_expression(text: &str) -> Result<String, String> {
    let mut depth = 0i32;
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ';' | '{' | '}' | '#' | '\n' | '\\' | '"' => {
                return Err(format!("`{c}` is not part of an expression over global variables"));
            }
            _ => {}
        }
        if depth < 0 {
            return Err("a parenthesis closes that was not opened".to_string());
        }
    }
    match depth == 0 && !text.trim().is_empty() {
        true => Ok(text.trim().to_string()),
        false => Err("an expression such as `state == LOCKED` is wanted".to_string()),
    }
}

fn order(name: String) -> Order {
    let found = Order::ALL.into_iter().find(|(known, _)| *known == name);
    found.expect("the parser takes these names only").1
}

#[derive(ClapArgs, Debug)]
pub struct RunArgs {
    /// C files, preprocessed (.i) or not
    pub files: Vec<PathBuf>,
    /// Take input values from a file: numbers separated by white space or commas
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub inputs: Option<PathBuf>,
    /// Draw input values at random, the same ones for the same number
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// End the run after so many steps
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
    /// The system of an OIL description: tasks, ceilings, masks, alarms, and what was passed over
    Oil,
    /// Static features of the program, and the metrics of target-directed search that they choose
    Features,
}

#[derive(ClapArgs, Debug)]
struct Global {
    /// The machine that the program is for: 32 and 64 (x86 Linux), avr, hc12 [default: 64]
    #[arg(long, global = true, value_name = "MACHINE", value_parser = target)]
    arch: Option<Target>,
    /// A property file of the Competition on Software Verification
    #[arg(long, global = true, value_name = "FILE")]
    property: Option<PathBuf>,
    /// Checks to add to those of assertions and error functions, or of the property file: bounds, pointer, double-free,
    /// leak, overflow, unsigned-overflow, div-by-zero, shift, conversion, float-nan, assertion; all for every one but
    /// unsigned-overflow and conversion, none for nothing
    #[arg(long, global = true, value_name = "LIST", value_delimiter = ',')]
    checks: Vec<String>,
    /// Calling this function breaks the property
    #[arg(long, global = true, value_name = "NAME")]
    error_function: Vec<String>,
    /// Reaching this label breaks the property
    #[arg(long, global = true, value_name = "NAME")]
    error_label: Vec<String>,
    /// The function that the program starts with [default: what the property file says, or main]
    #[arg(long, global = true, value_name = "NAME")]
    entry: Option<String>,
    /// What globals hold when it is called: what C says of the start of a program, or anything that the program could have
    /// left there
    #[arg(long, global = true, value_name = "STATE", default_value = "initial")]
    entry_state: StartState,
    /// A proof must show that no run has undefined behaviour before the property, instead of supposing it
    #[arg(long, global = true)]
    strict: bool,
    /// One JSON document on standard output
    #[arg(long, global = true)]
    json: bool,
    /// Flags, and files if none are named, from a build's compile_commands.json
    #[arg(long, global = true, value_name = "FILE")]
    compile_commands: Option<PathBuf>,
    /// Add a directory for included files
    #[arg(short = 'I', global = true, value_name = "DIR")]
    include_dir: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', global = true, value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', global = true, value_name = "NAME")]
    undefine: Vec<String>,
    /// Add a directory for system headers (also -isystem)
    #[arg(long, global = true, value_name = "DIR")]
    isystem: Vec<PathBuf>,
    /// Include a file first (also -include)
    #[arg(long, global = true, value_name = "FILE")]
    include: Vec<PathBuf>,
    /// A flag of the compiler that changes the language or the machine (also -funsigned-char, -fshort-enums, -fwrapv, ...)
    #[arg(long, global = true, value_name = "FLAG", allow_hyphen_values = true)]
    compiler_flag: Vec<String>,
    /// The C standard, as compilers name it (also -std=)
    #[arg(long, global = true, value_name = "STANDARD")]
    std: Option<String>,
    /// The system that an OSEK/VDX application runs in, as an OIL description; several files are read as one
    #[arg(long, global = true, value_name = "FILE.oil")]
    oil: Vec<PathBuf>,
    /// Attributes (TASK.DEADLINE, TASK.*) and kinds of objects of an OIL description that play no role
    #[arg(long, global = true, value_name = "LIST", value_delimiter = ',')]
    oil_ignore: Vec<String>,
    /// What every OSEK/VDX application must do: a list of response (a task that waits is woken by an event, if the environment is
    /// fair), deadlock, activation (none is lost), resource (released in order and in time), level (services are called where
    /// they may be) and error (no service returns one); all of them without a list
    ///
    /// A fair environment gives every value that it is asked for again and again, and lets interrupts occur that can occur
    /// again and again where tasks touch what others can see, call the kernel or leave it idle.
    #[arg(long, global = true, value_name = "LIST", value_delimiter = ',', num_args = 0..=1, require_equals = true,
          default_missing_value = "response,deadlock,activation,resource,level,error", value_parser = os_check)]
    os_checks: Vec<OsCheck>,
    /// No state is reached in which this expression over global variables holds
    #[arg(long, global = true, value_name = "EXPR", value_parser = reach_expression)]
    reach: Option<String>,
    /// Give up after so many seconds [default: 900 for check, validate and synth, none for run and infer]
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Use at most so many MiB, roughly: for the program's memory (run), for what the search keeps (check) [default: half
    /// of what the machine allows]
    #[arg(long, global = true, value_name = "MIB")]
    memory: Option<u64>,
    /// What reading a volatile object gives: what was last written, or anything
    #[arg(long, global = true, value_name = "KIND", default_value = "memory")]
    volatile: Volatile,
    /// What functions without a body may do besides returning anything: nothing, change what their pointer arguments
    /// reach, or such a program is refused [default: havoc; nothing with --property]
    #[arg(long, global = true, value_name = "EFFECT")]
    missing: Option<MissingEffect>,
    /// A function that hardware calls when an interrupt occurs, besides those that an attribute marks as handlers. It may interrupt what runs
    /// at a lower priority [default priority: 1; main runs at 0]
    #[arg(long, global = true, value_name = "NAME[:PRIORITY]", value_parser = handler)]
    isr: Vec<(String, u8)>,
    /// Functions that mask interrupts, besides cli, __disable_irq and the like
    #[arg(long, global = true, value_name = "NAME")]
    irq_mask: Vec<String>,
    /// Functions that unmask interrupts, besides sei, __enable_irq and the like
    #[arg(long, global = true, value_name = "NAME")]
    irq_unmask: Vec<String>,
    /// Assume that hardware calls no function but those that --isr names
    #[arg(long, global = true)]
    no_interrupts: bool,
    /// Colour in diagnostics and counterexamples
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

/// A name, and the priority behind a colon.
fn handler(text: &str) -> Result<(String, u8), String> {
    let (name, priority) = text.split_once(':').unwrap_or((text, "1"));
    match priority.parse::<u8>() {
        Ok(priority) if priority > 0 && !name.is_empty() => Ok((name.to_string(), priority)),
        _ => Err("a function, and perhaps a priority from 1 to 255 behind a colon".to_string()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum MissingEffect {
    Nothing,
    Havoc,
    Error,
}

impl MissingEffect {
    /// The competition's rule is that they change nothing.
    fn chosen(given: Option<MissingEffect>, has_property_file: bool) -> Missing {
        match given {
            Some(MissingEffect::Nothing) => Missing::Nothing,
            Some(MissingEffect::Havoc) => Missing::Havoc,
            Some(MissingEffect::Error) => Missing::Error,
            None if has_property_file => Missing::Nothing,
            None => Missing::Havoc,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Volatile {
    Memory,
    Input,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum StartState {
    Initial,
    Arbitrary,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    fn suits(self, is_terminal: bool) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none(),
        }
    }
}

fn target(name: &str) -> Result<Target, String> {
    Target::by_name(name).copied().ok_or_else(|| {
        let known: Vec<&str> = Target::ALL.iter().map(|t| t.name).collect();
        format!("one of {}", known.join(", "))
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "a number of seconds".to_string())?;
    Duration::try_from_secs_f64(number).map_err(|_| "a positive number of seconds".to_string())
}

/// Whether a file may be written there, as far as its name tells.
fn writable(path: &Path) -> Result<(), String> {
    let shown = path.display();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() {
        return Err(format!("cannot write `{shown}`: it is a directory\n  help: name a file in it"));
    }
    match folder {
        Some(folder) if !folder.is_dir() => {
            let folder = folder.display();
            Err(format!("cannot write `{shown}`: there is no directory `{folder}`\n  help: make it first"))
        }
        _ => Ok(()),
    }
}

/// Checked arguments.
#[derive(Debug)]
pub struct Args {
    pub command: Command,
    pub front: FrontOptions,
    /// Without a file: the program runs on no operating system.
    pub oil: OilOptions,
    pub os_checks: Vec<OsCheck>,
    /// A state that must not be reached.
    pub reach: Option<String>,
    pub entry: Option<String>,
    pub entry_state: EntryState,
    pub property: Option<PathBuf>,
    pub checks: Vec<String>,
    pub error_functions: Vec<String>,
    pub error_labels: Vec<String>,
    pub volatile_inputs: bool,
    /// Proofs suppose nothing of undefined behaviour.
    pub strict: bool,
    pub missing: Missing,
    pub interrupts: InterruptOptions,
    pub json: bool,
    /// Colour in diagnostics, on standard error.
    pub color: bool,
    /// Colour in results, on standard output.
    pub color_results: bool,
    pub timeout: Option<Duration>,
    /// Bytes.
    pub memory: u64,
}

#[derive(Debug)]
pub enum Command {
    Check(Box<CheckArgs>),
    Run(RunArgs),
    Validate(ValidateArgs),
    Show(ShowArgs),
    Infer(InferArgs),
    Synth(SynthArgs),
    Tune(TuneArgs),
}

impl Args {
    pub fn files(&self) -> &[PathBuf] {
        match &self.command {
            Command::Check(check) => &check.files,
            Command::Run(run) => &run.files,
            Command::Validate(validate) => &validate.files,
            Command::Show(show) => &show.files,
            Command::Infer(infer) => &infer.files,
            Command::Synth(synth) => std::slice::from_ref(&synth.file),
            Command::Tune(tune) => &tune.files,
        }
    }
}

/// Reads the process's arguments. Help and version are printed here; wrong usage gives exit code 3.
pub fn parse() -> Result<Args, Exit> {
    let raw = Raw::try_parse_from(compiler_style(std::env::args_os())).map_err(|error| {
        let _ = error.print();
        if error.use_stderr() { Exit::Trouble } else { Exit::Done }
    })?;
    check(raw).map_err(|message| {
        eprintln!("error: {message}");
        Exit::Trouble
    })
}

/// Compilers spell some long flags with one dash; so may the user.
fn compiler_style(args: impl Iterator<Item = std::ffi::OsString>) -> impl Iterator<Item = std::ffi::OsString> {
    args.map(|arg| match arg.to_str() {
        Some("-isystem") => "--isystem".into(),
        Some("-include") => "--include".into(),
        Some("-m32") => "--arch=32".into(),
        Some("-m64") => "--arch=64".into(),
        Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
        Some(text) if text.len() > 2 && ["-f", "-m", "-O"].iter().any(|kind| text.starts_with(kind)) => {
            format!("--compiler-flag={text}").into()
        }
        _ => arg,
    })
}

fn check(raw: Raw) -> Result<Args, String> {
    let Raw { command, global } = raw;
    let command = match command {
        RawCommand::Check(check) => {
            // A search may take long: what cannot be written is better known before it.
            let files = [&check.inputs, &check.harness, &check.witness, &check.certificate, &check.contracts];
            files.into_iter().flatten().try_for_each(|p| writable(p))?;
            Command::Check(check)
        }
        RawCommand::Run(run) => Command::Run(run),
        RawCommand::Validate(validate) => Command::Validate(validate),
        RawCommand::Show(show) => {
            if show.dot && !matches!(show.what, Stage::Cfa | Stage::Callgraph) {
                return Err("--dot draws the stages cfa and callgraph".to_string());
            }
            if show.asserts && show.what != Stage::Layout {
                return Err("--asserts belongs to the stage layout".to_string());
            }
            if show.write.is_some() && show.what != Stage::Oil {
                return Err("--write belongs to the stage oil".to_string());
            }
            Command::Show(show)
        }
        RawCommand::Infer(infer) => Command::Infer(infer),
        RawCommand::Synth(synth) => Command::Synth(synth),
        RawCommand::Tune(tune) => {
            tune.output.iter().try_for_each(|path| writable(path))?;
            Command::Tune(tune)
        }
    };
    let macros = global.define.into_iter().map(MacroFlag::Define);
    let macros = macros.chain(global.undefine.into_iter().map(MacroFlag::Undefine)).collect();
    let mut code = CodeFlags::default();
    for flag in &global.compiler_flag {
        code.apply(flag).map_err(|refused| {
            format!("the flag `{}` is not supported: {}\n  help: see docs/compatibility.md", refused.flag, refused.why)
        })?;
    }
    let preprocess = PreprocessOptions {
        code,
        include_dirs: global.include_dir,
        system_dirs: global.isystem,
        includes: global.include,
        macros,
        std: global.std,
        ..PreprocessOptions::default()
    };
    let front = FrontOptions {
        target: global.arch,
        preprocess,
        compile_commands: global.compile_commands,
        library: Some(plumb_ir::library::source),
        ..FrontOptions::default()
    };
    let oil = OilOptions {
        files: global.oil,
        include_dirs: front.preprocess.include_dirs.clone(),
        ignored: global.oil_ignore,
    };
    if !global.os_checks.is_empty() && oil.files.is_empty() {
        return Err(
            "--os-checks is about OSEK/VDX applications\n  help: name the OIL description with --oil".to_string()
        );
    }
    let args = Args {
        command,
        front,
        oil,
        os_checks: global.os_checks,
        reach: global.reach,
        entry: global.entry,
        entry_state: match global.entry_state {
            StartState::Initial => EntryState::Initial,
            StartState::Arbitrary => EntryState::Arbitrary,
        },
        missing: MissingEffect::chosen(global.missing, global.property.is_some()),
        interrupts: InterruptOptions {
            ignore_attributes: global.no_interrupts,
            handlers: global.isr,
            masks: global.irq_mask,
            unmasks: global.irq_unmask,
        },
        property: global.property,
        checks: global.checks,
        error_functions: global.error_function,
        error_labels: global.error_label,
        volatile_inputs: global.volatile == Volatile::Input,
        strict: global.strict,
        json: global.json,
        color: global.color.suits(std::io::stderr().is_terminal()),
        color_results: global.color.suits(std::io::stdout().is_terminal()),
        timeout: global.timeout,
        memory: global.memory.map_or_else(default_memory, |mebibytes| mebibytes.saturating_mul(1 << 20)),
    };
    if args.files().is_empty() && args.front.compile_commands.is_none() {
        return Err(
            "no C file is named\n  help: name at least one .c or .i file, or give --compile-commands".to_string()
        );
    }
    Ok(args)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Result<Args, String> {
        let words = line.split(' ').map(std::ffi::OsString::from);
        let raw = Raw::try_parse_from(compiler_style(words)).map_err(|e| e.to_string())?;
        check(raw)
    }

    #[test]
    fn the_flags_are_consistent() {
        use clap::CommandFactory;
        Raw::command().debug_assert();
    }

    #[test]
    fn options_that_engines_name_are_flags_of_check() {
        use clap::CommandFactory;
        let command = Raw::command();
        let check = command.find_subcommand("check").expect("the command is there");
        let flags: Vec<String> = check.get_arguments().filter_map(|a| Some(format!("--{}", a.get_long()?))).collect();
        let registry = Registry::standard();
        let mut named = registry.all().iter().flat_map(|engine| engine.options());
        assert!(named.clone().any(|(option, _)| *option == "--order"));
        assert!(named.all(|(option, _)| flags.iter().any(|flag| flag == option)), "{flags:?}");
    }

    #[test]
    fn compiler_flags_are_understood() {
        let args = args("plumb run -Iinc -DX=1 -UY -isystem sys -std=c99 -m32 -fwrapv -O2 a.c").unwrap();
        assert!(args.front.preprocess.code.wrapv);
        assert_eq!(args.front.target, Some(Target::ILP32));
        assert_eq!(args.front.preprocess.std.as_deref(), Some("c99"));
        assert_eq!(args.front.preprocess.system_dirs, [PathBuf::from("sys")]);
        assert_eq!(args.front.preprocess.macros.len(), 2);
    }

    #[test]
    fn orders_have_their_names() {
        for (name, order) in Order::ALL {
            let args = args(&format!("plumb check --order {name} a.c")).unwrap();
            let Command::Check(check) = args.command else { panic!("a check was asked for") };
            assert_eq!(check.order, Some(order));
            if let Order::Tour(metric) = order {
                assert_eq!(name, format!("tour:{metric}"));
            }
        }
    }

    #[test]
    fn contradictions_are_reported() {
        let lines = [
            "plumb run",
            "plumb show ast --dot a.c",
            "plumb show ir --asserts a.c",
            "plumb show ir --write d a.c",
            "plumb show oil",
            "plumb check --oil a.oil",
            "plumb run --arch 99 a.c",
            "plumb check",
            "plumb check --threads 0 a.c",
            "plumb check --engine magic a.c",
            "plumb check -ffast-math a.c",
            "plumb check -fno-such-flag a.c",
            "plumb check --timeout -1 a.c",
            "plumb check --witness no/such/directory/w.yml a.c",
            "plumb synth",
            "plumb synth --threads 0 a.sl",
            "plumb synth a.sl b.sl",
            "plumb infer",
            "plumb infer --confidence 2 a.c",
            "plumb tune",
            "plumb tune --threshold -1 h.jsonl",
            "plumb tune -o no/such/directory/m.json h.jsonl",
            "plumb check --order tour a.c",
            "plumb check --order tour:xx a.c",
        ];
        for line in lines {
            assert!(args(line).is_err(), "{line}");
        }
    }
}
