//! Invariants put into the program's text.
//!
//! `__plumb_invariant(number, claim)` is a call that lowering turns into a check edge. It stands where C evaluates it before
//! every iteration and the program means the same as without it:
//!
//! ```text
//!   while (c) ...          while (__plumb_invariant(0, (E)), c) ...
//!   for (a; c; s) ...      for (a; __plumb_invariant(0, (E)), c; s) ...
//!   do ... while (c);      do if (__plumb_invariant(0, (E)), 1) ... while (c);
//!   f(x);                  __plumb_invariant(0, (E)), f(x);              an invariant of a place
//! ```
//!
//! A claim may name a number that is declared behind it, at the end of the file say: then it is declared at the beginning,
//! too. C allows that for objects of files.
//!
//! A claim is text from a stranger. It must be a balanced expression of harmless characters, so that it cannot end the call
//! and go on; lowering refuses one with side effects.

use super::Rejected;
use super::content::{Invariant, Place};
use super::tuning::TUNING;
use crate::witness::align::tokens;
use crate::witness::locate::{Location, Locator};
use plumb_c::source::Span;
use plumb_c::types::Type;
use plumb_ir::program::{Function, LoopStatement, Program};
use std::collections::BTreeMap;

/// What is put into the text of each unit, by offset.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    units: Vec<Unit>,
}

#[derive(Clone, Debug, Default)]
struct Unit {
    text: String,
    slots: BTreeMap<usize, Slot>,
    /// By name, declarations of what claims name before it is declared.
    early: BTreeMap<String, String>,
    /// What is put behind everything.
    tail: String,
}

/// Claims in one place, between two texts.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Slot {
    open: &'static str,
    claims: Vec<String>,
    close: &'static str,
}

impl Slot {
    fn text(&self) -> String {
        format!("{}{}{}", self.open, self.claims.join(", "), self.close)
    }
}

const DECLARATION: &str = "void __plumb_invariant(int, _Bool); void __plumb_assume(int);";
const CALL: &str = "__plumb_invariant";
/// Names that begin like that are ours, but for what programs may use.
const OWN: &str = "__plumb_";
const OF_PROGRAMS: [&str; 4] = ["stack_new", "stack_switch", "stack_end", "stack_current"];

/// Whether a program uses names that are put into it.
fn uses_own_names(text: &str) -> bool {
    let is_allowed = |rest: &str| OF_PROGRAMS.iter().any(|name| rest.starts_with(name));
    text.match_indices(OWN).any(|(at, _)| !is_allowed(&text[at + OWN.len()..]))
}

impl Edits {
    /// The text of a unit with everything in its place; `None` if it is not the text that the places are of.
    pub fn apply(&self, unit: usize, text: &str) -> Option<String> {
        let Some(edits) = self.units.get(unit) else { return Some(text.to_string()) };
        if edits.text != text {
            return None;
        }
        let mut out = DECLARATION.to_string();
        edits.early.values().for_each(|declaration| out += declaration);
        // A line marker begins its line; otherwise lines keep their numbers.
        if text.starts_with('#') {
            out.push('\n');
        }
        let mut done = 0;
        for (at, slot) in &edits.slots {
            out += &text[done..*at];
            out += &slot.text();
            done = *at;
        }
        out += &text[done..];
        out += &edits.tail;
        Some(out)
    }

    /// Puts a text behind that of a unit.
    pub(super) fn append(&mut self, unit: usize, text: &str) {
        if let Some(unit) = self.units.get_mut(unit) {
            unit.tail += text;
        }
    }
}

