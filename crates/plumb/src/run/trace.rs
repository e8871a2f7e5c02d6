//! `--trace`: every edge of the user's functions on standard error, with the value that it changed.

use plumb_exec::{Machine, TraceEvent, TracePhase};
use plumb_ir::print::{LocalNames, Printer};
use plumb_ir::program::{FuncId, HavocPlace, Op, Place, Program, VarRef};
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use rustc_hash::FxHashMap;
use std::io::Write;
use std::sync::Arc;

pub struct Trace {
    program: Arc<Program>,
    names: FxHashMap<FuncId, LocalNames>,
}

impl Trace {
    pub fn new(program: Arc<Program>) -> Trace {
        Trace { program, names: FxHashMap::default() }
    }

    pub fn event(&mut self, event: TraceEvent<'_>) {
        let function = self.program.function(event.func);
        if function.is_library {
            return;
        }
        let names = self.names.entry(event.func).or_insert_with(|| LocalNames::new(function));
        let edge = function.edge(event.edge);
        let is_call = matches!(edge.op, Op::Call { .. });
        let text = Printer { program: &self.program, function, names }.op(&edge.op);
        let changed = match (&edge.op, event.phase) {
            (Op::Call { .. }, TracePhase::Call) => String::new(),
            (Op::Assign { to: Place::Var(var), .. }, _)
            | (Op::Havoc { to: HavocPlace::Var(var), .. }, _)
            | (Op::Call { to: Some(var), .. }, _) => self.value(event.machine, function, *var),
            (Op::Assign { to: Place::Mem(_), .. }, _) => match event.stored {
                Some((addr, bits, ty)) => format!("   [{addr:#x}] = {}", self.number(bits, ty)),
                None => String::new(),
            },
            _ => String::new(),
        };
        if is_call && event.phase == TracePhase::Done && changed.is_empty() {
            return;
        }
        let place = match self.program.sources.place(edge.span) {
            Some(place) => format!("{}:{}", place.file, place.line),
            None => "-".to_string(),
        };
        // A reader who has seen enough is no error.
        let _ = writeln!(std::io::stderr().lock(), "{place}  {}: {text}{changed}", function.name);
    }

    fn value(&self, machine: &Machine, function: &plumb_ir::program::Function, var: VarRef) -> String {
        let (bits, ty) = match var {
            VarRef::Global(var) => (Some(machine.global(var)), self.program.var(var).ty),
            VarRef::Local(var) => (machine.local(var), function.var(var).ty),
        };
        bits.map_or(String::new(), |bits| format!("   = {}", self.number(bits, ty)))
    }

    fn number(&self, bits: Bits, ty: Ty) -> String {
        match ty {
            Ty::Int(_) => bits.signed(ty.bits(&self.program.target)).to_string(),
            Ty::Float(FloatFormat::F32) => f32::from_bits(bits.u64() as u32).to_string(),
            Ty::Float(FloatFormat::F64) => f64::from_bits(bits.u64()).to_string(),
            Ty::Float(FloatFormat::X87) | Ty::Ptr => format!("{:#x}", bits.u128()),
        }
    }
}
