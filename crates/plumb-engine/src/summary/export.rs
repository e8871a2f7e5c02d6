//! Summaries as C that people read and compilers accept.

use super::Summary;
use super::scalar::{Words, sign_of};
use super::synthesis::input_names;
use plumb_ir::analysis::signature::ScalarType;
use plumb_ir::expr::Sign;
use plumb_ir::program::Program;
use plumb_synth::c_print::{self, Refusal};
use plumb_synth::{Examples as Columns, Grammar, Problem};
use std::fmt::Write;

/// A C file with the summary as a function on unsigned words, and what it stands for in a comment.
pub fn c_text(program: &Program, summary: &Summary) -> Result<String, Refusal> {
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
        let text = c_text(&program, &summary).unwrap();
        let wanted = "/* A summary of `f`, made from examples: neither sound nor complete.\n\
             \x20* Correct for 90 of 100 examples; gives 7 of 8 outputs; 0 branch(es).\n\
             \x20* a: `a`, i32 extended by its sign\n\
             \x20* table_3: `table[3]`, i8 extended by zeros\n\
             \x20* result: i32 extended by zeros\n\
             \x20* The function returns 0 to 9 in its program; other results are assumed away.\n \
             */\nunsigned int f_summary(unsigned int a, unsigned int table_3) {\n    return a + table_3;\n}\n";
        assert_eq!(text, wanted);
    }
}
