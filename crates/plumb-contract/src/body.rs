//! Contracts as bodies.
//!
//! The body saves what the contract calls old, gives every place that the function may write, and the result, an arbitrary
//! value, assumes each case and returns.
//!
//! **Soundness.** A call that returns and keeps the contract has a counterpart in the body: what it may have changed is what
//! mod/ref says of the original ([`written_places`]), and the values that it leaves are among the arbitrary ones. A function
//! whose writes have no names is refused. Calls that do not return have none, which the rule provides for (see the crate).

use crate::cell::{Atom, Cell};
use crate::contract::Contract;
use crate::lower::Lowering;
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::chain::Chain;
use plumb_ir::derive::replace_body::{Body, WrittenPlaces, replace_body, written_places};
use plumb_ir::derive::{Derived, Provenance, Runs};
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::input::InputOrigin;
use plumb_ir::program::{FuncId, Loc, LocalVar, Op, Program, VarRef};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A program with contracts for bodies.
#[derive(Clone, Debug)]
pub struct Summarised {
    pub derived: Derived,
    /// By function with a contract.
    pub installed: BTreeMap<FuncId, Installed>,
}

/// Where the body of a contract keeps what it speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Installed {
    /// By symbol of the contract, the register with its value at `returns`.
    pub atoms: Vec<LocalVar>,
    /// What it returns there.
    pub result: Option<LocalVar>,
    /// Where the edge begins by which it returns: everything is assumed.
    pub returns: Loc,
}

/// The program in which functions have their contracts for bodies, wherever and however they are called; or why one of them cannot.
/// Every run of the original whose calls keep the contracts has its counterpart ([`Runs::More`]), as far as it is outside of the
/// contracted functions.
pub fn summarised(analyses: &Analyses, contracts: &[Contract]) -> Result<Summarised, String> {
    let program = analyses.program();
    let mut derived = Derived { program: program.clone(), provenance: Provenance::identity(program) };
    without_input_assumptions(&mut derived.program);
    let mut installed = BTreeMap::new();
    for contract in contracts {
        contract.check(program)?;
        let written = written_places(analyses, contract.func)?;
        let (body, places) = contract_body(&derived.program, contract, &written)?;
        if installed.insert(contract.func, places).is_some() {
            return Err(format!("{} has two contracts", program.function(contract.func).name));
        }
        let next = replace_body(&derived.program, contract.func, body, Runs::More)?;
        let provenance = next.provenance.after(&derived.provenance);
        derived = Derived { program: next.program, provenance };
    }
    Ok(Summarised { derived, installed })
}

/// Checks that are assumptions of values from outside become checks: what a contract leaves open is not from outside, since the original
/// may have computed it.
pub fn without_input_assumptions(program: &mut Program) {
    if program.checks.iter().any(|check| check.of_inputs) {
        Arc::make_mut(&mut program.checks).iter_mut().for_each(|check| check.of_inputs = false);
    }
}

/// The body that does whatever the contract allows. Its inputs follow those of the program.
fn contract_body(program: &Program, contract: &Contract, written: &WrittenPlaces) -> Result<(Body, Installed), String> {
    let function = program.function(contract.func);
    let origin = InputOrigin::Summary(function.name.clone());
    let mut chain = Chain::new(program, function.without_body(), Loc(0), function.span);
    // Nothing writes the parameters.
    let parameter = |chain: &mut Chain<'_>, var: LocalVar| {
        let ty = chain.parts.vars[var].ty;
        chain.parts.exprs.push(ExprKind::Var(VarRef::Local(var)), ty)
    };
    let mut places = Places::new(contract);
    places.save_entry(&mut chain, &parameter);
    chain.havoc_places(written, &origin);
    let result = function.ret.map(|ty| chain.input(origin, ty, None));
    places.save_exit(&mut chain, &parameter, result);
    for case in 0..contract.cases.len() {
        let cond = places.case(&mut chain, case)?;
        chain.step(Op::Assume { cond, branch: None });
    }
    let (returns, exit) = (chain.at, chain.parts.exit);
    chain.last_step(Op::Return(result), exit);
    let result = result.and_then(|expr| register(&chain, expr));
    let installed = Installed { atoms: places.registers(&chain)?, result, returns };
    Ok((chain.into_body(), installed))
}

