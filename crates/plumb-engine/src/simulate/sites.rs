//! How each input site is fed.
//!
//! For every site the search learns a range (from assumptions that failed), the constants that its values are compared
//! with, and which manners of feeding led to something new. A run feeds each site in one strategy: fresh values every
//! time, values kept for a while, a resting value with rare pulses, one value throughout, or a ramp.

use super::tuning::TUNING;
use plumb_exec::{InputSource, InputValue, RegionFill, Rng, float_bits, foreign_pointer};
use plumb_ir::index::TiVec;
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::{Program, foreign_addresses};
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use std::ops::Range;

/// What kind of values a site takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    Int {
        bits: u32,
        signed: bool,
    },
    Float(FloatFormat),
    Pointer,
    /// A pointer that may lead to memory from outside.
    ForeignPointer {
        start: u64,
        end: u64,
    },
    Region,
}

/// A site's number: two's complement in the reading of its type.
pub type Number = i128;

#[derive(Clone, Debug)]
pub struct Site {
    pub domain: Domain,
    /// Memory that happens to be arbitrary: zero in most runs, as compiled programs can be made to have it.
    pub is_incidental: bool,
    is_argument: bool,
    /// A value that the library's model leaves open and no real library need return: no violation may rest on it.
    pub is_loose: bool,
    /// What assumptions have left of the type's range.
    low: Number,
    high: Number,
    /// What its values are compared with.
    pub constants: Vec<Number>,
    credit: [u32; STRATEGY_COUNT],
    draws: [u32; DRAWS],
    /// Values that were in use when something new happened, the last ones.
    good: Vec<Number>,
    next_good: usize,
}

// No knobs: how many strategies there are (`InputStrategy::index`), and how many ways of drawing a value (`Site::draw`).
const STRATEGY_COUNT: usize = 5;
const DRAWS: usize = 7;

/// How a run feeds a site.
#[derive(Clone, Copy, PartialEq, Debug)]
enum InputStrategy {
    Fresh,
    /// A new value after about so many.
    Hold {
        every: u64,
    },
    /// Another value once in so many.
    Pulse {
        every: u64,
    },
    Fixed,
    Ramp {
        step: i64,
    },
}

impl InputStrategy {
    fn index(self) -> usize {
        match self {
            InputStrategy::Fresh => 0,
            InputStrategy::Hold { .. } => 1,
            InputStrategy::Pulse { .. } => 2,
            InputStrategy::Fixed => 3,
            InputStrategy::Ramp { .. } => 4,
        }
    }
}

impl Site {
    pub fn new(site: &InputSite, program: &Program) -> Site {
        let domain = match site.ty {
            None => Domain::Region,
            Some(Ty::Ptr) if program.foreign_memory().is_some() => {
                let Range { start, end } = foreign_addresses(&program.target);
                Domain::ForeignPointer { start, end }
            }
            Some(Ty::Ptr) => Domain::Pointer,
            Some(Ty::Float(format)) => Domain::Float(format),
            Some(Ty::Int(_)) if site.is_bool => Domain::Int { bits: 1, signed: false },
            Some(ty @ Ty::Int(_)) => Domain::Int { bits: ty.bits(&program.target), signed: site.is_signed },
        };
        let is_incidental = site.origin.is_garbage();
        let is_argument = site.origin == InputOrigin::MainArgument;
        let is_loose = site.origin.is_open(site.ty);
        let (low, high) = domain.range();
        Site {
            domain,
            is_incidental,
            is_argument,
            is_loose,
            low,
            high,
            constants: Vec::new(),
            credit: [TUNING.min_credit; STRATEGY_COUNT],
            draws: [TUNING.min_credit; DRAWS],
            good: Vec::new(),
            next_good: 0,
        }
    }

    /// Takes note of an assumption about the site's values. One that contradicts the others puts an end to them: the site
    /// is used in different ways.
    pub fn restrict(&mut self, low: Number, high: Number) {
        let (low, high) = (self.low.max(low), self.high.min(high));
        (self.low, self.high) = if low <= high { (low, high) } else { self.domain.range() };
    }

    pub fn add_constant(&mut self, constant: Number) {
        let (low, high) = self.domain.range();
        if self.constants.len() < TUNING.max_constants
            && (low..=high).contains(&constant)
            && !self.constants.contains(&constant)
        {
            self.constants.push(constant);
        }
    }

    /// Joins what another search has learned.
    pub fn merge(&mut self, other: &Site) {
        self.restrict(other.low, other.high);
        other.constants.iter().for_each(|c| self.add_constant(*c));
    }

