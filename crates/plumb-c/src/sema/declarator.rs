//! Declarators: pointers, arrays and functions built around a specified type; parameters.
//!
//! Lengths of variable-length arrays are evaluated where the declarator stands: a hidden local receives the length by a
//! `VlaSize` statement in the function context's `pending` list. Parameters of mere prototypes are checked in a
//! scope of their own, and what that leaves behind is dropped: there a variable length means "any".

use super::{Entity, FunctionContext, Sema};
use crate::ast::{AddressSpace, ArraySize, Declarator, DeclaratorPart, Expr, Param, Params};
use crate::hir::{self, FuncId, LocalId};
use crate::index::TiVec;
use crate::names::Name;
use crate::source::Span;
use crate::types::{ArrayLen, FnType, QualTy, Quals, TyId, Type, TypeTable};
use rustc_hash::FxHashMap;

impl FunctionContext {
    /// The id while parameters are checked, before it is clear which function they belong to.
    pub(crate) const NO_FUNCTION: FuncId = FuncId(u32::MAX);

    pub(crate) fn new(ret: QualTy) -> FunctionContext {
        FunctionContext {
            id: FunctionContext::NO_FUNCTION,
            ret,
            locals: TiVec::new(),
            labels: TiVec::new(),
            label_scopes: vec![FxHashMap::default()],
            defined_labels: TiVec::new(),
            switches: Vec::new(),
            loop_depth: 0,
            function_name: None,
            pending: Vec::new(),
        }
    }
}

/// A parameter as declared, adjusted to a pointer where it is an array or function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub name: Option<Name>,
    pub ty: QualTy,
    pub span: Span,
}

