//! Who calls whom, calls through pointers included.
//!
//! The targets of a pointer call come from the points-to analysis; where it does not know, every function whose address is
//! taken and whose parameters and result fit the call ([`Function::accepts`], as the machine has it): a call that does
//! not fit ends the run. So the graph has an edge for every call that any run can make. Making a stack counts as a call of
//! the function that it starts with; who switches to it is not told.

use crate::analysis::address_taken::AddressTaken;
use crate::analysis::graph::Graph;
use crate::analysis::pointsto::PointsTo;
use crate::index::TiVec;
use crate::program::{Callee, EdgeId, FuncId, Function, Intrinsic, Op, Program, VarRef};
use crate::ty::Ty;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Call {
    pub edge: EdgeId,
    pub callee: FuncId,
    pub direct: bool,
}

#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: TiVec<FuncId, Vec<Call>>,
    callers: TiVec<FuncId, Vec<(FuncId, EdgeId)>>,
    /// The number of each function's component; callees have lower numbers, except within one.
    component: TiVec<FuncId, u32>,
    recursive: TiVec<FuncId, bool>,
    bottom_up: Vec<FuncId>,
}

impl CallGraph {
    /// Without points-to information every pointer call may reach every fitting function.
    pub fn of(program: &Program, points_to: Option<&PointsTo>) -> CallGraph {
        let taken = AddressTaken::of(program);
        let mut callees: TiVec<FuncId, Vec<Call>> = TiVec::new();
        let mut callers: TiVec<FuncId, Vec<(FuncId, EdgeId)>> = vec![Vec::new(); program.functions.len()].into();
        for id in program.function_ids() {
            let function = program.function(id);
            let mut calls = Vec::new();
            for edge in function.edge_ids() {
                let Op::Call { callee, .. } = &function.edge(edge).op else { continue };
                match callee {
                    Callee::Direct(callee) => calls.push(Call { edge, callee: *callee, direct: true }),
                    Callee::Indirect(_) | Callee::Intrinsic(Intrinsic::NewStack) => {
                        let known = points_to.and_then(|p| p.call_targets(id, edge));
                        let targets = known.unwrap_or_else(|| fitting(program, function, edge, &taken));
                        calls.extend(targets.into_iter().map(|callee| Call { edge, callee, direct: false }));
                    }
                    Callee::Intrinsic(_) => {}
                }
            }
            for call in &calls {
                callers[call.callee].push((id, call.edge));
            }
            callees.push(calls);
        }
        CallGraph::from_calls(callees, callers)
    }

    fn from_calls(callees: TiVec<FuncId, Vec<Call>>, callers: TiVec<FuncId, Vec<(FuncId, EdgeId)>>) -> CallGraph {
        let len = callees.len();
        let edges: Vec<(u32, u32)> =
            callees.iter().enumerate().flat_map(|(i, c)| c.iter().map(move |c| (i as u32, c.callee.0))).collect();
        let nodes: Vec<u32> = (0..len as u32).collect();
        let components = Graph::new(len, &edges).components(&nodes, |_| true);
        let mut component: TiVec<FuncId, u32> = vec![0; len].into();
        let mut recursive: TiVec<FuncId, bool> = vec![false; len].into();
        for (i, members) in components.iter().enumerate() {
            for id in members.iter().map(|&f| FuncId(f)) {
                component[id] = i as u32;
                recursive[id] = members.len() > 1 || callees[id].iter().any(|c| c.callee == id);
            }
        }
        let bottom_up = components.into_iter().flatten().map(FuncId).collect();
        CallGraph { callees, callers, component, recursive, bottom_up }
    }

    /// The calls that a function makes, in the order of its edges.
    pub fn callees(&self, id: FuncId) -> &[Call] {
        &self.callees[id]
    }

    pub fn callers(&self, id: FuncId) -> &[(FuncId, EdgeId)] {
        &self.callers[id]
    }

