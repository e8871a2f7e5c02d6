//! Refinement: predicates that exclude an abstract counterexample.
//!
//! **Idea.** The counterexample's way is gone once more, from entry to entry as it was followed: its points are *cuts*. Between two cuts lies a
//! piece of the way with a formula of its own. The abstraction lets a path through if the pieces are possible one after
//! the other, each piece beginning with the predicates' values that the one before has ended with. A candidate is worth something if
//! *no* choice of values gets through once it is among the predicates: all candidates are tried together, and the
//! solver's core names those that it takes. They are thinned out one by one. That is a sequence interpolant with
//! the vocabulary of the candidates: what the predicates' values can be at each cut ([`super::interpolants`]).
//!
//! **Candidates**, in stages, the likelier to hold beyond this one path the earlier:
//!
//! 1. what the location has already but the entry has not; conditions of the piece after the cut; conditions that the program
//!    asks anywhere, and bounds that the interval analysis knows, about the same parts;
//! 2. what held in all runs of a sample ([`crate::kind`] has it);
//! 3. conditions of later pieces, carried backwards to the cut (weakest preconditions; of conditions that have to do with
//!    the contradiction, and of parts that they need);
//! 4. what the parts were on the way, as constants and relations (strongest postconditions);
//! 5. conditions about parts that the loop does not change: paths that decide otherwise in one turn than in another;
//! 6. what held in the runs of a sample whenever something else did.
//!
//! Where no candidate helps, thresholds rise.

use super::explore::{Explorer, beyond};
use super::interpolants;
use super::points::EntryId;
use super::questions::Questions;
use super::trail::{End, PointId, Sign, Target, walk};
use crate::answer::Held;
use crate::kind::asked::conditions;
use crate::kind::sample::{Samples, sample};
use crate::kind::suggest::{Suggestions, of_interval, suggest};
use crate::kind::{Holder, Known, Quantity};
use crate::unroll::abstraction::LoopKey;
use plumb_ir::analysis::intervals::Intervals;
use plumb_ir::program::{FuncId, ObjRef, Program, VarRef};
use plumb_solve::Outcome;
use plumb_sym::{State, Sym};
use plumb_term::{BinaryOp, Kind, Sort, Substitution, SymbolId, TermId, Terms, UnaryOp, cone, free_symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Terms of a predicate at most.
const LARGE: usize = 60;
/// Candidates of one location and stage at most.
const MOST_CANDIDATES: usize = 200;
/// Parts of a state that relations are looked for between.
const MOST_RELATED: usize = 8;
const CONFLICTS: u64 = 50_000;
/// Values of one part that are told apart at once.
const MOST_ALIKE: usize = 64;
/// Parts of a location that make it a machine with a state of many parts, and those that it gets at once.
const MANY_PARTS: usize = 3;
const MOST_TOGETHER: usize = 8;
/// Candidates that are tried one by one.
const MOST_SINGLES: usize = 40;
const SINGLE_CONFLICTS: u64 = 5_000;
/// Questions for thinning out what a core has.
const MOST_THINNINGS: usize = 60;

/// An abstract counterexample that is none.
pub struct Spurious {
    pub signs: Vec<Sign>,
    pub steps: u64,
    pub target: Target,
    /// States without abstraction at the points, as far as a run gets.
    pub states: Vec<State>,
}

/// A point on the way.
pub struct Cut {
    pub entry: EntryId,
    pub key: LoopKey,
    /// The step that comes next.
    pub step: u64,
    /// The state that came, and the entry's.
    pub arrival: State,
    pub state: State,
}

/// A piece of the way, in symbols that no other piece has.
pub struct Piece {
    pub conditions: Vec<TermId>,
    renaming: Substitution,
}

/// Where candidates come from.
const SAMPLED_FIRST: u32 = 1;
const CONDITIONAL_FIRST: u32 = 2;
const OWN: u32 = 3;
const SAMPLED: u32 = 4;
const CARRIED: u32 = 5;
const SEEN: u32 = 6;
const FIXED: u32 = 7;
const CONDITIONAL: u32 = 8;

/// Which candidates are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plan {
    /// Those that cost little.
    Quick,
    Thorough,
    /// All, what held in runs before all others.
    RunsFirst,
}

