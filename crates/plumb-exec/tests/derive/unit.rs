//! A unit does what calls of its function do, from the same state.

use crate::globals::Globals;
use crate::run::{self, Given, Listed, Run, is_cut_off, run_observed};
use plumb_exec::{AddressMap, InputValue, Limits, Machine, Outcome, RegionFill, SeedInputs, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::Derived;
use plumb_ir::derive::unit::unit;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::input::InputId;
use plumb_ir::program::{
    Callee, EdgeId, FuncId, Function, GlobalVar, HavocPlace, LocalVar, ObjRef, Op, Place, Program, VarRef,
};
use plumb_ir::ty::Bits;
use plumb_ir::verify::verify;
use std::collections::HashMap;

#[derive(Default, Debug)]
pub struct Counts {
    pub units: u64,
    /// Runs of units that the function does from the same state.
    pub home: u64,
    /// Calls in runs of the original that the unit does.
    pub calls: u64,
    pub checks_broken: u64,
}

/// A call: its state, arguments, and the step at which it begins.
struct Call {
    globals: Globals,
    args: Vec<Bits>,
    /// The caller's register for the result.
    to: Option<VarRef>,
    begin: usize,
    /// Where it ends, and in which state, if it does.
    end: Option<(usize, Globals)>,
}

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let analyses = Analyses::new(program);
    for func in analyses.resolved_calls().reachable(program.start) {
        if func == program.start {
            continue;
        }
        let derived = unit(&analyses, func);
        assert_eq!(verify(&derived.program), Vec::<String>::new());
        counts.units += 1;
        // Objects that stand for those of callers are none of the original: contracts of such units are compared with calls.
        let has_stand_ins = !derived.program.function(derived.program.start).objects.is_empty();
        for round in 0..if has_stand_ins { 0 } else { 2 } {
            home(program, &derived, func, seed * 8 + round, counts);
        }
        for others in [0, 1, 3, 9] {
            forth(program, &derived, func, others, seed, counts);
        }
    }
}

fn edges_home(derived: &Derived, path: &[(FuncId, EdgeId)]) -> Vec<(FuncId, EdgeId)> {
    path.iter().filter_map(|&(func, edge)| derived.provenance.edge(func, edge).original()).collect()
}

fn list(inputs: &[Given], from: usize) -> Vec<(InputId, InputValue)> {
    inputs.iter().filter(|given| given.step >= from).map(|given| (given.id, given.value.clone())).collect()
}

/// The values of arguments that are registers or constants of the caller; `None` for others.
fn arguments(program: &Program, machine: &Machine, at: (FuncId, EdgeId)) -> Option<Vec<Bits>> {
    let function = program.function(at.0);
    let Op::Call { args, .. } = &function.edge(at.1).op else { return None };
    let value = |arg| match function.exprs.kind(arg) {
        ExprKind::Const(bits) => Some(bits),
        ExprKind::Var(VarRef::Local(var)) => machine.local(var),
        ExprKind::Var(VarRef::Global(var)) => Some(machine.global(var)),
        _ => None,
    };
    args.iter().map(|&arg| value(arg)).collect()
}

/// A call of the function that a run makes, after so many others.
fn call_of(program: &Program, func: FuncId, mut others: u32, seed: u64) -> (Run, Option<Call>) {
    let mut call: Option<Call> = None;
    let mut depth = 0;
    let mut machine = Machine::new(run::image(program));
    let run = run_observed(&mut machine, &mut SeedInputs::new(seed), run::STEPS, &mut |event, step| {
        let Some((at, to)) = run::direct_call(program, &event, func) else { return };
        match event.phase {
            TracePhase::Call => {
                depth += 1;
                if call.is_none() && others > 0 {
                    others -= 1;
                } else if call.is_none()
                    && let Some(args) = arguments(program, event.machine, at)
                {
                    depth = 1;
                    let globals = Globals::of(program, event.machine);
                    call = Some(Call { globals, args, to, begin: step + 1, end: None });
                }
            }
            TracePhase::Done => {
                depth -= 1;
                if let Some(call) = call.as_mut().filter(|call| depth == 0 && call.end.is_none()) {
                    call.end = Some((step, Globals::of(program, event.machine)));
                }
            }
        }
    });
    (run, call)
}

