//! Integer operators of up to 64 bits: the instruction that fits width, sign and a constant operand best.

use super::FunctionCompiler;
use crate::image::SlowOp;
use crate::inst::{Inst, Slot};
use plumb_ir::expr::{BinOp, ExprId, Sign};
use plumb_ir::ty::{Bits, Ty};

impl FunctionCompiler<'_> {
    pub(super) fn slow_binary(&mut self, op: BinOp, sign: Sign, a: ExprId, b: ExprId, want: Option<Slot>) -> Slot {
        let ty = self.ty(a);
        let to = if op.is_comparison() { Ty::BOOL } else { ty };
        self.operation(to, [a, b], want, |d, [a, b]| SlowOp::Binary { op, sign, ty, to, d, a, b })
    }

    pub(super) fn int_binary(
        &mut self,
        op: BinOp,
        sign: Sign,
        mut a: ExprId,
        mut b: ExprId,
        want: Option<Slot>,
    ) -> Slot {
        let ty = self.ty(a);
        let n = self.bits(ty);
        let commutes =
            matches!(op, BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Eq | BinOp::Ne);
        if commutes && self.f.exprs.as_const(a).is_some() {
            std::mem::swap(&mut a, &mut b);
        }
        let to = if op.is_comparison() { Ty::BOOL } else { ty };
        if let Some(bits) = self.f.exprs.as_const(b)
            && let Some(make) = immediate(op, sign, n, bits)
        {
            return self.instruction(to, [a], want, |d, [a]| make(d, a));
        }
        // A constant on the left of an order: the same order seen from the right.
        if let (BinOp::Lt | BinOp::Le, Some(bits)) = (op, self.f.exprs.as_const(a))
            && let Some(make) = greater_immediate(op, sign, n, bits)
        {
            return self.instruction(to, [b], want, |d, [b]| make(d, b));
        }
        // The instructions on registers fault on a count that is too large.
        if matches!(op, BinOp::Shl | BinOp::Shr) && sign == Sign::Plain {
            return self.slow_binary(op, sign, a, b, want);
        }
        let narrow_order = matches!(op, BinOp::Lt | BinOp::Le) && sign == Sign::Signed && n != 32 && n != 64;
        if narrow_order {
            return self.narrow_signed_order(op, n, a, b, want);
        }
        let Some(make) = registers(op, sign, n) else {
            return self.slow_binary(op, sign, a, b, want);
        };
        self.instruction(to, [a, b], want, |d, [a, b]| make(d, a, b))
    }

    /// Signed order of odd widths: both sides extended to 64 bits.
    fn narrow_signed_order(&mut self, op: BinOp, n: u32, a: ExprId, b: ExprId, want: Option<Slot>) -> Slot {
        let mark = self.temp;
        let (x, y) = self.extended_operands(n, a, b);
        self.temp = mark;
        let d = want.unwrap_or_else(|| self.temp(Ty::BOOL));
        self.emit(if op == BinOp::Lt { Inst::LtS64 { d, a: x, b: y } } else { Inst::LeS64 { d, a: x, b: y } });
        d
    }

    /// Both operands with their sign extended to 64 bits, in temporaries.
    pub(super) fn extended_operands(&mut self, n: u32, a: ExprId, b: ExprId) -> (Slot, Slot) {
        let mut extended = |id| {
            let a = self.value(id, None);
            self.extended(n, a)
        };
        (extended(a), extended(b))
    }

    /// A copy of an integer of `n` bits with its sign in all of the register.
    pub(super) fn extended(&mut self, n: u32, a: Slot) -> Slot {
        let d = self.temp(Ty::Int(64));
        self.emit(Inst::Sext { n: n as u8, w: 64, d, a });
        d
    }
}

/// The constant as a sign-extended 32-bit immediate of an operator of width `n`.
pub(super) fn signed_immediate(bits: Bits, n: u32) -> Option<i32> {
    i32::try_from(bits.signed(n)).ok()
}

pub(super) fn unsigned_immediate(bits: Bits) -> Option<u32> {
    u32::try_from(bits.u128()).ok()
}

type WithImmediate = Box<dyn FnOnce(Slot, Slot) -> Inst>;

