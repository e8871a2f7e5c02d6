//! Input files: one value per line, in the order in which the program asks.
//!
//! ```text
//!   -5            # nondet_int motor.c:12
//!   0x1f
//!   2.5e-3        # a float: converted to the type of the input it meets
//!   bytes:00ff10  # the content of a region, the rest being zero
//!   zero          # a region of zeros
//! ```

use crate::inputs::{InputSource, InputValue, RegionFill, float_bits};
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::Program;
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use std::collections::VecDeque;
use std::fmt::{self, Write};

/// A value as written: its type is known only when the program asks.
#[derive(Clone, PartialEq, Debug)]
pub enum Written {
    Int(i128),
    Float(f64),
    Bytes(Vec<u8>),
}

/// What is wrong with an input file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputFileError {
    /// One-based.
    pub line: usize,
    pub text: String,
}

impl fmt::Display for InputFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}: `{}` is not an input; write a decimal or 0x number, a float, `zero` or `bytes:` and hex digits",
            self.line, self.text
        )
    }
}

impl std::error::Error for InputFileError {}

pub fn parse(text: &str) -> Result<Vec<Written>, InputFileError> {
    let mut values = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let value = line.split('#').next().unwrap_or("").trim();
        if value.is_empty() {
            continue;
        }
        match parse_value(value) {
            Some(value) => values.push(value),
            None => return Err(InputFileError { line: index + 1, text: value.to_string() }),
        }
    }
    Ok(values)
}

fn parse_value(text: &str) -> Option<Written> {
    if text == "zero" {
        return Some(Written::Bytes(Vec::new()));
    }
    if let Some(hex) = text.strip_prefix("bytes:") {
        if hex.len() % 2 != 0 || !hex.is_ascii() {
            return None;
        }
        let byte = |i: usize| u8::from_str_radix(&hex[i..i + 2], 16).ok();
        return (0..hex.len()).step_by(2).map(byte).collect::<Option<_>>().map(Written::Bytes);
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
            (Written::Bytes(bytes), _) => {
                Bits::new(bytes.iter().take(16).rev().fold(0u128, |v, b| v << 8 | *b as u128), 128)
            }
        })
    }

    fn region(&mut self, _: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        Some(match self.values.pop_front()? {
            Written::Bytes(bytes) if bytes.is_empty() => RegionFill::Zero,
            Written::Bytes(bytes) => RegionFill::Bytes(bytes),
            Written::Int(value) => RegionFill::Bytes(value.to_le_bytes().to_vec()),
            Written::Float(value) => RegionFill::Bytes(value.to_le_bytes().to_vec()),
        })
    }
}

/// Writes recorded inputs as a file that reads back to the same run.
pub fn write(record: &[(InputId, InputValue)], program: &Program) -> String {
    let mut out = String::new();
    for (id, value) in record {
        let site = program.input(*id);
        let text = match value {
            InputValue::Scalar(bits) => scalar_text(*bits, site, program),
            InputValue::Region(RegionFill::Zero) => "zero".to_string(),
            InputValue::Region(RegionFill::Bytes(bytes)) => bytes_text(bytes),
            InputValue::Region(fill @ RegionFill::Pattern(_)) => bytes_text(&fill.bytes(64)),
        };
        let _ = write!(out, "{text:<12}  # {}", origin_text(&site.origin));
        if let Some(place) = program.sources.place(site.span) {
            let _ = write!(out, " {}:{}", place.file, place.line);
        }
        out.push('\n');
    }
    out
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
        InputOrigin::Nondet(name) | InputOrigin::External(name) | InputOrigin::Library(name) => name.to_string(),
        InputOrigin::Uninitialised(name) => format!("uninitialised {name}"),
        InputOrigin::FreshMemory => "fresh memory".to_string(),
        InputOrigin::ExternalObject(name) => format!("extern {name}"),
        InputOrigin::Volatile(name) => format!("volatile {name}"),
        InputOrigin::Register(addr) => format!("register {addr:#x}"),
        InputOrigin::MainArgument => "argument of main".to_string(),
        InputOrigin::Assembly => "asm output".to_string(),
        InputOrigin::MissingArgument(name) => format!("missing argument of {name}"),
        InputOrigin::MissingReturn(name) => format!("missing return value of {name}"),
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
    fn errors_name_their_line() {
        for bad in
            ["1\nx\n", "1\nbytes:0\n", "1\n0x-1\n", "1\nbytes:zz\n", "1\n99999999999999999999999999999999999999999\n"]
        {
            let error = parse(bad).unwrap_err();
            assert_eq!(error.line, 2, "{bad:?}");
        }
    }
}
