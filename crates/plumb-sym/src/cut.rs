//! Abstraction at a cut: scalars of a state become arbitrary, on all of its stacks.
//!
//! Whoever explores decides by the *name* of a scalar ([`StateCell`]) what happens to it: names are those of the program, so that a
//! precision made of them speaks of all activations of a function at once. A scalar that is forgotten is a fresh symbol; the
//! state then stands for every state that differs from it in nothing else, and more. Pointers are never forgotten: what
//! they may point to is part of the shape of a state. Neither is what was never written in an object: it is as the program
//! starts with it.

use crate::memory::Content;
use crate::memory::cells::Cell;
use crate::state::{Frame, State};
use crate::sym::Sym;
use crate::value::{ObjId, Value, sort_of};
use plumb_ir::program::{FuncId, GlobalObj, GlobalVar, LocalObj, LocalVar};
use plumb_ir::ty::{Bits, Ty};
use plumb_term::TermId;
use std::sync::Arc;

/// A scalar of a state by the name that it has in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum StateCell {
    Global(GlobalVar),
    /// Of every activation of the function.
    Local(FuncId, LocalVar),
    /// At an offset of a static object.
    Static(GlobalObj, u64),
    /// At an offset of an object of every activation of the function.
    Memory(FuncId, LocalObj, u64),
    /// In an object that has no name: on the heap, or made by an activation.
    Unnamed,
}

/// What happens to a scalar at a cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Keep,
    Forget,
    /// It is this constant: whoever says so has split the state by what the scalar can be.
    Become(Bits),
}

/// Scalars that were forgotten, with the symbols that stand for them now and the values that they had.
pub type Forgotten = Vec<(StateCell, TermId, Value)>;

/// Who decides about scalars that are no pointers.
pub type Judge<'j> = dyn FnMut(StateCell, &Value) -> Fate + 'j;

impl Sym<'_> {
    /// Forgets the scalars of a state that a judge does not keep. The path condition stays as it is.
    pub fn forget_scalars(&mut self, state: &mut State, judge: &mut Judge) -> Forgotten {
        let mut forgotten = Vec::new();
        self.forget_globals(state, judge, &mut forgotten);
        let mut frames = std::mem::take(&mut state.frames);
        self.forget_frames(&mut frames, judge, &mut forgotten);
        state.frames = frames;
        if let Some(mut stacks) = state.stacks.take() {
            for stack in Arc::make_mut(&mut stacks).suspended.values_mut() {
                self.forget_frames(&mut stack.frames, judge, &mut forgotten);
            }
            state.stacks = Some(stacks);
        }
        self.forget_memory(state, judge, &mut forgotten);
        forgotten
    }

    /// A symbol for a scalar, unless it is a pointer or kept.
    fn forget_value(
        &mut self,
        (cell, ty): (StateCell, Ty),
        value: &Value,
        judge: &mut Judge,
        forgotten: &mut Forgotten,
    ) -> Option<Value> {
        let is_pointer = ty == Ty::Ptr || matches!(value, Value::Addr(..) | Value::Pointer(_));
        if is_pointer {
            return None;
        }
        match judge(cell, value) {
            Fate::Keep => return None,
            Fate::Become(bits) => return Some(Value::Const(bits)),
            Fate::Forget => {}
        }
        let sort = sort_of(ty, &self.program.target);
        let may_be_address = self.mentions_address(value);
        let symbol = self.arbitrary_symbol("cut", sort, may_be_address);
        forgotten.push((cell, symbol, value.clone()));
        Some(Value::Term(symbol))
    }

    fn forget_globals(&mut self, state: &mut State, judge: &mut Judge, forgotten: &mut Forgotten) {
        let program = self.program;
        for (var, info) in program.vars.iter_enumerated() {
            let Some(value) = state.globals.get(var.0).cloned() else { continue };
            let cell = (StateCell::Global(var), info.ty);
            if let Some(value) = self.forget_value(cell, &value, judge, forgotten) {
                state.globals.set(var.0, value);
            }
        }
    }

    fn forget_frames(&mut self, frames: &mut [Arc<Frame>], judge: &mut Judge, forgotten: &mut Forgotten) {
        let program = self.program;
        for frame in frames {
            let func = frame.func;
            for (var, info) in program.function(func).vars.iter_enumerated() {
                let Some(value) = frame.registers.get(var.0).cloned() else { continue };
                let cell = (StateCell::Local(func, var), info.ty);
                if let Some(value) = self.forget_value(cell, &value, judge, forgotten) {
                    Arc::make_mut(frame).registers.set(var.0, value);
                }
            }
        }
    }

    fn forget_memory(&mut self, state: &mut State, judge: &mut Judge, forgotten: &mut Forgotten) {
        let is_alive = |(at, object): (u32, &crate::memory::Object)| {
            (object.alive != TermId::bool(false)).then(|| (at, object.content.clone()))
        };
        let objects: Vec<(u32, Arc<Content>)> = state.memory.iter().filter_map(is_alive).collect();
        for (at, content) in objects {
            let Content::Cells(cells) = &*content else { continue };
            let mut written: Vec<(u64, Cell)> = Vec::new();
            for (offset, cell) in cells.all() {
                let name = self.cell_name(ObjId(at), offset);
                if let Some(value) = self.forget_value((name, cell.ty), &cell.value, judge, forgotten) {
                    written.push((offset, Cell { value, ..cell.clone() }));
                }
            }
            if written.is_empty() {
                continue;
            }
            let mut cells = cells.clone();
            written.into_iter().for_each(|(offset, cell)| cells.insert(offset, cell));
            if let Some(object) = state.memory.get_mut(at) {
                object.content = Arc::new(Content::Cells(cells));
            }
        }
    }

    fn cell_name(&self, object: ObjId, offset: u64) -> StateCell {
        if (object.0 as usize) < self.program.objects.len() {
            return StateCell::Static(GlobalObj(object.0), offset);
        }
        match self.objects[object].local {
            Some((func, local)) => StateCell::Memory(func, local, offset),
            None => StateCell::Unnamed,
        }
    }
}