/// The instruction for a constant second operand, if there is one.
fn immediate(op: BinOp, sign: Sign, n: u32, bits: Bits) -> Option<WithImmediate> {
    let signed = sign == Sign::Signed;
    let w = n as u8;
    // For `Add` and `Mul` only the low bits count: any 32-bit pattern is an immediate at up to 32 bits.
    let low = if n <= 32 { Some(bits.u64() as u32 as i32) } else { signed_immediate(bits, n) };
    let word = unsigned_immediate(bits);
    let count = word.filter(|c| *c < n);
    Some(match op {
        BinOp::Add => with_sum(n, low?),
        BinOp::Sub => with_sum(n, low?.checked_neg()?),
        BinOp::Mul => {
            let i = low?;
            match n {
                32 => Box::new(move |d, a| Inst::Mul32I { d, a, i }),
                64 => Box::new(move |d, a| Inst::Mul64I { d, a, i }),
                _ => return None,
            }
        }
        BinOp::And => match word {
            Some(i) => Box::new(move |d, a| Inst::AndI { d, a, i }),
            None => {
                let i = signed_immediate(bits, n).filter(|_| n == 64)?;
                Box::new(move |d, a| Inst::AndSI { d, a, i })
            }
        },
        BinOp::Or => {
            let i = word?;
            Box::new(move |d, a| Inst::OrI { d, a, i })
        }
        BinOp::Xor => {
            let i = word?;
            Box::new(move |d, a| Inst::XorI { d, a, i })
        }
        BinOp::Shl => {
            let i = count?;
            match n {
                32 => Box::new(move |d, a| Inst::Shl32I { d, a, i }),
                64 => Box::new(move |d, a| Inst::Shl64I { d, a, i }),
                _ => Box::new(move |d, a| Inst::ShlNI { n: w, d, a, i }),
            }
        }
        BinOp::Shr => {
            let i = count?;
            match (signed, n) {
                (false, _) => Box::new(move |d, a| Inst::ShrUI { d, a, i }),
                (true, 32) => Box::new(move |d, a| Inst::ShrS32I { d, a, i }),
                (true, _) => Box::new(move |d, a| Inst::ShrSNI { n: w, d, a, i }),
            }
        }
        BinOp::Div | BinOp::Rem if signed => {
            let i = signed_immediate(bits, n).filter(|i| n == 32 && *i != 0 && *i != -1)?;
            if op == BinOp::Div {
                Box::new(move |d, a| Inst::DivS32I { d, a, i })
            } else {
                Box::new(move |d, a| Inst::RemS32I { d, a, i })
            }
        }
        BinOp::Div => {
            let i = word.filter(|i| *i != 0)?;
            Box::new(move |d, a| Inst::DivUI { d, a, i })
        }
        BinOp::Rem => {
            let i = word.filter(|i| *i != 0)?;
            Box::new(move |d, a| Inst::RemUI { d, a, i })
        }
        BinOp::Eq => {
            let i = word?;
            Box::new(move |d, a| Inst::EqI { d, a, i })
        }
        BinOp::Ne => {
            let i = word?;
            Box::new(move |d, a| Inst::NeI { d, a, i })
        }
        BinOp::Lt | BinOp::Le => return less_immediate(op, signed, n, bits),
        BinOp::IeeeRem | BinOp::Min | BinOp::Max | BinOp::Copysign => return None,
    })
}

fn with_sum(n: u32, i: i32) -> WithImmediate {
    match n {
        32 => Box::new(move |d, a| Inst::Add32I { d, a, i }),
        64 => Box::new(move |d, a| Inst::Add64I { d, a, i }),
        _ => Box::new(move |d, a| Inst::AddNI { n: n as u8, d, a, i }),
    }
}

/// `x < c` or `x <= c`, the latter as `x < c + 1`.
fn less_immediate(op: BinOp, signed: bool, n: u32, bits: Bits) -> Option<WithImmediate> {
    let up = (op == BinOp::Le) as u32;
    if !signed {
        let i = unsigned_immediate(bits)?.checked_add(up)?;
        return Some(Box::new(move |d, a| Inst::LtUI { d, a, i }));
    }
    let i = signed_immediate(bits, n)?.checked_add(up as i32)?;
    match n {
        32 => Some(Box::new(move |d, a| Inst::LtS32I { d, a, i })),
        64 => Some(Box::new(move |d, a| Inst::LtS64I { d, a, i })),
        _ => None,
    }
}

/// `c < x` or `c <= x`, the latter as `c - 1 < x`.
fn greater_immediate(op: BinOp, sign: Sign, n: u32, bits: Bits) -> Option<WithImmediate> {
    let down = (op == BinOp::Le) as u32;
    if sign != Sign::Signed {
        let i = unsigned_immediate(bits)?.checked_sub(down)?;
        return Some(Box::new(move |d, a| Inst::GtUI { d, a, i }));
    }
    let i = signed_immediate(bits, n)?.checked_sub(down as i32)?;
    match n {
        32 => Some(Box::new(move |d, a| Inst::GtS32I { d, a, i })),
        64 => Some(Box::new(move |d, a| Inst::GtS64I { d, a, i })),
        _ => None,
    }
}

