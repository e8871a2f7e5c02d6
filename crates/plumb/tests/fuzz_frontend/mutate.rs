//! Mutations of C text: of bytes, of tokens and of structure. Most results are wrong C, on purpose: the front end must
//! say so and stay on its feet.

use crate::oracle::Random;

/// Words that change what the text around them means.
const WORDS: [&str; 72] = [
    "int",
    "unsigned",
    "long",
    "short",
    "char",
    "float",
    "double",
    "void",
    "_Bool",
    "__int128",
    "_Complex",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "inline",
    "const",
    "volatile",
    "restrict",
    "register",
    "auto",
    "_Alignas(8)",
    "_Atomic",
    "_Noreturn",
    "_Static_assert(1, \"\");",
    "_Generic(1, int: 2, default: 3)",
    "sizeof",
    "_Alignof(int)",
    "typeof(1)",
    "__typeof__",
    "__extension__",
    "__attribute__((packed))",
    "__attribute__((aligned(16)))",
    "asm(\"\")",
    "asm volatile(\"nop\" : \"=r\"(x) : \"r\"(y) : \"memory\");",
    "if",
    "else",
    "while",
    "do",
    "for",
    "switch",
    "case 1:",
    "case 1 ... 5:",
    "default:",
    "break;",
    "continue;",
    "return",
    "goto",
    "&&label",
    "label:",
    "__label__ l;",
    "__builtin_offsetof(struct s, a)",
    "__builtin_va_list",
    "__builtin_va_arg(ap, int)",
    "__builtin_expect(1, 0)",
    "__builtin_types_compatible_p(int, long)",
    "__builtin_choose_expr(1, 2, 3)",
    "(int[]){1, 2}",
    "(struct s){.a = 1}",
    "[0 ... 3] = 1",
    ".a.b = 2",
    "...",
    "->",
    "?:",
    "<<=",
    "({ 1; })",
    "0x1p3",
    "1e400L",
    "'\\777'",
    "\"\\x41\" L\"b\"",
];

const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "1",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "0x7fffffffffffffffffff",
    "08",
    "0b101",
    "1.5e-400",
    "0x1.8p-1100",
    "1e99999999999",
    "'",
];

const NESTS: [(&str, &str); 14] = [
    ("(", ")"),
    ("{", "}"),
    ("[", "]"),
    ("(int)", ""),
    ("-", ""),
    ("!", ""),
    ("*", ""),
    ("({", ";})"),
    ("if (1) ", ""),
    ("struct {", "} x;"),
    ("sizeof(", ")"),
    ("a ? b : ", ""),
    ("f(", ")"),
    ("{ {", "} }"),
];

/// Applies one to a few mutations.
pub fn mutate(random: &mut Random, seeds: &[String]) -> String {
    let mut text = random.pick(seeds);
    // Mostly one mutation, since text that hardly parses never meets the type checker.
    let count = if random.chance(60) { 1 } else { 1 + random.below(6) };
    for _ in 0..count {
        text = match random.below(12) {
            0 => flip_bytes(random, text),
            1 => truncate(random, text),
            2 => {
                let other = random.pick(seeds);
                splice(random, &text, &other)
            }
            3 => nest(random, text),
            4..=6 => edit_tokens(random, &text, seeds),
            _ => replace_alike(random, &text),
        };
    }
    text
}

