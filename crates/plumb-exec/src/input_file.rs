//! Input files: one value per line, in the order in which the program asks.
//!
//! ```text
//!   -5            # nondet_int motor.c:12
//!   0x1f
//!   2.5e-3        # a float: converted to the type of the input it meets
//!   bytes:00ff10  # the content of a region, the rest being zero
//!   zero          # a region of zeros
//!   repeat 600    # what follows, up to `end`, so many times
//!     0
//!     1
//!   end
//! ```

use crate::input_fold::{Folded, fold};
use crate::inputs::{InputSource, InputValue, RegionFill, float_bits};
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::Program;
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::{self, Write};

/// A value as written: its type is known only when the program asks.
#[derive(Clone, PartialEq, Debug)]
pub enum Written {
    Int(i128),
    Float(f64),
    Bytes(Vec<u8>),
    /// Bytes by offset.
    Sparse(BTreeMap<u64, u8>),
    /// The seed of a pattern.
    Pattern(u64),
}

/// What is wrong with an input file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputFileError {
    /// One-based.
    pub line: usize,
    pub wrong: Wrong,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    NoInput(String),
    NoCount(String),
    EndWithoutRepeat,
    RepeatWithoutEnd,
    TooMany,
}

impl fmt::Display for InputFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.wrong {
            Wrong::NoInput(text) => write!(
                f,
                "`{text}` is not an input; write a decimal or 0x number, a float, `zero` or `bytes:` and hex digits"
            ),
            Wrong::NoCount(text) => write!(f, "`{text}` is not a number of repetitions; write `repeat 10`"),
            Wrong::EndWithoutRepeat => f.write_str("`end` without a `repeat` before it"),
            Wrong::RepeatWithoutEnd => f.write_str("`repeat` without an `end` after it"),
            Wrong::TooMany => write!(f, "the file has more than {MOST_VALUES} inputs up to here"),
        }
    }
}

impl std::error::Error for InputFileError {}

/// A file that would unfold to more is refused: it would not fit into memory.
const MOST_VALUES: usize = 100_000_000;

pub fn parse(text: &str) -> Result<Vec<Written>, InputFileError> {
    let mut values: Vec<Written> = Vec::new();
    // The blocks that are open: their lines, how often, and where they begin in `values`.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let error = |wrong| Err(InputFileError { line: index + 1, wrong });
        let word = line.split('#').next().unwrap_or("").trim();
        if word.is_empty() {
            continue;
        }
        if let Some(count) = word.strip_prefix("repeat") {
            match count.trim().parse() {
                Ok(count) => open.push((index + 1, count, values.len())),
                Err(_) => return error(Wrong::NoCount(count.trim().to_string())),
            }
        } else if word == "end" {
            let Some((_, count, begin)) = open.pop() else { return error(Wrong::EndWithoutRepeat) };
            let block = values.split_off(begin);
            if block.len().checked_mul(count).is_none_or(|more| more > MOST_VALUES - values.len()) {
                return error(Wrong::TooMany);
            }
            values.extend(std::iter::repeat_n(block, count).flatten());
        } else {
            match parse_value(word) {
                Some(value) => values.push(value),
                None => return error(Wrong::NoInput(word.to_string())),
            }
        }
    }
    match open.pop() {
        Some((line, ..)) => Err(InputFileError { line, wrong: Wrong::RepeatWithoutEnd }),
        None => Ok(values),
    }
}

fn parse_bytes(hex: &str) -> Option<Vec<u8>> {
    if !hex.len().is_multiple_of(2) || !hex.is_ascii() {
        return None;
    }
    let byte = |i: usize| u8::from_str_radix(&hex[i..i + 2], 16).ok();
    (0..hex.len()).step_by(2).map(byte).collect()
}

fn parse_value(text: &str) -> Option<Written> {
    if text == "zero" {
        return Some(Written::Bytes(Vec::new()));
    }
    if let Some(hex) = text.strip_prefix("bytes:") {
        return parse_bytes(hex).map(Written::Bytes);
    }
    if let Some(seed) = text.strip_prefix("pattern:") {
        return u64::from_str_radix(seed, 16).ok().map(Written::Pattern);
    }
    if let Some(runs) = text.strip_prefix("sparse:") {
        let mut all = BTreeMap::new();
        for run in runs.split(',') {
            let (at, hex) = run.split_once('=')?;
            let at = u64::from_str_radix(at, 16).ok()?;
            all.extend((at..).zip(parse_bytes(hex)?));
        }
        return Some(Written::Sparse(all));
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) if !hex.starts_with(['+', '-']) => Some(u128::from_str_radix(hex, 16).ok()?),
        Some(_) => return None,
        None if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => Some(digits.parse().ok()?),
        None => None,
    };
    match magnitude {
        Some(value) if negative => Some(Written::Int((value as i128).wrapping_neg())),
        Some(value) => Some(Written::Int(value as i128)),
        None => text.parse().ok().map(Written::Float),
    }
}

