//! Floating builtins: special values, classification, and the functions that IEEE 754 makes exact.

use super::Sema;
use super::convert::{Arith, error_node, int_node, node};
use super::float;
use crate::ast;
use crate::hir::{BinaryOp, Builtin, Expr, ExprKind};
use crate::source::Span;
use crate::types::{FloatKind, TyId, TypeTable};

/// A name without the suffix that tells its format.
fn variants(name: &str) -> [(&str, FloatKind); 3] {
    [
        (name, FloatKind::Double),
        (name.strip_suffix('f').unwrap_or(""), FloatKind::Float),
        (name.strip_suffix('l').unwrap_or(""), FloatKind::LongDouble),
    ]
}

fn exact_function(base: &str) -> Option<(Builtin, usize)> {
    Some(match base {
        "fabs" => (Builtin::Fabs, 1),
        "sqrt" => (Builtin::Sqrt, 1),
        "floor" => (Builtin::Floor, 1),
        "ceil" => (Builtin::Ceil, 1),
        "trunc" => (Builtin::Trunc, 1),
        "round" => (Builtin::Round, 1),
        // The rounding mode is to nearest, ties to even; `nearbyint` differs in exceptions alone.
        "rint" | "nearbyint" | "roundeven" => (Builtin::Rint, 1),
        "fmod" => (Builtin::Fmod, 2),
        "fmin" => (Builtin::Fmin, 2),
        "fmax" => (Builtin::Fmax, 2),
        "copysign" => (Builtin::Copysign, 2),
        "remainder" | "drem" => (Builtin::Remainder, 2),
        "fma" => (Builtin::Fma, 3),
        _ => return None,
    })
}

fn classification(base: &str) -> Option<Builtin> {
    Some(match base {
        "isnan" => Builtin::IsNan,
        "isinf" => Builtin::IsInf,
        "isinf_sign" => Builtin::IsInfSign,
        "isfinite" | "finite" => Builtin::IsFinite,
        "isnormal" => Builtin::IsNormal,
        "signbit" => Builtin::SignBit,
        _ => return None,
    })
}

fn ordered_comparison(name: &str) -> Option<Builtin> {
    Some(match name {
        "isgreater" => Builtin::IsGreater,
        "isgreaterequal" => Builtin::IsGreaterEqual,
        "isless" => Builtin::IsLess,
        "islessequal" => Builtin::IsLessEqual,
        "islessgreater" => Builtin::IsLessGreater,
        "isunordered" => Builtin::IsUnordered,
        _ => return None,
    })
}

