//! Pointers as objects and offsets.
//!
//! A pointer is a list of guarded places, mostly one. Arithmetic moves offsets, comparisons look at objects first; what
//! number an address is matters only to programs that ask. For those an object has a symbol for its address, of which no
//! more is known than what every machine grants ([`Sym::base`]), so that what is proved holds for every layout. Bytes of
//! different objects have different addresses, but an object may begin where another ends, and a compiler may keep
//! several read-only objects as one. What a comparison with a pointer to a dead object gives is not known in C: it is
//! a fault, unless the other one is null ([`Sym::stale`]).

use crate::memory::ObjectKind;
use crate::state::State;
use crate::sym::Sym;
use crate::value::{ObjId, Place, Value};
use plumb_ir::program::foreign_addresses;
use plumb_ir::ty::Bits;
use plumb_term::{BinaryOp, Kind, Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;

/// Operators of a sum that are looked through for an object's address, and alternatives.
const DEEPEST: u32 = 6;
/// The lowest and highest bytes of the address space belong to no object.
const GUARD_PAGE: u128 = 4096;
/// An object of unknown size is known to be disjoint from others if it does not have more than such a part of all addresses.
const SHARE: u128 = 4096;

/// When a comparison has a pointer to a dead object in it.
pub(crate) struct Stale {
    pub certain: TermId,
    pub unclear: TermId,
}

/// What is known of addresses as numbers.
#[derive(Default)]
pub(crate) struct Addresses {
    /// The symbols of objects' addresses.
    pub bases: FxHashMap<TermId, ObjId>,
    /// Symbols for arbitrary values that may be addresses of objects, or parts of addresses.
    pub possible: FxHashSet<TermId>,
    /// Objects whose addresses are known to be disjoint from each other under a condition, and how many bytes they need.
    disjoint: Vec<(ObjId, TermId)>,
    disjoint_bytes: u128,
    /// Pointers from outside: inputs, and what was read from memory from outside.
    pub outside: FxHashSet<TermId>,
    /// Terms in which a symbol of an address occurs, or not, as far as they were asked about. What is below a term never changes.
    mentions: RefCell<FxHashMap<TermId, bool>>,
    /// What numbers point to, as far as they were asked about.
    decoded: FxHashMap<TermId, Arc<[Place]>>,
}

impl Sym<'_> {
    pub fn pointer_width(&self) -> u32 {
        self.program.target.pointer_bits()
    }

    pub(crate) fn offset_term(&mut self, offset: u64) -> TermId {
        self.terms.bv(self.pointer_width(), offset as u128)
    }

    /// So many bytes at the beginning and at the end of the address space belong to no object.
    pub(crate) fn guard_page(&self) -> u128 {
        if self.pointer_width() >= 32 { GUARD_PAGE } else { 1 }
    }

    fn wrapped(&self, offset: u64) -> u64 {
        Bits::new(offset as u128, self.pointer_width()).u64()
    }

    /// The places that a pointer stands for.
    pub fn places(&mut self, pointer: &Value) -> Arc<[Place]> {
        let always = TermId::bool(true);
        match pointer {
            Value::Const(bits) => {
                let offset = self.terms.bv(self.pointer_width(), bits.u128());
                Arc::new([Place { guard: always, object: None, offset }])
            }
            Value::Addr(object, offset) => {
                let offset = self.offset_term(*offset);
                Arc::new([Place { guard: always, object: Some(*object), offset }])
            }
            Value::Pointer(places) => places.clone(),
            Value::Term(term) => {
                if let Some(places) = self.addresses.decoded.get(term) {
                    return places.clone();
                }
                let mut places = Vec::new();
                self.decode(*term, always, DEEPEST, &mut places);
                let places: Arc<[Place]> = merged(places, self).into();
                self.addresses.decoded.insert(*term, places.clone());
                places
            }
        }
    }

    /// Finds the objects whose addresses a number was computed from.
    fn decode(&mut self, term: TermId, guard: TermId, depth: u32, out: &mut Vec<Place>) {
        if let Kind::Ite(cond, a, b) = self.terms.kind(term)
            && depth > 0
            && self.mentions_base(term, depth)
        {
            let yes = self.terms.and(guard, cond);
            let cond = self.terms.not(cond);
            let no = self.terms.and(guard, cond);
            self.decode(a, yes, depth - 1, out);
            self.decode(b, no, depth - 1, out);
            return;
        }
        let place = match self.find_base(term, depth) {
            Some(object) => {
                let base = self.base(object);
                Place { guard, object: Some(object), offset: self.terms.bv_sub(term, base) }
            }
            None => Place { guard, object: None, offset: term },
        };
        out.push(place);
    }

    fn mentions_base(&self, term: TermId, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        match self.terms.kind(term) {
            Kind::Ite(_, a, b) => self.mentions_base(a, depth - 1) || self.mentions_base(b, depth - 1),
            _ => self.find_base(term, depth).is_some(),
        }
    }

    /// The one object whose address is a summand.
    fn find_base(&self, term: TermId, depth: u32) -> Option<ObjId> {
        if let Some(object) = self.addresses.bases.get(&term) {
            return Some(*object);
        }
        if self.addresses.possible.contains(&term) {
            return Some(self.unknown);
        }
        match self.terms.kind(term) {
            Kind::Binary(BinaryOp::BvAdd, a, b) if depth > 0 => {
                match (self.find_base(a, depth - 1), self.find_base(b, depth - 1)) {
                    (Some(object), None) | (None, Some(object)) => Some(object),
                    (Some(_), Some(_)) | (None, None) => None,
                }
            }
            Kind::Binary(BinaryOp::BvSub, a, b) if depth > 0 && self.find_base(b, depth - 1).is_none() => {
                self.find_base(a, depth - 1)
            }
            _ => None,
        }
    }

    /// A pointer from its places.
    pub(crate) fn of_places(&mut self, places: Vec<Place>) -> Value {
        let places = merged(places, self);
        match places[..] {
            [Place { object: None, offset, .. }] => Value::of_term(offset, &self.terms),
            [Place { object: Some(object), offset, .. }] => match self.terms.as_u64(offset) {
                Some(offset) => Value::Addr(object, offset),
                None => Value::Pointer(places.into()),
            },
            // Only numbers: a number.
            _ if places.iter().all(|p| p.object.is_none()) => {
                let number = self.address_of_places(&places);
                Value::of_term(number, &self.terms)
            }
            _ => Value::Pointer(places.into()),
        }
    }

    /// The address as a number.
    pub fn address(&mut self, pointer: &Value) -> TermId {
        match pointer {
            Value::Term(term) => *term,
            Value::Const(_) | Value::Addr(..) | Value::Pointer(_) => {
                let places = self.places(pointer);
                self.address_of_places(&places)
            }
        }
    }

    fn address_of_places(&mut self, places: &[Place]) -> TermId {
        let mut result = None;
        for place in places.iter().rev() {
            let number = match place.object {
                Some(object) => {
                    let base = self.base(object);
                    self.terms.bv_add(base, place.offset)
                }
                None => place.offset,
            };
            result = Some(match result {
                Some(rest) => self.terms.ite(place.guard, number, rest),
                None => number,
            });
        }
        result.unwrap_or_else(|| self.offset_term(0))
    }

    /// The symbol for an object's address. What is known of it becomes an axiom: it is aligned, the object lies in the
    /// address space without its first and last page, outside of devices and of memory from outside, and it shares nothing with others that live as long as there is
    /// room. Of two objects that come and go that is known only where both are alive ([`Sym::know_disjoint`]).
    pub(crate) fn base(&mut self, object: ObjId) -> TermId {
        if let Some(base) = self.objects[object].base {
            return base;
        }
        let (width, program) = (self.pointer_width(), self.program);
        let name = format!("&{}#{}", self.objects[object].name, object.0);
        let base = self.terms.fresh_symbol(&name, Sort::Bv(width));
        let others = self.addresses.disjoint.clone();
        self.objects[object].base = Some(base);
        self.addresses.bases.insert(base, object);
        if self.foreign() == Some(object) {
            let start = self.offset_term(foreign_addresses(&self.program.target).start);
            let is_there = self.terms.eq(base, start);
            self.axioms.push(is_there);
            return base;
        }
        let align = self.objects[object].align.max(1).trailing_zeros();
        if align > 0 {
            let low = self.terms.extract(base, align - 1, 0);
            let zero = self.terms.bv(align, 0);
            let aligned = self.terms.eq(low, zero);
            self.axioms.push(aligned);
        }
        // User programs do not get the upper half of 64 bits.
        let space: u128 = if width == 64 { 1 << 47 } else { 1 << width };
        let guard = self.guard_page();
        let end = self.end_of(object);
        let (lowest, highest) = (self.terms.bv(width, guard), self.terms.bv(width, space - guard));
        let bounds = [self.terms.bv_ule(lowest, base), self.terms.bv_ule(base, end), self.terms.bv_ule(end, highest)];
        self.axioms.extend(bounds);
        // Code may have an address space of its own.
        let is_code = matches!(self.objects[object].kind, ObjectKind::Function(_));
        let foreign = program.foreign_memory().map(|_| foreign_addresses(&program.target));
        let devices = program.devices.iter().filter(|_| !is_code).map(|device| device.start..device.end);
        for range in devices.chain(foreign) {
            let (start, behind) = (self.terms.bv(width, range.start.into()), self.terms.bv(width, range.end.into()));
            // Strictly: a pointer just past the object is not there either.
            let before = self.terms.bv_ult(end, start);
            let after = self.terms.bv_ule(behind, base);
            let disjoint = self.terms.or(before, after);
            self.axioms.push(disjoint);
        }
        let Some(small) = self.is_small(object, space) else { return base };
        for (other, other_small) in others {
            // Literals may be kept as one.
            let is_constant = |object: ObjId| self.objects[object].may_be_shared();
            if is_constant(object) && is_constant(other) || self.has_lifetime(object) && self.has_lifetime(other) {
                continue;
            }
            let disjoint = self.are_disjoint(object, other);
            let small = self.terms.and(small, other_small);
            let disjoint = self.terms.implies(small, disjoint);
            self.axioms.push(disjoint);
        }
        self.addresses.disjoint.push((object, small));
        base
    }

    /// Whether an object does not live as long as the program.
    fn has_lifetime(&self, object: ObjId) -> bool {
        matches!(self.objects[object].kind, ObjectKind::Local | ObjectKind::Heap)
    }

    /// That two objects have no byte at the same address.
    fn are_disjoint(&mut self, a: ObjId, b: ObjId) -> TermId {
        let (base_a, base_b) = (self.base(a), self.base(b));
        let (end_a, end_b) = (self.end_of(a), self.end_of(b));
        let before = self.terms.bv_ule(end_a, base_b);
        let after = self.terms.bv_ule(end_b, base_a);
        self.terms.or(before, after)
    }

    /// Notes that two objects are disjoint if both are alive in a state.
    pub(crate) fn know_disjoint(&mut self, state: &State, a: ObjId, b: ObjId) {
        if a == b || !(self.has_lifetime(a) && self.has_lifetime(b)) {
            return;
        }
        let disjoint = self.are_disjoint(a, b);
        let (a, b) = (self.alive(state, a), self.alive(state, b));
        let both = self.terms.and_all([state.path.term(), a, b]);
        let known = self.terms.implies(both, disjoint);
        if known != TermId::bool(true) {
            self.axioms.push(known);
        }
    }

    /// The condition under which there is certainly room for an object beside the others that are disjoint. Objects that are
    /// gone are among them, so that all of them together may need more than there is: then it may be anywhere.
    fn is_small(&mut self, object: ObjId, space: u128) -> Option<TermId> {
        let info = &self.objects[object];
        let most = info.const_size().map_or(space / SHARE, u128::from);
        let needed = self.addresses.disjoint_bytes + most + info.align as u128 + 1;
        if needed > space / 4 {
            return None;
        }
        self.addresses.disjoint_bytes = needed;
        if info.const_size().is_some() {
            return Some(TermId::bool(true));
        }
        let size = self.size_term(object);
        let most = self.terms.bv(self.pointer_width(), most);
        Some(self.terms.bv_ule(size, most))
    }

    /// The address behind an object that has a symbol.
    fn end_of(&mut self, object: ObjId) -> TermId {
        let (base, size) = (self.objects[object].base, self.size_term(object));
        base.map_or(size, |base| self.terms.bv_add(base, size))
    }

    /// The pointer moved by a number of bytes.
    pub(crate) fn pointer_add(&mut self, pointer: &Value, by: &Value) -> Value {
        match (pointer, by) {
            (Value::Addr(object, offset), Value::Const(by)) => {
                Value::Addr(*object, self.wrapped(offset.wrapping_add(by.u64())))
            }
            (Value::Const(a), Value::Const(b)) => {
                Value::Const(Bits::new(a.u128().wrapping_add(b.u128()), self.pointer_width()))
            }
            (Value::Term(_) | Value::Pointer(_) | Value::Addr(..) | Value::Const(_), by) => {
                let by = self.address(by);
                let mut places = self.places(pointer).to_vec();
                for place in &mut places {
                    place.offset = self.terms.bv_add(place.offset, by);
                }
                self.of_places(places)
            }
        }
    }

    /// Bytes from the second pointer to the first.
    pub(crate) fn pointer_diff(&mut self, a: &Value, b: &Value) -> Value {
        let result = self.over_pairs(a, b, |sym, x, y| {
            if x.object == y.object {
                return sym.terms.bv_sub(x.offset, y.offset);
            }
            let (x, y) = (sym.address_of_places(&[x]), sym.address_of_places(&[y]));
            sym.terms.bv_sub(x, y)
        });
        Value::of_term(result, &self.terms)
    }

    pub(crate) fn pointer_eq(&mut self, a: &Value, b: &Value) -> TermId {
        self.over_pairs(a, b, |sym, x, y| match (x.object, y.object) {
            (x_object, y_object) if x_object == y_object => sym.terms.eq(x.offset, y.offset),
            (Some(a), Some(b)) => sym.are_at_one(a, x.offset, b, y.offset),
            (Some(object), None) => sym.is_at(object, x.offset, y.offset),
            (None, Some(object)) => sym.is_at(object, y.offset, x.offset),
            (None, None) => sym.terms.eq(x.offset, y.offset),
        })
    }

    /// Whether places in different objects have the same address.
    fn are_at_one(&mut self, a: ObjId, x: TermId, b: ObjId, y: TermId) -> TermId {
        let constant = |sym: &Self, object: ObjId| sym.objects[object].may_be_shared();
        let (inner_x, inner_y) = (self.is_byte_of(a, x), self.is_byte_of(b, y));
        let inner = self.terms.and(inner_x, inner_y);
        let must_differ = !(constant(self, a) && constant(self, b));
        if must_differ && inner == TermId::bool(true) {
            return TermId::bool(false);
        }
        let (base_a, base_b) = (self.base(a), self.base(b));
        let (at_a, at_b) = (self.terms.bv_add(base_a, x), self.terms.bv_add(base_b, y));
        let same = self.terms.eq(at_a, at_b);
        if !must_differ {
            return same;
        }
        let edge = self.terms.not(inner);
        self.terms.and(same, edge)
    }

    fn is_byte_of(&mut self, object: ObjId, offset: TermId) -> TermId {
        let last = self.objects[object].const_size().and_then(|size| size.checked_sub(1));
        if last.is_some_and(|last| self.never_exceeds(offset, last)) {
            return TermId::bool(true);
        }
        let size = self.size_term(object);
        self.terms.bv_ult(offset, size)
    }

    /// Whether an offset is at most a limit, as far as the constants that it is made of tell.
    pub(crate) fn never_exceeds(&mut self, offset: TermId, limit: u64) -> bool {
        self.strides.of(offset, &self.terms).most() <= limit
    }

    /// Whether two pointers into an object may be pointers into different ones.
    pub(crate) fn stands_for_several(&self, object: ObjId) -> bool {
        object == self.dead || object == self.unknown
    }

    /// Whether a value was computed from the address of an object, or may have been.
    pub(crate) fn mentions_address(&self, value: &Value) -> bool {
        let term = match value {
            Value::Const(_) => return false,
            Value::Addr(..) | Value::Pointer(_) => return true,
            Value::Term(term) => *term,
        };
        if self.addresses.bases.is_empty() && self.addresses.possible.is_empty() {
            return false;
        }
        let mut known = self.addresses.mentions.borrow_mut();
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if known.contains_key(&next) {
                open.pop();
                continue;
            }
            let is_address = self.addresses.bases.contains_key(&next) || self.addresses.possible.contains(&next);
            let mut is_below = is_address;
            let before = open.len();
            if !is_address {
                for operand in self.terms.kind(next).operands() {
                    match known.get(&operand) {
                        Some(mentions) => is_below |= mentions,
                        None => open.push(operand),
                    }
                }
            }
            if open.len() == before || is_below {
                open.truncate(before - 1);
                known.insert(next, is_below);
            }
        }
        known.get(&term).copied().unwrap_or(false)
    }

    /// A symbol for an arbitrary value of a sort, and whether that may be an address, or a part of one.
    pub(crate) fn arbitrary_symbol(&mut self, name: &str, sort: Sort, may_be_address: bool) -> TermId {
        let symbol = self.terms.fresh_symbol(name, sort);
        if may_be_address {
            self.addresses.possible.insert(symbol);
        }
        symbol
    }

    /// A pointer that is one of several places, whichever. At least one is given.
    pub(crate) fn one_of(&mut self, mut places: Vec<Place>) -> Value {
        let which = self.terms.fresh_symbol("which", Sort::Bv(32));
        let mut others = TermId::bool(true);
        let count = places.len();
        for (i, place) in places.iter_mut().enumerate() {
            if i + 1 == count {
                place.guard = others;
                break;
            }
            let code = self.terms.bv(32, i as u128);
            place.guard = self.terms.eq(which, code);
            let not = self.terms.not(place.guard);
            others = self.terms.and(others, not);
        }
        self.of_places(places)
    }

    /// When two pointers that are compared point to different objects of which one is dead, and when nobody knows whether they
    /// do.
    pub(crate) fn stale(&mut self, state: &State, a: &Value, b: &Value) -> Stale {
        let mut found = Stale { certain: TermId::bool(false), unclear: TermId::bool(false) };
        if a.as_const().is_some() || b.as_const().is_some() {
            return found;
        }
        for (both, x, y) in self.pairs(a, b) {
            let is_one = x.object.is_none_or(|object| !self.stands_for_several(object));
            let is_null = |p: &Place| p.object.is_none() && self.terms.as_u64(p.offset) == Some(0);
            if x.object == y.object && is_one || is_null(&x) || is_null(&y) {
                continue;
            }
            if x.object == y.object || [x.object, y.object].contains(&Some(self.unknown)) {
                found.unclear = self.terms.or(found.unclear, both);
                continue;
            }
            for object in [x.object, y.object].into_iter().flatten() {
                let alive = self.alive(state, object);
                let dead = self.terms.not(alive);
                let here = self.terms.and(both, dead);
                found.certain = self.terms.or(found.certain, here);
            }
        }
        found
    }

    /// Whether the byte at an offset of an object has that address.
    fn is_at(&mut self, object: ObjId, offset: TermId, number: TermId) -> TermId {
        let is_null = self.terms.as_u64(number) == Some(0);
        let within = if is_null { self.within(object, offset) } else { TermId::bool(false) };
        // No object is at null, nor has it a byte there, nor does it end there.
        if within == TermId::bool(true) {
            return TermId::bool(false);
        }
        let base = self.base(object);
        let address = self.terms.bv_add(base, offset);
        let same = self.terms.eq(address, number);
        let elsewhere = self.terms.not(within);
        self.terms.and(same, elsewhere)
    }

    /// Whether the first address is smaller, or (with `or_equal`) not greater.
    pub(crate) fn pointer_less(&mut self, a: &Value, b: &Value, or_equal: bool) -> TermId {
        self.over_pairs(a, b, |sym, x, y| {
            let by_address = |sym: &mut Self| {
                let (x, y) = (sym.address_of_places(&[x]), sym.address_of_places(&[y]));
                sym.less(x, y, or_equal)
            };
            let Some(object) = x.object.filter(|_| x.object == y.object) else { return by_address(sym) };
            let (first, second) = (sym.within(object, x.offset), sym.within(object, y.offset));
            let within = sym.terms.and(first, second);
            let inner = sym.less(x.offset, y.offset, or_equal);
            if within == TermId::bool(true) {
                return inner;
            }
            let outer = by_address(sym);
            sym.terms.ite(within, inner, outer)
        })
    }

    fn less(&mut self, x: TermId, y: TermId, or_equal: bool) -> TermId {
        if or_equal { self.terms.bv_ule(x, y) } else { self.terms.bv_ult(x, y) }
    }

    /// The value of an operator on two pointers by pairs of places.
    fn over_pairs(&mut self, a: &Value, b: &Value, mut f: impl FnMut(&mut Self, Place, Place) -> TermId) -> TermId {
        let mut result: Option<TermId> = None;
        for (guard, x, y) in self.pairs(a, b) {
            let value = f(self, x, y);
            result = Some(result.map_or(value, |rest| self.terms.ite(guard, value, rest)));
        }
        // The guards of one pointer cover all cases, so there is a pair.
        result.unwrap_or(TermId::bool(false))
    }

    /// The pairs of places that two pointers can have together, each with the condition.
    pub(crate) fn pairs(&mut self, a: &Value, b: &Value) -> Vec<(TermId, Place, Place)> {
        let (a, b) = (self.places(a), self.places(b));
        let mut pairs = Vec::with_capacity(a.len() * b.len());
        for x in a.iter() {
            pairs.extend(b.iter().map(|y| (self.terms.and(x.guard, y.guard), *x, *y)));
        }
        pairs.retain(|(both, ..)| *both != TermId::bool(false));
        pairs
    }
}

/// Places without those that cannot be, and with one for each object. There is always one left.
fn merged(places: Vec<Place>, sym: &mut Sym) -> Vec<Place> {
    let mut result: Vec<Place> = Vec::with_capacity(places.len());
    let fallback = places.first().copied();
    for place in places {
        if place.guard == TermId::bool(false) {
            continue;
        }
        match result.iter_mut().find(|p| p.object == place.object) {
            Some(same) => {
                same.offset = sym.terms.ite(place.guard, place.offset, same.offset);
                same.guard = sym.terms.or(same.guard, place.guard);
            }
            None => result.push(place),
        }
    }
    if result.is_empty() {
        result.extend(fallback);
    }
    if let [only] = &mut result[..] {
        only.guard = TermId::bool(true);
    }
    result
}
