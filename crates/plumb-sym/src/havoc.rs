//! Forgetting: a state in which some things may have any value.
//!
//! [`Changes`] names what a stretch of the program changes: registers, cells, whole objects, lives. A state that has
//! forgotten them stands for every state that differs from it in nothing else. Pointers are forgotten among the objects
//! that they have been seen to point to. Whoever forgets looks at the states that follow ([`Sym::note_changes`]): what they
//! point to in addition is a change as well, so that in the end nothing was left out. Numbers that were seen to be addresses,
//! and whole objects that were seen to hold some, may be addresses afterwards too, of any object.

use crate::memory::cells::{Cell, Cells, Fill};
use crate::memory::{Content, Object};
use crate::state::State;
use crate::sym::Sym;
use crate::template::StatePart;
use crate::value::{ObjId, Place, Value, sort_of};
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::program::{GlobalVar, LocalVar, VarRef};
use plumb_ir::ty::Ty;
use plumb_term::{Sort, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Contents of larger objects are not compared byte by byte.
const MOST_COMPARED_BYTES: u64 = 256;

/// Where a value has been seen to point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PointeeSet {
    /// With the offset, where it was always the same constant.
    objects: BTreeMap<ObjId, Option<u64>>,
    is_null: bool,
    /// To an address that is a number other than null.
    is_number: bool,
    /// To one that comes from outside.
    is_outside: bool,
    /// To a dead object, whichever it was: the next iteration's objects have the same names.
    is_dangling: bool,
    /// The value is a number that was computed from an address.
    mentions_address: bool,
}

impl PointeeSet {
    fn merge(&mut self, other: &PointeeSet) {
        other.objects.iter().for_each(|(object, offset)| self.add_object(*object, *offset));
        self.is_null |= other.is_null;
        self.is_number |= other.is_number;
        self.is_outside |= other.is_outside;
        self.is_dangling |= other.is_dangling;
        self.mentions_address |= other.mentions_address;
    }

    fn add_object(&mut self, object: ObjId, offset: Option<u64>) {
        let known = self.objects.entry(object).or_insert(offset);
        if *known != offset {
            *known = None;
        }
    }

    /// Whether it is more than a number.
    fn points(&self) -> bool {
        !self.objects.is_empty() || self.is_dangling || self.mentions_address
    }

    /// Adds a pointer's places. Objects are those that there are at the head.
    fn add(&mut self, places: &[Place], terms: &plumb_term::Terms, is_there: &dyn Fn(ObjId) -> bool) {
        for place in places {
            let offset = terms.as_u64(place.offset);
            match place.object {
                None if offset == Some(0) => self.is_null = true,
                None => self.is_number = true,
                Some(object) if !is_there(object) => self.is_dangling = true,
                Some(object) => self.add_object(object, offset),
            }
        }
    }
}

/// Whether a part of two states can really differ.
pub struct ChangeQuestion<'q, 'p> {
    /// It is asked of numbers too, and not only of pointers.
    pub about_scalars: bool,
    pub is_feasible: &'q mut dyn FnMut(&mut Sym<'p>, TermId) -> bool,
}

/// What differs between states, with what pointers there have been seen to point to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    pub registers: BTreeMap<VarRef, PointeeSet>,
    cells: BTreeMap<(ObjId, u64), (Ty, PointeeSet)>,
    /// With whether they have been seen to hold addresses.
    whole: BTreeMap<ObjId, bool>,
    lives: BTreeSet<ObjId>,
}

impl Changes {
    /// Adds others.
    pub fn merge(&mut self, other: &Changes) {
        for (var, pointees) in &other.registers {
            self.registers.entry(*var).or_default().merge(pointees);
        }
        other.cells.iter().for_each(|(place, (ty, pointees))| self.add_cell(*place, *ty, pointees));
        other.whole.iter().for_each(|(object, holds_addresses)| self.add_whole(*object, *holds_addresses));
        self.lives.extend(&other.lives);
    }

