//! Semantic analysis: from [`ast`] to [`hir`].
//!
//! All units of a program go through one [`Sema`] in order, so linking happens as declarations are met: names with
//! external linkage meet in `externals`, static names stay in their unit's file scope. Errors are reported and the
//! analysis goes on with [`Type::Error`], which every later check accepts silently, so that one mistake is reported once.
//!
//! ```text
//!   mod      the analyser's state: scopes, linkage, the function being checked
//!   decl     declarations at file scope and in blocks
//!     spec, attr, declarator, record, enumeration: the type that a declaration means
//!     attribute_table: which attributes mean what; startup: constructors and destructors
//!   function definitions of functions and their parameters
//!   link     which declarations denote the same thing, in one unit and across units
//!     link_views: one symbol declared with several types
//!   library  models of library functions
//!   layout   sizes, alignments, classes of types
//!     record_layout: members and bit-fields as gcc places them
//!   compat   compatible and composite types
//!   init     initialisers: designators, brace elision, flattening to offsets
//!     designator: .member, [index] and what follows them
//!     static_data: initial bytes of globals
//!   expr     expressions: dispatch, identifiers, lvalues
//!     literal, access, operators, assign, query, call: the kinds of expressions
//!   convert  promotions, usual arithmetic conversions, casts
//!     bitfield: the precision of bit-fields; device: addresses of memory-mapped registers
//!   builtin  __builtin_*; builtin_float, builtin_atomic; libc_types: types of the library functions behind them
//!   constant constant expressions: integers, addresses; float: floating bits; const_object: reading constants
//!   stmt     statements, labels, switch
//! ```

mod access;
mod assign;
mod attr;
pub mod attribute_table;
mod bitfield;
mod builtin;
mod builtin_atomic;
mod builtin_float;
mod call;
mod compat;
mod const_object;
mod constancy;
mod constant;
mod convert;
mod decl;
mod declarator;
mod designator;
mod device;
mod enumeration;
mod expr;
#[cfg(test)]
mod expr_tests;
mod float;
mod function;
mod init;
mod layout;
pub mod libc_types;
mod library;
mod link;
mod link_views;
mod literal;
pub(crate) mod operators;
mod quantifier;
mod query;
mod record;
mod record_layout;
mod spec;
mod startup;
mod static_data;
mod stmt;

use crate::ast;
use crate::code_flags::CodeFlags;
use crate::diag::{Diagnostic, Diagnostics};
use crate::hir::{self, FuncId, GlobalId, LabelId, LocalId};
use crate::index::TiVec;
use crate::names::{Name, Names};
use crate::source::{SourceMap, Span};
use crate::target::Target;
use crate::types::{QualTy, TyId, TypeTable};
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// Alignments that attributes gave to typedefs.
    pub typedef_aligns: FxHashMap<Name, u64>,
    /// Locals that live as long as the scope, for [`hir::Block::locals`].
    pub locals: Vec<LocalId>,
}

/// The function whose body is being checked.
#[derive(Debug)]
pub(crate) struct FunctionContext {
    pub id: FuncId,
    pub ret: QualTy,
    pub locals: TiVec<LocalId, hir::Local>,
    pub labels: TiVec<LabelId, hir::Label>,
    /// Labels by name, innermost `__label__` scope last; the outermost map holds the function's own.
    pub label_scopes: Vec<FxHashMap<Name, LabelId>>,
    /// Labels that a statement has defined.
    pub defined_labels: TiVec<LabelId, bool>,
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
    /// For telling a second place in a message.
    pub sources: Arc<SourceMap>,
    pub diags: &'a mut Diagnostics,
    pub types: TypeTable,
    pub globals: TiVec<GlobalId, hir::Global>,
    pub functions: TiVec<FuncId, hir::Function>,
    /// Objects and functions with external linkage, over all units.
    pub externals: FxHashMap<Name, Entity>,
    /// File scope of the current unit first, innermost block last.
    pub scopes: Vec<Scope>,
    pub function: Option<FunctionContext>,
    /// The unit being checked holds library models: see [`check`].
    pub in_library: bool,
    /// File-scope string literals by content and element type, so that equal ones share an object.
    pub strings: FxHashMap<(Vec<u32>, TyId), GlobalId>,
    pub linkage: link::Linkage,
    pub unit_scopes: Vec<hir::UnitScope>,
    pub file_assembly: Vec<Span>,
    pub devices: Vec<hir::Device>,
    /// The flags of the unit being checked.
    pub flags: CodeFlags,
    pub startup: startup::Startup,
    /// Types of which some typedef has another alignment, which expressions do not tell.
    pub realigned: FxHashSet<TyId>,
    /// How many operands that are not evaluated (`sizeof e`) enclose the expression being checked.
    pub unevaluated: u32,
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
        sources: sources.clone(),
        diags,
        types: TypeTable::new(target),
        globals: TiVec::new(),
        functions: TiVec::new(),
        externals: FxHashMap::default(),
        scopes: Vec::new(),
        function: None,
        in_library: false,
        strings: FxHashMap::default(),
        linkage: link::Linkage::default(),
        unit_scopes: Vec::new(),
        file_assembly: Vec::new(),
        devices: Vec::new(),
        flags: CodeFlags::default(),
        startup: startup::Startup::default(),
        realigned: FxHashSet::default(),
        unevaluated: 0,
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
    let Sema { types, globals, functions, unit_scopes, devices, startup, file_assembly, linkage, .. } = sema;
    let (constructors, destructors) = startup.in_order(&functions);
    Some(hir::Program {
        sources,
        names,
        types,
        globals,
        functions,
        unit_scopes,
        devices,
        constructors,
        destructors,
        file_assembly,
        may_contract: units.iter().any(|unit| unit.flags.may_contract()),
        mentioned: linkage.mentioned.into_inner(),
    })
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
        let found = self.scopes.iter().rev().find_map(|s| s.entities.get(&name).copied());
        match found {
            Some(Entity::Func(id)) if self.in_library => self.linkage.referenced.borrow_mut().push(id),
            Some(Entity::Func(_)) => {
                self.linkage.mentioned.borrow_mut().insert(name);
            }
            Some(_) | None => {}
        }
        found
    }

    pub(crate) fn text(&self, name: Name) -> String {
        self.names.text(name).to_string()
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
