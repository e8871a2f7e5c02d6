//! The lexer: preprocessed text to tokens with spans.
//!
//! ```text
//!   mod      the scanner: white space, comments, words, punctuation, directives
//!   token    token kinds and keywords
//!   number   numeric literals
//!   literal  character and string literals
//!   pragma   which pragmas mean what; pack: #pragma pack
//! ```
//!
//! The scanner works on bytes and finds only where a literal ends; the parser decodes the literal when it needs it.
//! Line markers, pragmas and comments leave no token. Backslash-newlines, which a preprocessor would have removed, are
//! cut out before scanning and put back into the spans after it.

pub(crate) mod literal;
pub(crate) mod number;
pub(crate) mod pack;
pub mod pragma;
pub(crate) mod token;

#[cfg(test)]
mod tests;

use crate::diag::{Diagnostic, Diagnostics};
use crate::names::{Name, Names};
use crate::preprocess::raw_byte;
use crate::source::{SourceUnit, Span};
use pack::PackChange;
use pragma::{PragmaEffect, Pragmas, WrapvChange};
use std::borrow::Cow;
use token::{Keywords, Tok, Token};

pub(crate) struct Lexed {
    /// Ends with exactly one `Eof`.
    pub tokens: Vec<Token>,
    pub packs: Vec<PackChange>,
    pub wrapv: Vec<WrapvChange>,
}

pub(crate) fn lex(unit: &SourceUnit, names: &mut Names, diags: &mut Diagnostics) -> Lexed {
    let (text, cuts) = cut_continuations(&unit.text);
    let keywords = Keywords::new(names);
    let no_name = names.intern("");
    let mut scanner = Scanner {
        text: &text,
        bytes: text.as_bytes(),
        at: 0,
        tokens: Vec::with_capacity(text.len() / 5 + 1),
        pragmas: Pragmas::default(),
        problems: Vec::new(),
        errors: 0,
        foreign_directive: false,
        keywords,
        names,
        no_name,
    };
    scanner.run();
    let Scanner { mut tokens, pragmas, problems, .. } = scanner;
    let start = |at: u32| unit.base() + at + removed_before(&cuts, at);
    // A cut right behind a token is not part of it.
    let end = |at: u32| start(at.max(1) - 1) + at.min(1);
    if cuts.is_empty() {
        for token in &mut tokens {
            token.start += unit.base();
            token.end += unit.base();
        }
    } else {
        for token in &mut tokens {
            (token.start, token.end) = (start(token.start), end(token.end).max(start(token.start)));
        }
    }
    for mut problem in problems {
        problem.span = Span::new(start(problem.span.start), end(problem.span.end).max(start(problem.span.start)));
        diags.push(problem);
    }
    let (packs, wrapv) = pragmas.into_changes();
    Lexed { tokens, packs, wrapv }
}

/// Where text was cut out, as offsets into what remained, with the number of bytes gone up to there.
type Cuts = Vec<(u32, u32)>;

/// Removes every backslash-newline (C11 5.1.1.2, phase 2).
pub(crate) fn cut_continuations(text: &str) -> (Cow<'_, str>, Cuts) {
    if !text.contains("\\\n") && !text.contains("\\\r\n") {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut out = String::with_capacity(text.len());
    let mut cuts = Vec::new();
    let mut removed = 0;
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let tail = &rest[at + 1..];
        let length = match tail.as_bytes() {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => 0,
        };
        out.push_str(&rest[..at + usize::from(length == 0)]);
        if length > 0 {
            removed += length as u32 + 1;
            cuts.push((out.len() as u32, removed));
        }
        rest = &tail[length..];
    }
    out.push_str(rest);
    (Cow::Owned(out), cuts)
}

fn removed_before(cuts: &Cuts, at: u32) -> u32 {
    match cuts.partition_point(|&(offset, _)| offset <= at) {
        0 => 0,
        n => cuts[n - 1].1,
    }
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    pragmas: Pragmas,
    problems: Vec<Diagnostic>,
    errors: usize,
    /// A directive that only a preprocessor understands has been reported.
    foreign_directive: bool,
    keywords: Keywords,
    names: &'a mut Names,
    no_name: Name,
}

