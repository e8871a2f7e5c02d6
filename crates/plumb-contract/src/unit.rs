//! Units: the programs that prove contracts.
//!
//! The unit calls the function's own body once, in an arbitrary state, and checks the contract where it returns. The function
//! that is called is a copy: the function itself, like every other with a contract, has the contract for a body, and that is
//! what calls out of the body reach, by name or by address. Checks that the body meets stay where they are.
//!
//! **Runs.** As those of [`plumb_ir::derive::unit`] for the state, and of [`summarised`] for the calls inside: every call of the
//! function in a run of the original whose inner calls keep their contracts is among them. What cannot be built runs into
//! a check of kind `Unsupported`, which a proof must show not to be reached.

use crate::body::{Installed, Places, Summarised, summarised};
use crate::contract::{Contract, conjuncts};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::lifetime::LARGEST_STACK;
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::derive::chain::Chain;
use plumb_ir::derive::unit::{arbitrary_call, called_once, end_program};
use plumb_ir::derive::{Derived, FunctionProvenance, Provenance};
use plumb_ir::expr::ExprKind;
use plumb_ir::program::{Callee, FuncId, LocalVar, Op, Program};
use plumb_sym::{Assumed, FaultSite};
use plumb_term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// The program that proves a contract.
#[derive(Clone, Debug)]
pub struct Unit {
    pub derived: Derived,
    /// The copy of the function that it calls.
    pub body: FuncId,
    /// What it checks of the contract, in order. Where the contract promises nothing there is one check that cannot fail, so that what
    /// the body does is looked at nevertheless.
    pub checks: Vec<UnitCheck>,
    /// By symbol of the contract, the register of the start function with its value where the checks are.
    pub atoms: Vec<LocalVar>,
    /// By function with a contract, among them this one: what inner calls run.
    pub installed: BTreeMap<FuncId, Installed>,
}

/// A conjunct of an `ensures`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnitCheck {
    /// In the derived program.
    pub check: CheckId,
    /// `None` for the check that cannot fail.
    pub of: Option<(usize, TermId)>,
}

/// The program that proves a contract, with the other contracts in use, or why there is none. Contracts of the same function among the
/// others are left out.
pub fn unit_of(analyses: &Analyses, contract: &Contract, others: &[Contract]) -> Result<Unit, String> {
    let original = analyses.program();
    contract.check(original)?;
    let mut contracts: Vec<Contract> = others.iter().filter(|other| other.func != contract.func).cloned().collect();
    contracts.push(contract.clone());
    let Summarised { derived: mut with_copy, installed } = summarised(analyses, &contracts)?;
    let func = contract.func;
    let body = with_copy.program.functions.push_and_get_key(original.functions[func].clone());
    with_copy.provenance.functions.push(FunctionProvenance::identity(original, func));

    let (mut start, args) = arbitrary_call(analyses, &with_copy.program, func);
    let arguments = args.clone();
    let parameter = move |_: &mut Chain<'_>, var: LocalVar| arguments[usize::from(var)];
    let mut places = Places::new(contract);
    places.save_entry(&mut start, &parameter);
    let result = original.function(func).ret.map(|ty| (start.local(ty), ty));
    start.step(Op::Call { to: result.map(|(var, _)| var), callee: Callee::Direct(body), args });
    let result = result.map(|(var, ty)| start.parts.exprs.push(ExprKind::Var(var), ty));
    places.save_exit(&mut start, &parameter, result);
    let checks = check_cases(&mut start, contract, &mut places)?;
    let atoms = places.registers(&start)?;
    end_program(&mut start);
    let mut derived = called_once(start, func);
    derived.program.entry = Some(body);
    derived.provenance = derived.provenance.after(&with_copy.provenance);
    match plumb_ir::verify::verify(&derived.program).into_iter().next() {
        None => Ok(Unit { derived, body, checks, atoms, installed }),
        Some(broken) => Err(broken),
    }
}

/// A check for each conjunct of each `ensures`.
fn check_cases(start: &mut Chain<'_>, contract: &Contract, places: &mut Places<'_>) -> Result<Vec<UnitCheck>, String> {
    let name = start.program.function(contract.func).name.clone();
    let mut checks = Vec::new();
    for (case, formulas) in contract.cases.iter().enumerate() {
        for conjunct in conjuncts(&contract.terms, formulas.ensures) {
            let cond = places.implied(start, case, conjunct)?;
            let message = format!("{name} does not keep case {} of its contract", case + 1);
            let check = start.check(cond, CheckKind::Assertion, &message);
            checks.push(UnitCheck { check, of: Some((case, conjunct)) });
        }
    }
    if checks.is_empty() {
        let cond = start.make().bool(true);
        let check = start.check(cond, CheckKind::Assertion, &format!("{name} does not keep its contract"));
        checks.push(UnitCheck { check, of: None });
    }
    Ok(checks)
}

/// What a proof of a derived program supposes, said of the original.
pub fn assumed_home(original: &Program, provenance: &Provenance, assumed: &BTreeSet<Assumed>) -> BTreeSet<Assumed> {
    let home = |site: FaultSite| {
        let (func, edge) = provenance.edge(site.func, site.edge).original()?;
        Some(FaultSite { func, loc: original.function(func).edge(edge).from, edge })
    };
    assumed.iter().map(|one| Assumed { site: one.site.and_then(home), kind: one.kind }).collect()
}

/// A function, called by contracted ones or one of them, for whose activations the stack may not suffice as far as the call graph
/// tells: it is recursive, or its frames grow. A proof with these contracts supposes that there is room for it.
pub fn unbounded_stack(analyses: &Analyses, contracts: &[Contract]) -> Option<FuncId> {
    unbounded_stack_of(analyses, contracts.iter().map(|contract| contract.func))
}

/// The same of functions that are said to have contracts.
pub fn unbounded_stack_of(analyses: &Analyses, functions: impl IntoIterator<Item = FuncId>) -> Option<FuncId> {
    let fits = |func: FuncId| analyses.lifetimes().stack_bound(func).is_some_and(|bytes| bytes <= LARGEST_STACK);
    let called = functions.into_iter().flat_map(|func| analyses.resolved_calls().reachable(func));
    called.into_iter().find(|func| !fits(*func))
}
