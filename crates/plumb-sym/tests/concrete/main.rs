//! Oracle: the two meanings of an edge against each other.
//!
//! A program is run by the concrete machine, its inputs being noted; then symbolically along the same path, with symbols for
//! inputs. Under the assignment that gives each symbol its input, the path condition holds, faults and broken checks are
//! those of the concrete run, and every global and every byte of a static object has the concrete machine's value.
//! Ways that the concrete run does not take are followed as well, and joined where they meet: that changes nothing.
//!
//! The other way round, random paths are taken symbolically, and the inputs of a model lead the concrete machine along them.
//!
//! Longer runs: `PLUMB_SYM_COUNT` (programs, default 60), `PLUMB_SYM_SEED` (the first seed), `PLUMB_CSMITH_COUNT`,
//! `PLUMB_CSMITH_SEED`, `PLUMB_SYM_TELL` (tell what is beyond the symbolic side), `PLUMB_SYM_KEEP` (a folder to
//! keep the random programs in). A failing program is kept and its path printed.

mod anywhere;
mod build;
mod canonical;
mod compare;
mod follow;
mod generate;
mod lead;
mod position;
mod stacks;

use build::Way;
use compare::{Plan, Tally, Verdict, compare};
use lead::{Led, lead};
use plumb_c::target::Target;
use plumb_exec::SeedInputs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A place for the programs of one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("plumb-sym-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("temporary files can be made");
    folder
}

/// Runs a test on a thread with a deep stack: paths through loops are followed by recursion.
fn with_deep_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work).expect("a thread can be started");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[derive(Default)]
struct Counts {
    same: u64,
    skipped: u64,
    beyond: u64,
    different: u64,
    tally: Tally,
    slowest: (std::time::Duration, u64),
}

impl Counts {
    /// Compares one program, in one way.
    fn check(&mut self, file: &Path, include: Option<PathBuf>, way: &Way, plan: &Plan) {
        let started = std::time::Instant::now();
        let built = build::program(file.to_path_buf(), way, include);
        let verdict = match built {
            Ok(program) => {
                let tally = &mut self.tally;
                let run = std::panic::AssertUnwindSafe(|| compare(&program, SeedInputs::new(plan.seed), plan, tally));
                std::panic::catch_unwind(run).unwrap_or_else(|_| Verdict::Different("panic".to_string()))
            }
            Err(text) => Verdict::Different(text),
        };
        self.slowest = self.slowest.max((started.elapsed(), plan.seed));
        match verdict {
            Verdict::Same => self.same += 1,
            Verdict::Skipped => self.skipped += 1,
            Verdict::Beyond(place) => {
                self.beyond += 1;
                if std::env::var_os("PLUMB_SYM_TELL").is_some() {
                    let line: Option<usize> = place.rsplit(':').nth(1).and_then(|line| line.parse().ok());
                    let text = std::fs::read_to_string(file).unwrap_or_default();
                    let line = line.and_then(|line| text.lines().nth(line.max(1) - 1)).unwrap_or("");
                    eprintln!("seed {} is beyond: {place} {line}", plan.seed);
                }
            }
            Verdict::Different(text) => {
                self.different += 1;
                let kept = std::env::temp_dir().join(format!("plumb-sym-{}.c", plan.seed));
                let _ = std::fs::copy(file, &kept);
                eprintln!(
                    "seed {} {} checks: {} promotion: {} detours: {} unknown: {} kept as {}\n{text}\n",
                    plan.seed,
                    way.target.name,
                    way.checks,
                    way.promotion,
                    plan.detours,
                    plan.unknown_start,
                    kept.display()
                );
            }
        }
    }

    fn tell(&self, what: &str) {
        eprintln!(
            "{what}: {} agree, {} differ, {} are beyond the symbolic side, {} skipped; {:?}, slowest seed {:?}",
            self.same, self.different, self.beyond, self.skipped, self.tally, self.slowest
        );
    }
}

fn way(seed: u64) -> Way {
    let target = if seed % 3 == 2 { Target::ILP32 } else { Target::LP64 };
    Way { target, checks: seed % 4 == 1, promotion: seed % 5 != 4 }
}

