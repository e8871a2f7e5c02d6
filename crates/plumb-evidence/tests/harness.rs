//! gcc builds each program with its harness, and the binary fails the same check: one program for each origin of inputs
//! and each kind of check that gcc can watch.

mod support;

use plumb_evidence::{HarnessOptions, harness, minimise};
use plumb_exec::input_file::origin_text;
use plumb_exec::{CompileOptions, Image, InputSource, InputValue, Limits, Machine, RegionFill};
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use std::process::{Command, Stdio};
use std::time::Duration;
use support::{Case, How, budget, case, case_with, int, replayed};

const ERROR: &str = "extern void reach_error(void);\n";

/// How the binary must end.
enum End {
    Violated,
    /// By a sanitizer, whose report holds a text.
    Report(&'static str),
}

fn check(text: &str, how: How, values: Vec<InputValue>, end: End) {
    let case = case_with(&format!("{ERROR}{text}"), &how);
    fails(&case, values, end);
}

fn fails(case: &Case, values: Vec<InputValue>, end: End) {
    let found = replayed(&case.program, values);
    let smaller = minimise(&case.program, &found, &budget(Duration::from_secs(5))).unwrap().replay;
    for violation in [&found, &smaller] {
        let name = case.path("harness.c");
        let options = HarnessOptions {
            files: vec![case.file.display().to_string()],
            flags: Vec::new(),
            name: name.display().to_string(),
        };
        let made = harness(&case.program, violation, &options, &budget(Duration::from_secs(5))).unwrap();
        if violation.inputs == found.inputs && !made.notes.is_empty() {
            // Only the smaller one is sure to have inputs that a harness can set.
            continue;
        }
        // Whether a block moves is the compiled program's choice; these programs fail either way.
        let notes: Vec<&String> =
            made.notes.iter().filter(|note| !note.contains("`realloc` moves the block")).collect();
        assert_eq!(notes, Vec::<&String>::new(), "{}", made.c);
        std::fs::write(&name, &made.c).unwrap();
        let binary = case.path("binary");
        let command = format!("{} -o {}", made.compile, binary.display());
        let built = Command::new("sh").args(["-c", &command]).output().unwrap();
        assert!(built.status.success(), "{command}\n{}\n{}", String::from_utf8_lossy(&built.stderr), made.c);
        let run = Command::new(&binary).stdin(Stdio::null()).output().unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr);
        match end {
            End::Violated => {
                assert_eq!(
                    run.status.code(),
                    Some(plumb_evidence::harness::VIOLATED),
                    "{stderr}\n{command}\n{}",
                    made.c
                );
                assert!(stderr.contains("plumb: property violated"), "{stderr}");
            }
            End::Report(text) => {
                let status = run.status.code();
                assert_eq!(status, Some(plumb_evidence::harness::VIOLATED), "{stderr}\n{command}\n{}", made.c);
                assert!(stderr.contains(text), "{} {stderr}\n{command}\n{}", run.status, made.c);
            }
        }
    }
}

#[test]
fn input_functions_of_every_scalar_type() {
    let text = "
        extern int __VERIFIER_nondet_int(void);
        extern unsigned char __VERIFIER_nondet_uchar(void);
        extern long long __VERIFIER_nondet_longlong(void);
        extern unsigned long long __VERIFIER_nondet_ulonglong(void);
        extern _Bool __VERIFIER_nondet_bool(void);
        extern float __VERIFIER_nondet_float(void);
        extern double __VERIFIER_nondet_double(void);
        enum color { RED = 3, GREEN };
        extern enum color __VERIFIER_nondet_color(void);
        int main(void)
        {
            if (__VERIFIER_nondet_int() != -2147483647 - 1) return 0;
            if (__VERIFIER_nondet_uchar() != 200) return 0;
            if (__VERIFIER_nondet_longlong() != -9223372036854775807ll - 1) return 0;
            if (__VERIFIER_nondet_ulonglong() != 18446744073709551615ull) return 0;
            if (!__VERIFIER_nondet_bool()) return 0;
            if (__VERIFIER_nondet_float() != 0.1f) return 0;
            if (__VERIFIER_nondet_double() != -1e300) return 0;
            double nan = __VERIFIER_nondet_double();
            if (nan == nan) return 0;
            if (__VERIFIER_nondet_color() != GREEN) return 0;
            reach_error();
        }";
    let float = InputValue::Scalar(Bits::new(0.1f32.to_bits() as u128, 32));
    let double = |v: f64| InputValue::Scalar(Bits::new(v.to_bits() as u128, 64));
    for arch in ["64", "32"] {
        let values = vec![
            int(i32::MIN as i128),
            int(200),
            int(i64::MIN as i128),
            int(-1),
            int(1),
            float.clone(),
            double(-1e300),
            double(f64::NAN),
            int(4),
        ];
        check(text, How { arch, ..How::default() }, values, End::Violated);
    }
}

