//! Statement blocks (Definitions 2 and 3 of the paper): where the tasks of a program are cut.
//!
//! A *visible variable* is one that several tasks or handlers access. A *visible statement* accesses one or calls the kernel. A block
//! begins before each visible statement and at each head of a loop; between two cuts the symbolic semantics goes on exactly. So
//! the transitions of the composition are blocks of the application with all that the kernel does in them.
//!
//! Every infinite run passes a cut again and again: a cycle of the control flow has a loop head, and cycles that go through the kernel
//! pass a loop of the kernel that gives the processor away or asks the environment. Other loops of the kernel and of library models are
//! followed to their ends.

use super::termination::TerminatingLoops;
use super::tuning::TUNING;
use plumb_c::source::Span;
use plumb_ir::analysis::Analyses;
use plumb_ir::expr::ExprKind;
use plumb_ir::index::TiVec;
use plumb_ir::preempt::Preemptor;
use plumb_ir::program::{
    Callee, DatumValue, EdgeId, FuncId, Function, GlobalObj, GlobalVar, HavocPlace, Loc, LocalVar, ObjRef, Op, Place,
    Program, VarRef,
};
use plumb_sym::StateCell;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// What a location is to the exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Cut {
    #[default]
    None,
    /// The head of a loop that only constants decide about as long as nothing is cut: it ends blocks that are too long.
    InnerLoop,
    /// The head of a loop of the kernel or of a library model in which the environment is asked or the processor given away, and which
    /// is not known to end: it ends blocks that come there a second time.
    KernelLoop,
    /// The same where the kernel is about to ask which interrupt occurs: it ends blocks as a visible statement does. So a block has one choice
    /// of the environment's, and what can follow a choice is followed once and not behind every block that may lead to it.
    Point,
    /// Before a visible statement.
    Statement,
    /// The head of a loop.
    Loop,
}

pub(super) struct Blocks {
    cuts: TiVec<FuncId, TiVec<Loc, Cut>>,
    visible_vars: BTreeSet<GlobalVar>,
    visible_objects: BTreeSet<GlobalObj>,
    /// Variables that nothing depends on but their own next values: counters for the user's eyes.
    unread_vars: BTreeSet<GlobalVar>,
    /// Locations behind preemption points, and whether these follow no visible statement.
    points: BTreeMap<(FuncId, Loc), bool>,
    /// The function of the kernel in which handlers run.
    handler: Option<FuncId>,
    handler_entry: Loc,
    kernel: TiVec<FuncId, bool>,
    kernel_vars: BTreeSet<GlobalVar>,
    kernel_objects: BTreeSet<GlobalObj>,
    /// Objects of the kernel that count ticks.
    times: BTreeSet<GlobalObj>,
    /// Registers of the application that count more iterations than are distinguished.
    long_counters: FxHashSet<(FuncId, LocalVar)>,
}

/// Where the kernel model's files say that they are. Monitors of properties are beside the kernel, not part of it.
const KERNEL: &str = "<osek>/";
const MONITORS: &str = "<osek>/monitors.c";

/// The kernel model's function that runs a handler.
const HANDLER: &str = "osek_handle";

/// The kernel model's functions whose loops ask which interrupt occurs.
const ASKING: [&str; 2] = ["osek_preemption_point", "osek_dispatch"];

/// The kernel model's objects in which it keeps how long alarms have to go, and the values of counters.
const TIMES: [&str; 2] = ["osek_alarm_states", "osek_counter_values"];

fn is_kernel(program: &Program, span: Span) -> bool {
    program.sources.place(span).is_some_and(|place| place.file.starts_with(KERNEL) && *place.file != *MONITORS)
}

