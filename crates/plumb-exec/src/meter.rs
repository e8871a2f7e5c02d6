//! How near runs come to what they have not done yet: branches taken for the first time, and for every comparison that a
//! decision rests on the smallest distance to its holding and to its failing.
//!
//! Distances are those of search-based testing: `a < b` fails by `a - b + 1`, `a == b` by `|a - b|`; floats are as far
//! apart as there are floats between them. An image measures if it was compiled with [`crate::CompileOptions::measure`].

use plumb_ir::expr::{BinOp, Sign};
use plumb_ir::program::{EdgeId, FuncId};
use plumb_ir::ty::FloatFormat;

/// How the two registers of a comparison are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    Unsigned,
    /// Of so many bits.
    Signed(u32),
    F32,
    F64,
}

/// A comparison that a branch, assumption or check rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    pub func: FuncId,
    /// The edge whose condition it belongs to: of a decision, the first one.
    pub edge: EdgeId,
    /// `Eq`, `Ne`, `Lt` or `Le`.
    pub op: BinOp,
    pub reading: Reading,
    /// Of the operands.
    pub bits: u32,
    /// The second or first operand is a constant of the program.
    pub constant: bool,
}

/// A comparison that was made, while a log was kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compared {
    /// Index into [`crate::Image::comparisons`].
    pub comparison: u32,
    pub a: u64,
    pub b: u64,
}

/// Something that no run of this machine did before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// An edge of a decision was taken.
    Branch(FuncId, EdgeId),
    /// A comparison came nearer to holding, or to failing.
    Nearer { comparison: u32, holds: bool },
}

#[derive(Clone, Debug, Default)]
pub struct Meter {
    /// By comparison: the smallest distance to failing and to holding.
    best: Vec<[u64; 2]>,
    news: Vec<News>,
    log: Option<Vec<Compared>>,
}

/// A log keeps no more than so many comparisons, the last ones.
const LOG: usize = 1 << 16;
/// What nobody takes for so long need not be kept in full.
const NEWS: usize = 1 << 12;

impl Meter {
    pub(crate) fn new(comparisons: usize) -> Meter {
        Meter { best: vec![[u64::MAX; 2]; comparisons], news: Vec::new(), log: None }
    }

    /// The smallest distance of a comparison to holding or failing in any run so far.
    pub fn best(&self, comparison: u32, holds: bool) -> u64 {
        self.best.get(comparison as usize).map_or(u64::MAX, |b| b[holds as usize])
    }

    /// Takes over a distance that another machine has seen. Returns whether it is news.
    pub fn learn(&mut self, comparison: u32, holds: bool, distance: u64) -> bool {
        match self.best.get_mut(comparison as usize) {
            Some(best) if distance < best[holds as usize] => {
                best[holds as usize] = distance;
                true
            }
            Some(_) | None => false,
        }
    }

    /// What is new since the last call.
    pub fn take_news(&mut self, into: &mut Vec<News>) {
        into.clear();
        std::mem::swap(&mut self.news, into);
    }

    pub fn has_news(&self) -> bool {
        !self.news.is_empty()
    }

    /// Keeps a log from now on.
    pub fn start_log(&mut self) {
        self.log = Some(Vec::new());
    }

