//! C types that stand in for the program's: of the same size, alignment and calling convention, without its headers.

use plumb_c::types::{TyId, Type};
use plumb_ir::program::Program;
use plumb_ir::ty::{FloatFormat, Ty};

/// How a value of a type is written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Void,
    Int {
        name: &'static str,
        signed: bool,
        bits: u32,
    },
    Float {
        name: &'static str,
        format: FloatFormat,
    },
    Pointer,
    /// A record of a size, with the members that make the compiler pass it as it passes the program's.
    Record {
        size: u64,
        align: u64,
        members: Vec<String>,
    },
}

impl Shape {
    pub fn of(program: &Program, cty: Option<TyId>, ty: Option<Ty>) -> Shape {
        match (cty, ty) {
            (Some(cty), _) => of_c(program, cty),
            (None, Some(Ty::Int(bits))) => of_width(bits as u32),
            (None, Some(Ty::Float(format))) => Shape::Float {
                name: match format {
                    FloatFormat::F32 => "float",
                    FloatFormat::F64 => "double",
                    FloatFormat::X87 => "long double",
                },
                format,
            },
            (None, Some(Ty::Ptr)) => Shape::Pointer,
            (None, None) => Shape::Void,
        }
    }
}

fn of_width(bits: u32) -> Shape {
    let name = match bits {
        1..=8 => "unsigned char",
        9..=16 => "unsigned short",
        17..=32 => "unsigned int",
        33..=64 => "unsigned long long",
        _ => "unsigned __int128",
    };
    Shape::Int { name, signed: false, bits }
}

fn of_c(program: &Program, cty: TyId) -> Shape {
    let table = &program.types.table;
    let target = &program.target;
    match table.get(cty) {
        Type::Int(_) | Type::Enum(_) => match table.int_kind(cty) {
            Some(kind) => {
                Shape::Int { name: kind.c_name(), signed: kind.is_signed(target), bits: kind.bytes(target) as u32 * 8 }
            }
            None => of_width(target.int_bytes as u32 * 8),
        },
        Type::Float(kind) => Shape::Float { name: kind.c_name(), format: kind.format(target) },
        Type::Pointer(_) => Shape::Pointer,
        Type::Record(_) | Type::Array(..) => {
            let size = table.size_of(cty).unwrap_or(0);
            Shape::Record { size, align: table.align_of(cty).max(1), members: members(program, cty, size) }
        }
        Type::Void | Type::Function(_) | Type::Error => Shape::Void,
    }
}

/// The System V ABI for x86-64 returns records of up to 16 bytes in registers, those eightbytes that are made of floats only
/// in vector registers; everywhere else the bytes do.
fn members(program: &Program, cty: TyId, size: u64) -> Vec<String> {
    let bytes = |i: u64, n: u64| format!("unsigned char b{i}[{n}];");
    if program.target.pointer_bytes != 8 || size > 16 || size == 0 {
        return vec![bytes(0, size)];
    }
    let mut scalars = Vec::new();
    collect(program, cty, 0, &mut scalars);
    let eightbytes = (0..size.div_ceil(8)).map(|i| {
        let inside = |(offset, _): &&(u64, bool)| *offset / 8 == i;
        let length = (size - 8 * i).min(8);
        let mut here = scalars.iter().filter(inside).peekable();
        let floats = here.peek().is_some() && here.all(|(_, is_float)| *is_float);
        match (floats, length) {
            (true, 4) => format!("float f{i};"),
            (true, 8) => format!("double f{i};"),
            _ => bytes(i, length),
        }
    });
    eightbytes.collect()
}

/// Offsets of the scalars of a type, and which are floats that vector registers hold.
fn collect(program: &Program, cty: TyId, offset: u64, found: &mut Vec<(u64, bool)>) {
    let table = &program.types.table;
    match table.get(cty) {
        Type::Record(id) => {
            for field in table.record(*id).body.iter().flat_map(|b| &b.fields) {
                match field.bits {
                    Some(bits) => found.push((offset + field.offset + bits.start as u64 / 8, false)),
                    None => collect(program, field.ty.ty, offset + field.offset, found),
                }
            }
        }
        Type::Array(element, plumb_c::types::ArrayLen::Fixed(len)) => {
            let size = table.size_of(element.ty).unwrap_or(0);
            // Only records of up to 16 bytes are looked at.
            for i in 0..(*len).min(16) {
                collect(program, element.ty, offset + i * size, found);
            }
        }
        Type::Float(kind) => found.push((offset, kind.format(&program.target) != FloatFormat::X87)),
        Type::Int(_) | Type::Enum(_) | Type::Pointer(_) => found.push((offset, false)),
        Type::Void | Type::Array(..) | Type::Function(_) | Type::Error => {}
    }
}
