//! Assignments whose value depends on an order of evaluation that C leaves open and gcc decides: calls that change
//! variables which other operands read.
//!
//! Left out are expressions that gcc's folding changes first (`-x + f()`, common factors), and compound assignments to an
//! address in which an operator combines a variable with a call: gcc evaluates the variable twice there.

use crate::cases::Case;
use crate::oracle::Random;

pub const PRELUDE: &str = r#"
static int og, oh, oarr[4], oout[8], *opa, olog;
static struct { int f, z; } os[2];
static int oinc(void) { olog = olog * 3 + 1; return ++og; }
static int obump(int k) { olog = olog * 3 + 2; oarr[k & 3] += 10; oh++; return oarr[k & 3]; }
static int *oadv(void) { olog = olog * 5 + 3; opa = oarr + ((opa - oarr + 1) & 3); og += 2; return opa; }
static int otwo(int a, int b) { olog = olog * 7 + a - b; oh += a; return a + 2 * b; }
static int *opick(int k) { olog = olog * 11 + k; og++; return oout + (k & 7); }
static void oreset(void) {
  og = 5; oh = 2; opa = oarr; olog = 1;
  for (int i = 0; i < 4; i++) oarr[i] = i + 1;
  for (int i = 0; i < 8; i++) oout[i] = i * 3;
  os[0].f = 4; os[1].f = 9;
}
static void oshow(int number, int result) {
  show_integer(number, 'r', result); show_integer(number, 'g', og); show_integer(number, 'h', oh);
  show_integer(number, 'l', olog); show_integer(number, 'p', opa - oarr);
  show_integer(number, 'f', os[0].f); show_integer(number, 'F', os[1].f);
  for (int i = 0; i < 4; i++) show_integer(number, 'a' + i, oarr[i]);
  for (int i = 0; i < 8; i++) show_integer(number, '0' + i, oout[i]);
}
"#;

pub fn case(random: &mut Random, number: usize) -> Case {
    let depth = random.below(3);
    let statement = match random.below(6) {
        0 | 1 => format!("{} = {}", target(random, depth), value(random, depth)),
        2 | 3 => {
            let operator = random.pick(&["+=", "-=", "*=", "^="]);
            format!("{} {operator} {}", target(random, 0), value(random, depth))
        }
        4 => format!("{} = {} = {}", target(random, depth), target(random, depth), value(random, depth)),
        _ => format!("res = {}", value(random, depth + 1)),
    };
    let text = format!(
        "static void o{number}(void) {{ int res = 0, loc = 3; oreset(); {statement}; oshow({number}, res); }}\n"
    );
    Case { text, calls: format!("  o{number}();\n") }
}

fn value(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return random.pick(&["og", "oh", "loc", "oarr[2]", "oinc()", "obump(1)", "*oadv()", "oinc()"]).to_string();
    }
    let left = value(random, depth - 1);
    match random.below(5) {
        0..=2 => {
            let right = value(random, depth - 1);
            format!("({left} + {right})")
        }
        3 => format!("oarr[{left} % 4u]"),
        _ => format!("otwo({left}, {})", value(random, depth - 1)),
    }
}

fn target(random: &mut Random, depth: usize) -> String {
    let index = value(random, depth);
    match random.below(5) {
        0 => format!("oout[{index} % 8u]"),
        1 => format!("*(oout + ({index} % 8u))"),
        2 => format!("*opick({index})"),
        3 => format!("os[{index} % 2u].f"),
        _ => "res".to_string(),
    }
}