fn flip_bytes(random: &mut Random, text: String) -> String {
    let mut bytes = text.into_bytes();
    if bytes.is_empty() {
        return "\0".to_string();
    }
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => {
                bytes.insert(at, random.pick(b"\"'\\/*#\n\0{}()[];,<>%$@`\xff"));
            }
            _ => {
                bytes.remove(at);
                if bytes.is_empty() {
                    break;
                }
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn truncate(random: &mut Random, mut text: String) -> String {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    text.truncate(at);
    text
}

/// The head of one text and the tail of another.
fn splice(random: &mut Random, a: &str, b: &str) -> String {
    let (first, second) = (tokens(a), tokens(b));
    let head = random.below(first.len() + 1);
    let tail = random.below(second.len() + 1);
    let mut out = first[..head].concat();
    out.push(' ');
    out += &second[tail..].concat();
    out
}

/// Opens a bracket or an operator many times at one place.
fn nest(random: &mut Random, text: String) -> String {
    let parts = tokens(&text);
    let (open, close) = random.pick(&NESTS);
    let depth = random.pick(&[1, 3, 50, 300, 5000]);
    let at = random.below(parts.len() + 1);
    let end = (at + random.below(5)).min(parts.len());
    let middle = parts[at..end].concat();
    let close = if random.chance(80) { close.repeat(depth) } else { String::new() };
    format!("{}{}{middle}{close}{}", parts[..at].concat(), open.repeat(depth), parts[end..].concat())
}

fn edit_tokens(random: &mut Random, text: &str, seeds: &[String]) -> String {
    let mut parts: Vec<String> = tokens(text).into_iter().map(str::to_string).collect();
    if parts.is_empty() {
        return random.pick(&WORDS).to_string();
    }
    for _ in 0..1 + random.below(4) {
        let at = random.below(parts.len());
        match random.below(9) {
            0 => {
                parts.remove(at);
            }
            1 => parts.insert(at, parts[at].clone()),
            2 => {
                let other = random.below(parts.len());
                parts.swap(at, other);
            }
            3 => parts.insert(at, format!(" {} ", random.pick(&WORDS))),
            4 => parts[at] = format!(" {} ", random.pick(&WORDS)),
            5 => parts[at] = random.pick(&NUMBERS).to_string(),
            6 => {
                let other = random.below(parts.len());
                parts[at] = parts[other].clone();
            }
            7 => {
                let end = (at + 1 + random.below(20)).min(parts.len());
                parts.drain(at..end);
            }
            _ => {
                let donor = random.pick(seeds);
                let donor = tokens(&donor);
                if !donor.is_empty() {
                    let from = random.below(donor.len());
                    let to = (from + 1 + random.below(20)).min(donor.len());
                    parts.insert(at, donor[from..to].concat());
                }
            }
        }
        if parts.is_empty() {
            break;
        }
    }
    parts.concat()
}

/// Puts a type for a type, an operator for an operator, a word for a word: text that still parses, and means nonsense.
fn replace_alike(random: &mut Random, text: &str) -> String {
    const TYPES: [&str; 14] = [
        "int", "char", "float", "double", "void", "long", "unsigned", "_Bool", "short", "struct s", "union u",
        "enum e", "__int128", "u8",
    ];
    const OPERATORS: [&str; 21] = [
        "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "==", "!=", "&&", "||", "=", "+=", ",", "?:", "<<=",
        "->",
    ];
    let mut parts: Vec<String> = tokens(text).into_iter().map(str::to_string).collect();
    if parts.is_empty() {
        return String::new();
    }
    let words: Vec<String> = parts.iter().filter(|p| p.starts_with(char::is_alphabetic)).cloned().collect();
    for _ in 0..1 + random.below(3) {
        // Half of the parts are blanks, so a few draws find one that can be replaced.
        for _ in 0..8 {
            let at = random.below(parts.len());
            let part = parts[at].as_str();
            if TYPES.contains(&part) {
                parts[at] = random.pick(&TYPES).to_string();
            } else if OPERATORS.contains(&part) {
                parts[at] = random.pick(&OPERATORS).to_string();
            } else if part.starts_with(|c: char| c.is_ascii_digit()) {
                parts[at] = random.pick(&NUMBERS).to_string();
            } else if part.starts_with(char::is_alphabetic) {
                parts[at] = random.pick(&words);
            } else {
                continue;
            }
            break;
        }
    }
    parts.concat()
}

/// Splits text into words, runs of blanks and single other characters. All text is in exactly one part.
pub fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            1
        } else if c.is_whitespace() {
            2
        } else {
            0
        }
    };
    let mut parts = Vec::new();
    let mut start = 0;
    let mut previous = None;
    for (at, c) in text.char_indices() {
        let now = class(c);
        if previous.is_some_and(|p| p != now || now == 0) {
            parts.push(&text[start..at]);
            start = at;
        }
        previous = Some(now);
    }
    if start < text.len() {
        parts.push(&text[start..]);
    }
    parts
}
