//! Linkage: which declarations, of one unit or of several, denote the same function or object (C11 6.2.2, 6.9.2).
//!
//! Within a unit gcc's rules hold. Across units the types must be compatible, tentative definitions of one name merge,
//! inline definitions yield to an external one, weak definitions to a strong one.

use super::attr::{Attributes, OutsideMain};
use super::{Entity, Sema};
use crate::ast::{DeclSpecs, Storage};
use crate::diag::Diagnostic;
use crate::hir::{FuncId, Function, Global, GlobalId, GlobalInit, PromisedEffects};
use crate::names::Name;
use crate::source::Span;
use crate::types::{FnType, QualTy, TyId, Type, TypeTable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What linking must remember beside the entities themselves.
#[derive(Debug, Default)]
pub(crate) struct Linkage {
    /// Library functions that no declaration gave a type: called undeclared, or under a builtin's name. Any declaration
    /// overrides what the compiler thinks of them.
    guessed: FxHashSet<FuncId>,
    /// Other functions called undeclared, as `int f()`.
    implicit: FxHashSet<FuncId>,
    /// Functions whose body is an inline definition, which an external definition replaces.
    inline_only: FxHashSet<FuncId>,
    /// Functions that the unit at hand declares weak, and those whose body came from such a unit.
    pub weak_here: FxHashSet<FuncId>,
    weak_bodies: FxHashSet<FuncId>,
    /// Functions declared as another name for one of their unit.
    aliases: Vec<(FuncId, Name, Span)>,
    /// Records that the compiler makes, by name.
    pub made_types: FxHashMap<Name, TyId>,
    /// While the library is checked: what the program's units linked.
    pub program: FxHashMap<Name, Entity>,
    /// While the library is checked: functions that names resolved to.
    pub referenced: RefCell<Vec<FuncId>>,
    /// Functions that the program's own units name in expressions.
    pub mentioned: RefCell<BTreeSet<Name>>,
}

/// A declaration of a function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionHead {
    pub name: Name,
    /// What the linker knows it by.
    pub symbol: Name,
    pub ty: TyId,
    pub span: Span,
    pub is_static: bool,
    pub is_inline: bool,
    pub noreturn: bool,
    pub returns_nonnull: bool,
    pub effects: PromisedEffects,
    pub interrupt: bool,
    pub weak: bool,
    alias: Option<(Name, Span)>,
    runs_outside_main: Vec<OutsideMain>,
    refusal: Option<&'static str>,
}

impl FunctionHead {
    pub(crate) fn new(name: Name, ty: TyId, span: Span, specs: &DeclSpecs, attributes: &Attributes) -> FunctionHead {
        FunctionHead {
            name,
            symbol: name,
            ty,
            span,
            is_static: specs.storage == Some(Storage::Static),
            is_inline: specs.inline,
            noreturn: specs.noreturn || attributes.noreturn,
            returns_nonnull: attributes.returns_nonnull,
            effects: attributes.effects.clone(),
            interrupt: attributes.interrupt,
            weak: attributes.weak,
            alias: attributes.alias,
            runs_outside_main: attributes.runs_outside_main.clone(),
            refusal: attributes.refusal,
        }
    }

    /// A plain external declaration.
    pub(crate) fn external(name: Name, ty: TyId, span: Span) -> FunctionHead {
        FunctionHead {
            name,
            symbol: name,
            ty,
            span,
            is_static: false,
            is_inline: false,
            noreturn: false,
            returns_nonnull: false,
            effects: PromisedEffects::default(),
            interrupt: false,
            weak: false,
            alias: None,
            runs_outside_main: Vec::new(),
            refusal: None,
        }
    }
}

/// A declaration of an object with linkage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectHead {
    pub name: Name,
    /// What the linker knows it by.
    pub symbol: Name,
    pub ty: QualTy,
    pub align: u64,
    pub span: Span,
    pub storage: Option<Storage>,
    pub thread_local: bool,
    pub weak: bool,
    pub in_machine_register: bool,
    pub has_init: bool,
}

