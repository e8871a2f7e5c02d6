//! Oracle: csmith's random programs. Each prints a checksum over all its globals, so one wrong promotion, bit-field
//! store, struct copy, jump or pointer anywhere in the run changes the only line of output that gcc -O0's binary and
//! `plumb run` must have in common. The programs have no undefined behaviour: with all checks of it on none may fail, and
//! objects that lie elsewhere and end earlier must not change the checksum.
//!
//! Longer runs: `PLUMB_CSMITH_COUNT` (programs, default 20), `PLUMB_CSMITH_SEED` (the first seed). A failing program is
//! kept and its path printed.

mod oracle;

use oracle::{Arch, TempDir, env_number, keep, parallel, program_output, run, say};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Csmith's defaults have volatiles, bit-fields, packed structs, unions, pointers and jumps; the variants shift the
/// weight. `argc` is an input for Plumb, hence `--no-argc` everywhere.
const VARIANTS: [&[&str]; 8] = [
    &[],
    &["--no-pointers", "--no-arrays", "--no-jumps"],
    &["--max-struct-fields", "20", "--max-union-fields", "10", "--max-funcs", "5"],
    &[],
    &["--no-pointers", "--max-block-depth", "3", "--max-expr-complexity", "20"],
    &["--builtins", "--inline-function"],
    &["--no-bitfields", "--no-packed-struct", "--max-pointer-depth", "4"],
    &["--no-volatiles", "--max-array-dim", "2", "--max-array-len-per-dim", "6"],
];

fn variant(seed: u64) -> &'static [&'static str] {
    VARIANTS[(seed % VARIANTS.len() as u64) as usize]
}

enum Verdict {
    Same,
    /// Csmith gave nothing usable, or the program does not end on its own.
    Skipped,
    Different(String),
}

#[test]
fn checksums_agree_with_gcc() {
    let Some(include) = csmith_include() else {
        say("skipped: csmith is not installed");
        return;
    };
    let archs = oracle::testable_archs();
    let count = env_number("PLUMB_CSMITH_COUNT", 20) as usize;
    let (mut same, mut skipped, mut different) = (0, 0, 0);
    let mut next_seed = env_number("PLUMB_CSMITH_SEED", 1);
    // A skipped program is replaced by another; should nearly all be skipped, something is wrong with csmith here.
    while !archs.is_empty() && same + different < count && skipped < 2 * count + 20 {
        let wave = count - same - different;
        let verdicts = parallel(wave, |index| check(next_seed + index as u64, &archs, &include));
        next_seed += wave as u64;
        for verdict in verdicts {
            match verdict {
                Verdict::Same => same += 1,
                Verdict::Skipped => skipped += 1,
                Verdict::Different(report) => {
                    different += 1;
                    say(report);
                }
            }
        }
    }
    say(format!(
        "csmith: {same} programs agree for {} data models, {different} differ, {skipped} skipped",
        archs.len()
    ));
    assert_eq!(different, 0, "programs whose checksum differs from gcc's");
}

/// The directory of csmith's run-time headers; `None` without csmith.
fn csmith_include() -> Option<PathBuf> {
    if !oracle::exists("csmith") {
        return None;
    }
    let named = std::env::var_os("CSMITH_INCLUDE").map(PathBuf::from);
    let installed = ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith-2.3.0"];
    named.into_iter().chain(installed.map(PathBuf::from)).find(|d| d.join("csmith.h").is_file())
}

fn check(seed: u64, archs: &[Arch], include: &Path) -> Verdict {
    let dir = TempDir::new("csmith");
    let source = dir.path().join("program.c");
    let mut csmith = Command::new("csmith");
    // Csmith reads and writes platform.info in the working directory.
    csmith
        .current_dir(dir.path())
        .args(["--seed", &seed.to_string(), "--no-argc", "-o"])
        .arg(&source)
        .args(variant(seed));
    let generated = run(&mut csmith, Duration::from_secs(60));
    let text = std::fs::read_to_string(&source).unwrap_or_default();
    // Builtins of x86 instructions are nothing that a program for another machine could have.
    let foreign = text.contains("__builtin_ia32_");
    if !generated.success() || generated.stderr.contains("warning") || text.is_empty() || foreign {
        return Verdict::Skipped;
    }
    // Checked runs take several times as long: one for each program.
    let checked = (seed / VARIANTS.len() as u64) as usize % archs.len();
    archs
        .iter()
        .enumerate()
        .map(|(i, &arch)| compare(seed, arch, &source, include, i == checked))
        .find(|v| !matches!(v, Verdict::Same))
        .unwrap_or(Verdict::Same)
}

fn compare(seed: u64, arch: Arch, source: &Path, include: &Path, checked: bool) -> Verdict {
    let binary = source.with_extension(arch.name());
    let include_flag = [OsStr::new("-I"), include.as_os_str()];
    if oracle::gcc_build(arch, source, &binary, &include_flag).is_err() {
        return Verdict::Skipped;
    }
    let expected = run(&mut Command::new(&binary), Duration::from_secs(5));
    if !expected.success() {
        return Verdict::Skipped;
    }
    let flags: &[&[&str]] = if checked { &[&[], &["--checks", "all"]] } else { &[&[]] };
    let wrong = flags.iter().find_map(|flags| {
        let mut command = oracle::plumb_run(source, arch);
        command.args(include_flag).args(*flags);
        let actual = run(&mut command, Duration::from_secs(300));
        (program_output(&actual.stdout) != expected.stdout).then(|| format!("{} {flags:?}", actual.describe()))
    });
    let Some(wrong) = wrong else { return Verdict::Same };
    let text = std::fs::read(source).expect("the program was compiled a moment ago");
    let kept = keep(&format!("csmith-{seed}-{}.c", arch.name()), text);
    Verdict::Different(format!(
        "csmith seed {seed} --arch {} {:?}: {}\n  gcc:   {}  plumb: {}",
        arch.name(),
        variant(seed),
        kept.display(),
        expected.stdout,
        wrong
    ))
}
