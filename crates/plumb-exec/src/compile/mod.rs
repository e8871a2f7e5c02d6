//! From automata to instructions.
//!
//! ```text
//!   mod        the image around the functions; registers and labels of one function
//!   flow       locations in an order that lets code fall through; edges; loop heads doubled at the loop's end
//!   share      expressions used twice in an edge: computed once
//!   value      expressions to registers
//!   arith      integer operators: immediates and widths
//!   float      float operators and conversions
//!   address    addressing modes, loads and stores
//!   branch     conditions to jumps
//!   switch     chains of comparisons to jump tables
//!   call       calls and intrinsics
//!   accelerate loops whose iterations add constants
//!   live       registers that may be read before they are written
//!   finish     registers, targets and step counts fixed; the result checked
//!   data       the memory and registers that the program starts with
//! ```
//!
//! A function's registers are, in this order: its variables, copies of program registers (valid along straight code),
//! temporaries of the edge at hand, arguments of calls. How many of each there are is known only at the end, so until then
//! the top two bits of a slot tell its kind.

mod accelerate;
mod address;
mod arith;
mod branch;
mod call;
mod data;
mod finish;
mod float;
mod flow;
mod live;
mod share;
mod switch;
mod value;

use crate::image::{CompileError, CompileOptions, Image};
use crate::inst::{Inst, Slot};
use crate::memory::layout::{AddressMap, FrameLayout};
use plumb_ir::expr::ExprId;
use plumb_ir::index::TiVec;
use plumb_ir::program::{EdgeId, FuncId, Function, GlobalVar, Loc, LocalVar, Program};
use plumb_ir::ty::Ty;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

const KIND: u32 = 3 << 30;
const CACHE: u32 = 1 << 30;
const TEMP: u32 = 2 << 30;
const OUT: u32 = 3 << 30;
/// More registers than this per kind, or code per function, are refused.
const LIMIT: usize = 1 << 26;
/// The longest straight code whose edges one count covers: counts of taken branches have eight bits.
const RUN: u32 = 200;
const UNPLACED: u32 = u32::MAX;

pub(crate) fn compile(program: &Program, options: &CompileOptions) -> Result<Image, CompileError> {
    // Where pointers are checked, objects are kept far apart and stack addresses are not used twice while there are others,
    // so that checks notice pointers that have left their object or outlived it. Addresses differ, nothing else does.
    let map = AddressMap::new(program, program.checks_pointers()).map_err(CompileError::TooLarge)?;
    let space = data::initial_space(program, &map)?;
    let mut image = Image {
        program: Arc::new(program.clone()),
        code: vec![Inst::Halt {}],
        functions: TiVec::with_capacity(program.functions.len()),
        entry_points: Vec::with_capacity(program.functions.len()),
        constants: Vec::new(),
        slow: Vec::new(),
        havocs: Vec::new(),
        calls: Vec::new(),
        tables: Vec::new(),
        loops: Vec::new(),
        closings: Vec::new(),
        traces: Vec::new(),
        comparisons: Vec::new(),
        signatures: Vec::new(),
        global_slots: TiVec::new(),
        globals: Vec::new(),
        space,
        edge_count: 0,
        probes: options.probes.len() as u32,
        liveness: program.functions.iter().map(|_| OnceLock::new()).collect::<Vec<_>>().into(),
        map,
    };
    data::initial_globals(program, &mut image);
    let mut signatures = FxHashMap::default();
    let mut probes: FxHashMap<(FuncId, Loc), u32> = FxHashMap::default();
    for (id, place) in options.probes.iter_enumerated() {
        probes.entry(*place).or_insert(id.0);
    }
    for id in program.function_ids() {
        FunctionCompiler::new(program, id, &mut image, &mut signatures, &probes, options).compile()?;
    }
    Ok(image)
}

/// The number of a list of parameter types.
fn signature(image: &mut Image, known: &mut FxHashMap<Vec<Ty>, u32>, types: Vec<Ty>) -> u32 {
    *known.entry(types).or_insert_with_key(|types| {
        image.signatures.push(types.clone());
        image.signatures.len() as u32 - 1
    })
}

/// The compilation of one function.
struct FunctionCompiler<'a> {
    program: &'a Program,
    f: &'a Function,
    id: FuncId,
    image: &'a mut Image,
    signatures: &'a mut FxHashMap<Vec<Ty>, u32>,
    probes: &'a FxHashMap<(FuncId, Loc), u32>,
    options: &'a CompileOptions,
    layout: FrameLayout,
    /// Holds the base address of the activation's objects.
    frame: Slot,
    vars: TiVec<LocalVar, Slot>,
    var_slots: u32,
    code: Vec<Inst>,
    /// Where each label is; the first are the locations.
    labels: Vec<u32>,
    edges: Vec<(u32, EdgeId)>,
    /// Edges since the last transfer.
    run: u32,
    /// The slot that keeps a copy of a program register, and those whose copy is right at this point.
    cache_slots: FxHashMap<GlobalVar, Slot>,
    cache_len: u32,
    cached: Vec<(GlobalVar, Slot)>,
    temp: u32,
    temp_max: u32,
    out_max: u32,
    /// Registers set aside for expressions that the edge uses more than once, in order of ids; whether each has its
    /// value yet; and the indices of those that have, in order of their making.
    shared: Vec<(ExprId, Slot)>,
    ready: Vec<bool>,
    memo: Vec<usize>,
    /// By expression: evaluation may fault or is dear, so it must not be brought forward.
    lazy: TiVec<ExprId, bool>,
    /// Code that ends runs, put after everything else.
    stubs: Vec<(u32, Inst, EdgeId)>,
    preds: TiVec<Loc, u32>,
    work: Vec<flow::Work>,
    first_slow: usize,
    first_havoc: usize,
    first_call: usize,
    first_table: usize,
    first_trace: usize,
}

