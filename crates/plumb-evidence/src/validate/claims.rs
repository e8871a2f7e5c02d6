//! What a certificate claims of loop heads, said of states.
//!
//! An entry is a loop that is entered in one context: a call stack, and abstract states of the loops before and around it. It
//! claims that every state at its head is in one of its abstract states, each of which gives all its predicates a value.
//! The facts of an induction are entries as well: in any context, with one abstract state in which every predicate holds.
//!
//! **Contexts.** An abstract state of an inner loop may be possible only after some of those of the loop around it. So a claim is a
//! disjunction over entries, each together with the abstract states from which it is reached, said of the states at which
//! these were assumed (`AssumedEntry`): their terms are fixed while the inner loop is followed. Where one loop follows another several times,
//! it matters which entry was assumed last ([`Arrival::FromLatest`]). Paths of an engine that have entered a
//! loop apart may differ in nothing but how often loops iterated before that are not cut ([`Arrival::ByExits`]). A context
//! is part of the claim, so that whatever it says, the claim is proved where it is assumed.

use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::{FuncId, Loc};
use plumb_sym::{State, StatePart, Sym};
use plumb_term::{Import, Sort, Substitution, TermId, Terms};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The claims of a certificate. Numbers and sorts have been checked against the program.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    pub terms: Terms,
    pub entries: Vec<Entry>,
}

/// By predicate of an entry, whether it holds.
pub(super) type Valuation = Box<[bool]>;

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub key: LoopKey,
    /// `None`: in every context.
    pub call_stack: Option<Vec<(FuncId, Loc)>>,
    pub predicates: Vec<TermId>,
    /// What the symbols of the predicates stand for; nothing where it is dead at the head.
    pub symbols: Vec<(TermId, Option<StatePart>)>,
    /// By abstract state, whether each predicate holds.
    pub states: Vec<Valuation>,
    /// Entries with abstract states from which it is reached, `None` being the start of the program; without a list, from anywhere.
    pub arrivals: Option<Vec<Option<(usize, usize)>>>,
    /// By arrival, loops that runs have left since, each after so many iterations; an empty list says nothing.
    pub exits: Vec<Vec<(LoopKey, u32)>>,
}

/// The claim of a loop where it is entered: the entries that fit, with the terms of their contexts.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct LoopClaim {
    entries: Vec<(usize, TermId)>,
}

/// An entry whose abstract states were assumed: the path there, the context and the predicates, said of that state. Of a run that was
/// joined with others the path tells whether it has been there.
#[derive(Debug)]
pub(super) struct AssumedEntry {
    path: TermId,
    context: TermId,
    predicates: Vec<TermId>,
}

/// By entry, where a run has assumed it: more than once where runs are joined.
pub(super) type History = BTreeMap<usize, Vec<Arc<AssumedEntry>>>;

/// Loops that a run has left iteration by iteration since it has assumed a claim: after how many iterations the last time, each with
/// the path there.
pub(super) type Exits = BTreeMap<LoopKey, Vec<(u32, TermId)>>;

/// What it means that an entry is reached from another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Arrival {
    /// The other one was assumed at some time.
    #[default]
    FromAny,
    /// It was assumed last.
    FromLatest,
    /// It was assumed last, and loops were left since as the certificate says.
    ByExits,
}

/// The claims in the arena of one exploration.
#[derive(Debug, Default)]
pub(super) struct Claims {
    entries: Vec<Entry>,
}

impl Claims {
    pub fn import(formulas: &Formulas, terms: &mut Terms) -> Claims {
        let mut import = Import::new();
        let mut entries = formulas.entries.clone();
        for entry in &mut entries {
            for term in &mut entry.predicates {
                *term = import.apply(&formulas.terms, terms, *term);
            }
            for (symbol, _) in &mut entry.symbols {
                *symbol = import.apply(&formulas.terms, terms, *symbol);
            }
        }
        Claims { entries }
    }

