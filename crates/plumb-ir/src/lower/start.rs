//! The function that runs the program: what the world prepares, the entry, what follows it.

use super::call::Arg;
use super::function::Lowerer;
use super::types::Class;
use super::{Context, GlobalSlot};
use crate::build::Header;
use crate::expr::{BinOp, ExprId, Sign};
use crate::input::InputOrigin;
use crate::program::{BranchKind, FuncId, Intrinsic, ObjRef, Op, VarRef};
use crate::ty::Ty;
use plumb_c::diag::Diagnostic;
use plumb_c::hir;
use plumb_c::source::Span;
use plumb_c::types::{TyId, TypeTable};
use std::sync::Arc;

pub(super) const NAME: &str = "__plumb_start";

/// The model of program arguments: so many, each of so many bytes with its NUL.
const ARGUMENTS: u64 = 4;
const ARGUMENT_BYTES: u64 = 16;

impl Context<'_> {
    /// Makes the start function; `None` if there is no entry to start.
    pub(super) fn start_function(&mut self) -> Option<FuncId> {
        let entry = self.entry.filter(|&id| self.hir.function(id).body.is_some());
        if entry.is_none() && !self.options.entry_optional {
            let name = &self.options.entry;
            self.diags.push(
                Diagnostic::error(Span::NONE, format!("there is no function '{name}' to start with"))
                    .help("name the function that a run starts with by --entry"),
            );
            return None;
        }
        let span = entry.map_or(Span::NONE, |entry| self.hir.function(entry).span);
        // Only a program that registers functions has any to run.
        let hir = self.hir;
        for &function in hir.constructors.iter().chain(&hir.destructors) {
            self.function(function);
        }
        let registrar = self.hir.find_function("atexit").filter(|_| !hir.destructors.is_empty());
        if let Some(registrar) = registrar {
            self.function(registrar);
        }
        self.lower_pending();
        let atexit = self.hir.names.find("atexit");
        let registers = self
            .function_ids
            .iter_enumerated()
            .any(|(id, known)| known.is_some() && Some(self.hir.function(id).name) == atexit);
        let run_atexit = self.hir.find_function("__plumb_run_atexit").filter(|_| registers);
        if let Some(run) = run_atexit {
            self.function(run);
            self.lower_pending();
        }
        let mut this = Lowerer::new(self, NAME.into(), None, TypeTable::VOID);
        this.havoc_foreign_memory(Span::NONE);
        this.havoc_external_objects();
        this.settle_missing();
        this.startup_code(registrar, span);
        let code = match entry {
            Some(entry) => this.run_entry(entry, span),
            None => Some(this.b.int(0, this.cx.carrier(TypeTable::INT))),
        };
        if let Some(code) = code {
            if let Some(run) = run_atexit {
                this.call_function(run, Vec::new(), None, TypeTable::VOID, None, span);
            }
            this.intrinsic(Intrinsic::Exit, vec![code], None, span);
        }
        let function = this.b.finish(Header {
            name: NAME.into(),
            param_count: 0,
            ret: None,
            ret_cty: None,
            has_body: true,
            is_library: true,
            is_static: true,
            wrapv: false,
            span: Span::NONE,
        });
        Some(self.functions.push_and_get_key(Some(Arc::new(function))))
    }
}

impl Lowerer<'_, '_> {
    /// Registers destructors, the first of which runs last, and calls constructors.
    fn startup_code(&mut self, registrar: Option<hir::FuncId>, span: Span) {
        let hir = self.cx.hir;
        if let Some(registrar) = registrar {
            let cty = self.cx.signature(registrar).params.first().copied();
            for (&function, cty) in hir.destructors.iter().zip(cty.into_iter().cycle()) {
                let function = self.cx.function(function);
                let value = self.b.func_addr(function);
                self.call_function(registrar, vec![Arg { value, cty }], None, TypeTable::VOID, None, span);
            }
        }
        for &function in &hir.constructors {
            self.call_function(function, Vec::new(), None, TypeTable::VOID, None, span);
        }
    }

    fn havoc_external_objects(&mut self) {
        for global in self.cx.external.clone() {
            let info = self.cx.hir.global(global);
            let origin = match info.noinit {
                true => InputOrigin::FreshMemory,
                false => InputOrigin::ExternalObject(self.cx.hir.names.shared(info.name)),
            };
            match self.cx.global(global) {
                GlobalSlot::Register(var, _) => {
                    self.havoc_var(VarRef::Global(var), origin, Some(info.ty.ty), info.span);
                }
                GlobalSlot::Object(object) => {
                    let size = self.cx.objects[object].size;
                    let addr = self.b.addr(ObjRef::Global(object));
                    self.havoc_object(addr, size, info.ty.ty, origin, info.span);
                }
            }
        }
    }

