//! Facts as terms, exactly as [`Fact::holds`] means them.
//!
//! Values are bit-vectors of their patterns. Numbers are compared and added in as many bits as they need, so that nothing wraps
//! around: a sum of two 32-bit numbers has 34 bits, and the solver has little to do.

use super::tuning::TUNING;
use plumb_infer::{Arrangement, Fact, Linear, Point, Relation, Scalar, Term, VarId};
use plumb_term::{Format, TermId, Terms};

/// The patterns of a variable of a point.
#[derive(Clone, Debug)]
pub enum Shape {
    Scalar(TermId),
    /// Of an array with so many elements.
    Array(Vec<TermId>),
}

/// A point whose variables are terms.
pub struct Formulas<'a> {
    pub point: &'a Point,
    pub shapes: &'a [Shape],
}

/// A value: its sort and the bit-vector of its pattern.
type Typed = (Scalar, TermId);

impl Formulas<'_> {
    /// The condition that the fact holds; `None` where the point has no such fact, or numbers are too large.
    pub fn fact(&self, terms: &mut Terms, fact: &Fact) -> Option<TermId> {
        match fact {
            Fact::OneOf(term, patterns) => self.each(terms, *term, |terms, (scalar, value)| {
                let is_one = |pattern: &u64| equals_pattern(terms, scalar, value, *pattern);
                let list: Vec<TermId> = patterns.iter().map(is_one).collect();
                Some(terms.or_all(list))
            }),
            Fact::Differs(term, pattern) => self.each(terms, *term, |terms, (scalar, value)| {
                let is_equal = equals_pattern(terms, scalar, value, *pattern);
                Some(terms.not(is_equal))
            }),
            Fact::AtLeast(term, least) => self.each(terms, *term, |terms, value| at_least(terms, value, *least)),
            Fact::AtMost(term, most) => self.each(terms, *term, |terms, value| {
                let above = most.checked_add(1)?;
                let is_above = at_least(terms, value, above)?;
                Some(terms.not(is_above))
            }),
            Fact::NotNan(term) => self.each(terms, *term, |terms, value| {
                let value = float(terms, value)?;
                let is_nan = terms.float_is_nan(value);
                Some(terms.not(is_nan))
            }),
            Fact::FloatAtLeast(term, least) => self.each(terms, *term, |terms, value| {
                let (value, least) = (float(terms, value)?, terms.float_const(Format::F64, *least as u128));
                Some(terms.float_le(least, value))
            }),
            Fact::FloatAtMost(term, most) => self.each(terms, *term, |terms, value| {
                let (value, most) = (float(terms, value)?, terms.float_const(Format::F64, *most as u128));
                Some(terms.float_le(value, most))
            }),
            Fact::Remainder { term, modulus, remainder } => {
                self.each(terms, *term, |terms, value| leaves(terms, value, *modulus, *remainder))
            }
            Fact::Bits { term, mask, value } => self.each(terms, *term, |terms, (scalar, pattern)| {
                let masked = masked(terms, scalar, pattern, *mask);
                Some(equals_pattern(terms, scalar, masked, *value))
            }),
            Fact::Compare(a, relation, b) => self.pairs(terms, *a, *b, |terms, x, y| related(terms, *relation, x, y)),
            Fact::SameBits { left, right, mask } => self.pairs(terms, *left, *right, |terms, x, y| {
                let (a, b) = (masked(terms, x.0, x.1, *mask), masked(terms, y.0, y.1, *mask));
                let (a, b) = (terms.resize_unsigned(a, 64), terms.resize_unsigned(b, 64));
                Some(terms.eq(a, b))
            }),
            Fact::Linear(sum) => self.linear(terms, sum),
            Fact::LinearModulo(sum, bits) => self.linear_modulo(terms, sum, *bits),
            Fact::Arranged(array, arrangement) => {
                self.steps(terms, *array, |terms, a, b| arranged(terms, *arrangement, a, b))
            }
            Fact::Step(array, step) => self.steps(terms, *array, |terms, a, b| {
                let (a, b) = (number(terms, a, TUNING.sum_bits)?, number(terms, b, TUNING.sum_bits)?);
                let (difference, step) = (terms.bv_sub(b, a), terms.bv_signed(TUNING.sum_bits, *step));
                Some(terms.eq(difference, step))
            }),
            Fact::Indexed { array, factor, offset } => {
                let mut all = terms.bool_const(true);
                for (i, element) in self.elements(*array)?.into_iter().enumerate() {
                    let expected = factor.checked_mul(i as i128).and_then(|product| product.checked_add(*offset));
                    let is_equal = match expected {
                        Some(expected) => equals_number(terms, element, expected)?,
                        None => terms.bool_const(false),
                    };
                    all = terms.and(all, is_equal);
                }
                Some(all)
            }
            Fact::Pointwise(a, relation, b) => {
                let (a, b) = (self.elements(*a)?, self.elements(*b)?);
                if a.len() != b.len() {
                    return Some(terms.bool_const(false));
                }
                let mut all = terms.bool_const(true);
                for (x, y) in a.into_iter().zip(b) {
                    let holds = related(terms, *relation, x, y)?;
                    all = terms.and(all, holds);
                }
                Some(all)
            }
            Fact::Member(term, array) => {
                let elements = self.elements(*array)?;
                self.each(terms, *term, |terms, value| {
                    let mut any = terms.bool_const(false);
                    for element in &elements {
                        let is_equal = related(terms, Relation::Equal, value, *element)?;
                        any = terms.or(any, is_equal);
                    }
                    Some(any)
                })
            }
            Fact::Any(facts) => {
                let list: Option<Vec<TermId>> = facts.iter().map(|fact| self.fact(terms, fact)).collect();
                Some(terms.or_all(list?))
            }
            Fact::Implies(condition, fact) => {
                let (condition, fact) = (self.fact(terms, condition)?, self.fact(terms, fact)?);
                Some(terms.implies(condition, fact))
            }
        }
    }

    fn elements(&self, array: VarId) -> Option<Vec<Typed>> {
        let scalar = Term::Each(array).scalar(self.point)?;
        match &self.shapes[array.0 as usize] {
            Shape::Array(elements) => Some(elements.iter().map(|element| (scalar, *element)).collect()),
            Shape::Scalar(_) => None,
        }
    }

    /// What a term stands for: one value, or all elements.
    fn values(&self, terms: &mut Terms, term: Term) -> Option<Vec<Typed>> {
        let scalar = term.scalar(self.point)?;
        match (term, &self.shapes[term.variable().0 as usize]) {
            (Term::Var(_), Shape::Scalar(value)) => Some(vec![(scalar, *value)]),
            (Term::Size(_), Shape::Array(elements)) => {
                let size = terms.bv(scalar.bits(), elements.len() as u128);
                Some(vec![(scalar, size)])
            }
            (Term::Each(array), Shape::Array(_)) => self.elements(array),
            _ => None,
        }
    }

    fn each(
        &self,
        terms: &mut Terms,
        term: Term,
        mut condition: impl FnMut(&mut Terms, Typed) -> Option<TermId>,
    ) -> Option<TermId> {
        let mut all = terms.bool_const(true);
        for value in self.values(terms, term)? {
            let holds = condition(terms, value)?;
            all = terms.and(all, holds);
        }
        Some(all)
    }

    fn pairs(
        &self,
        terms: &mut Terms,
        a: Term,
        b: Term,
        mut condition: impl FnMut(&mut Terms, Typed, Typed) -> Option<TermId>,
    ) -> Option<TermId> {
        let others = self.values(terms, b)?;
        self.each(terms, a, |terms, x| {
            let mut all = terms.bool_const(true);
            for y in &others {
                let holds = condition(terms, x, *y)?;
                all = terms.and(all, holds);
            }
            Some(all)
        })
    }

    /// A condition on each pair of neighbours.
    fn steps(
        &self,
        terms: &mut Terms,
        array: VarId,
        mut condition: impl FnMut(&mut Terms, Typed, Typed) -> Option<TermId>,
    ) -> Option<TermId> {
        let mut all = terms.bool_const(true);
        for pair in self.elements(array)?.windows(2) {
            let holds = condition(terms, pair[0], pair[1])?;
            all = terms.and(all, holds);
        }
        Some(all)
    }

    /// A single integer.
    fn integer(&self, terms: &mut Terms, term: Term) -> Option<Typed> {
        match (term, &self.values(terms, term)?[..]) {
            (Term::Var(_) | Term::Size(_), [value]) if value.0.is_integer() => Some(*value),
            _ => None,
        }
    }

    fn linear(&self, terms: &mut Terms, sum: &Linear) -> Option<TermId> {
        // The largest that any part of the sum can be.
        let mut most = sum.constant().unsigned_abs();
        for (factor, term) in sum.terms() {
            let (scalar, _) = self.integer(terms, *term)?;
            let part = (factor.unsigned_abs() as u128).checked_mul(scalar.mask() as u128)?;
            most = most.checked_add(part)?;
        }
        let bits = 129 - most.leading_zeros();
        if bits > TUNING.sum_bits {
            return None;
        }
        let total = self.sum(terms, sum, bits)?;
        let zero = terms.bv(bits, 0);
        Some(terms.eq(total, zero))
    }

    fn linear_modulo(&self, terms: &mut Terms, sum: &Linear, bits: u32) -> Option<TermId> {
        match bits {
            0 => Some(terms.bool_const(true)),
            1..=64 => {
                let total = self.sum(terms, sum, bits)?;
                let zero = terms.bv(bits, 0);
                Some(terms.eq(total, zero))
            }
            65.. => None,
        }
    }

    /// The sum, cut to so many bits.
    fn sum(&self, terms: &mut Terms, sum: &Linear, bits: u32) -> Option<TermId> {
        let mut total = terms.bv_signed(bits, sum.constant());
        for (factor, term) in sum.terms() {
            let (scalar, value) = self.integer(terms, *term)?;
            let value = resized(terms, scalar, value, bits);
            let factor = terms.bv_signed(bits, *factor as i128);
            let part = terms.bv_mul(factor, value);
            total = terms.bv_add(total, part);
        }
        Some(total)
    }
}

