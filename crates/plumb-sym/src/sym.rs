//! What all states of one exploration share, and what is true of all of them: terms, objects, axioms.

use crate::eval::Memo;
use crate::fault::FaultKind;
use crate::log::EventLog;
use crate::memory::cells::{Cells, Fill};
use crate::memory::region::{Region, RegionId};
use crate::memory::{Content, Object, ObjectInfo, ObjectKind};
use crate::open::OpenChoice;
use crate::pointer::Addresses;
use crate::state::{Frame, State};
use crate::table::Table;
use crate::value::{ObjId, Value, sort_of};
use plumb_c::source::Span;
use plumb_ir::analysis::lifetime::{CALL_BYTES, LARGEST_STACK};
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::check::CheckKind;
use plumb_ir::index::TiVec;
use plumb_ir::program::{FuncId, LocalObj, Program, ScalarInit, VarRef};
use plumb_ir::ty::{Bits, Ty};
use plumb_term::{Strides, TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub struct Sym<'p> {
    pub program: &'p Program,
    pub terms: Terms,
    /// What holds whatever the run: facts about addresses and about symbols for memory.
    pub axioms: Vec<TermId>,
    pub objects: TiVec<ObjId, ObjectInfo>,
    pub(crate) regions: TiVec<RegionId, Region>,
    /// Stands for objects that are not there any more, where nobody needs to know which. It is never alive.
    pub dead: ObjId,
    /// Stands for anything that a pointer may be and that the state has no name for: one of several objects of an allocation
    /// site, garbage, a part of an address. Using such a pointer is a gap; its number may be any.
    pub unknown: ObjId,
    pub(crate) addresses: Addresses,
    pub(crate) strides: Strides,
    /// Of results that programs have looked at bit by bit.
    pub(crate) patterns: FxHashMap<TermId, TermId>,
    /// Symbols that no input answers for, other than addresses.
    pub(crate) open: FxHashMap<TermId, OpenChoice>,
    pub(crate) activations: u32,
    /// By function, where it has been asked for.
    pub(crate) live: FxHashMap<FuncId, Arc<Liveness>>,
    /// The program looks for lost memory: what variables hold that nobody reads again still counts.
    pub(crate) finds_leaks: bool,
    pub(crate) scratch: Scratch,
}

/// What the step at hand works with.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Values of the expressions of its edge.
    pub memo: Memo,
    /// What has happened in it. Empty between steps, but for what the start of the program brings.
    pub log: EventLog,
}

/// Whether something was written in a library model.
fn is_library(program: &Program, span: Span) -> bool {
    program.sources.place(span).is_some_and(|place| place.file.starts_with("<library>"))
}

