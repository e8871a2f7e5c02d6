//! Expressions and statements over integers, which the generators of several kinds share. Nothing in them is undefined:
//! subscripts and shift counts are masked, divisors are not zero, every loop has a counter of its own, and side effects
//! stand only where C says in what order they happen. Signed overflow wraps.

use crate::oracle::Random;

pub const TYPES: [&str; 10] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long long",
    "long long",
    "_Bool",
];

const CONSTANTS: [&str; 22] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "15",
    "-1",
    "-2",
    "-5",
    "127",
    "128",
    "255",
    "-128",
    "256",
    "32767",
    "65535",
    "2147483647",
    "0x80000000u",
    "3u",
    "-1LL",
];

/// What the statements of a program can use. Names come and go with scopes, hence the two marks.
pub struct Ints<'a> {
    pub random: &'a mut Random,
    /// What can be read.
    pub values: Vec<String>,
    /// What can be assigned as well.
    pub targets: Vec<String>,
    /// Arrays with a number of elements that is a power of two.
    pub arrays: Vec<(String, usize)>,
    /// Functions of two integers without side effects.
    pub pure_functions: Vec<String>,
    /// Functions of one integer with side effects.
    pub actions: Vec<String>,
    /// Pointers, each with what may be assigned to it.
    pub pointers: Vec<(String, Vec<String>)>,
    /// Signed overflow, division by zero and shifts of negative numbers may happen: they are properties.
    pub careless: bool,
    pub fresh: usize,
}

impl<'a> Ints<'a> {
    pub fn new(random: &'a mut Random) -> Ints<'a> {
        Ints {
            random,
            values: Vec::new(),
            targets: Vec::new(),
            arrays: Vec::new(),
            pure_functions: Vec::new(),
            actions: Vec::new(),
            pointers: Vec::new(),
            careless: false,
            fresh: 0,
        }
    }

    pub fn ty(&mut self) -> &'static str {
        self.random.pick(&TYPES)
    }

    pub fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    /// An input that comes into a variable of some type, as a declaration.
    pub fn input(&mut self, bound: usize) -> String {
        let name = self.name("in");
        let kind = self.random.pick(&["uchar", "uchar", "char", "ushort", "int", "uint", "ulong"]);
        let ty = self.random.pick(&["unsigned char", "signed char", "int", "unsigned", "short", "long long"]);
        let marker = if bound == 2 && self.random.chance(40) {
            "@in bool 2@".to_string()
        } else {
            format!("@in {kind} {bound}@")
        };
        self.values.push(name.clone());
        format!("{ty} {name} = {marker};")
    }

    fn leaf(&mut self) -> String {
        match self.random.below(10) {
            0..=1 => {
                let constant = self.random.pick(&CONSTANTS).to_string();
                self.unfolded(&constant)
            }
            2 if !self.arrays.is_empty() => {
                let index = self.small_value();
                self.element(&index)
            }
            3..=5 if !self.values.is_empty() => self.random.pick(&self.values),
            _ if !self.targets.is_empty() => self.random.pick(&self.targets),
            _ => {
                let constant = self.random.between(0, 9).to_string();
                self.unfolded(&constant)
            }
        }
    }

    /// A constant. Where overflow is a property it is an object: gcc folds `(2147483647 + x) + 3u` into a sum of unsigned
    /// numbers, in which its sanitizer sees no overflow, although C has one.
    fn unfolded(&self, constant: &str) -> String {
        let ty = match constant {
            _ if !self.careless => return constant.to_string(),
            _ if constant.ends_with("LL") => "long long",
            _ if constant.ends_with('u') => "unsigned",
            _ => "int",
        };
        format!("({ty}){{{constant}}}")
    }

    /// A value on its way to a type that may be narrower. Where overflow is a property it is an object first: gcc computes what
    /// only the low bits are kept of in a narrower unsigned type, in which its sanitizer sees no overflow.
    pub fn unnarrowed(&self, value: String) -> String {
        if self.careless { format!("(long long){{{value}}}") } else { value }
    }

