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

/// The time of a phase includes that of the phases inside of it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Phase {
    #[serde(rename = "seconds", with = "seconds")]
    pub time: Duration,
    pub entered: u64,
}

impl Statistics {
    /// Lines for the terminal.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (engine, EngineStatistics { phases, counters }) in &self.engines {
            for (phase, Phase { time, entered }) in phases {
                lines.push(format!("stats: {engine}: {phase} {:.3} s in {entered}", time.as_secs_f64()));
            }
            let counters: Vec<String> =
                counters.iter().map(|(name, value)| format!("{} {value}", name.replace('_', " "))).collect();
            if !counters.is_empty() {
                lines.push(format!("stats: {engine}: {}", counters.join(", ")));
            }
        }
        lines
    }
}
