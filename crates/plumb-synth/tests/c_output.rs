//! What is printed as C computes what the term does, according to gcc.

mod random;

use plumb_synth::{Examples, Expr, Grammar, Oracle, Problem, Sort, Value, c_print};
use random::Random;
use std::fmt::Write;
use std::process::Command;

/// A literal of a value in C.
fn literal(value: Value) -> String {
    match value.sort() {
        Sort::Bool => value.lane().to_string(),
        Sort::Int => format!("({}ll)", value.lane() as i64),
        Sort::Bv(_) => format!("{}ull", value.lane()),
    }
}

#[test]
fn gcc_agrees() {
    let mut random = Random(7);
    let (mut program, mut main) = ("#include <stdio.h>\n".to_string(), String::new());
    let mut expected = Vec::new();
    let mut refused = 0;
    for at in 0..400 {
        let sort =
            random.pick(&[Sort::Int, Sort::Bool, Sort::Bv(8), Sort::Bv(13), Sort::Bv(32), Sort::Bv(64), Sort::Bv(1)]);
        let inputs = match sort {
            Sort::Bool => [random.pick(&[Sort::Int, Sort::Bv(16)]), Sort::Bool],
            other => [other, other],
        };
        let expr: Expr = random::term(&mut random, sort, &inputs, 1 + at % 4);
        let problem = Problem {
            name: format!("f{at}"),
            inputs: vec![("x".to_string(), inputs[0]), ("while".to_string(), inputs[1])],
            output: sort,
            grammar: Grammar::full(sort, &inputs),
            examples: Examples::new(&inputs, sort),
        };
        let Ok(text) = c_print::function(&problem, &expr) else {
            refused += 1;
            continue;
        };
        // The functions for SMT-LIB operators have the same names every time.
        let (text, own) = (text.replace("smt_", &format!("smt_{at}_")), Oracle::new(&expr, &inputs, 64).unwrap());
        program += &text;
        for _ in 0..6 {
            let values: Vec<Value> = inputs.iter().map(|sort| random.value(*sort)).collect();
            if let Some(output) = own.value(&values) {
                let call = format!("f{at}({}, {})", literal(values[0]), literal(values[1]));
                writeln!(main, "    printf(\"%llx\\n\", (unsigned long long){call});").unwrap();
                expected.push(format!("{:x} {call}", output.lane()));
            }
        }
    }
    assert!(refused < 100 && expected.len() > 1000, "{refused} refused, {} calls", expected.len());
    program += &format!("int main(void) {{\n{main}    return 0;\n}}\n");
    let folder = std::env::temp_dir().join(format!("plumb-synth-c-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("f.c"), folder.join("f"));
    std::fs::write(&source, &program).unwrap();
    let flags = ["-O1", "-w", "-fsanitize=undefined", "-fno-sanitize-recover", "-fsanitize-undefined-trap-on-error"];
    let built = Command::new("gcc").args(flags).arg(&source).arg("-o").arg(&binary).output().expect("gcc is there");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&binary).output().unwrap();
    let printed = String::from_utf8(ran.stdout).unwrap();
    let lines: Vec<&str> = printed.lines().collect();
    for (line, wanted) in lines.iter().zip(&expected) {
        assert_eq!(Some(*line), wanted.split(' ').next(), "{wanted}\n{}", folder.display());
    }
    assert!(ran.status.success() && lines.len() == expected.len(), "undefined behaviour in {}", folder.display());
    std::fs::remove_dir_all(&folder).unwrap();
}
