//! Candidate invariants: facts of a few forms that hold of every row that was seen at a head (Ernst et al. 2001).

use super::fact::{Fact, Quantity, Sum, View, read};
use super::samples::Seen;
use super::tuning::TUNING;
use plumb_infer::{Equation, Hull, gcd};
use plumb_ir::analysis::bits::BitSet;
use plumb_ir::analysis::intervals::Value;
use plumb_ir::ty::Bits;
use std::collections::{BTreeMap, BTreeSet};

/// What distinguishes states: facts of which each row has exactly one, with the rows that have it.
pub struct Feature(pub Vec<(Fact, BitSet)>);

/// Facts that hold of all rows.
#[derive(Default)]
pub struct Suggestions {
    /// About one quantity or two, and what the program asks.
    pub plain: Vec<Fact>,
    /// That relate values of one quantity with those of others.
    pub conditional: Vec<Fact>,
}

/// Of quantities that the loop does not change nothing has to be known: states have not forgotten them.
pub fn suggest(
    seen: &Seen,
    constants: &BTreeSet<i128>,
    asked: &[Fact],
    changes: &dyn Fn(Quantity) -> bool,
) -> Suggestions {
    let mut plain = Vec::new();
    if seen.rows.is_empty() {
        // Nobody has been there: whatever the program asks may be so or otherwise.
        let both = asked.iter().flat_map(|one| [one.clone(), one.clone().negated()]);
        let plain = both.filter(|fact| fact.quantities().into_iter().any(changes)).collect();
        return Suggestions { plain, conditional: Vec::new() };
    }
    let table = Table::new(seen);
    let all: Vec<usize> = (0..seen.rows.len()).collect();
    for column in 0..seen.quantities.len() {
        if changes(seen.quantities[column]) {
            table.single(column, &all, constants, &mut plain);
        }
    }
    let varying = table.varying(&all);
    table.related(&varying, &all, constants, true, &mut plain);
    let decided = table.decided(asked, &all);
    let is_decided = |a: &Fact| decided.iter().any(|d| d == a || *d == a.clone().negated());
    let undecided: Vec<Fact> = asked.iter().filter(|a| !is_decided(a)).cloned().collect();
    plain.extend(decided);
    let mut known: BTreeSet<Fact> = BTreeSet::new();
    let matters = |fact: &Fact| fact.quantities().into_iter().any(changes);
    plain.retain(|fact| matters(fact) && known.insert(fact.clone()));
    plain.truncate(TUNING.max_facts);
    let features = features(seen);
    let mut conditional = Vec::new();
    exclusions(&features, &mut conditional);
    let asked = undecided.iter().filter_map(|a| table.classes(vec![a.clone(), a.clone().negated()]));
    let conditions = asked.take(TUNING.max_conditions / 2).chain(features).chain(table.remainder_features());
    let conditions: Vec<Feature> = conditions.collect();
    table.conditional(&conditions, &undecided, constants, &known, &mut conditional);
    conditional.retain(|fact| matters(fact) && known.insert(fact.clone()));
    conditional.truncate(TUNING.max_facts);
    Suggestions { plain, conditional }
}

/// What abstract interpretation found of a quantity.
pub fn of_interval(quantity: Quantity, value: &Value) -> Vec<Fact> {
    let all = Value::any(quantity.width);
    let mut facts = Vec::new();
    if value.width != quantity.width || value.width == 1 {
        return facts;
    }
    for (view, range, whole) in
        [(View::Signed, value.signed, all.signed), (View::Unsigned, value.unsigned, all.unsigned)]
    {
        if range.0 > whole.0 {
            facts.push(Fact::AtLeast(Sum::of(quantity), range.0, view));
        }
        if range.1 < whole.1 {
            facts.push(Fact::AtMost(Sum::of(quantity), range.1, view));
        }
    }
    if value.low_bits > 0 && value.low_bits < value.width {
        facts.push(Fact::Congruent(Sum::of(quantity), 1 << value.low_bits, value.low));
    }
    facts
}

