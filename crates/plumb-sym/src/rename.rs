//! States under other names: objects, activations, regions of memory and symbols replaced by others.
//!
//! A name says nothing by itself: what a run does does not depend on the number of an activation or on how a symbol is called.
//! A renaming is a bijection between the names of two states ([`Renaming::inverse`]); static objects, functions and their
//! addresses keep theirs. A copy under new names ([`Sym::fresh_copy`]) stands for the same states, and so does what follows
//! it: `tests/concrete/canonical.rs` steps both.

use crate::memory::cells::{Cell, Cells, Fill};
use crate::memory::region::{Region, RegionId};
use crate::memory::{Content, Object, ObjectInfo};
use crate::path::Path;
use crate::stacks::Stacks;
use crate::state::{Frame, State};
use crate::sym::Sym;
use crate::table::Table;
use crate::value::{ObjId, Place, Value};
use plumb_ir::analysis::Analyses;
use plumb_term::{Kind, Substitution, TermId, cone};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use std::sync::Arc;

/// A bijection of names. What it does not mention keeps its name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Renaming {
    pub(crate) objects: FxHashMap<ObjId, ObjId>,
    pub(crate) regions: FxHashMap<RegionId, RegionId>,
    pub(crate) activations: FxHashMap<u32, u32>,
    pub(crate) symbols: FxHashMap<TermId, TermId>,
}

fn inverse<T: Copy + Eq + Hash>(map: &FxHashMap<T, T>) -> FxHashMap<T, T> {
    map.iter().map(|(from, to)| (*to, *from)).collect()
}

fn image<T: Copy + Eq + Hash>(map: &FxHashMap<T, T>, name: T) -> T {
    map.get(&name).copied().unwrap_or(name)
}

impl Renaming {
    pub fn inverse(&self) -> Renaming {
        Renaming {
            objects: inverse(&self.objects),
            regions: inverse(&self.regions),
            activations: inverse(&self.activations),
            symbols: inverse(&self.symbols),
        }
    }

    /// Whether no two names become one.
    pub fn is_bijection(&self) -> bool {
        self.inverse().inverse() == *self
    }

    /// The symbols with those that replace them.
    pub fn symbols(&self) -> impl Iterator<Item = (TermId, TermId)> + '_ {
        self.symbols.iter().map(|(from, to)| (*from, *to))
    }

    /// The other name of an object.
    pub fn object(&self, object: ObjId) -> ObjId {
        image(&self.objects, object)
    }
}

