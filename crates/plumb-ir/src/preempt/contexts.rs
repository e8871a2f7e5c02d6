//! Contexts: what runs beside what, and what each of them touches.
//!
//! A context begins with a *root*: a function of the program that a model calls (library, kernel, or the start function). The user's functions
//! that a root reaches run in its context; the models they call do as well, but what those call of the user's is a root again.
//! Two contexts run beside each other unless they are the same and there is one of it at a time.

use super::{Preemptor, handlers, is_model_file};
use crate::analysis::Analyses;
use crate::analysis::modref::{Effects, Objects, edge_effects};
use crate::analysis::pointsto::{Object, Targets};
use crate::expr::{ExprId, ExprKind};
use crate::index::TiVec;
use crate::program::{Callee, EdgeId, FuncId, GlobalVar, Intrinsic, ObjRef, Op, Program, VarRef};
use crate::property::reach::REACH;
use std::collections::BTreeSet;

/// The user's functions that are one step by their names.
const SECTION: &str = "__VERIFIER_atomic_";
/// The beginning and end of a section, which start like its name.
const SECTION_ENDS: [&str; 2] = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];

/// State of the dispatch functions themselves. Each context sees its own: what others do to it they undo.
const DISPATCH_STATE: [&str; 4] = ["__plumb_thread", "__plumb_interrupt", "__plumb_atomic", "__plumb_errno"];

/// Models that wait for a lock and take it, and models that can tell a taken lock from a free one without waiting.
const ACQUIRING: [&str; 5] =
    ["pthread_mutex_lock", "pthread_spin_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "sem_wait"];
const PROBING: [&str; 11] = [
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_destroy",
    "pthread_spin_trylock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_destroy",
    "sem_trywait",
    "sem_timedwait",
    "sem_getvalue",
    "pthread_tryjoin_np",
];

/// What somebody reads and writes of what others can see.
#[derive(Clone, Debug)]
pub struct Touched {
    pub read_registers: BTreeSet<GlobalVar>,
    pub written_registers: BTreeSet<GlobalVar>,
    pub read: Objects,
    pub written: Objects,
}

impl Default for Touched {
    fn default() -> Touched {
        Touched {
            read_registers: BTreeSet::new(),
            written_registers: BTreeSet::new(),
            read: Objects::none(),
            written: Objects::none(),
        }
    }
}

impl Touched {
    pub fn add_all(&mut self, other: &Touched) {
        self.read_registers.extend(&other.read_registers);
        self.written_registers.extend(&other.written_registers);
        self.read.add_all(&other.read);
        self.written.add_all(&other.written);
    }

    /// Whether the order of the two matters.
    fn conflicts(&self, other: &Touched) -> bool {
        let meet = |a: &BTreeSet<GlobalVar>, b: &BTreeSet<GlobalVar>| a.iter().any(|var| b.contains(var));
        meet(&self.written_registers, &other.written_registers)
            || meet(&self.written_registers, &other.read_registers)
            || meet(&self.read_registers, &other.written_registers)
            || self.written.meets(&other.written)
            || self.written.meets(&other.read)
            || self.read.meets(&other.written)
    }
}

/// What runs from a root on.
struct Context {
    root: FuncId,
    touched: Touched,
}

/// What a function is to the pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// The user's: it has points.
    User,
    /// The user's, but one step by its name.
    Section,
    /// A library or kernel model.
    Model,
}

pub struct Contexts<'a> {
    analyses: &'a Analyses,
    pub preemptor: Preemptor,
    pub dispatch: FuncId,
    roles: TiVec<FuncId, Role>,
    /// Objects with automatic or allocated storage that more than one context can get at; `None` for all.
    escaped: Option<BTreeSet<Object>>,
    /// By function of the user's: the contexts that may run beside one that runs the function. `None` if the function runs in none, or only
    /// in handlers that nothing interrupts.
    beside: TiVec<FuncId, Option<BTreeSet<usize>>>,
    contexts: Vec<Context>,
    /// What the state that is looked for depends on ([`crate::property::reach`]). Who writes part of it looks at all of it.
    observed: Touched,
    /// By function: what it touches itself, without what it calls.
    own: TiVec<FuncId, Touched>,
    /// By function: whether the dispatch function may be called in it.
    offers: TiVec<FuncId, bool>,
    has_probes: bool,
}

