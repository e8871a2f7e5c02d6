//! Divide and conquer: decision trees whose leaves are enumerated terms and whose inner nodes are enumerated conditions.
//!
//! After Alur, Radhakrishna and Udupa, "Scaling Enumerative Program Synthesis via Divide and Conquer" (TACAS 2017): a term
//! that is right on some of the examples *covers* them. If the terms together cover all, a tree over conditions that
//! separate the covers is an answer.
//!
//! Ours: at each node the examples are labelled greedily, by the term that covers most of what has no label yet, and the
//! condition with the largest information gain on these labels splits them. A node whose examples cannot be
//! split, or whose term is missing, becomes a leaf all the same, with the term that covers most: then the tree is an answer
//! for the rest of the examples.

use crate::budget::Budget;
use crate::column;
use crate::enumerate::{Enumerator, on_threads};
use crate::examples::Examples;
use crate::expr::Expr;
use crate::sort::Sort;
use crate::tuning::TREES as TUNING;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Conditions that a thread takes at once.
const CONDITIONS_AT_ONCE: usize = 4096;

/// A set of examples.
pub type Bits = Vec<u64>;

fn count(bits: &[u64]) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}

fn count_both(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

fn is_within(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

fn both(a: &[u64], b: &[u64]) -> Bits {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

fn without(a: &[u64], b: &[u64]) -> Bits {
    a.iter().zip(b).map(|(a, b)| a & !b).collect()
}

/// All examples.
pub fn all(examples: usize) -> Bits {
    (0..examples.div_ceil(64)).map(|word| u64::MAX >> (64 - (examples - word * 64).min(64))).collect()
}

/// A term that a leaf may be.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// One of the enumerated terms.
    Enumerated(u32),
    /// One that was found otherwise.
    Extra(Expr),
}

/// The examples that a term is right on.
#[derive(Clone, Debug)]
struct Cover {
    bits: Bits,
    leaf: Leaf,
    size: usize,
}

/// The covers of one nonterminal's terms, one term for each set of examples.
#[derive(Debug, Default)]
pub struct Covers {
    /// Terms of the bank that have been looked at.
    seen: usize,
    known: FxHashSet<Bits>,
    list: Vec<Cover>,
}

impl Covers {
    /// Takes in the terms that were added to the bank, as far as time allows.
    pub fn update(&mut self, enumerator: &Enumerator, nonterminal: usize, target: &Target, budget: &Budget) {
        let bank = &enumerator.banks[nonterminal];
        for term in self.seen..bank.len() {
            if term % 4096 == 4095 && budget.is_over() {
                self.seen = term;
                return;
            }
            let bits = target.agreement(bank.column(term as u32));
            if bits.iter().all(|word| *word == 0) || self.known.contains(&bits) {
                continue;
            }
            self.add(Cover { bits, leaf: Leaf::Enumerated(term as u32), size: bank.size_of(term as u32) });
            if self.list.len() > 4 * TUNING.covers {
                self.prune(enumerator.examples);
            }
        }
        self.seen = bank.len();
    }

    /// Forgets covers that no tree would choose from.
    fn prune(&mut self, examples: usize) {
        let kept: Vec<Cover> = self.selection(examples).into_iter().cloned().collect();
        self.known = kept.iter().map(|cover| cover.bits.clone()).collect();
        self.list = kept;
    }

    /// Takes in a term that is not on the bank.
    pub fn add_extra(&mut self, bits: Bits, expr: Expr) {
        if !self.known.contains(&bits) {
            self.add(Cover { bits, size: expr.size(), leaf: Leaf::Extra(expr) });
        }
    }

    fn add(&mut self, cover: Cover) {
        self.known.insert(cover.bits.clone());
        self.list.push(cover);
    }

    /// Examples that are covered only together with fewer than `least` in all, or not at all.
    pub fn poorly_covered(&self, examples: usize, least: u32) -> Vec<usize> {
        let large = self.list.iter().filter(|cover| count(&cover.bits) >= least);
        let rest = large.fold(all(examples), |rest, cover| without(&rest, &cover.bits));
        (0..examples).filter(|at| rest[at / 64] >> (at % 64) & 1 != 0).collect()
    }

    /// The covers that a tree chooses from, by size: the largest, and what it takes to cover everything.
    fn selection(&self, examples: usize) -> Vec<&Cover> {
        let mut order: Vec<(usize, &Cover)> = self.list.iter().enumerate().collect();
        order.sort_by_key(|(at, cover)| (std::cmp::Reverse(count(&cover.bits)), cover.size, *at));
        let mut rest = all(examples);
        let mut chosen = Vec::new();
        for (place, (at, cover)) in order.into_iter().enumerate() {
            let is_needed = count_both(&cover.bits, &rest) > 0;
            if place < TUNING.covers || is_needed {
                rest = without(&rest, &cover.bits);
                chosen.push((cover.size, at, cover));
            }
        }
        chosen.sort_by_key(|(size, at, _)| (*size, *at));
        chosen.into_iter().map(|(_, _, cover)| cover).collect()
    }
}

/// The outputs that are wanted, and those that are not.
#[derive(Clone, Debug)]
pub struct Target {
    pub column: Vec<u64>,
    /// Examples whose output is forbidden.
    forbidden: Bits,
    sort: Sort,
    examples: usize,
}

impl Target {
    pub fn new(examples: &Examples) -> Target {
        let sort = examples.output_sort();
        let forbidden: Vec<u64> = (0..examples.len()).map(|at| u64::from(examples.is_forbidden(at))).collect();
        Target {
            column: column::pack(sort, examples.output()),
            forbidden: column::pack(Sort::Bool, &forbidden),
            sort,
            examples: examples.len(),
        }
    }

    /// The examples on which a column is as wanted.
    pub fn agreement(&self, column: &[u64]) -> Bits {
        let equal: Bits = match self.sort {
            Sort::Bool => {
                let pairs = column.iter().zip(&self.column).zip(all(self.examples));
                pairs.map(|((a, b), all)| !(a ^ b) & all).collect()
            }
            Sort::Int | Sort::Bv(_) => {
                let chunks = column.chunks(64).zip(self.column.chunks(64));
                let word = |(a, b): (&[u64], &[u64])| {
                    a.iter().zip(b).enumerate().fold(0, |word, (at, (a, b))| word | u64::from(a == b) << at)
                };
                chunks.map(word).collect()
            }
        };
        equal.iter().zip(&self.forbidden).map(|(equal, forbidden)| equal ^ forbidden).collect()
    }

    /// Whether a column is as wanted on all examples.
    pub fn is_met_by(&self, column: &[u64]) -> bool {
        self.agreement(column) == all(self.examples)
    }
}

#[derive(Clone, Debug)]
pub enum Tree {
    Leaf { nonterminal: usize, leaf: Leaf },
    Split { rule: usize, condition: u32, then: Box<Tree>, otherwise: Box<Tree> },
}

/// A tree with the number of examples that it is wrong on.
#[derive(Clone, Debug)]
pub struct Unified {
    pub tree: Tree,
    pub missed: u32,
}

pub struct Unifier<'a> {
    enumerator: &'a Enumerator<'a>,
    budget: &'a Budget,
    /// By nonterminal, where it has been asked for.
    selections: FxHashMap<usize, Vec<&'a Cover>>,
    /// x log x.
    entropy: Vec<f64>,
    stopped: bool,
}

impl<'a> Unifier<'a> {
    pub fn new(
        enumerator: &'a Enumerator<'a>,
        covers: &'a FxHashMap<usize, Covers>,
        budget: &'a Budget,
    ) -> Unifier<'a> {
        let selections =
            covers.iter().map(|(nonterminal, covers)| (*nonterminal, covers.selection(enumerator.examples)));
        let entropy = (0..=enumerator.examples).map(|n| if n == 0 { 0.0 } else { n as f64 * (n as f64).log2() });
        Unifier { enumerator, budget, selections: selections.collect(), entropy: entropy.collect(), stopped: false }
    }

    /// A tree for all examples; `None` if there is no term at all. Without time its nodes are not split any more.
    pub fn unify(&mut self, nonterminal: usize) -> Option<Unified> {
        self.node(nonterminal, &all(self.enumerator.examples), 0)
    }

    fn node(&mut self, nonterminal: usize, points: &Bits, depth: usize) -> Option<Unified> {
        let covers = self.selections.get(&nonterminal)?;
        // By size: the first is the smallest.
        if let Some(cover) = covers.iter().find(|cover| is_within(points, &cover.bits)) {
            return Some(Unified { tree: Tree::Leaf { nonterminal, leaf: cover.leaf.clone() }, missed: 0 });
        }
        self.stopped |= self.budget.is_over();
        let split = if depth < TUNING.depth && !self.stopped { self.best_split(nonterminal, points) } else { None };
        if let Some((rule, condition)) = split {
            let choice = self.enumerator.rules.rules[rule].choice.as_ref()?;
            let bits = self.enumerator.banks[choice.condition].column(condition);
            let holes = &self.enumerator.rules.rules[rule].holes;
            let (then, otherwise) = (holes[choice.then as usize], holes[choice.otherwise as usize]);
            let then = self.node(then, &both(points, bits), depth + 1);
            let otherwise = self.node(otherwise, &without(points, bits), depth + 1);
            if let (Some(then), Some(otherwise)) = (then, otherwise) {
                let missed = then.missed + otherwise.missed;
                let (then, otherwise) = (Box::new(then.tree), Box::new(otherwise.tree));
                return Some(Unified { tree: Tree::Split { rule, condition, then, otherwise }, missed });
            }
        }
        let covers = self.selections.get(&nonterminal)?;
        let best = covers.iter().rev().max_by_key(|cover| count_both(&cover.bits, points))?;
        let missed = count(points) - count_both(&best.bits, points);
        Some(Unified { tree: Tree::Leaf { nonterminal, leaf: best.leaf.clone() }, missed })
    }

    /// The greedy labelling of a node: sets of examples that one term covers, and those that none covers.
    fn labels(&self, nonterminal: usize, points: &Bits) -> Vec<Bits> {
        let mut rest = points.clone();
        let mut labels = Vec::new();
        while labels.len() + 1 < TUNING.labels && count(&rest) > 0 {
            let Some(covers) = self.selections.get(&nonterminal) else { break };
            let best = covers.iter().rev().max_by_key(|cover| count_both(&cover.bits, &rest));
            match best.map(|cover| both(&cover.bits, &rest)).filter(|label| count(label) > 0) {
                Some(label) => {
                    rest = without(&rest, &label);
                    labels.push(label);
                }
                None => break,
            }
        }
        if count(&rest) > 0 {
            labels.push(rest);
        }
        labels
    }

    /// The rule and the condition with the largest information gain; of equal ones the smallest, then the first.
    fn best_split(&self, nonterminal: usize, points: &Bits) -> Option<(usize, u32)> {
        let labels = self.labels(nonterminal, points);
        let rules = self.enumerator.rules;
        let choices = rules.nonterminals[nonterminal].rules.iter().filter(|rule| rules.rules[**rule].choice.is_some());
        let mut best: Option<(f64, usize, usize, u32)> = None;
        for &rule in choices {
            let Some(choice) = &rules.rules[rule].choice else { continue };
            let Some((rest, condition)) = self.best_condition(choice.condition, points, &labels) else { continue };
            let size = self.enumerator.banks[choice.condition].size_of(condition) + rules.rules[rule].cost;
            if best.is_none_or(|(known, known_size, ..)| (rest, size) < (known, known_size)) {
                best = Some((rest, size, rule, condition));
            }
        }
        best.map(|(_, _, rule, condition)| (rule, condition))
    }

    /// The condition that leaves the least entropy of the labels, and that entropy.
    fn best_condition(&self, nonterminal: usize, points: &Bits, labels: &[Bits]) -> Option<(f64, u32)> {
        let bank = &self.enumerator.banks[nonterminal];
        let conditions = bank.len().min(TUNING.conditions);
        let total = count(points);
        let totals: Vec<u32> = labels.iter().map(|label| count(label)).collect();
        let rest = |condition: u32| -> Option<f64> {
            let bits = bank.column(condition);
            let inside = count_both(bits, points);
            if inside == 0 || inside == total {
                return None;
            }
            let mut rest = self.entropy[inside as usize] + self.entropy[(total - inside) as usize];
            for (label, total) in labels.iter().zip(&totals) {
                let inside = count_both(bits, label);
                rest -= self.entropy[inside as usize] + self.entropy[(total - inside) as usize];
            }
            Some(rest)
        };
        let best_of = |range: std::ops::Range<usize>| {
            let mut best: Option<(f64, u32)> = None;
            for condition in range {
                if let Some(rest) = rest(condition as u32)
                    && best.is_none_or(|(known, _)| rest < known - 1e-9)
                {
                    best = Some((rest, condition as u32));
                }
            }
            best
        };
        let pieces = conditions.div_ceil(CONDITIONS_AT_ONCE);
        let piece = |at: usize| at * CONDITIONS_AT_ONCE..((at + 1) * CONDITIONS_AT_ONCE).min(conditions);
        let results: Vec<Mutex<Option<(f64, u32)>>> = (0..pieces).map(|_| Mutex::default()).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while let at = next.fetch_add(1, Ordering::Relaxed)
                && at < pieces
            {
                let best = best_of(piece(at));
                if let Ok(mut slot) = results[at].lock() {
                    *slot = best;
                }
            }
        };
        on_threads(self.budget.threads.min(pieces), work);
        let mut best: Option<(f64, u32)> = None;
        for (rest, condition) in results.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()) {
            if best.is_none_or(|(known, _)| rest < known - 1e-9) {
                best = Some((rest, condition));
            }
        }
        best
    }
}

