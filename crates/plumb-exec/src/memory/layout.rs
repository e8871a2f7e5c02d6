//! Where everything lies in the address space of a program.
//!
//! ```text
//!   null page, function addresses | read-only statics | statics | heap ->        | stack ->        | memory from outside
//! ```
//!
//! Segments start at page boundaries. Between objects lies a gap that belongs to none, so that an address, even one just
//! past an object, tells which object it was made from, and a stray access is noticed. Statics lie below 4 GiB where
//! they fit: their addresses are immediate operands. Nothing lies where the program has devices.

use super::devices::{device_at, free_part};
use super::heap::Object;
use super::page::{INVALID, PAGE_SIZE, VALID};
use super::spacing::{self, Columns};
use plumb_c::target::Target;
use plumb_ir::index::TiVec;
use plumb_ir::program::{FuncId, Function, GlobalObj, LocalObj, Program, foreign_addresses};

pub const SEGMENTS: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SegmentKind {
    ReadOnly,
    Static,
    Heap,
    Stack,
    /// Memory from outside: one object at fixed addresses.
    Foreign,
}

impl SegmentKind {
    pub const ALL: [SegmentKind; SEGMENTS] =
        [SegmentKind::ReadOnly, SegmentKind::Static, SegmentKind::Heap, SegmentKind::Stack, SegmentKind::Foreign];
}

/// A range of whole pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    pub base: u64,
    pub size: u64,
}

impl Segment {
    pub fn contains(self, addr: u64) -> bool {
        addr.wrapping_sub(self.base) < self.size
    }

    pub fn end(self) -> u64 {
        self.base + self.size
    }
}

/// The program's static data do not fit into the target's address space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    pub what: &'static str,
    pub available: u64,
}

/// The fixed part of the address space.
#[derive(Clone, Debug)]
pub struct AddressMap {
    pub pointer_mask: u64,
    /// The least distance of objects.
    pub gap: u64,
    /// Static objects are at least this far apart, and heap objects while there are few of them.
    pub wide_gap: u64,
    /// How the stack is cut up if objects lie far apart.
    pub columns: Option<Columns>,
    pub heap_align: u64,
    /// The stack's segment has room for several stacks.
    pub has_stacks: bool,
    segments: [Segment; SEGMENTS],
    code_base: u64,
    code_step: u64,
    functions: u64,
    /// By object id.
    statics: TiVec<GlobalObj, Object>,
    /// By address.
    by_address: Vec<Object>,
}

fn align_up(value: u64, align: u64) -> Option<u64> {
    let align = align.max(1);
    value.checked_add(align - 1).map(|v| v / align * align)
}

impl AddressMap {
    /// `is_spaced` puts objects far from each other, as far as the address space allows.
    pub fn new(program: &Program, is_spaced: bool) -> Result<AddressMap, TooLarge> {
        if is_spaced && let Ok(map) = AddressMap::lay(program, true) {
            return Ok(map);
        }
        AddressMap::lay(program, false)
    }

