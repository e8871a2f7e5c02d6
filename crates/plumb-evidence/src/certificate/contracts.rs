//! Contracts as data, and back.

use super::write::proof_data;
use super::{AtomData, CaseData, CellData, ContractData, ContractSymbol, ProofData, UnitProof};
use plumb_answer::Proof;
use plumb_contract::{Atom, Case, Cell, Contract, Symbol, summarised, type_of, unit_of};
use plumb_ir::analysis::Analyses;
use plumb_ir::program::{FuncId, GlobalObj, GlobalVar, LocalVar, Program};
use plumb_term::Terms;
use plumb_term::exchange::{self, Writer};

/// A proof by contracts, if the programs that it is about can be derived.
pub(super) fn modular(
    program: &Program,
    contracts: &[Contract],
    units: &[(FuncId, Proof)],
    top: &Proof,
) -> Result<ProofData, String> {
    let analyses = Analyses::new(program);
    let mut written = Vec::new();
    for (func, proof) in units {
        let contract = contracts.iter().find(|contract| contract.func == *func);
        let contract = contract.ok_or("a unit has no contract")?;
        let unit = unit_of(&analyses, contract, contracts)?;
        written.push(UnitProof { function: func.0, proof: proof_data(&unit.derived.program, proof) });
    }
    let whole = summarised(&analyses, contracts)?;
    let top = Box::new(proof_data(&whole.derived.program, top));
    let contracts = contracts.iter().map(|contract| contract_data(program, contract)).collect();
    Ok(ProofData::Modular { contracts, units: written, top })
}

fn contract_data(program: &Program, contract: &Contract) -> ContractData {
    let mut writer = Writer::new();
    let cases = contract.cases.iter().map(|case| CaseData {
        requires: writer.line(&contract.terms, case.requires),
        ensures: writer.line(&contract.terms, case.ensures),
    });
    let cases = cases.collect();
    // Each symbol is one of the program that the contract makes, whether a case uses it or not.
    let symbols = contract.symbols.iter().map(|symbol| ContractSymbol {
        line: writer.line(&contract.terms, symbol.term),
        place: atom_data(symbol.atom),
        signed: symbol.is_signed,
        name: symbol.atom.name(program, contract.func),
    });
    let symbols = symbols.collect();
    let name = program.function(contract.func).name.to_string();
    ContractData { function: contract.func.0, name, lines: writer.into_lines(), symbols, cases }
}

fn atom_data(atom: Atom) -> AtomData {
    let cell = |cell: Cell| match cell {
        Cell::Parameter(var) => CellData::Parameter(var.0),
        Cell::Global(var) => CellData::GlobalRegister(var.0),
        Cell::Object(object, offset) => CellData::GlobalBytes { object: object.0, offset },
        Cell::Pointee(var, offset) => CellData::Pointee { parameter: var.0, offset },
    };
    match atom {
        Atom::Entry(one) => AtomData::Entry(cell(one)),
        Atom::Exit(one) => AtomData::Exit(cell(one)),
        Atom::Result => AtomData::Result,
    }
}

/// The contracts of a certificate, each of which may be one of the program.
pub(crate) fn read_contracts(program: &Program, data: &[ContractData]) -> Result<Vec<Contract>, String> {
    let mut contracts = Vec::new();
    for one in data {
        let contract = read_contract(one)?;
        contract.check(program)?;
        contracts.push(contract);
    }
    Ok(contracts)
}

fn read_contract(data: &ContractData) -> Result<Contract, String> {
    let mut terms = Terms::new();
    let wrong =
        |(number, why): (usize, String)| format!("line {number} of the contract of {} is malformed: {why}", data.name);
    let lines = exchange::read(&mut terms, &data.lines).map_err(wrong)?;
    let line = |number: u32| {
        let term = lines.get(number as usize).copied();
        term.ok_or_else(|| format!("the contract of {} has no line {number}", data.name))
    };
    let mut symbols = Vec::new();
    for symbol in &data.symbols {
        let term = line(symbol.line)?;
        let ty = type_of(terms.sort(term))?;
        symbols.push(Symbol { term, atom: atom(symbol.place), ty, is_signed: symbol.signed });
    }
    let mut cases = Vec::new();
    for case in &data.cases {
        cases.push(Case { requires: line(case.requires)?, ensures: line(case.ensures)? });
    }
    Ok(Contract { func: FuncId(data.function), terms, symbols, cases })
}

fn atom(data: AtomData) -> Atom {
    let cell = |data: CellData| match data {
        CellData::Parameter(var) => Cell::Parameter(LocalVar(var)),
        CellData::GlobalRegister(var) => Cell::Global(GlobalVar(var)),
        CellData::GlobalBytes { object, offset } => Cell::Object(GlobalObj(object), offset),
        CellData::Pointee { parameter, offset } => Cell::Pointee(LocalVar(parameter), offset),
    };
    match data {
        AtomData::Entry(one) => Atom::Entry(cell(one)),
        AtomData::Exit(one) => Atom::Exit(cell(one)),
        AtomData::Result => Atom::Result,
    }
}
