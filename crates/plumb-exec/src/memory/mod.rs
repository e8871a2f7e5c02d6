//! Memory: a flat address space in copy-on-write pages, with every byte known to be valid or not.
//!
//! ```text
//!   page     bytes and their validity
//!   trie     the persistent table of pages
//!   heap     the live heap objects
//!   foreign  what memory from outside holds in random runs
//!   spacing  objects far apart, for checks of pointers
//!   layout   where statics, functions, heap and stack lie
//!   range    operations on ranges: map, unmap, read, write, copy, fill
//! ```
//!
//! Addresses are plain integers of the target's width, so casts, unions and copies of pointers just work. An access is
//! right exactly when all its bytes are valid (and, for a write, not in the read-only segment).
//!
//! [`Memory`] puts a direct-mapped table of raw page pointers (a TLB) before the [`Space`], which is what snapshots keep.
//! A read entry is right as long as the page stays where it is; a write entry as long as the page is also unshared. So
//! taking a snapshot drops the write entries, and restoring one drops all.

mod devices;
pub mod foreign;
pub mod heap;
pub mod layout;
pub mod page;
mod range;
pub mod spacing;
#[cfg(test)]
pub mod tests;
pub mod trie;

use crate::outcome::FaultKind;
use heap::{Object, Objects};
use layout::{AddressMap, SEGMENTS, Segment, SegmentKind, distance};
use page::{Content, PAGE_BITS, PAGE_SIZE};
use trie::{Fill, Table, View};

/// The number of entries of the TLB: a power of two.
pub const TLB_SIZE: usize = 512;
const NO_PAGE: u64 = u64::MAX;

/// Where a page is. `read` and `write` hold the page's number if it may be accessed that way.
#[repr(C, align(32))]
#[derive(Clone, Copy)]
pub struct Entry {
    pub read: u64,
    pub write: u64,
    pub page: *mut Content,
}

/// Everything about memory that a snapshot keeps.
#[derive(Clone)]
pub struct Space {
    tables: [Table; SEGMENTS],
    bases: [u64; SEGMENTS],
    sizes: [u64; SEGMENTS],
    objects: Objects,
    /// Where the search for room on the heap goes on: freed addresses come back only when all others are used up.
    cursor: u64,
    /// No two live objects are closer than this.
    gap: u64,
    /// Pages with content of their own, and how many there may be.
    pages: u64,
    /// Pages of memory from outside that nobody has touched hold this pattern, or zeros.
    foreign_pattern: Option<u64>,
}

impl Space {
    pub fn new(map: &AddressMap) -> Space {
        let segment = |i: usize| map.segment(SegmentKind::ALL[i]);
        Space {
            tables: std::array::from_fn(|i| Table::new(segment(i).size >> PAGE_BITS)),
            bases: std::array::from_fn(|i| segment(i).base),
            sizes: std::array::from_fn(|i| segment(i).size),
            objects: Objects::default(),
            cursor: segment(SegmentKind::Heap as usize).base,
            gap: map.columns.map_or(map.gap, |columns| columns.gap.min(map.wide_gap)),
            pages: 0,
            foreign_pattern: None,
        }
    }

    /// The segment of an address and the page's number in it.
    fn locate(&self, addr: u64) -> Option<(usize, u64)> {
        (0..SEGMENTS).find_map(|i| {
            let offset = addr.wrapping_sub(self.bases[i]);
            (offset < self.sizes[i]).then_some((i, offset >> PAGE_BITS))
        })
    }

    /// Whether every byte of so many pages is valid, all of which lie in one segment.
    pub fn all_valid(&self, first: u64, count: u64) -> bool {
        let Some((segment, index)) = self.locate(first) else { return false };
        let last = index + count - 1;
        last < self.tables[segment].pages() && self.tables[segment].all_valid(index, last)
    }

    /// No two live objects are closer than this.
    pub fn gap(&self) -> u64 {
        self.gap
    }

    pub fn heap_objects(&self) -> &Objects {
        &self.objects
    }

    fn foreign_addresses(&self) -> std::ops::Range<u64> {
        let (base, size) = (self.bases[SegmentKind::Foreign as usize], self.sizes[SegmentKind::Foreign as usize]);
        base..base + size
    }