#[test]
fn random_programs_agree() {
    with_deep_stack(|| {
        let folder = folder("random");
        let first = number("PLUMB_SYM_SEED", 1);
        let mut counts = Counts::default();
        for seed in first..first + number("PLUMB_SYM_COUNT", 60) {
            let file = folder.join("program.i");
            std::fs::write(&file, generate::program(seed)).expect("temporary files can be written");
            let plan = Plan {
                seed,
                detours: [0, 30, 70, 100][seed as usize / 2 % 4],
                unknown_start: seed % 2 == 1,
                steps: 20_000,
            };
            counts.check(&file, None, &way(seed), &plan);
            if let Some(folder) = std::env::var_os("PLUMB_SYM_KEEP") {
                let _ = std::fs::copy(&file, PathBuf::from(folder).join(format!("{seed}.i")));
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
        counts.tell("random programs");
        assert_eq!(counts.different, 0, "programs for which the two semantics differ");
        assert!(counts.same > counts.beyond + counts.skipped, "most programs can be followed");
    });
}

const STACKS: stacks::Style =
    stacks::Style { input: "return __VERIFIER_nondet_int();", faults: false, prints: false, length: 6 };

/// Random programs with several stacks that can be built, with their seeds.
fn for_programs_with_stacks(name: &'static str, mut work: impl FnMut(&Path, u64)) {
    let folder = folder(name);
    let first = number("PLUMB_SYM_SEED", 1);
    for seed in first..first + number("PLUMB_SYM_COUNT", 60) {
        let file = folder.join("program.i");
        let style = stacks::Style { faults: seed.is_multiple_of(3), ..STACKS };
        std::fs::write(&file, stacks::program(seed, style)).expect("temporary files can be written");
        work(&file, seed);
        if let Some(folder) = std::env::var_os("PLUMB_SYM_KEEP") {
            let _ = std::fs::copy(&file, PathBuf::from(folder).join(format!("stacks-{seed}.i")));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn programs_with_stacks_agree() {
    with_deep_stack(|| {
        let mut counts = Counts::default();
        for_programs_with_stacks("stacks", |file, seed| {
            let detours = [0, 30, 70, 100][seed as usize / 2 % 4];
            let plan = Plan { seed, detours, unknown_start: seed % 2 == 1, steps: 20_000 };
            counts.check(file, None, &way(seed), &plan);
        });
        counts.tell("programs with stacks");
        assert_eq!(counts.different, 0, "programs for which the two semantics differ");
        assert!(counts.same > counts.beyond + counts.skipped, "most programs can be followed");
        assert!(counts.tally.joined_stacks > 0 && counts.tally.faults > 0, "stacks are joined, and some are misused");
    });
}

#[test]
fn symbolic_paths_over_stacks_lead_the_machine() {
    with_deep_stack(|| {
        let mut paths = Paths::default();
        for_programs_with_stacks("stacks-lead", |file, seed| {
            let Ok(program) = build::program(file.to_path_buf(), &way(seed), None) else { return };
            for path in 0..3 {
                paths.take(&format!("stacks {seed}"), &program, seed * 8 + path, 4_000);
            }
        });
        eprintln!("{paths:?}");
        assert_eq!(paths.astray, 0, "models that do not lead along their paths");
        assert!(paths.along > 0);
    });
}

#[test]
fn names_of_states_with_stacks_do_not_count() {
    with_deep_stack(|| {
        let mut tally = canonical::Tally::default();
        let mut wrong = 0;
        for_programs_with_stacks("stacks-names", |file, seed| {
            let Ok(program) = build::program(file.to_path_buf(), &way(seed), None) else { return };
            let analyses = plumb_ir::analysis::Analyses::new(&program);
            if let Err(text) = canonical::check(&analyses, seed, 600, &mut tally) {
                wrong += 1;
                eprintln!("seed {seed}: {text}");
            }
        });
        eprintln!("{tally:?}");
        assert_eq!(wrong, 0, "programs with states that depend on names");
        assert!(tally.copies > 10, "states are copied");
    });
}

/// The directory of csmith's run-time headers; `None` without csmith.
fn csmith_include() -> Option<PathBuf> {
    let named = std::env::var_os("CSMITH_INCLUDE").map(PathBuf::from);
    let installed = ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith-2.3.0"];
    named.into_iter().chain(installed.map(PathBuf::from)).find(|d| d.join("csmith.h").is_file())
}

/// Whether csmith has written a program.
fn write_with_csmith(folder: &Path, file: &Path, seed: u64) -> bool {
    let mut csmith = Command::new("csmith");
    csmith.current_dir(folder).args(["--seed", &seed.to_string(), "--no-argc", "--max-funcs", "4", "-o"]);
    csmith.arg(file).args(["--max-block-depth", "3", "--quiet"]);
    csmith.output().is_ok_and(|output| output.status.success())
}

#[test]
fn csmith_programs_agree() {
    let Some(include) = csmith_include() else {
        // Past the harness, which keeps what a test that passes prints to itself.
        let _ = writeln!(std::io::stderr(), "skipped: csmith is not installed");
        return;
    };
    with_deep_stack(move || {
        let folder = folder("csmith");
        let first = number("PLUMB_CSMITH_SEED", 1);
        let mut counts = Counts::default();
        for seed in first..first + number("PLUMB_CSMITH_COUNT", 6) {
            let file = folder.join("program.c");
            if !write_with_csmith(&folder, &file, seed) {
                continue;
            }
            let plan = Plan {
                seed,
                detours: [0, 20, 50, 0][seed as usize / 2 % 4],
                unknown_start: seed % 4 != 3,
                steps: 60_000,
            };
            counts.check(&file, Some(include.clone()), &way(seed), &plan);
        }
        let _ = std::fs::remove_dir_all(&folder);
        counts.tell("csmith's programs");
        assert_eq!(counts.different, 0, "programs for which the two semantics differ");
    });
}

/// Numbers below a bound.
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below
    }
}

/// How random paths went.
#[derive(Default, Debug)]
struct Paths {
    along: u64,
    decisions: usize,
    nowhere: u64,
    beyond: u64,
    astray: u64,
}

impl Paths {
    fn take(&mut self, name: &str, program: &plumb_ir::program::Program, seed: u64, steps: usize) {
        match lead(program, random(seed), steps) {
            Led::Along(decisions) => {
                self.along += 1;
                self.decisions += decisions;
            }
            Led::Nowhere => self.nowhere += 1,
            Led::Beyond => self.beyond += 1,
            Led::Astray(text) => {
                self.astray += 1;
                eprintln!("{name}, path {seed}: {text}");
            }
        }
    }
}

/// Random programs that can be built, with their seeds.
fn for_random_programs(name: &'static str, mut work: impl FnMut(&plumb_ir::program::Program, u64)) {
    let folder = folder(name);
    let first = number("PLUMB_SYM_SEED", 1);
    for seed in first..first + number("PLUMB_SYM_COUNT", 60) {
        let file = folder.join("program.i");
        std::fs::write(&file, generate::program(seed)).expect("temporary files can be written");
        if let Ok(program) = build::program(file, &way(seed), None) {
            work(&program, seed);
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn concrete_states_satisfy_the_state_from_anywhere() {
    with_deep_stack(|| {
        let mut tally = anywhere::Tally::default();
        let mut wrong = 0;
        for_random_programs("anywhere", |program, seed| {
            if let Err(text) = anywhere::check(program, seed, 20_000, &mut tally) {
                wrong += 1;
                eprintln!("seed {seed}: {text}");
            }
        });
        let folder = folder("corners");
        let file = folder.join("program.i");
        std::fs::write(&file, anywhere::CORNERS).expect("temporary files can be written");
        for seed in 0..30 {
            let program = build::program(file.clone(), &way(seed), None).expect("the program can be built");
            anywhere::check(&program, seed, 20_000, &mut tally).unwrap_or_else(|text| panic!("corners {seed}: {text}"));
        }
        let _ = std::fs::remove_dir_all(&folder);
        eprintln!("{tally:?}");
        assert_eq!(wrong, 0, "programs with states that the state from anywhere leaves out");
        assert!(
            tally.stops > 60 && tally.in_calls > 10 && tally.named > 100,
            "runs are stopped in calls, with pointers"
        );
    });
}

/// The state from anywhere is of use: a pointer that only ever got addresses is dereferenced without a gap or a fault, one that may
/// be null with a fault, and one to any of several objects of a site is a gap as well.
#[test]
fn pointers_from_anywhere_are_those_of_the_program() {
    let text = "extern void *malloc(unsigned long); extern int __VERIFIER_nondet_int(void); int a[4], b, *p = a, *q, *r;\n\
                void always(void) { *p = 1; } void sometimes(void) { *q = 1; } void one_of(void) { *r = 1; }\n\
                int main(void) { for (int i = 0; i < 3; i++) { p = __VERIFIER_nondet_int() ? &a[i] : &b; q = p;\n\
                always(); sometimes(); r = malloc(4); one_of(); } return 0; }";
    let folder = folder("pointers");
    let file = folder.join("program.i");
    std::fs::write(&file, text).expect("temporary files can be written");
    let program = build::program(file, &way(0), None).expect("the program can be built");
    let _ = std::fs::remove_dir_all(&folder);
    let analyses = plumb_ir::analysis::Analyses::new(&program);
    for (name, faults, gaps) in [("always", 0, 0), ("sometimes", 1, 0), ("one_of", 1, 1)] {
        let is_it = |func: &plumb_ir::program::FuncId| &*program.function(*func).name == name;
        let func = program.function_ids().find(is_it).expect("the program has the function");
        let mut sym = plumb_sym::Sym::new(&program);
        let mut state = sym.anywhere(&analyses, func, program.function(func).entry, plumb_sym::Callers::Any);
        let log = sym.step(&mut state).log;
        // Where the offset into `a` is not known, leaving it is a fault too.
        let faults_found = log.faults.iter().filter(|fault| fault.kind != plumb_sym::FaultKind::OutOfBounds).count();
        assert_eq!((faults_found, log.gaps.len()), (faults, gaps), "{name}: {log:?}");
    }
}

#[test]
fn names_do_not_count() {
    with_deep_stack(|| {
        let mut tally = canonical::Tally::default();
        let mut wrong = 0;
        for_random_programs("canonical", |program, seed| {
            let analyses = plumb_ir::analysis::Analyses::new(program);
            if let Err(text) = canonical::check(&analyses, seed, 600, &mut tally) {
                wrong += 1;
                eprintln!("seed {seed}: {text}");
            }
        });
        let folder = folder("repeated");
        let file = folder.join("program.i");
        std::fs::write(&file, canonical::REPEATED).expect("temporary files can be written");
        for seed in 0..40 {
            let program = build::program(file.clone(), &way(seed), None).expect("the program can be built");
            let analyses = plumb_ir::analysis::Analyses::new(&program);
            canonical::check(&analyses, seed, 2_000, &mut tally).unwrap_or_else(|text| panic!("seed {seed}: {text}"));
        }
        let _ = std::fs::remove_dir_all(&folder);
        eprintln!("{tally:?}");
        assert_eq!(wrong, 0, "programs with states that depend on names");
        assert!(tally.copies > 100 && tally.compared > 100, "states are copied, and something happens to them");
        assert!(tally.equal > 20 && tally.followed > 200, "blocks are entered in equal states");
        assert!(tally.reordered * 30 < tally.forms, "states that differ in names alone mostly have one form");
    });
}

#[test]
fn positions_are_those_of_the_path() {
    with_deep_stack(|| {
        let folder = folder("position");
        let first = number("PLUMB_SYM_SEED", 1);
        let (mut steps, mut iterations) = (0, 0);
        for seed in first..first + number("PLUMB_SYM_COUNT", 60) {
            let file = folder.join("program.i");
            std::fs::write(&file, generate::program(seed)).expect("temporary files can be written");
            let Ok(program) = build::program(file, &way(seed), None) else { continue };
            let analyses = plumb_ir::analysis::Analyses::new(&program);
            for path in 0..3 {
                let found = position::follow(&analyses, random(seed * 3 + path), 600);
                steps += found.0;
                iterations += found.1;
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
        eprintln!("positions: {steps} steps, {iterations} iterations of loops");
        assert!(iterations > 100, "paths go through loops");
    });
}

#[test]
fn positions_on_several_stacks_are_those_of_the_path() {
    with_deep_stack(|| {
        let (mut steps, mut iterations) = (0, 0);
        for_programs_with_stacks("stacks-position", |file, seed| {
            let Ok(program) = build::program(file.to_path_buf(), &way(seed), None) else { return };
            let analyses = plumb_ir::analysis::Analyses::new(&program);
            for path in 0..3 {
                let found = position::follow(&analyses, random(seed * 3 + path), 1_500);
                steps += found.0;
                iterations += found.1;
            }
        });
        eprintln!("positions: {steps} steps, {iterations} iterations of loops");
        assert!(iterations > 100, "paths go through loops");
    });
}

/// The programs in a folder and the folders in it.
fn programs_in(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            programs_in(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

#[test]
fn models_lead_along_their_paths() {
    with_deep_stack(|| {
        let rounds = number("PLUMB_SYM_PATHS", 2);
        let mut paths = Paths::default();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files = Vec::new();
        programs_in(&root.join("examples"), &mut files);
        programs_in(&root.join("tests/cases/check"), &mut files);
        for (i, file) in files.iter().enumerate() {
            // Some are programs only together with others, or meant to be refused.
            let way = Way { target: Target::LP64, checks: i % 3 == 0, promotion: i % 4 != 0 };
            let Ok(program) = build::program(file.clone(), &way, None) else { continue };
            for round in 0..rounds {
                paths.take(&file.display().to_string(), &program, round + 1, [40, 400, 2_000][round as usize % 3]);
            }
        }
        let folder = folder("paths");
        for seed in 1..=number("PLUMB_SYM_COUNT", 60) {
            let file = folder.join("program.i");
            std::fs::write(&file, generate::program(seed)).expect("temporary files can be written");
            let Ok(program) = build::program(file, &way(seed), None) else { continue };
            for round in 0..rounds {
                paths.take(&format!("seed {seed}"), &program, round + 1, [300, 60, 1_000][round as usize % 3]);
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
        eprintln!("{paths:?}");
        assert_eq!(paths.astray, 0, "models that lead elsewhere");
        assert!(paths.along > 20, "some models lead along their paths");
    });
}

/// csmith's programs with symbols for their integer globals: these are read at the beginning of `main`.
#[test]
fn models_lead_along_the_paths_of_csmith() {
    let Some(include) = csmith_include() else {
        // Past the harness, which keeps what a test that passes prints to itself.
        let _ = writeln!(std::io::stderr(), "skipped: csmith is not installed");
        return;
    };
    with_deep_stack(move || {
        let folder = folder("csmith-paths");
        let first = number("PLUMB_CSMITH_SEED", 1);
        let mut paths = Paths::default();
        for seed in first..first + number("PLUMB_CSMITH_COUNT", 6) {
            let file = folder.join("program.c");
            if !write_with_csmith(&folder, &file, seed) {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("csmith has written a program");
            std::fs::write(&file, with_inputs(&text)).expect("temporary files can be written");
            let Ok(program) = build::program(file, &way(seed), Some(include.clone())) else { continue };
            for round in 0..number("PLUMB_SYM_PATHS", 2) {
                paths.take(&format!("seed {seed}"), &program, round + 1, 60_000);
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
        eprintln!("csmith: {paths:?}");
        assert_eq!(paths.astray, 0, "models that lead elsewhere");
    });
}

/// Lets a program of csmith begin with any values in its scalar globals.
fn with_inputs(text: &str) -> String {
    let mut reads = String::new();
    for line in text.lines().filter(|line| line.starts_with("static ")) {
        let Some((left, _)) = line.split_once(" = ") else { continue };
        let mut words = left.split_whitespace().rev();
        let (Some(name), Some(ty)) = (words.next(), words.next()) else { continue };
        let is_integer = ["int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"];
        if is_integer.contains(&ty) && !left.contains("const") && !name.contains(['[', '*']) {
            reads += &format!("    {name} = ({ty})__VERIFIER_nondet_longlong();\n");
        }
    }
    let declared = text.replacen("static ", "long long __VERIFIER_nondet_longlong(void);\nstatic ", 1);
    match declared.rsplit_once("int main (void)\n{\n") {
        Some((before, after)) => format!("{before}int main (void)\n{{\n{reads}{after}"),
        None => declared,
    }
}
