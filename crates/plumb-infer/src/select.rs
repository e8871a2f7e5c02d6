//! Which candidates are reported: the strongest first, and only what those before do not imply.

use crate::fact::{Fact, Relation, Term};
use crate::known::Known;
use crate::point::float_number;
use crate::single::Candidate;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, Default)]
pub struct Selection {
    pub reported: Vec<Candidate>,
    pub implied: Vec<Candidate>,
}

pub fn select(candidates: Vec<Candidate>, known: &mut Known) -> Selection {
    let indirect = indirect_orders(&candidates);
    let mut ordered: Vec<((u32, i128), Candidate)> = candidates
        .into_iter()
        .map(|candidate| {
            let (class, weight) = strength(&candidate.fact);
            // An order that follows from two others comes after them.
            let weight = weight + i128::from(indirect.contains(&candidate.fact));
            ((class, weight), candidate)
        })
        .collect();
    ordered.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| x.fact.cmp(&y.fact)));
    let mut selection = Selection::default();
    for (_, candidate) in ordered {
        if known.implies(&candidate.fact) {
            selection.implied.push(candidate);
        } else {
            known.assume(&candidate.fact);
            selection.reported.push(candidate);
        }
    }
    selection
}

/// Classes in the order in which they imply each other, and inside of a class the strongest or simplest first.
fn strength(fact: &Fact) -> (u32, i128) {
    match fact {
        Fact::OneOf(_, values) if values.len() == 1 => (0, 0),
        Fact::Compare(_, Relation::Equal, _) | Fact::Pointwise(_, Relation::Equal, _) => (1, 0),
        Fact::Indexed { .. } => (1, 1),
        Fact::Step(_, _) => (1, 2),
        Fact::Linear(sum) => {
            let size: i128 = sum.terms().iter().map(|(factor, _)| (*factor as i128).abs()).sum();
            (2 + (sum.terms().len() > 2) as u32, size)
        }
        Fact::OneOf(_, values) => (4, values.len() as i128),
        Fact::AtLeast(_, number) => (5, -number),
        Fact::AtMost(_, number) => (5, *number),
        Fact::FloatAtLeast(_, pattern) => (5, -float_number(f64::from_bits(*pattern))),
        Fact::FloatAtMost(_, pattern) => (5, float_number(f64::from_bits(*pattern))),
        Fact::NotNan(_) => (6, 0),
        Fact::Differs(_, _) => (7, 0),
        Fact::Remainder { modulus, .. } => (8, -(*modulus as i128)),
        Fact::Bits { mask, .. } => (9, -(mask.count_ones() as i128)),
        Fact::Compare(_, Relation::Less | Relation::LessOrEqual, _) => (10, 0),
        Fact::LinearModulo(sum, _) => (11, sum.terms().len() as i128),
        Fact::SameBits { mask, .. } => (12, -(mask.count_ones() as i128)),
        Fact::Compare(_, Relation::NotEqual, _) => (13, 0),
        Fact::Arranged(_, arrangement) => (14, *arrangement as i128),
        Fact::Pointwise(_, relation, _) => (15, *relation as i128),
        Fact::Member(_, _) => (16, 0),
        Fact::Any(facts) => (17, facts.len() as i128),
        Fact::Implies(_, _) => (18, 0),
    }
}

/// Orders that follow from two others of the candidates. Equal variables apart, orders have no cycles, so that those which do
/// not follow from others imply the rest.
fn indirect_orders(candidates: &[Candidate]) -> FxHashSet<Fact> {
    let order = |fact: &Fact| match fact {
        Fact::Compare(a, Relation::Less, b) => Some((*a, *b, true)),
        Fact::Compare(a, Relation::LessOrEqual, b) => Some((*a, *b, false)),
        _ => None,
    };
    let edges: Vec<(Term, Term, bool)> = candidates.iter().filter_map(|c| order(&c.fact)).collect();
    let mut terms: Vec<Term> = edges.iter().flat_map(|(a, b, _)| [*a, *b]).collect();
    terms.sort();
    terms.dedup();
    let number: FxHashMap<Term, usize> = terms.iter().enumerate().map(|(i, term)| (*term, i)).collect();
    let mut matrix: Vec<Option<bool>> = vec![None; terms.len() * terms.len()];
    let at = |a: usize, b: usize| a * terms.len() + b;
    for (a, b, strict) in &edges {
        matrix[at(number[a], number[b])] = Some(*strict);
    }
    let follows = |a: usize, b: usize, strict: bool| {
        (0..terms.len()).filter(|m| *m != a && *m != b && !matches!(terms[*m], Term::Each(_))).any(
            |middle| matches!((matrix[at(a, middle)], matrix[at(middle, b)]), (Some(x), Some(y)) if x || y || !strict),
        )
    };
    let is_indirect = |fact: &Fact| order(fact).is_some_and(|(a, b, strict)| follows(number[&a], number[&b], strict));
    candidates.iter().filter(|c| is_indirect(&c.fact)).map(|c| c.fact.clone()).collect()
}
