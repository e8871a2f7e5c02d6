//! Places and expressions of random programs.

use super::Generator;

const FIELDS: [&str; 11] = ["c", "s", "i", "l", "b1", "b2", "b3", "b4", "arr[#]", "t", "f"];
const INT_GLOBALS: [&str; 11] = ["gc", "guc", "gs", "gus", "gi", "gu", "gl", "gul", "gb", "gj", "gk"];
const CASTS: [&str; 10] = ["i8", "u8", "short", "unsigned short", "int", "unsigned", "ll", "ull", "_Bool", "long"];

impl Generator {
    /// An index below a power of two, or below any other number.
    pub(super) fn index(&mut self, limit: usize, depth: u32) -> String {
        if self.chance(25) {
            return self.below(limit).to_string();
        }
        let e = self.expr(depth.saturating_sub(1).min(1));
        if limit.is_power_of_two() {
            format!("(({e}) & {})", limit - 1)
        } else {
            format!("((unsigned)({e}) % {limit})")
        }
    }

    pub(super) fn structure(&mut self, depth: u32) -> String {
        match self.below(5) {
            0 => "s0".into(),
            1 => "s1".into(),
            2 => "(*sp)".into(),
            _ => format!("sa[{}]", self.index(4, depth)),
        }
    }

    fn field(&mut self, depth: u32) -> String {
        let s = self.structure(depth);
        let f = self.pick(&FIELDS[..10]);
        let f = if f.contains('#') { format!("arr[{}]", self.index(4, depth)) } else { f.to_string() };
        format!("{s}.{f}")
    }

    fn union(&mut self, depth: u32) -> String {
        let u = if self.chance(40) { "u0".to_string() } else { format!("ua[{}]", self.index(4, depth)) };
        match self.below(7) {
            0 => format!("{u}.i"),
            1 => format!("{u}.b[{}]", self.index(8, depth)),
            2 => format!("{u}.l"),
            3 => format!("{u}.h.lo"),
            4 => format!("{u}.h.hi"),
            5 => format!("{u}.z.x"),
            _ => format!("{u}.z.y"),
        }
    }

    /// An integer that can be assigned to.
    pub(super) fn place(&mut self, depth: u32) -> String {
        match self.below(16) {
            0..=2 => self.pick(&INT_GLOBALS).to_string(),
            3 | 4 if !self.locals.is_empty() => {
                let at = self.below(self.locals.len());
                self.locals[at].clone()
            }
            3..=5 => {
                let a = self.pick(&["ac", "as", "ai", "al", "ab", "ai"]);
                format!("{a}[{}]", self.index(8, depth))
            }
            6 => format!("big[{}]", self.index(100, depth)),
            7 => match self.below(2) {
                0 => format!("bytes[{}]", self.index(200, depth)),
                _ => format!("wide[{}]", self.index(80, depth)),
            },
            8 | 9 => self.field(depth),
            10 => self.union(depth),
            11 => format!("*ip[{}]", self.index(4, depth)),
            12 => {
                let f = self.pick(&["c", "i", "s", "l"]);
                if self.chance(50) { format!("k0.{f}") } else { format!("ka[{}].{f}", self.index(4, depth)) }
            }
            13 => {
                let q = if self.chance(50) { "q0".to_string() } else { format!("qa[{}]", self.index(4, depth)) };
                match self.below(3) {
                    0 => format!("{q}.k"),
                    1 => format!("*{q}.p"),
                    _ => format!("{q}.z"),
                }
            }
            14 if self.chance(60) => {
                let w = if self.chance(70) { "wu".to_string() } else { format!("wa[{}]", self.index(4, depth)) };
                let part = self.pick(&["x.a", "x.b", "y.s", "y.l", "z.c", "z.i", "z.j", "raw[5]"]);
                format!("{w}.{part}")
            }
            14 => format!("small[{}]", self.index(24, depth)),
            _ => "gi".into(),
        }
    }

    fn constant(&mut self) -> String {
        match self.below(8) {
            0..=3 => self.below(10).to_string(),
            4 => format!("{}", -(self.below(200) as i64)),
            5 => format!("0x{:x}", self.rng.next() >> 36),
            6 => format!("0x{:x}LL", self.rng.next() >> 2),
            _ => format!("{}u", self.below(1000)),
        }
    }

