//! Random points and samples: small and large numbers, relations and noise.

#![allow(dead_code)]

use plumb_infer::{FloatFormat, Point, Role, Sample, Scalar, Sort, Value, Variable};

/// The same numbers for the same seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ b >> 31
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}

pub fn int(bits: u32, signed: bool) -> Scalar {
    Scalar::Int { bits, signed }
}

const SCALARS: [Scalar; 9] = [
    Scalar::Int { bits: 32, signed: true },
    Scalar::Int { bits: 32, signed: false },
    Scalar::Int { bits: 8, signed: true },
    Scalar::Int { bits: 8, signed: false },
    Scalar::Int { bits: 64, signed: true },
    Scalar::Int { bits: 64, signed: false },
    Scalar::Bool,
    Scalar::Pointer { class: 0 },
    Scalar::Float(FloatFormat::F64),
];

const ROLES: [Role; 5] = [Role::Old, Role::Entry, Role::State, Role::Exit, Role::Result];

/// A point of a few variables of all sorts.
pub fn point(random: &mut Random) -> Point {
    let count = 1 + random.below(6);
    let has_roles = random.below(3) == 0;
    let variable = |at: u64, random: &mut Random| {
        let scalar = random.pick(&SCALARS);
        let sort = match random.below(6) {
            0 => Sort::Array { element: scalar, len: [None, Some(3)][random.below(2) as usize] },
            _ => Sort::Scalar(scalar),
        };
        let role = if has_roles { random.pick(&ROLES) } else { Role::State };
        Variable {
            group: u32::from(random.below(8) == 0),
            updated: random.below(2) == 0,
            ..Variable::new(&format!("v{at}"), sort, role)
        }
    };
    Point::new((0..count).map(|at| variable(at, random)).collect())
}

const FLOATS: [f64; 10] =
    [0.0, -0.0, 1.0, -1.5, 2.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE, 1e300];

pub fn scalar(random: &mut Random, scalar: Scalar, style: u64) -> u64 {
    let pattern = match scalar {
        Scalar::Float(format) => {
            let value = match style {
                0 => random.pick(&FLOATS),
                1 => random.pick(&FLOATS[..5]),
                _ => random.below(1000) as f64 / 8.0 - 60.0,
            };
            match format {
                FloatFormat::F32 => (value as f32).to_bits() as u64,
                FloatFormat::F64 => value.to_bits(),
            }
        }
        Scalar::Pointer { .. } => random.below(3) * 0x1000,
        _ => match style {
            0 => random.next(),
            1 => random.below(3),
            2 => random.below(20).wrapping_sub(10),
            3 => 4 * random.below(9) + 1,
            _ => random.pick(&[0, 1, u64::MAX, 1 << 31, 1 << 63, 127, 128]),
        },
    };
    pattern & scalar.mask()
}

/// Samples in which some variables depend on earlier ones.
pub fn samples(random: &mut Random, point: &Point, count: usize) -> Vec<Sample> {
    let styles: Vec<(u64, u64, u64)> =
        point.variables.iter().map(|_| (random.below(5), random.below(8), random.below(7))).collect();
    (0..count).map(|_| sample(random, point, &styles)).collect()
}

fn sample(random: &mut Random, point: &Point, styles: &[(u64, u64, u64)]) -> Sample {
    let mut values: Vec<Value> = Vec::new();
    for (variable, (style, relation, constant)) in point.variables.iter().zip(styles) {
        let earlier = values.iter().rev().find_map(|value| match value {
            Value::Scalar(pattern) => Some(*pattern),
            Value::Array(_) => None,
        });
        let value = match variable.sort {
            Sort::Scalar(s @ Scalar::Int { .. }) => {
                let known = earlier.unwrap_or(*constant);
                Value::Scalar(
                    s.mask()
                        & match relation {
                            0 => known,
                            1 => known.wrapping_mul(3).wrapping_add(*constant),
                            2 => known.wrapping_add(random.below(5)),
                            3 => known & 0xf0 | random.below(16),
                            4 if random.below(2) == 0 => known,
                            4 => *constant,
                            _ => scalar(random, s, *style),
                        },
                )
            }
            Sort::Scalar(s) => match (relation, earlier) {
                (0..3, Some(known)) if variable.sort != Sort::Scalar(Scalar::Bool) => Value::Scalar(known & s.mask()),
                _ => Value::Scalar(scalar(random, s, *style)),
            },
            Sort::Array { element, len } => {
                let len = len.map_or_else(|| random.below(5), u64::from);
                let mut list: Vec<u64> = (0..len).map(|_| scalar(random, element, *style)).collect();
                match relation {
                    0 => list.sort(),
                    1 => list.iter_mut().enumerate().for_each(|(i, e)| *e = (i as u64 * 2 + 1) & element.mask()),
                    2 => list.iter_mut().for_each(|e| *e = *constant & element.mask() & 1),
                    _ => {}
                }
                Value::Array(list)
            }
        };
        values.push(value);
    }
    Sample::new(values)
}
