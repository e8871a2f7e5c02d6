//! Function definitions: parameters as locals, the function's type, and its checked body.
//!
//! Parameters are the first locals. A definition in the old style (`f(a) char a; {...}`) has an unprototyped type whose
//! `params` are the promoted types that callers pass, while its locals have the declared types: on entry each argument
//! is converted from the one to the other. Lengths in parameter types (`int a[n][m]`) are evaluated by `VlaSize`
//! statements at the start of the body, which keeps their side effects.

use super::declarator::Parameter;
use super::link::FunctionHead;
use super::{Entity, FunctionContext, Sema};
use crate::ast::{DeclaratorPart, FunctionDef, Params, Storage};
use crate::hir::{self, Body, LocalId};
use crate::names::Name;
use crate::source::Span;
use crate::types::{FnType, QualTy, Type, TypeTable};

impl Sema<'_> {
    pub(crate) fn function_definition(&mut self, f: &FunctionDef) {
        let base = self.base_type(&f.specs, false);
        let span = f.declarator.span;
        let Some(name) = f.declarator.name else {
            return self.error(span, "a function definition needs a name");
        };
        let Some((DeclaratorPart::Function(params), outer)) = f.declarator.parts.split_first() else {
            let text = self.text(name);
            return self.error_help(
                span,
                format!("'{text}' is followed by a body but is not declared as a function"),
                "write its parameter list, or end the declaration with ';'",
            );
        };
        let attributes = self.attributes(&[&f.specs.attrs, &f.declarator.attrs], &f.specs.align);
        let ret = self.retyped(base.ty, &attributes);
        let ret = self.apply_parts(ret, outer, span, false);
        let ret = self.return_type(ret, span);
        if ret.ty != TypeTable::VOID && !self.types.is_complete(ret.ty) {
            let shown = self.show(ret.ty);
            let help = self.incomplete_help(ret.ty);
            self.error_help(span, format!("the function returns incomplete type '{shown}'"), help);
        }

        self.function = Some(FunctionContext::new(ret));
        self.push_scope();
        let (parameters, ty) = match params {
            Params::Prototype { params, variadic } => {
                self.reserve_parameters(params.len());
                let parameters: Vec<Parameter> = params
                    .iter()
                    .enumerate()
                    .map(|(i, param)| {
                        let parameter = self.parameter(param);
                        self.enter_parameter(i, parameter);
                        parameter
                    })
                    .collect();
                let types = parameters.iter().map(|p| self.erase_lengths(p.ty.ty).into()).collect();
                (parameters, FnType { ret, params: types, variadic: *variadic, unprototyped: false })
            }
            Params::Identifiers(names) => {
                let parameters = self.old_style_parameters(f, names);
                let types = parameters.iter().map(|p| {
                    let ty = self.erase_lengths(p.ty.ty);
                    self.types.default_promoted(ty).into()
                });
                (parameters.clone(), FnType { ret, params: types.collect(), variadic: false, unprototyped: true })
            }
        };
        let ty = self.types.intern(Type::Function(ty));
        let scope = self.scopes.pop().unwrap_or_default();

        let head = FunctionHead::new(name, ty, span, &f.specs, &attributes);
        let declared: Vec<QualTy> = parameters.iter().map(|p| p.ty).collect();
        let id = self.declare_function(&head, Some(&declared));
        // `inline` alone, or GNU's `extern inline`, gives a body but no external definition (C11 6.7.4p7).
        let is_extern = f.specs.storage == Some(Storage::Extern);
        let inline_only = f.specs.inline
            && !self.functions[id].is_static
            && (is_extern == (attributes.gnu_inline || self.flags.gnu89_inline));
        let keeps = self.begin_definition(id, inline_only, span);
        if keeps {
            self.functions[id].wrapv = attributes.wrapv.unwrap_or(f.wrapv);
        }

        self.scopes.push(scope);
        let entry = match &mut self.function {
            Some(function) => {
                function.id = id;
                std::mem::take(&mut function.pending)
            }
            None => Vec::new(),
        };
        let mut block = self.function_body(&f.body);
        block.stmts.splice(0..0, entry);
        let locals = self.pop_scope();
        let count = parameters.len();
        let own = locals.into_iter().filter(|l| l.0 as usize >= count && !block.locals.contains(l));
        let own: Vec<LocalId> = own.collect();
        block.locals.extend(own);
        let Some(function) = self.function.take() else { return };
        if keeps {
            let end = f.body.span.end;
            let end_span = Span::new(end.saturating_sub(1), end);
            let FunctionContext { locals, labels, .. } = function;
            self.functions[id].body = Some(Body { param_count: count, locals, labels, block, end_span });
        }
    }

    /// Parameters come first among the locals, before hidden ones for lengths in their own types.
    fn reserve_parameters(&mut self, count: usize) {
        if let Some(function) = &mut self.function {
            let blank = hir::Local {
                name: None,
                ty: TypeTable::ERROR.into(),
                align: 1,
                address_taken: false,
                span: Span::NONE,
            };
            function.locals = vec![blank; count].into();
        }
    }

    fn enter_parameter(&mut self, index: usize, p: Parameter) {
        if !self.types.is_complete(p.ty.ty) {
            let shown = self.show(p.ty.ty);
            let text = p.name.map_or_else(String::new, |n| self.text(n));
            let help = self.incomplete_help(p.ty.ty);
            self.error_help(p.span, format!("parameter '{text}' has incomplete type '{shown}'"), help);
        }
        let align = self.types.align_of(p.ty.ty);
        let local = LocalId::from(index);
        if let Some(slot) = self.function.as_mut().and_then(|f| f.locals.get_mut(local)) {
            *slot = hir::Local { name: p.name, ty: p.ty, align, address_taken: false, span: p.span };
        }
        self.scope().locals.push(local);
        if let Some(name) = p.name {
            self.declare_entity(name, Entity::Local(local), p.span);
        }
    }

    /// `f(a, b) int a; char *b;`: parameters without a declaration are `int`.
    fn old_style_parameters(&mut self, f: &FunctionDef, names: &[(Name, Span)]) -> Vec<Parameter> {
        self.reserve_parameters(names.len());
        let mut parameters: Vec<Parameter> =
            names.iter().map(|&(name, span)| Parameter { name: Some(name), ty: TypeTable::INT.into(), span }).collect();
        let mut declared = vec![false; names.len()];
        for declaration in &f.kr_params {
            let base = self.base_type(&declaration.specs, declaration.declarators.is_empty());
            for d in &declaration.declarators {
                let index = names.iter().position(|(n, _)| Some(*n) == d.declarator.name);
                let Some(index) = index.filter(|&i| !declared[i]) else {
                    self.error_help(
                        d.declarator.span,
                        "this is not a parameter of the function, or a second declaration of one",
                        "declare each name of the parameter list once",
                    );
                    continue;
                };
                declared[index] = true;
                let ty = self.declared_type(base.ty, &d.declarator, true);
                parameters[index].ty = self.adjust_parameter(ty, &d.declarator);
                self.enter_parameter(index, parameters[index]);
            }
        }
        for (index, parameter) in parameters.iter().enumerate().filter(|(i, _)| !declared[*i]) {
            self.enter_parameter(index, *parameter);
        }
        parameters
    }
}
