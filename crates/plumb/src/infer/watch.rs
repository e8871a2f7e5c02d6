//! What is sampled at a place: variables of the user's with their names and sorts, and how the machine's state is read for them.

use plumb_c::types::{TyId, Type};
use plumb_contract::{Atom, Cell as Contracted};
use plumb_engine::StatePart;
use plumb_engine::div::claims::Place;
use plumb_exec::Machine;
use plumb_infer::{FloatFormat as InferFormat, Role, Scalar, Sort, Value};
use plumb_ir::program::{GlobalObj, GlobalVar, LocalObj, LocalVar, ObjRef, Program, VarRef};
use plumb_ir::promote::parts;
use plumb_ir::ty::{FloatFormat, Ty};
use std::cell::RefCell;

/// Parts of one object, and elements of one array.
const MAX_PARTS: usize = 64;

/// The program, and numbers for the types that keep variables apart.
pub struct Typed<'a> {
    pub program: &'a Program,
    types: RefCell<Vec<TyId>>,
}

impl<'a> Typed<'a> {
    pub fn new(program: &'a Program) -> Typed<'a> {
        Typed { program, types: RefCell::default() }
    }

    /// From 1 on.
    fn number(&self, ty: TyId) -> u32 {
        let mut types = self.types.borrow_mut();
        let known = types.iter().position(|other| *other == ty);
        let at = known.unwrap_or_else(|| {
            types.push(ty);
            types.len() - 1
        });
        at as u32 + 1
    }
}

/// Where a scalar is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    Global(GlobalVar),
    Local(LocalVar),
    Static(GlobalObj, u64),
    Stack(LocalObj, u64),
    /// In what a parameter pointed to when the function was called, so many bytes from there.
    Pointee(LocalVar, u64),
}

/// A scalar of the user's.
#[derive(Clone, Debug)]
pub struct Cell {
    pub name: String,
    pub scalar: Scalar,
    pub group: u32,
    bytes: u64,
    home: Home,
    ty: Ty,
}

/// A variable of a point: a scalar, or the elements of an array.
#[derive(Clone, Debug)]
pub struct Watched {
    pub name: String,
    pub sort: Sort,
    pub group: u32,
    pub is_updated: bool,
    /// Of an array behind a pointer the first element: where it ends every sample says for itself.
    cells: Vec<Cell>,
}

impl Cell {
    /// `None` for what facts do not speak of: numbers of more than 64 bits.
    pub fn new(typed: &Typed, name: &str, ty: Ty, cty: Option<TyId>, home: Home) -> Option<Cell> {
        let program = typed.program;
        let table = &program.types.table;
        let c_type = cty.map(|cty| table.get(cty));
        let scalar = match ty {
            Ty::Int(1) => Scalar::Bool,
            Ty::Int(bits @ 2..=64) => {
                let kind = cty.and_then(|cty| table.int_kind(cty));
                Scalar::Int { bits: bits as u32, signed: kind.is_none_or(|kind| kind.is_signed(&program.target)) }
            }
            Ty::Float(FloatFormat::F32) => Scalar::Float(InferFormat::F32),
            Ty::Float(FloatFormat::F64) => Scalar::Float(InferFormat::F64),
            Ty::Ptr => match c_type {
                Some(Type::Pointer(to)) => Scalar::Pointer { class: typed.number(to.ty) },
                _ => Scalar::Pointer { class: 0 },
            },
            Ty::Int(_) | Ty::Float(FloatFormat::X87) => return None,
        };
        // Enumerators have nothing to do with other numbers.
        let group = match (c_type, cty) {
            (Some(Type::Enum(_)), Some(cty)) => typed.number(cty),
            _ => 0,
        };
        Some(Cell { name: name.to_string(), scalar, group, bytes: ty.bytes(&program.target), home, ty })
    }

