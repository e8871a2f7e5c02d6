//! The paper's example step by step, and laws of the whole engine.

mod proved;

use super::alarm::retrace;
use super::blame::with_few_contracts;
use super::decide::{DecideOptions, decide, part};
use super::language::Pair;
use super::prove::Prover;
use super::questions::{entry_states, is_division, is_partition};
use super::refine::{Blamed, refine};
use super::specification::Specification;
use super::units::{Unit, Units};
use super::{Checker, Div};
use crate::answer::{Answer, Proof, Unknown, WhyUnknown};
use crate::board::{Board, Cursor, LoopFact};
use crate::engine::{Context, Engine, Options, Task};
use crate::kind::kind;
use crate::symex::{SymexOptions, symex};
use crate::test_program::{budget, program};
use plumb_contract::{Contract, summarised};
use plumb_exec::Rng;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopId;
use plumb_ir::program::Program;
use plumb_term::TermId;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

const COMPARE: &str = "
    int sign(int v) { return v < 0; }
    int absolute(int v) { return v < 0 ? -v : v; }
    int compare(int a, int b) {
        if (sign(a) == sign(b)) {
            if (absolute(a) > absolute(b)) return a; else return b;
        }
        if (a > b) return a; else return b;
    }
    int main(void) {
        unsigned x = input();
        if (x > 2147483647u) return 0;
        if (compare(x, -x) != x) reach_error();
        return 0;
    }";

fn answer(program: &Program) -> Answer {
    answer_on(program, &Board::closed())
}

fn answer_on(program: &Program, board: &Board) -> Answer {
    answer_with(program, Options::default(), board)
}

fn answer_with(program: &Program, options: Options, board: &Board) -> Answer {
    let task = Task { analyses: Arc::new(Analyses::new(program)), options };
    let budget = part(&budget(), Duration::from_secs(120));
    let context = Context { budget: &budget, board, watcher: &(), is_alone: true, has_few_processors: false };
    Div.run(&task, &context)
}

fn specification(analyses: &Analyses, name: &str) -> Specification {
    let func = analyses.program().find_function(name).expect("the function is there");
    Specification::new(analyses, Unit::new(analyses, func)).expect("the unit runs")
}

/// Entry states of a part: all satisfy its condition, none is there twice, and they are not neighbours of each other only.
#[test]
fn entry_states_of_a_part_are_diverse() {
    let program = program(COMPARE);
    let analyses = Analyses::new(&program);
    let mut compare = specification(&analyses, "compare");
    let (a, b) = (compare.language.symbols()[0].term, compare.language.symbols()[1].term);
    let terms = compare.language.terms();
    let hundred = terms.bv(32, 100);
    let (above, below) = (terms.bv_slt(hundred, a), terms.bv_slt(b, a));
    let condition = terms.and(above, below);
    let found = entry_states(&mut compare.language, 2, condition, &mut Rng(1), &budget());
    assert_eq!(found.len(), 10);
    for (at, state) in found.iter().enumerate() {
        let (a, b) = (state[0] as u32 as i32, state[1] as u32 as i32);
        assert!(a > 100 && b < a, "{a} {b}");
        assert!(!found[..at].contains(state));
    }
    assert!(found.iter().any(|state| state[0] > 1 << 16) && found.iter().any(|state| state[1] >> 31 == 1));
    let terms = compare.language.terms();
    let seven = terms.bv(32, 7);
    let (is_seven, is_a) = (terms.eq(a, seven), terms.eq(b, a));
    let only = terms.and(is_seven, is_a);
    assert_eq!(entry_states(&mut compare.language, 2, only, &mut Rng(1), &budget()), [[7, 7]], "there is one");
}

#[test]
fn a_division_is_disjoint_and_leaves_nothing_out() {
    let program = program(COMPARE);
    let analyses = Analyses::new(&program);
    let mut compare = specification(&analyses, "compare");
    let a = compare.language.symbols()[0].term;
    let terms = compare.language.terms();
    let (zero, one) = (terms.bv(32, 0), terms.bv(32, 1));
    let (positive, negative, at_least_one) = (terms.bv_slt(zero, a), terms.bv_slt(a, zero), terms.bv_sle(one, a));
    let not_positive = terms.not(positive);
    let whole = TermId::bool(true);
    assert!(is_division(terms, whole, at_least_one, not_positive, &budget()));
    assert!(!is_division(terms, whole, positive, negative, &budget()), "zero is left out");
    assert!(!is_division(terms, whole, positive, whole, &budget()), "they overlap");
    assert!(!is_division(terms, positive, positive, not_positive, &budget()), "they are more than the parent");
}