fn is_signed(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Int { signed: true, .. })
}

/// A pattern made wider as its sort says, or cut.
fn resized(terms: &mut Terms, scalar: Scalar, value: TermId, bits: u32) -> TermId {
    match is_signed(scalar) {
        true => terms.resize_signed(value, bits),
        false => terms.resize_unsigned(value, bits),
    }
}

/// The number of an integer or an address.
fn number(terms: &mut Terms, (scalar, value): Typed, bits: u32) -> Option<TermId> {
    match scalar {
        Scalar::Float(_) => None,
        Scalar::Int { .. } | Scalar::Bool | Scalar::Pointer { .. } => Some(resized(terms, scalar, value, bits)),
    }
}

/// As a float of 64 bits, which holds the values of both formats.
fn float(terms: &mut Terms, (scalar, value): Typed) -> Option<TermId> {
    let Scalar::Float(format) = scalar else { return None };
    Some(match format {
        plumb_infer::FloatFormat::F64 => terms.float_from_bits(value, Format::F64),
        plumb_infer::FloatFormat::F32 => {
            let single = terms.float_from_bits(value, Format::F32);
            terms.float_to_float(single, Format::F64)
        }
    })
}

fn equals_pattern(terms: &mut Terms, scalar: Scalar, value: TermId, pattern: u64) -> TermId {
    if pattern & !scalar.mask() != 0 {
        return terms.bool_const(false);
    }
    let pattern = terms.bv(scalar.bits(), pattern as u128);
    terms.eq(value, pattern)
}

