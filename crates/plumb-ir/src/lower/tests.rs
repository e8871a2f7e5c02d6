//! Small programs through the whole front end, judged by the text of their automata.

use super::{LowerOptions, lower};
use crate::program::Program;
use crate::property::PropertySet;
use crate::{print, verify};
use plumb_c::diag::Diagnostics;
use plumb_c::names::Names;
use plumb_c::parse::parse_unit;
use plumb_c::sema;
use plumb_c::source::SourceMap;
use plumb_c::target::Target;
use std::sync::Arc;

fn lowered_for(target: Target, text: &str, options: &LowerOptions) -> Program {
    let mut sources = SourceMap::new();
    sources.add("test.c", text.to_string()).unwrap();
    let (mut names, mut diags) = (Names::new(), Diagnostics::new());
    let unit = parse_unit(&sources.units()[0], &mut names, &mut diags);
    let hir = sema::check(&[unit], None, Arc::new(sources), names, target, &mut diags);
    let program = hir.and_then(|hir| lower(&hir, options, &PropertySet::none(), &mut diags));
    let messages: Vec<&str> = diags.iter().map(|d| d.message.as_str()).collect();
    let program = program.unwrap_or_else(|| panic!("{text}: {messages:?}"));
    let faults = verify::verify(&program);
    assert!(faults.is_empty(), "{text}: {faults:?}\n{}", print::program(&program));
    program
}

fn lowered(text: &str) -> Program {
    for target in [Target::ILP32, Target::AVR] {
        lowered_for(target, text, &LowerOptions::default());
    }
    lowered_for(Target::LP64, text, &LowerOptions::default())
}

/// The operations of a function in the order of its locations, without locations, places and spaces at the end.
fn operations(program: &Program, name: &str) -> Vec<String> {
    let function = program.function(program.find_function(name).unwrap());
    let text = print::function(program, function);
    let edges = text.lines().filter(|l| l.contains(" -> "));
    let operation = |l: &str| {
        let (_, op) = l.split_once(": ")?;
        Some(op.split("   //").next()?.trim().to_string())
    };
    edges.filter_map(operation).collect()
}

#[track_caller]
fn expect(text: &str, function: &str, wanted: &[&str]) {
    let program = lowered(text);
    assert_eq!(operations(&program, function), wanted, "{}", print::program(&program));
}

#[test]
fn an_operand_is_saved_from_the_effects_of_a_later_one() {
    let text = "int g; int f(void); int t(int x) { return (g - 1) - f(); } int main(void) { return t(1); }";
    expect(text, "t", &["%1 := g - 1", "%2 := f()", "return %1 - %2"]);
}

#[test]
fn gcc_moves_a_variable_behind_a_call() {
    let text = "int g; int f(void); int t(void) { return g + f(); } int main(void) { return t(); }";
    expect(text, "t", &["%0 := f()", "return g + %0"]);
}

#[test]
fn a_compound_assignment_evaluates_its_value_first() {
    let text = "int g; int f(void); void t(void) { g += f(); } int main(void) { t(); return 0; }";
    expect(text, "t", &["%0 := f()", "g := g + %0", "return"]);
}

#[test]
fn arguments_are_evaluated_from_right_to_left() {
    let text =
        "int f(void), h(void); void k(int, int); void t(void) { k(f(), h()); } int main(void) { t(); return 0; }";
    expect(text, "t", &["%0 := h()", "%1 := f()", "k(%1, %0)", "return"]);
}

#[test]
fn a_postfix_value_is_the_old_one() {
    let text = "int t(int i) { int j = i++; return j + i; } int main(void) { return t(1); }";
    expect(text, "t", &["%2 := i", "i := %2 + 1", "j := %2", "return j + i"]);
}

#[test]
fn harmless_short_circuits_are_expressions() {
    let text = "int t(int a, int b) { if (a > 0 && b < 3) return 1; return 2; } int main(void) { return t(1, 2); }";
    expect(text, "t", &["if (0 < a) && (b < 3)", "not-if !((0 < a) && (b < 3))", "return 1", "return 2"]);
}

#[test]
fn short_circuits_guard_memory() {
    let text = "int t(int *p) { if (p && *p) return 1; return 2; } int main(void) { return t(0); }";
    let wanted =
        ["logical p != null", "not-if p == null", "return 1", "return 2", "if *(i32*)p != 0", "not-if *(i32*)p == 0"];
    expect(text, "t", &wanted);
}

