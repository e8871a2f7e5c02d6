//! Single and double precision through the host's floats, which are IEEE's. NaN results become canonical.

use crate::sort::Format;

fn single(value: f32) -> u128 {
    if value.is_nan() { Format::F32.canonical_nan() } else { value.to_bits() as u128 }
}

fn double(value: f64) -> u128 {
    if value.is_nan() { Format::F64.canonical_nan() } else { value.to_bits() as u128 }
}

pub fn ternary(
    format: Format,
    operands: [u128; 3],
    in_single: impl Fn(f32, f32, f32) -> f32,
    in_double: impl Fn(f64, f64, f64) -> f64,
) -> Option<u128> {
    match format {
        Format::F32 => {
            let [a, b, c] = operands.map(|bits| f32::from_bits(bits as u32));
            Some(single(in_single(a, b, c)))
        }
        Format::F64 => {
            let [a, b, c] = operands.map(|bits| f64::from_bits(bits as u64));
            Some(double(in_double(a, b, c)))
        }
        _ => None,
    }
}

pub fn binary(
    format: Format,
    a: u128,
    b: u128,
    in_single: impl Fn(f32, f32) -> f32,
    in_double: impl Fn(f64, f64) -> f64,
) -> Option<u128> {
    ternary(format, [a, b, 0], |x, y, _| in_single(x, y), |x, y, _| in_double(x, y))
}

pub fn unary(format: Format, a: u128, in_single: impl Fn(f32) -> f32, in_double: impl Fn(f64) -> f64) -> Option<u128> {
    ternary(format, [a, 0, 0], |x, _, _| in_single(x), |x, _, _| in_double(x))
}
