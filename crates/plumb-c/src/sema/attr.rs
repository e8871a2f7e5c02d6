//! Attributes that change the meaning of a declaration, gathered from where C lets them stand. Which attributes those are
//! is written in [`super::attribute_table`]; the parser has refused what it does not know.

use super::Sema;
use super::attribute_table::{Decision, Honoured, decision};
use crate::ast::{AlignSpec, Attr, AttrArg, Expr, ExprKind};
use crate::code_flags::{CodeFlags, RefusedFlag, optimize_flags};
use crate::hir::PromisedEffects;
use crate::names::Name;
use crate::source::Span;
use crate::types::{FloatKind, QualTy, TyId, Type, TypeTable};

/// The priority of constructors and destructors that name none.
const DEFAULT_PRIORITY: u32 = 65535;

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
    pub returns_nonnull: bool,
    pub effects: PromisedEffects,
    pub interrupt: bool,
    pub gnu_inline: bool,
    pub transparent_union: bool,
    pub mode: Option<(Name, Span)>,
    pub vector: Option<Span>,
    /// The name in `alias("name")` or `weakref("name")`.
    pub alias: Option<(Name, Span)>,
    /// The function in `cleanup(function)`.
    pub cleanup: Option<(Name, Span)>,
    /// `constructor` or `destructor`, or both.
    pub runs_outside_main: Vec<OutsideMain>,
    /// `optimize("wrapv")`.
    pub wrapv: Option<bool>,
    /// The object's memory is not set when the program starts.
    pub noinit: bool,
    /// The object lies in program memory (AVR).
    pub program_memory: bool,
    /// A run that calls the function is not supported, for this reason.
    pub refusal: Option<&'static str>,
}

/// A function that the startup code calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OutsideMain {
    /// Before main, or else at exit.
    pub before: bool,
    pub priority: u32,
}

