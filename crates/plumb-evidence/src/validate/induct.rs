//! Whether invariants hold, and whether they are enough.
//!
//! Loops with invariants are cut; others are followed iteration by iteration while the solver says that they may go on, up to a limit, and
//! cut without any claim beyond it. A question to the solver then is whether any check can be broken, an invariant be lost,
//! or anything happen that the semantics does not cover.
//!
//! **Knobs.** The depth `k` of the induction and the number of iterations are the witness's to propose.

use super::annotate::{annotate, show};
use super::claims::{Arrival, Formulas};
use super::content::{Invariant, Metadata};
use super::contracts::is_own;
use super::explore::{Claimed, Cut, Explorer, Plan, Stop, Unwinding};
use super::tuning::TUNING;
use super::{Rejected, Rules, Subject, Validation};
use crate::witness::locate::Locator;
use plumb_answer::Budget;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::{LoopKey, place_of};
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::program::{Edge, EdgeId, Function, Loc, Op, Place, Program, VarRef};
use plumb_ir::property::can_meet_a_check;
use plumb_ir::ty::Bits;
use plumb_solve::{Limits, Outcome, Solver};
use plumb_sym::{Assumed, Fault, Feasible, feasible_faults, split_faults};
use plumb_term::{Evaluator, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How it is with a program without checks. Invariants would be among them.
const NOTHING_TO_BREAK: &str = "no reachable function contains a check";

/// What one depth of induction has come to.
enum Attempt {
    Proved {
        iterations: u32,
        open_loops: usize,
        /// Supposing that no run does this.
        assumed: BTreeSet<Assumed>,
    },
    NotProved {
        /// What.
        why: String,
        /// Loops that were cut without anything being known of them: their iterations need not be ones of the program.
        open_loops: usize,
    },
    /// Some runs go on in a way that nobody knows, be they runs of the program or only what the claims leave of them.
    NotFollowed(String),
    Open(String),
}

/// Why an exploration shows nothing.
enum NotShown {
    /// Something can go wrong.
    Broken(String),
    /// Somebody does what is not followed exactly.
    NotFollowed(String),
    Open(String),
}

pub(super) fn check(
    subject: &Subject,
    metadata: &Metadata,
    invariants: &[Invariant],
    locator: &Locator<'_>,
    budget: &Budget,
) -> Validation {
    let edits = match annotate(subject.program, locator, invariants) {
        Ok(edits) => edits,
        Err(Rejected(why)) => return Validation::Rejected(why),
    };
    let program = match (subject.reload)(&edits) {
        Ok(program) => program,
        Err(why) => {
            return Validation::Rejected(format!("an invariant is not a valid expression at its location: {why}"));
        }
    };
    if !can_meet_a_check(&program) {
        return Validation::Confirmed(NOTHING_TO_BREAK.to_string());
    }
    let invariants = Invariants { list: invariants, others: &[] };
    match judge(&program, metadata, invariants, subject.rules, budget) {
        Ok(ProofResult { how, assumed }) => Validation::Confirmed(how + &assuming(&program, &assumed)),
        Err(validation) => validation,
    }
}

/// What claims that are edges of a program say, by their numbers.
#[derive(Clone, Copy)]
pub(super) struct Invariants<'a> {
    pub list: &'a [Invariant],
    /// What is wrong if claims with higher numbers do not hold.
    pub others: &'a [String],
}

