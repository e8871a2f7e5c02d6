//! Solves SyGuS files and prints a line for each: outcome, seconds, size of the answer, effort.
//!
//! `cargo bench -p plumb-synth --bench sygus -- --seconds 10 --threads 2 FILE...`; without files there is nothing to measure.

use plumb_synth::{Budget, Ranked, sygus, synthesise, synthesise_against};
use std::time::{Duration, Instant};

fn main() {
    let mut seconds = 10.0;
    let mut threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut is_verbose = false;
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<f64>().ok()).expect("a number");
        match argument.as_str() {
            "--seconds" => seconds = number(),
            "--threads" => threads = number() as usize,
            "--verbose" => is_verbose = true,
            // Cargo's own.
            "--bench" => {}
            _ => files.push(argument),
        }
    }
    let (mut solved, mut total) = (0, 0.0);
    for file in &files {
        let begin = Instant::now();
        let budget = Budget {
            deadline: begin.checked_add(Duration::from_secs_f64(seconds)),
            memory: 4 << 30,
            threads,
            ..Budget::default()
        };
        let line = solve(file, &budget, is_verbose);
        let elapsed = begin.elapsed().as_secs_f64();
        total += elapsed;
        solved += line.starts_with("solved") as usize;
        println!("{line} seconds {elapsed:.2} {file}");
    }
    println!("solved {solved} of {} in {total:.1} seconds", files.len());
}

fn solve(file: &str, budget: &Budget, is_verbose: bool) -> String {
    let Ok(text) = std::fs::read_to_string(file) else { return "unreadable".to_string() };
    let script = match sygus::parse(&text) {
        Ok(script) => script,
        Err(error) => return format!("refused {:?} {}", error.place(&text), error.message),
    };
    let mut lines = Vec::new();
    for task in &script.tasks {
        let (ranked, is_solved): (Ranked, bool) = match &task.reference {
            Some((reference, _)) => {
                let refined = synthesise_against(&task.problem, reference, budget);
                (refined.ranked, refined.is_proved)
            }
            None => {
                let ranked = synthesise(&task.problem, budget);
                let is_solved = ranked.complete().is_some();
                (ranked, is_solved)
            }
        };
        if is_verbose && let Some(answer) = ranked.best() {
            println!("{}", sygus::define_fun(&task.problem, &answer.expr));
        }
        let (size, satisfied) = ranked.best().map_or((0, 0), |answer| (answer.size, answer.satisfied));
        let effort = ranked.effort;
        lines.push(format!(
            "{} size {size} satisfied {satisfied}/{} rounds {} sample {} depth {} candidates {} {:?}",
            if is_solved { "solved" } else { "open" },
            ranked.examples,
            effort.rounds,
            effort.sample,
            effort.size,
            effort.candidates,
            ranked.ended,
        ));
    }
    lines.join("; ")
}
