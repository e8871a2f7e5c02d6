//! Limits hold: the time that a check may take, and what the machine has to give.
#![cfg(unix)]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A file that is gone when the test is over.
struct Source(PathBuf);

impl Source {
    fn new(name: &str, text: &str) -> Source {
        let path = std::env::temp_dir().join(format!("plumb-limits-{}-{name}.c", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Source(path)
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Runs a check in a shell, behind a command that sets limits.
fn check(limit: &str, source: &Source, flags: &str) -> (Output, Duration) {
    let command = format!("{limit} exec {} check {flags} {}", env!("CARGO_BIN_EXE_plumb"), source.0.display());
    let start = Instant::now();
    let output = Command::new("sh").args(["-c", &command]).stdin(Stdio::null()).output().unwrap();
    (output, start.elapsed())
}

const HARD: &str = "
    extern unsigned __VERIFIER_nondet_uint(void);
    extern void reach_error(void);
    int main(void)
    {
        unsigned long long n = __VERIFIER_nondet_uint(), key = __VERIFIER_nondet_uint(), sum = 0;
        for (; n > 0; n--) {
            sum += n * key;
            key ^= sum;
            if (sum == 0x0fedcba987654321ull) reach_error();
        }
        return 0;
    }";

#[test]
fn threads_that_the_system_does_not_give_are_done_without() {
    let source = Source::new("threads", HARD);
    for kibibytes in [4_000_000, 2_500_000] {
        let (output, _) = check(&format!("ulimit -v {kibibytes};"), &source, "--threads 5000 --timeout 3");
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{stdout}\n{stderr}");
        assert_eq!(stdout.lines().last(), Some("UNKNOWN"), "{stdout}\n{stderr}");
        assert!(stderr.contains("there is not enough memory for 5000 threads"), "{stderr}");
        assert!(!stderr.contains("internal error"), "{stderr}");
    }
}

#[test]
fn a_violation_with_very_many_inputs_is_reported_in_time() {
    let source = Source::new(
        "long",
        "extern int __VERIFIER_nondet_int(void);
        extern void reach_error(void);
        int table[64], sum;
        int main(void)
        {
            int k = 0;
            while (1) {
                int x = __VERIFIER_nondet_int();
                table[k % 64] ^= x;
                sum += x;
                if (x & 1) k++;
                if (k == 300000) reach_error();
            }
        }",
    );
    let timeout = 10;
    let (output, elapsed) = check("", &source, &format!("--timeout {timeout}"));
    let stdout = String::from_utf8_lossy(&output.stdout);
    // A slow computer may not find it.
    let last = stdout.lines().last();
    assert!(matches!(last, Some("FALSE(unreach-call)" | "UNKNOWN")), "{stdout}");
    assert!(elapsed < Duration::from_secs(timeout + 2), "{elapsed:?}");
}

#[test]
fn reading_a_large_program_is_no_way_around_the_timeout() {
    let mut text = String::from("extern void reach_error(void);\n");
    for i in 0..20_000 {
        text += &format!("int v{i}[4]; int f{i}(int x) {{ return x ? v{i}[x & 3] + f{}(x - 1) : {i}; }}\n", i / 2);
    }
    text += "int main(void) { if (f19999(3) == 7) reach_error(); return 0; }\n";
    let source = Source::new("large", &text.replace("f0(x - 1)", "x"));
    let (output, elapsed) = check("", &source, "--timeout 1");
    assert!(matches!(output.status.code(), Some(0..=2)), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(elapsed < Duration::from_secs(3), "{elapsed:?}");
}

#[test]
fn a_limit_of_processor_time_ends_in_a_verdict() {
    let source = Source::new("processor", HARD);
    // With one engine nobody but the watchdog looks at it.
    for flags in ["--engine bmc", "--engine simulate", "--engine auto"] {
        let (output, _) = check("ulimit -t 3;", &source, flags);
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{flags}: {stdout}");
        assert_eq!(stdout.lines().last(), Some("UNKNOWN"), "{flags}: {stdout}");
    }
}
