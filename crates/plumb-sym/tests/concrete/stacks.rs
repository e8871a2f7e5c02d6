//! Random C programs with several stacks: switches in loops, in nested calls and between calls and their returns, stacks that
//! make and end others, pointers into frames of stacks that do not run.
//!
//! The programs end: loops are short and stacks are few. Unless faults are asked for they only switch to what is there:
//! `alive` has a bit for each stack, and pointers to locals are forgotten when their stack ends.

use plumb_exec::Rng;
use std::fmt::Write;

/// What a program is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Where values come from: the body of a function without parameters that returns an `int`.
    pub input: &'static str,
    /// Stacks may be used as they cannot be.
    pub faults: bool,
    /// Ends by printing all globals.
    pub prints: bool,
    /// Statements of each function, at most.
    pub length: u64,
}

const HEAD: &str = "\
extern unsigned __plumb_stack_new(void (*)(void *), void *); extern void __plumb_stack_switch(unsigned);
extern __attribute__((noreturn)) void __plumb_stack_end(unsigned); extern unsigned __plumb_stack_current(void);
extern _Bool __VERIFIER_nondet_bool(void); extern int __VERIFIER_nondet_int(void);
extern void reach_error(void); extern int printf(const char *, ...);
static unsigned alive = 1, made, hash; static int gi, gj = 3, gk = -2; static short gs;
static unsigned char gb[4] = {1, 2, 3, 4}; static int *shared[3]; static unsigned owner[3]; static void (*entry)(void *);
static unsigned live(unsigned k) {
  for (unsigned i = 0; i < 8; i++) if (alive >> (k + i & 7) & 1) return k + i & 7;
  return 0;
}
static void forget(unsigned me) { for (int i = 0; i < 3; i++) if (shared[i] && owner[i] == me) shared[i] = 0; }
static void finish(unsigned k) {
  unsigned me = __plumb_stack_current();
  alive &= ~(1u << me); forget(me); hash = hash * 31 + me;
  __plumb_stack_end(live(k));
}
static void t0(void *); static void t1(void *); static void t2(void *);
";

/// The locals of every function; those of tasks and of `main` may be shared.
const LOCALS: &str = "  int x = 1, y = 2; int a[3] = {5, 6, 7};\n";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Main,
    Task,
    /// A function that may call those before it.
    Nested(u64),
}

struct Writer {
    rng: Rng,
    style: Style,
    text: String,
    place: Place,
    /// Statements inside of each other.
    depth: usize,
    loops: usize,
}

pub fn program(seed: u64, style: Style) -> String {
    let rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut writer = Writer { rng, style, text: HEAD.to_string(), place: Place::Main, depth: 0, loops: 0 };
    let _ = writeln!(writer.text, "static int input(void) {{ {} }}", style.input);
    for i in 0..2 {
        writer.function(Place::Nested(i), &format!("static int h{i}(int n, int *p)"), "return x + y + *p;");
    }
    for i in 0..3 {
        writer.function(Place::Task, &format!("static void t{i}(void *p)"), "finish(x);");
    }
    let end = if style.prints {
        "printf(\"%d %d %d %d %u %u %u %d %d %d %d\\n\", gi, gj, gk, gs, alive, made, hash, gb[0], gb[1], gb[2], gb[3]);\n  \
         return 0;"
    } else {
        "return 0;"
    };
    writer.function(Place::Main, "int main(void)", end);
    writer.text
}

