//! Counterexamples read well: inputs, decisions and changes by iteration, repeated iterations folded, the end explained.

mod support;

use plumb_evidence::report::NamedValue;
use plumb_evidence::{Counterexample, Style};
use std::time::Duration;
use support::{How, budget, case, case_with, int, replayed};

const CHARGER: &str = "
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
enum mode { IDLE, CHARGING, FULL };
enum mode mode;
struct { int ticks; _Bool hot; } state;
int main(void)
{
    while (1) {
        int plug = __VERIFIER_nondet_int();
        if (plug == 1 && mode == IDLE)
            mode = CHARGING;
        if (mode == CHARGING) {
            state.ticks++;
            if (state.ticks > 50)
                state.hot = 1;
        }
        if (state.hot)
            reach_error();
    }
}
";

fn charger() -> Counterexample {
    let case = case(CHARGER);
    let mut values = vec![int(0), int(1)];
    values.extend((0..60).map(|_| int(0)));
    Counterexample::new(&case.program, &replayed(&case.program, values), &budget(Duration::from_secs(10))).unwrap()
}

#[test]
fn variables_are_printed_as_they_were_declared() {
    let story = charger();
    let changes: Vec<_> = story.iterations[2].changes.iter().map(|c| (&*c.name, &*c.before, &*c.after)).collect();
    assert!(changes.contains(&("mode", "IDLE", "CHARGING")), "{changes:?}");
    assert!(changes.contains(&("state.ticks", "0", "1")), "{changes:?}");
    let last = story.iterations.last().unwrap();
    assert!(last.changes.iter().any(|c| c.name == "state.hot" && c.after == "true"), "{:?}", last.changes);
}

#[test]
fn decisions_have_their_text_and_way() {
    let story = charger();
    let decisions: Vec<_> = story.iterations[2].decisions.iter().map(|d| (&*d.text, d.taken)).collect();
    assert!(decisions.contains(&("plug == 1 && mode == IDLE", true)), "{decisions:?}");
    assert!(decisions.contains(&("state.hot", false)), "{decisions:?}");
}

#[test]
fn repeated_iterations_are_folded() {
    let story = charger();
    let text = story.text(Style { color: false, full: true });
    assert!(text.contains("as before"), "{text}");
    assert!(text.contains("state.ticks goes 3 -> 50"), "{text}");
    assert!(text.lines().count() < 60, "{text}");
    assert!(text.contains("violated: error-call: reach_error is called"), "{text}");
    assert!(text.contains("since line 18: state.hot is true"), "{text}");
    assert!(!text.contains('\x1b'));
    assert!(story.text(Style { color: true, full: false }).contains('\x1b'));
}

#[test]
fn the_short_text_tells_the_end() {
    let text = charger().text(Style::default());
    assert!(text.contains("left out here"), "{text}");
    assert!(text.contains("in iteration 52 of the loop at"), "{text}");
    assert!(text.contains("after 52 inputs"), "{text}");
    assert!(text.lines().count() < 40, "{text}");
}

#[test]
fn the_values_of_a_failed_condition_are_reported() {
    let how = How { checks: "assertion", ..How::default() };
    let text = "
        #include <assert.h>
        extern short __VERIFIER_nondet_short(void);
        static void check(int low, int high) { assert(low <= high); }
        int main(void) { short s = __VERIFIER_nondet_short(); check(s, -5); return 0; }";
    let case = case_with(text, &how);
    let story =
        Counterexample::new(&case.program, &replayed(&case.program, vec![int(12)]), &budget(Duration::from_secs(10)))
            .unwrap();
    let mut values: Vec<_> = story.ending.values.iter().map(|v| (&*v.name, &*v.value)).collect();
    values.sort();
    assert_eq!(values, [("high", "-5"), ("low", "12")]);
    assert_eq!(story.ending.calls[0].text, "check(s, -5)");
    assert_eq!(story.ending.calls[0].values, [NamedValue { name: "s".to_string(), value: "12".to_string() }]);
    let json = serde_json::to_value(&story).unwrap();
    assert_eq!(json["check"]["kind"], "assertion");
    assert_eq!(json["iterations"][0]["inputs"][0]["value"], "12");
}

