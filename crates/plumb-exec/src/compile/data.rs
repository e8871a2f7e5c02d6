//! The memory and program registers that a program starts with.

use crate::image::{CompileError, Image};
use crate::memory::layout::AddressMap;
use crate::memory::{Memory, Space};
use plumb_ir::program::{DatumValue, Program, ScalarInit};

/// Statics as the program starts with them.
pub(super) fn initial_space(program: &Program, map: &AddressMap) -> Result<Space, CompileError> {
    let mut memory = Memory::new(Space::new(map));
    let pointer_bytes = program.target.pointer_bytes as usize;
    for (id, info) in program.objects.iter_enumerated() {
        let object = map.object(id);
        memory.map(object.base, object.size).map_err(CompileError::Data)?;
        for datum in &info.init {
            let (pointer, bytes): (u64, &[u8]) = match &datum.value {
                DatumValue::Bytes(bytes) => (0, bytes),
                DatumValue::Object(target, offset) => (map.object(*target).base.wrapping_add(*offset as u64), &[]),
                DatumValue::Function(func) => (map.function_address(*func), &[]),
            };
            let pointer = pointer.to_le_bytes();
            let bytes = if let DatumValue::Bytes(_) = datum.value { bytes } else { &pointer[..pointer_bytes] };
            // What lies outside the object is not the object's: lowering never makes such a datum.
            if object.covers(object.base.wrapping_add(datum.offset), bytes.len() as u64)
                && bytes.iter().any(|b| *b != 0)
            {
                memory.store(object.base + datum.offset, bytes).map_err(CompileError::Data)?;
            }
        }
    }
    Ok(memory.snapshot())
}

pub(super) fn initial_globals(program: &Program, image: &mut Image) {
    for var in program.vars.iter() {
        image.global_slots.push(image.globals.len() as u32);
        let mask = var.ty.mask(&program.target);
        let value = mask
            & match var.init {
                ScalarInit::Const(bits) => bits.u128(),
                ScalarInit::Object(object, offset) => image.map.object(object).base.wrapping_add(offset as u64) as u128,
                ScalarInit::Function(func) => image.map.function_address(func) as u128,
            };
        image.globals.push(value as u64);
        if image.is_wide(var.ty) {
            image.globals.push((value >> 64) as u64);
        }
    }
}
