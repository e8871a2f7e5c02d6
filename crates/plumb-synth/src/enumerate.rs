//! Bottom-up enumeration: all terms by size, one for each column (observational equivalence).
//!
//! A term of a rule is made of one term for each hole; on the examples its value depends on their columns only, so of terms
//! with equal columns the first, which is a smallest one, stands for all. After Udupa et al., TRANSIT (PLDI 2013).
//!
//! A size is worked off in batches of chunks. Threads take chunks and leave out what is known already; what remains is added
//! in the order of chunks, so that the banks are the same for any number of threads.
//!
//! Rules that choose (`ite`) have three holes, and the decision trees of `unify.rs` find what they are good for. Here they
//! are enumerated only in sizes where they make few candidates.

use crate::bank::Bank;
use crate::budget::{Budget, Ended};
use crate::code::Scratch;
use crate::column;
use crate::examples::Examples;
use crate::expr::Expr;
use crate::rules::Rules;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Candidates that a thread takes at once.
const CHUNK: u64 = 8192;

/// Candidates of a batch at most: enough to keep threads busy between two merges.
const BATCH: u64 = 1 << 19;

/// Terms of a bank at most: they and their operands are numbered with 32 bits.
const MOST_TERMS: usize = 1 << 29;

/// Words that the new columns of a batch may take.
const BATCH_WORDS: u64 = 1 << 25;

pub struct Enumerator<'a> {
    pub rules: &'a Rules,
    pub examples: usize,
    pub leaves: Vec<Vec<u64>>,
    pub banks: Vec<Bank>,
    /// All terms up to this size are there.
    pub size: usize,
    pub examined: u64,
    /// Candidates of one size that a rule with a choice may make; with more it is left out.
    choice_candidates: u64,
    /// Whether some were left out.
    pub is_partial: bool,
}

/// What came of enumerating a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// All terms of the size are there.
    Done,
    /// A term of the start symbol has the wanted column.
    Found(u32),
    /// It had to end before.
    Ended(Ended),
}

/// The candidates of a rule with terms of certain sizes in its holes.
struct Task {
    nonterminal: usize,
    rule: usize,
    /// For each hole the first term and the number of terms.
    ranges: Vec<(u32, u32)>,
    candidates: u64,
    /// Pairs whose second term comes before the first are the same again.
    is_triangle: bool,
}

struct Chunk {
    task: usize,
    start: u64,
    end: u64,
}

/// New terms of a chunk.
#[derive(Default)]
struct Found {
    children: Vec<u32>,
    hashes: Vec<u64>,
    columns: Vec<u64>,
}

