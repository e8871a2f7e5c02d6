//! The conditions of contracts: C with three words more.
//!
//! `\result` is what the function returns; `\at(e, Old)`, `\at(e, Pre)` and `\old(e)` are what `e` was when it was called. They
//! become names that the functions which evaluate the condition declare.

use crate::validate::Rejected;
use crate::validate::annotate::check_claim;
use crate::witness::align::tokens;

/// What `\result` is called.
pub const RESULT: &str = "__plumb_result";
/// What old values are called, with a number behind.
pub const OLD: &str = "__plumb_old_";

/// A condition in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// With the names for what C has no words for.
    pub text: String,
    /// By number, the expressions whose old values it names.
    pub old: Vec<String>,
    pub has_result: bool,
    /// The words of it that are evaluated when the function returns.
    pub words: Vec<String>,
}

/// Takes a condition apart. Old values get numbers from `first` on.
pub fn clause(condition: &str, first: usize) -> Result<Clause, Rejected> {
    let refuse = |why: &str| Err(Rejected(format!("the condition `{condition}` of a contract {why}")));
    let mut clause = Clause { text: String::new(), old: Vec::new(), has_result: false, words: Vec::new() };
    // What is left if the new words are taken away must be an expression.
    let mut plain = String::new();
    let mut rest = condition;
    while let Some(at) = rest.find('\\') {
        let (before, from) = rest.split_at(at);
        clause.text += before;
        plain += before;
        clause.words.extend(words(before));
        let word_end = from[1..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(from.len(), |end| end + 1);
        let (word, behind) = from.split_at(word_end);
        match word {
            "\\result" => {
                clause.has_result = true;
                clause.text += RESULT;
                plain += "1";
                rest = behind;
            }
            "\\true" | "\\false" => {
                let value = if word == "\\true" { "1" } else { "0" };
                clause.text += value;
                plain += value;
                rest = behind;
            }
            "\\old" | "\\at" => {
                let Some((inside, end)) = in_parentheses(behind) else {
                    return refuse("has brackets that do not match");
                };
                let expression = match word {
                    "\\old" => Some(inside),
                    _ => inside
                        .rsplit_once(',')
                        .filter(|(_, label)| matches!(label.trim(), "Old" | "Pre"))
                        .map(|(e, _)| e),
                };
                let Some(expression) = expression else {
                    return refuse("names a moment other than that of the call");
                };
                if expression.contains('\\') {
                    return refuse("has an old value inside of an old value");
                }
                check_claim(expression)?;
                clause.text += &format!("{OLD}{}", first + clause.old.len());
                clause.old.push(expression.trim().to_string());
                plain += "1";
                rest = &behind[end..];
            }
            _ => return refuse(&format!("has the word `{word}`, which is not supported")),
        }
    }
    clause.text += rest;
    plain += rest;
    clause.words.extend(words(rest));
    check_claim(&plain)?;
    Ok(clause)
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    tokens(text).into_iter().map(|token| text[token].to_string())
}

/// What is in the parentheses that a text begins with, and where they end.
fn in_parentheses(text: &str) -> Option<(&str, usize)> {
    let open = text.find(|c: char| !c.is_whitespace()).filter(|at| text[*at..].starts_with('('))?;
    let mut depth = 0;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < open) {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return Some((&text[open + 1..at], at + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_c_does_not_have_become_names() {
        let found = clause("\\result == \\at(x, Old) + \\old( g[f(1)] ) && y >= \\at(x,Pre)", 4).unwrap();
        assert_eq!(found.text, "__plumb_result == __plumb_old_4 + __plumb_old_5 && y >= __plumb_old_6");
        assert_eq!(found.old, ["x", "g[f(1)]", "x"]);
        assert!(found.has_result && found.words.contains(&"y".to_string()) && !found.words.contains(&"x".to_string()));
        assert_eq!(clause("\\true", 0).unwrap().text, "1");
        assert_eq!(clause("a && !b", 0).unwrap().old, Vec::<String>::new());
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for text in [
            "",
            "\\forall int i; i",
            "\\at(x, Here)",
            "\\at(x)",
            "\\old(x",
            "\\old(\\result)",
            "\\old(x; y)",
            "\\old(__plumb_result) == 1",
            "__plumb_result == 1",
            "1); evil(",
            "a \\ b",
            "\\resultx",
            "\\",
        ] {
            assert!(clause(text, 0).is_err(), "{text}");
        }
    }
}
