//! Abstract domains: what abstract reachability keeps of the states at a loop head.
//!
//! **Idea.** Configurable program analysis (Beyer, Henzinger, Théoduloz 2007) is an algorithm over four operators: a transfer
//! relation, merge, stop, and precision adjustment. All domains here share the concrete part of the transfer, the formula of a block
//! ([`super::block`]): a domain says which of its abstract states the states at the end of the block are in. An
//! abstract state is a conjunction of what the domain knows; a transfer gives several of them, of which each concrete state is in
//! at least one. Domains compose ([`Product`]): the second one abstracts under what the first one has found.
//!
//! **Laws** (`tests/laws.rs` runs every domain through them):
//!
//! * *transfer*: a run that takes the block from a state of the region and comes to the entry is there in a state of one of
//!   the abstract states that are returned;
//! * *merge*: what is returned has all states of both;
//! * *stop*: `covers(a, b)` only if every state of `b` is a state of `a`;
//! * *precision adjustment*, which is part of a domain's own transfer and of refinement, changes what later transfers return and
//!   never what an abstract state means.

use super::graph::{EdgeId, Entry};
use crate::answer::WhyUnknown;
use crate::predicates::feasibility::Feasibility;
use crate::predicates::valuations::Valuations;
use crate::predicates::vocabulary::Vocabulary;
use plumb_sym::{State, Sym};
use plumb_term::TermId;
use std::fmt::Debug;
use std::hash::Hash;

/// What domains ask.
pub struct Queries<'q, 'p> {
    pub sym: &'q mut Sym<'p>,
    pub feasibility: &'q mut Feasibility,
    pub valuations: &'q mut Valuations,
    pub vocabulary: &'q mut Vocabulary,
}

/// States at the end of a block that come to an entry.
#[derive(Clone, Copy)]
pub struct Post<'b> {
    pub edge: EdgeId,
    pub to: &'b Entry,
    /// In the symbols of the block.
    pub state: &'b State,
    /// The region that the block starts in and the path condition: satisfiable.
    pub conditions: &'b [TermId],
}

pub trait Domain {
    /// An abstract state: a set of concrete states at an entry.
    type Element: Clone + PartialEq + Eq + Hash + Ord + Debug;

    /// The abstract state with all states of the program's start.
    fn start(&self) -> Self::Element;

    /// The abstract successors, at the domain's precision for the entry.
    fn transfer(&mut self, queries: &mut Queries, post: &Post) -> Result<Vec<Self::Element>, WhyUnknown>;

    /// What the abstract states of a transfer say of the state at the end of the block: for the next domain.
    fn post_condition(&mut self, queries: &mut Queries, post: &Post, element: &Self::Element) -> Vec<TermId>;

    /// One abstract state for both; `None` where they stay separate.
    fn merge(&self, a: &Self::Element, b: &Self::Element) -> Option<Self::Element>;

    /// The stop operator, for one reached abstract state.
    fn covers(&self, reached: &Self::Element, element: &Self::Element) -> bool;

    /// What an abstract state says of the entry's state: a conjunction.
    fn condition(&mut self, queries: &mut Queries, entry: &Entry, element: &Self::Element) -> Vec<TermId>;

    /// The same in the symbols of predicates, for evidence: predicates with whether they hold.
    fn predicates(&mut self, queries: &mut Queries, entry: &Entry, element: &Self::Element) -> Vec<(TermId, bool)>;
}

/// Two domains at once: an abstract state is the intersection of two.
pub struct Product<A, B>(pub A, pub B);

impl<A: Domain, B: Domain> Domain for Product<A, B> {
    type Element = (A::Element, B::Element);

    fn start(&self) -> Self::Element {
        (self.0.start(), self.1.start())
    }

    fn transfer(&mut self, queries: &mut Queries, post: &Post) -> Result<Vec<Self::Element>, WhyUnknown> {
        let mut all = Vec::new();
        for first in self.0.transfer(queries, post)? {
            let more = self.0.post_condition(queries, post, &first);
            let conditions: Vec<TermId> = post.conditions.iter().copied().chain(more).collect();
            let under = Post { conditions: &conditions, ..*post };
            all.extend(self.1.transfer(queries, &under)?.into_iter().map(|second| (first.clone(), second)));
        }
        Ok(all)
    }

    fn post_condition(&mut self, queries: &mut Queries, post: &Post, element: &Self::Element) -> Vec<TermId> {
        let mut both = self.0.post_condition(queries, post, &element.0);
        both.extend(self.1.post_condition(queries, post, &element.1));
        both
    }

    /// Only where one of the parts is the same: the intersection of joins has more than either otherwise.
    fn merge(&self, a: &Self::Element, b: &Self::Element) -> Option<Self::Element> {
        match (a.0 == b.0, a.1 == b.1) {
            (true, _) => self.1.merge(&a.1, &b.1).map(|second| (a.0.clone(), second)),
            (false, true) => self.0.merge(&a.0, &b.0).map(|first| (first, a.1.clone())),
            (false, false) => None,
        }
    }

    fn covers(&self, reached: &Self::Element, element: &Self::Element) -> bool {
        self.0.covers(&reached.0, &element.0) && self.1.covers(&reached.1, &element.1)
    }

    fn condition(&mut self, queries: &mut Queries, entry: &Entry, element: &Self::Element) -> Vec<TermId> {
        let mut both = self.0.condition(queries, entry, &element.0);
        both.extend(self.1.condition(queries, entry, &element.1));
        both
    }

    fn predicates(&mut self, queries: &mut Queries, entry: &Entry, element: &Self::Element) -> Vec<(TermId, bool)> {
        let mut both = self.0.predicates(queries, entry, &element.0);
        both.extend(self.1.predicates(queries, entry, &element.1));
        both
    }
}
