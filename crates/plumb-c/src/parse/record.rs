//! `struct`, `union` and `enum` specifiers (C11 6.7.2.1, 6.7.2.2).

use super::declarator::DeclaratorKind;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::token::Tok;
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Parsed<TypeSpec> {
        let keyword = self.bump();
        let is_union = keyword.kind == Tok::Union;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = match self.at(Tok::Ident) {
            true => Some(self.bump().name),
            false => None,
        };
        let mut fields = None;
        if self.at(Tok::LBrace) {
            fields = Some(self.fields()?);
            // Packing is what the pragma says at the closing brace, which has just been taken.
            attrs.extend(self.packing());
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        let span = self.span_from(keyword.span());
        Ok(TypeSpec::Record(Box::new(RecordSpec { is_union, tag, fields, attrs, span })))
    }

    /// The packing in force at the last token, as an attribute: that of `-fpack-struct`, or of `#pragma pack`.
    fn packing(&mut self) -> Option<Attr> {
        let token = self.pos - 1;
        if self.flags.pack_struct {
            return Some(Attr { name: self.names.intern("packed"), args: Vec::new(), span: self.tokens[token].span() });
        }
        let changes = self.packs.partition_point(|change| change.token as usize <= token);
        // `#pragma pack()` takes back what others said.
        let bytes = self.packs[..changes].last().map(|change| change.bytes).filter(|&bytes| bytes != 0)?;
        let span = self.tokens[token].span();
        let value = bytes as u128;
        let kind = ExprKind::Int { value, decimal: true, unsigned: false, long: LongSuffix::None };
        let name = self.names.intern("pragma_pack");
        Some(Attr { name, args: vec![AttrArg::Expr(Expr { kind, span })], span })
    }

    fn fields(&mut self) -> Parsed<Vec<FieldDecl>> {
        let open = self.bump().span();
        let mut fields = Vec::new();
        while !self.at(Tok::RBrace) {
            if self.at(Tok::Eof) {
                self.close(Tok::RBrace, open)?;
            }
            if self.eat(Tok::Semi) {
                continue;
            }
            let start = self.pos;
            match self.field() {
                Ok(field) => fields.push(field),
                Err(_) => self.recover_in_braces(start),
            }
        }
        self.bump();
        Ok(fields)
    }

    fn field(&mut self) -> Parsed<FieldDecl> {
        let start = self.span();
        if self.at(Tok::StaticAssert) {
            return Ok(FieldDecl::StaticAssert(self.static_assert()?));
        }
        if !self.starts_declaration() && !self.at_double_bracket() {
            return Err(match self.kind() {
                Tok::Ident => self.unknown_type(),
                _ => self.unexpected("a member's type or `}`"),
            });
        }
        let specs = self.decl_specs()?;
        let mut declarators = Vec::new();
        if !matches!(self.kind(), Tok::Semi | Tok::RBrace) {
            loop {
                declarators.push(self.field_declarator()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        // gcc takes the last member without `;`.
        if !self.at(Tok::RBrace) && !self.eat(Tok::Semi) {
            return Err(self.unexpected("`;` behind the member"));
        }
        Ok(FieldDecl::Field { specs, declarators, span: self.span_from(start) })
    }

    fn field_declarator(&mut self) -> Parsed<FieldDeclarator> {
        let mut declarator = match self.at(Tok::Colon) {
            true => Declarator {
                name: None,
                parts: Vec::new(),
                attrs: Vec::new(),
                asm_label: None,
                span: Span::new(self.span().start, self.span().start),
            },
            false => self.declarator(DeclaratorKind::Named)?,
        };
        let mut attrs = Vec::new();
        let bits = match self.eat(Tok::Colon) {
            true => Some(self.conditional()?),
            false => None,
        };
        self.attributes(if bits.is_some() { &mut attrs } else { &mut declarator.attrs })?;
        Ok(FieldDeclarator { declarator, bits, attrs })
    }

    pub(super) fn enumeration(&mut self) -> Parsed<TypeSpec> {
        let start = self.bump().span();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = match self.at(Tok::Ident) {
            true => Some(self.bump().name),
            false => None,
        };
        let mut variants = None;
        if self.at(Tok::LBrace) {
            variants = Some(self.enumerators()?);
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        Ok(TypeSpec::Enum(Box::new(EnumSpec { tag, variants, attrs, span: self.span_from(start) })))
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let open = self.bump().span();
        let mut variants = Vec::new();
        while !self.at(Tok::RBrace) {
            let (name, span) = self.ident()?;
            self.idle_attributes()?;
            let value = match self.eat(Tok::Assign) {
                true => Some(self.conditional()?),
                false => None,
            };
            self.scopes.declare(name, false);
            variants.push(Enumerator { name, value, span });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.close(Tok::RBrace, open)?;
        Ok(variants)
    }
}
