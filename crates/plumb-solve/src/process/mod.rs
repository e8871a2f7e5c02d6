//! Any solver that speaks SMT-LIB 2, as a child process: a second opinion for the validator, tests and doubts.
//!
//! Every check runs a process of its own on the whole query, so there is nothing to keep in step. Assumptions are named by
//! truth values that are assumed; values of symbols are asked for one by one after `sat`.

mod child;
mod reply;

use crate::limits::{Limits, Why};
use crate::solver::{Outcome, Solver};
use child::Child;
use plumb_term::smtlib::Printer;
use plumb_term::{Assignment, SymbolId, TermId, Terms, free_symbols};
use reply::Reply;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long a process may take that has a number of conflicts, and how many of these are a millisecond more, roughly.
const SHORTEST: Duration = Duration::from_secs(1);
const CONFLICTS_PER_MILLISECOND: u64 = 10;

/// Solvers whose command lines are known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Program {
    Z3,
    Cvc5,
    Bitwuzla,
}

impl Program {
    pub const ALL: [Program; 3] = [Program::Z3, Program::Cvc5, Program::Bitwuzla];

    pub fn of_name(name: &str) -> Option<Program> {
        Program::ALL.into_iter().find(|program| program.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Program::Z3 => "z3",
            Program::Cvc5 => "cvc5",
            Program::Bitwuzla => "bitwuzla",
        }
    }

    /// Arguments for a script on standard input.
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Program::Z3 => &["-in", "-smt2"],
            Program::Cvc5 => &["--lang=smt2", "--incremental"],
            Program::Bitwuzla => &["--lang", "smt2"],
        }
    }

    /// Where it is on the search path.
    pub fn find(self) -> Option<PathBuf> {
        let paths = std::env::var_os("PATH")?;
        std::env::split_paths(&paths).map(|folder| folder.join(self.name())).find(|path| path.is_file())
    }
}

pub struct ProcessSolver {
    program: Program,
    path: PathBuf,
    /// One list of assertions per open scope, and one outside of all.
    assertions: Vec<Vec<TermId>>,
    limits: Limits,
    model: Option<Assignment>,
    core: Vec<TermId>,
}

impl ProcessSolver {
    /// A solver found on the search path, if it is there.
    pub fn find(program: Program) -> Option<ProcessSolver> {
        Some(ProcessSolver::at(program, program.find()?))
    }

    pub fn at(program: Program, path: PathBuf) -> ProcessSolver {
        ProcessSolver {
            program,
            path,
            assertions: vec![Vec::new()],
            limits: Limits::default(),
            model: None,
            core: Vec::new(),
        }
    }

    fn run(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<Outcome, Why> {
        let mut printer = Printer::new();
        let mut script = String::from("(set-option :print-success false)\n(set-option :produce-models true)\n");
        if !assumptions.is_empty() {
            script.push_str("(set-option :produce-unsat-assumptions true)\n");
        }
        script.push_str("(set-logic ALL)\n");
        for &term in self.assertions.iter().flatten() {
            printer.assert(terms, term, &mut script);
        }
        let mut names = String::new();
        for (number, &term) in assumptions.iter().enumerate() {
            let text = printer.term(terms, term, &mut script);
            script.push_str(&format!("(declare-const %a{number} Bool)\n(assert (= %a{number} {text}))\n"));
            names.push_str(&format!(" %a{number}"));
        }
        // Without assumptions solvers have better strategies.
        match assumptions {
            [] => script.push_str("(check-sat)\n"),
            _ => script.push_str(&format!("(check-sat-assuming ({names}))\n")),
        }
        let mut child = Child::start(&self.path, self.program.arguments(), &limits_of_process(&self.limits))?;
        child.send(script);
        match child.receive()? {
            Reply::Atom(word) if word == "sat" => {
                self.model = Some(self.ask_model(terms, assumptions, &printer, &mut child)?);
                Ok(Outcome::Sat)
            }
            Reply::Atom(word) if word == "unsat" => {
                self.core = if assumptions.is_empty() { Vec::new() } else { ask_core(assumptions, &mut child)? };
                Ok(Outcome::Unsat)
            }
            Reply::Atom(word) if word == "unknown" => Err(Why::Process("it does not know")),
            Reply::Atom(_) | Reply::List(_) => Err(Why::Process("its answer is not understood")),
        }
    }

    fn ask_model(
        &self,
        terms: &Terms,
        assumptions: &[TermId],
        printer: &Printer,
        child: &mut Child,
    ) -> Result<Assignment, Why> {
        let roots: Vec<TermId> = self.assertions.iter().flatten().chain(assumptions).copied().collect();
        let symbols: Vec<(SymbolId, &str)> = free_symbols(terms, &roots)
            .into_iter()
            .filter_map(|symbol| Some((symbol, printer.symbol_name(symbol)?)))
            .collect();
        let questions: String = symbols.iter().map(|(_, name)| format!("(get-value ({name}))\n")).collect();
        child.send(questions);
        let mut model = Assignment::new();
        for (symbol, _) in symbols {
            // ((name value))
            let reply = child.receive()?;
            let value = reply.items().and_then(|pairs| pairs.first()?.items()?.get(1));
            let value = value.and_then(|value| value.value(terms.symbol_sort(symbol)));
            model.set(symbol, value.ok_or(Why::Process("its model is not understood"))?);
        }
        Ok(model)
    }
}

/// Other programs count conflicts otherwise, or do not tell: a number of them is so much time.
fn limits_of_process(limits: &Limits) -> Limits {
    let until =
        |conflicts: u64| Instant::now() + SHORTEST + Duration::from_millis(conflicts / CONFLICTS_PER_MILLISECOND);
    let deadline = limits.deadline.into_iter().chain(limits.conflicts.map(until)).min();
    Limits { deadline, ..limits.clone() }
}

fn ask_core(assumptions: &[TermId], child: &mut Child) -> Result<Vec<TermId>, Why> {
    child.send("(get-unsat-assumptions)\n".to_owned());
    let reply = child.receive()?;
    let names = reply.items().ok_or(Why::Process("its core is not understood"))?;
    let term = |name: &Reply| match name {
        Reply::Atom(name) => {
            assumptions.get(name.trim_matches('|').strip_prefix("%a")?.parse::<usize>().ok()?).copied()
        }
        Reply::List(_) => None,
    };
    let core: Option<Vec<TermId>> = names.iter().map(term).collect();
    let mut core = core.ok_or(Why::Process("its core is not understood"))?;
    core.sort_unstable();
    core.dedup();
    Ok(core)
}

impl Solver for ProcessSolver {
    fn assert(&mut self, _terms: &mut Terms, term: TermId) {
        if let Some(scope) = self.assertions.last_mut() {
            scope.push(term);
        }
    }

    fn push(&mut self) {
        self.assertions.push(Vec::new());
    }

    fn pop(&mut self) {
        if self.assertions.len() > 1 {
            self.assertions.pop();
        }
    }

    fn check(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> Outcome {
        self.model = None;
        self.core.clear();
        self.run(terms, assumptions).unwrap_or_else(Outcome::Unknown)
    }

    fn model(&self) -> Option<&Assignment> {
        self.model.as_ref()
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }
}