/// A tree as a term of the grammar.
pub fn expr(enumerator: &Enumerator, tree: &Tree) -> Expr {
    match tree {
        Tree::Leaf { nonterminal, leaf: Leaf::Enumerated(term) } => enumerator.expr(*nonterminal, *term),
        Tree::Leaf { leaf: Leaf::Extra(expr), .. } => expr.clone(),
        Tree::Split { rule, condition, then, otherwise } => {
            let rule = &enumerator.rules.rules[*rule];
            let Some(choice) = &rule.choice else { unreachable!("trees split by rules with a choice") };
            let mut holes = vec![Expr::Hole(0); rule.holes.len()];
            if choice.is_plain {
                holes[choice.parts[0] as usize] = enumerator.expr(choice.condition, *condition);
            } else {
                let children = enumerator.banks[choice.condition].children(*condition, choice.parts.len());
                for (part, child) in choice.parts.iter().zip(children) {
                    holes[*part as usize] = enumerator.expr(rule.holes[*part as usize], *child);
                }
            }
            holes[choice.then as usize] = expr(enumerator, then);
            holes[choice.otherwise as usize] = expr(enumerator, otherwise);
            rule.template.fill(&holes)
        }
    }
}

/// Leaves of a tree.
pub fn leaves(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf { .. } => 1,
        Tree::Split { then, otherwise, .. } => leaves(then) + leaves(otherwise),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::evaluate;
    use crate::grammar::Grammar;
    use crate::op::Op;
    use crate::rules::Rules;
    use crate::sort::Value;

    /// The best tree for a function of an integer after so many sizes, and how many examples it misses.
    fn tree(sizes: usize, has_conditions: bool, function: fn(i64) -> i64) -> (Expr, u32, Examples) {
        let mut grammar = Grammar::new("S", Sort::Int);
        let start = grammar.start();
        let truth = grammar.add_nonterminal("B", Sort::Bool);
        let inputs = [Sort::Int];
        for leaf in [Expr::Input(0), Expr::Const(Value::int(0)), Expr::Const(Value::int(10))] {
            grammar.add(start, leaf, &[], &inputs).unwrap();
        }
        let less = Expr::Apply(Op::IntLt, vec![Expr::Hole(0), Expr::Hole(1)]);
        let choice = Expr::Apply(Op::Ite, vec![Expr::Hole(0), Expr::Hole(1), Expr::Hole(2)]);
        grammar.add(start, choice, &[truth, start, start], &inputs).unwrap();
        if has_conditions {
            grammar.add(truth, less, &[start, start], &inputs).unwrap();
        }
        let mut examples = Examples::new(&inputs, Sort::Int);
        for input in -40..40 {
            examples.push(&[Value::int(input)], Value::int(function(input))).unwrap();
        }
        let (rules, target, budget) = (Rules::new(&grammar, &examples), Target::new(&examples), Budget::default());
        let mut enumerator = Enumerator::new(&rules, &examples, 0);
        for _ in 0..sizes {
            enumerator.next_size(None, &budget);
        }
        let mut covers: FxHashMap<usize, Covers> = FxHashMap::default();
        covers.entry(rules.start).or_default().update(&enumerator, rules.start, &target, &budget);
        let unified = Unifier::new(&enumerator, &covers, &budget).unify(rules.start).unwrap();
        (expr(&enumerator, &unified.tree), unified.missed, examples)
    }

    fn clamp(x: i64) -> i64 {
        x.clamp(0, 10)
    }

    #[test]
    fn covers_are_separated_by_conditions() {
        let (expr, missed, examples) = tree(3, true, clamp);
        assert_eq!((missed, expr.branches()), (0, 2));
        assert_eq!(evaluate(&expr, &examples).as_deref(), Some(examples.output()));
    }

    #[test]
    fn what_cannot_be_separated_is_missed_and_counted() {
        let (expr, missed, examples) = tree(3, false, clamp);
        assert_eq!((expr, missed), (Expr::Const(Value::int(0)), 39));
        assert_eq!(examples.len(), 80);
        // No term is right for the odd ones beyond the bounds.
        let (_, missed, _) = tree(3, true, |x| if x > 20 && x % 2 != 0 { 77 } else { clamp(x) });
        assert_eq!(missed, 10);
    }
}
