//! Whether a fair environment leaves a state of the composition.
//!
//! What the environment may do again and again it does again and again. A transition of the composition stands for a block, which takes its
//! way on conditions on values that the environment gives in it and on variables that the abstraction has forgotten. If these have the
//! wrong values the environment cannot take it, however often the state comes. But it may be able to take another one then: with some transitions,
//! each with some values given, of which one is possible *whatever* the forgotten variables are, a run that
//! comes to the state again and again can take one of them again and again, and so takes it.
//!
//! Such transitions and values are looked for as counterexamples teach: forgotten variables for which none of those found so far is possible,
//! and values for one that is possible for them.

use super::composition::{Job, Transition, Workspace};
use super::tuning::TUNING;
use plumb_ir::input::InputOrigin;
use plumb_solve::{Outcome, Solver};
use plumb_sym::Path;
use plumb_term::{Evaluator, Kind, Substitution, TermId, cone};
use rustc_hash::FxHashSet;

/// Whether a value may be another one every time. What memory or a caller happens to hold may be the same for ever.
pub(super) fn is_given_anew(origin: &InputOrigin) -> bool {
    match origin {
        InputOrigin::Nondet(_)
        | InputOrigin::External(_)
        | InputOrigin::ExternalMemory(_)
        | InputOrigin::Volatile(_)
        | InputOrigin::Register(_)
        | InputOrigin::Library(_)
        | InputOrigin::Assembly
        | InputOrigin::Schedule(_) => true,
        InputOrigin::ForeignMemory
        | InputOrigin::Uninitialised(_)
        | InputOrigin::Padding(_)
        | InputOrigin::FreshMemory
        | InputOrigin::ExternalObject(_)
        | InputOrigin::MainArgument
        | InputOrigin::EntryArgument(..)
        | InputOrigin::MissingArgument(_)
        | InputOrigin::MissingReturn(_)
        | InputOrigin::Summary(_)
        | InputOrigin::UnitState(_) => false,
    }
}

/// What a block decides, beyond what holds of the state that it begins in.
#[derive(Clone, Debug, Default)]
pub(super) struct Guard {
    /// All of it, unless each condition is about values alone that are given in the block. Such conditions can be fulfilled in every state.
    conditions: Vec<TermId>,
    /// The symbols in them that stand for values given in the block.
    given: Vec<TermId>,
    /// The others.
    forgotten: Vec<TermId>,
}

impl Guard {
    pub fn is_free(&self) -> bool {
        self.conditions.is_empty()
    }
}

impl Workspace<'_> {
    /// The guard of a block that begins in a state with a path. Of one that perhaps no run takes it is all that the block decides: that
    /// conditions on given values can be fulfilled is known only from a model of the whole.
    pub fn guard(&mut self, before: &Path, given: &[TermId], decided: &[TermId], is_undecided: bool) -> Guard {
        let given: FxHashSet<TermId> = cone(&self.sym.terms, given).into_iter().collect();
        let mut conditions = Vec::new();
        let mut is_mixed = false;
        for condition in decided {
            let symbols = self.symbols_of(&[*condition]);
            let is_about_state = symbols.iter().any(|symbol| !given.contains(symbol));
            if is_about_state && !self.is_implied(before, *condition) {
                is_mixed |= symbols.iter().any(|symbol| given.contains(symbol));
                conditions.push(*condition);
            }
        }
        if is_mixed || is_undecided {
            conditions = decided.to_vec();
        }
        let (given, forgotten) = self.symbols_of(&conditions).into_iter().partition(|symbol| given.contains(symbol));
        Guard { conditions, given, forgotten }
    }

    fn symbols_of(&self, roots: &[TermId]) -> Vec<TermId> {
        let terms = &self.sym.terms;
        cone(terms, roots).into_iter().filter(|term| matches!(terms.kind(*term), Kind::Symbol(_))).collect()
    }

    /// Whether the environment can take one of some transitions that leave a state, whatever the forgotten variables are.
    pub fn can_always_take_one(&mut self, job: &Job, before: &Path, transitions: &[&Transition]) -> bool {
        if transitions.iter().any(|one| one.guard.is_free()) {
            return true;
        }
        let mut guards: Vec<(&Guard, TermId)> = Vec::new();
        for transition in transitions {
            let holds = self.sym.terms.and_all(transition.guard.conditions.iter().copied());
            guards.push((&transition.guard, holds));
        }
        // For what is forgotten none of those found so far is possible.
        let mut conditions = vec![before.term()];
        for (_, holds) in guards.iter().filter(|(guard, _)| guard.given.is_empty()) {
            conditions.push(self.sym.terms.not(*holds));
        }
        for _ in 0..TUNING.most_choices {
            match self.ask(job, &conditions, TUNING.block_conflicts) {
                Outcome::Unsat => return true,
                Outcome::Unknown(_) => return false,
                Outcome::Sat => {}
            }
            let mut states: Vec<TermId> =
                guards.iter().flat_map(|(guard, _)| guard.forgotten.iter().copied()).collect();
            states.sort_unstable();
            states.dedup();
            let Some(mut state) = self.values_of(&states) else { return false };
            let mut chosen = None;
            for (guard, holds) in guards.iter().filter(|(guard, _)| !guard.given.is_empty()) {
                let there = state.apply(&mut self.sym.terms, *holds);
                if self.ask(job, &[there], TUNING.block_conflicts) == Outcome::Sat {
                    let Some(mut choice) = self.values_of(&guard.given) else { return false };
                    chosen = Some(choice.apply(&mut self.sym.terms, *holds));
                    break;
                }
            }
            let Some(chosen) = chosen else { return false };
            conditions.push(self.sym.terms.not(chosen));
        }
        false
    }

    /// The values of symbols in the solver's model; any other value would do where that has none.
    fn values_of(&mut self, symbols: &[TermId]) -> Option<Substitution> {
        let model = self.queries.solver.model()?;
        let mut evaluator = Evaluator::new(model);
        let values: Vec<_> = symbols.iter().map(|symbol| evaluator.value(&self.sym.terms, *symbol)).collect();
        let pairs: Vec<(TermId, TermId)> =
            symbols.iter().zip(&values).map(|(symbol, value)| (*symbol, self.sym.terms.value(value))).collect();
        Some(Substitution::new(pairs))
    }
}
