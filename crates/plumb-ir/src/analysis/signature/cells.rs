//! Scalars in memory: which parts of objects a function reads, with their names and types.
//!
//! A part that is read at a constant offset has the type of the load. Where an index varies by multiples of a number, so has
//! every part at such an offset; where nothing is known of it the whole object counts, element by element as its C type has
//! them, and bytes that belong to no element (padding, unions, bit-fields) one by one.

use super::address::{Offset, split};
use super::collect::Scope;
use super::{MAX_INPUTS, NoSignature, Scalar, ScalarType, Source};
use crate::analysis::address_taken::direct;
use crate::expr::ExprKind;
use crate::program::{FuncId, Function, GlobalObj, LocalVar, LocalVarInfo, ObjRef, Op, Place, Program, VarRef};
use crate::promote::{Part, parts};
use crate::ty::{FloatFormat, Ty};
use plumb_c::types::{IntKind, TyId, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a part is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Base {
    /// What a parameter points to.
    Pointee(LocalVar),
    Object(GlobalObj),
}

/// Parts by where they start: their types, of which there may be several.
#[derive(Default)]
pub struct Cells {
    read: BTreeMap<Base, BTreeMap<u64, Vec<Ty>>>,
    whole: BTreeSet<Base>,
}

/// The parts of large objects are not listed to the end.
const LISTED_PARTS: usize = 4096;

impl Cells {
    /// A scalar at a constant offset.
    pub fn add(&mut self, scope: Scope, func: FuncId, base: Base, offset: i64, ty: Ty) -> Result<(), NoSignature> {
        // In front of a static object there is nothing; in front of what a parameter points to there may be more of it.
        let Ok(offset) = u64::try_from(offset) else {
            return match base {
                Base::Pointee(parameter) => Err(unknown_extent(scope, func, parameter)),
                Base::Object(_) => Ok(()),
            };
        };
        let types = self.read.entry(base).or_default().entry(offset).or_default();
        if !types.contains(&ty) {
            types.push(ty);
        }
        Ok(())
    }

    /// All scalars of a range of bytes.
    pub fn add_range(
        &mut self,
        scope: Scope,
        func: FuncId,
        base: Base,
        offset: i64,
        bytes: u64,
    ) -> Result<(), NoSignature> {
        if bytes > (MAX_INPUTS * 8) as u64 {
            return Err(NoSignature::TooManyInputs);
        }
        let start = match (u64::try_from(offset), base) {
            (Ok(start), _) => start,
            (Err(_), Base::Pointee(parameter)) => return Err(unknown_extent(scope, func, parameter)),
            (Err(_), Base::Object(_)) => return Ok(()),
        };
        let end = start + bytes;
        let size = |ty: Ty| ty.bytes(&scope.program.target);
        let mut covered = start;
        for part in layout(scope, func, base, start..end) {
            if part.offset < covered || part.offset + size(part.ty) > end {
                continue;
            }
            self.add_bytes(scope, func, base, covered..part.offset)?;
            self.add(scope, func, base, part.offset as i64, part.ty)?;
            covered = part.offset + size(part.ty);
        }
        self.add_bytes(scope, func, base, covered..end)
    }

    fn add_bytes(
        &mut self,
        scope: Scope,
        func: FuncId,
        base: Base,
        bytes: std::ops::Range<u64>,
    ) -> Result<(), NoSignature> {
        bytes.into_iter().try_for_each(|at| self.add(scope, func, base, at as i64, Ty::Int(8)))
    }

    /// Everything that the base has.
    pub fn add_all(&mut self, scope: Scope, func: FuncId, base: Base) -> Result<(), NoSignature> {
        if !self.whole.insert(base) {
            return Ok(());
        }
        let size = size_of(scope, func, base)?;
        self.add_range(scope, func, base, 0, size)
    }

    /// A scalar at every multiple of a stride from an offset on, in both directions.
    pub fn add_every(
        &mut self,
        scope: Scope,
        func: FuncId,
        base: Base,
        (offset, stride): (i64, u64),
        ty: Ty,
    ) -> Result<(), NoSignature> {
        let size = size_of(scope, func, base)?;
        let first = offset.rem_euclid(stride as i64) as u64;
        let room = size.saturating_sub(first + ty.bytes(&scope.program.target) - 1).div_ceil(stride);
        if room > MAX_INPUTS as u64 {
            return Err(NoSignature::TooManyInputs);
        }
        (0..room).try_for_each(|i| self.add(scope, func, base, (first + i * stride) as i64, ty))
    }

    /// The scalars, none of which overlap.
    pub fn scalars(&self, scope: Scope, func: FuncId) -> Result<Vec<Scalar>, NoSignature> {
        let program = scope.program;
        let mut scalars = Vec::new();
        for (&base, cells) in &self.read {
            let mut end = 0;
            for (&offset, types) in cells {
                let (name, cty) = describe(scope, func, base, offset, types[0]);
                for &ty in types {
                    input_type(program, &name, ty, None)?;
                }
                let bytes = |ty: &Ty| ty.bytes(&program.target);
                // The first of the largest ones: `types` is not empty.
                let Some(&ty) = types.iter().rev().max_by_key(|ty| bytes(ty)) else { continue };
                if offset + bytes(&ty) <= end {
                    continue;
                }
                if offset < end {
                    return Err(NoSignature::OverlappingReads(base_name(scope, func, base)));
                }
                end = offset + bytes(&ty);
                let source = match base {
                    Base::Pointee(parameter) => Source::Pointee(parameter, offset),
                    Base::Object(object) => Source::Object(object, offset),
                };
                let ty = input_type(program, &name, ty, cty)?;
                scalars.push(Scalar { name, source, ty });
            }
        }
        Ok(scalars)
    }
}

/// The type of an input, if it is one that examples can have.
pub fn input_type(program: &Program, name: &Arc<str>, ty: Ty, cty: Option<TyId>) -> Result<ScalarType, NoSignature> {
    match ty {
        Ty::Float(FloatFormat::X87) => Err(NoSignature::FloatInput(name.clone())),
        Ty::Ptr => Err(NoSignature::PointerInput(name.clone())),
        Ty::Int(bits) if bits > 64 => Err(NoSignature::WideInput(name.clone())),
        Ty::Int(_) | Ty::Float(_) => Ok(scalar_type(program, ty, cty)),
    }
}

/// The sign comes from the C type. Numbers that have none count as unsigned.
pub fn scalar_type(program: &Program, ty: Ty, cty: Option<TyId>) -> ScalarType {
    let table = &program.types.table;
    let kind = cty.and_then(|cty| match table.get(cty) {
        Type::Int(kind) => Some(*kind),
        Type::Enum(id) => table.enumeration(*id).underlying,
        Type::Void
        | Type::Float(_)
        | Type::Pointer(_)
        | Type::Array(..)
        | Type::Function(_)
        | Type::Record(_)
        | Type::Error => None,
    });
    ScalarType {
        ty,
        is_signed: kind.is_some_and(|kind| kind.is_signed(&program.target)),
        is_bool: kind == Some(IntKind::Bool) || ty == Ty::BOOL,
    }
}

fn size_of(scope: Scope, func: FuncId, base: Base) -> Result<u64, NoSignature> {
    match base {
        Base::Object(object) => Ok(scope.program.object(object).size),
        Base::Pointee(parameter) => {
            extent(scope, func, parameter).ok_or_else(|| unknown_extent(scope, func, parameter))
        }
    }
}

/// How many bytes lie behind a parameter, where all calls name a whole object and those are equally large.
fn extent(scope: Scope, func: FuncId, parameter: LocalVar) -> Option<u64> {
    let program = scope.program;
    let mut sizes = scope.analyses.resolved_calls().callers(func).iter().map(|&(caller, edge)| {
        let function = program.function(caller);
        let Op::Call { args, .. } = &function.edge(edge).op else { return None };
        match direct(&function.exprs, *args.get(parameter.0 as usize)?, &program.target)? {
            (ObjRef::Global(object), 0) => Some(program.object(object).size),
            (ObjRef::Local(object), 0) => Some(function.object(object).size),
            (ObjRef::Global(_) | ObjRef::Local(_), _) => None,
        }
    });
    let first = sizes.next()??;
    sizes.all(|size| size == Some(first)).then_some(first)
}

fn unknown_extent(scope: Scope, func: FuncId, parameter: LocalVar) -> NoSignature {
    NoSignature::UnknownExtent(scope.program.function(func).var(parameter).name.clone())
}

/// What lies behind a parameter that holds an address.
struct Behind {
    ty: TyId,
    size: u64,
    /// The parameter is a record by value: the caller's copy of it.
    is_by_value: bool,
}

fn pointee(scope: Scope, func: FuncId, parameter: LocalVar) -> Option<Behind> {
    let table = &scope.program.types.table;
    let function = scope.program.function(func);
    let info = function.var(parameter);
    let (ty, is_by_value) = match info.cty.map(|cty| table.get(cty)) {
        Some(Type::Pointer(to)) => (to.ty, false),
        Some(_) => return None,
        // The function's own copy of the record has its type, unless it was split into registers.
        None => (function.objects.iter().find(|copy| copy.name == info.name && copy.span == info.span)?.cty?, true),
    };
    Some(Behind { ty, size: table.size_of(ty).filter(|&size| size > 0)?, is_by_value })
}

/// Whether a register is the parameter, or keeps it and nothing else.
fn is_copy_of(function: &Function, var: LocalVar, parameter: LocalVar) -> bool {
    let mut values = function.edges.iter().filter_map(|edge| match edge.op {
        Op::Assign { to: Place::Var(VarRef::Local(to)), value } if to == var => Some(function.exprs.kind(value)),
        _ => None,
    });
    var == parameter || values.next() == Some(ExprKind::Var(VarRef::Local(parameter))) && values.next().is_none()
}

/// The register that receives a part of a record by value: it has the part's name and type.
fn receiver<'a>(scope: Scope<'a>, func: FuncId, parameter: LocalVar, offset: u64) -> Option<&'a LocalVarInfo> {
    let program = scope.program;
    let function = program.function(func);
    let info = function.var(parameter);
    if info.cty.is_some() {
        return None;
    }
    function.edges.iter().find_map(|edge| {
        let Op::Assign { to: Place::Var(VarRef::Local(var)), value } = edge.op else { return None };
        let ExprKind::Load(addr) = function.exprs.kind(value) else { return None };
        let (base, sum, indices) = split(function, addr, program);
        let ExprKind::Var(VarRef::Local(base)) = function.exprs.kind(base) else { return None };
        let is_part = is_copy_of(function, base, parameter)
            && matches!(Offset::of(function, sum, &indices, program), Offset::Exact(at) if at == offset as i64);
        Some(function.var(var)).filter(|part| is_part && part.span == info.span && part.name.starts_with(&*info.name))
    })
}

