//! Tokens of OIL: names, numbers, strings and punctuation, with include directives among them.
//!
//! The lexer never fails: what it cannot read is a diagnostic, and lexing goes on behind it.

use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::{SourceUnit, Span};

#[derive(Clone, PartialEq, Debug)]
pub enum TokenKind {
    Name(String),
    /// Decimal or hexadecimal, with its sign.
    Integer(i128),
    Float(f64),
    Text(String),
    /// One of `{ } [ ] = ; : ,`.
    Punctuation(char),
    /// `..` between the ends of a range.
    DotDot,
    Include(Include),
    /// Behind the last token of everything that is read.
    End,
}

/// An include directive as it is written.
#[derive(Clone, PartialEq, Debug)]
pub struct Include {
    pub path: String,
    /// `"..."` looks beside the including file first, `<...>` only along the search path.
    pub beside: bool,
    /// `#includeifexists`, as Trampoline's compiler has it.
    pub optional: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

impl Token {
    /// The token as a message names it.
    pub fn describe(&self) -> String {
        match &self.kind {
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Integer(number) => format!("`{number}`"),
            TokenKind::Float(number) => format!("`{number}`"),
            TokenKind::Text(_) => "a string".to_string(),
            TokenKind::Punctuation(c) => format!("`{c}`"),
            TokenKind::DotDot => "`..`".to_string(),
            TokenKind::Include(_) => "an include directive".to_string(),
            TokenKind::End => "the end of the file".to_string(),
        }
    }
}

/// The tokens of one file, without an end token.
pub fn lex(unit: &SourceUnit, diags: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer { text: &unit.text, at: 0, base: unit.base(), diags, tokens: Vec::new() };
    while !lexer.diags.saturated() {
        lexer.skip_blanks();
        if lexer.at >= lexer.text.len() {
            break;
        }
        lexer.token();
    }
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    base: u32,
    diags: &'a mut Diagnostics,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span(&self, start: usize) -> Span {
        // The shared offset space is below `u32::MAX`: a unit that does not fit is never made.
        Span::new(self.base + start as u32, self.base + self.at as u32)
    }

    fn push(&mut self, start: usize, kind: TokenKind) {
        let span = self.span(start);
        self.tokens.push(Token { kind, span });
    }

    fn error(&mut self, start: usize, message: impl Into<String>, help: &str) {
        let span = self.span(start);
        self.diags.push(Diagnostic::error(span, message).help(help));
    }