/// Fig. 2 to 4: from `compare(4, -4) == 7` to a partition that tells positive `a` from others, in one refinement.
#[test]
fn the_papers_example_is_partitioned() {
    let program = program(COMPARE);
    let analyses = Analyses::new(&program);
    let units: Vec<String> = Units::of(&analyses).list.iter().map(|unit| unit.name.to_string()).collect();
    assert_eq!(units, ["compare"], "the others are called by it");
    let mut compare = specification(&analyses, "compare");
    let spurious: Box<[u64]> = Box::new([4, -4i32 as u32 as u64, 7]);
    let mut blamed = Blamed::default();
    blamed.note(&analyses, &mut compare, &spurious);
    assert!(blamed.is_spurious());
    let budget = budget();
    let prover = Prover::new(&analyses, DecideOptions::default(), &budget);
    assert!(refine(&prover, &mut compare, &blamed, &[]));
    assert!(!compare.allows(&spurious));
    assert!(compare.allows(&[4, -4i32 as u32 as u64, 4]));
    assert!(compare.proof.is_some());
    let pairs: Vec<Pair> = compare.pairs.clone();
    assert!(is_partition(&mut compare.language, &pairs, &budget), "disjoint, and nothing is left out");
    // All calls with a positive `a` and `b` below it are decided, and what Fig. 4 has besides.
    for (a, b) in [(1i32, -1i32), (7, 3), (2147483647, -2147483648), (100, 0)] {
        let call = |result: i32| [a as u32 as u64, b as u32 as u64, result as u32 as u64];
        assert!(compare.allows(&call(a)));
        assert!(!compare.allows(&call(b)), "{a}, {b}");
        assert!(!compare.allows(&call(12345)), "{a}, {b}");
    }
}

#[test]
fn the_papers_example_holds_within_two_refinements() {
    let program = program(COMPARE);
    let analyses = Analyses::new(&program);
    let (budget, options) = (budget(), Options::default());
    let board = Board::closed();
    let context = Context { budget: &budget, board: &board, watcher: &(), is_alone: true, has_few_processors: false };
    let checker = Checker::new(&analyses, Units::of(&analyses), &options, &context);
    let (answer, refinements) = checker.run_counted();
    assert!(matches!(answer, Answer::Holds(Proof::Modular { .. }, _)), "{answer:?}");
    assert!((1..=2).contains(&refinements), "{refinements} refinements");
}

/// No contract may be about a function that a check can be reached from; without any there is a reason.
#[test]
fn functions_on_the_stack_at_a_check_are_no_units() {
    let program = program(
        "int even(int n) { if (n < 0) reach_error(); return n == 0 ? 1 : even(n - 2); }
         int main(void) { return even(input()); }",
    );
    let Answer::Unknown(Unknown { why: WhyUnknown::NotApplicable(_), .. }) = answer(&program) else {
        panic!("there is no unit")
    };
}

/// A contract that is not proved is not used: wrong candidates of a function with rare behaviour do not survive.
#[test]
fn rare_behaviour_is_not_lost() {
    let program = program(
        "int gate(int v) { if (v == 123456789) return 77; if (v > 100) return 100; return v < 0 ? 0 : v; }
         int main(void) { int r = gate(input()); if (r == 77 && input() == 5) reach_error(); return 0; }",
    );
    assert!(matches!(answer(&program), Answer::Violated(_)));
    let program = self::program(
        "int gate(int v) { if (v == 123456789) return 77; if (v > 100) return 100; return v < 0 ? 0 : v; }
         int main(void) { int r = gate(input()); if (r < 0 || r > 100) reach_error(); return 0; }",
    );
    assert!(matches!(answer(&program), Answer::Holds(..)));
}

