//! Terms as lines of text, and back: how a proof hands its formulas to whoever checks it.
//!
//! A [`Writer`] numbers the lines; a line names the sort, the operator and the lines of its operands, which come before it:
//!
//! ```text
//!   0  bv32 symbol x
//!   1  bv32 const 0x0000000a
//!   2  bool BvUlt 0 1
//! ```
//!
//! [`read`] takes a stranger's text. It checks the sort of every operand before it calls a constructor, so that a bad line
//! is an error and never a panic, and it makes the terms through the constructors, which rewrite: the same
//! value, not always the same graph.

use crate::bitvec::BitVec;
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::sort::{Format, Sort};
use crate::terms::{TermId, Terms};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Wider bit-vectors occur in no program.
const WIDEST: u32 = 1 << 16;

/// Writes terms of one arena, each once.
#[derive(Debug, Default)]
pub struct Writer {
    lines: Vec<String>,
    numbers: FxHashMap<TermId, u32>,
}

impl Writer {
    pub fn new() -> Writer {
        Writer::default()
    }

    /// The line of a term. Symbols are written with their names; white space in them becomes `_`.
    pub fn line(&mut self, terms: &Terms, root: TermId) -> u32 {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.numbers.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.kind(term).operands().filter(|operand| !self.numbers.contains_key(operand)));
            if stack.len() > before {
                continue;
            }
            let line = self.text(terms, term);
            self.numbers.insert(term, self.lines.len() as u32);
            self.lines.push(line);
            stack.pop();
        }
        self.numbers[&root]
    }

    /// The line of a term that was written.
    pub fn known(&self, term: TermId) -> Option<u32> {
        self.numbers.get(&term).copied()
    }

    fn text(&self, terms: &Terms, term: TermId) -> String {
        let kind = terms.kind(term);
        let mut text = format!("{} ", terms.sort(term));
        let _ = match kind {
            Kind::Const => write!(text, "const 0x{}", hex(terms, term)),
            Kind::Symbol(symbol) => {
                write!(text, "symbol {}", terms.symbol_name(symbol).replace(char::is_whitespace, "_"))
            }
            Kind::Unary(op, _) => write!(text, "{op:?}"),
            Kind::Binary(op, ..) => write!(text, "{op:?}"),
            Kind::Ite(..) => write!(text, "Ite"),
            Kind::Fma(..) => write!(text, "Fma"),
            Kind::Store(..) => write!(text, "Store"),
            Kind::Extract { hi, lo, .. } => write!(text, "Extract {hi} {lo}"),
        };
        for operand in kind.operands() {
            let _ = write!(text, " {}", self.numbers[&operand]);
        }
        text
    }

    pub fn into_lines(self) -> Vec<String> {
        self.lines
    }
}

/// The digits of a constant, the highest first.
fn hex(terms: &Terms, constant: TermId) -> String {
    let bits = match terms.constant(constant) {
        Some(Value::Bool(value)) => BitVec::new(1, value as u128),
        Some(Value::Bv(bits) | Value::Float(_, bits)) => bits,
        Some(Value::Array(_)) | None => BitVec::zero(1),
    };
    let limbs = bits.limbs();
    let digits: String = limbs.iter().rev().map(|limb| format!("{limb:016x}")).collect();
    let short = digits.trim_start_matches('0');
    if short.is_empty() { "0".to_string() } else { short.to_string() }
}

/// The number of so many bits that digits write; `None` if it needs more.
fn from_hex(digits: &str, width: u32) -> Option<BitVec> {
    if digits.is_empty() || digits.len() > WIDEST as usize || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut limbs: Vec<u64> = Vec::new();
    for chunk in digits.as_bytes().rchunks(16) {
        limbs.push(u64::from_str_radix(std::str::from_utf8(chunk).ok()?, 16).ok()?);
    }
    let whole = BitVec::from_limbs(width.max(digits.len() as u32 * 4), limbs);
    (whole.significant_bits() <= width).then(|| whole.extract(width - 1, 0))
}

/// The terms of the lines, or the number of the first line that is none with what is wrong about it.
pub fn read<S: AsRef<str>>(terms: &mut Terms, lines: &[S]) -> Result<Vec<TermId>, (usize, String)> {
    let mut found: Vec<TermId> = Vec::with_capacity(lines.len());
    for (number, line) in lines.iter().enumerate() {
        found.push(read_line(terms, line.as_ref(), &found).map_err(|why| (number, why))?);
    }
    Ok(found)
}

