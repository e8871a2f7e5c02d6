//! Functions of which only a declaration exists: what calling one may do.
//!
//! It returns anything of its type; one that is declared `const` returns for equal arguments what it returned before
//! (`constant`).
//! With [`Missing::Havoc`] it may also have changed what its arguments reach through
//! pointers to what is not `const`, in one way for each pointer, converted to a number in the call or not, unless its
//! declaration promises otherwise (`pure`, `const`, `access`); all else, globals above all, it leaves alone and it calls
//! nothing; `errno` is not left alone where the program looks at it. Names that belong to a compiler or a verifier are never taken for such functions.

use super::asm_text::MaskAccess;
use super::call::Arg;
use super::concurrency::MaskEffect;
use super::function::Lowerer;
use super::types::{Class, Signature};
use super::{Context, special};
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, Sign};
use crate::input::InputOrigin;
use crate::program::{AssumptionKind, Extent, HavocPlace, Intrinsic, LocalVar, Op};
use crate::ty::Ty;
use plumb_c::diag::Diagnostic;
use plumb_c::hir::{self, BinaryOp, CastKind, ExprKind};
use plumb_c::source::Span;
use plumb_c::types::{ArrayLen, RecordId, TyId, Type};
use std::sync::Arc;

/// What calls of functions without a body may do besides returning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Missing {
    /// Nothing: the competition's rule.
    #[default]
    Nothing,
    /// Change what their arguments reach.
    Havoc,
    /// Such programs are refused.
    Error,
}

/// Beginnings of names that are not the program's to leave undefined.
const RESERVED: [&str; 7] = ["__CPROVER_", "__ESBMC_", "__VERIFIER_", "__builtin_", "__sync_", "__atomic_", "__plumb_"];

/// The beginning of the names of the competition's error functions, of which a program may have one for each of several properties.
const ERRORS: &str = "__VERIFIER_error";

/// Whether a name belongs to a compiler or a verifier.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|prefix| name.starts_with(prefix))
}

/// Where the C library keeps `errno`, by the names that its headers have for that.
const ERRNO: [&str; 3] = ["__errno_location", "__errno", "___errno"];