/// What a program with claims among its edges shows, or what is said of them otherwise.
pub(super) fn judge(
    program: &Program,
    metadata: &Metadata,
    invariants: Invariants<'_>,
    rules: Rules,
    budget: &Budget,
) -> Result<ProofResult, Validation> {
    let proposed = |what: &str| -> Option<u32> {
        let text = metadata.configuration.as_deref()?.strip_prefix(what)?;
        text.trim().parse().ok()
    };
    let claims_nothing = invariants.list.is_empty();
    // Contracts are claims of their own, and loops of which nothing is said may be in the way of them.
    let may_be_too_long = |open_loops: usize| {
        claims_nothing && proposed("k-induction ").is_none() && (invariants.others.is_empty() || open_loops > 0)
    };
    let depths: Vec<u32> = match proposed("k-induction ") {
        Some(k) if k <= TUNING.deepest_induction => vec![k],
        Some(_) | None if claims_nothing => vec![0],
        Some(_) | None => TUNING.depths.to_vec(),
    };
    let mut bounds: Vec<u32> = TUNING.bounds.to_vec();
    bounds.extend(proposed("unwinding ").map(|iterations| iterations.min(TUNING.max_iterations)));
    bounds.sort();
    let formulas = Arc::default();
    let analyses = Analyses::new(program);
    let judge =
        Judge { analyses: &analyses, program, invariants, cuts: BTreeMap::new(), formulas, bounds, rules, budget };
    let judge = Judge { cuts: judge.claimed(), ..judge };
    let mut last = Attempt::Open("there was nothing to try".to_string());
    for k in depths {
        last = judge.attempt(k, false, Arrival::FromAny);
        match last {
            Attempt::Proved { iterations, open_loops, assumed } => {
                return Ok(ProofResult { how: judge.how(k, iterations, open_loops), assumed });
            }
            Attempt::NotProved { .. } => {}
            Attempt::NotFollowed(_) | Attempt::Open(_) => break,
        }
    }
    Err(match last {
        // A witness that claims no more than that loops end may be right about it: they are just too long here.
        Attempt::NotProved { why, open_loops } if may_be_too_long(open_loops) => {
            Validation::Unknown(format!("there is no invariant, loops iterate beyond the unwinding bound, and {why}"))
        }
        Attempt::NotProved { why, .. } => Validation::Rejected(why),
        Attempt::NotFollowed(why) | Attempt::Open(why) => Validation::Unknown(why),
        Attempt::Proved { .. } => Validation::Unknown("there was nothing to try".to_string()),
    })
}

/// What a certificate claims.
pub(super) struct CertificateClaims {
    pub k: u32,
    pub formulas: Arc<Formulas>,
    /// Loops that are followed before they are cut.
    pub thresholds: Vec<(LoopKey, Unwinding)>,
    /// Iterations of loops without claims.
    pub bound: u32,
    /// Nothing is claimed but that loops end within the bound.
    pub is_unwinding: bool,
}

/// Checks what a certificate claims.
pub(super) fn check_claims(
    analyses: &Analyses,
    claims: &CertificateClaims,
    rules: Rules,
    budget: &Budget,
) -> Validation {
    let program = analyses.program();
    if !can_meet_a_check(program) {
        return Validation::Confirmed(NOTHING_TO_BREAK.to_string());
    }
    match shown(analyses, claims, rules, budget) {
        Ok(ProofResult { how, assumed }) => Validation::Confirmed(how + &assuming(program, &assumed)),
        Err(validation) => validation,
    }
}

/// What was shown of a program.
pub(super) struct ProofResult {
    pub how: String,
    /// Supposing that no run does this.
    pub assumed: BTreeSet<Assumed>,
}

