//! What is too rare to be an instruction: wide values, questions about memory, inputs, allocation on the stack.

use crate::image::{HavocTarget, SlowOp};
use crate::inputs::{InputSource, RegionFill};
use crate::machine::{Machine, RECENT_HEAP, RECENT_STACK};
use crate::memory::Memory;
use crate::memory::heap::Object;
use crate::memory::layout::{AddressMap, Segment, SegmentKind};
use crate::memory::spacing::{Unused, height};
use crate::outcome::FaultKind;
use crate::state::{Allocated, Frame, STARTED};
use plumb_ir::expr::{BinOp, LeakRoots, Sign, UnOp};
use plumb_ir::fold;
use plumb_ir::input::InputOrigin;
use plumb_ir::program::FuncId;
use plumb_ir::ty::{Bits, Ty};

impl Machine {
    fn set_register(&mut self, slot: u32, value: u64) {
        let stack = self.state.stack_mut();
        let at = stack.fp + slot as usize;
        if let Some(register) = stack.registers.get_mut(at) {
            *register = value;
        }
    }

    /// The result of an operation: a NaN with the sign that it is to have.
    fn settled(&mut self, ty: Ty, value: Bits) -> Bits {
        let target = &self.image.program.target;
        if !ty.is_float() || fold::unary(UnOp::IsNan, ty, value, target).is_zero() {
            return value;
        }
        let width = ty.bits(target);
        Bits::new(self.settle_nan(value.u128(), width - 1), width)
    }

    fn set_register_bits(&mut self, slot: u32, ty: Ty, bits: Bits) {
        self.set_register(slot, bits.u64());
        if self.image.is_wide(ty) {
            self.set_register(slot + 1, (bits.u128() >> 64) as u64);
        }
    }

