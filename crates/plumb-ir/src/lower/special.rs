//! Functions that are edges: what their names mean holds only where the program gives them no body.

use super::call::{Arg, Wish};
use super::function::Lowerer;
use super::types::Class;
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, ExprKind, Sign};
use crate::input::InputOrigin;
use crate::program::{AssumptionKind, Extent, Intrinsic, ObjRef, Op, VarRef};
use crate::ty::Ty;
use plumb_c::hir;
use plumb_c::source::Span;
use plumb_c::types::TyId;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    /// An input of the user's: `__VERIFIER_nondet_int()`.
    Nondet,
    /// Arbitrary bytes in memory of the user's.
    NondetMemory,
    /// An input of a library model.
    LibraryNondet,
    Assume,
    /// `__plumb_invariant(number, claim)`, which nobody writes but who checks a witness.
    Invariant,
    /// `__plumb_request()` and `__plumb_response()`: monitors of response properties call them.
    Request,
    Response,
    /// The beginning or end of an atomic section: means something to programs only in which others run beside.
    AtomicSection,
    HeapAlloc,
    StackAlloc,
    Free,
    MemCopy,
    /// Whether so many bytes from two pointers on have one in common, and the pointers differ.
    Overlap,
    MemSet,
    Havoc,
    /// Bytes that a library function chooses.
    Answer,
    Print,
    Exit,
    Abort,
    BytesLeft,
    /// The message is the argument.
    Unsupported,
    Jump,
    Threads,
    Processes,
    Signals,
    /// CBMC's `r_ok`, `w_ok` and `rw_ok`: as many bytes as said, or as the pointer's type has, can be read or written.
    Accessible {
        write: bool,
    },
    SameObject,
    PointerOffset,
    ObjectSize,
    HavocObject,
    /// The functions of `plumb/stack.h`.
    NewStack,
    SwitchStack,
    EndStack,
    CurrentStack,
}

impl Special {
    /// Leaves arbitrary bytes in objects of the program.
    pub(super) fn fills_objects(self) -> bool {
        matches!(self, Special::NondetMemory | Special::HavocObject)
    }
}

/// What a name means.
pub(super) fn find(name: &str) -> Option<Special> {
    if name == "__VERIFIER_nondet_memory" {
        return Some(Special::NondetMemory);
    }
    if name.starts_with("__VERIFIER_nondet_") || name.starts_with("__CPROVER_nondet_") {
        return Some(Special::Nondet);
    }
    if let Some(rest) = name.strip_prefix("__plumb_") {
        return Some(match rest {
            "assume" => Special::Assume,
            "invariant" => Special::Invariant,
            "request" => Special::Request,
            "response" => Special::Response,
            "heap_alloc" | "heap_alloc_aligned" => Special::HeapAlloc,
            "stack_alloc" => Special::StackAlloc,
            "free" => Special::Free,
            "mem_copy" => Special::MemCopy,
            "overlap" => Special::Overlap,
            "mem_set" => Special::MemSet,
            "havoc" => Special::Havoc,
            "answer" => Special::Answer,
            "print" => Special::Print,
            "exit" => Special::Exit,
            "abort" => Special::Abort,
            "bytes_left" => Special::BytesLeft,
            "unsupported" => Special::Unsupported,
            "stack_new" => Special::NewStack,
            "stack_switch" => Special::SwitchStack,
            "stack_end" => Special::EndStack,
            "stack_current" => Special::CurrentStack,
            _ if rest.starts_with("nondet_") => Special::LibraryNondet,
            _ => return None,
        });
    }
    Some(match name {
        "__VERIFIER_assume" | "__CPROVER_assume" => Special::Assume,
        "__CPROVER_r_ok" => Special::Accessible { write: false },
        "__CPROVER_w_ok" | "__CPROVER_rw_ok" => Special::Accessible { write: true },
        "__CPROVER_same_object" => Special::SameObject,
        "__CPROVER_POINTER_OFFSET" => Special::PointerOffset,
        "__CPROVER_OBJECT_SIZE" => Special::ObjectSize,
        "__CPROVER_havoc_object" => Special::HavocObject,
        "__CPROVER_havoc_slice" => Special::NondetMemory,
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => Special::AtomicSection,
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "longjmp" | "_longjmp" | "siglongjmp" => Special::Jump,
        "thrd_create" => Special::Threads,
        "fork" | "vfork" | "clone" => Special::Processes,
        "signal" | "sigaction" | "raise" | "kill" | "alarm" | "setitimer" | "bsd_signal" => Special::Signals,
        _ => return None,
    })
}

