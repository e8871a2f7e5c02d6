//! Simpler values: zero, the value that the site had before, smaller numbers.

use super::feed::Garbage;
use super::runner::{CandidateRunner, Checkpoint};
use super::sequence::{Channel, Iteration, channels, float, zero_like};
use plumb_exec::{InputValue, RegionFill, float_bits};
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::ty::{Bits, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Zeros for everything that C leaves indeterminate: memory that happens to be zero is what users know. Locals get what
/// compilers can be made to fill them with, if the check breaks with any of that.
pub(super) fn settle_garbage(runner: &mut CandidateRunner) {
    let program = runner.program;
    let _ = runner.settle(Garbage::Zero) || runner.settle(Garbage::Pattern);
    let is_garbage = |id: InputId| match program.input(id).origin {
        InputOrigin::Uninitialised(_)
        | InputOrigin::Padding(_)
        | InputOrigin::FreshMemory
        | InputOrigin::MissingArgument(_)
        | InputOrigin::MissingReturn(_)
        | InputOrigin::ExternalObject(_)
        | InputOrigin::Assembly => true,
        InputOrigin::Nondet(_)
        | InputOrigin::External(_)
        | InputOrigin::ExternalMemory(_)
        | InputOrigin::ForeignMemory
        | InputOrigin::Library(_)
        | InputOrigin::Volatile(_)
        | InputOrigin::Register(_)
        | InputOrigin::MainArgument
        | InputOrigin::EntryArgument(..)
        | InputOrigin::Summary(_)
        | InputOrigin::UnitState(_)
        | InputOrigin::Schedule(_) => false,
    };
    let checkpoint = runner.start();
    let iterations =
        changed(&runner.sequence.iterations, |channel, value| is_garbage(channel.0).then(|| zero_like(value)));
    runner.attempt(&checkpoint, &iterations);
}

/// One value for the whole run, zero or one of those it has most often: for each site, then for each channel.
pub(super) fn throughout(runner: &mut CandidateRunner) {
    let sites = firsts(&runner.sequence.iterations, |channel| channel.0);
    for site in sites {
        level_throughout(runner, |channel| channel.0 == site);
    }
    for wanted in firsts(&runner.sequence.iterations, |channel| channel) {
        level_throughout(runner, |channel| channel == wanted);
    }
}

fn level_throughout(runner: &mut CandidateRunner, belongs: impl Fn(Channel) -> bool) {
    const TRIES: usize = 3;
    let checkpoint = runner.start();
    let iterations = runner.sequence.iterations.clone();
    // By number of appearances, equally frequent ones in the order of the first: runs must not depend on hashing.
    let mut often: FxHashMap<&InputValue, (usize, usize)> = FxHashMap::default();
    let inputs = iterations.iter().flat_map(|t| channels(t)).filter(|(channel, _)| belongs(*channel));
    for (at, (_, value)) in inputs.enumerate() {
        often.entry(value).or_insert((0, at)).0 += 1;
    }
    let Some(zero) = often.keys().next().map(|v| zero_like(v)) else { return };
    if often.len() == 1 && often.contains_key(&zero) {
        return;
    }
    let mut values: Vec<(&InputValue, (usize, usize))> = often.into_iter().collect();
    values.sort_by_key(|(_, (count, first))| (std::cmp::Reverse(*count), *first));
    let chosen = values.into_iter().map(|(v, _)| v.clone()).filter(|v| *v != zero).take(TRIES);
    for value in std::iter::once(zero.clone()).chain(chosen) {
        if runner.is_over() {
            return;
        }
        let iterations = changed(&iterations, |channel, _| belongs(channel).then(|| value.clone()));
        if runner.attempt(&checkpoint, &iterations) {
            return;
        }
    }
}

/// Zeros for all inputs of a chunk of iterations, or the inputs of the iteration before it, by ever smaller chunks.
pub(super) fn by_iterations(runner: &mut CandidateRunner) {
    let mut size = runner.iteration_count().div_ceil(2).max(1);
    loop {
        let mut checkpoint = runner.start();
        let mut at = 0;
        while at < runner.iteration_count() {
            let range = at..(at + size).min(runner.iteration_count());
            let zeros = changed(&runner.sequence.iterations[range.clone()], |_, value| Some(zero_like(value)));
            let before = at.checked_sub(1).map(|i| vec![runner.sequence.iterations[i].clone(); range.len()]);
            for chunk in std::iter::once(zeros).chain(before) {
                let range = at..(at + size).min(runner.iteration_count());
                if runner.is_over() || !runner.advance(&mut checkpoint, at, |_, _| {}) {
                    return;
                }
                if range.len() != chunk.len() || runner.sequence.iterations[range] == chunk[..] {
                    continue;
                }
                let mut iterations = runner.sequence.iterations[at..].to_vec();
                iterations[..chunk.len()].clone_from_slice(&chunk);
                runner.attempt(&checkpoint, &iterations);
            }
            at += size;
        }
        if size == 1 {
            return;
        }
        size = if size > 4 { size / 4 } else { 1 };
    }
}

/// Zero or a last value for one channel over a chunk of iterations, by ever smaller chunks.
pub(super) fn by_chunk(runner: &mut CandidateRunner) {
    let all = firsts(&runner.sequence.iterations, |channel| channel);
    let mut size = runner.iteration_count().div_ceil(2).max(1);
    loop {
        let mut checkpoint = runner.start();
        let mut last: FxHashMap<Channel, InputValue> = FxHashMap::default();
        let mut at = 0;
        while at < runner.iteration_count() {
            for &channel in &all {
                if runner.is_over() {
                    return;
                }
                level(runner, &mut checkpoint, at, size, channel, last.get(&channel).cloned());
            }
            let end = (at + size).min(runner.iteration_count());
            for (channel, value) in runner.sequence.iterations[at.min(end)..end].iter().flat_map(|t| channels(t)) {
                last.insert(channel, value.clone());
            }
            at += size;
        }
        if size == 1 {
            return;
        }
        size = if size > 4 { size / 4 } else { 1 };
    }
}

fn level(
    runner: &mut CandidateRunner,
    checkpoint: &mut Checkpoint,
    at: usize,
    size: usize,
    wanted: Channel,
    last: Option<InputValue>,
) {
    let chunk = |runner: &CandidateRunner| at..(at + size).min(runner.iteration_count());
    let of_channel = |runner: &CandidateRunner| -> Vec<InputValue> {
        let inputs = runner.sequence.iterations[chunk(runner)].iter().flat_map(|t| channels(t));
        inputs.filter(|(channel, _)| *channel == wanted).map(|(_, value)| value.clone()).collect()
    };
    let Some(zero) = of_channel(runner).first().map(zero_like) else { return };
    for value in std::iter::once(zero).chain(last) {
        let range = chunk(runner);
        if of_channel(runner).iter().all(|v| *v == value) {
            continue;
        }
        if !runner.advance(checkpoint, at, |_, _| {}) {
            return;
        }
        let mut iterations = runner.sequence.iterations[at..].to_vec();
        let changed = changed(&iterations[..range.len()], |channel, _| (channel == wanted).then(|| value.clone()));
        iterations[..range.len()].clone_from_slice(&changed);
        runner.attempt(checkpoint, &iterations);
    }
}

/// Each value that is neither zero nor last, made smaller.
pub(super) fn one_by_one(runner: &mut CandidateRunner) {
    let mut checkpoint = runner.start();
    let mut last: FxHashMap<Channel, InputValue> = FxHashMap::default();
    let mut at = 0;
    while at < runner.iteration_count() {
        let mut index = 0;
        let mut asked: FxHashMap<InputId, u32> = FxHashMap::default();
        while at < runner.iteration_count() && index < runner.sequence.iterations[at].len() {
            let (id, value) = runner.sequence.iterations[at][index].clone();
            let count = asked.entry(id).or_default();
            let channel = (id, *count);
            *count += 1;
            let before = last.get(&channel).cloned();
            if value != zero_like(&value) && before.as_ref() != Some(&value) {
                if runner.is_over() || !runner.advance(&mut checkpoint, at, |_, _| {}) {
                    return;
                }
                shrink(runner, &checkpoint, index, before);
            }
            if let Some((_, value)) = runner.sequence.iterations.get(at).and_then(|t| t.get(index)) {
                last.insert(channel, value.clone());
            }
            index += 1;
        }
        at += 1;
    }
}

/// Tries smaller values for one input until none is taken.
fn shrink(runner: &mut CandidateRunner, checkpoint: &Checkpoint, index: usize, before: Option<InputValue>) {
    let at = checkpoint.iteration;
    let mut before = before;
    loop {
        let Some((id, value)) = runner.sequence.iterations.get(at).and_then(|t| t.get(index)).cloned() else { return };
        let mut taken = false;
        for candidate in before.take().into_iter().chain(smaller(runner, id, &value)) {
            let Some(iteration) = runner.sequence.iterations.get(at) else { return };
            let mut iteration = Vec::clone(iteration);
            // A smaller run may have taken another way.
            if iteration.get(index).is_none_or(|(i, _)| *i != id) {
                return;
            }
            iteration[index].1 = candidate;
            let mut iterations = runner.sequence.iterations[at..].to_vec();
            iterations[0] = Arc::new(iteration);
            if runner.attempt(checkpoint, &iterations) {
                taken = true;
                break;
            }
        }
        if !taken || runner.is_over() {
            return;
        }
    }
}

/// Values simpler than one, the simplest first.
fn smaller(runner: &CandidateRunner, id: InputId, value: &InputValue) -> Vec<InputValue> {
    let site = runner.program.input(id);
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
        InputValue::Region(RegionFill::Sparse(bytes)) => {
            let mut halves = [BTreeMap::new(), BTreeMap::new()];
            for (i, (at, byte)) in bytes.iter().enumerate() {
                halves[usize::from(2 * i >= bytes.len())].insert(*at, *byte);
            }
            let halves = halves.into_iter().filter(|half| !half.is_empty() && half.len() < bytes.len());
            let fills = std::iter::once(RegionFill::Zero).chain(halves.map(RegionFill::Sparse));
            fills.map(InputValue::Region).collect()
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
                // Numbers that no object's address reaches: nothing, a mark, an aligned mark.
                Some(Ty::Ptr) => {
                    [0, 1, 16].into_iter().filter(|v| *v < bits.u128()).map(|v| Bits::new(v, 64)).collect()
                }
                None => vec![Bits::ZERO],
            };
            scalars.into_iter().map(InputValue::Scalar).collect()
        }
    }
}

/// What the channels belong to, in order of the first input.
fn firsts<K: Copy + Eq + std::hash::Hash>(iterations: &[Iteration], key: impl Fn(Channel) -> K) -> Vec<K> {
    let mut seen = FxHashSet::default();
    iterations.iter().flat_map(|t| channels(t)).map(|(channel, _)| key(channel)).filter(|k| seen.insert(*k)).collect()
}

/// Iterations with some of their values replaced. Those that stay as they are stay shared.
fn changed(iterations: &[Iteration], with: impl Fn(Channel, &InputValue) -> Option<InputValue>) -> Vec<Iteration> {
    iterations
        .iter()
        .map(|iteration| {
            let differs = channels(iteration).any(|(channel, v)| with(channel, v).is_some_and(|new| new != *v));
            if !differs {
                return iteration.clone();
            }
            let replaced =
                channels(iteration).map(|(channel, v)| (channel.0, with(channel, v).unwrap_or_else(|| v.clone())));
            Arc::new(replaced.collect())
        })
        .collect()
}