impl<'a> Contexts<'a> {
    pub fn of(analyses: &'a Analyses, preemptor: Preemptor, dispatch: FuncId) -> Contexts<'a> {
        let program = analyses.program();
        let roles: TiVec<FuncId, Role> = program.function_ids().map(|id| role(program, id)).collect();
        let reachable = analyses.resolved_calls().reachable(program.start);
        let has_probes = reachable.iter().any(|id| {
            let function = program.function(*id);
            function.is_library && PROBING.contains(&&*function.name)
        });
        let mut contexts = Contexts {
            analyses,
            preemptor,
            dispatch,
            roles,
            escaped: escaped(analyses),
            beside: vec![None; program.functions.len()].into(),
            contexts: Vec::new(),
            observed: Touched::default(),
            own: TiVec::new(),
            offers: vec![false; program.functions.len()].into(),
            has_probes,
        };
        if let Some(reached) = program.find_function(REACH) {
            contexts.observed = contexts.named_in(reached);
        }
        contexts.own = program.function_ids().map(|id| contexts.own_touched(id)).collect();
        contexts.find_offers();
        contexts.find_contexts(&reachable);
        contexts
    }

    /// Whether the function is interrupted, and not one step of others.
    pub fn is_preempted(&self, id: FuncId) -> bool {
        self.beside[id].is_some() && self.roles[id] == Role::User
    }

    /// Whether a context other than a thread begins with the function: something may happen before its first step.
    pub fn begins_with_point(&self, id: FuncId) -> bool {
        self.preemptor != Preemptor::Threads && self.contexts.iter().any(|context| context.root == id)
    }

    pub fn is_section(&self, id: FuncId) -> bool {
        self.roles[id] == Role::Section
    }

    pub fn is_model(&self, id: FuncId) -> bool {
        self.roles[id] == Role::Model
    }

    /// Whether functions with points of their own run in the section.
    pub fn section_has_points(&self, id: FuncId) -> bool {
        self.closure(id).iter().any(|one| self.roles[*one] == Role::User)
    }

    pub fn register_read(&self, var: GlobalVar) -> Touched {
        Touched { read_registers: self.registers([var]), ..Touched::default() }
    }

    pub fn register_write(&self, var: GlobalVar) -> Touched {
        self.with_observed(Touched { written_registers: self.registers([var]), ..Touched::default() })
    }

    pub fn memory_read(&self, func: FuncId, addr: ExprId) -> Touched {
        Touched { read: self.objects_at(func, addr), ..Touched::default() }
    }

    pub fn memory_write(&self, func: FuncId, addr: ExprId) -> Touched {
        self.with_observed(Touched { written: self.objects_at(func, addr), ..Touched::default() })
    }

    /// Behind a write of what the state depends on that is looked for, the whole of it is read.
    fn with_observed(&self, mut touched: Touched) -> Touched {
        let Touched { read_registers, read, .. } = &self.observed;
        if touched.written.meets(read) || touched.written_registers.iter().any(|var| read_registers.contains(var)) {
            touched.add_all(&self.observed);
        }
        touched
    }

    /// What an intrinsic, a havoc of objects or a call of models touches, its operands left out. Functions with points of their own do
    /// not count.
    pub fn step_touched(&self, func: FuncId, edge: EdgeId) -> Touched {
        let program = self.analyses.program();
        match &program.function(func).edge(edge).op {
            Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), args, .. } => {
                let mut touched = Touched::default();
                for callee in self.analyses.resolved_calls().targets(func, edge) {
                    touched.written.add_all(&self.dying(callee));
                    if self.is_quiet(callee) {
                        continue;
                    }
                    for one in self.closure(callee) {
                        touched.add_all(&self.own[one]);
                        if self.frees(one) {
                            args.iter().for_each(|arg| {
                                touched.written.add_all(&self.objects_at(func, *arg));
                            });
                        }
                    }
                }
                touched
            }
            Op::Call { callee: Callee::Intrinsic(_), .. } | Op::Havoc { .. } => self.edge_touched(func, edge),
            Op::Assign { .. } | Op::Assume { .. } | Op::Return(_) | Op::Check { .. } => Touched::default(),
        }
    }

    /// Whether an edge calls a service of the kernel that has no points of its own. What the kernel does in interrupts, as to let alarms
    /// expire or to leave a section, belongs to no context, so that others may always see a service.
    pub fn is_service(&self, func: FuncId, edge: EdgeId) -> bool {
        let program = self.analyses.program();
        let is_kernel = |id: FuncId| self.is_model(id) && !program.function(id).is_library;
        let calls = matches!(
            program.function(func).edge(edge).op,
            Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. }
        );
        let mut targets = self.analyses.resolved_calls().targets(func, edge);
        self.preemptor == Preemptor::Kernel && calls && targets.any(|id| is_kernel(id) && !self.is_quiet(id))
    }

    /// The objects that die when the function returns, as far as others can get at them.
    fn dying(&self, id: FuncId) -> Objects {
        let function = self.analyses.program().function(id);
        self.shared(Objects::Known(function.objects.keys().map(|object| Object::Local(id, object)).collect()))
    }

    /// Whether others can see what somebody in the function touches.
    pub fn is_visible(&self, func: FuncId, touched: &Touched) -> bool {
        self.beside(func).any(|context| touched.conflicts(&context.touched))
    }

    /// The roots of those who see it.
    pub fn conflicting(&self, func: FuncId, touched: &Touched) -> BTreeSet<FuncId> {
        let conflicting = self.beside(func).filter(|context| touched.conflicts(&context.touched));
        conflicting.map(|context| context.root).collect()
    }

    fn beside(&self, func: FuncId) -> impl Iterator<Item = &Context> {
        self.beside[func].iter().flatten().map(|at| &self.contexts[*at])
    }

    /// A call of it needs no point behind it: the user's functions and models with points of their own, and locks that are taken.
    fn is_quiet(&self, callee: FuncId) -> bool {
        let function = self.analyses.program().function(callee);
        let acquires = function.is_library && !self.has_probes && ACQUIRING.contains(&&*function.name);
        // A model that waits for a condition takes a lock behind its own points.
        let offers = self.offers[callee] && !self.has_probes;
        self.roles[callee] == Role::User || offers || acquires
    }

    /// What runs as one step when a model or a section is called, itself included.
    fn closure(&self, from: FuncId) -> BTreeSet<FuncId> {
        let mut seen = BTreeSet::new();
        let mut work = vec![from];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            let calls = self.analyses.resolved_calls().callees(id).iter().map(|call| call.callee);
            work.extend(calls.filter(|callee| self.roles[id] != Role::Model || self.roles[*callee] == Role::Model));
        }
        seen
    }

    fn frees(&self, id: FuncId) -> bool {
        let function = self.analyses.program().function(id);
        let is_free = |op: &Op| matches!(op, Op::Call { callee: Callee::Intrinsic(Intrinsic::Free), .. });
        function.edges.iter().any(|edge| is_free(&edge.op))
    }

    fn find_offers(&mut self) {
        let graph = self.analyses.resolved_calls();
        let mut work = vec![self.dispatch];
        while let Some(id) = work.pop() {
            if !std::mem::replace(&mut self.offers[id], true) {
                let callers = graph.callers(id).iter().map(|(caller, _)| *caller);
                work.extend(callers.filter(|caller| self.roles[*caller] == Role::Model));
            }
        }
    }

    /// Roots, what their contexts touch, and what runs beside each function.
    fn find_contexts(&mut self, reachable: &[FuncId]) {
        let graph = self.analyses.resolved_calls();
        let mut roots: BTreeSet<(FuncId, bool)> = BTreeSet::new();
        for &caller in reachable.iter().filter(|id| self.roles[**id] == Role::Model) {
            for call in graph.callees(caller).iter().filter(|call| self.roles[call.callee] != Role::Model) {
                roots.insert((call.callee, self.meets_itself(caller, call.callee)));
            }
        }
        let mut with_itself = Vec::new();
        let mut functions = Vec::new();
        for (root, meets_itself) in roots {
            let closure = self.closure(root);
            let mut touched = Touched::default();
            closure.iter().for_each(|id| touched.add_all(&self.own[*id]));
            self.contexts.push(Context { root, touched });
            with_itself.push(meets_itself);
            functions.push(closure);
        }
        let uninterrupted = match self.preemptor {
            Preemptor::Interrupts => handlers::uninterrupted(self.analyses, self.dispatch),
            Preemptor::Threads | Preemptor::Kernel => BTreeSet::new(),
        };
        for (at, functions) in functions.iter().enumerate() {
            if uninterrupted.contains(&self.contexts[at].root) {
                continue;
            }
            let is_other = |other: usize| self.contexts[other].root != self.contexts[at].root || with_itself[at];
            let beside: Vec<usize> = (0..self.contexts.len()).filter(|other| is_other(*other)).collect();
            for &id in functions.iter().filter(|id| self.roles[**id] != Role::Model) {
                self.beside[id].get_or_insert_default().extend(&beside);
            }
        }
    }

    /// Whether a context that a model begins may run beside another one that begins with the same function.
    fn meets_itself(&self, caller: FuncId, root: FuncId) -> bool {
        let program = self.analyses.program();
        if caller == program.start {
            return false;
        }
        match self.preemptor {
            Preemptor::Threads => !self.is_created_once(root),
            // One handler or task of a kind at a time: neither interrupts itself, unless there are no priorities.
            Preemptor::Interrupts => !self.offers[caller] || program.target.pointer_bytes < 4,
            Preemptor::Kernel => program.function(caller).is_library,
        }
    }

    /// Whether `main` makes one thread with the function, and nobody else any.
    fn is_created_once(&self, root: FuncId) -> bool {
        let program = self.analyses.program();
        let graph = self.analyses.resolved_calls();
        let Some(create) = program.find_function("pthread_create") else { return false };
        let sites = graph.callers(create).iter().filter(|(caller, edge)| {
            let Op::Call { args, .. } = &program.function(*caller).edge(*edge).op else { return true };
            match args.get(2).map(|start| self.analyses.points_to().targets(*caller, *start)) {
                Some(Targets::Known(list)) => list.iter().any(|target| target.object == Object::Function(root)),
                Some(Targets::Unknown) | None => true,
            }
        });
        let mut sites = sites;
        let (Some((caller, edge)), None) = (sites.next(), sites.next()) else { return false };
        let from = program.function(*caller).edge(*edge).from;
        Some(*caller) == program.entry
            && graph.callers(*caller).iter().all(|(who, _)| *who == program.start)
            && graph.callers(*caller).len() == 1
            && self.analyses.shape(*caller).around(from).is_empty()
            && !self.calls_besides_create(root, create)
    }

    /// Whether models but the one of threads call the function.
    fn calls_besides_create(&self, root: FuncId, create: FuncId) -> bool {
        let graph = self.analyses.resolved_calls();
        let starters = self.closure(create);
        graph.callers(root).iter().any(|(caller, _)| !starters.contains(caller))
    }

    /// The registers and objects that a function names. Nobody calls it yet, so that analyses of the whole program say nothing of it.
    fn named_in(&self, id: FuncId) -> Touched {
        let function = self.analyses.program().function(id);
        let (mut registers, mut objects) = (BTreeSet::new(), BTreeSet::new());
        for expr in function.exprs.ids() {
            match function.exprs.kind(expr) {
                ExprKind::Var(VarRef::Global(var)) => drop(registers.insert(var)),
                ExprKind::Addr(ObjRef::Global(object)) => drop(objects.insert(Object::Global(object))),
                _ => {}
            }
        }
        Touched { read_registers: registers, read: self.shared(Objects::Known(objects)), ..Touched::default() }
    }

    fn own_touched(&self, id: FuncId) -> Touched {
        let mut touched = Touched::default();
        for edge in self.analyses.program().function(id).edge_ids() {
            touched.add_all(&self.edge_touched(id, edge));
        }
        touched
    }

    /// What an edge touches by itself, without what it calls.
    fn edge_touched(&self, id: FuncId, edge: EdgeId) -> Touched {
        let program = self.analyses.program();
        let op = &program.function(id).edge(edge).op;
        // Others run in a switch, and do what they do in their own contexts.
        if op.switches_stacks() {
            return Touched::default();
        }
        let Effects { reads, writes } = edge_effects(program, self.analyses.points_to(), id, edge);
        let mut touched = Touched {
            read_registers: self.registers(reads.registers),
            written_registers: self.registers(writes.registers),
            read: self.shared(reads.objects),
            written: self.shared(writes.objects),
        };
        touched = self.with_observed(touched);
        match op {
            // Nobody looks at what was printed.
            Op::Call { callee: Callee::Intrinsic(Intrinsic::Print), .. } => touched.read = Objects::none(),
            Op::Call { callee: Callee::Intrinsic(Intrinsic::Free), args, .. } => {
                args.iter().for_each(|arg| {
                    touched.written.add_all(&self.objects_at(id, *arg));
                });
            }
            _ => {}
        }
        touched
    }

    fn registers(&self, all: impl IntoIterator<Item = GlobalVar>) -> BTreeSet<GlobalVar> {
        let program = self.analyses.program();
        all.into_iter().filter(|var| !self.is_dispatch_state(&program.var(*var).name)).collect()
    }

    fn objects_at(&self, func: FuncId, addr: ExprId) -> Objects {
        match self.analyses.points_to().targets(func, addr) {
            Targets::Unknown => Objects::Any,
            Targets::Known(list) => self.shared(Objects::Known(list.into_iter().map(|target| target.object).collect())),
        }
    }

    /// Those that more than one context can get at.
    fn shared(&self, objects: Objects) -> Objects {
        match objects {
            Objects::Any => Objects::Any,
            Objects::Known(list) => Objects::Known(list.into_iter().filter(|one| self.is_shared(*one)).collect()),
        }
    }

    fn is_shared(&self, object: Object) -> bool {
        match object {
            Object::Global(id) => {
                let info = self.analyses.program().object(id);
                !info.read_only && !self.is_dispatch_state(&info.name)
            }
            Object::Function(_) => false,
            Object::Local(..) | Object::Heap(..) | Object::Stack(..) => {
                self.escaped.as_ref().is_none_or(|escaped| escaped.contains(&object))
            }
        }
    }

    /// A handler that sets `errno` does not put it back.
    fn is_dispatch_state(&self, name: &str) -> bool {
        let state = DISPATCH_STATE.iter().find(|prefix| name.starts_with(**prefix));
        state.is_some_and(|prefix| *prefix != "__plumb_errno" || self.preemptor == Preemptor::Threads)
    }
}

