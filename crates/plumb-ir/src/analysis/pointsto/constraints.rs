//! From a program to inclusion constraints.
//!
//! Functions are turned into constraints when the first call of them is found, library models anew for each direct call
//! of them (to a depth, and as long as there are not too many), all others once.

use super::Object;
use super::solve::{Complex, Node, STORED_ANYWHERE, Solver, UNKNOWN_NODE};
use crate::analysis::address_taken::AddressTaken;
use crate::analysis::callgraph;
use crate::expr::ExprId;
use crate::index::TiVec;
use crate::input::InputOrigin;
use crate::program::{
    Callee, DatumValue, EdgeId, Extent, FuncId, Function, HavocPlace, Intrinsic, LocalVar, Op, Place, Program,
    ScalarInit, VarRef,
};
use crate::ty::{Bits, Ty};

const MAX_LIBRARY_DEPTH: u32 = 4;
const MAX_LIBRARY_INSTANCES: usize = 20_000;
/// Library models larger than this are analysed once.
const MAX_LIBRARY_EDGES: usize = 200;

/// One analysis of a function's body.
pub struct Instance {
    pub function: FuncId,
    /// How many library calls lead here from the program's own code.
    depth: u32,
    /// The first register's node; the others follow.
    first_var: Node,
    result: Node,
    /// What the function loads as integers and floats, all in one: they seldom carry pointers.
    pub numbers: Node,
    /// By expression: its node plus two, 1 if it cannot carry a pointer, 0 if it was not evaluated.
    pub exprs: TiVec<ExprId, u32>,
    /// Parameters that are constant here.
    pub constants: Vec<Option<Bits>>,
}

impl Instance {
    /// The node of a register.
    pub fn var(&self, var: LocalVar) -> Node {
        self.first_var + var.0
    }

    /// The node of an expression: `Some(None)` if it carries no pointer, `None` if the analysis never met it.
    pub fn value(&self, expr: ExprId) -> Option<Option<Node>> {
        match self.exprs[expr] {
            0 => None,
            1 => Some(None),
            node => Some(Some(node - 2)),
        }
    }
}

/// A call through a pointer.
pub struct CallSite {
    pub caller: u32,
    pub edge: EdgeId,
    pub callee: Node,
    /// The functions it turned out to run.
    pub targets: Vec<FuncId>,
}

impl Solver {
    /// The constraints of the initial state and of everything that direct calls reach from the start.
    pub fn generate(&mut self, program: &Program) {
        for var in program.vars.iter() {
            let node = self.node();
            self.global_vars.push(node);
            match var.init {
                ScalarInit::Const(_) => {}
                ScalarInit::Object(object, offset) => {
                    let obj = self.object(Object::Global(object), 0, Some(program.object(object).size));
                    let loc = self.loc(obj, offset);
                    self.add_target(node, loc);
                }
                ScalarInit::Function(id) => {
                    let obj = self.object(Object::Function(id), 0, None);
                    let loc = self.loc(obj, 0);
                    self.add_target(node, loc);
                }
            }
        }
        for (id, info) in program.objects.iter_enumerated() {
            for datum in &info.init {
                let (target, offset) = match datum.value {
                    DatumValue::Bytes(_) => continue,
                    DatumValue::Object(to, offset) => {
                        (self.object(Object::Global(to), 0, Some(program.object(to).size)), offset)
                    }
                    DatumValue::Function(id) => (self.object(Object::Function(id), 0, None), 0),
                };
                let target = self.loc(target, offset);
                let holder = self.object(Object::Global(id), 0, Some(info.size));
                let place = self.loc(holder, datum.offset as i64);
                for cell in self.cells(place, Some(self.word as u64)) {
                    self.add_target(cell, target);
                }
            }
        }
        self.shared_instance(program, program.start);
    }

    fn shared_instance(&mut self, program: &Program, function: FuncId) -> u32 {
        match self.shared.get(&function) {
            Some(&instance) => instance,
            None => {
                let params = program.function(function).param_count as usize;
                let instance = self.instance(program, function, 0, vec![None; params]);
                self.shared.insert(function, instance);
                self.body(program, instance);
                instance
            }
        }
    }

    fn instance(&mut self, program: &Program, id: FuncId, depth: u32, constants: Vec<Option<Bits>>) -> u32 {
        let function = program.function(id);
        let first_var = self.node();
        for _ in 1..function.vars.len() {
            self.node();
        }
        let result = self.node();
        let numbers = self.node();
        if !self.has_foreign_memory {
            self.add_edge(STORED_ANYWHERE, numbers);
        }
        let number = self.instances.len() as u32;
        let exprs = vec![0; function.exprs.len()];
        self.instances.push(Instance {
            function: id,
            depth,
            first_var,
            result,
            numbers,
            exprs: exprs.into(),
            constants,
        });
        self.instances_of.entry(id).or_default().push(number);
        number
    }

    fn body(&mut self, program: &Program, instance: u32) {
        let function = program.function(self.instances[instance as usize].function);
        for edge in function.edge_ids() {
            Generator { solver: self, program, function, instance }.edge(edge);
        }
    }