/// The register that an expression is.
pub(crate) fn register(chain: &Chain<'_>, expr: ExprId) -> Option<LocalVar> {
    match chain.parts.exprs.kind(expr) {
        ExprKind::Var(VarRef::Local(var)) => Some(var),
        _ => None,
    }
}

/// The values of a contract's symbols in registers of one function.
pub(crate) struct Places<'c> {
    contract: &'c Contract,
    /// By symbol.
    values: Vec<Option<ExprId>>,
    lowering: Lowering,
}

/// The arguments of the call, in registers that nothing writes.
pub(crate) type Arguments<'a> = dyn Fn(&mut Chain<'_>, LocalVar) -> ExprId + 'a;

impl<'c> Places<'c> {
    pub fn new(contract: &'c Contract) -> Places<'c> {
        Places { contract, values: vec![None; contract.symbols.len()], lowering: Lowering::default() }
    }

    /// Before the call, or what stands for it.
    pub fn save_entry(&mut self, chain: &mut Chain<'_>, parameter: &Arguments<'_>) {
        for (at, symbol) in self.contract.symbols.iter().enumerate() {
            if let Atom::Entry(cell) = symbol.atom {
                let value = cell.read(chain, symbol.ty, parameter);
                self.set(at, if matches!(cell, Cell::Parameter(_)) { value } else { kept(chain, value) });
            }
        }
    }

    /// After it.
    pub fn save_exit(&mut self, chain: &mut Chain<'_>, parameter: &Arguments<'_>, result: Option<ExprId>) {
        for (at, symbol) in self.contract.symbols.iter().enumerate() {
            match (symbol.atom, result) {
                (Atom::Exit(cell), _) => {
                    let value = cell.read(chain, symbol.ty, parameter);
                    let value = kept(chain, value);
                    self.set(at, value);
                }
                (Atom::Result, Some(result)) => self.set(at, result),
                (Atom::Entry(_), _) | (Atom::Result, None) => {}
            }
        }
    }

    fn set(&mut self, at: usize, value: ExprId) {
        self.values[at] = Some(value);
        self.lowering.set(self.contract.symbols[at].term, value);
    }

    /// What a case says: `requires` implies `ensures`.
    fn case(&mut self, chain: &mut Chain<'_>, case: usize) -> Result<ExprId, String> {
        let ensures = self.contract.cases[case].ensures;
        self.implied(chain, case, ensures)
    }

    /// The `requires` of a case implies a condition.
    pub fn implied(&mut self, chain: &mut Chain<'_>, case: usize, then: plumb_term::TermId) -> Result<ExprId, String> {
        let (terms, requires) = (&self.contract.terms, self.contract.cases[case].requires);
        let mut make = chain.make();
        let requires = self.lowering.lower(terms, requires, &mut make)?;
        let then = self.lowering.lower(terms, then, &mut make)?;
        let otherwise = make.not(requires);
        Ok(make.or(otherwise, then))
    }

    /// By symbol, the register with its value.
    pub fn registers(&self, chain: &Chain<'_>) -> Result<Vec<LocalVar>, String> {
        let found = self.values.iter().map(|value| value.and_then(|expr| register(chain, expr)));
        found.collect::<Option<_>>().ok_or_else(|| "a symbol of a contract has no value".to_string())
    }
}

/// The value in a register of its own, so that later edges do not change it.
fn kept(chain: &mut Chain<'_>, value: ExprId) -> ExprId {
    let ty = chain.parts.exprs.ty(value);
    let var = chain.save(value);
    chain.parts.exprs.push(ExprKind::Var(var), ty)
}
