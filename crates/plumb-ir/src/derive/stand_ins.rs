//! Objects of callers in a unit.
//!
//! An argument may point to an object of an activation that is active when the function is called. The unit has no such activation;
//! objects of its start function stand in for it, of the same size and alignment and with an arbitrary content.
//!
//! **Soundness.** Of a function that is not recursive one activation at most is active, and one object stands for its. Of a recursive one
//! there may be several: then every pointer of the unit has an object of its own to choose, and may choose those of the others, so that
//! whichever of them point to the same object in a call do so for some choices. Objects that no pointer of the unit points to are
//! out of its reach, since it takes none out of memory ([`super::unit`]). Only pointers to living objects have stand-ins
//! ([`crate::analysis::handed_down`]).

use super::chain::Chain;
use crate::analysis::Analyses;
use crate::analysis::pointsto::{Object, Targets};
use crate::expr::{ExprId, ExprKind};
use crate::input::InputOrigin;
use crate::program::{FuncId, HavocPlace, LocalObj, LocalObjInfo, ObjRef};
use crate::ty::Ty;
use std::collections::BTreeMap;

/// The objects of a start function that stand for those of callers.
#[derive(Default)]
pub(super) struct StandIns {
    by_object: BTreeMap<(FuncId, LocalObj), Vec<LocalObj>>,
}

impl StandIns {
    /// Objects for what pointers may point to, each filled with an arbitrary content.
    pub fn new(chain: &mut Chain<'_>, analyses: &Analyses, pointers: &[Targets]) -> StandIns {
        let mut counts: BTreeMap<(FuncId, LocalObj), usize> = BTreeMap::new();
        for targets in pointers {
            let Targets::Known(list) = targets else { continue };
            let mut objects: Vec<(FuncId, LocalObj)> = list
                .iter()
                .filter_map(|target| match target.object {
                    Object::Local(owner, object) => Some((owner, object)),
                    Object::Global(_) | Object::Heap(..) | Object::Stack(..) | Object::Function(_) => None,
                })
                .collect();
            objects.dedup();
            objects.into_iter().for_each(|object| *counts.entry(object).or_default() += 1);
        }
        let mut by_object = BTreeMap::new();
        for ((owner, object), pointers) in counts {
            let count = if analyses.resolved_calls().is_recursive(owner) { pointers } else { 1 };
            let info = analyses.program().function(owner).object(object);
            by_object.insert((owner, object), (0..count).map(|_| stand_in(chain, info)).collect());
        }
        StandIns { by_object }
    }

    /// Those of an object of a caller; none if pointers to it may be to one that is gone.
    pub fn of(&self, owner: FuncId, object: LocalObj) -> &[LocalObj] {
        self.by_object.get(&(owner, object)).map_or(&[], Vec::as_slice)
    }
}

fn stand_in(chain: &mut Chain<'_>, info: &LocalObjInfo) -> LocalObj {
    let object = chain.parts.objects.push_and_get_key(info.clone());
    chain.parts.frame_bytes = chain.parts.frame_bytes.saturating_add(info.size);
    let addr: ExprId = chain.parts.exprs.push(ExprKind::Addr(ObjRef::Local(object)), Ty::Ptr);
    let size = chain.make().size(info.size);
    chain.havoc(HavocPlace::Region { addr, size }, InputOrigin::UnitState(info.name.clone()), None, info.cty);
    object
}
