//! Files on disk, good and bad, through [`load`].

use super::*;

/// A fresh directory for one test.
struct Workshop(PathBuf);

impl Workshop {
    fn new(name: &str) -> Workshop {
        let path = std::env::temp_dir().join(format!("plumb-preprocess-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Workshop(path)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // A leftover directory harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn message(result: Result<String, Diagnostic>) -> String {
    let diagnostic = result.unwrap_err();
    assert!(diagnostic.help.is_some());
    diagnostic.message
}

#[test]
fn invalid_bytes_survive_decoding() {
    assert_eq!(decode(b"a\xe9b".to_vec()), "a\u{f7e9}b");
    assert_eq!(decode("é".as_bytes().to_vec()), "é");
    assert_eq!(raw_byte('\u{f7e9}'), Some(0xe9));
    assert_eq!(raw_byte('\u{f77f}'), None);
    assert_eq!(raw_byte('é'), None);
}

#[test]
fn bad_files_are_told_apart() {
    let shop = Workshop::new("bad");
    let options = PreprocessOptions::default();
    assert!(message(load(&shop.0.join("none.c"), &options)).contains("does not exist"));
    assert!(message(load(&shop.0, &options)).contains("is a directory"));
    assert!(message(load(&shop.file("empty.c", b""), &options)).contains("is empty"));
    assert!(message(load(&shop.file("bin.c", b"\x7fELF\0\0"), &options)).contains("NUL byte at offset 4"));
    let missing = load(&shop.file("inc.c", b"#include \"nowhere.h\"\n"), &options).unwrap_err();
    assert!(missing.message.contains("nowhere.h"));
    assert!(missing.help.unwrap().contains("-I"));
}

#[test]
fn preprocessed_text_is_left_alone() {
    let shop = Workshop::new("done");
    let options = PreprocessOptions::default();
    let text = "int x = FOO;\n";
    assert_eq!(load(&shop.file("a.i", text.as_bytes()), &options).unwrap(), text);
    let marked = "# 1 \"a.c\"\nint x = FOO;\n";
    assert_eq!(load(&shop.file("a.c", marked.as_bytes()), &options).unwrap(), marked);
}

/// Plumb's own headers are found without a flag, unless the user has one of that name.
#[test]
fn own_headers_are_there() {
    let shop = Workshop::new("own");
    let file = shop.file("a.c", b"#include <plumb/stack.h>\n#include \"plumb/stack.h\"\nint last;\n");
    let options = PreprocessOptions::default();
    let text = load(&file, &options).unwrap();
    assert_eq!(text.matches("void __plumb_stack_switch(unsigned stack);").count(), 1);
    assert!(text.contains("int last;"));
    std::fs::create_dir(shop.0.join("plumb")).unwrap();
    shop.file("plumb/stack.h", b"int of_the_user;\n");
    let options = PreprocessOptions { include_dirs: vec![shop.0.clone()], ..options };
    let text = load(&file, &options).unwrap();
    assert!(text.contains("of_the_user") && !text.contains("__plumb_stack_switch"));
}

#[test]
fn flags_reach_the_preprocessor() {
    let shop = Workshop::new("flags");
    shop.file("h.h", b"int from_header;\n");
    shop.file("-first@.h", b"int from_first;\n");
    shop.file("-odd.c", b"#include \"h.h\"\nint a = FOO; int s = sizeof(PTR); int p = __PLUMB__;\n");
    let options = PreprocessOptions {
        macros: vec![
            MacroFlag::Define("FOO=1".into()),
            MacroFlag::Undefine("FOO".into()),
            MacroFlag::Define("FOO=2".into()),
            MacroFlag::Define("PTR=__SIZEOF_POINTER__".into()),
        ],
        includes: vec!["-first@.h".into()],
        std: Some("gnu11".into()),
        target: Some(Target::LP64),
        directory: Some(shop.0.clone()),
        ..PreprocessOptions::default()
    };
    let text = load(Path::new("-odd.c"), &options).unwrap();
    for part in ["int from_header;", "int from_first;", "int a = 2;", "sizeof(8)", "int p = 1;"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn small_targets_get_their_own_macros() {
    let shop = Workshop::new("avr");
    let source = b"#include <stdint.h>\n#include <stddef.h>\n#include <limits.h>\n#include <float.h>\n\
        int32_t a; uint16_t b; size_t c; int d = INT_MAX; long e = LONG_MAX; int f = DBL_DIG; int g = __AVR__;\n\
        uint32_t h = UINT32_C(5); unsigned i = SIZE_MAX;\n";
    let options = PreprocessOptions { target: Some(Target::AVR), ..PreprocessOptions::default() };
    let text = load(&shop.file("avr.c", source), &options).unwrap();
    let words = text.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join(" ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ;", ";");
    for part in [
        "typedef long int int32_t;",
        "typedef unsigned int uint16_t;",
        "typedef unsigned int size_t;",
        "int d = 32767;",
        "long e = 2147483647L;",
        "int f = 6;",
        "uint32_t h = 5UL;",
        "unsigned i = 65535U;",
    ] {
        assert!(words.contains(part), "{part} in {words}");
    }
    let hosted = load(&shop.file("hosted.c", b"#include <stdio.h>\n"), &options).unwrap_err();
    assert!(hosted.help.unwrap().contains("-isystem"));
}
