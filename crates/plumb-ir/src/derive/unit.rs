//! One function as a whole program: called once, in an arbitrary state.
//!
//! The start function is made up. It gives every global that anything may write an arbitrary value, chooses arguments
//! and calls the function. A pointer argument or register points to a global object or a function that the points-to
//! analysis names, or is null where the nullness analysis does not exclude it. An argument may point to an object of a caller too,
//! for which one of the start function stands in ([`super::stand_ins`]).
//!
//! **Runs.** For every call of the function in a run of the original there are choices with which the unit does what
//! the call does, up to its return or the end of the run: [`Runs::More`], with runs of the unit that belong to no
//! such call. What cannot be built is not left out but marked: a choice of it runs into a check of kind
//! `Unsupported`, which says that nothing is known. That is a pointer to an allocated object, or to one of an activation that may be
//! gone, a pointer that the analysis does not know, one that may be a number other than null, and, where the function loads pointers from globals or makes them from integers, a memory
//! that holds pointers. A global that nothing writes keeps its initial value, which is what it has at every call.
//!
//! [`entry_state`] is the same for a program that starts with a function of the user's choice (`--entry`): its arguments
//! are made while lowering, where their C types are known ([`crate::lower`]), and its globals here.

use super::chain::Chain;
use super::stand_ins::StandIns;
use super::{Derived, FunctionProvenance, Made, Origin, Provenance, Runs, assemble};
use crate::analysis::Analyses;
use crate::analysis::modref::Objects;
use crate::analysis::nullness::NoObject;
use crate::analysis::pointsto::{Object, Target, Targets};
use crate::check::CheckId;
use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Sign};
use crate::input::{InputId, InputOrigin};
use crate::program::{
    Assumption, AssumptionKind, Callee, Edge, EdgeId, FuncId, Function, FunctionParts, GlobalObj, GlobalVar,
    HavocPlace, Intrinsic, Loc, LocalObj, LocalVar, ObjRef, Op, Place, Program, VarRef,
};
use crate::ty::{Bits, Ty};
use InputOrigin::UnitState;
use plumb_c::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The program that calls the function once, in an arbitrary state.
pub fn unit(analyses: &Analyses, func: FuncId) -> Derived {
    let (mut start, args) = arbitrary_call(analyses, analyses.program(), func);
    start.step(Op::Call { to: None, callee: Callee::Direct(func), args });
    end_program(&mut start);
    called_once(start, func)
}

/// A start function that makes an arbitrary state and the arguments of a call in it, in registers of its own. The program is that of
/// the analyses or one derived from it with the same registers and objects, and in which functions keep their numbers.
pub fn arbitrary_call<'a>(analyses: &Analyses, program: &'a Program, func: FuncId) -> (Chain<'a>, Vec<ExprId>) {
    let function = program.function(func);
    let mut start = Chain::new(program, empty_start(), Loc(0), function.span);
    let written = Written::of(analyses, func);
    if program.has_stacks() {
        let holds = start.input(UnitState(function.name.clone()), Ty::BOOL, None);
        start.unsupported(holds, "a unit of a program with several stacks");
    }
    if holds_pointers(analyses, func, &written) {
        let holds = start.input(UnitState(function.name.clone()), Ty::BOOL, None);
        start.unsupported(holds, "a unit whose memory holds pointers");
    }
    for &var in &written.registers {
        let no_object = analyses.nullness().global(var);
        global_register(&mut start, register_targets(analyses, var), no_object, var);
    }
    for (object, info) in program.objects.iter_enumerated() {
        if !info.read_only && written.objects.contains(Object::Global(object)) {
            global_object(&mut start, object);
        }
    }
    let stand_ins = StandIns::new(&mut start, analyses, &live_arguments(analyses, func));
    let args = (0..function.param_count).map(|i| argument(&mut start, analyses, func, i, &stand_ins)).collect();
    (start, args)
}

/// The edge by which a unit ends well.
pub fn end_program(start: &mut Chain<'_>) {
    let width = start.program.target.int_bytes as u32 * 8;
    let code = start.make().int(0, width);
    start.step(Op::Call { to: None, callee: Callee::Intrinsic(Intrinsic::Exit), args: vec![code] });
}

/// A start function that does nothing yet.
pub(super) fn empty_start() -> FunctionParts {
    FunctionParts { is_library: true, is_static: true, ..FunctionParts::empty("__plumb_unit".into()) }
}

