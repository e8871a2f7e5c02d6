//! Mod/ref analysis: which global registers and which memory objects a function, or anything that it calls, may read
//! and write.
//!
//! **Idea.** The accesses of each edge follow from its expressions and the points-to analysis; a function's effects
//! are those of its edges and of the functions that the call graph lets it call, as the least fixpoint, callees
//! first. Besides contents there is one more thing that edges read and write: which objects are alive
//! ([`Accesses::lifetimes`]). Objects are those of the points-to analysis, so one name may stand for many: a local
//! object for that of every activation, an allocation edge for all that it allocated.
//!
//! **Soundness.** For every run of the program and every call in it: a global register whose value differs between
//! the call and its return is in the callee's `writes.registers`; an object that lived before the call and any byte
//! of which differs is in `writes.objects`, or that is [`Objects::Any`]; what influences how the call goes on is in
//! `reads` likewise. "Any" is the answer wherever the points-to analysis does not know a pointer's targets, was given
//! up, or never met the function. What the points-to analysis takes for granted is taken for granted here: an access
//! stays inside the object that its address was computed from. A call edge that runs functions has the effects of its
//! own expressions, of the register that takes the result, and of all callees.

use crate::analysis::bits::BitSet;
use crate::analysis::callgraph::CallGraph;
use crate::analysis::pointsto::{Object, PointsTo, Targets};
use crate::expr::{ExprId, ExprKind};
use crate::index::TiVec;
use crate::program::{
    Callee, EdgeId, Extent, FuncId, Function, GlobalVar, HavocPlace, Intrinsic, Op, Place, Program, VarRef,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Memory objects: some, or there is no telling which.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Objects {
    Any,
    Known(BTreeSet<Object>),
}

impl Objects {
    pub fn none() -> Objects {
        Objects::Known(BTreeSet::new())
    }

    pub fn is_empty(&self) -> bool {
        matches!(self, Objects::Known(list) if list.is_empty())
    }

    pub fn contains(&self, object: Object) -> bool {
        match self {
            Objects::Any => true,
            Objects::Known(list) => list.contains(&object),
        }
    }

    /// Whether some object may be in both.
    pub fn meets(&self, other: &Objects) -> bool {
        match (self, other) {
            (Objects::Any, other) | (other, Objects::Any) => !other.is_empty(),
            (Objects::Known(a), Objects::Known(b)) => {
                let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
                few.iter().any(|object| many.contains(object))
            }
        }
    }

    /// Adds what the other has; tells whether anything is new.
    pub fn add_all(&mut self, other: &Objects) -> bool {
        match (&mut *self, other) {
            (Objects::Any, _) => false,
            (Objects::Known(_), Objects::Any) => {
                *self = Objects::Any;
                true
            }
            (Objects::Known(list), Objects::Known(new)) => {
                let before = list.len();
                list.extend(new.iter().copied());
                list.len() != before
            }
        }
    }
}

/// What is read, or what is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accesses {
    pub registers: BTreeSet<GlobalVar>,
    pub objects: Objects,
    /// Which objects are alive, where they lie and how large they are: allocation and `free` write it, questions
    /// about memory read it.
    pub lifetimes: bool,
}

impl Accesses {
    fn none() -> Accesses {
        Accesses { registers: BTreeSet::new(), objects: Objects::none(), lifetimes: false }
    }

