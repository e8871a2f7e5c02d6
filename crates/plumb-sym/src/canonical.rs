//! States up to names: two entries of a block at different activations are equal if they differ in names alone.
//!
//! The canonical form is what can be seen of a state: registers that may still be read, memory that can be reached, the path,
//! and the axioms about all symbols in these. Objects of the frames are named by the frame, counted from the upper end, and
//! their place in it; others by the order in which they are come across from there. Symbols are numbered in the order of their first occurrence. Equal forms mean that there is a bijection of
//! names between the states ([`Canonical::renaming_to`]), under which every step of the one is a step of the other: the
//! same checks break and the same gaps are noted under the same values. Forms that differ mean nothing: how operands
//! of terms are ordered depends on their age.
//!
//! A block sees so many of the upper frames. What lies below is part of the form only where it can be reached, so that equal
//! forms mean equal futures until the lowest of these frames returns. How full the stack is, is not part of the form
//! ([`CanonicalForm::stack`]): of two states with equal forms, the one with the fuller stack has all faults of the other.
//! Of stacks that do not run everything is part of the form.

use crate::memory::cells::Fill;
use crate::memory::region::RegionId;
use crate::memory::{Content, ObjectKind};
use crate::rename::Renaming;
use crate::state::{Frame, State};
use crate::sym::Sym;
use crate::value::{ObjId, Value};
use plumb_ir::analysis::Analyses;
use plumb_ir::program::{Loc, LocalVar, VarRef};
use plumb_ir::ty::Ty;
use plumb_term::{Sort, Substitution, TermId, cone};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// A piece of a form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Token {
    Number(u64),
    /// Over the canonical symbols.
    Term(TermId),
}

/// What can be seen of a state. Forms of one [`Sym`] can be compared.
#[derive(Clone, Debug)]
pub struct CanonicalForm {
    tokens: Vec<Token>,
    /// Bytes that its frames take of the stack.
    pub stack: u64,
}

impl PartialEq for CanonicalForm {
    fn eq(&self, other: &CanonicalForm) -> bool {
        self.tokens == other.tokens
    }
}

impl Eq for CanonicalForm {}

impl Hash for CanonicalForm {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.tokens.hash(hasher);
    }
}

/// A form with the names that a state has for its parts, in the form's order.
#[derive(Clone, Debug)]
pub struct Canonical {
    pub form: CanonicalForm,
    pub(crate) objects: Vec<ObjId>,
    pub(crate) regions: Vec<RegionId>,
    pub(crate) activations: Vec<u32>,
    pub(crate) symbols: Vec<TermId>,
    /// About the symbols.
    pub(crate) axioms: Vec<TermId>,
}

impl Canonical {
    /// The names of another state with the same form; `None` if it has another one.
    pub fn renaming_to(&self, other: &Canonical) -> Option<Renaming> {
        if self.form != other.form {
            return None;
        }
        fn pairs<T: Copy + Eq + Hash>(from: &[T], to: &[T]) -> FxHashMap<T, T> {
            from.iter().copied().zip(to.iter().copied()).collect()
        }
        Some(Renaming {
            objects: pairs(&self.objects, &other.objects),
            regions: pairs(&self.regions, &other.regions),
            activations: pairs(&self.activations, &other.activations),
            symbols: pairs(&self.symbols, &other.symbols),
        })
    }
}

/// What a token stands for is determined by those before it. These begin what could be taken for something else.
#[derive(Clone, Copy)]
enum Tag {
    Missing,
    Const,
    Term,
    Addr,
    Pointer,
    Fixed,
    Named,
    Cells,
    Array,
    Byte,
    Initial,
    Region,
}

/// A form that is being written. Terms are as the state has them.
struct Writer<'s, 'p> {
    sym: &'s Sym<'p>,
    state: &'s State,
    tokens: Vec<Token>,
    objects: Vec<ObjId>,
    object_numbers: FxHashMap<ObjId, u64>,
    regions: Vec<RegionId>,
    region_numbers: FxHashMap<RegionId, u64>,
}

