//! The variables that a story tells of: the user's globals, and the locals of the function that holds the main loop.

use super::value::show;
use plumb_c::source::Span;
use plumb_c::types::TyId;
use plumb_exec::Machine;
use plumb_ir::program::{FuncId, GlobalObj, GlobalVar, LocalObj, LocalVar, Program};
use plumb_ir::promote::parts;
use plumb_ir::ty::{Bits, Ty};

/// Parts of one object beyond these are not watched.
const MAX_PARTS: usize = 256;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    Global(GlobalVar),
    Local(LocalVar),
    Static(GlobalObj, u64),
    Stack(LocalObj, u64),
}

/// A scalar of the user's.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    ty: Ty,
    cty: Option<TyId>,
    home: Home,
}

pub(super) struct Watch {
    pub variables: Vec<Variable>,
    /// The function whose locals are among them.
    function: Option<FuncId>,
}

impl Watch {
    /// The globals, and the locals of a function.
    pub fn new(program: &Program, function: Option<FuncId>) -> Watch {
        let mut variables = Vec::new();
        for (id, var) in program.vars.iter_enumerated() {
            if is_users(program, &var.name, var.span) {
                let home = Home::Global(id);
                variables.push(Variable { name: var.name.to_string(), ty: var.ty, cty: var.cty, home });
            }
        }
        for (id, object) in program.objects.iter_enumerated() {
            if is_users(program, &object.name, object.span) && !object.read_only {
                let home = |offset| Home::Static(id, offset);
                add_parts(program, &object.name, object.cty, home, &mut variables);
            }
        }
        if let Some(id) = function {
            let function = program.function(id);
            for (id, var) in function.vars.iter_enumerated() {
                if is_users(program, &var.name, var.span) {
                    let home = Home::Local(id);
                    variables.push(Variable { name: var.name.to_string(), ty: var.ty, cty: var.cty, home });
                }
            }
            for (id, object) in function.objects.iter_enumerated() {
                if is_users(program, &object.name, object.span) {
                    let home = |offset| Home::Stack(id, offset);
                    add_parts(program, &object.name, object.cty, home, &mut variables);
                }
            }
        }
        Watch { variables, function }
    }

    /// The present values; `None` for locals while another function runs.
    pub fn values(&self, machine: &mut Machine) -> Vec<Option<Bits>> {
        let is_inside = self.function.is_some_and(|f| machine.position().0 == f);
        let image = machine.image().clone();
        let target = &image.program().target;
        let read = |machine: &mut Machine, addr: u64, ty: Ty| {
            let mut bytes = [0; 16];
            let size = ty.bytes(target) as usize;
            machine.read_memory(addr, &mut bytes[..size]).ok()?;
            Some(Bits::new(u128::from_le_bytes(bytes), ty.bits(target)))
        };
        let value = |variable: &Variable| match variable.home {
            Home::Global(var) => Some(machine.global(var)),
            Home::Local(var) => is_inside.then(|| machine.local(var)).flatten(),
            Home::Static(object, offset) => {
                let base = machine.image().addresses().object(object).base;
                read(machine, base + offset, variable.ty)
            }
            Home::Stack(object, offset) => {
                let base = is_inside.then(|| machine.local_object(object)).flatten()?.base;
                read(machine, base + offset, variable.ty)
            }
        };
        self.variables.iter().map(value).collect()
    }

    pub fn show(&self, index: usize, bits: Bits, program: &Program, machine: &Machine) -> String {
        let variable = &self.variables[index];
        show(bits, variable.ty, variable.cty, program, Some(machine.image().addresses()))
    }
}

fn add_parts(
    program: &Program,
    name: &str,
    cty: Option<TyId>,
    home: impl Fn(u64) -> Home,
    variables: &mut Vec<Variable>,
) {
    let Some(cty) = cty else { return };
    for part in parts(&program.types, &program.target, cty, MAX_PARTS) {
        let name = format!("{name}{}", part.path);
        variables.push(Variable { name, ty: part.ty, cty: Some(part.cty), home: home(part.offset) });
    }
}

/// Not made by the compiler, and neither the library's nor a kernel model's.
pub(super) fn is_users(program: &Program, name: &str, span: Span) -> bool {
    !name.is_empty()
        && !name.starts_with('%')
        && !name.starts_with('"')
        && program
            .sources
            .place(span)
            .is_some_and(|p| !p.file.starts_with("<library>") && !p.file.starts_with("<osek>/"))
}
