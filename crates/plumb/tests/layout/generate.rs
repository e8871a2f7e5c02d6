//! Random definitions of structs, unions and enums: all scalar types, bit-fields of every type and width, zero-width and
//! unnamed ones, `packed` and `aligned` on types and members, `#pragma pack`, anonymous members, arrays,
//! nesting and flexible ends.

use crate::oracle::{Arch, Random};
use std::fmt::Write;

/// A generated record.
pub struct Record {
    /// `struct r3` or `union r3`.
    pub name: String,
    /// Definition with the pragmas around it.
    pub text: String,
    /// Paths of members whose offset can be taken.
    pub members: Vec<String>,
    /// Paths of bit-fields that can be assigned.
    pub bit_fields: Vec<String>,
    flexible: bool,
}

const INTEGERS: [(&str, i64); 12] = [
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 0),
    ("unsigned long", 0),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
];

const OTHERS: [&str; 9] =
    ["float", "double", "long double", "void *", "char *", "enum small", "enum wide", "aligned_int", "aligned_char"];

/// Types that the records use.
pub const PRELUDE: &str = "\
enum small { small_a, small_b = 200 };
enum negative { negative_a = -1, negative_b = 7 };
enum wide { wide_a = 0x100000000LL, wide_b };
enum __attribute__((packed)) tiny { tiny_a, tiny_b = 255 };
typedef int aligned_int __attribute__((aligned(16)));
typedef char aligned_char __attribute__((aligned(4)));
typedef int under_aligned __attribute__((aligned(2)));
";

pub struct Generator<'a> {
    pub random: &'a mut Random,
    pub arch: Arch,
    pub done: Vec<Record>,
}

impl Generator<'_> {
    pub fn record(&mut self) {
        let number = self.done.len();
        let is_union = self.random.chance(20);
        let keyword = if is_union { "union" } else { "struct" };
        let name = format!("{keyword} r{number}");
        let mut record = Record {
            name: name.clone(),
            text: String::new(),
            members: Vec::new(),
            bit_fields: Vec::new(),
            flexible: false,
        };
        let pack = if self.random.chance(15) { Some(self.random.pick(&[1, 2, 4, 8, 16])) } else { None };
        if let Some(pack) = pack {
            let _ = writeln!(record.text, "#pragma pack(push, {pack})");
        }
        let before = if self.random.chance(15) { self.attribute() } else { String::new() };
        let after = if self.random.chance(15) { self.attribute() } else { String::new() };
        let mut body = String::new();
        let mut counter = 0;
        self.members(&mut record, &mut body, "", &mut counter, 0, is_union);
        let _ = writeln!(record.text, "{keyword} {before} r{number} {{\n{body}}} {after};");
        if pack.is_some() {
            record.text += "#pragma pack(pop)\n";
        }
        self.done.push(record);
    }

    fn attribute(&mut self) -> String {
        match self.random.below(4) {
            0 | 1 => "__attribute__((packed))".to_string(),
            2 => format!("__attribute__((aligned({})))", self.random.pick(&[1, 2, 4, 8, 16, 32])),
            _ => format!("__attribute__((packed, aligned({})))", self.random.pick(&[1, 2, 4, 8])),
        }
    }

    /// Members of one brace level; `prefix` is the path to it.
    fn members(
        &mut self,
        record: &mut Record,
        body: &mut String,
        prefix: &str,
        counter: &mut usize,
        depth: usize,
        is_union: bool,
    ) {
        let count = self.random.between(1, 7);
        for index in 0..count {
            let name = format!("m{counter}");
            *counter += 1;
            let path = format!("{prefix}{name}");
            let last = index + 1 == count;
            match self.random.below(20) {
                0..=8 => self.bit_field(record, body, name, path),
                9..=13 => {
                    let ty = self.scalar();
                    let attribute = if self.random.chance(15) { self.attribute() } else { String::new() };
                    let dimension = match self.random.below(10) {
                        0 => format!("[{}]", self.random.between(1, 5)),
                        1 => format!("[{}][{}]", self.random.between(1, 3), self.random.between(1, 3)),
                        _ => String::new(),
                    };
                    // An array element must not be aligned beyond its size.
                    let ty = if dimension.is_empty() { ty } else { "short" };
                    let _ = writeln!(body, "  {ty} {name}{dimension} {attribute};");
                    record.members.push(path);
                }
                14..=15 if depth < 2 => {
                    let inner_union = self.random.chance(40);
                    let keyword = if inner_union { "union" } else { "struct" };
                    let anonymous = self.random.chance(60);
                    let attribute = if self.random.chance(15) { self.attribute() } else { String::new() };
                    let inner_prefix = if anonymous { prefix.to_string() } else { format!("{path}.") };
                    let _ = writeln!(body, "  {keyword} {{");
                    self.members(record, body, &inner_prefix, counter, depth + 1, inner_union);
                    let _ = writeln!(body, "  }} {attribute} {};", if anonymous { "" } else { &name });
                    if !anonymous {
                        record.members.push(path);
                    }
                }
                16..=17 if self.done.iter().any(|r| !r.flexible) => {
                    let usable: Vec<usize> = (0..self.done.len()).filter(|&i| !self.done[i].flexible).collect();
                    let other = &self.done[self.random.pick(&usable)].name;
                    let _ = writeln!(body, "  {other} {name};");
                    record.members.push(path);
                }
                18 if depth == 0 && !is_union && last && index > 0 && !record.members.is_empty() => {
                    let ty = self.random.pick(&["char", "int", "double", "long long"]);
                    let _ = writeln!(body, "  {ty} {name}[];");
                    record.members.push(path);
                    record.flexible = true;
                }
                _ => {
                    let ty = self.scalar();
                    let _ = writeln!(body, "  {ty} {name};");
                    record.members.push(path);
                }
            }
        }
    }

    fn scalar(&mut self) -> &'static str {
        if self.random.chance(60) {
            INTEGERS[self.random.below(INTEGERS.len())].0
        } else if self.arch == Arch::Lp64 && self.random.chance(10) {
            "__int128"
        } else if self.random.chance(15) {
            self.random.pick(&["enum tiny", "enum negative", "under_aligned"])
        } else {
            self.random.pick(&OTHERS)
        }
    }

    fn bit_field(&mut self, record: &mut Record, body: &mut String, name: String, path: String) {
        let (ty, bits) = match self.random.below(12) {
            0 => ("enum small", 32),
            1 => ("enum negative", 32),
            _ => self.random.pick(&INTEGERS),
        };
        let bits = match (bits, self.arch) {
            (0, Arch::Ilp32) => 32,
            (0, Arch::Lp64) => 64,
            (bits, _) => bits,
        };
        if self.random.chance(12) {
            // The least width that an enum's values need is 8.
            let width = if self.random.chance(50) { 0 } else { self.random.between(1, bits) };
            let _ = writeln!(body, "  {} : {width};", if ty.starts_with("enum") { "int" } else { ty });
            return;
        }
        let lowest = if ty.starts_with("enum") { 8 } else { 1 };
        let width = self.random.between(lowest, bits);
        let attribute = match self.random.below(20) {
            0 | 1 => "__attribute__((packed))".to_string(),
            2 => format!("__attribute__((aligned({})))", self.random.pick(&[1, 2, 4, 8, 16])),
            _ => String::new(),
        };
        let _ = writeln!(body, "  {ty} {name} : {width} {attribute};");
        record.bit_fields.push(path);
    }
}
