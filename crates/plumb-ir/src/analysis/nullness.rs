//! What pointers may be that point to no object: null, or another number.
//!
//! The points-to analysis says which objects a pointer may point into, "or nowhere". This one says where nowhere can be: a
//! pointer that is only ever assigned addresses of objects is none of these, one that starts as null and is assigned
//! addresses is null or one of them, and one that comes from an integer, from uninitialised memory or from null moved by some
//! bytes may be any number. Flow-insensitive, on top of the points-to solution: registers one by one, memory by the
//! words of abstract objects.
//!
//! **Soundness.** Every assignment of a register and every write to memory adds what the value may be. Writes of other types
//! than pointers make the words that they touch numbers, but for zeros, which are null; objects that start without a value
//! are numbers from the beginning.

use crate::analysis::Analyses;
use crate::analysis::callgraph::CallGraph;
use crate::analysis::pointsto::{Object, PointsTo, Targets};
use crate::expr::{CastOp, ExprId, ExprKind};
use crate::index::TiVec;
use crate::program::{
    Callee, DatumValue, EdgeId, Extent, FuncId, Function, GlobalVar, HavocPlace, Intrinsic, LocalVar, Op, Place,
    Program, ScalarInit, VarRef,
};
use crate::ty::{Bits, Ty};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a pointer may be that points to no object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoObject {
    pub null: bool,
    /// A number other than null.
    pub number: bool,
}

impl NoObject {
    const NEVER: NoObject = NoObject { null: false, number: false };
    const NULL: NoObject = NoObject { null: true, number: false };
    const ANY: NoObject = NoObject { null: true, number: true };

    fn or(self, other: NoObject) -> NoObject {
        NoObject { null: self.null || other.null, number: self.number || other.number }
    }
}

/// The words of an abstract object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Words {
    /// Of all words.
    every: NoObject,
    /// In addition, by offset.
    at: BTreeMap<u64, NoObject>,
}

pub struct Nullness {
    globals: TiVec<GlobalVar, NoObject>,
    locals: TiVec<FuncId, TiVec<LocalVar, NoObject>>,
    results: TiVec<FuncId, NoObject>,
    objects: FxHashMap<Object, Words>,
    /// Of all words of all objects.
    everywhere: NoObject,
    has_changed: bool,
}

impl Nullness {
    pub fn of(analyses: &Analyses) -> Nullness {
        let (program, calls, points_to) = (analyses.program(), analyses.resolved_calls(), analyses.points_to());
        let mut nullness = Nullness {
            globals: vec![NoObject::NEVER; program.vars.len()].into(),
            locals: program.functions.iter().map(|f| vec![NoObject::NEVER; f.vars.len()].into()).collect(),
            results: vec![NoObject::NEVER; program.functions.len()].into(),
            objects: FxHashMap::default(),
            everywhere: NoObject::NEVER,
            has_changed: true,
        };
        nullness.begin(analyses);
        while std::mem::take(&mut nullness.has_changed) {
            for func in program.function_ids() {
                let function = program.function(func);
                let memo = vec![None; function.exprs.len()].into();
                let mut pass = Pass { nullness: &mut nullness, program, calls, points_to, func, function, memo };
                function.edge_ids().for_each(|edge| pass.edge(edge));
            }
        }
        nullness
    }

    pub fn global(&self, var: GlobalVar) -> NoObject {
        self.globals[var]
    }

    pub fn local(&self, func: FuncId, var: LocalVar) -> NoObject {
        self.locals[func][var]
    }

    /// What the word at an offset may be, a multiple of the size of a word.
    pub fn word(&self, object: Object, offset: u64) -> NoObject {
        let words = self.words(object);
        let here = words.at.get(&offset).copied().unwrap_or_default();
        self.everywhere.or(words.every).or(here)
    }

