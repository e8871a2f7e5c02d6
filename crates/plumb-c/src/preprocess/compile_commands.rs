//! `compile_commands.json`: which files a build compiles, and with which flags.
//!
//! Such a file may come from anywhere, so it must not be able to make Plumb run anything. Of each command only the
//! flags that steer preprocessing are kept, as data ([`PreprocessOptions`]), and the command line of the preprocessor
//! is built from those anew. The program named by the command, `-fplugin`, `-wrapper`, `-B`, `-specs`, `@file` and all
//! else is dropped.

use super::{MacroFlag, PreprocessOptions};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::target::Target;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// One compiled file, its paths absolute.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileEntry {
    pub file: PathBuf,
    /// The `target` is set where the command has `-m32` or `-m64`.
    pub options: PreprocessOptions,
}

pub fn compile_commands(path: &Path) -> Result<Vec<CompileEntry>, Diagnostic> {
    let shown = path.display();
    let help = "have the build write it again (CMake: `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`; make: `bear -- make`)";
    let problem = |message: String| Diagnostic::error(Span::NONE, message).help(help);
    let text = std::fs::read(path).map_err(|e| problem(format!("cannot read `{shown}`: {e}")))?;
    let json: Value =
        serde_json::from_slice(&text).map_err(|e| problem(format!("`{shown}` is not valid JSON: {e}")))?;
    let Value::Array(entries) = json else {
        return Err(problem(format!("`{shown}` is not a list of compile commands")));
    };
    let home = std::path::absolute(path).ok().and_then(|p| p.parent().map(Path::to_path_buf)).unwrap_or_default();
    let mut found = Vec::with_capacity(entries.len());
    for (index, value) in entries.iter().enumerate() {
        let entry = entry(value, &home).map_err(|what| problem(format!("entry {} of `{shown}` {what}", index + 1)))?;
        found.push(entry);
    }
    Ok(found)
}

fn entry(value: &Value, home: &Path) -> Result<CompileEntry, String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let directory = home.join(text("directory").unwrap_or("."));
    let file = text("file").ok_or("has no \"file\"")?;
    let arguments: Vec<String> = match value.get("arguments") {
        Some(Value::Array(list)) => list
            .iter()
            .map(|v| v.as_str().map(str::to_string).ok_or("has an argument that is no string"))
            .collect::<Result<_, _>>()?,
        Some(_) => return Err("has \"arguments\" that are no list".to_string()),
        None => split_command(text("command").ok_or("has neither \"command\" nor \"arguments\"")?)?,
    };
    // The first word is the compiler, whatever it looks like.
    let options = preprocessing_flags(arguments.get(1..).unwrap_or(&[]), &directory);
    Ok(CompileEntry { file: directory.join(file), options })
}

/// Splits a command as a shell does, without expanding anything.
fn split_command(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or("has a command with an unclosed quote")? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or("has a command with an unclosed quote")? {
                        '"' => break,
                        '\\' => match chars.next().ok_or("has a command with an unclosed quote")? {
                            c @ ('"' | '\\' | '$' | '`') => word.push(c),
                            '\n' => {}
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some(c) => word.get_or_insert_default().push(c),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Flags that are dropped together with the argument that follows them, lest that be taken for a flag.
const DROPPED_WITH_ARGUMENT: &[&str] = &[
    "-o",
    "-x",
    "-MF",
    "-MT",
    "-MQ",
    "-Xclang",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xlinker",
    "-Xanalyzer",
    "-mllvm",
    "-T",
    "-L",
    "-l",
    "-u",
    "-z",
    "-e",
    "-A",
    "-B",
    "-arch",
    "-target",
    "-aux-info",
    "-wrapper",
    "-specs",
    "--param",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "-imacros",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-iplugindir",
    "--sysroot",
    "-G",
    "-gcc-toolchain",
    "-include-pch",
];

fn preprocessing_flags(arguments: &[String], directory: &Path) -> PreprocessOptions {
    let mut options = PreprocessOptions { directory: Some(directory.to_path_buf()), ..PreprocessOptions::default() };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "-m32" => options.target = Some(Target::ILP32),
            "-m64" => options.target = Some(Target::LP64),
            "-nostdinc" => options.nostdinc = true,
            "-ansi" => options.std = Some("c90".to_string()),
            // Checked before joined forms: `-include-pch x` is not `-include` of `-pch`.
            flag if DROPPED_WITH_ARGUMENT.contains(&flag) => {
                rest.next();
            }
            flag => {
                if let Some(std) = flag.strip_prefix("-std=").or_else(|| flag.strip_prefix("--std=")) {
                    if !std.is_empty() && std.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b':' | b'+')) {
                        options.std = Some(std.to_string());
                    }
                } else if let Some((kind, joined)) = kept(flag) {
                    let value = match joined {
                        "" => rest.next().map(String::as_str),
                        joined => Some(joined),
                    };
                    if let Some(value) = value {
                        keep(&mut options, kind, value, directory);
                    }
                }
            }
        }
    }
    options
}

#[derive(Clone, Copy)]
enum Kept {
    Include,
    Quote,
    System,
    After,
    First,
    Define,
    Undefine,
}

/// The kept flag that an argument is, and its value where that is joined to it.
fn kept(argument: &str) -> Option<(Kept, &str)> {
    // Longer flags first: `-include` starts with none of the others, but `-i...` share a prefix.
    let flags = [
        ("-idirafter", Kept::After),
        ("-include", Kept::First),
        ("-isystem", Kept::System),
        ("-iquote", Kept::Quote),
        ("-I", Kept::Include),
        ("-D", Kept::Define),
        ("-U", Kept::Undefine),
    ];
    flags.into_iter().find_map(|(flag, kind)| Some((kind, argument.strip_prefix(flag)?)))
}

