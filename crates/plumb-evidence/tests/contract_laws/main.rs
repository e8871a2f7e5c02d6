//! What the validator confirms of random contracts of functions of random programs, against runs of the machine.
//!
//! Candidates are formulas that hold of the calls in a few runs. Those of which the validator is convinced must hold of the calls
//! in many others, and no run may break a check of the program.
//!
//! A certificate claims no contract that cannot be derived. It is about the program alone then, and confirming it no word about the contract.
//!
//! Longer runs: `PLUMB_DERIVE_COUNT` (programs), `PLUMB_DERIVE_SEED` (the first seed), `PLUMB_DERIVE_ROUNDS` (of the small programs).

#[path = "../../../plumb-contract/tests/laws/formula.rs"]
mod formula;
#[path = "../../../plumb-sym/tests/concrete/generate/mod.rs"]
mod generate;
#[allow(dead_code, reason = "the laws of derived programs use more of it")]
#[path = "../../../plumb-exec/tests/derive/globals.rs"]
mod globals;
#[path = "../../../plumb-contract/tests/laws/observed.rs"]
mod observed;
#[path = "../../../plumb-exec/tests/derive/programs.rs"]
mod programs;
#[allow(dead_code, reason = "the laws of derived programs use more of it")]
#[path = "../../../plumb-exec/tests/derive/run.rs"]
mod run;

