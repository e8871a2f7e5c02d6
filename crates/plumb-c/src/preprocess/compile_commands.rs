//! `compile_commands.json`: which files a build compiles, and with which flags.
//!
//! Such a file may come from anywhere, so it must not be able to make Plumb run anything. Of each command only the
//! flags that steer preprocessing or change the meaning of the program are kept, as data ([`PreprocessOptions`]), and the
//! command line of the preprocessor is built from those anew ([`super::command_flags`]). The program named by the command
//! tells the machine ([`super::compiler`]) and is never run.

use super::PreprocessOptions;
use super::command_flags::{Command, read_flags};
use super::compiler::{Machine, machine_of};
use crate::code_flags::RefusedFlag;
use crate::diag::Diagnostic;
use crate::source::Span;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// One compiled file, its paths absolute.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileEntry {
    pub file: PathBuf,
    /// The `target` is set where the command has `-m32` or `-m64`, or its compiler is for one machine.
    pub options: PreprocessOptions,
    /// Flags that change what the program means and are not modelled.
    pub refused: Vec<RefusedFlag>,
    /// Why the machine is not known, where it is not: the compiler's name.
    pub unknown_compiler: Option<String>,
}

impl CompileEntry {
    /// Why the file cannot be checked as the build compiles it. A machine that the user chose needs no compiler's word.
    pub fn trouble(&self, chosen: bool) -> Option<Diagnostic> {
        let file = self.file.display();
        if let Some(RefusedFlag { flag, why }) = self.refused.first() {
            let message = format!("`{file}` is compiled with `{flag}`, which is not supported: {why}");
            let help = "take the flag out of the compile commands where it does not matter to what is checked";
            return Some(Diagnostic::error(Span::NONE, message).help(help));
        }
        let compiler = self.unknown_compiler.as_ref().filter(|_| !chosen)?;
        let message = format!("`{file}` is compiled by `{compiler}`, and which machine that is for is not known here");
        let help = "choose a machine by `--arch` whose types are those of the compiler's";
        Some(Diagnostic::error(Span::NONE, message).help(help))
    }
}

pub fn compile_commands(path: &Path) -> Result<Vec<CompileEntry>, Diagnostic> {
    let shown = path.display();
    let help = "have the build write it again (CMake: `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`; make: `bear -- make`)";
    let problem = |message: String| Diagnostic::error(Span::NONE, message).help(help);
    let text = std::fs::read(path).map_err(|e| problem(format!("cannot read `{shown}`: {e}")))?;
    let entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|error| {
        let wrong = if error.is_data() { "a list of compile commands" } else { "valid JSON" };
        problem(format!("`{shown}` is not {wrong}: {error}"))
    })?;
    let home = std::path::absolute(path).ok().and_then(|p| p.parent().map(Path::to_path_buf)).unwrap_or_default();
    let mut found = Vec::with_capacity(entries.len());
    for (index, one) in entries.into_iter().enumerate() {
        let entry = entry(one, &home).map_err(|what| problem(format!("entry {} of `{shown}` {what}", index + 1)))?;
        found.push(entry);
    }
    Ok(found)
}

