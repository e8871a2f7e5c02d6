//! Properties as edges: what must hold is written into the program as `Check` edges, each with a kind and a span.
//!
//! [`PropertySet`] says what to check; [`instrument`] returns the program with the checks. Every check has its own file:
//! it looks at an expression or an operation and says which condition keeps it from harm. [`site`] walks the
//! expressions of an edge in order of evaluation and knows under which condition a part of it is evaluated at all; the
//! checks go before the edge, in that order, so that a later one may rely on the earlier ones.
//!
//! One part of the bounds check is not made here: subscripts of arrays inside an object, which lowering checks. It is
//! given the same properties: see [`crate::prepare()`].
//!
//! Library models are trusted in their arithmetic but not with the user's pointers: in them only memory is checked. Where
//! their arithmetic is the user's, the call is ([`arithmetic_call`]).

mod address;
pub mod addresses;
mod arithmetic_call;
mod bounds;
mod calls;
mod conversion;
mod division;
mod float_nan;
mod free;
mod labels;
pub mod layout;
mod leak;
mod overflow;
mod pointer;
pub mod prp;
pub mod reach;
pub mod selection;
mod shift;
mod site;
#[cfg(test)]
mod tests;

use crate::analysis::address_taken::AddressTaken;
use crate::analysis::callgraph::CallGraph;
use crate::check::{CheckId, CheckInfo, CheckKind};
use crate::expr::{ExprId, ExprKind};
use crate::index::TiVec;
use crate::program::{Callee, EdgeId, FuncId, Function, HavocPlace, Intrinsic, Loc, Op, Place, Program};
use crate::rewrite::Draft;
pub(crate) use calls::is_assertion_name;
use plumb_c::source::Span;
pub use selection::{CheckSelection, PropertySet, UnknownCheck};
use site::Site;
use std::sync::Arc;

/// The program with a check edge before everything that could break a property of the set.
pub fn instrument(program: &Program, set: &PropertySet) -> Program {
    let taken = &AddressTaken::of(program);
    let mut result = program.clone();
    let mut checks = TiVec::clone(&program.checks);
    for id in program.function_ids() {
        let mut pass = Pass { program, set, taken, id, checks: &mut checks };
        if let Some(function) = pass.function() {
            result.functions[id] = Arc::new(function);
        }
    }
    result.checks = Arc::new(checks);
    debug_assert_eq!(crate::verify::verify(&result), Vec::<String>::new());
    result
}

/// Whether a program has assertions or calls of error functions at all, be it where no run can get to: lowering leaves out
/// what follows a condition that is constant, but not the functions that are called there.
pub fn mentions_assertions(program: &Program, set: &PropertySet) -> bool {
    let is_mentioned =
        |f: &Arc<Function>| calls::is_assertion_function(f) || (!f.has_body && calls::is_error_function(f, set));
    // What follows a jump that is always taken has no edges.
    let is_of_property = |name: &Arc<str>| is_assertion_name(name) || set.error_functions.contains(name);
    let has_own = |name: &Arc<str>| program.functions.iter().any(|f| f.name == *name && f.has_body && !f.is_library);
    program.functions.iter().any(is_mentioned)
        || program.mentioned.iter().any(|name| is_of_property(name) && !has_own(name))
}

/// Whether a run can meet a check, or something behind which one may have been, as far as calls tell. The start function's
/// own refusal of arguments that are not modelled hides nothing, as long as it goes on to call the entry with others.
pub fn can_meet_a_check(program: &Program) -> bool {
    let is_called = program.entry_call().is_some();
    let graph = CallGraph::of(program, None);
    graph.reachable(program.start).into_iter().any(|id| {
        program.function(id).edges.iter().any(|edge| match edge.op {
            Op::Check { check, .. } => {
                program.check(check).kind != CheckKind::Unsupported || id != program.start || !is_called
            }
            Op::Assign { .. } | Op::Assume { .. } | Op::Havoc { .. } | Op::Call { .. } | Op::Return(_) => false,
        })
    })
}