type OnRegisters = Box<dyn FnOnce(Slot, Slot, Slot) -> Inst>;

/// The instruction on two registers, if there is one.
fn registers(op: BinOp, sign: Sign, n: u32) -> Option<OnRegisters> {
    let signed = sign == Sign::Signed;
    let w = n as u8;
    Some(match (op, n) {
        (BinOp::Add, 32) => Box::new(|d, a, b| Inst::Add32 { d, a, b }),
        (BinOp::Add, 64) => Box::new(|d, a, b| Inst::Add64 { d, a, b }),
        (BinOp::Add, _) => Box::new(move |d, a, b| Inst::AddN { n: w, d, a, b }),
        (BinOp::Sub, 32) => Box::new(|d, a, b| Inst::Sub32 { d, a, b }),
        (BinOp::Sub, 64) => Box::new(|d, a, b| Inst::Sub64 { d, a, b }),
        (BinOp::Sub, _) => Box::new(move |d, a, b| Inst::SubN { n: w, d, a, b }),
        (BinOp::Mul, 32) => Box::new(|d, a, b| Inst::Mul32 { d, a, b }),
        (BinOp::Mul, 64) => Box::new(|d, a, b| Inst::Mul64 { d, a, b }),
        (BinOp::Mul, _) => Box::new(move |d, a, b| Inst::MulN { n: w, d, a, b }),
        (BinOp::And, _) => Box::new(|d, a, b| Inst::And { d, a, b }),
        (BinOp::Or, _) => Box::new(|d, a, b| Inst::Or { d, a, b }),
        (BinOp::Xor, _) => Box::new(|d, a, b| Inst::Xor { d, a, b }),
        (BinOp::Shl, 32) => Box::new(|d, a, b| Inst::Shl32 { d, a, b }),
        (BinOp::Shl, 64) => Box::new(|d, a, b| Inst::Shl64 { d, a, b }),
        (BinOp::Shl, _) => Box::new(move |d, a, b| Inst::ShlN { n: w, d, a, b }),
        (BinOp::Shr, _) if !signed => Box::new(move |d, a, b| Inst::ShrU { n: w, d, a, b }),
        (BinOp::Shr, 32) => Box::new(|d, a, b| Inst::ShrS32 { d, a, b }),
        (BinOp::Shr, _) => Box::new(move |d, a, b| Inst::ShrSN { n: w, d, a, b }),
        (BinOp::Div, _) if !signed => Box::new(|d, a, b| Inst::DivU { d, a, b }),
        (BinOp::Div, 32) => Box::new(|d, a, b| Inst::DivS32 { d, a, b }),
        (BinOp::Div, _) => Box::new(move |d, a, b| Inst::DivSN { n: w, d, a, b }),
        (BinOp::Rem, _) if !signed => Box::new(|d, a, b| Inst::RemU { d, a, b }),
        (BinOp::Rem, 32) => Box::new(|d, a, b| Inst::RemS32 { d, a, b }),
        (BinOp::Rem, _) => Box::new(move |d, a, b| Inst::RemSN { n: w, d, a, b }),
        (BinOp::Eq, _) => Box::new(|d, a, b| Inst::Eq { d, a, b }),
        (BinOp::Ne, _) => Box::new(|d, a, b| Inst::Ne { d, a, b }),
        (BinOp::Lt, _) if !signed => Box::new(|d, a, b| Inst::LtU { d, a, b }),
        (BinOp::Le, _) if !signed => Box::new(|d, a, b| Inst::LeU { d, a, b }),
        (BinOp::Lt, 32) => Box::new(|d, a, b| Inst::LtS32 { d, a, b }),
        (BinOp::Le, 32) => Box::new(|d, a, b| Inst::LeS32 { d, a, b }),
        (BinOp::Lt, 64) => Box::new(|d, a, b| Inst::LtS64 { d, a, b }),
        (BinOp::Le, 64) => Box::new(|d, a, b| Inst::LeS64 { d, a, b }),
        (BinOp::Lt | BinOp::Le | BinOp::IeeeRem | BinOp::Min | BinOp::Max | BinOp::Copysign, _) => return None,
    })
}
