//! Random records with padding, and random initialisers for them: lists that leave out, repeat, override and reorder members,
//! constants and calls, compound literals, conditional and comma expressions.
//!
//! Left out is what C leaves open beyond padding, or Plumb refuses: `_Bool` members (they are filled with other numbers), ranges of
//! values with effects, and results of functions where they are returned in registers, which lose some padding.

use crate::oracle::{Arch, Random};
use std::fmt::Write;

const SCALARS: [&str; 8] = ["char", "short", "int", "long", "unsigned char", "float", "double", "long double"];
/// Types of bit-fields with the most bits that are used of them.
const BIT_FIELDS: [(&str, i64); 5] = [("int", 31), ("unsigned", 31), ("short", 15), ("char", 7), ("long", 30)];
const NUMBERS: [i64; 9] = [0, 0, 1, 1, 2, 3, 7, -1, 100];
/// Lists within lists become short from here on.
const DEEPEST: usize = 3;

#[derive(Clone)]
enum Type {
    Scalar(&'static str),
    Bits(&'static str, i64),
    Array(Box<Type>, usize),
    Record(usize),
}

struct Record {
    is_union: bool,
    is_packed: bool,
    members: Vec<Type>,
}

impl Record {
    fn keyword(&self) -> &'static str {
        if self.is_union { "union" } else { "struct" }
    }
}

struct Object {
    name: String,
    declaration: String,
    initialiser: String,
}

/// Records, and objects that are initialised.
pub struct Program {
    definitions: String,
    filling: String,
    objects: Vec<Object>,
}

pub fn program(random: &mut Random, arch: Arch) -> Program {
    let mut generator = Generator { random, arch, records: Vec::new() };
    for _ in 0..generator.random.between(1, 3) {
        let record = generator.record();
        generator.records.push(record);
    }
    let objects = (0..generator.random.between(1, 3)).map(|i| generator.object(i)).collect();
    let mut definitions =
        "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n".to_string();
    definitions += "int two = 2;\nint same(int x) { return x; }\n";
    let mut filling = String::new();
    for (i, record) in generator.records.iter().enumerate() {
        let keyword = record.keyword();
        let members = record.members.iter().enumerate().map(|(m, ty)| generator.declare(ty, &format!("m{m}")) + "; ");
        let attribute = if record.is_packed { " __attribute__((packed))" } else { "" };
        let _ = writeln!(definitions, "{keyword} R{i} {{ {}}}{attribute};", members.collect::<String>());
        let _ = writeln!(definitions, "{keyword} R{i} one{i}, other{i};");
        let _ = writeln!(definitions, "{keyword} R{i} result{i}(void) {{ return one{i}; }}");
        let _ =
            writeln!(filling, "    memset(&one{i}, 0x55, sizeof one{i}); memset(&other{i}, 0x66, sizeof other{i});");
    }
    Program { definitions, filling, objects }
}

impl Program {
    fn initialised(&self) -> String {
        self.objects.iter().map(|o| format!("    {} = {};\n", o.declaration, o.initialiser)).collect()
    }

    /// Fills the stack with the byte that is its argument, and prints the bytes of the objects. The frame of the function in the middle
    /// keeps what calls leave on the stack away from theirs.
    pub fn that_prints(&self) -> String {
        let mut text = self.definitions.clone();
        let print = |o: &Object| {
            format!(
                "    for (unsigned i = 0; i < sizeof {0}; i++) printf(\"%d \", ((unsigned char *)&{0})[i]);\n    puts(\"\");\n",
                o.name
            )
        };
        let prints: String = self.objects.iter().map(print).collect();
        let _ = writeln!(text, "void fill(int byte) {{ char stack[8192]; memset(stack, byte, sizeof stack); }}");
        let _ = writeln!(text, "void objects(void) {{\n{}{prints}}}", self.initialised());
        let _ =
            writeln!(text, "void apart(void) {{ volatile char frame[512]; frame[0] = 0; objects(); frame[1] = 0; }}");
        let filling = &self.filling;
        let _ = writeln!(text, "int main(int argc, char **argv) {{\n{filling}    fill(strtol(argv[1], 0, 16));");
        let _ = writeln!(text, "    apart();\n    return 0;\n}}");
        text
    }

    /// The places of the bytes that the program prints.
    pub fn places(&self, bytes: &[Vec<u8>]) -> impl Iterator<Item = String> {
        let sizes: Vec<(String, usize)> =
            self.objects.iter().zip(bytes).map(|(object, bytes)| (object.name.clone(), bytes.len())).collect();
        sizes.into_iter().flat_map(|(name, size)| (0..size).map(move |i| format!("((unsigned char *)&{name})[{i}]")))
    }

    pub fn that_asserts(&self, assertions: &str) -> String {
        let Program { definitions, filling, .. } = self;
        format!("{definitions}int main(void) {{\n{filling}{}{assertions}    return 0;\n}}\n", self.initialised())
    }
}

struct Generator<'a> {
    random: &'a mut Random,
    arch: Arch,
    records: Vec<Record>,
}