/// The function, called in the state that the unit made, does what the unit does.
fn home(program: &Program, derived: &Derived, func: FuncId, seed: u64, counts: &mut Counts) {
    let (run, call) = call_of(&derived.program, func, 0, seed);
    let Some(call) = call else { return };
    if is_cut_off(&run.outcome) {
        return;
    }
    let mut machine = Machine::at_function(run::image(program), func, &call.args);
    call.globals.put(program, &mut machine);
    let inputs = derived.provenance.inputs_home(&list(&run.inputs, call.begin));
    let original =
        run_observed(&mut machine, &mut Listed::new(inputs), Limits::default().steps.min(100_000), &mut |_, _| {});
    let end = call.end.as_ref().map_or(run.path.len(), |(step, _)| *step);
    let expected = edges_home(derived, &run.path[call.begin..end]);
    let name = &program.function(func).name;
    assert_eq!(original.path, expected, "seed {seed}, {name}: {:?}, {:?}", run.outcome, original.outcome);
    if let Some((_, after)) = &call.end {
        let differing = after.differing(&Globals::of(program, &mut machine));
        // The caller's edge has put the result there.
        let is_result = |var: &GlobalVar| call.to == Some(VarRef::Global(*var));
        let is_same = differing.1.is_empty() && differing.0.iter().all(is_result);
        assert!(is_same, "seed {seed}, {name}: other globals, {differing:?}");
    }
    compare_checks(derived, &run.outcome, &original.outcome, call.end.is_none(), counts);
    counts.home += 1;
}

fn compare_checks(derived: &Derived, unit: &Outcome, original: &Outcome, is_inside: bool, counts: &mut Counts) {
    if let (Outcome::CheckFailed { check, .. }, true) = (unit, is_inside) {
        let Outcome::CheckFailed { check: broken, .. } = original else { panic!("{unit:?}, {original:?}") };
        assert_eq!(derived.provenance.check(*check).original(), Some(*broken));
        counts.checks_broken += 1;
    }
}

/// A call in a run of the original is one of the unit's runs.
fn forth(program: &Program, derived: &Derived, func: FuncId, others: u32, seed: u64, counts: &mut Counts) {
    let (original, call) = call_of(program, func, others, seed);
    let Some(call) = call else { return };
    if is_cut_off(&original.outcome) {
        return;
    }
    let image = run::image(&derived.program);
    let Some(mut inputs) = choices(derived, image.addresses(), &call) else { return };
    inputs.extend(list(&original.inputs, call.begin));
    let mut machine = Machine::new(image);
    let unit = run_observed(&mut machine, &mut Listed::new(inputs), run::STEPS * 2, &mut |_, _| {});
    let end = call.end.as_ref().map_or(original.path.len(), |(step, _)| *step);
    let expected = &original.path[call.begin..end];
    let got = edges_home(derived, &unit.path);
    let name = &program.function(func).name;
    assert_eq!(got, expected, "seed {seed}, {name}: {:?}, {:?}", original.outcome, unit.outcome);
    if let Some((_, after)) = &call.end {
        let differing = after.differing(&Globals::of(program, &mut machine));
        // The caller's edge has put the result there.
        let is_result = |var: &GlobalVar| call.to == Some(VarRef::Global(*var));
        let is_same = differing.1.is_empty() && differing.0.iter().all(is_result);
        assert!(is_same, "seed {seed}, {name}: other globals, {differing:?}");
    }
    compare_checks(derived, &unit.outcome, &original.outcome, call.end.is_none(), counts);
    counts.calls += 1;
}