impl Lowerer<'_, '_> {
    /// Lays the edges that a special function stands for and returns its result.
    pub(super) fn special(
        &mut self,
        meaning: Special,
        function: &hir::Function,
        args: &[Arg],
        result: TyId,
        wish: Wish,
        span: Span,
    ) -> Option<ExprId> {
        let name = self.cx.hir.names.shared(function.name);
        match (meaning, args) {
            (Special::Nondet, _) if !args.is_empty() || matches!(self.cx.class(result), Class::Void) => {
                self.unsupported(
                    format!("`{name}` is no function of the competition: it takes arguments or returns nothing"),
                    span,
                );
                None
            }
            (Special::Nondet, _) if self.is_in_kernel(span) => {
                self.input(InputOrigin::Schedule(self.name.clone()), result, wish, span)
            }
            (Special::Nondet, _) => self.input(InputOrigin::Nondet(name), result, wish, span),
            (Special::LibraryNondet, _) if &*name == "__plumb_nondet_schedule" => {
                self.input(InputOrigin::Schedule(self.name.clone()), result, wish, span)
            }
            (Special::LibraryNondet, _) => self.input(InputOrigin::Library(self.name.clone()), result, wish, span),
            (Special::NondetMemory, [to, size, ..]) => {
                let (to, size) = (self.pointer(*to), self.size(*size));
                self.havoc_region(to, size, InputOrigin::Nondet(name), span);
                None
            }
            (Special::AtomicSection, _) => None,
            (Special::Assume, [cond, ..]) => {
                let cond = self.b.truth(cond.value);
                self.b.emit(Op::Assume { cond, branch: None }, span);
                None
            }
            (Special::Invariant, [number, claim]) => {
                let number = self.b.as_const(number.value).map_or(0, |bits| bits.u64());
                let cond = self.b.truth(claim.value);
                let check = self.cx.add_check(CheckKind::Invariant, "an invariant does not hold".into(), span);
                self.cx.checks[check].subject = Some(number.to_string().into());
                self.b.emit(Op::Check { cond, check }, span);
                None
            }
            (Special::Request, _) => self.monitored(CheckKind::Request, "a request is never answered", span),
            (Special::Response, _) => self.monitored(CheckKind::Response, "an answer", span),
            (Special::HeapAlloc, [size, rest @ ..]) => {
                self.cx.assume(AssumptionKind::Allocation, self.name.clone(), span);
                let align = rest.first().map(|&align| self.size(align)).unwrap_or_else(|| self.b.size(0));
                self.allocate(Intrinsic::HeapAlloc, *size, Some(align), wish, span)
            }
            (Special::StackAlloc, [size, ..]) => self.allocate(Intrinsic::StackAlloc, *size, None, wish, span),
            (Special::Free, [pointer, ..]) => {
                let pointer = self.pointer(*pointer);
                self.intrinsic(Intrinsic::Free, vec![pointer], None, span);
                None
            }
            (Special::MemCopy, [to, from, size, ..]) => {
                let args = vec![self.pointer(*to), self.pointer(*from), self.size(*size)];
                self.intrinsic(Intrinsic::MemCopy, args, None, span);
                None
            }
            (Special::Overlap, [a, b, size, ..]) => {
                let (a, b) = (self.pointer(*a), self.pointer(*b));
                let size = self.size(*size);
                let same = self.b.same_object(a, b);
                let (a, b) = (self.b.object_offset(a), self.b.object_offset(b));
                let is_near = |this: &mut Self, low: ExprId, high: ExprId| {
                    let distance = this.b.binary(BinOp::Sub, Sign::Plain, high, low);
                    this.b.binary(BinOp::Lt, Sign::Unsigned, distance, size)
                };
                let (above, below) = (is_near(self, a, b), is_near(self, b, a));
                let differ = self.b.binary(BinOp::Ne, Sign::Unsigned, a, b);
                let near = self.b.or(above, below);
                let near = self.b.and(near, differ);
                let overlap = self.b.and(same, near);
                let ty = self.cx.carrier(result);
                Some(self.b.widen_truth(overlap, ty))
            }
            (Special::MemSet, [to, byte, size, ..]) => {
                let byte = self.b.resize(byte.value, Sign::Unsigned, Ty::Int(8));
                let args = vec![self.pointer(*to), byte, self.size(*size)];
                self.intrinsic(Intrinsic::MemSet, args, None, span);
                None
            }
            (Special::Havoc, [to, size, ..]) => {
                let (to, size) = (self.pointer(*to), self.size(*size));
                self.havoc_region(to, size, InputOrigin::FreshMemory, span);
                None
            }
            (Special::Answer, [to, size, ..]) => {
                let (to, size) = (self.pointer(*to), self.size(*size));
                self.havoc_region(to, size, InputOrigin::Library(self.name.clone()), span);
                None
            }
            (Special::Print, [format, list, ..]) => {
                let format = self.pointer(*format);
                let slots = self.slots_of_argument(*list);
                let ty = self.cx.carrier(result);
                let temp = self.b.temp(ty, span);
                self.intrinsic(Intrinsic::Print, vec![format, slots], Some(VarRef::Local(temp)), span);
                Some(self.b.local(temp))
            }
            (Special::Exit, [code, ..]) => {
                self.intrinsic(Intrinsic::Exit, vec![code.value], None, span);
                self.b.stop();
                None
            }
            (Special::Abort, _) => {
                self.intrinsic(Intrinsic::Abort, Vec::new(), None, span);
                self.b.stop();
                None
            }
            (Special::BytesLeft, [pointer, ..]) => {
                let pointer = self.pointer(*pointer);
                let left = self.b.bytes_left(pointer);
                let ty = self.cx.carrier(result);
                Some(self.b.resize(left, Sign::Unsigned, ty))
            }
            (Special::Unsupported, [message, ..]) => {
                let message =
                    self.literal(message.value).unwrap_or_else(|| "something the library does not model".into());
                self.unsupported(message, span);
                None
            }
            (Special::Accessible { write }, [pointer, rest @ ..]) => {
                let size = match (rest, self.cx.hir.types.pointee(pointer.cty).map(|to| to.ty)) {
                    ([size, ..], _) => self.size(*size),
                    ([], Some(to)) if !self.cx.is_void(to) => {
                        let bytes = self.cx.size_of(to);
                        self.b.size(bytes)
                    }
                    ([], _) => {
                        self.unsupported(format!("{name} of a pointer to void needs a size"), span);
                        return None;
                    }
                };
                let pointer = self.pointer(*pointer);
                let holds = self.b.in_bounds(pointer, size, write);
                let ty = self.cx.carrier(result);
                Some(self.b.widen_truth(holds, ty))
            }
            (Special::SameObject, [a, b, ..]) => {
                let (a, b) = (self.pointer(*a), self.pointer(*b));
                let (a, b) = (self.b.reusable(a, span), self.b.reusable(b, span));
                self.require_object(a, true, &name, span);
                self.require_object(b, true, &name, span);
                let (same, equal) = (self.b.same_object(a, b), self.b.binary(BinOp::Eq, Sign::Unsigned, a, b));
                let either = self.b.or(equal, same);
                let ty = self.cx.carrier(result);
                Some(self.b.widen_truth(either, ty))
            }
            (Special::PointerOffset, [pointer, ..]) => {
                let pointer = self.pointer(*pointer);
                let pointer = self.b.reusable(pointer, span);
                self.require_object(pointer, true, &name, span);
                let offset = self.b.object_offset(pointer);
                let ty = self.cx.carrier(result);
                Some(self.b.resize(offset, Sign::Unsigned, ty))
            }
            (Special::ObjectSize, [pointer, ..]) => {
                let pointer = self.pointer(*pointer);
                let pointer = self.b.reusable(pointer, span);
                self.require_object(pointer, false, &name, span);
                let (offset, left) = (self.b.object_offset(pointer), self.b.bytes_left(pointer));
                let whole = self.b.binary(BinOp::Add, Sign::Plain, offset, left);
                let ty = self.cx.carrier(result);
                Some(self.b.resize(whole, Sign::Unsigned, ty))
            }
            (Special::HavocObject, [pointer, ..]) => {
                let pointer = self.pointer(*pointer);
                let pointer = self.b.reusable(pointer, span);
                self.require_object(pointer, false, &name, span);
                self.havoc_objects(pointer, Extent::Object, InputOrigin::ExternalMemory(name), span);
                None
            }
            (Special::NewStack, [start, argument, ..]) => {
                let args = vec![self.pointer(*start), self.pointer(*argument)];
                self.stack_number(Intrinsic::NewStack, args, result, wish, span)
            }
            (Special::CurrentStack, _) => self.stack_number(Intrinsic::CurrentStack, Vec::new(), result, wish, span),
            (Special::SwitchStack, [number, ..]) => {
                let number = self.stack_argument(*number);
                self.intrinsic(Intrinsic::SwitchStack, vec![number], None, span);
                None
            }
            (Special::EndStack, [next, ..]) => {
                let next = self.stack_argument(*next);
                self.intrinsic(Intrinsic::EndStack, vec![next], None, span);
                self.b.stop();
                None
            }
            (Special::Jump, _) => {
                self.unsupported(format!("{name} is not supported"), span);
                None
            }
            (Special::Threads, _) => {
                self.unsupported("threads of <threads.h> are not supported", span);
                None
            }
            (Special::Processes, _) => {
                self.unsupported("processes are not supported", span);
                None
            }
            (Special::Signals, _) => {
                self.unsupported("signals are not supported", span);
                None
            }
            (
                Special::Assume
                | Special::Invariant
                | Special::NondetMemory
                | Special::HeapAlloc
                | Special::StackAlloc
                | Special::Free
                | Special::MemCopy
                | Special::Overlap
                | Special::MemSet
                | Special::Havoc
                | Special::Answer
                | Special::Print
                | Special::Exit
                | Special::BytesLeft
                | Special::Accessible { .. }
                | Special::SameObject
                | Special::PointerOffset
                | Special::ObjectSize
                | Special::HavocObject
                | Special::NewStack
                | Special::SwitchStack
                | Special::EndStack
                | Special::Unsupported,
                _,
            ) => {
                self.unsupported(format!("{name} is called with too few arguments"), span);
                None
            }
        }
    }

