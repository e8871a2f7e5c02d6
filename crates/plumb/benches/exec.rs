//! Bench: the concrete machine against native code. Five kernels run as gcc -O0's binary and under `plumb run`, side by
//! side, best of three. The machine may take 12 times as long, and must print the same.
//!
//! The exit code is 1 when a kernel is slower than that or differs.

#[path = "../tests/oracle/mod.rs"]
mod oracle;

use oracle::{Arch, TempDir, program_output, run};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

const KERNELS: [&str; 5] = ["sort", "matrix", "state_machine", "string", "float_filter"];
const LIMIT: f64 = 12.0;
const REPEAT: usize = 3;

fn main() -> ExitCode {
    let arch = Arch::Lp64;
    if !oracle::gcc_for(arch) {
        return ExitCode::SUCCESS;
    }
    println!("{:16} {:>10} {:>10} {:>7}", "kernel", "gcc -O0", "plumb", "ratio");
    let mut fine = true;
    for kernel in KERNELS {
        match compare(kernel, arch) {
            Ok((native, ours)) => {
                let ratio = ours.as_secs_f64() / native.as_secs_f64();
                let note = if ratio > LIMIT { "  too slow" } else { "" };
                println!(
                    "{kernel:16} {:>8.3} s {:>8.3} s {ratio:>7.2}{note}",
                    native.as_secs_f64(),
                    ours.as_secs_f64()
                );
                fine &= ratio <= LIMIT;
            }
            Err(complaint) => {
                println!("{kernel:16} {complaint}");
                fine = false;
            }
        }
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The best times of the native and of our run.
fn compare(kernel: &str, arch: Arch) -> Result<(Duration, Duration), String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/kernels").join(format!("{kernel}.c"));
    let dir = TempDir::new("kernel");
    let binary = dir.path().join(kernel);
    oracle::gcc_build(arch, &source, &binary, &[])?;
    let (mut native, mut ours) = (Duration::MAX, Duration::MAX);
    for _ in 0..REPEAT {
        let expected = run(&mut Command::new(&binary), Duration::from_secs(60));
        let actual = run(&mut oracle::plumb_run(&source, arch), Duration::from_secs(600));
        if program_output(&actual.stdout) != expected.stdout {
            return Err(format!("differs: gcc {}, plumb {}", expected.stdout, actual.describe()));
        }
        native = native.min(expected.elapsed);
        ours = ours.min(actual.elapsed);
    }
    Ok((native, ours))
}