/// Bytes that continue an identifier or a preprocessing number.
const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
        byte += 1;
    }
    table
};

impl Scanner<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        while self.at < self.bytes.len() && self.errors < Diagnostics::MAX_ERRORS {
            let start = self.at;
            match self.bytes[start] {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word(start),
                b'0'..=b'9' => self.number(start),
                b'.' if self.peek(1).is_ascii_digit() => self.number(start),
                b'"' => self.quoted(start, start, Tok::String),
                b'\'' => self.quoted(start, start, Tok::Char),
                b'/' if self.peek(1) == b'/' => self.at = self.line_end(start),
                b'/' if self.peek(1) == b'*' => self.block_comment(start),
                b'#' if self.starts_line(start) => self.directive(start),
                b'\\' if matches!(self.peek(1), b'u' | b'U') => self.extended_word(start),
                0x80.. => self.extended_word(start),
                byte => self.punctuation(start, byte),
            }
        }
        let end = self.bytes.len();
        self.push(Tok::Eof, end, end);
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Tok, start: usize, end: usize) {
        self.tokens.push(Token { kind, start: start as u32, end: end as u32, name: self.no_name });
        self.at = end;
    }

    fn problem(&mut self, start: usize, end: usize, message: impl Into<String>, label: &str, help: &str) {
        let span = Span::new(start as u32, end as u32);
        self.errors += 1;
        self.problems.push(Diagnostic::error(span, message).label(label).help(help));
    }

    fn line_end(&self, from: usize) -> usize {
        self.bytes[from..].iter().position(|&b| b == b'\n').map_or(self.bytes.len(), |n| from + n)
    }

    fn starts_line(&self, at: usize) -> bool {
        let before = self.bytes[..at].iter().rev().find(|b| !matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c));
        matches!(before, None | Some(b'\n')) || self.text[..at].trim_matches(['\u{feff}', ' ', '\t']).is_empty()
    }

    fn word(&mut self, start: usize) {
        let mut end = start + 1;
        while end < self.bytes.len() && WORD[self.bytes[end] as usize] {
            end += 1;
        }
        match self.bytes.get(end) {
            Some(quote @ (b'"' | b'\'')) if matches!(&self.bytes[start..end], b"L" | b"u" | b"U" | b"u8") => {
                let kind = if *quote == b'"' { Tok::String } else { Tok::Char };
                return self.quoted(start, end, kind);
            }
            Some(b'\\' | 0x80..) => return self.extended_word(start),
            Some(_) | None => {}
        }
        let name = self.names.intern(&self.text[start..end]);
        self.push_word(name, start, end);
    }

    fn push_word(&mut self, name: Name, start: usize, end: usize) {
        let kind = self.keywords.kind(name);
        self.at = end;
        if kind != Tok::Ignored {
            self.tokens.push(Token { kind, start: start as u32, end: end as u32, name });
        }
    }

    /// A word with characters beyond ASCII or universal character names; also where stray characters end up.
    fn extended_word(&mut self, start: usize) {
        let mut word = String::new();
        let mut chars = self.text[start..].chars();
        let mut end = start;
        while let Some(c) = chars.next() {
            if c == '\\' {
                let Some(escape @ ('u' | 'U')) = chars.next() else { break };
                let Ok(named) = literal::universal(&mut chars, escape) else { break };
                word.push(named);
            } else if c.is_ascii_alphanumeric()
                || matches!(c, '_' | '$')
                || (!c.is_ascii() && !c.is_whitespace() && raw_byte(c).is_none())
            {
                word.push(c);
            } else {
                break;
            }
            end = self.text.len() - chars.as_str().len();
        }
        if end > start {
            let name = self.names.intern(&word);
            self.push_word(name, start, end);
        } else {
            self.stray(start);
        }
    }

    /// Reports a run of characters that start no token.
    fn stray(&mut self, start: usize) {
        let c = self.text[start..].chars().next().unwrap_or(' ');
        let mut end = start + c.len_utf8();
        while let Some(next) = self.text[end..].chars().next() {
            if next.is_ascii() || raw_byte(next).is_none() {
                break;
            }
            end += next.len_utf8();
        }
        let shown = match raw_byte(c) {
            Some(byte) => format!("byte 0x{byte:02x}"),
            None if c.is_control() || c.is_whitespace() || !c.is_ascii() => format!("character U+{:04X}", c as u32),
            None => format!("character `{c}`"),
        };
        let message = format!("stray {shown} in the program");
        self.problem(start, end, message, "not C", "remove it, or check that this file is C source text");
        self.at = end;
    }

    fn number(&mut self, start: usize) {
        let mut end = start + 1;
        while let Some(&byte) = self.bytes.get(end) {
            let continues = WORD[byte as usize]
                || byte == b'.'
                || (matches!(byte, b'+' | b'-') && matches!(self.bytes[end - 1], b'e' | b'E' | b'p' | b'P'));
            if !continues {
                break;
            }
            end += 1;
        }
        self.push(Tok::Number, start, end);
    }

    fn quoted(&mut self, start: usize, quote_at: usize, kind: Tok) {
        let quote = self.bytes[quote_at];
        let mut end = quote_at + 1;
        loop {
            match self.bytes.get(end) {
                Some(&byte) if byte == quote => return self.push(kind, start, end + 1),
                Some(b'\\') if !matches!(self.bytes.get(end + 1), None | Some(b'\n')) => end += 2,
                Some(b'\n') | None => break,
                Some(_) => end += 1,
            }
        }
        // A backslash may have skipped the first byte of a longer character: only whole ones are sliced.
        let end = end.min(self.bytes.len());
        let what = if kind == Tok::String { "string literal" } else { "character constant" };
        let message = format!("unterminated {what}");
        let help = format!("write `{}` before the end of the line", quote as char);
        self.problem(start, end, message, "starts here", &help);
        // An empty literal stands in, so that the parser does not trip over it again.
        self.push(kind, start, start);
        self.at = end;
    }

    fn block_comment(&mut self, start: usize) {
        let mut at = start + 2;
        while let Some(n) = self.bytes[at.min(self.bytes.len())..].iter().position(|&b| b == b'*') {
            at += n + 1;
            if self.bytes.get(at) == Some(&b'/') {
                self.at = at + 1;
                return;
            }
        }
        self.problem(start, start + 2, "unterminated comment", "starts here", "close it with `*/`");
        self.at = self.bytes.len();
    }

    /// A line that starts with `#`. As in gcc's `-fpreprocessed`, markers and definitions are skipped.
    fn directive(&mut self, start: usize) {
        let end = self.line_end(start);
        self.at = end;
        let line = self.text[start + 1..end].trim();
        let word_end = line.bytes().position(|b| !WORD[b as usize]).unwrap_or(line.len());
        let (word, rest) = line.split_at(word_end);
        match word {
            "pragma" => self.pragma(rest, start, end),
            "" | "line" | "ident" | "sccs" | "define" | "undef" | "assert" | "unassert" | "warning" => {}
            _ if word.bytes().all(|b| b.is_ascii_digit()) => {}
            _ if self.foreign_directive => {}
            _ => {
                self.foreign_directive = true;
                let message = format!("the directive `#{word}` stands in preprocessed text");
                let help = "run the file through `cc -E` first, or rename it from `.i` to `.c` so that Plumb does";
                self.problem(start, end, message, "needs a preprocessor", help);
            }
        }
    }

    fn pragma(&mut self, text: &str, start: usize, end: usize) {
        let span = Span::new(start as u32, end as u32);
        match self.pragmas.pragma(text, self.tokens.len()) {
            PragmaEffect::None => {}
            // The only warning there is; once will do.
            PragmaEffect::Malformed if self.problems.len() > self.errors => {}
            PragmaEffect::Malformed => self.problems.push(
                Diagnostic::warning(span, "malformed `#pragma pack` has no effect")
                    .help("write `#pragma pack(push, 1)`, `#pragma pack(pop)`, `#pragma pack(1)` or `#pragma pack()`"),
            ),
            PragmaEffect::Refused(message) => self.problem(
                start,
                end,
                message,
                "not supported",
                "take the pragma out where it does not matter to what is checked",
            ),
        }
    }

    /// `_Pragma ( "text" )` has just been completed: removes its four tokens and acts on it.
    fn pragma_operator(&mut self) {
        let first = self.tokens.len() - 4;
        let (start, string) = (self.tokens[first].start as usize, self.tokens[first + 2]);
        self.tokens.truncate(first);
        let literal = &self.text[string.start as usize..string.end as usize];
        if let Ok((units, _)) = literal::decode_strings(&[literal]) {
            let text: String = units.into_iter().filter_map(char::from_u32).collect();
            self.pragma(&text, start, self.at);
        }
    }

    fn punctuation(&mut self, start: usize, byte: u8) {
        let (second, third) = (self.peek(1), self.peek(2));
        let (kind, length) = match (byte, second, third) {
            (b'(', ..) => (Tok::LParen, 1),
            (b')', ..) => (Tok::RParen, 1),
            (b'[', ..) => (Tok::LBracket, 1),
            (b']', ..) => (Tok::RBracket, 1),
            (b'{', ..) => (Tok::LBrace, 1),
            (b'}', ..) => (Tok::RBrace, 1),
            (b';', ..) => (Tok::Semi, 1),
            (b',', ..) => (Tok::Comma, 1),
            (b'.', b'.', b'.') => (Tok::Ellipsis, 3),
            (b'.', ..) => (Tok::Dot, 1),
            (b'?', ..) => (Tok::Question, 1),
            (b'~', ..) => (Tok::Tilde, 1),
            (b':', b'>', _) => (Tok::RBracket, 2),
            (b':', ..) => (Tok::Colon, 1),
            (b'+', b'+', _) => (Tok::PlusPlus, 2),
            (b'+', b'=', _) => (Tok::PlusAssign, 2),
            (b'+', ..) => (Tok::Plus, 1),
            (b'-', b'>', _) => (Tok::Arrow, 2),
            (b'-', b'-', _) => (Tok::MinusMinus, 2),
            (b'-', b'=', _) => (Tok::MinusAssign, 2),
            (b'-', ..) => (Tok::Minus, 1),
            (b'*', b'=', _) => (Tok::StarAssign, 2),
            (b'*', ..) => (Tok::Star, 1),
            (b'/', b'=', _) => (Tok::SlashAssign, 2),
            (b'/', ..) => (Tok::Slash, 1),
            (b'%', b'=', _) => (Tok::PercentAssign, 2),
            (b'%', b'>', _) => (Tok::RBrace, 2),
            (b'%', ..) => (Tok::Percent, 1),
            (b'&', b'&', _) => (Tok::AmpAmp, 2),
            (b'&', b'=', _) => (Tok::AmpAssign, 2),
            (b'&', ..) => (Tok::Amp, 1),
            (b'|', b'|', _) => (Tok::PipePipe, 2),
            (b'|', b'=', _) => (Tok::PipeAssign, 2),
            (b'|', ..) => (Tok::Pipe, 1),
            (b'^', b'=', _) => (Tok::CaretAssign, 2),
            (b'^', ..) => (Tok::Caret, 1),
            (b'<', b'<', b'=') => (Tok::ShlAssign, 3),
            (b'<', b'<', _) => (Tok::Shl, 2),
            (b'<', b'=', _) => (Tok::Le, 2),
            (b'<', b':', _) => (Tok::LBracket, 2),
            (b'<', b'%', _) => (Tok::LBrace, 2),
            (b'<', ..) => (Tok::Lt, 1),
            (b'>', b'>', b'=') => (Tok::ShrAssign, 3),
            (b'>', b'>', _) => (Tok::Shr, 2),
            (b'>', b'=', _) => (Tok::Ge, 2),
            (b'>', ..) => (Tok::Gt, 1),
            (b'=', b'=', _) => (Tok::EqEq, 2),
            (b'=', ..) => (Tok::Assign, 1),
            (b'!', b'=', _) => (Tok::Ne, 2),
            (b'!', ..) => (Tok::Bang, 1),
            _ => return self.stray(start),
        };
        self.push(kind, start, start + length);
        if kind == Tok::RParen {
            let kinds = self.tokens.len().checked_sub(4).map(|n| (self.tokens[n].kind, self.tokens[n + 2].kind));
            if kinds == Some((Tok::PragmaOp, Tok::String)) {
                self.pragma_operator();
            }
        }
    }
}