impl<'a> FunctionCompiler<'a> {
    fn new(
        program: &'a Program,
        id: FuncId,
        image: &'a mut Image,
        signatures: &'a mut FxHashMap<Vec<Ty>, u32>,
        probes: &'a FxHashMap<(FuncId, Loc), u32>,
        options: &'a CompileOptions,
    ) -> FunctionCompiler<'a> {
        let f = program.function(id);
        let layout = FrameLayout::new(f, &image.map);
        let mut var_slots = 0;
        let mut vars = TiVec::with_capacity(f.vars.len());
        for var in &f.vars {
            vars.push(Slot(var_slots));
            var_slots += if image.is_wide(var.ty) { 2 } else { 1 };
        }
        let frame = Slot(var_slots);
        var_slots += 1;
        let mut preds: TiVec<Loc, u32> = vec![0; f.loc_count as usize].into();
        preds[f.entry] = 1;
        f.edges.iter().for_each(|e| preds[e.to] += 1);
        FunctionCompiler {
            first_slow: image.slow.len(),
            first_havoc: image.havocs.len(),
            first_call: image.calls.len(),
            first_table: image.tables.len(),
            first_trace: image.traces.len(),
            program,
            f,
            id,
            image,
            signatures,
            probes,
            options,
            layout,
            frame,
            vars,
            var_slots,
            code: Vec::new(),
            labels: vec![UNPLACED; f.loc_count as usize],
            edges: Vec::new(),
            run: 0,
            cache_slots: FxHashMap::default(),
            cache_len: 0,
            cached: Vec::new(),
            temp: 0,
            temp_max: 0,
            out_max: 0,
            memo: Vec::new(),
            shared: Vec::new(),
            ready: Vec::new(),
            lazy: share::lazy(f, &program.target),
            stubs: Vec::new(),
            preds,
            work: Vec::new(),
        }
    }

    fn compile(mut self) -> Result<(), CompileError> {
        let too_large = CompileError::FunctionTooLarge(self.f.name.clone());
        if !self.layout.objects.is_empty() {
            let d = self.frame;
            self.emit(Inst::Enter { d });
        }
        self.clear_unwritten();
        self.flow().map_err(|flow::CodeTooLarge| too_large.clone())?;
        for (label, inst, edge) in std::mem::take(&mut self.stubs) {
            self.place(label);
            // A stub is part of its edge, which has been counted before the jump here.
            self.emit(inst);
            self.edges.push((self.code.len() as u32 - 1, edge));
        }
        let registers = self.var_slots as usize + self.cache_len as usize + self.temp_max as usize;
        if registers + self.out_max as usize > LIMIT || self.image.code.len() + self.code.len() > LIMIT {
            return Err(too_large);
        }
        self.finish()
    }

    fn emit(&mut self, inst: Inst) {
        self.code.push(inst);
        if inst.is_transfer() {
            self.run = 0;
        }
    }

    fn is_wide(&self, ty: Ty) -> bool {
        self.image.is_wide(ty)
    }

    fn bits(&self, ty: Ty) -> u32 {
        ty.bits(&self.program.target)
    }

    fn pointer_bits(&self) -> u32 {
        self.program.target.pointer_bits()
    }

    /// A register, or two, for a value of a type until the temporaries are cut back.
    fn temp(&mut self, ty: Ty) -> Slot {
        let slot = Slot(TEMP | self.temp);
        self.temp += if self.is_wide(ty) { 2 } else { 1 };
        self.temp_max = self.temp_max.max(self.temp);
        slot
    }

    fn new_label(&mut self) -> u32 {
        self.labels.push(UNPLACED);
        self.labels.len() as u32 - 1
    }

    fn place(&mut self, label: u32) {
        if self.edges.last().is_some_and(|(pc, _)| *pc == self.code.len() as u32) {
            // An edge without code of its own must not be counted for those who jump here.
            self.emit(Inst::Tick { n: 0 });
        }
        self.labels[label as usize] = self.code.len() as u32;
    }

    /// Starts the code of an edge: one step.
    fn begin(&mut self, edge: EdgeId) {
        if self.run >= RUN {
            self.emit(Inst::Tick { n: 0 });
        }
        self.run += 1;
        self.edges.push((self.code.len() as u32, edge));
        self.temp = 0;
        self.memo.clear();
        self.shared.clear();
        self.ready.clear();
    }
}
