//! Local objects that are filled in before anybody reads them: `pthread_t t; pthread_create(&t, ...)`.
//!
//! The garbage that C leaves in such an object is an input that no run depends on. An object counts if its address is nowhere but in accesses of the
//! whole object by its own function and in calls of library models that write all of it, through a parameter that they use for
//! nothing else, before they return; and if one of these lies on every path from the garbage to a read.

use crate::analysis::address_taken::direct;
use crate::analysis::dominators::Dominators;
use crate::expr::{ExprId, ExprKind};
use crate::input::InputOrigin;
use crate::program::{
    Callee, EdgeId, Function, HavocPlace, Loc, LocalObj, LocalVar, ObjRef, Op, Place, Program, VarRef,
};
use std::collections::BTreeSet;

/// The edges that put garbage into objects which are filled in before they are read.
pub fn filled_later(program: &Program, function: &Function) -> Vec<EdgeId> {
    let garbage: Vec<(EdgeId, LocalObj)> =
        function.edge_ids().filter_map(|edge| Some((edge, garbage_in(program, function, edge)?))).collect();
    if garbage.is_empty() {
        return Vec::new();
    }
    let is_filled = |edge: EdgeId, object: LocalObj| {
        Uses::of(program, function, object).is_some_and(|uses| !uses.reach_read(function, edge))
    };
    garbage.into_iter().filter(|(edge, object)| is_filled(*edge, *object)).map(|(edge, _)| edge).collect()
}

/// The object that the edge fills with garbage as a whole.
fn garbage_in(program: &Program, function: &Function, edge: EdgeId) -> Option<LocalObj> {
    let Op::Havoc { to: HavocPlace::Region { addr, size }, input } = function.edge(edge).op else { return None };
    if !matches!(program.input(input).origin, InputOrigin::Uninitialised(_) | InputOrigin::Padding(_)) {
        return None;
    }
    let (ObjRef::Local(object), 0) = direct(&function.exprs, addr, &program.target)? else { return None };
    let size = function.exprs.as_const(size)?.u64();
    (size == function.object(object).size).then_some(object)
}

/// Where an object is used.
#[derive(Default)]
struct Uses {
    fills: Vec<EdgeId>,
    /// Locations before edges that read it.
    reads: Vec<Loc>,
}

impl Uses {
    /// `None` if its address gets anywhere else.
    fn of(program: &Program, function: &Function, object: LocalObj) -> Option<Uses> {
        let mut uses = Uses::default();
        let is_object =
            |expr: ExprId| direct(&function.exprs, expr, &program.target) == Some((ObjRef::Local(object), 0));
        let size = function.object(object).size;
        for id in function.edge_ids() {
            let edge = function.edge(id);
            let mut others: Vec<ExprId> = Vec::new();
            match &edge.op {
                Op::Assign { to: Place::Mem(addr), value } if is_object(*addr) => {
                    if function.exprs.ty(*value).bytes(&program.target) == size {
                        uses.fills.push(id);
                    }
                    others.push(*value);
                }
                Op::Havoc { to: HavocPlace::Region { addr, .. }, .. } if is_object(*addr) => {}
                Op::Call { callee: Callee::Direct(callee), args, .. } => {
                    for (number, arg) in args.iter().enumerate() {
                        if !is_object(*arg) {
                            others.push(*arg);
                        } else if fills_parameter(program, program.function(*callee), number, size) {
                            uses.fills.push(id);
                        } else {
                            return None;
                        }
                    }
                }
                op => others.extend(op.exprs()),
            }
            for root in others {
                uses.add_reads(function, root, edge.from, object, &is_object)?;
            }
        }
        Some(uses)
    }

    /// Whether a path leads from behind an edge to a read without passing what fills the object.
    fn reach_read(&self, function: &Function, edge: EdgeId) -> bool {
        let mut seen = BTreeSet::new();
        let mut work = vec![function.edge(edge).to];
        while let Some(loc) = work.pop() {
            if !seen.insert(loc) {
                continue;
            }
            if self.reads.contains(&loc) {
                return true;
            }
            let on = function.out_edges(loc).filter(|edge| !self.fills.contains(edge));
            work.extend(on.map(|edge| function.edge(edge).to));
        }
        false
    }

    fn add_reads(
        &mut self,
        function: &Function,
        expr: ExprId,
        from: Loc,
        object: LocalObj,
        is_object: &impl Fn(ExprId) -> bool,
    ) -> Option<()> {
        match function.exprs.kind(expr) {
            ExprKind::Load(addr) if is_object(addr) => {
                self.reads.push(from);
                Some(())
            }
            ExprKind::Addr(ObjRef::Local(one)) if one == object => None,
            kind => {
                for operand in kind.operands() {
                    self.add_reads(function, operand, from, object, is_object)?;
                }
                Some(())
            }
        }
    }
}

/// Whether a model writes so many bytes through a parameter before it returns, and uses it for nothing else.
fn fills_parameter(program: &Program, function: &Function, number: usize, size: u64) -> bool {
    if !function.is_library || number >= function.param_count as usize {
        return false;
    }
    let param = VarRef::Local(LocalVar::from(number));
    let is_param = |expr: ExprId| function.exprs.kind(expr) == ExprKind::Var(param);
    let mut stores: Vec<Loc> = Vec::new();
    for edge in &function.edges {
        if edge.op.written() == Some(param) {
            return false;
        }
        let mut rest: Vec<ExprId> = edge.op.exprs().collect();
        if let Op::Assign { to: Place::Mem(addr), value } = &edge.op
            && is_param(*addr)
        {
            if function.exprs.ty(*value).bytes(&program.target) == size {
                stores.push(edge.from);
            }
            rest = vec![*value];
        }
        while let Some(expr) = rest.pop() {
            if is_param(expr) {
                return false;
            }
            rest.extend(function.exprs.kind(expr).operands());
        }
    }
    let dominators = Dominators::of(function);
    let returns = function.edges.iter().filter(|edge| matches!(edge.op, Op::Return(_)));
    let mut returns = returns.peekable();
    returns.peek().is_some()
        && returns.all(|edge| stores.iter().any(|store| *store != edge.from && dominators.dominates(*store, edge.from)))
}
