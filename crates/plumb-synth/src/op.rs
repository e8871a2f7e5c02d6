//! The operators of the theories: their names, sorts and algebra. `column.rs` computes them on examples, `oracle.rs` says
//! what they mean in terms of `plumb-term`, and the tests compare the two.

use crate::sort::{MAX_WIDTH, Sort};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Not,
    And,
    Or,
    Xor,
    Implies,
    /// Of any sort.
    Eq,
    Distinct,
    /// Condition, then, else; of any sort.
    Ite,
    IntNeg,
    IntAdd,
    IntSub,
    IntMul,
    /// Rounded so that the remainder is not negative; by zero there is no value.
    IntDiv,
    IntMod,
    /// C's remainder, with the sign of the dividend; no operator of SMT-LIB, but of solvers that people use.
    IntRem,
    IntAbs,
    IntLe,
    IntLt,
    IntGe,
    IntGt,
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvNand,
    BvNor,
    BvXnor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    /// The sign of the divisor.
    BvSmod,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvUgt,
    BvUge,
    BvSlt,
    BvSle,
    BvSgt,
    BvSge,
    /// One bit that says whether the operands are equal.
    BvComp,
    /// One bit that says whether any bit is one; no operator of SMT-LIB, but of many solvers.
    BvRedOr,
    /// Whether all are.
    BvRedAnd,
    /// The first operand becomes the upper bits.
    Concat,
    Extract {
        hi: u32,
        lo: u32,
    },
    /// By so many bits.
    ZeroExtend(u32),
    SignExtend(u32),
    RotateLeft(u32),
    RotateRight(u32),
}

/// Names of the operators without parameters. `-` of one operand is [`Op::IntNeg`].
const NAMES: &[(&str, Op)] = &[
    ("not", Op::Not),
    ("and", Op::And),
    ("or", Op::Or),
    ("xor", Op::Xor),
    ("=>", Op::Implies),
    ("=", Op::Eq),
    ("distinct", Op::Distinct),
    ("ite", Op::Ite),
    ("-", Op::IntSub),
    ("+", Op::IntAdd),
    ("*", Op::IntMul),
    ("div", Op::IntDiv),
    ("mod", Op::IntMod),
    ("%", Op::IntRem),
    ("abs", Op::IntAbs),
    ("<=", Op::IntLe),
    ("<", Op::IntLt),
    (">=", Op::IntGe),
    (">", Op::IntGt),
    ("bvnot", Op::BvNot),
    ("bvneg", Op::BvNeg),
    ("bvand", Op::BvAnd),
    ("bvor", Op::BvOr),
    ("bvxor", Op::BvXor),
    ("bvnand", Op::BvNand),
    ("bvnor", Op::BvNor),
    ("bvxnor", Op::BvXnor),
    ("bvadd", Op::BvAdd),
    ("bvsub", Op::BvSub),
    ("bvmul", Op::BvMul),
    ("bvudiv", Op::BvUdiv),
    ("bvurem", Op::BvUrem),
    ("bvsdiv", Op::BvSdiv),
    ("bvsrem", Op::BvSrem),
    ("bvsmod", Op::BvSmod),
    ("bvshl", Op::BvShl),
    ("bvlshr", Op::BvLshr),
    ("bvashr", Op::BvAshr),
    ("bvult", Op::BvUlt),
    ("bvule", Op::BvUle),
    ("bvugt", Op::BvUgt),
    ("bvuge", Op::BvUge),
    ("bvslt", Op::BvSlt),
    ("bvsle", Op::BvSle),
    ("bvsgt", Op::BvSgt),
    ("bvsge", Op::BvSge),
    ("bvcomp", Op::BvComp),
    ("bvredor", Op::BvRedOr),
    ("bvredand", Op::BvRedAnd),
    ("concat", Op::Concat),
];

impl Op {
    /// The operator that a name stands for; of one operand or of several.
    pub fn by_name(name: &str, operands: usize) -> Option<Op> {
        match (name, operands) {
            ("-", 1) => Some(Op::IntNeg),
            _ => NAMES.iter().find(|(text, _)| *text == name).map(|(_, op)| *op),
        }
    }

    /// The operator with a numeral behind its name, as in `(_ zero_extend 8)`.
    pub fn indexed(name: &str, indices: &[u32]) -> Option<Op> {
        match (name, indices) {
            ("extract", &[hi, lo]) => Some(Op::Extract { hi, lo }),
            ("zero_extend", &[bits]) => Some(Op::ZeroExtend(bits)),
            ("sign_extend", &[bits]) => Some(Op::SignExtend(bits)),
            ("rotate_left", &[bits]) => Some(Op::RotateLeft(bits)),
            ("rotate_right", &[bits]) => Some(Op::RotateRight(bits)),
            _ => None,
        }
    }

    /// As SMT-LIB writes it.
    pub fn name(self) -> String {
        match self {
            Op::Extract { hi, lo } => format!("(_ extract {hi} {lo})"),
            Op::ZeroExtend(bits) => format!("(_ zero_extend {bits})"),
            Op::SignExtend(bits) => format!("(_ sign_extend {bits})"),
            Op::RotateLeft(bits) => format!("(_ rotate_left {bits})"),
            Op::RotateRight(bits) => format!("(_ rotate_right {bits})"),
            Op::IntNeg => "-".to_string(),
            _ => NAMES.iter().find(|(_, op)| *op == self).map_or("?", |(text, _)| text).to_string(),
        }
    }

