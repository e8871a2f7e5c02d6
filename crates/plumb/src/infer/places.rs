//! The places at which states are sampled, and the variables there: parameters and what they point to, globals that the function
//! uses, its result, and at loop heads its live locals.

use super::markers::Markers;
use super::watch::{Cell, Home, Typed, Watched, gather, object_cells, pointee_cells};
use plumb_c::hir;
use plumb_c::source::Place;
use plumb_c::types::Type;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::place_of;
use plumb_ir::analysis::modref::{Accesses, Effects};
use plumb_ir::analysis::pointsto::Object;
use plumb_ir::program::{FuncId, Function, Loc, LocalVar, Program, VarRef};
use plumb_ir::ty::Ty;

/// Variables of one place.
const MAX_VARIABLES: usize = 24;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Entry,
    Exit,
    /// By its number in the function.
    Loop(usize),
}

/// The user's function with what is sampled in it.
pub struct Places {
    pub markers: Markers,
    pub parameters: Vec<Watched>,
    /// Pointer parameters: facts may be about what they point to.
    pub pointers: Vec<LocalVar>,
    /// What of the state outside of the function it uses: globals and what parameters point to.
    pub state: Vec<Watched>,
    pub result: Option<Watched>,
    pub loops: Vec<LoopHead>,
}

pub struct LoopHead {
    pub loc: Loc,
    /// Locals; the state comes beside them.
    pub locals: Vec<Watched>,
    pub place: Option<Place>,
}

pub fn places(analyses: &Analyses, hir: &hir::Program, markers: Vec<Markers>) -> Vec<Places> {
    let typed = Typed::new(analyses.program());
    markers.into_iter().map(|markers| of_function(analyses, &typed, hir, markers)).collect()
}

fn of_function(analyses: &Analyses, typed: &Typed, hir: &hir::Program, markers: Markers) -> Places {
    let program = typed.program;
    let function = program.function(markers.func);
    let effects = analyses.mod_ref().function(markers.func);
    let parameter = |at: u32| local(typed, function, LocalVar(at));
    let parameters = (0..function.param_count).filter_map(parameter).collect();
    let pointers: Vec<LocalVar> =
        (0..function.param_count).map(LocalVar).filter(|var| function.var(*var).ty == Ty::Ptr).collect();
    let mut state = Vec::new();
    for var in &pointers {
        let info = function.var(*var);
        if is_users(program, &info.name, info.span) {
            let is_updated = writes_memory(&effects.writes);
            let behind = pointee_cells(typed, &info.name, info.cty, *var);
            state.extend(Watched::elements_behind(&behind, &info.name, is_updated));
            state.extend(gather(behind, is_updated));
        }
    }
    globals(typed, effects, &mut state);
    state.truncate(MAX_VARIABLES);
    let result = result(typed, hir, function, &markers);
    let shape = analyses.shape(markers.func);
    let loops = shape.loops.loops.iter().map(|one| {
        let is_live = |var: &LocalVar| shape.live.is_live(one.head, VarRef::Local(*var));
        let live = (0..function.vars.len() as u32).map(LocalVar).filter(is_live);
        let mut cells: Vec<Cell> = live.filter_map(|var| local_cell(typed, function, var)).collect();
        cells.extend(object_locals(typed, function));
        let mut locals = gather(cells, true);
        locals.truncate(MAX_VARIABLES);
        LoopHead { loc: one.head, locals, place: place_of(program, function, one.head) }
    });
    let mut loops: Vec<LoopHead> = loops.collect();
    loops.sort_by_key(|head| head.place.as_ref().map(|place| (place.file.clone(), place.line, place.column)));
    Places { markers, parameters, pointers, state, result, loops }
}

fn writes_memory(writes: &Accesses) -> bool {
    !writes.objects.is_empty()
}

fn local_cell(typed: &Typed, function: &Function, var: LocalVar) -> Option<Cell> {
    let info = function.var(var);
    let is_shown = is_users(typed.program, &info.name, info.span);
    is_shown.then(|| Cell::new(typed, &info.name, info.ty, info.cty, Home::Local(var))).flatten()
}

fn local(typed: &Typed, function: &Function, var: LocalVar) -> Option<Watched> {
    gather(local_cell(typed, function, var).into_iter().collect(), false).pop()
}

fn object_locals(typed: &Typed, function: &Function) -> Vec<Cell> {
    let objects = function.objects.iter_enumerated();
    let users = objects.filter(|(_, object)| is_users(typed.program, &object.name, object.span));
    users.flat_map(|(id, object)| object_cells(typed, &object.name, object.cty, |at| Home::Stack(id, at))).collect()
}

/// Globals that a function, or what it calls, reads or writes.
fn globals(typed: &Typed, effects: &Effects, state: &mut Vec<Watched>) {
    let program = typed.program;
    let mut group: Vec<Cell> = Vec::new();
    let mut group_written = false;
    // Parts of one array that are registers are side by side.
    for (var, info) in program.vars.iter_enumerated() {
        let is_written = effects.writes.registers.contains(&var);
        let is_used = is_written || effects.reads.registers.contains(&var);
        if !is_used || !is_users(program, &info.name, info.span) {
            continue;
        }
        if is_written != group_written {
            state.extend(gather(std::mem::take(&mut group), group_written));
            group_written = is_written;
        }
        group.extend(Cell::new(typed, &info.name, info.ty, info.cty, Home::Global(var)));
    }
    state.extend(gather(group, group_written));
    for (id, info) in program.objects.iter_enumerated() {
        let object = Object::Global(id);
        let is_written = effects.writes.objects.contains(object);
        let is_used = is_written || effects.reads.objects.contains(object);
        if is_used && !info.read_only && is_users(program, &info.name, info.span) {
            let cells = object_cells(typed, &info.name, info.cty, |at| Home::Static(id, at));
            state.extend(gather(cells, is_written));
        }
    }
}

fn result(typed: &Typed, hir: &hir::Program, function: &Function, markers: &Markers) -> Option<Watched> {
    let var = markers.result?;
    let declared = hir.functions.iter().find(|f| f.body.is_some() && f.span == function.span);
    let ty = declared.and_then(|f| match hir.types.get(f.ty) {
        Type::Function(ty) => Some(ty.ret.ty),
        _ => None,
    });
    let cell = Cell::new(typed, "\\result", function.var(var).ty, ty, Home::Local(var))?;
    gather(vec![cell], true).pop()
}

/// Not made by the compiler and not the library's.
fn is_users(program: &Program, name: &str, span: plumb_c::source::Span) -> bool {
    !name.is_empty()
        && !name.starts_with(['%', '"'])
        && program.sources.place(span).is_some_and(|place| !place.file.starts_with("<library>"))
}

/// The function's name, for what is reported of it.
pub fn name(program: &Program, func: FuncId) -> &str {
    &program.function(func).name
}
