//! Programs over `float` and `double`: arithmetic, comparisons, conversions, functions of `math.h` that every machine
//! computes alike. Numbers come from small tables, with infinities, NaN, denormals and both zeros among them. A NaN's bits
//! are never looked at.

use crate::oracle::Random;
use crate::sample::{Mode, Sample};
use crate::template::{ASSERTIONS, Template};
use std::fmt::Write;

const TABLE: [&str; 24] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.5",
    "0.1",
    "-2.5",
    "3.0",
    "7.25",
    "1e10",
    "-1e-3",
    "16777217.0",
    "1e38",
    "1e-40",
    "-1e-45",
    "INFINITY",
    "-INFINITY",
    "NAN",
    "1.17549435e-38",
    "3.4028235e38",
    "2147483648.0",
    "255.5",
    "1e-300",
    "0.3333",
];

const ONE: [&str; 9] = ["fabs", "sqrt", "floor", "ceil", "trunc", "round", "rint", "fabs", "nearbyint"];
const TWO: [&str; 4] = ["fmin", "fmax", "copysign", "fdim"];
const CLASSES: [&str; 5] = ["isnan", "isinf", "isfinite", "signbit", "isnormal"];

const PRELUDE: &str = r"
#include <math.h>
#include <string.h>
static int bits_of_float(float x) { int i; memcpy(&i, &x, sizeof i); return x != x ? 1 : i; }
static long long bits_of_double(double x)
{
    union { double x; long long i; } u = { x };
    return x != x ? 1 : u.i & 0x7fffffffffffffffLL;
}
";

struct Floats<'a> {
    random: &'a mut Random,
    floats: Vec<String>,
    doubles: Vec<String>,
    ints: Vec<String>,
    fresh: usize,
    out: String,
}

pub fn generate(random: &mut Random) -> Sample {
    let assertion = random.pick(&ASSERTIONS);
    let (floats, doubles, ints) = (Vec::new(), Vec::new(), Vec::new());
    let mut make = Floats { random, floats, doubles, ints, fresh: 0, out: String::new() };
    for _ in 0..1 + make.random.below(2) {
        make.input();
    }
    for _ in 0..1 + make.random.below(3) {
        make.statement();
    }
    let seen = make.integer(1);
    let text = format!(
        "{PRELUDE}\n@main@\n{{\n{}    long long seen = {seen};\n    @check 0 seen@;\n    return 0;\n}}\n",
        make.out
    );
    Sample { template: Template { text, assertion }, checks: 1, mode: Mode::Once, flags: &[] }
}

