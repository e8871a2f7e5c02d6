//! `plumb infer`: likely invariants from runs.
//!
//! ```text
//!   markers     the program with places for samples
//!   places      which places, and which variables there
//!   watch       variables: names, sorts, and how the machine is read
//!   sample      runs, and what variables were
//! ```
//!
//! `plumb-infer` makes facts of the samples. With `--prove` those about calls are proved as contracts, and those about entries and
//! loops as invariants of the program, as far as they can be.

mod markers;
mod places;
mod sample;
mod watch;

use crate::args::{Args, InferArgs};
use crate::load::{self, Needs, Wanted};
use crate::report::{Exit, Failure, Output};
use places::{Places, name};
use plumb_engine::div::claims::{Place, proved};
use plumb_engine::div::conditions::conditions;
use plumb_engine::div::invariants::{self, Located};
use plumb_engine::{Budget, Cancel};
use plumb_infer::{Fact, Inference, Options, Point, Role, Sample, Scalar, Sort, Term, Value, VarId, Variable};
use plumb_ir::analysis::Analyses;
use plumb_ir::expr::ExprKind;
use plumb_ir::program::{FuncId, Function, Loc, Program, VarRef};
use sample::{Plan, Row, Rows, Sampled, Samples, sample};
use serde::Serialize;
use std::time::Instant;
use watch::Watched;

/// Conditions at one place: a list that is too long is not read.
const MAX_CONDITIONS: usize = 16;

pub fn infer(args: &Args, infer: &InferArgs, out: &mut Output) -> Exit {
    match inferred(args, infer, out) {
        Ok(report) => report.print(args, out),
        Err(failure) => out.failure(&failure),
    }
}

fn inferred(args: &Args, infer: &InferArgs, out: &Output) -> Result<Report, Failure> {
    let hir = load::hir(args, out)?;
    let needs = Needs { promotion: true, entry: true };
    let program = load::of_typed(args, &Wanted::new(args)?, needs, &hir, out)?;
    if program.has_stacks() {
        let message = "the program has several stacks, and facts are inferred only for programs with one".to_string();
        return Err(load::failure(message, "infer facts for a program that does not switch stacks"));
    }
    let original = program;
    let (program, mut markers) = markers::marked(&original);
    if let Some(wanted) = &infer.function {
        markers.retain(|one| name(&program, one.func) == wanted);
        if markers.is_empty() {
            let message = format!("the program defines no function `{wanted}`");
            return Err(load::failure(message, "name a function that has a body, or leave out -F"));
        }
    }
    let analyses = Analyses::new(&program);
    let places = places::places(&analyses, &hir, markers);
    let plan = Plan {
        runs: infer.runs.get(),
        steps: infer.steps,
        seed: infer.seed,
        memory: args.memory,
        deadline: args.timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
    };
    let samples = sample(&program, &places, &plan).map_err(|error| {
        let help = "make static data smaller, or choose a machine with a larger address space by --arch";
        load::failure(error.to_string(), help)
    })?;
    // Functions, parameters and globals have the same numbers in both programs.
    let proofs =
        infer.prove.then(|| Proofs { analyses: Analyses::new(&original), budget: budget(args, plan.deadline) });
    Ok(Report::new(&program, &places, &samples, infer, proofs.as_ref(), plan.deadline))
}

/// What is reported, as JSON has it.
#[derive(Serialize)]
struct Report {
    runs: u64,
    /// Whether there was time for all functions.
    is_complete: bool,
    places: Vec<PlaceDoc>,
}

#[derive(Serialize)]
struct PlaceDoc {
    function: String,
    /// `entry`, `exit` or `loop`.
    kind: &'static str,
    /// Of a loop.
    place: Option<String>,
    samples: usize,
    facts: Vec<FactDoc>,
}

#[derive(Serialize)]
struct FactDoc {
    text: String,
    /// Those that speak for it.
    samples: u64,
    confidence: f64,
    /// With `--prove`. At exits: whether it holds of every call that returns, from any state. At entries and loops: whether it holds
    /// whenever a run of the program is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<bool>,
}

/// The program without markers, to prove facts about.
struct Proofs {
    analyses: Analyses,
    budget: Budget,
}

fn budget(args: &Args, deadline: Option<Instant>) -> Budget {
    Budget { deadline, memory: args.memory, threads: 1, cancel: Cancel::new() }
}

