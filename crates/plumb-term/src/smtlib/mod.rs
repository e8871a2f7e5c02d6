//! Terms as SMT-LIB 2.
//!
//! Shared terms become `define-fun`s, so that the text is linear in the size of the graph. A [`Printer`] remembers
//! what it has declared and defined, for use with an incremental solver: [`Printer::push`] and [`Printer::pop`] go with the
//! solver's.
//!
//! A float term denotes a pattern, of which SMT-LIB's floats know only the number. So a float is printed in two views:
//! its bits, as a bit-vector, and its number, as a `FloatingPoint`. Symbols are bits; operations work on numbers; each
//! view is made from the other where it is asked for. Bits of a number are a declared constant with two assertions,
//! that it stands for the number and that it is the canonical NaN if the number is NaN: these fix it, and so change
//! no answer. There is no standard function for this step.

mod float;
mod operator;

use crate::op::{Kind, UnaryOp};
use crate::sort::{Format, Sort};
use crate::terms::{SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// Terms are nested so deep in one expression before a name is given.
const INLINE_DEPTH: u32 = 6;

/// How a term is looked at. Only floats have two views.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
enum View {
    /// The bits, as a bit-vector; what is no float, as it is.
    Plain,
    /// The number, as a `FloatingPoint`.
    Number,
}

type Key = (TermId, View);

/// An expression, and how deep it is nested.
struct Text {
    text: String,
    depth: u32,
}

/// Writes declarations, definitions and assertions, each needed one once.
#[derive(Debug)]
pub struct Printer {
    named: FxHashMap<Key, String>,
    symbols: FxHashMap<SymbolId, String>,
    taken: FxHashSet<String>,
    scopes: Vec<Scope>,
}

/// What is forgotten when a scope is left.
#[derive(Debug, Default)]
struct Scope {
    named: Vec<Key>,
    symbols: Vec<SymbolId>,
}

impl Default for Printer {
    fn default() -> Printer {
        Printer::new()
    }
}

/// A complete script: logic, declarations, assertions, `check-sat`.
pub fn script(terms: &Terms, assertions: &[TermId]) -> String {
    let mut out = String::from("(set-logic ALL)\n");
    let mut printer = Printer::new();
    for assertion in assertions {
        printer.assert(terms, *assertion, &mut out);
    }
    out.push_str("(check-sat)\n");
    out
}

/// The name of a sort; floats as bits.
pub fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        Sort::Bv(width) => format!("(_ BitVec {width})"),
        Sort::Float(format) => format!("(_ BitVec {})", format.width()),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

fn number_sort(format: Format) -> String {
    format!("(_ FloatingPoint {} {})", format.exponent_bits(), format.significand_bits())
}

impl Printer {
    pub fn new() -> Printer {
        Printer {
            named: FxHashMap::default(),
            symbols: FxHashMap::default(),
            taken: FxHashSet::default(),
            scopes: vec![Scope::default()],
        }
    }

    /// Goes with the solver's `(push 1)`, which the caller prints.
    pub fn push(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Goes with the solver's `(pop 1)`: what was defined since is unknown again.
    pub fn pop(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        for key in scope.named {
            self.named.remove(&key);
        }
        for symbol in scope.symbols {
            if let Some(name) = self.symbols.remove(&symbol) {
                self.taken.remove(&name);
            }
        }
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
    }

    /// The name that a symbol was declared with. Symbols of float sort are declared as bit-vectors.
    pub fn symbol_name(&self, symbol: SymbolId) -> Option<&str> {
        self.symbols.get(&symbol).map(|name| name.as_str())
    }

    /// Appends an assertion and what it needs.
    pub fn assert(&mut self, terms: &Terms, term: TermId, out: &mut String) {
        let text = self.term(terms, term, out);
        let _ = writeln!(out, "(assert {text})");
    }

    /// Appends the definitions that a term needs and returns its expression. Floats are given as bits.
    pub fn term(&mut self, terms: &Terms, term: TermId, out: &mut String) -> String {
        let root = (term, View::Plain);
        let (order, uses) = self.needed(terms, root);
        let mut texts: FxHashMap<Key, Text> = FxHashMap::default();
        for key in order {
            let operands = needs(terms, key);
            let depth =
                operands.as_slice().iter().filter_map(|operand| texts.get(operand)).map(|text| text.depth).max();
            let depth = depth.map_or(0, |depth| depth + 1);
            let text = {
                let get = |operand: Key| match self.named.get(&operand) {
                    Some(name) => name.as_str(),
                    None => texts.get(&operand).map_or("", |text| text.text.as_str()),
                };
                operator::text(terms, key, &get)
            };
            let is_leaf = operands.as_slice().is_empty();
            match text {
                Some(text) if is_leaf || uses[&key] == 1 && depth < INLINE_DEPTH || text_is_short(&text) => {
                    texts.insert(key, Text { text, depth });
                }
                Some(text) => self.define(terms, key, &text, out),
                None => {
                    // The bits of a number are said of it twice: it needs a name.
                    let number = (key.0, View::Number);
                    if let Some(text) = texts.remove(&number) {
                        self.define(terms, number, &text.text, out);
                    }
                    self.declare(terms, key, out);
                }
            }
        }
        match self.named.get(&root) {
            Some(name) => name.clone(),
            None => texts.remove(&root).map_or_else(String::new, |text| text.text),
        }
    }

    /// What has no text yet, operands first, and how often each is used.
    fn needed(&self, terms: &Terms, root: Key) -> (Vec<Key>, FxHashMap<Key, u32>) {
        let mut uses: FxHashMap<Key, u32> = FxHashMap::default();
        let mut order = Vec::new();
        let mut stack = vec![(root, false)];
        while let Some((key, is_done)) = stack.pop() {
            if is_done {
                order.push(key);
                continue;
            }
            let count = uses.entry(key).or_insert(0);
            *count += 1;
            if *count > 1 || self.named.contains_key(&key) {
                continue;
            }
            stack.push((key, true));
            stack.extend(needs(terms, key).as_slice().iter().map(|operand| (*operand, false)));
        }
        (order, uses)
    }

    fn remember(&mut self, key: Key, name: String) {
        self.named.insert(key, name);
        if let Some(scope) = self.scopes.last_mut() {
            scope.named.push(key);
        }
    }

    fn define(&mut self, terms: &Terms, key: Key, text: &str, out: &mut String) {
        let (name, sort) = match (key.1, terms.sort(key.0)) {
            (View::Number, Sort::Float(format)) => (format!("%n{}", key.0.index()), number_sort(format)),
            (_, sort) => (format!("%t{}", key.0.index()), sort_name(sort)),
        };
        let _ = writeln!(out, "(define-fun {name} () {sort} {text})");
        self.remember(key, name);
    }

    /// Symbols, and the bits of numbers.
    fn declare(&mut self, terms: &Terms, key: Key, out: &mut String) {
        let (term, sort) = (key.0, terms.sort(key.0));
        if let Kind::Symbol(symbol) = terms.kind(term) {
            let name = self.free_name(terms.symbol_name(symbol));
            let _ = writeln!(out, "(declare-const {name} {})", sort_name(sort));
            self.symbols.insert(symbol, name.clone());
            if let Some(scope) = self.scopes.last_mut() {
                scope.symbols.push(symbol);
            }
            self.remember(key, name);
        } else if let Sort::Float(format) = sort {
            let number = self.named.get(&(term, View::Number)).cloned().unwrap_or_default();
            let name = float::declare_bits(format, term.index(), &number, out);
            self.remember(key, name);
        }
    }

    /// A quoted name that nothing else has. Names of definitions start with a percent sign and a letter.
    fn free_name(&mut self, name: &str) -> String {
        let clean: String =
            name.chars().map(|c| if c == '|' || c == '\\' || c.is_control() { '_' } else { c }).collect();
        let prefix = if clean.starts_with('%') { "%%" } else { "" };
        let mut candidate = format!("|{prefix}{clean}|");
        let mut count = 0;
        while !self.taken.insert(candidate.clone()) {
            count += 1;
            candidate = format!("|{prefix}{clean}#{count}|");
        }
        candidate
    }
}

/// Names and literals are repeated rather than defined.
fn text_is_short(text: &str) -> bool {
    !text.starts_with('(')
}

/// Up to three operands, each in a view.
struct Needs {
    list: [Key; 3],
    len: usize,
}

impl Needs {
    fn as_slice(&self) -> &[Key] {
        &self.list[..self.len]
    }
}

/// The operands of a term in a view, in the views that its text asks for.
fn needs(terms: &Terms, (term, view): Key) -> Needs {
    let kind = terms.kind(term);
    let operand_view = match (kind, view) {
        // The number of what is given as bits.
        (Kind::Symbol(_) | Kind::Unary(UnaryOp::FloatFromBits, _), View::Number) => {
            return Needs { list: [(term, View::Plain); 3], len: 1 };
        }
        _ if view == View::Plain && float::is_number_first(terms, term) => {
            return Needs { list: [(term, View::Number); 3], len: 1 };
        }
        (Kind::Unary(op, _), View::Plain) if float::takes_number(op) => View::Number,
        (Kind::Binary(op, ..), View::Plain) if float::compares_numbers(op) => View::Number,
        (Kind::Unary(UnaryOp::SignedToFloat | UnaryOp::UnsignedToFloat, _), View::Number) => View::Plain,
        (_, view) => view,
    };
    let mut needs = Needs { list: [(term, view); 3], len: 0 };
    for (i, operand) in kind.operands().enumerate() {
        // Conditions are no floats.
        let is_condition = i == 0 && matches!(kind, Kind::Ite(..));
        needs.list[i] = (operand, if is_condition { View::Plain } else { operand_view });
        needs.len = i + 1;
    }
    needs
}
