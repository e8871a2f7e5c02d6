//! Parser tests: text in; a compact form of the tree, or the messages, out.

mod nesting;
mod show;
mod trees;
mod trouble;

use super::parse_unit;
use crate::ast::TranslationUnit;
use crate::diag::{Diagnostics, render};
use crate::names::Names;
use crate::source::SourceMap;

struct Outcome {
    unit: TranslationUnit,
    names: Names,
    messages: Vec<String>,
}

/// Parses text and renders every message, which must not fail either.
fn parse(text: &str) -> Outcome {
    let mut sources = SourceMap::new();
    sources.add("t.i", text.to_string()).unwrap();
    let (mut names, mut diags) = (Names::new(), Diagnostics::new());
    let unit = parse_unit(&sources.units()[0], &mut names, &mut diags);
    for diagnostic in diags.iter() {
        assert!(render(diagnostic, &sources, false).contains(&diagnostic.message));
    }
    Outcome { unit, names, messages: diags.iter().map(|d| d.message.clone()).collect() }
}

/// Runs a test on a stack as large as the one the program's driver provides.
fn with_large_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(test).unwrap();
    thread.join().unwrap();
}