    /// Any integer.
    pub(super) fn expr(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(5) {
                0 | 1 => self.constant(),
                2 if !self.locals.is_empty() => {
                    let at = self.below(self.locals.len());
                    self.locals[at].clone()
                }
                _ => self.pick(&INT_GLOBALS).to_string(),
            };
        }
        let d = depth - 1;
        match self.below(26) {
            0 => self.constant(),
            1..=5 => self.place(d),
            6..=9 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            10 | 11 => {
                let op = self.pick(&["<", "<=", "==", "!=", ">", ">=", "&&", "||"]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            12 => {
                let (op, mask) = (self.pick(&["<<", ">>"]), self.pick(&["7", "31"]));
                format!("((int)({}) {op} (({}) & {mask}))", self.expr(d), self.expr(d))
            }
            13 => format!("((ull)({}) >> (({}) & 63))", self.expr(d), self.expr(d)),
            14 => {
                let op = self.pick(&["/", "%"]);
                let (a, b) = (self.expr(d), self.expr(d));
                match self.below(12) {
                    0 => format!("({a} {op} ({b}))"),
                    // The smallest number by -1 has no quotient.
                    1 => format!("(((int)({a}) << 31) {op} -((({b}) & 3) | 1))"),
                    2..=6 => format!("({a} {op} ((({b}) & 15) + 1))"),
                    _ => format!("((unsigned)({a}) {op} (({b}) | 1u))"),
                }
            }
            15 => {
                let op = self.pick(&["-", "~", "!", "!!"]);
                format!("({op}({}))", self.expr(d))
            }
            16 | 17 => format!("(({})({}))", self.pick(&CASTS), self.expr(d)),
            18 => format!("(({}) ? ({}) : ({}))", self.expr(d), self.expr(d), self.expr(d)),
            19 => format!("((int)({}))", self.real(d)),
            20 => {
                let op = self.pick(&["<", "<=", "==", "!="]);
                format!("({} {op} {})", self.real(d), self.real(d))
            }
            21 => match self.below(4) {
                0 => format!("(ip[{}] == ip[{}])", self.index(4, d), self.index(4, d)),
                1 => format!("(ip[{}] != &ai[{}])", self.index(4, d), self.index(8, d)),
                2 => format!("(int)(&ai[{}] - &ai[{}])", self.index(8, d), self.index(8, d)),
                _ => format!("(&big[{}] < &big[{}])", self.index(100, d), self.index(100, d)),
            },
            22 => match self.below(4) {
                0 => format!("table[{}]", self.index(64, d)),
                1 => format!("bp[{}]", self.index(32, d)),
                2 => format!("(int)strlen(str + {})", self.index(4, 0)),
                _ => format!("hp[{}]", self.index(6, d)),
            },
            23 => match self.below(4) {
                0 => format!("__builtin_clz((unsigned)({}) | 1)", self.expr(d)),
                1 => format!("__builtin_ctz((unsigned)({}) | 0x100)", self.expr(d)),
                2 => format!("__builtin_popcount({})", self.expr(d)),
                _ => format!("(int)__builtin_bswap32({})", self.expr(d)),
            },
            24 if self.main => self.call(d),
            _ => self.place(d),
        }
    }

    pub(super) fn call(&mut self, d: u32) -> String {
        match self.below(6) {
            0 => format!("f0({}, {})", self.expr(d), self.expr(d)),
            1 => format!("f1({}, {})", self.expr(d), self.expr(d)),
            2 => format!("rec({}, {})", self.index(4, d), self.expr(d)),
            3 => format!("ft[{}]({}, {})", self.index(4, d), self.expr(d), self.expr(d)),
            4 => format!("take({}, {}).i", self.structure(d), self.expr(d)),
            _ => format!("va({}, {}, {}, {})", self.index(4, d), self.expr(d), self.expr(d), self.expr(d)),
        }
    }

    pub(super) fn real(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(4) {
                0 => format!("{}.{}", self.below(20), self.below(100)),
                1 => format!("{}.5f", self.below(20)),
                _ => self.pick(&["gf", "gd", "ge"]).to_string(),
            };
        }
        let d = depth - 1;
        match self.below(12) {
            0 | 1 => format!("af[{}]", self.index(8, d)),
            2 => format!("ad[{}]", self.index(8, d)),
            3..=6 => {
                let op = self.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.real(d), self.real(d))
            }
            7 => format!("(({})({}))", self.pick(&["float", "double", "long double"]), self.expr(d)),
            8 => format!("((float)({}))", self.real(d)),
            9 => format!("(-({}))", self.real(d)),
            10 => match self.below(5) {
                0 => format!("__builtin_fabs({})", self.real(d)),
                1 => format!("__builtin_sqrt({})", self.real(d)),
                2 => format!("__builtin_floor({})", self.real(d)),
                3 => format!("__builtin_fmin({}, {})", self.real(d), self.real(d)),
                _ => format!("__builtin_truncf({})", self.real(d)),
            },
            _ => format!("(({}) ? {} : {})", self.expr(d), self.real(d), self.real(d)),
        }
    }

    pub(super) fn pointer(&mut self, d: u32) -> String {
        match self.below(9) {
            0 => "&gi".into(),
            1 => format!("&ai[{}]", self.index(8, d)),
            2 => format!("&big[{}]", self.index(100, d)),
            3 => format!("&{}.i", self.structure(d)),
            4 => format!("&{}.arr[{}]", self.structure(d), self.index(4, d)),
            5 => format!("ip[{}]", self.index(4, d)),
            6 => format!("(({}) ? {} : {})", self.expr(d), self.pointer(0), self.pointer(0)),
            7 => format!("qa[{}].p", self.index(4, d)),
            _ => "&gj".into(),
        }
    }
}
