//! What a proof has shown of loops, in C.
//!
//! A fact is told if each of its symbols is something that has a name in the scope of the loop; the others are left out,
//! and whoever checks the witness decides whether the rest is enough. A loop of which nothing can be told gets the
//! invariant `1`: it says that the proof followed the loop from any state on. Of a loop that `goto` makes
//! they are told at the statement behind the label. Facts that simpler ones imply are left out: they come in
//! crowds, and readers want the few that matter.

use super::locate::{Location, Locator};
use super::quoted;
use plumb_answer::{Invariants, LoopInvariant, StatePart};
use plumb_c::source::{Place, Span};
use plumb_c::types::{TyId, Type, TypeTable};
use plumb_ir::analysis::loops::place_of;
use plumb_ir::index::{TiSlice, TiVec};
use plumb_ir::program::{FuncId, ObjRef, Op, Program, VarRef};
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_term::c_print::{CModel, CName, expression};
use plumb_term::{SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A fact that is longer than this helps nobody.
const LONGEST: usize = 4000;

/// An invariant of a loop statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WitnessInvariant {
    /// Of a loop statement, and not of the statement at a place.
    is_loop: bool,
    location: Location,
    function: Arc<str>,
    value: String,
}

pub(super) fn witness_invariants(
    program: &Program,
    invariants: &Invariants,
    locator: &Locator<'_>,
) -> Vec<WitnessInvariant> {
    let extents: TiVec<FuncId, Span> = program.function_ids().map(|func| extent(program, func)).collect();
    let mut found = Vec::new();
    for invariant in &invariants.loops {
        let function = program.function(invariant.func);
        let mut values = values(program, &extents, &invariants.terms, invariant);
        if values.is_empty() {
            values.push("1".to_string());
        }
        // A loop that begins with another one has its head.
        let statements = function.loops.iter().filter(|l| l.head == invariant.head);
        let mut places: Vec<(bool, Location)> =
            statements.filter_map(|l| Some((true, locator.exact(l.span.start)?))).collect();
        if places.is_empty() {
            places.extend(labelled(program, invariant, locator).map(|location| (false, location)));
        }
        for (is_loop, location) in places {
            let entry = |value: &String| WitnessInvariant {
                is_loop,
                location: location.clone(),
                function: function.name.clone(),
                value: value.clone(),
            };
            found.extend(values.iter().map(entry));
        }
    }
    found
}

/// The place of the statement behind a label that is a loop's head.
fn labelled(program: &Program, invariant: &LoopInvariant, locator: &Locator<'_>) -> Option<Location> {
    let function = program.function(invariant.func);
    function.labels.iter().find(|(_, loc)| *loc == invariant.head)?;
    let mut at = invariant.head;
    // Over the jumps that labels leave.
    let span = loop {
        let edge = function.edge(function.out_edges(at).next()?);
        match edge.op {
            Op::Assume { branch: None, .. } if edge.to != invariant.head => at = edge.to,
            _ => break edge.span,
        }
    };
    let starts = program.full_expressions_at(span).into_iter().map(|whole| whole.start);
    let starts = starts.flat_map(|start| [Some(start), locator.keyword(start)]).flatten();
    let is_labelled =
        |start: &u32| locator.text(*start).is_some_and(|(text, local)| text[..local].trim_end().ends_with(':'));
    starts.filter(is_labelled).find_map(|start| locator.exact(start))
}

/// Conditions about loops in C, by the place of the loop: those that can be said.
pub fn in_c(program: &Program, invariants: &Invariants) -> Vec<(Option<Place>, Vec<String>)> {
    let extents: TiVec<FuncId, Span> = program.function_ids().map(|func| extent(program, func)).collect();
    let in_c = |invariant: &LoopInvariant| {
        let place = place_of(program, program.function(invariant.func), invariant.head);
        let texts = texts(program, &extents, &invariants.terms, invariant);
        (place, texts.into_iter().map(|(text, _)| text).collect())
    };
    invariants.loops.iter().map(in_c).collect()
}

