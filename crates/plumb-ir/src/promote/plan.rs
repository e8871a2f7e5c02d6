//! Which objects are split, and into which leaves.
//!
//! Leaves start from the loads and stores of an object. A copy from one split object to another needs in the source what
//! is a leaf in the target; a copy to memory needs every byte. What does not fit together (leaves that overlap, or lie
//! across the edge of a copied region) makes its object stay in memory, which may make others need more leaves, so
//! the plan is drawn up again without it until nothing is left to object to.

use super::MAX_LEAVES;
use super::leaves::{self, Part};
use crate::analysis::address_taken::{self, AddressTaken, ObjectUse};
use crate::check::CheckKind;
use crate::program::{
    Callee, DatumValue, FuncId, Function, GlobalObj, GlobalObjInfo, Intrinsic, LocalObj, ObjRef, Op, Program,
};
use crate::ty::Ty;
use plumb_c::target::Target;
use plumb_c::types::TyId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Larger objects stay in memory without a closer look.
const MAX_BYTES: u64 = 4096;

/// An object of the program or of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Key {
    Global(GlobalObj),
    Local(FuncId, LocalObj),
}

impl Key {
    pub fn of(function: FuncId, object: ObjRef) -> Key {
        match object {
            ObjRef::Global(id) => Key::Global(id),
            ObjRef::Local(id) => Key::Local(function, id),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Leaf {
    pub ty: Ty,
    pub cty: Option<TyId>,
    /// What comes behind the object's name.
    pub path: String,
}

/// Leaves by offset.
pub type Shape = BTreeMap<u64, Leaf>;

/// The objects to be split.
#[derive(Default)]
pub struct Plan {
    pub shapes: FxHashMap<Key, Shape>,
}

/// `size` bytes flow from one place to another; `None` is memory.
struct Flow {
    to: Option<(Key, u64)>,
    from: Option<(Key, u64)>,
    size: u64,
}

impl Plan {
    pub fn of(program: &Program) -> Plan {
        let taken = AddressTaken::of(program);
        let finds_leaks = program.checks.iter().any(|check| check.kind == CheckKind::Leak);
        let is_candidate = |usage: &ObjectUse, size: u64| {
            is_candidate(usage, size) && (!finds_leaks || is_scalar(usage, size, &program.target))
        };
        let mut keys: FxHashSet<Key> = FxHashSet::default();
        for (id, info) in program.objects.iter_enumerated() {
            let usage = taken.global(id);
            let written = info.read_only && usage.accesses.iter().any(|a| a.writes);
            if !info.is_volatile && !written && is_candidate(usage, info.size) {
                keys.insert(Key::Global(id));
            }
        }
        for function in program.function_ids() {
            for (id, info) in program.function(function).objects.iter_enumerated() {
                if is_candidate(taken.local(function, id), info.size) {
                    keys.insert(Key::Local(function, id));
                }
            }
        }
        loop {
            let draft = Draft::new(program, &taken, &keys);
            match draft.finish() {
                Ok(plan) => return plan,
                Err(refused) => keys.retain(|key| !refused.contains(key)),
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }
}

fn is_candidate(usage: &ObjectUse, size: u64) -> bool {
    let inside =
        |offset: i64, bytes: u64| offset >= 0 && (offset as u64).checked_add(bytes).is_some_and(|end| end <= size);
    !usage.address_taken && size <= MAX_BYTES && usage.accesses.iter().all(|a| inside(a.offset, a.size))
}

/// Whether all accesses are of the whole object as a scalar. Who looks for leaks reads every byte that may hold a part of an address: those that
/// are only copied, and those of addresses in two halves.
fn is_scalar(usage: &ObjectUse, size: u64, target: &Target) -> bool {
    usage.accesses.iter().all(|a| a.offset == 0 && a.ty.is_some_and(|ty| ty.bytes(target) == size))
}

/// One attempt at a plan.
struct Draft<'a> {
    program: &'a Program,
    taken: &'a AddressTaken,
    keys: Vec<Key>,
    shapes: FxHashMap<Key, Shape>,
    flows: Vec<Flow>,
    refused: FxHashSet<Key>,
}

impl<'a> Draft<'a> {
    fn new(program: &'a Program, taken: &'a AddressTaken, chosen: &FxHashSet<Key>) -> Draft<'a> {
        let mut keys: Vec<Key> = chosen.iter().copied().collect();
        keys.sort();
        let shapes = keys.iter().map(|&key| (key, Shape::new())).collect();
        let mut flows = Vec::new();
        for id in program.function_ids() {
            collect_flows(program, id, program.function(id), chosen, &mut flows);
        }
        Draft { program, taken, keys, shapes, flows, refused: FxHashSet::default() }
    }

    /// The plan, or the objects that it fails on.
    fn finish(mut self) -> Result<Plan, FxHashSet<Key>> {
        for key in self.keys.clone() {
            self.accessed_leaves(key);
        }
        self.spread();
        self.fill();
        self.spread();
        for key in self.keys.clone() {
            self.judge(key);
        }
        self.name();
        if self.refused.is_empty() { Ok(Plan { shapes: self.shapes }) } else { Err(self.refused) }
    }

    fn usage(&self, key: Key) -> &'a ObjectUse {
        match key {
            Key::Global(id) => self.taken.global(id),
            Key::Local(function, id) => self.taken.local(function, id),
        }
    }

    fn global(&self, key: Key) -> Option<&'a GlobalObjInfo> {
        match key {
            Key::Global(id) => Some(self.program.object(id)),
            Key::Local(..) => None,
        }
    }

    /// Adds a leaf; refuses the object if the leaf cuts another one.
    fn add(&mut self, key: Key, offset: u64, ty: Ty) -> bool {
        let target = &self.program.target;
        let Some(shape) = self.shapes.get_mut(&key) else { return false };
        if let Some(leaf) = shape.get(&offset) {
            if leaf.ty.bits(target) != ty.bits(target) {
                self.refused.insert(key);
            }
            return false;
        }
        let end = offset + ty.bytes(target);
        let cuts_earlier = shape.range(..offset).next_back().is_some_and(|(o, l)| o + l.ty.bytes(target) > offset);
        let cuts_later = shape.range(offset..end).next().is_some();
        if cuts_earlier || cuts_later {
            self.refused.insert(key);
            return false;
        }
        shape.insert(offset, Leaf { ty, cty: None, path: String::new() });
        true
    }

    fn accessed_leaves(&mut self, key: Key) {
        for access in &self.usage(key).accesses {
            if let Some(ty) = access.ty {
                self.add(key, access.offset as u64, ty);
            }
        }
    }

    /// What is a leaf where a copy goes must be one where it comes from.
    fn spread(&mut self) {
        let flows = std::mem::take(&mut self.flows);
        let mut changed = true;
        while changed {
            changed = false;
            for flow in &flows {
                let (Some((to, to_start)), Some((from, from_start))) = (flow.to, flow.from) else { continue };
                let Some(shape) = self.shapes.get(&to) else { continue };
                let wanted: Vec<(u64, Ty)> =
                    shape.range(to_start..to_start + flow.size).map(|(o, leaf)| (o - to_start, leaf.ty)).collect();
                for (offset, ty) in wanted {
                    changed |= self.add(from, from_start + offset, ty);
                }
            }
        }
        self.flows = flows;
    }

    /// Every byte that is copied to memory belongs to a leaf: the scalar of the C type there, or else plain bytes.
    fn fill(&mut self) {
        let regions: Vec<(Key, u64, u64)> = self
            .flows
            .iter()
            .filter(|f| f.to.is_none())
            .filter_map(|f| f.from.map(|(key, start)| (key, start, start + f.size)))
            .collect();
        // A copy into an object that flows to memory must fill the same bytes in its source, which spreading does.
        for (key, start, end) in regions {
            for part in self.parts(key) {
                let part_end = part.offset + part.ty.bytes(&self.program.target);
                if part.offset >= start && part_end <= end && self.is_free(key, part.offset, part_end) {
                    self.add(key, part.offset, part.ty);
                }
            }
            let mut at = start;
            while at < end {
                let run = (at..end).take(8).take_while(|&byte| self.is_free(key, byte, byte + 1)).count() as u64;
                if run > 0 {
                    self.add(key, at, Ty::Int(run as u8 * 8));
                }
                at += run.max(1);
            }
        }
    }

    fn is_free(&self, key: Key, start: u64, end: u64) -> bool {
        let target = &self.program.target;
        self.shapes.get(&key).is_some_and(|shape| {
            shape.range(..end).next_back().is_none_or(|(o, leaf)| o + leaf.ty.bytes(target) <= start)
        })
    }

    fn parts(&self, key: Key) -> Vec<Part> {
        let cty = match key {
            Key::Global(id) => self.program.object(id).cty,
            Key::Local(function, id) => self.program.function(function).object(id).cty,
        };
        cty.map_or(Vec::new(), |ty| leaves::parts(&self.program.types, &self.program.target, ty, 4 * MAX_LEAVES))
    }

    /// Refuses the object if its leaves do not fit its regions, its initial value or the limit.
    fn judge(&mut self, key: Key) {
        let target = &self.program.target;
        let Some(shape) = self.shapes.get(&key) else { return };
        let usage = self.usage(key);
        let mut fine = shape.len() <= MAX_LEAVES;
        for region in usage.accesses.iter().filter(|a| a.ty.is_none()) {
            let (start, end) = (region.offset as u64, region.offset as u64 + region.size);
            fine &= shape.iter().all(|(&o, leaf)| {
                let leaf_end = o + leaf.ty.bytes(target);
                let whole_bytes = leaf.ty.bits(target) % 8 == 0;
                leaf_end <= start || o >= end || o >= start && leaf_end <= end && whole_bytes
            });
        }
        // Within one object a copy may read leaves that it has just written.
        fine &= self.flows.iter().all(|f| match (f.to, f.from) {
            (Some((to, to_start)), Some((from, from_start))) => to != key || from != key || to_start == from_start,
            _ => true,
        });
        if let Some(info) = self.global(key) {
            for datum in info.init.iter().filter(|d| !matches!(d.value, DatumValue::Bytes(_))) {
                let end = datum.offset + target.pointer_bytes;
                fine &= shape.get(&datum.offset).is_some_and(|leaf| leaf.ty == Ty::Ptr)
                    || self.is_free(key, datum.offset, end);
            }
        }
        if !fine {
            self.refused.insert(key);
        }
    }

    fn name(&mut self) {
        let target = &self.program.target;
        for key in self.keys.clone() {
            let parts = self.parts(key);
            let Some(shape) = self.shapes.get_mut(&key) else { continue };
            for (offset, leaf) in shape {
                let part = parts.iter().find(|p| p.offset == *offset && p.ty.bits(target) == leaf.ty.bits(target));
                match part {
                    Some(part) => {
                        leaf.cty = Some(part.cty);
                        leaf.path.clone_from(&part.path);
                    }
                    None => leaf.path = format!("@{offset}"),
                }
            }
        }
    }
}

/// The copies of a function from or to chosen objects.
fn collect_flows(program: &Program, id: FuncId, function: &Function, chosen: &FxHashSet<Key>, flows: &mut Vec<Flow>) {
    for edge in &function.edges {
        let Op::Call { callee: Callee::Intrinsic(Intrinsic::MemCopy), args, .. } = &edge.op else { continue };
        let [to, from, size] = args[..] else { continue };
        let Some(size) = function.exprs.as_const(size) else { continue };
        let place = |addr| {
            let (object, offset) = address_taken::direct(&function.exprs, addr, &program.target)?;
            let key = Key::of(id, object);
            chosen.contains(&key).then_some((key, offset as u64))
        };
        let (to, from) = (place(to), place(from));
        if to.is_some() || from.is_some() {
            flows.push(Flow { to, from, size: size.u64() });
        }
    }
}
