//! Variables that always equal one of a few others or constants: `ret == a || ret == b || ret == 0`.
//!
//! Each sample has a set of variables that the variable equals in it. A disjunction holds if every such set contains one of its
//! members: it is a hitting set. Kept are the different sets with their counts, and what the variable was where it equalled no
//! other, which must be a constant of the disjunction. In unrelated variables that ends at the third sample.

use crate::chance::{Chance, Evidence};
use crate::fact::{Fact, Term};
use crate::point::{NAN, Role, Scalar};
use crate::schema::{Row, Schema};
use crate::single::{Candidate, Single};

/// Members of a disjunction.
const MAX_MEMBERS: usize = 3;
const MAX_CONSTANTS: usize = 2;
/// Different sets of equal variables.
const MAX_SETS: usize = 64;
/// Facts about one variable, and sets of members that are looked at for them.
const MAX_FACTS: usize = 16;
const MAX_TRIED: usize = 256;

#[derive(Clone, Debug)]
pub struct Choice {
    column: usize,
    /// The variables that it may equal, by the bit that stands for them.
    peers: Vec<usize>,
    /// `None` when no disjunction is left.
    seen: Option<Seen>,
}

#[derive(Clone, Debug, Default)]
struct Seen {
    sets: Vec<(u128, u64)>,
    constants: Vec<(u64, u64)>,
}

/// The variables that are looked at: results and what a function has changed, or all where there is no such thing.
pub fn choices(schema: &Schema) -> Vec<Choice> {
    let role = |column: usize| schema.point.variable(schema.columns[column].term.variable()).role;
    let all: Vec<usize> = (0..schema.columns.len()).collect();
    let is_output = |column: &usize| matches!(role(*column), Role::Exit | Role::Result);
    let outputs: Vec<usize> = all.iter().copied().filter(is_output).collect();
    let list = if outputs.is_empty() { &all } else { &outputs };
    let is_choice =
        |column: &usize| schema.columns[*column].scalar != Scalar::Bool && !matches!(role(*column), Role::Old);
    let peers = |column: usize| {
        let fits = |other: &usize| *other != column && schema.columns[*other].comparable(&schema.columns[column]);
        all.iter().copied().filter(fits).take(128).collect::<Vec<usize>>()
    };
    let list = list.iter().copied().filter(is_choice);
    list.map(|column| Choice { column, peers: peers(column), seen: Some(Seen::default()) }).collect()
}

impl Choice {
    pub fn add(&mut self, schema: &Schema, row: &Row) {
        let Some(seen) = &mut self.seen else { return };
        let number = row.numbers[self.column];
        let mut equal = 0u128;
        if number != NAN {
            for (bit, peer) in self.peers.iter().enumerate() {
                equal |= u128::from(row.numbers[*peer] == number) << bit;
            }
        }
        let fits = match equal {
            0 => {
                let pattern = row.patterns[self.column];
                let is_address = matches!(schema.columns[self.column].scalar, Scalar::Pointer { .. });
                !(is_address && pattern != 0) && count(&mut seen.constants, pattern, MAX_CONSTANTS)
            }
            _ => count(&mut seen.sets, equal, MAX_SETS),
        };
        if !fits {
            self.seen = None;
        }
    }

    pub fn candidates(&self, schema: &Schema, singles: &[Single], evidence: Evidence) -> Vec<Candidate> {
        let Some(seen) = &self.seen else { return Vec::new() };
        // An enumeration equals others all the time; its set of values says more.
        let is_address = matches!(schema.columns[self.column].scalar, Scalar::Pointer { .. });
        if !is_address && singles[self.column].is_enumeration(&schema.options) {
            return Vec::new();
        }
        let room = MAX_MEMBERS - seen.constants.len();
        let mut found: Vec<Vec<usize>> = Vec::new();
        hitting_sets(&seen.sets, &mut Vec::new(), room, &mut found);
        let is_minimal = |members: &Vec<usize>| {
            !found.iter().any(|other| other.len() < members.len() && other.iter().all(|m| members.contains(m)))
        };
        let minimal = found.iter().filter(|members| is_minimal(members));
        let several = minimal.filter(|members| !members.is_empty() && members.len() + seen.constants.len() > 1);
        several.take(MAX_FACTS).map(|members| self.candidate(schema, singles, evidence, seen, members)).collect()
    }

    fn candidate(
        &self,
        schema: &Schema,
        singles: &[Single],
        evidence: Evidence,
        seen: &Seen,
        members: &[usize],
    ) -> Candidate {
        let term = schema.columns[self.column].term;
        let spread = &singles[self.column].spread;
        let mut facts = Vec::new();
        let mut chance = Chance::repeated(0.0, 1.0);
        let all = members.iter().fold(0u128, |set, bit| set | 1 << bit);
        for bit in members {
            let peer = self.peers[*bit];
            facts.push(equality(term, schema.columns[peer].term));
            // In these samples no other member would do.
            let alone = seen.sets.iter().filter(|(set, _)| set & all == 1 << bit);
            let times: u64 = alone.map(|(_, times)| times).sum();
            chance = chance.greatest(Chance::repeated(spread.equal(&singles[peer].spread), evidence.of(times as f64)));
        }
        for (pattern, times) in &seen.constants {
            facts.push(Fact::constant(term, *pattern));
            // The first of them says what the constant is.
            chance = chance.greatest(Chance::repeated(spread.collision(), evidence.of(*times as f64) - 1.0));
        }
        facts.sort();
        let tried = self.peers.len().pow(members.len() as u32);
        Candidate::new(Fact::Any(facts), chance.among(tried))
    }
}

fn equality(a: Term, b: Term) -> Fact {
    Fact::equal(a.min(b), a.max(b))
}

/// Counts one of a few things; false if they are too many.
fn count<T: Ord + Copy>(list: &mut Vec<(T, u64)>, one: T, most: usize) -> bool {
    match list.binary_search_by_key(&one, |(known, _)| *known) {
        Ok(at) => list[at].1 += 1,
        Err(_) if list.len() == most => return false,
        Err(at) => list.insert(at, (one, 1)),
    }
    true
}

/// Sets of bits such that each of the sets has one of them.
fn hitting_sets(sets: &[(u128, u64)], chosen: &mut Vec<usize>, room: usize, found: &mut Vec<Vec<usize>>) {
    let hit = |set: u128, chosen: &[usize]| chosen.iter().any(|bit| set >> bit & 1 == 1);
    let Some((open, _)) = sets.iter().find(|(set, _)| !hit(*set, chosen)) else {
        let mut members = chosen.clone();
        members.sort();
        if !found.contains(&members) {
            found.push(members);
        }
        return;
    };
    if room == 0 || found.len() >= MAX_TRIED {
        return;
    }
    for bit in (0..128).filter(|bit| open >> bit & 1 == 1) {
        chosen.push(bit);
        hitting_sets(sets, chosen, room - 1, found);
        chosen.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hitting_sets_hit_every_set() {
        let mut found = Vec::new();
        hitting_sets(&[(0b011, 1), (0b110, 1), (0b1000, 1)], &mut Vec::new(), 2, &mut found);
        assert_eq!(found, [vec![1, 3]]);
    }
}
