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

/// Specifiers that a declaration of the same type can do without.
const DROPPED: &[&str] =
    &["static", "extern", "inline", "__inline", "__inline__", "_Noreturn", "__extension__", "register", "auto"];

impl Definition {
    /// The declaration with another name for the function, without attributes and storage. `None` where it takes more arguments than it names.
    pub fn declared_as(&self, program: &Program, name: &str) -> Option<String> {
        let text = &program.sources.units()[self.unit].text;
        let (mut words, mut depth, mut skipping) = (Vec::new(), 0, false);
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
                word if DROPPED.contains(&word) => {}
                _ if token == self.name => words.push(name),
                word => words.push(word),
            }
        }
        Some(words.join(" "))
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