    /// Where contracts find the value that a function is called with, leaves or returns; `None` where they do not speak of it.
    fn place(&self, role: Role) -> Option<Place> {
        let cell = match self.home {
            Home::Global(var) => Contracted::Global(var),
            Home::Local(var) => Contracted::Parameter(var),
            Home::Static(object, at) => Contracted::Object(object, at),
            Home::Pointee(var, at) => Contracted::Pointee(var, at),
            Home::Stack(..) => return None,
        };
        let atom = match role {
            Role::Old | Role::Entry => Atom::Entry(cell),
            Role::Exit => Atom::Exit(cell),
            Role::Result => Atom::Result,
            Role::State => return None,
        };
        let is_signed = matches!(self.scalar, Scalar::Int { signed: true, .. });
        (self.ty != Ty::Ptr).then_some(Place { atom, ty: self.ty, is_signed })
    }

    /// The part of a state that it is.
    fn part(&self) -> Option<(StatePart, Ty)> {
        let part = match self.home {
            Home::Global(var) => StatePart::Register(VarRef::Global(var)),
            Home::Local(var) => StatePart::Register(VarRef::Local(var)),
            Home::Static(object, at) => StatePart::Bytes(ObjRef::Global(object), at),
            Home::Stack(object, at) => StatePart::Bytes(ObjRef::Local(object), at),
            Home::Pointee(..) => return None,
        };
        (self.ty != Ty::Ptr).then_some((part, self.ty))
    }

    fn read(&self, machine: &mut Machine, pointer: &dyn Fn(LocalVar) -> Option<u64>) -> Option<u64> {
        let address = match self.home {
            Home::Global(var) => return Some(machine.global(var).u64()),
            Home::Local(var) => return machine.local(var).map(|bits| bits.u64()),
            Home::Static(object, at) => machine.image().addresses().object(object).base + at,
            Home::Stack(object, at) => machine.local_object(object)?.base + at,
            Home::Pointee(var, at) => {
                let address = pointer(var)?.checked_add(at)?;
                let object = machine.object_at(address)?;
                let end = address.checked_add(self.bytes)?;
                (end <= object.end()).then_some(address)?
            }
        };
        self.read_at(machine, address)
    }

    fn read_at(&self, machine: &mut Machine, address: u64) -> Option<u64> {
        let mut bytes = [0u8; 8];
        machine.read_memory(address, &mut bytes[..self.bytes as usize]).ok()?;
        Some(u64::from_le_bytes(bytes) & self.scalar.mask())
    }

    /// The elements from here to the end of the object, if they are not too many: of a large object an arbitrary beginning would be told.
    fn read_to_end(&self, machine: &mut Machine, pointer: &dyn Fn(LocalVar) -> Option<u64>) -> Option<Vec<u64>> {
        let Home::Pointee(var, _) = self.home else { return None };
        let address = pointer(var)?;
        let left = machine.object_at(address)?.end().checked_sub(address)?;
        let count = left / self.bytes;
        let addresses = (0..count).map(|at| address + at * self.bytes);
        (count <= MAX_PARTS as u64).then(|| addresses.map(|address| self.read_at(machine, address)).collect())?
    }
}

impl Watched {
    /// The register that it is.
    pub fn register(&self) -> Option<VarRef> {
        match self.cells[..] {
            [Cell { home: Home::Local(var), .. }] => Some(VarRef::Local(var)),
            [Cell { home: Home::Global(var), .. }] => Some(VarRef::Global(var)),
            _ => None,
        }
    }

    fn scalar(cell: Cell, is_updated: bool) -> Watched {
        let (name, sort, group) = (cell.name.clone(), Sort::Scalar(cell.scalar), cell.group);
        Watched { name, sort, group, is_updated, cells: vec![cell] }
    }

    /// The elements from a parameter to the end of the object that it points into, if it points to scalars.
    pub fn elements_behind(behind: &[Cell], name: &str, is_updated: bool) -> Option<Watched> {
        let [cell @ Cell { home: Home::Pointee(_, 0), .. }] = behind else { return None };
        let sort = Sort::Array { element: cell.scalar, len: None };
        Some(Watched { name: name.to_string(), sort, group: cell.group, is_updated, cells: vec![cell.clone()] })
    }

    /// Whether it may have as many elements as the object that a pointer points into.
    pub fn is_sized_by_object(&self) -> bool {
        matches!(self.sort, Sort::Array { len: None, .. })
    }

    /// Where contracts find its values; nowhere if they do not speak of them.
    pub fn places(&self, role: Role) -> Vec<Place> {
        if self.is_sized_by_object() {
            return Vec::new();
        }
        self.cells.iter().map(|cell| cell.place(role)).collect::<Option<_>>().unwrap_or_default()
    }

