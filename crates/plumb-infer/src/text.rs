//! Facts as text, in the notation of ACSL: C's operators over mathematical integers, `==>`, and `\forall`.

use crate::fact::{Arrangement, Fact, Linear, Relation, Term};
use crate::point::{Point, Scalar, Sort, VarId, float_number};
use std::fmt::Write;

impl Fact {
    pub fn text(&self, point: &Point) -> String {
        Writer { point, index: index_name(point) }.fact(self)
    }
}

struct Writer<'a> {
    point: &'a Point,
    /// The variable that quantifiers bind.
    index: String,
}

/// A name that no variable's name contains.
fn index_name(point: &Point) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_used = |name: &str| point.variables.iter().any(|v| v.name.split(|c| !is_part(c)).any(|word| word == name));
    let short = ["k", "i", "j"].into_iter().map(str::to_string);
    let mut names = short.chain((0..).map(|number| format!("k{number}")));
    names.find(|name| !is_used(name)).unwrap_or_default()
}

impl Writer<'_> {
    fn name(&self, var: VarId) -> &str {
        &self.point.variable(var).name
    }

    fn size(&self, var: VarId) -> String {
        match self.point.variable(var).sort {
            Sort::Array { len: Some(len), .. } => len.to_string(),
            _ => format!("size({})", self.name(var)),
        }
    }

    fn term(&self, term: Term) -> String {
        match term {
            Term::Var(var) => self.name(var).to_string(),
            Term::Size(var) => self.size(var),
            Term::Each(var) => format!("{}[{}]", self.name(var), self.index),
        }
    }

    fn fact(&self, fact: &Fact) -> String {
        match fact {
            Fact::Any(facts) => self.joined(facts.iter().map(|one| self.fact(one)), " || "),
            Fact::Implies(condition, fact) => format!("{} ==> {}", self.fact(condition), self.fact(fact)),
            Fact::Linear(sum) => self.equation(sum),
            Fact::LinearModulo(sum, bits) => {
                let (left, right) = self.sides(sum);
                // A sum that is not negative, wrapped into the one term on the other side.
                if let Some(is_left) = self.wrapped_side(sum, *bits) {
                    let (sum, term) = if is_left { (left, right) } else { (right, left) };
                    return format!("({sum}) % {} == {term}", 1u128 << bits);
                }
                let right = if right == "0" { String::new() } else { format!(" - ({right})") };
                format!("({left}{right}) % {} == 0", 1u128 << bits)
            }
            Fact::Arranged(array, arrangement) => {
                let sign = match arrangement {
                    Arrangement::Uniform => "==",
                    Arrangement::StrictlyUp => "<",
                    Arrangement::StrictlyDown => ">",
                    Arrangement::Up => "<=",
                    Arrangement::Down => ">=",
                };
                self.neighbours(*array, |name, k| format!("{name}[{k}] {sign} {name}[{k} + 1]"))
            }
            Fact::Step(array, step) => self.neighbours(*array, |name, k| {
                let step = if *step == 0 { String::new() } else { added(*step) };
                format!("{name}[{k} + 1] == {name}[{k}]{step}")
            }),
            Fact::Indexed { array, factor, offset } => {
                let value = match (factor, offset) {
                    (0, _) => offset.to_string(),
                    (_, 0) => multiple(*factor, &self.index),
                    _ => format!("{}{}", multiple(*factor, &self.index), added(*offset)),
                };
                self.every(*array, format!("{} == {value}", self.term(Term::Each(*array))))
            }
            Fact::Pointwise(a, relation, b) => {
                let sign = sign(*relation);
                let (left, right) = (self.term(Term::Each(*a)), self.term(Term::Each(*b)));
                let each = self.every(*a, format!("{left} {sign} {right}"));
                let (x, y) = (self.size(*a), self.size(*b));
                if x == y { each } else { format!("{x} == {y} && {each}") }
            }
            Fact::Member(term, array) => {
                let (k, element, size) = (&self.index, self.term(Term::Each(*array)), self.size(*array));
                format!("\\exists integer {k}; 0 <= {k} < {size} && {element} == {}", self.term(*term))
            }
            Fact::Compare(a, relation, b) => {
                self.bound(*a, *b, format!("{} {} {}", self.term(*a), sign(*relation), self.term(*b)))
            }
            Fact::SameBits { left, right, mask } => {
                let (x, y) = (self.term(*left), self.term(*right));
                match left.scalar(self.point) {
                    Some(Scalar::Float(_)) => format!("bits({x}) == bits({y})"),
                    _ => self.bound(*left, *right, format!("({x} & {mask:#x}) == ({y} & {mask:#x})")),
                }
            }
            Fact::OneOf(term, values) => {
                let each = values.iter().map(|value| self.equals(*term, *value));
                self.bound(*term, *term, self.joined(each, " || "))
            }
            Fact::AtLeast(term, number) => self.bound(*term, *term, format!("{} >= {number}", self.term(*term))),
            Fact::AtMost(term, number) => self.bound(*term, *term, format!("{} <= {number}", self.term(*term))),
            Fact::NotNan(term) => self.bound(*term, *term, format!("!isnan({})", self.term(*term))),
            Fact::FloatAtLeast(term, pattern) => {
                self.bound(*term, *term, format!("{} >= {}", self.term(*term), float(f64::from_bits(*pattern))))
            }
            Fact::FloatAtMost(term, pattern) => {
                self.bound(*term, *term, format!("{} <= {}", self.term(*term), float(f64::from_bits(*pattern))))
            }
            Fact::Differs(term, pattern) => {
                let text = match term.scalar(self.point) {
                    Some(Scalar::Float(_)) => format!("!({})", self.equals(*term, *pattern)),
                    _ => format!("{} != {}", self.term(*term), self.number(*term, *pattern)),
                };
                self.bound(*term, *term, text)
            }
            Fact::Remainder { term, modulus, remainder } => {
                let x = self.term(*term);
                // C's remainder has the sign of the dividend; of a multiple it is zero.
                let is_negative = term.scalar(self.point).is_some_and(|scalar| scalar.limits().0 < 0);
                let text = match remainder {
                    1.. if is_negative => format!("({x} - {remainder}) % {modulus} == 0"),
                    _ => format!("{x} % {modulus} == {remainder}"),
                };
                self.bound(*term, *term, text)
            }
            Fact::Bits { term, mask, value } => {
                self.bound(*term, *term, format!("({} & {mask:#x}) == {value:#x}", self.term(*term)))
            }
        }
    }

    fn joined(&self, facts: impl Iterator<Item = String>, operator: &str) -> String {
        let list: Vec<String> = facts.collect();
        if list.len() == 1 { list[0].clone() } else { format!("({})", list.join(operator)) }
    }

    fn number(&self, term: Term, pattern: u64) -> String {
        term.scalar(self.point).map_or(pattern as i128, |scalar| scalar.number(pattern)).to_string()
    }

    fn equals(&self, term: Term, pattern: u64) -> String {
        let name = self.term(term);
        let Some(scalar @ Scalar::Float(_)) = term.scalar(self.point) else {
            return format!("{name} == {}", self.number(term, pattern));
        };
        let value = scalar.float(pattern);
        match () {
            _ if value.is_nan() => format!("bits({name}) == {pattern:#x}"),
            _ if float_number(value) == 0 && value.is_sign_negative() => format!("{name} == 0.0 && signbit({name})"),
            _ if float_number(value) == 0 => format!("{name} == 0.0 && !signbit({name})"),
            _ => format!("{name} == {}", float(value)),
        }
    }

    fn every(&self, array: VarId, text: String) -> String {
        format!("\\forall integer {0}; 0 <= {0} < {1} ==> {text}", self.index, self.size(array))
    }

    fn neighbours(&self, array: VarId, text: impl Fn(&str, &str) -> String) -> String {
        let last = match self.point.variable(array).sort {
            Sort::Array { len: Some(len), .. } => len.saturating_sub(1).to_string(),
            _ => format!("{} - 1", self.size(array)),
        };
        let text = text(self.name(array), &self.index);
        format!("\\forall integer {0}; 0 <= {0} < {last} ==> {text}", self.index)
    }

    /// With the quantifier that terms of elements need.
    fn bound(&self, a: Term, b: Term, text: String) -> String {
        match (a, b) {
            (Term::Each(array), _) | (_, Term::Each(array)) => self.every(array, text),
            _ => text,
        }
    }

    fn equation(&self, sum: &Linear) -> String {
        let (left, right) = self.sides(sum);
        format!("{left} == {right}")
    }

    /// Of unsigned terms of a congruence: the side that is a sum of others, if the other is one term that has the width.
    fn wrapped_side(&self, sum: &Linear, bits: u32) -> Option<bool> {
        let unsigned = |term: &Term| term.scalar(self.point) == Some(Scalar::Int { bits, signed: false });
        if !sum.terms().iter().all(|(_, term)| unsigned(term)) {
            return None;
        }
        let single = |sign: i64| {
            let side: Vec<i64> = sum.terms().iter().map(|(factor, _)| factor * sign).filter(|f| *f > 0).collect();
            side == [1] && sum.constant() * sign as i128 <= 0
        };
        if single(-1) { Some(true) } else { single(1).then_some(false) }
    }

    /// What is added and what is subtracted.
    fn sides(&self, sum: &Linear) -> (String, String) {
        let mut sides = [String::new(), String::new()];
        let mut push = |factor: i128, text: &str| {
            let side = &mut sides[usize::from(factor < 0)];
            let plus = if side.is_empty() { "" } else { " + " };
            let factor = factor.unsigned_abs();
            let _ = match (factor, text) {
                (_, "") => write!(side, "{plus}{factor}"),
                (1, _) => write!(side, "{plus}{text}"),
                _ => write!(side, "{plus}{factor} * {text}"),
            };
        };
        for (factor, term) in sum.terms() {
            push(*factor as i128, &self.term(*term));
        }
        if sum.constant() != 0 {
            push(sum.constant(), "");
        }
        sides.map(|side| if side.is_empty() { "0".to_string() } else { side }).into()
    }
}

fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "==",
        Relation::Less => "<",
        Relation::LessOrEqual => "<=",
        Relation::NotEqual => "!=",
    }
}

fn multiple(factor: i128, name: &str) -> String {
    match factor {
        1 => name.to_string(),
        -1 => format!("-{name}"),
        _ => format!("{factor} * {name}"),
    }
}

fn added(number: i128) -> String {
    let sign = if number < 0 { '-' } else { '+' };
    format!(" {sign} {}", number.unsigned_abs())
}

fn float(value: f64) -> String {
    match value {
        f64::INFINITY => "INFINITY".to_string(),
        f64::NEG_INFINITY => "-INFINITY".to_string(),
        _ => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::{FloatFormat, Role, Variable};

    #[test]
    fn facts_read_as_they_are_meant() {
        let int = Scalar::Int { bits: 32, signed: true };
        let array = |len| Variable::new("a", Sort::Array { element: int, len }, Role::State);
        let point = Point::new(vec![
            Variable::scalar("x", int),
            Variable::scalar("y", int),
            array(Some(8)),
            array(None),
            Variable::scalar("f", Scalar::Float(FloatFormat::F64)),
        ]);
        let (x, y) = (Term::Var(VarId(0)), Term::Var(VarId(1)));
        let (a, b, f) = (VarId(2), VarId(3), Term::Var(VarId(4)));
        let sum = |parts: &[(i128, Term)], c: i128| Linear::new(parts.iter().copied(), c).unwrap();
        let word = |name: &str| Variable::scalar(name, Scalar::Int { bits: 8, signed: false });
        let words = Point::new(vec![word("k"), word("t")]);
        let wrapped = Fact::LinearModulo(sum(&[(3, x), (-1, y)], 7), 8);
        assert_eq!(wrapped.text(&words), "(3 * k + 7) % 256 == t");
        for (fact, text) in [
            (Fact::Linear(sum(&[(1, x), (-2, y)], -3)), "x == 2 * y + 3"),
            (Fact::LinearModulo(sum(&[(1, x), (5, y)], 0), 32), "(x + 5 * y) % 4294967296 == 0"),
            (Fact::LinearModulo(sum(&[(1, x), (-5, y)], 1), 8), "(x + 1 - (5 * y)) % 256 == 0"),
            (Fact::OneOf(x, vec![1, 0xffff_ffff]), "(x == 1 || x == -1)"),
            (Fact::Remainder { term: x, modulus: 4, remainder: 3 }, "(x - 3) % 4 == 0"),
            (Fact::AtLeast(Term::Each(a), 0), "\\forall integer k; 0 <= k < 8 ==> a[k] >= 0"),
            (Fact::AtLeast(Term::Size(b), 2), "size(a) >= 2"),
            (Fact::Arranged(b, Arrangement::Up), "\\forall integer k; 0 <= k < size(a) - 1 ==> a[k] <= a[k + 1]"),
            (Fact::Step(a, -1), "\\forall integer k; 0 <= k < 7 ==> a[k + 1] == a[k] - 1"),
            (Fact::constant(f, (-0.0f64).to_bits()), "f == 0.0 && signbit(f)"),
            (Fact::FloatAtMost(f, 1.5f64.to_bits()), "f <= 1.5"),
            (Fact::Implies(Box::new(Fact::AtLeast(x, 1)), Box::new(Fact::equal(x, y))), "x >= 1 ==> x == y"),
        ] {
            assert_eq!(fact.text(&point), text);
        }
    }
}
