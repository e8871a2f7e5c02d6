//! The grammar of OIL 2.5 by recursive descent, with what Trampoline's and TOPPERS/OSEK's compilers add to it: sections in
//! any number and order, attribute groups (`STRUCT`), identifiers as a type, and `[]` behind the kind of a definition.
//!
//! A hand-written parser, as the C front end has one: the grammar has a dozen rules, and its messages name what was
//! expected at the token that is wrong. Behind an error the parser goes on at the end of the statement.

mod definition;

use crate::ast::{Attribute, Description, Name, Object, Value, ValueKind};
use crate::lex::{Token, TokenKind};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::Span;

/// Braces nested deeper than this are no description.
const MAX_NESTING: usize = 100;

pub fn parse(tokens: &[Token], diags: &mut Diagnostics) -> Description {
    let mut parser = Parser { tokens, at: 0, depth: 0, diags };
    let mut description = Description::default();
    while !parser.is_at_end() && !parser.diags.saturated() {
        if parser.section(&mut description).is_none() {
            parser.recover();
        }
    }
    description
}

/// `None` where an error was reported.
type Parsed<T> = Option<T>;

struct Parser<'a> {
    /// With an end token behind them.
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    diags: &'a mut Diagnostics,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> &'a Token {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn is_at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    fn is(&self, c: char) -> bool {
        self.peek().kind == TokenKind::Punctuation(c)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.peek().kind, TokenKind::Name(name) if name == word)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.is(c);
        self.at += found as usize;
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += found as usize;
        found
    }

    fn error<T>(&mut self, span: Span, message: String, help: &str) -> Parsed<T> {
        self.diags.push(Diagnostic::error(span, message).help(help));
        None
    }

    /// The token at hand is not what the grammar has there.
    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let token = self.peek();
        let message = format!("expected {what}, found {}", token.describe());
        self.error(token.span, message, "see the grammar of OIL 2.5, and what the line before ends with")
    }

    fn expect(&mut self, c: char, behind: &str) -> Parsed<()> {
        if self.eat(c) {
            return Some(());
        }
        self.expected(&format!("`{c}` behind {behind}"))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        match &self.peek().kind {
            TokenKind::Name(text) => {
                let span = self.next().span;
                Some(Name { text: text.clone(), span })
            }
            _ => self.expected(what),
        }
    }

    /// A description and the semicolon that ends a statement. What is described was said already: the text is dropped.
    fn end(&mut self, what: &str) -> Parsed<()> {
        self.description()?;
        self.expect(';', what)
    }

    fn description(&mut self) -> Parsed<()> {
        if self.eat(':') {
            match self.peek().kind {
                TokenKind::Text(_) => self.at += 1,
                _ => return self.expected("a string as the description behind `:`"),
            }
        }
        Some(())
    }

    /// Goes on behind the statement that is wrong: its semicolon, with whatever braces there are on the way.
    fn recover(&mut self) {
        let mut depth = 0usize;
        while !self.is_at_end() {
            match self.peek().kind {
                TokenKind::Punctuation('{') => depth += 1,
                TokenKind::Punctuation('}') if depth == 0 => return,
                TokenKind::Punctuation('}') => depth -= 1,
                TokenKind::Punctuation(';') if depth == 0 => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// `{ item ... }`, each item on its own: one that is wrong does not take the others along.
    fn block<T>(&mut self, item: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let open = self.peek().span;
        self.expect('{', "this")?;
        if self.depth >= MAX_NESTING {
            return self.error(open, format!("braces are nested deeper than {MAX_NESTING}"), "check the braces");
        }
        self.depth += 1;
        let mut items = Vec::new();
        while !self.is('}') && !self.is_at_end() && !self.diags.saturated() {
            match item(self) {
                Some(item) => items.push(item),
                None => self.recover(),
            }
        }
        self.depth -= 1;
        if self.eat('}') {
            return Some(items);
        }
        self.error(open, "a brace is not closed".to_string(), "close it with `}`")
    }

    fn section(&mut self, description: &mut Description) -> Parsed<()> {
        if self.eat(';') {
            return Some(());
        }
        if self.eat_word("OIL_VERSION") {
            return self.version(description);
        }
        if self.eat_word("IMPLEMENTATION") {
            self.name("the name of the implementation")?;
            let mut definitions = self.block(Self::object_definition)?;
            description.definitions.append(&mut definitions);
            return self.end("the implementation section");
        }
        if self.eat_word("CPU") {
            let name = self.name("the name of the CPU")?;
            description.cpus.push(name);
            let section = description.cpus.len();
            let mut objects = self.block(Self::object)?;
            objects.iter_mut().for_each(|object| object.section = section);
            description.objects.append(&mut objects);
            return self.end("the CPU section");
        }
        let result = self.expected("`OIL_VERSION`, `IMPLEMENTATION` or `CPU`");
        // A brace that closes nothing would stop the recovery at once.
        self.at += 1;
        result
    }

    fn version(&mut self, description: &mut Description) -> Parsed<()> {
        self.expect('=', "`OIL_VERSION`")?;
        let token = self.peek();
        let TokenKind::Text(text) = &token.kind else {
            return self.expected("the version as a string, such as \"2.5\"");
        };
        self.at += 1;
        description.version = Some(Name { text: text.clone(), span: token.span });
        self.end("the version")
    }

    fn object(&mut self) -> Parsed<Object> {
        let kind = self.name("an object, such as `TASK`")?;
        let name = self.name(&format!("the name of the {}", kind.text))?;
        let attributes = if self.is('{') { self.block(Self::attribute)? } else { Vec::new() };
        self.end(&format!("the {} `{}`", kind.text, name.text))?;
        Some(Object { section: 0, kind, name, attributes })
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let name = self.name("the name of an attribute")?;
        let value = if self.eat('=') { self.value()? } else { self.group(&name)? };
        self.end(&format!("the attribute `{}`", name.text))?;
        Some(Attribute { name, value })
    }

    /// `name { ... }` behind the name of an attribute that is a group.
    fn group(&mut self, attribute: &Name) -> Parsed<Value> {
        let TokenKind::Name(_) = self.peek().kind else {
            return self.expected(&format!("`=` behind `{}`", attribute.text));
        };
        let name = self.name("the name of the group")?;
        let attributes = self.block(Self::attribute)?;
        Some(Value { kind: ValueKind::Group(name.text), span: name.span, attributes })
    }

    fn value(&mut self) -> Parsed<Value> {
        let token = self.peek();
        let kind = match &token.kind {
            TokenKind::Name(name) => match name.as_str() {
                "TRUE" => ValueKind::Boolean(true),
                "FALSE" => ValueKind::Boolean(false),
                "AUTO" => ValueKind::Auto,
                _ => ValueKind::Name(name.clone()),
            },
            TokenKind::Integer(number) => ValueKind::Integer(*number),
            TokenKind::Float(number) => ValueKind::Float(*number),
            TokenKind::Text(text) => ValueKind::Text(text.clone()),
            TokenKind::Punctuation(_) | TokenKind::DotDot | TokenKind::Include(_) | TokenKind::End => {
                return self.expected("a value behind `=`");
            }
        };
        self.at += 1;
        let takes_attributes = matches!(kind, ValueKind::Name(_) | ValueKind::Boolean(_) | ValueKind::Auto);
        let attributes = if takes_attributes && self.is('{') { self.block(Self::attribute)? } else { Vec::new() };
        Some(Value { kind, span: token.span, attributes })
    }
}

#[cfg(test)]
mod tests;
