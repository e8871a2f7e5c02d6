//! The terms of one nonterminal that differ on the examples, in order of size.

use crate::column;
use crate::sort::Sort;
use hashbrown::HashTable;

/// Columns of one block: blocks are never moved, so a bank that grows copies nothing.
const BLOCK: usize = 1 << 10;

#[derive(Clone, Copy, Debug)]
struct Node {
    rule: u32,
    /// The first of its terms in `children`.
    first: u32,
}

/// What the table holds: a part of the column's hash, so that growing does not look at columns.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    term: u32,
}

#[derive(Debug)]
pub struct Bank {
    words: usize,
    blocks: Vec<Vec<u64>>,
    nodes: Vec<Node>,
    children: Vec<u32>,
    /// For every size the number of terms that are not larger.
    ends: Vec<u32>,
    table: HashTable<Slot>,
}

impl Bank {
    pub fn new(sort: Sort, examples: usize) -> Bank {
        Bank {
            words: column::words(sort, examples),
            blocks: Vec::new(),
            nodes: Vec::new(),
            children: Vec::new(),
            ends: vec![0],
            table: HashTable::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// Bytes on the heap, roughly.
    pub fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.children.capacity() * 4;
        (self.blocks.len() * BLOCK * self.words * 8 + nodes + self.table.allocation_size()) as u64
    }

    pub fn column(&self, term: u32) -> &[u64] {
        let (block, at) = (term as usize / BLOCK, term as usize % BLOCK);
        &self.blocks[block][at * self.words..(at + 1) * self.words]
    }

    pub fn rule(&self, term: u32) -> usize {
        self.nodes[term as usize].rule as usize
    }

    /// The terms in the holes of the term's rule.
    pub fn children(&self, term: u32, holes: usize) -> &[u32] {
        let first = self.nodes[term as usize].first as usize;
        &self.children[first..first + holes]
    }

    /// Terms of a size that has been enumerated.
    pub fn of_size(&self, size: usize) -> std::ops::Range<u32> {
        match size.checked_sub(1).map(|below| (self.ends.get(below), self.ends.get(size))) {
            Some((Some(start), Some(end))) => *start..*end,
            _ => 0..0,
        }
    }

    pub fn size_of(&self, term: u32) -> usize {
        self.ends.partition_point(|end| *end <= term)
    }

    /// Says that all terms of the next size are there.
    pub fn close_size(&mut self) {
        self.ends.push(self.nodes.len() as u32);
    }

    /// The largest size that has terms.
    pub fn largest(&self) -> usize {
        self.nodes.len().checked_sub(1).map_or(0, |last| self.size_of(last as u32))
    }

    pub fn find(&self, hash: u64, column: &[u64]) -> Option<u32> {
        let short = (hash >> 32) as u32;
        let found = self.table.find(spread(short), |slot| slot.hash == short && self.column(slot.term) == column);
        found.map(|slot| slot.term)
    }

    /// Adds a term unless there is one that agrees with it on all examples.
    pub fn insert(&mut self, rule: usize, children: &[u32], hash: u64, column: &[u64]) -> bool {
        if self.find(hash, column).is_some() {
            return false;
        }
        let term = self.nodes.len() as u32;
        if (term as usize).is_multiple_of(BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK * self.words));
        }
        if let Some(block) = self.blocks.last_mut() {
            block.extend_from_slice(column);
        }
        self.nodes.push(Node { rule: rule as u32, first: self.children.len() as u32 });
        self.children.extend_from_slice(children);
        let slot = Slot { hash: (hash >> 32) as u32, term };
        self.table.insert_unique(spread(slot.hash), slot, |slot| spread(slot.hash));
        true
    }
}

/// 64 bits for the table from those that are kept.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_columns_are_kept_once() {
        let mut bank = Bank::new(Sort::Int, 2);
        let mut put = |column: [u64; 2]| bank.insert(0, &[], column::hash(&column), &column);
        assert!(put([1, 2]) && put([2, 1]) && !put([1, 2]));
        bank.close_size();
        assert_eq!((bank.of_size(1), bank.of_size(2), bank.largest()), (0..2, 0..0, 1));
        assert_eq!(bank.find(column::hash(&[2, 1]), &[2, 1]), Some(1));
    }
}
