//! Points: what is sampled, and what of it facts may relate.

/// A variable of a point, by its place in the list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatFormat {
    F32,
    F64,
}

/// What one value is. Every value is a bit pattern in a `u64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Scalar {
    /// Of 1 to 64 bits, in two's complement.
    Int {
        bits: u32,
        signed: bool,
    },
    /// 0 or 1.
    Bool,
    Float(FloatFormat),
    /// An address, 0 being null. Only pointers of one class are compared, and only for equality.
    Pointer {
        class: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    Scalar(Scalar),
    /// With a length the array always has that many elements; without one its size is sampled and facts speak of it.
    Array {
        element: Scalar,
        len: Option<u32>,
    },
}

/// What a variable is to the function that the point belongs to. The filter of unrelated variables goes by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Role {
    /// At an exit: a value that there was at the entry.
    Old,
    Entry,
    /// At a point in between, such as a loop head.
    State,
    Exit,
    Result,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// As facts are printed.
    pub name: String,
    pub sort: Sort,
    pub role: Role,
    /// Variables of different groups are not related with each other.
    pub group: u32,
    /// Whether the function changes what the variable stands for.
    pub updated: bool,
}

impl Variable {
    pub fn new(name: &str, sort: Sort, role: Role) -> Variable {
        Variable { name: name.to_string(), sort, role, group: 0, updated: false }
    }

    pub fn scalar(name: &str, scalar: Scalar) -> Variable {
        Variable::new(name, Sort::Scalar(scalar), Role::State)
    }
}

/// A place at which samples are taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Point {
    pub variables: Vec<Variable>,
}

impl Point {
    pub fn new(variables: Vec<Variable>) -> Point {
        Point { variables }
    }

    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub fn ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.variables.len() as u32).map(VarId)
    }
}

/// The number that stands for a float which is not one. No other value has it.
pub(crate) const NAN: i128 = i128::MAX;

impl Scalar {
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Int { bits, .. } => bits,
            Scalar::Bool => 1,
            Scalar::Float(FloatFormat::F32) => 32,
            Scalar::Float(FloatFormat::F64) | Scalar::Pointer { .. } => 64,
        }
    }

    /// All bits of the sort.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// Whether values are integers: facts treat truth values as 0 and 1.
    pub fn is_integer(self) -> bool {
        matches!(self, Scalar::Int { .. } | Scalar::Bool)
    }

    /// The least and the greatest number of an integer sort.
    pub(crate) fn limits(self) -> (i128, i128) {
        match self {
            Scalar::Int { bits, signed: true } => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            _ => (0, self.mask() as i128),
        }
    }

    /// What a pattern means: integers as such, pointers as addresses, floats as a number that orders them as IEEE 754 does
    /// (both zeros have one number) and [`NAN`].
    pub fn number(self, pattern: u64) -> i128 {
        match self {
            Scalar::Int { bits, signed: true } => ((pattern << (64 - bits)) as i64 >> (64 - bits)) as i128,
            Scalar::Float(_) => float_number(self.float(pattern)),
            _ => pattern as i128,
        }
    }

    /// The pattern of a number of an integer sort.
    pub(crate) fn pattern(self, number: i128) -> u64 {
        number as u64 & self.mask()
    }

    /// The value of a float's pattern, which is exact for both formats.
    pub(crate) fn float(self, pattern: u64) -> f64 {
        match self {
            Scalar::Float(FloatFormat::F32) => f32::from_bits(pattern as u32) as f64,
            _ => f64::from_bits(pattern),
        }
    }

    /// Whether two values may be compared at all.
    pub(crate) fn comparable(self, other: Scalar) -> bool {
        match (self, other) {
            (Scalar::Pointer { class: a }, Scalar::Pointer { class: b }) => a == b,
            (Scalar::Float(_), Scalar::Float(_)) => true,
            _ => self.is_integer() && other.is_integer(),
        }
    }
}

pub(crate) fn float_number(value: f64) -> i128 {
    let magnitude = (value.to_bits() & (u64::MAX >> 1)) as i128;
    match () {
        _ if value.is_nan() => NAN,
        _ if value.is_sign_negative() => -magnitude,
        _ => magnitude,
    }
}

/// The float that a number stands for; zero is the positive one.
pub(crate) fn float_of_number(number: i128) -> f64 {
    let magnitude = f64::from_bits(number.unsigned_abs() as u64);
    if number < 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_as_their_sorts_say() {
        let byte = Scalar::Int { bits: 8, signed: true };
        assert_eq!(byte.number(0xff), -1);
        assert_eq!(byte.pattern(-1), 0xff);
        assert_eq!(byte.limits(), (-128, 127));
        let word = Scalar::Int { bits: 64, signed: false };
        assert_eq!(word.number(u64::MAX), u64::MAX as i128);
        assert_eq!(Scalar::Int { bits: 64, signed: true }.number(u64::MAX), -1);
    }

    #[test]
    fn floats_are_ordered_as_numbers() {
        let list = [f64::NEG_INFINITY, -1.5, -f64::MIN_POSITIVE, 0.0, 5e-324, 1.0, f64::INFINITY];
        assert!(list.iter().map(|v| float_number(*v)).is_sorted_by(|a, b| a < b));
        assert_eq!(float_number(-0.0), float_number(0.0));
        assert_eq!(float_number(f64::NAN), NAN);
        for value in list {
            assert_eq!(float_of_number(float_number(value)), value);
        }
        let single = Scalar::Float(FloatFormat::F32);
        assert_eq!(single.number(1.5f32.to_bits() as u64), float_number(1.5));
    }
}
