//! Synthesis of functions from examples.
//!
//! ```
//! use plumb_synth::{Budget, Examples, Expr, Grammar, Op, Problem, Sort, Value, synthesise};
//! let mut grammar = Grammar::new("Start", Sort::Int);
//! let (start, inputs) = (grammar.start(), [Sort::Int]);
//! grammar.add(start, Expr::Input(0), &[], &inputs)?;
//! grammar.add(start, Expr::Const(Value::int(1)), &[], &inputs)?;
//! grammar.add(start, Expr::Apply(Op::IntAdd, vec![Expr::Hole(0), Expr::Hole(1)]), &[start, start], &inputs)?;
//! let mut examples = Examples::new(&inputs, Sort::Int);
//! for (input, output) in [(3, 7), (10, 21)] {
//!     examples.push(&[Value::int(input)], Value::int(output)).unwrap();
//! }
//! let problem = Problem { name: "f".into(), inputs: vec![("x".into(), Sort::Int)], output: Sort::Int, grammar, examples };
//! let ranked = synthesise(&problem, &Budget::default());
//! assert_eq!(ranked.complete().unwrap().size, 5);             // (+ x (+ x 1))
//! # Ok::<(), plumb_synth::GrammarError>(())
//! ```
//!
//! * A [`Problem`] has typed inputs, a [`Grammar`] and [`Examples`]; [`synthesise`] gives [`Ranked`] answers, best first: by
//!   the number of examples that they satisfy, then by size. Contradictory examples are allowed.
//! * A [`Budget`] bounds time, terms, memory and threads, and can be cancelled. Without a deadline the same seed gives the
//!   same answers on any number of threads.
//! * Every answer has been evaluated on all examples by `plumb-term` (`oracle.rs`) before it is ranked.
//! * [`sygus`] reads and writes SyGuS-IF 2.1, [`c_print`] writes C.
//!
//! The search, from top to bottom: `search` (samples of the examples), `round` (a sample), `propagate` (from the output down,
//! through inverse operators), `unify` (decision trees), `enumerate` (terms by size), `bank` (terms of a nonterminal), `rules` (the grammar made
//! ready), `code` (a production as instructions), `column` (operators on all examples at once).
//!
//! The crate knows nothing of C but how to print an answer.

mod bank;
mod budget;
pub mod c_print;
mod cegis;
mod code;
mod column;
mod enumerate;
mod examples;
mod expr;
mod grammar;
mod inverse;
mod op;
mod oracle;
mod propagate;
mod random;
mod rank;
mod round;
mod rules;
mod search;
mod sort;
pub mod sygus;
mod tuning;
mod unify;

pub use budget::{Budget, Ended};
pub use cegis::{Reference, Refined, synthesise_against};
pub use code::evaluate;
pub use examples::{Examples, WrongSorts};
pub use expr::{Expr, Function};
pub use grammar::{Grammar, GrammarError, Nonterminal, NonterminalId, Production};
pub use op::Op;
pub use oracle::{IntBits, Lowered, Oracle, int_bits, lower, satisfied};
pub use rank::{Answer, Effort, Ranked};
pub use search::synthesise;
pub use sort::{MAX_WIDTH, Sort, Value};

/// What is to be synthesised.
#[derive(Clone, Debug)]
pub struct Problem {
    pub name: String,
    /// Names are for printing; sorts are those of the examples.
    pub inputs: Vec<(String, Sort)>,
    pub output: Sort,
    pub grammar: Grammar,
    pub examples: Examples,
}