#[test]
fn records_come_back_whole() {
    let text = "
        struct small { float x, y; int n; };
        struct mixed { char c; short s[2]; };
        struct large { int a; struct { double d; char text[20]; } in; unsigned flags : 3; };
        extern struct small __VERIFIER_nondet_small(void);
        extern struct mixed __VERIFIER_nondet_mixed(void);
        extern struct large outside(int);
        int main(void)
        {
            struct small s = __VERIFIER_nondet_small();
            struct mixed m = __VERIFIER_nondet_mixed();
            struct large l = outside(1);
            struct small t = __VERIFIER_nondet_small();
            if (s.x == 1.5f && s.n == 9 && m.c == 'q' && m.s[1] == -2 && t.y == 2.0f && l.in.text[3] == 5)
                reach_error();
            return 0;
        }";
    for arch in ["64", "32"] {
        let case = case_with(&format!("{ERROR}{text}"), &How { arch, ..How::default() });
        let values = answers(&case, |name, path, size| match (name, path) {
            ("__VERIFIER_nondet_small", ".x") => 1.5f32.to_le_bytes().to_vec(),
            ("__VERIFIER_nondet_small", ".y") => 2.0f32.to_le_bytes().to_vec(),
            ("__VERIFIER_nondet_small", ".n") => vec![9],
            ("__VERIFIER_nondet_small", _) => {
                [&1.5f32.to_le_bytes()[..], &2.0f32.to_le_bytes(), &9i32.to_le_bytes()].concat()
            }
            ("__VERIFIER_nondet_mixed", ".c") => vec![b'q'],
            ("__VERIFIER_nondet_mixed", ".s[1]") => vec![0xfe, 0xff],
            ("__VERIFIER_nondet_mixed", "") => vec![b'q', 0, 0, 0, 0xfe, 0xff],
            ("outside", _) => vec![5; size],
            _ => vec![0],
        });
        fails(&case, values, End::Violated);
    }
}

/// The values that a run asks for, each by what it is called, the part of it and its size in bytes.
fn answers(case: &Case, value: impl Fn(&str, &str, usize) -> Vec<u8>) -> Vec<InputValue> {
    struct Answering<F> {
        value: F,
        pointer: u64,
        given: Vec<InputValue>,
    }
    impl<F: Fn(&str, &str, usize) -> Vec<u8>> InputSource for Answering<F> {
        fn scalar(&mut self, _: InputId, site: &InputSite) -> Option<Bits> {
            let size = match site.ty? {
                Ty::Int(bits) => bits as usize / 8,
                Ty::Float(FloatFormat::F32) => 4,
                Ty::Float(_) => 8,
                Ty::Ptr => self.pointer as usize,
            };
            let path = site.part.as_ref().map_or("", |p| &p.path);
            let bytes = (self.value)(&origin_text(&site.origin), path, size);
            let bits = Bits::new(bytes.iter().rev().fold(0, |v, b| v << 8 | *b as u128), 64);
            self.given.push(InputValue::Scalar(bits));
            Some(bits)
        }

        fn region(&mut self, _: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
            let bytes = RegionFill::Bytes((self.value)(&origin_text(&site.origin), "", size as usize));
            self.given.push(InputValue::Region(bytes.clone()));
            Some(bytes)
        }
    }
    let image = Image::compile(&case.program, &CompileOptions::default()).unwrap();
    let mut machine = Machine::new(std::sync::Arc::new(image));
    let mut inputs = Answering { value, pointer: case.program.target.pointer_bytes, given: Vec::new() };
    machine.run(&mut inputs, Limits::steps(1_000_000));
    inputs.given
}

#[test]
fn functions_without_a_body() {
    let text = "
        extern int sensor(int channel);
        extern void actuator(int channel, int value);
        extern int *table(void);
        int main(void)
        {
            for (int i = 0; i < 3; i++)
                actuator(i, sensor(i));
            if (sensor(9) == 41 && table() == 0)
                reach_error();
            return 0;
        }";
    check(text, How::default(), vec![int(1), int(2), int(3), int(41)], End::Violated);
}

