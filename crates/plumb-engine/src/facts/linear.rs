//! Linear combinations: what comparisons of the program, and conditions of predicates, are about.

use super::fact::{Quantity, Sum, View, read};
use plumb_ir::ty::Bits;
use std::collections::BTreeMap;

/// Multiples of quantities and a constant, added up modulo two to the width.
#[derive(Clone)]
pub struct Linear {
    pub width: u32,
    /// The factor of each; none is 0.
    pub parts: BTreeMap<Quantity, i64>,
    /// A pattern of the width.
    pub constant: u128,
}

impl Linear {
    pub fn constant(constant: u128, width: u32) -> Linear {
        Linear { width, parts: BTreeMap::new(), constant }
    }

    pub fn of(quantity: Quantity) -> Linear {
        Linear { width: quantity.width, parts: BTreeMap::from([(quantity, 1)]), constant: 0 }
    }

    /// A multiple of it; `None` where factors get too large.
    pub fn times(mut self, factor: i128) -> Option<Linear> {
        for own in self.parts.values_mut() {
            *own = i64::try_from(i128::from(*own).checked_mul(factor)?).ok()?;
        }
        self.parts.retain(|_, factor| *factor != 0);
        self.constant = Bits::new(self.constant.wrapping_mul(factor as u128), self.width).u128();
        Some(self)
    }

    /// With a multiple of another one of the same width.
    pub fn plus(mut self, factor: i128, other: Linear) -> Option<Linear> {
        let other = other.times(factor)?;
        for (quantity, factor) in other.parts {
            let own = self.parts.entry(quantity).or_insert(0);
            *own = own.checked_add(factor)?;
        }
        self.parts.retain(|_, factor| *factor != 0);
        self.constant = Bits::new(self.constant.wrapping_add(other.constant), self.width).u128();
        Some(self)
    }

    /// The number that it is, if it is about no quantity.
    pub fn number(&self, view: View) -> Option<i128> {
        self.parts.is_empty().then(|| read(self.constant, self.width, view))
    }

    pub fn without_constant(&self) -> Option<Sum> {
        Sum::new(self.parts.iter().map(|(quantity, factor)| (*factor, *quantity)).collect())
    }

    pub fn sum(&self) -> Option<Sum> {
        Some(self.without_constant()?.plus(self.constant as i128))
    }

    /// The sum and the value with which this and another one are equal.
    pub fn equation(self, other: Linear) -> Option<(Sum, u128)> {
        let difference = self.plus(-1, other)?;
        let value = Bits::new(difference.constant.wrapping_neg(), difference.width).u128();
        Some((difference.without_constant()?, value))
    }
}