    /// May it have more than two operands, folded from the left?
    pub fn folds(self) -> bool {
        matches!(
            self,
            Op::And
                | Op::Or
                | Op::Xor
                | Op::IntAdd
                | Op::IntSub
                | Op::IntMul
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvMul
                | Op::Concat
        )
    }

    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            Op::And
                | Op::Or
                | Op::Xor
                | Op::Eq
                | Op::Distinct
                | Op::IntAdd
                | Op::IntMul
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvNand
                | Op::BvNor
                | Op::BvXnor
                | Op::BvAdd
                | Op::BvMul
                | Op::BvComp
        )
    }

    /// The sort of the result, or `None` if the operands do not suit.
    pub fn result(self, operands: &[Sort]) -> Option<Sort> {
        if self.folds() && operands.len() > 2 {
            let rest = operands[1..].iter();
            return rest.copied().try_fold(operands[0], |first, second| self.result(&[first, second]));
        }
        let width = |bits: u32| (1..=MAX_WIDTH).contains(&bits).then_some(Sort::Bv(bits));
        match (self, operands) {
            (Op::Not, [Sort::Bool]) => Some(Sort::Bool),
            (Op::And | Op::Or | Op::Xor | Op::Implies, [Sort::Bool, Sort::Bool]) => Some(Sort::Bool),
            (Op::Eq | Op::Distinct, [a, b]) if a == b => Some(Sort::Bool),
            (Op::Ite, [Sort::Bool, a, b]) if a == b => Some(*a),
            (Op::IntNeg | Op::IntAbs, [Sort::Int]) => Some(Sort::Int),
            (Op::IntAdd | Op::IntSub | Op::IntMul | Op::IntDiv | Op::IntMod | Op::IntRem, [Sort::Int, Sort::Int]) => {
                Some(Sort::Int)
            }
            (Op::IntLe | Op::IntLt | Op::IntGe | Op::IntGt, [Sort::Int, Sort::Int]) => Some(Sort::Bool),
            (Op::BvNot | Op::BvNeg | Op::RotateLeft(_) | Op::RotateRight(_), [Sort::Bv(w)]) => Some(Sort::Bv(*w)),
            (Op::Extract { hi, lo }, [Sort::Bv(w)]) if lo <= hi && hi < *w => Some(Sort::Bv(hi - lo + 1)),
            (Op::ZeroExtend(bits) | Op::SignExtend(bits), [Sort::Bv(w)]) => width(w.checked_add(bits)?),
            (Op::Concat, [Sort::Bv(a), Sort::Bv(b)]) => width(a + b),
            (op, [Sort::Bv(a), Sort::Bv(b)]) if a == b && op.is_bv_arithmetic() => Some(Sort::Bv(*a)),
            (op, [Sort::Bv(a), Sort::Bv(b)]) if a == b && op.is_bv_comparison() => Some(Sort::Bool),
            (Op::BvComp, [Sort::Bv(a), Sort::Bv(b)]) if a == b => Some(Sort::Bv(1)),
            (Op::BvRedOr | Op::BvRedAnd, [Sort::Bv(_)]) => Some(Sort::Bv(1)),
            _ => None,
        }
    }

    /// Two operands and a result of one width.
    fn is_bv_arithmetic(self) -> bool {
        matches!(
            self,
            Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvNand
                | Op::BvNor
                | Op::BvXnor
                | Op::BvAdd
                | Op::BvSub
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvSmod
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr
        )
    }

    fn is_bv_comparison(self) -> bool {
        matches!(self, Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge | Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_operators_and_back() {
        for (name, op) in NAMES {
            assert_eq!(op.name(), *name);
            assert_eq!(Op::by_name(name, 2), Some(*op));
        }
        assert_eq!(Op::by_name("-", 1), Some(Op::IntNeg));
        assert_eq!(Op::indexed("extract", &[7, 4]).map(Op::name).as_deref(), Some("(_ extract 7 4)"));
    }

    #[test]
    fn operands_are_checked() {
        let (byte, word) = (Sort::Bv(8), Sort::Bv(16));
        assert_eq!(Op::BvAdd.result(&[byte, byte, byte]), Some(byte));
        assert_eq!(Op::BvAdd.result(&[byte, word]), None);
        assert_eq!(Op::BvUlt.result(&[byte, byte]), Some(Sort::Bool));
        assert_eq!(Op::Concat.result(&[byte, word]), Some(Sort::Bv(24)));
        assert_eq!(Op::Concat.result(&[Sort::Bv(40), Sort::Bv(40)]), None);
        assert_eq!(Op::Extract { hi: 8, lo: 0 }.result(&[byte]), None);
        assert_eq!(Op::Ite.result(&[Sort::Bool, byte, word]), None);
        assert_eq!(Op::IntAdd.result(&[Sort::Int]), None);
    }
}