/// Notes of facts about the states at some locations whether they can be proved.
fn prove_at_locations(proofs: &Proofs, documents: &mut [PlaceDoc], list: Vec<(usize, Located)>) {
    let (numbers, located): (Vec<usize>, Vec<Located>) = list.into_iter().unzip();
    let proved = invariants::proved(&proofs.analyses, &located, &proofs.budget);
    for (number, proved) in numbers.into_iter().zip(proved) {
        for (document, proved) in documents[number].facts.iter_mut().zip(proved) {
            document.proved = Some(proved);
        }
    }
}

/// A variable and what it is to the function.
struct Column<'a> {
    watched: &'a Watched,
    name: String,
    role: Role,
}

impl Report {
    fn new(
        program: &Program,
        places: &[Places],
        samples: &Samples,
        infer: &InferArgs,
        proofs: Option<&Proofs>,
        deadline: Option<Instant>,
    ) -> Report {
        let (mut list, mut located) = (Vec::new(), Vec::new());
        let mut is_complete = true;
        for (places, sampled) in places.iter().zip(&samples.functions) {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                is_complete = false;
                break;
            }
            let function = name(program, places.markers.func);
            let func = places.markers.func;
            let asked = Asked { function: program.function(func), func, infer, proofs };
            let mut push = |kind: &'static str, place: Option<String>, columns: &[Column], rows: &Rows| {
                let (facts, about_all) = asked.facts(columns, &rows.list, kind == "exit");
                list.push(PlaceDoc { function: function.to_string(), kind, place, samples: rows.list.len(), facts });
                (list.len() - 1, about_all)
            };
            let Sampled { entry, exit, loops } = sampled;
            let parameters = || columns(&places.parameters, Role::Entry);
            let state = |role: Role| columns(&places.state, role);
            let at_entry = joined(parameters(), state(Role::Entry));
            let (number, facts) = push("entry", None, &at_entry, entry);
            let original = proofs.map_or(program, |proofs| proofs.analyses.program());
            located.push((number, located_at((func, original.function(func).entry), &at_entry, entry, facts)));
            for (head, rows) in places.loops.iter().zip(loops) {
                let columns = joined(columns(&head.locals, Role::State), state(Role::State));
                let place = head.place.as_ref().map(|place| place.to_string());
                let (number, facts) = push("loop", place, &columns, rows);
                located.push((number, located_at((func, head.loc), &columns, rows, facts)));
            }
            push("exit", None, &exit_columns(places), exit);
        }
        if let Some(proofs) = proofs {
            prove_at_locations(proofs, &mut list, located);
        }
        Report { runs: samples.runs, is_complete, places: list }
    }

    fn print(&self, args: &Args, out: &mut Output) -> Exit {
        if args.json {
            out.json(self);
            return Exit::Done;
        }
        for place in &self.places {
            let at = place.place.as_ref().map_or(String::new(), |at| format!(" at {at}"));
            out.line(&format!("{}, {}{at} ({} samples):", place.function, place.kind, place.samples));
            match (place.samples, place.facts.is_empty()) {
                (0, _) => out.line("    no run reached this location"),
                (_, true) => out.line("    nothing"),
                _ => place.facts.iter().for_each(|fact| out.line(&format!("    {}", fact.line()))),
            }
        }
        let facts: usize = self.places.iter().map(|place| place.facts.len()).sum();
        if !self.is_complete {
            out.line("the timeout was reached before all functions were examined");
        }
        let proved = self.places.iter().flat_map(|place| &place.facts).filter(|fact| fact.proved == Some(true)).count();
        let proved = match proved {
            0 => "none of them is proved".to_string(),
            1 => "one of them is proved".to_string(),
            _ => format!("{proved} of them are proved"),
        };
        out.line(&format!("{facts} likely facts from {} runs; {proved}", self.runs));
        Exit::Done
    }
}

impl FactDoc {
    fn line(&self) -> String {
        match self.proved {
            Some(true) => format!("{} (proved)", self.text),
            Some(false) | None => self.text.clone(),
        }
    }
}

/// Facts about the columns of a location, as the proof of them wants it.
fn located_at((func, at): (FuncId, Loc), columns: &[Column], rows: &Rows, facts: Vec<Fact>) -> Located {
    let kept = present(columns, &rows.list.iter().collect::<Vec<_>>());
    let parts = kept.iter().map(|at| columns[*at].watched.parts()).collect();
    Located { func, at, point: point(columns, &kept), parts, facts }
}

