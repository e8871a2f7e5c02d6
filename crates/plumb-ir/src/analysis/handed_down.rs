//! Pointers that are handed down: from a call to the calls inside of it, as arguments and nothing else.
//!
//! **Idea.** The address of an object of an activation goes down the call stack in parameters (out-parameters, structures).
//! Where a pointer comes from is followed through the registers of one function, without regard to the order of edges: to parameters, to
//! addresses of the function's own objects, or to somewhere else: a global, memory, a result, a number. "Somewhere else" counts only
//! where the points-to analysis says that the pointer may point to an object of an activation.
//!
//! Two things follow:
//!
//! * [`HandedDown::written`]: the parameters through which a function, with all that it calls, writes to objects of its callers;
//! * [`HandedDown::is_live`]: that a parameter points to no object of an activation that is gone.
//!
//! **Soundness.** In every call, an object of an activation that is not inside of the call, and that the call writes to, is one that an argument
//! of a parameter in `written` points into, unless `written` is `None`. Take the address of the write and follow it back along the
//! assignments that made it: each is one of those that were looked at, and stays in the object (see [`crate::analysis::modref`]). The same
//! walk up the call stack ends for a live parameter at the address of an object of an activation that is on the stack.

use crate::analysis::callgraph::CallGraph;
use crate::analysis::pointsto::{Object, PointsTo, Targets};
use crate::expr::{ExprId, ExprKind};
use crate::index::TiVec;
use crate::program::{
    Callee, EdgeId, Extent, FuncId, Function, HavocPlace, Intrinsic, LocalVar, Op, Place, Program, VarRef,
};
use crate::ty::Ty;
use std::collections::BTreeSet;

/// Where a pointer to an object of an activation may come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Roots {
    parameters: BTreeSet<LocalVar>,
    /// Neither a parameter nor an object of this activation.
    elsewhere: bool,
}

impl Roots {
    const ELSEWHERE: Roots = Roots { parameters: BTreeSet::new(), elsewhere: true };

    /// Whether anything is new.
    fn add(&mut self, other: &Roots) -> bool {
        let before = (self.parameters.len(), self.elsewhere);
        self.parameters.extend(&other.parameters);
        self.elsewhere |= other.elsewhere;
        before != (self.parameters.len(), self.elsewhere)
    }
}

pub struct HandedDown {
    written: TiVec<FuncId, Roots>,
    /// Parameters that may point to objects of activations that are gone, or may hold anything.
    doubtful: BTreeSet<(FuncId, LocalVar)>,
}

impl HandedDown {
    pub fn of(program: &Program, calls: &CallGraph, points_to: &PointsTo) -> HandedDown {
        let functions: TiVec<FuncId, Registers> =
            program.function_ids().map(|id| Registers::of(program, points_to, id)).collect();
        let written = written(program, calls, &functions);
        let doubtful = doubtful(program, calls, &functions);
        HandedDown { written, doubtful }
    }

    /// The parameters through which a function writes to objects of activations below its own, directly or in what it calls. `None` if it
    /// may write to such objects otherwise.
    pub fn written(&self, func: FuncId) -> Option<&BTreeSet<LocalVar>> {
        let Roots { parameters, elsewhere } = &self.written[func];
        (!elsewhere).then_some(parameters)
    }

    /// Whether the objects of activations that a parameter points to when the function is called are all alive.
    pub fn is_live(&self, func: FuncId, parameter: LocalVar) -> bool {
        !self.doubtful.contains(&(func, parameter))
    }
}

/// What the pointers of one function come from.
struct Registers<'a> {
    function: &'a Function,
    points_to: &'a PointsTo,
    id: FuncId,
    roots: TiVec<LocalVar, Roots>,
}

impl<'a> Registers<'a> {
    fn of(program: &'a Program, points_to: &'a PointsTo, id: FuncId) -> Registers<'a> {
        let function = program.function(id);
        let mut roots: TiVec<LocalVar, Roots> = function.vars.iter().map(|_| Roots::default()).collect();
        for var in (0..function.param_count).map(LocalVar) {
            if function.var(var).ty == Ty::Ptr {
                roots[var].parameters.insert(var);
            }
        }
        let mut registers = Registers { function, points_to, id, roots };
        let mut changed = true;
        while changed {
            changed = false;
            for edge in &function.edges {
                let Some(VarRef::Local(var)) = edge.op.written() else { continue };
                if function.var(var).ty == Ty::Ptr {
                    let new = match &edge.op {
                        Op::Assign { value, .. } => registers.value(*value),
                        _ if may_be_of_activation(&points_to.local(id, var)) => Roots::ELSEWHERE,
                        _ => Roots::default(),
                    };
                    changed |= registers.roots[var].add(&new);
                }
            }
        }
        registers
    }

    /// What a pointer comes from.
    fn value(&self, expr: ExprId) -> Roots {
        match self.function.exprs.kind(expr) {
            ExprKind::Addr(_) | ExprKind::FuncAddr(_) | ExprKind::Const(_) => Roots::default(),
            ExprKind::Var(VarRef::Local(var)) if self.function.var(var).ty == Ty::Ptr => self.roots[var].clone(),
            ExprKind::PtrAdd(base, _) => self.value(base),
            ExprKind::Ite(_, a, b) => {
                let mut roots = self.value(a);
                roots.add(&self.value(b));
                roots
            }
            _ if may_be_of_activation(&self.points_to.targets(self.id, expr)) => Roots::ELSEWHERE,
            _ => Roots::default(),
        }
    }
}

