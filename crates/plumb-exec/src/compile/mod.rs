//! From automata to instructions.
//!
//! ```text
//!   mod        the image around the functions; registers, labels, step counts of one function
//!   flow       locations in an order that lets code fall through; edges; loop heads doubled at the loop's end
//!   share      expressions used twice in an edge: computed once
//!   value      expressions to registers
//!   arith      integer operators: immediates and widths
//!   float      float operators and conversions
//!   address    addressing modes, loads and stores
//!   branch     conditions to jumps
//!   switch     chains of comparisons to jump tables
//!   call       calls and intrinsics
//!   live       registers that may be read before they are written
//! ```
//!
//! A function's registers are, in this order: its variables, copies of program registers (valid along straight code),
//! temporaries of the edge at hand, arguments of calls. How many of each there are is known only at the end, so until then
//! the top two bits of a slot tell its kind.

mod address;
mod arith;
mod branch;
mod call;
mod float;
mod flow;
mod live;
mod share;
mod switch;
mod value;

use crate::image::{Arm, BoundsCheck, CompileError, CompileOptions, EntryPoint, FunctionCode, Image, SlowOp};
use crate::inst::{Inst, Pair, Slot, Target, Visit};
use crate::memory::layout::{AddressMap, FrameLayout};
use crate::memory::{Memory, Space};
use plumb_ir::expr::ExprId;
use plumb_ir::program::{DatumValue, EdgeId, FuncId, Function, GlobalVar, Loc, Program, ScalarInit};
use plumb_ir::ty::Ty;
use rustc_hash::FxHashMap;
use std::sync::Arc;

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
    let map = AddressMap::new(program).map_err(CompileError::TooLarge)?;
    let space = initial_space(program, &map)?;
    let mut image = Image {
        program: Arc::new(program.clone()),
        code: vec![Inst::Halt {}],
        functions: Vec::with_capacity(program.functions.len()),
        entry_points: Vec::with_capacity(program.functions.len()),
        constants: Vec::new(),
        slow: Vec::new(),
        havocs: Vec::new(),
        calls: Vec::new(),
        tables: Vec::new(),
        traces: Vec::new(),
        signatures: Vec::new(),
        global_slots: Vec::new(),
        globals: Vec::new(),
        space,
        edge_count: 0,
        probes: options.probes.len() as u32,
        map,
    };
    initial_globals(program, &mut image);
    let mut signatures = FxHashMap::default();
    let mut probes: FxHashMap<(FuncId, Loc), u32> = FxHashMap::default();
    for (i, place) in options.probes.iter().enumerate() {
        probes.entry(*place).or_insert(i as u32);
    }
    for id in program.function_ids() {
        FunctionCompiler::new(program, id, &mut image, &mut signatures, &probes, options).compile()?;
    }
    Ok(image)
}

/// Statics as the program starts with them.
fn initial_space(program: &Program, map: &AddressMap) -> Result<Space, CompileError> {
    let mut memory = Memory::new(Space::new(map));
    let pointer_bytes = program.target.pointer_bytes as usize;
    for (i, info) in program.objects.iter().enumerate() {
        let object = map.object(plumb_ir::program::GlobalObj(i as u32));
        memory.map(object.base, object.size).map_err(CompileError::Data)?;
        for datum in &info.init {
            let (pointer, bytes): (u64, &[u8]) = match &datum.value {
                DatumValue::Bytes(bytes) => (0, bytes),
                DatumValue::Object(target, offset) => (map.object(*target).base.wrapping_add(*offset as u64), &[]),
                DatumValue::Function(func) => (map.function_address(*func), &[]),
            };
            let pointer = pointer.to_le_bytes();
            let bytes = if let DatumValue::Bytes(_) = datum.value { bytes } else { &pointer[..pointer_bytes] };
            // What lies outside the object is not the object's: lowering never makes such a datum.
            if object.covers(object.base.wrapping_add(datum.offset), bytes.len() as u64)
                && bytes.iter().any(|b| *b != 0)
            {
                memory.store(object.base + datum.offset, bytes).map_err(CompileError::Data)?;
            }
        }
    }
    Ok(memory.snapshot())
}