impl Sema<'_> {
    /// What the linker knows a function by: `void fail(void) __asm__("reach_error");` declares `reach_error`. The C library
    /// leads to variants of its own functions like that (`__isoc99_scanf`, `fopen64`), which are modelled by their plain
    /// names.
    pub(crate) fn symbol(&mut self, name: Name, label: Option<&[u8]>) -> Name {
        let Some(label) = label.and_then(|label| std::str::from_utf8(label).ok()) else { return name };
        let text = self.names.text(name);
        let is_variant = (label.starts_with("__") && label.ends_with(text)) || label.strip_suffix("64") == Some(text);
        let is_name = label.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
        if is_variant || label.is_empty() || !is_name { name } else { self.names.intern(label) }
    }

    /// Declares a function in the current scope. `declared` has the parameter types of an old-style definition before
    /// promotion, since a prototype may match those as well.
    pub(crate) fn declare_function(&mut self, head: &FunctionHead, declared: Option<&[QualTy]>) -> FuncId {
        let here = self.scope().entities.get(&head.name).copied();
        let visible = here.or_else(|| self.lookup(head.name));
        let id = match (here, visible) {
            (Some(Entity::Func(id)), _) | (None, Some(Entity::Func(id))) => {
                if head.is_static && !self.functions[id].is_static {
                    let text = self.text(head.name);
                    let previous = self.functions[id].span;
                    let message = format!("static declaration of '{text}' follows a non-static one");
                    self.error_at_both(head.span, message, previous);
                }
                self.merge_function(id, head, declared);
                id
            }
            (Some(_), _) => {
                self.redeclared(head.name, head.span, None);
                self.new_function(head)
            }
            (None, _) => self.link_function(head, declared),
        };
        if head.weak {
            self.linkage.weak_here.insert(id);
        }
        for &when in &head.runs_outside_main {
            self.runs_outside_main(id, when, head.span);
        }
        if let Some((target, span)) = head.alias {
            self.linkage.aliases.push((id, target, span));
        }
        self.scope().entities.insert(head.name, Entity::Func(id));
        id
    }

    /// A function that no declaration is visible of: another unit's, or a new one.
    fn link_function(&mut self, head: &FunctionHead, declared: Option<&[QualTy]>) -> FuncId {
        if head.is_static {
            return self.new_function(head);
        }
        match self.externals.get(&head.symbol).copied() {
            Some(Entity::Func(id)) if self.agrees(id, head, declared) => {
                self.merge_function(id, head, declared);
                return id;
            }
            Some(Entity::Func(id)) => {
                return self.view_function(id, head, declared.is_some());
            }
            Some(Entity::Global(global)) => {
                let previous = self.globals[global].span;
                let text = self.text(head.name);
                self.error_at_both(head.span, format!("'{text}' is a function here and a variable there"), previous);
                return self.new_function(head);
            }
            Some(Entity::Typedef(_) | Entity::Local(_) | Entity::Constant(..)) | None => {}
        }
        let id = match self.linkage.program.get(&head.symbol) {
            // In the library, a name is the program's own function where the program defines one that fits.
            Some(&Entity::Func(id))
                if self.functions[id].body.is_some() && self.types.compatible(self.functions[id].ty, head.ty) =>
            {
                id
            }
            _ => self.new_function(head),
        };
        self.externals.insert(head.symbol, Entity::Func(id));
        id
    }

    /// Whether a declaration's type fits the one that a function has.
    fn agrees(&mut self, id: FuncId, head: &FunctionHead, declared: Option<&[QualTy]>) -> bool {
        let old = self.functions[id].ty;
        self.types.compatible_remembered(old, head.ty)
            || self.linkage.guessed.contains(&id)
            || (self.linkage.implicit.contains(&id) && self.returns_nothing(head.ty))
            || self.matches_before_promotion(old, head.ty, declared)
            || self.in_library
    }

    pub(super) fn new_function(&mut self, head: &FunctionHead) -> FuncId {
        self.functions.push_and_get_key(Function {
            name: if head.is_static { head.name } else { head.symbol },
            ty: head.ty,
            // Names of the library never clash with the program's.
            is_static: head.is_static || self.in_library,
            is_inline: head.is_inline,
            noreturn: head.noreturn,
            returns_nonnull: head.returns_nonnull,
            effects: head.effects.clone(),
            interrupt: head.interrupt,
            weak: head.weak,
            address_taken: false,
            body: None,
            view_of: None,
            wrapv: false,
            refusal: head.refusal,
            model: None,
            is_library: self.in_library,
            span: head.span,
        })
    }

    fn merge_function(&mut self, id: FuncId, head: &FunctionHead, declared: Option<&[QualTy]>) {
        if self.in_library && !self.functions[id].is_library {
            return;
        }
        let old = self.functions[id].ty;
        let guessed = self.linkage.guessed.remove(&id);
        let implicit = self.linkage.implicit.remove(&id);
        let merged = if self.types.compatible_remembered(old, head.ty) {
            self.types.composite(old, head.ty)
        } else if guessed || (implicit && self.returns_nothing(head.ty)) {
            // gcc lets `void f()` follow a call of the undeclared `f` too.
            head.ty
        } else if self.matches_before_promotion(old, head.ty, declared) {
            old
        } else {
            let previous = self.functions[id].span;
            self.conflicting_types(head.name, head.span, head.ty.into(), old.into(), previous);
            old
        };
        let function = &mut self.functions[id];
        function.ty = merged;
        function.is_inline |= head.is_inline;
        function.noreturn |= head.noreturn;
        function.returns_nonnull |= head.returns_nonnull;
        function.effects.merge(&head.effects);
        function.interrupt |= head.interrupt;
        function.weak |= head.weak;
        function.refusal = function.refusal.or(head.refusal);
    }

    fn returns_nothing(&self, function: TyId) -> bool {
        matches!(self.types.get(function), Type::Function(f) if f.ret.ty == TypeTable::VOID)
    }

    /// `int f(char); int f(c) char c; {...}`: gcc takes the prototype for the definition's.
    fn matches_before_promotion(&self, old: TyId, new: TyId, declared: Option<&[QualTy]>) -> bool {
        let (Type::Function(old), Type::Function(new), Some(declared)) =
            (self.types.get(old), self.types.get(new), declared)
        else {
            return false;
        };
        new.unprototyped
            && !old.unprototyped
            && self.types.compatible(old.ret.ty, new.ret.ty)
            && old.params.len() == declared.len()
            && old.params.iter().zip(declared).all(|(x, y)| self.types.compatible(x.ty, y.ty))
    }

    /// Reports a second definition; tells whether the new body is to be kept.
    pub(crate) fn begin_definition(&mut self, id: FuncId, inline_only: bool, span: Span) -> bool {
        if !self.define_view(id, span) {
            return false;
        }
        let function = &self.functions[id];
        let previous = function.span;
        let is_defined = function.body.is_some();
        let is_weak = self.linkage.weak_here.contains(&id);
        if is_defined {
            let was_inline_only = self.linkage.inline_only.contains(&id);
            let other_unit = !self.same_unit(previous, span);
            let was_weak = self.linkage.weak_bodies.contains(&id);
            if was_inline_only && !inline_only {
                // The external definition wins.
            } else if other_unit && was_weak && !is_weak && !inline_only {
                // The strong definition wins.
            } else if other_unit && (inline_only || is_weak) {
                return false;
            } else {
                let text = self.text(self.functions[id].name);
                self.error_at_both(span, format!("redefinition of '{text}'"), previous);
                return false;
            }
        }
        if inline_only {
            self.linkage.inline_only.insert(id);
        } else {
            self.linkage.inline_only.remove(&id);
        }
        if is_weak {
            self.linkage.weak_bodies.insert(id);
        } else {
            self.linkage.weak_bodies.remove(&id);
        }
        self.functions[id].span = span;
        true
    }

    pub(super) fn same_unit(&self, a: Span, b: Span) -> bool {
        let unit = |span: Span| self.sources.unit_of(span.start).map(|u| u.base());
        unit(a) == unit(b)
    }

    /// Declares an object at file scope, or `extern` in a block.
    pub(crate) fn declare_object(&mut self, head: &ObjectHead) -> Option<GlobalId> {
        let here = self.scope().entities.get(&head.name).copied();
        let in_block = !self.at_file_scope();
        let visible = if in_block { here.or_else(|| self.lookup(head.name)) } else { here };
        let id = match (here, visible) {
            (_, Some(Entity::Global(id))) if here.is_some() || self.globals[id].owner.is_none() => {
                self.check_linkage(id, head);
                self.merge_object(id, head, true);
                id
            }
            (Some(_), _) => {
                self.redeclared(head.name, head.span, None);
                return None;
            }
            (None, _) => self.link_object(head),
        };
        if !head.only_declares() {
            self.define_object_view(id, head);
        }
        let is_extern = matches!(head.storage, Some(Storage::Extern | Storage::Register));
        let global = &mut self.globals[id];
        global.weak |= head.weak;
        if head.has_init {
            if matches!(global.init, GlobalInit::Data(_)) {
                let previous = global.span;
                let text = self.text(head.name);
                self.error_at_both(head.span, format!("redefinition of '{text}'"), previous);
            } else {
                global.span = head.span;
            }
        } else if !is_extern && matches!(global.init, GlobalInit::Extern) {
            global.init = GlobalInit::Zero;
            global.span = head.span;
        }
        self.scope().entities.insert(head.name, Entity::Global(id));
        Some(id)
    }

    fn check_linkage(&mut self, id: GlobalId, head: &ObjectHead) {
        let global = &self.globals[id];
        let previous = global.span;
        let message = match (global.is_static, head.storage) {
            (true, Some(Storage::Static | Storage::Extern)) | (false, Some(Storage::Extern)) => return,
            _ if self.in_library => return,
            (true, _) => "non-static declaration of",
            (false, Some(Storage::Static)) => "static declaration of",
            (false, _) => return,
        };
        let text = self.text(head.name);
        self.error_at_both(head.span, format!("{message} '{text}' contradicts an earlier declaration"), previous);
    }

    fn link_object(&mut self, head: &ObjectHead) -> GlobalId {
        let is_static = head.storage == Some(Storage::Static);
        if !is_static {
            let of_program = self.linkage.program.get(&head.symbol).filter(|_| head.storage == Some(Storage::Extern));
            let known = self.externals.get(&head.symbol).or(of_program).copied();
            match known {
                Some(Entity::Global(id)) if self.in_library => return id,
                Some(Entity::Global(id)) => {
                    let fits = self.types.compatible_remembered(self.globals[id].ty.ty, head.ty.ty);
                    if !fits && let Some(view) = self.view_object(id, head) {
                        return view;
                    }
                    self.merge_object(id, head, false);
                    return id;
                }
                Some(Entity::Func(f)) if !self.in_library => {
                    let previous = self.functions[f].span;
                    let text = self.text(head.name);
                    self.error_at_both(
                        head.span,
                        format!("'{text}' is a variable here and a function there"),
                        previous,
                    );
                }
                _ => {}
            }
        }
        let id = self.new_object(head);
        if !is_static {
            self.externals.insert(head.symbol, Entity::Global(id));
        }
        id
    }

    pub(super) fn new_object(&mut self, head: &ObjectHead) -> GlobalId {
        let is_static = head.storage == Some(Storage::Static);
        self.globals.push_and_get_key(Global {
            name: if is_static { head.name } else { head.symbol },
            ty: head.ty,
            align: head.align,
            is_static: is_static || self.in_library,
            init: GlobalInit::Extern,
            thread_local: head.thread_local,
            weak: false,
            address_taken: false,
            noinit: false,
            in_program_memory: false,
            in_machine_register: head.in_machine_register,
            view_of: None,
            owner: None,
            span: head.span,
        })
    }

    /// Units may differ in qualifiers: the definition's count.
    fn merge_object(&mut self, id: GlobalId, head: &ObjectHead, same_unit: bool) {
        let old = self.globals[id].ty;
        let fits = self.types.compatible_remembered(old.ty, head.ty.ty) && (!same_unit || old.quals == head.ty.quals);
        if !fits {
            let previous = self.globals[id].span;
            self.conflicting_types(head.name, head.span, head.ty, old, previous);
            return;
        }
        let ty = self.types.composite(old.ty, head.ty.ty);
        let defines = head.has_init || head.storage != Some(Storage::Extern);
        let global = &mut self.globals[id];
        global.ty = QualTy { ty, quals: if defines { head.ty.quals } else { old.quals } };
        global.align = global.align.max(head.align);
        global.thread_local |= head.thread_local;
    }

    fn conflicting_types(&mut self, name: Name, span: Span, new: QualTy, old: QualTy, previous: Span) {
        let text = self.text(name);
        let (new, old) = (self.types.show(new, self.names), self.types.show(old, self.names));
        self.error_at_both(span, format!("conflicting types for '{text}': '{new}' here, '{old}' before"), previous);
    }

    pub(crate) fn redeclared(&mut self, name: Name, span: Span, previous: Option<Span>) {
        let text = self.text(name);
        let message = format!("'{text}' is declared twice in this scope");
        match previous {
            Some(previous) => self.error_at_both(span, message, previous),
            None => self.error_help(span, message, "rename one of the two"),
        }
    }

    /// An error that concerns two places, the other one named in the help line.
    pub(crate) fn error_at_both(&mut self, span: Span, message: String, other: Span) {
        let help = match self.sources.place(other) {
            Some(place) => format!("the other declaration is at {place}; make them agree or rename one"),
            None => "the other declaration is built in; rename this one".to_string(),
        };
        self.diags.push(Diagnostic::error(span, message).help(help));
    }

    /// Resolves `alias("target")` at the end of a unit.
    pub(crate) fn resolve_aliases(&mut self) {
        for (id, target, span) in std::mem::take(&mut self.linkage.aliases) {
            let found = self.scopes.first().and_then(|s| s.entities.get(&target)).or(self.externals.get(&target));
            match found.copied() {
                Some(Entity::Func(f)) if f != id => self.functions[id].view_of = Some(f),
                _ => {
                    let text = self.text(target);
                    self.error_help(
                        span,
                        format!("the target '{text}' of the alias is not a function of this file"),
                        "define the target in the same file",
                    );
                }
            }
        }
    }

    /// C89's `int f()` at a call of an undeclared function. What another unit says of the function is kept, and library
    /// functions that the compiler knows have their true type, as with gcc.
    pub(crate) fn declare_implicit_function(&mut self, name: Name, span: Span) -> FuncId {
        let known = match self.externals.get(&name) {
            Some(&Entity::Func(id)) => Some(id),
            _ => None,
        };
        let id = known.unwrap_or_else(|| {
            let text = self.names.shared(name);
            let known = self.library_type(&text);
            let ty = known.unwrap_or_else(|| {
                let ret = TypeTable::INT.into();
                let f = FnType { ret, params: Vec::new(), variadic: false, unprototyped: true };
                self.types.intern(Type::Function(f))
            });
            let id = self.new_function(&FunctionHead::external(name, ty, span));
            let made_up = if known.is_some() { &mut self.linkage.guessed } else { &mut self.linkage.implicit };
            made_up.insert(id);
            self.externals.insert(name, Entity::Func(id));
            id
        });
        if let Some(file) = self.scopes.first_mut() {
            file.entities.entry(name).or_insert(Entity::Func(id));
        }
        if !self.in_library {
            self.linkage.mentioned.borrow_mut().insert(name);
        }
        id
    }

    /// The library function behind a builtin's name: the program's own external function of that name, if any.
    pub(crate) fn declare_library_function(&mut self, name: &str, ty: TyId) -> FuncId {
        let name = self.names.intern(name);
        let id = match self.externals.get(&name) {
            Some(&Entity::Func(id)) => id,
            _ => {
                let head = FunctionHead::external(name, ty, Span::NONE);
                let id = self.link_function(&head, None);
                self.linkage.guessed.insert(id);
                id
            }
        };
        if self.in_library {
            self.linkage.referenced.borrow_mut().push(id);
        }
        id
    }
}
