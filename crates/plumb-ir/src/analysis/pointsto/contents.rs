//! What registers and objects may hold, in any state of any run: the solution seen from outside of expressions.

use super::objects::ObjKind;
use super::solve::{Node, Obj, STORED_ANYWHERE, Solver, UNKNOWN_OBJ};
use super::{Object, PointsTo, Targets};
use crate::program::{FuncId, GlobalVar, LocalVar};
use std::collections::BTreeMap;

/// What the words of an object may point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// The words that may hold pointers, by offset. Offsets count modulo `stride`, where that is not 0.
    pub words: BTreeMap<u64, Targets>,
    /// 0 where every word has its own entry; the size of a word or more where words at equal offsets modulo this share one.
    pub stride: u64,
    /// What every word may hold in addition: it was stored through a pointer of which nobody knows where it points.
    pub anywhere: Targets,
}

impl Contents {
    fn unknown() -> Contents {
        Contents { words: BTreeMap::new(), stride: 0, anywhere: Targets::Unknown }
    }

    /// What the word at an offset, a multiple of the size of a word, may point to.
    pub fn at(&self, offset: u64) -> Targets {
        let offset = if self.stride == 0 { offset } else { offset % self.stride };
        match self.words.get(&offset) {
            Some(here) => here.clone().union(&self.anywhere),
            None => self.anywhere.clone(),
        }
    }

    /// Whether no word holds a pointer to an object.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.anywhere == Targets::none()
    }
}

impl Targets {
    /// Nowhere: null, or a number that is no object's address.
    pub fn none() -> Targets {
        Targets::Known(Vec::new())
    }

    pub fn union(self, other: &Targets) -> Targets {
        match (self, other) {
            (Targets::Known(mut list), Targets::Known(more)) => {
                list.extend(more);
                list.sort();
                list.dedup();
                Targets::Known(list)
            }
            (Targets::Unknown, _) | (_, Targets::Unknown) => Targets::Unknown,
        }
    }
}

impl PointsTo {
    /// What a global register may point to. Integers carry pointers too.
    pub fn global(&self, var: GlobalVar) -> Targets {
        let Some(solver) = &self.solver else { return Targets::Unknown };
        solver.union_of(solver.global_vars.get(var).copied())
    }

    /// What a register may point to, in any activation of the function.
    pub fn local(&self, func: FuncId, var: LocalVar) -> Targets {
        let Some(solver) = &self.solver else { return Targets::Unknown };
        // The analysis has not met the function: nothing is known of it.
        let Some(instances) = solver.instances_of.get(&func) else { return Targets::Unknown };
        solver.union_of(instances.iter().map(|&instance| solver.instances[instance as usize].var(var)))
    }

    /// The size of all objects that an abstract one stands for, where it is one constant.
    pub fn size(&self, object: Object) -> Option<u64> {
        let solver = self.solver.as_ref()?;
        let found = solver.by_object.iter().filter(|((o, _), _)| *o == object);
        let sizes = found.map(|(_, &id)| solver.objects[id as usize].size);
        sizes.reduce(|a, b| if a == b { a } else { None }).flatten()
    }

    /// What an abstract object may hold, whichever of the objects that it stands for is meant.
    pub fn contents(&self, object: Object) -> Contents {
        let Some(solver) = &self.solver else { return Contents::unknown() };
        // What was stored through unknown pointers is in memory from outside, where there is such.
        let is_elsewhere = solver.has_foreign_memory && solver.by_object.get(&(object, 0)) != Some(&UNKNOWN_OBJ);
        let anywhere = if is_elsewhere { Targets::none() } else { solver.union_of([STORED_ANYWHERE]) };
        let mut found: Vec<Obj> =
            solver.by_object.iter().filter(|((o, _), _)| *o == object).map(|(_, id)| *id).collect();
        found.sort_unstable();
        let word = solver.word as u64;
        let stride = found.iter().map(|&id| solver.objects[id as usize].stride as u64).reduce(|a, b| match a == b {
            true => a,
            false => 1,
        });
        // Objects that are folded to one word have it at every offset.
        let stride = if stride == Some(1) { word } else { stride.unwrap_or(0) };
        let mut words: BTreeMap<u64, Targets> = BTreeMap::new();
        for id in found {
            let info = &solver.objects[id as usize];
            debug_assert!(matches!(info.kind, ObjKind::Known(_)));
            for (&number, &node) in info.cells.iter().filter(|(number, _)| **number >= 0) {
                let targets = solver.union_of([node]);
                if targets == Targets::none() {
                    continue;
                }
                let offset = if stride == word { 0 } else { number as u64 * word };
                let known = words.remove(&offset).unwrap_or_else(Targets::none);
                words.insert(offset, known.union(&targets));
            }
        }
        Contents { words, stride, anywhere }
    }
}

impl Solver {
    fn union_of(&self, nodes: impl IntoIterator<Item = Node>) -> Targets {
        let lists = nodes.into_iter().map(|node| self.targets_of(node).map_or(Targets::Unknown, Targets::Known));
        lists.fold(Targets::none(), |all, targets| all.union(&targets))
    }
}