fn joined<'a>(mut first: Vec<Column<'a>>, second: Vec<Column<'a>>) -> Vec<Column<'a>> {
    first.extend(second);
    first
}

fn columns(list: &[Watched], role: Role) -> Vec<Column<'_>> {
    list.iter().map(|watched| Column { watched, name: watched.name.clone(), role }).collect()
}

/// At an exit parameters stand for the arguments, as in ACSL. What the function changes has a value before and one after.
fn exit_columns<'a>(places: &'a Places) -> Vec<Column<'a>> {
    let before = |column: Column<'a>| Column { name: format!("\\old({})", column.name), ..column };
    let mut list = columns(&places.parameters, Role::Old);
    list.extend(columns(&places.state, Role::Old).into_iter().map(before));
    list.extend(columns(&places.state, Role::Exit));
    list.extend(columns(places.result.as_slice(), Role::Result));
    list
}

/// The function that facts are about, and what the user wants to know.
struct Asked<'a> {
    function: &'a Function,
    func: FuncId,
    infer: &'a InferArgs,
    proofs: Option<&'a Proofs>,
}

impl Asked<'_> {
    /// The likely facts: about the variables that every sample has a value of, and under the condition that a pointer is not null
    /// about what it points to. The second list are the facts that the first documents tell.
    fn facts(&self, columns: &[Column], rows: &[Row], is_exit: bool) -> (Vec<FactDoc>, Vec<Fact>) {
        let rows: Vec<&Row> = rows.iter().collect();
        let (mut list, mut about_all) = (Vec::new(), Vec::new());
        let present = present(columns, &rows);
        if !rows.is_empty() {
            let mut facts = self.facts_about(columns, &present, &rows, &|_| true);
            if let Some(proofs) = self.proofs.filter(|_| is_exit) {
                self.prove(proofs, columns, &present, &mut facts);
            }
            for Found { document, fact } in facts {
                list.push(document);
                about_all.push(fact);
            }
        }
        for (at, pointer) in columns.iter().enumerate() {
            let Some(VarRef::Local(register)) = pointer.watched.register() else { continue };
            let is_behind = |column: &usize| columns[*column].watched.pointer() == Some(register);
            let missing = |column: &usize| is_behind(column) && !present.contains(column);
            if !(0..columns.len()).any(|column| missing(&column)) {
                continue;
            }
            let is_null = |row: &Row| row.values[at] == Some(Value::Scalar(0));
            let valid: Vec<&Row> = rows.iter().copied().filter(|row| !is_null(row)).collect();
            let under: Vec<usize> = self::present(columns, &valid);
            if valid.is_empty() || !under.iter().any(missing) {
                continue;
            }
            let is_new = |variables: &[usize]| variables.iter().any(missing);
            for Found { mut document, .. } in self.facts_about(columns, &under, &valid, &is_new) {
                document.text = format!("{} != 0 ==> {}", pointer.name, document.text);
                list.push(document);
            }
        }
        (list, about_all)
    }

    /// The facts about some columns, of which those are wanted that are about certain columns.
    fn facts_about(
        &self,
        columns: &[Column],
        kept: &[usize],
        rows: &[&Row],
        is_wanted: &dyn Fn(&[usize]) -> bool,
    ) -> Vec<Found> {
        let point = point(columns, kept);
        let conditions = self.conditions(columns, kept);
        let options = Options {
            confidence: self.infer.confidence,
            constants: constants(&conditions, &point),
            conditions,
            max_conditions: MAX_CONDITIONS,
            ..Options::default()
        };
        let mut inference = Inference::new(point, options);
        for row in rows {
            let values: Option<Vec<Value>> = kept.iter().map(|at| row.values[*at].clone()).collect();
            // The machine's values are of the sorts that were made of their types.
            let added = values.map(|values| inference.add_from(row.run, &Sample::new(values)));
            debug_assert!(matches!(added, Some(Ok(()))), "{added:?}");
        }
        let about = |fact: &Fact| fact.variables().iter().map(|var| kept[var.0 as usize]).collect::<Vec<usize>>();
        let is_trivial = |fact: &Fact| is_trivial(fact, |var| &columns[kept[var.0 as usize]]);
        let wanted = inference.facts().into_iter();
        let wanted = wanted.filter(|likely| is_wanted(&about(&likely.fact)) && !is_trivial(&likely.fact));
        let document = |likely: &plumb_infer::Likely| FactDoc {
            text: likely.fact.text(inference.point()),
            samples: likely.samples,
            confidence: likely.confidence,
            proved: None,
        };
        wanted.map(|likely| Found { document: document(&likely), fact: likely.fact }).collect()
    }

    /// Notes of facts about calls whether they can be proved.
    fn prove(&self, proofs: &Proofs, columns: &[Column], kept: &[usize], found: &mut [Found]) {
        let places: Vec<Vec<Place>> = kept.iter().map(|at| columns[*at].watched.places(columns[*at].role)).collect();
        let facts: Vec<Fact> = found.iter().map(|one| one.fact.clone()).collect();
        let about = (&point(columns, kept), &places[..]);
        let proved = proved(&proofs.analyses, self.func, about, &facts, &proofs.budget);
        for (one, proved) in found.iter_mut().zip(proved) {
            one.document.proved = Some(proved);
        }
    }

    /// Conditions of the function's branches over the variables of a point. At an exit they are about the values at the entry.
    fn conditions(&self, columns: &[Column], kept: &[usize]) -> Vec<Fact> {
        conditions(self.function, &|expr| {
            let ExprKind::Var(var) = self.function.exprs.kind(expr) else { return None };
            let at = kept.iter().position(|at| columns[*at].watched.register() == Some(var))?;
            match columns[kept[at]].watched.sort {
                Sort::Scalar(scalar) => Some((Term::Var(VarId(at as u32)), scalar)),
                Sort::Array { .. } => None,
            }
        })
    }
}

