//! Candidates for predicates, and where they come from.
//!
//! In stages, the likelier to hold beyond this one path the earlier; the constants below name them in this order:
//!
//! * `OWN`: conditions of the piece after the cut; conditions that the program asks anywhere, bounds that the interval
//!   analysis knows, and invariants that other engines have proved, about the same parts;
//! * `SAMPLED`: what held in all sample runs ([`crate::facts`]);
//! * `CARRIED`: conditions of later pieces, carried backwards to the cut (weakest preconditions; of conditions that have to do
//!   with the contradiction, and of parts that they need);
//! * `SEEN`: what the parts were on the way, as constants and relations (strongest postconditions);
//! * `FIXED`: conditions about parts that the loop does not change: paths that decide otherwise in one iteration than in
//!   another;
//! * `CONDITIONAL`: what held in sample runs whenever something else did.
//!
//! Where sample runs come first (`Plan::RunsFirst`), `SAMPLED` and `CONDITIONAL` come before all others.

use super::explore::Explorer;
use super::way::{Cut, Spurious, Way};
use crate::answer::StatePart;
use crate::board::Cursor;
use crate::facts::conditions::conditions;
use crate::facts::suggest::{Suggestions, of_interval, suggest};
use crate::facts::{Fact, Holder, Quantity, Samples};
use crate::symex::SYMEXIA;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::{FuncId, ObjRef, VarRef};
use plumb_sym::State;
use plumb_term::{BinaryOp, Kind, Sort, Substitution, TermId, Terms, UnaryOp, cone};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Terms of a predicate at most.
const LARGE: usize = 60;
/// Candidates of one location and stage at most.
const MOST_CANDIDATES: usize = 200;
/// Parts of a state that relations are looked for between.
const MOST_RELATED: usize = 8;

/// Where candidates come from.
const SAMPLED_FIRST: u32 = 1;
const CONDITIONAL_FIRST: u32 = 2;
pub const OWN: u32 = 3;
const SAMPLED: u32 = 4;
const CARRIED: u32 = 5;
const SEEN: u32 = 6;
const FIXED: u32 = 7;
const CONDITIONAL: u32 = 8;

/// Which candidates are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Those that cost little.
    Quick,
    Thorough,
    /// All, what held in runs before all others.
    RunsFirst,
}

/// What candidates are made of.
pub struct Sources {
    /// Conditions that functions ask, and those of static parts, which all of them may ask.
    asked: FxHashMap<FuncId, BTreeSet<Fact>>,
    asked_anywhere: BTreeSet<Fact>,
    samples: Option<Arc<Samples>>,
    /// Invariants that other engines have proved.
    posted: FxHashMap<LoopKey, Vec<Arc<Fact>>>,
    reader: Cursor,
    /// What held in the samples, by location.
    suggested: FxHashMap<LoopKey, Suggestions>,
}

/// What might become a predicate.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub key: LoopKey,
    pub stage: u32,
    /// The step whose condition it comes from. A way has often several reasons to be none; what is near to its end is more
    /// often a reason for all others that end there.
    pub step: u64,
    pub term: TermId,
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

impl Sources {
    pub fn new(analyses: &Analyses) -> Sources {
        let asked = conditions(analyses.program());
        let is_static =
            |quantity: &Quantity| matches!(quantity.holder, Holder::Register(VarRef::Global(_)) | Holder::Static(..));
        let everywhere = asked.values().flatten().filter(|known| known.quantities().iter().all(is_static));
        let asked_anywhere = everywhere.cloned().collect();
        Sources {
            asked,
            asked_anywhere,
            samples: None,
            posted: FxHashMap::default(),
            reader: Cursor::default(),
            suggested: FxHashMap::default(),
        }
    }

    /// What is asked of parts that a function can see.
    pub fn asked_in(&self, func: FuncId) -> impl Iterator<Item = &Fact> {
        let own = self.asked.get(&func);
        let other = self.asked_anywhere.iter().filter(move |known| own.is_none_or(|own| !own.contains(known)));
        own.into_iter().flatten().chain(other)
    }

    /// What held whenever a sample came to a head.
    fn sampled(&mut self, explorer: &Explorer, key: LoopKey) -> &Suggestions {
        let samples = self.samples.get_or_insert_with(|| explorer.board.samples(explorer.analyses, explorer.budget));
        self.suggested.entry(key).or_insert_with(|| match samples.heads.get(&key) {
            Some(seen) => suggest(seen, &samples.constants, &samples.conditions(key), &|_| true),
            None => Suggestions::default(),
        })
    }

    fn read_board(&mut self, explorer: &Explorer) {
        for post in explorer.board.invariants.read(SYMEXIA, &mut self.reader) {
            self.posted.entry(post.what.key).or_default().push(post.what.fact);
        }
    }

    pub fn candidates(
        &mut self,
        explorer: &mut Explorer,
        spurious: &Spurious,
        way: &Way,
        plan: Plan,
    ) -> Vec<Candidate> {
        self.read_board(explorer);
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
            let mut parts: Vec<(TermId, StatePart)> = Vec::new();
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
                        StatePart::Register(var) => !changed.contains_key(var),
                        StatePart::Bytes(..) => false,
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
            let mut known: Vec<(u32, Fact)> =
                self.asked_about(explorer.analyses, cut, &parts).into_iter().map(|known| (OWN, known)).collect();
            let posted = self.posted.get(&key).into_iter().flatten();
            known.extend(posted.filter(|fact| is_about(fact, &parts)).map(|fact| (OWN, Fact::clone(fact))));
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
    fn asked_about(&self, analyses: &Analyses, cut: &Cut, parts: &[(TermId, StatePart)]) -> Vec<Fact> {
        let (func, head) = (cut.key.0, cut.state.loc);
        let mut found: Vec<Fact> = Vec::new();
        found.extend(self.asked_in(func).filter(|known| is_about(known, parts)).cloned());
        for (_, held) in parts {
            if let (StatePart::Register(var), Some(intervals)) = (held, analyses.intervals())
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
pub fn is_about(known: &Fact, parts: &[(TermId, StatePart)]) -> bool {
    let is_part = |quantity: &Quantity| {
        let held = match quantity.holder {
            Holder::Register(var) => StatePart::Register(var),
            Holder::Static(object, at) => StatePart::Bytes(ObjRef::Global(object), at),
            Holder::Local(object, at) => StatePart::Bytes(ObjRef::Local(object), at),
        };
        parts.iter().any(|(_, part)| *part == held)
    };
    known.quantities().iter().all(is_part)
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
fn relations(explorer: &mut Explorer, key: LoopKey, parts: &[(TermId, StatePart)], state: &State) -> Vec<TermId> {
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