fn masked(terms: &mut Terms, scalar: Scalar, value: TermId, mask: u64) -> TermId {
    let mask = terms.bv(scalar.bits(), (mask & scalar.mask()) as u128);
    terms.bv_and(value, mask)
}

/// The least and the greatest number of an integer sort.
fn limits(scalar: Scalar) -> (i128, i128) {
    match scalar {
        Scalar::Int { bits, signed: true } => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        _ => (0, scalar.mask() as i128),
    }
}

fn equals_number(terms: &mut Terms, (scalar, value): Typed, expected: i128) -> Option<TermId> {
    let (least, most) = limits(scalar);
    match scalar.is_integer() {
        true if (least..=most).contains(&expected) => {
            Some(equals_pattern(terms, scalar, value, expected as u64 & scalar.mask()))
        }
        true => Some(terms.bool_const(false)),
        false => None,
    }
}

fn at_least(terms: &mut Terms, (scalar, value): Typed, bound: i128) -> Option<TermId> {
    if !scalar.is_integer() {
        return None;
    }
    let (least, most) = limits(scalar);
    if bound <= least || bound > most {
        return Some(terms.bool_const(bound <= least));
    }
    let bound = terms.bv_signed(scalar.bits(), bound);
    Some(if is_signed(scalar) { terms.bv_sge(value, bound) } else { terms.bv_uge(value, bound) })
}

