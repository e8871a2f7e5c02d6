//! Examples by symbolic execution for branch coverage: paths of the probe, one after the other.
//!
//! **Idea.** A path is followed together with a model of its condition. Where it splits, the model says which branch it takes;
//! for every other branch the solver is asked, a limited number of times for each, and what it finds is the input of a new
//! path. Branches that no run has covered come first (generational search, as in concolic testing). Inputs are tried on the
//! machine, so a model needs no trust.

use super::Origin;
use super::mutate::Collector;
use super::tuning::PathsTuning;
use crate::budget::Budget;
use plumb_ir::input_value::InputValue;
use plumb_ir::program::{EdgeId, FuncId, Loc, Program};
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_sym::{EventLog, Given, Input, Next, State, Sym, inputs_of};
use plumb_term::{Assignment, Evaluator, Sort, TermId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// A path with a model of its condition.
struct Path {
    state: State,
    model: Assignment,
}

struct Paths<'p> {
    tuning: &'static PathsTuning,
    sym: Sym<'p>,
    solver: BitSolver,
    axioms: usize,
    log: EventLog,
    /// First those that take a branch which nothing had covered.
    urgent: VecDeque<Path>,
    others: VecDeque<Path>,
    /// Questions asked about a branch.
    asked: FxHashMap<(FuncId, Loc, Loc), u32>,
    queries: u32,
    steps: u64,
    /// Conditions of paths that return, with inputs of each.
    returned: Vec<(TermId, Vec<u64>)>,
}

/// Tries inputs of as many paths as the limits allow.
pub fn explore(collector: &mut Collector<'_>, budget: &Budget) {
    let program: Arc<Program> = collector.prober().program().clone();
    let mut sym = Sym::new(&program);
    let state = sym.start();
    let mut paths = Paths {
        tuning: &collector.tuning.paths,
        sym,
        solver: BitSolver::new(),
        axioms: 0,
        log: EventLog::default(),
        urgent: VecDeque::new(),
        others: VecDeque::from([Path { state, model: Assignment::default() }]),
        asked: FxHashMap::default(),
        queries: 0,
        steps: 0,
        returned: Vec::new(),
    };
    while let Some(path) = paths.urgent.pop_front().or_else(|| paths.others.pop_front()) {
        if paths.is_spent(budget) {
            break;
        }
        paths.follow(path, collector, budget);
    }
    paths.vary(collector, budget);
}

