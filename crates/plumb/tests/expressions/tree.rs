//! Random expression trees that never run into undefined behaviour, whatever their leaves hold.
//!
//! A tree renders in two ways: as a constant expression, whose leaves are literals, and for run time, where the same
//! leaves are variables of the same types holding the same values. Guards keep operations defined: shift counts are
//! masked, divisors are positive or below -1, floats are tested for range before they become integers.

use crate::ctype::CType;
use crate::oracle::{Arch, Random};
use std::fmt::Write;

/// Where a leaf's value lives at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Parameter,
    Local,
    Volatile,
    Global,
    Pointed,
    Member,
}

#[derive(Clone, Debug)]
pub struct Leaf {
    pub ty: CType,
    pub value: String,
    pub place: Place,
    pub name: String,
}

#[derive(Clone, Debug)]
pub enum Tree {
    Leaf(Leaf),
    /// Text that is the same in both renderings: plain literals, enumerators, `sizeof (type)`.
    Fixed(String),
    /// A bit-field, at run time only.
    Field(String),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    /// The count is masked with the size of the promoted operand or with 31.
    Shift(&'static str, Box<Tree>, Box<Tree>, bool),
    /// `/` or `%` by a divisor made positive, or negative and not -1.
    Division(&'static str, Box<Tree>, Box<Tree>, bool),
    Cast(CType, Box<Tree>),
    /// A float to an integer type, replaced by 1 where it does not fit.
    Truncate(CType, Box<Tree>),
    Cond(Box<Tree>, Box<Tree>, Box<Tree>),
    /// GNU `a ?: b`.
    Elvis(Box<Tree>, Box<Tree>),
    Comma(Box<Tree>, Box<Tree>),
    Sizeof(Box<Tree>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Constant,
    Running,
}

/// What the type of an expression's value is printed as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Class {
    Integer,
    Float,
    Double,
    LongDouble,
}

impl Class {
    pub fn of(ty: CType) -> Class {
        match ty {
            CType::Float => Class::Float,
            CType::Double => Class::Double,
            CType::LongDouble => Class::LongDouble,
            _ => Class::Integer,
        }
    }
}

impl Tree {
    /// The class of the value; for floats, the larger format wins as in the usual arithmetic conversions.
    pub fn class(&self) -> Class {
        match self {
            Tree::Leaf(leaf) => Class::of(leaf.ty),
            Tree::Fixed(_) | Tree::Field(_) | Tree::Shift(..) | Tree::Division(..) | Tree::Truncate(..) => {
                Class::Integer
            }
            Tree::Sizeof(_) => Class::Integer,
            Tree::Unary(op, a) => {
                if *op == "!" {
                    Class::Integer
                } else {
                    a.class()
                }
            }
            Tree::Binary(op, a, b) => match *op {
                "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||" => Class::Integer,
                _ => a.class().max(b.class()),
            },
            Tree::Cast(ty, _) => Class::of(*ty),
            Tree::Cond(_, a, b) | Tree::Elvis(a, b) => a.class().max(b.class()),
            Tree::Comma(_, b) => b.class(),
        }
    }

    fn children(&self) -> Vec<&Tree> {
        match self {
            Tree::Leaf(_) | Tree::Fixed(_) | Tree::Field(_) => Vec::new(),
            Tree::Unary(_, a) | Tree::Cast(_, a) | Tree::Truncate(_, a) | Tree::Sizeof(a) => vec![a],
            Tree::Binary(_, a, b)
            | Tree::Shift(_, a, b, _)
            | Tree::Division(_, a, b, _)
            | Tree::Elvis(a, b)
            | Tree::Comma(a, b) => vec![a, b],
            Tree::Cond(a, b, c) => vec![a, b, c],
        }
    }

    fn any(&self, test: &dyn Fn(&Tree) -> bool) -> bool {
        test(self) || self.children().into_iter().any(|c| c.any(test))
    }

    /// Whether the value may need more than 64 bits to print.
    pub fn is_wide(&self) -> bool {
        self.any(&|t| match t {
            Tree::Leaf(leaf) => leaf.ty.is_wide(),
            Tree::Cast(ty, _) | Tree::Truncate(ty, _) => ty.is_wide(),
            _ => false,
        })
    }

    pub fn has_float(&self) -> bool {
        self.any(&|t| match t {
            Tree::Leaf(leaf) => leaf.ty.is_float(),
            Tree::Cast(ty, _) => ty.is_float(),
            Tree::Truncate(..) => true,
            _ => false,
        })
    }

    pub fn leaves(&self) -> Vec<&Leaf> {
        match self {
            Tree::Leaf(leaf) => vec![leaf],
            _ => self.children().into_iter().flat_map(Tree::leaves).collect(),
        }
    }

    pub fn text(&self, form: Form) -> String {
        let mut out = String::new();
        self.render(form, &mut out);
        out
    }

    fn render(&self, form: Form, out: &mut String) {
        let text = |t: &Tree| t.text(form);
        // Writing to a string cannot fail.
        let _ = match self {
            Tree::Leaf(leaf) => match form {
                Form::Constant => write!(out, "{}", leaf.value),
                Form::Running => write!(out, "{}", leaf.name),
            },
            Tree::Fixed(fixed) | Tree::Field(fixed) => write!(out, "{fixed}"),
            Tree::Unary(op, a) => write!(out, "({op} {})", text(a)),
            Tree::Binary(op, a, b) => write!(out, "({} {op} {})", text(a), text(b)),
            Tree::Shift(op, a, count, by_size) => {
                let (a, count) = (text(a), text(count));
                if *by_size {
                    write!(out, "({a} {op} ({count} & (sizeof(+{a}) * 8 - 1)))")
                } else {
                    write!(out, "({a} {op} ({count} & 31))")
                }
            }
            Tree::Division(op, a, b, negative) => {
                let (a, b) = (text(a), text(b));
                if *negative {
                    write!(out, "({a} {op} -(({b} & 1023) + 2))")
                } else {
                    write!(out, "({a} {op} (({b} & 1023) + 1))")
                }
            }
            Tree::Cast(ty, a) => write!(out, "(({}){})", ty.name(), text(a)),
            Tree::Truncate(ty, a) => {
                // The bounds of the narrower data model are safe in both.
                let (low, high) = ty.float_bounds(Arch::Ilp32);
                let a = text(a);
                write!(out, "(({})({a} > {low} && {a} < {high} ? {a} : 1))", ty.name())
            }
            Tree::Cond(a, b, c) => write!(out, "({} ? {} : {})", text(a), text(b), text(c)),
            Tree::Elvis(a, b) => write!(out, "({} ?: {})", text(a), text(b)),
            Tree::Comma(a, b) => write!(out, "({}, {})", text(a), text(b)),
            Tree::Sizeof(a) => write!(out, "sizeof({})", text(a)),
        };
    }
}

/// Makes trees. Names of leaves are unique per generator.
pub struct Grower<'a> {
    pub random: &'a mut Random,
    pub arch: Arch,
    /// Bit-fields to read; without any, trees render as constants too.
    pub fields: Vec<String>,
    pub prefix: String,
    pub count: usize,
}

impl Grower<'_> {
    fn constant_too(&self) -> bool {
        self.fields.is_empty()
    }

