//! Types as C spells them, for diagnostics.

use crate::ast::AddressSpace;
use crate::names::Names;
use crate::types::{ArrayLen, QualTy, Quals, Type, TypeTable};
use std::fmt::Write;

impl TypeTable {
    /// The type as a C type name: `const char *`, `int (*)(long)`, `struct S[4]`.
    pub fn show(&self, ty: impl Into<QualTy>, names: &Names) -> String {
        self.spell(ty.into(), String::new(), names)
    }

    /// Puts the type around a declarator, from the inside out.
    fn spell(&self, ty: QualTy, inner: String, names: &Names) -> String {
        let base = match self.get(ty.ty) {
            Type::Pointer(to) => {
                let quals = qualifiers(ty.quals);
                let gap = if quals.is_empty() || inner.is_empty() { "" } else { " " };
                let pointer = format!("*{}{gap}{inner}", quals.trim_end());
                let inner = match self.get(to.ty) {
                    Type::Array(..) | Type::Function(_) => format!("({pointer})"),
                    _ => pointer,
                };
                return self.spell(*to, inner, names);
            }
            Type::Array(elem, len) => {
                let inner = match len {
                    ArrayLen::Fixed(n) => format!("{inner}[{n}]"),
                    ArrayLen::Unknown => format!("{inner}[]"),
                    ArrayLen::Variable(_) => format!("{inner}[*]"),
                };
                return self.spell(*elem, inner, names);
            }
            Type::Function(f) => {
                let mut params: Vec<String> = f.params.iter().map(|p| self.show(*p, names)).collect();
                if f.variadic {
                    params.push("...".to_string());
                } else if f.unprototyped {
                    params.clear();
                } else if params.is_empty() {
                    params.push("void".to_string());
                }
                return self.spell(f.ret, format!("{inner}({})", params.join(", ")), names);
            }
            Type::Void => "void".to_string(),
            Type::Int(kind) => kind.c_name().to_string(),
            Type::Float(kind) => kind.c_name().to_string(),
            Type::Record(id) => {
                let record = self.record(*id);
                let keyword = if record.is_union { "union" } else { "struct" };
                match record.tag {
                    // Types that the compiler makes have a name but no keyword.
                    Some(tag) if record.span.is_none() => names.text(tag).to_string(),
                    Some(tag) => format!("{keyword} {}", names.text(tag)),
                    None => format!("{keyword} <anonymous>"),
                }
            }
            Type::Enum(id) => match self.enumeration(*id).tag {
                Some(tag) => format!("enum {}", names.text(tag)),
                None => "enum <anonymous>".to_string(),
            },
            Type::Error => "<unknown type>".to_string(),
        };
        let gap = if inner.starts_with('*') || inner.starts_with("(*") { " " } else { "" };
        format!("{}{base}{gap}{inner}", qualifiers(ty.quals))
    }
}

/// Qualifiers, each followed by a space.
fn qualifiers(quals: Quals) -> String {
    let mut text = String::new();
    for (set, word) in [
        (quals.is_const, "const"),
        (quals.is_volatile, "volatile"),
        (quals.is_restrict, "restrict"),
        (quals.is_atomic, "_Atomic"),
        (quals.space == AddressSpace::Flash, "__flash"),
        (quals.space == AddressSpace::Memx, "__memx"),
    ] {
        if set {
            write!(text, "{word} ").expect("writing to a string succeeds");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Target;
    use crate::types::{FnType, IntKind, TypeTable};

    #[test]
    fn declarators_are_spelled_inside_out() {
        let mut table = TypeTable::new(Target::LP64);
        let names = Names::new();
        let is_const = Quals { is_const: true, ..Quals::default() };
        let text = QualTy { ty: TypeTable::int_id(IntKind::Char), quals: is_const };
        let pointer = table.pointer_to(text);
        assert_eq!(table.show(pointer, &names), "const char *");
        assert_eq!(table.show(QualTy { ty: pointer, quals: is_const }, &names), "const char *const");
        let array = table.array_of(pointer, ArrayLen::Fixed(3));
        assert_eq!(table.show(array, &names), "const char *[3]");
        let to_array = table.pointer_to(array);
        assert_eq!(table.show(to_array, &names), "const char *(*)[3]");
        let function = table.intern(Type::Function(FnType {
            ret: TypeTable::INT.into(),
            params: vec![to_array.into()],
            variadic: true,
            unprototyped: false,
        }));
        let to_function = table.pointer_to(function);
        assert_eq!(table.show(to_function, &names), "int (*)(const char *(*)[3], ...)");
        let none = FnType { ret: TypeTable::VOID.into(), params: Vec::new(), variadic: false, unprototyped: false };
        let none = table.intern(Type::Function(none));
        assert_eq!(table.show(none, &names), "void(void)");
    }
}
