//! What a run has at one moment.

use crate::memory::Object;
use crate::path::Path;
use crate::stacks::Stacks;
use crate::table::Table;
use crate::value::{ObjId, Value};
use plumb_ir::index::{TiSlice, TiVec};
use plumb_ir::program::{FuncId, Loc, LocalObj, LocalVar, VarRef};
use plumb_term::TermId;
use std::sync::Arc;

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    pub func: FuncId,
    /// Its number: two states with the same number are in the same activation.
    pub activation: u32,
    pub(crate) registers: Table<Value>,
    pub(crate) objects: TiVec<LocalObj, ObjId>,
    /// Objects that the activation has made itself, which die with it.
    pub(crate) dynamic: Vec<ObjId>,
    /// Bytes that it and those below take of a real stack, at least those that have been asked for so far.
    pub(crate) stack: u64,
    /// Where the caller wants the result.
    pub(crate) result: Option<VarRef>,
    /// Where the caller goes on.
    pub(crate) resume: Loc,
}

impl Frame {
    pub fn register(&self, var: LocalVar) -> Option<&Value> {
        self.registers.get(var.0)
    }

    /// Those of its function, in order.
    pub fn objects(&self) -> &TiSlice<LocalObj, ObjId> {
        &self.objects
    }
}

#[derive(Clone, Debug)]
pub struct State {
    pub(crate) globals: Table<Value>,
    pub(crate) memory: Table<Object>,
    /// Of the running stack.
    pub(crate) frames: Vec<Arc<Frame>>,
    /// The other stacks; `None` where stack 0 is the only one.
    pub(crate) stacks: Option<Arc<Stacks>>,
    /// The place in the function of the last frame.
    pub loc: Loc,
    pub path: Path,
    /// The run has ended in a fault before.
    pub fault: TermId,
    /// There may be objects on the heap that have no name here.
    pub(crate) has_unnamed_heap: bool,
    /// What its frames take of the stack is a bound, not what they take.
    pub(crate) is_stack_bounded_only: bool,
    /// There may be stacks that it does not have.
    pub(crate) has_unknown_stacks: bool,
}

impl State {
    /// Without any frame, register or object.
    pub(crate) fn empty(loc: Loc) -> State {
        State {
            globals: Table::default(),
            memory: Table::default(),
            frames: Vec::new(),
            stacks: None,
            loc,
            path: Path::default(),
            fault: TermId::bool(false),
            has_unnamed_heap: false,
            is_stack_bounded_only: false,
            has_unknown_stacks: false,
        }
    }

    /// The running activation.
    pub fn frame(&self) -> &Frame {
        self.frames.last().map(|f| &**f).expect("a state has a frame until it ends")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().map(Arc::make_mut).expect("a state has a frame until it ends")
    }

    pub fn func(&self) -> FuncId {
        self.frame().func
    }

    /// The activations of the running stack, the running one last.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &Frame> + ExactSizeIterator {
        self.frames.iter().map(|f| &**f)
    }

    /// The calls that are active on the running stack, outermost first: who called, and where that goes on.
    pub fn call_stack(&self) -> Vec<(FuncId, Loc)> {
        self.frames.windows(2).map(|pair| (pair[0].func, pair[1].resume)).collect()
    }

    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The objects that it has, with the conditions under which they are alive.
    pub fn objects(&self) -> impl Iterator<Item = (ObjId, TermId)> + '_ {
        self.memory.iter().map(|(at, object)| (ObjId(at), object.alive))
    }

    pub fn register(&self, var: VarRef) -> Option<&Value> {
        match var {
            VarRef::Global(var) => self.globals.get(var.0),
            VarRef::Local(var) => self.frame().registers.get(var.0),
        }
    }

    pub fn set_register(&mut self, var: VarRef, value: Value) {
        match var {
            VarRef::Global(var) => self.globals.set(var.0, value),
            VarRef::Local(var) => self.frame_mut().registers.set(var.0, value),
        }
    }
}