use observed::{Observed, begin, end};
use plumb_answer::{Budget, Cancel, Proof};
use plumb_contract::{Atom, Cell, Contract, unit_of};
use plumb_evidence::{Rules, Subject, Task, Validation, certificate, validate_certificate};
use plumb_exec::{Machine, Outcome, Rng, SeedInputs, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::check::CheckKind;
use plumb_ir::expr::ExprKind;
use plumb_ir::program::{FuncId, Function, Op, Program};
use plumb_ir::ty::{Bits, Ty};
use plumb_solve::SolverChoice;
use run::run_observed;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// Formulas that are tried for each function, and runs that they must hold in to be candidates.
const FORMULAS: usize = 60;
const FIRST_RUNS: u64 = 6;
const MORE_RUNS: u64 = 60;
/// A validation that takes longer tells nothing here.
const TIME: Duration = Duration::from_secs(2);

#[derive(Default, Debug)]
struct Counts {
    candidates: u64,
    confirmed: u64,
    /// Calls that confirmed contracts were compared with.
    calls: u64,
    /// Calls of contracts about what pointers to objects of callers point to.
    behind: u64,
    rejected: u64,
    unknown: u64,
    /// Contracts that the program cannot have.
    underivable: u64,
}

fn speaks_of_pointees(contract: &Contract) -> bool {
    contract.symbols.iter().any(|symbol| matches!(symbol.atom, Atom::Exit(Cell::Pointee(..))))
}

/// The calls of a function in a run, and whether the run breaks a check of the program.
fn calls(program: &Program, func: FuncId, seed: u64) -> (Vec<Observed>, bool) {
    let mut open = Vec::new();
    let mut calls = Vec::new();
    let mut machine = Machine::new(run::image(program));
    let run = run_observed(&mut machine, &mut SeedInputs::new(seed), run::STEPS, &mut |event, _| {
        let Some((at, to)) = run::direct_call(program, &event, func) else { return };
        match event.phase {
            TracePhase::Call => open.push(begin(program, event.machine, at)),
            TracePhase::Done => calls.push(end(program, event.machine, open.pop().expect("it has begun"), to)),
        }
    });
    (calls, matches!(run.outcome, Outcome::CheckFailed { .. }))
}

/// Whether some call that was seen breaks the contract.
fn is_broken(calls: &[Observed], contract: &Contract) -> bool {
    calls.iter().any(|call| call.broken_case(contract).is_ok_and(|case| case.is_some()))
}

fn validated(program: &Program, contract: &Contract) -> Validation {
    let part = || Proof::Bounded { bound: 12, steps: 0 };
    let units = vec![(contract.func, part())];
    let proof = Proof::Modular { contracts: Arc::new(vec![contract.clone()]), units, top: Box::new(part()) };
    let task = Task {
        files: Vec::new(),
        specification: "CHECK( init(main()), LTL(G assert) )".to_string(),
        created: SystemTime::UNIX_EPOCH,
        version: "test".to_string(),
        command_line: None,
        configuration: None,
    };
    let text = certificate(program, Some(&proof), &task);
    let specification = |_| task.specification.clone();
    let reload = |_: &plumb_evidence::Edits| Err("certificates need no text".to_string());
    let solvers = SolverChoice::default();
    let rules = Rules { strict: false, solvers: &solvers };
    let subject = Subject { program, task: &task, specification: &specification, reload: &reload, rules };
    let budget = Budget { deadline: Some(Instant::now() + TIME), memory: 1 << 30, threads: 1, cancel: Cancel::new() };
    validate_certificate(&subject, &text, &budget)
}

fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let analyses = Analyses::new(program);
    let mut rng = Rng(seed);
    for func in analyses.resolved_calls().reachable(program.start) {
        if func == program.start || Some(func) == program.entry || program.function(func).is_library {
            continue;
        }
        let mut seen = Vec::new();
        let mut breaks = false;
        for round in 0..FIRST_RUNS {
            let (calls, has_broken) = calls(program, func, seed * 100 + round);
            seen.extend(calls);
            breaks |= has_broken;
        }
        let mut formulas = (0..FORMULAS).map_while(|_| formula::contract(&analyses, func, &mut rng));
        let holds = |contract: &Contract| !contract.cases.is_empty() && !is_broken(&seen, contract);
        let Some(contract) = formulas.find(holds) else { continue };
        if unit_of(&analyses, &contract, &[]).is_err() {
            counts.underivable += 1;
            continue;
        }
        counts.candidates += 1;
        match validated(program, &contract) {
            Validation::Rejected(_) => counts.rejected += 1,
            Validation::Unknown(_) => counts.unknown += 1,
            Validation::Confirmed(how) => {
                counts.confirmed += 1;
                let name = &program.function(func).name;
                assert!(how.starts_with(&format!("the contract of `{name}` holds")), "seed {seed}, {name}: {how}");
                assert!(!breaks, "seed {seed}, {name}: {how}");
                for round in 0..MORE_RUNS {
                    let (calls, has_broken) = calls(program, func, seed * 1000 + round);
                    assert!(!has_broken && !is_broken(&calls, &contract), "seed {seed}, {name}: {how}");
                    counts.calls += calls.len() as u64;
                    counts.behind += if speaks_of_pointees(&contract) { calls.len() as u64 } else { 0 };
                }
            }
        }
    }
}

/// The program without its own checks: whatever it does, contracts of its functions hold or do not.
fn without_checks(program: &Program) -> Program {
    let mut quiet = program.clone();
    for function in quiet.functions.iter_mut() {
        let mut parts = Function::clone(function).into_parts();
        let cond = parts.exprs.push(ExprKind::Const(Bits::ONE), Ty::BOOL);
        for edge in &mut parts.edges {
            if let Op::Check { check, .. } = edge.op
                && program.check(check).kind != CheckKind::Unsupported
            {
                edge.op = Op::Assume { cond, branch: None };
            }
        }
        *function = Arc::new(Function::new(parts));
    }
    quiet
}

#[test]
fn what_is_confirmed_holds_of_runs() {
    let mut counts = Counts::default();
    programs::for_each_program("contract-validated", |program, seed| {
        check(program, seed, &mut counts);
        check(&without_checks(program), seed, &mut counts);
    });
    eprintln!("validated: {counts:?}");
    assert!(counts.candidates > 20 && counts.confirmed > 0 && counts.calls > 100 && counts.behind > 100);
}
