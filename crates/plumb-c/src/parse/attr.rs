//! Attributes: `__attribute__((...))` and, read the same way, `[[gnu::...]]`.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::diag::Diagnostic;
use crate::lex::token::Tok;
use crate::names::Name;
use crate::sema::attribute_table::{Decision, decision};

/// Attributes whose first argument is a word even where that word is a typedef.
const TAKE_A_WORD: &[&str] = &[
    "mode",
    "format",
    "cleanup",
    "access",
    "tls_model",
    "visibility",
    "malloc",
    "argument_with_type_tag",
    "type_tag_for_datatype",
];

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
        if self.at(Tok::Colon) && self.kind_at(1) == Tok::Colon {
            self.bump();
            self.bump();
            // What vendors other than gnu mean by a name is looked up in the same table.
            word = self.attribute_word()?;
        }
        let text = stripped(self.names.text(word)).to_string();
        let name = self.names.intern(&text);
        let mut args = Vec::new();
        let known = decision(&text);
        if self.at(Tok::LParen) && known.is_none() {
            // Any tokens may stand there.
            self.skip_parens();
        } else if self.at(Tok::LParen) {
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
        let span = self.span_from(start);
        match known {
            Some(Decision::Honoured(_) | Decision::NoEffect) => {}
            Some(Decision::Refused(why)) => {
                let message = format!("the attribute '{text}' is not supported: {why}");
                let help = "take it out where it does not matter to what is checked";
                self.diags.push(Diagnostic::error(span, message).help(help));
            }
            None => {
                let message = format!("the attribute '{text}' is not known, and may change what the program means");
                let help =
                    format!("if it has no effect on that, define it away with `-D{text}=unused`, or take it out");
                self.diags.push(Diagnostic::error(span, message).help(help));
            }
        }
        out.push(Attr { name, args, span });
        Ok(())
    }

    /// Takes attributes that stand where none has an effect on what the program means: in brackets, on enumerators, labels
    /// and statements. One that would have an effect elsewhere is reported.
    pub(super) fn idle_attributes(&mut self) -> Parsed<()> {
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        for attr in attrs {
            if matches!(decision(self.names.text(attr.name)), Some(Decision::Honoured(what)) if !what.is_promise()) {
                self.misplaced(&attr);
            }
        }
        Ok(())
    }

    /// Takes attributes behind a `*`. gcc hands those of functions and objects on to what is declared; those of types would
    /// be the pointer's, which is not modelled.
    pub(super) fn pointer_attributes(&mut self, declared: &mut Vec<Attr>) -> Parsed<()> {
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        for attr in attrs {
            let is_of_type = match decision(self.names.text(attr.name)) {
                Some(Decision::Honoured(what)) => what.is_of_type(),
                Some(Decision::NoEffect | Decision::Refused(_)) | None => false,
            };
            if is_of_type {
                self.misplaced(&attr);
            } else {
                declared.push(attr);
            }
        }
        Ok(())
    }

    fn misplaced(&mut self, attr: &Attr) {
        let message = format!("the attribute '{}' is not supported at this place", self.names.text(attr.name));
        let help = "write it behind the declarator, or take it out where it does not matter";
        self.diags.push(Diagnostic::error(attr.span, message).help(help));
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

    /// An attribute's name, which may be a keyword such as `const`.
    fn attribute_word(&mut self) -> Parsed<Name> {
        match self.at_word() {
            true => Ok(self.bump().name),
            false => Err(self.unexpected("an attribute's name")),
        }
    }
}

/// The name without its protecting underscores: `__packed__` is `packed`.
fn stripped(text: &str) -> &str {
    text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).filter(|t| !t.is_empty()).unwrap_or(text)
}
