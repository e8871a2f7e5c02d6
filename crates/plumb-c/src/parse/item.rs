//! Translation units, declarations and function definitions (C11 6.9, 6.7).

use super::declarator::DeclaratorKind;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::token::Tok;
use crate::source::Span;

/// What specifiers and a declarator turned out to start.
pub(super) enum DeclarationOrFunction {
    Declaration(Declaration),
    Function(Box<FunctionDef>),
}

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) -> TranslationUnit {
        let mut unit = TranslationUnit { items: Vec::new(), flags: self.flags };
        while !self.at(Tok::Eof) && !self.diags.saturated() {
            if self.eat(Tok::Semi) {
                continue;
            }
            let start = self.pos;
            match self.item() {
                Ok(item) => unit.items.push(item),
                Err(_) => self.recover_at_file_scope(start),
            }
        }
        unit
    }

    fn item(&mut self) -> Parsed<Item> {
        let start = self.span();
        while self.eat(Tok::Extension) {}
        match self.kind() {
            Tok::Asm => {
                self.asm_statement()?;
                self.expect(Tok::Semi)?;
                Ok(Item::Asm(self.span_from(start)))
            }
            Tok::StaticAssert => Ok(Item::StaticAssert(self.static_assert()?)),
            Tok::RBrace => Err(self.error_at(start, "unmatched `}`", "remove it, or add the `{` that it should close")),
            Tok::Ident => {
                let starts_implicit_int = matches!(
                    self.kind_at(1),
                    Tok::LParen | Tok::LBracket | Tok::Semi | Tok::Comma | Tok::Assign | Tok::Attribute | Tok::Asm
                );
                if !self.scopes.is_typedef(self.token().name) && !starts_implicit_int {
                    return Err(self.unknown_type());
                }
                self.item_declaration(start)
            }
            kind if kind.is_specifier() || self.at_double_bracket() || matches!(kind, Tok::Star | Tok::LParen) => {
                self.item_declaration(start)
            }
            _ => Err(self.unexpected("a declaration")),
        }
    }

    fn item_declaration(&mut self, start: Span) -> Parsed<Item> {
        Ok(match self.declaration_or_function(start)? {
            DeclarationOrFunction::Declaration(declaration) => Item::Declaration(declaration),
            DeclarationOrFunction::Function(function) => Item::Function(function),
        })
    }

    /// A declaration with its `;`, or a function definition: they differ only behind the first declarator.
    pub(super) fn declaration_or_function(&mut self, start: Span) -> Parsed<DeclarationOrFunction> {
        let specs = self.decl_specs()?;
        if self.eat(Tok::Semi) {
            let span = self.span_from(start);
            return Ok(DeclarationOrFunction::Declaration(Declaration { specs, declarators: Vec::new(), span }));
        }
        let mut declarator = self.declarator(DeclaratorKind::Named)?;
        self.declarator_suffix(&mut declarator)?;
        if self.starts_body(&specs, &declarator) {
            return Ok(DeclarationOrFunction::Function(self.function(specs, declarator, start)?));
        }
        let declaration = self.declaration_rest(specs, declarator, start)?;
        Ok(DeclarationOrFunction::Declaration(declaration))
    }

    /// A declaration where no function definition can stand.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.span();
        let specs = self.decl_specs()?;
        if self.eat(Tok::Semi) {
            return Ok(Declaration { specs, declarators: Vec::new(), span: self.span_from(start) });
        }
        let mut declarator = self.declarator(DeclaratorKind::Named)?;
        self.declarator_suffix(&mut declarator)?;
        self.declaration_rest(specs, declarator, start)
    }

    /// From behind the first declarator to the `;`.
    fn declaration_rest(&mut self, specs: DeclSpecs, first: Declarator, start: Span) -> Parsed<Declaration> {
        let is_typedef = specs.storage == Some(Storage::Typedef);
        let mut declarators = Vec::with_capacity(1);
        let mut declarator = first;
        loop {
            // The name is in scope in its own initialiser (C11 6.2.1, paragraph 7).
            if let Some(name) = declarator.name {
                self.scopes.declare(name, is_typedef);
            }
            let init = match self.eat(Tok::Assign) {
                true => Some(self.initializer()?),
                false => None,
            };
            declarators.push(InitDeclarator { declarator, init });
            if !self.eat(Tok::Comma) {
                break;
            }
            declarator = self.declarator(DeclaratorKind::Named)?;
            self.declarator_suffix(&mut declarator)?;
        }
        if !self.eat(Tok::Semi) {
            return Err(self.unexpected("`;` behind the declaration"));
        }
        Ok(Declaration { specs, declarators, span: self.span_from(start) })
    }

    /// Whether signed overflow wraps in a function that is defined here.
    fn wrapv_here(&self) -> bool {
        let changes = self.wrapv.partition_point(|change| change.token as usize <= self.pos);
        let pragma = self.wrapv[..changes].last().and_then(|change| change.wrapv);
        pragma.unwrap_or(self.flags.wrapv)
    }

    /// `asm("symbol")` and attributes behind a declarator.
    pub(super) fn declarator_suffix(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        loop {
            if self.at(Tok::Asm) {
                declarator.asm_label = Some(self.asm_label()?);
            } else if self.at_attribute() {
                self.attributes(&mut declarator.attrs)?;
            } else {
                return Ok(());
            }
        }
    }

    fn starts_body(&self, specs: &DeclSpecs, declarator: &Declarator) -> bool {
        if specs.storage == Some(Storage::Typedef) {
            return false;
        }
        match declarator.parts.first() {
            Some(DeclaratorPart::Function(Params::Identifiers(names))) if !names.is_empty() => {
                self.at(Tok::LBrace) || self.starts_declaration()
            }
            Some(DeclaratorPart::Function(_)) => self.at(Tok::LBrace),
            Some(DeclaratorPart::Pointer { .. } | DeclaratorPart::Array { .. }) | None => false,
        }
    }

    fn function(&mut self, specs: DeclSpecs, declarator: Declarator, start: Span) -> Parsed<Box<FunctionDef>> {
        if let Some(name) = declarator.name {
            self.scopes.declare(name, false);
        }
        self.scoped(|p| {
            match declarator.parts.first() {
                Some(DeclaratorPart::Function(Params::Prototype { params, .. })) => {
                    for name in params.iter().filter_map(|param| param.declarator.name) {
                        p.scopes.declare(name, false);
                    }
                }
                Some(DeclaratorPart::Function(Params::Identifiers(names))) => {
                    for &(name, _) in names {
                        p.scopes.declare(name, false);
                    }
                }
                Some(DeclaratorPart::Pointer { .. } | DeclaratorPart::Array { .. }) | None => {}
            }
            let mut kr_params = Vec::new();
            while !p.at(Tok::LBrace) {
                if !p.starts_declaration() {
                    return Err(p.unexpected("a parameter's declaration or `{`"));
                }
                kr_params.push(p.declaration()?);
            }
            let wrapv = p.wrapv_here();
            let body = p.nested(|p| p.block())?;
            Ok(Box::new(FunctionDef { specs, declarator, kr_params, body, wrapv, span: p.span_from(start) }))
        })
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let start = self.bump().span();
        let open = self.expect(Tok::LParen)?.span();
        let cond = self.conditional()?;
        let message = match self.eat(Tok::Comma) {
            true => Some(self.string_bytes()?),
            false => None,
        };
        self.close(Tok::RParen, open)?;
        // gcc takes it without `;` at the end of a record.
        if !self.at(Tok::RBrace) {
            self.expect(Tok::Semi)?;
        }
        Ok(StaticAssert { cond, message, span: self.span_from(start) })
    }
}
