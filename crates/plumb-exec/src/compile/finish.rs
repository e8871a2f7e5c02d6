//! The end of a function's compilation: registers get their places, labels theirs, branches their step counts; the result
//! is checked and added to the image.

use super::accelerate::accelerate;
use super::{CACHE, FunctionCompiler, KIND, OUT, TEMP, UNPLACED, signature};
use crate::image::{Arm, BoundsCheck, CompileError, EntryPoint, FunctionCode, HavocTarget, SlowOp};
use crate::inst::{Inst, Pair, Slot, Target, Visit};
use plumb_ir::ty::Ty;

impl FunctionCompiler<'_> {
    /// Fixes registers, targets and counts, checks the result and adds it to the image.
    pub(super) fn finish(mut self) -> Result<(), CompileError> {
        let start = self.image.code.len() as u32;
        let counts = self.step_counts();
        let cache = self.var_slots;
        let temps = cache + self.cache_len;
        let outs = temps + self.temp_max;
        let mut resolve = Resolve { cache, temps, outs, start, labels: &self.labels };
        for pc in 0..self.code.len() {
            let inst = &mut self.code[pc];
            inst.visit(&mut resolve);
            let next = counts.get(pc + 1).copied().unwrap_or(0);
            if let Some((to, t, f)) = inst.counts_mut() {
                *t = counts[(to.0 - start) as usize] as u8;
                *f = next as u16;
            }
            match inst {
                Inst::Jump { n, to } => *n = counts[(to.0 - start) as usize] as u16,
                Inst::Tick { n } => *n = next as u16,
                Inst::Call { w, .. } => *w = outs,
                _ => {}
            }
        }
        let mut arm = |arm: &mut Arm| {
            resolve.target(&mut arm.to);
            arm.steps += counts[(arm.to.0 - start) as usize];
        };
        for table in &mut self.image.tables[self.first_table..] {
            table.dense.iter_mut().for_each(&mut arm);
            table.sparse.iter_mut().for_each(|(_, _, a)| arm(a));
            arm(&mut table.default);
        }
        let mut check = self.resolve_tables(cache, temps, outs, start);
        for inst in &self.code {
            let mut copy = *inst;
            copy.visit(&mut check);
        }
        if !check.is_right || !self.code.last().is_some_and(Inst::is_end) {
            return Err(CompileError::Malformed(self.f.name.clone()));
        }
        if !self.options.unaccelerated {
            accelerate(&mut self.code, start, self.image);
        }
        for (pc, inst) in self.code.iter_mut().enumerate() {
            inst.visit(&mut Relative { pc: start + pc as u32 });
        }
        let types = self.f.params().iter().map(|v| v.ty).collect();
        let signature = signature(self.image, self.signatures, types);
        let end = start + self.code.len() as u32;
        self.image.code.append(&mut self.code);
        self.edges.iter_mut().for_each(|(pc, _)| *pc += start);
        let steps = counts.first().copied().unwrap_or(0);
        let window = outs + self.out_max;
        let unit = size_of::<Inst>() as u32;
        self.image.entry_points.push(EntryPoint {
            start: start * unit,
            steps,
            window: window * size_of::<u64>() as u32,
        });
        self.image.functions.push(FunctionCode {
            start,
            end,
            steps,
            window,
            signature,
            ret: self.f.ret,
            layout: self.layout,
            edges: self.edges,
            slots: self.vars,
            coverage: self.image.edge_count,
        });
        self.image.edge_count += self.f.edges.len() as u32;
        Ok(())
    }

    /// Fixes the registers in this function's entries of the tables and returns a check that knows of any out of range.
    fn resolve_tables(&mut self, cache: u32, temps: u32, outs: u32, start: u32) -> BoundsCheck {
        let window = outs + self.out_max;
        let mut check = BoundsCheck { window, start, end: start + self.code.len() as u32, is_right: true };
        let mut resolve = Resolve { cache, temps, outs, start, labels: &[] };
        let target = &self.program.target;
        let mut fix = |slot: &mut Slot, ty: Option<Ty>| {
            resolve.slot(slot);
            match ty {
                Some(ty) if ty.bits(target) > 64 => check.pair(&mut Pair(slot.0)),
                Some(_) | None => check.slot(slot),
            }
        };
        for op in &mut self.image.slow[self.first_slow..] {
            SlowOp::visit(op, &mut fix);
        }
        for site in &mut self.image.havocs[self.first_havoc..] {
            if let Some((_, a, b)) = &mut site.settled {
                fix(a, None);
                fix(b, None);
            }
            match &mut site.target {
                HavocTarget::Slot(slot, ty) => fix(slot, Some(*ty)),
                HavocTarget::Global(..) => {}
                HavocTarget::Region { addr, size } => {
                    fix(addr, None);
                    fix(size, None);
                }
                HavocTarget::Objects { addr, .. } => fix(addr, None),
            }
        }
        for call in &mut self.image.calls[self.first_call..] {
            fix(&mut call.callee, None);
            fix(&mut call.d, call.ret.or(Some(Ty::Int(128))));
            call.window = outs;
        }
        for point in &mut self.image.traces[self.first_trace..] {
            if let Some((addr, value, ty)) = &mut point.stored {
                fix(addr, None);
                fix(value, Some(*ty));
            }
        }
        check
    }

    /// For each instruction, the edges that begin from it on up to the next transfer, that one included.
    fn step_counts(&self) -> Vec<u32> {
        let mut counts = vec![0u32; self.code.len()];
        for (pc, _) in &self.edges {
            if let Some(count) = counts.get_mut(*pc as usize) {
                *count += 1;
            }
        }
        // Stubs finish edges that are counted already.
        for (pc, inst) in self.code.iter().enumerate() {
            if inst.is_stub() {
                counts[pc] = 0;
            }
        }
        for pc in (0..self.code.len().saturating_sub(1)).rev() {
            if !self.code[pc].is_transfer() {
                counts[pc] += counts[pc + 1];
            }
        }
        counts
    }
}

/// Turns kinds of registers into places in the window, and labels into places in the code.
struct Resolve<'a> {
    cache: u32,
    temps: u32,
    outs: u32,
    start: u32,
    labels: &'a [u32],
}

impl Resolve<'_> {
    fn register(&self, register: &mut u32) {
        let base = match *register & KIND {
            CACHE => self.cache,
            TEMP => self.temps,
            OUT => self.outs,
            _ => 0,
        };
        *register = base + (*register & !KIND);
    }
}

impl Visit for Resolve<'_> {
    fn slot(&mut self, slot: &mut Slot) {
        self.register(&mut slot.0);
    }

    fn pair(&mut self, pair: &mut Pair) {
        self.register(&mut pair.0);
    }

    fn target(&mut self, target: &mut Target) {
        // An unplaced label stays out of range, which the check of the finished code refuses.
        let place = self.labels.get(target.0 as usize).copied().unwrap_or(UNPLACED);
        target.0 = self.start.saturating_add(place);
    }
}

/// Turns places in the code into distances from an instruction.
struct Relative {
    pc: u32,
}

impl Visit for Relative {
    fn slot(&mut self, _: &mut Slot) {}

    fn pair(&mut self, _: &mut Pair) {}

    fn target(&mut self, target: &mut Target) {
        target.0 = target.0.wrapping_sub(self.pc).wrapping_mul(size_of::<Inst>() as u32);
    }
}
