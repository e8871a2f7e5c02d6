//! Layout of structs and unions. The numbers are those of gcc 12 with -m32 and -m64.

mod front;

use front::analyse;
use plumb_c::hir::Program;
use plumb_c::target::Target;
use plumb_c::types::{Record, Type};
use std::fmt::Write;

const RECORDS: &str = r#"
struct Mixed { char c; long long l; short s; double d; char t; };
struct Bits { unsigned a : 3; unsigned b : 30; char c; long long d : 20; int : 0; _Bool e : 1; };
struct Wide { int a; long long b : 40; long long c : 40; };
struct Tight { char c; int i : 20; long long l : 50; short s; } __attribute__((packed));
struct Part { char c; int i __attribute__((packed)); int j; short k __attribute__((packed, aligned(2))); };
struct Over { char c __attribute__((aligned(16))); int i; } __attribute__((aligned(4)));
struct Anon { int a; union { char b; double d; }; struct { char e; int f; }; };
struct Flex { char n; long long data[]; };
struct Empty { };
struct Holds { struct Empty e; char c; int z[0]; };
union Both { char c[5]; int i; long double x; };
#pragma pack(push, 2)
struct Packed2 { char c; int i; double d; int b : 7; int d2 : 30; };
#pragma pack(pop)
typedef long long Low __attribute__((aligned(4)));
typedef int High __attribute__((aligned(16)));
struct Typedefs { char c; Low l; char d; High h; };
enum Small { A, B } __attribute__((packed));
enum Huge { C = 0x100000000 };
struct Enums { enum Small s; enum Huge h; enum Small f : 3; };
struct Unnamed { char a; int : 5; char b; };
"#;

/// Size, alignment, then each member at its byte, or for a bit-field at its first bit with its width.
const ILP32: &str = "\
Mixed 28 4 : c@0 l@4 s@12 d@16 t@24
Bits 16 4 : a@0+3 b@32+30 c@8 d@72+20 e@96+1
Wide 16 4 : a@0 b@32+40 c@72+40
Tight 12 1 : c@0 i@8+20 l@28+50 s@10
Part 16 4 : c@0 i@1 j@8 k@12
Over 16 16 : c@0 i@4
Anon 20 4 : a@0 b@4 d@4 e@12 f@16
Flex 4 4 : n@0 data@4
Empty 0 1 :
Holds 4 4 : e@0 c@0 z@4
Both 12 4 : c@0 i@0 x@0
Packed2 20 2 : c@0 i@2 d@6 b@112+7 d2@119+30
Typedefs 32 16 : c@0 l@4 d@12 h@16
Enums 16 4 : s@0 h@4 f@96+3
Unnamed 3 1 : a@0 b@2
";

const LP64: &str = "\
Mixed 40 8 : c@0 l@8 s@16 d@24 t@32
Bits 16 8 : a@0+3 b@32+30 c@8 d@72+20 e@96+1
Wide 24 8 : a@0 b@64+40 c@128+40
Tight 12 1 : c@0 i@8+20 l@28+50 s@10
Part 16 4 : c@0 i@1 j@8 k@12
Over 16 16 : c@0 i@4
Anon 24 8 : a@0 b@8 d@8 e@16 f@20
Flex 8 8 : n@0 data@8
Empty 0 1 :
Holds 4 4 : e@0 c@0 z@4
Both 16 16 : c@0 i@0 x@0
Packed2 20 2 : c@0 i@2 d@6 b@112+7 d2@119+30
Typedefs 32 16 : c@0 l@4 d@12 h@16
Enums 24 8 : s@0 h@8 f@128+3
Unnamed 3 1 : a@0 b@2
";

#[test]
fn members_lie_where_gcc_puts_them() {
    assert_eq!(layouts(RECORDS, Target::ILP32), ILP32);
    assert_eq!(layouts(RECORDS, Target::LP64), LP64);
}

#[test]
fn avr_aligns_nothing() {
    let text = "struct S { char c; long l; double d; int i : 9; int j : 9; long long m; };";
    assert_eq!(layouts(text, Target::AVR), "S 20 1 : c@0 l@1 d@5 i@72+9 j@81+9 m@12\n");
}

#[test]
fn enums_take_the_type_that_holds_their_values() {
    let text = "enum A { A1 }; enum B { B1 = -1 }; enum C { C1 = 0x80000000 }; enum D { D1 = -1, D2 = 0x80000000 };
                _Static_assert(sizeof(enum A) == 4 && (enum A)-1 > 0, \"unsigned int\");
                _Static_assert(sizeof(enum B) == 4 && (enum B)-1 < 0, \"int\");
                _Static_assert(sizeof(enum C) == 4 && (enum C)-1 > 0, \"unsigned int\");
                _Static_assert(sizeof(enum D) == 8 && (enum D)-1 < 0, \"long\");
                _Static_assert(_Generic(A1, int: 1, default: 0) && _Generic(D2, enum D: 1, default: 0), \"enumerators\");";
    analyse(&[text], None, Target::LP64).unwrap();
}

fn layouts(text: &str, target: Target) -> String {
    let program = analyse(&[text], None, target).unwrap();
    let mut out = String::new();
    for record in program.types.records.iter().filter(|r| r.tag.is_some()) {
        let body = record.body.as_ref().unwrap();
        let name = program.names.text(record.tag.unwrap());
        write!(out, "{name} {} {} :", body.size, body.align).unwrap();
        members(&program, record, 0, &mut out);
        out.push('\n');
    }
    out
}

/// Named members, those of anonymous ones in their place.
fn members(program: &Program, record: &Record, base: u64, out: &mut String) {
    for field in &record.body.as_ref().unwrap().fields {
        let offset = base + field.offset;
        match (field.name, field.bits, program.types.get(field.ty.ty)) {
            (Some(name), None, _) => write!(out, " {}@{offset}", program.names.text(name)).unwrap(),
            (Some(name), Some(bits), _) => {
                let first = offset * 8 + u64::from(bits.start);
                write!(out, " {}@{first}+{}", program.names.text(name), bits.width).unwrap();
            }
            (None, None, Type::Record(inner)) => members(program, program.types.record(*inner), offset, out),
            (None, ..) => {}
        }
    }
}