    pub fn arithmetic(&mut self, depth: usize) -> Tree {
        if self.random.chance(30) { self.float(depth) } else { self.integer(depth) }
    }

    pub fn leaf(&mut self, ty: CType) -> Tree {
        const PLACES: [Place; 6] =
            [Place::Parameter, Place::Local, Place::Volatile, Place::Global, Place::Pointed, Place::Member];
        let place = self.random.pick(&PLACES);
        let base = format!("{}{}", self.prefix, self.count);
        self.count += 1;
        let name = match place {
            Place::Pointed => format!("(*{base})"),
            Place::Member => format!("{base}.m"),
            Place::Parameter | Place::Local | Place::Volatile | Place::Global => base,
        };
        Tree::Leaf(Leaf { ty, value: ty.any_value(self.random, self.arch), place, name })
    }

    fn integer_leaf(&mut self) -> Tree {
        const FIXED: [&str; 35] = [
            "0",
            "1",
            "7",
            "42",
            "127",
            "128",
            "255",
            "32768",
            "65535",
            "2147483647",
            "2147483648",
            "4294967295",
            "4294967296",
            "0x7fffffff",
            "0x80000000",
            "0xffffffff",
            "0x100000000",
            "037777777777",
            "1u",
            "3l",
            "4000000000l",
            "5ul",
            "0xfull",
            "9223372036854775807",
            "0x8000000000000000",
            "18446744073709551615u",
            "'a'",
            "'\\377'",
            "L'x'",
            "sizeof(short)",
            "sizeof(long double)",
            "small",
            "negative",
            "unsigned_large",
            "wide_constant",
        ];
        if !self.fields.is_empty() && self.random.chance(50) {
            return Tree::Field(self.random.pick(&self.fields));
        }
        if self.random.chance(25) {
            return Tree::Fixed(self.random.pick(&FIXED).to_string());
        }
        let ty = CType::any_integer(self.random, self.arch);
        self.leaf(ty)
    }

