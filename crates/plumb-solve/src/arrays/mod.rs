//! Arrays by lemmas on demand (Brummayer & Biere, "Lemmas on Demand for the Extensional Theory of Arrays", 2009).
//!
//! A read of an array, and the equality of two, are free inputs of the gate graph. When the SAT solver has a model, accesses
//! (reads, and the element that each store writes) are propagated through the arrays as the model has their indices and
//! conditions. Two accesses of one array at one index with different elements refute the model; the lemma
//!
//! > both paths taken and indices equal => elements equal
//!
//! excludes it and its like. When nothing is refuted, the accesses that reached a symbol are its value ([`check`]).
//!
//! What is ours: constant arrays, also next to equalities, where defaults of connected arrays must agree; and activity: an
//! access counts only once clauses mention it, so reads of other queries cost nothing.

mod check;

pub use check::{Clauses, Verdict};

use crate::aig::{Aig, Lit};
use crate::circuits::{Word, compare};
use plumb_term::{Sort, TermId};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayId(u32);

impl ArrayId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
enum Shape {
    Symbol,
    Constant { element: Word },
    Store { base: ArrayId, index: Word, element: Word },
    Choice { condition: Lit, yes: ArrayId, no: ArrayId },
}

#[derive(Clone, Debug)]
struct Array {
    term: TermId,
    index_width: u32,
    element_width: u32,
    shape: Shape,
    /// Something that clauses mention depends on it.
    active: bool,
}

/// The element of an array at an index: what a read gives.
#[derive(Clone, Debug)]
struct Read {
    array: ArrayId,
    index: Word,
    element: Word,
    active: bool,
}

#[derive(Clone, Debug)]
struct Equality {
    equal: Lit,
    sides: [ArrayId; 2],
    /// Reads of both at the index where they differ if they do.
    witness: [usize; 2],
    /// They are equal, or differ there: holds always.
    fact: Lit,
    active: bool,
}

#[derive(Default)]
pub struct Arrays {
    arrays: Vec<Array>,
    by_term: FxHashMap<TermId, ArrayId>,
    reads: Vec<Read>,
    equalities: Vec<Equality>,
    /// Reads and equalities that are not active yet.
    waiting_reads: Vec<usize>,
    waiting_equalities: Vec<usize>,
}

/// Arrays with indices of so many bits are memory that pointers lead to, each to its own place as a rule. A search that starts with all of
/// them equal would need a lemma for every two of them.
const POINTER_INDICES: std::ops::RangeInclusive<usize> = 28..=28;

fn scatter(index: &Word, clauses: &mut impl Clauses) {
    if POINTER_INDICES.contains(&index.len()) {
        index.iter().filter(|bit| !bit.is_constant()).for_each(|&bit| clauses.scatter(bit));
    }
}

impl Arrays {
    fn add(&mut self, term: TermId, sort: Sort, shape: Shape) {
        let (index_width, element_width) = match sort {
            Sort::Array { index, element } => (index, element),
            Sort::Bool | Sort::Bv(_) | Sort::Float(_) => (1, 1),
        };
        let id = ArrayId(self.arrays.len() as u32);
        self.arrays.push(Array { term, index_width, element_width, shape, active: false });
        self.by_term.insert(term, id);
    }

    pub fn add_symbol(&mut self, term: TermId, sort: Sort) {
        self.add(term, sort, Shape::Symbol);
    }

    pub fn add_constant(&mut self, term: TermId, sort: Sort, element: Word) {
        self.add(term, sort, Shape::Constant { element });
    }

    /// `base` was added before.
    pub fn add_store(&mut self, term: TermId, sort: Sort, base: TermId, index: Word, element: Word) {
        let base = self.by_term[&base];
        self.add(term, sort, Shape::Store { base, index, element });
    }