/// Finds the places of invariants, whose numbers are their indices.
pub(super) fn annotate(program: &Program, locator: &Locator<'_>, invariants: &[Invariant]) -> Result<Edits, Rejected> {
    let units = program.sources.units();
    if units.iter().any(|unit| &*unit.name != "<library>" && uses_own_names(&unit.text)) {
        return Err(Rejected(format!("the program itself uses names like `{CALL}`")));
    }
    let mut edits = Edits { units: Vec::new() };
    let own = units.iter().filter(|u| &*u.name != "<library>");
    edits.units.extend(own.map(|u| Unit { text: u.text.to_string(), ..Unit::default() }));
    for (number, invariant) in invariants.iter().enumerate() {
        check_claim(&invariant.value)?;
        let claim = format!("{CALL}({number}, ({}))", invariant.value);
        let offset = match invariant.is_loop {
            true => {
                let (statement, name) = loop_at(program, locator, &invariant.place)?;
                if invariant.place.function.as_deref().is_some_and(|function| function != name) {
                    return Err(Rejected(format!("the loop at {} is in `{name}`", show(&invariant.place))));
                }
                statement.span.start
            }
            false => place_at(program, locator, &invariant.place)?,
        };
        let unit = units.partition_point(|u| u.base() <= offset).saturating_sub(1);
        let start = (offset - units[unit].base()) as usize;
        let (at, open, close) = slot(&units[unit].text, start, invariant.is_loop)
            .ok_or_else(|| Rejected(format!("nothing at {} can have an invariant", show(&invariant.place))))?;
        for token in tokens(&invariant.value) {
            let name = &invariant.value[token];
            if let Some(declaration) = declared_behind(program, units[unit].base(), &units[unit].text, start, name) {
                edits.units[unit].early.insert(name.to_string(), declaration);
            }
        }
        let slot = edits.units[unit].slots.entry(at).or_insert(Slot { open, claims: Vec::new(), close });
        slot.claims.push(claim);
    }
    Ok(edits)
}

/// A declaration of the number of this name, if the unit declares it for the first time behind an offset.
fn declared_behind(program: &Program, base: u32, text: &str, offset: usize, name: &str) -> Option<String> {
    let registers = program.vars.iter().map(|info| (&info.name, info.cty, info.span));
    let objects = program.objects.iter().map(|info| (&info.name, info.cty, info.span));
    let here = |span: Span| (span.start as usize).checked_sub(base as usize).filter(|at| *at < text.len());
    let mut found = registers.chain(objects).filter(|(known, ..)| &***known == name);
    let (_, cty, span) = found.find(|(.., span)| here(*span).is_some_and(|at| at > offset))?;
    let Type::Int(kind) = program.types.table.get(cty?) else { return None };
    let kind = kind.c_name();
    // What is in a function is not of the file.
    let holds = |f: &Function| {
        let spans = f.edges.iter().map(|edge| edge.span).filter(|span| !span.is_none());
        let around = spans.fold(f.span, Span::to);
        around.start <= span.start && span.end <= around.end
    };
    if program.functions.iter().filter(|f| !f.is_library).any(|f| holds(f)) {
        return None;
    }
    let before = &text[..here(span)?];
    let from = before.rfind([';', '}', '\n']).map_or(0, |at| at + 1);
    let is_static = before[from..].split_whitespace().any(|word| word == "static");
    let storage = if is_static { "static" } else { "extern" };
    Some(format!(" {storage} {kind} {name};"))
}

pub(super) fn show(place: &Place) -> String {
    let column = place.column.map_or(String::new(), |column| format!(":{column}"));
    format!("{}:{}{column}", place.file, place.line)
}

pub(super) fn is_at(place: &Place, location: &Location) -> bool {
    place.line == location.line
        && place.file == location.file
        && (place.column.is_none() || place.column == location.column)
}

/// The loop statement at a place, and its function. Without a column it is the first of the line.
fn loop_at<'a>(
    program: &'a Program,
    locator: &Locator<'_>,
    place: &Place,
) -> Result<(LoopStatement, &'a str), Rejected> {
    let mut found: Option<(LoopStatement, &str)> = None;
    for function in program.functions.iter().filter(|f| !f.is_library) {
        for statement in &function.loops {
            let is_here = locator.exact(statement.span.start).is_some_and(|location| is_at(place, &location));
            if is_here && found.is_none_or(|(first, _)| statement.span.start < first.span.start) {
                found = Some((*statement, &*function.name));
            }
        }
    }
    found.ok_or_else(|| Rejected(format!("there is no loop at {}", show(place))))
}

/// The statement at a place.
fn place_at(program: &Program, locator: &Locator<'_>, place: &Place) -> Result<u32, Rejected> {
    let starts = program.full_expressions.iter().flat_map(|span| {
        let keyword = locator.keyword(span.start);
        [Some(span.start), keyword]
    });
    let here = |at: &u32| locator.exact(*at).is_some_and(|location| is_at(place, &location));
    starts.flatten().filter(here).min().ok_or_else(|| Rejected(format!("there is no statement at {}", show(place))))
}