    /// Calls the entry and returns the exit code; `None` if the run cannot get there.
    fn run_entry(&mut self, entry: hir::FuncId, span: Span) -> Option<ExprId> {
        let signature = self.cx.signature(entry);
        let is_main = self.cx.hir.names.text(self.cx.hir.function(entry).name) == "main";
        let args = if is_main {
            self.main_arguments(&signature.params, span)?
        } else {
            self.entry_arguments(entry, &signature.params, span)?
        };
        let result = self.call_function(entry, args, None, signature.ret, None, span);
        let int = self.cx.carrier(TypeTable::INT);
        Some(match (result, self.cx.class(signature.ret)) {
            (Some(value), Class::Scalar(Ty::Int(_))) => self.convert(value, signature.ret, TypeTable::INT, false, span),
            _ => self.b.int(0, int),
        })
    }

    /// `argc` and `argv`, as far as `main` looks at them.
    fn main_arguments(&mut self, params: &[TyId], span: Span) -> Option<Vec<Arg>> {
        let mentioned = |this: &Self, i: usize| this.cx.entry_mentions.get(i).copied().unwrap_or(false);
        let mut args = Vec::new();
        let Some(&argc_cty) = params.first() else {
            return Some(args);
        };
        let Ty::Int(_) = self.cx.carrier(argc_cty) else {
            self.unsupported("main's first parameter is not an integer", span);
            return None;
        };
        let uses_argv = params.len() > 1 && mentioned(self, 1);
        let argc = if uses_argv || mentioned(self, 0) {
            self.argument_count(argc_cty, uses_argv, span)
        } else {
            self.b.int(1, self.cx.carrier(argc_cty))
        };
        args.push(Arg { value: argc, cty: argc_cty });
        if let Some(&cty) = params.get(1) {
            let value = if uses_argv { self.argument_vector(argc, span) } else { self.b.null() };
            args.push(Arg { value, cty });
        }
        for (i, &cty) in params.iter().enumerate().skip(2) {
            if mentioned(self, i) {
                self.unsupported("main reads its environment", span);
                return None;
            }
            let value = self.b.null();
            args.push(Arg { value, cty });
        }
        Some(args)
    }

    /// The program's name, and as many arguments as an input says: not a negative number, and small enough for the
    /// model if the arguments themselves are needed.
    fn argument_count(&mut self, cty: TyId, bounded: bool, span: Span) -> ExprId {
        let ty = self.cx.carrier(cty);
        let extra = self.havoc_temp(ty, InputOrigin::MainArgument, Some(cty), span);
        let one = self.b.int(1, ty);
        let count = self.b.binary(BinOp::Add, Sign::Plain, extra, one);
        let cond = self.b.binary(BinOp::Le, Sign::Signed, one, count);
        self.b.emit(Op::Assume { cond, branch: None }, span);
        if bounded {
            let beyond = self.havoc_temp(Ty::BOOL, InputOrigin::MainArgument, None, span);
            let (outside, inside) = (self.b.new_loc(), self.b.new_loc());
            let (yes, no) = super::cond::branch_targets(BranchKind::If, outside, inside);
            self.b.branch(beyond, yes, no, span);
            self.b.at(outside);
            self.unsupported("more or longer program arguments than modelled", span);
            self.b.at(inside);
            let most = self.b.int(ARGUMENTS as i128, ty);
            let cond = self.b.binary(BinOp::Le, Sign::Signed, count, most);
            self.b.emit(Op::Assume { cond, branch: None }, span);
        }
        count
    }

    /// `argv`: arbitrary strings, then a null pointer at `argv[argc]`.
    fn argument_vector(&mut self, count: ExprId, span: Span) -> ExprId {
        let pointer_bytes = self.cx.target.pointer_bytes;
        let vector = self.temp_object("argv", (ARGUMENTS + 1) * pointer_bytes, pointer_bytes, None, span);
        let vector = self.b.addr(ObjRef::Local(vector));
        let ty = self.b.ty(count);
        for i in 0..=ARGUMENTS {
            let slot = self.b.ptr_offset(vector, i * pointer_bytes);
            let null = self.b.null();
            let value = if i == ARGUMENTS {
                null
            } else {
                let text = self.argument_text(span);
                let number = self.b.int(i as i128, ty);
                let exists = self.b.binary(BinOp::Lt, Sign::Signed, number, count);
                self.b.ite(exists, text, null)
            };
            self.store(slot, value, span);
        }
        vector
    }

    fn argument_text(&mut self, span: Span) -> ExprId {
        let text = self.temp_object("arg", ARGUMENT_BYTES, 1, None, span);
        let text = self.b.addr(ObjRef::Local(text));
        let size = self.b.size(ARGUMENT_BYTES);
        self.havoc_region(text, size, InputOrigin::MainArgument, span);
        let last = self.b.ptr_offset(text, ARGUMENT_BYTES - 1);
        let nul = self.b.int(0, Ty::Int(8));
        self.store(last, nul, span);
        text
    }
}