impl Sym<'_> {
    /// The canonical form of a state for who sees so many of its upper frames. The analyses are of the same program.
    pub fn canonical(&mut self, analyses: &Analyses, state: &State, frames: usize) -> Canonical {
        let mut writer = Writer {
            sym: self,
            state,
            tokens: Vec::new(),
            objects: Vec::new(),
            object_numbers: FxHashMap::default(),
            regions: Vec::new(),
            region_numbers: FxHashMap::default(),
        };
        writer.state(analyses, frames);
        let Writer { mut tokens, objects, object_numbers, regions, .. } = writer;
        let terms: Vec<TermId> = tokens.iter().filter_map(|token| token.term()).collect();
        let (symbols, axioms) = self.connected(&terms);
        tokens.extend(axioms.iter().map(|axiom| Token::Term(*axiom)));
        self.write_symbols(&symbols, &object_numbers, &mut tokens);
        self.write_regions(&symbols, &regions, &mut tokens);
        self.write_patterns(&mut tokens);
        let tokens = self.renamed(tokens, &symbols);
        let stack = state.frame().stack;
        let upper = state.frames.iter().rev().take(frames);
        let suspended = state.suspended().flat_map(|(_, stack)| stack.frames().rev());
        let activations = upper.map(|frame| &**frame).chain(suspended).map(|frame| frame.activation).collect();
        Canonical { form: CanonicalForm { tokens, stack }, objects, regions, activations, symbols, axioms }
    }

    /// What is known of symbols beside axioms: whose addresses they are, or whether they may be some.
    fn write_symbols(&self, symbols: &[TermId], numbers: &FxHashMap<ObjId, u64>, tokens: &mut Vec<Token>) {
        for symbol in symbols {
            let address_of = self.addresses.bases.get(symbol).map(|object| match numbers.get(object) {
                Some(number) => *number + 1,
                // Of an object that can be reached no more: a name of its own.
                None => u64::MAX - object.0 as u64,
            });
            let may_be_address = self.addresses.possible.contains(symbol) as u64;
            let choice = self.open.get(symbol).map_or(0, |choice| 1 + *choice as u64);
            let outside = self.addresses.outside.contains(symbol) as u64;
            tokens.extend([address_of.unwrap_or(0), may_be_address | outside << 1, choice].map(Token::Number));
        }
    }

    /// Which bytes of which region symbols are.
    fn write_regions(&self, symbols: &[TermId], regions: &[RegionId], tokens: &mut Vec<Token>) {
        let symbols: FxHashSet<TermId> = symbols.iter().copied().collect();
        for region in regions {
            let region = self.region(*region);
            tokens.push(Token::Number(region.may_hold_pointers as u64));
            if let Some((unit, array)) = region.array {
                tokens.extend([Token::Number(unit), Token::Term(array)]);
            }
            for (at, symbol) in region.symbols.iter().filter(|(_, symbol)| symbols.contains(symbol)) {
                tokens.extend([Token::Number(*at), Token::Term(*symbol)]);
            }
        }
    }

    /// Bits of results that have been looked at already.
    fn write_patterns(&self, tokens: &mut Vec<Token>) {
        if self.patterns.is_empty() {
            return;
        }
        let terms: Vec<TermId> = tokens.iter().filter_map(|token| token.term()).collect();
        for term in cone(&self.terms, &terms) {
            if let Some(bits) = self.patterns.get(&term) {
                tokens.extend([Token::Term(term), Token::Term(*bits)]);
            }
        }
    }

    /// Tokens over the canonical symbols. There is one for each number and sort.
    fn renamed(&mut self, tokens: Vec<Token>, symbols: &[TermId]) -> Vec<Token> {
        let mut numbers: BTreeMap<Sort, u32> = BTreeMap::new();
        let mut pairs = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let sort = self.terms.sort(*symbol);
            let number = numbers.entry(sort).or_default();
            pairs.push((*symbol, self.terms.symbol(&format!("canonical{number}"), sort)));
            *number += 1;
        }
        let mut substitution = Substitution::new(pairs);
        let rename = |token| match token {
            Token::Term(term) => Token::Term(substitution.apply(&mut self.terms, term)),
            Token::Number(_) => token,
        };
        tokens.into_iter().map(rename).collect()
    }
}

impl Token {
    fn term(self) -> Option<TermId> {
        match self {
            Token::Term(term) => Some(term),
            Token::Number(_) => None,
        }
    }
}

impl Writer<'_, '_> {
    fn number(&mut self, number: u64) {
        self.tokens.push(Token::Number(number));
    }

    fn tag(&mut self, tag: Tag) {
        self.number(tag as u64);
    }

    fn term(&mut self, term: TermId) {
        self.tokens.push(Token::Term(term));
    }

    fn state(&mut self, analyses: &Analyses, frames: usize) {
        let state = self.state;
        self.number(state.loc.0 as u64);
        let flags = [state.has_unnamed_heap, state.is_stack_bounded_only, state.has_unknown_stacks];
        flags.into_iter().for_each(|flag| self.number(flag as u64));
        let upper: Vec<&Frame> = state.frames().rev().take(frames).collect();
        self.frames(analyses, &upper, state.loc);
        self.number(state.current_stack() as u64);
        self.number(state.suspended().count() as u64);
        for (number, stack) in state.suspended() {
            self.number(number as u64);
            self.number(stack.loc.0 as u64);
            let frames: Vec<&Frame> = stack.frames().rev().collect();
            self.number(frames.first().map_or(0, |frame| frame.stack));
            self.frames(analyses, &frames, stack.loc);
        }
        for at in 0..self.sym.program.vars.len() as u32 {
            self.register(state.globals.get(at));
        }
        for at in 0..self.sym.program.objects.len() as u32 {
            self.memory(ObjId(at));
        }
        self.reached_objects();
        self.term(state.path.term());
        self.term(state.fault);
    }

