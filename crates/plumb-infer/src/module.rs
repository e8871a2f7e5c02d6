//! The module that rows span modulo two to a power: which linear equations hold of numbers that wrap around (Müller-Olm and
//! Seidl 2007; Howell 1986).
//!
//! Not every number has an inverse there, so that the echelon form has a row for each column whose leading entry is a power
//! of two, and with a row also its multiples whose leading entry vanishes are in the span of the rows below.

/// The rows of the form, by the column of their leading entry. A row's entries before that are zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    bits: u32,
    rows: Vec<Option<Vec<u64>>>,
    /// Columns whose leading entry is not 1 yet.
    unfinished: usize,
}

/// The column is the sum of factors times the others, and of the constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Congruence {
    pub column: usize,
    pub parts: Vec<(u64, usize)>,
    pub constant: u64,
}

impl Module {
    /// Of so many columns; numbers are taken modulo two to `bits`, which is 1 to 64.
    pub fn new(bits: u32, columns: usize) -> Module {
        Module { bits, rows: vec![None; columns], unfinished: columns }
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// Whether every row is in the span, so that no more equation holds than that zero is zero.
    pub fn is_everything(&self) -> bool {
        self.unfinished == 0
    }

    pub fn insert(&mut self, row: Vec<u64>) {
        let mask = self.mask();
        let mut waiting = vec![row.into_iter().map(|v| v & mask).collect::<Vec<u64>>()];
        while let Some(mut row) = waiting.pop() {
            let mut column = 0;
            while column < row.len() && !self.is_everything() {
                if row[column] == 0 {
                    column += 1;
                    continue;
                }
                match &mut self.rows[column] {
                    Some(known) if known[column].trailing_zeros() <= row[column].trailing_zeros() => {
                        let factor = row[column] >> known[column].trailing_zeros();
                        subtract(&mut row, known, factor, column, mask);
                        column += 1;
                    }
                    place => {
                        normalise(&mut row, column, mask);
                        let is_unit = row[column] == 1;
                        let order = self.bits - row[column].trailing_zeros();
                        self.unfinished -= usize::from(is_unit);
                        // What annihilates the leading entry gives a row of the columns behind it.
                        let vanishing =
                            (!is_unit).then(|| row.iter().map(|v| (v << order) & mask).collect::<Vec<u64>>());
                        let before = place.replace(row);
                        waiting.extend(vanishing);
                        waiting.extend(before);
                        break;
                    }
                }
            }
        }
    }

    /// Whether a row is in the span.
    pub fn contains(&self, mut row: Vec<u64>) -> bool {
        let mask = self.mask();
        row.iter_mut().for_each(|v| *v &= mask);
        for column in 0..row.len() {
            match &self.rows[column] {
                _ if row[column] == 0 => {}
                Some(known) if known[column].trailing_zeros() <= row[column].trailing_zeros() => {
                    let factor = row[column] >> known[column].trailing_zeros();
                    subtract(&mut row, known, factor, column, mask);
                }
                _ => return false,
            }
        }
        true
    }

    /// The same of some columns alone.
    fn project(&self, columns: &[usize]) -> Module {
        let mut small = Module::new(self.bits, columns.len());
        for row in self.rows.iter().flatten() {
            let part: Vec<u64> = columns.iter().map(|c| row[*c]).collect();
            if part.iter().any(|v| *v != 0) {
                small.insert(part);
            }
        }
        small
    }

    /// How the last of the columns listed is a sum of the others, the first of which is that of the constant 1.
    pub fn congruence(&self, columns: &[usize]) -> Option<Congruence> {
        let small = self.project(columns);
        let mask = self.mask();
        let last = columns.len() - 1;
        if small.rows[last].is_some() {
            return None;
        }
        // From the last row to the first: each determines the factor of its leading column.
        let mut factors = vec![0u64; last];
        for column in (0..last).rev() {
            let Some(row) = &small.rows[column] else { continue };
            let known = (column + 1..last).map(|c| row[c].wrapping_mul(factors[c])).fold(0, u64::wrapping_add);
            let rest = row[last].wrapping_sub(known) & mask;
            let power = row[column].trailing_zeros();
            if rest & (row[column] - 1) != 0 {
                return None;
            }
            // Determined modulo the order of the leading entry: the representative of least size.
            let order = self.bits - power;
            let factor = rest >> power;
            factors[column] = centred(factor, order) & mask;
        }
        let parts: Vec<(u64, usize)> =
            (1..last).map(|c| (factors[c], columns[c])).filter(|(factor, _)| *factor != 0).collect();
        Some(Congruence { column: columns[last], parts, constant: factors[0] })
    }
}

fn subtract(row: &mut [u64], known: &[u64], factor: u64, from: usize, mask: u64) {
    for (value, entry) in row[from..].iter_mut().zip(&known[from..]) {
        *value = value.wrapping_sub(factor.wrapping_mul(*entry)) & mask;
    }
}

/// Multiplies by a unit, so that the leading entry is a power of two.
fn normalise(row: &mut [u64], column: usize, mask: u64) {
    let unit = inverse(row[column] >> row[column].trailing_zeros());
    row.iter_mut().for_each(|v| *v = v.wrapping_mul(unit) & mask);
}

/// Of an odd number modulo 2^64, by Newton's iteration: each step doubles the bits that are right.
pub fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

/// A number of so many bits, sign-extended to 64.
pub fn centred(number: u64, bits: u32) -> u64 {
    match bits {
        0 => 0,
        _ => ((number << (64 - bits)) as i64 >> (64 - bits)) as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(bits: u32, rows: &[&[u64]]) -> Module {
        let mut module = Module::new(bits, rows[0].len());
        rows.iter().for_each(|row| module.insert(row.to_vec()));
        module
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 0xdead_beef, u64::MAX, 0x1234_5678_9abc_def1] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }

    #[test]
    fn a_span_is_what_brute_force_says() {
        // All combinations of two rows of three columns modulo 8.
        let rows: [&[u64]; 2] = [&[1, 2, 6], &[4, 2, 3]];
        let module = module(3, &rows);
        let mut spanned = [false; 512];
        for a in 0..8 {
            for b in 0..8 {
                let entry = |c: usize| (a * rows[0][c] + b * rows[1][c]) % 8;
                spanned[(entry(0) * 64 + entry(1) * 8 + entry(2)) as usize] = true;
            }
        }
        for (i, expected) in spanned.iter().enumerate() {
            let i = i as u64;
            assert_eq!(module.contains(vec![i / 64, i / 8 % 8, i % 8]), *expected, "{i}");
        }
    }

    #[test]
    fn wrapped_products_are_found() {
        let rows: Vec<Vec<u64>> = [3u64, 70, 200, 9, 255, 128].iter().map(|x| vec![1, *x, x * 77 + 5]).collect();
        let rows: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
        let found = module(8, &rows).congruence(&[0, 1, 2]).unwrap();
        assert_eq!(found, Congruence { column: 2, parts: vec![(77, 1)], constant: 5 });
        let other = module(8, &[&[1, 0, 0], &[1, 1, 0], &[1, 1, 1]]);
        assert_eq!(other.congruence(&[0, 1, 2]), None);
        assert!(other.is_everything());
    }
}
