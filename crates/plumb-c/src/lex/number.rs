//! Numeric literals: from a preprocessing number to an integer or a floating literal (C11 6.4.4.1 and 6.4.4.2, with
//! gcc's binary literals, imaginary and extended suffixes).

use crate::ast::{FloatSuffix, LongSuffix};

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Number {
    Int { value: u128, decimal: bool, unsigned: bool, long: LongSuffix },
    Float { text: Box<str>, suffix: FloatSuffix },
    Imaginary,
}

/// Decodes a literal, or says what is wrong with it.
pub(crate) fn decode(text: &str) -> Result<Number, String> {
    let bytes = text.as_bytes();
    let (base, digits_at) = match bytes {
        [b'0', b'x' | b'X', ..] => (16, 2),
        [b'0', b'b' | b'B', ..] => (2, 2),
        [b'0', ..] => (8, 1),
        _ => (10, 0),
    };
    if is_float(bytes, base) {
        return decode_float(text, base == 16);
    }
    let digits_end = bytes[digits_at..]
        .iter()
        .position(|b| if base == 16 { !b.is_ascii_hexdigit() } else { !b.is_ascii_digit() })
        .map_or(bytes.len(), |n| digits_at + n);
    if digits_end == digits_at && digits_at == 2 {
        return Err(format!("`{text}` has no digits after its base"));
    }
    let mut value: u128 = 0;
    for &digit in &bytes[digits_at..digits_end] {
        let digit = (digit as char).to_digit(16).unwrap_or(0);
        if digit >= base {
            return Err(format!("`{text}` has the digit {digit}, which base {base} does not know"));
        }
        value = value
            .checked_mul(base as u128)
            .and_then(|v| v.checked_add(digit as u128))
            .ok_or_else(|| format!("`{text}` does not fit in any integer type"))?;
    }
    let (unsigned, long, imaginary) = int_suffix(&text[digits_end..])
        .ok_or_else(|| format!("`{}` is no suffix of an integer literal", &text[digits_end..]))?;
    Ok(match imaginary {
        true => Number::Imaginary,
        false => Number::Int { value, decimal: base == 10, unsigned, long },
    })
}

fn is_float(bytes: &[u8], base: u32) -> bool {
    match base {
        16 => bytes.iter().any(|b| matches!(b, b'.' | b'p' | b'P')),
        2 => false,
        // In `08.5` and `09e1` the leading zero does not make the literal octal.
        _ => {
            let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
            matches!(bytes.get(digits), Some(b'.' | b'e' | b'E'))
        }
    }
}

fn decode_float(text: &str, hex: bool) -> Result<Number, String> {
    let bytes = text.as_bytes();
    let is_digit = |b: u8| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let mut at = if hex { 2 } else { 0 };
    let mut digits = 0;
    let mut points = 0;
    while at < bytes.len() && (is_digit(bytes[at]) || bytes[at] == b'.') {
        match bytes[at] {
            b'.' => points += 1,
            _ => digits += 1,
        }
        at += 1;
    }
    if digits == 0 || points > 1 {
        return Err(format!("`{text}` is not a number"));
    }
    let exponent = if hex { [b'p', b'P'] } else { [b'e', b'E'] };
    if at < bytes.len() && exponent.contains(&bytes[at]) {
        at += 1;
        if at < bytes.len() && matches!(bytes[at], b'+' | b'-') {
            at += 1;
        }
        let first = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        if first == at {
            return Err(format!("the exponent of `{text}` has no digits"));
        }
    } else if hex {
        return Err(format!("the hexadecimal floating literal `{text}` needs an exponent, such as `p0`"));
    }
    let (suffix, imaginary) = float_suffix(&text[at..])
        .ok_or_else(|| format!("`{}` is no suffix of a floating literal that Plumb knows", &text[at..]))?;
    Ok(match imaginary {
        true => Number::Imaginary,
        false => Number::Float { text: text[..at].into(), suffix },
    })
}

/// `u`, `l`, `ll` and gcc's `i` or `j` in any order; `lL` is none.
fn int_suffix(suffix: &str) -> Option<(bool, LongSuffix, bool)> {
    let (mut unsigned, mut long, mut imaginary) = (false, LongSuffix::None, false);
    let mut rest = suffix.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match first {
            b'u' | b'U' if !unsigned => unsigned = true,
            b'i' | b'j' | b'I' | b'J' if !imaginary => imaginary = true,
            b'l' | b'L' if long == LongSuffix::None => {
                long = LongSuffix::Long;
                if rest.first() == Some(first) {
                    rest = &rest[1..];
                    long = LongSuffix::LongLong;
                }
            }
            _ => return None,
        }
    }
    Some((unsigned, long, imaginary))
}

fn float_suffix(suffix: &str) -> Option<(FloatSuffix, bool)> {
    let lower = suffix.to_ascii_lowercase();
    let bare: String = lower.chars().filter(|c| !matches!(c, 'i' | 'j')).collect();
    let imaginary = bare.len() != lower.len();
    if lower.len() - bare.len() > 1 {
        return None;
    }
    let kind = match bare.as_str() {
        "" | "d" | "f64" | "f32x" => FloatSuffix::None,
        "f" | "f32" => FloatSuffix::F,
        "l" | "w" | "f64x" => FloatSuffix::L,
        "q" | "f16" | "f128" | "f128x" => FloatSuffix::Other,
        _ => return None,
    };
    Some((kind, imaginary))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: u128, decimal: bool, unsigned: bool, long: LongSuffix) -> Result<Number, String> {
        Ok(Number::Int { value, decimal, unsigned, long })
    }

    fn float(text: &str, suffix: FloatSuffix) -> Result<Number, String> {
        Ok(Number::Float { text: text.into(), suffix })
    }

    #[test]
    fn integers() {
        use LongSuffix::{Long, LongLong, None};
        let table = [
            ("0", int(0, false, false, None)),
            ("42", int(42, true, false, None)),
            ("0777", int(0o777, false, false, None)),
            ("0xFFu", int(255, false, true, None)),
            ("0b101L", int(5, false, false, Long)),
            ("1ull", int(1, true, true, LongLong)),
            ("1LLU", int(1, true, true, LongLong)),
            ("18446744073709551615", int(u64::MAX as u128, true, false, None)),
            ("0xffffffffffffffffffffffffffffffff", int(u128::MAX, false, false, None)),
            ("3i", Ok(Number::Imaginary)),
        ];
        for (text, expected) in table {
            assert_eq!(decode(text), expected, "{text}");
        }
    }

    #[test]
    fn floats() {
        use FloatSuffix::{F, L, None, Other};
        let table = [
            ("1.", float("1.", None)),
            (".5f", float(".5", F)),
            ("1e10", float("1e10", None)),
            ("08.5", float("08.5", None)),
            ("09e-1L", float("09e-1", L)),
            ("0x1.8p3", float("0x1.8p3", None)),
            ("0x1p-2f", float("0x1p-2", F)),
            ("1.0Q", float("1.0", Other)),
            ("1.0f128", float("1.0", Other)),
            ("1.0f64x", float("1.0", L)),
            ("2.0if", Ok(Number::Imaginary)),
        ];
        for (text, expected) in table {
            assert_eq!(decode(text), expected, "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["08", "0b2", "0x", "1lul", "1lL", "1.2.3", "1e", "0x1.8", "12abc", "0xe+1", "1.0df", "1...2"] {
            assert!(decode(text).is_err(), "{text}");
        }
        assert!(decode(&"9".repeat(60)).is_err());
    }
}
