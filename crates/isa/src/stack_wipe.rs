//! Overwrites the stack where kernels left secrets.

use core::mem::MaybeUninit;

/// The amount covers the deepest call directly from the same function: a kernel that compresses (28 KB with
/// scratch memory), or a kernel's fixed messages (40 KB). It is not larger, because a size beyond the
/// first-level cache takes four times as long. A batch, which is as large again, overwrites its own places
/// and calls this from the function that holds it.
const DEPTH_BYTES: usize = 44 * 1024;

/// Returns the part of the wiped stack that is available to a kernel: `cargo xtask guard` compares it with
/// every kernel's frame.
pub const fn left_by_callers() -> usize {
    DEPTH_BYTES - 4 * 1024
}

/// Overwrites the stack below the caller's frame, as deep as kernels use it.
///
/// Kernels leave spilled data there: states, schedules, scratch memory. If that data is secret, the caller
/// calls this once, at the end, in the function that called the kernels: it takes about 800 cycles (Cypress
/// Cove), less than a block of 16 lanes. If every call of a kernel wiped its own scratch memory instead, that
/// would take 135 to 180 cycles per call, also where nothing is secret, and leave the rest.
pub fn wipe_stack() {
    wipe_stack_below::<DEPTH_BYTES>();
}

/// Overwrites this many bytes of the stack below the caller's frame: as deep as functions called from there
/// reach.
#[inline(never)]
pub fn wipe_stack_below<const BYTES: usize>() {
    let mut stack = [MaybeUninit::<u8>::uninit(); BYTES];
    stack.fill(MaybeUninit::new(0));
    core::hint::black_box(&stack);
}