    /// The claim of a loop that a state enters.
    pub fn at_entry(
        &self,
        sym: &mut Sym,
        state: &State,
        (history, exits): (&History, &Exits),
        arrival: Arrival,
        key: LoopKey,
    ) -> LoopClaim {
        let by_exits = arrival == Arrival::ByExits;
        let call_stack = state.call_stack();
        let fits =
            |entry: &Entry| entry.key == key && entry.call_stack.as_ref().is_none_or(|stack| *stack == call_stack);
        let mut entries = Vec::new();
        for (number, entry) in self.entries.iter().enumerate().filter(|(_, entry)| fits(entry)) {
            let mut context = TermId::bool(entry.arrivals.is_none());
            for (at, arrival) in entry.arrivals.iter().flatten().enumerate() {
                let mut from = match arrival {
                    None => never_opened(sym, history),
                    Some((from, state)) => self.was_in(sym, history, *from, *state),
                };
                for exit in entry.exits.get(at).into_iter().flatten().filter(|_| by_exits) {
                    let left = has_left(sym, exits, *exit);
                    from = sym.terms.and(from, left);
                }
                context = sym.terms.or(context, from);
            }
            if context != TermId::bool(false) {
                entries.push((number, context));
            }
        }
        LoopClaim { entries }
    }

    /// Whether a loop has entries, and a state with a history can be in the context of none of them.
    pub fn is_out_of_context(&self, state: &State, history: &History, key: LoopKey) -> bool {
        let call_stack = state.call_stack();
        let may_fit = |entry: &Entry| {
            let may_come =
                |arrival: &Option<(usize, usize)>| arrival.is_none_or(|(from, _)| history.contains_key(&from));
            entry.call_stack.as_ref().is_none_or(|stack| *stack == call_stack)
                && entry.arrivals.as_ref().is_none_or(|arrivals| arrivals.iter().any(may_come))
        };
        let mut entries = self.entries.iter().filter(|entry| entry.key == key).peekable();
        entries.peek().is_some() && !entries.any(may_fit)
    }

    /// That a run has been in an abstract state of an entry when that was assumed last.
    fn was_in(&self, sym: &mut Sym, history: &History, entry: usize, state: usize) -> TermId {
        let Some(valuation) = self.entries.get(entry).and_then(|entry| entry.states.get(state)) else {
            return TermId::bool(false);
        };
        let mut any = TermId::bool(false);
        for opened in history.get(&entry).into_iter().flatten() {
            let here = conjunction(sym, &opened.predicates, valuation);
            let here = sym.terms.and_all([opened.path, opened.context, here]);
            any = sym.terms.or(any, here);
        }
        any
    }

    /// The claim, said of a state at the loop's head.
    pub fn term(&self, sym: &mut Sym, claim: &LoopClaim, state: &State) -> TermId {
        let mut any = TermId::bool(false);
        for (number, context) in &claim.entries {
            let entry = &self.entries[*number];
            let predicates = instances(sym, entry, state);
            let one = disjunction(sym, &predicates, &entry.states);
            let one = sym.terms.and(*context, one);
            any = sym.terms.or(any, one);
        }
        any
    }

    /// Notes that the claim was assumed of a state.
    pub fn note_opened(
        &self,
        sym: &mut Sym,
        claim: &LoopClaim,
        state: &State,
        arrival: Arrival,
        history: &mut Arc<History>,
    ) {
        // Nobody asks for contexts of induction. If the order matters, those that nobody asks for come between the others.
        let asks = |e: &Entry, number: usize| e.arrivals.iter().flatten().flatten().any(|a| a.0 == number);
        let is_noted = |number: usize| arrival != Arrival::FromAny || self.entries.iter().any(|e| asks(e, number));
        if arrival != Arrival::FromAny {
            Arc::make_mut(history).clear();
        }
        for (number, context) in claim.entries.iter().filter(|(number, _)| is_noted(*number)) {
            let predicates = instances(sym, &self.entries[*number], state);
            let opened = Arc::new(AssumedEntry { path: state.path.term(), context: *context, predicates });
            Arc::make_mut(history).insert(*number, vec![opened]);
        }
    }
}

