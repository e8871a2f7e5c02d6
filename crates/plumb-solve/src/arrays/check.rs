//! Whether a model of the gates is one of the arrays: propagation of accesses, lemmas, and values of symbols.

use super::{ArrayId, Arrays, Read, Shape};
use crate::aig::{Aig, Lit};
use crate::blast::constant_word;
use crate::circuits::compare;
use plumb_term::{ArrayValue, BitVec, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The clauses under the gates.
pub trait Clauses {
    /// Whether any clause knows the gate.
    fn mentions(&self, lit: Lit) -> bool;
    /// Makes clauses know the gate.
    fn mention(&mut self, lit: Lit);
    /// Lets a search try a value for a mentioned gate first that depends on nothing but the gate.
    fn scatter(&mut self, lit: Lit);
    /// Makes the gate hold in all models.
    fn assert(&mut self, lit: Lit);
    /// The value of a mentioned gate in the current model.
    fn value(&mut self, lit: Lit) -> bool;
}

pub enum Verdict {
    /// Clauses over gates that hold in all models of the arrays, but not in this one.
    Refuted(Vec<Vec<Lit>>),
    /// Values of the active symbols.
    Consistent(Vec<(TermId, ArrayValue)>),
}

/// How an access came to an array.
#[derive(Clone, Copy, Debug)]
enum Via {
    /// It is one of this array.
    Origin,
    /// To or from the base of this store, whose index is another one.
    Past(ArrayId, ArrayId),
    /// To or from the chosen arm of this choice.
    Chosen(ArrayId, ArrayId),
    /// Across an equality.
    Equal(usize, ArrayId),
}

#[derive(Clone, Copy, Debug)]
enum Access {
    Read(usize),
    Store(ArrayId),
}

/// The access that represents an index at an array.
#[derive(Clone, Debug)]
struct Entry {
    access: Access,
    via: Via,
}

/// Propagation under one model.
struct Walk<'a, C> {
    arrays: &'a Arrays,
    clauses: &'a mut C,
    aig: &'a mut Aig,
    entries: FxHashMap<(ArrayId, BitVec), Entry>,
    queue: Vec<(ArrayId, BitVec, Entry)>,
    /// Users of arrays, for propagation upwards; only filled where arrays are compared.
    users: FxHashMap<ArrayId, Vec<ArrayId>>,
    neighbours: FxHashMap<ArrayId, Vec<(usize, ArrayId)>>,
    store_indices: FxHashMap<ArrayId, BitVec>,
    lemmas: Vec<Vec<Lit>>,
}

impl Arrays {
    /// Compares a model with the active accesses.
    pub fn check<C: Clauses>(&mut self, aig: &mut Aig, clauses: &mut C) -> Verdict {
        loop {
            let mut walk = Walk::start(self, aig, clauses);
            walk.run();
            if !walk.lemmas.is_empty() {
                return Verdict::Refuted(walk.lemmas);
            }
            let classes = walk.classes();
            match walk.conflicting_default(&classes) {
                Some((array, index)) => {
                    // A read of the constant array there will meet the other constant array.
                    let element = match &self.arrays[array.index()].shape {
                        Shape::Constant { element } => element.clone(),
                        Shape::Symbol | Shape::Store { .. } | Shape::Choice { .. } => {
                            return Verdict::Refuted(Vec::new());
                        }
                    };
                    self.reads.push(Read { array, index: constant_word(&index), element, active: true });
                }
                None => return Verdict::Consistent(walk.values(&classes)),
            }
        }
    }
}

