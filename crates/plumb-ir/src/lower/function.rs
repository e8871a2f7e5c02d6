//! Functions: parameters, locals, returns; and functions of which only a declaration exists.

use super::concurrency::Masking;
use super::facts::{Facts, LocalKind};
use super::types::{Class, Signature};
use super::{Context, call::Arg, division, escape};
use crate::build::{FunctionBuilder, Header};
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, ExprKind};
use crate::index::TiVec;
use crate::input::InputOrigin;
use crate::program::{
    AssumptionKind, Callee, Function, HavocPlace, Intrinsic, Lifetime, Loc, LocalObj, LocalObjInfo, LocalVar,
    LocalVarInfo, ObjRef, Op, VarRef,
};
use crate::ty::Ty;
use plumb_c::hir;
use plumb_c::sema::libc_types::is_known_to_compilers;
use plumb_c::source::Span;
use plumb_c::types::TyId;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Where a local lives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    Register(LocalVar),
    Object(LocalObj),
    /// The register holds the address of the array's current incarnation.
    Vla(LocalVar),
    /// The register holds the address of the object, which lives as long as the block.
    Scoped(LocalVar),
}

/// What is done when control leaves the rest of a block.
#[derive(Clone, Copy)]
pub(super) enum Ending<'a> {
    /// The object whose address the register holds ends with its block.
    Free(LocalVar),
    /// A variable's cleanup function is called.
    Call(&'a hir::Expr),
}

/// Where `break` or `continue` leads, and how many endings are still to come there.
#[derive(Clone, Copy)]
pub(super) struct JumpTarget {
    pub(super) loc: Loc,
    pub(super) alive: usize,
}

/// A `case` or `default` label met in the body of a `switch`.
pub(super) struct Case {
    /// `None` for `default`.
    pub(super) range: Option<(i128, i128)>,
    pub(super) loc: Loc,
    pub(super) span: Span,
}

/// The hidden first parameter of a function whose result is a record: where it goes.
pub const RESULT_ADDRESS: &str = "%ret";

/// The state of lowering one function.
pub(super) struct Lowerer<'c, 'a> {
    pub(super) cx: &'c mut Context<'a>,
    pub(super) b: FunctionBuilder,
    pub(super) name: Arc<str>,
    pub(super) id: Option<hir::FuncId>,
    pub(super) body: Option<&'a hir::Body>,
    pub(super) facts: Facts,
    /// Divisions of the body that compiled programs carry out, and those of the automaton that come from others.
    pub(super) carried_out: FxHashSet<*const hir::Expr>,
    pub(super) may_be_folded: FxHashSet<ExprId>,
    pub(super) slots: TiVec<hir::LocalId, Slot>,
    pub(super) labels: TiVec<hir::LabelId, Loc>,
    pub(super) breaks: Vec<JumpTarget>,
    pub(super) continues: Vec<JumpTarget>,
    pub(super) switches: Vec<Vec<Case>>,
    /// What the blocks around have still to do when control leaves them, innermost last.
    pub(super) endings: Vec<Ending<'a>>,
    pub(super) ret: TyId,
    /// Where a record result goes.
    pub(super) result_address: Option<LocalVar>,
    /// The caller's variadic arguments.
    pub(super) variadic: Option<LocalVar>,
    /// An object to point to where a variadic call has no variadic arguments.
    pub(super) no_arguments: Option<LocalObj>,
}

/// Lowers a function of the typed program, whether it has a body or not.
pub(super) fn lower<'a>(cx: &mut Context<'a>, id: hir::FuncId) -> Function {
    let function = cx.hir.function(id);
    let name = cx.hir.names.shared(function.name);
    let signature = cx.signature(id);
    let mut this = Lowerer::new(cx, name.clone(), Some(id), signature.ret);
    this.body = function.body.as_ref();
    if function.body.is_some() && !function.is_static && !function.is_library && is_known_to_compilers(&name) {
        this.cx.assume(AssumptionKind::OwnLibrary, name.clone(), function.span);
    }
    let params = this.parameters(&signature, function.span);
    match &function.body {
        _ if function.refusal.is_some() => this.unsupported(function.refusal.unwrap_or_default(), function.span),
        Some(body) => this.function_body(body, &signature, &params),
        None => this.declared_function(id, &signature, &params),
    }
    let ret = match this.cx.class(signature.ret) {
        Class::Scalar(ty) => Some(ty),
        Class::Void | Class::Record => None,
    };
    let hidden = this.result_address.is_some() as u32 + this.variadic.is_some() as u32;
    let may_be_folded = std::mem::take(&mut this.may_be_folded);
    let lowered = this.b.finish(Header {
        name,
        param_count: params.len() as u32 + hidden,
        ret,
        ret_cty: ret.map(|_| signature.ret),
        has_body: function.body.is_some() || function.model.is_some(),
        is_library: function.is_library,
        is_static: function.is_static,
        wrapv: function.wrapv,
        span: function.span,
    });
    let is_own = function.body.is_some() && !function.is_library;
    note_edges_that_divide(cx, &lowered, |division| is_own && !may_be_folded.contains(&division));
    lowered
}