    /// Where a cell has been seen with another type, the object as a whole changes.
    fn add_cell(&mut self, place: (ObjId, u64), ty: Ty, pointees: &PointeeSet) {
        let (known, set) = self.cells.entry(place).or_insert_with(|| (ty, pointees.clone()));
        if *known == ty {
            set.merge(pointees);
        } else {
            let holds_addresses = set.points() || pointees.points();
            self.add_whole(place.0, holds_addresses);
        }
    }

    fn add_whole(&mut self, object: ObjId, holds_addresses: bool) {
        *self.whole.entry(object).or_default() |= holds_addresses;
    }
}

/// The states differ in objects that only one of them has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewObjects;

impl<'p> Sym<'p> {
    /// A register's value as a term.
    pub fn register_term(&mut self, state: &State, var: VarRef) -> Option<TermId> {
        let ty = self.register_type(state, var);
        let value = state.register(var)?.clone();
        Some(self.term_of(&value, ty))
    }

    pub fn register_type(&self, state: &State, var: VarRef) -> Ty {
        match var {
            VarRef::Global(var) => self.program.var(var).ty,
            VarRef::Local(var) => self.program.function(state.func()).var(var).ty,
        }
    }

    /// Puts a constant into a forgotten cell of its width. Whether there is one.
    pub fn set_forgotten(&self, state: &mut State, forgotten: &Changes, part: StatePart, constant: TermId) -> bool {
        let place = match part {
            StatePart::Register(_) => None,
            StatePart::Bytes(object, at) => self.named_object(state, object).map(|id| (id, at)),
            StatePart::Behind { pointer, through, at } => self.byte_behind(state, pointer, through, at),
        };
        let Some((id, at)) = place else { return false };
        if !forgotten.cells.contains_key(&(id, at)) || forgotten.whole.contains_key(&id) {
            return false;
        }
        let Some(Object { content, alive }) = state.memory.get(id.0).cloned() else { return false };
        let Content::Cells(cells) = &*content else { return false };
        let Some(cell) = cells.get(at) else { return false };
        let fits = self.terms.sort(constant) == sort_of(cell.ty, &self.program.target);
        if !fits || !matches!((&cell.value, cell.ty), (Value::Term(_), Ty::Int(_))) {
            return false;
        }
        let mut cells = cells.clone();
        cells.insert(at, Cell { value: Value::of_term(constant, &self.terms), ..cell.clone() });
        state.memory.set(id.0, Object { content: Arc::new(Content::Cells(cells)), alive });
        true
    }

    /// Adds what a value of a type points to.
    fn note_pointees_of(&mut self, head: &State, value: &Value, ty: Ty, pointees: &mut PointeeSet) {
        if ty != Ty::Ptr {
            pointees.mentions_address |= self.mentions_address(value);
            return;
        }
        let places = self.places(value);
        let number = places.iter().find(|place| place.object.is_none());
        let mut others = Vec::with_capacity(places.len());
        for place in places.iter() {
            match place.object {
                None if self.is_from_outside(place.offset) => pointees.is_outside = true,
                _ => others.push(*place),
            }
        }
        let is_own = others.iter().any(|place| place.object.is_none());
        pointees.mentions_address |=
            is_own && number.is_some_and(|place| self.mentions_address(&Value::Term(place.offset)));
        pointees.add(&others, &self.terms, &|object| self.is_there(head, object));
    }

    /// Whether an object is known at a loop's head, and may be alive.
    fn is_there(&self, head: &State, object: ObjId) -> bool {
        let is_known = (object.0 as usize) < self.objects.len();
        object == self.unknown || is_known && self.alive(head, object) != TermId::bool(false)
    }