impl<'a, C: Clauses> Walk<'a, C> {
    fn start(arrays: &'a Arrays, aig: &'a mut Aig, clauses: &'a mut C) -> Walk<'a, C> {
        let mut walk = Walk {
            arrays,
            clauses,
            aig,
            entries: FxHashMap::default(),
            queue: Vec::new(),
            users: FxHashMap::default(),
            neighbours: FxHashMap::default(),
            store_indices: FxHashMap::default(),
            lemmas: Vec::new(),
        };
        for (at, equality) in arrays.equalities.iter().enumerate().filter(|(_, equality)| equality.active) {
            if walk.clauses.value(equality.equal) {
                let [a, b] = equality.sides;
                walk.neighbours.entry(a).or_default().push((at, b));
                walk.neighbours.entry(b).or_default().push((at, a));
            }
        }
        let compared = !walk.neighbours.is_empty();
        for (number, array) in arrays.arrays.iter().enumerate().filter(|(_, array)| array.active) {
            let id = ArrayId(number as u32);
            match &array.shape {
                Shape::Store { base, index, .. } => {
                    let index = walk.word(index);
                    walk.store_indices.insert(id, index.clone());
                    if compared {
                        walk.users.entry(*base).or_default().push(id);
                    }
                    walk.queue.push((id, index, Entry { access: Access::Store(id), via: Via::Origin }));
                }
                Shape::Choice { yes, no, .. } if compared => {
                    walk.users.entry(*yes).or_default().push(id);
                    walk.users.entry(*no).or_default().push(id);
                }
                Shape::Choice { .. } | Shape::Symbol | Shape::Constant { .. } => {}
            }
        }
        let stores = walk.queue.len();
        for (at, read) in arrays.reads.iter().enumerate().filter(|(_, read)| read.active) {
            let index = walk.word(&read.index);
            walk.queue.push((read.array, index, Entry { access: Access::Read(at), via: Via::Origin }));
        }
        // Taken from the end: stores have to be there before reads pass.
        walk.queue.reverse();
        debug_assert!(stores <= walk.queue.len());
        walk
    }

    fn word(&mut self, word: &[Lit]) -> BitVec {
        let limbs = word.chunks(64).map(|chunk| {
            chunk.iter().enumerate().fold(0u64, |limb, (i, &bit)| limb | (self.clauses.value(bit) as u64) << i)
        });
        let limbs = limbs.collect();
        BitVec::from_limbs(word.len() as u32, limbs)
    }

    fn index_of(&self, access: Access) -> &'a [Lit] {
        match access {
            Access::Read(at) => &self.arrays.reads[at].index,
            Access::Store(id) => match &self.arrays.arrays[id.index()].shape {
                Shape::Store { index, .. } => index,
                Shape::Symbol | Shape::Constant { .. } | Shape::Choice { .. } => &[],
            },
        }
    }