/// Notes of the edges with divisions whether compiled programs carry them all out.
fn note_edges_that_divide(cx: &mut Context, function: &Function, is_carried_out: impl Fn(ExprId) -> bool) {
    for edge in &function.edges {
        let mut all = true;
        let mut divides = false;
        let mut stack: Vec<ExprId> = edge.op.exprs().collect();
        let mut seen = FxHashSet::default();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let kind = function.exprs.kind(id);
            if matches!(kind, ExprKind::Binary(BinOp::Div | BinOp::Rem, ..)) && !function.exprs.ty(id).is_float() {
                divides = true;
                all &= is_carried_out(id);
            }
            stack.extend(kind.operands());
        }
        if divides {
            let known = cx.divisions.entry(edge.span).or_insert(true);
            *known &= all;
        }
    }
}

impl<'c, 'a> Lowerer<'c, 'a> {
    /// Notes whether compiled programs carry out the division that an expression is, if it is one.
    pub(super) fn note_division(&mut self, e: &hir::Expr, value: ExprId) {
        if !self.carried_out.contains(&std::ptr::from_ref(e)) {
            self.may_be_folded.insert(value);
        }
    }

    pub(super) fn new(cx: &'c mut Context<'a>, name: Arc<str>, id: Option<hir::FuncId>, ret: TyId) -> Lowerer<'c, 'a> {
        let mut b = FunctionBuilder::new(cx.target);
        b.globals_are_shared = cx.is_concurrent;
        Lowerer {
            cx,
            b,
            name,
            id,
            body: None,
            facts: Facts::default(),
            carried_out: FxHashSet::default(),
            may_be_folded: FxHashSet::default(),
            slots: TiVec::new(),
            labels: TiVec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            endings: Vec::new(),
            ret,
            result_address: None,
            variadic: None,
            no_arguments: None,
        }
    }

    /// The registers of the parameters, hidden ones around the user's.
    fn parameters(&mut self, signature: &Signature, span: Span) -> Vec<LocalVar> {
        let hidden = |name: &str| LocalVarInfo {
            name: name.into(),
            ty: Ty::Ptr,
            cty: None,
            lifetime: Lifetime::Expression,
            span,
        };
        if self.cx.is_record(signature.ret) {
            self.result_address = Some(self.b.add_var(hidden(RESULT_ADDRESS)));
        }
        let hir = self.cx.hir;
        let mut params = Vec::with_capacity(signature.params.len());
        for (i, &cty) in signature.params.iter().enumerate() {
            let local = self.body.map(|b| b.local(hir::LocalId::from(i)));
            let ty = self.cx.carrier(cty);
            let name = local.and_then(|l| l.name).map(|n| hir.names.shared(n));
            params.push(self.b.add_var(LocalVarInfo {
                name: name.unwrap_or_else(|| format!("%param{i}").into()),
                ty,
                cty: (!self.cx.is_record(cty)).then_some(cty),
                lifetime: Lifetime::Activation,
                span: local.map_or(span, |l| l.span),
            }));
        }
        if signature.variadic {
            self.variadic = Some(self.b.add_var(hidden("%va")));
        }
        params
    }