impl Floats<'_> {
    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "    {text}");
    }

    fn declare(&mut self, value: &str, is_double: bool) {
        let name = self.name("x");
        self.line(&format!("{} {name} = {value};", if is_double { "double" } else { "float" }));
        if is_double { self.doubles.push(name) } else { self.floats.push(name) }
    }

    fn is_double(&mut self) -> bool {
        self.random.chance(30)
    }

    /// A number chosen by an input.
    fn input(&mut self) {
        let (index, bound) = (self.name("in"), self.random.pick(&[2, 4, 4, 8]));
        self.line(&format!("unsigned {index} = @in uchar {bound}@;"));
        let is_double = self.is_double();
        match self.random.below(4) {
            0 => self.declare(&format!("{index} * 0.75 - 1"), is_double),
            1 => {
                let (one, other) = (self.random.pick(&TABLE), self.random.pick(&TABLE));
                self.declare(&format!("{index} == 1 ? {one} : {other}"), is_double);
            }
            _ => {
                let table = self.name("table");
                let values: Vec<&str> = (0..bound).map(|_| self.random.pick(&TABLE)).collect();
                let ty = if is_double { "double" } else { "float" };
                self.line(&format!("static const {ty} {table}[{bound}] = {{ {} }};", values.join(", ")));
                self.declare(&format!("{table}[{index}]"), is_double);
            }
        }
        self.ints.push(index);
    }

    fn statement(&mut self) {
        let is_double = self.is_double();
        let value = self.float(2, is_double);
        match self.random.below(5) {
            0 => {
                let count = self.random.pick(&self.ints);
                let names = if is_double { &self.doubles } else { &self.floats };
                let Some(target) = names.first().cloned() else { return self.declare(&value, is_double) };
                let step = self.float(1, is_double);
                self.line(&format!("for (unsigned i = 0; i < ({count} & 3); i++) {target} += {step};"));
            }
            1 => {
                let (condition, name) = (self.comparison(), self.name("x"));
                let ty = if is_double { "double" } else { "float" };
                let start = self.random.pick(&TABLE);
                self.line(&format!("{ty} {name} = {start};"));
                self.line(&format!("if ({condition}) {name} = {value};"));
                if is_double { self.doubles.push(name) } else { self.floats.push(name) }
            }
            2 => {
                let (value, name) = (self.integer(1), self.name("i"));
                self.line(&format!("int {name} = (int)({value});"));
                self.ints.push(name);
            }
            _ => self.declare(&value, is_double),
        }
    }

    fn leaf(&mut self, is_double: bool) -> String {
        let names = if is_double { &self.doubles } else { &self.floats };
        match self.random.below(8) {
            0 => format!("({})({})", if is_double { "double" } else { "float" }, self.random.pick(&TABLE)),
            1 => format!("({}){}", if is_double { "double" } else { "float" }, self.random.pick(&self.ints)),
            _ if !names.is_empty() => self.random.pick(names),
            _ if is_double => format!("(double){}", self.floats.first().map_or("1.5f", |name| name)),
            _ => format!("(float){}", self.doubles.first().map_or("1.5", |name| name)),
        }
    }

    fn float(&mut self, depth: usize, is_double: bool) -> String {
        if depth == 0 {
            return self.leaf(is_double);
        }
        let a = self.float(depth - 1, is_double);
        let suffix = if is_double { "" } else { "f" };
        match self.random.below(10) {
            0..=3 => format!("({a} {} {})", self.random.pick(&["+", "-", "*", "/"]), self.leaf(is_double)),
            4 => format!("{}{suffix}({a})", self.random.pick(&ONE)),
            5 => {
                let function = self.random.pick(&TWO);
                format!("{function}{suffix}({a}, {})", self.leaf(is_double))
            }
            6 => format!("-({a})"),
            7 => {
                let condition = self.comparison();
                format!("({condition} ? {a} : {})", self.leaf(is_double))
            }
            8 if is_double => format!("(double)(float){a}"),
            8 => format!("(float)((double){a} * {})", self.random.pick(&["0.1", "3.0", "1e-3"])),
            _ => a,
        }
    }

    fn comparison(&mut self) -> String {
        let is_double = self.is_double();
        let (a, b) = (self.leaf(is_double), self.leaf(is_double));
        format!("({a} {} {b})", self.random.pick(&["<", "<=", ">", ">=", "==", "!="]))
    }

    fn integer(&mut self, depth: usize) -> String {
        let is_double = self.is_double();
        let a = self.float(depth, is_double);
        let name = if is_double { "double" } else { "float" };
        match self.random.below(6) {
            0 => {
                let b = self.leaf(is_double);
                format!("({a} < {b}) + 2 * ({a} == {b}) + 4 * ({a} > {b})")
            }
            1 => {
                let class = self.random.pick(&CLASSES);
                format!("2 * ({class}({a}) != 0) + {}", self.comparison())
            }
            2 => {
                let ty = self.random.pick(&["int", "unsigned", "short", "long long", "unsigned char"]);
                format!("({a} > -0.5 && {a} < 250.0 ? ({ty})({a}) : 251)")
            }
            3 => format!("(fabs({a}) < 1e6 ? (int)({a} * 4) : 3)"),
            _ => format!("bits_of_{name}({a})"),
        }
    }
}
