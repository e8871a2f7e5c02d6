//! Values of terms.

use crate::bitvec::BitVec;
use crate::persistent::Map;
use crate::sort::{Format, Sort};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Bool(bool),
    Bv(BitVec),
    /// A pattern of the format's width.
    Float(Format, BitVec),
    Array(ArrayValue),
}

impl Value {
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bv(bits) => Sort::Bv(bits.width()),
            Value::Float(format, _) => Sort::Float(*format),
            Value::Array(array) => Sort::Array { index: array.index_width(), element: array.default().width() },
        }
    }

    /// False, zero, or an array of zeros.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(width) => Value::Bv(BitVec::zero(width)),
            Sort::Float(format) => Value::Float(format, BitVec::zero(format.width())),
            Sort::Array { index, element } => Value::Array(ArrayValue::new(index, BitVec::zero(element))),
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            Value::Bv(_) | Value::Float(..) | Value::Array(_) => None,
        }
    }

    /// A bit-vector, or a float's pattern.
    pub fn as_bits(&self) -> Option<&BitVec> {
        match self {
            Value::Bv(bits) | Value::Float(_, bits) => Some(bits),
            Value::Bool(_) | Value::Array(_) => None,
        }
    }

    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(array) => Some(array),
            Value::Bool(_) | Value::Bv(_) | Value::Float(..) => None,
        }
    }
}

/// An array as a default element and the entries that differ from it. Copies share their entries.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    index_width: u32,
    default: BitVec,
    entries: Map,
}

impl ArrayValue {
    pub fn new(index_width: u32, default: BitVec) -> ArrayValue {
        ArrayValue { index_width, default, entries: Map::default() }
    }

    pub fn index_width(&self) -> u32 {
        self.index_width
    }

    pub fn default(&self) -> &BitVec {
        &self.default
    }

    pub fn select(&self, index: &BitVec) -> &BitVec {
        self.entries.get(index).unwrap_or(&self.default)
    }

    #[must_use]
    pub fn store(&self, index: &BitVec, element: &BitVec) -> ArrayValue {
        let entries = self.entries.insert(index, element);
        ArrayValue { index_width: self.index_width, default: self.default.clone(), entries }
    }

    /// The entries that were stored, by index. Some may equal the default.
    pub fn entries(&self) -> Vec<(BitVec, BitVec)> {
        let mut entries = self.entries.entries();
        entries.sort_by(|(a, _), (b, _)| a.cmp_unsigned(b));
        entries
    }
}

/// Equal elements at every index: the defaults matter only where an index is in neither list.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        let (mine, theirs) = (self.entries.entries(), other.entries.entries());
        let agree = |(index, _): &(BitVec, BitVec)| self.select(index) == other.select(index);
        if !mine.iter().chain(&theirs).all(agree) {
            return false;
        }
        let more = theirs.iter().filter(|(index, _)| self.entries.get(index).is_none()).count();
        let covered = (mine.len() + more) as u128;
        let all = 1u128.checked_shl(self.index_width).unwrap_or(u128::MAX);
        covered == all || self.default == other.default
    }
}

impl Eq for ArrayValue {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_equal_by_their_elements() {
        let bits = |value| BitVec::new(8, value);
        let index = |value| BitVec::new(1, value);
        let a = ArrayValue::new(1, bits(7)).store(&index(0), &bits(1)).store(&index(1), &bits(2));
        let b = ArrayValue::new(1, bits(2)).store(&index(0), &bits(1));
        assert_eq!(a, b);
        assert_ne!(a, ArrayValue::new(1, bits(2)));
        assert_ne!(ArrayValue::new(1, bits(1)), ArrayValue::new(1, bits(2)));
        assert_eq!(ArrayValue::new(9, bits(1)).store(&BitVec::new(9, 3), &bits(1)), ArrayValue::new(9, bits(1)));
    }
}