/// Predicates of the same symbols before what held in runs is preferred.
const PATIENCE: u32 = 3;

pub struct Refiner {
    /// Conditions that functions ask, and those of static parts, which all of them may ask.
    asked: FxHashMap<FuncId, BTreeSet<Known>>,
    asked_anywhere: BTreeSet<Known>,
    intervals: Option<Intervals>,
    samples: Option<Samples>,
    /// What held in the samples, by location.
    suggested: FxHashMap<LoopKey, Suggestions>,
    /// How often locations have got predicates of the same symbols.
    refined: FxHashMap<(LoopKey, Vec<SymbolId>), u32>,
}

/// What might become a predicate.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    key: LoopKey,
    stage: u32,
    /// The step whose condition it comes from. A way has often several reasons to be none; what is near to its end is more
    /// often a reason for all others that end there.
    step: u64,
    term: TermId,
}

#[derive(Default)]
struct Candidates {
    list: Vec<Candidate>,
    known: FxHashSet<(LoopKey, TermId)>,
}

impl Candidates {
    /// Adds a condition that is new, and no constant.
    fn add(&mut self, terms: &Terms, candidate: Candidate) {
        let term = match terms.kind(candidate.term) {
            Kind::Unary(UnaryOp::Not, inner) => inner,
            _ => candidate.term,
        };
        if terms.as_bool(term).is_none() && self.known.insert((candidate.key, term)) {
            self.list.push(Candidate { term, ..candidate });
        }
    }

    /// The likelier ones first, and not too many.
    fn sorted(mut self, terms: &Terms) -> Vec<Candidate> {
        self.list.sort_by_key(|c| (c.stage, Reverse(c.step), cone(terms, &[c.term]).len()));
        let mut counts: FxHashMap<(LoopKey, u32), usize> = FxHashMap::default();
        self.list.retain(|c| {
            let count = counts.entry((c.key, c.stage)).or_default();
            *count += 1;
            *count <= MOST_CANDIDATES
        });
        self.list
    }
}

impl Refiner {
    pub fn new(program: &Program) -> Refiner {
        let (asked, intervals) = (conditions(program), Intervals::of(program));
        let is_static =
            |quantity: &Quantity| matches!(quantity.holder, Holder::Register(VarRef::Global(_)) | Holder::Static(..));
        let everywhere = asked.values().flatten().filter(|known| known.quantities().iter().all(is_static));
        let asked_anywhere = everywhere.cloned().collect();
        Refiner {
            asked,
            asked_anywhere,
            intervals,
            samples: None,
            suggested: FxHashMap::default(),
            refined: FxHashMap::default(),
        }
    }

    /// What is asked of parts that a function can see.
    fn asked_in(&self, func: FuncId) -> impl Iterator<Item = &Known> {
        let own = self.asked.get(&func);
        let other = self.asked_anywhere.iter().filter(move |known| own.is_none_or(|own| !own.contains(known)));
        own.into_iter().flatten().chain(other)
    }

    /// What held whenever a sample came to a head.
    fn sampled(&mut self, explorer: &Explorer, key: LoopKey) -> &Suggestions {
        let samples = self.samples.get_or_insert_with(|| sample(explorer.program, explorer.budget));
        self.suggested.entry(key).or_insert_with(|| match samples.heads.get(&key) {
            Some(seen) => suggest(seen, &samples.constants, &samples.conditions(key), &|_| true),
            None => Suggestions::default(),
        })
    }

