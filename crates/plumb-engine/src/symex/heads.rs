//! Loop heads: where paths go on as they are, enter a loop abstractly, or come to an abstract state once more.

use super::branch::Branch;
use super::explore::{Concrete, Explorer, Stop};
use super::points::{Entry, EntryId, Visited};
use super::questions::Possible;
use super::refine::equation;
use super::trail::Sign;
use crate::answer::StatePart;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::VarRef;
use plumb_ir::ty::Ty;
use plumb_sym::{Changes, State, Value};
use plumb_term::{Assignment, Sort, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// States at heads, before the abstraction, that are kept to tell invariants.
const MOST_CONCRETE: usize = 500;

impl Explorer<'_> {
    /// Whether a path comes to a loop that it is to enter abstractly.
    pub(super) fn is_due(&mut self, branch: &Branch) -> bool {
        let Some(precision) = &self.precision else { return false };
        let func = branch.state.func();
        let Some(around) = branch.head() else { return false };
        let key = (func, around.id);
        branch.is_entering()
            && around.counted >= precision.threshold(key)
            && (around.counted > 0 || self.undecided.contains(&key))
            && !self.plain.contains(&key)
            && !self.shape(func).loops.get(key.1).irreducible
    }

    /// A path is at the head of a loop. Gives it back if it goes on as it is.
    pub(super) fn at_head(&mut self, mut branch: Branch) -> Result<Option<Branch>, Stop> {
        let func = branch.state.func();
        let Some(around) = branch.head() else { return Ok(Some(branch)) };
        let (key, visits, entry) = ((func, around.id), around.counted, around.tag);
        self.deepest = self.deepest.max(visits);
        let is_known = entry.is_some() || visits == 0 || self.precision.is_none() || self.undecided.contains(&key);
        if !is_known && self.has_decided(vec![key]) {
            return Ok(None);
        }
        if self.is_due(&branch) {
            // Others may come.
            self.wait(branch);
            return Ok(None);
        }
        branch.is_at_head = false;
        if let Some(entry) = entry {
            self.visit(branch, entry, false)?;
            return Ok(None);
        }
        if self.precision.is_some() {
            self.note_concrete(key, &branch);
        }
        Ok(Some(branch))
    }

    fn note_concrete(&mut self, key: LoopKey, branch: &Branch) {
        if self.concrete.len() >= MOST_CONCRETE {
            self.more_concrete.insert(key);
            return;
        }
        let conditions = branch.conditions();
        self.concrete.push(Concrete { key, state: branch.state.clone(), conditions, point: branch.point });
    }

    /// Paths enter a loop abstractly.
    pub(super) fn enter(&mut self, mut group: Vec<Branch>) -> Result<(), Stop> {
        let Some(key) = group.first().and_then(|one| Some((one.state.func(), one.head()?.id))) else {
            return Ok(());
        };
        if group.len() > 1 && self.apart.contains(&key) {
            return group.into_iter().try_for_each(|one| self.enter(vec![one]));
        }
        let shape = self.shape(key.0);
        let mut joined: Option<State> = None;
        for branch in &group {
            let mut state = branch.state.clone();
            for given in branch.given.iter() {
                state.path.push(*given, &mut self.sym.terms);
            }
            let together = match joined {
                Some(other) => self.join(other, state, &shape.live),
                None => Some(state),
            };
            if together.is_none() {
                self.apart.insert(key);
                return self.enter(group);
            }
            joined = together;
        }
        group.iter_mut().for_each(|branch| branch.is_at_head = false);
        let Some(mut state) = joined else { return Ok(()) };
        let analyses = self.analyses;
        let forgotten = self.changes.entry(key).or_insert_with(|| assigned(analyses, key));
        self.sym.forget(&mut state, forgotten);
        let forgotten = forgotten.clone();
        let all = self.precision.as_ref().map_or(Vec::new(), |p| p.predicates(key).to_vec());
        let (mut predicates, mut terms) = (Vec::new(), Vec::new());
        for predicate in all {
            if let Some(term) = self.vocabulary.at(&mut self.sym, predicate, &state) {
                predicates.push(predicate);
                terms.push(term);
            }
        }
        let arrivals: Vec<Arc<Branch>> = group.iter().cloned().map(Arc::new).collect();
        let visited = FxHashMap::default();
        let path = state.path.since(0);
        let nothing = Some(Arc::new(Assignment::new()));
        let Some(values) = self.values_for(&mut Vec::new(), &path, nothing) else { return Ok(()) };
        let entry = Entry { key, arrivals, forgotten, state, values, predicates, terms, visited, is_gone: false };
        let entry = self.points.add_entry(entry);
        for mut branch in group {
            branch.enter(entry);
            self.visit(branch, entry, true)?;
        }
        Ok(())
    }

    /// A path comes to the head of a loop that it has entered abstractly: for each of its abstract states that is new it goes
    /// on from there.
    pub(super) fn visit(&mut self, branch: Branch, id: EntryId, is_arrival: bool) -> Result<(), Stop> {
        if self.points.entry(id).is_gone {
            return Ok(());
        }
        let shape = self.shape(branch.state.func());
        let entry = self.points.entry(id);
        let key = entry.key;
        if !is_arrival {
            let mut changes = entry.forgotten.clone();
            match self.sym.note_changes(&entry.state, &branch.state, &shape.live, &mut changes) {
                Ok(false) => {}
                Ok(true) => {
                    self.changes.entry(key).or_default().merge(&changes);
                    self.make_again(id);
                    return Ok(());
                }
                Err(_) => {
                    self.plain.insert(key);
                    self.make_again(id);
                    return Ok(());
                }
            }
        }
        let said = self.said(id, &branch.state);
        let valuations = self.valuations(&branch.conditions(), &said)?;
        let branch = Arc::new(branch);
        for valuation in valuations {
            if let Some(visited) = self.points.entry_mut(id).visited.get_mut(&valuation) {
                visited.turned_away.push(branch.clone());
                self.has_survivor = true;
                continue;
            }
            let entry = self.points.entry(id);
            let (mut state, terms, entry_values) = (entry.state.clone(), entry.terms.clone(), entry.values.clone());
            let forgotten = entry.forgotten.clone();
            let holding = entry.predicates.iter().zip(valuation.iter()).filter(|(_, holds)| **holds);
            let equations: Vec<_> = holding.filter_map(|(one, _)| equation(&self.sym.terms, *one)).collect();
            for (part, value) in equations {
                let parts = self.vocabulary.parts(&mut self.sym, key.0, part);
                match parts.as_deref() {
                    Some([(_, StatePart::Register(var))]) if forgotten.registers.contains_key(var) => {
                        state.set_register(*var, Value::of_term(value, &self.sym.terms));
                    }
                    Some([(_, StatePart::Bytes(object, at))]) => {
                        self.sym.set_forgotten(&mut state, &forgotten, *object, *at, value);
                    }
                    _ => {}
                }
            }
            let point = self.points.add_point(id, branch.clone(), valuation.clone());
            let given: Vec<TermId> = terms
                .iter()
                .zip(valuation.iter())
                .map(|(term, holds)| if *holds { *term } else { self.sym.terms.not(*term) })
                .filter(|term| *term != TermId::bool(true))
                .collect();
            let visited = Visited { point, turned_away: Vec::new() };
            self.points.entry_mut(id).visited.insert(valuation, visited);
            let mut known = state.path.since(0);
            let Some(values) = self.values_for(&mut known, &given, entry_values.clone()) else { continue };
            let trail = self.trails.add(branch.trail, Sign::Point(point, branch.steps));
            let (position, steps, decisions) = (branch.position.clone(), branch.steps, branch.decisions);
            let point = Some(point);
            self.wait(Branch {
                state,
                given: given.into(),
                position,
                trail,
                decisions,
                steps,
                point,
                values,
                is_at_head: false,
                is_at_meeting: false,
            });
        }
        Ok(())
    }

    /// Values under which further conditions hold, from those under which the known ones do; `None` if they cannot.
    fn values_for(
        &mut self,
        known: &mut Vec<TermId>,
        more: &[TermId],
        mut values: Option<Arc<Assignment>>,
    ) -> Option<Option<Arc<Assignment>>> {
        for condition in more {
            match self.questions.is_possible(&mut self.sym, known, &[*condition], values.as_ref()) {
                Possible::No => return None,
                Possible::Yes(found) => values = found,
            }
            known.push(*condition);
        }
        Some(values)
    }

    /// The predicates of an entry, said of a state that comes to it.
    pub(super) fn said(&mut self, id: EntryId, state: &State) -> Vec<TermId> {
        let predicates = self.points.entry(id).predicates.clone();
        let mut said = Vec::with_capacity(predicates.len());
        for predicate in predicates {
            let term = self.vocabulary.at(&mut self.sym, predicate, state);
            // Of a part that the state has not, nothing is known.
            said.push(term.unwrap_or_else(|| self.sym.terms.fresh_symbol("unknown", Sort::Bool)));
        }
        said
    }
}

/// The registers that a loop's own edges assign. What calls change, memory, and where pointers may point is seen when a turn
/// is over.
fn assigned(analyses: &Analyses, key: LoopKey) -> Changes {
    let program = analyses.program();
    let function = program.function(key.0);
    let body = &analyses.shape(key.0).loops.get(key.1).body;
    let mut changes = Changes::default();
    for edge in body.iter().flat_map(|loc| function.out_edges(*loc)).map(|edge| function.edge(edge)) {
        if let Some(var) = edge.op.written() {
            let ty = match var {
                VarRef::Global(var) => program.var(var).ty,
                VarRef::Local(var) => function.var(var).ty,
            };
            if ty != Ty::Ptr {
                changes.registers.entry(var).or_default();
            }
        }
    }
    changes
}
