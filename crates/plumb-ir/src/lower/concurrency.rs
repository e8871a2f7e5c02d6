//! What programs need in which threads, handlers or tasks run beside each other: the dispatch functions of the models, atomic sections, the tables of
//! handlers, and what masks interrupts.

use super::Context;
use super::asm_text::{self, MaskAccess};
use super::call::Arg;
use super::function::Lowerer;
use super::interrupt_names::{
    HANDLERS, MASK, MASKED, MASKS_ON_ENTRY, PRIMASK, PRIORITIES, SET_PRIMASK, SET_STATUS, STATUS, UNMASK,
};
use crate::expr::{BinOp, ExprId, ExprKind};
use crate::index::TiVec;
use crate::preempt::Preemptor;
use crate::program::{AssumptionKind, Datum, DatumValue, GlobalVar, GlobalVarInfo, ScalarInit};
use crate::ty::Bits;
use plumb_c::diag::Diagnostic;
use plumb_c::hir;
use plumb_c::source::Span;
use plumb_c::types::{IntKind, TyId, TypeTable};

/// Which functions hardware calls, and what keeps it from that.
#[derive(Clone, Debug, Default)]
pub struct InterruptOptions {
    /// Functions with an attribute of handlers are not called.
    pub ignore_attributes: bool,
    /// Further handlers, with their priorities.
    pub handlers: Vec<(String, u8)>,
    /// Functions that mask and unmask interrupts.
    pub masks: Vec<String>,
    pub unmasks: Vec<String>,
}

/// Begin and end an atomic section.
const SECTION: [&str; 2] = ["__plumb_atomic_begin", "__plumb_atomic_end"];

/// Functions and instructions that mask interrupts, and those that unmask them.
const MASKING: [&str; 10] = [
    "cli",
    "__disable_irq",
    "__disable_interrupt",
    "__disable_interrupts",
    "_disable_interrupts",
    "_disable_interrupt",
    "__dint",
    "__builtin_disable_interrupts",
    "cpsid i",
    "cpsid if",
];
const UNMASKING: [&str; 11] = [
    "sei",
    "sti",
    "__enable_irq",
    "__enable_interrupt",
    "__enable_interrupts",
    "_enable_interrupts",
    "_enable_interrupt",
    "__eint",
    "__builtin_enable_interrupts",
    "cpsie i",
    "cpsie if",
];

/// Functions of compilers that give the register which tells whether interrupts are masked, that set it, and that mask in ways of their own.
const READING: [&str; 2] = ["__get_PRIMASK", "__get_interrupt_state"];
const SETTING: [&str; 2] = ["__set_PRIMASK", "__set_interrupt_state"];
const CONTROLLING: [&str; 20] = [
    "__set_BASEPRI",
    "__set_BASEPRI_MAX",
    "__set_FAULTMASK",
    "__set_CONTROL",
    "__set_CPSR",
    "__enable_fault_irq",
    "__disable_fault_irq",
    "__enable_fiq",
    "__disable_fiq",
    "__restore_interrupts",
    "_restore_interrupts",
    "__bis_SR_register",
    "__bic_SR_register",
    "_BIS_SR",
    "_BIC_SR",
    "__bis_SR_register_on_exit",
    "__bic_SR_register_on_exit",
    "__write_status_register",
    "__set_interrupt_mask",
    "__builtin_set_isr_state",
];

/// As many handlers fit into these tables.
const MOST_HANDLERS: usize = 32;

/// Where the status register is in AVR's data memory.
const AVR_STATUS: u64 = 0x5f;

/// What the priority of a handler is of which none is known.
const DEFAULT_PRIORITY: u8 = 1;

/// Whether threads or tasks run beside the code of a program.
pub(super) fn is_concurrent(hir: &hir::Program) -> bool {
    makes_threads(hir) || has_kernel(hir)
}

fn makes_threads(hir: &hir::Program) -> bool {
    hir.mentioned.iter().any(|name| hir.names.text(*name) == "pthread_create")
}

fn has_kernel(hir: &hir::Program) -> bool {
    hir.find_function(Preemptor::Kernel.dispatch()).is_some_and(|id| hir.function(id).body.is_some())
}

