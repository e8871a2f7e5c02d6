//! Designators in initialiser lists: `.member`, `[index]`, GNU's `[low ... high]`, and chains of them (C11 6.7.9p17-18).
//!
//! After a designated member the list goes on with the members that follow it, at every level of the chain.

use super::Sema;
use super::constant::Reads;
use super::init::{Cursor, Sink, Slot, Value};
use crate::ast::Designator;
use crate::hir::{self, ExprKind};
use crate::source::Span;
use crate::types::{ArrayLen, Type, TypeTable};

/// Every element of a range becomes a part of its own, so a longer one would take the memory of the machine.
const LONGEST_RANGE: i128 = 1 << 22;

impl Sema<'_> {
    /// Follows the designators of the current item from an aggregate. Returns the position after the first of them, for
    /// the items that come next.
    pub(super) fn follow(
        &mut self,
        sink: &mut Sink,
        slot: Slot,
        designators: &[Designator],
        cursor: &mut Cursor,
    ) -> Option<u64> {
        let (first, rest) = designators.split_first()?;
        match first {
            Designator::Field(name, span) => {
                let path = self.types.record_id(slot.ty.ty).and_then(|id| self.types.find_field(id, *name));
                let Some(path) = path else {
                    let (text, shown) = (self.text(*name), self.show(slot.ty.ty));
                    self.error_help(
                        *span,
                        format!("'{shown}' has no member '{text}'"),
                        "check the member's name and the type being initialised",
                    );
                    return None;
                };
                self.follow_path(sink, slot, &path, rest, cursor)
            }
            Designator::Index(e) => {
                let index = self.const_int(e, "array index")?;
                self.follow_range(sink, slot, (index, index), rest, cursor, e.span)
            }
            Designator::Range(low, high) => {
                let range = (self.const_int(low, "array index")?, self.const_int(high, "array index")?);
                self.follow_range(sink, slot, range, rest, cursor, low.span.to(high.span))
            }
        }
    }

    /// Goes down through anonymous members to the one designated.
    fn follow_path(
        &mut self,
        sink: &mut Sink,
        slot: Slot,
        path: &[u32],
        rest: &[Designator],
        cursor: &mut Cursor,
    ) -> Option<u64> {
        let (&index, inner) = path.split_first()?;
        let id = self.types.record_id(slot.ty.ty)?;
        let is_union = self.types.record(id).is_union;
        let field = self.field_slot(slot, id, index)?;
        if is_union && sink.unions.insert((slot.offset, id), index).is_some_and(|last| last != index) {
            sink.override_by(slot, self.types.size_of(slot.ty.ty).unwrap_or(0));
        }
        if inner.is_empty() {
            self.designated(sink, field, rest, cursor);
        } else if let Some(next) = self.follow_path(sink, field, inner, rest, cursor) {
            self.run(sink, field, next, cursor, false);
        }
        // A union has one member; its end is beyond all.
        Some(if is_union { u64::MAX } else { index as u64 + 1 })
    }

    fn follow_range(
        &mut self,
        sink: &mut Sink,
        slot: Slot,
        (low, high): (i128, i128),
        rest: &[Designator],
        cursor: &mut Cursor,
        span: Span,
    ) -> Option<u64> {
        let Type::Array(elem, len) = *self.types.get(slot.ty.ty) else {
            let shown = self.show(slot.ty.ty);
            self.error_help(span, format!("an index designates nothing in '{shown}'"), "use .member for a struct");
            return None;
        };
        let size = self.types.size_of(elem.ty)?;
        let limit = match len {
            ArrayLen::Fixed(n) => n,
            ArrayLen::Unknown | ArrayLen::Variable(_) => self.types.max_object_bytes() / size.max(1),
        };
        if low < 0 || low > high || high >= limit as i128 {
            self.error_help(
                span,
                format!("index {high} is outside the array, which has {limit} elements"),
                "correct the index or the array's length",
            );
            return None;
        }
        if high - low >= LONGEST_RANGE {
            let help = "fill the array by a loop, or leave zeros out";
            self.error_help(span, format!("a range of more than {LONGEST_RANGE} elements is not supported"), help);
            return None;
        }
        let (low, high) = (low as u64, high as u64);
        let element = Slot { ty: elem, offset: slot.offset.saturating_add(low * size), bits: None };
        let item = cursor.at;
        if low == high {
            self.designated(sink, element, rest, cursor);
        } else {
            let mut once = Sink::new(sink.is_static);
            once.overridden = Some(Vec::new());
            self.designated(&mut once, element, rest, cursor);
            if cursor.at > item + 1 {
                self.error_help(
                    span,
                    "several values after a range with a nested designator are not supported",
                    "write one designated value per member",
                );
            }
            self.repeat(sink, once, size, high - low);
        }
        Some(high + 1)
    }

    /// Copies the parts of a range's first element to the others. What has side effects is evaluated once.
    fn repeat(&mut self, sink: &mut Sink, mut first: Sink, size: u64, more: u64) {
        for part in &mut first.parts {
            if let Value::Run(value) = &mut part.value
                && self.fold(value, Reads::None).is_none()
            {
                match is_repeatable(value) {
                    true => sink.ranges.read_objects = true,
                    false => {
                        sink.ranges.has_effects = true;
                        self.evaluate_once(value);
                    }
                }
            }
        }
        for i in 0..=more {
            for (slot, bytes) in first.overridden.iter().flatten() {
                sink.override_by(Slot { offset: slot.offset.saturating_add(i * size), ..*slot }, *bytes);
            }
            for (&(offset, id), &member) in &first.unions {
                let at = offset.saturating_add(i * size);
                if sink.unions.insert((at, id), member).is_some_and(|last| last != member) {
                    let bytes = self.types.record(id).body.as_ref().map_or(0, |body| body.size);
                    sink.override_by(Slot { ty: TypeTable::ERROR.into(), offset: at, bits: None }, bytes);
                }
            }
            for part in &first.parts {
                let mut part = part.clone();
                part.slot.offset = part.slot.offset.saturating_add(i * size);
                let bytes = self.types.size_of(part.slot.ty.ty).unwrap_or(0);
                sink.push(part.slot, bytes, part.value);
            }
        }
    }

    /// Puts a value into a hidden local before the current statement.
    fn evaluate_once(&mut self, value: &mut hir::Expr) {
        let (ty, span) = (value.ty, value.span);
        let align = self.types.align_of(ty.ty);
        let local = self.new_local(None, ty, align, span);
        let read = hir::Expr { kind: ExprKind::Local(local), ty, span };
        let read = hir::Expr { kind: ExprKind::Load(Box::new(read)), ty, span };
        let init = self.value_initializer(ty, std::mem::replace(value, read));
        if let Some(function) = &mut self.function {
            let kind = hir::StmtKind::Declare { local, init: Some(init) };
            function.pending.push(hir::Stmt { kind, span });
        }
    }

    /// Follows further designators into a member, then goes on with the members after the one designated.
    fn designated(&mut self, sink: &mut Sink, slot: Slot, rest: &[Designator], cursor: &mut Cursor) {
        if rest.is_empty() {
            cursor.arrived = true;
            return self.unbraced(sink, slot, cursor);
        }
        match self.follow(sink, slot, rest, cursor) {
            Some(next) => {
                self.run(sink, slot, next, cursor, false);
            }
            None => cursor.advance(),
        }
    }
}