impl Blocks {
    pub fn of(analyses: &Analyses, terminating: &TerminatingLoops) -> Blocks {
        let program = analyses.program();
        let kernel: TiVec<FuncId, bool> =
            program.functions.iter().map(|f| is_kernel(program, f.span) || f.is_library).collect();
        let kernel_vars = program.vars.iter_enumerated().filter(|(_, v)| is_kernel(program, v.span)).map(|(v, _)| v);
        let kernel_objects =
            program.objects.iter_enumerated().filter(|(_, o)| is_kernel(program, o.span)).map(|(o, _)| o);
        let mut blocks = Blocks {
            cuts: program.functions.iter().map(|f| vec![Cut::None; f.loc_count as usize].into()).collect(),
            visible_vars: BTreeSet::new(),
            visible_objects: BTreeSet::new(),
            unread_vars: unread_vars(program),
            points: BTreeMap::new(),
            handler: program.find_function(HANDLER),
            handler_entry: Loc(0),
            kernel_vars: kernel_vars.collect(),
            times: kernel_objects.clone().filter(|object| TIMES.contains(&&*program.object(*object).name)).collect(),
            kernel_objects: kernel_objects.collect(),
            long_counters: terminating
                .counters_beyond(TUNING.most_local_values as i128)
                .filter(|(func, _)| !kernel[*func])
                .collect(),
            kernel,
        };
        blocks.find_visible(analyses);
        blocks.find_points(analyses);
        let acting = functions_with_inputs_or_switches(analyses);
        for func in program.function_ids() {
            blocks.cut_function(analyses, terminating, func, &acting);
        }
        blocks
    }

    pub fn cut_at(&self, func: FuncId, loc: Loc) -> Cut {
        self.cuts[func][loc]
    }

    /// Whether a handler is about to run.
    pub fn begins_handler(&self, func: FuncId, loc: Loc) -> bool {
        self.handler == Some(func) && loc == self.handler_entry
    }

    /// Of callers, from the outermost to the innermost: whether the preemption point that the innermost one is at, of those that are
    /// at one, follows nothing visible. What a handler interrupts is what runs, and not what that has interrupted.
    pub fn is_at_private_point(&self, callers: &[(FuncId, Loc)]) -> bool {
        callers.iter().rev().find_map(|caller| self.points.get(caller).copied()).unwrap_or(false)
    }

    /// Preemption points, with those behind statements that no other task or handler sees, and at entries.
    fn find_points(&mut self, analyses: &Analyses) {
        let program = analyses.program();
        self.handler_entry = self.handler.map_or(Loc(0), |func| program.function(func).entry);
        let is_point = |op: &Op| Preemptor::Kernel.is_point(program, op);
        for func in program.function_ids().filter(|func| !self.kernel[*func]) {
            let function = program.function(func);
            for point in function.edge_ids().filter(|edge| is_point(&function.edge(*edge).op)) {
                let from = function.edge(point).from;
                let mut before = function.edge_ids().filter(|edge| function.edge(*edge).to == from);
                let is_seen = |edge| !is_point(&function.edge(edge).op) && self.is_visible(analyses, func, edge);
                self.points.insert((func, function.edge(point).to), !before.any(is_seen));
            }
        }
    }

    pub fn is_kernel_function(&self, func: FuncId) -> bool {
        self.kernel[func]
    }

    pub fn is_kernel_var(&self, var: GlobalVar) -> bool {
        self.kernel_vars.contains(&var)
    }

    pub fn is_kernel_object(&self, object: GlobalObj) -> bool {
        self.kernel_objects.contains(&object)
    }

    /// Whether a scalar counts ticks.
    pub fn is_time(&self, cell: StateCell) -> bool {
        matches!(cell, StateCell::Static(object, _) if self.times.contains(&object))
    }

    /// Whether a scalar counts more iterations than are distinguished.
    pub fn is_long_counter(&self, cell: StateCell) -> bool {
        matches!(cell, StateCell::Local(func, var) if self.long_counters.contains(&(func, var)))
    }

    /// Visible variables, and the first scalar of each visible object.
    pub fn visible_cells(&self) -> impl Iterator<Item = StateCell> {
        let vars = self.visible_vars.difference(&self.unread_vars).map(|var| StateCell::Global(*var));
        vars.chain(self.visible_objects.iter().map(|object| StateCell::Static(*object, 0)))
    }

    pub fn is_unread(&self, var: GlobalVar) -> bool {
        self.unread_vars.contains(&var)
    }

    pub fn is_visible_var(&self, var: GlobalVar) -> bool {
        self.visible_vars.contains(&var)
    }

    pub fn is_visible_object(&self, object: GlobalObj) -> bool {
        self.visible_objects.contains(&object)
    }

