//! The predicate domain: which predicates hold (Graf and Saïdi 1997; lazy abstraction: Henzinger, Jhala, Majumdar, Sutre 2002).
//!
//! An abstract state is a cube: by predicate, whether it holds, does not, or is not known. *Boolean* abstraction gives the valuations of
//! all predicates together that the formula allows, from the solver ([`crate::predicates::valuations`], which splits
//! predicates into independent groups and caches). *Cartesian* abstraction asks of each predicate on its own and gives one cube.
//!
//! The predicates of a loop head only grow, at the end of their list: an older abstract state is over the first ones of them.
//!
//! **Soundness.** The solver's: a valuation that is left out has no state.

use super::super::block::EntryId;
use super::super::domain::{Domain, Post, Queries};
use super::super::graph::{EdgeId, Entry};
use crate::answer::WhyUnknown;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::State;
use plumb_term::{Sort, TermId};
use rustc_hash::FxHashMap;

/// Which loop heads get a predicate that one of them needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    Location,
    /// All loops of its function.
    Function,
    /// All loops, where it is about global variables.
    Program,
}

/// Where a predicate was instantiated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Site {
    Entry(EntryId),
    Edge(EdgeId),
}

pub type Cube = Box<[Option<bool>]>;

pub struct PredicateDomain {
    is_cartesian: bool,
    /// The predicates of loop heads, in the symbols of the vocabulary.
    precision: FxHashMap<LoopKey, Vec<TermId>>,
    instances: FxHashMap<(Site, TermId), TermId>,
}

impl PredicateDomain {
    pub fn new(is_cartesian: bool) -> PredicateDomain {
        PredicateDomain { is_cartesian, precision: FxHashMap::default(), instances: FxHashMap::default() }
    }

    /// Entries are others from now on; the precision stays.
    pub fn forget_entries(&mut self) {
        self.instances.clear();
    }

    pub fn precision(&self, key: LoopKey) -> &[TermId] {
        self.precision.get(&key).map_or(&[], |list| list)
    }

    /// Adds a predicate, unless it is there.
    pub fn add(&mut self, key: LoopKey, predicate: TermId) -> bool {
        let list = self.precision.entry(key).or_default();
        let is_new = !list.contains(&predicate);
        if is_new {
            list.push(predicate);
        }
        is_new
    }

    /// A predicate in a state. One about a part that the state does not have may hold or not.
    fn instance(&mut self, queries: &mut Queries, site: Site, predicate: TermId, state: &State) -> TermId {
        let Queries { sym, vocabulary, .. } = queries;
        *self.instances.entry((site, predicate)).or_insert_with(|| {
            let term = vocabulary.instantiate(sym, predicate, state);
            term.unwrap_or_else(|| sym.terms.fresh_symbol("unknown", Sort::Bool))
        })
    }

    fn instances(&mut self, queries: &mut Queries, site: Site, key: LoopKey, state: &State) -> Vec<TermId> {
        let predicates = self.precision(key).to_vec();
        predicates.into_iter().map(|one| self.instance(queries, site, one, state)).collect()
    }

    /// Whether each predicate must hold, or must not.
    fn cartesian(&self, queries: &mut Queries, conditions: &[TermId], instances: &[TermId]) -> Cube {
        let mut cube = Vec::with_capacity(instances.len());
        for instance in instances {
            let negation = queries.sym.terms.not(*instance);
            let never = |queries: &mut Queries, term| queries.feasibility.refute(queries.sym, conditions, term).is_ok();
            cube.push(match () {
                () if never(queries, negation) => Some(true),
                () if never(queries, *instance) => Some(false),
                () => None,
            });
        }
        cube.into()
    }
}

impl Domain for PredicateDomain {
    type Element = Cube;

    fn start(&self) -> Cube {
        Box::new([])
    }

    fn transfer(&mut self, queries: &mut Queries, post: &Post) -> Result<Vec<Cube>, WhyUnknown> {
        let Some(key) = post.to.key else { return Ok(vec![self.start()]) };
        let instances = self.instances(queries, Site::Edge(post.edge), key, post.state);
        if instances.is_empty() {
            return Ok(vec![self.start()]);
        }
        if self.is_cartesian {
            return Ok(vec![self.cartesian(queries, post.conditions, &instances)]);
        }
        let Queries { sym, feasibility, valuations, .. } = queries;
        let found = valuations.enumerate(sym, feasibility, post.conditions, &instances)?;
        Ok(found.into_iter().map(|valuation| valuation.iter().map(|holds| Some(*holds)).collect()).collect())
    }

    fn post_condition(&mut self, queries: &mut Queries, post: &Post, element: &Cube) -> Vec<TermId> {
        let Some(key) = post.to.key else { return Vec::new() };
        let instances = self.instances(queries, Site::Edge(post.edge), key, post.state);
        literals(queries, &instances, element)
    }

    fn merge(&self, _: &Cube, _: &Cube) -> Option<Cube> {
        None
    }

    fn covers(&self, reached: &Cube, element: &Cube) -> bool {
        let known = |at: usize| element.get(at).copied().flatten();
        reached.iter().enumerate().all(|(at, value)| value.is_none() || *value == known(at))
    }

    fn condition(&mut self, queries: &mut Queries, entry: &Entry, element: &Cube) -> Vec<TermId> {
        let Some(key) = entry.key else { return Vec::new() };
        let instances = self.instances(queries, Site::Entry(entry.id), key, &entry.state);
        literals(queries, &instances, element)
    }

    fn predicates(&mut self, _: &mut Queries, entry: &Entry, element: &Cube) -> Vec<(TermId, bool)> {
        let Some(key) = entry.key else { return Vec::new() };
        let list = self.precision(key).iter().copied().zip(element.iter());
        list.filter_map(|(predicate, holds)| Some((predicate, (*holds)?))).collect()
    }
}

/// The literals of a cube.
fn literals(queries: &mut Queries, instances: &[TermId], cube: &Cube) -> Vec<TermId> {
    let mut found = Vec::with_capacity(cube.len());
    for (instance, holds) in instances.iter().zip(cube.iter()) {
        match holds {
            Some(true) => found.push(*instance),
            Some(false) => found.push(queries.sym.terms.not(*instance)),
            None => {}
        }
    }
    found
}
