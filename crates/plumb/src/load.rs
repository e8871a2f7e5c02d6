//! From files to the program that a job works on: front end, lowering, properties, promotion.

use crate::args::Args;
use crate::osek;
use crate::report::{Failure, Output};
use plumb_c::diag::{Diagnostic, Diagnostics, Severity};
use plumb_c::driver::{Failed, Loaded, load_edited, load_program};
use plumb_c::hir;
use plumb_c::source::Span;
use plumb_evidence::Edits;
use plumb_ir::lower::LowerOptions;
use plumb_ir::program::Program;
use plumb_ir::property::reach::REACH;
use plumb_ir::property::{CheckSelection, PropertySet, prp};
use plumb_ir::{PrepareOptions, prepare};
use std::path::Path;

/// The typed program. Warnings are reported meanwhile.
pub fn hir(args: &Args, out: &Output) -> Result<hir::Program, Failure> {
    let front = osek::front(args, out)?;
    match load(args, &front) {
        Ok(loaded) => {
            if !args.json {
                out.diagnostics(&loaded.diags, &loaded.hir.sources);
            }
            front.require_entries(&loaded.hir)?;
            if osek::wants_tickless(args) && !notices_ticks(args, &loaded.hir) {
                return quietly(args, &osek::front_tickless(args)?);
            }
            Ok(loaded.hir)
        }
        Err(failed) => Err(Failure { sources: failed.sources, diags: failed.diags }),
    }
}

/// The typed program where nothing has to be reported.
fn quietly(args: &Args, front: &osek::Front) -> Result<hir::Program, Failure> {
    match load(args, front) {
        Ok(loaded) => Ok(loaded.hir),
        Err(failed) => Err(Failure { sources: failed.sources, diags: failed.diags }),
    }
}

/// Reads the files. The expression of `--reach` stands behind the first one in which it has a meaning.
fn load(args: &Args, front: &osek::Front) -> Result<Loaded, Failed> {
    let Some(expression) = &args.reach else { return load_program(args.files(), &front.options) };
    let function = format!("\n# 1 \"<reach>\"\nint {REACH}(void) {{ return ({expression}) ? 1 : 0; }}\n");
    let mut first = None;
    for wanted in 0..args.files().len().max(1) {
        let behind = |unit: usize, text: String| if unit == wanted { text + &function } else { text };
        match load_edited(args.files(), &front.options, &behind) {
            Ok(loaded) => return Ok(loaded),
            Err(failed) => first = first.or(Some(failed)),
        }
    }
    // Without the expression there may be errors of the program's own, which come first.
    load_program(args.files(), &front.options)?;
    Err(first.expect("there is at least one unit"))
}

/// Whether the program notices ticks that expire no alarm.
fn notices_ticks(args: &Args, hir: &hir::Program) -> bool {
    let wanted = Wanted { entry: "main".to_string(), properties: PropertySet::none(), specification: None };
    let needs = Needs { promotion: false, entry: true };
    lowered(args, &wanted, needs, hir, &mut Diagnostics::new()).is_none_or(|program| osek::notices_ticks(&program))
}

/// What a job needs of a program.
#[derive(Clone, Copy)]
pub struct Needs {
    /// Scalars in registers wherever they can be.
    pub promotion: bool,
    /// A function to start a run with.
    pub entry: bool,
}

/// The automata with the properties of the flags in them.
pub fn program(args: &Args, needs: Needs, out: &Output) -> Result<Program, Failure> {
    instrumented(args, &Wanted::new(args)?, needs, out)
}

/// The automata with these properties in them.
pub fn instrumented(args: &Args, wanted: &Wanted, needs: Needs, out: &Output) -> Result<Program, Failure> {
    of_typed(args, wanted, needs, &hir(args, out)?, out)
}

/// The automata of a typed program with these properties in them.
pub fn of_typed(
    args: &Args,
    wanted: &Wanted,
    needs: Needs,
    hir: &hir::Program,
    out: &Output,
) -> Result<Program, Failure> {
    require_names(args, hir)?;
    let mut diags = Diagnostics::new();
    let program = lowered(args, wanted, needs, hir, &mut diags);
    if !args.json && !diags.has_errors() {
        out.diagnostics(&diags, &hir.sources);
    }
    let Some(program) = program else { return Err(Failure { sources: hir.sources.clone(), diags }) };
    check_rules(&program)?;
    Ok(program)
}

