use super::*;
use crate::summary::body::summary_body;
use crate::summary::by_hand::{FUNCTIONS, Subject, of_parameters, subject};
use crate::summary::examples::{Origin, Outcome, Prober};
use crate::summary::similarity::Evaluation;
use crate::test_program::{budget, program};
use plumb_ir::derive::Runs;
use plumb_ir::derive::replace_body::replace_body;
use plumb_synth::{Expr, Op, Production, Value};

/// Small enough for tests.
fn options() -> SynthesisOptions {
    SynthesisOptions { iterations: 40, patience: 15, candidates: 150_000, ..SynthesisOptions::default() }
}

fn synthesise(subject: &Subject, constraints: &Constraints, options: &SynthesisOptions) -> Option<Summary> {
    synthesise_summary(&subject.analyses, &subject.signature, &subject.examples, constraints, options, &budget())
}

fn summary(name: &str) -> (Subject, Summary) {
    let subject = subject(FUNCTIONS, name);
    let summary = synthesise(&subject, &Constraints::default(), &options()).unwrap();
    (subject, summary)
}

#[test]
fn simple_functions_are_found_exactly() {
    for name in ["process", "limit"] {
        let (subject, summary) = summary(name);
        assert_eq!((summary.accuracy(), summary.coverage()), (1.0, 1.0), "{name}");
        assert!(summary.complexity <= complexity(&subject.analyses, subject.signature.func), "{name}");
    }
}

#[test]
fn the_output_range_is_that_of_the_interval_analysis() {
    assert_eq!(summary("process").1.range, Some((0, 2)));
    assert_eq!(summary("limit").1.range, Some((-100, 100)));
}

/// The body computes what the counts say.
#[test]
fn accuracy_is_what_the_machine_says() {
    for name in ["check", "median", "root"] {
        let (subject, summary) = summary(name);
        let mut unbounded = summary.clone();
        unbounded.range = None;
        let body = summary_body(subject.analyses.program(), &unbounded).unwrap().body;
        let derived = replace_body(subject.analyses.program(), subject.signature.func, body, Runs::Unrelated).unwrap();
        let mut prober = Prober::new(&derived.program, &subject.signature).unwrap();
        let is_right = |example: &&Example| prober.call(&example.inputs) == Outcome::Returned(example.output);
        let correct = subject.examples.list.iter().filter(is_right).count();
        assert_eq!(correct, summary.similarity.correct, "{name}");
        // A square root without loops is beyond terms of this size.
        assert!(name == "root" || correct * 4 > subject.examples.list.len(), "{name}: {:?}", summary.similarity);
    }
}

#[test]
fn the_same_seed_gives_the_same_summary() {
    assert_eq!(summary("check").1, summary("check").1);
}

/// A summary from one run of the synthesiser is corrected where it is wrong, as refinement does.
#[test]
fn required_pairs_hold() {
    for name in ["process", "limit", "check"] {
        let subject = subject(FUNCTIONS, name);
        let once = SynthesisOptions { iterations: 1, ..options() };
        let first = synthesise(&subject, &Constraints::default(), &once).unwrap();
        let words = Words::of(&subject.analyses.program().target, &subject.signature).unwrap();
        let all = Evaluation::new(words, &subject.signature, &subject.examples.list);
        let right = all.compare(&first.expr).is_right;
        let mut constraints = Constraints { required: Vec::new(), chosen: first.constraints.clone() };
        for (example, _) in subject.examples.list.iter().zip(right).filter(|(_, right)| !right).take(2) {
            constraints.required.push(Example { origin: Origin::Correction, ..example.clone() });
        }
        assert_eq!(constraints.required.len(), 2, "{name} is not found from four examples");
        let refined = synthesise(&subject, &constraints, &options());
        // A loop has no term, so that there may be none that is simple enough.
        assert!(refined.is_some() || name == "check", "{name}");
        if let Some(refined) = refined {
            let required = Evaluation::new(words, &subject.signature, &constraints.required);
            assert!(required.compare(&refined.expr).similarity.is_exact(), "{name}");
            assert!(constraints.required.iter().all(|pair| refined.constraints.contains(pair)), "{name}");
        }
    }
}

#[test]
fn contradictory_requirements_have_no_summary() {
    let subject = subject(FUNCTIONS, "process");
    let pair = |output: u64| Example { inputs: [40].into(), output, origin: Origin::Correction };
    let constraints = Constraints { required: vec![pair(0), pair(1)], chosen: Vec::new() };
    assert!(synthesise(&subject, &constraints, &options()).is_none());
}

/// Of 99 zeros and a one, the constant 0 is accurate and covers half of the outputs: the rule that prefers coverage wants
/// the other one.
#[test]
fn coverage_goes_before_accuracy_unless_the_variant_is_asked_for() {
    use crate::summary::similarity::Similarity;
    let flat = Similarity { correct: 99, examples: 100, covered: 1, outputs: 2 };
    let rough = Similarity { correct: 60, examples: 100, covered: 2, outputs: 2 };
    assert!(rough.rank(true) > flat.rank(true) && rough.rank(false) < flat.rank(false));
    assert_eq!((flat.accuracy(), flat.coverage()), (0.99, 0.5));
}

