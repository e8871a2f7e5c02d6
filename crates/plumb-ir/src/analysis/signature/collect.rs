//! The inputs of a function: a walk over all that can influence its result.

use super::address::{Offset, aliases, split};
use super::asked::Asked;
use super::cells::{Base, Cells};
use super::{NoSignature, Scalar, Source, cells, garbage};
use crate::analysis::Analyses;
use crate::analysis::address_taken::direct;
use crate::analysis::modref::{Accesses, Objects};
use crate::analysis::pointsto::{Object, Target, Targets};
use crate::check::CheckKind;
use crate::expr::{CastOp, ExprId, ExprKind};
use crate::index::TiVec;
use crate::input::{InputId, InputOrigin};
use crate::program::{
    Callee, EdgeId, FuncId, Function, GlobalObj, GlobalVar, HavocPlace, Intrinsic, LocalVar, ObjRef, Op, Place,
    Program, VarRef,
};
use crate::ty::Ty;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Refuses functions that change what outlives a call, and those with a check inside.
pub fn refuse_writes(analyses: &Analyses, func: FuncId) -> Result<(), NoSignature> {
    let program = analyses.program();
    let writes = &analyses.mod_ref().function(func).writes;
    if writes.lifetimes {
        return Err(NoSignature::Allocates);
    }
    if let Some(&var) = writes.registers.first() {
        return Err(NoSignature::WritesGlobal(program.var(var).name.clone()));
    }
    let Objects::Known(objects) = &writes.objects else { return Err(NoSignature::WritesMemory) };
    let global = objects.iter().find_map(|object| match object {
        // A run that writes there ends.
        Object::Global(id) => Some(*id).filter(|&id| !program.object(id).read_only),
        // Made in the call, since no pointer to others enters it. Stores through parameters are seen by the walk.
        Object::Local(..) | Object::Heap(..) | Object::Stack(..) | Object::Function(_) => None,
    });
    if let Some(object) = global {
        return Err(NoSignature::WritesGlobal(program.object(object).name.clone()));
    }
    for id in analyses.resolved_calls().reachable(func) {
        let function = program.function(id);
        for edge in &function.edges {
            let Op::Check { check, .. } = edge.op else { continue };
            match program.check(check).kind {
                // No property: it says that something is not modelled.
                CheckKind::Unsupported => {}
                kind => return Err(NoSignature::HasCheck(kind, function.name.clone())),
            }
        }
    }
    Ok(())
}

/// The inputs of a function that [changes nothing](refuse_writes): parameters first, then what they point to, global
/// registers, static objects, values from outside.
pub fn inputs(analyses: &Analyses, func: FuncId) -> Result<Vec<Scalar>, NoSignature> {
    let mut walk = Collector::new(analyses, func);
    let mut seen = BTreeSet::from([func]);
    let mut waiting = vec![func];
    while let Some(id) = waiting.pop() {
        for callee in walk.function(id)? {
            if seen.insert(callee) {
                waiting.push(callee);
            }
        }
    }
    walk.finish()
}

/// What all of a call's parts agree on.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub analyses: &'a Analyses,
    pub program: &'a Program,
}

impl<'a> Scope<'a> {
    /// Whether what the edge computes can influence the result of the function, or memory.
    pub fn matters(self, func: FuncId, edge: EdgeId) -> bool {
        let function = self.program.function(func);
        let edge = function.edge(edge);
        let live = |var: VarRef| match var {
            VarRef::Local(_) => self.analyses.shape(func).live.is_live(edge.to, var),
            VarRef::Global(_) => true,
        };
        match &edge.op {
            // Only calls that return count: those that pass it.
            Op::Check { .. } => false,
            Op::Assign { to: Place::Var(var), .. } | Op::Havoc { to: HavocPlace::Var(var), .. } => live(*var),
            Op::Call { to, callee: Callee::Intrinsic(Intrinsic::Print), .. } => to.is_some_and(live),
            Op::Call { callee: Callee::Intrinsic(Intrinsic::Exit | Intrinsic::Abort), .. } => false,
            Op::Call { to, callee: Callee::Direct(callee), .. } => to.is_some_and(live) || self.writes(*callee),
            Op::Call { .. } | Op::Assign { .. } | Op::Havoc { .. } | Op::Assume { .. } | Op::Return(_) => true,
        }
    }

