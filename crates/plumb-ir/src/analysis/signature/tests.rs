//! What is an input, and what is refused, on small programs in C.

use super::{NoSignature, Signature, Source, signature};
use crate::analysis::Analyses;
use crate::property::PropertySet;
use crate::{PrepareOptions, prepare};
use plumb_c::driver::{FrontOptions, load_program};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The signature of `f` in a program.
fn of(text: &str) -> Result<Signature, NoSignature> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("plumb-signature-{}-{number}.i", std::process::id()));
    let declared = "extern int __VERIFIER_nondet_int(void); extern int sensor(void); extern void reach_error(void);
        extern void abort(void); extern int printf(const char *, ...); extern void *malloc(unsigned long);\n";
    std::fs::write(&file, format!("{declared}{text}")).expect("temporary files can be written");
    let front = FrontOptions { library: Some(crate::library::source), ..FrontOptions::default() };
    let loaded = load_program(std::slice::from_ref(&file), &front);
    let _ = std::fs::remove_file(&file);
    let mut loaded = loaded.unwrap_or_else(|failed| panic!("{:?}", failed.diags));
    let mut properties = PropertySet::default();
    properties.error_functions.push("reach_error".into());
    let program = prepare(&loaded.hir, &properties, &PrepareOptions::default(), &mut loaded.diags);
    let program = program.unwrap_or_else(|| panic!("{:?}", loaded.diags));
    let func = program.find_function("f").expect("the program has a function f");
    signature(&Analyses::new(&program), func)
}

fn inputs(text: &str) -> Vec<String> {
    let found = of(text).unwrap_or_else(|refusal| panic!("{refusal}: {text}"));
    found.inputs.iter().map(|input| input.name.to_string()).collect()
}

fn refusal(text: &str) -> NoSignature {
    match of(text) {
        Err(refusal) => refusal,
        Ok(found) => panic!("{found:?}: {text}"),
    }
}

#[test]
fn parameters_and_globals_that_somebody_writes_are_inputs() {
    let text = "int g, fixed = 3; _Bool on; static unsigned char k(void) { return g + fixed; }
        unsigned short f(signed char a, int unused, unsigned long b) { return a + b + k() + on; }
        int main(void) { g = sensor(); on = g > 1; return f(1, 2, 3); }";
    assert_eq!(inputs(text), ["a", "b", "g", "on"]);
    let found = of(text).expect("a signature");
    let types: Vec<(u32, bool, bool)> = found
        .inputs
        .iter()
        .map(|input| (input.ty.ty.bits(&plumb_c::target::Target::LP64), input.ty.is_signed, input.ty.is_bool))
        .collect();
    assert_eq!(types, [(8, true, false), (64, false, false), (32, true, false), (8, false, true)]);
    assert!(!found.output.is_signed && found.output.ty.bits(&plumb_c::target::Target::LP64) == 16);
}

/// An argument that nobody reads is no input, be it a pointer to anything.
#[test]
fn arguments_that_the_callee_does_not_read_do_not_matter() {
    let text = |body: &str| {
        format!(
            "struct device; struct device *open_device; extern struct device *probe(void);
            static int get(struct device *device, int port) {{ {body} }}
            int f(int port) {{ return get(open_device, port); }}
            int main(void) {{ open_device = probe(); return f(sensor()); }}"
        )
    };
    assert_eq!(inputs(&text("return port & 3;")), ["port"]);
    assert!(of(&text("return device ? port : 1;")).is_err());
}