/// Where in a text claims about the statement at an offset are put, and between what.
fn slot(text: &str, start: usize, is_loop: bool) -> Option<(usize, &'static str, &'static str)> {
    let rest = text.get(start..)?;
    let tokens = tokens(rest);
    let word = |i: usize| tokens.get(i).map(|t| &rest[t.clone()]);
    match (word(0)?, is_loop) {
        ("while", true) | ("if" | "switch", false) => (word(1)? == "(").then(|| (start + tokens[1].end, "", ", ")),
        ("do", true) => Some((start + tokens[0].end, " if (", ", 1) ")),
        ("for", true) => {
            let mut depth = 0;
            for (i, token) in tokens.iter().enumerate().skip(1) {
                match &rest[token.clone()] {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth -= 1,
                    ";" if depth == 1 => {
                        let is_empty = word(i + 1)? == ";";
                        return Some((start + token.end, "", if is_empty { ", 1" } else { ", " }));
                    }
                    _ => {}
                }
                if depth == 0 {
                    return None;
                }
            }
            None
        }
        (_, true) | ("while" | "for" | "do" | "return" | "goto" | "{" | "}", false) => None,
        (_, false) => Some((start, "", ", ")),
    }
}

/// A claim may not be more than an expression.
pub(super) fn check_claim(claim: &str) -> Result<(), Rejected> {
    let refuse = |why: &str| Err(Rejected(format!("the invariant `{claim}` {why}")));
    if claim.trim().is_empty() || claim.len() > TUNING.max_invariant_length {
        return Err(Rejected("an invariant is empty or very long".to_string()));
    }
    if let Some(c) = claim.chars().find(|c| !matches!(c, ' '..='~') || ";{}#\"'\\@`$".contains(*c)) {
        return refuse(&format!("has the character {c:?}, which no expression needs"));
    }
    if claim.contains("//") || claim.contains("/*") || claim.contains("__plumb") {
        return refuse("is more than an expression");
    }
    let mut open = Vec::new();
    for c in claim.chars() {
        let is_balanced = match c {
            '(' | '[' => {
                open.push(c);
                true
            }
            ')' => open.pop() == Some('('),
            ']' => open.pop() == Some('['),
            _ => true,
        };
        if !is_balanced {
            return refuse("has brackets that do not match");
        }
    }
    if open.is_empty() { Ok(()) } else { refuse("has brackets that do not match") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(text: &str, keyword: &str, is_loop: bool) -> Option<String> {
        let (at, open, close) = slot(text, text.find(keyword).unwrap(), is_loop)?;
        let slot = Slot { open, claims: vec!["I".to_string(), "J".to_string()], close };
        Some(format!("{}{}{}", &text[..at], slot.text(), &text[at..]))
    }

    #[test]
    fn claims_stand_where_every_iteration_evaluates_them() {
        assert_eq!(put("while (a(1)) x;", "while", true).unwrap(), "while (I, J, a(1)) x;");
        assert_eq!(put("for (i = f(0); i < n; i++) ;", "for", true).unwrap(), "for (i = f(0);I, J,  i < n; i++) ;");
        assert_eq!(put("for (;;) ;", "for", true).unwrap(), "for (;I, J, 1;) ;");
        let body = "if (a) b; else c; while (d);";
        assert_eq!(put(&format!("do {body}"), "do", true).unwrap(), format!("do if (I, J, 1)  {body}"));
        assert_eq!(put("if (a) b; else c;", "b", false).unwrap(), "if (a) I, J, b; else c;");
        assert_eq!(put("if (a) b;", "if", false).unwrap(), "if (I, J, a) b;");
        assert_eq!(put("return x;", "return", false), None);
    }

    #[test]
    fn claims_that_are_more_than_expressions_are_refused() {
        for claim in
            ["", "1), x = 0, (1", "a; b", "a // b", "a /* b", "f(]", "\"a\"", "x \\ y", "__plumb_assume(0)", "a\nb"]
        {
            assert!(check_claim(claim).is_err(), "{claim}");
        }
        for claim in ["1", "(x >= 0) && a[i + 1] != -3", "c ? x : y"] {
            assert!(check_claim(claim).is_ok(), "{claim}");
        }
    }
}
