//! Functions that evaluate contracts, in C, put behind the program's text.
//!
//! For a contract number `k` of `int f(int x)` that requires `R` and ensures `E`, which names the old value of `O`:
//!
//! ```text
//!   int __plumb_body_k(int x)   { return f(x); }
//!   int __plumb_use_k(int x)    { invariant(R); T old = O; int result = body_k(x); assume(E);    return result; }
//!   int __plumb_prove_k(int x)  { assume(R);    T old = O; int result = body_k(x); invariant(E); return result; }
//!   int __plumb_check_k(int x)  { invariant(R); T old = O; int result = body_k(x); invariant(E); return result; }
//! ```
//!
//! Which body runs is a matter of the derived programs ([`super::derive`]). Evaluating a condition may change nothing: lowering refuses
//! that in what `__plumb_invariant` is given, and `check` has all conditions there. Nor may it be undefined: faults in these functions are the
//! witness's ([`is_own`]), but where a condition is assumed. There a run that faults is none of the program, since the condition is
//! shown elsewhere for all states in which the program evaluates it.

use super::clause::{Clause, OLD, RESULT, clause};
use crate::contract::definition::{Definition, definition};
use crate::validate::annotate::{Edits, show};
use crate::validate::content::{FunctionContract, Place};
use crate::validate::tuning::TUNING;
use crate::validate::{Rejected, Validation};
use crate::witness::locate::{Found, Locator};
use plumb_ir::program::{FuncId, Function, Program, VarRef};
use std::fmt::Write;

/// The names of the functions of a contract, without its number.
pub const BODY: &str = "__plumb_body_";
pub const USE: &str = "__plumb_use_";
pub const PROVE: &str = "__plumb_prove_";
pub const CHECK: &str = "__plumb_check_";

/// Whether a function is one of those that evaluate contracts.
pub fn is_own(function: &Function) -> bool {
    [USE, PROVE, CHECK].iter().any(|prefix| function.name.starts_with(prefix))
}

/// The contracts of one function, put together.
#[derive(Clone, Debug)]
pub struct Merged {
    /// In the program without them.
    pub func: FuncId,
    pub definition: Definition,
    pub requires: Clause,
    pub ensures: Clause,
}

/// The contracts by function. A function with several has all of them to keep.
pub fn merge(
    program: &Program,
    locator: &Locator<'_>,
    contracts: &[FunctionContract],
) -> Result<Vec<Merged>, Validation> {
    let mut found: Vec<(FuncId, Definition, Vec<&FunctionContract>)> = Vec::new();
    for contract in contracts {
        let (func, definition) = function_at(program, locator, &contract.place)?;
        match found.iter_mut().find(|(known, ..)| *known == func) {
            Some((.., list)) => list.push(contract),
            None => found.push((func, definition, vec![contract])),
        }
    }
    let mut merged = Vec::new();
    for (func, definition, list) in found {
        let conditions = |part: &dyn Fn(&FunctionContract) -> String| {
            let each: Vec<String> = list.iter().map(|contract| format!("({})", part(contract))).collect();
            each.join(" && ")
        };
        let refused = |Rejected(why)| Validation::Rejected(why);
        let requires = clause(&conditions(&|c| c.requires.clone()), 0).map_err(refused)?;
        let ensures = clause(&conditions(&|c| c.ensures.clone()), 0).map_err(refused)?;
        if !requires.old.is_empty() || requires.has_result {
            let why = format!(
                "the precondition of the contract of `{}` refers to the state after the call",
                program.function(func).name
            );
            return Err(Validation::Rejected(why));
        }
        if ensures.has_result && program.function(func).ret.is_none() {
            let why = format!("`{}` returns no value that a contract can refer to", program.function(func).name);
            return Err(Validation::Rejected(why));
        }
        if let Some(name) = ambiguous(program, func, &ensures) {
            let why =
                format!("the parameter `{name}` is assigned to, and a contract speaks of it when the function returns");
            return Err(Validation::Unknown(why));
        }
        merged.push(Merged { func, definition, requires, ensures });
    }
    Ok(merged)
}

