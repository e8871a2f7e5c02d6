//! Rewriting a program according to a plan.

use super::plan::{Key, Leaf, Plan, Shape};
use crate::analysis::address_taken;
use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Exprs, Sign};
use crate::index::{TiSlice, TiVec};
use crate::input::{InputId, InputPart, InputSite};
use crate::program::{
    Callee, DatumValue, FuncId, Function, GlobalObj, GlobalObjInfo, GlobalVar, GlobalVarInfo, HavocPlace, Intrinsic,
    Lifetime, LocalObj, LocalVarInfo, ObjRef, Op, Place, Program, ScalarInit, VarRef,
};
use crate::rewrite::{Draft, Step};
use crate::ty::{Bits, Ty};
use plumb_c::source::Span;
use plumb_c::types::IntKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The register of each leaf of an object.
type Registers = FxHashMap<u64, VarRef>;

pub fn split(program: &Program, plan: &Plan) -> Program {
    let mut result = program.clone();
    let mut inputs = TiVec::clone(&program.inputs);
    let mut vars = TiVec::clone(&program.vars);
    let mut globals: FxHashMap<Key, Registers> = FxHashMap::default();
    let mut objects: TiVec<GlobalObj, GlobalObjInfo> = TiVec::new();
    let mut kept: TiVec<GlobalObj, Option<ObjRef>> = TiVec::new();
    for (id, info) in program.objects.iter_enumerated() {
        let key = Key::Global(id);
        match plan.shapes.get(&key) {
            Some(shape) => {
                globals.insert(key, global_leaves(program, info, shape, &mut vars));
                kept.push(None);
            }
            None => {
                kept.push(Some(ObjRef::Global(objects.push_and_get_key(info.clone()))));
            }
        }
    }
    // Objects that are pointed to are never split, so all ids in data have a new one.
    let renumber = |id: GlobalObj| match kept[id] {
        Some(ObjRef::Global(new)) => new,
        _ => id,
    };
    for var in &mut vars {
        if let ScalarInit::Object(id, _) = &mut var.init {
            *id = renumber(*id);
        }
    }
    for datum in objects.iter_mut().flat_map(|o| &mut o.init) {
        if let DatumValue::Object(id, _) = &mut datum.value {
            *id = renumber(*id);
        }
    }
    let some_global = !globals.is_empty();
    for id in program.function_ids() {
        let function = program.function(id);
        let has_split = |object| plan.shapes.contains_key(&Key::Local(id, object));
        if some_global || function.objects.keys().any(has_split) {
            let rewriter = Rewriter::new(program, plan, id, &globals, &kept, &mut inputs);
            result.functions[id] = Arc::new(rewriter.run());
        }
    }
    result.inputs = Arc::new(inputs);
    result.vars = Arc::new(vars);
    result.objects = Arc::new(objects);
    result
}

fn global_leaves(
    program: &Program,
    info: &GlobalObjInfo,
    shape: &Shape,
    vars: &mut TiVec<GlobalVar, GlobalVarInfo>,
) -> Registers {
    let mut registers = Registers::default();
    for (&offset, leaf) in shape {
        let name = format!("{}{}", info.name, leaf.path).into();
        let init = initial(program, info, offset, leaf.ty);
        let var = vars.push_and_get_key(GlobalVarInfo { name, ty: leaf.ty, cty: leaf.cty, init, span: info.span });
        registers.insert(offset, VarRef::Global(var));
    }
    registers
}

fn initial(program: &Program, info: &GlobalObjInfo, offset: u64, ty: Ty) -> ScalarInit {
    let size = ty.bytes(&program.target);
    let mut value = 0u128;
    for datum in &info.init {
        match &datum.value {
            DatumValue::Object(id, delta) if datum.offset == offset => return ScalarInit::Object(*id, *delta),
            DatumValue::Function(id) if datum.offset == offset => return ScalarInit::Function(*id),
            DatumValue::Object(..) | DatumValue::Function(_) => {}
            DatumValue::Bytes(bytes) => {
                for i in 0..size {
                    let byte = (offset + i).checked_sub(datum.offset).and_then(|at| bytes.get(at as usize));
                    value |= (*byte.unwrap_or(&0) as u128) << (8 * i);
                }
            }
        }
    }
    ScalarInit::Const(Bits::new(value, ty.bits(&program.target)))
}

