//! Random terms over all sorts, each with the values that its operators give on its operands' values: what the constructors
//! return must evaluate to the same.

use plumb_term::{
    Assignment, BinaryOp, BitVec, Evaluator, Format, Sort, TermId, Terms, UnaryOp, Value, eval, softfloat,
};

pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mixed = (self.0 ^ self.0 >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ mixed >> 33
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Extremes and small numbers as often as any.
    pub fn bits(&mut self, width: u32) -> BitVec {
        let any = BitVec::from_limbs(width, (0..width.div_ceil(64)).map(|_| self.next()).collect());
        match self.next() % 8 {
            0 => BitVec::zero(width),
            1 => BitVec::ones(width),
            2 => BitVec::one(width),
            3 => BitVec::min_signed(width),
            4 => BitVec::max_signed(width),
            5 => BitVec::one(width).shl_by(self.below(width as usize) as u32),
            _ => any,
        }
    }

    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.next().is_multiple_of(2)),
            Sort::Bv(width) => Value::Bv(self.bits(width)),
            Sort::Float(format) => Value::Float(format, BitVec::new(format.width(), self.float(format))),
            Sort::Array { index, element } => {
                let mut array = plumb_term::ArrayValue::new(index, self.bits(element));
                for _ in 0..self.below(4) {
                    array = array.store(&self.bits(index), &self.bits(element));
                }
                Value::Array(array)
            }
        }
    }

    fn float(&mut self, format: Format) -> u128 {
        let any = (self.next() as u128) << 64 | self.next() as u128;
        match self.next() % 8 {
            0 => any & format.sign_mask(),
            1 => format.infinity(any & 1 == 1),
            2 => format.canonical_nan(),
            // Small integers, which conversions and roundings like.
            3 | 4 => softfloat::from_integer(format, any & 1 == 1, &BitVec::new(8, any >> 1 & 7)),
            _ => any & (u128::MAX >> (128 - format.width())),
        }
    }
}

/// A term and its values under each of the assignments, found without it.
#[derive(Clone)]
pub struct Entry {
    pub term: TermId,
    pub values: Vec<Value>,
}

/// Which sorts the terms have.
pub struct Palette {
    pub widths: &'static [u32],
    pub formats: &'static [Format],
    pub arrays: &'static [(u32, u32)],
}

pub struct Garden<'a> {
    pub terms: Terms,
    pub random: Random,
    pub entries: Vec<Entry>,
    pub assignments: Vec<Assignment>,
    palette: &'a Palette,
}

