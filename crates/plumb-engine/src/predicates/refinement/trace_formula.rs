//! The trace formula of a counterexample, cut at its abstraction points, and the predicates that make it unsatisfiable.
//!
//! Between two cuts lies a segment with a formula of its own, in symbols of its own. The abstraction lets a path through if the
//! segments are feasible one after the other, each beginning with the predicate values that the one before has ended with.
//! A candidate is the assumption that its value is the same on both sides of the cuts; a core of the solver names the
//! candidates that are needed.

use super::super::feasibility::PathSolver;
use super::super::tuning::{FeasibilityTuning, RefinementTuning};
use super::super::vocabulary::Vocabulary;
use super::candidates::{Candidate, Source};
use super::path_atoms::ModelPath;
use super::{Known, LoopPredicate};
use crate::budget::Budget;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::VarRef;
use plumb_solve::Outcome;
use plumb_sym::{State, Sym};
use plumb_term::{Assignment, Substitution, TermId, free_symbols};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// An abstraction point of the counterexample.
pub struct Cut {
    /// The engine's number of the abstract entry of the loop.
    pub entry: u32,
    pub key: LoopKey,
    /// The registers that the entry has havocked.
    pub havocked: BTreeSet<VarRef>,
    /// The step that comes next.
    pub step: u64,
    /// The state that came, and the entry's.
    pub before: State,
    pub after: State,
}

/// A segment of the counterexample, in symbols that no other segment has.
pub struct Segment {
    pub conditions: Vec<TermId>,
    renaming: Substitution,
}

impl Segment {
    /// A term of the segment in its own symbols.
    pub fn rename(&mut self, sym: &mut Sym, term: TermId) -> TermId {
        self.renaming.apply(&mut sym.terms, term)
    }
}

#[derive(Default)]
pub struct TraceFormula {
    pub cuts: Vec<Cut>,
    /// By step; the last one says that the target is met.
    pub conditions: Vec<(u64, TermId)>,
    /// The path condition at the end of each segment.
    pub path_conditions: Vec<Vec<TermId>>,
    /// By segment of several joined paths, a model that takes one of them. Empty where each segment is one path.
    pub models: Vec<Option<Assignment>>,
}

/// By cut: a predicate in the state before it, and in the one after.
type Instances = Vec<Option<(TermId, TermId)>>;

