//! What expressions may point to.

use super::Object;
use super::constraints::Generator;
use super::solve::{Complex, Node, STORED_ANYWHERE, Shift, UNKNOWN_NODE};
use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Sign, UnOp};
use crate::fold;
use crate::program::{LocalVar, ObjRef, VarRef};
use crate::ty::{Bits, Ty};

impl Generator<'_> {
    /// The expression's value if it is the same in every run through this instance.
    pub fn constant(&self, id: ExprId) -> Option<Bits> {
        let (exprs, target) = (&self.function.exprs, &self.program.target);
        match exprs.kind(id) {
            ExprKind::Const(bits) => Some(bits),
            ExprKind::Var(VarRef::Local(LocalVar(i))) => *self.here().constants.get(i as usize)?,
            ExprKind::Cast(op, a) => Some(fold::cast(op, exprs.ty(a), exprs.ty(id), self.constant(a)?, target)),
            ExprKind::Binary(op, sign, a, b) => {
                let (x, y) = (self.constant(a)?, self.constant(b)?);
                Some(fold::binary(op, sign, exprs.ty(a), x, y, target))
            }
            _ => None,
        }
    }

    /// The node of an expression's targets; `None` if it carries none.
    pub fn value(&mut self, id: ExprId) -> Option<Node> {
        if let Some(known) = self.here().value(id) {
            return known;
        }
        let node = self.evaluate(id);
        self.solver.instances[self.instance as usize].exprs[id] = node.map_or(1, |n| n + 2);
        node
    }

    fn evaluate(&mut self, id: ExprId) -> Option<Node> {
        let kind = self.function.exprs.kind(id);
        let ty = self.function.exprs.ty(id);
        // Operands first, also of operators whose result carries nothing: their own targets may be asked for.
        let operands: Vec<Option<Node>> = kind.operands().map(|o| self.value(o)).collect();
        match kind {
            ExprKind::Const(_) => None,
            ExprKind::Var(var) => Some(self.var(var)),
            ExprKind::Addr(object) => {
                let obj = match object {
                    ObjRef::Global(g) => self.solver.object(Object::Global(g), 0, Some(self.program.object(g).size)),
                    ObjRef::Local(l) => {
                        let size = self.function.object(l).size;
                        let object = Object::Local(self.here().function, l);
                        self.solver.object(object, self.instance, Some(size))
                    }
                };
                Some(self.address(obj))
            }
            ExprKind::FuncAddr(id) => {
                let obj = self.solver.object(Object::Function(id), 0, None);
                Some(self.address(obj))
            }
            ExprKind::Load(_) => {
                let addr = operands[0]?;
                let size = ty.bytes(&self.program.target);
                let dst = if ty == Ty::Ptr {
                    let dst = self.solver.node();
                    if !self.solver.has_foreign_memory {
                        self.solver.add_edge(STORED_ANYWHERE, dst);
                    }
                    dst
                } else {
                    self.here().numbers
                };
                self.solver.add_complex(addr, Complex::Load { dst, size });
                Some(dst)
            }
            ExprKind::Unary(op, _, _) => match op {
                UnOp::Neg | UnOp::Not | UnOp::Bswap if !ty.is_float() && ty != Ty::BOOL => {
                    self.shifted(operands[0], Shift::Anywhere)
                }
                _ => None,
            },
            ExprKind::Binary(op, _, a, b) => self.binary(op, ty, (a, operands[0]), (b, operands[1])),
            ExprKind::Cast(op, a) => match op {
                CastOp::Int { .. } | CastOp::PtrToInt | CastOp::Reinterpret => operands[0],
                CastOp::IntToPtr => self.forged(a, operands[0]),
                CastOp::IntToFloat(_) | CastOp::FloatToInt(_) | CastOp::FloatToFloat => None,
            },
            ExprKind::Ite(..) => self.join(operands[1], operands[2]),
            ExprKind::PtrAdd(_, offset) => match operands[0] {
                Some(_) => self.offset(operands[0], offset),
                None => self.shifted(operands[1], Shift::Anywhere),
            },
            ExprKind::Extract { .. } => self.shifted(operands[0], Shift::Anywhere),
            ExprKind::Insert { .. } => {
                let (base, part) =
                    (self.shifted(operands[0], Shift::Anywhere), self.shifted(operands[1], Shift::Anywhere));
                self.join(base, part)
            }
            ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::PtrDiff(..)
            | ExprKind::Fma(..)
            | ExprKind::InBounds { .. }
            | ExprKind::Callable { .. }
            | ExprKind::Freeable(_)
            | ExprKind::IsLive(_)
            | ExprKind::SameObject(..)
            | ExprKind::BytesLeft(_)
            | ExprKind::ObjectOffset(_)
            | ExprKind::NoLeak(_)
            | ExprKind::HeapEmpty => None,
        }
    }

    fn address(&mut self, obj: u32) -> Node {
        let node = self.solver.node();
        let loc = self.solver.loc(obj, 0);
        self.solver.add_target(node, loc);
        node
    }

    fn shifted(&mut self, from: Option<Node>, shift: Shift) -> Option<Node> {
        let from = from?;
        if shift == Shift::By(0) || !self.solver.fields {
            return Some(from);
        }
        let dst = self.solver.node();
        self.solver.add_complex(from, Complex::Shift { dst, shift });
        Some(dst)
    }

    fn join(&mut self, a: Option<Node>, b: Option<Node>) -> Option<Node> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => {
                let node = self.solver.node();
                self.solver.add_edge(a, node);
                self.solver.add_edge(b, node);
                Some(node)
            }
            (a, b) => a.or(b),
        }
    }

    fn binary(
        &mut self,
        op: BinOp,
        ty: Ty,
        (a, a_node): (ExprId, Option<Node>),
        (b, b_node): (ExprId, Option<Node>),
    ) -> Option<Node> {
        if op.is_comparison() || ty.is_float() {
            return None;
        }
        let width = ty.bits(&self.program.target);
        match (op, self.constant(a), self.constant(b)) {
            (BinOp::Add, None, Some(delta)) => self.shifted(a_node, Shift::By(delta.signed(width) as i64)),
            (BinOp::Add, Some(delta), None) => self.shifted(b_node, Shift::By(delta.signed(width) as i64)),
            (BinOp::Sub, None, Some(delta)) => {
                self.shifted(a_node, Shift::By((delta.signed(width) as i64).saturating_neg()))
            }
            _ => {
                let (a, b) = (self.shifted(a_node, Shift::Anywhere), self.shifted(b_node, Shift::Anywhere));
                self.join(a, b)
            }
        }
    }

    /// A pointer made from an integer.
    fn forged(&mut self, source: ExprId, node: Option<Node>) -> Option<Node> {
        if self.constant(source).is_some() {
            return None;
        }
        match node {
            None => Some(UNKNOWN_NODE),
            Some(node) => {
                let dst = self.solver.node();
                self.solver.add_edge(node, dst);
                self.solver.forged.push(dst);
                Some(dst)
            }
        }
    }

    /// A pointer moved by an expression: the constant summands shift it, the others vary it.
    fn offset(&mut self, base: Option<Node>, offset: ExprId) -> Option<Node> {
        let (delta, stride) = self.parts(offset);
        let moved = self.shifted(base, Shift::By(delta));
        match stride {
            0 => moved,
            stride => self.shifted(moved, Shift::Multiple(stride)),
        }
    }

    /// The constant part of an offset, and a number that divides the rest (0 if there is no rest).
    fn parts(&self, id: ExprId) -> (i64, u64) {
        let exprs = &self.function.exprs;
        let width = exprs.ty(id).bits(&self.program.target);
        if let Some(value) = self.constant(id) {
            return (value.signed(width) as i64, 0);
        }
        match exprs.kind(id) {
            ExprKind::Binary(BinOp::Add, _, a, b) => {
                let ((da, sa), (db, sb)) = (self.parts(a), self.parts(b));
                (da.wrapping_add(db), common_divisor(sa, sb))
            }
            ExprKind::Binary(BinOp::Sub, _, a, b) => {
                let ((da, sa), (db, sb)) = (self.parts(a), self.parts(b));
                (da.wrapping_sub(db), common_divisor(sa, sb))
            }
            ExprKind::Binary(BinOp::Mul, _, a, b) => {
                let factor = self.constant(b).or(self.constant(a));
                (0, factor.map_or(1, |f| (f.signed(width) as i64).unsigned_abs()).max(1))
            }
            ExprKind::Binary(BinOp::Shl, _, _, b) => {
                let count = self.constant(b).map_or(0, |c| c.u64().min(32));
                (0, 1 << count)
            }
            ExprKind::Unary(UnOp::Neg, _, a) => {
                let (delta, stride) = self.parts(a);
                (delta.wrapping_neg(), stride)
            }
            // A narrower product may wrap: only powers of two survive that.
            ExprKind::Cast(CastOp::Int { from, .. }, a) if from != Sign::Plain => {
                let (delta, stride) = self.parts(a);
                let power = |n: u64| if n == 0 { 0 } else { 1 << n.trailing_zeros() };
                (0, common_divisor(power(delta.unsigned_abs()), power(stride)).max(1))
            }
            _ => (0, 1),
        }
    }
}

fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
