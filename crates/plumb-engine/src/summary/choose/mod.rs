//! Which functions and which of their calls are worth a summary, and why.
//!
//! After Kim and Choi, "PBE-Based Selective Abstraction and Refinement for Efficient Property Falsification of Embedded
//! Software" (FSE 2024), section 3.3.1. Its nodes are the edges of the automata here.
//!
//! * *Auxiliary functions* (Definition 4) have inputs and a result and change nothing else: those with a
//!   [signature](plumb_ir::analysis::signature).
//! * The *context* of a call (Definition 5) is the set of edges that contribute to its inputs: the fixpoint of data
//!   dependence (Definition 3) from the call on.
//! * A call is *deterministic* (Definition 6) if no value from outside influences its inputs. A summary would gain little.
//! * A call is *independent* (Definition 7) if it is not deterministic and nothing outside of its context and of the
//!   function uses what the context computes: any input may come together with any state of the rest, so an arbitrary
//!   result stands for it.
//! * All other calls are *dependent*: they are what summaries are made for.
//!
//! Where the paper leaves something open: a call of an auxiliary function is one node, since by its signature the result
//! depends on the inputs only. In Definition 7 the result of the call itself does not count as computed by the
//! context, or no call whose result is used would be independent; and an edge uses what another one computes if it is
//! data-dependent on it. A value that is chosen by a branch on one from outside is not deterministic either, although a
//! context has data dependence only. Indeterminate values of uninitialised variables do not come from outside.
//!
//! ```text
//!   dependence    the graph of data dependence, from these:
//!   reads           what an edge reads, and what it does to memory
//!   locals          from writes to reads of a function's registers
//!   globals         from writes to reads of global registers, across calls
//!   outside       what values from outside influence
//! ```

mod dependence;
mod globals;
mod locals;
mod outside;
mod reads;
#[cfg(test)]
mod tests;

pub use dependence::{Dependence, Node};

use super::complexity::complexities;
use crate::budget::Budget;
use crate::summary::tuning::TUNING;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::{NoSignature, Signature, signature};
use plumb_ir::index::TiVec;
use plumb_ir::program::{Callee, FuncId, Op, Program};
use std::collections::{BTreeMap, BTreeSet};

/// What there is to say of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionRole {
    pub func: FuncId,
    pub kind: FunctionKind,
    /// Branches of the function and of all that it calls, call by call.
    pub complexity: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FunctionKind {
    /// The function that the program begins with.
    Entry,
    /// No run calls it.
    Unreached,
    Auxiliary(Signature),
    NotAuxiliary(NoSignature),
}

/// A call of an auxiliary function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallRole {
    pub callee: FuncId,
    pub role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Deterministic,
    Independent,
    Dependent,
}

pub struct Choice {
    /// The user's functions.
    pub functions: Vec<FunctionRole>,
    /// The calls of auxiliary functions.
    pub calls: BTreeMap<Node, CallRole>,
    dependence: Dependence,
}

impl Choice {
    /// The context of a call of an auxiliary function: edges of the user's functions, the call included.
    pub fn context(&self, program: &Program, call: Node) -> BTreeSet<Node> {
        let is_users = |node: &Node| is_users(program, node.0);
        self.dependence.context(call).into_iter().filter(is_users).collect()
    }

    pub fn calls_of(&self, func: FuncId) -> impl Iterator<Item = (Node, Role)> + '_ {
        self.calls.iter().filter(move |(_, call)| call.callee == func).map(|(node, call)| (*node, call.role))
    }
}

/// Looks at every function and at every call of an auxiliary one; `None` if the budget is over before that is done.
pub fn choose(analyses: &Analyses, budget: &Budget) -> Option<Choice> {
    let program = analyses.program();
    let reached: BTreeSet<FuncId> = analyses.resolved_calls().reachable(program.start).into_iter().collect();
    let complexities = complexities(analyses);
    let mut functions = Vec::new();
    let mut auxiliary: TiVec<FuncId, Option<Signature>> = vec![None; program.functions.len()].into();
    for func in program.function_ids().filter(|&func| is_users(program, func)) {
        if budget.is_over() {
            return None;
        }
        let kind = if program.entry == Some(func) {
            FunctionKind::Entry
        } else if !reached.contains(&func) {
            FunctionKind::Unreached
        } else {
            match signature(analyses, func) {
                Ok(found) => {
                    auxiliary[func] = Some(found.clone());
                    FunctionKind::Auxiliary(found)
                }
                Err(refusal) => FunctionKind::NotAuxiliary(refusal),
            }
        };
        functions.push(FunctionRole { func, kind, complexity: complexities[func] });
    }
    let dependence = Dependence::of(analyses, &auxiliary, TUNING.max_global_visits, budget)?;
    let mut calls = BTreeMap::new();
    for &func in &reached {
        let function = program.function(func);
        for edge in function.edge_ids() {
            let Op::Call { callee: Callee::Direct(callee), .. } = function.edge(edge).op else { continue };
            if budget.is_over() {
                return None;
            }
            if auxiliary[callee].is_some() {
                let role = role(analyses, &dependence, (func, edge), callee);
                calls.insert((func, edge), CallRole { callee, role });
            }
        }
    }
    Some(Choice { functions, calls, dependence })
}

fn role(analyses: &Analyses, dependence: &Dependence, call: Node, callee: FuncId) -> Role {
    if !dependence.depends_on_outside(call) {
        Role::Deterministic
    } else if dependence.is_independent(call, |func| is_only_below(analyses, func, callee)) {
        Role::Independent
    } else {
        Role::Dependent
    }
}

/// Whether a function runs only in calls of another one.
fn is_only_below(analyses: &Analyses, func: FuncId, above: FuncId) -> bool {
    if func == above {
        return true;
    }
    let graph = analyses.resolved_calls();
    let mut seen = BTreeSet::from([func]);
    let mut waiting = vec![func];
    while let Some(id) = waiting.pop() {
        if id == analyses.program().start {
            return false;
        }
        let callers = graph.callers(id).iter().map(|call| call.0).filter(|caller| *caller != above);
        waiting.extend(callers.filter(|caller| seen.insert(*caller)));
    }
    true
}

fn is_users(program: &Program, func: FuncId) -> bool {
    let function = program.function(func);
    function.has_body && !function.is_library && func != program.start
}