    fn function_body(&mut self, body: &'a hir::Body, signature: &Signature, params: &[LocalVar]) {
        let kinds = self.local_kinds(body);
        let cx = &*self.cx;
        self.facts = Facts::new(body, kinds.clone(), |e| match e.kind {
            hir::ExprKind::Global(id) => cx.register_type(id).is_some(),
            _ => false,
        });
        self.carried_out = division::carried_out(cx, body, &self.facts);
        let mut lifetimes: TiVec<hir::LocalId, Lifetime> = vec![Lifetime::Block; body.locals.len()].into();
        let outermost = (0..body.param_count).map(hir::LocalId::from).chain(body.block.locals.iter().copied());
        outermost.for_each(|id| lifetimes[id] = Lifetime::Activation);
        for (id, local) in body.locals.iter_enumerated() {
            let i = usize::from(id);
            let promoted = signature.params.get(i).is_some_and(|&p| self.cx.carrier(p) != self.cx.carrier(local.ty.ty));
            let slot = match params.get(i) {
                Some(&var) if kinds[id].is_register && !promoted => Slot::Register(var),
                passed => {
                    // What is passed in a register and lives elsewhere is gone once it is there.
                    if let Some(&var) = passed {
                        self.b.set_lifetime(var, Lifetime::Expression);
                    }
                    let kind = LocalKind { is_scoped: self.facts.scoped[id], ..kinds[id] };
                    self.make_slot(local, kind, lifetimes[id])
                }
            };
            self.slots.push(slot);
        }
        if self.facts.enters_cleanup {
            let message = "a jump into the scope of a variable with a cleanup function is not modelled";
            return self.unsupported(message, body.block.span);
        }
        self.labels = body.labels.iter().map(|_| self.b.new_loc()).collect();
        if self.cx.entry == self.id {
            self.cx.entry_mentions = self.facts.mentioned.raw[..body.param_count].to_vec();
        }
        self.receive_parameters(body, signature, params);
        if let Some(masking @ Masking::Masks) = self.own_masking() {
            self.lay_masking(masking, body.block.span);
        }
        self.havoc_skipped(body);
        self.block(&body.block);
        if self.b.is_reached() {
            self.fall_off_the_end(body.end_span);
        }
    }

    fn local_kinds(&self, body: &hir::Body) -> TiVec<hir::LocalId, LocalKind> {
        let mut kinds: TiVec<hir::LocalId, LocalKind> = body.locals.iter().map(|l| self.local_kind(l)).collect();
        let is_library = self.id.is_some_and(|id| self.cx.hir.function(id).is_library);
        if self.cx.properties.checks.contains(CheckKind::Pointer) && !is_library {
            let hir = self.cx.hir;
            let is_harmless = |id: hir::FuncId| {
                let function = hir.function(id);
                function.body.is_none() && escape::is_harmless_name(hir.names.text(function.name))
            };
            let escaping = escape::escaping(body, &hir.types, &is_harmless);
            for (id, kind) in kinds.iter_mut_enumerated() {
                // Stack allocations are aligned for every type, and no more.
                let is_aligned = body.local(id).align <= 16;
                kind.is_scoped = escaping[id] && is_aligned && !kind.is_register && !kind.is_vla;
            }
            // The outermost block ends with the call, as its objects do in any case.
            let params = (0..body.param_count).map(hir::LocalId::from);
            params.chain(body.block.locals.iter().copied()).for_each(|id| kinds[id].is_scoped = false);
        }
        kinds
    }

    fn local_kind(&self, local: &hir::Local) -> LocalKind {
        let is_vla = self.cx.hir.types.is_vla(local.ty.ty);
        let fits = self.cx.register_class(local.ty.ty).is_some();
        let is_register = fits && !is_vla && !local.address_taken && !local.ty.quals.is_volatile;
        LocalKind { is_register, is_vla, is_scoped: false }
    }

    fn make_slot(&mut self, local: &hir::Local, kind: LocalKind, lifetime: Lifetime) -> Slot {
        let name = match local.name {
            Some(name) => self.cx.hir.names.shared(name),
            None => "%hidden".into(),
        };
        let cty = Some(local.ty.ty);
        if kind.is_vla || kind.is_scoped {
            let var = self.b.add_var(LocalVarInfo {
                name,
                ty: Ty::Ptr,
                cty: None,
                lifetime: Lifetime::Block,
                span: local.span,
            });
            return if kind.is_vla { Slot::Vla(var) } else { Slot::Scoped(var) };
        }
        if let Some(ty) = self.cx.register_class(local.ty.ty).filter(|_| kind.is_register) {
            return Slot::Register(self.b.add_var(LocalVarInfo { name, ty, cty, lifetime, span: local.span }));
        }
        let size = self.cx.size_of(local.ty.ty);
        Slot::Object(self.b.add_object(LocalObjInfo {
            name,
            size,
            align: local.align,
            cty,
            lifetime,
            span: local.span,
        }))
    }

