//! Templates: states whose parts are symbols, so that facts about states of a function become terms, and what stands for such
//! a symbol in another state.
//!
//! A template is no state that runs start from: it says nothing about where pointers point. For that there is
//! [`Sym::anywhere`].

use crate::memory::cells::{Cells, Fill};
use crate::memory::region::RegionId;
use crate::memory::{Content, Object};
use crate::state::State;
use crate::sym::Sym;
use crate::value::{ObjId, Place, Value, sort_of};
use plumb_ir::program::{FuncId, ObjRef, VarRef};
use plumb_ir::ty::Ty;
use plumb_term::{Kind, Sort, TermId, Terms, UnaryOp, cone};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A scalar in memory that has a name where the activation is: a part of a static object, of one of its own, or of one that a
/// pointer in a register leads to.
#[derive(Clone, Copy, Debug)]
pub struct NamedScalar {
    pub part: StatePart,
    pub ty: Ty,
    pub term: TermId,
}

/// The symbols of a template: everything that an activation can see, but for pointers.
#[derive(Clone, Debug, Default)]
pub struct TemplateSymbols {
    pub registers: Vec<(VarRef, TermId)>,
    /// The region has the bytes of the whole object.
    pub objects: Vec<(ObjRef, RegionId)>,
}

impl TemplateSymbols {
    /// All symbols that there are by now, with the parts that they stand for.
    pub fn parts(&self, sym: &Sym) -> Vec<(TermId, StatePart)> {
        let registers = self.registers.iter().map(|(var, term)| (*term, StatePart::Register(*var)));
        let bytes = self.objects.iter().flat_map(|(object, region)| {
            let symbols = sym.region(*region).symbols.iter();
            symbols.map(|(at, term)| (*term, StatePart::Bytes(*object, *at)))
        });
        registers.chain(bytes).collect()
    }
}

/// A part of a state that a fact speaks of by a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum StatePart {
    Register(VarRef),
    /// Bytes of an object, as many as the symbol has, from an offset on.
    Bytes(ObjRef, u64),
    /// Bytes so far behind where a pointer in a register points, which is a living object; or, with `through`, behind where
    /// the pointer points that lies so far behind that place.
    Behind {
        pointer: VarRef,
        through: Option<u64>,
        at: u64,
    },
}

/// A byte of an object.
type ObjectByte = (ObjId, u64);

/// How an object is called where the activation is.
#[derive(Clone, Copy)]
enum NamedPlace {
    Object(ObjRef),
    /// A pointer leads to this offset of it.
    Behind {
        pointer: VarRef,
        through: Option<u64>,
        offset: u64,
    },
}

impl NamedPlace {
    /// The part that starts at an offset of the object.
    fn part(self, at: u64) -> Option<StatePart> {
        match self {
            NamedPlace::Object(object) => Some(StatePart::Bytes(object, at)),
            NamedPlace::Behind { pointer, through, offset } => {
                at.checked_sub(offset).map(|at| StatePart::Behind { pointer, through, at })
            }
        }
    }
}

/// Whether formulas ask about the bit patterns of floats.
fn asks_for_patterns(terms: &Terms, formulas: &[TermId]) -> bool {
    let is_look =
        |term: &TermId| matches!(terms.kind(*term), Kind::Unary(UnaryOp::FloatToBits | UnaryOp::FloatIsNegative, _));
    cone(terms, formulas).iter().any(is_look)
}

