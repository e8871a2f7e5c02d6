//! What the oracles share: the compiler under whose eyes we are, child processes that cannot hang a test, scratch
//! directories, repeatable randomness and the environment variables that make a run longer.
//!
//! gcc is optional for building Plumb, so every oracle asks [`gcc_for`] first and passes with a note when the
//! machine lacks it.

// Every test binary compiles this module for itself and uses its own part of it.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub mod random;

#[allow(unused_imports)]
pub use random::Random;

/// The data models that gcc on x86 can check us against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arch {
    Ilp32,
    Lp64,
}

impl Arch {
    pub const BOTH: [Arch; 2] = [Arch::Ilp32, Arch::Lp64];

    /// The value of Plumb's `--arch`.
    pub fn name(self) -> &'static str {
        match self {
            Arch::Ilp32 => "32",
            Arch::Lp64 => "64",
        }
    }

    pub fn parse(text: &str) -> Option<Arch> {
        Arch::BOTH.into_iter().find(|a| a.name() == text)
    }

    /// Flags that make gcc produce for the model. On i386 the x87 unit would evaluate `float` and `double` with
    /// excess precision, which C allows and Plumb does not imitate: SSE has the semantics of the types.
    pub fn gcc_flags(self) -> &'static [&'static str] {
        match self {
            Arch::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
            Arch::Lp64 => &["-m64"],
        }
    }
}

/// What came of a child process.
pub struct Finished {
    /// `None` if it had to be killed.
    pub status: Option<ExitStatus>,
    pub stdout: String,
    pub stderr: String,
    pub elapsed: Duration,
}

impl Finished {
    pub fn success(&self) -> bool {
        self.status.is_some_and(|s| s.success())
    }

    pub fn timed_out(&self) -> bool {
        self.status.is_none()
    }

    /// Exit status and output in one text, for reports.
    pub fn describe(&self) -> String {
        let status = self.status.map_or_else(|| "timed out".to_string(), |s| s.to_string());
        format!("{status}\n{}{}", clip(&self.stdout), clip(&self.stderr))
    }
}

fn clip(text: &str) -> String {
    const SHOWN: usize = 2000;
    let cut = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
    if cut == text.len() { text.to_string() } else { format!("{}[...]\n", &text[..cut]) }
}

/// Runs a command to its end or kills it after the time-out. Output is drained by threads, so that a chatty child does
/// not block on a full pipe.
pub fn run(command: &mut Command, timeout: Duration) -> Finished {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("cannot start {command:?}: {e}"));
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let mut pause = Duration::from_micros(200);
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child of ours can be waited for") {
            break Some(status);
        }
        if start.elapsed() > timeout {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    };
    let elapsed = start.elapsed();
    let text = |pipe: std::thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&pipe.join().expect("draining does not panic")).into_owned()
    };
    Finished { status, stdout: text(stdout), stderr: text(stderr), elapsed }
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // A killed child's pipe ends early; what came through is what there is.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// The `plumb` under test. `PLUMB_ORACLE_BIN` names another build of it, a release build say.
pub fn plumb() -> Command {
    Command::new(std::env::var_os("PLUMB_ORACLE_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_plumb").into()))
}

/// `plumb run FILE` with a step limit that only a runaway program meets.
pub fn plumb_run(file: &Path, arch: Arch) -> Command {
    let mut command = plumb();
    command.arg("run").arg(file).args(["--arch", arch.name(), "--seed", "1", "--steps", "1000000000000"]);
    command
}

/// Whether the `plumb` under test writes certificates.
pub fn knows_certificates() -> bool {
    static KNOWS: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *KNOWS.get_or_init(|| {
        run(plumb().args(["check", "--help"]), Duration::from_secs(20)).stdout.contains("--certificate")
    })
}

/// What the program itself printed in a `plumb run`: all but the last line, which is Plumb's own.
pub fn program_output(stdout: &str) -> &str {
    let body = stdout.strip_suffix('\n').unwrap_or(stdout);
    body.rfind('\n').map_or("", |at| &body[..at + 1])
}

pub fn gcc(arch: Arch) -> Command {
    let mut command = Command::new("gcc");
    command.args(arch.gcc_flags()).arg("-w");
    command
}

/// Whether gcc can build and link hosted programs for the model; says so on standard error when it cannot.
pub fn gcc_for(arch: Arch) -> bool {
    let dir = TempDir::new("probe");
    let source = dir.write("probe.c", "#include <stdio.h>\nint main(void) { puts(\"\"); return 0; }\n");
    let mut command = gcc(arch);
    command.arg("-o").arg(dir.path().join("probe")).arg(source);
    let works = exists("gcc") && run(&mut command, Duration::from_secs(60)).success();
    if !works {
        say(format!("skipped: --arch {}: no gcc that builds for it", arch.name()));
    }
    works
}

/// The models that this machine's gcc can build for.
pub fn testable_archs() -> Vec<Arch> {
    Arch::BOTH.into_iter().filter(|&a| gcc_for(a)).collect()
}

/// Whether a program of that name is in the search path.
pub fn exists(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|directory| directory.join(program).is_file()))
}

/// Compiles and links without optimisation; `Err` is gcc's complaint.
pub fn gcc_build(arch: Arch, source: &Path, binary: &Path, extra: &[&OsStr]) -> Result<(), String> {
    let mut command = gcc(arch);
    // Signed overflow wraps in Plumb; -fwrapv makes it so in gcc. Standard precision stops gcc from carrying the
    // unrounded result of an i386 integer conversion into a long double operation, -frounding-math from folding `0 - x`
    // to `-x`, which has the wrong sign where x is zero.
    command
        .args(["-O0", "-fwrapv", "-fexcess-precision=standard", "-frounding-math", "-o"])
        .arg(binary)
        .arg(source)
        .args(extra)
        .arg("-lm");
    let done = run(&mut command, Duration::from_secs(300));
    if done.success() { Ok(()) } else { Err(done.describe()) }
}

/// A directory of its own that goes when it goes out of scope.
pub struct TempDir {
    path: PathBuf,
}

impl TempDir {
    pub fn new(label: &str) -> TempDir {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let unique = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("plumb-{label}-{}-{unique}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the temporary directory is writable");
        TempDir { path }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path.join(name);
        std::fs::write(&path, text).expect("the temporary directory is writable");
        path
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Saves an input that showed a bug where `cargo clean` finds it, and returns its path.
pub fn keep(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("failures");
    std::fs::create_dir_all(&directory).expect("the target directory is writable");
    let path = directory.join(name);
    std::fs::write(&path, text).expect("the target directory is writable");
    path
}

/// A number from the environment, which makes a run longer or gives it another seed.
pub fn env_number(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text:?}")),
        Err(_) => default,
    }
}

/// Calls `work` for every number below `count` on all processors and returns the results in order.
pub fn parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(count));
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let item = next.fetch_add(1, Ordering::Relaxed);
                    if item >= count {
                        break;
                    }
                    let result = work(item);
                    results.lock().expect("workers do not panic while they hold the lock").push((item, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("all workers are done");
    results.sort_by_key(|(item, _)| *item);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A line of progress that shows even where the test harness captures output of passing tests.
pub fn say(text: impl AsRef<str>) {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "{}", text.as_ref());
}
