//! Operators on values that are one of a few constants.
//!
//! `c ? 3 : 5` plus one is `c ? 4 : 6`: a state that a program switches among stays a choice of constants through
//! arithmetic and casts, and comparing it with a constant gives back the conditions.

use crate::op::{BinaryOp, UnaryOp};
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

/// So many choices are looked through.
const CHOICES: usize = 15;

/// Is the term a small tree of choices among constants?
fn is_choice_of_constants(terms: &Terms, a: TermId) -> bool {
    if terms.as_ite(a).is_none() {
        return false;
    }
    let (mut stack, mut height, mut choices) = ([a; CHOICES + 2], 1, 0);
    while height > 0 {
        height -= 1;
        let term = stack[height];
        if terms.is_const(term) {
            continue;
        }
        match terms.as_ite(term) {
            Some((_, yes, no)) if choices < CHOICES => {
                choices += 1;
                stack[height] = yes;
                stack[height + 1] = no;
                height += 2;
            }
            _ => return false,
        }
    }
    true
}

/// Applies an operator to the constants. Recursion is as deep as the tree has choices.
fn map(terms: &mut Terms, a: TermId, apply: &dyn Fn(&mut Terms, TermId) -> TermId) -> TermId {
    match terms.as_ite(a) {
        Some((condition, yes, no)) => {
            let (yes, no) = (map(terms, yes, apply), map(terms, no, apply));
            terms.ite(condition, yes, no)
        }
        None => apply(terms, a),
    }
}

pub fn unary(terms: &mut Terms, op: UnaryOp, a: TermId, sort: Sort) -> Option<TermId> {
    is_choice_of_constants(terms, a).then(|| map(terms, a, &|terms, leaf| terms.unary(op, leaf, sort)))
}

pub fn extract(terms: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    is_choice_of_constants(terms, a).then(|| map(terms, a, &|terms, leaf| terms.extract(leaf, hi, lo)))
}

pub fn binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId, sort: Sort) -> Option<TermId> {
    if terms.is_const(b) && is_choice_of_constants(terms, a) {
        return Some(map(terms, a, &|terms, leaf| terms.binary(op, leaf, b, sort)));
    }
    if terms.is_const(a) && is_choice_of_constants(terms, b) {
        return Some(map(terms, b, &|terms, leaf| terms.binary(op, a, leaf, sort)));
    }
    same_condition(terms, op, a, b, sort)
}

/// `(c ? k : l) + (c ? m : n) = c ? k + m : l + n` for constants
fn same_condition(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId, sort: Sort) -> Option<TermId> {
    let ((c, k, l), (d, m, n)) = (terms.as_ite(a)?, terms.as_ite(b)?);
    if c != d || ![k, l, m, n].iter().all(|arm| terms.is_const(*arm)) {
        return None;
    }
    let (yes, no) = (terms.binary(op, k, m, sort), terms.binary(op, l, n, sort));
    Some(terms.ite(c, yes, no))
}

/// A comparison of a choice with a constant, where an arm is constant: `(c ? 3 : x) == 3` is `c || x == 3`.
///
/// A variable that a program assigns constants to becomes a chain of such choices, longer with every step. What a
/// comparison of it came to is remembered, so that the next one, on a longer chain, ends there.
pub fn compare_choice(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    if !terms.is_const(b) {
        return None;
    }
    let (c, yes, no) = terms.as_ite(a)?;
    if !terms.is_const(yes) && !terms.is_const(no) {
        return None;
    }
    if let Some(known) = terms.known.get(&(op, a, b)) {
        return Some(*known);
    }
    let (yes, no) = (terms.binary(op, yes, b, Sort::Bool), terms.binary(op, no, b, Sort::Bool));
    let result = terms.ite(c, yes, no);
    terms.known.insert((op, a, b), result);
    Some(result)
}
