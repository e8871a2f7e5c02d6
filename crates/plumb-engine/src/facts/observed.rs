//! What of a state at a loop head is observed: the quantities that facts there may be about, and their values in a run.

use super::conditions::named_cell;
use super::fact::Quantity;
use super::tuning::TUNING;
use plumb_exec::{Machine, ProbeId};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::expr::ExprId;
use plumb_ir::index::{TiSlice, TiVec};
use plumb_ir::preempt::Preemptor;
use plumb_ir::program::{FuncId, Function, GlobalVar, Loc, ObjRef, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use plumb_sym::StatePart;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The loop heads of the user's functions with what is observed there.
pub struct Observed {
    heads: TiVec<ProbeId, ObservedHead>,
}

pub struct ObservedHead {
    pub key: LoopKey,
    pub loc: Loc,
    pub quantities: Vec<Quantity>,
}

impl Observed {
    pub fn of(analyses: &Analyses) -> Observed {
        let program = analyses.program();
        let written = written(program);
        // Any number of interrupts is a loop of the library about the program's own state.
        let dispatch: Vec<FuncId> = Preemptor::all_of(program).into_iter().map(|(_, dispatch)| dispatch).collect();
        let mut heads = TiVec::new();
        for func in program.function_ids() {
            let function = program.function(func);
            if function.is_library && !dispatch.contains(&func) {
                continue;
            }
            let shape = analyses.shape(func);
            for (id, one) in shape.loops.loops.iter_enumerated() {
                let quantities = quantities(program, function, &shape.live, one.head, &written);
                heads.push(ObservedHead { key: (func, id), loc: one.head, quantities });
            }
        }
        Observed { heads }
    }

    /// All heads. Where their locations are the probes of a run, a head has the number of its probe.
    pub fn heads(&self) -> &TiSlice<ProbeId, ObservedHead> {
        &self.heads
    }

    pub fn at(&self, func: FuncId, loc: Loc) -> Option<&ObservedHead> {
        self.heads.iter().find(|head| (head.key.0, head.loc) == (func, loc))
    }
}

impl ObservedHead {
    /// The values that a run has which is at this head.
    pub fn values(&self, machine: &mut Machine) -> Arc<[u64]> {
        self.quantities.iter().map(|quantity| part_value(machine, *quantity)).collect()
    }
}

/// The value that a quantity has in the state of the machine.
pub fn part_value(machine: &mut Machine, quantity: Quantity) -> u64 {
    let (object, at) = match quantity.part {
        StatePart::Register(VarRef::Global(var)) => return machine.global(var).u64(),
        StatePart::Register(VarRef::Local(var)) => return machine.local(var).unwrap_or(Bits::ZERO).u64(),
        StatePart::Bytes(ObjRef::Global(object), at) => (Some(machine.image().addresses().object(object)), at),
        StatePart::Bytes(ObjRef::Local(object), at) => (machine.local_object(object), at),
        StatePart::Behind { pointer, through, at } => {
            let word = machine.image().program().target.pointer_bytes as usize;
            let mut place = match pointer {
                VarRef::Global(var) => machine.global(var).u64(),
                VarRef::Local(var) => machine.local(var).unwrap_or(Bits::ZERO).u64(),
            };
            if let Some(through) = through {
                place = number_at(machine, place.wrapping_add(through), word);
            }
            return number_at(machine, place.wrapping_add(at), quantity.width as usize / 8);
        }
    };
    object.map_or(0, |object| number_at(machine, object.base + at, quantity.width as usize / 8))
}

/// So many bytes of memory. What is not there reads as zero: the solver is asked about it anyway.
fn number_at(machine: &mut Machine, address: u64, size: usize) -> u64 {
    let mut bytes = [0u8; 8];
    let _ = machine.read_memory(address, &mut bytes[..size]);
    u64::from_le_bytes(bytes)
}

/// What the program may change: registers of its own, and cells of objects that it names.
struct Written {
    registers: BTreeSet<GlobalVar>,
    cells: BTreeSet<Quantity>,
}

fn written(program: &Program) -> Written {
    let mut found = Written { registers: BTreeSet::new(), cells: BTreeSet::new() };
    for func in program.function_ids() {
        let function = program.function(func);
        for edge in &function.edges {
            if let Some(VarRef::Global(var)) = edge.op.written() {
                found.registers.insert(var);
            }
        }
        if !function.is_library {
            let cells = cells(program, function).into_iter();
            found.cells.extend(cells.filter(|q| q.is_static()));
        }
    }
    found
}

/// Numbers in memory that a function loads from constant places of named objects.
fn cells(program: &Program, function: &Function) -> BTreeSet<Quantity> {
    (0..function.exprs.len() as u32).filter_map(|id| named_cell(program, function, ExprId(id))).collect()
}

/// What facts may be about at a head.
fn quantities(program: &Program, function: &Function, live: &Liveness, head: Loc, written: &Written) -> Vec<Quantity> {
    let mut list = Vec::new();
    let mut add = |var: VarRef, ty: Ty| {
        if let Ty::Int(width) = ty
            && width <= 64
        {
            list.push(Quantity { part: StatePart::Register(var), width: width as u32 });
        }
    };
    for (id, info) in function.vars.iter_enumerated() {
        let var = VarRef::Local(id);
        if live.is_live(head, var) {
            add(var, info.ty);
        }
    }
    for (id, info) in program.vars.iter_enumerated() {
        if written.registers.contains(&id) {
            add(VarRef::Global(id), info.ty);
        }
    }
    list.extend(cells(program, function).into_iter().filter(|q| !q.is_static()));
    list.extend(written.cells.iter().copied());
    list.truncate(TUNING.max_quantities);
    list
}