fn initial_globals(program: &Program, image: &mut Image) {
    for var in program.vars.iter() {
        image.global_slots.push(image.globals.len() as u32);
        let mask = var.ty.mask(&program.target);
        let value = mask
            & match var.init {
                ScalarInit::Const(bits) => bits.u128(),
                ScalarInit::Object(object, offset) => image.map.object(object).base.wrapping_add(offset as u64) as u128,
                ScalarInit::Function(func) => image.map.function_address(func) as u128,
            };
        image.globals.push(value as u64);
        if image.is_wide(var.ty) {
            image.globals.push((value >> 64) as u64);
        }
    }
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
    vars: Vec<Slot>,
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
    lazy: Vec<bool>,
    /// Code that ends runs, put after everything else.
    stubs: Vec<(u32, Inst, EdgeId)>,
    preds: Vec<u32>,
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
        let layout = FrameLayout::new(f, image.map.gap);
        let mut var_slots = 0;
        let mut vars = Vec::with_capacity(f.vars.len());
        for var in &f.vars {
            vars.push(Slot(var_slots));
            var_slots += if image.is_wide(var.ty) { 2 } else { 1 };
        }
        let frame = Slot(var_slots);
        var_slots += 1;
        let mut preds = vec![0u32; f.loc_count as usize];
        preds[f.entry.0 as usize] = 1;
        f.edges.iter().for_each(|e| preds[e.to.0 as usize] += 1);
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
            lazy: share::lazy(f),
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

    /// Fixes registers, targets and counts, checks the result and adds it to the image.
    fn finish(mut self) -> Result<(), CompileError> {
        let start = self.image.code.len() as u32;
        let counts = self.step_counts();
        let cache = self.var_slots;
        let temps = cache + self.cache_len;
        let outs = temps + self.temp_max;
        let mut resolve = Resolve { cache, temps, outs, start, labels: &self.labels };
        for pc in 0..self.code.len() {
            let inst = &mut self.code[pc];
            inst.visit(&mut resolve);
            let next = counts.get(pc + 1).copied().unwrap_or(0);
            if let Some((to, t, f)) = inst.counts_mut() {
                *t = counts[(to.0 - start) as usize] as u8;
                *f = next as u16;
            }
            match inst {
                Inst::Jump { n, to } => *n = counts[(to.0 - start) as usize] as u16,
                Inst::Tick { n } => *n = next as u16,
                Inst::Call { w, .. } => *w = outs,
                _ => {}
            }
        }
        let mut arm = |arm: &mut Arm| {
            resolve.target(&mut arm.to);
            arm.steps += counts[(arm.to.0 - start) as usize];
        };
        for table in &mut self.image.tables[self.first_table..] {
            table.dense.iter_mut().for_each(&mut arm);
            table.sparse.iter_mut().for_each(|(_, _, a)| arm(a));
            arm(&mut table.default);
        }
        let mut check = self.resolve_tables(cache, temps, outs, start);
        for inst in &self.code {
            let mut copy = *inst;
            copy.visit(&mut check);
        }
        if !check.is_right || !self.code.last().is_some_and(Inst::is_end) {
            return Err(CompileError::Malformed(self.f.name.clone()));
        }
        for (pc, inst) in self.code.iter_mut().enumerate() {
            inst.visit(&mut Relative { pc: start + pc as u32 });
        }
        let types = self.f.vars[..self.f.param_count as usize].iter().map(|v| v.ty).collect();
        let signature = signature(self.image, self.signatures, types);
        let end = start + self.code.len() as u32;
        self.image.code.append(&mut self.code);
        self.edges.iter_mut().for_each(|(pc, _)| *pc += start);
        let steps = counts.first().copied().unwrap_or(0);
        let window = outs + self.out_max;
        let unit = size_of::<Inst>() as u32;
        self.image.entry_points.push(EntryPoint {
            start: start * unit,
            steps,
            window: window * size_of::<u64>() as u32,
        });
        self.image.functions.push(FunctionCode {
            start,
            end,
            steps,
            window,
            signature,
            ret: self.f.ret,
            layout: self.layout,
            edges: self.edges,
            slots: self.vars,
            coverage: self.image.edge_count,
        });
        self.image.edge_count += self.f.edges.len() as u32;
        Ok(())
    }

    /// Fixes the registers in this function's entries of the tables and returns a check that knows of any out of range.
    fn resolve_tables(&mut self, cache: u32, temps: u32, outs: u32, start: u32) -> BoundsCheck {
        let window = outs + self.out_max;
        let mut check = BoundsCheck { window, start, end: start + self.code.len() as u32, is_right: true };
        let mut resolve = Resolve { cache, temps, outs, start, labels: &[] };
        let target = &self.program.target;
        let mut fix = |slot: &mut Slot, ty: Option<Ty>| {
            resolve.slot(slot);
            match ty {
                Some(ty) if ty.bits(target) > 64 => check.pair(&mut Pair(slot.0)),
                Some(_) | None => check.slot(slot),
            }
        };
        for op in &mut self.image.slow[self.first_slow..] {
            SlowOp::visit(op, &mut fix);
        }
        for site in &mut self.image.havocs[self.first_havoc..] {
            match &mut site.target {
                crate::image::HavocTarget::Slot(slot, ty) => fix(slot, Some(*ty)),
                crate::image::HavocTarget::Global(..) => {}
                crate::image::HavocTarget::Region { addr, size } => {
                    fix(addr, None);
                    fix(size, None);
                }
            }
        }
        for call in &mut self.image.calls[self.first_call..] {
            fix(&mut call.callee, None);
            fix(&mut call.d, call.ret.or(Some(Ty::Int(128))));
            call.window = outs;
        }
        for point in &mut self.image.traces[self.first_trace..] {
            if let Some((addr, value, ty)) = &mut point.stored {
                fix(addr, None);
                fix(value, Some(*ty));
            }
        }
        check
    }

    /// For each instruction, the edges that begin from it on up to the next transfer, that one included.
    fn step_counts(&self) -> Vec<u32> {
        let mut counts = vec![0u32; self.code.len()];
        for (pc, _) in &self.edges {
            if let Some(count) = counts.get_mut(*pc as usize) {
                *count += 1;
            }
        }
        // Stubs finish edges that are counted already.
        for (pc, inst) in self.code.iter().enumerate() {
            if inst.is_stub() {
                counts[pc] = 0;
            }
        }
        for pc in (0..self.code.len().saturating_sub(1)).rev() {
            if !self.code[pc].is_transfer() {
                counts[pc] += counts[pc + 1];
            }
        }
        counts
    }
}

