//! What a proof has shown of loops, in C.
//!
//! A fact is told if each of its symbols is something that has a name in the scope of the loop; the others are left out,
//! and whoever checks the witness decides whether the rest is enough. A loop of which nothing can be told gets the
//! invariant `1`: it says that the proof followed the loop from any state on. Of a loop that `goto` makes
//! they are told at the statement behind the label. Facts that simpler ones imply are left out: they come in
//! crowds, and readers want the few that matter.

use super::locate::{Location, Locator};
use super::names::{extents, model, name};
use super::quoted;
use plumb_answer::{Invariants, LoopInvariant, StatePart};
use plumb_c::source::{Place, Span};
use plumb_ir::analysis::loops::place_of;
use plumb_ir::index::TiSlice;
use plumb_ir::program::{FuncId, Op, Program};
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_term::c_print::expression;
use plumb_term::{SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
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
    extents: &TiSlice<FuncId, Span>,
    invariants: &Invariants,
    locator: &Locator<'_>,
) -> Vec<WitnessInvariant> {
    let mut found = Vec::new();
    for invariant in &invariants.loops {
        let function = program.function(invariant.func);
        let mut values = values(program, extents, &invariants.terms, invariant);
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

/// What all parts that speak of a place say of it. Where they agree on nothing it is `1`.
pub(super) fn common(parts: Vec<Vec<WitnessInvariant>>) -> Vec<WitnessInvariant> {
    let is_same_place = |a: &WitnessInvariant, b: &WitnessInvariant| a.is_loop == b.is_loop && a.location == b.location;
    let mut found: Vec<WitnessInvariant> = Vec::new();
    for one in parts.iter().flatten() {
        let speaks = |part: &&Vec<WitnessInvariant>| part.iter().any(|other| is_same_place(one, other));
        let is_common = parts.iter().filter(speaks).all(|part| part.contains(one));
        let weakest = WitnessInvariant { value: "1".to_string(), ..one.clone() };
        match is_common {
            true if !found.contains(one) => {
                found.retain(|other| *other != weakest);
                found.push(one.clone());
            }
            false if !found.iter().any(|other| is_same_place(one, other)) => found.push(weakest),
            true | false => {}
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
    let extents = extents(program);
    let in_c = |invariant: &LoopInvariant| {
        let place = place_of(program, program.function(invariant.func), invariant.head);
        let texts = texts(program, &extents, &invariants.terms, invariant);
        (place, texts.into_iter().map(|(text, _)| text).collect())
    };
    invariants.loops.iter().map(in_c).collect()
}

/// How many facts cannot be said.
pub(super) fn unsaid(
    program: &Program,
    extents: &TiSlice<FuncId, Span>,
    terms: &Terms,
    invariant: &LoopInvariant,
) -> usize {
    let said: BTreeSet<TermId> = said(program, extents, terms, invariant).into_iter().map(|(_, fact)| fact).collect();
    invariant.facts.iter().filter(|fact| !said.contains(fact)).count()
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
    let mut texts = said(program, extents, terms, invariant);
    texts.sort_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then(a.cmp(b)));
    texts.dedup();
    texts
}

/// Facts that can be said, with their text.
fn said(
    program: &Program,
    extents: &TiSlice<FuncId, Span>,
    terms: &Terms,
    invariant: &LoopInvariant,
) -> Vec<(String, TermId)> {
    let parts: FxHashMap<TermId, StatePart> = invariant.symbols.iter().copied().collect();
    let names = |symbol: SymbolId| {
        let term = terms.symbol_term(symbol);
        name(program, extents, invariant.func, *parts.get(&term)?, terms.sort(term))
    };
    let model = model(program);
    let text = |fact: &TermId| Some((expression(terms, *fact, model, &names, LONGEST).ok()?, *fact));
    invariant.facts.iter().filter_map(text).collect()
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