    /// Makes the precision finer. Gives the entries whose precision has changed, the first on the way first.
    pub fn refine(&mut self, explorer: &mut Explorer, spurious: &Spurious) -> Vec<EntryId> {
        let way = Way::of(explorer, spurious);
        // Looking at runs takes its time.
        for plan in [Plan::Quick, Plan::Thorough] {
            let candidates = self.candidates(explorer, spurious, &way, plan);
            let Some(mut chosen) = way.choose(explorer, &candidates) else { continue };
            if self.is_slow(explorer, &chosen) {
                let candidates = self.candidates(explorer, spurious, &way, Plan::RunsFirst);
                chosen = way.choose(explorer, &candidates).unwrap_or(chosen);
            }
            let mut alike = self.alike(explorer, &chosen);
            let together = self.together(explorer, &chosen, &candidates);
            alike.extend(self.alike(explorer, &together));
            alike.extend(together);
            if let Some(precision) = &mut explorer.precision {
                for (key, predicate) in chosen.iter().chain(&alike) {
                    precision.add(*key, *predicate, &mut explorer.sym);
                }
            }
            debug_assert!(interpolants::check(explorer, &way, &chosen), "an interpolant's triple does not hold");
            let lacks = |cut: &Cut| {
                let has = &explorer.points.entry(cut.entry).predicates;
                chosen.iter().any(|(key, predicate)| *key == cut.key && !has.contains(predicate))
            };
            let entries = way.entries(lacks);
            if !entries.is_empty() {
                return entries;
            }
        }
        // Paths that were joined may be what lets it through.
        let together = |cut: &Cut| explorer.points.entry(cut.entry).arrivals.len() > 1;
        let entries = way.entries(together);
        if !entries.is_empty() {
            explorer.apart.extend(entries.iter().map(|entry| explorer.points.entry(*entry).key));
            return entries;
        }
        self.raise_thresholds(explorer, &way)
    }

    /// Notes that predicates were chosen. Whether they are of symbols that got others again and again: each may exclude one
    /// path only, and what held in all runs may be what is missing.
    fn is_slow(&mut self, explorer: &Explorer, chosen: &[(LoopKey, TermId)]) -> bool {
        let mut is_slow = false;
        for (key, predicate) in chosen {
            let is_known = explorer.precision.as_ref().is_some_and(|p| p.predicates(*key).contains(predicate));
            if !is_known {
                let symbols = free_symbols(&explorer.sym.terms, &[*predicate]);
                let count = self.refined.entry((*key, symbols)).or_default();
                *count += 1;
                is_slow |= *count > PATIENCE;
            }
        }
        is_slow
    }

    /// Where a part is asked for one value, the others that the program asks it for: it is a state that the program goes
    /// through, and the next path would ask for the next of them. Parts that were chosen together share their values.
    fn alike(&self, explorer: &mut Explorer, chosen: &[(LoopKey, TermId)]) -> Vec<(LoopKey, TermId)> {
        let mut parts: Vec<(LoopKey, TermId)> = Vec::new();
        let mut values: BTreeSet<TermId> = BTreeSet::new();
        for (key, predicate) in chosen {
            let Some((part, _)) = equation(&explorer.sym.terms, *predicate) else { continue };
            parts.push((*key, part));
            let Some(held) = explorer.vocabulary.parts(&mut explorer.sym, key.0, part) else { continue };
            let template = explorer.vocabulary.state(&mut explorer.sym, key.0);
            for known in self.asked_in(key.0) {
                if matches!(known, Known::OneOf(..))
                    && is_about(known, &held)
                    && let Some(term) = known.term(&mut explorer.sym, &template)
                    && let Some((of, value)) = equation(&explorer.sym.terms, term)
                    && of == part
                {
                    values.insert(value);
                }
            }
        }
        let terms = &mut explorer.sym.terms;
        let mut alike = Vec::new();
        for (key, part) in parts {
            let fitting = values.iter().filter(|value| terms.sort(**value) == terms.sort(part)).copied();
            let fitting: Vec<TermId> = fitting.take(MOST_ALIKE).collect();
            alike.extend(fitting.into_iter().map(|value| (key, terms.eq(part, value))));
        }
        alike
    }