    /// Variables of the application that functions of several tasks or handlers name.
    fn find_visible(&mut self, analyses: &Analyses) {
        let program = analyses.program();
        let mut vars: FxHashMap<GlobalVar, BTreeSet<usize>> = FxHashMap::default();
        let mut objects: FxHashMap<GlobalObj, BTreeSet<usize>> = FxHashMap::default();
        for (number, members) in self.entities(analyses).into_iter().enumerate() {
            for func in members {
                let function = program.function(func);
                for edge in function.edges.iter() {
                    self.each_access(function, &edge.op, &mut |access| match access {
                        VarOrObject::Var(var) => {
                            vars.entry(var).or_default().insert(number);
                        }
                        VarOrObject::Object(object) => {
                            objects.entry(object).or_default().insert(number);
                        }
                    });
                }
            }
        }
        let is_shared = |who: &BTreeSet<usize>| who.len() > 1;
        self.visible_vars = vars.into_iter().filter(|(_, who)| is_shared(who)).map(|(var, _)| var).collect();
        let is_written = |object: &GlobalObj| !program.object(*object).read_only;
        let shared = objects.into_iter().filter(|(object, who)| is_shared(who) && is_written(object));
        self.visible_objects = shared.map(|(object, _)| object).collect();
    }

    /// Tasks, handlers and the rest: for each function that the kernel's tables name, and for `main`, what it reaches without the
    /// kernel.
    fn entities(&self, analyses: &Analyses) -> Vec<Vec<FuncId>> {
        let program = analyses.program();
        let in_tables = self.kernel_objects.iter().flat_map(|object| &program.object(*object).init);
        let named = in_tables.filter_map(|datum| match datum.value {
            DatumValue::Function(func) => Some(func),
            DatumValue::Bytes(_) | DatumValue::Object(..) => None,
        });
        let roots: BTreeSet<FuncId> = named.chain(program.entry).filter(|func| !self.kernel[*func]).collect();
        let graph = analyses.resolved_calls();
        let reach = |root: FuncId| {
            let mut seen = FxHashSet::from_iter([root]);
            let mut found = vec![root];
            let mut next = 0;
            while next < found.len() {
                let callees = graph.callees(found[next]).iter().map(|call| call.callee);
                let new: Vec<FuncId> = callees.filter(|func| !self.kernel[*func] && seen.insert(*func)).collect();
                found.extend(new);
                next += 1;
            }
            found
        };
        roots.into_iter().map(reach).collect()
    }

    /// The variables and static objects of the application that an operation names.
    fn each_access(&self, function: &Function, op: &Op, found: &mut dyn FnMut(VarOrObject)) {
        let mut written = |var: &VarRef| {
            if let VarRef::Global(var) = var
                && !self.kernel_vars.contains(var)
            {
                found(VarOrObject::Var(*var));
            }
        };
        match op {
            Op::Assign { to: Place::Var(var), .. } | Op::Havoc { to: HavocPlace::Var(var), .. } => written(var),
            Op::Call { to: Some(var), .. } => written(var),
            Op::Assign { to: Place::Mem(_), .. }
            | Op::Havoc { to: HavocPlace::Region { .. } | HavocPlace::Objects { .. }, .. }
            | Op::Call { to: None, .. }
            | Op::Assume { .. }
            | Op::Return(_)
            | Op::Check { .. } => {}
        }
        let mut open: Vec<_> = op.exprs().collect();
        while let Some(expr) = open.pop() {
            let kind = function.exprs.kind(expr);
            match kind {
                ExprKind::Var(VarRef::Global(var)) if !self.kernel_vars.contains(&var) => found(VarOrObject::Var(var)),
                ExprKind::Addr(ObjRef::Global(object)) if !self.kernel_objects.contains(&object) => {
                    found(VarOrObject::Object(object));
                }
                _ => {}
            }
            open.extend(kind.operands());
        }
    }

    /// Whether an edge is a visible statement.
    fn is_visible(&self, analyses: &Analyses, func: FuncId, edge: EdgeId) -> bool {
        let function = analyses.program().function(func);
        let op = &function.edge(edge).op;
        if let Op::Call { callee: Callee::Direct(callee), .. } = op
            && is_kernel(analyses.program(), analyses.program().function(*callee).span)
        {
            return true;
        }
        let mut is_visible = false;
        self.each_access(function, op, &mut |access| {
            is_visible |= match access {
                VarOrObject::Var(var) => self.visible_vars.contains(&var),
                VarOrObject::Object(object) => self.visible_objects.contains(&object),
            };
        });
        is_visible
    }