/// The numbers that the program compares with, and zero: that a variable is never one of these is worth a word.
fn constants(conditions: &[Fact], point: &Point) -> Vec<i128> {
    let number = |term: &Term, pattern: u64| match term.scalar(point) {
        Some(scalar @ Scalar::Int { .. }) => Some(scalar.number(pattern)),
        _ => None,
    };
    let compared = conditions.iter().filter_map(|fact| match fact {
        Fact::OneOf(term, patterns) => number(term, *patterns.first()?),
        Fact::Differs(term, pattern) => number(term, *pattern),
        _ => None,
    });
    std::iter::once(0).chain(compared).collect()
}

/// A fact, and how it is rendered.
struct Found {
    document: FactDoc,
    fact: Fact,
}

/// Some columns as the variables of a point.
fn point(columns: &[Column], kept: &[usize]) -> Point {
    let variable = |at: &usize| {
        let column = &columns[*at];
        Variable {
            group: column.watched.group,
            updated: column.watched.is_updated,
            ..Variable::new(&column.name, column.watched.sort, column.role)
        }
    };
    Point::new(kept.iter().map(variable).collect())
}

/// What needs no run to be known: `*p` is an element of the array behind `p`, whose size calls leave alone.
fn is_trivial<'a>(fact: &Fact, column: impl Fn(VarId) -> &'a Column<'a>) -> bool {
    let is_before = |column: &Column| column.name.starts_with("\\old(");
    match fact {
        Fact::Member(Term::Var(value), array) => {
            let (value, array) = (column(*value), column(*array));
            let is_first = value.watched.is_first_element() && value.watched.pointer() == array.watched.pointer();
            array.watched.is_sized_by_object() && is_first && is_before(value) == is_before(array)
        }
        Fact::Compare(Term::Size(a), _, Term::Size(b)) => {
            let (a, b) = (&column(*a).watched, &column(*b).watched);
            a.pointer().is_some() && a.pointer() == b.pointer()
        }
        Fact::Implies(_, fact) => is_trivial(fact, column),
        _ => false,
    }
}

/// The variables that every sample has a value of. What the function does not change has one value only, and an array behind a
/// pointer that never has a second element is a scalar, which has a variable of its own.
fn present(columns: &[Column], rows: &[&Row]) -> Vec<usize> {
    let is_twin = |column: &Column| column.name.starts_with("\\old(") && !column.watched.is_updated;
    let has_value = |at: usize| rows.iter().all(|row| row.values[at].is_some());
    let has_elements = |at: usize| {
        let is_array = |row: &&Row| matches!(&row.values[at], Some(Value::Array(elements)) if elements.len() > 1);
        !columns[at].watched.is_sized_by_object() || rows.iter().any(is_array)
    };
    (0..columns.len()).filter(|at| !is_twin(&columns[*at]) && has_value(*at) && has_elements(*at)).collect()
}
