//! From source text to a checked program, for the tests of this folder. Each of them uses a part of it.

#![allow(dead_code)]

use plumb_c::ast::TranslationUnit;
use plumb_c::diag::Diagnostics;
use plumb_c::hir::{Function, Global, Program};
use plumb_c::names::Names;
use plumb_c::parse::parse_unit;
use plumb_c::sema;
use plumb_c::source::SourceMap;
use plumb_c::target::Target;
use std::sync::Arc;

/// Checks units, with an optional library of models; `Err` holds each message with its help.
pub fn analyse(units: &[&str], library: Option<&str>, target: Target) -> Result<Program, Vec<String>> {
    let mut sources = SourceMap::new();
    for (i, text) in units.iter().chain(library.as_ref()).enumerate() {
        sources.add(&format!("unit{i}.c"), text.to_string()).map_err(|_| vec!["too large".to_string()])?;
    }
    let mut names = Names::new();
    let mut diags = Diagnostics::new();
    let mut trees: Vec<TranslationUnit> =
        sources.units().iter().map(|u| parse_unit(u, &mut names, &mut diags)).collect();
    let library = library.and_then(|_| trees.pop());
    let program = if diags.has_errors() {
        None
    } else {
        sema::check(&trees, library.as_ref(), Arc::new(sources), names, target, &mut diags)
    };
    program.ok_or_else(|| {
        diags.iter().map(|d| format!("{} ({})", d.message, d.help.as_deref().unwrap_or_default())).collect()
    })
}

pub fn link(units: &[&str]) -> Program {
    analyse(units, None, Target::LP64).unwrap_or_else(|messages| panic!("{units:?}: {messages:?}"))
}

/// The messages of a program that is wrong.
pub fn mistakes(units: &[&str]) -> Vec<String> {
    match analyse(units, None, Target::LP64) {
        Ok(_) => panic!("accepted: {units:?}"),
        Err(messages) => messages,
    }
}

pub fn global<'p>(program: &'p Program, name: &str) -> &'p Global {
    let mut found = program.globals.iter().filter(|g| program.names.text(g.name) == name);
    let first = found.next().unwrap_or_else(|| panic!("no variable {name}"));
    assert!(found.next().is_none(), "two variables {name}");
    first
}

pub fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    let id = program.find_function(name).unwrap_or_else(|| panic!("no function {name}"));
    program.function(id)
}