/// The program that starts with the chain, which calls the function.
pub fn called_once(chain: Chain<'_>, func: FuncId) -> Derived {
    let why = Made::Unit(func);
    let mut provenance = Provenance::identity(chain.program);
    let mut derived = chain.program.clone();
    let function = Function::new(chain.parts);
    provenance.runs = Runs::More;
    provenance.functions.push(FunctionProvenance::made(&function, why));
    provenance.inputs.extend(chain.inputs.iter().map(|_| Origin::<InputId>::Made(why)));
    provenance.checks.extend(chain.checks.iter().map(|_| Origin::<CheckId>::Made(why)));
    derived.start = derived.functions.push_and_get_key(Arc::new(function));
    derived.entry = Some(func);
    Arc::make_mut(&mut derived.inputs).extend(chain.inputs);
    Arc::make_mut(&mut derived.checks).extend(chain.checks);
    debug_assert_eq!(crate::verify::verify(&derived), Vec::<String>::new());
    Derived { program: derived, provenance }
}

/// The program with arbitrary values in the user's globals where the start function calls the entry. What nothing in the
/// program writes keeps its value. So do the globals of library models, which is listed as assumed.
///
/// **Runs.** Those of the original are among them ([`Runs::More`]). A global pointer that the entry may read is null, or ends
/// the run as not supported. Where the entry may load pointers from arbitrary memory, one choice ends the run as not
/// supported and stands for all contents with pointers; objects that may hold some keep their values in the others.
pub fn entry_state(analyses: &Analyses) -> Derived {
    let program = analyses.program();
    let (Some(call), Some(entry)) = (program.entry_call(), program.entry) else {
        return Derived { program: program.clone(), provenance: Provenance::identity(program) };
    };
    let start = program.function(program.start);
    let old_edges = start.edges.len();
    let mut chain =
        Chain::new(program, start.clone().into_parts(), start.edge(call).from, program.function(entry).span);
    let written = Written::by_anyone(analyses);
    // What runs after the entry, such as a destructor, reads globals too.
    let read = &analyses.mod_ref().function(program.start).reads;
    let has_pointers = loads_pointers(analyses, program.start, &written);
    if has_pointers {
        let holds = chain.input(UnitState(program.function(entry).name.clone()), Ty::BOOL, None);
        chain.unsupported(holds, "an entry function that reads pointers from globals of arbitrary content");
    }
    let is_users = |span: Span| program.sources.place(span).is_some_and(|place| !place.file.starts_with("<library>"));
    let mut assumptions = Vec::new();
    let mut assume = |name: &Arc<str>, span: Span| {
        assumptions.push(Assumption { kind: AssumptionKind::EntryLibrary, name: name.clone(), span });
    };
    for &var in written.registers.intersection(&read.registers) {
        let info = program.var(var);
        match is_users(info.span) {
            true => global_register(&mut chain, Targets::Unknown, NoObject { null: true, number: true }, var),
            false => assume(&info.name, info.span),
        }
    }
    for (object, info) in program.objects.iter_enumerated() {
        let may_hold = has_pointers && info.cty.is_none_or(|cty| program.types.table.holds_pointers(cty));
        let matters = written.objects.contains(Object::Global(object)) && read.objects.contains(Object::Global(object));
        match is_users(info.span) {
            _ if !matters || info.read_only => {}
            true if may_hold => {}
            true => global_object(&mut chain, object),
            false => assume(&info.name, info.span),
        }
    }
    let mut derived = before_entry(chain, call, entry, old_edges);
    Arc::make_mut(&mut derived.program.assumptions).extend(assumptions);
    derived
}

/// The program whose start function runs the chain before it calls the entry.
fn before_entry(chain: Chain<'_>, call: EdgeId, entry: FuncId, old_edges: usize) -> Derived {
    let (why, program) = (Made::Unit(entry), chain.program);
    let Chain { mut parts, at, inputs, checks, .. } = chain;
    let start = program.start;
    let edges = std::mem::take(&mut parts.edges).into_iter_enumerated().map(|(id, mut edge)| {
        if id == call {
            edge.from = at;
        }
        (edge, if usize::from(id) < old_edges { Origin::Original((start, id)) } else { Origin::Made(why) })
    });
    let (function, edges) = assemble(parts, edges.collect());
    let mut derived = program.clone();
    let mut provenance = Provenance::identity(program);
    provenance.runs = Runs::More;
    let of_start = &mut provenance.functions[start];
    of_start.edges = edges;
    of_start.locations.resize(function.loc_count as usize, Origin::Made(why));
    provenance.inputs.extend(inputs.iter().map(|_| Origin::<InputId>::Made(why)));
    provenance.checks.extend(checks.iter().map(|_| Origin::<CheckId>::Made(why)));
    derived.functions[start] = Arc::new(function);
    Arc::make_mut(&mut derived.inputs).extend(inputs);
    Arc::make_mut(&mut derived.checks).extend(checks);
    debug_assert_eq!(crate::verify::verify(&derived), Vec::<String>::new());
    Derived { program: derived, provenance }
}

