//! What a machine is seen to hold before and after a call.

use crate::globals::Globals;
use plumb_contract::{Atom, Cell, Contract};
use plumb_exec::Machine;
use plumb_ir::expr::ExprKind;
use plumb_ir::program::{EdgeId, FuncId, Op, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use plumb_term::{BitVec, Value};

/// A call that has returned.
pub struct Observed {
    pub args: Vec<Option<Bits>>,
    pub before: Globals,
    pub after: Globals,
    pub result: Option<Bits>,
}

/// The arguments of a call edge that are registers or constants of the caller.
pub fn arguments(program: &Program, machine: &Machine, at: (FuncId, EdgeId)) -> Vec<Option<Bits>> {
    let function = program.function(at.0);
    let Op::Call { args, .. } = &function.edge(at.1).op else { return Vec::new() };
    let value = |arg| match function.exprs.kind(arg) {
        ExprKind::Const(bits) => Some(bits),
        ExprKind::Var(VarRef::Local(var)) => machine.local(var),
        ExprKind::Var(VarRef::Global(var)) => Some(machine.global(var)),
        _ => None,
    };
    args.iter().map(|&arg| value(arg)).collect()
}

/// What the caller's register for the result holds.
pub fn result(machine: &Machine, to: Option<VarRef>) -> Option<Bits> {
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
        Cell::Global(var) => Some(globals.registers[var.0 as usize]),
        Cell::Object(object, offset) => {
            let Ty::Int(width) = ty else { return None };
            let bytes = &globals.objects[object.0 as usize][offset as usize..][..width as usize / 8];
            let number = bytes.iter().rev().fold(0u128, |number, byte| number << 8 | *byte as u128);
            Some(Bits::new(number, width as u32))
        }
        Cell::Parameter(_) | Cell::Pointee(..) => None,
    }
}

fn value(bits: Bits, ty: Ty) -> Value {
    match ty {
        Ty::Int(1) => Value::Bool(!bits.is_zero()),
        Ty::Int(width) => Value::Bv(BitVec::new(width as u32, bits.u128())),
        Ty::Float(_) | Ty::Ptr => panic!("random contracts are about integers"),
    }
}