impl Writer {
    fn below(&mut self, bound: u64) -> u64 {
        self.rng.below(bound)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 + 2 * self.depth);
    }

    fn function(&mut self, place: Place, head: &str, end: &str) {
        self.place = place;
        let _ = writeln!(self.text, "{head} {{");
        self.text.push_str(LOCALS);
        if place == Place::Task {
            self.line("if (p) *(int *)p += 1;");
        }
        let least = if place == Place::Main { 3 } else { 1 };
        for _ in 0..least + self.below(self.style.length) {
            self.statement();
        }
        if place == Place::Main {
            let n = self.number();
            self.line(&format!("if (((gi ^ gj ^ gk ^ gs) & 15) == {n}) reach_error();"));
            // What is shared of main's frame may still be used: the others must not outlive it.
            self.line("forget(0);");
        }
        self.line(end);
        self.text.push_str("}\n");
    }

    fn block(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        for _ in 0..1 + self.below(2) {
            self.statement();
        }
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self) {
        let (e, f, k, n) = (self.expr(2), self.expr(1), self.below(3), self.number());
        match self.below(if self.style.faults { 22 } else { 20 }) {
            0 | 1 => {
                let target =
                    ["gi", "gj", "gk", "gs", "x", "y", "gb[x & 3]", "a[y & 1]", "hash"][self.below(9) as usize];
                let op = ["=", "+=", "^="][self.below(3) as usize];
                self.line(&format!("{target} {op} {e};"));
            }
            2 | 3 if self.depth < 3 => {
                self.block(&format!("if ({e} > {f})"));
                if self.below(2) == 0 {
                    self.block("else");
                }
            }
            4 if self.loops < 2 && self.depth < 3 => {
                self.loops += 1;
                let (i, most) = (self.loops, 1 + self.below(3));
                let bound = if self.below(3) == 0 { format!("({e} & 1) + 1") } else { most.to_string() };
                self.block(&format!("for (int i{i} = 0; i{i} < {bound}; i{i}++)"));
                self.loops -= 1;
            }
            5..=8 => self.line(&format!("__plumb_stack_switch(live({e}));")),
            9 => self
                .line(&format!("{{ unsigned n = (unsigned)({e}) & 3; if (alive >> n & 1) __plumb_stack_switch(n); }}")),
            10..=12 => self.make(&e),
            13 | 14 => match self.place {
                Place::Nested(0) => self.line(&format!("*p += {e};")),
                Place::Nested(_) => self.line(&format!("*p += h0({e}, &y);")),
                Place::Main | Place::Task => {
                    let (which, local) = (self.below(2), ["x", "y", "a[1]"][self.below(3) as usize]);
                    self.line(&format!("gk ^= h{which}({e}, &{local});"));
                }
            },
            15 if matches!(self.place, Place::Main | Place::Task) => {
                let local = ["x", "y", "a[1]", "a[2]"][self.below(4) as usize];
                self.line(&format!("shared[{k}] = &{local}; owner[{k}] = __plumb_stack_current();"));
            }
            16 => self.line(&format!("if (shared[{k}]) *shared[{k}] += {e};")),
            17 => self.line(&format!("x ^= shared[{k}] ? *shared[{k}] : {e};")),
            18 => self
                .line(&format!("{{ int v[({f} & 1) + 1]; v[0] = {e}; __plumb_stack_switch(live({f})); y += v[0]; }}")),
            19 => match self.below(3) {
                0 => self.line(&format!("if ({e} == {n}) reach_error();")),
                1 => self.line(&format!("if (({e}) > {n} && __plumb_stack_current()) finish({f});")),
                _ => self.line("hash = hash * 31 + __plumb_stack_current();"),
            },
            20 => self.line(&format!("__plumb_stack_switch((unsigned)({e}) & 3);")),
            21 if self.place == Place::Task && self.below(3) == 0 => {
                self.line(&format!("if (({e}) > 40) return;"));
            }
            21 => self.line(&format!("if (({e}) == 7) {{ alive &= ~1u; __plumb_stack_end((unsigned)({f}) & 3); }}")),
            _ => self.line(&format!("hash = hash * 31 + (unsigned)({e});")),
        }
    }

    fn make(&mut self, e: &str) {
        let start = match self.below(4) {
            0 => format!("{e} > 2 ? t0 : t1"),
            1 => "entry ? entry : t2".to_string(),
            _ => format!("t{}", self.below(3)),
        };
        let argument = ["0", "&gi", "&gj", "&gk"][self.below(4) as usize];
        let then = match self.below(3) {
            0 => "__plumb_stack_switch(n); ",
            1 => "entry = t1; ",
            _ => "",
        };
        self.line(&format!(
            "if (made < 5) {{ made++; unsigned n = __plumb_stack_new({start}, {argument}); alive |= 1u << n; {then}}}"
        ));
    }

    fn number(&mut self) -> u64 {
        self.below(9)
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(4) == 0 {
            let leaves = ["gi", "gj", "gk", "gs", "x", "y", "gb[1]", "a[2]", "input()", "input()", "(int)made"];
            let at = self.below(leaves.len() as u64 + 2) as usize;
            return leaves.get(at).map_or_else(|| self.number().to_string(), |leaf| leaf.to_string());
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.below(7) {
            0 => format!("({a} - {b})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} ^ {b})"),
            3 => format!("({a} < {b})"),
            4 => format!("({a} ? {b} : {})", self.number()),
            5 => format!("({a} * {})", 1 + self.number()),
            _ => format!("({a} + {b})"),
        }
    }
}