    /// The arguments of a call that the function may read.
    fn read_arguments(self, callee: FuncId, args: &[ExprId]) -> Vec<ExprId> {
        let (function, live) = (self.program.function(callee), &self.analyses.shape(callee).live);
        let is_read = |number: usize| {
            let parameter = VarRef::Local(LocalVar(number as u32));
            number >= function.param_count as usize || live.is_live(function.entry, parameter)
        };
        args.iter().enumerate().filter(|(number, _)| is_read(*number)).map(|(_, arg)| *arg).collect()
    }

    /// Whether the function may change anything but its own locals and those of what it calls.
    fn writes(self, callee: FuncId) -> bool {
        let writes = &self.analyses.mod_ref().function(callee).writes;
        let lifetimes = self.analyses.lifetimes();
        let is_own = |object: &Object| match *object {
            Object::Local(owner, _) => lifetimes.may_be_active(callee, owner) && !lifetimes.is_recursive(owner),
            Object::Global(id) => self.program.object(id).read_only,
            Object::Heap(..) | Object::Stack(..) | Object::Function(_) => false,
        };
        let own_objects = match &writes.objects {
            Objects::Any => false,
            Objects::Known(list) => list.iter().all(is_own),
        };
        writes.lifetimes || !writes.registers.is_empty() || !own_objects
    }
}

struct Collector<'a> {
    scope: Scope<'a>,
    func: FuncId,
    /// What any run may write.
    written: &'a Accesses,
    /// Registers of the function that always hold what a pointer parameter held at the call, with the parameter.
    aliases: BTreeMap<LocalVar, LocalVar>,
    parameters: BTreeSet<LocalVar>,
    globals: BTreeSet<GlobalVar>,
    cells: Cells,
    externals: BTreeSet<InputId>,
}

/// The function that is being walked.
struct At<'a> {
    id: FuncId,
    function: &'a Function,
    seen: TiVec<ExprId, bool>,
}

