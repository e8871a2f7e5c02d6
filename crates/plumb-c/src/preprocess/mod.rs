//! From a file to preprocessed text: `cc -E` as a child process, or the file as it is when it has been preprocessed.
//!
//! ```text
//!   mod               reading files, running the preprocessor, decoding text
//!   own_headers       the headers that come with Plumb
//!   machine           predefined macros of targets that the host compiler does not know
//!   compile_commands  compile_commands.json, reduced to what a program means
//!   command_flags     the flags of one command; compiler: the machine that a compiler's name tells
//! ```
//!
//! # Bytes that are no UTF-8
//!
//! C sources hold Latin-1 and worse in comments and strings. A byte `b` that is not part of valid UTF-8 is decoded to
//! the private-use character U+F700 + `b` ([`decode`]); the lexer turns such a character in a literal back into the
//! byte ([`raw_byte`]). A source that holds the characters U+F780 to U+F7FF themselves would see them as single bytes.

mod command_flags;
mod compile_commands;
mod compiler;
mod machine;
mod own_headers;

pub use compile_commands::{CompileEntry, compile_commands};
pub use own_headers::{OWN_HEADERS, OwnHeader, write_own_headers};

use crate::code_flags::{CodeFlags, RefusedFlag};
use crate::diag::Diagnostic;
use crate::macro_flags;
use crate::source::{Span, is_preprocessed};
use crate::target::Target;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A `-D` or `-U` flag; their order matters, so they share one list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MacroFlag {
    /// `NAME` or `NAME=VALUE`.
    Define(String),
    Undefine(String),
}

/// What to tell the preprocessor. Relative paths, the source file's included, are relative to `directory`, or to the
/// process's working directory where that is absent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PreprocessOptions {
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// `-iquote`
    pub quote_dirs: Vec<PathBuf>,
    /// `-isystem`
    pub system_dirs: Vec<PathBuf>,
    /// `-idirafter`
    pub after_dirs: Vec<PathBuf>,
    pub macros: Vec<MacroFlag>,
    /// Files to include first, `-include`.
    pub includes: Vec<PathBuf>,
    /// The language standard, as in `-std=gnu11`.
    pub std: Option<String>,
    pub nostdinc: bool,
    /// `-isysroot`, or the compiler's `--sysroot`.
    pub sysroot: Option<PathBuf>,
    /// Flags that change the language or the machine.
    pub code: CodeFlags,
    /// Flags that change macros which the compiler predefines, and nothing else.
    pub macro_flags: Vec<String>,
    /// `None` leaves the choice to the host compiler.
    pub target: Option<Target>,
    pub directory: Option<PathBuf>,
}

/// The preprocessed text of a C file.
pub fn load(path: &Path, options: &PreprocessOptions) -> Result<String, Diagnostic> {
    let place = match &options.directory {
        Some(directory) => directory.join(path),
        None => path.to_path_buf(),
    };
    let bytes = read(&place)?;
    let text = decode(bytes);
    if is_preprocessed(path, &text) {
        return Ok(text);
    }
    if let Some(refusal) = options.unknown_macros() {
        return Err(refusal);
    }
    let mut output = run(path, options)?;
    if !output.status.success() && own_headers::is_missed(&String::from_utf8_lossy(&output.stderr)) {
        output = run_with_own_headers(path, options)?;
    }
    if output.status.success() {
        return check_text(path, output.stdout).map(decode);
    }
    Err(failure(path, options, &String::from_utf8_lossy(&output.stderr)))
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let shown = path.display();
    let problem = |message: String, help: &str| Err(Diagnostic::error(Span::NONE, message).help(help));
    if path.is_dir() {
        let help = "name the C files in it, or give its compile_commands.json with `--compile-commands`";
        return problem(format!("`{shown}` is a directory"), help);
    }
    match std::fs::read(path) {
        Ok(bytes) if bytes.is_empty() => {
            problem(format!("`{shown}` is empty"), "give a C source file (.c) or preprocessed C (.i)")
        }
        Ok(bytes) => check_text(path, bytes),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            problem(format!("`{shown}` does not exist"), "check the path; relative ones start at the working directory")
        }
        Err(e) => problem(format!("cannot read `{shown}`: {e}"), "check the file's permissions"),
    }
}

