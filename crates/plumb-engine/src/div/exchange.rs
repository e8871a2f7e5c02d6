//! What other engines can use of contracts and their proofs, posted on the board.
//!
//! ```text
//!   proved      invariants   what a unit's proof shows at the loops of the unit
//!   candidates  predicates   what contracts say of results and globals, at the loops of callers
//!               states       what runs with the inputs of false alarms have at loop heads
//! ```
//!
//! **Soundness.** A unit calls its function in an arbitrary state, so that what holds at the head of a loop of the function in every run
//! of the unit holds there in every run of the program, as long as inner calls keep their contracts. Facts are posted when each
//! contract in use is proved. Functions that the unit calls have callers elsewhere; nothing is posted of their loops. States are
//! those of whole runs: the states of a unit's runs may be none that the program gets into.

use super::specification::{Shown, Specification};
use super::tuning::TUNING;
use crate::answer::{Proof, Violation};
use crate::board::{Board, LoopFact};
use crate::facts::Fact;
use crate::facts::samples::states_of_run;
use plumb_contract::{Atom, Cell, Contract, Summarised, Unit, conjuncts};
use plumb_exec::ListInputs;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::{LoopId, LoopKey};
use plumb_ir::analysis::signature::split;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::program::{FuncId, Function, Loc, ObjRef, Op, Program, VarRef};
use plumb_sym::StatePart;
use plumb_term::TermId;
use std::collections::BTreeMap;
use std::sync::Arc;

pub const NAME: &str = "div";

/// What a unit's proof shows at the loops of its function, about the original.
pub fn unit_invariants(analyses: &Analyses, unit: &Unit, proof: &Proof) -> Vec<LoopFact> {
    let invariants = match proof {
        Proof::Induction { invariants, .. } | Proof::Abstraction { invariants: Some(invariants), .. } => invariants,
        Proof::OnlyRun { .. }
        | Proof::AllStates { .. }
        | Proof::Bounded { .. }
        | Proof::Abstraction { .. }
        | Proof::Exploration { .. }
        | Proof::Modular { .. } => {
            return Vec::new();
        }
    };
    let mut list = Vec::new();
    for one in invariants.loops.iter().filter(|one| one.func == unit.body) {
        let Some((func, head)) = unit.derived.provenance.location(one.func, one.head).original() else { continue };
        let Some(key) = loop_at(analyses, func, head) else { continue };
        let part = |symbol: TermId| one.symbols.iter().find(|(known, _)| *known == symbol).map(|(_, part)| *part);
        let facts = one.facts.iter().filter_map(|fact| Fact::about_parts(&invariants.terms, *fact, &part));
        list.extend(facts.map(|fact| LoopFact { key, fact: Arc::new(fact) }));
    }
    list
}

fn loop_at(analyses: &Analyses, func: FuncId, head: Loc) -> Option<LoopKey> {
    let at = analyses.shape(func).loops.loops.iter().position(|one| one.head == head)?;
    Some((func, LoopId(at as u32)))
}

/// Posts what is proved of units, if every contract is.
pub fn post(board: &Board, analyses: &Analyses, specifications: &mut BTreeMap<FuncId, Specification>) {
    let is_proved =
        |one: &Specification| one.proof.as_ref().is_some_and(|proof| matches!(proof.shown, Shown::Proof(_)));
    if !specifications.values().all(is_proved) {
        return;
    }
    for specification in specifications.values_mut() {
        let proof = specification.proof.iter();
        board.invariants.post(NAME, proof.flat_map(|proof| proof.invariants.iter().cloned()));
        if !specification.is_trivial() {
            board.predicates.post(NAME, candidates(analyses, specification.contract()));
        }
    }
}

/// Posts the states of the original's run with the inputs of an alarm.
pub fn post_states(board: &Board, analyses: &Analyses, summarised: &Summarised, violation: &Violation) {
    let home = summarised.derived.provenance.inputs_home(&violation.inputs);
    let mut inputs = ListInputs::new(home.into_iter().map(|(_, value)| value));
    inputs.zeros_after = true;
    board.states.post(NAME, states_of_run(analyses, board.observed(analyses), &mut inputs));
}

/// What a contract says where a function goes round a loop and keeps the result of a call: a candidate, since the loop may be
/// entered otherwise.
fn candidates(analyses: &Analyses, mut contract: Contract) -> Vec<LoopFact> {
    let program = analyses.program();
    let mut claims = Vec::new();
    for case in contract.cases.clone() {
        for conjunct in conjuncts(&contract.terms, case.ensures) {
            claims.push(contract.terms.implies(case.requires, conjunct));
        }
    }
    let mut list = Vec::new();
    for &(caller, edge) in analyses.resolved_calls().callers(contract.func) {
        let function = program.function(caller);
        let edge = function.edge(edge);
        let Op::Call { to, args, .. } = &edge.op else { continue };
        let register = |expr: ExprId| match function.exprs.kind(expr) {
            ExprKind::Var(var) => Some(StatePart::Register(var)),
            _ => None,
        };
        let part = |symbol: TermId| match contract.symbols.iter().find(|one| one.term == symbol)?.atom {
            Atom::Result => to.map(StatePart::Register),
            Atom::Entry(Cell::Parameter(var)) => args.get(usize::from(var)).and_then(|arg| register(*arg)),
            // What the function does not change is the same before and after.
            Atom::Entry(cell) if contract.symbols.iter().any(|one| one.atom == Atom::Exit(cell)) => None,
            Atom::Entry(Cell::Pointee(var, offset)) | Atom::Exit(Cell::Pointee(var, offset)) => {
                args.get(usize::from(var)).and_then(|arg| passed_part(program, function, *arg, offset))
            }
            Atom::Entry(cell) | Atom::Exit(cell) => static_part(cell),
        };
        let facts = claims.iter().filter_map(|claim| Fact::about_parts(&contract.terms, *claim, &part));
        let facts: Vec<Arc<Fact>> = facts.take(TUNING.call_candidates).map(Arc::new).collect();
        let loops = analyses.shape(caller).loops.loops.iter().enumerate();
        for (at, _) in loops.filter(|(_, one)| one.body.contains(&edge.from)) {
            let key = (caller, LoopId(at as u32));
            list.extend(facts.iter().map(|fact| LoopFact { key, fact: fact.clone() }));
        }
    }
    list
}

/// What lies at an offset from an argument that is the address of an object with a name.
fn passed_part(program: &Program, function: &Function, argument: ExprId, offset: u64) -> Option<StatePart> {
    let (base, sum, indices) = split(function, argument, program);
    match function.exprs.kind(base) {
        ExprKind::Addr(object) if indices.is_empty() => {
            Some(StatePart::Bytes(object, u64::try_from(sum).ok()?.checked_add(offset)?))
        }
        _ => None,
    }
}

fn static_part(cell: Cell) -> Option<StatePart> {
    match cell {
        Cell::Global(var) => Some(StatePart::Register(VarRef::Global(var))),
        Cell::Object(object, offset) => Some(StatePart::Bytes(ObjRef::Global(object), offset)),
        Cell::Parameter(_) | Cell::Pointee(..) => None,
    }
}
