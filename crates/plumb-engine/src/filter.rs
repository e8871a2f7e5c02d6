//! Alarm filtering: is there a run of the original along the path of an alarm?
//!
//! The path's branches become assumptions and the summaries' calls, or those of contracts, are those of the original functions again
//! ([`plumb_ir::derive::path_program`]); bounded model checking of that program looks for inputs that get to the end of the
//! path. They need not be those of the alarm (Kim, Choi, Kim: "Precise concolic unit testing of C programs using extended
//! units and symbolic alarm filtering", 2018).

use crate::answer::{Answer, Violation};
use crate::bmc::{BmcOptions, bmc};
use crate::board::Board;
use crate::budget::Budget;
use crate::replay::realise::Realiser;
use plumb_answer::tuning;
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::path_program::path_program;
use plumb_ir::derive::{Derived, Provenance};
use plumb_ir::program::{EdgeId, FuncId, Program};

tuning! { /// Knobs of alarm filtering. `pbe` and `div` share them; how long a filter may take each says by itself.
pub struct FilterTuning {
    /// A longer path, in edges, is not solved: its program has a copy of a function for every call.
    max_path: usize = 200_000,
}}

const TUNING: FilterTuning = FilterTuning::DEFAULT;

/// What an alarm is.
pub enum Filtered {
    /// A violation of the original.
    True(Violation),
    /// No run of the original gets to the end of the path.
    False(Box<Derived>),
    /// There was no time to find out, or the path is not modelled.
    Undecided,
}

/// What a run of a derived program is as one of the original, if it is one.
pub fn replay_on_original(
    realiser: &mut Realiser<'_>,
    provenance: &Provenance,
    violation: &Violation,
    budget: &Budget,
) -> Option<Violation> {
    let check = provenance.check(violation.check).original()?;
    let claim = Violation { check, inputs: provenance.inputs_home(&violation.inputs) };
    realiser.realise(&claim, budget).ok()
}

/// Whether some inputs lead along a path of the original to its end.
pub fn filter(program: &Program, path: &[(FuncId, EdgeId)], realiser: &mut Realiser<'_>, budget: &Budget) -> Filtered {
    if path.len() > TUNING.max_path {
        return Filtered::Undecided;
    }
    let Ok(path) = path_program(program, path) else { return Filtered::Undecided };
    let analyses = Analyses::new(&path.program);
    match bmc(&analyses, &BmcOptions::default(), budget, &Board::closed(), &()) {
        Answer::Violated(violation) => match replay_on_original(realiser, &path.provenance, &violation, budget) {
            Some(violation) => Filtered::True(violation),
            None => Filtered::Undecided,
        },
        Answer::Holds(..) => Filtered::False(Box::new(path)),
        Answer::Unknown(_) => Filtered::Undecided,
    }
}