/// The automata with these properties in them, and invariants of a witness in their text; or what is wrong with that.
pub fn annotated(args: &Args, wanted: &Wanted, edits: &Edits) -> Result<Program, String> {
    let is_other = std::cell::Cell::new(false);
    let edit = |unit: usize, text: String| {
        edits.apply(unit, &text).unwrap_or_else(|| {
            is_other.set(true);
            text
        })
    };
    if args.reach.is_some() || osek::wants_tickless(args) {
        return Err("a witness cannot be validated with --reach or --os-checks".to_string());
    }
    let front = osek::front_quietly(args).map_err(|failure| first_error(&failure.diags))?;
    let loaded = load_edited(args.files(), &front.options, &edit).map_err(|failed| first_error(&failed.diags))?;
    if is_other.get() {
        return Err("the files have changed".to_string());
    }
    let mut diags = Diagnostics::new();
    let needs = Needs { promotion: true, entry: true };
    let program = lowered(args, wanted, needs, &loaded.hir, &mut diags).ok_or_else(|| first_error(&diags))?;
    match plumb_ir::verify::verify(&program).first() {
        None => Ok(program),
        Some(broken) => Err(format!("the program's automata are malformed: {broken}")),
    }
}

/// A name given to `--error-function` or `--error-label` that nothing has is a slip: a check of it would hold for nothing. A
/// property file is about many programs, so that the names in it need not exist.
fn require_names(args: &Args, hir: &hir::Program) -> Result<(), Failure> {
    let users = || hir.functions.iter().filter(|f| !f.is_library);
    for wanted in &args.error_functions {
        if !users().any(|f| hir.names.text(f.name) == wanted.as_str()) {
            let message = format!("the program has no function `{wanted}`, which --error-function names");
            return Err(failure(message, "name a function that the program declares or defines"));
        }
    }
    let labels = || users().filter_map(|f| f.body.as_ref()).flat_map(|body| &body.labels);
    for wanted in &args.error_labels {
        if !labels().any(|label| hir.names.text(label.name) == wanted.as_str()) {
            let message = format!("the program has no label `{wanted}`, which --error-label names");
            return Err(failure(message, "name a label of one of the program's functions"));
        }
    }
    Ok(())
}

fn first_error(diags: &Diagnostics) -> String {
    let error = diags.iter().find(|d| d.severity == Severity::Error);
    error.map_or("it cannot be read".to_string(), |d| d.message.clone())
}

fn lowered(args: &Args, wanted: &Wanted, needs: Needs, hir: &hir::Program, diags: &mut Diagnostics) -> Option<Program> {
    let entry_optional = !needs.entry && args.entry.is_none();
    let lowering = LowerOptions {
        entry: wanted.entry.clone(),
        entry_optional,
        volatile_inputs: args.volatile_inputs,
        missing: args.missing,
        foreign_memory: !args.strict && !wanted.properties.asks_about_memory(),
        interrupts: args.interrupts.clone(),
    };
    prepare(
        hir,
        &wanted.properties,
        &PrepareOptions {
            lowering,
            promotion: needs.promotion,
            entry_state: args.entry_state,
            reach: args.reach.clone(),
        },
        diags,
    )
}

/// What must hold, and from which function on.
pub struct Wanted {
    pub entry: String,
    pub properties: PropertySet,
    /// The property file, as it is.
    pub specification: Option<String>,
}

impl Wanted {
    /// A property file says all there is to check; without one assertions must hold. The flags add to either.
    pub fn new(args: &Args) -> Result<Wanted, Failure> {
        let (mut entry, mut properties, mut specification) = (None, PropertySet::default(), None);
        if let Some(path) = &args.property {
            let (file, text) = read_property(path)?;
            specification = Some(text);
            properties = PropertySet::from_properties(&file.properties);
            entry = Some(file.entry);
        }
        let checks = CheckSelection::parse(&args.checks.join(","))
            .map_err(|unknown| failure(unknown.to_string(), "see `plumb check --help`"))?;
        properties.checks.add_all(checks);
        properties.error_functions.extend(args.error_functions.iter().map(|f| f.as_str().into()));
        properties.error_labels.extend(args.error_labels.iter().map(|l| l.as_str().into()));
        let entry = args.entry.clone().or(entry).unwrap_or_else(|| "main".to_string());
        Ok(Wanted { entry, properties, specification })
    }
}

/// A property file and its text.
fn read_property(path: &Path) -> Result<(prp::PropertyFile, String), Failure> {
    let shown = path.display();
    let help = "give a file with lines such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`";
    let text = std::fs::read_to_string(path).map_err(|e| failure(format!("cannot read `{shown}`: {e}"), help))?;
    let file = prp::parse(&text).map_err(|e| failure(format!("`{shown}`, {e}"), help))?;
    Ok((file, text))
}

pub fn failure(message: String, help: &str) -> Failure {
    Failure::of(Diagnostic::error(Span::NONE, message).help(help))
}

/// A program that breaks the representation's rules would give answers that mean nothing: no job gets to see it.
fn check_rules(program: &Program) -> Result<(), Failure> {
    match plumb_ir::verify::verify(program).first() {
        None => Ok(()),
        Some(broken) => Err(failure(
            format!("the program's automata are malformed: {broken}"),
            "this is a defect of Plumb; please report it with the source",
        )),
    }
}

/// Whether proofs may suppose nothing of undefined behaviour: where the user says so, and on small machines, which do not
/// stop where they divide by zero.
pub fn is_strict(args: &Args, program: &Program) -> bool {
    args.strict || program.target.pointer_bits() < 32
}
