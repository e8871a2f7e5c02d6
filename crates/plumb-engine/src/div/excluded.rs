//! What a contract has to say for an alarm's path to be infeasible.
//!
//! The run is followed symbolically in the program with contracts. Its path condition is about inputs; where a call of a contract
//! is given inputs as they are, and its result is one, the conditions are about what the contract speaks of. That they do not
//! hold together is a candidate: the weakest postcondition that excludes the path, as far as this call alone can. Nothing of
//! this is trusted.

use super::alarm::Use;
use super::language::{Clause, Language};
use super::tuning::TUNING;
use crate::answer::Violation;
use plumb_contract::{Atom, Installed, Summarised, conjuncts};
use plumb_ir::input_value::{InputValue, RegionFill};
use plumb_ir::program::{FuncId, VarRef};
use plumb_sym::{Given, Next, RegionId, State, Sym, Value as SymValue, set_region};
use plumb_term::{
    Assignment, BinaryOp, BitVec, Evaluator, Import, Kind, Sort, Substitution, SymbolId, TermId, Value, free_symbols,
};
use rustc_hash::FxHashMap;

/// A call of a contract, symbolically.
struct SymbolicUse {
    func: FuncId,
    /// By symbol of the contract.
    atoms: Vec<Option<TermId>>,
}

/// The path of a violation: calls of contracts in the order in which they return, and conditions outside of their bodies.
pub struct SymbolicPath<'p> {
    sym: Sym<'p>,
    uses: Vec<SymbolicUse>,
    conditions: Vec<TermId>,
}

