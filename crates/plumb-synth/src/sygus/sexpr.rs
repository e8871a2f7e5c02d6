//! S-expressions with their places.

use std::fmt;

/// A part of the text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// What is wrong with a file, where, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub span: Span,
    pub message: String,
    /// What stands there, in a few words.
    pub label: String,
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn new(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span, message: message.into(), label: String::new(), help: None }
    }

    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Line and column, both from 1 on; a column is a character.
    pub fn place(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.span.start as usize).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or("");
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sexpr {
    pub span: Span,
    pub kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Symbol(String),
    /// With its colon.
    Keyword(String),
    Numeral(String),
    Decimal(String),
    /// Digits behind `#x`.
    Hex(String),
    /// Digits behind `#b`.
    Binary(String),
    Text(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    pub fn symbol(&self) -> Option<&str> {
        match &self.kind {
            Kind::Symbol(name) => Some(name),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Sexpr]> {
        match &self.kind {
            Kind::List(list) => Some(list),
            _ => None,
        }
    }

    /// The symbol that a list begins with.
    pub fn head(&self) -> Option<&str> {
        self.list()?.first()?.symbol()
    }
}

/// What it is, in messages.
impl fmt::Display for Sexpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Symbol(name) | Kind::Keyword(name) => write!(f, "`{name}`"),
            Kind::Numeral(digits) | Kind::Decimal(digits) => write!(f, "`{digits}`"),
            Kind::Hex(digits) => write!(f, "`#x{digits}`"),
            Kind::Binary(digits) => write!(f, "`#b{digits}`"),
            Kind::Text(_) => f.write_str("a text"),
            Kind::List(_) => f.write_str("a list"),
        }
    }
}

/// Lists inside of lists: deeper ones are refused, since everything that walks them recurses.
const MAX_DEPTH: usize = 600;

/// Reads all expressions of a text.
pub fn read(text: &str) -> Result<Vec<Sexpr>, Diagnostic> {
    let mut reader = Reader { text, at: 0 };
    let mut open: Vec<(usize, Vec<Sexpr>)> = Vec::new();
    let mut done = Vec::new();
    while let Some(start) = reader.next_start() {
        let read = match text.as_bytes()[start] {
            b'(' if open.len() >= MAX_DEPTH => {
                return Err(Diagnostic::new(span(start, start + 1), "lists are nested too deeply"));
            }
            b'(' => {
                reader.at += 1;
                open.push((start, Vec::new()));
                continue;
            }
            b')' => {
                reader.at += 1;
                let Some((start, list)) = open.pop() else {
                    return Err(Diagnostic::new(span(start, start + 1), "there is no list to close"));
                };
                Sexpr { span: span(start, reader.at), kind: Kind::List(list) }
            }
            _ => reader.atom(start)?,
        };
        open.last_mut().map_or(&mut done, |(_, list)| list).push(read);
    }
    match open.pop() {
        Some((start, _)) => {
            Err(Diagnostic::new(span(start, start + 1), "the list is not closed").help("add the `)` that is missing"))
        }
        None => Ok(done),
    }
}

fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// Where the next expression or parenthesis begins.
    fn next_start(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at)? {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b';' => {
                    while bytes.get(self.at).is_some_and(|byte| *byte != b'\n') {
                        self.at += 1;
                    }
                }
                _ => return Some(self.at),
            }
        }
    }

    fn atom(&mut self, start: usize) -> Result<Sexpr, Diagnostic> {
        let bytes = self.text.as_bytes();
        if let quote @ (b'|' | b'"') = bytes[start] {
            let Some(length) = self.text[start + 1..].find(quote as char) else {
                let what = if quote == b'|' { "the quoted symbol does not end" } else { "the text does not end" };
                return Err(Diagnostic::new(span(start, start + 1), what));
            };
            self.at = start + length + 2;
            let content = self.text[start + 1..start + 1 + length].to_string();
            let kind = if quote == b'|' { Kind::Symbol(content) } else { Kind::Text(content) };
            return Ok(Sexpr { span: span(start, self.at), kind });
        }
        let is_end = |byte: u8| byte.is_ascii_whitespace() || b"();|\"".contains(&byte);
        let length = bytes[start..].iter().position(|byte| is_end(*byte)).unwrap_or(bytes.len() - start);
        self.at = start + length;
        let word = &self.text[start..self.at];
        match kind(word) {
            Some(kind) => Ok(Sexpr { span: span(start, self.at), kind }),
            None => Err(Diagnostic::new(span(start, self.at), format!("`{word}` is neither a symbol nor a constant"))),
        }
    }
}

/// What a word is.
fn kind(word: &str) -> Option<Kind> {
    let all = |text: &str, test: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|byte| test(&byte));
    if let Some(digits) = word.strip_prefix("#x") {
        return all(digits, u8::is_ascii_hexdigit).then(|| Kind::Hex(digits.to_string()));
    }
    if let Some(digits) = word.strip_prefix("#b") {
        return all(digits, |byte| matches!(byte, b'0' | b'1')).then(|| Kind::Binary(digits.to_string()));
    }
    if let Some(name) = word.strip_prefix(':') {
        return all(name, is_symbol_byte).then(|| Kind::Keyword(word.to_string()));
    }
    if word.starts_with(|first: char| first.is_ascii_digit()) {
        if all(word, u8::is_ascii_digit) {
            return Some(Kind::Numeral(word.to_string()));
        }
        let (whole, rest) = word.split_once('.')?;
        let is_decimal = all(whole, u8::is_ascii_digit) && all(rest, u8::is_ascii_digit);
        return is_decimal.then(|| Kind::Decimal(word.to_string()));
    }
    all(word, is_symbol_byte).then(|| Kind::Symbol(word.to_string()))
}

/// Characters of a symbol without quotes.
pub fn is_symbol_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_and_lists_are_read() {
        let read = read("; comment\n(set-logic BV) ( #x0F #b01 -1 |a b| 12 1.5 :key \"t\" )").unwrap();
        let kinds: Vec<&Kind> = read[1].list().unwrap().iter().map(|sexpr| &sexpr.kind).collect();
        assert_eq!(read[0].head(), Some("set-logic"));
        assert_eq!(kinds.len(), 8);
        assert_eq!(kinds[0], &Kind::Hex("0F".to_string()));
        assert_eq!(kinds[2], &Kind::Symbol("-1".to_string()));
        assert_eq!(kinds[3], &Kind::Symbol("a b".to_string()));
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        for (text, place, message) in [
            ("(a\n (b", (2, 2), "not closed"),
            ("a)\n", (1, 2), "no list to close"),
            ("(a\n #xg)", (2, 2), "neither a symbol nor a constant"),
            ("(|a", (1, 2), "does not end"),
            ("(1a)", (1, 2), "neither"),
            ("(é)", (1, 2), "neither"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.place(text), place, "{text}");
            assert!(error.message.contains(message), "{text}: {}", error.message);
        }
        assert!(read(&"(".repeat(5000)).unwrap_err().message.contains("too deeply"));
    }
}