#[test]
fn fresh_heap_memory_is_filled_as_recorded() {
    let text = "
        typedef __SIZE_TYPE__ size_t;
        extern void *malloc(size_t);
        extern void *realloc(void *, size_t);
        int main(void)
        {
            int *a = malloc(8), *b = malloc(12);
            if (a[1] != 7 || b[2] != 9) return 0;
            a = realloc(a, 16);
            if (a[1] == 7 && a[3] == 11) reach_error();
            return 0;
        }";
    let words =
        |words: &[i32]| InputValue::Region(RegionFill::Bytes(words.iter().flat_map(|w| w.to_le_bytes()).collect()));
    let values = vec![words(&[0, 7]), words(&[0, 0, 9]), words(&[0, 11])];
    check(text, How::default(), values, End::Violated);
}

#[test]
fn objects_without_a_definition() {
    let text = "
        extern int limit;
        extern struct { char tag; long value; } config;
        extern unsigned short table[4];
        int main(void)
        {
            if (limit == 12 && config.value == -3 && table[2] == 65000) reach_error();
            return 0;
        }";
    let case = case(&format!("{ERROR}{text}"));
    let values = answers(&case, |name, path, _| match (name, path) {
        ("extern limit", _) => vec![12],
        ("extern config", ".value") => (-3i64).to_le_bytes().to_vec(),
        ("extern config", "") => [&[0; 8][..], &(-3i64).to_le_bytes()].concat(),
        ("extern table", "[2]") => 65000u16.to_le_bytes().to_vec(),
        ("extern table", "") => vec![0, 0, 0, 0, 0xe8, 0xfd],
        _ => vec![0],
    });
    fails(&case, values, End::Violated);
}

#[test]
fn uninitialised_locals_that_may_be_zero() {
    let text = "int main(void) { int x; int a[4]; int *p = a; if (x < 5 && p[2] == 0) reach_error(); return 0; }";
    check(text, How::default(), vec![], End::Violated);
}

#[test]
fn uninitialised_locals_that_must_not_be_zero() {
    let text = "int main(void) { int a[4]; int *p = a; if (p[2] != 0) reach_error(); return 0; }";
    let bytes = InputValue::Region(RegionFill::Bytes(vec![1; 16]));
    check(text, How::default(), vec![bytes], End::Violated);
}

#[test]
fn arguments_of_main() {
    let text = "
        int main(int argc, char **argv)
        {
            if (argc == 3 && argv[1][0] == 'g' && argv[2][1] == '\\n' && argv[3] == 0) reach_error();
            return 0;
        }";
    let text_of = |t: &str| InputValue::Region(RegionFill::Bytes(t.as_bytes().to_vec()));
    let values = vec![int(2), int(0), text_of("prog"), text_of("go"), text_of("?\n")];
    check(text, How::default(), values, End::Violated);
}

#[test]
fn an_entry_of_the_users_choice() {
    let text = "int state; void step(int a, unsigned char b) { if (a == -7 && b == 250) reach_error(); } int main(void) { return 0; }";
    check(text, How { entry: "step", ..How::default() }, vec![int(-7), int(250)], End::Violated);
}

#[test]
fn an_entry_with_pointers() {
    let text = "
        struct pair { short low, high; };
        void step(struct pair *p, int *q, int n) { if (p && p->high == 7 && !q && n == 5) reach_error(); }";
    let region = |bytes: &[u8]| InputValue::Region(RegionFill::Bytes(bytes.to_vec()));
    // Whether each pointer is an object's, what the object holds, and the number.
    let values = vec![int(1), region(&[0, 0, 7, 0]), int(0), region(&[9, 9, 9, 9]), int(5)];
    check(text, How { entry: "step", ..How::default() }, values, End::Violated);
}

#[test]
fn a_static_entry() {
    let text = "
        static int half(double x, int n) { return x != x && n == 41 ? n + 2147483647 : n; }
        int (*keep)(double, int) = half;";
    let how = How { entry: "half", checks: "overflow", ..How::default() };
    let nan = InputValue::Scalar(Bits::new(f64::NAN.to_bits() as u128, 64));
    check(text, how, vec![nan, int(41)], End::Report("signed integer overflow"));
}

#[test]
fn a_static_entry_that_nobody_calls() {
    let text = "static void step(unsigned char b) { if (b == 250) reach_error(); }";
    check(text, How { entry: "step", ..How::default() }, vec![int(250)], End::Violated);
}

