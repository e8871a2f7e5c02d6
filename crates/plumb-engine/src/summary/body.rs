//! Summaries as bodies: automata that take the place of a function's own ([`plumb_ir::derive::replace_body`]).
//!
//! The body reads the inputs where the signature says that they are, computes the term in one expression, assumes that the
//! result is in the range that the interval analysis knows, and returns it. Values from outside are inputs of the summary: it
//! asks for them whether the function would or not. Operators mean what SMT-LIB says, and none of them faults
//! ([`plumb_ir::total`]).
//!
//! **Soundness.** None: a summary is right about the examples that it was made from. What is found with it is a candidate.

use super::Summary;
use super::scalar::{Words, sign_of};
use plumb_ir::analysis::signature::{ScalarType, Signature, Source};
use plumb_ir::derive::replace_body::Body;
use plumb_ir::expr::{BinOp, CastOp, ExprId, ExprKind, Sign, UnOp};
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::make::Make;
use plumb_ir::program::{
    Edge, Function, FunctionParts, HavocPlace, Lifetime, Loc, LocalVar, LocalVarInfo, ObjRef, Op as Step, Place,
    Program, VarRef,
};
use plumb_ir::ty::{Bits, Ty};
use plumb_synth::{Expr, Op};

/// A body with the registers that hold, where it returns, what it was computed from and what it returns.
#[derive(Clone, Debug)]
pub struct SummaryBody {
    pub body: Body,
    /// In the order of the signature; a nondeterministic summary has none.
    pub inputs: Vec<LocalVar>,
    pub result: LocalVar,
}

/// The body of a summary; `None` if its term has operators on integers, which bit-vectors have no counterpart for.
pub fn summary_body(program: &Program, summary: &Summary) -> Option<SummaryBody> {
    let signature = &summary.signature;
    let words = Words::of(&program.target, signature)?;
    let mut chain = Chain::new(program, signature);
    let registers: Vec<LocalVar> = signature.inputs.iter().map(|scalar| chain.read(scalar.source, scalar.ty)).collect();
    let mut inputs: Vec<ExprId> = Vec::new();
    for (scalar, var) in signature.inputs.iter().zip(&registers) {
        let value = chain.parts.exprs.push(ExprKind::Var(VarRef::Local(*var)), scalar.ty.ty);
        inputs.push(to_word(&mut chain.make(), value, scalar.ty, words.width));
    }
    let word = Term { make: chain.make(), inputs: &inputs }.value(&summary.expr.expand())?;
    let result = from_word(&mut chain.make(), word, signature.output);
    let var = chain.register("%result", signature.output.ty);
    chain.step(Step::Assign { to: Place::Var(VarRef::Local(var)), value: result });
    Some(SummaryBody { body: chain.finish(var, summary.range), inputs: registers, result: var })
}

/// The body of a non-deterministic summary: any result in the range.
pub fn nondeterministic_body(program: &Program, signature: &Signature, range: Option<(i128, i128)>) -> SummaryBody {
    let mut chain = Chain::new(program, signature);
    let var = chain.register("%result", signature.output.ty);
    chain.havoc(var, signature.output);
    SummaryBody { body: chain.finish(var, range), inputs: Vec::new(), result: var }
}

/// Edges of the body, one after the other.
struct Chain<'a> {
    program: &'a Program,
    signature: &'a Signature,
    parts: FunctionParts,
    at: Loc,
    inputs: Vec<InputSite>,
}