/// What the claims show of a program, be there checks in it or not; or what is said of them otherwise.
pub(super) fn shown(
    analyses: &Analyses,
    claims: &CertificateClaims,
    rules: Rules,
    budget: &Budget,
) -> Result<ProofResult, Validation> {
    let mut cuts: BTreeMap<LoopKey, Cut> = BTreeMap::new();
    for entry in &claims.formulas.entries {
        cuts.insert(entry.key, Cut { claimed: Claimed::ByFormulas, ..Cut::default() });
    }
    for (key, threshold) in &claims.thresholds {
        if let Some(cut) = cuts.get_mut(key) {
            cut.threshold = Unwinding { counted: threshold.counted.min(TUNING.max_iterations), ..*threshold };
        }
    }
    let first = claims.bound.saturating_add(2).min(TUNING.max_iterations);
    let mut bounds: Vec<u32> = vec![first];
    bounds.extend(TUNING.bounds.iter().copied().filter(|bound| *bound > first));
    let last = TUNING.bounds[TUNING.bounds.len() - 1];
    bounds.extend([first * 4].into_iter().filter(|bound| *bound > last && *bound <= TUNING.max_iterations));
    let formulas = claims.formulas.clone();
    let judge = Judge {
        analyses,
        program: analyses.program(),
        invariants: Invariants { list: &[], others: &[] },
        cuts,
        formulas,
        bounds,
        rules,
        budget,
    };
    let mut arrivals = vec![Arrival::FromAny, Arrival::FromLatest];
    if claims.formulas.entries.iter().any(|entry| !entry.exits.is_empty()) {
        arrivals.push(Arrival::ByExits);
    }
    // A claim about a loop may rest on what no feasible iteration changes, to ask for which of every number takes long, on the
    // order in which other loops came before, and on how often they iterated. Without these, states are among those of a head that no run has: what they do says
    // nothing, be it that they break something or that they cannot be followed.
    let mut attempt = judge.attempt(claims.k, false, Arrival::FromAny);
    for arrival in arrivals {
        if let (Attempt::NotProved { .. } | Attempt::NotFollowed(_), false) = (&attempt, claims.is_unwinding) {
            attempt = judge.attempt(claims.k, true, arrival);
        }
    }
    match attempt {
        Attempt::Proved { iterations, open_loops, assumed } => {
            Ok(ProofResult { how: judge.how(claims.k, iterations, open_loops), assumed })
        }
        Attempt::NotProved { why, open_loops: 1.. } if claims.is_unwinding => {
            Err(Validation::Unknown(format!("loops iterate beyond the unwinding bound, and {why}")))
        }
        Attempt::NotProved { why, .. } => Err(Validation::Rejected(why)),
        Attempt::NotFollowed(why) | Attempt::Open(why) => Err(Validation::Unknown(why)),
    }
}

struct Judge<'a> {
    analyses: &'a Analyses,
    program: &'a Program,
    invariants: Invariants<'a>,
    /// Loops with claims.
    cuts: BTreeMap<LoopKey, Cut>,
    formulas: Arc<Formulas>,
    bounds: Vec<u32>,
    rules: Rules<'a>,
    budget: &'a Budget,
}

