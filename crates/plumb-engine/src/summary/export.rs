//! Summaries as C that people read and compilers accept.
//!
//! An engine puts every summary that it makes into an [`Exported`], a later one of the same function in the place of an earlier one;
//! whoever asked for them writes the files when the search is over, whichever search had the answer.

use super::Summary;
use super::scalar::{Words, sign_of};
use super::synthesis::input_names;
use plumb_ir::analysis::signature::{ScalarType, Signature};
use plumb_ir::expr::Sign;
use plumb_ir::program::{FuncId, Program};
use plumb_ir::ty::{FloatFormat, Ty};
use plumb_synth::c_print::{self, Refusal};
use plumb_synth::{Examples as Columns, Grammar, Problem};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard};

/// Which calls of a function a summary is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Calls {
    Dependent,
    Independent,
}

/// The summaries of a search as C. Copies are the same collection.
#[derive(Clone, Debug, Default)]
pub struct Exported(Arc<Mutex<Texts>>);

/// By function and calls, the name of a file and what is in it.
type Texts = BTreeMap<(FuncId, Calls), (String, String)>;

impl Exported {
    fn lock(&self) -> MutexGuard<'_, Texts> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A synthesised summary, after so many refinements.
    pub fn put(&self, program: &Program, summary: &Summary, refinements: u32) {
        let func = summary.signature.func;
        let name = &program.function(func).name;
        let text = c_text(program, summary, refinements)
            .unwrap_or_else(|why| format!("/* The summary of `{name}` cannot be written as C: {why} */\n"));
        self.lock().insert((func, Calls::Dependent), (format!("{}.summary", identifier(name)), text));
    }

    /// A nondeterministic summary.
    pub fn put_nondeterministic(&self, program: &Program, signature: &Signature, range: Option<(i128, i128)>) {
        let name = &program.function(signature.func).name;
        let text = nondeterministic_text(name, signature.output, range);
        self.lock().insert((signature.func, Calls::Independent), (format!("{}.nondet", identifier(name)), text));
    }

    /// Names of files with what is in them. Static functions of the same name have numbers.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files: Vec<(String, String)> = Vec::new();
        for (stem, text) in self.lock().values() {
            let numbered = (1..).map(|n| if n == 1 { format!("{stem}.c") } else { format!("{stem}.{n}.c") });
            let is_free = |name: &String| files.iter().all(|(known, _)| known != name);
            files.extend(numbered.clone().find(is_free).map(|name| (name, text.clone())));
        }
        files
    }
}

/// Any result in a range; a run with another one is no run.
fn nondeterministic_text(name: &str, output: ScalarType, range: Option<(i128, i128)>) -> String {
    let (name, ty) = (identifier(name), c_type(output));
    let mut text = format!(
        "/* A summary of calls of `{name}` whose arguments have no other influence: any result{}. */\n",
        if range.is_some() { " that the function can have in its program" } else { " of its type" }
    );
    text += "extern _Noreturn void exit(int);\n";
    let _ = writeln!(text, "extern {ty} {name}_any(void);\n");
    let _ = writeln!(text, "{ty} {name}_nondet(void) {{\n    {ty} result = {name}_any();");
    if let Some((least, most)) = range {
        let (least, most) = (c_constant(least, output), c_constant(most, output));
        let _ = writeln!(text, "    if (!({least} <= result && result <= {most})) exit(0);");
    }
    text + "    return result;\n}\n"
}

fn c_type(ty: ScalarType) -> String {
    match ty.ty {
        _ if ty.is_bool => "_Bool".to_string(),
        Ty::Float(FloatFormat::F32) => "float".to_string(),
        Ty::Float(_) => "double".to_string(),
        Ty::Int(bits) => {
            let name = match bits {
                0..=8 => "char",
                9..=16 => "short",
                17..=32 => "int",
                _ => "long long",
            };
            format!("{} {name}", if ty.is_signed { "signed" } else { "unsigned" })
        }
        Ty::Ptr => "void *".to_string(),
    }
}

/// The least number of a type has no literal of its own.
fn c_constant(number: i128, ty: ScalarType) -> String {
    let suffix = if ty.is_signed { "ll" } else { "ull" };
    match number {
        ..0 => format!("({}{suffix} - 1)", number + 1),
        _ => format!("{number}{suffix}"),
    }
}

