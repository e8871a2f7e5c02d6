//! `plumb show`: the program at one stage of the pipeline, as text, JSON or a graph.

mod features;
mod layout;
mod oil;
mod summaries;

use crate::args::{Args, ShowArgs, Stage};
use crate::load::{self, Needs};
use crate::report::{Exit, Failure, Output};
use plumb_c::diag::Diagnostic;
use plumb_c::hir_print;
use plumb_c::source::Span;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::callgraph::CallGraph;
use plumb_ir::analysis::pointsto::PointsTo;
use plumb_ir::derive::slice::slice;
use plumb_ir::program::{FuncId, Program};
use plumb_ir::{dot, json as ir_json, print};
use serde::Serialize;
use std::sync::Arc;

pub fn show(args: &Args, show: &ShowArgs, out: &mut Output) -> Exit {
    let result = match show.what {
        Stage::Ast => ast(args, show, out),
        Stage::Layout => layout::show(args, show, out),
        Stage::Ir => ir(args, show, out),
        Stage::Cfa => cfa(args, show, out),
        Stage::Callgraph => callgraph(args, out, show.dot),
        Stage::Summaries => summaries::show(args, show, out),
        Stage::Oil => oil::show(args, show, out),
        Stage::Features => features::show(args, out),
    };
    match result {
        Ok(()) => Exit::Done,
        Err(failure) => out.failure(&failure),
    }
}

fn ast(args: &Args, show: &ShowArgs, out: &mut Output) -> Result<(), Failure> {
    let program = load::hir(args, out)?;
    let nodes = hir_print::tree(&program, show.function.as_deref(), show.library);
    if nodes.is_empty() && show.function.is_some() {
        return Err(no_such_function(show));
    }
    if args.json {
        out.json(&hir_print::documents(&nodes, &program));
    } else {
        out.text(&hir_print::text(&nodes, &program));
    }
    Ok(())
}

/// The program of `ir` and `cfa`.
fn program(args: &Args, show: &ShowArgs, out: &mut Output) -> Result<Program, Failure> {
    // What runs can do depends on where they start.
    let program = load::program(args, Needs { promotion: !show.raw, entry: show.slice }, out)?;
    if !show.slice {
        return Ok(program);
    }
    Ok(slice(&Analyses::new(&Arc::new(program)), &|_| true).program)
}

fn ir(args: &Args, show: &ShowArgs, out: &mut Output) -> Result<(), Failure> {
    let program = program(args, show, out)?;
    let chosen = functions(&program, show)?;
    if args.json {
        out.json(&ir_json::program(&program, chosen));
    } else if show.library && show.function.is_none() {
        out.text(&print::program(&program));
    } else {
        for id in chosen {
            out.text(&print::function(&program, program.function(id)));
            out.text("\n");
        }
    }
    Ok(())
}

fn cfa(args: &Args, show: &ShowArgs, out: &mut Output) -> Result<(), Failure> {
    if !show.dot {
        return ir(args, show, out);
    }
    let program = program(args, show, out)?;
    for id in functions(&program, show)? {
        out.text(&dot::function(&program, program.function(id)));
    }
    Ok(())
}

/// A function and what it calls, as JSON has them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallerDoc<'a> {
    function: &'a str,
    has_body: bool,
    is_library: bool,
    callees: Vec<&'a str>,
}

fn callgraph(args: &Args, out: &mut Output, as_dot: bool) -> Result<(), Failure> {
    let program = load::program(args, Needs { promotion: true, entry: false }, out)?;
    let graph = CallGraph::of(&program, Some(&PointsTo::of(&program)));
    if as_dot {
        out.text(&dot::call_graph(&program, &graph));
        return Ok(());
    }
    let name = |id: FuncId| program.function(id).name.to_string();
    let mut rows = Vec::new();
    for id in program.function_ids() {
        let mut callees: Vec<FuncId> = graph.callees(id).iter().map(|call| call.callee).collect();
        callees.sort();
        callees.dedup();
        rows.push((id, callees));
    }
    if args.json {
        let callers = rows.iter().map(|(id, callees)| {
            let function = program.function(*id);
            let callees = callees.iter().map(|&callee| &*program.function(callee).name).collect();
            let (has_body, is_library) = (function.has_body, function.is_library);
            CallerDoc { function: &function.name, has_body, is_library, callees }
        });
        out.json(&callers.collect::<Vec<_>>());
    } else {
        for (id, callees) in rows {
            let callees: Vec<String> = callees.into_iter().map(name).collect();
            out.line(&format!("{} -> {}", name(id), if callees.is_empty() { "-".into() } else { callees.join(", ") }));
        }
    }
    Ok(())
}

/// The functions that the flags ask for.
fn functions(program: &Program, show: &ShowArgs) -> Result<Vec<FuncId>, Failure> {
    let wanted = |id: &FuncId| {
        let function = program.function(*id);
        match &show.function {
            Some(name) => *function.name == **name,
            None => show.library || !function.is_library,
        }
    };
    let chosen: Vec<FuncId> = program.function_ids().filter(wanted).collect();
    if chosen.is_empty() && show.function.is_some() { Err(no_such_function(show)) } else { Ok(chosen) }
}

fn no_such_function(show: &ShowArgs) -> Failure {
    let name = show.function.as_deref().unwrap_or_default();
    let help = "see `plumb show callgraph` for the functions there are";
    Failure::of(Diagnostic::error(Span::NONE, format!("the program has no function `{name}`")).help(help))
}