impl Context<'_> {
    /// Whether nothing but a declaration is known of a function.
    pub(super) fn is_missing(&self, id: hir::FuncId) -> bool {
        let function = self.hir.function(id);
        let name = self.hir.names.text(function.name);
        function.body.is_none() && function.model.is_none() && special::find(name).is_none()
    }

    /// Whether the program mentions a function that may fill objects with arbitrary bytes, whatever their types.
    pub(super) fn fills_objects(&self) -> bool {
        let hir = self.hir;
        hir.functions.keys().any(|id| {
            let function = hir.function(id);
            hir.mentioned.contains(&function.name)
                && match special::find(hir.names.text(function.name)) {
                    Some(meaning) => meaning.fills_objects() && function.body.is_none(),
                    None => self.may_change(id) && self.takes_objects(id),
                }
        })
    }

    /// Whether a call may change what the arguments of the function reach.
    fn may_change(&self, id: hir::FuncId) -> bool {
        self.options.missing == Missing::Havoc
            && self.is_missing(id)
            && !self.hir.function(id).effects.changes_nothing()
    }

    /// Whether an argument of the function may lead to an object that it can change.
    fn takes_objects(&self, id: hir::FuncId) -> bool {
        let ty = self.hir.function(id).ty;
        let Type::Function(signature) = self.hir.types.get(ty) else { return true };
        signature.variadic
            || signature.unprototyped
            || signature
                .params
                .iter()
                .any(|param| self.extent(param.ty).is_some() || self.has_room_for_address(param.ty))
    }

    /// Whether a type's numbers can be addresses.
    fn has_room_for_address(&self, ty: TyId) -> bool {
        let types = &self.hir.types;
        matches!(types.get(ty), Type::Int(_)) && self.size_of(ty) * 8 >= u64::from(types.target.pointer_bits())
    }

    /// What a function that is handed a value of a type may change through it.
    fn extent(&self, ty: TyId) -> Option<Extent> {
        let types = &self.hir.types;
        match types.get(ty) {
            Type::Pointer(to) if matches!(types.get(to.ty), Type::Function(_)) => None,
            Type::Pointer(to) if !to.quals.is_const => Some(Extent::Reached),
            Type::Pointer(to) => self.leads_on(to.ty, &mut Vec::new()).then_some(Extent::Behind),
            Type::Record(_) => self.leads_on(ty, &mut Vec::new()).then_some(Extent::Behind),
            Type::Array(..)
            | Type::Void
            | Type::Int(_)
            | Type::Enum(_)
            | Type::Float(_)
            | Type::Function(_)
            | Type::Error => None,
        }
    }

    /// The same for an argument of a function, which may have promised to leave it alone.
    fn argument_extent(&self, function: &hir::Function, position: usize, ty: TyId) -> Option<Extent> {
        let is_in = |list: &[u32]| list.iter().any(|&p| p as usize == position);
        let types = &self.hir.types;
        match types.get(ty) {
            _ if is_in(&function.effects.not_accessed) => None,
            // What the object points to is not promised.
            Type::Pointer(to) if is_in(&function.effects.read_only) => {
                self.leads_on(to.ty, &mut Vec::new()).then_some(Extent::Behind)
            }
            _ => self.extent(ty),
        }
    }

    /// Whether a value of a type is a pointer to a function, or leads to one.
    fn leads_to_function(&self, ty: TyId, seen: &mut Vec<RecordId>) -> bool {
        let types = &self.hir.types;
        match types.get(ty) {
            Type::Function(_) => true,
            Type::Pointer(to) => self.leads_to_function(to.ty, seen),
            Type::Array(elem, ArrayLen::Fixed(_) | ArrayLen::Unknown | ArrayLen::Variable(_)) => {
                self.leads_to_function(elem.ty, seen)
            }
            Type::Record(id) if seen.contains(id) => false,
            Type::Record(id) => {
                seen.push(*id);
                let body = types.record(*id).body.as_ref();
                body.is_some_and(|b| b.fields.iter().any(|f| self.leads_to_function(f.ty.ty, seen)))
            }
            Type::Void | Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Error => false,
        }
    }

    /// Whether an object of a type may hold a pointer to what is not `const`, or one that leads there.
    fn leads_on(&self, ty: TyId, seen: &mut Vec<RecordId>) -> bool {
        let types = &self.hir.types;
        match types.get(ty) {
            Type::Pointer(to) if matches!(types.get(to.ty), Type::Function(_)) => false,
            Type::Pointer(to) => !to.quals.is_const || self.leads_on(to.ty, seen),
            Type::Array(elem, ArrayLen::Fixed(_) | ArrayLen::Unknown | ArrayLen::Variable(_)) => {
                self.leads_on(elem.ty, seen)
            }
            Type::Record(id) if seen.contains(id) => false,
            Type::Record(id) => {
                seen.push(*id);
                // Of an incomplete type nobody knows.
                types.record(*id).body.as_ref().is_none_or(|b| b.fields.iter().any(|f| self.leads_on(f.ty.ty, seen)))
            }
            // Of what a `void *` points to nobody knows.
            Type::Void => true,
            Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Function(_) | Type::Error => false,
        }
    }
}

impl Lowerer<'_, '_> {
    /// The body of a function of which nothing is known but its type.
    pub(super) fn external_function(&mut self, function: &hir::Function, signature: &Signature, params: &[LocalVar]) {
        let span = function.span;
        if self.refuse_missing(span) {
            return self.b.stop();
        }
        if self.masks_interrupts(signature, params, span) {
            return;
        }
        let may_change = self.cx.options.missing == Missing::Havoc && !function.effects.changes_nothing();
        let kind = if may_change { AssumptionKind::ExternalEffects } else { AssumptionKind::ExternalFunction };
        self.cx.assume(kind, self.name.clone(), span);
        if signature.params.iter().any(|param| self.cx.leads_to_function(*param, &mut Vec::new())) {
            self.cx.assume(AssumptionKind::Callback, self.name.clone(), span);
        }
        if function.noreturn {
            self.intrinsic(Intrinsic::Abort, Vec::new(), None, span);
            return self.b.stop();
        }
        if may_change {
            self.change_arguments(function, signature, params, span);
            self.change_errno(span);
        }
        let origin = InputOrigin::External(self.name.clone());
        match self.cx.class(self.ret) {
            Class::Void => self.return_value(None, span),
            Class::Record => {
                self.havoc_result(origin, span);
                self.return_value(None, span);
            }
            Class::Scalar(ty) => {
                let value = self.havoc_temp(ty, origin, Some(self.ret), span);
                if function.returns_nonnull {
                    let is_set = self.b.truth(value);
                    self.b.emit(Op::Assume { cond: is_set, branch: None }, span);
                }
                if function.effects.is_const {
                    self.constant(function, signature, params, value);
                }
                self.return_value(Some(value), span);
            }
        }
    }