    /// The upper frames of a stack, the last one first, and where that goes on.
    fn frames(&mut self, analyses: &Analyses, upper: &[&Frame], mut loc: Loc) {
        self.number(upper.len() as u64);
        for (i, frame) in upper.iter().enumerate() {
            self.number(frame.func.0 as u64);
            for object in frame.objects.iter().chain(&frame.dynamic) {
                self.object(*object);
            }
            let live = &analyses.shape(frame.func).live;
            for at in 0..self.sym.program.function(frame.func).vars.len() as u32 {
                if live.is_live(loc, VarRef::Local(LocalVar(at))) {
                    self.register(frame.registers.get(at));
                }
            }
            // Where the lowest of them goes on is another's business.
            if i + 1 < upper.len() {
                loc = frame.resume;
                self.number(loc.0 as u64);
                let result = frame.result.map_or(0, |var| match var {
                    VarRef::Local(var) => 1 + 2 * var.0 as u64,
                    VarRef::Global(var) => 2 + 2 * var.0 as u64,
                });
                self.number(result);
            }
        }
    }

    /// Objects in the order in which they were come across; those that can be reached from them come after them. What else is
    /// on the heap counts too: a check may ask for what is lost.
    fn reached_objects(&mut self) {
        let mut next = 0;
        let heap = |(at, object): (u32, &crate::memory::Object)| {
            let is_heap = self.sym.objects[ObjId(at)].kind == ObjectKind::Heap;
            (is_heap && object.alive != TermId::bool(false)).then_some(ObjId(at))
        };
        let mut heap = self.state.memory.iter().filter_map(heap).collect::<Vec<_>>().into_iter();
        loop {
            while next < self.objects.len() {
                let object = self.objects[next];
                next += 1;
                self.info(object);
                self.memory(object);
            }
            let Some(object) = heap.next() else { return };
            self.object(object);
        }
    }

    fn register(&mut self, value: Option<&Value>) {
        match value {
            Some(value) => self.value(value),
            None => self.tag(Tag::Missing),
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Const(bits) => {
                self.tag(Tag::Const);
                self.number(bits.u128() as u64);
                self.number((bits.u128() >> 64) as u64);
            }
            Value::Term(term) => {
                self.tag(Tag::Term);
                self.term(*term);
            }
            Value::Addr(object, offset) => {
                self.tag(Tag::Addr);
                self.object(*object);
                self.number(*offset);
            }
            Value::Pointer(places) => {
                self.tag(Tag::Pointer);
                self.number(places.len() as u64);
                for place in places.iter() {
                    self.term(place.guard);
                    match place.object {
                        Some(object) => self.object(object),
                        None => self.tag(Tag::Missing),
                    }
                    self.term(place.offset);
                }
            }
        }
    }

    /// The name of an object. Statics and functions have one of their own.
    fn object(&mut self, object: ObjId) {
        if self.sym.is_fixed(object) {
            self.tag(Tag::Fixed);
            return self.number(object.0 as u64);
        }
        let next = self.objects.len() as u64;
        let number = *self.object_numbers.entry(object).or_insert(next);
        if number == next {
            self.objects.push(object);
        }
        self.tag(Tag::Named);
        self.number(number);
    }

    /// What a run can see of an object that does not change. Which local it is, or who allocated it, cannot be seen.
    fn info(&mut self, object: ObjId) {
        let info = &self.sym.objects[object];
        self.number((info.kind == ObjectKind::Heap) as u64);
        self.value(&info.size);
        self.number(info.align);
        self.number(info.read_only as u64 + 2 * info.of_model as u64);
    }

    fn memory(&mut self, object: ObjId) {
        let Some(found) = self.state.memory.get(object.0) else { return self.tag(Tag::Missing) };
        let content = found.content.clone();
        self.term(found.alive);
        match &*content {
            Content::Cells(cells) => {
                self.tag(Tag::Cells);
                self.number(cells.pieces().len() as u64);
                for (from, fill) in cells.pieces() {
                    self.number(*from);
                    self.fill(*fill);
                }
                self.number(cells.all().count() as u64);
                for (at, cell) in cells.all() {
                    self.number(at);
                    self.number(type_number(cell.ty));
                    self.value(&cell.value);
                }
            }
            Content::Array(array) => {
                self.tag(Tag::Array);
                self.number(array.unit);
                self.term(array.array);
                self.number(array.holds_addresses as u64);
                self.number(array.pointees.len() as u64);
                for object in array.pointees.iter() {
                    self.object(*object);
                }
            }
        }
    }

    fn fill(&mut self, fill: Fill) {
        match fill {
            Fill::Byte(byte) => {
                self.tag(Tag::Byte);
                self.number(byte as u64);
            }
            Fill::Initial(object, shift) => {
                self.tag(Tag::Initial);
                self.number(object.0 as u64);
                self.number(shift);
            }
            Fill::Region(region, shift) => {
                self.tag(Tag::Region);
                let next = self.regions.len() as u64;
                let number = *self.region_numbers.entry(region).or_insert(next);
                if number == next {
                    self.regions.push(region);
                }
                self.number(number);
                self.number(shift);
            }
        }
    }
}

fn type_number(ty: Ty) -> u64 {
    match ty {
        Ty::Int(bits) => bits as u64,
        Ty::Float(format) => 1 << 8 | format as u64,
        Ty::Ptr => 1 << 9,
    }
}