impl Context<'_> {
    /// The functions that hardware calls. Those of an OSEK system are in its description.
    pub(super) fn find_handlers(&mut self) {
        let hir = self.hir;
        let options = &self.options.interrupts;
        for (name, priority) in &options.handlers {
            match hir.find_function(name).filter(|id| hir.function(*id).body.is_some()) {
                Some(id) => self.handlers.push((id, *priority)),
                None => self.diags.push(
                    Diagnostic::error(Span::NONE, format!("there is no function `{name}` to handle interrupts"))
                        .help("name a function of the program with --isr"),
                ),
            }
        }
        for (flag, names) in [("--irq-mask", &options.masks), ("--irq-unmask", &options.unmasks)] {
            for name in names.iter().filter(|name| hir.find_function(name).is_none()) {
                self.diags.push(
                    Diagnostic::error(Span::NONE, format!("there is no function `{name}` to mask interrupts with"))
                        .help(format!("name a function that the program defines or declares with {flag}")),
                );
            }
        }
        if !options.ignore_attributes && !has_kernel(hir) {
            for (id, function) in hir.functions.iter_enumerated() {
                let is_known = self.handlers.iter().any(|(known, _)| *known == id);
                if function.interrupt && function.body.is_some() && !function.is_library && !is_known {
                    self.handlers.push((id, DEFAULT_PRIORITY));
                }
            }
        }
        for &(id, _) in &self.handlers {
            let function = hir.function(id);
            if function.body.as_ref().is_some_and(|body| body.param_count > 0) {
                let name = hir.names.text(function.name);
                self.diags.push(
                    Diagnostic::error(function.span, format!("the interrupt handler `{name}` takes parameters"))
                        .help("what hardware passes is not modelled; leave handlers out with --no-interrupts"),
                );
            }
        }
        if self.handlers.len() > MOST_HANDLERS {
            self.diags.push(
                Diagnostic::error(Span::NONE, format!("there are more than {MOST_HANDLERS} interrupt handlers"))
                    .help("leave them out with --no-interrupts and name those that matter with --isr"),
            );
            self.handlers.truncate(MOST_HANDLERS);
        }
        self.is_concurrent |= !self.handlers.is_empty();
        if makes_threads(hir)
            && let Some(own) = hir.globals.iter().find(|global| global.thread_local)
        {
            let name = hir.names.text(own.name);
            self.diags.push(
                Diagnostic::error(own.span, format!("thread-local variables are not supported with threads: `{name}`"))
                    .help("give threads their own data with pthread_setspecific or by their argument"),
            );
        }
    }

    /// Sections are needed wherever others run beside, whether the program names them or not; nobody calls the dispatch function of interrupts.
    pub(super) fn refer_to_dispatch(&mut self) {
        let dispatch = Some(Preemptor::Interrupts.dispatch()).filter(|_| !self.handlers.is_empty());
        if self.is_concurrent {
            for id in SECTION.into_iter().chain(dispatch).filter_map(|name| self.hir.find_function(name)) {
                self.function(id);
            }
        }
    }

    /// Fills in the tables of handlers, and says what is assumed of interrupts.
    pub(super) fn settle_interrupts(&mut self) {
        let hir = self.hir;
        let handlers = std::mem::take(&mut self.handlers);
        for function in hir.functions.iter().filter(|f| f.interrupt && f.body.is_some()) {
            if !handlers.iter().any(|(id, _)| std::ptr::eq(hir.function(*id), function)) {
                self.assume(AssumptionKind::Interrupt, hir.names.shared(function.name), function.span);
            }
        }
        let (mut table, mut priorities) = (Vec::new(), Vec::new());
        let pointer = self.target.pointer_bytes;
        for (number, (id, priority)) in handlers.iter().enumerate() {
            let function = hir.function(*id);
            self.assume(AssumptionKind::InterruptSource, hir.names.shared(function.name), function.span);
            let offset = number as u64 * pointer;
            table.push(Datum { offset, value: DatumValue::Function(self.function(*id)) });
            priorities.push(*priority);
        }
        let priorities = vec![Datum { offset: 0, value: DatumValue::Bytes(priorities.into()) }];
        for (name, init) in [(HANDLERS, table), (PRIORITIES, priorities)] {
            if let Some(object) = self.objects.iter_mut().find(|object| &*object.name == name) {
                object.init = init;
                object.read_only = true;
            }
        }
        set_initial(&mut self.vars, "__plumb_thread_is_numbered", makes_threads(hir) as u8);
        // Small machines start masked and mask on entry. Where nothing unmasks that is known here, they are taken to start unmasked.
        let is_small = self.target.pointer_bytes < 4;
        let is_masked = is_small && self.has_unmasked;
        set_initial(&mut self.vars, MASKS_ON_ENTRY, is_small as u8);
        set_initial(&mut self.vars, MASKED, is_masked as u8);
        set_initial(&mut self.vars, "__plumb_interrupt_handler_count", handlers.len() as u8);
    }
}

fn set_initial(vars: &mut TiVec<GlobalVar, GlobalVarInfo>, name: &str, value: u8) {
    if let Some(var) = vars.iter_mut().find(|var| &*var.name == name) {
        var.init = ScalarInit::Const(Bits::new(value as u128, 8));
    }
}

/// What an instruction or a function does to the mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Masking {
    Masks,
    Unmasks,
}

/// What an instruction of inline assembly does to the mask where there are handlers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MaskEffect {
    Nothing,
    Plain(Masking),
    Access(MaskAccess),
}

impl Lowerer<'_, '_> {
    /// Lays the call that begins or ends a section, where sections mean something.
    pub(super) fn section_end(&mut self, name: &str, span: Span) {
        if self.cx.is_concurrent {
            self.call_model(name, Vec::new(), span);
        }
    }

    pub(super) fn call_model(&mut self, name: &str, args: Vec<Arg>, span: Span) -> Option<ExprId> {
        let id = self.cx.hir.find_function(name)?;
        let result = self.cx.signature(id).ret;
        self.call_function(id, args, None, result, None, span)
    }

