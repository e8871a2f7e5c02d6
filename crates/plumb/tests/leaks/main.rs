//! Oracle: memory that is lost at the end. Random programs move pointers to list nodes between variables, members, parameters and
//! other nodes, and return or exit inside of calls. A direct reading of them ([`reading`]) runs every path and says whether
//! all nodes are held at its end:
//!
//! * TRUE: on every path all that is allocated is held by globals, or by parameters and variables of outermost blocks;
//! * FALSE: on some path it is not.
//!
//! Longer runs: `PLUMB_LEAK_COUNT` (programs, default 24), `PLUMB_LEAK_SEED`.

#[path = "../oracle/mod.rs"]
mod oracle;

mod generate;
mod reading;

use oracle::{Random, TempDir, env_number, keep, parallel, plumb, run, say};
use reading::Held;
use std::time::Duration;

const ENGINES: [&str; 4] = ["bmc", "symex", "simulate", "auto"];

#[derive(Default)]
struct Answers {
    holds: usize,
    violated: usize,
    unknown: usize,
}

#[test]
fn what_is_lost_is_what_nothing_leads_to() {
    let count = env_number("PLUMB_LEAK_COUNT", 24) as usize;
    let first = env_number("PLUMB_LEAK_SEED", 1);
    let results = parallel(count, |index| {
        let seed = first + index as u64;
        let (text, truth) = program(seed);
        let mut answers = Answers::default();
        for engine in ENGINES {
            judge(&text, truth, engine, &mut answers).map_err(|complaint| {
                let kept = keep(&format!("leak-{seed}.c"), &text);
                format!("seed {seed}, --engine {engine}: {complaint}; {}", kept.display())
            })?;
        }
        Ok(answers)
    });
    let mut all = Answers::default();
    let mut complaints: Vec<String> = Vec::new();
    for result in results {
        match result {
            Ok(answers) => {
                all.holds += answers.holds;
                all.violated += answers.violated;
                all.unknown += answers.unknown;
            }
            Err(complaint) => complaints.push(complaint),
        }
    }
    say(format!(
        "leaks: {count} programs from seed {first}, {} engines: {} proofs, {} violations, {} not known",
        ENGINES.len(),
        all.holds,
        all.violated,
        all.unknown
    ));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(10 * all.holds > count && 2 * all.violated > count, "the programs say nothing");
}

/// The first program of a seed of which no run has undefined behaviour.
fn program(seed: u64) -> (String, Held) {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    loop {
        let program = generate::program(&mut random);
        if let Some(truth) = reading::worst_end(&program) {
            return (generate::text(&program), truth);
        }
    }
}

fn judge(text: &str, truth: Held, engine: &str, answers: &mut Answers) -> Result<(), String> {
    let dir = TempDir::new("leaks");
    dir.write("program.c", text);
    let check = ["check", "program.c", "--checks", "leak", "--engine", engine, "--certificate", "proof"];
    // Paths end soon; simulation goes on where nothing is lost.
    let seconds = if engine == "simulate" { "1" } else { "10" };
    let done = run(plumb().current_dir(dir.path()).args(check).args(["--timeout", seconds]), Duration::from_secs(60));
    let last = done.stdout.lines().last().unwrap_or_default();
    match last {
        "TRUE" if truth != Held::ByVariables => Err(format!("TRUE, but the worst end is {truth:?}")),
        "TRUE" => {
            answers.holds += 1;
            let validate = ["validate", "program.c", "--checks", "leak", "--certificate", "proof", "--timeout", "60"];
            let done = run(plumb().current_dir(dir.path()).args(validate), Duration::from_secs(120));
            match done.status.and_then(|status| status.code()) {
                Some(0) => Ok(()),
                _ => Err(format!("the certificate is not confirmed: {}", done.describe())),
            }
        }
        "FALSE(valid-memtrack)" if truth == Held::ByVariables => {
            Err("FALSE, but all is held on every path".to_string())
        }
        "FALSE(valid-memtrack)" => {
            answers.violated += 1;
            Ok(())
        }
        "UNKNOWN" if done.stdout.contains("defect of Plumb") => Err(done.describe()),
        "UNKNOWN" => {
            answers.unknown += 1;
            Ok(())
        }
        _ => Err(format!("no verdict: {}", done.describe())),
    }
}
