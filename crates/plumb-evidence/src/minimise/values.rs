//! Simpler values: zero, the value that the site had before, smaller numbers.

use super::bench::{Bench, Mark};
use super::course::{Turn, float, zero_like};
use super::feed::Garbage;
use plumb_exec::{InputValue, RegionFill, float_bits};
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::ty::{Bits, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Zeros for everything that C leaves indeterminate: memory that happens to be zero is what users know. Locals get what
/// compilers can be made to fill them with, if the check breaks with any of that.
pub(super) fn settle_garbage(bench: &mut Bench) {
    let program = bench.program;
    let _ = bench.settle(Garbage::Zero) || bench.settle(Garbage::Pattern);
    let is_garbage = |id: InputId| match program.input(id).origin {
        InputOrigin::Uninitialised(_)
        | InputOrigin::FreshMemory
        | InputOrigin::MissingArgument(_)
        | InputOrigin::MissingReturn(_)
        | InputOrigin::ExternalObject(_)
        | InputOrigin::Assembly => true,
        InputOrigin::Nondet(_)
        | InputOrigin::External(_)
        | InputOrigin::Library(_)
        | InputOrigin::Volatile(_)
        | InputOrigin::Register(_)
        | InputOrigin::MainArgument => false,
    };
    let mark = bench.start();
    let turns = changed(&bench.course.turns, |id, value| is_garbage(id).then(|| zero_like(value)));
    bench.attempt(&mark, &turns);
}

/// One value per site for the whole run: zero, or one of those it has most often.
pub(super) fn by_site(bench: &mut Bench) {
    const TRIES: usize = 3;
    let mark = bench.start();
    for id in sites(&bench.course.turns) {
        let mut often: FxHashMap<&InputValue, usize> = FxHashMap::default();
        let turns = bench.course.turns.clone();
        for (_, value) in turns.iter().flat_map(|t| t.iter()).filter(|(i, _)| *i == id) {
            *often.entry(value).or_default() += 1;
        }
        let Some(zero) = often.keys().next().map(|v| zero_like(v)) else { continue };
        let mut values: Vec<(&InputValue, usize)> = often.into_iter().collect();
        // Equally frequent ones in the order of their first appearance: runs must not depend on hashing.
        let first = |v: &InputValue| turns.iter().flat_map(|t| t.iter()).position(|(i, x)| *i == id && x == v);
        values.sort_by_cached_key(|(v, count)| (std::cmp::Reverse(*count), first(v)));
        let chosen = values.into_iter().map(|(v, _)| v.clone()).filter(|v| *v != zero).take(TRIES);
        for value in std::iter::once(zero.clone()).chain(chosen) {
            if bench.is_over() {
                return;
            }
            let turns = changed(&bench.course.turns, |i, _| (i == id).then(|| value.clone()));
            if bench.attempt(&mark, &turns) {
                break;
            }
        }
    }
}

/// Zero or a held value for one site over a chunk of turns, by ever smaller chunks.
pub(super) fn by_chunk(bench: &mut Bench) {
    let sites = sites(&bench.course.turns);
    let mut size = bench.turn_count().div_ceil(2).max(1);
    loop {
        let mut mark = bench.start();
        let mut held: FxHashMap<InputId, InputValue> = FxHashMap::default();
        let mut at = 0;
        while at < bench.turn_count() {
            for &id in &sites {
                if bench.is_over() {
                    return;
                }
                level(bench, &mut mark, at, size, id, held.get(&id).cloned());
            }
            let end = (at + size).min(bench.turn_count());
            for (id, value) in bench.course.turns[at.min(end)..end].iter().flat_map(|t| t.iter()) {
                held.insert(*id, value.clone());
            }
            at += size;
        }
        if size == 1 {
            return;
        }
        size = if size > 4 { size / 4 } else { 1 };
    }
}

fn level(bench: &mut Bench, mark: &mut Mark, at: usize, size: usize, id: InputId, held: Option<InputValue>) {
    let chunk = |bench: &Bench| at..(at + size).min(bench.turn_count());
    let values = |bench: &Bench, to: &InputValue| {
        let mut inputs = bench.course.turns[chunk(bench)].iter().flat_map(|t| t.iter());
        inputs.any(|(i, value)| *i == id && value != to)
    };
    let range = chunk(bench);
    let Some(sample) = bench.course.turns[range].iter().flat_map(|t| t.iter()).find(|(i, _)| *i == id) else { return };
    let zero = zero_like(&sample.1);
    for value in std::iter::once(zero).chain(held) {
        let range = chunk(bench);
        if range.is_empty() || !values(bench, &value) {
            continue;
        }
        if !bench.advance(mark, at, |_, _| {}) {
            return;
        }
        let mut turns = bench.course.turns[at..].to_vec();
        let changed = changed(&turns[..range.len()], |i, _| (i == id).then(|| value.clone()));
        turns[..range.len()].clone_from_slice(&changed);
        bench.attempt(mark, &turns);
    }
}

/// Each value that is neither zero nor held, made smaller.
pub(super) fn one_by_one(bench: &mut Bench) {
    let mut mark = bench.start();
    let mut held: FxHashMap<InputId, InputValue> = FxHashMap::default();
    let mut at = 0;
    while at < bench.turn_count() {
        let mut index = 0;
        while at < bench.turn_count() && index < bench.course.turns[at].len() {
            let (id, value) = bench.course.turns[at][index].clone();
            let before = held.get(&id).cloned();
            if value != zero_like(&value) && before.as_ref() != Some(&value) {
                if bench.is_over() || !bench.advance(&mut mark, at, |_, _| {}) {
                    return;
                }
                shrink(bench, &mark, index, before);
            }
            if let Some((id, value)) = bench.course.turns.get(at).and_then(|t| t.get(index)) {
                held.insert(*id, value.clone());
            }
            index += 1;
        }
        at += 1;
    }
}

/// Tries smaller values for one input until none is taken.
fn shrink(bench: &mut Bench, mark: &Mark, index: usize, before: Option<InputValue>) {
    let at = mark.turn;
    let mut before = before;
    loop {
        let Some((id, value)) = bench.course.turns.get(at).and_then(|t| t.get(index)).cloned() else { return };
        let mut taken = false;
        for candidate in before.take().into_iter().chain(smaller(bench, id, &value)) {
            let Some(turn) = bench.course.turns.get(at) else { return };
            let mut turn = Vec::clone(turn);
            // A smaller run may have taken another way.
            if turn.get(index).is_none_or(|(i, _)| *i != id) {
                return;
            }
            turn[index].1 = candidate;
            let mut turns = bench.course.turns[at..].to_vec();
            turns[0] = Arc::new(turn);
            if bench.attempt(mark, &turns) {
                taken = true;
                break;
            }
        }
        if !taken || bench.is_over() {
            return;
        }
    }
}

/// Values simpler than one, the simplest first.
fn smaller(bench: &Bench, id: InputId, value: &InputValue) -> Vec<InputValue> {
    let site = bench.program.input(id);
    match value {
        InputValue::Region(RegionFill::Bytes(bytes)) => {
            let half = bytes.len() / 2;
            let mut parts = vec![RegionFill::Zero];
            if half > 0 {
                let mut second = bytes.clone();
                second[..half].fill(0);
                parts.extend([RegionFill::Bytes(bytes[..half].to_vec()), RegionFill::Bytes(second)]);
            }
            if let Some(last) = bytes.iter().rposition(|b| *b != 0) {
                let mut without = bytes.clone();
                without[last] = 0;
                parts.push(RegionFill::Bytes(without));
            }
            parts.into_iter().map(InputValue::Region).collect()
        }
        InputValue::Region(RegionFill::Zero | RegionFill::Pattern(_)) => vec![InputValue::Region(RegionFill::Zero)],
        InputValue::Scalar(bits) => {
            let scalars: Vec<Bits> = match site.ty {
                Some(Ty::Float(format)) => {
                    let value = float(*bits, format);
                    let wanted = [0.0, 1.0, -1.0, value.trunc(), (value / 2.0).trunc()];
                    wanted.into_iter().filter(|v| *v != value).map(|v| float_bits(v, format)).collect()
                }
                Some(Ty::Int(width)) => {
                    let width = width as u32;
                    let value = if site.is_signed { bits.signed(width) } else { bits.u128() as i128 };
                    // Half, three quarters and one less: the largest steps first.
                    let wanted = [0, 1, -1, value / 2, value - value / 4, value - value.signum()];
                    let simpler =
                        |v: &i128| v.unsigned_abs() < value.unsigned_abs() || (*v == -value && value < 0) || *v == 0;
                    let mut wanted: Vec<i128> = wanted.into_iter().filter(simpler).filter(|v| *v != value).collect();
                    wanted.dedup();
                    wanted.into_iter().map(|v| Bits::new(v as u128, width)).collect()
                }
                Some(Ty::Ptr) | None => vec![Bits::ZERO],
            };
            scalars.into_iter().map(InputValue::Scalar).collect()
        }
    }
}

/// The sites that are asked, in order of their first input.
fn sites(turns: &[Turn]) -> Vec<InputId> {
    let mut seen = FxHashSet::default();
    turns.iter().flat_map(|t| t.iter()).map(|(id, _)| *id).filter(|id| seen.insert(*id)).collect()
}

/// Turns with some of their values replaced. Those that stay as they are stay shared.
fn changed(turns: &[Turn], with: impl Fn(InputId, &InputValue) -> Option<InputValue>) -> Vec<Turn> {
    turns
        .iter()
        .map(|turn| {
            let differs = turn.iter().any(|(id, v)| with(*id, v).is_some_and(|new| new != *v));
            if !differs {
                return turn.clone();
            }
            Arc::new(turn.iter().map(|(id, v)| (*id, with(*id, v).unwrap_or_else(|| v.clone()))).collect())
        })
        .collect()
}
