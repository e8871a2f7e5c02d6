//! The harness: C that answers the program's inputs with the recorded values, so that the user's own compiler builds a
//! program that fails.
//!
//! ```text
//!   answers   the recorded inputs, sorted by who has to give them
//!   world     what library functions returned
//!   types     C types of the same size and calling convention, spelled without the program's headers
//!   emit      the C text: functions, properties, arguments of `main`; entry: of another entry function
//!   memory    the C text: objects, heap
//!   devices   the C text: device registers
//!   foreign   the C text: memory from outside
//!   stacks    the C text: stacks of calls
//!   assembly  what compilers for the host do not assemble
//!   unseen    violations that the compiled program runs through
//!   build     the compile line
//! ```
//!
//! Every function that the harness defines is weak: what the program defines itself stays as it is. A function that is
//! asked more often than recorded ends the program: it has left the recorded run.

mod answers;
mod assembly;
mod build;
mod devices;
mod emit;
mod entry;
mod foreign;
mod memory;
mod stacks;
mod types;
mod unseen;
mod world;

use crate::replay::{Clock, NotReplayed, Replay, Tape, compile};
pub use stacks::stacks_runtime;

use answers::Answers;
use memory::Heap;
use plumb_answer::Budget;
use plumb_exec::{CompileOptions, InputValue, Machine, Outcome, Site, StopSet};
use plumb_ir::check::CheckKind;
use plumb_ir::expr::ExprKind;
use plumb_ir::input::InputOrigin;
use plumb_ir::program::{Op, Program};
use plumb_ir::property::reach::REACH;
use plumb_ir::ty::Bits;

/// The status that a program with a harness exits with when it breaks the property.
pub const VIOLATED: i32 = 86;
/// The status for a program that asks for more inputs than were recorded, or fails an assumption.
pub const STRAYED: i32 = 87;

/// What the compile line is made of.
#[derive(Clone, Debug, Default)]
pub struct HarnessOptions {
    /// The user's files, as the compile line is to name them.
    pub files: Vec<String>,
    /// Preprocessor flags that the program needs.
    pub flags: Vec<String>,
    /// What the harness will be called.
    pub name: String,
}

#[derive(Clone, Debug)]
pub struct Harness {
    pub c: String,
    /// The command that builds program and harness.
    pub compile: String,
    /// What the harness cannot do.
    pub notes: Vec<String>,
}

/// Writes the harness. A violation that [`crate::minimise`] has worked on is preferable: it has zeros wherever the
/// compiled program's memory is beyond the reach of a harness.
///
/// When the time is over, what would take runs to find out is said to be unknown.
pub fn harness(
    program: &Program,
    replayed: &Replay,
    options: &HarnessOptions,
    budget: &Budget,
) -> Result<Harness, NotReplayed> {
    let mut answers = Answers::new(program, &replayed.inputs);
    if !answers.missing.is_empty() && matters(program, replayed, budget) {
        let missing = std::mem::take(&mut answers.missing);
        answers.notes.extend(missing.into_iter().map(|what| format!("the harness cannot set {what}")));
    }
    let kind = program.check(replayed.check).kind;
    let is_watched = matches!(kind, CheckKind::Bounds | CheckKind::Pointer | CheckKind::Free);
    // The sanitizer that watches memory moves every block.
    world::add_results(program, replayed, &mut answers, is_watched, budget)?;
    answers.notes.extend(entry::cannot_call(program, &answers));
    answers.notes.extend(emit::primitives_of_others(program));
    answers.notes.extend(foreign::cannot_set(program, &answers));
    answers.notes.extend(devices::cannot_map(program, &answers, kind));
    answers.notes.extend(emit::claims_of_many_types(program));
    answers.notes.extend(emit::cannot_see_error(program, replayed.check));
    if kind == CheckKind::Assertion && program.find_function(REACH).is_some() {
        answers.notes.push("the harness cannot see where the expression of `--reach` is true".to_string());
    }
    answers.notes.extend(unseen::notes(program, replayed));
    answers.notes.extend(assembly::of_other_machines(program));
    let has_blocks = is_watched && program.find_function("calloc").is_some();
    let heap = Heap::of(&answers, must_be_empty(program, replayed.site), has_blocks);
    let c = emit::emit(program, &answers, replayed, heap);
    let (compile, more) = build::command(program, replayed, &answers, heap, options);
    let mut notes = answers.notes;
    notes.extend(more);
    Ok(Harness { c, compile, notes })
}

/// Whether the check asks for a heap without any memory in use, instead of one that holds nothing lost.
fn must_be_empty(program: &Program, site: Site) -> bool {
    let function = program.function(site.func);
    let Op::Check { cond, .. } = &function.edge(site.edge).op else { return false };
    matches!(function.exprs.kind(*cond), ExprKind::HeapEmpty)
}

/// Whether the run may depend on values that calls leave out: with others in their place it does not break the same check.
fn matters(program: &Program, replayed: &Replay, budget: &Budget) -> bool {
    let Ok(image) = compile(program, &CompileOptions::default()) else { return true };
    // Other values may lead anywhere, but need not be followed for ever.
    let most = replayed.steps.saturating_mul(2).saturating_add(100_000);
    let breaks = |bits: Bits| {
        let mut inputs = replayed.inputs.clone();
        for (id, value) in &mut inputs {
            let origin = &program.input(*id).origin;
            if let (InputOrigin::MissingArgument(_) | InputOrigin::MissingReturn(_), InputValue::Scalar(old)) =
                (origin, value)
            {
                *old = bits;
            }
        }
        let mut machine = Machine::new(image.clone());
        let mut clock = Clock::with_steps(budget, most);
        let outcome = clock.run(&mut machine, &mut Tape::new(&inputs), &StopSet::default(), &mut |_| {});
        matches!(outcome, Some(Outcome::CheckFailed { check, .. }) if check == replayed.check)
    };
    ![0u128, 1, u128::MAX].into_iter().all(|v| breaks(Bits::new(v, 128)))
}
