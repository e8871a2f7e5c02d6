//! What is kept of two variables: how they compare, and in which bits they agree.
//!
//! A pair of which nothing is left is dropped, so that unrelated variables cost a few samples' time.

use crate::chance::{Chance, Evidence};
use crate::fact::{Fact, Relation};
use crate::options::Options;
use crate::point::{NAN, Scalar};
use crate::schema::{Row, Schema};
use crate::single::{Candidate, Single};

/// How values of two sides have compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    pub less: bool,
    pub equal: bool,
    pub greater: bool,
    /// One of them was a NaN.
    pub unordered: bool,
}

impl Compared {
    pub fn add(&mut self, a: i128, b: i128) {
        self.unordered |= a == NAN || b == NAN;
        self.less |= a < b;
        self.equal |= a == b;
        self.greater |= a > b;
    }

    pub fn is_empty(self) -> bool {
        !(self.less || self.equal || self.greater)
    }

    /// The strongest relation from left to right, or from right to left if the second is true.
    pub fn relation(self) -> Option<(Relation, bool)> {
        match self {
            _ if self.unordered || self.is_empty() => None,
            Compared { less: false, greater: false, .. } => Some((Relation::Equal, false)),
            Compared { equal, greater: false, .. } => Some((order(equal), false)),
            Compared { equal, less: false, .. } => Some((order(equal), true)),
            _ => None,
        }
    }

    /// Whether no relation but inequality can be left.
    pub fn is_unrelated(self) -> bool {
        self.unordered || self.less && self.greater
    }

    pub fn never_equal(self) -> bool {
        !self.equal && !self.unordered && !self.is_empty()
    }
}

fn order(or_equal: bool) -> Relation {
    if or_equal { Relation::LessOrEqual } else { Relation::Less }
}

#[derive(Clone, Debug)]
struct Pair {
    left: u32,
    right: u32,
    compared: Compared,
    /// Bits that were always the same; none where widths differ.
    agree: u64,
}

#[derive(Clone, Debug)]
pub struct Pairs {
    live: Vec<Pair>,
    /// Pairs there were at first: the candidates that a fact is one of.
    total: usize,
    keep_unequal: bool,
}

impl Pairs {
    pub fn new(schema: &Schema) -> Pairs {
        let mut live = Vec::new();
        for (i, a) in schema.columns.iter().enumerate() {
            for (j, b) in schema.columns.iter().enumerate().skip(i + 1) {
                if a.comparable(b) {
                    let has_bits = !matches!(a.scalar, Scalar::Bool | Scalar::Pointer { .. });
                    let same_width = a.scalar.bits() == b.scalar.bits() && has_bits;
                    let agree = if same_width { a.scalar.mask() } else { 0 };
                    live.push(Pair { left: i as u32, right: j as u32, compared: Compared::default(), agree });
                }
            }
        }
        Pairs { total: live.len(), live, keep_unequal: schema.options.disequalities }
    }

    pub fn add(&mut self, row: &Row) {
        let mut at = 0;
        while at < self.live.len() {
            let pair = &mut self.live[at];
            let (i, j) = (pair.left as usize, pair.right as usize);
            pair.compared.add(row.numbers[i], row.numbers[j]);
            pair.agree &= !(row.patterns[i] ^ row.patterns[j]);
            let compared = pair.compared;
            let may_differ = self.keep_unequal && compared.never_equal();
            if compared.is_unrelated() && pair.agree == 0 && !may_differ {
                self.live.swap_remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// The columns equal to an earlier one, each with the first such column.
    pub fn leaders(&self, columns: usize) -> Vec<usize> {
        let mut leaders: Vec<usize> = (0..columns).collect();
        for pair in &self.live {
            if let Some((Relation::Equal, _)) = pair.compared.relation() {
                let (i, j) = (pair.left as usize, pair.right as usize);
                leaders[j] = leaders[j].min(i);
            }
        }
        leaders
    }

    pub fn candidates(&self, schema: &Schema, singles: &[Single], evidence: Evidence) -> Vec<Candidate> {
        let mut list = Vec::new();
        let samples = evidence.times();
        for pair in &self.live {
            let (i, j) = (pair.left as usize, pair.right as usize);
            let (a, b) = (&schema.columns[i], &schema.columns[j]);
            let (x, y) = (&singles[i], &singles[j]);
            let mut push = |fact: Fact, chance: Chance| list.push(Candidate::new(fact, chance.among(self.total)));
            let is_address = matches!(a.scalar, Scalar::Pointer { .. });
            match pair.compared.relation() {
                Some((Relation::Equal, _)) => {
                    push(Fact::equal(a.term, b.term), Chance::repeated(x.spread.equal(&y.spread), samples));
                    continue;
                }
                Some((relation, false)) if !is_address => {
                    let chance = Chance::repeated(x.spread.at_most(&y.spread), samples);
                    push(Fact::Compare(a.term, relation, b.term), chance);
                }
                Some((relation, true)) if !is_address => {
                    let chance = Chance::repeated(y.spread.at_most(&x.spread), samples);
                    push(Fact::Compare(b.term, relation, a.term), chance);
                }
                _ => {}
            }
            if self.keep_unequal && pair.compared.never_equal() {
                let chance = Chance::repeated(1.0 - x.spread.equal(&y.spread), samples);
                push(Fact::Compare(a.term, Relation::NotEqual, b.term), chance);
            }
            match a.scalar {
                // With NaNs only the bits can be the same.
                Scalar::Float(_) if pair.compared.unordered && pair.agree == a.scalar.mask() => {
                    let fact = Fact::SameBits { left: a.term, right: b.term, mask: pair.agree };
                    push(fact, Chance::repeated(x.spread.equal(&y.spread), samples));
                }
                Scalar::Float(_) => {}
                _ => {
                    if let Some((mask, chance)) = common_bits(pair.agree, x, y, samples, &schema.options) {
                        push(Fact::SameBits { left: a.term, right: b.term, mask }, chance);
                    }
                }
            }
        }
        list
    }
}

/// The bits that vary and agree, each convincing by itself, with the chance of the least convincing.
fn common_bits(agree: u64, x: &Single, y: &Single, samples: f64, options: &Options) -> Option<(u64, Chance)> {
    let varying = agree & x.varying() & y.varying();
    let mut common = (0, Chance::repeated(0.0, 1.0));
    for bit in (0..64).filter(|bit| varying >> bit & 1 == 1) {
        let (p, q) = (x.bit_frequency(bit), y.bit_frequency(bit));
        let chance = Chance::repeated(p * q + (1.0 - p) * (1.0 - q), samples).among(varying.count_ones() as usize);
        if chance.confidence() >= options.confidence {
            common = (common.0 | 1 << bit, common.1.greatest(chance));
        }
    }
    (common.0 != 0).then_some(common)
}
