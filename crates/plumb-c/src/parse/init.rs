//! Initialisers (C11 6.7.9) with GNU's old-style field designators and index ranges.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::token::Tok;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parsed<Init> {
        Ok(match self.at(Tok::LBrace) {
            true => Init::List(self.init_list()?),
            false => Init::Expr(self.assignment()?),
        })
    }

    pub(super) fn init_list(&mut self) -> Parsed<InitList> {
        self.nested(|p| {
            let open = p.expect(Tok::LBrace)?.span();
            let mut items = Vec::new();
            while !p.at(Tok::RBrace) {
                items.push(p.init_item()?);
                if !p.eat(Tok::Comma) {
                    break;
                }
            }
            p.close(Tok::RBrace, open)?;
            items.shrink_to_fit();
            Ok(InitList { items, span: p.span_from(open) })
        })
    }

    fn init_item(&mut self) -> Parsed<InitItem> {
        let mut designators = Vec::new();
        if self.at(Tok::Ident) && self.kind_at(1) == Tok::Colon {
            let (name, span) = self.ident()?;
            self.bump();
            designators.push(Designator::Field(name, span));
        } else {
            while matches!(self.kind(), Tok::Dot | Tok::LBracket) {
                designators.push(self.designator()?);
            }
            // GNU lets `[0] value` go without `=`.
            if !designators.is_empty() && !self.eat(Tok::Assign) && !matches!(designators[..], [Designator::Index(_)]) {
                return Err(self.unexpected("`=` behind the designator"));
            }
        }
        Ok(InitItem { designators, value: self.initializer()? })
    }

    fn designator(&mut self) -> Parsed<Designator> {
        let open = self.bump();
        if open.kind == Tok::Dot {
            let (name, span) = self.ident()?;
            return Ok(Designator::Field(name, span));
        }
        let first = self.conditional()?;
        let designator = match self.eat(Tok::Ellipsis) {
            true => Designator::Range(first, self.conditional()?),
            false => Designator::Index(first),
        };
        self.close(Tok::RBracket, open.span())?;
        Ok(designator)
    }
}