    /// Any value of a type; a pointer is one of those seen.
    fn any(&mut self, head: &State, ty: Ty, pointees: &PointeeSet) -> Value {
        let sort = sort_of(ty, &self.program.target);
        if ty != Ty::Ptr {
            return Value::Term(self.arbitrary_symbol("any", sort, pointees.mentions_address));
        }
        let mut places = Vec::new();
        // What was known of other explorations may not be there in this one.
        let there: Vec<(ObjId, Option<u64>)> =
            pointees.objects.iter().map(|(o, at)| (*o, *at)).filter(|(o, _)| self.is_there(head, *o)).collect();
        let dead = pointees.is_dangling.then_some((self.dead, None));
        let unknown = pointees.mentions_address.then_some((self.unknown, None));
        for (object, offset) in there.into_iter().chain(dead).chain(unknown) {
            let offset = match offset {
                Some(offset) => self.offset_term(offset),
                None => self.terms.fresh_symbol("offset", sort),
            };
            places.push(Place { guard: TermId::bool(true), object: Some(object), offset });
        }
        let is_nothing = places.is_empty() && !pointees.is_outside;
        if pointees.is_null || pointees.is_number || is_nothing {
            let null = self.offset_term(0);
            let offset = if pointees.is_number { self.terms.fresh_symbol("any", sort) } else { null };
            places.push(Place { guard: TermId::bool(true), object: None, offset });
        }
        if pointees.is_outside {
            let offset = self.terms.fresh_symbol("outside", sort);
            self.note_outside(offset);
            places.push(Place { guard: TermId::bool(true), object: None, offset });
        }
        self.one_of(places)
    }

    /// Forgets what changes. What pointers point to now is remembered among the rest.
    pub fn forget(&mut self, state: &mut State, changes: &mut Changes) {
        for (var, pointees) in &mut changes.registers {
            let Some(value) = state.register(*var).cloned() else { continue };
            let ty = self.register_type(state, *var);
            self.note_pointees_of(state, &value, ty, pointees);
            let any = self.any(state, ty, pointees);
            state.set_register(*var, any);
        }
        for ((object, at), (ty, pointees)) in &mut changes.cells {
            let Some(mut found) = state.memory.get(object.0).cloned() else { continue };
            if changes.whole.contains_key(object) {
                continue;
            }
            match Arc::make_mut(&mut found.content) {
                Content::Cells(cells) => {
                    let value = self.cells_load(cells, *at, *ty);
                    self.note_pointees_of(state, &value, *ty, pointees);
                    let any = self.any(state, *ty, pointees);
                    self.cells_store(cells, *at, any, *ty);
                }
                Content::Array(_) => {
                    *changes.whole.entry(*object).or_default() |= pointees.points();
                }
            }
            state.memory.set(object.0, found);
        }
        for (object, holds_addresses) in &mut changes.whole {
            let Some(found) = state.memory.get(object.0).cloned() else { continue };
            *holds_addresses |= self.holds_addresses(&found.content);
            let content = match &*found.content {
                Content::Cells(_) => {
                    let region = self.new_arbitrary_region(*holds_addresses);
                    Content::Cells(Cells::filled(Fill::Region(region, 0)))
                }
                Content::Array(array) => {
                    let sort = self.terms.sort(array.array);
                    let mut array = array.clone();
                    array.array = self.arbitrary_symbol("any", sort, *holds_addresses);
                    array.holds_addresses |= *holds_addresses;
                    if *holds_addresses {
                        Arc::make_mut(&mut array.pointees).insert(self.unknown);
                    }
                    Content::Array(array)
                }
            };
            state.memory.set(object.0, Object { content: Arc::new(content), alive: found.alive });
        }
        for object in &changes.lives {
            let alive = self.terms.fresh_symbol("alive", Sort::Bool);
            if let Some(found) = state.memory.get_mut(object.0) {
                found.alive = alive;
            }
        }
    }

    /// Adds to the changes what differs between two states of the same activations at the same location. Registers that
    /// nobody will read do not count. Whether something was added.
    pub fn note_changes(
        &mut self,
        before: &State,
        after: &State,
        live: &Liveness,
        changes: &mut Changes,
    ) -> Result<bool, NewObjects> {
        let mut always = |_: &mut Sym<'p>, _| true;
        let question = &mut ChangeQuestion { about_scalars: false, is_feasible: &mut always };
        self.note_feasible_changes(before, after, live, changes, question)
    }

