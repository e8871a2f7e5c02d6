//! Where the values of inputs come from: a list, a seed, a callback; and a recorder around any of them.

use plumb_ir::input::{InputId, InputOrigin, InputSite};
pub use plumb_ir::input_value::{InputValue, RegionFill, Rng};
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use std::collections::VecDeque;

/// Answers the program's inputs. `None` ends the run as `NoInput`.
pub trait InputSource {
    /// A value of the site's type; bits above the type are dropped.
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits>;

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill>;
}

impl<S: InputSource + ?Sized> InputSource for Box<S> {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        (**self).scalar(id, site)
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        (**self).region(id, site, size)
    }
}

/// Zero everywhere.
pub struct ZeroInputs;

impl InputSource for ZeroInputs {
    fn scalar(&mut self, _: InputId, _: &InputSite) -> Option<Bits> {
        Some(Bits::ZERO)
    }

    fn region(&mut self, _: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        Some(RegionFill::Zero)
    }
}

/// Values in the order in which the program asks for them.
#[derive(Clone, Debug, Default)]
pub struct ListInputs {
    values: VecDeque<InputValue>,
    /// Whether zeros follow the list's end, instead of the end of the run.
    pub zeros_after: bool,
}

impl ListInputs {
    pub fn new(values: impl IntoIterator<Item = InputValue>) -> ListInputs {
        ListInputs { values: values.into_iter().collect(), zeros_after: false }
    }

    pub fn remaining(&self) -> usize {
        self.values.len()
    }
}

impl InputSource for ListInputs {
    fn scalar(&mut self, _: InputId, _: &InputSite) -> Option<Bits> {
        match self.values.pop_front() {
            Some(InputValue::Scalar(bits)) => Some(bits),
            // A list made for another program: bytes read as a number.
            Some(InputValue::Region(fill)) => {
                let bytes = fill.bytes(16);
                Some(Bits::new(bytes.iter().rev().fold(0u128, |v, b| v << 8 | *b as u128), 128))
            }
            None => self.zeros_after.then_some(Bits::ZERO),
        }
    }

    fn region(&mut self, _: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        match self.values.pop_front() {
            Some(InputValue::Region(fill)) => Some(fill),
            Some(InputValue::Scalar(bits)) => Some(RegionFill::Bytes(bits.u128().to_le_bytes().to_vec())),
            None => self.zeros_after.then_some(RegionFill::Zero),
        }
    }
}

/// Random values that lean to what programs compare with: small numbers and the edges of the type. The program gets no
/// arguments but its name, an empty one.
#[derive(Clone, Debug)]
pub struct SeedInputs {
    rng: Rng,
}

impl SeedInputs {
    pub fn new(seed: u64) -> SeedInputs {
        SeedInputs { rng: Rng(seed) }
    }

    fn integer(&mut self, bits: u32, signed: bool) -> u128 {
        let max = u128::MAX >> (128 - bits);
        let smallest = if signed { 1u128 << (bits - 1) } else { 0 };
        let wide = self.rng.next() as u128 | (self.rng.next() as u128) << 64;
        match self.rng.below(16) {
            0..=4 => wide % 16,
            5..=7 if signed => (wide % 16).wrapping_neg(),
            5..=8 => wide % 256,
            9 => smallest.wrapping_sub(1) & max,
            10 => smallest,
            11 => max,
            // A number of random magnitude.
            12..=13 => (wide & max) >> self.rng.below(bits as u64),
            _ => wide,
        }
    }

    fn float(&mut self, format: FloatFormat) -> f64 {
        let small = self.rng.below(41) as f64 - 20.0;
        match self.rng.below(12) {
            0..=3 => small,
            4..=6 => small + self.rng.below(1 << 20) as f64 / (1 << 20) as f64,
            7 => small * 1e3,
            8 => 0.0,
            9 => f64::from_bits(self.rng.next()),
            10 => f32::from_bits(self.rng.next() as u32) as f64,
            _ if format == FloatFormat::F32 => f32::MAX as f64,
            _ => f64::MAX,
        }
    }
}

/// The bits of a float in a format.
pub fn float_bits(value: f64, format: FloatFormat) -> Bits {
    match format {
        FloatFormat::F32 => Bits::new((value as f32).to_bits() as u128, 32),
        FloatFormat::F64 => Bits::new(value.to_bits() as u128, 64),
        FloatFormat::X87 => {
            plumb_ir::fold_float::convert(FloatFormat::F64, FloatFormat::X87, Bits::new(value.to_bits() as u128, 64))
        }
    }
}

impl InputSource for SeedInputs {
    fn scalar(&mut self, _: InputId, site: &InputSite) -> Option<Bits> {
        if site.origin == InputOrigin::MainArgument {
            return Some(Bits::ZERO);
        }
        if site.is_bool {
            return Some(Bits::new(self.rng.below(2) as u128, 1));
        }
        Some(match site.ty {
            Some(Ty::Float(format)) => {
                let value = self.float(format);
                float_bits(value, format)
            }
            Some(Ty::Int(bits)) => Bits::new(self.integer(bits as u32, site.is_signed), bits as u32),
            // A pointer from nowhere is null or points nowhere: either is an honest value.
            Some(Ty::Ptr) | None => Bits::ZERO,
        })
    }

    fn region(&mut self, _: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        // Zeros cost nothing, however many; a program may allocate as much as an input says.
        const LARGE: u64 = 1 << 16;
        Some(if site.origin == InputOrigin::MainArgument || size > LARGE || self.rng.below(2) == 0 {
            RegionFill::Zero
        } else {
            RegionFill::Pattern(self.rng.next())
        })
    }
}

/// Answers by calling a function. A value of the wrong kind, like none, ends the run.
pub struct FnInputs<F>(pub F);

impl<F: FnMut(InputId) -> Option<InputValue>> InputSource for FnInputs<F> {
    fn scalar(&mut self, id: InputId, _: &InputSite) -> Option<Bits> {
        match (self.0)(id)? {
            InputValue::Scalar(bits) => Some(bits),
            InputValue::Region(_) => None,
        }
    }

    fn region(&mut self, id: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        match (self.0)(id)? {
            InputValue::Region(fill) => Some(fill),
            InputValue::Scalar(_) => None,
        }
    }
}

/// Passes another source's answers on and keeps them: replaying the list gives the same run.
pub struct Recorder<S> {
    pub source: S,
    pub record: Vec<(InputId, InputValue)>,
}

impl<S> Recorder<S> {
    pub fn new(source: S) -> Recorder<S> {
        Recorder { source, record: Vec::new() }
    }

    pub fn replay(&self) -> ListInputs {
        ListInputs::new(self.record.iter().map(|(_, v)| v.clone()))
    }
}

impl<S: InputSource> InputSource for Recorder<S> {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        let value = self.source.scalar(id, site)?;
        self.record.push((id, InputValue::Scalar(value)));
        Some(value)
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        let fill = self.source.region(id, site, size)?;
        let kept = match &fill {
            RegionFill::Zero => RegionFill::Zero,
            RegionFill::Bytes(bytes) => RegionFill::Bytes(bytes.clone()),
            RegionFill::Sparse(bytes) => RegionFill::Sparse(bytes.clone()),
            // Memory from outside makes of its seed what it needs.
            RegionFill::Pattern(seed) if site.origin == InputOrigin::ForeignMemory => RegionFill::Pattern(*seed),
            RegionFill::Pattern(_) => RegionFill::Bytes(fill.bytes(size as usize)),
        };
        self.record.push((id, InputValue::Region(kept)));
        Some(fill)
    }
}