impl<'a> Collector<'a> {
    fn new(analyses: &'a Analyses, func: FuncId) -> Collector<'a> {
        let program = analyses.program();
        // In a recursive function the parameter of an inner call may point to anything that the outer one knows.
        let is_recursive = analyses.resolved_calls().is_recursive(func);
        Collector {
            scope: Scope { analyses, program },
            func,
            written: &analyses.mod_ref().function(program.start).writes,
            aliases: if is_recursive { BTreeMap::new() } else { aliases(program.function(func)) },
            parameters: BTreeSet::new(),
            globals: BTreeSet::new(),
            cells: Cells::default(),
            externals: BTreeSet::new(),
        }
    }

    /// Walks a function; returns the functions that it calls and that matter.
    fn function(&mut self, id: FuncId) -> Result<Vec<FuncId>, NoSignature> {
        let scope = self.scope;
        let function = scope.program.function(id);
        let mut at = At { id, function, seen: vec![false; function.exprs.len()].into() };
        let mut callees = Vec::new();
        for edge in function.edge_ids().filter(|&edge| scope.matters(id, edge)) {
            match &function.edge(edge).op {
                Op::Assign { to: Place::Var(VarRef::Local(var)), value } => {
                    let is_alias = id == self.func && self.aliases.contains_key(var);
                    if !is_alias {
                        self.value(&mut at, *value)?;
                    }
                }
                Op::Assign { to: Place::Var(VarRef::Global(_)), value } => self.value(&mut at, *value)?,
                Op::Assign { to: Place::Mem(addr), value } => {
                    self.store(&mut at, *addr)?;
                    self.value(&mut at, *value)?;
                }
                Op::Assume { cond, .. } => self.value(&mut at, *cond)?,
                Op::Havoc { to: HavocPlace::Var(_), input } => {
                    self.externals.insert(*input);
                }
                Op::Havoc { to: HavocPlace::Region { addr, .. }, input } => self.fill(&at, *addr, *input)?,
                Op::Havoc { to: HavocPlace::Objects { .. }, .. } => return Err(NoSignature::UnnamedMemory),
                Op::Call { callee, args, .. } => callees.extend(self.call(&mut at, edge, *callee, args)?),
                Op::Return(value) => {
                    if let Some(value) = value {
                        self.value(&mut at, *value)?;
                    }
                }
                Op::Check { .. } => {}
            }
        }
        Ok(callees)
    }

    fn call(&mut self, at: &mut At, edge: EdgeId, callee: Callee, args: &[ExprId]) -> Result<Vec<FuncId>, NoSignature> {
        match callee {
            Callee::Direct(callee) => {
                let read = self.scope.read_arguments(callee, args);
                self.values(at, &read)?;
                Ok(vec![callee])
            }
            Callee::Indirect(pointer) => {
                self.value(at, pointer)?;
                self.values(at, args)?;
                let targets = self.scope.analyses.points_to().call_targets(at.id, edge);
                targets.ok_or(NoSignature::IndirectCall)
            }
            Callee::Intrinsic(intrinsic) => {
                match (intrinsic, args) {
                    (Intrinsic::MemCopy, &[to, from, size]) => {
                        self.store(at, to)?;
                        self.value(at, size)?;
                        let bytes = at.function.exprs.as_const(size).map(|bits| bits.u64());
                        self.access(at, from, Extent::Region(bytes))?;
                    }
                    (Intrinsic::MemSet, &[to, byte, size]) => {
                        self.store(at, to)?;
                        self.values(at, &[byte, size])?;
                    }
                    (Intrinsic::Print, _) => return Err(NoSignature::UsesPrintedLength),
                    (Intrinsic::Exit | Intrinsic::Abort, _) => {}
                    (Intrinsic::MemCopy | Intrinsic::MemSet, _) => return Err(NoSignature::UnnamedMemory),
                    (Intrinsic::HeapAlloc | Intrinsic::StackAlloc | Intrinsic::Free | Intrinsic::StackFree, _) => {
                        return Err(NoSignature::Allocates);
                    }
                    (
                        Intrinsic::NewStack | Intrinsic::SwitchStack | Intrinsic::EndStack | Intrinsic::CurrentStack,
                        _,
                    ) => return Err(NoSignature::UsesStacks),
                }
                Ok(Vec::new())
            }
        }
    }

    /// Memory that is filled from outside. What is written before it is read does not matter.
    fn fill(&mut self, at: &At, addr: ExprId, input: InputId) -> Result<(), NoSignature> {
        match direct(&at.function.exprs, addr, &self.scope.program.target) {
            Some((ObjRef::Local(object), _)) if garbage::is_never_read(self.scope, at.id, object) => Ok(()),
            Some((ObjRef::Local(object), _)) => {
                Err(NoSignature::FilledFromOutside(at.function.object(object).name.clone()))
            }
            Some((ObjRef::Global(_), _)) | None => {
                Err(NoSignature::FilledFromOutside(external_name(self.scope.program, input)))
            }
        }
    }

    /// The address of a store: what is written is the call's own, unless it lies behind a parameter.
    fn store(&mut self, at: &mut At, addr: ExprId) -> Result<(), NoSignature> {
        let (base, _, _) = split(at.function, addr, self.scope.program);
        match at.function.exprs.kind(base) {
            ExprKind::Var(VarRef::Local(var)) if self.parameter_behind(at, var).is_some() => {
                Err(NoSignature::WritesMemory)
            }
            _ => self.value(at, addr),
        }
    }

    fn parameter_behind(&self, at: &At, var: LocalVar) -> Option<LocalVar> {
        if at.id == self.func { self.aliases.get(&var).copied() } else { None }
    }

    fn values(&mut self, at: &mut At, list: &[ExprId]) -> Result<(), NoSignature> {
        list.iter().try_for_each(|&expr| self.value(at, expr))
    }

    fn value(&mut self, at: &mut At, root: ExprId) -> Result<(), NoSignature> {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut at.seen[id], true) {
                continue;
            }
            let kind = at.function.exprs.kind(id);
            match kind {
                ExprKind::Var(VarRef::Global(var)) => {
                    if self.written.registers.contains(&var) {
                        self.globals.insert(var);
                    }
                }
                ExprKind::Var(VarRef::Local(var)) => self.local(at, var)?,
                ExprKind::Load(addr) => {
                    let ty = at.function.exprs.ty(id);
                    if ty != Ty::Ptr {
                        self.refuse_addresses(at, id)?;
                    }
                    self.access(at, addr, Extent::Scalar(ty))?;
                    continue;
                }
                ExprKind::Cast(CastOp::PtrToInt, from) => self.refuse_addresses(at, from)?,
                ExprKind::Cast(CastOp::Reinterpret, from) if at.function.exprs.ty(from) == Ty::Ptr => {
                    self.refuse_addresses(at, from)?;
                }
                // A pointer could enter as a number.
                ExprKind::Cast(CastOp::IntToPtr | CastOp::Reinterpret, from)
                    if at.function.exprs.ty(id) == Ty::Ptr && at.function.exprs.as_const(from).is_none() =>
                {
                    return Err(NoSignature::AddressAsNumber);
                }
                ExprKind::InBounds { .. }
                | ExprKind::Freeable(_)
                | ExprKind::IsLive(_)
                | ExprKind::SameObject(..)
                | ExprKind::BytesLeft(_)
                | ExprKind::ObjectOffset(_)
                | ExprKind::NoLeak(_)
                | ExprKind::HeapEmpty => return Err(NoSignature::AsksAboutMemory),
                ExprKind::Const(_)
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
            stack.extend(kind.operands());
        }
        Ok(())
    }

