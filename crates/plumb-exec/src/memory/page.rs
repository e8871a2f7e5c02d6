//! A page of memory: its bytes, and for each byte whether it belongs to a live object.

use std::cell::UnsafeCell;
use std::sync::Arc;

pub const PAGE_BITS: u32 = 12;
pub const PAGE_SIZE: u64 = 1 << PAGE_BITS;
/// Words of the bitmap of valid bytes.
pub const VALID_WORDS: usize = PAGE_SIZE as usize / 64;

/// The content of a page. The interpreter reads the bitmap at an offset of `PAGE_SIZE` bytes from the data.
#[repr(C, align(64))]
#[derive(Clone)]
pub struct Content {
    pub data: [u8; PAGE_SIZE as usize],
    pub valid: [u64; VALID_WORDS],
    /// Always zero: an access that leaves the page fails its validity test and takes the slow path.
    guard: u64,
}

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
        let word = if valid { u64::MAX } else { 0 };
        Arc::new(Page(UnsafeCell::new(Content { data: [0; PAGE_SIZE as usize], valid: [word; VALID_WORDS], guard: 0 })))
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
    Page(UnsafeCell::new(Content { data: [0; PAGE_SIZE as usize], valid: [u64::MAX; VALID_WORDS], guard: 0 }));

/// The bits `from..to` of one bitmap word.
pub fn word_mask(from: u32, to: u32) -> u64 {
    debug_assert!(from < to && to <= 64);
    (u64::MAX >> (64 - (to - from))) << from
}

impl Content {
    /// Calls `f` with each word index and mask that the bytes `from..to` touch, until it returns false.
    fn words(from: usize, to: usize, mut f: impl FnMut(usize, u64) -> bool) -> bool {
        let mut at = from;
        while at < to {
            let end = (at / 64 * 64 + 64).min(to);
            if !f(at / 64, word_mask(at as u32 % 64, (end - 1) as u32 % 64 + 1)) {
                return false;
            }
            at = end;
        }
        true
    }

    pub fn all_valid(&self, from: usize, to: usize) -> bool {
        Content::words(from, to, |word, mask| self.valid[word] & mask == mask)
    }

    pub fn set_valid(&mut self, from: usize, to: usize, valid: bool) {
        Content::words(from, to, |word, mask| {
            if valid {
                self.valid[word] |= mask;
            } else {
                self.valid[word] &= !mask;
            }
            true
        });
    }

    pub fn none_valid(&self) -> bool {
        self.valid.iter().all(|w| *w == 0)
    }
}