/// The work on one function.
struct Pass<'a> {
    program: &'a Program,
    set: &'a PropertySet,
    taken: &'a AddressTaken,
    id: FuncId,
    checks: &'a mut TiVec<CheckId, CheckInfo>,
}

impl Pass<'_> {
    /// The instrumented function, if anything changed.
    fn function(&mut self) -> Option<Function> {
        let function = self.program.function(self.id);
        let mut draft = Draft::of(function, &self.program.target);
        if calls::is_error_function(function, self.set) && self.taken.function(self.id) {
            let message = format!("the error function {} is called through a pointer", function.name);
            let broken = (CheckKind::ErrorCall, &*function.name);
            self.fail_at(&mut draft, function.entry, broken, &message, function.span);
        }
        for (name, loc) in labels::broken(function, self.set) {
            let span = function.out_edges(loc).next().map_or(function.span, |e| function.edge(e).span);
            self.fail_at(&mut draft, loc, (CheckKind::ErrorLabel, name), &format!("the label {name} is reached"), span);
        }
        for loc in function.locs() {
            self.location(&mut draft, function, loc);
        }
        draft.is_changed().then(|| draft.finish())
    }

    fn fail_at(
        &mut self,
        draft: &mut Draft<'_>,
        loc: Loc,
        (kind, subject): (CheckKind, &str),
        message: &str,
        span: Span,
    ) {
        let cond = draft.make().bool(false);
        let check = self.check(kind, message, Some(subject), span);
        draft.put_before(loc, (Op::Check { cond, check }, span));
    }

    fn check(&mut self, kind: CheckKind, message: &str, subject: Option<&str>, span: Span) -> CheckId {
        self.checks.push_and_get_key(CheckInfo {
            kind,
            message: message.into(),
            subject: subject.map(Arc::from),
            of_inputs: false,
            span,
        })
    }

    fn location(&mut self, draft: &mut Draft<'_>, function: &Function, loc: Loc) {
        let mut selection = if function.is_library { self.set.checks.memory_only() } else { self.set.checks };
        if function.wrapv {
            selection = selection.without(CheckKind::SignedOverflow);
        }
        let mut site = Site::new(self.program, function, draft.make(), selection);
        let mut replaced = Vec::new();
        for id in function.out_edges(loc) {
            site.span = function.edge(id).span;
            self.edge(&mut site, function, id);
            if let Some(verdict) = calls::verdict(&mut site, function, &function.edge(id).op, self.set) {
                replaced.push((id, verdict));
            }
        }
        let watches = site.wants(CheckKind::FloatNan);
        let found = site.found;
        for requirement in found {
            let check = self.check(requirement.kind, &requirement.message, None, requirement.span);
            draft.put_before(loc, (Op::Check { cond: requirement.cond, check }, requirement.span));
        }
        for (id, verdict) in replaced {
            let span = function.edge(id).span;
            let check = self.check(verdict.kind, &verdict.message, verdict.subject.as_deref(), span);
            draft.put_instead(id, vec![(Op::Check { cond: verdict.cond, check }, span)]);
        }
        for id in function.out_edges(loc).filter(|_| watches) {
            let edge = function.edge(id);
            if let Some(mut watched) = arithmetic_call::watched(self.program, draft, &edge.op, edge.span) {
                let check = self.check(CheckKind::FloatNan, &watched.message, None, edge.span);
                watched.steps.push((Op::Check { cond: watched.cond, check }, edge.span));
                draft.put_instead(id, watched.steps);
            }
        }
    }

    /// What the edge's operation needs beyond what its expressions do.
    fn edge(&self, site: &mut Site<'_>, function: &Function, id: EdgeId) {
        let op = &function.edge(id).op;
        for expr in op.exprs() {
            site.walk(expr, &mut evaluated);
        }
        match op {
            Op::Assign { to: Place::Mem(addr), value } => {
                let bytes = site.make.exprs.ty(*value).bytes(site.make.target);
                let size = site.make.size(bytes);
                accessed(site, *addr, size, true);
            }
            Op::Havoc { to: HavocPlace::Region { addr, size }, .. } => accessed(site, *addr, *size, true),
            Op::Call { to, callee: Callee::Indirect(callee), args } => {
                pointer::call(site, *callee, args, *to, self.taken);
            }
            Op::Call { callee: Callee::Intrinsic(intrinsic), args, .. } => match (intrinsic, &args[..]) {
                (Intrinsic::MemCopy, &[to, from, size]) => {
                    accessed(site, to, size, true);
                    accessed(site, from, size, false);
                }
                (Intrinsic::MemSet, &[to, _, size]) => accessed(site, to, size, true),
                (Intrinsic::Free, &[pointer]) => free::freed(site, pointer),
                (Intrinsic::Exit | Intrinsic::Abort, _) => leak::at_end(site, self.set),
                (Intrinsic::NewStack, &[start, argument]) => {
                    pointer::call(site, start, &[argument], None, self.taken);
                }
                _ => {}
            },
            Op::Assign { to: Place::Var(_), .. }
            | Op::Assume { .. }
            | Op::Havoc { to: HavocPlace::Var(_) | HavocPlace::Objects { .. }, .. }
            | Op::Return(_)
            | Op::Check { .. } => {}
            Op::Call { callee: Callee::Direct(_), .. } => arithmetic_call::called(site, op),
        }
    }
}