    pub fn is_empty(&self) -> bool {
        self.registers.is_empty() && self.objects.is_empty() && !self.lifetimes
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effects {
    pub reads: Accesses,
    pub writes: Accesses,
}

/// The effects of all functions of a program.
pub struct ModRef {
    functions: TiVec<FuncId, Effects>,
}

impl ModRef {
    /// The call graph must have an edge for every call that any run can make.
    pub fn of(program: &Program, graph: &CallGraph, points_to: &PointsTo) -> ModRef {
        let own: Vec<Effects> = program.function_ids().map(|id| own_effects(program, points_to, id)).collect();
        let mut table = Table::new(program.vars.len(), &own);
        let mut sums: TiVec<FuncId, [Row; 2]> =
            own.iter().map(|e| [table.row(&e.reads), table.row(&e.writes)]).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &id in graph.bottom_up() {
                for call in graph.callees(id).iter().filter(|call| call.callee != id) {
                    let callee = sums[call.callee].clone();
                    for (sum, new) in sums[id].iter_mut().zip(&callee) {
                        changed |= sum.add_all(new);
                    }
                }
            }
        }
        let functions =
            sums.iter().map(|[reads, writes]| Effects { reads: table.accesses(reads), writes: table.accesses(writes) });
        ModRef { functions: functions.collect() }
    }

    /// Of a function and what it calls.
    pub fn function(&self, id: FuncId) -> &Effects {
        &self.functions[id]
    }

    /// Of an edge: for a call, of what it runs too.
    pub fn edge(
        &self,
        program: &Program,
        graph: &CallGraph,
        points_to: &PointsTo,
        id: FuncId,
        edge: EdgeId,
    ) -> Effects {
        let mut effects = edge_effects(program, points_to, id, edge);
        for callee in graph.targets(id, edge) {
            effects.add_all(self.function(callee));
        }
        effects
    }
}

impl Effects {
    fn none() -> Effects {
        Effects { reads: Accesses::none(), writes: Accesses::none() }
    }

    fn add_all(&mut self, other: &Effects) {
        for (sum, new) in [(&mut self.reads, &other.reads), (&mut self.writes, &other.writes)] {
            sum.registers.extend(new.registers.iter().copied());
            sum.objects.add_all(&new.objects);
            sum.lifetimes |= new.lifetimes;
        }
    }
}

/// The effects of a function's edges, without those of the functions that it calls.
fn own_effects(program: &Program, points_to: &PointsTo, id: FuncId) -> Effects {
    let mut effects = Effects::none();
    for edge in program.function(id).edge_ids() {
        effects.add_all(&edge_effects(program, points_to, id, edge));
    }
    effects
}

/// The effects of one edge, without those of the functions that it calls.
pub fn edge_effects(program: &Program, points_to: &PointsTo, id: FuncId, edge: EdgeId) -> Effects {
    let function = program.function(id);
    let mut walk = Walk { program, points_to, id, function, effects: Effects::none() };
    walk.op(&function.edge(edge).op);
    walk.effects
}

struct Walk<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    id: FuncId,
    function: &'a Function,
    effects: Effects,
}