    /// What a monitor says: a check that holds, whose kind is what counts.
    fn monitored(&mut self, kind: CheckKind, message: &str, span: Span) -> Option<ExprId> {
        let cond = self.b.bool(true);
        let check = self.cx.add_check(kind, message.into(), span);
        self.b.emit(Op::Check { cond, check }, span);
        None
    }

    /// Whether the place is in a kernel model: what it asks for is which interrupt occurs.
    fn is_in_kernel(&self, span: Span) -> bool {
        self.cx.hir.sources.place(span).is_some_and(|place| crate::preempt::is_model_file(&place.file))
    }

    /// Gives up where a primitive is asked about a pointer into no living object: what CBMC says of these is its own.
    fn require_object(&mut self, pointer: ExprId, or_null: bool, name: &str, span: Span) {
        let mut cond = self.b.is_live(pointer);
        if or_null {
            let null = self.b.null();
            let is_null = self.b.binary(BinOp::Eq, Sign::Unsigned, pointer, null);
            cond = self.b.or(is_null, cond);
        }
        let message = format!("{name} of a pointer into no living object");
        let check = self.cx.add_check(CheckKind::Unsupported, message.into(), span);
        self.b.emit(Op::Check { cond, check }, span);
    }

    fn pointer(&mut self, arg: Arg) -> ExprId {
        self.fit(arg.value, arg.cty, Ty::Ptr)
    }

