//! One function as a whole program: called once, in an arbitrary state.
//!
//! The start function is made up. It gives every global that anything may write an arbitrary value, chooses arguments
//! and calls the function. A pointer argument or register is null, or points to a global object or a function that
//! the points-to analysis names.
//!
//! **Runs.** For every call of the function in a run of the original there are choices with which the unit does what
//! the call does, up to its return or the end of the run: [`Runs::More`], with runs of the unit that belong to no
//! such call. What cannot be built is not left out but marked: a choice of it runs into a check of kind
//! `Unsupported`, which says that nothing is known. That is a pointer to a heap or stack object, a pointer that the
//! analysis does not know, and, where the function loads pointers from globals or makes them from integers, a memory
//! that holds pointers. A global that nothing writes keeps its initial value, which is what it has at every call.
//!
//! `--entry` is another thing: there the run starts with the function, so that globals have their initial values. It is
//! made while lowering ([`crate::lower`]).

use super::{Derived, FunctionProvenance, Made, Origin, Provenance, Runs};
use crate::analysis::Analyses;
use crate::analysis::modref::Objects;
use crate::analysis::pointsto::{Object, Target, Targets};
use crate::check::{CheckId, CheckInfo, CheckKind};
use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Exprs, Sign};
use crate::input::{InputId, InputOrigin, InputSite};
use crate::make::Make;
use crate::program::{
    Callee, Edge, FuncId, Function, FunctionParts, GlobalObj, GlobalVar, HavocPlace, Intrinsic, Loc, LocalVar,
    LocalVarInfo, ObjRef, Op, Place, Program, VarRef,
};
use crate::ty::{Bits, Ty};
use InputOrigin::UnitState;
use plumb_c::source::Span;
use plumb_c::types::{IntKind, TyId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The program that calls the function once, in an arbitrary state.
pub fn unit(analyses: &Analyses, func: FuncId) -> Derived {
    let program = analyses.program();
    let function = program.function(func);
    let mut start = Start::new(program, func);
    let written = Written::of(analyses, func);
    if holds_pointers(analyses, func, &written) {
        let holds = start.input(UnitState(function.name.clone()), Ty::BOOL, None);
        start.unsupported(holds, "a unit whose memory holds pointers");
    }
    for i in 0..program.vars.len() as u32 {
        if written.registers.contains(&GlobalVar(i)) {
            start.global_register(analyses, GlobalVar(i));
        }
    }
    for i in 0..program.objects.len() as u32 {
        let object = program.object(GlobalObj(i));
        if !object.read_only && written.objects.contains(Object::Global(GlobalObj(i))) {
            start.global_object(GlobalObj(i));
        }
    }
    let args: Vec<ExprId> = (0..function.param_count).map(|i| start.argument(analyses, i)).collect();
    start.step(Op::Call { to: None, callee: Callee::Direct(func), args });
    let code = start.make().int(0, program.target.int_bytes as u32 * 8);
    start.step(Op::Call { to: None, callee: Callee::Intrinsic(Intrinsic::Exit), args: vec![code] });
    start.finish()
}

/// What may differ from its initial value when the function is called, or while it runs.
struct Written {
    registers: BTreeSet<GlobalVar>,
    objects: Objects,
}

impl Written {
    fn of(analyses: &Analyses, func: FuncId) -> Written {
        let effects = [analyses.program().start, func].map(|id| &analyses.mod_ref().function(id).writes);
        let mut written = Written { registers: BTreeSet::new(), objects: Objects::none() };
        for writes in effects {
            written.registers.extend(writes.registers.iter().copied());
            written.objects.add_all(&writes.objects);
        }
        written
    }
}

/// Whether the function, or what it calls, may take a pointer that the unit cannot build out of memory with an
/// arbitrary content, or out of an integer. Arbitrary bytes are the addresses of globals and functions too, but an
/// object that the unit does not have has no address in it.
fn holds_pointers(analyses: &Analyses, func: FuncId, written: &Written) -> bool {
    let program = analyses.program();
    let called = analyses.resolved_calls().reachable(func);
    let is_copy = |e: &Edge| matches!(e.op, Op::Call { callee: Callee::Intrinsic(Intrinsic::MemCopy), .. });
    let has_copies = called.iter().any(|&id| program.function(id).edges.iter().any(is_copy));
    let may_be = |targets: Targets, is_one: &dyn Fn(Object) -> bool| match targets {
        Targets::Unknown => true,
        Targets::Known(list) => list.iter().any(|t| is_one(t.object)),
    };
    let is_missing = |object: Object| matches!(object, Object::Local(..) | Object::Heap(..) | Object::Stack(..));
    let is_arbitrary = |object: Object| matches!(object, Object::Global(_)) && written.objects.contains(object);
    called.into_iter().any(|id| {
        let function = program.function(id);
        (0..function.exprs.len() as u32).map(ExprId).any(|expr| match function.exprs.kind(expr) {
            ExprKind::Load(addr) if function.exprs.ty(expr) == Ty::Ptr => {
                may_be(analyses.points_to().targets(id, expr), &is_missing)
                    && (has_copies || may_be(analyses.points_to().targets(id, addr), &is_arbitrary))
            }
            ExprKind::Cast(CastOp::IntToPtr, from) => function.exprs.as_const(from).is_none(),
            ExprKind::Cast(CastOp::Reinterpret, _) => function.exprs.ty(expr) == Ty::Ptr,
            _ => false,
        })
    })
}

/// What the values of a parameter may point to: the arguments of all calls.
fn argument_targets(analyses: &Analyses, func: FuncId, param: u32) -> Targets {
    let program = analyses.program();
    let graph = analyses.resolved_calls();
    let running = graph.reachable(program.start);
    if !running.contains(&func) {
        return Targets::Unknown;
    }
    let mut all: Vec<Target> = Vec::new();
    for &(caller, edge) in graph.callers(func).iter().filter(|(caller, _)| running.contains(caller)) {
        let Op::Call { args, .. } = &program.function(caller).edge(edge).op else { continue };
        let Some(&arg) = args.get(param as usize) else { return Targets::Unknown };
        match analyses.points_to().targets(caller, arg) {
            Targets::Unknown => return Targets::Unknown,
            Targets::Known(list) => all.extend(list),
        }
    }
    all.sort();
    all.dedup();
    Targets::Known(all)
}

/// What a global register may point to: what an expression that reads it may.
fn register_targets(analyses: &Analyses, var: GlobalVar) -> Targets {
    let program = analyses.program();
    for func in analyses.resolved_calls().reachable(program.start) {
        let exprs = &program.function(func).exprs;
        let reads =
            (0..exprs.len() as u32).map(ExprId).filter(|&e| exprs.kind(e) == ExprKind::Var(VarRef::Global(var)));
        for expr in reads {
            if let Targets::Known(list) = analyses.points_to().targets(func, expr) {
                return Targets::Known(list);
            }
        }
    }
    Targets::Unknown
}

/// The start function under construction: a chain of edges.
struct Start<'a> {
    program: &'a Program,
    func: FuncId,
    parts: FunctionParts,
    at: Loc,
    inputs: Vec<InputSite>,
    checks: Vec<CheckInfo>,
}