fn read_line(terms: &mut Terms, line: &str, before: &[TermId]) -> Result<TermId, String> {
    let mut words = line.split_ascii_whitespace();
    let sort = words.next().and_then(read_sort).ok_or("it does not begin with a sort")?;
    let op = words.next().ok_or("it has no operator")?;
    let rest: Vec<&str> = words.collect();
    let number = |word: &str| word.parse::<u32>().map_err(|_| format!("`{word}` is no number"));
    let operand = |word: &&str| {
        let line = number(word)? as usize;
        before.get(line).copied().ok_or_else(|| format!("line {line} does not come before it"))
    };
    let ill_sorted = || format!("the operands of `{op}` have the wrong sorts");
    match (op, &rest[..]) {
        ("symbol", [name]) => Ok(terms.symbol(name, sort)),
        ("const", [bits]) => {
            let width = match sort {
                Sort::Bool => 1,
                Sort::Bv(width) => width,
                Sort::Float(format) => format.width(),
                Sort::Array { .. } => return Err("an array is no constant".to_string()),
            };
            let bits = bits.strip_prefix("0x").and_then(|digits| from_hex(digits, width));
            let bits = bits.ok_or("its constant is no hexadecimal number of its width")?;
            Ok(terms.value(&match sort {
                Sort::Float(format) => Value::Float(format, bits),
                Sort::Bool => Value::Bool(bits.is_one()),
                Sort::Bv(_) | Sort::Array { .. } => Value::Bv(bits),
            }))
        }
        ("Extract", [hi, lo, value]) => {
            let (hi, lo, value) = (number(hi)?, number(lo)?, operand(value)?);
            let Sort::Bv(width) = terms.sort(value) else { return Err(ill_sorted()) };
            if lo > hi || hi >= width || sort != Sort::Bv(hi - lo + 1) {
                return Err(ill_sorted());
            }
            Ok(terms.extract(value, hi, lo))
        }
        (_, words) => {
            let operands: Vec<TermId> = words.iter().map(operand).collect::<Result<_, _>>()?;
            let sorts: Vec<Sort> = operands.iter().map(|operand| terms.sort(*operand)).collect();
            let unary = UnaryOp::ALL.iter().find(|known| format!("{known:?}") == op);
            let binary = BinaryOp::ALL.iter().find(|known| format!("{known:?}") == op);
            let is_same_float = matches!(sort, Sort::Float(_)) && sorts.iter().all(|s| *s == sort);
            match (op, &operands[..]) {
                ("Ite", [c, a, b]) if sorts == [Sort::Bool, sort, sort] => Ok(terms.ite(*c, *a, *b)),
                ("Fma", [a, b, c]) if is_same_float => Ok(terms.float_fma(*a, *b, *c)),
                ("Store", [a, i, e]) => match sort {
                    Sort::Array { index, element } if sorts == [sort, Sort::Bv(index), Sort::Bv(element)] => {
                        Ok(terms.store(*a, *i, *e))
                    }
                    _ => Err(ill_sorted()),
                },
                (_, [a]) => match unary {
                    Some(op) if unary_sort(*op, sorts[0], sort) => Ok(terms.unary(*op, *a, sort)),
                    Some(_) => Err(ill_sorted()),
                    None => Err(format!("there is no operator `{op}` on one term")),
                },
                (_, [a, b]) => match binary {
                    Some(op) if binary_sort(*op, sorts[0], sorts[1]) == Some(sort) => {
                        Ok(terms.binary(*op, *a, *b, sort))
                    }
                    Some(_) => Err(ill_sorted()),
                    None => Err(format!("there is no operator `{op}` on two terms")),
                },
                _ => Err(ill_sorted()),
            }
        }
    }
}

/// Whether an operator takes one sort to another.
fn unary_sort(op: UnaryOp, from: Sort, to: Sort) -> bool {
    match (op, from, to) {
        (UnaryOp::Not, Sort::Bool, Sort::Bool) => true,
        (UnaryOp::BvNot | UnaryOp::BvNeg, Sort::Bv(a), Sort::Bv(b)) => a == b,
        (UnaryOp::ZeroExtend | UnaryOp::SignExtend, Sort::Bv(a), Sort::Bv(b)) => a < b,
        (UnaryOp::FloatToBits, Sort::Float(format), Sort::Bv(width))
        | (UnaryOp::FloatFromBits, Sort::Bv(width), Sort::Float(format)) => format.width() == width,
        (
            UnaryOp::FloatNeg
            | UnaryOp::FloatAbs
            | UnaryOp::FloatSqrt
            | UnaryOp::FloatFloor
            | UnaryOp::FloatCeil
            | UnaryOp::FloatTrunc
            | UnaryOp::FloatRound
            | UnaryOp::FloatRint,
            Sort::Float(a),
            Sort::Float(b),
        ) => a == b,
        (
            UnaryOp::FloatIsNan
            | UnaryOp::FloatIsInf
            | UnaryOp::FloatIsNormal
            | UnaryOp::FloatIsZero
            | UnaryOp::FloatIsNegative,
            Sort::Float(_),
            Sort::Bool,
        ) => true,
        (UnaryOp::FloatToFloat, Sort::Float(a), Sort::Float(b)) => a != b,
        (UnaryOp::SignedToFloat | UnaryOp::UnsignedToFloat, Sort::Bv(_), Sort::Float(_))
        | (UnaryOp::FloatToSigned, Sort::Float(_), Sort::Bv(_)) => true,
        (UnaryOp::ConstArray, Sort::Bv(a), Sort::Array { element, .. }) => a == element,
        _ => false,
    }
}

