//! Removing jumps from an automaton.

use crate::expr::Exprs;
use crate::index::TiVec;
use crate::program::{Edge, Loc, Op};
use crate::ty::Bits;
use std::sync::Arc;

/// Which locations stand for which after jumps are contracted.
///
/// The location of a label keeps its jump: the place behind it may be reached without passing the label. A cycle of
/// jumps keeps one edge, because it is an endless loop.
pub(super) struct Contraction {
    representative: TiVec<Loc, Loc>,
    /// By edge.
    pub contracted: Vec<bool>,
}

impl Contraction {
    pub fn new(edges: &[Edge], exprs: &Exprs, labels: &[(Arc<str>, Loc)], count: usize) -> Contraction {
        let mut out: TiVec<Loc, u32> = vec![0; count].into();
        for edge in edges {
            out[edge.from] += 1;
        }
        let mut labelled: TiVec<Loc, bool> = vec![false; count].into();
        for (_, loc) in labels {
            labelled[*loc] = true;
        }
        let mut this =
            Contraction { representative: (0..count as u32).map(Loc).collect(), contracted: vec![false; edges.len()] };
        for (i, edge) in edges.iter().enumerate() {
            let is_jump = match edge.op {
                Op::Assume { cond, branch: None } => exprs.as_const(cond) == Some(Bits::ONE),
                Op::Assume { branch: Some(_), .. }
                | Op::Assign { .. }
                | Op::Havoc { .. }
                | Op::Call { .. }
                | Op::Return(_)
                | Op::Check { .. } => false,
            };
            let from = edge.from;
            if is_jump && out[from] == 1 && !labelled[from] {
                let to = this.find(edge.to);
                if to != from {
                    this.representative[from] = to;
                    this.contracted[i] = true;
                }
            }
        }
        for loc in 0..count as u32 {
            this.find(Loc(loc));
        }
        this
    }

    /// The end of the chain of jumps from a location, with the chain shortened on the way.
    fn find(&mut self, loc: Loc) -> Loc {
        let mut end = loc;
        while self.representative[end] != end {
            end = self.representative[end];
        }
        let mut at = loc;
        while self.representative[at] != end {
            at = std::mem::replace(&mut self.representative[at], end);
        }
        end
    }

    /// After construction every chain has length one.
    pub fn target(&self, loc: Loc) -> Loc {
        self.representative[loc]
    }

    /// The locations that the entry leads to, after contraction.
    pub fn reachable(&self, edges: &[Edge], entry: Loc) -> TiVec<Loc, bool> {
        let kept = edges.iter().zip(&self.contracted).filter(|(_, contracted)| !**contracted);
        let pairs: Vec<(Loc, Loc)> = kept.map(|(e, _)| (self.target(e.from), self.target(e.to))).collect();
        reachable(&pairs, self.representative.len(), self.target(entry))
    }
}

/// The locations, of `count`, that one leads to.
pub(super) fn reachable(edges: &[(Loc, Loc)], count: usize, entry: Loc) -> TiVec<Loc, bool> {
    let mut first = vec![0u32; count + 1];
    for (from, _) in edges {
        first[from.0 as usize + 1] += 1;
    }
    for i in 0..count {
        first[i + 1] += first[i];
    }
    let mut next = first.clone();
    let mut targets = vec![Loc(0); edges.len()];
    for (from, to) in edges {
        let slot = &mut next[from.0 as usize];
        targets[*slot as usize] = *to;
        *slot += 1;
    }
    let mut reached: TiVec<Loc, bool> = vec![false; count].into();
    let mut work = vec![entry];
    while let Some(loc) = work.pop() {
        if !std::mem::replace(&mut reached[loc], true) {
            work.extend(&targets[first[loc.0 as usize] as usize..first[loc.0 as usize + 1] as usize]);
        }
    }
    reached
}
