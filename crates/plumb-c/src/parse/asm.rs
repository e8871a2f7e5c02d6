//! Inline assembly: statements, file-scope blocks and symbol names.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::token::Tok;
use crate::source::Span;

impl Parser<'_> {
    /// `asm("symbol")` behind a declarator.
    pub(super) fn asm_label(&mut self) -> Parsed<Vec<u8>> {
        self.bump();
        let open = self.expect(Tok::LParen)?.span();
        let label = self.string_bytes()?;
        self.close(Tok::RParen, open)?;
        Ok(label)
    }

    /// An `asm` statement without its `;`.
    pub(super) fn asm_statement(&mut self) -> Parsed<AsmStmt> {
        self.bump();
        let mut is_volatile = false;
        loop {
            match self.kind() {
                Tok::Volatile => is_volatile = true,
                Tok::Inline | Tok::Goto | Tok::Const => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.expect(Tok::LParen)?.span();
        let mut asm = AsmStmt {
            is_volatile,
            template: self.string_bytes()?,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        self.asm_sections(&mut asm)?;
        self.close(Tok::RParen, open)?;
        Ok(asm)
    }

    fn asm_sections(&mut self, asm: &mut AsmStmt) -> Parsed<()> {
        if self.eat(Tok::Colon) {
            asm.outputs = self.asm_list(|p| p.asm_operand())?;
        }
        if self.eat(Tok::Colon) {
            asm.inputs = self.asm_list(|p| p.asm_operand())?;
        }
        if self.eat(Tok::Colon) {
            asm.clobbers = self.asm_list(|p| p.string_bytes())?;
        }
        if self.eat(Tok::Colon) {
            asm.labels = self.asm_list(|p| p.ident())?;
        }
        Ok(())
    }

    /// A list, possibly empty, up to the next `:` or `)`.
    fn asm_list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = Vec::new();
        if matches!(self.kind(), Tok::Colon | Tok::RParen) {
            return Ok(list);
        }
        loop {
            list.push(element(self)?);
            if !self.eat(Tok::Comma) {
                return Ok(list);
            }
        }
    }

    /// `[name] "constraint" (value)`; the name only serves the template.
    fn asm_operand(&mut self) -> Parsed<AsmOperand> {
        if self.at(Tok::LBracket) {
            let open: Span = self.bump().span();
            self.bump();
            self.close(Tok::RBracket, open)?;
        }
        let constraint = self.string_bytes()?;
        let open = self.expect(Tok::LParen)?.span();
        let value = self.expression()?;
        self.close(Tok::RParen, open)?;
        Ok(AsmOperand { constraint, value })
    }
}
