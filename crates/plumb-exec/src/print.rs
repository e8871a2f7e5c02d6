//! `printf`: the format is read from the program's memory, arguments from the slots that its caller filled.
//!
//! Slots are 8 bytes each (16 for x87 floats); a value occupies the first bytes of its slot.

use crate::decimal::Decimal;
use crate::memory::Memory;
use crate::outcome::FaultKind;
use plumb_c::target::{FloatFormat, Target};
use plumb_ir::fold_float;
use plumb_ir::ty::{Bits, Ty};

/// Longer output of one conversion is refused: no honest program pads to a megabyte.
const MAX_FIELD: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    Size,
    LongDouble,
}

#[derive(Clone, Copy, Debug)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
}

/// The next argument slots.
struct Slots<'a> {
    memory: &'a mut Memory,
    target: &'a Target,
    next: u64,
}

impl Slots<'_> {
    fn value(&mut self, size: usize, slot: u64) -> Result<u128, FaultKind> {
        let mut bytes = [0; 16];
        self.memory.read(self.next, &mut bytes[..size])?;
        self.next += slot;
        Ok(u128::from_le_bytes(bytes))
    }

    fn int_size(&self, length: Length) -> usize {
        match length {
            Length::Char | Length::Short | Length::Int => self.target.int_bytes as usize,
            Length::Long => self.target.long_bytes as usize,
            Length::LongLong | Length::LongDouble => 8,
            Length::Size => self.target.pointer_bytes as usize,
        }
    }

    /// An integer argument as the conversion reads it: its low bits, and how many they are.
    fn int(&mut self, length: Length) -> Result<(Bits, u32), FaultKind> {
        let size = self.int_size(length);
        let value = self.value(size, 8)?;
        let bits = match length {
            Length::Char => 8,
            Length::Short => 16,
            _ => size as u32 * 8,
        };
        Ok((Bits::new(value, bits), bits))
    }

    fn pointer(&mut self) -> Result<u64, FaultKind> {
        Ok(self.value(self.target.pointer_bytes as usize, 8)? as u64)
    }

    fn float(&mut self, length: Length) -> Result<(Bits, FloatFormat), FaultKind> {
        let format = match length {
            Length::LongDouble => self.target.long_double_format,
            _ => self.target.double_format,
        };
        let size = Ty::Float(format).bytes(self.target) as usize;
        let slot = if format == FloatFormat::X87 { 16 } else { 8 };
        Ok((Bits::new(self.value(size, slot)?, 128), format))
    }
}

/// What a format and its arguments print.
pub fn print(memory: &mut Memory, target: &Target, format: u64, slots: u64) -> Result<Vec<u8>, FaultKind> {
    let format = string(memory, format, usize::MAX)?;
    formatted(&format, &mut Slots { memory, target, next: slots })
}

/// The bytes of a C string, at most so many.
fn string(memory: &mut Memory, addr: u64, limit: usize) -> Result<Vec<u8>, FaultKind> {
    let mut bytes = Vec::new();
    while bytes.len() < limit {
        let mut byte = [0];
        memory.read(addr.wrapping_add(bytes.len() as u64), &mut byte)?;
        if byte[0] == 0 {
            break;
        }
        bytes.push(byte[0]);
    }
    Ok(bytes)
}

fn formatted(format: &[u8], slots: &mut Slots) -> Result<Vec<u8>, FaultKind> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let plain = format[at..].iter().position(|b| *b == b'%').unwrap_or(format.len() - at);
        out.extend_from_slice(&format[at..at + plain]);
        at += plain;
        if at < format.len() {
            at += 1;
            conversion(format, &mut at, slots, &mut out)?;
        }
    }
    Ok(out)
}