    /// A function that a pointer call turned out to reach.
    pub fn resolve(&mut self, program: &Program, site: u32, callee: FuncId) {
        let CallSite { caller, edge, ref targets, .. } = self.call_sites[site as usize];
        if targets.contains(&callee) {
            return;
        }
        let function = program.function(self.instances[caller as usize].function);
        let (args, result) = callgraph::call_types(program, function, edge);
        if !callgraph::fits(program, callee, &args, result) {
            return;
        }
        self.call_sites[site as usize].targets.push(callee);
        let target = self.shared_instance(program, callee);
        Generator { solver: self, program, function, instance: caller }.connect(edge, target);
    }

    /// A pointer call of an unknown pointer: any function of the program whose address is taken.
    pub fn resolve_unknown(&mut self, program: &Program, site: u32) {
        let callable = self.callable.get_or_insert_with(|| {
            let taken = AddressTaken::of(program);
            program.function_ids().filter(|&id| taken.function(id)).collect()
        });
        for id in callable.clone().iter() {
            self.resolve(program, site, *id);
        }
    }
}

pub struct Generator<'a> {
    pub solver: &'a mut Solver,
    pub program: &'a Program,
    pub function: &'a Function,
    pub instance: u32,
}

impl Generator<'_> {
    pub fn here(&self) -> &Instance {
        &self.solver.instances[self.instance as usize]
    }

    pub fn var(&self, var: VarRef) -> Node {
        match var {
            VarRef::Global(var) => self.solver.global_vars[var],
            VarRef::Local(var) => self.here().var(var),
        }
    }

    fn edge(&mut self, id: EdgeId) {
        let op = &self.function.edge(id).op;
        for expr in op.exprs() {
            self.value(expr);
        }
        match op {
            Op::Assign { to: Place::Var(var), value } => {
                if let Some(value) = self.value(*value) {
                    self.solver.add_edge(value, self.var(*var));
                }
            }
            Op::Assign { to: Place::Mem(addr), value } => {
                let size = self.function.exprs.ty(*value).bytes(&self.program.target);
                // A number may be the address of memory from outside, and be read as a pointer.
                let is_number = self.solver.has_foreign_memory
                    && size >= self.program.target.pointer_bytes
                    && self.constant(*value).is_none();
                let src = self.value(*value).or(is_number.then_some(UNKNOWN_NODE));
                if let (Some(addr), Some(src)) = (self.value(*addr), src) {
                    self.solver.add_complex(addr, Complex::Store { src, size: Some(size) });
                }
            }
            Op::Havoc { to, input } => self.havoc(*to, &self.program.input(*input).origin),
            Op::Call { to, callee, args } => self.call(id, *to, *callee, args),
            Op::Return(Some(value)) => {
                if let Some(value) = self.value(*value) {
                    self.solver.add_edge(value, self.here().result);
                }
            }
            Op::Return(None) | Op::Assume { .. } | Op::Check { .. } => {}
        }
    }

    fn havoc(&mut self, to: HavocPlace, origin: &InputOrigin) {
        if !may_be_pointers(origin) && !self.solver.has_foreign_memory {
            return;
        }
        match to {
            HavocPlace::Var(var) => {
                let ty = match var {
                    VarRef::Global(v) => self.program.var(v).ty,
                    VarRef::Local(v) => self.function.var(v).ty,
                };
                if ty == Ty::Ptr {
                    self.solver.add_edge(UNKNOWN_NODE, self.var(var));
                }
            }
            HavocPlace::Region { addr, size } => {
                let size = self.constant(size).map(Bits::u64);
                if let Some(addr) = self.value(addr) {
                    self.solver.add_complex(addr, Complex::Store { src: UNKNOWN_NODE, size });
                }
            }
            HavocPlace::Objects { addr, extent } => {
                if let Some(addr) = self.value(addr) {
                    let reached = self.solver.node();
                    let word = self.program.target.pointer_bytes;
                    self.solver.add_edge(addr, reached);
                    let shift = super::solve::Shift::Anywhere;
                    self.solver.add_complex(reached, Complex::Shift { dst: reached, shift });
                    match extent {
                        Extent::Object => {}
                        // Whatever the objects hold is reached in turn.
                        Extent::Reached | Extent::Behind => {
                            self.solver.add_complex(reached, Complex::Load { dst: reached, size: word });
                        }
                    }
                    self.solver.add_complex(reached, Complex::Store { src: UNKNOWN_NODE, size: None });
                }
            }
        }
    }

    fn call(&mut self, edge: EdgeId, to: Option<VarRef>, callee: Callee, args: &[ExprId]) {
        match callee {
            Callee::Direct(id) => {
                let target = self.callee_instance(id, args);
                self.connect(edge, target);
            }
            Callee::Indirect(addr) => self.call_pointer(edge, addr),
            Callee::Intrinsic(intrinsic) => self.intrinsic(edge, to, intrinsic, args),
        }
    }

    fn call_pointer(&mut self, edge: EdgeId, addr: ExprId) {
        if let Some(callee) = self.value(addr) {
            let site = self.solver.call_sites.len() as u32;
            self.solver.call_sites.push(CallSite { caller: self.instance, edge, callee, targets: Vec::new() });
            let function = self.here().function;
            self.solver.sites_of.entry((function, edge)).or_default().push(site);
            self.solver.add_complex(callee, Complex::Call(site));
        }
    }

    /// A new analysis of a library model, the shared one of any other function.
    fn callee_instance(&mut self, id: FuncId, args: &[ExprId]) -> u32 {
        let callee = self.program.function(id);
        let depth = self.here().depth + 1;
        let clone = callee.is_library
            && depth <= MAX_LIBRARY_DEPTH
            && callee.edges.len() <= MAX_LIBRARY_EDGES
            && self.solver.instances.len() < MAX_LIBRARY_INSTANCES;
        if !clone {
            return self.solver.shared_instance(self.program, id);
        }
        let written: Vec<VarRef> = callee.edges.iter().filter_map(|e| e.op.written()).collect();
        let constants = (0..callee.param_count)
            .map(|i| {
                let arg = args.get(i as usize)?;
                if written.contains(&VarRef::Local(LocalVar(i))) { None } else { self.constant(*arg) }
            })
            .collect();
        let instance = self.solver.instance(self.program, id, depth, constants);
        self.solver.body(self.program, instance);
        instance
    }

    /// Arguments flow to the parameters of the callee, its result to the caller.
    fn connect(&mut self, edge: EdgeId, target: u32) {
        let op = &self.function.edge(edge).op;
        let (to, args) = (op.written(), op.passed_args());
        let (first_var, result, callee) = {
            let target = &self.solver.instances[target as usize];
            (target.first_var, target.result, target.function)
        };
        let params = self.program.function(callee).param_count;
        for (i, &arg) in args.iter().enumerate().take(params as usize) {
            if let Some(arg) = self.value(arg) {
                self.solver.add_edge(arg, first_var + i as u32);
            }
        }
        // What a new stack gives is its number.
        if let Some(var) = to.filter(|_| op.stack_intrinsic().is_none()) {
            let var = self.var(var);
            self.solver.add_edge(result, var);
        }
    }

    fn intrinsic(&mut self, edge: EdgeId, to: Option<VarRef>, intrinsic: Intrinsic, args: &[ExprId]) {
        match intrinsic {
            Intrinsic::HeapAlloc | Intrinsic::StackAlloc => {
                let Some(to) = to else { return };
                let function = self.here().function;
                let object = match intrinsic {
                    Intrinsic::HeapAlloc => Object::Heap(function, edge),
                    _ => Object::Stack(function, edge),
                };
                let size = args.first().and_then(|&a| self.constant(a)).map(Bits::u64);
                let obj = self.solver.object(object, self.instance, size);
                let loc = self.solver.loc(obj, 0);
                let var = self.var(to);
                self.solver.add_target(var, loc);
            }
            Intrinsic::MemCopy => {
                let [to, from, size] = args[..] else { return };
                let size = self.constant(size).map(Bits::u64);
                if let (Some(to), Some(from)) = (self.value(to), self.value(from)) {
                    let words = self.solver.node();
                    for _ in 1..self.solver.copied_words(size) {
                        self.solver.node();
                    }
                    self.solver.add_complex(from, Complex::CopyFrom { words, size });
                    self.solver.add_complex(to, Complex::CopyTo { words, size });
                }
            }
            // Freed objects stay targets; bytes that are set or printed make no pointers.
            Intrinsic::Free
            | Intrinsic::StackFree
            | Intrinsic::MemSet
            | Intrinsic::Print
            | Intrinsic::Exit
            | Intrinsic::Abort
            | Intrinsic::SwitchStack
            | Intrinsic::EndStack
            | Intrinsic::CurrentStack => {}
            Intrinsic::NewStack => {
                if let Some(&start) = args.first() {
                    self.call_pointer(edge, start);
                }
            }
        }
    }
}

/// Whether a value from there can be a valid pointer. Garbage cannot, and neither can text.
fn may_be_pointers(origin: &InputOrigin) -> bool {
    match origin {
        InputOrigin::Nondet(_)
        | InputOrigin::External(_)
        | InputOrigin::ExternalMemory(_)
        | InputOrigin::ForeignMemory
        | InputOrigin::Library(_)
        | InputOrigin::ExternalObject(_)
        | InputOrigin::Volatile(_)
        | InputOrigin::Register(_)
        | InputOrigin::Assembly
        | InputOrigin::Summary(_)
        | InputOrigin::UnitState(_) => true,
        InputOrigin::Uninitialised(_)
        | InputOrigin::Padding(_)
        | InputOrigin::FreshMemory
        | InputOrigin::MainArgument
        | InputOrigin::EntryArgument(..)
        | InputOrigin::MissingArgument(_)
        | InputOrigin::MissingReturn(_)
        | InputOrigin::Schedule(_) => false,
    }
}
