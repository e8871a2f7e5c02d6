//! Conditions to jumps, without a truth value in between where that is possible.

use super::FunctionCompiler;
use super::arith::{signed_immediate, unsigned_immediate};
use crate::inst::{Inst, Slot, Target};
use crate::meter::{Comparison, Reading};
use plumb_ir::expr::{BinOp, CastOp, ExprId, ExprKind, Sign, UnOp};
use plumb_ir::program::VarRef;
use plumb_ir::ty::{Bits, FloatFormat, Ty};

impl FunctionCompiler<'_> {
    /// Jumps to the label if the condition has the value `sense`, else falls through.
    pub(super) fn branch(&mut self, cond: ExprId, sense: bool, label: u32) {
        match self.reserved(cond) {
            // Its value is, or is to be, in a register.
            Some(_) => self.branch_on_value(cond, sense, label),
            None => self.branch_parts(cond, sense, label),
        }
    }

    /// The same without asking whether the condition itself is known.
    pub(super) fn branch_parts(&mut self, cond: ExprId, sense: bool, label: u32) {
        match self.f.exprs.kind(cond) {
            ExprKind::Const(bits) => {
                if bits.is_zero() != sense {
                    self.emit(Inst::Jump { n: 0, to: Target(label) });
                }
            }
            ExprKind::Unary(UnOp::Not, _, a) => self.branch(a, !sense, label),
            // A conjunction fails as soon as one side does; a disjunction holds as soon as one side does.
            ExprKind::And(a, b) => self.branch_both(a, b, sense, label, false),
            ExprKind::Or(a, b) => self.branch_both(a, b, sense, label, true),
            ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le), sign, a, b) => {
                if self.options.measure && self.branch_measured(op, sign, a, b, sense, label) {
                    return;
                }
                self.branch_comparison(cond, op, sign, a, b, sense, label);
            }
            _ => self.branch_on_value(cond, sense, label),
        }
    }

    fn branch_on_value(&mut self, cond: ExprId, sense: bool, label: u32) {
        let mark = self.temp;
        let a = self.value(cond, None);
        self.temp = mark;
        let to = Target(label);
        self.emit(if sense {
            Inst::BrNeI { t: 0, f: 0, a, i: 0, to }
        } else {
            Inst::BrEqI { t: 0, f: 0, a, i: 0, to }
        });
    }

    /// `decisive` is the value of one side that decides the whole.
    fn branch_both(&mut self, a: ExprId, b: ExprId, sense: bool, label: u32, decisive: bool) {
        if sense == decisive {
            self.branch(a, sense, label);
            self.skippable(|this| this.branch(b, sense, label));
        } else {
            let skip = self.new_label();
            self.branch(a, decisive, skip);
            self.skippable(|this| this.branch(b, sense, label));
            self.place(skip);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn branch_comparison(
        &mut self,
        cond: ExprId,
        op: BinOp,
        sign: Sign,
        mut a: ExprId,
        mut b: ExprId,
        sense: bool,
        label: u32,
    ) {
        let ty = self.ty(a);
        if let Ty::Float(format) = ty {
            return self.branch_float(cond, op, format, a, b, sense, label);
        }
        if self.is_wide(ty) {
            return self.branch_on_value(cond, sense, label);
        }
        let equality = matches!(op, BinOp::Eq | BinOp::Ne);
        if equality && self.f.exprs.as_const(a).is_some() {
            std::mem::swap(&mut a, &mut b);
        }
        if equality {
            let equal = (op == BinOp::Eq) == sense;
            if let Some(bits) = self.f.exprs.as_const(b) {
                return self.branch_equal_constant(a, bits, equal, label);
            }
            return self.branch_registers(
                a,
                b,
                |a, b, to| match equal {
                    true => Inst::BrEq { t: 0, f: 0, a, b, to },
                    false => Inst::BrNe { t: 0, f: 0, a, b, to },
                },
                label,
            );
        }
        self.branch_order(op, sign, a, b, sense, label);
    }

    /// The same for images that measure. Returns false, having done nothing, where there is nothing to measure.
    fn branch_measured(&mut self, op: BinOp, sign: Sign, a: ExprId, b: ExprId, sense: bool, label: u32) -> bool {
        let ty = self.ty(a);
        let bits = self.bits(ty);
        let is_const = |this: &Self, id| this.f.exprs.as_const(id).is_some();
        // A truth value as an integer: its own parts are measured.
        let is_truth = |this: &Self, id| match this.f.exprs.kind(id) {
            ExprKind::Cast(CastOp::Int { .. }, inner) => this.ty(inner) == Ty::BOOL,
            _ => this.ty(id) == Ty::BOOL,
        };
        if self.is_wide(ty) || matches!(op, BinOp::Eq | BinOp::Ne) && (is_truth(self, a) || is_truth(self, b)) {
            return false;
        }
        let Some((_, edge)) = self.edges.last().copied() else { return false };
        let constant = is_const(self, a) || is_const(self, b);
        let reading = match ty {
            Ty::Float(format) => match Reading::float(format) {
                Some(reading) => reading,
                None => return false,
            },
            Ty::Int(_) | Ty::Ptr => Reading::of(sign, bits),
        };
        let i = self.image.comparisons.len() as u32;
        self.image.comparisons.push(Comparison { func: self.id, edge, op, reading, bits, constant });
        let mark = self.temp;
        let (mut x, mut y) = (self.value(a, None), self.value(b, None));
        self.emit(Inst::Measure { i, a: x, b: y });
        let to = Target(label);
        let equal = (op == BinOp::Eq) == sense;
        let inst = match (reading, op) {
            (Reading::F32, _) => float_jump(op, sense, false)(x, y, to),
            (Reading::F64, _) => float_jump(op, sense, true)(x, y, to),
            (_, BinOp::Eq | BinOp::Ne) if equal => Inst::BrEq { t: 0, f: 0, a: x, b: y, to },
            (_, BinOp::Eq | BinOp::Ne) => Inst::BrNe { t: 0, f: 0, a: x, b: y, to },
            (Reading::Signed(n), _) => {
                if n != 32 && n != 64 {
                    (x, y) = (self.extended(n, x), self.extended(n, y));
                }
                order_jump(op, true, n, sense)(x, y, to)
            }
            (Reading::Unsigned, _) => order_jump(op, false, bits, sense)(x, y, to),
        };
        self.temp = mark;
        self.emit(inst);
        true
    }

    fn branch_registers(&mut self, a: ExprId, b: ExprId, make: impl FnOnce(Slot, Slot, Target) -> Inst, label: u32) {
        let mark = self.temp;
        let (a, b) = (self.value(a, None), self.value(b, None));
        self.temp = mark;
        self.emit(make(a, b, Target(label)));
    }

    fn branch_equal_constant(&mut self, a: ExprId, bits: Bits, equal: bool, label: u32) {
        let to = Target(label);
        // A truth value widened to an integer and compared with zero or one: the truth value itself.
        if let ExprKind::Cast(CastOp::Int { from, .. }, inner) = self.f.exprs.kind(a)
            && self.ty(inner) == Ty::BOOL
            && from != Sign::Signed
            && self.reserved(a).is_none()
            && bits.u128() <= 1
        {
            return self.branch(inner, (bits == Bits::ONE) == equal, label);
        }
        if self.ty(a) == Ty::BOOL {
            return self.branch(a, bits.is_zero() != equal, label);
        }
        let mark = self.temp;
        let inst = match (unsigned_immediate(bits), self.f.exprs.kind(a)) {
            // A test of bits.
            (Some(0), ExprKind::Binary(BinOp::And, _, x, mask)) if self.reserved(a).is_none() => {
                match self.f.exprs.as_const(mask).and_then(unsigned_immediate) {
                    Some(i) => {
                        let a = self.value(x, None);
                        match equal {
                            true => Inst::BrNone { t: 0, f: 0, a, i, to },
                            false => Inst::BrAny { t: 0, f: 0, a, i, to },
                        }
                    }
                    None => equal_immediate(self.value(a, None), 0, equal, to),
                }
            }
            (Some(i), ExprKind::Var(VarRef::Global(var))) if !self.is_cached(var) => {
                let g = self.image.global_slot(var);
                match equal {
                    true => Inst::BrGlobalEqI { t: 0, f: 0, g, i, to },
                    false => Inst::BrGlobalNeI { t: 0, f: 0, g, i, to },
                }
            }
            (Some(i), _) => equal_immediate(self.value(a, None), i, equal, to),
            (None, _) => {
                let ty = self.ty(a);
                let a = self.value(a, None);
                let b = self.constant(ty, bits, None);
                match equal {
                    true => Inst::BrEq { t: 0, f: 0, a, b, to },
                    false => Inst::BrNe { t: 0, f: 0, a, b, to },
                }
            }
        };
        self.temp = mark;
        self.emit(inst);
    }

    /// `a < b` or `a <= b`, jumping if it has the value `sense`.
    fn branch_order(&mut self, op: BinOp, sign: Sign, a: ExprId, b: ExprId, sense: bool, label: u32) {
        let n = self.bits(self.ty(a));
        let signed = sign == Sign::Signed;
        let mark = self.temp;
        if let Some(bits) = self.f.exprs.as_const(b) {
            // x < c; x <= c is x < c + 1.
            if let Some(make) = below(bits, (op == BinOp::Le) as i32, signed, n) {
                let a = self.value(a, None);
                self.temp = mark;
                self.emit(make(a, sense, Target(label)));
                return;
            }
        }
        if let Some(bits) = self.f.exprs.as_const(a) {
            // c < x is not x < c + 1; c <= x is not x < c.
            if let Some(make) = below(bits, (op == BinOp::Lt) as i32, signed, n) {
                let b = self.value(b, None);
                self.temp = mark;
                self.emit(make(b, !sense, Target(label)));
                return;
            }
        }
        let (x, y) = if signed && n != 32 && n != 64 {
            self.extended_operands(n, a, b)
        } else {
            (self.value(a, None), self.value(b, None))
        };
        self.temp = mark;
        self.emit(order_jump(op, signed, n, sense)(x, y, Target(label)));
    }

    #[allow(clippy::too_many_arguments)]
    fn branch_float(
        &mut self,
        cond: ExprId,
        op: BinOp,
        format: FloatFormat,
        a: ExprId,
        b: ExprId,
        sense: bool,
        label: u32,
    ) {
        let wide = match format {
            FloatFormat::F32 => false,
            FloatFormat::F64 => true,
            FloatFormat::X87 => return self.branch_on_value(cond, sense, label),
        };
        self.branch_registers(a, b, float_jump(op, sense, wide), label);
    }
}

/// A jump that is taken if `a < b` or `a <= b` has the value `sense`. Signed operands have 32 bits or fill the register.
fn order_jump(op: BinOp, signed: bool, n: u32, sense: bool) -> impl FnOnce(Slot, Slot, Target) -> Inst {
    let (t, f) = (0, 0);
    move |x, y, to| {
        // Not a < b is b <= a.
        let (strict, a, b) = if sense { (op == BinOp::Lt, x, y) } else { (op == BinOp::Le, y, x) };
        match (strict, signed, n == 32) {
            (true, false, _) => Inst::BrLtU { t, f, a, b, to },
            (false, false, _) => Inst::BrLeU { t, f, a, b, to },
            (true, true, true) => Inst::BrLtS32 { t, f, a, b, to },
            (false, true, true) => Inst::BrLeS32 { t, f, a, b, to },
            (true, true, false) => Inst::BrLtS64 { t, f, a, b, to },
            (false, true, false) => Inst::BrLeS64 { t, f, a, b, to },
        }
    }
}

/// The same for floats. With NaNs about, not a < b is not b <= a.
fn float_jump(op: BinOp, sense: bool, wide: bool) -> impl FnOnce(Slot, Slot, Target) -> Inst {
    let (t, f) = (0, 0);
    move |a, b, to| match (op, sense, wide) {
        (BinOp::Eq, true, true) | (BinOp::Ne, false, true) => Inst::BrEqF64 { t, f, a, b, to },
        (BinOp::Eq, false, true) | (BinOp::Ne, true, true) => Inst::BrNeF64 { t, f, a, b, to },
        (BinOp::Eq, true, false) | (BinOp::Ne, false, false) => Inst::BrEqF32 { t, f, a, b, to },
        (BinOp::Eq, false, false) | (BinOp::Ne, true, false) => Inst::BrNeF32 { t, f, a, b, to },
        (BinOp::Lt, true, true) => Inst::BrLtF64 { t, f, a, b, to },
        (BinOp::Lt, false, true) => Inst::BrNotLtF64 { t, f, a, b, to },
        (BinOp::Lt, true, false) => Inst::BrLtF32 { t, f, a, b, to },
        (BinOp::Lt, false, false) => Inst::BrNotLtF32 { t, f, a, b, to },
        (_, true, true) => Inst::BrLeF64 { t, f, a, b, to },
        (_, false, true) => Inst::BrNotLeF64 { t, f, a, b, to },
        (_, true, false) => Inst::BrLeF32 { t, f, a, b, to },
        (_, false, false) => Inst::BrNotLeF32 { t, f, a, b, to },
    }
}

fn equal_immediate(a: Slot, i: u32, equal: bool, to: Target) -> Inst {
    match equal {
        true => Inst::BrEqI { t: 0, f: 0, a, i, to },
        false => Inst::BrNeI { t: 0, f: 0, a, i, to },
    }
}

/// A branch that is taken if `x < c + up` has a value.
fn below(bits: Bits, up: i32, signed: bool, n: u32) -> Option<impl FnOnce(Slot, bool, Target) -> Inst> {
    let (t, f) = (0, 0);
    let i = if signed {
        if n != 32 && n != 64 {
            return None;
        }
        signed_immediate(bits, n)?.checked_add(up)?
    } else {
        unsigned_immediate(bits)?.checked_add(up as u32)? as i32
    };
    Some(move |a, sense, to| match (signed, n == 32, sense) {
        (false, _, true) => Inst::BrLtUI { t, f, a, i: i as u32, to },
        (false, _, false) => Inst::BrGeUI { t, f, a, i: i as u32, to },
        (true, true, true) => Inst::BrLtS32I { t, f, a, i, to },
        (true, true, false) => Inst::BrGeS32I { t, f, a, i, to },
        (true, false, true) => Inst::BrLtS64I { t, f, a, i, to },
        (true, false, false) => Inst::BrGeS64I { t, f, a, i, to },
    })
}
