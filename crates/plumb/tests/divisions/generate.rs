//! Random programs around one division: what it divides, what is made of its value, and where that goes. The program fails after it
//! if the division, or another one beside it, had no quotient.
//!
//! Left out is what C leaves open or Plumb refuses beyond divisions: shifts by variables, pointers that leave their object, volatile
//! variables, which are inputs to Plumb.

use crate::oracle::Random;
use std::fmt::Write;

/// Types with the names of the functions that give a value of them, the wide ones first.
const TYPES: [(&str, &str); 8] = [
    ("int", "int"),
    ("unsigned", "uint"),
    ("long long", "longlong"),
    ("unsigned long long", "ulonglong"),
    ("long", "long"),
    ("short", "short"),
    ("signed char", "schar"),
    ("unsigned char", "uchar"),
];
const WIDE: usize = 5;
const CONSTANTS: [&str; 15] = [
    "0",
    "0",
    "1",
    "1",
    "(-1)",
    "2",
    "3",
    "7",
    "4u",
    "100",
    "(-7)",
    "SMALLEST",
    "2147483647",
    "(-9223372036854775807LL - 1)",
    "4294967295u",
];
const DEFINITIONS: &str = "\
#define SMALLEST (-2147483647 - 1)
#define LEAST (-9223372036854775807LL - 1)
#define IS_SIGNED(x) ((__typeof__(x))-1 < 0)
#define OVERFLOWS(a, b) (IS_SIGNED(a / b) && a == (sizeof(a / b) == 4 ? SMALLEST : LEAST) && b == -1)
extern void reach_error(void);
extern int abs(int);
extern long long llabs(long long);
extern int missing(int);
enum number { NONE, ONE, MANY = 100 };
struct record { int whole; int bits : 5; unsigned more : 3; long long wide; };
static int bad, changed;
int same(int x) { return x; }
unsigned long long add(unsigned long long x) { return x + 1; }
int store(long long x) { changed = (int)x; return 3; }
int zero(int x) { return 0; }
void nothing(int x) { }
__attribute__((pure)) int pure(int x) { return x + 1; }
__attribute__((const)) long long constant(long long x) { return x - 1; }
__attribute__((const)) int always(int x) { return 2; }
int (*pointer)(int) = same;
";
/// What values are stored in.
const VARIABLES: &str = "    int n = 0, r = 0, a[2] = { 1, 2 };
    unsigned u = 0;
    long long w = 0;
    _Bool b = 0;
    signed char c = 0;
    double d = 0;
    struct record s = { 0 };
";
const FUNCTIONS: [&str; 12] =
    ["same", "same", "add", "store", "store", "zero", "pure", "constant", "always", "abs", "llabs", "pointer"];

/// An operand. A plain one has no effect and no division in it, so that it can be written twice.
#[derive(Clone)]
struct Operand {
    text: String,
    is_plain: bool,
}

impl Operand {
    fn plain(text: impl Into<String>) -> Operand {
        Operand { text: text.into(), is_plain: true }
    }

    fn other(text: String) -> Operand {
        Operand { text, is_plain: false }
    }
}

pub fn program(random: &mut Random) -> String {
    let mut generator = Generator {
        random,
        globals: String::new(),
        locals: String::new(),
        variables: Vec::new(),
        assignable: Vec::new(),
        seen: Vec::new(),
        without_quotient: Vec::new(),
        names: 0,
    };
    generator.program()
}

struct Generator<'r> {
    random: &'r mut Random,
    globals: String,
    locals: String,
    /// Lvalues that hold inputs, and constants with a name.
    variables: Vec<String>,
    /// Those that can be assigned to.
    assignable: Vec<String>,
    /// Operands that were made, to be used again.
    seen: Vec<Operand>,
    /// The conditions under which divisions have no quotient.
    without_quotient: Vec<String>,
    names: usize,
}

