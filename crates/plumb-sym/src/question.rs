//! What checks ask about memory.

use crate::memory::{Content, ObjectKind};
use crate::state::{Frame, State};
use crate::sym::Sym;
use crate::value::{ObjId, Place, Value};
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::expr::LeakRoots;
use plumb_ir::program::{FuncId, Lifetime, LocalVar};
use plumb_term::cone;
use plumb_term::{Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// With more heap objects, leaks are beyond us.
const MOST_HEAP_OBJECTS: usize = 24;

impl Sym<'_> {
    /// Whether an object is alive.
    pub(crate) fn alive(&self, state: &State, object: ObjId) -> TermId {
        if matches!(self.objects[object].kind, ObjectKind::Function(_)) {
            return TermId::bool(true);
        }
        state.memory.get(object.0).map_or(TermId::bool(false), |found| found.alive)
    }

    /// An object's size as a term.
    pub(crate) fn size_term(&mut self, object: ObjId) -> TermId {
        let size = self.objects[object].size.clone();
        self.address(&size)
    }

    /// Whether so many bytes from an offset on lie inside of a living object.
    fn inside(&mut self, state: &State, object: ObjId, offset: TermId, size: TermId, write: bool) -> TermId {
        let info = &self.objects[object];
        if matches!(info.kind, ObjectKind::Function(_)) || write && info.read_only {
            return TermId::bool(false);
        }
        let alive = self.alive(state, object);
        let whole = self.size_term(object);
        let last = self.terms.bv_sub(whole, size);
        let fits = self.terms.bv_ule(size, whole);
        let before = self.terms.bv_ule(offset, last);
        self.terms.and_all([alive, fits, before])
    }

    /// Whether all bytes from `addr` on, which was computed from `base`, are inside of the object at `base`.
    pub(crate) fn in_bounds(&mut self, state: &State, base: &Value, addr: &Value, size: &Value, write: bool) -> Value {
        let size = self.address(size);
        let mut good = TermId::bool(false);
        for (both, base, place) in self.pairs(base, addr) {
            let Some(object) = place.object.filter(|object| base.object.is_none_or(|base| base == *object)) else {
                continue;
            };
            let inside = self.inside(state, object, place.offset, size, write);
            let here = self.terms.and(both, inside);
            good = self.terms.or(good, here);
        }
        Value::of_term(good, &self.terms)
    }

    /// Whether some place of a pointer satisfies a condition.
    fn any_place(&mut self, pointer: &Value, mut f: impl FnMut(&mut Self, Place) -> TermId) -> Value {
        let places = self.places(pointer);
        let mut result = TermId::bool(false);
        for place in places.iter() {
            let holds = f(self, *place);
            let here = self.terms.and(place.guard, holds);
            result = self.terms.or(result, here);
        }
        Value::of_term(result, &self.terms)
    }

    fn is_zero(&mut self, term: TermId) -> TermId {
        let zero = self.terms.bv(self.terms.width(term), 0);
        self.terms.eq(term, zero)
    }

    pub(crate) fn callable(&mut self, pointer: &Value, like: FuncId) -> Value {
        let program = self.program;
        let wanted = program.function(like);
        self.any_place(pointer, |sym, place| {
            let Some(object) = place.object else { return TermId::bool(false) };
            let ObjectKind::Function(func) = sym.objects[object].kind else { return TermId::bool(false) };
            let function = program.function(func);
            let same = function.params().iter().map(|p| p.ty).eq(wanted.params().iter().map(|p| p.ty))
                && function.ret == wanted.ret;
            if same { sym.is_zero(place.offset) } else { TermId::bool(false) }
        })
    }

    /// Null, or the start of a living heap object.
    pub(crate) fn freeable(&mut self, state: &State, pointer: &Value) -> Value {
        self.any_place(pointer, |sym, place| {
            let first = sym.is_zero(place.offset);
            match place.object {
                None => first,
                Some(object) if sym.objects[object].kind == ObjectKind::Heap => {
                    let alive = sym.alive(state, object);
                    sym.terms.and(first, alive)
                }
                Some(_) => TermId::bool(false),
            }
        })
    }

    /// Whether the offset is of a byte of the object, or just behind it.
    pub(crate) fn within(&mut self, object: ObjId, offset: TermId) -> TermId {
        let size = self.objects[object].const_size();
        if size.is_some_and(|size| self.never_exceeds(offset, size)) {
            return TermId::bool(true);
        }
        let whole = self.size_term(object);
        self.terms.bv_ule(offset, whole)
    }

    pub(crate) fn points_to_life(&mut self, state: &State, pointer: &Value) -> Value {
        self.any_place(pointer, |sym, place| match place.object {
            Some(object) => {
                let (alive, within) = (sym.alive(state, object), sym.within(object, place.offset));
                sym.terms.and(alive, within)
            }
            None => TermId::bool(false),
        })
    }

    pub(crate) fn same_object(&mut self, state: &State, a: &Value, b: &Value) -> Value {
        let others = self.places(b);
        self.any_place(a, |sym, x| {
            let mut result = TermId::bool(false);
            let Some(object) = x.object else { return result };
            for y in others.iter().filter(|y| y.object == Some(object)) {
                let parts =
                    [y.guard, sym.alive(state, object), sym.within(object, x.offset), sym.within(object, y.offset)];
                let here = sym.terms.and_all(parts);
                result = sym.terms.or(result, here);
            }
            result
        })
    }

    pub(crate) fn object_offset(&mut self, state: &State, pointer: &Value) -> Value {
        self.of_live_object(state, pointer, |_, _, offset| offset)
    }

    pub(crate) fn bytes_left(&mut self, state: &State, pointer: &Value) -> Value {
        self.of_live_object(state, pointer, |sym, object, offset| {
            let whole = sym.size_term(object);
            sym.terms.bv_sub(whole, offset)
        })
    }

    /// A number about the live object that a pointer points into, and its offset there; 0 where there is none.
    fn of_live_object(
        &mut self,
        state: &State,
        pointer: &Value,
        number: impl Fn(&mut Self, ObjId, TermId) -> TermId,
    ) -> Value {
        let mut result = self.offset_term(0);
        for place in self.places(pointer).iter() {
            let Some(object) = place.object else { continue };
            let parts = [place.guard, self.alive(state, object), self.within(object, place.offset)];
            let here = self.terms.and_all(parts);
            let number = number(self, object, place.offset);
            result = self.terms.ite(here, number, result);
        }
        Value::of_term(result, &self.terms)
    }

    fn heap_objects(&self, state: &State) -> Vec<(ObjId, TermId)> {
        let heap = |at: u32| self.objects[ObjId(at)].kind == ObjectKind::Heap;
        let objects = state.memory.iter().filter(|(at, found)| heap(*at) && found.alive != TermId::bool(false));
        objects.map(|(at, found)| (ObjId(at), found.alive)).collect()
    }

    pub(crate) fn heap_empty(&mut self, state: &mut State) -> Value {
        if state.has_unnamed_heap {
            self.doubt(state, TermId::bool(true));
        }
        let mut empty = TermId::bool(true);
        for (_, alive) in self.heap_objects(state) {
            let dead = self.terms.not(alive);
            empty = self.terms.and(empty, dead);
        }
        Value::of_term(empty, &self.terms)
    }

    /// Every living heap object can be reached from a global or from the roots in active calls.
    pub(crate) fn no_leak(&mut self, state: &mut State, from: LeakRoots) -> Value {
        let heap = self.heap_objects(state);
        if state.has_unnamed_heap {
            self.give_up(state, TermId::bool(true));
            return Value::TRUE;
        }
        if heap.is_empty() {
            return Value::TRUE;
        }
        let arrays = state
            .memory
            .iter()
            .any(|(_, found)| matches!(&*found.content, Content::Array(a) if !a.pointees.is_empty()));
        if heap.len() > MOST_HEAP_OBJECTS || arrays {
            self.give_up(state, TermId::bool(true));
            return Value::TRUE;
        }
        let mut reached: FxHashMap<ObjId, TermId> = FxHashMap::default();
        let always = TermId::bool(true);
        let mut roots: Vec<(Value, TermId)> = state.globals.iter().map(|(_, v)| (v.clone(), always)).collect();
        let held = match from {
            LeakRoots::Possible => self.held(state),
            LeakRoots::Certain => self.held_by_variables(state),
        };
        roots.extend(held.into_iter().map(|value| (value, always)));
        for (at, found) in state.memory.iter() {
            if self.is_root(ObjId(at), from) {
                roots.extend(self.stored_values(&found.content).into_iter().map(|value| (value, found.alive)));
            }
        }
        for (value, alive) in &roots {
            self.reach(value, *alive, &mut reached);
        }
        if from == LeakRoots::Possible {
            let mut values: Vec<Value> = roots.into_iter().map(|(value, _)| value).collect();
            for (_, found) in state.memory.iter() {
                values.extend(self.stored_values(&found.content));
            }
            self.reach_by_pieces(&values, &heap, &mut reached);
        }
        let inner: Vec<(ObjId, Vec<Value>)> = heap
            .iter()
            .filter_map(|(object, _)| Some((*object, self.stored_values(&state.memory.get(object.0)?.content))))
            .collect();
        for _ in 0..heap.len() {
            let before = reached.clone();
            for (object, values) in &inner {
                let Some(&from) = before.get(object) else { continue };
                // What was freed holds nothing.
                let alive = self.alive(state, *object);
                let from = self.terms.and(from, alive);
                for value in values {
                    self.reach(value, from, &mut reached);
                }
            }
            if reached == before {
                break;
            }
        }
        let mut fine = TermId::bool(true);
        for (object, alive) in heap {
            let found = reached.get(&object).copied().unwrap_or(TermId::bool(false));
            let holds = self.terms.implies(alive, found);
            fine = self.terms.and(fine, holds);
        }
        Value::of_term(fine, &self.terms)
    }

    /// What the calls in progress hold in registers. Of the library, which is at work at the end of a program, only the calls
    /// that called the user back count, and temporaries where they are read again.
    fn held(&mut self, state: &State) -> Vec<Value> {
        let frames: Vec<&Frame> = state.frames().rev().collect();
        let ending = frames.iter().take_while(|frame| self.program.function(frame.func).is_library).count();
        let callee = ending.checked_sub(1).map(|last| frames[last]);
        let mut values = self.held_on(&frames[ending..], callee, true);
        for (_, stack) in state.suspended() {
            let frames: Vec<&Frame> = stack.frames().rev().collect();
            values.extend(self.held_on(&frames, None, false));
        }
        values
    }

    /// Whether what an object holds is not lost while the object is alive.
    fn is_root(&self, object: ObjId, from: LeakRoots) -> bool {
        let info = &self.objects[object];
        match (info.kind, from) {
            (ObjectKind::Heap, _) => false,
            (ObjectKind::Local, LeakRoots::Certain) => info.local.is_some_and(|(func, local)| {
                let function = self.program.function(func);
                !function.is_library && function.object(local).lifetime == Lifetime::Activation
            }),
            (ObjectKind::Local, LeakRoots::Possible) | (ObjectKind::Static(_) | ObjectKind::Function(_), _) => true,
        }
    }

    /// The parameters and the variables of outermost blocks of the user's calls in progress, as far as they are in registers.
    fn held_by_variables(&self, state: &State) -> Vec<Value> {
        let suspended = state.suspended().flat_map(|(_, stack)| stack.frames());
        let mut values = Vec::new();
        for frame in state.frames().chain(suspended) {
            let function = self.program.function(frame.func);
            if function.is_library {
                continue;
            }
            let outlives = |var: u32| function.var(LocalVar(var)).lifetime == Lifetime::Activation;
            values.extend(frame.registers.iter().filter(|(var, _)| outlives(*var)).map(|(_, value)| value.clone()));
        }
        values
    }

    /// What the activations of one stack hold in registers, the last called first, which have called `callee`.
    fn held_on(&mut self, frames: &[&Frame], callee: Option<&Frame>, is_running: bool) -> Vec<Value> {
        let mut values = Vec::new();
        let callees = std::iter::once(callee).chain(frames.iter().map(|frame| Some(*frame)));
        for (frame, callee) in frames.iter().zip(callees) {
            let function = self.program.function(frame.func);
            let live = self.live.entry(frame.func).or_insert_with(|| Arc::new(Liveness::of(function)));
            let is_stale = |var: LocalVar| match callee {
                Some(callee) => live.is_stale(function, var, Some(callee.resume)),
                // Where a stack that does not run goes on is not looked at.
                None => is_running && live.is_stale(function, var, None),
            };
            let held = frame.registers.iter().filter(|(var, _)| !is_stale(LocalVar(*var)));
            values.extend(held.map(|(_, value)| value.clone()));
        }
        values
    }

    /// What an object holds that may be a pointer.
    fn stored_values(&self, content: &Content) -> Vec<Value> {
        match content {
            Content::Cells(cells) => cells.all().map(|(_, cell)| cell.value.clone()).collect(),
            Content::Array(_) => Vec::new(),
        }
    }

    /// Counts objects as reached whose addresses occur in terms of another width: in halves, or in a part of a wider number.
    fn reach_by_pieces(&mut self, values: &[Value], heap: &[(ObjId, TermId)], reached: &mut FxHashMap<ObjId, TermId>) {
        let width = Sort::Bv(self.pointer_width());
        let pieces = values.iter().filter_map(|value| match value {
            Value::Term(term) if self.terms.sort(*term) != width => Some(*term),
            Value::Term(_) | Value::Const(_) | Value::Addr(..) | Value::Pointer(_) => None,
        });
        let inside: FxHashSet<TermId> = cone::cone(&self.terms, &pieces.collect::<Vec<_>>()).into_iter().collect();
        for (object, _) in heap {
            if self.objects[*object].base.is_some_and(|base| inside.contains(&base)) {
                reached.insert(*object, TermId::bool(true));
            }
        }
    }

    fn reach(&mut self, value: &Value, from: TermId, reached: &mut FxHashMap<ObjId, TermId>) {
        match value {
            Value::Const(_) => {}
            Value::Term(term) if self.terms.sort(*term) != Sort::Bv(self.pointer_width()) => {}
            Value::Term(_) | Value::Addr(..) | Value::Pointer(_) => {
                for place in self.places(value).iter() {
                    let Some(object) = place.object else { continue };
                    // A pointer that has left its object holds nothing.
                    let within = self.within(object, place.offset);
                    let here = self.terms.and_all([from, place.guard, within]);
                    let before = reached.get(&object).copied().unwrap_or(TermId::bool(false));
                    let now = self.terms.or(before, here);
                    reached.insert(object, now);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::ObjectInfo;
    use crate::memory::cells::{Cells, Fill};
    use plumb_c::diag::Diagnostics;
    use plumb_c::driver::{FrontOptions, load_program};
    use plumb_ir::property::PropertySet;
    use plumb_ir::ty::Bits;
    use plumb_ir::{PrepareOptions, prepare};

    const PROGRAM: &str = "
        char array[4]; const char constant[2] = {1, 2}; char *kept;
        int main(int argc, char **argv) { array[argc & 3] = constant[argc & 1]; return array[0]; }";

    /// Asks at the start of a program with an array of 4 bytes, a constant one of 2 and a heap block of 8.
    fn ask(name: &str, test: impl FnOnce(&mut Sym, &mut State, [ObjId; 3])) {
        let file = std::env::temp_dir().join(format!("plumb-question-{}-{name}.c", std::process::id()));
        std::fs::write(&file, PROGRAM).unwrap();
        let front = FrontOptions { library: Some(plumb_ir::library::source), ..FrontOptions::default() };
        let loaded = load_program(std::slice::from_ref(&file), &front);
        std::fs::remove_file(&file).unwrap();
        let Ok(loaded) = loaded else { panic!("the program is refused") };
        let options = PrepareOptions::default();
        let program = prepare(&loaded.hir, &PropertySet::default(), &options, &mut Diagnostics::new()).unwrap();
        let mut sym = Sym::new(&program);
        let mut state = sym.start();
        let named = |name: &str| program.objects.position(|o| &*o.name == name).map(|object| ObjId(object.0));
        let statics = ["array", "constant"].map(|name| named(name).unwrap());
        let size = Value::Const(Bits::new(8, sym.pointer_width()));
        let block = ObjectInfo::new(ObjectKind::Heap, "block", size, 16);
        let heap = sym.add_object(&mut state, block, Content::Cells(Cells::filled(Fill::Byte(0))));
        test(&mut sym, &mut state, [statics[0], statics[1], heap]);
    }

    /// A truth that does not depend on inputs.
    fn holds(value: Value) -> bool {
        value.as_const().expect("a constant").u128() == 1
    }

    #[test]
    fn accesses_are_in_bounds_of_the_object_that_they_were_computed_from() {
        ask("bounds", |sym, state, [array, constant, _]| {
            let size = |sym: &Sym, bytes: u128| Value::Const(Bits::new(bytes, sym.pointer_width()));
            let table = [
                (array, (array, 3), 1, true, true),
                (array, (array, 4), 1, false, false),
                (array, (array, 1), 4, false, false),
                (array, (array, u64::MAX), 1, false, false),
                (array, (constant, 0), 1, false, false),
                (constant, (constant, 0), 2, false, true),
                (constant, (constant, 0), 2, true, false),
            ];
            for (base, (object, offset), bytes, is_write, expected) in table {
                let bytes = size(sym, bytes);
                let at = Value::Addr(object, offset);
                let found = sym.in_bounds(state, &Value::Addr(base, 0), &at, &bytes, is_write);
                assert_eq!(holds(found), expected, "{object:?} {offset} {bytes:?}");
            }
        });
    }

    #[test]
    fn what_is_freed_is_null_or_the_start_of_a_living_block() {
        ask("free", |sym, state, [array, _, heap]| {
            let null = Value::Const(Bits::new(0, sym.pointer_width()));
            assert!(holds(sym.freeable(state, &null)) && holds(sym.freeable(state, &Value::Addr(heap, 0))));
            assert!(
                !holds(sym.freeable(state, &Value::Addr(heap, 1)))
                    && !holds(sym.freeable(state, &Value::Addr(array, 0)))
            );
            state.memory.remove(heap.0);
            assert!(!holds(sym.freeable(state, &Value::Addr(heap, 0))), "twice");
        });
    }

    #[test]
    fn numbers_about_objects_are_those_of_living_ones() {
        ask("offset", |sym, state, [array, constant, heap]| {
            let number = |value: Value| value.as_const().expect("a constant").u128();
            assert_eq!(number(sym.object_offset(state, &Value::Addr(heap, 3))), 3);
            assert_eq!(number(sym.bytes_left(state, &Value::Addr(heap, 3))), 5);
            assert!(holds(sym.same_object(state, &Value::Addr(array, 0), &Value::Addr(array, 4))));
            assert!(!holds(sym.same_object(state, &Value::Addr(array, 0), &Value::Addr(constant, 0))));
            state.memory.remove(heap.0);
            assert_eq!(number(sym.bytes_left(state, &Value::Addr(heap, 3))), 0);
            assert!(!holds(sym.points_to_life(state, &Value::Addr(heap, 3))));
        });
    }

    #[test]
    fn a_block_leaks_unless_something_living_points_to_it() {
        ask("leak", |sym, state, [_, _, heap]| {
            assert!(!holds(sym.heap_empty(state)) && !holds(sym.no_leak(state, LeakRoots::Possible)));
            state.globals.set(0, Value::Addr(heap, 0));
            assert!(!holds(sym.heap_empty(state)) && holds(sym.no_leak(state, LeakRoots::Possible)));
            state.memory.remove(heap.0);
            assert!(holds(sym.heap_empty(state)) && holds(sym.no_leak(state, LeakRoots::Possible)));
        });
    }
}
