//! From writes to reads of global registers, across calls.
//!
//! In each function the value of a global is followed from where it comes from (the entry, a write, the return of a call that
//! may touch it) to the next events: reads, such calls, the exit. Calls and functions are joined by vertices of their own, one
//! set for each global. What a callee wrote comes out of its exit; what was there before a call comes out of it only if the
//! callee has a path that does not write over it. A second pair of vertices per call carries what the function itself wrote,
//! so that a value which came in with one call does not go out with another.

use super::dependence::{Builder, Vertex};
use super::locals::Visited;
use super::reads::Reads;
use crate::budget::Budget;
use plumb_ir::program::{EdgeId, FuncId, Function, GlobalVar, Loc, VarRef};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How many locations may still be visited.
pub struct Visits<'b> {
    pub left: u64,
    pub budget: &'b Budget,
}

impl Visits<'_> {
    /// Counts what a search has visited. Whether none is left, or the time is over.
    fn are_spent(&mut self, visited: &mut Visited) -> bool {
        self.left = self.left.saturating_sub(std::mem::take(&mut visited.count));
        self.left == 0 || self.budget.is_over()
    }
}

/// There are no visits left.
struct Spent;

/// The vertices of a function for one global.
#[derive(Clone, Copy)]
struct Ends {
    entry: Vertex,
    exit: Vertex,
}

/// The vertices of a call for one global: before and after it. The second pair is for what was written in the function.
#[derive(Clone, Copy)]
struct Around {
    before: Vertex,
    after: Vertex,
    own_before: Vertex,
    own_after: Vertex,
}

/// Where a followed value goes.
#[derive(Default)]
struct Sinks {
    readers: Vec<Vertex>,
    calls: Vec<EdgeId>,
    exit: bool,
}

pub struct Globals {
    /// Those that some run writes; others have no writes to depend on.
    written: BTreeSet<GlobalVar>,
    /// By function: which of them it, or what it calls, reads or writes.
    touched: FxHashMap<FuncId, BTreeSet<GlobalVar>>,
    /// Functions through which the value of a global can pass.
    transparent: FxHashSet<(FuncId, GlobalVar)>,
    ends: FxHashMap<(FuncId, GlobalVar), Ends>,
}

