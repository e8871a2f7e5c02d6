//! The exchange with other engines over the board.
//!
//! **Read.** Invariants that others have proved strengthen the abstract entries of their loops: the entry's state assumes them,
//! and every path that comes to the head has to establish them again. One that a path breaks is dropped for the loop, and
//! the entry is built again. So the proof does not rest on the other engine: each invariant is inductive in the reached
//! set, where it is a predicate that holds in all abstract states, and whoever validates the certificate checks it too. The
//! proof names the engines that they come from. Predicates of others are candidates for refinement.
//!
//! **Posted.** Predicates that refinement has found, as candidates. As proved: invariants of loops that no path can come to any
//! more.

use super::vocabulary::Vocabulary;
use crate::answer::StatePart;
use crate::board::{Board, Cursor, LoopFact};
use crate::facts::Fact;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::Sym;
use plumb_term::TermId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

pub struct Exchange<'a> {
    /// Whose it is.
    engine: &'static str,
    board: &'a Board,
    invariants_read: Cursor,
    predicates_read: Cursor,
    max_invariants: usize,
    invariants: FxHashMap<LoopKey, Vec<SharedInvariant>>,
    predicates: FxHashMap<LoopKey, Vec<Arc<Fact>>>,
    /// Refinements at which invariants of finished loops are posted next.
    next_post: u32,
}

struct SharedInvariant {
    by: &'static str,
    fact: Arc<Fact>,
    /// The fact as a predicate; `None` if states at the head have no such parts.
    predicate: Option<TermId>,
    is_dropped: bool,
}

impl<'a> Exchange<'a> {
    /// Of each loop only so many invariants are used: every visit of its head has to establish them.
    pub fn new(engine: &'static str, board: &'a Board, max_invariants: usize) -> Exchange<'a> {
        Exchange {
            engine,
            board,
            invariants_read: Cursor::default(),
            predicates_read: Cursor::default(),
            max_invariants,
            invariants: FxHashMap::default(),
            predicates: FxHashMap::default(),
            next_post: 1,
        }
    }

    /// Reads what others have posted since the last time.
    pub fn read(&mut self, sym: &mut Sym, vocabulary: &mut Vocabulary) {
        for post in self.board.invariants.read(self.engine, &mut self.invariants_read) {
            let LoopFact { key, fact } = post.what;
            let template = vocabulary.template_state(sym, key.0);
            let predicate = fact.term(sym, &template).filter(|term| sym.terms.as_bool(*term).is_none());
            let shared = SharedInvariant { by: post.by, fact, predicate, is_dropped: false };
            self.invariants.entry(key).or_default().push(shared);
        }
        for post in self.board.predicates.read(self.engine, &mut self.predicates_read) {
            self.predicates.entry(post.what.key).or_default().push(post.what.fact);
        }
    }

    /// The invariants of a loop that its entries may assume, as predicates.
    pub fn invariants(&self, key: LoopKey) -> Vec<TermId> {
        let shared = self.invariants.get(&key).into_iter().flatten();
        // A fact with a product or a remainder makes every query hard.
        let usable = shared.filter(|one| !one.is_dropped && !one.fact.is_hard());
        usable.filter_map(|one| one.predicate).take(self.max_invariants).collect()
    }

    /// A path breaks an invariant of a loop: entries do not assume it any more.
    pub fn drop_invariant(&mut self, key: LoopKey, predicate: TermId) {
        let shared = self.invariants.get_mut(&key).into_iter().flatten();
        shared.filter(|one| one.predicate == Some(predicate)).for_each(|one| one.is_dropped = true);
    }

    /// Facts of others about a loop that may be predicates of it.
    pub fn facts(&self, key: LoopKey) -> impl Iterator<Item = &Fact> {
        let invariants = self.invariants.get(&key).into_iter().flatten().map(|one| &*one.fact);
        invariants.chain(self.predicates.get(&key).into_iter().flatten().map(|fact| &**fact))
    }

    /// The engines that invariants of a loop come from.
    pub fn authors(&self, key: LoopKey, invariants: &[TermId]) -> BTreeSet<&'static str> {
        let shared = self.invariants.get(&key).into_iter().flatten();
        shared.filter(|one| one.predicate.is_some_and(|term| invariants.contains(&term))).map(|one| one.by).collect()
    }

    /// Whether invariants of finished loops are worth looking for: each time that refinements have doubled.
    pub fn is_time_to_post(&mut self, refinements: u32) -> bool {
        let is_time = refinements >= self.next_post;
        if is_time {
            self.next_post = 2 * refinements;
        }
        is_time
    }

    /// Posts predicates as candidates.
    pub fn post_predicates(&self, sym: &mut Sym, vocabulary: &mut Vocabulary, predicates: &[(LoopKey, TermId)]) {
        self.board.predicates.post(self.engine, loop_facts(sym, vocabulary, predicates));
    }

    /// Posts predicates that hold in all states at their loop heads, as proved.
    pub fn post_proved(&self, sym: &mut Sym, vocabulary: &mut Vocabulary, invariants: &[(LoopKey, TermId)]) {
        self.board.invariants.post(self.engine, loop_facts(sym, vocabulary, invariants));
    }
}

