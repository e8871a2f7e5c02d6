//! Law: at a fixed precision, the engine finds an abstract counterexample exactly if there is a p-simple error path, by
//! enumeration of all such paths over all assignments.
//!
//! Programs are random, with three variables of which two bits count, loops that inputs decide, and an error. The enumeration knows nothing
//! of terms or solvers: it takes sets of assignments along control-flow paths, and at an abstraction point every assignment
//! that the definition allows. That it comes to an end shows that p-simple paths are finitely many.

use super::super::abstraction::Abstraction;
use super::super::explore::{Explorer, Stop};
use super::super::{Order, SymexOptions, Tuning, symex};
use crate::answer::{Answer, StatePart};
use crate::board::Board;
use crate::budget::{Budget, Cancel};
use crate::facts::{Fact, Quantity, Sum};
use crate::test_program::{PRELUDE_LINES, program};
use plumb_exec::Rng;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::{LoopId, LoopKey, Loops, place_of};
use plumb_ir::analysis::target_distance::Metric;
use plumb_ir::program::{FuncId, LocalVar, VarRef};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::{Duration, Instant};

const VARS: usize = 3;
/// Values of a variable.
const VALUES: u8 = 4;
const NAMES: [&str; VARS] = ["a", "b", "c"];

type Assignment = [u8; VARS];

#[derive(Clone, Copy, Debug)]
enum Term {
    Const(u8),
    Var(usize),
    Sum(usize, u8),
    Both(usize, usize),
}

#[derive(Clone, Copy, Debug)]
enum Cond {
    Is(usize, u8),
    Below(usize, u8),
    Same(usize, usize),
    Less(usize, usize),
}

#[derive(Clone, Debug)]
enum Stmt {
    Assign(usize, Term),
    Input(usize),
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// Iterates as often as inputs want.
    While(Vec<Stmt>),
    ErrorIf(Cond),
}

impl Term {
    fn value(self, of: &Assignment) -> u8 {
        match self {
            Term::Const(value) => value,
            Term::Var(x) => of[x],
            Term::Sum(x, k) => (of[x] + k) % VALUES,
            Term::Both(x, y) => (of[x] + of[y]) % VALUES,
        }
    }

    fn text(self) -> String {
        match self {
            Term::Const(value) => value.to_string(),
            Term::Var(x) => NAMES[x].to_string(),
            Term::Sum(x, k) => format!("{} + {k}", NAMES[x]),
            Term::Both(x, y) => format!("{} + {}", NAMES[x], NAMES[y]),
        }
    }
}

impl Cond {
    fn holds(self, of: &Assignment) -> bool {
        match self {
            Cond::Is(x, k) => of[x] == k,
            Cond::Below(x, k) => of[x] < k,
            Cond::Same(x, y) => of[x] == of[y],
            Cond::Less(x, y) => of[x] < of[y],
        }
    }

    fn text(self) -> String {
        match self {
            Cond::Is(x, k) => format!("({} & 3) == {k}", NAMES[x]),
            Cond::Below(x, k) => format!("({} & 3) < {k}", NAMES[x]),
            Cond::Same(x, y) => format!("({} & 3) == ({} & 3)", NAMES[x], NAMES[y]),
            Cond::Less(x, y) => format!("({} & 3) < ({} & 3)", NAMES[x], NAMES[y]),
        }
    }

    fn random(rng: &mut Rng) -> Cond {
        let (x, y) = (rng.below(VARS as u64) as usize, rng.below(VARS as u64) as usize);
        let k = rng.below(VALUES as u64) as u8;
        match rng.below(4) {
            0 => Cond::Is(x, k),
            1 => Cond::Below(x, k),
            2 if x != y => Cond::Same(x, y),
            3 if x != y => Cond::Less(x, y),
            _ => Cond::Is(x, k),
        }
    }

    /// The condition as a predicate over the lowest two bits of registers.
    fn known(self, of: &[Quantity; VARS]) -> Fact {
        let is = |x: usize, k: u8| Fact::Congruent(Sum::of(of[x]), VALUES as u64, k as u64);
        match self {
            Cond::Is(x, k) => is(x, k),
            Cond::Below(x, k) => Fact::Any((0..k).map(|value| is(x, value)).collect()),
            Cond::Same(x, y) => {
                let difference = Sum::new(vec![(1, of[x]), (-1, of[y])]).expect("one width");
                Fact::Congruent(difference, VALUES as u64, 0)
            }
            Cond::Less(x, y) => {
                let pairs = (0..VALUES).flat_map(|v| (0..v).map(move |u| (u, v)));
                let both = |(u, v): (u8, u8)| Fact::Any(vec![is(x, u).negated(), is(y, v).negated()]).negated();
                Fact::Any(pairs.map(both).collect())
            }
        }
    }
}

