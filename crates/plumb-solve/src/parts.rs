//! Assertions that a query has nothing to do with: they share no symbol with it, nor with anything that does.
//!
//! Such assertions wait. A refutation needs none of them. A model does: it is completed by one of theirs, which is looked for
//! once and kept as long as nothing joins them. Symbols with gates are those of the query; an assertion that
//! mentions one of them is encoded, which gives gates to its other symbols, and so on.

use plumb_term::cone::free_symbols;
use plumb_term::{Assignment, TermId, Terms};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Parts {
    waiting: Vec<Option<TermId>>,
    /// By symbol, the assertions that mention it.
    mentions: FxHashMap<TermId, Vec<usize>>,
    /// Of the symbols with gates, how many were looked at.
    looked: usize,
    /// A model of all that waits.
    model: Option<Assignment>,
}

impl Parts {
    /// Lets an assertion wait. Gives it back if it mentions nothing, or a symbol with gates.
    pub fn wait(&mut self, terms: &Terms, assertion: TermId, encoded: &dyn Fn(TermId) -> bool) -> Option<TermId> {
        let symbols: Vec<TermId> =
            free_symbols(terms, &[assertion]).into_iter().map(|symbol| terms.symbol_term(symbol)).collect();
        if symbols.is_empty() || symbols.iter().any(|symbol| encoded(*symbol)) {
            return Some(assertion);
        }
        for symbol in symbols {
            self.mentions.entry(symbol).or_default().push(self.waiting.len());
        }
        self.waiting.push(Some(assertion));
        self.model = None;
        None
    }

    /// Takes everything back, to be looked at anew: symbols may have been given definitions.
    pub fn take_all(&mut self) -> Vec<TermId> {
        let all = std::mem::take(&mut self.waiting).into_iter().flatten().collect();
        *self = Parts::default();
        all
    }

    /// The assertions that mention a symbol of the query. `symbols` are those with gates so far.
    pub fn connected(&mut self, symbols: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        for symbol in symbols.get(self.looked..).unwrap_or(&[]) {
            for at in self.mentions.remove(symbol).unwrap_or_default() {
                found.extend(self.waiting[at].take());
            }
        }
        self.looked = symbols.len();
        found
    }

    /// What waits.
    pub fn waiting(&self) -> impl Iterator<Item = TermId> + '_ {
        self.waiting.iter().flatten().copied()
    }

    /// A model of what waits, if one is known. What has been taken since is in it, too, to no effect.
    pub fn model(&self) -> Option<&Assignment> {
        self.model.as_ref()
    }

    pub fn set_model(&mut self, model: Assignment) {
        self.model = Some(model);
    }
}