fn conversion(format: &[u8], at: &mut usize, slots: &mut Slots, out: &mut Vec<u8>) -> Result<(), FaultKind> {
    let mut spec = parse_spec(format, at, slots)?;
    let kind = *format.get(*at).ok_or(FaultKind::BadFormat)?;
    *at += 1;
    match kind {
        b'%' => out.push(b'%'),
        b'd' | b'i' => {
            let (value, bits) = slots.int(spec.length)?;
            let value = value.signed(bits);
            let sign = sign_text(value < 0, &spec);
            integer(out, spec, sign, value.unsigned_abs().to_string());
        }
        b'u' => {
            let (value, _) = slots.int(spec.length)?;
            integer(out, spec, "", value.u128().to_string());
        }
        b'x' | b'X' | b'o' => {
            let (value, _) = slots.int(spec.length)?;
            let value = value.u128();
            let (prefix, digits) = match kind {
                b'x' => ("0x", format!("{value:x}")),
                b'X' => ("0X", format!("{value:X}")),
                _ => ("", format!("{value:o}")),
            };
            if kind == b'o' && spec.alternate && !digits.starts_with('0') {
                spec.precision = Some(spec.precision.unwrap_or(0).max(digits.len() + 1));
            }
            integer(out, spec, if spec.alternate && value != 0 { prefix } else { "" }, digits);
        }
        b'c' if spec.length == Length::Int => {
            let (value, _) = slots.int(Length::Int)?;
            pad(out, spec, "", &[value.u64() as u8], false);
        }
        b's' if spec.length == Length::Int => {
            let addr = slots.pointer()?;
            let text = match addr {
                // As glibc prints it.
                0 if spec.precision.is_none_or(|p| p >= 6) => b"(null)".to_vec(),
                0 => Vec::new(),
                _ => string(slots.memory, addr, spec.precision.unwrap_or(usize::MAX))?,
            };
            pad(out, spec, "", &text, false);
        }
        b'p' => match slots.pointer()? {
            0 => pad(out, spec, "", b"(nil)", false),
            addr => integer(out, spec, "0x", format!("{addr:x}")),
        },
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let (bits, format) = slots.float(spec.length)?;
            float(out, spec, kind, bits, format);
        }
        b'n' => {
            let size = match spec.length {
                Length::Char => 1,
                Length::Short => 2,
                _ => slots.int_size(spec.length),
            };
            let addr = slots.pointer()?;
            slots.memory.write(addr, &(out.len() as u64).to_le_bytes()[..size])?;
        }
        _ => return Err(FaultKind::BadFormat),
    }
    Ok(())
}

fn number(format: &[u8], at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = format.get(*at).filter(|b| b.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add((digit - b'0') as usize);
        *at += 1;
    }
    value
}

fn parse_spec(format: &[u8], at: &mut usize, slots: &mut Slots) -> Result<Spec, FaultKind> {
    let mut spec = Spec {
        left: false,
        plus: false,
        space: false,
        alternate: false,
        zero: false,
        width: 0,
        precision: None,
        length: Length::Int,
    };
    loop {
        match format.get(*at) {
            Some(b'-') => spec.left = true,
            Some(b'+') => spec.plus = true,
            Some(b' ') => spec.space = true,
            Some(b'#') => spec.alternate = true,
            Some(b'0') => spec.zero = true,
            // Grouping of thousands does nothing in the C locale.
            Some(b'\'') => {}
            _ => break,
        }
        *at += 1;
    }
    if format.get(*at) == Some(&b'*') {
        *at += 1;
        let (value, bits) = slots.int(Length::Int)?;
        spec.left |= value.signed(bits) < 0;
        spec.width = value.signed(bits).unsigned_abs() as usize;
    } else {
        spec.width = number(format, at);
    }
    if format.get(*at) == Some(&b'.') {
        *at += 1;
        if format.get(*at) == Some(&b'*') {
            *at += 1;
            let (value, bits) = slots.int(Length::Int)?;
            spec.precision = usize::try_from(value.signed(bits)).ok();
        } else {
            spec.precision = Some(number(format, at));
        }
    }
    if spec.width > MAX_FIELD || spec.precision.is_some_and(|p| p > MAX_FIELD && p != usize::MAX) {
        return Err(FaultKind::BadFormat);
    }
    spec.length = length(format, at);
    Ok(spec)
}

