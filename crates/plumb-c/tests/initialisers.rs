//! Initialisers of static objects as bytes. The bytes are those of gcc 12 with -m64.

mod front;

use front::{analyse, global, link, mistakes};
use plumb_c::hir::{GlobalInit, Program, StaticValue};
use plumb_c::target::Target;

/// The initial bytes in hexadecimal, each byte of an address as `**`.
fn bytes(program: &Program, name: &str) -> String {
    let global = global(program, name);
    let size = program.types.size_of(global.ty.ty).unwrap() as usize;
    let mut memory = vec![Some(0u8); size];
    let mut put = |at: usize, byte: Option<u8>| {
        if at >= memory.len() {
            memory.resize(at + 1, Some(0));
        }
        memory[at] = byte;
    };
    let GlobalInit::Data(parts) = &global.init else { panic!("{name} has no initialiser") };
    let mut bit_fields = Vec::new();
    for part in parts {
        let at = part.offset as usize;
        match &part.value {
            StaticValue::Int { value, bytes } => {
                (0..*bytes as usize).for_each(|i| put(at + i, Some((value >> (8 * i)) as u8)));
            }
            StaticValue::Bytes(raw) => raw.iter().enumerate().for_each(|(i, b)| put(at + i, Some(*b))),
            StaticValue::Address { .. } => (0..8).for_each(|i| put(at + i, None)),
            StaticValue::Bits { value, range } => bit_fields.push((at, *value, *range)),
        }
    }
    for (at, value, range) in bit_fields {
        for i in 0..range.width {
            let bit = range.start + i;
            let byte = memory[at + bit as usize / 8].as_mut().unwrap();
            *byte |= ((value >> i & 1) as u8) << (bit % 8);
        }
    }
    memory.iter().map(|b| b.map_or("**".to_string(), |b| format!("{b:02x}"))).collect()
}

fn check(cases: &[(&str, &str)]) {
    for (declaration, expected) in cases {
        let text = format!(
            "struct P {{ char x, y; }}; struct Q {{ struct P a, b; char c[3]; }};
             union U {{ char c; short s; struct P p; }}; {declaration};"
        );
        assert_eq!(bytes(&link(&[&text]), "v"), *expected, "{declaration}");
    }
}

#[test]
fn braces_may_be_left_out() {
    check(&[
        ("struct Q v = {1, 2, 3, 4, 5, 6, 7}", "01020304050607"),
        ("struct Q v = {{1}, {2}, {3}}", "01000200030000"),
        ("char v[2][3] = {1, 2, 3, 4}", "010203040000"),
        ("char v[2][2][2] = {{{1}, 2, 3}, 4}", "0100020304000000"),
        ("struct P v[] = {{1, 2}, 3, 4}", "01020304"),
        ("int v = {{5}}", "05000000"),
        ("struct { struct {} e; char c; } v = {{}, 5}", "05"),
    ]);
}

#[test]
fn designators_move_the_place_and_the_list_goes_on_from_there() {
    check(&[
        ("struct Q v = {.b.y = 9, 10, 11, .a = {1, 2}, 3}", "010203090a0b00"),
        ("char v[] = {[5] = 1, 2, [1] = 3}", "00030000000102"),
        ("char v[6] = {[2 ... 4] = 7, [3] = 1}", "000007010700"),
        ("char v[2][3] = {[1][1] = 5, 6}", "000000000506"),
        ("struct P v[4] = {[0 ... 2] = {1, 2}, [1].x = 5}", "0102050201020000"),
        ("struct { int k; union { char i; short s; }; struct { char x, y; }; } v = {.x = 1, 2}", "0000000000000102"),
    ]);
}

#[test]
fn a_later_item_replaces_what_an_earlier_one_said() {
    check(&[
        ("struct Q v = {.a = {1, 2}, .a.y = 3}", "01030000000000"),
        ("struct Q v = {.a.y = 3, .a = {1}}", "01000000000000"),
        ("char v[3] = {1, 2, 3, [0] = 9, 8}", "090803"),
        ("union U v = {.s = -1, .c = 1}", "0100"),
        ("union U v = {.p.x = 1, .p.y = 2}", "0102"),
    ]);
}

#[test]
fn strings_fill_arrays_of_characters() {
    check(&[
        ("char v[] = \"hi\"", "686900"),
        ("char v[2] = \"hi\"", "6869"),
        ("char v[4] = {\"hi\"}", "68690000"),
        ("char v[][3] = {\"ab\", \"cdef\"}", "616200636465"),
        ("struct { char n[3]; char k; } v[] = {\"ab\", 1, \"cd\", 2}", "6162000163640002"),
        ("__typeof__(L'x') v[] = L\"\\x1234\"", "3412000000000000"),
    ]);
}

#[test]
fn values_are_converted_and_addresses_stay_symbolic() {
    check(&[
        ("_Bool v = 42", "01"),
        ("unsigned char v = 300", "2c"),
        ("float v = 3.25", "00005040"),
        ("long double v = 1.5L", "00000000000000c0ff3f000000000000"),
        ("struct { unsigned a : 3; int : 5; int b : 7; _Bool c : 1; } v = {1, -2, 7}", "01fe0000"),
        ("char *v[2] = {\"x\"}", "****************0000000000000000"),
        ("int a[3]; long v = (long)&a[1]", "****************"),
        ("struct P *v = (struct P[]){{1, 2}, {3, 4}}", "****************"),
        ("struct P v = (struct P){3, 4}", "0304"),
        ("char v[] = (char[]){1, 2, 3}", "010203"),
        ("struct { char n; char d[]; } v = {3, {1, 2}}", "030102"),
    ]);
}

#[test]
fn a_large_array_takes_time_in_proportion() {
    let text = format!("int v[] = {{{}}};", "7,".repeat(100_000));
    let program = link(&[&text]);
    assert_eq!(program.types.size_of(global(&program, "v").ty.ty), Some(400_000));
}

#[test]
fn wrong_initialisers_are_told() {
    let told = |text: &str, part: &str| {
        let messages = mistakes(&[text]);
        assert!(messages.iter().any(|m| m.contains(part)), "{text}: {messages:?}");
    };
    told("int f(void); int v = f();", "not constant");
    told("struct { int a; } v = {.b = 1};", "no member 'b'");
    told("int v[2] = {[2] = 1};", "outside the array");
    told("int v[] = 5;", "array cannot be initialised");
    told("int a[2]; int v = (int)a;", "address");
    told("void f(int n) { int a[n] = {1}; }", "variable length");
    told("void f(void) { struct { int n; int a[]; } s = {1, {2}}; }", "flexible array");
    assert!(analyse(&["int v[2] = {1, 2, 3};"], None, Target::LP64).is_ok(), "gcc only warns");
}