    fn strategy(&self, rng: &mut Rng) -> InputStrategy {
        let every = 2 << rng.below(9);
        match weighted(&self.credit, rng) {
            0 => InputStrategy::Fresh,
            1 => InputStrategy::Hold { every },
            2 => InputStrategy::Pulse { every },
            3 => InputStrategy::Fixed,
            _ => InputStrategy::Ramp { step: if rng.below(2) == 0 { 1 } else { -1 } * (1 << rng.below(4)) },
        }
    }

    /// Draws a value. Gives with it how it was drawn.
    fn draw(&self, pool: &[Number], rng: &mut Rng) -> (Bits, usize) {
        match self.domain {
            Domain::Int { bits, signed } => {
                let (number, how) = self.number(pool, rng);
                let (low, high) = (self.low, self.high);
                let number = if (low..=high).contains(&number) { number } else { within(low, high, rng) };
                debug_assert!(signed || number >= 0);
                (Bits::new(number as u128, bits), how)
            }
            Domain::Float(format) => (float_bits(self.float(rng), format), 0),
            Domain::ForeignPointer { start, end } => (null_or_foreign(rng, start..end), 0),
            Domain::Pointer | Domain::Region => (Bits::ZERO, 0),
        }
    }

    fn number(&self, pool: &[Number], rng: &mut Rng) -> (Number, usize) {
        let how = weighted(&self.draws, rng);
        let around = |rng: &mut Rng| rng.below(3) as Number - 1;
        let number = match how {
            0 => within(self.low, self.high, rng),
            1 if !self.constants.is_empty() => pick(&self.constants, rng),
            2 if !self.constants.is_empty() => pick(&self.constants, rng) + around(rng),
            3 if !pool.is_empty() => pick(pool, rng) + around(rng),
            4 => match rng.below(4) {
                0 => self.low,
                1 => self.high,
                2 => self.low + (rng.below(4) as Number),
                _ => self.high - (rng.below(4) as Number),
            },
            5 if !self.good.is_empty() => pick(&self.good, rng),
            _ => rng.below(12) as Number - if self.low < 0 { 4 } else { 0 },
        };
        (number, how)
    }

    fn float(&self, rng: &mut Rng) -> f64 {
        let small = rng.below(41) as f64 - 20.0;
        match rng.below(16) {
            0..=3 => small,
            4..=6 => small + rng.below(1 << 20) as f64 / (1 << 20) as f64,
            7 if !self.constants.is_empty() => pick(&self.constants, rng) as f64,
            7..=8 => small * 1e3,
            9 => 0.0,
            10 => f64::from_bits(rng.next()),
            11 => f32::from_bits(rng.next() as u32) as f64,
            12 => [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0][rng.below(4) as usize],
            13 => [f32::MAX as f64, f64::MAX, f64::MIN_POSITIVE, f32::MIN_POSITIVE as f64][rng.below(4) as usize],
            _ => (rng.below(1 << 24) as f64 / (1 << 24) as f64) * 4.0 - 2.0,
        }
    }

    fn reward(&mut self, strategy: InputStrategy, draw: usize, value: Option<Bits>) {
        if let (Some(value), Domain::Int { bits, signed }) = (value, self.domain) {
            let number = if signed { value.signed(bits) } else { value.u128() as Number };
            match self.good.get_mut(self.next_good % TUNING.max_good_values) {
                Some(old) => *old = number,
                None => self.good.push(number),
            }
            self.next_good = (self.next_good + 1) % TUNING.max_good_values;
        }
        for (list, i) in [(&mut self.credit[..], strategy.index()), (&mut self.draws[..], draw)] {
            list[i] += 1;
            if list[i] >= TUNING.max_credit {
                list.iter_mut().for_each(|c| *c = (*c / 2).max(TUNING.min_credit));
            }
        }
    }
}

impl Domain {
    /// Bits of a scalar; `None` of what has no number.
    pub fn bits(self) -> Option<u32> {
        match self {
            Domain::Int { bits, .. } => Some(bits),
            Domain::Float(FloatFormat::F32) => Some(32),
            Domain::Float(_) => Some(64),
            Domain::Pointer | Domain::ForeignPointer { .. } | Domain::Region => None,
        }
    }

    fn range(self) -> (Number, Number) {
        match self {
            Domain::Int { bits, signed: true } => (-(1 << (bits.min(64) - 1)), (1 << (bits.min(64) - 1)) - 1),
            Domain::Int { bits, signed: false } => (0, (1 << bits.min(64)) - 1),
            Domain::Float(_) => (-(1 << 62), 1 << 62),
            Domain::Pointer | Domain::ForeignPointer { .. } | Domain::Region => (0, 0),
        }
    }
}

