//! From the typed program to the one that jobs work on: lowered, with its properties as checks, scalars in registers, and the
//! state that a run starts in.
//!
//! Parts of some checks can only be laid while lowering, which therefore has to know the properties that are checked
//! afterwards. Here both get the same set.

use crate::analysis::Analyses;
use crate::derive::unit::entry_state;
use crate::lower::{LowerOptions, lower};
use crate::preempt::with_preemption_points;
use crate::program::Program;
use crate::promote::promote;
use crate::property::reach::with_reach_checks;
use crate::property::{PropertySet, instrument};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::hir;
use plumb_c::source::Span;

#[derive(Clone, Debug)]
pub struct PrepareOptions {
    pub lowering: LowerOptions,
    /// Scalars live in registers wherever they can. Without it every variable whose address is taken somewhere stays
    /// in memory, as the source has it.
    pub promotion: bool,
    pub entry_state: EntryState,
    /// An expression that must hold in no state, as [`crate::property::reach::REACH`] computes it.
    pub reach: Option<String>,
}

/// What globals hold when the entry function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EntryState {
    /// What C says of the start of a program.
    #[default]
    Initial,
    /// Anything.
    Arbitrary,
}

impl Default for PrepareOptions {
    fn default() -> PrepareOptions {
        PrepareOptions {
            lowering: LowerOptions::default(),
            promotion: true,
            entry_state: EntryState::Initial,
            reach: None,
        }
    }
}

/// The program with a check wherever a property of the set could break. Returns `None` when `diags` received an error.
pub fn prepare(
    hir: &hir::Program,
    properties: &PropertySet,
    options: &PrepareOptions,
    diags: &mut Diagnostics,
) -> Option<Program> {
    let lowered = lower(hir, &options.lowering, properties, diags)?;
    // Before checks are laid, so that a check and what it is about are one step.
    let lowered = match with_preemption_points(lowered) {
        Ok(program) => program,
        Err(message) => {
            diags.push(Diagnostic::error(Span::NONE, message).help("check the parts one by one"));
            return None;
        }
    };
    let lowered = match &options.reach {
        None => lowered,
        Some(expression) => match with_reach_checks(lowered, expression) {
            Ok(program) => program,
            Err(why) => {
                let message = format!("the state `{expression}` cannot be looked for: {why}");
                diags.push(Diagnostic::error(Span::NONE, message).help("compare global variables with constants"));
                return None;
            }
        },
    };
    let instrumented = instrument(&lowered, properties);
    let program = if options.promotion { promote(&instrumented) } else { instrumented };
    Some(match options.entry_state {
        EntryState::Initial => program,
        // Nobody asks where the parts of this program come from: the ones that are the original's keep their numbers.
        EntryState::Arbitrary => entry_state(&Analyses::new(&program)).program,
    })
}
