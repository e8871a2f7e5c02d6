//! Character and string literals: escapes, universal character names, encodings.
//!
//! Source bytes that are no UTF-8 arrive as private-use characters (see [`crate::preprocess::decode`]) and leave a
//! literal as the bytes they were.

use crate::ast::Encoding;
use crate::preprocess::raw_byte;

/// The encoding a literal's prefix asks for, and where its opening quote stands.
fn prefix(text: &str) -> (Encoding, usize) {
    match text.as_bytes() {
        [b'L', b'"' | b'\'', ..] => (Encoding::Wide, 1),
        [b'u', b'"' | b'\'', ..] => (Encoding::Utf16, 1),
        [b'U', b'"' | b'\'', ..] => (Encoding::Utf32, 1),
        [b'u', b'8', b'"' | b'\'', ..] => (Encoding::Utf8, 2),
        _ => (Encoding::Plain, 0),
    }
}

/// The text between the quotes. A literal whose end is missing has been reported by the lexer already.
fn body(text: &str, quote_at: usize) -> &str {
    let inner = text.get(quote_at + 1..).unwrap_or("");
    inner.strip_suffix(['"', '\'']).unwrap_or(inner)
}

/// Joins adjacent string literals (C11 6.4.5): one with a prefix decides for those without.
pub(crate) fn decode_strings(pieces: &[impl AsRef<str>]) -> Result<(Vec<u32>, Encoding), String> {
    let mut encoding = Encoding::Plain;
    for piece in pieces {
        let (found, _) = prefix(piece.as_ref());
        if encoding == Encoding::Plain {
            encoding = found;
        } else if found != Encoding::Plain && found != encoding {
            return Err("string literals with different encoding prefixes cannot be joined".to_string());
        }
    }
    let mut units = Vec::new();
    for piece in pieces {
        let piece = piece.as_ref();
        decode_units(body(piece, prefix(piece).1), encoding, &mut units)?;
    }
    Ok((units, encoding))
}

/// The value of a character constant. A plain one with several characters packs them as gcc does, eight bits each.
pub(crate) fn decode_char(text: &str) -> Result<(u32, Encoding), String> {
    let (encoding, quote_at) = prefix(text);
    let mut units = Vec::new();
    decode_units(body(text, quote_at), encoding, &mut units)?;
    let value = match (units.as_slice(), encoding) {
        ([], _) => return Err("empty character constant".to_string()),
        ([unit], _) => *unit,
        (many, Encoding::Plain) => many.iter().fold(0u32, |value, unit| value << 8 | unit & 0xff),
        (many, Encoding::Wide | Encoding::Utf8 | Encoding::Utf16 | Encoding::Utf32) => many[many.len() - 1],
    };
    Ok((value, encoding))
}

fn decode_units(body: &str, encoding: Encoding, units: &mut Vec<u32>) -> Result<(), String> {
    let unit_mask = match encoding {
        Encoding::Plain | Encoding::Utf8 => 0xff,
        Encoding::Utf16 => 0xffff,
        Encoding::Wide | Encoding::Utf32 => u32::MAX,
    };
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(c, encoding, units);
            continue;
        }
        let Some(escape) = chars.next() else {
            return Err("the literal ends in the middle of an escape".to_string());
        };
        let value = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '0'..='7' => {
                let mut value = escape as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit) = chars.clone().next().and_then(|c| c.to_digit(8)) else { break };
                    chars.next();
                    value = value * 8 + digit;
                }
                value
            }
            'x' => {
                let mut value: Option<u32> = None;
                while let Some(digit) = chars.clone().next().and_then(|c| c.to_digit(16)) {
                    chars.next();
                    value = Some(value.unwrap_or(0) << 4 | digit);
                }
                value.ok_or("`\\x` must be followed by hexadecimal digits")?
            }
            'u' | 'U' => {
                push_char(universal(&mut chars, escape)?, encoding, units);
                continue;
            }
            // gcc keeps the character of an unknown escape, as it does for quotes and the backslash.
            other => {
                push_char(other, encoding, units);
                continue;
            }
        };
        units.push(value & unit_mask);
    }
    Ok(())
}

/// The character of `\uXXXX` or `\UXXXXXXXX`, whose first two characters have been read.
pub(crate) fn universal(chars: &mut std::str::Chars<'_>, escape: char) -> Result<char, String> {
    let wanted = if escape == 'u' { 4 } else { 8 };
    let mut value = 0u32;
    for _ in 0..wanted {
        let digit = chars.next().and_then(|c| c.to_digit(16));
        value = value << 4
            | digit.ok_or_else(|| format!("`\\{escape}` must be followed by {wanted} hexadecimal digits"))?;
    }
    char::from_u32(value).ok_or_else(|| format!("`\\{escape}` names no character"))
}

fn push_char(c: char, encoding: Encoding, units: &mut Vec<u32>) {
    if let Some(byte) = raw_byte(c) {
        units.push(byte as u32);
        return;
    }
    match encoding {
        Encoding::Plain | Encoding::Utf8 => {
            let mut buffer = [0; 4];
            units.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        Encoding::Utf16 => {
            let mut buffer = [0; 2];
            units.extend(c.encode_utf16(&mut buffer).iter().map(|&u| u as u32));
        }
        Encoding::Wide | Encoding::Utf32 => units.push(c as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<u8> {
        decode_strings(&[text]).unwrap().0.into_iter().map(|u| u as u8).collect()
    }

    #[test]
    fn escapes() {
        assert_eq!(plain(r#""a\n\t\\\"\'\?\e\0""#), b"a\n\t\\\"'?\x1b\0");
        assert_eq!(plain(r#""\1234\x41g\377""#), b"S4Ag\xff");
        assert_eq!(plain(r#""\xfff""#), b"\xff");
        assert_eq!(plain(r#""\q""#), b"q");
        assert_eq!(plain(r#""\u00e9é""#), "éé".as_bytes());
    }

    #[test]
    fn raw_bytes_return() {
        assert_eq!(plain("\"a\u{f7e9}b\""), b"a\xe9b");
    }

    #[test]
    fn joined_literals_take_the_prefix() {
        assert_eq!(decode_strings(&["\"a\"", "L\"é\""]).unwrap(), (vec![97, 233], Encoding::Wide));
        assert_eq!(decode_strings(&["u\"\u{1f600}\""]).unwrap(), (vec![0xd83d, 0xde00], Encoding::Utf16));
        assert_eq!(decode_strings(&["u8\"é\"", "\"\""]).unwrap(), (vec![0xc3, 0xa9], Encoding::Utf8));
        assert!(decode_strings(&["u\"\"", "L\"\""]).is_err());
    }

    #[test]
    fn characters() {
        assert_eq!(decode_char("'a'").unwrap(), (97, Encoding::Plain));
        assert_eq!(decode_char("'\\''").unwrap(), (39, Encoding::Plain));
        assert_eq!(decode_char("'ab'").unwrap(), (0x6162, Encoding::Plain));
        assert_eq!(decode_char("'\\377'").unwrap(), (255, Encoding::Plain));
        assert_eq!(decode_char("L'é'").unwrap(), (233, Encoding::Wide));
        assert!(decode_char("''").is_err());
        assert!(decode_char("'\\x'").is_err());
    }
}
