//! A line of a file and what the preprocessor made of it, token by token.
//!
//! Macros move columns: behind one, and inside its text, places of the preprocessed line are not those of the file. Both lines
//! are taken apart into tokens; every token of the file's line is either still there or the name of a macro, with or without
//! arguments, in whose place any number of tokens stands. If the whole lines can be matched like that, each token of the
//! preprocessed one comes from a token of the file or from inside a macro whose name is known.

use std::ops::Range;

/// Where a token of the preprocessed line comes from, by the index of the file's token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// It is in the file.
    Same(usize),
    /// The macro of that name made it.
    Macro(usize),
}

/// Lines with more pairs of tokens than this are not matched.
const MOST_PAIRS: usize = 1 << 20;

/// What a macro costs, in tokens that it makes; and what cannot be.
const MACRO: u32 = 1 << 20;
const NEVER: u32 = u32::MAX;

/// Matches the tokens of a file's line with those that the preprocessor made of it.
pub(crate) fn align(file: &[&str], made: &[&str]) -> Option<Vec<Origin>> {
    let (n, m) = (file.len(), made.len());
    if (n + 1).checked_mul(m + 1)? > MOST_PAIRS {
        return None;
    }
    let ends: Vec<[Option<usize>; 2]> = (0..n).map(|i| ends(file, i)).collect();
    // What it takes to make the rest of one line from a token on the rest of the other: from that very token of it on, or
    // from there or any later one on. The fewest macros are the most likely, and of those the shortest.
    let at = |i: usize, k: usize| i * (m + 1) + k;
    let mut exact = vec![NEVER; (n + 1) * (m + 1)];
    let mut later = vec![NEVER; (n + 1) * (m + 1)];
    for i in (0..=n).rev() {
        for k in (0..=m).rev() {
            let same = if i < n && k < m && file[i] == made[k] { exact[at(i + 1, k + 1)] } else { NEVER };
            let ends = ends.get(i).into_iter().flatten().flatten();
            let macros = ends.map(|&end| later[at(end, k)].saturating_add(MACRO)).min().unwrap_or(NEVER);
            exact[at(i, k)] = if (i, k) == (n, m) { 0 } else { same.min(macros) };
            let rest = if k < m { later[at(i, k + 1)].saturating_add(1) } else { NEVER };
            later[at(i, k)] = exact[at(i, k)].min(rest);
        }
    }
    if exact[at(0, 0)] == NEVER {
        return None;
    }
    let mut origins = Vec::with_capacity(m);
    let (mut i, mut k) = (0, 0);
    while i < n {
        let here = exact[at(i, k)];
        if k < m && file[i] == made[k] && exact[at(i + 1, k + 1)] == here {
            origins.push(Origin::Same(i));
            (i, k) = (i + 1, k + 1);
            continue;
        }
        let end = ends[i].into_iter().flatten().find(|&end| later[at(end, k)].saturating_add(MACRO) == here)?;
        while exact[at(end, k)] != later[at(end, k)] {
            origins.push(Origin::Macro(i));
            k += 1;
        }
        i = end;
    }
    (k == m).then_some(origins)
}

/// Where the call of a macro at a token may end: behind its arguments, or behind its name.
fn ends(file: &[&str], i: usize) -> [Option<usize>; 2] {
    if !file[i].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return [None, None];
    }
    let mut depth = 0;
    let closing = file[i + 1..].iter().position(|token| {
        depth += i32::from(*token == "(") - i32::from(*token == ")");
        depth == 0
    });
    let has_arguments = file.get(i + 1) == Some(&"(");
    // Arguments may go on in the next line.
    let arguments = has_arguments.then(|| closing.map_or(file.len(), |at| i + 2 + at));
    [arguments, Some(i + 1)]
}

/// The tokens of a text without comments, as ranges of bytes: words, numbers, literals, and single characters.
pub(crate) fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        match c {
            c if c.is_whitespace() => continue,
            '/' if text[at..].starts_with('*') => {
                at = text[at + 1..].find("*/").map_or(text.len(), |end| at + end + 3);
                continue;
            }
            '/' if text[at..].starts_with('/') => {
                at = text[at..].find('\n').map_or(text.len(), |end| at + end);
                continue;
            }
            // Lines that the preprocessor takes out.
            '#' if text[..start].rsplit('\n').next().is_some_and(|before| before.trim().is_empty()) => {
                at = directive_end(text, at);
                continue;
            }
            // The next line goes on here.
            '\\' if text[at..].starts_with('\n') => continue,
            '"' | '\'' => {
                while at < bytes.len() && bytes[at] != c as u8 && bytes[at] != b'\n' {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at = (at + 1).min(text.len());
                while !text.is_char_boundary(at) {
                    at += 1;
                }
            }
            c if c.is_ascii_alphanumeric() || c == '_' => {
                let is_word =
                    |c: char| c.is_ascii_alphanumeric() || c == '_' || (bytes[start].is_ascii_digit() && c == '.');
                at += text[at..].find(|c: char| !is_word(c)).unwrap_or(text.len() - at);
            }
            _ => {}
        }
        found.push(start..at);
    }
    found
}

fn directive_end(text: &str, from: usize) -> usize {
    let mut at = from;
    while let Some(end) = text[at..].find('\n') {
        let line = &text[at..at + end];
        at += end;
        if !line.trim_end_matches('\r').ends_with('\\') {
            return at;
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text).into_iter().map(|range| &text[range]).collect()
    }

    /// The word of the file that a word of the preprocessed line comes from, with an exclamation mark for macros.
    fn origin(file: &str, made: &str, word: &str) -> Option<String> {
        let (file, made) = (words(file), words(made));
        let origins = align(&file, &made)?;
        Some(match origins[made.iter().position(|w| *w == word)?] {
            Origin::Same(i) => file[i].to_string(),
            Origin::Macro(i) => format!("{}!", file[i]),
        })
    }

    #[test]
    fn what_macros_make_comes_from_their_names() {
        let file = "int c = IN + IN; CHK(c + b != 12); last = IN;";
        let made = "int c = in() + in(); do { if (!(c + b != 12)) error(); } while (0); last = in();";
        assert_eq!(origin(file, made, "int").unwrap(), "int");
        assert_eq!(origin(file, made, "in").unwrap(), "IN!");
        assert_eq!(origin(file, made, "if").unwrap(), "CHK!");
        assert_eq!(origin(file, made, "error").unwrap(), "CHK!");
        assert_eq!(origin(file, made, "last").unwrap(), "last");
    }

    #[test]
    fn macros_may_be_names_or_nothing_and_go_on_in_the_next_line() {
        assert_eq!(origin("EMPTY f(x);", "f(x);", "f").unwrap(), "f");
        assert_eq!(origin("NAME(x);", "f(x);", "f").unwrap(), "NAME!");
        assert_eq!(origin("a; CHK(b &&", "a; if (b && c) ;", "if").unwrap(), "CHK!");
        assert_eq!(origin("a + b;", "a - b;", "a"), None);
    }

    #[test]
    fn comments_and_directives_are_no_tokens() {
        let text = "#define A(x) \\\n  x\nint a; // b\nchar *s = \"/*\"; /* c\n */ d = '\\'' + 1.5;";
        let expected = ["int", "a", ";", "char", "*", "s", "=", "\"/*\"", ";", "d", "=", "'\\''", "+", "1.5", ";"];
        assert_eq!(words(text), expected);
    }
}
