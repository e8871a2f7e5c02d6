//! The way of an abstract counterexample, cut at its points, and the predicates that let nothing through.
//!
//! Between two cuts lies a piece of the way with a formula of its own, in symbols of its own. The abstraction lets a path
//! through if the pieces are possible one after the other, each beginning with the predicates' values that the one before
//! has ended with. Candidates are assumptions that these values are the same on both sides of the cuts: the solver's core
//! names those that it takes.

use super::candidates::Candidate;
use super::explore::Explorer;
use super::points::EntryId;
use super::questions::Questions;
use super::targets::beyond;
use super::trail::{End, PointId, Sign, Target, walk};
use plumb_ir::analysis::loops::LoopKey;
use plumb_solve::Outcome;
use plumb_sym::{State, Sym};
use plumb_term::{Substitution, TermId, free_symbols};
use rustc_hash::FxHashSet;

const CONFLICTS: u64 = 50_000;
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

/// The way of a counterexample, cut at its points.
pub struct Way {
    pub cuts: Vec<Cut>,
    /// By step; the last one says that the target is met.
    conditions: Vec<(u64, TermId)>,
    /// What is known of the path at the end of each piece.
    paths: Vec<Vec<TermId>>,
}

impl Way {
    pub fn of(explorer: &mut Explorer, spurious: &Spurious) -> Way {
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
    pub fn conditions_after(&self, cut: usize) -> impl Iterator<Item = (u64, TermId)> + '_ {
        let from = self.cuts[cut].step;
        let to = self.cuts.get(cut + 1).map_or(u64::MAX, |next| next.step);
        self.conditions.iter().copied().filter(move |(step, _)| (from..to).contains(step))
    }

    /// The entries of some of the cuts.
    pub fn entries(&self, is_meant: impl Fn(&Cut) -> bool) -> Vec<EntryId> {
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
    pub fn choose(&self, explorer: &mut Explorer, candidates: &[Candidate]) -> Option<Vec<(LoopKey, TermId)>> {
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
