//! The command line of Plumb. Only this crate prints.
//!
//! ```text
//!   args     flags as given, checked once and for all
//!   load     files to a program: front end, lowering, properties
//!   osek     an OIL description to the kernel model that the program runs on
//!   check    plumb check: search, evidence, verdict
//!   run      plumb run: one execution on the concrete machine
//!   validate plumb validate: witnesses checked from scratch
//!   show     plumb show: the program at each stage
//!   infer    plumb infer: likely invariants from runs
//!   synth    plumb synth: functions from examples
//!   tune     plumb tune: the choice of a metric, learned from runs
//!   report   output, diagnostics, exit codes
//!   stats    where the time went
//!   watchdog the end of the time, kept whatever the process is doing
//! ```

mod args;
mod check;
mod infer;
mod load;
mod osek;
mod report;
mod run;
mod show;
mod stats;
mod synth;
mod tune;
mod validate;
mod watchdog;

use args::{Args, Command};
use report::{Exit, Output};

fn main() {
    report::install_panic_hook();
    let exit = match args::parse() {
        Ok(args) => on_deep_stack(args),
        Err(exit) => exit,
    };
    // Engines that did not end in time are still at work: nothing of theirs is waited for.
    std::process::exit(exit.code())
}

fn dispatch(args: &Args, out: &mut Output) -> Exit {
    match &args.command {
        Command::Check(check) => check::check(args, check, out),
        Command::Run(run) => run::run(args, run, out),
        Command::Validate(validate) => validate::validate(args, validate, out),
        Command::Show(show) => show::show(args, show, out),
        Command::Infer(infer) => infer::infer(args, infer, out),
        Command::Synth(synth) => synth::synth(args, synth, out),
        Command::Tune(tune) => tune::tune(args, tune, out),
    }
}

/// Programs may nest deeply and so do the functions that walk them. Address space is all that a large stack costs; where
/// even that is limited, the stack has an eighth of it.
fn on_deep_stack(args: Args) -> Exit {
    let args = std::sync::Arc::new(args);
    let most = plumb_engine::host::address_space().map_or(u64::MAX, |space| (space / 8) >> 20).max(64);
    for mebibytes in [1024, 256, 64].into_iter().filter(|mebibytes| *mebibytes as u64 <= most) {
        let args = args.clone();
        let work = move || {
            let mut out = Output::new(&args);
            let exit = dispatch(&args, &mut out);
            out.finish();
            exit
        };
        let builder = std::thread::Builder::new().name("plumb".to_string()).stack_size(mebibytes << 20);
        if let Ok(thread) = builder.spawn(work) {
            // A panic has been reported by the hook.
            return thread.join().unwrap_or(Exit::Trouble);
        }
    }
    eprintln!("error: cannot start a thread with a stack of 64 MiB\n  help: raise the limit on memory (`ulimit -v`)");
    Exit::Trouble
}
