//! The flags of one compile command, as data.
//!
//! Include paths, macros, the standard and what changes the language or the machine are kept; what concerns warnings,
//! debugging, optimisation, linking and output files is dropped; everything else is refused by name, since it may change
//! what the program means. `docs/compatibility.md` says which is which.

use super::{MacroFlag, PreprocessOptions};
use crate::code_flags::RefusedFlag;
use crate::target::Target;
use std::path::Path;

/// What a command says.
pub(super) struct Command {
    pub options: PreprocessOptions,
    pub refused: Vec<RefusedFlag>,
    /// clang's `--target`.
    pub target_name: Option<String>,
}

/// Flags without effect on the meaning that take the argument that follows them.
const DROPPED_WITH_ARGUMENT: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-Xassembler",
    "-Xlinker",
    "-Xanalyzer",
    "-T",
    "-L",
    "-l",
    "-u",
    "-z",
    "-e",
    "-A",
    "-aux-info",
    "--param",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "-iplugindir",
    "-G",
    "-gcc-toolchain",
    "-serialize-diagnostics",
];

/// Flags without effect on the meaning, whole.
const DROPPED: &[&str] = &[
    "",
    "-c",
    "-S",
    "-E",
    "-pipe",
    "-v",
    "-w",
    "-s",
    "-p",
    "-pg",
    "-P",
    "-C",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-static",
    "-shared",
    "-pie",
    "-no-pie",
    "-rdynamic",
    "-nostdlib",
    "-nostartfiles",
    "-nodefaultlibs",
    "-nolibc",
    "-pedantic",
    "-pedantic-errors",
    "-Qunused-arguments",
    "-EL",
    "--coverage",
    "-coverage",
    "-save-temps",
    "-time",
];

/// The beginnings of flags without effect on the meaning, their arguments joined.
const DROPPED_JOINED: &[&str] =
    &["-W", "-g", "-L", "-l", "-o", "-T", "-MF", "-MT", "-MQ", "-save-temps=", "--param=", "-d", "-static-"];

/// Flags that are refused together with the argument that follows them, and why.
const REFUSED_WITH_ARGUMENT: &[(&str, &str)] = &[
    ("-Xclang", "it hands a flag to the compiler proper"),
    ("-Xpreprocessor", "it hands a flag to the preprocessor"),
    ("-mllvm", "it hands a flag to the compiler proper"),
    ("-B", "another directory has the compiler's programs and headers"),
    ("-wrapper", "another program runs the compiler"),
    ("-arch", "the machine is chosen by --arch"),
    ("-imacros", "the macros of a file are not taken; write -include"),
    ("-iprefix", "prefixes of directories are not supported"),
    ("-iwithprefix", "prefixes of directories are not supported"),
    ("-iwithprefixbefore", "prefixes of directories are not supported"),
    ("-imultilib", "the compiler's directories are not known here"),
    ("-include-pch", "precompiled headers are not supported; write -include"),
];

pub(super) fn read_flags(arguments: &[String], directory: &Path) -> Command {
    let mut reader = Reader {
        command: Command {
            options: PreprocessOptions { directory: Some(directory.to_path_buf()), ..PreprocessOptions::default() },
            refused: Vec::new(),
            target_name: None,
        },
        directory,
    };
    let mut rest = arguments.iter().map(String::as_str);
    while let Some(argument) = rest.next() {
        reader.flag(argument, &mut rest);
    }
    reader.command
}

struct Reader<'a> {
    command: Command,
    directory: &'a Path,
}