    /// The parts of a state that its values are, with their types; none where states have no such part.
    pub fn parts(&self) -> Vec<(StatePart, Ty)> {
        if self.is_sized_by_object() {
            return Vec::new();
        }
        self.cells.iter().map(Cell::part).collect::<Option<_>>().unwrap_or_default()
    }

    /// Whether it is the scalar that a parameter points to.
    pub fn is_first_element(&self) -> bool {
        matches!(self.sort, Sort::Scalar(_)) && matches!(self.cells[..], [Cell { home: Home::Pointee(_, 0), .. }])
    }

    /// The parameter that points to it, if that is how the function knows it.
    pub fn pointer(&self) -> Option<LocalVar> {
        match self.cells.first()?.home {
            Home::Pointee(var, _) => Some(var),
            _ => None,
        }
    }

    /// The present value; `None` where there is none, as behind a null pointer.
    pub fn read(&self, machine: &mut Machine, pointer: &dyn Fn(LocalVar) -> Option<u64>) -> Option<Value> {
        if let (true, Some(first)) = (self.is_sized_by_object(), self.cells.first()) {
            return first.read_to_end(machine, pointer).map(Value::Array);
        }
        let mut values = self.cells.iter().map(|cell| cell.read(machine, pointer));
        match self.sort {
            Sort::Scalar(_) => values.next()?.map(Value::Scalar),
            Sort::Array { .. } => values.collect::<Option<Vec<u64>>>().map(Value::Array),
        }
    }
}

/// The scalars that an object of a type is made of.
pub fn object_cells(typed: &Typed, name: &str, cty: Option<TyId>, home: impl Fn(u64) -> Home) -> Vec<Cell> {
    let Some(cty) = cty else { return Vec::new() };
    let program = typed.program;
    let found = parts(&program.types, &program.target, cty, MAX_PARTS + 1);
    // Of a large object an arbitrary beginning would be told.
    if found.len() > MAX_PARTS {
        return Vec::new();
    }
    let cell = |part: &plumb_ir::promote::Part| {
        Cell::new(typed, &format!("{name}{}", part.path), part.ty, Some(part.cty), home(part.offset))
    };
    found.iter().filter_map(cell).collect()
}

/// The scalars behind a pointer parameter: `*p`, or `p->field`.
pub fn pointee_cells(typed: &Typed, name: &str, cty: Option<TyId>, var: LocalVar) -> Vec<Cell> {
    let Some(Type::Pointer(to)) = cty.map(|cty| typed.program.types.table.get(cty)) else { return Vec::new() };
    let mut cells = object_cells(typed, "", Some(to.ty), |at| Home::Pointee(var, at));
    for cell in &mut cells {
        cell.name = match cell.name.strip_prefix('.') {
            Some(field) => format!("{name}->{field}"),
            None if cell.name.is_empty() => format!("*{name}"),
            None => format!("(*{name}){}", cell.name),
        };
    }
    cells
}

/// Scalars as variables, with the elements of an array as one.
pub fn gather(cells: Vec<Cell>, is_updated: bool) -> Vec<Watched> {
    let mut list: Vec<Watched> = Vec::new();
    for cell in cells {
        let Some((array, index)) = element(&cell.name) else {
            list.push(Watched::scalar(cell, is_updated));
            continue;
        };
        let sort = Sort::Array { element: cell.scalar, len: None };
        match list.last_mut() {
            Some(last) if last.name == array && last.sort == sort && last.cells.len() == index => last.cells.push(cell),
            _ if index == 0 => {
                let (name, group) = (array.to_string(), cell.group);
                list.push(Watched { name, sort, group, is_updated, cells: vec![cell] });
            }
            _ => list.push(Watched::scalar(cell, is_updated)),
        }
    }
    for watched in &mut list {
        if let Sort::Array { element, .. } = watched.sort {
            watched.sort = Sort::Array { element, len: Some(watched.cells.len() as u32) };
        }
    }
    list
}

/// `name[3]` as the array and the index.
fn element(name: &str) -> Option<(&str, usize)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}
