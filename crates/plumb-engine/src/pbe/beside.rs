//! Two searches at once: that of the original, since what is easy needs no summaries, and that with summaries.
//!
//! The two are parts of one search with switches of their own. That a part was cancelled is nothing to tell: the reason is why the
//! whole ended. Which of the two had the evidence is counted (`found_by_original`, `found_by_summaries`).

use super::tuning::TUNING;
use crate::answer::{Answer, Unknown, WhyUnknown};
use crate::budget::{Budget, Cancel};
use crate::portfolio::stack_size;
use std::panic::resume_unwind;
use std::thread::{Builder, ScopedJoinHandle, scope};
use tracing::Span;

/// The answer of the search that has evidence first. The second search gets to know whether the other one goes on beside it, and
/// answers `None` if there is nothing more to do than that one does. Without a second processor there is only a short search of
/// the original before.
pub fn search_both(
    original: impl FnOnce(&Budget) -> Answer + Send,
    with_summaries: impl FnOnce(&Budget, bool) -> Option<Answer> + Send,
    budget: &Budget,
) -> Option<Answer> {
    if budget.threads < 2 {
        let answer = original(&TUNING.first_slice(budget));
        return match has_evidence(&answer) {
            true => Some(found_by_original(answer)),
            false => with_summaries(budget, false).map(found_by_summaries),
        };
    }
    let (first, second) = (budget.cancel.of_part(), budget.cancel.of_part());
    let answer = scope(|scope| {
        // Whoever leaves, be it by a panic, waits for both: neither may go on alone.
        let _ends = [CancelAtEnd(&first), CancelAtEnd(&second)];
        let thread = |name: &str| Builder::new().name(name.to_string()).stack_size(stack_size());
        // With half of the memory it ends by itself before the whole engine is ended for it.
        let own = Budget { threads: 1, memory: budget.memory / 2, cancel: first.clone(), ..budget.clone() };
        let span = Span::current();
        let searcher = thread("original").spawn_scoped(scope, move || span.in_scope(|| original(&own)));
        let is_beside = searcher.is_ok();
        let own = Budget { threads: budget.threads - 1, cancel: second.clone(), ..budget.clone() };
        let span = Span::current();
        let other = thread("summaries").spawn_scoped(scope, move || span.in_scope(|| with_summaries(&own, is_beside)));
        let (mut searcher, mut other) = (searcher.ok(), other.ok());
        let mut last = None;
        while searcher.is_some() || other.is_some() {
            if budget.is_over() {
                first.cancel();
                second.cancel();
            }
            if let Some(answer) = finished(&mut searcher) {
                if has_evidence(&answer) {
                    return Some(found_by_original(answer));
                }
                last.get_or_insert(answer);
            }
            if let Some(Some(answer)) = finished(&mut other) {
                if has_evidence(&answer) {
                    return Some(found_by_summaries(answer));
                }
                last = Some(answer);
            }
            std::thread::sleep(TUNING.poll);
        }
        last
    });
    answer.map(|answer| reason_of_the_whole(answer, budget))
}

/// Cancels a part when it is dropped.
struct CancelAtEnd<'a>(&'a Cancel);

impl Drop for CancelAtEnd<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// A part is cancelled when the whole is over, for whatever reason.
fn reason_of_the_whole(answer: Answer, budget: &Budget) -> Answer {
    match answer {
        Answer::Unknown(Unknown { why: WhyUnknown::Cancelled, explored }) => {
            Answer::Unknown(Unknown { why: budget.why_stopped(), explored })
        }
        answer => answer,
    }
}

fn found_by_original(answer: Answer) -> Answer {
    tracing::info!(found_by_original = 1u64);
    answer
}

fn found_by_summaries(answer: Answer) -> Answer {
    if has_evidence(&answer) {
        tracing::info!(found_by_summaries = 1u64);
    }
    answer
}

/// What a thread that is finished returned. The portfolio reports panics.
fn finished<T>(thread: &mut Option<ScopedJoinHandle<'_, T>>) -> Option<T> {
    let done = thread.take_if(|thread| thread.is_finished())?;
    Some(done.join().unwrap_or_else(|panic| resume_unwind(panic)))
}