/// An expression's operator is about to be applied.
fn evaluated(site: &mut Site<'_>, id: ExprId) {
    match site.make.exprs.kind(id) {
        ExprKind::Load(addr) => {
            let bytes = site.make.exprs.ty(id).bytes(site.make.target);
            let size = site.make.size(bytes);
            accessed(site, addr, size, false);
        }
        ExprKind::Unary(..) | ExprKind::Fma(..) => {
            overflow::negated(site, id);
            float_nan::computed(site, id);
        }
        ExprKind::Binary(..) => {
            division::divided(site, id);
            shift::shifted(site, id);
            overflow::computed(site, id);
            float_nan::computed(site, id);
        }
        ExprKind::Cast(..) => conversion::converted(site, id),
        ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Addr(_)
        | ExprKind::FuncAddr(_)
        | ExprKind::Ite(..)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::PtrAdd(..)
        | ExprKind::PtrDiff(..)
        | ExprKind::Extract { .. }
        | ExprKind::Insert { .. }
        | ExprKind::InBounds { .. }
        | ExprKind::Callable { .. }
        | ExprKind::Freeable(_)
        | ExprKind::IsLive(_)
        | ExprKind::SameObject(..)
        | ExprKind::BytesLeft(_)
        | ExprKind::ObjectOffset(_)
        | ExprKind::NoLeak(_)
        | ExprKind::HeapEmpty => {}
    }
}

/// Bytes at an address are about to be read or written.
fn accessed(site: &mut Site<'_>, addr: ExprId, size: ExprId, write: bool) {
    let address = address::Address::of(site.make.exprs, addr);
    let is_named = matches!(site.make.exprs.kind(address.base), ExprKind::Addr(_));
    let kind = if is_named { CheckKind::Bounds } else { CheckKind::Pointer };
    if site.wants(kind) {
        for cond in address.unwrapped(&mut site.make) {
            site.require(kind, cond, "an index leaves the address space".to_string());
        }
    }
    match site.make.exprs.kind(address.base) {
        ExprKind::Addr(object) => {
            if write {
                pointer::written(site, object);
            }
            bounds::accessed(site, object, &address, size);
        }
        _ => pointer::accessed(site, &address, addr, size, write),
    }
}
