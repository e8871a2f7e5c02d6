//! What a proof has shown of functions: `function_contract` entries of format 2.1.
//!
//! A function has one entry. Nothing is required of its callers; `ensures` has every case as an implication.

use super::locate::{Found, Location, Locator};
use super::quoted;
use crate::contract::definition::definition;
use crate::contract::{Old, contract_texts};
use plumb_contract::Contract;
use plumb_ir::program::Program;
use std::fmt::Write;

/// Writes the contracts of functions that have a definition in the task's files.
pub(super) fn write(out: &mut String, program: &Program, contracts: &[Contract], locator: &Locator<'_>) {
    for (text, contract) in contract_texts(program, contracts, Old::At).iter().zip(contracts) {
        let Some(location) = location(program, contract, locator) else { continue };
        let _ = writeln!(out, "  - contract:\n      type: \"function_contract\"\n      location:");
        let _ = writeln!(out, "        file_name: {}\n        line: {}", quoted(&location.file), location.line);
        if let Some(column) = location.column {
            let _ = writeln!(out, "        column: {column}");
        }
        let _ = writeln!(out, "        function: {}", quoted(&text.function));
        let _ = writeln!(out, "      requires: \"1\"\n      ensures: {}", quoted(&text.ensures()));
        let _ = writeln!(out, "      format: \"ext_c_expression\"");
    }
}

/// Where the definition of a contract's function begins.
fn location(program: &Program, contract: &Contract, locator: &Locator<'_>) -> Option<Location> {
    let found = definition(program, contract.func)?;
    let base = program.sources.units()[found.unit].base();
    match locator.locate(base + found.declaration.start as u32)? {
        Found::Exact(location) | Found::Macro(location) | Found::Line(location) => Some(location),
    }
}