    fn element_of(&self, access: Access) -> &'a [Lit] {
        match access {
            Access::Read(at) => &self.arrays.reads[at].element,
            Access::Store(id) => match &self.arrays.arrays[id.index()].shape {
                Shape::Store { element, .. } => element,
                Shape::Symbol | Shape::Constant { .. } | Shape::Choice { .. } => &[],
            },
        }
    }

    fn same_elements(&mut self, a: &[Lit], b: &[Lit]) -> bool {
        a.iter().zip(b).all(|(&x, &y)| self.clauses.value(x) == self.clauses.value(y))
    }

    fn run(&mut self) {
        while let Some((array, index, entry)) = self.queue.pop() {
            if let Some(known) = self.entries.get(&(array, index.clone())) {
                let known = known.clone();
                self.meet(array, &index, &known, &entry);
                continue;
            }
            self.entries.insert((array, index.clone()), entry.clone());
            self.spread(array, &index, entry.access);
        }
    }

    /// Two accesses of one array at one index.
    fn meet(&mut self, array: ArrayId, index: &BitVec, known: &Entry, new: &Entry) {
        let (a, b) = (self.element_of(known.access), self.element_of(new.access));
        if self.same_elements(a, b) {
            return;
        }
        let mut lemma = vec![compare::equal(self.aig, a, b)];
        let (i, j) = (self.index_of(known.access), self.index_of(new.access));
        lemma.push(!compare::equal(self.aig, i, j));
        self.explain(array, index, known.clone(), &mut lemma);
        self.explain(array, index, new.clone(), &mut lemma);
        self.lemmas.push(lemma);
    }

    /// The negated conditions under which an access came here.
    fn explain(&mut self, array: ArrayId, index: &BitVec, mut entry: Entry, lemma: &mut Vec<Lit>) {
        let at = self.index_of(entry.access);
        let mut seen = FxHashSet::from_iter([array]);
        loop {
            let from = match entry.via {
                Via::Origin => return,
                Via::Past(store, from) => {
                    if let Shape::Store { index, .. } = &self.arrays.arrays[store.index()].shape {
                        lemma.push(compare::equal(self.aig, at, index));
                    }
                    from
                }
                Via::Chosen(choice, from) => {
                    if let Shape::Choice { condition, .. } = self.arrays.arrays[choice.index()].shape {
                        let holds = self.clauses.value(condition);
                        lemma.push(condition.negate_if(holds));
                    }
                    from
                }
                Via::Equal(equality, from) => {
                    lemma.push(!self.arrays.equalities[equality].equal);
                    from
                }
            };
            // Where it came from, this access is the one that represents the index.
            match self.entries.get(&(from, index.clone())) {
                Some(before) if seen.insert(from) => entry = before.clone(),
                _ => return,
            }
        }
    }

    fn chosen(&mut self, condition: Lit, yes: ArrayId, no: ArrayId) -> ArrayId {
        if self.clauses.value(condition) { yes } else { no }
    }

    /// To all arrays that have the same element there.
    fn spread(&mut self, array: ArrayId, index: &BitVec, access: Access) {
        let mut send = Vec::new();
        match &self.arrays.arrays[array.index()].shape {
            Shape::Symbol => {}
            Shape::Constant { element } => {
                let found = self.element_of(access);
                if !self.same_elements(found, element) {
                    let mut lemma = vec![compare::equal(self.aig, found, element)];
                    if let Some(entry) = self.entries.get(&(array, index.clone())).cloned() {
                        self.explain(array, index, entry, &mut lemma);
                    }
                    self.lemmas.push(lemma);
                }
            }
            Shape::Store { base, .. } => {
                if self.store_indices.get(&array) != Some(index) {
                    send.push((*base, Via::Past(array, array)));
                }
            }
            Shape::Choice { condition, yes, no } => {
                let arm = self.chosen(*condition, *yes, *no);
                send.push((arm, Via::Chosen(array, array)));
            }
        }
        for user in self.users.get(&array).cloned().unwrap_or_default() {
            match &self.arrays.arrays[user.index()].shape {
                Shape::Store { .. } if self.store_indices.get(&user) != Some(index) => {
                    send.push((user, Via::Past(user, array)));
                }
                Shape::Choice { condition, yes, no } if self.chosen(*condition, *yes, *no) == array => {
                    send.push((user, Via::Chosen(user, array)));
                }
                Shape::Store { .. } | Shape::Choice { .. } | Shape::Symbol | Shape::Constant { .. } => {}
            }
        }
        for &(equality, other) in self.neighbours.get(&array).into_iter().flatten() {
            send.push((other, Via::Equal(equality, array)));
        }
        for (to, via) in send {
            // An access does not meet itself.
            let known = self.entries.get(&(to, index.clone()));
            let itself = known.is_some_and(|known| match (known.access, access) {
                (Access::Read(a), Access::Read(b)) => a == b,
                (Access::Store(a), Access::Store(b)) => a == b,
                (Access::Read(_), Access::Store(_)) | (Access::Store(_), Access::Read(_)) => false,
            });
            if !itself {
                self.queue.push((to, index.clone(), Entry { access, via }));
            }
        }
    }

    /// Arrays that agree but at finitely many indices, as classes with one representative each. Without equalities nothing
    /// connects a symbol with the default of another array.
    fn classes(&mut self) -> FxHashMap<ArrayId, ArrayId> {
        let mut links: FxHashMap<ArrayId, Vec<ArrayId>> = FxHashMap::default();
        if self.neighbours.is_empty() {
            return FxHashMap::default();
        }
        let mut link = |a: ArrayId, b: ArrayId| {
            links.entry(a).or_default().push(b);
            links.entry(b).or_default().push(a);
        };
        for (&array, others) in &self.neighbours {
            for &(_, other) in others {
                link(array, other);
            }
        }
        for (number, array) in self.arrays.arrays.iter().enumerate().filter(|(_, array)| array.active) {
            let id = ArrayId(number as u32);
            match &array.shape {
                Shape::Store { base, .. } => link(id, *base),
                Shape::Choice { condition, yes, no } => {
                    let arm = if self.clauses.value(*condition) { *yes } else { *no };
                    link(id, arm);
                }
                Shape::Symbol | Shape::Constant { .. } => {}
            }
        }
        let mut classes = FxHashMap::default();
        let mut roots: Vec<ArrayId> = links.keys().copied().collect();
        roots.sort_unstable();
        for root in roots {
            let mut stack = vec![root];
            while let Some(id) = stack.pop() {
                if let std::collections::hash_map::Entry::Vacant(place) = classes.entry(id) {
                    place.insert(root);
                    stack.extend(&links[&id]);
                }
            }
        }
        classes
    }

    /// The constant arrays of each class, by representative.
    fn defaults(&mut self, classes: &FxHashMap<ArrayId, ArrayId>) -> FxHashMap<ArrayId, Vec<(ArrayId, BitVec)>> {
        let mut defaults: FxHashMap<ArrayId, Vec<(ArrayId, BitVec)>> = FxHashMap::default();
        for (number, array) in self.arrays.arrays.iter().enumerate().filter(|(_, array)| array.active) {
            let id = ArrayId(number as u32);
            if let (Shape::Constant { element }, Some(&class)) = (&array.shape, classes.get(&id)) {
                let element = self.word(element);
                defaults.entry(class).or_default().push((id, element));
            }
        }
        defaults
    }

    /// A constant array connected with one of another element, and an index at which no access shows the difference.
    fn conflicting_default(&mut self, classes: &FxHashMap<ArrayId, ArrayId>) -> Option<(ArrayId, BitVec)> {
        let mut defaults: Vec<_> = self.defaults(classes).into_iter().collect();
        defaults.sort_unstable_by_key(|(class, _)| *class);
        for (class, constants) in defaults {
            let [(first, element), rest @ ..] = &constants[..] else { continue };
            if rest.iter().all(|(_, other)| other == element) {
                continue;
            }
            let width = self.arrays.arrays[first.index()].index_width;
            let used: FxHashSet<&BitVec> = self
                .entries
                .keys()
                .filter(|(array, _)| classes.get(array) == Some(&class))
                .map(|(_, index)| index)
                .collect();
            let room = 1u128.checked_shl(width).unwrap_or(u128::MAX);
            let free = (0..room).take(used.len() + 1).map(|value| BitVec::new(width, value));
            if let Some(index) = free.into_iter().find(|index| !used.contains(index)) {
                return Some((*first, index));
            }
        }
        None
    }

    fn values(&mut self, classes: &FxHashMap<ArrayId, ArrayId>) -> Vec<(TermId, ArrayValue)> {
        let defaults = self.defaults(classes);
        let mut values: FxHashMap<ArrayId, ArrayValue> = FxHashMap::default();
        for (number, array) in self.arrays.arrays.iter().enumerate().filter(|(_, array)| array.active) {
            let id = ArrayId(number as u32);
            if matches!(array.shape, Shape::Symbol) {
                let default = classes.get(&id).and_then(|class| defaults.get(class)?.first());
                let default = default.map_or_else(|| BitVec::zero(array.element_width), |(_, value)| value.clone());
                values.insert(id, ArrayValue::new(array.index_width, default));
            }
        }
        let entries: Vec<((ArrayId, BitVec), Access)> = self
            .entries
            .iter()
            .filter(|((array, _), _)| values.contains_key(array))
            .map(|(key, entry)| (key.clone(), entry.access))
            .collect();
        for ((array, index), access) in entries {
            let element = self.word(self.element_of(access));
            if let Some(value) = values.get_mut(&array) {
                *value = value.store(&index, &element);
            }
        }
        let mut list: Vec<_> =
            values.into_iter().map(|(id, value)| (self.arrays.arrays[id.index()].term, value)).collect();
        list.sort_unstable_by_key(|(term, _)| *term);
        list
    }
}