impl Sema<'_> {
    /// The type that a declarator makes of the specified type. `vla` allows array lengths that vary.
    pub(crate) fn declared_type(&mut self, base: QualTy, d: &Declarator, vla: bool) -> QualTy {
        self.apply_parts(base, &d.parts, d.span, vla)
    }

    pub(crate) fn apply_parts(&mut self, base: QualTy, parts: &[DeclaratorPart], span: Span, vla: bool) -> QualTy {
        let mut ty = base;
        for part in parts.iter().rev() {
            ty = match part {
                DeclaratorPart::Pointer { quals, .. } => {
                    if ty.quals.space == AddressSpace::Memx {
                        let message = "pointers to `__memx` have 24 bits, which is not supported";
                        self.error_help(span, message, "use `__flash`, whose pointers have 16");
                    }
                    QualTy { ty: self.types.pointer_to(ty), quals: *quals }
                }
                DeclaratorPart::Array { size, .. } => self.array_type(ty, size, span, vla),
                DeclaratorPart::Function(params) => {
                    let ret = self.return_type(ty, span);
                    let f = self.prototype(ret, params);
                    self.types.intern(Type::Function(f)).into()
                }
            };
        }
        ty
    }

    /// Functions cannot return arrays or functions.
    pub(crate) fn return_type(&mut self, ty: QualTy, span: Span) -> QualTy {
        if matches!(self.types.get(ty.ty), Type::Array(..) | Type::Function(_)) {
            let shown = self.show(ty.ty);
            self.error_help(span, format!("a function cannot return '{shown}'"), "return a pointer to it");
            return TypeTable::ERROR.into();
        }
        ty
    }

    fn array_type(&mut self, elem: QualTy, size: &ArraySize, span: Span, vla: bool) -> QualTy {
        // The length first: it may have side effects even where the element type is wrong.
        let len = match size {
            ArraySize::Unspecified | ArraySize::Star => Some(ArrayLen::Unknown),
            ArraySize::Expr(e) => self.array_len(e, vla),
        };
        if elem.ty == TypeTable::ERROR {
            return elem;
        }
        if !self.types.is_complete(elem.ty) {
            let shown = self.show(elem.ty);
            let help = self.incomplete_help(elem.ty);
            self.error_help(span, format!("array elements of incomplete type '{shown}'"), help);
            return TypeTable::ERROR.into();
        }
        let Some(len) = len else { return TypeTable::ERROR.into() };
        let ty = self.types.array_of(elem, len);
        if matches!(len, ArrayLen::Fixed(_)) && !self.types.is_vla(elem.ty) && self.types.size_of(ty).is_none() {
            self.error_help(span, "the array is larger than the address space", "reduce its length");
            return TypeTable::ERROR.into();
        }
        ty.into()
    }

    fn array_len(&mut self, e: &Expr, vla: bool) -> Option<ArrayLen> {
        let value = if vla && self.function.is_some() {
            let value = self.rvalue(e);
            if value.ty.ty == TypeTable::ERROR {
                return None;
            }
            if !self.types.is_integer(value.ty.ty) {
                let shown = self.show(value.ty.ty);
                self.error_help(e.span, format!("array length of type '{shown}'"), "use an integer");
                return None;
            }
            match self.try_const_int(&value) {
                Some(n) => n,
                None => return Some(ArrayLen::Variable(self.variable_length(value))),
            }
        } else {
            self.const_int(e, "array length")?
        };
        match u64::try_from(value) {
            Ok(n) => Some(ArrayLen::Fixed(n)),
            Err(_) => {
                self.error_help(e.span, format!("array of {value} elements"), "an array cannot have negative length");
                None
            }
        }
    }

    /// Evaluates a length into a hidden local before the current statement.
    fn variable_length(&mut self, len: hir::Expr) -> LocalId {
        let span = len.span;
        let size = self.size_ty();
        let len = self.convert_for_assign(len, size.into(), "array length");
        let align = self.types.align_of(size);
        let local = self.new_local(None, size.into(), align, span);
        if let Some(function) = &mut self.function {
            function.pending.push(hir::Stmt { kind: hir::StmtKind::VlaSize { local, len }, span });
        }
        local
    }

    /// The function type of a declarator that defines nothing.
    fn prototype(&mut self, ret: QualTy, params: &Params) -> FnType {
        let (params, variadic) = match params {
            Params::Identifiers(_) => {
                return FnType { ret, params: Vec::new(), variadic: false, unprototyped: true };
            }
            Params::Prototype { params, variadic } => (params, *variadic),
        };
        let at_file_scope = self.function.is_none();
        let context = self.function.get_or_insert_with(|| FunctionContext::new(TypeTable::VOID.into()));
        let (locals, pending) = (context.locals.len(), context.pending.len());
        self.push_scope();
        let mut types = Vec::with_capacity(params.len());
        for param in params {
            let parameter = self.parameter(param);
            types.push(self.erase_lengths(parameter.ty.ty).into());
            if let Some(name) = parameter.name {
                let align = self.types.align_of(parameter.ty.ty);
                let local = self.new_local(parameter.name, parameter.ty, align, parameter.span);
                self.declare_entity(name, Entity::Local(local), parameter.span);
            }
        }
        self.pop_scope();
        if at_file_scope {
            self.function = None;
        } else if let Some(context) = &mut self.function {
            context.locals.truncate(locals);
            context.pending.truncate(pending);
        }
        FnType { ret, params: types, variadic, unprototyped: false }
    }

    pub(crate) fn parameter(&mut self, param: &Param) -> Parameter {
        let base = self.base_type(&param.specs, false);
        let attributes = self.attributes(&[&param.specs.attrs, &param.declarator.attrs], &[]);
        let ty = self.retyped(base.ty, &attributes);
        let ty = self.declared_type(ty, &param.declarator, true);
        let ty = self.adjust_parameter(ty, &param.declarator);
        let name = param.declarator.name;
        if base.is_auto || ty.ty == TypeTable::VOID {
            self.error_help(param.span, "a parameter cannot have this type", "write the type of the parameter");
            return Parameter { name, ty: TypeTable::ERROR.into(), span: param.declarator.span };
        }
        Parameter { name, ty, span: param.declarator.span }
    }

    /// Array and function parameters are pointers (C11 6.7.6.3p7-8).
    pub(crate) fn adjust_parameter(&mut self, ty: QualTy, declarator: &Declarator) -> QualTy {
        match *self.types.get(ty.ty) {
            Type::Array(elem, _) => {
                let quals = match declarator.parts.first() {
                    Some(DeclaratorPart::Array { quals, .. }) => *quals,
                    Some(DeclaratorPart::Pointer { .. } | DeclaratorPart::Function(_)) | None => Quals::default(),
                };
                QualTy { ty: self.types.pointer_to(elem), quals }
            }
            Type::Function(_) => self.types.pointer_to(ty).into(),
            _ => ty,
        }
    }

    /// The type with every variable array length forgotten, so that it means something outside its function.
    pub(crate) fn erase_lengths(&mut self, ty: TyId) -> TyId {
        if !self.types.is_variably_modified(ty) {
            return ty;
        }
        match self.types.get(ty).clone() {
            Type::Array(elem, len) => {
                let elem = QualTy { ty: self.erase_lengths(elem.ty), quals: elem.quals };
                let len = if matches!(len, ArrayLen::Variable(_)) { ArrayLen::Unknown } else { len };
                self.types.array_of(elem, len)
            }
            Type::Pointer(to) => {
                let to = QualTy { ty: self.erase_lengths(to.ty), quals: to.quals };
                self.types.pointer_to(to)
            }
            Type::Function(f) => {
                let ret = QualTy { ty: self.erase_lengths(f.ret.ty), quals: f.ret.quals };
                self.types.intern(Type::Function(FnType { ret, ..f }))
            }
            _ => ty,
        }
    }
}
