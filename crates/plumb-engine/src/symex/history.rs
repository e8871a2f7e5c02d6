//! Histories: which decisions a path took, and where it was abstracted (the paper's *h*).
//!
//! Histories of all paths share their prefixes. A merged path has one history with several alternatives; a single
//! control-flow path is chosen from them when a counterexample is looked at.

use super::reached_set::PointId;
use plumb_ir::program::{FuncId, Loc};
use plumb_term::TermId;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HistoryItem {
    /// Where a decision, or an indirect call, has led.
    Decision(FuncId, Loc),
    /// An abstraction point before the step with this number, counted since the last merge.
    Point(PointId, u64),
}

/// The default is the empty history.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HistoryId(u32);

/// One of the paths that were merged.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    pub history: HistoryId,
    /// Since the merge before it, or the start.
    pub steps: u64,
    /// The path condition that distinguishes it from the others.
    pub condition: TermId,
}

enum Node {
    After(HistoryId, HistoryItem),
    /// Steps are counted from here on again.
    Merge(Box<[Alternative]>),
}

/// All histories: a tree, but for merged paths.
#[derive(Default)]
pub struct Histories {
    /// The node of a history is at its number minus 1.
    nodes: Vec<Node>,
}

/// A path through the control-flow automaton from the start, with its abstraction points.
#[derive(Clone, Debug)]
pub struct ControlFlowPath {
    pub items: Vec<HistoryItem>,
    pub steps: u64,
}

impl Histories {
    pub fn append(&mut self, before: HistoryId, item: HistoryItem) -> HistoryId {
        self.push(Node::After(before, item))
    }

    pub fn merge(&mut self, alternatives: Vec<Alternative>) -> HistoryId {
        self.push(Node::Merge(alternatives.into()))
    }

    fn push(&mut self, node: Node) -> HistoryId {
        self.nodes.push(node);
        HistoryId(self.nodes.len() as u32)
    }

    /// One of the control-flow paths of a history. Where paths were merged, `choose` selects the alternative to take; it gets
    /// the next abstraction point after the merge, if there is one.
    pub fn control_flow_path(
        &self,
        history: HistoryId,
        steps: u64,
        mut choose: impl FnMut(Option<PointId>, &[Alternative]) -> Option<Alternative>,
    ) -> Option<ControlFlowPath> {
        // The last part first, and in it the last item.
        let mut parts: Vec<(Vec<HistoryItem>, u64)> = vec![(Vec::new(), steps)];
        let mut next_point = None;
        let mut at = history;
        while let Some(node) = (at.0 as usize).checked_sub(1).map(|i| &self.nodes[i]) {
            match node {
                Node::After(before, item) => {
                    if let HistoryItem::Point(point, _) = item {
                        next_point = Some(*point);
                    }
                    parts.last_mut()?.0.push(*item);
                    at = *before;
                }
                Node::Merge(alternatives) => {
                    let chosen = choose(next_point, alternatives)?;
                    parts.push((Vec::new(), chosen.steps));
                    at = chosen.history;
                }
            }
        }
        let mut path = ControlFlowPath { items: Vec::new(), steps: 0 };
        for (items, steps) in parts.into_iter().rev() {
            path.items.extend(items.into_iter().rev().map(|item| match item {
                HistoryItem::Point(point, step) => HistoryItem::Point(point, step + path.steps),
                HistoryItem::Decision(..) => item,
            }));
            path.steps += steps;
        }
        Some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_through_merges() {
        let mut histories = Histories::default();
        let decision = |at: u32| HistoryItem::Decision(FuncId(0), Loc(at));
        let start = HistoryId::default();
        let left = histories.append(start, decision(1));
        let right = histories.append(start, decision(2));
        let right = histories.append(right, HistoryItem::Point(PointId(0), 3));
        let conditions = [TermId::bool(true), TermId::bool(false)];
        let both = histories.merge(vec![
            Alternative { history: left, steps: 7, condition: conditions[0] },
            Alternative { history: right, steps: 5, condition: conditions[1] },
        ]);
        let after = histories.append(both, HistoryItem::Point(PointId(1), 2));
        let last = histories.append(after, decision(3));
        let mut points = Vec::new();
        let path = histories.control_flow_path(last, 4, |next, all| {
            points.push(next);
            all.iter().copied().find(|one| one.condition == conditions[1])
        });
        let path = path.unwrap();
        assert_eq!(path.steps, 9);
        let expected = [decision(2), HistoryItem::Point(PointId(0), 3), HistoryItem::Point(PointId(1), 7), decision(3)];
        assert_eq!(path.items, expected);
        assert_eq!(points, [Some(PointId(1))]);
        assert!(histories.control_flow_path(last, 4, |_, _| None).is_none());
    }
}