impl Generator<'_> {
    fn program(&mut self) -> String {
        let mut reads = String::new();
        let types: Vec<(&str, &str)> = (0..3).map(|_| self.input_type()).collect();
        for (i, (ty, name)) in types.iter().enumerate() {
            let _ = writeln!(reads, "    {ty} i{i} = __VERIFIER_nondet_{name}();");
            self.variable(i, ty);
        }
        if self.random.chance(20) {
            let constant = self.random.pick(&CONSTANTS);
            let qualifier = self.random.pick(&["const ", "static const ", "", ""]);
            let _ = writeln!(self.locals, "    {qualifier}int k = {constant};");
            self.variables.push("k".into());
        }
        let statement = self.statement();
        let bad = self.bad();
        let parameters: Vec<String> = types.iter().enumerate().map(|(i, (ty, _))| format!("{ty} p{i}")).collect();
        let part = self.part(&statement, &parameters.join(", "), &bad);
        let call = match statement {
            Statement::Result(..) if self.random.chance(50) => "changed = 0 != part",
            _ => "part",
        };
        let inputs = TYPES.map(|(ty, name)| format!("extern {ty} __VERIFIER_nondet_{name}(void);\n")).concat();
        format!(
            "{inputs}{DEFINITIONS}{}{part}int main(void)\n{{\n    bad = changed = 0;\n{reads}    {call}(i0, i1, i2);\n    \
             if (bad) reach_error();\n    return 0;\n}}\n",
            self.globals
        )
    }

    /// The function that divides.
    fn part(&mut self, statement: &Statement, parameters: &str, bad: &str) -> String {
        let is_void = matches!(statement, Statement::Here(_));
        let guard = match self.guard() {
            Some(condition) => format!("    if ({condition}) return{};\n", if is_void { "" } else { " 0" }),
            None => String::new(),
        };
        let body = format!("{VARIABLES}{}{guard}    bad = {bad};\n", self.locals);
        match statement {
            Statement::Here(text) => {
                let ending = if self.random.chance(30) { "    if (bad) reach_error();\n" } else { "" };
                format!("void part({parameters})\n{{\n{body}    {text}\n{ending}}}\n")
            }
            Statement::Result(ty, value) => format!("{ty} part({parameters})\n{{\n{body}    return {value};\n}}\n"),
        }
    }

    fn input_type(&mut self) -> (&'static str, &'static str) {
        let among = if self.random.chance(70) { WIDE } else { TYPES.len() };
        TYPES[self.random.below(among)]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// Keeps a parameter somewhere.
    fn variable(&mut self, i: usize, ty: &str) {
        let name = self.name();
        let (declaration, lvalue) = match self.random.below(16) {
            0..=6 => (String::new(), format!("p{i}")),
            7..=8 => (format!("{ty} {name} = p{i};"), name),
            9 => (format!("const {ty} {name} = p{i};"), name),
            10..=11 => {
                let _ = writeln!(self.globals, "{ty} {name};");
                (format!("{name} = p{i};"), name)
            }
            12 => (format!("{ty} *{name} = &p{i};"), format!("*{name}")),
            13 => (format!("{ty} {name}[2] = {{ p{i}, p{i} }};"), format!("{name}[1]")),
            14 => {
                let member = self.random.pick(&["whole", "wide", "bits", "more"]);
                (format!("struct record {name} = {{ 0 }}; {name}.{member} = p{i};"), format!("{name}.{member}"))
            }
            _ => (format!("_Bool {name} = p{i};"), name),
        };
        if !declaration.is_empty() {
            let _ = writeln!(self.locals, "    {declaration}");
        }
        if !declaration.starts_with("const") {
            self.assignable.push(lvalue.clone());
        }
        self.variables.push(lvalue);
    }

    /// The condition under which the program fails.
    fn bad(&mut self) -> String {
        match self.without_quotient.len() {
            0 => format!("{} == {}", self.variable_text(), self.random.pick(&CONSTANTS)),
            _ if self.random.chance(70) => self.without_quotient.join(" || "),
            _ => self.random.pick(&self.without_quotient),
        }
    }

    /// The condition of runs that do not come to the division, so that a proof has less to suppose.
    fn guard(&mut self) -> Option<String> {
        if !self.random.chance(10) {
            return None;
        }
        if !self.without_quotient.is_empty() && self.random.chance(50) {
            return Some(self.random.pick(&self.without_quotient));
        }
        let op = self.random.pick(&["==", "!=", "<", ">="]);
        Some(format!("{} {op} {}", self.variable_text(), self.random.pick(&CONSTANTS)))
    }

    fn variable_text(&mut self) -> String {
        self.random.pick(&self.variables)
    }

    // Operands.

    fn atom(&mut self) -> Operand {
        match self.random.below(10) {
            0..=6 => Operand::plain(self.variable_text()),
            7..=8 => Operand::plain(self.random.pick(&CONSTANTS)),
            _ => Operand::plain(self.random.pick(&["NONE", "ONE", "MANY", "(1 - 1)", "'a'", "sizeof(int)"])),
        }
    }

    /// Something without division.
    fn small(&mut self) -> Operand {
        let a = self.atom();
        match self.random.below(14) {
            0..=4 => a,
            5 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                Operand::plain(format!("({} {op} {})", a.text, self.atom().text))
            }
            6 => {
                let op = self.random.pick(&["==", "!=", "<", ">", "<=", ">="]);
                Operand::plain(format!("({} {op} {})", a.text, self.atom().text))
            }
            7 => Operand::plain(format!("({}{})", self.random.pick(&["-", "~", "!"]), a.text)),
            8..=9 => {
                let (ty, _) = self.random.pick(&TYPES);
                Operand::plain(format!("(({ty}){})", a.text))
            }
            10 => {
                let (_, name) = self.input_type();
                Operand::other(format!("__VERIFIER_nondet_{name}()"))
            }
            11 => Operand::other(format!("{}({})", self.random.pick(&FUNCTIONS), a.text)),
            12 => Operand::plain(format!("({} ? {} : {})", self.variable_text(), a.text, self.atom().text)),
            _ => Operand::plain(format!("((enum number){})", a.text)),
        }
    }

    /// What stands beside a division.
    fn side(&mut self) -> Operand {
        match self.random.below(12) {
            0..=1 if !self.seen.is_empty() => self.random.pick(&self.seen),
            2 if self.random.chance(40) => self.division(),
            3 => {
                let (a, op) = (self.variable_text(), self.random.pick(&["/", "%"]));
                Operand::other(format!("({a} {op} {})", self.random.pick(&["2", "3", "7u", "100"])))
            }
            4..=8 => self.atom(),
            _ => self.small(),
        }
    }

    fn division(&mut self) -> Operand {
        let dividend = match self.random.below(12) {
            0..=6 => Operand::plain(self.variable_text()),
            7 => Operand::plain(self.random.pick(&CONSTANTS)),
            8 if self.random.chance(30) => self.division(),
            _ => self.small(),
        };
        let divisor = match self.random.below(12) {
            0..=7 => Operand::plain(self.variable_text()),
            8 if self.random.chance(30) => self.division(),
            _ => self.small(),
        };
        let is_same = dividend.text == divisor.text && self.random.chance(60);
        let divisor = if is_same { Operand::plain(self.variable_text()) } else { divisor };
        self.divide(&dividend, &divisor)
    }

    fn divide(&mut self, dividend: &Operand, divisor: &Operand) -> Operand {
        self.note(dividend, divisor);
        let op = self.random.pick(&["/", "/", "%"]);
        let division = Operand::other(format!("({} {op} {})", dividend.text, divisor.text));
        self.seen.push(dividend.clone());
        self.seen.push(divisor.clone());
        self.seen.push(division.clone());
        division
    }

    fn note(&mut self, dividend: &Operand, divisor: &Operand) {
        if !divisor.is_plain {
            return;
        }
        let (a, b) = (&dividend.text, &divisor.text);
        if !dividend.is_plain || self.random.chance(80) {
            self.without_quotient.push(format!("{b} == 0"));
        }
        if dividend.is_plain && self.random.chance(50) {
            self.without_quotient.push(format!("OVERFLOWS({a}, {b})"));
        }
    }

    // What is made of a division.

    fn value(&mut self) -> String {
        let mut value = self.division();
        for _ in 0..self.random.pick(&[0, 0, 0, 1, 1, 1, 1, 2, 2, 3]) {
            value = Operand::other(self.around(&value.text));
            self.seen.push(value.clone());
        }
        value.text
    }

    fn around(&mut self, e: &str) -> String {
        match self.random.below(30) {
            0..=3 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                self.beside(e, op)
            }
            4..=7 => {
                let op = self.random.pick(&["==", "!=", "<", ">", "<=", ">="]);
                self.beside(e, op)
            }
            8..=9 => {
                let op = self.random.pick(&["&&", "||", ","]);
                self.beside(e, op)
            }
            10 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^", "==", "!=", "<", ">="]);
                format!("({e} {op} {})", self.random.pick(&CONSTANTS))
            }
            11 => {
                let op = self.random.pick(&["/", "%", "<<", ">>"]);
                format!("({e} {op} {})", self.random.pick(&["1", "2", "3", "7", "8u"]))
            }
            12 => {
                let other = self.side();
                self.divide(&Operand::other(e.into()), &other).text
            }
            13 => {
                let other = self.side();
                self.divide(&other, &Operand::other(e.into())).text
            }
            14 => format!("({}{e})", self.random.pick(&["-", "~", "!", "!!", "+"])),
            15..=17 => {
                let (ty, _) = self.random.pick(&TYPES);
                format!("(({ty}){e})")
            }
            18 => match self.random.below(3) {
                0 => format!("((_Bool){e})"),
                1 => format!("((double){e} < 3)"),
                _ => format!("((enum number){e})"),
            },
            19..=20 => {
                let (a, b) = (self.side().text, self.side().text);
                let b = if self.random.chance(20) { a.clone() } else { b };
                match self.random.below(4) {
                    0 => format!("({a} ? {e} : {b})"),
                    1 => format!("({a} ? {b} : {e})"),
                    2 => format!("({e} ?: {b})"),
                    _ => format!("({e} ? {a} : {b})"),
                }
            }
            21..=23 => format!("{}({e})", self.random.pick(&FUNCTIONS)),
            24 => {
                let target = self.random.pick(&["r", "u", "w", "b", "c", "s.bits", "s.more", "a[0]"]);
                format!("({target} {} {e})", self.random.pick(&["=", "=", "+=", "-=", "&=", "|=", "*="]))
            }
            25 => match self.random.below(4) {
                0 => format!("({{ int t = {e}; t; }})"),
                1 => format!("({{ {e}; 3; }})"),
                2 => format!("({{ int t = {e}; 3; }})"),
                _ => format!("({{ {e}; }})"),
            },
            26 => format!("a[{e} & 1]"),
            27 => format!("__builtin_expect({e}, {})", self.random.pick(&["0", "1"])),
            28 => match self.random.below(4) {
                0 => format!("(int)sizeof({e})"),
                1 => format!("__builtin_constant_p({e})"),
                2 => format!("((struct record){{ .whole = {e}, .wide = 3 }}).{}", self.random.pick(&["whole", "wide"])),
                _ => format!("(&a[0])[{e} & 1]"),
            },
            _ => format!("missing({e})"),
        }
    }

    fn beside(&mut self, e: &str, op: &str) -> String {
        let other = self.side().text;
        match self.random.chance(50) {
            true => format!("({e} {op} {other})"),
            false => format!("({other} {op} {e})"),
        }
    }

    // Where it goes.

    fn statement(&mut self) -> Statement {
        if self.random.chance(12) {
            let ty = self.random.pick(&["int", "unsigned", "long long", "signed char", "_Bool", "double"]);
            return Statement::Result(ty, self.value());
        }
        let text = self.simple();
        Statement::Here(match self.random.below(20) {
            0 => format!("if ({}) {{ {text} }}", self.side().text),
            1 => format!("if ({}) {{ {text} if (bad) reach_error(); }}", self.side().text),
            2 => format!("if (0) {{ {text} }}"),
            3 => format!("for (; n < 2; n++) {{ {text} }}"),
            4 => format!("{text} {}", self.simple()),
            5 => format!("{text} if (bad) reach_error();"),
            _ => text,
        })
    }

    fn simple(&mut self) -> String {
        let e = self.value();
        let target = self.random.pick(&["r", "r", "u", "w", "w", "b", "c", "d", "s.whole", "s.bits", "s.more", "a[1]"]);
        match self.random.below(24) {
            0 => format!("{e};"),
            1 => format!("(void){e};"),
            2..=6 => format!("{target} = {e};"),
            7 => format!("{target} {} {e};", self.random.pick(&["+=", "-=", "*="])),
            8 => format!("r {} {e};", self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^=", "/=", "%="])),
            9..=11 => self.compound(),
            12 => {
                let name = self.name();
                match self.random.below(5) {
                    0 => format!("int {name} = {e};"),
                    1 => format!("long long {name} = {e};"),
                    2 => format!("int {name}[2] = {{ 1, {e} }};"),
                    3 => format!("struct record {name} = {{ .bits = {e}, .wide = 2 }};"),
                    _ => format!("struct record {name} = {{ .whole = {e}, .whole = 2 }};"),
                }
            }
            13..=16 => {
                let (act, other) = (self.act(), self.act());
                match self.random.chance(60) {
                    true => format!("if ({e}) {act}"),
                    false => format!("if ({e}) {act} else {other}"),
                }
            }
            17 => format!("while ({e}) {{ {} break; }}", self.act()),
            18 => format!("do {} while ({e} && n++ < 2);", self.act()),
            19 => format!("for (n = 0; n < 2 && {e}; n++) {}", self.act()),
            20 => {
                let cases =
                    self.random.pick(&["", "default: r = 2;", "case 1: r = 1;", "case 3: break; default: w++;"]);
                format!("switch ({e}) {{ {cases} }}")
            }
            21 => format!("{}({e});", self.random.pick(&["nothing", "store", "pure", "missing", "pointer", "zero"])),
            22 => {
                let op = self.random.pick(&["&&", "||"]);
                format!("{e} {op} {};", self.random.pick(&["r++", "store(1)", "(r = 1)", "pure(1)", "1", "missing(1)"]))
            }
            _ => {
                format!("{e} ? {} : {};", self.random.pick(&["r++", "store(1)", "1"]), self.random.pick(&["w++", "0"]))
            }
        }
    }

    /// A compound assignment that divides.
    fn compound(&mut self) -> String {
        let target = match self.assignable.is_empty() || self.random.chance(70) {
            true => self.random.pick(&["r", "u", "w", "c", "b", "s.bits", "a[0]"]).to_string(),
            false => self.random.pick(&self.assignable),
        };
        let divisor = if self.random.chance(60) { Operand::plain(self.variable_text()) } else { self.side() };
        self.note(&Operand::plain(&target), &divisor);
        format!("{target} {} {};", self.random.pick(&["/=", "%="]), divisor.text)
    }

    fn act(&mut self) -> &'static str {
        self.random.pick(&[
            ";",
            ";",
            "{ }",
            "r = 1;",
            "r = 1;",
            "w++;",
            "store(1);",
            "pure(1);",
            "missing(1);",
            "{ ; }",
            "{ int z; }",
            "nothing(2);",
        ])
    }
}

enum Statement {
    Here(String),
    /// The type and value of a function's result.
    Result(&'static str, String),
}
