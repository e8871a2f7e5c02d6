//! What the exploration has learned about loops: which of them can be abstracted, and what their iterations modify.
//!
//! A loop whose iterations constants alone decide is followed as it is: abstracting it would lose what is known. Whether
//! constants decide it shows only at its exits. What iterations modify is not known beforehand either: calls, memory and
//! where pointers may point are observed when an iteration is over.

use super::path::SymbolicPath;
use super::reached_set::Entry;
use crate::predicates::assigned::assigned_registers;
use crate::predicates::precision::PrecisionFunction;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::{Changes, State, Sym};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub struct LoopHeads {
    /// What iterations modify, as far as it was observed.
    modified: FxHashMap<LoopKey, Changes>,
    /// Loops that are never abstracted: their iterations allocate objects, or modify what cannot be havocked.
    never_abstracted: FxHashSet<LoopKey>,
    /// Loops that each path enters alone.
    pub entered_separately: FxHashSet<LoopKey>,
    /// Loops of which an iteration was observed that not only constants decide.
    input_dependent: FxHashSet<LoopKey>,
}

impl LoopHeads {
    /// The paper's `Abstract?`: whether a path is at an abstraction point, and was not abstracted in this loop before.
    pub fn should_abstract(&self, analyses: &Analyses, precision: &PrecisionFunction, path: &SymbolicPath) -> bool {
        let Some((key, head)) = path.loop_key().zip(path.innermost_loop()) else { return false };
        path.is_entering()
            && head.counted >= precision.threshold(key)
            && (head.counted > 0 || self.is_input_dependent(key))
            && !self.never_abstracted.contains(&key)
            && !analyses.shape(key.0).loops.get(key.1).irreducible
    }

    pub fn is_input_dependent(&self, key: LoopKey) -> bool {
        self.input_dependent.contains(&key)
    }

    /// Loops that may be left where a path is, that it was not abstracted in and that constants alone have decided so far.
    pub fn constant_exits(&self, analyses: &Analyses, path: &SymbolicPath) -> Vec<LoopKey> {
        let func = path.state.func();
        let around = path.loops_with_exit(analyses.shape(func)).filter(|one| one.tag.is_none());
        around.map(|one| (func, one.id)).filter(|key| !self.is_input_dependent(*key)).collect()
    }

    /// Notes that not only constants decide loops. Whether one of them should have been abstracted from the first visit on.
    pub fn note_input_dependent(&mut self, precision: &PrecisionFunction, keys: Vec<LoopKey>) -> bool {
        let is_late = |key: &LoopKey| precision.threshold(*key) == 0 && !self.never_abstracted.contains(key);
        let any_late = keys.iter().any(is_late);
        self.input_dependent.extend(keys);
        any_late
    }

    /// What iterations of a loop are known to modify: at first the registers that its own edges assign.
    pub fn modified(&mut self, analyses: &Analyses, key: LoopKey) -> &mut Changes {
        self.modified.entry(key).or_insert_with(|| assigned_registers(analyses, key))
    }

    /// Whether a path that comes to the head of an abstract loop again has modified only what the entry has havocked. If
    /// not, what it has modified is noted, and the entry has to be built again.
    pub fn modifies_only_havocked(&mut self, sym: &mut Sym, entry: &Entry, state: &State, live: &Liveness) -> bool {
        let mut changes = entry.havocked.clone();
        match sym.note_changes(&entry.state, state, live, &mut changes) {
            Ok(false) => true,
            Ok(true) => {
                self.modified.entry(entry.key).or_default().merge(&changes);
                false
            }
            Err(_) => {
                self.never_abstracted.insert(entry.key);
                false
            }
        }
    }
}