    /// Moves behind the longest prefix whose characters all pass.
    fn take_while(&mut self, pass: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !pass(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            if rest.starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let start = self.at;
                match comment.find("*/") {
                    Some(end) => self.at += 2 + end + 2,
                    None => {
                        self.at += 2;
                        self.error(start, "a comment has no end", "close it with `*/`");
                        self.at = self.text.len();
                    }
                }
            } else if rest.starts_with(|c: char| c.is_whitespace() || c == '\u{feff}') {
                self.take_while(|c| c.is_whitespace() || c == '\u{feff}');
            } else {
                return;
            }
        }
    }

    fn token(&mut self) {
        let start = self.at;
        let Some(c) = self.peek() else { return };
        match c {
            'A'..='Z' | 'a'..='z' | '_' => {
                let name = self.take_while(is_name_character).to_string();
                self.push(start, TokenKind::Name(name));
            }
            '0'..='9' | '+' | '-' => self.number(),
            '"' => self.string(),
            '#' => self.directive(),
            '{' | '}' | '[' | ']' | '=' | ';' | ':' | ',' => {
                self.at += 1;
                self.push(start, TokenKind::Punctuation(c));
            }
            '.' if self.rest().starts_with("..") => {
                self.at += 2;
                self.push(start, TokenKind::DotDot);
            }
            _ => {
                self.at += c.len_utf8();
                self.error(start, format!("OIL has no character `{}`", c.escape_default()), "remove it");
            }
        }
    }

    /// `12`, `0x1F`, `-3`, `0.001`, `2.5e-3`. The dots of `1..10` belong to the range.
    fn number(&mut self) {
        let start = self.at;
        let negative = self.rest().starts_with('-');
        if self.rest().starts_with(['+', '-']) {
            self.at += 1;
            self.take_while(char::is_whitespace);
        }
        let rest = self.rest();
        if let Some(digits) = rest.strip_prefix("0x").or(rest.strip_prefix("0X")) {
            let count = digits.find(is_not_name_character).unwrap_or(digits.len());
            self.at += 2 + count;
            return self.integer(start, i128::from_str_radix(&digits[..count], 16).ok(), negative);
        }
        let whole = self.take_while(|c| c.is_ascii_digit());
        if whole.is_empty() {
            return self.error(start, "a sign stands without a number", "write the number behind its sign");
        }
        let has_fraction = self.rest().starts_with('.') && !self.rest().starts_with("..");
        if has_fraction || self.rest().starts_with(['e', 'E']) {
            return self.float(start);
        }
        let letters = self.take_while(is_name_character);
        let value = if letters.is_empty() { whole.parse().ok() } else { None };
        self.integer(start, value, negative);
    }

    fn integer(&mut self, start: usize, magnitude: Option<i128>, negative: bool) {
        match magnitude.filter(|m| *m <= i128::from(u64::MAX)) {
            Some(m) => self.push(start, TokenKind::Integer(if negative { -m } else { m })),
            None => {
                let message = format!("`{}` is no number of at most 64 bits", &self.text[start..self.at]);
                self.error(start, message, "write a decimal number, or a hexadecimal one with `0x`");
            }
        }
    }

    /// The rest of a number behind its whole part.
    fn float(&mut self, start: usize) {
        if self.rest().starts_with('.') {
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
        }
        if self.rest().starts_with(['e', 'E']) {
            self.at += 1;
            if self.rest().starts_with(['+', '-']) {
                self.at += 1;
            }
            self.take_while(is_name_character);
        }
        let written: String = self.text[start..self.at].chars().filter(|c| !c.is_whitespace()).collect();
        match written.parse::<f64>().ok().filter(|value| value.is_finite()) {
            Some(value) => self.push(start, TokenKind::Float(value)),
            None => self.error(start, format!("`{written}` is no number"), "write it as in `0.5` or `2.5e-3`"),
        }
    }

    /// Strings next to each other are one, as in C.
    fn string(&mut self) {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let c = self.peek();
            match c {
                Some('"') => {
                    self.at += 1;
                    break;
                }
                None | Some('\n') => {
                    return self.error(start, "a string has no end on its line", "close it with `\"`");
                }
                Some('\\') => {
                    self.at += 1;
                    match self.peek() {
                        // A line that goes on.
                        Some('\n') => self.at += 1,
                        Some(escaped) => {
                            self.at += escaped.len_utf8();
                            text.push(match escaped {
                                'n' => '\n',
                                't' => '\t',
                                other => other,
                            });
                        }
                        None => {}
                    }
                }
                Some(c) => {
                    self.at += c.len_utf8();
                    text.push(c);
                }
            }
        }
        let end = self.at;
        if let Some(Token { kind: TokenKind::Text(before), span }) = self.tokens.last_mut() {
            before.push_str(&text);
            span.end = self.base + end as u32;
        } else {
            self.push(start, TokenKind::Text(text));
        }
    }

    fn directive(&mut self) {
        let start = self.at;
        let line = self.take_while(|c| c != '\n');
        let word = line[1..].trim_start();
        let (optional, rest) = match (word.strip_prefix("includeifexists"), word.strip_prefix("include")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => {
                let message = format!("OIL has no directive `{}`", line.trim_end());
                return self.error(start, message, "only `#include` is understood; remove the line");
            }
        };
        let rest = rest.trim_start();
        let path = |open: char, close: char| rest.strip_prefix(open)?.split_once(close);
        let found = path('"', '"').map(|found| (true, found)).or_else(|| path('<', '>').map(|found| (false, found)));
        match found.filter(|(_, (path, _))| !path.trim().is_empty()) {
            Some((beside, (path, behind))) => {
                // What follows on the line, usually a comment, is read on.
                self.at -= behind.len();
                self.push(start, TokenKind::Include(Include { path: path.trim().to_string(), beside, optional }));
            }
            None => self.error(
                start,
                "an include directive names no file",
                "write `#include \"file.oil\"` or `#include <file.oil>`",
            ),
        }
    }
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_not_name_character(c: char) -> bool {
    !is_name_character(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_c::source::SourceMap;

    fn kinds(text: &str) -> (Vec<TokenKind>, Vec<String>) {
        let mut sources = SourceMap::new();
        sources.add("a.oil", text.to_string()).unwrap();
        let mut diags = Diagnostics::new();
        let tokens = lex(&sources.units()[0], &mut diags);
        (tokens.into_iter().map(|t| t.kind).collect(), diags.iter().map(|d| d.message.clone()).collect())
    }

    #[test]
    fn numbers_and_ranges_are_told_apart() {
        use TokenKind::{DotDot, Float, Integer, Punctuation};
        let (tokens, errors) = kinds("1..10 0x1F -3 - 4 0.001 -2.5e-3 18446744073709551615 [1,2]");
        assert_eq!(errors, Vec::<String>::new());
        let range = [Integer(1), DotDot, Integer(10)];
        let numbers = [Integer(31), Integer(-3), Integer(-4), Float(0.001), Float(-0.0025), Integer(u64::MAX.into())];
        let list = [Punctuation('['), Integer(1), Punctuation(','), Integer(2), Punctuation(']')];
        assert_eq!(tokens, [&range[..], &numbers[..], &list[..]].concat());
    }

    #[test]
    fn comments_and_descriptions_are_read_as_in_c() {
        let (tokens, errors) = kinds("a /* b\n */ // c\n : \"one \" \"\\\"two\\\"\\n\"");
        assert_eq!(errors, Vec::<String>::new());
        let text = TokenKind::Text("one \"two\"\n".to_string());
        assert_eq!(tokens, [TokenKind::Name("a".to_string()), TokenKind::Punctuation(':'), text]);
    }

    #[test]
    fn includes_are_found_in_both_forms() {
        let (tokens, errors) = kinds("#include \"a.oil\" // why\n  # include <b/c.oil>\n#includeifexists <d.oil>\n");
        assert_eq!(errors, Vec::<String>::new());
        let include =
            |path: &str, beside, optional| TokenKind::Include(Include { path: path.to_string(), beside, optional });
        let expected = [include("a.oil", true, false), include("b/c.oil", false, false), include("d.oil", false, true)];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn what_is_no_token_is_told_and_lexing_goes_on() {
        for text in [
            "$ a",
            "\"open\na",
            "0xg a",
            "12ab a",
            "- a",
            "#pragma x\na",
            "#include\na",
            "1.5e a",
            "99999999999999999999 a",
        ] {
            let (tokens, errors) = kinds(text);
            assert_eq!(errors.len(), 1, "{text}: {errors:?}");
            assert_eq!(tokens.last(), Some(&TokenKind::Name("a".to_string())), "{text}");
        }
        assert_eq!(kinds("a /* b").1.len(), 1);
    }
}
