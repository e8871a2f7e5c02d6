//! Leave-one-out evaluation (section 5.2.4): each program's metric is chosen by a tree that was learned from the others.

use super::history::{Record, Run, informative};
use super::model::examples;
use super::tree::{Tree, TreeTuning};
use plumb_ir::analysis::target_distance::Metric;
use serde::Serialize;

/// What a way to choose metrics achieves on all programs of a history.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Score {
    pub solved: usize,
    pub seconds: f64,
}

impl Score {
    fn add(&mut self, run: Run) {
        self.solved += usize::from(run.solved);
        self.seconds += run.seconds;
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Evaluation {
    /// The same metric for every program.
    pub single: [(Metric, Score); 4],
    /// As the trees choose.
    pub chosen: Score,
    /// The best metric of every program: what no choice exceeds.
    pub best: Score,
    /// By program, in the order of the history.
    pub choices: Vec<(String, Metric)>,
}

/// Of the records of one engine.
pub fn leave_one_out(records: &[&Record], threshold: f64, tuning: &TreeTuning) -> Evaluation {
    let teaching = informative(records.iter().copied(), threshold);
    // What teaches nothing changes no tree by being left out.
    let whole = Tree::learn(&examples(&teaching), tuning);
    let mut single = Metric::ALL.map(|metric| (metric, Score::default()));
    let (mut chosen, mut best, mut choices) = (Score::default(), Score::default(), Vec::new());
    for record in records {
        let others: Vec<&Record> = teaching.iter().copied().filter(|other| other.program != record.program).collect();
        let metric = match others.len() == teaching.len() {
            true => whole.choose(&record.features),
            false => Tree::learn(&examples(&others), tuning).choose(&record.features),
        };
        single.iter_mut().for_each(|(metric, score)| score.add(record.runs.of(*metric)));
        chosen.add(record.runs.of(metric));
        // Where all fail, the shortest failure.
        let shortest = Metric::ALL.map(|metric| record.runs.of(metric)).into_iter();
        let shortest = shortest.min_by(|a, b| a.seconds.total_cmp(&b.seconds));
        best.add(record.runs.best().map_or(shortest.unwrap_or(record.runs.st), |metric| record.runs.of(metric)));
        choices.push((record.program.clone(), metric));
    }
    Evaluation { single, chosen, best, choices }
}
