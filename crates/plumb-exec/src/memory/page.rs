//! A page of memory: its bytes, and for each byte whether it belongs to a live object.

use std::cell::UnsafeCell;
use std::sync::Arc;

pub const PAGE_BITS: u32 = 12;
pub const PAGE_SIZE: u64 = 1 << PAGE_BITS;

/// The content of a page. Validity is a byte per byte (all ones or zero), at a distance of `PAGE_SIZE` from it: twice
/// the memory of a bit per byte, but the test of an access is one comparison.
#[repr(C, align(64))]
#[derive(Clone)]
pub struct Content {
    pub data: [u8; PAGE_SIZE as usize],
    pub valid: [u8; PAGE_SIZE as usize],
    /// Always zero: an access that leaves the page fails its validity test and takes the slow path.
    guard: u64,
}

pub const VALID: u8 = u8::MAX;
pub const INVALID: u8 = 0;

/// A page that snapshots share.
///
/// Safety: content is written only through the machine that owns the sole reference (`Arc::get_mut` has just
/// succeeded, or did so since the machine last gave out a snapshot); pages with several references are only read.
pub struct Page(UnsafeCell<Content>);

// SAFETY: see the type: shared pages are never written.
unsafe impl Sync for Page {}
unsafe impl Send for Page {}

impl Page {
    /// Zero bytes, none or all of them valid.
    pub fn new(valid: bool) -> Arc<Page> {
        let valid = [if valid { VALID } else { INVALID }; PAGE_SIZE as usize];
        Arc::new(Page(UnsafeCell::new(Content { data: [0; PAGE_SIZE as usize], valid, guard: 0 })))
    }

    pub fn as_ptr(&self) -> *mut Content {
        self.0.get()
    }
}

impl Clone for Page {
    fn clone(&self) -> Page {
        // SAFETY: nobody writes while a shared reference to a shared page exists, and the owner of an unshared one is
        // the caller.
        Page(UnsafeCell::new(unsafe { (*self.0.get()).clone() }))
    }
}

/// What reads of untouched memory see: zero, valid everywhere.
pub static ZERO_PAGE: Page =
    Page(UnsafeCell::new(Content { data: [0; PAGE_SIZE as usize], valid: [VALID; PAGE_SIZE as usize], guard: 0 }));

impl Content {
    pub fn all_valid(&self, from: usize, to: usize) -> bool {
        // Without an early exit the comparison is made on many bytes at once.
        self.valid[from..to].iter().fold(VALID, |all, v| all & v) == VALID
    }

    pub fn set_valid(&mut self, from: usize, to: usize, valid: bool) {
        self.valid[from..to].fill(if valid { VALID } else { INVALID });
    }

    pub fn none_valid(&self) -> bool {
        self.valid.iter().fold(INVALID, |any, v| any | v) == INVALID
    }
}
