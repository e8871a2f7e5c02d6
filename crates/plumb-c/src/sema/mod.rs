//! Semantic analysis: from [`ast`] to [`hir`].
//!
//! All units of a program go through one [`Sema`] in order, so linking happens as declarations are met: names with
//! external linkage meet in `externals`, static names stay in their unit's file scope. Errors are reported and the
//! analysis goes on with [`Type::Error`], which every later check accepts silently, so that one mistake is told once.
//!
//! ```text
//!   mod      the analyser's state: scopes, linkage, the function being checked
//!   decl     declarations: specifiers, declarators, records, enums, functions, linking
//!   layout   sizes, alignments, offsets, bit-fields, as gcc lays them out
//!   init     initialisers: designators, brace elision, flattening to offsets; static data
//!   expr     expressions: typing, lvalues, usual arithmetic conversions
//!   convert  implicit conversions and casts
//!   builtin  __builtin_*, __sync_*, __atomic_*
//!   constant constant expressions: integers, floats, addresses
//!   stmt     statements, labels, switch
//! ```

use crate::ast;
use crate::diag::{Diagnostic, Diagnostics};
use crate::hir::{self, FuncId, GlobalId, LabelId, LocalId};
use crate::names::{Name, Names};
use crate::source::{SourceMap, Span};
use crate::target::Target;
use crate::types::{QualTy, TyId, TypeTable};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What an ordinary identifier stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entity {
    Typedef(QualTy),
    Local(LocalId),
    Global(GlobalId),
    Func(FuncId),
    /// An enumerator with its value and type (`int`, or the enum's type where `int` is too small).
    Constant(i128, TyId),
}

/// A struct, union or enum tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    pub ty: TyId,
    pub is_union: bool,
    pub is_enum: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub entities: FxHashMap<Name, Entity>,
    pub tags: FxHashMap<Name, Tag>,
    /// Locals that live as long as the scope, for [`hir::Block::locals`].
    pub locals: Vec<LocalId>,
}

/// The function whose body is being checked.
#[derive(Debug)]
pub(crate) struct FunctionContext {
    pub id: FuncId,
    pub ret: QualTy,
    pub locals: Vec<hir::Local>,
    pub labels: Vec<hir::Label>,
    /// Labels by name, innermost `__label__` scope last; the outermost map holds the function's own.
    pub label_scopes: Vec<FxHashMap<Name, LabelId>>,
    /// Labels that a statement has defined, by id.
    pub defined_labels: Vec<bool>,
    /// Types of the enclosing `switch` values, innermost last.
    pub switches: Vec<SwitchContext>,
    pub loop_depth: usize,
    /// The string `__func__` denotes, made on first use.
    pub function_name: Option<GlobalId>,
    /// Statements to be placed before the one being checked: lengths of variable-length arrays.
    pub pending: Vec<hir::Stmt>,
}

#[derive(Debug)]
pub(crate) struct SwitchContext {
    pub ty: TyId,
    /// Case ranges met so far, to report duplicates.
    pub cases: Vec<(i128, i128, Span)>,
    pub has_default: bool,
}

pub(crate) struct Sema<'a> {
    pub names: &'a mut Names,
    pub diags: &'a mut Diagnostics,
    pub types: TypeTable,
    pub globals: Vec<hir::Global>,
    pub functions: Vec<hir::Function>,
    /// Objects and functions with external linkage, over all units.
    pub externals: FxHashMap<Name, Entity>,
    /// File scope of the current unit first, innermost block last.
    pub scopes: Vec<Scope>,
    pub function: Option<FunctionContext>,
    /// The unit being checked holds library models: see [`check`].
    pub in_library: bool,
    /// File-scope string literals by content and element type, so that equal ones share an object.
    pub strings: FxHashMap<(Vec<u32>, TyId), GlobalId>,
}

/// Checks and links units into a program. `library` holds models of library functions: its definitions stand in for
/// functions that the program declares but does not define, and never clash with the program's own.
///
/// Returns `None` when `diags` received an error.
pub fn check(
    units: &[ast::TranslationUnit],
    library: Option<&ast::TranslationUnit>,
    sources: Arc<SourceMap>,
    mut names: Names,
    target: Target,
    diags: &mut Diagnostics,
) -> Option<hir::Program> {
    let mut sema = Sema {
        names: &mut names,
        diags,
        types: TypeTable::new(target),
        globals: Vec::new(),
        functions: Vec::new(),
        externals: FxHashMap::default(),
        scopes: Vec::new(),
        function: None,
        in_library: false,
        strings: FxHashMap::default(),
    };
    for unit in units {
        sema.unit(unit);
    }
    if let Some(library) = library.filter(|_| !sema.diags.has_errors()) {
        sema.library_unit(library);
    }
    if sema.diags.has_errors() {
        return None;
    }
    let Sema { types, globals, functions, .. } = sema;
    Some(hir::Program { sources, names, types, globals, functions })
}

impl Sema<'_> {
    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::error(span, message));
    }

    pub(crate) fn error_help(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.diags.push(Diagnostic::error(span, message).help(help));
    }

    /// The innermost meaning of an ordinary identifier.
    pub(crate) fn lookup(&self, name: Name) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|s| s.entities.get(&name).copied())
    }

    pub(crate) fn lookup_tag(&self, name: Name) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|s| s.tags.get(&name).copied())
    }

    /// The innermost scope; there always is one while a unit is checked.
    pub(crate) fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a unit's file scope is open")
    }

    pub(crate) fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }
}