impl Generator<'_> {
    fn record(&mut self) -> Record {
        let members = (0..self.random.between(1, 4)).map(|_| self.member()).collect();
        Record { is_union: self.random.chance(15), is_packed: self.random.chance(10), members }
    }

    fn member(&mut self) -> Type {
        let scalar = Type::Scalar(self.random.pick(&SCALARS));
        match self.random.below(100) {
            0..45 => scalar,
            45..58 => {
                let (name, most) = self.random.pick(&BIT_FIELDS);
                Type::Bits(name, self.random.between(1, most))
            }
            58..72 => Type::Array(Box::new(scalar), self.random.between(1, 4) as usize),
            _ if self.records.is_empty() => scalar,
            other => {
                let record = Type::Record(self.random.below(self.records.len()));
                match other < 80 {
                    true => Type::Array(Box::new(record), self.random.between(1, 3) as usize),
                    false => record,
                }
            }
        }
    }

    fn declare(&self, ty: &Type, name: &str) -> String {
        match ty {
            Type::Scalar(scalar) => format!("{scalar} {name}"),
            Type::Bits(scalar, width) => format!("{scalar} {name} : {width}"),
            Type::Array(elem, count) => self.declare(elem, &format!("{name}[{count}]")),
            Type::Record(i) => format!("{} R{i} {name}", self.records[*i].keyword()),
        }
    }

    fn object(&mut self, number: i64) -> Object {
        let name = format!("v{number}");
        let record = self.random.below(self.records.len());
        let (ty, initialiser) = match self.random.below(100) {
            0..15 => (Type::Record(record), self.record_value(record, 0)),
            15..45 => {
                let ty = Type::Array(Box::new(Type::Record(record)), self.random.between(1, 3) as usize);
                let list = self.list(&ty, 0);
                (ty, list)
            }
            _ => (Type::Record(record), self.list(&Type::Record(record), 0)),
        };
        Object { declaration: self.declare(&ty, &name), name, initialiser }
    }

    fn initialiser(&mut self, ty: &Type, depth: usize) -> String {
        match ty {
            Type::Scalar(_) | Type::Bits(..) if self.random.chance(5) => format!("{{ {} }}", self.number()),
            Type::Scalar(_) | Type::Bits(..) => self.number(),
            Type::Record(record) if self.random.chance(45) => self.record_value(*record, depth),
            Type::Record(_) | Type::Array(..) => self.list(ty, depth),
        }
    }

    fn number(&mut self) -> String {
        let number = self.random.pick(&NUMBERS);
        match self.random.below(10) {
            0..5 => number.to_string(),
            5 | 6 => format!("same({number})"),
            7 => format!("(same(1), {number})"),
            8 => format!("(same({}) ? {number} : 5)", self.random.below(2)),
            _ => "two".to_string(),
        }
    }

    /// An expression whose value is a record.
    fn record_value(&mut self, record: usize, depth: usize) -> String {
        let ty = format!("{} R{record}", self.records[record].keyword());
        match self.random.below(20) {
            0..6 => format!("one{record}"),
            6..9 => format!("(same(1), one{record})"),
            9..12 => format!("(same({}) ? one{record} : other{record})", self.random.below(2)),
            12 | 13 if self.arch == Arch::Ilp32 => format!("result{record}()"),
            12..16 => format!("*&other{record}"),
            16 | 17 => format!("({ty}) {}", self.list(&Type::Record(record), depth + 1)),
            _ => format!("(same(1), ({ty}) {})", self.list(&Type::Record(record), depth + 1)),
        }
    }

    fn list(&mut self, ty: &Type, depth: usize) -> String {
        let items = match ty {
            _ if depth > DEEPEST => vec!["0".to_string()],
            Type::Array(elem, count) => self.elements(elem, *count, depth),
            Type::Record(record) => self.members(*record, depth),
            Type::Scalar(_) | Type::Bits(..) => vec![self.number()],
        };
        format!("{{ {} }}", items.join(", "))
    }

    fn elements(&mut self, elem: &Type, count: usize, depth: usize) -> Vec<String> {
        let given = if self.random.chance(60) { count } else { self.random.between(1, count as i64) as usize };
        let mut items = Vec::new();
        for i in 0..given {
            let is_scalar = matches!(elem, Type::Scalar(_));
            match self.random.below(100) {
                0..10 => items.push(format!("[{i}] = {}", self.initialiser(elem, depth + 1))),
                10..17 if is_scalar && i + 1 < count => {
                    items.push(format!("[{i} ... {}] = {}", count - 1, self.random.pick(&NUMBERS)));
                    break;
                }
                _ => items.push(self.initialiser(elem, depth + 1)),
            }
        }
        items
    }

    fn members(&mut self, record: usize, depth: usize) -> Vec<String> {
        let mut members: Vec<(usize, Type)> = self.records[record].members.iter().cloned().enumerate().collect();
        if self.records[record].is_union {
            let (i, ty) = self.random.pick(&members);
            return vec![format!(".m{i} = {}", self.initialiser(&ty, depth + 1))];
        }
        let given = match self.random.chance(70) {
            true => members.len(),
            false => self.random.between(1, members.len() as i64) as usize,
        };
        if !self.random.chance(25) {
            members.truncate(given);
            return members.iter().map(|(_, ty)| self.initialiser(ty, depth + 1)).collect();
        }
        self.random.shuffle(&mut members);
        let overrides = self.random.chance(30).then(|| self.random.pick(&members));
        members.truncate(given);
        members.extend(overrides);
        members.iter().map(|(i, ty)| format!(".m{i} = {}", self.initialiser(ty, depth + 1))).collect()
    }
}
