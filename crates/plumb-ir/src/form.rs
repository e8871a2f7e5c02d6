//! Comparing expressions by their form: cheap and incomplete, for recognising what passes built themselves.

use crate::expr::{BinOp, ExprId, ExprKind, Exprs, UnOp};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Whether one condition is the negation of the other, as far as their form shows it. The budget bounds the work.
pub fn complementary(exprs: &Exprs, a: ExprId, b: ExprId, budget: &mut u32) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    match (exprs.kind(a), exprs.kind(b)) {
        (ExprKind::Unary(UnOp::Not, _, x), _) if same(exprs, x, b, budget) => true,
        (_, ExprKind::Unary(UnOp::Not, _, y)) if same(exprs, a, y, budget) => true,
        (ExprKind::Const(x), ExprKind::Const(y)) => x.is_zero() != y.is_zero(),
        (ExprKind::And(a1, a2), ExprKind::Or(b1, b2)) | (ExprKind::Or(a1, a2), ExprKind::And(b1, b2)) => {
            complementary(exprs, a1, b1, budget) && complementary(exprs, a2, b2, budget)
        }
        (ExprKind::Binary(op1, s1, a1, a2), ExprKind::Binary(op2, s2, b1, b2)) => match (op1, op2) {
            (BinOp::Eq, BinOp::Ne) | (BinOp::Ne, BinOp::Eq) => {
                same(exprs, a1, b1, budget) && same(exprs, a2, b2, budget)
                    || same(exprs, a1, b2, budget) && same(exprs, a2, b1, budget)
            }
            // A NaN makes both of these false.
            (BinOp::Lt, BinOp::Le) | (BinOp::Le, BinOp::Lt) => {
                s1 == s2 && !exprs.ty(a1).is_float() && same(exprs, a1, b2, budget) && same(exprs, a2, b1, budget)
            }
            _ => false,
        },
        (ExprKind::Ite(c1, t1, e1), ExprKind::Ite(c2, t2, e2)) => {
            same(exprs, c1, c2, budget) && complementary(exprs, t1, t2, budget) && complementary(exprs, e1, e2, budget)
        }
        _ => false,
    }
}

/// Whether two expressions are the same by form, and so equal in every state.
pub fn same(exprs: &Exprs, a: ExprId, b: ExprId, budget: &mut u32) -> bool {
    if a == b {
        return true;
    }
    if *budget == 0 || exprs.ty(a) != exprs.ty(b) {
        return false;
    }
    *budget -= 1;
    let (ka, kb) = (exprs.kind(a), exprs.kind(b));
    let head = |kind: ExprKind| kind.map_operands(|_| ExprId(0));
    head(ka) == head(kb) && ka.operands().zip(kb.operands()).all(|(x, y)| same(exprs, x, y, budget))
}

/// Hashes of forms: expressions that are the same by form have the same one. Each expression is looked at once, however
/// many others it is a part of.
#[derive(Default)]
pub struct Fingerprints {
    known: FxHashMap<ExprId, u64>,
}

impl Fingerprints {
    pub fn of(&mut self, exprs: &Exprs, id: ExprId) -> u64 {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let kind = exprs.kind(id);
        let mut hasher = FxHasher::default();
        kind.map_operands(|_| ExprId(0)).hash(&mut hasher);
        exprs.ty(id).hash(&mut hasher);
        for operand in kind.operands() {
            self.of(exprs, operand).hash(&mut hasher);
        }
        let fingerprint = hasher.finish();
        self.known.insert(id, fingerprint);
        fingerprint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Sign;
    use crate::program::{LocalVar, VarRef};
    use crate::ty::Ty;

    #[test]
    fn negations_are_recognised_in_their_usual_forms() {
        let mut e = Exprs::default();
        let x = e.push(ExprKind::Var(VarRef::Local(LocalVar(0))), Ty::Int(32));
        let y = e.push(ExprKind::Var(VarRef::Local(LocalVar(1))), Ty::Int(32));
        let lt = e.push(ExprKind::Binary(BinOp::Lt, Sign::Signed, x, y), Ty::BOOL);
        let not_lt = e.push(ExprKind::Unary(UnOp::Not, Sign::Plain, lt), Ty::BOOL);
        let ge = e.push(ExprKind::Binary(BinOp::Le, Sign::Signed, y, x), Ty::BOOL);
        let ge_unsigned = e.push(ExprKind::Binary(BinOp::Le, Sign::Unsigned, y, x), Ty::BOOL);
        let eq = e.push(ExprKind::Binary(BinOp::Eq, Sign::Signed, x, y), Ty::BOOL);
        let ne = e.push(ExprKind::Binary(BinOp::Ne, Sign::Signed, y, x), Ty::BOOL);
        let both = e.push(ExprKind::And(lt, eq), Ty::BOOL);
        let neither = e.push(ExprKind::Or(ge, ne), Ty::BOOL);
        let complements = |a, b| complementary(&e, a, b, &mut 100);
        assert!(complements(lt, not_lt) && complements(not_lt, lt) && complements(lt, ge));
        assert!(complements(eq, ne) && complements(both, neither));
        assert!(!complements(lt, ge_unsigned) && !complements(lt, eq) && !complements(both, ne));
    }
}