/// Inputs as read from a file.
#[derive(Clone, Debug)]
pub struct FileInputs {
    values: VecDeque<Written>,
}

impl FileInputs {
    pub fn parse(text: &str) -> Result<FileInputs, InputFileError> {
        parse(text).map(|values| FileInputs { values: values.into() })
    }

    pub fn remaining(&self) -> usize {
        self.values.len()
    }
}

impl InputSource for FileInputs {
    fn scalar(&mut self, _: InputId, site: &InputSite) -> Option<Bits> {
        let written = self.values.pop_front()?;
        Some(match (written, site.ty) {
            // A hexadecimal or decimal integer for a float input is that number; exact bits are written as bytes.
            (Written::Int(value), Some(Ty::Float(format))) => float_bits(value as f64, format),
            (Written::Float(value), Some(Ty::Float(format))) => float_bits(value, format),
            (Written::Int(value), Some(Ty::Int(_) | Ty::Ptr) | None) => Bits::new(value as u128, 128),
            (Written::Float(value), Some(Ty::Int(_) | Ty::Ptr) | None) => Bits::new(value as i128 as u128, 128),
            (Written::Sparse(_) | Written::Pattern(_), _) => Bits::ZERO,
            (Written::Bytes(bytes), _) => {
                Bits::new(bytes.iter().take(16).rev().fold(0u128, |v, b| v << 8 | *b as u128), 128)
            }
        })
    }

    fn region(&mut self, _: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        Some(match self.values.pop_front()? {
            Written::Bytes(bytes) if bytes.is_empty() => RegionFill::Zero,
            Written::Bytes(bytes) => RegionFill::Bytes(bytes),
            Written::Sparse(bytes) => RegionFill::Sparse(bytes),
            Written::Pattern(seed) => RegionFill::Pattern(seed),
            Written::Int(value) => RegionFill::Bytes(value.to_le_bytes().to_vec()),
            Written::Float(value) => RegionFill::Bytes(value.to_le_bytes().to_vec()),
        })
    }
}

/// Writes recorded inputs as a file that reads back to the same run.
pub fn write(record: &[(InputId, InputValue)], program: &Program) -> String {
    let lines: Vec<String> = record.iter().map(|(id, value)| line(*id, value, program)).collect();
    let mut out = String::new();
    write_folded(&fold(&lines), 0, &mut out);
    out
}

fn line(id: InputId, value: &InputValue, program: &Program) -> String {
    let site = program.input(id);
    let place = program.sources.place(site.span).map_or(String::new(), |p| format!(" {}:{}", p.file, p.line));
    format!("{:<12}  # {}{place}", value_text(id, value, program), origin_text(&site.origin))
}

fn write_folded(items: &[Folded<&String>], depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    for item in items {
        match item {
            Folded::One(line) => {
                let _ = writeln!(out, "{indent}{line}");
            }
            Folded::Repeated(count, block) => {
                let _ = writeln!(out, "{indent}repeat {count}");
                write_folded(block, depth + 1, out);
                let _ = writeln!(out, "{indent}end");
            }
        }
    }
}

/// A value as the file has it.
pub fn value_text(id: InputId, value: &InputValue, program: &Program) -> String {
    match value {
        InputValue::Scalar(bits) => scalar_text(*bits, program.input(id), program),
        InputValue::Region(RegionFill::Zero) => "zero".to_string(),
        InputValue::Region(RegionFill::Bytes(bytes)) => bytes_text(bytes),
        InputValue::Region(RegionFill::Sparse(bytes)) => sparse_text(bytes),
        InputValue::Region(RegionFill::Pattern(seed)) if program.input(id).origin == InputOrigin::ForeignMemory => {
            format!("pattern:{seed:x}")
        }
        InputValue::Region(fill @ RegionFill::Pattern(_)) => bytes_text(&fill.bytes(64)),
    }
}

/// Runs of bytes, each behind its offset.
fn sparse_text(bytes: &BTreeMap<u64, u8>) -> String {
    let mut text = "sparse:".to_string();
    let mut next = None;
    for (at, byte) in bytes.iter().filter(|(_, byte)| **byte != 0) {
        if next != Some(*at) {
            text += &format!("{}{at:x}=", if next.is_some() { "," } else { "" });
        }
        text += &format!("{byte:02x}");
        next = at.checked_add(1);
    }
    if next.is_none() { "zero".to_string() } else { text }
}