/// The scalar parts of a base, in order: all that lie in these bytes, and others.
fn layout(scope: Scope, func: FuncId, base: Base, bytes: std::ops::Range<u64>) -> Vec<Part> {
    let program = scope.program;
    let of_type = |ty| parts(&program.types, &program.target, ty, LISTED_PARTS);
    match base {
        Base::Object(object) => program.object(object).cty.map(of_type).unwrap_or_default(),
        Base::Pointee(parameter) => {
            let Some(Behind { ty, size, .. }) = pointee(scope, func, parameter) else { return Vec::new() };
            let element = of_type(ty);
            let starts = (bytes.start / size..bytes.end.div_ceil(size)).map(|i| i * size);
            let at = |start: u64| element.iter().map(move |part| Part { offset: start + part.offset, ..part.clone() });
            starts.flat_map(at).collect()
        }
    }
}

fn base_name(scope: Scope, func: FuncId, base: Base) -> Arc<str> {
    match base {
        Base::Object(object) => scope.program.object(object).name.clone(),
        Base::Pointee(parameter) => scope.program.function(func).var(parameter).name.clone(),
    }
}

/// What a user calls the scalar at an offset, and its C type where the declared one fits.
fn describe(scope: Scope, func: FuncId, base: Base, offset: u64, ty: Ty) -> (Arc<str>, Option<TyId>) {
    let program = scope.program;
    let name = base_name(scope, func, base);
    let find = |cty, offset| {
        let list = parts(&program.types, &program.target, cty, LISTED_PARTS);
        list.into_iter().find(|part| part.offset == offset && part.ty == ty)
    };
    match base {
        Base::Object(object) => {
            if let Some(part) = program.object(object).cty.and_then(|cty| find(cty, offset)) {
                return (format!("{name}{}", part.path).into(), Some(part.cty));
            }
        }
        Base::Pointee(parameter) => {
            if let Some(Behind { ty: cty, size, is_by_value }) = pointee(scope, func, parameter)
                && let Some(part) = find(cty, offset % size)
            {
                let name = match (offset / size, part.path.strip_prefix('.')) {
                    (0, Some(_)) if is_by_value => format!("{name}{}", part.path),
                    (0, Some(field)) => format!("{name}->{field}"),
                    (0, None) if part.path.is_empty() => format!("*{name}"),
                    (i, _) => format!("{name}[{i}]{}", part.path),
                };
                return (name.into(), Some(part.cty));
            }
            if let Some(part) = receiver(scope, func, parameter, offset).filter(|part| part.ty == ty) {
                return (part.name.clone(), part.cty);
            }
        }
    }
    (format!("{name}+{offset}").into(), None)
}