impl<'a> Start<'a> {
    fn new(program: &'a Program, func: FuncId) -> Start<'a> {
        let parts = FunctionParts {
            name: "__plumb_unit".into(),
            param_count: 0,
            ret: None,
            vars: Vec::new(),
            objects: Vec::new(),
            frame_bytes: 0,
            exprs: Exprs::default(),
            edges: Vec::new(),
            loc_count: 2,
            entry: Loc(0),
            exit: Loc(1),
            labels: Vec::new(),
            loops: Vec::new(),
            has_body: true,
            is_library: true,
            is_static: true,
            wrapv: false,
            span: Span::NONE,
        };
        Start { program, func, parts, at: Loc(0), inputs: Vec::new(), checks: Vec::new() }
    }

    fn make(&mut self) -> Make<'_> {
        Make { exprs: &mut self.parts.exprs, target: &self.program.target }
    }

    fn span(&self) -> Span {
        self.program.function(self.func).span
    }

    fn step(&mut self, op: Op) {
        let to = Loc(self.parts.loc_count);
        self.parts.loc_count += 1;
        let span = self.span();
        self.parts.edges.push(Edge { from: self.at, to, op, span });
        self.at = to;
    }

    fn havoc(&mut self, to: HavocPlace, origin: InputOrigin, ty: Option<Ty>, cty: Option<TyId>) {
        let kind = cty.and_then(|cty| self.program.types.table.int_kind(cty));
        self.inputs.push(InputSite {
            origin,
            ty,
            cty,
            part: None,
            is_signed: kind.is_some_and(|k| k.is_signed(&self.program.target)),
            is_bool: kind == Some(IntKind::Bool),
            span: self.span(),
        });
        let input = InputId((self.program.inputs.len() + self.inputs.len()) as u32 - 1);
        self.step(Op::Havoc { to, input });
    }

    fn local(&mut self, ty: Ty) -> VarRef {
        let span = self.span();
        self.parts.vars.push(LocalVarInfo { name: "%unit".into(), ty, cty: None, span });
        VarRef::Local(LocalVar(self.parts.vars.len() as u32 - 1))
    }

    /// An arbitrary value.
    fn input(&mut self, origin: InputOrigin, ty: Ty, cty: Option<TyId>) -> ExprId {
        let var = self.local(ty);
        self.havoc(HavocPlace::Var(var), origin, Some(ty), cty);
        self.parts.exprs.push(ExprKind::Var(var), ty)
    }

