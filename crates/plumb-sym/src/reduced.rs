//! Functions as blocks of their own: the state that a function is explored from whoever calls it, and what its block does where
//! it is called.
//!
//! **Idea.** Block-abstraction memoisation (Wonisch and Wehrheim, 2012) *reduces* the state at the entry of a block to what the block reads and
//! touches, explores the block by itself, and *expands* the states at its exits where the block was entered. Here the reduced state has a
//! symbol for each parameter, each global register and the bytes of each static object. An [`Instance`] says what those symbols
//! are at one call. A formula of the block with its symbols replaced is the block's formula at that call: it is made once for
//! the function and not followed again.
//!
//! **Soundness.** For every call of the function and every run of it there are values of the symbols under which the reduced state is
//! the run's at the entry: the values that the instance puts in their place. All other symbols of the block (inputs, what was
//! havocked, unspecified values) become fresh ones at each call, and of those nothing is claimed, so that what follows from a formula at a
//! call is true of every run that makes the call. An expanded state has the caller's parts wherever the function writes nothing (mod/ref).
//!
//! **What cannot be reduced.** Functions to which pointers come in, that allocate, or that leave pointers behind: objects that have
//! names in one activation only would need a renaming. Whoever explores follows them where they are called.

use crate::log::EventLog;
use crate::memory::cells::{Cells, Fill};
use crate::memory::region::RegionId;
use crate::memory::{Content, Object};
use crate::state::State;
use crate::sym::Sym;
use crate::value::{ObjId, Value, sort_of};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::lifetime::LARGEST_STACK;
use plumb_ir::analysis::modref::Objects;
use plumb_ir::analysis::pointsto::{self, Targets};
use plumb_ir::program::{Callee, EdgeId, FuncId, GlobalObj, GlobalVar, LocalVar, Op, VarRef};
use plumb_ir::ty::Ty;
use plumb_term::{Assignment, Evaluator, Substitution, TermId, free_symbols};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The reduced state at the entry of a function.
pub struct ReducedEntry {
    pub func: FuncId,
    pub state: State,
    /// The symbols of parameters and global registers.
    registers: FxHashMap<TermId, VarRef>,
    /// The bytes of static objects.
    regions: Vec<(GlobalObj, RegionId)>,
    /// What the function may write.
    written_registers: Vec<GlobalVar>,
    written_objects: Vec<GlobalObj>,
}

/// The state in which a function returns, before it does, and what it returns.
#[derive(Clone, Debug)]
pub struct ReducedExit {
    pub state: State,
    pub value: Option<Value>,
}

/// A call of a function that is a block: what stands for the symbols of its reduced entry.
pub struct Instance {
    caller: State,
    arguments: Vec<Value>,
    substitution: Substitution,
    /// By symbol of the block, what stands for it at the call.
    images: FxHashMap<TermId, TermId>,
}

impl Instance {
    /// The state that makes the call.
    pub fn caller(&self) -> &State {
        &self.caller
    }
}

/// Why a function cannot be reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Irreducible;

/// A location whose only edge calls a function directly.
pub fn direct_call(sym: &Sym, state: &State) -> Option<(FuncId, EdgeId)> {
    let function = sym.program.function(state.func());
    let mut edges = function.out_edges(state.loc);
    match (edges.next(), edges.next()) {
        (Some(only), None) => match &function.edge(only).op {
            Op::Call { callee: Callee::Direct(func), .. } => Some((*func, only)),
            _ => None,
        },
        _ => None,
    }
}

