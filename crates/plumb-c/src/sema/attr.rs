//! Attributes that change the meaning of a declaration, gathered from where C lets them stand. All others are accepted
//! and ignored: they concern optimisation, linking and warnings.

use super::Sema;
use crate::ast::{AlignSpec, Attr, AttrArg, ExprKind};
use crate::names::Name;
use crate::source::Span;
use crate::types::{FloatKind, QualTy, TyId, Type, TypeTable};

/// What the attributes of one declaration say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    /// The strictest `aligned` or `_Alignas`, in bytes.
    pub align: Option<u64>,
    /// The last `aligned`: of several on a type, gcc lets the last one win, while objects and members take the strictest.
    pub last_align: Option<u64>,
    /// `#pragma pack`, which the parser hands on as an attribute of the record.
    pub pack: Option<u64>,
    pub packed: bool,
    pub weak: bool,
    pub noreturn: bool,
    pub interrupt: bool,
    pub gnu_inline: bool,
    pub transparent_union: bool,
    pub mode: Option<(Name, Span)>,
    pub vector: Option<Span>,
    /// The name in `alias("name")` or `weakref("name")`.
    pub alias: Option<(Name, Span)>,
    pub cleanup: Option<Span>,
    /// `constructor` or `destructor`.
    pub runs_outside_main: Option<Span>,
}

/// The attributes with a meaning here.
enum Known {
    Aligned,
    Pack,
    Packed,
    Weak,
    Noreturn,
    Interrupt,
    GnuInline,
    TransparentUnion,
    Mode,
    Vector,
    Alias,
    Cleanup,
    RunsOutsideMain,
}

fn known(name: &str) -> Option<Known> {
    Some(match name {
        "aligned" => Known::Aligned,
        "pragma_pack" => Known::Pack,
        "packed" => Known::Packed,
        "weak" => Known::Weak,
        "noreturn" => Known::Noreturn,
        "interrupt" | "interrupt_handler" | "signal" | "isr" => Known::Interrupt,
        "gnu_inline" => Known::GnuInline,
        "transparent_union" => Known::TransparentUnion,
        "mode" => Known::Mode,
        "vector_size" => Known::Vector,
        "alias" | "weakref" => Known::Alias,
        "cleanup" => Known::Cleanup,
        "constructor" | "destructor" => Known::RunsOutsideMain,
        _ => return None,
    })
}

impl Sema<'_> {
    pub(crate) fn attributes(&mut self, lists: &[&[Attr]], aligns: &[AlignSpec]) -> Attributes {
        let mut found = Attributes::default();
        for attr in lists.iter().flat_map(|l| l.iter()) {
            let Some(known) = known(self.names.text(attr.name)) else { continue };
            match known {
                Known::Aligned => {
                    let align = self.alignment_argument(attr);
                    found.align = found.align.max(align);
                    found.last_align = align.or(found.last_align);
                }
                Known::Pack => {
                    found.pack = self.constant_argument(attr).and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0);
                }
                Known::Packed => found.packed = true,
                Known::Weak => found.weak = true,
                Known::Noreturn => found.noreturn = true,
                Known::Interrupt => found.interrupt = true,
                Known::GnuInline => found.gnu_inline = true,
                Known::TransparentUnion => found.transparent_union = true,
                Known::Mode => found.mode = name_argument(attr).map(|name| (name, attr.span)),
                Known::Vector => found.vector = Some(attr.span),
                Known::Alias => found.alias = self.text_argument(attr).map(|name| (name, attr.span)),
                Known::Cleanup => found.cleanup = Some(attr.span),
                Known::RunsOutsideMain => found.runs_outside_main = Some(attr.span),
            }
        }
        for spec in aligns {
            let align = match spec {
                AlignSpec::Type(ty) => {
                    let ty = self.type_name(ty);
                    Some(self.types.align_of(ty.ty))
                }
                AlignSpec::Expr(e) => match self.const_int(e, "alignment") {
                    // `_Alignas(0)` has no effect (C11 6.7.5p6).
                    Some(0) => None,
                    n => n.and_then(|n| self.checked_alignment(n, e.span)),
                },
            };
            found.align = found.align.max(align);
        }
        found
    }

    fn constant_argument(&mut self, attr: &Attr) -> Option<i128> {
        match attr.args.first()? {
            AttrArg::Expr(e) => self.const_int(e, "attribute argument"),
            AttrArg::Type(ty) => {
                self.error(ty.span, "a number is needed here, not a type");
                None
            }
        }
    }

    fn alignment_argument(&mut self, attr: &Attr) -> Option<u64> {
        if attr.args.is_empty() {
            return Some(self.types.target.max_align);
        }
        let n = self.constant_argument(attr)?;
        self.checked_alignment(n, attr.span)
    }

    fn checked_alignment(&mut self, n: i128, span: Span) -> Option<u64> {
        let align = u64::try_from(n).ok().filter(|a| a.is_power_of_two() && *a <= 1 << 28);
        if align.is_none() {
            self.error_help(span, format!("an alignment of {n} is not possible"), "use a power of two");
        }
        align
    }

    fn text_argument(&mut self, attr: &Attr) -> Option<Name> {
        let Some(AttrArg::Expr(e)) = attr.args.first() else { return None };
        let ExprKind::String { units, .. } = &e.kind else { return None };
        let text: String = units.iter().filter_map(|&u| char::from_u32(u)).collect();
        Some(self.names.intern(&text))
    }

    /// Attributes that replace the type itself: `mode` and `vector_size`.
    pub(crate) fn retyped(&mut self, ty: QualTy, attributes: &Attributes) -> QualTy {
        if attributes.vector.is_some() {
            return QualTy { ty: self.unsupported_type("vector"), quals: ty.quals };
        }
        match attributes.mode {
            Some((mode, span)) => QualTy { ty: self.with_mode(ty.ty, mode, span), quals: ty.quals },
            None => ty,
        }
    }

    fn with_mode(&mut self, ty: TyId, mode: Name, span: Span) -> TyId {
        let target = self.types.target;
        let bytes = match self.names.text(mode).trim_matches('_') {
            "QI" | "byte" => 1,
            "HI" => 2,
            "SI" | "SF" => 4,
            "DI" | "DF" => 8,
            "TI" => 16,
            "XF" => target.long_double_bytes,
            "word" | "pointer" | "unwind_word" => target.pointer_bytes,
            _ => 0,
        };
        let retyped = match *self.types.get(ty) {
            Type::Int(kind) => self.types.int_of_bytes(bytes, kind.is_signed(&target)).map(TypeTable::int_id),
            Type::Enum(_) if self.types.size_of(ty) == Some(bytes) => Some(ty),
            Type::Float(_) => [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble]
                .map(TypeTable::float_id)
                .into_iter()
                .find(|&f| self.types.size_of(f) == Some(bytes)),
            Type::Pointer(_) if bytes == target.pointer_bytes => Some(ty),
            Type::Error => Some(ty),
            _ => None,
        };
        retyped.unwrap_or_else(|| {
            let (mode, shown) = (self.text(mode), self.show(ty));
            self.error_help(
                span,
                format!("machine mode '{mode}' is not supported for type '{shown}'"),
                "write a type of the size that is meant",
            );
            TypeTable::ERROR
        })
    }
}

fn name_argument(attr: &Attr) -> Option<Name> {
    match attr.args.first()? {
        AttrArg::Expr(e) => match e.kind {
            ExprKind::Ident(name) => Some(name),
            _ => None,
        },
        AttrArg::Type(_) => None,
    }
}
