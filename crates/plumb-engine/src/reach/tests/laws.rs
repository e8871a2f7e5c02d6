//! Laws: those of [`super::super::domain`] for every domain, on the blocks of random programs; and answers against the truth.

use super::super::domain::{Domain, Post, Product, Queries};
use super::super::domains::interval::IntervalDomain;
use super::super::domains::predicate::{PredicateDomain, Scope};
use super::super::domains::value::ValueDomain;
use super::super::explore::Explorer;
use super::super::order::BreadthFirst;
use super::super::{ReachOptions, Tuning, reach};
use crate::answer::{Answer, Proof, StatePart};
use crate::board::Board;
use crate::budget::{Budget, Cancel};
use crate::engine::Order;
use crate::facts::conditions::Conditions;
use crate::predicates::precision::as_equation;
use crate::symex::tests::simple_paths::random_program;
use crate::test_program::{budget, program};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_solve::Outcome;
use plumb_term::{Assignment, BitVec, Evaluator, TermId, Value};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

fn count() -> u64 {
    std::env::var("PLUMB_REACH_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(30)
}

fn limits(seconds: u64) -> Budget {
    let deadline = Some(Instant::now() + Duration::from_secs(seconds));
    Budget { deadline, memory: u64::MAX, threads: 1, cancel: Cancel::new() }
}

/// The predicates of each loop head: what the program asks.
fn predicates(explorer: &mut Explorer) -> BTreeSet<(LoopKey, TermId)> {
    let keys: BTreeSet<LoopKey> = explorer.graph.entries().filter_map(|entry| entry.key).collect();
    let conditions = Conditions::of(explorer.analyses.program());
    let mut found = BTreeSet::new();
    for key in keys {
        let template = explorer.abstraction.vocabulary.template_state(&mut explorer.abstraction.sym, key.0);
        for fact in conditions.seen_by(key.0).take(6) {
            found.extend(fact.term(&mut explorer.abstraction.sym, &template).map(|term| (key, term)));
        }
    }
    found
}

/// Checks a domain on every block: how many abstract states it has given.
fn check<D: Domain>(explorer: &mut Explorer, domain: &mut D) -> usize {
    let Explorer { abstraction, graph, .. } = explorer;
    let (_, mut queries) = abstraction.parts();
    let mut given = 0;
    let is_unsat = |queries: &mut Queries, conditions: &[TermId]| {
        queries.feasibility.solver.check(queries.sym, conditions, None) == Outcome::Unsat
    };
    let edges: Vec<_> = graph.entries().flat_map(|entry| entry.edges.clone()).collect();
    for id in edges {
        let edge = graph.edge(id);
        if is_unsat(&mut queries, &edge.conditions) {
            continue;
        }
        let to = graph.entry(edge.to);
        let post = Post { edge: id, to, state: &edge.state, conditions: &edge.conditions };
        let elements = domain.transfer(&mut queries, &post).expect("small programs have few abstract states");
        given += elements.len();
        // Transfer: no state comes to the entry that is in none of them.
        let mut outside = edge.conditions.clone();
        for element in &elements {
            let inside = domain.post_condition(&mut queries, &post, element);
            let inside = queries.sym.terms.and_all(inside);
            outside.push(queries.sym.terms.not(inside));
        }
        // A domain that says nothing more than the conditions do has all states.
        let says_nothing = elements.iter().any(|one| domain.post_condition(&mut queries, &post, one).is_empty());
        assert!(says_nothing || is_unsat(&mut queries, &outside), "transfer leaves out a state");
        for a in &elements {
            let said_of_a = domain.condition(&mut queries, to, a);
            for b in &elements {
                let said_of_b = domain.condition(&mut queries, to, b);
                let mut is_above = |more: &[TermId], less: &[TermId]| {
                    let mut conditions = less.to_vec();
                    let all = queries.sym.terms.and_all(more.iter().copied());
                    conditions.push(queries.sym.terms.not(all));
                    is_unsat(&mut queries, &conditions)
                };
                if domain.covers(a, b) {
                    assert!(is_above(&said_of_a, &said_of_b), "stop: {a:?} does not cover {b:?}");
                }
                if let Some(both) = domain.merge(a, b) {
                    let said = domain.condition(&mut queries, to, &both);
                    for one in [&said_of_a, &said_of_b] {
                        let mut conditions = one.clone();
                        let all = queries.sym.terms.and_all(said.iter().copied());
                        conditions.push(queries.sym.terms.not(all));
                        assert!(is_unsat(&mut queries, &conditions), "merge of {a:?} and {b:?} is not above both");
                    }
                }
            }
        }
    }
    given
}

#[test]
fn domains_keep_their_laws() {
    let (mut given, budget, board) = ([0; 5], budget(), Board::default());
    for seed in 1..=count() {
        let (text, _) = random_program(seed);
        let program = program(&text);
        let analyses = Analyses::new(&program);
        let tuning = &Tuning::DEFAULT;
        let mut explorer = Explorer::new(&analyses, Box::new(BreadthFirst), true, tuning, &budget, &board, &());
        explorer.graph.build(&mut explorer.abstraction.sym).expect("loops of random programs can be abstracted");
        let predicates = predicates(&mut explorer);
        let predicate_domain = |is_cartesian| {
            let mut domain = PredicateDomain::new(is_cartesian);
            for (key, predicate) in &predicates {
                domain.add(*key, *predicate);
            }
            domain
        };
        let value_domain = || {
            let mut domain = ValueDomain::new(&tuning.values);
            for (key, predicate) in &predicates {
                if let Some((variable, value)) = as_equation(&explorer.abstraction.sym.terms, *predicate) {
                    domain.track(*key, variable, || vec![value]);
                }
            }
            domain
        };
        let mut values = value_domain();
        let mut product = Product(IntervalDomain::new(&analyses, 8), Product(value_domain(), predicate_domain(false)));
        given[0] += check(&mut explorer, &mut predicate_domain(false));
        given[1] += check(&mut explorer, &mut predicate_domain(true));
        given[2] += check(&mut explorer, &mut values);
        given[3] += check(&mut explorer, &mut IntervalDomain::new(&analyses, 8));
        given[4] += check(&mut explorer, &mut product);
    }
    assert!(given.iter().all(|given| *given as u64 > count()), "{given:?}");
}

/// Whatever the order and the kind of abstraction, answers are right.
#[test]
fn answers_are_the_truth() {
    let (mut holds, mut violated, mut open) = (0, 0, 0);
    for seed in 1..=2 * count() {
        let (text, is_broken) = random_program(seed ^ 0xabcd);
        let program = program(&text);
        let configurations = [
            (None, false, Scope::Location),
            (Some(Order::Depth), false, Scope::Program),
            (Some(Order::Nested), true, Scope::Function),
        ];
        for (order, is_cartesian, scope) in configurations {
            let mut tuning = Tuning::DEFAULT;
            tuning.predicates.is_cartesian = is_cartesian;
            tuning.predicates.scope = scope;
            let options = ReachOptions { order, strict: true, tuning };
            match reach(&Analyses::new(&program), &options, &limits(5), &Board::default(), &()) {
                Answer::Holds(..) => {
                    assert!(!is_broken, "a wrong proof: seed {seed}, {order:?}\n{text}");
                    holds += 1;
                }
                Answer::Violated(_) => {
                    assert!(is_broken, "a wrong violation: seed {seed}, {order:?}\n{text}");
                    violated += 1;
                }
                Answer::Unknown(_) => open += 1,
            }
        }
    }
    assert!(open * 5 < holds + violated, "{holds} hold, {violated} violated, {open} open");
}

/// The reached set has every state that the machine is in at a loop head.
#[test]
fn reached_sets_cover_runs_of_the_machine() {
    let mut checked = 0;
    for seed in 1..=count() {
        let (text, _) = random_program(seed ^ 0x1234);
        let program = program(&text);
        let (analyses, board) = (Analyses::new(&program), Board::default());
        let answer = reach(&analyses, &ReachOptions::default(), &limits(5), &board, &());
        let Answer::Holds(Proof::Abstraction { tree, .. }, _) = answer else { continue };
        let (reached, samples) = (&tree.reached, board.samples(&analyses, &limits(2)));
        for (key, seen) in &samples.heads {
            let head = analyses.shape(key.0).head(key.1);
            let entries: Vec<_> = reached.entries.iter().filter(|one| (one.func, one.head) == (key.0, head)).collect();
            for row in &seen.rows {
                let mut state = Assignment::new();
                for (symbol, part) in &reached.symbols {
                    let StatePart::Register(_) = part else { continue };
                    let place = seen.quantities.iter().position(|quantity| quantity.part == *part);
                    let (Some(place), Some(id)) = (place, reached.terms.as_symbol(*symbol)) else { continue };
                    let width = reached.terms.width(*symbol);
                    state.set(id, Value::Bv(BitVec::new(width, row[place].into())));
                }
                let mut evaluator = Evaluator::new(&state);
                let is_in = entries.iter().any(|entry| {
                    let holds: Vec<bool> =
                        entry.predicates.iter().map(|one| evaluator.holds(&reached.terms, *one)).collect();
                    entry.states.iter().any(|one| **one == *holds)
                });
                // Loops that constants decide are not abstracted.
                assert!(is_in || entries.is_empty(), "seed {seed}: {row:?} at {key:?} was not reached\n{text}");
                checked += u64::from(is_in);
            }
        }
    }
    assert!(checked > count(), "{checked} states");
}
