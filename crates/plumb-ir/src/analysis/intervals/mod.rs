//! What registers can hold at each location: ranges and low bits, by abstract interpretation (Cousot and Cousot 1977).
//!
//! Memory is not followed: a load gives anything. Functions are analysed once for all their calls: their arguments and the
//! program's registers are joined over the calls, and so is what they return. A call through a pointer may be a call of any
//! function whose address is taken; these get any arguments.
//!
//! Where loops begin, ranges that still grow are widened to the next constant of the program; afterwards locations are
//! computed anew twice, which takes back what was widened too far.
//!
//! **Soundness.** At every location that a run gets to, each register's pattern is in its set (`contains` of
//! [`Value`]). Runs end where a check breaks, so that behind a check its condition holds.

mod eval;
mod value;

pub use value::Value;

use crate::analysis::Analyses;
use crate::analysis::address_taken::AddressTaken;
use crate::analysis::dataflow::incoming;
use crate::analysis::graph::Graph;
use crate::expr::ExprKind;
use crate::index::TiVec;
use crate::program::{Callee, EdgeId, FuncId, Function, GlobalVar, Loc, LocalVar, Op, Program, ScalarInit, VarRef};
use crate::ty::Ty;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Visits of a loop's head, and joins of calls, before ranges are widened.
const WIDENING_DELAY: u32 = 3;
/// Sets computed before the analysis gives up, and sets that are kept at last.
const MOST_WORK: usize = 20_000_000;
const MOST_KEPT: usize = 1_500_000;
const MOST_THRESHOLDS: usize = 200;

/// Sets by register; `None` is a register that is not followed, or of which nothing is known.
#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    globals: TiVec<GlobalVar, Option<Value>>,
    locals: TiVec<LocalVar, Option<Value>>,
}

impl State {
    fn get(&self, var: VarRef) -> Option<Value> {
        match var {
            VarRef::Global(var) => self.globals.get(var).copied().flatten(),
            VarRef::Local(var) => self.locals.get(var).copied().flatten(),
        }
    }

    fn set(&mut self, var: VarRef, value: Option<Value>) {
        let slot = match var {
            VarRef::Global(var) => self.globals.get_mut(var),
            VarRef::Local(var) => self.locals.get_mut(var),
        };
        if let Some(slot) = slot {
            *slot = value;
        }
    }

    /// Joins another state into this one, or widens; whether that changed it.
    fn join(&mut self, other: &State, thresholds: Option<&[i128]>) -> bool {
        let mut changed = false;
        let pairs = self.globals.iter_mut().zip(&other.globals).chain(self.locals.iter_mut().zip(&other.locals));
        for (into, from) in pairs {
            let Some(old) = *into else { continue };
            let new = from.map(|from| match thresholds {
                Some(thresholds) => old.widen(&from, thresholds),
                None => old.join(&from),
            });
            changed |= new != Some(old);
            *into = new;
        }
        changed
    }
}

/// What is known of a function in all its calls.
#[derive(Clone, Default)]
struct Summary {
    entry: Option<State>,
    /// The program's registers at the return, and the result in the first local.
    exit: Option<State>,
    joins: u32,
    exits: u32,
    at: TiVec<Loc, Option<State>>,
}

pub struct Intervals {
    functions: TiVec<FuncId, TiVec<Loc, Option<State>>>,
    /// By function: what it returns.
    results: TiVec<FuncId, Option<Value>>,
}

impl Intervals {
    /// `None` if the program is too large, or has stacks: what other stacks do to registers is not followed.
    pub fn of(analyses: &Analyses) -> Option<Intervals> {
        let program = analyses.program();
        if program.has_stacks() {
            return None;
        }
        let kept = |f: &Arc<Function>| f.loc_count as usize * (f.vars.len() + program.vars.len());
        if program.functions.iter().map(kept).sum::<usize>() > MOST_KEPT {
            return None;
        }
        let mut analysis = Analysis {
            analyses,
            program,
            summaries: vec![Summary::default(); program.functions.len()].into(),
            callers: vec![BTreeSet::new(); program.functions.len()].into(),
            dirty: BTreeSet::new(),
            thresholds: thresholds(program),
            addresses: AddressTaken::of(program),
            work: 0,
        };
        analysis.run()?;
        let results = program.function_ids().map(|func| analysis.result(func)).collect();
        Some(Intervals { functions: analysis.summaries.into_iter().map(|s| s.at).collect(), results })
    }

    /// What the calls of a function can return; `None` if nothing is known, or no run returns from it.
    pub fn result(&self, func: FuncId) -> Option<Value> {
        self.results.get(func).copied().flatten()
    }

    /// The patterns that a register can have at a location; `None` if nothing is known.
    pub fn at(&self, func: FuncId, loc: Loc, var: VarRef) -> Option<Value> {
        self.functions.get(func)?.get(loc)?.as_ref()?.get(var)
    }

    /// Whether a run can get to a location.
    pub fn is_reached(&self, func: FuncId, loc: Loc) -> bool {
        self.functions.get(func).is_some_and(|at| at.get(loc).is_some_and(Option::is_some))
    }
}

