//! Time of inferences by variables and samples: noise, and variables of which most are related. Fails when one is too slow. The
//! time is the processor's where the system tells it, so that other work on the machine does not count.

use plumb_infer::{Inference, Options, Point, Sample, Scalar, Variable};
use std::time::{Duration, Instant};

/// The time that this thread has been running, or the time of day.
fn now(start: Instant) -> Duration {
    let on_processor = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = on_processor.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ b >> 31
    }
}

/// A sample of so many variables.
type Kind = fn(&mut Random, usize) -> Vec<u64>;

fn noise(random: &mut Random, variables: usize) -> Vec<u64> {
    (0..variables).map(|_| random.next() & 0xffff_ffff).collect()
}

/// Small numbers of which few facts die at once.
fn small(random: &mut Random, variables: usize) -> Vec<u64> {
    (0..variables).map(|i| random.next() % (2 + i as u64)).collect()
}

/// Sums, multiples, copies, flags and constants of a few.
fn related(random: &mut Random, variables: usize) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    for i in 0..variables {
        let value = match i % 8 {
            0 | 1 => random.next() % 10_000,
            2 => values[i - 1] + values[i - 2],
            3 => 3 * values[i - 1] + 5,
            4 => values[i - 3],
            5 => random.next() % 2,
            6 => values[i - 1] * 100,
            _ => 7,
        };
        values.push(value & 0xffff_ffff);
    }
    values
}

fn main() {
    let cases: [(&str, Kind, usize, usize, f64); 6] = [
        ("noise", noise, 10, 10_000, 0.5),
        ("small", small, 10, 10_000, 0.5),
        ("related", related, 10, 10_000, 0.5),
        ("noise", noise, 100, 1_000, 3.0),
        ("small", small, 100, 1_000, 3.0),
        ("related", related, 100, 1_000, 3.0),
    ];
    let mut is_slow = false;
    let start = Instant::now();
    for (name, kind, variables, samples, limit) in cases {
        let scalar = Scalar::Int { bits: 32, signed: true };
        let point = Point::new((0..variables).map(|i| Variable::scalar(&format!("x{i}"), scalar)).collect());
        let mut random = Random(1);
        let list: Vec<Sample> = (0..samples).map(|_| Sample::of_scalars(&kind(&mut random, variables))).collect();
        let begin = now(start);
        let mut inference = Inference::new(point, Options::default());
        inference.add_many(&list).expect("the samples fit the point");
        let adding = now(start) - begin;
        let facts = inference.facts().len();
        let total = now(start) - begin;
        println!(
            "{name:8} {variables:4} variables {samples:6} samples: {adding:>9.1?} + {:>9.1?}, {facts} facts",
            total - adding
        );
        is_slow |= total > Duration::from_secs_f64(limit);
    }
    assert!(!is_slow, "too slow");
}
