//! A page of memory: its bytes, and for each byte whether it belongs to a live object.

use std::cell::{Cell, RefCell};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Small pages make small snapshots: what a branch of a search changes is mostly a few words.
pub const PAGE_BITS: u32 = 10;
pub const PAGE_SIZE: u64 = 1 << PAGE_BITS;

/// The content of a page. Validity is a byte per byte (all ones or zero), at a distance of `PAGE_SIZE` from it: twice
/// the memory of a bit per byte, but the test of an access is one comparison.
#[repr(C, align(64))]
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
pub struct Page(NonNull<Content>);

// SAFETY: see the type: shared pages are never written.
unsafe impl Sync for Page {}
unsafe impl Send for Page {}

/// The most pages that a thread keeps for reuse.
const POOL: usize = 256;

/// Pages that memory has been taken for.
static ALL: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Pages made by this thread.
    static MADE: Cell<u64> = const { Cell::new(0) };
    /// Search makes and drops a page or two per branch: the system's allocator would hand them to the kernel and back.
    static FREE: RefCell<Vec<Vacant>> = const { RefCell::new(Vec::new()) };
}

/// Memory for a page, of unspecified content.
struct Vacant(Box<MaybeUninit<Content>>);

fn allocate() -> Box<MaybeUninit<Content>> {
    let _ = MADE.try_with(|made| made.set(made.get() + 1));
    let reused = FREE.try_with(|free| free.try_borrow_mut().ok().and_then(|mut free| free.pop()));
    reused.ok().flatten().map_or_else(
        || {
            ALL.fetch_add(1, Ordering::Relaxed);
            Box::new_uninit()
        },
        |vacant| vacant.0,
    )
}

/// Bytes of all pages of all machines and snapshots, and of those kept for reuse.
pub fn bytes_of_all() -> u64 {
    ALL.load(Ordering::Relaxed) * size_of::<Content>() as u64
}

/// Bytes of the pages that this thread has made so far.
pub fn bytes_made() -> u64 {
    MADE.try_with(Cell::get).unwrap_or(0) * size_of::<Content>() as u64
}

impl Page {
    /// Zero bytes, none or all of them valid.
    pub fn new(valid: bool) -> Arc<Page> {
        let mut memory = allocate();
        let content = memory.as_mut_ptr();
        // SAFETY: every byte of the content is written before it counts as initialised.
        unsafe {
            content.write_bytes(0, 1);
            (*content).valid.fill(if valid { VALID } else { INVALID });
        }
        Arc::new(Page(NonNull::from(Box::leak(memory)).cast()))
    }

    pub fn as_ptr(&self) -> *mut Content {
        self.0.as_ptr()
    }
}

impl Clone for Page {
    fn clone(&self) -> Page {
        let mut memory = allocate();
        // SAFETY: nobody writes while a shared reference to a shared page exists, and the owner of an unshared one is
        // the caller; the new memory is nobody else's.
        unsafe { memory.as_mut_ptr().copy_from_nonoverlapping(self.0.as_ptr(), 1) };
        Page(NonNull::from(Box::leak(memory)).cast())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a leaked box, and this is the last use of it.
        let memory = unsafe { Box::from_raw(self.0.as_ptr().cast::<MaybeUninit<Content>>()) };
        // Where the pool is full, in use or gone with its thread, the memory is freed.
        let is_kept = FREE.try_with(|free| match free.try_borrow_mut() {
            Ok(mut free) if free.len() < POOL => {
                free.push(Vacant(memory));
                true
            }
            Ok(_) | Err(_) => false,
        });
        if is_kept != Ok(true) {
            ALL.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// What reads of untouched memory see: zero, valid everywhere.
static ZERO: Content = Content { data: [0; PAGE_SIZE as usize], valid: [VALID; PAGE_SIZE as usize], guard: 0 };

/// The page of untouched memory. It is never written: a TLB entry for it lets no write pass.
pub fn zero_page() -> *mut Content {
    (&raw const ZERO).cast_mut()
}

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