fn block(rng: &mut Rng, depth: u32, loops: &mut u32) -> Vec<Stmt> {
    let count = 1 + rng.below(3);
    (0..count).map(|_| statement(rng, depth, loops)).collect()
}

fn statement(rng: &mut Rng, depth: u32, loops: &mut u32) -> Stmt {
    let (x, y) = (rng.below(VARS as u64) as usize, rng.below(VARS as u64) as usize);
    match rng.below(9) {
        0 => Stmt::Input(x),
        1 | 2 if depth > 0 => Stmt::If(Cond::random(rng), block(rng, depth - 1, loops), Vec::new()),
        3 | 4 if depth > 0 && *loops > 0 => {
            *loops -= 1;
            Stmt::While(block(rng, depth - 1, loops))
        }
        5 => Stmt::Assign(x, Term::Const(rng.below(VALUES as u64) as u8)),
        6 => Stmt::Assign(x, Term::Var(y)),
        7 => Stmt::Assign(x, Term::Both(x, y)),
        _ => Stmt::Assign(x, Term::Sum(x, 1 + rng.below(3) as u8)),
    }
}

/// What a location does: edges with their targets.
#[derive(Clone, Debug)]
enum Node {
    Assign(usize, Term, usize),
    Input(usize, usize),
    Branch(Cond, usize, usize),
    /// The head of a loop: into the body, or on.
    Head {
        id: usize,
        body: usize,
        exit: usize,
    },
    Error,
    End,
}

#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    /// By loop: its variables, the locations of its body, and its line in the source.
    loops: Vec<(Vec<bool>, BTreeSet<usize>, u32)>,
}

impl Graph {
    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The first location of statements that lead to another; writes C on the way.
    fn block(&mut self, list: &[Stmt], next: usize) -> usize {
        list.iter().rev().fold(next, |next, one| self.statement(one, next))
    }

    fn statement(&mut self, one: &Stmt, next: usize) -> usize {
        match one {
            Stmt::Assign(x, term) => self.add(Node::Assign(*x, *term, next)),
            Stmt::Input(x) => self.add(Node::Input(*x, next)),
            Stmt::If(cond, yes, no) => {
                let (yes, no) = (self.block(yes, next), self.block(no, next));
                self.add(Node::Branch(*cond, yes, no))
            }
            Stmt::ErrorIf(cond) => {
                let error = self.add(Node::Error);
                self.add(Node::Branch(*cond, error, next))
            }
            Stmt::While(body) => {
                let id = self.loops.len();
                self.loops.push((vec![false; VARS], BTreeSet::new(), 0));
                let head = self.add(Node::End);
                let first = self.block(body, head);
                self.nodes[head] = Node::Head { id, body: first, exit: next };
                self.loops[id].1 = (head..self.nodes.len()).collect();
                for at in head..self.nodes.len() {
                    if let Node::Assign(x, _, _) | Node::Input(x, _) = self.nodes[at] {
                        self.loops[id].0[x] = true;
                    }
                }
                head
            }
        }
    }
}

/// The program as C. Loops come in the order in which [`Graph`] numbers them if they are written from the end.
fn source(list: &[Stmt], lines: &mut Vec<u32>) -> String {
    let mut text = String::from(
        "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\nint main(void)\n{\n",
    );
    for name in NAMES {
        let _ = writeln!(text, "unsigned char {name} = 0;");
    }
    let mut loops = Vec::new();
    write(list, &mut text, &mut loops);
    text += "return 0;\n}\n";
    *lines = loops;
    text
}

fn write(list: &[Stmt], text: &mut String, loops: &mut Vec<u32>) {
    for one in list {
        match one {
            Stmt::Assign(x, term) => {
                let _ = writeln!(text, "{} = {};", NAMES[*x], term.text());
            }
            Stmt::Input(x) => {
                let _ = writeln!(text, "{} = __VERIFIER_nondet_uchar();", NAMES[*x]);
            }
            Stmt::If(cond, yes, no) => {
                let _ = writeln!(text, "if ({}) {{", cond.text());
                write(yes, text, loops);
                *text += "} else {\n";
                write(no, text, loops);
                *text += "}\n";
            }
            Stmt::ErrorIf(cond) => {
                let _ = writeln!(text, "if ({}) reach_error();", cond.text());
            }
            Stmt::While(body) => {
                loops.push(text.lines().count() as u32 + 1);
                *text += "while (__VERIFIER_nondet_uchar() & 1) {\n";
                write(body, text, loops);
                *text += "}\n";
            }
        }
    }
}