#[test]
fn an_entry_with_a_structure_is_reported_as_beyond_it() {
    let text = format!(
        "{ERROR}struct pair {{ int a, b; }}; void step(struct pair p) {{ if (p.a == 1 && p.b == 2) reach_error(); }}"
    );
    let case = case_with(&text, &How { entry: "step", ..How::default() });
    let pair = InputValue::Region(RegionFill::Bytes(vec![1, 0, 0, 0, 2, 0, 0, 0]));
    let found = replayed(&case.program, vec![pair]);
    let options = HarnessOptions { files: Vec::new(), flags: Vec::new(), name: "harness.c".to_string() };
    let made = harness(&case.program, &found, &options, &budget(Duration::from_secs(5))).unwrap();
    let note = "the harness cannot pass structures, or pointers to what holds pointers, to or from `step`";
    assert_eq!(made.notes, [note]);
}

#[test]
fn a_local_is_used_after_its_function_has_returned() {
    let text = "
        int *kept;
        void keep(void) { int local = 3; kept = &local; }
        int main(void) { keep(); return *kept; }";
    check(text, How { checks: "pointer", ..How::default() }, vec![], End::Report("stack-use-after-return"));
}

#[test]
fn blocks_without_bytes() {
    let allocations = ["malloc(0)", "calloc(0, 8)", "calloc(8, 0)"];
    for allocation in allocations {
        let text = format!(
            "extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long);
            int main(void) {{ char *block = {allocation}; block[0] = 1; return 0; }}"
        );
        let values = if allocation.starts_with("malloc") { vec![InputValue::Region(RegionFill::Zero)] } else { vec![] };
        check(&text, How { checks: "pointer", ..How::default() }, values, End::Report("AddressSanitizer"));
    }
}

#[test]
fn an_access_that_would_land_in_the_next_block() {
    for index in [40, 200, 1500] {
        let text = format!(
            "extern void *malloc(unsigned long);
            int main(void) {{ char *a = malloc(16), *b = malloc(16), *c = malloc(2000); a[{index}] = 1; return b == c; }}"
        );
        let values = vec![InputValue::Region(RegionFill::Zero); 3];
        check(&text, How { checks: "pointer", ..How::default() }, values, End::Report("heap-buffer-overflow"));
    }
}

#[test]
fn choices_of_library_functions() {
    let text = "extern int rand(void); int main(void) { if (rand() == 21 && rand() == 4) reach_error(); return 0; }";
    check(text, How::default(), vec![int(42), int(8)], End::Violated);
}

#[test]
fn device_registers() {
    let text = "
        #define STATUS (*(volatile unsigned *)0x40020010ul)
        #define DATA (*(volatile unsigned char *)0x40021000ul)
        int main(void)
        {
            int n = 0;
            while (STATUS & 1) n++;
            DATA = 5;
            if (n == 2 && DATA == 200 && DATA == 100) reach_error();
            return 0;
        }";
    check(text, How::default(), vec![int(1), int(3), int(2), int(200), int(100)], End::Violated);
}

#[test]
fn device_registers_that_are_only_written() {
    let text = "
        #define CONTROL (*(volatile unsigned *)0x40021000ul)
        #define STATUS (*(volatile unsigned *)0x40040000ul)
        int main(void) { CONTROL = 1; if (STATUS == 3) reach_error(); return 0; }";
    check(text, How::default(), vec![int(3)], End::Violated);
    let text = "
        #define CONTROL (*(volatile unsigned *)0x40021000ul)
        int main(void) { if ((CONTROL = 5) == 5) reach_error(); return 0; }";
    check(text, How::default(), vec![], End::Violated);
}

#[test]
fn bit_fields_of_devices() {
    let text = "
        typedef struct { volatile unsigned a : 4, b : 7, : 5, c : 8; volatile unsigned data; } Device;
        #define DEVICE ((Device *)0x40000000ul)
        int main(void)
        {
            DEVICE->a = 3;
            DEVICE->c = 1;
            if (DEVICE->b == 9 && DEVICE->data == 7) {
                DEVICE->b = 1;
                DEVICE->b++;
                if (DEVICE->c == 200) reach_error();
            }
            return 0;
        }";
    for arch in ["64", "32"] {
        let case = case_with(&format!("{ERROR}{text}"), &How { arch, ..How::default() });
        let inputs = &case.program.inputs;
        let count = inputs.iter().filter(|site| origin_text(&site.origin).starts_with("register")).count();
        // The store into `c` is of whole bytes.
        assert_eq!(count, 7, "{arch}");
        fails(&case, vec![int(0), int(9 << 4), int(7), int(0), int(5), int(0), int(200)], End::Violated);
    }
}