    /// What a pattern gave the pages of memory from outside that have been touched, without zeros.
    pub fn foreign_bytes(&self, seed: u64) -> std::collections::BTreeMap<u64, u8> {
        let mut bytes = std::collections::BTreeMap::new();
        let base = self.bases[SegmentKind::Foreign as usize];
        self.each_page_in(SegmentKind::Foreign, None, |address, _| {
            let mut data = [0; PAGE_SIZE as usize];
            foreign::fill(&mut data, (address - base) >> PAGE_BITS, seed, &self.foreign_addresses());
            let held = data.iter().enumerate().filter(|(_, byte)| **byte != 0);
            bytes.extend(held.map(|(i, byte)| (address - base + i as u64, *byte)));
        });
        bytes
    }

    /// Calls `f` with the address and content of each page of a segment, or of those an object touches, that is neither
    /// absent nor untouched, in order.
    pub fn each_page_in(&self, kind: SegmentKind, only: Option<Object>, mut f: impl FnMut(u64, &Content)) {
        let (base, table) = (self.bases[kind as usize], &self.tables[kind as usize]);
        // SAFETY: a page lives as long as the table, and the caller's shared reference keeps the machine from running.
        let mut visit = |index: u64, page: *const Content| f(base + (index << PAGE_BITS), unsafe { &*page });
        match only {
            None => table.each_page(&mut visit),
            Some(object) => {
                let (first, last) = ((object.base - base) >> PAGE_BITS, (object.end() - base) >> PAGE_BITS);
                for index in first..=last.min(table.pages() - 1) {
                    if let View::Page(page) = table.view(index) {
                        visit(index, page);
                    }
                }
            }
        }
    }
}

pub struct Memory {
    space: Space,
    tlb: Box<[Entry; TLB_SIZE]>,
    /// The most pages that the space may own.
    page_limit: u64,
}

// SAFETY: the TLB's pointers lead into pages that the space keeps alive; they move with it.
unsafe impl Send for Memory {}

impl Memory {
    pub fn new(space: Space) -> Memory {
        let none = Entry { read: NO_PAGE, write: NO_PAGE, page: std::ptr::null_mut() };
        Memory { space, tlb: Box::new([none; TLB_SIZE]), page_limit: u64::MAX }
    }

    pub fn set_limit(&mut self, bytes: u64) {
        self.page_limit = bytes >> PAGE_BITS;
    }

    /// What memory from outside holds that nobody has touched. It must hold zeros now.
    pub fn set_foreign_pattern(&mut self, seed: Option<u64>) {
        self.space.foreign_pattern = seed;
        self.flush();
    }

    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Keeps the present content. Pages are shared from now on, so writes must look them up anew.
    pub fn snapshot(&mut self) -> Space {
        for entry in self.tlb.iter_mut() {
            entry.write = NO_PAGE;
        }
        self.space.clone()
    }

    pub fn restore(&mut self, space: &Space) {
        self.space = space.clone();
        self.flush();
    }

    fn flush(&mut self) {
        for entry in self.tlb.iter_mut() {
            entry.read = NO_PAGE;
            entry.write = NO_PAGE;
        }
    }

    fn forget_page(&mut self, page: u64) {
        let entry = &mut self.tlb[page as usize % TLB_SIZE];
        entry.read = NO_PAGE;
        entry.write = NO_PAGE;
    }

    pub fn tlb(&mut self) -> *mut Entry {
        self.tlb.as_mut_ptr()
    }

    /// The page of an address for reading, if any byte of it may be valid.
    fn read_page(&mut self, addr: u64) -> Option<*mut Content> {
        let page = addr >> PAGE_BITS;
        let entry = &mut self.tlb[page as usize % TLB_SIZE];
        if entry.read == page {
            return Some(entry.page);
        }
        let (segment, index) = self.space.locate(addr)?;
        let is_patterned = segment == SegmentKind::Foreign as usize && self.space.foreign_pattern.is_some();
        let content = match self.space.tables[segment].view(index) {
            View::Empty => return None,
            View::Zero if is_patterned => return self.own_page(addr).ok(),
            View::Zero => page::zero_page(),
            View::Page(content) => content,
        };
        *entry = Entry { read: page, write: NO_PAGE, page: content };
        Some(content)
    }

    /// The bytes are valid and lie in one page that the TLB knows. False says nothing.
    pub fn is_valid_here(&self, addr: u64, size: u64) -> bool {
        let page = addr >> PAGE_BITS;
        let entry = &self.tlb[page as usize % TLB_SIZE];
        if entry.read != page || size == 0 || size > to_page_end(addr) {
            return false;
        }
        let from = (addr % PAGE_SIZE) as usize;
        // SAFETY: the page is alive and nothing writes it during the call.
        unsafe { &*entry.page }.all_valid(from, from + size as usize)
    }