    /// Nothing is known where the condition holds.
    fn unsupported(&mut self, cond: ExprId, what: &str) {
        let span = self.span();
        self.checks.push(CheckInfo {
            kind: CheckKind::Unsupported,
            message: what.into(),
            subject: None,
            of_inputs: false,
            span,
        });
        let check = CheckId((self.program.checks.len() + self.checks.len()) as u32 - 1);
        let cond = self.make().not(cond);
        self.step(Op::Check { cond, check });
    }

    fn global_register(&mut self, analyses: &Analyses, var: GlobalVar) {
        let info = self.program.var(var);
        let origin = UnitState(info.name.clone());
        if info.ty == Ty::Ptr {
            let value = self.pointer(register_targets(analyses, var), origin);
            self.step(Op::Assign { to: Place::Var(VarRef::Global(var)), value });
        } else {
            self.havoc(HavocPlace::Var(VarRef::Global(var)), origin, Some(info.ty), info.cty);
        }
    }

    fn global_object(&mut self, object: GlobalObj) {
        let info = self.program.object(object);
        let addr = self.parts.exprs.push(ExprKind::Addr(ObjRef::Global(object)), Ty::Ptr);
        let size = self.make().size(info.size);
        self.havoc(HavocPlace::Region { addr, size }, UnitState(info.name.clone()), None, info.cty);
    }

    fn argument(&mut self, analyses: &Analyses, index: u32) -> ExprId {
        let function = self.program.function(self.func);
        let param = function.var(LocalVar(index));
        let origin = InputOrigin::EntryArgument(function.name.clone(), param.name.clone());
        if param.ty == Ty::Ptr {
            self.pointer(argument_targets(analyses, self.func, index), origin)
        } else {
            self.input(origin, param.ty, param.cty)
        }
    }

    /// Null or one of the targets, as an input says; in a register of its own.
    fn pointer(&mut self, targets: Targets, origin: InputOrigin) -> ExprId {
        let value = self.chosen_address(targets, origin);
        let var = self.local(Ty::Ptr);
        self.step(Op::Assign { to: Place::Var(var), value });
        self.parts.exprs.push(ExprKind::Var(var), Ty::Ptr)
    }

    fn chosen_address(&mut self, targets: Targets, origin: InputOrigin) -> ExprId {
        let choice = self.input(origin.clone(), Ty::Int(32), None);
        let is_other = |this: &mut Self, number: u32| {
            let number = this.make().int(number as i128, 32);
            this.make().eq(choice, number)
        };
        let mut value = self.make().constant(Bits::ZERO, Ty::Ptr);
        let list = match targets {
            Targets::Known(list) => list,
            Targets::Unknown => {
                let beyond = is_other(self, 1);
                self.unsupported(beyond, "a unit with a pointer to an unknown object");
                return value;
            }
        };
        for (target, number) in list.into_iter().zip(1..) {
            let chosen = is_other(self, number);
            let address = match target.object {
                Object::Function(id) => self.parts.exprs.push(ExprKind::FuncAddr(id), Ty::Ptr),
                Object::Global(object) => self.address_in(object, target.offset, &origin),
                Object::Local(..) | Object::Heap(..) | Object::Stack(..) => {
                    self.unsupported(chosen, "a unit with a pointer to a local or allocated object");
                    continue;
                }
            };
            value = self.parts.exprs.push(ExprKind::Ite(chosen, address, value), Ty::Ptr);
        }
        value
    }

    /// The address at an offset of an object; anywhere in it, or just behind it, if the offset is not known.
    fn address_in(&mut self, object: GlobalObj, offset: Option<i64>, origin: &InputOrigin) -> ExprId {
        let base = self.parts.exprs.push(ExprKind::Addr(ObjRef::Global(object)), Ty::Ptr);
        let word = self.program.target.pointer_bits();
        let offset = match offset {
            Some(offset) => self.make().int(offset as i128, word),
            None => {
                let size = self.program.object(object).size;
                let offset = self.input(origin.clone(), Ty::Int(word as u8), None);
                let size = self.make().size(size);
                let cond = self.make().binary(BinOp::Le, Sign::Unsigned, offset, size);
                self.step(Op::Assume { cond, branch: None });
                offset
            }
        };
        self.make().ptr_add(base, offset)
    }

    fn finish(self) -> Derived {
        let why = Made::Unit(self.func);
        let mut provenance = Provenance::identity(self.program);
        let mut derived = self.program.clone();
        let function = Function::new(self.parts);
        provenance.runs = Runs::More;
        provenance.functions.push(FunctionProvenance::made(&function, why));
        provenance.inputs.extend(self.inputs.iter().map(|_| Origin::<InputId>::Made(why)));
        provenance.checks.extend(self.checks.iter().map(|_| Origin::<CheckId>::Made(why)));
        derived.start = FuncId(derived.functions.len() as u32);
        derived.functions.push(Arc::new(function));
        Arc::make_mut(&mut derived.inputs).extend(self.inputs);
        Arc::make_mut(&mut derived.checks).extend(self.checks);
        debug_assert_eq!(crate::verify::verify(&derived), Vec::<String>::new());
        Derived { program: derived, provenance }
    }
}