impl Reader<'_> {
    fn refuse(&mut self, flag: &str, why: &str) {
        self.command.refused.push(RefusedFlag { flag: flag.to_string(), why: why.to_string() });
    }

    fn flag<'a>(&mut self, flag: &str, rest: &mut impl Iterator<Item = &'a str>) {
        let options = &mut self.command.options;
        match flag {
            "-m32" => options.target = Some(Target::ILP32),
            "-m64" => options.target = Some(Target::LP64),
            "-nostdinc" => options.nostdinc = true,
            "-I-" => self.refuse(flag, "it divides the directories for headers in two; write -iquote"),
            "-ansi" => options.std = Some("c90".to_string()),
            // What gcc defines for it.
            "-pthread" | "-pthreads" => options.macros.push(MacroFlag::Define("_REENTRANT=1".to_string())),
            "-x" => match rest.next() {
                Some("c" | "none") | None => {}
                Some(language) => self.refuse(&format!("-x {language}"), "the file is not C"),
            },
            "-target" => self.command.target_name = rest.next().map(str::to_string),
            "-isysroot" | "--sysroot" => options.sysroot = rest.next().map(|root| self.directory.join(root)),
            // Words that are no flags are files.
            _ if !flag.starts_with(['-', '@']) => {}
            _ if DROPPED.contains(&flag) => {}
            // Checked before joined forms: `-include-pch x` is not `-include` of `-pch`.
            _ if DROPPED_WITH_ARGUMENT.contains(&flag) => {
                rest.next();
            }
            _ => match REFUSED_WITH_ARGUMENT.iter().find(|(name, _)| *name == flag) {
                Some((_, why)) => {
                    let argument = rest.next().unwrap_or("");
                    self.refuse(format!("{flag} {argument}").trim_end(), why);
                }
                None => self.joined(flag, rest),
            },
        }
    }

    /// Flags whose value may be joined to them.
    fn joined<'a>(&mut self, flag: &str, rest: &mut impl Iterator<Item = &'a str>) {
        if let Some((kind, joined)) = kept(flag) {
            let value = match joined {
                "" => rest.next(),
                joined => Some(joined),
            };
            if let Some(value) = value {
                keep(&mut self.command.options, kind, value, self.directory);
            }
        } else if let Some(std) = flag.strip_prefix("-std=").or_else(|| flag.strip_prefix("--std=")) {
            match is_standard(std) {
                true => self.command.options.std = Some(std.to_string()),
                false => self.refuse(flag, "it is no standard of C"),
            }
        } else if let Some(root) = flag.strip_prefix("--sysroot=") {
            self.command.options.sysroot = Some(self.directory.join(root));
        } else if let Some(name) = flag.strip_prefix("--target=") {
            self.command.target_name = Some(name.to_string());
        } else if let Some(device) = flag.strip_prefix("-mmcu=") {
            match avr_device(device) {
                Some(name) => self.command.options.macros.push(MacroFlag::Define(format!("__AVR_{name}__=1"))),
                None => self.refuse(flag, "it names no device"),
            }
        } else if let Some(specs) = flag.strip_prefix("-specs=").or_else(|| flag.strip_prefix("--specs=")) {
            // Variants of newlib: other libraries to link with.
            if !["nano.specs", "nosys.specs", "rdimon.specs", "picolibc.specs"].contains(&specs) {
                self.refuse(flag, "what a specs file says is not known");
            }
        } else if let Some(handed) = flag.strip_prefix("-Wp,") {
            // Only the flags that write dependencies.
            if !handed.starts_with("-M") {
                self.refuse(flag, "it hands a flag to the preprocessor");
            }
        } else if flag.starts_with("-f") || flag.starts_with("-m") || flag.starts_with("-O") {
            if let Err(refused) = self.command.options.apply(flag) {
                self.command.refused.push(refused);
            }
        } else if !DROPPED_JOINED.iter().any(|prefix| flag.starts_with(prefix)) {
            self.refuse(flag, "it is not known here, and may change what the program means");
        }
    }
}

/// The name of an AVR device as its macro has it: `atmega328p` is `ATmega328P`.
fn avr_device(device: &str) -> Option<String> {
    if device.is_empty() || !device.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    let families = [("atmega", "ATmega"), ("attiny", "ATtiny"), ("atxmega", "ATxmega")];
    let family = families.iter().find_map(|(lower, name)| Some((name, device.strip_prefix(lower)?)));
    Some(match family {
        Some((family, rest)) => format!("{family}{}", rest.to_ascii_uppercase()),
        None => device.to_ascii_uppercase(),
    })
}

fn is_standard(std: &str) -> bool {
    let (year, is_iso) = match std.strip_prefix("iso9899:") {
        Some(year) => (year, true),
        None => (std.strip_prefix("gnu").or_else(|| std.strip_prefix('c')).unwrap_or(""), false),
    };
    let years: &[&str] = match is_iso {
        true => &["1990", "199409", "1999", "199x", "2011", "2017", "2018"],
        false => &["89", "90", "99", "9x", "11", "1x", "17", "18", "2x", "23"],
    };
    years.contains(&year)
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
    use std::path::PathBuf;

    fn of(command: &str) -> Command {
        let words: Vec<String> = command.split(' ').map(str::to_string).collect();
        read_flags(&words, Path::new("/w"))
    }

    #[test]
    fn meaning_is_kept_and_the_rest_dropped() {
        let Command { options, refused, .. } = of(
            "-c -O2 -g3 -Wall -Wp,-MD,x.d -pthread -funsigned-char -fshort-enums -fpack-struct -fwrapv -fno-common \
             -mcpu=cortex-m4 -mthumb --specs=nano.specs --sysroot=/sdk -o x.o x.c",
        );
        assert_eq!(refused, []);
        assert_eq!(options.code.flags(), ["-funsigned-char", "-fshort-enums", "-fwrapv", "-fpack-struct"]);
        assert_eq!(options.sysroot, Some(PathBuf::from("/sdk")));
        assert_eq!(options.macros, [MacroFlag::Define("_REENTRANT=1".to_string())]);
    }

    #[test]
    fn what_may_change_the_meaning_is_refused_by_name() {
        let flags = [
            "-fshort-wchar",
            "-fshort-double",
            "-ffast-math",
            "-funsigned-bitfields",
            "-ftrapv",
            "-m16",
            "-mx32",
            "-mms-bitfields",
            "-traditional",
            "-undef",
            "-trigraphs",
            "@more",
            "-fplugin=x.so",
            "-std=c++17",
            "-specs=x",
            "-Wp,-DX",
            "-Xclang -DX",
            "-imacros x.h",
            "-x assembler-with-cpp",
            "-mmcu=",
        ];
        for flag in flags {
            let refused = of(flag).refused;
            assert_eq!(refused.len(), 1, "{flag}");
            assert_eq!(refused[0].flag, flag);
        }
    }

    #[test]
    fn devices_of_avr_have_macros() {
        let table = [("atmega328p", "ATmega328P"), ("attiny85", "ATtiny85"), ("at90usb1286", "AT90USB1286")];
        for (device, name) in table {
            assert_eq!(avr_device(device).as_deref(), Some(name));
        }
    }
}