struct Analysis<'p> {
    analyses: &'p Analyses,
    program: &'p Program,
    summaries: TiVec<FuncId, Summary>,
    /// By function: those that call it.
    callers: TiVec<FuncId, BTreeSet<FuncId>>,
    dirty: BTreeSet<FuncId>,
    thresholds: Vec<i128>,
    addresses: AddressTaken,
    work: usize,
}

impl<'p> Analysis<'p> {
    fn run(&mut self) -> Option<()> {
        let program = self.program;
        let start = State { globals: initial(program), locals: unknown(program.function(program.start)) };
        self.enter(program.start, &start);
        while let Some(func) = self.dirty.pop_first() {
            self.analyse(func)?;
        }
        for func in program.function_ids() {
            if self.summaries[func].entry.is_some() {
                self.narrow(func);
            }
        }
        Some(())
    }

    /// A function is called in a state of its own.
    fn enter(&mut self, func: FuncId, state: &State) {
        let summary = &mut self.summaries[func];
        let grown = match &mut summary.entry {
            None => {
                summary.entry = Some(state.clone());
                true
            }
            Some(entry) => {
                summary.joins += 1;
                let widen = summary.joins > WIDENING_DELAY;
                entry.join(state, widen.then_some(&self.thresholds))
            }
        };
        if grown {
            self.dirty.insert(func);
        }
    }

    /// The least sets of a function's locations, by what is known of its calls now.
    fn analyse(&mut self, func: FuncId) -> Option<()> {
        let program = self.program;
        let function = program.function(func);
        let loops = &self.analyses.shape(func).loops;
        let order = Graph::of_locations(function).reverse_postorder(function.entry.0);
        let mut rank: TiVec<Loc, u32> = vec![u32::MAX; function.loc_count as usize].into();
        order.iter().enumerate().for_each(|(i, loc)| rank[Loc(*loc)] = i as u32);
        let mut at: TiVec<Loc, Option<State>> = vec![None; function.loc_count as usize].into();
        let mut joins: TiVec<Loc, u32> = vec![0; function.loc_count as usize].into();
        at[function.entry] = self.summaries[func].entry.clone();
        let mut work = BTreeSet::from([(rank[function.entry], function.entry)]);
        while let Some((_, loc)) = work.pop_first() {
            self.work += function.vars.len() + program.vars.len();
            if self.work > MOST_WORK {
                return None;
            }
            let Some(state) = at[loc].clone() else { continue };
            for id in function.out_edges(loc) {
                let Some(next) = self.transfer(func, function, id, &state) else { continue };
                let to = function.edge(id).to;
                let slot = &mut at[to];
                let grown = match slot {
                    None => {
                        *slot = Some(next);
                        true
                    }
                    Some(known) => {
                        let is_head = loops.is_head(to);
                        joins[to] += u32::from(is_head);
                        let widen = is_head && joins[to] > WIDENING_DELAY;
                        known.join(&next, widen.then_some(&self.thresholds))
                    }
                };
                if grown {
                    work.insert((rank[to], to));
                }
            }
        }
        self.summaries[func].at = at;
        Some(())
    }

    /// Computes each location anew from those before it.
    fn narrow(&mut self, func: FuncId) {
        let program = self.program;
        let function = program.function(func);
        let before = incoming(function);
        let order = Graph::of_locations(function).reverse_postorder(function.entry.0);
        let mut at = std::mem::take(&mut self.summaries[func].at);
        for loc in order.iter().chain(&order).map(|&loc| Loc(loc)) {
            if loc == function.entry || at[loc].is_none() {
                continue;
            }
            let mut joined: Option<State> = None;
            for id in &before[loc] {
                let Some(state) = &at[function.edge(*id).from] else { continue };
                let Some(next) = self.effect(function, *id, state) else { continue };
                match &mut joined {
                    None => joined = Some(next),
                    Some(known) => {
                        known.join(&next, None);
                    }
                }
            }
            at[loc] = joined;
        }
        self.summaries[func].at = at;
    }

    /// What a function can return, by the sets that are kept.
    fn result(&self, func: FuncId) -> Option<Value> {
        let function = self.program.function(func);
        let mut joined: Option<Value> = None;
        for edge in &function.edges {
            let Op::Return(Some(value)) = edge.op else { continue };
            let Some(state) = self.summaries[func].at.get(edge.from).and_then(Option::as_ref) else { continue };
            let value = eval::value(function, value, state)?;
            joined = Some(joined.map_or(value, |known| known.join(&value)));
        }
        joined
    }

