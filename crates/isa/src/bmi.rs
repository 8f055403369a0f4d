//! BMI: one 64-bit word at a time in general registers, with `andn`, and rotations that do not overwrite
//! their operand (`rorx`). The compiler selects both for the operations of [`scalar`](crate::scalar), in a
//! row with these features.

use crate::lanes::lane_type;
use crate::scalar::of_u64;
use crate::{Features, Proof};

/// The CPU has BMI1 and BMI2.
#[derive(Clone, Copy)]
pub struct Bmi(());

impl Proof for Bmi {
    const FEATURES: Features = Features::of(&["bmi1", "bmi2"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

lane_type! {
    /// One 64-bit word.
    U64x1 = 1 x u64 (u64) in u64, Bmi;
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
