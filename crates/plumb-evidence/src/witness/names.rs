//! How parts of the state are called in C: what facts of proofs are told with.
//!
//! A part has a name where that means one thing only, in the scope of the function that is spoken of.

use plumb_c::source::Span;
use plumb_c::types::{TyId, Type, TypeTable};
use plumb_ir::index::{TiSlice, TiVec};
use plumb_ir::program::{FuncId, ObjRef, Program, VarRef};
use plumb_sym::StatePart;
use plumb_term::c_print::{CModel, CName};
use plumb_term::{Format, Sort};
use std::fmt::Write;
use std::sync::Arc;

/// The widths of the program's types.
pub(crate) fn model(program: &Program) -> CModel {
    CModel { int_bits: program.target.int_bytes as u32 * 8, has_int128: program.target.pointer_bytes == 8 }
}

/// By function, from where it is named to its last edge.
pub(crate) fn extents(program: &Program) -> TiVec<FuncId, Span> {
    program.function_ids().map(|func| extent(program, func)).collect()
}

/// The same in a program derived from one with these extents: a body that was replaced says nothing of where the function is.
pub(crate) fn derived_extents(derived: &Program, original: &TiSlice<FuncId, Span>) -> TiVec<FuncId, Span> {
    let of = |func| original.get(func).copied().unwrap_or_else(|| extent(derived, func));
    derived.function_ids().map(of).collect()
}

/// How a part of the state is called in a function.
pub(crate) fn name(
    program: &Program,
    extents: &TiSlice<FuncId, Span>,
    func: FuncId,
    part: StatePart,
    sort: Sort,
) -> Option<CName> {
    let function = program.function(func);
    let (name, cty, is_global) = match part {
        StatePart::Register(VarRef::Local(var)) => {
            let info = function.var(var);
            (&info.name, info.cty?, false)
        }
        StatePart::Register(VarRef::Global(var)) => {
            let info = program.var(var);
            (&info.name, info.cty?, is_visible(program, extents, func, info.span, info.cty?)?)
        }
        StatePart::Bytes(ObjRef::Local(object), _) => {
            let info = function.object(object);
            (&info.name, info.cty?, false)
        }
        StatePart::Bytes(ObjRef::Global(object), _) => {
            let info = program.object(object);
            (&info.name, info.cty?, is_visible(program, extents, func, info.span, info.cty?)?)
        }
        // A pointer may be one to void, or to another type than what it points to.
        StatePart::Behind { .. } => return None,
    };
    if !is_lvalue(name) || !is_unique(program, func, name, is_global) {
        return None;
    }
    let mut text = name.to_string();
    let mut cty = cty;
    if let StatePart::Bytes(_, offset) = part {
        cty = member(program, cty, offset, sort, &mut text)?;
    }
    let is_signed = signedness(&program.types.table, cty, sort, program)?;
    Some(CName { text, is_signed })
}

/// The number of a sort at an offset in something of a type: adds the way there to its name, and gives the number's
/// type.
pub(crate) fn member(program: &Program, cty: TyId, offset: u64, sort: Sort, text: &mut String) -> Option<TyId> {
    let table = &program.types.table;
    match table.get(cty) {
        Type::Int(_) | Type::Enum(_) | Type::Float(_) => (offset == 0 && has_sort(table, cty, sort)).then_some(cty),
        Type::Array(element, _) => {
            let size = table.size_of(element.ty).filter(|size| *size > 0)?;
            let _ = write!(text, "[{}]", offset / size);
            member(program, element.ty, offset % size, sort, text)
        }
        Type::Record(record) => {
            let body = table.record(*record).body.as_ref()?;
            let before = text.len();
            for field in body.fields.iter().filter(|field| field.bits.is_none()) {
                let holds = |size: u64| (field.offset..field.offset + size).contains(&offset);
                if !table.size_of(field.ty.ty).is_some_and(holds) {
                    continue;
                }
                // What is in a member without a name is a member of what it is in.
                if let Some(name) = field.name {
                    let _ = write!(text, ".{}", program.types.names.text(name));
                }
                if let Some(found) = member(program, field.ty.ty, offset - field.offset, sort, text) {
                    return Some(found);
                }
                text.truncate(before);
            }
            None
        }
        Type::Void | Type::Pointer(_) | Type::Function(_) | Type::Error => None,
    }
}

/// A global has its name in its own unit, and a static variable of a function only there. A plain number that is declared
/// behind the function is told as well: readers know what is meant, and `plumb validate` declares it before.
fn is_visible(program: &Program, extents: &TiSlice<FuncId, Span>, func: FuncId, span: Span, cty: TyId) -> Option<bool> {
    let base = |span: Span| program.sources.unit_of(span.start).map(|unit| unit.base());
    let here = extents[func];
    let is_number = matches!(program.types.table.get(cty), Type::Int(_));
    if base(span) != base(here) || span.start >= here.end && !is_number {
        return None;
    }
    let holds = |f: FuncId| {
        let around = extents[f];
        around.start <= span.start && span.end <= around.end
    };
    let owner = program.function_ids().filter(|f| !program.function(*f).is_library).find(|f| holds(*f));
    owner.is_none_or(|owner| owner == func).then_some(true)
}

/// From where a function is named to its last edge.
fn extent(program: &Program, func: FuncId) -> Span {
    let function = program.function(func);
    function.edges.iter().map(|edge| edge.span).filter(|span| !span.is_none()).fold(function.span, Span::to)
}

/// Whether a number of a type is read with a sign where it is of a sort; floats are read as they are.
pub(crate) fn signedness(table: &TypeTable, cty: TyId, sort: Sort, program: &Program) -> Option<bool> {
    match (sort, table.get(cty)) {
        (Sort::Float(_), _) | (_, Type::Float(_)) => has_sort(table, cty, sort).then_some(false),
        _ if has_sort(table, cty, sort) => Some(table.int_kind(cty)?.is_signed(&program.target)),
        // A truth value is 0 or 1 whatever its type.
        _ => matches!(sort, Sort::Bool | Sort::Bv(1)).then_some(false),
    }
}

/// Whether the values of a type are those of a sort: numbers of as many bits, or floats of the format.
fn has_sort(table: &TypeTable, cty: TyId, sort: Sort) -> bool {
    let bits = match (sort, table.get(cty)) {
        (Sort::Float(format @ (Format::F32 | Format::F64)), Type::Float(_)) => format.width(),
        (Sort::Bv(width), Type::Int(_) | Type::Enum(_) | Type::Pointer(_)) => width,
        _ => return false,
    };
    table.size_of(cty).is_some_and(|size| size * 8 == bits as u64)
}

/// A name, or the path to a part: `s.a[2].b`.
pub(crate) fn is_lvalue(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']'))
}

/// Whether a name means one thing only in a function.
fn is_unique(program: &Program, func: FuncId, name: &str, is_global: bool) -> bool {
    fn stem(name: &str) -> &str {
        name.split(['.', '[']).next().unwrap_or(name)
    }
    let function = program.function(func);
    let same = |other: &Arc<str>| **other == *name;
    let locals = function.vars.iter().map(|v| &v.name).chain(function.objects.iter().map(|o| &o.name));
    let globals = program.vars.iter().map(|v| &v.name).chain(program.objects.iter().map(|o| &o.name));
    match is_global {
        true => globals.filter(|n| same(n)).count() == 1 && !locals.into_iter().any(|n| stem(n) == stem(name)),
        false => locals.filter(|n| same(n)).count() == 1,
    }
}
