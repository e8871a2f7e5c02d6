//! Units: the functions that contracts stand for, and the scalars that their contracts speak of.
//!
//! A unit is the root of a subtree of the call graph from which no check can be reached: a function that is on no call stack at
//! a check, called by one that may be (Yeolekar and Unadkat, section 3). What it writes must have a name, so that a contract
//! can say that anything else stays as it was.

use super::language::Place;
use super::tuning::TUNING;
use plumb_c::types::Type;
use plumb_contract::{Atom, Cell};
use plumb_infer::{FloatFormat as InferFormat, Point, Role, Scalar as Sort, Variable};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::modref::{Accesses, Objects};
use plumb_ir::analysis::pointsto::{Object, Target, Targets};
use plumb_ir::analysis::signature::{Scalar, ScalarType, Source, scalar_type};
use plumb_ir::check::CheckKind;
use plumb_ir::derive::replace_body::written_places;
use plumb_ir::derive::unit::argument_targets;
use plumb_ir::program::{FuncId, Function, LocalVar, LocalVarInfo, Op, Program};
use plumb_ir::promote::parts;
use plumb_ir::ty::{FloatFormat, Ty};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// A function with the scalars that its contract may speak of.
#[derive(Clone, Debug)]
pub struct Unit {
    pub func: FuncId,
    pub name: Arc<str>,
    /// Parameters, and what of the state it reads or writes.
    pub entry: Vec<Scalar>,
    /// What of the state it writes.
    pub exit: Vec<Scalar>,
    pub result: Option<ScalarType>,
    /// It may ask for values from outside.
    pub asks: bool,
    pub is_recursive: bool,
}

/// The units of a program, in the order of their numbers, and what kept other candidates from being one.
#[derive(Default)]
pub struct Units {
    pub list: Vec<Unit>,
    pub refused: Vec<(FuncId, String)>,
}

impl Units {
    pub fn of(analyses: &Analyses) -> Units {
        let program = analyses.program();
        let calls = analyses.resolved_calls();
        let running: BTreeSet<FuncId> = calls.reachable(program.start).into_iter().collect();
        let is_silent = |func: FuncId| calls.reachable(func).iter().all(|&called| !has_checks(program, called));
        let silent: BTreeSet<FuncId> = running.iter().copied().filter(|&func| is_silent(func)).collect();
        let mut units = Units::default();
        for &func in &silent {
            let function = program.function(func);
            let is_root =
                calls.callers(func).iter().any(|(caller, _)| running.contains(caller) && !silent.contains(caller));
            if !is_root || !function.has_body || function.is_library {
                continue;
            }
            match written_places(analyses, func) {
                Ok(_) => units.list.push(Unit::new(analyses, func)),
                Err(why) => units.refused.push((func, why)),
            }
        }
        units
    }

    /// Why there is no unit; `None` if there is one.
    pub fn reason(&self, program: &Program) -> Option<String> {
        const NONE: &str = "no function can be replaced by a contract";
        match (self.list.is_empty(), self.refused.first()) {
            (false, _) => None,
            (true, None) => Some(format!("{NONE}: a check can be reached from every function that is called")),
            (true, Some((func, why))) => {
                Some(format!("{NONE}: {} cannot have one: {why}", program.function(*func).name))
            }
        }
    }
}

/// Whether a function has checks of the property in its own body. What is not modelled is shown not to happen with the unit.
fn has_checks(program: &Program, func: FuncId) -> bool {
    program.function(func).edges.iter().any(|edge| match edge.op {
        Op::Check { check, .. } => program.check(check).kind != CheckKind::Unsupported,
        _ => false,
    })
}

impl Unit {
    pub fn new(analyses: &Analyses, func: FuncId) -> Unit {
        let program = analyses.program();
        let function = program.function(func);
        let effects = analyses.mod_ref().function(func);
        let mut entry: Vec<Scalar> =
            (0..function.param_count).filter_map(|at| parameter(program, function, LocalVar(at))).collect();
        let mut exit = pointees(analyses, func, &effects.writes);
        exit.extend(scalars(program, &effects.writes, TUNING.exit_scalars));
        exit.truncate(TUNING.exit_scalars);
        entry.extend(exit.iter().cloned());
        let mut read = pointees(analyses, func, &effects.reads);
        read.extend(scalars(program, &effects.reads, TUNING.entry_scalars));
        for scalar in read {
            if entry.iter().all(|known| known.source != scalar.source) {
                entry.push(scalar);
            }
        }
        entry.truncate(TUNING.entry_scalars);
        let called = analyses.resolved_calls().reachable(func);
        let asks = |id: &FuncId| program.function(*id).edges.iter().any(|edge| matches!(edge.op, Op::Havoc { .. }));
        Unit {
            func,
            name: function.name.clone(),
            entry,
            exit,
            result: function.ret.map(|ty| scalar_type(program, ty, function.ret_cty)).filter(|ty| sort(*ty).is_some()),
            asks: called.iter().any(asks),
            is_recursive: analyses.resolved_calls().is_recursive(func),
        }
    }