impl<'a> Chain<'a> {
    fn new(program: &'a Program, signature: &'a Signature) -> Chain<'a> {
        let parts = program.function(signature.func).without_body();
        Chain { program, signature, parts, at: Loc(0), inputs: Vec::new() }
    }

    fn make(&mut self) -> Make<'_> {
        Make { exprs: &mut self.parts.exprs, target: &self.program.target }
    }

    fn step(&mut self, op: Step) {
        let to = Loc(self.parts.loc_count);
        self.parts.loc_count += 1;
        self.parts.edges.push(Edge { from: self.at, to, op, span: self.parts.span });
        self.at = to;
    }

    fn register(&mut self, name: &str, ty: Ty) -> LocalVar {
        let info =
            LocalVarInfo { name: name.into(), ty, cty: None, lifetime: Lifetime::Expression, span: self.parts.span };
        self.parts.vars.push_and_get_key(info)
    }

    fn havoc(&mut self, to: LocalVar, ty: ScalarType) {
        self.inputs.push(InputSite {
            origin: InputOrigin::Summary(self.parts.name.clone()),
            ty: Some(ty.ty),
            cty: None,
            part: None,
            is_signed: ty.is_signed,
            is_bool: ty.is_bool,
            span: self.parts.span,
        });
        let input = InputId((self.program.inputs.len() + self.inputs.len()) as u32 - 1);
        self.step(Step::Havoc { to: HavocPlace::Var(VarRef::Local(to)), input });
    }

    /// A register with the value of an input.
    fn read(&mut self, source: Source, ty: ScalarType) -> LocalVar {
        let kind = match source {
            Source::Parameter(param) => return param,
            Source::External(_) | Source::Stream(_) => {
                let to = self.register("%input", ty.ty);
                self.havoc(to, ty);
                return to;
            }
            Source::Global(global) => ExprKind::Var(VarRef::Global(global)),
            Source::Object(object, offset) => self.load(ExprKind::Addr(ObjRef::Global(object)), offset),
            Source::Pointee(param, offset) => self.load(ExprKind::Var(VarRef::Local(param)), offset),
        };
        let value = self.parts.exprs.push(kind, ty.ty);
        let to = self.register("%input", ty.ty);
        self.step(Step::Assign { to: Place::Var(VarRef::Local(to)), value });
        to
    }

    fn load(&mut self, base: ExprKind, offset: u64) -> ExprKind {
        let base = self.parts.exprs.push(base, Ty::Ptr);
        ExprKind::Load(self.make().field(base, offset))
    }

    /// Assumes the range of the result and returns it.
    fn finish(mut self, result: LocalVar, range: Option<(i128, i128)>) -> Body {
        let output = self.signature.output;
        let value = self.parts.exprs.push(ExprKind::Var(VarRef::Local(result)), output.ty);
        if let (Some((least, most)), Ty::Int(bits)) = (range, output.ty) {
            let sign = sign_of(output);
            let mut make = self.make();
            let (low, high) = (make.int(least, bits as u32), make.int(most, bits as u32));
            let (above, below) = (make.binary(BinOp::Le, sign, low, value), make.binary(BinOp::Le, sign, value, high));
            let cond = make.and(above, below);
            self.step(Step::Assume { cond, branch: None });
        }
        let exit = self.parts.exit;
        self.parts.edges.push(Edge { from: self.at, to: exit, op: Step::Return(Some(value)), span: self.parts.span });
        Body { function: Function::new(self.parts), inputs: self.inputs, checks: Vec::new() }
    }
}

/// The word of an input: see [`Words::input`].
fn to_word(make: &mut Make<'_>, value: ExprId, ty: ScalarType, width: u32) -> ExprId {
    match ty.ty {
        Ty::Float(_) => cast(make, CastOp::FloatToInt(Sign::Signed), value, Ty::Int(width as u8)),
        Ty::Int(_) | Ty::Ptr => make.resize(value, sign_of(ty), width),
    }
}

/// The result that a word is: see [`Words::output`].
fn from_word(make: &mut Make<'_>, word: ExprId, ty: ScalarType) -> ExprId {
    match ty.ty {
        Ty::Int(bits) if ty.is_bool => {
            let truth = make.is_not_zero(word);
            make.resize(truth, Sign::Unsigned, bits as u32)
        }
        Ty::Float(_) => cast(make, CastOp::IntToFloat(Sign::Signed), word, ty.ty),
        Ty::Int(bits) => make.resize(word, Sign::Unsigned, bits as u32),
        Ty::Ptr => word,
    }
}

fn cast(make: &mut Make<'_>, op: CastOp, value: ExprId, to: Ty) -> ExprId {
    make.exprs.push(ExprKind::Cast(op, value), to)
}

/// A term as an expression over those of its inputs.
struct Term<'a> {
    make: Make<'a>,
    inputs: &'a [ExprId],
}

