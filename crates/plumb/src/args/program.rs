//! Flags that all subcommands share: the program, what must hold of it, where it runs, and limits.

use clap::{Args as ClapArgs, ValueEnum};
use plumb_c::target::Target;
use plumb_ir::lower::Missing;
use plumb_osek::kernel::OsCheck;
use std::path::PathBuf;
use std::time::Duration;

#[derive(ClapArgs, Debug)]
pub struct Global {
    /// The machine that the program is for: 32 and 64 (x86 Linux), avr, hc12 [default: 64]
    #[arg(long, global = true, value_name = "MACHINE", value_parser = target)]
    pub arch: Option<Target>,
    /// A property file of the Competition on Software Verification
    #[arg(long, global = true, value_name = "FILE")]
    pub property: Option<PathBuf>,
    /// Checks to add to those of assertions and error functions, or of the property file: bounds, pointer, double-free,
    /// leak, overflow, unsigned-overflow, div-by-zero, shift, conversion, float-nan, assertion; all for every one but
    /// unsigned-overflow and conversion, none for nothing
    #[arg(long, global = true, value_name = "LIST", value_delimiter = ',')]
    pub checks: Vec<String>,
    /// Calling this function violates the property
    #[arg(long, global = true, value_name = "NAME")]
    pub error_function: Vec<String>,
    /// Reaching this label violates the property
    #[arg(long, global = true, value_name = "NAME")]
    pub error_label: Vec<String>,
    /// The function that the program starts with [default: what the property file says, or main]
    #[arg(long, global = true, value_name = "NAME")]
    pub entry: Option<String>,
    /// What globals hold when it is called: what C says of the start of a program, or anything that the program could have
    /// left there
    #[arg(long, global = true, value_name = "STATE", default_value = "initial")]
    pub entry_state: StartState,
    /// A proof must show that no run has undefined behaviour before the property, instead of assuming it
    #[arg(long, global = true)]
    pub strict: bool,
    /// One JSON document on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Flags, and files if none are named, from a build's compile_commands.json
    #[arg(long, global = true, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,
    /// Add a directory for included files
    #[arg(short = 'I', global = true, value_name = "DIR")]
    pub include_dir: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', global = true, value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', global = true, value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Add a directory for system headers (also -isystem)
    #[arg(long, global = true, value_name = "DIR")]
    pub isystem: Vec<PathBuf>,
    /// Include a file first (also -include)
    #[arg(long, global = true, value_name = "FILE")]
    pub include: Vec<PathBuf>,
    /// A flag of the compiler that changes the language or the machine (also -funsigned-char, -fshort-enums, -fwrapv, ...)
    #[arg(long, global = true, value_name = "FLAG", allow_hyphen_values = true)]
    pub compiler_flag: Vec<String>,
    /// The C standard, as compilers name it (also -std=)
    #[arg(long, global = true, value_name = "STANDARD")]
    pub std: Option<String>,
    /// The system that an OSEK/VDX application runs in, as an OIL description; several files are read as one
    #[arg(long, global = true, value_name = "FILE.oil")]
    pub oil: Vec<PathBuf>,
    /// Attributes (TASK.DEADLINE, TASK.*) and kinds of objects of an OIL description that are ignored
    #[arg(long, global = true, value_name = "LIST", value_delimiter = ',')]
    pub oil_ignore: Vec<String>,
    /// What every OSEK/VDX application must do: a list of response (a task that waits is woken by an event, if the environment is
    /// fair), deadlock, activation (none is lost), resource (released in order and in time), level (services are called where
    /// they may be) and error (no service returns one); all of them without a list
    ///
    /// A fair environment gives every value that it is asked for again and again, and lets interrupts occur that can occur
    /// again and again where tasks touch what others can see, call the kernel or leave it idle.
    #[arg(long, global = true, value_name = "LIST", value_delimiter = ',', num_args = 0..=1, require_equals = true,
          default_missing_value = "response,deadlock,activation,resource,level,error", value_parser = os_check)]
    pub os_checks: Vec<OsCheck>,
    /// No state is reached in which this expression over global variables holds
    #[arg(long, global = true, value_name = "EXPR", value_parser = reach_expression)]
    pub reach: Option<String>,
    /// Give up after this many seconds [default: 900 for check, validate and synth, none for run and infer]
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Use at most about this many MiB: for the program's memory (run), for what the search keeps (check) [default: half
    /// of what the machine allows]
    #[arg(long, global = true, value_name = "MIB")]
    pub memory: Option<u64>,
    /// What reading a volatile object returns: the value that was last written, or any value
    #[arg(long, global = true, value_name = "KIND", default_value = "memory")]
    pub volatile: Volatile,
    /// What functions without a body may do besides returning any value: nothing, change what their pointer arguments
    /// reach, or such a program is refused [default: havoc; nothing with --property]
    #[arg(long, global = true, value_name = "EFFECT")]
    pub missing: Option<MissingEffect>,
    /// A function that hardware calls when an interrupt occurs, besides those that an attribute marks as handlers. It may interrupt what runs
    /// at a lower priority [default priority: 1; main runs at 0]
    #[arg(long, global = true, value_name = "NAME[:PRIORITY]", value_parser = handler)]
    pub isr: Vec<(String, u8)>,
    /// Functions that mask interrupts, besides cli, __disable_irq and the like
    #[arg(long, global = true, value_name = "NAME")]
    pub irq_mask: Vec<String>,
    /// Functions that unmask interrupts, besides sei, __enable_irq and the like
    #[arg(long, global = true, value_name = "NAME")]
    pub irq_unmask: Vec<String>,
    /// Assume that hardware calls no function but those that --isr names
    #[arg(long, global = true)]
    pub no_interrupts: bool,
    /// Colour in diagnostics and counterexamples
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// A name, and the priority behind a colon.
fn handler(text: &str) -> Result<(String, u8), String> {
    let (name, priority) = text.split_once(':').unwrap_or((text, "1"));
    match priority.parse::<u8>() {
        Ok(priority) if priority > 0 && !name.is_empty() => Ok((name.to_string(), priority)),
        _ => Err("expected a function, optionally followed by a colon and a priority from 1 to 255".to_string()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MissingEffect {
    Nothing,
    Havoc,
    Error,
}

impl MissingEffect {
    /// The competition's rule is that they change nothing.
    pub fn chosen(given: Option<MissingEffect>, has_property_file: bool) -> Missing {
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
pub enum Volatile {
    Memory,
    Input,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StartState {
    Initial,
    Arbitrary,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub fn suits(self, is_terminal: bool) -> bool {
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

pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    Duration::try_from_secs_f64(number).map_err(|_| "expected a positive number of seconds".to_string())
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
            return Err("a closing parenthesis has no opening one".to_string());
        }
    }
    match depth == 0 && !text.trim().is_empty() {
        true => Ok(text.trim().to_string()),
        false => Err("expected an expression such as `state == LOCKED`".to_string()),
    }
}

/// Half of what the machine allows; a gibibyte where it does not tell.
pub fn default_memory() -> u64 {
    plumb_engine::host::memory_limit().map_or(1 << 30, |bytes| bytes / 2)
}