fn role(program: &Program, id: FuncId) -> Role {
    let function = program.function(id);
    let is_kernel = || program.sources.place(function.span).is_some_and(|place| is_model_file(&place.file));
    if function.is_library || id == program.start || is_kernel() {
        Role::Model
    } else if function.name.starts_with(SECTION) && !SECTION_ENDS.contains(&&*function.name) {
        Role::Section
    } else {
        Role::User
    }
}

/// The objects of calls and of the heap that a pointer in static storage, or one handed to a new stack, leads to; perhaps through others. `None` where
/// that is not known.
fn escaped(analyses: &Analyses) -> Option<BTreeSet<Object>> {
    let (program, points_to) = (analyses.program(), analyses.points_to());
    let mut work: Vec<Object> = program.objects.keys().map(Object::Global).collect();
    let add = |work: &mut Vec<Object>, targets: Targets| match targets {
        Targets::Unknown => None,
        Targets::Known(list) => {
            work.extend(list.into_iter().map(|target| target.object));
            Some(())
        }
    };
    for var in program.vars.keys() {
        add(&mut work, points_to.global(var))?;
    }
    for id in program.function_ids() {
        let function = program.function(id);
        for edge in function.edges.iter() {
            if edge.op.stack_intrinsic() == Some(Intrinsic::NewStack) {
                for arg in edge.op.passed_args() {
                    add(&mut work, points_to.targets(id, *arg))?;
                }
            }
        }
    }
    let mut seen = BTreeSet::new();
    while let Some(object) = work.pop() {
        if matches!(object, Object::Function(_)) || !seen.insert(object) {
            continue;
        }
        let contents = points_to.contents(object);
        add(&mut work, contents.anywhere)?;
        for targets in contents.words.into_values() {
            add(&mut work, targets)?;
        }
    }
    Some(seen)
}