/// Null, or memory from outside that no other pointer leads to, unless by chance.
fn null_or_foreign(rng: &mut Rng, addresses: Range<u64>) -> Bits {
    if rng.below(TUNING.null_every) == 0 { Bits::ZERO } else { Bits::new(foreign_pointer(rng, &addresses).into(), 64) }
}

/// Any number between two, small ranges evenly, large ones by magnitude as often as not.
fn within(low: Number, high: Number, rng: &mut Rng) -> Number {
    let size = (high - low) as u128 + 1;
    let any = rng.next() as u128 | (rng.next() as u128) << 64;
    if size > 1 << 20 && rng.below(2) == 0 {
        let number = (any as i64 >> (1 + rng.below(62))) as Number;
        if (low..=high).contains(&number) {
            return number;
        }
    }
    low + (any % size) as Number
}

fn pick(list: &[Number], rng: &mut Rng) -> Number {
    list[rng.below(list.len() as u64) as usize]
}

fn weighted(weights: &[u32], rng: &mut Rng) -> usize {
    let total: u32 = weights.iter().sum();
    let mut at = rng.below(total as u64) as u32;
    for (i, weight) in weights.iter().enumerate() {
        match at.checked_sub(*weight) {
            Some(rest) => at = rest,
            None => return i,
        }
    }
    0
}

/// One input of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    pub id: InputId,
    pub value: InputValue,
}

/// The values alone, as a script.
pub fn values(given: &[Given]) -> Vec<InputValue> {
    given.iter().map(|g| g.value.clone()).collect()
}

/// A site during a run.
#[derive(Clone, Copy, Debug)]
struct Feeding {
    strategy: InputStrategy,
    value: Option<Bits>,
    draw: usize,
    used: bool,
}

/// Feeds a run: first from a script, then in the strategy of each site; keeps all it gave.
pub struct Feeder {
    pub sites: TiVec<InputId, Site>,
    pool: Vec<Number>,
    rng: Rng,
    feeding: TiVec<InputId, Feeding>,
    /// Arbitrary memory is zero in this run.
    zero_memory: bool,
    no_arguments: bool,
    script: Vec<InputValue>,
    at: usize,
    pub given: Vec<Given>,
}

impl Feeder {
    pub fn new(program: &Program, pool: Vec<Number>, seed: u64) -> Feeder {
        let sites: TiVec<InputId, Site> = program.inputs.iter().map(|site| Site::new(site, program)).collect();
        let none = Feeding { strategy: InputStrategy::Fresh, value: None, draw: 0, used: false };
        Feeder {
            feeding: vec![none; sites.len()].into(),
            sites,
            pool,
            rng: Rng(seed),
            zero_memory: true,
            no_arguments: true,
            script: Vec::new(),
            at: 0,
            given: Vec::new(),
        }
    }

    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// Chooses a strategy for every site. Some runs hold all that they can, so that what counts time gets on.
    pub fn begin_run(&mut self) {
        let calm = self.rng.below(4) == 0;
        self.zero_memory = self.rng.below(8) != 0;
        self.no_arguments = self.rng.below(4) != 0;
        for (site, feeding) in self.sites.iter().zip(&mut self.feeding) {
            let strategy = match calm {
                true if self.rng.below(4) != 0 => InputStrategy::Fixed,
                true => InputStrategy::Hold { every: 64 << self.rng.below(4) },
                false => site.strategy(&mut self.rng),
            };
            // At rest most things read zero.
            let rest = calm && self.rng.below(2) == 0 && (site.low..=site.high).contains(&0);
            let value = rest.then_some(Bits::ZERO);
            *feeding = Feeding { strategy, value, draw: 0, used: false };
        }
        self.set_script(&[]);
        self.given.clear();
        self.given.shrink_to(TUNING.usual_inputs);
    }

    /// What to give first from now on.
    pub fn set_script(&mut self, values: &[InputValue]) {
        self.script.clear();
        self.script.extend_from_slice(values);
        self.at = 0;
    }

    /// The way the sites were fed has led to something new.
    pub fn reward(&mut self) {
        for (site, feeding) in self.sites.iter_mut().zip(&mut self.feeding) {
            if std::mem::replace(&mut feeding.used, false) {
                site.reward(feeding.strategy, feeding.draw, feeding.value);
            }
        }
    }

    /// Another value for a site, whatever its strategy.
    pub fn redraw(&mut self, id: InputId) -> InputValue {
        let site = &self.sites[id];
        match site.domain {
            Domain::Region => InputValue::Region(RegionFill::Pattern(self.rng.next())),
            Domain::Int { .. } | Domain::Float(_) | Domain::Pointer | Domain::ForeignPointer { .. } => {
                InputValue::Scalar(site.draw(&self.pool, &mut self.rng).0)
            }
        }
    }