    /// Ends the log and returns it.
    pub fn end_log(&mut self) -> Vec<Compared> {
        self.log.take().unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn is_done(&self, comparison: u32) -> bool {
        self.best.get(comparison as usize) == Some(&[0, 0]) && self.log.is_none()
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn measure(&mut self, index: u32, comparison: &Comparison, a: u64, b: u64) {
        if let Some(log) = &mut self.log {
            if log.len() >= LOG {
                log.drain(..LOG / 2);
            }
            log.push(Compared { comparison: index, a, b });
        }
        let distances = comparison.distances(a, b);
        let Some(best) = self.best.get_mut(index as usize) else { return };
        for holds in [false, true] {
            if distances[holds as usize] < best[holds as usize] {
                best[holds as usize] = distances[holds as usize];
                if self.news.len() < NEWS {
                    self.news.push(News::Nearer { comparison: index, holds });
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn first(&mut self, func: FuncId, edge: EdgeId) {
        if self.news.len() < NEWS {
            self.news.push(News::Branch(func, edge));
        }
    }
}

impl Comparison {
    /// The distances to failing and to holding: one of them is 0.
    #[inline]
    pub fn distances(&self, a: u64, b: u64) -> [u64; 2] {
        let (Some(a), Some(b)) = (self.place(a), self.place(b)) else {
            // A NaN: unequal to everything, less than nothing.
            return if self.op == BinOp::Ne { [FARTHEST, 0] } else { [0, FARTHEST] };
        };
        let capped = |d: u64| d.min(FARTHEST);
        let less = |strict: u64| {
            let holds = if strict == 1 { a < b } else { a <= b };
            match holds {
                true => [capped(b - a).saturating_add(1 - strict), 0],
                false => [0, capped(a - b).saturating_add(strict)],
            }
        };
        match self.op {
            BinOp::Eq => [(a == b) as u64, self.unequal(a, b)],
            BinOp::Ne => [self.unequal(a, b), (a == b) as u64],
            BinOp::Lt => less(1),
            _ => less(0),
        }
    }

    /// Integers go round: the way over the end counts too.
    fn unequal(&self, a: u64, b: u64) -> u64 {
        let straight = a.abs_diff(b);
        match self.reading {
            Reading::Unsigned | Reading::Signed(_) if self.bits < 64 => straight.min((1 << self.bits) - straight),
            _ => straight.min(FARTHEST),
        }
    }

    /// Whether a comparison of these registers holds.
    pub fn holds(&self, a: u64, b: u64) -> bool {
        self.distances(a, b)[1] == 0
    }

    /// The place of a value on a line from 0 on. `None` for NaN.
    #[inline]
    fn place(&self, value: u64) -> Option<u64> {
        const MIDDLE: u64 = 1 << 63;
        match self.reading {
            Reading::Unsigned => Some(value),
            Reading::Signed(bits) => {
                let unused = 64 - bits.clamp(1, 64);
                Some((((value << unused) as i64 >> unused) as u64) ^ MIDDLE)
            }
            Reading::F32 => float_place(value as u32 as u64, 32, f32::from_bits(value as u32).is_nan()),
            Reading::F64 => float_place(value, 64, f64::from_bits(value).is_nan()),
        }
    }
}

/// Distances are no more than this, so that one more can be added.
const FARTHEST: u64 = u64::MAX / 2;

/// Floats in order of size are integers in order: the sign bit turns the rest round.
fn float_place(bits: u64, width: u32, is_nan: bool) -> Option<u64> {
    const MIDDLE: u64 = 1 << 63;
    let magnitude = bits & !(1 << (width - 1));
    let negative = bits >> (width - 1) & 1 != 0;
    (!is_nan).then_some(if negative { MIDDLE - magnitude } else { MIDDLE + magnitude })
}

impl Reading {
    pub(crate) fn of(sign: Sign, bits: u32) -> Reading {
        match sign {
            Sign::Signed => Reading::Signed(bits),
            Sign::Unsigned | Sign::Plain => Reading::Unsigned,
        }
    }

    pub(crate) fn float(format: FloatFormat) -> Option<Reading> {
        match format {
            FloatFormat::F32 => Some(Reading::F32),
            FloatFormat::F64 => Some(Reading::F64),
            FloatFormat::X87 => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(op: BinOp, reading: Reading) -> Comparison {
        Comparison { func: FuncId(0), edge: EdgeId(0), op, reading, bits: 32, constant: false }
    }

    #[test]
    fn exactly_one_distance_is_zero() {
        let values = [0u64, 1, 5, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];
        for op in [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le] {
            for reading in [Reading::Unsigned, Reading::Signed(32)] {
                for a in values {
                    for b in values {
                        let [fails, holds] = comparison(op, reading).distances(a, b);
                        assert!((fails == 0) != (holds == 0), "{op:?} {reading:?} {a} {b}");
                        let (x, y) = match reading {
                            Reading::Signed(_) => (a as i32 as i64, b as i32 as i64),
                            _ => (a as i64, b as i64),
                        };
                        let truth = match op {
                            BinOp::Eq => x == y,
                            BinOp::Ne => x != y,
                            BinOp::Lt => x < y,
                            _ => x <= y,
                        };
                        assert_eq!(holds == 0, truth, "{op:?} {reading:?} {a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn distances_of_floats_count_floats() {
        let less = comparison(BinOp::Lt, Reading::F64);
        assert_eq!(less.distances(1f64.to_bits(), 1f64.to_bits()), [0, 1]);
        assert_eq!(less.distances((-0f64).to_bits(), 0f64.to_bits()), [0, 1]);
        assert!(!less.holds(f64::NAN.to_bits(), 0));
        assert!(comparison(BinOp::Ne, Reading::F64).holds(f64::NAN.to_bits(), f64::NAN.to_bits()));
        let near = less.distances(2f64.to_bits(), 1f64.to_bits())[1];
        assert!(near < less.distances(3f64.to_bits(), 1f64.to_bits())[1]);
    }
}