impl Sema<'_> {
    pub(crate) fn attributes(&mut self, lists: &[&[Attr]], aligns: &[AlignSpec]) -> Attributes {
        let mut found = Attributes::default();
        for attr in lists.iter().flat_map(|l| l.iter()) {
            let decision = decision(self.names.text(attr.name));
            let Some(Decision::Honoured(known)) = decision else { continue };
            match known {
                Honoured::Aligned => {
                    let align = self.alignment_argument(attr);
                    found.align = found.align.max(align);
                    found.last_align = align.or(found.last_align);
                }
                Honoured::Pack => {
                    found.pack = self.constant_argument(attr).and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0);
                }
                Honoured::Packed => found.packed = true,
                Honoured::Weak => found.weak = true,
                Honoured::Noreturn => found.noreturn = true,
                Honoured::Pure => found.effects.is_pure = true,
                Honoured::Const => found.effects.is_const = true,
                Honoured::Access => self.access(attr, &mut found),
                Honoured::ReturnsNonnull => found.returns_nonnull = true,
                Honoured::Interrupt => found.interrupt = true,
                Honoured::GnuInline => found.gnu_inline = true,
                Honoured::TransparentUnion => found.transparent_union = true,
                Honoured::Mode => found.mode = name_argument(attr).map(|name| (name, attr.span)),
                Honoured::Vector => found.vector = Some(attr.span),
                Honoured::Alias => found.alias = self.text_argument(attr).map(|name| (name, attr.span)),
                Honoured::Cleanup => self.cleanup(attr, &mut found),
                Honoured::RunsOutsideMain => {
                    let before = self.names.text(attr.name) == "constructor";
                    let priority = self.constant_argument(attr).and_then(|n| u32::try_from(n).ok());
                    let priority = priority.unwrap_or(DEFAULT_PRIORITY);
                    found.runs_outside_main.push(OutsideMain { before, priority });
                }
                Honoured::Naked => {
                    found.refusal = Some("a naked function, whose body is the assembly in it, is not modelled");
                }
                Honoured::ReturnsTwice => found.refusal = Some("a function that returns twice is not modelled"),
                Honoured::Noinit => found.noinit = true,
                Honoured::ProgramMemory => found.program_memory = true,
                Honoured::Section => self.section(attr, &mut found),
                Honoured::StorageOrder => self.storage_order(attr),
                Honoured::Optimize => self.optimize(attr, &mut found),
                Honoured::Target => self.target_options(attr),
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

    /// Sections by which linkers and startup code know what to run before `main`, and what not to clear.
    fn section(&mut self, attr: &Attr, found: &mut Attributes) {
        let Some(name) = self.text_argument(attr) else { return };
        let name = self.text(name);
        let is_numbered = |prefix: &str| {
            name.strip_prefix(prefix).is_some_and(|rest| rest.len() <= 1 && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        let lists = [".init_array", ".preinit_array", ".fini_array", ".ctors", ".dtors"];
        if is_numbered(".init") || is_numbered(".fini") || lists.iter().any(|list| name.starts_with(list)) {
            self.error_help(
                attr.span,
                format!("the section '{name}' holds what runs before or after main, which is not supported"),
                "write __attribute__((constructor)) or destructor instead",
            );
        }
        found.noinit |= name.starts_with(".noinit");
    }

    /// `access(mode, position)`, and perhaps the position of the size.
    fn access(&mut self, attr: &Attr, found: &mut Attributes) {
        let mode = name_argument(attr).map(|name| self.names.text(name).trim_matches('_').to_string());
        let position = match attr.args.get(1) {
            Some(AttrArg::Expr(e)) => self.const_int(e, "attribute argument"),
            Some(AttrArg::Type(_)) | None => None,
        };
        let Some(position) = position.and_then(|n| u32::try_from(n).ok()?.checked_sub(1)) else { return };
        match mode.as_deref() {
            Some("read_only") => found.effects.read_only.push(position),
            Some("none") => found.effects.not_accessed.push(position),
            _ => {}
        }
    }

    fn cleanup(&mut self, attr: &Attr, found: &mut Attributes) {
        let name = name_argument(attr);
        if name.is_none() || found.cleanup.is_some() {
            return self.error_help(
                attr.span,
                "the attribute 'cleanup' names one function",
                "write __attribute__((cleanup(function)))",
            );
        }
        found.cleanup = name.map(|name| (name, attr.span));
    }

    fn storage_order(&mut self, attr: &Attr) {
        let order = self.text_argument(attr).map(|name| self.text(name));
        if order.as_deref() != Some("little-endian") {
            self.error_help(
                attr.span,
                "the attribute 'scalar_storage_order' is not supported: big-endian members are not modelled",
                "declare the bytes of the record one by one",
            );
        }
    }

    fn optimize(&mut self, attr: &Attr, found: &mut Attributes) {
        let mut flags = CodeFlags::default();
        for text in self.text_arguments(attr) {
            for flag in optimize_flags(&text) {
                match flags.apply(&flag) {
                    Ok(()) if flag.contains("wrapv") || flag.contains("strict-overflow") => {
                        found.wrapv = Some(flags.wrapv);
                    }
                    Ok(()) => {}
                    Err(RefusedFlag { flag, why }) => self.error_help(
                        attr.span,
                        format!("the attribute 'optimize' with {flag} is not supported: {why}"),
                        "take it out where it does not matter to what is checked",
                    ),
                }
            }
        }
    }

    fn target_options(&mut self, attr: &Attr) {
        if self.text_arguments(attr).iter().any(|text| text.contains("fpmath=387") || text.contains("no-sse")) {
            self.error_help(
                attr.span,
                "the attribute 'target' is not supported with these options: floats are computed in their own format",
                "take it out where it does not matter to what is checked",
            );
        }
    }

    /// All arguments that are strings.
    fn text_arguments(&self, attr: &Attr) -> Vec<String> {
        let text = |arg: &AttrArg| match arg {
            AttrArg::Expr(Expr { kind: ExprKind::String { units, .. }, .. }) => {
                Some(units.iter().filter_map(|&u| char::from_u32(u)).collect())
            }
            AttrArg::Expr(_) | AttrArg::Type(_) => None,
        };
        attr.args.iter().filter_map(text).collect()
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

    /// The bytes of a machine mode; 0 where it is not known.
    pub(crate) fn mode_bytes(&self, mode: Name) -> u64 {
        let target = self.types.target;
        match self.names.text(mode).trim_matches('_') {
            "QI" | "byte" => 1,
            "HI" => 2,
            "SI" | "SF" => 4,
            "DI" | "DF" => 8,
            "TI" => 16,
            "XF" => target.long_double_bytes,
            "word" if target.is_avr() => 1,
            "word" | "pointer" | "unwind_word" => target.pointer_bytes,
            _ => 0,
        }
    }

    fn with_mode(&mut self, ty: TyId, mode: Name, span: Span) -> TyId {
        let target = self.types.target;
        let bytes = self.mode_bytes(mode);
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
