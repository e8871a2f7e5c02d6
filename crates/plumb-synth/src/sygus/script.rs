//! A file as a whole: what is to be synthesised, and from what.

use super::command;
use super::sexpr::{self, Diagnostic, Span};
use crate::Problem;
use crate::cegis::Reference;
use crate::expr::Function;
use std::sync::Arc;

/// A function to be synthesised.
#[derive(Clone, Debug)]
pub struct Task {
    pub problem: Problem,
    /// Where the name of the function is.
    pub span: Span,
    /// Where the constraint of each example is.
    pub examples: Vec<Span>,
    /// The term that the function must equal on all inputs.
    pub reference: Option<(Reference, Span)>,
}

/// What a file asks for.
#[derive(Clone, Debug)]
pub struct Script {
    pub tasks: Vec<Task>,
}

/// Reads a file, or says what is wrong with it.
pub fn parse(text: &str) -> Result<Script, Diagnostic> {
    if u32::try_from(text.len()).is_err() {
        return Err(Diagnostic::new(Span::default(), "the file is larger than 4 GiB"));
    }
    let commands = sexpr::read(text)?;
    command::run(&commands, Span { start: text.len() as u32, end: text.len() as u32 })
}

/// Reads one `define-fun`, as [`super::define_fun`] writes it.
pub fn parse_definition(text: &str) -> Result<Arc<Function>, Diagnostic> {
    let end = Span { start: text.len() as u32, end: text.len() as u32 };
    match sexpr::read(text)?.as_slice() {
        [one] => command::definition(one),
        _ => Err(Diagnostic::new(end, "one definition is expected")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::expr::Expr;
    use crate::grammar::Production;
    use crate::op::Op;
    use crate::search::synthesise;
    use crate::sort::{Sort, Value};
    use crate::sygus::define_fun;

    const MAX: &str = "(set-logic LIA)
        (define-fun bigger ((a Int) (b Int)) Bool (> a b))
        (synth-fun f ((x Int) (y Int)) Int
            ((Start Int) (B Bool))
            ((Start Int (0 x y (ite B Start Start))) (B Bool ((bigger Start Start)))))
        (constraint (= (f 1 2) 2))(constraint (= (f 9 2) 9))
        (constraint (and (= 5 (f 5 (- 3))) (= (f -7 4) (+ 1 3))))
        (check-synth)";

    #[test]
    fn a_problem_is_read_and_solved() {
        let script = parse(MAX).unwrap();
        let problem = &script.tasks[0].problem;
        assert_eq!(problem.examples.len(), 4);
        assert_eq!(problem.examples.inputs_of(2), [Value::int(5), Value::int(-3)]);
        assert_eq!(problem.examples.output_of(3), Value::int(4));
        let ranked = synthesise(problem, &Budget::default());
        let answer = ranked.complete().unwrap();
        let text = define_fun(problem, &answer.expr);
        assert_eq!(text, "(define-fun f ((x Int) (y Int)) Int (ite (bigger x y) x y))");
    }

    #[test]
    fn definitions_are_read_back() {
        let script = parse(MAX).unwrap();
        let problem = &script.tasks[0].problem;
        let expr = Expr::Apply(Op::Ite, vec![Expr::Const(Value::bool(true)), Expr::Input(1), Expr::Input(0)]);
        let function = parse_definition(&define_fun(problem, &expr)).unwrap();
        assert_eq!((&function.body, &function.parameters), (&expr, &problem.inputs));
        assert!(parse_definition("(define-fun f () Int 1) (define-fun g () Int 1)").is_err());
        assert!(parse_definition("(define-fun f () Bool 1)").is_err());
        assert!(parse_definition("(set-logic BV)").is_err());
    }

    #[test]
    fn old_files_are_read() {
        let text = "(set-logic BV)
            (synth-fun f ((x (BitVec 8))) (BitVec 8)
                ((Start (BitVec 8) (#x01 x (bvadd Start Start) (Constant (BitVec 8)) (Variable (BitVec 8))))))
            (declare-var x (BitVec 8))
            (constraint (= (f #x01) #x03))
            (check-synth)";
        let script = parse(text).unwrap();
        let grammar = &script.tasks[0].problem.grammar;
        let productions = &grammar.nonterminals()[0].productions;
        assert_eq!(grammar.nonterminals()[0].sort, Sort::Bv(8));
        assert_eq!((productions.len(), &productions[3]), (5, &Production::AnyConstant));
    }

    /// The examples of `f` over bit-vectors of eight bits that constraints come to.
    fn examples_of(constraints: &str) -> Vec<(u64, u64)> {
        let head = "(set-option :random-seed 3)(set-logic QF_BV)(declare-var y (_ BitVec 8))
            (synth-fun f ((x (_ BitVec 8))) (_ BitVec 8))";
        let script = parse(&format!("{head}{constraints}(check-synth)")).unwrap_or_else(|e| panic!("{}", e.message));
        let examples = &script.tasks[0].problem.examples;
        examples.input(0).iter().copied().zip(examples.output().iter().copied()).collect()
    }

    #[test]
    fn constraints_around_an_application_are_examples() {
        let table = [
            ("(= (bvadd #x01 (f #x00)) #x02)", (0, 1)),
            ("(= #x02 (bvsub (f #x03) #x05))", (3, 7)),
            ("(= (bvsub #x05 (bvneg (f #x03))) #x09)", (3, 4)),
            ("(= (bvxor #x0f (f #x01) #xf0) (bvadd #x01 #x01))", (1, 0xfd)),
            ("(= (bvnot (f #x02)) #x00)", (2, 0xff)),
            ("(= #x04 (f #x02) (bvadd #x02 #x02))", (2, 4)),
            ("(=> (= y #x07) (= (f y) #x09))", (7, 9)),
            ("(=> (and (= #x07 y)) (= (bvadd (f (bvadd y #x01)) y) #x09))", (8, 2)),
        ];
        for (constraint, wanted) in table {
            let found = examples_of(&format!("(constraint {constraint})"));
            assert!(!found.is_empty() && found.iter().all(|pair| *pair == wanted), "{constraint}: {found:?}");
        }
    }

    #[test]
    fn chains_are_relations_of_neighbours() {
        let of = |term: &str| {
            let text = format!("(define-fun g ((a Int) (b Int) (c Int)) Bool {term})");
            let function = parse_definition(&text).unwrap_or_else(|e| panic!("{}", e.message));
            let oracle = crate::oracle::Oracle::new(&function.body, &[Sort::Int; 3], 64).unwrap();
            [[1, 2, 3], [1, 1, 1], [1, 2, 1], [3, 2, 1]].map(|values: [i64; 3]| {
                let inputs: Vec<Value> = values.iter().map(|value| Value::int(*value)).collect();
                oracle.value(&inputs) == Some(Value::bool(true))
            })
        };
        assert_eq!(of("(< a b c)"), [true, false, false, false]);
        assert_eq!(of("(>= a b c)"), [false, true, false, true]);
        assert_eq!(of("(= a b c)"), [false, true, false, false]);
        assert_eq!(of("(distinct a b c)"), [true, false, false, true]);
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_place() {
        let f = "(set-logic BV)(synth-fun f ((x (_ BitVec 8))) (_ BitVec 8))\n";
        let table = [
            ("(set-logic SLIA)", "logic `SLIA`", (1, 12)),
            ("(frobnicate)", "unknown command `frobnicate`", (1, 2)),
            ("(declare-var x Real)", "sort `Real`", (1, 16)),
            ("(declare-var x (_ BitVec 65))", "65 bits", (1, 16)),
            ("(synth-inv f ((x Int)))", "`synth-inv` is not supported", (1, 2)),
            ("(set-feature :recursion true)", "`:recursion`", (1, 14)),
            ("(define-fun g () Int y)", "`y` is not declared", (1, 22)),
            ("(define-fun g ((x Int)) Int (bvadd x x))", "does not take operands", (1, 29)),
            ("(define-fun g ((x Int)) Bool x)", "has sort Int, not Bool", (1, 30)),
            ("(synth-fun f () Int ((S Int (1 (+ S T)))))", "`T` is not declared", (1, 37)),
            ("(synth-fun f () Int ((S Int)) ((T Int (1))))", "`T` is not declared as a nonterminal", (1, 33)),
            ("(synth-fun f () Int ((S Bool (true))))", "has sort Bool", (1, 23)),
            ("(synth-fun f () Int ((S Int (1 true))))", "sort Bool", (1, 32)),
            ("(constraint (= 1 1))\n(check-synth)", "no function", (1, 13)),
            ("", "no `check-synth`", (1, 1)),
            ("(check-synth)", "no function is to be synthesised", (1, 2)),
        ];
        for (text, message, place) in table {
            let error = parse(text).unwrap_err();
            assert!(error.message.contains(message), "{text}: {}", error.message);
            assert_eq!(error.place(text), place, "{text}: {}", error.message);
        }
        let table = [
            ("(constraint (= (f #x01) #x001))", "sort", (2, 25)),
            ("(constraint (= (f #x01 #x02) #x01))", "takes 1", (2, 16)),
            ("(constraint (bvult (f #x01) #x01))", "neither an example nor a reference", (2, 13)),
            ("(constraint (forall ((x Int)) true))", "neither an example nor a reference", (2, 13)),
            ("(constraint (= (bvmul #x02 (f #x01)) #x04))", "neither an example", (2, 13)),
            ("(constraint (=> (bvult #x01 #x02) (= (f #x01) #x04)))", "neither an example", (2, 13)),
            ("(declare-var y (_ BitVec 8))(constraint (=> (= y #x1) (= (f y) #x04)))", "not of sort", (2, 50)),
            ("(check-synth)(define-fun g () Bool true)", "a file has one question", (3, 1)),
            ("(declare-var y (_ BitVec 8))(constraint (= (f y) (f #x01)))", "cannot be used in a term", (2, 51)),
            ("(declare-var y (_ BitVec 8))(constraint (= (f (bvadd y #x01)) y))", "neither an example", (2, 41)),
        ];
        for (text, message, place) in table {
            let text = format!("{f}{text}\n(check-synth)");
            let error = parse(&text).unwrap_err();
            assert!(error.message.contains(message), "{text}: {}", error.message);
            assert_eq!(error.place(&text), place, "{text}: {}", error.message);
        }
    }
}