impl<'p> Sym<'p> {
    /// The state that stands for all states in which the function is entered. The analyses are of the same program.
    pub fn reduced_entry(&mut self, analyses: &Analyses, func: FuncId) -> Result<ReducedEntry, Irreducible> {
        let program = self.program;
        let function = program.function(func);
        let (written_registers, written_objects) = self.written_by(analyses, func)?;
        let stack = analyses.lifetimes().stack_bound(func).filter(|bound| *bound <= LARGEST_STACK);
        let stack = stack.ok_or(Irreducible)?;
        let mut state = State::empty(function.entry);
        self.push_frame(&mut state, func, None, function.entry);
        self.scratch.log = EventLog::default();
        state.fault = TermId::bool(false);
        state.is_stack_bounded_only = true;
        state.frame_mut().stack = stack;
        let mut registers = FxHashMap::default();
        let vars = program.vars.iter_enumerated();
        let globals = vars.map(|(var, info)| (VarRef::Global(var), info.ty, info.name.clone()));
        let params = function.vars.iter_enumerated().take(function.param_count as usize);
        let params = params.map(|(var, info)| (VarRef::Local(var), info.ty, info.name.clone()));
        for (var, ty, name) in globals.chain(params).filter(|(_, ty, _)| *ty != Ty::Ptr) {
            let targets = match var {
                VarRef::Global(var) => analyses.points_to().global(var),
                VarRef::Local(var) => analyses.points_to().local(func, var),
            };
            let symbol = self.arbitrary_symbol(&name, sort_of(ty, &program.target), targets != Targets::none());
            state.set_register(var, Value::Term(symbol));
            registers.insert(symbol, var);
        }
        let mut regions = Vec::new();
        for (object, info) in program.objects.iter_enumerated() {
            let fill = match info.read_only {
                true if info.init.is_empty() => Fill::Byte(0),
                true => Fill::Initial(object, 0),
                false => {
                    // What the function touches holds no pointers.
                    let region = self.new_arbitrary_region(info.holds_addresses());
                    regions.push((object, region));
                    Fill::Region(region, 0)
                }
            };
            let content = Arc::new(Content::Cells(Cells::filled(fill)));
            state.memory.set(object.0, Object { content, alive: TermId::bool(true) });
        }
        Ok(ReducedEntry { func, state, registers, regions, written_registers, written_objects })
    }

    /// What a function may write, if it can be reduced.
    fn written_by(&self, analyses: &Analyses, func: FuncId) -> Result<(Vec<GlobalVar>, Vec<GlobalObj>), Irreducible> {
        let program = self.program;
        let function = program.function(func);
        let live = &analyses.shape(func).live;
        let is_pointer_read = (0..function.param_count)
            .map(LocalVar)
            .any(|var| function.var(var).ty == Ty::Ptr && live.is_live(function.entry, VarRef::Local(var)));
        let effects = analyses.mod_ref().function(func);
        let has_lifetimes = effects.reads.lifetimes || effects.writes.lifetimes;
        if is_pointer_read || function.ret == Some(Ty::Ptr) || has_lifetimes || function.is_library {
            return Err(Irreducible);
        }
        let all = effects.reads.registers.iter().chain(&effects.writes.registers);
        if all.into_iter().any(|var| program.var(*var).ty == Ty::Ptr) {
            return Err(Irreducible);
        }
        let inside = analyses.resolved_calls().reachable(func);
        let is_recursive = |one: &FuncId| analyses.resolved_calls().is_recursive(*one);
        // Checks of what comes from outside ask whether a value is as it was given: of a symbol that stands for a caller's value, or
        // for what a call has left, nobody can tell.
        let has_assumed_checks = program.checks.iter().any(|check| check.of_inputs);
        if inside.iter().any(is_recursive) || has_assumed_checks {
            return Err(Irreducible);
        }
        let mut written = Vec::new();
        for (objects, is_written) in [(&effects.reads.objects, false), (&effects.writes.objects, true)] {
            let Objects::Known(list) = objects else { return Err(Irreducible) };
            for object in list {
                match object {
                    pointsto::Object::Global(global) if self.foreign() == Some(ObjId(global.0)) => {
                        return Err(Irreducible);
                    }
                    pointsto::Object::Global(global) => {
                        let info = program.object(*global);
                        let holds_pointers = || !analyses.points_to().contents(*object).is_empty();
                        if !info.read_only && (info.holds_addresses() || holds_pointers()) {
                            return Err(Irreducible);
                        }
                        written.extend(is_written.then_some(*global));
                    }
                    pointsto::Object::Local(owner, _) if inside.contains(owner) => {}
                    pointsto::Object::Function(_) => {}
                    pointsto::Object::Local(..) | pointsto::Object::Heap(..) | pointsto::Object::Stack(..) => {
                        return Err(Irreducible);
                    }
                }
            }
        }
        Ok((effects.writes.registers.iter().copied().collect(), written))
    }