    fn words(&self, object: Object) -> std::borrow::Cow<'_, Words> {
        match (self.objects.get(&object), object) {
            (Some(words), _) => std::borrow::Cow::Borrowed(words),
            (None, Object::Function(_)) => std::borrow::Cow::Owned(Words::default()),
            (None, Object::Global(_) | Object::Local(..) | Object::Heap(..) | Object::Stack(..)) => {
                std::borrow::Cow::Owned(uninitialised(object))
            }
        }
    }

    fn begin(&mut self, analyses: &Analyses) {
        let program = analyses.program();
        for (id, var) in program.vars.iter_enumerated() {
            self.globals[id] = match var.init {
                ScalarInit::Const(bits) => constant(bits),
                ScalarInit::Object(..) | ScalarInit::Function(_) => NoObject::NEVER,
            };
        }
        let word = program.target.pointer_bytes;
        for (id, info) in program.objects.iter_enumerated() {
            let mut words = Words { every: NoObject::NULL, ..Words::default() };
            for datum in &info.init {
                let length = match &datum.value {
                    DatumValue::Bytes(bytes) => bytes.len() as u64,
                    DatumValue::Object(..) | DatumValue::Function(_) if datum.offset % word == 0 => continue,
                    DatumValue::Object(..) | DatumValue::Function(_) => word,
                };
                for at in touched(datum.offset, length, word) {
                    words.at.insert(at, NoObject::ANY);
                }
            }
            self.objects.insert(Object::Global(id), words);
        }
        for func in program.function_ids() {
            let function = program.function(func);
            let live = &analyses.shape(func).live;
            for var in function.vars.keys() {
                // Read before it is assigned.
                let is_given = var.0 < function.param_count && func != program.start;
                if !is_given && live.is_live(function.entry, VarRef::Local(var)) {
                    self.locals[func][var] = NoObject::ANY;
                }
            }
        }
    }

    fn add_to(&mut self, func: FuncId, var: VarRef, what: NoObject) {
        let known = match var {
            VarRef::Global(var) => &mut self.globals[var],
            VarRef::Local(var) => &mut self.locals[func][var],
        };
        self.has_changed |= known.or(what) != *known;
        *known = known.or(what);
    }

    /// Adds to all words of an object.
    fn add_to_object(&mut self, object: Object, what: NoObject) {
        let words = self.objects.entry(object).or_insert_with(|| uninitialised(object));
        self.has_changed |= words.every.or(what) != words.every;
        words.every = words.every.or(what);
    }

    fn add_to_word(&mut self, object: Object, offset: u64, what: NoObject) {
        let words = self.objects.entry(object).or_insert_with(|| uninitialised(object));
        let known = words.at.entry(offset).or_default();
        self.has_changed |= known.or(what) != *known;
        *known = known.or(what);
    }

    fn add_everywhere(&mut self, what: NoObject) {
        self.has_changed |= self.everywhere.or(what) != self.everywhere;
        self.everywhere = self.everywhere.or(what);
    }
}

/// Objects of activations and of the heap hold garbage at first.
fn uninitialised(object: Object) -> Words {
    let every = match object {
        Object::Global(_) | Object::Function(_) => NoObject::NEVER,
        Object::Local(..) | Object::Heap(..) | Object::Stack(..) => NoObject::ANY,
    };
    Words { every, at: BTreeMap::new() }
}

fn constant(bits: Bits) -> NoObject {
    if bits.is_zero() { NoObject::NULL } else { NoObject { null: false, number: true } }
}

/// The offsets of the words that a range of bytes touches.
fn touched(from: u64, length: u64, word: u64) -> impl Iterator<Item = u64> {
    (from / word..(from + length).div_ceil(word)).map(move |i| i * word)
}

struct Pass<'a> {
    nullness: &'a mut Nullness,
    program: &'a Program,
    calls: &'a CallGraph,
    points_to: &'a PointsTo,
    func: FuncId,
    function: &'a Function,
    memo: TiVec<ExprId, Option<NoObject>>,
}

