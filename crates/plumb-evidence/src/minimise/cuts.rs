//! Leaving out iterations, and inputs inside iterations.

use super::runner::CandidateRunner;
use super::sequence::Iteration;
use plumb_exec::Machine;
use plumb_ir::program::{GlobalObj, Program};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Static objects larger than this do not count for the state of a program: tables and buffers.
const LARGE_OBJECT: u64 = 4096;

/// A variable with more values than this in a run is a counter: coarse states leave it out.
const FEW_VALUES: usize = 12;

/// States of runs with more words than this are compared as a whole only.
const MOST_WORDS: usize = 1 << 23;

/// Leaves out large chunks of iterations: of a run that was found by chance most of it is of no use, and every other pass is
/// faster without it.
pub(super) fn by_large_chunks(runner: &mut CandidateRunner) {
    const PARTS: usize = 64;
    let smallest = (runner.iteration_count() / PARTS).max(1);
    without_chunks(runner, smallest);
}

/// Leaves out iterations by ever smaller chunks.
pub(super) fn by_chunks(runner: &mut CandidateRunner) {
    without_chunks(runner, 1);
}

fn without_chunks(runner: &mut CandidateRunner, smallest: usize) {
    let mut size = runner.iteration_count().div_ceil(2).max(1);
    loop {
        let mut checkpoint = runner.start();
        let mut at = 0;
        while at < runner.iteration_count() {
            if runner.is_over() || !runner.advance(&mut checkpoint, at, |_, _| {}) {
                return;
            }
            let end = (at + size).min(runner.iteration_count());
            if end == runner.iteration_count() || !runner.attempt_without(&checkpoint, end) {
                at += size;
            }
        }
        if size <= smallest {
            return;
        }
        size /= 2;
    }
}

/// Leaves out everything between iterations that begin in the same state, at once.
pub(super) fn between_equal_states(runner: &mut CandidateRunner) {
    let jumps = jumps(&states(runner).exact);
    if !jumps.is_empty() {
        let kept = after_jumps(&runner.sequence.iterations, &jumps);
        let checkpoint = runner.start();
        runner.attempt(&checkpoint, &kept);
    }
}

/// Leaves out what lies between two iterations that begin in states that differ in their counters only: tries the furthest iteration
/// that looks like the one at hand, then nearer ones.
pub(super) fn between_like_states(runner: &mut CandidateRunner) {
    const TRIES: usize = 3;
    let mut states_at = states(runner).coarse;
    let mut places = places(&states_at);
    let mut checkpoint = runner.start();
    let mut at = 1;
    while at < runner.iteration_count() && at <= states_at.len() && !runner.is_over() {
        let after = places[&states_at[at - 1]].iter().rev().take_while(|to| **to > at);
        let targets: Vec<usize> = after.copied().filter(|to| *to < runner.iteration_count()).take(TRIES).collect();
        if !targets.is_empty() && !runner.advance(&mut checkpoint, at, |_, _| {}) {
            return;
        }
        for to in targets {
            if runner.is_over() {
                return;
            }
            if runner.attempt_without(&checkpoint, to) {
                states_at.drain(at - 1..to - 1);
                places = self::places(&states_at);
                break;
            }
        }
        at += 1;
    }
}

/// The iterations that begin in each state, in order.
fn places(states: &[u64]) -> FxHashMap<u64, Vec<usize>> {
    let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (i, state) in states.iter().enumerate() {
        places.entry(*state).or_default().push(i + 1);
    }
    places
}

/// What the program's state looks like at the beginning of every iteration but the first.
struct States {
    exact: Vec<u64>,
    coarse: Vec<u64>,
}