impl<'a> Garden<'a> {
    pub fn new(seed: u64, palette: &'a Palette, assignments: usize) -> Garden<'a> {
        let mut garden = Garden {
            terms: Terms::new(),
            random: Random(seed),
            entries: Vec::new(),
            assignments: vec![Assignment::new(); assignments],
            palette,
        };
        for sort in garden.sorts() {
            for i in 0..2 {
                garden.symbol(&format!("{sort}_{i}"), sort);
            }
        }
        garden
    }

    fn sorts(&self) -> Vec<Sort> {
        let palette = self.palette;
        let mut sorts = vec![Sort::Bool];
        sorts.extend(palette.widths.iter().map(|width| Sort::Bv(*width)));
        sorts.extend(palette.formats.iter().map(|format| Sort::Float(*format)));
        sorts.extend(palette.arrays.iter().map(|(index, element)| Sort::Array { index: *index, element: *element }));
        sorts
    }

    fn symbol(&mut self, name: &str, sort: Sort) {
        let term = self.terms.symbol(name, sort);
        let symbol = self.terms.as_symbol(term).unwrap();
        let mut values = Vec::new();
        for assignment in &mut self.assignments {
            let value = self.random.value(sort);
            assignment.set(symbol, value.clone());
            values.push(value);
        }
        self.entries.push(Entry { term, values });
    }

    /// An entry of that sort: a constant, or one that is there already, recent ones rather than old ones.
    fn operand(&mut self, sort: Sort) -> Entry {
        let candidates: Vec<usize> =
            (0..self.entries.len()).filter(|i| self.terms.sort(self.entries[*i].term) == sort).collect();
        let is_array = matches!(sort, Sort::Array { .. });
        if candidates.is_empty() || !is_array && self.random.next().is_multiple_of(4) {
            let value = self.random.value(sort);
            let term = self.terms.value(&value);
            return Entry { term, values: vec![value; self.assignments.len()] };
        }
        let at = self.random.below(candidates.len()).max(self.random.below(candidates.len()));
        self.entries[candidates[at]].clone()
    }

    fn width(&mut self) -> u32 {
        self.random.pick(self.palette.widths)
    }

    /// Adds one term; false if the palette lacks what the drawn operator needs.
    pub fn grow(&mut self) -> bool {
        let entry = match self.random.next() % 16 {
            0..=2 => Some(self.ite()),
            3..=8 => self.bv(),
            9..=10 => Some(self.boolean()),
            11..=13 => self.float(),
            _ => self.array(),
        };
        let Some(entry) = entry else { return false };
        self.entries.push(entry);
        true
    }

    fn unary(&mut self, op: UnaryOp, a: Entry, sort: Sort, term: TermId) -> Entry {
        Entry { term, values: a.values.iter().map(|a| eval::unary(op, a, sort)).collect() }
    }

    fn binary(&mut self, op: BinaryOp, a: Entry, b: Entry, term: TermId) -> Entry {
        Entry { term, values: a.values.iter().zip(&b.values).map(|(a, b)| eval::binary(op, a, b)).collect() }
    }

    fn ite(&mut self) -> Entry {
        let sorts = self.sorts();
        let sort = self.random.pick(&sorts);
        let (c, a, b) = (self.operand(Sort::Bool), self.operand(sort), self.operand(sort));
        let term = self.terms.ite(c.term, a.term, b.term);
        let pick = |i: usize| if c.values[i] == Value::Bool(true) { a.values[i].clone() } else { b.values[i].clone() };
        Entry { term, values: (0..c.values.len()).map(pick).collect() }
    }

    fn boolean(&mut self) -> Entry {
        let (a, b) = (self.operand(Sort::Bool), self.operand(Sort::Bool));
        match self.random.next() % 4 {
            0 => {
                let term = self.terms.not(a.term);
                self.unary(UnaryOp::Not, a, Sort::Bool, term)
            }
            1 => {
                let term = self.terms.and(a.term, b.term);
                self.binary(BinaryOp::And, a, b, term)
            }
            2 => {
                let term = self.terms.or(a.term, b.term);
                self.binary(BinaryOp::Or, a, b, term)
            }
            _ => {
                let sorts = self.sorts();
                let sort = self.random.pick(&sorts);
                let (a, b) = (self.operand(sort), self.operand(sort));
                let term = self.terms.eq(a.term, b.term);
                self.binary(BinaryOp::Eq, a, b, term)
            }
        }
    }

    fn bv(&mut self) -> Option<Entry> {
        type Build = fn(&mut Terms, TermId, TermId) -> TermId;
        const BINARY: [(BinaryOp, Build); 17] = [
            (BinaryOp::BvAnd, Terms::bv_and),
            (BinaryOp::BvOr, Terms::bv_or),
            (BinaryOp::BvXor, Terms::bv_xor),
            (BinaryOp::BvAdd, Terms::bv_add),
            (BinaryOp::BvAdd, Terms::bv_add),
            (BinaryOp::BvSub, Terms::bv_sub),
            (BinaryOp::BvMul, Terms::bv_mul),
            (BinaryOp::BvUdiv, Terms::bv_udiv),
            (BinaryOp::BvUrem, Terms::bv_urem),
            (BinaryOp::BvSdiv, Terms::bv_sdiv),
            (BinaryOp::BvSrem, Terms::bv_srem),
            (BinaryOp::BvShl, Terms::bv_shl),
            (BinaryOp::BvLshr, Terms::bv_lshr),
            (BinaryOp::BvAshr, Terms::bv_ashr),
            (BinaryOp::BvUlt, Terms::bv_ult),
            (BinaryOp::BvSlt, Terms::bv_slt),
            (BinaryOp::Eq, Terms::eq),
        ];
        if self.palette.widths.is_empty() {
            return None;
        }
        let width = self.width();
        let a = self.operand(Sort::Bv(width));
        match self.random.next() % 12 {
            0 => {
                let term = self.terms.bv_not(a.term);
                Some(self.unary(UnaryOp::BvNot, a, Sort::Bv(width), term))
            }
            1 => {
                let term = self.terms.bv_neg(a.term);
                Some(self.unary(UnaryOp::BvNeg, a, Sort::Bv(width), term))
            }
            2 => self.extend(a, width),
            3 => self.extract(a, width),
            4 => self.concat(),
            _ => {
                let b = self.operand(Sort::Bv(width));
                let (op, build) = self.random.pick(&BINARY);
                let term = build(&mut self.terms, a.term, b.term);
                Some(self.binary(op, a, b, term))
            }
        }
    }

    fn extend(&mut self, a: Entry, width: u32) -> Option<Entry> {
        let wider: Vec<u32> = self.palette.widths.iter().copied().filter(|to| *to > width).collect();
        if wider.is_empty() {
            return None;
        }
        let to = self.random.pick(&wider);
        if self.random.next().is_multiple_of(2) {
            let term = self.terms.zero_extend(a.term, to);
            Some(self.unary(UnaryOp::ZeroExtend, a, Sort::Bv(to), term))
        } else {
            let term = self.terms.sign_extend(a.term, to);
            Some(self.unary(UnaryOp::SignExtend, a, Sort::Bv(to), term))
        }
    }

    fn extract(&mut self, a: Entry, width: u32) -> Option<Entry> {
        let narrower: Vec<u32> = self.palette.widths.iter().copied().filter(|to| *to < width).collect();
        if narrower.is_empty() {
            return None;
        }
        let to = self.random.pick(&narrower);
        let lo =
            if self.random.next().is_multiple_of(2) { 0 } else { self.random.below((width - to) as usize + 1) as u32 };
        let term = self.terms.extract(a.term, lo + to - 1, lo);
        let slice = |value: &Value| Value::Bv(value.as_bits().unwrap().extract(lo + to - 1, lo));
        Some(Entry { term, values: a.values.iter().map(slice).collect() })
    }

    fn concat(&mut self) -> Option<Entry> {
        let (high, low) = (self.width(), self.width());
        if !self.palette.widths.contains(&(high + low)) {
            return None;
        }
        let (a, b) = (self.operand(Sort::Bv(high)), self.operand(Sort::Bv(low)));
        let term = self.terms.concat(a.term, b.term);
        Some(self.binary(BinaryOp::Concat, a, b, term))
    }

    fn float(&mut self) -> Option<Entry> {
        type Build = fn(&mut Terms, TermId, TermId) -> TermId;
        const BINARY: [(BinaryOp, Build); 10] = [
            (BinaryOp::FloatAdd, Terms::float_add),
            (BinaryOp::FloatMul, Terms::float_mul),
            (BinaryOp::FloatDiv, Terms::float_div),
            (BinaryOp::FloatRem, Terms::float_rem),
            (BinaryOp::FloatIeeeRem, Terms::float_ieee_rem),
            (BinaryOp::FloatMin, Terms::float_min),
            (BinaryOp::FloatMax, Terms::float_max),
            (BinaryOp::FloatEq, Terms::float_eq),
            (BinaryOp::FloatLt, Terms::float_lt),
            (BinaryOp::FloatLe, Terms::float_le),
        ];
        if self.palette.formats.is_empty() {
            return None;
        }
        let format = self.random.pick(self.palette.formats);
        let sort = Sort::Float(format);
        let a = self.operand(sort);
        match self.random.next() % 10 {
            0..=3 => Some(self.float_unary(a, sort)),
            4 => {
                let (b, c) = (self.operand(sort), self.operand(sort));
                let term = self.terms.float_fma(a.term, b.term, c.term);
                let value = |i: usize| eval::fma(&a.values[i], &b.values[i], &c.values[i]);
                Some(Entry { term, values: (0..a.values.len()).map(value).collect() })
            }
            5 => Some(self.float_conversion(a, format)),
            6 => {
                let width = self.width();
                let a = self.operand(Sort::Bv(width));
                let (op, term) = if self.random.next().is_multiple_of(2) {
                    (UnaryOp::SignedToFloat, self.terms.signed_to_float(a.term, format))
                } else {
                    (UnaryOp::UnsignedToFloat, self.terms.unsigned_to_float(a.term, format))
                };
                Some(self.unary(op, a, sort, term))
            }
            _ => {
                let b = self.operand(sort);
                let (op, build) = self.random.pick(&BINARY);
                let term = build(&mut self.terms, a.term, b.term);
                Some(self.binary(op, a, b, term))
            }
        }
    }

    fn float_unary(&mut self, a: Entry, sort: Sort) -> Entry {
        type Build = fn(&mut Terms, TermId) -> TermId;
        const UNARY: [(UnaryOp, Build, bool); 13] = [
            (UnaryOp::FloatNeg, Terms::float_neg, false),
            (UnaryOp::FloatAbs, Terms::float_abs, false),
            (UnaryOp::FloatSqrt, Terms::float_sqrt, false),
            (UnaryOp::FloatFloor, Terms::float_floor, false),
            (UnaryOp::FloatCeil, Terms::float_ceil, false),
            (UnaryOp::FloatTrunc, Terms::float_trunc, false),
            (UnaryOp::FloatRound, Terms::float_round, false),
            (UnaryOp::FloatRint, Terms::float_rint, false),
            (UnaryOp::FloatIsNan, Terms::float_is_nan, true),
            (UnaryOp::FloatIsInf, Terms::float_is_inf, true),
            (UnaryOp::FloatIsNormal, Terms::float_is_normal, true),
            (UnaryOp::FloatIsZero, Terms::float_is_zero, true),
            (UnaryOp::FloatIsNegative, Terms::float_is_negative, true),
        ];
        let (op, build, is_test) = self.random.pick(&UNARY);
        let term = build(&mut self.terms, a.term);
        self.unary(op, a, if is_test { Sort::Bool } else { sort }, term)
    }

    fn float_conversion(&mut self, a: Entry, format: Format) -> Entry {
        match self.random.next() % 4 {
            0 => {
                let to = self.random.pick(self.palette.formats);
                let term = self.terms.float_to_float(a.term, to);
                // To the same format there is no conversion.
                if to == format {
                    Entry { term, ..a }
                } else {
                    self.unary(UnaryOp::FloatToFloat, a, Sort::Float(to), term)
                }
            }
            1 => {
                let width = self.width();
                let term = self.terms.float_to_signed(a.term, width);
                self.unary(UnaryOp::FloatToSigned, a, Sort::Bv(width), term)
            }
            2 => {
                let term = self.terms.float_to_bits(a.term);
                self.unary(UnaryOp::FloatToBits, a, Sort::Bv(format.width()), term)
            }
            _ => {
                let a = self.operand(Sort::Bv(format.width()));
                let term = self.terms.float_from_bits(a.term, format);
                self.unary(UnaryOp::FloatFromBits, a, Sort::Float(format), term)
            }
        }
    }

    fn array(&mut self) -> Option<Entry> {
        if self.palette.arrays.is_empty() {
            return None;
        }
        let (index, element) = self.random.pick(self.palette.arrays);
        let array = self.operand(Sort::Array { index, element });
        let at = self.operand(Sort::Bv(index));
        match self.random.next() % 5 {
            0 => {
                let a = self.operand(Sort::Bv(element));
                let term = self.terms.const_array(index, a.term);
                Some(self.unary(UnaryOp::ConstArray, a, Sort::Array { index, element }, term))
            }
            1 | 2 => {
                let term = self.terms.select(array.term, at.term);
                Some(self.binary(BinaryOp::Select, array, at, term))
            }
            _ => {
                let value = self.operand(Sort::Bv(element));
                let term = self.terms.store(array.term, at.term, value.term);
                let store = |i: usize| {
                    let (at, value) = (at.values[i].as_bits().unwrap(), value.values[i].as_bits().unwrap());
                    Value::Array(array.values[i].as_array().unwrap().store(at, value))
                };
                Some(Entry { term, values: (0..at.values.len()).map(store).collect() })
            }
        }
    }

    /// Every term evaluates to what its recipe gives.
    pub fn check(&self) {
        for (i, assignment) in self.assignments.iter().enumerate() {
            let mut evaluator = Evaluator::new(assignment);
            for entry in &self.entries {
                let found = evaluator.value(&self.terms, entry.term);
                assert_eq!(found, entry.values[i], "{:?} {:?}", entry.term, self.terms.kind(entry.term));
            }
        }
    }
}