impl Judge<'_> {
    fn how(&self, k: u32, iterations: u32, open_loops: usize) -> String {
        let depth = if k == 0 { String::new() } else { format!(" by k-induction with k = {k}") };
        let alone = match open_loops {
            0 => String::new(),
            1 => "; one loop without an invariant goes on without end".to_string(),
            n => format!("; {n} loops without invariants go on without end"),
        };
        let (loops, states) = (self.formulas.entries.len(), self.formulas.entries.iter().map(|e| e.states.len()));
        match self.invariants.list.len() {
            0 if loops > 0 => format!(
                "its abstract states at loop heads are inductive ({loops} entries, {} states), and no check is violated{depth}{alone}",
                states.sum::<usize>()
            ),
            0 => format!(
                "no run iterates a loop more than {iterations} times, not counting iterations decided by constants, and none violates a check{alone}"
            ),
            1 => format!("the invariant holds and no check is violated{depth}{alone}"),
            n => format!("the {n} invariants hold and no check is violated{depth}{alone}"),
        }
    }

    /// The loops that have claims at their heads. A claim stands in the header of its loop, or first in the body of its `do`,
    /// so that the loop is the innermost around it; from the head to the last claim there is nothing else.
    fn claimed(&self) -> BTreeMap<LoopKey, Cut> {
        let mut cuts = BTreeMap::new();
        for func in self.program.function_ids() {
            let function = self.program.function(func);
            // By head, the end of the claim that is last in the text.
            let mut ends: BTreeMap<Loc, (u32, Loc)> = BTreeMap::new();
            for edge in &function.edges {
                let Op::Check { check, .. } = edge.op else { continue };
                let Some(invariant) = self.number(check).and_then(|number| self.invariants.list.get(number)) else {
                    continue;
                };
                let span = self.program.check(check).span;
                let around = function.loops.iter().filter(|l| l.span.start <= span.start && span.end <= l.span.end);
                let Some(statement) = around.min_by_key(|l| l.span.end - l.span.start) else { continue };
                if invariant.is_loop {
                    let end = ends.entry(statement.head).or_insert((span.start, edge.to));
                    *end = (*end).max((span.start, edge.to));
                }
            }
            let has_places = self.invariants.list.iter().any(|invariant| !invariant.is_loop);
            if ends.is_empty() && !has_places {
                continue;
            }
            for (id, each) in self.analyses.shape(func).loops.loops.iter_enumerated() {
                let end = ends.get(&each.head).map(|(_, end)| *end).or_else(|| self.claims_at(function, each.head));
                if let Some(end) = end.filter(|end| only_claims(function, each.head, *end)) {
                    let cut = Cut { claimed: Claimed::ByEdges(end), ..Cut::default() };
                    cuts.insert((func, id), cut);
                }
            }
        }
        cuts
    }

    /// Where the claims about a place end that is the head of a loop, as `goto` makes them.
    fn claims_at(&self, function: &Function, head: Loc) -> Option<Loc> {
        let (mut at, mut end) = (head, None);
        loop {
            let mut edges = function.out_edges(at);
            let (Some(id), None) = (edges.next(), edges.next()) else { return end };
            let edge = function.edge(id);
            match edge.op {
                Op::Assume { branch: None, .. } if is_jump(function, id) && edge.to != head => {}
                Op::Check { check, .. } if self.number(check).is_some() => end = Some(edge.to),
                _ => return end,
            }
            at = edge.to;
        }
    }

    /// The invariant that a check edge is about.
    fn number(&self, check: CheckId) -> Option<usize> {
        let info = self.program.check(check);
        if info.kind != CheckKind::Invariant {
            return None;
        }
        info.subject.as_deref()?.parse().ok()
    }

    /// Tries to prove everything with one depth of induction.
    fn attempt(&self, k: u32, asks_of_scalars: bool, arrival: Arrival) -> Attempt {
        let mut bounds = self.bounds.iter().copied();
        let (bound, cuts) = (bounds.next().unwrap_or(1), self.cuts.clone());
        let mut plan = Plan { k, bound, cuts, formulas: self.formulas.clone(), asks_of_scalars, arrival };
        let claimed = plan.cuts.len();
        for _ in 0..TUNING.max_rounds {
            let mut explorer = Explorer::new(self.analyses, plan.clone(), self.rules.solvers);
            match explorer.explore(self.budget) {
                Ok(()) => {}
                Err(Stop::Time) => return Attempt::Open("there was not enough time".to_string()),
                Err(Stop::Memory) => return Attempt::Open("there was not enough memory".to_string()),
                Err(Stop::Failed(why)) => return Attempt::Open(why.to_string()),
            }
            plan.cuts.clone_from(&explorer.plan.cuts);
            if explorer.has_new_changes {
                continue;
            }
            let mut solver = self.solver(&mut explorer);
            match self.unfollowed(&mut explorer, &mut *solver) {
                Ok(None) => {}
                Ok(Some(loops)) => {
                    if let Some(bound) = bounds.next() {
                        plan.bound = bound;
                        continue;
                    }
                    if loops.is_empty() {
                        return Attempt::Open("recursion goes deeper than the validator follows calls".to_string());
                    }
                    plan.bound = self.bounds.first().copied().unwrap_or(1);
                    plan.cuts.extend(loops.into_iter().map(|key| (key, Cut::default())));
                    continue;
                }
                Err(why) => return Attempt::Open(why),
            }
            let looks_for_leaks = self.program.checks.iter().any(|check| check.kind == CheckKind::Leak);
            let open_loops = plan.cuts.len() - claimed;
            return match self.broken(&mut explorer, &mut *solver) {
                Ok(Ok(_)) if looks_for_leaks && !plan.cuts.is_empty() => Attempt::Open(
                    "leaks are checked where runs end, so induction proves nothing about endless runs".to_string(),
                ),
                Ok(Ok(assumed)) => Attempt::Proved { iterations: plan.bound, open_loops, assumed },
                Ok(Err(NotShown::Broken(why))) => Attempt::NotProved { why, open_loops },
                Ok(Err(NotShown::NotFollowed(why))) => Attempt::NotFollowed(why),
                Ok(Err(NotShown::Open(why))) | Err(why) => Attempt::Open(why),
            };
        }
        Attempt::Open("the variables that loop iterations change were not found".to_string())
    }

    fn solver(&self, explorer: &mut Explorer) -> Box<dyn Solver> {
        let mut solver = self.rules.solvers.solver();
        let cancel = Some(self.budget.cancel.flag());
        solver.set_limits(Limits { conflicts: None, deadline: self.budget.deadline, cancel });
        explorer.sym.feed_axioms(&mut 0, |terms, axiom| solver.assert(terms, axiom));
        solver
    }

    /// The loops, if any, that some run may go on in beyond what was followed. Without a loop it is recursion.
    fn unfollowed(
        &self,
        explorer: &mut Explorer,
        solver: &mut dyn Solver,
    ) -> Result<Option<BTreeSet<LoopKey>>, String> {
        let mut loops = BTreeSet::new();
        let mut any = false;
        let mut unfollowed = std::mem::take(&mut explorer.unfollowed);
        while !unfollowed.is_empty() {
            let some = explorer.sym.terms.or_all(unfollowed.iter().map(|(path, _)| *path));
            match solver.check(&mut explorer.sym.terms, &[some]) {
                Outcome::Unsat => break,
                Outcome::Unknown(why) => return Err(why.to_string()),
                Outcome::Sat => {
                    let Some(model) = solver.model() else { return Err("the solver has no model".to_string()) };
                    let mut evaluator = Evaluator::new(model);
                    let terms = &explorer.sym.terms;
                    let found: Vec<Option<LoopKey>> = unfollowed
                        .iter()
                        .filter(|(path, _)| evaluator.holds(terms, *path))
                        .map(|(_, key)| *key)
                        .collect();
                    if found.is_empty() {
                        return Err("the solver's model does not satisfy the formula".to_string());
                    }
                    any = true;
                    loops.extend(found.iter().flatten());
                    unfollowed.retain(|(_, key)| !found.contains(key));
                }
            }
        }
        Ok(any.then_some(loops))
    }

    /// What a proof supposes, or what can go wrong.
    fn broken(
        &self,
        explorer: &mut Explorer,
        solver: &mut dyn Solver,
    ) -> Result<Result<BTreeSet<Assumed>, NotShown>, String> {
        let log = &explorer.log;
        let obligations: Vec<(TermId, CheckId)> = log.obligations.iter().map(|o| (o.broken, o.check)).collect();
        // Undefined behaviour in a claim is the witness's, not the program's.
        let faults = log.faults.iter().filter(|fault| !self.is_in_assumption(fault));
        let (claimed, own): (Vec<Fault>, Vec<Fault>) = faults.partition(|fault| self.is_in_claim(fault));
        let (assumable, others) = split_faults(&own, self.rules.strict);
        let faults: Vec<TermId> = others.iter().chain(&claimed).map(|fault| fault.when).collect();
        let (gaps, doubts) = (log.gaps.clone(), log.doubts.clone());
        let all = obligations.iter().map(|(broken, _)| *broken);
        let violated_claims = std::mem::take(&mut explorer.violated_claims);
        let all = all.chain(violated_claims.iter().map(|(term, _)| *term));
        let all: Vec<TermId> = all.chain(faults.iter().chain(&gaps).chain(&doubts).copied()).collect();
        let any = explorer.sym.terms.or_all(all);
        match solver.check(&mut explorer.sym.terms, &[any]) {
            Outcome::Unsat => return Ok(self.assumed(explorer, solver, &assumable)),
            Outcome::Unknown(why) => return Err(why.to_string()),
            Outcome::Sat => {}
        }
        let Some(model) = solver.model() else { return Err("the solver has no model".to_string()) };
        let mut evaluator = Evaluator::new(model);
        let terms = &explorer.sym.terms;
        let mut holds = |term: &TermId| evaluator.holds(terms, *term);
        let broken: Vec<CheckId> =
            obligations.iter().filter(|(term, _)| holds(term)).map(|(_, check)| *check).collect();
        if let Some((_, key)) = violated_claims.iter().find(|(term, _)| holds(term)) {
            return Ok(Err(NotShown::Broken(self.describe_loop(*key))));
        }
        let violated_claims = broken.iter().find(|check| self.program.check(**check).kind == CheckKind::Invariant);
        Ok(Err(match violated_claims.or(broken.first()) {
            Some(check) => NotShown::Broken(self.describe(*check)),
            None if faults.iter().any(&mut holds) => {
                NotShown::Broken("a run may have undefined behaviour that no selected check covers".to_string())
            }
            None if gaps.iter().any(&mut holds) => {
                NotShown::NotFollowed("some runs use memory in a way that is not modelled".to_string())
            }
            None => NotShown::NotFollowed("some runs depend on choices that C leaves open".to_string()),
        }))
    }

    /// Whether a fault happens where a claim of the witness is evaluated.
    fn is_in_claim(&self, fault: &Fault) -> bool {
        let Some(site) = fault.site else { return false };
        let function = self.program.function(site.func);
        if is_own(function) {
            return true;
        }
        let span = function.edge(site.edge).span;
        let claims = self.program.checks.iter().filter(|check| check.kind == CheckKind::Invariant);
        claims.into_iter().any(|claim| claim.span.start <= span.start && span.end <= claim.span.end)
    }

    /// Whether a fault happens where a condition of a contract is assumed: such a run is none of the program.
    fn is_in_assumption(&self, fault: &Fault) -> bool {
        let Some(site) = fault.site else { return false };
        let function = self.program.function(site.func);
        let span = function.edge(site.edge).span;
        let assumes = |edge: &Edge| match edge.op {
            Op::Assume { cond, branch: None } => function.exprs.as_const(cond).is_none(),
            _ => false,
        };
        let holds = |edge: &Edge| edge.span.start <= span.start && span.end <= edge.span.end;
        is_own(function) && function.edges.iter().any(|edge| assumes(edge) && holds(edge))
    }

    /// What is assumed of the faults of a proof. If that leaves no run at all, it is no proof.
    fn assumed(
        &self,
        explorer: &mut Explorer,
        solver: &mut dyn Solver,
        faults: &[Fault],
    ) -> Result<BTreeSet<Assumed>, NotShown> {
        let assumed = feasible_faults(faults, |terms| {
            let any = explorer.sym.terms.or_all(terms.iter().copied());
            match solver.check(&mut explorer.sym.terms, &[any]) {
                Outcome::Unsat => Feasible::None,
                Outcome::Unknown(_) => Feasible::Unknown,
                Outcome::Sat => {
                    let Some(model) = solver.model() else { return Feasible::Unknown };
                    let mut evaluator = Evaluator::new(model);
                    Feasible::Model(terms.iter().map(|term| evaluator.holds(&explorer.sym.terms, *term)).collect())
                }
            }
        });
        if !assumed.is_empty() {
            let any = explorer.sym.terms.or_all(faults.iter().map(|fault| fault.when));
            let none = explorer.sym.terms.not(any);
            if solver.check(&mut explorer.sym.terms, &[none]) == Outcome::Unsat {
                return Err(NotShown::Open(
                    "every run has undefined behaviour that no selected check covers".to_string(),
                ));
            }
        }
        Ok(assumed)
    }

    fn describe_loop(&self, (func, id): LoopKey) -> String {
        let function = self.program.function(func);
        let place = place_of(self.program, function, self.analyses.shape(func).head(id));
        let place = place.map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
        format!("its claim about the loop of `{}`{place} is not inductive", function.name)
    }

    fn describe(&self, check: CheckId) -> String {
        let info = self.program.check(check);
        if let Some(invariant) = self.number(check).and_then(|number| self.invariants.list.get(number)) {
            let Invariant { value, place, .. } = invariant;
            return format!("the invariant `{value}` at {} is not inductive", show(place));
        }
        let other = self.number(check).and_then(|number| number.checked_sub(self.invariants.list.len()));
        if let Some(other) = other.and_then(|number| self.invariants.others.get(number)) {
            return other.clone();
        }
        let place =
            self.program.sources.place(info.span).map_or(String::new(), |p| format!(" at {}:{}", p.file, p.line));
        match info.kind {
            CheckKind::Unsupported => {
                format!("a run may reach an operation that Plumb does not model: {}{place}", info.message)
            }
            _ => format!("the invariants do not exclude a violation: {}{place}", info.message),
        }
    }
}

