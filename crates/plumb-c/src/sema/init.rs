//! Initialisers (C11 6.7.9 with GNU extensions), flattened to values at byte offsets.
//!
//! One walk serves objects of every storage: it goes through a braced list with a cursor, descends into members where
//! braces are left out, follows designators, and hands each value with its offset to a [`Sink`]. A value that
//! lies inside an aggregate is checked once: should it turn out not to be the aggregate's own value, it is kept for the
//! aggregate's first member.
//!
//! A static object whose type ends in a flexible array may have parts beyond `sizeof` its type: the object is then as
//! large as its last part requires.

use super::convert::Class;
use super::query::has_effect;
use super::{Sema, float};
use crate::ast::{self, Designator, Init, InitItem, InitList};
use crate::diag::Diagnostic;
use crate::hir::{self, ExprKind, InitPart, Initializer, StaticPart, StaticValue};
use crate::source::Span;
use crate::types::{ArrayLen, BitRange, IntKind, QualTy, RecordId, Type, TypeTable};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A part of the object: a place for a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub ty: QualTy,
    pub offset: u64,
    pub bits: Option<BitRange>,
}

impl Slot {
    /// The bits of the object that a value of so many bytes takes there.
    fn bit_range(&self, size: u64) -> Range<u64> {
        let start = self.offset.saturating_mul(8);
        match self.bits {
            Some(bits) => {
                let start = start.saturating_add(bits.start.into());
                start..start.saturating_add(bits.width.into())
            }
            None => start..start.saturating_add(size.saturating_mul(8)),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Run(hir::Expr),
    Static(StaticValue),
}

#[derive(Clone, Debug)]
pub(super) struct Part {
    pub slot: Slot,
    pub size: u64,
    pub value: Value,
}

/// Where values go.
#[derive(Debug, Default)]
pub(super) struct Sink {
    pub is_static: bool,
    pub parts: Vec<Part>,
    /// The first offset beyond all parts: nothing can be overridden there.
    end: u64,
    /// The member of each union that was initialised last.
    pub unions: FxHashMap<(u64, RecordId), u32>,
    pub ranges: Ranges,
    /// The places that were initialised anew, if that is to be repeated elsewhere.
    pub overridden: Option<Vec<(Slot, u64)>>,
}

/// What values there are of `[low ... high]`, which gcc evaluates once, in the place of the first element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ranges {
    /// They are read anew for each element.
    pub read_objects: bool,
    /// They were evaluated before the whole list.
    pub has_effects: bool,
    are_overridden: bool,
}

impl Sink {
    pub(super) fn new(is_static: bool) -> Sink {
        Sink { is_static, ..Sink::default() }
    }

    pub(super) fn push(&mut self, slot: Slot, size: u64, value: Value) {
        self.override_by(slot, size);
        self.end = self.end.max(slot.offset.saturating_add(size.max(1)));
        self.parts.push(Part { slot, size, value });
    }

    /// Forgets what a place that is initialised anew overrides: what lies in it, and, as gcc has it, a whole structure that was
    /// given by one expression. A string keeps its other characters. What is forgotten is not evaluated.
    pub(super) fn override_by(&mut self, slot: Slot, size: u64) {
        if let Some(overridden) = &mut self.overridden {
            overridden.push((slot, size));
        }
        let bits = slot.bit_range(size);
        if slot.offset >= self.end || bits.is_empty() {
            return;
        }
        let before = self.parts.len();
        self.parts.retain(|part| {
            let other = part.slot.bit_range(part.size);
            let is_inside = bits.start <= other.start && other.end <= bits.end;
            let is_around = other.start <= bits.start && bits.end <= other.end;
            let is_whole = |e: &hir::Expr| !matches!(e.kind, ExprKind::Global(_));
            let is_run = matches!(&part.value, Value::Run(e) if is_whole(e));
            !(is_inside || is_around && is_run)
        });
        self.ranges.are_overridden |= self.ranges.has_effects && self.parts.len() < before;
    }
}

/// A walk through the items of one braced list.
pub(super) struct Cursor<'a> {
    items: &'a [InitItem],
    pub at: usize,
    /// The current item's designators have led to the current place.
    pub arrived: bool,
    /// The current item's value, checked but not yet used.
    value: Option<hir::Expr>,
    warned: bool,
}