    fn size(&mut self, arg: Arg) -> ExprId {
        let word = self.b.word();
        self.fit(arg.value, arg.cty, word)
    }

    fn allocate(&mut self, how: Intrinsic, size: Arg, align: Option<ExprId>, wish: Wish, span: Span) -> Option<ExprId> {
        let size = self.size(size);
        let to = match wish {
            Some((var, Ty::Ptr)) => var,
            Some(_) | None => VarRef::Local(self.b.temp(Ty::Ptr, span)),
        };
        self.intrinsic(how, [size].into_iter().chain(align).collect(), Some(to), span);
        Some(self.b.var(to, Ty::Ptr))
    }

    /// The number of a stack, as an `unsigned`.
    fn stack_argument(&mut self, number: Arg) -> ExprId {
        let int = self.int();
        self.fit(number.value, number.cty, int)
    }

    fn int(&self) -> Ty {
        Ty::Int(self.cx.target.int_bytes as u8 * 8)
    }

    /// An intrinsic that gives the number of a stack, in the type that the declaration has.
    fn stack_number(
        &mut self,
        which: Intrinsic,
        args: Vec<ExprId>,
        result: TyId,
        wish: Wish,
        span: Span,
    ) -> Option<ExprId> {
        let int = self.int();
        let Class::Scalar(ty @ Ty::Int(_)) = self.cx.class(result) else {
            self.unsupported("a function of plumb/stack.h is declared with another type", span);
            return None;
        };
        let to = match wish {
            Some((var, wished)) if wished == int => var,
            Some(_) | None => VarRef::Local(self.b.temp(int, span)),
        };
        self.intrinsic(which, args, Some(to), span);
        let number = self.b.var(to, int);
        Some(self.b.resize(number, Sign::Unsigned, ty))
    }

