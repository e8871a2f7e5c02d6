//! Library models: C definitions that stand in for functions which the program declares but does not define.
//!
//! The library is a unit of its own with its own namespace of externals, so that nothing in it clashes with the program.
//! All its declarations are checked, but function bodies only when a model is needed: the roots are the program's undefined
//! functions, and checking a body tells which other functions it needs.

use super::{Entity, Scope, Sema};
use crate::ast::{Declaration, FunctionDef, InitDeclarator, Item, TranslationUnit};
use crate::hir::{FuncId, Global, GlobalInit};
use rustc_hash::FxHashMap;

impl Sema<'_> {
    pub(crate) fn library_unit(&mut self, unit: &TranslationUnit) {
        self.in_library = true;
        self.linkage.program = std::mem::take(&mut self.externals);
        self.scopes.push(Scope::default());
        let mut definitions: FxHashMap<FuncId, &FunctionDef> = FxHashMap::default();
        for item in &unit.items {
            match item {
                Item::Function(f) => {
                    if let Some(id) = self.library_head(f) {
                        definitions.insert(id, f);
                    }
                }
                Item::Declaration(_) | Item::StaticAssert(_) | Item::Asm(_) => self.item(item),
            }
        }
        let mut needed = self.attach_models(&definitions);
        // Initialisers of the library's variables may name functions as well.
        needed.append(&mut self.linkage.referenced.borrow_mut());
        while let Some(id) = needed.pop() {
            if let Some(f) = definitions.remove(&id) {
                self.function_definition(f);
                needed.append(&mut self.linkage.referenced.borrow_mut());
            }
        }
        self.finish_tentative();
        self.attach_objects();
        self.scopes.clear();
        self.in_library = false;
    }

    /// Declares a function of the library by its head alone; `None` where the program's own takes its place.
    fn library_head(&mut self, f: &FunctionDef) -> Option<FuncId> {
        let declarators = vec![InitDeclarator { declarator: f.declarator.clone(), init: None }];
        let declaration = Declaration { specs: f.specs.clone(), declarators, span: f.span };
        self.item(&Item::Declaration(declaration));
        match self.scope().entities.get(&f.declarator.name?).copied() {
            Some(Entity::Func(id)) if self.functions[id].is_library => Some(id),
            _ => None,
        }
    }

    /// Gives objects that the program declares but does not define (`stdout`) the values that the library's have.
    fn attach_objects(&mut self) {
        for declared in self.globals.keys() {
            let Global { name, ty, .. } = self.globals[declared];
            let Some(&Entity::Global(model)) = self.externals.get(&name) else { continue };
            let model = &self.globals[model];
            let fits = self.types.size_of(model.ty.ty) == self.types.size_of(ty.ty);
            if matches!(self.globals[declared].init, GlobalInit::Extern) && fits {
                self.globals[declared].init = model.init.clone();
            }
        }
    }

    /// Links every function that the program left without a body to its model. Returns the models.
    fn attach_models(&mut self, definitions: &FxHashMap<FuncId, &FunctionDef>) -> Vec<FuncId> {
        let mut models = Vec::new();
        for id in self.functions.keys() {
            let function = &self.functions[id];
            if function.is_library || function.is_static || function.body.is_some() || function.model.is_some() {
                continue;
            }
            let Some(&Entity::Func(model)) = self.externals.get(&function.name) else { continue };
            if definitions.contains_key(&model) {
                self.functions[id].model = Some(model);
                models.push(model);
            }
        }
        models
    }
}
