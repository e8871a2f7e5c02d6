//! Expressions with operators (C11 6.5), by precedence climbing.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::token::Tok;
use crate::source::Span;

/// What a binary operator builds.
#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    And,
    Or,
    /// CBMC's `==>`.
    Implies,
}

/// Binding strength of `==>`, the weakest.
const IMPLIES: u8 = 0;

/// Binding strength (higher binds tighter) and meaning of a binary operator.
fn infix(kind: Tok) -> Option<(u8, Infix)> {
    use Infix::{And, Binary, Or};
    Some(match kind {
        Tok::Star => (10, Binary(BinaryOp::Mul)),
        Tok::Slash => (10, Binary(BinaryOp::Div)),
        Tok::Percent => (10, Binary(BinaryOp::Rem)),
        Tok::Plus => (9, Binary(BinaryOp::Add)),
        Tok::Minus => (9, Binary(BinaryOp::Sub)),
        Tok::Shl => (8, Binary(BinaryOp::Shl)),
        Tok::Shr => (8, Binary(BinaryOp::Shr)),
        Tok::Lt => (7, Binary(BinaryOp::Lt)),
        Tok::Gt => (7, Binary(BinaryOp::Gt)),
        Tok::Le => (7, Binary(BinaryOp::Le)),
        Tok::Ge => (7, Binary(BinaryOp::Ge)),
        Tok::EqEq => (6, Binary(BinaryOp::Eq)),
        Tok::Ne => (6, Binary(BinaryOp::Ne)),
        Tok::Amp => (5, Binary(BinaryOp::BitAnd)),
        Tok::Caret => (4, Binary(BinaryOp::BitXor)),
        Tok::Pipe => (3, Binary(BinaryOp::BitOr)),
        Tok::AmpAmp => (2, And),
        Tok::PipePipe => (1, Or),
        _ => return None,
    })
}