    /// A value from outside, of a C type.
    pub(super) fn input(&mut self, origin: InputOrigin, cty: TyId, wish: Wish, span: Span) -> Option<ExprId> {
        match self.cx.class(cty) {
            Class::Void => None,
            Class::Scalar(ty) => {
                let to = match wish {
                    Some((var, wished)) if wished == ty => var,
                    Some(_) | None => VarRef::Local(self.b.temp(ty, span)),
                };
                self.havoc_var(to, origin, Some(cty), span);
                Some(self.b.var(to, ty))
            }
            Class::Record => {
                let object = self.record_object("input", cty, span);
                let size = self.cx.size_of(cty);
                self.havoc_object(object, size, cty, origin, span);
                Some(object)
            }
        }
    }

    /// The text of a string literal.
    fn literal(&self, value: ExprId) -> Option<Arc<str>> {
        let ExprKind::Addr(ObjRef::Global(object)) = self.b.kind(value) else {
            return None;
        };
        let global = self.cx.hir.global(self.cx.object_globals[object]?);
        let hir::GlobalInit::Data(parts) = &global.init else {
            return None;
        };
        let hir::StaticValue::Bytes(bytes) = &parts.first()?.value else {
            return None;
        };
        let text = bytes.split(|&b| b == 0).next().unwrap_or(bytes);
        Some(String::from_utf8_lossy(text).into())
    }
}
