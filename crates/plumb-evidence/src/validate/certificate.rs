//! Certificates, read and checked.
//!
//! Reading makes sure of nothing but that the certificate is about this program and that its formulas are formulas: every number is
//! that of a location, a register or an object, every symbol has the sort of what it stands for. Whether what they
//! claim is so is for [`super::induct`] to find out.

use super::claims::{Entry, Formulas};
use super::explore::Unwinding;
use super::induct::{self, CertificateClaims};
use super::tuning::TUNING;
use super::{Rejected, Subject, Validation, all_states, modular};
use crate::certificate::{self as data, Certificate, FORMAT, Head, Part, ProofData, VERSION, digest};
use crate::witness::sha256::{hex, sha256};
use plumb_answer::Budget;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::{LoopId, LoopKey};
use plumb_ir::program::{FuncId, GlobalObj, GlobalVar, Loc, LocalObj, LocalVar, ObjRef, Program, VarRef};
use plumb_ir::ty::Ty;
use plumb_sym::{StatePart, sort_of};
use plumb_term::{Sort, TermId, Terms, exchange, free_symbols};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Checks a certificate.
pub fn validate_certificate(subject: &Subject, text: &str, budget: &Budget) -> Validation {
    let certificate: Certificate = match serde_json::from_str(text) {
        Ok(certificate) => certificate,
        Err(error) => return Validation::Rejected(format!("it is not a certificate: {error}")),
    };
    if let Err(Rejected(why)) = about(subject, &certificate) {
        return Validation::Rejected(why);
    }
    if let Some(why) = super::unsupported_property(subject.program) {
        return Validation::Unknown(why.to_string());
    }
    match certificate.proof {
        ProofData::Modular { contracts, units, top } => modular::check(subject, &contracts, units, *top, budget),
        ProofData::AllStates => all_states::check(subject.program, budget),
        proof => {
            let analyses = Analyses::new(subject.program);
            match claims(&analyses, proof) {
                Err(Rejected(why)) => Validation::Rejected(why),
                Ok(claims) => match induct::check_claims(&analyses, &claims, subject.rules, budget) {
                    // A program that asks for nothing has one run, which may be too long to be followed by terms.
                    Validation::Unknown(why) if claims.is_unwinding => match all_states::check(subject.program, budget)
                    {
                        Validation::Confirmed(how) => Validation::Confirmed(how),
                        Validation::Rejected(_) | Validation::Unknown(_) => Validation::Unknown(why),
                    },
                    validation => validation,
                },
            }
        }
    }
}

/// Whether a certificate is about this program and this property.
fn about(subject: &Subject, certificate: &Certificate) -> Result<(), Rejected> {
    let Certificate { format, version, files, machine, specification, automata, .. } = certificate;
    if format != FORMAT || *version != VERSION {
        return Err(Rejected(format!("it has the format `{format}` {version}, and not `{FORMAT}` {VERSION}")));
    }
    let here = subject.program.target.name;
    if machine != here {
        return Err(Rejected(format!("it is for the machine `{machine}`, but the program is checked for `{here}`")));
    }
    let mut theirs: Vec<String> = files.iter().map(|file| file.sha256.to_lowercase()).collect();
    let mut ours: Vec<String> = subject.task.files.iter().map(|file| hex(&sha256(&file.content))).collect();
    theirs.sort();
    ours.sort();
    if theirs != ours {
        return Err(Rejected("its hashes do not match the given files".to_string()));
    }
    let wanted = (subject.specification)(None);
    if !super::same_specification(specification, &wanted) {
        return Err(Rejected(format!("it is about the property `{specification}`, but `{wanted}` is checked")));
    }
    if *automata != digest(subject.program) {
        let why = "it is about other automata: another version of Plumb, or other flags, made it";
        return Err(Rejected(why.to_string()));
    }
    Ok(())
}