impl Term<'_> {
    fn value(&mut self, expr: &Expr) -> Option<ExprId> {
        match expr {
            Expr::Input(at) => self.inputs.get(*at as usize).copied(),
            Expr::Const(value) => {
                let ty = match value.sort() {
                    plumb_synth::Sort::Bool => Ty::BOOL,
                    plumb_synth::Sort::Bv(width) => Ty::Int(width as u8),
                    plumb_synth::Sort::Int => return None,
                };
                Some(self.make.constant(Bits::new(value.lane() as u128, 64), ty))
            }
            Expr::Hole(_) | Expr::Call(..) => None,
            Expr::Apply(op, operands) => {
                let operands: Vec<ExprId> = operands.iter().map(|e| self.value(e)).collect::<Option<_>>()?;
                match operands.as_slice() {
                    [a] => self.unary(*op, *a),
                    [c, a, b] if *op == Op::Ite => Some(self.make.ite(*c, *a, *b)),
                    [first, rest @ ..] => {
                        rest.iter().try_fold(*first, |first, second| self.binary(*op, first, *second))
                    }
                    [] => None,
                }
            }
        }
    }

    /// A truth value as one bit is the same thing in the IR.
    fn unary(&mut self, op: Op, a: ExprId) -> Option<ExprId> {
        let width = self.make.width(a);
        Some(match op {
            Op::Not => self.make.not(a),
            Op::BvNot => self.make.bits_not(a),
            Op::BvNeg => self.make.unary(UnOp::Neg, a),
            Op::BvRedOr => self.make.is_not_zero(a),
            Op::BvRedAnd => {
                let ones = self.make.int_like(-1, a);
                self.make.eq(a, ones)
            }
            Op::Extract { hi, lo } => self.make.extract(a, lo, hi - lo + 1),
            Op::ZeroExtend(bits) => self.make.resize(a, Sign::Unsigned, width + bits),
            Op::SignExtend(bits) => self.make.resize(a, Sign::Signed, width + bits),
            Op::RotateLeft(count) => self.rotate_left(a, count % width),
            Op::RotateRight(count) => self.rotate_left(a, (width - count % width) % width),
            _ => return None,
        })
    }

    fn rotate_left(&mut self, a: ExprId, count: u32) -> ExprId {
        let width = self.make.width(a);
        if count == 0 {
            return a;
        }
        let (high, low) = (self.make.extract(a, 0, width - count), self.make.extract(a, width - count, count));
        self.make.concat(high, low)
    }

    fn binary(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        let plain = |this: &mut Self, op: BinOp| this.make.binary(op, Sign::Plain, a, b);
        Some(match op {
            Op::And => self.make.and(a, b),
            Op::Or => self.make.or(a, b),
            Op::Xor => self.make.ne(a, b),
            Op::Implies => {
                let not = self.make.not(a);
                self.make.or(not, b)
            }
            Op::Eq | Op::BvComp => self.make.eq(a, b),
            Op::Distinct => self.make.ne(a, b),
            Op::BvAnd => plain(self, BinOp::And),
            Op::BvOr => plain(self, BinOp::Or),
            Op::BvXor => plain(self, BinOp::Xor),
            Op::BvNand => {
                let inner = plain(self, BinOp::And);
                self.make.bits_not(inner)
            }
            Op::BvNor => {
                let inner = plain(self, BinOp::Or);
                self.make.bits_not(inner)
            }
            Op::BvXnor => {
                let inner = plain(self, BinOp::Xor);
                self.make.bits_not(inner)
            }
            Op::BvAdd => plain(self, BinOp::Add),
            Op::BvSub => plain(self, BinOp::Sub),
            Op::BvMul => plain(self, BinOp::Mul),
            Op::BvUdiv => self.make.unsigned_quotient(a, b),
            Op::BvUrem => self.make.unsigned_remainder(a, b),
            Op::BvSdiv => self.make.signed_quotient(a, b),
            Op::BvSrem => self.make.signed_remainder(a, b),
            Op::BvSmod => self.make.modulo(a, b),
            Op::BvShl => plain(self, BinOp::Shl),
            Op::BvLshr => plain(self, BinOp::Shr),
            Op::BvAshr => self.make.arithmetic_shift(a, b),
            Op::BvUlt => self.make.binary(BinOp::Lt, Sign::Unsigned, a, b),
            Op::BvUle => self.make.binary(BinOp::Le, Sign::Unsigned, a, b),
            Op::BvUgt => self.make.binary(BinOp::Lt, Sign::Unsigned, b, a),
            Op::BvUge => self.make.binary(BinOp::Le, Sign::Unsigned, b, a),
            Op::BvSlt => self.make.binary(BinOp::Lt, Sign::Signed, a, b),
            Op::BvSle => self.make.binary(BinOp::Le, Sign::Signed, a, b),
            Op::BvSgt => self.make.binary(BinOp::Lt, Sign::Signed, b, a),
            Op::BvSge => self.make.binary(BinOp::Le, Sign::Signed, b, a),
            Op::Concat => self.make.concat(a, b),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests;
