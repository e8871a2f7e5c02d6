//! Inline assembly: outputs are arbitrary, and nothing else changes, which is listed as assumed. With a `memory` clobber
//! that is so only if every instruction is known to write no object ([`super::asm_text`]); other changes of memory cannot
//! be followed.

use super::asm_text;
use super::cond::branch_targets;
use super::function::Lowerer;
use crate::input::InputOrigin;
use crate::program::{AssumptionKind, BranchKind};
use crate::ty::Ty;
use plumb_c::hir::{self, AsmStmt};
use plumb_c::source::Span;

impl<'a> Lowerer<'_, 'a> {
    pub(super) fn assembly(&mut self, asm: &'a AsmStmt, span: Span) {
        let text = String::from_utf8_lossy(&asm.template);
        let instructions = asm_text::instructions(&text, &self.cx.target);
        let is_empty = instructions.is_empty();
        if !is_empty {
            for input in &asm.inputs {
                self.discard(input);
            }
        }
        if asm.clobbers_memory
            && let Some(unknown) = asm_text::may_write(&instructions)
        {
            let what = format!("inline assembly that may change memory: `{unknown}`");
            return self.unsupported(what, span);
        }
        if asm.outputs.is_empty() && asm.labels.is_empty() && asm_text::has_no_effect(&instructions) {
            for instruction in &instructions {
                if let Some(masking) = self.masking_instruction(instruction) {
                    self.lay_masking(masking, span);
                    continue;
                }
                self.cx.assume(AssumptionKind::Barrier, instruction.as_str().into(), span);
            }
        } else {
            self.cx.assume(AssumptionKind::Assembly, text.trim().into(), span);
        }
        if is_empty {
            self.empty_assembly(asm);
        } else {
            for output in &asm.outputs {
                self.assembly_output(output);
            }
        }
        for label in &asm.labels {
            let jumps = self.havoc_temp(Ty::BOOL, InputOrigin::Assembly, None, span);
            let (there, next) = (self.b.new_loc(), self.b.new_loc());
            let (yes, no) = branch_targets(BranchKind::Goto, there, next);
            self.b.branch(jumps, yes, no, span);
            self.b.at(there);
            self.goto(*label, span);
            self.b.at(next);
        }
    }

    /// An empty template only hides values from the optimiser: an output that shares its register with an input takes the
    /// input's value, and any other is whatever its register held.
    fn empty_assembly(&mut self, asm: &'a AsmStmt) {
        let values: Vec<_> = asm.inputs.iter().map(|input| self.value(input)).collect();
        let saved: Vec<_> = values.iter().zip(&asm.inputs).map(|(&v, input)| self.b.save(v, input.span)).collect();
        for (index, output) in asm.outputs.iter().enumerate() {
            let tied = asm.ties.iter().find(|(o, _)| *o == index).map(|&(_, input)| input);
            let (ty, cty) = (self.cx.register_class(output.ty.ty), output.ty.ty);
            match tied.filter(|&i| ty.is_some() && self.cx.register_class(asm.inputs[i].ty.ty) == ty) {
                Some(input) => {
                    let place = self.place(output);
                    self.write(place, saved[input], cty, output.span);
                }
                None => self.assembly_output(output),
            }
        }
    }

    fn assembly_output(&mut self, output: &'a hir::Expr) {
        let cty = output.ty.ty;
        let place = self.place(output);
        match self.cx.register_class(cty) {
            Some(ty) => {
                let value = self.havoc_temp(ty, InputOrigin::Assembly, Some(cty), output.span);
                self.write(place, value, cty, output.span);
            }
            None => {
                let addr = self.address_of(place, output.span);
                let size = self.cx.size_of(cty);
                let size = self.b.size(size);
                self.havoc_region(addr, size, InputOrigin::Assembly, output.span);
            }
        }
    }
}
