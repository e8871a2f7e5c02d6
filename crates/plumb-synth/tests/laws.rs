//! What holds of every search.

mod random;

use plumb_synth::{
    Budget, Ended, Examples, Expr, Grammar, NonterminalId, Oracle, Problem, Production, Sort, Value, satisfied, sygus,
    synthesise,
};
use random::Random;
use std::collections::HashMap;

const SORTS: [Sort; 4] = [Sort::Int, Sort::Bv(4), Sort::Bv(16), Sort::Bv(64)];

/// A problem whose examples come from a random word of a random grammar; one in four examples is made wrong if `noisy`.
fn problem(random: &mut Random, examples: usize, noisy: bool) -> Problem {
    let sort = random.pick(&SORTS);
    let inputs = vec![sort; 1 + random.below(3)];
    let grammar = random::grammar(random, sort, &inputs);
    loop {
        let Some(word) = random::word(random, &grammar, grammar.start(), 3) else { continue };
        let Some(oracle) = Oracle::new(&word, &inputs, 64) else { continue };
        let mut list = Examples::new(&inputs, sort);
        for _ in 0..examples {
            let values: Vec<Value> = inputs.iter().map(|sort| random.value(*sort)).collect();
            let Some(output) = oracle.value(&values) else { continue };
            let output = if noisy && random.below(4) == 0 { random.value(sort) } else { output };
            if random.below(10) == 0 {
                list.push_forbidden(&values, random.value(sort)).unwrap();
            } else {
                list.push(&values, output).unwrap();
            }
        }
        let named = |(at, sort): (usize, &Sort)| (format!("x{at}"), *sort);
        let inputs = inputs.iter().enumerate().map(named).collect();
        return Problem { name: "f".to_string(), inputs, output: sort, grammar, examples: list };
    }
}

fn budget(candidates: u64) -> Budget {
    Budget { candidates, improvement: candidates / 10, ..Budget::default() }
}

/// Counts by the evaluator of `plumb-term`, one example after the other.
fn count(expr: &Expr, examples: &Examples) -> usize {
    satisfied(expr, examples).iter().filter(|holds| **holds).count()
}

#[test]
fn answers_are_words_that_satisfy_what_they_claim() {
    let mut random = Random(1);
    let mut complete = 0;
    for round in 0..120 {
        let problem = problem(&mut random, 3 + round % 60, round % 3 == 0);
        let ranked = synthesise(&problem, &budget(60_000));
        assert!(!ranked.answers.is_empty(), "there is always a term that is right as often as any");
        for answer in &ranked.answers {
            assert!(random::is_word(&problem.grammar, problem.grammar.start(), &answer.expr), "{:?}", answer.expr);
            assert_eq!(answer.satisfied, count(&answer.expr, &problem.examples));
            assert_eq!(answer.size, answer.expr.size());
            assert!(answer.satisfied <= ranked.satisfiable);
        }
        let keys = ranked.answers.iter().map(|answer| (usize::MAX - answer.satisfied, answer.size));
        assert!(keys.is_sorted(), "best first");
        let is_best = ranked.best().is_some_and(|best| best.satisfied == ranked.satisfiable);
        assert_eq!(ranked.ended == Ended::Complete, is_best);
        complete += usize::from(is_best);
    }
    assert!(complete > 60, "only {complete} of 120 were solved");
}

#[test]
fn the_same_seed_gives_the_same_answers_on_any_number_of_threads() {
    let mut random = Random(2);
    for round in 0..25 {
        let problem = problem(&mut random, 5 + 4 * round, round % 4 == 0);
        let run = |threads: usize| {
            let ranked = synthesise(&problem, &Budget { threads, seed: round as u64, ..budget(100_000) });
            (ranked.answers, ranked.ended, ranked.effort)
        };
        let one = run(1);
        assert_eq!(one, run(1));
        assert_eq!(one, run(2));
        assert_eq!(one, run(5));
    }
}

/// All words of a nonterminal by size, without leaving anything out.
struct BruteForce<'a> {
    grammar: &'a Grammar,
    words: HashMap<(NonterminalId, usize), Vec<Expr>>,
}