fn length(format: &[u8], at: &mut usize) -> Length {
    let (length, used) = match (format.get(*at), format.get(*at + 1)) {
        (Some(b'h'), Some(b'h')) => (Length::Char, 2),
        (Some(b'h'), _) => (Length::Short, 1),
        (Some(b'l'), Some(b'l')) => (Length::LongLong, 2),
        (Some(b'l'), _) => (Length::Long, 1),
        (Some(b'q' | b'j'), _) => (Length::LongLong, 1),
        (Some(b'z' | b't'), _) => (Length::Size, 1),
        (Some(b'L'), _) => (Length::LongDouble, 1),
        _ => (Length::Int, 0),
    };
    *at += used;
    length
}

fn sign_text(negative: bool, spec: &Spec) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

/// Appends a field: prefix and body, padded to the width, with zeros after the prefix if `zeros`.
fn pad(out: &mut Vec<u8>, spec: Spec, prefix: &str, body: &[u8], zeros: bool) {
    let missing = spec.width.saturating_sub(prefix.len() + body.len());
    let fill = |out: &mut Vec<u8>, byte: u8| out.resize(out.len() + missing, byte);
    if !spec.left && !zeros {
        fill(out, b' ');
    }
    out.extend_from_slice(prefix.as_bytes());
    if !spec.left && zeros {
        fill(out, b'0');
    }
    out.extend_from_slice(body);
    if spec.left {
        fill(out, b' ');
    }
}

fn integer(out: &mut Vec<u8>, spec: Spec, prefix: &str, mut digits: String) {
    if let Some(precision) = spec.precision {
        if digits == "0" {
            digits.clear();
        }
        let missing = precision.saturating_sub(digits.len());
        digits.insert_str(0, &"0".repeat(missing));
    }
    pad(out, spec, prefix, digits.as_bytes(), spec.zero && spec.precision.is_none());
}

fn float(out: &mut Vec<u8>, spec: Spec, kind: u8, bits: Bits, format: FloatFormat) {
    // Every format is exact in the widest.
    let wide = fold_float::convert(format, FloatFormat::X87, bits).u128();
    let negative = match format {
        FloatFormat::F32 => bits.u128() >> 31 & 1 != 0,
        FloatFormat::F64 => bits.u128() >> 63 & 1 != 0,
        FloatFormat::X87 => bits.u128() >> 79 & 1 != 0,
    };
    let sign = sign_text(negative, &spec);
    let upper = kind.is_ascii_uppercase();
    let (mantissa, exponent) = (wide as u64, (wide >> 64) as i32 & 0x7fff);
    if exponent == 0x7fff {
        let text = if mantissa << 1 == 0 { "inf" } else { "nan" };
        let text = if upper { text.to_uppercase() } else { text.to_string() };
        return pad(out, spec, sign, text.as_bytes(), false);
    }
    // The value is mantissa * 2^(exponent - bias - 63); a biased exponent of 0 counts as 1.
    let power = exponent.max(1) - 16383 - 63;
    let body = match kind.to_ascii_lowercase() {
        b'a' => return hexadecimal(out, spec, sign, mantissa, power, format, upper),
        b'f' => fixed(Decimal::exact(mantissa, power), spec.precision.unwrap_or(6), spec.alternate),
        b'e' => scientific(Decimal::exact(mantissa, power), spec.precision.unwrap_or(6), spec.alternate),
        _ => general(Decimal::exact(mantissa, power), spec.precision.unwrap_or(6).max(1), spec.alternate),
    };
    let body = if upper { body.to_uppercase() } else { body };
    pad(out, spec, sign, body.as_bytes(), spec.zero);
}