/// That a run comes from the start of the program without having been at an entry.
fn never_opened(sym: &mut Sym, history: &History) -> TermId {
    let any = sym.terms.or_all(history.values().flatten().map(|opened| opened.path));
    sym.terms.not(any)
}

/// That a run has left a loop after so many iterations.
fn has_left(sym: &mut Sym, exits: &Exits, (key, iterations): (LoopKey, u32)) -> TermId {
    let list = exits.get(&key).into_iter().flatten();
    sym.terms.or_all(list.filter(|(after, _)| *after == iterations).map(|(_, path)| *path))
}

/// The loops that a run has left which was joined with another one.
pub(super) fn join_exits(exits: &mut Arc<Exits>, other: &Arc<Exits>) {
    if Arc::ptr_eq(exits, other) {
        return;
    }
    let exits = Arc::make_mut(exits);
    for (key, list) in &**other {
        let known = exits.entry(*key).or_default();
        list.iter().for_each(|one| {
            if !known.contains(one) {
                known.push(*one);
            }
        });
    }
}

/// The history of a run that was joined with another one.
pub(super) fn join_histories(history: &mut Arc<History>, other: &Arc<History>) {
    if Arc::ptr_eq(history, other) {
        return;
    }
    let history = Arc::make_mut(history);
    for (number, list) in &**other {
        let known = history.entry(*number).or_default();
        for opened in list {
            if !known.iter().any(|one| Arc::ptr_eq(one, opened)) {
                known.push(opened.clone());
            }
        }
    }
}

/// The predicates of an entry, instantiated in a state at its head.
fn instances(sym: &mut Sym, entry: &Entry, state: &State) -> Vec<TermId> {
    let mut pairs = Vec::with_capacity(entry.symbols.len());
    for (symbol, part) in &entry.symbols {
        let sort = sym.terms.sort(*symbol);
        let value = part.and_then(|part| sym.part_for(&entry.predicates, state, part, *symbol));
        let value = value.filter(|value| sym.terms.sort(*value) == sort);
        // Of a part that the state has not, nothing is known. Nor of a dead register: what an iteration does to it is not noticed,
        // so that the state from which an iteration is followed has an old value.
        let value = value.unwrap_or_else(|| sym.terms.fresh_symbol("unknown", sort));
        pairs.push((*symbol, value));
    }
    let mut substitution = Substitution::new(pairs);
    entry.predicates.iter().map(|predicate| substitution.apply(&mut sym.terms, *predicate)).collect()
}

/// That predicates have the values of an abstract state.
fn conjunction(sym: &mut Sym, predicates: &[TermId], valuation: &[bool]) -> TermId {
    debug_assert!(predicates.iter().all(|p| sym.terms.sort(*p) == Sort::Bool));
    let literals: Vec<TermId> = predicates
        .iter()
        .zip(valuation)
        .map(|(predicate, holds)| if *holds { *predicate } else { sym.terms.not(*predicate) })
        .collect();
    sym.terms.and_all(literals)
}

/// That predicates have the values of one of the abstract states, as a decision tree over the predicates: what many states
/// have in common is written once.
fn disjunction(sym: &mut Sym, predicates: &[TermId], states: &[Valuation]) -> TermId {
    let Some((first, rest)) = predicates.split_first() else { return TermId::bool(!states.is_empty()) };
    let at = states.first().map_or(0, |state| state.len() - predicates.len());
    if states.is_empty() {
        return TermId::bool(false);
    }
    let (yes, no): (Vec<Valuation>, Vec<Valuation>) = states.iter().cloned().partition(|state| state[at]);
    let yes = disjunction(sym, rest, &yes);
    let no = disjunction(sym, rest, &no);
    sym.terms.ite(*first, yes, no)
}