    /// What a function is about to return, if its state is at the return. Not what it does to the frames.
    pub fn returned(&mut self, state: &mut State) -> Option<(Option<Value>, EventLog)> {
        let program = self.program;
        let function = program.function(state.func());
        let mut edges = function.out_edges(state.loc);
        let (Some(only), None) = (edges.next(), edges.next()) else { return None };
        let Op::Return(value) = &function.edge(only).op else { return None };
        self.next_edge();
        let value = value.map(|value| self.eval(state, value));
        Some((value, std::mem::take(&mut self.scratch.log)))
    }

    /// Whether an exit can be expanded: it leaves numbers behind, where the function may write.
    pub fn is_expandable(&self, entry: &ReducedEntry, exit: &ReducedExit) -> bool {
        let is_number = |value: &Value| matches!(value, Value::Const(_) | Value::Term(_));
        let is_register = |var: &GlobalVar| exit.state.globals.get(var.0).is_some_and(is_number);
        let is_object = |object: &GlobalObj| {
            let find = |state: &State| state.memory.get(object.0).map(|found| found.content.clone());
            match find(&entry.state).zip(find(&exit.state)) {
                Some((before, after)) => match (&*before, &*after) {
                    (Content::Cells(x), Content::Cells(y)) => {
                        x.pieces() == y.pieces()
                            && y.all().all(|(_, cell)| cell.ty != Ty::Ptr && is_number(&cell.value))
                    }
                    (_, Content::Array(array)) => array.pointees.is_empty() && !array.holds_addresses,
                    (Content::Array(_), Content::Cells(_)) => false,
                },
                None => false,
            }
        };
        exit.value.iter().all(is_number)
            && entry.written_registers.iter().all(is_register)
            && entry.written_objects.iter().all(is_object)
    }

    /// The call at a state's location, which its only edge makes. With what happened when the arguments were evaluated.
    pub fn instance(&mut self, state: &mut State, edge: EdgeId) -> (Instance, EventLog) {
        let program = self.program;
        self.next_edge();
        let mut arguments = Vec::new();
        if let Op::Call { args, .. } = &program.function(state.func()).edge(edge).op {
            arguments.extend(args.iter().map(|arg| self.eval(state, *arg)));
        }
        let log = std::mem::take(&mut self.scratch.log);
        let (substitution, images) = (Substitution::default(), FxHashMap::default());
        (Instance { caller: state.clone(), arguments, substitution, images }, log)
    }

    /// A term of the block at a call of it.
    pub fn instantiate(&mut self, entry: &ReducedEntry, instance: &mut Instance, term: TermId) -> TermId {
        if self.terms.is_const(term) {
            return term;
        }
        for symbol in free_symbols(&self.terms, &[term]) {
            let symbol = self.terms.symbol_term(symbol);
            if instance.images.contains_key(&symbol) {
                continue;
            }
            let image = self.image(entry, instance, symbol);
            instance.images.insert(symbol, image);
            instance.substitution.insert(symbol, image);
        }
        instance.substitution.apply(&mut self.terms, term)
    }