/// What a build wrote of one file.
#[derive(Deserialize)]
struct Entry {
    directory: Option<PathBuf>,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

fn entry(entry: Entry, home: &Path) -> Result<CompileEntry, String> {
    let Entry { directory, file, arguments, command } = entry;
    let directory = home.join(directory.unwrap_or_else(|| PathBuf::from(".")));
    let arguments = match (arguments, command) {
        (Some(arguments), _) => arguments,
        (None, Some(command)) => split_command(&command)?,
        (None, None) => return Err("has neither \"command\" nor \"arguments\"".to_string()),
    };
    let (compiler, rest) = split_compiler(&arguments);
    let Command { mut options, refused, target_name } = read_flags(rest, &directory);
    let machine = machine_of(target_name.as_deref().unwrap_or(compiler), target_name.is_some());
    let unknown_compiler = match machine {
        Machine::Host => None,
        Machine::Known(target) => {
            options.target.get_or_insert(target);
            None
        }
        Machine::Unknown => {
            // Flags of another machine, whatever the user takes for it.
            options.macro_flags.retain(|flag| !flag.starts_with("-m"));
            Some(compiler.to_string())
        }
    };
    Ok(CompileEntry { file: directory.join(file), options, refused, unknown_compiler })
}

/// The compiler's name and its arguments. A wrapper such as `ccache` comes before it.
fn split_compiler(arguments: &[String]) -> (&str, &[String]) {
    let wrappers = ["ccache", "distcc", "sccache", "icecc"];
    let name = |word: &String| word.rsplit('/').next().unwrap_or(word).to_string();
    let at = arguments.iter().position(|word| !wrappers.contains(&name(word).as_str())).unwrap_or(0);
    match arguments.get(at..) {
        Some([compiler, rest @ ..]) => (compiler, rest),
        Some([]) | None => ("", &[]),
    }
}

/// Splits a command as a shell does, without expanding anything.
fn split_command(command: &str) -> Result<Vec<String>, String> {
    // A shell takes these out before it splits; `shlex` makes empty words of those that stand alone.
    if command.contains("\\\n") {
        return Err("has a command that a backslash continues in another line".to_string());
    }
    shlex::split(command).ok_or_else(|| "has a command with an unclosed quote or a backslash at its end".to_string())
}

#[cfg(test)]
mod tests {
    use super::super::MacroFlag;
    use super::*;
    use crate::target::Target;

    fn of_command(command: &str) -> PreprocessOptions {
        let words = split_command(command).unwrap();
        read_flags(&words[1..], Path::new("/w")).options
    }

    fn defines(list: &[&str]) -> Vec<MacroFlag> {
        list.iter().map(|d| MacroFlag::Define(d.to_string())).collect()
    }

    #[test]
    fn commands_are_split_like_a_shell_does() {
        let table: [(&str, &[&str]); 8] = [
            ("cc -c  a.c", &["cc", "-c", "a.c"]),
            (r#"cc -DX="a b" 'c d'"#, &["cc", "-DX=a b", "c d"]),
            (r#"cc -DX=\"s\" a\ b"#, &["cc", "-DX=\"s\"", "a b"]),
            (r#"cc "-DX=\"s\\n\"""#, &["cc", r#"-DX="s\n""#]),
            ("cc $(touch x) `touch y`", &["cc", "$(touch", "x)", "`touch", "y`"]),
            ("cc '' \"\"", &["cc", "", ""]),
            ("cc a.c # -DX\n-DY -DZ=#", &["cc", "a.c", "-DY", "-DZ=#"]),
            ("", &[]),
        ];
        for (command, expected) in table {
            assert_eq!(split_command(command).unwrap(), expected, "{command}");
        }
        assert!(split_command("cc 'a").is_err());
        assert!(split_command("cc \"a\\").is_err());
        assert!(split_command("cc a\\").is_err());
        assert!(split_command("cc -I \\\n include").is_err());
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
            "cc -imacros /tmp/evil -o -DX -MF -DY x.c",
            "cc -include-pch -DX x.c",
            "cc -std=c11\u{20}-fplugin=x x.c",
            "cc -funsigned-char,-fplugin=x -mcpu=-fplugin=x x.c",
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
    fn what_changes_where_headers_are_found_is_refused() {
        for flag in ["-I-", "-B /opt", "-B/opt", "-wrapper time"] {
            let words = split_command(&format!("cc {flag} x.c")).unwrap();
            let refused = read_flags(&words[1..], Path::new("/w")).refused;
            assert_eq!(refused.iter().map(|r| r.flag.as_str()).collect::<Vec<_>>(), [flag]);
        }
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