/// Text holds no NUL bytes; object files and UTF-16 do.
fn check_text(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, Diagnostic> {
    match bytes.iter().position(|&b| b == 0) {
        None => Ok(bytes),
        Some(at) => {
            let message = format!("`{}` is not C source text: it has a NUL byte at offset {at}", path.display());
            let help = match bytes.as_slice() {
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the file looks like UTF-16; save it as UTF-8",
                _ => "give a C source file (.c) or preprocessed C (.i), not a binary",
            };
            Err(Diagnostic::error(Span::NONE, message).help(help))
        }
    }
}

/// Decodes UTF-8, keeping each byte that is none as a private-use character.
pub fn decode(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 16);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|&b| char::from_u32(RAW_BYTES + b as u32)));
    }
    text
}

const RAW_BYTES: u32 = 0xf700;

/// The byte that a private-use character of [`decode`] stands for.
pub fn raw_byte(c: char) -> Option<u8> {
    (c as u32).checked_sub(RAW_BYTES).filter(|b| (0x80..=0xff).contains(b)).map(|b| b as u8)
}

/// Programs to try, in order.
const COMPILERS: [&str; 2] = ["cc", "gcc"];

fn run(path: &Path, options: &PreprocessOptions) -> Result<Output, Diagnostic> {
    for compiler in COMPILERS {
        let mut command = Command::new(compiler);
        command.args(flags(options)).arg(plain_path(path)).stdin(Stdio::null());
        if options.target.is_some_and(|t| t.cc_flags.is_empty()) {
            command.args(freestanding_headers(compiler));
        }
        if let Some(directory) = &options.directory {
            command.current_dir(directory);
        }
        match command.output() {
            Ok(output) => return Ok(output),
            Err(e) if e.kind() == ErrorKind::NotFound && options.directory.as_ref().is_none_or(|d| d.is_dir()) => {}
            Err(e) => {
                let message = format!("cannot run `{compiler} -E` on `{}`: {e}", path.display());
                let help = format!("check that `{compiler}` is an executable C compiler and its directory exists");
                return Err(Diagnostic::error(Span::NONE, message).help(help));
            }
        }
    }
    let message = format!("no C compiler found to preprocess `{}`", path.display());
    let help = "install one (Debian: `apt install gcc`) so that `cc` is on the PATH, or give preprocessed C (.i)";
    Err(Diagnostic::error(Span::NONE, message).help(help))
}

/// The same with the headers that come with Plumb.
fn run_with_own_headers(path: &Path, options: &PreprocessOptions) -> Result<Output, Diagnostic> {
    let directory = own_headers::HeaderDirectory::new().map_err(|e| {
        let message =
            format!("cannot write the headers that `{}` includes to a temporary directory: {e}", path.display());
        Diagnostic::error(Span::NONE, message).help("check that there is a directory for temporary files (TMPDIR)")
    })?;
    let mut options = options.clone();
    options.after_dirs.push(directory.path().to_path_buf());
    run(path, &options)
}

/// The flags of the child, all but the file.
fn flags(options: &PreprocessOptions) -> Vec<OsString> {
    let mut flags: Vec<OsString> = ["-E", "-w", "-x", "c", "-D__PLUMB__=1"].map(OsString::from).to_vec();
    match &options.target {
        None => {}
        Some(target) if target.cc_flags.is_empty() => {
            flags.extend(machine::flags(target, options.std.as_deref()).into_iter().map(OsString::from));
        }
        Some(target) => flags.extend(target.cc_flags.iter().map(OsString::from)),
    }
    flags.extend(options.flags());
    flags
}

impl PreprocessOptions {
    /// Acts on a flag that begins with `-f`, `-m` or `-O`.
    pub fn apply(&mut self, flag: &str) -> Result<(), RefusedFlag> {
        self.code.apply(flag)?;
        self.macro_flags.extend(macro_flags::for_preprocessor(flag));
        Ok(())
    }

