//! The parser: recursive descent over C11/C17 with GNU extensions, from tokens to [`ast`](crate::ast).
//!
//! ```text
//!   mod         state, token access, errors and recovery, nesting limit
//!   scope       which names are typedefs where
//!   item        translation units, declarations, function definitions
//!   spec        declaration specifiers, type names
//!   record      struct, union, enum
//!   declarator  declarators and parameter lists
//!   attr        __attribute__((...)) and [[...]]
//!   init        initialisers
//!   stmt        statements and blocks
//!   asm         inline assembly
//!   expr        expressions with operators
//!   primary     operands: literals, calls' targets, builtins with types as arguments
//! ```
//!
//! A parsing function either returns a tree or has reported what is wrong and returns [`Reported`]. Blocks, records and
//! the unit itself catch that and go on behind the next `;` or `}`, so that one run tells of several mistakes.
//!
//! # Nesting
//!
//! Later phases recurse over the tree, so its height is limited here, once and for all. `depth` counts the nodes above
//! the current one; `deepest` is the depth of the deepest node built so far in the operand at hand. An operator that
//! takes a finished tree as its left operand pushes all of it down by one, which [`Parser::sink`] accounts for:
//! `a + b + ... ` with 100,000 operands is as high a tree as 100,000 parentheses.

mod asm;
mod attr;
mod declarator;
mod expr;
mod init;
mod item;
mod primary;
mod record;
mod scope;
mod spec;
mod stmt;

#[cfg(test)]
mod tests;

use crate::ast::{Attr, TranslationUnit};
use crate::code_flags::CodeFlags;
use crate::diag::{Diagnostic, Diagnostics};
use crate::lex::pack::PackChange;
use crate::lex::pragma::WrapvChange;
use crate::lex::token::{Tok, Token, spelling};
use crate::lex::{Lexed, cut_continuations, lex};
use crate::names::{Name, Names};
use crate::source::{SourceUnit, Span};
use scope::TypedefScopes;
use std::borrow::Cow;

/// The greatest height of a syntax tree. Parsing one level takes a few kilobytes of stack at worst.
pub const MAX_NESTING: u32 = 20_000;

/// Parses a translation unit. Mistakes go to `diags`; the tree is only worth using when there are none.
pub fn parse_unit(unit: &SourceUnit, names: &mut Names, diags: &mut Diagnostics) -> TranslationUnit {
    parse_unit_with(unit, CodeFlags::default(), names, diags)
}

/// The same for a unit that is compiled with flags which change the language.
pub fn parse_unit_with(
    unit: &SourceUnit,
    flags: CodeFlags,
    names: &mut Names,
    diags: &mut Diagnostics,
) -> TranslationUnit {
    let Lexed { tokens, packs, wrapv } = lex(unit, names, diags);
    let mut parser = Parser {
        text: &unit.text,
        base: unit.base(),
        tokens,
        packs,
        wrapv,
        flags,
        pos: 0,
        names,
        diags,
        scopes: TypedefScopes::default(),
        depth: 0,
        deepest: 0,
        pending_attrs: Vec::new(),
        gave_up: false,
    };
    parser.refuse_contracts();
    parser.translation_unit()
}

/// What CBMC writes contracts with, where no expression may stand.
const CONTRACT_WORDS: &[&str] = &[
    "__CPROVER_assigns",
    "__CPROVER_decreases",
    "__CPROVER_ensures",
    "__CPROVER_ensures_contract",
    "__CPROVER_frees",
    "__CPROVER_loop_invariant",
    "__CPROVER_requires",
    "__CPROVER_requires_contract",
];

/// CBMC's types of bit vectors, which are written with their widths in brackets.
const BIT_VECTORS: &[&str] = &["__CPROVER_bitvector", "__CPROVER_fixedbv", "__CPROVER_floatbv"];

/// A mistake that has been reported; the caller recovers or passes it on.
pub(crate) struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'a> {
    text: &'a str,
    base: u32,
    tokens: Vec<Token>,
    packs: Vec<PackChange>,
    wrapv: Vec<WrapvChange>,
    flags: CodeFlags,
    pos: usize,
    names: &'a mut Names,
    diags: &'a mut Diagnostics,
    scopes: TypedefScopes,
    depth: u32,
    deepest: u32,
    /// Attributes that have been read and belong to the declaration that comes next. Reading them again instead would
    /// take time exponential in the nesting of attributes' arguments.
    pending_attrs: Vec<Attr>,
    /// Nothing more is reported; the rest of the unit is skipped.
    gave_up: bool,
}