impl<'a> Cursor<'a> {
    fn current(&self) -> Option<&'a InitItem> {
        self.items.get(self.at)
    }

    /// Designators of the current item that are still to be followed.
    fn designators(&self) -> &'a [Designator] {
        match self.current() {
            Some(item) if !self.arrived => &item.designators,
            Some(_) | None => &[],
        }
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
        self.arrived = false;
        self.value = None;
    }
}

impl Sema<'_> {
    /// The initialiser of a local. The type returned has an array's length if the initialiser gave it.
    pub(crate) fn initializer(&mut self, ty: QualTy, init: &Init) -> (QualTy, Initializer) {
        let mut sink = Sink::new(false);
        let ty = self.fill(&mut sink, ty, init);
        let zero_rest = matches!(init, Init::List(_)) || matches!(self.types.get(ty.ty), Type::Array(..));
        self.check_ranges(&sink, true);
        (ty, Initializer { zero_rest, parts: run_parts(sink) })
    }

    /// The initialiser that is one value, checked already.
    pub(crate) fn value_initializer(&mut self, ty: QualTy, value: hir::Expr) -> Initializer {
        let mut sink = Sink::new(false);
        self.store(&mut sink, Slot { ty, offset: 0, bits: None }, value);
        Initializer { zero_rest: false, parts: run_parts(sink) }
    }

    /// The initial bytes of a static object.
    pub(crate) fn static_initializer(&mut self, ty: QualTy, init: &Init) -> (QualTy, Vec<StaticPart>) {
        let mut sink = Sink::new(true);
        let ty = self.fill(&mut sink, ty, init);
        (ty, static_parts(sink))
    }

    pub(crate) fn static_value_initializer(&mut self, ty: QualTy, value: hir::Expr) -> Vec<StaticPart> {
        let mut sink = Sink::new(true);
        self.store(&mut sink, Slot { ty, offset: 0, bits: None }, value);
        static_parts(sink)
    }

    pub(crate) fn compound_literal(&mut self, ty: QualTy, list: &InitList, span: Span) -> hir::Expr {
        if self.types.is_vla(ty.ty) {
            self.error_help(span, "a compound literal cannot have variable length", "use a constant length");
            return hir::Expr { kind: ExprKind::Int(0), ty: TypeTable::ERROR.into(), span };
        }
        let in_function = self.function.is_some();
        let mut sink = Sink::new(!in_function);
        let count = self.braced(&mut sink, Slot { ty, offset: 0, bits: None }, list);
        let ty = self.with_length(ty, count);
        if !self.types.is_complete(ty.ty) {
            let shown = self.show(ty.ty);
            let help = self.incomplete_help(ty.ty);
            self.error_help(span, format!("a compound literal of incomplete type '{shown}'"), help);
            return hir::Expr { kind: ExprKind::Int(0), ty: TypeTable::ERROR.into(), span };
        }
        let align = self.types.align_of(ty.ty);
        self.check_ranges(&sink, false);
        let kind = if in_function {
            let local = self.new_local(None, ty, align, span);
            let init = Box::new(Initializer { zero_rest: true, parts: run_parts(sink) });
            ExprKind::CompoundLiteral { local, init }
        } else {
            ExprKind::Global(self.hidden_global("compound literal", ty, align, static_parts(sink), span))
        };
        hir::Expr { kind, ty, span }
    }

    /// Refuses ranges of values that are not evaluated when gcc evaluates them.
    fn check_ranges(&mut self, sink: &Sink, is_declaration: bool) {
        let ranges = sink.ranges;
        let effects = |part: &&Part| matches!(&part.value, Value::Run(e) if has_effect(e));
        let has_others = (ranges.read_objects || ranges.has_effects) && sink.parts.iter().any(|part| effects(&part));
        let is_early = ranges.has_effects && (!is_declaration || ranges.are_overridden);
        if let Some(Part { value: Value::Run(e), .. }) = sink.parts.first().filter(|_| has_others || is_early) {
            let span = e.span;
            self.error_help(
                span,
                "a range of a value with effects is not supported beside others that have some, nor within an expression",
                "compute the value before, into a variable",
            );
        }
    }

    /// Initialises a whole object; returns its type with the length found.
    fn fill(&mut self, sink: &mut Sink, ty: QualTy, init: &Init) -> QualTy {
        let slot = Slot { ty, offset: 0, bits: None };
        let count = match init {
            Init::List(list) => self.braced(sink, slot, list),
            Init::Expr(e) => match self.types.get(ty.ty).clone() {
                Type::Array(elem, _) => match self.array_from_expr(sink, slot, elem, e) {
                    Some(count) => count,
                    None => {
                        self.error_help(
                            e.span,
                            "an array cannot be initialised by this expression",
                            "use a list in braces, or a string literal for an array of characters",
                        );
                        0
                    }
                },
                Type::Record(_) if self.spread_literal(sink, slot, e) => 0,
                _ => {
                    let value = self.rvalue(e);
                    self.store(sink, slot, value);
                    0
                }
            },
        };
        self.with_length(ty, count)
    }

    fn with_length(&mut self, ty: QualTy, count: u64) -> QualTy {
        match *self.types.get(ty.ty) {
            Type::Array(elem, ArrayLen::Unknown) => {
                QualTy { ty: self.types.array_of(elem, ArrayLen::Fixed(count)), quals: ty.quals }
            }
            _ => ty,
        }
    }

    /// A string or a GNU compound literal for a whole array. Returns the number of elements given.
    fn array_from_expr(&mut self, sink: &mut Sink, slot: Slot, elem: QualTy, e: &ast::Expr) -> Option<u64> {
        if let Some(units) = self.string_for(e, elem.ty) {
            return Some(self.string(sink, slot, elem, units, e.span));
        }
        let ast::ExprKind::CompoundLiteral(name, list) = &strip_extension(e).kind else { return None };
        let ty = self.type_name(name);
        if !self.types.compatible(ty.ty, slot.ty.ty) {
            return None;
        }
        let given = self.braced(sink, slot, list);
        Some(match *self.types.get(ty.ty) {
            Type::Array(_, ArrayLen::Fixed(n)) => n,
            _ => given,
        })
    }

    /// In static data, a compound literal of the slot's own type is its list (a GNU extension).
    fn spread_literal(&mut self, sink: &mut Sink, slot: Slot, e: &ast::Expr) -> bool {
        let ast::ExprKind::CompoundLiteral(name, list) = &strip_extension(e).kind else { return false };
        if !sink.is_static {
            return false;
        }
        let ty = self.type_name(name);
        let fits = self.types.compatible(ty.ty, slot.ty.ty);
        if fits {
            self.braced(sink, slot, list);
        }
        fits
    }

    /// Initialises a slot from its own braced list. Returns the number of elements of an array.
    fn braced(&mut self, sink: &mut Sink, slot: Slot, list: &InitList) -> u64 {
        let ty = slot.ty.ty;
        // A flexible array reaches as far as it is filled.
        sink.override_by(slot, self.types.size_of(ty).unwrap_or(u64::MAX));
        let mut cursor = Cursor { items: &list.items, at: 0, arrived: false, value: None, warned: false };
        match *self.types.get(ty) {
            Type::Array(elem, len) => {
                if let ArrayLen::Variable(_) = len {
                    if !list.items.is_empty() {
                        self.error_help(
                            list.span,
                            "an array of variable length cannot be initialised",
                            "assign its elements in a loop",
                        );
                    }
                    return 0;
                }
                if let [InitItem { designators, value: Init::Expr(e) }] = &list.items[..]
                    && designators.is_empty()
                    && let Some(units) = self.string_for(e, elem.ty)
                {
                    return self.string(sink, slot, elem, units, e.span);
                }
                self.run(sink, slot, 0, &mut cursor, true)
            }
            Type::Record(id) => {
                if self.types.record(id).body.is_none() {
                    let shown = self.show(ty);
                    let help = self.incomplete_help(ty);
                    self.error_help(list.span, format!("initialiser for incomplete type '{shown}'"), help);
                    return 0;
                }
                self.run(sink, slot, 0, &mut cursor, true)
            }
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Enum(_) => {
                self.braced_scalar(sink, slot, list, &mut cursor);
                0
            }
            Type::Void | Type::Function(_) => {
                let shown = self.show(ty);
                self.error(list.span, format!("an object of type '{shown}' cannot be initialised"));
                0
            }
            Type::Error => 0,
        }
    }

    fn braced_scalar(&mut self, sink: &mut Sink, slot: Slot, list: &InitList, cursor: &mut Cursor) {
        let Some(item) = cursor.current() else { return };
        if !item.designators.is_empty() {
            return self.error_help(list.span, "a scalar has no members to designate", "write the value alone");
        }
        match &item.value {
            Init::Expr(e) => {
                let value = self.rvalue(e);
                self.store(sink, slot, value);
            }
            Init::List(inner) => {
                self.braced(sink, slot, inner);
            }
        }
        cursor.advance();
        if cursor.current().is_some() {
            self.excess(cursor);
        }
    }

    /// Goes through the members or elements of an aggregate from `position` on, taking items as they fit. With `braced`
    /// the list belongs to the aggregate: its designators count from here and every item is used up; without,
    /// the walk ends at the aggregate's end or at a designator. Returns one more than the highest position filled.
    pub(super) fn run(
        &mut self,
        sink: &mut Sink,
        slot: Slot,
        mut position: u64,
        cursor: &mut Cursor,
        braced: bool,
    ) -> u64 {
        let mut count = position;
        while let Some(item) = cursor.current() {
            let before = cursor.at;
            let designators = cursor.designators();
            if !designators.is_empty() {
                if !braced {
                    break;
                }
                match self.follow(sink, slot, designators, cursor) {
                    Some(next) => position = next,
                    None => cursor.advance(),
                }
            } else if let Some((member, next)) = self.slot_at(slot, position, sink) {
                self.unbraced(sink, member, cursor);
                position = next;
                let is_endless = matches!(self.types.get(slot.ty.ty), Type::Array(_, ArrayLen::Unknown));
                if cursor.at == before && is_endless {
                    // Elements without members take no items.
                    self.excess_item(item, cursor);
                }
            } else if braced {
                self.excess_item(item, cursor);
            } else {
                break;
            }
            count = count.max(position);
        }
        count
    }

    /// The member of an aggregate at a position or, past unnamed bit-fields, after it; and the position that follows.
    fn slot_at(&mut self, slot: Slot, position: u64, sink: &mut Sink) -> Option<(Slot, u64)> {
        match *self.types.get(slot.ty.ty) {
            Type::Array(elem, len) => {
                let is_inside = match len {
                    ArrayLen::Fixed(n) => position < n,
                    ArrayLen::Unknown => true,
                    ArrayLen::Variable(_) => false,
                };
                let size = self.types.size_of(elem.ty).filter(|_| is_inside)?;
                let offset = slot.offset.saturating_add(size.saturating_mul(position));
                Some((Slot { ty: elem, offset, bits: None }, position + 1))
            }
            Type::Record(id) => {
                let record = self.types.record(id);
                let fields = &record.body.as_ref()?.fields;
                if record.is_union && position > 0 {
                    return None;
                }
                let at = (position as usize..fields.len())
                    .find(|&i| fields[i].name.is_some() || fields[i].bits.is_none())?;
                let next = if record.is_union { fields.len() as u64 + 1 } else { at as u64 + 1 };
                if record.is_union {
                    sink.unions.insert((slot.offset, id), at as u32);
                }
                Some((self.field_slot(slot, id, at as u32)?, next))
            }
            _ => None,
        }
    }

    pub(super) fn field_slot(&self, slot: Slot, id: RecordId, index: u32) -> Option<Slot> {
        let field = self.types.record(id).body.as_ref()?.fields.get(index as usize)?;
        Some(Slot { ty: field.ty, offset: slot.offset.saturating_add(field.offset), bits: field.bits })
    }

    /// Initialises a slot from the current item on, which has no braces of the slot's own unless its value is a list.
    pub(super) fn unbraced(&mut self, sink: &mut Sink, slot: Slot, cursor: &mut Cursor) {
        let Some(item) = cursor.current() else { return };
        let e = match &item.value {
            Init::List(list) => {
                cursor.advance();
                self.check_flexible(sink, slot, list.span);
                self.braced(sink, slot, list);
                return;
            }
            Init::Expr(e) => e,
        };
        match *self.types.get(slot.ty.ty) {
            // As in gcc, the value is one too many for it.
            Type::Array(_, ArrayLen::Fixed(0)) => self.excess_item(item, cursor),
            Type::Array(elem, _) => {
                self.check_flexible(sink, slot, e.span);
                if cursor.value.is_none() && self.array_from_expr(sink, slot, elem, e).is_some() {
                    return cursor.advance();
                }
                cursor.arrived = true;
                self.run(sink, slot, 0, cursor, false);
            }
            Type::Record(_) => {
                let is_text = matches!(strip_extension(e).kind, ast::ExprKind::String { .. });
                if cursor.value.is_none() && !is_text {
                    if self.spread_literal(sink, slot, e) {
                        return cursor.advance();
                    }
                    cursor.value = Some(self.rvalue(e));
                }
                if let Some(value) = cursor.value.take_if(|v| self.types.compatible(v.ty.ty, slot.ty.ty)) {
                    sink.override_by(slot, self.types.size_of(slot.ty.ty).unwrap_or(0));
                    self.store(sink, slot, value);
                    return cursor.advance();
                }
                cursor.arrived = true;
                self.run(sink, slot, 0, cursor, false);
            }
            _ => {
                let value = match cursor.value.take() {
                    Some(value) => value,
                    None => self.rvalue(e),
                };
                self.store(sink, slot, value);
                cursor.advance();
            }
        }
    }

    /// Only static objects can have elements in a flexible array: they are laid out with them.
    fn check_flexible(&mut self, sink: &Sink, slot: Slot, span: Span) {
        if !sink.is_static && matches!(self.types.get(slot.ty.ty), Type::Array(_, ArrayLen::Unknown)) {
            self.error_help(
                span,
                "the flexible array of a local object cannot be initialised",
                "make the object static, or allocate it and assign the elements",
            );
        }
    }

    fn excess_item(&mut self, item: &InitItem, cursor: &mut Cursor) {
        let span = match &item.value {
            Init::Expr(e) => e.span,
            Init::List(list) => list.span,
        };
        if !cursor.warned {
            cursor.warned = true;
            self.diags.push(
                Diagnostic::warning(span, "more values than the object has members")
                    .help("the rest is ignored; check the initialiser against the type"),
            );
        }
        cursor.advance();
    }

    fn excess(&mut self, cursor: &mut Cursor) {
        if let Some(item) = cursor.current() {
            self.excess_item(item, cursor);
        }
    }

    /// Converts a value to the slot's type and hands it to the sink.
    fn store(&mut self, sink: &mut Sink, slot: Slot, value: hir::Expr) {
        let to = QualTy::from(slot.ty.ty);
        let value = self.fold_into_bits(slot, value);
        let value = self.convert_for_assign(value, to, "initialisation");
        let size = self.types.size_of(to.ty).unwrap_or(0);
        if !sink.is_static {
            return sink.push(slot, size, Value::Run(value));
        }
        if let Some(value) = self.static_data(slot, &value) {
            sink.push(slot, size, Value::Static(value));
        }
    }
}

