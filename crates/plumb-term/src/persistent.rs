//! A persistent map from bit-vectors to bit-vectors: a hash trie of 16-way nodes, whose copies share what they have in
//! common. A chain of stores and joins of a program's memory is evaluated without copying an array per store.

use crate::bitvec::BitVec;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Map {
    root: Option<Arc<Node>>,
}

#[derive(Clone, Debug)]
enum Node {
    Leaf {
        key: BitVec,
        value: BitVec,
    },
    Branch([Option<Arc<Node>>; 16]),
    /// Different keys of one hash.
    Clash(Vec<(BitVec, BitVec)>),
}

const HASH_BITS: u32 = 64;

fn hash(key: &BitVec) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// The child that a hash belongs to, four bits a level.
fn slot(hash: u64, depth: u32) -> usize {
    (hash >> depth & 15) as usize
}

impl Map {
    pub fn get(&self, key: &BitVec) -> Option<&BitVec> {
        let hash = hash(key);
        let mut node = self.root.as_ref()?;
        let mut depth = 0;
        loop {
            match &**node {
                Node::Leaf { key: found, value } => return (found == key).then_some(value),
                Node::Clash(list) => return list.iter().find(|(found, _)| found == key).map(|(_, value)| value),
                Node::Branch(children) => node = children[slot(hash, depth)].as_ref()?,
            }
            depth += 4;
        }
    }

    pub fn insert(&self, key: &BitVec, value: &BitVec) -> Map {
        Map { root: Some(insert(self.root.as_ref(), hash(key), 0, key, value)) }
    }

    /// In no particular order.
    pub fn entries(&self) -> Vec<(BitVec, BitVec)> {
        let mut entries = Vec::new();
        let mut left: Vec<&Arc<Node>> = self.root.iter().collect();
        while let Some(node) = left.pop() {
            match &**node {
                Node::Leaf { key, value } => entries.push((key.clone(), value.clone())),
                Node::Clash(list) => entries.extend(list.iter().cloned()),
                Node::Branch(children) => left.extend(children.iter().flatten()),
            }
        }
        entries
    }
}

/// Recursion goes as deep as the hash has digits.
fn insert(node: Option<&Arc<Node>>, hashed: u64, depth: u32, key: &BitVec, value: &BitVec) -> Arc<Node> {
    let leaf = || Node::Leaf { key: key.clone(), value: value.clone() };
    let Some(node) = node else { return Arc::new(leaf()) };
    Arc::new(match &**node {
        Node::Leaf { key: found, .. } if found == key => leaf(),
        Node::Leaf { key: found, value: old } if depth >= HASH_BITS => {
            Node::Clash(vec![(found.clone(), old.clone()), (key.clone(), value.clone())])
        }
        Node::Leaf { key: found, .. } => {
            let mut children: [Option<Arc<Node>>; 16] = Default::default();
            children[slot(hash(found), depth)] = Some(node.clone());
            let child = &mut children[slot(hashed, depth)];
            *child = Some(insert(child.as_ref(), hashed, depth + 4, key, value));
            Node::Branch(children)
        }
        Node::Branch(children) => {
            let mut children = children.clone();
            let child = &mut children[slot(hashed, depth)];
            *child = Some(insert(child.as_ref(), hashed, depth + 4, key, value));
            Node::Branch(children)
        }
        Node::Clash(list) => {
            let mut list: Vec<_> = list.iter().filter(|(found, _)| found != key).cloned().collect();
            list.push((key.clone(), value.clone()));
            Node::Clash(list)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_versions_keep_their_entries() {
        let bits = |value: u128| BitVec::new(32, value);
        let mut versions = vec![Map::default()];
        for i in 0..500u128 {
            let next = versions[i as usize].insert(&bits(i * 7 % 300), &bits(i));
            versions.push(next);
        }
        for (count, map) in versions.iter().enumerate() {
            assert_eq!(map.entries().len(), count.min(300));
            for key in 0..300u128 {
                let last = (0..count as u128).rev().find(|i| i * 7 % 300 == key);
                assert_eq!(map.get(&bits(key)), last.map(bits).as_ref());
            }
        }
    }
}
