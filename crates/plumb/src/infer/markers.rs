//! The program with places for samples: a function's entry that no loop comes back to, and its exits with the result in a register.

use plumb_ir::expr::ExprKind;
use plumb_ir::program::{
    Edge, FuncId, Function, FunctionParts, Lifetime, Loc, LocalVar, LocalVarInfo, Op, Place, Program, VarRef,
};
use plumb_ir::ty::{Bits, Ty};
use std::sync::Arc;

/// Where a function begins and ends.
pub struct Markers {
    pub func: FuncId,
    pub entry: Loc,
    pub exits: Vec<Loc>,
    /// Holds the result at the exits.
    pub result: Option<LocalVar>,
}

/// The user's functions with markers. The program does the same as before.
pub fn marked(program: &Program) -> (Program, Vec<Markers>) {
    let mut marked = program.clone();
    let mut list = Vec::new();
    for func in program.function_ids() {
        let function = program.function(func);
        if function.is_library || !function.has_body || func == program.start {
            continue;
        }
        let (function, markers) = with_markers(func, function);
        marked.functions[func] = Arc::new(function);
        list.push(markers);
    }
    (marked, list)
}

fn with_markers(func: FuncId, function: &Function) -> (Function, Markers) {
    let mut parts: FunctionParts = function.clone().into_parts();
    let mut location = || {
        parts.loc_count += 1;
        Loc(parts.loc_count - 1)
    };
    let entry = location();
    let always = parts.exprs.push(ExprKind::Const(Bits::ONE), Ty::BOOL);
    let begin = Op::Assume { cond: always, branch: None };
    let mut edges = vec![Edge { from: entry, to: parts.entry, op: begin, span: parts.span }];
    let result = parts.ret.map(|ty| {
        let info =
            LocalVarInfo { name: "%result".into(), ty, cty: None, lifetime: Lifetime::Expression, span: parts.span };
        (parts.vars.push_and_get_key(info), ty)
    });
    let mut exits = Vec::new();
    for edge in parts.edges.iter() {
        match (&edge.op, result) {
            (Op::Return(Some(value)), Some((var, ty))) => {
                let exit = Loc(parts.loc_count);
                parts.loc_count += 1;
                let to = VarRef::Local(var);
                edges.push(Edge { to: exit, op: Op::Assign { to: Place::Var(to), value: *value }, ..edge.clone() });
                let value = parts.exprs.push(ExprKind::Var(to), ty);
                edges.push(Edge { from: exit, op: Op::Return(Some(value)), ..edge.clone() });
                exits.push(exit);
            }
            (Op::Return(_), _) => {
                edges.push(edge.clone());
                exits.push(edge.from);
            }
            _ => edges.push(edge.clone()),
        }
    }
    parts.entry = entry;
    parts.edges = edges.into();
    (Function::new(parts), Markers { func, entry, exits, result: result.map(|(var, _)| var) })
}
