//! Values the way the user declared them: enumerators by name, truth values, characters, numbers, pointers by what they
//! point to.

use plumb_c::types::{IntKind, TyId, Type};
use plumb_exec::{AddressMap, InputValue, RegionFill};
use plumb_ir::input::InputSite;
use plumb_ir::program::Program;
use plumb_ir::ty::{Bits, FloatFormat, Ty};

/// A value of a C type, or of an IR type where there is none.
pub(super) fn show(bits: Bits, ty: Ty, cty: Option<TyId>, program: &Program, map: Option<&AddressMap>) -> String {
    match ty {
        Ty::Float(FloatFormat::F32) => format!("{:?}", f32::from_bits(bits.u64() as u32)),
        Ty::Float(FloatFormat::F64) => format!("{:?}", f64::from_bits(bits.u64())),
        Ty::Float(FloatFormat::X87) => {
            let value = plumb_ir::fold_float::convert(FloatFormat::X87, FloatFormat::F64, bits);
            format!("{:?}", f64::from_bits(value.u64()))
        }
        Ty::Ptr => pointer(bits.u64(), program, map),
        Ty::Int(width) => integer(bits, width as u32, cty, program),
    }
}

fn integer(bits: Bits, width: u32, cty: Option<TyId>, program: &Program) -> String {
    let table = &program.types.table;
    let kind = cty.and_then(|c| table.int_kind(c));
    let signed = kind.is_none_or(|k| k.is_signed(&program.target)) && width > 1;
    let value = if signed { bits.signed(width) } else { Bits::new(bits.u128(), width).u128() as i128 };
    if let Some(Type::Enum(id)) = cty.map(|c| table.get(c)) {
        let variants = &table.enumeration(*id).variants;
        if let Some((name, _)) = variants.iter().find(|(_, v)| *v == value) {
            return program.types.names.text(*name).to_string();
        }
    }
    match kind {
        Some(IntKind::Bool) => if value == 0 { "false" } else { "true" }.to_string(),
        Some(IntKind::Char) if (0x20..0x7f).contains(&value) => format!("{value} '{}'", value as u8 as char),
        _ => value.to_string(),
    }
}

fn pointer(addr: u64, program: &Program, map: Option<&AddressMap>) -> String {
    if addr == 0 {
        return "null".to_string();
    }
    let Some(map) = map else { return format!("{addr:#x}") };
    if let Some(function) = map.function_at(addr) {
        return program.function(function).name.to_string();
    }
    let objects = program.objects.keys();
    let mut inside = objects.filter(|&o| map.object(o).touches(addr));
    match inside.next() {
        Some(object) => {
            let offset = addr - map.object(object).base;
            let name = &program.object(object).name;
            if offset == 0 { format!("&{name}") } else { format!("&{name} + {offset}") }
        }
        None => format!("{addr:#x}"),
    }
}

/// A pointer that the entry function is given is null or points to an object: one bit says which.
fn is_choice_of_pointer(site: &InputSite, program: &Program) -> bool {
    site.ty == Some(Ty::BOOL) && site.cty.is_some_and(|cty| program.types.table.is_pointer(cty))
}

/// An input as the user would write it.
pub(super) fn input(value: &InputValue, site: &InputSite, program: &Program) -> String {
    match value {
        InputValue::Scalar(bits) if is_choice_of_pointer(site, program) => {
            if bits.is_zero() { "null" } else { "the address of an object" }.to_string()
        }
        InputValue::Scalar(bits) => show(*bits, site.ty.unwrap_or(Ty::Int(64)), site.cty, program, None),
        InputValue::Region(RegionFill::Bytes(bytes)) if bytes.iter().any(|b| *b != 0) => {
            let digits = bytes.iter().take(16).map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ");
            let more = if bytes.len() > 16 { format!(" ... ({} bytes)", bytes.len()) } else { String::new() };
            format!("bytes {digits}{more}")
        }
        InputValue::Region(RegionFill::Sparse(bytes)) if !bytes.is_empty() => {
            format!("zeros but for {} bytes", bytes.len())
        }
        InputValue::Region(RegionFill::Zero | RegionFill::Bytes(_) | RegionFill::Sparse(_)) => "zeros".to_string(),
        InputValue::Region(RegionFill::Pattern(_)) => "random bytes".to_string(),
    }
}