// Tokens.
impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    fn kind(&self) -> Tok {
        self.tokens[self.pos].kind
    }

    /// The kind of a token further on; `Eof` beyond the end.
    fn kind_at(&self, ahead: usize) -> Tok {
        self.tokens.get(self.pos + ahead).map_or(Tok::Eof, |t| t.kind)
    }

    fn span(&self) -> Span {
        self.tokens[self.pos].span()
    }

    /// The span from a start to the end of the last token taken.
    fn span_from(&self, start: Span) -> Span {
        let end = self.tokens[self.pos.saturating_sub(1)].end;
        Span::new(start.start, end.max(start.start))
    }

    fn at(&self, kind: Tok) -> bool {
        self.kind() == kind
    }

    /// Takes the current token; the end of the text stays.
    fn bump(&mut self) -> Token {
        let token = self.tokens[self.pos];
        if token.kind != Tok::Eof {
            self.pos += 1;
        }
        token
    }

    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: Tok) -> Parsed<Token> {
        match self.at(kind) {
            true => Ok(self.bump()),
            false => Err(self.unexpected(spelling(kind))),
        }
    }

    /// Takes the `)` or `]` that closes what was opened at `open`.
    fn close(&mut self, kind: Tok, open: Span) -> Parsed<()> {
        if self.eat(kind) {
            return Ok(());
        }
        if self.gave_up {
            return Err(Reported);
        }
        let found = self.describe();
        let expected = spelling(kind);
        let place = self.place_of(open);
        let diagnostic = Diagnostic::error(self.span(), format!("expected {expected}, found {found}"))
            .label(format!("expected {expected}"))
            .help(format!("it closes the bracket opened {place}"));
        Err(self.error(diagnostic))
    }

    /// Where an opening bracket stands, seen from the current token.
    fn place_of(&self, open: Span) -> &'static str {
        let local = |at: u32| ((at - self.base) as usize).min(self.text.len());
        let between = self.text.get(local(open.start)..local(self.span().start)).unwrap_or("");
        if between.contains('\n') { "on an earlier line" } else { "earlier on this line" }
    }

    fn ident(&mut self) -> Parsed<(Name, Span)> {
        let token = self.expect(Tok::Ident)?;
        Ok((token.name, token.span()))
    }

    /// Whether the current token is an identifier or a keyword.
    fn at_word(&self) -> bool {
        !self.names.text(self.token().name).is_empty()
    }

    /// The text of a literal, backslash-newlines removed.
    fn literal_text(&self, token: Token) -> Cow<'_, str> {
        let text = self.text.get((token.start - self.base) as usize..(token.end - self.base) as usize).unwrap_or("");
        cut_continuations(text).0
    }
}