#[test]
fn device_registers_of_every_width() {
    let wide = "
        #define WIDE (*(volatile unsigned long long *)0x40021000ul)
        int main(void) { if (WIDE == 0x1234567800000001ull && WIDE == 2) reach_error(); return 0; }";
    for arch in ["64", "32"] {
        let how = How { arch, ..How::default() };
        check(wide, how, vec![int(0x1234567800000001), int(2)], End::Violated);
    }
    let across = "
        #define ACROSS (*(volatile unsigned *)0x40021ffeul)
        int main(void) { if (ACROSS == 0x12345678 && ACROSS == 3) reach_error(); return 0; }";
    check(across, How::default(), vec![int(0x12345678), int(3)], End::Violated);
    let int128 = "
        #define WIDE (*(volatile __int128 *)0x40021000ul)
        int main(void) { if (WIDE == (__int128)5 << 100) reach_error(); return 0; }";
    check(int128, How::default(), vec![InputValue::Scalar(Bits::new(5 << 100, 128))], End::Violated);
}

#[test]
fn device_registers_by_number_and_by_structure() {
    let text = "
        #define REGISTERS ((volatile unsigned char *)0x40021000ul)
        struct state { unsigned a, b; };
        int __VERIFIER_nondet_int(void);
        int main(void)
        {
            unsigned i = __VERIFIER_nondet_int();
            struct state s;
            if (i >= 8 || REGISTERS[i] != 9) return 0;
            s = *(volatile struct state *)0x40022000ul;
            if (i == 5 && s.a == 7 && s.b == 9) reach_error();
            return 0;
        }";
    let case = case(&format!("{ERROR}{text}"));
    let values = answers(&case, |name, path, size| match (name, path) {
        ("register 0x40021000", _) => vec![9],
        ("register 0x40022000", _) if size == 8 => vec![7, 0, 0, 0, 9, 0, 0, 0],
        ("register 0x40022000", path) if path.ends_with('b') || path.contains('4') => vec![9, 0, 0, 0],
        ("register 0x40022000", _) => vec![7, 0, 0, 0],
        _ => vec![5, 0, 0, 0],
    });
    fails(&case, values, End::Violated);
}

#[test]
fn constructors_read_device_registers() {
    let text = "
        static int state;
        __attribute__((constructor(101))) static void start(void) { state = *(volatile int *)0x40021000ul; }
        int main(void) { if (state == 5) reach_error(); return 0; }";
    check(text, How::default(), vec![int(5)], End::Violated);
}

#[test]
fn error_functions_of_every_prototype() {
    let programs = [
        ("die", "void die(int);", "die(1)"),
        ("die", "extern int die();", "die(1)"),
        ("die", "struct s { int a; }; int die(struct s); struct s s;", "die(s)"),
        ("die", "static void die(int x) {}", "die(1)"),
        ("die", "static inline void die(int x) {}", "die(1)"),
        ("die", "static void die(int x) {} void (*table[])(int) = { die };", "table[0](1)"),
        ("reach_failed", "static void reach_failed(void) {}", "reach_failed()"),
        ("printf", "int printf(const char *, ...);", "printf(\"x\")"),
    ];
    for (error, declared, call) in programs {
        let text = format!(
            "int __VERIFIER_nondet_int(void); {declared}
             int main(void) {{ if (__VERIFIER_nondet_int() == 5) {call}; return 0; }}"
        );
        let case = case_with(&text, &How { error, ..How::default() });
        fails(&case, vec![int(5)], End::Violated);
    }
    let text = "static void reach_error(void) {} int main(void) { reach_error(); return 0; }";
    fails(&case(text), vec![], End::Violated);
}

#[test]
fn claims_of_arguments_that_are_no_int() {
    let double = "
        double __VERIFIER_nondet_double(void);
        int main(void) { double d = __VERIFIER_nondet_double(); assert(d); return 0; }";
    let zero = InputValue::Scalar(Bits::new(0, 64));
    fails(&case(double), vec![zero], End::Violated);
    let long = "
        long __VERIFIER_nondet_long(void);
        int main(void)
        {
            long x = __VERIFIER_nondet_long();
            __VERIFIER_assume(x);
            __VERIFIER_assume(x == 0x500000000L || x == 0);
            __VERIFIER_assert(x == 3);
            return 0;
        }";
    fails(&case(long), vec![int(0x500000000)], End::Violated);
}

