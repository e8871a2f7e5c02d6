//! What has not been done yet: branches not taken, comparisons that have always gone the same way; and for each the
//! inputs that came nearest.

use super::corpus::Seed;
use super::coverage::Coverage;
use super::plan::{Plan, siblings};
use super::tuning::TUNING;
use plumb_exec::{Image, Machine, News, Rng};
use plumb_ir::analysis::target_distance::Distance;
use plumb_ir::program::{EdgeId, FuncId, Loc, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A comparison that should hold, or fail, once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Objective {
    pub comparison: u32,
    pub holds: bool,
}

pub struct Objectives {
    image: Arc<Image>,
    /// By comparison: how much it matters; 0 for what nobody wants to fail.
    weights: Vec<f64>,
    /// The nearest inputs of each that is open, in the order of their coming.
    open: Vec<(Objective, u64, Seed)>,
    index: FxHashMap<Objective, usize>,
    /// Inputs that took a branch first.
    firsts: Vec<Seed>,
    pub coverage: Coverage,
    all_branches: u64,
    fresh: Vec<(News, u64, Seed)>,
}

impl Objectives {
    pub fn new(image: &Arc<Image>, plan: &Plan) -> Objectives {
        let program = image.program();
        let weights = image.comparisons().iter().map(|c| {
            let function = program.function(c.func);
            match function.edge(c.edge).op {
                // A violation itself.
                Op::Check { .. } => 4.0,
                Op::Assume { .. } => {
                    let edges: Vec<EdgeId> = siblings(function, c.edge).collect();
                    let nearest = edges.iter().map(|e| plan.distance(c.func, function.edge(*e).to)).min();
                    match nearest.and_then(Distance::finite) {
                        // Assumptions are repaired, not sought.
                        _ if edges.len() < 2 => 0.0,
                        None => 0.02,
                        Some(distance) => 1.0 / (1.0 + (distance as f64).sqrt() / 4.0),
                    }
                }
                Op::Assign { .. } | Op::Havoc { .. } | Op::Call { .. } | Op::Return(_) => 0.0,
            }
        });
        let decisions = plan.reachable.iter().map(|f| {
            let function = program.function(*f);
            let several = |e: &EdgeId| siblings(function, *e).count() > 1;
            function.edge_ids().filter(several).count() as u64
        });
        Objectives {
            image: image.clone(),
            weights: weights.collect(),
            open: Vec::new(),
            index: FxHashMap::default(),
            firsts: Vec::new(),
            coverage: Coverage::default(),
            all_branches: decisions.sum(),
            fresh: Vec::new(),
        }
    }

    /// Notes what a segment did for the first time, and the inputs that did it, unless they are too many to keep. Returns
    /// whether a branch was new.
    pub fn note(&mut self, news: &[News], seed: Option<&Seed>, machine: &mut Machine) -> bool {
        let before = self.coverage.branches();
        for one in news {
            match (*one, seed) {
                (News::Branch(func, edge), _) => self.note_branch(func, edge, seed),
                (News::Nearer { comparison, holds }, Some(seed)) => {
                    let distance = machine.meter().best(comparison, holds);
                    self.note_distance(Objective { comparison, holds }, distance, seed);
                }
                (News::Nearer { .. }, None) => {}
            }
        }
        self.coverage.branches() > before
    }

    fn note_branch(&mut self, func: FuncId, edge: EdgeId, seed: Option<&Seed>) {
        self.coverage.add(func, edge);
        let Some(seed) = seed else { return };
        if self.firsts.len() >= TUNING.max_first_seeds {
            self.firsts.drain(..TUNING.max_first_seeds / 2);
        }
        // One segment often takes many new branches.
        if !self.firsts.last().is_some_and(|last| Arc::ptr_eq(&last.script, &seed.script)) {
            self.firsts.push(seed.clone());
        }
        if self.fresh.len() < TUNING.max_shared_news {
            self.fresh.push((News::Branch(func, edge), 0, seed.clone()));
        }
    }

    fn note_distance(&mut self, objective: Objective, distance: u64, seed: &Seed) {
        if self.weights[objective.comparison as usize] == 0.0 {
            return;
        }
        let known = self.index.get(&objective).copied();
        if distance == 0 {
            if let Some(at) = known {
                self.remove(at);
            }
            return;
        }
        if self.fresh.len() < TUNING.max_shared_news {
            let news = News::Nearer { comparison: objective.comparison, holds: objective.holds };
            self.fresh.push((news, distance, seed.clone()));
        }
        match known {
            Some(at) => {
                self.open[at].1 = distance;
                self.open[at].2 = seed.clone();
            }
            None => {
                self.index.insert(objective, self.open.len());
                self.open.push((objective, distance, seed.clone()));
            }
        }
    }

    /// Drops comparisons at branches that can go one way only, given locations that no run reaches.
    pub fn drop_decided(&mut self, dead: &FxHashSet<(FuncId, Loc)>) {
        let program = self.image.program();
        for (weight, comparison) in self.weights.iter_mut().zip(self.image.comparisons()) {
            let function = program.function(comparison.func);
            if matches!(function.edge(comparison.edge).op, Op::Assume { .. }) {
                let is_live = |edge: &EdgeId| !dead.contains(&(comparison.func, function.edge(*edge).to));
                if siblings(function, comparison.edge).filter(is_live).count() < 2 {
                    *weight = 0.0;
                }
            }
        }
        let decided = |objective: &Objective| self.weights[objective.comparison as usize] == 0.0;
        self.open.retain(|(objective, ..)| !decided(objective));
        self.index = self.open.iter().enumerate().map(|(at, (objective, ..))| (*objective, at)).collect();
    }

    fn remove(&mut self, at: usize) {
        let (objective, ..) = self.open.swap_remove(at);
        self.index.remove(&objective);
        if let Some((moved, ..)) = self.open.get(at) {
            self.index.insert(*moved, at);
        }
    }

    /// An open objective, the likelier the more it matters and the less it was tried, with its nearest inputs.
    pub fn pick(&mut self, rng: &mut Rng) -> Option<(Objective, Seed)> {
        if self.open.is_empty() {
            return None;
        }
        let score = |this: &Self, at: usize| {
            let (objective, _, seed) = &this.open[at];
            this.weights[objective.comparison as usize] / (1.0 + seed.picks as f64)
        };
        let mut best = rng.below(self.open.len() as u64) as usize;
        for _ in 0..5 {
            let other = rng.below(self.open.len() as u64) as usize;
            if score(self, other) > score(self, best) {
                best = other;
            }
        }
        let (objective, _, seed) = &mut self.open[best];
        seed.picks += 1;
        Some((*objective, seed.clone()))
    }

    /// Inputs that did something first, or came nearest to it.
    pub fn pick_seed(&mut self, rng: &mut Rng) -> Option<Seed> {
        let nearest = !self.open.is_empty() && (self.firsts.is_empty() || rng.below(2) == 0);
        if nearest {
            return self.pick(rng).map(|(_, seed)| seed);
        }
        if self.firsts.is_empty() {
            return None;
        }
        // The younger half more often.
        let len = self.firsts.len() as u64;
        let at = rng.below(len).max(rng.below(len)) as usize;
        Some(self.firsts[at].clone())
    }

    pub fn branches(&self) -> (u64, u64) {
        (self.coverage.branches(), self.all_branches)
    }

    pub fn seeds(&self) -> usize {
        self.open.len() + self.firsts.len()
    }

    /// Forgets the older half of what took branches first.
    pub fn shrink(&mut self) {
        self.firsts.drain(..self.firsts.len() / 2);
    }

    /// What is new since the last exchange.
    pub fn share(&mut self) -> Vec<(News, u64, Seed)> {
        std::mem::take(&mut self.fresh)
    }

    pub fn receive(&mut self, shared: &[(News, u64, Seed)], machine: &mut Machine) {
        for (news, distance, seed) in shared {
            match *news {
                News::Branch(func, edge) => {
                    if machine.learn_edge(func, edge) {
                        self.note_branch(func, edge, Some(seed));
                    }
                }
                News::Nearer { comparison, holds } => {
                    if machine.meter().learn(comparison, holds, *distance) {
                        self.note_distance(Objective { comparison, holds }, *distance, seed);
                    }
                }
            }
        }
        self.fresh.clear();
        debug_assert!(self.image.comparisons().len() == self.weights.len());
    }
}