fn states(runner: &mut CandidateRunner) -> States {
    let program = runner.program;
    let objects: Vec<GlobalObj> = program.objects.keys().collect();
    let objects: Vec<GlobalObj> = objects.into_iter().filter(|&o| counts(program, o)).collect();
    let mut rows: Vec<Vec<u64>> = Vec::new();
    let mut exact: Vec<u64> = Vec::new();
    let mut checkpoint = runner.start();
    let last = runner.iteration_count() - 1;
    runner.advance(&mut checkpoint, last, |_, machine| {
        let row = values(program, &objects, machine);
        exact.push(digest(row.iter()));
        if row.len().saturating_mul(rows.len() + 1) <= MOST_WORDS {
            rows.push(row);
        }
    });
    if rows.len() < exact.len() {
        return States { coarse: exact.clone(), exact };
    }
    let width = rows.first().map_or(0, Vec::len);
    let is_counter: Vec<bool> = (0..width)
        .map(|i| {
            let mut values: FxHashMap<u64, ()> = FxHashMap::default();
            rows.iter().any(|row| {
                values.insert(row[i], ());
                values.len() > FEW_VALUES
            })
        })
        .collect();
    let coarse = |row: &Vec<u64>| digest(row.iter().zip(&is_counter).filter(|(_, counter)| !**counter).map(|(v, _)| v));
    States { coarse: rows.iter().map(coarse).collect(), exact }
}

fn digest<'v>(values: impl Iterator<Item = &'v u64>) -> u64 {
    let mut hasher = FxHasher::default();
    values.for_each(|value| value.hash(&mut hasher));
    hasher.finish()
}

fn counts(program: &Program, object: GlobalObj) -> bool {
    let info = program.object(object);
    !info.read_only && info.size <= LARGE_OBJECT
}

/// The program's registers and the words of its static objects.
fn values(program: &Program, objects: &[GlobalObj], machine: &mut Machine) -> Vec<u64> {
    let vars = program.vars.keys();
    let mut row: Vec<u64> = vars.map(|v| machine.global(v).u64()).collect();
    let mut buffer = Vec::new();
    for &object in objects {
        let at = machine.image().addresses().object(object);
        buffer.clear();
        buffer.resize(at.size as usize, 0);
        // Static objects can always be read.
        let _ = machine.read_memory(at.base, &mut buffer);
        row.extend(buffer.chunks(4).map(|c| c.iter().rev().fold(0, |v, b| v << 8 | *b as u64)));
    }
    row
}

/// From each state on to the last iteration that begins in the same state: pairs of iterations, of which the first begins where the
/// second does.
fn jumps(exact: &[u64]) -> Vec<(usize, usize)> {
    let last: FxHashMap<u64, usize> = exact.iter().enumerate().map(|(i, s)| (*s, i)).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < exact.len() {
        let to = last[&exact[at]];
        if to > at {
            found.push((at + 1, to + 1));
        }
        at = to + 1;
    }
    found
}

fn after_jumps(iterations: &[Iteration], jumps: &[(usize, usize)]) -> Vec<Iteration> {
    let mut kept = Vec::new();
    let mut at = 0;
    for &(from, to) in jumps {
        kept.extend_from_slice(&iterations[at..from]);
        at = to;
    }
    kept.extend_from_slice(&iterations[at..]);
    kept
}

/// Leaves out inputs of iterations that read some site more than once, by ever smaller chunks.
pub(super) fn inside_iterations(runner: &mut CandidateRunner) {
    let mut checkpoint = runner.start();
    let mut at = 0;
    while at < runner.iteration_count() {
        let iteration = runner.sequence.iterations[at].clone();
        let mut sites: Vec<_> = iteration.iter().map(|(id, _)| *id).collect();
        sites.sort_unstable();
        sites.dedup();
        if sites.len() < iteration.len() {
            if !runner.advance(&mut checkpoint, at, |_, _| {}) {
                return;
            }
            thin_out(runner, &checkpoint);
        }
        if runner.is_over() {
            return;
        }
        at += 1;
    }
}

fn thin_out(runner: &mut CandidateRunner, checkpoint: &super::runner::Checkpoint) {
    let at = checkpoint.iteration;
    let mut size = runner.sequence.iterations[at].len().max(1);
    loop {
        let mut from = 0;
        while at < runner.iteration_count() && from < runner.sequence.iterations[at].len() && !runner.is_over() {
            let mut iteration = Vec::clone(&runner.sequence.iterations[at]);
            iteration.drain(from..(from + size).min(iteration.len()));
            let mut iterations = runner.sequence.iterations[at..].to_vec();
            iterations[0] = Arc::new(iteration);
            if !runner.attempt(checkpoint, &iterations) {
                from += size;
            }
        }
        if size == 1 {
            return;
        }
        size /= 2;
    }
}
