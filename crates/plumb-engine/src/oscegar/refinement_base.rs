//! Refinement bases and their trace composition (Definitions 6 and 9 of the paper).
//!
//! A refinement base is a sequence of transitions of the composition that no run takes. The paper's begins in the initial state; where a
//! shorter end of it is infeasible from all concrete states of the state in which that begins, the shorter one is
//! the base, and removes the trace behind every beginning. The composed state says how far each base has been followed, which takes
//! the place of the paper's universal state S_U: a base that is not followed is at no position.

use super::composition::Trail;
use plumb_sym::CanonicalForm;
use std::sync::Arc;

/// States and the blocks between them; the last one is the error state S_E.
#[derive(Clone, Debug)]
pub(super) struct RefinementBase {
    pub first: Arc<CanonicalForm>,
    pub blocks: Vec<(Trail, Arc<CanonicalForm>)>,
}

/// Of each base, the numbers of blocks that lie behind a state, as bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Progress(Vec<u64>);

impl Progress {
    /// After a block; none if it would complete a base.
    pub fn after(&self, bases: &[RefinementBase], trail: &Trail, form: &Arc<CanonicalForm>) -> Option<Progress> {
        let mut next = Vec::with_capacity(bases.len());
        for (at, base) in bases.iter().enumerate() {
            let behind = self.0.get(at).copied().unwrap_or(0);
            let mut bits = u64::from(*base.first == **form);
            for (number, (expected, reached)) in base.blocks.iter().enumerate() {
                if behind >> number & 1 == 1 && expected == trail && **reached == **form {
                    if number + 1 == base.blocks.len() {
                        return None;
                    }
                    bits |= 1 << (number + 1);
                }
            }
            next.push(bits);
        }
        Some(Progress(next))
    }
}
