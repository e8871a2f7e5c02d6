//! Declarations: translation units, file scope, and declarations in blocks.
//!
//! [`super::spec`], [`super::declarator`] and [`super::attr`] find the type of each declarator, [`super::link`] the
//! function or object it denotes, [`super::init`] its value; here they come together.

use super::attr::Attributes;
use super::link::{FunctionHead, ObjectHead};
use super::spec::{Base, carried_align};
use super::{Entity, FunctionContext, Scope, Sema};
use crate::ast::{Declaration, Init, InitDeclarator, Item, StaticAssert, Storage, TranslationUnit};
use crate::diag::Diagnostic;
use crate::hir::{self, FuncId, Global, GlobalId, GlobalInit, LocalId};
use crate::names::Name;
use crate::source::Span;
use crate::types::{ArrayLen, QualTy, Type, TypeTable};

/// One declarator with its type found.
struct Declared {
    name: Name,
    ty: QualTy,
    align: u64,
    /// The alignment by attributes, for typedefs to hand on.
    user_align: Option<u64>,
    attributes: Attributes,
    span: Span,
}

impl Sema<'_> {
    pub(crate) fn unit(&mut self, unit: &TranslationUnit) {
        self.linkage.weak_here.clear();
        self.flags = unit.flags;
        self.scopes.push(Scope::default());
        for item in &unit.items {
            if self.diags.saturated() {
                break;
            }
            self.item(item);
        }
        self.resolve_aliases();
        self.finish_tentative();
        self.keep_unit_scope();
        self.scopes.clear();
    }

    /// The number of the unit being checked.
    pub(crate) fn unit_number(&self) -> u32 {
        self.unit_scopes.len() as u32
    }

    /// Keeps the type names of the unit's file scope for those who show types.
    fn keep_unit_scope(&mut self) {
        let Some(scope) = self.scopes.first() else { return };
        let typedef = |(&name, entity): (&Name, &Entity)| match entity {
            Entity::Typedef(ty) => Some((name, *ty, scope.typedef_aligns.get(&name).copied())),
            Entity::Local(_) | Entity::Global(_) | Entity::Func(_) | Entity::Constant(..) => None,
        };
        let mut typedefs: Vec<_> = scope.entities.iter().filter_map(typedef).collect();
        let mut tags: Vec<_> = scope.tags.iter().map(|(&name, tag)| (name, tag.ty)).collect();
        typedefs.sort_by_key(|(name, ..)| *name);
        tags.sort_by_key(|(name, _)| *name);
        self.unit_scopes.push(hir::UnitScope { typedefs, tags });
    }

    pub(crate) fn item(&mut self, item: &Item) {
        match item {
            Item::Function(f) => self.function_definition(f),
            Item::Declaration(d) => self.file_declaration(d),
            Item::StaticAssert(s) => self.static_assert(s),
            Item::Asm(span) => self.file_assembly.push(*span),
        }
    }

    /// At the end of a unit, tentative definitions become definitions; an array of unknown length gets one element
    /// (C11 6.9.2).
    pub(crate) fn finish_tentative(&mut self) {
        for id in self.globals.keys() {
            let Global { ty, span, name, .. } = self.globals[id];
            if !matches!(self.globals[id].init, GlobalInit::Zero) || self.types.is_complete(ty.ty) {
                continue;
            }
            match *self.types.get(ty.ty) {
                Type::Array(elem, ArrayLen::Unknown) if self.types.is_complete(elem.ty) => {
                    self.globals[id].ty.ty = self.types.array_of(elem, ArrayLen::Fixed(1));
                }
                _ => {
                    self.incomplete_object(name, ty, span);
                    self.globals[id].ty = TypeTable::ERROR.into();
                }
            }
        }
    }

    pub(crate) fn static_assert(&mut self, s: &StaticAssert) {
        if self.const_int(&s.cond, "static assertion") == Some(0) {
            let message = match &s.message {
                Some(text) => format!("static assertion failed: {}", String::from_utf8_lossy(text)),
                None => "static assertion failed".to_string(),
            };
            self.error_help(s.span, message, "check that --arch matches the target the program is written for");
        }
    }

    fn file_declaration(&mut self, d: &Declaration) {
        let base = self.base_type(&d.specs, d.declarators.is_empty());
        for declarator in &d.declarators {
            self.file_declarator(d, base, declarator);
        }
    }

    fn file_declarator(&mut self, d: &Declaration, base: Base, declarator: &InitDeclarator) {
        let (base, value) = self.resolve_auto(base, declarator);
        let Some(declared) = self.declared(d, base, declarator) else { return };
        if d.specs.storage == Some(Storage::Typedef) {
            return self.declare_typedef(&declared);
        }
        if matches!(self.types.get(declared.ty.ty), Type::Function(_)) {
            let (name, ty, span) = (declared.name, declared.ty.ty, declared.span);
            let mut head = FunctionHead::new(name, ty, span, &d.specs, &declared.attributes);
            head.symbol = self.symbol(name, declarator.declarator.asm_label.as_deref());
            self.declare_function(&head, None);
            return self.reject_function_init(declarator);
        }
        let is_machine_register = declarator.declarator.asm_label.is_some();
        let label = declarator.declarator.asm_label.as_deref().filter(|_| d.specs.storage != Some(Storage::Register));
        let head = ObjectHead {
            name: declared.name,
            symbol: self.symbol(declared.name, label),
            ty: declared.ty,
            align: declared.align,
            span: declared.span,
            storage: d.specs.storage,
            thread_local: d.specs.thread_local,
            weak: declared.attributes.weak,
            in_machine_register: d.specs.storage == Some(Storage::Register) && is_machine_register,
            has_init: declarator.init.is_some(),
        };
        if self.types.is_variably_modified(declared.ty.ty) {
            return self.error(declared.span, "a variable-length array is not possible at file scope");
        }
        if matches!(d.specs.storage, Some(Storage::Register | Storage::Auto)) && !is_machine_register {
            return self.error_help(
                declared.span,
                "'auto' and 'register' are not possible at file scope",
                "leave the word out, or write static",
            );
        }
        if declared.ty.ty == TypeTable::VOID && d.specs.storage != Some(Storage::Extern) {
            return self.incomplete_object(declared.name, declared.ty, declared.span);
        }
        if let Some((target, span)) = declared.attributes.alias {
            return self.declare_alias(&declared, target, span);
        }
        let Some(id) = self.declare_object(&head) else { return };
        self.globals[id].noinit |= declared.attributes.noinit && declarator.init.is_none();
        self.globals[id].in_program_memory |= declared.attributes.program_memory;
        if let Some(init) = &declarator.init {
            self.initialise_global(id, init, value, declared.span);
        }
    }

    /// Another name for a variable that this unit has declared before. Under another type it gets no meaning, so that
    /// each use is reported.
    fn declare_alias(&mut self, declared: &Declared, target: Name, span: Span) {
        let found = self.scopes.first().and_then(|s| s.entities.get(&target)).copied();
        match found {
            Some(Entity::Global(id)) if self.types.compatible(self.globals[id].ty.ty, declared.ty.ty) => {
                let before = self.scope().entities.get(&declared.name).copied();
                if let Some(Entity::Global(before)) = before
                    && self.becomes_alias(before, id, declared.ty)
                {
                    return;
                }
                self.declare_entity(declared.name, Entity::Global(id), declared.span);
            }
            _ => {
                let (name, target) = (self.text(declared.name), self.text(target));
                self.diags.push(
                    Diagnostic::warning(span, format!("'{name}' is not usable: '{target}' has another type"))
                        .help("use the variable under its own name"),
                );
            }
        }
    }

    /// Gives a global its initial value, completing an array of unknown length. `value` is the initialiser's value where
    /// it has been checked before.
    fn initialise_global(&mut self, id: GlobalId, init: &Init, value: Option<hir::Expr>, span: Span) {
        let ty = self.globals[id].ty;
        let (ty, parts) = match value {
            Some(value) => (ty, self.static_value_initializer(ty, value)),
            None => self.static_initializer(ty, init),
        };
        if !self.types.is_complete(ty.ty) {
            let name = self.globals[id].name;
            self.incomplete_object(name, ty, span);
        }
        let global = &mut self.globals[id];
        global.ty = ty;
        global.init = GlobalInit::Data(parts);
    }

    fn incomplete_object(&mut self, name: Name, ty: QualTy, span: Span) {
        let (text, shown) = (self.text(name), self.show(ty.ty));
        let help = self.incomplete_help(ty.ty);
        self.error_help(span, format!("the size of '{text}' is not known: its type is '{shown}'"), help);
    }

    fn reject_function_init(&mut self, declarator: &InitDeclarator) {
        if declarator.init.is_some() {
            self.error_help(declarator.declarator.span, "a function has no initialiser", "declare a function pointer");
        }
    }

    /// Finds the type of `__auto_type` from the initialiser, whose value comes back with it.
    fn resolve_auto(&mut self, base: Base, declarator: &InitDeclarator) -> (Base, Option<hir::Expr>) {
        if !base.is_auto {
            return (base, None);
        }
        let value = match &declarator.init {
            Some(Init::Expr(e)) => Some(self.rvalue(e)),
            Some(Init::List(_)) | None => {
                self.error_help(
                    declarator.declarator.span,
                    "'__auto_type' needs an initialiser that is an expression",
                    "write the type",
                );
                None
            }
        };
        if let Some(value) = &value {
            self.require_whole_width(value);
        }
        let ty = value.as_ref().map_or(TypeTable::ERROR, |v| v.ty.ty);
        let ty = self.qualify(ty.into(), base.ty.quals);
        (Base::from(ty), value)
    }

    fn declared(&mut self, d: &Declaration, base: Base, declarator: &InitDeclarator) -> Option<Declared> {
        let parts = &declarator.declarator;
        let Some(name) = parts.name else {
            self.error(parts.span, "a declaration needs a name");
            return None;
        };
        let attributes = self.attributes(&[&d.specs.attrs, &parts.attrs], &d.specs.align);
        let ty = self.retyped(base.ty, &attributes);
        let ty = self.declared_type(ty, parts, true);
        let carried = carried_align(base, parts);
        let align = carried.unwrap_or_else(|| self.types.align_of(ty.ty)).max(attributes.align.unwrap_or(1));
        let user_align = attributes.last_align.or(carried);
        Some(Declared { name, ty, align, user_align, attributes, span: parts.span })
    }

    fn declare_typedef(&mut self, declared: &Declared) {
        let name = declared.name;
        if declared.attributes.transparent_union
            && let Some(id) = self.types.record_id(declared.ty.ty)
            && let Some(body) = &mut self.types.records[id].body
        {
            body.transparent = true;
        }
        if let Some(&Entity::Typedef(old)) = self.scope().entities.get(&name) {
            if !self.types.compatible_qualified(old, declared.ty) {
                let (text, shown) = (self.text(name), self.types.show(old, self.names));
                self.error_help(
                    declared.span,
                    format!("'{text}' is already a typedef of another type, '{shown}'"),
                    "remove or rename one of the two",
                );
            }
            return;
        }
        self.declare_entity(name, Entity::Typedef(declared.ty), declared.span);
        if let Some(align) = declared.user_align {
            if align != self.types.align_of(declared.ty.ty) {
                self.realigned.insert(declared.ty.ty);
            }
            self.scope().typedef_aligns.insert(name, align);
        }
    }

    /// Enters a name without linkage into the current scope.
    pub(crate) fn declare_entity(&mut self, name: Name, entity: Entity, span: Span) {
        let here = self.scope().entities.get(&name).copied();
        // The outermost block of a body shares the scope of the parameters (C11 6.2.1p4).
        let here = here.or_else(|| self.in_outermost_block().then(|| self.scopes[1].entities.get(&name).copied())?);
        let previous = match here {
            None => {
                self.scope().entities.insert(name, entity);
                return;
            }
            Some(Entity::Func(id)) => Some(self.functions[id].span),
            Some(Entity::Global(id)) => Some(self.globals[id].span),
            Some(Entity::Local(id)) => self.function.as_ref().and_then(|f| f.locals.get(id)).map(|local| local.span),
            Some(Entity::Typedef(_) | Entity::Constant(..)) => None,
        };
        self.redeclared(name, span, previous);
    }

    fn in_outermost_block(&self) -> bool {
        self.scopes.len() == 3 && self.function.as_ref().is_some_and(|f| f.id != FunctionContext::NO_FUNCTION)
    }

    pub(crate) fn local_declaration(&mut self, d: &Declaration, out: &mut Vec<hir::Stmt>) {
        let base = self.base_type(&d.specs, d.declarators.is_empty());
        self.flush_pending(out);
        for declarator in &d.declarators {
            self.local_declarator(d, base, declarator, out);
        }
    }

    fn flush_pending(&mut self, out: &mut Vec<hir::Stmt>) {
        if let Some(function) = &mut self.function {
            out.append(&mut function.pending);
        }
    }

    fn local_declarator(&mut self, d: &Declaration, base: Base, declarator: &InitDeclarator, out: &mut Vec<hir::Stmt>) {
        let (base, value) = self.resolve_auto(base, declarator);
        let declared = self.declared(d, base, declarator);
        self.flush_pending(out);
        let Some(declared) = declared else { return };
        if matches!(self.types.get(declared.ty.ty), Type::Function(_)) && d.specs.storage != Some(Storage::Typedef) {
            let (name, ty, span) = (declared.name, declared.ty.ty, declared.span);
            let mut head = FunctionHead::new(name, ty, span, &d.specs, &declared.attributes);
            head.symbol = self.symbol(name, declarator.declarator.asm_label.as_deref());
            self.declare_function(&head, None);
            return self.reject_function_init(declarator);
        }
        match d.specs.storage {
            Some(Storage::Typedef) => self.declare_typedef(&declared),
            Some(Storage::Extern) => self.block_extern(d, &declared, declarator),
            Some(Storage::Static) => self.static_local(d, &declared, declarator, value),
            Some(Storage::Auto | Storage::Register) | None => self.automatic_local(&declared, declarator, value, out),
        }
    }

    fn block_extern(&mut self, d: &Declaration, declared: &Declared, declarator: &InitDeclarator) {
        if declarator.init.is_some() {
            return self.error_help(
                declared.span,
                "an extern declaration in a block has no initialiser",
                "initialise the variable where it is defined",
            );
        }
        if self.types.is_variably_modified(declared.ty.ty) {
            return self.error(declared.span, "an extern array cannot have variable length");
        }
        let head = ObjectHead {
            name: declared.name,
            symbol: self.symbol(declared.name, declarator.declarator.asm_label.as_deref()),
            ty: declared.ty,
            align: declared.align,
            span: declared.span,
            storage: Some(Storage::Extern),
            thread_local: d.specs.thread_local,
            weak: declared.attributes.weak,
            in_machine_register: false,
            has_init: false,
        };
        self.declare_object(&head);
    }

    fn static_local(
        &mut self,
        d: &Declaration,
        declared: &Declared,
        declarator: &InitDeclarator,
        value: Option<hir::Expr>,
    ) {
        if self.types.is_variably_modified(declared.ty.ty) {
            return self.error_help(
                declared.span,
                "a static variable cannot have variable length",
                "give the array a constant length",
            );
        }
        let id = self.globals.push_and_get_key(Global {
            name: declared.name,
            ty: declared.ty,
            align: declared.align,
            is_static: true,
            init: GlobalInit::Zero,
            thread_local: d.specs.thread_local,
            weak: false,
            address_taken: false,
            noinit: declared.attributes.noinit && declarator.init.is_none(),
            in_program_memory: declared.attributes.program_memory,
            in_machine_register: false,
            view_of: None,
            owner: self.function.as_ref().map(|f| f.id),
            span: declared.span,
        });
        self.declare_entity(declared.name, Entity::Global(id), declared.span);
        match &declarator.init {
            Some(init) => self.initialise_global(id, init, value, declared.span),
            None if !self.types.is_complete(declared.ty.ty) => {
                self.incomplete_object(declared.name, declared.ty, declared.span);
                self.globals[id].ty = TypeTable::ERROR.into();
            }
            None => {}
        }
    }

    fn automatic_local(
        &mut self,
        declared: &Declared,
        declarator: &InitDeclarator,
        value: Option<hir::Expr>,
        out: &mut Vec<hir::Stmt>,
    ) {
        let span = declared.span;
        // The variable may have the function's name.
        let cleanup = declared.attributes.cleanup.and_then(|(name, span)| self.cleanup_function(name, span));
        let local = self.new_local(Some(declared.name), declared.ty, declared.align, span);
        self.declare_entity(declared.name, Entity::Local(local), span);
        let init = match (&declarator.init, value) {
            (Some(_), Some(value)) => Some(self.value_initializer(declared.ty, value)),
            (Some(init), None) => {
                let (ty, init) = self.initializer(declared.ty, init);
                self.retype_local(local, ty);
                Some(init)
            }
            (None, _) => None,
        };
        let ty = self.function.as_ref().and_then(|f| f.locals.get(local)).map_or(declared.ty, |l| l.ty);
        if !self.types.is_complete(ty.ty) {
            self.incomplete_object(declared.name, ty, span);
            self.retype_local(local, TypeTable::ERROR.into());
        }
        self.flush_pending(out);
        out.push(hir::Stmt { kind: hir::StmtKind::Declare { local, init }, span });
        if let Some((function, span)) = cleanup {
            let variable = hir::Expr { kind: hir::ExprKind::Local(local), ty, span };
            let address = self.address_of_designator(variable, span);
            let callee = hir::Callee::Direct(function);
            let call = self.call_node(callee, self.functions[function].ty, vec![address], span);
            out.push(hir::Stmt { kind: hir::StmtKind::Defer(call), span });
        }
    }

    fn cleanup_function(&mut self, name: Name, span: Span) -> Option<(FuncId, Span)> {
        if let Some(Entity::Func(id)) = self.lookup(name) {
            return Some((id, span));
        }
        let text = self.text(name);
        self.error_help(
            span,
            format!("the cleanup function '{text}' is not declared"),
            "declare it before the variable, with one parameter: a pointer to the variable's type",
        );
        None
    }

    fn retype_local(&mut self, local: LocalId, ty: QualTy) {
        if let Some(local) = self.function.as_mut().and_then(|f| f.locals.get_mut(local)) {
            local.ty = ty;
        }
    }

    /// Adds a local to the function and to the current scope.
    pub(crate) fn new_local(&mut self, name: Option<Name>, ty: QualTy, align: u64, span: Span) -> LocalId {
        let Some(function) = &mut self.function else {
            // Reached only by a block outside a function, which other checks have reported.
            return LocalId(0);
        };
        let id = function.locals.push_and_get_key(hir::Local { name, ty, align, address_taken: false, span });
        self.scope().locals.push(id);
        id
    }

    pub(crate) fn push_scope(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Closes the innermost scope and tells the locals that lived in it.
    pub(crate) fn pop_scope(&mut self) -> Vec<LocalId> {
        self.scopes.pop().unwrap_or_default().locals
    }
}
