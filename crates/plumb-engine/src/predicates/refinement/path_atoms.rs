//! The conditions of one control-flow path in the formula of a block.
//!
//! Where paths were joined, a condition is a disjunction and a value a choice between those of the paths. A model of the
//! formula takes one of them: under it every choice is decided, and what is left are the conditions that this path meets,
//! about the values that it computes. They are as small as those of a path that was followed alone.

use plumb_term::{Assignment, BinaryOp, Evaluator, Kind, Sort, TermId, Terms, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

/// The path that a model takes through joined terms.
pub struct ModelPath<'m> {
    evaluator: Evaluator<'m>,
    /// Values with their choices decided.
    decided: FxHashMap<TermId, TermId>,
    seen: FxHashSet<TermId>,
    /// Conditions that are still to be looked at.
    open: Vec<TermId>,
}

impl<'m> ModelPath<'m> {
    pub fn new(model: &'m Assignment) -> ModelPath<'m> {
        ModelPath {
            evaluator: Evaluator::new(model),
            decided: FxHashMap::default(),
            seen: FxHashSet::default(),
            open: Vec::new(),
        }
    }

    /// The conditions that decide a condition under the model.
    pub fn atoms(&mut self, terms: &mut Terms, condition: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        self.open.push(condition);
        while let Some(term) = self.open.pop() {
            if terms.is_const(term) || !self.seen.insert(term) {
                continue;
            }
            match terms.kind(term) {
                Kind::Unary(UnaryOp::Not, a) => self.open.push(a),
                Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                    // One operand that decides is enough.
                    let decisive = op == BinaryOp::Or;
                    match [a, b].into_iter().find(|one| self.evaluator.holds(terms, *one) == decisive) {
                        Some(one) => self.open.push(one),
                        None => self.open.extend([a, b]),
                    }
                }
                Kind::Binary(BinaryOp::Eq, a, b) if terms.sort(a) == Sort::Bool => self.open.extend([a, b]),
                Kind::Ite(condition, a, b) => {
                    let taken = if self.evaluator.holds(terms, condition) { a } else { b };
                    self.open.extend([condition, taken]);
                }
                _ => {
                    let atom = self.decide(terms, term);
                    if terms.as_bool(atom).is_none() {
                        found.push(atom);
                    }
                }
            }
        }
        found
    }

    /// A condition that the model decides, as it does.
    pub fn literal(&mut self, terms: &mut Terms, atom: TermId) -> TermId {
        if self.evaluator.holds(terms, atom) { atom } else { terms.not(atom) }
    }

    /// A term with the choices between values decided. Their conditions are to be looked at too.
    fn decide(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        let mut stack = vec![root];
        while let Some(term) = stack.last().copied() {
            if self.decided.contains_key(&term) {
                stack.pop();
                continue;
            }
            if let Kind::Ite(condition, a, b) = terms.kind(term) {
                let taken = if self.evaluator.holds(terms, condition) { a } else { b };
                match self.decided.get(&taken).copied() {
                    Some(value) => {
                        self.open.push(condition);
                        self.decided.insert(term, value);
                    }
                    None => stack.push(taken),
                }
                continue;
            }
            let operands: Vec<TermId> = terms.kind(term).operands().collect();
            let missing = operands.iter().copied().filter(|one| !self.decided.contains_key(one));
            let before = stack.len();
            stack.extend(missing);
            if stack.len() == before {
                let new: Vec<TermId> = operands.iter().map(|one| self.decided[one]).collect();
                let value = if new == operands { term } else { terms.rebuild(term, &new) };
                self.decided.insert(term, value);
            }
        }
        self.decided[&root]
    }
}