/// The order in which [`Graph`] meets loops: the last statement first, an outer loop before those inside.
fn loop_order(list: &[Stmt], number: &mut usize, found: &mut Vec<usize>) {
    // Numbers by the order of the text, listed in the order of the graph.
    fn count(list: &[Stmt]) -> usize {
        let inside = |one: &Stmt| match one {
            Stmt::If(_, yes, no) => count(yes) + count(no),
            Stmt::While(body) => 1 + count(body),
            _ => 0,
        };
        list.iter().map(inside).sum()
    }
    let start = *number;
    let mut firsts = Vec::new();
    let mut at = start;
    for one in list {
        firsts.push(at);
        at += count(std::slice::from_ref(one));
    }
    for (one, first) in list.iter().zip(firsts).rev() {
        let mut own = first;
        match one {
            Stmt::If(_, yes, no) => {
                loop_order(yes, &mut own, found);
                let mut rest = first + count(yes);
                loop_order(no, &mut rest, found);
            }
            Stmt::While(body) => {
                found.push(own);
                own += 1;
                loop_order(body, &mut own, found);
            }
            _ => {}
        }
    }
    *number = at;
}

/// A loop that a path is in.
#[derive(Clone)]
struct Active {
    id: usize,
    visits: u32,
    /// Since it was abstracted: assignments with which that happened, and the valuations that the path has had.
    entry: Option<(BTreeSet<Assignment>, Vec<Vec<bool>>)>,
}

struct Brute<'a> {
    graph: &'a Graph,
    threshold: u32,
    predicates: &'a [Vec<Cond>],
    paths: u64,
}

/// Paths after which a program is taken to be too large for the test.
const MOST_PATHS: u64 = 60_000;

impl Brute<'_> {
    fn valuation(&self, id: usize, of: &Assignment) -> Vec<bool> {
        self.predicates[id].iter().map(|p| p.holds(of)).collect()
    }

    /// Whether a p-simple path leads to the error, from assignments at a location.
    fn finds(&mut self, at: usize, set: BTreeSet<Assignment>, mut active: Vec<Active>) -> Option<bool> {
        self.paths += 1;
        if self.paths > MOST_PATHS {
            return None;
        }
        if set.is_empty() {
            return Some(false);
        }
        active.retain(|one| self.graph.loops[one.id].1.contains(&at));
        match self.graph.nodes[at].clone() {
            Node::Error => Some(true),
            Node::End => Some(false),
            Node::Assign(x, term, next) => {
                let after = set.iter().map(|of| {
                    let mut of = *of;
                    of[x] = term.value(&of);
                    of
                });
                self.finds(next, after.collect(), active)
            }
            Node::Input(x, next) => {
                let after = set.iter().flat_map(|of| (0..VALUES).map(move |v| (*of, v))).map(|(mut of, v)| {
                    of[x] = v;
                    of
                });
                self.finds(next, after.collect(), active)
            }
            Node::Branch(cond, yes, no) => {
                let (there, here): (BTreeSet<_>, BTreeSet<_>) = set.into_iter().partition(|of| cond.holds(of));
                Some(self.finds(yes, there, active.clone())? || self.finds(no, here, active)?)
            }
            Node::Head { id, body, exit } => {
                match active.iter_mut().find(|one| one.id == id) {
                    Some(one) => one.visits += 1,
                    None => active.push(Active { id, visits: 0, entry: None }),
                }
                let place = active.iter().position(|one| one.id == id)?;
                if active[place].entry.is_none() && active[place].visits < self.threshold {
                    return Some(self.finds(body, set.clone(), active.clone())? || self.finds(exit, set, active)?);
                }
                let changed = &self.graph.loops[id].0;
                let (context, had) = active[place].entry.clone().unwrap_or_else(|| (set.clone(), Vec::new()));
                let mut valuations: Vec<Vec<bool>> = set.iter().map(|of| self.valuation(id, of)).collect();
                valuations.sort();
                valuations.dedup();
                for valuation in valuations {
                    // Not p-simple.
                    if had.contains(&valuation) {
                        continue;
                    }
                    let fresh = all().filter(|of| {
                        let agrees = |with: &Assignment| (0..VARS).all(|x| changed[x] || of[x] == with[x]);
                        self.valuation(id, of) == valuation && context.iter().any(agrees)
                    });
                    let fresh: BTreeSet<Assignment> = fresh.collect();
                    let mut inside = active.clone();
                    let mut had = had.clone();
                    had.push(valuation);
                    inside[place].entry = Some((context.clone(), had));
                    if self.finds(body, fresh.clone(), inside.clone())? || self.finds(exit, fresh, inside)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
        }
    }
}

fn all() -> impl Iterator<Item = Assignment> {
    let values = || 0..VALUES;
    values().flat_map(move |a| values().flat_map(move |b| values().map(move |c| [a, b, c])))
}

/// What one exploration at a fixed precision finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AtPrecision {
    /// No abstract path meets a target.
    Safe,
    /// One does; it may be spurious.
    Counterexample,
    Unknown,
}

