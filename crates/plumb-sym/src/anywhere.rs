//! A state at any location of the program: it stands for every state in which a run can be there.
//!
//! **Idea.** Registers that may still be read, and all memory that may be written, are arbitrary. What a pointer may be comes
//! from the points-to analysis: one of its targets, at the offset that is known there or at any; null, and *anything else*,
//! which is the unknown object of [`Sym`], where the nullness analysis does not exclude them. No engine starts from it yet; tests do, which compare it with concrete runs.
//!
//! **Names.** An abstract object of the analysis gets an object of the state where it stands for at most one that is alive:
//! static objects and functions; the objects of the frames that the state has; locals of a function that is not recursive and
//! may be active below; what an edge allocates on the heap that no run takes twice. Every one that may be dead has a
//! symbol for that. A pointer to one of several objects (of a recursive function, of an edge in a loop) points to the unknown
//! object. A pointer to a local that its activation may have left behind may also point to the dead object.
//!
//! **Soundness.** For every run and every moment at which it is at the location, with these callers, there are values for the
//! symbols under which the state is the run's (`tests/concrete/anywhere.rs` looks at that): points-to over-approximates
//! what pointers hold, and what has no name is only reached through the unknown object, whose use is a gap. Nothing is
//! claimed about how objects lie in memory, nor about registers that nobody reads any more.
//!
//! **Callers.** With a known call stack the state has its frames, all of them arbitrary, and goes on after the return. With
//! any callers it has one frame and ends with it: what follows the return belongs to whoever joins blocks. The stack
//! is taken to be as full as the call graph allows; a call for which that leaves no room is a gap. Other stacks are not
//! known: to make, switch or end one is a gap.

use crate::memory::cells::{Cell, Cells, Fill};
use crate::memory::{Content, Object, ObjectInfo, ObjectKind};
use crate::state::State;
use crate::sym::Sym;
use crate::value::{ObjId, Place, Value, sort_of};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::lifetime::LARGEST_STACK;
use plumb_ir::analysis::nullness::NoObject;
use plumb_ir::analysis::pointsto::{self, Contents, Targets};
use plumb_ir::program::{Callee, EdgeId, FuncId, Intrinsic, Loc, Op, VarRef};
use plumb_ir::ty::Ty;
use plumb_term::{Sort, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Objects that one pointer is a choice of; with more it points to the unknown object.
const MOST_PLACES: usize = 32;
/// Words of an object that hold pointers, each of which is a choice; with more the object's bytes are arbitrary.
const MOST_WORDS: u64 = 64;

/// Who called the function that a state from anywhere is in.
#[derive(Clone, Copy, Debug)]
pub enum Callers<'a> {
    /// The edges of the calls in progress, outermost first.
    Known(&'a [(FuncId, EdgeId)]),
    /// Any that there can be. The state ends when the function returns.
    Any,
}

/// A state that is being made.
struct Maker<'s, 'p, 'a> {
    sym: &'s mut Sym<'p>,
    analyses: &'a Analyses,
    callers: Callers<'a>,
    state: State,
    /// Objects that are there beside those of frames, each for one abstract object.
    named: FxHashMap<pointsto::Object, ObjId>,
    /// Objects that have no content yet.
    unfilled: Vec<(pointsto::Object, ObjId)>,
}

impl<'p> Sym<'p> {
    /// A state that stands for all states of runs at a location. The analyses are of the same program.
    pub fn anywhere(&mut self, analyses: &Analyses, func: FuncId, loc: Loc, callers: Callers) -> State {
        let state = State::empty(loc);
        let (named, unfilled) = (FxHashMap::default(), Vec::new());
        let mut maker = Maker { sym: self, analyses, callers, state, named, unfilled };
        maker.push_frames(func);
        maker.state.loc = loc;
        maker.add_statics();
        maker.fill_registers();
        while let Some((object, id)) = maker.unfilled.pop() {
            maker.fill_object(object, id);
        }
        maker.state.has_unnamed_heap = maker.has_unnamed_heap();
        maker.state.has_unknown_stacks = maker.sym.program.has_stacks();
        maker.state
    }
}