    /// The page of an address for writing, unshared. Whether the bytes are valid remains to be tested.
    fn write_page(&mut self, addr: u64) -> Result<*mut Content, FaultKind> {
        let page = addr >> PAGE_BITS;
        let entry = self.tlb[page as usize % TLB_SIZE];
        if entry.write == page {
            return Ok(entry.page);
        }
        let invalid = FaultKind::InvalidWrite { addr, size: 1 };
        let (segment, index) = self.space.locate(addr).ok_or(invalid.clone())?;
        if let View::Empty = self.space.tables[segment].view(index) {
            return Err(invalid);
        }
        if segment == SegmentKind::ReadOnly as usize {
            return Err(FaultKind::ReadOnlyWrite { addr });
        }
        self.own_page(addr)
    }

    /// The page of an address, unshared, whatever its state.
    fn own_page(&mut self, addr: u64) -> Result<*mut Content, FaultKind> {
        let page = addr >> PAGE_BITS;
        let (segment, index) = self.space.locate(addr).ok_or(FaultKind::InvalidWrite { addr, size: 1 })?;
        let is_new = !matches!(self.space.tables[segment].view(index), View::Page(_));
        if is_new && self.space.pages >= self.page_limit {
            return Err(FaultKind::OutOfMemory);
        }
        let content = self.space.tables[segment].unshared(index, &mut self.space.pages);
        if let Some(seed) = self.space.foreign_pattern.filter(|_| is_new && segment == SegmentKind::Foreign as usize) {
            // SAFETY: the page has just been made, and nothing else uses it during the call.
            foreign::fill(unsafe { &mut (*content).data }, index, seed, &self.space.foreign_addresses());
        }
        let write = if segment == SegmentKind::ReadOnly as usize { NO_PAGE } else { page };
        self.tlb[page as usize % TLB_SIZE] = Entry { read: page, write, page: content };
        Ok(content)
    }

    /// Puts the whole pages from `first` (an address) on into one state.
    fn fill_pages(&mut self, first: u64, count: u64, fill: Fill) {
        let Some((segment, index)) = self.space.locate(first) else { return };
        self.space.tables[segment].fill(index, index + count - 1, fill, &mut self.space.pages);
        if count >= TLB_SIZE as u64 {
            self.flush();
        } else {
            (0..count).for_each(|i| self.forget_page((first >> PAGE_BITS) + i));
        }
    }

    /// Makes a new heap object of zero bytes, aligned for any type and to `align`, which is a power of two.
    pub fn allocate(&mut self, size: u64, align: u64, map: &AddressMap) -> Result<u64, FaultKind> {
        let heap = map.segment(SegmentKind::Heap);
        let align = align.max(map.heap_align);
        let wished = distance(size, spacing::heap_gap(self.space.objects.len(), map.wide_gap, map.gap), map.gap);
        let (base, gap) = [wished, map.gap]
            .into_iter()
            .find_map(|gap| Some((self.room(size, align, gap, heap)?, gap)))
            .ok_or(FaultKind::OutOfMemory)?;
        self.map(base, size)?;
        self.space.objects.insert(Object { base, size });
        self.space.cursor = base + size + gap;
        self.space.gap = self.space.gap.min(gap);
        Ok(base)
    }

    /// A free address for an object: the next one after the cursor, going round once.
    fn room(&self, size: u64, align: u64, gap: u64, heap: Segment) -> Option<u64> {
        if size >= heap.size {
            return None;
        }
        for start in [self.space.cursor, heap.base] {
            let mut at = start.checked_next_multiple_of(align)?;
            // An object that reaches over the start leaves no room there.
            if let Some(object) = self.space.objects.find(at) {
                at = (object.end() + gap).checked_next_multiple_of(align)?;
            }
            while at.checked_add(size)?.checked_add(gap)? <= heap.end() {
                match self.space.objects.after(at) {
                    Some(next) if next.base < at + size + gap => {
                        at = (next.end() + gap).checked_next_multiple_of(align)?;
                    }
                    Some(_) | None => return Some(at),
                }
            }
        }
        None
    }

    /// Ends the life of the heap object that starts at the address.
    pub fn release(&mut self, addr: u64) -> Result<(), FaultKind> {
        let object = self.space.objects.remove(addr).ok_or(FaultKind::BadFree { addr })?;
        self.unmap(object.base, object.size)
    }
}

/// Bytes from an address to the end of its page.
fn to_page_end(addr: u64) -> u64 {
    PAGE_SIZE - addr % PAGE_SIZE
}
