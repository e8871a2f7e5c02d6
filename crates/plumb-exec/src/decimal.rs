//! Binary floats as exact decimal digits, for `printf`.
//!
//! A finite float is `mantissa * 2^exponent`. Multiplied by a power of ten (or, what is the same up to a power of two, of
//! five) it becomes an integer, whose digits are found by plain long arithmetic. C rounds the exact value to nearest,
//! ties to even.

/// The digits of a positive number, most significant first, without leading zeros: 0.d1d2d3... * 10^point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    pub digits: Vec<u8>,
    pub point: i32,
}

const BASE: u64 = 1_000_000_000;
const BASE_DIGITS: usize = 9;

/// Multiplies a number in base 10^9, least significant first.
fn multiply(number: &mut Vec<u32>, factor: u32) {
    let mut carry = 0u64;
    for part in number.iter_mut() {
        let value = *part as u64 * factor as u64 + carry;
        *part = (value % BASE) as u32;
        carry = value / BASE;
    }
    while carry > 0 {
        number.push((carry % BASE) as u32);
        carry /= BASE;
    }
}

fn multiply_power(number: &mut Vec<u32>, base: u32, chunk: u32, mut exponent: u32) {
    // `chunk` is the largest power whose value fits a factor.
    while exponent > 0 {
        let step = exponent.min(chunk);
        multiply(number, base.pow(step));
        exponent -= step;
    }
}

impl Decimal {
    /// The exact value of `mantissa * 2^exponent`.
    pub fn exact(mantissa: u64, exponent: i32) -> Decimal {
        let mut number: Vec<u32> = Vec::new();
        let mut rest = mantissa;
        while rest > 0 {
            number.push((rest % BASE) as u32);
            rest /= BASE;
        }
        // m * 2^-n = m * 5^n / 10^n
        let shift = if exponent >= 0 {
            multiply_power(&mut number, 2, 31, exponent as u32);
            0
        } else {
            multiply_power(&mut number, 5, 13, exponent.unsigned_abs());
            exponent
        };
        let mut digits = Vec::with_capacity(number.len() * BASE_DIGITS);
        for part in number.iter().rev() {
            digits.extend(format!("{part:09}").bytes().map(|b| b - b'0'));
        }
        let zeros = digits.iter().take_while(|d| **d == 0).count();
        digits.drain(..zeros);
        let point = digits.len() as i32 + shift;
        let mut decimal = Decimal { digits, point };
        decimal.trim();
        decimal
    }

    fn trim(&mut self) {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
    }

    /// Rounds to so many digits (none or fewer: to zero or a one just above), ties to even.
    pub fn round(&mut self, count: i64) {
        if count >= self.digits.len() as i64 {
            return;
        }
        if count < 0 {
            self.digits.clear();
            self.point = 0;
            return;
        }
        let count = count as usize;
        let half = self.digits[count..].iter().copied().eq([5]);
        let odd = count > 0 && self.digits[count - 1] % 2 == 1;
        let up = if half { odd } else { self.digits[count] >= 5 };
        self.digits.truncate(count);
        if up {
            match self.digits.iter().rposition(|d| *d != 9) {
                Some(at) => {
                    self.digits[at] += 1;
                    self.digits.truncate(at + 1);
                }
                None => {
                    self.digits = vec![1];
                    self.point += 1;
                }
            }
        }
        self.trim();
    }

    /// The digit for 10^power.
    pub fn digit(&self, power: i32) -> u8 {
        let at = self.point as i64 - 1 - power as i64;
        if at < 0 { 0 } else { self.digits.get(at as usize).copied().unwrap_or(0) }
    }

    /// The exponent of the first digit; 0 for zero.
    pub fn exponent(&self) -> i32 {
        if self.digits.is_empty() { 0 } else { self.point - 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(mut d: Decimal, places: i32) -> String {
        d.round(d.point as i64 + places as i64);
        let mut out = String::new();
        for power in (0..=d.exponent().max(0)).rev() {
            out.push((b'0' + d.digit(power)) as char);
        }
        out.push('.');
        (1..=places).for_each(|p| out.push((b'0' + d.digit(-p)) as char));
        out
    }

    #[test]
    fn agrees_with_the_standard_library_on_doubles() {
        let mut seed = 3u64;
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = f64::from_bits((seed >> 12) | ((1023 - 60 + (seed >> 5) % 120) << 52));
            let bits = value.to_bits();
            let exact = Decimal::exact((bits & ((1 << 52) - 1)) | 1 << 52, (bits >> 52) as i32 - 1075);
            for places in [1, 3, 6, 20] {
                assert_eq!(text(exact.clone(), places), format!("{value:.*}", places as usize));
            }
        }
    }

    #[test]
    fn ties_go_to_even() {
        assert_eq!(text(Decimal::exact(5, -1), 0), "2.");
        assert_eq!(text(Decimal::exact(7, -1), 0), "4.");
        assert_eq!(text(Decimal::exact(1, -1), 0), "0.");
        assert_eq!(text(Decimal::exact(3, -1), 0), "2.");
        assert_eq!(text(Decimal::exact(0, 0), 2), "0.00");
    }
}
