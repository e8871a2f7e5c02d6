//! Literals: the types that suffix, base, value and encoding give them (C11 6.4.4, 6.4.5).

use super::Sema;
use super::convert::{error_node, int_node, node};
use super::float;
use crate::ast::{Encoding, FloatSuffix, LongSuffix};
use crate::hir::{Expr, ExprKind};
use crate::source::Span;
use crate::types::{FloatKind, IntKind, TyId, TypeTable};

impl Sema<'_> {
    pub(crate) fn int_literal(
        &mut self,
        value: u128,
        decimal: bool,
        unsigned: bool,
        long: LongSuffix,
        span: Span,
    ) -> Expr {
        // C90 6.1.3.2: there is no `long long`, and what does not fit `long` is `unsigned long`.
        let is_c90 = self.flags.c90_constants && decimal;
        let ranks = match long {
            LongSuffix::None if is_c90 => &[IntKind::Int, IntKind::Long, IntKind::ULong, IntKind::LLong][..],
            LongSuffix::Long if is_c90 => &[IntKind::Long, IntKind::ULong, IntKind::LLong][..],
            LongSuffix::None => &[IntKind::Int, IntKind::Long, IntKind::LLong][..],
            LongSuffix::Long => &[IntKind::Long, IntKind::LLong][..],
            LongSuffix::LongLong => &[IntKind::LLong][..],
        };
        let target = &self.types.target;
        for &kind in ranks {
            let bits = kind.bits(target);
            let own_bits = if kind.is_signed(target) { bits - 1 } else { bits };
            if !unsigned && value < 1 << own_bits {
                return int_node(value as i128, TypeTable::int_id(kind), span);
            }
            if (unsigned || !decimal) && value < 1 << bits {
                return int_node(value as i128, TypeTable::int_id(kind.to_unsigned()), span);
            }
        }
        // gcc's answer to a literal that no standard type holds, given with a warning.
        let widest = if target.has_int128 { IntKind::Int128 } else { IntKind::LLong };
        let kind = if unsigned { widest.to_unsigned() } else { widest };
        int_node(self.wrap_int(value as i128, kind), TypeTable::int_id(kind), span)
    }

    pub(crate) fn float_literal(&mut self, text: &str, suffix: FloatSuffix, span: Span) -> Expr {
        let kind = match suffix {
            FloatSuffix::None => FloatKind::Double,
            FloatSuffix::F => FloatKind::Float,
            FloatSuffix::L => FloatKind::LongDouble,
            FloatSuffix::Other => {
                self.error_help(span, "this floating format is not supported", "use the suffix 'f' or 'l', or none");
                return error_node(span);
            }
        };
        match float::parse(text, self.float_format(kind)) {
            Some(bits) => node(ExprKind::Float(bits), TypeTable::float_id(kind), span),
            None => {
                self.error(span, "malformed floating literal");
                error_node(span)
            }
        }
    }

    pub(crate) fn char_literal(&mut self, value: u32, encoding: Encoding, span: Span) -> Expr {
        match encoding {
            Encoding::Plain => {
                // One character has the value of a `char`; several are packed into an `int`.
                let kind = if value <= 0xff { IntKind::Char } else { IntKind::Int };
                int_node(self.wrap_int(value as i128, kind), TypeTable::INT, span)
            }
            Encoding::Utf8 => int_node((value & 0xff) as i128, TypeTable::INT, span),
            Encoding::Wide | Encoding::Utf16 | Encoding::Utf32 => {
                let kind = self.char_kind(encoding);
                int_node(self.wrap_int(value as i128, kind), TypeTable::int_id(kind), span)
            }
        }
    }

    /// The element type of strings of an encoding.
    fn char_kind(&self, encoding: Encoding) -> IntKind {
        let target = &self.types.target;
        match encoding {
            Encoding::Plain | Encoding::Utf8 => IntKind::Char,
            // `wchar_t` is `long` on i386, `int` elsewhere.
            Encoding::Wide if target.pointer_bytes == 4 => IntKind::Long,
            Encoding::Wide => IntKind::Int,
            Encoding::Utf16 if target.int_bytes == 2 => IntKind::UInt,
            Encoding::Utf16 => IntKind::UShort,
            Encoding::Utf32 if target.int_bytes == 4 => IntKind::UInt,
            Encoding::Utf32 => IntKind::ULong,
        }
    }

    pub(crate) fn char_type(&self, encoding: Encoding) -> TyId {
        TypeTable::int_id(self.char_kind(encoding))
    }

    pub(crate) fn string_literal(&mut self, units: &[u32], encoding: Encoding, span: Span) -> Expr {
        let elem = self.char_type(encoding);
        let id = self.string_global(units, elem);
        node(ExprKind::Global(id), self.globals[id].ty, span)
    }

    /// `__func__` and its GNU relatives.
    pub(crate) fn function_name(&mut self, span: Span) -> Expr {
        let known = self.function.as_ref().and_then(|f| f.function_name);
        let id = match known {
            Some(id) => id,
            None => {
                let name = self.function.as_ref().map(|f| self.functions[f.id].name);
                let units: Vec<u32> = name.map_or(Vec::new(), |n| self.names.text(n).bytes().map(u32::from).collect());
                let id = self.string_global(&units, TypeTable::int_id(IntKind::Char));
                if let Some(f) = &mut self.function {
                    f.function_name = Some(id);
                }
                id
            }
        };
        node(ExprKind::Global(id), self.globals[id].ty, span)
    }
}
