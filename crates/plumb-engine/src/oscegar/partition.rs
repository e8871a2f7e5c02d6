//! The classes of values that a variable is distinguished by.
//!
//! The constants that an infeasible block compares a variable with are a class each. Where they are compared for order, as a loop compares its
//! counter, what lies between two of them in signed order is one more class each, and 0 is a constant: then comparisons of both
//! signednesses are the same for all values of a class. Otherwise all other values are one class.

use plumb_ir::ty::Bits;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Partition {
    constants: BTreeSet<u128>,
    is_ordered: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Constant(u128),
    /// None of the constants.
    Others,
    /// Strictly between these as signed numbers, as far as there are any.
    Between(Option<i128>, Option<i128>),
    /// Nothing is known.
    Any,
}

impl Partition {
    pub fn new(constants: BTreeSet<u128>, is_ordered: bool) -> Partition {
        let mut constants = constants;
        if is_ordered {
            constants.insert(0);
        }
        Partition { constants, is_ordered }
    }

    pub fn unordered(&self) -> Partition {
        Partition { is_ordered: false, ..self.clone() }
    }

    /// With the classes of another one, and no more than so many constants.
    pub fn union(&self, other: &Partition, most: usize) -> Partition {
        let constants = self.constants.union(&other.constants).copied().take(most).collect();
        Partition { constants, is_ordered: self.is_ordered || other.is_ordered }
    }

    pub fn is_empty(&self) -> bool {
        self.constants.is_empty()
    }

    pub fn constants(&self) -> impl Iterator<Item = u128> {
        self.constants.iter().copied()
    }

    pub fn has_constant(&self, value: u128) -> bool {
        self.constants.contains(&value)
    }

    /// All classes of values of a width.
    pub fn classes(&self, width: u32) -> Vec<Class> {
        let mut classes: Vec<Class> =
            self.constants().filter(|value| fits(*value, width)).map(Class::Constant).collect();
        match self.is_ordered {
            false => classes.push(Class::Others),
            true => {
                let bounds = self.bounds(width);
                let lows = [None].into_iter().chain(bounds.iter().copied().map(Some));
                let highs = bounds.iter().copied().map(Some).chain([None]);
                classes.extend(lows.zip(highs).map(|(low, high)| Class::Between(low, high)));
            }
        }
        classes
    }

    /// The class of a constant value of a width.
    pub fn class_of(&self, value: Bits, width: u32) -> Class {
        if self.has_constant(value.u128()) {
            return Class::Constant(value.u128());
        }
        if !self.is_ordered {
            return Class::Others;
        }
        let bounds = self.bounds(width);
        let signed = signed(value.u128(), width);
        Class::Between(
            bounds.iter().copied().filter(|bound| *bound < signed).max(),
            bounds.iter().copied().filter(|bound| *bound > signed).min(),
        )
    }

    /// The constants as signed numbers, the least first.
    fn bounds(&self, width: u32) -> Vec<i128> {
        let fitting = self.constants().filter(|value| fits(*value, width));
        let bounds: BTreeSet<i128> = fitting.map(|value| signed(value, width)).collect();
        bounds.into_iter().collect()
    }
}

fn fits(value: u128, width: u32) -> bool {
    width >= 128 || value >> width == 0
}

fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((value << unused) as i128) >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a value is in a class of a partition.
    fn contains(class: &Class, partition: &Partition, value: u128, width: u32) -> bool {
        let number = signed(value, width);
        match class {
            Class::Constant(constant) => *constant == value,
            Class::Others => !partition.has_constant(value),
            Class::Between(low, high) => low.is_none_or(|low| low < number) && high.is_none_or(|high| number < high),
            Class::Any => true,
        }
    }

    #[test]
    fn every_value_is_in_the_class_of_it_and_in_no_other() {
        for is_ordered in [false, true] {
            for constants in [vec![], vec![10], vec![0, 3, 200], vec![127, 128, 255], vec![1, 1000]] {
                let partition = Partition::new(constants.into_iter().collect(), is_ordered);
                let classes = partition.classes(8);
                for value in 0..256 {
                    let holding: Vec<&Class> =
                        classes.iter().filter(|class| contains(class, &partition, value, 8)).collect();
                    assert_eq!(holding, [&partition.class_of(Bits::new(value, 8), 8)]);
                }
            }
        }
    }

    #[test]
    fn values_of_a_class_compare_alike_with_its_constants() {
        let partition = Partition::new(BTreeSet::from([10, 250]), true);
        for class in partition.classes(8) {
            let members: Vec<u128> = (0..256).filter(|value| contains(&class, &partition, *value, 8)).collect();
            for constant in partition.constants() {
                let unsigned: BTreeSet<bool> = members.iter().map(|value| *value < constant).collect();
                let with_sign: BTreeSet<bool> =
                    members.iter().map(|value| signed(*value, 8) < signed(constant, 8)).collect();
                assert!(unsigned.len() <= 1 && with_sign.len() <= 1);
            }
        }
    }
}
