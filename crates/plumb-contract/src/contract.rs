//! What a contract is, and what it must be to be one of a program.

use crate::cell::Atom;
use plumb_ir::check::CheckKind;
use plumb_ir::program::{FuncId, Program};
use plumb_ir::ty::Ty;
use plumb_sym::sort_of;
use plumb_term::{Assignment, BinaryOp, Evaluator, Kind, Sort, TermId, Terms, Value, free_symbols};
use rustc_hash::FxHashSet;

/// For every call of the function that returns and for every case: if `requires` held when it was called, `ensures` holds when it
/// returns.
#[derive(Clone, Debug)]
pub struct Contract {
    pub func: FuncId,
    pub terms: Terms,
    /// What the symbols of the cases stand for. There may be more than the cases use.
    pub symbols: Vec<Symbol>,
    pub cases: Vec<Case>,
}

/// What a symbol of a contract stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub term: TermId,
    pub atom: Atom,
    /// The symbol has the sort of this type.
    pub ty: Ty,
    /// How its bits are read where they are shown to people.
    pub is_signed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// About what the function is called with.
    pub requires: TermId,
    pub ensures: TermId,
}

impl Contract {
    /// The contract that promises nothing.
    pub fn trivial(func: FuncId) -> Contract {
        Contract { func, terms: Terms::new(), symbols: Vec::new(), cases: Vec::new() }
    }

    /// Adds a symbol for a place, or finds the one that there is.
    pub fn symbol(&mut self, program: &Program, atom: Atom, ty: Ty, is_signed: bool) -> TermId {
        if let Some(known) = self.symbols.iter().find(|symbol| symbol.atom == atom) {
            return known.term;
        }
        let term = self.terms.fresh_symbol(&atom.name(program, self.func), sort_of(ty, &program.target));
        self.symbols.push(Symbol { term, atom, ty, is_signed });
        term
    }

    /// What keeps this from being a contract of a function of the program.
    pub fn check(&self, program: &Program) -> Result<(), String> {
        let Some(function) = program.functions.get(self.func) else {
            return Err(format!("there is no function {}", self.func.0));
        };
        let name = &function.name;
        if self.func == program.start || Some(self.func) == program.entry {
            return Err(format!("{name} is where runs start, and a contract is about calls"));
        }
        // A unit does not have the heap of the calls that it stands for, and a summary forgets what points there.
        if program.checks.iter().any(|check| check.kind == CheckKind::Leak) {
            return Err("leaks are a matter of the whole program, and not of its functions".to_string());
        }
        let mut entry_symbols = FxHashSet::default();
        let mut all_symbols = FxHashSet::default();
        for symbol in &self.symbols {
            let Symbol { term, atom, ty, .. } = *symbol;
            let symbol = (term.index() < self.terms.len()).then(|| self.terms.as_symbol(term)).flatten();
            let Some(symbol) = symbol else { return Err(format!("the contract of {name} has a malformed symbol")) };
            if self.terms.sort(term) != sort_of(ty, &program.target) {
                return Err(format!("a symbol of the contract of {name} has another sort than its place"));
            }
            atom.check(program, self.func, ty)?;
            if !all_symbols.insert(symbol) {
                return Err(format!("a symbol of the contract of {name} stands for two places"));
            }
            if matches!(atom, Atom::Entry(_)) {
                entry_symbols.insert(symbol);
            }
        }
        for case in &self.cases {
            let about = [(case.requires, &entry_symbols), (case.ensures, &all_symbols)];
            for (term, allowed) in about {
                if term.index() >= self.terms.len() || self.terms.sort(term) != Sort::Bool {
                    return Err(format!("the contract of {name} has a malformed formula"));
                }
                if let Some(other) = free_symbols(&self.terms, &[term]).into_iter().find(|s| !allowed.contains(s)) {
                    let symbol = self.terms.symbol_name(other);
                    return Err(format!("the contract of {name} speaks of `{symbol}` where that stands for nothing"));
                }
            }
        }
        Ok(())
    }

    /// The first case that the values of a call do not satisfy. Places without a value are zero.
    pub fn broken_case(&self, value: impl Fn(Atom) -> Option<Value>) -> Option<usize> {
        let mut assignment = Assignment::new();
        for symbol in &self.symbols {
            if let (Some(id), Some(value)) = (self.terms.as_symbol(symbol.term), value(symbol.atom)) {
                assignment.set(id, value);
            }
        }
        let mut evaluator = Evaluator::new(&assignment);
        let broken =
            |case: &Case| evaluator.holds(&self.terms, case.requires) && !evaluator.holds(&self.terms, case.ensures);
        self.cases.iter().position(broken)
    }
}

/// The conjuncts of a condition, in order.
pub fn conjuncts(terms: &Terms, condition: TermId) -> Vec<TermId> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut open = vec![condition];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.kind(term) {
            Kind::Binary(BinaryOp::And, a, b) => open.extend([b, a]),
            _ if term == TermId::bool(true) => {}
            _ => found.push(term),
        }
    }
    found
}