#[test]
fn inline_entry_functions() {
    let text = "static inline int f(int a) { return a + 1; } int main(void) { return 0; }";
    let how = How { checks: "overflow", entry: "f", ..How::default() };
    fails(&case_with(text, &how), vec![int(0x7fff_ffff)], End::Report("signed integer overflow"));
}

#[test]
fn memory_that_is_made_arbitrary() {
    let text = "
        extern void __VERIFIER_nondet_memory(void *, __SIZE_TYPE__);
        int main(void) { int a[3]; __VERIFIER_nondet_memory(a, sizeof a); if (a[1] == 77) reach_error(); return 0; }";
    let case = case(&format!("{ERROR}{text}"));
    let values = answers(&case, |name, path, _| match (name, path) {
        ("__VERIFIER_nondet_memory", "[1]") => vec![77],
        ("__VERIFIER_nondet_memory", "") => vec![0, 0, 0, 0, 77],
        _ => vec![0],
    });
    fails(&case, values, End::Violated);
}

#[test]
fn an_error_function_with_a_body() {
    let text = "
        void reach_error(void) {}
        extern int __VERIFIER_nondet_int(void);
        extern void abort(void);
        extern void __VERIFIER_assume(int);
        int main(void)
        {
            int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(x > 3);
            if (x == 5) { reach_error(); abort(); }
            return 0;
        }";
    let case = case(text);
    fails(&case, vec![int(5)], End::Violated);
}

#[test]
fn assertions() {
    let how = || How { checks: "assertion", ..How::default() };
    let text = "
        #include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        int main(void) { int n = 0; while (n < 10) { n += __VERIFIER_nondet_int() & 3; assert(n != 9); } return 0; }";
    check(text, how(), vec![int(3); 3], End::Violated);
    let text = "
        extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_assert(int);
        int main(void) { __VERIFIER_assert(__VERIFIER_nondet_int() != 2); return 0; }";
    check(text, how(), vec![int(2)], End::Violated);
}

#[test]
fn what_sanitizers_watch() {
    let with = |checks| How { checks, ..How::default() };
    let input = "extern int __VERIFIER_nondet_int(void);\n";
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); int y = x + 1; return y > 0; }";
    check(
        &format!("{input}{text}"),
        with("overflow"),
        vec![int(i32::MAX as i128)],
        End::Report("signed integer overflow"),
    );
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); return 7 / x; }";
    check(&format!("{input}{text}"), with("div-by-zero"), vec![int(0)], End::Report("division by zero"));
    let text = "int a[4]; int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > 9) return 0; a[x] = 1; return 0; }";
    check(&format!("{input}{text}"), with("bounds"), vec![int(4)], End::Report("index 4 out of bounds"));
    let text = "int *p; int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) return *p; return 0; }";
    check(&format!("{input}{text}"), with("pointer"), vec![int(3)], End::Report("null pointer"));
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); return 1 << x; }";
    check(&format!("{input}{text}"), with("shift"), vec![int(40)], End::Report("shift exponent"));
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); return x << 1; }";
    check(&format!("{input}{text}"), with("shift"), vec![int(-1)], End::Report("left shift of negative value"));
}

#[test]
fn memory_that_is_lost_or_left() {
    let with = |checks| How { checks, ..How::default() };
    let memory = "#include <stdlib.h>\n#include <string.h>\n";
    let lost =
        "static void f(void) { char *q = malloc(3); q[0] = 1; q = realloc(q, 40); } int main(void) { f(); return 0; }";
    check(&format!("{memory}{lost}"), with("leak"), vec![], End::Report("detected memory leaks"));
    let lost = "int main(void) { char *p = malloc(10); p = 0; return 0; }";
    check(&format!("{memory}{lost}"), with("leak"), vec![], End::Report("detected memory leaks"));
    // Everything that is allocated can be reached, but is not freed.
    let ends = ["return 0;", "exit(1);", "abort();"];
    for end in ends {
        let left = format!(
            "char *p, *q; int main(void) {{ free(malloc(3)); q = strdup(\"x\"); free(q); p = realloc(malloc(8), 10); {end} }}"
        );
        check(&format!("{memory}{left}"), with("memcleanup"), vec![], End::Violated);
    }
    let freed = "int main(void) { int *a = malloc(4); free(a); free(a); return 0; }";
    check(&format!("{memory}{freed}"), with("double-free"), vec![], End::Report("attempting double-free"));
}