    /// Parameters that live in memory, or in another type than they are passed in, are copied there.
    fn receive_parameters(&mut self, body: &hir::Body, signature: &Signature, params: &[LocalVar]) {
        for (i, &param) in params.iter().enumerate() {
            let id = hir::LocalId::from(i);
            let local = body.local(id);
            let value = self.b.local(param);
            match self.slots[id] {
                Slot::Register(var) if var == param => {}
                Slot::Register(var) => {
                    let value = self.convert(value, signature.params[i], local.ty.ty, true, local.span);
                    self.b.assign(VarRef::Local(var), value, local.span);
                }
                Slot::Object(object) => {
                    let addr = self.b.addr(ObjRef::Local(object));
                    if self.cx.is_record(local.ty.ty) {
                        self.copy_record_anew(addr, value, local.ty.ty, local.span);
                    } else {
                        let value = self.convert(value, signature.params[i], local.ty.ty, true, local.span);
                        if self.b.ty(value).bytes(&self.cx.target) < self.cx.size_of(local.ty.ty) {
                            self.havoc_local(id, InputOrigin::Padding, local.span);
                        }
                        self.store(addr, value, local.span);
                    }
                }
                Slot::Vla(_) | Slot::Scoped(_) => self.cx.broken_promise(local.span, "a parameter is an array"),
            }
        }
    }

    /// Registers that a jump may bring to life start arbitrary.
    fn havoc_skipped(&mut self, body: &hir::Body) {
        for (id, local) in body.locals.iter_enumerated() {
            // What is scoped gets its arbitrary value when its block starts.
            if self.facts.skipped[id] && !self.facts.scoped[id] {
                self.havoc_local(id, InputOrigin::Uninitialised, local.span);
            }
        }
    }

    /// Gives a local the arbitrary value that C leaves it or its padding with.
    pub(super) fn havoc_local(&mut self, id: hir::LocalId, origin: fn(Arc<str>) -> InputOrigin, span: Span) {
        let Some(local) = self.body.map(|b| b.local(id)) else {
            return;
        };
        let name = local.name.map_or_else(|| "%hidden".into(), |n| self.cx.hir.names.shared(n));
        let origin = origin(name);
        match self.slots[id] {
            Slot::Register(var) => self.havoc_var(VarRef::Local(var), origin, Some(local.ty.ty), span),
            Slot::Object(object) => {
                let size = self.cx.size_of(local.ty.ty);
                let addr = self.b.addr(ObjRef::Local(object));
                let size = self.b.size(size);
                self.havoc_typed(addr, size, origin, Some(local.ty.ty), span);
            }
            Slot::Scoped(var) => {
                let size = self.cx.size_of(local.ty.ty);
                let (addr, size) = (self.b.local(var), self.b.size(size));
                self.havoc_region(addr, size, origin, span);
            }
            // Jumping into the scope of a variable-length array is an error in C.
            Slot::Vla(_) => {}
        }
    }

    pub(super) fn havoc_var(&mut self, var: VarRef, origin: InputOrigin, cty: Option<TyId>, span: Span) {
        let ty = match var {
            VarRef::Local(v) => Some(self.b.var_ty(v)),
            VarRef::Global(_) => self.cx.var_ty(var),
        };
        let input = self.cx.add_input(origin, ty, cty, span);
        self.b.emit(Op::Havoc { to: HavocPlace::Var(var), input }, span);
    }

    /// A new input in a temporary.
    pub(super) fn havoc_temp(&mut self, ty: Ty, origin: InputOrigin, cty: Option<TyId>, span: Span) -> ExprId {
        let temp = self.b.temp(ty, span);
        self.havoc_var(VarRef::Local(temp), origin, cty, span);
        self.b.local(temp)
    }

    pub(super) fn havoc_region(&mut self, addr: ExprId, size: ExprId, origin: InputOrigin, span: Span) {
        self.havoc_typed(addr, size, origin, None, span);
    }

    /// Fills a region, which may be a whole object of a type.
    pub(super) fn havoc_typed(
        &mut self,
        addr: ExprId,
        size: ExprId,
        origin: InputOrigin,
        cty: Option<TyId>,
        span: Span,
    ) {
        if self.b.as_const(size).is_some_and(|s| s.is_zero()) {
            return;
        }
        let input = self.cx.add_input(origin, None, cty, span);
        self.b.emit(Op::Havoc { to: HavocPlace::Region { addr, size }, input }, span);
    }

