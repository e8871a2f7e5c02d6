//! Where points are, judged by the text of automata.

use super::with_preemption_points;
use crate::lower::{InterruptOptions, LowerOptions, lower};
use crate::program::Program;
use crate::property::PropertySet;
use crate::{library, print, verify};
use plumb_c::diag::Diagnostics;
use plumb_c::names::Names;
use plumb_c::parse::parse_unit;
use plumb_c::sema;
use plumb_c::source::SourceMap;
use plumb_c::target::Target;
use std::sync::Arc;

const THREADS: &str = "typedef unsigned long pthread_t; typedef union { int n[10]; long a; } pthread_mutex_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
    int pthread_mutex_trylock(pthread_mutex_t *);
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
    static pthread_t t; static pthread_mutex_t m; static int x, y;\n";

fn preempted(text: &str, interrupts: InterruptOptions) -> Program {
    preempted_on(text, interrupts, Target::LP64)
}

fn preempted_on(text: &str, interrupts: InterruptOptions, target: Target) -> Program {
    let mut sources = SourceMap::new();
    sources.add("test.c", text.to_string()).unwrap();
    sources.add("<library>", library::all(&target)).unwrap();
    let (mut names, mut diags) = (Names::new(), Diagnostics::new());
    let units: Vec<_> = sources.units().iter().map(|unit| parse_unit(unit, &mut names, &mut diags)).collect();
    let hir = sema::check(&units[..1], Some(&units[1]), Arc::new(sources), names, target, &mut diags);
    let options = LowerOptions { interrupts, ..LowerOptions::default() };
    let program = hir.and_then(|hir| lower(&hir, &options, &PropertySet::none(), &mut diags));
    let messages: Vec<&str> = diags.iter().map(|d| d.message.as_str()).collect();
    let program = with_preemption_points(program.unwrap_or_else(|| panic!("{messages:?}"))).unwrap();
    let faults = verify::verify(&program);
    assert!(faults.is_empty(), "{faults:?}\n{}", print::program(&program));
    program
}

/// The operations of a function in the order of its locations, points as `*`.
fn operations(program: &Program, name: &str) -> Vec<String> {
    let function = program.function(program.find_function(name).unwrap());
    let text = print::function(program, function);
    let mut edges: Vec<(u32, u32, String)> = Vec::new();
    for line in text.lines().filter(|line| line.contains(" -> ")) {
        let (places, op) = line.split_once(": ").unwrap();
        let (from, to) = places.split_once(" -> ").unwrap();
        let number = |text: &str| text.trim().trim_start_matches('L').parse::<u32>().unwrap();
        let op = op.split("   //").next().unwrap().trim();
        let is_point = op.contains("_point()");
        edges.push((number(from), number(to), if is_point { "*".to_string() } else { op.to_string() }));
    }
    // The functions of the tests have one path.
    let mut at = function.entry.0;
    let mut list = Vec::new();
    while let Some(next) = edges.iter().find(|(from, ..)| *from == at) {
        list.push(next.2.clone());
        at = next.1;
    }
    list
}

fn thread(body: &str) -> Vec<String> {
    let text = format!(
        "{THREADS} void *run(void *u) {{ {body} return 0; }}
         int main(void) {{ pthread_create(&t, 0, run, 0); pthread_create(&t, 0, run, 0); return 0; }}"
    );
    operations(&preempted(&text, InterruptOptions::default()), "run")
}

#[test]
fn every_access_of_shared_memory_is_a_step_of_its_own() {
    let list = thread("x = x + y; y = 1;");
    assert_eq!(list.iter().filter(|op| *op == "*").count(), 4, "{list:?}");
    assert_eq!(list[1], "*");
    assert!(list[0].ends_with(":= x") && list[2].ends_with(":= y"), "{list:?}");
    assert!(list.last().unwrap().starts_with("return"), "{list:?}");
}

#[test]
fn what_nobody_writes_is_no_step_of_its_own() {
    let list = thread("x = x + y;");
    assert_eq!(list[1..4], ["*", "x := %1 + y", "*"], "{list:?}");
}

#[test]
fn what_others_cannot_get_at_is_no_step_of_its_own() {
    assert!(!thread("int a = 1; int *p = &a; *p = a + *p;").contains(&"*".to_string()));
}

#[test]
fn a_section_is_one_step() {
    let list = thread("__VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end();");
    assert_eq!(list.iter().filter(|op| *op == "*").count(), 1, "{list:?}");
    let untouched = thread("__VERIFIER_atomic_begin(); __VERIFIER_atomic_end();");
    assert!(!untouched.contains(&"*".to_string()), "{untouched:?}");
}

#[test]
fn a_lock_that_is_taken_needs_no_point_unless_somebody_looks() {
    let points = |body: &str| thread(body).iter().filter(|op| *op == "*").count();
    assert_eq!(points("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"), 1);
    assert_eq!(points("pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_trylock(&m);"), 3);
}

#[test]
fn handlers_may_run_before_the_first_step() {
    let text = "static int n, own; void tick(void) { n = 1; } int main(void) { own = 2; n = own; return 0; }";
    let handlers = vec![("tick".to_string(), 1)];
    let program = preempted(text, InterruptOptions { handlers, ..InterruptOptions::default() });
    assert_eq!(operations(&program, "main")[..3], ["*", "own := 2", "n := own"]);
    assert_eq!(operations(&program, "main")[3], "*");
}

fn points_of_handlers(priorities: [u8; 2], tick: &str, target: Target) -> [usize; 2] {
    let text = format!(
        "static int n; void unmask(void); void other(void) {{ n = 2; }} void tick(void) {{ {tick} n = 1; }}
         int main(void) {{ n = 3; return n; }}"
    );
    let handlers = vec![("tick".to_string(), priorities[0]), ("other".to_string(), priorities[1])];
    let interrupts = InterruptOptions { handlers, unmasks: vec!["unmask".to_string()], ..InterruptOptions::default() };
    let program = preempted_on(&text, interrupts, target);
    ["tick", "other"].map(|name| operations(&program, name).iter().filter(|op| *op == "*").count())
}

#[test]
fn handlers_that_nothing_interrupts_have_no_points() {
    assert_eq!(points_of_handlers([1, 1], "", Target::LP64), [0, 0]);
    assert_eq!(points_of_handlers([1, 2], "", Target::LP64), [2, 0], "before and behind the access of the lower one");
    // Small machines have no priorities, but handlers can unmask.
    assert_eq!(points_of_handlers([1, 2], "", Target::AVR), [0, 0]);
    let points = points_of_handlers([1, 1], "unmask();", Target::AVR);
    assert!(points[0] > 0 && points[1] == 0, "{points:?}");
}

#[test]
fn handlers_that_the_program_calls_have_points() {
    let text = "static int n; void tick(void) { n = 1; } int main(void) { tick(); return n; }";
    let handlers = vec![("tick".to_string(), 1)];
    let program = preempted(text, InterruptOptions { handlers, ..InterruptOptions::default() });
    assert!(operations(&program, "tick").contains(&"*".to_string()));
}
