//! Random functions: nothing that was proved of them is refuted by runs.
//!
//! Longer runs: `PLUMB_PROVED_COUNT` (functions, default 10), `PLUMB_PROVED_SEED` (the first seed), `PLUMB_PROVED_RUNS` (of each
//! function, default 2,000).

use crate::div::decide::DecideOptions;
use crate::div::prove::Prover;
use crate::div::refine::{Blamed, enrich, refine};
use crate::div::runs::Run;
use crate::div::specification::Specification;
use crate::div::units::Unit;
use crate::test_program::{budget, program};
use plumb_exec::Rng;
use plumb_ir::analysis::Analyses;
use std::fmt::Write;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A function of two parameters over two globals: branches, a loop, perhaps a call of itself, all of it ending and defined.
struct Generator {
    rng: Rng,
    is_recursive: bool,
}

impl Generator {
    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.rng.below(list.len() as u64) as usize]
    }

    fn leaf(&mut self) -> String {
        match self.rng.below(3) {
            0 => self.pick(&["0", "1", "2", "-1", "3", "10", "100", "-7", "255"]).to_string(),
            _ => self.pick(&["a", "b", "g", "h", "t"]).to_string(),
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.below(4) == 0 {
            return self.leaf();
        }
        let (x, y) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.rng.below(9) {
            0 | 1 => format!("({x} + {y})"),
            2 | 3 => format!("({x} - {y})"),
            4 => format!("({x} & {y})"),
            5 => format!("({x} ^ {y})"),
            6 => format!("({x} * 3)"),
            7 => format!("({x} % 8)"),
            _ => format!("({} ? {x} : {y})", self.condition()),
        }
    }

    fn condition(&mut self) -> String {
        let (x, y) = (self.leaf(), self.expr(1));
        format!("{x} {} {y}", self.pick(&["<", "<=", "==", "!=", ">"]))
    }

    fn statement(&mut self, depth: u32) -> String {
        match self.rng.below(if depth == 0 { 2 } else { 5 }) {
            0 | 1 => format!("{} = {};", self.pick(&["g", "h", "t", "t"]), self.expr(2)),
            2 | 3 => {
                let (then, otherwise) = (self.statement(depth - 1), self.statement(depth - 1));
                format!("if ({}) {{ {then} }} else {{ {otherwise} }}", self.condition())
            }
            _ => format!("for (int i = 0; i < (a & 3); i++) {{ {} }}", self.statement(depth - 1)),
        }
    }

    fn program(&mut self) -> String {
        let types = ["int", "unsigned", "short", "unsigned char", "signed char", "long long"];
        let (one, other, result, global) =
            (self.pick(&types), self.pick(&types), self.pick(&types), self.pick(&types[..4]));
        let mut text = format!("{global} g; int h;\n{result} f({one} a, {other} b)\n{{\n    int t = 0;\n");
        for _ in 0..1 + self.rng.below(3) {
            let _ = writeln!(text, "    {}", self.statement(2));
        }
        if self.is_recursive {
            let (b, rest) = (self.expr(1), self.expr(1));
            let _ = writeln!(text, "    if (a > 0 && a < 5) return f(a - 1, {b}) + {rest};");
        }
        let value = self.expr(2);
        let _ = writeln!(text, "    return {value};\n}}");
        text + "int main(void) { g = input(); h = input(); if (f(input(), input()) == 12345) reach_error(); return 0; }"
    }
}

fn entry(rng: &mut Rng, unit: &Unit) -> Vec<u64> {
    let value = |rng: &mut Rng, bits: u32| {
        let value = match rng.below(4) {
            0 => rng.next(),
            1 => rng.below(300).wrapping_sub(150),
            _ => rng.below(12).wrapping_sub(4),
        };
        value & (u64::MAX >> (64 - bits))
    };
    let target = plumb_c::target::Target::LP64;
    unit.entry.iter().map(|scalar| value(rng, scalar.ty.ty.bits(&target))).collect()
}

#[test]
fn nothing_that_is_proved_is_refuted_by_runs() {
    let (count, first, runs) =
        (number("PLUMB_PROVED_COUNT", 10), number("PLUMB_PROVED_SEED", 1), number("PLUMB_PROVED_RUNS", 2000));
    let (mut clauses, mut divided) = (0, 0);
    for seed in first..first + count {
        let mut generator = Generator { rng: Rng(seed), is_recursive: seed % 3 == 0 };
        let text = generator.program();
        let program = program(&text);
        let analyses = Analyses::new(&program);
        let func = program.find_function("f").expect("it is there");
        let Some(mut specification) = Specification::new(&analyses, Unit::new(&analyses, func)) else {
            panic!("{text}\nit cannot be run")
        };
        let budget = budget();
        let prover = Prover::new(&analyses, DecideOptions::default(), &budget);
        enrich(&prover, &mut specification, &[]);
        // A call that it does not make, so that its entry states are partitioned.
        let mut rng = Rng(seed);
        let start = entry(&mut rng, &specification.unit);
        if let Run::Returned(mut claimed) = specification.run(&analyses, &start) {
            let last = claimed.len() - 1;
            claimed[last] ^= 1;
            let mut blamed = Blamed::default();
            blamed.note(&analyses, &mut specification, &claimed);
            refine(&prover, &mut specification, &blamed, &[]);
        }
        clauses += specification.pairs.iter().map(|pair| pair.ensures.len()).sum::<usize>();
        divided += usize::from(specification.pairs.len() > 1);
        assert!(specification.is_trivial() || specification.proof.is_some());
        for _ in 0..runs {
            let start = entry(&mut rng, &specification.unit);
            if let Run::Returned(values) = specification.run(&analyses, &start) {
                assert!(specification.allows(&values), "seed {seed}: {values:?} of\n{text}");
            }
        }
    }
    assert!(clauses >= count as usize && divided > 0, "{clauses} clauses, {divided} partitions");
    eprintln!("{count} functions from seed {first}: {clauses} clauses proved, {divided} partitioned");
}
