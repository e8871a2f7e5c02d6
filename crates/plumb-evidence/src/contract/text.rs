//! Formulas of contracts as C expressions.

use crate::witness::names::{extents, is_lvalue, member, model, name, signedness};
use plumb_c::source::{Place, Span};
use plumb_c::types::Type;
use plumb_contract::{Atom, Cell, Contract, conjuncts};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::replace_body::written_places;
use plumb_ir::index::TiSlice;
use plumb_ir::program::{FuncId, GlobalVar, LocalVar, ObjRef, Program, VarRef};
use plumb_sym::{StatePart, sort_of};
use plumb_term::c_print::{CName, expression};
use plumb_term::{Sort, SymbolId, TermId};
use serde::{Deserialize, Serialize};

/// A formula that is longer than this helps nobody.
const LONGEST: usize = 4000;

/// How the value that something had when the function was called is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Old {
    /// `\at(x, Old)`, as witnesses write it.
    At,
    /// `\old(x)`, as ACSL does.
    Acsl,
}

/// A contract as C.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ContractText {
    pub function: String,
    pub place: Option<Place>,
    pub cases: Vec<CaseText>,
    /// Formulas that C has no names for.
    pub inexpressible_conditions: usize,
}

/// `requires ==> ensures`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaseText {
    /// About the state in which the function returns: what it was called with is old.
    pub requires: String,
    pub ensures: Vec<String>,
}

impl ContractText {
    /// What holds when the function returns, as one expression.
    pub fn ensures(&self) -> String {
        let parts: Vec<String> = self.cases.iter().map(CaseText::implication).collect();
        if parts.is_empty() { "1".to_string() } else { parts.join(" && ") }
    }
}

impl CaseText {
    fn implication(&self) -> String {
        let ensures: Vec<String> = self.ensures.iter().map(|one| format!("({one})")).collect();
        let ensures = ensures.join(" && ");
        match (self.requires.as_str(), self.ensures.len()) {
            ("1", _) => ensures,
            (requires, 1) => format!("(!({requires}) || {ensures})"),
            (requires, _) => format!("(!({requires}) || ({ensures}))"),
        }
    }
}

/// Contracts as C, in their order.
pub fn contract_texts(program: &Program, contracts: &[Contract], old: Old) -> Vec<ContractText> {
    let extents = extents(program);
    contracts.iter().map(|contract| text(program, &extents, contract, old)).collect()
}

fn text(program: &Program, extents: &TiSlice<FuncId, Span>, contract: &Contract, old: Old) -> ContractText {
    let function = program.function(contract.func);
    let names = |symbol: SymbolId| {
        let term = contract.terms.symbol_term(symbol);
        let symbol = contract.symbols.iter().find(|symbol| symbol.term == term)?;
        let sort = contract.terms.sort(term);
        match symbol.atom {
            Atom::Result => {
                let is_signed = signedness(&program.types.table, function.ret_cty?, sort, program)?;
                Some(CName { text: "\\result".to_string(), is_signed })
            }
            Atom::Exit(cell) => cell_name(program, extents, contract.func, cell, sort),
            Atom::Entry(cell) => {
                let CName { text, is_signed } = cell_name(program, extents, contract.func, cell, sort)?;
                let text = match old {
                    Old::At => format!("\\at({text}, Old)"),
                    Old::Acsl => format!("\\old({text})"),
                };
                Some(CName { text, is_signed })
            }
        }
    };
    let model = model(program);
    let in_c = |term: TermId| expression(&contract.terms, term, model, &names, LONGEST).ok();
    let (mut cases, mut inexpressible_conditions) = (Vec::new(), 0);
    for case in &contract.cases {
        let all = conjuncts(&contract.terms, case.ensures);
        let Some(requires) = in_c(case.requires) else {
            inexpressible_conditions += 1 + all.len();
            continue;
        };
        let ensures: Vec<String> = all.iter().filter_map(|term| in_c(*term)).collect();
        inexpressible_conditions += all.len() - ensures.len();
        if !ensures.is_empty() {
            cases.push(CaseText { requires, ensures });
        }
    }
    ContractText {
        function: function.name.to_string(),
        place: program.sources.place(function.span),
        cases,
        inexpressible_conditions,
    }
}

/// What a call of the function writes at most, where that is nothing but scalar variables with names: of objects nobody here knows
/// which part is written, so that all of them might be.
pub(super) fn assigned(analyses: &Analyses, func: FuncId) -> Option<Vec<String>> {
    let program = analyses.program();
    let extents = extents(program);
    let written = written_places(analyses, func).ok()?;
    let has_objects = !(written.objects.is_empty() && written.pointees.is_empty());
    let text = |var: &GlobalVar| {
        let sort = sort_of(program.var(*var).ty, &program.target);
        cell_name(program, &extents, func, Cell::Global(*var), sort).map(|name| name.text)
    };
    if has_objects { None } else { written.registers.iter().map(text).collect() }
}

/// How a cell is called where the function is declared.
fn cell_name(
    program: &Program,
    extents: &TiSlice<FuncId, Span>,
    func: FuncId,
    cell: Cell,
    sort: Sort,
) -> Option<CName> {
    let table = &program.types.table;
    let parameter = |var: LocalVar| {
        let info = program.function(func).var(var);
        is_lvalue(&info.name).then_some((&info.name, info.cty?))
    };
    let part = match cell {
        Cell::Parameter(var) => {
            let (name, cty) = parameter(var)?;
            return Some(CName { text: name.to_string(), is_signed: signedness(table, cty, sort, program)? });
        }
        Cell::Pointee(var, offset) => {
            let (name, cty) = parameter(var)?;
            let Type::Pointer(to) = table.get(cty) else { return None };
            let size = table.size_of(to.ty).filter(|size| *size > 0)?;
            let mut path = String::new();
            let cty = member(program, to.ty, offset % size, sort, &mut path)?;
            let text = match (offset / size, path.strip_prefix('.')) {
                (0, None) if path.is_empty() => format!("*{name}"),
                (0, Some(field)) => format!("{name}->{field}"),
                (at, _) => format!("{name}[{at}]{path}"),
            };
            return Some(CName { text, is_signed: signedness(table, cty, sort, program)? });
        }
        Cell::Global(var) => StatePart::Register(VarRef::Global(var)),
        Cell::Object(object, offset) => StatePart::Bytes(ObjRef::Global(object), offset),
    };
    // A static variable of a function has no name outside of it.
    let span = match part {
        StatePart::Register(VarRef::Global(var)) => Some(program.var(var).span),
        StatePart::Bytes(ObjRef::Global(object), _) => Some(program.object(object).span),
        StatePart::Register(VarRef::Local(_)) | StatePart::Bytes(ObjRef::Local(_), _) | StatePart::Behind { .. } => {
            None
        }
    };
    let here = extents[func];
    if span.is_some_and(|span| here.start <= span.start && span.end <= here.end) {
        return None;
    }
    name(program, extents, func, part, sort)
}
