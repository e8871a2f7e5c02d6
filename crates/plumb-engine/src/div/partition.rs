//! Partitions: which entry states belong together, and what holds after calls from there.
//!
//! A call that the summary allows and the unit does not make tells what is missing. Its entry state has a valuation of the
//! vocabulary: conditions of the program's branches, signs and orders. Facts are inferred from the samples of that valuation; of
//! those that exclude the call one is taken whose failures elsewhere the fewest conditions keep out. These conditions are the
//! precondition `p` of the first part, and all facts about it its postcondition; the second part is `!p` (Yeolekar and Unadkat,
//! Algorithm 1).

use super::language::{Clause, Pair, Values};
use super::specification::Specification;
use super::tuning::TUNING;
use plumb_infer::Fact;
use plumb_term::TermId;

/// The first part of a partition.
pub struct Part {
    /// `true` where the facts hold in the whole parent.
    pub requires: TermId,
    pub ensures: Vec<Clause>,
}

/// A call that the summary allows.
pub struct Spurious<'v> {
    pub claimed: &'v Values,
    /// What the unit does instead; `None` if it does not return.
    pub real: Option<&'v Values>,
}

/// The part of a pair's entry states that a spurious call belongs to, with candidates that exclude it.
pub fn part_of(specification: &mut Specification, parent: &Pair, spurious: &Spurious) -> Option<Part> {
    let members = members(specification, parent.requires);
    let conditions: Vec<TermId> = specification.vocabulary.iter().map(|(_, term)| *term).collect();
    let here = specification.language.hold(&conditions, spurious.claimed);
    let there: Vec<Vec<bool>> = members.iter().map(|values| valuation(specification, values)).collect();
    let alike = |at: &usize| there[*at] == here;
    let group: Vec<&Values> = (0..members.len()).filter(alike).map(|at| &members[at]).chain(spurious.real).collect();
    let (literals, fact) = best_split(specification, &members, &there, &here, &group, spurious)?;
    let mut requires = TermId::bool(true);
    for at in literals {
        let condition = conditions[at];
        let terms = specification.language.terms();
        let literal = if here[at] { condition } else { terms.not(condition) };
        requires = terms.and(requires, literal);
    }
    let mut ensures: Vec<Clause> = match fact {
        Some(fact) => specification.language.clause(&fact).into_iter().collect(),
        None => vec![Clause::always(TermId::bool(false))],
    };
    let inside: Vec<Values> =
        members.iter().filter(|values| specification.language.holds(requires, values)).cloned().collect();
    for clause in clauses_about(specification, inside.iter().chain(spurious.real), TUNING.part_facts) {
        if !ensures.contains(&clause) {
            ensures.push(clause);
        }
    }
    Some(Part { requires, ensures })
}

/// The conditions, by number, that keep out what fails the fact; the fact is `None` where calls do not return.
fn best_split(
    specification: &Specification,
    members: &[Values],
    there: &[Vec<bool>],
    here: &[bool],
    group: &[&Values],
    spurious: &Spurious,
) -> Option<(Vec<usize>, Option<Fact>)> {
    if spurious.real.is_none() {
        let all: Vec<usize> = (0..members.len()).collect();
        return cover(there, here, all).map(|literals| (literals, None));
    }
    let excludes = |fact: &Fact| !specification.language.fact_holds(fact, spurious.claimed);
    let mut facts: Vec<Fact> = Vec::new();
    // What is unlikely to hold by chance comes first; a group may be too small for anything to be unlikely.
    for confidence in [0.9, 0.0] {
        facts.extend(specification.infer(group.iter().copied(), confidence, false).into_iter().filter(excludes));
        if !facts.is_empty() {
            break;
        }
    }
    let mut best: Option<(Vec<usize>, Fact)> = None;
    for fact in facts.into_iter().take(TUNING.excluding_facts) {
        let failing: Vec<usize> =
            (0..members.len()).filter(|at| !specification.language.fact_holds(&fact, &members[*at])).collect();
        let Some(literals) = cover(there, here, failing) else { continue };
        if best.as_ref().is_none_or(|(fewest, _)| literals.len() < fewest.len()) {
            best = Some((literals, fact));
        }
    }
    best.map(|(literals, fact)| (literals, Some(fact)))
}

/// Conditions whose value here every one of some samples lacks, few by greed; `None` if some sample lacks none.
fn cover(there: &[Vec<bool>], here: &[bool], mut failing: Vec<usize>) -> Option<Vec<usize>> {
    let mut chosen = Vec::new();
    while !failing.is_empty() {
        let differs = |sample: usize, at: usize| there[sample][at] != here[at];
        let kept_out = |at: usize| failing.iter().filter(|sample| differs(**sample, at)).count();
        // Of equals the first, which is nearest to the program.
        let at = (0..here.len()).rev().max_by_key(|at| kept_out(*at)).filter(|at| kept_out(*at) > 0)?;
        failing.retain(|sample| !differs(*sample, at));
        chosen.push(at);
    }
    chosen.sort();
    Some(chosen)
}

fn valuation(specification: &Specification, values: &Values) -> Vec<bool> {
    specification.vocabulary.iter().map(|(fact, _)| specification.language.fact_holds(fact, values)).collect()
}

/// The samples from some entry states.
fn members(specification: &Specification, requires: TermId) -> Vec<Values> {
    let is_member = |values: &&Values| requires == TermId::bool(true) || specification.language.holds(requires, values);
    specification.samples().iter().filter(is_member).cloned().collect()
}

/// Candidates about calls from some entry states, at most so many; with conditions, under those of the program too.
pub fn candidates(specification: &mut Specification, requires: TermId) -> Vec<Clause> {
    let members = members(specification, requires);
    clauses_about(specification, members.iter(), TUNING.facts)
}

fn clauses_about<'v>(
    specification: &mut Specification,
    samples: impl Iterator<Item = &'v Values>,
    most: usize,
) -> Vec<Clause> {
    let facts = specification.infer(samples, TUNING.confidence, true);
    facts.iter().take(most).filter_map(|fact| specification.language.clause(fact)).collect()
}

/// A pair for one entry state: what the unit does from there.
pub fn point(specification: &mut Specification, real: &Values) -> Part {
    let count = specification.unit.entry.len();
    let mut requires = TermId::bool(true);
    let mut ensures = Vec::new();
    for (at, value) in real.iter().enumerate() {
        let is_it = specification.language.is_value(at, *value);
        match at < count {
            true => requires = specification.language.terms().and(requires, is_it),
            false => ensures.push(Clause::always(is_it)),
        }
    }
    Part { requires, ensures }
}

/// The pairs with one of them divided, by the entry states of a part. Both halves keep what the whole has.
pub fn divided(specification: &mut Specification, at: usize, part: &Part) -> Vec<Pair> {
    let parent = specification.pairs[at].clone();
    let mut pairs = specification.pairs.clone();
    let extended = |list: &[Clause], more: &[Clause]| {
        let new = more.iter().filter(|clause| !list.contains(clause));
        list.iter().chain(new).copied().collect::<Vec<Clause>>()
    };
    if part.requires == TermId::bool(true) {
        pairs[at].ensures = extended(&parent.ensures, &part.ensures);
        return pairs;
    }
    let terms = specification.language.terms();
    let (first, outside) = (terms.and(parent.requires, part.requires), terms.not(part.requires));
    let second = terms.and(parent.requires, outside);
    pairs[at] = Pair { requires: first, ensures: extended(&parent.ensures, &part.ensures) };
    let rest = candidates(specification, second);
    pairs.insert(at + 1, Pair { requires: second, ensures: extended(&parent.ensures, &rest) });
    pairs
}