impl<'a> Enumerator<'a> {
    pub fn new(rules: &'a Rules, examples: &Examples, choice_candidates: u64) -> Enumerator<'a> {
        Enumerator {
            rules,
            examples: examples.len(),
            leaves: rules.leaves.iter().map(|leaf| leaf.column(examples)).collect(),
            banks: rules.nonterminals.iter().map(|symbol| Bank::new(symbol.sort, examples.len())).collect(),
            size: 0,
            examined: 0,
            choice_candidates,
            is_partial: false,
        }
    }

    /// Bytes that the terms take.
    pub fn bytes(&self) -> u64 {
        self.banks.iter().map(Bank::bytes).sum()
    }

    /// Whether no larger term can differ from those that there are.
    pub fn is_exhausted(&self) -> bool {
        let largest = |rule: &crate::rules::Rule| -> Option<usize> {
            let sizes = rule.holes.iter().map(|hole| Some(self.banks[*hole].largest()).filter(|size| *size > 0));
            sizes.sum::<Option<usize>>().map(|sum| rule.cost + sum)
        };
        self.rules.rules.iter().filter_map(largest).all(|size| size <= self.size)
    }

    /// How many candidates the next size has.
    pub fn next_candidates(&mut self) -> u64 {
        let is_partial = self.is_partial;
        let tasks = self.tasks(self.size + 1);
        self.is_partial = is_partial;
        tasks.iter().fold(0, |sum: u64, task| sum.saturating_add(task.candidates))
    }

    /// Enumerates the next size. It ends early once the start symbol has a term with the column `target`.
    pub fn next_size(&mut self, target: Option<&[u64]>, budget: &Budget) -> Step {
        let size = self.size + 1;
        let tasks = self.tasks(size);
        let words = self.banks.iter().map(Bank::words).max().unwrap_or(1).max(1) as u64;
        let batch = BATCH.min((BATCH_WORDS / words).max(CHUNK));
        let mut chunks = tasks.iter().enumerate().flat_map(|(task, one)| {
            let starts = (0..one.candidates).step_by(CHUNK as usize);
            starts.map(move |start| Chunk { task, start, end: (start + CHUNK).min(one.candidates) })
        });
        let target = target.map(|target| (column::hash(target), target));
        loop {
            let mut now: Vec<Chunk> = Vec::new();
            let mut candidates = 0;
            while candidates < batch
                && let Some(chunk) = chunks.next()
            {
                candidates += chunk.end - chunk.start;
                now.push(chunk);
            }
            if now.is_empty() {
                break;
            }
            if self.examined + candidates > budget.candidates {
                return Step::Ended(Ended::Candidates);
            }
            if self.bytes() > budget.memory || self.banks.iter().any(|bank| bank.len() > MOST_TERMS) {
                return Step::Ended(Ended::Memory);
            }
            let Some(found) = self.examine_all(&tasks, &now, budget) else { return Step::Ended(Ended::Stopped) };
            self.examined += candidates;
            for (chunk, found) in now.iter().zip(&found) {
                self.add(&tasks[chunk.task], found);
            }
            let start = &self.banks[self.rules.start];
            if let Some(term) = target.and_then(|(hash, target)| start.find(hash, target)) {
                return Step::Found(term);
            }
        }
        self.banks.iter_mut().for_each(Bank::close_size);
        self.size = size;
        Step::Done
    }

    /// The work for one size. Conditions come first, since they are few; within a nonterminal choices come last.
    fn tasks(&mut self, size: usize) -> Vec<Task> {
        let mut tasks = Vec::new();
        let rules = self.rules;
        for (nonterminal, symbol) in rules.nonterminals.iter().enumerate() {
            for &rule in &symbol.rules {
                let first = tasks.len();
                self.tasks_of_rule(nonterminal, rule, size, &mut tasks);
                let candidates: u64 = tasks[first..].iter().map(|task: &Task| task.candidates).sum();
                if rules.rules[rule].choice.is_some() && candidates > self.choice_candidates {
                    tasks.truncate(first);
                    self.is_partial = true;
                }
            }
        }
        tasks
    }

    /// All ways to distribute what remains of the size over the holes of a rule.
    fn tasks_of_rule(&self, nonterminal: usize, number: usize, size: usize, tasks: &mut Vec<Task>) {
        let rule = &self.rules.rules[number];
        let Some(rest) = size.checked_sub(rule.cost) else { return };
        let mut sizes = Vec::new();
        compositions(rest, rule.holes.len(), &mut sizes, &mut |sizes| {
            if rule.is_symmetric && sizes[0] > sizes[1] {
                return;
            }
            let range = |(hole, size): (&usize, &usize)| {
                let terms = self.banks[*hole].of_size(*size);
                (terms.start, terms.end - terms.start)
            };
            let ranges: Vec<(u32, u32)> = rule.holes.iter().zip(sizes).map(range).collect();
            let candidates = ranges.iter().fold(1u64, |product, (_, count)| product.saturating_mul(u64::from(*count)));
            let is_triangle = rule.is_symmetric && sizes[0] == sizes[1];
            if candidates > 0 {
                tasks.push(Task { nonterminal, rule: number, ranges, candidates, is_triangle });
            }
        });
    }

    /// Examines chunks on all threads; `None` if it had to stop.
    fn examine_all(&self, tasks: &[Task], chunks: &[Chunk], budget: &Budget) -> Option<Vec<Found>> {
        let results: Vec<Mutex<Found>> = chunks.iter().map(|_| Mutex::default()).collect();
        let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            let mut scratch = Scratch::default();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(chunk) = chunks.get(at) else { return };
                if is_over.load(Ordering::Relaxed) || budget.is_over() {
                    is_over.store(true, Ordering::Relaxed);
                    return;
                }
                let found = self.examine(&tasks[chunk.task], chunk, &mut scratch);
                if let Ok(mut slot) = results[at].lock() {
                    *slot = found;
                }
            }
        };
        on_threads(budget.threads.min(chunks.len()), work);
        if is_over.into_inner() {
            return None;
        }
        results.into_iter().map(|slot| slot.into_inner().ok()).collect()
    }

    /// Computes the columns of a chunk's candidates and keeps those that are not known.
    fn examine(&self, task: &Task, chunk: &Chunk, scratch: &mut Scratch) -> Found {
        let rule = &self.rules.rules[task.rule];
        let bank = &self.banks[task.nonterminal];
        let holes: Vec<&Bank> = rule.holes.iter().map(|hole| &self.banks[*hole]).collect();
        let mut found = Found::default();
        let mut at = digits(chunk.start, &task.ranges);
        let mut column = vec![0; bank.words()];
        let mut operands: Vec<&[u64]> = Vec::with_capacity(holes.len());
        for _ in chunk.start..chunk.end {
            let is_twin = task.is_triangle && at[1] < at[0];
            if !is_twin {
                operands.clear();
                operands
                    .extend(holes.iter().enumerate().map(|(hole, bank)| bank.column(task.ranges[hole].0 + at[hole])));
                if rule.code.run(self.examples, &self.leaves, &operands, scratch, &mut column) {
                    let hash = column::hash(&column);
                    if bank.find(hash, &column).is_none() {
                        found.children.extend(at.iter().zip(&task.ranges).map(|(at, (first, _))| first + at));
                        found.hashes.push(hash);
                        found.columns.extend_from_slice(&column);
                    }
                }
            }
            for (digit, (_, count)) in at.iter_mut().zip(&task.ranges).rev() {
                *digit += 1;
                if *digit < *count {
                    break;
                }
                *digit = 0;
            }
        }
        found
    }

    fn add(&mut self, task: &Task, found: &Found) {
        let holes = task.ranges.len();
        let bank = &mut self.banks[task.nonterminal];
        let words = bank.words();
        for (at, hash) in found.hashes.iter().enumerate() {
            let children = &found.children[at * holes..(at + 1) * holes];
            bank.insert(task.rule, children, *hash, &found.columns[at * words..(at + 1) * words]);
        }
    }

    /// The term of a nonterminal as a tree.
    pub fn expr(&self, nonterminal: usize, term: u32) -> Expr {
        let bank = &self.banks[nonterminal];
        let rule = &self.rules.rules[bank.rule(term)];
        let children = bank.children(term, rule.holes.len());
        let below: Vec<Expr> = rule.holes.iter().zip(children).map(|(hole, child)| self.expr(*hole, *child)).collect();
        rule.template.fill(&below)
    }
}