/// Whether the function, or what it calls, may load a pointer out of memory with an arbitrary content.
fn loads_pointers(analyses: &Analyses, func: FuncId, written: &Written) -> bool {
    let program = analyses.program();
    let is_arbitrary = |t: &Target| matches!(t.object, Object::Global(_)) && written.objects.contains(t.object);
    analyses.resolved_calls().reachable(func).into_iter().any(|id| {
        let function = program.function(id);
        let is_copy = |e: &Edge| matches!(e.op, Op::Call { callee: Callee::Intrinsic(Intrinsic::MemCopy), .. });
        let loads = function.exprs.ids().any(|expr| match function.exprs.kind(expr) {
            ExprKind::Load(addr) if function.exprs.ty(expr) == Ty::Ptr => {
                match analyses.points_to().targets(id, addr) {
                    Targets::Unknown => true,
                    Targets::Known(list) => list.iter().any(is_arbitrary),
                }
            }
            ExprKind::Cast(CastOp::IntToPtr, from) => function.exprs.as_const(from).is_none(),
            ExprKind::Cast(CastOp::Reinterpret, _) => function.exprs.ty(expr) == Ty::Ptr,
            _ => false,
        });
        loads || function.edges.iter().any(is_copy)
    })
}

/// What may differ from its initial value when the function is called, or while it runs.
struct Written {
    registers: BTreeSet<GlobalVar>,
    objects: Objects,
}