    /// The effect of a function without a body that compilers or `--irq-mask` know to mask or unmask interrupts. Whether that is all it does.
    fn masks_interrupts(&mut self, signature: &Signature, params: &[LocalVar], span: Span) -> bool {
        let Some(id) = self.id else { return false };
        match (self.function_mask_effect(id), params, &signature.params[..]) {
            (MaskEffect::Nothing, ..) => false,
            (MaskEffect::Plain(masking), ..) => {
                self.lay_masking(masking, span);
                if matches!(self.cx.class(self.ret), Class::Void) && params.is_empty() {
                    self.return_value(None, span);
                    return true;
                }
                false
            }
            (MaskEffect::Access(MaskAccess::Sets), &[param], &[cty])
                if matches!(self.cx.hir.types.get(cty), Type::Int(_)) =>
            {
                let value = self.b.local(param);
                self.write_mask_register(value, cty, span);
                self.fall_off_the_end(span);
                true
            }
            (MaskEffect::Access(MaskAccess::Reads), [], [])
                if matches!(self.cx.class(self.ret), Class::Scalar(Ty::Int(_))) =>
            {
                let Some((value, cty)) = self.read_mask_register(span) else { return false };
                let value = self.convert(value, cty, self.ret, true, span);
                self.return_value(Some(value), span);
                true
            }
            (MaskEffect::Access(_), ..) => {
                self.unsupported(format!("`{}` masks or unmasks interrupts in its own way", self.name), span);
                true
            }
        }
    }

    /// Reports a function that must have a body. Whether there was a reason to.
    fn refuse_missing(&mut self, span: Span) -> bool {
        let name = self.name.clone();
        let is_error_function = self.cx.properties.error_functions.iter().any(|f| **f == *name);
        let is_other_error = self.cx.properties.names_all_errors && name.starts_with(ERRORS);
        let refusal = if is_reserved(&name) && !is_error_function && !is_other_error {
            Diagnostic::error(span, format!("Plumb does not know `{name}`"))
                .help("leave the code that calls it out, or define a function of this name")
        } else if self.cx.options.missing == Missing::Error && !is_error_function {
            Diagnostic::error(span, format!("`{name}` has no body, and --missing error allows none"))
                .help("name the file that defines it, or choose --missing havoc or --missing nothing")
        } else {
            return false;
        };
        self.cx.diags.push(refusal);
        true
    }

    /// Most functions of the C library and the operating system set `errno` where they fail.
    fn change_errno(&mut self, span: Span) {
        let hir = self.cx.hir;
        // The library's, not a function of the program's with that name.
        let is_read = |name: &&str| {
            hir.find_function(name).is_some_and(|id| {
                let function = hir.function(id);
                let is_librarys = function.is_library || function.body.is_none() && function.model.is_some();
                is_librarys && hir.mentioned.contains(&function.name)
            })
        };
        let Some(name) = ERRNO.iter().find(|name| is_read(name)) else { return };
        if let Some(place) = self.call_model(name, Vec::new(), span) {
            self.havoc_objects(place, Extent::Object, InputOrigin::ExternalMemory(self.name.clone()), span);
        }
    }

