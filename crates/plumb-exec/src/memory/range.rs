//! Operations on ranges of bytes, page by page: the slow but general way to memory.

use super::heap::Object;
use super::layout::FrameLayout;
use super::page::{Content, INVALID, PAGE_SIZE};
use super::trie::Fill;
use super::{Memory, to_page_end};
use crate::outcome::FaultKind;

/// Ranges of so many bytes are not looked at page by page.
const LONG: u64 = 16 * PAGE_SIZE;

/// The part of a range that lies in one page.
struct Piece {
    addr: u64,
    /// Offset of the part in the page.
    from: usize,
    /// Offset of the part in the range.
    at: usize,
    len: usize,
}

fn pieces(addr: u64, len: u64) -> impl Iterator<Item = Piece> {
    let mut done = 0;
    std::iter::from_fn(move || {
        (done < len).then(|| {
            let addr = addr.wrapping_add(done);
            let part = to_page_end(addr).min(len - done);
            let piece = Piece { addr, from: (addr % PAGE_SIZE) as usize, at: done as usize, len: part as usize };
            done += part;
            piece
        })
    })
}

impl Memory {
    /// Makes bytes valid and zero.
    pub fn map(&mut self, addr: u64, len: u64) -> Result<(), FaultKind> {
        self.each_part(addr, len, Fill::Zero, |content, from, to| {
            content.data[from..to].fill(0);
            content.set_valid(from, to, true);
            false
        })
    }

    /// Makes bytes invalid; pages without a valid byte are given back.
    pub fn unmap(&mut self, addr: u64, len: u64) -> Result<(), FaultKind> {
        self.each_part(addr, len, Fill::Empty, |content, from, to| {
            content.set_valid(from, to, false);
            content.none_valid()
        })
    }

    /// Fills whole pages and calls `partial` for the rest, which says whether its page is empty now.
    fn each_part(
        &mut self,
        addr: u64,
        len: u64,
        fill: Fill,
        partial: impl Fn(&mut Content, usize, usize) -> bool,
    ) -> Result<(), FaultKind> {
        let (mut at, end) = (addr, addr + len);
        while at < end {
            if at.is_multiple_of(PAGE_SIZE) && end - at >= PAGE_SIZE {
                let whole = (end - at) / PAGE_SIZE;
                self.fill_pages(at, whole, fill);
                at += whole * PAGE_SIZE;
                continue;
            }
            let part = to_page_end(at).min(end - at);
            let from = (at % PAGE_SIZE) as usize;
            let content = self.unshared_page(at)?;
            // SAFETY: the page has just been unshared, and nothing else uses it during the call.
            let is_empty = partial(unsafe { &mut *content }, from, from + part as usize);
            if is_empty {
                self.fill_pages(at - from as u64, 1, Fill::Empty);
            }
            at += part;
        }
        Ok(())
    }

    /// Gives back pages without live objects. The range consists of whole pages.
    pub fn give_back(&mut self, from: u64, to: u64) {
        if from < to {
            self.fill_pages(from, (to - from) / PAGE_SIZE, Fill::Empty);
        }
    }

    /// Ends the life of an object in a column of its own, whose rows up to `used` from its start on are not used again:
    /// pages left behind are given back, the last one is kept for the next object.
    pub fn leave_column(&mut self, object: Object, used: u64) -> Result<(), FaultKind> {
        let first = object.base / PAGE_SIZE * PAGE_SIZE;
        let last = (object.base + used) / PAGE_SIZE * PAGE_SIZE;
        self.give_back(first, last);
        let from = object.base.max(last);
        if from < object.end() {
            let content = self.unshared_page(from)?;
            let at = (from % PAGE_SIZE) as usize;
            // SAFETY: the page is unshared, and nothing else uses it during the call.
            unsafe { (*content).set_valid(at, at + (object.end() - from) as usize, false) };
        }
        Ok(())
    }

    /// Makes the objects of a frame live and zero.
    pub fn enter(&mut self, base: u64, layout: &FrameLayout) -> Result<(), FaultKind> {
        if layout.valid.is_empty() {
            return layout.objects.iter().try_for_each(|o| self.map(base + o.base, o.size));
        }
        self.each_frame_part(base, layout, |content, from, to, valid| {
            content.data[from..to].fill(0);
            content.valid[from..to].copy_from_slice(valid);
        })
    }

