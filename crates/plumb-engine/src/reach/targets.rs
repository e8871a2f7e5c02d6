//! Targets of blocks: what a proof has to exclude, and what is not looked for any more.

use super::block::EntryId;
use crate::answer::WhyUnknown;
use crate::predicates::targets::{Target, targets_of_step};
use crate::predicates::verdict::Verdict;
use plumb_sym::{EventLog, Sym};
use plumb_term::TermId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The targets of a block that are still looked for.
struct BlockTargets {
    /// Targets that were not looked for any more when the list was made.
    dismissed: usize,
    list: Vec<(Target, TermId)>,
    /// When one of them is met.
    any: TermId,
}

#[derive(Default)]
pub struct Targets {
    /// Targets that are not looked at any more: they are reasons against a proof already.
    dismissed: BTreeSet<(EntryId, Target)>,
    known: FxHashMap<EntryId, BlockTargets>,
}

impl Targets {
    /// How many targets are not looked for any more.
    pub fn dismissed(&self, verdict: &Verdict) -> usize {
        self.dismissed.len() + verdict.assumed.len() + usize::from(!verdict.can_prove())
    }

    /// The targets that the block of an entry may meet and that still matter, each with its condition.
    pub fn of_block(&self, verdict: &Verdict, id: EntryId, log: &EventLog) -> Vec<(Target, TermId)> {
        let mut list = targets_of_step(log, verdict);
        list.retain(|(target, _)| !self.dismissed.contains(&(id, *target)));
        list
    }

    /// When the block of an entry meets one of them. They are remembered.
    pub fn any(&mut self, sym: &mut Sym, verdict: &Verdict, id: EntryId, log: &EventLog) -> TermId {
        let dismissed = self.dismissed(verdict);
        if let Some(known) = self.known.get(&id)
            && known.dismissed == dismissed
        {
            return known.any;
        }
        let list = self.of_block(verdict, id, log);
        let any = sym.terms.or_all(list.iter().map(|(_, condition)| *condition));
        self.known.insert(id, BlockTargets { dismissed, list, any });
        any
    }

    /// Those that are remembered.
    pub fn known(&self, id: EntryId) -> &[(Target, TermId)] {
        self.known.get(&id).map_or(&[], |known| &known.list)
    }

    /// A target of a block is not looked for any more: what stands against a proof is noted.
    pub fn dismiss(&mut self, verdict: &mut Verdict, entry: EntryId, target: Target, why: WhyUnknown) {
        verdict.not_excluded(target, why);
        self.dismissed.insert((entry, target));
    }

    /// Entries and their blocks are others now.
    pub fn forget_entries(&mut self) {
        *self = Targets::default();
    }
}
