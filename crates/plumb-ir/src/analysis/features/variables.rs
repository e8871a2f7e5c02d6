//! Features of the data: which variables conditions depend on.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A variable of a program or of a test, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// What is known of a program's variables. A program gives it, and a test writes it down.
#[derive(Clone, Debug, Default)]
pub struct VariableFacts {
    /// Used in conditions.
    pub in_conditions: BTreeSet<Variable>,
    /// Used in conditions that decide whether a loop is left.
    pub in_loop_conditions: BTreeSet<Variable>,
    /// Used to compute addresses that are read from or written to.
    pub dereferenced: BTreeSet<Variable>,
    /// Increased or decreased in a `for` statement whose condition they are in.
    pub counters: BTreeSet<Variable>,
    /// Pairs: the first is assigned something that depends on the second.
    pub flows: Vec<(Variable, Variable)>,
    /// Bit-fields. They count as such, not among variables; what they are part of does.
    pub bit_fields: BTreeSet<Variable>,
    /// Temporaries of the translation. They do not count; what they were computed from is used in their place.
    pub made: BTreeSet<Variable>,
}

impl VariableFacts {
    /// VARS, VARSASM, VARSLOOP, VARSINC and FIELDS.
    pub fn counts(&self) -> [usize; 5] {
        let sources = self.sources();
        let relevant = closure(&sources, self.in_conditions.iter().chain(&self.dereferenced).copied(), |_| true);
        let of_user = |set: &BTreeSet<Variable>| {
            // A temporary stands for what it was computed from.
            let is_made = |variable: Variable| self.made.contains(&variable);
            closure(&sources, set.iter().copied(), is_made).iter().filter(|variable| self.is_named(**variable)).count()
        };
        [
            relevant.iter().filter(|variable| self.is_named(**variable)).count(),
            of_user(&self.in_conditions),
            of_user(&self.in_loop_conditions),
            self.counters.iter().filter(|variable| self.is_named(**variable)).count(),
            relevant.intersection(&self.bit_fields).count(),
        ]
    }

    fn is_named(&self, variable: Variable) -> bool {
        !self.made.contains(&variable) && !self.bit_fields.contains(&variable)
    }

    /// By variable, what is assigned to it.
    fn sources(&self) -> FxHashMap<Variable, Vec<Variable>> {
        let mut sources: FxHashMap<Variable, Vec<Variable>> = FxHashMap::default();
        self.flows.iter().for_each(|(to, from)| sources.entry(*to).or_default().push(*from));
        sources
    }
}

/// The variables and what those among them for which `is_followed` holds were computed from, and so on.
fn closure(
    sources: &FxHashMap<Variable, Vec<Variable>>,
    from: impl Iterator<Item = Variable>,
    is_followed: impl Fn(Variable) -> bool,
) -> BTreeSet<Variable> {
    let mut work: Vec<Variable> = from.collect();
    let mut seen: BTreeSet<Variable> = work.iter().copied().collect();
    while let Some(variable) = work.pop() {
        if is_followed(variable) {
            let behind = sources.get(&variable).into_iter().flatten().copied();
            work.extend(behind.filter(|source| seen.insert(*source)));
        }
    }
    seen
}