    /// Ends the life of a frame's objects. Pages of small frames are kept for the next call.
    pub fn leave(&mut self, base: u64, layout: &FrameLayout) -> Result<(), FaultKind> {
        if layout.valid.is_empty() {
            return match layout.height {
                0 => self.unmap(base, layout.size),
                height => layout
                    .objects
                    .iter()
                    .try_for_each(|o| self.leave_column(Object { base: base + o.base, size: o.size }, height)),
            };
        }
        self.each_frame_part(base, layout, |content, from, to, _| content.valid[from..to].fill(INVALID))
    }

    fn each_frame_part(
        &mut self,
        base: u64,
        layout: &FrameLayout,
        f: impl Fn(&mut Content, usize, usize, &[u8]),
    ) -> Result<(), FaultKind> {
        for piece in pieces(base, layout.size) {
            let content = self.unshared_page(piece.addr)?;
            let valid = &layout.valid[piece.at..piece.at + piece.len];
            // SAFETY: the page is unshared, and nothing else uses it during the call.
            f(unsafe { &mut *content }, piece.from, piece.from + piece.len, valid);
        }
        Ok(())
    }

    /// The page of an address, unshared, whatever its state: from the TLB if it knows.
    fn unshared_page(&mut self, addr: u64) -> Result<*mut Content, FaultKind> {
        let page = addr >> super::PAGE_BITS;
        let entry = &self.tlb[page as usize % super::TLB_SIZE];
        if entry.write == page { Ok(entry.page) } else { self.own_page(addr) }
    }

    /// Tests that bytes can be read.
    pub fn check_readable(&mut self, addr: u64, len: u64) -> Result<(), FaultKind> {
        let fault = FaultKind::InvalidRead { addr, size: len };
        if len >= LONG {
            // Huge objects are looked at by subtree, not page by page.
            let first = to_page_end(addr) % PAGE_SIZE;
            let whole = (len - first) / PAGE_SIZE;
            self.check_readable(addr, first).map_err(|_| fault.clone())?;
            let last = addr.checked_add(len).map(|end| end - (len - first) % PAGE_SIZE).ok_or(fault.clone())?;
            self.check_readable(last, (len - first) % PAGE_SIZE).map_err(|_| fault.clone())?;
            return if self.space.all_valid(addr + first, whole) { Ok(()) } else { Err(fault) };
        }
        for piece in pieces(addr, len) {
            let content = self.read_page(piece.addr).ok_or(fault.clone())?;
            // SAFETY: the page is alive and nothing writes it during the call.
            if !unsafe { &*content }.all_valid(piece.from, piece.from + piece.len) {
                return Err(fault);
            }
        }
        Ok(())
    }

    /// Tests that bytes can be written.
    pub fn check_writable(&mut self, addr: u64, len: u64) -> Result<(), FaultKind> {
        let fault = FaultKind::InvalidWrite { addr, size: len };
        for piece in pieces(addr, len) {
            let content = match self.write_page(piece.addr) {
                Ok(content) => content,
                Err(FaultKind::InvalidWrite { .. }) => return Err(fault),
                Err(other) => return Err(other),
            };
            // SAFETY: the page is alive and nothing writes it during the call.
            if !unsafe { &*content }.all_valid(piece.from, piece.from + piece.len) {
                return Err(fault);
            }
        }
        Ok(())
    }

    pub fn read(&mut self, addr: u64, to: &mut [u8]) -> Result<(), FaultKind> {
        self.check_readable(addr, to.len() as u64)?;
        for piece in pieces(addr, to.len() as u64) {
            if let Some(content) = self.read_page(piece.addr) {
                // SAFETY: the page is alive and nothing writes it during the call.
                let data = unsafe { &(&(*content).data)[piece.from..piece.from + piece.len] };
                to[piece.at..piece.at + piece.len].copy_from_slice(data);
            }
        }
        Ok(())
    }

