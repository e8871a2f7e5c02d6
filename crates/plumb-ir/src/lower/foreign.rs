//! Memory from outside: what lies behind pointers that a missing function returned, that an uninitialised variable or fresh memory held, or
//! that were read from such memory.
//!
//! Drivers call hundreds of functions without a body, and go on through the pointers that they return. What is there the
//! program does not say. The model is one more static object, `F`, which stands for all memory that is no object of the program:
//!
//! * it lies at fixed addresses ([`foreign_addresses`]), where no object of a program lies, and is as large as all that may be there;
//! * its content is one input, asked for when the run starts; after that it is memory like any other, which keeps what is written to it;
//! * a pointer leads there exactly if its number is one of these addresses, in both semantics. Nothing in the program
//!   has the address of `F` but numbers from outside.
//!
//! So two reads of one address agree, two pointers from outside may be equal, overlap or lie apart, and an address of the program's own objects
//! that is written there is read back. Bit-fields, floats, copies and library functions need no word of their own. `free` of such memory does
//! nothing: what is done with memory after that is its owner's business.
//!
//! **What is assumed**, and listed: a pointer from outside that is dereferenced leads to `F`; a run in which it does not
//! is not looked at any further. It is not null then, nor an object or a function of the program. With `--strict` there is no such
//! memory, and neither is there where missing functions may change what they are handed (`F` might be theirs, with all that was written to it), where memory is checked, which asks
//! about just these pointers, in programs with threads, and on machines of 16 bits, which have no room for it.
//!
//! **Functions** that are called through a pointer into `F` are missing ones.

use super::Context;
use super::call::{Arg, Wish};
use super::cond::branch_targets;
use super::external::Missing;
use super::function::Lowerer;
use super::types::{Class, Signature};
use crate::expr::{BinOp, ExprId, Sign};
use crate::input::InputOrigin;
use crate::program::{
    AssumptionKind, BranchKind, Callee, FUNCTION_BYTES, GlobalObj, GlobalObjInfo, HavocPlace, ObjRef, Op, VarRef,
    foreign_addresses,
};
use plumb_c::hir;
use plumb_c::source::Span;
use plumb_c::types::{TyId, Type};

/// The competition's function for pointers from outside, and functions that give memory of arbitrary content, in which pointers may be.
const GIVE_POINTERS: [&str; 10] = [
    "__VERIFIER_nondet_pointer",
    "malloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "valloc",
    "alloca",
    "__builtin_alloca",
];

impl Context<'_> {
    /// The object that stands for memory from outside, where pointers from there can be and nobody checks them.
    pub(super) fn new_foreign_memory(&mut self) -> Option<GlobalObj> {
        let hir = self.hir;
        let is_outside = |id: hir::FuncId| {
            let (name, ty) = (hir.function(id).name, hir.function(id).ty);
            let gives_pointers = match hir.types.get(ty) {
                Type::Function(signature) => hir.types.holds_pointers(signature.ret.ty),
                _ => true,
            };
            let is_missing = self.is_missing(id) && gives_pointers;
            hir.mentioned.contains(&name) && (is_missing || GIVE_POINTERS.contains(&hir.names.text(name)))
        };
        let addresses = foreign_addresses(&self.target);
        let is_apart = self.devices.iter().all(|d| d.end <= addresses.start || addresses.end <= d.start);
        let is_needed = self.options.foreign_memory
            && self.options.missing == Missing::Nothing
            && !addresses.is_empty()
            && is_apart
            && !self.is_concurrent
            && hir.functions.keys().any(is_outside);
        if !is_needed {
            return None;
        }
        let name = format!("addresses {:#x} to {:#x}", addresses.start, addresses.end - 1);
        self.assume(AssumptionKind::ForeignMemory, name.into(), Span::NONE);
        let info = GlobalObjInfo {
            name: "__plumb_foreign_memory".into(),
            size: addresses.end - addresses.start,
            align: 4096,
            cty: None,
            init: Vec::new(),
            read_only: false,
            is_volatile: false,
            is_foreign: true,
            span: Span::NONE,
        };
        Some(self.add_object(info, None))
    }
}

impl Lowerer<'_, '_> {
    /// Calls through a pointer.
    pub(super) fn call_pointer(
        &mut self,
        address: ExprId,
        signature: &Signature,
        args: Vec<Arg>,
        result: TyId,
        wish: Wish,
        span: Span,
    ) -> Option<ExprId> {
        let is_scalar = |class: Class| !matches!(class, Class::Record);
        let has_value = is_scalar(self.cx.class(signature.ret)) && is_scalar(self.cx.class(result));
        if self.cx.foreign_memory.is_none() || !has_value {
            return self.emit_call(Callee::Indirect(address), signature, args, None, result, wish, span);
        }
        // What a function has of bytes behind its address are few.
        let address = self.b.reusable(address, span);
        let (left, few) = (self.b.bytes_left(address), self.b.size(FUNCTION_BYTES));
        let is_foreign = self.b.binary(BinOp::Lt, Sign::Unsigned, few, left);
        let (outside, inside, join) = (self.b.new_loc(), self.b.new_loc(), self.b.new_loc());
        let (yes, no) = branch_targets(BranchKind::Conditional, outside, inside);
        self.b.branch(is_foreign, yes, no, span);
        self.b.at(inside);
        let value = self.emit_call(Callee::Indirect(address), signature, args.clone(), None, result, None, span);
        let returned = value.map(|value| {
            let (ty, var) = (self.b.ty(value), VarRef::Local(self.b.temp(self.b.ty(value), span)));
            self.b.assign(var, value, span);
            (var, ty)
        });
        self.b.jump(join, span);
        self.b.at(outside);
        if let Some((var, _)) = returned {
            self.havoc_var(var, InputOrigin::ForeignMemory, Some(result), span);
        }
        self.b.continue_at(join, span);
        returned.map(|(var, ty)| self.b.var(var, ty))
    }

    /// Memory from outside holds anything.
    pub(super) fn havoc_foreign_memory(&mut self, span: Span) {
        let Some(object) = self.cx.foreign_memory else { return };
        let addr = self.b.addr(ObjRef::Global(object));
        let addresses = foreign_addresses(&self.cx.target);
        let size = self.b.size(addresses.end - addresses.start);
        let input = self.cx.add_input(InputOrigin::ForeignMemory, None, None, span);
        self.b.emit(Op::Havoc { to: HavocPlace::Region { addr, size }, input }, span);
    }
}
