use super::*;
use crate::test_program;

const FIG2: &str = include_str!("../../../../../tests/cases/pbe/fig2.c");

/// A program with what was chosen in it.
struct Chosen {
    program: Program,
    choice: Choice,
    text: String,
}

/// Lines that the test program has in front of the text.
const LINES_BEFORE: usize = 3;

fn chosen(text: &str) -> Chosen {
    let program = test_program::program(text);
    let choice = choose(&Analyses::new(&program), &test_program::budget()).expect("there is time");
    Chosen { program, choice, text: text.to_string() }
}

impl Chosen {
    fn line(&self, (func, edge): Node) -> &str {
        let place = self.program.sources.place(self.program.function(func).edge(edge).span).expect("a place");
        self.text.lines().nth(place.line as usize - 1 - LINES_BEFORE).expect("a line")
    }

    /// The only call whose line contains the text.
    fn call(&self, text: &str) -> (Node, CallRole) {
        let found: Vec<(Node, CallRole)> = self
            .choice
            .calls
            .iter()
            .map(|(node, call)| (*node, *call))
            .filter(|c| self.line(c.0).contains(text))
            .collect();
        assert_eq!(found.len(), 1, "{text}");
        found[0]
    }

    fn role(&self, text: &str) -> Role {
        self.call(text).1.role
    }

    /// The numbers of statements (`/* 12 */`) in the context of a call.
    fn context(&self, text: &str) -> Vec<u32> {
        let context = self.choice.context(&self.program, self.call(text).0);
        let number = |node: Node| {
            let line = self.line(node);
            let inside = line.split("/*").nth(1).and_then(|rest| rest.split("*/").next());
            inside.and_then(|number| number.trim().parse().ok()).unwrap_or_else(|| panic!("no number: {line}"))
        };
        let numbers: BTreeSet<u32> = context.into_iter().map(number).collect();
        numbers.into_iter().collect()
    }

    fn kind(&self, name: &str) -> &FunctionKind {
        let func = self.program.find_function(name).expect("the program has it");
        &self.choice.functions.iter().find(|role| role.func == func).expect("every function has a role").kind
    }
}

#[test]
fn auxiliary_functions_of_figure_2() {
    let chosen = chosen(FIG2);
    assert_eq!(*chosen.kind("main"), FunctionKind::Entry);
    assert_eq!(*chosen.kind("update"), FunctionKind::NotAuxiliary(NoSignature::WritesGlobal("speed".into())));
    for (name, inputs) in [("process", &["x"][..]), ("check", &["a", "b"])] {
        let FunctionKind::Auxiliary(signature) = chosen.kind(name) else { panic!("{name} is auxiliary") };
        assert_eq!(signature.inputs.iter().map(|input| &*input.name).collect::<Vec<_>>(), inputs);
    }
}

#[test]
fn contexts_of_figure_2() {
    let chosen = chosen(FIG2);
    // The paper's text calls the call node 6; in its figure the statement has the number 5.
    assert_eq!(chosen.context("check(speed, data)"), [3, 4, 5, 26, 28, 29]);
    assert_eq!(chosen.context("process(in)"), [3, 4]);
    assert_eq!(chosen.context("check(0, 0)"), [1]);
}

#[test]
fn calls_of_figure_2() {
    let chosen = chosen(FIG2);
    assert_eq!(chosen.role("check(0, 0)"), Role::Deterministic);
    assert_eq!(chosen.role("process(in)"), Role::Independent);
    assert_eq!(chosen.role("check(speed, data)"), Role::Dependent);
    let check = chosen.program.find_function("check").expect("the program has it");
    assert_eq!(chosen.choice.calls_of(check).count(), 2);
}

#[test]
fn complexity_counts_the_branches_of_callees_too() {
    let chosen = chosen(FIG2);
    let of = |name: &str| {
        let func = chosen.program.find_function(name).expect("the program has it");
        chosen.choice.functions.iter().find(|role| role.func == func).expect("a role").complexity
    };
    assert_eq!((of("process"), of("check"), of("update")), (2, 3, 2));
    // Three branches of its own, that of `assert` being one; two calls of `check`, one of each of the others.
    assert_eq!(of("main"), 3 + 2 * 3 + 2 + 2);
}

#[test]
fn a_write_hides_what_was_there_before() {
    let chosen = chosen(
        "int g; int f(int a) { return a > 1; } void reset(void) { /* 9 */ g = 0; }
         int main(void) {
         /* 1 */ g = input();
         /* 2 */ int a = f(g);
         /* 3 */ g = 5;
         /* 4 */ int b = f(g + 1);
         /* 5 */ g = input();
         /* 6 */ reset();
         /* 7 */ int c = f(g + 2);
         return a + b + c; }",
    );
    assert_eq!(chosen.context("f(g);"), [1, 2]);
    assert_eq!(chosen.context("f(g + 1)"), [3, 4]);
    assert_eq!(chosen.context("f(g + 2)"), [7, 9]);
    assert_eq!(chosen.role("f(g);"), Role::Independent);
    assert_eq!(chosen.role("f(g + 1)"), Role::Deterministic);
    assert_eq!(chosen.role("f(g + 2)"), Role::Deterministic);
}