    fn cut_function(
        &mut self,
        analyses: &Analyses,
        terminating: &TerminatingLoops,
        func: FuncId,
        acting: &TiVec<FuncId, bool>,
    ) {
        let program = analyses.program();
        let function = program.function(func);
        let is_inner = self.kernel[func];
        let loops = &analyses.shape(func).loops;
        if !is_inner {
            for edge in function.edge_ids() {
                if self.is_visible(analyses, func, edge) {
                    self.cuts[func][function.edge(edge).from] = Cut::Statement;
                }
            }
        }
        for (id, one) in loops.loops.iter_enumerated() {
            let reads_or_switches = || {
                let edges = function.edge_ids().filter(|edge| loops.contains(id, function.edge(*edge).from));
                let mut edges = edges.collect::<Vec<_>>().into_iter();
                edges.any(|edge| {
                    let op = &function.edge(edge).op;
                    reads_input_or_switches(op)
                        || analyses.resolved_calls().targets(func, edge).any(|callee| acting[callee])
                })
            };
            let cut = match is_inner {
                false => Cut::Loop,
                // One that ends by itself needs no cut, and cuts in it would tell states apart that are one behind it.
                true if !terminating.is_head(func, one.head) && reads_or_switches() => {
                    match ASKING.contains(&&*function.name) {
                        true => Cut::Point,
                        false => Cut::KernelLoop,
                    }
                }
                true => Cut::InnerLoop,
            };
            self.cuts[func][one.head] = cut;
        }
    }
}

enum VarOrObject {
    Var(GlobalVar),
    Object(GlobalObj),
}

/// Global registers that are read only where they are assigned themselves, or handed to functions that do not look.
fn unread_vars(program: &Program) -> BTreeSet<GlobalVar> {
    let mut unread: BTreeSet<GlobalVar> = program.vars.keys().collect();
    for function in program.functions.iter() {
        for edge in function.edges.iter() {
            let own = match &edge.op {
                Op::Assign { to: Place::Var(VarRef::Global(var)), .. } => Some(*var),
                _ => None,
            };
            let mut open: Vec<_> = match &edge.op {
                Op::Call { callee: Callee::Direct(callee), args, .. } => {
                    let callee = program.function(*callee);
                    let may_read = |number: usize| {
                        number >= callee.param_count as usize || is_read(callee, LocalVar(number as u32))
                    };
                    let numbered = args.iter().enumerate();
                    numbered.filter(|(number, _)| may_read(*number)).map(|(_, arg)| *arg).collect()
                }
                op => op.exprs().collect(),
            };
            while let Some(expr) = open.pop() {
                let kind = function.exprs.kind(expr);
                if let ExprKind::Var(VarRef::Global(var)) = kind
                    && Some(var) != own
                {
                    unread.remove(&var);
                }
                open.extend(kind.operands());
            }
        }
    }
    unread
}

/// Whether some expression of a function mentions one of its registers.
fn is_read(function: &Function, var: LocalVar) -> bool {
    let mut open: Vec<_> = function.edges.iter().flat_map(|edge| edge.op.exprs()).collect();
    while let Some(expr) = open.pop() {
        let kind = function.exprs.kind(expr);
        if kind == ExprKind::Var(VarRef::Local(var)) {
            return true;
        }
        open.extend(kind.operands());
    }
    false
}

/// An input, or a switch to another stack.
fn reads_input_or_switches(op: &Op) -> bool {
    matches!(op, Op::Havoc { .. }) || op.switches_stacks()
}

/// Functions in which the environment may be asked or another stack run, be it in what they call.
fn functions_with_inputs_or_switches(analyses: &Analyses) -> TiVec<FuncId, bool> {
    let program = analyses.program();
    let own = |function: &Function| function.edges.iter().any(|edge| reads_input_or_switches(&edge.op));
    let mut found: TiVec<FuncId, bool> = program.functions.iter().map(|f| own(f)).collect();
    let graph = analyses.resolved_calls();
    loop {
        let mut has_changed = false;
        for func in program.function_ids() {
            if !found[func] && graph.callees(func).iter().any(|call| found[call.callee]) {
                found[func] = true;
                has_changed = true;
            }
        }
        if !has_changed {
            return found;
        }
    }
}
