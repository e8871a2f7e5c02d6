//! Static data: constant values as initial bytes, objects without a name, and string literals, both as objects of their
//! own and as initialisers of arrays.

use super::Sema;
use super::constant::StaticConst;
use super::init::{Sink, Slot, Value, strip_extension};
use crate::ast::{self, Encoding};
use crate::diag::Diagnostic;
use crate::hir::{self, ExprKind, Global, GlobalId, GlobalInit, StaticPart, StaticValue};
use crate::source::Span;
use crate::target::FloatFormat;
use crate::types::{ArrayLen, IntKind, QualTy, TyId, Type, TypeTable};

impl Sema<'_> {
    /// The initial bytes of a slot; an error where the value is not constant.
    pub(super) fn static_data(&mut self, slot: Slot, value: &hir::Expr) -> Option<StaticValue> {
        if value.ty.ty == TypeTable::ERROR {
            return None;
        }
        let bytes = self.types.size_of(slot.ty.ty)?;
        let Some(constant) = self.static_value(value) else {
            self.error_help(
                value.span,
                "the initialiser of a static object is not constant",
                "use constants and addresses of static objects only, or assign the value in a function",
            );
            return None;
        };
        match (constant, slot.bits) {
            (StaticConst::Int(value), Some(range)) => Some(StaticValue::Bits { value: value as u128, range }),
            (StaticConst::Int(value), None) => Some(StaticValue::Int { value: value as u128, bytes }),
            (StaticConst::Float(bits), _) => {
                let significant = match *self.types.get(slot.ty.ty) {
                    Type::Float(kind) => match kind.format(&self.types.target) {
                        FloatFormat::F32 => 4,
                        FloatFormat::F64 => 8,
                        FloatFormat::X87 => 10,
                    },
                    _ => bytes as usize,
                };
                let mut raw = bits.to_le_bytes()[..significant.min(16)].to_vec();
                raw.resize(bytes as usize, 0);
                Some(StaticValue::Bytes(raw.into()))
            }
            (StaticConst::Address { base, offset }, None) if bytes == self.types.target.pointer_bytes => {
                Some(StaticValue::Address { base, offset })
            }
            (StaticConst::Address { .. }, _) => {
                let shown = self.show(slot.ty.ty);
                self.error_help(
                    value.span,
                    format!("an address does not fit type '{shown}' and is not known before the program runs"),
                    "use a pointer or an integer of pointer size",
                );
                None
            }
        }
    }

    /// The object of a string literal; equal literals share one.
    pub(crate) fn string_global(&mut self, units: &[u32], elem: TyId) -> GlobalId {
        let key = (units.to_vec(), elem);
        if let Some(&id) = self.strings.get(&key) {
            return id;
        }
        let width = self.types.size_of(elem).unwrap_or(1);
        let ty = self.types.array_of(elem, ArrayLen::Fixed(units.len() as u64 + 1));
        let bytes = units.iter().flat_map(|u| u.to_le_bytes().into_iter().take(width as usize)).collect();
        let parts = vec![StaticPart { offset: 0, value: StaticValue::Bytes(bytes) }];
        let align = self.types.align_of(elem);
        let id = self.hidden_global("string literal", ty.into(), align, parts, Span::NONE);
        self.strings.insert(key, id);
        id
    }

    pub(super) fn hidden_global(
        &mut self,
        name: &str,
        ty: QualTy,
        align: u64,
        parts: Vec<StaticPart>,
        span: Span,
    ) -> GlobalId {
        let name = self.names.intern(name);
        self.globals.push_and_get_key(Global {
            name,
            ty,
            align,
            is_static: true,
            init: GlobalInit::Data(parts),
            thread_local: false,
            weak: false,
            address_taken: false,
            noinit: false,
            in_program_memory: false,
            in_machine_register: false,
            view_of: None,
            owner: None,
            span,
        })
    }

    /// The code units of a string literal that may initialise an array of such elements.
    pub(super) fn string_for<'e>(&self, e: &'e ast::Expr, elem: TyId) -> Option<&'e [u32]> {
        let ast::ExprKind::String { units, encoding } = &strip_extension(e).kind else { return None };
        let kind = self.types.int_kind(elem)?;
        let fits = match encoding {
            Encoding::Plain | Encoding::Utf8 => matches!(kind, IntKind::Char | IntKind::SChar | IntKind::UChar),
            Encoding::Wide => kind.bytes(&self.types.target) == self.types.target.wchar_bytes,
            Encoding::Utf16 => kind.bytes(&self.types.target) == 2,
            Encoding::Utf32 => kind.bytes(&self.types.target) == 4,
        };
        fits.then_some(units)
    }

    /// A string into an array: cut where the array is shorter. Returns the elements with the final NUL.
    pub(super) fn string(&mut self, sink: &mut Sink, slot: Slot, elem: QualTy, units: &[u32], span: Span) -> u64 {
        let count = units.len() as u64 + 1;
        let width = self.types.size_of(elem.ty).unwrap_or(1);
        let len = match *self.types.get(slot.ty.ty) {
            Type::Array(_, ArrayLen::Fixed(n)) => n,
            _ => count,
        };
        if len + 1 < count {
            self.diags.push(
                Diagnostic::warning(span, "the string is longer than the array")
                    .help("the rest is ignored; enlarge the array"),
            );
        }
        let size = len.saturating_mul(width);
        sink.override_by(slot, size);
        if sink.is_static {
            let kept = units.iter().take(len.min(count) as usize);
            let bytes = kept.flat_map(|u| u.to_le_bytes().into_iter().take(width as usize)).collect();
            sink.push(slot, size, Value::Static(StaticValue::Bytes(bytes)));
        } else {
            let ty = self.types.array_of(elem.ty, ArrayLen::Fixed(count));
            let global = self.string_global(units, elem.ty);
            let value = hir::Expr { kind: ExprKind::Global(global), ty: ty.into(), span };
            let whole = self.types.array_of(elem.ty, ArrayLen::Fixed(len));
            sink.push(Slot { ty: whole.into(), ..slot }, size, Value::Run(value));
        }
        count
    }
}