    pub fn integer(&mut self, depth: usize) -> Tree {
        if depth == 0 {
            return self.integer_leaf();
        }
        let deeper = depth - 1;
        match self.random.below(20) {
            0 => self.integer_leaf(),
            1..=2 => Tree::Unary(self.random.pick(&["-", "~", "+", "!"]), Box::new(self.integer(deeper))),
            3 => Tree::Unary("!", Box::new(self.float(deeper))),
            4..=7 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                Tree::Binary(op, Box::new(self.integer(deeper)), Box::new(self.integer(deeper)))
            }
            8..=9 => {
                let op = self.random.pick(&["<<", ">>"]);
                let by_size = self.constant_too() && self.random.chance(50);
                Tree::Shift(op, Box::new(self.integer(deeper)), Box::new(self.integer(deeper / 2)), by_size)
            }
            10..=11 => {
                let op = self.random.pick(&["/", "%"]);
                let negative = self.random.chance(40);
                Tree::Division(op, Box::new(self.integer(deeper)), Box::new(self.integer(deeper / 2)), negative)
            }
            12..=13 => {
                let op = self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                Tree::Binary(op, Box::new(self.arithmetic(deeper)), Box::new(self.arithmetic(deeper)))
            }
            14 => {
                let op = self.random.pick(&["&&", "||"]);
                Tree::Binary(op, Box::new(self.arithmetic(deeper)), Box::new(self.arithmetic(deeper)))
            }
            15..=16 => {
                let ty = CType::any_integer(self.random, self.arch);
                Tree::Cast(ty, Box::new(self.integer(deeper)))
            }
            17 => {
                let ty = CType::any_integer(self.random, self.arch);
                Tree::Truncate(ty, Box::new(self.float(deeper / 2)))
            }
            18 => {
                let cond = Box::new(self.arithmetic(deeper / 2));
                let (then, otherwise) = (Box::new(self.integer(deeper)), Box::new(self.integer(deeper)));
                if self.random.chance(20) { Tree::Elvis(then, otherwise) } else { Tree::Cond(cond, then, otherwise) }
            }
            _ if self.constant_too() => Tree::Sizeof(Box::new(self.arithmetic(deeper))),
            _ => Tree::Comma(Box::new(self.arithmetic(deeper)), Box::new(self.integer(deeper))),
        }
    }

    pub fn float(&mut self, depth: usize) -> Tree {
        if depth == 0 {
            let ty = CType::any_float(self.random);
            return self.leaf(ty);
        }
        let deeper = depth - 1;
        match self.random.below(12) {
            0 => Tree::Unary(self.random.pick(&["-", "+"]), Box::new(self.float(deeper))),
            1..=6 => {
                let op = self.random.pick(&["+", "-", "*", "/"]);
                let (a, b) = (Box::new(self.float(deeper)), Box::new(self.arithmetic(deeper)));
                if self.random.chance(50) { Tree::Binary(op, a, b) } else { Tree::Binary(op, b, a) }
            }
            7..=9 => {
                let ty = CType::any_float(self.random);
                Tree::Cast(ty, Box::new(self.arithmetic(deeper)))
            }
            10 => {
                let cond = Box::new(self.arithmetic(deeper / 2));
                let (a, b) = (Box::new(self.float(deeper)), Box::new(self.arithmetic(deeper)));
                if self.random.chance(50) { Tree::Cond(cond, a, b) } else { Tree::Cond(cond, b, a) }
            }
            _ => {
                let ty = CType::any_float(self.random);
                self.leaf(ty)
            }
        }
    }
}