    fn scripted(&mut self) -> Option<InputValue> {
        let value = self.script.get(self.at).cloned();
        self.at += value.is_some() as usize;
        value
    }

    fn fresh(&mut self, id: InputId) -> Bits {
        let site = &self.sites[id];
        let feeding = &mut self.feeding[id];
        if site.is_incidental && self.zero_memory || site.is_argument && self.no_arguments {
            return Bits::ZERO;
        }
        feeding.used = true;
        let mut draw = |rng: &mut Rng| {
            let (value, how) = site.draw(&self.pool, rng);
            feeding.draw = how;
            value
        };
        let Some(last) = feeding.value else {
            let value = draw(&mut self.rng);
            feeding.value = Some(value);
            return value;
        };
        match feeding.strategy {
            InputStrategy::Fresh => draw(&mut self.rng),
            InputStrategy::Fixed => last,
            InputStrategy::Hold { every } => {
                if self.rng.below(every) == 0 {
                    feeding.value = Some(draw(&mut self.rng));
                }
                feeding.value.unwrap_or(last)
            }
            InputStrategy::Pulse { every } => match self.rng.below(every) {
                0 => draw(&mut self.rng),
                _ => last,
            },
            InputStrategy::Ramp { step } => match site.domain {
                Domain::Int { bits, signed } => {
                    let number = if signed { last.signed(bits) } else { last.u128() as Number } + step as Number;
                    let number = if (site.low..=site.high).contains(&number) { number } else { site.low };
                    let value = Bits::new(number as u128, bits);
                    feeding.value = Some(value);
                    value
                }
                Domain::Float(_) | Domain::Pointer | Domain::ForeignPointer { .. } | Domain::Region => {
                    draw(&mut self.rng)
                }
            },
        }
    }
}

impl InputSource for Feeder {
    fn scalar(&mut self, id: InputId, _: &InputSite) -> Option<Bits> {
        if self.given.len() >= TUNING.max_inputs {
            return None;
        }
        let value = match self.scripted() {
            Some(InputValue::Scalar(bits)) => bits,
            // The path has changed: the script no longer fits.
            Some(InputValue::Region(_)) | None => self.fresh(id),
        };
        self.given.push(Given { id, value: InputValue::Scalar(value) });
        Some(value)
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        let is_foreign = site.origin == InputOrigin::ForeignMemory;
        let fill = match self.scripted() {
            Some(InputValue::Region(fill)) => fill,
            Some(InputValue::Scalar(_)) | None if is_foreign => RegionFill::Pattern(self.rng.next()),
            Some(InputValue::Scalar(_)) | None => {
                let zero = self.sites[id].is_incidental && self.zero_memory;
                match zero || size > TUNING.largest_pattern || self.rng.below(2) == 0 {
                    true => RegionFill::Zero,
                    false => RegionFill::Pattern(self.rng.next()),
                }
            }
        };
        // What is kept does not depend on the generator's ways.
        let kept = match fill {
            RegionFill::Zero => RegionFill::Zero,
            // The rest is zero anyway, and may be huge.
            RegionFill::Bytes(mut bytes) => {
                bytes.truncate(usize::try_from(size).unwrap_or(usize::MAX));
                RegionFill::Bytes(bytes)
            }
            RegionFill::Pattern(_) if is_foreign => fill,
            RegionFill::Sparse(_) => fill,
            RegionFill::Pattern(_) if size > TUNING.largest_pattern => RegionFill::Zero,
            RegionFill::Pattern(_) => RegionFill::Bytes(fill.bytes(size as usize)),
        };
        self.given.push(Given { id, value: InputValue::Region(kept.clone()) });
        Some(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_scripts_for_huge_regions_stay_short() {
        let script = [RegionFill::Bytes(vec![1, 2, 3]), RegionFill::Pattern(7), RegionFill::Bytes(vec![4; 9])];
        let mut feeder = Feeder {
            feeding: TiVec::new(),
            sites: TiVec::new(),
            pool: Vec::new(),
            rng: Rng(0),
            zero_memory: true,
            no_arguments: true,
            script: script.map(InputValue::Region).to_vec(),
            at: 0,
            given: Vec::new(),
        };
        let site = InputSite {
            origin: InputOrigin::FreshMemory,
            ty: None,
            cty: None,
            part: None,
            is_signed: false,
            is_bool: false,
            span: plumb_c::source::Span::NONE,
        };
        let mut ask = |size| feeder.region(InputId(0), &site, size);
        assert_eq!(ask(1 << 50), Some(RegionFill::Bytes(vec![1, 2, 3])));
        assert_eq!(ask(1 << 50), Some(RegionFill::Zero));
        assert_eq!(ask(2), Some(RegionFill::Bytes(vec![4; 2])));
    }
}