/// Explores once, without refinement: every loop with the same threshold, and with the predicates that are given for it.
fn at_precision(
    analyses: &Analyses,
    predicates: &[(LoopKey, Fact)],
    options: &SymexOptions,
    budget: &Budget,
) -> AtPrecision {
    let order = (options.order.unwrap_or_default(), options.seed);
    let mut explorer = Explorer::new(analyses, order, true, &options.tuning, budget, &());
    let board = Board::closed();
    let mut abstraction = Abstraction::new(analyses, &board, options.threshold.unwrap_or(0), &options.tuning);
    for (key, fact) in predicates {
        let template = abstraction.vocabulary.template_state(&mut explorer.sym, key.0);
        let term = fact.term(&mut explorer.sym, &template).expect("states have the parts of the predicates");
        abstraction.precision.add(*key, term, &mut explorer.sym);
    }
    match explorer.abstracting(abstraction, None).explore() {
        Ok(()) => AtPrecision::Safe,
        Err(Stop::Spurious | Stop::Violated(_)) => AtPrecision::Counterexample,
        Err(Stop::Unknown(_) | Stop::Paused) => AtPrecision::Unknown,
    }
}

/// Paths are merged where there are more than so many.
fn merging_above(paths: usize) -> Tuning {
    let mut tuning = Tuning::DEFAULT;
    tuning.exploration.merge_above = paths;
    tuning
}

/// Whether a run gets to the error.
fn is_broken(graph: &Graph, first: usize) -> bool {
    let mut seen: BTreeSet<(usize, Assignment)> = BTreeSet::new();
    let mut open = vec![(first, [0; VARS])];
    while let Some((at, of)) = open.pop() {
        if !seen.insert((at, of)) {
            continue;
        }
        match graph.nodes[at] {
            Node::Error => return true,
            Node::End => {}
            Node::Assign(x, term, next) => {
                let mut after = of;
                after[x] = term.value(&of);
                open.push((next, after));
            }
            Node::Input(x, next) => open.extend((0..VALUES).map(|value| {
                let mut after = of;
                after[x] = value;
                (next, after)
            })),
            Node::Branch(cond, yes, no) => open.push((if cond.holds(&of) { yes } else { no }, of)),
            Node::Head { body, exit, .. } => open.extend([(body, of), (exit, of)]),
        }
    }
    false
}

/// A random program, its graph with the first location, its conditions for the error, and its text.
struct Sample {
    graph: Graph,
    first: usize,
    conditions: [Cond; 2],
    text: String,
}

fn sample(rng: &mut Rng) -> Sample {
    let mut budget = 2;
    let mut list = block(rng, 3, &mut budget);
    list.push(Stmt::While(block(rng, 1, &mut budget)));
    // Most programs would be broken by one condition.
    let (one, other) = (Cond::random(rng), Cond::random(rng));
    list.push(Stmt::If(one, vec![Stmt::ErrorIf(other)], Vec::new()));
    let mut graph = Graph::default();
    let end = graph.add(Node::End);
    let first = graph.block(&list, end);
    let mut lines = Vec::new();
    let text = source(&list, &mut lines);
    let mut order = Vec::new();
    loop_order(&list, &mut 0, &mut order);
    for (id, by_text) in order.iter().enumerate() {
        graph.loops[id].2 = lines[*by_text];
    }
    Sample { graph, first, conditions: [one, other], text }
}

/// A random program, and whether a run of it gets to the error.
pub fn random_program(seed: u64) -> (String, bool) {
    let Sample { graph, first, text, .. } = sample(&mut Rng(seed));
    let is_broken = is_broken(&graph, first);
    (text, is_broken)
}

fn limits(seconds: u64) -> Budget {
    let deadline = Some(Instant::now() + Duration::from_secs(seconds));
    Budget { deadline, memory: u64::MAX, threads: 1, cancel: Cancel::new() }
}