/// A C file with the summary as a function on unsigned words, and what it stands for in a comment.
pub fn c_text(program: &Program, summary: &Summary, refinements: u32) -> Result<String, Refusal> {
    let signature = &summary.signature;
    let name = &program.function(signature.func).name;
    let words = Words::of(&program.target, signature).ok_or(Refusal::Mixed)?;
    let names: Vec<String> = input_names(signature).iter().map(|name| identifier(name)).collect();
    let problem = Problem {
        name: format!("{}_summary", identifier(name)),
        inputs: names.iter().map(|name| (name.clone(), words.sort())).collect(),
        output: words.sort(),
        grammar: Grammar::new("Start", words.sort()),
        examples: Columns::new(&vec![words.sort(); names.len()], words.sort()),
    };
    let function = c_print::function(&problem, &summary.expr)?;
    let mut text = format!("/* A summary of `{name}`, made from examples: neither sound nor complete.\n");
    let similarity = &summary.similarity;
    let _ = writeln!(
        text,
        " * Correct for {} of {} examples; gives {} of {} outputs; {} branch(es).",
        similarity.correct, similarity.examples, similarity.covered, similarity.outputs, summary.complexity
    );
    if refinements > 0 {
        let _ = writeln!(text, " * Refined {refinements} time(s) after false alarms.");
    }
    for (scalar, name) in signature.inputs.iter().zip(&names) {
        let _ = writeln!(text, " * {name}: `{}`, {}", comment(&scalar.name), extended(scalar.ty));
    }
    let _ = writeln!(text, " * result: {}", extended(signature.output));
    if let Some((least, most)) = summary.range {
        let _ =
            writeln!(text, " * The function returns {least} to {most} in its program; other results are assumed away.");
    }
    text += " */\n";
    Ok(text + &function)
}

fn extended(ty: ScalarType) -> String {
    match sign_of(ty) {
        _ if ty.is_bool => "0 or 1".to_string(),
        _ if ty.ty.is_float() => format!("{}, truncated", ty.ty),
        Sign::Signed => format!("{} extended by its sign", ty.ty),
        Sign::Unsigned | Sign::Plain => format!("{} extended by zeros", ty.ty),
    }
}

/// A name as C allows it: `table[3]` is `table_3`.
fn identifier(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    plain.trim_end_matches('_').to_string()
}

/// A text inside of a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::by_hand::of_parameters;
    use crate::summary::similarity::Similarity;
    use crate::test_program::program;
    use plumb_synth::{Expr, Op};

    #[test]
    fn a_summary_says_what_it_is() {
        let program = program("int f(int a, unsigned char b) { return a; } int main(void) { return f(input(), 1); }");
        let mut signature = of_parameters(&program, "f");
        signature.inputs[1].name = "table[3]".into();
        let similarity = Similarity { correct: 90, examples: 100, covered: 7, outputs: 8 };
        let expr = Expr::Apply(Op::BvAdd, vec![Expr::Input(0), Expr::Input(1)]);
        let summary =
            Summary { signature, expr, complexity: 0, similarity, range: Some((0, 9)), constraints: Vec::new() };
        let text = c_text(&program, &summary, 0).unwrap();
        let wanted = "/* A summary of `f`, made from examples: neither sound nor complete.\n\
             \x20* Correct for 90 of 100 examples; gives 7 of 8 outputs; 0 branch(es).\n\
             \x20* a: `a`, i32 extended by its sign\n\
             \x20* table_3: `table[3]`, i8 extended by zeros\n\
             \x20* result: i32 extended by zeros\n\
             \x20* The function returns 0 to 9 in its program; other results are assumed away.\n \
             */\nunsigned int f_summary(unsigned int a, unsigned int table_3) {\n    return a + table_3;\n}\n";
        assert_eq!(text, wanted);
        assert!(c_text(&program, &summary, 2).unwrap().contains(" * Refined 2 time(s) after false alarms.\n"));
    }

    /// The last one of a function counts, and both kinds are there.
    #[test]
    fn summaries_are_collected_by_function_and_kind() {
        let program = program("int f(int a) { return a; } int main(void) { return f(input()); }");
        let signature = of_parameters(&program, "f");
        let exported = Exported::default();
        let summary = |value: u64| Summary {
            signature: signature.clone(),
            expr: Expr::Const(plumb_synth::Value::bv(32, value)),
            complexity: 0,
            similarity: Similarity::default(),
            range: None,
            constraints: Vec::new(),
        };
        exported.put(&program, &summary(3), 0);
        exported.put(&program, &summary(4), 1);
        exported.clone().put_nondeterministic(&program, &signature, Some((-1, 2)));
        let files = exported.files();
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["f.summary.c", "f.nondet.c"]);
        assert!(files[0].1.contains("return 4") && files[0].1.contains("Refined 1 time(s)"), "{}", files[0].1);
        let wanted = "    signed int result = f_any();\n    if (!((0ll - 1) <= result && result <= 2ll)) exit(0);\n    return result;\n}\n";
        assert!(files[1].1.ends_with(wanted), "{}", files[1].1);
    }
}