    /// What a symbol of the block is at a call.
    fn image(&mut self, entry: &ReducedEntry, instance: &Instance, symbol: TermId) -> TermId {
        let sort = self.terms.sort(symbol);
        let known = match entry.registers.get(&symbol) {
            Some(VarRef::Global(var)) => self.register_term(&instance.caller, VarRef::Global(*var)),
            Some(VarRef::Local(var)) => {
                let ty = self.program.function(entry.func).var(*var).ty;
                instance.arguments.get(var.0 as usize).map(|value| self.term_of(value, ty))
            }
            None if self.addresses.bases.get(&symbol).is_some_and(|object| self.is_fixed(*object)) => Some(symbol),
            None => self.bytes_of_caller(entry, instance, symbol),
        };
        // Whatever it is: more runs, and none less.
        known.filter(|term| self.terms.sort(*term) == sort).unwrap_or_else(|| self.another(symbol))
    }

    /// The caller's bytes that a symbol of the block stands for.
    fn bytes_of_caller(&mut self, entry: &ReducedEntry, instance: &Instance, symbol: TermId) -> Option<TermId> {
        for (object, region) in &entry.regions {
            let region = self.region(*region);
            let at = region.symbols.iter().find(|(_, term)| **term == symbol).map(|(at, _)| *at);
            let array = region.array.filter(|(_, array)| *array == symbol);
            if at.is_none() && array.is_none() {
                continue;
            }
            let info = self.objects[ObjId(object.0)].const_size();
            let content = instance.caller.memory.get(object.0)?.content.clone();
            return match (at, array, &*content) {
                (Some(at), _, _) => {
                    let bytes = u64::from(self.terms.width(symbol)) / 8;
                    self.any_bytes(&content, at, bytes)
                }
                (None, Some((unit, _)), Content::Cells(cells)) => {
                    self.array_of_cells(cells, unit, info).map(|array| array.array)
                }
                (None, Some(_), Content::Array(array)) => Some(array.array),
                (None, None, _) => None,
            };
        }
        None
    }

    /// So many bytes of a content as one bit-vector.
    fn any_bytes(&mut self, content: &Content, at: u64, bytes: u64) -> Option<TermId> {
        if bytes == 0 || bytes > 16 {
            return None;
        }
        let ty = Ty::Int(bytes as u8 * 8);
        let value = match content {
            Content::Cells(cells) => self.cells_load(cells, at, ty),
            Content::Array(array) => {
                let offset = self.offset_term(at);
                self.array_load(array, offset, ty)
            }
        };
        Some(self.bits_of(&value, ty))
    }

    /// A value of the block at a call; what is a pointer there stays as it is.
    fn instantiate_value(&mut self, entry: &ReducedEntry, instance: &mut Instance, value: &Value) -> Value {
        match value {
            Value::Term(term) => {
                let term = self.instantiate(entry, instance, *term);
                Value::of_term(term, &self.terms)
            }
            Value::Const(_) | Value::Addr(..) | Value::Pointer(_) => value.clone(),
        }
    }

    /// The content of a static object behind what the block has done to it; `None` where nobody can say.
    fn overlay(
        &mut self,
        entry: &ReducedEntry,
        instance: &mut Instance,
        object: GlobalObj,
        state: &State,
    ) -> Option<Arc<Content>> {
        let find = |state: &State| state.memory.get(object.0).map(|found| found.content.clone());
        let (caller, before, after) = (find(&instance.caller)?, find(&entry.state)?, find(state)?);
        if Arc::ptr_eq(&before, &after) {
            return Some(caller);
        }
        let result = match &*after {
            Content::Array(array) => {
                let mut copy = array.clone();
                copy.array = self.instantiate(entry, instance, array.array);
                Content::Array(copy)
            }
            Content::Cells(cells) => {
                let mut result = (*caller).clone();
                for (at, cell) in cells.all() {
                    let value = self.instantiate_value(entry, instance, &cell.value);
                    match &mut result {
                        Content::Cells(cells) => self.cells_store(cells, at, value, cell.ty),
                        Content::Array(array) => {
                            let (bits, offset) = (self.bits_of(&value, cell.ty), self.offset_term(at));
                            array.array = self.array_store(array.array, array.unit, offset, bits);
                        }
                    }
                }
                result
            }
        };
        Some(Arc::new(result))
    }