    fn change_arguments(&mut self, function: &hir::Function, signature: &Signature, params: &[LocalVar], span: Span) {
        let name = self.name.clone();
        for (i, (&param, &cty)) in params.iter().zip(&signature.params).enumerate() {
            let value = self.b.local(param);
            if let Some(extent) = self.cx.argument_extent(function, i, cty) {
                self.havoc_objects(value, extent, InputOrigin::ExternalMemory(name.clone()), span);
            }
        }
        // Variadic arguments lie in memory, one behind the other.
        if let Some(variadic) = self.variadic {
            let area = self.b.local(variadic);
            self.havoc_objects(area, Extent::Behind, InputOrigin::ExternalMemory(name), span);
        }
    }

    /// What a function that is handed a value changes through it.
    fn change_reached(&mut self, name: &Arc<str>, arg: Arg, span: Span) {
        if let Some(extent) = self.cx.extent(arg.cty) {
            self.havoc_objects(arg.value, extent, InputOrigin::ExternalMemory(name.clone()), span);
        }
    }

    pub(super) fn havoc_objects(&mut self, addr: ExprId, extent: Extent, origin: InputOrigin, span: Span) {
        let input = self.cx.add_input(origin, None, None, span);
        self.b.emit(Op::Havoc { to: HavocPlace::Objects { addr, extent }, input }, span);
    }

    /// Before a direct call: what a missing function without a prototype changes through arguments that only its caller
    /// knows.
    pub(super) fn change_unprototyped(&mut self, id: hir::FuncId, args: &[Arg], span: Span) {
        let function = self.cx.hir.function(id);
        if self.cx.may_change(id) && self.cx.is_unprototyped(function.ty) {
            let name = self.cx.hir.names.shared(function.name);
            args.iter().for_each(|&arg| self.change_reached(&name, arg, span));
        }
    }

    /// Before a direct call: what a missing function changes through addresses that it is handed as numbers, such as those that
    /// drivers give to DMA controllers.
    pub(super) fn change_addressed(&mut self, id: hir::FuncId, exprs: &[hir::Expr], args: &[Arg], span: Span) {
        if !self.cx.may_change(id) {
            return;
        }
        for (expr, arg) in exprs.iter().zip(args) {
            let Some(pointer) = converted_pointer(expr).filter(|_| self.cx.has_room_for_address(arg.cty)) else {
                continue;
            };
            let name = self.cx.hir.names.shared(self.cx.hir.function(id).name);
            let value = self.convert(arg.value, arg.cty, pointer, false, span);
            self.change_reached(&name, Arg { value, cty: pointer }, span);
        }
    }

    /// Before a call through a pointer: where it leads to such a function, its arguments are lost.
    pub(super) fn require_prototype(&mut self, callee: ExprId, args: &[Arg], span: Span) {
        if self.cx.options.missing != Missing::Havoc || args.iter().all(|a| self.cx.extent(a.cty).is_none()) {
            return;
        }
        for (id, function) in self.cx.hir.functions.iter_enumerated() {
            if !function.address_taken || !self.cx.may_change(id) || !self.cx.is_unprototyped(function.ty) {
                continue;
            }
            let name = self.cx.hir.names.text(function.name);
            let message = format!("a call through a pointer of `{name}`, which has no body and no prototype");
            let target = self.cx.function(id);
            let address = self.b.func_addr(target);
            let cond = self.b.binary(BinOp::Ne, Sign::Unsigned, callee, address);
            let check = self.cx.add_check(CheckKind::Unsupported, message.into(), span);
            self.b.emit(Op::Check { cond, check }, span);
        }
    }
}

/// The type of the pointer that a number is computed from, as far as the expression shows it.
fn converted_pointer(expr: &hir::Expr) -> Option<TyId> {
    match &expr.kind {
        ExprKind::Cast { kind: CastKind::PtrToInt, value, .. } => Some(value.ty.ty),
        ExprKind::Cast { kind: CastKind::IntToInt | CastKind::NoOp, value, .. } => converted_pointer(value),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitAnd | BinaryOp::BitOr, left, right) => {
            converted_pointer(left).or_else(|| converted_pointer(right))
        }
        ExprKind::Cond { then, otherwise, .. } => {
            then.as_deref().and_then(converted_pointer).or_else(|| converted_pointer(otherwise))
        }
        ExprKind::Comma(_, value) => converted_pointer(value),
        _ => None,
    }
}