impl TraceFormula {
    /// Conditions between a cut and the next.
    pub fn conditions_after(&self, cut: usize) -> impl Iterator<Item = (u64, TermId)> + '_ {
        let from = self.cuts[cut].step;
        let to = self.cuts.get(cut + 1).map_or(u64::MAX, |next| next.step);
        self.conditions.iter().copied().filter(move |(step, _)| (from..to).contains(step))
    }

    /// The model of the segment after a cut, or of the first one.
    pub fn model_of(&self, segment: usize) -> Option<&Assignment> {
        self.models.get(segment)?.as_ref()
    }

    /// Restricts every segment to the one path that its model takes.
    pub fn restrict_to_models(&mut self, sym: &mut Sym) {
        for (conditions, model) in self.path_conditions.iter_mut().zip(&self.models) {
            let Some(model) = model else { continue };
            let mut path = ModelPath::new(model);
            let atoms: Vec<TermId> =
                conditions.iter().flat_map(|condition| path.atoms(&mut sym.terms, *condition)).collect();
            conditions.extend(atoms.into_iter().map(|atom| path.literal(&mut sym.terms, atom)));
        }
    }

    /// The entries of some of the cuts.
    pub fn entries(&self, is_meant: impl Fn(&Cut) -> bool) -> Vec<u32> {
        let mut entries: Vec<u32> = Vec::new();
        for cut in self.cuts.iter().filter(|cut| is_meant(cut)) {
            if !entries.contains(&cut.entry) {
                entries.push(cut.entry);
            }
        }
        entries
    }

    /// A predicate of a loop at the cuts.
    pub fn instances(&self, sym: &mut Sym, vocabulary: &mut Vocabulary, (key, predicate): LoopPredicate) -> Instances {
        let mut instance = |cut: &Cut| {
            let before = vocabulary.instantiate(sym, predicate, &cut.before);
            before.zip(vocabulary.instantiate(sym, predicate, &cut.after))
        };
        self.cuts.iter().map(|cut| if cut.key == key { instance(cut) } else { None }).collect()
    }

    /// The segments, each in symbols of its own, which the instances of predicates at its ends have too.
    pub fn segments(&self, sym: &mut Sym, instances: &[Instances]) -> Vec<Segment> {
        let mut at_ends: Vec<Vec<TermId>> = vec![Vec::new(); self.cuts.len() + 1];
        for (cut, pair) in instances.iter().flat_map(|one| one.iter().enumerate()) {
            if let Some((before, after)) = pair {
                at_ends[cut].push(*before);
                at_ends[cut + 1].push(*after);
            }
        }
        let mut segments = Vec::with_capacity(self.cuts.len() + 1);
        for (at, ends) in at_ends.into_iter().enumerate() {
            let conditions = self.path_conditions[at].clone();
            let mut pairs = Vec::new();
            if at > 0 {
                let all: Vec<TermId> = conditions.iter().copied().chain(ends).collect();
                for symbol in free_symbols(&sym.terms, &all) {
                    let sort = sym.terms.symbol_sort(symbol);
                    pairs.push((sym.terms.symbol_term(symbol), sym.terms.fresh_symbol("again", sort)));
                }
            }
            let mut renaming = Substitution::new(pairs);
            let conditions = conditions.into_iter().map(|c| renaming.apply(&mut sym.terms, c)).collect();
            segments.push(Segment { conditions, renaming });
        }
        segments
    }

    /// Predicates that exclude the counterexample, as few as is easily found; `None` if all candidates together do not.
    pub fn choose(
        &self,
        sym: &mut Sym,
        known: &mut Known,
        candidates: &[Candidate],
        budget: &Budget,
        (tuning, feasibility): (&RefinementTuning, &FeasibilityTuning),
    ) -> Option<Vec<LoopPredicate>> {
        let mut keys: Vec<LoopKey> = self.cuts.iter().map(|cut| cut.key).collect();
        keys.sort();
        keys.dedup();
        // The predicates that the loops have already, and the candidates.
        let mut all: Vec<(Source, LoopPredicate)> = Vec::new();
        for key in keys {
            let had = known.precision.predicates(key);
            all.extend(had.iter().map(|predicate| (Source::Precision, (key, *predicate))));
            let tracked = known.values.iter().flat_map(|values| &values.tracked);
            all.extend(tracked.filter(|one| one.0 == key).map(|one| (Source::Precision, *one)));
        }
        let had: FxHashSet<LoopPredicate> = all.iter().map(|(_, predicate)| *predicate).collect();
        let new = candidates.iter().filter(|c| !had.contains(&(c.key, c.term)));
        all.extend(new.map(|c| (c.source, (c.key, c.term))));
        let vocabulary = &mut *known.vocabulary;
        let instances: Vec<Instances> =
            all.iter().map(|(_, predicate)| self.instances(sym, vocabulary, *predicate)).collect();
        let mut segments = self.segments(sym, &instances);
        let base: Vec<TermId> = segments.iter().flat_map(|segment| segment.conditions.iter().copied()).collect();
        let mut links: Vec<TermId> = Vec::with_capacity(all.len());
        for one in &instances {
            let mut link = TermId::bool(true);
            for (cut, pair) in one.iter().enumerate() {
                if let Some((before, after)) = pair {
                    let before = segments[cut].rename(sym, *before);
                    let after = segments[cut + 1].rename(sym, *after);
                    let same = sym.terms.eq(before, after);
                    link = sym.terms.and(link, same);
                }
            }
            links.push(link);
        }
        // A solver of its own: copies of everything would slow down the queries about paths.
        let solver = PathSolver::new(budget, feasibility);
        let sources: Vec<Source> = all.iter().map(|(source, _)| *source).collect();
        let mut selection = Selection { tuning, solver, base, links, sources };
        let chosen = selection.choose(sym)?;
        Some(chosen.into_iter().map(|i| all[i].1).collect())
    }
}

/// The choice among predicates, by number.
struct Selection<'t> {
    tuning: &'t RefinementTuning,
    solver: PathSolver,
    /// The conditions of all segments.
    base: Vec<TermId>,
    /// That a predicate has the same value on both sides of each cut.
    links: Vec<TermId>,
    sources: Vec<Source>,
}

impl Selection<'_> {
    /// Tries the sources one after the other, each together with those before it.
    fn choose(&mut self, sym: &mut Sym) -> Option<Vec<usize>> {
        let mut sources = self.sources.clone();
        sources.push(Source::Precision);
        sources.sort();
        sources.dedup();
        for source in sources {
            let here: Vec<usize> = (0..self.links.len()).filter(|i| self.sources[*i] <= source).collect();
            let Some(core) = self.exclude(sym, &here) else { continue };
            return Some(self.minimise(sym, core));
        }
        None
    }

    /// Those of some predicates that a core needs to exclude the counterexample; `None` if they do not exclude it.
    fn exclude(&mut self, sym: &mut Sym, predicates: &[usize]) -> Option<Vec<usize>> {
        let links = predicates.iter().map(|i| self.links[*i]);
        let assumptions: Vec<TermId> = self.base.iter().copied().chain(links).collect();
        if self.solver.check(sym, &assumptions, Some(self.tuning.max_conflicts)) != Outcome::Unsat {
            return None;
        }
        let core: FxHashSet<TermId> = self.solver.core().iter().copied().collect();
        Some(predicates.iter().copied().filter(|i| core.contains(&self.links[*i])).collect())
    }

    /// Leaves out what is not needed, of the later sources first.
    fn minimise(&mut self, sym: &mut Sym, mut core: Vec<usize>) -> Vec<usize> {
        let mut at = core.len();
        let mut queries = 0;
        while at > 0 && !core.is_empty() && queries < self.tuning.max_minimisations {
            at = (at - 1).min(core.len() - 1);
            queries += 1;
            let mut rest = core.clone();
            rest.remove(at);
            if let Some(smaller) = self.exclude(sym, &rest) {
                core = smaller;
            }
        }
        core
    }
}
