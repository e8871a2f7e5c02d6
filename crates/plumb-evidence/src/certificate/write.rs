//! From a proof to its certificate.

use super::contracts::modular;
use super::{
    Certificate, Entry, Exit, FORMAT, File, Formulas, Head, LoopFacts, Part, ProofData, Symbol, Threshold, VERSION,
    digest,
};
use crate::witness::Task;
use crate::witness::sha256::{hex, sha256};
use plumb_answer::{self as answer, Invariants, Proof, ReachedSet, StatePart};
use plumb_ir::analysis::loops::place_of;
use plumb_ir::program::{FuncId, Loc, ObjRef, Program, VarRef};
use plumb_term::TermId;
use plumb_term::exchange::Writer;

/// The certificate of a proof, as text. Without a proof there is nothing to break, which the program itself shows.
pub fn certificate(program: &Program, proof: Option<&Proof>, task: &Task) -> String {
    let proof = proof.map_or(ProofData::Unwinding { bound: 0 }, |proof| proof_data(program, proof));
    let file = |f: &crate::TaskFile| File { name: f.name.clone(), sha256: hex(&sha256(&f.content)) };
    let certificate = Certificate {
        format: FORMAT.to_string(),
        version: VERSION,
        producer: format!("plumb {}", task.version),
        files: task.files.iter().map(file).collect(),
        machine: program.target.name.to_string(),
        specification: task.specification.clone(),
        automata: digest(program),
        proof,
    };
    let mut text = serde_json::to_string_pretty(&certificate).unwrap_or_default();
    text.push('\n');
    text
}

/// What a proof of a program rests on.
pub(super) fn proof_data(program: &Program, proof: &Proof) -> ProofData {
    match proof {
        Proof::Induction { k, invariants } => induction(program, *k, invariants),
        Proof::Abstraction { tree, .. } => abstraction(program, &tree.reached),
        Proof::Bounded { bound, .. } => ProofData::Unwinding { bound: *bound },
        Proof::OnlyRun { .. } => ProofData::Unwinding { bound: 0 },
        // The states of an abstract exploration are none of the program; it may be small enough to visit these.
        Proof::AllStates { .. } | Proof::Exploration { .. } => ProofData::AllStates,
        // Contracts that cannot be derived are not claimed: whoever confirms the certificate unwinds the program, and confirms no contract.
        Proof::Modular { contracts, units, top } => {
            modular(program, contracts, units, top).unwrap_or(ProofData::Unwinding { bound: 0 })
        }
    }
}

fn induction(program: &Program, k: u32, invariants: &Invariants) -> ProofData {
    let mut writer = Writer::new();
    let mut symbols = Vec::new();
    let mut loops = Vec::new();
    for one in &invariants.loops {
        let facts = one.facts.iter().map(|fact| writer.line(&invariants.terms, *fact)).collect();
        for (term, part) in &one.symbols {
            symbols.push((*term, *part, one.func));
        }
        loops.push(LoopFacts { head: head(program, one.func, one.head), facts });
    }
    let formulas = formulas(program, writer, &symbols);
    ProofData::Induction { k, formulas, loops }
}

fn abstraction(program: &Program, reached: &ReachedSet) -> ProofData {
    let mut writer = Writer::new();
    let mut entries = Vec::new();
    // Symbols are those of one function, whose loops have the predicates.
    let mut symbols: Vec<(TermId, StatePart, FuncId)> = Vec::new();
    for entry in &reached.entries {
        let predicates = entry.predicates.iter().map(|one| writer.line(&reached.terms, *one)).collect();
        let used = plumb_term::free_symbols(&reached.terms, &entry.predicates);
        for symbol in used {
            let term = reached.terms.symbol_term(symbol);
            let part = reached.symbols.iter().find(|(known, _)| *known == term);
            if let Some((_, part)) = part
                && !symbols.iter().any(|(known, ..)| *known == term)
            {
                symbols.push((term, *part, entry.func));
            }
        }
        let exit =
            |one: &answer::LoopExit| Exit { head: head(program, one.func, one.head), iterations: one.iterations };
        let bits = |state: &[bool]| state.iter().map(|holds| if *holds { '1' } else { '0' }).collect();
        entries.push(Entry {
            head: head(program, entry.func, entry.head),
            call_stack: entry.call_stack.iter().map(|(func, loc)| head(program, *func, *loc)).collect(),
            predicates,
            states: entry.states.iter().map(|state| bits(state)).collect(),
            arrivals: entry.arrivals.clone(),
            exits: entry.exits.iter().map(|list| list.iter().map(exit).collect()).collect(),
        });
    }
    let threshold = |one: &answer::Threshold| {
        let head = head(program, one.func, one.head);
        Threshold { head, counted: one.counted, iterations: one.iterations }
    };
    let thresholds = reached.thresholds.iter().map(threshold).collect();
    let formulas = formulas(program, writer, &symbols);
    ProofData::Abstraction { bound: reached.bound, formulas, entries, thresholds }
}

/// The lines of formulas, with what those of their symbols stand for that are used.
fn formulas(program: &Program, writer: Writer, symbols: &[(TermId, StatePart, FuncId)]) -> Formulas {
    let used = symbols.iter().filter_map(|(term, part, func)| {
        let line = writer.known(*term)?;
        Some(Symbol { line, part: part_data(*part), name: name(program, *func, *part) })
    });
    let symbols = used.collect();
    Formulas { lines: writer.into_lines(), symbols }
}

fn head(program: &Program, func: FuncId, loc: Loc) -> Head {
    let function = program.function(func);
    let place = place_of(program, function, loc).map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
    Head { function: func.0, location: loc.0, place: format!("{}{place}", function.name) }
}

fn part_data(part: StatePart) -> Part {
    match part {
        StatePart::Register(VarRef::Global(var)) => Part::GlobalRegister(var.0),
        StatePart::Register(VarRef::Local(var)) => Part::LocalRegister(var.0),
        StatePart::Bytes(ObjRef::Global(object), offset) => Part::GlobalBytes { object: object.0, offset },
        StatePart::Bytes(ObjRef::Local(object), offset) => Part::LocalBytes { object: object.0, offset },
        StatePart::Behind { pointer: VarRef::Global(var), through, at } => {
            Part::BehindGlobal { register: var.0, through, offset: at }
        }
        StatePart::Behind { pointer: VarRef::Local(var), through, at } => {
            Part::BehindLocal { register: var.0, through, offset: at }
        }
    }
}

/// The name of a variable or an object.
fn name(program: &Program, func: FuncId, part: StatePart) -> String {
    let function = program.function(func);
    let name = match part {
        StatePart::Register(var) | StatePart::Behind { pointer: var, .. } => match var {
            VarRef::Global(var) => &program.var(var).name,
            VarRef::Local(var) => &function.var(var).name,
        },
        StatePart::Bytes(ObjRef::Global(object), _) => &program.object(object).name,
        StatePart::Bytes(ObjRef::Local(object), _) => &function.object(object).name,
    };
    name.to_string()
}
