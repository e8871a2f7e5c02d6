//! The part of YAML that witnesses are written in: block mappings and sequences, quoted, plain and folded scalars, empty flow
//! collections, comments.
//!
//! Anchors, tags, flow collections with content and several documents are refused: a witness that uses them is not read
//! rather than misread. A key that a mapping has twice is refused for the same reason.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Yaml {
    Scalar(String),
    Sequence(Vec<Yaml>),
    Mapping(Vec<(String, Yaml)>),
    /// Nothing stands there.
    Null,
}

impl Yaml {
    pub fn get(&self, key: &str) -> Option<&Yaml> {
        match self {
            Yaml::Mapping(pairs) => pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            Yaml::Scalar(_) | Yaml::Sequence(_) | Yaml::Null => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Yaml::Scalar(text) => Some(text),
            Yaml::Sequence(_) | Yaml::Mapping(_) | Yaml::Null => None,
        }
    }

    pub fn list(&self) -> Option<&[Yaml]> {
        match self {
            Yaml::Sequence(items) => Some(items),
            Yaml::Null => Some(&[]),
            Yaml::Scalar(_) | Yaml::Mapping(_) => None,
        }
    }
}

/// What is wrong, and in which line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YamlError {
    pub line: usize,
    pub what: &'static str,
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

type Parsed<T> = Result<T, YamlError>;

/// Nesting beyond this is no witness.
const DEEPEST: usize = 64;

pub fn parse(text: &str) -> Parsed<Yaml> {
    let mut lines = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let content = line.trim_start_matches(' ');
        let is_start = line == "---" && lines.is_empty();
        if line.starts_with('\t') || content.starts_with('\t') {
            return Err(YamlError { line: i + 1, what: "a tab in the indentation" });
        }
        if !content.trim_end().is_empty() && !content.starts_with('#') && !is_start {
            lines.push(Line { number: i + 1, indent: line.len() - content.len(), content: content.trim_end() });
        }
    }
    let mut parser = Parser { lines, at: 0, source: text.lines().collect() };
    let value = match parser.lines.first().map(|line| line.indent) {
        Some(indent) => parser.block(indent, 0)?,
        None => Yaml::Null,
    };
    match parser.lines.get(parser.at) {
        None => Ok(value),
        Some(line) => Err(YamlError { line: line.number, what: "wrong indentation" }),
    }
}

#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    indent: usize,
    content: &'a str,
}

struct Parser<'a> {
    lines: Vec<Line<'a>>,
    at: usize,
    source: Vec<&'a str>,
}

impl<'a> Parser<'a> {
    fn error<T>(&self, what: &'static str) -> Parsed<T> {
        let line = self.lines.get(self.at).or(self.lines.last()).map_or(0, |line| line.number);
        Err(YamlError { line, what })
    }

    /// What stands at an indentation.
    fn block(&mut self, indent: usize, depth: usize) -> Parsed<Yaml> {
        if depth > DEEPEST {
            return self.error("nested too deeply");
        }
        match self.lines.get(self.at) {
            Some(line) if is_item(line.content) => self.sequence(indent, depth),
            Some(line) if key_end(line.content).is_some() => self.mapping(indent, depth),
            Some(line) => {
                let value = scalar(line.content).ok_or(YamlError { line: line.number, what: "not understood" })?;
                self.at += 1;
                Ok(value)
            }
            None => Ok(Yaml::Null),
        }
    }

    fn sequence(&mut self, indent: usize, depth: usize) -> Parsed<Yaml> {
        let mut items = Vec::new();
        while let Some(line) = self.lines.get(self.at).copied().filter(|l| l.indent == indent && is_item(l.content)) {
            let rest = line.content[1..].trim_start();
            if rest.is_empty() || rest.starts_with('#') {
                self.at += 1;
                items.push(self.below(indent + 1, depth)?);
            } else {
                // What follows the dash stands at its own column.
                let column = indent + line.content.len() - rest.len();
                self.lines[self.at] = Line { indent: column, content: rest, ..line };
                items.push(self.block(column, depth + 1)?);
            }
        }
        Ok(Yaml::Sequence(items))
    }

    /// A block that is indented at least so far, if there is one.
    fn below(&mut self, least: usize, depth: usize) -> Parsed<Yaml> {
        match self.lines.get(self.at).map(|line| line.indent) {
            Some(indent) if indent >= least => self.block(indent, depth + 1),
            Some(_) | None => Ok(Yaml::Null),
        }
    }

    fn mapping(&mut self, indent: usize, depth: usize) -> Parsed<Yaml> {
        let mut pairs: Vec<(String, Yaml)> = Vec::new();
        while let Some(line) = self.lines.get(self.at).copied().filter(|l| l.indent == indent && !is_item(l.content)) {
            let Some(end) = key_end(line.content) else { return self.error("a key is missing") };
            let Some(Yaml::Scalar(key)) = scalar(line.content[..end].trim_end()) else {
                return self.error("a key that is not understood");
            };
            if pairs.iter().any(|(known, _)| *known == key) {
                return self.error("a key that is there already");
            }
            let rest = line.content[end + 1..].trim();
            let value = if rest.is_empty() || rest.starts_with('#') {
                self.at += 1;
                // A sequence may stand at the column of its key.
                let at_key = self.lines.get(self.at).is_some_and(|l| l.indent == indent && is_item(l.content));
                if at_key { self.sequence(indent, depth + 1)? } else { self.below(indent + 1, depth)? }
            } else if let Some(style @ ('|' | '>')) = rest.chars().next() {
                self.literal(line, indent, style, &rest[1..])?
            } else {
                let Some(value) = scalar(rest) else { return self.error("a value that is not understood") };
                self.at += 1;
                value
            };
            pairs.push((key, value));
        }
        Ok(Yaml::Mapping(pairs))
    }

