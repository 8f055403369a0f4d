//! Memory between two pages without access, by `mmap` and `mprotect`, with a safe surface.
#![allow(unsafe_code)]

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use rustix::param::page_size;
use std::ptr::{self, NonNull};

/// Readable and writable pages between two pages without access.
#[derive(Debug)]
pub(super) struct Pages {
    /// The lower guard page: the start of the mapping.
    base: NonNull<u8>,
    /// Bytes between the guards: a multiple of the page, at least one page.
    len: usize,
}

impl Pages {
    /// Whole pages for `n` bytes, zeroed.
    pub(super) fn new(n: usize) -> Pages {
        let page = page_size();
        let len = n.max(1).checked_next_multiple_of(page).expect("a length below the address space's");
        // SAFETY: a new private anonymous mapping at an address of the kernel's choice touches no other
        // memory.
        let base =
            unsafe { mmap_anonymous(ptr::null_mut(), len + 2 * page, ProtFlags::empty(), MapFlags::PRIVATE) };
        let base = NonNull::new(base.expect("mmap").cast()).expect("a mapping elsewhere than at 0");
        let pages = Pages { base, len };
        // SAFETY: the pages between the guards, part of the mapping just made, to which no reference exists
        // yet.
        let opened =
            unsafe { mprotect(pages.start().cast(), len, MprotectFlags::READ | MprotectFlags::WRITE) };
        opened.expect("mprotect");
        pages
    }

    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: `len` bytes from `start` on are mapped readable and initialised (the kernel's zeros) until
        // `drop`; they are written through `bytes_mut` only, which borrows `self` mutably.
        unsafe { std::slice::from_raw_parts(self.start(), self.len) }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`, and writable; the mutable borrow of `self` makes this the only reference.
        unsafe { std::slice::from_raw_parts_mut(self.start(), self.len) }
    }

    /// Returns the first byte after the lower guard.
    fn start(&self) -> *mut u8 {
        self.base.as_ptr().wrapping_add(page_size())
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the whole mapping made by `new`; references to it borrow `self`, so none is left.
        unsafe { munmap(self.base.as_ptr().cast(), self.len + 2 * page_size()) }.expect("munmap");
    }
}

// SAFETY: `Pages` owns its mapping as a `Box<[u8]>` owns its memory; nothing in it is bound to a thread.
unsafe impl Send for Pages {}
// SAFETY: as above; a shared reference only reads.
unsafe impl Sync for Pages {}

#[cfg(test)]
mod tests {
    use crate::guarded::Guarded;
    use std::process::Command;

    /// Set in the child process that must die: the forbidden byte that it reads.
    const TOUCH: &str = "TESTKIT_TOUCH";

    /// Runs this test again in a child that reads one byte outside, and checks that the system kills the
    /// child.
    #[test]
    fn the_byte_beyond_faults() {
        // A multiple of the page, one byte more or less, and nothing at all.
        for n in [0, 1, 100, 4095, 4096, 4097] {
            let (ends, starts) = (Guarded::at_end(n), Guarded::at_start(n));
            let outside = [ends.as_ptr().wrapping_add(n), starts.as_ptr().wrapping_sub(1)];
            for (side, outside) in ["end", "start"].into_iter().zip(outside) {
                let touch = format!("{side} {n}");
                match std::env::var(TOUCH) {
                    // SAFETY: none; the read is out of bounds on purpose and must end this child process. It
                    // is volatile, so the compiler leaves it in and assumes nothing about its result.
                    Ok(wanted) if wanted == touch => drop(unsafe { outside.read_volatile() }),
                    Ok(_) => {}
                    Err(_) => assert!(dies(&touch), "{touch}: the byte beyond could be read"),
                }
            }
        }
    }

    /// Returns whether the child that touches `touch` is killed by SIGSEGV (Linux) or SIGBUS (macOS).
    fn dies(touch: &str) -> bool {
        use std::os::unix::process::ExitStatusExt;
        let name = "guarded::pages::tests::the_byte_beyond_faults";
        let mut child = Command::new(std::env::current_exe().expect("this program's path"));
        let output = child.args(["--exact", name]).env(TOUCH, touch).output().expect("the child");
        matches!(output.status.signal(), Some(10 | 11))
    }
}
