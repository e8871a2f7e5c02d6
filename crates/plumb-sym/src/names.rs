//! Names of objects that mean the same in every state at a location: relative to the frame and to the allocation site.
//!
//! The number of an object ([`ObjId`]) is that of one exploration. A fact about an object that is to be carried from one entry
//! of a block to another, or reported to people, names it by what it is: a static object, a local of so many frames below the
//! running one, the so-manyth object that a call has allocated and that is there.

use crate::memory::ObjectKind;
use crate::state::State;
use crate::sym::Sym;
use crate::value::ObjId;
use plumb_ir::program::{EdgeId, FuncId, GlobalObj, LocalObj};
use plumb_term::TermId;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ObjectName {
    Static(GlobalObj),
    Function(FuncId),
    /// Of the frame that lies so many below the running one.
    Local {
        below: u32,
        object: LocalObj,
    },
    /// Of an activation of the function whose frame the state does not have.
    CallersLocal(FuncId, LocalObj),
    /// The so-manyth that is there of those that an edge has allocated, be it on the heap or on the stack.
    Allocated {
        site: Option<(FuncId, EdgeId)>,
        number: u32,
    },
}

impl Sym<'_> {
    /// The name of an object that is there; `None` if it is not, or has none of its own.
    pub fn object_name(&self, state: &State, object: ObjId) -> Option<ObjectName> {
        let info = self.objects.get(object.0 as usize)?;
        match info.kind {
            ObjectKind::Static(object) => return Some(ObjectName::Static(object)),
            ObjectKind::Function(func) => return Some(ObjectName::Function(func)),
            ObjectKind::Local | ObjectKind::Heap => {}
        }
        if self.alive(state, object) == TermId::bool(false) {
            return None;
        }
        for (below, frame) in state.frames().rev().enumerate() {
            if let Some(at) = frame.objects.iter().position(|one| *one == object) {
                return Some(ObjectName::Local { below: below as u32, object: LocalObj(at as u32) });
            }
        }
        // Frames of other stacks have no names that mean the same in every state.
        if state.suspended().any(|(_, stack)| stack.frames().any(|frame| frame.objects.contains(&object))) {
            return None;
        }
        if let Some((func, local)) = info.local {
            return Some(ObjectName::CallersLocal(func, local));
        }
        let number = self.allocated(state, info.site).position(|one| one == object)?;
        Some(ObjectName::Allocated { site: info.site, number: number as u32 })
    }

    /// The object of that name, if the state has one.
    pub fn object_named(&self, state: &State, name: ObjectName) -> Option<ObjId> {
        match name {
            ObjectName::Static(object) => Some(ObjId(object.0)),
            ObjectName::Function(func) => Some(self.function_object(func)),
            ObjectName::Local { below, object } => {
                state.frames().rev().nth(below as usize)?.objects.get(object.0 as usize).copied()
            }
            ObjectName::CallersLocal(func, local) => {
                let is_framed = |object: ObjId| state.all_frames().any(|frame| frame.objects.contains(&object));
                let is_it = |object: ObjId| self.objects[object.0 as usize].local == Some((func, local));
                self.living(state).find(|object| is_it(*object) && !is_framed(*object))
            }
            ObjectName::Allocated { site, number } => self.allocated(state, site).nth(number as usize),
        }
    }

    fn living<'a>(&self, state: &'a State) -> impl Iterator<Item = ObjId> + use<'a> {
        state.objects().filter(|(_, alive)| *alive != TermId::bool(false)).map(|(object, _)| object)
    }

    /// What is there of the objects that a site has allocated, the oldest first.
    fn allocated(&self, state: &State, site: Option<(FuncId, EdgeId)>) -> impl Iterator<Item = ObjId> {
        let is_of_site = |object: &ObjId| {
            let info = &self.objects[object.0 as usize];
            let is_made = matches!(info.kind, ObjectKind::Local | ObjectKind::Heap) && info.local.is_none();
            is_made && info.site == site
        };
        self.living(state).filter(is_of_site).collect::<Vec<_>>().into_iter()
    }
}