fn compound_assignment(kind: Tok) -> Option<BinaryOp> {
    Some(match kind {
        Tok::PlusAssign => BinaryOp::Add,
        Tok::MinusAssign => BinaryOp::Sub,
        Tok::StarAssign => BinaryOp::Mul,
        Tok::SlashAssign => BinaryOp::Div,
        Tok::PercentAssign => BinaryOp::Rem,
        Tok::AmpAssign => BinaryOp::BitAnd,
        Tok::PipeAssign => BinaryOp::BitOr,
        Tok::CaretAssign => BinaryOp::BitXor,
        Tok::ShlAssign => BinaryOp::Shl,
        Tok::ShrAssign => BinaryOp::Shr,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression with commas.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.chained(|p| {
            let mut left = p.assignment()?;
            while p.eat(Tok::Comma) {
                p.sink()?;
                let right = p.nested(|p| p.assignment())?;
                let span = left.span.to(right.span);
                left = Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), span };
            }
            Ok(left)
        })
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.chained(|p| {
            let left = p.conditional()?;
            let op = compound_assignment(p.kind());
            if op.is_none() && !p.at(Tok::Assign) {
                return Ok(left);
            }
            p.bump();
            p.sink()?;
            let right = p.nested(|p| p.assignment())?;
            let span = left.span.to(right.span);
            let (left, right) = (Box::new(left), Box::new(right));
            let kind = match op {
                Some(op) => ExprKind::AssignOp(op, left, right),
                None => ExprKind::Assign(left, right),
            };
            Ok(Expr { kind, span })
        })
    }

    /// An expression without assignment: also what constant expressions are.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        self.chained(|p| {
            let cond = p.binary(IMPLIES)?;
            if !p.at(Tok::Question) {
                return Ok(cond);
            }
            p.bump();
            p.sink()?;
            let then = match p.at(Tok::Colon) {
                true => None,
                false => Some(Box::new(p.nested(|p| p.expression())?)),
            };
            p.expect(Tok::Colon)?;
            let otherwise = p.nested(|p| p.conditional())?;
            let span = cond.span.to(otherwise.span);
            Ok(Expr { kind: ExprKind::Cond(Box::new(cond), then, Box::new(otherwise)), span })
        })
    }

    /// The binary operator at hand. No C expression goes on with `==` and then `>`.
    fn infix(&self) -> Option<(u8, Infix)> {
        if self.at(Tok::EqEq) && self.kind_at(1) == Tok::Gt {
            return Some((IMPLIES, Infix::Implies));
        }
        infix(self.kind())
    }

    /// Operands joined by binary operators that bind at least as tightly as `weakest`.
    fn binary(&mut self, weakest: u8) -> Parsed<Expr> {
        let outside = std::mem::replace(&mut self.deepest, self.depth);
        let mut left = self.cast()?;
        while let Some((strength, op)) = self.infix().filter(|&(strength, _)| strength >= weakest) {
            self.bump();
            if matches!(op, Infix::Implies) {
                self.bump();
            }
            self.sink()?;
            // Only `==>` groups from right to left.
            let right = self.nested(|p| p.binary(if strength == IMPLIES { strength } else { strength + 1 }))?;
            let span = left.span.to(right.span);
            let (l, r) = (Box::new(left), Box::new(right));
            let kind = match op {
                Infix::Binary(op) => ExprKind::Binary(op, l, r),
                Infix::And => ExprKind::LogicalAnd(l, r),
                Infix::Or => ExprKind::LogicalOr(l, r),
                Infix::Implies => {
                    let span = l.span;
                    let not = Expr { kind: ExprKind::Unary(UnaryOp::Not, l), span };
                    ExprKind::LogicalOr(Box::new(not), r)
                }
            };
            left = Expr { kind, span };
        }
        self.deepest = self.deepest.max(outside);
        Ok(left)
    }

    /// A cast, a compound literal or a unary expression.
    fn cast(&mut self) -> Parsed<Expr> {
        if self.at(Tok::LParen) && self.starts_declaration_at(1) {
            return self.chained(|p| p.nested(|p| p.parenthesized_type()));
        }
        self.unary()
    }

    /// At `(` before a type: `(type) operand` or `(type) { ... }`.
    fn parenthesized_type(&mut self) -> Parsed<Expr> {
        let open = self.bump().span();
        let ty = Box::new(self.type_name()?);
        self.close(Tok::RParen, open)?;
        if self.at(Tok::LBrace) {
            let literal = self.compound_literal(open, ty)?;
            return self.postfix(literal);
        }
        let value = Box::new(self.cast()?);
        let span = open.to(value.span);
        Ok(Expr { kind: ExprKind::Cast(ty, value), span })
    }

    fn compound_literal(&mut self, start: Span, ty: Box<TypeName>) -> Parsed<Expr> {
        let list = self.init_list()?;
        Ok(Expr { kind: ExprKind::CompoundLiteral(ty, list), span: self.span_from(start) })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.kind() {
            Tok::Plus => UnaryOp::Plus,
            Tok::Minus => UnaryOp::Neg,
            Tok::Tilde => UnaryOp::BitNot,
            Tok::Bang => UnaryOp::Not,
            Tok::Star => UnaryOp::Deref,
            Tok::Amp => UnaryOp::AddrOf,
            Tok::Real => UnaryOp::Real,
            Tok::Imag => UnaryOp::Imag,
            Tok::Extension => UnaryOp::Extension,
            Tok::PlusPlus | Tok::MinusMinus => return self.nested(|p| p.prefix_step()),
            Tok::AmpAmp => return self.label_address(),
            Tok::Sizeof | Tok::Alignof | Tok::GnuAlignof => return self.nested(|p| p.size_or_alignment()),
            _ => {
                return self.chained(|p| {
                    let operand = p.primary()?;
                    p.postfix(operand)
                });
            }
        };
        let start = self.bump().span();
        let value = Box::new(self.nested(|p| p.cast())?);
        let span = start.to(value.span);
        Ok(Expr { kind: ExprKind::Unary(op, value), span })
    }

    fn prefix_step(&mut self) -> Parsed<Expr> {
        let token = self.bump();
        let value = Box::new(self.unary()?);
        let span = token.span().to(value.span);
        Ok(Expr { kind: ExprKind::IncDec { increment: token.kind == Tok::PlusPlus, prefix: true, value }, span })
    }

    /// GNU `&&label`.
    fn label_address(&mut self) -> Parsed<Expr> {
        let start = self.bump().span();
        let (name, span) = self.ident()?;
        Ok(Expr { kind: ExprKind::LabelAddr(name), span: start.to(span) })
    }

    fn size_or_alignment(&mut self) -> Parsed<Expr> {
        let keyword = self.bump();
        if self.at(Tok::LParen) && self.starts_declaration_at(1) {
            let open = self.bump().span();
            let ty = Box::new(self.type_name()?);
            self.close(Tok::RParen, open)?;
            if !self.at(Tok::LBrace) {
                let kind = match keyword.kind {
                    Tok::Sizeof => ExprKind::SizeofType(ty),
                    kind => ExprKind::AlignofType { ty, gnu: kind == Tok::GnuAlignof },
                };
                return Ok(Expr { kind, span: self.span_from(keyword.span()) });
            }
            // `sizeof (type){...}` measures the compound literal.
            let literal = self.compound_literal(open, ty)?;
            let value = self.postfix(literal)?;
            return Ok(self.measured(keyword.kind, keyword.span(), value));
        }
        let value = self.unary()?;
        Ok(self.measured(keyword.kind, keyword.span(), value))
    }

    fn measured(&self, keyword: Tok, start: Span, value: Expr) -> Expr {
        let span = start.to(value.span);
        let value = Box::new(value);
        let kind = match keyword {
            Tok::Sizeof => ExprKind::SizeofExpr(value),
            _ => ExprKind::AlignofExpr(value),
        };
        Expr { kind, span }
    }

    /// Calls, indices, members and steps behind an operand.
    fn postfix(&mut self, operand: Expr) -> Parsed<Expr> {
        let mut value = operand;
        loop {
            let kind = self.kind();
            if !matches!(kind, Tok::LBracket | Tok::LParen | Tok::Dot | Tok::Arrow | Tok::PlusPlus | Tok::MinusMinus) {
                return Ok(value);
            }
            self.sink()?;
            let start = value.span;
            let base = Box::new(value);
            let token = self.bump();
            let kind = match kind {
                Tok::LBracket => {
                    let index = Box::new(self.nested(|p| p.expression())?);
                    self.close(Tok::RBracket, token.span())?;
                    ExprKind::Index(base, index)
                }
                Tok::LParen => ExprKind::Call(base, self.call_arguments(token.span())?),
                Tok::Dot | Tok::Arrow => {
                    let (field, field_span) = self.ident()?;
                    ExprKind::Member { base, arrow: kind == Tok::Arrow, field, field_span }
                }
                _ => ExprKind::IncDec { increment: kind == Tok::PlusPlus, prefix: false, value: base },
            };
            value = Expr { kind, span: self.span_from(start) };
        }
    }

    fn call_arguments(&mut self, open: Span) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.eat(Tok::RParen) {
            return Ok(arguments);
        }
        self.nested(|p| {
            loop {
                arguments.push(p.assignment()?);
                if !p.eat(Tok::Comma) {
                    return p.close(Tok::RParen, open);
                }
            }
        })?;
        arguments.shrink_to_fit();
        Ok(arguments)
    }
}
