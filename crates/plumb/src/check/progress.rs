//! The line that tells on a terminal how far a search is, rewritten in place and wiped out at the end.

use plumb_engine::{Explored, Progress, Watcher};
use plumb_evidence::report::amount;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;

/// Back to the first column, and nothing behind it.
const WIPE: &str = "\r\x1b[K";

/// Watches an engine. Off a terminal it writes nothing.
pub struct Line {
    is_shown: bool,
    last: Mutex<Option<Progress>>,
}

impl Line {
    pub fn new() -> Line {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Line { is_shown: std::io::stderr().is_terminal() && !is_dumb, last: Mutex::new(None) }
    }

    /// Wipes the line out.
    pub fn end(&self) {
        if self.is_shown {
            write(WIPE);
        }
    }

    /// One line for one report.
    fn report(&self, progress: &Progress, line: impl FnOnce(Option<&Progress>) -> String) {
        // Threads may report at once: the lock keeps their lines apart, and the last report.
        let Ok(mut last) = self.last.lock() else { return };
        if self.is_shown {
            write(&format!("{WIPE}{}", line(last.as_ref())));
        }
        *last = Some(*progress);
    }

    /// What the engine reported last.
    pub fn explored(&self) -> Option<Explored> {
        self.last.lock().ok()?.map(|progress| progress.explored)
    }
}

impl Watcher for Line {
    fn progress(&self, progress: &Progress) {
        self.report(progress, |last| text(progress, last));
    }

    fn progress_as(&self, progress: &Progress, line: &str) {
        self.report(progress, |_| line.to_string());
    }

    fn phase(&self, what: &str) {
        if self.is_shown {
            write(&format!("{WIPE}{what}"));
        }
    }
}

fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // A terminal that is gone is no reason to stop.
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

/// Short enough for 80 columns. The speed is that of the time since the last report.
fn text(now: &Progress, before: Option<&Progress>) -> String {
    let (steps, elapsed) = match before {
        Some(before) => (before.explored.steps, before.elapsed),
        None => (0, std::time::Duration::ZERO),
    };
    let seconds = now.elapsed.saturating_sub(elapsed).as_secs_f64().max(1e-3);
    let speed = now.explored.steps.saturating_sub(steps) as f64 / seconds;
    let Explored { runs, deepest, states, .. } = now.explored;
    format!(
        "{:.0} s: {} runs, depth {}, {} states, {} steps/s, {} MiB",
        now.elapsed.as_secs_f64(),
        amount(runs),
        amount(deepest),
        amount(states),
        amount(speed as u64),
        now.memory >> 20,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_line_fits_a_terminal() {
        let huge =
            Explored { runs: u64::MAX, steps: u64::MAX, deepest: u64::MAX, states: u64::MAX, ..Explored::default() };
        let progress = Progress { explored: huge, elapsed: Duration::from_secs(86_400), kept: 1, memory: 1 << 40 };
        let line = text(&progress, None);
        assert!(line.len() < 80, "{line}");
    }

    /// A watcher that only knew `progress` would show the usual line first.
    #[test]
    fn a_report_in_other_words_is_one_report() {
        let line = Line { is_shown: false, last: Mutex::new(None) };
        let explored = Explored { deepest: 7, ..Explored::default() };
        let progress = Progress { explored, elapsed: Duration::from_secs(1), kept: 1, memory: 1 };
        line.progress_as(&progress, "bound 7");
        assert_eq!(line.explored(), Some(explored));
    }

    #[test]
    fn the_speed_is_that_of_the_last_moments() {
        let explored = |steps| Explored { steps, ..Explored::default() };
        let at = |steps, seconds| Progress {
            explored: explored(steps),
            elapsed: Duration::from_secs(seconds),
            kept: 0,
            memory: 0,
        };
        let line = text(&at(5_000_000, 12), Some(&at(1_000_000, 10)));
        assert!(line.contains(" 2.00 M steps/s"), "{line}");
    }
}
