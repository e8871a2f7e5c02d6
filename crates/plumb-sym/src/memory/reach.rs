//! Inputs that replace whole objects: the one that a pointer points into, and those that it reaches.
//!
//! Followed are pointers of which it is known where they point. Which objects are reached must not depend on the path,
//! since the input has their bytes one after the other; only the pointer itself may point to one of several objects that
//! hold no pointers. The rest is a gap. A number that was computed from no object's address reaches nothing.

use super::cells::{Cells, Fill};
use super::region::RegionId;
use super::{Content, Object, ObjectKind};
use crate::state::State;
use crate::sym::Sym;
use crate::value::{ObjId, Value};
use plumb_ir::program::{DatumValue, Extent};
use plumb_term::TermId;
use std::sync::Arc;

/// The targets of some pointer are not known.
struct UnknownPointees;

impl Sym<'_> {
    /// Replaces the objects of an extent by input. Gives the region and its size; `None` if that is beyond us.
    pub(crate) fn havoc_objects(
        &mut self,
        state: &mut State,
        pointer: &Value,
        extent: Extent,
    ) -> Option<(RegionId, TermId)> {
        let region = self.new_region();
        let unclear = self.reaches_unknown(pointer);
        self.give_up(state, unclear);
        // Whatever it reaches may reach memory from outside, and through that the program's objects whose addresses are there.
        if extent != Extent::Object && self.foreign_holds_addresses(state) {
            self.give_up(state, TermId::bool(true));
        }
        let size = match self.pointees(state, pointer)[..] {
            [] => Some(self.offset_term(0)),
            [(object, TermId::TRUE)] => self.havoc_reached(state, object, extent, region),
            ref several => self.havoc_one_of(state, several, extent, region),
        };
        if size.is_none() {
            self.give_up(state, TermId::bool(true));
        }
        size.map(|size| (region, size))
    }

    /// When a pointer is one into an object that nobody knows, or a number with an address somewhere in it.
    fn reaches_unknown(&mut self, pointer: &Value) -> TermId {
        let mut unclear = TermId::bool(false);
        for place in self.places(pointer).iter() {
            let is_unclear = match place.object {
                Some(object) => object == self.unknown,
                None => self.mentions_address(&Value::Term(place.offset)),
            };
            if is_unclear {
                unclear = self.terms.or(unclear, place.guard);
            }
        }
        unclear
    }

    /// The living objects that a pointer may point into, each with the condition.
    fn pointees(&mut self, state: &State, pointer: &Value) -> Vec<(ObjId, TermId)> {
        let mut found: Vec<(ObjId, TermId)> = Vec::new();
        for place in self.places(pointer).iter() {
            let Some(object) = place.object else { continue };
            if matches!(self.objects[object].kind, ObjectKind::Function(_)) {
                continue;
            }
            let parts = [place.guard, self.alive(state, object), self.within(object, place.offset)];
            let here = self.terms.and_all(parts);
            match found.iter_mut().find(|(known, _)| *known == object) {
                _ if here == TermId::FALSE => {}
                Some((_, before)) => *before = self.terms.or(*before, here),
                None => found.push((object, here)),
            }
        }
        found
    }

    /// One object, whatever the path, and what it reaches.
    fn havoc_reached(&mut self, state: &mut State, first: ObjId, extent: Extent, region: RegionId) -> Option<TermId> {
        let mut objects = match extent {
            Extent::Object => vec![first],
            Extent::Reached | Extent::Behind => self.reached(state, first).ok()?,
        };
        if extent == Extent::Behind {
            objects.remove(0);
        }
        objects.retain(|object| !self.objects[*object].read_only);
        let mut at = 0u64;
        let mut size = self.offset_term(0);
        for (i, object) in objects.iter().enumerate() {
            let bytes = self.objects[*object].const_size();
            if bytes.is_none() && i + 1 < objects.len() {
                return None;
            }
            let whole = self.size_term(*object);
            size = self.terms.bv_add(size, whole);
            // The byte at `a` is the region's byte at `at + a`.
            let content = Content::Cells(Cells::filled(Fill::Region(region, at.wrapping_neg())));
            state.memory.set(object.0, Object { content: Arc::new(content), alive: TermId::bool(true) });
            at += bytes.unwrap_or(0);
        }
        Some(size)
    }

    /// One of several objects, by the path.
    fn havoc_one_of(
        &mut self,
        state: &mut State,
        objects: &[(ObjId, TermId)],
        extent: Extent,
        region: RegionId,
    ) -> Option<TermId> {
        let mut size = self.offset_term(0);
        for &(object, here) in objects {
            if extent != Extent::Object && !matches!(self.pointers_in(state, object), Ok(list) if list.is_empty()) {
                return None;
            }
            if extent == Extent::Behind || self.objects[object].read_only {
                continue;
            }
            let found = state.memory.get(object.0)?.clone();
            let new = Content::Cells(Cells::filled(Fill::Region(region, 0)));
            let content = Arc::new(self.join_content(object, &new, &found.content, here)?);
            state.memory.set(object.0, Object { content, ..found });
            let whole = self.size_term(object);
            size = self.terms.ite(here, whole, size);
        }
        Some(size)
    }

    /// The object and all that it reaches, breadth first.
    fn reached(&mut self, state: &State, first: ObjId) -> Result<Vec<ObjId>, UnknownPointees> {
        let mut found = vec![first];
        let mut next = 0;
        while next < found.len() {
            for object in self.pointers_in(state, found[next])? {
                if !found.contains(&object) {
                    found.push(object);
                }
            }
            next += 1;
        }
        Ok(found)
    }

    /// The living objects that pointers in an object point into, in order of offset.
    fn pointers_in(&mut self, state: &State, object: ObjId) -> Result<Vec<ObjId>, UnknownPointees> {
        let Some(found) = state.memory.get(object.0) else { return Ok(Vec::new()) };
        let content = found.content.clone();
        let cells = match &*content {
            Content::Cells(cells) => cells,
            Content::Array(array) if array.pointees.is_empty() => return Ok(Vec::new()),
            Content::Array(_) => return Err(UnknownPointees),
        };
        let is_unclear =
            |fill: &Fill| matches!(fill, Fill::Region(region, _) if self.region(*region).may_hold_pointers);
        if cells.pieces().iter().any(|(_, fill)| is_unclear(fill)) {
            return Err(UnknownPointees);
        }
        let mut stored: Vec<(u64, Value)> = self.initial_pointers(cells);
        stored.extend(cells.all().map(|(at, cell)| (at, cell.value.clone())));
        stored.sort_by_key(|(at, _)| *at);
        let mut targets = Vec::new();
        for (_, value) in stored {
            targets.extend(self.pointed_to(state, &value)?);
        }
        Ok(targets)
    }

    /// Pointers of static data that nothing has been written over.
    fn initial_pointers(&self, cells: &Cells) -> Vec<(u64, Value)> {
        let word = self.pointer_width() as u64 / 8;
        let pieces = cells.pieces();
        let mut found = Vec::new();
        for (i, (from, fill)) in pieces.iter().enumerate() {
            let Fill::Initial(object, shift) = fill else { continue };
            let to = pieces.get(i + 1).map_or(u64::MAX, |(next, _)| *next);
            for datum in &self.program.object(*object).init {
                let DatumValue::Object(target, offset) = &datum.value else { continue };
                let at = datum.offset.wrapping_add(*shift);
                if (*from..to).contains(&at) && cells.touching(at, at + word).next().is_none() {
                    found.push((at, Value::Addr(ObjId(target.0), *offset as u64)));
                }
            }
        }
        found
    }

    /// The object that a value points into, if it is a pointer.
    fn pointed_to(&mut self, state: &State, value: &Value) -> Result<Option<ObjId>, UnknownPointees> {
        if let Value::Term(term) = value {
            if !self.mentions_address(value) {
                return Ok(None);
            }
            if self.terms.width(*term) != self.pointer_width() {
                return Err(UnknownPointees);
            }
        }
        if matches!(value, Value::Const(_)) {
            return Ok(None);
        }
        let is_number = |place: &crate::value::Place| place.object.is_none();
        // A number with an address somewhere in it, or an object that nobody knows.
        if self.places(value).iter().all(is_number) || self.reaches_unknown(value) != TermId::bool(false) {
            return Err(UnknownPointees);
        }
        match self.pointees(state, value)[..] {
            [] => Ok(None),
            [(object, TermId::TRUE)] => Ok(Some(object)),
            [_, ..] => Err(UnknownPointees),
        }
    }
}
