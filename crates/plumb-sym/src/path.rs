//! Path conditions: what must hold for a state to be reached.
//!
//! A path is a list of conditions that shares its beginning with the paths it was split from. Two paths meet in what they
//! have in common and the alternative of what they have not: after `if (c) ... else ...` that is `c` or `not c`, which is
//! nothing.

use plumb_term::{TermId, Terms};
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Path {
    last: Option<Arc<Node>>,
}

#[derive(Debug)]
struct Node {
    before: Option<Arc<Node>>,
    cond: TermId,
    /// The conjunction up to here.
    all: TermId,
    len: u32,
}

impl Drop for Node {
    /// Long paths must not be dropped by recursion.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(node) = next {
            match Arc::try_unwrap(node) {
                Ok(mut node) => next = node.before.take(),
                Err(_) => return,
            }
        }
    }
}

/// How two paths meet.
pub struct Meeting {
    pub path: Path,
    /// Given the path, distinguishes the first of the two from the second.
    pub first: TermId,
}

impl Path {
    /// The path as one condition.
    pub fn term(&self) -> TermId {
        self.last.as_ref().map_or(TermId::bool(true), |node| node.all)
    }

    pub fn len(&self) -> u32 {
        self.last.as_ref().map_or(0, |node| node.len)
    }

    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Adds a condition.
    pub fn push(&mut self, cond: TermId, terms: &mut Terms) {
        if cond == TermId::bool(true) {
            return;
        }
        let all = terms.and(self.term(), cond);
        let len = self.len() + 1;
        self.last = Some(Arc::new(Node { before: self.last.take(), cond, all, len }));
    }

    /// The conditions that were added when it had so many, oldest first.
    pub fn since(&self, len: u32) -> Vec<TermId> {
        let mut list = Vec::new();
        let mut next = self.last.as_ref();
        while let Some(node) = next.filter(|node| node.len > len) {
            list.push(node.cond);
            next = node.before.as_ref();
        }
        list.reverse();
        list
    }

    /// Whether no run can take it.
    pub fn is_impossible(&self) -> bool {
        self.term() == TermId::bool(false)
    }

    pub fn meet(a: &Path, b: &Path, terms: &mut Terms) -> Meeting {
        let (mut x, mut y) = (a.last.clone(), b.last.clone());
        let mut rest_a = Vec::new();
        let mut rest_b = Vec::new();
        let len = |node: &Option<Arc<Node>>| node.as_ref().map_or(0, |n| n.len);
        let same = |x: &Option<Arc<Node>>, y: &Option<Arc<Node>>| match (x, y) {
            (Some(x), Some(y)) => Arc::ptr_eq(x, y),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        while !same(&x, &y) {
            if len(&x) >= len(&y)
                && let Some(node) = x.take()
            {
                rest_a.push(node.cond);
                x = node.before.clone();
            } else if let Some(node) = y.take() {
                rest_b.push(node.cond);
                y = node.before.clone();
            }
        }
        // The first decision after the common part distinguishes them, where it is one.
        let split = match (rest_a.last(), rest_b.last()) {
            (Some(&p), Some(&q)) if terms.not(p) == q => Some(p),
            _ => None,
        };
        let all_a = terms.and_all(rest_a.iter().rev().copied());
        let all_b = terms.and_all(rest_b.iter().rev().copied());
        let either = match split {
            Some(split) => {
                let after_a = terms.and_all(rest_a.iter().rev().skip(1).copied());
                let after_b = terms.and_all(rest_b.iter().rev().skip(1).copied());
                terms.ite(split, after_a, after_b)
            }
            None => terms.or(all_a, all_b),
        };
        let mut path = Path { last: x };
        path.push(either, terms);
        Meeting { path, first: split.unwrap_or(all_a) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::Sort;

    #[test]
    fn both_ways_of_a_decision_meet_in_what_was_before() {
        let mut terms = Terms::new();
        let [before, c, d] = ["before", "c", "d"].map(|name| terms.symbol(name, Sort::Bool));
        let mut path = Path::default();
        path.push(before, &mut terms);
        let (mut yes, mut no) = (path.clone(), path.clone());
        yes.push(c, &mut terms);
        let not_c = terms.not(c);
        no.push(not_c, &mut terms);
        let meeting = Path::meet(&yes, &no, &mut terms);
        assert_eq!(meeting.path.term(), before);
        assert_eq!(meeting.first, c);
        // An assumption on one of the ways stays.
        yes.push(d, &mut terms);
        let meeting = Path::meet(&yes, &no, &mut terms);
        let expected = terms.ite(c, d, TermId::bool(true));
        let expected = terms.and(before, expected);
        assert_eq!(meeting.path.term(), expected);
    }

    #[test]
    fn long_paths_are_dropped_without_recursion() {
        let mut terms = Terms::new();
        let mut path = Path::default();
        for i in 0..300_000 {
            let cond = terms.symbol(&format!("c{i}"), Sort::Bool);
            path.push(cond, &mut terms);
        }
        assert_eq!(path.len(), 300_000);
    }
}