/// A function that never returns from some states has no calls from there.
#[test]
fn calls_that_do_not_return_are_excluded() {
    let program = program(
        "extern void abort(void);
         void need(int c) { if (!c) abort(); }
         int main(void) { int x = input(); need(x > 3); if (x < 2) reach_error(); return 0; }",
    );
    assert!(matches!(answer(&program), Answer::Holds(..)));
}

/// A call tree of ten levels: every function has a branch and calls two of the next level; the roots are called by `main`.
fn tree(functions: usize) -> String {
    let (depth, width) = (10, functions / 10);
    let mut rng = plumb_exec::Rng(functions as u64);
    let mut text = String::new();
    for level in (0..depth).rev() {
        for at in 0..width {
            let bound = 3 * level + at;
            let mut next = || match level + 1 < depth {
                true => format!("f{}_{}(x)", level + 1, rng.below(width as u64)),
                false => "x".to_string(),
            };
            let (high, low) = (next(), next());
            let less = if level + 1 < depth { "" } else { " - 1" };
            let _ =
                writeln!(text, "int f{level}_{at}(int x) {{ if (x > {bound}) return {high}{less}; return {low}; }}");
        }
    }
    text += "int main(void) { int x = input();";
    for at in 0..width {
        let _ = write!(text, " if (f0_{at}(x) > x) reach_error();");
    }
    text + " return 0; }"
}

/// Steps of all proofs that an answer rests on.
fn steps(proof: &Proof) -> u64 {
    match proof {
        Proof::Modular { units, top, .. } => units.iter().map(|(_, unit)| steps(unit)).sum::<u64>() + steps(top),
        Proof::Bounded { steps, .. } | Proof::OnlyRun { steps } | Proof::AllStates { steps, .. } => *steps,
        Proof::Induction { .. } | Proof::Abstraction { .. } => panic!("there are no loops"),
        Proof::Exploration { .. } => panic!("there is one stack"),
    }
}

#[test]
fn the_cost_of_a_call_tree_is_about_linear() {
    let cost = |functions: usize| match answer(&program(&tree(functions))) {
        Answer::Holds(proof, _) => steps(&proof),
        answer => panic!("{functions} functions: {answer:?}"),
    };
    let (few, some, many) = (cost(10), cost(30), cost(100));
    assert!(some <= 5 * few && many <= 5 * some, "{few}, {some}, {many} steps");
}

/// What a refinement proves is a contract that says no more than the unit does: the original keeps it on fresh calls.
#[test]
fn proved_clauses_hold_of_every_call() {
    let program = program(COMPARE);
    let analyses = Analyses::new(&program);
    let mut compare = specification(&analyses, "compare");
    let budget = budget();
    let prover = Prover::new(&analyses, DecideOptions::default(), &budget);
    super::refine::enrich(&prover, &mut compare, &[]);
    assert!(compare.pairs.iter().any(|pair| !pair.ensures.is_empty()));
    assert_eq!(compare.pairs[0].requires, TermId::bool(true));
    let mut rng = plumb_exec::Rng(3);
    for _ in 0..2000 {
        let call = [rng.next() & 0xffff_ffff, rng.next() & 0xffff_ffff, 0];
        let super::runs::Run::Returned(values) = compare.run(&analyses, &call) else { panic!("it returns") };
        assert!(compare.allows(&values), "{values:?}");
    }
}

/// Only what an alarm depends on is blamed for it: here what `limit` returns, and neither `count` nor `noise`.
#[test]
fn contracts_that_an_alarm_does_not_need_are_spared() {
    let program = program(
        "int seen, calls;
         int limit(int v) { if (v > 100) return 100; return v < 0 ? 0 : v; }
         void count(void) { calls++; }
         int noise(int v) { for (int i = 0; i < (v & 7); i++) seen++; return seen; }
         int main(void) { count(); int n = noise(input()); int r = limit(input()); count();
             if (n == 5) count(); if (r > 100) reach_error(); return 0; }",
    );
    let analyses = Analyses::new(&program);
    let function = |name: &str| program.find_function(name).expect("the function is there");
    let contracts: Vec<Contract> = ["limit", "count", "noise"].map(|name| Contract::trivial(function(name))).into();
    let with_all = summarised(&analyses, &contracts).expect("contracts have bodies");
    let in_derived = Analyses::new(&with_all.derived.program);
    let Answer::Violated(violation) = decide(&in_derived, DecideOptions::default(), &budget()) else {
        panic!("it is violated")
    };
    let few = with_few_contracts(&analyses, &contracts, (&with_all, &violation), &budget());
    let (with_few, violation) = few.expect("some are not needed");
    assert!(with_few.installed.keys().eq([&function("limit")]), "{:?}", with_few.installed.keys());
    let alarm = retrace(&with_few, &violation, &budget()).expect("the alarm is a run");
    assert_eq!(alarm.uses.len(), 1);
}

