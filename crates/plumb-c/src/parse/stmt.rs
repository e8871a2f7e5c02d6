//! Statements and blocks (C11 6.8).

use super::item::DeclarationOrFunction;
use super::{Parsed, Parser, Reported};
use crate::ast::*;
use crate::lex::token::Tok;
use crate::source::Span;

impl Parser<'_> {
    /// A block in the scope that the caller has opened for it.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let open = self.expect(Tok::LBrace)?.span();
        let mut items = Vec::new();
        while !self.at(Tok::RBrace) {
            if self.at(Tok::Eof) {
                self.close(Tok::RBrace, open)?;
            }
            let start = self.pos;
            match self.block_item() {
                Ok(item) => items.push(item),
                Err(_) => self.recover_in_braces(start),
            }
        }
        self.bump();
        // Most blocks are short, and a growing list begins with room for four items of some hundred bytes each.
        items.shrink_to_fit();
        Ok(Block { items, span: self.span_from(open) })
    }

    fn block_item(&mut self) -> Parsed<BlockItem> {
        match self.kind() {
            Tok::StaticAssert => return Ok(BlockItem::StaticAssert(self.static_assert()?)),
            Tok::Label => return self.local_labels(),
            Tok::Case | Tok::Default => return self.label_item(),
            Tok::Ident if self.kind_at(1) == Tok::Colon => return self.label_item(),
            Tok::Ident if self.kind_at(1) == Tok::Ident && !self.starts_declaration() => {
                return Err(self.unknown_type());
            }
            Tok::Attribute => return self.attributed_item(),
            Tok::LBracket if self.at_double_bracket() => return self.attributed_item(),
            _ if self.starts_declaration() => return self.block_declaration(),
            _ => {}
        }
        Ok(BlockItem::Statement(self.statement()?))
    }

    /// Attributes start a declaration, or stand before a statement (`fallthrough`) and then mean nothing here.
    fn attributed_item(&mut self) -> Parsed<BlockItem> {
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        if self.starts_declaration() && !self.at_label() {
            self.pending_attrs = attrs;
            return self.block_declaration();
        }
        Ok(BlockItem::Statement(self.statement()?))
    }

    fn at_label(&self) -> bool {
        self.at(Tok::Ident) && self.kind_at(1) == Tok::Colon
    }

    fn block_declaration(&mut self) -> Parsed<BlockItem> {
        let start = self.span();
        Ok(match self.nested(|p| p.declaration_or_function(start))? {
            DeclarationOrFunction::Declaration(declaration) => BlockItem::Declaration(declaration),
            DeclarationOrFunction::Function(function) => BlockItem::NestedFunction(function),
        })
    }

    /// A label that stands directly in a block.
    fn label_item(&mut self) -> Parsed<BlockItem> {
        let start = self.span();
        let kind = self.nested(|p| p.label_statement(true))?;
        Ok(BlockItem::Statement(Stmt { kind, span: self.span_from(start) }))
    }

    fn local_labels(&mut self) -> Parsed<BlockItem> {
        self.bump();
        let mut labels = Vec::new();
        loop {
            labels.push(self.ident()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Semi)?;
        Ok(BlockItem::LocalLabels(labels))
    }

    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let kind = self.nested(|p| p.statement_kind())?;
        Ok(Stmt { kind, span: self.span_from(start) })
    }

    /// One function per kind of statement keeps this one's frame, of which deep nesting stacks many, small.
    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        match self.kind() {
            Tok::LBrace => self.block_statement(),
            Tok::Semi => {
                self.bump();
                Ok(StmtKind::Empty)
            }
            Tok::If => self.if_statement(),
            Tok::While => self.while_statement(),
            Tok::Do => self.do_statement(),
            Tok::For => self.scoped(|p| p.for_statement()),
            Tok::Switch => self.switch_statement(),
            Tok::Case | Tok::Default => self.label_statement(false),
            Tok::Ident if self.kind_at(1) == Tok::Colon => self.label_statement(false),
            Tok::Goto => self.goto_statement(),
            Tok::Break => self.jump_statement(StmtKind::Break),
            Tok::Continue => self.jump_statement(StmtKind::Continue),
            Tok::Return => self.return_statement(),
            Tok::Asm => {
                let asm = self.asm_statement()?;
                self.semicolon()?;
                Ok(StmtKind::Asm(Box::new(asm)))
            }
            Tok::Attribute => {
                self.idle_attributes()?;
                self.statement_kind()
            }
            Tok::LBracket if self.at_double_bracket() => {
                self.idle_attributes()?;
                self.statement_kind()
            }
            Tok::Else => {
                let span = self.span();
                Err(self.error_at(span, "`else` without `if`", "check the braces and `;` of the statement before it"))
            }
            _ if self.starts_declaration() => {
                let span = self.span();
                Err(self.error_at(span, "a declaration stands where a statement must", "put it in braces `{ ... }`"))
            }
            _ => self.expression_statement(),
        }
    }

    fn semicolon(&mut self) -> Parsed<()> {
        if self.eat(Tok::Semi) {
            return Ok(());
        }
        Err(self.missing_semicolon())
    }

    #[cold]
    fn missing_semicolon(&mut self) -> Reported {
        self.unexpected("`;`")
    }

    fn block_statement(&mut self) -> Parsed<StmtKind> {
        Ok(StmtKind::Block(self.scoped(|p| p.block())?))
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        let value = self.expression()?;
        self.semicolon()?;
        Ok(StmtKind::Expr(value))
    }

    /// `( expression )`
    fn condition(&mut self) -> Parsed<Expr> {
        let open = self.expect(Tok::LParen)?.span();
        let value = self.expression()?;
        self.close(Tok::RParen, open)?;
        Ok(value)
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let cond = self.condition()?;
        let then = Box::new(self.statement()?);
        let otherwise = match self.eat(Tok::Else) {
            true => Some(Box::new(self.statement()?)),
            false => None,
        };
        Ok(StmtKind::If { cond, then, otherwise })
    }

    fn while_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let cond = self.condition()?;
        let body = Box::new(self.statement()?);
        Ok(StmtKind::While { cond, body })
    }

    fn do_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let body = Box::new(self.statement()?);
        self.expect(Tok::While)?;
        let cond = self.condition()?;
        self.semicolon()?;
        Ok(StmtKind::DoWhile { body, cond })
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let open = self.expect(Tok::LParen)?.span();
        let init = self.for_init()?;
        let cond = self.optional_expression(Tok::Semi)?;
        self.semicolon()?;
        let step = self.optional_expression(Tok::RParen)?;
        self.close(Tok::RParen, open)?;
        let body = Box::new(self.statement()?);
        Ok(StmtKind::For { init, cond, step, body })
    }

    /// The first part of a `for` with its `;`.
    fn for_init(&mut self) -> Parsed<ForInit> {
        if self.starts_declaration() {
            return Ok(ForInit::Declaration(self.declaration()?));
        }
        if self.at(Tok::Ident) && self.kind_at(1) == Tok::Ident {
            return Err(self.unknown_type());
        }
        let init = self.optional_expression(Tok::Semi)?.map_or(ForInit::None, ForInit::Expr);
        self.semicolon()?;
        Ok(init)
    }

    fn optional_expression(&mut self, end: Tok) -> Parsed<Option<Expr>> {
        match self.at(end) {
            true => Ok(None),
            false => Ok(Some(self.expression()?)),
        }
    }

    fn switch_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let value = self.condition()?;
        let body = Box::new(self.statement()?);
        Ok(StmtKind::Switch { value, body })
    }

    /// `case`, `default` or a named label, and what it stands on.
    fn label_statement(&mut self, in_block: bool) -> Parsed<StmtKind> {
        let token = self.bump();
        match token.kind {
            Tok::Case => {
                let low = self.conditional()?;
                let high = match self.eat(Tok::Ellipsis) {
                    true => Some(self.conditional()?),
                    false => None,
                };
                self.expect(Tok::Colon)?;
                let body = Box::new(self.labelled(&mut Vec::new(), in_block)?);
                Ok(StmtKind::Case { low, high, body })
            }
            Tok::Default => {
                self.expect(Tok::Colon)?;
                let body = Box::new(self.labelled(&mut Vec::new(), in_block)?);
                Ok(StmtKind::Default { body })
            }
            _ => {
                self.expect(Tok::Colon)?;
                let mut attrs = Vec::new();
                let body = Box::new(self.labelled(&mut attrs, in_block)?);
                Ok(StmtKind::Label { name: token.name, attrs, body })
            }
        }
    }

    /// What a label stands on. A label before a declaration or at the end of a block, as gcc 11 and C2x allow, stands
    /// on an empty statement. So does a label in a block before another one: the two become neighbours instead of a
    /// nest, because real programs have tens of thousands of `case` labels in a row.
    fn labelled(&mut self, attrs: &mut Vec<Attr>, in_block: bool) -> Parsed<Stmt> {
        self.attributes(attrs)?;
        let label_follows = self.at_label() || matches!(self.kind(), Tok::Case | Tok::Default);
        let declares = self.starts_declaration() && !label_follows;
        if declares {
            self.pending_attrs = std::mem::take(attrs);
        }
        let ends = matches!(self.kind(), Tok::RBrace | Tok::StaticAssert | Tok::Label);
        if declares || ends || (in_block && label_follows) {
            let here = self.span().start;
            return Ok(Stmt { kind: StmtKind::Empty, span: Span::new(here, here) });
        }
        self.statement()
    }

    fn goto_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let kind = match self.eat(Tok::Star) {
            true => StmtKind::GotoComputed(self.expression()?),
            false => StmtKind::Goto(self.ident()?.0),
        };
        self.semicolon()?;
        Ok(kind)
    }

    fn jump_statement(&mut self, kind: StmtKind) -> Parsed<StmtKind> {
        self.bump();
        self.semicolon()?;
        Ok(kind)
    }

    fn return_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let value = self.optional_expression(Tok::Semi)?;
        self.semicolon()?;
        Ok(StmtKind::Return(value))
    }
}
