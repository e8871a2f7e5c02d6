//! The objects that a pointer leads to, for inputs that replace whole objects.

use crate::inputs::RegionFill;
use crate::machine::Machine;
use crate::memory::heap::Object;
use crate::memory::layout::SegmentKind;
use crate::outcome::FaultKind;
use crate::slow::scan;
use plumb_ir::program::Extent;

impl Machine {
    /// The objects of an extent that can be written, in the order in which the input has their bytes.
    pub(crate) fn writable_objects(&self, addr: u64, extent: Extent) -> Vec<Object> {
        // Memory from outside is replaced by an input of its own.
        let kept = [SegmentKind::ReadOnly, SegmentKind::Foreign].map(|kind| self.image.map.segment(kind));
        let mut objects = self.objects_of(addr, extent);
        objects.retain(|o| !kept.iter().any(|segment| segment.contains(o.base)));
        objects
    }

    fn objects_of(&self, addr: u64, extent: Extent) -> Vec<Object> {
        let Some(first) = self.object_at(addr) else { return Vec::new() };
        let mut found = vec![first];
        if extent == Extent::Object {
            return found;
        }
        let width = self.image.program.target.pointer_bytes as usize;
        let mut next = 0;
        while next < found.len() {
            let object = found[next];
            next += 1;
            let Some(kind) = self.image.map.kind_of(object.base) else { continue };
            let mut words = Vec::new();
            scan(self.memory.space(), kind, width, Some(object), &mut |word| words.push(word));
            for object in words.into_iter().filter(|word| *word != 0).filter_map(|word| self.object_at(word)) {
                if !found.contains(&object) {
                    found.push(object);
                }
            }
        }
        if extent == Extent::Behind {
            found.remove(0);
        }
        found
    }

    /// Replaces the bytes of objects by those of an input, one object after the other.
    pub(crate) fn fill_objects(&mut self, objects: &[Object], fill: &RegionFill) -> Result<(), FaultKind> {
        if *fill == RegionFill::Zero {
            return objects.iter().try_for_each(|o| self.memory.set(o.base, 0, o.size));
        }
        let total: u64 = objects.iter().map(|o| o.size).sum();
        let bytes = fill.bytes(total as usize);
        let mut at = 0;
        for object in objects {
            let end = at + object.size as usize;
            self.memory.write(object.base, &bytes[at..end])?;
            at = end;
        }
        Ok(())
    }
}