fn values(program: &Program, extents: &TiSlice<FuncId, Span>, terms: &Terms, invariant: &LoopInvariant) -> Vec<String> {
    essential(terms, texts(program, extents, terms, invariant))
}

/// Facts with their text, the shortest first.
fn texts(
    program: &Program,
    extents: &TiSlice<FuncId, Span>,
    terms: &Terms,
    invariant: &LoopInvariant,
) -> Vec<(String, TermId)> {
    let parts: FxHashMap<TermId, StatePart> = invariant.symbols.iter().copied().collect();
    let names = |symbol: SymbolId| {
        let term = terms.symbol_term(symbol);
        name(program, extents, invariant.func, *parts.get(&term)?, terms.width(term))
    };
    let model = CModel { int_bits: program.target.int_bytes as u32 * 8, has_int128: program.target.pointer_bytes == 8 };
    let text = |fact: &TermId| Some((expression(terms, *fact, model, &names, LONGEST).ok()?, *fact));
    let mut texts: Vec<(String, TermId)> = invariant.facts.iter().filter_map(text).collect();
    texts.sort_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then(a.cmp(b)));
    texts.dedup();
    texts
}

/// Time for leaving facts out.
const CHOOSING: Duration = Duration::from_secs(3);
/// Conflicts after which a fact is told rather than left out.
const CONFLICTS: u64 = 2_000;

/// Those of some facts that the ones before them do not imply.
fn essential(terms: &Terms, facts: Vec<(String, TermId)>) -> Vec<String> {
    let mut terms = terms.clone();
    let mut solver = BitSolver::new();
    let deadline = Some(Instant::now() + CHOOSING);
    solver.set_limits(Limits { conflicts: Some(CONFLICTS), deadline, cancel: None });
    let mut kept = Vec::new();
    for (text, fact) in facts {
        let not = terms.not(fact);
        match solver.check(&mut terms, &[not]) {
            Outcome::Unsat => {}
            Outcome::Sat | Outcome::Unknown(_) => {
                solver.assert(&mut terms, fact);
                kept.push(text);
            }
        }
    }
    kept
}

/// How a part of the state is called in a function.
fn name(program: &Program, extents: &TiSlice<FuncId, Span>, func: FuncId, part: StatePart, bits: u32) -> Option<CName> {
    let function = program.function(func);
    let (name, cty, is_global) = match part {
        StatePart::Register(VarRef::Local(var)) => {
            let info = function.var(var);
            (&info.name, info.cty?, false)
        }
        StatePart::Register(VarRef::Global(var)) => {
            let info = program.var(var);
            (&info.name, info.cty?, is_visible(program, extents, func, info.span, info.cty?)?)
        }
        StatePart::Bytes(ObjRef::Local(object), _) => {
            let info = function.object(object);
            (&info.name, info.cty?, false)
        }
        StatePart::Bytes(ObjRef::Global(object), _) => {
            let info = program.object(object);
            (&info.name, info.cty?, is_visible(program, extents, func, info.span, info.cty?)?)
        }
    };
    if !is_lvalue(name) || !is_unique(program, func, name, is_global) {
        return None;
    }
    let mut text = name.to_string();
    let mut cty = cty;
    if let StatePart::Bytes(_, offset) = part {
        cty = member(program, cty, offset, bits, &mut text)?;
    }
    let is_signed = signedness(&program.types.table, cty, bits, program)?;
    Some(CName { text, is_signed })
}

