//! Expressions to registers.
//!
//! `value(e, want)` writes the wanted register only as the last action of every path through its code. So the register
//! may be one that the expression itself reads, as in `x = x + 1`.

use super::FunctionCompiler;
use crate::image::SlowOp;
use crate::inst::{Inst, Pair, Slot, Target, WRITE};
use plumb_ir::expr::{CastOp, ExprId, ExprKind, Sign, UnOp};
use plumb_ir::program::{ObjRef, VarRef};
use plumb_ir::ty::{Bits, Ty};

/// The most nodes of a second operand of `&&` or `||` that is computed without a jump over it.
const EAGER: usize = 4;

impl FunctionCompiler<'_> {
    pub(super) fn ty(&self, id: ExprId) -> Ty {
        self.f.exprs.ty(id)
    }

    /// The register that holds the value: the wanted one, or any.
    pub(super) fn value(&mut self, id: ExprId, want: Option<Slot>) -> Slot {
        let ty = self.ty(id);
        if let Some(slot) = self.known(id) {
            return self.moved(ty, slot, want);
        }
        match self.reserved(id) {
            Some(slot) => {
                self.compute(id, ty, Some(slot));
                self.remember(id);
                self.moved(ty, slot, want)
            }
            None => self.compute(id, ty, want),
        }
    }

    pub(super) fn moved(&mut self, ty: Ty, slot: Slot, want: Option<Slot>) -> Slot {
        match want {
            Some(d) if d != slot => {
                self.move_value(ty, d, slot);
                d
            }
            Some(_) | None => slot,
        }
    }

    pub(super) fn move_value(&mut self, ty: Ty, d: Slot, a: Slot) {
        if self.is_wide(ty) {
            self.emit(Inst::Move2 { d: Pair(d.0), a: Pair(a.0) });
        } else {
            self.emit(Inst::Move { d, a });
        }
    }

    pub(super) fn constant(&mut self, ty: Ty, bits: Bits, want: Option<Slot>) -> Slot {
        let d = want.unwrap_or_else(|| self.temp(ty));
        self.constant_word(d, bits.u64());
        if self.is_wide(ty) {
            self.constant_word(Slot(d.0 + 1), (bits.u128() >> 64) as u64);
        }
        d
    }

    fn constant_word(&mut self, d: Slot, word: u64) {
        self.emit(Inst::Const { d, lo: word as u32, hi: (word >> 32) as u32 });
    }

    pub(super) fn slow(&mut self, op: SlowOp) {
        let i = self.image.slow.len() as u32;
        self.image.slow.push(op);
        self.emit(Inst::Slow { i });
    }

    fn compute(&mut self, id: ExprId, ty: Ty, want: Option<Slot>) -> Slot {
        match self.f.exprs.kind(id) {
            ExprKind::Const(bits) => self.constant(ty, bits, want),
            ExprKind::Var(VarRef::Local(var)) => {
                let slot = self.vars[var];
                self.moved(ty, slot, want)
            }
            ExprKind::Var(VarRef::Global(var)) => {
                let slot = self.cache_slot(var);
                if !self.is_cached(var) {
                    let g = self.image.global_slot(var);
                    if self.is_wide(ty) {
                        self.emit(Inst::GlobalGet2 { d: Pair(slot.0), g });
                    } else {
                        self.emit(Inst::GlobalGet { d: slot, g });
                    }
                    self.set_cached(var, slot);
                }
                self.moved(ty, slot, want)
            }
            ExprKind::Addr(ObjRef::Global(object)) => {
                let base = self.image.map.object(object).base;
                self.constant(ty, Bits::new(base as u128, 64), want)
            }
            ExprKind::FuncAddr(func) => {
                let address = self.image.map.function_address(func);
                self.constant(ty, Bits::new(address as u128, 64), want)
            }
            ExprKind::Addr(ObjRef::Local(_)) | ExprKind::PtrAdd(..) => self.address_value(id, want),
            ExprKind::Load(addr) => self.load(ty, addr, want),
            ExprKind::Unary(op, sign, a) => self.unary(op, sign, ty, a, want),
            ExprKind::Binary(op, sign, a, b) => {
                let operand = self.ty(a);
                match operand {
                    Ty::Float(_) => self.float_binary(op, sign, operand, ty, a, b, want),
                    Ty::Int(_) | Ty::Ptr if self.is_wide(operand) => self.slow_binary(op, sign, a, b, want),
                    Ty::Int(_) | Ty::Ptr => self.int_binary(op, sign, a, b, want),
                }
            }
            ExprKind::PtrDiff(a, b) => self.int_binary(plumb_ir::expr::BinOp::Sub, Sign::Plain, a, b, want),
            ExprKind::Cast(op, a) => self.cast(op, ty, a, want),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => self.logical(id, a, b, want),
            ExprKind::Ite(c, a, b) => self.choice(ty, c, a, b, want),
            ExprKind::Extract { value, lo } => self.extract(ty, value, lo, want),
            ExprKind::Insert { base, value, lo } => self.insert(ty, base, value, lo, want),
            ExprKind::Fma(a, b, c) => {
                let Ty::Float(format) = ty else { return self.constant(ty, Bits::ZERO, want) };
                self.operation(ty, [a, b, c], want, |d, [a, b, c]| SlowOp::Fma { format, d, a, b, c })
            }
            ExprKind::InBounds { base, addr, size, write } => self.in_bounds(base, addr, size, write, want),
            ExprKind::Callable { pointer, like } => {
                self.operation(ty, [pointer], want, |d, [a]| SlowOp::Callable { d, a, like })
            }
            ExprKind::Freeable(a) => self.operation(ty, [a], want, |d, [a]| SlowOp::Freeable { d, a }),
            ExprKind::IsLive(a) => self.operation(ty, [a], want, |d, [a]| SlowOp::IsLive { d, a }),
            ExprKind::SameObject(a, b) => self.operation(ty, [a, b], want, |d, [a, b]| SlowOp::SameObject { d, a, b }),
            ExprKind::ObjectOffset(a) => self.operation(ty, [a], want, |d, [a]| SlowOp::ObjectOffset { d, a }),
            ExprKind::BytesLeft(a) => self.operation(ty, [a], want, |d, [a]| SlowOp::BytesLeft { d, a }),
            ExprKind::NoLeak(roots) => self.operation(ty, [], want, |d, []| SlowOp::NoLeak { d, roots }),
            ExprKind::HeapEmpty => self.operation(ty, [], want, |d, []| SlowOp::HeapEmpty { d }),
        }
    }

    /// Evaluates operands, then one slow operation on them.
    pub(super) fn operation<const N: usize>(
        &mut self,
        ty: Ty,
        operands: [ExprId; N],
        want: Option<Slot>,
        make: impl FnOnce(Slot, [Slot; N]) -> SlowOp,
    ) -> Slot {
        let mark = self.temp;
        let slots = operands.map(|o| self.value(o, None));
        self.temp = mark;
        let d = want.unwrap_or_else(|| self.temp(ty));
        self.slow(make(d, slots));
        d
    }

    /// Evaluates operands, then one instruction on them.
    pub(super) fn instruction<const N: usize>(
        &mut self,
        ty: Ty,
        operands: [ExprId; N],
        want: Option<Slot>,
        make: impl FnOnce(Slot, [Slot; N]) -> Inst,
    ) -> Slot {
        let mark = self.temp;
        let slots = operands.map(|o| self.value(o, None));
        self.temp = mark;
        let d = want.unwrap_or_else(|| self.temp(ty));
        self.emit(make(d, slots));
        d
    }

    fn in_bounds(&mut self, base: ExprId, addr: ExprId, size: ExprId, write: bool, want: Option<Slot>) -> Slot {
        match self.f.exprs.as_const(size).map(Bits::u64) {
            Some(n) if n < WRITE as u64 => {
                let n = n as u16 | if write { WRITE } else { 0 };
                self.instruction(Ty::BOOL, [base, addr], want, |d, [a, b]| Inst::InBounds { n, d, a, b })
            }
            Some(_) | None => self.operation(Ty::BOOL, [base, addr, size], want, |d, [base, addr, size]| {
                SlowOp::InBounds { d, base, addr, size, write }
            }),
        }
    }

    fn unary(&mut self, op: UnOp, sign: Sign, ty: Ty, a: ExprId, want: Option<Slot>) -> Slot {
        let operand = self.ty(a);
        if operand.is_float() {
            return self.float_unary(op, operand, ty, a, want);
        }
        if self.is_wide(operand) {
            return self.operation(ty, [a], want, |d, [a]| SlowOp::Unary { op, sign, ty: operand, to: ty, d, a });
        }
        let n = self.bits(operand) as u8;
        match op {
            UnOp::Not if n == 1 => self.instruction(ty, [a], want, |d, [a]| Inst::XorI { d, a, i: 1 }),
            UnOp::Not => self.instruction(ty, [a], want, |d, [a]| Inst::NotN { n, d, a }),
            UnOp::Neg => self.instruction(ty, [a], want, |d, [a]| Inst::NegN { n, d, a }),
            UnOp::Clz if sign == Sign::Plain => self.instruction(ty, [a], want, |d, [a]| Inst::Clz { n, d, a }),
            UnOp::Ctz if sign == Sign::Plain => self.instruction(ty, [a], want, |d, [a]| Inst::Ctz { n, d, a }),
            // Those that fault on zero.
            UnOp::Clz | UnOp::Ctz => {
                self.operation(ty, [a], want, |d, [a]| SlowOp::Unary { op, sign, ty: operand, to: ty, d, a })
            }
            UnOp::Popcount
            | UnOp::Bswap
            | UnOp::Abs
            | UnOp::Sqrt
            | UnOp::Floor
            | UnOp::Ceil
            | UnOp::Trunc
            | UnOp::Round
            | UnOp::Rint
            | UnOp::IsNan
            | UnOp::IsInf
            | UnOp::IsNormal
            | UnOp::IsNegative => {
                self.operation(ty, [a], want, |d, [a]| SlowOp::Unary { op, sign, ty: operand, to: ty, d, a })
            }
        }
    }

    fn cast(&mut self, op: CastOp, ty: Ty, a: ExprId, want: Option<Slot>) -> Slot {
        let from = self.ty(a);
        let (n, m) = (self.bits(from), self.bits(ty));
        let same_bits = match op {
            CastOp::Int { .. } | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Reinterpret => n <= 64 && m <= 64,
            CastOp::IntToFloat(_) | CastOp::FloatToInt(_) | CastOp::FloatToFloat => {
                return self.float_cast(op, from, ty, a, want);
            }
        };
        if !same_bits {
            return self.operation(ty, [a], want, |d, [a]| SlowOp::Cast { op, ty: from, to: ty, d, a });
        }
        if m < n {
            return self.truncated(ty, m, a, want);
        }
        let signed = matches!(op, CastOp::Int { from: Sign::Signed, .. });
        if signed && m > n {
            if let Some(slot) = self.extended_load(a, n, m, want) {
                return slot;
            }
            return self.instruction(ty, [a], want, |d, [a]| match (n, m) {
                (8, 32) => Inst::Sext8To32 { d, a },
                (16, 32) => Inst::Sext16To32 { d, a },
                (32, 64) => Inst::Sext32To64 { d, a },
                _ => Inst::Sext { n: n as u8, w: m as u8, d, a },
            });
        }
        // Registers are zero-extended: widening without sign keeps them.
        let slot = self.value(a, want);
        self.moved(ty, slot, want)
    }

    fn truncated(&mut self, ty: Ty, m: u32, a: ExprId, want: Option<Slot>) -> Slot {
        self.instruction(ty, [a], want, |d, [a]| match m {
            0..=32 => Inst::AndI { d, a, i: (u32::MAX as u64 >> (32 - m)) as u32 },
            _ => Inst::Extract { n: m as u8, lo: 0, d, a },
        })
    }

    fn extract(&mut self, ty: Ty, value: ExprId, lo: u8, want: Option<Slot>) -> Slot {
        let from = self.ty(value);
        if self.is_wide(from) || lo > 63 {
            return self.operation(ty, [value], want, |d, [a]| SlowOp::Extract { ty: from, to: ty, lo, d, a });
        }
        let n = self.bits(ty) as u8;
        self.instruction(ty, [value], want, |d, [a]| Inst::Extract { n, lo, d, a })
    }

    fn insert(&mut self, ty: Ty, base: ExprId, value: ExprId, lo: u8, want: Option<Slot>) -> Slot {
        let part = self.ty(value);
        if self.is_wide(ty) || lo > 63 {
            return self.operation(ty, [base, value], want, |d, [a, b]| SlowOp::Insert { ty, part, lo, d, a, b });
        }
        let n = self.bits(part) as u8;
        self.instruction(ty, [base, value], want, |d, [a, b]| Inst::Insert { n, lo, d, a, b })
    }

    fn logical(&mut self, id: ExprId, a: ExprId, b: ExprId, want: Option<Slot>) -> Slot {
        if !self.lazy[b] && self.is_small(b, EAGER) {
            let is_and = matches!(self.f.exprs.kind(id), ExprKind::And(..));
            return self.instruction(Ty::BOOL, [a, b], want, |d, [a, b]| {
                if is_and { Inst::And { d, a, b } } else { Inst::Or { d, a, b } }
            });
        }
        let d = want.unwrap_or_else(|| self.temp(Ty::BOOL));
        let (no, end) = (self.new_label(), self.new_label());
        // Not `branch` on the node itself, which would look for its value.
        self.branch_parts(id, false, no);
        self.constant_word(d, 1);
        self.emit(Inst::Jump { n: 0, to: Target(end) });
        self.place(no);
        self.constant_word(d, 0);
        self.place(end);
        d
    }

    fn choice(&mut self, ty: Ty, c: ExprId, a: ExprId, b: ExprId, want: Option<Slot>) -> Slot {
        let d = want.unwrap_or_else(|| self.temp(ty));
        let (no, end) = (self.new_label(), self.new_label());
        self.branch(c, false, no);
        self.skippable(|this| this.value(a, Some(d)));
        self.emit(Inst::Jump { n: 0, to: Target(end) });
        self.place(no);
        self.skippable(|this| this.value(b, Some(d)));
        self.place(end);
        d
    }
}