impl<'p> Sym<'p> {
    pub fn new(program: &'p Program) -> Sym<'p> {
        let pointer = program.target.pointer_bits();
        let size = |bytes: u64| Value::Const(Bits::new(bytes as u128, pointer));
        let statics = program.objects.iter_enumerated().map(|(id, object)| {
            let kind = ObjectKind::Static(id);
            let (read_only, of_model) = (object.read_only, is_library(program, object.span));
            let info = ObjectInfo::new(kind, object.name.clone(), size(object.size), object.align);
            ObjectInfo { read_only, of_model, ..info }
        });
        let functions = program.functions.iter_enumerated().map(|(id, function)| {
            let kind = ObjectKind::Function(id);
            ObjectInfo { read_only: true, ..ObjectInfo::new(kind, function.name.clone(), size(1), 1) }
        });
        let special =
            ["a dead object", "an unknown object"].map(|name| ObjectInfo::new(ObjectKind::Heap, name, size(1), 1));
        let objects: TiVec<ObjId, ObjectInfo> = statics.chain(functions).chain(special).collect();
        Sym {
            program,
            terms: Terms::new(),
            axioms: Vec::new(),
            dead: ObjId(objects.len() as u32 - 2),
            unknown: ObjId(objects.len() as u32 - 1),
            objects,
            regions: TiVec::new(),
            addresses: Addresses::default(),
            strides: Strides::default(),
            patterns: FxHashMap::default(),
            open: FxHashMap::default(),
            activations: 0,
            live: FxHashMap::default(),
            finds_leaks: program.checks.iter().any(|check| check.kind == CheckKind::Leak),
            scratch: Scratch::default(),
        }
    }

    pub(crate) fn function_object(&self, function: FuncId) -> ObjId {
        ObjId(self.program.objects.len() as u32 + function.0)
    }

    /// The state at the start of the program.
    pub fn start(&mut self) -> State {
        let program = self.program;
        let mut state = self.blank(program.start);
        for (i, var) in program.vars.iter().enumerate() {
            let value = match var.init {
                ScalarInit::Const(bits) => Value::Const(bits),
                ScalarInit::Object(object, offset) => {
                    Value::Addr(ObjId(object.0), Bits::new(offset as u128, self.pointer_width()).u64())
                }
                ScalarInit::Function(function) => Value::Addr(self.function_object(function), 0),
            };
            // A number that is initialised with an address is that address.
            let value = if var.ty == Ty::Ptr || value.as_const().is_some() {
                value
            } else {
                let number = self.address(&value);
                let number = self.terms.resize_unsigned(number, var.ty.bits(&program.target));
                Value::of_term(number, &self.terms)
            };
            state.globals.set(i as u32, value);
        }
        for (id, info) in program.objects.iter_enumerated() {
            let fill = if info.init.is_empty() { Fill::Byte(0) } else { Fill::Initial(id, 0) };
            let content = Arc::new(Content::Cells(Cells::filled(fill)));
            state.memory.set(id.0, Object { content, alive: TermId::bool(true) });
        }
        state
    }

    /// A state at the entry of a function, without any register or object but its own.
    fn blank(&mut self, func: FuncId) -> State {
        let entry = self.program.function(func).entry;
        let mut state = State::empty(entry);
        self.push_frame(&mut state, func, None, entry);
        state
    }

    pub(crate) fn push_frame(
        &mut self,
        state: &mut State,
        func: FuncId,
        result: Option<VarRef>,
        resume: plumb_ir::program::Loc,
    ) {
        let below = state.frames.last().map_or(0, |frame| frame.stack);
        let frame = self.make_frame(state, func, below, result, resume);
        state.frames.push(Arc::new(frame));
        state.loc = self.program.function(func).entry;
        self.fault_beyond_stack(state);
    }

    /// A new activation, above so many bytes of its stack. Its objects are alive.
    pub(crate) fn make_frame(
        &mut self,
        state: &mut State,
        func: FuncId,
        below: u64,
        result: Option<VarRef>,
        resume: plumb_ir::program::Loc,
    ) -> Frame {
        let function = self.program.function(func);
        self.activations += 1;
        let mut objects = TiVec::with_capacity(function.objects.len());
        for local in function.objects.keys() {
            let region = self.new_region();
            let object = self.local_info(func, local);
            // Unspecified at first: bytes that no input answers for.
            let content = Content::Cells(Cells::filled(Fill::Region(region, 0)));
            objects.push(self.add_object(state, object, content));
        }
        let own = function.objects.iter().fold(0u64, |sum, o| sum.saturating_add(o.size)).max(function.frame_bytes);
        let stack = below.saturating_add(own).saturating_add(CALL_BYTES);
        Frame {
            func,
            activation: self.activations,
            registers: Table::default(),
            objects,
            dynamic: Vec::new(),
            stack,
            result,
            resume,
        }
    }

    /// An object of an activation.
    pub(crate) fn local_info(&self, func: FuncId, object: LocalObj) -> ObjectInfo {
        let function = self.program.function(func);
        let info = function.object(object);
        let size = Value::Const(Bits::new(info.size as u128, self.pointer_width()));
        let info = ObjectInfo::new(ObjectKind::Local, info.name.clone(), size, info.align);
        ObjectInfo { of_model: function.is_library, local: Some((func, object)), ..info }
    }

    /// Runs that need more stack than there is end.
    pub(crate) fn fault_beyond_stack(&mut self, state: &mut State) {
        if state.frame().stack <= LARGEST_STACK {
            return;
        }
        match state.is_stack_bounded_only {
            true => self.give_up(state, TermId::bool(true)),
            false => self.note_fault(state, FaultKind::StackOverflow, TermId::bool(true)),
        }
    }

    /// A symbol of a type that no input answers for.
    pub(crate) fn unspecified(&mut self, ty: Ty) -> Value {
        let sort = sort_of(ty, &self.program.target);
        let symbol = self.terms.fresh_symbol("unspecified", sort);
        self.open.insert(symbol, OpenChoice::Unassigned);
        Value::Term(symbol)
    }

    /// Hands on the axioms that there are beyond those that `fed` counts, and counts them.
    pub fn feed_axioms(&mut self, fed: &mut usize, mut assert: impl FnMut(&mut Terms, TermId)) {
        // Asserting makes terms, not axioms.
        for at in *fed..self.axioms.len() {
            assert(&mut self.terms, self.axioms[at]);
        }
        *fed = self.axioms.len();
    }

    /// A region's symbols by offset, and its array with the bytes of an element: what a model is asked for.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id]
    }
}