    /// Where several parts of a location are asked for values, it is a machine whose state has many parts: of one more path, all
    /// the parts that it asks for values.
    fn together(
        &self,
        explorer: &Explorer,
        chosen: &[(LoopKey, TermId)],
        candidates: &[Candidate],
    ) -> Vec<(LoopKey, TermId)> {
        let terms = &explorer.sym.terms;
        let part = |predicate: &TermId| equation(terms, *predicate).map(|(part, _)| part);
        let mut together = Vec::new();
        let mut keys: Vec<LoopKey> =
            chosen.iter().filter(|(_, predicate)| part(predicate).is_some()).map(|(key, _)| *key).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let has = explorer.precision.as_ref().map_or(&[][..], |p| p.predicates(key));
            let mut parts: BTreeSet<TermId> = has.iter().filter_map(part).collect();
            if parts.len() < MANY_PARTS {
                continue;
            }
            let own = candidates.iter().filter(|c| c.key == key && c.stage == OWN && c.step > 0);
            for (part, candidate) in own.filter_map(|c| Some((part(&c.term)?, c))) {
                if parts.insert(part) {
                    together.push((key, candidate.term));
                }
            }
        }
        together.truncate(MOST_TOGETHER);
        together
    }

    /// Nothing helps: the loops on the way are followed further before they are abstracted.
    fn raise_thresholds(&self, explorer: &mut Explorer, way: &Way) -> Vec<EntryId> {
        for cut in &way.cuts {
            let arrivals = &explorer.points.entry(cut.entry).arrivals;
            let heads = arrivals.iter().filter_map(|arrival| arrival.spots.last()?.loops.last());
            let visits = heads.map(|around| around.visits).max().unwrap_or(0);
            if let Some(precision) = &mut explorer.precision {
                let precision = precision.of(cut.key);
                precision.threshold = precision.threshold.max(visits + 1);
            }
        }
        way.entries(|_| true)
    }

    fn candidates(&mut self, explorer: &mut Explorer, spurious: &Spurious, way: &Way, plan: Plan) -> Vec<Candidate> {
        let is_thorough = plan != Plan::Quick;
        let mut candidates = Candidates::default();
        let mut later: Vec<(u64, TermId)> = Vec::new();
        for at in (0..way.cuts.len()).rev() {
            let cut = &way.cuts[at];
            let key = cut.key;
            let shape = explorer.shape(key.0);
            let sym = &mut explorer.sym;
            let mut own: Vec<(u64, TermId)> = Vec::new();
            for (step, condition) in way.conditions_after(at) {
                own.extend(atoms(&sym.terms, condition).into_iter().map(|atom| (step, atom)));
            }
            let names = explorer.vocabulary.names(sym, &cut.state, &shape.live);
            let changed = &explorer.points.entry(cut.entry).forgotten.registers;
            let mut naming = Substitution::new(names.iter().map(|(value, name)| (*value, *name)));
            let mut parts: Vec<(TermId, Held)> = Vec::new();
            for (stage, atoms) in [(OWN, &own), (CARRIED, &later)] {
                for (step, atom) in atoms {
                    let said = naming.apply(&mut sym.terms, *atom);
                    let Some(found) = explorer.vocabulary.parts(sym, key.0, said) else {
                        // It is about inputs too. What is known of its parts may help nevertheless.
                        let found = explorer.vocabulary.mentioned(sym, key.0, said);
                        parts.extend(found.into_iter().filter(|part| !parts.contains(part)).collect::<Vec<_>>());
                        continue;
                    };
                    if found.is_empty() || cone(&sym.terms, &[said]).len() > LARGE {
                        continue;
                    }
                    let is_fixed = found.iter().all(|(_, held)| match held {
                        Held::Register(var) => !changed.contains_key(var),
                        Held::Bytes(..) => false,
                    });
                    let stage = if is_fixed { FIXED } else { stage };
                    if is_thorough || stage == OWN {
                        candidates.add(&sym.terms, Candidate { key, stage, step: *step, term: said });
                    }
                    for part in found.iter() {
                        if !parts.contains(part) {
                            parts.push(*part);
                        }
                    }
                }
            }
            let template = explorer.vocabulary.state(sym, key.0);
            let mut known: Vec<(u32, Known)> =
                self.asked_about(cut, &parts).into_iter().map(|known| (OWN, known)).collect();
            if is_thorough {
                let sampled = self.sampled(explorer, key);
                for (stage, list) in [(SAMPLED, &sampled.plain), (CONDITIONAL, &sampled.conditional)] {
                    known.extend(list.iter().filter(|k| is_about(k, &parts)).map(|known| (stage, known.clone())));
                }
                if let Some(state) = spurious.states.get(at) {
                    for term in relations(explorer, key, &parts, state) {
                        candidates.add(&explorer.sym.terms, Candidate { key, stage: SEEN, step: 0, term });
                    }
                }
            }
            let sym = &mut explorer.sym;
            for (stage, known) in known {
                if let Some(term) = known.term(sym, &template) {
                    candidates.add(&sym.terms, Candidate { key, stage, step: 0, term });
                }
            }
            // Said of the state that came, they are conditions of the piece before.
            let mut back: Vec<(TermId, TermId)> = Vec::new();
            for (value, name) in names {
                if let Some(before) = explorer.vocabulary.at(sym, name, &cut.arrival)
                    && before != value
                {
                    back.push((value, before));
                }
            }
            let mut back = Substitution::new(back);
            let mut carried: Vec<(u64, TermId)> = Vec::new();
            let mut seen = FxHashSet::default();
            for (step, atom) in own.into_iter().chain(later) {
                let before = back.apply(&mut sym.terms, atom);
                if cone(&sym.terms, &[before]).len() <= 4 * LARGE {
                    let new = atoms(&sym.terms, before).into_iter().filter(|atom| seen.insert(*atom));
                    carried.extend(new.map(|atom| (step, atom)));
                }
            }
            carried.sort_by_key(|(step, _)| Reverse(*step));
            carried.truncate(MOST_CANDIDATES);
            later = carried;
        }
        if plan == Plan::RunsFirst {
            let of_runs = candidates.list.iter_mut().filter(|c| matches!(c.stage, SAMPLED | CONDITIONAL));
            of_runs.for_each(|c| c.stage = if c.stage == SAMPLED { SAMPLED_FIRST } else { CONDITIONAL_FIRST });
        }
        candidates.sorted(&explorer.sym.terms)
    }

    /// What the program asks, and the intervals know, about parts.
    fn asked_about(&self, cut: &Cut, parts: &[(TermId, Held)]) -> Vec<Known> {
        let (func, head) = (cut.key.0, cut.state.loc);
        let mut found: Vec<Known> = Vec::new();
        found.extend(self.asked_in(func).filter(|known| is_about(known, parts)).cloned());
        for (_, held) in parts {
            if let (Held::Register(var), Some(intervals)) = (held, &self.intervals)
                && let Some(value) = intervals.at(func, head, *var)
            {
                let quantity = Quantity { holder: Holder::Register(*var), width: value.width };
                found.extend(of_interval(quantity, &value));
            }
        }
        found
    }
}

