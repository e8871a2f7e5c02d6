//! Control dependence (Ferrante, Ottenstein, Warren: "The Program Dependence Graph and Its Use in Optimization", 1987):
//! which branches decide whether a run gets to a location.
//!
//! A location depends on a branch if one of its edges leads to a location from which every path passes it, and the
//! branch itself does not have that property. **Soundness.** A location that depends on a branch neither directly nor
//! through others is passed equally often whichever way the branch goes, as long as the run does not stay for ever in
//! a loop on the way. The graph does not show that an assumption, a check or a call may end a run: whoever needs to
//! know looks at these edges separately.

use crate::analysis::dominators::Dominators;
use crate::index::TiVec;
use crate::program::{Function, Loc};

#[derive(Clone, Debug)]
pub struct ControlDependence {
    /// By location: the branches that it depends on.
    branches: TiVec<Loc, Vec<Loc>>,
    post: Dominators,
}

impl ControlDependence {
    pub fn of(function: &Function) -> ControlDependence {
        let post = Dominators::post(function);
        let mut branches: TiVec<Loc, Vec<Loc>> = vec![Vec::new(); function.loc_count as usize].into();
        for branch in function.locs().filter(|&loc| function.out_edges(loc).count() > 1) {
            if !post.is_reached(branch) {
                continue;
            }
            let end = post.immediate(branch);
            for edge in function.out_edges(branch) {
                let mut at = Some(function.edge(edge).to);
                while let Some(loc) = at.filter(|loc| Some(*loc) != end) {
                    let list = &mut branches[loc];
                    if !list.contains(&branch) {
                        list.push(branch);
                    }
                    at = post.immediate(loc);
                }
            }
        }
        ControlDependence { branches, post }
    }

    /// The branches that the location depends on directly.
    pub fn branches(&self, loc: Loc) -> &[Loc] {
        &self.branches[loc]
    }

    /// Where the paths that leave a location meet again; `None` if they need not.
    pub fn meeting(&self, loc: Loc) -> Option<Loc> {
        self.post.is_reached(loc).then(|| self.post.immediate(loc)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::graph;

    #[test]
    fn the_arms_depend_on_the_branch_and_what_follows_does_not() {
        let found = ControlDependence::of(&graph(6, &[(0, 2), (0, 3), (2, 4), (3, 4), (4, 1)]));
        assert_eq!(found.branches(Loc(2)), [Loc(0)]);
        assert_eq!(found.branches(Loc(3)), [Loc(0)]);
        assert!(found.branches(Loc(4)).is_empty() && found.branches(Loc(1)).is_empty());
        assert_eq!(found.meeting(Loc(0)), Some(Loc(4)));
    }

    #[test]
    fn a_loop_decides_about_its_next_iteration() {
        let found = ControlDependence::of(&graph(4, &[(0, 2), (0, 3), (2, 0), (3, 1)]));
        assert_eq!(found.branches(Loc(0)), [Loc(0)]);
        assert_eq!(found.branches(Loc(2)), [Loc(0)]);
        assert!(found.branches(Loc(3)).is_empty());
    }

    #[test]
    fn branches_inside_an_endless_loop_meet_at_its_head() {
        // 0 -> 2 (head), 2 -> 3 (branch), 3 -> 4 or 5, both back to 2.
        let found = ControlDependence::of(&graph(6, &[(0, 2), (2, 3), (3, 4), (3, 5), (4, 2), (5, 2)]));
        assert_eq!(found.meeting(Loc(3)), Some(Loc(2)));
        assert_eq!(found.branches(Loc(4)), [Loc(3)]);
        assert!(found.branches(Loc(2)).is_empty());
    }
}
