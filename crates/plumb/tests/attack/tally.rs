//! How often each engine answered, and what came of its evidence.

use crate::judge::{HarnessRun, Judgement, Validation, Verdict};
use std::fmt::{Display, Formatter};
use std::time::Duration;

#[derive(Default)]
pub struct Tally {
    rows: Vec<(String, Row)>,
}

#[derive(Default)]
pub struct Row {
    pub holds: usize,
    pub violated: usize,
    pub unknown: usize,
    /// Confirmed, rejected, unknown.
    proofs: [usize; 3],
    certificates: [usize; 3],
    violations: [usize; 3],
    /// Harnesses that fail, and those that say that they cannot.
    harnesses: [usize; 2],
    late: usize,
    elapsed: Duration,
}

impl Row {
    pub fn answered(&self) -> usize {
        self.holds + self.violated
    }

    fn add(&mut self, judgement: &Judgement) {
        let count = |counts: &mut [usize; 3], validation: Option<Validation>| match validation {
            Some(Validation::Confirmed) => counts[0] += 1,
            Some(Validation::Rejected) => counts[1] += 1,
            Some(Validation::Unknown) => counts[2] += 1,
            None => {}
        };
        match judgement.verdict {
            Verdict::True => {
                self.holds += 1;
                count(&mut self.proofs, judgement.witness);
            }
            Verdict::False => {
                self.violated += 1;
                count(&mut self.violations, judgement.witness);
            }
            Verdict::Unknown => self.unknown += 1,
        }
        count(&mut self.certificates, judgement.certificate);
        match judgement.harness {
            Some(HarnessRun::Fails) => self.harnesses[0] += 1,
            Some(HarnessRun::Cannot) => self.harnesses[1] += 1,
            None => {}
        }
        self.late += usize::from(judgement.elapsed > judgement.timeout + Duration::from_secs(2));
        self.elapsed += judgement.elapsed;
    }
}

impl Tally {
    pub fn add(&mut self, engine: &str, judgement: &Judgement) {
        self.row_mut(engine).add(judgement);
    }

    fn row_mut(&mut self, engine: &str) -> &mut Row {
        let at = self.rows.iter().position(|(name, _)| name == engine).unwrap_or_else(|| {
            self.rows.push((engine.to_string(), Row::default()));
            self.rows.len() - 1
        });
        &mut self.rows[at].1
    }

    pub fn row(&self, engine: &str) -> Option<&Row> {
        self.rows.iter().find(|(name, _)| name == engine).map(|(_, row)| row)
    }
}

/// Of validations: confirmed/rejected/unknown.
impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{:10} {:>5} {:>5} {:>7}  {:>12} {:>12} {:>12} {:>9} {:>4} {:>7}",
            "engine", "true", "false", "unknown", "witness", "certificate", "violation", "harness", "late", "seconds"
        )?;
        for (name, row) in &self.rows {
            let three = |counts: [usize; 3]| counts.map(|n| n.to_string()).join("/");
            writeln!(
                f,
                "{name:10} {:>5} {:>5} {:>7}  {:>12} {:>12} {:>12} {:>9} {:>4} {:>7.1}",
                row.holds,
                row.violated,
                row.unknown,
                three(row.proofs),
                three(row.certificates),
                three(row.violations),
                row.harnesses.map(|n| n.to_string()).join("/"),
                row.late,
                row.elapsed.as_secs_f32()
            )?;
        }
        Ok(())
    }
}
