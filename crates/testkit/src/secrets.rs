//! Secrets that valgrind follows: bytes that are marked as never written, so that it reports each branch and
//! each address that depends on them (Langley's ctgrind). Without valgrind, marks do nothing.
//!
//! Marks are valgrind's client requests: five instructions that do nothing on a CPU.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

// Of valgrind.h and memcheck.h.
const RUNNING_ON_VALGRIND: usize = 0x1001;
const MAKE_MEM_UNDEFINED: usize = 0x4d43_0001;
const MAKE_MEM_DEFINED: usize = 0x4d43_0002;

/// Makes a request; returns valgrind's answer, or 0 without it.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn request(request: usize, first: usize, second: usize) -> usize {
    let arguments = [request, first, second, 0, 0, 0];
    let mut answer = 0;
    // SAFETY: on a CPU the rotations give rdi back, and the exchange does nothing. Valgrind reads the
    // arguments, writes rdx, and changes what it knows of memory, not memory.
    unsafe {
        core::arch::asm!(
            "rol rdi,3",
            "rol rdi,13",
            "rol rdi,61",
            "rol rdi,51",
            "xchg rbx,rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") answer,
            in("rdi") 0,
            options(nostack),
        );
    }
    answer
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn request(_: usize, _: usize, _: usize) -> usize {
    0
}

/// Whether valgrind runs the program.
pub fn are_followed() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// Marks bytes as secret.
pub fn hide(bytes: &[u8]) {
    request(MAKE_MEM_UNDEFINED, bytes.as_ptr().addr(), bytes.len());
}

/// Marks bytes as public: those of a result, before it is compared.
pub fn reveal(bytes: &[u8]) {
    request(MAKE_MEM_DEFINED, bytes.as_ptr().addr(), bytes.len());
}

/// The length of the blocks that [`Listing`] lists.
static LISTED_BYTES: AtomicUsize = AtomicUsize::new(0);
/// The listed blocks that are not freed.
static BLOCKS: [AtomicPtr<u8>; 64] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 64];

/// The system's allocator, which lists blocks of one length: so [`hide_in_blocks`] finds a secret that a
/// value owns.
#[derive(Debug)]
pub struct Listing;

// SAFETY: all memory comes from `System`, under its contract.
unsafe impl GlobalAlloc for Listing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract.
        let block = unsafe { System.alloc(layout) };
        if layout.size() == LISTED_BYTES.load(Ordering::Relaxed) {
            replace(std::ptr::null_mut(), block);
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if layout.size() == LISTED_BYTES.load(Ordering::Relaxed) {
            replace(block, std::ptr::null_mut());
        }
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Puts a block into the place of another, or of none.
fn replace(old: *mut u8, new: *mut u8) {
    let replaced = |place: &AtomicPtr<u8>| {
        place.compare_exchange(old, new, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    };
    BLOCKS.iter().any(replaced);
}

/// Lists the blocks of this length from now on.
pub fn list_blocks(len_bytes: usize) {
    LISTED_BYTES.store(len_bytes, Ordering::Relaxed);
}

/// Marks the secret in all listed blocks that begin with it; returns their number.
///
/// No other thread may free such a block meanwhile.
pub fn hide_in_blocks(secret: &[u8]) -> usize {
    assert!(secret.len() <= LISTED_BYTES.load(Ordering::Relaxed), "blocks of another length are listed");
    let blocks = BLOCKS.iter().map(|block| block.load(Ordering::Relaxed)).filter(|block| !block.is_null());
    blocks
        .filter(|&block| {
            // SAFETY: a block that is not freed, of the listed length.
            let start = unsafe { std::slice::from_raw_parts(block.cast_const(), secret.len()) };
            let holds = start == secret;
            if holds {
                hide(start);
            }
            holds
        })
        .count()
}