impl Maker<'_, '_, '_> {
    fn push_frames(&mut self, func: FuncId) {
        let program = self.sym.program;
        let calls = match self.callers {
            Callers::Known(calls) => calls,
            Callers::Any => &[],
        };
        let mut result = None;
        let mut resume = program.function(func).entry;
        for (caller, edge) in calls {
            self.push_frame(*caller, result, resume);
            let edge = program.function(*caller).edge(*edge);
            resume = edge.to;
            result = edge.op.written();
        }
        self.push_frame(func, result, resume);
        let lifetimes = self.analyses.lifetimes();
        let bound = match self.callers {
            // What activations have allocated in addition is not known.
            Callers::Known(_) if self.state.frames().any(|one| lifetimes.has_growing_frame(program, one.func)) => None,
            Callers::Known(_) => return,
            Callers::Any => lifetimes.stack_bound(func),
        };
        self.state.is_stack_bounded_only = true;
        self.state.frame_mut().stack = bound.unwrap_or(LARGEST_STACK).min(LARGEST_STACK);
    }

    fn push_frame(&mut self, func: FuncId, result: Option<VarRef>, resume: Loc) {
        self.sym.push_frame(&mut self.state, func, result, resume);
        // That the run has come here says that there was room.
        self.sym.scratch.log.faults.clear();
        self.state.fault = TermId::bool(false);
        for (local, id) in self.state.frame().objects.iter_enumerated() {
            self.unfilled.push((pointsto::Object::Local(func, local), *id));
        }
    }

    fn add_statics(&mut self) {
        let program = self.sym.program;
        for (object, info) in program.objects.iter_enumerated() {
            // Nobody writes to a constant.
            let fill = if info.init.is_empty() { Fill::Byte(0) } else { Fill::Initial(object, 0) };
            let content = Arc::new(Content::Cells(Cells::filled(fill)));
            self.state.memory.set(object.0, Object { content, alive: TermId::bool(true) });
            if !info.read_only {
                self.unfilled.push((pointsto::Object::Global(object), ObjId(object.0)));
            }
        }
    }

    fn fill_registers(&mut self) {
        let program = self.sym.program;
        for (var, info) in program.vars.iter_enumerated() {
            let targets = self.analyses.points_to().global(var);
            let elsewhere = self.analyses.nullness().global(var);
            let value = self.arbitrary(&info.name, info.ty, &targets, elsewhere);
            self.state.globals.set(var.0, value);
        }
        for at in 0..self.state.frames.len() {
            let func = self.state.frames[at].func;
            // Callers go on behind their calls.
            let loc = self.state.frames.get(at + 1).map_or(self.state.loc, |callee| callee.resume);
            let live = &self.analyses.shape(func).live;
            for (var, info) in program.function(func).vars.iter_enumerated() {
                if live.is_live(loc, VarRef::Local(var)) {
                    let targets = self.analyses.points_to().local(func, var);
                    let elsewhere = self.analyses.nullness().local(func, var);
                    let value = self.arbitrary(&info.name, info.ty, &targets, elsewhere);
                    Arc::make_mut(&mut self.state.frames[at]).registers.set(var.0, value);
                }
            }
        }
    }

    /// Any value of a type that points to one of the targets, if it points to an object.
    fn arbitrary(&mut self, name: &str, ty: Ty, targets: &Targets, elsewhere: NoObject) -> Value {
        let sort = sort_of(ty, &self.sym.program.target);
        let (targets, is_outside) = self.without_foreign_memory(targets);
        let is_outside = is_outside && ty == Ty::Ptr;
        let list = match &targets {
            Targets::Known(list) if list.is_empty() && is_outside => &[],
            Targets::Known(list) if list.is_empty() => return Value::Term(self.sym.terms.fresh_symbol(name, sort)),
            Targets::Known(list) if ty == Ty::Ptr => &list[..],
            Targets::Unknown if ty == Ty::Ptr => &[],
            Targets::Known(_) | Targets::Unknown => return Value::Term(self.sym.arbitrary_symbol(name, sort, true)),
        };
        let mut found: Vec<(ObjId, Option<i64>)> = Vec::new();
        for target in list {
            found.extend(self.objects_of(target.object).into_iter().map(|object| (object, target.offset)));
        }
        if found.len() > MOST_PLACES {
            found.clear();
        }
        let is_complete = (!found.is_empty() || is_outside && list.is_empty())
            && found.iter().all(|(object, _)| *object != self.sym.unknown);
        found.retain(|(object, _)| *object != self.sym.unknown);
        let mut places = Vec::with_capacity(found.len() + 2);
        for (object, offset) in found {
            let offset = match offset.filter(|_| object != self.sym.dead) {
                Some(offset) => self.sym.offset_term(offset as u64),
                None => self.offset(name),
            };
            places.push(Place { guard: TermId::bool(true), object: Some(object), offset });
        }
        if is_outside {
            let offset = self.offset(name);
            self.sym.note_outside(offset);
            places.push(Place { guard: TermId::bool(true), object: None, offset });
        }
        // Other numbers than those from outside are not told apart from them.
        if !is_complete || elsewhere.number && !is_outside {
            let offset = self.offset(name);
            places.push(Place { guard: TermId::bool(true), object: Some(self.sym.unknown), offset });
        }
        if !is_complete || elsewhere.null {
            let null = self.sym.offset_term(0);
            places.push(Place { guard: TermId::bool(true), object: None, offset: null });
        }
        self.sym.one_of(places)
    }

    /// Pointers into memory from outside are numbers. Whether there are any.
    fn without_foreign_memory(&self, targets: &Targets) -> (Targets, bool) {
        let foreign = self.sym.program.foreign_memory().map(pointsto::Object::Global);
        match (targets, foreign) {
            (Targets::Known(list), Some(foreign)) if list.iter().any(|target| target.object == foreign) => {
                let others = list.iter().filter(|target| target.object != foreign).copied().collect();
                (Targets::Known(others), true)
            }
            _ => (targets.clone(), false),
        }
    }

    fn offset(&mut self, name: &str) -> TermId {
        let width = self.sym.pointer_width();
        self.sym.terms.fresh_symbol(name, Sort::Bv(width))
    }

    /// The objects that an abstract one may stand for, where there is a pointer to it.
    fn objects_of(&mut self, object: pointsto::Object) -> Vec<ObjId> {
        let lifetimes = self.analyses.lifetimes();
        match object {
            pointsto::Object::Global(object) => vec![ObjId(object.0)],
            pointsto::Object::Function(func) => vec![self.sym.function_object(func)],
            pointsto::Object::Stack(..) => vec![self.sym.unknown],
            pointsto::Object::Heap(func, edge) => match lifetimes.is_taken_once(self.sym.program, func, edge) {
                true => vec![self.named_object(object)],
                false => vec![self.sym.unknown],
            },
            pointsto::Object::Local(func, local) => {
                let frames = self.state.frames.iter().filter(|frame| frame.func == func);
                let mut list: Vec<ObjId> = frames.filter_map(|frame| frame.objects.get(local)).copied().collect();
                let is_below = list.is_empty()
                    && matches!(self.callers, Callers::Any)
                    && lifetimes.may_be_active(func, self.state.func());
                if lifetimes.is_recursive(func) {
                    list.push(self.sym.unknown);
                } else if is_below {
                    list.push(self.named_object(object));
                }
                // Of a function that is entered once there is no other activation.
                let is_only = lifetimes.is_entered_once(func) && !list.is_empty();
                if lifetimes.may_dangle(func, local) && !is_only {
                    list.push(self.sym.dead);
                }
                list
            }
        }
    }

    /// The object that stands for an abstract one which is at most one, and which may be alive.
    fn named_object(&mut self, object: pointsto::Object) -> ObjId {
        if let Some(id) = self.named.get(&object) {
            return *id;
        }
        let info = match object {
            pointsto::Object::Local(func, local) => self.sym.local_info(func, local),
            pointsto::Object::Heap(func, edge) => self.heap_info(func, edge),
            // These have objects of their own, or none.
            pointsto::Object::Global(_) | pointsto::Object::Function(_) | pointsto::Object::Stack(..) => {
                return self.sym.unknown;
            }
        };
        let content = Content::Cells(Cells::filled(Fill::Byte(0)));
        let id = self.sym.add_object(&mut self.state, info, content);
        let alive = self.sym.terms.fresh_symbol("alive", Sort::Bool);
        if let Some(found) = self.state.memory.get_mut(id.0) {
            found.alive = alive;
        }
        self.named.insert(object, id);
        self.unfilled.push((object, id));
        id
    }

    fn heap_info(&mut self, func: FuncId, edge: EdgeId) -> ObjectInfo {
        let object = pointsto::Object::Heap(func, edge);
        let width = self.sym.pointer_width();
        let size = match self.analyses.points_to().size(object) {
            Some(size) => Value::Const(plumb_ir::ty::Bits::new(size as u128, width)),
            None => Value::Term(self.sym.terms.fresh_symbol("size", Sort::Bv(width))),
        };
        let function = self.sym.program.function(func);
        let align = match &function.edge(edge).op {
            Op::Call { args, .. } => args.get(1).and_then(|align| function.exprs.as_const(*align)),
            Op::Assign { .. } | Op::Assume { .. } | Op::Havoc { .. } | Op::Return(_) | Op::Check { .. } => None,
        };
        // As much as is certain.
        let align = align.map_or(1, |align| align.u64());
        ObjectInfo::new(ObjectKind::Heap, "heap", size, align.max(self.sym.block_alignment()))
    }

    /// Gives an object arbitrary content: a choice for each word that may hold a pointer, any bytes for the rest.
    fn fill_object(&mut self, object: pointsto::Object, id: ObjId) {
        let contents = self.analyses.points_to().contents(object);
        let word = self.sym.pointer_width() as u64 / 8;
        let words = self.pointer_words(&contents, id, word);
        let region = self.sym.new_arbitrary_region(words.is_none());
        let mut cells = Cells::filled(Fill::Region(region, 0));
        for at in words.unwrap_or_default() {
            let elsewhere = self.analyses.nullness().word(object, at);
            let value = self.arbitrary("pointer", Ty::Ptr, &contents.at(at), elsewhere);
            cells.insert(at, Cell { value, ty: Ty::Ptr, size: word });
        }
        if let Some(found) = self.state.memory.get_mut(id.0) {
            found.content = Arc::new(Content::Cells(cells));
        }
    }

    /// The offsets of the words that may hold pointers; `None` where they cannot all be named.
    fn pointer_words(&self, contents: &Contents, id: ObjId, word: u64) -> Option<Vec<u64>> {
        let (anywhere, _) = self.without_foreign_memory(&contents.anywhere);
        if anywhere != Targets::none() {
            return None;
        }
        if self.sym.foreign() == Some(id) {
            return Some(Vec::new());
        }
        if contents.is_empty() {
            return Some(Vec::new());
        }
        let size = self.sym.objects[id].const_size()?;
        if size % word != 0 || size / word > MOST_WORDS {
            return None;
        }
        let all = (0..size / word).map(|i| i * word);
        Some(all.filter(|at| contents.at(*at) != Targets::none()).collect())
    }

    /// Whether objects on the heap may be there that have no name.
    fn has_unnamed_heap(&self) -> bool {
        let program = self.sym.program;
        program.function_ids().any(|func| {
            let function = program.function(func);
            let mut edges = function.edge_ids();
            edges.any(|edge| {
                let is_site =
                    matches!(function.edge(edge).op, Op::Call { callee: Callee::Intrinsic(Intrinsic::HeapAlloc), .. });
                is_site && !self.named.contains_key(&pointsto::Object::Heap(func, edge))
            })
        })
    }
}
