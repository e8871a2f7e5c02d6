//! Examples by mutation: inputs that did something new, or have a rare output, are changed a little and tried again.

use super::palette::Palette;
use super::prober::Prober;
use super::tuning::ExamplesTuning;
use super::{Example, Origin};
use crate::budget::Budget;
use crate::summary::scalar::{limits, number, pattern};
use crate::summary::tuning::TUNING;
use plumb_exec::Rng;
use plumb_ir::analysis::signature::ScalarType;
use plumb_ir::ty::{FloatFormat, Ty};
use rustc_hash::{FxHashMap, FxHashSet};

/// What has been tried, and the examples that came of it.
pub struct Collector<'a> {
    prober: &'a mut Prober,
    pub palette: &'a Palette,
    pub tuning: &'static ExamplesTuning,
    pub rng: Rng,
    tried: FxHashSet<Box<[u64]>>,
    pub examples: Vec<Example>,
    /// By number of the output: its examples.
    pub by_output: Vec<Vec<usize>>,
    outputs: FxHashMap<u64, usize>,
    /// Inputs that took a new branch or came nearer to one, whether they returned or not.
    pioneers: Vec<Box<[u64]>>,
    pub calls: u64,
}

impl<'a> Collector<'a> {
    pub fn new(
        prober: &'a mut Prober,
        palette: &'a Palette,
        tuning: &'static ExamplesTuning,
        seed: u64,
    ) -> Collector<'a> {
        Collector {
            prober,
            palette,
            tuning,
            rng: Rng(seed),
            tried: FxHashSet::default(),
            examples: Vec::new(),
            by_output: Vec::new(),
            outputs: FxHashMap::default(),
            pioneers: Vec::new(),
            calls: 0,
        }
    }

    pub fn prober(&self) -> &Prober {
        self.prober
    }

    /// Calls the function, unless these inputs were tried before; whether it did.
    pub fn try_inputs(&mut self, inputs: &[u64], origin: Origin) -> bool {
        if !self.tried.insert(inputs.into()) {
            return false;
        }
        self.calls += 1;
        let (outcome, novelty) = self.prober.call_measured(inputs);
        if novelty.branch || novelty.nearer {
            self.pioneers.push(inputs.into());
        }
        if let Some(output) = outcome.returned() {
            let number = *self.outputs.entry(output).or_insert_with(|| {
                self.by_output.push(Vec::new());
                self.by_output.len() - 1
            });
            self.by_output[number].push(self.examples.len());
            self.examples.push(Example { inputs: inputs.into(), output, origin });
        }
        true
    }

    /// What the function returns for some inputs.
    pub fn output_of(&mut self, inputs: &[u64]) -> Option<u64> {
        self.try_inputs(inputs, Origin::Symbolic);
        self.prober.call(inputs).returned()
    }

    /// How many examples an output has.
    pub fn count(&self, output: u64) -> usize {
        self.outputs.get(&output).map_or(0, |number| self.by_output[*number].len())
    }

    pub fn is_spent(&self, budget: &Budget) -> bool {
        self.calls >= self.tuning.calls || self.prober.work >= self.tuning.steps || budget.is_over()
    }

    /// All inputs, if there are few.
    pub fn enumerate(&mut self, budget: &Budget) -> bool {
        let ranges: Vec<(i128, i128)> = self.palette.types.iter().map(|ty| limits(*ty)).collect();
        let is_integer = self.palette.types.iter().all(|ty| !ty.ty.is_float());
        let size = ranges.iter().try_fold(1u128, |size, (least, most)| size.checked_mul((most - least + 1) as u128));
        if !is_integer || size.is_none_or(|size| size > self.tuning.enumerated) {
            return false;
        }
        let mut at: Vec<i128> = ranges.iter().map(|(least, _)| *least).collect();
        loop {
            let inputs: Vec<u64> = at.iter().zip(&self.palette.types).map(|(n, ty)| pattern(*ty, *n)).collect();
            self.try_inputs(&inputs, Origin::Special);
            // The next one, as an odometer counts.
            let Some(place) = (0..at.len()).find(|&place| at[place] < ranges[place].1) else { return true };
            at[place] += 1;
            for lower in 0..place {
                at[lower] = ranges[lower].0;
            }
            if self.is_spent(budget) {
                return true;
            }
        }
    }

    /// Special values: the same everywhere, one beside zeros and ones, and at random.
    pub fn special(&mut self, budget: &Budget) {
        let palette = self.palette;
        let count = palette.types.len();
        let longest = palette.special.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..longest {
            let same: Vec<u64> = palette.special.iter().map(|values| values[at % values.len().max(1)]).collect();
            self.try_inputs(&same, Origin::Special);
            for place in 0..count.min(64) {
                for rest in [0, 1] {
                    let mut inputs: Vec<u64> = palette.types.iter().map(|ty| pattern(*ty, rest)).collect();
                    inputs[place] = palette.special[place][at % palette.special[place].len().max(1)];
                    self.try_inputs(&inputs, Origin::Special);
                    if self.is_spent(budget) {
                        return;
                    }
                }
            }
        }
        for _ in 0..self.tuning.calls / 30 {
            let inputs: Vec<u64> = (0..count).map(|place| self.any(place)).collect();
            self.try_inputs(&inputs, Origin::Special);
            if self.is_spent(budget) {
                return;
            }
        }
    }

    /// Mutates until there are enough examples or the search is spent.
    pub fn mutate(&mut self, budget: &Budget) {
        let mut repeated = 0;
        while self.examples.len() < self.tuning.enough && repeated < self.tuning.repetitions && !self.is_spent(budget) {
            let Some(mut inputs) = self.parent() else { return };
            for _ in 0..1 + self.rng.below(4) {
                self.change(&mut inputs);
            }
            if self.rng.below(16) >= TUNING.outside_of_sixteen {
                self.bring_inside(&mut inputs);
            }
            repeated = if self.try_inputs(&inputs, Origin::Mutation) { 0 } else { repeated + 1 };
        }
    }

    /// Every output has the same chance, so that rare ones are mutated as often as common ones.
    fn parent(&mut self) -> Option<Vec<u64>> {
        if !self.pioneers.is_empty() && (self.by_output.is_empty() || self.rng.below(8) < TUNING.pioneers_of_eight) {
            let at = self.rng.below(self.pioneers.len() as u64) as usize;
            return Some(self.pioneers[at].to_vec());
        }
        if self.by_output.is_empty() {
            return None;
        }
        let output = self.rng.below(self.by_output.len() as u64) as usize;
        let at = self.rng.below(self.by_output[output].len() as u64) as usize;
        Some(self.examples[self.by_output[output][at]].inputs.to_vec())
    }

    fn change(&mut self, inputs: &mut [u64]) {
        let place = self.rng.below(inputs.len() as u64) as usize;
        let other = self.rng.below(inputs.len() as u64) as usize;
        let ty = self.palette.types[place];
        let old = number(ty, inputs[place]);
        let beside = number(self.palette.types[other], inputs[other]);
        let small = self.rng.below(16) as i128 + 1;
        let new = match self.rng.below(12) {
            0 => old + small,
            1 => old - small,
            2 => {
                inputs[place] ^= 1 << self.rng.below(bits(ty));
                inputs[place] = pattern(ty, number(ty, inputs[place]));
                return;
            }
            3 => beside,
            4 => old + beside,
            5 => old - beside,
            6 => -old,
            7 => old * 2,
            8 => old / 2,
            9 => self.constant() + small - 8,
            10 if inputs.len() > 1 => {
                let (x, y) = (pattern(ty, beside), pattern(self.palette.types[other], old));
                inputs[place] = x;
                inputs[other] = y;
                return;
            }
            _ => {
                inputs[place] = self.any(place);
                return;
            }
        };
        inputs[place] = pattern(ty, new);
    }

    fn constant(&mut self) -> i128 {
        match self.palette.constants.len() {
            0 => 0,
            count => self.palette.constants[self.rng.below(count as u64) as usize],
        }
    }

    /// A special value, a number of random magnitude, or one from the range at the calls.
    pub fn any(&mut self, place: usize) -> u64 {
        let palette = self.palette;
        let (ty, special) = (palette.types[place], &palette.special[place]);
        let (least, most) = match (palette.ranges[place], self.rng.below(8)) {
            (Some(range), 1..) => range,
            _ => limits(ty),
        };
        match self.rng.below(4) {
            0 if !special.is_empty() => special[self.rng.below(special.len() as u64) as usize],
            1 => pattern(ty, least + self.below(most - least)),
            2 => pattern(ty, (self.rng.below(64) as i128 - 16).clamp(least, most)),
            _ => {
                let shift = self.rng.below(64);
                let magnitude = (self.rng.next() >> shift) as i128;
                let signed = if least < 0 && self.rng.below(2) == 0 { -magnitude } else { magnitude };
                pattern(ty, signed.clamp(least, most))
            }
        }
    }

    /// A number from 0 to `most`.
    fn below(&mut self, most: i128) -> i128 {
        match u64::try_from(most) {
            Ok(u64::MAX) | Err(_) => self.rng.next() as i128,
            Ok(most) => self.rng.below(most + 1) as i128,
        }
    }

    /// Wraps numbers into the ranges at the calls.
    fn bring_inside(&self, inputs: &mut [u64]) {
        for (place, input) in inputs.iter_mut().enumerate() {
            let (ty, Some((least, most))) = (self.palette.types[place], self.palette.ranges[place]) else { continue };
            let old = number(ty, *input);
            if !(least..=most).contains(&old) {
                *input = pattern(ty, least + (old - least).rem_euclid(most - least + 1));
            }
        }
    }
}

fn bits(ty: ScalarType) -> u64 {
    match ty.ty {
        Ty::Int(bits) => bits as u64,
        Ty::Float(FloatFormat::F32) => 32,
        Ty::Float(_) | Ty::Ptr => 64,
    }
}
