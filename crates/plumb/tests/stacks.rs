//! Oracle: programs with several stacks on the machine against gcc's, which switch contexts as a harness does.
//!
//! Random programs compute their inputs themselves and print what they have come to. Longer runs: `PLUMB_STACKS_COUNT` (programs
//! per data model, default 40), `PLUMB_STACKS_SEED`.

#[path = "../../plumb-sym/tests/concrete/stacks.rs"]
mod generate;
#[path = "oracle/mod.rs"]
mod oracle;

use generate::Style;
use oracle::{Arch, TempDir, env_number, keep, run, say, testable_archs};
use plumb_c::driver::{FrontOptions, load_program};
use plumb_c::target::Target;
use plumb_evidence::harness::stacks_runtime;
use plumb_exec::{CompileOptions, Image, Limits, Machine, Outcome, Output, ZeroInputs};
use plumb_ir::property::PropertySet;
use plumb_ir::{PrepareOptions, prepare};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// Programs that one binary has: gcc starts slowly.
const BATCH: u64 = 40;

/// A program gives itself the values that it asks for.
const STYLE: Style = Style {
    input: "static unsigned state = 12345; state = state * 1664525u + 1013904223u; return (int)(state >> 13) % 11;",
    faults: false,
    prints: true,
    length: 7,
};

const DRIVER: &str = "
extern int printf(const char *, ...); extern int atoi(const char *); extern void _exit(int); extern int fflush(void *);
void reach_error(void) { printf(\"error\\n\"); fflush(0); _exit(9); }
static void plumb_strayed(const char *why) { printf(\"%s\\n\", why); fflush(0); _exit(8); }
";

/// What the machine's program prints, and how it ends.
fn on_machine(file: &Path, target: Target, promotion: bool) -> String {
    let options =
        FrontOptions { target: Some(target), library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    let Ok(loaded) = load_program(&[file.to_path_buf()], &options) else { return "refused".to_string() };
    let mut diags = loaded.diags;
    let options = PrepareOptions { promotion, ..PrepareOptions::default() };
    let mut properties = PropertySet::default();
    properties.error_functions.push("reach_error".into());
    let Some(program) = prepare(&loaded.hir, &properties, &options, &mut diags) else { return "refused".to_string() };
    let image = Image::compile(&program, &CompileOptions::default()).expect("it fits");
    let mut machine = Machine::new(Arc::new(image));
    machine.set_output(Output::Capture(Vec::new()));
    let outcome = machine.run(&mut ZeroInputs, Limits::steps(10_000_000));
    let printed = String::from_utf8_lossy(machine.output().captured()).into_owned();
    match outcome {
        Outcome::Exited(0) => printed,
        Outcome::CheckFailed { .. } => printed + "error\n",
        other => printed + &other.describe(&program),
    }
}

fn compare(arch: Arch, first: u64, count: u64) -> (u64, Vec<u64>) {
    let dir = TempDir::new("stacks");
    let mut driver = stacks_runtime() + DRIVER;
    let mut files = Vec::new();
    for seed in first..first + count {
        let text = generate::program(seed, STYLE);
        // Programs of one binary share nothing but the functions of the driver.
        let own = text.replace("int main(", &format!("int main{seed}("));
        files.push(dir.write(&format!("p{seed}.c"), own));
        driver += &format!("extern int main{seed}(void);\n");
        dir.write(&format!("m{seed}.i"), text);
    }
    driver += "int main(int argc, char **argv) { switch (atoi(argv[1])) {\n";
    (first..first + count).for_each(|seed| driver += &format!("case {seed}: return main{seed}();\n"));
    driver += "} return 7; }\n";
    files.push(dir.write("driver.c", driver));
    let binary = dir.path().join("all");
    let mut gcc = oracle::gcc(arch);
    gcc.args(["-O0", "-fwrapv", "-o"]).arg(&binary).args(&files);
    let built = run(&mut gcc, Duration::from_secs(600));
    assert!(built.success(), "{}", built.describe());
    let (mut same, mut different) = (0, Vec::new());
    for seed in first..first + count {
        let theirs = run(Command::new(&binary).arg(seed.to_string()), Duration::from_secs(60));
        let target = if arch == Arch::Ilp32 { Target::ILP32 } else { Target::LP64 };
        let file = dir.path().join(format!("m{seed}.i"));
        let ours = on_machine(&file, target, seed.is_multiple_of(2));
        if ours == theirs.stdout {
            same += 1;
        } else {
            let kept = keep(&format!("stacks-{seed}.i"), generate::program(seed, STYLE));
            say(format!("{} {}:\n{ours}\ngcc:\n{}", arch.name(), kept.display(), theirs.describe()));
            different.push(seed);
        }
    }
    (same, different)
}

#[test]
fn programs_with_stacks_do_what_gcc_makes_of_them() {
    let (first, count) = (env_number("PLUMB_STACKS_SEED", 1), env_number("PLUMB_STACKS_COUNT", 40));
    for arch in testable_archs() {
        let (mut same, mut different) = (0, Vec::new());
        for from in (first..first + count).step_by(BATCH as usize) {
            let found = compare(arch, from, BATCH.min(first + count - from));
            same += found.0;
            different.extend(found.1);
        }
        say(format!("--arch {}: {same} programs with stacks do the same", arch.name()));
        assert!(different.is_empty(), "--arch {}: seeds {different:?}", arch.name());
    }
}