    /// A register is read, other than to load through it.
    fn local(&mut self, at: &At, var: LocalVar) -> Result<(), NoSignature> {
        if at.id != self.func {
            return Ok(());
        }
        if let Some(parameter) = self.aliases.get(&var) {
            return Err(NoSignature::PointerUse(at.function.var(*parameter).name.clone()));
        }
        let live = &self.scope.analyses.shape(at.id).live;
        if var.0 < at.function.param_count && live.is_live(at.function.entry, VarRef::Local(var)) {
            if at.function.var(var).ty == Ty::Ptr {
                return Err(NoSignature::PointerUse(at.function.var(var).name.clone()));
            }
            self.parameters.insert(var);
        }
        Ok(())
    }

    /// Refuses numbers that may be made of the address of a local, which is another one in every call.
    fn refuse_addresses(&self, at: &At, value: ExprId) -> Result<(), NoSignature> {
        let is_fixed = |t: &Target| matches!(t.object, Object::Global(_) | Object::Function(_));
        match self.scope.analyses.points_to().targets(at.id, value) {
            Targets::Known(list) if list.iter().all(is_fixed) => Ok(()),
            Targets::Known(_) | Targets::Unknown => Err(NoSignature::AddressAsNumber),
        }
    }

    /// Memory is read.
    fn access(&mut self, at: &mut At, addr: ExprId, extent: Extent) -> Result<(), NoSignature> {
        let (base, sum, indices) = split(at.function, addr, self.scope.program);
        let offset = Offset::of(at.function, sum, &indices, self.scope.program);
        match at.function.exprs.kind(base) {
            ExprKind::Var(VarRef::Local(var)) if self.parameter_behind(at, var).is_some() => {
                self.values(at, &indices)?;
                // Just asked for.
                self.read(Base::Pointee(self.aliases[&var]), offset, extent)
            }
            ExprKind::Addr(ObjRef::Local(_)) => self.values(at, &indices),
            ExprKind::Addr(ObjRef::Global(object)) => {
                self.values(at, &indices)?;
                self.read_object(object, offset, extent)
            }
            _ => {
                self.value(at, addr)?;
                match self.scope.analyses.points_to().targets(at.id, addr) {
                    Targets::Unknown => Err(NoSignature::UnnamedMemory),
                    Targets::Known(list) => list.into_iter().try_for_each(|target| match target.object {
                        Object::Global(object) => {
                            self.read_object(object, target.offset.map_or(Offset::ANY, Offset::Exact), extent)
                        }
                        // The call's own.
                        Object::Local(..) | Object::Heap(..) | Object::Stack(..) | Object::Function(_) => Ok(()),
                    }),
                }
            }
        }
    }

    fn read_object(&mut self, object: GlobalObj, offset: Offset, extent: Extent) -> Result<(), NoSignature> {
        let is_constant =
            self.scope.program.object(object).read_only || !self.written.objects.contains(Object::Global(object));
        if is_constant { Ok(()) } else { self.read(Base::Object(object), offset, extent) }
    }

