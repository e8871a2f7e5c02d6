//! Candidate invariants of loop heads: simple facts about registers that held in every state that was seen.
//!
//! Runs with random inputs stop at the heads of loops; what was true of the registers there each time, of a small set of
//! forms, is believed until the solver finds a turn that breaks it (Ernst et al. 2001; Flanagan and Leino 2001).

use crate::budget::Budget;
use crate::unroll::abstraction::{Fact, LoopKey};
use plumb_exec::{CompileOptions, Image, Limits, Machine, Outcome, SeedInputs, StopSet};
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::analysis::loops::{LoopId, Loops};
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::program::{FuncId, Function, GlobalVar, LocalVar, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use plumb_sym::{State, Sym};
use plumb_term::{Sort, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time for the runs.
const SAMPLING: Duration = Duration::from_millis(400);
const MOST_STATES: usize = 400;
const RUNS: u64 = 200;
/// Registers that are related with each other.
const MOST_PAIRED: usize = 24;
const MOST_REGISTERS: usize = 160;
/// A register with no more values than this may be a state of a machine.
const FEW_VALUES: usize = 8;

/// A fact about registers. Numbers are signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Known {
    OneOf(VarRef, Vec<Bits>),
    AtLeast(VarRef, i128),
    AtMost(VarRef, i128),
    /// The first is the second plus the number.
    Apart(VarRef, VarRef, i128),
    NotGreater(VarRef, VarRef),
}

impl Fact for Known {
    fn term(&self, sym: &mut Sym, state: &State) -> Option<TermId> {
        let mut get = |var: &VarRef| {
            let term = sym.register_term(state, *var)?;
            Some(if sym.terms.sort(term) == Sort::Bool { sym.terms.bool_to_bv(term, 1) } else { term })
        };
        Some(match self {
            Known::OneOf(var, values) => {
                let x = get(var)?;
                let width = sym.terms.width(x);
                let mut any = TermId::bool(false);
                for value in values {
                    let value = sym.terms.bv(width, value.u128());
                    let here = sym.terms.eq(x, value);
                    any = sym.terms.or(any, here);
                }
                any
            }
            Known::AtLeast(var, number) => {
                let x = get(var)?;
                let number = sym.terms.bv_signed(sym.terms.width(x), *number);
                sym.terms.bv_sle(number, x)
            }
            Known::AtMost(var, number) => {
                let x = get(var)?;
                let number = sym.terms.bv_signed(sym.terms.width(x), *number);
                sym.terms.bv_sle(x, number)
            }
            Known::Apart(a, b, number) => {
                let (x, y) = (get(a)?, get(b)?);
                let number = sym.terms.bv_signed(sym.terms.width(x), *number);
                let sum = sym.terms.bv_add(y, number);
                sym.terms.eq(x, sum)
            }
            Known::NotGreater(a, b) => {
                let (x, y) = (get(a)?, get(b)?);
                sym.terms.bv_sle(x, y)
            }
        })
    }
}

/// What was seen at one head: rows of values, by register.
struct Seen {
    vars: Vec<(VarRef, u32)>,
    rows: Vec<Vec<Bits>>,
}

/// Facts of every loop that runs have been to.
pub fn believed(program: &Program, budget: &Budget) -> FxHashMap<LoopKey, Vec<Arc<Known>>> {
    let mut heads = Vec::new();
    for func in program.function_ids() {
        let function = program.function(func);
        if function.is_library {
            continue;
        }
        let loops = Loops::of(function);
        heads.extend((0..loops.loops.len()).map(|i| (func, LoopId(i as u32), loops.loops[i].head)));
    }
    let probes = heads.iter().map(|(func, _, loc)| (*func, *loc)).collect();
    let Ok(image) = Image::compile(program, &CompileOptions { probes, ..CompileOptions::default() }) else {
        return FxHashMap::default();
    };
    let image = Arc::new(image);
    let mut seen: Vec<Seen> = heads.iter().map(|(func, _, loc)| watched(program, *func, *loc)).collect();
    let stops = StopSet::all(&image);
    let until = Instant::now() + SAMPLING;
    let mut machine = Machine::new(image);
    let start = machine.snapshot();
    for seed in 0..RUNS {
        if Instant::now() >= until || budget.is_over() {
            break;
        }
        machine.restore(&start);
        let mut inputs = SeedInputs::new(seed);
        while let Outcome::Probe(id) = machine.run_until(&mut inputs, Limits::steps(2_000_000), &stops) {
            let Some(seen) = seen.get_mut(id.0 as usize) else { break };
            // Early states and late ones.
            if seen.rows.len() < MOST_STATES || machine.steps().is_multiple_of(7) && seen.rows.len() < 2 * MOST_STATES {
                let row = seen.vars.iter().map(|(var, _)| read(&machine, *var)).collect();
                seen.rows.push(row);
            }
            if Instant::now() >= until {
                break;
            }
        }
    }
    heads.iter().zip(&seen).map(|((func, id, _), seen)| ((*func, *id), facts(program.function(*func), seen))).collect()
}

fn read(machine: &Machine, var: VarRef) -> Bits {
    match var {
        VarRef::Global(var) => machine.global(var),
        VarRef::Local(var) => machine.local(var).unwrap_or(Bits::ZERO),
    }
}

/// The registers at a head that facts may be about.
fn watched(program: &Program, func: FuncId, loc: plumb_ir::program::Loc) -> Seen {
    let function = program.function(func);
    let live = Liveness::of(function);
    let number = |ty: Ty| match ty {
        Ty::Int(width) if width <= 64 => Some(width as u32),
        Ty::Int(_) | Ty::Float(_) | Ty::Ptr => None,
    };
    let mut vars: Vec<(VarRef, u32)> = Vec::new();
    for (i, info) in function.vars.iter().enumerate() {
        let var = VarRef::Local(LocalVar(i as u32));
        if let Some(width) = number(info.ty)
            && live.is_live(loc, var)
        {
            vars.push((var, width));
        }
    }
    for (i, info) in program.vars.iter().enumerate() {
        if let Some(width) = number(info.ty) {
            vars.push((VarRef::Global(GlobalVar(i as u32)), width));
        }
    }
    vars.truncate(MOST_REGISTERS);
    Seen { vars, rows: Vec::new() }
}

fn facts(function: &Function, seen: &Seen) -> Vec<Arc<Known>> {
    if seen.rows.is_empty() {
        return Vec::new();
    }
    let constants = constants(function);
    let mut facts = Vec::new();
    for (at, &(var, width)) in seen.vars.iter().enumerate() {
        let values: BTreeSet<i128> = seen.rows.iter().map(|row| row[at].signed(width)).collect();
        if values.len() <= FEW_VALUES {
            let list = values.iter().map(|v| Bits::new(*v as u128, width)).collect();
            facts.push(Known::OneOf(var, list));
        }
        let (Some(&least), Some(&most)) = (values.first(), values.last()) else { continue };
        if width == 1 {
            continue;
        }
        let limits = i128::MIN >> (128 - width)..=i128::MAX >> (128 - width);
        let around = constants.iter().flat_map(|c| [c - 1, *c, c + 1]).chain([least, most, 0]);
        let around: BTreeSet<i128> = around.filter(|c| limits.contains(c)).collect();
        facts.extend(around.iter().filter(|c| **c <= least).map(|c| Known::AtLeast(var, *c)));
        facts.extend(around.iter().filter(|c| **c >= most).map(|c| Known::AtMost(var, *c)));
    }
    let varying = |at: usize| seen.rows.iter().any(|row| row[at] != seen.rows[0][at]);
    let paired: Vec<usize> =
        (0..seen.vars.len()).filter(|at| seen.vars[*at].1 > 1 && varying(*at)).take(MOST_PAIRED).collect();
    for &i in &paired {
        for &j in &paired {
            let ((a, width), (b, other)) = (seen.vars[i], seen.vars[j]);
            if i == j || width != other {
                continue;
            }
            let gap = |row: &Vec<Bits>| row[i].signed(width) - row[j].signed(width);
            let first = gap(&seen.rows[0]);
            if i < j && seen.rows.iter().all(|row| gap(row) == first) {
                facts.push(Known::Apart(a, b, first));
            } else if seen.rows.iter().all(|row| gap(row) <= 0) {
                facts.push(Known::NotGreater(a, b));
            }
        }
    }
    facts.into_iter().map(Arc::new).collect()
}

/// Numbers that the function compares with.
fn constants(function: &Function) -> BTreeSet<i128> {
    const MOST: usize = 24;
    let mut found = BTreeSet::new();
    for id in (0..function.exprs.len() as u32).map(ExprId) {
        let ExprKind::Binary(op, _, a, b) = function.exprs.kind(id) else { continue };
        let Ty::Int(width) = function.exprs.ty(a) else { continue };
        if !op.is_comparison() || width == 1 {
            continue;
        }
        for operand in [a, b] {
            if let Some(bits) = function.exprs.as_const(operand)
                && found.len() < MOST
            {
                found.insert(bits.signed(width as u32));
            }
        }
    }
    found
}
