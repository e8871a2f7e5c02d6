//! Memory from outside (`plumb-ir`'s `lower/foreign.rs`): the one object that numbers point into.
//!
//! Nothing in a program has the address of that object but numbers: inputs, what was read there, and what was computed from these. So
//! they stay numbers, are compared and moved as numbers, and only where one is dereferenced is it told whether it lies among the
//! object's addresses, which are fixed: no symbol stands for them.
//!
//! **A number that leads nowhere.** One that came from outside is supposed to lead to that memory if it is dereferenced: a run in which
//! it does not is not looked at any further ([`Sym::suppose`]), as the assumption says that is listed with the verdict. This is supposed of
//! no other number: not of constants (null above all), nor of what may be an address of the program's own, out of its bounds or put together of bytes. Using such
//! a one is a gap, as everywhere.
//!
//! **Blocks.** A pointer as it comes from outside leads to the beginning of a block of its own or of another such pointer's: two of them are equal or lie apart, and
//! no structure reaches half into another. This is part of the assumption. It makes of an access at a constant distance from such a pointer an index whose lowest bits are constant,
//! so that different members are never taken for one ([`Terms`](plumb_term::Terms) reads through such stores). Pointers that the program has computed and stored
//! there may lead anywhere.
//!
//! **What comes from outside** is an input as it is, a choice between such, such a one moved by what no address went into, and a pointer that was read
//! from memory from outside. The last is clear as long as no address of the program's was ever written there. Afterwards
//! what is read is one of the objects whose addresses were written ([`Sym::pointer_among`]); or it is what was there before the first of them, at
//! the same place ([`ArrayContent::clean`]); or nobody knows.

use super::cells::{Cells, Fill};
use super::{ArrayContent, Content, Object};
use crate::fault::Wrongs;
use crate::state::State;
use crate::sym::Sym;
use crate::value::{ObjId, Place, Value};
use plumb_ir::program::foreign_addresses;
use plumb_ir::ty::Ty;
use plumb_term::{BinaryOp, Kind, TermId};
use std::sync::Arc;

/// Operators and choices that a number is looked through.
const DEEPEST: u32 = 8;

/// Memory from outside consists of blocks of `2^BLOCK_BITS` bytes. Few structures are larger.
const BLOCK_BITS: u32 = 16;

/// What is known of a number from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside {
    /// When it may be another one.
    pub own: TermId,
    /// When it is as it came, and leads to the beginning of a block.
    pub block: TermId,
}

/// How far a number has been moved: by bytes, and by a number that is not constant.
#[derive(Clone, Copy, Default)]
struct Moved {
    bytes: u64,
    more: Option<TermId>,
}

/// Where a number leads.
pub(crate) struct ForeignAccess {
    /// Into memory from outside, unless `astray`.
    pub place: Place,
    /// Some byte of the access is not there.
    pub astray: TermId,
}