impl Builder<'_> {
    /// Follows the values of globals. Where that takes too long, dependence by order is left for dependence without: what was
    /// found so far is part of it.
    pub fn globals(&mut self, functions: &[FuncId], reads: &FxHashMap<FuncId, Reads>, mut visits: Visits<'_>) {
        let written = self.analyses().mod_ref().function(self.program().start).writes.registers.clone();
        if let Err(Spent) = self.globals_by_order(functions, reads, &written, &mut visits) {
            self.globals_without_order(functions, reads, &written);
        }
    }

    fn globals_by_order(
        &mut self,
        functions: &[FuncId],
        reads: &FxHashMap<FuncId, Reads>,
        written: &BTreeSet<GlobalVar>,
        visits: &mut Visits<'_>,
    ) -> Result<(), Spent> {
        let effects = |func: FuncId| self.analyses().mod_ref().function(func);
        let touched: FxHashMap<FuncId, BTreeSet<GlobalVar>> = functions
            .iter()
            .map(|&func| {
                let all = effects(func).reads.registers.iter().chain(&effects(func).writes.registers);
                (func, all.copied().filter(|var| written.contains(var)).collect())
            })
            .collect();
        let (transparent, ends) = (FxHashSet::default(), FxHashMap::default());
        let mut globals = Globals { written: written.clone(), touched, transparent, ends };
        self.find_transparent(functions, &mut globals, visits)?;
        for &func in functions {
            for &var in &globals.touched[&func] {
                let ends = Ends { entry: self.join(), exit: self.join() };
                globals.ends.insert((func, var), ends);
            }
        }
        for &func in functions {
            for &var in &globals.touched[&func] {
                self.global(func, var, &reads[&func], &globals, visits)?;
            }
        }
        Ok(())
    }

    /// Every read of a global sees every write.
    fn globals_without_order(
        &mut self,
        functions: &[FuncId],
        reads: &FxHashMap<FuncId, Reads>,
        written: &BTreeSet<GlobalVar>,
    ) {
        let contents: FxHashMap<GlobalVar, Vertex> = written.iter().map(|&var| (var, self.join())).collect();
        for &func in functions {
            let function = self.program().function(func);
            for edge in function.edge_ids() {
                if let Some(VarRef::Global(var)) = function.edge(edge).op.written() {
                    let writer = self.vertex((func, edge));
                    self.depends(contents[&var], writer);
                }
                for (var, reader) in &reads[&func].globals[edge] {
                    if let Some(&content) = contents.get(var) {
                        self.depends(*reader, content);
                    }
                }
            }
        }
    }

    /// Callees first. In recursion a value passes, unless it is known that it does not.
    fn find_transparent(
        &self,
        functions: &[FuncId],
        globals: &mut Globals,
        visits: &mut Visits<'_>,
    ) -> Result<(), Spent> {
        let graph = self.analyses().resolved_calls();
        let known: FxHashSet<FuncId> = functions.iter().copied().collect();
        let mut done: FxHashSet<FuncId> = FxHashSet::default();
        for &func in graph.bottom_up().iter().filter(|func| known.contains(func)) {
            let function = self.program().function(func);
            let writes = &self.analyses().mod_ref().function(func).writes.registers;
            let mut visited = Visited::new(function);
            for &var in &globals.touched[&func] {
                let passes_call = |callee: FuncId| {
                    !done.contains(&callee)
                        || !globals.touches(callee, var)
                        || globals.transparent.contains(&(callee, var))
                };
                let passes = |edge: EdgeId| {
                    let mut targets = graph.targets(func, edge).peekable();
                    targets.peek().is_none() || targets.any(passes_call)
                };
                if !writes.contains(&var) || reaches_exit(function, var, &mut visited, passes) {
                    globals.transparent.insert((func, var));
                }
                if visits.are_spent(&mut visited) {
                    return Err(Spent);
                }
            }
            done.insert(func);
        }
        Ok(())
    }

    fn global(
        &mut self,
        func: FuncId,
        var: GlobalVar,
        reads: &Reads,
        globals: &Globals,
        visits: &mut Visits<'_>,
    ) -> Result<(), Spent> {
        let function = self.program().function(func);
        let ends = globals.ends[&(func, var)];
        let mut around: FxHashMap<EdgeId, Around> = FxHashMap::default();
        for edge in function.edge_ids() {
            let targets: Vec<FuncId> = self.analyses().resolved_calls().targets(func, edge).collect();
            if targets.iter().any(|&callee| globals.touches(callee, var)) {
                around.insert(edge, self.call_of_global(var, &targets, globals));
            }
        }
        let mut visited = Visited::new(function);
        let mut follow = |from: Loc| {
            let sinks = follow(function, var, reads, &around, from, &mut visited);
            if visits.are_spent(&mut visited) { Err(Spent) } else { Ok(sinks) }
        };
        let sinks = follow(function.entry)?;
        // What comes in at the entry and reaches the exit is the callers' business: see `find_transparent`.
        self.flows(ends.entry, &sinks, &around);
        for edge in function.edge_ids() {
            let to = function.edge(edge).to;
            if function.edge(edge).op.written() == Some(VarRef::Global(var)) {
                let (writer, sinks) = (self.vertex((func, edge)), follow(to)?);
                self.flows(writer, &sinks, &around);
                self.flows_out(writer, &sinks, &around, ends.exit);
            } else if let Some(call) = around.get(&edge) {
                let sinks = follow(to)?;
                self.flows(call.after, &sinks, &around);
                self.flows_out(call.own_after, &sinks, &around, ends.exit);
            }
        }
        Ok(())
    }

    fn call_of_global(&mut self, var: GlobalVar, targets: &[FuncId], globals: &Globals) -> Around {
        let around =
            Around { before: self.join(), after: self.join(), own_before: self.join(), own_after: self.join() };
        let mut passes = false;
        for &callee in targets {
            let Some(ends) = globals.ends.get(&(callee, var)) else {
                passes = true;
                continue;
            };
            self.depends(ends.entry, around.before);
            self.depends(around.after, ends.exit);
            self.depends(around.own_after, ends.exit);
            passes |= globals.transparent.contains(&(callee, var));
        }
        if passes {
            self.depends(around.after, around.before);
            self.depends(around.own_after, around.own_before);
        }
        around
    }

    fn flows(&mut self, from: Vertex, sinks: &Sinks, around: &FxHashMap<EdgeId, Around>) {
        sinks.readers.iter().for_each(|&reader| self.depends(reader, from));
        sinks.calls.iter().for_each(|call| self.depends(around[call].before, from));
    }

    /// What was written in the function, on its way to the exit.
    fn flows_out(&mut self, from: Vertex, sinks: &Sinks, around: &FxHashMap<EdgeId, Around>, exit: Vertex) {
        sinks.calls.iter().for_each(|call| self.depends(around[call].own_before, from));
        if sinks.exit {
            self.depends(exit, from);
        }
    }
}

impl Globals {
    fn touches(&self, func: FuncId, var: GlobalVar) -> bool {
        self.written.contains(&var) && self.touched.get(&func).is_some_and(|vars| vars.contains(&var))
    }
}

/// The next events that the value of a global reaches from a location on.
fn follow(
    function: &Function,
    var: GlobalVar,
    reads: &Reads,
    around: &FxHashMap<EdgeId, Around>,
    from: Loc,
    visited: &mut Visited,
) -> Sinks {
    visited.start();
    let mut sinks = Sinks::default();
    let mut waiting = vec![from];
    while let Some(loc) = waiting.pop() {
        if !visited.insert(loc) {
            continue;
        }
        sinks.exit |= loc == function.exit;
        for edge in function.out_edges(loc) {
            let readers = reads.globals[edge].iter().filter(|read| read.0 == var);
            sinks.readers.extend(readers.map(|read| read.1));
            if around.contains_key(&edge) {
                sinks.calls.push(edge);
            } else if function.edge(edge).op.written() != Some(VarRef::Global(var)) {
                waiting.push(function.edge(edge).to);
            }
        }
    }
    sinks
}

/// Whether a path leads from the entry to the exit on which the global keeps its value.
fn reaches_exit(function: &Function, var: GlobalVar, visited: &mut Visited, passes: impl Fn(EdgeId) -> bool) -> bool {
    visited.start();
    let mut waiting = vec![function.entry];
    while let Some(loc) = waiting.pop() {
        if !visited.insert(loc) {
            continue;
        }
        if loc == function.exit {
            return true;
        }
        for edge in function.out_edges(loc) {
            if function.edge(edge).op.written() != Some(VarRef::Global(var)) && passes(edge) {
                waiting.push(function.edge(edge).to);
            }
        }
    }
    false
}