fn fixed(mut value: Decimal, places: usize, point: bool) -> String {
    value.round(value.point as i64 + places as i64);
    let mut text = String::new();
    let digit = |power: i32| (b'0' + value.digit(power)) as char;
    (0..=value.exponent().max(0)).rev().for_each(|power| text.push(digit(power)));
    if places > 0 || point {
        text.push('.');
    }
    (1..=places as i32).for_each(|place| text.push(digit(-place)));
    text
}

fn scientific(mut value: Decimal, places: usize, point: bool) -> String {
    value.round(places as i64 + 1);
    let exponent = value.exponent();
    let mut text = String::new();
    text.push((b'0' + value.digit(exponent)) as char);
    if places > 0 || point {
        text.push('.');
    }
    (1..=places as i32).for_each(|place| text.push((b'0' + value.digit(exponent - place)) as char));
    let sign = if exponent < 0 { '-' } else { '+' };
    text + &format!("e{sign}{:02}", exponent.abs())
}

fn general(value: Decimal, significant: usize, keep_zeros: bool) -> String {
    let mut rounded = value.clone();
    rounded.round(significant as i64);
    let exponent = rounded.exponent();
    let is_fixed = exponent >= -4 && (exponent as i64) < significant as i64;
    let places = if is_fixed { significant as i64 - 1 - exponent as i64 } else { significant as i64 - 1 } as usize;
    let text = if is_fixed { fixed(value, places, keep_zeros) } else { scientific(value, places, keep_zeros) };
    if keep_zeros {
        return text;
    }
    let (number, suffix) = text.split_at(text.find('e').unwrap_or(text.len()));
    match number.contains('.') {
        true => format!("{}{suffix}", number.trim_end_matches('0').trim_end_matches('.')),
        false => text,
    }
}

