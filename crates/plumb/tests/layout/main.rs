//! Oracle: layout. Where gcc puts a member is law for every union, cast and memcpy of a real program. Three checks, over
//! random definitions for both data models:
//!
//! * `plumb show layout --asserts` states every size, alignment and offset as a `_Static_assert`; gcc must compile the
//!   definitions together with the statements.
//! * A program prints `sizeof`, `_Alignof` and `offsetof` of everything; `plumb run` must print what gcc's binary does.
//! * The same program sets each bit-field to all ones in zeroed memory and prints the bytes: the position of every bit.
//!
//! Longer runs: `PLUMB_LAYOUT_RECORDS` (records per data model, default 1000), `PLUMB_LAYOUT_SEED`. Real files:
//! `PLUMB_LAYOUT_FILES` names a list of C files whose types are checked by the first method for both data models.

#[path = "../oracle/mod.rs"]
mod oracle;

mod generate;

use generate::{Generator, PRELUDE, Record};
use oracle::{Arch, Random, TempDir, env_number, keep, parallel, program_output, run, say};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const RECORDS_PER_PROGRAM: usize = 50;

#[test]
fn random_layouts_agree_with_gcc() {
    let archs = oracle::testable_archs();
    let wanted = env_number("PLUMB_LAYOUT_RECORDS", 1000) as usize;
    let seed = env_number("PLUMB_LAYOUT_SEED", 1);
    let programs = wanted.div_ceil(RECORDS_PER_PROGRAM);
    let complaints = parallel(programs * archs.len(), |index| {
        let arch = archs[index % archs.len()];
        let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(index as u64));
        let mut generator = Generator { random: &mut random, arch, done: Vec::new() };
        for _ in 0..RECORDS_PER_PROGRAM {
            generator.record();
        }
        check_records(&generator.done, arch, index)
    });
    let records = programs * archs.len() * RECORDS_PER_PROGRAM;
    finish(&format!("{records} random records"), complaints.into_iter().flatten().collect());
}

#[test]
fn layouts_of_real_files_agree_with_gcc() {
    let Some(list) = std::env::var_os("PLUMB_LAYOUT_FILES") else {
        oracle::say("skipped: PLUMB_LAYOUT_FILES names no list of files");
        return;
    };
    let list = std::fs::read_to_string(&list).expect("PLUMB_LAYOUT_FILES names a readable list");
    let files: Vec<&str> = list.lines().filter_map(|l| l.split_whitespace().next()).collect();
    let archs = oracle::testable_archs();
    let results = parallel(files.len() * archs.len(), |index| {
        let (file, arch) = (Path::new(files[index / archs.len()]), archs[index % archs.len()]);
        check_asserts(file, arch)
    });
    let asserted: usize = results.iter().filter_map(|r| r.as_ref().ok()).sum();
    let complaints = results.into_iter().filter_map(Result::err).collect();
    finish(&format!("{} files, {asserted} assertions", files.len()), complaints);
}

fn finish(what: &str, complaints: Vec<String>) {
    for complaint in &complaints {
        say(complaint);
    }
    say(format!("layout: {what}, {} complaints", complaints.len()));
    assert!(complaints.is_empty(), "layouts differ from gcc's");
}

fn check_records(records: &[Record], arch: Arch, index: usize) -> Vec<String> {
    let dir = TempDir::new("layout");
    let source = program(records);
    let file = dir.write(&format!("layout{index}.c"), &source);
    let mut complaints = Vec::new();
    match check_asserts(&file, arch) {
        Ok(count) if count < records.len() * 2 => {
            complaints.push(format!("--arch {}: only {count} assertions for {} records", arch.name(), records.len()))
        }
        Ok(_) => {}
        Err(complaint) => complaints.push(complaint),
    }
    let binary = dir.path().join("layout");
    if let Err(complaint) = oracle::gcc_build(arch, &file, &binary, &[]) {
        panic!("gcc rejects generated records {}:\n{complaint}", keep("layout-rejected.c", &source).display());
    }
    let expected = run(&mut Command::new(&binary), Duration::from_secs(60));
    let actual = run(&mut oracle::plumb_run(&file, arch), Duration::from_secs(300));
    let got = program_output(&actual.stdout);
    if expected.stdout != got {
        let kept = keep(&format!("layout-{index}-{}.c", arch.name()), &source);
        let first = expected.stdout.lines().zip(got.lines()).find(|(want, have)| want != have);
        let shown = match first {
            Some((want, have)) => format!("  gcc:   {want}\n  plumb: {have}"),
            None => actual.describe(),
        };
        complaints.push(format!("--arch {}: {}\n{shown}", arch.name(), kept.display()));
    }
    complaints
}

