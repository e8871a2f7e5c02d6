//! Minimised violations still break the same check, on programs made up at random, and are as small as they should be.

mod support;

use plumb_evidence::{minimise, replay};
use plumb_exec::Rng;
use std::fmt::Write;
use std::time::Duration;
use support::{budget, case, confirmed, int, random_violation, violation};

/// A reactive program over a few state variables, with an error behind conditions on them.
fn controller(seed: u64) -> String {
    let mut rng = Rng(seed);
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n\
         extern void reach_error(void);\nint mode, timer, level; unsigned char last; struct { int a; int b[3]; } rec;\n\
         int main(void) {\n  while (1) {\n    int in = __VERIFIER_nondet_int() & 15;\n    unsigned char c = __VERIFIER_nondet_uchar();\n",
    );
    for state in 0..4 {
        let (from, to) = (state, (state + 1) % 5);
        let _ = writeln!(text, "    if (mode == {from} && in == {} ) mode = {to};", rng.below(16));
        let _ = writeln!(
            text,
            "    if (mode == {from} && c < {}) {{ timer++; rec.b[{}] += in; }}",
            40 + rng.below(200),
            rng.below(3)
        );
    }
    let _ = writeln!(text, "    for (int i = 0; i < (in & 3); i++) level += __VERIFIER_nondet_uchar() > 128;");
    let _ = writeln!(text, "    if (in == {}) timer = 0;", rng.below(16));
    let _ = writeln!(
        text,
        "    if (mode >= {} && timer > {} && level > {}) reach_error();",
        rng.below(3),
        rng.below(12),
        rng.below(6)
    );
    text + "    last = c;\n  }\n}\n"
}

#[test]
fn the_same_check_breaks_on_programs_made_at_random() {
    let mut shrunk = 0;
    for seed in 0..12 {
        let case = case(&controller(seed));
        let Some(found) = random_violation(&case.program, 0..30) else { continue };
        let result =
            minimise(&case.program, &confirmed(&case.program, &found), &budget(Duration::from_millis(700))).unwrap();
        let again = confirmed(&case.program, &result.replay.violation());
        assert_eq!(again.check, found.check);
        assert_eq!(again.inputs, result.replay.inputs);
        assert!(result.replay.inputs.len() <= found.inputs.len());
        shrunk += (result.replay.inputs.len() * 2 <= found.inputs.len()) as u32;
    }
    assert!(shrunk >= 4, "only {shrunk} became half as long or shorter");
}

#[test]
fn a_spent_budget_still_gives_a_violation() {
    let case = case(&controller(1));
    let found = random_violation(&case.program, 0..200).expect("the error is easy to reach");
    let result = minimise(&case.program, &confirmed(&case.program, &found), &budget(Duration::ZERO)).unwrap();
    assert!(!result.is_complete);
    confirmed(&case.program, &result.replay.violation());
}

#[test]
fn iterations_that_do_not_matter_are_cut() {
    let case = case(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
         int armed;
         int main(void) {
             while (1) {
                 int x = __VERIFIER_nondet_int();
                 if (x == 1000) armed = 1;
                 if (armed && x == -7) reach_error();
             }
         }",
    );
    let mut values: Vec<_> = (0..500).map(int).collect();
    values.push(int(1000));
    values.extend((0..500).map(|i| int(3 * i)));
    values.push(int(-7));
    let found = violation(&case.program, values);
    let result = minimise(&case.program, &confirmed(&case.program, &found), &budget(Duration::from_secs(20))).unwrap();
    assert!(result.is_complete);
    let kept: Vec<_> = result.replay.inputs.into_iter().map(|(_, v)| v).collect();
    let expected = [1000u64, -7i32 as u32 as u64].map(|v| support::int(v as i128));
    assert_eq!(kept, expected);
}

#[test]
fn iterations_that_a_timer_needs_stay() {
    let case = case(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
         int timer;
         int main(void) {
             while (1) {
                 if (__VERIFIER_nondet_int() > 100) timer++;
                 if (timer >= 40) reach_error();
             }
         }",
    );
    let found = violation(&case.program, (0..400).map(|i| int(if i % 7 == 0 { 5000 + i } else { i % 50 })).collect());
    let result = minimise(&case.program, &confirmed(&case.program, &found), &budget(Duration::from_secs(20))).unwrap();
    assert_eq!(result.replay.inputs.len(), 40);
    // All the same: a reader sees one iteration that repeats.
    let first = &result.replay.inputs[0].1;
    assert!(result.replay.inputs.iter().all(|(_, v)| v == first));
}

#[test]
fn claims_that_are_none_are_refused() {
    let case = case(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
         int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); return 0; }",
    );
    let mut found = violation(&case.program, vec![int(3)]);
    found.inputs[0].1 = int(4);
    assert!(replay(&case.program, &found, &budget(Duration::from_secs(1))).is_err());
    found.inputs.clear();
    assert!(replay(&case.program, &found, &budget(Duration::from_secs(1))).is_err());
}

#[test]
fn inputs_that_nobody_asks_for_are_cut() {
    let case = case(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
         int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); return 0; }",
    );
    let mut found = violation(&case.program, vec![int(3)]);
    found.inputs.push(found.inputs[0].clone());
    assert_eq!(replay(&case.program, &found, &budget(Duration::from_secs(1))).unwrap().inputs.len(), 1);
}

/// Found by chance, a streak has a long run before it; what a pass over every single iteration of that would take is too much.
#[test]
fn a_streak_at_the_end_of_a_long_run_is_found_soon() {
    let case = case(
        "extern void reach_error(void);
        extern int __VERIFIER_nondet_int(void);
        int main(void)
        {
            int s = 0;
            for (;;) {
                int n = __VERIFIER_nondet_int();
                if (n > 0) s++; else s = 0;
                if (s >= 500) reach_error();
            }
        }",
    );
    let chance = (0..60_000).map(|i| int(if i % 97 < 90 { i } else { -i }));
    let found = violation(&case.program, chance.chain((0..500).map(|i| int(i + 1))).collect());
    let result = minimise(&case.program, &confirmed(&case.program, &found), &budget(Duration::from_secs(4))).unwrap();
    assert_eq!(result.replay.inputs.len(), 500);
}