fn may_be_of_activation(targets: &Targets) -> bool {
    match targets {
        Targets::Unknown => true,
        Targets::Known(list) => list.iter().any(|t| matches!(t.object, Object::Local(..) | Object::Stack(..))),
    }
}

/// By function, what the addresses that it writes to come from.
fn written(program: &Program, calls: &CallGraph, functions: &TiVec<FuncId, Registers>) -> TiVec<FuncId, Roots> {
    let own = |id: FuncId| {
        let mut roots = Roots::default();
        for edge in &program.function(id).edges {
            for addr in written_addresses(&edge.op) {
                roots.add(&functions[id].value(addr));
            }
            // What is reached comes out of memory.
            if let Op::Havoc { to: HavocPlace::Objects { extent: Extent::Reached | Extent::Behind, .. }, .. } = edge.op
            {
                roots.add(&Roots::ELSEWHERE);
            }
        }
        roots
    };
    let mut all: TiVec<FuncId, Roots> = program.function_ids().map(own).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &id in calls.bottom_up() {
            for call in calls.callees(id) {
                let callee = all[call.callee].clone();
                let mut new = Roots { parameters: BTreeSet::new(), elsewhere: callee.elsewhere };
                for parameter in &callee.parameters {
                    new.add(&argument(program, functions, (id, call.edge), *parameter));
                }
                changed |= all[id].add(&new);
            }
        }
    }
    all
}

/// What the argument for a parameter comes from.
fn argument(
    program: &Program,
    functions: &TiVec<FuncId, Registers>,
    (caller, edge): (FuncId, EdgeId),
    parameter: LocalVar,
) -> Roots {
    match &program.function(caller).edge(edge).op {
        Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), args, .. } => {
            args.get(usize::from(parameter)).map_or(Roots::ELSEWHERE, |arg| functions[caller].value(*arg))
        }
        // A stack of its own.
        _ => Roots::ELSEWHERE,
    }
}

/// The addresses that an edge itself writes to.
fn written_addresses(op: &Op) -> Vec<ExprId> {
    match op {
        Op::Assign { to: Place::Mem(addr), .. }
        | Op::Havoc { to: HavocPlace::Region { addr, .. } | HavocPlace::Objects { addr, .. }, .. } => vec![*addr],
        Op::Call { callee: Callee::Intrinsic(Intrinsic::MemCopy | Intrinsic::MemSet), args, .. } => {
            args.first().copied().into_iter().collect()
        }
        Op::Assign { to: Place::Var(_), .. }
        | Op::Havoc { to: HavocPlace::Var(_), .. }
        | Op::Call { .. }
        | Op::Assume { .. }
        | Op::Return(_)
        | Op::Check { .. } => Vec::new(),
    }
}

/// The parameters that are not only handed down from calls that are active.
fn doubtful(
    program: &Program,
    calls: &CallGraph,
    functions: &TiVec<FuncId, Registers>,
) -> BTreeSet<(FuncId, LocalVar)> {
    let running: BTreeSet<FuncId> = calls.reachable(program.start).into_iter().collect();
    let mut found = BTreeSet::new();
    let mut changed = true;
    while changed {
        changed = false;
        for &id in &running {
            let function = program.function(id);
            let pointers = (0..function.param_count).map(LocalVar).filter(|var| function.var(*var).ty == Ty::Ptr);
            for parameter in pointers {
                let is_doubtful = |at: &(FuncId, EdgeId)| {
                    let roots = argument(program, functions, *at, parameter);
                    roots.elsewhere || roots.parameters.iter().any(|var| found.contains(&(at.0, *var)))
                };
                let mut sites = calls.callers(id).iter().filter(|(caller, _)| running.contains(caller));
                if sites.any(is_doubtful) {
                    changed |= found.insert((id, parameter));
                }
            }
        }
    }
    found
}
