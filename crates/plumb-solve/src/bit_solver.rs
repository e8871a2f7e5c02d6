//! The default back end: definitions eliminated, terms to gates, gates to clauses, clauses to CaDiCaL, arrays by lemmas.
//!
//! Everything only adds: a term, a gate and a clause exist once for the life of the solver. A scope is a literal that guards
//! the clauses of its assertions and is assumed while the scope is open. Soundness rests on each layer by itself: elimination
//! keeps models up to the symbols it defines, assertions that a query has nothing to do with are left out of it but not of
//! models, circuits compute what `plumb_term::eval` says, clauses define gates both ways, and lemmas hold in all models
//! of arrays.

use crate::aig::{Aig, Gate, Lit};
use crate::arrays::{Clauses, Verdict};
use crate::blast::Blaster;
use crate::cnf::Cnf;
use crate::eliminate::Elimination;
use crate::limits::{Limits, Why};
use crate::parts::Parts;
use crate::sat::{Found, Sat, SatLit};
use crate::solver::{Outcome, Solver};
use plumb_term::{Assignment, BitVec, Evaluator, Sort, TermId, Terms, Value};
use std::time::{Duration, Instant};

/// Where effort went.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stats {
    pub checks: usize,
    /// Symbols replaced by their definitions.
    pub eliminated: usize,
    pub gates: usize,
    pub variables: usize,
    pub clauses: usize,
    pub conflicts: u64,
    /// Searches of the SAT solver: one per check and one more per round of lemmas.
    pub searches: usize,
    pub lemmas: usize,
    /// Assertions that no query has needed.
    pub left_out: usize,
    pub encoding: Duration,
    pub searching: Duration,
}

struct Scope {
    guard: SatLit,
    /// How many assertions were waiting when it was opened.
    waiting: usize,
}

#[derive(Default)]
pub struct BitSolver {
    blaster: Blaster,
    cnf: Cnf,
    sat: Sat,
    elimination: Elimination,
    scopes: Vec<Scope>,
    /// Assertions outside of scopes that elimination has not seen.
    fresh: Vec<TermId>,
    /// Assertions outside of scopes that no query has needed yet.
    parts: Parts,
    /// Assertions outside of scopes that are to be encoded.
    ready: Vec<TermId>,
    /// Assertions inside of scopes that are to be encoded, outermost scope first.
    scoped: Vec<(TermId, SatLit)>,
    limits: Limits,
    model: Option<Assignment>,
    core: Vec<TermId>,
    checks: usize,
    lemmas: usize,
    encoding: Duration,
    searching: Duration,
}

/// What a search has come to, and the assumptions that a refutation needs.
struct Searched {
    outcome: Outcome,
    failed: Vec<SatLit>,
}

impl Searched {
    fn unknown(why: Why) -> Searched {
        Searched { outcome: Outcome::Unknown(why), failed: Vec::new() }
    }
}

/// The layers below terms, while arrays look at them.
struct Below<'a> {
    aig: &'a Aig,
    cnf: &'a mut Cnf,
    sat: &'a mut Sat,
    limits: &'a Limits,
}

impl Clauses for Below<'_> {
    fn mentions(&self, lit: Lit) -> bool {
        self.cnf.existing(lit).is_some()
    }

    fn mention(&mut self, lit: Lit) {
        if !lit.is_constant() {
            self.cnf.literal(self.aig, self.sat, lit, &mut || false);
        }
    }

    fn scatter(&mut self, lit: Lit) {
        if let Some(lit) = self.cnf.existing(lit) {
            self.sat.scatter(lit);
        }
    }

    fn assert(&mut self, lit: Lit) {
        if let Some(lit) = self.cnf.literal(self.aig, self.sat, lit, &mut || false) {
            self.sat.add(&[lit]);
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        value(self.cnf, self.sat, lit)
    }
}

