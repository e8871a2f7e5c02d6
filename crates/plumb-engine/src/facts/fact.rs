//! Facts about the states at a loop's head, in a small language.
//!
//! A fact is about *quantities*: numbers of a fixed width that every state at the head has. It can be evaluated on what a
//! run has there, and turned into a term over a symbolic state.

use plumb_ir::program::{ObjRef, VarRef};
use plumb_ir::ty::Bits;
use plumb_sym::{State, StatePart, Sym};
use plumb_term::{Sort, TermId};

/// A number that states at a head have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Quantity {
    pub part: StatePart,
    /// In bits, at most 64; in memory whole bytes.
    pub width: u32,
}

/// How the bits of quantities are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum View {
    Signed,
    Unsigned,
}

/// Multiples of quantities of one width and a constant, added up modulo two to the width. It is about one quantity at
/// least.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sum {
    parts: Vec<(i64, Quantity)>,
    /// A pattern of the width.
    constant: u128,
}

impl Sum {
    pub fn of(quantity: Quantity) -> Sum {
        Sum { parts: vec![(1, quantity)], constant: 0 }
    }

    /// `None` if there is nothing to add, or the widths differ.
    pub fn new(parts: Vec<(i64, Quantity)>) -> Option<Sum> {
        let width = parts.first()?.1.width;
        parts.iter().all(|(_, q)| q.width == width).then_some(Sum { parts, constant: 0 })
    }

    pub fn plus(mut self, number: i128) -> Sum {
        self.constant = Bits::new(self.constant.wrapping_add(number as u128), self.width()).u128();
        self
    }

    pub fn width(&self) -> u32 {
        self.parts[0].1.width
    }

    pub fn parts(&self) -> &[(i64, Quantity)] {
        &self.parts
    }

    /// The pattern that it is for given values; `None` where one is missing.
    pub fn value(&self, get: &dyn Fn(Quantity) -> Option<u128>) -> Option<u128> {
        let mut sum = self.constant;
        for (factor, quantity) in &self.parts {
            sum = sum.wrapping_add((*factor as i128 as u128).wrapping_mul(get(*quantity)?));
        }
        Some(Bits::new(sum, self.width()).u128())
    }

    fn term(&self, sym: &mut Sym, state: &State) -> Option<TermId> {
        let mut sum = sym.terms.bv(self.width(), self.constant);
        for (factor, quantity) in &self.parts {
            let part = quantity.term(sym, state)?;
            sum = match factor {
                1 => sym.terms.bv_add(sum, part),
                -1 => sym.terms.bv_sub(sum, part),
                _ => {
                    let factor = sym.terms.bv_signed(self.width(), *factor as i128);
                    let part = sym.terms.bv_mul(part, factor);
                    sym.terms.bv_add(sum, part)
                }
            };
        }
        Some(sum)
    }
}

impl Quantity {
    pub fn term(self, sym: &mut Sym, state: &State) -> Option<TermId> {
        let term = sym.part_term(state, self.part, self.width)?;
        Some(if sym.terms.sort(term) == Sort::Bool { sym.terms.bool_to_bv(term, 1) } else { term })
    }

    /// Whether all functions see it.
    pub fn is_static(self) -> bool {
        matches!(self.part, StatePart::Register(VarRef::Global(_)) | StatePart::Bytes(ObjRef::Global(_), _))
    }
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Fact {
    /// One of these patterns.
    OneOf(Sum, Vec<u128>),
    AtLeast(Sum, i128, View),
    AtMost(Sum, i128, View),
    /// Of two sums of one width.
    NotGreater(Sum, Sum, View),
    /// The sum, read unsigned, leaves a remainder. The divisor is not 0.
    Congruent(Sum, u64, u64),
    /// One of several holds.
    Any(Vec<Fact>),
    Not(Box<Fact>),
}

impl Fact {
    /// The first sum is less than the second, of the same width.
    pub fn less(a: Sum, b: Sum, view: View) -> Fact {
        Fact::NotGreater(b, a, view).negated()
    }

    /// The sum has one value.
    pub fn equals(sum: Sum, value: u128) -> Fact {
        Fact::OneOf(sum, vec![value])
    }

    pub fn negated(self) -> Fact {
        match self {
            Fact::Not(inner) => *inner,
            other => Fact::Not(Box::new(other)),
        }
    }

    /// Whether it holds for given values; `None` where a value is missing.
    pub fn holds(&self, get: &dyn Fn(Quantity) -> Option<u128>) -> Option<bool> {
        Some(match self {
            Fact::OneOf(sum, values) => values.contains(&sum.value(get)?),
            Fact::AtLeast(sum, number, view) => read(sum.value(get)?, sum.width(), *view) >= *number,
            Fact::AtMost(sum, number, view) => read(sum.value(get)?, sum.width(), *view) <= *number,
            Fact::NotGreater(a, b, view) => {
                read(a.value(get)?, a.width(), *view) <= read(b.value(get)?, b.width(), *view)
            }
            Fact::Congruent(sum, divisor, rest) => sum.value(get)? % *divisor as u128 == *rest as u128,
            Fact::Any(list) => {
                let each: Option<Vec<bool>> = list.iter().map(|one| one.holds(get)).collect();
                each?.contains(&true)
            }
            Fact::Not(inner) => !inner.holds(get)?,
        })
    }