    /// A flag whose macros are not known, since the machine is not one of the host compiler's.
    fn unknown_macros(&self) -> Option<Diagnostic> {
        let is_elsewhere = self.target.is_some_and(|target| target.cc_flags.is_empty());
        let flag = self.macro_flags.iter().find(|flag| is_elsewhere && macro_flags::is_unknown_elsewhere(flag))?;
        let message = format!("`{flag}` is not supported for this machine: which macros it defines is not known");
        Some(Diagnostic::error(Span::NONE, message).help("take the flag out where no file looks at them"))
    }

    /// The flags that any compiler needs to see the same program; the machine is not among them.
    pub fn flags(&self) -> Vec<OsString> {
        let mut flags: Vec<OsString> = Vec::new();
        if let Some(std) = &self.std {
            flags.push(format!("-std={std}").into());
        }
        if self.nostdinc {
            flags.push("-nostdinc".into());
        }
        if let Some(root) = &self.sysroot {
            flags.push("-isysroot".into());
            flags.push(plain_path(root));
        }
        flags.extend(self.code.flags().into_iter().map(OsString::from));
        if self.target.is_none_or(|target| !target.cc_flags.is_empty()) {
            flags.extend(self.macro_flags.iter().map(OsString::from));
        }
        for flag in &self.macros {
            flags.push(match flag {
                MacroFlag::Define(text) => format!("-D{text}").into(),
                MacroFlag::Undefine(text) => format!("-U{text}").into(),
            });
        }
        let paths = [
            ("-iquote", &self.quote_dirs),
            ("-I", &self.include_dirs),
            ("-isystem", &self.system_dirs),
            ("-idirafter", &self.after_dirs),
            ("-include", &self.includes),
        ];
        for (flag, list) in paths {
            for path in list {
                flags.push(flag.into());
                flags.push(plain_path(path));
            }
        }
        flags
    }
}

/// A path as an argument of its own. gcc takes `-x` for a flag and expands `@x` into the flags that the file `x` holds,
/// which could load a plugin; `./` in front makes both a mere path.
fn plain_path(path: &Path) -> OsString {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path).into_os_string(),
        _ => path.as_os_str().to_os_string(),
    }
}

/// The headers that every compiler brings along (`stdint.h`, `stddef.h`, ...), which fit any target whose macros are
/// defined. They come last, behind whatever the user names.
fn freestanding_headers(compiler: &str) -> Vec<OsString> {
    let output = Command::new(compiler).arg("-print-file-name=include").stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => {
            let path = String::from_utf8_lossy(&output.stdout).trim().to_string();
            vec!["-idirafter".into(), path.into()]
        }
        Ok(_) | Err(_) => Vec::new(),
    }
}

fn failure(path: &Path, options: &PreprocessOptions, stderr: &str) -> Diagnostic {
    const SHOWN_LINES: usize = 20;
    let lines: Vec<&str> = stderr.lines().collect();
    let mut shown = lines[..lines.len().min(SHOWN_LINES)].join("\n");
    if lines.len() > SHOWN_LINES {
        shown.push_str(&format!("\n... and {} more lines", lines.len() - SHOWN_LINES));
    }
    let message = format!("the preprocessor failed on `{}`:\n{shown}", path.display());
    let missing_header = stderr.contains("No such file or directory") || stderr.contains("file not found");
    let system_header = ["gnu/stubs", "bits/", "sys/cdefs.h", "asm/"].iter().any(|h| stderr.contains(h));
    let help = match options.target {
        Some(target) if target.cc_flags.is_empty() && missing_header => format!(
            "the host's library headers describe another machine and are not used for `{}`: name the target's with \
             `-isystem`, or preprocess with its own compiler and give the .i file",
            target.name
        ),
        Some(target) if target.cc_flags.contains(&"-m32") && missing_header && system_header => {
            "the 32-bit C headers are not installed (Debian: `apt install gcc-multilib`); install them, check for the \
             64-bit machine with `--arch 64`, or give preprocessed C (.i)"
                .to_string()
        }
        _ if missing_header => "name the directory of the missing header with `-I`".to_string(),
        _ => "fix what the preprocessor reports, or give the flags that the project's build uses".to_string(),
    };
    Diagnostic::error(Span::NONE, message).help(help)
}

#[cfg(test)]
mod tests;