/// The number of so many bits at an offset in something of a type: adds the way there to its name, and gives the number's
/// type.
fn member(program: &Program, cty: TyId, offset: u64, bits: u32, text: &mut String) -> Option<TyId> {
    let table = &program.types.table;
    match table.get(cty) {
        Type::Int(_) | Type::Enum(_) => (offset == 0 && table.size_of(cty)? * 8 == bits as u64).then_some(cty),
        Type::Array(element, _) => {
            let size = table.size_of(element.ty).filter(|size| *size > 0)?;
            let _ = write!(text, "[{}]", offset / size);
            member(program, element.ty, offset % size, bits, text)
        }
        Type::Record(record) => {
            let body = table.record(*record).body.as_ref()?;
            let before = text.len();
            for field in body.fields.iter().filter(|field| field.bits.is_none()) {
                let holds = |size: u64| (field.offset..field.offset + size).contains(&offset);
                if !table.size_of(field.ty.ty).is_some_and(holds) {
                    continue;
                }
                // What is in a member without a name is a member of what it is in.
                if let Some(name) = field.name {
                    let _ = write!(text, ".{}", program.types.names.text(name));
                }
                if let Some(found) = member(program, field.ty.ty, offset - field.offset, bits, text) {
                    return Some(found);
                }
                text.truncate(before);
            }
            None
        }
        Type::Void | Type::Float(_) | Type::Pointer(_) | Type::Function(_) | Type::Error => None,
    }
}

/// A global has its name in its own unit, and a static variable of a function only there. A plain number that is declared
/// behind the function is told as well: readers know what is meant, and `plumb validate` declares it before.
fn is_visible(program: &Program, extents: &TiSlice<FuncId, Span>, func: FuncId, span: Span, cty: TyId) -> Option<bool> {
    let base = |span: Span| program.sources.unit_of(span.start).map(|unit| unit.base());
    let here = extents[func];
    let is_number = matches!(program.types.table.get(cty), Type::Int(_));
    if base(span) != base(here) || span.start >= here.end && !is_number {
        return None;
    }
    let holds = |f: FuncId| {
        let around = extents[f];
        around.start <= span.start && span.end <= around.end
    };
    let owner = program.function_ids().filter(|f| !program.function(*f).is_library).find(|f| holds(*f));
    owner.is_none_or(|owner| owner == func).then_some(true)
}

/// From where a function is named to its last edge.
fn extent(program: &Program, func: FuncId) -> Span {
    let function = program.function(func);
    function.edges.iter().map(|edge| edge.span).filter(|span| !span.is_none()).fold(function.span, Span::to)
}

/// The sign of an integer type of so many bits.
fn signedness(table: &TypeTable, cty: TyId, bits: u32, program: &Program) -> Option<bool> {
    if table.size_of(cty)? * 8 != bits as u64 {
        // A truth value is 0 or 1 whatever its type.
        return (bits == 1).then_some(false);
    }
    Some(table.int_kind(cty)?.is_signed(&program.target))
}

/// A name, or the path to a part: `s.a[2].b`.
fn is_lvalue(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']'))
}

/// Whether a name means one thing only in a function.
fn is_unique(program: &Program, func: FuncId, name: &str, is_global: bool) -> bool {
    fn stem(name: &str) -> &str {
        name.split(['.', '[']).next().unwrap_or(name)
    }
    let function = program.function(func);
    let same = |other: &Arc<str>| **other == *name;
    let locals = function.vars.iter().map(|v| &v.name).chain(function.objects.iter().map(|o| &o.name));
    let globals = program.vars.iter().map(|v| &v.name).chain(program.objects.iter().map(|o| &o.name));
    match is_global {
        true => globals.filter(|n| same(n)).count() == 1 && !locals.into_iter().any(|n| stem(n) == stem(name)),
        false => locals.filter(|n| same(n)).count() == 1,
    }
}

pub(super) fn write(out: &mut String, invariant: &WitnessInvariant) {
    let WitnessInvariant { is_loop, location, function, value } = invariant;
    let kind = if *is_loop { "loop_invariant" } else { "location_invariant" };
    let _ = writeln!(out, "  - invariant:\n      type: \"{kind}\"\n      location:");
    let _ = writeln!(out, "        file_name: {}\n        line: {}", quoted(&location.file), location.line);
    if let Some(column) = location.column {
        let _ = writeln!(out, "        column: {column}");
    }
    let _ = writeln!(out, "        function: {}", quoted(function));
    let _ = writeln!(out, "      value: {}\n      format: \"c_expression\"", quoted(value));
}