#[test]
fn what_comes_in_with_one_call_does_not_go_out_with_another() {
    let chosen = chosen(
        "int g, noise; int f(int a) { return a > 1; } void tick(void) { noise = g; } void tock(void) { tick(); }
         int main(void) {
         /* 1 */ g = input();
         /* 2 */ tock();
         /* 3 */ g = 1;
         /* 4 */ tock();
         /* 5 */ return f(g) + noise; }",
    );
    assert_eq!(chosen.context("f(g)"), [3, 5]);
}

#[test]
fn dependence_goes_through_parameters_results_and_memory() {
    let chosen = chosen(
        "int t[4], last; int f(int a) { return a * 2; }
         int keep(int v) {
         /* 10 */ last = v;
         /* 11 */ return last + 1; }
         int main(void) {
         /* 1 */ int x = input();
         /* 2 */ int y = keep(x);
         /* 3 */ t[x & 3] = y;
         /* 4 */ int *p = t + 1;
         /* 5 */ return f(p[x & 1]); }",
    );
    assert_eq!(chosen.context("f(p"), [1, 2, 3, 4, 5, 10, 11]);
    // Whatever uses the value from outside is in the context.
    assert_eq!(chosen.role("f(p"), Role::Independent);
}

#[test]
fn what_others_use_too_is_not_independent() {
    let chosen = chosen(
        "int f(int a) { return a > 1; } int g(int a) { return a > 2; }
         int main(void) {
         int x = input(), y = input();
         int r = f(x);
         int s = g(y);
         if (y == 3) reach_error();
         return r + s; }",
    );
    assert_eq!(chosen.role("f(x)"), Role::Independent);
    assert_eq!(chosen.role("g(y)"), Role::Dependent);
}

#[test]
fn what_a_branch_on_a_value_from_outside_writes_is_not_deterministic() {
    let chosen = chosen(
        "int orders[4], fixed[4], pressed; int any(int i) { return orders[i & 3] || orders[0]; }
         int first(int i) { return fixed[i & 3]; } void press(int i) { orders[i & 3] = 1; }
         int main(void) {
         for (int i = 0; i < 4; i++) fixed[i] = i;
         if (input() > 3) { press(2); pressed = any(1); }
         if (input() > 4) pressed = first(2);
         return pressed; }",
    );
    assert_eq!(chosen.role("any(1)"), Role::Dependent);
    // Whether the call is made does not matter.
    assert_eq!(chosen.role("first(2)"), Role::Deterministic);
}

#[test]
fn functions_that_no_run_calls_are_said_to_be_so() {
    let chosen = chosen("int f(int a) { return a; } int main(void) { return input(); }");
    assert_eq!(*chosen.kind("f"), FunctionKind::Unreached);
    assert!(chosen.choice.calls.is_empty());
}

/// Where there is no time to follow values, every read of a global sees every write: contexts only grow.
#[test]
fn globals_are_joined_where_visits_run_out() {
    let text = "int g, h; int f(int a) { return a > 1; } void set(int x) { h = x; }
         int main(void) { g = input(); int a = f(g); g = 5; set(g); int b = f(g + h); g = input(); return a + b; }";
    let program = test_program::program(text);
    let (analyses, budget) = (Analyses::new(&program), test_program::budget());
    let func = program.find_function("f").expect("the program has it");
    let mut auxiliary: TiVec<FuncId, Option<Signature>> = vec![None; program.functions.len()].into();
    auxiliary[func] = Some(signature(&analyses, func).expect("it is auxiliary"));
    let contexts = |visits: u64| -> Vec<BTreeSet<Node>> {
        let dependence = Dependence::of(&analyses, &auxiliary, visits, &budget).expect("there is time");
        analyses.resolved_calls().callers(func).iter().map(|call| dependence.context((call.0, call.1))).collect()
    };
    let exact = contexts(TUNING.max_global_visits);
    assert_eq!(exact.len(), 2);
    for visits in [1, 20, 60] {
        let joined = contexts(visits);
        assert!(exact.iter().zip(&joined).all(|(exact, joined)| exact.is_subset(joined)), "{visits} visits");
    }
    assert!(contexts(1).iter().zip(&exact).any(|(joined, exact)| joined.len() > exact.len()));
}

#[test]
fn nothing_is_chosen_without_time() {
    let analyses = Analyses::new(&test_program::program(FIG2));
    let late = Budget { deadline: Some(std::time::Instant::now()), ..test_program::budget() };
    assert!(choose(&analyses, &late).is_none());
}