    /// The same, where a part has changed only if a run that changes it is feasible, for the parts that are asked about. The
    /// later state holds the values of infeasible paths too where it was joined from several.
    pub fn note_feasible_changes(
        &mut self,
        before: &State,
        after: &State,
        live: &Liveness,
        changes: &mut Changes,
        question: &mut ChangeQuestion<'_, 'p>,
    ) -> Result<bool, NewObjects> {
        // What other stacks have changed of their frames is not looked for.
        if before.stacks.is_some() || after.stacks.is_some() {
            return Err(NewObjects);
        }
        let known = changes.clone();
        let globals: Vec<u32> = before.globals.unshared(&after.globals).collect();
        for at in globals {
            self.note_register(before, after, VarRef::Global(GlobalVar(at)), changes, question);
        }
        let locals: Vec<u32> = before.frame().registers.unshared(&after.frame().registers).collect();
        for at in locals {
            let var = VarRef::Local(LocalVar(at));
            if live.is_live(before.loc, var) {
                self.note_register(before, after, var, changes, question);
            }
        }
        let objects: Vec<u32> = before.memory.unshared(&after.memory).collect();
        for at in objects {
            match (before.memory.get(at), after.memory.get(at)) {
                (Some(x), Some(y)) => {
                    if x.alive != y.alive {
                        changes.lives.insert(ObjId(at));
                    }
                    if !Arc::ptr_eq(&x.content, &y.content) {
                        self.note_content(before, ObjId(at), (&x.content, &y.content), changes, question);
                    }
                }
                (None, Some(new)) if new.alive != TermId::bool(false) => return Err(NewObjects),
                (Some(old), None) if old.alive != TermId::bool(false) => return Err(NewObjects),
                (None, Some(_)) | (Some(_), None) | (None, None) => {}
            }
        }
        Ok(*changes != known)
    }

    fn note_register(
        &mut self,
        head: &State,
        after: &State,
        var: VarRef,
        changes: &mut Changes,
        question: &mut ChangeQuestion<'_, 'p>,
    ) {
        let (before, Some(after)) = (head.register(var), after.register(var)) else { return };
        if before == Some(after) {
            return;
        }
        let ty = self.register_type(head, var);
        if before.is_none_or(|before| self.may_differ(before, after, ty, question)) {
            self.note_pointees_of(head, after, ty, changes.registers.entry(var).or_default());
        }
    }

    /// Whether a part that has another value in a later state may really differ, as far as that is asked.
    fn may_differ(&mut self, before: &Value, after: &Value, ty: Ty, question: &mut ChangeQuestion<'_, 'p>) -> bool {
        let differs = match ty {
            Ty::Ptr => self.pointers_differ(before, after),
            _ if question.about_scalars => {
                // By their patterns: terms of two NaNs are equal whose patterns are not.
                let (before, after) = (self.bits_of(before, ty), self.bits_of(after, ty));
                let same = self.terms.eq(before, after);
                self.terms.not(same)
            }
            _ => return true,
        };
        (question.is_feasible)(self, differs)
    }

    /// When two pointers do not point to the same place of the same object.
    fn pointers_differ(&mut self, a: &Value, b: &Value) -> TermId {
        let mut differ = Vec::new();
        for (both, x, y) in self.pairs(a, b) {
            differ.push(if x.object == y.object {
                let other = self.terms.ne(x.offset, y.offset);
                self.terms.and(both, other)
            } else {
                both
            });
        }
        self.terms.or_all(differ)
    }

    fn note_content(
        &mut self,
        head: &State,
        object: ObjId,
        (before, after): (&Content, &Content),
        changes: &mut Changes,
        question: &mut ChangeQuestion<'_, 'p>,
    ) {
        match (before, after) {
            (Content::Cells(x), Content::Cells(y)) if x.pieces() == y.pieces() => {
                for at in x.unshared(y) {
                    match y.get(at) {
                        Some(b) if is_comparable(x, at, b) => {
                            let old = self.cells_load(x, at, b.ty);
                            if old != b.value && self.may_differ(&old, &b.value, b.ty, question) {
                                self.note_cell(head, object, at, b.clone(), changes);
                            }
                        }
                        None if x.get(at).is_none() => {}
                        Some(_) | None => {
                            if self.may_bytes_differ(x, y, at, question) {
                                self.note_whole(object, after, changes);
                            }
                        }
                    }
                }
            }
            (Content::Array(x), Content::Array(y)) if x.array == y.array => {}
            (Content::Cells(x), Content::Cells(y)) if self.note_bytes(head, object, (x, y), changes, question) => {}
            (Content::Cells(_) | Content::Array(_), Content::Cells(_) | Content::Array(_)) => {
                self.note_whole(object, after, changes);
            }
        }
        // What was forgotten as a whole may hold addresses now.
        if changes.whole.get(&object) == Some(&false) {
            self.note_whole(object, after, changes);
        }
    }

