//! What held secrets, and what kernels leave of them on the stack, is overwritten.

use core::mem::MaybeUninit;

/// As far as a batch reaches: 16 KB of messages' places, which it wipes itself, tables of pointers, and a
/// verb's frame with scratch memory, 20 KB. No more than that, since what passes the first cache takes five
/// times as long.
const DEPTH_BYTES: usize = 40 * 1024;

/// Overwrites the stack below the caller's frame as far as a batch reaches.
///
/// Kernels leave there what they spilled: states, schedules, scratch memory. A caller who knows that it was
/// secret calls this once, when all is done: it takes 660 cycles (Golden Cove), less than a block of 16
/// lanes. If every call of a kernel wiped its own scratch memory instead, that would take 135 to 180 cycles a
/// call, also where nothing is secret, and leave the rest.
#[inline(never)]
pub fn wipe_stack() {
    let mut stack = [MaybeUninit::<u8>::uninit(); DEPTH_BYTES];
    stack.fill(MaybeUninit::new(0));
    core::hint::black_box(&stack);
}

/// Overwrites values that nothing reads any more, in a way that the compiler keeps.
pub(crate) fn wipe<T>(values: &mut [MaybeUninit<T>]) {
    for value in &mut *values {
        *value = MaybeUninit::zeroed();
    }
    core::hint::black_box(values);
}
