//! Records of runs with each metric.
//!
//! A history is a text file with one record a line, as JSON, so that campaigns can append to it:
//!
//! ```json
//! {"program": "a.c", "engine": "bam", "features": {"LOCS": 17, ...},
//!  "runs": {"st": {"solved": true, "seconds": 20.0}, "bb": ..., "lh": ..., "lf": ...}}
//! ```
//!
//! `features` is what `plumb show features --json` prints, and `seconds` is processor time, of a run that failed too.

use plumb_ir::analysis::features::Features;
use plumb_ir::analysis::target_distance::Metric;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A run of one engine with one metric on one program.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The answer was right. Time-outs and all other ends without an answer are failures.
    pub solved: bool,
    pub seconds: f64,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runs {
    pub st: Run,
    pub bb: Run,
    pub lh: Run,
    pub lf: Run,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    pub program: String,
    pub engine: String,
    pub features: Features,
    pub runs: Runs,
}

impl Runs {
    pub fn of(&self, metric: Metric) -> Run {
        match metric {
            Metric::St => self.st,
            Metric::Bb => self.bb,
            Metric::Lh => self.lh,
            Metric::Lf => self.lf,
        }
    }

    fn all(&self) -> [Run; 4] {
        Metric::ALL.map(|metric| self.of(metric))
    }

    /// The metric that solved the program in the least time, the first of several.
    pub fn best(&self) -> Option<Metric> {
        let solved = Metric::ALL.into_iter().filter(|metric| self.of(*metric).solved);
        solved.min_by(|a, b| self.of(*a).seconds.total_cmp(&self.of(*b).seconds))
    }

    /// *max-min*: how much time the worst metric costs more than the best. Infinite if one of them failed.
    pub fn spread(&self) -> f64 {
        let runs = self.all();
        if runs.iter().any(|run| !run.solved) {
            return f64::INFINITY;
        }
        let seconds = runs.map(|run| run.seconds);
        seconds.into_iter().fold(f64::MIN, f64::max) - seconds.into_iter().fold(f64::MAX, f64::min)
    }
}

/// What is wrong with a history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryError {
    pub line: usize,
    pub message: String,
}

/// Reads a history. Every line counts: one that is not understood is an error.
pub fn read(text: &str) -> Result<Vec<Record>, HistoryError> {
    let mut records: Vec<Record> = Vec::new();
    let mut seen = BTreeSet::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let error = |message: String| HistoryError { line: at + 1, message };
        let record: Record = serde_json::from_str(line).map_err(|e| error(e.to_string()))?;
        if record.runs.all().iter().any(|run| !run.seconds.is_finite() || run.seconds < 0.0) {
            return Err(error("a run takes a number of seconds".to_string()));
        }
        if !seen.insert((record.engine.clone(), record.program.clone())) {
            return Err(error(format!("`{}` has a record for the engine {} already", record.program, record.engine)));
        }
        records.push(record);
    }
    Ok(records)
}

/// The records that a model is learned from: those for which the choice of the metric matters by at least so many seconds.
pub fn informative<'a>(records: impl IntoIterator<Item = &'a Record>, threshold: f64) -> Vec<&'a Record> {
    let teaches = |record: &&Record| record.runs.best().is_some() && record.runs.spread() >= threshold;
    records.into_iter().filter(teaches).collect()
}
