//! The statement around a condition, found in its text.
//!
//! Lowering takes conditions apart (`!a`, `a && b`): an edge knows the operand that decided, and which way the whole
//! statement went. What a reader wants to see is the whole condition.

use std::ops::Range;

/// An `if`, `while` or `for` and its condition, as ranges of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Statement {
    pub keyword: Range<usize>,
    pub condition: Range<usize>,
}

/// The statement whose condition holds a position.
pub(crate) fn statement_at(text: &str, position: usize) -> Option<Statement> {
    let bytes = text.as_bytes();
    let mut at = position;
    // Out of the parentheses around the operand, one pair after the other.
    for _ in 0..32 {
        at = opening(bytes, at)?;
        let before = text.get(..at)?.trim_end();
        let start = before.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map_or(0, |i| i + 1);
        let keyword = start..before.len();
        match &before[keyword.clone()] {
            "if" | "while" => return Some(Statement { keyword, condition: at + 1..closing(bytes, at)? }),
            "for" => {
                let end = closing(bytes, at)?;
                let first = semicolon(bytes, at + 1..end)?;
                let second = semicolon(bytes, first + 1..end)?;
                return Some(Statement { keyword, condition: first + 1..second });
            }
            _ => {}
        }
    }
    None
}

/// How far a parenthesis is looked for.
const FAR: usize = 20_000;

/// The innermost parenthesis that is open before a position.
fn opening(bytes: &[u8], from: usize) -> Option<usize> {
    let mut depth = 0;
    for at in (from.saturating_sub(FAR)..from.min(bytes.len())).rev() {
        match bytes[at] {
            b')' => depth += 1,
            b'(' if depth == 0 => return Some(at),
            b'(' => depth -= 1,
            b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

/// The parenthesis that closes the one at a position.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate().skip(open).take(FAR) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The first semicolon outside of parentheses.
fn semicolon(bytes: &[u8], range: Range<usize>) -> Option<usize> {
    let mut depth = 0;
    for at in range {
        match bytes[at] {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b';' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition<'a>(text: &'a str, operand: &str) -> Option<(&'a str, &'a str)> {
        let found = statement_at(text, text.find(operand).unwrap())?;
        Some((&text[found.keyword], text[found.condition].trim()))
    }

    #[test]
    fn operands_lead_to_the_whole_condition() {
        assert_eq!(condition("x = 1; if (!((a == 0))) goto l;", "a ==").unwrap(), ("if", "!((a == 0))"));
        assert_eq!(condition("while (f(x) && y < 2) {}", "y <").unwrap(), ("while", "f(x) && y < 2"));
        assert_eq!(condition("for (i = g(0); i < n; i++) s;", "i < n").unwrap(), ("for", "i < n"));
        assert_eq!(condition("int f(int a) { return (a ? 1 : 2); }", "a ?"), None);
    }
}