    /// The state behind an edge; calls and returns are passed to those whom they concern.
    fn transfer(&mut self, func: FuncId, function: &Function, id: EdgeId, state: &State) -> Option<State> {
        match &function.edge(id).op {
            Op::Call { callee: Callee::Direct(called), args, .. } => {
                self.callers[*called].insert(func);
                let mut locals = unknown(self.program.function(*called));
                for (local, arg) in locals.iter_mut().zip(args) {
                    *local = eval::value(function, *arg, state).filter(|v| same_width(v, local)).or(*local);
                }
                self.enter(*called, &State { globals: state.globals.clone(), locals });
            }
            Op::Call { callee: Callee::Indirect(_), .. } => {
                for called in self.program.function_ids() {
                    if self.addresses.function(called) {
                        let locals = unknown(self.program.function(called));
                        self.enter(called, &State { globals: state.globals.clone(), locals });
                    }
                }
            }
            Op::Return(value) => {
                let result = value.and_then(|value| eval::value(function, value, state));
                self.leave(func, &State { globals: state.globals.clone(), locals: vec![result].into() });
            }
            Op::Call { callee: Callee::Intrinsic(_), .. }
            | Op::Assign { .. }
            | Op::Assume { .. }
            | Op::Havoc { .. }
            | Op::Check { .. } => {}
        }
        self.effect(function, id, state)
    }

    fn leave(&mut self, func: FuncId, state: &State) {
        let summary = &mut self.summaries[func];
        let grown = match &mut summary.exit {
            None => {
                summary.exit = Some(state.clone());
                true
            }
            Some(exit) => {
                summary.exits += 1;
                let widen = summary.exits > WIDENING_DELAY * 4;
                exit.join(state, widen.then_some(&self.thresholds))
            }
        };
        if grown {
            self.dirty.extend(self.callers[func].iter().copied());
        }
    }

    /// The state behind an edge, by what is known of calls now; `None` if nobody gets there.
    fn effect(&self, function: &Function, id: EdgeId, state: &State) -> Option<State> {
        let mut next = state.clone();
        match &function.edge(id).op {
            Op::Assume { cond, .. } | Op::Check { cond, .. } => {
                if !eval::refine(function, *cond, true, &mut next) {
                    return None;
                }
            }
            Op::Call { to, callee: Callee::Direct(called), .. } => {
                let exit = self.summaries[*called].exit.as_ref()?;
                next.globals.clone_from(&exit.globals);
                if let Some(to) = to {
                    let any = self.any(function, *to);
                    next.set(*to, exit.locals.first().copied().flatten().filter(|v| same_width(v, &any)).or(any));
                }
            }
            Op::Call { to, callee: Callee::Indirect(_), .. } => {
                next.globals = self.program.vars.iter().map(|var| any_of(var.ty)).collect();
                if let Some(to) = to {
                    next.set(*to, self.any(function, *to));
                }
            }
            op @ (Op::Assign { .. } | Op::Havoc { .. } | Op::Call { .. } | Op::Return(_)) => {
                if let Some(var) = op.written() {
                    let any = self.any(function, var);
                    let value = match op {
                        Op::Assign { value, .. } => eval::value(function, *value, state),
                        Op::Havoc { .. } | Op::Call { .. } | Op::Return(_) | Op::Assume { .. } | Op::Check { .. } => {
                            None
                        }
                    };
                    next.set(var, value.filter(|v| same_width(v, &any)).or(any));
                }
            }
        }
        Some(next)
    }

    fn any(&self, function: &Function, var: VarRef) -> Option<Value> {
        any_of(match var {
            VarRef::Global(var) => self.program.var(var).ty,
            VarRef::Local(var) => function.var(var).ty,
        })
    }
}

fn same_width(value: &Value, any: &Option<Value>) -> bool {
    any.is_some_and(|any| any.width == value.width)
}

/// Anything of a type; only integers are followed.
fn any_of(ty: Ty) -> Option<Value> {
    match ty {
        Ty::Int(width) if width <= 64 => Some(Value::any(width as u32)),
        Ty::Int(_) | Ty::Float(_) | Ty::Ptr => None,
    }
}

fn unknown(function: &Function) -> TiVec<LocalVar, Option<Value>> {
    function.vars.iter().map(|var| any_of(var.ty)).collect()
}

fn initial(program: &Program) -> TiVec<GlobalVar, Option<Value>> {
    let value = |ty: Ty, init: ScalarInit| match (any_of(ty), init) {
        (Some(any), ScalarInit::Const(bits)) => Some(Value::constant(bits, any.width)),
        (any, ScalarInit::Const(_) | ScalarInit::Object(_, _) | ScalarInit::Function(_)) => any,
    };
    program.vars.iter().map(|var| value(var.ty, var.init)).collect()
}

/// Constants of the program and their neighbours, in order.
fn thresholds(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::from([-1, 0, 1]);
    for function in program.functions.iter().filter(|f| !f.is_library) {
        for id in function.exprs.ids() {
            if let (ExprKind::Const(bits), Ty::Int(width @ 2..=64)) = (function.exprs.kind(id), function.exprs.ty(id))
                && found.len() < MOST_THRESHOLDS
            {
                for number in [bits.signed(width as u32), bits.u128() as i128] {
                    found.extend([number - 1, number, number + 1]);
                }
            }
        }
    }
    found.into_iter().collect()
}
