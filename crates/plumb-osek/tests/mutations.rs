//! Broken descriptions: whatever the bytes are, reading them ends, with a system or with errors that have text.
//!
//! `PLUMB_OIL_ROUNDS` asks for more rounds than the usual.

mod support;

use plumb_c::diag::render;
use plumb_osek::{generate, print, read_oil_text};
use support::{Model, Random};

/// What goes wrong often: words and signs of the language in the wrong place.
const WORDS: [&str; 28] = [
    "{",
    "}",
    "[",
    "]",
    "=",
    ";",
    ":",
    ",",
    "..",
    "\"",
    "/*",
    "//",
    "#include <",
    "\n",
    "TRUE",
    "AUTO",
    "TASK",
    "CPU",
    "IMPLEMENTATION",
    "UINT32",
    "ENUM",
    "NO_DEFAULT",
    "-1",
    "0x",
    "1e9",
    "18446744073709551616",
    "é",
    "STRUCT",
];

const DEFINITIONS: &str = r#"IMPLEMENTATION i {
  TASK [] { UINT32 [0..1000] PRIORITY = NO_DEFAULT : "x"; ENUM WITH_AUTO [A { FLOAT [0.5..2] F = 1; }, B] KIND; };
  ISR { BOOLEAN [TRUE { STRING S[]; }, FALSE] V = FALSE; STRUCT { IDENTIFIER X; } P[]; };
};
"#;

fn mutate(bytes: &mut Vec<u8>, r: &mut Random) {
    for _ in 0..1 + r.below(4) {
        let at = r.below(bytes.len() + 1);
        let end = (at + 1 + r.below(20)).min(bytes.len());
        match r.below(6) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let word = r.pick(&WORDS);
                bytes.splice(at..at, word.bytes());
            }
            2 => bytes.insert(at, r.next() as u8),
            3 if at < bytes.len() => bytes[at] ^= 1 << r.below(8),
            4 => {
                let copy = bytes[at..end].to_vec();
                let to = r.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            _ => bytes.truncate(at),
        }
    }
}

#[test]
fn reading_ends_whatever_the_text_is() {
    let rounds = std::env::var("PLUMB_OIL_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let (mut read, mut refused) = (0, 0);
    for seed in 0..rounds {
        let mut r = Random(seed ^ 0x5eed);
        let model = Model::random(&mut r);
        let mut bytes = (DEFINITIONS.to_string() + &model.text(&mut r)).into_bytes();
        mutate(&mut bytes, &mut r);
        let text = plumb_c::preprocess::decode(bytes);
        let oil = read_oil_text("mutated.oil", &text);
        for diagnostic in oil.diags.iter() {
            assert!(!render(diagnostic, &oil.sources, false).is_empty());
            assert!(diagnostic.help.is_some(), "{}", diagnostic.message);
        }
        match oil.system {
            Some(system) => {
                read += 1;
                assert!(!oil.diags.has_errors());
                assert!(!(print::text(&system) + &generate::ids(&system) + &generate::tables(&system)).is_empty());
            }
            None => {
                refused += 1;
                assert!(oil.diags.has_errors(), "seed {seed}: refused without a reason\n{text}");
            }
        }
    }
    // The mutations are small: both happen often, or the test tests nothing.
    assert!(read > rounds / 20 && refused > rounds / 20, "{read} read, {refused} refused");
}