#[test]
fn endless_loops_are_edges() {
    for body in ["while (1);", "for (;;) {}", "do ; while (1);"] {
        let program = lowered(&format!("int main(void) {{ {body} return 0; }}"));
        assert_eq!(operations(&program, "main"), ["assume true"], "{body}");
    }
    let program = lowered("int main(void) { L: goto L; }");
    let main = program.function(program.find_function("main").unwrap());
    assert_eq!(main.edges.len(), 1);
    assert_eq!(main.edges.raw[0].from, main.edges.raw[0].to);
}

#[test]
fn a_label_is_reached_only_through_itself() {
    let program = lowered("int t(int c) { if (c) { ERROR: ; } return 0; } int main(void) { return t(1); }");
    let t = program.function(program.find_function("t").unwrap());
    let error = t.labels[0].1;
    assert_eq!(t.edges.iter().filter(|e| e.to == error).count(), 1);
}

#[test]
fn a_switch_is_a_chain_with_the_default_last() {
    let text = "int t(int x) { switch (x) { default: return 0; case 1: x = 5; case 3 ... 4: return x; } }
                int main(void) { return t(1); }";
    let program = lowered(text);
    let ops = operations(&program, "t");
    assert!(ops.iter().any(|o| o == "case x == 1"), "{ops:?}");
    assert!(ops.iter().any(|o| o == "case (3 <= x) && (x <= 4)"), "{ops:?}");
}

#[test]
fn the_body_of_a_loop_can_be_entered_by_a_switch() {
    let text = "int t(int n) { int k = 0; switch (n % 4) { case 0: do { k++; case 3: k++; case 2: k++; case 1: k++; }
                while (--n > 0); } return k; } int main(void) { return t(7); }";
    lowered(text);
}

#[test]
fn bit_fields_are_read_and_written_in_place() {
    let text = "struct S { int a : 3; unsigned b : 13; } s; int t(void) { s.a = 5; return s.b; }
                int main(void) { return t(); }";
    let program = lowered_for(Target::LP64, text, &LowerOptions::default());
    let ops = operations(&program, "t");
    assert!(ops[0].starts_with("*(i16*)&s := *(i16*)&s[0..3 = "), "{ops:?}");
}

#[test]
fn what_c_leaves_uninitialised_is_an_input() {
    let text = "int t(void) { int x; return x; } int main(void) { return t(); }";
    expect(text, "t", &["x := input 0 (uninitialised x)", "return x"]);
}

#[test]
fn a_jump_past_a_declaration_makes_the_variable_arbitrary() {
    let text = "int t(int c) { if (c) goto L; int x = 1; L: return x; } int main(void) { return t(1); }";
    let ops = operations(&lowered(text), "t");
    assert!(ops[0].starts_with("x := input"), "{ops:?}");
}

#[test]
fn inputs_and_assumptions_are_edges() {
    let text = "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);
                int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); return x; }";
    let program = lowered(text);
    let ops = operations(&program, "main");
    assert!(ops[0].starts_with("x := input") && ops[1] == "assume 3 < x", "{ops:?}");
    assert!(program.find_function("__VERIFIER_nondet_int").is_none());
}

#[test]
fn memory_mapped_registers_are_inputs_and_swallow_writes() {
    let text =
        "int t(void) { *(volatile int *)0x4000 = 1; return *(volatile int *)0x4000; } int main(void) { return t(); }";
    let ops = operations(&lowered(text), "t");
    assert_eq!(ops.len(), 2, "{ops:?}");
    assert!(ops[0].contains("input"), "{ops:?}");
}

#[test]
fn volatile_reads_are_inputs_on_request() {
    let text = "volatile int v; int t(void) { v = 1; return v + v; } int main(void) { return t(); }";
    let options = LowerOptions { volatile_inputs: true, ..LowerOptions::default() };
    let program = lowered_for(Target::LP64, text, &options);
    assert_eq!(program.inputs.len(), 2);
    assert_eq!(lowered(text).inputs.len(), 0);
}

