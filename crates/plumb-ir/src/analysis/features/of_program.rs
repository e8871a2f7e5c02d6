//! Features of a program: of its own functions that a run can get to. Library models, missing functions and what Plumb makes
//! itself are not counted; calls of them are statements, as they are in the thesis.

use super::{Features, Structure, Variable, VariableFacts};
use crate::analysis::Analyses;
use crate::analysis::target_distance::flow_graph::FlowFuncId;
use crate::expr::{BinOp, ExprId, ExprKind};
use crate::index::TiVec;
use crate::program::{EdgeId, FuncId, Function, LoopKind, ObjRef, Op, Place, Program, VarRef};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

impl Features {
    pub fn of(analyses: &Analyses) -> Features {
        let functions = functions_of(analyses);
        let flow_functions: Vec<FlowFuncId> = functions.iter().map(|func| FlowFuncId(func.0)).collect();
        let structure = Structure::of(&analyses.flow_graph().graph, &flow_functions);
        Features::new(&structure, &Collector::of(analyses, &functions))
    }
}

/// The program's own functions that a run can get to.
fn functions_of(analyses: &Analyses) -> Vec<FuncId> {
    let program = analyses.program();
    let mut reachable = analyses.resolved_calls().reachable(program.start);
    reachable.retain(|func| {
        let function = program.function(*func);
        *func != program.start && function.has_body && !function.is_library
    });
    reachable.sort();
    reachable
}

/// What is counted as a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Key {
    Global(VarRef),
    Local(FuncId, VarRef),
    GlobalObject(ObjRef),
    LocalObject(FuncId, ObjRef),
    /// Bits of what is stored in a variable or, with an offset, in an object or behind a pointer.
    BitField {
        of: Variable,
        offset: u64,
        lo: u8,
        width: u32,
    },
}

/// The variables that an expression uses.
#[derive(Clone, Debug, Default)]
struct Uses {
    variables: Vec<Variable>,
    dereferenced: Vec<Variable>,
}

impl Uses {
    fn add(&mut self, variable: Variable, is_dereferenced: bool) {
        self.variables.push(variable);
        self.dereferenced.extend(is_dereferenced.then_some(variable));
    }
}

struct Collector<'a> {
    program: &'a Program,
    numbers: FxHashMap<Key, Variable>,
    facts: VariableFacts,
}

impl<'a> Collector<'a> {
    fn of(analyses: &'a Analyses, functions: &[FuncId]) -> VariableFacts {
        let mut collector =
            Collector { program: analyses.program(), numbers: FxHashMap::default(), facts: VariableFacts::default() };
        let mut is_counted: TiVec<FuncId, bool> = vec![false; analyses.program().functions.len()].into();
        functions.iter().for_each(|func| is_counted[*func] = true);
        for func in functions {
            collector.function(analyses, *func, &is_counted);
            collector.counters(analyses, *func);
        }
        collector.facts
    }

    fn number(&mut self, key: Key) -> Variable {
        let next = Variable(self.numbers.len() as u32);
        *self.numbers.entry(key).or_insert(next)
    }

    fn register(&mut self, func: FuncId, var: VarRef) -> Variable {
        match var {
            VarRef::Global(_) => self.number(Key::Global(var)),
            VarRef::Local(local) => {
                let number = self.number(Key::Local(func, var));
                if self.program.function(func).var(local).is_made() {
                    self.facts.made.insert(number);
                }
                number
            }
        }
    }

    fn object(&mut self, func: FuncId, object: ObjRef) -> Variable {
        match object {
            ObjRef::Global(_) => self.number(Key::GlobalObject(object)),
            ObjRef::Local(_) => self.number(Key::LocalObject(func, object)),
        }
    }

    /// The uses of an expression. An object counts where it is read, not where its address is taken.
    fn uses(&mut self, func: FuncId, expr: ExprId) -> Uses {
        let function = self.program.function(func);
        let mut uses = Uses::default();
        // With the number of loads around, up to two.
        let mut work = vec![(expr, 0)];
        let mut seen = BTreeSet::new();
        while let Some((expr, loads)) = work.pop() {
            if !seen.insert((expr, loads)) {
                continue;
            }
            let kind = function.exprs.kind(expr);
            match kind {
                ExprKind::Var(var) => uses.add(self.register(func, var), loads > 0),
                ExprKind::Addr(object) if loads > 0 => uses.add(self.object(func, object), loads > 1),
                ExprKind::Extract { value, lo } => {
                    let width = function.exprs.ty(expr).bits(&self.program.target);
                    self.bit_field(func, value, lo, width, &mut uses);
                    work.push((value, loads));
                }
                _ => {
                    let loads = if matches!(kind, ExprKind::Load(_)) { (loads + 1).min(2) } else { loads };
                    work.extend(kind.operands().map(|operand| (operand, loads)));
                }
            }
        }
        uses
    }

    /// Bits of a variable or of what is loaded.
    fn bit_field(&mut self, func: FuncId, value: ExprId, lo: u8, width: u32, uses: &mut Uses) {
        let function = self.program.function(func);
        let (container, offset) = match function.exprs.kind(value) {
            ExprKind::Var(var) => (self.register(func, var), 0),
            ExprKind::Load(address) => match self.container(func, address) {
                Some(found) => found,
                None => return,
            },
            _ => return,
        };
        let field = self.number(Key::BitField { of: container, offset, lo, width });
        self.facts.bit_fields.insert(field);
        self.facts.flows.push((field, container));
        uses.variables.push(field);
    }

