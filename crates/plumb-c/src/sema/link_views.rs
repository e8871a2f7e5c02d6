//! One symbol, several types.
//!
//! The linker knows no types: what one unit declares as `int f(int *)` another may declare as `int f(const int *)`, and a
//! name that an asm label gives (`int g(int *) __asm__("f")`) may denote a function that this very unit declares otherwise.
//! C leaves such programs undefined where the object is accessed or the function called (C11 6.2.7p2), compilers take them,
//! and headers rely on it. Each declaration keeps its own type here: one is the symbol, the others are views of it
//! ([`Function::view_of`], [`Global::view_of`]). The symbol is the one with the definition, if there is any.
//!
//! A function called through a view gets its arguments as the caller passes them; lowering ends runs whose caller and callee
//! disagree about the machine's types. Objects are memory, which a view reads with its own type.

use super::link::{FunctionHead, ObjectHead};
use super::{Entity, Sema};
use crate::ast::Storage;
use crate::diag::Diagnostic;
use crate::hir::{FuncId, GlobalId, GlobalInit};
use crate::names::Name;
use crate::source::Span;
use crate::types::QualTy;

impl ObjectHead {
    /// Whether the declaration is no definition, not even a tentative one.
    pub(super) fn only_declares(&self) -> bool {
        !self.has_init && matches!(self.storage, Some(Storage::Extern | Storage::Register))
    }
}

impl Sema<'_> {
    /// A declaration of a linked function under another type.
    pub(super) fn view_function(&mut self, known: FuncId, head: &FunctionHead, is_definition: bool) -> FuncId {
        let new = self.new_function(head);
        self.warn_of_view(head.name, head.span, self.functions[known].span);
        if is_definition && self.functions[known].body.is_none() {
            self.functions[known].view_of = Some(new);
            self.externals.insert(head.symbol, Entity::Func(new));
        } else {
            self.functions[new].view_of = Some(known);
        }
        new
    }

    /// Units that disagree about a type are a mistake, most likely. Headers that give a symbol two names mean it.
    fn warn_of_view(&mut self, name: Name, span: Span, previous: Span) {
        if self.same_unit(span, previous) {
            return;
        }
        let text = self.text(name);
        let other =
            self.sources.place(previous).map_or(String::new(), |place| format!("the other one is at {place}; "));
        self.diags.push(
            Diagnostic::warning(span, format!("another file declares '{text}' with another type"))
                .help(format!("{other}each file is checked with its own, as a linker has it")),
        );
    }

    /// Before a view gets a body: it is the symbol then, unless that has a body of its own.
    pub(super) fn define_view(&mut self, id: FuncId, span: Span) -> bool {
        let symbol = self.symbol_of_function(id);
        if symbol == id {
            return true;
        }
        let function = &self.functions[symbol];
        if function.body.is_some() {
            let (text, previous) = (self.text(function.name), function.span);
            self.error_at_both(span, format!("redefinition of '{text}'"), previous);
            return false;
        }
        let name = function.name;
        self.functions[id].view_of = None;
        self.functions[symbol].view_of = Some(id);
        self.externals.insert(name, Entity::Func(id));
        true
    }

    fn symbol_of_function(&self, mut id: FuncId) -> FuncId {
        while let Some(of) = self.functions[id].view_of {
            id = of;
        }
        id
    }

    /// A declaration of a linked object under another type; `None` if both define it.
    pub(super) fn view_object(&mut self, known: GlobalId, head: &ObjectHead) -> Option<GlobalId> {
        let symbol = self.symbol_of_object(known);
        let is_declared = matches!(self.globals[symbol].init, GlobalInit::Extern);
        if !head.only_declares() && !is_declared {
            return None;
        }
        let new = self.new_object(head);
        self.warn_of_view(head.name, head.span, self.globals[known].span);
        self.share_object(symbol, new);
        if head.only_declares() {
            self.globals[new].view_of = Some(symbol);
        } else {
            self.globals[symbol].view_of = Some(new);
            self.externals.insert(head.symbol, Entity::Global(new));
        }
        Some(new)
    }

    /// A view gets a definition, so that it is the symbol from now on.
    pub(super) fn define_object_view(&mut self, id: GlobalId, head: &ObjectHead) {
        let symbol = self.symbol_of_object(id);
        if symbol == id {
            return;
        }
        if !matches!(self.globals[symbol].init, GlobalInit::Extern) {
            let previous = self.globals[symbol].span;
            let text = self.text(head.name);
            return self.error_at_both(head.span, format!("redefinition of '{text}'"), previous);
        }
        self.globals[id].view_of = None;
        self.globals[symbol].view_of = Some(id);
        self.externals.insert(head.symbol, Entity::Global(id));
    }

    /// What has been declared before, but not defined, becomes another name of an object. Whether it can.
    pub(super) fn becomes_alias(&mut self, declared: GlobalId, target: GlobalId, ty: QualTy) -> bool {
        let symbol = self.symbol_of_object(target);
        let global = &self.globals[declared];
        let is_open = matches!(global.init, GlobalInit::Extern) && global.view_of.is_none() && !global.is_static;
        if !is_open || symbol == declared || !self.types.compatible(global.ty.ty, ty.ty) {
            return false;
        }
        self.share_object(symbol, declared);
        self.globals[declared].view_of = Some(symbol);
        true
    }

    fn symbol_of_object(&self, mut id: GlobalId) -> GlobalId {
        while let Some(of) = self.globals[id].view_of {
            id = of;
        }
        id
    }

    /// Both are the same bytes, which no register can hold for one of them alone; the stricter alignment holds.
    fn share_object(&mut self, a: GlobalId, b: GlobalId) {
        let align = self.globals[a].align.max(self.globals[b].align);
        for id in [a, b] {
            let global = &mut self.globals[id];
            global.address_taken = true;
            global.align = align;
        }
    }
}
