//! What a summary depends on, as a text: two functions with the same text have the same summaries.
//!
//! Names of files, lines and numbers of the program are left out, so that the same function in another program, or further
//! down in the same file, is the same.

use super::entry::FORMAT;
use crate::summary::synthesis::SynthesisOptions;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::{ScalarType, Signature, Source};
use plumb_ir::expr::ExprKind;
use plumb_ir::print::{LocalNames, Printer, extent_name, origin};
use plumb_ir::program::{
    DatumValue, Function, GlobalObj, GlobalVar, HavocPlace, ObjRef, Op, Program, ScalarInit, VarRef,
};
use std::collections::BTreeSet;
use std::fmt::Write;

pub fn content(analyses: &Analyses, signature: &Signature, options: &SynthesisOptions) -> String {
    let program = analyses.program();
    let mut out = format!("format {FORMAT}\ntarget {:?}\n", program.target);
    let _ = writeln!(out, "coverage {}", options.uses_coverage);
    for scalar in &signature.inputs {
        let _ = writeln!(out, "input {} {} {}", scalar.name, scalar_type(scalar.ty), source(program, scalar.source));
    }
    let _ = writeln!(out, "output {}", scalar_type(signature.output));
    let (mut vars, mut objects) = (BTreeSet::new(), BTreeSet::new());
    for id in analyses.resolved_calls().reachable(signature.func) {
        let function = program.function(id);
        add_function(&mut out, program, function);
        collect_globals(function, &mut vars, &mut objects);
    }
    for var in vars {
        let info = program.var(var);
        let _ = writeln!(out, "global {} {} = {}", info.ty, info.name, initial(program, info.init));
        if let ScalarInit::Object(object, _) = info.init {
            objects.insert(object);
        }
    }
    for object in with_pointees(program, objects) {
        add_object(&mut out, program, object);
    }
    out
}

/// Objects with all that pointers in their initial data lead to.
fn with_pointees(program: &Program, objects: BTreeSet<GlobalObj>) -> BTreeSet<GlobalObj> {
    let mut waiting: Vec<GlobalObj> = objects.iter().copied().collect();
    let mut found = objects;
    while let Some(object) = waiting.pop() {
        for datum in &program.object(object).init {
            if let DatumValue::Object(target, _) = datum.value
                && found.insert(target)
            {
                waiting.push(target);
            }
        }
    }
    found
}

fn scalar_type(ty: ScalarType) -> String {
    format!("{}{}{}", ty.ty, if ty.is_signed { " signed" } else { "" }, if ty.is_bool { " truth" } else { "" })
}

fn source(program: &Program, source: Source) -> String {
    match source {
        Source::Parameter(param) => format!("parameter {}", param.0),
        Source::Global(var) => format!("register {}", program.var(var).name),
        Source::Object(object, offset) => format!("object {} + {offset}", program.object(object).name),
        Source::Pointee(param, offset) => format!("behind parameter {} + {offset}", param.0),
        Source::External(input) => format!("external {}", origin(&program.input(input).origin)),
        Source::Stream(input) => format!("stream {}", origin(&program.input(input).origin)),
    }
}

fn add_function(out: &mut String, program: &Program, function: &Function) {
    let names = LocalNames::new(function);
    let printer = Printer { program, function, names: &names };
    let _ = writeln!(out, "function {} {} parameters, {:?}", function.name, function.param_count, function.ret);
    for (id, var) in function.vars.iter_enumerated() {
        let _ = writeln!(out, "  {} {}", var.ty, names.var(id));
    }
    for object in &function.objects {
        let _ = writeln!(out, "  object {} {} bytes", object.name, object.size);
    }
    let _ = writeln!(out, "  from L{} to L{}", function.entry.0, function.exit.0);
    for edge in &function.edges {
        // Inputs and checks have numbers of the program and sentences about it.
        let op = match &edge.op {
            Op::Havoc { to, input } => {
                let place = match to {
                    HavocPlace::Var(VarRef::Local(var)) => names.var(*var).to_string(),
                    HavocPlace::Var(VarRef::Global(var)) => program.var(*var).name.to_string(),
                    HavocPlace::Region { addr, size } => {
                        format!("{} bytes at {}", printer.expr(*size), printer.expr(*addr))
                    }
                    HavocPlace::Objects { addr, extent } => format!("{} {}", extent_name(*extent), printer.expr(*addr)),
                };
                format!("havoc {place} {}", origin(&program.input(*input).origin))
            }
            Op::Check { cond, check } => format!("check {:?} {}", program.check(*check).kind, printer.expr(*cond)),
            op @ (Op::Assign { .. } | Op::Assume { .. } | Op::Call { .. } | Op::Return(_)) => printer.op(op),
        };
        let _ = writeln!(out, "  L{} -> L{}: {op}", edge.from.0, edge.to.0);
    }
}

fn collect_globals(function: &Function, vars: &mut BTreeSet<GlobalVar>, objects: &mut BTreeSet<GlobalObj>) {
    for id in function.exprs.ids() {
        match function.exprs.kind(id) {
            ExprKind::Var(VarRef::Global(var)) => {
                vars.insert(var);
            }
            ExprKind::Addr(ObjRef::Global(object)) => {
                objects.insert(object);
            }
            _ => {}
        }
    }
}

fn initial(program: &Program, init: ScalarInit) -> String {
    match init {
        ScalarInit::Const(bits) => format!("{bits:?}"),
        ScalarInit::Object(object, offset) => format!("&{} + {offset}", program.object(object).name),
        ScalarInit::Function(id) => format!("&{}", program.function(id).name),
    }
}

/// An object with all its initial bytes: tables decide what functions return.
fn add_object(out: &mut String, program: &Program, object: GlobalObj) {
    let info = program.object(object);
    let _ = write!(out, "object {} {} bytes, read-only {}", info.name, info.size, info.read_only);
    for datum in &info.init {
        let _ = write!(out, ", {} ", datum.offset);
        match &datum.value {
            DatumValue::Bytes(bytes) => bytes.iter().for_each(|byte| {
                let _ = write!(out, "{byte:02x}");
            }),
            DatumValue::Object(id, offset) => {
                let _ = write!(out, "&{} + {offset}", program.object(*id).name);
            }
            DatumValue::Function(id) => {
                let _ = write!(out, "&{}", program.function(*id).name);
            }
        }
    }
    out.push('\n');
}