/// What a proof claims.
pub(super) fn claims(analyses: &Analyses, proof: ProofData) -> Result<CertificateClaims, Rejected> {
    match proof {
        ProofData::Modular { .. } => Err(Rejected("a proof by contracts contains another one".to_string())),
        ProofData::AllStates => Err(Rejected("a proof by contracts contains a search of all states".to_string())),
        ProofData::Unwinding { bound } => {
            Ok(CertificateClaims { k: 0, formulas: Arc::default(), thresholds: Vec::new(), bound, is_unwinding: true })
        }
        ProofData::Induction { k, formulas, loops } => {
            if k > TUNING.deepest_induction {
                return Err(Rejected(format!(
                    "its induction depth {k} exceeds the limit of {}",
                    TUNING.deepest_induction
                )));
            }
            let mut reader = Reader::new(analyses, &formulas)?;
            let mut entries = Vec::new();
            for one in &loops {
                let (key, head) = loop_at(analyses, &one.head)?;
                let (predicates, symbols) = reader.formulas(key.0, head, &one.facts)?;
                let states = vec![vec![true; predicates.len()].into()];
                entries.push(Entry {
                    key,
                    call_stack: None,
                    predicates,
                    symbols,
                    states,
                    arrivals: None,
                    exits: Vec::new(),
                });
            }
            let formulas = Arc::new(Formulas { terms: reader.terms, entries });
            Ok(CertificateClaims { k, formulas, thresholds: Vec::new(), bound: 0, is_unwinding: false })
        }
        ProofData::Abstraction { bound, formulas, entries, thresholds } => {
            let mut reader = Reader::new(analyses, &formulas)?;
            let mut found: Vec<Entry> = Vec::new();
            for one in &entries {
                let entry = entry(analyses, &mut reader, one, &found)?;
                found.push(entry);
            }
            let mut unwound = Vec::new();
            for one in &thresholds {
                let unwinding = Unwinding { counted: one.counted, iterations: one.iterations };
                unwound.push((loop_at(analyses, &one.head)?.0, unwinding));
            }
            let formulas = Arc::new(Formulas { terms: reader.terms, entries: found });
            Ok(CertificateClaims { k: 0, formulas, thresholds: unwound, bound, is_unwinding: false })
        }
    }
}

fn entry(analyses: &Analyses, reader: &mut Reader, one: &data::Entry, before: &[Entry]) -> Result<Entry, Rejected> {
    let (key, head) = loop_at(analyses, &one.head)?;
    let mut call_stack = Vec::new();
    for call in &one.call_stack {
        call_stack.push(location(analyses.program(), call)?);
    }
    let (predicates, symbols) = reader.formulas(key.0, head, &one.predicates)?;
    let mut states: Vec<Box<[bool]>> = Vec::new();
    for state in &one.states {
        if state.len() != predicates.len() || !state.bytes().all(|b| b == b'0' || b == b'1') {
            return Err(Rejected(format!("`{state}` is not an abstract state over {} predicates", predicates.len())));
        }
        states.push(state.bytes().map(|b| b == b'1').collect());
    }
    for (entry, state) in one.arrivals.iter().flatten().flatten() {
        if before.get(*entry).is_none_or(|entry| *state >= entry.states.len()) {
            return Err(Rejected(format!("there is no abstract state {state} of an entry {entry} before it")));
        }
    }
    let arrivals = one.arrivals.clone();
    if !one.exits.is_empty() && one.exits.len() != arrivals.iter().flatten().count() {
        return Err(Rejected(
            "loop exits are not given for every abstract state from which an entry is reached".into(),
        ));
    }
    let mut exits = Vec::with_capacity(one.exits.len());
    for list in &one.exits {
        let list = list.iter().map(|exit| Ok((loop_at(analyses, &exit.head)?.0, exit.iterations)));
        exits.push(list.collect::<Result<Vec<(LoopKey, u32)>, Rejected>>()?);
    }
    Ok(Entry { key, call_stack: Some(call_stack), predicates, symbols, states, arrivals, exits })
}

fn location(program: &Program, head: &Head) -> Result<(FuncId, Loc), Rejected> {
    let function = program.functions.get(FuncId(head.function));
    match function.is_some_and(|function| head.location < function.loc_count) {
        true => Ok((FuncId(head.function), Loc(head.location))),
        false => Err(Rejected(format!("there is no location {} in function {}", head.location, head.function))),
    }
}

/// The loop whose head is a location.
fn loop_at(analyses: &Analyses, head: &Head) -> Result<(LoopKey, Loc), Rejected> {
    let (func, loc) = location(analyses.program(), head)?;
    match analyses.shape(func).loops.loops.iter().position(|one| one.head == loc) {
        Some(id) => Ok(((func, LoopId(id as u32)), loc)),
        None => {
            Err(Rejected(format!("location {} of function {} is not the head of a loop", head.location, head.function)))
        }
    }
}

/// What symbols stand for; nothing where it is dead.
type Parts = Vec<(TermId, Option<StatePart>)>;

/// Formulas, read into an arena of their own.
struct Reader<'p> {
    analyses: &'p Analyses,
    terms: Terms,
    lines: Vec<TermId>,
    parts: FxHashMap<TermId, Part>,
}

