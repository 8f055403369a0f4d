//! What `calibrate.rs` times of a kernel, and the place of the result in the kernel.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::costs::{Cost, MAX_DEGREE};

/// Blocks of the messages of the short and the long sample. Some kernels take two or four blocks at once.
pub(crate) const SHORT: usize = 4;
pub(crate) const LONG: usize = 16;
/// Equal short messages of a sample, as many as make whole groups: a kernel hashes them in one call.
pub(crate) const EQUAL: usize = MAX_DEGREE;

/// Zeros for the messages of all lanes, each a block after the one before. The rate of a sponge is longer
/// than a block, but it has fewer lanes.
pub(crate) static ZEROS: Zeros = Zeros([0; (MAX_DEGREE + LONG) * 128]);

#[repr(align(64))]
pub(crate) struct Zeros(pub(crate) [u8; (MAX_DEGREE + LONG) * 128]);

/// The measured cost of a kernel; `block` is 0 until there is one.
#[derive(Debug)]
pub(crate) struct Measured {
    call: AtomicU32,
    equal: AtomicU32,
    block: AtomicU32,
}

impl Measured {
    pub(crate) const fn new() -> Self {
        Self { call: AtomicU32::new(0), equal: AtomicU32::new(0), block: AtomicU32::new(0) }
    }

    /// Returns the cost, if it was measured. In a table that is measured again, its numbers may be those of
    /// different times: a cost changes choices, never results.
    #[inline]
    pub(crate) fn get(&self) -> Option<Cost> {
        match self.block.load(Ordering::Acquire) {
            0 => None,
            block => Some(Cost {
                call: self.call.load(Ordering::Relaxed),
                equal: self.equal.load(Ordering::Relaxed),
                block,
            }),
        }
    }

    pub(crate) fn set(&self, cost: Option<Cost>) {
        let Cost { call, equal, block } = cost.unwrap_or(Cost { call: 0, equal: 0, block: 0 });
        self.call.store(call, Ordering::Relaxed);
        self.equal.store(equal, Ordering::Relaxed);
        self.block.store(block, Ordering::Release);
    }
}

/// What a sample times.
#[derive(Clone, Copy, Debug)]
pub enum Sample {
    /// Whole blocks of as many messages as the kernel has lanes, this many of each.
    Group(usize),
    /// Equal short messages of two blocks each: as many as a table's most messages, in whole groups.
    Equal,
}