impl Sema<'_> {
    /// A floating constant for a bit-field becomes the nearest value that this holds, as gcc folds it.
    fn fold_into_bits(&self, slot: Slot, value: hir::Expr) -> hir::Expr {
        let (Some(bits), ExprKind::Float(constant)) = (slot.bits, &value.kind) else { return value };
        let (Some(kind), Class::Float(format)) = (self.types.int_kind(slot.ty.ty), self.class(value.ty.ty)) else {
            return value;
        };
        if kind == IntKind::Bool {
            return value;
        }
        let is_signed = kind.is_signed(&self.types.target);
        let folded = float::to_int_saturating(*constant, self.float_format(format), bits.width, is_signed);
        hir::Expr { kind: ExprKind::Int(folded), ty: slot.ty.ty.into(), span: value.span }
    }
}

pub(super) fn strip_extension(e: &ast::Expr) -> &ast::Expr {
    match &e.kind {
        ast::ExprKind::Unary(ast::UnaryOp::Extension, inner) => strip_extension(inner),
        _ => e,
    }
}

/// The parts in the order in which gcc evaluates them: that of members and elements, whatever the order of the list.
fn run_parts(mut sink: Sink) -> Vec<InitPart> {
    sink.parts.sort_by_key(|part| part.slot.bit_range(part.size).start);
    let parts = sink.parts.into_iter().filter_map(|p| match p.value {
        Value::Run(value) => Some(InitPart { offset: p.slot.offset, bits: p.slot.bits, value, ty: p.slot.ty.ty }),
        Value::Static(_) => None,
    });
    parts.collect()
}

fn static_parts(sink: Sink) -> Vec<StaticPart> {
    let parts = sink.parts.into_iter().filter_map(|p| match p.value {
        Value::Static(value) => Some(StaticPart { offset: p.slot.offset, value }),
        Value::Run(_) => None,
    });
    parts.collect()
}
