//! A decision tree with what it was learned from, as it is stored.

use super::history::{Record, informative};
use super::tree::{Example, Tree, TreeTuning};
use serde::{Deserialize, Serialize};

/// Of the file format.
const FORMAT: u32 = 1;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub format: u32,
    /// Whose runs it was learned from, and whose search it chooses the metric of.
    pub engine: String,
    /// Seconds of the max-min filter.
    pub threshold: f64,
    /// Records of the history that the filter left out.
    pub left_out: usize,
    pub tree: Tree,
    /// The programs that it was learned from, in order of name.
    pub trained_on: Vec<String>,
}

/// Why a history gives no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooFewRecords {
    pub informative: usize,
    pub needed: usize,
}

impl Model {
    /// From the records of one engine.
    pub fn learn(
        engine: &str,
        records: &[Record],
        threshold: f64,
        tuning: &TreeTuning,
    ) -> Result<Model, TooFewRecords> {
        let of_engine: Vec<&Record> = records.iter().filter(|record| record.engine == engine).collect();
        let mut chosen = informative(of_engine.iter().copied(), threshold);
        if chosen.len() < tuning.min_split {
            return Err(TooFewRecords { informative: chosen.len(), needed: tuning.min_split });
        }
        chosen.sort_by(|a, b| a.program.cmp(&b.program));
        Ok(Model {
            format: FORMAT,
            engine: engine.to_string(),
            threshold,
            left_out: of_engine.len() - chosen.len(),
            tree: Tree::learn(&examples(&chosen), tuning),
            trained_on: chosen.iter().map(|record| record.program.clone()).collect(),
        })
    }

    pub fn read(text: &str) -> Result<Model, String> {
        let model: Model = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if model.format != FORMAT {
            return Err(format!("the model has format {}, this version of Plumb reads {FORMAT}", model.format));
        }
        Ok(model)
    }

    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a model has string keys and finite numbers only");
        text.push('\n');
        text
    }
}

/// What a tree is learned from; records without a best metric are none.
pub(super) fn examples<'a>(records: &[&'a Record]) -> Vec<Example<'a>> {
    records.iter().filter_map(|record| Some((&record.features, record.runs.best()?))).collect()
}