/// `%a` as glibc does it: doubles with a leading 1 (0 if subnormal), x87 floats with their top four bits.
fn hexadecimal(out: &mut Vec<u8>, spec: Spec, sign: &str, mantissa: u64, power: i32, format: FloatFormat, upper: bool) {
    // The mantissa's digits after the first, most significant first, and the exponent of the first.
    let (mut first, mut rest, mut exponent, digits) = match format {
        FloatFormat::X87 => (mantissa >> 60, mantissa << 4, power + 60, 15),
        FloatFormat::F64 | FloatFormat::F32 => {
            let (min, digits) = (-1022, 13);
            let shift = (min - (power + 63)).clamp(0, 64) as u32;
            // A subnormal keeps the smallest exponent and has no leading one.
            match shift {
                0 => (mantissa >> 63, mantissa << 1, power + 63, digits),
                64.. => (0, 0, min, digits),
                _ => (0, mantissa >> (shift - 1), min, digits),
            }
        }
    };
    if mantissa == 0 {
        exponent = 0;
    }
    let shown = match spec.precision {
        Some(places) if places < digits => {
            let shift = 64 - places as u32 * 4;
            let low = if shift == 64 { rest } else { rest << (64 - shift) >> (64 - shift) };
            let half = 1u64 << (shift - 1);
            let kept = if shift == 64 { 0 } else { rest >> shift };
            let odd = if places == 0 { first & 1 } else { kept & 1 };
            let up = low > half || low == half && odd == 1;
            let sum = ((first as u128) << (places * 4) | kept as u128) + up as u128;
            first = (sum >> (places * 4)) as u64;
            rest = if shift == 64 { 0 } else { (sum as u64) << shift };
            if first > 15 {
                first >>= 4;
                exponent += 4;
            }
            places
        }
        Some(places) => places,
        None => 16 - (rest.trailing_zeros() / 4) as usize,
    };
    let all = format!("{rest:016x}");
    let mut body = format!("{first:x}");
    if shown > 0 || spec.alternate {
        body.push('.');
    }
    body += &all[..shown.min(16)];
    body += &"0".repeat(shown.saturating_sub(16));
    body += &format!("p{exponent:+}");
    let (prefix, body) = match upper {
        true => (format!("{sign}0X"), body.to_uppercase()),
        false => (format!("{sign}0x"), body),
    };
    pad(out, spec, &prefix, body.as_bytes(), spec.zero);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each value in the first bytes of its slot.
    fn text(format: &str, slots: &[u128]) -> String {
        let map = crate::memory::tests::address_map(Target::LP64);
        let mut memory = Memory::new(crate::memory::Space::new(&map));
        let at = memory.allocate(format.len() as u64 + 1, 1, &map).unwrap();
        memory.write(at, format.as_bytes()).unwrap();
        let area = memory.allocate(slots.len() as u64 * 8 + 8, 1, &map).unwrap();
        for (i, value) in slots.iter().enumerate() {
            memory.write(area + i as u64 * 8, &value.to_le_bytes()[..8]).unwrap();
        }
        let bytes = print(&mut memory, &Target::LP64, at, area).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn integers() {
        let minus = -42i32 as u32 as u128;
        let cases = [
            ("[%d|%5d|%-5d|%05d]", vec![minus; 4], "[-42|  -42|-42  |-0042]"),
            ("[%+d|% d|%.3d|%8.3d|%.0d]", vec![7, 7, 7, 7, 0], "[+7| 7|007|     007|]"),
            ("[%x|%#X|%#o|%u]", vec![255, 255, 8, minus], "[ff|0XFF|010|4294967254]"),
            ("[%hhd|%hu|%c|%%]", vec![200, 65537, 65], "[-56|1|A|%]"),
            ("[%lld|%zu|%jx]", vec![u64::MAX as u128, 5, 16], "[-1|5|10]"),
            ("[%*d|%-*d|%.*d]", vec![4, 1, 4, 1, 3, 1], "[   1|1   |001]"),
            ("[%s|%p|%p]", vec![0, 0, 0x1234], "[(null)|(nil)|0x1234]"),
        ];
        for (format, slots, expected) in cases {
            assert_eq!(text(format, &slots), expected);
        }
    }

    #[test]
    fn floats_as_glibc_prints_them() {
        let cases = [
            (0.1, "[%f|%.0f|%.20f]", "[0.100000|0|0.10000000000000000555]"),
            (2.5, "[%.0f|%e|%g]", "[2|2.500000e+00|2.5]"),
            (-0.0, "[%f|%g|%a]", "[-0.000000|-0|-0x0p+0]"),
            (1e100, "[%g|%.3e|%G]", "[1e+100|1.000e+100|1E+100]"),
            (123456789.0, "[%g|%#g|%.10g]", "[1.23457e+08|1.23457e+08|123456789]"),
            (5e-324, "[%g|%a|%.3a]", "[4.94066e-324|0x0.0000000000001p-1022|0x0.000p-1022]"),
            (1.0 / 3.0, "[%a|%.2a|%A]", "[0x1.5555555555555p-2|0x1.55p-2|0X1.5555555555555P-2]"),
            (f64::INFINITY, "[%f|%10F|%010g]", "[inf|       INF|       inf]"),
            (3.25, "[%08.1f|%-8.1f|%+.0f]", "[000003.2|3.2     |+3]"),
        ];
        for (value, format, expected) in cases {
            assert_eq!(text(format, &[value.to_bits() as u128; 3]), expected);
        }
    }

    #[test]
    fn what_is_no_format_is_refused() {
        for format in ["%", "%y", "%9999999999d", "%ls"] {
            let map = crate::memory::tests::address_map(Target::LP64);
            let mut memory = Memory::new(crate::memory::Space::new(&map));
            let at = memory.allocate(64, 1, &map).unwrap();
            memory.write(at, format.as_bytes()).unwrap();
            assert_eq!(print(&mut memory, &Target::LP64, at, at + 32), Err(FaultKind::BadFormat), "{format}");
        }
    }
}