    /// Values before a call, after it, and the result, with their places: in this order samples have them. Long arrays are one
    /// variable.
    pub fn exit_point(&self) -> (Point, Vec<Vec<Place>>) {
        let (before, after) = (columns(&self.entry), columns(&self.exit));
        let has_twin = |scalars: &[Scalar]| {
            let is_twin =
                |column: &Range<usize>| self.exit[column.clone()].iter().map(|s| s.source).eq(sources(scalars));
            after.iter().any(is_twin)
        };
        let (mut variables, mut places) = (Vec::new(), Vec::new());
        for column in &before {
            let scalars = &self.entry[column.clone()];
            let updated = has_twin(scalars);
            let name = name_of(scalars);
            let name = if updated { format!("\\old({name})") } else { name };
            variables.push(Variable { updated, ..variable(&name, scalars, Role::Old) });
            places.push(places_of(scalars, Atom::Entry));
        }
        for column in &after {
            let scalars = &self.exit[column.clone()];
            variables.push(Variable { updated: true, ..variable(&name_of(scalars), scalars, Role::Exit) });
            places.push(places_of(scalars, Atom::Exit));
        }
        if let Some(ty) = self.result {
            let sort = sort(ty).unwrap_or(Sort::Bool);
            let result = Variable::new("\\result", plumb_infer::Sort::Scalar(sort), Role::Result);
            variables.push(Variable { updated: true, ..result });
            places.push(vec![Place { atom: Atom::Result, ty: ty.ty, is_signed: ty.is_signed }]);
        }
        (Point::new(variables), places)
    }

    /// The variable of the point that a scalar at the entry is; `None` for elements of long arrays.
    pub fn entry_variable(&self, source: Source) -> Option<usize> {
        let is_it = |column: &Range<usize>| column.len() == 1 && self.entry[column.start].source == source;
        columns(&self.entry).iter().position(is_it)
    }
}

/// Scalars that belong together: the elements of an array, or one.
fn columns(scalars: &[Scalar]) -> Vec<Range<usize>> {
    let mut list = Vec::new();
    let mut at = 0;
    while at < scalars.len() {
        let is_next = |count: &usize| match (element(&scalars[at].name), scalars.get(at + count)) {
            (Some((array, 0)), Some(next)) => {
                next.ty == scalars[at].ty && element(&next.name) == Some((array, *count as u64))
            }
            _ => false,
        };
        let count = 1 + (1..).take_while(is_next).count();
        let length = if count >= TUNING.array_length { count } else { 1 };
        list.push(at..at + length);
        at += length;
    }
    list
}

/// `name[3]` as the array and the index.
fn element(name: &str) -> Option<(&str, u64)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}

fn name_of(scalars: &[Scalar]) -> String {
    match (scalars.len(), element(&scalars[0].name)) {
        (2.., Some((array, _))) => array.to_string(),
        _ => scalars[0].name.to_string(),
    }
}

fn sources(scalars: &[Scalar]) -> impl Iterator<Item = Source> + '_ {
    scalars.iter().map(|scalar| scalar.source)
}

fn variable(name: &str, scalars: &[Scalar], role: Role) -> Variable {
    let element = sort(scalars[0].ty).unwrap_or(Sort::Bool);
    let sort = match scalars.len() {
        1 => plumb_infer::Sort::Scalar(element),
        count => plumb_infer::Sort::Array { element, len: Some(count as u32) },
    };
    Variable::new(name, sort, role)
}

fn places_of(scalars: &[Scalar], atom: fn(Cell) -> Atom) -> Vec<Place> {
    let place = |scalar: &Scalar| {
        let cell = cell(scalar.source)?;
        Some(Place { atom: atom(cell), ty: scalar.ty.ty, is_signed: scalar.ty.is_signed })
    };
    scalars.iter().filter_map(place).collect()
}

/// As facts have it; `None` for what they do not speak of.
pub fn sort(ty: ScalarType) -> Option<Sort> {
    match ty.ty {
        Ty::Int(1) => Some(Sort::Bool),
        Ty::Int(bits @ 2..=64) => Some(Sort::Int { bits: bits as u32, signed: ty.is_signed }),
        Ty::Float(FloatFormat::F32) => Some(Sort::Float(InferFormat::F32)),
        Ty::Float(FloatFormat::F64) => Some(Sort::Float(InferFormat::F64)),
        Ty::Int(_) | Ty::Float(FloatFormat::X87) | Ty::Ptr => None,
    }
}

/// The place as contracts name it; `None` for values from outside.
fn cell(source: Source) -> Option<Cell> {
    match source {
        Source::Parameter(var) => Some(Cell::Parameter(var)),
        Source::Global(var) => Some(Cell::Global(var)),
        Source::Object(object, offset) => Some(Cell::Object(object, offset)),
        Source::Pointee(var, offset) => Some(Cell::Pointee(var, offset)),
        Source::External(_) | Source::Stream(_) => None,
    }
}

