//! `plumb show summaries`: what each function is to an engine that replaces functions by summaries, and the role of each
//! call of an auxiliary one.

use super::no_such_function;
use crate::args::{Args, ShowArgs};
use crate::load::{self, Needs};
use crate::report::{Failure, Output};
use plumb_c::source::Span;
use plumb_engine::Budget;
use plumb_engine::summary::choose::{Choice, FunctionKind, FunctionRole, Node, Role, choose};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::{Scalar, ScalarType, Signature, Source};
use plumb_ir::program::Program;
use serde::Serialize;
use std::collections::BTreeSet;

pub fn show(args: &Args, show: &ShowArgs, out: &mut Output) -> Result<(), Failure> {
    let program = load::program(args, Needs { promotion: true, entry: true }, out)?;
    let choice = choose(&Analyses::new(&program), &Budget::unlimited()).expect("a budget without limits is never over");
    let functions = documents(&program, &choice, show.function.as_deref());
    if functions.is_empty() && show.function.is_some() {
        return Err(no_such_function(show));
    }
    if args.json {
        out.json(&functions);
        return Ok(());
    }
    for function in functions {
        out.line(&format!("{}: {}", function.function, function.text()));
        for call in &function.calls {
            let context: Vec<String> = call.context.iter().map(u32::to_string).collect();
            let meaning = match call.role {
                RoleDoc::Deterministic => "deterministic, not replaced",
                RoleDoc::Independent => "independent, replaced by any result in range",
                RoleDoc::Dependent if function.takes_stream() => {
                    "dependent, not replaced: a call may read an unbounded number of inputs"
                }
                RoleDoc::Dependent => "dependent, worth a summary",
            };
            out.line(&format!("  {}: {}: {meaning}", call.place, function.function));
            out.line(&format!("    context: lines {}", context.join(", ")));
        }
    }
    Ok(())
}

/// A function, as JSON has it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FunctionDoc<'a> {
    function: &'a str,
    kind: &'static str,
    /// Why it is not auxiliary.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<SignatureDoc>,
    complexity: usize,
    calls: Vec<CallDoc>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SignatureDoc {
    inputs: Vec<InputDoc>,
    output: String,
}

#[derive(Serialize)]
struct InputDoc {
    name: String,
    /// Not one value, but as many as the function asks for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(rename = "type")]
    ty: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallDoc {
    place: String,
    role: RoleDoc,
    /// The lines of what contributes to the inputs of the call.
    context: BTreeSet<u32>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum RoleDoc {
    Deterministic,
    Independent,
    Dependent,
}

impl FunctionDoc<'_> {
    fn takes_stream(&self) -> bool {
        self.signature.as_ref().is_some_and(|signature| signature.inputs.iter().any(|input| input.stream))
    }

    fn text(&self) -> String {
        let complexity = match self.complexity {
            1 => "1 branch".to_string(),
            count => format!("{count} branches"),
        };
        match (&self.reason, &self.signature) {
            (Some(reason), _) => format!("{}: {reason}", self.kind),
            (None, Some(signature)) => {
                let inputs: Vec<String> = signature.inputs.iter().map(InputDoc::text).collect();
                format!("{}: {} from {} ({complexity})", self.kind, signature.output, inputs.join(", "))
            }
            (None, None) => self.kind.to_string(),
        }
    }
}

impl InputDoc {
    fn text(&self) -> String {
        format!("{} {}{}", self.ty, self.name, if self.stream { "..." } else { "" })
    }
}

fn documents<'a>(program: &'a Program, choice: &Choice, wanted: Option<&str>) -> Vec<FunctionDoc<'a>> {
    let is_wanted = |role: &&FunctionRole| wanted.is_none_or(|name| *program.function(role.func).name == *name);
    let document = |role: &FunctionRole| {
        let (kind, reason, signature) = match &role.kind {
            FunctionKind::Entry => ("starts the program", None, None),
            FunctionKind::Unreached => ("never called", None, None),
            FunctionKind::Auxiliary(signature) => ("auxiliary", None, Some(signature_doc(signature))),
            FunctionKind::NotAuxiliary(reason) => ("not auxiliary", Some(reason.to_string()), None),
        };
        let calls = choice.calls_of(role.func).map(|(node, role)| call_doc(program, choice, node, role));
        FunctionDoc {
            function: &program.function(role.func).name,
            kind,
            reason,
            signature,
            complexity: role.complexity,
            calls: calls.collect(),
        }
    };
    choice.functions.iter().filter(is_wanted).map(document).collect()
}

fn signature_doc(signature: &Signature) -> SignatureDoc {
    let input = |input: &Scalar| InputDoc {
        name: input.name.to_string(),
        stream: matches!(input.source, Source::Stream(_)),
        ty: type_name(input.ty),
    };
    SignatureDoc { inputs: signature.inputs.iter().map(input).collect(), output: type_name(signature.output) }
}

fn type_name(ty: ScalarType) -> String {
    match (ty.is_bool, ty.is_signed) {
        (true, _) => "bool".to_string(),
        (false, true) => ty.ty.to_string(),
        (false, false) => ty.ty.to_string().replacen('i', "u", 1),
    }
}

fn call_doc(program: &Program, choice: &Choice, node: Node, role: Role) -> CallDoc {
    let span = |(func, edge): Node| program.function(func).edge(edge).span;
    let place = |span: Span| program.sources.place(span);
    let context = choice.context(program, node);
    CallDoc {
        place: place(span(node)).map_or_else(|| "?".to_string(), |place| format!("{}:{}", place.file, place.line)),
        role: match role {
            Role::Deterministic => RoleDoc::Deterministic,
            Role::Independent => RoleDoc::Independent,
            Role::Dependent => RoleDoc::Dependent,
        },
        context: context.into_iter().filter_map(|node| Some(place(span(node))?.line)).collect(),
    }
}
