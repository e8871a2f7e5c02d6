//! Memory from outside (`plumb-ir`'s `lower/foreign.rs`): the one object that numbers point into.
//!
//! Nothing in a program has the address of that object but numbers: inputs, what was read there, and what was computed from these. So
//! they stay numbers, are compared and moved as numbers, and only where one is dereferenced is it told whether it lies among the
//! object's addresses, which are fixed: no symbol stands for them.
//!
//! **A number that leads nowhere.** A pointer that came from outside is supposed to lead to that memory if it is dereferenced: a run in which
//! it does not is not looked at any further ([`Sym::suppose`]), as the assumption says that is listed with the verdict. This is supposed of
//! no other number: not of constants (null above all), nor of integers, nor of what may be an address of the program's own, out of its bounds or put together
//! of bytes. Nor where it is the address of an object or a function of the program whose address has become a number: the program may have compared
//! the two. Using such a one is a gap, as everywhere.
//!
//! **What comes from outside** is a pointer that is an input as it is, a choice between such, such a one moved by what no address went into, and a pointer that was read
//! from memory from outside to which no address of the program's was ever written.

use super::Content;
use crate::fault::FaultConditions;
use crate::state::State;
use crate::sym::Sym;
use crate::value::{ObjId, Place, Value};
use plumb_ir::program::foreign_addresses;
use plumb_term::{BinaryOp, Kind, TermId};

/// Operators and choices that a number is looked through.
const DEEPEST: u32 = 8;

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
        let start = self.offset_term(foreign_addresses(&self.program.target).start);
        let offset = self.terms.bv_sub(place.offset, start);
        let astray = self.beyond_bounds(object, offset, size);
        Some(ForeignAccess { place: Place { object: Some(object), offset, ..*place }, astray })
    }

    /// What goes wrong with such an access; what is supposed not to happen is not.
    pub(crate) fn foreign_faults(&mut self, state: &mut State, number: Place, astray: TermId) -> FaultConditions {
        if astray == TermId::bool(false) {
            return FaultConditions::default();
        }
        let faults = self.number_faults(number.offset);
        let own = self.is_own(number.offset, DEEPEST);
        let known = self.null_by_constants(number.offset);
        let not_known = self.terms.not(known);
        let other = self.terms.and_all([number.guard, astray, not_known]);
        let compared = if own == TermId::bool(true) { own } else { self.is_numbered_object(number.offset) };
        let unclear = self.terms.or(own, compared);
        let lost = self.terms.and(other, unclear);
        if !self.terms.is_const(number.offset) {
            self.give_up(state, lost);
        }
        let from_outside = self.terms.not(unclear);
        let supposed = self.terms.and(other, from_outside);
        self.suppose(state, supposed);
        let mut found = FaultConditions::default();
        let wrong = self.terms.and(number.guard, astray);
        let counts = self.terms.or(own, known);
        let wrong = self.terms.and(wrong, counts);
        found.add_all(faults, wrong, self);
        found
    }

    /// Looks at no run any further in which a condition holds.
    fn suppose(&mut self, state: &mut State, condition: TermId) {
        let first = self.first_time(state, condition);
        state.fault = self.terms.or(state.fault, first);
    }

    /// When a number is an address of an object or a function whose address has become a number.
    fn is_numbered_object(&mut self, number: TermId) -> TermId {
        let foreign = self.foreign();
        let mut bases: Vec<(TermId, ObjId)> =
            self.addresses.bases.iter().map(|(base, object)| (*base, *object)).collect();
        bases.sort_unstable();
        let mut found = TermId::bool(false);
        for (base, object) in bases.into_iter().filter(|(_, object)| Some(*object) != foreign) {
            let (offset, size) = (self.terms.bv_sub(number, base), self.size_term(object));
            let here = self.terms.bv_ule(offset, size);
            found = self.terms.or(found, here);
        }
        found
    }

    /// When a number may be another than one from outside.
    fn is_own(&mut self, number: TermId, depth: u32) -> TermId {
        if self.addresses.outside.contains(&number) {
            return TermId::bool(false);
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
            Kind::Const
            | Kind::Symbol(_)
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Fma(..)
            | Kind::Store(..)
            | Kind::Extract { .. } => always,
        }
    }

    /// Notes that a number is a pointer from outside.
    pub(crate) fn note_outside(&mut self, number: TermId) {
        if self.foreign().is_some() && !self.terms.is_const(number) {
            self.addresses.outside.insert(number);
        }
    }

    /// Whether a number certainly comes from outside.
    pub(crate) fn is_from_outside(&mut self, number: TermId) -> bool {
        self.foreign().is_some() && self.is_own(number, DEEPEST) == TermId::bool(false)
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
            Content::Array(array) => array.holds_addresses || !array.pointees.is_empty(),
            Content::Cells(cells) => cells.all().next().is_some(),
        })
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