    pub fn write(&mut self, addr: u64, from: &[u8]) -> Result<(), FaultKind> {
        self.check_writable(addr, from.len() as u64)?;
        self.store(addr, from)
    }

    /// Writes bytes without regard to validity: for setting up statics.
    pub fn store(&mut self, addr: u64, from: &[u8]) -> Result<(), FaultKind> {
        for piece in pieces(addr, from.len() as u64) {
            let content = self.unshared_page(piece.addr)?;
            // SAFETY: the page is unshared, and nothing else uses it during the call.
            let data = unsafe { &mut (&mut (*content).data)[piece.from..piece.from + piece.len] };
            data.copy_from_slice(&from[piece.at..piece.at + piece.len]);
        }
        Ok(())
    }

    /// Sets bytes; whole pages of zeros stay untouched memory.
    pub fn set(&mut self, addr: u64, byte: u8, len: u64) -> Result<(), FaultKind> {
        let whole = byte == 0 && len >= 2 * PAGE_SIZE;
        if whole {
            self.check_readable(addr, len)?;
            let first = addr.next_multiple_of(PAGE_SIZE);
            let count = (addr + len - first) / PAGE_SIZE;
            self.set_small(addr, 0, first - addr)?;
            // The first page of the rest shows whether the segment may be written at all.
            self.check_writable(first, 1)?;
            self.fill_pages(first, count, Fill::Zero);
            let rest = first + count * PAGE_SIZE;
            return self.set_small(rest, 0, addr + len - rest);
        }
        self.set_small(addr, byte, len)
    }

    fn set_small(&mut self, addr: u64, byte: u8, len: u64) -> Result<(), FaultKind> {
        self.check_writable(addr, len)?;
        for piece in pieces(addr, len) {
            let content = self.write_page(piece.addr)?;
            // SAFETY: the page is unshared, and nothing else uses it during the call.
            unsafe { (&mut (*content).data)[piece.from..piece.from + piece.len].fill(byte) };
        }
        Ok(())
    }

    /// Copies bytes as `memmove` does.
    pub fn copy(&mut self, to: u64, from: u64, len: u64) -> Result<(), FaultKind> {
        if len == 0 {
            return Ok(());
        }
        if len <= to_page_end(to).min(to_page_end(from)) {
            return self.copy_within_pages(to, from, len as usize);
        }
        self.check_readable(from, len)?;
        self.check_writable(to, len)?;
        let mut buffer = [0u8; PAGE_SIZE as usize];
        let mut done = 0;
        while done < len {
            let part = (len - done).min(PAGE_SIZE);
            // A target above its source is copied from the end, so that no byte is overwritten before it is read.
            let at = if to <= from { done } else { len - done - part };
            self.read(from + at, &mut buffer[..part as usize])?;
            self.write(to + at, &buffer[..part as usize])?;
            done += part;
        }
        Ok(())
    }

    fn copy_within_pages(&mut self, to: u64, from: u64, len: usize) -> Result<(), FaultKind> {
        let invalid_write = FaultKind::InvalidWrite { addr: to, size: len as u64 };
        let target = match self.write_page(to) {
            Ok(content) => content,
            Err(FaultKind::InvalidWrite { .. }) => return Err(invalid_write),
            Err(other) => return Err(other),
        };
        // Looked up second: unsharing the target may have moved the source's page, being the same.
        let invalid_read = FaultKind::InvalidRead { addr: from, size: len as u64 };
        let source = self.read_page(from).ok_or(invalid_read.clone())?;
        let (at, source_at) = ((to % PAGE_SIZE) as usize, (from % PAGE_SIZE) as usize);
        // SAFETY: both pages are alive, the target unshared; both ranges lie inside their pages, and `copy` allows them
        // to overlap. No reference to the content outlives its line.
        unsafe {
            if !(*source).all_valid(source_at, source_at + len) {
                return Err(invalid_read);
            }
            if !(*target).all_valid(at, at + len) {
                return Err(invalid_write);
            }
            let source = (&raw const (*source).data).cast::<u8>().add(source_at);
            std::ptr::copy(source, (&raw mut (*target).data).cast::<u8>().add(at), len);
        }
        Ok(())
    }
}
