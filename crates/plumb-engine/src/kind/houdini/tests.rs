//! Which facts stay: all that the others show, and none that a run breaks.

use super::*;
use crate::answer::StatePart;
use crate::facts::{Sum, View};
use crate::test_program::{budget, program};
use crate::unroll::Pause;
use crate::unroll::abstraction::Abstraction;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopId;
use plumb_ir::program::{LocalVar, Program, VarRef};

/// An exploration of a program whose loops are abstracted, as soon as it is known what they change.
fn houdini<'p>(analyses: &'p Analyses) -> Houdini<'p> {
    let mut loops = FxHashMap::default();
    for _ in 0..20 {
        let mut unroller = Unroller::new(analyses);
        unroller.abstraction = Some(Abstraction::new(0, std::mem::take(&mut loops)));
        assert_eq!(unroller.unroll(1, &budget()), Pause::Bound);
        let Some(abstraction) = &unroller.abstraction else { panic!() };
        assert!(!abstraction.has_failed);
        if !abstraction.has_new_changes && unroller.frontier.is_empty() {
            return Houdini::new(unroller, true, &budget());
        }
        loops.clone_from(&abstraction.loops);
        for stopped in &unroller.frontier {
            loops.entry(stopped.at.unwrap()).or_default();
        }
    }
    panic!("the loops are not learned");
}

fn key(program: &Program) -> LoopKey {
    (program.find_function("main").unwrap(), LoopId(0))
}

fn quantity(program: &Program, name: &str) -> Quantity {
    let vars = &program.function(key(program).0).vars;
    let at = vars.iter().position(|var| &*var.name == name).unwrap();
    Quantity { part: StatePart::Register(VarRef::Local(LocalVar(at as u32))), width: 32 }
}

fn at_most(program: &Program, name: &str, most: i128) -> Fact {
    Fact::AtMost(Sum::of(quantity(program, name)), most, View::Unsigned)
}

/// The facts among these that are proved.
fn proved(program: &Program, facts: &[Fact]) -> Vec<Fact> {
    let analyses = Analyses::new(program);
    let mut houdini = houdini(&analyses);
    facts.iter().for_each(|fact| houdini.add_candidate(key(program), fact.clone()));
    let count = houdini.fixpoint(None).unwrap();
    let proved: Vec<Fact> =
        houdini.proved().remove(&key(program)).unwrap_or_default().iter().map(|fact| (**fact).clone()).collect();
    assert_eq!(proved.len(), count);
    proved
}

const COUNTER: &str = "int main(void) {
    unsigned x = 0, y = 0;
    while (input()) { x = x == 4 ? 0 : x + 1; y++; }
    if (x > 4) reach_error();
    return y; }";

#[test]
fn facts_that_a_run_breaks_are_dropped() {
    let program = program(COUNTER);
    let right = at_most(&program, "x", 4);
    let wrong = [
        at_most(&program, "x", 3),
        at_most(&program, "y", 100),
        Fact::AtLeast(Sum::of(quantity(&program, "x")), 1, View::Unsigned),
    ];
    assert_eq!(proved(&program, &[wrong[0].clone(), right.clone(), wrong[1].clone(), wrong[2].clone()]), [right]);
    assert!(proved(&program, &wrong).is_empty());
}

/// Each follows only from the other.
#[test]
fn facts_show_each_other() {
    let program = program(
        "int main(void) {
            unsigned x = 1, y = 0;
            while (input()) { unsigned old = x; x = y; y = old; }
            if (x > 1) reach_error();
            return 0; }",
    );
    let (x, y) = (at_most(&program, "x", 1), at_most(&program, "y", 1));
    assert!(proved(&program, std::slice::from_ref(&x)).is_empty());
    assert!(proved(&program, std::slice::from_ref(&y)).is_empty());
    assert_eq!(proved(&program, &[x.clone(), y.clone()]), [x, y]);
}

/// When the fact falls that another one rests on, so does that one.
#[test]
fn what_rests_on_a_dropped_fact_is_dropped() {
    let program = program(
        "int main(void) {
            unsigned x = 1, y = 1;
            while (input()) { x = y; y = input(); }
            if (x > 1) reach_error();
            return 0; }",
    );
    assert!(proved(&program, &[at_most(&program, "x", 1), at_most(&program, "y", 1)]).is_empty());
}

#[test]
fn checks_are_safe_by_what_is_proved() {
    let program = program(COUNTER);
    let analyses = Analyses::new(&program);
    let mut houdini = houdini(&analyses);
    assert_eq!(houdini.is_safe(None), Outcome::Sat, "nothing is known of the loop");
    houdini.add_candidate(key(&program), at_most(&program, "x", 4));
    assert_eq!(houdini.fixpoint(None), Ok(1));
    assert_eq!(houdini.is_safe(None), Outcome::Unsat);
    let excluded = |x: u128| FxHashMap::from_iter([(quantity(&program, "x"), x)]);
    assert!(houdini.excludes(key(&program), &excluded(5)));
    assert!(!houdini.excludes(key(&program), &excluded(4)));
}

/// A second wave is proved with the first.
#[test]
fn what_is_proved_stays_for_later_facts() {
    let program = program(
        "int main(void) {
            unsigned x = 0, y = 0;
            while (input()) { if (x < 3) x++; y = x; }
            if (y > 3) reach_error();
            return 0; }",
    );
    let analyses = Analyses::new(&program);
    let mut houdini = houdini(&analyses);
    houdini.add_candidate(key(&program), at_most(&program, "y", 3));
    assert_eq!(houdini.fixpoint(None), Ok(0), "it needs to know about x");
    houdini.add_candidate(key(&program), at_most(&program, "x", 3));
    assert_eq!(houdini.fixpoint(None), Ok(1));
    houdini.retry_dropped(|_, _| true);
    assert_eq!(houdini.fixpoint(None), Ok(1));
    assert_eq!(houdini.proved()[&key(&program)].len(), 2);
}

#[test]
fn lists_are_joined_in_order() {
    let program = program("int main(void) { return 0; }");
    let mut terms = plumb_sym::Sym::new(&program).terms;
    for count in 0..9usize {
        let list: Vec<TermId> = (0..count).map(|i| terms.symbol(&format!("b{i}"), Sort::Bool)).collect();
        let mut seen = Vec::new();
        let joined = balanced(&list, &mut |a, b| {
            seen.extend([a, b]);
            terms.and(a, b)
        });
        assert_eq!(joined.is_none(), count == 0);
        seen.retain(|term| list.contains(term));
        assert!(count < 2 || seen == list, "{count}");
    }
}
