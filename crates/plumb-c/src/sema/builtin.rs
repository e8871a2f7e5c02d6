//! Compiler builtins by name.
//!
//! A builtin becomes a [`Builtin`] node where it has a meaning of its own, a constant or plain operators where those say it
//! all, and otherwise a call of the library function of the same name. Floating builtins are in `builtin_float`, atomic
//! ones in `builtin_atomic`.

use super::Sema;
use super::constancy::Constancy;
use super::convert::{Class, error_node, int_node, node};
use super::query::has_effect;
use crate::ast;
use crate::hir::{Builtin, Expr, ExprKind};
use crate::names::Name;
use crate::source::Span;
use crate::types::{IntKind, TyId, TypeTable};

/// To what memory from `alloca` is aligned.
const STACK_ALIGNMENT_BITS: i128 = 128;

impl Sema<'_> {
    /// Whether the compiler itself gives meaning to calls of a name.
    pub(crate) fn is_builtin_name(&self, name: Name) -> bool {
        let text = self.names.text(name);
        text.starts_with("__builtin_")
            || text.starts_with("__sync_")
            || text.starts_with("__atomic_")
            || text == "alloca"
    }

    /// A call of a builtin; `None` if the name is unknown.
    pub(crate) fn builtin_call(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        if name.starts_with("__sync_") {
            return self.sync_builtin(name, args, span);
        }
        if name.starts_with("__atomic_") {
            return self.atomic_builtin(name, args, span);
        }
        let short = name.strip_prefix("__builtin_").unwrap_or(name);
        if let Some(e) = self.structural_builtin(short, args, span) {
            return Some(e);
        }
        if let Some(e) = self.bit_builtin(short, args, span) {
            return Some(e);
        }
        if let Some(e) = self.overflow_builtin(short, args, span) {
            return Some(e);
        }
        if let Some(e) = self.float_builtin(short, args, span) {
            return Some(e);
        }
        self.library_builtin(short, args, span)
    }

    /// Types all arguments as values, reporting a wrong count.
    pub(crate) fn builtin_args(
        &mut self,
        args: &[ast::Expr],
        count: std::ops::RangeInclusive<usize>,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let values: Vec<Expr> = args.iter().map(|a| self.rvalue(a)).collect();
        if !count.contains(&values.len()) {
            let needed = match (count.start(), count.end()) {
                (a, b) if a == b => format!("{a}"),
                (a, b) => format!("{a} to {b}"),
            };
            self.error(span, format!("this builtin takes {needed} arguments, and {} are given", values.len()));
            return None;
        }
        (!values.iter().any(|v| self.is_error(v))).then_some(values)
    }

    fn int_argument(&mut self, e: Expr, kind: IntKind) -> Expr {
        self.convert_for_assign(e, TypeTable::int_id(kind).into(), "argument")
    }

    pub(crate) fn void_pointer(&mut self) -> TyId {
        self.types.pointer_to(TypeTable::VOID)
    }

    /// The value of an expression after the effects of others, whose values are dropped.
    pub(crate) fn after_effects(&mut self, dropped: Vec<Expr>, value: Expr) -> Expr {
        dropped.into_iter().rev().filter(has_effect).fold(value, |value, first| {
            let (ty, span) = (value.ty, value.span);
            node(ExprKind::Comma(Box::new(first), Box::new(value)), ty, span)
        })
    }

    /// Builtins about control, objects and the program itself.
    fn structural_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let void = TypeTable::VOID;
        let op_only = |op: Builtin, args: Vec<Expr>, ty: TyId| node(ExprKind::Builtin { op, args }, ty, span);
        Some(match name {
            "expect" | "expect_with_probability" => self.expect(args, span),
            "constant_p" => self.constant_p(args, span),
            "object_size" | "dynamic_object_size" => self.object_size(args, span),
            "unreachable" => op_only(Builtin::Unreachable, Vec::new(), void),
            "trap" => op_only(Builtin::Trap, Vec::new(), void),
            "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
                let Some(values) = self.builtin_args(args, 1..=3, span) else { return Some(error_node(span)) };
                // The alignment is in bits.
                let alignment = values.get(1).map(|align| self.try_const_int(align));
                if alignment.is_some_and(|bits| bits.is_none_or(|bits| bits > STACK_ALIGNMENT_BITS)) {
                    let message = "memory from `alloca` with an alignment of more than 16 bytes is not modelled";
                    self.error_help(span, message, "use __builtin_alloca, or an array with an attribute `aligned`");
                    return Some(error_node(span));
                }
                let size = values.into_iter().next()?;
                let size = self.int_argument(size, self.types.size_kind());
                let pointer = self.void_pointer();
                op_only(Builtin::Alloca, vec![size], pointer)
            }
            "va_start" | "stdarg_start" | "va_end" => {
                let Some(list) = args.first() else {
                    self.builtin_args(args, 1..=2, span);
                    return Some(error_node(span));
                };
                let list = self.va_list_operand(list);
                // The last parameter's name is given for the form's sake.
                args.iter().skip(1).for_each(|a| drop(self.unevaluated(a)));
                let op = if name == "va_end" { Builtin::VaEnd } else { Builtin::VaStart };
                op_only(op, vec![list], void)
            }
            "va_copy" => {
                let [to, from] = args else {
                    self.builtin_args(args, 2..=2, span);
                    return Some(error_node(span));
                };
                let lists = vec![self.va_list_operand(to), self.va_list_operand(from)];
                op_only(Builtin::VaCopy, lists, void)
            }
            "prefetch" => {
                let Some(values) = self.builtin_args(args, 1..=3, span) else { return Some(error_node(span)) };
                op_only(Builtin::Prefetch, values, void)
            }
            "__clear_cache" => {
                let Some(values) = self.builtin_args(args, 2..=2, span) else { return Some(error_node(span)) };
                op_only(Builtin::Prefetch, values, void)
            }
            "assume_aligned" => {
                let Some(mut values) = self.builtin_args(args, 2..=3, span) else { return Some(error_node(span)) };
                let value = values.remove(0);
                let pointer = self.void_pointer();
                let value = self.convert_for_assign(value, pointer.into(), "argument");
                self.after_effects(values, value)
            }
            "speculation_safe_value" => {
                let Some(mut values) = self.builtin_args(args, 1..=2, span) else { return Some(error_node(span)) };
                let value = values.remove(0);
                self.after_effects(values, value)
            }
            "classify_type" => self.classify_type(args, span),
            "FUNCTION" => {
                let name = self.function_name(span);
                self.loaded(name)
            }
            "FILE" | "LINE" => {
                let place = self.sources.place(span);
                let line = place.as_ref().map_or(0, |p| p.line);
                if name == "LINE" {
                    return Some(int_node(line as i128, TypeTable::INT, span));
                }
                let units: Vec<u32> = place.map_or(Vec::new(), |p| p.file.bytes().map(u32::from).collect());
                let file = self.string_literal(&units, ast::Encoding::Plain, span);
                self.loaded(file)
            }
            "return_address" | "frame_address" => {
                let Some(values) = self.builtin_args(args, 1..=1, span) else { return Some(error_node(span)) };
                let op = if name == "return_address" { Builtin::ReturnAddress } else { Builtin::FrameAddress };
                let pointer = self.void_pointer();
                op_only(op, values, pointer)
            }
            "extract_return_addr" | "frob_return_addr" => {
                let Some(mut values) = self.builtin_args(args, 1..=1, span) else { return Some(error_node(span)) };
                values.remove(0)
            }
            _ => return None,
        })
    }

    /// `__builtin_expect(e, c)` is `e` as a `long`; the hint says nothing about meaning.
    fn expect(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some(mut values) = self.builtin_args(args, 2..=3, span) else { return error_node(span) };
        let value = values.remove(0);
        let value = self.int_argument(value, IntKind::Long);
        self.after_effects(values, value)
    }

    fn constant_p(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let [arg] = args else {
            self.builtin_args(args, 1..=1, span);
            return error_node(span);
        };
        let (e, _) = self.unevaluated(arg);
        self.unevaluated += 1;
        let e = self.loaded(e);
        self.unevaluated -= 1;
        match self.constancy(&e) {
            Constancy::Constant => int_node(1, TypeTable::INT, span),
            Constancy::NotConstant => int_node(0, TypeTable::INT, span),
            Constancy::Unknown => {
                node(ExprKind::Builtin { op: Builtin::ConstantP, args: Vec::new() }, TypeTable::INT, span)
            }
        }
    }

    /// The size is told for the start of a whole object or member, as gcc does without optimisation; otherwise the
    /// answer is "unknown".
    fn object_size(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let [pointer, kind] = args else {
            self.builtin_args(args, 2..=2, span);
            return error_node(span);
        };
        let Some(kind) = self.const_int(kind, "the second argument of '__builtin_object_size'") else {
            return error_node(span);
        };
        let (e, _) = self.unevaluated(pointer);
        self.unevaluated += 1;
        let e = self.loaded(e);
        self.unevaluated -= 1;
        let size_t = self.size_ty();
        let unknown = if kind & 2 == 0 { self.wrap_int(-1, self.types.size_kind()) } else { 0 };
        // Of a sum gcc knows the whole object only; the address of an element is none.
        let innermost = kind & 1 == 1;
        let is_known = !innermost || is_address(pointer);
        let size = self.bytes_from(&e, innermost).filter(|_| is_known).map_or(unknown, i128::from);
        int_node(size, size_t, span)
    }

    /// The bytes from a pointer's target to the end of its object, or of the innermost member.
    fn bytes_from(&mut self, e: &Expr, innermost: bool) -> Option<u64> {
        match &e.kind {
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.bytes_of_place(place, innermost),
            ExprKind::Cast { value, .. } => self.bytes_from(value, innermost),
            ExprKind::PtrAdd { pointer, index, negate: false } if innermost => self.bytes_from_element(pointer, index),
            ExprKind::PtrAdd { pointer, index, negate: false } => {
                let left = self.bytes_from(pointer, innermost)?;
                let index = u64::try_from(self.try_const_int(index)?).ok()?;
                let stride = match self.class(pointer.ty.ty) {
                    Class::Pointer(to) if to.ty == TypeTable::VOID => 1,
                    Class::Pointer(to) => self.types.size_of(to.ty)?,
                    _ => return None,
                };
                Some(left.saturating_sub(index.checked_mul(stride)?))
            }
            _ => None,
        }
    }

    /// From an element to the end of its array.
    fn bytes_from_element(&mut self, array: &Expr, index: &Expr) -> Option<u64> {
        let ExprKind::Decay(place) = &array.kind else { return None };
        let Class::Pointer(element) = self.class(array.ty.ty) else { return None };
        let index = u64::try_from(self.try_const_int(index)?).ok()?;
        let skipped = index.checked_mul(self.types.size_of(element.ty)?)?;
        self.bytes_of_place(place, true)?;
        Some(self.types.size_of(place.ty.ty)?.saturating_sub(skipped))
    }

    fn bytes_of_place(&mut self, place: &Expr, innermost: bool) -> Option<u64> {
        match &place.kind {
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::CompoundLiteral { .. } => {
                self.types.size_of(place.ty.ty)
            }
            ExprKind::Member { base, field } => {
                let whole = self.bytes_of_place(base, innermost)?;
                if innermost {
                    return self.types.size_of(place.ty.ty);
                }
                whole.checked_sub(self.field_offset(base.ty.ty, *field))
            }
            ExprKind::Deref(pointer) => self.bytes_from(pointer, innermost),
            _ => None,
        }
    }

    /// gcc's numbers for classes of types.
    fn classify_type(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let [arg] = args else {
            self.builtin_args(args, 1..=1, span);
            return error_node(span);
        };
        let (e, _) = self.unevaluated(arg);
        self.unevaluated += 1;
        let e = self.loaded(e);
        self.unevaluated -= 1;
        let class = match self.class(e.ty.ty) {
            Class::Void => 0,
            Class::Int(_) => 1,
            Class::Pointer(_) | Class::Array | Class::Function => 5,
            Class::Float(_) => 8,
            Class::Record(id) if self.types.record(id).is_union => 13,
            Class::Record(_) => 12,
            Class::Error => return e,
        };
        int_node(class, TypeTable::INT, span)
    }

    /// Builtins that look at the bits of an integer.
    fn bit_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        if let Some(bits) = name.strip_prefix("bswap") {
            let kind = match bits {
                "16" | "32" | "64" | "128" => self.unsigned_of_bits(bits.parse().ok()?),
                _ => return None,
            };
            return Some(self.bit_node(Builtin::Bswap, args, kind, kind, span));
        }
        let (base, length) = match name.strip_suffix("ll") {
            Some(base) => (base, IntKind::LLong),
            None => match name.strip_suffix('l') {
                Some(base) => (base, IntKind::Long),
                None => (name, IntKind::Int),
            },
        };
        let (op, kind) = match base {
            "clz" => (Builtin::Clz, length.to_unsigned()),
            "ctz" => (Builtin::Ctz, length.to_unsigned()),
            "popcount" => (Builtin::Popcount, length.to_unsigned()),
            "parity" => (Builtin::Parity, length.to_unsigned()),
            "ffs" => (Builtin::Ffs, length),
            "clrsb" => (Builtin::Clrsb, length),
            _ => return None,
        };
        Some(self.bit_node(op, args, kind, IntKind::Int, span))
    }

    fn bit_node(&mut self, op: Builtin, args: &[ast::Expr], arg: IntKind, result: IntKind, span: Span) -> Expr {
        let Some(mut values) = self.builtin_args(args, 1..=1, span) else { return error_node(span) };
        let value = values.remove(0);
        let value = self.int_argument(value, arg);
        node(ExprKind::Builtin { op, args: vec![value] }, TypeTable::int_id(result), span)
    }

    /// `__builtin_add_overflow(a, b, p)`, its typed relatives, and `__builtin_add_overflow_p(a, b, (T)0)`, whose last
    /// argument may be a bit-field: its width is a fourth argument then.
    fn overflow_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let (base, predicate) = match name.strip_suffix("_overflow_p") {
            Some(base) => (base, true),
            None => (name.strip_suffix("_overflow")?, false),
        };
        let operation = |text: &str| match text {
            "add" => Some(Builtin::AddOverflow),
            "sub" => Some(Builtin::SubOverflow),
            "mul" => Some(Builtin::MulOverflow),
            _ => None,
        };
        let (op, typed) = match operation(base) {
            Some(op) => (op, None),
            None => {
                let op = operation(base.get(1..4)?)?;
                let length = match &base[4..] {
                    "" => IntKind::Int,
                    "l" => IntKind::Long,
                    "ll" => IntKind::LLong,
                    _ => return None,
                };
                let kind = match &base[..1] {
                    "s" => length,
                    "u" => length.to_unsigned(),
                    _ => return None,
                };
                (op, Some(kind))
            }
        };
        let Some(values) = self.builtin_args(args, 3..=3, span) else { return Some(error_node(span)) };
        Some(self.overflow_node(op, values, typed, predicate, span))
    }

    fn overflow_node(
        &mut self,
        op: Builtin,
        values: Vec<Expr>,
        typed: Option<IntKind>,
        predicate: bool,
        span: Span,
    ) -> Expr {
        let mut values = values.into_iter();
        let (Some(mut a), Some(mut b), Some(last)) = (values.next(), values.next(), values.next()) else {
            return error_node(span);
        };
        if let Some(kind) = typed {
            a = self.int_argument(a, kind);
            b = self.int_argument(b, kind);
        }
        let width = if predicate { self.field_width(&last) } else { None };
        let result = if predicate {
            let ty = last.ty.ty;
            if !matches!(self.class(ty), Class::Int(_)) {
                self.error(span, "the third argument of this builtin must be an integer");
                return error_node(span);
            }
            let Some(local) = self.hidden_local(ty, span) else { return error_node(span) };
            self.pointer_to_place(node(ExprKind::Local(local), ty, span))
        } else {
            last
        };
        let target = match self.class(result.ty.ty) {
            Class::Pointer(to) => self.class(to.ty),
            other => other,
        };
        let integers = [a.ty.ty, b.ty.ty].into_iter().all(|t| matches!(self.class(t), Class::Int(_)));
        let is_pointer = matches!(self.class(result.ty.ty), Class::Pointer(_));
        if !integers || !is_pointer || !matches!(target, Class::Int(_)) {
            self.error(span, "this builtin takes two integers and a pointer to an integer");
            return error_node(span);
        }
        let bool_ty = TypeTable::int_id(IntKind::Bool);
        let mut args = vec![a, b, result];
        args.extend(width.map(|width| int_node(i128::from(width), TypeTable::INT, span)));
        node(ExprKind::Builtin { op, args }, bool_ty, span)
    }

    /// `__builtin_memcpy` and so on, also in the form that checks sizes, which are dropped here.
    fn library_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let (plain, dropped): (&str, &[usize]) = match name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
            None => (name, &[]),
            Some(n @ ("memcpy" | "memmove" | "mempcpy" | "memset" | "strncpy" | "stpncpy" | "strncat")) => (n, &[3]),
            Some(n @ ("strcpy" | "stpcpy" | "strcat")) => (n, &[2]),
            Some(n @ ("sprintf" | "vsprintf")) => (n, &[1, 2]),
            Some(n @ ("snprintf" | "vsnprintf")) => (n, &[2, 3]),
            Some(n @ ("printf" | "vprintf")) => (n, &[0]),
            Some(n @ ("fprintf" | "vfprintf")) => (n, &[1]),
            Some(_) => return None,
        };
        if plain.starts_with("avr_") && self.types.target.is_avr() {
            let values = args.iter().map(|a| self.rvalue(a)).collect();
            return self.call_library(&format!("__builtin_{plain}"), values, span);
        }
        let plain = plain.strip_suffix("_unlocked").unwrap_or(plain);
        if let "powi" | "powif" | "powil" = plain {
            return self.power(plain, args, span);
        }
        self.library_type(plain)?;
        let kept = args.iter().enumerate().filter(|(i, _)| !dropped.contains(i));
        let values = kept.map(|(_, a)| self.rvalue(a)).collect();
        self.call_library(plain, values, span)
    }

    /// `__builtin_powi` and its variants are functions of the compiler's library; of constants the compiler computes them
    /// itself.
    fn power(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let values: Vec<Expr> = args.iter().map(|a| self.rvalue(a)).collect();
        let may_fold = values.iter().all(|v| !matches!(self.constancy(v), Constancy::NotConstant));
        let prefix = if may_fold { "__plumb_folded_" } else { "__plumb_" };
        self.call_library(&format!("{prefix}{name}"), values, span)
    }
}

/// Whether a pointer is the address of something that is named, not a sum.
fn is_address(pointer: &ast::Expr) -> bool {
    match &pointer.kind {
        ast::ExprKind::Unary(ast::UnaryOp::Extension, inner) | ast::ExprKind::Cast(_, inner) => is_address(inner),
        ast::ExprKind::Unary(ast::UnaryOp::AddrOf | ast::UnaryOp::Deref, inner)
        | ast::ExprKind::Index(inner, _)
        | ast::ExprKind::Member { base: inner, .. } => {
            is_address(inner) && !matches!(inner.kind, ast::ExprKind::Cast(..))
        }
        ast::ExprKind::Binary(..) | ast::ExprKind::Comma(..) => false,
        _ => true,
    }
}