    /// As a term; `None` if the state has no such quantity.
    pub fn term(&self, sym: &mut Sym, state: &State) -> Option<TermId> {
        Some(match self {
            Fact::OneOf(sum, values) => {
                let x = sum.term(sym, state)?;
                let is = |value: &u128| {
                    let value = sym.terms.bv(sum.width(), *value);
                    sym.terms.eq(x, value)
                };
                let list: Vec<TermId> = values.iter().map(is).collect();
                sym.terms.or_all(list)
            }
            Fact::AtLeast(sum, number, view) | Fact::AtMost(sum, number, view) => {
                let (x, number) = (sum.term(sym, state)?, sym.terms.bv_signed(sum.width(), *number));
                let (low, high) = if matches!(self, Fact::AtLeast(..)) { (number, x) } else { (x, number) };
                not_greater(sym, low, high, *view)
            }
            Fact::NotGreater(a, b, view) => {
                let (x, y) = (a.term(sym, state)?, b.term(sym, state)?);
                not_greater(sym, x, y, *view)
            }
            Fact::Congruent(sum, divisor, rest) => {
                let x = sum.term(sym, state)?;
                let width = sum.width();
                let x = if divisor.is_power_of_two() && *divisor > 1 {
                    sym.terms.extract(x, divisor.trailing_zeros() - 1, 0)
                } else {
                    let divisor = sym.terms.bv(width, *divisor as u128);
                    sym.terms.bv_urem(x, divisor)
                };
                let rest = sym.terms.bv(sym.terms.width(x), *rest as u128);
                sym.terms.eq(x, rest)
            }
            Fact::Any(list) => {
                let list: Option<Vec<TermId>> = list.iter().map(|one| one.term(sym, state)).collect();
                sym.terms.or_all(list?)
            }
            Fact::Not(inner) => {
                let inner = inner.term(sym, state)?;
                sym.terms.not(inner)
            }
        })
    }

    /// Whether a solver that works on bits is likely to take long with it: it multiplies or divides.
    pub fn is_hard(&self) -> bool {
        let multiplies = |sum: &Sum| sum.parts.iter().any(|(factor, _)| !factor.unsigned_abs().is_power_of_two());
        match self {
            Fact::OneOf(sum, _) | Fact::AtLeast(sum, _, _) | Fact::AtMost(sum, _, _) => multiplies(sum),
            Fact::NotGreater(a, b, _) => multiplies(a) || multiplies(b),
            Fact::Congruent(sum, divisor, _) => multiplies(sum) || !divisor.is_power_of_two(),
            Fact::Any(list) => list.iter().any(Fact::is_hard),
            Fact::Not(inner) => inner.is_hard(),
        }
    }

    /// The quantities that it is about.
    pub fn quantities(&self) -> Vec<Quantity> {
        match self {
            Fact::OneOf(sum, _) | Fact::Congruent(sum, _, _) | Fact::AtLeast(sum, _, _) | Fact::AtMost(sum, _, _) => {
                sum.parts.iter().map(|(_, q)| *q).collect()
            }
            Fact::NotGreater(a, b, _) => a.parts.iter().chain(&b.parts).map(|(_, q)| *q).collect(),
            Fact::Any(list) => list.iter().flat_map(Fact::quantities).collect(),
            Fact::Not(inner) => inner.quantities(),
        }
    }
}

/// A pattern as a number.
pub fn read(bits: u128, width: u32, view: View) -> i128 {
    match view {
        View::Signed => Bits::new(bits, width).signed(width),
        View::Unsigned => bits as i128,
    }
}

fn not_greater(sym: &mut Sym, a: TermId, b: TermId, view: View) -> TermId {
    match view {
        View::Signed => sym.terms.bv_sle(a, b),
        View::Unsigned => sym.terms.bv_ule(a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_ir::program::LocalVar;

    fn quantity(number: u32, width: u32) -> Quantity {
        Quantity { part: StatePart::Register(VarRef::Local(LocalVar(number))), width }
    }

    #[test]
    fn facts_are_evaluated_as_they_say() {
        let (x, y) = (quantity(0, 8), quantity(1, 8));
        let get = |values: [u128; 2]| move |q: Quantity| Some(values[usize::from(q == y)]);
        let holds = |fact: &Fact, values: [u128; 2]| fact.holds(&get(values));
        let sum = Sum::new(vec![(2, x), (-1, y)]).unwrap();
        let (x, y) = (Sum::of(x), Sum::of(y));
        assert_eq!(holds(&Fact::equals(sum.clone(), 3), [130, 1]), Some(true));
        assert_eq!(holds(&Fact::Congruent(sum, 4, 2), [3, 0]), Some(true));
        assert_eq!(holds(&Fact::AtMost(x.clone(), -1, View::Signed), [255, 0]), Some(true));
        assert_eq!(holds(&Fact::AtMost(x.clone(), 254, View::Unsigned), [255, 0]), Some(false));
        assert_eq!(holds(&Fact::less(x.clone(), y.clone(), View::Signed), [255, 0]), Some(true));
        assert_eq!(holds(&Fact::less(x.clone(), y.clone().plus(-1), View::Unsigned), [5, 0]), Some(true));
        assert_eq!(holds(&Fact::NotGreater(x.clone(), y.clone(), View::Unsigned), [255, 0]), Some(false));
        let either = Fact::Any(vec![Fact::AtLeast(x, 9, View::Signed), Fact::AtMost(y, 0, View::Signed).negated()]);
        assert_eq!(holds(&either, [0, 0]), Some(false));
        assert_eq!(holds(&either, [0, 1]), Some(true));
    }
}
