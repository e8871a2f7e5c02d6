//! One function as a whole program that calls it once, on inputs that are named by its signature.
//!
//! The start function is made up. It asks for one input per scalar of the [`Signature`], in its order, writes each where the
//! function expects it and calls the function. The result stays in a register, and the run stops at a known location: a
//! machine that stands there has returned from the call. What a pointer parameter points to is an object of the start
//! function. Inputs of source [`Source::External`] are not written anywhere, since the function asks for them itself.
//!
//! **Runs.** By the promise of signatures a run that gets to the location has the result of every call that returns and had
//! the same inputs. Nothing else carries over ([`Runs::Unrelated`]): state that is no input has its initial value, and
//! objects behind pointers are as large as their inputs need.

use super::chain::Chain;
use super::unit::{called_once, empty_start};
use super::{Derived, Runs};
use crate::analysis::signature::{Scalar, Signature, Source};
use crate::expr::{ExprId, ExprKind};
use crate::input::{InputId, InputOrigin};
use crate::program::{
    Callee, FuncId, GlobalObj, HavocPlace, Lifetime, Loc, LocalObj, LocalObjInfo, LocalVar, ObjRef, Op, Place, Program,
    VarRef,
};
use crate::ty::{Bits, Ty};
use std::collections::BTreeMap;

/// Every type of C is aligned by it.
const ALIGNMENT: u64 = 16;

/// A program that calls one function on given inputs.
#[derive(Clone, Debug)]
pub struct Probe {
    pub derived: Derived,
    /// The inputs of the derived program, in the order of the signature.
    pub inputs: Vec<InputId>,
    /// The register of the start function that holds the result at `returned`, if there is one.
    pub result: Option<LocalVar>,
    /// The objects of the start function that pointer parameters point to.
    pub pointees: BTreeMap<LocalVar, LocalObj>,
    /// Where runs stop once the call has returned.
    pub returned: (FuncId, Loc),
}

/// The program that calls the signature's function, or why the signature does not suit the function.
pub fn probe(program: &Program, signature: &Signature) -> Result<Probe, String> {
    let function = program.function(signature.func);
    if function.ret != Some(signature.output.ty) {
        return Err(format!("{} has another result than its signature", function.name));
    }
    if !signature.is_finite() {
        return Err(format!("{} may ask for more and more values from outside", function.name));
    }
    call_on(program, signature.func, &signature.inputs, &BTreeMap::new())
}

/// The program that calls a function, whatever it returns or changes, on some scalars; or why they do not suit it. Pointer
/// parameters point to what is named, or to objects of the scalars behind them, or are null.
pub fn call_on(
    program: &Program,
    func: FuncId,
    scalars: &[Scalar],
    pointers: &BTreeMap<LocalVar, (GlobalObj, i64)>,
) -> Result<Probe, String> {
    let function = program.function(func);
    let name = &function.name;
    let mut chain = Chain::new(program, empty_start(), Loc(0), function.span);
    let pointees = pointees(&mut chain, func, scalars)?;
    let mut args: Vec<ExprId> = Vec::new();
    for (at, param) in function.params().iter().enumerate() {
        let param = (LocalVar::from(at), param.ty);
        args.push(match (pointees.get(&param.0), pointers.get(&param.0)) {
            (Some(object), _) => chain.parts.exprs.push(ExprKind::Addr(ObjRef::Local(*object)), Ty::Ptr),
            (None, Some((object, offset))) if param.1 == Ty::Ptr => {
                let base = chain.parts.exprs.push(ExprKind::Addr(ObjRef::Global(*object)), Ty::Ptr);
                let offset = chain.make().int(*offset as i128, program.target.pointer_bits());
                chain.make().ptr_add(base, offset)
            }
            (None, _) => chain.make().constant(Bits::ZERO, param.1),
        });
    }
    let mut inputs = Vec::new();
    for scalar in scalars {
        if let Source::External(input) = scalar.source {
            program.inputs.get(input).ok_or_else(|| format!("{name} has no input {}", scalar.name))?;
            inputs.push(input);
            continue;
        }
        inputs.push(InputId((program.inputs.len() + chain.inputs.len()) as u32));
        let value = ask(&mut chain, scalar);
        match scalar.source {
            Source::Parameter(param) => match function.params().get(usize::from(param)) {
                Some(info) if info.ty == scalar.ty.ty => args[usize::from(param)] = value,
                Some(_) | None => return Err(format!("{name} has no parameter for {}", scalar.name)),
            },
            Source::Global(var) => match program.vars.get(var) {
                Some(info) if info.ty == scalar.ty.ty => {
                    chain.step(Op::Assign { to: Place::Var(VarRef::Global(var)), value });
                }
                Some(_) | None => return Err(format!("there is no register for {}", scalar.name)),
            },
            Source::Object(object, offset) => {
                static_part(program, object, offset, scalar)?;
                store(&mut chain, ObjRef::Global(object), offset, value);
            }
            Source::Pointee(param, offset) => store(&mut chain, ObjRef::Local(pointees[&param]), offset, value),
            Source::External(_) | Source::Stream(_) => {}
        }
    }
    let result = function.ret.map(|ty| {
        let result = LocalVar::from(chain.parts.vars.len());
        (result, chain.local(ty))
    });
    chain.step(Op::Call { to: result.map(|(_, to)| to), callee: Callee::Direct(func), args });
    let returned = (program.functions.next_key(), chain.at);
    let mut derived = called_once(chain, func);
    derived.provenance.runs = Runs::Unrelated;
    Ok(Probe { derived, inputs, result: result.map(|(result, _)| result), pointees, returned })
}

