//! Attributes: `__attribute__((...))` and, read the same way, `[[gnu::...]]`.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::token::Tok;
use crate::names::Name;

/// Attributes whose first argument is a word even where that word is a typedef.
const TAKE_A_WORD: &[&str] = &["mode", "format", "cleanup", "access", "tls_model", "visibility", "malloc"];

impl Parser<'_> {
    pub(super) fn at_attribute(&self) -> bool {
        self.at(Tok::Attribute) || self.at_double_bracket()
    }

    pub(super) fn at_double_bracket(&self) -> bool {
        self.at(Tok::LBracket) && self.kind_at(1) == Tok::LBracket
    }

    /// Takes all attributes that stand here.
    pub(super) fn attributes(&mut self, out: &mut Vec<Attr>) -> Parsed<()> {
        loop {
            match self.kind() {
                Tok::Attribute => {
                    self.bump();
                    let outer = self.expect(Tok::LParen)?.span();
                    let inner = self.expect(Tok::LParen)?.span();
                    self.nested(|p| p.attribute_list(Tok::RParen, out))?;
                    self.close(Tok::RParen, inner)?;
                    self.close(Tok::RParen, outer)?;
                }
                Tok::LBracket if self.at_double_bracket() => {
                    let (outer, inner) = (self.bump().span(), self.bump().span());
                    self.nested(|p| p.attribute_list(Tok::RBracket, out))?;
                    self.close(Tok::RBracket, inner)?;
                    self.close(Tok::RBracket, outer)?;
                }
                _ => return Ok(()),
            }
        }
    }

    fn attribute_list(&mut self, end: Tok, out: &mut Vec<Attr>) -> Parsed<()> {
        loop {
            if self.eat(Tok::Comma) {
                continue;
            }
            if self.at(end) {
                return Ok(());
            }
            self.attribute(out)?;
            if !matches!(self.kind(), Tok::Comma) && !self.at(end) {
                return Err(self.unexpected("`,` or the end of the attributes"));
            }
        }
    }

    fn attribute(&mut self, out: &mut Vec<Attr>) -> Parsed<()> {
        let start = self.span();
        let mut word = self.attribute_word()?;
        let mut is_gnu = true;
        if self.at(Tok::Colon) && self.kind_at(1) == Tok::Colon {
            self.bump();
            self.bump();
            is_gnu = matches!(stripped(self.names.text(word)), "gnu");
            word = self.attribute_word()?;
        }
        if !is_gnu {
            // Attributes of other vendors do not concern a C program's meaning.
            if self.at(Tok::LParen) {
                self.skip_parens();
            }
            return Ok(());
        }
        let text = stripped(self.names.text(word)).to_string();
        let name = self.names.intern(&text);
        let mut args = Vec::new();
        if self.at(Tok::LParen) {
            let open = self.bump().span();
            let takes_word = TAKE_A_WORD.contains(&text.as_str());
            while !self.at(Tok::RParen) {
                let arg = self.nested(|p| p.attribute_argument(takes_word))?;
                args.push(arg);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.close(Tok::RParen, open)?;
        }
        out.push(Attr { name, args, span: self.span_from(start) });
        Ok(())
    }

    fn attribute_argument(&mut self, takes_word: bool) -> Parsed<AttrArg> {
        let token = self.token();
        if takes_word && self.at_word() && matches!(self.kind_at(1), Tok::Comma | Tok::RParen) {
            self.bump();
            return Ok(AttrArg::Expr(Expr { kind: ExprKind::Ident(token.name), span: token.span() }));
        }
        Ok(match self.starts_declaration() {
            true => AttrArg::Type(self.type_name()?),
            false => AttrArg::Expr(self.assignment()?),
        })
    }

    /// An attribute's name, which may be a keyword such as `const`.
    fn attribute_word(&mut self) -> Parsed<Name> {
        match self.at_word() {
            true => Ok(self.bump().name),
            false => Err(self.unexpected("an attribute's name")),
        }
    }

    /// Skips from an opening parenthesis behind the one that closes it.
    fn skip_parens(&mut self) {
        let mut open = 0usize;
        loop {
            match self.bump().kind {
                Tok::LParen => open += 1,
                Tok::RParen => open -= 1,
                Tok::Eof => return,
                _ => {}
            }
            if open == 0 {
                return;
            }
        }
    }
}

/// The name without its protecting underscores: `__packed__` is `packed`.
fn stripped(text: &str) -> &str {
    text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).filter(|t| !t.is_empty()).unwrap_or(text)
}
