//! Calls, returns and intrinsics.

use crate::fault::{FaultConditions, FaultKind};
use crate::memory::cells::{Cells, Fill};
use crate::memory::{Content, ObjectInfo, ObjectKind};
use crate::state::State;
use crate::step::Next;
use crate::sym::Sym;
use crate::value::Value;
use plumb_ir::expr::ExprId;
use plumb_ir::program::{DatumValue, Edge, FUNCTION_BYTES, FuncId, Function, Intrinsic, VarRef};
use plumb_ir::ty::Ty;
use plumb_term::TermId;

/// The library's mark for an order that C does not fix: of equal elements in `qsort`, or which of them `bsearch` finds.
const IN_SOME_ORDER: &str = "__plumb_in_some_order";
/// The alignment of what `malloc` and `alloca` give on machines of at least 32 bits. Others align nothing.
const WIDE_ALIGNMENT: u64 = 16;

/// Blocks on the stack whose size is not known count as if they were so large; larger ones are beyond us.
const LARGE_BLOCK: u64 = 1 << 14;

impl Sym<'_> {
    pub(crate) fn block_alignment(&self) -> u64 {
        if self.pointer_width() >= 32 { WIDE_ALIGNMENT } else { 1 }
    }

    /// Enters a function. Arguments that it does not take are ignored.
    pub(crate) fn enter(&mut self, state: &mut State, func: FuncId, args: Vec<Value>, to: Option<VarRef>, edge: &Edge) {
        let function = self.program.function(func);
        if function.is_library && &*function.name == IN_SOME_ORDER {
            self.scratch.log.doubts.push(state.path.term());
        }
        self.push_frame(state, func, to, edge.to);
        let count = self.program.function(func).param_count as usize;
        let frame = state.frame_mut();
        for (i, value) in args.into_iter().take(count).enumerate() {
            frame.registers.set(i as u32, value);
        }
    }

    /// Calls what a pointer points to: one state for each function that fits.
    pub(crate) fn call_indirect(
        &mut self,
        state: &mut State,
        pointer: &Value,
        args: &[ExprId],
        to: Option<VarRef>,
        edge: &Edge,
    ) -> Next {
        let program = self.program;
        let exprs = &program.function(state.func()).exprs;
        let types: Vec<Ty> = args.iter().map(|a| exprs.ty(*a)).collect();
        let ret = to.map(|var| self.register_type(state, var));
        let values: Vec<Value> = args.iter().map(|a| self.eval(state, *a)).collect();
        let targets = self.function_targets(state, pointer, |function| function.accepts(&types, ret));
        if let [(func, guard)] = targets[..] {
            state.path.push(guard, &mut self.terms);
            self.enter(state, func, values, to, edge);
            return if state.path.is_impossible() { Next::Ended } else { Next::Moved };
        }
        let mut split = Vec::new();
        for (func, guard) in targets {
            let mut one = state.clone();
            one.path.push(guard, &mut self.terms);
            if !one.path.is_impossible() {
                self.enter(&mut one, func, values.clone(), to, edge);
                split.push(one);
            }
        }
        Next::Split(split)
    }

    /// The functions that a pointer may point to and that fit, each with its condition. Anything else is a fault.
    pub(crate) fn function_targets(
        &mut self,
        state: &mut State,
        pointer: &Value,
        fits: impl Fn(&Function) -> bool,
    ) -> Vec<(FuncId, TermId)> {
        let places = self.places(pointer);
        let lost = self.lost_access(&places);
        self.give_up(state, lost);
        let mut targets = Vec::new();
        let mut faults = FaultConditions::default();
        for place in places.iter() {
            let kind = place.object.map(|object| &self.objects[object].kind);
            match kind {
                Some(ObjectKind::Function(func)) if fits(self.program.function(*func)) => {
                    targets.push((*func, place.guard));
                    let zero = self.offset_term(0);
                    let moved = self.terms.ne(place.offset, zero);
                    let wrong = self.terms.and(place.guard, moved);
                    faults.add(FaultKind::Call, wrong, self);
                }
                Some(_) => faults.add(FaultKind::Call, place.guard, self),
                None if self.foreign().is_some() => {
                    // Lowering calls the functions that are there elsewhere, but for those that return structures: it asks whether
                    // more bytes follow than a function has.
                    let more = self.offset_term(FUNCTION_BYTES + 1);
                    let Some(access) = self.foreign_access(place, more) else { continue };
                    let there = self.terms.not(access.astray);
                    let there = self.terms.and(place.guard, there);
                    self.give_up(state, there);
                    let here = self.foreign_faults(state, *place, access.astray);
                    faults.add_all(here, TermId::bool(true), self);
                }
                None => {
                    let here = self.number_faults(place.offset);
                    faults.add_all(here, place.guard, self);
                }
            }
        }
        self.note_faults(state, faults);
        targets
    }

    /// Leaves the running activation. Its objects die.
    pub(crate) fn leave(&mut self, state: &mut State, value: Option<Value>) -> Next {
        if state.current_stack() != 0 && state.frames.len() == 1 {
            self.note_fault(state, FaultKind::StackReturned, TermId::bool(true));
            return Next::Ended;
        }
        let Some(frame) = state.frames.pop() else { return Next::Ended };
        for object in frame.objects.iter().chain(&frame.dynamic) {
            state.memory.remove(object.0);
        }
        if state.frames.is_empty() {
            return Next::Ended;
        }
        state.loc = frame.resume;
        if let Some(to) = frame.result {
            let ret = self.program.function(frame.func).ret;
            let value = match (value, ret) {
                (Some(value), _) => value,
                (None, ty) => self.unspecified(ty.unwrap_or(Ty::Int(32))),
            };
            state.set_register(to, value);
        }
        Next::Moved
    }

    pub(crate) fn intrinsic(
        &mut self,
        state: &mut State,
        intrinsic: Intrinsic,
        args: &[Value],
        to: Option<VarRef>,
    ) -> Next {
        let result = match (intrinsic, args) {
            (Intrinsic::HeapAlloc, [size, align]) => {
                let align = align.as_const().map_or(1, |bits| bits.u64()).max(self.block_alignment());
                Some(self.allocate(state, size, align, ObjectKind::Heap))
            }
            (Intrinsic::StackAlloc, [size]) => {
                let bytes = match size.as_const() {
                    Some(bits) => bits.u64(),
                    None => {
                        let most = self.offset_term(LARGE_BLOCK);
                        let size = self.address(size);
                        let larger = self.terms.bv_ult(most, size);
                        self.give_up(state, larger);
                        LARGE_BLOCK
                    }
                };
                let frame = state.frame_mut();
                frame.stack = frame.stack.saturating_add(bytes);
                self.fault_beyond_stack(state);
                let made = self.allocate(state, size, self.block_alignment(), ObjectKind::Local);
                if let Value::Addr(object, _) = made {
                    state.frame_mut().dynamic.push(object);
                }
                Some(made)
            }
            (Intrinsic::Free, [pointer]) => {
                self.free(state, pointer, ObjectKind::Heap);
                None
            }
            (Intrinsic::StackFree, [pointer]) => {
                self.free(state, pointer, ObjectKind::Local);
                if let Value::Addr(object, _) = pointer {
                    let bytes = self.objects[*object].const_size().unwrap_or(LARGE_BLOCK);
                    let frame = state.frame_mut();
                    frame.stack = frame.stack.saturating_sub(bytes);
                }
                None
            }
            (Intrinsic::MemCopy, [to, from, size]) => {
                self.mem_copy(state, to, from, size);
                None
            }
            (Intrinsic::MemSet, [to, byte, size]) => {
                self.mem_set(state, to, byte, size);
                None
            }
            (Intrinsic::Print, [format, ..]) => {
                if !self.prints_only(format) {
                    self.give_up(state, TermId::bool(true));
                }
                // How many bytes it writes depends on the values.
                let int = plumb_ir::verify::signature(Intrinsic::Print, self.program).1;
                int.map(|ty| self.unspecified(ty))
            }
            (Intrinsic::Exit | Intrinsic::Abort, _) => return Next::Ended,
            // The verifier of the representation has counted the arguments.
            (
                Intrinsic::HeapAlloc
                | Intrinsic::StackAlloc
                | Intrinsic::Free
                | Intrinsic::StackFree
                | Intrinsic::MemCopy
                | Intrinsic::MemSet
                | Intrinsic::Print,
                _,
            ) => None,
            // These are steps of their own.
            (Intrinsic::NewStack | Intrinsic::SwitchStack | Intrinsic::EndStack | Intrinsic::CurrentStack, _) => {
                self.give_up(state, TermId::bool(true));
                return Next::Ended;
            }
        };
        if let (Some(to), Some(value)) = (to, result) {
            state.set_register(to, value);
        }
        Next::Moved
    }

    fn allocate(&mut self, state: &mut State, size: &Value, align: u64, kind: ObjectKind) -> Value {
        let region = self.new_region();
        let name = if kind == ObjectKind::Heap { "heap" } else { "stack" };
        let site = self.fault_site(state).map(|site| (site.func, site.edge));
        let info = ObjectInfo { site, ..ObjectInfo::new(kind, name, size.clone(), align) };
        let object = self.add_object(state, info, Content::Cells(Cells::filled(Fill::Region(region, 0))));
        Value::Addr(object, 0)
    }

    /// Ends the life of the object that a pointer points to the start of; null is nobody's.
    fn free(&mut self, state: &mut State, pointer: &Value, kind: ObjectKind) {
        let places = self.places(pointer);
        let mut faults = FaultConditions::default();
        let zero = self.offset_term(0);
        let lost = self.lost_access(&places);
        self.give_up(state, lost);
        for place in places.iter() {
            let one = self.offset_term(1);
            if let Some(access) = self.foreign_access(place, one) {
                let null = self.terms.eq(place.offset, zero);
                let some = self.terms.not(null);
                let astray = self.terms.and(access.astray, some);
                let here = self.foreign_faults(state, *place, astray);
                faults.add_all(here, TermId::bool(true), self);
                continue;
            }
            let start = self.terms.eq(place.offset, zero);
            let right = match place.object {
                None => start,
                Some(object) if self.objects[object].kind == kind => {
                    let alive = state.memory.get(object.0).map_or(TermId::bool(false), |found| found.alive);
                    let right = self.terms.and(alive, start);
                    let ends = self.terms.and(place.guard, right);
                    let lives = self.terms.not(ends);
                    if let Some(found) = state.memory.get_mut(object.0) {
                        found.alive = self.terms.and(found.alive, lives);
                    }
                    right
                }
                Some(_) => TermId::bool(false),
            };
            let wrong = self.terms.not(right);
            let here = self.terms.and(place.guard, wrong);
            let kind = if place.object.is_some() { FaultKind::InvalidFree } else { FaultKind::NotAnObject };
            faults.add(kind, here, self);
        }
        self.note_faults(state, faults);
    }

    /// Whether a format is known and stores nothing.
    fn prints_only(&self, format: &Value) -> bool {
        let Value::Addr(object, offset) = format else { return false };
        let info = &self.objects[*object];
        let ObjectKind::Static(object) = info.kind else { return false };
        if !info.read_only {
            return false;
        }
        let mut text = vec![0u8; self.program.object(object).size as usize];
        for datum in &self.program.object(object).init {
            if let DatumValue::Bytes(bytes) = &datum.value {
                let at = datum.offset as usize;
                text[at..at + bytes.len()].copy_from_slice(bytes);
            }
        }
        let text = text.get(*offset as usize..).unwrap_or(&[]);
        !stores(text.split(|b| *b == 0).next().unwrap_or(&[]))
    }
}

/// Whether a format has `%n`.
fn stores(format: &[u8]) -> bool {
    let mut rest = format;
    while let Some(at) = rest.iter().position(|b| *b == b'%') {
        rest = &rest[at + 1..];
        let end = rest.iter().position(|b| b.is_ascii_alphabetic() && !b"hlLqjzt".contains(b) || *b == b'%');
        match end {
            Some(end) if rest[end] == b'n' => return true,
            Some(end) => rest = &rest[end + 1..],
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::stores;

    #[test]
    fn formats_that_store_are_seen() {
        assert!(stores(b"%d %ln"));
        assert!(stores(b"%%%n"));
        assert!(!stores(b"100%% of %5d n %s\n"));
        assert!(!stores(b"%"));
    }
}