impl<'p> Reader<'p> {
    fn new(analyses: &'p Analyses, formulas: &data::Formulas) -> Result<Reader<'p>, Rejected> {
        let mut terms = Terms::new();
        // Names are for readers; these are no names of symbols that an exploration makes.
        let mut lines = formulas.lines.clone();
        for (number, line) in lines.iter_mut().enumerate() {
            if let [sort, "symbol", _] = line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
                *line = format!("{sort} symbol line#{number}");
            }
        }
        let wrong =
            |(number, why): (usize, String)| Rejected(format!("line {number} of its formulas is malformed: {why}"));
        let lines = exchange::read(&mut terms, &lines).map_err(wrong)?;
        let mut parts = FxHashMap::default();
        for symbol in &formulas.symbols {
            let term = lines.get(symbol.line as usize).copied();
            let Some(term) = term.filter(|term| terms.as_symbol(*term).is_some()) else {
                return Err(Rejected(format!("line {} of its formulas is not a symbol", symbol.line)));
            };
            parts.insert(term, symbol.part);
        }
        Ok(Reader { analyses, terms, lines, parts })
    }

    /// Conditions on the states at a location of a function, with what their symbols stand for there.
    fn formulas(&mut self, func: FuncId, head: Loc, lines: &[u32]) -> Result<(Vec<TermId>, Parts), Rejected> {
        let mut found = Vec::with_capacity(lines.len());
        for line in lines {
            let term = self.lines.get(*line as usize).copied();
            let Some(term) = term.filter(|term| self.terms.sort(*term) == Sort::Bool) else {
                return Err(Rejected(format!("line {line} of its formulas is not a condition")));
            };
            found.push(term);
        }
        let live = &self.analyses.shape(func).live;
        let mut symbols = Vec::new();
        for symbol in free_symbols(&self.terms, &found) {
            let term = self.terms.symbol_term(symbol);
            let part = self.parts.get(&term).and_then(|part| self.part(func, *part, self.terms.sort(term)));
            let Some(part) = part else {
                let name = self.terms.symbol_name(symbol);
                return Err(Rejected(format!("the symbol of `{name}` names nothing in the function")));
            };
            let is_dead = match part {
                StatePart::Register(var) | StatePart::Behind { pointer: var, .. } => {
                    matches!(var, VarRef::Local(_)) && !live.is_live(head, var)
                }
                StatePart::Bytes(..) => false,
            };
            symbols.push((term, (!is_dead).then_some(part)));
        }
        Ok((found, symbols))
    }

    /// A part of the states in a function, if there is one of that sort.
    fn part(&self, func: FuncId, part: Part, sort: Sort) -> Option<StatePart> {
        let program = self.analyses.program();
        let function = program.function(func);
        let register = |ty: Ty| ty != Ty::Ptr && sort_of(ty, &program.target) == sort;
        let bytes = |size: u64, offset: u64| match sort {
            Sort::Bv(width @ (8 | 16 | 24 | 32 | 40 | 48 | 56 | 64)) => {
                offset.checked_add(width as u64 / 8).is_some_and(|end| end <= size)
            }
            Sort::Bv(_) | Sort::Bool | Sort::Float(_) | Sort::Array { .. } => false,
        };
        match part {
            Part::GlobalRegister(i) => {
                let is_there = register(program.vars.get(GlobalVar(i))?.ty);
                is_there.then_some(StatePart::Register(VarRef::Global(GlobalVar(i))))
            }
            Part::LocalRegister(i) => {
                let is_there = register(function.vars.get(LocalVar(i))?.ty);
                is_there.then_some(StatePart::Register(VarRef::Local(LocalVar(i))))
            }
            Part::GlobalBytes { object, offset } => {
                let is_there = bytes(program.objects.get(GlobalObj(object))?.size, offset);
                is_there.then_some(StatePart::Bytes(ObjRef::Global(GlobalObj(object)), offset))
            }
            Part::LocalBytes { object, offset } => {
                let is_there = bytes(function.objects.get(LocalObj(object))?.size, offset);
                is_there.then_some(StatePart::Bytes(ObjRef::Local(LocalObj(object)), offset))
            }
            Part::BehindGlobal { register, through, offset } => {
                let is_there = program.vars.get(GlobalVar(register))?.ty == Ty::Ptr && bytes(u64::MAX, offset);
                let pointer = VarRef::Global(GlobalVar(register));
                is_there.then_some(StatePart::Behind { pointer, through, at: offset })
            }
            Part::BehindLocal { register, through, offset } => {
                let is_there = function.vars.get(LocalVar(register))?.ty == Ty::Ptr && bytes(u64::MAX, offset);
                let pointer = VarRef::Local(LocalVar(register));
                is_there.then_some(StatePart::Behind { pointer, through, at: offset })
            }
        }
    }
}