impl Pass<'_> {
    fn is_pointer(&self, var: VarRef) -> bool {
        let ty = match var {
            VarRef::Global(var) => self.program.var(var).ty,
            VarRef::Local(var) => self.function.var(var).ty,
        };
        ty == Ty::Ptr
    }

    fn value(&mut self, id: ExprId) -> NoObject {
        if let Some(known) = self.memo[id] {
            return known;
        }
        let found = self.evaluate(id);
        self.memo[id] = Some(found);
        found
    }

    fn evaluate(&mut self, id: ExprId) -> NoObject {
        let exprs = &self.function.exprs;
        match exprs.kind(id) {
            ExprKind::Const(bits) => constant(bits),
            // Values of other types: only zeros are known not to be numbers.
            _ if exprs.ty(id) != Ty::Ptr => NoObject::ANY,
            ExprKind::Addr(_) | ExprKind::FuncAddr(_) => NoObject::NEVER,
            ExprKind::Var(VarRef::Global(var)) => self.nullness.global(var),
            ExprKind::Var(VarRef::Local(var)) => self.nullness.local(self.func, var),
            ExprKind::Load(addr) => self.loaded(addr),
            ExprKind::PtrAdd(base, by) => {
                let base = self.value(base);
                let stays = matches!(exprs.kind(by), ExprKind::Const(bits) if bits.is_zero());
                if stays || base == NoObject::NEVER { base } else { NoObject::ANY }
            }
            ExprKind::Ite(_, a, b) => {
                let a = self.value(a);
                a.or(self.value(b))
            }
            ExprKind::Cast(CastOp::IntToPtr, a) => match exprs.kind(a) {
                ExprKind::Const(bits) => constant(bits),
                _ => NoObject::ANY,
            },
            _ => NoObject::ANY,
        }
    }

    fn loaded(&mut self, addr: ExprId) -> NoObject {
        let Targets::Known(list) = self.points_to.targets(self.func, addr) else { return NoObject::ANY };
        let word = self.program.target.pointer_bytes;
        let mut found = NoObject::NEVER;
        for target in list {
            found = found.or(match target.offset {
                Some(offset) if offset >= 0 && (offset as u64).is_multiple_of(word) => {
                    self.nullness.word(target.object, offset as u64)
                }
                Some(_) => NoObject::ANY,
                None => self.any_word(target.object),
            });
        }
        found
    }

    fn any_word(&self, object: Object) -> NoObject {
        let words = self.nullness.words(object);
        words.at.values().fold(self.nullness.everywhere.or(words.every), |all, one| all.or(*one))
    }

    fn edge(&mut self, id: EdgeId) {
        match &self.function.edge(id).op {
            Op::Assign { to: Place::Var(var), value } if self.is_pointer(*var) => {
                let value = self.value(*value);
                self.nullness.add_to(self.func, *var, value);
            }
            Op::Assign { to: Place::Mem(addr), value } => {
                let what = self.value(*value);
                self.store(*addr, self.function.exprs.ty(*value), what);
            }
            Op::Havoc { to: HavocPlace::Var(var), .. } => self.nullness.add_to(self.func, *var, NoObject::ANY),
            Op::Havoc { to: HavocPlace::Region { addr, .. }, .. } => self.fill(*addr, NoObject::ANY),
            Op::Havoc { to: HavocPlace::Objects { addr, extent: Extent::Object }, .. } => {
                self.fill(*addr, NoObject::ANY)
            }
            // Whatever can be reached from there.
            Op::Havoc { to: HavocPlace::Objects { extent: Extent::Reached | Extent::Behind, .. }, .. } => {
                self.nullness.add_everywhere(NoObject::ANY);
            }
            op @ Op::Call { callee: Callee::Intrinsic(Intrinsic::NewStack), .. } => {
                self.call(id, None, op.passed_args())
            }
            Op::Call { to, callee: Callee::Intrinsic(intrinsic), args } => self.intrinsic(*to, *intrinsic, args),
            Op::Call { to, args, .. } => self.call(id, *to, args),
            Op::Return(value) => {
                let value = value.map_or(NoObject::ANY, |value| self.value(value));
                let known = &mut self.nullness.results[self.func];
                let all = known.or(value);
                self.nullness.has_changed |= all != *known;
                *known = all;
            }
            Op::Assign { .. } | Op::Assume { .. } | Op::Check { .. } => {}
        }
    }

    fn store(&mut self, addr: ExprId, ty: Ty, what: NoObject) {
        let Targets::Known(list) = self.points_to.targets(self.func, addr) else {
            return self.nullness.add_everywhere(what);
        };
        let (word, size) = (self.program.target.pointer_bytes, ty.bytes(&self.program.target));
        for target in list {
            match target.offset {
                Some(offset) if offset < 0 => {}
                Some(offset) if ty == Ty::Ptr && (offset as u64).is_multiple_of(word) => {
                    self.nullness.add_to_word(target.object, offset as u64, what);
                }
                // A part of a pointer that is written over leaves a number, be it by zeros.
                Some(offset) => {
                    let is_whole = size == word && (offset as u64).is_multiple_of(word);
                    let what = if is_whole { what } else { NoObject::ANY };
                    for at in touched(offset as u64, size, word) {
                        self.nullness.add_to_word(target.object, at, what);
                    }
                }
                None if ty == Ty::Ptr => self.nullness.add_to_object(target.object, what),
                None => self.nullness.add_to_object(target.object, NoObject::ANY),
            }
        }
    }

    /// Writes to a range of unknown size.
    fn fill(&mut self, addr: ExprId, what: NoObject) {
        match self.points_to.targets(self.func, addr) {
            Targets::Known(list) => {
                list.iter().for_each(|target| self.nullness.add_to_object(target.object, what));
            }
            Targets::Unknown => self.nullness.add_everywhere(what),
        }
    }

    fn intrinsic(&mut self, to: Option<VarRef>, intrinsic: Intrinsic, args: &[ExprId]) {
        match (intrinsic, args) {
            (Intrinsic::HeapAlloc | Intrinsic::StackAlloc, _) => {}
            // Bytes may be cut out of pointers and zeros written over parts of them.
            (Intrinsic::MemCopy, [target, _, _]) | (Intrinsic::MemSet, [target, _, _]) => {
                self.fill(*target, NoObject::ANY);
            }
            _ => {
                if let Some(to) = to {
                    self.nullness.add_to(self.func, to, NoObject::ANY);
                }
            }
        }
    }

    fn call(&mut self, edge: EdgeId, to: Option<VarRef>, args: &[ExprId]) {
        let args: Vec<NoObject> = args.iter().map(|arg| self.value(*arg)).collect();
        for callee in self.calls.targets(self.func, edge) {
            for i in 0..self.program.function(callee).param_count {
                let arg = args.get(i as usize).copied().unwrap_or(NoObject::ANY);
                self.nullness.add_to(callee, VarRef::Local(LocalVar(i)), arg);
            }
            if let Some(to) = to {
                let result = self.nullness.results[callee];
                self.nullness.add_to(self.func, to, result);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analyses;
    use crate::program::{GlobalObj, Loc, LocalObj, ObjRef};
    use crate::sample::{self, Body};

    const F: FuncId = FuncId(0);

    /// `p` is assigned an address and moved, `q` an address or null, `r` what `q` is moved to, `s` a number.
    #[test]
    fn registers_are_what_they_are_assigned() {
        let mut b = Body::new("f", &[], None);
        let x = b.object("x", 16);
        let names = ["p", "q", "r", "s"].map(|name| b.var(name, Ty::Ptr));
        let [p, q, r, s] = names;
        let (px, null) = (b.addr(x, 0), b.push(ExprKind::Const(Bits::ZERO), Ty::Ptr));
        let number = b.push(ExprKind::Const(Bits::new(16, 64)), Ty::Ptr);
        let at = b.assign(Loc(0), p, px);
        let (vp, four) = (b.get(p), b.make().size(4));
        let moved = b.make().ptr_add(vp, four);
        let at = b.assign(at, p, moved);
        let at = b.assign(at, q, null);
        let at = b.assign(at, q, vp);
        let vq = b.get(q);
        let moved = b.make().ptr_add(vq, four);
        let at = b.assign(at, r, moved);
        let at = b.assign(at, s, number);
        b.ret(at, None);
        let analyses = Analyses::new(&sample::program(vec![b.finish()]));
        let found = [0, 1, 2, 3].map(|i| analyses.nullness().local(F, LocalVar(i)));
        let number = NoObject { null: false, number: true };
        assert_eq!(found, [NoObject::NEVER, NoObject::NULL, NoObject::ANY, number]);
    }

    /// A static object starts with zeros; a number that is written beside a pointer leaves that alone.
    #[test]
    fn words_are_what_is_written_there() {
        let mut b = Body::new("f", &[], None);
        let x = b.object("x", 8);
        let (px, one) = (b.addr(x, 0), b.int(1));
        let g = ObjRef::Global(GlobalObj(0));
        let (g0, g8) = (b.addr(g, 0), b.addr(g, 8));
        let at = b.store(Loc(0), g0, one);
        let at = b.store(at, g8, px);
        b.ret(at, None);
        let mut program = sample::program(vec![b.finish()]);
        sample::add_object(&mut program, "g", 16);
        let analyses = Analyses::new(&program);
        let nullness = analyses.nullness();
        let word = |at: u64| nullness.word(Object::Global(GlobalObj(0)), at);
        assert_eq!([word(0), word(8)], [NoObject::ANY, NoObject::NULL]);
        assert_eq!(nullness.word(Object::Local(F, LocalObj(0)), 0), NoObject::ANY);
    }
}