fn parameter(program: &Program, function: &Function, var: LocalVar) -> Option<Scalar> {
    let info = function.var(var);
    let ty = scalar_type(program, info.ty, info.cty);
    sort(ty)?;
    Some(Scalar { name: info.name.clone(), source: Source::Parameter(var), ty })
}

/// The scalars that pointer parameters point to, where what they point to is accessed: those that can be read in every call. Parameters
/// that point to one place in all calls are left out, since it has a name.
fn pointees(analyses: &Analyses, func: FuncId, accesses: &Accesses) -> Vec<Scalar> {
    let program = analyses.program();
    let function = program.function(func);
    let mut list = Vec::new();
    for var in (0..function.param_count).map(LocalVar) {
        let info = function.var(var);
        let no_object = analyses.nullness().local(func, var);
        if info.ty != Ty::Ptr || no_object.null || no_object.number {
            continue;
        }
        let Targets::Known(targets) = argument_targets(analyses, func, var.0) else { continue };
        let is_named = matches!(targets[..], [Target { object: Object::Global(_), offset: Some(_) }]);
        let is_accessed = targets.iter().any(|target| accesses.objects.contains(target.object));
        let readable = targets.iter().map(|target| bytes_left(analyses, (func, var), *target)).min();
        let Some(Some(bytes)) = readable.filter(|_| is_accessed && !is_named) else { continue };
        list.extend(parts_behind(program, info, var, bytes));
    }
    list
}

/// How many bytes there are at the target of a parameter; `None` if that may change, or the object may be gone.
fn bytes_left(analyses: &Analyses, (func, var): (FuncId, LocalVar), target: Target) -> Option<u64> {
    let program = analyses.program();
    let size = match target.object {
        Object::Global(object) => program.object(object).size,
        Object::Local(owner, object) if analyses.handed_down().is_live(func, var) => {
            program.function(owner).object(object).size
        }
        Object::Local(..) | Object::Heap(..) | Object::Stack(..) | Object::Function(_) => return None,
    };
    size.checked_sub(u64::try_from(target.offset?).ok()?)
}

/// The scalars of what a pointer points to, as its type has them: of all elements, if they are few.
fn parts_behind(program: &Program, info: &LocalVarInfo, var: LocalVar, bytes: u64) -> Vec<Scalar> {
    let table = &program.types.table;
    // Structures travel by pointers.
    let (to, is_value) = match info.cty.map(|cty| (table.get(cty), cty)) {
        Some((Type::Pointer(to), _)) => (to.ty, false),
        Some((Type::Record(_), cty)) => (cty, true),
        _ => return Vec::new(),
    };
    let Some(size) = table.size_of(to).filter(|size| *size > 0) else { return Vec::new() };
    let found = parts(&program.types, &program.target, to, TUNING.object_parts + 1);
    let elements = if is_value { (bytes / size).min(1) } else { bytes / size };
    if found.len() > TUNING.object_parts || elements == 0 {
        return Vec::new();
    }
    let count = if elements.saturating_mul(found.len() as u64) <= TUNING.object_parts as u64 { elements } else { 1 };
    let mut list = Vec::new();
    for (at, part) in (0..count).flat_map(|at| found.iter().map(move |part| (at, part))) {
        let ty = scalar_type(program, part.ty, Some(part.cty));
        if sort(ty).is_some() {
            let (of, path) = (&info.name, &part.path);
            let name = match (count, path.strip_prefix('.')) {
                _ if is_value => format!("{of}{path}"),
                (1, Some(field)) => format!("{of}->{field}"),
                (1, None) if path.is_empty() => format!("*{of}"),
                _ => format!("{of}[{at}]{path}"),
            };
            list.push(Scalar { name: name.into(), source: Source::Pointee(var, at * size + part.offset), ty });
        }
    }
    list
}

/// The scalars among what is accessed, no more than so many.
fn scalars(program: &Program, accesses: &Accesses, most: usize) -> Vec<Scalar> {
    let mut list = Vec::new();
    for &var in &accesses.registers {
        let info = program.var(var);
        let ty = scalar_type(program, info.ty, info.cty);
        if sort(ty).is_some() {
            list.push(Scalar { name: info.name.clone(), source: Source::Global(var), ty });
        }
    }
    let Objects::Known(objects) = &accesses.objects else { return list };
    for object in objects {
        let Object::Global(object) = *object else { continue };
        let info = program.object(object);
        let Some(cty) = info.cty.filter(|_| !info.read_only && list.len() < most) else { continue };
        let found = parts(&program.types, &program.target, cty, TUNING.object_parts + 1);
        // Of a large object an arbitrary beginning would be spoken of.
        if found.len() > TUNING.object_parts {
            continue;
        }
        for part in found {
            let ty = scalar_type(program, part.ty, Some(part.cty));
            if sort(ty).is_some() {
                let name = format!("{}{}", info.name, part.path).into();
                list.push(Scalar { name, source: Source::Object(object, part.offset), ty });
            }
        }
    }
    list
}
