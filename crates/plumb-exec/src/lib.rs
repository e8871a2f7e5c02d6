//! The concrete machine: IR programs compiled to register bytecode and run exactly as the compiled C would run.
//!
//! ```text
//!   image       a program's code and tables            inst      the instruction set
//!   compile/    from automata to instructions
//!   machine     runs, snapshots, views of the state    state     registers, calls, snapshots
//!   interp      the main loop                          slow      what is rare
//!   accelerate  many iterations of a simple loop at once
//!   memory/     copy-on-write pages with validity per byte
//!   fingerprint whether two states go on alike
//!   meter       branches taken and how near the others were
//!   inputs      where input values come from           input_file  their text form
//!   settle      values that library models leave open, as the host has them
//!   libm        of these: sin, exp and others
//!   print       printf                                 output    where it goes
//!   outcome     how a run ends                         lasso     runs that can go on for ever
//!   stacks      made, switched and ended               reach     the objects that a pointer leads to
//!   decimal     floats as exact decimal digits         input_fold  repeated inputs, written once
//! ```
//!
//! ```no_run
//! # fn f(program: &plumb_ir::program::Program) -> Result<(), Box<dyn std::error::Error>> {
//! use plumb_exec::{CompileOptions, Image, Limits, Machine, SeedInputs};
//! let image = std::sync::Arc::new(Image::compile(program, &CompileOptions::default())?);
//! let mut machine = Machine::new(image);
//! let start = machine.snapshot();
//! let outcome = machine.run(&mut SeedInputs::new(1), Limits::steps(1_000_000));
//! machine.restore(&start);
//! # Ok(()) }
//! ```
//!
//! The crate knows nothing of C syntax, of properties beyond `Check` edges, or of the terminal.

mod accelerate;
mod compile;
mod decimal;
mod fingerprint;
mod image;
pub mod input_file;
pub mod input_fold;
mod inputs;
mod inst;
mod interp;
mod lasso;
mod libm;
mod machine;
mod memory;
mod meter;
mod outcome;
mod output;
mod print;
mod reach;
mod settle;
mod slow;
mod stacks;
mod state;

pub use fingerprint::LiveRegisters;
pub use image::{CompileError, CompileOptions, Image, StopSet, TracePhase};
pub use input_file::{FileInputs, InputFileError};
pub use inputs::{
    FnInputs, InputSource, InputValue, ListInputs, Recorder, RegionFill, Rng, SeedInputs, ZeroInputs, float_bits,
};
pub use lasso::{Lasso, NoLasso, lasso};
pub use machine::{Limits, Machine, TraceEvent};
pub use memory::foreign::pointer as foreign_pointer;
pub use memory::heap::Object;
pub use memory::layout::{AddressMap, SegmentKind, TooLarge};
pub use memory::page::bytes_of_all as page_bytes;
pub use meter::{Compared, Comparison, Meter, News, Reading};
pub use outcome::{FaultKind, Outcome, ProbeId, Site};
pub use output::Output;
pub use settle::Settling;
pub use state::Snapshot;