    fn lay(program: &Program, is_spaced: bool) -> Result<AddressMap, TooLarge> {
        let target = &program.target;
        let pointer_mask = u64::MAX >> (64 - target.pointer_bits());
        let small = target.pointer_bits() <= 16;
        let (gap, code_base, code_step) = if small { (2, 16, 2) } else { (16, 0x1_0000, 16) };
        let columns = if is_spaced { Columns::of(program) } else { None };
        let wide_gap = if is_spaced { spacing::static_gap(program, gap) } else { gap };
        let too_large = |what| TooLarge { what, available: pointer_mask };

        let functions = program.functions.len() as u64;
        let code_end = code_base + functions * code_step;
        let mut statics: TiVec<GlobalObj, Object> = vec![Object { base: 0, size: 0 }; program.objects.len()].into();
        let lowest = if small { PAGE_SIZE } else { 0x100_0000 };
        let start = align_up(code_end, PAGE_SIZE).unwrap_or(u64::MAX).max(lowest);
        let place_all = |read_only: bool, start: u64, statics: &mut TiVec<GlobalObj, Object>| -> Option<u64> {
            let mut at = start;
            for (object, info) in statics.iter_mut().zip(program.objects.iter()) {
                if info.is_foreign {
                    *object = Object { base: foreign_addresses(target).start, size: info.size };
                } else if info.read_only == read_only {
                    let mut base = align_up(at, info.align)?;
                    while let Some(device) = device_at(base, info.size, &program.devices) {
                        base = align_up(device.end, info.align)?;
                    }
                    *object = Object { base, size: info.size };
                    at = base.checked_add(info.size)?.checked_add(distance(info.size, wide_gap, gap))?;
                }
            }
            align_up(at, PAGE_SIZE).filter(|end| *end <= pointer_mask)
        };
        let read_only_end = place_all(true, start, &mut statics).ok_or_else(|| too_large("constant data"))?;
        let static_end = place_all(false, read_only_end, &mut statics).ok_or_else(|| too_large("static data"))?;
        let foreign = Segment {
            base: foreign_addresses(target).start,
            size: program.foreign_memory().map_or(0, |object| program.object(object).size),
        };
        if static_end > foreign.base && foreign.size > 0 && target.pointer_bits() == 32 {
            return Err(too_large("static data and memory from outside"));
        }
        let (heap, stack) = dynamic_segments(target, static_end, is_spaced).ok_or_else(|| too_large("static data"))?;
        let without_devices = |s| free_part(s, &program.devices).ok_or_else(|| too_large("static data and devices"));
        let (heap, stack) = (without_devices(without(heap, foreign))?, without_devices(stack)?);
        let segments = [
            Segment { base: start, size: read_only_end - start },
            Segment { base: read_only_end, size: static_end - read_only_end },
            heap,
            stack,
            foreign,
        ];
        let mut by_address = statics.raw.clone();
        by_address.sort_by_key(|o| o.base);
        let heap_align = target.max_align.max(1);
        Ok(AddressMap {
            pointer_mask,
            gap,
            wide_gap,
            columns,
            heap_align,
            has_stacks: program.has_stacks(),
            segments,
            code_base,
            code_step,
            functions,
            statics,
            by_address,
        })
    }

    pub fn segment(&self, kind: SegmentKind) -> Segment {
        self.segments[kind as usize]
    }

    pub fn kind_of(&self, addr: u64) -> Option<SegmentKind> {
        SegmentKind::ALL.into_iter().find(|k| self.segment(*k).contains(addr))
    }

    pub fn function_address(&self, id: FuncId) -> u64 {
        self.code_base + id.0 as u64 * self.code_step
    }

    pub fn function_at(&self, addr: u64) -> Option<FuncId> {
        let offset = addr.wrapping_sub(self.code_base);
        (offset.is_multiple_of(self.code_step) && offset / self.code_step < self.functions)
            .then(|| FuncId((offset / self.code_step) as u32))
    }

    pub fn object(&self, id: GlobalObj) -> Object {
        self.statics[id]
    }

    pub fn find_static(&self, addr: u64) -> Option<Object> {
        let at = self.by_address.partition_point(|o| o.base <= addr).checked_sub(1)?;
        Some(self.by_address[at]).filter(|o| o.touches(addr))
    }
}

/// How far an object of a size keeps from the next: where there is room, at least its size.
pub fn distance(size: u64, gap: u64, least: u64) -> u64 {
    if gap > least { size.max(gap) } else { gap }
}

/// The part of a segment before another one that is within it.
fn without(segment: Segment, other: Segment) -> Segment {
    let is_within = other.size > 0 && segment.contains(other.base);
    Segment { size: if is_within { other.base - segment.base } else { segment.size }, ..segment }
}

/// What the statics leave: heap, then stack. `None` if there is no room for them.
fn dynamic_segments(target: &Target, from: u64, is_spaced: bool) -> Option<(Segment, Segment)> {
    let between = |base: u64, end: u64| (base < end).then(|| Segment { base, size: end - base });
    match target.pointer_bits() {
        0..=16 => {
            let end = 1u64 << 16;
            let room = end.checked_sub(from)?;
            let stack = (room / 2 / PAGE_SIZE * PAGE_SIZE).clamp(PAGE_SIZE, 0x4000);
            Some((between(from, end.checked_sub(stack)?)?, between(end - stack, end)?))
        }
        17..=32 => {
            let stack = from.max(0xc000_0000);
            Some((between(from, stack.max(from + PAGE_SIZE))?, between(stack.max(from + PAGE_SIZE), 0xffff_0000)?))
        }
        _ => {
            let heap = from.max(0x1000_0000_0000);
            let stack = heap.checked_add(1 << 44)?.max(0x7f00_0000_0000);
            let (heap_bits, stack_bits) = if is_spaced { (42, 40) } else { (36, 34) };
            let heap = between(heap, heap.checked_add(1 << heap_bits)?)?;
            Some((heap, between(stack, stack.checked_add(1 << stack_bits)?)?))
        }
    }
}