#[test]
fn garbage_that_nobody_reads_is_no_input() {
    let text = "
        extern void reach_error(void);
        extern int __VERIFIER_nondet_int(void);
        static void get(unsigned *to) { *to = __VERIFIER_nondet_int(); }
        int log(int x) { if (x > 3) return 1; }
        int used(int x) { if (x > 3) return 1; }
        int main(void) { unsigned data; data = 0u; get(&data); log(data); if (used(0) == 7) reach_error(); return 0; }";
    let case = case(text);
    let story = Counterexample::new(
        &case.program,
        &replayed(&case.program, vec![int(2), int(7)]),
        &budget(Duration::from_secs(10)),
    )
    .unwrap();
    let names: Vec<_> = story.iterations[0].inputs.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(names, ["__VERIFIER_nondet_int", "missing return value of used"]);
}

#[test]
fn what_fails_in_the_library_is_reported_at_the_users_call() {
    let story_of = |text: &str, checks: &'static str| {
        let case = case_with(text, &How { checks, ..How::default() });
        let story =
            Counterexample::new(&case.program, &replayed(&case.program, vec![]), &budget(Duration::from_secs(10)));
        story.unwrap()
    };
    let story = story_of(
        "#include <stdlib.h>\nint main(void)\n{\n    int *a = malloc(4);\n    free(a);\n    free(a);\n}\n",
        "double-free",
    );
    let place = story.check.place.as_ref().unwrap();
    assert_eq!((place.line, place.column, &*story.ending.function), (6, 5, "main"));
    assert_eq!((&*story.ending.line, story.ending.inside.as_deref()), ("free(a);", Some("free")));
    assert!(story.ending.calls.is_empty());
    let text = story.text(Style::default());
    assert!(text.contains(":6:5, in main, inside free\n") && !text.contains("<library>"), "{text}");

    // A leak is told where the program ends.
    let leaks = "#include <stdlib.h>\nint main(int n, char **a)\n{\n    a[0] = malloc(4);\n    if (n > 5) return 1;\n    return 0;\n}\n";
    let story = story_of(leaks, "leak");
    assert_eq!((story.check.place.as_ref().unwrap().line, &*story.ending.function), (6, "main"));

    // So is a call through a pointer, not where the function is declared.
    let story =
        story_of("extern void reach_error();\nvoid (*fp)() = reach_error;\nint main(void)\n{\n    fp();\n}\n", "");
    assert_eq!((story.check.place.as_ref().unwrap().line, &*story.ending.line), (5, "fp();"));
}

#[test]
fn the_line_of_an_assertion_is_what_the_user_wrote() {
    let case = case("#include <assert.h>\nint main(int argc, char **argv)\n{\n    assert(argc != 1);\n}\n");
    let story = Counterexample::new(&case.program, &replayed(&case.program, vec![]), &budget(Duration::from_secs(10)));
    assert_eq!(story.unwrap().ending.line, "assert(argc != 1)");
}

#[test]
fn without_time_a_violation_is_reported_as_a_whole() {
    let case = case(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); int n;
        static void fail(void) { reach_error(); }
        int main(void) { while (n < 20000000) n++; if (__VERIFIER_nondet_int() == 7) fail(); }",
    );
    let found = replayed(&case.program, vec![int(7)]);
    let story = Counterexample::new(&case.program, &found, &budget(Duration::ZERO)).unwrap();
    assert_eq!((story.iterations.len(), story.main.is_none(), &*story.ending.function), (1, true, "fail"));
    assert_eq!(story.ending.calls.len(), 1);
    assert_eq!(story.iterations[0].changes[0].after, "20000000");
}