    /// An assignment whose operator comes with it, as an expression.
    fn compound(&self, target: &str, op: &str, value: &str) -> String {
        match self.careless && ["+=", "-=", "*="].contains(&op) {
            true => format!("{target} = {}", self.unnarrowed(format!("{target} {} {value}", &op[..1]))),
            false => format!("{target} {op} {value}"),
        }
    }

    fn small_value(&mut self) -> String {
        let all = self.values.len() + self.targets.len();
        match self.random.below(all + 1) {
            0 => self.random.below(4).to_string(),
            n if n <= self.values.len() => self.values[n - 1].clone(),
            n => self.targets[n - 1 - self.values.len()].clone(),
        }
    }

    fn element(&mut self, index: &str) -> String {
        let (array, size) = self.random.pick(&self.arrays);
        format!("{array}[{index} & {}]", size - 1)
    }

    /// A pure expression.
    pub fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(12) {
            return self.leaf();
        }
        let next = depth - 1;
        let a = self.expr(next);
        match self.random.below(24) {
            0..=4 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({a} {op} {})", self.expr(next))
            }
            5..=6 => {
                let op = self.random.pick(&["+", "-", "^"]);
                format!("({a} {op} {})", self.leaf())
            }
            7..=9 => format!("({a} {} {})", self.random.pick(&["<", "<=", ">", ">=", "==", "!="]), self.expr(next)),
            10..=11 => format!("({a} {} {})", self.random.pick(&["&&", "||"]), self.expr(next)),
            12..=13 => {
                let (b, c) = (self.expr(next), self.leaf());
                format!("({a} ? {b} : {c})")
            }
            14 => format!(
                "({a} {} ({} & {}))",
                self.random.pick(&["<<", ">>"]),
                self.small_value(),
                self.random.pick(&[3, 7, 15])
            ),
            15 => {
                let divisor = self.small_value();
                match self.careless {
                    true => format!("({a} {} {divisor})", self.random.pick(&["/", "%"])),
                    false => format!("({a} {} (({divisor} & 7) + 1))", self.random.pick(&["/", "%"])),
                }
            }
            16 => format!(
                "({a} {} {})",
                self.random.pick(&["/", "%"]),
                self.random.pick(&["2", "3", "5", "7u", "-3", "10L"])
            ),
            17..=18 => format!("({})({})", self.ty(), self.unnarrowed(a)),
            19..=20 => format!("{}({a})", self.random.pick(&["-", "~", "!"])),
            21 if !self.pure_functions.is_empty() => {
                let function = self.random.pick(&self.pure_functions);
                format!("{function}({}, {})", self.unnarrowed(a), self.leaf())
            }
            22 if !self.arrays.is_empty() => {
                let index = format!("({})", self.unnarrowed(a));
                self.element(&index)
            }
            _ => format!("({a} + {})", self.leaf()),
        }
    }

    /// A condition, at times with side effects between its sequence points.
    fn condition(&mut self) -> String {
        let a = self.expr(2);
        if self.targets.is_empty() || self.random.chance(75) {
            return a;
        }
        let target = self.random.pick(&self.targets);
        let value = self.expr(1);
        match self.random.below(4) {
            0 => format!("{a} && ({target} = {})", self.unnarrowed(value)),
            1 => format!("{a} || ({}, {})", self.compound(&target, "+=", &value), self.leaf()),
            2 => format!("{a} ? ({target})++ : {}", self.leaf()),
            _ => format!("({target} ^= {value}, {a})"),
        }
    }

    fn assignment(&mut self) -> String {
        let target = match self.random.chance(15) && !self.arrays.is_empty() {
            true => {
                let index = self.small_value();
                self.element(&index)
            }
            false if self.targets.is_empty() => return ";".to_string(),
            false => self.random.pick(&self.targets),
        };
        match self.random.below(10) {
            0 => format!("({target}){};", self.random.pick(&["++", "--"])),
            1..=3 => {
                let op = self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                let value = self.expr(1);
                format!("{};", self.compound(&target, op, &value))
            }
            4 => format!("{target} {} {};", self.random.pick(&["<<=", ">>="]), self.random.below(4)),
            5 if !self.actions.is_empty() => {
                let action = self.random.pick(&self.actions);
                let (target, value) = (self.plain_target(), self.expr(1));
                format!("{target} = {action}({});", self.unnarrowed(value))
            }
            _ => {
                let value = self.expr(2);
                format!("{target} = {};", self.unnarrowed(value))
            }
        }
    }

    /// A target that no action could move while it is being assigned.
    fn plain_target(&mut self) -> String {
        let plain: Vec<String> = self.targets.iter().filter(|t| !t.contains(['*', '>', '['])).cloned().collect();
        if plain.is_empty() { "int unused".to_string() } else { self.random.pick(&plain) }
    }

    /// Statements, a line each or a nested block.
    pub fn block(&mut self, count: usize, depth: usize, in_loop: bool, indent: usize) -> String {
        let marks = (self.values.len(), self.targets.len());
        let mut out = String::new();
        for _ in 0..count {
            let text = self.statement(depth, in_loop, indent);
            out += &format!("{:width$}{text}\n", "", width = indent * 4);
        }
        self.values.truncate(marks.0);
        self.targets.truncate(marks.1);
        out
    }

    fn nested(&mut self, depth: usize, in_loop: bool, indent: usize) -> String {
        let count = 1 + self.random.below(3);
        let body = self.block(count, depth - 1, in_loop, indent + 1);
        format!("{{\n{body}{:width$}}}", "", width = indent * 4)
    }

    fn statement(&mut self, depth: usize, in_loop: bool, indent: usize) -> String {
        if depth == 0 {
            return self.assignment();
        }
        match self.random.below(20) {
            0..=3 => {
                let condition = self.condition();
                let then = self.nested(depth, in_loop, indent);
                match self.random.chance(50) {
                    true => format!("if ({condition}) {then} else {}", self.nested(depth, in_loop, indent)),
                    false => format!("if ({condition}) {then}"),
                }
            }
            4..=5 => self.switch(depth, indent),
            6..=7 => self.bounded_loop(depth, indent),
            8 => {
                let (ty, name, value) = (self.ty(), self.name("v"), self.expr(2));
                self.targets.push(name.clone());
                format!("{ty} {name} = {};", self.unnarrowed(value))
            }
            9 if in_loop => format!("if ({}) {};", self.expr(1), self.random.pick(&["break", "continue"])),
            10..=11 if !self.pointers.is_empty() => {
                let (pointer, to) = self.random.pick(&self.pointers);
                let (one, other) = (self.random.pick(&to), self.random.pick(&to));
                match self.random.chance(50) {
                    true => format!("{pointer} = {one};"),
                    false => format!("{pointer} = {} ? {one} : {other};", self.expr(1)),
                }
            }
            _ => self.assignment(),
        }
    }

    fn switch(&mut self, depth: usize, indent: usize) -> String {
        let on = self.expr(1);
        let pad = " ".repeat(indent * 4);
        let mut out = format!("switch (({on}) & 3) {{\n");
        for case in 0..3 {
            let label = match case {
                0 => "case 0:".to_string(),
                1 => self.random.pick(&["case 1:", "case 1 ... 2:", "default:"]).to_string(),
                _ => "case 3:".to_string(),
            };
            out += &format!("{pad}{label}\n{}", self.block(1, depth - 1, false, indent + 1));
            if self.random.chance(70) {
                out += &format!("{pad}    break;\n");
            }
        }
        out + &pad + "}"
    }

    fn bounded_loop(&mut self, depth: usize, indent: usize) -> String {
        let counter = self.name("i");
        let limit = match self.random.chance(50) {
            true => self.random.between(1, 4).to_string(),
            false => format!("(int)({} & 3)", self.small_value()),
        };
        self.values.push(counter.clone());
        let body = self.nested(depth, true, indent);
        self.values.pop();
        match self.random.below(4) {
            0..=1 => format!("for (int {counter} = 0; {counter} < {limit}; {counter}++) {body}"),
            2 => format!("for (unsigned char {counter} = {limit}; {counter} > 0; {counter}--) {body}"),
            _ => format!("{{ int {counter} = {limit}; while ({counter}-- > 0) {body} }}"),
        }
    }
}
