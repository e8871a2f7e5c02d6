//! Which locals a pointer may outlive: those whose address is used for more than reaching them on the spot.
//!
//! Found by form alone. `a[i]`, `s.x`, `(&s)->x`, comparisons, and arguments of library functions that keep nothing do no
//! harm; every other use of an address (stored, passed on, returned) may leave a pointer behind.

use crate::index::TiVec;
use plumb_c::hir::{
    BinaryOp, Block, Body, Builtin, Callee, CastKind, Expr, ExprKind, FuncId, Initializer, LocalId, Stmt, StmtKind,
};
use plumb_c::types::TypeTable;

/// Library functions that keep no pointer that they are given, nor store one through another. Some return one: then the
/// call must be for its effect only.
const HARMLESS: [&str; 52] = [
    "memset",
    "memcpy",
    "memmove",
    "memcmp",
    "bzero",
    "bcopy",
    "bcmp",
    "strlen",
    "strnlen",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "strspn",
    "strcspn",
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "dprintf",
    "vprintf",
    "vfprintf",
    "vsprintf",
    "vsnprintf",
    "scanf",
    "fscanf",
    "sscanf",
    "puts",
    "fputs",
    "fgets",
    "fread",
    "fwrite",
    "perror",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "read",
    "write",
    "qsort",
    "time",
    "gettimeofday",
    "clock_gettime",
    "nanosleep",
    "mktime",
    "memset_s",
    "explicit_bzero",
];

pub(super) fn is_harmless_name(name: &str) -> bool {
    HARMLESS.contains(&name)
}

/// By local: a pointer to it may be left behind. `is_harmless` tells library functions that keep none.
pub(super) fn escaping(body: &Body, types: &TypeTable, is_harmless: &dyn Fn(FuncId) -> bool) -> TiVec<LocalId, bool> {
    let mut walk = Walk { escaping: vec![false; body.locals.len()].into(), types, is_harmless };
    walk.block(&body.block);
    walk.escaping
}

