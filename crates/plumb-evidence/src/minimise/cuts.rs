//! Leaving out turns, and inputs inside turns.

use super::bench::Bench;
use super::course::Turn;
use plumb_exec::Machine;
use plumb_ir::program::{GlobalObj, GlobalVar, Program};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Static objects larger than this do not count for the state of a program: tables and buffers.
const LARGE_OBJECT: u64 = 4096;

/// A variable with more values than this in a run is a counter: coarse states leave it out.
const FEW_VALUES: usize = 12;

/// Leaves out turns by ever smaller chunks.
pub(super) fn by_chunks(bench: &mut Bench) {
    let mut size = bench.turn_count().div_ceil(2).max(1);
    loop {
        let mut mark = bench.start();
        let mut at = 0;
        while at < bench.turn_count() {
            if bench.is_over() || !bench.advance(&mut mark, at, |_, _| {}) {
                return;
            }
            let end = (at + size).min(bench.turn_count());
            let rest = bench.course.turns[end..].to_vec();
            if rest.is_empty() || !bench.attempt(&mark, &rest) {
                at += size;
            }
        }
        if size == 1 {
            return;
        }
        size /= 2;
    }
}

/// Leaves out what lies between two turns that begin in the same state: first in all of it, then, turn by turn, in all but
/// its counters.
pub(super) fn between_equal_states(bench: &mut Bench) {
    let States { exact, coarse } = states(bench);
    let jumps = jumps(&exact);
    if !jumps.is_empty() {
        let kept = after_jumps(&bench.course.turns, &jumps);
        let mark = bench.start();
        bench.attempt(&mark, &kept);
    }
    if bench.turn_count() != coarse.len() + 1 {
        // The cut has worked: the turns have new numbers.
        let States { coarse, .. } = states(bench);
        return cut_coarsely(bench, &coarse);
    }
    cut_coarsely(bench, &coarse);
}

/// Tries the furthest turn that looks like the one at hand, then nearer ones.
fn cut_coarsely(bench: &mut Bench, coarse: &[u64]) {
    const TRIES: usize = 3;
    let mut looks = coarse.to_vec();
    let mut mark = bench.start();
    let mut at = 1;
    while at < bench.turn_count() && at <= looks.len() {
        let same = |&to: &usize| looks[to - 1] == looks[at - 1];
        let targets: Vec<usize> =
            (at + 1..bench.turn_count().min(looks.len() + 1)).rev().filter(same).take(TRIES).collect();
        if !targets.is_empty() && !bench.advance(&mut mark, at, |_, _| {}) {
            return;
        }
        for to in targets {
            if bench.is_over() {
                return;
            }
            let rest = bench.course.turns[to..].to_vec();
            if bench.attempt(&mark, &rest) {
                looks.drain(at - 1..to - 1);
                break;
            }
        }
        at += 1;
    }
}

/// What the program's state looks like at the beginning of every turn but the first.
struct States {
    exact: Vec<u64>,
    coarse: Vec<u64>,
}

fn states(bench: &mut Bench) -> States {
    let program = bench.program;
    let objects: Vec<GlobalObj> = (0..program.objects.len() as u32).map(GlobalObj).collect();
    let objects: Vec<GlobalObj> = objects.into_iter().filter(|&o| counts(program, o)).collect();
    let mut rows: Vec<Vec<u64>> = Vec::new();
    let mut mark = bench.start();
    let last = bench.turn_count() - 1;
    bench.advance(&mut mark, last, |_, machine| rows.push(look(program, &objects, machine)));
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
    let digest = |row: &[u64], coarse: bool| {
        let mut hasher = FxHasher::default();
        for (value, counter) in row.iter().zip(&is_counter) {
            if !(coarse && *counter) {
                value.hash(&mut hasher);
            }
        }
        hasher.finish()
    };
    States {
        exact: rows.iter().map(|row| digest(row, false)).collect(),
        coarse: rows.iter().map(|row| digest(row, true)).collect(),
    }
}

fn counts(program: &Program, object: GlobalObj) -> bool {
    let info = program.object(object);
    !info.read_only && info.size <= LARGE_OBJECT
}

/// The program's registers and the words of its static objects.
fn look(program: &Program, objects: &[GlobalObj], machine: &mut Machine) -> Vec<u64> {
    let vars = (0..program.vars.len() as u32).map(GlobalVar);
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

/// From each state on to the last turn that begins in the same state: pairs of turns, of which the first begins where the
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

fn after_jumps(turns: &[Turn], jumps: &[(usize, usize)]) -> Vec<Turn> {
    let mut kept = Vec::new();
    let mut at = 0;
    for &(from, to) in jumps {
        kept.extend_from_slice(&turns[at..from]);
        at = to;
    }
    kept.extend_from_slice(&turns[at..]);
    kept
}

/// Leaves out inputs of turns that read some site more than once, by ever smaller chunks.
pub(super) fn inside_turns(bench: &mut Bench) {
    let mut mark = bench.start();
    let mut at = 0;
    while at < bench.turn_count() {
        let turn = bench.course.turns[at].clone();
        let mut sites: Vec<_> = turn.iter().map(|(id, _)| *id).collect();
        sites.sort_unstable();
        sites.dedup();
        if sites.len() < turn.len() {
            if !bench.advance(&mut mark, at, |_, _| {}) {
                return;
            }
            thin_out(bench, &mark);
        }
        if bench.is_over() {
            return;
        }
        at += 1;
    }
}

fn thin_out(bench: &mut Bench, mark: &super::bench::Mark) {
    let at = mark.turn;
    let mut size = bench.course.turns[at].len().max(1);
    loop {
        let mut from = 0;
        while at < bench.turn_count() && from < bench.course.turns[at].len() && !bench.is_over() {
            let mut turn = Vec::clone(&bench.course.turns[at]);
            turn.drain(from..(from + size).min(turn.len()));
            let mut turns = bench.course.turns[at..].to_vec();
            turns[0] = Arc::new(turn);
            if !bench.attempt(mark, &turns) {
                from += size;
            }
        }
        if size == 1 {
            return;
        }
        size /= 2;
    }
}
