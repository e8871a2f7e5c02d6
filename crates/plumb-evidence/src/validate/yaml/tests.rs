use super::*;

fn refusal(text: &str) -> YamlError {
    parse(text).expect_err(text)
}

#[test]
fn mappings_sequences_and_scalars_are_read() {
    let text = "# a comment\n- entry: \"a \\\"b\\\"\\n\" # why\n  list:\n  - 1\n  - 'it''s'\n  deep:\n    x: y:z\n    e: []\n    t: >-\n      one\n      two\n- last\n";
    let read = parse(text).unwrap();
    let items = read.list().unwrap();
    assert_eq!(items[0].get("entry").unwrap().text(), Some("a \"b\"\n"));
    assert_eq!(items[0].get("list").unwrap().list().unwrap()[1].text(), Some("it's"));
    let deep = items[0].get("deep").unwrap();
    assert_eq!(deep.get("x").unwrap().text(), Some("y:z"));
    assert_eq!(deep.get("e").unwrap().list(), Some(&[][..]));
    assert_eq!(deep.get("t").unwrap().text(), Some("one two"));
    assert_eq!(items[1].text(), Some("last"));
}

#[test]
fn flow_collections_are_those_of_blocks() {
    let flow = "[{a: [x, 'y, z', 3], b: {c: \"d: e\",\n  f: []}}, g]";
    let block = "---\n- a:\n  - x\n  - y, z\n  - 3\n  b:\n    c: \"d: e\"\n    f: []\n- g\n";
    let json = r#"[{"a":["x","y, z",3],"b":{"c":"d: e","f":[]}},"g"]"#;
    let read = parse(flow).unwrap();
    assert_eq!(read, parse(block).unwrap());
    assert_eq!(read, parse(json).unwrap());
    assert_eq!(read.list().unwrap()[0].get("a").unwrap().list().unwrap()[1].text(), Some("y, z"));
}

#[test]
fn nothing_is_null_and_quoted_null_is_text() {
    let read = parse("{a: null, b: ~, c: , d: 'null', e: '', f: nullable}").unwrap();
    for key in ["a", "b", "c"] {
        assert_eq!(read.get(key), Some(&Yaml::Null), "{key}");
    }
    for (key, text) in [("d", "null"), ("e", ""), ("f", "nullable")] {
        assert_eq!(read.get(key).unwrap().text(), Some(text));
    }
    assert_eq!(parse("").unwrap(), Yaml::Null);
    assert_eq!(parse("# nothing\n").unwrap(), Yaml::Null);
    assert_eq!(parse("a: |\n  x <\n  5\n\n").unwrap().get("a").unwrap().text(), Some("x <\n5"));
}

#[test]
fn what_is_not_understood_is_refused() {
    let table = [
        ("a: !!int 1", "tag"),
        ("a: !own {}", "tag"),
        ("a: 1\na: 2", "the key `a` is repeated"),
        ("{a: 1, \"a\": 2}", "the key `a` is repeated"),
        ("[1]: 2", "a key that is not a string"),
        ("? {a: 1}\n: 2", "a key that is not a string"),
        ("~: 2", "a key that is not a string"),
        ("a: &x {b: 1}\nc:\n  <<: *x", "a merge key"),
        ("a: 1\n---\nb: 2", "a second document"),
    ];
    for (text, what) in table {
        assert!(refusal(text).what.contains(what), "{text}: {}", refusal(text));
    }
    for text in
        ["a: \"b", "a: 1\n   b: 2", "a:\n\tb: 1", "- a\n b: 1", "a: [1, 2", "a: {1, 2", "]", "a: *none", "a: b: c"]
    {
        assert!(parse(text).is_err(), "{text}");
    }
}

#[test]
fn refusals_tell_the_place() {
    let error = refusal("a:\n  b: 1\n  b: 2\n");
    assert_eq!((error.line, error.column), (3, 3));
    assert_eq!(error.to_string(), "line 3, column 3: the key `b` is repeated");
    assert_eq!(refusal("a: 1\nb: [1,\n").line, 3);
}

#[test]
fn aliases_are_copies() {
    let read = parse("- &p {file: a.c, line: 3}\n- place: *p\n- [&t x, *t]\n").unwrap();
    let items = read.list().unwrap();
    assert_eq!(items[1].get("place"), Some(&items[0]));
    assert_eq!(items[2].list().unwrap()[1].text(), Some("x"));
    assert!(parse("&a [*a]").is_err());
}

/// Nine times nine times nine: small to write, and more than any memory.
#[test]
fn aliases_do_not_blow_up() {
    let mut text = "- &a0 [x, x, x, x, x, x, x, x, x]\n".to_string();
    for level in 1..40 {
        let copies = vec![format!("*a{}", level - 1); 9].join(", ");
        text.push_str(&format!("- &a{level} [{copies}]\n"));
    }
    assert!(parse(&text).is_err());
    // Chains that become deep rather than wide.
    let mut text = "- &a0 x\n".to_string();
    for level in 1..1000 {
        text.push_str(&format!("- &a{level} [[[[*a{}]]]]\n", level - 1));
    }
    assert!(refusal(&text).what.contains("nested too deeply"));
}

#[test]
fn nesting_is_bounded() {
    let count = 200_000;
    let blocks = "- ".repeat(count);
    let keys: String = (0..2000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    let opened = ["[", "{a: ", "[{a: ", "? ", "[? ", "{? "].map(|one| one.repeat(count));
    for text in opened.iter().chain([&blocks, &keys]) {
        let error = refusal(text);
        assert!(!error.what.is_empty());
    }
    let fine = format!("{}x{}", "[".repeat(TUNING.max_yaml_depth), "]".repeat(TUNING.max_yaml_depth));
    assert!(parse(&fine).is_ok());
    assert_eq!(refusal(&format!("[{fine}]")).what, "nested too deeply");
}

/// A witness with characters changed, dropped and doubled is read or refused; nothing panics.
#[test]
fn mutilated_witnesses_do_no_harm() {
    let witness = "- entry_type: \"invariant_set\"\n  metadata: {format_version: '2.0', task: &t [a.c, \"b\\x41\"]}\n  content:\n  - invariant:\n      value: >-\n        x < 5\n      location: {line: 3, column: ~}\n      again: *t\n";
    let alphabet: Vec<char> = "-?:,[]{}#&*!|>'\"%@`\\ \t\n\r0ax\u{85}\u{2028}\u{feff}\u{0}é".chars().collect();
    let mut state = 1u64;
    let mut random = move |below: usize| {
        // Knuth's MMIX generator: any will do, and the upper bits are the good ones.
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let mut read = 0;
    for _ in 0..20_000 {
        let mut text: Vec<char> = witness.chars().collect();
        for _ in 0..=random(4) {
            let at = random(text.len());
            match random(4) {
                0 => text[at] = alphabet[random(alphabet.len())],
                1 if text.len() > 1 => drop(text.remove(at)),
                1 | 2 => text.insert(at, alphabet[random(alphabet.len())]),
                _ => text.truncate(at.max(1)),
            }
        }
        read += parse(&text.into_iter().collect::<String>()).is_ok() as usize;
    }
    assert!(read > 1000, "{read} were read");
}
