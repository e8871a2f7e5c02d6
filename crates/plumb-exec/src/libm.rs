//! The functions of <math.h> whose values differ between C libraries: here they have the values of the host's library.

use plumb_ir::input::{InputOrigin, InputSite};
use plumb_ir::ty::{Bits, FloatFormat, Ty};

/// A function of up to two arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Real {
    F32(fn(f32, f32) -> f32),
    F64(fn(f64, f64) -> f64),
}

impl Real {
    /// The function whose model leaves its value open here.
    pub fn of(site: &InputSite) -> Option<Real> {
        let InputOrigin::Library(name) = &site.origin else { return None };
        match site.ty {
            Some(Ty::Float(FloatFormat::F64)) => double(name).map(Real::F64),
            Some(Ty::Float(FloatFormat::F32)) => single(name).map(Real::F32),
            Some(Ty::Float(FloatFormat::X87) | Ty::Int(_) | Ty::Ptr) | None => None,
        }
    }

    /// The value for arguments as they are in registers.
    pub fn value(self, a: u64, b: u64) -> Bits {
        match self {
            Real::F32(f) => {
                let value = f(f32::from_bits(a as u32), f32::from_bits(b as u32));
                Bits::new(value.to_bits() as u128, 32)
            }
            Real::F64(f) => Bits::new(f(f64::from_bits(a), f64::from_bits(b)).to_bits() as u128, 64),
        }
    }

    pub fn format(self) -> FloatFormat {
        match self {
            Real::F32(_) => FloatFormat::F32,
            Real::F64(_) => FloatFormat::F64,
        }
    }
}

/// Functions that Rust's library has not, or computes in another way. `cbrt` is not among them: by that name programs in Rust are linked
/// with an implementation of their own.
mod host {
    // SAFETY: they take and return numbers. `lgamma` also stores a sign, which nothing here reads.
    unsafe extern "C" {
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn tgamma(x: f64) -> f64;
        pub safe fn lgamma(x: f64) -> f64;
        pub safe fn asinhf(x: f32) -> f32;
        pub safe fn acoshf(x: f32) -> f32;
        pub safe fn atanhf(x: f32) -> f32;
        pub safe fn erff(x: f32) -> f32;
        pub safe fn erfcf(x: f32) -> f32;
        pub safe fn tgammaf(x: f32) -> f32;
        pub safe fn lgammaf(x: f32) -> f32;
    }
}

fn double(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "sin" => |x, _| x.sin(),
        "cos" => |x, _| x.cos(),
        "tan" => |x, _| x.tan(),
        "asin" => |x, _| x.asin(),
        "acos" => |x, _| x.acos(),
        "atan" => |x, _| x.atan(),
        "atan2" => f64::atan2,
        "sinh" => |x, _| x.sinh(),
        "cosh" => |x, _| x.cosh(),
        "tanh" => |x, _| x.tanh(),
        "exp" => |x, _| x.exp(),
        "exp2" => |x, _| x.exp2(),
        "expm1" => |x, _| x.exp_m1(),
        "log" => |x, _| x.ln(),
        "log2" => |x, _| x.log2(),
        "log10" => |x, _| x.log10(),
        "log1p" => |x, _| x.ln_1p(),
        "pow" => f64::powf,
        "hypot" => f64::hypot,
        "asinh" => |x, _| host::asinh(x),
        "acosh" => |x, _| host::acosh(x),
        "atanh" => |x, _| host::atanh(x),
        "erf" => |x, _| host::erf(x),
        "erfc" => |x, _| host::erfc(x),
        "tgamma" => |x, _| host::tgamma(x),
        "lgamma" => |x, _| host::lgamma(x),
        _ => return None,
    })
}

fn single(name: &str) -> Option<fn(f32, f32) -> f32> {
    Some(match name {
        "sinf" => |x, _| x.sin(),
        "cosf" => |x, _| x.cos(),
        "tanf" => |x, _| x.tan(),
        "asinf" => |x, _| x.asin(),
        "acosf" => |x, _| x.acos(),
        "atanf" => |x, _| x.atan(),
        "atan2f" => f32::atan2,
        "sinhf" => |x, _| x.sinh(),
        "coshf" => |x, _| x.cosh(),
        "tanhf" => |x, _| x.tanh(),
        "expf" => |x, _| x.exp(),
        "exp2f" => |x, _| x.exp2(),
        "expm1f" => |x, _| x.exp_m1(),
        "logf" => |x, _| x.ln(),
        "log2f" => |x, _| x.log2(),
        "log10f" => |x, _| x.log10(),
        "log1pf" => |x, _| x.ln_1p(),
        "powf" => f32::powf,
        "hypotf" => f32::hypot,
        "asinhf" => |x, _| host::asinhf(x),
        "acoshf" => |x, _| host::acoshf(x),
        "atanhf" => |x, _| host::atanhf(x),
        "erff" => |x, _| host::erff(x),
        "erfcf" => |x, _| host::erfcf(x),
        "tgammaf" => |x, _| host::tgammaf(x),
        "lgammaf" => |x, _| host::lgammaf(x),
        _ => return None,
    })
}