impl Walk<'_> {
    fn op(&mut self, op: &Op) {
        op.exprs().for_each(|expr| self.value(expr));
        if let Some(VarRef::Global(var)) = op.written() {
            self.effects.writes.registers.insert(var);
        }
        match op {
            Op::Assign { to: Place::Mem(addr), .. } | Op::Havoc { to: HavocPlace::Region { addr, .. }, .. } => {
                self.writes(*addr);
            }
            Op::Havoc { to: HavocPlace::Objects { addr, extent }, .. } => {
                // How long the input is depends on which objects there are.
                self.effects.reads.lifetimes = true;
                match extent {
                    Extent::Object => self.writes(*addr),
                    // What the objects hold decides which others are reached.
                    Extent::Reached | Extent::Behind => {
                        self.effects.reads.objects = Objects::Any;
                        self.effects.writes.objects = Objects::Any;
                    }
                }
            }
            Op::Call { callee: Callee::Intrinsic(intrinsic), args, .. } => self.intrinsic(*intrinsic, args),
            Op::Assign { to: Place::Var(_), .. }
            | Op::Havoc { to: HavocPlace::Var(_), .. }
            | Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. }
            | Op::Assume { .. }
            | Op::Return(_)
            | Op::Check { .. } => {}
        }
    }

    fn intrinsic(&mut self, intrinsic: Intrinsic, args: &[ExprId]) {
        match intrinsic {
            Intrinsic::HeapAlloc | Intrinsic::StackAlloc => {
                // Where a new object lies depends on what is alive.
                self.effects.reads.lifetimes = true;
                self.effects.writes.lifetimes = true;
            }
            // What dies is not read any more: its content needs no mention.
            Intrinsic::Free | Intrinsic::StackFree => {
                self.effects.reads.lifetimes = true;
                self.effects.writes.lifetimes = true;
            }
            Intrinsic::MemCopy => match args {
                [to, from, ..] => {
                    self.writes(*to);
                    self.reads(*from);
                }
                _ => self.anything(),
            },
            Intrinsic::MemSet => match args {
                [to, ..] => self.writes(*to),
                [] => self.anything(),
            },
            // A string and what the arguments point to.
            Intrinsic::Print => self.effects.reads.objects = Objects::Any,
            Intrinsic::Exit | Intrinsic::Abort | Intrinsic::CurrentStack => {}
            // Which number is free depends on what others have made and ended.
            Intrinsic::NewStack => {
                self.effects.reads.lifetimes = true;
                self.effects.writes.lifetimes = true;
            }
            // Any code of any other stack may run.
            Intrinsic::SwitchStack | Intrinsic::EndStack => {
                self.anything();
                let registers: BTreeSet<GlobalVar> = self.program.vars.keys().collect();
                for accesses in [&mut self.effects.reads, &mut self.effects.writes] {
                    accesses.registers.extend(&registers);
                    accesses.lifetimes = true;
                }
            }
        }
    }

    fn anything(&mut self) {
        self.effects.reads.objects = Objects::Any;
        self.effects.writes.objects = Objects::Any;
    }

    fn objects(&self, addr: ExprId) -> Objects {
        match self.points_to.targets(self.id, addr) {
            Targets::Unknown => Objects::Any,
            Targets::Known(list) => {
                // Any pointer may be a number that leads to memory from outside.
                let foreign = self.program.foreign_memory().filter(|_| !self.is_in_object(addr));
                let known = list.into_iter().map(|target| target.object);
                Objects::Known(known.chain(foreign.map(Object::Global)).collect())
            }
        }
    }

    /// Whether the address was computed from that of an object by name.
    fn is_in_object(&self, addr: ExprId) -> bool {
        match self.function.exprs.kind(addr) {
            ExprKind::Addr(_) => true,
            ExprKind::PtrAdd(base, _) => self.is_in_object(base),
            _ => false,
        }
    }

    fn reads(&mut self, addr: ExprId) {
        let objects = self.objects(addr);
        self.effects.reads.objects.add_all(&objects);
    }

    fn writes(&mut self, addr: ExprId) {
        let objects = self.objects(addr);
        self.effects.writes.objects.add_all(&objects);
    }

    fn value(&mut self, root: ExprId) {
        let mut seen = BTreeSet::new();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let kind = self.function.exprs.kind(id);
            stack.extend(kind.operands());
            match kind {
                ExprKind::Var(VarRef::Global(var)) => {
                    self.effects.reads.registers.insert(var);
                }
                ExprKind::Load(addr) => self.reads(addr),
                ExprKind::InBounds { .. }
                | ExprKind::Freeable(_)
                | ExprKind::IsLive(_)
                | ExprKind::SameObject(..)
                | ExprKind::BytesLeft(_)
                | ExprKind::ObjectOffset(_)
                | ExprKind::HeapEmpty => self.effects.reads.lifetimes = true,
                // Whatever holds a pointer counts.
                ExprKind::NoLeak(_) => {
                    self.effects.reads.lifetimes = true;
                    self.effects.reads.objects = Objects::Any;
                }
                ExprKind::Var(VarRef::Local(_))
                | ExprKind::Const(_)
                | ExprKind::Addr(_)
                | ExprKind::FuncAddr(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cast(..)
                | ExprKind::Ite(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::PtrAdd(..)
                | ExprKind::PtrDiff(..)
                | ExprKind::Extract { .. }
                | ExprKind::Insert { .. }
                | ExprKind::Fma(..)
                | ExprKind::Callable { .. } => {}
            }
        }
    }
}

/// Objects by number, so that sums over a large call graph are sums of bits.
struct Table {
    registers: usize,
    objects: Vec<Object>,
    numbers: FxHashMap<Object, usize>,
}

/// One side of a function's effects.
#[derive(Clone)]
struct Row {
    registers: BitSet,
    objects: BitSet,
    any_object: bool,
    lifetimes: bool,
}

