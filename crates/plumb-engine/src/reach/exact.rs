//! Counterexamples without abstraction: the blocks of an abstract path are followed once more, each from the exact state that the one
//! before has left. That is all paths through the same blocks at once. Counterexamples begin alike, so that the states of earlier
//! ones are kept.

use super::block::{Arrival, Block, BlockStop};
use crate::answer::WhyUnknown;
use crate::budget::Budget;
use crate::predicates::feasibility::PathSolver;
use crate::predicates::targets::Target;
use crate::predicates::tuning::FeasibilityTuning;
use plumb_solve::Outcome;
use plumb_sym::{Input, State, Sym};
use plumb_term::TermId;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

/// How an engine follows its blocks.
pub trait ExactBlocks {
    /// One block of a path: where it ends.
    type Step: Clone + Eq + Hash;
    /// Where a block begins, beside the state there.
    type Begin: Clone;

    fn start(&mut self, sym: &mut Sym) -> (Self::Begin, State);

    fn explore(&mut self, sym: &mut Sym, begin: Self::Begin, state: State) -> Result<Block, BlockStop>;

    /// Where a block ends by a step, and where the next one begins; `None` if no path of the block comes there.
    fn arrival<'b>(&self, block: &'b Block, step: &Self::Step) -> Option<(&'b Arrival, Self::Begin)>;
}

/// A state that a sequence of blocks leads to without abstraction.
struct Prefix<Begin, Step> {
    begin: Begin,
    state: State,
    /// Read on the way.
    inputs: Arc<Vec<Input>>,
    block: Option<Rc<Block>>,
    /// By end of the block, what it leads to; `None` where no run does.
    next: FxHashMap<Step, Option<usize>>,
}

/// How far runs take a path.
pub enum Exact {
    /// Through all its blocks, and its target is met under this condition.
    Reached { condition: TermId, inputs: Vec<Input>, states: Vec<State> },
    /// Through so many blocks only.
    Infeasible { blocks: usize, states: Vec<State> },
}

/// The exact states of counterexamples, and the solver that knows their conditions.
pub struct ExactPaths<'a, Begin, Step> {
    prefixes: Vec<Prefix<Begin, Step>>,
    solver: Option<PathSolver>,
    budget: &'a Budget,
    tuning: FeasibilityTuning,
    max_kept: usize,
}

impl<'a, Begin: Clone, Step: Clone + Eq + Hash> ExactPaths<'a, Begin, Step> {
    pub fn new(budget: &'a Budget, tuning: &FeasibilityTuning, max_kept: usize) -> ExactPaths<'a, Begin, Step> {
        ExactPaths { prefixes: Vec::new(), solver: None, budget, tuning: *tuning, max_kept }
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.prefixes.clear();
        self.solver = None;
    }

    /// The solver of the conditions, once it was asked.
    pub fn solver(&mut self) -> Option<&mut PathSolver> {
        self.solver.as_mut()
    }

    pub fn solve(&mut self, sym: &mut Sym, conditions: &[TermId]) -> Outcome {
        let new = || PathSolver::new(self.budget, &self.tuning);
        self.solver.get_or_insert_with(new).check(sym, conditions, None)
    }

    /// Follows a path as far as a run gets.
    pub fn follow(
        &mut self,
        sym: &mut Sym,
        blocks: &mut impl ExactBlocks<Begin = Begin, Step = Step>,
        steps: impl Iterator<Item = Step>,
        target: Target,
    ) -> Result<Exact, WhyUnknown> {
        if self.prefixes.is_empty() || self.prefixes.len() > self.max_kept {
            self.clear();
            let (begin, state) = blocks.start(sym);
            self.prefixes.push(Prefix {
                begin,
                state,
                inputs: Arc::default(),
                block: None,
                next: FxHashMap::default(),
            });
        }
        let (mut at, mut states) = (0, Vec::new());
        for (number, step) in steps.enumerate() {
            let known = self.prefixes[at].next.get(&step).copied();
            let next = match known {
                Some(next) => next,
                None => {
                    let next = self.next(sym, blocks, at, &step)?;
                    self.prefixes[at].next.insert(step, next);
                    next
                }
            };
            match next {
                Some(next) => at = next,
                None => return Ok(Exact::Infeasible { blocks: number, states }),
            }
            states.push(self.prefixes[at].state.clone());
        }
        let block = self.block(sym, blocks, at)?;
        let condition = target.condition(&block.log, sym);
        Ok(Exact::Reached { condition, inputs: self.inputs_after(at, &block), states })
    }

    /// What a block leads to from an exact state; `None` if no run takes it there.
    fn next(
        &mut self,
        sym: &mut Sym,
        blocks: &mut impl ExactBlocks<Begin = Begin, Step = Step>,
        at: usize,
        step: &Step,
    ) -> Result<Option<usize>, WhyUnknown> {
        let block = self.block(sym, blocks, at)?;
        let Some((arrival, begin)) = blocks.arrival(&block, step) else { return Ok(None) };
        let state = arrival.run.state.clone();
        match self.solve(sym, &state.path.since(0)) {
            Outcome::Unsat => return Ok(None),
            Outcome::Unknown(why) => return Err(why.into()),
            Outcome::Sat => {}
        }
        let inputs = Arc::new(self.inputs_after(at, &block));
        self.prefixes.push(Prefix { begin, state, inputs, block: None, next: FxHashMap::default() });
        Ok(Some(self.prefixes.len() - 1))
    }

    fn inputs_after(&self, at: usize, block: &Block) -> Vec<Input> {
        self.prefixes[at].inputs.iter().chain(&block.log.inputs).cloned().collect()
    }

    fn block(
        &mut self,
        sym: &mut Sym,
        blocks: &mut impl ExactBlocks<Begin = Begin, Step = Step>,
        at: usize,
    ) -> Result<Rc<Block>, WhyUnknown> {
        let prefix = &mut self.prefixes[at];
        if let Some(block) = &prefix.block {
            return Ok(block.clone());
        }
        let block = match blocks.explore(sym, prefix.begin.clone(), prefix.state.clone()) {
            Ok(block) => Rc::new(block),
            Err(BlockStop::Unknown(why)) => return Err(why),
            Err(BlockStop::InputDependent(_)) => {
                let why = "an exact path leaves its blocks where the abstract one does not".to_string();
                return Err(WhyUnknown::GaveUp(why));
            }
        };
        prefix.block = Some(block.clone());
        Ok(block)
    }
}
