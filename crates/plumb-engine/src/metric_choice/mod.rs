//! Which metric a target-directed search counts its distances in, chosen by the program's static features.
//!
//! **Idea.** Chapter 4 of Lee's thesis (see `plumb_ir::analysis::target_distance`): no metric is the best for every program. Runs with
//! each metric on many programs are kept as *history*; a decision tree learned from those on which the metric mattered
//! chooses by features that cost nothing to compute.
//!
//! ```text
//!   history    records of runs, and which of them a model is learned from (max-min filter)
//!   tree       the decision tree and how it is learned
//!   model      a tree with what it was learned from, as a file
//!   evaluate   leave-one-out evaluation: what the choice is worth on programs that it was not learned from
//! ```
//!
//! **What is ours.** The tree is CART with the defaults of R's `rpart`, which the thesis uses, without its cross-validation, so that
//! learning is deterministic. Programs that no metric solves have no best metric and teach nothing.
//!
//! **Soundness.** None is at stake: a metric orders a waitlist.

pub mod evaluate;
pub mod history;
pub mod model;
pub mod tree;

use model::Model;
use plumb_ir::analysis::features::Features;
use plumb_ir::analysis::target_distance::Metric;

/// Models that are part of Plumb, by engine. A file of `models/` is a line here.
const SHIPPED: [(&str, &str); 0] = [];

/// Why a metric was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basis {
    /// The decision tree of the engine's model.
    Model,
    /// There is no model: the metric that solved most programs of the thesis with this kind of engine.
    BestSingleMetric,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub metric: Metric,
    pub basis: Basis,
}

/// The metric for a program, as the engine's model says.
pub fn choose(engine: &str, features: &Features) -> Choice {
    match shipped(engine) {
        Some(model) => Choice { metric: model.tree.choose(features), basis: Basis::Model },
        None => Choice { metric: best_single_metric(engine), basis: Basis::BestSingleMetric },
    }
}

fn shipped(engine: &str) -> Option<Model> {
    let (_, text) = SHIPPED.iter().find(|(of, _)| *of == engine)?;
    Some(Model::read(text).expect("models that are shipped are read by a test"))
}

/// Tables 5.8 and 5.9: `lf` solved most programs with block-abstraction memoisation, `bb` (with `st`, but in less time) with lazy abstraction.
fn best_single_metric(engine: &str) -> Metric {
    if engine == "bam" { Metric::Lf } else { Metric::Bb }
}

#[cfg(test)]
mod tests;