impl Written {
    /// By any function of the program.
    fn by_anyone(analyses: &Analyses) -> Written {
        let mut written = Written { registers: BTreeSet::new(), objects: Objects::none() };
        for id in analyses.program().function_ids() {
            let writes = &analyses.mod_ref().function(id).writes;
            written.registers.extend(writes.registers.iter().copied());
            written.objects.add_all(&writes.objects);
        }
        written
    }

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
    let is_arbitrary = |object: Object| match object {
        Object::Global(_) => written.objects.contains(object),
        // It may be that of a caller.
        Object::Local(..) => true,
        Object::Heap(..) | Object::Stack(..) | Object::Function(_) => false,
    };
    called.into_iter().any(|id| {
        let function = program.function(id);
        function.exprs.ids().any(|expr| match function.exprs.kind(expr) {
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
pub fn argument_targets(analyses: &Analyses, func: FuncId, param: u32) -> Targets {
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

/// What the pointer parameters may point to that point to no object which is gone.
fn live_arguments(analyses: &Analyses, func: FuncId) -> Vec<Targets> {
    let function = analyses.program().function(func);
    let is_live =
        |at: &u32| function.var(LocalVar(*at)).ty == Ty::Ptr && analyses.handed_down().is_live(func, LocalVar(*at));
    (0..function.param_count).filter(is_live).map(|at| argument_targets(analyses, func, at)).collect()
}

/// What a global register may point to: what an expression that reads it may.
fn register_targets(analyses: &Analyses, var: GlobalVar) -> Targets {
    let program = analyses.program();
    for func in analyses.resolved_calls().reachable(program.start) {
        let exprs = &program.function(func).exprs;
        let reads = exprs.ids().filter(|&e| exprs.kind(e) == ExprKind::Var(VarRef::Global(var)));
        for expr in reads {
            if let Targets::Known(list) = analyses.points_to().targets(func, expr) {
                return Targets::Known(list);
            }
        }
    }
    Targets::Unknown
}

fn global_register(chain: &mut Chain<'_>, targets: Targets, no_object: NoObject, var: GlobalVar) {
    let info = chain.program.var(var);
    let origin = UnitState(info.name.clone());
    if info.ty == Ty::Ptr {
        let value = pointer(chain, targets, no_object, origin, &StandIns::default());
        chain.step(Op::Assign { to: Place::Var(VarRef::Global(var)), value });
    } else {
        chain.havoc(HavocPlace::Var(VarRef::Global(var)), origin, Some(info.ty), info.cty);
    }
}

fn global_object(chain: &mut Chain<'_>, object: GlobalObj) {
    let info = chain.program.object(object);
    let addr = chain.parts.exprs.push(ExprKind::Addr(ObjRef::Global(object)), Ty::Ptr);
    let size = chain.make().size(info.size);
    chain.havoc(HavocPlace::Region { addr, size }, UnitState(info.name.clone()), None, info.cty);
}

fn argument(chain: &mut Chain<'_>, analyses: &Analyses, func: FuncId, index: u32, stand_ins: &StandIns) -> ExprId {
    let function = chain.program.function(func);
    let param = function.var(LocalVar(index));
    let origin = InputOrigin::EntryArgument(function.name.clone(), param.name.clone());
    if param.ty == Ty::Ptr {
        let no_object = analyses.nullness().local(func, LocalVar(index));
        let targets = argument_targets(analyses, func, index);
        match analyses.handed_down().is_live(func, LocalVar(index)) {
            true => pointer(chain, targets, no_object, origin, stand_ins),
            false => pointer(chain, targets, no_object, origin, &StandIns::default()),
        }
    } else {
        chain.input(origin, param.ty, param.cty)
    }
}

/// One of the targets, null or another number where it may be that, as an input says; in a register of its own.
fn pointer(
    chain: &mut Chain<'_>,
    targets: Targets,
    no_object: NoObject,
    origin: InputOrigin,
    stand_ins: &StandIns,
) -> ExprId {
    let value = chosen_address(chain, targets, no_object, origin, stand_ins);
    let var = chain.local(Ty::Ptr);
    chain.step(Op::Assign { to: Place::Var(var), value });
    chain.parts.exprs.push(ExprKind::Var(var), Ty::Ptr)
}

fn chosen_address(
    chain: &mut Chain<'_>,
    targets: Targets,
    no_object: NoObject,
    origin: InputOrigin,
    stand_ins: &StandIns,
) -> ExprId {
    let choice = chain.input(origin.clone(), Ty::Int(32), None);
    let is_other = |this: &mut Chain<'_>, number: u32| {
        let number = this.make().int(number as i128, 32);
        this.make().eq(choice, number)
    };
    let mut value = chain.make().constant(Bits::ZERO, Ty::Ptr);
    let list = match targets {
        Targets::Known(list) => list,
        Targets::Unknown => {
            let beyond = is_other(chain, 1);
            chain.unsupported(beyond, "a unit with a pointer to an unknown object");
            return value;
        }
    };
    let count = list.len() as u32;
    if no_object.number {
        let beyond = is_other(chain, count + 1);
        chain.unsupported(beyond, "a unit with a pointer that is a number");
    }
    if !no_object.null {
        let (first, last) = (chain.make().int(1, 32), chain.make().int(count as i128, 32));
        for (least, most) in [(first, choice), (choice, last)] {
            let cond = chain.make().binary(BinOp::Le, Sign::Unsigned, least, most);
            chain.step(Op::Assume { cond, branch: None });
        }
    }
    for (target, number) in list.into_iter().zip(1..) {
        let chosen = is_other(chain, number);
        let address = match target.object {
            Object::Function(id) => chain.parts.exprs.push(ExprKind::FuncAddr(id), Ty::Ptr),
            Object::Global(object) => address_in(chain, ObjRef::Global(object), target.offset, &origin),
            Object::Local(owner, object) if !stand_ins.of(owner, object).is_empty() => {
                one_of(chain, stand_ins.of(owner, object), target.offset, &origin)
            }
            Object::Local(..) | Object::Heap(..) | Object::Stack(..) => {
                chain.unsupported(chosen, "a unit with a pointer to a local or allocated object");
                continue;
            }
        };
        value = chain.parts.exprs.push(ExprKind::Ite(chosen, address, value), Ty::Ptr);
    }
    value
}

/// The address at an offset of one of some objects of the chain, as an input says.
fn one_of(chain: &mut Chain<'_>, objects: &[LocalObj], offset: Option<i64>, origin: &InputOrigin) -> ExprId {
    let mut address = address_in(chain, ObjRef::Local(objects[0]), offset, origin);
    if let [_, others @ ..] = objects
        && !others.is_empty()
    {
        let which = chain.input(origin.clone(), Ty::Int(32), None);
        for (object, number) in others.iter().zip(1..) {
            let number = chain.make().int(number, 32);
            let chosen = chain.make().eq(which, number);
            let other = address_in(chain, ObjRef::Local(*object), offset, origin);
            address = chain.parts.exprs.push(ExprKind::Ite(chosen, other, address), Ty::Ptr);
        }
    }
    address
}

/// The address at an offset of an object; anywhere in it, or just behind it, if the offset is not known.
fn address_in(chain: &mut Chain<'_>, object: ObjRef, offset: Option<i64>, origin: &InputOrigin) -> ExprId {
    let base = chain.parts.exprs.push(ExprKind::Addr(object), Ty::Ptr);
    let word = chain.program.target.pointer_bits();
    let offset = match offset {
        Some(offset) => chain.make().int(offset as i128, word),
        None => {
            let size = match object {
                ObjRef::Global(object) => chain.program.object(object).size,
                ObjRef::Local(object) => chain.parts.objects[object].size,
            };
            let offset = chain.input(origin.clone(), Ty::Int(word as u8), None);
            let size = chain.make().size(size);
            let cond = chain.make().binary(BinOp::Le, Sign::Unsigned, offset, size);
            chain.step(Op::Assume { cond, branch: None });
            offset
        }
    };
    chain.make().ptr_add(base, offset)
}
