//! Summaries of several functions at once, each with a budget of its own.

use super::Summary;
use super::cache::Cache;
use super::examples::{Examples, Prober, collect};
use super::synthesis::{Constraints, SynthesisOptions, synthesise_summary};
use crate::budget::Budget;
use crate::portfolio::stack_size;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::Signature;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Examples get one in so many parts of a function's time.
const EXAMPLES_SHARE: u32 = 3;

/// What came of one function.
#[derive(Clone, Debug)]
pub struct Synthesised {
    pub signature: Signature,
    pub examples: Examples,
    /// `None` if the function cannot be called alone, or no term was found in time.
    pub summary: Option<Summary>,
    pub is_cached: bool,
    pub elapsed: Duration,
}

/// How functions are worked on.
pub struct Plan<'a> {
    pub options: SynthesisOptions,
    /// Time for one function; the budget's deadline holds for all.
    pub per_function: Option<Duration>,
    /// Where summaries are kept between runs of the program.
    pub cache: Option<&'a Cache>,
    /// Called from any thread when a function is finished.
    pub watcher: &'a (dyn Fn(&Synthesised) + Sync),
}

/// Summaries of the functions, in their order. Without deadlines the result does not depend on the number of threads.
pub fn synthesise_all(
    analyses: &Analyses,
    signatures: &[Signature],
    plan: &Plan<'_>,
    budget: &Budget,
) -> Vec<Synthesised> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Synthesised>>> = signatures.iter().map(|_| Mutex::new(None)).collect();
    let threads = budget.threads.clamp(1, signatures.len().max(1));
    let work = || {
        while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < signatures.len()) {
            if budget.is_over() {
                return;
            }
            // What is left of the time, for each of the functions that are left to a worker.
            let rounds = (signatures.len() - at).div_ceil(threads) as u32;
            let done = synthesise_one(analyses, &signatures[at], plan, &budget.part(rounds));
            (plan.watcher)(&done);
            if let Ok(mut result) = results[at].lock() {
                *result = Some(done);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // A thread that the system does not give is work for the others.
            let builder = std::thread::Builder::new().name("summary".to_string()).stack_size(stack_size());
            let _ = builder.spawn_scoped(scope, work);
        }
        work();
    });
    let missing = |signature: &Signature| Synthesised {
        signature: signature.clone(),
        examples: Examples::default(),
        summary: None,
        is_cached: false,
        elapsed: Duration::ZERO,
    };
    let results = results.into_iter().map(|result| result.into_inner().ok().flatten());
    results.zip(signatures).map(|(result, signature)| result.unwrap_or_else(|| missing(signature))).collect()
}

fn synthesise_one(analyses: &Analyses, signature: &Signature, plan: &Plan<'_>, budget: &Budget) -> Synthesised {
    let begin = Instant::now();
    let own = plan.per_function.map(|time| begin + time);
    let deadline = own.into_iter().chain(budget.deadline).min();
    let budget = Budget { deadline, ..budget.clone() };
    let mut done = Synthesised {
        signature: signature.clone(),
        examples: Examples::default(),
        summary: None,
        is_cached: false,
        elapsed: Duration::ZERO,
    };
    if let Some(mut prober) = Prober::new(analyses.program(), signature) {
        let collecting = budget.part(EXAMPLES_SHARE);
        done.examples = collect(analyses, signature, &mut prober, &collecting, plan.options.seed);
        let key = plan.cache.map(|cache| (cache, cache.key(analyses, signature, &plan.options)));
        let cached = key
            .as_ref()
            .and_then(|(cache, key)| cache.load(key, analyses, signature, &done.examples, &mut prober, &budget));
        done.is_cached = cached.is_some();
        let constraints = Constraints::default();
        done.summary = cached
            .or_else(|| synthesise_summary(analyses, signature, &done.examples, &constraints, &plan.options, &budget));
        // A summary that was made in too little time is not worth keeping, unless it is exact.
        let is_finished = !budget.is_over() || done.summary.as_ref().is_some_and(|s| s.similarity.is_exact());
        if let (Some((cache, key)), Some(summary), false, true) = (key, &done.summary, done.is_cached, is_finished) {
            cache.store(&key, analyses.program(), summary);
        }
    }
    done.elapsed = begin.elapsed();
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::by_hand::{FUNCTIONS, of_parameters};
    use crate::test_program::{budget, program};

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let analyses = Analyses::new(&program(FUNCTIONS));
        let names = ["process", "limit", "median"];
        let signatures = names.map(|name| of_parameters(analyses.program(), name));
        let count = AtomicUsize::new(0);
        let watcher = |_: &Synthesised| {
            count.fetch_add(1, Ordering::Relaxed);
        };
        let options = SynthesisOptions { iterations: 8, candidates: 60_000, ..SynthesisOptions::default() };
        let plan = Plan { options, per_function: None, cache: None, watcher: &watcher };
        let run = |threads: usize| {
            let done = synthesise_all(&analyses, &signatures, &plan, &Budget { threads, ..budget() });
            done.into_iter().map(|one| (one.signature.func, one.summary)).collect::<Vec<_>>()
        };
        let one = run(1);
        assert_eq!(one, run(3));
        assert_eq!(count.load(Ordering::Relaxed), 6);
        assert!(one.iter().zip(&signatures).all(|((func, _), signature)| *func == signature.func));
        assert!(one.iter().all(|(_, summary)| summary.is_some()));
    }
}