/// What a unit's proof shows at its loop is posted about the original, and others use it: their evidence names it.
#[test]
fn invariants_of_units_are_posted_and_used() {
    let program = program(
        "int count(int n) { int i = 0; while (i < 1000) { i++; if (n == i) break; } return i; }
         int main(void) { int r = 0; while (input()) { r = count(input()); if (r < 0 || r > 1000) reach_error(); } return 0; }",
    );
    let analyses = Analyses::new(&program);
    let board = Board::default();
    let answer = answer_on(&program, &board);
    assert!(matches!(answer, Answer::Holds(Proof::Modular { .. }, _)), "{answer:?}");
    let count = program.find_function("count").expect("the function is there");
    let posts = board.invariants.read("other", &mut Cursor::default());
    assert!(posts.iter().any(|post| post.by == "div" && post.what.key == (count, LoopId(0))), "{posts:?}");
    // Every state that runs have at the heads satisfies them.
    let samples = board.samples(&analyses, &budget());
    let holds = |fact: &LoopFact| samples.heads.get(&fact.key).is_none_or(|seen| seen.satisfy(&fact.fact));
    assert!(posts.iter().all(|post| holds(&post.what)), "{posts:?}");
    let candidates = board.predicates.read("other", &mut Cursor::default());
    let main = program.find_function("main").expect("the function is there");
    assert!(candidates.iter().any(|post| post.what.key.0 == main), "what the contract says of `r`: {candidates:?}");
    let options = SymexOptions { threshold: Some(0), also_plain: false, ..SymexOptions::default() };
    match symex(&analyses, &options, &budget(), &board, &()) {
        Answer::Holds(Proof::Abstraction { tree, .. }, _) => {
            assert_eq!(tree.strengthened_by, BTreeSet::from(["div"]));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(kind(&analyses, false, &budget(), &board, &()), Answer::Holds(..)));
    assert!(board.invariants.counts().read >= 2 * posts.len() as u64, "each reader has read them");
}

/// No run that chance makes calls the unit, so that k-induction has no samples of what it returns and no candidate for it. What the
/// contract says is one, at the loop of the caller, and what the induction needs.
#[test]
fn induction_uses_what_contracts_say() {
    let program = program(
        "unsigned hash(unsigned h) { h *= 2654435761u; h ^= h >> 15; h *= 2246822519u; return h; }
         int pick(int n) { int i = 0; while (i < n) { i++; if (i > 40) break; } if (i > 30) return 60; if (i > 7) return 35;
           return i == 5 ? 22 : i == 4 ? 9 : 0; }
         int main(void) { int a = 0, b = 0; while (input()) { if ((a ^ b) == 13) reach_error(); unsigned n = hash(input());
           if (n == 12345679) a = pick(input()); if (n == 98765421) b = pick(input()); } return 0; }",
    );
    let analyses = Analyses::new(&program);
    let board = Board::default();
    let answer = answer_on(&program, &board);
    assert!(matches!(answer, Answer::Holds(Proof::Modular { .. }, _)), "{answer:?}");
    let answer = kind(&analyses, false, &budget(), &board, &());
    assert!(matches!(answer, Answer::Holds(Proof::Induction { .. }, _)), "{answer:?}");
    let main = program.find_function("main").expect("the function is there");
    let proved = board.invariants.read("other", &mut Cursor::default());
    let proved: BTreeSet<String> = proved
        .iter()
        .filter(|post| post.by == "kind" && post.what.key.0 == main)
        .map(|post| format!("{:?}", post.what))
        .collect();
    let said = board.predicates.read("other", &mut Cursor::default());
    let used = said.iter().filter(|post| post.by == "div" && proved.contains(&format!("{:?}", post.what))).count();
    assert!(used >= 2, "of `a` and of `b`: {said:?}");
}

/// What was looked at up to a bound is no proof, whether it is the program with contracts or a unit.
#[test]
fn what_a_bound_cuts_off_is_not_proved() {
    let texts = [
        "int clamp(int v) { if (v > 9) return 9; return v < 0 ? 0 : v; }
         int main(void) { int r = 0; while (input()) { r = clamp(r + input()); if (r > 9) reach_error(); } return 0; }",
        "int count(int n) { int i = 0; while (i < 1000) { i++; if (n == i) break; } return i; }
         int main(void) { int r = count(input()); if (r > 1000) reach_error(); return 0; }",
    ];
    for text in texts {
        let options = Options { unwind: Some(3), ..Options::default() };
        let answer = answer_with(&program(text), options, &Board::closed());
        let Answer::Unknown(Unknown { why, .. }) = answer else { panic!("{text}: {answer:?}") };
        assert_eq!(why, WhyUnknown::Bound(3), "{text}");
    }
    // A recursive unit with its own contract for inner calls unwinds nothing.
    let text = "unsigned sum(unsigned n) { return n == 0 ? 0 : 1 + sum(n - 1); }
        int main(void) { unsigned n = input(); if (sum(n) != n) reach_error(); return 0; }";
    let options = Options { unwind: Some(3), ..Options::default() };
    assert!(matches!(answer_with(&program(text), options, &Board::closed()), Answer::Holds(Proof::Modular { .. }, _)));
}

/// Samples and terms agree on every fact that is inferred, powers of two included.
#[test]
fn facts_and_their_formulas_agree() {
    let program = program(
        "int hanoi(int n) { if (n <= 0) return 0; return 2 * hanoi(n - 1) + 1; }
         int main(void) { if (hanoi(input() & 7) > 200) reach_error(); return 0; }",
    );
    let analyses = Analyses::new(&program);
    let mut hanoi = specification(&analyses, "hanoi");
    hanoi.collect(&analyses, &budget(), 1);
    let small = |entry: u64| (1..20).contains(&entry);
    let samples: Vec<Box<[u64]>> = hanoi.samples().iter().filter(|values| small(values[0])).cloned().collect();
    let facts = hanoi.infer(&samples, 0.5, false);
    let texts: Vec<String> = facts.iter().map(|fact| fact.text(hanoi.language.point())).collect();
    assert!(texts.iter().any(|text| text.contains("2^")), "{texts:?}");
    let mut rng = plumb_exec::Rng(5);
    for fact in &facts {
        let formula = hanoi.language.formula(fact).expect("it has a term");
        for _ in 0..50 {
            let call = [rng.below(70), rng.next() & 0xffff_ffff];
            assert_eq!(hanoi.language.holds(formula, &call), hanoi.language.fact_holds(fact, &call), "{fact:?}");
        }
    }
}

/// A unit that calls itself twice, and so has powers of two in its contract, with a global.
#[test]
fn powers_of_two_are_found() {
    let program = program(
        "int counter;
         int hanoi(int n) { if (n == 1) return 1; return 2 * hanoi(n - 1) + 1; }
         void apply(int n, int from, int to, int via) {
             if (n == 0) return;
             counter++;
             apply(n - 1, from, via, to);
             apply(n - 1, via, to, from);
         }
         int main(void) {
             int n = input();
             if (n < 1 || n > 31) return 0;
             counter = 0;
             apply(n, 1, 3, 2);
             if (hanoi(n) != counter) reach_error();
             return 0;
         }",
    );
    let answer = answer(&program);
    assert!(matches!(answer, Answer::Holds(Proof::Modular { .. }, _)), "{answer:?}");
}

/// What a pointer parameter points to in all calls is spoken of by its name.
#[test]
fn pointers_to_one_object_are_followed() {
    let program = program(
        "struct queue { int count; int last; } queue;
         void push(struct queue *q, int v) { if (q->count < 8) { q->count = q->count + 1; q->last = v; } }
         int main(void) {
             queue.count = 0;
             push(&queue, input());
             push(&queue, input());
             if (queue.count != 2) reach_error();
             return 0;
         }",
    );
    let answer = answer(&program);
    assert!(matches!(answer, Answer::Holds(Proof::Modular { .. }, _)), "{answer:?}");
}