fn has_evidence(answer: &Answer) -> bool {
    !matches!(answer, Answer::Unknown(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Explored, Proof};
    use crate::test_program::budget;
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    fn unknown(why: WhyUnknown) -> Answer {
        Answer::Unknown(Unknown { why, explored: Explored::default() })
    }

    fn wait(budget: &Budget) -> Answer {
        while !budget.is_over() {
            std::thread::sleep(TUNING.poll);
        }
        unknown(WhyUnknown::Cancelled)
    }

    fn holds() -> Answer {
        Answer::Holds(Proof::OnlyRun { steps: 1 }, BTreeSet::new())
    }

    fn two() -> Budget {
        Budget { threads: 2, ..budget() }
    }

    fn why(answer: Option<Answer>) -> WhyUnknown {
        match answer {
            Some(Answer::Unknown(Unknown { why, .. })) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn evidence_ends_the_other() {
        let answer = search_both(|_| holds(), |budget, _| Some(wait(budget)), &two());
        assert!(matches!(answer, Some(Answer::Holds(..))));
        let answer = search_both(wait, |_, _| Some(holds()), &two());
        assert!(matches!(answer, Some(Answer::Holds(..))));
    }

    #[test]
    fn a_search_without_an_answer_ends_nothing() {
        for threads in [1, 2] {
            let budget = Budget { threads, ..budget() };
            let answer = search_both(|_| unknown(WhyUnknown::OutOfMemory), |_, _| Some(holds()), &budget);
            assert!(matches!(answer, Some(Answer::Holds(..))));
        }
        let slow = |budget: &Budget| {
            std::thread::sleep(10 * TUNING.poll);
            assert!(!budget.is_over());
            holds()
        };
        for nothing in [None, Some(unknown(WhyUnknown::Endless))] {
            assert!(matches!(search_both(slow, |_, _| nothing, &two()), Some(Answer::Holds(..))));
        }
    }

    #[test]
    fn the_search_with_summaries_knows_whether_it_is_alone() {
        for (threads, expected) in [(1, false), (2, true)] {
            let budget = Budget { threads, ..budget() };
            search_both(
                |_| unknown(WhyUnknown::OutOfMemory),
                |_, is_beside| {
                    assert_eq!(is_beside, expected);
                    None
                },
                &budget,
            );
        }
    }

    /// The search with summaries has more to say, if anything.
    #[test]
    fn the_reason_is_that_of_the_search_with_summaries() {
        let original = |_: &Budget| unknown(WhyUnknown::OutOfMemory);
        assert_eq!(why(search_both(original, |_, _| Some(unknown(WhyUnknown::Endless)), &two())), WhyUnknown::Endless);
        assert_eq!(why(search_both(original, |_, _| None, &two())), WhyUnknown::OutOfMemory);
    }

    #[test]
    fn whoever_cancels_the_whole_cancels_both() {
        let two = two();
        two.cancel.cancel();
        assert_eq!(why(search_both(wait, |budget, _| Some(wait(budget)), &two)), WhyUnknown::Cancelled);
    }

    /// Both parts say that they were cancelled.
    #[test]
    fn the_end_of_the_time_is_no_interruption() {
        let soon = Budget { deadline: Some(Instant::now() + Duration::from_millis(20)), ..two() };
        assert_eq!(why(search_both(wait, |budget, _| Some(wait(budget)), &soon)), WhyUnknown::Timeout);
        assert_eq!(why(search_both(wait, |_, _| None, &soon)), WhyUnknown::Timeout);
    }

    /// Without that the test would not end.
    #[test]
    fn a_panic_ends_the_other() {
        let both = two();
        let run = std::panic::AssertUnwindSafe(|| search_both(|_| panic!("a defect"), |b, _| Some(wait(b)), &both));
        assert!(std::panic::catch_unwind(run).is_err());
    }

    #[test]
    fn whoever_pauses_the_whole_pauses_both() {
        let two = two();
        let goes_on = AtomicBool::new(false);
        two.cancel.pause(true);
        let search = |budget: &Budget| {
            assert!(!budget.is_over());
            assert!(goes_on.load(Ordering::SeqCst), "both wait");
            unknown(WhyUnknown::Endless)
        };
        scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(50 * TUNING.poll);
                goes_on.store(true, Ordering::SeqCst);
                two.cancel.pause(false);
            });
            search_both(search, |budget, _| Some(search(budget)), &two);
        });
    }
}