/// Whether a fact is about parts only.
fn is_about(known: &Known, parts: &[(TermId, Held)]) -> bool {
    let is_part = |quantity: &Quantity| {
        let held = match quantity.holder {
            Holder::Register(var) => Held::Register(var),
            Holder::Static(object, at) => Held::Bytes(ObjRef::Global(object), at),
            Holder::Local(object, at) => Held::Bytes(ObjRef::Local(object), at),
        };
        parts.iter().any(|(_, part)| *part == held)
    };
    known.quantities().iter().all(is_part)
}

/// A symbol that is to be equal to a constant, and the constant.
pub fn equation(terms: &Terms, predicate: TermId) -> Option<(TermId, TermId)> {
    let Kind::Binary(BinaryOp::Eq, a, b) = terms.kind(predicate) else { return None };
    let (part, value) = if terms.is_const(a) { (b, a) } else { (a, b) };
    (terms.is_const(value) && terms.as_symbol(part).is_some()).then_some((part, value))
}

/// The conditions that a condition is made of.
fn atoms(terms: &Terms, condition: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut stack = vec![condition];
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) || terms.is_const(term) {
            continue;
        }
        match terms.kind(term) {
            Kind::Unary(UnaryOp::Not, a) => stack.push(a),
            Kind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => stack.extend([a, b]),
            Kind::Binary(BinaryOp::Eq, a, b) if terms.sort(a) == Sort::Bool => stack.extend([a, b]),
            Kind::Ite(c, a, b) => stack.extend([c, a, b]),
            _ => found.push(term),
        }
    }
    found
}