/// Whether a number leaves a remainder, which is at least zero.
fn leaves(terms: &mut Terms, (scalar, value): Typed, modulus: u64, remainder: u64) -> Option<TermId> {
    if !scalar.is_integer() || modulus == 0 {
        return None;
    }
    if remainder >= modulus {
        return Some(terms.bool_const(false));
    }
    if modulus.is_power_of_two() {
        // Two's complement has the remainder in its lowest bits.
        let bits = modulus.trailing_zeros().max(1);
        let low = resized(terms, scalar, value, bits);
        let expected = terms.bv(bits, if modulus == 1 { 0 } else { remainder as u128 });
        return Some(if modulus == 1 { terms.bool_const(true) } else { terms.eq(low, expected) });
    }
    // Both the number and the modulus are positive or fit with a sign bit.
    let bits = scalar.bits().max(64 - modulus.leading_zeros()) + 1;
    let value = resized(terms, scalar, value, bits);
    let modulus = terms.bv(bits, modulus as u128);
    let rest = if is_signed(scalar) { terms.bv_srem(value, modulus) } else { terms.bv_urem(value, modulus) };
    let zero = terms.bv(bits, 0);
    let is_negative = terms.bv_slt(rest, zero);
    let shifted = terms.bv_add(rest, modulus);
    let rest = terms.ite(is_negative, shifted, rest);
    let expected = terms.bv(bits, remainder as u128);
    Some(terms.eq(rest, expected))
}

fn related(terms: &mut Terms, relation: Relation, a: Typed, b: Typed) -> Option<TermId> {
    if let (Some(x), Some(y)) = (float(terms, a), float(terms, b)) {
        return Some(match relation {
            Relation::Equal => terms.float_eq(x, y),
            Relation::Less => terms.float_lt(x, y),
            Relation::LessOrEqual => terms.float_le(x, y),
            Relation::NotEqual => {
                let is_equal = terms.float_eq(x, y);
                terms.not(is_equal)
            }
        });
    }
    let same = a.0.bits() == b.0.bits() && is_signed(a.0) == is_signed(b.0);
    // Numbers of different sorts have a sign and all their bits in one more.
    let bits = if same { a.0.bits() } else { a.0.bits().max(b.0.bits()) + 1 };
    let (x, y) = (number(terms, a, bits)?, number(terms, b, bits)?);
    let by_sign = !same || is_signed(a.0);
    Some(match relation {
        Relation::Equal => terms.eq(x, y),
        Relation::NotEqual => terms.ne(x, y),
        Relation::Less if by_sign => terms.bv_slt(x, y),
        Relation::Less => terms.bv_ult(x, y),
        Relation::LessOrEqual if by_sign => terms.bv_sle(x, y),
        Relation::LessOrEqual => terms.bv_ule(x, y),
    })
}

