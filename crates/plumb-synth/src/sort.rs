//! Sorts and values: truth values, integers and bit-vectors, each of which fits into a lane of 64 bits.
//!
//! Integers are mathematical ones. A lane holds those of 64 bits with a sign; a term whose value on some example is larger
//! is not a candidate (see `column.rs`), so a lane never holds a wrong number.

use std::fmt;

/// Bit-vectors are at most this wide.
pub const MAX_WIDTH: u32 = 64;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    Int,
    /// Of 1 to [`MAX_WIDTH`] bits.
    Bv(u32),
}

impl Sort {
    /// The bits of a lane that values of this sort use.
    pub fn mask(self) -> u64 {
        match self {
            Sort::Bool => 1,
            Sort::Int => u64::MAX,
            Sort::Bv(width) => u64::MAX >> (MAX_WIDTH - width),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Bv(width) => write!(f, "(_ BitVec {width})"),
        }
    }
}

/// A value with its sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Value {
    sort: Sort,
    lane: u64,
}

impl Value {
    pub fn bool(value: bool) -> Value {
        Value { sort: Sort::Bool, lane: value as u64 }
    }

    pub fn int(value: i64) -> Value {
        Value { sort: Sort::Int, lane: value as u64 }
    }

    /// The low bits of a number.
    pub fn bv(width: u32, bits: u64) -> Value {
        Value::from_lane(Sort::Bv(width), bits)
    }

    /// The value that a lane of this sort holds; bits beyond the sort's are dropped.
    pub fn from_lane(sort: Sort, lane: u64) -> Value {
        Value { sort, lane: lane & sort.mask() }
    }

    pub fn sort(self) -> Sort {
        self.sort
    }

    pub fn lane(self) -> u64 {
        self.lane
    }

    /// The number that an integer is.
    pub fn as_int(self) -> Option<i64> {
        (self.sort == Sort::Int).then_some(self.lane as i64)
    }
}

/// As SMT-LIB writes constants.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sort {
            Sort::Bool => write!(f, "{}", self.lane != 0),
            Sort::Int => match self.lane as i64 {
                value if value < 0 => write!(f, "(- {})", value.unsigned_abs()),
                value => write!(f, "{value}"),
            },
            Sort::Bv(width) if width % 4 == 0 => write!(f, "#x{:01$x}", self.lane, width as usize / 4),
            Sort::Bv(width) => write!(f, "#b{:01$b}", self.lane, width as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_written_as_smt_lib_has_them() {
        let text = |value: Value| value.to_string();
        assert_eq!(text(Value::bool(true)), "true");
        assert_eq!(text(Value::int(-7)), "(- 7)");
        assert_eq!(text(Value::int(i64::MIN)), "(- 9223372036854775808)");
        assert_eq!(text(Value::bv(8, 0x1f5)), "#xf5");
        assert_eq!(text(Value::bv(3, 2)), "#b010");
    }
}