impl Row {
    fn add_all(&mut self, other: &Row) -> bool {
        let registers = self.registers.union(&other.registers);
        let objects = self.objects.union(&other.objects);
        let flags = (other.any_object && !self.any_object) || (other.lifetimes && !self.lifetimes);
        self.any_object |= other.any_object;
        self.lifetimes |= other.lifetimes;
        registers || objects || flags
    }
}

impl Table {
    fn new(registers: usize, own: &[Effects]) -> Table {
        let mut table = Table { registers, objects: Vec::new(), numbers: FxHashMap::default() };
        for accesses in own.iter().flat_map(|e| [&e.reads, &e.writes]) {
            let Objects::Known(list) = &accesses.objects else { continue };
            for &object in list {
                let next = table.objects.len();
                if *table.numbers.entry(object).or_insert(next) == next {
                    table.objects.push(object);
                }
            }
        }
        table
    }

    fn row(&mut self, accesses: &Accesses) -> Row {
        let mut row = Row {
            registers: BitSet::new(self.registers),
            objects: BitSet::new(self.objects.len()),
            any_object: accesses.objects == Objects::Any,
            lifetimes: accesses.lifetimes,
        };
        for var in &accesses.registers {
            row.registers.insert(var.0 as usize);
        }
        if let Objects::Known(list) = &accesses.objects {
            for object in list {
                row.objects.insert(self.numbers[object]);
            }
        }
        row
    }

    fn accesses(&self, row: &Row) -> Accesses {
        Accesses {
            registers: row.registers.iter().map(|i| GlobalVar(i as u32)).collect(),
            objects: match row.any_object {
                true => Objects::Any,
                false => Objects::Known(row.objects.iter().map(|i| self.objects[i]).collect()),
            },
            lifetimes: row.lifetimes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{GlobalObj, Loc, LocalVar};
    use crate::sample::{self, Body, I32};
    use crate::ty::Ty;

    fn effects(program: &Program) -> ModRef {
        let points_to = PointsTo::of(program);
        ModRef::of(program, &CallGraph::of(program, Some(&points_to)), &points_to)
    }

    #[test]
    fn callers_have_the_effects_of_their_callees() {
        let mut program = sample::program(Vec::new());
        let g = sample::add_global(&mut program, "g", I32);
        let (a, b) = (sample::add_object(&mut program, "a", 4), sample::add_object(&mut program, "b", 4));
        let mut start = Body::new("start", &[], None);
        let to_a = start.addr(a, 0);
        let at = start.call(Loc(0), None, FuncId(1), vec![to_a]);
        start.ret(at, None);
        let mut set = Body::new("set", &[("p", Ty::Ptr)], None);
        let (p, from_b) = (set.get(VarRef::Local(LocalVar(0))), set.addr(b, 0));
        let value = set.load(from_b, I32);
        let at = set.store(Loc(0), p, value);
        let at = set.assign(at, g, value);
        set.ret(at, None);
        let mut pure = Body::new("pure", &[], None);
        pure.ret(Loc(0), None);
        program.functions = [start, set, pure].map(|body| std::sync::Arc::new(body.finish())).to_vec().into();
        let found = effects(&program);
        for id in [FuncId(0), FuncId(1)] {
            let Effects { reads, writes } = found.function(id);
            assert_eq!(writes.registers, [GlobalVar(0)].into());
            assert_eq!(writes.objects, Objects::Known([Object::Global(GlobalObj(0))].into()));
            assert_eq!(reads.objects, Objects::Known([Object::Global(GlobalObj(1))].into()));
        }
        let pure = found.function(FuncId(2));
        assert!(pure.reads.is_empty() && pure.writes.is_empty());
    }

    #[test]
    fn an_unknown_pointer_may_write_anything() {
        let mut program = sample::program(Vec::new());
        let input = sample::add_input(&mut program, Ty::Ptr);
        let mut start = Body::new("start", &[], None);
        let p = start.var("p", Ty::Ptr);
        let at = start.step(Loc(0), Op::Havoc { to: HavocPlace::Var(p), input });
        let (to, one) = (start.get(p), start.int(1));
        let at = start.store(at, to, one);
        start.ret(at, None);
        program.functions = vec![std::sync::Arc::new(start.finish())].into();
        assert_eq!(effects(&program).function(FuncId(0)).writes.objects, Objects::Any);
    }
}