/// What was assumed, as the end of a sentence.
pub(super) fn assuming(program: &Program, assumed: &BTreeSet<Assumed>) -> String {
    supposing(assumed_texts(program, assumed))
}

/// What no run is supposed to do.
pub(super) fn assumed_texts(program: &Program, assumed: &BTreeSet<Assumed>) -> Vec<String> {
    let one = |assumed: &Assumed| {
        let span = assumed.site.map(|site| program.function(site.func).edge(site.edge).span);
        let place = span.and_then(|span| program.sources.place(span));
        let place = place.map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line));
        format!("{}{place}", assumed.kind.description())
    };
    assumed.iter().map(one).collect()
}

pub(super) fn supposing(list: Vec<String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for one in list {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    let mut list = distinct;
    let more = list.len().saturating_sub(TUNING.max_assumptions_shown);
    list.truncate(TUNING.max_assumptions_shown);
    match list.is_empty() {
        true => String::new(),
        false if more > 0 => {
            format!("; assumed: no run {}, nor does one of {more} more such things", list.join(", or "))
        }
        false => format!("; assumed: no run {}", list.join(", or ")),
    }
}

fn is_jump(function: &Function, id: EdgeId) -> bool {
    matches!(function.edge(id).op, Op::Assume { cond, branch: None } if function.exprs.as_const(cond) == Some(Bits::ONE))
}

/// Whether there is nothing but the evaluation of conditions between two locations.
fn only_claims(function: &Function, from: Loc, end: Loc) -> bool {
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(loc) = open.pop() {
        for id in function.out_edges(loc) {
            let edge = function.edge(id);
            let is_plain = match &edge.op {
                Op::Assign { to: Place::Var(VarRef::Local(var)), .. } => function.var(*var).is_made(),
                Op::Assume { branch: Some(_), .. } | Op::Check { .. } => true,
                Op::Assume { branch: None, .. } => is_jump(function, id),
                Op::Assign { .. } | Op::Havoc { .. } | Op::Call { .. } | Op::Return(_) => false,
            };
            if !is_plain {
                return false;
            }
            if edge.to != end && seen.insert(edge.to) {
                open.push(edge.to);
            }
        }
    }
    true
}
