//! Contracts above prototypes, as a header that people read and other tools may.

use super::definition::definition;
use super::text::{Old, assigned, contract_texts};
use plumb_contract::Contract;
use plumb_ir::analysis::Analyses;
use plumb_ir::program::Program;
use std::fmt::Write;

/// The header of contracts: an ACSL comment for each function, and its prototype where the text has it.
pub fn header(program: &Program, contracts: &[Contract]) -> String {
    let mut out = String::from(
        "/* Contracts that Plumb has proved. Expressions mean what they mean in C: unsigned arithmetic and casts wrap. */\n",
    );
    let analyses = Analyses::new(program);
    for (text, contract) in contract_texts(program, contracts, Old::Acsl).iter().zip(contracts) {
        out += "\n/*@ requires \\true;\n";
        if let Some(assigned) = assigned(&analyses, contract.func) {
            let list = if assigned.is_empty() { "\\nothing".to_string() } else { assigned.join(", ") };
            let _ = writeln!(out, "  @ assigns {list};");
        }
        for case in &text.cases {
            for ensures in &case.ensures {
                let _ = match case.requires.as_str() {
                    "1" => writeln!(out, "  @ ensures {ensures};"),
                    requires => writeln!(out, "  @ ensures ({requires}) ==> ({ensures});"),
                };
            }
        }
        if text.cases.is_empty() {
            out += "  @ ensures \\true;\n";
        }
        match text.inexpressible_conditions {
            0 => {}
            1 => out += "  @ // and one condition that has no name in C\n",
            n => {
                let _ = writeln!(out, "  @ // and {n} conditions that have no names in C");
            }
        }
        out += "  @*/\n";
        let name = &text.function;
        let prototype = definition(program, contract.func).and_then(|found| found.prototype(program));
        let _ = match prototype {
            Some(prototype) => writeln!(out, "{prototype};"),
            None => writeln!(out, "/* {name} */"),
        };
    }
    out
}
