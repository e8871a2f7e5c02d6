//! Bench: ten million terms. A made-up state machine is unrolled: conditions on a state, choices, sums, products and
//! reads and writes of a memory, the mixture that symbolic execution makes.
//!
//! The exit code is 1 when a term takes more than 40 bytes or construction falls below 400,000 terms a second.

use plumb_term::{Assignment, BitVec, Evaluator, Sort, Substitution, TermId, Terms, Value};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Instant;

const TERMS: usize = 10_000_000;
const MAX_BYTES: f64 = 40.0;
const MIN_SPEED: f64 = 0.4e6;

/// Seconds that this thread has run, on machines that tell; else seconds that have passed.
fn seconds() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let passed = BEGIN.elapsed().as_secs_f64();
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let running = schedule.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok());
    running.map_or(passed, |nanoseconds| nanoseconds / 1e9)
}

/// State after a step: a mode, two counters and a memory.
struct Machine {
    mode: TermId,
    count: TermId,
    sum: TermId,
    memory: TermId,
}

fn step(terms: &mut Terms, machine: Machine, iteration: usize) -> Machine {
    let input = terms.symbol(&format!("input{iteration}"), Sort::Bv(32));
    let [idle, limit] = [0, 1000].map(|value| terms.bv(32, value));
    let mode = terms.bv(32, (iteration % 7) as u128);
    let is_idle = terms.eq(machine.mode, idle);
    let is_small = terms.bv_slt(input, limit);
    let enter = terms.and(is_idle, is_small);
    let next = terms.ite(enter, mode, machine.mode);
    let scaled = terms.bv_mul(machine.count, input);
    let count = terms.ite(enter, scaled, machine.count);
    let low = terms.extract(count, 15, 0);
    let wide = terms.sign_extend(low, 32);
    let mixed = terms.bv_xor(wide, machine.sum);
    let at = terms.resize_unsigned(mixed, 16);
    let byte = terms.select(machine.memory, at);
    let byte = terms.zero_extend(byte, 32);
    let sum = terms.bv_add(mixed, byte);
    let stored = terms.extract(sum, 7, 0);
    let memory = terms.store(machine.memory, at, stored);
    Machine { mode: next, count, sum, memory }
}

fn main() -> ExitCode {
    // `cargo test --benches` only wants to know that it runs.
    let size = if std::env::args().any(|argument| argument == "--bench") { TERMS } else { 10_000 };
    let mut terms = Terms::new();
    let [mode, count, sum] = ["mode", "count", "sum"].map(|name| terms.symbol(name, Sort::Bv(32)));
    let memory = terms.symbol("memory", Sort::Array { index: 16, element: 8 });
    let mut machine = Machine { mode, count, sum, memory };
    let begin = seconds();
    let (mut iteration, mut worst, mut first) = (0, 0f64, None);
    while terms.len() < size {
        machine = step(&mut terms, machine, iteration);
        iteration += 1;
        if terms.len() > size / 10 {
            first.get_or_insert_with(|| terms.len() as f64 / (seconds() - begin));
            worst = worst.max(terms.heap_bytes() as f64 / terms.len() as f64);
        }
    }
    let built = terms.len();
    let speed = built as f64 / (seconds() - begin);
    let bytes = terms.heap_bytes() as f64 / built as f64;
    let early = first.unwrap_or(0.0) / 1e6;
    println!(
        "{built} terms, {iteration} iterations: {:.2} million terms/s, {early:.2} for the first tenth",
        speed / 1e6
    );
    println!("{bytes:.1} bytes a term, at most {worst:.1} while growing");

    let begin = seconds();
    let mut assignment = Assignment::new();
    let start = terms.as_symbol(count).map(|symbol| (symbol, Value::Bv(BitVec::new(32, 3))));
    if let Some((symbol, value)) = start {
        assignment.set(symbol, value);
    }
    let value = Evaluator::new(&assignment).value(&terms, machine.sum);
    println!("evaluated in {:.2} s to {value:?}", (seconds() - begin));

    let begin = seconds();
    let other = terms.symbol("other", Sort::Bv(32));
    let replaced = Substitution::new([(count, other)]).apply(&mut terms, machine.sum);
    println!("substituted in {:.2} s, {} new terms", (seconds() - begin), terms.len() - built);
    let is_good = worst <= MAX_BYTES && (size < TERMS || speed >= MIN_SPEED) && replaced != machine.sum;
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