struct Rewriter<'a> {
    program: &'a Program,
    plan: &'a Plan,
    id: FuncId,
    function: &'a Function,
    globals: &'a FxHashMap<Key, Registers>,
    locals: FxHashMap<Key, Registers>,
    /// By old number: what objects are called now; `None` if they are split.
    global_objects: &'a TiSlice<GlobalObj, Option<ObjRef>>,
    local_objects: TiVec<LocalObj, Option<ObjRef>>,
    draft: Draft<'a>,
    /// By old expression.
    mapped: TiVec<ExprId, Option<ExprId>>,
    inputs: &'a mut TiVec<InputId, InputSite>,
}

impl<'a> Rewriter<'a> {
    fn new(
        program: &'a Program,
        plan: &'a Plan,
        id: FuncId,
        globals: &'a FxHashMap<Key, Registers>,
        global_objects: &'a TiSlice<GlobalObj, Option<ObjRef>>,
        inputs: &'a mut TiVec<InputId, InputSite>,
    ) -> Rewriter<'a> {
        let function = program.function(id);
        let mut parts = function.clone().into_parts();
        parts.exprs = Exprs::default();
        let objects = std::mem::take(&mut parts.objects);
        let mut locals = FxHashMap::default();
        let mut local_objects: TiVec<LocalObj, Option<ObjRef>> = TiVec::new();
        for (object, info) in objects.into_iter_enumerated() {
            let key = Key::Local(id, object);
            let Some(shape) = plan.shapes.get(&key) else {
                local_objects.push(Some(ObjRef::Local(parts.objects.push_and_get_key(info))));
                continue;
            };
            let mut registers = Registers::default();
            for (&offset, leaf) in shape {
                let name = format!("{}{}", info.name, leaf.path).into();
                let part = LocalVarInfo { name, ty: leaf.ty, cty: leaf.cty, lifetime: info.lifetime, span: info.span };
                registers.insert(offset, VarRef::Local(parts.vars.push_and_get_key(part)));
            }
            locals.insert(key, registers);
            local_objects.push(None);
        }
        let mapped = vec![None; function.exprs.len()].into();
        let draft = Draft::new(parts, &program.target);
        Rewriter { program, plan, id, function, globals, locals, global_objects, local_objects, draft, mapped, inputs }
    }

    fn run(mut self) -> Function {
        for id in self.function.edge_ids() {
            let edge = self.function.edge(id);
            match self.steps(&edge.op, edge.span) {
                Some(steps) => self.draft.put_instead(id, steps),
                None => self.draft.parts.edges[id].op = edge.op.map_exprs(|e| self.expr(e)),
            }
        }
        self.draft.finish()
    }

    /// The split object that an address lies in, and where.
    fn part(&self, addr: ExprId) -> Option<(Key, u64)> {
        let (object, offset) = address_taken::direct(&self.function.exprs, addr, &self.program.target)?;
        let key = Key::of(self.id, object);
        self.plan.shapes.contains_key(&key).then_some((key, offset as u64))
    }

    fn register(&self, key: Key, offset: u64) -> Option<VarRef> {
        self.locals.get(&key).or_else(|| self.globals.get(&key))?.get(&offset).copied()
    }

    fn leaf(&self, key: Key, offset: u64) -> Option<(VarRef, Ty)> {
        Some((self.register(key, offset)?, self.plan.shapes.get(&key)?.get(&offset)?.ty))
    }

    /// The leaves of a region: offset from the region's start, register, leaf.
    fn leaves(&self, key: Key, start: u64, size: u64) -> Vec<(u64, VarRef, Leaf)> {
        let Some(shape) = self.plan.shapes.get(&key) else { return Vec::new() };
        let inside = shape.range(start..start + size);
        inside.filter_map(|(&o, leaf)| Some((o - start, self.register(key, o)?, leaf.clone()))).collect()
    }

    /// The new expression for an old one.
    fn expr(&mut self, id: ExprId) -> ExprId {
        if let Some(new) = self.mapped[id] {
            return new;
        }
        let ty = self.function.exprs.ty(id);
        let new = match self.function.exprs.kind(id) {
            ExprKind::Load(addr) => match self.part(addr).and_then(|(key, offset)| self.leaf(key, offset)) {
                Some((var, leaf_ty)) => {
                    let value = self.draft.parts.exprs.push(ExprKind::Var(var), leaf_ty);
                    self.reinterpret(value, ty)
                }
                None => {
                    let addr = self.expr(addr);
                    self.draft.parts.exprs.push(ExprKind::Load(addr), ty)
                }
            },
            ExprKind::Addr(object) => {
                let renamed = match object {
                    ObjRef::Global(g) => self.global_objects[g],
                    ObjRef::Local(l) => self.local_objects[l],
                };
                self.draft.parts.exprs.push(ExprKind::Addr(renamed.unwrap_or(object)), ty)
            }
            kind => {
                let kind = kind.map_operands(|operand| self.expr(operand));
                self.draft.parts.exprs.push(kind, ty)
            }
        };
        self.mapped[id] = Some(new);
        new
    }

    fn reinterpret(&mut self, value: ExprId, ty: Ty) -> ExprId {
        if self.draft.parts.exprs.ty(value) == ty {
            return value;
        }
        self.draft.parts.exprs.push(ExprKind::Cast(CastOp::Reinterpret, value), ty)
    }

    /// What an operation on a split object becomes; `None` if it touches none.
    fn steps(&mut self, op: &Op, span: Span) -> Option<Vec<Step>> {
        let exprs = &self.function.exprs;
        match op {
            Op::Assign { to: Place::Mem(addr), value } => {
                let (key, offset) = self.part(*addr)?;
                let (var, ty) = self.leaf(key, offset)?;
                let value = self.expr(*value);
                let value = self.reinterpret(value, ty);
                Some(vec![(Op::Assign { to: Place::Var(var), value }, span)])
            }
            Op::Havoc { to: HavocPlace::Region { addr, size }, input } => {
                let (key, start) = self.part(*addr)?;
                let size = exprs.as_const(*size)?.u64();
                Some(self.havoc(key, start, size, *input, span))
            }
            Op::Call { callee: Callee::Intrinsic(Intrinsic::MemSet), args, .. } => {
                let [to, byte, size] = args[..] else { return None };
                let (key, start) = self.part(to)?;
                let size = exprs.as_const(size)?.u64();
                Some(self.set(key, start, size, byte, span))
            }
            Op::Call { callee: Callee::Intrinsic(Intrinsic::MemCopy), args, .. } => {
                let [to, from, size] = args[..] else { return None };
                let size = exprs.as_const(size)?.u64();
                match (self.part(to), self.part(from)) {
                    (None, None) => None,
                    (Some(to), Some(from)) => Some(self.copy(to, from, size, span)),
                    (Some(to), None) => Some(self.read(to, from, size, span)),
                    (None, Some(from)) => Some(self.write(to, from, size, span)),
                }
            }
            Op::Assign { to: Place::Var(_), .. }
            | Op::Assume { .. }
            | Op::Havoc { to: HavocPlace::Var(_) | HavocPlace::Objects { .. }, .. }
            | Op::Call { .. }
            | Op::Return(_)
            | Op::Check { .. } => None,
        }
    }

    fn havoc(&mut self, key: Key, start: u64, size: u64, input: InputId, span: Span) -> Vec<Step> {
        let site = self.program.input(input);
        let mut steps = Vec::new();
        for (offset, var, leaf) in self.leaves(key, start, size) {
            let kind = leaf.cty.and_then(|ty| self.program.types.table.int_kind(ty));
            let is_signed = kind.is_some_and(|kind| kind.is_signed(&self.program.target));
            let is_bool = kind == Some(IntKind::Bool);
            let (ty, cty) = (Some(leaf.ty), leaf.cty);
            let part =
                InputPart { offset, path: leaf.path.as_str().into(), whole: site.cty, is_first: steps.is_empty() };
            let part = Some(part);
            let input = self.inputs.push_and_get_key(InputSite { ty, cty, part, is_signed, is_bool, ..site.clone() });
            steps.push((Op::Havoc { to: HavocPlace::Var(var), input }, span));
        }
        steps
    }

    /// A register of the function that holds a value while several steps run.
    fn keep(&mut self, value: ExprId, steps: &mut Vec<Step>, span: Span) -> ExprId {
        let ty = self.draft.parts.exprs.ty(value);
        let info = LocalVarInfo { name: "%kept".into(), ty, cty: None, lifetime: Lifetime::Expression, span };
        let var = VarRef::Local(self.draft.parts.vars.push_and_get_key(info));
        steps.push((Op::Assign { to: Place::Var(var), value }, span));
        self.draft.parts.exprs.push(ExprKind::Var(var), ty)
    }

    fn set(&mut self, key: Key, start: u64, size: u64, byte: ExprId, span: Span) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut byte = self.expr(byte);
        if self.draft.parts.exprs.as_const(byte).is_none() {
            byte = self.keep(byte, &mut steps, span);
        }
        for (_, var, leaf) in self.leaves(key, start, size) {
            let bits = leaf.ty.bits(&self.program.target);
            let mut make = self.draft.make();
            let wide = make.resize(byte, Sign::Unsigned, bits);
            let ones = make.constant(Bits::new(u128::from_ne_bytes([1; 16]), bits), Ty::Int(bits as u8));
            let repeated = make.binary(BinOp::Mul, Sign::Plain, wide, ones);
            let value = match (leaf.ty, make.exprs.as_const(repeated)) {
                (ty @ (Ty::Ptr | Ty::Float(_)), Some(bits)) => make.constant(bits, ty),
                (ty, _) => self.reinterpret(repeated, ty),
            };
            steps.push((Op::Assign { to: Place::Var(var), value }, span));
        }
        steps
    }

    fn copy(&mut self, to: (Key, u64), from: (Key, u64), size: u64, span: Span) -> Vec<Step> {
        let mut steps = Vec::new();
        if to == from {
            return steps;
        }
        for (offset, var, leaf) in self.leaves(to.0, to.1, size) {
            let Some((source, ty)) = self.leaf(from.0, from.1 + offset) else { continue };
            let value = self.draft.parts.exprs.push(ExprKind::Var(source), ty);
            let value = self.reinterpret(value, leaf.ty);
            steps.push((Op::Assign { to: Place::Var(var), value }, span));
        }
        steps
    }

    /// The address of memory, kept in a register unless nothing the steps do can change it.
    fn steady(&mut self, addr: ExprId, steps: &mut Vec<Step>, span: Span) -> ExprId {
        let fixed = address_taken::direct(&self.function.exprs, addr, &self.program.target).is_some();
        let addr = self.expr(addr);
        if fixed { addr } else { self.keep(addr, steps, span) }
    }

    fn read(&mut self, to: (Key, u64), from: ExprId, size: u64, span: Span) -> Vec<Step> {
        let mut steps = Vec::new();
        let from = self.steady(from, &mut steps, span);
        let leaves = self.leaves(to.0, to.1, size);
        // A copy from a bad address ends the run, also where the leaves alone would not touch it.
        let covers = |byte| {
            let end = |leaf: &Leaf| leaf.ty.bytes(&self.program.target);
            leaves.iter().any(|(offset, _, leaf)| *offset <= byte && byte < offset + end(leaf))
        };
        let uncovered: Vec<u64> = [0, size.saturating_sub(1)].into_iter().filter(|&b| b < size && !covers(b)).collect();
        for byte in uncovered {
            let addr = self.draft.make().field(from, byte);
            let value = self.draft.parts.exprs.push(ExprKind::Load(addr), Ty::Int(8));
            self.keep(value, &mut steps, span);
        }
        for (offset, var, leaf) in leaves {
            let addr = self.draft.make().field(from, offset);
            let value = self.draft.parts.exprs.push(ExprKind::Load(addr), leaf.ty);
            steps.push((Op::Assign { to: Place::Var(var), value }, span));
        }
        steps
    }

    fn write(&mut self, to: ExprId, from: (Key, u64), size: u64, span: Span) -> Vec<Step> {
        let mut steps = Vec::new();
        let to = self.steady(to, &mut steps, span);
        for (offset, var, leaf) in self.leaves(from.0, from.1, size) {
            let addr = self.draft.make().field(to, offset);
            let value = self.draft.parts.exprs.push(ExprKind::Var(var), leaf.ty);
            steps.push((Op::Assign { to: Place::Mem(addr), value }, span));
        }
        steps
    }
}
