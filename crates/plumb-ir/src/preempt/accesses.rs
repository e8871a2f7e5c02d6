//! One visible access per edge, and a point behind each.
//!
//! An edge of lowering evaluates a whole expression, with all its reads, at once. Here each visible read gets an edge that copies it to a
//! temporary, in the order of the operands; what is left of the expression is made of temporaries and of what only this context can change. An
//! operand that C evaluates under a condition is read under that condition: `p && p->x` reads `p->x` as `t1 ? load : 0`.
//! A node of an expression is one evaluation of C's: the builder makes a new node for each.
//!
//! The edges of a branch read what they read once. Of two of them the second is the negation of the first. More of them are a `switch`'s, whose
//! conditions compare one value, so that equal operands are one read.

use super::contexts::{Contexts, Touched};
use super::regions::{self, Regions};
use super::tasks::Tasks;
use crate::analysis::Analyses;
use crate::expr::{ExprId, ExprKind};
use crate::program::{Callee, EdgeId, FuncId, Function, HavocPlace, Lifetime, Loc, LocalVarInfo, Op, Place, VarRef};
use crate::rewrite::{Draft, Step};
use crate::ty::{Bits, Ty};
use plumb_c::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The function with points, or `None` if it needs none.
pub fn with_points(analyses: &Analyses, contexts: &Contexts, tasks: Option<&Tasks>, id: FuncId) -> Option<Function> {
    let function = analyses.program().function(id);
    let sight = Sight { analyses, contexts, id, function, unread: unread_arguments(analyses, function) };
    let is_visible = |edge: EdgeId| sight.is_visible(edge);
    let regions = Regions::of(analyses, contexts, id, &is_visible);
    let mut pass = Pass {
        draft: Draft::of(function, &analyses.program().target),
        sight: &sight,
        regions: &regions,
        tasks,
        steps: Vec::new(),
        memo: FxHashMap::default(),
    };
    for loc in function.locs() {
        pass.location(loc);
    }
    if contexts.begins_with_point(id) {
        pass.draft.put_before(function.entry, pass.point(function.span));
    }
    pass.draft.is_changed().then(|| pass.draft.finish())
}

/// Which parts of a function others can see.
struct Sight<'a> {
    analyses: &'a Analyses,
    contexts: &'a Contexts<'a>,
    id: FuncId,
    function: &'a Function,
    /// Arguments that nobody reads.
    unread: FxHashSet<ExprId>,
}

/// The arguments of calls whose callee does not read the parameter, as functions without a body do, if they are plain. It does not matter
/// what they are, so that the reads in them are not visible.
fn unread_arguments(analyses: &Analyses, function: &Function) -> FxHashSet<ExprId> {
    let program = analyses.program();
    let (mut unread, mut read) = (FxHashSet::default(), Vec::new());
    for edge in function.edges.iter() {
        let params = match &edge.op {
            Op::Call { callee: Callee::Direct(callee), .. } => read_params(program.function(*callee)),
            _ => Vec::new(),
        };
        let args = match &edge.op {
            Op::Call { args, .. } => &args[..],
            _ => &[],
        };
        read.extend(edge.op.exprs().filter(|expr| !args.contains(expr)));
        for (at, arg) in args.iter().enumerate() {
            match params.get(at) {
                Some(false) if is_plain_read(function, *arg) => drop(unread.insert(*arg)),
                Some(_) | None => read.push(*arg),
            }
        }
    }
    while let Some(expr) = read.pop() {
        unread.remove(&expr);
        read.extend(function.exprs.kind(expr).operands());
    }
    unread
}

/// Whether an expression reads one register and nothing else, so that no check of what is computed there can tell when that was.
fn is_plain_read(function: &Function, expr: ExprId) -> bool {
    match function.exprs.kind(expr) {
        ExprKind::Var(_) => true,
        ExprKind::Cast(_, operand) => is_plain_read(function, operand),
        _ => false,
    }
}

/// Which parameters some edge of a function reads.
fn read_params(function: &Function) -> Vec<bool> {
    let mut read = vec![false; function.param_count as usize];
    let mut open: Vec<ExprId> = function.edges.iter().flat_map(|edge| edge.op.exprs()).collect();
    while let Some(expr) = open.pop() {
        let kind = function.exprs.kind(expr);
        if let ExprKind::Var(VarRef::Local(var)) = kind
            && let Some(read) = read.get_mut(var.0 as usize)
        {
            *read = true;
        }
        open.extend(kind.operands());
    }
    read
}