    /// The object or pointer that an address consists of, and the constant offset.
    fn container(&mut self, func: FuncId, address: ExprId) -> Option<(Variable, u64)> {
        let function = self.program.function(func);
        let (base, offset) = match function.exprs.kind(address) {
            ExprKind::PtrAdd(base, offset) => (base, function.exprs.as_const(offset)?.u128() as u64),
            _ => (address, 0),
        };
        match function.exprs.kind(base) {
            ExprKind::Addr(object) => Some((self.object(func, object), offset)),
            ExprKind::Var(var) => Some((self.register(func, var), offset)),
            _ => None,
        }
    }

    fn function(&mut self, analyses: &Analyses, func: FuncId, is_counted: &TiVec<FuncId, bool>) {
        let function = self.program.function(func);
        let shape = analyses.shape(func);
        for id in function.edge_ids() {
            let edge = function.edge(id);
            match &edge.op {
                Op::Assume { cond, .. } | Op::Check { cond, .. } => {
                    if function.exprs.as_const(*cond).is_some() {
                        continue;
                    }
                    let uses = self.uses(func, *cond);
                    self.facts.dereferenced.extend(&uses.dereferenced);
                    self.facts.in_conditions.extend(&uses.variables);
                    if matches!(edge.op, Op::Assume { .. }) && !shape.exits(edge.from).is_empty() {
                        self.facts.in_loop_conditions.extend(&uses.variables);
                    }
                }
                Op::Assign { to, value } => {
                    let uses = self.uses(func, *value);
                    self.facts.dereferenced.extend(&uses.dereferenced);
                    for target in self.targets(func, *to) {
                        self.flow(target, &uses);
                    }
                }
                Op::Call { to, .. } => {
                    for call in analyses.resolved_calls().targets(func, id).filter(|callee| is_counted[*callee]) {
                        self.call(func, id, *to, call);
                    }
                    let args: Vec<ExprId> = edge.op.exprs().collect();
                    for arg in args {
                        let uses = self.uses(func, arg);
                        self.facts.dereferenced.extend(&uses.dereferenced);
                    }
                }
                Op::Return(Some(value)) => {
                    let uses = self.uses(func, *value);
                    self.facts.dereferenced.extend(&uses.dereferenced);
                }
                Op::Havoc { .. } | Op::Return(None) => {}
            }
        }
    }

    fn flow(&mut self, to: Variable, from: &Uses) {
        self.facts.flows.extend(from.variables.iter().map(|source| (to, *source)));
    }

    /// What an assignment writes: behind a pointer, the pointer stands for it.
    fn targets(&mut self, func: FuncId, place: Place) -> Vec<Variable> {
        match place {
            Place::Var(var) => vec![self.register(func, var)],
            Place::Mem(address) => {
                let function = self.program.function(func);
                let mut found = Vec::new();
                let mut work = vec![address];
                while let Some(expr) = work.pop() {
                    match function.exprs.kind(expr) {
                        ExprKind::Addr(object) => found.push(self.object(func, object)),
                        ExprKind::Var(var) => {
                            let number = self.register(func, var);
                            self.facts.dereferenced.insert(number);
                            found.push(number);
                        }
                        kind => work.extend(kind.operands()),
                    }
                }
                found
            }
        }
    }

    /// From arguments to parameters, and from what the callee returns to where the result goes.
    fn call(&mut self, func: FuncId, id: EdgeId, to: Option<VarRef>, callee: FuncId) {
        let callee_function = self.program.function(callee);
        let args = self.program.function(func).edge(id).op.passed_args().to_vec();
        for (param, arg) in callee_function.vars.keys().take(callee_function.param_count as usize).zip(args) {
            let param = self.register(callee, VarRef::Local(param));
            let uses = self.uses(func, arg);
            self.flow(param, &uses);
        }
        let Some(to) = to else { return };
        let to = self.register(func, to);
        for edge in &callee_function.edges {
            if let Op::Return(Some(value)) = edge.op {
                let uses = self.uses(callee, value);
                self.flow(to, &uses);
            }
        }
    }

    /// The counters of a function's `for` statements: in a condition that decides whether the loop is left, and somewhere in it
    /// increased or decreased by a constant.
    fn counters(&mut self, analyses: &Analyses, func: FuncId) {
        let function = self.program.function(func);
        let shape = analyses.shape(func);
        for statement in function.loops.iter().filter(|statement| statement.kind == LoopKind::For) {
            let Some((id, _)) = shape.loops.loops.iter_enumerated().find(|(_, one)| one.head == statement.head) else {
                continue;
            };
            let inside: Vec<EdgeId> =
                function.edge_ids().filter(|edge| shape.loops.contains(id, function.edge(*edge).from)).collect();
            let mut decisive = BTreeSet::new();
            for edge in inside.iter().map(|edge| function.edge(*edge)) {
                if let Op::Assume { cond, .. } = edge.op
                    && shape.exits(edge.from).contains(&id)
                {
                    decisive.extend(self.uses(func, cond).variables);
                }
            }
            for edge in inside.iter().map(|edge| function.edge(*edge)) {
                if let Op::Assign { to, value } = edge.op
                    && is_step(function, value)
                {
                    let (targets, uses) = (self.targets(func, to), self.uses(func, value));
                    let is_counter = |target: &Variable| decisive.contains(target) && uses.variables.contains(target);
                    self.facts.counters.extend(targets.into_iter().filter(is_counter));
                }
            }
        }
    }
}

/// Whether a value is something plus or minus a constant, perhaps converted.
fn is_step(function: &Function, value: ExprId) -> bool {
    match function.exprs.kind(value) {
        ExprKind::Cast(_, inner) => is_step(function, inner),
        ExprKind::Binary(BinOp::Add | BinOp::Sub, _, a, b) | ExprKind::PtrAdd(a, b) => {
            function.exprs.as_const(a).is_some() != function.exprs.as_const(b).is_some()
        }
        _ => false,
    }
}
