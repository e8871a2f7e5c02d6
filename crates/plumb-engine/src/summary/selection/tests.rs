use super::*;
use crate::test_program;
use plumb_ir::analysis::Analyses;
use plumb_ir::program::{EdgeId, FuncId};

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn share(&mut self) -> f64 {
        self.below(101) as f64 / 100.0
    }
}

/// Candidates that call those behind them, with a chance of so many in ten.
fn random(rng: &mut Rng, count: usize, nesting: u64) -> (Vec<Candidate>, Unrolled) {
    let mut candidates = Vec::new();
    let mut unrolled = Unrolled { rest: rng.below(20) as f64, ..Unrolled::default() };
    for i in 0..count {
        let (accuracy, coverage) = (rng.share(), rng.share());
        candidates.push(Candidate { complexity: rng.below(8) as f64, accuracy, coverage });
        unrolled.branches.push(rng.below(12) as f64);
        unrolled.from_outside.push(rng.below(9).saturating_sub(1) as f64);
        let called = (i + 1..count).filter(|_| rng.below(10) < nesting).collect::<Vec<_>>();
        unrolled.inside.push(called.into_iter().map(|callee| (callee, 1.0 + rng.below(3) as f64)).collect());
    }
    (candidates, unrolled)
}

/// The score of a subset as the paper writes it, with norms over all subsets.
fn by_definition(candidates: &[Candidate], unrolled: &Unrolled) -> Vec<(Vec<bool>, Option<f64>)> {
    let count = candidates.len();
    let subsets: Vec<Vec<bool>> =
        (0..1u32 << count).map(|bits| (0..count).map(|i| bits >> i & 1 != 0).collect()).collect();
    // Every call is followed one by one.
    fn visit(i: usize, times: f64, s: &[bool], c: &[Candidate], u: &Unrolled, calls: &mut [f64]) -> f64 {
        calls[i] += times;
        match s[i] {
            true => times * c[i].complexity,
            false => {
                let below = u.inside[i].iter().map(|&(callee, n)| visit(callee, times * n, s, c, u, calls));
                times * u.branches[i] + below.collect::<Vec<f64>>().iter().sum::<f64>()
            }
        }
    }
    let measured: Vec<(f64, Option<(f64, f64)>)> = subsets
        .iter()
        .map(|s| {
            let mut calls = vec![0.0; count];
            let mut complexity = unrolled.rest;
            for i in 0..count {
                complexity += visit(i, unrolled.from_outside[i], s, candidates, unrolled, &mut calls);
            }
            let total: f64 = (0..count).filter(|&i| s[i]).map(|i| calls[i]).sum();
            let mean = |of: fn(&Candidate) -> f64| {
                (0..count).filter(|&i| s[i]).map(|i| of(&candidates[i]) * calls[i]).sum::<f64>() / total
            };
            (complexity, (total > 0.0).then(|| (mean(|c| c.accuracy), mean(|c| c.coverage))))
        })
        .collect();
    let norm = |value: f64, all: &[f64]| {
        let low = all.iter().copied().reduce(f64::min).unwrap_or(0.0);
        let high = all.iter().copied().reduce(f64::max).unwrap_or(0.0);
        if high - low > 1e-12 { (value - low) / (high - low) } else { 0.0 }
    };
    let complexities: Vec<f64> = measured.iter().map(|m| m.0).collect();
    let accuracies: Vec<f64> = measured.iter().filter_map(|m| Some(m.1?.0)).collect();
    let coverages: Vec<f64> = measured.iter().filter_map(|m| Some(m.1?.1)).collect();
    let weights = Weights::default();
    let score = |m: &(f64, Option<(f64, f64)>)| {
        let (accuracy, coverage) = m.1?;
        Some(
            weights.complexity * (1.0 - norm(m.0, &complexities))
                + weights.accuracy * norm(accuracy, &accuracies)
                + weights.coverage * norm(coverage, &coverages),
        )
    };
    let scores: Vec<Option<f64>> = measured.iter().map(score).collect();
    subsets.into_iter().zip(scores).collect()
}

#[test]
fn scores_are_those_of_the_definition() {
    let mut rng = Rng(7);
    for round in 0..150 {
        let count = 1 + rng.below(7) as usize;
        let (candidates, unrolled) = random(&mut rng, count, round % 4);
        let objective = Objective::new(&candidates, Weights::default(), &unrolled);
        for (subset, expected) in by_definition(&candidates, &unrolled) {
            let found = objective.as_ref().and_then(|objective| objective.score(&subset));
            match (found, expected) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-6, "{a} {b} {subset:?} {candidates:?} {unrolled:?}"),
                (None, None) => {}
                other => panic!("{other:?} {subset:?} {candidates:?} {unrolled:?}"),
            }
        }
    }
}