/// How the objects of one activation lie relative to its base.
#[derive(Clone, Debug, Default)]
pub struct FrameLayout {
    /// By object id, which is also the order of addresses; `base` is the offset.
    pub objects: TiVec<LocalObj, Object>,
    /// What it takes of the address space, distances included.
    pub size: u64,
    /// What the objects take by themselves.
    pub bytes: u64,
    pub align: u64,
    /// Bytes from the start of any object to the end of the largest, where objects lie in columns.
    pub height: u64,
    /// The validity of its bytes, for small frames; larger ones are mapped object by object.
    pub valid: Vec<u8>,
}

/// Frames start at multiples of this at least.
const FRAME_ALIGN: u64 = 16;
/// Objects are aligned to no more than this.
const MAX_ALIGN: u64 = 4096;
const SMALL_FRAME: u64 = 4096;

// An object that does not fit anywhere makes the frame larger than any stack: the call then overflows it.
const HUGE: u64 = 1 << 60;

#[derive(Clone, Copy)]
struct Extent {
    size: u64,
    align: u64,
}

/// Frames of this size count even if all of their objects are promoted to registers: a byte stands for them.
const LARGE_FRAME: u64 = 512;

/// The objects of an activation, by their ids.
fn objects(function: &Function) -> impl Iterator<Item = Extent> {
    let stands_for_all = function.objects.is_empty() && function.frame_bytes >= LARGE_FRAME;
    let named = function.objects.iter().map(|o| (o.size, o.align));
    named.chain(stands_for_all.then_some((1, 1))).map(|(size, align)| Extent { size, align })
}

impl FrameLayout {
    pub fn new(function: &Function, map: &AddressMap) -> FrameLayout {
        let layout = match map.columns {
            Some(columns) => FrameLayout::spaced(function, columns),
            None => FrameLayout::tight(function, map.gap),
        };
        let bytes = layout.objects.iter().fold(0u64, |sum, o| sum.saturating_add(o.size));
        FrameLayout { bytes: bytes.max(function.frame_bytes), ..layout }
    }

    /// One object to a column.
    fn spaced(function: &Function, columns: Columns) -> FrameLayout {
        let mut layout = FrameLayout { align: FRAME_ALIGN, ..FrameLayout::default() };
        let mut at = 0u64;
        for object in objects(function) {
            let (size, align) = (object.size.min(HUGE), object.align.clamp(1, MAX_ALIGN));
            layout.align = layout.align.max(align);
            let base = at.next_multiple_of(align);
            layout.objects.push(Object { base, size });
            layout.height = layout.height.max(spacing::height(base - at + size));
            // Columns are aligned to pages; what needs more may start a little later.
            let span = columns.span(size + if align > PAGE_SIZE { 2 * align } else { 0 });
            at = at.saturating_add(span.unwrap_or(HUGE)).min(HUGE);
        }
        layout.size = at;
        layout
    }

    fn tight(function: &Function, gap: u64) -> FrameLayout {
        let mut layout = FrameLayout { align: FRAME_ALIGN, ..FrameLayout::default() };
        let mut at = 0u64;
        for object in objects(function) {
            layout.align = layout.align.max(object.align.min(MAX_ALIGN));
            let base = align_up(at, object.align.min(MAX_ALIGN)).unwrap_or(HUGE).min(HUGE);
            layout.objects.push(Object { base, size: object.size.min(HUGE) });
            at = (base + object.size.min(HUGE) + gap).min(HUGE);
        }
        layout.size = align_up(at, FRAME_ALIGN).unwrap_or(HUGE);
        if layout.size <= SMALL_FRAME {
            layout.valid = vec![INVALID; layout.size as usize];
            for object in &layout.objects {
                layout.valid[object.base as usize..object.end() as usize].fill(VALID);
            }
        }
        layout
    }

    /// The object at an offset into the frame.
    pub fn find(&self, offset: u64) -> Option<Object> {
        let objects = &self.objects.raw;
        let at = objects.partition_point(|o| o.base <= offset).checked_sub(1)?;
        Some(objects[at]).filter(|o| o.touches(offset))
    }
}
