//! One word at a time: runs everywhere, and is the reference for the others.

use crate::lanes::lane_type;
use crate::{Features, Proof};

/// The CPU needs no features beyond the architecture's base.
#[derive(Clone, Copy)]
pub struct Scalar(());

impl Proof for Scalar {
    const FEATURES: Features = Features::NONE;
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// The memory operations of a "square" of one word.
macro_rules! single {
    ($module:ident, $word:ty) => {
        pub(crate) mod $module {
            #[inline(always)]
            pub(crate) fn id(x: $word) -> $word {
                x
            }
            #[inline(always)]
            pub(crate) fn xor(a: $word, b: $word) -> $word {
                a ^ b
            }
            #[inline(always)]
            pub(crate) fn and(a: $word, b: $word) -> $word {
                a & b
            }
            #[inline(always)]
            pub(crate) fn transpose(square: [$word; 1]) -> [$word; 1] {
                square
            }
            /// # Safety
            /// A word may be read at `at`.
            #[inline(always)]
            pub(crate) unsafe fn load(at: *const $word) -> $word {
                // SAFETY: the caller's contract.
                unsafe { at.read_unaligned() }
            }
            /// # Safety
            /// A word may be read at `at`.
            #[inline(always)]
            pub(crate) unsafe fn load_little(at: *const $word) -> $word {
                // SAFETY: the caller's contract.
                <$word>::from_le(unsafe { load(at) })
            }
            /// # Safety
            /// A word may be written at `at`.
            #[inline(always)]
            pub(crate) unsafe fn store(at: *mut $word, x: $word) {
                // SAFETY: the caller's contract.
                unsafe { at.write_unaligned(x) }
            }
            // Never reached, because N is always a multiple of 1.
            #[inline(always)]
            pub(crate) unsafe fn load_part(_: *const $word, _: usize) -> $word {
                0
            }
            #[inline(always)]
            pub(crate) unsafe fn store_part(_: *mut $word, _: usize, _: $word) {}
        }
    };
}
single!(of_u32, u32);
single!(of_u64, u64);

lane_type! {
    /// One 32-bit word.
    U32x1 = 1 x u32 (u32) in u32, Scalar;
    add u32::wrapping_add, xor of_u32::xor, and of_u32::and, splat of_u32::id, swap u32::to_be,
    load of_u32::load, load_little of_u32::load_little, load_part of_u32::load_part, store of_u32::store,
    store_part of_u32::store_part, transpose of_u32::transpose;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            Self(self.0.rotate_right(n))
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            Self(self.0 >> n)
        }
    }
}

lane_type! {
    /// One 64-bit word.
    U64x1 = 1 x u64 (u64) in u64, Scalar;
    add u64::wrapping_add, xor of_u64::xor, and of_u64::and, splat of_u64::id, swap u64::to_be,
    load of_u64::load, load_little of_u64::load_little, load_part of_u64::load_part, store of_u64::store,
    store_part of_u64::store_part, transpose of_u64::transpose;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            Self(self.0.rotate_right(n))
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            Self(self.0 >> n)
        }
    }
}