/// A parameter that an `ensures` names without saying when, and that may have two values: tools differ in which they mean.
fn ambiguous<'p>(program: &'p Program, func: FuncId, ensures: &Clause) -> Option<&'p str> {
    let function = program.function(func);
    let names = function.vars.iter_enumerated().take(function.param_count as usize);
    let mut named = names.filter(|(_, info)| ensures.words.iter().any(|word| **word == *info.name));
    let may_change = |var| {
        let is_written = function.edges.iter().any(|edge| edge.op.written() == Some(VarRef::Local(var)));
        // One whose address is taken lives in an object.
        is_written || function.objects.iter().any(|object| object.name == function.var(var).name)
    };
    named.find(|(var, _)| may_change(*var)).map(|(_, info)| &*info.name)
}

/// The function that is defined at a place.
fn function_at(program: &Program, locator: &Locator<'_>, place: &Place) -> Result<(FuncId, Definition), Validation> {
    let line = |offset: u32| match locator.locate(offset)? {
        Found::Exact(at) | Found::Macro(at) | Found::Line(at) => (at.file == place.file).then_some(at.line),
    };
    let mut found = Vec::new();
    let mut has_other_form = false;
    for func in program.function_ids() {
        let function = program.function(func);
        let is_meant = place.function.as_deref().is_none_or(|name| name == &*function.name);
        if !is_meant || !function.has_body || function.is_library || func == program.start {
            continue;
        }
        // To read all definitions of a large program would take long.
        if line(function.span.start).is_none_or(|at| at.abs_diff(place.line) > TUNING.max_declaration_lines) {
            continue;
        }
        let Some(definition) = definition(program, func) else {
            has_other_form |= place.function.is_some();
            continue;
        };
        let base = program.sources.units()[definition.unit].base();
        let ends = [definition.declaration.start, definition.brace].map(|at| line(base + at as u32));
        if let [Some(first), Some(last)] = ends
            && (first..=last).contains(&place.line)
        {
            found.push((func, definition));
        }
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 if has_other_form => Err(Validation::Unknown(format!(
            "the definition of a function at {} has a form that is not supported",
            show(place)
        ))),
        0 => Err(Validation::Rejected(format!("no function that a contract names is defined at {}", show(place)))),
        _ => Err(Validation::Unknown(format!("several functions are defined at {}", show(place)))),
    }
}

/// Puts the functions of contracts behind the texts. Their claims have the numbers from `first` on, two for each contract.
pub fn put(program: &Program, contracts: &[Merged], first: usize, edits: &mut Edits) -> Result<(), Validation> {
    for (k, contract) in contracts.iter().enumerate() {
        let text = functions(program, contract, k, first + 2 * k).ok_or_else(|| {
            let name = &program.function(contract.func).name;
            Validation::Unknown(format!("the parameters of `{name}` have a form for which contracts are not supported"))
        })?;
        edits.append(contract.definition.unit, &text);
    }
    Ok(())
}

/// The text of the functions of one contract.
fn functions(program: &Program, contract: &Merged, k: usize, claim: usize) -> Option<String> {
    let Merged { func, definition, requires, ensures } = contract;
    let function = program.function(*func);
    let arguments = definition.parameters(program, *func)?.join(", ");
    let has_result = function.ret.is_some();
    let declared = |prefix: &str| definition.declared_as(program, &format!("{prefix}{k}"));
    let name = &function.name;
    let call = match has_result {
        true => format!("__typeof__({name}({arguments})) {RESULT} = {BODY}{k}({arguments});"),
        false => format!("{BODY}{k}({arguments});"),
    };
    let (back, end) = if has_result { ("return ", format!("return {RESULT};")) } else { ("", String::new()) };
    let mut saved = String::new();
    for (number, expression) in ensures.old.iter().enumerate() {
        let _ = write!(saved, "__typeof__({expression}) {OLD}{number} = ({expression}); ");
    }
    let pure: String =
        ensures.old.iter().map(|expression| format!("__plumb_invariant({claim}, (({expression}), 1)); ")).collect();
    let [required, ensured] = [requires, ensures].map(|clause| &clause.text);
    let mut out = format!("\n{} {{ {back}{name}({arguments}); }}", declared(BODY)?);
    let invariant = |number: usize, text: &str| format!("__plumb_invariant({number}, ({text}));");
    let assume = |text: &str| format!("__plumb_assume(!!({text}));");
    let forms = [
        (USE, invariant(claim, required), assume(ensured)),
        (PROVE, assume(required), invariant(claim + 1, ensured)),
        (CHECK, invariant(claim, required) + " " + &pure, invariant(claim + 1, ensured)),
    ];
    for (prefix, before, after) in forms {
        let _ = write!(out, "\n{} {{ {before} {saved}{call} {after} {end} }}", declared(prefix)?);
    }
    Some(out)
}