    fn read(&mut self, base: Base, offset: Offset, extent: Extent) -> Result<(), NoSignature> {
        let (scope, func) = (self.scope, self.func);
        match (offset, extent) {
            (Offset::Exact(offset), Extent::Scalar(ty)) => self.cells.add(scope, func, base, offset, ty),
            (Offset::Exact(offset), Extent::Region(Some(bytes))) => {
                self.cells.add_range(scope, func, base, offset, bytes)
            }
            (Offset::Every { first, stride }, Extent::Scalar(ty)) if ty.bytes(&scope.program.target) <= stride => {
                self.cells.add_every(scope, func, base, (first, stride), ty)
            }
            (Offset::Exact(_), Extent::Region(None)) | (Offset::Every { .. }, _) => {
                self.cells.add_all(scope, func, base)
            }
        }
    }

    fn finish(self) -> Result<Vec<Scalar>, NoSignature> {
        let Scope { program, analyses } = self.scope;
        let function = program.function(self.func);
        let mut inputs = Vec::new();
        let mut push = |name: &Arc<str>, source, ty, cty| {
            let ty = cells::input_type(program, name, ty, cty)?;
            inputs.push(Scalar { name: name.clone(), source, ty });
            Ok(())
        };
        for &var in &self.parameters {
            let info = function.var(var);
            refuse_foreign(analyses.points_to().local(self.func, var), &info.name)?;
            push(&info.name, Source::Parameter(var), info.ty, info.cty)?;
        }
        for &var in &self.globals {
            let info = program.var(var);
            refuse_foreign(analyses.points_to().global(var), &info.name)?;
            push(&info.name, Source::Global(var), info.ty, info.cty)?;
        }
        let mut asked = Asked::new(self.scope);
        let mut externals = Vec::new();
        for &input in &self.externals {
            let name = external_name(program, input);
            let site = program.input(input);
            let is_stream = asked.more_than_once(self.func, input);
            let Some(ty) = site.ty else { return Err(NoSignature::FilledFromOutside(name)) };
            let mut ty = cells::input_type(program, &name, ty, None)?;
            (ty.is_signed, ty.is_bool) = (site.is_signed, site.is_bool || ty.is_bool);
            let source = if is_stream { Source::Stream(input) } else { Source::External(input) };
            externals.push(Scalar { name, source, ty });
        }
        let cells = self.cells.scalars(self.scope, self.func)?;
        // What parameters point to comes behind them.
        let is_pointee = |scalar: &Scalar| matches!(scalar.source, Source::Pointee(..));
        let (pointees, objects): (Vec<Scalar>, Vec<Scalar>) = cells.into_iter().partition(is_pointee);
        inputs.splice(self.parameters.len()..self.parameters.len(), pointees);
        inputs.extend(objects);
        inputs.extend(externals);
        Ok(inputs)
    }
}

/// How much is read at an address.
#[derive(Clone, Copy)]
enum Extent {
    Scalar(Ty),
    /// Bytes, where their number is constant.
    Region(Option<u64>),
}

/// A number that may be the address of what is not static would let a pointer enter.
fn refuse_foreign(targets: Targets, name: &Arc<str>) -> Result<(), NoSignature> {
    let is_static = |t: &Target| matches!(t.object, Object::Global(_) | Object::Function(_));
    match targets {
        Targets::Known(list) if list.iter().all(is_static) => Ok(()),
        Targets::Known(_) | Targets::Unknown => Err(NoSignature::PointerInput(name.clone())),
    }
}

/// What a user calls a value from outside.
fn external_name(program: &Program, input: InputId) -> Arc<str> {
    match &program.input(input).origin {
        InputOrigin::Nondet(name)
        | InputOrigin::External(name)
        | InputOrigin::ExternalMemory(name)
        | InputOrigin::Library(name)
        | InputOrigin::Summary(name) => format!("{name}()").into(),
        InputOrigin::Uninitialised(name)
        | InputOrigin::Padding(name)
        | InputOrigin::ExternalObject(name)
        | InputOrigin::Volatile(name)
        | InputOrigin::UnitState(name)
        | InputOrigin::MissingArgument(name)
        | InputOrigin::EntryArgument(_, name) => name.clone(),
        InputOrigin::MissingReturn(name) => format!("the missing result of {name}").into(),
        InputOrigin::Register(addr) => format!("the register at {addr:#x}").into(),
        InputOrigin::FreshMemory => "new memory".into(),
        InputOrigin::ForeignMemory => "memory from outside".into(),
        InputOrigin::MainArgument => "an argument of the program".into(),
        InputOrigin::Assembly => "inline assembly".into(),
        InputOrigin::Schedule(_) => "the schedule".into(),
    }
}
