//! Float operators and conversions: instructions for `float` and `double`, the slow path for the rest.

use super::FunctionCompiler;
use crate::image::SlowOp;
use crate::inst::{Inst, Slot};
use plumb_ir::expr::{BinOp, CastOp, ExprId, Sign, UnOp};
use plumb_ir::ty::{FloatFormat, Ty};

impl FunctionCompiler<'_> {
    pub(super) fn float_unary(&mut self, op: UnOp, ty: Ty, to: Ty, a: ExprId, want: Option<Slot>) -> Slot {
        match (op, ty) {
            (UnOp::Sqrt, Ty::Float(FloatFormat::F64)) => {
                self.instruction(to, [a], want, |d, [a]| Inst::SqrtF64 { d, a })
            }
            (UnOp::Sqrt, Ty::Float(FloatFormat::F32)) => {
                self.instruction(to, [a], want, |d, [a]| Inst::SqrtF32 { d, a })
            }
            // The sign bit, of NaNs too.
            (UnOp::Neg, Ty::Float(FloatFormat::F32)) => {
                self.instruction(to, [a], want, |d, [a]| Inst::XorI { d, a, i: 1 << 31 })
            }
            (UnOp::Abs, Ty::Float(FloatFormat::F32)) => {
                self.instruction(to, [a], want, |d, [a]| Inst::AndI { d, a, i: u32::MAX >> 1 })
            }
            (UnOp::Abs, Ty::Float(FloatFormat::F64)) => {
                self.instruction(to, [a], want, |d, [a]| Inst::Extract { n: 63, lo: 0, d, a })
            }
            _ => self.operation(to, [a], want, |d, [a]| SlowOp::Unary { op, sign: Sign::Plain, ty, to, d, a }),
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn float_binary(
        &mut self,
        op: BinOp,
        sign: Sign,
        ty: Ty,
        to: Ty,
        a: ExprId,
        b: ExprId,
        want: Option<Slot>,
    ) -> Slot {
        let constant = self.f.exprs.as_const(b).map(|bits| bits.u64());
        match (ty, constant) {
            (Ty::Float(FloatFormat::F64), Some(bits)) => {
                let k = self.image.constants.len() as u32;
                if let Some(make) = constant64(op, k) {
                    self.image.constants.push(bits);
                    return self.instruction(to, [a], want, |d, [a]| make(d, a));
                }
            }
            (Ty::Float(FloatFormat::F32), Some(bits)) => {
                if let Some(make) = constant32(op, bits as u32) {
                    return self.instruction(to, [a], want, |d, [a]| make(d, a));
                }
            }
            _ => {}
        }
        let make = match ty {
            Ty::Float(FloatFormat::F64) => registers64(op),
            Ty::Float(FloatFormat::F32) => registers32(op),
            Ty::Float(FloatFormat::X87) | Ty::Int(_) | Ty::Ptr => None,
        };
        match make {
            Some(make) => self.instruction(to, [a, b], want, |d, [a, b]| make(d, a, b)),
            None => self.slow_binary(op, sign, a, b, want),
        }
    }

    pub(super) fn float_cast(&mut self, op: CastOp, from: Ty, to: Ty, a: ExprId, want: Option<Slot>) -> Slot {
        const F32: Ty = Ty::Float(FloatFormat::F32);
        const F64: Ty = Ty::Float(FloatFormat::F64);
        let make: Option<fn(Slot, Slot) -> Inst> = match (op, from, to) {
            (CastOp::FloatToFloat, F32, F32) | (CastOp::FloatToFloat, F64, F64) => {
                return self.value(a, want);
            }
            (CastOp::FloatToFloat, F32, F64) => Some(|d, a| Inst::F32ToF64 { d, a }),
            (CastOp::FloatToFloat, F64, F32) => Some(|d, a| Inst::F64ToF32 { d, a }),
            (CastOp::IntToFloat(Sign::Signed), Ty::Int(32), F64) => Some(|d, a| Inst::I32ToF64 { d, a }),
            (CastOp::IntToFloat(Sign::Signed), Ty::Int(64), F64) => Some(|d, a| Inst::I64ToF64 { d, a }),
            (CastOp::IntToFloat(Sign::Signed), Ty::Int(32), F32) => Some(|d, a| Inst::I32ToF32 { d, a }),
            (CastOp::IntToFloat(Sign::Signed), Ty::Int(64), F32) => Some(|d, a| Inst::I64ToF32 { d, a }),
            // Zero-extended registers are positive 64-bit numbers.
            (CastOp::IntToFloat(Sign::Unsigned | Sign::Plain), Ty::Int(1..=63), F64) => {
                Some(|d, a| Inst::I64ToF64 { d, a })
            }
            (CastOp::IntToFloat(Sign::Unsigned | Sign::Plain), Ty::Int(1..=63), F32) => {
                Some(|d, a| Inst::I64ToF32 { d, a })
            }
            (CastOp::FloatToInt(Sign::Signed), F64, Ty::Int(32)) => Some(|d, a| Inst::F64ToI32 { d, a }),
            (CastOp::FloatToInt(Sign::Signed), F64, Ty::Int(64)) => Some(|d, a| Inst::F64ToI64 { d, a }),
            (CastOp::FloatToInt(Sign::Signed), F32, Ty::Int(32)) => Some(|d, a| Inst::F32ToI32 { d, a }),
            (CastOp::FloatToInt(Sign::Signed), F32, Ty::Int(64)) => Some(|d, a| Inst::F32ToI64 { d, a }),
            _ => None,
        };
        match make {
            Some(make) => self.instruction(to, [a], want, |d, [a]| make(d, a)),
            None => self.operation(to, [a], want, |d, [a]| SlowOp::Cast { op, ty: from, to, d, a }),
        }
    }
}

type Unary = Box<dyn FnOnce(Slot, Slot) -> Inst>;
type Binary = fn(Slot, Slot, Slot) -> Inst;

fn constant64(op: BinOp, k: u32) -> Option<Unary> {
    Some(match op {
        BinOp::Add => Box::new(move |d, a| Inst::AddF64K { d, a, k }),
        BinOp::Sub => Box::new(move |d, a| Inst::SubF64K { d, a, k }),
        BinOp::Mul => Box::new(move |d, a| Inst::MulF64K { d, a, k }),
        BinOp::Div => Box::new(move |d, a| Inst::DivF64K { d, a, k }),
        _ => return None,
    })
}

fn constant32(op: BinOp, i: u32) -> Option<Unary> {
    Some(match op {
        BinOp::Add => Box::new(move |d, a| Inst::AddF32I { d, a, i }),
        BinOp::Sub => Box::new(move |d, a| Inst::SubF32I { d, a, i }),
        BinOp::Mul => Box::new(move |d, a| Inst::MulF32I { d, a, i }),
        BinOp::Div => Box::new(move |d, a| Inst::DivF32I { d, a, i }),
        _ => return None,
    })
}

fn registers64(op: BinOp) -> Option<Binary> {
    Some(match op {
        BinOp::Add => |d, a, b| Inst::AddF64 { d, a, b },
        BinOp::Sub => |d, a, b| Inst::SubF64 { d, a, b },
        BinOp::Mul => |d, a, b| Inst::MulF64 { d, a, b },
        BinOp::Div => |d, a, b| Inst::DivF64 { d, a, b },
        BinOp::Eq => |d, a, b| Inst::EqF64 { d, a, b },
        BinOp::Lt => |d, a, b| Inst::LtF64 { d, a, b },
        BinOp::Le => |d, a, b| Inst::LeF64 { d, a, b },
        _ => return None,
    })
}

fn registers32(op: BinOp) -> Option<Binary> {
    Some(match op {
        BinOp::Add => |d, a, b| Inst::AddF32 { d, a, b },
        BinOp::Sub => |d, a, b| Inst::SubF32 { d, a, b },
        BinOp::Mul => |d, a, b| Inst::MulF32 { d, a, b },
        BinOp::Div => |d, a, b| Inst::DivF32 { d, a, b },
        BinOp::Eq => |d, a, b| Inst::EqF32 { d, a, b },
        BinOp::Lt => |d, a, b| Inst::LtF32 { d, a, b },
        BinOp::Le => |d, a, b| Inst::LeF32 { d, a, b },
        _ => return None,
    })
}