struct Walk<'f> {
    escaping: TiVec<LocalId, bool>,
    types: &'f TypeTable,
    is_harmless: &'f dyn Fn(FuncId) -> bool,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => {}
            StmtKind::Expr(e) | StmtKind::Defer(e) => self.discarded(e),
            StmtKind::Declare { init, .. } => init.iter().for_each(|i| self.initializer(i)),
            StmtKind::VlaSize { len: e, .. } | StmtKind::GotoComputed(e) => self.value(e),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { cond, then, otherwise } => {
                self.value(cond);
                self.stmt(then);
                otherwise.iter().for_each(|s| self.stmt(s));
            }
            StmtKind::While { cond: value, body } | StmtKind::DoWhile { body, cond: value } => {
                self.value(value);
                self.stmt(body);
            }
            StmtKind::Switch { value, body } => {
                self.value(value);
                self.stmt(body);
            }
            StmtKind::For { init, cond, step, body, .. } => {
                init.iter().for_each(|s| self.stmt(s));
                cond.iter().for_each(|e| self.value(e));
                step.iter().for_each(|e| self.discarded(e));
                self.stmt(body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } | StmtKind::Label { body, .. } => self.stmt(body),
            StmtKind::Return(value) => value.iter().for_each(|e| self.value(e)),
            StmtKind::Asm(asm) => {
                asm.outputs.iter().for_each(|e| self.place(e));
                asm.inputs.iter().for_each(|e| self.value(e));
            }
        }
    }

    fn initializer(&mut self, init: &Initializer) {
        init.parts.iter().for_each(|part| self.value(&part.value));
    }

    /// An expression whose value nobody uses.
    fn discarded(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Cast { kind: CastKind::ToVoid | CastKind::NoOp, value, .. } => self.discarded(value),
            ExprKind::Call { callee, args } => self.call(callee, args, true),
            _ => self.value(e),
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Expr], gives_no_pointer: bool) {
        let is_harmless = match callee {
            Callee::Direct(id) => gives_no_pointer && (self.is_harmless)(*id),
            Callee::Pointer(p) => {
                self.value(p);
                false
            }
        };
        args.iter().for_each(|a| if is_harmless { self.pointer(a) } else { self.value(a) });
    }

    /// An expression whose value goes anywhere.
    fn value(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Func(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::SizeofVla(_) => {}
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => {
                if let Some(local) = local_of(place) {
                    self.escaping[local] = true;
                }
                self.place(place);
            }
            ExprKind::Deref(_) | ExprKind::Member { .. } | ExprKind::CompoundLiteral { .. } => self.place(e),
            ExprKind::Load(place) | ExprKind::IncDec { target: place, .. } | ExprKind::VaArg { list: place } => {
                self.place(place);
            }
            ExprKind::Assign { target, value } | ExprKind::CompoundAssign { target, value, .. } => {
                self.place(target);
                self.value(value);
            }
            ExprKind::Not(a) | ExprKind::Cast { kind: CastKind::ToBool, value: a, .. } => self.pointer(a),
            ExprKind::Cast { value: a, .. } | ExprKind::Neg(a) | ExprKind::BitNot(a) => self.value(a),
            ExprKind::Binary(op, a, b) => {
                let compares = matches!(
                    op,
                    BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
                );
                [a, b].into_iter().for_each(|e| if compares { self.pointer(e) } else { self.value(e) });
            }
            ExprKind::PtrDiff(a, b) => [a, b].into_iter().for_each(|e| self.pointer(e)),
            ExprKind::PtrAdd { pointer, index, .. } => {
                self.value(pointer);
                self.value(index);
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
                [a, b].into_iter().for_each(|e| self.pointer(e));
            }
            ExprKind::Comma(a, b) => {
                self.discarded(a);
                self.value(b);
            }
            ExprKind::Cond { cond, then, otherwise, .. } => {
                // Without a middle the condition is the value.
                if then.is_some() {
                    self.pointer(cond)
                } else {
                    self.value(cond)
                }
                then.iter().for_each(|e| self.value(e));
                self.value(otherwise);
            }
            ExprKind::Call { callee, args } => {
                let gives_no_pointer = self.types.pointee(e.ty.ty).is_none();
                self.call(callee, args, gives_no_pointer);
            }
            ExprKind::Builtin { op, args } => {
                let on_list = matches!(op, Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy);
                args.iter().for_each(|a| if on_list { self.pointer(a) } else { self.value(a) });
            }
            ExprKind::StmtExpr(block) => self.block(block),
        }
    }

    /// A pointer that is only followed or compared.
    fn pointer(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.place(place),
            ExprKind::PtrAdd { pointer, index, .. } => {
                self.pointer(pointer);
                self.value(index);
            }
            ExprKind::Cast { kind: CastKind::PtrToPtr | CastKind::NoOp, value, .. } => self.pointer(value),
            _ => self.value(e),
        }
    }

    /// An lvalue that is accessed, or whose address has been dealt with.
    fn place(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Func(_) => {}
            ExprKind::Member { base, .. } => self.place(base),
            ExprKind::Deref(pointer) => self.pointer(pointer),
            ExprKind::CompoundLiteral { init, .. } => self.initializer(init),
            _ => self.value(e),
        }
    }
}

/// The local that an lvalue is part of.
fn local_of(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        ExprKind::Local(local) | ExprKind::CompoundLiteral { local, .. } => Some(*local),
        ExprKind::Member { base, .. } => local_of(base),
        ExprKind::Deref(pointer) => pointed_to(pointer),
        _ => None,
    }
}

fn pointed_to(pointer: &Expr) -> Option<LocalId> {
    match &pointer.kind {
        ExprKind::AddrOf(place) | ExprKind::Decay(place) => local_of(place),
        ExprKind::PtrAdd { pointer, .. } => pointed_to(pointer),
        ExprKind::Cast { kind: CastKind::PtrToPtr | CastKind::NoOp, value, .. } => pointed_to(value),
        _ => None,
    }
}
