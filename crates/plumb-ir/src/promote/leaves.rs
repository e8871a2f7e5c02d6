//! The scalar parts of C types, with the names a user would give them.

use crate::program::CTypes;
use crate::ty::Ty;
use plumb_c::target::Target;
use plumb_c::types::{ArrayLen, TyId, Type};
use std::fmt::Write;

/// A part of an object that is one scalar.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    pub offset: u64,
    pub ty: Ty,
    pub cty: TyId,
    /// What comes behind the object's name: `.field[2]`.
    pub path: String,
}

/// The scalar parts of a type in order of offset. Unions and bit-fields are left out: which scalars they are made of
/// depends on how they are accessed. Gives up (an incomplete list) after `limit` parts.
pub fn parts(types: &CTypes, target: &Target, ty: TyId, limit: usize) -> Vec<Part> {
    let mut walk = Walk { types, target, limit, path: String::new(), found: Vec::new() };
    walk.visit(ty, 0);
    walk.found.sort_by_key(|p| p.offset);
    walk.found
}

struct Walk<'a> {
    types: &'a CTypes,
    target: &'a Target,
    limit: usize,
    path: String,
    found: Vec<Part>,
}

impl Walk<'_> {
    fn visit(&mut self, ty: TyId, offset: u64) {
        if self.found.len() >= self.limit {
            return;
        }
        let table = &self.types.table;
        match table.get(ty) {
            Type::Int(kind) => self.scalar(Ty::Int(kind.bytes(self.target) as u8 * 8), ty, offset),
            Type::Enum(id) => {
                if let Some(kind) = table.enumeration(*id).underlying {
                    self.scalar(Ty::Int(kind.bytes(self.target) as u8 * 8), ty, offset);
                }
            }
            Type::Float(kind) => self.scalar(Ty::Float(kind.format(self.target)), ty, offset),
            Type::Pointer(_) => self.scalar(Ty::Ptr, ty, offset),
            Type::Array(element, ArrayLen::Fixed(len)) => {
                let Some(size) = table.size_of(element.ty).filter(|&size| size > 0) else { return };
                let before = self.path.len();
                for i in 0..*len {
                    if self.found.len() >= self.limit {
                        return;
                    }
                    let _ = write!(self.path, "[{i}]");
                    self.visit(element.ty, offset + i * size);
                    self.path.truncate(before);
                }
            }
            Type::Record(id) => {
                let record = table.record(*id);
                let Some(body) = record.body.as_ref().filter(|_| !record.is_union) else { return };
                for field in &body.fields {
                    if field.bits.is_some() {
                        continue;
                    }
                    let before = self.path.len();
                    if let Some(name) = field.name {
                        let _ = write!(self.path, ".{}", self.types.names.text(name));
                    }
                    self.visit(field.ty.ty, offset + field.offset);
                    self.path.truncate(before);
                }
            }
            Type::Array(_, ArrayLen::Unknown | ArrayLen::Variable(_))
            | Type::Void
            | Type::Function(_)
            | Type::Error => {}
        }
    }

    fn scalar(&mut self, ty: Ty, cty: TyId, offset: u64) {
        self.found.push(Part { offset, ty, cty, path: self.path.clone() });
    }
}
