//! Random terms over a few symbols, every operator among them.

use plumb_solve::random::Random;
use plumb_term::{Format, Sort, TermId, Terms};

/// What kind of query to make.
#[derive(Clone, Debug)]
pub struct Profile {
    pub widths: Vec<u32>,
    pub formats: Vec<Format>,
    pub arrays: Vec<(u32, u32)>,
    /// Symbols per sort.
    pub symbols: u64,
    pub depth: u32,
    /// Remainders and roots of floats, which are hard for all solvers.
    pub heavy: bool,
}

pub struct Generator<'a> {
    pub terms: &'a mut Terms,
    pub random: &'a mut Random,
    pub profile: &'a Profile,
}

impl Generator<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    fn width(&mut self) -> u32 {
        let at = self.below(self.profile.widths.len());
        self.profile.widths[at]
    }

    fn format(&mut self) -> Option<Format> {
        let count = self.profile.formats.len();
        (count > 0).then(|| {
            let at = self.below(count);
            self.profile.formats[at]
        })
    }

    fn array(&mut self) -> Option<Sort> {
        let count = self.profile.arrays.len();
        (count > 0).then(|| {
            let at = self.below(count);
            let (index, element) = self.profile.arrays[at];
            Sort::Array { index, element }
        })
    }

    fn sort(&mut self) -> Sort {
        match self.below(8) {
            0 => Sort::Bool,
            1 | 2 => self.array().unwrap_or(Sort::Bool),
            3 | 4 => self.format().map_or(Sort::Bool, Sort::Float),
            _ => Sort::Bv(self.width()),
        }
    }

    pub fn symbol(&mut self, sort: Sort) -> TermId {
        let name = format!("{sort}_{}", self.random.below(self.profile.symbols));
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        self.terms.symbol(&name, sort)
    }

    fn leaf(&mut self, sort: Sort) -> TermId {
        if self.below(4) != 0 {
            return self.symbol(sort);
        }
        match sort {
            Sort::Bool => TermId::bool(self.below(2) == 0),
            Sort::Bv(width) => {
                let value = match self.below(3) {
                    0 => self.below(4) as u128,
                    1 => u128::MAX - self.below(3) as u128,
                    _ => self.random.wide(),
                };
                self.terms.bv(width, value)
            }
            Sort::Float(format) => {
                let pattern = match self.below(5) {
                    0 => 0,
                    1 => format.infinity(false),
                    2 => format.canonical_nan(),
                    // One.
                    3 => (format.bias() as u128) << (format.significand_bits() - 1),
                    _ => self.random.wide(),
                };
                let mask = u128::MAX >> (128 - format.width());
                self.terms.float_const(format, pattern & mask)
            }
            Sort::Array { index, element } => {
                let element = self.leaf(Sort::Bv(element));
                self.terms.const_array(index, element)
            }
        }
    }

    pub fn term(&mut self, sort: Sort, depth: u32) -> TermId {
        if depth == 0 || self.below(8) == 0 {
            return self.leaf(sort);
        }
        let depth = depth - 1;
        if self.below(8) == 0 {
            let (c, a, b) = (self.term(Sort::Bool, depth), self.term(sort, depth), self.term(sort, depth));
            return self.terms.ite(c, a, b);
        }
        match sort {
            Sort::Bool => self.truth(depth),
            Sort::Bv(width) => self.bits(width, depth),
            Sort::Float(format) => self.float(format, depth),
            Sort::Array { index, element } => {
                let array = self.term(sort, depth);
                let (at, value) = (self.term(Sort::Bv(index), depth), self.term(Sort::Bv(element), depth));
                self.terms.store(array, at, value)
            }
        }
    }

    fn truth(&mut self, depth: u32) -> TermId {
        match self.below(12) {
            0 => {
                let a = self.term(Sort::Bool, depth);
                self.terms.not(a)
            }
            1..=3 => {
                let (a, b) = (self.term(Sort::Bool, depth), self.term(Sort::Bool, depth));
                match self.below(3) {
                    0 => self.terms.and(a, b),
                    1 => self.terms.or(a, b),
                    _ => self.terms.xor(a, b),
                }
            }
            4 | 5 => {
                let sort = self.sort();
                let (a, b) = (self.term(sort, depth), self.term(sort, depth));
                self.terms.eq(a, b)
            }
            6 | 7 => match self.format() {
                Some(format) => self.float_truth(format, depth),
                None => self.term(Sort::Bool, depth),
            },
            _ => {
                let sort = Sort::Bv(self.width());
                let (a, b) = (self.term(sort, depth), self.term(sort, depth));
                match self.below(4) {
                    0 => self.terms.bv_ult(a, b),
                    1 => self.terms.bv_ule(a, b),
                    2 => self.terms.bv_slt(a, b),
                    _ => self.terms.bv_sle(a, b),
                }
            }
        }
    }

    fn float_truth(&mut self, format: Format, depth: u32) -> TermId {
        let a = self.term(Sort::Float(format), depth);
        match self.below(9) {
            0 => self.terms.float_is_nan(a),
            1 => self.terms.float_is_inf(a),
            2 => self.terms.float_is_normal(a),
            3 => self.terms.float_is_zero(a),
            4 => self.terms.float_is_negative(a),
            choice => {
                let b = self.term(Sort::Float(format), depth);
                match choice {
                    5 => self.terms.float_eq(a, b),
                    6 | 7 => self.terms.float_lt(a, b),
                    _ => self.terms.float_le(a, b),
                }
            }
        }
    }

    fn bits(&mut self, width: u32, depth: u32) -> TermId {
        let sort = Sort::Bv(width);
        match self.below(26) {
            0 => {
                let a = self.term(sort, depth);
                self.terms.bv_not(a)
            }
            1 => {
                let a = self.term(sort, depth);
                self.terms.bv_neg(a)
            }
            2 => {
                let wide = self.width().max(width);
                let lo = self.random.below((wide - width + 1) as u64) as u32;
                let a = self.term(Sort::Bv(wide), depth);
                self.terms.extract(a, lo + width - 1, lo)
            }
            3 if width > 1 => {
                let low = 1 + self.random.below(width as u64 - 1) as u32;
                let (a, b) = (self.term(Sort::Bv(width - low), depth), self.term(Sort::Bv(low), depth));
                self.terms.concat(a, b)
            }
            4 | 5 => {
                let narrow = self.width().min(width);
                let a = self.term(Sort::Bv(narrow), depth);
                if self.below(2) == 0 { self.terms.zero_extend(a, width) } else { self.terms.sign_extend(a, width) }
            }
            6..=8 => match self.array() {
                Some(sort @ Sort::Array { index, element }) => {
                    let (array, at) = (self.term(sort, depth), self.term(Sort::Bv(index), depth));
                    let value = self.terms.select(array, at);
                    if element < width {
                        self.terms.zero_extend(value, width)
                    } else {
                        self.terms.extract(value, width - 1, 0)
                    }
                }
                _ => self.leaf(sort),
            },
            9 => match self.format() {
                Some(format) => {
                    let a = self.term(Sort::Float(format), depth);
                    if format.width() == width {
                        return self.terms.float_to_bits(a);
                    }
                    let signed = self.below(2) == 0;
                    if self.below(2) == 0 {
                        self.terms.float_to_signed(a, width)
                    } else {
                        self.terms.float_to_int(a, signed, width)
                    }
                }
                None => self.leaf(sort),
            },
            10 => {
                let a = self.term(sort, depth);
                match self.below(3) {
                    0 => self.terms.bv_clz(a),
                    1 => self.terms.bv_ctz(a),
                    _ => self.terms.bv_popcount(a),
                }
            }
            choice => {
                let (a, b) = (self.term(sort, depth), self.term(sort, depth));
                match choice {
                    11 | 12 => self.terms.bv_add(a, b),
                    13 => self.terms.bv_sub(a, b),
                    14 | 15 => self.terms.bv_mul(a, b),
                    16 => self.terms.bv_udiv(a, b),
                    17 => self.terms.bv_urem(a, b),
                    18 => self.terms.bv_sdiv(a, b),
                    19 => self.terms.bv_srem(a, b),
                    20 => self.terms.bv_shl(a, b),
                    21 => self.terms.bv_lshr(a, b),
                    22 => self.terms.bv_ashr(a, b),
                    23 => self.terms.bv_and(a, b),
                    24 => self.terms.bv_or(a, b),
                    _ => self.terms.bv_xor(a, b),
                }
            }
        }
    }

    fn float(&mut self, format: Format, depth: u32) -> TermId {
        let sort = Sort::Float(format);
        let heavy = self.profile.heavy;
        match self.below(18) {
            0 => {
                let a = self.term(Sort::Bv(format.width()), depth);
                self.terms.float_from_bits(a, format)
            }
            1 => {
                let a = self.term(sort, depth);
                self.terms.float_neg(a)
            }
            2 => {
                let a = self.term(sort, depth);
                self.terms.float_abs(a)
            }
            3 | 4 => {
                let a = self.term(sort, depth);
                match self.below(5) {
                    0 => self.terms.float_floor(a),
                    1 => self.terms.float_ceil(a),
                    2 => self.terms.float_trunc(a),
                    3 => self.terms.float_round(a),
                    _ => self.terms.float_rint(a),
                }
            }
            5 => match self.format() {
                Some(from) => {
                    let a = self.term(Sort::Float(from), depth);
                    self.terms.float_to_float(a, format)
                }
                None => self.leaf(sort),
            },
            6 => {
                let width = self.width();
                let a = self.term(Sort::Bv(width), depth);
                if self.below(2) == 0 {
                    self.terms.signed_to_float(a, format)
                } else {
                    self.terms.unsigned_to_float(a, format)
                }
            }
            7 if heavy => {
                let a = self.term(sort, depth);
                self.terms.float_sqrt(a)
            }
            8 if heavy => {
                let (a, b, c) = (self.term(sort, depth), self.term(sort, depth), self.term(sort, depth));
                self.terms.float_fma(a, b, c)
            }
            choice => {
                let (a, b) = (self.term(sort, depth), self.term(sort, depth));
                match choice {
                    9 | 10 => self.terms.float_add(a, b),
                    11 => self.terms.float_sub(a, b),
                    12 => self.terms.float_mul(a, b),
                    13 => self.terms.float_min(a, b),
                    14 => self.terms.float_max(a, b),
                    15 => self.terms.float_copysign(a, b),
                    16 if heavy => self.terms.float_rem(a, b),
                    17 if heavy => self.terms.float_ieee_rem(a, b),
                    7 | 16 => self.terms.float_div(a, b),
                    _ => self.terms.float_add(a, b),
                }
            }
        }
    }

    /// Assertions of a query.
    pub fn query(&mut self, count: u64) -> Vec<TermId> {
        let depth = self.profile.depth;
        (0..count).map(|_| self.term(Sort::Bool, depth)).collect()
    }
}
