//! The machine that a compiler is for, told by its name: `avr-gcc`, `x86_64-linux-gnu-gcc-12`. The compiler is not run.

use crate::target::Target;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Machine {
    /// The machine at hand, or what `-m32` and `-m64` say.
    Host,
    Known(Target),
    Unknown,
}

/// Names of compilers for C, after the machine's name and without a version.
const COMPILERS: [&str; 6] = ["gcc", "cc", "clang", "c99", "c89", "c11"];

/// The machine of a compiler, or of a target's name as clang's `--target` gives it.
pub(super) fn machine_of(name: &str, is_target: bool) -> Machine {
    let base = name.rsplit('/').next().unwrap_or(name);
    let prefix = if is_target {
        base
    } else {
        let unversioned = base.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end_matches('-');
        // `c99` is a name, not a version.
        let Some(compiler) = COMPILERS.iter().find(|c| base.ends_with(*c) || unversioned.ends_with(*c)) else {
            return Machine::Unknown;
        };
        let whole = if base.ends_with(compiler) { base } else { unversioned };
        match whole.strip_suffix(compiler).map(|p| p.strip_suffix('-').unwrap_or(p)) {
            Some("") => return Machine::Host,
            Some(prefix) => prefix,
            None => return Machine::Unknown,
        }
    };
    let system = prefix.split_once('-').map_or("", |(_, rest)| rest);
    // Windows has another layout and another long; x32 other pointers.
    if ["mingw", "windows", "cygwin", "x32"].iter().any(|other| system.contains(other)) {
        return Machine::Unknown;
    }
    match prefix.split('-').next().unwrap_or(prefix) {
        "x86_64" | "amd64" => Machine::Known(Target::LP64),
        "i386" | "i486" | "i586" | "i686" => Machine::Known(Target::ILP32),
        "avr" => Machine::Known(Target::AVR),
        _ => Machine::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_machines() {
        let table = [
            ("gcc", Machine::Host),
            ("/usr/bin/cc", Machine::Host),
            ("gcc-12", Machine::Host),
            ("clang-15", Machine::Host),
            ("c99", Machine::Host),
            ("avr-gcc", Machine::Known(Target::AVR)),
            ("x86_64-linux-gnu-gcc-12", Machine::Known(Target::LP64)),
            ("i686-linux-gnu-gcc", Machine::Known(Target::ILP32)),
            ("/opt/arm/bin/arm-none-eabi-gcc", Machine::Unknown),
            ("x86_64-w64-mingw32-gcc", Machine::Unknown),
            ("x86_64-linux-gnux32-gcc", Machine::Unknown),
            ("armcc", Machine::Unknown),
            ("g++", Machine::Unknown),
            ("iccarm", Machine::Unknown),
            ("/tmp/evil", Machine::Unknown),
            ("", Machine::Unknown),
        ];
        for (name, expected) in table {
            assert_eq!(machine_of(name, false), expected, "{name}");
        }
        assert_eq!(machine_of("thumbv7em-none-eabi", true), Machine::Unknown);
        assert_eq!(machine_of("x86_64-pc-linux-gnu", true), Machine::Known(Target::LP64));
    }
}