impl Sight<'_> {
    /// What the node itself reads.
    fn read_touched(&self, expr: ExprId) -> Touched {
        match self.function.exprs.kind(expr) {
            ExprKind::Var(VarRef::Global(var)) => self.contexts.register_read(var),
            ExprKind::Load(addr) => self.contexts.memory_read(self.id, addr),
            _ => Touched::default(),
        }
    }

    /// Whether the node itself is a visible read.
    fn is_read(&self, expr: ExprId) -> bool {
        self.contexts.is_visible(self.id, &self.read_touched(expr))
    }

    /// The visible reads of an expression, those first that are evaluated first.
    fn reads(&self, root: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        self.collect(root, &mut found);
        found
    }

    fn collect(&self, expr: ExprId, found: &mut Vec<ExprId>) {
        if self.unread.contains(&expr) {
            return;
        }
        self.function.exprs.kind(expr).operands().for_each(|operand| self.collect(operand, found));
        if self.is_read(expr) && !found.contains(&expr) {
            found.push(expr);
        }
    }

    /// What the edge itself does to registers and memory, and the models that it calls.
    fn act_touched(&self, edge: EdgeId) -> Touched {
        let op = &self.function.edge(edge).op;
        let mut touched = self.contexts.step_touched(self.id, edge);
        match op {
            Op::Assign { to: Place::Mem(addr), .. } | Op::Havoc { to: HavocPlace::Region { addr, .. }, .. } => {
                touched.add_all(&self.contexts.memory_write(self.id, *addr));
            }
            _ => {
                if let Some(VarRef::Global(var)) = op.written() {
                    touched.add_all(&self.contexts.register_write(var));
                }
            }
        }
        touched
    }

    fn acts(&self, edge: EdgeId) -> bool {
        self.contexts.is_visible(self.id, &self.act_touched(edge)) || self.contexts.is_service(self.id, edge)
    }

    fn is_visible(&self, edge: EdgeId) -> bool {
        let op = &self.function.edge(edge).op;
        self.acts(edge) || op.exprs().any(|expr| !self.reads(expr).is_empty())
    }
}

struct Pass<'a> {
    draft: Draft<'a>,
    sight: &'a Sight<'a>,
    regions: &'a Regions,
    tasks: Option<&'a Tasks>,
    /// Of the location or edge at hand.
    steps: Vec<Step>,
    /// What nodes of it have become.
    memo: FxHashMap<ExprId, ExprId>,
}