/// The unit's choices that make the state of a call; `None` if it has pointers that the unit cannot build.
fn choices(derived: &Derived, map: &AddressMap, call: &Call) -> Option<Vec<(InputId, InputValue)>> {
    let start = derived.program.function(derived.program.start);
    let mut args = Vec::new();
    let mut edges: Vec<&Op> = Vec::new();
    let mut at = start.entry;
    while let Some(edge) = start.out_edges(at).next().map(|id| start.edge(id)) {
        if let Op::Call { callee: Callee::Direct(_), args: list, .. } = &edge.op {
            args = list.clone();
        }
        edges.push(&edge.op);
        at = edge.to;
    }
    let argument =
        |var: LocalVar| args.iter().position(|&arg| start.exprs.kind(arg) == ExprKind::Var(VarRef::Local(var)));
    // Registers of the start function that choose pointers.
    let mut chosen: HashMap<LocalVar, Bits> = HashMap::new();
    let mut pointers: HashMap<LocalVar, ExprId> = HashMap::new();
    for op in &edges {
        let Op::Assign { to: Place::Var(var), value } = op else { continue };
        match (var, start.exprs.kind(*value)) {
            (VarRef::Global(global), ExprKind::Var(VarRef::Local(source))) => {
                let address = call.globals.registers[*global].u64();
                choose(start, map, *pointers.get(&source)?, address, &mut chosen)?;
            }
            (VarRef::Local(local), _) => {
                pointers.insert(*local, *value);
                if let Some(i) = argument(*local) {
                    choose(start, map, *value, call.args[i].u64(), &mut chosen)?;
                }
            }
            (VarRef::Global(_), _) => return None,
        }
    }
    let mut values = Vec::new();
    for op in edges {
        let Op::Havoc { to, input } = op else { continue };
        let value = match *to {
            HavocPlace::Var(VarRef::Global(var)) => InputValue::Scalar(call.globals.registers[var]),
            // What chooses nothing here says that memory holds pointers that the unit does not have: it does not.
            HavocPlace::Var(VarRef::Local(var)) => InputValue::Scalar(match argument(var) {
                Some(i) => call.args[i],
                None => chosen.get(&var).copied().unwrap_or(Bits::ZERO),
            }),
            HavocPlace::Region { addr, .. } => {
                let ExprKind::Addr(ObjRef::Global(object)) = start.exprs.kind(addr) else { return None };
                InputValue::Region(RegionFill::Bytes(call.globals.objects[object].clone()))
            }
            HavocPlace::Objects { .. } => return None,
        };
        values.push((*input, value));
    }
    Some(values)
}

/// Finds the choice for which a pointer of the start function is the address.
fn choose(
    start: &Function,
    map: &AddressMap,
    value: ExprId,
    address: u64,
    chosen: &mut HashMap<LocalVar, Bits>,
) -> Option<()> {
    let exprs = &start.exprs;
    let mut at = value;
    loop {
        let (cond, target, rest) = match exprs.kind(at) {
            ExprKind::Ite(cond, target, rest) => (cond, target, rest),
            ExprKind::Const(bits) => return (bits.u64() == address).then_some(()),
            other => panic!("not a choice of pointers: {other:?}"),
        };
        let (base, offset) = match exprs.kind(target) {
            ExprKind::PtrAdd(base, offset) => (base, Some(offset)),
            _ => (target, None),
        };
        // What stands for objects of callers.
        if matches!(exprs.kind(base), ExprKind::Addr(ObjRef::Local(_)) | ExprKind::Ite(..)) {
            at = rest;
            continue;
        }
        let (first, size) = match exprs.kind(base) {
            ExprKind::Addr(ObjRef::Global(object)) => (map.object(object).base, map.object(object).size),
            ExprKind::FuncAddr(id) => (map.function_address(id), 0),
            other => panic!("not an address: {other:?}"),
        };
        let distance = address.wrapping_sub(first);
        let fits = match offset.map(|offset| exprs.kind(offset)) {
            None => distance == 0,
            Some(ExprKind::Const(bits)) => distance == bits.u64(),
            Some(ExprKind::Var(VarRef::Local(var))) if distance <= size => {
                chosen.insert(var, Bits::new(distance as u128, 64));
                true
            }
            Some(_) => false,
        };
        if fits {
            let ExprKind::Binary(_, _, choice, number) = exprs.kind(cond) else { panic!("not a choice") };
            let ExprKind::Var(VarRef::Local(choice)) = exprs.kind(choice) else { panic!("not a choice") };
            chosen.insert(choice, exprs.as_const(number)?);
            return Some(());
        }
        at = rest;
    }
}