#[test]
fn a_large_shift_count_does_not_become_small() {
    let text = "int t(int x, unsigned long long n) { return x << n; } int main(void) { return t(1, 2); }";
    let ops = operations(&lowered_for(Target::LP64, text, &LowerOptions::default()), "t");
    assert_eq!(ops, ["return x << ((n <u 32) ? (i32)n : 32)"]);
}

#[test]
fn records_travel_by_address() {
    let text = "struct S { int a[5]; }; struct S id(struct S s) { s.a[1]++; return s; }
                int main(void) { struct S x = { { 1, 2 } }, y; y = id(x); return id(y).a[1] + (y = x).a[0]; }";
    lowered(text);
}

#[test]
fn variadic_functions_take_a_hidden_area() {
    let text = "typedef __builtin_va_list va_list;
                int sum(int n, ...) { va_list ap, two; __builtin_va_start(ap, n); int s = 0;
                  while (n-- > 0) s += __builtin_va_arg(ap, int); __builtin_va_copy(two, ap);
                  s += (int) __builtin_va_arg(two, double); __builtin_va_end(ap); return s; }
                int main(void) { return sum(2, 3, 4, 5.0) + sum(0); }";
    lowered(text);
}

#[test]
fn variable_length_arrays_die_with_their_block() {
    let text = "int t(int n) { for (int i = 1; i < n; i++) { int a[i][n]; a[0][1] = n; if (a[0][0]) continue;
                  if (sizeof a > 9) break; if (i == 3) goto out; } out: return n; } int main(void) { return t(3); }";
    let program = lowered(text);
    let frees = operations(&program, "t").iter().filter(|o| o.starts_with("stack_free")).count();
    assert_eq!(frees, 4);
}

#[test]
fn everything_else_lowers_to_something_well_formed() {
    let texts = [
        "int main(void) { static void *t[] = { &&a, &&b }; goto *t[1]; a: return 1; b: return 2; }",
        "int main(void) { int x = ({ int y = 3; y + 1; }); return x ?: 7; }",
        "union U { int i; float f; }; int main(void) { union U u = { .f = 1.5f }; return u.i; }",
        "struct P { char c; long b : 20; } __attribute__((packed)); struct P p; int main(void) { p.b = 3; return p.b--; }",
        "int f(c, d) char c; float d; { return c + d; } int main(void) { return f('a', 2.0); }",
        "_Bool b; int main(void) { b = 3.5; b++; b--; return b ? 1 : !b; }",
        "int main(int argc, char **argv) { return argc > 1 ? argv[1][0] : 0; }",
        "struct F { int n; char t[]; }; struct F f = { 2, \"ab\" }; int main(void) { return f.t[1]; }",
        "int main(void) { int x = 1; __asm__ volatile(\"\" : \"+r\"(x) : : \"memory\"); return x; }",
        "int main(void) { unsigned r; if (__builtin_add_overflow(3, -5, &r)) return r; return __builtin_ffs(r); }",
        "int main(void) { int x = 3; return __sync_fetch_and_add(&x, 2) + __atomic_load_n(&x, 0); }",
        "int (*p)(int); int g(int x) { return x; } int main(void) { p = g; return p(3) + (*p)(4); }",
        "extern int e; extern struct Q q; int main(void) { return e + (&q != 0); }",
        "double d; int main(void) { d = 1; d++; d /= 3; float f = d; return f > 0.5 && d; }",
        "int main(void) { char a[8] = \"abc\", *p = a; *p++ = 'x'; p[-1] += 1; return a[0] + (p - a); }",
        "int t(int n) { return n > 0 ? t(n - 1) : (n ? t(0), 3 : 4); } int main(void) { return t(3); }",
        "int main(void) { int a[100] = { [3] = 1, [50 ... 70] = 2 }; return a[60]; }",
    ];
    for text in texts {
        lowered(text);
    }
}

#[test]
fn a_missing_entry_is_reported() {
    let mut sources = SourceMap::new();
    sources.add("test.c", "int f(void) { return 0; }".to_string()).unwrap();
    let (mut names, mut diags) = (Names::new(), Diagnostics::new());
    let unit = parse_unit(&sources.units()[0], &mut names, &mut diags);
    let hir = sema::check(&[unit], None, Arc::new(sources), names, Target::LP64, &mut diags).unwrap();
    assert!(lower(&hir, &LowerOptions::default(), &PropertySet::none(), &mut diags).is_none());
    assert!(diags.has_errors());
}
