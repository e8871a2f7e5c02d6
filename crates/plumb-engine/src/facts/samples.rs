//! States that runs have at the heads of loops.
//!
//! Runs with inputs of several styles stop at every head; the numbers that they have there become rows. A state whose row
//! is new is kept as one to go on from, so that machines of states are walked through further than one run goes.

use super::conditions::{conditions, named_cell};
use super::fact::{Fact, Holder, Quantity, Sum, View};
use crate::budget::Budget;
use plumb_exec::{
    CompileOptions, Image, InputSource, Limits, Machine, Outcome, RegionFill, Rng, SeedInputs, Snapshot, StopSet,
};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::analysis::loops::{LoopId, LoopKey};
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::{FuncId, Function, GlobalVar, Loc, LocalVar, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps of all runs together, and the time that they may take.
const ALL_STEPS: u64 = 25_000_000;
const SAMPLING: Duration = Duration::from_millis(2500);
/// Different rows that are kept of a head.
const MOST_ROWS: usize = 1500;
const MOST_RUNS: u64 = 20_000;
/// Visits of one head in one run, after which the run does not stop there any more.
const MOST_VISITS: u32 = 150;
const MOST_QUANTITIES: usize = 160;
/// States to go on from.
const MOST_KEPT: usize = 300;
const STEPS: u64 = 400_000;
const STOP_STEPS: u64 = 40;
/// Runs without a new row after which there will be none.
const DULL_RUNS: u64 = 2_000;

/// What was seen at one head: different rows of values, in the order of the quantities.
pub struct Seen {
    pub quantities: Vec<Quantity>,
    pub rows: Vec<Vec<u64>>,
    known: FxHashSet<Vec<u64>>,
}

pub struct Samples {
    pub heads: FxHashMap<LoopKey, Seen>,
    /// What the program itself asks, by function: of its own registers and of the program's.
    asked: FxHashMap<FuncId, BTreeSet<Fact>>,
    /// Numbers that the program compares with or assigns.
    pub constants: BTreeSet<i128>,
}

pub fn sample(analyses: &Analyses, budget: &Budget) -> Samples {
    let program = analyses.program();
    let constants = constants(program);
    let written = written(program);
    let mut heads = Vec::new();
    for func in program.function_ids() {
        let function = program.function(func);
        if function.is_library {
            continue;
        }
        let shape = analyses.shape(func);
        for (i, one) in shape.loops.loops.iter().enumerate() {
            let seen = Seen {
                quantities: quantities(program, function, &shape.live, one.head, &written),
                rows: Vec::new(),
                known: FxHashSet::default(),
            };
            heads.push((func, LoopId(i as u32), one.head, seen));
        }
    }
    let probes = heads.iter().map(|(func, _, loc, _)| (*func, *loc)).collect();
    if let Ok(image) = Image::compile(program, &CompileOptions { probes, ..CompileOptions::default() }) {
        run(Arc::new(image), &mut heads, &constants, budget);
    }
    let heads = heads.into_iter().map(|(func, id, _, seen)| ((func, id), seen)).collect();
    Samples { heads, asked: conditions(program), constants }
}

impl Samples {
    /// Conditions that the program asks at or about a head: comparisons and remainders of quantities there.
    pub fn conditions(&self, key: LoopKey) -> Vec<Fact> {
        let Some(seen) = self.heads.get(&key) else { return Vec::new() };
        let has = |known: &&Fact| known.quantities().iter().all(|q| seen.quantities.contains(q));
        let mut list: Vec<Fact> = self.asked.get(&key.0).into_iter().flatten().filter(has).cloned().collect();
        let is_global = |known: &&Fact| {
            let is_global =
                |q: &Quantity| matches!(q.holder, Holder::Register(VarRef::Global(_)) | Holder::Static(_, _));
            known.quantities().iter().all(is_global)
        };
        let others = self.asked.iter().filter(|(func, _)| **func != key.0).flat_map(|(_, asked)| asked);
        list.extend(others.filter(is_global).filter(has).cloned());
        for quantity in seen.quantities.iter().filter(|q| q.width > 1) {
            list.push(Fact::AtLeast(Sum::of(*quantity), 0, View::Signed));
            list.push(Fact::Congruent(Sum::of(*quantity), 2, 0));
        }
        list.sort();
        list.dedup();
        list
    }
}

fn run(image: Arc<Image>, heads: &mut [(FuncId, LoopId, Loc, Seen)], constants: &BTreeSet<i128>, budget: &Budget) {
    let until = Instant::now() + SAMPLING;
    let every = StopSet::all(&image);
    let mut machine = Machine::new(image);
    let start = machine.snapshot();
    let mut kept: Vec<Snapshot> = Vec::new();
    let mut rng = Rng(1);
    let constants: Vec<i128> = constants.iter().copied().collect();
    let mut dull = 0;
    let mut steps = 0;
    for seed in 0..MOST_RUNS {
        if Instant::now() >= until || budget.is_over() || dull > DULL_RUNS || steps > ALL_STEPS {
            break;
        }
        dull += 1;
        let from = match kept.len() {
            0 => &start,
            _ if seed % 3 == 0 => &start,
            // Late ones more often than early ones.
            n => &kept[(rng.below(n as u64).max(rng.below(n as u64))) as usize],
        };
        machine.restore(from);
        let before = machine.steps();
        let mut inputs =
            Styled { plain: SeedInputs::new(seed), rng: Rng(seed ^ 0x5eed), style: seed % 4, constants: &constants };
        let mut stops = every.clone();
        let mut visits: FxHashMap<u32, u32> = FxHashMap::default();
        while let Outcome::Probe(id) = machine.run_until(&mut inputs, Limits::steps(STEPS), &stops) {
            let Some((_, _, _, seen)) = heads.get_mut(id.0 as usize) else { break };
            let row: Vec<u64> = seen.quantities.iter().map(|q| value(&mut machine, *q)).collect();
            if seen.rows.len() < MOST_ROWS && seen.known.insert(row.clone()) {
                seen.rows.push(row);
                dull = 0;
                let state = machine.snapshot();
                if kept.len() < MOST_KEPT {
                    kept.push(state);
                } else if rng.below(8) == 0 {
                    let at = rng.below(MOST_KEPT as u64) as usize;
                    kept[at] = state;
                }
            }
            let count = visits.entry(id.0).or_default();
            *count += 1;
            if *count >= MOST_VISITS {
                stops.remove(id);
            }
            if Instant::now() >= until {
                break;
            }
        }
        // Stopping costs something too.
        let stopped: u32 = visits.values().sum();
        steps += machine.steps().saturating_sub(before) + STOP_STEPS * stopped as u64;
    }
}

/// Inputs that are sometimes random, sometimes truth values, sometimes numbers of the program.
struct Styled<'a> {
    plain: SeedInputs,
    rng: Rng,
    style: u64,
    constants: &'a [i128],
}