fn bytes_text(bytes: &[u8]) -> String {
    let used = bytes.iter().rposition(|b| *b != 0).map_or(0, |p| p + 1);
    if used == 0 {
        return "zero".to_string();
    }
    bytes[..used].iter().fold("bytes:".to_string(), |text, b| text + &format!("{b:02x}"))
}

fn scalar_text(bits: Bits, site: &InputSite, program: &Program) -> String {
    match site.ty {
        Some(Ty::Float(FloatFormat::F64)) if f64::from_bits(bits.u64()).is_finite() => {
            format!("{:?}", f64::from_bits(bits.u64()))
        }
        Some(Ty::Float(FloatFormat::F32)) if f32::from_bits(bits.u64() as u32).is_finite() => {
            format!("{:?}", f32::from_bits(bits.u64() as u32))
        }
        Some(Ty::Float(format)) => {
            let size = Ty::Float(format).bytes(&program.target) as usize;
            let bytes = bits.u128().to_le_bytes();
            bytes[..size].iter().fold("bytes:".to_string(), |text, b| text + &format!("{b:02x}"))
        }
        Some(ty @ Ty::Int(_)) if site.is_signed => bits.signed(ty.bits(&program.target)).to_string(),
        Some(Ty::Int(_)) | None => bits.u128().to_string(),
        Some(Ty::Ptr) => format!("{:#x}", bits.u128()),
    }
}

/// What an input is to the user, in a few words.
pub fn origin_text(origin: &InputOrigin) -> String {
    match origin {
        InputOrigin::Library(name) if &**name == "__plumb_open_sign" => "a function such as memcmp or fmin".to_string(),
        InputOrigin::Library(name) if &**name == "__plumb_open_truth" => "a function such as isalpha".to_string(),
        InputOrigin::Library(name) if name.starts_with("__plumb_open_") => "rand_r".to_string(),
        InputOrigin::Nondet(name) | InputOrigin::External(name) | InputOrigin::Library(name) => name.to_string(),
        InputOrigin::Uninitialised(name) => format!("uninitialised {name}"),
        InputOrigin::Padding(name) => format!("padding of {name}"),
        InputOrigin::FreshMemory => "fresh memory".to_string(),
        InputOrigin::ForeignMemory => "memory from outside".to_string(),
        InputOrigin::ExternalObject(name) => format!("extern {name}"),
        InputOrigin::Volatile(name) => format!("volatile {name}"),
        InputOrigin::Register(addr) => format!("register {addr:#x}"),
        InputOrigin::MainArgument => "argument of main".to_string(),
        InputOrigin::EntryArgument(function, name) => format!("argument {name} of {function}"),
        InputOrigin::Assembly => "asm output".to_string(),
        InputOrigin::MissingArgument(name) => format!("missing argument of {name}"),
        InputOrigin::ExternalMemory(name) => format!("memory handed to {name}"),
        InputOrigin::MissingReturn(name) => format!("missing return value of {name}"),
        InputOrigin::Summary(name) => format!("summary of {name}"),
        InputOrigin::UnitState(name) => format!("{name} at the start of the unit"),
        InputOrigin::Schedule(_) => "schedule".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let values = parse("-5 # a\n\n0x1F\n# nothing\n2.5e-3\nbytes:00ff\nzero\n").unwrap();
        let expected = vec![
            Written::Int(-5),
            Written::Int(31),
            Written::Float(0.0025),
            Written::Bytes(vec![0, 255]),
            Written::Bytes(vec![]),
        ];
        assert_eq!(values, expected);
    }

    #[test]
    fn repeated_blocks_are_unfolded() {
        let values = parse("1\nrepeat 2\n 2\n repeat 3\n 3\n end\nend # twice\nrepeat 0\n 9\nend\n").unwrap();
        let expected = [1, 2, 3, 3, 3, 2, 3, 3, 3];
        assert_eq!(values, expected.map(Written::Int));
    }

    #[test]
    fn errors_name_their_line() {
        for bad in [
            "1\nx\n",
            "1\nbytes:0\n",
            "1\n0x-1\n",
            "1\nbytes:zz\n",
            "1\n99999999999999999999999999999999999999999\n",
            "1\nend\n",
            "1\nrepeat 3\n4\n",
            "1\nrepeat x\n4\nend\n",
        ] {
            let error = parse(bad).unwrap_err();
            assert_eq!(error.line, 2, "{bad:?}");
        }
        assert_eq!(parse(&"repeat 100000\n1\n".repeat(4)).unwrap_err().wrong, Wrong::RepeatWithoutEnd);
        let huge = format!("{}1\n{}", "repeat 100000\n".repeat(4), "end\n".repeat(4));
        assert_eq!(parse(&huge).unwrap_err().wrong, Wrong::TooMany);
    }
}
