//! The names of `library/interrupt.c` that lowering and the preemption pass refer to.

pub const MASK: &str = "__plumb_interrupt_mask";
pub const UNMASK: &str = "__plumb_interrupt_unmask";
pub const STATUS: &str = "__plumb_interrupt_status";
pub const SET_STATUS: &str = "__plumb_interrupt_set_status";
pub const PRIMASK: &str = "__plumb_interrupt_primask";
pub const SET_PRIMASK: &str = "__plumb_interrupt_set_primask";
/// Runs the handler of a source.
pub const RUN: &str = "__plumb_interrupt_run";
pub const HANDLERS: &str = "__plumb_interrupt_handlers";
pub const PRIORITIES: &str = "__plumb_interrupt_priorities";
pub const MASKED: &str = "__plumb_interrupt_masked";
pub const MASKS_ON_ENTRY: &str = "__plumb_interrupt_masks_on_entry";
