//! From a program to inclusion constraints.
//!
//! Functions are turned into constraints when the first call of them is found, library models anew for each direct call
//! of them (to a depth, and as long as there are not too many), all others once.

use super::Object;
use super::solve::{Complex, Node, STORED_ANYWHERE, Shift, Solver, UNKNOWN_NODE};
use crate::analysis::address_taken::AddressTaken;
use crate::analysis::callgraph;
use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Sign, UnOp};
use crate::fold;
use crate::input::InputOrigin;
use crate::program::{
    Callee, DatumValue, EdgeId, FuncId, Function, GlobalVar, HavocPlace, Intrinsic, LocalVar, ObjRef, Op, Place,
    Program, ScalarInit, VarRef,
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
    numbers: Node,
    /// By expression: its node plus two, 1 if it cannot carry a pointer, 0 if it was not evaluated.
    exprs: Vec<u32>,
    /// Parameters that are constant here.
    constants: Vec<Option<Bits>>,
}

impl Instance {
    pub fn numbers_node(&self) -> Node {
        self.numbers
    }

    /// The node of an expression: `Some(None)` if it carries no pointer, `None` if the analysis never met it.
    pub fn value(&self, expr: ExprId) -> Option<Option<Node>> {
        match self.exprs[expr.0 as usize] {
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
}

impl Solver {
    /// The constraints of the initial state and of everything that direct calls reach from the start.
    pub fn generate(&mut self, program: &Program) {
        for i in 0..program.vars.len() {
            let node = self.node();
            self.global_vars.push(node);
            match program.vars[i].init {
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
        for (i, info) in program.objects.iter().enumerate() {
            let id = crate::program::GlobalObj(i as u32);
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
        self.add_edge(STORED_ANYWHERE, numbers);
        let number = self.instances.len() as u32;
        let exprs = vec![0; function.exprs.len()];
        self.instances.push(Instance { function: id, depth, first_var, result, numbers, exprs, constants });
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
        let CallSite { caller, edge, .. } = self.call_sites[site as usize];
        let function = program.function(self.instances[caller as usize].function);
        let (args, result) = callgraph::call_types(program, function, edge);
        if !callgraph::fits(program, callee, &args, result) || !self.resolved.insert((site, callee)) {
            return;
        }
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

struct Generator<'a> {
    solver: &'a mut Solver,
    program: &'a Program,
    function: &'a Function,
    instance: u32,
}

impl Generator<'_> {
    fn here(&self) -> &Instance {
        &self.solver.instances[self.instance as usize]
    }

    fn var(&self, var: VarRef) -> Node {
        match var {
            VarRef::Global(GlobalVar(i)) => self.solver.global_vars[i as usize],
            VarRef::Local(LocalVar(i)) => self.here().first_var + i,
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
                if let (Some(addr), Some(src)) = (self.value(*addr), self.value(*value)) {
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
        if !may_be_pointers(origin) {
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
        }
    }

    fn call(&mut self, edge: EdgeId, to: Option<VarRef>, callee: Callee, args: &[ExprId]) {
        match callee {
            Callee::Direct(id) => {
                let target = self.callee_instance(id, args);
                self.connect(edge, target);
            }
            Callee::Indirect(addr) => {
                if let Some(callee) = self.value(addr) {
                    let site = self.solver.call_sites.len() as u32;
                    self.solver.call_sites.push(CallSite { caller: self.instance, edge, callee });
                    self.solver.add_complex(callee, Complex::Call(site));
                }
            }
            Callee::Intrinsic(intrinsic) => self.intrinsic(edge, to, intrinsic, args),
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
        let Op::Call { to, args, .. } = &self.function.edge(edge).op else { return };
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
        if let Some(var) = to {
            let var = self.var(*var);
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
            | Intrinsic::Abort => {}
        }
    }

    /// The expression's value if it is the same in every run through this instance.
    fn constant(&self, id: ExprId) -> Option<Bits> {
        let (exprs, target) = (&self.function.exprs, &self.program.target);
        match exprs.kind(id) {
            ExprKind::Const(bits) => Some(bits),
            ExprKind::Var(VarRef::Local(LocalVar(i))) => *self.here().constants.get(i as usize)?,
            ExprKind::Cast(op, a) => Some(fold::cast(op, exprs.ty(a), exprs.ty(id), self.constant(a)?, target)),
            ExprKind::Binary(op, sign, a, b) => {
                let (x, y) = (self.constant(a)?, self.constant(b)?);
                Some(fold::binary(op, sign, exprs.ty(a), x, y, target))
            }
            _ => None,
        }
    }

    /// The node of an expression's targets; `None` if it carries none.
    fn value(&mut self, id: ExprId) -> Option<Node> {
        if let Some(known) = self.here().value(id) {
            return known;
        }
        let node = self.evaluate(id);
        self.solver.instances[self.instance as usize].exprs[id.0 as usize] = node.map_or(1, |n| n + 2);
        node
    }

    fn evaluate(&mut self, id: ExprId) -> Option<Node> {
        let kind = self.function.exprs.kind(id);
        let ty = self.function.exprs.ty(id);
        // Operands first, also of operators whose result carries nothing: their own targets may be asked for.
        let operands: Vec<Option<Node>> = kind.operands().map(|o| self.value(o)).collect();
        match kind {
            ExprKind::Const(_) => None,
            ExprKind::Var(var) => Some(self.var(var)),
            ExprKind::Addr(object) => {
                let obj = match object {
                    ObjRef::Global(g) => self.solver.object(Object::Global(g), 0, Some(self.program.object(g).size)),
                    ObjRef::Local(l) => {
                        let size = self.function.object(l).size;
                        let object = Object::Local(self.here().function, l);
                        self.solver.object(object, self.instance, Some(size))
                    }
                };
                Some(self.address(obj))
            }
            ExprKind::FuncAddr(id) => {
                let obj = self.solver.object(Object::Function(id), 0, None);
                Some(self.address(obj))
            }
            ExprKind::Load(_) => {
                let addr = operands[0]?;
                let size = ty.bytes(&self.program.target);
                let dst = if ty == Ty::Ptr {
                    let dst = self.solver.node();
                    self.solver.add_edge(STORED_ANYWHERE, dst);
                    dst
                } else {
                    self.here().numbers
                };
                self.solver.add_complex(addr, Complex::Load { dst, size });
                Some(dst)
            }
            ExprKind::Unary(op, _, _) => match op {
                UnOp::Neg | UnOp::Not | UnOp::Bswap if !ty.is_float() && ty != Ty::BOOL => {
                    self.shifted(operands[0], Shift::Anywhere)
                }
                _ => None,
            },
            ExprKind::Binary(op, _, a, b) => self.binary(op, ty, (a, operands[0]), (b, operands[1])),
            ExprKind::Cast(op, a) => match op {
                CastOp::Int { .. } | CastOp::PtrToInt | CastOp::Reinterpret => operands[0],
                CastOp::IntToPtr => self.forged(a, operands[0]),
                CastOp::IntToFloat(_) | CastOp::FloatToInt(_) | CastOp::FloatToFloat => None,
            },
            ExprKind::Ite(..) => self.join(operands[1], operands[2]),
            ExprKind::PtrAdd(_, offset) => match operands[0] {
                Some(_) => self.offset(operands[0], offset),
                None => self.shifted(operands[1], Shift::Anywhere),
            },
            ExprKind::Extract { .. } => self.shifted(operands[0], Shift::Anywhere),
            ExprKind::Insert { .. } => {
                let (base, part) =
                    (self.shifted(operands[0], Shift::Anywhere), self.shifted(operands[1], Shift::Anywhere));
                self.join(base, part)
            }
            ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::PtrDiff(..)
            | ExprKind::Fma(..)
            | ExprKind::InBounds { .. }
            | ExprKind::Freeable(_)
            | ExprKind::IsLive(_)
            | ExprKind::SameObject(..)
            | ExprKind::BytesLeft(_)
            | ExprKind::NoLeak
            | ExprKind::HeapEmpty => None,
        }
    }

    fn address(&mut self, obj: u32) -> Node {
        let node = self.solver.node();
        let loc = self.solver.loc(obj, 0);
        self.solver.add_target(node, loc);
        node
    }

    fn shifted(&mut self, from: Option<Node>, shift: Shift) -> Option<Node> {
        let from = from?;
        if shift == Shift::By(0) {
            return Some(from);
        }
        let dst = self.solver.node();
        self.solver.add_complex(from, Complex::Shift { dst, shift });
        Some(dst)
    }

    fn join(&mut self, a: Option<Node>, b: Option<Node>) -> Option<Node> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => {
                let node = self.solver.node();
                self.solver.add_edge(a, node);
                self.solver.add_edge(b, node);
                Some(node)
            }
            (a, b) => a.or(b),
        }
    }

    fn binary(
        &mut self,
        op: BinOp,
        ty: Ty,
        (a, a_node): (ExprId, Option<Node>),
        (b, b_node): (ExprId, Option<Node>),
    ) -> Option<Node> {
        if op.is_comparison() || ty.is_float() {
            return None;
        }
        let width = ty.bits(&self.program.target);
        match (op, self.constant(a), self.constant(b)) {
            (BinOp::Add, None, Some(delta)) => self.shifted(a_node, Shift::By(delta.signed(width) as i64)),
            (BinOp::Add, Some(delta), None) => self.shifted(b_node, Shift::By(delta.signed(width) as i64)),
            (BinOp::Sub, None, Some(delta)) => {
                self.shifted(a_node, Shift::By((delta.signed(width) as i64).saturating_neg()))
            }
            _ => {
                let (a, b) = (self.shifted(a_node, Shift::Anywhere), self.shifted(b_node, Shift::Anywhere));
                self.join(a, b)
            }
        }
    }

    /// A pointer made from an integer.
    fn forged(&mut self, source: ExprId, node: Option<Node>) -> Option<Node> {
        if self.constant(source).is_some() {
            return None;
        }
        match node {
            None => Some(UNKNOWN_NODE),
            Some(node) => {
                let dst = self.solver.node();
                self.solver.add_edge(node, dst);
                self.solver.forged.push(dst);
                Some(dst)
            }
        }
    }

    /// A pointer moved by an expression: the constant summands shift it, the others vary it.
    fn offset(&mut self, base: Option<Node>, offset: ExprId) -> Option<Node> {
        let (delta, stride) = self.parts(offset);
        let moved = self.shifted(base, Shift::By(delta));
        match stride {
            0 => moved,
            stride => self.shifted(moved, Shift::Multiple(stride)),
        }
    }

    /// The constant part of an offset, and a number that divides the rest (0 if there is no rest).
    fn parts(&self, id: ExprId) -> (i64, u64) {
        let exprs = &self.function.exprs;
        let width = exprs.ty(id).bits(&self.program.target);
        if let Some(value) = self.constant(id) {
            return (value.signed(width) as i64, 0);
        }
        match exprs.kind(id) {
            ExprKind::Binary(BinOp::Add, _, a, b) => {
                let ((da, sa), (db, sb)) = (self.parts(a), self.parts(b));
                (da.wrapping_add(db), common_divisor(sa, sb))
            }
            ExprKind::Binary(BinOp::Sub, _, a, b) => {
                let ((da, sa), (db, sb)) = (self.parts(a), self.parts(b));
                (da.wrapping_sub(db), common_divisor(sa, sb))
            }
            ExprKind::Binary(BinOp::Mul, _, a, b) => {
                let factor = self.constant(b).or(self.constant(a));
                (0, factor.map_or(1, |f| (f.signed(width) as i64).unsigned_abs()).max(1))
            }
            ExprKind::Binary(BinOp::Shl, _, _, b) => {
                let count = self.constant(b).map_or(0, |c| c.u64().min(32));
                (0, 1 << count)
            }
            ExprKind::Unary(UnOp::Neg, _, a) => {
                let (delta, stride) = self.parts(a);
                (delta.wrapping_neg(), stride)
            }
            // A narrower product may wrap: only powers of two survive that.
            ExprKind::Cast(CastOp::Int { from, .. }, a) if from != Sign::Plain => {
                let (delta, stride) = self.parts(a);
                let power = |n: u64| if n == 0 { 0 } else { 1 << n.trailing_zeros() };
                (0, common_divisor(power(delta.unsigned_abs()), power(stride)).max(1))
            }
            _ => (0, 1),
        }
    }
}

fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Whether a value from there can be a valid pointer. Garbage cannot, and neither can text.
fn may_be_pointers(origin: &InputOrigin) -> bool {
    match origin {
        InputOrigin::Nondet(_)
        | InputOrigin::External(_)
        | InputOrigin::Library(_)
        | InputOrigin::ExternalObject(_)
        | InputOrigin::Volatile(_)
        | InputOrigin::Register(_)
        | InputOrigin::Assembly => true,
        InputOrigin::Uninitialised(_)
        | InputOrigin::FreshMemory
        | InputOrigin::MainArgument
        | InputOrigin::MissingArgument(_)
        | InputOrigin::MissingReturn(_) => false,
    }
}
