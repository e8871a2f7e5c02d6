//! `plumb show features`: static features of the program, and which metric they choose for a target-directed search.

use crate::args::Args;
use crate::load::{self, Needs};
use crate::report::{Failure, Output};
use plumb_engine::metric_choice::{Basis, Choice, choose};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::features::Features;
use serde::Serialize;
use std::collections::BTreeMap;

/// Engines whose search is directed by distances.
const DIRECTED: [&str; 2] = ["la", "bam"];

/// As JSON has it: `features` is what a record of `plumb tune` contains.
#[derive(Serialize)]
struct FeaturesDoc {
    features: Features,
    metrics: BTreeMap<&'static str, MetricDoc>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MetricDoc {
    metric: &'static str,
    by_model: bool,
}

pub fn show(args: &Args, out: &mut Output) -> Result<(), Failure> {
    let program = load::program(args, Needs { promotion: true, entry: true }, out)?;
    let features = Features::of(&Analyses::new(&program));
    let choices = DIRECTED.map(|engine| (engine, choose(engine, &features)));
    if args.json {
        let document =
            |choice: Choice| MetricDoc { metric: choice.metric.name(), by_model: choice.basis == Basis::Model };
        let metrics = choices.into_iter().map(|(engine, choice)| (engine, document(choice))).collect();
        out.json(&FeaturesDoc { features, metrics });
        return Ok(());
    }
    for (row, value) in features.iter() {
        out.line(&format!("{:<9} {:>10}  {}", row.name, number(value), row.description));
    }
    for (engine, choice) in choices {
        let basis = match choice.basis {
            Basis::Model => "as its model says",
            Basis::BestSingleMetric => "there is no model of runs yet",
        };
        out.line(&format!("metric for {engine}: {} ({basis})", choice.metric));
    }
    Ok(())
}

/// Counts as such, the rest with three digits.
fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.3}") }
}