/// Runs the same work on so many threads and waits for all.
pub fn on_threads(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(&work);
        }
        work();
    });
}

/// Calls `each` with all lists of `parts` positive numbers that have this sum.
fn compositions(sum: usize, parts: usize, list: &mut Vec<usize>, each: &mut dyn FnMut(&[usize])) {
    match parts - list.len() {
        0 => {
            if sum == 0 {
                each(list);
            }
        }
        1 => {
            if sum > 0 {
                list.push(sum);
                each(list);
                list.pop();
            }
        }
        left => {
            for first in 1..=sum.saturating_sub(left - 1) {
                list.push(first);
                compositions(sum - first, parts, list, each);
                list.pop();
            }
        }
    }
}

/// A number in the mixed radix of the ranges' lengths, the last digit the lowest.
fn digits(number: u64, ranges: &[(u32, u32)]) -> Vec<u32> {
    let mut rest = number;
    let mut digits = vec![0; ranges.len()];
    for (digit, (_, count)) in digits.iter_mut().zip(ranges).rev() {
        *digit = (rest % u64::from(*count)) as u32;
        rest /= u64::from(*count);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compositions_are_complete() {
        let mut all = Vec::new();
        compositions(4, 2, &mut Vec::new(), &mut |list| all.push(list.to_vec()));
        assert_eq!(all, [[1, 3], [2, 2], [3, 1]]);
        let mut none = 0;
        compositions(0, 0, &mut Vec::new(), &mut |_| none += 1);
        compositions(1, 0, &mut Vec::new(), &mut |_| none += 10);
        compositions(1, 2, &mut Vec::new(), &mut |_| none += 100);
        assert_eq!(none, 1);
        assert_eq!(digits(5, &[(0, 2), (9, 3)]), [1, 2]);
    }
}
