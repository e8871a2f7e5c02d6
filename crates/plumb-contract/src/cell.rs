//! The places that contracts speak of.

use plumb_ir::derive::chain::Chain;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::program::{FuncId, GlobalObj, GlobalVar, LocalVar, ObjRef, Program, VarRef};
use plumb_ir::ty::Ty;

/// A place whose value a contract may speak of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Cell {
    Parameter(LocalVar),
    Global(GlobalVar),
    /// In a static object, so many bytes from its start.
    Object(GlobalObj, u64),
    /// In what a pointer parameter points to when the function is called, so many bytes from there.
    Pointee(LocalVar, u64),
}

/// What a symbol of a contract stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Atom {
    /// The value when the function is called.
    Entry(Cell),
    /// The value when it returns.
    Exit(Cell),
    /// What it returns.
    Result,
}

impl Atom {
    /// Whether the function has such a place with values of the type.
    pub(crate) fn check(self, program: &Program, func: FuncId, ty: Ty) -> Result<(), String> {
        let function = program.function(func);
        let name = &function.name;
        if ty == Ty::Ptr {
            return Err(format!("the contract of {name} speaks of a pointer"));
        }
        let parameter = |var: LocalVar| function.params().get(usize::from(var)).map(|info| info.ty);
        // What is loaded has whole bytes.
        let has_bytes = ty.bits(&program.target).is_multiple_of(8);
        let is_there = match self {
            Atom::Result => function.ret == Some(ty),
            Atom::Entry(Cell::Parameter(var)) => parameter(var) == Some(ty),
            // A callee's copy of an argument is gone when it returns.
            Atom::Exit(Cell::Parameter(_)) => false,
            Atom::Entry(Cell::Global(var)) | Atom::Exit(Cell::Global(var)) => {
                program.vars.get(var).is_some_and(|info| info.ty == ty)
            }
            Atom::Entry(Cell::Object(object, offset)) | Atom::Exit(Cell::Object(object, offset)) => {
                let end = offset.checked_add(ty.bytes(&program.target));
                has_bytes && program.objects.get(object).zip(end).is_some_and(|(info, end)| end <= info.size)
            }
            Atom::Entry(Cell::Pointee(var, offset)) | Atom::Exit(Cell::Pointee(var, offset)) => {
                has_bytes && i64::try_from(offset).is_ok() && parameter(var) == Some(Ty::Ptr)
            }
        };
        match is_there {
            true => Ok(()),
            false => Err(format!("the contract of {name} speaks of {self:?}, which {name} does not have")),
        }
    }

    /// For people.
    pub fn name(self, program: &Program, func: FuncId) -> String {
        match self {
            Atom::Entry(cell) => format!("\\old({})", cell.name(program, func)),
            Atom::Exit(cell) => cell.name(program, func),
            Atom::Result => "\\result".to_string(),
        }
    }
}

impl Cell {
    /// For people.
    pub fn name(self, program: &Program, func: FuncId) -> String {
        let function = program.function(func);
        match self {
            Cell::Parameter(var) => function.var(var).name.to_string(),
            Cell::Global(var) => program.var(var).name.to_string(),
            Cell::Object(object, 0) => program.object(object).name.to_string(),
            Cell::Object(object, offset) => format!("{}+{offset}", program.object(object).name),
            Cell::Pointee(var, 0) => format!("*{}", function.var(var).name),
            Cell::Pointee(var, offset) => format!("*({}+{offset})", function.var(var).name),
        }
    }

    /// The value of the cell where the chain is. `parameter` has the arguments of the call.
    pub(crate) fn read(
        self,
        chain: &mut Chain<'_>,
        ty: Ty,
        parameter: &dyn Fn(&mut Chain<'_>, LocalVar) -> ExprId,
    ) -> ExprId {
        let kind = match self {
            Cell::Parameter(var) => return parameter(chain, var),
            Cell::Global(var) => ExprKind::Var(VarRef::Global(var)),
            Cell::Object(object, offset) => {
                let base = chain.parts.exprs.push(ExprKind::Addr(ObjRef::Global(object)), Ty::Ptr);
                ExprKind::Load(chain.make().field(base, offset))
            }
            Cell::Pointee(var, offset) => {
                let base = parameter(chain, var);
                ExprKind::Load(chain.make().field(base, offset))
            }
        };
        chain.parts.exprs.push(kind, ty)
    }
}
