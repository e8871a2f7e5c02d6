//! The text of an entry: JSON, with a checksum of what it says.

use crate::summary::Summary;
use crate::summary::examples::{Example, Origin};
use crate::summary::scalar::Words;
use crate::summary::similarity::{Evaluation, Similarity};
use crate::summary::tuning::TUNING;
use plumb_ir::analysis::signature::Signature;
use plumb_synth::sygus::{define_fun, parse_definition};
use plumb_synth::{Examples as Columns, Expr, Grammar, Problem, Sort};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// Entries of another format are not read. Grows with every change of entries or of what terms mean.
pub const FORMAT: u32 = 3;
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    format: u32,
    key: String,
    /// The term as a definition of SyGuS-IF over the inputs `in0`, `in1` and so on.
    definition: String,
    /// Inputs and output of every constraint.
    constraints: Vec<(Vec<u64>, u64)>,
    /// How many of them the term satisfies.
    pub satisfied: usize,
    /// What the term was worth on the examples that it was made from.
    pub similarity: Similarity,
    /// The same on a small sample, which whoever reads the entry can afford to make again.
    sampled: Similarity,
    pub effort: Effort,
}

/// What went into a summary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Effort {
    /// Synthesis ended by itself: more time would have brought nothing.
    pub is_finished: bool,
    pub milliseconds: u64,
}

impl Effort {
    /// Whether more is to be expected of so much time: more than twice of what was spent. Without a limit all time is there.
    pub fn is_enough(&self, available: Option<Duration>) -> bool {
        let most = Duration::from_millis(self.milliseconds).saturating_mul(2);
        self.is_finished || available.is_some_and(|available| available <= most)
    }
}

#[derive(Serialize, Deserialize)]
struct Envelope {
    entry: Entry,
    checksum: String,
}

/// A digest as hexadecimal digits.
pub fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Entry {
    pub fn of(summary: &Summary, words: &Words<'_>, sampled: Similarity, effort: Effort, key: &str) -> Entry {
        let signature = &summary.signature;
        let definition = define_fun(&problem(signature.inputs.len(), words.width), &summary.expr);
        let constraints = summary.constraints.iter().map(|pair| (pair.inputs.to_vec(), pair.output)).collect();
        let satisfied = satisfied(&summary.expr, words, signature, &summary.constraints);
        let similarity = summary.similarity;
        Entry { format: FORMAT, key: key.to_string(), definition, constraints, satisfied, similarity, sampled, effort }
    }

    /// Whether the term is about as good on a fresh sample as it was when it was stored.
    pub fn fits(&self, sampled: &Similarity) -> bool {
        sampled.accuracy() >= self.sampled.accuracy() - TUNING.max_loss
            && sampled.coverage() >= self.sampled.coverage() - TUNING.max_loss
    }

    /// Whether it is worth more than another entry of the same key.
    pub fn is_better_than(&self, other: &Entry) -> bool {
        let worth = |entry: &Entry| (entry.similarity.coverage(), entry.similarity.accuracy());
        self.effort.is_finished >= other.effort.is_finished && worth(self) > worth(other)
    }

    /// The entry that a text is, if its checksum says so and it belongs to the key.
    pub fn read(text: &str, key: &str) -> Option<Entry> {
        let Envelope { entry, checksum } = serde_json::from_str(text).ok()?;
        let is_intact = digest(&serde_json::to_string(&entry).ok()?) == checksum;
        (is_intact && entry.format == FORMAT && entry.key == key).then_some(entry)
    }

    pub fn text(self) -> Option<String> {
        let checksum = digest(&serde_json::to_string(&self).ok()?);
        serde_json::to_string_pretty(&Envelope { entry: self, checksum }).ok()
    }

    /// The term, if it is one over the words of the signature.
    pub fn term(&self, signature: &Signature, words: &Words<'_>) -> Option<Expr> {
        let function = parse_definition(&self.definition).ok()?;
        let wanted = problem(signature.inputs.len(), words.width);
        let suits = function.parameters == wanted.inputs && function.result == wanted.output;
        (suits && function.body.expanded_size() <= TUNING.max_entry_nodes).then(|| function.body.expand())
    }

    pub fn constraints(&self, inputs: usize) -> Option<Vec<Example>> {
        let pair = |(values, output): &(Vec<u64>, u64)| {
            let inputs = values.clone().into_boxed_slice();
            Example { inputs, output: *output, origin: Origin::Correction }
        };
        let suits = self.constraints.iter().all(|(values, _)| values.len() == inputs);
        suits.then(|| self.constraints.iter().map(pair).collect())
    }
}

/// How many pairs a term satisfies.
pub fn satisfied(expr: &Expr, words: &Words<'_>, signature: &Signature, pairs: &[Example]) -> usize {
    Evaluation::new(*words, signature, pairs).compare(expr).similarity.correct
}

/// A problem without examples, for the names and sorts of a definition.
fn problem(inputs: usize, width: u32) -> Problem {
    let sort = Sort::Bv(width);
    Problem {
        name: "summary".to_string(),
        inputs: (0..inputs).map(|at| (format!("in{at}"), sort)).collect(),
        output: sort,
        grammar: Grammar::new("Start", sort),
        examples: Columns::new(&vec![sort; inputs], sort),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::by_hand::{FUNCTIONS, of_parameters};
    use crate::test_program::program;

    /// `let a1 = a0 + a0 in let a2 = a1 + a1 in ...`: twice as many nodes with every definition.
    fn doubled(times: u32) -> String {
        let sum = |at: u32| if at == 0 { "in0".to_string() } else { format!("a{at}") };
        let open: String = (0..times).map(|at| format!("(let ((a{} (bvadd {1} {1}))) ", at + 1, sum(at))).collect();
        let close = ")".repeat(times as usize);
        format!("(define-fun summary ((in0 (_ BitVec 32))) (_ BitVec 32) {open}{}{close})", sum(times))
    }

    #[test]
    fn terms_that_definitions_make_huge_are_no_terms() {
        let program = program(FUNCTIONS);
        let signature = of_parameters(&program, "process");
        assert_eq!(signature.inputs.len(), 1);
        let words = Words::of(&program.target, &signature).unwrap();
        let of = |times: u32| {
            let entry = Entry {
                format: FORMAT,
                key: String::new(),
                definition: doubled(times),
                constraints: Vec::new(),
                satisfied: 0,
                similarity: Similarity::default(),
                sampled: Similarity::default(),
                effort: Effort { is_finished: true, milliseconds: 1 },
            };
            entry.term(&signature, &words)
        };
        assert!(of(3).is_some());
        assert!(of(60).is_none());
    }
}
