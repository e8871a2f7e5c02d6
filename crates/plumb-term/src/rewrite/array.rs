//! Arrays: reading through stores, and stores that replace stores.

use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::terms::{TermId, Terms};

type StoreRule = fn(&mut Terms, TermId, TermId, TermId) -> Option<TermId>;

pub const STORE: &[StoreRule] = &[store_what_is_there, store_again];

/// So many stores and choices are looked through by one read.
const READ_STEPS: u32 = 128;
/// Reads that need no more steps are not worth an entry.
const UNREMEMBERED: u32 = 8;
/// So far below the top an earlier store at the same index is looked for.
const STORE_STEPS: usize = 8;

/// Can the two indices never be equal? Different constants, different offsets from one term, or different constants for the
/// lowest bits.
fn are_distinct(terms: &Terms, i: TermId, j: TermId) -> bool {
    if i == j {
        return false;
    }
    let parts = |index| match terms.as_binary(BinaryOp::BvAdd, index) {
        Some((base, offset)) if terms.is_const(offset) => (Some(base), Some(offset)),
        _ if terms.is_const(index) => (None, Some(index)),
        _ => (Some(index), None),
    };
    let low = |index| terms.as_binary(BinaryOp::Concat, index).map(|(_, low)| low).filter(|low| terms.is_const(*low));
    if let (Some(low_i), Some(low_j)) = (low(i), low(j))
        && terms.width(low_i) == terms.width(low_j)
        && low_i != low_j
    {
        return true;
    }
    let ((base_i, offset_i), (base_j, offset_j)) = (parts(i), parts(j));
    base_i == base_j && offset_i != offset_j
}

/// What reading an array finds: the element, or the array below everything that does not matter.
enum Found {
    Element(TermId),
    Below(TermId),
}

/// Follows stores at other indices and constant arrays; of a choice both arms, as long as they end in the same.
fn read_through(terms: &Terms, array: TermId, index: TermId, steps: &mut u32) -> Found {
    let mut array = array;
    while *steps > 0 {
        *steps -= 1;
        if let Some(element) = terms.known.get(&(BinaryOp::Select, array, index)) {
            return Found::Element(*element);
        }
        match terms.kind(array) {
            Kind::Store(_, i, element) if i == index => return Found::Element(element),
            Kind::Store(below, i, _) if are_distinct(terms, i, index) => array = below,
            Kind::Unary(UnaryOp::ConstArray, element) => return Found::Element(element),
            Kind::Ite(_, yes, no) => {
                // Half of the steps for each arm keeps the recursion shallow and the cost within the budget.
                let mut half = *steps / 2;
                let mut other_half = half;
                *steps = 0;
                match (read_through(terms, yes, index, &mut half), read_through(terms, no, index, &mut other_half)) {
                    (Found::Below(x), Found::Below(y)) if x == y => return Found::Below(x),
                    (Found::Element(x), Found::Element(y)) if x == y => return Found::Element(x),
                    _ => return Found::Below(array),
                }
            }
            _ => break,
        }
    }
    Found::Below(array)
}

/// `a[i := v][i] = v`, `a[i := v][j] = a[j]` when the indices are distinct, and reading from choices.
///
/// What a long walk came to is remembered: the next one, from an array with more stores, ends there.
pub fn select(terms: &mut Terms, array: TermId, index: TermId) -> Option<TermId> {
    let mut steps = READ_STEPS;
    let element = match read_through(terms, array, index, &mut steps) {
        Found::Element(element) => element,
        Found::Below(below) => {
            let choice = terms.as_ite(below).and_then(|(c, yes, no)| select_choice(terms, c, yes, no, index));
            match choice {
                Some(choice) => choice,
                None if below == array => return None,
                // Nothing more was to be seen from here.
                None => {
                    let sort = terms.element_sort(array);
                    terms.make(Kind::Binary(BinaryOp::Select, below, index), sort)
                }
            }
        }
    };
    if steps + UNREMEMBERED < READ_STEPS {
        terms.known.insert((BinaryOp::Select, array, index), element);
    }
    Some(element)
}

/// `(c ? a : b)[i] = c ? a[i] : b[i]`, where one of the two is known
fn select_choice(terms: &mut Terms, c: TermId, yes: TermId, no: TermId, index: TermId) -> Option<TermId> {
    let (mut steps, mut other_steps) = (READ_STEPS / 2, READ_STEPS / 2);
    let (yes, no) =
        match (read_through(terms, yes, index, &mut steps), read_through(terms, no, index, &mut other_steps)) {
            (Found::Below(_), Found::Below(_)) => return None,
            (Found::Element(yes), Found::Element(no)) => (yes, no),
            (Found::Element(yes), Found::Below(below)) => (yes, terms.select(below, index)),
            (Found::Below(below), Found::Element(no)) => (terms.select(below, index), no),
        };
    Some(terms.ite(c, yes, no))
}

/// `a[i := a[i]] = a`
fn store_what_is_there(terms: &mut Terms, array: TermId, index: TermId, element: TermId) -> Option<TermId> {
    if terms.as_binary(BinaryOp::Select, element) == Some((array, index))
        || terms.as_unary(UnaryOp::ConstArray, array) == Some(element)
    {
        return Some(array);
    }
    None
}

/// `a[i := v][j := w][i := u] = a[j := w][i := u]` when the indices between are distinct from the last
fn store_again(terms: &mut Terms, array: TermId, index: TermId, element: TermId) -> Option<TermId> {
    let mut between = Vec::new();
    let mut below = array;
    while let Kind::Store(next, i, v) = terms.kind(below) {
        if i == index {
            // What was stored in between is stored again on what was there before.
            let mut rebuilt = next;
            for (i, v) in between.into_iter().rev() {
                rebuilt = terms.store(rebuilt, i, v);
            }
            return Some(terms.store(rebuilt, index, element));
        }
        if between.len() == STORE_STEPS || !are_distinct(terms, i, index) {
            return None;
        }
        between.push((i, v));
        below = next;
    }
    None
}