impl Paths<'_> {
    fn is_spent(&self, budget: &Budget) -> bool {
        self.queries >= self.tuning.queries
            || self.steps >= self.tuning.steps
            || self.sym.terms.len() >= self.tuning.terms
            || budget.is_over()
    }

    /// Follows a path to its end along the branches of its model.
    fn follow(&mut self, path: Path, collector: &mut Collector<'_>, budget: &Budget) {
        let Path { mut state, model } = path;
        let mut evaluator = Evaluator::new(&model);
        for _ in 0..self.tuning.steps_of_path {
            self.steps += 1;
            if self.is_spent(budget) || state.depth() > self.tuning.depth {
                return;
            }
            let from = (state.func(), state.loc);
            let step = self.sym.step(&mut state);
            self.log.append(step.log);
            match step.next {
                Next::Ended => {
                    if from == collector.prober().returned_at() && self.returned.len() < self.tuning.varied {
                        let inputs = self.inputs(&model, collector);
                        self.returned.push((state.path.term(), inputs));
                    }
                    return;
                }
                Next::Moved => {}
                Next::Split(states) => {
                    let mut taken = None;
                    for one in states {
                        let holds = evaluator.holds(&self.sym.terms, one.path.term());
                        match holds && taken.is_none() {
                            true => taken = Some(one),
                            false => self.ask(from, one, collector, budget),
                        }
                    }
                    match taken {
                        Some(one) => state = one,
                        None => return,
                    }
                }
            }
        }
    }

    /// Asks for the input of another branch and queues what follows it.
    fn ask(&mut self, from: (FuncId, Loc), state: State, collector: &mut Collector<'_>, budget: &Budget) {
        let is_covered = covering_edge(self.sym.program, from, &state)
            .is_none_or(|edge| collector.prober().is_covered(from.0, edge));
        let asked = self.asked.entry((from.0, from.1, state.loc)).or_default();
        *asked += 1;
        let is_enough = if is_covered {
            *asked > self.tuning.queries_per_branch
        } else {
            *asked > 4 * self.tuning.queries_per_branch
        };
        if is_enough || self.queries >= self.tuning.queries {
            return;
        }
        self.queries += 1;
        let Some(model) = self.model(&[state.path.term()], budget) else { return };
        self.try_model(&model, collector);
        let queue = if is_covered { &mut self.others } else { &mut self.urgent };
        queue.push_back(Path { state, model });
    }

    fn model(&mut self, conditions: &[TermId], budget: &Budget) -> Option<Assignment> {
        self.sym.feed_axioms(&mut self.axioms, |terms, axiom| self.solver.assert(terms, axiom));
        self.solver.set_limits(Limits {
            conflicts: Some(self.tuning.conflicts),
            deadline: budget.deadline,
            cancel: Some(budget.cancel.flag()),
        });
        match self.solver.check(&mut self.sym.terms, conditions) {
            Outcome::Sat => self.solver.model().cloned(),
            Outcome::Unsat | Outcome::Unknown(_) => None,
        }
    }

    /// Looks for more inputs of the paths to rare outputs, which mutation may never hit: one input is chosen, the solver
    /// chooses the others.
    fn vary(&mut self, collector: &mut Collector<'_>, budget: &Budget) {
        for (condition, inputs) in std::mem::take(&mut self.returned) {
            let Some(output) = collector.output_of(&inputs) else { continue };
            for _ in 0..self.tuning.queries_of_rare {
                if collector.count(output) >= self.tuning.rare || budget.is_over() {
                    break;
                }
                if let Some(choice) = self.choice(collector)
                    && let Some(model) = self.model(&[condition, choice], budget)
                {
                    self.try_model(&model, collector);
                }
            }
        }
    }

    /// That an input has some value.
    fn choice(&mut self, collector: &mut Collector<'_>) -> Option<TermId> {
        let place = collector.rng.below(collector.palette.types.len() as u64) as usize;
        let is_it = |input: &&Input| collector.prober().place_of(input.id) == Some(place);
        let Given::Scalar(term, _) = self.log.inputs.iter().find(is_it)?.given else { return None };
        let Sort::Bv(width) = self.sym.terms.sort(term) else { return None };
        let value = self.sym.terms.bv(width, collector.any(place) as u128);
        Some(self.sym.terms.eq(term, value))
    }

    fn try_model(&self, model: &Assignment, collector: &mut Collector<'_>) {
        let inputs = self.inputs(model, collector);
        collector.try_inputs(&inputs, Origin::Symbolic);
    }

    /// The inputs of a model, in the order of the signature.
    fn inputs(&self, model: &Assignment, collector: &Collector<'_>) -> Vec<u64> {
        let mut inputs = vec![0; collector.palette.types.len()];
        for (id, value) in inputs_of(&self.sym, &self.log.inputs, model) {
            if let (Some(place), InputValue::Scalar(bits)) = (collector.prober().place_of(id), value) {
                inputs[place] = bits.u64();
            }
        }
        inputs
    }
}

/// The edge by which a state has left a location, unless it is a call through a pointer.
fn covering_edge(program: &Program, from: (FuncId, Loc), state: &State) -> Option<EdgeId> {
    let function = program.function(from.0);
    let leads_there = |edge: &EdgeId| state.func() == from.0 && function.edge(*edge).to == state.loc;
    function.out_edges(from.1).find(leads_there)
}
