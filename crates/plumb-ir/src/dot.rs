//! Programs as Graphviz graphs: the automaton of a function, the call graph of a program.

use crate::analysis::callgraph::CallGraph;
use crate::print::{LocalNames, Printer};
use crate::program::{FuncId, Function, Loc, Op, Program};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// The automaton of one function: locations as circles, the exit doubled, stops filled.
pub fn function(program: &Program, function: &Function) -> String {
    let names = LocalNames::new(function);
    let printer = Printer { program, function, names: &names };
    let mut out = format!("digraph {} {{\n  node [shape=circle, fontname=monospace];\n", quoted(&function.name));
    out.push_str("  edge [fontname=monospace];\n");
    let entered: FxHashSet<Loc> = function.edges.iter().map(|e| e.to).collect();
    for loc in function.locs() {
        // Passes may leave numbers of locations behind.
        let is_used = loc == function.entry || loc == function.exit || entered.contains(&loc);
        if !is_used && function.out_edges(loc).next().is_none() {
            continue;
        }
        let style = if loc == function.exit {
            ", shape=doublecircle"
        } else if function.out_edges(loc).next().is_none() {
            ", style=filled"
        } else {
            ""
        };
        let _ = writeln!(out, "  {} [label=\"L{}\"{style}];", loc.0, loc.0);
    }
    let _ = writeln!(out, "  start [shape=point]; start -> {};", function.entry.0);
    for edge in &function.edges {
        let colour = match edge.op {
            Op::Check { .. } => ", color=red",
            Op::Assume { .. } => ", color=blue",
            Op::Havoc { .. } => ", color=darkgreen",
            Op::Call { .. } | Op::Assign { .. } | Op::Return(_) => "",
        };
        let label = quoted(&printer.op(&edge.op));
        let _ = writeln!(out, "  {} -> {} [label={label}{colour}];", edge.from.0, edge.to.0);
    }
    out.push_str("}\n");
    out
}

/// Who calls whom; calls through pointers are dashed, functions without a body are boxes.
pub fn call_graph(program: &Program, graph: &CallGraph) -> String {
    let mut out = "digraph calls {\n  node [fontname=monospace];\n".to_string();
    let mut shown: Vec<FuncId> = graph.reachable(program.start);
    shown.sort();
    for &id in &shown {
        let function = program.function(id);
        let shape = if function.has_body { "ellipse" } else { "box" };
        let _ = writeln!(out, "  {} [label={}, shape={shape}];", id.0, quoted(&function.name));
    }
    for &id in &shown {
        for call in graph.callees(id) {
            let style = if call.direct { "" } else { " [style=dashed]" };
            let _ = writeln!(out, "  {} -> {}{style};", id.0, call.callee.0);
        }
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    let mut out = "\"".to_string();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('?'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
