//! Summaries of several functions at once, each with a budget of its own.

use super::Summary;
use super::cache::{Cache, Effort, Key};
use super::examples::{Examples, Prober, collect, sample};
use super::synthesis::{Constraints, SynthesisOptions, has_integral_results, synthesise_summary};
use crate::budget::Budget;
use crate::portfolio::stack_size;
use crate::summary::tuning::TUNING;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::Signature;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What came of one function.
#[derive(Clone, Debug)]
pub struct Synthesised {
    pub signature: Signature,
    /// None of a summary out of the cache: they are collected when it is refined.
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
        let key = plan.cache.map(|cache| (cache, cache.key(analyses, signature, &plan.options)));
        let load = |(cache, key): &(&Cache, Key)| cache.load(key, analyses, signature, &mut prober, &budget);
        let cached = key.as_ref().and_then(load);
        done.is_cached = cached.as_ref().is_some_and(|cached| cached.is_enough);
        let known = cached.map(|cached| cached.summary);
        if done.is_cached {
            tracing::info!(cached_summaries = 1u64);
            done.summary = known;
        } else {
            synthesise_anew(analyses, plan, &mut done, known, &mut prober, &budget);
            let effort = Effort { is_finished: !budget.is_over(), milliseconds: begin.elapsed().as_millis() as u64 };
            if let (Some((cache, key)), Some(summary)) = (key, &done.summary) {
                cache.store(&key, analyses, summary, effort, &mut prober);
            }
        }
    }
    done.elapsed = begin.elapsed();
    done
}

/// Collects examples and makes a summary, from the constraints of an earlier one where there is one.
fn synthesise_anew(
    analyses: &Analyses,
    plan: &Plan<'_>,
    done: &mut Synthesised,
    known: Option<Summary>,
    prober: &mut Prober,
    budget: &Budget,
) {
    let Synthesised { signature, .. } = &*done;
    // Most functions of floats have results between integers, which a few calls show.
    let few = match signature.output.ty.is_float() {
        true => sample(analyses, signature, prober, &budget.part(TUNING.examples_share)).list,
        false => Vec::new(),
    };
    if !has_integral_results(signature, &few) {
        return;
    }
    let examples = collect(analyses, signature, prober, &budget.part(TUNING.examples_share), plan.options.seed);
    let chosen = known.as_ref().map(|summary| summary.constraints.clone()).unwrap_or_default();
    let constraints = Constraints { required: Vec::new(), chosen };
    let made = synthesise_summary(analyses, signature, &examples, &constraints, &plan.options, budget);
    done.summary = made.or(known);
    done.examples = examples;
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

    /// The second time no example is collected.
    #[test]
    fn what_is_in_the_cache_costs_no_examples() {
        let folder = std::env::temp_dir().join(format!("plumb-summaries-{}-reuse", std::process::id()));
        let cache = Cache::new(&folder);
        let analyses = Analyses::new(&program(FUNCTIONS));
        let signatures = [of_parameters(analyses.program(), "process")];
        let plan =
            Plan { options: SynthesisOptions::default(), per_function: None, cache: Some(&cache), watcher: &|_| {} };
        let run = || synthesise_all(&analyses, &signatures, &plan, &budget()).remove(0);
        let (first, second) = (run(), run());
        let _ = std::fs::remove_dir_all(&folder);
        assert!(!first.is_cached && !first.examples.list.is_empty());
        assert!(second.is_cached && second.examples.list.is_empty());
        assert_eq!(first.summary.map(|s| (s.expr, s.similarity)), second.summary.map(|s| (s.expr, s.similarity)));
    }

    /// `half` has results between integers; `twice` and `sign` have none, be they floats.
    #[test]
    fn floats_are_summarised_where_they_are_integral() {
        let text =
            "float half(float x) { return x * 0.5f; } float twice(float x) { return x > 1e6f ? 0.0f : x * 2.0f; }
            double sign(int x) { return x > 0 ? 1.0 : 2.0; } int positive(double d) { return d > 0.5; }
            int main(void) { return half(input()) + twice(input()) + sign(input()) + positive(input()); }";
        let analyses = Analyses::new(&program(text));
        let of = |name: &str| {
            let func = analyses.program().find_function(name).unwrap();
            let signatures = [plumb_ir::analysis::signature::signature(&analyses, func).unwrap()];
            let options = SynthesisOptions { iterations: 20, candidates: 100_000, ..SynthesisOptions::default() };
            let plan = Plan { options, per_function: None, cache: None, watcher: &|_| {} };
            synthesise_all(&analyses, &signatures, &plan, &budget()).remove(0).summary
        };
        assert!(of("half").is_none());
        for name in ["twice", "sign", "positive"] {
            let summary = of(name).unwrap_or_else(|| panic!("{name} has a summary"));
            assert!(summary.accuracy() > 0.9, "{name}: {:?}", summary.similarity);
        }
    }
}