    /// Both arms were added before.
    pub fn add_choice(&mut self, term: TermId, sort: Sort, condition: Lit, yes: TermId, no: TermId) {
        let (yes, no) = (self.by_term[&yes], self.by_term[&no]);
        self.add(term, sort, Shape::Choice { condition, yes, no });
    }

    /// The element of an array, which was added before, at an index.
    pub fn add_read(&mut self, aig: &mut Aig, array: TermId, index: Word) -> Word {
        let at = self.read(aig, self.by_term[&array], index);
        self.waiting_reads.push(at);
        self.reads[at].element.clone()
    }

    fn read(&mut self, aig: &mut Aig, array: ArrayId, index: Word) -> usize {
        let element = aig.inputs(self.arrays[array.index()].element_width as usize);
        self.reads.push(Read { array, index, element, active: false });
        self.reads.len() - 1
    }

    /// Whether two arrays, which were added before, are equal.
    pub fn add_equality(&mut self, aig: &mut Aig, a: TermId, b: TermId) -> Lit {
        let equal = aig.input();
        let sides = [a, b].map(|side| self.by_term[&side]);
        let index = aig.inputs(self.arrays[sides[0].index()].index_width as usize);
        let witness = sides.map(|side| self.read(aig, side, index.clone()));
        let [first, second] = witness.map(|read| self.reads[read].element.clone());
        let same = compare::equal(aig, &first, &second);
        self.waiting_equalities.push(self.equalities.len());
        let fact = aig.or(equal, !same);
        self.equalities.push(Equality { equal, sides, witness, fact, active: false });
        equal
    }

    /// Activates what clauses mention. Afterwards they mention all of an active access, and of the arrays it may reach.
    pub fn activate(&mut self, clauses: &mut impl Clauses) {
        loop {
            let before = self.waiting_reads.len() + self.waiting_equalities.len();
            for at in std::mem::take(&mut self.waiting_equalities) {
                if clauses.mentions(self.equalities[at].equal) {
                    self.activate_equality(at, clauses);
                } else {
                    self.waiting_equalities.push(at);
                }
            }
            for at in std::mem::take(&mut self.waiting_reads) {
                if self.reads[at].element.iter().any(|&bit| clauses.mentions(bit)) {
                    self.activate_read(at, clauses);
                } else {
                    self.waiting_reads.push(at);
                }
            }
            // What became mentioned on the way may be an access itself.
            if self.waiting_reads.len() + self.waiting_equalities.len() == before {
                return;
            }
        }
    }

    fn activate_equality(&mut self, at: usize, clauses: &mut impl Clauses) {
        let equality = &mut self.equalities[at];
        equality.active = true;
        let Equality { sides, witness, fact, .. } = *equality;
        clauses.assert(fact);
        for side in sides {
            self.activate_array(side, clauses);
        }
        for read in witness {
            self.activate_read(read, clauses);
        }
    }

    fn activate_read(&mut self, at: usize, clauses: &mut impl Clauses) {
        let read = &mut self.reads[at];
        read.active = true;
        for &bit in read.index.iter().chain(&read.element) {
            clauses.mention(bit);
        }
        scatter(&read.index, clauses);
        let array = read.array;
        self.activate_array(array, clauses);
    }

    fn activate_array(&mut self, root: ArrayId, clauses: &mut impl Clauses) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            let array = &mut self.arrays[id.index()];
            if std::mem::replace(&mut array.active, true) {
                continue;
            }
            match &array.shape {
                Shape::Symbol => {}
                Shape::Constant { element } => {
                    for &bit in element {
                        clauses.mention(bit);
                    }
                }
                Shape::Store { base, index, element } => {
                    for &bit in index.iter().chain(element) {
                        clauses.mention(bit);
                    }
                    scatter(index, clauses);
                    stack.push(*base);
                }
                Shape::Choice { condition, yes, no } => {
                    clauses.mention(*condition);
                    stack.extend([*yes, *no]);
                }
            }
        }
    }
}
