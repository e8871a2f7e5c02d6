//! Oracle: the two meanings of an edge against each other.
//!
//! A program is run by the concrete machine, its inputs being noted; then symbolically along the same path, with symbols for
//! inputs. Under the assignment that gives each symbol its input, the path condition holds, faults and broken checks are
//! those of the concrete run, and every global and every byte of a static object has the concrete machine's value.
//! Ways that the concrete run does not take are followed as well, and joined where they meet: that changes nothing.
//!
//! Longer runs: `PLUMB_SYM_COUNT` (programs, default 60), `PLUMB_SYM_SEED` (the first seed), `PLUMB_CSMITH_COUNT`,
//! `PLUMB_CSMITH_SEED`, `PLUMB_SYM_TELL` (tell what is beyond the symbolic side), `PLUMB_SYM_KEEP` (a folder to
//! keep the random programs in). A failing program is kept and its path printed.

mod build;
mod compare;
mod follow;
mod generate;

use build::Way;
use compare::{Plan, Tally, Verdict, compare};
use plumb_c::target::Target;
use plumb_exec::SeedInputs;
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

/// The directory of csmith's run-time headers; `None` without csmith.
fn csmith_include() -> Option<PathBuf> {
    let named = std::env::var_os("CSMITH_INCLUDE").map(PathBuf::from);
    let installed = ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith-2.3.0"];
    named.into_iter().chain(installed.map(PathBuf::from)).find(|d| d.join("csmith.h").is_file())
}

#[test]
fn csmith_programs_agree() {
    let Some(include) = csmith_include() else {
        eprintln!("skipped: csmith is not installed");
        return;
    };
    with_deep_stack(move || {
        let folder = folder("csmith");
        let first = number("PLUMB_CSMITH_SEED", 1);
        let mut counts = Counts::default();
        for seed in first..first + number("PLUMB_CSMITH_COUNT", 6) {
            let file = folder.join("program.c");
            let mut csmith = Command::new("csmith");
            csmith.current_dir(&folder).args(["--seed", &seed.to_string(), "--no-argc", "--max-funcs", "4", "-o"]);
            csmith.arg(&file).args(["--max-block-depth", "3", "--quiet"]);
            if !csmith.output().is_ok_and(|output| output.status.success()) {
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
