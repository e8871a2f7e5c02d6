//! The invariants of a program, checked: what lowering and every pass must leave behind.
//!
//! A violation is a bug of Plumb, not of the user's program, so the answer is a list of sentences for us: passes call it
//! in debug assertions and tests. See [`crate::program`] for the invariants and [`crate::verify_expr`] for the typing
//! of expressions.

use crate::check::CheckId;
use crate::expr::{ExprId, ExprKind};
use crate::form::complementary;
use crate::program::{
    Callee, DatumValue, Edge, FuncId, Function, GlobalObj, HavocPlace, Intrinsic, ObjRef, Op, Place, Program,
    ScalarInit, VarRef,
};
use crate::ty::Ty;
use crate::verify_expr;

/// Everything that is wrong with the program; empty if it keeps all invariants.
pub fn verify(program: &Program) -> Vec<String> {
    let mut errors = Vec::new();
    if program.functions.get(program.start).is_none() {
        errors.push("the start function does not exist".to_string());
    } else if program.function(program.start).param_count != 0 {
        errors.push("the start function has parameters".to_string());
    }
    globals(program, &mut errors);
    for id in program.function_ids() {
        errors.extend(function(program, program.function(id)));
    }
    errors
}

/// Everything that is wrong with one function of the program.
pub fn function(program: &Program, function: &Function) -> Vec<String> {
    let mut checker = Checker { program, function, errors: Vec::new() };
    if checker.ids_in_range() {
        verify_expr::expressions(program, function, &mut checker.errors);
        checker.locations();
        for edge in &function.edges {
            checker.edge(edge);
        }
    }
    let name = &function.name;
    checker.errors.into_iter().map(|e| format!("{name}: {e}")).collect()
}

fn globals(program: &Program, errors: &mut Vec<String>) {
    let has_object = |id: GlobalObj| program.objects.get(id).is_some();
    let has_function = |id: FuncId| program.functions.get(id).is_some();
    for var in program.vars.iter() {
        let fine = match var.init {
            ScalarInit::Const(bits) => bits.u128() & !var.ty.mask(&program.target) == 0,
            ScalarInit::Object(object, _) => var.ty == Ty::Ptr && has_object(object),
            ScalarInit::Function(function) => var.ty == Ty::Ptr && has_function(function),
        };
        if !fine {
            errors.push(format!("the initial value of {} does not fit its type {}", var.name, var.ty));
        }
    }
    if program.objects.iter().skip(1).any(|object| object.is_foreign) {
        errors.push("memory from outside is not the first object".to_string());
    }
    for object in program.objects.iter() {
        let mut end = 0;
        for datum in &object.init {
            let (size, fine) = match &datum.value {
                DatumValue::Bytes(bytes) => (bytes.len() as u64, true),
                DatumValue::Object(id, _) => (program.target.pointer_bytes, has_object(*id)),
                DatumValue::Function(id) => (program.target.pointer_bytes, has_function(*id)),
            };
            let datum_end = datum.offset.saturating_add(size);
            if !fine || datum.offset < end || datum_end > object.size {
                errors.push(format!("the datum at offset {} of {} is out of place", datum.offset, object.name));
            }
            end = datum_end;
        }
    }
}

struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
    errors: Vec<String>,
}

