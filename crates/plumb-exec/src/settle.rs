//! Values that models of library functions leave open: here they have the values of the host's library, the one that a
//! program compiled on this machine would be linked with.
//!
//! To the program's semantics such a value is an input. To run the program the machine settles it, so that a run that
//! breaks a check does so with values that some library really returns. What the host cannot compute stays an input.
//!
//! Compilers and libraries for other machines settle the number behind the sign of `memcmp` in another way: as
//! 1 or -1. And they differ in the sign of a NaN that an operation gives: it hangs on which operand comes first and on what
//! the compiler takes for granted (that `x * x` is not negative). A machine can be told to do otherwise too
//! ([`Settling`]).

use crate::libm::Real;
use plumb_ir::input::{InputOrigin, InputSite};
use plumb_ir::ty::{Bits, Ty};

/// How values are settled that models leave open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Settling {
    #[default]
    AsHost,
    /// Integers of which C fixes the sign to 1 and -1, NaNs of operations with one sign, others as the host does.
    Otherwise { is_nan_negative: bool },
    /// Not at all: they are inputs, as they are to the program's semantics.
    AsInputs,
}

/// What settles an input. Arguments are those of the model that it is asked for in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Settled {
    Real(Real),
    /// The `int` is the model's first argument, or anything of its sign.
    Sign,
    /// The `int` is the model's first argument.
    Truth,
    /// The `unsigned` is what glibc's `rand_r` leaves behind the pointer to a seed, the model's first argument.
    NextSeed,
    /// The `unsigned` is what it returns.
    RandomOfSeed,
    /// The bytes are the words for the error number in the model's first argument.
    ErrorText,
}

impl Settled {
    pub fn of(site: &InputSite) -> Option<Settled> {
        let InputOrigin::Library(name) = &site.origin else { return None };
        match (site.ty, &**name) {
            (Some(Ty::Int(_)), "__plumb_open_sign") => Some(Settled::Sign),
            (Some(Ty::Int(_)), "__plumb_open_truth") => Some(Settled::Truth),
            (Some(Ty::Int(32)), "__plumb_open_next_seed") => Some(Settled::NextSeed),
            (Some(Ty::Int(32)), "__plumb_open_rand_r") => Some(Settled::RandomOfSeed),
            (None, "strerror") => Some(Settled::ErrorText),
            _ => Real::of(site).map(Settled::Real),
        }
    }

    /// Whether the model's parameters are what the value is computed from.
    pub fn takes(self, params: &[Ty]) -> bool {
        match self {
            Settled::Real(real) => !params.is_empty() && params.iter().all(|p| *p == Ty::Float(real.format())),
            Settled::Sign | Settled::Truth | Settled::ErrorText => matches!(params, [Ty::Int(16 | 32)]),
            Settled::NextSeed | Settled::RandomOfSeed => matches!(params, [Ty::Int(32)]),
        }
    }

    /// The scalar for arguments as they are in registers.
    pub fn scalar(self, settling: Settling, ty: Ty, bits: u32, a: u64, b: u64) -> Option<Bits> {
        match (self, ty) {
            _ if settling == Settling::AsInputs => None,
            (Settled::Real(real), _) => Some(real.value(a, b)),
            (Settled::Sign | Settled::Truth, Ty::Int(_)) => {
                let number = Bits::new(a as u128, bits).signed(bits);
                let to_unit = matches!((self, settling), (Settled::Sign, Settling::Otherwise { .. }));
                let number = if to_unit { number.signum() } else { number };
                Some(Bits::new(number as u128, bits))
            }
            (Settled::NextSeed, Ty::Int(_)) => Some(Bits::new(rand_r(a as u32).1.into(), bits)),
            (Settled::RandomOfSeed, Ty::Int(_)) => Some(Bits::new(rand_r(a as u32).0.into(), bits)),
            (Settled::Sign | Settled::Truth | Settled::NextSeed | Settled::RandomOfSeed, Ty::Float(_) | Ty::Ptr)
            | (Settled::ErrorText, _) => None,
        }
    }

    /// The bytes of a region, the rest of which is zero.
    pub fn bytes(self, settling: Settling, a: u64) -> Option<Vec<u8>> {
        match self {
            _ if settling == Settling::AsInputs => None,
            Settled::ErrorText => Some(error_text(a as i32).into_bytes()),
            Settled::Real(_) | Settled::Sign | Settled::Truth | Settled::NextSeed | Settled::RandomOfSeed => None,
        }
    }
}

/// glibc's `rand_r`: three steps of a linear congruential generator, of which each gives some bits. The result and the next seed.
fn rand_r(seed: u32) -> (u32, u32) {
    let mut state = seed;
    let result = [11, 10, 10].into_iter().fold(0, |result, bits| {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (result << bits) ^ ((state >> 16) % (1 << bits))
    });
    (result, state)
}

/// The host's words for an error number.
fn error_text(error: i32) -> String {
    let text = std::io::Error::from_raw_os_error(error).to_string();
    // Rust says the number too.
    match text.rsplit_once(" (os error ") {
        Some((words, _)) => words.to_string(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_the_hosts() {
        assert_eq!(error_text(2), "No such file or directory");
        let of = |settling, value: i32| Settled::Sign.scalar(settling, Ty::Int(32), 32, value as u32 as u64, 0);
        assert_eq!(of(Settling::AsHost, -25), Some(Bits::new(-25i32 as u32 as u128, 32)));
        let otherwise = Settling::Otherwise { is_nan_negative: false };
        assert_eq!(of(otherwise, -25), Some(Bits::new(-1i32 as u32 as u128, 32)));
        assert_eq!(of(otherwise, 24), Some(Bits::ONE));
    }
}