/// An object of the start function for every pointer parameter with inputs behind it.
fn pointees(chain: &mut Chain<'_>, func: FuncId, scalars: &[Scalar]) -> Result<BTreeMap<LocalVar, LocalObj>, String> {
    let target = &chain.program.target;
    let function = chain.program.function(func);
    let mut sizes: BTreeMap<LocalVar, u64> = BTreeMap::new();
    for scalar in scalars {
        if let Source::Pointee(param, offset) = scalar.source {
            if function.params().get(usize::from(param)).is_none_or(|info| info.ty != Ty::Ptr) {
                return Err(format!("{} has no pointer for {}", function.name, scalar.name));
            }
            let end = offset.checked_add(scalar.ty.ty.bytes(target));
            let end = end.ok_or_else(|| format!("{} lies beyond the address space", scalar.name))?;
            let size = sizes.entry(param).or_default();
            *size = end.max(*size);
        }
    }
    let mut objects = BTreeMap::new();
    for (param, size) in sizes {
        let info = LocalObjInfo {
            name: function.var(param).name.clone(),
            size: size.next_multiple_of(ALIGNMENT),
            align: ALIGNMENT,
            cty: None,
            lifetime: Lifetime::Expression,
            span: function.span,
        };
        chain.parts.frame_bytes += info.size;
        objects.insert(param, chain.parts.objects.push_and_get_key(info));
    }
    Ok(objects)
}

/// An input of the scalar's type in a register of its own.
fn ask(chain: &mut Chain<'_>, scalar: &Scalar) -> ExprId {
    let ty = scalar.ty.ty;
    let var = chain.local(ty);
    chain.havoc(HavocPlace::Var(var), InputOrigin::UnitState(scalar.name.clone()), Some(ty), None);
    if let Some(site) = chain.inputs.last_mut() {
        site.is_signed = scalar.ty.is_signed;
        site.is_bool = scalar.ty.is_bool;
    }
    chain.parts.exprs.push(ExprKind::Var(var), ty)
}

/// Whether the scalar lies inside of an object that can be written.
fn static_part(program: &Program, object: GlobalObj, offset: u64, scalar: &Scalar) -> Result<(), String> {
    let bytes = scalar.ty.ty.bytes(&program.target);
    match program.objects.get(object) {
        Some(info) if info.read_only => Err(format!("{} is read-only", scalar.name)),
        Some(info) if offset.checked_add(bytes).is_some_and(|end| end <= info.size) => Ok(()),
        Some(_) | None => Err(format!("there is no object for {}", scalar.name)),
    }
}

fn store(chain: &mut Chain<'_>, object: ObjRef, offset: u64, value: ExprId) {
    let base = chain.parts.exprs.push(ExprKind::Addr(object), Ty::Ptr);
    let addr = chain.make().field(base, offset);
    chain.step(Op::Assign { to: Place::Mem(addr), value });
}