impl Pass<'_> {
    fn location(&mut self, loc: Loc) {
        let function = self.sight.function;
        let edges: Vec<EdgeId> = function.out_edges(loc).collect();
        self.memo.clear();
        match edges[..] {
            [] => {}
            [edge] => self.edge(edge),
            [..] if !self.regions.is_inside(loc) => self.branch(loc, &edges),
            [..] => {}
        }
    }

    /// Reads what the conditions read before the branch.
    fn branch(&mut self, loc: Loc, edges: &[EdgeId]) {
        let function = self.sight.function;
        let conds: Vec<ExprId> = edges.iter().flat_map(|edge| function.edge(*edge).op.exprs()).collect();
        if conds.iter().all(|cond| self.sight.reads(*cond).is_empty()) {
            return;
        }
        let span = function.edge(edges[0]).span;
        let changed: Vec<ExprId> = match conds[..] {
            [cond, _] => {
                let cond = self.linear(cond, None, span);
                let cond = self.saved(cond, span);
                vec![cond, self.draft.make().not(cond)]
            }
            [..] => {
                self.share_reads(&conds);
                conds.iter().map(|cond| self.linear(*cond, None, span)).collect()
            }
        };
        for step in std::mem::take(&mut self.steps) {
            self.draft.put_before(loc, step);
        }
        for (edge, cond) in edges.iter().zip(changed) {
            let old = function.edge(*edge);
            self.draft.put_instead(*edge, vec![(old.op.map_exprs(|_| cond), old.span)]);
        }
    }

    /// Lets equal reads of several conditions be one.
    fn share_reads(&mut self, conds: &[ExprId]) {
        let function = self.sight.function;
        let mut first: Vec<ExprId> = Vec::new();
        for read in conds.iter().flat_map(|cond| self.sight.reads(*cond)) {
            match first.iter().find(|one| same(function, **one, read)) {
                Some(&one) if one != read => {
                    let value = self.linear(one, None, function.span);
                    self.memo.insert(read, value);
                }
                Some(_) => {}
                None => first.push(read),
            }
        }
    }

    fn edge(&mut self, id: EdgeId) {
        let function = self.sight.function;
        let edge = function.edge(id);
        let contexts = self.sight.contexts;
        if regions::ends_section(self.sight.analyses, contexts.preemptor, self.sight.id, id) {
            let always = contexts.preemptor != super::Preemptor::Threads;
            if always || self.regions.needs_point(edge.from) {
                self.draft.put_instead(id, vec![(edge.op.clone(), edge.span), self.point(edge.span)]);
            }
            return;
        }
        // The result of a call that ends the section is stored behind it.
        if self.regions.is_inside(edge.from) && !self.regions.is_inside(edge.to) && self.stores_result(&edge.op) {
            self.act(edge.op.clone(), None, None, edge.span);
            let steps = std::mem::take(&mut self.steps);
            return self.draft.put_instead(id, steps);
        }
        if self.regions.is_inside(edge.from)
            || regions::begins_section(self.sight.analyses, contexts.preemptor, self.sight.id, id)
        {
            return;
        }
        let reads: Vec<ExprId> = edge.op.exprs().flat_map(|expr| self.sight.reads(expr)).collect();
        let touched = self.sight.act_touched(id);
        let acts = self.sight.acts(id);
        let sections = self.sections(id);
        match (&reads[..], acts) {
            ([], false) if sections.is_none() => {}
            ([], true) if sections.is_none() && !self.stores_result(&edge.op) => {
                let point = match calls_functions(&edge.op) {
                    true => self.point(edge.span),
                    false => self.point_behind(&touched, edge.span),
                };
                self.draft.put_instead(id, vec![(edge.op.clone(), edge.span), point]);
            }
            // The one access of an assignment stays where it is.
            ([read], false) if matches!(edge.op, Op::Assign { .. }) => {
                let point = self.point_behind(&self.sight.read_touched(*read), edge.span);
                self.draft.put_instead(id, vec![(edge.op.clone(), edge.span), point]);
            }
            _ => {
                let op = edge.op.map_exprs(|expr| self.linear(expr, None, edge.span));
                self.act(op, acts.then_some(&touched), sections, edge.span);
                let steps = std::mem::take(&mut self.steps);
                self.draft.put_instead(id, steps);
            }
        }
    }

    /// A call whose result goes to a register that others see.
    fn stores_result(&self, op: &Op) -> bool {
        let Op::Call { to: Some(to), callee, .. } = op else { return false };
        self.stores_result_to(*to, callee)
    }

    /// Lays the edge itself, on temporaries, and what belongs behind it, given what it touches that others see.
    fn act(&mut self, op: Op, acts: Option<&Touched>, section: Option<(FuncId, FuncId)>, span: Span) {
        let call = |callee| Op::Call { to: None, callee: Callee::Direct(callee), args: Vec::new() };
        if let Some((begin, _)) = section {
            self.steps.push((call(begin), span));
        }
        match op {
            Op::Call { to: Some(to), callee, args } if self.stores_result_to(to, &callee) => {
                let ty = match to {
                    VarRef::Global(var) => self.sight.analyses.program().var(var).ty,
                    VarRef::Local(var) => self.draft.parts.vars[var].ty,
                };
                let (temp, value) = self.temp(ty, span);
                self.steps.push((Op::Call { to: Some(temp), callee, args }, span));
                if let Some((_, end)) = section {
                    self.steps.push((call(end), span));
                }
                self.steps.push((Op::Assign { to: Place::Var(to), value }, span));
                self.steps.push(self.point(span));
            }
            op => {
                let is_call = calls_functions(&op);
                self.steps.push((op, span));
                if let Some((_, end)) = section {
                    self.steps.push((call(end), span));
                }
                match acts {
                    Some(touched) if !is_call => {
                        let point = self.point_behind(touched, span);
                        self.steps.push(point);
                    }
                    None if section.is_none() => {}
                    Some(_) | None => self.steps.push(self.point(span)),
                }
            }
        }
    }

    fn stores_result_to(&self, to: VarRef, callee: &Callee) -> bool {
        let VarRef::Global(var) = to else { return false };
        let touched = self.sight.contexts.register_write(var);
        !matches!(callee, Callee::Intrinsic(_)) && self.sight.contexts.is_visible(self.sight.id, &touched)
    }

    /// The functions to call around the call of a section in which functions with points run.
    fn sections(&self, edge: EdgeId) -> Option<(FuncId, FuncId)> {
        let (program, contexts) = (self.sight.analyses.program(), self.sight.contexts);
        let mut targets = self.sight.analyses.resolved_calls().targets(self.sight.id, edge);
        let is_section = |id: FuncId| contexts.is_section(id) && contexts.section_has_points(id);
        if !targets.any(is_section) {
            return None;
        }
        Some((program.find_function("__plumb_atomic_begin")?, program.find_function("__plumb_atomic_end")?))
    }

    /// The expression on temporaries, after steps that read into them. Under `guard`, a condition on temporaries, it counts
    /// as evaluated.
    fn linear(&mut self, expr: ExprId, guard: Option<ExprId>, span: Span) -> ExprId {
        if let Some(&known) = self.memo.get(&expr) {
            return known;
        }
        if self.sight.reads(expr).is_empty() {
            return expr;
        }
        let node = self.sight.function.exprs.get(expr);
        let value = match node.kind {
            ExprKind::Load(addr) if self.sight.is_read(expr) => {
                let addr = self.linear(addr, guard, span);
                let load = self.draft.parts.exprs.push(ExprKind::Load(addr), node.ty);
                let value = match guard {
                    None => load,
                    Some(guard) => {
                        let zero = self.draft.make().constant(Bits::ZERO, node.ty);
                        self.draft.parts.exprs.push(ExprKind::Ite(guard, load, zero), node.ty)
                    }
                };
                self.read(value, &self.sight.read_touched(expr), span)
            }
            ExprKind::Var(VarRef::Global(_)) => self.read(expr, &self.sight.read_touched(expr), span),
            ExprKind::And(a, b) => {
                let a = self.decided(a, guard, b, span);
                let within = self.within(guard, a);
                let b = self.linear(b, Some(within), span);
                self.draft.parts.exprs.push(ExprKind::And(a, b), node.ty)
            }
            ExprKind::Or(a, b) => {
                let a = self.decided(a, guard, b, span);
                let otherwise = self.draft.make().not(a);
                let within = self.within(guard, otherwise);
                let b = self.linear(b, Some(within), span);
                self.draft.parts.exprs.push(ExprKind::Or(a, b), node.ty)
            }
            ExprKind::Ite(cond, a, b) => {
                let cond = self.linear(cond, guard, span);
                let cond = self.saved(cond, span);
                let otherwise = self.draft.make().not(cond);
                let (first, second) = (self.within(guard, cond), self.within(guard, otherwise));
                let (a, b) = (self.linear(a, Some(first), span), self.linear(b, Some(second), span));
                self.draft.parts.exprs.push(ExprKind::Ite(cond, a, b), node.ty)
            }
            kind => {
                let kind = kind.map_operands(|operand| self.linear(operand, guard, span));
                self.draft.parts.exprs.push(kind, node.ty)
            }
        };
        self.memo.insert(expr, value);
        value
    }

    /// The first operand of a short-circuit operator: a temporary if the second one reads.
    fn decided(&mut self, first: ExprId, guard: Option<ExprId>, second: ExprId, span: Span) -> ExprId {
        let first = self.linear(first, guard, span);
        if self.sight.reads(second).is_empty() { first } else { self.saved(first, span) }
    }

    fn within(&mut self, guard: Option<ExprId>, cond: ExprId) -> ExprId {
        guard.map_or(cond, |guard| self.draft.make().and(guard, cond))
    }

    /// A visible read into a temporary, and the point behind it.
    fn read(&mut self, value: ExprId, touched: &Touched, span: Span) -> ExprId {
        let value = self.saved(value, span);
        let point = self.point_behind(touched, span);
        self.steps.push(point);
        value
    }

    /// The value in a temporary.
    fn saved(&mut self, value: ExprId, span: Span) -> ExprId {
        let (temp, read) = self.temp(self.draft.parts.exprs.ty(value), span);
        self.steps.push((Op::Assign { to: Place::Var(temp), value }, span));
        read
    }

    fn temp(&mut self, ty: Ty, span: Span) -> (VarRef, ExprId) {
        let name = format!("%{}", self.draft.parts.vars.len()).into();
        let temp = VarRef::Local(self.draft.parts.vars.push_and_get_key(LocalVarInfo {
            name,
            ty,
            cty: None,
            lifetime: Lifetime::Expression,
            span,
        }));
        (temp, self.draft.parts.exprs.push(ExprKind::Var(temp), ty))
    }

    /// The point behind an access that is no call.
    fn point_behind(&mut self, touched: &Touched, span: Span) -> Step {
        let conflicting = self.sight.contexts.conflicting(self.sight.id, touched);
        match self.tasks.and_then(|tasks| tasks.point_behind(&conflicting, &mut self.draft)) {
            Some(op) => (op, span),
            None => self.point(span),
        }
    }

    fn point(&self, span: Span) -> Step {
        let callee = Callee::Direct(self.sight.contexts.dispatch);
        (Op::Call { to: None, callee, args: Vec::new() }, span)
    }
}

/// Whether models may run in an edge, with state of their own.
fn calls_functions(op: &Op) -> bool {
    matches!(op, Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. })
}

/// Whether two expressions are written alike.
fn same(function: &Function, a: ExprId, b: ExprId) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (function.exprs.get(a), function.exprs.get(b));
    let leaf = |kind: ExprKind| kind.map_operands(|_| ExprId(0));
    a.ty == b.ty
        && leaf(a.kind) == leaf(b.kind)
        && a.kind.operands().zip(b.kind.operands()).all(|(a, b)| same(function, a, b))
}