impl InputSource for Styled<'_> {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        let (Some(Ty::Int(width)), false) = (site.ty, site.is_bool || site.origin == InputOrigin::MainArgument) else {
            return self.plain.scalar(id, site);
        };
        let number = match self.style {
            0 => return self.plain.scalar(id, site),
            1 => self.rng.below(2) as i128,
            2 => self.rng.below(8) as i128 - 1,
            _ if self.constants.is_empty() || self.rng.below(3) == 0 => return self.plain.scalar(id, site),
            _ => {
                let constant = self.constants[self.rng.below(self.constants.len() as u64) as usize];
                constant + self.rng.below(3) as i128 - 1
            }
        };
        Some(Bits::new(number as u128, width as u32))
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        self.plain.region(id, site, size)
    }
}

fn value(machine: &mut Machine, quantity: Quantity) -> u64 {
    let (object, at) = match quantity.holder {
        Holder::Register(VarRef::Global(var)) => return machine.global(var).u64(),
        Holder::Register(VarRef::Local(var)) => return machine.local(var).unwrap_or(Bits::ZERO).u64(),
        Holder::Static(object, at) => (Some(machine.image().addresses().object(object)), at),
        Holder::Local(object, at) => (machine.local_object(object), at),
    };
    let mut bytes = [0u8; 8];
    let size = quantity.width as usize / 8;
    if let Some(object) = object {
        // What is not there reads as zero: the solver is asked about it anyway.
        let _ = machine.read_memory(object.base + at, &mut bytes[..size]);
    }
    u64::from_le_bytes(bytes)
}

/// What the program may change: registers of its own, and cells of objects that it names.
struct Written {
    registers: BTreeSet<GlobalVar>,
    cells: BTreeSet<Quantity>,
}

fn written(program: &Program) -> Written {
    let mut found = Written { registers: BTreeSet::new(), cells: BTreeSet::new() };
    for func in program.function_ids() {
        let function = program.function(func);
        for edge in &function.edges {
            if let Some(VarRef::Global(var)) = edge.op.written() {
                found.registers.insert(var);
            }
        }
        if !function.is_library {
            let cells = cells(program, function).into_iter();
            found.cells.extend(cells.filter(|q| matches!(q.holder, Holder::Static(_, _))));
        }
    }
    found
}

/// Numbers in memory that a function loads from constant places of named objects.
fn cells(program: &Program, function: &Function) -> BTreeSet<Quantity> {
    (0..function.exprs.len() as u32).filter_map(|id| named_cell(program, function, ExprId(id))).collect()
}

/// What facts may be about at a head.
fn quantities(program: &Program, function: &Function, live: &Liveness, head: Loc, written: &Written) -> Vec<Quantity> {
    let mut list = Vec::new();
    let mut add = |var: VarRef, ty: Ty| {
        if let Ty::Int(width) = ty
            && width <= 64
        {
            list.push(Quantity { holder: Holder::Register(var), width: width as u32 });
        }
    };
    for (i, info) in function.vars.iter().enumerate() {
        let var = VarRef::Local(LocalVar(i as u32));
        if live.is_live(head, var) {
            add(var, info.ty);
        }
    }
    for (i, info) in program.vars.iter().enumerate() {
        if written.registers.contains(&GlobalVar(i as u32)) {
            add(VarRef::Global(GlobalVar(i as u32)), info.ty);
        }
    }
    list.extend(cells(program, function).into_iter().filter(|q| matches!(q.holder, Holder::Local(_, _))));
    list.extend(written.cells.iter().copied());
    list.truncate(MOST_QUANTITIES);
    list
}

/// Numbers that the user's functions compare with or assign.
fn constants(program: &Program) -> BTreeSet<i128> {
    const MOST: usize = 200;
    let mut found = BTreeSet::new();
    for func in program.function_ids() {
        let function = program.function(func);
        if function.is_library {
            continue;
        }
        let exprs = &function.exprs;
        for id in (0..exprs.len() as u32).map(ExprId) {
            let ExprKind::Const(bits) = exprs.kind(id) else { continue };
            let Ty::Int(width) = exprs.ty(id) else { continue };
            if width > 1 && width <= 64 && found.len() < MOST {
                found.insert(bits.signed(width as u32));
            }
        }
    }
    found
}