impl Sym<'_> {
    /// The value of a part of so many bits; `None` where the state has no such part.
    pub fn part_term(&mut self, state: &State, part: StatePart, width: u32) -> Option<TermId> {
        match part {
            StatePart::Register(var) => self.register_term(state, var),
            StatePart::Bytes(object, at) => self.bytes(state, object, at, width as u64 / 8),
            StatePart::Behind { pointer, through, at } => {
                let (object, offset) = self.byte_behind(state, pointer, through, at)?;
                self.object_bytes(state, object, offset, width as u64 / 8)
            }
        }
    }

    /// The byte that a part behind a pointer starts with; `None` where the state does not say which one.
    pub(crate) fn byte_behind(
        &self,
        state: &State,
        pointer: VarRef,
        through: Option<u64>,
        at: u64,
    ) -> Option<ObjectByte> {
        let (mut object, mut offset) = self.certain_pointee(state, state.register(pointer)?)?;
        if let Some(through) = through {
            let Content::Cells(cells) = &*state.memory.get(object.0)?.content else { return None };
            let cell = cells.get(offset.checked_add(through)?).filter(|cell| cell.ty == Ty::Ptr)?;
            (object, offset) = self.certain_pointee(state, &cell.value)?;
        }
        Some((object, offset.checked_add(at)?))
    }

    /// The byte that a pointer certainly points to, of an object that is certainly alive.
    fn certain_pointee(&self, state: &State, pointer: &Value) -> Option<ObjectByte> {
        let (object, offset) = match pointer {
            Value::Addr(object, offset) => (*object, *offset),
            Value::Pointer(places) => match **places {
                [Place { object: Some(object), offset, .. }] => (object, self.terms.as_u64(offset)?),
                _ => return None,
            },
            Value::Const(_) | Value::Term(_) => return None,
        };
        let is_alive = object != self.unknown && state.memory.get(object.0)?.alive == TermId::bool(true);
        is_alive.then_some((object, offset))
    }

    /// The value of a part for a formula that asks about its symbol. Where the formula looks at bit patterns, a float that an operation gave
    /// is one with the pattern that memory would hold: terms have one NaN for all, and its sign would be known.
    pub fn part_for(&mut self, formulas: &[TermId], state: &State, part: StatePart, symbol: TermId) -> Option<TermId> {
        let value = self.part_term(state, part, self.terms.width(symbol))?;
        match self.terms.sort(value) {
            Sort::Float(format) if asks_for_patterns(&self.terms, formulas) => {
                let bits = self.pattern(value);
                Some(self.terms.float_from_bits(bits, format))
            }
            Sort::Float(_) | Sort::Bool | Sort::Bv(_) | Sort::Array { .. } => Some(value),
        }
    }

    /// A state in an activation of a function, with a symbol for each of its parts. A fact about states is the term that it
    /// has here.
    pub fn template(&mut self, func: FuncId) -> (State, TemplateSymbols) {
        let program = self.program;
        let (mut state, mut symbols) = self.start_unknown();
        for (object, info) in program.objects.iter_enumerated().filter(|(_, info)| info.holds_addresses()) {
            if !info.read_only {
                let region = self.fill_with_symbols(&mut state, ObjId(object.0));
                symbols.objects.push((ObjRef::Global(object), region));
            }
        }
        let resume = state.loc;
        self.push_frame(&mut state, func, None, resume);
        for (var, info) in program.function(func).vars.iter_enumerated() {
            if info.ty != Ty::Ptr {
                let term = self.terms.fresh_symbol(&info.name, sort_of(info.ty, &program.target));
                let var = VarRef::Local(var);
                state.set_register(var, Value::Term(term));
                symbols.registers.push((var, term));
            }
        }
        for (local, object) in state.frame().objects.clone().into_iter_enumerated() {
            let region = self.fill_with_symbols(&mut state, object);
            symbols.objects.push((ObjRef::Local(local), region));
        }
        (state, symbols)
    }

    /// Gives a living object symbols for its bytes.
    fn fill_with_symbols(&mut self, state: &mut State, object: ObjId) -> RegionId {
        let region = self.new_region();
        let content = Arc::new(Content::Cells(Cells::filled(Fill::Region(region, 0))));
        state.memory.set(object.0, Object { content, alive: TermId::bool(true) });
        region
    }

    /// The scalars in memory that have names, and values that are neither constants nor pointers. Of an object that became
    /// an array there are none; no more than so many. Pointers in these registers lead to some.
    pub fn named_scalars(&self, state: &State, pointers: &[VarRef], most: usize) -> Vec<NamedScalar> {
        let mut found = Vec::new();
        for (id, place) in self.named_places(state, pointers) {
            let Some(Content::Cells(cells)) = state.memory.get(id.0).map(|o| &*o.content) else { continue };
            for (at, cell) in cells.all() {
                if let (Value::Term(term), Ty::Int(_) | Ty::Float(_)) = (&cell.value, cell.ty)
                    && let Some(part) = place.part(at)
                {
                    found.push(NamedScalar { part, ty: cell.ty, term: *term });
                }
            }
            for (i, (from, fill)) in cells.pieces().iter().enumerate() {
                let Fill::Region(region, shift) = fill else { continue };
                let end = cells.pieces().get(i + 1).map_or(u64::MAX, |(next, _)| *next);
                for (at, term) in &self.region(*region).symbols {
                    let at = at.wrapping_add(*shift);
                    let bytes = self.terms.width(*term) as u64 / 8;
                    let is_whole = at >= *from && at.checked_add(bytes).is_some_and(|to| to <= end);
                    if is_whole
                        && bytes <= 8
                        && cells.touching(at, at + bytes).next().is_none()
                        && let Some(part) = place.part(at)
                    {
                        found.push(NamedScalar { part, ty: Ty::Int(bytes as u8 * 8), term: *term });
                    }
                }
            }
            if found.len() >= most {
                found.truncate(most);
                break;
            }
        }
        found
    }

    /// The objects that have names, each once: static ones, those of the running activation, those that pointers in registers lead to,
    /// and those that pointers in these lead to.
    fn named_places(&self, state: &State, pointers: &[VarRef]) -> Vec<(ObjId, NamedPlace)> {
        let own = state.frame().objects.iter_enumerated();
        let own = own.map(|(local, object)| (*object, ObjRef::Local(local)));
        let statics = self.program.objects.keys().map(|object| (ObjId(object.0), ObjRef::Global(object)));
        let mut found: Vec<(ObjId, NamedPlace)> =
            own.chain(statics).map(|(id, object)| (id, NamedPlace::Object(object))).collect();
        let mut known: FxHashSet<ObjId> = found.iter().map(|(id, _)| *id).collect();
        let mut direct = Vec::new();
        for pointer in pointers {
            let place = state.register(*pointer).and_then(|value| self.certain_pointee(state, value));
            if let Some((object, offset)) = place.filter(|(object, _)| known.insert(*object)) {
                found.push((object, NamedPlace::Behind { pointer: *pointer, through: None, offset }));
                direct.push((*pointer, object, offset));
            }
        }
        for (pointer, object, from) in direct {
            let Some(Content::Cells(cells)) = state.memory.get(object.0).map(|o| &*o.content) else { continue };
            for (at, cell) in cells.all().filter(|(at, cell)| cell.ty == Ty::Ptr && *at >= from) {
                let place = self.certain_pointee(state, &cell.value).filter(|(object, _)| known.insert(*object));
                if let Some((object, offset)) = place {
                    found.push((object, NamedPlace::Behind { pointer, through: Some(at - from), offset }));
                }
            }
        }
        found
    }

    /// A static object, or one of the running activation.
    pub(crate) fn named_object(&self, state: &State, object: ObjRef) -> Option<ObjId> {
        match object {
            ObjRef::Global(object) => Some(ObjId(object.0)),
            ObjRef::Local(object) => state.frame().objects.get(object).copied(),
        }
    }

    /// So many bytes of an object as one bit-vector, the first lowest; `None` where the object has not so many.
    pub fn bytes(&mut self, state: &State, object: ObjRef, at: u64, size: u64) -> Option<TermId> {
        let object = self.named_object(state, object)?;
        self.object_bytes(state, object, at, size)
    }

    fn object_bytes(&mut self, state: &State, object: ObjId, at: u64, size: u64) -> Option<TermId> {
        let whole = self.objects[object].const_size()?;
        if size == 0 || size > 8 || at.checked_add(size)? > whole {
            return None;
        }
        let ty = Ty::Int(size as u8 * 8);
        let content = state.memory.get(object.0)?.content.clone();
        let value = match &*content {
            Content::Cells(cells) => self.cells_load(cells, at, ty),
            Content::Array(array) => {
                let offset = self.offset_term(at);
                self.array_load(array, offset, ty)
            }
        };
        Some(self.bits_of(&value, ty))
    }

    /// The scalar of a type at an offset of an object; `None` where the object is not there or has become an array.
    pub fn scalar_at(&mut self, state: &State, object: ObjId, at: u64, ty: Ty) -> Option<Value> {
        let content = state.memory.get(object.0)?.content.clone();
        match &*content {
            Content::Cells(cells) => Some(self.cells_load(cells, at, ty)),
            Content::Array(_) => None,
        }
    }

    /// The region that gives the byte at an offset of an object, if one does.
    pub fn region_at(&self, state: &State, object: ObjId, at: u64) -> Option<RegionId> {
        match &*state.memory.get(object.0)?.content {
            Content::Cells(cells) => match cells.fill_at(at).0 {
                Fill::Region(region, 0) => Some(region),
                Fill::Region(..) | Fill::Byte(_) | Fill::Initial(..) => None,
            },
            Content::Array(_) => None,
        }
    }

    /// The state at the start of the program, but with symbols for the initial values of globals. Pointers, and objects that
    /// hold some, keep theirs.
    pub fn start_unknown(&mut self) -> (State, TemplateSymbols) {
        let program = self.program;
        let mut state = self.start();
        let mut initial = TemplateSymbols::default();
        for (var, info) in program.vars.iter_enumerated() {
            if info.ty != Ty::Ptr && state.globals.get(var.0).is_some_and(|v| v.as_const().is_some()) {
                let term = self.terms.fresh_symbol(&info.name, sort_of(info.ty, &program.target));
                state.globals.set(var.0, Value::Term(term));
                initial.registers.push((VarRef::Global(var), term));
            }
        }
        for (object, info) in program.objects.iter_enumerated() {
            if !info.holds_addresses() && !info.read_only {
                let region = self.fill_with_symbols(&mut state, ObjId(object.0));
                initial.objects.push((ObjRef::Global(object), region));
            }
        }
        (state, initial)
    }
}