impl Checker<'_> {
    fn error(&mut self, message: String) {
        self.errors.push(message);
    }

    /// Whether all ids denote something, so that the other checks may follow them.
    fn ids_in_range(&mut self) -> bool {
        let f = self.function;
        let before = self.errors.len();
        if f.param_count as usize > f.vars.len() {
            self.error("more parameters than registers".to_string());
        }
        let named = f.labels.iter().map(|(_, loc)| *loc).chain(f.loops.iter().map(|l| l.head));
        for (i, loc) in [f.entry, f.exit].into_iter().chain(named).enumerate() {
            if loc.0 >= f.loc_count {
                self.error(format!("location L{} ({i}) does not exist", loc.0));
            }
        }
        for i in 0..f.exprs.len() as u32 {
            let kind = f.exprs.kind(ExprId(i));
            if kind.operands().any(|operand| operand.0 >= i) {
                self.error(format!("expression {i} uses a later one"));
            }
            let known = match kind {
                ExprKind::Var(var) => self.has_var(var),
                ExprKind::Addr(ObjRef::Global(object)) => self.program.objects.get(object).is_some(),
                ExprKind::Addr(ObjRef::Local(object)) => f.objects.get(object).is_some(),
                ExprKind::FuncAddr(id) | ExprKind::Callable { like: id, .. } => {
                    self.program.functions.get(id).is_some()
                }
                _ => true,
            };
            if !known {
                self.error(format!("expression {i} names something that does not exist"));
            }
        }
        for (i, edge) in f.edges.raw.iter().enumerate() {
            if edge.from.0 >= f.loc_count || edge.to.0 >= f.loc_count {
                self.error(format!("edge {i} joins locations that do not exist"));
            }
            if i > 0 && f.edges.raw[i - 1].from > edge.from {
                self.error(format!("edge {i} is not in the order of sources"));
            }
            if edge.op.exprs().any(|e| e.0 as usize >= f.exprs.len()) {
                self.error(format!("edge {i} uses an expression that does not exist"));
            }
            if edge.op.written().is_some_and(|v| !self.has_var(v)) {
                self.error(format!("edge {i} writes a register that does not exist"));
            }
            let known = match &edge.op {
                Op::Havoc { input, .. } => self.program.inputs.get(*input).is_some(),
                Op::Check { check: CheckId(id), .. } => (*id as usize) < self.program.checks.len(),
                Op::Call { callee: Callee::Direct(id), .. } => self.program.functions.get(*id).is_some(),
                Op::Assign { .. } | Op::Assume { .. } | Op::Call { .. } | Op::Return(_) => true,
            };
            if !known {
                self.error(format!("edge {i} names an input, check or function that does not exist"));
            }
        }
        self.errors.len() == before
    }

    fn has_var(&self, var: VarRef) -> bool {
        match var {
            VarRef::Global(v) => self.program.vars.get(v).is_some(),
            VarRef::Local(v) => self.function.vars.get(v).is_some(),
        }
    }

    fn var_ty(&self, var: VarRef) -> Ty {
        match var {
            VarRef::Global(v) => self.program.var(v).ty,
            VarRef::Local(v) => self.function.var(v).ty,
        }
    }

    fn ty(&self, id: ExprId) -> Ty {
        self.function.exprs.ty(id)
    }

    fn locations(&mut self) {
        let f = self.function;
        for loc in f.locs() {
            let edges: Vec<&Edge> = f.out_edges(loc).map(|e| f.edge(e)).collect();
            if loc == f.exit && !edges.is_empty() {
                self.error("an edge leaves the exit".to_string());
            }
            if edges.len() < 2 {
                continue;
            }
            let conditions: Vec<ExprId> = edges
                .iter()
                .filter_map(|e| match e.op {
                    Op::Assume { cond, .. } => Some(cond),
                    _ => None,
                })
                .collect();
            let exclusive = match conditions[..] {
                [a, b] => edges.len() == 2 && complementary(&f.exprs, a, b, &mut 1000),
                _ => false,
            };
            if !exclusive {
                self.error(format!("the edges that leave L{} are not a branch on one condition", loc.0));
            }
        }
    }

    fn edge(&mut self, edge: &Edge) {
        let at = format!("L{} -> L{}", edge.from.0, edge.to.0);
        let returns = matches!(edge.op, Op::Return(_));
        if returns != (edge.to == self.function.exit) {
            self.error(format!("{at}: exactly the return edges lead to the exit"));
        }
        let pointer_int = Ty::Int(self.program.target.pointer_bits() as u8);
        let problem = match &edge.op {
            Op::Assign { to: Place::Var(var), value } => {
                (self.var_ty(*var) != self.ty(*value)).then(|| "value and register differ in type".to_string())
            }
            Op::Assign { to: Place::Mem(addr), .. } => {
                (self.ty(*addr) != Ty::Ptr).then(|| "stores to what is not an address".to_string())
            }
            Op::Assume { cond, .. } | Op::Check { cond, .. } => {
                (self.ty(*cond) != Ty::BOOL).then(|| "the condition is not a truth value".to_string())
            }
            Op::Havoc { to: HavocPlace::Var(var), input } => (self.program.input(*input).ty != Some(self.var_ty(*var)))
                .then(|| "input and register differ in type".to_string()),
            Op::Havoc { to: HavocPlace::Region { addr, size }, .. } => {
                (self.ty(*addr) != Ty::Ptr || self.ty(*size) != pointer_int).then(|| "a malformed region".to_string())
            }
            Op::Havoc { to: HavocPlace::Objects { addr, .. }, input } => (self.ty(*addr) != Ty::Ptr
                || self.program.input(*input).ty.is_some())
            .then(|| "a malformed input of objects".to_string()),
            Op::Call { to, callee, args } => self.call(*to, *callee, args),
            Op::Return(value) => {
                (value.map(|v| self.ty(v)) != self.function.ret).then(|| "returns a value of another type".to_string())
            }
        };
        if let Some(problem) = problem {
            self.error(format!("{at}: {problem}"));
        }
    }

    fn call(&self, to: Option<VarRef>, callee: Callee, args: &[ExprId]) -> Option<String> {
        let result = to.map(|var| self.var_ty(var));
        let args: Vec<Ty> = args.iter().map(|&a| self.ty(a)).collect();
        match callee {
            Callee::Indirect(addr) => (self.ty(addr) != Ty::Ptr).then(|| "calls what is not an address".to_string()),
            Callee::Direct(id) => {
                let callee = self.program.function(id);
                let params = callee.vars.iter().take(callee.param_count as usize).map(|v| v.ty);
                if !params.eq(args.iter().copied()) {
                    return Some(format!("the arguments do not fit the parameters of {}", callee.name));
                }
                (result.is_some() && result != callee.ret).then(|| format!("takes no such result of {}", callee.name))
            }
            Callee::Intrinsic(intrinsic) => {
                let (params, ret) = signature(intrinsic, self.program);
                (params != args || result.is_some() && result != ret)
                    .then(|| format!("{intrinsic:?} is called with wrong types"))
            }
        }
    }
}

