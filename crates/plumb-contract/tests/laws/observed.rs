//! What a machine is seen to hold before and after a call.

use crate::globals::Globals;
use plumb_contract::{Atom, Cell, Contract};
use plumb_exec::Machine;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::program::{EdgeId, FuncId, Function, ObjRef, Op, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use plumb_term::{BitVec, Value};

/// A call that has begun.
pub struct Begun {
    args: Vec<Option<Bits>>,
    before: Globals,
    /// By argument, the object that it points into.
    behind: Vec<Option<Vec<u8>>>,
}

/// A call that has returned.
pub struct Observed {
    pub args: Vec<Option<Bits>>,
    pub before: Globals,
    pub after: Globals,
    pub result: Option<Bits>,
    /// By argument, the object that it points into.
    pub behind: Vec<Option<Behind>>,
}

/// The object that an argument points into.
pub struct Behind {
    /// So many bytes behind its start.
    at: u64,
    before: Vec<u8>,
    pub after: Vec<u8>,
}

/// What a machine holds where it is about to call.
pub fn begin(program: &Program, machine: &mut Machine, at: (FuncId, EdgeId)) -> Begun {
    let args = arguments(program, machine, at);
    let behind = args.iter().map(|arg| Some(content(machine, arg.as_ref()?.u64())?.1)).collect();
    Begun { args, before: Globals::of(program, machine), behind }
}

/// What the call has done, where it has returned.
pub fn end(program: &Program, machine: &mut Machine, begun: Begun, to: Option<VarRef>) -> Observed {
    let Begun { args, before, behind } = begun;
    let behind = args.iter().zip(behind).map(|(arg, before)| {
        let (at, after) = content(machine, arg.as_ref()?.u64())?;
        Some(Behind { at, before: before?, after })
    });
    let behind = behind.collect();
    Observed { args, before, after: Globals::of(program, machine), result: result(machine, to), behind }
}

/// The bytes of the object that an address lies in, and where.
fn content(machine: &mut Machine, address: u64) -> Option<(u64, Vec<u8>)> {
    let object = machine.object_at(address)?;
    let mut bytes = vec![0; object.size as usize];
    machine.read_memory(object.base, &mut bytes).ok()?;
    Some((address - object.base, bytes))
}

/// The arguments of a call edge that are registers, constants or addresses in objects of the caller.
fn arguments(program: &Program, machine: &Machine, at: (FuncId, EdgeId)) -> Vec<Option<Bits>> {
    let function = program.function(at.0);
    let Op::Call { args, .. } = &function.edge(at.1).op else { return Vec::new() };
    args.iter().map(|&arg| argument(program, machine, function, arg)).collect()
}

fn argument(program: &Program, machine: &Machine, function: &Function, arg: ExprId) -> Option<Bits> {
    let width = program.target.pointer_bits();
    match function.exprs.kind(arg) {
        ExprKind::Const(bits) => Some(bits),
        ExprKind::Var(VarRef::Local(var)) => machine.local(var),
        ExprKind::Var(VarRef::Global(var)) => Some(machine.global(var)),
        ExprKind::Addr(ObjRef::Local(object)) => Some(Bits::new(machine.local_object(object)?.base as u128, width)),
        ExprKind::Addr(ObjRef::Global(object)) => {
            Some(Bits::new(machine.image().addresses().object(object).base as u128, width))
        }
        ExprKind::PtrAdd(base, offset) => {
            let base = argument(program, machine, function, base)?.u64();
            Some(Bits::new(base.wrapping_add(function.exprs.as_const(offset)?.u64()) as u128, width))
        }
        _ => None,
    }
}

/// What the caller's register for the result holds.
fn result(machine: &Machine, to: Option<VarRef>) -> Option<Bits> {
    match to? {
        VarRef::Global(var) => Some(machine.global(var)),
        VarRef::Local(var) => machine.local(var),
    }
}

impl Observed {
    /// The case of the contract that the call breaks; `Err` if something that it speaks of was not seen.
    pub fn broken_case(&self, contract: &Contract) -> Result<Option<usize>, ()> {
        let mut values = Vec::new();
        for symbol in &contract.symbols {
            let bits = match symbol.atom {
                Atom::Result => self.result,
                Atom::Entry(Cell::Parameter(var)) => self.args.get(var.0 as usize).copied().flatten(),
                Atom::Entry(Cell::Pointee(var, offset)) | Atom::Exit(Cell::Pointee(var, offset)) => {
                    let is_entry = matches!(symbol.atom, Atom::Entry(_));
                    self.behind.get(var.0 as usize).and_then(|behind| {
                        let Behind { at, before, after } = behind.as_ref()?;
                        number(if is_entry { before } else { after }, at + offset, symbol.ty)
                    })
                }
                Atom::Entry(cell) => of(&self.before, cell, symbol.ty),
                Atom::Exit(cell) => of(&self.after, cell, symbol.ty),
            };
            values.push((symbol.atom, value(bits.ok_or(())?, symbol.ty)));
        }
        let find = |atom: Atom| values.iter().find(|(known, _)| *known == atom).map(|(_, value)| value.clone());
        Ok(contract.broken_case(find))
    }
}

fn of(globals: &Globals, cell: Cell, ty: Ty) -> Option<Bits> {
    match cell {
        Cell::Global(var) => Some(globals.registers[var]),
        Cell::Object(object, offset) => number(&globals.objects[object], offset, ty),
        Cell::Parameter(_) | Cell::Pointee(..) => None,
    }
}

fn number(bytes: &[u8], offset: u64, ty: Ty) -> Option<Bits> {
    let Ty::Int(width) = ty else { return None };
    let bytes = bytes.get(offset as usize..)?.get(..width as usize / 8)?;
    let number = bytes.iter().rev().fold(0u128, |number, byte| number << 8 | *byte as u128);
    Some(Bits::new(number, width as u32))
}

fn value(bits: Bits, ty: Ty) -> Value {
    match ty {
        Ty::Int(1) => Value::Bool(!bits.is_zero()),
        Ty::Int(width) => Value::Bv(BitVec::new(width as u32, bits.u128())),
        Ty::Float(_) | Ty::Ptr => panic!("random contracts are about integers"),
    }
}
