//! Summaries that are kept between runs of the program, one file each.
//!
//! An entry is found by the content that its summary depends on (`content.rs`): the function with all that it calls, the
//! target, the signature and the variant of the synthesis. It is a stranger's text until it is checked: an entry whose
//! checksum is wrong, whose term does not suit the signature, or whose constraints the function does not satisfy any more is
//! deleted. Accuracy and output coverage are computed anew on fresh examples, the range by the program at hand. A summary that
//! fits these examples worse than those that it was made from is not used.
//!
//! Beside the export of summaries the folder is the one place where engines touch files. Failing to read or write it is never
//! an error: there is no entry.

mod content;
mod entry;

use super::Summary;
use super::complexity::{complexity, term_complexity};
use super::examples::{Example, Examples, Prober};
use super::scalar::Words;
use super::similarity::Evaluation;
use super::synthesis::{SynthesisOptions, output_range};
use crate::budget::Budget;
use entry::Entry;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::Signature;
use plumb_ir::program::Program;
use plumb_synth::Expr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Larger files are no entries.
const MOST_BYTES: u64 = 16 << 20;

/// A folder of summaries.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
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

    /// The summary of an entry that passes all checks. An entry that does not is deleted, unless the budget was over first.
    pub fn load(
        &self,
        key: &Key,
        analyses: &Analyses,
        signature: &Signature,
        examples: &Examples,
        prober: &mut Prober,
        budget: &Budget,
    ) -> Option<Summary> {
        let path = self.path(key);
        let found = fs::symlink_metadata(&path).ok()?;
        let is_small = found.is_file() && found.len() <= MOST_BYTES;
        let text = if is_small { fs::read_to_string(&path).ok() } else { None };
        let found = text.and_then(|text| Entry::read(&text, &key.0)).and_then(|entry| {
            let expr = entry.term(signature, &Words::of(&analyses.program().target, signature)?)?;
            let summary = revive(&entry, expr, analyses, signature, examples, prober, budget)?;
            Some((entry, summary))
        });
        if found.is_none() && !budget.is_over() {
            tracing::info!(dropped_summaries = 1);
            let _ = fs::remove_file(&path);
        }
        found.filter(|(entry, summary)| entry.fits(&summary.similarity)).map(|(_, summary)| summary)
    }

    /// Writes an entry in one step, so that nobody sees half of it.
    pub fn store(&self, key: &Key, program: &Program, summary: &Summary) {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let words = Words::of(&program.target, &summary.signature);
        let text = words.and_then(|words| Entry::of(summary, &words, &key.0).text());
        let Some(text) = text else { return };
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
    examples: &Examples,
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
        similarity: Evaluation::new(words, signature, &examples.list).compare(&expr).similarity,
        range: output_range(analyses, signature),
        constraints,
        expr,
    })
}

#[cfg(test)]
mod tests;
