//! The compression function of SHA-1, FIPS 180-4 section 6.1.2: its constants and kernels.
//!
//! SHA-1 is broken where collisions matter; it stays in use for checks against accident and in formats that
//! were fixed long ago.
//!
//! | file | holds |
//! |---|---|
//! | `compression.rs` | its types, constants and message schedule |
//! | `lanes.rs` | the definition over messages side by side in the lanes of an instruction set |
//! | `sha_ni.rs` | the same by the SHA instructions, `S` messages interleaved |
//! | `arm_sha2.rs` | the same by Arm's instructions |
//! | `asm.rs` | kernels in assembly: `asm/*.s`, written by `cargo xtask asm` |
//! | `kernels.rs` | the table of all kernels |

#[cfg(target_arch = "aarch64")]
mod arm_sha2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[cfg_attr(not(feature = "papers"), allow(dead_code))]
// The papers' kernels, without which they are not compiled.
mod asm;
mod compression;
mod kernels;
mod lanes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sha_ni;

use hashlanes_isa::{Fixed, Function, PreExpanded, Table, Types};

use compression::schedule;
pub use compression::{Compression, H0, State};

impl Function for Compression {
    const NAME: &'static str = "sha1";
    const KERNEL_VARIABLE: &'static str = "HASHLANES_SHA1_KERNEL";

    fn table() -> &'static Table<Self> {
        &kernels::TABLE
    }
    fn table_of_one() -> &'static Table<Self> {
        &kernels::TABLE_OF_ONE
    }
}

impl Types for Compression {
    type Word = u32;
    type State = State;
    type Block = [u8; 64];
    type Schedule = [u32; 80];
    const ZERO_BLOCK: [u8; 64] = [0; 64];
    const ZERO_STATE: State = [0; 5];

    #[inline]
    fn bytes_of(blocks: &[[u8; 64]]) -> &[u8] {
        blocks.as_flattened()
    }
    #[inline]
    fn bytes_of_mut(blocks: &mut [[u8; 64]]) -> &mut [u8] {
        blocks.as_flattened_mut()
    }

    fn schedule(block: &[u8; 64]) -> [u32; 80] {
        schedule(block)
    }

    #[inline]
    fn two_block_shape(len_bytes: usize) -> Option<&'static Fixed<Self>> {
        two_block_shape(len_bytes)
    }
    #[inline]
    fn pre_expanded_end(len_bytes: u64) -> Option<&'static PreExpanded<Self>> {
        pre_expanded_end(len_bytes)
    }
}

crate::padding::pre_expanded!(64);