/// The sort that an operator gives for two operands, if it takes them.
fn binary_sort(op: BinaryOp, a: Sort, b: Sort) -> Option<Sort> {
    let same = |is_right: bool, gives: Sort| (is_right && a == b).then_some(gives);
    let is_bv = matches!(a, Sort::Bv(_));
    let is_float = matches!(a, Sort::Float(_));
    match op {
        BinaryOp::And | BinaryOp::Or => same(a == Sort::Bool, Sort::Bool),
        BinaryOp::Eq => same(true, Sort::Bool),
        BinaryOp::BvAnd
        | BinaryOp::BvOr
        | BinaryOp::BvXor
        | BinaryOp::BvAdd
        | BinaryOp::BvSub
        | BinaryOp::BvMul
        | BinaryOp::BvUdiv
        | BinaryOp::BvUrem
        | BinaryOp::BvSdiv
        | BinaryOp::BvSrem
        | BinaryOp::BvShl
        | BinaryOp::BvLshr
        | BinaryOp::BvAshr => same(is_bv, a),
        BinaryOp::BvUlt | BinaryOp::BvSlt => same(is_bv, Sort::Bool),
        BinaryOp::Concat => match (a, b) {
            (Sort::Bv(a), Sort::Bv(b)) => a.checked_add(b).filter(|width| *width <= WIDEST).map(Sort::Bv),
            _ => None,
        },
        BinaryOp::FloatAdd
        | BinaryOp::FloatMul
        | BinaryOp::FloatDiv
        | BinaryOp::FloatRem
        | BinaryOp::FloatIeeeRem
        | BinaryOp::FloatMin
        | BinaryOp::FloatMax => same(is_float, a),
        BinaryOp::FloatEq | BinaryOp::FloatLt | BinaryOp::FloatLe => same(is_float, Sort::Bool),
        BinaryOp::Select => match (a, b) {
            (Sort::Array { index, element }, Sort::Bv(width)) if width == index => Some(Sort::Bv(element)),
            _ => None,
        },
    }
}

/// A sort as its `Display` writes it.
fn read_sort(text: &str) -> Option<Sort> {
    let width = |text: &str| text.parse::<u32>().ok().filter(|width| (1..=WIDEST).contains(width));
    let format = match text {
        "bool" => return Some(Sort::Bool),
        "f16" => Some(Format::F16),
        "f32" => Some(Format::F32),
        "f64" => Some(Format::F64),
        "f80" => Some(Format::X87),
        _ => None,
    };
    if let Some(format) = format {
        return Some(Sort::Float(format));
    }
    if let Some(parts) = text.strip_prefix("float(").and_then(|rest| rest.strip_suffix(')')) {
        let (exponent, significand) = parts.split_once(',')?;
        return Format::ieee(exponent.parse().ok()?, significand.parse().ok()?).map(Sort::Float);
    }
    let bv = text.strip_prefix("bv")?;
    match bv.split_once("[]bv") {
        Some((index, element)) => Some(Sort::Array { index: width(index)?, element: width(element)? }),
        None => width(bv).map(Sort::Bv),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_told() {
        for (line, why) in [
            ("", "begin with a sort"),
            ("bv0 symbol x", "begin with a sort"),
            ("bv8", "no operator"),
            ("bv8 const 0x100", "of its width"),
            ("bv8 BvAdd 0 1", "does not come before"),
            ("bv8 Jump 0", "does not come before"),
            ("bv8 BvAdd x y", "no number"),
        ] {
            let (at, message) = read(&mut Terms::new(), &[line]).unwrap_err();
            assert_eq!(at, 0);
            assert!(message.contains(why), "{line}: {message}");
        }
        let sorted = ["bv8 symbol x", "bv16 symbol y", "bool symbol b", "f32 symbol f"];
        for line in [
            "bv8 BvAdd 0 1",
            "bool And 0 2",
            "bv8 Extract 8 0 0",
            "bv4 Extract 2 4 0",
            "bv8 Ite 0 0 0",
            "f32 Fma 3 3 0",
            "bv8 ZeroExtend 0",
            "bv8 Select 0 0",
            "bv8[]bv8 Store 0 0 0",
            "f32 FloatToFloat 3",
            "bv8 Jump 0",
            "bv8 BvNot 0 0",
        ] {
            let lines: Vec<&str> = sorted.iter().copied().chain([line]).collect();
            assert_eq!(read(&mut Terms::new(), &lines).unwrap_err().0, 4, "{line}");
        }
    }

    #[test]
    fn sorts_survive() {
        let sorts = [
            Sort::Bool,
            Sort::Bv(33),
            Sort::Float(Format::F64),
            Sort::Float(Format::X87),
            Sort::Float(Format::ieee(3, 5).unwrap()),
            Sort::Array { index: 64, element: 8 },
        ];
        for sort in sorts {
            assert_eq!(read_sort(&sort.to_string()), Some(sort));
        }
    }
}