/// Terms are complex and outputs are covered: both are reasons to replace a constraint, but not in the variant.
#[test]
fn the_variant_replaces_no_constraints() {
    let subject = subject(FUNCTIONS, "median");
    let variant = SynthesisOptions { uses_coverage: false, ..options() };
    for is_complex in [false, true] {
        for covers_all in [false, true] {
            let replaces = |options: &SynthesisOptions| {
                with_process(&subject, options, |process| {
                    let outputs: BTreeSet<u64> = process.all.iter().map(|example| example.output).collect();
                    let covered = if covers_all { outputs } else { BTreeSet::new() };
                    let mut comparison = process.judge.compare(&Expr::Const(Value::bv(32, 77)));
                    comparison.similarity.covered = if covers_all { comparison.similarity.outputs } else { 0 };
                    process.next_constraints(&Comparison { covered, ..comparison }, is_complex).replaces
                })
            };
            assert!(!replaces(&variant), "complex {is_complex}, all outputs covered {covers_all}");
            assert_eq!(replaces(&options()), is_complex || covers_all, "the selection rules");
        }
    }
}

/// Step by step, C has all that it had and that the last term satisfied.
#[test]
fn constraints_of_the_variant_only_join() {
    let subject = subject(FUNCTIONS, "median");
    let variant = SynthesisOptions { uses_coverage: false, ..options() };
    with_process(&subject, &variant, |process| {
        let mut most = 0;
        for iteration in 0..8 {
            let before: Vec<Example> = process.constraints.iter().map(|(pair, _)| pair.clone()).collect();
            let found = process.question.ask(&before, iteration).expect("an answer");
            if !process.step(iteration) {
                break;
            }
            let has = |pair: &Example| process.constraints.iter().any(|(known, _)| known == pair);
            let satisfied = before.iter().enumerate().filter(|(at, _)| !found.unsatisfied.contains(at));
            assert!(satisfied.clone().all(|(_, pair)| has(pair)), "step {iteration}");
            most = most.max(process.constraints.len());
        }
        assert!(most > TUNING.first_constraints, "C has grown");
    });
}

/// Something done with a process that has just begun.
fn with_process<T>(subject: &Subject, options: &SynthesisOptions, act: impl FnOnce(&mut Process<'_>) -> T) -> T {
    let Subject { analyses, signature, examples, .. } = subject;
    let words = Words::of(&analyses.program().target, signature).unwrap();
    let grammar =
        Syntax::of(analyses, signature.func, &words, &BTreeSet::new()).grammar(signature.inputs.len()).unwrap();
    let all = &examples.list;
    let most_complex = complexity(analyses, signature.func);
    let judge = Judge::new((words, signature), all, &[], most_complex, options.uses_coverage);
    let unlimited = budget();
    let question = Question { name: "f".to_string(), words, signature, grammar, options, budget: &unlimited };
    act(&mut Process::new(all, question, judge, &Constraints::default()))
}

/// The operators and constants of a function are those of its grammar.
#[test]
fn functions_decide_what_a_term_is_made_of() {
    let analyses = Analyses::new(&program(FUNCTIONS));
    let templates = |name: &str| -> Vec<Expr> {
        let signature = of_parameters(analyses.program(), name);
        let words = Words::of(&analyses.program().target, &signature).unwrap();
        let syntax = Syntax::of(&analyses, signature.func, &words, &BTreeSet::new());
        let grammar = syntax.grammar(signature.inputs.len()).unwrap();
        let productions = grammar.nonterminals().iter().flat_map(|one| &one.productions);
        let template = |production: &Production| match production {
            Production::Term { template, .. } => Some(template.clone()),
            Production::AnyConstant => None,
        };
        productions.filter_map(template).collect()
    };
    let two = |op: Op| Expr::Apply(op, vec![Expr::Hole(0), Expr::Hole(1)]);
    let word = |value: u64| Expr::Const(Value::bv(32, value));
    let crc = templates("crc");
    assert!([Op::BvXor, Op::BvShl, Op::BvAdd, Op::BvSlt].into_iter().all(|op| crc.contains(&two(op))));
    assert!(crc.contains(&word(7)) && crc.contains(&word(0xffff_ffff)) && !crc.contains(&word(30)));
    let low = Expr::Apply(Op::Extract { hi: 7, lo: 0 }, vec![Expr::Hole(0)]);
    assert!(crc.contains(&Expr::Apply(Op::ZeroExtend(24), vec![low])));
    let process = templates("process");
    assert!(process.contains(&two(Op::BvAdd)) && process.contains(&word(30)));
    // A function without loops has the products that it has, and no others.
    assert!([Op::BvMul, Op::BvSdiv, Op::BvXor, Op::BvUlt].into_iter().all(|op| !process.contains(&two(op))));
}
