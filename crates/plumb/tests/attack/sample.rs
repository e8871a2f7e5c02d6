//! From a template to a program whose truth is known: the driver says what its checks see, and conditions are chosen
//! that all of it fulfils or some of it breaks.

use crate::oracle::{self, Arch, Random, TempDir, keep, run};
use crate::template::{Condition, Seen, Template};
use std::ffi::OsStr;
use std::process::Command;
use std::time::Duration;

/// How the driver goes through a program's runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Once,
    States,
    Fork,
}

/// What a generator makes.
pub struct Sample {
    pub template: Template,
    pub checks: usize,
    pub mode: Mode,
    /// The checks that Plumb is asked for beside assertions. The compiler watches for the same.
    pub flags: &'static [&'static str],
}

/// A program and the truth about it.
pub struct Program {
    pub text: String,
    pub is_broken: bool,
    pub arch: Arch,
    pub flags: &'static [&'static str],
}

/// The driver, compiled for each machine and mode.
pub struct Driver {
    dir: TempDir,
    sanitizers: &'static [&'static str],
}

const ADDRESS: &[&str] = &["-fsanitize=address,bounds,null", "-fno-sanitize-recover=all"];
const OVERFLOW: &[&str] = &[
    "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift",
    "-fsanitize-undefined-trap-on-error",
    "-fno-sanitize-recover=all",
];

impl Driver {
    pub fn new(archs: &[Arch], mode: Mode) -> Driver {
        let dir = TempDir::new("attack-driver");
        let source = dir.write("driver.c", include_str!("driver.c"));
        let sanitizers = if mode == Mode::Fork { ADDRESS } else { &[] };
        for arch in archs {
            let mut gcc = oracle::gcc(*arch);
            gcc.args(["-O1", "-c", "-o"]).arg(dir.path().join(arch.name())).arg(&source);
            let done = run(&mut gcc, Duration::from_secs(300));
            assert!(done.success(), "the driver does not compile: {}", done.describe());
        }
        Driver { dir, sanitizers }
    }

    /// What the checks of the sample see in all its runs, and whether some run is ended by a sanitizer. `None` if there are
    /// too many runs.
    fn observe(&self, sample: &Sample, arch: Arch, dir: &TempDir) -> Option<(Vec<Seen>, bool)> {
        let text = sample.template.for_driver(sample.mode != Mode::Fork);
        let source = dir.write("driven.c", &text);
        let binary = dir.path().join("driven");
        let is_watched = !sample.flags.is_empty();
        let watch = if sample.mode == Mode::Fork {
            self.sanitizers
        } else if is_watched {
            OVERFLOW
        } else {
            &["-fwrapv"]
        };
        let mut gcc = oracle::gcc(arch);
        gcc.args(["-O0", "-fno-strict-aliasing", "-fexcess-precision=standard", "-frounding-math", "-x", "c"])
            .args(watch)
            .arg(&source);
        gcc.args(["-x", "none"]).arg(self.dir.path().join(arch.name())).arg("-o").arg(&binary).arg("-lm");
        let done = run(&mut gcc, Duration::from_secs(300));
        let kept = |text: &str| keep("attack-generator.c", text).display().to_string();
        assert!(done.success(), "gcc rejects {}: {}", kept(&text), done.describe());
        let mode = match sample.mode {
            Mode::Once => "once",
            Mode::States => "states",
            Mode::Fork => "fork",
        };
        let options =
            "exitcode=86:symbolize=0:detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1";
        let mut driven = Command::new(&binary);
        driven.arg(mode).env("ASAN_OPTIONS", options).env("UBSAN_OPTIONS", "exitcode=86");
        let done = run(&mut driven, Duration::from_secs(400));
        assert!(done.success(), "the driver fails on {}: {}", kept(&text), done.describe());
        let mut seen = vec![Seen::new(); sample.checks];
        let mut traps = 0;
        for line in done.stdout.lines() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let numbers: Vec<i64> = rest.split(' ').filter_map(|number| number.parse().ok()).collect();
            match (word, &numbers[..]) {
                ("large", _) => return None,
                ("runs" | "states", _) => {}
                ("traps", [count]) => traps = *count,
                ("value", [check, value, times]) => {
                    seen[*check as usize].insert(*value, *times as u64);
                }
                _ => panic!("the driver says `{line}` of {}", kept(&text)),
            }
        }
        assert!(traps == 0 || is_watched, "undefined behaviour in {}", kept(&text));
        Some((seen, traps > 0))
    }
}

impl Sample {
    /// Chooses conditions for the checks.
    pub fn decide(self, driver: &Driver, arch: Arch, random: &mut Random) -> Option<Program> {
        let dir = TempDir::new("attack-truth");
        let (seen, is_trapped) = driver.observe(&self, arch, &dir)?;
        let broken = !is_trapped && random.chance(50);
        let choose = |seen: &Seen| {
            let broken = broken && random.chance(80);
            Condition::choose(random, seen, broken)
        };
        let conditions: Vec<Condition> = seen.iter().map(choose).collect();
        let is_false = |(condition, seen): (&Condition, &Seen)| seen.keys().any(|value| !condition.holds(*value));
        let is_broken = is_trapped || conditions.iter().zip(&seen).any(is_false);
        Some(Program { text: self.template.for_plumb(&conditions), is_broken, arch, flags: self.flags })
    }
}

impl Program {
    /// The arguments that tell Plumb which program this is.
    pub fn arguments(&self) -> Vec<&OsStr> {
        let all = self.flags.iter().copied().chain(["--arch", self.arch.name()]);
        all.map(OsStr::new).collect()
    }
}