/// Appends Plumb's assertions to the file and lets gcc judge; the number of assertions.
fn check_asserts(file: &Path, arch: Arch) -> Result<usize, String> {
    let dir = TempDir::new("asserts");
    let mut command = oracle::plumb();
    command.args(["show", "layout"]).arg(file).args(["--arch", arch.name(), "--asserts"]);
    let layout = run(&mut command, Duration::from_secs(120));
    if !layout.success() {
        return Err(format!("show layout {} --arch {}: {}", file.display(), arch.name(), layout.describe()));
    }
    let mut text = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    text.push(b'\n');
    text.extend_from_slice(layout.stdout.as_bytes());
    // A preprocessed file stays one, or gcc would object to its line markers' system headers.
    let name = if file.extension().is_some_and(|e| e == "i") { "asserted.i" } else { "asserted.c" };
    let asserted = dir.write(name, &text);
    let mut command = oracle::gcc(arch);
    // The copy includes what the original does.
    let home = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    command.arg("-fsyntax-only").arg("-iquote").arg(home).arg(&asserted);
    let judged = run(&mut command, Duration::from_secs(120));
    if judged.success() {
        return Ok(layout.stdout.lines().filter(|l| l.contains("_Static_assert")).count());
    }
    let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let kept = keep(&format!("layout-{stem}-{}-{name}", arch.name()), &text);
    let errors: Vec<&str> = judged.stderr.lines().filter(|l| l.contains("error")).take(5).collect();
    Err(format!("{} --arch {}: {}\n{}", file.display(), arch.name(), kept.display(), errors.join("\n")))
}

/// Prints sizes, alignments and offsets, then the bytes of each record with one bit-field set.
fn program(records: &[Record]) -> String {
    let mut text = String::from(PRELUDE);
    text += "int printf(const char *, ...);\n";
    for record in records {
        text += &record.text;
    }
    text += "static unsigned char *clear(void *object, unsigned size) {\n  unsigned char *bytes = object;\n";
    text += "  for (unsigned i = 0; i < size; i++) bytes[i] = 0;\n  return bytes;\n}\n";
    text += "static void dump(const char *what, unsigned char *bytes, unsigned size) {\n  printf(\"%s\", what);\n";
    text += "  for (unsigned i = 0; i < size; i++) if (bytes[i]) printf(\" %u:%x\", i, bytes[i]);\n";
    text += "  printf(\"\\n\");\n}\n";
    let mut calls = String::new();
    for (index, record) in records.iter().enumerate() {
        let name = &record.name;
        let _ = writeln!(text, "static {name} o{index};\nstatic void t{index}(void) {{");
        let _ = writeln!(
            text,
            "  printf(\"{name} size %u align %u\\n\", (unsigned)sizeof({name}), (unsigned)_Alignof({name}));"
        );
        for member in &record.members {
            let _ =
                writeln!(text, "  printf(\"{name}.{member} %u\\n\", (unsigned)__builtin_offsetof({name}, {member}));");
        }
        for field in &record.bit_fields {
            let _ = writeln!(text, "  clear(&o{index}, sizeof o{index});");
            let _ = writeln!(text, "  o{index}.{field} = -1;");
            let _ = writeln!(text, "  dump(\"{name}.{field}\", (unsigned char *)&o{index}, sizeof o{index});");
        }
        text += "}\n";
        let _ = writeln!(calls, "  t{index}();");
    }
    let _ = writeln!(text, "int main(void) {{\n{calls}  return 0;\n}}");
    text
}
