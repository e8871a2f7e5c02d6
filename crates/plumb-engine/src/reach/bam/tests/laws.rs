//! Laws: a call that is expanded is a call that is followed; answers are those of lazy abstraction, which follows all calls.

use super::{BamOptions, bam};
use crate::answer::Answer;
use crate::board::Board;
use crate::budget::{Budget, Cancel};
use crate::engine::Order;
use crate::reach::{ReachOptions, reach};
use crate::test_program::program;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::target_distance::Metric;
use plumb_solve::random::Random;
use std::time::{Duration, Instant};

fn count() -> u64 {
    std::env::var("PLUMB_REACH_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(30)
}

fn limits(seconds: u64) -> Budget {
    let deadline = Some(Instant::now() + Duration::from_secs(seconds));
    Budget { deadline, memory: u64::MAX, threads: 1, cancel: Cancel::new() }
}

/// An expression over globals, an array, the parameter and a local.
fn expression(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(4) == 0 {
        let leaves = ["g", "h", "x", "y", "a[1]", "a[x & 3]", "1", "7", "200"];
        return leaves[random.below(leaves.len() as u64) as usize].to_string();
    }
    let operators = ["+", "-", "^", "&", "|", "*", "<", "=="];
    let operator = operators[random.below(operators.len() as u64) as usize];
    format!("({} {operator} {})", expression(random, depth - 1), expression(random, depth - 1))
}

fn statement(random: &mut Random, depth: u32, has_loops: bool) -> String {
    let targets = ["g", "h", "y", "a[1]", "a[x & 3]", "a[y & 3]"];
    let target = targets[random.below(targets.len() as u64) as usize];
    match random.below(if depth == 0 { 2 } else { 5 }) {
        0 | 1 => format!("{target} = {};", expression(random, 2)),
        2 => format!(
            "if ({}) {{ {} }} else {{ {} }}",
            expression(random, 2),
            statement(random, depth - 1, has_loops),
            statement(random, depth - 1, has_loops)
        ),
        3 if has_loops => format!("while (input() & 1) {{ {} }}", statement(random, depth - 1, false)),
        3 => format!("if ({}) reach_error();", expression(random, 3)),
        _ => format!("{} {}", statement(random, depth - 1, has_loops), statement(random, depth - 1, has_loops)),
    }
}

/// Functions over small numbers that call each other, each at least twice.
fn random_program(seed: u64, has_loops: bool) -> String {
    let mut random = Random::new(seed);
    let mut text = "unsigned char g, h, a[4];\n".to_string();
    for i in 0..3 {
        let mut body = String::new();
        for _ in 0..2 {
            body += &statement(&mut random, 2, has_loops);
        }
        if i > 0 {
            body += &format!(
                "y = f{}(y); {} g ^= f{}({});",
                i - 1,
                statement(&mut random, 1, false),
                i - 1,
                expression(&mut random, 1)
            );
        }
        text += &format!("unsigned char f{i}(unsigned char x) {{ unsigned char y = x; {body} return y + {i}; }}\n");
    }
    let last = expression(&mut random, 3).replace('x', "s").replace('y', "t");
    text + &format!(
        "int main(void) {{ unsigned char s = input(), t = f2(s); h ^= f2(t + 1); s = f1(t); if (({last}) == {}) reach_error(); }}",
        random.below(256)
    )
}

#[test]
fn a_call_that_is_expanded_is_a_call_that_is_followed() {
    let (mut holds, mut violated) = (0, 0);
    for seed in 0..count() {
        let text = random_program(seed, false);
        let program = program(&text);
        let (analyses, board) = (Analyses::new(&program), Board::default());
        let followed = reach(&analyses, &ReachOptions::default(), &limits(10), &board, &());
        let expanded = bam(&analyses, &BamOptions::default(), &limits(10), &board, &());
        match (followed, expanded) {
            (Answer::Holds(..), Answer::Holds(..)) => holds += 1,
            (Answer::Violated(_), Answer::Violated(_)) => violated += 1,
            (Answer::Unknown(_), _) => {}
            (followed, expanded) => panic!("seed {seed}: {followed:?}, {expanded:?}\n{text}"),
        }
    }
    assert!(violated > 0 && holds + violated > count() / 2, "{holds} hold, {violated} violated");
}

#[test]
fn answers_are_those_of_lazy_abstraction() {
    let (mut decided, mut holds) = (0, 0);
    for seed in 0..count() {
        let text = random_program(seed ^ 0x5eed, true);
        let program = program(&text);
        let (analyses, board) = (Analyses::new(&program), Board::default());
        let expected = reach(&analyses, &ReachOptions::default(), &limits(3), &board, &());
        for order in [None, Some(Order::Depth), Some(Order::Tour(Metric::Lf))] {
            let options = BamOptions { order, ..BamOptions::default() };
            let found = bam(&analyses, &options, &limits(3), &Board::default(), &());
            let is_contradiction = matches!(
                (&expected, &found),
                (Answer::Holds(..), Answer::Violated(_)) | (Answer::Violated(_), Answer::Holds(..))
            );
            assert!(!is_contradiction, "seed {seed}: {expected:?}, {found:?}\n{text}");
            decided += u64::from(!matches!(found, Answer::Unknown(_)));
            holds += u64::from(matches!(found, Answer::Holds(..)));
        }
    }
    assert!(decided > count(), "{decided} decided, {holds} hold");
}
