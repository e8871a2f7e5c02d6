//! The call of an entry function that is not `main`, with the arguments of the recorded run.

use super::answers::{Answer, Answers, bytes_of};
use super::emit::{bytes, initialiser, literal};
use super::types::Shape;
use plumb_exec::InputValue;
use plumb_ir::input::InputSite;
use plumb_ir::program::Program;
use plumb_ir::ty::{Bits, Ty};
use std::fmt::Write;

/// An argument that C text can give.
enum Passed<'a> {
    Scalar(&'a InputSite, Bits),
    Null,
    /// The address of an object that is made for it.
    Object {
        size: u64,
        align: u64,
        content: Vec<u8>,
    },
}

/// The arguments in order; `None` if one of them is a structure or leads to other pointers.
fn passed<'a>(program: &'a Program, answers: &Answers) -> Option<Vec<Passed<'a>>> {
    let types = &program.types.table;
    let mut list = Vec::new();
    let mut recorded = answers.arguments.iter();
    while let Some((id, value)) = recorded.next() {
        let site = program.input(*id);
        let InputValue::Scalar(bits) = value else { return None };
        let pointee = site.cty.and_then(|cty| types.pointee(cty)).filter(|_| site.ty == Some(Ty::BOOL));
        let Some(pointee) = pointee else {
            let shape = Shape::of(program, site.cty, site.ty);
            if site.part.is_some() || !matches!(shape, Shape::Int { .. } | Shape::Float { .. }) {
                return None;
            }
            list.push(Passed::Scalar(site, *bits));
            continue;
        };
        // What cannot be pointed to is null in every run that is recorded.
        let Some(size) = types.size_of(pointee.ty).filter(|size| *size > 0) else {
            list.push(Passed::Null);
            continue;
        };
        let (content, value) = recorded.next()?;
        let content = program.input(*content);
        if types.holds_pointers(pointee.ty) || content.part.is_some() || content.cty != Some(pointee.ty) {
            return None;
        }
        list.push(match bits.is_zero() {
            true => Passed::Null,
            false => {
                let align = types.align_of(pointee.ty);
                Passed::Object { size, align, content: bytes_of(value, content, program) }
            }
        });
    }
    Some(list)
}

/// Defines a `main` that calls the entry function.
pub(super) fn call(out: &mut String, program: &Program, entry: &str, answers: &Answers) {
    let (mut types, mut values) = (Vec::new(), Vec::new());
    for (i, argument) in passed(program, answers).unwrap_or_default().into_iter().enumerate() {
        match argument {
            Passed::Scalar(site, bits) => {
                let (ty, value) = scalar(out, program, i, site, bits);
                types.push(ty);
                values.push(value);
            }
            Passed::Null => {
                types.push("void *".to_string());
                values.push("(void *)0".to_string());
            }
            Passed::Object { size, align, content } => {
                types.push("void *".to_string());
                let _ = writeln!(
                    out,
                    "static unsigned char plumb_object_{i}[{size}] __attribute__((aligned({align}))) = {};",
                    initialiser(&content)
                );
                values.push(format!("plumb_object_{i}"));
            }
        }
    }
    let types = if types.is_empty() { "void".to_string() } else { types.join(", ") };
    let _ = write!(
        out,
        "extern int {entry}({types});\n\nint PLUMB_QUIET main(void)\n{{\n    {entry}({});\n    return 0;\n}}\n",
        values.join(", ")
    );
}

/// The type of an argument and its value.
fn scalar(out: &mut String, program: &Program, i: usize, site: &InputSite, bits: Bits) -> (String, String) {
    let shape = Shape::of(program, site.cty, site.ty);
    let name = match &shape {
        Shape::Int { name, .. } | Shape::Float { name, .. } => *name,
        Shape::Void | Shape::Pointer | Shape::Record { .. } => "int",
    };
    let answer = Answer::Scalar(bits);
    let value = literal(&answer, &shape).unwrap_or_else(|| {
        // NaNs and 128 bits have no literal.
        let size = site.ty.map_or(16, |ty| ty.bytes(&program.target)).min(16) as usize;
        let _ = writeln!(
            out,
            "static const union {{ unsigned char bytes[{size}]; {name} value; }} plumb_argument_{i} = {{ {} }};",
            bytes(&answer, size)
        );
        format!("plumb_argument_{i}.value")
    });
    (name.to_string(), value)
}

/// Why the harness cannot call the entry function as the recorded run does.
pub(super) fn cannot_call(program: &Program, answers: &Answers) -> Option<String> {
    let function = program.function(program.entry?);
    if &*function.name == "main" {
        return None;
    }
    let can = passed(program, answers).is_some_and(|list| list.len() == function.param_count as usize);
    (!can).then(|| {
        format!(
            "the harness cannot pass structures, or pointers to what holds pointers, to or from `{}`",
            function.name
        )
    })
}