/// What parts are in a state without abstraction: constants, and how they relate.
fn relations(explorer: &mut Explorer, key: LoopKey, parts: &[(TermId, Held)], state: &State) -> Vec<TermId> {
    let mut found = Vec::new();
    if state.func() != key.0 {
        return found;
    }
    let mut related: Vec<(TermId, TermId)> = Vec::new();
    for (symbol, _) in parts {
        let Some(value) = explorer.vocabulary.at(&mut explorer.sym, *symbol, state) else { continue };
        let terms = &mut explorer.sym.terms;
        if terms.is_const(value) {
            found.push(terms.eq(*symbol, value));
        }
        if matches!(terms.sort(*symbol), Sort::Bv(2..=64)) && related.len() < MOST_RELATED {
            related.push((*symbol, value));
        }
    }
    let terms = &mut explorer.sym.terms;
    for (i, (x, u)) in related.iter().enumerate() {
        for (y, v) in &related[i + 1..] {
            if terms.sort(*x) != terms.sort(*y) {
                continue;
            }
            found.push(terms.eq(*x, *y));
            found.push(terms.bv_sle(*x, *y));
            found.push(terms.bv_sle(*y, *x));
            found.push(terms.bv_ule(*x, *y));
            found.push(terms.bv_ule(*y, *x));
            let apart = terms.bv_sub(*u, *v);
            if terms.is_const(apart) {
                let difference = terms.bv_sub(*x, *y);
                found.push(terms.eq(difference, apart));
            }
        }
    }
    found
}

/// The way of a counterexample, cut at its points.
pub struct Way {
    pub cuts: Vec<Cut>,
    /// By step; the last one says that the target is met.
    conditions: Vec<(u64, TermId)>,
    /// What is known of the path at the end of each piece.
    paths: Vec<Vec<TermId>>,
}

impl Way {
    fn of(explorer: &mut Explorer, spurious: &Spurious) -> Way {
        let (sym, points) = (&mut explorer.sym, &explorer.points);
        let mut cuts: Vec<Cut> = Vec::new();
        let mut paths: Vec<Vec<TermId>> = Vec::new();
        let mut cut = |_: &mut Sym, state: &mut State, point: PointId, step: u64| {
            let id = points.point(point).entry;
            let entry = points.entry(id);
            let arrival = std::mem::replace(state, entry.state.clone());
            paths.push(arrival.path.since(0));
            cuts.push(Cut { entry: id, key: entry.key, step, arrival, state: state.clone() });
        };
        let again = walk(sym, &spurious.signs, spurious.steps, spurious.target, &mut cut);
        let mut conditions = again.conditions;
        let mut last = again.path.since(0);
        // What the exploration has met, the same way meets.
        if let End::Arrived(met) = again.end {
            let met = beyond(&sym.terms, met, again.path.term());
            conditions.push((spurious.steps, met));
            last.push(met);
        }
        paths.push(last);
        Way { cuts, conditions, paths }
    }

