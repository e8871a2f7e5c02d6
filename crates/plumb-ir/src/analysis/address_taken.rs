//! Which functions and objects have their address taken, and how the other objects are accessed.
//!
//! An object's address is taken if it is used as a value: stored, passed, compared, offset by something that is not
//! constant. Otherwise every access names the object and a constant offset, and the list of accesses is complete: no
//! pointer to the object exists in any run.

use crate::expr::{ExprId, ExprKind, Exprs};
use crate::index::{TiSlice, TiVec};
use crate::program::{
    Callee, DatumValue, FuncId, Function, GlobalObj, HavocPlace, Intrinsic, LocalObj, ObjRef, Op, Place, Program,
    ScalarInit,
};
use crate::ty::Ty;
use plumb_c::target::Target;

/// How one object is used.
#[derive(Clone, Debug, Default)]
pub struct ObjectUse {
    pub address_taken: bool,
    /// Complete if the address is not taken.
    pub accesses: Vec<Access>,
}

/// An access at a constant offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub offset: i64,
    pub size: u64,
    /// The type of a load or store; `None` for a region that is copied, set or havoced.
    pub ty: Option<Ty>,
    pub writes: bool,
}

#[derive(Clone, Debug)]
pub struct AddressTaken {
    functions: TiVec<FuncId, bool>,
    globals: TiVec<GlobalObj, ObjectUse>,
    locals: TiVec<FuncId, TiVec<LocalObj, ObjectUse>>,
}

impl AddressTaken {
    pub fn of(program: &Program) -> AddressTaken {
        let mut result = AddressTaken {
            functions: vec![false; program.functions.len()].into(),
            globals: vec![ObjectUse::default(); program.objects.len()].into(),
            locals: TiVec::new(),
        };
        for var in program.vars.iter() {
            match var.init {
                ScalarInit::Object(object, _) => result.globals[object].address_taken = true,
                ScalarInit::Function(id) => result.functions[id] = true,
                ScalarInit::Const(_) => {}
            }
        }
        for datum in program.objects.iter().flat_map(|o| &o.init) {
            match datum.value {
                DatumValue::Object(object, _) => result.globals[object].address_taken = true,
                DatumValue::Function(id) => result.functions[id] = true,
                DatumValue::Bytes(_) => {}
            }
        }
        for id in program.function_ids() {
            let function = program.function(id);
            let mut walk = Walk {
                target: &program.target,
                function,
                seen: vec![false; function.exprs.len()].into(),
                functions: &mut result.functions,
                globals: &mut result.globals,
                locals: vec![ObjectUse::default(); function.objects.len()].into(),
            };
            function.edges.iter().for_each(|edge| walk.op(&edge.op));
            let locals = walk.locals;
            result.locals.push(locals);
        }
        result
    }

    pub fn function(&self, id: FuncId) -> bool {
        self.functions[id]
    }

    pub fn global(&self, id: GlobalObj) -> &ObjectUse {
        &self.globals[id]
    }

    pub fn local(&self, function: FuncId, id: LocalObj) -> &ObjectUse {
        &self.locals[function][id]
    }
}

/// The object and offset that an address names outright.
pub fn direct(exprs: &Exprs, addr: ExprId, target: &Target) -> Option<(ObjRef, i64)> {
    match exprs.kind(addr) {
        ExprKind::Addr(object) => Some((object, 0)),
        ExprKind::PtrAdd(base, offset) => {
            let offset = exprs.as_const(offset)?.signed(target.pointer_bits()) as i64;
            let (object, start) = direct(exprs, base, target)?;
            Some((object, start.checked_add(offset)?))
        }
        _ => None,
    }
}

struct Walk<'a> {
    target: &'a Target,
    function: &'a Function,
    seen: TiVec<ExprId, bool>,
    functions: &'a mut TiSlice<FuncId, bool>,
    globals: &'a mut TiSlice<GlobalObj, ObjectUse>,
    locals: TiVec<LocalObj, ObjectUse>,
}

impl Walk<'_> {
    fn object(&mut self, object: ObjRef) -> &mut ObjectUse {
        match object {
            ObjRef::Global(id) => &mut self.globals[id],
            ObjRef::Local(id) => &mut self.locals[id],
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Assign { to: Place::Mem(addr), value } => {
                let ty = self.function.exprs.ty(*value);
                self.access(*addr, ty.bytes(self.target), Some(ty), true);
                self.value(*value);
            }
            Op::Havoc { to: HavocPlace::Region { addr, size }, .. } => self.region(*addr, *size, true),
            Op::Call { callee: Callee::Intrinsic(Intrinsic::MemCopy), args, .. } => match args[..] {
                [to, from, size] => {
                    self.region(to, size, true);
                    self.region(from, size, false);
                }
                _ => args.iter().for_each(|&a| self.value(a)),
            },
            Op::Call { callee: Callee::Intrinsic(Intrinsic::MemSet), args, .. } => match args[..] {
                [to, byte, size] => {
                    self.region(to, size, true);
                    self.value(byte);
                }
                _ => args.iter().for_each(|&a| self.value(a)),
            },
            Op::Assign { to: Place::Var(_), .. }
            | Op::Assume { .. }
            | Op::Check { .. }
            | Op::Havoc { to: HavocPlace::Var(_) | HavocPlace::Objects { .. }, .. }
            | Op::Call { .. }
            | Op::Return(_) => op.exprs().for_each(|e| self.value(e)),
        }
    }

    fn region(&mut self, addr: ExprId, size: ExprId, writes: bool) {
        match self.function.exprs.as_const(size) {
            Some(bytes) => self.access(addr, bytes.u64(), None, writes),
            None => {
                self.value(addr);
                self.value(size);
            }
        }
    }

    fn access(&mut self, addr: ExprId, size: u64, ty: Option<Ty>, writes: bool) {
        match direct(&self.function.exprs, addr, self.target) {
            Some((object, offset)) => self.object(object).accesses.push(Access { offset, size, ty, writes }),
            None => self.value(addr),
        }
    }

    /// The expression's value is used, so an address in it escapes.
    fn value(&mut self, id: ExprId) {
        if std::mem::replace(&mut self.seen[id], true) {
            return;
        }
        match self.function.exprs.kind(id) {
            ExprKind::Load(addr) => {
                let ty = self.function.exprs.ty(id);
                self.access(addr, ty.bytes(self.target), Some(ty), false);
            }
            ExprKind::Addr(object) => self.object(object).address_taken = true,
            ExprKind::FuncAddr(id) => self.functions[id] = true,
            kind => kind.operands().for_each(|operand| self.value(operand)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Loc;
    use crate::sample::{self, Body, I32};

    #[test]
    fn constant_offsets_are_accesses_and_the_rest_takes_addresses() {
        let mut b = Body::new("f", &[], None);
        let (s, t) = (b.object("s", 8), b.object("t", 8));
        let p = b.var("p", Ty::Ptr);
        let (s4, t0, value) = (b.addr(s, 4), b.addr(t, 0), b.int(1));
        let next = b.store(Loc(0), s4, value);
        let end = b.assign(next, p, t0);
        b.ret(end, None);
        let program = sample::program(vec![b.finish()]);
        let taken = AddressTaken::of(&program);
        let s_use = taken.local(FuncId(0), LocalObj(0));
        assert!(!s_use.address_taken);
        assert_eq!(s_use.accesses, [Access { offset: 4, size: 4, ty: Some(I32), writes: true }]);
        assert!(taken.local(FuncId(0), LocalObj(1)).address_taken);
    }
}