    /// What a call edge may run.
    pub fn targets(&self, id: FuncId, edge: EdgeId) -> impl Iterator<Item = FuncId> + '_ {
        self.callees(id).iter().filter(move |c| c.edge == edge).map(|c| c.callee)
    }

    /// Whether the function can call itself, perhaps through others.
    pub fn is_recursive(&self, id: FuncId) -> bool {
        self.recursive[id]
    }

    /// Whether two functions can call each other.
    pub fn mutually_recursive(&self, a: FuncId, b: FuncId) -> bool {
        self.component[a] == self.component[b]
    }

    /// Every function after those it calls, except around recursion.
    pub fn bottom_up(&self) -> &[FuncId] {
        &self.bottom_up
    }

    /// The functions that may run when this one does, itself included.
    pub fn reachable(&self, from: FuncId) -> Vec<FuncId> {
        let mut seen: TiVec<FuncId, bool> = vec![false; self.callees.len()].into();
        let mut list = Vec::new();
        let mut stack = vec![from];
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut seen[id], true) {
                list.push(id);
                stack.extend(self.callees(id).iter().map(|c| c.callee));
            }
        }
        list
    }
}

/// Whether a call with these argument and result types runs the function rather than ending the run.
pub fn fits(program: &Program, callee: FuncId, args: &[Ty], result: Option<Ty>) -> bool {
    program.function(callee).accepts(args, result)
}

/// The functions whose address is taken and that fit a call.
fn fitting(program: &Program, function: &Function, edge: EdgeId, taken: &AddressTaken) -> Vec<FuncId> {
    let (args, result) = call_types(program, function, edge);
    program.function_ids().filter(|&f| taken.function(f) && fits(program, f, &args, result)).collect()
}

/// Types of the arguments and of the register that takes the result.
pub fn call_types(program: &Program, function: &Function, edge: EdgeId) -> (Vec<Ty>, Option<Ty>) {
    let op = &function.edge(edge).op;
    let passed = op.passed_args().iter().map(|&a| function.exprs.ty(a)).collect();
    match op {
        // What a start function returns goes nowhere.
        Op::Call { callee: Callee::Intrinsic(_), .. } => (passed, None),
        Op::Call { to, .. } => {
            let result = to.map(|var| match var {
                VarRef::Global(v) => program.var(v).ty,
                VarRef::Local(v) => function.var(v).ty,
            });
            (passed, result)
        }
        Op::Assign { .. } | Op::Assume { .. } | Op::Havoc { .. } | Op::Return(_) | Op::Check { .. } => (vec![], None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::ExprKind;
    use crate::program::Loc;
    use crate::sample::{self, Body, I32};

    fn calls(name: &str, callees: &[u32]) -> Function {
        let mut b = Body::new(name, &[], None);
        let mut at = Loc(0);
        for &callee in callees {
            at = b.call(at, None, FuncId(callee), vec![]);
        }
        b.ret(at, None);
        b.finish()
    }

    #[test]
    fn recursion_is_found_through_other_functions() {
        let program =
            sample::program(vec![calls("main", &[1]), calls("even", &[2]), calls("odd", &[1, 3]), calls("leaf", &[])]);
        let graph = CallGraph::of(&program, None);
        assert!(graph.is_recursive(FuncId(1)) && graph.is_recursive(FuncId(2)));
        assert!(!graph.is_recursive(FuncId(0)) && !graph.is_recursive(FuncId(3)));
        assert!(graph.mutually_recursive(FuncId(1), FuncId(2)));
        let order = graph.bottom_up();
        let position = |id| order.iter().position(|&f| f == FuncId(id)).unwrap();
        assert!(position(3) < position(2) && position(1) < position(0));
        assert_eq!(graph.reachable(FuncId(3)), [FuncId(3)]);
    }

    #[test]
    fn pointer_calls_reach_fitting_functions_whose_address_is_taken() {
        let mut b = Body::new("main", &[], None);
        let p = b.var("p", Ty::Ptr);
        let (f, g) = (b.push(ExprKind::FuncAddr(FuncId(1)), Ty::Ptr), b.push(ExprKind::FuncAddr(FuncId(2)), Ty::Ptr));
        let at = b.assign(Loc(0), p, f);
        let at = b.assign(at, p, g);
        let (callee, arg) = (b.get(p), b.int(3));
        let at = b.step(at, Op::Call { to: None, callee: Callee::Indirect(callee), args: vec![arg] });
        b.ret(at, None);
        let mut one = Body::new("one", &[("x", I32)], None);
        one.ret(Loc(0), None);
        let program = sample::program(vec![b.finish(), one.finish(), calls("none", &[]), calls("untaken", &[])]);
        let graph = CallGraph::of(&program, None);
        // The machine ignores arguments that a function does not take, so `none` is called as well.
        let reached: Vec<FuncId> = graph.callees(FuncId(0)).iter().map(|c| c.callee).collect();
        assert_eq!(reached, [FuncId(1), FuncId(2)]);
    }
}