impl Sym<'_> {
    /// Whether an object has the same name in all states.
    pub(crate) fn is_fixed(&self, object: ObjId) -> bool {
        object <= self.unknown
    }

    /// The symbols of terms that a renaming may replace, and the axioms about them, closed under each other. The order is that
    /// of the terms.
    pub(crate) fn connected(&self, terms: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
        let mut seen = FxHashSet::default();
        let (mut symbols, mut axioms) = (Vec::new(), Vec::new());
        let mut is_symbol = FxHashSet::default();
        let mut add = |symbols: &mut Vec<TermId>, is_symbol: &mut FxHashSet<TermId>, root: TermId| {
            for term in cone::visit(&self.terms, &[root], &mut seen) {
                let is_fixed = self.addresses.bases.get(&term).is_some_and(|object| self.is_fixed(*object));
                if matches!(self.terms.kind(term), Kind::Symbol(_)) && !is_fixed && is_symbol.insert(term) {
                    symbols.push(term);
                }
            }
        };
        for root in terms {
            add(&mut symbols, &mut is_symbol, *root);
        }
        let mut others: Vec<(TermId, Vec<TermId>)> = Vec::new();
        for axiom in &self.axioms {
            let below = cone(&self.terms, &[*axiom]);
            let below = below.into_iter().filter(|term| matches!(self.terms.kind(*term), Kind::Symbol(_)));
            others.push((*axiom, below.collect()));
        }
        loop {
            let before = axioms.len();
            others.retain(|(axiom, below)| {
                let is_about = below.iter().any(|symbol| is_symbol.contains(symbol));
                if is_about {
                    axioms.push(*axiom);
                    add(&mut symbols, &mut is_symbol, *axiom);
                }
                !is_about
            });
            if axioms.len() == before {
                return (symbols, axioms);
            }
        }
    }

    /// The state under other names.
    pub fn rename(&mut self, state: &State, renaming: &Renaming) -> State {
        let mut renamer = Renamer { substitution: Substitution::new(renaming.symbols()), renaming, sym: self };
        let mut globals = Table::default();
        for (at, value) in state.globals.iter() {
            globals.set(at, renamer.value(value));
        }
        let mut renamed = |frames: &[Arc<Frame>]| frames.iter().map(|frame| Arc::new(renamer.frame(frame))).collect();
        let frames = renamed(&state.frames);
        let stacks = state.stacks.as_ref().map(|stacks| {
            let mut stacks = Stacks::clone(stacks);
            stacks.suspended.values_mut().for_each(|stack| stack.frames = renamed(&stack.frames));
            Arc::new(stacks)
        });
        let mut memory = Table::default();
        for (at, object) in state.memory.iter() {
            let content = Arc::new(renamer.content(&object.content));
            let alive = renamer.term(object.alive);
            memory.set(renaming.object(ObjId(at)).0, Object { content, alive });
        }
        let mut path = Path::default();
        for condition in state.path.since(0) {
            let condition = renamer.term(condition);
            path.push(condition, &mut renamer.sym.terms);
        }
        let fault = renamer.term(state.fault);
        State { globals, memory, frames, stacks, path, fault, ..*state }
    }

    /// The same state under names that no other state has. What nobody can see of it keeps its names.
    pub fn fresh_copy(&mut self, analyses: &Analyses, state: &State) -> (State, Renaming) {
        let mut seen = self.canonical(analyses, state, state.depth());
        let mut renaming = Renaming::default();
        // The older ones stay the older ones.
        seen.objects.sort_unstable();
        for object in &seen.objects {
            let copy = self.objects.push_and_get_key(ObjectInfo { base: None, ..self.objects[*object].clone() });
            renaming.objects.insert(*object, copy);
        }
        for symbol in seen.symbols {
            let other = match self.addresses.bases.get(&symbol) {
                // The address of an object that the state does not have is still that object's.
                Some(object) => match renaming.objects.get(object).copied() {
                    Some(object) => self.base(object),
                    None => continue,
                },
                None => self.like(symbol),
            };
            renaming.symbols.insert(symbol, other);
        }
        for activation in seen.activations {
            self.activations += 1;
            renaming.activations.insert(activation, self.activations);
        }
        for region in seen.regions {
            let Region { mut symbols, mut array, may_hold_pointers, is_outside } = self.region(region).clone();
            for symbol in symbols.values_mut().chain(array.as_mut().map(|(_, array)| array)) {
                let known = renaming.symbols.get(symbol).copied();
                let other = known.unwrap_or_else(|| self.like(*symbol));
                renaming.symbols.insert(*symbol, other);
                *symbol = other;
            }
            let copy = self.regions.push_and_get_key(Region { symbols, array, may_hold_pointers, is_outside });
            renaming.regions.insert(region, copy);
        }
        let mut renamer =
            Renamer { substitution: Substitution::new(renaming.symbols()), renaming: &renaming, sym: self };
        let axioms: Vec<TermId> = seen.axioms.iter().map(|axiom| renamer.term(*axiom)).collect();
        let patterns: Vec<(TermId, TermId)> = renamer.sym.patterns.iter().map(|(term, bits)| (*term, *bits)).collect();
        for (term, bits) in patterns {
            let (term, bits) = (renamer.term(term), renamer.term(bits));
            renamer.sym.patterns.entry(term).or_insert(bits);
        }
        for number in renamer.sym.addresses.outside.clone() {
            let number = renamer.term(number);
            renamer.sym.addresses.outside.insert(number);
        }
        for object in &seen.objects {
            let size = renamer.sym.objects[*object].size.clone();
            let size = renamer.value(&size);
            renamer.sym.objects[renaming.object(*object)].size = size;
        }
        self.axioms.extend(axioms.into_iter().filter(|axiom| *axiom != TermId::bool(true)));
        (self.rename(state, &renaming), renaming)
    }

    /// Another symbol like one that is no object's address.
    fn like(&mut self, symbol: TermId) -> TermId {
        let may_be_address = self.addresses.possible.contains(&symbol);
        let other = self.arbitrary_symbol("copy", self.terms.sort(symbol), may_be_address);
        if let Some(choice) = self.open.get(&symbol).copied() {
            self.open.insert(other, choice);
        }
        other
    }
}

struct Renamer<'s, 'p> {
    sym: &'s mut Sym<'p>,
    renaming: &'s Renaming,
    substitution: Substitution,
}

impl Renamer<'_, '_> {
    fn term(&mut self, term: TermId) -> TermId {
        self.substitution.apply(&mut self.sym.terms, term)
    }

    fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::Const(bits) => Value::Const(*bits),
            Value::Term(term) => Value::Term(self.term(*term)),
            Value::Addr(object, offset) => Value::Addr(self.renaming.object(*object), *offset),
            Value::Pointer(places) => {
                let places = places.iter().map(|place| Place {
                    guard: self.term(place.guard),
                    object: place.object.map(|object| self.renaming.object(object)),
                    offset: self.term(place.offset),
                });
                Value::Pointer(places.collect::<Vec<_>>().into())
            }
        }
    }

    fn frame(&mut self, frame: &Frame) -> Frame {
        let mut registers = Table::default();
        for (at, value) in frame.registers.iter() {
            registers.set(at, self.value(value));
        }
        let objects = |list: &[ObjId]| list.iter().map(|object| self.renaming.object(*object)).collect::<Vec<ObjId>>();
        Frame {
            activation: image(&self.renaming.activations, frame.activation),
            objects: objects(&frame.objects.raw).into(),
            dynamic: objects(&frame.dynamic),
            registers,
            ..*frame
        }
    }

    fn content(&mut self, content: &Content) -> Content {
        match content {
            Content::Cells(cells) => {
                let fill = |fill: Fill| match fill {
                    Fill::Region(region, shift) => Fill::Region(image(&self.renaming.regions, region), shift),
                    Fill::Byte(_) | Fill::Initial(..) => fill,
                };
                let pieces = cells.pieces().iter().map(|(from, one)| (*from, fill(*one))).collect();
                let mut copy = Cells::with_pieces(pieces);
                for (at, cell) in cells.all() {
                    copy.insert(at, Cell { value: self.value(&cell.value), ..*cell });
                }
                Content::Cells(copy)
            }
            Content::Array(array) => {
                let mut copy = array.clone();
                copy.array = self.term(array.array);
                copy.pointees = Arc::new(array.pointees.iter().map(|object| self.renaming.object(*object)).collect());
                Content::Array(copy)
            }
        }
    }
}
