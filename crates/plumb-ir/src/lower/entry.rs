//! Arguments of a function that a run starts with and that is not `main`: anything.
//!
//! A pointer is null, or points to an object of its own: one of the type that it points to, with arbitrary content, whose
//! pointers are made in the same way. That is not all a caller could pass, so it is listed as assumed. Deeper than some
//! levels pointers are null, which is listed too. What cannot be made is not left out in silence: a pointer to `void`, to a
//! function or to an incomplete type that is not null ends the run as not supported.

use super::call::Arg;
use super::cond::branch_targets;
use super::function::Lowerer;
use super::types::Class;
use crate::expr::ExprId;
use crate::input::InputOrigin;
use crate::program::{AssumptionKind, BranchKind};
use crate::ty::Ty;
use plumb_c::hir;
use plumb_c::source::Span;
use plumb_c::types::{ArrayLen, TyId, Type};
use std::sync::Arc;

/// Objects lie behind so many pointers, one after the other.
const DEPTH: u32 = 3;
/// Objects for all arguments together.
const MOST_OBJECTS: u32 = 32;
/// Longer arrays of pointers are not filled.
const MOST_ELEMENTS: u64 = 16;

/// The arguments under construction.
struct Arguments {
    function: Arc<str>,
    objects: u32,
    span: Span,
}

impl Arguments {
    fn origin(&self, what: &str) -> InputOrigin {
        InputOrigin::EntryArgument(self.function.clone(), what.into())
    }
}

impl Lowerer<'_, '_> {
    /// `None` if the function cannot be called; the run has ended as not supported then.
    pub(super) fn entry_arguments(&mut self, entry: hir::FuncId, params: &[TyId], span: Span) -> Option<Vec<Arg>> {
        let function = self.cx.hir.function(entry);
        let mut arguments = Arguments { function: self.cx.hir.names.shared(function.name), objects: 0, span };
        let mut args = Vec::new();
        for (i, &cty) in params.iter().enumerate() {
            let local = function.body.as_ref().and_then(|body| body.locals.get(hir::LocalId::from(i))?.name);
            let name = local.map_or_else(|| (i + 1).to_string().into(), |name| self.cx.hir.names.shared(name));
            let value = match self.cx.class(cty) {
                _ if self.cx.hir.types.is_pointer(cty) => self.entry_pointer(&mut arguments, cty, &name, 0)?,
                Class::Record => {
                    let object = self.input(arguments.origin(&name), cty, None, span)?;
                    self.entry_pointers_in(&mut arguments, object, cty, &name, 0)?;
                    object
                }
                Class::Scalar(_) | Class::Void => self.input(arguments.origin(&name), cty, None, span)?,
            };
            args.push(Arg { value, cty });
        }
        Some(args)
    }

    /// Null, or the address of an object that is made for it. `name` is the pointer as C would write it.
    fn entry_pointer(&mut self, arguments: &mut Arguments, cty: TyId, name: &str, depth: u32) -> Option<ExprId> {
        let span = arguments.span;
        let null = self.b.null();
        let types = &self.cx.hir.types;
        let pointee = types.pointee(cty)?.ty;
        let size = types.size_of(pointee).filter(|size| *size > 0 && !self.cx.is_void(pointee));
        if size.is_some() && (depth == DEPTH || arguments.objects == MOST_OBJECTS) {
            self.cx.assume(AssumptionKind::EntryNull, name.into(), span);
            return Some(null);
        }
        let is_object = self.havoc_temp(Ty::BOOL, arguments.origin(name), Some(cty), span);
        let Some(size) = size else {
            let (outside, inside) = (self.b.new_loc(), self.b.new_loc());
            let (yes, no) = branch_targets(BranchKind::If, outside, inside);
            self.b.branch(is_object, yes, no, span);
            self.b.at(outside);
            let what = format!("an entry function whose argument `{name}` points to what is of no known type");
            self.unsupported(what, span);
            self.b.at(inside);
            return Some(null);
        };
        self.cx.assume(AssumptionKind::EntryPointer, name.into(), span);
        arguments.objects += 1;
        let object = self.record_object("pointee", pointee, span);
        let content = format!("*{name}");
        self.havoc_object(object, size, pointee, arguments.origin(&content), span);
        self.entry_pointers_in(arguments, object, pointee, &content, depth + 1)?;
        Some(self.b.ite(is_object, object, null))
    }

    /// Gives the pointers in an object of arbitrary content something to point to. `name` is the object as C would write
    /// it.
    fn entry_pointers_in(
        &mut self,
        arguments: &mut Arguments,
        addr: ExprId,
        cty: TyId,
        name: &str,
        depth: u32,
    ) -> Option<()> {
        if !self.cx.hir.types.holds_pointers(cty) {
            return Some(());
        }
        let span = arguments.span;
        let hir = self.cx.hir;
        match hir.types.get(cty) {
            Type::Array(elem, ArrayLen::Fixed(len)) if *len <= MOST_ELEMENTS => {
                let size = self.cx.size_of(elem.ty);
                for i in 0..*len {
                    let at = self.b.ptr_offset(addr, i * size);
                    let name = if name.starts_with('*') { format!("({name})[{i}]") } else { format!("{name}[{i}]") };
                    self.entry_pointers_in(arguments, at, elem.ty, &name, depth)?;
                }
            }
            Type::Record(id) if !hir.types.record(*id).is_union => {
                let body = hir.types.record(*id).body.as_ref();
                for field in body.iter().flat_map(|b| &b.fields).filter(|f| f.bits.is_none()) {
                    let at = self.b.ptr_offset(addr, field.offset);
                    let field_name = field.name.map_or("", |name| hir.names.text(name));
                    let name = match name.strip_prefix('*') {
                        Some(pointer) => format!("{pointer}->{field_name}"),
                        None => format!("{name}.{field_name}"),
                    };
                    self.entry_pointers_in(arguments, at, field.ty.ty, &name, depth)?;
                }
            }
            Type::Pointer(_) => {
                let value = self.entry_pointer(arguments, cty, name, depth)?;
                self.store(addr, value, span);
            }
            // The one at the end of a structure has no elements in an object of its own.
            Type::Array(_, ArrayLen::Unknown) => {}
            _ => {
                self.unsupported(format!("an entry function with pointers in a union or long array, `{name}`"), span);
                return None;
            }
        }
        Some(())
    }
}