/// Turns kinds of registers into places in the window, and labels into places in the code.
struct Resolve<'a> {
    cache: u32,
    temps: u32,
    outs: u32,
    start: u32,
    labels: &'a [u32],
}

impl Resolve<'_> {
    fn register(&self, register: &mut u32) {
        let base = match *register & KIND {
            CACHE => self.cache,
            TEMP => self.temps,
            OUT => self.outs,
            _ => 0,
        };
        *register = base + (*register & !KIND);
    }
}

impl Visit for Resolve<'_> {
    fn slot(&mut self, slot: &mut Slot) {
        self.register(&mut slot.0);
    }

    fn pair(&mut self, pair: &mut Pair) {
        self.register(&mut pair.0);
    }

    fn target(&mut self, target: &mut Target) {
        // An unplaced label stays out of range, which the check of the finished code refuses.
        let place = self.labels.get(target.0 as usize).copied().unwrap_or(UNPLACED);
        target.0 = self.start.saturating_add(place);
    }
}

/// Turns places in the code into distances from an instruction.
struct Relative {
    pc: u32,
}

impl Visit for Relative {
    fn slot(&mut self, _: &mut Slot) {}

    fn pair(&mut self, _: &mut Pair) {}

    fn target(&mut self, target: &mut Target) {
        target.0 = target.0.wrapping_sub(self.pc).wrapping_mul(size_of::<Inst>() as u32);
    }
}