    /// Conditions between a cut and the next.
    fn conditions_after(&self, cut: usize) -> impl Iterator<Item = (u64, TermId)> + '_ {
        let from = self.cuts[cut].step;
        let to = self.cuts.get(cut + 1).map_or(u64::MAX, |next| next.step);
        self.conditions.iter().copied().filter(move |(step, _)| (from..to).contains(step))
    }

    /// The entries of some of the cuts.
    fn entries(&self, is_meant: impl Fn(&Cut) -> bool) -> Vec<EntryId> {
        let mut entries: Vec<EntryId> = Vec::new();
        for cut in self.cuts.iter().filter(|cut| is_meant(cut)) {
            if !entries.contains(&cut.entry) {
                entries.push(cut.entry);
            }
        }
        entries
    }

    /// The pieces, each in symbols of its own. `said` are further terms by piece that will be asked for.
    pub fn pieces(&self, sym: &mut Sym, said: &[Vec<TermId>]) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(self.cuts.len() + 1);
        for at in 0..=self.cuts.len() {
            let conditions = self.paths[at].clone();
            let mut all = conditions.clone();
            all.extend(said.get(at).into_iter().flatten());
            let mut pairs = Vec::new();
            if at > 0 {
                for symbol in free_symbols(&sym.terms, &all) {
                    let sort = sym.terms.symbol_sort(symbol);
                    pairs.push((sym.terms.symbol_term(symbol), sym.terms.fresh_symbol("again", sort)));
                }
            }
            let mut renaming = Substitution::new(pairs);
            let conditions = conditions.into_iter().map(|c| renaming.apply(&mut sym.terms, c)).collect();
            pieces.push(Piece { conditions, renaming });
        }
        pieces
    }

    /// By cut: a predicate said of the state that came, and of what it became.
    pub fn said(&self, explorer: &mut Explorer, key: LoopKey, predicate: TermId) -> Vec<Option<(TermId, TermId)>> {
        let mut said = Vec::with_capacity(self.cuts.len());
        for cut in &self.cuts {
            said.push(if cut.key == key {
                let left = explorer.vocabulary.at(&mut explorer.sym, predicate, &cut.arrival);
                let right = explorer.vocabulary.at(&mut explorer.sym, predicate, &cut.state);
                left.zip(right)
            } else {
                None
            });
        }
        said
    }

    /// Candidates that let nothing through, as few as is easily found; `None` if all of them together do not.
    fn choose(&self, explorer: &mut Explorer, candidates: &[Candidate]) -> Option<Vec<(LoopKey, TermId)>> {
        // Copies of everything would slow down the questions about paths.
        let mut questions = Questions::new(explorer.budget);
        let mut keys: Vec<LoopKey> = self.cuts.iter().map(|cut| cut.key).collect();
        keys.sort();
        keys.dedup();
        // What locations have already, and what they might have.
        let mut all: Vec<(u32, LoopKey, TermId)> = Vec::new();
        for key in keys {
            let known = explorer.precision.as_ref().map_or(Vec::new(), |p| p.predicates(key).to_vec());
            all.extend(known.iter().map(|predicate| (0, key, *predicate)));
        }
        let known: FxHashSet<(LoopKey, TermId)> = all.iter().map(|(_, key, term)| (*key, *term)).collect();
        let new = candidates.iter().filter(|c| !known.contains(&(c.key, c.term)));
        all.extend(new.map(|c| (c.stage, c.key, c.term)));
        let said: Vec<Vec<Option<(TermId, TermId)>>> =
            all.iter().map(|(_, key, predicate)| self.said(explorer, *key, *predicate)).collect();
        let mut by_piece: Vec<Vec<TermId>> = vec![Vec::new(); self.cuts.len() + 1];
        for one in &said {
            for (cut, pair) in one.iter().enumerate() {
                if let Some((left, right)) = pair {
                    by_piece[cut].push(*left);
                    by_piece[cut + 1].push(*right);
                }
            }
        }
        let sym = &mut explorer.sym;
        let mut pieces = self.pieces(sym, &by_piece);
        let base: Vec<TermId> = pieces.iter().flat_map(|piece| piece.conditions.iter().copied()).collect();
        let mut links: Vec<TermId> = Vec::with_capacity(said.len());
        for one in &said {
            let mut link = TermId::bool(true);
            for (cut, pair) in one.iter().enumerate() {
                if let Some((left, right)) = pair {
                    let left = pieces[cut].renaming.apply(&mut sym.terms, *left);
                    let right = pieces[cut + 1].renaming.apply(&mut sym.terms, *right);
                    let same = sym.terms.eq(left, right);
                    link = sym.terms.and(link, same);
                }
            }
            links.push(link);
        }
        let last = all.last().map_or(0, |(stage, _, _)| *stage);
        for stage in 0..=last {
            let here: Vec<usize> = (0..all.len()).filter(|i| all[*i].0 <= stage).collect();
            if stage > 0 && all.iter().all(|(of, _, _)| *of != stage) {
                continue;
            }
            let chosen = |core: &[TermId]| here.iter().copied().filter(|i| core.contains(&links[*i])).collect();
            let assumed: Vec<TermId> = base.iter().copied().chain(here.iter().map(|i| links[*i])).collect();
            if questions.ask(&mut explorer.sym, &assumed, Some(CONFLICTS)) != Outcome::Unsat {
                continue;
            }
            let core: Vec<usize> = chosen(questions.core());
            let core = match single(&mut questions, &mut explorer.sym, &base, &links, &all, stage) {
                Some(core) => core,
                None => thinned(&mut questions, &mut explorer.sym, &base, &links, core),
            };
            return Some(core.into_iter().map(|i| (all[i].1, all[i].2)).collect());
        }
        None
    }
}