/// Numbers with few values: quantities, and differences of quantities with more.
pub fn features(seen: &Seen) -> Vec<Feature> {
    let table = Table::new(seen);
    let mut features = Vec::new();
    let mut wide = Vec::new();
    for (column, quantity) in seen.quantities.iter().enumerate() {
        match table.feature(Sum::of(*quantity), |row| row[column] as u128) {
            Some(feature) if feature.0.len() > 1 => features.push(feature),
            Some(_) => {}
            None => {
                features.extend(table.signs(column));
                wide.push(column);
            }
        }
    }
    wide.truncate(TUNING.max_paired);
    for (i, &a) in wide.iter().enumerate() {
        for &b in &wide[i + 1..] {
            let Some(sum) = Sum::new(vec![(1, seen.quantities[a]), (-1, seen.quantities[b])]) else { continue };
            let width = sum.width();
            let difference = |row: &[u64]| Bits::new(row[a].wrapping_sub(row[b]) as u128, width).u128();
            if let Some(feature) = table.feature(sum, difference)
                && feature.0.len() > 1
            {
                features.push(feature);
            }
        }
    }
    features
}

/// Values of two features that were never seen together.
fn exclusions(features: &[Feature], facts: &mut Vec<Fact>) {
    for (i, a) in features.iter().enumerate() {
        for b in &features[i + 1..] {
            for (x, here) in &a.0 {
                for (y, there) in &b.0 {
                    if !here.intersects(there) {
                        facts.push(Fact::Any(vec![x.clone().negated(), y.clone().negated()]));
                    }
                }
            }
        }
    }
}

struct Table<'a> {
    seen: &'a Seen,
    signed: Vec<Vec<i128>>,
}