/// Whether evaluating a value several times is the same as evaluating it once.
fn is_repeatable(e: &hir::Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Func(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::SizeofVla(_) => true,
        ExprKind::Load(inner) => !inner.ty.quals.is_volatile && is_repeatable(inner),
        ExprKind::Deref(inner)
        | ExprKind::Member { base: inner, .. }
        | ExprKind::AddrOf(inner)
        | ExprKind::Decay(inner)
        | ExprKind::Cast { value: inner, .. }
        | ExprKind::Neg(inner)
        | ExprKind::BitNot(inner)
        | ExprKind::Not(inner) => is_repeatable(inner),
        ExprKind::Binary(_, a, b) | ExprKind::PtrAdd { pointer: a, index: b, .. } | ExprKind::PtrDiff(a, b) => {
            is_repeatable(a) && is_repeatable(b)
        }
        ExprKind::CompoundLiteral { .. }
        | ExprKind::LogicalAnd(..)
        | ExprKind::LogicalOr(..)
        | ExprKind::Cond { .. }
        | ExprKind::Comma(..)
        | ExprKind::Assign { .. }
        | ExprKind::CompoundAssign { .. }
        | ExprKind::IncDec { .. }
        | ExprKind::Call { .. }
        | ExprKind::Builtin { .. }
        | ExprKind::StmtExpr(_)
        | ExprKind::VaArg { .. } => false,
    }
}
