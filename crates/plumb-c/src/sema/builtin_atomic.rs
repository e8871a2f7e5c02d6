//! `__sync_*` and `__atomic_*`: on one thread, the plain operation on what the pointer points to.
//!
//! Memory orders are evaluated for their effects and dropped. A size suffix (`_4`) adds nothing to the pointer's type.

use super::Sema;
use super::convert::{Class, error_node, int_node, node};
use crate::ast;
use crate::hir::{AtomicOp, BinaryOp, Builtin, Expr, ExprKind};
use crate::source::Span;
use crate::types::{IntKind, TyId, TypeTable};

fn without_size(name: &str) -> &str {
    ["_1", "_2", "_4", "_8", "_16"].iter().find_map(|s| name.strip_suffix(s)).unwrap_or(name)
}

fn operation(name: &str) -> Option<Option<BinaryOp>> {
    Some(match name {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Sub),
        "and" => Some(BinaryOp::BitAnd),
        "or" => Some(BinaryOp::BitOr),
        "xor" => Some(BinaryOp::BitXor),
        "nand" => None,
        _ => return None,
    })
}

fn fetch_then(op: Option<BinaryOp>) -> AtomicOp {
    op.map_or(AtomicOp::FetchNand, AtomicOp::Fetch)
}

fn then_fetch(op: Option<BinaryOp>) -> AtomicOp {
    op.map_or(AtomicOp::NandFetch, AtomicOp::OpFetch)
}

fn atomic_node(op: AtomicOp, args: Vec<Expr>, ty: TyId, span: Span) -> Expr {
    node(ExprKind::Builtin { op: Builtin::Atomic(op), args }, ty, span)
}

const BOOL: TyId = TypeTable::int_id(IntKind::Bool);

