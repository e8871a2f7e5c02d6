//! Summaries that are kept between runs of the program, one file each.
//!
//! An entry is found by the content that its summary depends on (`content.rs`): the function with all that it calls, the
//! target, the signature and the variant of the synthesis. It is a stranger's text until it is checked: an entry whose
//! checksum is wrong, whose term does not suit the signature, or whose constraints the function does not satisfy any more is
//! deleted. To collect all examples again would cost most of what an entry saves: the function is called on a small fresh sample, and
//! a summary that fits it worse than the sample it was stored with is not used. The range is that of the program at hand.
//!
//! A summary is stored although its time was over first, with the time that it had: who has much more goes on from its constraints.
//!
//! The folder is the one place where engines touch files. Failing to read or write it is never an error: there is no entry.

mod content;
mod entry;

use super::Summary;
use super::complexity::{complexity, term_complexity};
use super::examples::{Example, Prober, sample};
use super::scalar::Words;
use super::similarity::{Evaluation, Similarity};
use super::synthesis::{SynthesisOptions, output_range};
use crate::budget::Budget;
use crate::summary::tuning::TUNING;
pub use entry::Effort;
use entry::Entry;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::Signature;
use plumb_synth::Expr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// A folder of summaries.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// A summary out of the cache.
pub struct Cached {
    pub summary: Summary,
    /// More is not to be expected of the time that there is now.
    pub is_enough: bool,
}

/// What an entry is found by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key(String);

impl Cache {
    pub fn new(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into() }
    }

    /// `plumb/summaries` in the user's folder for caches; `None` if the environment names none.
    pub fn of_user() -> Option<Cache> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let caches = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
        Some(Cache::new(caches.join("plumb").join("summaries")))
    }

    pub fn key(&self, analyses: &Analyses, signature: &Signature, options: &SynthesisOptions) -> Key {
        Key(entry::digest(&content::content(analyses, signature, options)))
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{}.json", key.0))
    }

    fn read(&self, key: &Key) -> Option<Entry> {
        let path = self.path(key);
        let found = fs::symlink_metadata(&path).ok()?;
        let is_small = found.is_file() && found.len() <= TUNING.max_entry_bytes;
        let text = if is_small { fs::read_to_string(&path).ok()? } else { return None };
        Entry::read(&text, &key.0)
    }

    /// The summary of an entry that passes all checks. An entry that does not is deleted, unless the budget was over first.
    pub fn load(
        &self,
        key: &Key,
        analyses: &Analyses,
        signature: &Signature,
        prober: &mut Prober,
        budget: &Budget,
    ) -> Option<Cached> {
        let path = self.path(key);
        fs::symlink_metadata(&path).ok()?;
        let found = self.read(key).and_then(|entry| {
            let expr = entry.term(signature, &Words::of(&analyses.program().target, signature)?)?;
            let summary = revive(&entry, expr, analyses, signature, prober, budget)?;
            Some((entry, summary))
        });
        let Some((entry, summary)) = found else {
            if !budget.is_over() {
                tracing::info!(dropped_summaries = 1u64);
                let _ = fs::remove_file(&path);
            }
            return None;
        };
        let sampled = similarity_on_sample(&summary, analyses, prober, budget)?;
        let available = budget.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let is_enough = summary.similarity.is_exact() || entry.effort.is_enough(available);
        entry.fits(&sampled).then_some(Cached { summary, is_enough })
    }

    /// Writes an entry in one step, so that nobody sees half of it. A better one that is there already stays.
    pub fn store(&self, key: &Key, analyses: &Analyses, summary: &Summary, effort: Effort, prober: &mut Prober) {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        // The time may be over: a sample takes little more.
        let moment = Budget { deadline: Instant::now().checked_add(TUNING.sample_time), ..Budget::unlimited() };
        let Some(words) = Words::of(&analyses.program().target, &summary.signature) else { return };
        let Some(sampled) = similarity_on_sample(summary, analyses, prober, &moment) else { return };
        let entry = Entry::of(summary, &words, sampled, effort, &key.0);
        if self.read(key).is_some_and(|there| there.is_better_than(&entry)) {
            return;
        }
        let Some(text) = entry.text() else { return };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let draft = self.folder.join(format!("{}.{}-{number}.draft", key.0, std::process::id()));
        if write(&self.folder, &draft, &text).and_then(|()| fs::rename(&draft, self.path(key))).is_err() {
            let _ = fs::remove_file(&draft);
        }
    }
}

fn write(folder: &Path, draft: &Path, text: &str) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    // Nothing that is there already is written to or followed.
    fs::OpenOptions::new().write(true).create_new(true).open(draft)?.write_all(text.as_bytes())
}

/// The entry as a summary of the function as it is now, or `None` if it is stale, or the budget is over before that is known.
fn revive(
    entry: &Entry,
    expr: Expr,
    analyses: &Analyses,
    signature: &Signature,
    prober: &mut Prober,
    budget: &Budget,
) -> Option<Summary> {
    let constraints = entry.constraints(signature.inputs.len())?;
    let mut holds = |pair: &Example| !budget.is_over() && prober.call(&pair.inputs).returned() == Some(pair.output);
    let is_current = constraints.iter().all(&mut holds);
    let words = Words::of(&analyses.program().target, signature)?;
    let is_simple = term_complexity(&expr) <= complexity(analyses, signature.func);
    if !is_current || !is_simple || entry::satisfied(&expr, &words, signature, &constraints) != entry.satisfied {
        return None;
    }
    Some(Summary {
        signature: signature.clone(),
        complexity: term_complexity(&expr),
        similarity: entry.similarity,
        range: output_range(analyses, signature),
        constraints,
        expr,
    })
}

/// What a summary is worth on a small sample; `None` if there is no time for one.
fn similarity_on_sample(
    summary: &Summary,
    analyses: &Analyses,
    prober: &mut Prober,
    budget: &Budget,
) -> Option<Similarity> {
    let Summary { signature, expr, .. } = summary;
    let words = Words::of(&analyses.program().target, signature)?;
    let examples = sample(analyses, signature, prober, budget);
    let is_complete = !budget.is_over() && !examples.list.is_empty();
    is_complete.then(|| Evaluation::new(words, signature, &examples.list).compare(expr).similarity)
}

#[cfg(test)]
mod tests;