/// `None` where the program is too large to enumerate.
fn compare(seed: u64) -> Option<bool> {
    let mut rng = Rng(seed);
    let Sample { graph, first, conditions: [one, other], text } = sample(&mut rng);
    let threshold = rng.below(3) as u32;
    let predicate = |rng: &mut Rng| match rng.below(3) {
        0 => one,
        1 => other,
        _ => Cond::random(rng),
    };
    let some = |rng: &mut Rng| (0..rng.below(4)).map(|_| predicate(rng)).collect();
    let predicates: Vec<Vec<Cond>> = graph.loops.iter().map(|_| some(&mut rng)).collect();
    let mut brute = Brute { graph: &graph, threshold, predicates: &predicates, paths: 0 };
    let expected = brute.finds(first, BTreeSet::from([[0; VARS]]), Vec::new())?;

    let program = program(&text);
    let main = program.function_ids().find(|f| &*program.function(*f).name == "main").expect("there is a main");
    let function = program.function(main);
    let mut known = Vec::new();
    for (i, one) in Loops::of(function).loops.iter().enumerate() {
        let line = place_of(&program, function, one.head).expect("loops have places").line;
        let id =
            graph.loops.iter().position(|(_, _, at)| *at + PRELUDE_LINES == line).expect("the loop is the graph's");
        let key: (FuncId, LoopId) = (main, LoopId(i as u32));
        let quantities = NAMES.map(|name| {
            let var = function.vars.iter().position(|var| &*var.name == name).expect("variables are registers");
            Quantity { part: StatePart::Register(VarRef::Local(LocalVar(var as u32))), width: 8 }
        });
        known.extend(predicates[id].iter().map(|p| (key, p.known(&quantities))));
    }
    let expected_answer = if expected { AtPrecision::Counterexample } else { AtPrecision::Safe };
    // Path by path, and with paths that become one wherever they meet. Of visits before the abstraction those have the most that
    // one of them had: it may begin earlier for the others.
    for order in [Order::Depth, Order::Nested] {
        let (threshold, order) = (Some(threshold), Some(order));
        let options = SymexOptions { threshold, order, tuning: merging_above(1), ..Default::default() };
        let found = at_precision(&Analyses::new(&program), &known, &options, &limits(60));
        let is_coarser = order == Some(Order::Nested) && threshold > Some(0) && found == AtPrecision::Counterexample;
        assert!(
            found == expected_answer || is_coarser,
            "{found:?} for {expected_answer:?}: seed {seed}, {options:?}, predicates {predicates:?}\n{text}"
        );
    }
    Some(expected)
}

fn count() -> u64 {
    std::env::var("PLUMB_SIMPLE_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(40)
}

/// Whatever the threshold and the order, answers are right.
#[test]
fn answers_are_the_truth() {
    let (mut holds, mut violated, mut open) = (0, 0, 0);
    for seed in 1..=count() {
        let mut rng = Rng(seed ^ 0xabcd);
        let Sample { graph, first, text, .. } = sample(&mut rng);
        let is_broken = is_broken(&graph, first);
        let program = program(&text);
        let mut orders =
            vec![Order::Depth, Order::Breadth, Order::Coverage, Order::Random, Order::Nested, Order::Nested];
        orders.extend([Metric::St, Metric::Lf].map(Order::Tour));
        for threshold in [None, Some(0), Some(1), Some(3)] {
            let order = orders[rng.below(orders.len() as u64) as usize];
            // Without abstraction loops do not end.
            if threshold.is_none() && !is_broken {
                continue;
            }
            let (tuning, order) = (merging_above(1 + 3 * rng.below(3) as usize), Some(order));
            let options = SymexOptions { threshold, order, seed, also_plain: false, strict: true, tuning };
            match symex(&Analyses::new(&program), &options, &limits(2), &Board::default(), &()) {
                Answer::Holds(..) => {
                    assert!(!is_broken, "a wrong proof: seed {seed}, {options:?}\n{text}");
                    holds += 1;
                }
                Answer::Violated(_) => {
                    assert!(is_broken, "a wrong violation: seed {seed}, {options:?}\n{text}");
                    violated += 1;
                }
                Answer::Unknown(_) => open += 1,
            }
        }
    }
    println!("{holds} hold, {violated} violated, {open} open");
    assert!(open * 5 < holds + violated, "{holds} hold, {violated} violated, {open} open");
}

#[test]
fn counterexamples_are_there_exactly_with_simple_paths() {
    let count = count();
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 1..=count {
        match compare(seed) {
            Some(true) => unsafe_ += 1,
            Some(false) => safe += 1,
            None => {}
        }
    }
    println!("{safe} safe, {unsafe_} with a counterexample, {} too large", count - safe - unsafe_);
    assert!(safe * 10 > count && unsafe_ * 10 > count, "{safe} safe, {unsafe_} with a counterexample");
}