// Errors, recovery, nesting.
impl Parser<'_> {
    fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        if !self.gave_up {
            self.diags.push(diagnostic);
            // At the end every open bracket would be reported for what is one mistake.
            if self.diags.saturated() || self.at(Tok::Eof) {
                self.give_up();
            }
        }
        Reported
    }

    fn error_at(&mut self, span: Span, message: impl Into<String>, help: &str) -> Reported {
        self.error(Diagnostic::error(span, message).help(help))
    }

    /// The current token in words.
    fn describe(&self) -> String {
        const SHOWN: usize = 30;
        let token = self.token();
        let text = self.literal_text(token);
        match token.kind {
            Tok::Eof => "the end of the file".to_string(),
            Tok::String | Tok::Char | Tok::Number if text.len() > SHOWN => "a long literal".to_string(),
            _ => format!("`{text}`"),
        }
    }

    /// A unit with CBMC's contracts is no C: its first one is told, rather than what of it is not expected.
    fn refuse_contracts(&mut self) {
        let is_word = |token: &Token| token.kind == Tok::Ident && CONTRACT_WORDS.contains(&self.names.text(token.name));
        let Some(token) = self.tokens.iter().copied().find(is_word) else { return };
        let word = self.names.text(token.name);
        let diagnostic = Diagnostic::error(token.span(), format!("CBMC's contracts are not supported: `{word}`"))
            .help(format!("define it away, such as by -D'{word}(...)='"));
        self.error(diagnostic);
        self.give_up();
    }

    /// Syntax of CBMC's that is no C, at the token that C does not go on with.
    fn foreign_syntax(&self) -> Option<Diagnostic> {
        let before = self.tokens.get(self.pos.checked_sub(1)?)?;
        if before.kind == Tok::Le && self.at(Tok::Gt) {
            let span = before.span().to(self.span());
            let help = "write `!(a) == !(b)`, which is the same for truth values";
            return Some(Diagnostic::error(span, "CBMC's operator `<=>` is not supported").help(help));
        }
        let brackets = self.tokens[..self.pos].iter().rposition(|token| token.kind == Tok::LBracket)?;
        let word = self.tokens.get(brackets.checked_sub(1)?)?;
        let is_type = word.kind == Tok::Ident && BIT_VECTORS.contains(&self.names.text(word.name));
        is_type.then(|| {
            let message = format!("CBMC's types of bit vectors are not supported: `{}`", self.names.text(word.name));
            let help = "use an integer type of at least that width, and cut off what is above it";
            Diagnostic::error(word.span(), message).help(help)
        })
    }

    fn unexpected(&mut self, expected: &str) -> Reported {
        if let Some(diagnostic) = self.foreign_syntax() {
            return self.error(diagnostic);
        }
        let diagnostic = Diagnostic::error(self.span(), format!("expected {expected}, found {}", self.describe()))
            .label(format!("expected {expected}"));
        let diagnostic = match self.kind() {
            Tok::Eof => diagnostic.help("a closing `}` or `)`, or a `;`, is missing somewhere above"),
            _ => diagnostic,
        };
        self.error(diagnostic)
    }

    /// A word that stands where a type must, but is none.
    fn unknown_type(&mut self) -> Reported {
        let message = format!("unknown type name {}", self.describe());
        let help = "declare it with `typedef`, or include the header that does before preprocessing";
        let diagnostic = Diagnostic::error(self.span(), message).label("not declared as a type here").help(help);
        self.error(diagnostic)
    }

    fn give_up(&mut self) {
        self.gave_up = true;
        self.pos = self.tokens.len() - 1;
    }

    fn too_deep(&mut self) -> Reported {
        let diagnostic = Diagnostic::error(self.span(), "the program is nested too deeply here")
            .label(format!("more than {MAX_NESTING} levels"))
            .help("split the expression, statement or declaration into parts");
        let reported = self.error(diagnostic);
        self.give_up();
        reported
    }

    /// Parses something one level further down.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.too_deep());
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Parses an operand whose tree may become the left operand of operators that follow it.
    fn chained<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outside = std::mem::replace(&mut self.deepest, self.depth);
        let result = parse(self);
        self.deepest = self.deepest.max(outside);
        result
    }

    /// The tree of the operand at hand has been put below a new node.
    fn sink(&mut self) -> Parsed<()> {
        self.deepest += 1;
        match self.deepest > MAX_NESTING {
            true => Err(self.too_deep()),
            false => Ok(()),
        }
    }

    fn scoped<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scopes.push();
        let result = parse(self);
        self.scopes.pop();
        result
    }

    /// Skips behind the next `;`, or up to the `}` that closes the block or record at hand. What failed to parse started
    /// at `start`; braces that it opened are skipped with it.
    fn recover_in_braces(&mut self, start: usize) {
        let mut open = self.braces_open_since(start);
        loop {
            match self.kind() {
                Tok::Eof => return,
                Tok::RBrace if open == 0 => return,
                Tok::RBrace => open -= 1,
                Tok::LBrace => open += 1,
                Tok::Semi if open == 0 => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips behind the next `;` or braced body at file scope.
    fn recover_at_file_scope(&mut self, start: usize) {
        let mut open = self.braces_open_since(start);
        loop {
            match self.bump().kind {
                Tok::Eof => return,
                Tok::LBrace => open += 1,
                Tok::RBrace => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        self.eat(Tok::Semi);
                        return;
                    }
                }
                Tok::Semi if open == 0 => return,
                _ => {}
            }
        }
    }

    fn braces_open_since(&self, start: usize) -> usize {
        // There is nothing left to skip, and every enclosing block is about to ask.
        if self.at(Tok::Eof) {
            return 0;
        }
        self.tokens[start..self.pos].iter().fold(0usize, |open, token| match token.kind {
            Tok::LBrace => open + 1,
            Tok::RBrace => open.saturating_sub(1),
            _ => open,
        })
    }
}