    /// Keeps what went wrong for the interpreter, which gets a plain answer.
    pub(crate) fn kept<T>(&mut self, result: Result<T, FaultKind>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(kind) => {
                self.failure = Some(kind);
                None
            }
        }
    }

    /// Runs a slow operation; false if it faulted.
    #[inline(never)]
    pub(crate) fn slow(&mut self, index: u32) -> bool {
        let result = self.slow_operation(index);
        self.kept(result).is_some()
    }

    fn slow_operation(&mut self, index: u32) -> Result<(), FaultKind> {
        let image = self.image.clone();
        let target = &image.program.target;
        match image.slow[index as usize] {
            SlowOp::Unary { op, sign, ty, to, d, a } => {
                let operand = self.register_bits(a.0, ty);
                if matches!(op, UnOp::Clz | UnOp::Ctz) && sign != Sign::Plain && operand.is_zero() {
                    return Err(FaultKind::ZerosOfZero);
                }
                let mut value = fold::unary(op, ty, operand, target);
                if op == UnOp::Sqrt {
                    value = self.settled(to, value);
                }
                self.set_register_bits(d.0, to, value);
            }
            SlowOp::Binary { op, sign, ty, to, d, a, b } => {
                let (a, b) = (self.register_bits(a.0, ty), self.register_bits(b.0, ty));
                if matches!(op, BinOp::Div | BinOp::Rem) && !ty.is_float() {
                    if b.is_zero() {
                        return Err(FaultKind::DivisionByZero);
                    }
                    if fold::quotient_overflows(sign, ty.bits(target), a, b) {
                        return Err(FaultKind::DivisionOverflow);
                    }
                }
                let is_shift = matches!(op, BinOp::Shl | BinOp::Shr) && sign != Sign::Plain;
                if is_shift && b.u128() >= ty.bits(target) as u128 {
                    return Err(FaultKind::ShiftCount);
                }
                let value = fold::binary(op, sign, ty, a, b, target);
                let value = self.settled(to, value);
                self.set_register_bits(d.0, to, value);
            }
            SlowOp::Cast { op, ty, to, d, a } => {
                let value = fold::cast(op, ty, to, self.register_bits(a.0, ty), target);
                self.set_register_bits(d.0, to, value);
            }
            SlowOp::Fma { format, d, a, b, c } => {
                let ty = Ty::Float(format);
                let [a, b, c] = [a, b, c].map(|slot| self.register_bits(slot.0, ty));
                let value = self.settled(ty, fold::fma(format, a, b, c));
                self.set_register_bits(d.0, ty, value);
            }
            SlowOp::Extract { ty, to, lo, d, a } => {
                let value = fold::extract(self.register_bits(a.0, ty), lo, to.bits(target));
                self.set_register_bits(d.0, to, value);
            }
            SlowOp::Insert { ty, part, lo, d, a, b } => {
                let (base, value) = (self.register_bits(a.0, ty), self.register_bits(b.0, part));
                let result = fold::insert(base, value, lo, part.bits(target));
                self.set_register_bits(d.0, ty, Bits::new(result.u128(), ty.bits(target)));
            }
            SlowOp::Load { ty, d, a } => {
                let value = self.load_bits(self.register(a.0), ty)?;
                self.set_register_bits(d.0, ty, value);
            }
            SlowOp::Store { ty, a, v } => {
                let bytes = self.register_bits(v.0, ty).u128().to_le_bytes();
                self.memory.write(self.register(a.0), &bytes[..ty.bytes(target) as usize])?;
            }
            SlowOp::Callable { d, a, like } => {
                let found = image.map.function_at(self.register(a.0));
                let (functions, like) = (&image.functions, &image.functions[like]);
                let is_alike = |id: FuncId| {
                    let callee = &functions[id];
                    callee.signature == like.signature && callee.ret == like.ret
                };
                self.set_register(d.0, found.is_some_and(is_alike) as u64);
            }
            SlowOp::InBounds { d, base, addr, size, write } => {
                let (base, addr, size) = (self.register(base.0), self.register(addr.0), self.register(size.0));
                let value = self.in_bounds(base, addr, size, write);
                self.set_register(d.0, value as u64);
            }
            SlowOp::Freeable { d, a } => {
                let addr = self.register(a.0);
                let is_start = || self.memory.space().heap_objects().find(addr).is_some_and(|o| o.base == addr);
                let value = addr == 0 || is_start();
                self.set_register(d.0, value as u64);
            }
            SlowOp::IsLive { d, a } => {
                let value = self.object_at(self.register(a.0)).is_some();
                self.set_register(d.0, value as u64);
            }
            SlowOp::SameObject { d, a, b } => {
                let (a, b) = (self.register(a.0), self.register(b.0));
                let value = self.object_at(a).is_some_and(|o| o.touches(b));
                self.set_register(d.0, value as u64);
            }
            SlowOp::BytesLeft { d, a } => {
                let addr = self.register(a.0);
                let value = self.object_at(addr).map_or(0, |o| o.end() - addr);
                self.set_register(d.0, value);
            }
            SlowOp::ObjectOffset { d, a } => {
                let addr = self.register(a.0);
                let value = self.object_at(addr).map_or(0, |o| addr - o.base);
                self.set_register(d.0, value);
            }
            SlowOp::NoLeak { d, roots } => {
                let value = self.no_leak(roots);
                self.set_register(d.0, value as u64);
            }
            SlowOp::HeapEmpty { d } => {
                let value = self.memory.space().heap_objects().is_empty();
                self.set_register(d.0, value as u64);
            }
        }
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn in_bounds(&mut self, base: u64, addr: u64, size: u64, write: bool) -> bool {
        if write && self.image.map.segment(SegmentKind::ReadOnly).contains(addr) {
            return false;
        }
        // Two addresses that are closer than any two objects belong to the same one, if the second belongs to any.
        if addr.abs_diff(base) < self.memory.space().gap() && self.memory.is_valid_here(addr, size) {
            return true;
        }
        // A base outside every object is a step on the way, as in `container_of`: the address itself decides.
        self.object_at(base).or_else(|| self.object_at(addr)).is_some_and(|o| o.covers(addr, size))
    }

    pub(crate) fn load_bits(&mut self, addr: u64, ty: Ty) -> Result<Bits, FaultKind> {
        let target = &self.image.program.target;
        let (size, bits) = (ty.bytes(target) as usize, ty.bits(target));
        let mut bytes = [0; 16];
        self.memory.read(addr, &mut bytes[..size])?;
        Ok(Bits::new(u128::from_le_bytes(bytes), bits))
    }

    /// Up to 8 bytes, wherever they lie.
    #[cold]
    #[inline(never)]
    pub(crate) fn load_slow(&mut self, addr: u64, size: usize) -> Option<u64> {
        let mut bytes = [0; 8];
        let result = self.memory.read(addr, &mut bytes[..size]);
        self.kept(result).map(|()| u64::from_le_bytes(bytes))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn store_slow(&mut self, addr: u64, value: u64, size: usize) -> bool {
        let result = self.memory.write(addr, &value.to_le_bytes()[..size]);
        self.kept(result).is_some()
    }

    /// Runs an input edge: whether there was an input, `None` if it faulted.
    #[inline(never)]
    pub(crate) fn havoc(&mut self, index: u32, inputs: &mut dyn InputSource) -> Option<bool> {
        let result = self.havoc_operation(index, inputs);
        self.kept(result)
    }

    fn havoc_operation(&mut self, index: u32, inputs: &mut dyn InputSource) -> Result<bool, FaultKind> {
        let image = self.image.clone();
        let site = image.havocs[index as usize];
        let info = image.program.input(site.input);
        let target = &image.program.target;
        let settled = site.settled.map(|(settled, a, b)| (settled, self.register(a.0), self.register(b.0)));
        self.has_settled |= settled.is_some();
        let settling = self.settling;
        let scalar = |inputs: &mut dyn InputSource, ty: Ty| {
            if let Some((settled, a, b)) = settled
                && let Some(value) = settled.scalar(settling, ty, ty.bits(target), a, b)
            {
                return Some(value);
            }
            let value = inputs.scalar(site.input, info)?;
            // A C truth value is 0 or 1 in any representation.
            let mask = if info.is_bool { 1 } else { ty.mask(target) };
            Some(Bits::new(value.u128() & mask, 128))
        };
        match site.target {
            HavocTarget::Slot(slot, ty) => {
                let Some(value) = scalar(inputs, ty) else { return Ok(false) };
                self.set_register_bits(slot.0, ty, value);
            }
            HavocTarget::Global(slot, ty) => {
                let Some(value) = scalar(inputs, ty) else { return Ok(false) };
                self.state.globals[slot as usize] = value.u64();
                if image.is_wide(ty) {
                    self.state.globals[slot as usize + 1] = (value.u128() >> 64) as u64;
                }
            }
            HavocTarget::Region { addr, size } => {
                let (addr, size) = (self.register(addr.0), self.register(size.0));
                // Asked for only if it can be used: a fault consumes no input.
                self.memory.check_readable(addr, size)?;
                if self.image.map.segment(SegmentKind::Foreign).contains(addr) {
                    self.memory.set_foreign_pattern(None);
                }
                let fill = match settled.and_then(|(settled, a, _)| settled.bytes(settling, a)) {
                    Some(bytes) => RegionFill::Bytes(bytes),
                    None => match inputs.region(site.input, info, size) {
                        Some(fill) => fill,
                        None => return Ok(false),
                    },
                };
                match fill {
                    RegionFill::Zero => self.memory.set(addr, 0, size)?,
                    RegionFill::Bytes(bytes) => {
                        self.memory.set(addr, 0, size)?;
                        self.memory.write(addr, &bytes[..bytes.len().min(size as usize)])?;
                    }
                    RegionFill::Pattern(seed) if info.origin == InputOrigin::ForeignMemory => {
                        self.memory.set(addr, 0, size)?;
                        self.memory.set_foreign_pattern(Some(seed));
                    }
                    RegionFill::Pattern(_) => self.memory.write(addr, &fill.bytes(size as usize))?,
                    RegionFill::Sparse(bytes) => {
                        self.memory.set(addr, 0, size)?;
                        bytes.range(..size).try_for_each(|(at, byte)| self.memory.write(addr + at, &[*byte]))?;
                    }
                }
            }
            HavocTarget::Objects { addr, extent } => {
                let objects = self.writable_objects(self.register(addr.0), extent);
                let size = objects.iter().map(|o| o.size).sum();
                let Some(fill) = inputs.region(site.input, info, size) else { return Ok(false) };
                self.fill_objects(&objects, &fill)?;
            }
        }
        Ok(true)
    }

    /// Makes the objects of the current activation live. Returns their base address.
    #[inline(never)]
    pub(crate) fn enter(&mut self) -> Option<u64> {
        let result = self.enter_frame();
        self.kept(result)
    }

    fn enter_frame(&mut self) -> Result<u64, FaultKind> {
        let map = &self.image.map;
        let stack = &mut self.state.stacks[self.state.current];
        let segment = stack.room;
        let Some(activation) = stack.activations.last() else { return Err(FaultKind::StackOverflow) };
        let layout = &self.image.functions[FuncId(activation.func)].layout;
        if !stack.has_room(layout.bytes) {
            return Err(FaultKind::StackOverflow);
        }
        let (base, end) = match map.columns {
            Some(columns) => {
                let (span, height, align) = (layout.size, layout.height, layout.align);
                let placed = stack.unused.place(stack.sp, span, height, align, columns, segment);
                let placed = placed.ok_or(FaultKind::StackOverflow)?;
                if let Some((from, to)) = placed.given_up {
                    self.memory.give_back(from, to);
                }
                (placed.base, placed.end)
            }
            None => {
                let base = stack.sp.next_multiple_of(layout.align);
                let end = base.checked_add(layout.size).filter(|end| *end <= segment.end());
                (base, end.ok_or(FaultKind::StackOverflow)?)
            }
        };
        self.memory.enter(base, layout)?;
        stack.frames.push(Frame { base, func: activation.func });
        stack.bytes += layout.bytes;
        stack.sp = end;
        Ok(base)
    }

    /// Ends the life of everything that the current activation has on the stack.
    #[inline(never)]
    pub(crate) fn leave(&mut self) -> bool {
        self.forget_recent(RECENT_STACK);
        let has_started = self.state.stack().activations.last().is_some_and(|a| a.sp == STARTED);
        let result = if has_started { Err(FaultKind::StackReturned) } else { self.leave_frame() };
        self.kept(result).is_some()
    }

    pub(crate) fn leave_frame(&mut self) -> Result<(), FaultKind> {
        let stack = &mut self.state.stacks[self.state.current];
        let segment = stack.room;
        let Some(activation) = stack.activations.last() else { return Ok(()) };
        let sp = if activation.sp == STARTED { segment.base } else { activation.sp };
        while let Some(allocated) = stack.allocated.pop_if(|a| a.object.base >= sp) {
            stack.bytes -= allocated.bytes;
            release(&mut self.memory, &mut stack.unused, allocated.object, &self.image.map, segment)?;
        }
        let layout = &self.image.functions[FuncId(activation.func)].layout;
        if !layout.objects.is_empty()
            && let Some(frame) = stack.frames.pop()
        {
            stack.bytes -= layout.bytes;
            let given_up = self
                .image
                .map
                .columns
                .and_then(|columns| stack.unused.leave(frame.base, layout.size, layout.height, columns, segment));
            match given_up {
                Some((from, to)) => self.memory.give_back(from, to),
                None => self.memory.leave(frame.base, layout)?,
            }
        }
        stack.sp = sp;
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn heap_alloc(&mut self, size: u64, align: u64) -> Option<u64> {
        let result = self.memory.allocate(size, align, &self.image.map);
        self.kept(result)
    }

    #[inline(never)]
    pub(crate) fn free(&mut self, addr: u64) -> bool {
        self.forget_recent(RECENT_HEAP);
        // What is done with memory from outside is its owner's business.
        let is_nobodys = addr == 0 || self.image.map.segment(SegmentKind::Foreign).contains(addr);
        let result = if is_nobodys { Ok(()) } else { self.memory.release(addr) };
        self.kept(result).is_some()
    }

    #[inline(never)]
    pub(crate) fn mem_copy(&mut self, to: u64, from: u64, size: u64) -> bool {
        let result = self.memory.copy(to, from, size);
        self.kept(result).is_some()
    }

    #[inline(never)]
    pub(crate) fn mem_set(&mut self, to: u64, byte: u8, size: u64) -> bool {
        let result = self.memory.set(to, byte, size);
        self.kept(result).is_some()
    }

    /// Prints and returns the number of bytes.
    #[inline(never)]
    pub(crate) fn print(&mut self, format: u64, slots: u64) -> Option<u64> {
        let result = crate::print::print(&mut self.memory, &self.image.program.target, format, slots);
        let bytes = self.kept(result)?;
        self.output.write(&bytes);
        Some(bytes.len() as u64)
    }

    #[inline(never)]
    pub(crate) fn stack_alloc(&mut self, size: u64) -> Option<u64> {
        let result = self.allocate_on_stack(size);
        self.kept(result)
    }

    fn allocate_on_stack(&mut self, size: u64) -> Result<u64, FaultKind> {
        let map = &self.image.map;
        let align = map.heap_align.max(16);
        let stack = &mut self.state.stacks[self.state.current];
        let segment = stack.room;
        // What library functions take there is the model's affair.
        let is_library = |func: u32| self.image.program.function(FuncId(func)).is_library;
        let bytes = if stack.activations.last().is_some_and(|a| is_library(a.func)) { 0 } else { size };
        if !stack.has_room(bytes) {
            return Err(FaultKind::StackOverflow);
        }
        let below = stack.sp;
        let (base, above) = match map.columns {
            Some(columns) => {
                let span = columns.span(size).ok_or(FaultKind::StackOverflow)?;
                let placed = stack.unused.place(below, span, height(size), align, columns, segment);
                let placed = placed.ok_or(FaultKind::StackOverflow)?;
                if let Some((from, to)) = placed.given_up {
                    self.memory.give_back(from, to);
                }
                (placed.base, placed.end)
            }
            None => {
                let base = below.next_multiple_of(align);
                let end = base.checked_add(size).and_then(|end| end.checked_add(map.gap));
                (base, end.filter(|end| *end <= segment.end()).ok_or(FaultKind::StackOverflow)?)
            }
        };
        self.memory.map(base, size)?;
        stack.allocated.push(Allocated { object: Object { base, size }, below, above, bytes });
        stack.bytes += bytes;
        stack.sp = above;
        Ok(base)
    }

    #[inline(never)]
    pub(crate) fn stack_free(&mut self, addr: u64) -> bool {
        self.forget_recent(RECENT_STACK);
        let result = self.free_on_stack(addr);
        self.kept(result).is_some()
    }

    fn free_on_stack(&mut self, addr: u64) -> Result<(), FaultKind> {
        let stack = &mut self.state.stacks[self.state.current];
        let at = stack.allocated.binary_search_by_key(&addr, |a| a.object.base);
        let allocated = stack.allocated.remove(at.map_err(|_| FaultKind::BadFree { addr })?);
        stack.bytes -= allocated.bytes;
        release(&mut self.memory, &mut stack.unused, allocated.object, &self.image.map, stack.room)?;
        // The topmost gives its addresses back, so that arrays in loops do not eat up the stack.
        if allocated.above == stack.sp {
            stack.sp = allocated.below;
        }
        Ok(())
    }

    /// Every live heap object can be reached from a static object, a program register, or from what calls in progress hold. Any value that looks like the address of an object counts as one, at any offset: packed records
    /// hold pointers too.
    fn no_leak(&self, roots: LeakRoots) -> bool {
        let space = self.memory.space();
        let objects: Vec<Object> = space.heap_objects().iter().collect();
        if objects.is_empty() {
            return true;
        }
        let width = self.image.program.target.pointer_bytes as usize;
        let find = |addr: u64| {
            let at = objects.partition_point(|o| o.base <= addr).checked_sub(1)?;
            objects[at].touches(addr).then_some(at)
        };
        let mut reached = vec![false; objects.len()];
        let mut work: Vec<usize> = Vec::new();
        let mut mark = |addr: u64, work: &mut Vec<usize>| {
            if let Some(at) = find(addr)
                && !std::mem::replace(&mut reached[at], true)
            {
                work.push(at);
            }
        };
        self.state.globals.iter().for_each(|value| mark(*value, &mut work));
        for kind in [SegmentKind::ReadOnly, SegmentKind::Static] {
            scan(space, kind, width, None, &mut |addr| mark(addr, &mut work));
        }
        for (number, stack) in self.state.stacks.iter().enumerate() {
            let (values, objects) = match roots {
                LeakRoots::Possible => stack.held(&self.image, number == self.state.current),
                LeakRoots::Certain => stack.held_by_variables(&self.image),
            };
            values.into_iter().for_each(|value| mark(value, &mut work));
            for object in objects {
                scan(space, SegmentKind::Stack, width, Some(object), &mut |addr| mark(addr, &mut work));
            }
        }
        while let Some(at) = work.pop() {
            let mut found = Vec::new();
            scan(space, SegmentKind::Heap, width, Some(objects[at]), &mut |addr| found.push(addr));
            found.into_iter().for_each(|addr| mark(addr, &mut work));
        }
        reached.into_iter().all(|r| r)
    }
}

/// Ends the life of a stack allocation.
fn release(
    memory: &mut Memory,
    unused: &mut Unused,
    object: Object,
    map: &AddressMap,
    room: Segment,
) -> Result<(), FaultKind> {
    match map.columns {
        Some(columns) => {
            let (used, span) = (height(object.size), columns.span(object.size).unwrap_or(0));
            match unused.leave(object.base, span, used, columns, room) {
                Some((from, to)) => {
                    memory.give_back(from, to);
                    Ok(())
                }
                None => memory.leave_column(object, used),
            }
        }
        None => memory.unmap(object.base, object.size),
    }
}

/// Calls `f` with every word of a segment, or of one object in it, that has been written to.
pub(crate) fn scan(
    space: &crate::memory::Space,
    kind: SegmentKind,
    width: usize,
    only: Option<Object>,
    f: &mut impl FnMut(u64),
) {
    // A word may reach over the end of a page: its start is carried to the next one.
    let mut window: u64 = 0;
    let mut filled = 0;
    let mut last = u64::MAX;
    let mask = u64::MAX >> (64 - width * 8);
    space.each_page_in(kind, only, |page, content| {
        if page != last {
            filled = 0;
        }
        last = page + content.data.len() as u64;
        for (i, byte) in content.data.iter().enumerate() {
            if only.is_some_and(|o| !o.covers(page + i as u64, 1)) {
                continue;
            }
            window = (window >> 8) | (*byte as u64) << (width * 8 - 8);
            filled += 1;
            if filled >= width {
                f(window & mask);
            }
        }
    });
}
