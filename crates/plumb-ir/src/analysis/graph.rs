//! Directed graphs over small numbers, with the orders and components that the other analyses need.

use crate::program::Function;

/// Nodes `0..len` with successors and predecessors in arrays.
#[derive(Clone, Debug)]
pub struct Graph {
    succ: Rows,
    pred: Rows,
}

/// A list of lists in one array.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Rows {
    /// From pairs of a list's number and an item; items of one list keep their order.
    pub(super) fn new(len: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Rows {
        let mut starts = vec![0u32; len + 1];
        for (row, _) in pairs.clone() {
            starts[row as usize + 1] += 1;
        }
        for i in 0..len {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items = vec![0; starts[len] as usize];
        for (row, item) in pairs {
            items[next[row as usize] as usize] = item;
            next[row as usize] += 1;
        }
        Rows { starts, items }
    }

    pub(super) fn row(&self, i: u32) -> &[u32] {
        &self.items[self.starts[i as usize] as usize..self.starts[i as usize + 1] as usize]
    }
}

impl Graph {
    pub fn new(len: usize, edges: &[(u32, u32)]) -> Graph {
        Graph { succ: Rows::new(len, edges.iter().copied()), pred: Rows::new(len, edges.iter().map(|&(a, b)| (b, a))) }
    }

    /// The locations of a function joined by its edges.
    pub fn of_locations(function: &Function) -> Graph {
        let edges: Vec<(u32, u32)> = function.edges.iter().map(|e| (e.from.0, e.to.0)).collect();
        Graph::new(function.loc_count as usize, &edges)
    }

    pub fn len(&self) -> usize {
        self.succ.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn succ(&self, node: u32) -> &[u32] {
        self.succ.row(node)
    }

    pub fn pred(&self, node: u32) -> &[u32] {
        self.pred.row(node)
    }

    /// Nodes reachable from the root, each before its successors except along back edges.
    pub fn reverse_postorder(&self, root: u32) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        let mut stack = vec![(root, 0)];
        seen[root as usize] = true;
        while let Some((node, next)) = stack.last_mut() {
            match self.succ(*node).get(*next) {
                Some(&child) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[child as usize], true) {
                        stack.push((child, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// Strongly connected components (Tarjan 1972) of the given nodes, following only edges between nodes for which
    /// `inside` holds. A component comes after the components that it can reach.
    pub fn components(&self, nodes: &[u32], inside: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        let mut index = vec![NEW; self.len()];
        let mut low = vec![0u32; self.len()];
        let mut on_stack = vec![false; self.len()];
        let mut stack = Vec::new();
        let mut components = Vec::new();
        let mut count = 0;
        for &root in nodes {
            if index[root as usize] != NEW || !inside(root) {
                continue;
            }
            let mut calls = vec![(root, 0usize)];
            while let Some(&mut (node, ref mut next)) = calls.last_mut() {
                let n = node as usize;
                if *next == 0 && index[n] == NEW {
                    index[n] = count;
                    low[n] = count;
                    count += 1;
                    stack.push(node);
                    on_stack[n] = true;
                }
                if let Some(&child) = self.succ(node).get(*next) {
                    *next += 1;
                    if !inside(child) {
                        continue;
                    }
                    if index[child as usize] == NEW {
                        calls.push((child, 0));
                    } else if on_stack[child as usize] {
                        low[n] = low[n].min(index[child as usize]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(parent, _)) = calls.last() {
                    low[parent as usize] = low[parent as usize].min(low[n]);
                }
                if low[n] == index[n] {
                    let at = stack.iter().rposition(|&x| x == node).unwrap_or(0);
                    let component: Vec<u32> = stack.drain(at..).collect();
                    for &member in &component {
                        on_stack[member as usize] = false;
                    }
                    components.push(component);
                }
            }
        }
        components
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_reach() {
        let graph = Graph::new(6, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (4, 3), (0, 5)]);
        let mut components = graph.components(&[0, 1, 2, 3, 4, 5], |_| true);
        for c in &mut components {
            c.sort();
        }
        assert_eq!(components, [vec![3, 4], vec![1, 2], vec![5], vec![0]]);
        let order = graph.reverse_postorder(0);
        assert_eq!(order[0], 0);
        assert_eq!(order.len(), 6);
    }

    #[test]
    fn components_of_a_part_ignore_the_rest() {
        let graph = Graph::new(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(graph.components(&[0, 1, 2], |n| n != 1).len(), 2);
        assert_eq!(graph.components(&[0, 1, 2], |_| true).len(), 1);
    }
}
