//! Files that are almost SyGuS: the reader refuses or takes them, and the search copes with what it took.

mod random;

use plumb_synth::{Budget, sygus, synthesise};
use random::Random;

const WORDS: [&str; 16] = [
    "(",
    ")",
    "x",
    "Int",
    "Bool",
    "-1",
    "#xff",
    "(_ BitVec 8)",
    "(_ extract 9 2)",
    "ite",
    "=",
    "Start",
    "S",
    "bvadd",
    "0",
    "|",
];

fn mutate(random: &mut Random, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(20)).min(bytes.len());
        match random.below(4) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            2 => drop(bytes.splice(at..at, random.pick(&WORDS).bytes())),
            _ => bytes[at] = random.next() as u8 & 0x7f,
        }
        if bytes.is_empty() {
            bytes.push(b' ');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn nothing_panics() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/synth");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 5);
    let mut random = Random(11);
    let (mut taken, mut refused) = (0, 0);
    for path in paths {
        let text = std::fs::read_to_string(path).unwrap();
        for _ in 0..300 {
            let text = mutate(&mut random, &text);
            match sygus::parse(&text) {
                Ok(script) => {
                    taken += 1;
                    for task in script.tasks.iter().take(2) {
                        synthesise(&task.problem, &Budget { candidates: 300, improvement: 50, ..Budget::default() });
                    }
                }
                Err(error) => {
                    refused += 1;
                    let (line, column) = error.place(&text);
                    assert!(line >= 1 && column >= 1 && error.span.end as usize <= text.len());
                }
            }
        }
    }
    assert!(taken > 100 && refused > 100, "{taken} taken, {refused} refused");
}

#[test]
fn deep_terms_are_read() {
    let term = |depth: usize| format!("{}x{}", "(+ 1 ".repeat(depth), ")".repeat(depth));
    let file = |depth: usize| format!("(define-fun f ((x Int)) Int {})(synth-fun g () Int)(check-synth)", term(depth));
    assert!(sygus::parse(&file(598)).is_ok());
    assert!(sygus::parse(&file(600)).unwrap_err().message.contains("too deeply"));
    // Every `let` doubles the term.
    let lets = (0..60).fold("x".to_string(), |body, _| format!("(let ((x (+ x x))) {body})"));
    let file = format!("(define-fun f ((x Int)) Int {lets})(synth-fun g () Int)(check-synth)");
    assert!(sygus::parse(&file).unwrap_err().message.contains("nodes"));
}
