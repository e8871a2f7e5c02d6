//! The end of the time, kept whatever the process is doing.
//!
//! Engines, evidence and the front end look at the clock, but each of them has stretches between two looks that grow with the
//! program. A thread of its own waits for the timeout, or for Ctrl-C, and a little longer, or for the moment before the
//! system ends the process for its use of the processor; if nothing has been reported by then it tells the last word that it
//! was given, and ends the process. What is known by then is in that word: a violation
//! that has been replayed stays FALSE although no time was left to print its run.

use crate::report::{Exit, Output};
use plumb_engine::Cancel;
use plumb_engine::host::{processor_limit, processor_time};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long evidence may take beyond the timeout, and after how much more the process ends.
pub const EVIDENCE: Duration = Duration::from_millis(1000);
const GRACE: Duration = Duration::from_millis(1600);
/// How often Ctrl-C is looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Processor time that is left for the last word, where it is limited.
const RESERVE: Duration = Duration::from_millis(700);

/// What is reported when the time is over.
pub struct LastWord {
    /// All of standard output.
    pub text: Vec<u8>,
    pub exit: Exit,
}

impl LastWord {
    /// What a job would print.
    pub fn of(json: bool, print: impl FnOnce(&mut Output) -> Exit) -> LastWord {
        let mut out = Output::to_memory(json);
        let exit = print(&mut out);
        LastWord { text: out.into_memory(), exit }
    }
}

/// Its lock is held by who tells: the watchdog or the job, never both.
#[derive(Clone)]
pub struct Watchdog(Arc<Mutex<Option<LastWord>>>);

impl Watchdog {
    /// Watches from now on. Where there is no thread for it, the clocks of the others must do.
    pub fn start(deadline: Option<Instant>, cancel: Cancel, word: LastWord) -> Watchdog {
        let watchdog = Watchdog(Arc::new(Mutex::new(Some(word))));
        let own = watchdog.clone();
        let builder = std::thread::Builder::new().name("watchdog".to_string()).stack_size(1 << 20);
        let _ = builder.spawn(move || own.watch(deadline, &cancel));
        watchdog
    }

    fn watch(&self, deadline: Option<Instant>, cancel: &Cancel) {
        let mut end = deadline.and_then(|deadline| deadline.checked_add(GRACE));
        let mut was_cancelled = false;
        let processor_end = processor_limit().map(|limit| limit.saturating_sub(RESERVE));
        loop {
            if cancel.is_cancelled() && !was_cancelled {
                was_cancelled = true;
                let soon = Instant::now() + GRACE;
                end = Some(end.map_or(soon, |end| end.min(soon)));
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            let is_processor_used = processor_end.is_some_and(|end| processor_time().is_some_and(|used| used > end));
            if left == Some(Duration::ZERO) || is_processor_used {
                break;
            }
            std::thread::sleep(left.map_or(POLL_INTERVAL, |left| left.min(POLL_INTERVAL)));
        }
        let Ok(mut word) = self.0.lock() else { return };
        if let Some(LastWord { text, exit }) = word.take() {
            use std::io::Write;
            let mut stdout = std::io::stdout().lock();
            let _ = stdout.write_all(&text).and_then(|()| stdout.flush());
            std::process::exit(exit.code());
        }
    }

    /// More is known now.
    pub fn update(&self, word: LastWord) {
        if let Ok(mut last) = self.0.lock()
            && last.is_some()
        {
            *last = Some(word);
        }
    }

    /// The job tells its answer by itself. Does not return if the watchdog is about to.
    pub fn dismiss(&self) {
        if let Ok(mut last) = self.0.lock() {
            *last = None;
        }
    }
}