#[test]
fn arrays_and_records_are_flattened() {
    let text = "int t[3], u[9]; const int c[4] = { 1, 2, 3, 4 }; int f(int i) { return t[i % 3] + u[2] + c[i & 3]; }
        int main(void) { int *p = t; p[sensor() % 3] = 1; u[sensor() % 9] = 2; return f(1); }";
    assert_eq!(inputs(text), ["i", "t[0]", "t[1]", "t[2]", "u[2]"]);
    let text =
        "struct R { int w; unsigned char h; }; static int f(struct R *r, const int *a) { return r->w + r->h + a[1]; }
        int main(void) { struct R x = { sensor(), 2 }; int y[2] = { 1, sensor() }; return f(&x, y); }";
    assert_eq!(inputs(text), ["r->w", "r->h", "a[1]"]);
    let text = "static int f(const short *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
        int main(void) { short x[2] = { 1, 2 }, y[2] = { 3, 4 }; return f(x, sensor() & 1) + f(y, 1); }";
    assert_eq!(inputs(text), ["n", "*a", "a[1]"]);
    // Only the field that is read, and no padding.
    let text = "struct E { int key; char on; } table[3]; int f(int i) { return table[i % 3u].on; }
        int main(void) { table[sensor() % 3u].on = 1; table[sensor() % 3u].key = 2; return f(1); }";
    assert_eq!(inputs(text), ["i", "table[0].on", "table[1].on", "table[2].on"]);
}

#[test]
fn fields_of_records_by_value_have_their_names_and_signs() {
    let text = "struct P { short x; unsigned char y; }; static int f(struct P p) { return p.x < p.y; }
        int main(void) { struct P p = { sensor(), 2 }; return f(p); }";
    assert_eq!(inputs(text), ["p.x", "p.y"]);
    let signs: Vec<bool> = of(text).expect("a signature").inputs.iter().map(|input| input.ty.is_signed).collect();
    assert_eq!(signs, [true, false]);
}

#[test]
fn floats_are_inputs_and_results() {
    let text = "double d; float f(float a) { return d > a ? 1.0f : a; }
        int main(void) { d = sensor(); return f(sensor()); }";
    assert_eq!(inputs(text), ["a", "d"]);
    assert!(of(text).expect("a signature").output.ty.is_float());
}

#[test]
fn values_from_outside_are_inputs_or_streams_of_them() {
    let text = "int f(int low) { int v = sensor(); if (v < low) return __VERIFIER_nondet_int(); return v; }
        int main(void) { return f(3); }";
    assert_eq!(inputs(text), ["low", "__VERIFIER_nondet_int()", "sensor()"]);
    let either = "int f(int a) { if (a) return sensor(); return -sensor(); } int main(void) { return f(3); }";
    assert_eq!(inputs(either), ["a", "sensor()"]);
    let twice = "int f(int a) { return a + sensor() + sensor(); } int main(void) { return f(3); }";
    let is_stream = |text: &str| !of(text).unwrap().is_finite();
    assert!(is_stream(twice) && !is_stream(either));
    let loops = "int f(int a) { while (a--) if (sensor()) return 1; return 0; } int main(void) { return f(3); }";
    assert!(is_stream(loops));
}

#[test]
fn what_cannot_influence_the_result_is_no_input() {
    let text = "int g, h; static void trace(int v) { printf(\"%d %d %s\", v, h, v ? \"a\" : \"b\"); }
        int f(int a) { trace(g); if (a < 0) abort(); return a + 1; } int main(void) { g = h = sensor(); return f(g); }";
    assert_eq!(inputs(text), ["a"]);
}

#[test]
fn the_locals_of_a_call_are_its_own() {
    let text = "static void put(int *p, int v) { *p = v; } int f(int a) { int x = 0, y = 0; put(&x, a); put(&y, x); return x - y; }
        int main(void) { int z; put(&z, 3); return f(z); }";
    assert_eq!(inputs(text), ["a"]);
    let sorted =
        "int f(int a, int b) { int t[2]; t[0] = a; t[1] = b; return t[a < b]; } int main(void) { return f(1, 2); }";
    assert_eq!(inputs(sorted), ["a", "b"]);
    let garbage = "int f(int a) { int t[2]; t[0] = a; return t[a & 1]; } int main(void) { return f(1); }";
    assert_eq!(refusal(garbage), NoSignature::FilledFromOutside("t".into()));
    let filled = "int f(int a) { int t[4]; for (int i = 0; i < 4; i++) t[i] = a * i; return t[a & 3]; }
        int main(void) { return f(1); }";
    assert_eq!(inputs(filled), ["a"]);
    let loops = [
        "for (int i = 0; i < 3; i++) t[i] = a",
        "for (int i = 1; i < 4; i++) t[i] = a",
        "for (int i = 0; i < 4; i++) if (a > i) t[i] = a",
        "for (int i = 0; i < 4; i++) { if (a == i) break; t[i] = a; }",
        "for (int i = 0; i < 4; i += 2) t[i] = a",
        "for (int i = 0; i < 4; i++) { t[i] = a; if (a == 7) i++; }",
    ];
    for text in loops {
        let text = format!("int f(int a) {{ int t[4]; {text}; return t[a & 3]; }} int main(void) {{ return f(1); }}");
        assert_eq!(refusal(&text), NoSignature::FilledFromOutside("t".into()), "{text}");
    }
    let recursive = "int f(int n) { return n <= 1 ? 1 : n * f(n - 1); } int main(void) { return f(3); }";
    assert_eq!(inputs(recursive), ["n"]);
}