/// One candidate that does it, together with what is there already.
fn single(
    questions: &mut Questions,
    sym: &mut Sym,
    base: &[TermId],
    links: &[TermId],
    all: &[(u32, LoopKey, TermId)],
    stage: u32,
) -> Option<Vec<usize>> {
    let known: Vec<usize> = (0..all.len()).filter(|i| all[*i].0 == 0).collect();
    let mut assumed: Vec<TermId> = base.iter().copied().chain(known.iter().map(|i| links[*i])).collect();
    let new = (0..all.len()).filter(|i| all[*i].0 == stage && stage > 0);
    for one in new.take(MOST_SINGLES) {
        assumed.push(links[one]);
        if questions.ask(sym, &assumed, Some(SINGLE_CONFLICTS)) == Outcome::Unsat {
            let needed: FxHashSet<TermId> = questions.core().iter().copied().collect();
            return Some(known.into_iter().filter(|i| needed.contains(&links[*i])).chain([one]).collect());
        }
        assumed.pop();
    }
    None
}

/// Leaves out what is not needed, of the later stages first.
fn thinned(
    questions: &mut Questions,
    sym: &mut Sym,
    base: &[TermId],
    links: &[TermId],
    mut core: Vec<usize>,
) -> Vec<usize> {
    let mut at = core.len();
    let mut asked = 0;
    while at > 0 && asked < MOST_THINNINGS {
        at = (at - 1).min(core.len().saturating_sub(1));
        if core.is_empty() {
            break;
        }
        asked += 1;
        let rest = core.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, link)| links[*link]);
        let assumed: Vec<TermId> = base.iter().copied().chain(rest).collect();
        if questions.ask(sym, &assumed, Some(CONFLICTS)) == Outcome::Unsat {
            let needed: FxHashSet<TermId> = questions.core().iter().copied().collect();
            core.remove(at);
            core.retain(|link| needed.contains(&links[*link]));
        }
    }
    core
}

impl Piece {
    /// A term of the piece in its own symbols.
    pub fn own(&mut self, sym: &mut Sym, term: TermId) -> TermId {
        self.renaming.apply(&mut sym.terms, term)
    }
}
