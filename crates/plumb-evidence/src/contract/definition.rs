//! A function's definition in the program's text.

use crate::witness::align::tokens;
use plumb_c::source::SourceUnit;
use plumb_ir::program::{FuncId, Program};
use std::ops::Range;

/// Where a definition is in the text of its unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Definition {
    /// The index of the unit.
    pub unit: usize,
    /// From the first specifier to the closing parenthesis.
    pub declaration: Range<usize>,
    /// The function's name.
    pub name: Range<usize>,
    /// The opening brace of the body.
    pub brace: usize,
}

/// The definition of a function, where it has the form of a prototype and a body.
pub(crate) fn definition(program: &Program, func: FuncId) -> Option<Definition> {
    let function = program.function(func);
    let units = program.sources.units();
    let unit = units.partition_point(|unit| unit.base() <= function.span.start).checked_sub(1)?;
    let SourceUnit { text, .. } = &units[unit];
    let start = (function.span.start - units[unit].base()) as usize;
    let name = start..start + function.name.len();
    if !function.has_body || function.is_library || text.get(name.clone())? != &*function.name {
        return None;
    }
    let behind = tokens(&text[name.end..]);
    let word = |i: usize| behind.get(i).map(|token| &text[name.end + token.start..name.end + token.end]);
    let mut depth = 0;
    let closing = (0..behind.len()).find(|&i| {
        depth += i32::from(word(i) == Some("(")) - i32::from(word(i) == Some(")"));
        depth == 0
    })?;
    // Otherwise the parameters are declared behind their names, or it returns a pointer to a function.
    if word(0) != Some("(") || word(closing + 1) != Some("{") {
        return None;
    }
    let before = tokens(&text[..name.start]);
    let first = before.iter().rev().take_while(|token| !matches!(&text[(*token).clone()], ";" | "}")).last()?;
    Some(Definition {
        unit,
        declaration: first.start..name.end + behind[closing].end,
        brace: name.end + behind[closing + 1].start,
        name,
    })
}

/// Specifiers that say nothing of a function's type, and of where its name is known.
const DROPPED: &[&str] =
    &["extern", "inline", "__inline", "__inline__", "_Noreturn", "__extension__", "register", "auto"];

impl Definition {
    /// A static function of the same type with another name, without its body. `None` if it takes variable arguments.
    pub fn declared_as(&self, program: &Program, name: &str) -> Option<String> {
        let declaration = self.declaration_of(program, name)?;
        Some(match declaration.starts_with("static ") {
            true => declaration,
            false => format!("static {declaration}"),
        })
    }

    /// The function's own prototype.
    pub fn prototype(&self, program: &Program) -> Option<String> {
        self.declaration_of(program, &program.sources.units()[self.unit].text[self.name.clone()])
    }

    /// The declaration with a name, without attributes. What it is stored as comes first.
    fn declaration_of(&self, program: &Program, name: &str) -> Option<String> {
        let text = &program.sources.units()[self.unit].text;
        let (mut words, mut depth, mut skipping) = (Vec::new(), 0, false);
        let mut is_static = false;
        for token in tokens(&text[self.declaration.clone()]) {
            let token = self.declaration.start + token.start..self.declaration.start + token.end;
            let word = &text[token.clone()];
            if skipping {
                depth += i32::from(word == "(") - i32::from(word == ")");
                skipping = depth > 0;
                continue;
            }
            match word {
                "__attribute__" | "__attribute" => skipping = true,
                "." => return None,
                // In the brackets of a parameter it means something else.
                "static" if token.start < self.name.start => is_static = true,
                word if DROPPED.contains(&word) => {}
                _ if token == self.name => words.push(name),
                word => words.push(word),
            }
        }
        let spaced = spaced(&words);
        Some(if is_static { format!("static {spaced}") } else { spaced })
    }

    /// The names of the parameters, if each of the function's is one that the text has.
    pub fn parameters(&self, program: &Program, func: FuncId) -> Option<Vec<String>> {
        let text = &program.sources.units()[self.unit].text;
        let list = &text[self.name.end..self.declaration.end];
        let words: Vec<&str> = tokens(list).into_iter().map(|token| &list[token]).collect();
        let params = program.function(func).params();
        let (mut depth, mut commas) = (0, 0);
        for word in &words {
            depth += i32::from(*word == "(") - i32::from(*word == ")");
            commas += usize::from(*word == "," && depth == 1);
        }
        let count = if matches!(words[..], ["(", ")"] | ["(", "void", ")"]) { 0 } else { commas + 1 };
        let is_written = |name: &str| words.contains(&name);
        let all_written = count == params.len() && params.iter().all(|param| is_written(&param.name));
        all_written.then(|| params.iter().map(|param| param.name.to_string()).collect())
    }
}

/// Words with the spaces that people put between them.
fn spaced(words: &[&str]) -> String {
    let is_word = |word: &str| word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| words[at]);
        let has_space = match before {
            None => false,
            Some(before) => is_word(before) && (is_word(word) || *word == "*") || before == ",",
        };
        if has_space {
            text.push(' ');
        }
        text += word;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::spaced;

    #[test]
    fn declarations_are_written_as_people_do() {
        let words = "const struct s * f ( int a , char * * b , int c [ 4 ] , int ( * g ) ( void ) )".split(' ');
        let text = spaced(&words.collect::<Vec<_>>());
        assert_eq!(text, "const struct s *f(int a, char **b, int c[4], int(*g)(void))");
    }
}
