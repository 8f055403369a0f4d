//! Overwrites the stack where kernels left secrets.
//!
//! Kernels leave spilled data there: states, schedules, scratch memory. If that data is secret, the caller
//! overwrites it once, at the end, in the function that called the kernels, as far as they reached: some 900
//! cycles for 52 KiB, and four times as many where that exceeds the first-level cache. If every call of a
//! kernel wiped its own scratch memory instead, that would take 135 to 180 cycles per call, also where
//! nothing is secret, and leave the rest.
//!
//! A kernel's frame is the compiler's choice, so these amounts are not derived from the source:
//! `cargo xtask guard` compares [`wiped_bytes`] with every kernel's frame, and tests search the stack.

use core::mem::MaybeUninit;

use crate::{Function, Kernel, Verb};

/// The deepest call: a kernel's fixed messages, by scratch memory (37 KB, and up to 4 for its alignment),
/// called by functions with copies of 128 messages of a block.
const OF_ANY: usize = 52 * 1024;
/// A kernel that carries out turns, in the deepest case by scratch memory (24 KB).
const OF_TURNS: usize = 28 * 1024;
/// Kernels without scratch memory, called by functions with copies of 64 messages, their states, and a group
/// that is filled up.
const WITHOUT_SCRATCH: usize = 21 * 1024;

/// What the calling functions take of the first and the last of these amounts.
const CALLERS_OF_ANY: usize = 12 * 1024;
const CALLERS_WITHOUT_SCRATCH: usize = 14 * 1024;

/// Returns how much of the wiped stack is available to a verb of a hash's kernel of this degree.
#[doc(hidden)]
pub const fn wiped_bytes(verb: Verb, degree: usize, has_scratch: bool) -> usize {
    match verb {
        Verb::Compress if degree > 1 => OF_TURNS,
        Verb::CompressLanes => OF_ANY - CALLERS_OF_ANY,
        _ if has_scratch => OF_ANY - CALLERS_OF_ANY,
        _ => WITHOUT_SCRATCH - CALLERS_WITHOUT_SCRATCH,
    }
}

/// How far the kernels of a call reached down the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// None has scratch memory on the stack.
    Near,
    /// One has.
    Far,
}

impl Reach {
    /// Overwrites the stack below the caller's frame as far.
    #[inline(always)]
    pub fn wipe(self) {
        match self {
            Self::Near => wipe_stack_below::<WITHOUT_SCRATCH>(),
            Self::Far => wipe_stack(),
        }
    }
}

impl<F: Function> Kernel<F> {
    /// Returns how far a call of a verb reaches down the stack.
    pub fn reach(&self, verb: Verb) -> Reach {
        // Adaptors compute verbs that the row lacks by turns.
        let verb = if self.offers(verb) { verb } else { Verb::Compress };
        if F::has_scratch(self.name, verb) { Reach::Far } else { Reach::Near }
    }
}

/// Overwrites the stack below the caller's frame, as deep as any kernel reaches.
#[inline(always)]
pub fn wipe_stack() {
    in_this_frame(overwrite_any);
}

/// Overwrites the stack below the frame that holds a batch, as deep as its turns reach.
#[inline(always)]
pub fn wipe_stack_of_turns() {
    wipe_stack_below::<OF_TURNS>();
}

/// Overwrites this many bytes of the stack below the caller's frame: as deep as functions called from there
/// reach.
#[inline(always)]
pub fn wipe_stack_below<const BYTES: usize>() {
    in_this_frame(overwrite::<BYTES>);
}

/// Calls `overwrite` in a way that cannot be a tail call. A tail call gives the caller's frame up first, so
/// it would overwrite that, and end before what kernels left below it.
#[inline(always)]
fn in_this_frame(overwrite: fn()) {
    let frame = 0_u8;
    overwrite();
    core::hint::black_box(&frame);
}

/// Compiled here also for crates that are not optimised.
#[inline(never)]
fn overwrite_any() {
    overwrite::<OF_ANY>();
}

#[inline(never)]
fn overwrite<const BYTES: usize>() {
    let mut stack = [MaybeUninit::<u8>::uninit(); BYTES];
    stack.fill(MaybeUninit::new(0));
    core::hint::black_box(&stack);
}
