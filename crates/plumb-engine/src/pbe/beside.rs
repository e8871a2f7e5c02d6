//! The original program, searched while summaries are made: what is easy needs none.

use super::tuning::TUNING;
use crate::answer::Answer;
use crate::budget::Budget;
use crate::portfolio::stack_size;
use std::thread::{Builder, scope};
use tracing::Span;

/// What came first.
pub enum First<T> {
    /// The search has an answer.
    Answered(Answer),
    Made(T),
    /// The system has no thread left.
    NoThread,
}

/// Searches and makes something at the same time, each on a thread of its own. The search ends when the other is finished,
/// unless it has an answer before. Without a second processor there is only a short search before.
pub fn make_and_search<T: Send>(
    make: impl FnOnce(&Budget) -> T + Send,
    search: impl FnOnce(&Budget) -> Answer + Send,
    budget: &Budget,
) -> First<T> {
    if budget.threads < 2 {
        let answer = search(&TUNING.first_slice(budget));
        return if has_evidence(&answer) { First::Answered(answer) } else { First::Made(make(budget)) };
    }
    let (making, searching) = (budget.cancel.of_part(), budget.cancel.of_part());
    scope(|scope| {
        let thread = |name: &str| Builder::new().name(name.to_string()).stack_size(stack_size());
        let own = Budget { threads: budget.threads - 1, cancel: making.clone(), ..budget.clone() };
        let span = Span::current();
        let maker = thread("summaries").spawn_scoped(scope, move || span.in_scope(|| make(&own)));
        // With half of the memory it ends by itself before the whole engine is ended for it.
        let memory = budget.memory / 2;
        let own = Budget { threads: 1, memory, cancel: searching.clone(), ..budget.clone() };
        let span = Span::current();
        let searcher = thread("original").spawn_scoped(scope, move || span.in_scope(|| search(&own)));
        let Ok(maker) = maker else {
            searching.cancel();
            return First::NoThread;
        };
        let mut searcher = searcher.ok();
        let mut answer = None;
        while !maker.is_finished() {
            if budget.is_over() {
                making.cancel();
                searching.cancel();
            }
            if let Some(done) = searcher.take_if(|searcher| searcher.is_finished()) {
                answer = done.join().ok().filter(has_evidence);
                if answer.is_some() {
                    making.cancel();
                }
            }
            std::thread::sleep(TUNING.poll);
        }
        searching.cancel();
        let last = searcher.and_then(|searcher| searcher.join().ok()).filter(has_evidence);
        match (answer.or(last), maker.join()) {
            (Some(answer), _) => First::Answered(answer),
            (None, Ok(made)) => First::Made(made),
            // The portfolio reports panics.
            (None, Err(panic)) => std::panic::resume_unwind(panic),
        }
    })
}

fn has_evidence(answer: &Answer) -> bool {
    !matches!(answer, Answer::Unknown(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Explored, Proof, Unknown, WhyUnknown};
    use crate::test_program::budget;
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn wait(budget: &Budget) {
        while !budget.is_over() {
            std::thread::sleep(TUNING.poll);
        }
    }

    fn holds() -> Answer {
        Answer::Holds(Proof::OnlyRun { steps: 1 }, BTreeSet::new())
    }

    fn unknown() -> Answer {
        Answer::Unknown(Unknown { why: WhyUnknown::Cancelled, explored: Explored::default() })
    }

    #[test]
    fn the_first_ends_the_other() {
        let two = Budget { threads: 2, ..budget() };
        let first = make_and_search(wait, |_| holds(), &two);
        assert!(matches!(first, First::Answered(Answer::Holds(..))));
        let search = |budget: &Budget| {
            wait(budget);
            unknown()
        };
        assert!(matches!(make_and_search(|_| 7, search, &two), First::Made(7)));
    }

    #[test]
    fn a_search_without_an_answer_ends_nothing() {
        for threads in [1, 2] {
            let budget = Budget { threads, ..budget() };
            assert!(matches!(make_and_search(|_| 7, |_| unknown(), &budget), First::Made(7)));
        }
    }

    #[test]
    fn whoever_cancels_the_whole_cancels_both() {
        let two = Budget { threads: 2, ..budget() };
        two.cancel.cancel();
        let search = |budget: &Budget| {
            wait(budget);
            unknown()
        };
        assert!(matches!(make_and_search(wait, search, &two), First::Made(())));
    }

    #[test]
    fn whoever_pauses_the_whole_pauses_both() {
        let two = Budget { threads: 2, ..budget() };
        let goes_on = AtomicBool::new(false);
        two.cancel.pause(true);
        let look = |budget: &Budget| {
            assert!(!budget.is_over());
            goes_on.load(Ordering::SeqCst)
        };
        let search = |budget: &Budget| {
            assert!(look(budget), "the search waits too");
            unknown()
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(50 * TUNING.poll);
                goes_on.store(true, Ordering::SeqCst);
                two.cancel.pause(false);
            });
            assert!(matches!(make_and_search(look, search, &two), First::Made(true)));
        });
    }
}