fn arranged(terms: &mut Terms, arrangement: Arrangement, a: Typed, b: Typed) -> Option<TermId> {
    match arrangement {
        Arrangement::Uniform => related(terms, Relation::Equal, a, b),
        Arrangement::StrictlyUp => related(terms, Relation::Less, a, b),
        Arrangement::StrictlyDown => related(terms, Relation::Less, b, a),
        Arrangement::Up => related(terms, Relation::LessOrEqual, a, b),
        Arrangement::Down => related(terms, Relation::LessOrEqual, b, a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_exec::Rng;
    use plumb_infer::{FloatFormat, Inference, Options, Role, Sample, Sort, Value, Variable};
    use plumb_term::{Assignment, BitVec, Evaluator, Value as TermValue};
    use std::collections::BTreeMap;

    const SCALARS: [Scalar; 8] = [
        Scalar::Int { bits: 8, signed: true },
        Scalar::Int { bits: 8, signed: false },
        Scalar::Int { bits: 32, signed: true },
        Scalar::Int { bits: 64, signed: true },
        Scalar::Int { bits: 64, signed: false },
        Scalar::Bool,
        Scalar::Float(FloatFormat::F32),
        Scalar::Float(FloatFormat::F64),
    ];

    fn pattern(rng: &mut Rng, scalar: Scalar) -> u64 {
        let float = [0.0, -0.0, 1.0, -1.5, f64::INFINITY, f64::NAN, 3.25][rng.below(7) as usize];
        let pattern = match scalar {
            Scalar::Float(FloatFormat::F32) => (float as f32).to_bits() as u64,
            Scalar::Float(FloatFormat::F64) => float.to_bits(),
            _ if rng.below(2) == 0 => rng.below(6).wrapping_sub(2),
            _ => rng.next(),
        };
        pattern & scalar.mask()
    }

    fn sample(rng: &mut Rng, point: &Point) -> Sample {
        let value = |variable: &Variable, rng: &mut Rng| match variable.sort {
            Sort::Scalar(scalar) => Value::Scalar(pattern(rng, scalar)),
            // Some arrays are sequences.
            Sort::Array { element, len } if element.is_integer() && rng.below(3) == 0 => {
                let (step, first) = (rng.below(3).wrapping_sub(1), rng.below(3));
                let value = |i: u32| first.wrapping_add(step.wrapping_mul(i as u64)) & element.mask();
                Value::Array((0..len.unwrap_or(0)).map(value).collect())
            }
            Sort::Array { element, len } => {
                Value::Array((0..len.unwrap_or(0)).map(|_| pattern(rng, element)).collect())
            }
        };
        Sample::new(point.variables.iter().map(|variable| value(variable, rng)).collect())
    }

    /// Facts of all constructors over scalars 0 and 1 and arrays 2 and 3.
    fn facts(rng: &mut Rng, point: &Point) -> Vec<Fact> {
        let vars = [Term::Var(VarId(0)), Term::Var(VarId(1)), Term::Each(VarId(2)), Term::Size(VarId(3))];
        let term = |rng: &mut Rng| vars[rng.below(4) as usize];
        let (t, u) = (term(rng), term(rng));
        let of = |term: Term, rng: &mut Rng| pattern(rng, term.scalar(point).unwrap_or(Scalar::Bool));
        let relations = [Relation::Equal, Relation::Less, Relation::LessOrEqual, Relation::NotEqual];
        let relation = relations[rng.below(4) as usize];
        let arrangements = [
            Arrangement::Uniform,
            Arrangement::StrictlyUp,
            Arrangement::StrictlyDown,
            Arrangement::Up,
            Arrangement::Down,
        ];
        let small = |rng: &mut Rng| rng.below(7) as i128 - 3;
        let modulus = 2 + rng.below(9);
        let mut list = vec![
            Fact::OneOf(t, vec![of(t, rng), of(t, rng)]),
            Fact::Differs(t, of(t, rng)),
            Fact::AtLeast(t, small(rng)),
            Fact::AtMost(t, if rng.below(2) == 0 { small(rng) } else { rng.next() as i128 }),
            Fact::NotNan(t),
            Fact::FloatAtLeast(t, 1.0f64.to_bits()),
            Fact::FloatAtMost(t, (-1.5f64).to_bits()),
            Fact::Remainder { term: t, modulus, remainder: rng.below(modulus) },
            Fact::Bits { term: t, mask: 5, value: rng.below(2) * 4 },
            Fact::Compare(t, relation, u),
            Fact::SameBits { left: t, right: u, mask: rng.below(16) },
            Fact::Arranged(VarId(2), arrangements[rng.below(5) as usize]),
            Fact::Step(VarId(2), small(rng)),
            Fact::Indexed { array: VarId(2), factor: small(rng), offset: small(rng) },
            Fact::Pointwise(VarId(2), relation, VarId(3)),
            Fact::Member(vars[rng.below(2) as usize], VarId(2)),
        ];
        if let Some(sum) = Linear::new([(small(rng), vars[0]), (small(rng), vars[1])], small(rng)) {
            list.push(Fact::Linear(sum.clone()));
            list.push(Fact::LinearModulo(sum, 1 + rng.below(33) as u32));
        }
        let (a, b) = (rng.below(list.len() as u64) as usize, rng.below(list.len() as u64) as usize);
        list.push(Fact::Any(vec![list[a].clone(), list[b].clone()]));
        list.push(Fact::Implies(Box::new(list[a].clone()), Box::new(list[b].clone())));
        list
    }

    fn name(fact: &Fact) -> &'static str {
        match fact {
            Fact::OneOf(..) => "OneOf",
            Fact::Compare(..) => "Compare",
            Fact::Linear(_) => "Linear",
            Fact::LinearModulo(..) => "LinearModulo",
            Fact::AtLeast(..) => "AtLeast",
            Fact::AtMost(..) => "AtMost",
            Fact::NotNan(_) => "NotNan",
            Fact::FloatAtLeast(..) => "FloatAtLeast",
            Fact::FloatAtMost(..) => "FloatAtMost",
            Fact::Differs(..) => "Differs",
            Fact::Remainder { .. } => "Remainder",
            Fact::Bits { .. } => "Bits",
            Fact::SameBits { .. } => "SameBits",
            Fact::Arranged(..) => "Arranged",
            Fact::Step(..) => "Step",
            Fact::Indexed { .. } => "Indexed",
            Fact::Pointwise(..) => "Pointwise",
            Fact::Member(..) => "Member",
            Fact::Any(_) => "Any",
            Fact::Implies(..) => "Implies",
        }
    }

    /// Symbols for the variables of a point, and their values in a sample.
    fn symbols(terms: &mut Terms, point: &Point, sample: &Sample) -> (Vec<Shape>, Assignment) {
        let mut values = Assignment::new();
        let mut symbol = |terms: &mut Terms, scalar: Scalar, pattern: u64| {
            let term = terms.fresh_symbol("v", plumb_term::Sort::Bv(scalar.bits()));
            if let Some(symbol) = terms.as_symbol(term) {
                values.set(symbol, TermValue::Bv(BitVec::new(scalar.bits(), pattern as u128)));
            }
            term
        };
        let shapes = point.variables.iter().zip(&sample.values).map(|(variable, value)| match (variable.sort, value) {
            (Sort::Scalar(scalar), Value::Scalar(pattern)) => Shape::Scalar(symbol(terms, scalar, *pattern)),
            (Sort::Array { element, .. }, Value::Array(list)) => {
                Shape::Array(list.iter().map(|pattern| symbol(terms, element, *pattern)).collect())
            }
            _ => panic!("the sample fits the point"),
        });
        (shapes.collect(), values)
    }

    fn check(point: &Point, sample: &Sample, fact: &Fact) -> Option<bool> {
        let mut terms = Terms::new();
        let (shapes, values) = symbols(&mut terms, point, sample);
        let term = Formulas { point, shapes: &shapes }.fact(&mut terms, fact)?;
        let (found, expected) = (Evaluator::new(&values).holds(&terms, term), fact.holds(point, sample));
        assert_eq!(found, expected, "{fact:?} of {sample:?} over {point:?}");
        Some(found)
    }

    #[test]
    fn terms_mean_what_facts_do() {
        let mut rng = Rng(7);
        let mut seen: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
        for _ in 0..4000 {
            let family = if rng.below(4) == 0 { &SCALARS[6..] } else { &SCALARS[..6] };
            let mut scalar = || family[rng.below(family.len() as u64) as usize];
            let (x, y, e) = (scalar(), scalar(), scalar());
            let array = |name: &str, len| Variable::new(name, Sort::Array { element: e, len: Some(len) }, Role::State);
            let other = if rng.below(8) == 0 { 2 } else { 3 };
            let point =
                Point::new(vec![Variable::scalar("x", x), Variable::scalar("y", y), array("a", 3), array("b", other)]);
            let sample = sample(&mut rng, &point);
            for fact in facts(&mut rng, &point) {
                if let Some(holds) = check(&point, &sample, &fact) {
                    seen.entry(name(&fact)).or_default()[usize::from(holds)] += 1;
                }
            }
        }
        assert_eq!(seen.len(), 20, "all constructors: {seen:?}");
        for (name, [no, yes]) in seen {
            assert!(no > 20 && yes > 20, "{name}: {no} false, {yes} true");
        }
    }

    /// What the inference reports has a term, and the term holds of the samples.
    #[test]
    fn inferred_facts_have_terms() {
        let int = Scalar::Int { bits: 32, signed: true };
        let point = Point::new(vec![Variable::scalar("x", int), Variable::scalar("y", int)]);
        let mut inference = Inference::new(point.clone(), Options::default());
        let samples: Vec<Sample> =
            (0..60u64).map(|i| Sample::of_scalars(&[i * 7 % 61, 2 * (i * 7 % 61) + 1])).collect();
        inference.add_many(&samples).expect("samples fit");
        let facts = inference.facts();
        assert!(!facts.is_empty());
        for likely in facts {
            assert_eq!(check(&point, &samples[3], &likely.fact), Some(true), "{:?}", likely.fact);
        }
    }
}