    /// What an instruction of assembly does to the interrupt mask. HC12 has the names of AVR the other way round.
    pub(super) fn masking_instruction(&self, instruction: &str) -> Option<Masking> {
        if self.cx.handlers.is_empty() {
            return None;
        }
        match (instruction, self.cx.target.name) {
            ("cli", "hc12") => Some(Masking::Unmasks),
            ("sei", "hc12") => Some(Masking::Masks),
            _ if MASKING.contains(&instruction) => Some(Masking::Masks),
            _ if UNMASKING.contains(&instruction) => Some(Masking::Unmasks),
            _ => None,
        }
    }

    pub(super) fn mask_effect(&self, instruction: &str) -> MaskEffect {
        let access = || asm_text::mask_access(instruction, &self.cx.target);
        match self.masking_instruction(instruction) {
            Some(masking) => MaskEffect::Plain(masking),
            None if self.cx.handlers.is_empty() => MaskEffect::Nothing,
            None => access().map_or(MaskEffect::Nothing, MaskEffect::Access),
        }
    }

    /// The register that tells whether interrupts are masked, as assembly reads it, with its type.
    pub(super) fn read_mask_register(&mut self, span: Span) -> Option<(ExprId, TyId)> {
        let (name, kind) = if self.cx.target.is_avr() { (STATUS, IntKind::UChar) } else { (PRIMASK, IntKind::ULong) };
        Some((self.call_model(name, Vec::new(), span)?, TypeTable::int_id(kind)))
    }

    pub(super) fn write_mask_register(&mut self, value: ExprId, from: TyId, span: Span) {
        let (name, kind) =
            if self.cx.target.is_avr() { (SET_STATUS, IntKind::UChar) } else { (SET_PRIMASK, IntKind::ULong) };
        let cty = TypeTable::int_id(kind);
        let value = self.convert(value, from, cty, true, span);
        self.call_model(name, vec![Arg { value, cty }], span);
    }

    /// What a call of a function does to the mask besides what its body does.
    pub(super) fn masking_function(&self, id: hir::FuncId) -> Option<Masking> {
        if self.cx.handlers.is_empty() {
            return None;
        }
        let function = self.cx.hir.function(id);
        let name = self.cx.hir.names.text(function.name);
        let options = &self.cx.options.interrupts;
        let is_among = |names: &[String]| names.iter().any(|one| one == name);
        match () {
            _ if is_among(&options.masks) => Some(Masking::Masks),
            _ if is_among(&options.unmasks) => Some(Masking::Unmasks),
            _ if function.body.is_none() => self.masking_instruction(name),
            _ => None,
        }
    }

    /// What the function at hand, which has a body, does to the mask besides.
    pub(super) fn own_masking(&self) -> Option<Masking> {
        let id = self.id?;
        self.masking_function(id).filter(|_| self.cx.hir.function(id).body.is_some())
    }

    /// What a function without a body does to the mask where there are handlers.
    pub(super) fn function_mask_effect(&self, id: hir::FuncId) -> MaskEffect {
        let name = self.cx.hir.names.text(self.cx.hir.function(id).name);
        match self.masking_function(id) {
            Some(masking) => MaskEffect::Plain(masking),
            None if self.cx.handlers.is_empty() => MaskEffect::Nothing,
            None if READING.contains(&name) => MaskEffect::Access(MaskAccess::Reads),
            None if SETTING.contains(&name) => MaskEffect::Access(MaskAccess::Sets),
            None if CONTROLLING.contains(&name) => MaskEffect::Access(MaskAccess::Other),
            None => MaskEffect::Nothing,
        }
    }

    pub(super) fn lay_masking(&mut self, masking: Masking, span: Span) {
        let name = match masking {
            Masking::Masks => MASK,
            Masking::Unmasks => {
                self.cx.has_unmasked = true;
                UNMASK
            }
        };
        self.call_model(name, Vec::new(), span);
    }

    /// AVR's status register is where interrupts are masked.
    fn is_status(&self, device: u64) -> bool {
        device == AVR_STATUS && self.cx.target.is_avr() && !self.cx.handlers.is_empty()
    }

    /// Whether a value certainly has the bit that unmasks.
    fn sets_bit_seven(&self, value: ExprId) -> bool {
        match self.b.kind(value) {
            ExprKind::Const(bits) => bits.u64() & 128 != 0,
            ExprKind::Cast(_, inner) => self.sets_bit_seven(inner),
            ExprKind::Binary(BinOp::Or, _, a, b) => self.sets_bit_seven(a) || self.sets_bit_seven(b),
            _ => false,
        }
    }

    pub(super) fn read_status(&mut self, device: u64, span: Span) -> Option<ExprId> {
        if self.is_status(device) { self.call_model(STATUS, Vec::new(), span) } else { None }
    }

    pub(super) fn write_status(&mut self, device: u64, value: ExprId, span: Span) {
        if self.is_status(device) {
            // What puts back a value that was read unmasks nothing of its own.
            self.cx.has_unmasked |= self.sets_bit_seven(value);
            let cty = TypeTable::int_id(IntKind::UChar);
            self.call_model(SET_STATUS, vec![Arg { value, cty }], span);
        }
    }
}