/// Parameter and result types of an intrinsic.
pub fn signature(intrinsic: Intrinsic, program: &Program) -> (Vec<Ty>, Option<Ty>) {
    let size = Ty::Int(program.target.pointer_bits() as u8);
    let int = Ty::Int(program.target.int_bytes as u8 * 8);
    match intrinsic {
        Intrinsic::HeapAlloc => (vec![size, size], Some(Ty::Ptr)),
        Intrinsic::StackAlloc => (vec![size], Some(Ty::Ptr)),
        Intrinsic::Free | Intrinsic::StackFree => (vec![Ty::Ptr], None),
        Intrinsic::MemCopy => (vec![Ty::Ptr, Ty::Ptr, size], None),
        Intrinsic::MemSet => (vec![Ty::Ptr, Ty::Int(8), size], None),
        Intrinsic::Print => (vec![Ty::Ptr, Ty::Ptr], Some(int)),
        Intrinsic::Exit => (vec![int], None),
        Intrinsic::Abort => (vec![], None),
        Intrinsic::NewStack => (vec![Ty::Ptr, Ty::Ptr], Some(int)),
        Intrinsic::SwitchStack | Intrinsic::EndStack => (vec![int], None),
        Intrinsic::CurrentStack => (vec![], Some(int)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{BinOp, Sign};
    use crate::program::{Loc, LocalVar};
    use crate::sample::{self, Body, I32};

    fn errors(body: Body) -> String {
        let mut start = Body::new("start", &[], None);
        start.ret(Loc(0), None);
        verify(&sample::program(vec![start.finish(), body.finish()])).join("; ")
    }

    fn body() -> Body {
        Body::new("f", &[("x", I32), ("p", Ty::Ptr)], Some(I32))
    }

    #[test]
    fn well_formed_functions_pass() {
        let mut b = body();
        let (x, one) = (b.get(VarRef::Local(LocalVar(0))), b.int(1));
        let cond = b.binary(BinOp::Lt, x, one);
        let (yes, no) = (b.loc(), b.loc());
        b.branch(Loc(0), cond, yes, no);
        b.ret(yes, Some(x));
        b.ret(no, Some(one));
        assert_eq!(errors(b), "");
    }

    #[test]
    fn each_broken_rule_is_reported() {
        let mut b = body();
        let p = b.get(VarRef::Local(LocalVar(1)));
        b.ret(Loc(0), Some(p));
        assert!(errors(b).contains("returns a value of another type"));

        let mut b = body();
        let (x, p) = (b.get(VarRef::Local(LocalVar(0))), b.get(VarRef::Local(LocalVar(1))));
        let sum = b.push(ExprKind::Binary(BinOp::Add, Sign::Signed, x, p), I32);
        b.ret(Loc(0), Some(sum));
        assert!(errors(b).contains("the operands differ in type"));

        let mut b = body();
        let (x, one) = (b.get(VarRef::Local(LocalVar(0))), b.int(1));
        let (c, d) = (b.binary(BinOp::Lt, x, one), b.binary(BinOp::Eq, x, one));
        let (yes, no) = (b.loc(), b.loc());
        b.edge(Loc(0), yes, Op::Assume { cond: c, branch: None });
        b.edge(Loc(0), no, Op::Assume { cond: d, branch: None });
        b.ret(yes, Some(x));
        b.ret(no, Some(x));
        assert!(errors(b).contains("not a branch on one condition"));

        let mut b = body();
        let x = b.get(VarRef::Local(LocalVar(0)));
        let at = b.call(Loc(0), None, FuncId(1), vec![x]);
        b.ret(at, Some(x));
        assert!(errors(b).contains("do not fit the parameters of f"));

        let mut b = body();
        let later = b.push(ExprKind::Load(ExprId(7)), I32);
        b.ret(Loc(0), Some(later));
        assert!(errors(b).contains("uses a later one"));
    }
}