impl BruteForce<'_> {
    fn words(&mut self, nonterminal: NonterminalId, size: usize) -> Vec<Expr> {
        if let Some(known) = self.words.get(&(nonterminal, size)) {
            return known.clone();
        }
        let mut found = Vec::new();
        for production in self.grammar.nonterminal(nonterminal).productions.clone() {
            let Production::Term { template, holes } = production else { continue };
            let Some(rest) = size.checked_sub(template.size()) else { continue };
            self.fill(&template, &holes, rest, &mut Vec::new(), &mut found);
        }
        self.words.insert((nonterminal, size), found.clone());
        found
    }

    fn fill(
        &mut self,
        template: &Expr,
        holes: &[NonterminalId],
        rest: usize,
        chosen: &mut Vec<Expr>,
        found: &mut Vec<Expr>,
    ) {
        let Some((hole, others)) = holes[chosen.len()..].split_first() else {
            if rest == 0 {
                found.push(template.fill(chosen));
            }
            return;
        };
        for size in 1..=rest.saturating_sub(others.len()) {
            for word in self.words(*hole, size) {
                chosen.push(word);
                self.fill(template, holes, rest - size, chosen, found);
                chosen.pop();
            }
        }
    }
}

#[test]
fn enumeration_is_complete_up_to_a_size() {
    let mut random = Random(3);
    let mut looked_for = 0;
    for _ in 0..12 {
        let sort = random.pick(&[Sort::Int, Sort::Bv(3)]);
        let inputs = [sort];
        let grammar = random::grammar(&mut random, sort, &inputs);
        let values: Vec<Value> = (0..6).map(|_| random.value(sort)).collect();
        let mut brute = BruteForce { grammar: &grammar, words: HashMap::new() };
        let mut smallest: HashMap<Vec<Value>, usize> = HashMap::new();
        for size in 1..=5 {
            for word in brute.words(grammar.start(), size) {
                let oracle = Oracle::new(&word, &inputs, 64).unwrap();
                if let Some(outputs) = values.iter().map(|value| oracle.value(&[*value])).collect::<Option<Vec<_>>>() {
                    smallest.entry(outputs).or_insert(size);
                }
            }
        }
        let mut wanted: Vec<(&Vec<Value>, &usize)> = smallest.iter().collect();
        wanted.sort();
        for (outputs, size) in wanted.into_iter().step_by(7) {
            let mut examples = Examples::new(&inputs, sort);
            for (value, output) in values.iter().zip(outputs) {
                examples.push(&[*value], *output).unwrap();
            }
            let inputs = vec![("x".to_string(), sort)];
            let problem = Problem { name: "f".to_string(), inputs, output: sort, grammar: grammar.clone(), examples };
            let ranked =
                synthesise(&problem, &Budget { improvement: u64::MAX, candidates: 200_000, ..Budget::default() });
            let answer = ranked.complete().expect("brute force has found one");
            assert_eq!(answer.size, *size, "{:?}", answer.expr);
            looked_for += 1;
        }
    }
    assert!(looked_for > 100);
}

#[test]
fn what_is_printed_is_read_as_the_same_function() {
    let mut random = Random(4);
    for round in 0..300 {
        let sort = random.pick(&[Sort::Int, Sort::Bool, Sort::Bv(7), Sort::Bv(32)]);
        let inputs = [sort, random.pick(&[Sort::Int, Sort::Bv(32)])];
        let expr = random::term(&mut random, sort, &inputs, 1 + round % 5);
        let named = vec![("x".to_string(), inputs[0]), ("a b".to_string(), inputs[1])];
        let problem = Problem {
            name: "f".to_string(),
            inputs: named,
            output: sort,
            grammar: Grammar::full(sort, &inputs),
            examples: Examples::new(&inputs, sort),
        };
        let definition = sygus::define_fun(&problem, &expr);
        let oracle = Oracle::new(&expr, &inputs, 64).unwrap();
        let mut text = format!("{definition}\n(synth-fun g ((x {}) (y {})) {sort})\n", inputs[0], inputs[1]);
        let mut outputs = Vec::new();
        for _ in 0..5 {
            let values: Vec<Value> = inputs.iter().map(|sort| random.value(*sort)).collect();
            let Some(output) = oracle.value(&values) else { continue };
            text += &format!("(constraint (= (g {0} {1}) (f {0} {1})))\n", values[0], values[1]);
            outputs.push(output);
        }
        text += "(check-synth)\n";
        let script = sygus::parse(&text).unwrap_or_else(|error| panic!("{}\n{text}", error.message));
        let read = &script.tasks[0].problem.examples;
        assert_eq!(read.len(), outputs.len());
        assert!(outputs.iter().enumerate().all(|(at, output)| read.output_of(at) == *output), "{text}");
    }
}

#[test]
fn a_search_that_is_cancelled_ends() {
    let mut random = Random(5);
    let problem = problem(&mut random, 50, true);
    let budget = Budget::default();
    budget.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    let ranked = synthesise(&problem, &budget);
    assert_eq!((ranked.ended, ranked.effort.candidates), (Ended::Stopped, 0));
}
