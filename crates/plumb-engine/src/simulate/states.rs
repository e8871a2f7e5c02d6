//! States at loop heads: which have been seen, and which are kept to branch from.

use super::corpus::{Corpus, Entry, Place};
use super::features::{Layout, Novelty, Seen};
use super::tuning::TUNING;
use plumb_exec::Machine;
use std::sync::Arc;

pub struct States {
    /// At the start of the program.
    pub start: Place,
    pub corpus: Corpus,
    pub seen: Seen,
    /// The features of the state at hand.
    features: Vec<u64>,
    /// Loop heads that runs were at, and states kept for nothing but a new combination.
    heads: u64,
    kept_combinations: u64,
}

impl States {
    pub fn new(start: Place, layouts: Arc<Vec<Layout>>, entries: usize) -> States {
        let (corpus, seen) = (Corpus::new(entries), Seen::new(layouts));
        States { start, corpus, seen, features: Vec::new(), heads: 0, kept_combinations: 0 }
    }

    /// How much the machine's state at a head is worth keeping, `has_news` if a branch was new on the path.
    pub fn weigh(&mut self, head: usize, machine: &mut Machine, has_news: bool) -> Option<f64> {
        self.heads += 1;
        let novelty = self.seen.observe(head, machine, &mut self.features);
        if novelty.values > 0 || has_news {
            return Some(TUNING.novel_weight + novelty.values as f64);
        }
        if novelty.pairs > 0 {
            return Some(2.0 + (novelty.pairs as f64).min(TUNING.novel_weight - 3.0));
        }
        // New combinations may be without end: they get a share only.
        let keep = novelty.combination && self.kept_combinations <= self.heads / 8;
        self.kept_combinations += keep as u64;
        keep.then_some(1.0)
    }

    /// Keeps the state that was weighed last.
    pub fn keep(&mut self, place: Place, head: usize, weight: f64) {
        self.corpus.add(Entry { place, head, state: self.features.as_slice().into(), weight, picks: 0 });
    }

    /// Bytes of so many kept states, beside pages and inputs, which are shared with others, and of what was seen.
    pub fn own_bytes(&self, kept: usize) -> u64 {
        let registers = 8 * self.features.len() as u64 + 512;
        kept as u64 * registers + self.seen.bytes()
    }

    /// The best states kept since the last exchange.
    pub fn share(&mut self) -> Vec<Entry> {
        let added = std::mem::take(&mut self.corpus.added) as usize;
        let mut entries: Vec<Entry> = self.corpus.youngest(added).to_vec();
        entries.retain(|e| e.weight > 1.0);
        entries.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        entries.truncate(TUNING.max_shared_states);
        entries
    }

    /// Takes over states of another search, as far as they are new here.
    pub fn receive(&mut self, entries: &[Entry]) {
        for entry in entries {
            self.seen.jump();
            let Novelty { values, pairs, .. } = self.seen.add(entry.head, &entry.state);
            if values > 0 || pairs > 0 {
                self.corpus.add(Entry { picks: 0, ..entry.clone() });
            }
        }
        self.corpus.added = 0;
    }
}
