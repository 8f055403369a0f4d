//! Secrets in freed memory: an allocator that searches every freed block for a secret.
//!
//! A test program installs it with `#[global_allocator]`, and a test asks [`count_left`] how often its
//! secret was found.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of the pattern that make a secret: long enough that nothing else looks like them.
const PERIOD: usize = 8;

thread_local! {
    /// The bytes for which this thread's blocks are searched, with changed bits so that they are no secret
    /// themselves; 0 for none.
    static NEEDLE: Cell<u64> = const { Cell::new(0) };
    static N_FOUND: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, with a search of freed memory. A block that grows is freed and allocated anew.
#[derive(Debug)]
pub struct Watching;

// SAFETY: all memory comes from `System`, under its contract; a block is read before it is freed, within its
// layout. Its bytes may be uninitialised, so the reads are volatile.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract. Zeros, because a new block may hold what an older test left.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let needle = NEEDLE.try_with(Cell::get).unwrap_or(0);
        if needle != 0 {
            let mut window = 0;
            for i in 0..layout.size() {
                // SAFETY: inside the block, which is not freed yet.
                let byte = unsafe { block.add(i).read_volatile() };
                window = window << 8 | u64::from(byte);
                if i + 1 >= PERIOD && window == !needle {
                    N_FOUND.with(|n_found| n_found.set(n_found.get() + 1));
                }
            }
        }
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Returns the eight bytes that a secret repeats: different at every call, and not contained in code.
///
/// Stacks of threads are reused, and a struct that is moved to the heap copies its unused bytes from the
/// stack. They may contain the secret of an earlier search, which `body` did not leave there.
fn pattern() -> [u8; PERIOD] {
    static N_CALLS: AtomicU64 = AtomicU64::new(1);
    // The steps of SplitMix64 are one to one, so numbers differ. Addresses and counters never look like them.
    let mut z = N_CALLS.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)).to_be_bytes()
}

/// Calls `body` with a secret of `len_bytes` bytes, and counts the places in blocks freed by it that hold
/// eight bytes of the secret in a row.
pub fn count_left(len_bytes: usize, body: impl FnOnce(&[u8])) -> usize {
    let pattern = pattern();
    let mut secret: Vec<u8> = pattern.into_iter().cycle().take(len_bytes).collect();
    NEEDLE.set(!u64::from_be_bytes(pattern));
    N_FOUND.set(0);
    // Code built by some compilers leaves the pattern on the stack, where it becomes part of unused bytes
    // that `body` moves to the heap.
    hashlanes_isa::wipe_stack();
    body(&secret);
    NEEDLE.set(0);
    secret.fill(0);
    black_box(&secret);
    N_FOUND.get()
}