    /// Whether bytes may really differ that two contents have in cells of other sizes, as far as that is asked: those of the
    /// cells that begin at an offset. A write through a pointer with several places cuts cells that it never reaches.
    fn may_bytes_differ(&mut self, x: &Cells, y: &Cells, at: u64, question: &mut ChangeQuestion<'_, 'p>) -> bool {
        if !question.about_scalars {
            return true;
        }
        let types: Vec<Ty> = [x.get(at), y.get(at)].into_iter().flatten().map(|cell| cell.ty).collect();
        types.into_iter().any(|ty| {
            let (old, new) = (self.cells_load(x, at, ty), self.cells_load(y, at, ty));
            old != new && self.may_differ(&old, &new, ty, question)
        })
    }

    /// Notes what may really differ between two contents of an object with other fills, as far as that is asked: a copy of
    /// whole structures on a path that no run takes has put them there. Whether it was told so: larger contents are not
    /// compared, nor are those with addresses, since equal bytes may be pointers into different objects.
    fn note_bytes(
        &mut self,
        head: &State,
        object: ObjId,
        (x, y): (&Cells, &Cells),
        changes: &mut Changes,
        question: &mut ChangeQuestion<'_, 'p>,
    ) -> bool {
        let size = self.objects[object].const_size().filter(|size| *size <= MOST_COMPARED_BYTES);
        let Some(size) = size.filter(|_| question.about_scalars) else { return false };
        if self.cells_hold_addresses(x) || self.cells_hold_addresses(y) {
            return false;
        }
        let mut at = 0;
        while at < size {
            // Pointers are no addresses here: joined contents have covered bytes with them.
            let is_shared = |cell: &&Cell| cell.ty != Ty::Ptr && is_comparable(x, at, cell);
            let ty = y.get(at).filter(is_shared).map_or(Ty::Int(8), |cell| cell.ty);
            let (old, new) = (self.cells_load(x, at, ty), self.cells_load(y, at, ty));
            let width = ty.bytes(&self.program.target);
            if old != new && self.may_differ(&old, &new, ty, question) {
                self.note_cell(head, object, at, Cell { value: new, ty, size: width }, changes);
            }
            at += width;
        }
        true
    }

    fn note_whole(&mut self, object: ObjId, content: &Content, changes: &mut Changes) {
        changes.add_whole(object, self.holds_addresses(content));
    }

    /// Whether a content has addresses of objects in it, or may have some.
    pub(crate) fn holds_addresses(&self, content: &Content) -> bool {
        match content {
            Content::Array(array) => {
                let number = Value::Term(array.array);
                !array.pointees.is_empty() || self.mentions_address(&number)
            }
            Content::Cells(cells) => self.cells_hold_addresses(cells),
        }
    }

    fn cells_hold_addresses(&self, cells: &Cells) -> bool {
        let is_address = |fill: &Fill| match fill {
            Fill::Byte(_) => false,
            Fill::Initial(object, _) => self.program.object(*object).holds_addresses(),
            Fill::Region(region, _) => self.region(*region).may_hold_pointers,
        };
        cells.pieces().iter().any(|(_, fill)| is_address(fill))
            || cells.all().any(|(_, cell)| self.mentions_address(&cell.value))
    }

    fn note_cell(&mut self, head: &State, object: ObjId, at: u64, cell: Cell, changes: &mut Changes) {
        let mut pointees = PointeeSet::default();
        self.note_pointees_of(head, &cell.value, cell.ty, &mut pointees);
        changes.add_cell((object, at), cell.ty, &pointees);
    }
}

/// Whether cells have one where another content has a cell, or nothing there at all.
fn is_comparable(cells: &Cells, at: u64, other: &Cell) -> bool {
    match cells.get(at) {
        Some(cell) => cell.size == other.size,
        None => cells.touching(at, at + other.size).next().is_none(),
    }
}