impl<'p> SymbolicPath<'p> {
    /// `None` where the path is too long, or inputs are arrays that are read anywhere.
    pub fn follow(summarised: &'p Summarised, violation: &Violation) -> Option<SymbolicPath<'p>> {
        let program = &summarised.derived.program;
        let mut path = SymbolicPath { sym: Sym::new(program), uses: Vec::new(), conditions: Vec::new() };
        let mut state = path.sym.start();
        let mut model = Assignment::new();
        let mut given = violation.inputs.iter();
        let mut regions: Vec<(RegionId, &RegionFill)> = Vec::new();
        for _ in 0..TUNING.path_steps {
            if path.sym.terms.len() > TUNING.path_terms {
                return None;
            }
            let installed = summarised.installed.get(&state.func());
            if let Some(installed) = installed.filter(|installed| installed.returns == state.loc) {
                path.note_use(&state, installed);
            }
            let before = state.path.len();
            let step = path.sym.step(&mut state);
            for input in &step.log.inputs {
                let (id, given) = given.next()?;
                if *id != input.id {
                    return None;
                }
                match (&input.given, given) {
                    (Given::Scalar(term, _), InputValue::Scalar(bits)) => {
                        if let Some(symbol) = path.sym.terms.as_symbol(*term) {
                            model.set(symbol, value(path.sym.terms.sort(*term), bits.u128())?);
                        }
                    }
                    (Given::Region(region, _), InputValue::Region(fill)) => regions.push((*region, fill)),
                    (Given::Scalar(..), InputValue::Region(_)) | (Given::Region(..), InputValue::Scalar(_)) => {
                        return None;
                    }
                }
            }
            // Bytes of a region have symbols once they are read.
            for (region, fill) in &regions {
                set_region(&path.sym, *region, fill, &mut model)?;
            }
            if let Some(broken) = step.log.obligations.iter().find(|one| one.check == violation.check)
                && Evaluator::new(&model).holds(&path.sym.terms, broken.broken)
            {
                path.conditions.extend(conjuncts(&path.sym.terms, broken.broken));
                return Some(path);
            }
            match step.next {
                Next::Ended => return None,
                Next::Moved => {}
                Next::Split(states) => {
                    let mut evaluator = Evaluator::new(&model);
                    let is_taken = |one: &State| evaluator.holds(&path.sym.terms, one.path.term());
                    state = states.into_iter().find(is_taken)?;
                }
            }
            // What is assumed in a contract's body the contract says already.
            if installed.is_none() {
                path.conditions.extend(state.path.since(before.min(state.path.len())));
            }
        }
        None
    }

    fn note_use(&mut self, state: &State, installed: &Installed) {
        let atom = |var| match state.register(VarRef::Local(var)) {
            Some(SymValue::Term(term)) => Some(*term),
            Some(SymValue::Const(_) | SymValue::Addr(..) | SymValue::Pointer(_)) | None => None,
        };
        let atoms = installed.atoms.iter().map(|var| atom(*var)).collect();
        self.uses.push(SymbolicUse { func: state.func(), atoms });
    }

    /// Clauses that exclude the path by the call with this number, strongest first.
    pub fn clauses(&mut self, number: usize, one: &Use, language: &mut Language) -> Vec<Clause> {
        let Some(found) = self.uses.get(number).filter(|found| found.func == one.func) else { return Vec::new() };
        let atoms = found.atoms.clone();
        let mut names: FxHashMap<SymbolId, (TermId, bool)> = FxHashMap::default();
        for (symbol, term) in language.symbols().to_vec().into_iter().zip(atoms) {
            let Some(term) = term else { continue };
            let is_entry = matches!(symbol.atom, Atom::Entry(_));
            let Some(id) = language.terms().as_symbol(symbol.term) else { continue };
            let name = language.terms().symbol_name(id).to_string();
            let sort = language.terms().sort(symbol.term);
            if self.sym.terms.sort(term) != sort {
                continue;
            }
            let named = self.sym.terms.symbol(&name, sort);
            if let Some((input, replaced)) = self.inverted(term, named) {
                names.entry(input).or_insert((replaced, is_entry));
            }
        }
        let (mut entry, mut others) = (Vec::new(), Vec::new());
        for &condition in &self.conditions {
            let symbols = free_symbols(&self.sym.terms, &[condition]);
            if symbols.is_empty() || !symbols.iter().all(|symbol| names.contains_key(symbol)) {
                continue;
            }
            let is_entry = symbols.iter().all(|symbol| names[symbol].1);
            if is_entry { entry.push(condition) } else { others.push(condition) }
        }
        if others.is_empty() {
            return Vec::new();
        }
        let pairs = names.iter().map(|(symbol, (named, _))| (self.sym.terms.symbol_term(*symbol), *named));
        let mut substitution = Substitution::new(pairs.collect::<Vec<_>>());
        let mut import = Import::new();
        let mut brought = |list: &[TermId], language: &mut Language| {
            let all = self.sym.terms.and_all(list.iter().copied());
            let renamed = substitution.apply(&mut self.sym.terms, all);
            import.apply(&self.sym.terms, language.terms(), renamed)
        };
        let (when, together) = (brought(&entry, language), brought(&others, language));
        let then = language.terms().not(together);
        if plumb_term::cone(language.terms(), &[when, then]).len() > TUNING.candidate_terms {
            return Vec::new();
        }
        let mut clauses = vec![Clause::always(then)];
        if when != TermId::bool(true) {
            clauses.push(Clause { when, then });
        }
        clauses
    }

    /// An input that a term is, but for a number that is added, and what the input is if the term is called by a name.
    fn inverted(&mut self, term: TermId, named: TermId) -> Option<(SymbolId, TermId)> {
        let terms = &mut self.sym.terms;
        if let Some(symbol) = terms.as_symbol(term) {
            return Some((symbol, named));
        }
        let Kind::Binary(op @ (BinaryOp::BvAdd | BinaryOp::BvSub), a, b) = terms.kind(term) else { return None };
        let (variable, number) = match (op, terms.is_const(a), terms.is_const(b)) {
            (_, false, true) => (a, b),
            (BinaryOp::BvAdd, true, false) => (b, a),
            _ => return None,
        };
        let symbol = terms.as_symbol(variable)?;
        Some((symbol, if op == BinaryOp::BvAdd { terms.bv_sub(named, number) } else { terms.bv_add(named, number) }))
    }
}

fn value(sort: Sort, bits: u128) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(bits & 1 == 1)),
        Sort::Bv(width) => Some(Value::Bv(BitVec::new(width, bits))),
        Sort::Float(format) => Some(Value::Float(format, BitVec::new(format.width(), bits))),
        Sort::Array { .. } => None,
    }
}