fn literal(aig: &Aig, cnf: &mut Cnf, sat: &mut Sat, limits: &Limits, lit: Lit) -> Result<SatLit, Why> {
    cnf.literal(aig, sat, lit, &mut || limits.exhausted().is_some())
        .ok_or_else(|| limits.exhausted().unwrap_or(Why::Cancelled))
}

/// The value of a gate in the model just found. What no clause mentions is false.
fn value(cnf: &Cnf, sat: &mut Sat, lit: Lit) -> bool {
    match lit.as_constant() {
        Some(value) => value,
        None => cnf.existing(lit).is_some_and(|lit| sat.value(lit)),
    }
}

impl BitSolver {
    pub fn new() -> BitSolver {
        BitSolver::default()
    }

    /// Sets one of CaDiCaL's options; only before anything is asserted.
    pub fn set_sat_option(&mut self, name: &str, value: i32) -> bool {
        self.sat.set_option(name, value)
    }

    pub fn stats(&self) -> Stats {
        let sat = self.sat.stats();
        Stats {
            checks: self.checks,
            eliminated: self.elimination.definitions().len(),
            gates: self.blaster.aig.len(),
            variables: sat.variables,
            clauses: sat.clauses,
            conflicts: sat.conflicts,
            searches: sat.searches,
            lemmas: self.lemmas,
            left_out: self.parts.waiting().count(),
            encoding: self.encoding,
            searching: self.searching,
        }
    }

