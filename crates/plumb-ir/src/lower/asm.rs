//! Inline assembly: outputs are arbitrary, and nothing else changes, which is listed as assumed. With a `memory` clobber
//! that is so only if every instruction is known to write no object ([`super::asm_text`]); other changes of memory cannot
//! be followed. Where there are interrupt handlers the mask changes too: instructions that mask and unmask, and those that save and restore the mask,
//! have their effect, and others that may change it are not supported.

use super::asm_text::{self, MaskAccess};
use super::concurrency::MaskEffect;
use super::cond::branch_targets;
use super::function::Lowerer;
use crate::expr::ExprId;
use crate::input::InputOrigin;
use crate::program::{AssumptionKind, BranchKind};
use crate::ty::Ty;
use plumb_c::hir::{self, AsmStmt};
use plumb_c::source::Span;
use plumb_c::types::Type;

impl<'a> Lowerer<'_, 'a> {
    pub(super) fn assembly(&mut self, asm: &'a AsmStmt, span: Span) {
        let text = String::from_utf8_lossy(&asm.template);
        let instructions = asm_text::instructions(&text, &self.cx.target);
        let is_empty = instructions.is_empty();
        let sets_mask = |effect: MaskEffect| effect == MaskEffect::Access(MaskAccess::Sets);
        let operand = match &asm.inputs[..] {
            [only] if instructions.iter().any(|one| sets_mask(self.mask_effect(one))) => self.asm_input(only),
            inputs if !is_empty => {
                inputs.iter().for_each(|input| self.discard(input));
                None
            }
            _ => None,
        };
        if asm.clobbers_memory
            && let Some(unknown) = asm_text::may_write(&instructions)
        {
            let what = format!("inline assembly that may change memory: `{unknown}`");
            return self.unsupported(what, span);
        }
        let is_barrier = asm.outputs.is_empty() && asm.labels.is_empty() && asm_text::has_no_effect(&instructions);
        // Data that other instructions move may be what the mask is read into or set from.
        let is_alone = instructions.iter().all(|one| {
            self.mask_effect(one) != MaskEffect::Nothing || asm_text::has_no_effect(std::slice::from_ref(one))
        });
        let is_straight = instructions.iter().all(|one| {
            self.mask_effect(one) != MaskEffect::Nothing || asm_text::may_write(std::slice::from_ref(one)).is_none()
        });
        let mut mask_register = None;
        for instruction in &instructions {
            match self.mask_effect(instruction) {
                // What else is there may jump over it.
                MaskEffect::Plain(masking) if is_straight => self.lay_masking(masking, span),
                MaskEffect::Plain(_) => return self.unmodelled_mask(instruction, span),
                MaskEffect::Access(MaskAccess::Reads) if is_alone && asm.outputs.len() == 1 => {
                    mask_register = self.read_mask_register(span).map(|(value, cty)| (self.b.save(value, span), cty));
                }
                // An output that is not the register's value is arbitrary.
                MaskEffect::Access(MaskAccess::Reads) => {}
                MaskEffect::Access(MaskAccess::Sets) if is_alone && asm.outputs.is_empty() => match operand {
                    Some(value) => self.write_mask_register(value, asm.inputs[0].ty.ty, span),
                    None => return self.unmodelled_mask(instruction, span),
                },
                MaskEffect::Access(MaskAccess::Sets | MaskAccess::Other) => {
                    return self.unmodelled_mask(instruction, span);
                }
                MaskEffect::Nothing if is_barrier => {
                    self.cx.assume(AssumptionKind::Barrier, instruction.as_str().into(), span);
                }
                MaskEffect::Nothing => {}
            }
        }
        if !is_barrier {
            self.cx.assume(AssumptionKind::Assembly, text.trim().into(), span);
        }
        match (&asm.outputs[..], mask_register) {
            _ if is_empty => self.empty_assembly(asm),
            // Of a wider output on AVR one register is written.
            ([output], Some((value, cty)))
                if self.cx.register_class(output.ty.ty).is_some()
                    && (!self.cx.target.is_avr() || self.cx.size_of(output.ty.ty) == 1) =>
            {
                let value = self.convert(value, cty, output.ty.ty, true, span);
                let place = self.place(output);
                self.write(place, value, output.ty.ty, output.span);
            }
            (outputs, _) => outputs.iter().for_each(|output| self.assembly_output(output)),
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

    /// The value of an input, if it is a number.
    fn asm_input(&mut self, input: &'a hir::Expr) -> Option<ExprId> {
        let is_number = matches!(self.cx.hir.types.get(input.ty.ty), Type::Int(_) | Type::Enum(_));
        if !is_number {
            self.discard(input);
            return None;
        }
        let value = self.value(input);
        Some(self.b.save(value, input.span))
    }

    fn unmodelled_mask(&mut self, instruction: &str, span: Span) {
        self.unsupported(
            format!("inline assembly that masks or unmasks interrupts in its own way: `{instruction}`"),
            span,
        );
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
