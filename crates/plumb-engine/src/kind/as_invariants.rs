//! Proved facts as the invariants of a proof.
//!
//! A fact's term is made in a template state, so that it names the parts of the state by their symbols, whatever kind of fact
//! it is.

use crate::answer::{Invariants, LoopInvariant};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::{State, Sym};
use plumb_term::TermId;

/// The facts of loops as invariants. `term` makes the term of one; loops without facts belong to the list as well.
pub(super) fn as_invariants<F>(
    analyses: &Analyses,
    mut loops: Vec<(LoopKey, Vec<F>)>,
    term: impl Fn(&F, &mut Sym, &State) -> Option<TermId>,
) -> Invariants {
    let mut sym = Sym::new(analyses.program());
    loops.sort_by_key(|(key, _)| *key);
    let mut found = Vec::new();
    for ((func, id), facts) in loops {
        let (state, template) = sym.template(func);
        let terms: Vec<TermId> = facts.iter().filter_map(|fact| term(fact, &mut sym, &state)).collect();
        let symbols = template.parts(&sym);
        let head = analyses.shape(func).head(id);
        found.push(LoopInvariant { func, head, facts: terms, symbols });
    }
    Invariants { terms: sym.terms, loops: found }
}