fn keep(options: &mut PreprocessOptions, kind: Kept, value: &str, directory: &Path) {
    let path = || directory.join(value);
    match kind {
        Kept::Include => options.include_dirs.push(path()),
        Kept::Quote => options.quote_dirs.push(path()),
        Kept::System => options.system_dirs.push(path()),
        Kept::After => options.after_dirs.push(path()),
        Kept::First => options.includes.push(path()),
        Kept::Define => options.macros.push(MacroFlag::Define(value.to_string())),
        Kept::Undefine => options.macros.push(MacroFlag::Undefine(value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_command(command: &str) -> PreprocessOptions {
        let words = split_command(command).unwrap();
        preprocessing_flags(&words[1..], Path::new("/w"))
    }

    fn defines(list: &[&str]) -> Vec<MacroFlag> {
        list.iter().map(|d| MacroFlag::Define(d.to_string())).collect()
    }

    #[test]
    fn commands_are_split_like_a_shell_does() {
        let table: [(&str, &[&str]); 7] = [
            ("cc -c  a.c", &["cc", "-c", "a.c"]),
            (r#"cc -DX="a b" 'c d'"#, &["cc", "-DX=a b", "c d"]),
            (r#"cc -DX=\"s\" a\ b"#, &["cc", "-DX=\"s\"", "a b"]),
            (r#"cc "-DX=\"s\\n\"""#, &["cc", r#"-DX="s\n""#]),
            ("cc $(touch x) `touch y`", &["cc", "$(touch", "x)", "`touch", "y`"]),
            ("cc '' \"\"", &["cc", "", ""]),
            ("", &[]),
        ];
        for (command, expected) in table {
            assert_eq!(split_command(command).unwrap(), expected, "{command}");
        }
        assert!(split_command("cc 'a").is_err());
        assert!(split_command("cc \"a\\").is_err());
    }

    #[test]
    fn preprocessing_flags_are_kept_joined_or_separate() {
        let options = of_command(
            "cc -Iinc -I /abs -iquote q -isystemsys -idirafter late -DA -D B=2 -UC -U D -include first.h -std=gnu99 \
             -m32 -nostdinc -c x.c",
        );
        let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(options.include_dirs, paths(&["/w/inc", "/abs"]));
        assert_eq!(options.quote_dirs, paths(&["/w/q"]));
        assert_eq!(options.system_dirs, paths(&["/w/sys"]));
        assert_eq!(options.after_dirs, paths(&["/w/late"]));
        assert_eq!(options.includes, paths(&["/w/first.h"]));
        let mut macros = defines(&["A", "B=2"]);
        macros.extend(["C", "D"].map(|u| MacroFlag::Undefine(u.to_string())));
        assert_eq!(options.macros, macros);
        assert_eq!(options.std.as_deref(), Some("gnu99"));
        assert_eq!(options.target, Some(Target::ILP32));
        assert!(options.nostdinc);
        assert_eq!(of_command("cc -ansi x.c").std.as_deref(), Some("c90"));
    }

    #[test]
    fn nothing_else_survives() {
        let none = of_command("cc");
        let hostile = [
            "cc -fplugin=/tmp/evil.so x.c",
            "cc -fplugin-arg-evil-x=1 x.c",
            "cc -wrapper /bin/sh,-c,evil x.c",
            "cc -B/tmp/evil -B /tmp/evil x.c",
            "cc -specs=/tmp/evil x.c",
            "cc --specs=/tmp/evil x.c",
            "cc @/tmp/evil x.c",
            "cc -Wp,-include,/tmp/evil x.c",
            "cc -Xpreprocessor -include -Xpreprocessor /tmp/evil x.c",
            "cc -Xclang -load -Xclang /tmp/evil.so x.c",
            "cc -imacros /tmp/evil -o -DX -MF -DY --sysroot -DZ x.c",
            "cc -include-pch -DX x.c",
            "cc -std=c11\u{20}-fplugin=x x.c",
            "/tmp/evil ; rm -rf / ; x.c",
            "cc -D",
        ];
        for command in hostile {
            let options = PreprocessOptions { std: None, ..of_command(command) };
            assert_eq!(options, none, "{command}");
        }
        assert_eq!(of_command("cc '-std=c11 -fplugin=x'").std, None);
    }

    #[test]
    fn files_are_read_whole() {
        let directory = std::env::temp_dir().join(format!("plumb-compile-commands-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("compile_commands.json");
        let read = |json: &str| {
            std::fs::write(&path, json).unwrap();
            compile_commands(&path)
        };
        let entries = read(
            r#"[{"directory": "sub", "file": "a.c", "arguments": ["cc", "-DX=\"q\"", "-Ii", "a.c"]},
                {"directory": "/abs", "file": "/b.c", "command": "cc -m64 -DY b.c", "output": "b.o"}]"#,
        )
        .unwrap();
        assert_eq!(entries[0].file, directory.join("sub/a.c"));
        assert_eq!(entries[0].options.macros, defines(&["X=\"q\""]));
        assert_eq!(entries[0].options.include_dirs, [directory.join("sub/i")]);
        assert_eq!(entries[1].file, PathBuf::from("/b.c"));
        assert_eq!(entries[1].options.target, Some(Target::LP64));
        for bad in
            ["", "{}", "[1]", r#"[{"file": "a.c"}]"#, r#"[{"command": "cc"}]"#, r#"[{"file":"a","arguments":[1]}]"#]
        {
            let error = read(bad).unwrap_err();
            assert!(error.help.is_some(), "{bad}");
        }
        std::fs::remove_dir_all(&directory).unwrap();
        assert!(compile_commands(&path).is_err());
    }
}