    /// Takes in new assertions outside of scopes: definitions, and what else has to hold.
    fn take_in(&mut self, terms: &mut Terms) {
        if self.fresh.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut self.fresh);
        let blaster = &self.blaster;
        let known = |term| blaster.knows(term);
        let defined = self.elimination.definitions().len();
        let mut others = self.elimination.run(terms, &batch, &known);
        if self.elimination.definitions().len() > defined {
            let waiting = self.parts.take_all();
            others.extend(waiting.into_iter().map(|term| self.elimination.apply(terms, term, &known)));
        }
        self.ready.extend(others.into_iter().filter_map(|term| self.parts.wait(terms, term, &known)));
    }

    /// Encodes all assertions that the terms encoded so far have to do with. What an error leaves waits for the next check.
    fn encode_assertions(&mut self, terms: &mut Terms) -> Result<(), Why> {
        while let Some(&(term, guard)) = self.scoped.last() {
            self.encode_assertion(terms, term, Some(guard))?;
            self.scoped.pop();
            for scope in &mut self.scopes {
                scope.waiting = scope.waiting.min(self.scoped.len());
            }
        }
        loop {
            while let Some(&term) = self.ready.last() {
                self.encode_assertion(terms, term, None)?;
                self.ready.pop();
            }
            self.ready = self.parts.connected(self.blaster.symbols());
            if self.ready.is_empty() {
                return Ok(());
            }
        }
    }

    /// Finds a model of the assertions that were left out, or says why there is none.
    fn complete(&mut self, terms: &mut Terms) -> Result<(), Outcome> {
        let rest: Vec<TermId> = self.parts.waiting().collect();
        if rest.is_empty() || self.parts.model().is_some() {
            return Ok(());
        }
        let mut other = BitSolver::new();
        other.set_limits(self.limits.clone());
        match other.check(terms, &rest) {
            Outcome::Sat => {
                self.parts.set_model(other.model.take().unwrap_or_default());
                Ok(())
            }
            outcome => Err(outcome),
        }
    }

    fn encode_assertion(&mut self, terms: &mut Terms, term: TermId, guard: Option<SatLit>) -> Result<(), Why> {
        let lit = self.encode(terms, term)?;
        self.assert_gate(lit, guard)
    }

    /// The gate of a truth value.
    fn encode(&mut self, terms: &mut Terms, term: TermId) -> Result<Lit, Why> {
        let blaster = &self.blaster;
        let term = self.elimination.apply(terms, term, &|term| blaster.knows(term));
        self.blaster.truth(terms, term, &self.limits)
    }

    /// Clauses that make a gate true while the guard holds: conjunctions piece by piece, disjunctions as one clause.
    fn assert_gate(&mut self, lit: Lit, guard: Option<SatLit>) -> Result<(), Why> {
        let mut conjuncts = vec![lit];
        let mut clause = Vec::new();
        while let Some(lit) = conjuncts.pop() {
            if lit == Lit::TRUE {
                continue;
            }
            clause.clear();
            clause.extend(guard.map(|guard| !guard));
            match self.blaster.aig.gate(lit.gate()) {
                Gate::And(a, b) if !lit.is_complement() => {
                    conjuncts.extend([a, b]);
                    continue;
                }
                Gate::And(a, b) => {
                    let Below { aig, cnf, sat, limits } = self.below();
                    for lit in [!a, !b] {
                        clause.push(literal(aig, cnf, sat, limits, lit)?);
                    }
                }
                Gate::False | Gate::Input | Gate::Xor(..) | Gate::Mux(..) | Gate::Majority(..) => {
                    let Below { aig, cnf, sat, limits } = self.below();
                    clause.push(literal(aig, cnf, sat, limits, lit)?);
                }
            }
            self.sat.add(&clause);
        }
        Ok(())
    }

    fn below(&mut self) -> Below<'_> {
        Below { aig: &self.blaster.aig, cnf: &mut self.cnf, sat: &mut self.sat, limits: &self.limits }
    }

    /// Everything that a search needs, as literals to assume.
    fn encode_query(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> Result<Vec<SatLit>, Why> {
        self.take_in(terms);
        if assumptions.is_empty() {
            // Then everything is what is asked.
            self.ready.extend(self.parts.take_all());
        }
        let mut literals = Vec::with_capacity(assumptions.len());
        for &term in assumptions {
            let gate = self.encode(terms, term)?;
            let Below { aig, cnf, sat, limits } = self.below();
            literals.push(literal(aig, cnf, sat, limits, gate)?);
        }
        self.encode_assertions(terms)?;
        let below = &mut Below { aig: &self.blaster.aig, cnf: &mut self.cnf, sat: &mut self.sat, limits: &self.limits };
        self.blaster.arrays.activate(below);
        Ok(literals)
    }

    /// Searches until a model survives the arrays.
    fn search(&mut self, terms: &mut Terms, literals: &[SatLit]) -> Searched {
        let assumed: Vec<SatLit> =
            self.scopes.iter().map(|scope| scope.guard).chain(literals.iter().copied()).collect();
        let mut limits = self.limits.clone();
        let spent = self.sat.stats().conflicts;
        loop {
            if let Some(conflicts) = self.limits.conflicts {
                let used = self.sat.stats().conflicts - spent;
                limits.conflicts = Some(conflicts.saturating_sub(used));
            }
            match self.sat.solve(&assumed, &limits) {
                Found::Refutation => {
                    let failed = literals.iter().copied().filter(|literal| self.sat.failed(*literal)).collect();
                    return Searched { outcome: Outcome::Unsat, failed };
                }
                Found::Nothing(why) => return Searched::unknown(why),
                Found::Model => {}
            }
            match self.refute_model() {
                Ok(None) => {}
                Ok(Some(arrays)) => {
                    if let Err(outcome) = self.complete(terms) {
                        return Searched { outcome, failed: Vec::new() };
                    }
                    self.model = Some(self.read_model(terms, arrays));
                    return Searched { outcome: Outcome::Sat, failed: Vec::new() };
                }
                Err(why) => return Searched::unknown(why),
            }
        }
    }

    /// Adds lemmas that the model breaks; if there are none, the values of array symbols.
    fn refute_model(&mut self) -> Result<Option<Vec<(TermId, Value)>>, Why> {
        // Lemmas add gates; values are read from what was there before.
        let Blaster { aig, arrays, .. } = &mut self.blaster;
        let unused = Aig::new();
        let mut below = Below { aig: &unused, cnf: &mut self.cnf, sat: &mut self.sat, limits: &self.limits };
        match arrays.check(aig, &mut below) {
            Verdict::Consistent(values) => {
                Ok(Some(values.into_iter().map(|(term, value)| (term, Value::Array(value))).collect()))
            }
            Verdict::Refuted(lemmas) => {
                self.lemmas += lemmas.len();
                for lemma in lemmas {
                    let Below { aig, cnf, sat, limits } = self.below();
                    let clause: Result<Vec<SatLit>, Why> =
                        lemma.into_iter().map(|lit| literal(aig, cnf, sat, limits, lit)).collect();
                    let clause = clause?;
                    self.sat.add(&clause);
                }
                Ok(None)
            }
        }
    }

    fn read_model(&mut self, terms: &Terms, arrays: Vec<(TermId, Value)>) -> Assignment {
        let mut model = Assignment::new();
        for (symbol, value) in self.parts.model().into_iter().flat_map(Assignment::iter) {
            if !self.blaster.knows(terms.symbol_term(symbol)) {
                model.set(symbol, value.clone());
            }
        }
        let mut set = |term: TermId, value: Value| {
            if let Some(symbol) = terms.as_symbol(term) {
                model.set(symbol, value);
            }
        };
        for (term, value) in arrays {
            set(term, value);
        }
        for &term in self.blaster.symbols() {
            let word = self.blaster.word(terms, term).unwrap_or(&[]);
            if word.iter().all(|&lit| self.cnf.existing(lit).is_none()) {
                continue;
            }
            let limbs = word.chunks(64).map(|chunk| {
                let bits = chunk.iter().map(|&lit| value(&self.cnf, &mut self.sat, lit) as u64);
                bits.enumerate().fold(0, |limb, (i, bit)| limb | bit << i)
            });
            let bits = BitVec::from_limbs(word.len() as u32, limbs.collect());
            set(term, value_of(terms.sort(term), bits));
        }
        let mut defined = Vec::new();
        let mut evaluator = Evaluator::new(&model);
        for &(symbol, definition) in self.elimination.definitions() {
            defined.push((symbol, evaluator.value(terms, definition)));
        }
        for (term, value) in defined {
            if let Some(symbol) = terms.as_symbol(term) {
                model.set(symbol, value);
            }
        }
        model
    }

    fn run(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> Outcome {
        if let Some(why) = self.limits.exhausted() {
            return Outcome::Unknown(why);
        }
        let start = Instant::now();
        let encoded = self.encode_query(terms, assumptions);
        self.encoding += start.elapsed();
        let literals = match encoded {
            Ok(literals) => literals,
            Err(why) => return Outcome::Unknown(why),
        };
        let start = Instant::now();
        let Searched { outcome, failed } = self.search(terms, &literals);
        self.searching += start.elapsed();
        let failed = assumptions.iter().zip(&literals).filter(|(_, literal)| failed.contains(literal));
        self.core = failed.map(|(term, _)| *term).collect();
        self.core.sort_unstable();
        self.core.dedup();
        outcome
    }
}

/// Bits as a value of a sort.
fn value_of(sort: Sort, bits: BitVec) -> Value {
    match sort {
        Sort::Bool => Value::Bool(!bits.is_zero()),
        Sort::Bv(_) => Value::Bv(bits),
        Sort::Float(format) => Value::Float(format, bits),
        Sort::Array { index, element } => {
            let cells = (0..1u32 << index).map(|at| bits.extract((at + 1) * element - 1, at * element));
            let start = plumb_term::ArrayValue::new(index, BitVec::zero(element));
            let array = cells.enumerate().fold(start, |array, (at, cell)| {
                if cell.is_zero() { array } else { array.store(&BitVec::new(index, at as u128), &cell) }
            });
            Value::Array(array)
        }
    }
}

impl Solver for BitSolver {
    fn assert(&mut self, _terms: &mut Terms, term: TermId) {
        self.model = None;
        match self.scopes.last() {
            None => self.fresh.push(term),
            Some(scope) => self.scoped.push((term, scope.guard)),
        }
    }

    fn push(&mut self) {
        self.scopes.push(Scope { guard: self.sat.new_variable(), waiting: self.scoped.len() });
    }

    fn pop(&mut self) {
        self.model = None;
        if let Some(scope) = self.scopes.pop() {
            self.scoped.truncate(scope.waiting);
            self.sat.add(&[!scope.guard]);
        }
    }

    fn check(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> Outcome {
        self.model = None;
        self.core.clear();
        self.checks += 1;
        let span = tracing::info_span!("solving").entered();
        let conflicts = if span.is_disabled() { 0 } else { self.sat.stats().conflicts };
        let outcome = self.run(terms, assumptions);
        if !span.is_disabled() {
            let (conflicts, gates) = (self.sat.stats().conflicts - conflicts, self.blaster.aig.len() as u64);
            tracing::info!(queries = 1u64, conflicts, max_terms = terms.len() as u64, max_gates = gates);
        }
        outcome
    }

    fn model(&self) -> Option<&Assignment> {
        self.model.as_ref()
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::Format;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn definitions_are_eliminated_and_come_back_in_models() {
        let (mut terms, mut solver) = (Terms::new(), BitSolver::new());
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::Bv(32)));
        let one = terms.bv(32, 1);
        let (after_y, after_z) = (terms.bv_add(y, one), terms.bv_mul(z, z));
        let (first, second) = (terms.eq(x, after_y), terms.eq(y, after_z));
        let seventeen = terms.bv(32, 17);
        let goal = terms.eq(x, seventeen);
        for term in [first, second] {
            solver.assert(&mut terms, term);
        }
        assert_eq!(solver.check(&mut terms, &[goal]), Outcome::Sat);
        assert_eq!(solver.stats().eliminated, 2);
        let sixteen = terms.bv(32, 16);
        assert_eq!(solver.value(&terms, y), terms.constant(sixteen));
        for term in [first, second, goal] {
            assert_eq!(solver.value(&terms, term), Some(Value::Bool(true)));
        }
    }

    #[test]
    fn what_a_query_does_not_touch_is_left_out_but_not_of_models() {
        let (mut terms, mut solver) = (Terms::new(), BitSolver::new());
        let [x, y, a, b] = ["x", "y", "a", "b"].map(|name| terms.symbol(name, Sort::Bv(16)));
        let (square, product) = (terms.bv_mul(a, b), terms.bv_mul(x, y));
        let (n, m) = (terms.bv(16, 143), terms.bv(16, 35));
        let (apart, near) = (terms.eq(square, n), terms.eq(product, m));
        let (small, two) = (terms.bv(16, 20), terms.bv(16, 2));
        let bounds = [a, b].map(|symbol| {
            let (over, under) = (terms.bv_ult(two, symbol), terms.bv_ult(symbol, small));
            terms.and(over, under)
        });
        for term in [apart, near, bounds[0], bounds[1]] {
            solver.assert(&mut terms, term);
        }
        let five = terms.bv(16, 5);
        let goal = terms.eq(x, five);
        assert_eq!(solver.check(&mut terms, &[goal]), Outcome::Sat);
        assert!(solver.stats().left_out > 0);
        for term in [apart, near, bounds[0], bounds[1], goal] {
            assert_eq!(solver.value(&terms, term), Some(Value::Bool(true)));
        }
        // A refutation needs nothing of the rest, and names what it needs.
        let (even, odd) = (terms.bv(16, 4), terms.bv(16, 1));
        let (is_even, low) = (terms.eq(x, even), terms.bv_ult(odd, y));
        assert_eq!(solver.check(&mut terms, &[is_even, low]), Outcome::Unsat);
        assert_eq!(solver.core(), [is_even]);
        // A rest without a model leaves no model of anything.
        let prime = terms.bv(16, 139);
        let (other, third) = (terms.symbol("c", Sort::Bv(16)), terms.symbol("d", Sort::Bv(16)));
        let factors = terms.bv_mul(other, third);
        let is_prime = terms.eq(factors, prime);
        solver.assert(&mut terms, is_prime);
        for symbol in [other, third] {
            let (over, under) = (terms.bv_ult(two, symbol), terms.bv_ult(symbol, small));
            solver.assert(&mut terms, over);
            solver.assert(&mut terms, under);
        }
        assert_eq!(solver.check(&mut terms, &[goal]), Outcome::Unsat);
        assert!(solver.core().is_empty());
        assert_eq!(solver.check(&mut terms, &[]), Outcome::Unsat);
    }

    #[test]
    fn circular_definitions_stay_equations() {
        let (mut terms, mut solver) = (Terms::new(), BitSolver::new());
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bv(8)));
        let (not_y, next) = (terms.bv_not(y), terms.bv_neg(x));
        let (first, second) = (terms.eq(x, not_y), terms.eq(y, next));
        solver.assert(&mut terms, first);
        solver.assert(&mut terms, second);
        // x = !y and y = -x: x = !(-x) = x - 1.
        assert_eq!(solver.check(&mut terms, &[]), Outcome::Unsat);
        assert!(solver.core().is_empty());
    }

    #[test]
    fn limits_are_obeyed_while_encoding() {
        let (mut terms, mut solver) = (Terms::new(), BitSolver::new());
        let mut word = terms.symbol("x", Sort::Bv(64));
        let y = terms.symbol("y", Sort::Bv(64));
        for _ in 0..2000 {
            let square = terms.bv_mul(word, word);
            word = terms.bv_add(square, y);
        }
        let goal = terms.eq(word, y);
        let flag = Arc::new(AtomicBool::new(true));
        solver.set_limits(Limits { cancel: Some(flag.clone()), ..Limits::default() });
        solver.assert(&mut terms, goal);
        assert_eq!(solver.check(&mut terms, &[]), Outcome::Unknown(Why::Cancelled));
        flag.store(false, Ordering::Relaxed);
        let start = Instant::now();
        solver.set_limits(Limits { deadline: Some(start + Duration::from_millis(20)), ..Limits::default() });
        assert_eq!(solver.check(&mut terms, &[]), Outcome::Unknown(Why::Time));
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn what_is_absurd_is_refused_and_the_rest_still_answered() {
        let (mut terms, mut solver) = (Terms::new(), BitSolver::new());
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Float(Format::X87)));
        let rest = terms.float_rem(x, y);
        let zero = terms.float_is_zero(rest);
        solver.push();
        solver.assert(&mut terms, zero);
        assert!(matches!(solver.check(&mut terms, &[]), Outcome::Unknown(Why::Unsupported(_))));
        solver.pop();
        let less = terms.float_lt(x, y);
        assert_eq!(solver.check(&mut terms, &[less]), Outcome::Sat);
    }

    #[test]
    fn stores_far_apart_do_not_disturb_each_other() {
        let (mut terms, mut solver) = (Terms::new(), BitSolver::new());
        let array = terms.symbol("a", Sort::Array { index: 32, element: 8 });
        let [i, j] = ["i", "j"].map(|name| terms.symbol(name, Sort::Bv(32)));
        let [v, w] = ["v", "w"].map(|name| terms.symbol(name, Sort::Bv(8)));
        let first = terms.store(array, i, v);
        let one_way = terms.store(first, j, w);
        let second = terms.store(array, j, w);
        let other_way = terms.store(second, i, v);
        let (same, apart) = (terms.eq(one_way, other_way), terms.ne(i, j));
        let differ = terms.not(same);
        assert_eq!(solver.check(&mut terms, &[differ, apart]), Outcome::Unsat);
        assert_eq!(solver.core().len(), 2);
        assert_eq!(solver.check(&mut terms, &[differ]), Outcome::Sat);
        assert_eq!(solver.value(&terms, same), Some(Value::Bool(false)));
    }
}