impl Sema<'_> {
    pub(crate) fn sync_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let short = without_size(name.strip_prefix("__sync_")?);
        let mut object = |op: AtomicOp, values: usize| Some(self.on_object(op, args, values, span));
        if let Some(op) = short.strip_prefix("fetch_and_").and_then(operation) {
            return object(fetch_then(op), 1);
        }
        if let Some(op) = short.strip_suffix("_and_fetch").and_then(operation) {
            return object(then_fetch(op), 1);
        }
        match short {
            "bool_compare_and_swap" => object(AtomicOp::BoolCas, 2),
            "val_compare_and_swap" => object(AtomicOp::ValCas, 2),
            "lock_test_and_set" | "swap" => object(AtomicOp::Exchange, 1),
            "lock_release" => Some(self.lock_release(args, span)),
            "synchronize" => Some(atomic_node(AtomicOp::Fence, Vec::new(), TypeTable::VOID, span)),
            _ => None,
        }
    }

    pub(crate) fn atomic_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let short = without_size(name.strip_prefix("__atomic_")?);
        let mut object = |op: AtomicOp, values: usize| Some(self.on_object(op, args, values, span));
        if let Some(op) = short.strip_prefix("fetch_").and_then(operation) {
            return object(fetch_then(op), 1);
        }
        if let Some(op) = short.strip_suffix("_fetch").and_then(operation) {
            return object(then_fetch(op), 1);
        }
        match short {
            "load_n" => object(AtomicOp::Load, 0),
            "store_n" => object(AtomicOp::Store, 1),
            "exchange_n" => object(AtomicOp::Exchange, 1),
            "load" | "store" | "exchange" | "compare_exchange" | "compare_exchange_n" => {
                Some(self.by_reference(short, args, span))
            }
            "test_and_set" => Some(self.on_flag(AtomicOp::TestAndSet, BOOL, args, span)),
            "clear" => Some(self.on_flag(AtomicOp::Clear, TypeTable::VOID, args, span)),
            "thread_fence" | "signal_fence" => {
                let Some(orders) = self.builtin_args(args, 1..=1, span) else { return Some(error_node(span)) };
                let fence = atomic_node(AtomicOp::Fence, Vec::new(), TypeTable::VOID, span);
                Some(self.after_effects(orders, fence))
            }
            "always_lock_free" | "is_lock_free" => {
                let Some(values) = self.builtin_args(args, 2..=2, span) else { return Some(error_node(span)) };
                let yes = int_node(1, BOOL, span);
                Some(self.after_effects(values, yes))
            }
            _ => None,
        }
    }

    /// The type of the object that an atomic builtin works on.
    fn atomic_object(&mut self, pointer: &Expr) -> Option<TyId> {
        let to = match self.class(pointer.ty.ty) {
            Class::Pointer(to) => to.ty,
            Class::Error => return None,
            _ => TypeTable::VOID,
        };
        match self.class(to) {
            Class::Int(_) | Class::Pointer(_) | Class::Float(_) => Some(to),
            Class::Record(_) if self.types.is_complete(to) => Some(to),
            Class::Error => None,
            Class::Void | Class::Array | Class::Function | Class::Record(_) => {
                let shown = self.show(pointer.ty.ty);
                self.error(
                    pointer.span,
                    format!("an atomic operation needs a pointer to a number or pointer, and this is '{shown}'"),
                );
                None
            }
        }
    }

    /// An operation on `*args[0]` with so many operands of its type; arguments beyond are memory orders.
    fn on_object(&mut self, op: AtomicOp, args: &[ast::Expr], operands: usize, span: Span) -> Expr {
        let Some(mut values) = self.builtin_args(args, operands + 1..=operands + 9, span) else {
            return error_node(span);
        };
        let orders = values.split_off(operands + 1);
        let Some(ty) = self.atomic_object(&values[0]) else { return error_node(span) };
        let mut converted = Vec::with_capacity(values.len());
        for (i, value) in values.into_iter().enumerate() {
            converted.push(match i {
                0 => value,
                _ => self.convert_for_assign(value, ty.into(), "argument"),
            });
        }
        let result = match op {
            AtomicOp::BoolCas => BOOL,
            AtomicOp::Store => TypeTable::VOID,
            _ => ty,
        };
        let e = atomic_node(op, converted, result, span);
        self.after_effects(orders, e)
    }

    fn lock_release(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some(mut values) = self.builtin_args(args, 1..=9, span) else { return error_node(span) };
        values.truncate(1);
        let Some(ty) = self.atomic_object(&values[0]) else { return error_node(span) };
        let zero = int_node(0, TypeTable::INT, span);
        let zero = self.convert_for_assign(zero, ty.into(), "argument");
        values.push(zero);
        atomic_node(AtomicOp::Store, values, TypeTable::VOID, span)
    }

    /// `__atomic_test_and_set` and `__atomic_clear` work on a byte behind a pointer of any type.
    fn on_flag(&mut self, op: AtomicOp, ty: TyId, args: &[ast::Expr], span: Span) -> Expr {
        let Some(mut values) = self.builtin_args(args, 2..=2, span) else { return error_node(span) };
        let orders = values.split_off(1);
        let byte = self.types.pointer_to(TypeTable::int_id(IntKind::UChar));
        let Some(pointer) = values.pop() else { return error_node(span) };
        let pointer = self.convert_for_assign(pointer, byte.into(), "argument");
        let e = atomic_node(op, vec![pointer], ty, span);
        self.after_effects(orders, e)
    }

    /// The generic forms, whose operands and results lie behind pointers.
    fn by_reference(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Expr {
        let pointers = match name {
            "load" | "store" => 2,
            _ => 3,
        };
        let orders = if name.starts_with("compare") { 3 } else { 1 };
        let Some(mut values) = self.builtin_args(args, pointers + orders..=pointers + orders, span) else {
            return error_node(span);
        };
        let orders = values.split_off(pointers);
        let Some(ty) = self.atomic_object(&values[0]) else { return error_node(span) };
        let mut values = values.into_iter();
        let (Some(object), Some(second)) = (values.next(), values.next()) else { return error_node(span) };
        let third = values.next();
        let e = match (name, third) {
            ("load", _) => {
                let loaded = atomic_node(AtomicOp::Load, vec![object], ty, span);
                self.store_behind(second, loaded, span)
            }
            ("store", _) => {
                let value = self.load_behind(second, ty);
                atomic_node(AtomicOp::Store, vec![object, value], TypeTable::VOID, span)
            }
            ("exchange", Some(result)) => {
                let value = self.load_behind(second, ty);
                let old = atomic_node(AtomicOp::Exchange, vec![object, value], ty, span);
                self.store_behind(result, old, span)
            }
            (_, Some(desired)) => {
                let desired = if name == "compare_exchange_n" {
                    self.convert_for_assign(desired, ty.into(), "argument")
                } else {
                    self.load_behind(desired, ty)
                };
                let expected_ty = self.types.pointer_to(ty);
                let expected = self.convert_for_assign(second, expected_ty.into(), "argument");
                atomic_node(AtomicOp::CompareExchange, vec![object, expected, desired], BOOL, span)
            }
            (_, None) => error_node(span),
        };
        self.after_effects(orders, e)
    }

    fn load_behind(&mut self, pointer: Expr, ty: TyId) -> Expr {
        let span = pointer.span;
        match self.place_behind(pointer) {
            Some(place) => self.convert_for_assign(place, ty.into(), "argument"),
            None => error_node(span),
        }
    }

    fn store_behind(&mut self, pointer: Expr, value: Expr, span: Span) -> Expr {
        let Some(place) = self.place_behind(pointer) else { return error_node(span) };
        let ty = place.ty;
        let value = self.convert_for_assign(value, ty, "argument");
        let store = node(ExprKind::Assign { target: Box::new(place), value: Box::new(value) }, ty.ty, span);
        self.scalar_cast(store, TypeTable::VOID, true)
    }
}