#[test]
fn branch_and_bound_finds_what_exhaustive_search_finds() {
    let mut rng = Rng(3);
    for round in 0..300 {
        let count = 1 + rng.below(12) as usize;
        let (candidates, unrolled) = random(&mut rng, count, round % 5);
        let Some(objective) = Objective::new(&candidates, Weights::default(), &unrolled) else { continue };
        let subsets = (0..1u32 << count).map(|bits| (0..count).map(|i| bits >> i & 1 != 0).collect::<Vec<bool>>());
        let expected = subsets.filter_map(|s| objective.score(&s)).reduce(f64::max).expect("some candidate is called");
        let found = search::best(&objective);
        assert!(
            found.is_complete && (found.score - expected).abs() < 1e-8,
            "{} {expected} {candidates:?}",
            found.score
        );
        assert_eq!(objective.score(&found.chosen), Some(found.score));
    }
}

#[test]
fn fifty_candidates_need_few_nodes() {
    let mut rng = Rng(11);
    for round in 0..60 {
        // None calls another; or functions of three layers call some of the layer below.
        let (candidates, mut unrolled) = random(&mut rng, 50, round % 3);
        let is_below = |caller: usize, callee: usize| callee / 17 == caller / 17 + 1;
        for (i, calls) in unrolled.inside.iter_mut().enumerate() {
            calls.retain(|&(callee, _)| is_below(i, callee));
        }
        let objective = Objective::new(&candidates, Weights::default(), &unrolled).expect("candidates are called");
        let found = search::best(&objective);
        assert!(found.is_complete, "round {round}: {} nodes", found.nodes);
    }
}

#[test]
fn calls_in_loops_and_behind_calls_are_counted() {
    let program = test_program::program(
        "int leaf(int a) { if (a) return 1; return 2; }
         int twice(int a) { return leaf(a) + leaf(a + 1); }
         int main(void) { int s = 0; for (;;) { s += twice(input()); for (int i = 0; i < 3; i++) s += leaf(i); } }",
    );
    let analyses = Analyses::new(&program);
    let functions = ["leaf", "twice"].map(|name| program.find_function(name).expect("the program has it"));
    let found = unrolled(&analyses, &functions, 4, |_, _| true);
    assert_eq!(found.from_outside, [16.0, 4.0]);
    assert_eq!(found.inside, [vec![], vec![(0, 2.0)]]);
    assert_eq!(found.branches, [1.0, 0.0]);
    // The inner loop's condition: the head of the inner loop lies in both.
    assert_eq!(found.rest, 16.0);
    // Where the calls of the leaf in the other function stay as they are, they are part of it.
    let of_main = |call: (FuncId, EdgeId)| program.function(call.0).name.as_ref() == "main";
    let found = unrolled(&analyses, &functions, 4, |call, _| of_main(call));
    assert_eq!((found.from_outside, found.inside), (vec![16.0, 4.0], vec![vec![], vec![]]));
    assert_eq!(found.branches, [1.0, 2.0]);
}

#[test]
fn recursion_is_followed_as_deep_as_loops_are_unrolled() {
    let program = test_program::program(
        "int leaf(int a) { return a > 1; }
         int deep(int a) { if (a <= 0) return 0; return leaf(a) + deep(a - 1); }
         int main(void) { return deep(input()); }",
    );
    let analyses = Analyses::new(&program);
    let functions = ["leaf", "deep"].map(|name| program.find_function(name).expect("the program has it"));
    let found = unrolled(&analyses, &functions, 3, |_, _| true);
    assert_eq!(found.from_outside, [0.0, 1.0]);
    assert_eq!(found.inside[1], [(0, 3.0)]);
    assert_eq!(found.branches[1], 3.0);
}

#[test]
fn what_is_called_more_often_wins_when_loops_are_unrolled() {
    // Replacing the second saves more in one iteration, the first is called twice as often per unrolling.
    let candidates = [
        Candidate { complexity: 0.0, accuracy: 0.9, coverage: 0.9 },
        Candidate { complexity: 0.0, accuracy: 0.9, coverage: 0.9 },
    ];
    let program = |k: u32| Unrolled {
        from_outside: vec![(k * k) as f64, k as f64],
        inside: vec![vec![], vec![]],
        branches: vec![2.0, 3.0],
        rest: 1.0,
    };
    let found = select(&candidates, Weights::default(), program).expect("candidates are called");
    assert_eq!(found.chosen, [true, true]);
    assert!(found.is_stable && found.k == 4, "{found:?}");
    assert_eq!(select(&[], Weights::default(), |_| Unrolled::default()), None);
}