    /// The state of a caller behind a call that has left its block by an exit: with the exit's path condition, at the location behind
    /// the call. `None` where the caller's memory cannot take what the block leaves.
    pub fn expand(
        &mut self,
        entry: &ReducedEntry,
        exit: &ReducedExit,
        instance: &mut Instance,
        edge: EdgeId,
    ) -> Option<State> {
        let program = self.program;
        let mut state = instance.caller.clone();
        for condition in exit.state.path.since(0) {
            let condition = self.instantiate(entry, instance, condition);
            state.path.push(condition, &mut self.terms);
        }
        for var in &entry.written_registers {
            let value = exit.state.globals.get(var.0)?.clone();
            let value = self.instantiate_value(entry, instance, &value);
            state.globals.set(var.0, value);
        }
        for object in &entry.written_objects {
            let content = self.overlay(entry, instance, *object, &exit.state)?;
            state.memory.get_mut(object.0)?.content = content;
        }
        let edge = program.function(state.func()).edge(edge);
        state.loc = edge.to;
        if let Some(to) = edge.op.written() {
            let value = match &exit.value {
                Some(value) => self.instantiate_value(entry, instance, value),
                None => self.unspecified(program.function(entry.func).ret.unwrap_or(Ty::Int(32))),
            };
            state.set_register(to, value);
        }
        Some(state)
    }

    /// A state of the block as it is at a call: what the function sees, without its callers.
    pub fn instantiate_state(&mut self, entry: &ReducedEntry, instance: &mut Instance, state: &State) -> State {
        let mut result = state.clone();
        let globals: Vec<(u32, Value)> = state.globals.iter().map(|(at, value)| (at, value.clone())).collect();
        for (at, value) in globals {
            let value = self.instantiate_value(entry, instance, &value);
            result.globals.set(at, value);
        }
        let registers: Vec<(u32, Value)> =
            state.frame().registers.iter().map(|(at, value)| (at, value.clone())).collect();
        for (at, value) in registers {
            let value = self.instantiate_value(entry, instance, &value);
            result.frame_mut().registers.set(at, value);
        }
        let regions: Vec<GlobalObj> = entry.regions.iter().map(|(object, _)| *object).collect();
        for object in regions {
            if let Some(content) = self.overlay(entry, instance, object, state)
                && let Some(found) = result.memory.get_mut(object.0)
            {
                found.content = content;
            }
        }
        let own: Vec<ObjId> = state.frames().flat_map(|frame| frame.objects().to_vec()).collect();
        for object in own {
            let Some(mut found) = state.memory.get(object.0).cloned() else { continue };
            if let Content::Cells(cells) = &*found.content {
                let mut copy = cells.clone();
                for (at, cell) in cells.all() {
                    let value = self.instantiate_value(entry, instance, &cell.value);
                    copy.insert(at, crate::memory::cells::Cell { value, ..cell.clone() });
                }
                found.content = Arc::new(Content::Cells(copy));
                result.memory.set(object.0, found);
            }
        }
        result
    }

    /// A model of a caller's formula as one of the block's: what it gives the block's symbols at the call.
    pub fn pull_back(&self, instance: &Instance, model: &Assignment) -> Assignment {
        let mut evaluator = Evaluator::new(model);
        let mut result = Assignment::new();
        for (symbol, image) in &instance.images {
            if let Some(symbol) = self.terms.as_symbol(*symbol) {
                result.set(symbol, evaluator.value(&self.terms, *image));
            }
        }
        result
    }

    /// A fresh symbol for one of a block.
    fn another(&mut self, symbol: TermId) -> TermId {
        let may_be_address = self.addresses.possible.contains(&symbol) || self.addresses.bases.contains_key(&symbol);
        let other = self.arbitrary_symbol("at_call", self.terms.sort(symbol), may_be_address);
        if let Some(choice) = self.open.get(&symbol).copied() {
            self.open.insert(other, choice);
        }
        other
    }
}