/// Predicates as facts, as far as the language of facts goes.
fn loop_facts(sym: &mut Sym, vocabulary: &mut Vocabulary, predicates: &[(LoopKey, TermId)]) -> Vec<LoopFact> {
    let mut facts = Vec::new();
    for (key, predicate) in predicates {
        let Some(parts) = vocabulary.parts(sym, key.0, *predicate) else { continue };
        if let Some(fact) = Fact::about_parts(&sym.terms, *predicate, &|symbol| part_of(&parts, symbol)) {
            facts.push(LoopFact { key: *key, fact: Arc::new(fact) });
        }
    }
    facts
}

fn part_of(parts: &[(TermId, StatePart)], symbol: TermId) -> Option<StatePart> {
    let part = parts.iter().find(|(known, _)| *known == symbol).map(|(_, part)| *part);
    // What lies behind a pointer is no quantity that every state has.
    part.filter(|part| !matches!(part, StatePart::Behind { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{AbstractTree, Answer, Proof};
    use crate::facts::{Quantity, Sum, View};
    use crate::symex::{SYMEXIA, SymexOptions, symex};
    use crate::test_program::{budget, program};
    use plumb_ir::analysis::Analyses;
    use plumb_ir::analysis::loops::LoopId;
    use plumb_ir::program::{FuncId, LocalVar, Program, VarRef};

    const COUNTER: &str = "int main(void) { int x = 0, y = 0; while (input()) { if (x < 9) { x++; y += 2; } } \
                           if (y != 2 * x) reach_error(); return 0; }";

    fn main_loop(program: &Program) -> LoopKey {
        let at = program.functions.iter().position(|function| &*function.name == "main").unwrap();
        (FuncId(at as u32), LoopId(0))
    }

    fn quantity(program: &Program, name: &str) -> Sum {
        let main = program.function(main_loop(program).0);
        let at = main.vars.iter().position(|var| &*var.name == name).unwrap();
        Sum::of(Quantity { part: StatePart::Register(VarRef::Local(LocalVar(at as u32))), width: 32 })
    }

    fn prove(program: &Program, board: &Board) -> AbstractTree {
        let options = SymexOptions { threshold: Some(0), also_plain: false, ..SymexOptions::default() };
        match symex(&Analyses::new(program), &options, &budget(), board, &()) {
            Answer::Holds(Proof::Abstraction { tree, .. }, _) => tree,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn invariants_of_others_are_assumed_where_every_path_keeps_them() {
        let program = program(COUNTER);
        let key = main_loop(&program);
        let board = Board::default();
        let kept = Fact::AtMost(quantity(&program, "x"), 9, View::Signed);
        let broken = Fact::AtMost(quantity(&program, "x"), 4, View::Signed);
        let facts = [kept, broken].map(|fact| LoopFact { key, fact: Arc::new(fact) });
        board.invariants.post("other", facts);
        let tree = prove(&program, &board);
        assert_eq!(tree.strengthened_by, BTreeSet::from(["other"]));
        // What is assumed is in the certificate, and nothing that a path breaks.
        let entry = &tree.reached.entries[0];
        let always = |at: &usize| entry.states.iter().all(|state| state[*at]);
        let always: Vec<TermId> = (0..entry.predicates.len()).filter(always).map(|at| entry.predicates[at]).collect();
        let part = |symbol| part_of(&tree.reached.symbols, symbol);
        let about = |term: TermId| Fact::about_parts(&tree.reached.terms, term, &part);
        let has = |fact: &Fact| always.iter().any(|term| about(*term).as_ref() == Some(fact));
        let negation = |number| Fact::AtLeast(quantity(&program, "x"), number, View::Signed).negated();
        assert!(has(&negation(10)), "x <= 9 is assumed");
        assert!(!has(&negation(5)), "x <= 4 is not");
    }

    /// Nobody has to be trusted: what excludes every state would leave no path to break it.
    #[test]
    fn invariants_that_exclude_the_states_that_come_are_dropped() {
        let text = COUNTER.replace("y != 2 * x", "y == 18");
        let program = program(&text);
        let key = main_loop(&program);
        let even = Fact::Congruent(quantity(&program, "x"), 2, 0);
        for facts in [vec![even.clone(), even.negated()], vec![Fact::AtLeast(quantity(&program, "x"), 1, View::Signed)]]
        {
            let board = Board::default();
            board.invariants.post("other", facts.into_iter().map(|fact| LoopFact { key, fact: Arc::new(fact) }));
            let options = SymexOptions { threshold: Some(0), also_plain: false, ..SymexOptions::default() };
            let answer = symex(&Analyses::new(&program), &options, &budget(), &board, &());
            assert!(matches!(answer, Answer::Violated(_)), "{answer:?}");
        }
    }

    #[test]
    fn predicates_are_posted() {
        let program = program(COUNTER);
        let board = Board::default();
        let tree = prove(&program, &board);
        assert!(tree.strengthened_by.is_empty());
        let predicates = board.predicates.read("other", &mut Cursor::default());
        let key = main_loop(&program);
        assert!(!predicates.is_empty());
        assert!(predicates.iter().all(|post| post.by == SYMEXIA && post.what.key == key));
    }

    /// The first loop is finished when the second one is refined.
    #[test]
    fn invariants_of_a_finished_loop_are_posted_before_the_end() {
        let text = "int main(void) { int x = 0, y = 0;
            while (input()) { if (x == 0) x = 1; else if (x == 1) x = 0; else reach_error(); }
            while (input()) { y++; if (y == 12) reach_error(); }
            return 0; }";
        let program = program(text);
        let board = Board::default();
        let options = SymexOptions { threshold: Some(0), also_plain: false, ..SymexOptions::default() };
        let answer = symex(&Analyses::new(&program), &options, &budget(), &board, &());
        assert!(matches!(answer, Answer::Violated(_)));
        let posts = board.invariants.read("other", &mut Cursor::default());
        assert!(!posts.is_empty());
        let holds = |fact: &Fact, x: u128| fact.holds(&|_| Some(x));
        let x = quantity(&program, "x").parts()[0].1;
        assert!(posts.iter().all(|post| post.what.fact.quantities().iter().all(|about| *about == x)), "{posts:?}");
        assert!(posts.iter().all(|post| [0, 1].iter().all(|x| holds(&post.what.fact, *x) == Some(true))));
        assert!(posts.iter().any(|post| holds(&post.what.fact, 2) == Some(false)));
    }

    #[test]
    fn nothing_is_exchanged_over_a_closed_board() {
        let program = program(COUNTER);
        let board = Board::closed();
        let fact = Arc::new(Fact::AtMost(quantity(&program, "x"), 9, View::Signed));
        board.invariants.post("other", [LoopFact { key: main_loop(&program), fact }]);
        assert!(prove(&program, &board).strengthened_by.is_empty());
    }
}