impl Sema<'_> {
    pub(crate) fn float_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        for (base, kind) in variants(name) {
            match base {
                "huge_val" | "inf" => {
                    let bits = float::infinity(self.float_format(kind));
                    return Some(node(ExprKind::Float(bits), TypeTable::float_id(kind), span));
                }
                "nan" | "nans" => {
                    if let Some(e) = self.nan_literal(base == "nan", kind, args, span) {
                        return Some(e);
                    }
                }
                _ => {}
            }
            // Which zero these return is for the library's models to say.
            if matches!(base, "fmin" | "fmax") && !self.in_library {
                return None;
            }
            if let Some((op, count)) = exact_function(base) {
                return Some(self.exact_builtin(op, count, kind, args, span));
            }
            if let Some(op) = classification(base) {
                return Some(self.classify_builtin(op, args, span));
            }
        }
        if let Some(op) = ordered_comparison(name) {
            return Some(self.comparison_builtin(op, args, span));
        }
        (name == "fpclassify").then(|| self.fpclassify(args, span))
    }

    /// `__builtin_nan("payload")`; `None` when the payload is no literal, which leaves a call of `nan`.
    fn nan_literal(&mut self, quiet: bool, kind: FloatKind, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let [ast::Expr { kind: ast::ExprKind::String { units, .. }, .. }] = args else { return None };
        let text: String = units.iter().map(|&u| char::from_u32(u).unwrap_or('?')).collect();
        let payload = if text.is_empty() {
            0
        } else if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            u128::from_str_radix(hex, 16).ok()?
        } else if text.starts_with('0') {
            u128::from_str_radix(&text, 8).ok()?
        } else {
            text.parse().ok()?
        };
        let bits = float::nan(payload, quiet, self.float_format(kind));
        Some(node(ExprKind::Float(bits), TypeTable::float_id(kind), span))
    }

    fn exact_builtin(&mut self, op: Builtin, count: usize, kind: FloatKind, args: &[ast::Expr], span: Span) -> Expr {
        let ty = TypeTable::float_id(kind);
        let Some(values) = self.builtin_args(args, count..=count, span) else { return error_node(span) };
        let args = values.into_iter().map(|v| self.convert_for_assign(v, ty.into(), "argument")).collect();
        node(ExprKind::Builtin { op, args }, ty, span)
    }

    /// The type of the argument decides the format; integers count as `double`.
    fn float_argument(&mut self, value: Expr) -> Expr {
        match self.arith_of(&value) {
            Some(Arith::Float(_)) => value,
            _ => self.convert_for_assign(value, TypeTable::float_id(FloatKind::Double).into(), "argument"),
        }
    }

    fn classify_builtin(&mut self, op: Builtin, args: &[ast::Expr], span: Span) -> Expr {
        let Some(mut values) = self.builtin_args(args, 1..=1, span) else { return error_node(span) };
        let value = values.remove(0);
        let value = self.float_argument(value);
        classify_node(op, value, span)
    }

    fn comparison_builtin(&mut self, op: Builtin, args: &[ast::Expr], span: Span) -> Expr {
        let Some(mut values) = self.builtin_args(args, 2..=2, span) else { return error_node(span) };
        let (b, a) = (values.pop(), values.pop());
        let (Some(a), Some(b)) = (a, b) else { return error_node(span) };
        let common = match (self.arith_of(&a), self.arith_of(&b)) {
            (Some(x), Some(y)) => self.common_arith(x, y),
            _ => Arith::Float(FloatKind::Double),
        };
        let common = match common {
            Arith::Float(kind) => TypeTable::float_id(kind),
            Arith::Int { .. } => TypeTable::float_id(FloatKind::Double),
        };
        let a = self.convert_for_assign(a, common.into(), "argument");
        let b = self.convert_for_assign(b, common.into(), "argument");
        node(ExprKind::Builtin { op, args: vec![a, b] }, TypeTable::INT, span)
    }

    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)` as a chain of conditions on `x`, evaluated
    /// once.
    fn fpclassify(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some(values) = self.builtin_args(args, 6..=6, span) else { return error_node(span) };
        let Ok([nan, infinite, normal, subnormal, zero, x]) = <[Expr; 6]>::try_from(values) else {
            return error_node(span);
        };
        let x = self.float_argument(x);
        let ty = x.ty.ty;
        // A constant needs no temporary, so it may stand outside functions.
        let (first, again): (Option<Expr>, ExprKind) = match x.kind {
            ExprKind::Float(bits) => (None, ExprKind::Float(bits)),
            _ => {
                let Some(local) = self.hidden_local(ty, span) else { return error_node(span) };
                let target = Box::new(node(ExprKind::Local(local), ty, span));
                let store = node(ExprKind::Assign { target, value: Box::new(x) }, ty, span);
                (Some(store), ExprKind::Local(local))
            }
        };
        let int = TypeTable::INT;
        let mut chain = self.convert_for_assign(subnormal, int.into(), "argument");
        let is_zero = self.equals_zero(&again, ty, span);
        for (test, value) in [(Some(Builtin::IsNormal), normal), (None, zero)] {
            let cond = match test {
                Some(op) => classify_node(op, value_again(&again, ty, span), span),
                None => is_zero.clone(),
            };
            let value = self.convert_for_assign(value, int.into(), "argument");
            chain = self.conditional_values(cond, Some(value), chain, span);
        }
        for (op, value) in [(Builtin::IsInf, infinite), (Builtin::IsNan, nan)] {
            let value = self.convert_for_assign(value, int.into(), "argument");
            let cond = classify_node(op, value_again(&again, ty, span), span);
            chain = self.conditional_values(cond, Some(value), chain, span);
        }
        match first {
            Some(store) => node(ExprKind::Comma(Box::new(store), Box::new(chain)), int, span),
            None => chain,
        }
    }

    fn equals_zero(&mut self, value: &ExprKind, ty: TyId, span: Span) -> Expr {
        let value = value_again(value, ty, span);
        let zero = int_node(0, TypeTable::INT, span);
        self.binary_values(BinaryOp::Eq, value, zero, span)
    }
}

fn classify_node(op: Builtin, value: Expr, span: Span) -> Expr {
    node(ExprKind::Builtin { op, args: vec![value] }, TypeTable::INT, span)
}

/// Another read of a constant or of a temporary.
fn value_again(kind: &ExprKind, ty: TyId, span: Span) -> Expr {
    let e = node(kind.clone(), ty, span);
    match kind {
        ExprKind::Local(_) => node(ExprKind::Load(Box::new(e)), ty, span),
        _ => e,
    }
}
