//! Operands of expressions: names, literals, parentheses, `_Generic` and the builtins that take types.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::diag::Diagnostic;
use crate::lex::literal::{decode_char, decode_strings};
use crate::lex::number::{self, Number};
use crate::lex::token::Tok;
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let kind = match token.kind {
            Tok::Ident if self.kind_at(1) == Tok::LBrace && self.quantifier_at().is_some() => {
                self.nested(|p| p.quantifier())?
            }
            Tok::Ident | Tok::BuiltinType => {
                self.bump();
                ExprKind::Ident(token.name)
            }
            Tok::Number => self.number()?,
            Tok::Char => self.character()?,
            Tok::String => {
                let (units, encoding) = self.string()?;
                ExprKind::String { units, encoding }
            }
            Tok::FuncName => {
                self.bump();
                ExprKind::FunctionName
            }
            Tok::LParen => return self.nested(|p| p.parenthesized()),
            Tok::Generic => self.nested(|p| p.generic())?,
            Tok::VaArg => self.nested(|p| p.va_arg())?,
            Tok::Offsetof => self.nested(|p| p.offsetof())?,
            Tok::TypesCompatible => self.nested(|p| p.types_compatible())?,
            Tok::ChooseExpr => self.nested(|p| p.choose_expr())?,
            kind if kind.is_specifier() => {
                let message = format!("expected an expression, found the type {}", self.describe());
                return Err(self.error(
                    Diagnostic::error(token.span(), message)
                        .label("a type")
                        .help("a cast needs parentheses around the type; a declaration cannot stand here"),
                ));
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: self.span_from(token.span()) })
    }

    fn number(&mut self) -> Parsed<ExprKind> {
        let token = self.bump();
        let decoded = number::decode(&self.literal_text(token));
        match decoded {
            Ok(Number::Int { value, decimal, unsigned, long }) => Ok(ExprKind::Int { value, decimal, unsigned, long }),
            Ok(Number::Float { text, suffix }) => Ok(ExprKind::Float { text, suffix }),
            Ok(Number::Imaginary) => Ok(ExprKind::Imaginary),
            Err(message) => Err(self.error_at(token.span(), message, "correct the literal")),
        }
    }

    fn character(&mut self) -> Parsed<ExprKind> {
        let token = self.bump();
        // The lexer has reported an unterminated constant and left no text.
        if token.start == token.end {
            return Ok(ExprKind::Char { value: 0, encoding: Encoding::Plain });
        }
        let decoded = decode_char(&self.literal_text(token));
        match decoded {
            Ok((value, encoding)) => Ok(ExprKind::Char { value, encoding }),
            Err(message) => Err(self.error_at(token.span(), message, "correct the literal")),
        }
    }

    /// Adjacent string literals as one.
    fn string(&mut self) -> Parsed<(Vec<u32>, Encoding)> {
        let first = self.expect(Tok::String)?;
        let decoded = if self.at(Tok::String) {
            let start = self.pos - 1;
            while self.eat(Tok::String) {}
            let pieces: Vec<_> = self.tokens[start..self.pos].iter().map(|&t| self.literal_text(t)).collect();
            decode_strings(&pieces)
        } else {
            decode_strings(&[self.literal_text(first)])
        };
        decoded.map_err(|message| {
            let span = self.span_from(first.span());
            self.error_at(span, message, "correct the literal")
        })
    }

    /// The bytes of a string that has no wide characters: asm templates, messages.
    pub(super) fn string_bytes(&mut self) -> Parsed<Vec<u8>> {
        let start = self.span();
        let (units, encoding) = self.string()?;
        match encoding {
            Encoding::Plain | Encoding::Utf8 => Ok(units.into_iter().map(|u| u as u8).collect()),
            // Wide text is allowed in a static assertion's message, where only people read it.
            Encoding::Wide | Encoding::Utf16 | Encoding::Utf32 => {
                let text: Option<String> = units.into_iter().map(char::from_u32).collect();
                text.map(String::into_bytes)
                    .ok_or_else(|| self.error_at(start, "this string must be plain text", "remove its prefix"))
            }
        }
    }

    /// `( expression )` or GNU `({ ... })`.
    fn parenthesized(&mut self) -> Parsed<Expr> {
        let open = self.bump().span();
        if self.at(Tok::LBrace) {
            let block = self.scoped(|p| p.block())?;
            self.close(Tok::RParen, open)?;
            return Ok(Expr { kind: ExprKind::StmtExpr(Box::new(block)), span: self.span_from(open) });
        }
        let mut value = self.expression()?;
        self.close(Tok::RParen, open)?;
        value.span = self.span_from(open);
        Ok(value)
    }

    /// Whether the name at hand is CBMC's quantifier for all values, or for some.
    fn quantifier_at(&self) -> Option<bool> {
        match self.names.text(self.token().name) {
            "__CPROVER_forall" => Some(true),
            "__CPROVER_exists" => Some(false),
            _ => None,
        }
    }

    /// `__CPROVER_forall { int i; body }`.
    fn quantifier(&mut self) -> Parsed<ExprKind> {
        let forall = self.quantifier_at() == Some(true);
        self.bump();
        let open = self.expect(Tok::LBrace)?.span();
        self.scoped(|p| {
            let variable = Box::new(p.declaration()?);
            let body = Box::new(p.expression()?);
            p.eat(Tok::Semi);
            p.close(Tok::RBrace, open)?;
            Ok(ExprKind::Quantifier { forall, variable, body })
        })
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let open = self.expect(Tok::LParen)?.span();
        let control = Box::new(self.assignment()?);
        let mut arms = Vec::new();
        while self.eat(Tok::Comma) {
            let ty = match self.eat(Tok::Default) {
                true => None,
                false => Some(self.type_name()?),
            };
            self.expect(Tok::Colon)?;
            arms.push(GenericArm { ty, value: self.assignment()? });
        }
        self.close(Tok::RParen, open)?;
        Ok(ExprKind::Generic { control, arms })
    }

    /// Takes the builtin's name and its `(`.
    fn builtin_open(&mut self) -> Parsed<Span> {
        self.bump();
        Ok(self.expect(Tok::LParen)?.span())
    }

    fn va_arg(&mut self) -> Parsed<ExprKind> {
        let open = self.builtin_open()?;
        let list = Box::new(self.assignment()?);
        self.expect(Tok::Comma)?;
        let ty = Box::new(self.type_name()?);
        self.close(Tok::RParen, open)?;
        Ok(ExprKind::VaArg { list, ty })
    }

    fn offsetof(&mut self) -> Parsed<ExprKind> {
        let open = self.builtin_open()?;
        let ty = Box::new(self.type_name()?);
        self.expect(Tok::Comma)?;
        let (name, span) = self.ident()?;
        let mut path = vec![OffsetofStep::Field(name, span)];
        loop {
            match self.kind() {
                // gcc reads `a->b` as `a[0].b`.
                Tok::Arrow => {
                    let span = self.bump().span();
                    let kind = ExprKind::Int { value: 0, decimal: true, unsigned: false, long: LongSuffix::None };
                    path.push(OffsetofStep::Index(Expr { kind, span }));
                    let (name, span) = self.ident()?;
                    path.push(OffsetofStep::Field(name, span));
                }
                Tok::Dot => {
                    self.bump();
                    let (name, span) = self.ident()?;
                    path.push(OffsetofStep::Field(name, span));
                }
                Tok::LBracket => {
                    let bracket = self.bump().span();
                    path.push(OffsetofStep::Index(self.expression()?));
                    self.close(Tok::RBracket, bracket)?;
                }
                _ => break,
            }
        }
        self.close(Tok::RParen, open)?;
        Ok(ExprKind::Offsetof { ty, path })
    }

    fn types_compatible(&mut self) -> Parsed<ExprKind> {
        let open = self.builtin_open()?;
        let left = Box::new(self.type_name()?);
        self.expect(Tok::Comma)?;
        let right = Box::new(self.type_name()?);
        self.close(Tok::RParen, open)?;
        Ok(ExprKind::TypesCompatible(left, right))
    }

    fn choose_expr(&mut self) -> Parsed<ExprKind> {
        let open = self.builtin_open()?;
        let cond = Box::new(self.assignment()?);
        self.expect(Tok::Comma)?;
        let then = Box::new(self.assignment()?);
        self.expect(Tok::Comma)?;
        let otherwise = Box::new(self.assignment()?);
        self.close(Tok::RParen, open)?;
        Ok(ExprKind::ChooseExpr(cond, then, otherwise))
    }
}
