//! The templates over one set of samples, without conditions.

use crate::arrays::Arrays;
use crate::chance::{Chance, Evidence};
use crate::choice::{Choice, choices};
use crate::fact::{Fact, Linear};
use crate::hull::Hull;
use crate::module::{Congruence, Module, centred};
use crate::pairs::Pairs;
use crate::sample::Sample;
use crate::schema::{Row, Schema};
use crate::single::{Candidate, Single};
use rustc_hash::FxHashSet;

/// Where samples come from: by themselves, or several from one origin.
#[derive(Clone, Debug, Default)]
struct Origins {
    alone: u64,
    shared: FxHashSet<u64>,
}

impl Origins {
    fn add(&mut self, origin: Option<u64>) {
        match origin {
            None => self.alone += 1,
            Some(origin) => {
                self.shared.insert(origin);
            }
        }
    }

    fn count(&self) -> u64 {
        self.alone + self.shared.len() as u64
    }
}

/// Everything that is kept of samples. It does not depend on their order.
#[derive(Clone, Debug)]
pub struct Core {
    samples: u64,
    origins: Origins,
    singles: Vec<Single>,
    pairs: Pairs,
    /// As the schema lists them.
    hulls: Vec<Hull>,
    modules: Vec<Module>,
    choices: Vec<Choice>,
    arrays: Arrays,
}

impl Core {
    pub fn new(schema: &Schema) -> Core {
        Core {
            samples: 0,
            origins: Origins::default(),
            singles: schema.columns.iter().map(|column| Single::new(column.scalar, &schema.options)).collect(),
            pairs: Pairs::new(schema),
            hulls: schema.linear.iter().map(|columns| Hull::new(columns.len())).collect(),
            modules: schema.modular.iter().map(|(bits, columns)| Module::new(*bits, columns.len() + 1)).collect(),
            choices: choices(schema),
            arrays: Arrays::new(schema),
        }
    }

    pub fn samples(&self) -> u64 {
        self.samples
    }

    pub fn add(&mut self, schema: &Schema, row: &Row, sample: &Sample) {
        self.samples += 1;
        self.origins.add(row.origin);
        for (single, (pattern, number)) in self.singles.iter_mut().zip(row.patterns.iter().zip(&row.numbers)) {
            single.add(*pattern, *number);
        }
        self.pairs.add(row);
        for (hull, columns) in self.hulls.iter_mut().zip(&schema.linear) {
            hull.add(columns.iter().map(|column| row.numbers[*column]));
        }
        for (module, (_, columns)) in self.modules.iter_mut().zip(&schema.modular) {
            if !module.is_everything() {
                module.insert(std::iter::once(1).chain(columns.iter().map(|c| row.patterns[*c])).collect());
            }
        }
        self.choices.iter_mut().for_each(|choice| choice.add(schema, row));
        self.arrays.add(row, sample);
    }

    /// Every fact that holds of all samples, with its chance. What others imply is among them, except that equations speak of
    /// the first of equal variables only.
    pub fn candidates(&self, schema: &Schema) -> Vec<Candidate> {
        let evidence = self.evidence();
        let mut list = Vec::new();
        for (single, column) in self.singles.iter().zip(&schema.columns) {
            list.extend(single.candidates(column.term, evidence, &schema.options));
        }
        list.extend(self.pairs.candidates(schema, &self.singles, evidence));
        let leaders = self.pairs.leaders(schema.columns.len());
        let is_free = |column: usize| leaders[column] == column && self.singles[column].constant().is_none();
        for (hull, columns) in self.hulls.iter().zip(&schema.linear) {
            self.equations(schema, hull, columns, &is_free, &mut list);
        }
        for (module, (bits, columns)) in self.modules.iter().zip(&schema.modular) {
            self.congruences(schema, module, *bits, columns, &is_free, &mut list);
        }
        for choice in &self.choices {
            list.extend(choice.candidates(schema, &self.singles, evidence));
        }
        list.extend(self.arrays.candidates(schema, &self.singles, evidence));
        list
    }

    fn evidence(&self) -> Evidence {
        Evidence::new(self.samples, self.origins.count())
    }

    fn equations(
        &self,
        schema: &Schema,
        hull: &Hull,
        columns: &[usize],
        is_free: &dyn Fn(usize) -> bool,
        list: &mut Vec<Candidate>,
    ) {
        let free: Vec<usize> = (0..columns.len()).filter(|at| is_free(columns[*at])).collect();
        for equation in hull.equations(&free, schema.options.max_ternary) {
            let parts = equation.parts.iter().map(|(factor, at)| (*factor, schema.columns[columns[*at]].term));
            let Some(sum) = Linear::new(parts, equation.constant) else { continue };
            let involved = equation.parts.iter().map(|(_, at)| columns[*at]);
            let chance = self.coincidence(involved, free.len());
            list.push(Candidate::new(Fact::Linear(sum), chance));
        }
    }

    /// That independent variables obey an equation: so many samples determine it, in the others one of the variables has the
    /// right value by chance.
    fn coincidence(&self, columns: impl Iterator<Item = usize> + Clone, of: usize) -> Chance {
        let terms = columns.clone().count();
        let collisions = columns.map(|column| self.singles[column].spread.collision());
        let once = collisions.fold(1.0, f64::min);
        Chance::repeated(once, self.evidence().times() - terms as f64).among(of.pow(terms as u32))
    }

    fn congruences(
        &self,
        schema: &Schema,
        module: &Module,
        bits: u32,
        columns: &[usize],
        is_free: &dyn Fn(usize) -> bool,
        list: &mut Vec<Candidate>,
    ) {
        if module.is_everything() {
            return;
        }
        // Places in the module; place 0 is that of the constant 1.
        let mut free: Vec<usize> = (1..=columns.len()).filter(|at| is_free(columns[*at - 1])).collect();
        let mut push = |found: Congruence, count: usize| {
            let part = |at: usize| schema.columns[columns[at - 1]].term;
            let signed = |number: u64| centred(number, bits) as i64 as i128;
            let others = found.parts.iter().map(|(factor, at)| (-signed(*factor), part(*at)));
            let parts = std::iter::once((1, part(found.column))).chain(others);
            if let Some(sum) = Linear::new(parts, -signed(found.constant)) {
                let involved = std::iter::once(found.column).chain(found.parts.iter().map(|(_, at)| *at));
                let chance = self.coincidence(involved.map(|at| columns[at - 1]), count);
                list.push(Candidate::new(Fact::LinearModulo(sum, bits), chance));
            }
        };
        let count = free.len();
        let mut paired = vec![false; columns.len() + 1];
        for (i, &a) in free.iter().enumerate() {
            for &b in &free[i + 1..] {
                let found = module.congruence(&[0, a, b]).or_else(|| module.congruence(&[0, b, a]));
                if let Some(found) = found.filter(|found| found.parts.len() == 1) {
                    paired[b] = true;
                    push(found, count);
                }
            }
        }
        free.retain(|at| !paired[*at]);
        free.truncate(schema.options.max_ternary_modular);
        for (i, &a) in free.iter().enumerate() {
            for (j, &b) in free.iter().enumerate().skip(i + 1) {
                for &c in &free[j + 1..] {
                    let orders = [[0, a, b, c], [0, a, c, b], [0, b, c, a]];
                    let found = orders.iter().find_map(|order| module.congruence(order));
                    if let Some(found) = found.filter(|found| found.parts.len() == 2) {
                        push(found, count);
                    }
                }
            }
        }
    }
}
