//! What a proof supposes of the runs that it is about.
//!
//! A proof of checks covers every run up to its first undefined behaviour ([`FaultKind`]). Where the solver does not
//! prove that no run gets that far, the proof says so: one [`Assumed`] for each kind and place. What no proof may
//! suppose is an obstacle to it.
//!
//! **Soundness.** A check counts as broken only by runs that no fault has ended before ([`crate::Obligation`]), and gaps
//! are noted for those runs only. So a proof that leaves faults out of what it refutes is about exactly the runs
//! without them, and about the beginnings of the others.

use crate::fault::{Fault, FaultKind, FaultSite};
use plumb_term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// No run does this here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Assumed {
    pub site: Option<FaultSite>,
    pub kind: FaultKind,
}

impl Assumed {
    pub fn of(fault: &Fault) -> Assumed {
        Assumed { site: fault.site, kind: fault.kind }
    }
}

/// What a solver says of several conditions at once.
pub enum Feasible {
    /// None of them can hold.
    None,
    /// A model in which these hold.
    Model(Vec<bool>),
    Unknown,
}

/// The faults that are not proved to be infeasible. The question is asked until no model is left; what the solver cannot decide
/// is among them.
pub fn feasible_faults(faults: &[Fault], mut ask: impl FnMut(&[TermId]) -> Feasible) -> BTreeSet<Assumed> {
    let mut open: BTreeMap<Assumed, Vec<TermId>> = BTreeMap::new();
    for fault in faults {
        open.entry(Assumed::of(fault)).or_default().push(fault.when);
    }
    let mut feasible = BTreeSet::new();
    while !open.is_empty() {
        let (keys, terms): (Vec<Assumed>, Vec<TermId>) =
            open.iter().flat_map(|(key, list)| list.iter().map(|term| (*key, *term))).unzip();
        let found: BTreeSet<Assumed> = match ask(&terms) {
            Feasible::None => break,
            Feasible::Model(holds) => keys.iter().zip(holds).filter(|(_, holds)| *holds).map(|(key, _)| *key).collect(),
            Feasible::Unknown => BTreeSet::new(),
        };
        if found.is_empty() {
            feasible.extend(keys);
            break;
        }
        open.retain(|key, _| !found.contains(key));
        feasible.extend(found);
    }
    feasible
}

/// The faults of a list that a proof may suppose not to happen, and the others.
pub fn split_faults(faults: &[Fault], strict: bool) -> (Vec<Fault>, Vec<Fault>) {
    faults.iter().copied().partition(|fault| !strict && fault.kind.is_assumable())
}