impl Sym<'_> {
    /// The object that numbers point into, if the program has one.
    pub(crate) fn foreign(&self) -> Option<ObjId> {
        self.program.foreign_memory().map(|object| ObjId(object.0))
    }

    /// The access of so many bytes through a number, in a program that has memory from outside.
    pub(crate) fn foreign_access(&mut self, place: &Place, size: TermId) -> Option<ForeignAccess> {
        let object = self.foreign().filter(|_| place.object.is_none())?;
        let (offset, misplaced) = self.foreign_offset(place.offset, Moved::default(), DEEPEST);
        let beyond = self.beyond_bounds(object, offset, size);
        let astray = self.terms.or(beyond, misplaced);
        Some(ForeignAccess { place: Place { object: Some(object), offset, ..*place }, astray })
    }

    /// The offset that a number has in memory from outside, moved by something, and when it is one of a block's but not its
    /// beginning's.
    fn foreign_offset(&mut self, number: TermId, moved: Moved, depth: u32) -> (TermId, TermId) {
        let never = TermId::bool(false);
        if let Some(Outside { block, .. }) = self.addresses.outside.get(&number).copied()
            && block != never
            && self.terms.width(number) == self.pointer_width()
        {
            let low = self.terms.extract(number, BLOCK_BITS - 1, 0);
            let zero = self.terms.bv(BLOCK_BITS, 0);
            let inner = self.terms.ne(low, zero);
            let misplaced = self.terms.and(block, inner);
            if block == TermId::bool(true) {
                let (width, start) = (self.pointer_width(), foreign_addresses(&self.program.target).start);
                let high = self.terms.extract(number, width - 1, BLOCK_BITS);
                let start = self.terms.bv(width - BLOCK_BITS, (start >> BLOCK_BITS).into());
                let high = self.terms.bv_sub(high, start);
                let begin = self.terms.concat(high, zero);
                return (self.moved_by(begin, moved), misplaced);
            }
            return (self.plain_offset(number, moved), misplaced);
        }
        let is_deep = depth > 0 && !self.addresses.outside.contains_key(&number);
        match self.terms.kind(number) {
            Kind::Ite(condition, a, b) if is_deep => {
                let (a, off_a) = self.foreign_offset(a, moved, depth - 1);
                let (b, off_b) = self.foreign_offset(b, moved, depth - 1);
                (self.terms.ite(condition, a, b), self.terms.ite(condition, off_a, off_b))
            }
            Kind::Binary(BinaryOp::BvAdd, a, b) if is_deep => {
                let (root, by) = if self.has_outside(a, depth - 1) { (a, b) } else { (b, a) };
                match self.terms.as_u64(by) {
                    Some(by) => {
                        let moved = Moved { bytes: moved.bytes.wrapping_add(by), ..moved };
                        self.foreign_offset(root, moved, depth - 1)
                    }
                    None => {
                        let by = moved.more.map_or(by, |more| self.terms.bv_add(more, by));
                        self.foreign_offset(root, Moved { more: Some(by), ..moved }, depth - 1)
                    }
                }
            }
            _ => (self.plain_offset(number, moved), never),
        }
    }

    fn has_outside(&self, number: TermId, depth: u32) -> bool {
        self.addresses.outside.contains_key(&number)
            || depth > 0
                && match self.terms.kind(number) {
                    Kind::Ite(_, a, b) | Kind::Binary(BinaryOp::BvAdd, a, b) => {
                        self.has_outside(a, depth - 1) || self.has_outside(b, depth - 1)
                    }
                    _ => false,
                }
    }

    fn plain_offset(&mut self, number: TermId, moved: Moved) -> TermId {
        let start = self.offset_term(foreign_addresses(&self.program.target).start);
        let offset = self.terms.bv_sub(number, start);
        self.moved_by(offset, moved)
    }

    fn moved_by(&mut self, offset: TermId, moved: Moved) -> TermId {
        let offset = self.moved(offset, moved.bytes);
        moved.more.map_or(offset, |more| self.terms.bv_add(offset, more))
    }

    /// What goes wrong with such an access; what is supposed not to happen is not.
    pub(crate) fn foreign_faults(&mut self, state: &mut State, number: Place, astray: TermId) -> Wrongs {
        if astray == TermId::bool(false) {
            return Wrongs::default();
        }
        let wrongs = self.number_faults(number.offset);
        let own = self.is_own(number.offset, DEEPEST);
        let known = self.null_by_constants(number.offset);
        let not_known = self.terms.not(known);
        let other = self.terms.and_all([number.guard, astray, not_known]);
        let lost = self.terms.and(other, own);
        if !self.terms.is_const(number.offset) {
            self.give_up(state, lost);
        }
        let from_outside = self.terms.not(own);
        let supposed = self.terms.and(other, from_outside);
        self.suppose(state, supposed);
        let mut found = Wrongs::default();
        let wrong = self.terms.and(number.guard, astray);
        let counts = self.terms.or(own, known);
        let wrong = self.terms.and(wrong, counts);
        found.add_all(wrongs, wrong, self);
        found
    }

    /// Looks at no run any further in which a condition holds.
    fn suppose(&mut self, state: &mut State, condition: TermId) {
        let first = self.first_time(state, condition);
        state.fault = self.terms.or(state.fault, first);
    }

    /// When a number may be another than one from outside.
    fn is_own(&mut self, number: TermId, depth: u32) -> TermId {
        if let Some(known) = self.addresses.outside.get(&number) {
            return known.own;
        }
        let always = TermId::bool(true);
        if depth == 0 {
            return always;
        }
        let is_plain = |sym: &Self, term: TermId| !sym.mentions_address(&Value::Term(term));
        match self.terms.kind(number) {
            Kind::Ite(condition, a, b) => {
                let (a, b) = (self.is_own(a, depth - 1), self.is_own(b, depth - 1));
                self.terms.ite(condition, a, b)
            }
            Kind::Binary(BinaryOp::BvAdd, a, b) => {
                let first = if is_plain(self, b) { self.is_own(a, depth - 1) } else { always };
                if first == TermId::bool(false) || !is_plain(self, a) {
                    return first;
                }
                let second = self.is_own(b, depth - 1);
                self.terms.and(first, second)
            }
            Kind::Binary(BinaryOp::BvSub, a, b) if is_plain(self, b) => self.is_own(a, depth - 1),
            Kind::Binary(BinaryOp::Concat, ..) | Kind::Extract { .. } => {
                TermId::bool(!self.is_of_inputs(number, depth))
            }
            Kind::Const | Kind::Symbol(_) | Kind::Unary(..) | Kind::Binary(..) | Kind::Fma(..) | Kind::Store(..) => {
                always
            }
        }
    }

    /// Whether a number is put together of bytes of arbitrary memory.
    fn is_of_inputs(&self, number: TermId, depth: u32) -> bool {
        match self.terms.kind(number) {
            Kind::Symbol(_) => self.addresses.outside.contains_key(&number),
            Kind::Extract { value, .. } => depth > 0 && self.is_of_inputs(value, depth - 1),
            Kind::Binary(BinaryOp::Concat, a, b) => {
                depth > 0 && self.is_of_inputs(a, depth - 1) && self.is_of_inputs(b, depth - 1)
            }
            _ => false,
        }
    }

    /// Notes that a symbol stands for what comes from outside. Whether it is an input as it is, which leads to the beginning of a block.
    pub(crate) fn note_outside(&mut self, symbol: TermId, is_input: bool) {
        if self.foreign().is_some() {
            let known = Outside { own: TermId::bool(false), block: TermId::bool(is_input) };
            self.addresses.outside.insert(symbol, known);
        }
    }

    /// Whether a number certainly comes from outside.
    pub(crate) fn is_from_outside(&mut self, number: TermId) -> bool {
        self.foreign().is_some() && self.is_own(number, DEEPEST) == TermId::bool(false)
    }

    /// Notes where a pointer comes from that was read from memory from outside.
    pub(crate) fn note_foreign_load(&mut self, content: &ArrayContent, offset: TermId, number: TermId) {
        let own = match content.clean {
            None if content.pointees.is_empty() => TermId::bool(false),
            None => return,
            Some(clean) => {
                let before = self.loaded_from(content, clean, offset);
                self.terms.ne(number, before)
            }
        };
        let block = match content.initial {
            None => TermId::bool(false),
            Some(initial) => {
                let first = self.loaded_from(content, initial, offset);
                self.terms.eq(number, first)
            }
        };
        self.addresses.outside.insert(number, Outside { own, block });
    }

    /// When a number is what was there before an address was stored in an array for the first time, where numbers lead to memory from outside: no address of
    /// the program's.
    pub(crate) fn unwritten(&mut self, content: &ArrayContent, offset: TermId, number: TermId) -> TermId {
        match content.clean.filter(|_| !content.pointees.is_empty()) {
            Some(clean) => {
                let before = self.loaded_from(content, clean, offset);
                self.terms.eq(number, before)
            }
            None => TermId::bool(false),
        }
    }

    /// The pointer at an offset of an earlier content.
    fn loaded_from(&mut self, content: &ArrayContent, array: TermId, offset: TermId) -> TermId {
        let earlier = ArrayContent { array, ..content.clone() };
        let pointer = self.array_load(&earlier, offset, Ty::Ptr);
        self.address(&pointer)
    }

    /// Whether nobody knows the answer to a question about a pointer. One from outside that leads to no memory from outside leads to none
    /// of the program's.
    pub(crate) fn lost_question(&mut self, places: &[Place]) -> TermId {
        let mut lost = self.lost(places);
        if self.foreign().is_some() && lost != TermId::bool(false) {
            for place in places.iter().filter(|place| place.object.is_none()) {
                let own = self.is_own(place.offset, DEEPEST);
                let elsewhere = self.terms.not(place.guard);
                let counts = self.terms.or(elsewhere, own);
                lost = self.terms.and(lost, counts);
            }
        }
        lost
    }

    /// Whether memory from outside may hold addresses of the program's objects.
    pub(crate) fn foreign_holds_addresses(&self, state: &State) -> bool {
        let found = self.foreign().and_then(|object| state.memory.get(object.0));
        found.is_some_and(|found| match &*found.content {
            Content::Array(array) => array.clean.is_some() || !array.pointees.is_empty(),
            Content::Cells(cells) => cells.all().next().is_some(),
        })
    }

    /// Makes all of memory from outside arbitrary under a condition, in place of writing to it what is too long to follow. Whether that is all
    /// that is written, and no address of the program's comes there.
    pub(crate) fn blur_foreign(&mut self, state: &mut State, to: &Value, from: Option<&Value>, when: TermId) -> bool {
        let Some(object) = self.foreign() else { return false };
        let is_number = |place: &Place| place.object.is_none();
        let mut sources: Vec<ObjId> = vec![object];
        if let Some(from) = from {
            sources.extend(self.places(from).iter().filter_map(|place| place.object));
        }
        let is_clean = sources
            .iter()
            .all(|source| state.memory.get(source.0).is_some_and(|found| !self.holds_addresses(&found.content)));
        if !self.places(to).iter().all(is_number) || !is_clean {
            return false;
        }
        let region = self.new_arbitrary_region(false);
        let blurred = Content::Cells(Cells::filled(Fill::Region(region, 0)));
        let Some(found) = state.memory.get(object.0).cloned() else { return false };
        let Some(content) = self.join_content(object, &blurred, &found.content, when) else { return false };
        state.memory.set(object.0, Object { content: Arc::new(content), ..found });
        true
    }

    /// A pointer for questions about memory: a number is one into memory from outside, where it lies there.
    pub(crate) fn with_foreign_places(&mut self, pointer: &Value) -> Value {
        if self.foreign().is_none() {
            return pointer.clone();
        }
        let one = self.offset_term(1);
        let mut places = Vec::new();
        for place in self.places(pointer).iter() {
            match self.foreign_access(place, one) {
                Some(access) if access.astray != TermId::bool(true) => {
                    let within = self.terms.not(access.astray);
                    places.push(Place { guard: self.terms.and(place.guard, within), ..access.place });
                    places.push(Place { guard: self.terms.and(place.guard, access.astray), ..*place });
                }
                Some(_) | None => places.push(*place),
            }
        }
        self.of_places(places)
    }
}
