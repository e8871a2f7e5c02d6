//! Where the time went, by engine and phase.

use super::seconds;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Statistics {
    pub engines: BTreeMap<String, EngineStatistics>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct EngineStatistics {
    pub phases: BTreeMap<String, Phase>,
    pub counters: BTreeMap<String, u64>,
}

/// Time and counters of a phase include those of the phases inside of it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Phase {
    #[serde(rename = "seconds", with = "seconds")]
    pub time: Duration,
    pub entered: u64,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, u64>,
}

fn listed(counters: &BTreeMap<String, u64>) -> Option<String> {
    let list: Vec<String> =
        counters.iter().map(|(name, value)| format!("{} {value}", name.replace('_', " "))).collect();
    (!list.is_empty()).then(|| list.join(", "))
}

impl Statistics {
    /// Lines for the terminal.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (engine, EngineStatistics { phases, counters }) in &self.engines {
            for (phase, Phase { time, entered, counters }) in phases {
                let counters = listed(counters).map(|list| format!("; {list}")).unwrap_or_default();
                lines.push(format!("stats: {engine}: {phase} {:.3} s in {entered}{counters}", time.as_secs_f64()));
            }
            lines.extend(listed(counters).map(|list| format!("stats: {engine}: {list}")));
        }
        lines
    }
}
