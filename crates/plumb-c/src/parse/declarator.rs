//! Declarators and parameter lists (C11 6.7.6, 6.7.7).

use super::{MAX_NESTING, Parsed, Parser};
use crate::ast::*;
use crate::lex::token::Tok;
use crate::names::Name;
use crate::source::Span;

/// Which declarators may stand at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclaratorKind {
    /// With a name: declarations, members.
    Named,
    /// Without one: type names.
    Abstract,
    /// Either: parameters.
    Parameter,
}

impl Parser<'_> {
    pub(super) fn declarator(&mut self, kind: DeclaratorKind) -> Parsed<Declarator> {
        let here = self.span().start;
        let mut declarator = Declarator {
            name: None,
            parts: Vec::new(),
            attrs: Vec::new(),
            asm_label: None,
            span: Span::new(here, here),
        };
        self.nested(|p| p.declarator_into(kind, &mut declarator))?;
        declarator.parts.shrink_to_fit();
        Ok(declarator)
    }

    /// Appends the parts of a declarator from its name outwards: what stands in inner parentheses, then suffixes, then
    /// pointers from right to left.
    fn declarator_into(&mut self, kind: DeclaratorKind, out: &mut Declarator) -> Parsed<()> {
        self.attributes(&mut out.attrs)?;
        let mut pointers = Vec::new();
        while self.eat(Tok::Star) {
            let mut quals = Quals::default();
            loop {
                match self.kind() {
                    Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic | Tok::AddressSpace => {
                        self.qualifier(&mut quals)
                    }
                    _ if self.at_attribute() => self.pointer_attributes(&mut out.attrs)?,
                    _ => break,
                }
            }
            pointers.push(DeclaratorPart::Pointer { quals });
        }
        self.direct_declarator(kind, out)?;
        loop {
            match self.kind() {
                Tok::LParen => {
                    let open = self.bump().span();
                    let params = self.nested(|p| p.parameters(open))?;
                    out.parts.push(DeclaratorPart::Function(params));
                }
                Tok::LBracket if !self.at_double_bracket() => {
                    let array = self.array_suffix()?;
                    out.parts.push(array);
                }
                _ => break,
            }
        }
        out.parts.extend(pointers.into_iter().rev());
        // Every part becomes a level of the type.
        if out.parts.len() as u32 > MAX_NESTING {
            return Err(self.too_deep());
        }
        Ok(())
    }

    fn direct_declarator(&mut self, kind: DeclaratorKind, out: &mut Declarator) -> Parsed<()> {
        match self.kind() {
            Tok::Ident | Tok::BuiltinType if kind != DeclaratorKind::Abstract => {
                let token = self.bump();
                out.name = Some(token.name);
                out.span = token.span();
                Ok(())
            }
            Tok::LParen if kind == DeclaratorKind::Named => {
                let open = self.bump().span();
                self.nested(|p| p.declarator_into(kind, out))?;
                self.close(Tok::RParen, open)
            }
            Tok::LParen => self.nested(|p| p.paren_without_name(kind, out)),
            _ if kind == DeclaratorKind::Named => Err(self.unexpected("a name to declare")),
            _ => {
                out.span = Span::new(self.span().start, self.span().start);
                Ok(())
            }
        }
    }

    /// At `(` where the name may be absent: an inner declarator, or the parameters of an unnamed function. Attributes
    /// may come first in both, so what follows them decides.
    fn paren_without_name(&mut self, kind: DeclaratorKind, out: &mut Declarator) -> Parsed<()> {
        let open = self.bump().span();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        if matches!(self.kind(), Tok::RParen | Tok::Ellipsis) || self.starts_declaration() {
            self.pending_attrs = attrs;
            let params = self.parameters(open)?;
            out.span = Span::new(open.start, open.start);
            out.parts.push(DeclaratorPart::Function(params));
            return Ok(());
        }
        out.attrs.extend(attrs);
        self.declarator_into(kind, out)?;
        self.close(Tok::RParen, open)
    }

    fn array_suffix(&mut self) -> Parsed<DeclaratorPart> {
        let open = self.bump().span();
        let mut quals = Quals::default();
        let mut is_static = false;
        loop {
            match self.kind() {
                Tok::Static => {
                    self.bump();
                    is_static = true;
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic | Tok::AddressSpace => {
                    self.qualifier(&mut quals)
                }
                Tok::Attribute => self.idle_attributes()?,
                _ => break,
            }
        }
        let size = match self.kind() {
            Tok::RBracket => ArraySize::Unspecified,
            Tok::Star if self.kind_at(1) == Tok::RBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(Box::new(self.nested(|p| p.assignment())?)),
        };
        self.close(Tok::RBracket, open)?;
        Ok(DeclaratorPart::Array { quals, is_static, size })
    }

    /// What stands behind the `(` of a function declarator, with its `)`.
    fn parameters(&mut self, open: Span) -> Parsed<Params> {
        if self.eat(Tok::RParen) {
            return Ok(Params::Identifiers(Vec::new()));
        }
        self.scoped(|p| {
            let is_name_list = p.at(Tok::Ident)
                && !p.scopes.is_typedef(p.token().name)
                && matches!(p.kind_at(1), Tok::Comma | Tok::RParen);
            match is_name_list {
                true => p.parameter_names(open),
                false => p.prototype(open),
            }
        })
    }

    /// The names of a K&R definition.
    fn parameter_names(&mut self, open: Span) -> Parsed<Params> {
        let mut names: Vec<(Name, Span)> = Vec::new();
        loop {
            names.push(self.ident()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.close(Tok::RParen, open)?;
        Ok(Params::Identifiers(names))
    }

    fn prototype(&mut self, open: Span) -> Parsed<Params> {
        let mut params: Vec<Param> = Vec::new();
        let mut variadic = false;
        loop {
            if self.eat(Tok::Ellipsis) {
                variadic = true;
                break;
            }
            params.push(self.parameter()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if self.at(Tok::Semi) {
            let span = self.span();
            let help = "order the parameters so that sizes come before the arrays that use them";
            let reported = self.error_at(span, "forward declarations of parameters are not supported", help);
            // Behind the `;` recovery would take the parameters for a declaration.
            while !matches!(self.kind(), Tok::RParen | Tok::LBrace | Tok::Eof) {
                self.bump();
            }
            return Err(reported);
        }
        self.close(Tok::RParen, open)?;
        if let [only] = params.as_slice()
            && is_void(only)
            && !variadic
        {
            params.clear();
        }
        params.shrink_to_fit();
        Ok(Params::Prototype { params, variadic })
    }

    fn parameter(&mut self) -> Parsed<Param> {
        let start = self.span();
        if !self.starts_declaration() && !self.at_double_bracket() {
            return Err(match self.kind() {
                Tok::Ident => self.unknown_type(),
                _ => self.unexpected("a parameter"),
            });
        }
        let specs = self.decl_specs()?;
        let mut declarator = self.declarator(DeclaratorKind::Parameter)?;
        self.attributes(&mut declarator.attrs)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name, false);
        }
        Ok(Param { specs, declarator, span: self.span_from(start) })
    }
}

/// The lone `void` that says there are no parameters.
fn is_void(param: &Param) -> bool {
    matches!(param.specs.ty, TypeSpec::Basic(BasicType::Void))
        && param.specs.quals == Quals::default()
        && param.declarator.name.is_none()
        && param.declarator.parts.is_empty()
}
