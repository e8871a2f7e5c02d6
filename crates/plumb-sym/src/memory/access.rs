//! Loads and stores through pointers.
//!
//! An access that misses every live object is a *fault* ([`crate::fault`]): the concrete machine ends such a run, so nothing
//! that comes after counts. The state notes the condition ([`State::fault`]); whoever proves something must prove that it
//! cannot be or suppose it, and whoever looks for a violation excludes it. An access through a number of which nobody knows what object has that address,
//! or one that contents cannot express, is a *gap*: the same, but for no reason of the run's.

use super::cells::Cells;
use super::{ArrayContent, Content, Object, ObjectKind};
use crate::fault::{FaultConditions, FaultKind};
use crate::state::State;
use crate::sym::Sym;
use crate::value::{ObjId, Place, Value};
use plumb_ir::ty::Ty;
use plumb_term::TermId;
use std::sync::Arc;

/// A scalar is looked for at so many offsets one by one before its object becomes an array.
const FEW_PLACES: u64 = 64;
/// The same for objects that are never written: no stores will follow.
const FEW_CONSTANT_PLACES: u64 = 1024;

impl Sym<'_> {
    /// What goes wrong, and when, with an access of a number of bytes at a place.
    pub(crate) fn place_faults(&mut self, state: &State, place: Place, size: TermId, write: bool) -> FaultConditions {
        match place.object {
            Some(object) => self.object_faults(state, object, place.offset, size, write),
            None => self.number_faults(place.offset),
        }
    }

    /// What goes wrong with a pointer that is a number.
    pub(crate) fn number_faults(&mut self, number: TermId) -> FaultConditions {
        let mut faults = FaultConditions::default();
        let null = self.null_by_constants(number);
        faults.add(FaultKind::NullPointer, null, self);
        let other = self.terms.not(null);
        faults.add(FaultKind::NotAnObject, other, self);
        faults
    }

    /// What goes wrong with an access of bytes of an object.
    fn object_faults(
        &mut self,
        state: &State,
        object: ObjId,
        offset: TermId,
        size: TermId,
        write: bool,
    ) -> FaultConditions {
        let mut faults = FaultConditions::default();
        let always = TermId::bool(true);
        let info = &self.objects[object];
        let (read_only, of_model) = (info.read_only, info.of_model);
        let is_function = matches!(info.kind, ObjectKind::Function(_));
        let Some(found) = state.memory.get(object.0) else {
            let kind = if is_function { FaultKind::NotAnObject } else { FaultKind::DeadObject };
            faults.add(kind, always, self);
            return faults;
        };
        let dead = self.terms.not(found.alive);
        faults.add(FaultKind::DeadObject, dead, self);
        if write && read_only {
            faults.add(FaultKind::ReadOnly, always, self);
            return faults;
        }
        let outside = self.beyond_bounds(object, offset, size);
        faults.add(if of_model { FaultKind::ModelBounds } else { FaultKind::OutOfBounds }, outside, self);
        faults
    }

    /// Whether some of the bytes from an offset on are not the object's.
    pub(super) fn beyond_bounds(&mut self, object: ObjId, offset: TermId, size: TermId) -> TermId {
        let info = &self.objects[object];
        match (info.const_size(), self.terms.as_u64(size), self.terms.as_u64(offset)) {
            // No object takes up all addresses.
            (_, Some(size), Some(at)) if at.checked_add(size).is_none() => TermId::bool(true),
            (Some(whole), Some(size), _) if whole < size => TermId::bool(true),
            (Some(whole), Some(size), Some(at)) => TermId::bool(at > whole - size),
            (Some(whole), Some(size), None) if self.never_exceeds(offset, whole - size) => TermId::bool(false),
            (Some(whole), Some(size), None) => {
                let last = self.offset_term(whole - size);
                self.terms.bv_ult(last, offset)
            }
            (None, _, _) | (_, None, _) => {
                let whole = self.size_term(object);
                let last = self.terms.bv_sub(whole, size);
                let small = self.terms.bv_ult(whole, size);
                let behind = self.terms.bv_ult(last, offset);
                self.terms.or(small, behind)
            }
        }
    }

    /// The places of an access that may be right, and notes a fault for the rest. The guards of what is left need not
    /// cover all cases.
    fn accessed(&mut self, state: &mut State, pointer: &Value, size: u64, write: bool) -> Vec<Place> {
        let places = self.places(pointer);
        let mut valid = Vec::with_capacity(places.len());
        let mut faults = FaultConditions::default();
        let lost = self.lost_access(&places);
        self.give_up(state, lost);
        let size = self.offset_term(size);
        for place in places.iter() {
            if let Some(access) = self.foreign_access(place, size) {
                let here = self.foreign_faults(state, *place, access.astray);
                faults.add_all(here, TermId::bool(true), self);
                if access.astray != TermId::bool(true) {
                    valid.push(access.place);
                }
                continue;
            }
            let here = self.place_faults(state, *place, size, write);
            if here.any(self) != TermId::bool(true) {
                valid.push(*place);
            }
            faults.add_all(here, place.guard, self);
        }
        self.note_faults(state, faults);
        valid
    }

    /// Notes that under a condition nobody knows how the run goes on. It is not followed any further.
    pub(crate) fn give_up(&mut self, state: &mut State, condition: TermId) {
        let first = self.first_time(state, condition);
        if first != TermId::bool(false) {
            self.scratch.log.gaps.push(first);
            state.fault = self.terms.or(state.fault, first);
        }
    }

    /// Notes that under a condition the answer to a question may be wrong. The run goes on with it.
    pub(crate) fn doubt(&mut self, state: &State, condition: TermId) {
        let first = self.first_time(state, condition);
        if first != TermId::bool(false) {
            self.scratch.log.gaps.push(first);
        }
    }

    /// A condition here, for runs that nothing has happened to before.
    pub(crate) fn first_time(&mut self, state: &State, condition: TermId) -> TermId {
        if condition == TermId::bool(false) {
            return condition;
        }
        let here = self.terms.and(state.path.term(), condition);
        let before = self.terms.not(state.fault);
        self.terms.and(here, before)
    }

    /// Whether nobody knows where a pointer points: it is a number other than null, or one into the unknown object.
    pub(crate) fn lost(&mut self, places: &[Place]) -> TermId {
        let mut lost = TermId::bool(false);
        for place in places {
            match place.object {
                Some(object) if object == self.unknown => {
                    lost = self.terms.or(lost, place.guard);
                    continue;
                }
                Some(_) => continue,
                None if self.terms.is_const(place.offset) => continue,
                None => {}
            }
            let null = self.offset_term(0);
            let some = self.terms.ne(place.offset, null);
            let here = self.terms.and(place.guard, some);
            lost = self.terms.or(lost, here);
        }
        lost
    }

    /// The same of a pointer that is dereferenced: where numbers lead to memory from outside, that is looked at one by one
    /// ([`Sym::foreign_faults`]).
    pub(crate) fn lost_access(&mut self, places: &[Place]) -> TermId {
        if self.foreign().is_none() {
            return self.lost(places);
        }
        let objects: Vec<Place> = places.iter().filter(|place| place.object.is_some()).copied().collect();
        self.lost(&objects)
    }

    pub(crate) fn load(&mut self, state: &mut State, pointer: &Value, ty: Ty) -> Value {
        let size = ty.bytes(&self.program.target);
        let places = self.accessed(state, pointer, size, false);
        let mut result: Option<Value> = None;
        for place in places.iter().rev() {
            let Some(object) = place.object else { continue };
            let value = self.load_from(state, object, place.offset, ty);
            result = Some(match result {
                Some(rest) => self.choose(place.guard, &value, &rest, ty),
                None => value,
            });
        }
        // Nothing to read: the run has ended.
        result.unwrap_or(Value::Const(plumb_ir::ty::Bits::ZERO))
    }

    fn load_from(&mut self, state: &mut State, object: ObjId, offset: TermId, ty: Ty) -> Value {
        let Some(found) = state.memory.get(object.0).cloned() else { return Value::FALSE };
        let size = ty.bytes(&self.program.target);
        match (&*found.content, self.terms.as_u64(offset)) {
            (Content::Cells(cells), Some(at)) => self.cells_load(cells, at, ty),
            (Content::Cells(cells), None) => {
                let read_only = self.objects[object].read_only;
                if let Some(offsets) = self.few_offsets(object, offset, size, read_only) {
                    return self.load_one_of(cells, offset, &offsets, ty);
                }
                match self.become_array(state, object, cells, offset, size) {
                    Some(array) => self.array_value(state, object, &array, offset, ty),
                    None => {
                        self.give_up(state, TermId::bool(true));
                        Value::FALSE
                    }
                }
            }
            (Content::Array(array), _) => self.array_value(state, object, array, offset, ty),
        }
    }

    /// The offsets of an access, if they are few.
    fn few_offsets(&mut self, object: ObjId, offset: TermId, size: u64, read_only: bool) -> Option<Vec<u64>> {
        let whole = self.objects[object].const_size()?;
        let stride = self.strides.of(offset, &self.terms);
        let limit = (whole + 1).saturating_sub(size);
        let most = if read_only { FEW_CONSTANT_PLACES } else { FEW_PLACES };
        (stride.count_below(limit) <= most).then(|| stride.below(limit).collect())
    }

    fn load_one_of(&mut self, cells: &Cells, offset: TermId, offsets: &[u64], ty: Ty) -> Value {
        let mut result: Option<Value> = None;
        for &at in offsets.iter().rev() {
            let value = self.cells_load(cells, at, ty);
            result = Some(match result {
                Some(rest) if rest == value => rest,
                Some(rest) => {
                    let place = self.offset_term(at);
                    let here = self.terms.eq(offset, place);
                    self.choose(here, &value, &rest, ty)
                }
                None => value,
            });
        }
        result.unwrap_or(Value::Const(plumb_ir::ty::Bits::ZERO))
    }

    /// Makes an object an array whose elements suit an access.
    fn become_array(
        &mut self,
        state: &mut State,
        object: ObjId,
        cells: &Cells,
        offset: TermId,
        size: u64,
    ) -> Option<ArrayContent> {
        let whole = self.objects[object].const_size();
        let stride = self.strides.of(offset, &self.terms);
        let suits = |unit: u64| {
            stride.rest_of(unit) == Some(0)
                && cells.all().all(|(at, cell)| at % unit == 0 && cell.size % unit == 0)
                && whole.is_none_or(|whole| whole % unit == 0)
        };
        let wanted = if size.is_power_of_two() { size.min(8) } else { 1 };
        let unit = match self.foreign() == Some(object) {
            true => self.program.target.pointer_bytes,
            false if suits(wanted) => wanted,
            false => 1,
        };
        let array = self.array_of_cells(cells, unit, whole)?;
        if let Some(found) = state.memory.get_mut(object.0) {
            found.content = Arc::new(Content::Array(array.clone()));
        }
        Some(array)
    }

    pub(crate) fn store(&mut self, state: &mut State, pointer: &Value, value: Value, ty: Ty) {
        let size = ty.bytes(&self.program.target);
        let places = self.accessed(state, pointer, size, true);
        for place in places {
            let Some(object) = place.object else { continue };
            self.store_to(state, object, place, &value, ty);
        }
    }

    fn store_to(&mut self, state: &mut State, object: ObjId, place: Place, value: &Value, ty: Ty) {
        let Some(mut found) = state.memory.get(object.0).cloned() else { return };
        let size = ty.bytes(&self.program.target);
        // Let go of the state's own reference, so that a content that only it has is changed in place.
        state.memory.remove(object.0);
        let written = match (Arc::make_mut(&mut found.content), self.terms.as_u64(place.offset)) {
            (Content::Cells(cells), Some(at)) => {
                let value = if place.guard == TermId::bool(true) {
                    value.clone()
                } else {
                    let before = self.cells_load(cells, at, ty);
                    self.choose(place.guard, value, &before, ty)
                };
                self.cells_store(cells, at, value, ty);
                true
            }
            (Content::Cells(cells), None) => match self.few_offsets(object, place.offset, size, false) {
                Some(offsets) => {
                    for at in offsets {
                        let term = self.offset_term(at);
                        let here = self.terms.eq(place.offset, term);
                        let here = self.terms.and(place.guard, here);
                        let before = self.cells_load(cells, at, ty);
                        let after = self.choose(here, value, &before, ty);
                        self.cells_store(cells, at, after, ty);
                    }
                    true
                }
                None => {
                    let cells = cells.clone();
                    state.memory.set(object.0, found.clone());
                    match self.become_array(state, object, &cells, place.offset, size) {
                        Some(mut array) => {
                            self.store_in_array(&mut array, place, value, ty);
                            found.content = Arc::new(Content::Array(array));
                            true
                        }
                        None => false,
                    }
                }
            },
            (Content::Array(array), _) => {
                self.store_in_array(array, place, value, ty);
                true
            }
        };
        state.memory.set(object.0, found);
        if !written {
            self.give_up(state, place.guard);
        }
    }

    fn store_in_array(&mut self, content: &mut ArrayContent, place: Place, value: &Value, ty: Ty) {
        let bits = self.bits_of(value, ty);
        content.holds_addresses |= self.foreign().is_some() && self.mentions_address(value);
        let array = self.array_store(content.array, content.unit, place.offset, bits);
        content.array = self.terms.ite(place.guard, array, content.array);
        self.note_pointees(value, Arc::make_mut(&mut content.pointees));
    }

    /// One of two values of a type.
    pub(crate) fn choose(&mut self, condition: TermId, a: &Value, b: &Value, ty: Ty) -> Value {
        if a == b || condition == TermId::bool(true) {
            return a.clone();
        }
        if condition == TermId::bool(false) {
            return b.clone();
        }
        let points = |v: &Value| matches!(v, Value::Addr(..) | Value::Pointer(_));
        if points(a) || points(b) {
            let no = self.terms.not(condition);
            let (x, y) = (self.places(a), self.places(b));
            let mut places = Vec::with_capacity(x.len() + y.len());
            for (list, cond) in [(x, condition), (y, no)] {
                for place in list.iter() {
                    places.push(Place { guard: self.terms.and(place.guard, cond), ..*place });
                }
            }
            return self.of_places(places);
        }
        let (x, y) = (self.term_of(a, ty), self.term_of(b, ty));
        let chosen = self.terms.ite(condition, x, y);
        Value::of_term(chosen, &self.terms)
    }

    /// A new object, alive in the state.
    pub(crate) fn add_object(&mut self, state: &mut State, info: super::ObjectInfo, content: Content) -> ObjId {
        let id = self.objects.push_and_get_key(info);
        state.memory.set(id.0, Object { content: Arc::new(content), alive: TermId::bool(true) });
        id
    }
}
