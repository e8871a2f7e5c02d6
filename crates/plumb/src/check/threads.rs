//! How many threads a search has.

use crate::report::Output;
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::{SourceMap, Span};
use std::num::NonZeroUsize;

/// Threads that a user may ask for although there are fewer processors: a search should be the same on a smaller machine.
const MOST_THREADS: usize = 64;
/// What a thread needs at least: states of the program to search from, a stack, and its part of the allocator's reserves.
const THREAD_BYTES: u64 = 160 << 20;

/// As many as were asked for, or one for each processor, as far as the machine has room for them.
pub fn threads(wanted: Option<NonZeroUsize>, memory: u64, out: &Output) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = most_threads(processors, memory);
    if let Some(wanted) = wanted.map(usize::from).filter(|wanted| *wanted > most) {
        let message = format!("there is not enough memory for {wanted} threads: the search uses {most}");
        let help = "ask for fewer --threads, or allow more --memory";
        let mut diags = Diagnostics::new();
        diags.push(Diagnostic::warning(Span::NONE, message).help(help));
        out.diagnostics(&diags, &SourceMap::default());
    }
    wanted.map_or(processors, usize::from).min(most)
}

fn most_threads(processors: usize, memory: u64) -> usize {
    let room = usize::try_from(memory / THREAD_BYTES).unwrap_or(usize::MAX);
    room.min(MOST_THREADS.max(4 * processors)).max(1)
}

#[cfg(test)]
mod tests {
    use super::most_threads;

    #[test]
    fn threads_are_bounded_by_processors_and_memory() {
        assert_eq!(most_threads(2, u64::MAX), 64);
        assert_eq!(most_threads(128, u64::MAX), 512);
        assert_eq!(most_threads(8, 1 << 30), 6);
        assert_eq!(most_threads(8, 1 << 20), 1);
    }
}