impl<'a> Table<'a> {
    fn new(seen: &'a Seen) -> Table<'a> {
        let number = |(value, quantity): (&u64, &Quantity)| read(*value as u128, quantity.width, View::Signed);
        let signed = seen.rows.iter().map(|row| row.iter().zip(&seen.quantities).map(number).collect()).collect();
        Table { seen, signed }
    }

    fn feature(&self, sum: Sum, value: impl Fn(&[u64]) -> u128) -> Option<Feature> {
        let mut values: BTreeMap<u128, BitSet> = BTreeMap::new();
        for (at, row) in self.seen.rows.iter().enumerate() {
            values.entry(value(row)).or_insert_with(|| BitSet::new(self.seen.rows.len())).insert(at);
            if values.len() > TUNING.max_enumerated {
                return None;
            }
        }
        let each = values.into_iter().map(|(value, rows)| (Fact::equals(sum.clone(), value), rows));
        Some(Feature(each.collect()))
    }

    /// Facts with the rows for which they hold, if there are several that hold of some.
    fn classes(&self, facts: Vec<Fact>) -> Option<Feature> {
        let with_rows = facts.into_iter().map(|fact| (self.seen.rows_with(&fact), fact));
        let each: Vec<(Fact, BitSet)> =
            with_rows.filter(|(rows, _)| !rows.is_empty()).map(|(rows, fact)| (fact, rows)).collect();
        (each.len() > 1).then_some(Feature(each))
    }

    /// Whether a quantity with many values is zero, less or more.
    fn signs(&self, column: usize) -> Option<Feature> {
        let sum = Sum::of(self.seen.quantities[column]);
        if sum.width() == 1 {
            return None;
        }
        self.classes(vec![
            Fact::AtMost(sum.clone(), -1, View::Signed),
            Fact::equals(sum.clone(), 0),
            Fact::AtLeast(sum, 1, View::Signed),
        ])
    }

    /// Whether quantities with many values are even.
    fn remainder_features(&self) -> Vec<Feature> {
        let all: Vec<usize> = (0..self.seen.rows.len()).collect();
        let many =
            self.varying(&all).into_iter().filter(|c| self.seen.quantities[*c].width > 1).take(TUNING.max_paired);
        let sums = many.map(|column| Sum::of(self.seen.quantities[column]));
        sums.filter_map(|sum| self.classes(vec![Fact::Congruent(sum.clone(), 2, 0), Fact::Congruent(sum, 2, 1)]))
            .collect()
    }

    /// Of conditions those that hold of all rows, and the negations of those that hold of none.
    fn decided(&self, conditions: &[Fact], rows: &[usize]) -> Vec<Fact> {
        let mut list = Vec::new();
        for condition in conditions {
            let negated = condition.clone().negated();
            if self.holds(condition, rows) {
                list.push(condition.clone());
            } else if self.holds(&negated, rows) {
                list.push(negated);
            }
        }
        list
    }

    /// Columns that have several values in some rows.
    fn varying(&self, rows: &[usize]) -> Vec<usize> {
        let Some(first) = rows.first() else { return Vec::new() };
        let several = |column: usize| rows.iter().any(|at| self.signed[*at][column] != self.signed[*first][column]);
        (0..self.seen.quantities.len()).filter(|c| several(*c)).collect()
    }

    /// Facts about one quantity.
    fn single(&self, column: usize, rows: &[usize], constants: &BTreeSet<i128>, facts: &mut Vec<Fact>) {
        let quantity = self.seen.quantities[column];
        let width = quantity.width;
        let unsigned: BTreeSet<u64> = rows.iter().map(|at| self.seen.rows[*at][column]).collect();
        if unsigned.len() <= TUNING.max_enumerated {
            facts.push(Fact::OneOf(Sum::of(quantity), unsigned.iter().map(|v| *v as u128).collect()));
        }
        if width == 1 {
            return;
        }
        for view in [View::Signed, View::Unsigned] {
            let values = unsigned.iter().map(|v| read(*v as u128, width, view));
            let (Some(least), Some(most)) = (values.clone().min(), values.max()) else { return };
            if view == View::Unsigned && least >= 0 && most <= i128::MAX >> (129 - width) {
                // Bounds of the signed number say the same, except that it is not negative at all.
                facts.push(Fact::AtMost(Sum::of(quantity), i128::MAX >> (128 - width), View::Unsigned));
            }
            let limits = match view {
                View::Signed => i128::MIN >> (128 - width)..=i128::MAX >> (128 - width),
                View::Unsigned => 0..=(u128::MAX >> (128 - width)) as i128,
            };
            let modulus = 1i128 << width;
            let of_view = |c: &i128| if view == View::Unsigned { c.rem_euclid(modulus) } else { *c };
            let around: BTreeSet<i128> = constants
                .iter()
                .map(of_view)
                .flat_map(|c| [c - 1, c, c + 1])
                .chain([least, most, 0, 1])
                .filter(|c| limits.contains(c))
                .collect();
            // The nearest bounds, and those that nothing is likely to break.
            let below: Vec<i128> = around.iter().copied().filter(|c| *c <= least && c != limits.start()).collect();
            let above: Vec<i128> = around.iter().copied().filter(|c| *c >= most && c != limits.end()).collect();
            facts.extend(
                below.iter().rev().take(TUNING.tried_below).map(|c| Fact::AtLeast(Sum::of(quantity), *c, view)),
            );
            facts.extend(above.iter().take(TUNING.tried_above).map(|c| Fact::AtMost(Sum::of(quantity), *c, view)));
        }
        self.remainders(quantity, &unsigned, facts);
    }

    fn remainders(&self, quantity: Quantity, values: &BTreeSet<u64>, facts: &mut Vec<Fact>) {
        let first = values.first().copied().unwrap_or(0);
        let distances = values.iter().map(|value| i64::try_from(value.wrapping_sub(first)).unwrap_or(1));
        let common = distances.fold(0, |common, distance| gcd(common, distance as u128)) as i64;
        if values.len() < 4 || common < 2 || quantity.width < 64 && common >= 1 << quantity.width {
            return;
        }
        let mut divisors = vec![common];
        let power = 1i64 << common.trailing_zeros();
        if power > 1 {
            divisors.extend([power, 2]);
        }
        for divisor in divisors {
            let rest = first % divisor as u64;
            facts.push(Fact::Congruent(Sum::of(quantity), divisor as u64, rest));
        }
    }

    /// Facts that relate columns.
    fn related(
        &self,
        columns: &[usize],
        rows: &[usize],
        constants: &BTreeSet<i128>,
        compare: bool,
        facts: &mut Vec<Fact>,
    ) {
        let quantity = |column: usize| self.seen.quantities[column];
        let mut widths: Vec<u32> = columns.iter().map(|c| quantity(*c).width).filter(|w| *w > 1).collect();
        widths.sort();
        widths.dedup();
        for width in widths {
            let mut same: Vec<usize> = columns.iter().copied().filter(|c| quantity(*c).width == width).collect();
            same.truncate(TUNING.max_paired);
            self.equations(&same, rows, width, facts);
            if !compare {
                continue;
            }
            if same.len() <= TUNING.max_summed {
                self.sums(&same, rows, constants, facts);
            }
            for &a in &same {
                for &b in same.iter().filter(|b| **b != a) {
                    for view in [View::Signed, View::Unsigned] {
                        self.comparison(a, b, view, rows, facts);
                    }
                }
            }
        }
    }

    /// Bounds of sums and differences of two columns.
    fn sums(&self, columns: &[usize], rows: &[usize], constants: &BTreeSet<i128>, facts: &mut Vec<Fact>) {
        for (i, &a) in columns.iter().enumerate() {
            for &b in &columns[i + 1..] {
                for factor in [1, -1] {
                    let Some(sum) = Sum::new(vec![(1, self.seen.quantities[a]), (factor, self.seen.quantities[b])])
                    else {
                        continue;
                    };
                    let values = rows.iter().map(|at| self.signed[*at][a] + factor as i128 * self.signed[*at][b]);
                    let (Some(least), Some(most)) = (values.clone().min(), values.max()) else { continue };
                    // Far from where sums wrap around.
                    let limit = 1i128 << (sum.width() - 2);
                    let below = constants.range(..=least).next_back().copied();
                    let above = constants.range(most..).next().copied();
                    let near = |c: &i128| c.abs() < limit;
                    for bound in [Some(least), below].into_iter().flatten().filter(near) {
                        facts.push(Fact::AtLeast(sum.clone(), bound, View::Signed));
                    }
                    for bound in [Some(most), above].into_iter().flatten().filter(near) {
                        facts.push(Fact::AtMost(sum.clone(), bound, View::Signed));
                    }
                }
            }
        }
    }

    fn comparison(&self, a: usize, b: usize, view: View, rows: &[usize], facts: &mut Vec<Fact>) {
        let (x, y) = (Sum::of(self.seen.quantities[a]), Sum::of(self.seen.quantities[b]));
        let value = |at: usize, column: usize| match view {
            View::Signed => self.signed[at][column],
            View::Unsigned => self.seen.rows[at][column] as i128,
        };
        if rows.iter().all(|at| value(*at, a) < value(*at, b)) {
            facts.push(Fact::less(x.clone(), y.clone(), view));
        }
        if rows.iter().all(|at| value(*at, a) <= value(*at, b)) {
            facts.push(Fact::NotGreater(x, y, view));
        }
    }

    fn equations(&self, columns: &[usize], rows: &[usize], width: u32, facts: &mut Vec<Fact>) {
        if rows.len() < 3 {
            return;
        }
        // Numbers that have wrapped around obey no equation over the integers.
        let bound = 1i128 << (width - 2).min(40);
        let project = |at: &usize| columns.iter().map(|c| self.signed[*at][*c]).collect::<Vec<i128>>();
        let small: Vec<Vec<i128>> = rows.iter().map(project).filter(|r| r.iter().all(|v| v.abs() < bound)).collect();
        if small.len() < 3 {
            return;
        }
        let mut found = equations(small.iter().map(Vec::as_slice), columns.len());
        // Those of two numbers by themselves: they need not be among the others.
        for i in 0..columns.len() {
            for j in i + 1..columns.len() {
                let pairs: Vec<[i128; 2]> = small.iter().map(|r| [r[i], r[j]]).collect();
                for mut one in equations(pairs.iter().map(|p| &p[..]), 2) {
                    one.parts.iter_mut().for_each(|(_, column)| *column = if *column == 0 { i } else { j });
                    if !found.contains(&one) {
                        found.push(one);
                    }
                }
            }
        }
        for one in found {
            let parts =
                one.parts.iter().map(|(factor, c)| (*factor as i64, self.seen.quantities[columns[*c]])).collect();
            let Some(sum) = Sum::new(parts) else { continue };
            let fact = Fact::equals(sum, Bits::new(one.constant.wrapping_neg() as u128, width).u128());
            if self.holds(&fact, rows) {
                facts.push(fact);
            }
        }
    }

    fn holds(&self, fact: &Fact, rows: &[usize]) -> bool {
        rows.iter().all(|at| self.seen.holds(fact, *at) == Some(true))
    }

    /// Facts that hold where a feature has a certain value, and not elsewhere.
    fn conditional(
        &self,
        features: &[Feature],
        asked: &[Fact],
        constants: &BTreeSet<i128>,
        general: &BTreeSet<Fact>,
        facts: &mut Vec<Fact>,
    ) {
        let value = |column: usize| move |row: &[u64]| row[column] as u128;
        let many: Vec<usize> = (0..self.seen.quantities.len())
            .filter(|c| self.feature(Sum::of(self.seen.quantities[*c]), value(*c)).is_none())
            .collect();
        let mut conditions = 0;
        for feature in features {
            for (condition, rows) in &feature.0 {
                let rows: Vec<usize> = rows.iter().collect();
                if rows.len() < TUNING.min_rows || conditions >= TUNING.max_conditions || facts.len() > TUNING.max_facts
                {
                    continue;
                }
                conditions += 1;
                let mut special = Vec::new();
                let varying = self.varying(&rows);
                self.related(&varying, &rows, constants, false, &mut special);
                special.extend(self.decided(asked, &rows));
                // Of quantities with few values the exclusions say it.
                let fixed = many.iter().copied().filter(|c| !varying.contains(c));
                special.extend(fixed.map(|column| {
                    let value = self.seen.rows[rows[0]][column] as u128;
                    Fact::equals(Sum::of(self.seen.quantities[column]), value)
                }));
                for column in varying {
                    let before = special.len();
                    self.single(column, &rows, constants, &mut special);
                    // Bounds are many; the nearest and remainders are enough.
                    let bounds = special.split_off(before).into_iter();
                    special.extend(bounds.filter(|f| matches!(f, Fact::Congruent(_, _, _))));
                }
                let not = condition.clone().negated();
                let fresh = special.into_iter().filter(|f| !general.contains(f));
                facts.extend(fresh.map(|f| Fact::Any(vec![not.clone(), f])));
            }
        }
    }
}

/// Small linear equations that hold of all rows and that every other one follows from (Karr 1976, on samples).
fn equations<'a>(rows: impl Iterator<Item = &'a [i128]>, columns: usize) -> Vec<Equation> {
    let mut hull = Hull::new(columns);
    rows.for_each(|row| hull.add(row.iter().copied()));
    let mut found = hull.basis(TUNING.max_coefficient);
    let is_small = |one: &Equation| one.constant.abs() <= TUNING.max_equation_constant;
    found.retain(|one| is_small(one) && one.parts.len() <= TUNING.max_summands);
    found
}