#[test]
fn what_changes_the_world_is_refused() {
    // The function, what `main` does before it calls it, and the refusal.
    let cases = [
        ("int g; static int k(int a) { return g = a; } int f(int a) { return k(a); }", "", "writes the global `g`"),
        ("int t[4]; int f(int a) { t[a & 3] = 1; return 0; }", "", "writes the global `t`"),
        ("void f(int a) { }", "", "has no result"),
        ("long double f(int a) { return a; }", "", "its result is a floating-point number of more than 64 bits"),
        (
            "struct P { int x, y; }; struct P f(int a) { struct P p = { a, a }; return p; }",
            "",
            "its result is a structure",
        ),
        ("int *f(int a) { return 0; }", "", "its result is a pointer"),
        ("int f(int a) { int *p = malloc(4); return a; }", "", "allocates or frees memory"),
        ("long double d; int f(int a) { return d > a; }", "d = x;", "its input `d` is a floating-point number of more"),
        ("int f(int a) { if (a == 3) reach_error(); return a; }", "", "a check (error-call) lies in `f`"),
        ("int f(int unused) { return 3; }", "", "has no inputs"),
        ("int big[100]; int f(int i) { return big[i % 100u]; }", "big[x % 100u] = 1;", "has more than 64 inputs"),
    ];
    for (text, before, expected) in cases {
        let shown =
            refusal(&format!("{text} int main(void) {{ int x = sensor(); {before} f(x); return 0; }}")).to_string();
        assert!(shown.starts_with(expected), "{shown} for {text}");
    }
}

#[test]
fn pointers_must_not_enter_a_call() {
    let main = |arguments: &str| format!("int main(void) {{ int x = sensor(); int *p = &x; return f({arguments}); }}");
    let cases = [
        ("static int f(int *p) { if (!p) return 1; return *p; }", "p"),
        ("static int k(int *q) { return *q; } static int f(int *p) { return k(p); }", "p"),
        ("static int f(int *p) { int s = 0; while (*p) s += *p++; return s; }", "p"),
    ];
    for (text, name) in cases {
        let found = refusal(&format!("{text} {}", main("p")));
        assert_eq!(found, NoSignature::PointerUse(name.into()), "{text}");
    }
    let through = refusal(&format!("static int f(int *p) {{ *p = 1; return 0; }} {}", main("p")));
    assert_eq!(through, NoSignature::WritesMemory);
    let kept = format!("int *kept; static int f(int a) {{ return *kept + a; }} {}", main("(kept = p, x)"));
    assert_eq!(refusal(&kept), NoSignature::PointerInput("kept".into()));
    let number = format!("static int f(int a) {{ int y = a; return (int)(long)&y; }} {}", main("x"));
    assert_eq!(refusal(&number), NoSignature::AddressAsNumber);
}

#[test]
fn sources_say_where_inputs_are() {
    let text = "int g; int f(int a, const int *p) { return a + p[2] + g + sensor(); }
        int main(void) { int t[3] = { 1, 2, 3 }; g = sensor(); return f(g, t); }";
    let sources: Vec<Source> = of(text).expect("a signature").inputs.iter().map(|input| input.source).collect();
    assert!(matches!(
        sources[..],
        [Source::Parameter(a), Source::Pointee(p, 8), Source::Global(_), Source::External(_)] if a.0 == 0 && p.0 == 1
    ));
}
