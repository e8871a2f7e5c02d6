//! Sequence interpolants of a way that predicates exclude, and their Hoare triples.
//!
//! The interpolant at a cut is the set of the predicates' values that can be there: it holds of every state that comes along
//! the way so far, speaks of nothing but the state, and excludes the rest of the way after the last cut. Each piece of the
//! way takes what one of them says to what the next one says: a triple that the solver is asked for on its own.

use super::explore::{Explorer, Stop};
use super::way::{Piece, Way};
use plumb_ir::analysis::loops::LoopKey;
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_term::TermId;

/// With more predicates or cuts it would take too long for a test.
const MOST_PREDICATES: usize = 12;
const MOST_CUTS: usize = 16;
const CONFLICTS: u64 = 50_000;

/// Whether predicates exclude a way as they should, where that is quickly found out.
pub fn check(explorer: &mut Explorer, way: &Way, chosen: &[(LoopKey, TermId)]) -> bool {
    if way.cuts.len() > MOST_CUTS || chosen.len() > MOST_PREDICATES {
        return true;
    }
    let said: Vec<_> = chosen.iter().map(|(key, predicate)| way.said(explorer, *key, *predicate)).collect();
    let mut by_piece: Vec<Vec<TermId>> = vec![Vec::new(); way.cuts.len() + 1];
    // By cut: the predicates of its location, of the state that came and of what it became.
    let mut at_cuts: Vec<Vec<(TermId, TermId)>> = vec![Vec::new(); way.cuts.len()];
    for one in &said {
        for (cut, pair) in one.iter().enumerate() {
            if let Some((left, right)) = pair {
                by_piece[cut].push(*left);
                by_piece[cut + 1].push(*right);
                at_cuts[cut].push((*left, *right));
            }
        }
    }
    let mut pieces = way.pieces(&mut explorer.sym, &by_piece);
    let mut before = TermId::bool(true);
    for cut in 0..way.cuts.len() {
        let left: Vec<TermId> =
            at_cuts[cut].iter().map(|(left, _)| pieces[cut].own(&mut explorer.sym, *left)).collect();
        let mut conditions = pieces[cut].conditions.clone();
        conditions.push(before);
        // Not everything can be asked in the time that there is.
        let valuations = match explorer.questions.ask(&mut explorer.sym, &conditions, Some(CONFLICTS)) {
            Outcome::Unsat => Vec::new(),
            Outcome::Unknown(_) => return true,
            Outcome::Sat => match explorer.valuations(&conditions, &left) {
                Ok(valuations) => valuations,
                Err(Stop::Unknown(_) | Stop::Abstract | Stop::Violated(_) | Stop::Paused) => return true,
            },
        };
        let right: Vec<TermId> =
            at_cuts[cut].iter().map(|(_, right)| pieces[cut + 1].own(&mut explorer.sym, *right)).collect();
        let after = interpolant(explorer, &left, &valuations);
        if !triple(explorer, &pieces[cut], before, after) {
            return false;
        }
        before = interpolant(explorer, &right, &valuations);
    }
    triple(explorer, &pieces[way.cuts.len()], before, TermId::bool(false))
}

/// Terms have one of some valuations.
fn interpolant(explorer: &mut Explorer, terms: &[TermId], valuations: &[Box<[bool]>]) -> TermId {
    let arena = &mut explorer.sym.terms;
    let mut any = TermId::bool(false);
    for valuation in valuations {
        let mut all = TermId::bool(true);
        for (term, holds) in terms.iter().zip(valuation) {
            let literal = if *holds { *term } else { arena.not(*term) };
            all = arena.and(all, literal);
        }
        any = arena.or(any, all);
    }
    any
}

/// Whether a piece takes states with the one to states with the other, by a solver that knows nothing else.
fn triple(explorer: &mut Explorer, piece: &Piece, before: TermId, after: TermId) -> bool {
    let sym = &mut explorer.sym;
    let mut solver = BitSolver::new();
    solver.set_limits(Limits { conflicts: Some(CONFLICTS), ..Limits::default() });
    sym.feed_axioms(&mut 0, |terms, axiom| solver.assert(terms, axiom));
    let fails = sym.terms.not(after);
    let mut assumed = piece.conditions.clone();
    assumed.extend([before, fails]);
    solver.check(&mut sym.terms, &assumed) != Outcome::Sat
}
