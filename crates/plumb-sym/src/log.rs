//! What happens on the way of a state: the event log of a step.
//!
//! Whoever explores keeps the logs of the steps that count, and drops those of steps that are hypotheses. Nothing of
//! this is true of all states, so the symbolic context ([`crate::Sym`]) does not hold it.

use crate::fault::Fault;
use crate::memory::region::RegionId;
use plumb_ir::check::CheckId;
use plumb_ir::input::InputId;
use plumb_ir::ty::Ty;
use plumb_term::TermId;

/// A value that the program asked for.
#[derive(Clone, Debug)]
pub struct Input {
    pub id: InputId,
    /// When it is asked for.
    pub path: TermId,
    pub given: Given,
}

#[derive(Clone, Debug)]
pub enum Given {
    /// A term of the sort of the type.
    Scalar(TermId, Ty),
    /// Bytes, and how many as a term of pointer width.
    Region(RegionId, TermId),
}

/// A check that may break.
#[derive(Clone, Copy, Debug)]
pub struct Obligation {
    pub check: CheckId,
    /// Runs that break it: they get there without a fault, and the check's condition does not hold.
    pub broken: TermId,
}

/// What happened in one step, or in all steps of an exploration.
#[derive(Clone, Debug, Default)]
pub struct EventLog {
    /// In the order in which they were asked for.
    pub inputs: Vec<Input>,
    pub obligations: Vec<Obligation>,
    /// What ends runs without a check, and when.
    pub faults: Vec<Fault>,
    /// Conditions under which a library does what C leaves open and the model does in one way: nothing is proved of these
    /// runs, but what they break is broken.
    pub doubts: Vec<TermId>,
    /// Conditions under which nobody knows how runs go on.
    pub gaps: Vec<TermId>,
}

impl EventLog {
    pub fn is_empty(&self) -> bool {
        self.has_no_target() && self.inputs.is_empty()
    }

    /// Whether nothing happened that a proof has to exclude.
    pub fn has_no_target(&self) -> bool {
        self.obligations.is_empty() && self.faults.is_empty() && self.doubts.is_empty() && self.gaps.is_empty()
    }

    /// Adds what happened later.
    pub fn append(&mut self, mut later: EventLog) {
        self.inputs.append(&mut later.inputs);
        self.obligations.append(&mut later.obligations);
        self.faults.append(&mut later.faults);
        self.doubts.append(&mut later.doubts);
        self.gaps.append(&mut later.gaps);
    }

    /// What is left where the step is part of a hypothesis: in the run that breaks something first, nothing was broken
    /// before. Inputs were read all the same, and gaps are ours, not the run's.
    pub fn of_hypothesis(self) -> EventLog {
        EventLog { obligations: Vec::new(), faults: Vec::new(), ..self }
    }

    /// What is unknown of the runs: gaps and doubts.
    pub fn unknowns(&self) -> impl Iterator<Item = TermId> + '_ {
        self.gaps.iter().chain(&self.doubts).copied()
    }
}