    /// A scalar in lines of its own, each as it is (`|`) or folded into one (`>`).
    fn literal(&mut self, head: Line<'a>, indent: usize, style: char, rest: &str) -> Parsed<Yaml> {
        if !matches!(rest, "" | "-" | "+") {
            return self.error("a value that is not understood");
        }
        let mut parts: Vec<&str> = Vec::new();
        let mut column = None;
        for line in &self.source[head.number..] {
            let own = line.len() - line.trim_start_matches(' ').len();
            if line.trim().is_empty() {
                parts.push("");
                continue;
            }
            let start = *column.get_or_insert(own);
            if own <= indent || own < start {
                break;
            }
            parts.push(&line[start..]);
        }
        let last = head.number + parts.len();
        while self.lines.get(self.at).is_some_and(|line| line.number <= last) {
            self.at += 1;
        }
        while parts.last() == Some(&"") {
            parts.pop();
        }
        Ok(Yaml::Scalar(parts.join(if style == '|' { "\n" } else { " " })))
    }
}

fn is_item(content: &str) -> bool {
    content == "-" || content.starts_with("- ")
}

/// Where the colon behind a key is.
fn key_end(content: &str) -> Option<usize> {
    let from = match content.chars().next()? {
        quote @ ('"' | '\'') => quoted_end(content, quote)?,
        _ => 0,
    };
    let mut rest = content[from..].char_indices();
    rest.find_map(|(at, c)| {
        let next = content[from + at + c.len_utf8()..].chars().next();
        (c == ':' && next.is_none_or(|n| n == ' ')).then_some(from + at)
    })
}

/// Behind the closing quote.
fn quoted_end(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote {
            if quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') {
                chars.next();
            } else {
                return Some(at + 1);
            }
        }
    }
    None
}

/// A value in one line.
fn scalar(text: &str) -> Option<Yaml> {
    match text.chars().next()? {
        quote @ ('"' | '\'') => {
            let end = quoted_end(text, quote)?;
            let rest = text[end..].trim_start();
            if !rest.is_empty() && !rest.starts_with('#') {
                return None;
            }
            let inner = &text[1..end - 1];
            Some(Yaml::Scalar(if quote == '"' { unescape(inner)? } else { inner.replace("''", "'") }))
        }
        '[' => (plain(text) == "[]").then(|| Yaml::Sequence(Vec::new())),
        '{' => (plain(text) == "{}").then(|| Yaml::Mapping(Vec::new())),
        '&' | '*' | '!' | '|' | '>' | '%' | '@' | '`' => None,
        _ => match plain(text) {
            "null" | "~" => Some(Yaml::Null),
            text => Some(Yaml::Scalar(text.to_string())),
        },
    }
}

/// A plain scalar without the comment behind it.
fn plain(text: &str) -> &str {
    text.find(" #").map_or(text, |at| &text[..at]).trim_end()
}

fn unescape(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let code = |chars: &mut std::str::Chars, digits: usize| {
            let hex: String = chars.take(digits).collect();
            u32::from_str_radix(&hex, 16).ok().filter(|_| hex.len() == digits).and_then(char::from_u32)
        };
        out.push(match chars.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            c @ ('"' | '\\' | '/' | ' ') => c,
            'x' => code(&mut chars, 2)?,
            'u' => code(&mut chars, 4)?,
            'U' => code(&mut chars, 8)?,
            _ => return None,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_sequences_and_scalars_are_read() {
        let text = "# a comment\n- entry: \"a \\\"b\\\"\\n\" # why\n  list:\n  - 1\n  - 'it''s'\n  deep:\n    x: y:z\n    e: []\n    t: >-\n      one\n      two\n- last\n";
        let read = parse(text).unwrap();
        let items = read.list().unwrap();
        assert_eq!(items[0].get("entry").unwrap().text(), Some("a \"b\"\n"));
        assert_eq!(items[0].get("list").unwrap().list().unwrap()[1].text(), Some("it's"));
        let deep = items[0].get("deep").unwrap();
        assert_eq!(deep.get("x").unwrap().text(), Some("y:z"));
        assert_eq!(deep.get("e").unwrap().list(), Some(&[][..]));
        assert_eq!(deep.get("t").unwrap().text(), Some("one two"));
        assert_eq!(items[1].text(), Some("last"));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in ["a: &x 1", "a: [1, 2]", "a: \"b", "a: 1\n   b: 2", "\ta: 1", "a: 1\na: 2", "- a\n b: 1"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