    pub(super) fn return_value(&mut self, mut value: Option<ExprId>, span: Span) {
        if self.endings.iter().any(|ending| matches!(ending, Ending::Call(_))) {
            // The value is computed before cleanup functions are called, which may change what it was computed from.
            value = value.map(|value| self.b.save(value, span));
            self.clean_up(span);
        }
        if self.id.is_some_and(|id| self.cx.hir.function(id).noreturn) {
            // Compilers leave out what would come next.
            return self.unsupported("a function that is declared `noreturn` returns", span);
        }
        if let Some(masking @ Masking::Unmasks) = self.own_masking() {
            value = value.map(|value| self.b.save(value, span));
            self.lay_masking(masking, span);
        }
        let (from, exit) = (self.b.here(), self.b.exit());
        self.b.edge(from, exit, Op::Return(value), span);
        self.b.stop();
    }

    /// The end of the body, or a `return` without a value: C99 gives 0 for `main`, and nothing for others.
    pub(super) fn fall_off_the_end(&mut self, span: Span) {
        match self.cx.class(self.ret) {
            Class::Void => self.return_value(None, span),
            Class::Record => {
                self.havoc_result(InputOrigin::MissingReturn(self.name.clone()), span);
                self.return_value(None, span);
            }
            Class::Scalar(ty) => {
                let value = if &*self.name == "main" && matches!(ty, Ty::Int(_)) {
                    self.b.int(0, ty)
                } else {
                    self.havoc_temp(ty, InputOrigin::MissingReturn(self.name.clone()), Some(self.ret), span)
                };
                self.return_value(Some(value), span);
            }
        }
    }

    pub(super) fn havoc_result(&mut self, origin: InputOrigin, span: Span) {
        if let Some(result) = self.result_address {
            let addr = self.b.local(result);
            let size = self.cx.size_of(self.ret);
            self.havoc_object(addr, size, self.ret, origin, span);
        }
    }

    /// A function without a body does what a direct call of it would do, so that pointers to it can be called.
    fn declared_function(&mut self, id: hir::FuncId, signature: &Signature, params: &[LocalVar]) {
        let function = self.cx.hir.function(id);
        let span = function.span;
        let has_meaning = function.model.is_some() || super::special::find(&self.name).is_some();
        if !has_meaning {
            return self.external_function(function, signature, params);
        }
        let args = params.iter().zip(&signature.params);
        let args: Vec<Arg> = args.map(|(&p, &cty)| Arg { value: self.b.local(p), cty }).collect();
        let forwarded = self.variadic.map(|va| self.b.local(va));
        let value = self.call_function(id, args, forwarded, signature.ret, None, span);
        match (self.cx.class(signature.ret), value) {
            (Class::Scalar(_), Some(value)) => self.return_value(Some(value), span),
            (Class::Record, Some(value)) => {
                self.return_record(value, span);
            }
            (Class::Void, _) => self.return_value(None, span),
            (Class::Scalar(_) | Class::Record, None) => self.fall_off_the_end(span),
        }
    }

    pub(super) fn return_record(&mut self, value: ExprId, span: Span) {
        if let Some(result) = self.result_address {
            let to = self.b.local(result);
            self.copy_record_anew(to, value, self.ret, span);
        }
        self.return_value(None, span);
    }

    pub(super) fn intrinsic(&mut self, which: Intrinsic, args: Vec<ExprId>, to: Option<VarRef>, span: Span) {
        self.b.emit(Op::Call { to, callee: Callee::Intrinsic(which), args }, span);
    }

    /// A run that gets here proves nothing either way, and ends.
    pub(super) fn unsupported(&mut self, message: impl Into<Arc<str>>, span: Span) {
        let check = self.cx.add_check(CheckKind::Unsupported, message.into(), span);
        let cond = self.b.bool(false);
        self.b.emit(Op::Check { cond, check }, span);
        self.b.stop();
    }

    /// A new object of this activation for a value that has no other home.
    pub(super) fn temp_object(&mut self, what: &str, size: u64, align: u64, cty: Option<TyId>, span: Span) -> LocalObj {
        let name = format!("%{what}{}", self.b.object_count()).into();
        self.b.add_object(LocalObjInfo { name, size, align, cty, lifetime: Lifetime::Expression, span })
    }

    pub(super) fn record_object(&mut self, what: &str, cty: TyId, span: Span) -> ExprId {
        let (size, align) = (self.cx.size_of(cty), self.cx.hir.types.align_of(cty));
        let object = self.temp_object(what, size, align, Some(cty), span);
        self.b.addr(ObjRef::Local(object))
    }
}
