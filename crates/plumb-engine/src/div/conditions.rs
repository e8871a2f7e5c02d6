//! The conditions of a function's branches, as far as they compare a variable with a number or with another variable: the cases
//! that the program itself distinguishes, under which facts are looked for first (Daikon's splitting conditions).

use plumb_infer::{Fact, Relation, Scalar, Term};
use plumb_ir::expr::{BinOp, CastOp, ExprId, ExprKind, Sign};
use plumb_ir::program::{Function, Op};
use plumb_ir::ty::Ty;

/// Conditions over the expressions for which the closure knows the term and the sort: registers, and loads of what has a name.
pub fn conditions(function: &Function, term: &dyn Fn(ExprId) -> Option<(Term, Scalar)>) -> Vec<Fact> {
    let reader = Reader { function, term };
    let mut list: Vec<Fact> = Vec::new();
    for edge in &function.edges {
        // Of a decision both sides are edges of their own.
        let Op::Assume { cond, branch: Some(_) } = &edge.op else { continue };
        for fact in reader.facts(*cond) {
            if !list.contains(&fact) {
                list.push(fact);
            }
        }
    }
    list
}

struct Reader<'a> {
    function: &'a Function,
    term: &'a dyn Fn(ExprId) -> Option<(Term, Scalar)>,
}

enum Operand {
    Number(i128),
    Term(Term),
}

impl Reader<'_> {
    /// The comparisons that a condition is made of.
    fn facts(&self, id: ExprId) -> Vec<Fact> {
        match self.function.exprs.kind(id) {
            ExprKind::And(a, b) | ExprKind::Or(a, b) => [self.facts(a), self.facts(b)].concat(),
            ExprKind::Binary(op, sign, a, b) if op.is_comparison() => {
                self.comparison(op, sign, a, b).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn comparison(&self, op: BinOp, sign: Sign, a: ExprId, b: ExprId) -> Option<Fact> {
        // Equality is of patterns, which are read as the variable's type says.
        let is_signed = match op {
            BinOp::Eq | BinOp::Ne => {
                matches!(self.variable(a).or(self.variable(b))?.1, Scalar::Int { signed: true, .. })
            }
            _ => sign == Sign::Signed,
        };
        match (op, self.operand(a, is_signed)?, self.operand(b, is_signed)?) {
            (BinOp::Lt, Operand::Term(x), Operand::Number(n)) => Some(Fact::AtMost(x, n - 1)),
            (BinOp::Le, Operand::Term(x), Operand::Number(n)) => Some(Fact::AtMost(x, n)),
            (BinOp::Lt, Operand::Number(n), Operand::Term(x)) => Some(Fact::AtLeast(x, n + 1)),
            (BinOp::Le, Operand::Number(n), Operand::Term(x)) => Some(Fact::AtLeast(x, n)),
            (BinOp::Eq, Operand::Term(x), Operand::Number(n)) => Some(Fact::constant(x, self.pattern(a, n)?)),
            (BinOp::Eq, Operand::Number(n), Operand::Term(x)) => Some(Fact::constant(x, self.pattern(b, n)?)),
            (BinOp::Ne, Operand::Term(x), Operand::Number(n)) => Some(Fact::Differs(x, self.pattern(a, n)?)),
            (BinOp::Ne, Operand::Number(n), Operand::Term(x)) => Some(Fact::Differs(x, self.pattern(b, n)?)),
            (BinOp::Lt, Operand::Term(x), Operand::Term(y)) => Some(Fact::Compare(x, Relation::Less, y)),
            (BinOp::Le, Operand::Term(x), Operand::Term(y)) => Some(Fact::Compare(x, Relation::LessOrEqual, y)),
            (BinOp::Eq, Operand::Term(x), Operand::Term(y)) => Some(Fact::equal(x, y)),
            (BinOp::Ne, Operand::Term(x), Operand::Term(y)) => Some(Fact::Compare(x, Relation::NotEqual, y)),
            _ => None,
        }
    }

    /// A variable that is read as its type says, be it made wider first, or a number read by the comparison's sign.
    fn operand(&self, id: ExprId, is_signed: bool) -> Option<Operand> {
        if let (Some(bits), Ty::Int(width)) = (self.function.exprs.as_const(id), self.function.exprs.ty(id)) {
            let is_negative = is_signed && bits.signed(width as u32) < 0;
            return Some(Operand::Number(if is_negative { bits.signed(width as u32) } else { bits.u128() as i128 }));
        }
        let (term, scalar) = self.variable(id)?;
        // A comparison by the other sign is about other numbers. What was made wider keeps its number under either.
        let keeps = match scalar {
            Scalar::Int { signed, .. } => signed == is_signed || !signed && self.is_widened(id),
            _ => false,
        };
        keeps.then_some(Operand::Term(term))
    }

    fn is_widened(&self, id: ExprId) -> bool {
        matches!(self.function.exprs.kind(id), ExprKind::Cast(..))
    }

    fn variable(&self, id: ExprId) -> Option<(Term, Scalar)> {
        let exprs = &self.function.exprs;
        match exprs.kind(id) {
            ExprKind::Var(_) | ExprKind::Load(_) => (self.term)(id),
            ExprKind::Cast(CastOp::Int { from, .. }, inner) => {
                let found = match exprs.kind(inner) {
                    ExprKind::Var(_) | ExprKind::Load(_) => (self.term)(inner)?,
                    _ => return None,
                };
                let (Ty::Int(wide), Ty::Int(narrow)) = (exprs.ty(id), exprs.ty(inner)) else { return None };
                let is_signed = matches!(found.1, Scalar::Int { signed: true, .. });
                (wide > narrow && is_signed == (from == Sign::Signed)).then_some(found)
            }
            _ => None,
        }
    }

    /// The pattern of a number for the variable that an operand is; `None` if the variable is never that.
    fn pattern(&self, id: ExprId, number: i128) -> Option<u64> {
        let (_, scalar) = self.variable(id)?;
        let Scalar::Int { bits, signed } = scalar else { return None };
        let values = if signed { -(1i128 << (bits - 1))..1 << (bits - 1) } else { 0..1 << bits };
        values.contains(&number).then_some(number as u64 & scalar.mask())
    }
}
